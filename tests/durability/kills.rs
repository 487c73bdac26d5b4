//! Killing runs at random moments until they are complete all the same.

use std::time::{Duration, Instant};

use nix::sys::signal::Signal;
use winic::database::{Entry, ValueStatus};

use super::place::{Place, Runner};

/// How often to kill, unless the variable says otherwise; `scripts/kills` sets it.
pub fn wanted(otherwise: usize) -> usize {
    std::env::var("WINIC_KILLS").map_or(otherwise, |number| number.parse().unwrap())
}

/// A run that is to be killed on its way.
pub struct Life {
    options: &'static str,
    runner: Runner,
    /// Where it comes to if nothing stops it.
    reference: Vec<Entry>,
    /// How long that takes.
    duration: Duration,
}

impl Life {
    /// Runs once without a break.
    pub fn new(options: &'static str, runner: Runner) -> Self {
        let begin = Instant::now();
        let place = Place::new(options, runner);
        let (status, words) = place.run(&[]);
        assert_eq!(status, Some(0), "{words}");
        let reference = place.entries().unwrap();
        Self { options, runner, reference, duration: begin.elapsed() }
    }
}

/// One in so many kills takes the runner instead of the driver.
const RUNNERS: u64 = 4;

/// Which part of the time that a complete run takes may pass before a kill, in per cent. What is
/// resumed has less to do, so that the last moments have their share.
const LONGEST: u64 = 70;

/// Says of the database of a run and its reference how many values were compared and how many
/// differ.
pub type Compare<'a> = dyn FnMut(&[Entry], &[Entry]) -> (usize, usize) + 'a;

/// Kills runs until there were so many kills, each run until it is complete, and compares their
/// databases.
pub fn kill(lives: &[Life], kills: usize, compare: &mut Compare<'_>) {
    // Other moments each time; they would differ anyway.
    let mut random = Random(u64::from(std::process::id()));
    let (mut killed, mut completed, mut values, mut different) = (0, 0, 0, 0);
    for life in lives.iter().cycle() {
        let place = Place::new(life.options, life.runner);
        let mut known = 0;
        loop {
            let mut run = place.start(&["--resume"]);
            let wait = life.duration * u32::try_from(random.below(LONGEST)).unwrap() / 100;
            let spared = killed >= kills;
            if spared || run.ends_within(wait) {
                let (status, words) = run.end();
                assert_eq!(status, Some(0), "{words}");
                break;
            }
            if random.below(RUNNERS) == 0 && run.kill_runner() {
                let (status, words) = run.end();
                assert!(matches!(status, Some(0 | 2)), "status {status:?}: {words}");
                if status == Some(0) {
                    break;
                }
                assert!(words.starts_with("winic: the runner ended"), "{words}");
            } else {
                run.signal(Signal::SIGKILL);
                assert!(run.ends_within(Duration::from_secs(10)), "it survives");
            }

            killed += 1;
            // Findings are gone only when they stand in the database.
            let findings = place.findings().unwrap_or(0);
            let in_database = place.entries().is_some_and(|entries| !entries.is_empty());
            assert!(findings >= known || in_database, "{findings} findings of {known} are left");
            known = findings;
        }
        completed += 1;
        let (all, wrong) = compare(&place.entries().unwrap(), &life.reference);
        values += all;
        different += wrong;
        assert!(!place.journal().exists(), "the journal of a complete run is there");
        assert_eq!(place.litter(), Vec::<String>::new());
        if killed >= kills {
            break;
        }
    }
    println!(
        "{killed} kills, {completed} runs completed, {values} entries or values compared, {different} different"
    );
}

/// Values of this machine, compared within what they say of their own uncertainty; those that
/// are marked do not count.
pub fn compare_values(resumed: &[Entry], reference: &[Entry]) -> (usize, usize) {
    let mut counts = (0, 0);
    let mut compare =
        |name: &str, values: [(Option<f64>, Option<f64>, &Option<ValueStatus>); 2]| {
            let [(Some(a), ua, None), (Some(b), ub, None)] = values else { return };
            let allowed = (ua.unwrap_or(0.0) + ub.unwrap_or(0.0)).max(0.03 * b).max(0.05);
            counts.0 += 1;
            if (a - b).abs() > allowed {
                counts.1 += 1;
                println!("{name}: {a} after kills, {b} without");
            }
        };
    assert_eq!(names(resumed), names(reference));
    for (one, other) in resumed.iter().zip(reference) {
        let name = &one.subject.llvm_name;
        let throughput = |entry: &Entry| {
            let it = &entry.throughput;
            (it.value, it.uncertainty, it.status.clone())
        };
        let (a, b) = (throughput(one), throughput(other));
        compare(name, [(a.0, a.1, &a.2), (b.0, b.1, &b.2)]);
        for (a, b) in one.latency.operands.iter().zip(&other.latency.operands) {
            let edge = format!("{name} {} -> {}", a.source, a.target);
            compare(&edge, [(a.max, a.uncertainty, &a.status), (b.max, b.uncertainty, &b.status)]);
        }
    }
    counts
}

fn names(entries: &[Entry]) -> Vec<&str> {
    entries.iter().map(|entry| entry.subject.llvm_name.as_str()).collect()
}

/// Numbers without a pattern.
struct Random(u64);

impl Random {
    /// From 0 to one below the limit. Source: Marsaglia, Xorshift RNGs, 2003.
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % limit
    }
}
