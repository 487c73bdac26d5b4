//! What is known so far: the finding of every experiment that was made.

use std::collections::hash_map::Entry;

use serde::{Deserialize, Serialize};

use super::timing::CorePace;
use super::{ThreadTiming, Timing};
use crate::answer::Cause;
use crate::device::Fault;
use crate::experiment::{Experiment, Probe};
use crate::form::InstructionForm;
use crate::maps::Map;
use crate::metadata::OpcodeId;
use crate::sample::{SHARED, Unusable};
use crate::units::{Cycles, Hertz};

/// What came of one experiment.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Finding {
    /// A probe ran to its end, in so many ticks.
    Executed {
        /// Duration of the first execution.
        ticks: u64,
    },
    /// It was timed.
    Timed(Timing),
    /// It was timed on some cores at the same time, or in a buffer: what each of them took.
    Parallel(Vec<ThreadTiming>),
    /// It did not run to its end.
    Faulted(Fault),
    /// No kernel for it can be built.
    Impossible(String),
    /// It ran, but its windows say nothing.
    Unusable(Unusable),
}

/// A sentinel may be slower than on a quiet core by this share where only a minority of windows agrees.
/// (Somebody who is on the core for parts of windows hardly slows the sentinel, but can make other
/// windows agree by chance. Of 13,608 timings on a virtual machine with shared cores, 0.2 % of those
/// with a majority were off by more than their uncertainty. Of those with a minority it was 4 % below
/// this bound, and 15 % above it.)
const SHARED_IN_PART: f64 = 0.02;

/// The sentinel of a quiet core is as fast as at least so many kernels have seen it. (A disturbed
/// reference makes the sentinel of one kernel look fast, but not those of several alike.)
const WITNESSES: usize = 3;
/// At least one kernel in so many must have seen it, too: now and then a core is in a state in which
/// fillers are faster.
const WITNESSES_SHARE: usize = 100;

/// A chain leaves half of the core to others if it takes at least so many times as long as its
/// instructions occupy the core.
const LEAVING_HALF: f64 = 2.05;

/// A reference further from the steady clock was held up.
const ON_TIME: f64 = 0.01;

/// A clock is steady if references differ by less than this ...
const STEADY: f64 = 0.03;
/// ... in this share of all timings, at least.
const STEADY_SHARE: f64 = 0.7;

/// A probe that takes more ticks is slow or was disturbed: another execution tells which.
const SLOW_PROBE: u64 = 20_000;

impl Finding {
    /// Why there is no timing, if there is none.
    #[must_use]
    pub fn why_untimed(&self) -> Option<Cause> {
        match self {
            Self::Timed(_) | Self::Parallel(_) => None,
            Self::Executed { .. } => Some(Cause::NotTimed),
            Self::Faulted(fault) => Some(Cause::Fault(*fault)),
            Self::Impossible(reason) => Some(Cause::InWords(reason.clone())),
            Self::Unusable(reason) => Some(Cause::Windows(*reason)),
        }
    }

    fn is_better_than(&self, known: &Self) -> bool {
        match (self, known) {
            (Self::Executed { ticks }, Self::Executed { ticks: before }) => ticks < before,
            (Self::Timed(new), Self::Timed(old)) => new.is_better_than(old),
            (Self::Parallel(new), Self::Parallel(old)) => ThreadTiming::are_better(new, old),
            (Self::Unusable(_), _) => false,
            _ => true,
        }
    }
}

/// Which timings of a run can be relied on: those that settled while nobody else was at work on
/// the core. The sentinel tells: it must have been about as fast as on a quiet core, and almost
/// exactly as fast where only a minority of windows agrees.
///
/// Somebody who slows reference and sentinel alike does not show in the ratio of the two, but makes
/// the kernel look too fast: `VFMADDSUB213PDr` took 0.32 cycles instead of 0.5, because its reference
/// ran at 2.4 GHz instead of 3.7. So where the clock is steady through the run, sentinels are compared
/// in cycles of that clock.
#[derive(Debug, Clone, Copy, Default)]
pub struct Trust {
    /// In cycles of the steady clock, if there is one, else of the references.
    quiet: Option<Cycles>,
    steady: Option<Hertz>,
}

impl Trust {
    /// Whether a timing can be relied on.
    #[must_use]
    pub fn holds_for(&self, timing: &Timing) -> bool {
        let allowed = if timing.has_majority() { SHARED } else { SHARED_IN_PART };
        timing.sample.settled && !self.is_slowed_by(allowed, timing)
    }

    /// Whether a timing that was made beside somebody is of a chain that nobody delayed, as far as
    /// the timing itself can tell.
    fn holds_beside(&self, timing: &Timing) -> bool {
        timing.sample.settled && timing.is_of_whole_cycles() && self.is_on_time(timing)
    }

    /// Whether the reference was not held up, as far as that can be told.
    fn is_on_time(&self, timing: &Timing) -> bool {
        let both = self.steady.zip(timing.sample.frequency);
        both.is_none_or(|(steady, own)| (own.get() / steady.get() - 1.0).abs() <= ON_TIME)
    }

    /// Whether the sentinel was slower than on a quiet core by more than this share.
    fn is_slowed_by(&self, share: f64, timing: &Timing) -> bool {
        let (Some(pulse), Some(quiet)) = (timing.pulse_at(self.steady), self.quiet) else {
            return false;
        };
        pulse.0 > quiet.0 * (1.0 + share)
    }

    /// What an instance or pass takes at least, if whoever shared the core slowed it like the
    /// sentinel.
    #[must_use]
    pub fn least_of(&self, timing: &Timing) -> Cycles {
        let slowed = match (timing.pulse_at(self.steady), self.quiet) {
            (Some(pulse), Some(quiet)) => (pulse.0 / quiet.0).max(1.0),
            _ => 1.0,
        };
        (timing.each() - timing.uncertainty()) / slowed
    }

    /// Cycles of an iteration of the sentinel while nobody shares the core, as far as is known.
    #[must_use]
    pub fn quiet(&self) -> Option<Cycles> {
        self.quiet
    }
}

/// How far an experiment's timing can be relied on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reliance {
    /// Not at all.
    None,
    /// Somebody else was at work on the core, but seems not to have delayed the chain: it settled within
    /// 0.02 of whole cycles on a core with a steady clock, and needs no more than the half of the core
    /// that somebody else leaves to it. (Of 16,000 such chains 0.1 % were more than 0.3 off what they
    /// took alone.)
    Beside,
    /// Nobody else was.
    Alone,
}

/// All findings of one experiment in the order in which they came.
#[derive(Debug, Clone)]
struct History {
    all: Vec<Finding>,
    best: usize,
}

impl History {
    fn of(first: Finding) -> Self {
        Self { all: vec![first], best: 0 }
    }

    fn best(&self) -> &Finding {
        &self.all[self.best]
    }

    fn push(&mut self, finding: Finding) {
        if finding.is_better_than(self.best()) {
            self.best = self.all.len();
        }
        self.all.push(finding);
    }
}

/// All findings of a run.
#[derive(Debug, Clone, Default)]
pub struct Knowledge {
    /// What instances of a form take at the least, each, as far as is known.
    quickest: Map<OpcodeId, Cycles>,
    findings: Map<Experiment, History>,
    /// Of every timing that was ever taken in, also of those that a better one replaced.
    paces: Vec<CorePace>,
}

impl Knowledge {
    /// Takes a finding in. Of several of one experiment the best counts: noise only ever adds.
    pub fn learn(&mut self, experiment: Experiment, finding: Finding) {
        if let Finding::Timed(Timing { sample, .. }) = &finding {
            self.paces.push(CorePace::of(sample));
        }
        self.learn_quickest(&experiment, &finding);
        match self.findings.entry(experiment) {
            Entry::Vacant(place) => {
                place.insert(History::of(finding));
            }
            Entry::Occupied(mut known) => known.get_mut().push(finding),
        }
    }

    fn learn_quickest(&mut self, experiment: &Experiment, finding: &Finding) {
        let (Some(subject), Finding::Timed(timing)) = (experiment.plain_subject(), finding) else {
            return;
        };
        if timing.sample.settled {
            let known = self.quickest.entry(subject).or_insert(timing.each());
            *known = known.min(timing.each());
        }
    }

    /// How far the timing of an experiment can be relied on.
    #[must_use]
    pub fn reliance(&self, experiment: &Experiment, trust: &Trust) -> Reliance {
        match self.timing(experiment) {
            Some(timing) if trust.holds_for(timing) => Reliance::Alone,
            Some(timing) if trust.holds_beside(timing) && self.leaves_half(experiment, timing) => {
                Reliance::Beside
            }
            _ => Reliance::None,
        }
    }

    /// Whether a chain took at least twice as long as what it executes occupies the core for, as
    /// far as that is known.
    fn leaves_half(&self, experiment: &Experiment, timing: &Timing) -> bool {
        let occupied = |opcode| self.quickest.get(&opcode).map(|cycles| cycles.0);
        let sum: Option<f64> = experiment.bare_links().and_then(|links| links.map(occupied).sum());
        sum.is_some_and(|sum| sum * LEAVING_HALF <= timing.each().0)
    }

    /// Which timings can be relied on.
    #[must_use]
    pub fn trust(&self) -> Trust {
        let steady = self.steady_clock();
        Trust { quiet: self.quiet_pulse(steady), steady }
    }

    /// The frequency that most references show: a core whose clock changes has none, and there a
    /// slow reference says nothing.
    fn steady_clock(&self) -> Option<Hertz> {
        let seen = self.paces.iter().filter_map(|pace| pace.frequency);
        let mut seen: Vec<f64> = seen.map(Hertz::get).collect();
        if seen.len() < WITNESSES {
            return None;
        }
        let middle = seen.len() / 2;
        let (_, &mut median, _) = seen.select_nth_unstable_by(middle, f64::total_cmp);
        let near = seen.iter().filter(|&&seen| (seen / median - 1.0).abs() <= STEADY).count();
        (near as f64 >= STEADY_SHARE * seen.len() as f64).then(|| Hertz::new(median).ok()).flatten()
    }

    /// What an iteration of the sentinel takes on a quiet core: the lowest value that many kernels agree
    /// on. The middle of these kernels counts, because the lowest had a disturbed reference.
    fn quiet_pulse(&self, steady: Option<Hertz>) -> Option<Cycles> {
        let pulses = self.paces.iter().filter_map(|pace| pace.pulse_at(steady));
        let mut pulses: Vec<f64> = pulses.map(|pulse| pulse.0).collect();
        pulses.sort_unstable_by(f64::total_cmp);
        let witnesses = WITNESSES.max(pulses.len() / WITNESSES_SHARE);
        let agree = |few: &&[f64]| few[witnesses - 1] <= few[0] * (1.0 + SHARED / 2.0);
        pulses.windows(witnesses).find(agree).map(|few| Cycles(few[witnesses / 2]))
    }

    /// Whether an experiment's finding would gain from being made again.
    #[must_use]
    pub fn is_doubtful(&self, experiment: &Experiment, trust: &Trust) -> bool {
        match self.of(experiment) {
            Some(Finding::Timed(_)) => self.reliance(experiment, trust) == Reliance::None,
            Some(Finding::Parallel(threads)) => !ThreadTiming::have_settled(threads),
            Some(Finding::Unusable(_)) => true,
            Some(Finding::Executed { ticks }) => *ticks > SLOW_PROBE,
            Some(Finding::Faulted(_) | Finding::Impossible(_)) | None => false,
        }
    }

    /// The experiments that should be made again, timed or not, in a fixed order.
    #[must_use]
    pub fn doubtful(&self) -> Vec<Experiment> {
        let trust = self.trust();
        let is_timed = |finding: &Finding| !matches!(finding, Finding::Executed { .. });
        let mut doubtful: Vec<(String, &Experiment)> = self
            .findings()
            .filter(|(asked, finding)| is_timed(finding) && self.is_doubtful(asked, &trust))
            .map(|(asked, _)| (format!("{asked:?}"), asked))
            .collect();
        doubtful.sort_by(|(one, _), (other, _)| one.cmp(other));
        doubtful.into_iter().map(|(_, asked)| asked.clone()).collect()
    }

    /// How many timings with a sentinel were taken in so far.
    #[must_use]
    pub fn witnesses(&self) -> usize {
        self.paces.iter().filter(|pace| pace.pulse_at(None).is_some()).count()
    }

    /// What is known of an experiment.
    #[must_use]
    pub fn of(&self, experiment: &Experiment) -> Option<&Finding> {
        self.findings.get(experiment).map(History::best)
    }

    /// All findings of an experiment, in the order in which they came.
    #[must_use]
    pub fn history(&self, experiment: &Experiment) -> &[Finding] {
        self.findings.get(experiment).map_or(&[], |history| &history.all)
    }

    /// The timing of an experiment, if it was timed.
    #[must_use]
    pub fn timing(&self, experiment: &Experiment) -> Option<&Timing> {
        match self.of(experiment) {
            Some(Finding::Timed(timing)) => Some(timing),
            _ => None,
        }
    }

    /// What each core took for an experiment on several of them, or in a buffer.
    #[must_use]
    pub fn threads(&self, experiment: &Experiment) -> Option<&[ThreadTiming]> {
        match self.of(experiment) {
            Some(Finding::Parallel(threads)) => Some(threads),
            _ => None,
        }
    }

    /// The finding of a form's probe.
    #[must_use]
    pub fn probe(&self, opcode: OpcodeId) -> Option<&Finding> {
        self.of(&Experiment::Probe(Probe { opcode, register: None }))
    }

    /// Whether a form has been seen to execute.
    #[must_use]
    pub fn executes(&self, form: &InstructionForm) -> bool {
        matches!(self.probe(form.opcode), Some(Finding::Executed { .. }))
    }

    /// The best finding of each experiment, in no order.
    pub fn findings(&self) -> impl Iterator<Item = (&Experiment, &Finding)> {
        self.findings.iter().map(|(experiment, history)| (experiment, history.best()))
    }

    /// All findings of each experiment, those that a better one replaced among them, in the order in
    /// which they came; the experiments in no order.
    pub fn histories(&self) -> impl Iterator<Item = (&Experiment, &[Finding])> {
        self.findings.iter().map(|(experiment, history)| (experiment, history.all.as_slice()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::infer::LoopCost;
    use crate::sample::Sample;

    fn timing(pulse: f64, windows: [usize; 2], uncertainty: f64) -> Timing {
        let [windows_used, windows_total] = windows;
        let sample = Sample {
            body: Cycles(100.0),
            uncertainty: Cycles(uncertainty),
            plain: None,
            frequency: None,
            pulse: Some(Cycles(pulse)),
            windows_used,
            windows_total,
            settled: true,
        };
        Timing::of_instances(sample, 1, LoopCost::Hidden)
    }

    /// What is known when kernels have these sentinels.
    fn knowledge(pulses: impl IntoIterator<Item = f64>) -> Knowledge {
        let mut knowledge = Knowledge::default();
        for (candidate, pulse) in pulses.into_iter().enumerate() {
            let finding = Finding::Timed(timing(pulse, [6, 6], 0.1));
            knowledge.learn(Experiment::Reference { candidate }, finding);
        }
        knowledge
    }

    #[test]
    fn a_minority_of_windows_is_believed_on_a_core_that_nobody_shares_even_in_part() {
        let trust = knowledge([40.0; 10]).trust();
        assert!(trust.holds_for(&timing(42.0, [6, 6], 0.1)));
        assert!(!trust.holds_for(&timing(42.0, [6, 16], 0.1)));
        assert!(trust.holds_for(&timing(40.4, [6, 16], 0.1)));
        assert!(!trust.holds_for(&timing(43.0, [6, 6], 0.1)));
    }

    #[test]
    fn what_most_windows_say_replaces_what_few_say_but_not_beside_somebody_else() {
        let few = timing(41.0, [6, 64], 0.1);
        let most = timing(41.0, [6, 8], 0.5);
        assert!(most.is_better_than(&few) && !few.is_better_than(&most));
        let shared = timing(80.0, [6, 6], 0.1);
        assert!(few.is_better_than(&shared) && !shared.is_better_than(&few));
    }

    fn at(gigahertz: f64, mut timing: Timing) -> Timing {
        timing.sample.frequency = Hertz::new(gigahertz * 1e9).ok();
        timing
    }

    fn on_clocks(gigahertz: impl IntoIterator<Item = f64>) -> Trust {
        let mut knowledge = Knowledge::default();
        for (candidate, gigahertz) in gigahertz.into_iter().enumerate() {
            let timing = at(gigahertz, timing(40.0, [6, 6], 0.1));
            knowledge.learn(Experiment::Reference { candidate }, Finding::Timed(timing));
        }
        knowledge.trust()
    }

    #[test]
    fn who_holds_up_reference_and_sentinel_alike_shows_on_a_steady_clock() {
        let slow = at(2.4, timing(40.0, [6, 6], 0.1));
        let usual = at(3.7, timing(40.0, [6, 6], 0.1));
        let steady = on_clocks([3.7, 3.69, 3.7, 3.71, 2.4]);
        assert!(steady.holds_for(&usual) && !steady.holds_for(&slow));
        assert_eq!(steady.quiet(), Some(Cycles(40.0)));
        // Where the frequency changes by itself nothing can be said.
        let changing = on_clocks([3.7, 3.0, 2.4, 3.3, 2.7]);
        assert!(changing.holds_for(&usual) && changing.holds_for(&slow));
        // Of two the one with the faster reference cannot be wrong.
        assert!(usual.is_better_than(&slow) && !slow.is_better_than(&usual));
    }

    #[test]
    fn a_few_disturbed_references_do_not_make_a_quiet_core_look_shared() {
        let disturbed = [39.0, 39.1, 39.2];
        let quiet = knowledge(disturbed.into_iter().chain([40.0; 1000])).trust().quiet();
        assert_eq!(quiet, Some(Cycles(40.0)));
    }

    #[test]
    fn nobody_who_shares_a_core_slows_more_than_the_sentinel() {
        let trust = knowledge([40.0; 10]).trust();
        assert_eq!(trust.least_of(&timing(80.0, [6, 6], 10.0)), Cycles(45.0));
        assert_eq!(trust.least_of(&timing(39.5, [6, 6], 10.0)), Cycles(90.0));
    }
}
