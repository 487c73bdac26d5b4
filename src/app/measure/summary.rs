//! What a person reads at the end of a run.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use super::found::Found;
use crate::answer::ValueStatus;
use crate::database::{SweepPoint, Update};
use crate::pipeline::Machine;
use crate::sample::Clock;
use crate::study::{Answers, Question};
use crate::units::Hertz;

/// Says what was measured, what failed and why, how long it took and where it is.
pub(super) fn print(found: &Found, frequency: Option<Hertz>, wall: Duration, files: &[PathBuf]) {
    found.by_question().for_each(|(question, answers)| print_tally(question, answers));
    let frequency = frequency.map_or_else(String::new, |frequency| format!(" at {frequency}"));
    remark!("took {:.1} s{frequency}", wall.as_secs_f64());
    files.iter().for_each(|file| remark!("wrote {}", file.display()));
}

fn print_tally(question: &Question, answers: &Answers) {
    if !question.is_of_forms {
        return;
    }
    let tally = Tally::of(answers);
    let what = question.counted;
    remark!(
        "{} of {} {what}",
        tally.measured,
        tally.measured + tally.missing.values().sum::<usize>()
    );
    let mut reasons: Vec<_> = tally.missing.iter().collect();
    reasons.sort_by(|a, b| b.1.cmp(a.1));
    for (reason, count) in reasons.into_iter().take(REASONS) {
        remark!("  {count:5} without: {reason}");
    }
    if tally.unsettled > 0 {
        eprintln!(
            "warning: {} did not settle and are marked unstable; stop other programs, or measure them again with -i",
            tally.unsettled
        );
    }
    if !answers.conflicts.is_empty() {
        eprintln!(
            "warning: {} loops disagree beyond their uncertainty; the report (--report) names them",
            answers.conflicts.len()
        );
    }
}

/// Reasons that are listed; the database has them all.
const REASONS: usize = 8;

#[derive(Default)]
struct Tally {
    measured: usize,
    unsettled: usize,
    missing: BTreeMap<String, usize>,
}

impl Tally {
    fn of(answers: &Answers) -> Self {
        let mut tally = Self::default();
        for Update { throughput, latency, ports, .. } in &answers.updates {
            if let Some(ports) = ports {
                tally.count(ports.has_value(), ports.status.as_ref());
            }
            if let Some(throughput) = throughput {
                tally.count(throughput.has_value(), throughput.status.as_ref());
            }
            for operand in latency.iter().flat_map(|latency| &latency.operands) {
                tally.count(operand.has_value(), operand.status.as_ref());
            }
        }
        for sweep in &answers.sweeps {
            match (sweep.has_value(), &sweep.status) {
                (true, _) => tally.measured += 1,
                (false, reason) => {
                    let reason = reason.clone().unwrap_or_else(|| "not measured".to_owned());
                    *tally.missing.entry(reason).or_default() += 1;
                }
            }
            let is_unstable = |point: &&SweepPoint| {
                point.status.as_deref() == Some(&*ValueStatus::Unstable.to_string())
            };
            tally.unsettled += sweep.points.iter().filter(is_unstable).count();
        }
        tally
    }

    fn count(&mut self, has_value: bool, status: Option<&ValueStatus>) {
        if has_value {
            self.measured += 1;
            self.unsettled += usize::from(status == Some(&ValueStatus::Unstable));
            return;
        }
        let reason = match status {
            None => "not measured".to_owned(),
            Some(ValueStatus::Failed(cause) | ValueStatus::Without(cause)) => cause.to_string(),
            Some(other) => other.to_string(),
        };
        *self.missing.entry(reason).or_default() += 1;
    }
}

/// A frequency that the user gave and that the reference does not show.
pub(super) fn warn_of_frequency(machine: &Machine) {
    let (Clock::Fixed { frequency, .. }, Some(seen)) = (machine.timebase.clock, machine.frequency)
    else {
        return;
    };
    if machine.timebase.clock.disagreement(seen).is_some() {
        eprintln!(
            "warning: -f says {frequency}, but the reference chain runs at {seen}: all cycles are off by that much; \
             fix the clock at {frequency}, or leave -f out"
        );
    }
}
