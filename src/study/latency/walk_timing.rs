//! What chains say of the walks that they go.

use super::Planner;
use super::padding::{FEW_CYCLES, SATURATION};
use crate::answer::Cause;
use crate::experiment::Experiment;
use crate::infer::{Reliance, Timing};
use crate::kernel::{Chain, Link, Style};

/// The timings of a walk's chains.
#[derive(Debug, Clone, Copy)]
pub struct WalkTiming<'k> {
    /// The fastest that can be relied on, which counts; if one that cannot seems clearly faster or
    /// there is no other, that one.
    pub fastest: &'k Timing,
    /// Whether it can be relied on.
    pub is_reliable: bool,
    /// The chain without fillers, where it filled the scheduler.
    pub saturated: Option<&'k Timing>,
    /// The chain in which the edge stands alone, where it is faster beside a tied operand.
    pub alone: Option<&'k Timing>,
}

fn least<'k>(timings: impl Iterator<Item = &'k Timing>) -> Option<&'k Timing> {
    timings.min_by(|a, b| a.each().0.total_cmp(&b.each().0))
}

/// The least that can be relied on, unless another one seems clearly faster: whatever disturbs a
/// chain adds to it, but of one that did not settle the lowest window is told, which may owe that
/// to its reference.
fn least_reliable<'k>(
    timings: impl Iterator<Item = TimedChain<'k>> + Clone,
) -> Option<TimedChain<'k>> {
    let by_duration =
        |a: &TimedChain<'_>, b: &TimedChain<'_>| a.timing.each().0.total_cmp(&b.timing.each().0);
    let fastest = timings.clone().min_by(by_duration)?;
    let reliable = timings.filter(|timed| timed.reliance != Reliance::None).min_by(by_duration);
    let bound = fastest.timing.each().0 + SATURATION;
    reliable.filter(|timed| timed.timing.each().0 <= bound).or(Some(fastest))
}

/// A chain of a walk, timed.
#[derive(Debug, Clone, Copy)]
struct TimedChain<'k> {
    style: Style,
    is_padded: bool,
    timing: &'k Timing,
    reliance: Reliance,
}

impl<'k> Planner<'k> {
    /// What is known of a walk, if it was timed.
    #[must_use]
    pub fn timing_of(&self, walk: &[Link]) -> Option<WalkTiming<'k>> {
        let (knowledge, trust) = (self.knowledge(), &self.known.trust);
        let chains = self.chains_of(walk);
        let timing = |chain: &Chain| knowledge.timing(&Experiment::Latency(chain.clone()));
        let timed = |chain: Chain| {
            let (style, is_padded) = (chain.style, chain.fillers > 0);
            let asked = Experiment::Latency(chain);
            let reliance = knowledge.reliance(&asked, trust);
            Some(TimedChain { style, is_padded, timing: knowledge.timing(&asked)?, reliance })
        };
        let all = chains.iter().flat_map(|chain| self.paddings(chain));
        let all: Vec<TimedChain<'k>> = all.filter_map(timed).collect();
        let among = |styles: fn(Style) -> bool| {
            least_reliable(all.iter().filter(|timed| styles(timed.style)).copied())
        };
        let best = among(|_| true)?;
        let among = |styles| among(styles).map(|timed| timed.timing);
        let fastest = best.timing;
        // Whoever shares the core slows fillers down, which may be what hides that the scheduler is
        // full: a chain without them does not count beside somebody where that is likely.
        let may_be_saturated = fastest.each().0 < FEW_CYCLES * walk.len() as f64
            && all.iter().any(|timed| timed.is_padded && timed.reliance == Reliance::None);
        let is_reliable = match best.reliance {
            Reliance::None => false,
            Reliance::Beside => !may_be_saturated,
            Reliance::Alone => true,
        };
        let alone = among(|style| style != Style::Tied);
        let spread = among(|style| !matches!(style, Style::Tied | Style::Crossed));
        let slower = |timing: &&Timing, than: &Timing| timing.each().0 > than.each().0 + SATURATION;
        let bare = least(chains.iter().filter_map(timing));
        let saturated = bare.filter(|bare| spread.is_some_and(|spread| slower(bare, spread)));
        let alone = alone.filter(|alone| slower(alone, fastest));
        Some(WalkTiming { fastest, is_reliable, saturated, alone })
    }

    /// The chain with the fastest timing among walks; the first, where none has a timing.
    #[must_use]
    pub fn fastest_chain(&self, walks: &[Vec<Link>]) -> Option<Chain> {
        let each = |chain: &Chain| {
            self.knowledge().timing(&Experiment::Latency(chain.clone())).map(|t| t.each().0)
        };
        walks
            .iter()
            .flat_map(|walk| self.chains_of(walk))
            .flat_map(|chain| self.paddings(&chain))
            .min_by(|a, b| {
                each(a).unwrap_or(f64::INFINITY).total_cmp(&each(b).unwrap_or(f64::INFINITY))
            })
    }

    /// Why a walk has no timing, if it was tried.
    #[must_use]
    pub fn failure_of(&self, walk: &[Link]) -> Option<Cause> {
        let chain = self.chains_of(walk).into_iter().next()?;
        self.knowledge().of(&Experiment::Latency(chain))?.why_untimed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::infer::LoopCost;
    use crate::sample::Sample;
    use crate::units::Cycles;

    fn timing(cycles: f64) -> Timing {
        let sample = Sample {
            body: Cycles(cycles),
            uncertainty: Cycles(0.01),
            plain: None,
            frequency: None,
            pulse: None,
            windows_used: 6,
            windows_total: 6,
            settled: true,
        };
        Timing::of_chain(sample, 1, LoopCost::Hidden)
    }

    /// The least of chains that took so long, each of which can be relied on so far.
    fn least_of(chains: &[(f64, Reliance)]) -> f64 {
        let timings: Vec<Timing> = chains.iter().map(|&(cycles, _)| timing(cycles)).collect();
        let timed = timings.iter().zip(chains).map(|(timing, &(_, reliance))| TimedChain {
            style: Style::Same,
            is_padded: false,
            timing,
            reliance,
        });
        least_reliable(timed).map_or(f64::NAN, |timed| timed.timing.each().0)
    }

    #[test]
    fn what_did_not_settle_hides_nothing_unless_it_is_clearly_faster() {
        use Reliance::{Alone, Beside, None};
        assert_eq!(least_of(&[(4.0, Alone), (3.9, None), (5.0, Beside)]), 4.0);
        assert_eq!(least_of(&[(2.0, Alone), (1.1, None)]), 1.1);
        assert_eq!(least_of(&[(4.0, None), (3.9, None)]), 3.9);
    }
}
