//! What a person reads at the end of a run.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use super::Conclusions;
use crate::pipeline::Machine;
use crate::sample::Clock;
use crate::study::Missing;
use crate::units::Hertz;

/// Says what was measured, what failed and why, how long it took and where it is.
pub(super) fn print(
    conclusions: &[Conclusions],
    frequency: Option<Hertz>,
    wall: Duration,
    files: &[PathBuf],
) {
    conclusions.iter().for_each(print_tally);
    let frequency = frequency.map_or_else(String::new, |frequency| format!(" at {frequency}"));
    remark!("took {:.1} s{frequency}", wall.as_secs_f64());
    files.iter().for_each(|file| remark!("wrote {}", file.display()));
}

fn print_tally(conclusions: &Conclusions) {
    let tally = Tally::of(conclusions);
    let what = match conclusions {
        Conclusions::Throughput(_) => "forms have a throughput",
        Conclusions::Latency(..) => "edges have a latency",
    };
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
    if let Conclusions::Latency(_, conflicts) = conclusions
        && !conflicts.is_empty()
    {
        eprintln!(
            "warning: {} loops disagree beyond their uncertainty; the report (--report) names them",
            conflicts.len()
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
    fn of(conclusions: &Conclusions) -> Self {
        let mut tally = Self::default();
        match conclusions {
            Conclusions::Throughput(forms) => {
                forms
                    .iter()
                    .for_each(|form| tally.count(form.value.as_ref().map(|value| value.settled)));
            }
            Conclusions::Latency(edges, _) => {
                edges
                    .iter()
                    .for_each(|edge| tally.count(edge.value.as_ref().map(|value| value.settled)));
            }
        }
        tally
    }

    fn count(&mut self, value: Result<bool, &Missing>) {
        match value {
            Ok(settled) => {
                self.measured += 1;
                self.unsettled += usize::from(!settled);
            }
            Err(Missing::NotAsked) => {
                *self.missing.entry("not measured".to_owned()).or_default() += 1
            }
            Err(Missing::Because(reason)) => {
                *self.missing.entry(reason.to_string()).or_default() += 1
            }
        }
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
