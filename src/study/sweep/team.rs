//! What cores found that ran one kernel at the same time.

use super::point::{Rate, repeatable};
use crate::answer::{Cause, ValueStatus};
use crate::database::{Coordinate, SweepPoint};
use crate::experiment::Experiment;
use crate::infer::sweep::{Measured, Team};
use crate::infer::{Knowledge, Timing, Trust};

/// What cores found that ran one kernel at the same time.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum TeamFinding {
    /// The run ended before.
    NotAsked,
    /// It was not timed.
    Without(Cause),
    /// It was.
    Timed {
        /// All cores together.
        team: Team,
        /// Instructions a second of all of them, each by its own clock, if their clocks are known: cores are
        /// of several kinds, and slow down in company.
        pace: Option<f64>,
        /// Whether nobody else was at work on one of them.
        is_reliable: bool,
        /// The share of buffers that lay in huge pages, if there were buffers and the system says.
        huge: Option<f64>,
    },
}

impl TeamFinding {
    /// Of what is known of an experiment on so many cores, with so many bytes of buffer on each.
    pub fn of(knowledge: &Knowledge, trust: &Trust, asked: &Experiment, bytes: u64) -> Self {
        let measured = |timing: &Timing| Measured {
            cycles: timing.each().0,
            uncertainty: repeatable(timing).0,
        };
        let threads = knowledge.threads(asked);
        let cores: Vec<Measured> = match (threads, knowledge.timing(asked)) {
            (Some(threads), _) => threads.iter().map(|thread| measured(&thread.timing)).collect(),
            (None, timing) => timing.map(measured).into_iter().collect(),
        };
        if let Some(team) = Team::of(&cores) {
            let is_reliable = threads.map_or_else(
                || knowledge.timing(asked).is_some_and(|timing| trust.holds_for(timing)),
                |threads| threads.iter().all(|thread| thread.timing.sample.settled),
            );
            let huge = threads.and_then(|threads| {
                let huge: Option<Vec<u64>> = threads.iter().map(|thread| thread.huge).collect();
                let all = (bytes > 0).then_some(bytes as f64 * threads.len() as f64)?;
                Some((huge?.iter().sum::<u64>() as f64 / all).min(1.0))
            });
            let timings: Vec<&Timing> = match threads {
                Some(threads) => threads.iter().map(|thread| &thread.timing).collect(),
                None => knowledge.timing(asked).into_iter().collect(),
            };
            let paces =
                timings.iter().map(|timing| Some(timing.sample.frequency?.get() / timing.each().0));
            return Self::Timed { team, pace: paces.sum(), is_reliable, huge };
        }
        match knowledge.of(asked).and_then(|finding| finding.why_untimed()) {
            Some(cause) => Self::Without(cause),
            None => Self::NotAsked,
        }
    }

    /// The team, if it can be relied on.
    pub fn reliable(&self) -> Option<Team> {
        match self {
            Self::Timed { team, is_reliable: true, .. } => Some(*team),
            _ => None,
        }
    }

    /// As a database has it: cycles of an instruction on one of the cores on average, and the rate of all of
    /// them.
    pub fn at(&self, at: Vec<Coordinate>, rate: Option<Rate>) -> Option<SweepPoint> {
        let point = SweepPoint { at, ..SweepPoint::default() };
        match self {
            Self::NotAsked => None,
            Self::Without(cause) => Some(SweepPoint { status: Some(cause.to_string()), ..point }),
            Self::Timed { team, pace, is_reliable, .. } => {
                let in_cycles = |rate: Rate| rate.of_cycles(team.each.cycles);
                let cores = f64::from(team.cores);
                Some(SweepPoint {
                    cycles: Some(team.each.cycles * cores),
                    uncertainty: Some(team.each.uncertainty * cores),
                    rate: rate
                        .map(|it| pace.map_or_else(|| in_cycles(it), |pace| it.of_pace(pace))),
                    status: (!is_reliable).then(|| ValueStatus::Unstable.to_string()),
                    ..point
                })
            }
        }
    }
}
