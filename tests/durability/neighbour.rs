//! Somebody who shares the core from the first kernel on looks like the core's own speed, until
//! kernels at another moment show better.

use super::place::{Place, Runner};
use super::{THROUGHPUTS, reference, resume};
use nix::sys::signal::Signal;
use std::time::Duration;

/// More than any of these runs reports.
const ALL: usize = 100_000;

/// Findings after which bodies of forms were timed.
const ENOUGH: usize = 300;

#[test]
fn what_was_kept_beside_somebody_is_made_again_by_the_run_that_continues() {
    let reference = reference(THROUGHPUTS);
    let place = Place::new(THROUGHPUTS, Runner::Steady);
    place.share_core_for(ALL);
    let mut run = place.start(&[]);
    run.wait_for_findings(&place, ENOUGH);
    run.signal(Signal::SIGKILL);
    assert!(run.ends_within(Duration::from_secs(10)));
    drop(run);
    place.share_core_for(0);
    resume(&place, &reference);
}

/// Survey and rounds of a short run, in reports: somebody leaves when the last of them is done.
const UNTIL_THE_END: usize = 330;

#[test]
fn a_short_run_looks_at_another_moment_before_it_believes_itself() {
    let reference = reference(THROUGHPUTS);
    let place = Place::new(THROUGHPUTS, Runner::Steady);
    place.share_core_for(UNTIL_THE_END);
    let (status, words) = place.run(&[]);
    assert_eq!(status, Some(0), "{words}");
    assert_eq!(place.entries().unwrap(), reference);
}
