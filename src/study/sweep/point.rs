//! What was found at a point of a grid.

use crate::answer::{Cause, ValueStatus};
use crate::catalogue::Catalogue;
use crate::database::{Coordinate, SweepPoint};
use crate::experiment::Experiment;
use crate::infer::{Knowledge, Timing, Trust};
use crate::isa::Operations;
use crate::study::core::frequency;
use crate::units::{Cycles, Hertz};

/// What several experiments at one point say: the fastest counts, which others only delay.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum GridFinding {
    /// The run ended before.
    NotAsked,
    /// None was timed.
    Without(Cause),
    /// An instance of the fastest.
    Timed {
        /// Cycles.
        each: Cycles,
        /// How far off those may be.
        uncertainty: Cycles,
        /// Whether nobody else was at work on the core.
        is_reliable: bool,
    },
}

impl GridFinding {
    /// Of what is known of some experiments: the reliable ones, if there are any.
    pub fn fastest(knowledge: &Knowledge, trust: &Trust, asked: &[Experiment]) -> Self {
        let timings = asked.iter().filter_map(|asked| knowledge.timing(asked));
        let (reliable, others): (Vec<&Timing>, Vec<&Timing>) =
            timings.partition(|timing| trust.holds_for(timing));
        let is_reliable = !reliable.is_empty();
        let counted = if is_reliable { reliable } else { others };
        let fastest = counted.into_iter().min_by(|a, b| a.each().0.total_cmp(&b.each().0));
        if let Some(fastest) = fastest {
            let (each, uncertainty) = (fastest.each(), repeatable(fastest));
            return Self::Timed { each, uncertainty, is_reliable };
        }
        let mut findings = asked.iter().filter_map(|asked| knowledge.of(asked));
        match findings.find_map(|finding| finding.why_untimed()) {
            Some(cause) => Self::Without(cause),
            None => Self::NotAsked,
        }
    }

    /// Cycles with their uncertainty, if they can be relied on.
    pub fn reliable(&self) -> Option<(f64, f64)> {
        match self {
            Self::Timed { each, uncertainty, is_reliable: true } => Some((each.0, uncertainty.0)),
            _ => None,
        }
    }

    /// As a database has it; what was not asked for has no point.
    pub fn at(&self, at: Vec<Coordinate>) -> Option<SweepPoint> {
        let point = SweepPoint { at, ..SweepPoint::default() };
        match self {
            Self::NotAsked => None,
            Self::Without(cause) => Some(SweepPoint { status: Some(cause.to_string()), ..point }),
            Self::Timed { each, uncertainty, is_reliable } => Some(SweepPoint {
                cycles: Some(each.0),
                uncertainty: Some(uncertainty.0),
                status: (!is_reliable).then(|| ValueStatus::Unstable.to_string()),
                ..point
            }),
        }
    }
}

/// No body takes the same in the next run, where it lies elsewhere in memory, to less than this share: of
/// 86,498 points of two runs on a Granite Rapids 94.4 % agreed within the sum of what their windows said,
/// 98.6 % within one per cent, 99.5 % within two.
const REPEATABLE: f64 = 0.01;

/// How far off a timing may be in another run.
pub(super) fn repeatable(timing: &Timing) -> Cycles {
    Cycles(timing.uncertainty().0.hypot(REPEATABLE * timing.each().0))
}

/// How much an instruction does, at the core's clock.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rate {
    /// In the unit, of one instruction a cycle.
    of_one_a_cycle: f64,
    /// Of the core alone.
    clock: Hertz,
    unit: &'static str,
}

impl Rate {
    /// Of operations that are known, on a core whose clock is.
    pub fn of(
        operations: Option<Operations>,
        catalogue: &Catalogue,
        knowledge: &Knowledge,
    ) -> Option<Self> {
        let operations = operations?;
        let clock = frequency(catalogue, knowledge)?;
        let of_one_a_cycle = f64::from(operations.count) * clock.gigahertz();
        Some(Self { of_one_a_cycle, clock, unit: operations.unit() })
    }

    /// Of so many bytes, on a core whose clock is known.
    pub fn of_bytes(bytes: u32, catalogue: &Catalogue, knowledge: &Knowledge) -> Option<Self> {
        const GIB: f64 = 1_073_741_824.0;
        let clock = frequency(catalogue, knowledge)?;
        let of_one_a_cycle = f64::from(bytes) * clock.get() / GIB;
        Some(Self { of_one_a_cycle, clock, unit: "GiB/s" })
    }

    /// Its unit.
    pub fn unit(&self) -> &'static str {
        self.unit
    }

    /// In the unit, of so many cycles of this clock for an instruction.
    pub fn of_cycles(&self, cycles: f64) -> f64 {
        self.of_one_a_cycle / cycles
    }

    /// In the unit, of so many instructions a second.
    pub fn of_pace(&self, per_second: f64) -> f64 {
        self.of_one_a_cycle * per_second / self.clock.get()
    }

    /// A point with its rate, where that is known.
    pub fn rated(rate: Option<Self>, point: SweepPoint) -> SweepPoint {
        let of_cycles = |it: Self| Some(it.of_cycles(point.cycles?));
        SweepPoint { rate: rate.and_then(of_cycles), ..point }
    }
}
