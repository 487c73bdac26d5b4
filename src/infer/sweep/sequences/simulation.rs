//! What a round of a loop takes when its instructions issue in order.

use super::dependences::LoopDependence;

/// What an instruction at a place of a loop costs, in cycles.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct PlaceCosts {
    /// Issuing it.
    pub(super) base: f64,
    /// Going over to the next.
    pub(super) switch: f64,
    /// What one that reads its result waits for besides.
    pub(super) full: f64,
}

/// Why an instruction starts when it does: an earlier one has to be done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Hop {
    /// How many places earlier.
    pub(super) distance: usize,
    /// Whether its result is waited for.
    pub(super) waits: bool,
}

/// The reasons that, one after the other, make up the time of a round.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct CriticalCycle {
    /// Cycles of a round of the loop.
    pub(super) period: f64,
    /// Places from which a hop starts, with the hop.
    pub(super) hops: Vec<(usize, Hop)>,
    /// Rounds that the hops span.
    pub(super) rounds: usize,
}

/// Starts that differ by less are at once.
const AT_ONCE: f64 = 1e-9;

/// Rounds after which a loop that is not steady has two cycles of reasons that take almost the same.
const MOST_ROUNDS: usize = 200;

/// Runs a loop until it is steady.
///
/// Each instruction starts when the one before it has issued and the core has gone over from it, and when
/// what it reads is there: `Base` and `Full` of the writer after that one's start, and all switches between
/// (the thesis, section 6.5). The starts are steady once those of a round are those of an earlier round and
/// the same number of cycles for all; that may take several rounds, as a cycle of dependences may go round several
/// times.
pub(super) fn simulate(places: &[PlaceCosts], dependences: &[LoopDependence]) -> CriticalCycle {
    let reasons = Reasons::new(places, dependences);
    let length = places.len();
    let mut starts = Starts { times: vec![0.0], hops: vec![None] };
    let mut left = MOST_ROUNDS;
    let mut is_steady = false;
    while left > 0 {
        for _ in 0..length {
            starts.issue(&reasons);
        }
        left -= 1;
        if !is_steady && starts.are_steady(length) {
            is_steady = true;
            // Going back so far meets a place in the same round of the pattern again.
            left = left.min(length * length);
        }
    }
    starts.critical_cycle(length)
}

/// For each place what it may wait for, with the cycles from the start of the one to that of the other.
struct Reasons(Vec<Vec<(Hop, f64)>>);

impl Reasons {
    fn new(places: &[PlaceCosts], dependences: &[LoopDependence]) -> Self {
        let length = places.len();
        let cycles = |place: usize, hop: Hop| {
            let first = place + length - hop.distance;
            let switches: f64 = (first..place + length).map(|it| places[it % length].switch).sum();
            let writer = places[first % length];
            writer.base + switches + if hop.waits { writer.full } else { 0.0 }
        };
        let of_place = |place: usize| {
            let read = dependences.iter().filter(|it| it.reader == place);
            let waits = read.map(|it| Hop { distance: it.distance, waits: true });
            let issues = Hop { distance: 1, waits: false };
            waits.chain([issues]).map(|hop| (hop, cycles(place, hop))).collect()
        };
        Self((0..length).map(of_place).collect())
    }
}

/// When instructions start, and why; the first starts at zero.
struct Starts {
    times: Vec<f64>,
    hops: Vec<Option<Hop>>,
}

impl Starts {
    /// The next instruction starts. Of reasons that hold at once the first counts.
    fn issue(&mut self, reasons: &Reasons) {
        let now = self.times.len();
        let mut last: Option<(f64, Hop)> = None;
        for (hop, cycles) in &reasons.0[now % reasons.0.len()] {
            // (In the first round some results are there from the beginning.)
            let Some(from) = now.checked_sub(hop.distance) else { continue };
            let time = self.times[from] + cycles;
            if last.is_none_or(|(latest, _)| time > latest + AT_ONCE) {
                last = Some((time, *hop));
            }
        }
        self.times.push(last.map_or(0.0, |(time, _)| time));
        self.hops.push(last.map(|(_, hop)| hop));
    }

    /// Whether the last round is an earlier one, later by as much at all places.
    fn are_steady(&self, length: usize) -> bool {
        (1..=length).any(|rounds| {
            let count = self.times.len();
            let Some(first) = count.checked_sub((rounds + 1) * length) else { return false };
            let apart = |place: usize| {
                self.times[first + rounds * length + place] - self.times[first + place]
            };
            (1..length).all(|place| (apart(place) - apart(0)).abs() < AT_ONCE)
        })
    }

    /// Goes back from the last start, reason by reason, for the slowest cycle among those that it meets.
    fn critical_cycle(&self, length: usize) -> CriticalCycle {
        let mut visited: Vec<usize> = vec![self.times.len() - 1];
        let mut slowest: Option<(f64, usize, usize)> = None;
        while let Some(hop) = self.hops[visited[visited.len() - 1]] {
            let now = visited[visited.len() - 1] - hop.distance;
            for (place, &later) in visited.iter().enumerate() {
                let apart = later - now;
                if !apart.is_multiple_of(length) {
                    continue;
                }
                let period = (self.times[later] - self.times[now]) / (apart / length) as f64;
                if slowest.is_none_or(|(most, ..)| period > most + AT_ONCE) {
                    slowest = Some((period, place, visited.len()));
                }
            }
            visited.push(now);
            if visited.len() > 2 * length * length {
                break;
            }
        }
        let (period, from, to) = slowest.expect("a loop that ran for some rounds goes round");
        let path = &visited[from..=to];
        let hops = path[..path.len() - 1].iter().zip(&path[1..]);
        let hops = hops.filter_map(|(&later, &now)| Some((now % length, self.hops[later]?)));
        let rounds = (path[0] - path[path.len() - 1]) / length;
        CriticalCycle { period, hops: hops.collect(), rounds }
    }
}

#[cfg(test)]
mod tests {
    use super::super::synthetic::matrix_classes;
    use super::super::{CanonicalLoop, dependences::dependences};
    use super::*;
    use crate::random;

    fn costs(all: &[(f64, f64, f64)]) -> Vec<PlaceCosts> {
        all.iter().map(|&(base, switch, full)| PlaceCosts { base, switch, full }).collect()
    }

    fn waits(all: &[(usize, usize)]) -> Vec<LoopDependence> {
        all.iter().map(|&(reader, distance)| LoopDependence { reader, distance }).collect()
    }

    #[test]
    fn loops_counted_by_hand() {
        let period = |places: &[_], reads: &[_]| simulate(&costs(places), &waits(reads)).period;
        // One instruction: it issues; or it waits for itself.
        assert_eq!(period(&[(1.0, 0.0, 3.0)], &[]), 1.0);
        assert_eq!(period(&[(1.0, 0.0, 3.0)], &[(0, 1)]), 4.0);
        // Two: 1 + 2 to issue, 2 * 5 to go over; 3 to wait for the first, 4 for the second.
        let two = [(1.0, 5.0, 3.0), (2.0, 5.0, 4.0)];
        assert_eq!(period(&two, &[]), 13.0);
        assert_eq!(period(&two, &[(1, 1)]), 16.0);
        assert_eq!(period(&two, &[(1, 1), (0, 1)]), 20.0);
        // The first waits for itself only, while the second issues: 1 + 3 + 10 against 13.
        assert_eq!(period(&two, &[(0, 2)]), 14.0);
        // Three: the third waits for the first, 1 + 9, over the second, which has issued after 1 + 2.
        let three = [(1.0, 0.0, 9.0), (2.0, 0.0, 0.0), (4.0, 0.0, 0.0)];
        assert_eq!(period(&three, &[(2, 2)]), 14.0);
        assert_eq!(period(&three, &[]), 7.0);
    }

    /// Each of three waits for the one before the last: that chain goes round twice before it comes
    /// back, 3 * (1 + 9) in two rounds.
    #[test]
    fn a_chain_may_go_round_twice() {
        let cycle = simulate(&costs(&[(1.0, 0.0, 9.0); 3]), &waits(&[(0, 2), (1, 2), (2, 2)]));
        assert!((cycle.period - 15.0).abs() < 1e-9, "{cycle:?}");
        assert_eq!((cycle.rounds, cycle.hops.len()), (2, 3));
    }

    /// Two cycles that take almost the same are never told apart; either is right.
    #[test]
    fn almost_equal_cycles_end() {
        let near = [(1.0, 0.0, 1.000_001), (1.0, 0.0, 0.0)];
        let cycle = simulate(&costs(&near), &waits(&[(0, 2)]));
        assert!((cycle.period - 2.000_001).abs() < 1e-5, "{cycle:?}");
    }

    /// The thesis's formula for loops of two, for each pair of its classes and any costs.
    #[test]
    fn two_instructions_take_what_the_formula_says() {
        let classes = matrix_classes();
        for (place, of) in CanonicalLoop::all(classes.len(), 2).iter().enumerate() {
            let &[a, b] = of.instructions() else { panic!("a loop of two") };
            for round in 0..300 {
                let cost = |it: usize| 20.0 * random::share(5 * round + it, place as u64);
                let switch = if a == b { 0.0 } else { cost(4) };
                let full = if a == b { cost(2) } else { cost(3) };
                let base = if a == b { cost(0) } else { cost(1) };
                let places = costs(&[(cost(0), switch, cost(2)), (base, switch, full)]);
                let waits = dependences(of, &classes);
                let is_next = |reader| waits.contains(&LoopDependence { reader, distance: 1 });
                let first = if is_next(1) { cost(2) } else { 0.0 };
                let second = if is_next(0) { full } else { 0.0 };
                let formula = cost(0) + base + 2.0 * switch + first + second;
                let cycle = simulate(&places, &waits);
                assert!((cycle.period - formula).abs() < 1e-7, "{of}: {cycle:?}, {formula}");
            }
        }
    }
}
