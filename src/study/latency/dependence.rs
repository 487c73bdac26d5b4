//! Whether a chain shows a dependence at all.
//!
//! A chain that takes no more than instances that share only what they must shows nothing but the
//! throughput. The core may not wait for the source: Zen 4's `SHL64rCL` does not wait for the old
//! flags, although a count of zero would leave them. Or the result is there before the unit is free
//! again: a divider that is not pipelined.
//!
//! **Given** such a chain of C cycles a link, and a loop of helpers through the same resource that
//! takes H. **Test.** One loop of the edge and k rounds of the helpers, k * H well above C. If the
//! edge is a dependence of x cycles, each round waits for the one before, and the loop takes
//! k * H + x. If it takes less than k * H, nothing waits.

use super::Planner;
use super::padding::SATURATION;
use super::plans::{EdgePlan, Route};
use crate::catalogue::ResourceId;
use crate::experiment::Experiment;
use crate::form::{EncodingGroup, InstructionForm, Site};
use crate::kernel::{Link, ThroughputBody};
use crate::study::throughput::{Condition, bodies_of};
use crate::units::Cycles;

/// A chain is no slower than independent instances if it takes no more than this share longer.
const NO_SLOWER: f64 = 0.05;
/// Helpers in a test, at most: what takes longer than so many is a program of microcode.
const MOST_LINKS: usize = 512;
/// Loops of helpers that are tried to be put behind an edge: of x86's flags many lead through others
/// than a rotation reads.
const TRIED: usize = 64;
/// What a test may be off by, relative to its duration: see [`SATURATION`] for short ones.
const ERROR: f64 = 0.01;

/// A loop that shows whether an edge is a dependence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DependenceTest {
    /// The edge, and behind it the helpers as often as stated.
    pub walk: Vec<Link>,
    /// The helpers: a loop by themselves.
    pub helpers: Vec<Link>,
    /// How often the walk goes through them.
    pub rounds: usize,
}

/// What is known of whether an edge is a dependence.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Dependence {
    /// It is one, and takes what its chain does.
    Shown,
    /// It is one of so many cycles; what its chain takes is the throughput.
    Faster(Cycles),
    /// Nothing waits for its source.
    Absent,
    /// Its chain shows the throughput, and nothing shows more.
    Unknown,
}

impl Dependence {
    /// Whether there may be none, so that what the chain takes is no latency.
    #[must_use]
    pub fn is_doubtful(self) -> bool {
        matches!(self, Self::Absent | Self::Unknown)
    }

    /// What a test shows of an edge whose chain takes `chain`, where the test takes `test` and its
    /// rounds of helpers alone would take `helpers`.
    #[must_use]
    pub fn by_test(chain: Cycles, test: Cycles, helpers: Cycles, least: Cycles) -> Self {
        let left = (test - helpers).0;
        let error = SATURATION.max(test.0 * ERROR);
        match left {
            left if left < -error => Self::Absent,
            left if left < least.0 - error => Self::Unknown,
            left if left < chain.0 - error => Self::Faster(Cycles(left)),
            _ => Self::Shown,
        }
    }
}

impl Planner<'_> {
    /// Instances of each subject that share only what they must: the first body of its throughput.
    pub(super) fn instances_of_subjects(&self) -> Vec<Experiment> {
        let bodies = self.subjects().filter_map(|form| self.instances_of(form));
        bodies.map(Experiment::Throughput).collect()
    }

    fn instances_of(&self, form: &InstructionForm) -> Option<ThroughputBody> {
        bodies_of(self.catalogue, form, Condition::default(), self.known).into_iter().next()
    }

    /// The test that an edge needs which is chained into itself: none if its chain is slower than
    /// instances, or not timed yet, or if no known loop of helpers can be put behind it.
    pub(super) fn dependence_test(
        &self,
        link: &Link,
        resource: ResourceId,
    ) -> Option<DependenceTest> {
        let form = self.catalogue.form(link.opcode)?;
        let chain = self.chain_no_slower(link)?;
        let test = |helpers: HelperLoop| {
            let measured = helpers.measured;
            let timing = self.timing_of(&measured)?;
            let rounds = timing.is_reliable.then(|| rounds(chain, timing.fastest.each()))?;
            if rounds * helpers.behind.len() > MOST_LINKS {
                return None;
            }
            let rest = vec![helpers.behind; rounds].concat();
            let walk = std::iter::once(link.clone()).chain(rest).collect();
            Some(DependenceTest { walk, helpers: measured, rounds })
        };
        let tests = || self.loops_through(resource, form.group).take(TRIED).filter_map(test);
        let was_asked = |test: &DependenceTest| self.asked.has_walk(&test.walk);
        tests().find(was_asked).or_else(|| tests().find(|test| self.is_buildable(&test.walk)))
    }

    /// What the chain of an edge takes that is no slower than instances of its form, as far as both
    /// were timed. None if it is the least that can be, from an operand: no core is known to leave
    /// that out, and on one that takes a cycle for everything this would be asked of every edge.
    fn chain_no_slower(&self, link: &Link) -> Option<Cycles> {
        let form = self.catalogue.form(link.opcode)?;
        let walk = std::slice::from_ref(link);
        let chain = self.timing_of(walk)?.fastest.each();
        let body = Experiment::Throughput(self.instances_of(form)?);
        let instances = self.knowledge().timing(&body)?.each();
        let is_certain = self.is_least(chain, link) && matches!(link.source, Site::Operand(_));
        (chain.0 <= instances.0 * (1.0 + NO_SLOWER) && !is_certain).then_some(chain)
    }

    /// Whether a chain takes the least that its link can.
    fn is_least(&self, chain: Cycles, link: &Link) -> bool {
        (chain - self.least_of(link)).0.abs() <= SATURATION
    }

    /// Loops of one or two helpers that begin and end at a resource, the fastest first.
    fn loops_through(
        &self,
        resource: ResourceId,
        group: EncodingGroup,
    ) -> impl Iterator<Item = HelperLoop> + '_ {
        let links = move |from, to| self.fastest(from, to, group).to_vec();
        let own = links(resource, resource).into_iter().map(HelperLoop::of_one);
        let others = self.helpers().reachable(resource).filter(move |&other| other != resource);
        let there_and_back = others.flat_map(move |other| {
            let (there, back) = (links(resource, other), links(other, resource));
            let pairs = move |there: Link| {
                let back = back.clone().into_iter();
                back.map(move |back| HelperLoop::of_two(there.clone(), back, resource < other))
            };
            there.into_iter().flat_map(pairs)
        });
        own.chain(there_and_back)
    }

    /// Whether a walk of an edge takes less than its helpers at the very least do: nothing waits for
    /// the source. (Zen 4's `VPCONFLICTDZ256rmb` knows without loading that equal elements are equal.)
    fn takes_less_than_helpers(&self, plan: &EdgePlan) -> bool {
        let Route::Walks(walks) = &plan.route else { return false };
        walks.iter().filter(|walk| walk.len() > 1).any(|walk| {
            let Some(timing) = self.timing_of(walk).filter(|timing| timing.is_reliable) else {
                return false;
            };
            let helpers: f64 = walk[1..].iter().map(|link| self.least_of(link).0).sum();
            timing.fastest.each().0 + SATURATION.max(helpers * ERROR) < helpers
        })
    }

    /// What is known of whether a plan's edge is a dependence.
    #[must_use]
    pub fn dependence(&self, plan: &EdgePlan) -> Dependence {
        let Some(link) = plan.route.chained_link() else {
            let absent = self.takes_less_than_helpers(plan);
            return if absent { Dependence::Absent } else { Dependence::Shown };
        };
        let Some(chain) = self.chain_no_slower(link) else { return Dependence::Shown };
        let least = self.least_of(link);
        let shown = plan.test.as_ref().and_then(|test| {
            let helpers = self.timing_of(&test.helpers)?;
            let walk = self.timing_of(&test.walk)?;
            let helpers = helpers.fastest.each() * test.rounds as f64;
            walk.is_reliable
                .then(|| Dependence::by_test(chain, walk.fastest.each(), helpers, least))
        });
        match shown.unwrap_or(Dependence::Unknown) {
            // Its chain takes the least that a dependence can.
            Dependence::Unknown if self.is_least(chain, link) => Dependence::Shown,
            known => known,
        }
    }
}

/// A loop of helpers.
struct HelperLoop {
    /// As it stands behind an edge.
    behind: Vec<Link>,
    /// As it was timed by itself.
    measured: Vec<Link>,
}

impl HelperLoop {
    fn of_one(link: Link) -> Self {
        Self { behind: vec![link.clone()], measured: vec![link] }
    }

    fn of_two(there: Link, back: Link, is_timed_so: bool) -> Self {
        let behind = vec![there.clone(), back.clone()];
        let measured = if is_timed_so { behind.clone() } else { vec![back, there] };
        Self { behind, measured }
    }
}

impl EdgePlan {
    /// The walks that say nothing of latencies, where what is known of the dependence is this: a chain
    /// that shows the throughput, and a test that only confirms the chain or shows no loop.
    #[must_use]
    pub fn walks_without_meaning(&self, dependence: Dependence) -> Vec<Vec<Link>> {
        if let (Dependence::Absent, None, Route::Walks(walks)) =
            (dependence, self.route.chained_link(), &self.route)
        {
            return walks.clone();
        }
        let direct = self.route.chained_link().map(|link| vec![link.clone()]);
        let test = self.test.as_ref().map(|test| test.walk.clone());
        let without = match dependence {
            Dependence::Shown => [None, test],
            Dependence::Faster(_) => [direct, None],
            Dependence::Absent | Dependence::Unknown => [direct, test],
        };
        without.into_iter().flatten().collect()
    }
}

/// How often a loop of helpers is gone through to take well more than twice the chain. In whole half
/// cycles, so that it is the same whenever they are timed again.
fn rounds(chain: Cycles, helpers: Cycles) -> usize {
    let halves = |cycles: Cycles| (2.0 * cycles.0).round().max(1.0);
    ((2.0 * halves(chain) + 2.0) / halves(helpers)).ceil() as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_loop_that_takes_less_than_its_helpers_is_none() {
        let by_test = |chain, test, helpers, least| {
            Dependence::by_test(Cycles(chain), Cycles(test), Cycles(helpers), Cycles(least))
        };
        // Two rounds of a cycle behind SHL64rCL, whose chain takes half of one.
        assert_eq!(by_test(0.5, 1.0, 2.0, 1.0), Dependence::Absent);
        // ADC64rr, whose instances wait for each other's flags as well.
        assert_eq!(by_test(1.0, 4.0, 3.0, 1.0), Dependence::Shown);
        // A divider that is free again after twelve cycles, with the result there after five.
        assert_eq!(by_test(12.0, 30.0, 25.0, 1.0), Dependence::Faster(Cycles(5.0)));
        // A move that is eliminated.
        assert_eq!(by_test(0.17, 2.0, 2.0, 0.0), Dependence::Shown);
        // RDSSPD without a shadow stack leaves its register as it is.
        assert_eq!(by_test(3.0, 7.0, 7.0, 1.0), Dependence::Unknown);
        // LAR16rr behind two hundred cycles, of which one in a hundred is error.
        assert_eq!(by_test(99.0, 296.0, 199.0, 1.0), Dependence::Shown);
    }
}
