//! Machines that files describe, as devices: stand-ins for those that nobody here has. What is put
//! into a file must be found again by measuring.
//!
//! # The model
//!
//! The loop of a kernel is simulated until it repeats itself. What its operations take follows
//! from latencies, units and the front end, as [`run`](mod@run) says. Besides, the whole core stands still
//! for a while, whatever it is at:
//!
//! * when an instruction with a `key` follows one with another key (`switches`);
//! * when registers of two instructions conflict that a rule of `conflicts` is about, of those each
//!   with the next one;
//! * when an additive state of `transitions` is entered that had been left.
//!
//! These follow from the order of the program alone and are added to what an iteration takes. Of switches and
//! conflicts a file may say that they occupy a unit instead: then that is busy for so long more with the
//! instruction that comes behind, and other work goes on. So
//! with a unit on which instructions start in order, `Base` as its busy time and `Base + Full` as
//! the latency, a loop takes what the model of bases, switches and full latencies says of
//! sequences.
//!
//! An overlapping state is entered when all units are free, and nothing starts before. It is left
//! when all units are free, and not before `whole - leaving` has passed since it was entered (or, if it
//! `refills` the front end, since what leaves it was issued, for which what enters is waited for);
//! nothing starts before `leaving` has passed after that.
//!
//! Threads that run one loop at the same time are all alike; those for which a machine's cores have no room run
//! on the `others` that it has besides, each kind for itself. A unit or a level of memory that is
//! shared by more than one is busy for each of them so many times as long as there are threads on
//! it: each gets its share.
//!
//! No address is looked at. Loads and stores pass their bytes through what the first level of
//! memory has that holds the kernel's working set, or the sets of all threads that share it:
//! whoever walks through more than a level holds finds nothing of it there when it comes round
//! again (as where the least recently used line is replaced). Loads wait for stores where the
//! kernel says that it passes something on through memory, and then for the last one.
//!
//! # Its parts
//!
//! | file | what it is |
//! |---|---|
//! | `operation`, `calendar`, [`run`](mod@run) | the pure core: loops of numbered operations |
//! | `standstill` | switches, conflicts, states |
//! | `decoded`, `decoder`, `words` | machine code into plain instructions, by the forms of a target |
//! | `file`, `machine` | the YAML, and what is made of it once all of it makes sense |
//! | `program` | plain instructions into operations of a machine |
//! | `frequency` | clocks that slow down as more cores are at work |
//! | `clock`, `noise`, `device` | a machine as a device |

mod calendar;
#[cfg(feature = "llvm")]
mod clock;
mod decoded;
#[cfg(feature = "llvm")]
mod decoder;
#[cfg(feature = "llvm")]
mod device;
mod file;
mod frequency;
#[cfg(feature = "llvm")]
mod machine;
#[cfg(feature = "llvm")]
mod noise;
mod operation;
#[cfg(feature = "llvm")]
mod program;
pub mod run;
mod standstill;
#[cfg(feature = "llvm")]
mod words;

pub use decoded::{Decoded, DecodedSite};
#[cfg(feature = "llvm")]
pub use decoder::Decoder;
#[cfg(feature = "llvm")]
pub use device::ScoreboardDevice;
pub use file::{ConflictRule, ConflictingOperands, MachineFile, NoiseEntry};
pub use frequency::{Frequencies, FrequencyEntry};
#[cfg(feature = "llvm")]
pub use machine::{MachineClock, MachineError, ScoreboardMachine};
pub use operation::{CYCLE, Crossing, Operation, OperationResult, Ticks, UnitShape, UnitUse};
#[cfg(feature = "llvm")]
pub use program::{Circumstances, Undescribed};
pub use standstill::{
    ConflictCost, Conflicting, StandstillFacts, StandstillRules, StandstillWait, StateSide,
    SwitchCosts,
};
#[cfg(feature = "llvm")]
pub use words::WordFlow;
