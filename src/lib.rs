//! winic measures how long every instruction of a CPU takes: latency from every operand to every
//! result, and throughput. It asks LLVM which instructions there are, writes kernels, runs them
//! in forked children and infers the numbers, with no root rights, no performance counters and
//! no fixed clock.
//!
//! # The story
//!
//! ```text
//! InstructionSet -> InstructionForm -> Experiment -> Kernel -> Artifact -> RawSample -> Sample
//!     (llvm)            (form)             ^        (kernel)  (assemble)   (device)    (sample)
//!                                          |                                              |
//!                                  Study::next <------------  Knowledge  <----------------+
//!                                                                 |
//!                                  Study::conclude <-----------+
//!                                          |
//!                                          +-> database -> report
//! ```
//!
//! A [`study`] is a question about a machine: a pure function of the forms and of what is known. It
//! says what to ask next, until nothing more is worth asking, and what follows from the findings.
//! Read `pipeline.rs` for the whole run on one screen, and `study/latency` and `study/throughput`
//! for the method.
//!
//! # The rooms, in the order of the pipeline
//!
//! | module | what it is |
//! |---|---|
//! | [`units`] | cycles, hertz, intervals |
//! | [`repetition`] | what is made again, how often, and how long anyone waits |
//! | [`files`] | files that are there whole or not at all |
//! | [`maps`] | maps with a quick hash |
//! | [`random`] | numbers that look random and are the same for a seed |
//! | [`artifact`] | many kernels in one shared object, and what they need of a machine |
//! | [`metadata`] | what LLVM knows of an instruction set, as plain data |
//! | [`codec`] | encoding, decoding, printing and assembling as traits; instructions that LLVM does not know |
//! | `llvm` | the only place that calls LLVM: its tables, it as a codec, its models of CPUs; the C++ shim |
//! | [`form`] | instruction forms, their operands and edges; what they pass to each other, and what registers hold |
//! | [`isa`] | everything that is special about one ISA, behind traits by what it is asked about; one table of architectures; Apple's AMX, with an emulator |
//! | [`catalogue`] | the forms of a machine: which opcodes are instructions of their own, and with which registers |
//! | [`kernel`] | what a kernel holds, one description for all; registers chosen so that dependences are those that are meant; walks through buffers; its text |
//! | [`experiment`] | what one kernel finds out |
//! | [`assemble`] | kernels to shared objects |
//! | [`device`] | runs artifacts: the runner process, its children, the pipe, clocks, noise of the host |
//! | [`sample`] | ticks to cycles, with an uncertainty |
//! | [`answer`] | what is said besides numbers: causes, circumstances, ways back, limits; each with one text |
//! | [`fleet`] | many machines of one kind as one device |
//! | [`database`] | the YAML that consumers read |
//! | [`scoreboard`] | machines that files describe, as devices |
//! | `emulator` | a Mac's matrix unit in software, as a device |
//! | [`infer`] | what is known; latencies from loops, throughputs from bodies, ports from mixtures, models of few parameters from sweeps |
//! | [`journal`] | findings on disk as they come; what a resumed run continues from |
//! | [`gpu`] | GPUs: forms of matrix instructions, kernels of them, and what follows from their records |
//! | [`study`] | the questions, a folder for each: which experiments to make next, and what is said of each form in the end |
//! | `evidence` | all findings of a run in a file, from which anyone can conclude again |
//! | [`laboratory`], `pipeline` | experiments to findings; the run |
//! | [`report`] | what people read, from databases: how everything was measured; two sets of figures side by side; what loads take by twins; which addressing modes a core tells apart; tables and pictures of sweeps; a site of pages |
//! | [`exchange`] | databases in the formats of others, and the tables of others as databases, told by their content |
//! | [`export`] | models of a machine for programs that predict code, from databases: OSACA's machine model and ISA file, LLVM's scheduling model |
//! | [`predict`] | what a loop takes by a database: ports, chains, the front end; the ports of two sources side by side |
//! | `cli`, `app` | the command line and what its modes do |
//!
//! # What holds everywhere
//!
//! * A module names only those above it in this table; `tests/architecture` enforces the details.
//! * `infer` sees no device, and `device` knows no instruction.
//! * Mnemonics and register names stand only in `isa/` and `templates/`.
//! * `unsafe` stands only in `llvm/ffi.rs`, `device/child` and `device/gpu/library.rs`.
//! * Without the feature `llvm` everything but the modules in plain type builds, with no LLVM:
//!   the runner, planning, inference, kernels as text and their tests. Without `analysis` only what
//!   the runner is made of does, which is a fifth of the code.
//! * What cannot be measured is a finding; what is broken is an error.
//!
//! Outside of `src`, `rtl/` holds a runner in C++ whose machine is a simulated RISC-V core:
//! whatever speaks [`device::wire`] is a device.

// What runs kernels: all that `winic-runner` is made of.
pub mod artifact;
pub mod device;
pub mod files;
pub mod repetition;
pub mod units;

// What plans, builds and concludes, without LLVM.
#[cfg(feature = "analysis")]
pub mod answer;
// (The linker gets files without names, which only Linux has.)
#[cfg(all(feature = "analysis", target_os = "linux"))]
pub mod assemble;
#[cfg(feature = "analysis")]
pub mod catalogue;
#[cfg(feature = "analysis")]
pub mod codec;
#[cfg(feature = "analysis")]
pub mod database;
#[cfg(feature = "analysis")]
pub mod exchange;
#[cfg(feature = "analysis")]
pub mod experiment;
#[cfg(feature = "analysis")]
pub mod export;
#[cfg(feature = "analysis")]
pub mod fleet;
#[cfg(feature = "analysis")]
pub mod form;
#[cfg(feature = "analysis")]
pub mod gpu;
#[cfg(feature = "analysis")]
pub mod infer;
#[cfg(feature = "analysis")]
pub mod isa;
#[cfg(feature = "analysis")]
pub mod journal;
#[cfg(feature = "analysis")]
pub mod kernel;
#[cfg(all(feature = "analysis", target_os = "linux"))]
pub mod laboratory;
#[cfg(feature = "analysis")]
pub mod maps;
#[cfg(feature = "analysis")]
pub mod metadata;
#[cfg(feature = "analysis")]
pub mod predict;
#[cfg(feature = "analysis")]
pub mod random;
#[cfg(feature = "analysis")]
pub mod report;
#[cfg(feature = "analysis")]
pub mod sample;
#[cfg(feature = "analysis")]
pub mod scoreboard;
#[cfg(feature = "analysis")]
pub mod study;

// What asks LLVM, and the command line.
#[cfg(feature = "llvm")]
pub mod app;
#[cfg(feature = "llvm")]
pub mod cli;
#[cfg(feature = "llvm")]
pub mod emulator;
#[cfg(feature = "llvm")]
pub mod evidence;
#[cfg(feature = "llvm")]
pub mod llvm;
#[cfg(feature = "llvm")]
pub mod pipeline;
