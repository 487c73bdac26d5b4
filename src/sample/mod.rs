//! From ticks to cycles with an uncertainty.
//!
//! **Givens.** Windows `ref, T(n), T(2n), ref` in ticks (`RawSample`), the cycles one iteration of
//! the reference takes, and what turns ticks into cycles ([`Clock`]).
//! **Unknown.** The duration of one body in cycles, `(T(2n) - T(n)) / iterations`: the difference
//! cancels whatever loop and call cost.
//! **What disturbs.** A tick counter that moves in steps makes every reading one of the two
//! multiples of the step around the truth, with a random phase. An interrupt adds a positive amount
//! to any one of the four readings. A change of the core's frequency scales all of them.
//!
//! **Reduction.**
//! 1. A window whose references differ by more than 0.5 % and one step is dropped: the clock moved
//!    or a reference was disturbed (`window`). So is one in which somebody else used the core (another
//!    hardware thread, often another machine's): a chain like the reference hardly suffers from that,
//!    while a body that fills the core takes twice as long; a sentinel, a loop of fillers, shows it.
//! 2. Readings are divided by the ticks per cycle of their own window, so a frequency that changes
//!    *between* windows cancels.
//! 3. For `T(n)` and `T(2n)` separately, the lowest *level* is sought: the lowest place where
//!    several values lie within what quantisation can do to equal durations (one step of the
//!    reading and one of its reference) and 0.1 % (`level`). Everything in it is averaged, which
//!    dithers the step away; as the level is as wide as clean values scatter, nothing is cut off
//!    and the mean has no bias.
//! 4. The uncertainty adds up what remains (`uncertainty`).
//!
//! **Why disturbed references do not poison the minimum.** A reference that was held up makes its
//! window's cycles too *small*, where a search for the minimum finds them. When only one of the two
//! was held up, step 1 sees all but half a per cent. When both were, by like amounts, the window
//! looks exactly like one that ran at a lower frequency; its references alone cannot tell. Two
//! facts can:
//! * Disturbances only lengthen. So windows at the lowest level of references shared by several
//!   windows were not disturbed there (or by less than the level's width). They are looked at
//!   alone first, and as long as the frequency holds for a few windows this decides.
//! * When the frequency wanders so much that these few windows do not suffice, all windows are
//!   looked at together. A true change of frequency then cancels: those windows agree with each
//!   other. Coinciding disturbances are rare and of random size: they do not agree, and a level
//!   needs the support of three windows and of a tenth of all.

mod clock;
mod level;
mod uncertainty;
mod window;

pub use clock::Clock;

use serde::{Deserialize, Serialize};

use crate::device::{RawSample, SHARED_PER_MILLE};
use crate::units::{Cycles, Hertz};
use level::{Level, Reading, lowest_level};
use uncertainty::{LevelSum, Term};
use window::{Steady, Windows};

/// By what share a sentinel may be slower than on a quiet core. One that is slower shared the core.
#[allow(clippy::cast_precision_loss)] // A small constant.
pub const SHARED: f64 = SHARED_PER_MILLE as f64 / 1000.0;

/// What the windows of one kernel say.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Sample {
    /// Duration of the body.
    pub body: Cycles,
    /// The true duration lies within `body` plus or minus this.
    pub uncertainty: Cycles,
    /// `T(n)` per iteration with the call overhead estimated away, but still with the loop's own
    /// cost: it should exceed `body` by no more than that.
    pub plain: Option<Cycles>,
    /// The core's frequency as the reference saw it; needs the tick rate.
    pub frequency: Option<Hertz>,
    /// Cycles that one iteration of the sentinel took in the windows that contributed, where there
    /// is a sentinel. More than elsewhere on the same core (by more than [`SHARED`]): somebody else
    /// was at work on it.
    pub pulse: Option<Cycles>,
    /// Windows that contributed.
    pub windows_used: usize,
    /// Windows that were taken.
    pub windows_total: usize,
    /// Whether enough windows agree. If not, the uncertainty spans all that was seen.
    pub settled: bool,
}

/// Why windows say nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
pub enum Unusable {
    /// There are none.
    #[error("no window was taken")]
    NoWindows,
    /// The kernel's loop count is zero.
    #[error("the kernel ran for zero iterations")]
    NoIterations,
    /// The reference's loop count or its cycles per iteration are zero.
    #[error("the reference ran for zero cycles")]
    NoReference,
    /// The overhead of the reference is not a number.
    #[error("the measured call overhead is not a number")]
    InvalidOverhead,
    /// `double` is absent: the kernel is manual, its reduction is [`reduce_manual`].
    #[error("the kernel has no function with the body twice")]
    NoDouble,
    /// No reference took longer than its call overhead.
    #[error("the reference is too short to be told from its call overhead")]
    ReferenceTooShort,
    /// The two references differ in every window.
    #[error("the clock moved during each of the {windows} windows")]
    NoStableWindow {
        /// How many were taken.
        windows: usize,
    },
}

/// Duration of the body of a kernel that has it once and twice.
///
/// # Errors
/// When the windows say nothing at all; windows that merely disagree are an unsettled sample.
pub fn reduce(
    raw: &RawSample,
    clock: &Clock,
    reference_cycles_per_iteration: u32,
) -> Result<Sample, Unusable> {
    let windows = doubled(raw, clock, reference_cycles_per_iteration)?;
    Ok(windows.difference(windows.lowest(&windows.quiet())))
}

/// The same of a kernel that is one chain. Where too few windows had the core to themselves, the
/// others count as well: a chain leaves most of the core idle, so whoever shares it delays only some
/// passes. Many short windows have no delayed pass; they are the lowest, and agree.
///
/// # Errors
/// As of [`reduce`].
pub fn reduce_chain(
    raw: &RawSample,
    clock: &Clock,
    reference_cycles_per_iteration: u32,
) -> Result<Sample, Unusable> {
    let windows = doubled(raw, clock, reference_cycles_per_iteration)?;
    let found = windows.lowest(&windows.quiet()).or_else(|| windows.lowest(&windows.steady));
    Ok(windows.difference(found))
}

/// The windows of a kernel that has its body once and twice.
fn doubled(raw: &RawSample, clock: &Clock, cycles: u32) -> Result<Windows, Unusable> {
    if raw.windows.iter().any(|window| window.double == 0) {
        return Err(Unusable::NoDouble);
    }
    Windows::new(raw, clock, cycles)
}

/// Duration of the body of a manual kernel, which has no function with the body twice: `T(n)` less
/// the call overhead of the reference. The kernel's own overhead is not known, so the uncertainty
/// is larger; the loop's cost stays in.
///
/// # Errors
/// When the windows say nothing at all.
pub fn reduce_manual(
    raw: &RawSample,
    clock: &Clock,
    reference_cycles_per_iteration: u32,
) -> Result<Sample, Unusable> {
    let windows = Windows::new(raw, clock, reference_cycles_per_iteration)?;
    let single =
        |candidates: &[Steady]| windows.readings(candidates, |window: &Steady| window.single);
    let level = |readings: Vec<Reading>| lowest_level(&readings, &windows.grain);
    let quiet = windows.quiet();
    let found = level(single(&windows.trusted(&quiet))).or_else(|| level(single(&quiet)));
    let settled = found.is_some();
    let single = found.unwrap_or_else(|| Level::of(single(&windows.steady)));
    let overhead = windows.overhead_cycles(&single) / windows.iterations;
    let sample = windows.conclude(&LevelSum::new(vec![Term::plus(single)]), settled);
    let body = sample.body - overhead;
    let uncertainty = sample.uncertainty + overhead * uncertainty::UNKNOWN_SHARE_OF_OVERHEAD;
    Ok(Sample { body, uncertainty, plain: Some(body), ..sample })
}

impl Windows {
    /// The lowest levels among some windows: among those with trusted references, if there are any.
    fn lowest(&self, candidates: &[Steady]) -> Option<(Level, Level)> {
        self.levels(&self.trusted(candidates)).or_else(|| self.levels(candidates))
    }

    /// The lowest levels of `T(n)` and `T(2n)` among some windows.
    fn levels(&self, candidates: &[Steady]) -> Option<(Level, Level)> {
        let single = self.readings(candidates, |window| window.single);
        let double = self.readings(candidates, |window| window.double);
        Some((lowest_level(&single, &self.grain)?, lowest_level(&double, &self.grain)?))
    }

    /// What the two levels say; if there are none, what all windows do.
    fn difference(&self, found: Option<(Level, Level)>) -> Sample {
        let settled = found.is_some();
        let (single, double) = found.unwrap_or_else(|| {
            let whole = |ticks: fn(&Steady) -> f64| Level::of(self.readings(&self.steady, ticks));
            (whole(|window| window.single), whole(|window| window.double))
        });
        let plain = self.plain(&single);
        let terms = vec![Term::plus(double), Term::minus(single)];
        Sample { plain, ..self.conclude(&LevelSum::new(terms), settled) }
    }

    /// The figures common to both kinds of kernel.
    fn conclude(&self, difference: &LevelSum, settled: bool) -> Sample {
        let per_iteration = |cycles: f64| Cycles(cycles / self.iterations);
        let uncertainty = if settled {
            difference.uncertainty(self)
        } else {
            difference.uncertainty_unsettled(self)
        };
        let used = difference.windows();
        Sample {
            body: per_iteration(difference.estimate(settled)),
            uncertainty: per_iteration(uncertainty),
            plain: None,
            frequency: self.frequency(&used),
            pulse: self.pulse(&used).map(Cycles),
            windows_used: used.len(),
            windows_total: self.total,
            settled,
        }
    }

    /// `T(n)` per iteration less the call overhead of the reference.
    fn plain(&self, single: &Level) -> Option<Cycles> {
        let per_call = Cycles(single.cycles()) - self.overhead_cycles(single);
        (per_call > Cycles::default()).then_some(per_call / self.iterations)
    }
}
