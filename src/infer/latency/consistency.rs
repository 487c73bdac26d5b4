//! Loops that cannot all be right, and what rests on them.
//!
//! **Givens.** Checks: sums of loop totals that should be zero. **Wanted.** Conflicts, each with the
//! loops that may be to blame.
//!
//! A check fails when its sum is further from zero than the errors of its loops explain. Suppose that
//! one loop alone is wrong, by e. Then every check that contains it f times is off by f * e, give or
//! take the errors.
//!
//! Two rules find the suspects of a failed check:
//! 1. A passed check bounds the error of each of its loops. A loop is cleared if it would have to be
//!    more wrong than that to explain the failure.
//! 2. Where the failed check has large errors the first rule clears nobody. A long loop that is wrong
//!    (the chain through the mask of `VDIVPDZ128rrkz`, which the divider holds up) would then make
//!    suspects of helpers that thousands of checks confirm. So of the loops that remain only those are
//!    suspects whose checks fail about as often as those of the worst one.

use std::collections::BTreeSet;

use super::form::Form;
use super::network::Network;
use super::solution::Solution;
use super::{Conflict, ConflictKind, EdgeId, LoopId, ROUNDING};
use crate::units::Cycles;

/// Conflicts found so far and what they leave in doubt.
#[derive(Debug)]
pub(super) struct Suspicions {
    pub conflicts: Vec<Conflict>,
    suspect: Vec<bool>,
    contested: Vec<bool>,
}

impl Suspicions {
    /// Whether a loop may be wrong.
    pub fn is_suspect(&self, walk: usize) -> bool {
        self.suspect[walk]
    }

    /// Whether a figure rests on a loop that may be wrong.
    pub fn doubts(&self, form: &Form) -> bool {
        form.terms().iter().any(|(walk, _)| self.suspect[*walk])
    }

    /// Whether an edge's minimum or its c may be wrong.
    pub fn is_contested(&self, edge: usize) -> bool {
        self.contested[edge]
    }

    pub fn contest(&mut self, edge: usize) {
        self.contested[edge] = true;
    }

    /// Edges whose measured sum, `form`, is by `amount` less than their minima.
    pub fn too_fast(&mut self, network: &Network, edges: &[usize], form: &Form, amount: f64) {
        let edges: BTreeSet<usize> = edges.iter().copied().collect();
        for edge in &edges {
            self.contested[*edge] = true;
        }
        let loops: Vec<LoopId> = form.loops().collect();
        self.conflicts.push(Conflict {
            kind: ConflictKind::BelowMinimum,
            suspects: loops.clone(),
            loops,
            edges: edges.into_iter().map(|edge| network.id(edge)).collect(),
            amount: Cycles(amount),
            uncertainty: Cycles(form.uncertainty(network)),
        });
    }

    /// Two sums that should be the same and are not.
    pub fn contradiction(&mut self, network: &Network, suspects: Vec<LoopId>, check: &Form) {
        for suspect in &suspects {
            self.suspect[suspect.0] = true;
        }
        self.conflicts.push(Conflict {
            kind: ConflictKind::Contradiction,
            loops: check.loops().collect(),
            edges: edges_of(network, &suspects),
            suspects,
            amount: Cycles(check.value(network).abs()),
            uncertainty: Cycles(check.uncertainty(network)),
        });
    }
}

/// Checks all loops that were not needed, and all loops against their minima.
pub(super) fn examine(network: &Network, solution: &Solution) -> Suspicions {
    let mut evidence = Suspicions {
        conflicts: Vec::new(),
        suspect: vec![false; network.loops.len()],
        contested: vec![false; network.edges.len()],
    };
    for (check, suspects) in failures(network, solution) {
        evidence.contradiction(network, suspects, &check);
    }
    check_minima(network, &mut evidence);
    contest_what_rests_on_suspects(network, solution, &mut evidence);
    evidence
}

/// The slower loop of each pair that alone is suspect of a failed check. Other instructions can hold a
/// chain up, but nothing makes it faster than its edges. (Zen 4, the mask of `VSQRTPDZ128rk`: beside
/// one helper it takes 20 or 21 cycles, depending on the state of the divider; beside another one
/// always 20.)
pub(super) fn slower_of_two(network: &Network, solution: &Solution) -> BTreeSet<usize> {
    let slower = failures(network, solution).into_iter().filter_map(|(check, suspects)| {
        let [one, other] = suspects[..] else { return None };
        // What adds to the amount by which the check is off.
        let adds = |suspect: LoopId| {
            let term = check.terms().iter().find(|(walk, _)| *walk == suspect.0);
            term.is_some_and(|(_, factor)| factor * check.value(network) > 0.0)
        };
        match (adds(one), adds(other)) {
            (true, false) => Some(one.0),
            (false, true) => Some(other.0),
            _ => None,
        }
    });
    slower.collect()
}

/// The checks that fail, each with the loops that may be to blame.
fn failures(network: &Network, solution: &Solution) -> Vec<(Form, Vec<LoopId>)> {
    let checks = solution.resolved(network).map(|walk| solution.remainder(network, walk));
    let checks = checks.filter(|check| !check.is_zero()).chain(solution.leftover_checks.clone());
    let (passed, failed): (Vec<Form>, Vec<Form>) =
        checks.partition(|check| excess(network, check) <= 0.0);
    let records = records(network, &passed, &failed);
    let with_suspects = |check: Form| {
        let suspects = suspects(network, &check, &records);
        (check, suspects)
    };
    failed.into_iter().map(with_suspects).collect()
}

/// By how much a check is off beyond the errors of its loops.
fn excess(network: &Network, check: &Form) -> f64 {
    check.value(network).abs() - check.uncertainty(network) - ROUNDING
}

/// What the checks say of one loop.
#[derive(Debug, Clone, Copy)]
struct CheckRecord {
    /// The largest error that it can have alone and still pass the checks that passed.
    largest_error: f64,
    passed: u32,
    failed: u32,
}

impl CheckRecord {
    /// The share of its checks that fail.
    fn failures(self) -> f64 {
        f64::from(self.failed) / f64::from((self.passed + self.failed).max(1))
    }
}

fn records(network: &Network, passed: &[Form], failed: &[Form]) -> Vec<CheckRecord> {
    let clean = CheckRecord { largest_error: f64::INFINITY, passed: 0, failed: 0 };
    let mut records = vec![clean; network.loops.len()];
    for check in passed {
        let room = check.value(network).abs() + check.uncertainty(network);
        for (walk, factor) in check.terms() {
            let record = &mut records[*walk];
            record.largest_error = record.largest_error.min(room / factor.abs());
            record.passed += 1;
        }
    }
    for (walk, _) in failed.iter().flat_map(Form::terms) {
        records[*walk].failed += 1;
    }
    records
}

/// A loop is no suspect if the share of its checks that fail is less than this part of the share of the
/// most dubious loop in the failed check.
const CONFIRMED: f64 = 0.5;

fn suspects(network: &Network, check: &Form, records: &[CheckRecord]) -> Vec<LoopId> {
    let unexplained = excess(network, check);
    let may_be_wrong = |&&(walk, factor): &&(usize, f64)| {
        records[walk].largest_error * factor.abs() >= unexplained
    };
    let mut suspects: Vec<usize> =
        check.terms().iter().filter(may_be_wrong).map(|(walk, _)| *walk).collect();
    if suspects.is_empty() {
        // All are cleared: more than one loop is wrong, and it may be any of them.
        suspects = check.terms().iter().map(|(walk, _)| *walk).collect();
    }
    let failures = |walk: usize| records[walk].failures();
    let most = suspects.iter().copied().map(failures).fold(0.0, f64::max);
    suspects.retain(|&walk| failures(walk) >= CONFIRMED * most);
    suspects.into_iter().map(LoopId).collect()
}

fn edges_of(network: &Network, loops: &[LoopId]) -> Vec<EdgeId> {
    let edges = loops.iter().flat_map(|walk| &network.loops[walk.0].passes);
    let edges: BTreeSet<EdgeId> = edges.map(|(edge, _)| network.id(*edge)).collect();
    edges.into_iter().collect()
}

fn check_minima(network: &Network, evidence: &mut Suspicions) {
    for (index, walk) in network.loops.iter().enumerate() {
        let least: f64 =
            walk.passes.iter().map(|(edge, count)| count * network.minimum(*edge)).sum();
        let missing = least - walk.total;
        if missing > walk.uncertainty + ROUNDING {
            let edges: Vec<usize> = walk.passes.iter().map(|(edge, _)| *edge).collect();
            evidence.too_fast(network, &edges, &Form::total_of(index), missing);
        }
    }
}

fn contest_what_rests_on_suspects(
    network: &Network,
    solution: &Solution,
    evidence: &mut Suspicions,
) {
    for edge in 0..network.edges.len() {
        if solution.known(edge).is_some_and(|known| evidence.doubts(&known.form)) {
            evidence.contest(edge);
        }
    }
}
