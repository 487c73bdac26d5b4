//! The inferred interval holds the truth, and none could be tighter.

use proptest::prelude::*;
use winic::infer::latency::{
    Bounds, ConflictKind, EdgeId, EdgeLatency, Inference, InvalidInput, LatencyEdge, Limit, LoopId,
    MeasuredLoop, NodeId, infer,
};
use winic::units::Cycles;

use crate::cases;
use crate::random::{Drawn, Random};
use crate::world::World;

/// What arithmetic may cost.
const ROUNDING: f64 = 1e-6;

fn run(world: &World, loops: &[MeasuredLoop]) -> Inference {
    infer(&world.edges, loops).expect("the world's loops are closed")
}

fn bounds_of<'a>(world: &World, inference: &'a Inference, edge: usize) -> Option<&'a Bounds> {
    inference.of(world.edges[edge].id).expect("every edge has a finding").bounds.as_ref()
}

fn holds(bounds: &Bounds, latency: f64) -> bool {
    bounds.interval.contains(Cycles(latency), Cycles(bounds.uncertainty.0 + ROUNDING))
}

/// A world with every edge measured and more loops at random.
fn determined(seed: u64, resources: usize, extra: usize, more: usize) -> (World, Random) {
    let mut random = Random::new(seed);
    let mut world = World::new(resources, extra, &mut random);
    world.measure_every_edge();
    world.wander(more, &mut random);
    random.shuffle(&mut world.walks);
    if random.below(2) == 0 {
        world.tell(&mut random);
    }
    (world, random)
}

/// Which edges the loops tie together: the finest parts into which the space of the loops' equations
/// splits, found as the connected supports of its reduced echelon form. Potentials of different
/// parts are independent. Returns a label for each edge.
fn classes(world: &World) -> Vec<usize> {
    let count = world.edges.len();
    let mut rows: Vec<Vec<f64>> = Vec::new();
    let mut pivots: Vec<usize> = Vec::new();
    for walk in &world.walks {
        let mut row = vec![0.0; count];
        walk.iter().for_each(|edge| row[*edge] += 1.0);
        for (pivot, other) in pivots.iter().zip(&rows) {
            subtract(&mut row, *pivot, other);
        }
        let larger = |a: &usize, b: &usize| row[*a].abs().total_cmp(&row[*b].abs());
        let pivot = (0..count).max_by(larger).expect("a world has edges");
        if row[pivot].abs() < ROUNDING {
            continue;
        }
        let scale = row[pivot];
        row.iter_mut().for_each(|factor| *factor /= scale);
        rows.iter_mut().for_each(|other| subtract(other, pivot, &row));
        rows.push(row);
        pivots.push(pivot);
    }
    let mut label: Vec<usize> = (0..count).collect();
    for row in &rows {
        let members: Vec<usize> = (0..count).filter(|edge| row[*edge].abs() > ROUNDING).collect();
        for pair in members.windows(2) {
            let (old, new) = (label[pair[0]], label[pair[1]]);
            label.iter_mut().filter(|label| **label == old).for_each(|label| *label = new);
        }
    }
    label
}

/// Takes away as much of another row as removes its pivot from this one.
fn subtract(row: &mut [f64], pivot: usize, other: &[f64]) {
    let factor = row[pivot];
    row.iter_mut().zip(other).for_each(|(to, from)| *to -= factor * from);
}

/// How far p(a) - p(b) can rise above the truth within one class: Floyd and Warshall over slack.
fn distances(world: &World, members: &[usize]) -> Vec<Vec<f64>> {
    let n = world.resources();
    let mut distance = vec![vec![f64::INFINITY; n]; n];
    (0..n).for_each(|resource| distance[resource][resource] = 0.0);
    for edge in members {
        let (from, to) = world.ends(*edge);
        let slack = world.truth[*edge] - world.edges[*edge].minimum.0;
        distance[from][to] = distance[from][to].min(slack);
        if let Some(maximum) = world.edges[*edge].maximum {
            distance[to][from] = distance[to][from].min(maximum.0 - world.truth[*edge]);
        }
    }
    for via in 0..n {
        for from in 0..n {
            for to in 0..n {
                let length = distance[from][via] + distance[via][to];
                distance[from][to] = distance[from][to].min(length);
            }
        }
    }
    distance
}

/// The truth with the potentials of one class raised by the distances to a resource.
fn shifted(world: &World, members: &[usize], distance: &[Vec<f64>], to: usize) -> Vec<f64> {
    let mut latencies = world.truth.clone();
    for edge in members {
        let (from, end) = world.ends(*edge);
        latencies[*edge] += distance[end][to] - distance[from][to];
    }
    latencies
}

/// Whether latencies satisfy all loops, minima and maxima.
fn is_feasible(world: &World, latencies: &[f64]) -> bool {
    let same = |walk: &Vec<usize>| {
        (World::sum(walk, latencies) - World::sum(walk, &world.truth)).abs() < ROUNDING
    };
    let between = |(edge, latency): (&LatencyEdge, &f64)| {
        let is_below = |maximum: Cycles| *latency <= maximum.0 + ROUNDING;
        *latency >= edge.minimum.0 - ROUNDING && edge.maximum.is_none_or(is_below)
    };
    world.walks.iter().all(same) && world.edges.iter().zip(latencies).all(between)
}

proptest! {
    #![proptest_config(cases(1000))]

    #[test]
    fn both_ends_are_attained(
        seed: u64, resources in 1..9_usize, extra in 1..25_usize, more in 0..20_usize,
    ) {
        let (world, mut random) = determined(seed, resources, extra, more);
        let inference = run(&world, &world.measured(0.0, &mut random));
        prop_assert_eq!(&inference.conflicts, &[]);
        prop_assert_eq!(&inference.unresolved, &[]);
        let classes = classes(&world);
        for edge in 0..world.edges.len() {
            let members: Vec<usize> = (0..world.edges.len())
                .filter(|other| classes[*other] == classes[edge])
                .collect();
            let distance = distances(&world, &members);
            let (from, to) = world.ends(edge);
            let bounds = bounds_of(&world, &inference, edge).expect("every edge is measured");
            prop_assert!(bounds.tightest);
            prop_assert!(holds(bounds, world.truth[edge]));
            // q = D(., u) raises x to its upper end, q = D(., v) lowers it to its lower one.
            for (end, towards) in [(bounds.interval.upper(), from), (bounds.interval.lower(), to)] {
                let extreme = shifted(&world, &members, &distance, towards);
                prop_assert!(is_feasible(&world, &extreme));
                if from != to {
                    prop_assert!((extreme[edge] - end.0).abs() < ROUNDING, "{} {:?}", extreme[edge], bounds);
                }
            }
        }
    }

    #[test]
    fn the_truth_is_inside_whatever_the_loops(
        seed: u64, resources in 1..9_usize, extra in 1..25_usize, loops in 0..60_usize,
        uncertainty in prop_oneof![Just(0.0), 0.001..0.2_f64],
    ) {
        let mut random = Random::new(seed);
        let mut world = World::new(resources, extra, &mut random);
        world.wander(loops, &mut random);
        let inference = run(&world, &world.measured(uncertainty, &mut random));
        prop_assert_eq!(&inference.conflicts, &[]);
        for edge in 0..world.edges.len() {
            let passed = world.walks.iter().any(|walk| walk.contains(&edge));
            let bounds = bounds_of(&world, &inference, edge);
            prop_assert_eq!(bounds.is_some(), passed);
            if let Some(bounds) = bounds {
                prop_assert!(holds(bounds, world.truth[edge]), "{} {bounds:?}", world.truth[edge]);
            }
        }
    }

    #[test]
    fn errors_within_the_uncertainty_stay_inside(
        seed: u64, resources in 1..9_usize, extra in 1..25_usize, more in 0..40_usize,
        uncertainty in 0.001..0.3_f64,
    ) {
        let (world, mut random) = determined(seed, resources, extra, more);
        let inference = run(&world, &world.measured(uncertainty, &mut random));
        prop_assert_eq!(&inference.conflicts, &[]);
        for edge in 0..world.edges.len() {
            let bounds = bounds_of(&world, &inference, edge).expect("every edge is measured");
            prop_assert!(holds(bounds, world.truth[edge]), "{} {bounds:?}", world.truth[edge]);
        }
    }

    #[test]
    fn names_and_order_do_not_matter(
        seed: u64, resources in 1..9_usize, extra in 1..25_usize, more in 0..20_usize,
    ) {
        let (world, mut random) = determined(seed, resources, extra, more);
        let mut other = world.clone();
        let mut names: Vec<u32> = (0..world.edges.len() as u32).collect();
        random.shuffle(&mut names);
        other.rename(&names);
        random.shuffle(&mut other.walks);
        let inference = run(&world, &world.measured(0.0, &mut random));
        let renamed = run(&other, &other.measured(0.0, &mut random));
        for edge in 0..world.edges.len() {
            let bounds = bounds_of(&world, &inference, edge).expect("every edge is measured");
            let same = bounds_of(&other, &renamed, edge).expect("every edge is measured");
            prop_assert!((bounds.interval.lower() - same.interval.lower()).0.abs() < ROUNDING);
            prop_assert!((bounds.interval.upper() - same.interval.upper()).0.abs() < ROUNDING);
        }
        let mut reversed = world.clone();
        reversed.edges.reverse();
        let loops = world.measured(0.1, &mut random);
        prop_assert_eq!(run(&world, &loops), run(&reversed, &loops));
    }

    #[test]
    fn more_loops_never_widen(
        seed: u64, resources in 1..9_usize, extra in 1..25_usize, more in 0..20_usize, share in 0.0..1.0_f64,
    ) {
        let (world, mut random) = determined(seed, resources, extra, more);
        let loops = world.measured(0.0, &mut random);
        let some = run(&world, &loops[..(share * loops.len() as f64) as usize]);
        let all = run(&world, &loops);
        for edge in 0..world.edges.len() {
            let Some(before) = bounds_of(&world, &some, edge) else { continue };
            let after = bounds_of(&world, &all, edge).expect("every edge is measured");
            prop_assert!(after.interval.lower().0 >= before.interval.lower().0 - ROUNDING);
            prop_assert!(after.interval.upper().0 <= before.interval.upper().0 + ROUNDING);
        }
    }

    #[test]
    fn a_wrong_loop_is_named_and_nothing_uncontested_is_wrong(
        seed: u64, resources in 1..9_usize, extra in 1..25_usize, more in 0..10_usize,
        error in prop_oneof![-5.0..-0.5_f64, 0.5..5.0_f64],
    ) {
        let (mut world, mut random) = determined(seed, resources, extra, more);
        // Redundancy: every loop is measured twice.
        world.walks.extend(world.walks.clone());
        let mut loops = world.measured(0.01, &mut random);
        let wrong = random.below(loops.len());
        loops[wrong].total = Cycles(loops[wrong].total.0 + error);
        let inference = run(&world, &loops);
        let named = inference.conflicts.iter().any(|conflict| {
            conflict.suspects.contains(&LoopId(wrong)) && conflict.amount.0 > conflict.uncertainty.0
        });
        prop_assert!(named, "{:?}", inference.conflicts);
        for edge in 0..world.edges.len() {
            let finding = inference.of(world.edges[edge].id).unwrap();
            let bounds = finding.bounds.as_ref().expect("every edge is measured");
            prop_assert!(finding.contested || holds(bounds, world.truth[edge]), "{finding:?}");
        }
    }
}

const GENERAL: NodeId = NodeId(0);
const VECTOR: NodeId = NodeId(1);
const MASK: NodeId = NodeId(2);

fn edge(id: u32, from: NodeId, to: NodeId) -> LatencyEdge {
    LatencyEdge { id: EdgeId(id), from, to, minimum: Cycles(1.0), maximum: None }
}

fn measured(edges: &[u32], total: f64) -> MeasuredLoop {
    let edges = edges.iter().copied().map(EdgeId).collect();
    MeasuredLoop { edges, total: Cycles(total), uncertainty: Cycles(0.02) }
}

fn interval(inference: &Inference, edge: u32) -> String {
    inference.of(EdgeId(edge)).unwrap().bounds.as_ref().unwrap().interval.to_string()
}

fn bounds(inference: &Inference, edge: u32) -> &Bounds {
    inference.of(EdgeId(edge)).unwrap().bounds.as_ref().unwrap()
}

#[test]
fn a_round_trip_is_divided_by_minima_only() {
    let edges = [edge(0, GENERAL, VECTOR), edge(1, VECTOR, GENERAL)];
    let inference = infer(&edges, &[measured(&[0, 1], 4.0)]).unwrap();
    assert_eq!(interval(&inference, 0), "[1.00;3.00]");
    let bounds = bounds(&inference, 1);
    assert_eq!(bounds.lower_limit, Limit::Own);
    assert_eq!(bounds.upper_limit, Limit::Chain(vec![EdgeId(0)]));
    // The lower end is certain, the upper one as good as the loop.
    assert!((bounds.uncertainty.0 - 0.02).abs() < 1e-9);
}

#[test]
fn a_round_of_as_many_cycles_as_edges_is_exact() {
    let edges = [
        edge(0, GENERAL, VECTOR),
        edge(1, VECTOR, MASK),
        edge(2, MASK, GENERAL),
        edge(3, GENERAL, MASK),
    ];
    let loops = [measured(&[0, 1, 2], 2.99), measured(&[3, 2], 5.0)];
    let inference = infer(&edges, &loops).unwrap();
    assert_eq!(inference.conflicts, []);
    for (id, expected) in [(0, 1.0), (1, 1.0), (2, 1.0), (3, 4.0)] {
        let bounds = bounds(&inference, id);
        assert!(bounds.interval.width().0 < 1e-9, "{bounds:?}");
        assert!(bounds.interval.contains(Cycles(expected), bounds.uncertainty), "{bounds:?}");
    }
}

#[test]
fn a_second_helper_narrows_the_first() {
    let edges = [
        edge(0, GENERAL, VECTOR),
        edge(1, VECTOR, GENERAL),
        edge(2, VECTOR, GENERAL),
        edge(3, GENERAL, VECTOR),
    ];
    let loops = [measured(&[0, 1], 6.0), measured(&[0, 2], 4.0), measured(&[3, 1], 5.0)];
    let inference = infer(&edges, &loops).unwrap();
    // 3 is a cycle faster than 0, and 2 is two faster than 1: 0 is at least 2 and at most 3.
    assert_eq!(interval(&inference, 0), "[2.00;3.00]");
    assert_eq!(interval(&inference, 1), "[3.00;4.00]");
    let bounds = bounds(&inference, 0);
    assert_eq!(bounds.lower_limit, Limit::Chain(vec![EdgeId(3)]));
    assert_eq!(bounds.upper_limit, Limit::Chain(vec![EdgeId(2)]));
}

#[test]
fn loops_without_a_common_edge_are_independent() {
    let edges = [
        edge(0, GENERAL, VECTOR),
        edge(1, VECTOR, GENERAL),
        edge(2, GENERAL, VECTOR),
        edge(3, VECTOR, GENERAL),
    ];
    let inference = infer(&edges, &[measured(&[0, 1], 2.0), measured(&[2, 3], 12.0)]).unwrap();
    assert_eq!(interval(&inference, 1), "[1.00;1.00]");
    assert_eq!(interval(&inference, 2), "[1.00;11.00]");
    assert!(bounds(&inference, 2).tightest);
}

#[test]
fn what_propagation_cannot_is_solved_simultaneously() {
    let edges = [edge(0, GENERAL, GENERAL), edge(1, GENERAL, GENERAL)];
    let loops = [measured(&[0, 0, 1], 8.0), measured(&[0, 1, 1], 7.0)];
    let inference = infer(&edges, &loops).unwrap();
    assert_eq!(interval(&inference, 0), "[3.00;3.00]");
    assert_eq!(interval(&inference, 1), "[2.00;2.00]");
    assert!(inference.unresolved.is_empty());
}

#[test]
fn what_no_loop_determines_is_enclosed_and_what_none_passes_is_not_measured() {
    let edges = [edge(0, GENERAL, GENERAL), edge(1, GENERAL, GENERAL), edge(2, GENERAL, VECTOR)];
    let inference = infer(&edges, &[measured(&[0, 1], 7.0)]).unwrap();
    assert_eq!(interval(&inference, 0), "[1.00;6.00]");
    assert_eq!(bounds(&inference, 0).upper_limit, Limit::Loop(LoopId(0)));
    assert!(!bounds(&inference, 0).tightest);
    assert_eq!(inference.unresolved, [LoopId(0)]);
    assert_eq!(inference.of(EdgeId(2)).unwrap().bounds, None);
}

#[test]
fn undetermined_loops_that_disagree_are_a_contradiction() {
    let edges = [edge(0, GENERAL, GENERAL), edge(1, GENERAL, GENERAL)];
    let loops = [measured(&[0, 1], 7.0), measured(&[1, 0], 9.0)];
    let inference = infer(&edges, &loops).unwrap();
    assert_eq!(inference.conflicts.len(), 1);
    assert_eq!(inference.conflicts[0].suspects, [LoopId(0), LoopId(1)]);
    assert!(inference.edges.iter().all(|latency| latency.contested));
}

#[test]
fn a_contradiction_names_its_loops_and_spares_the_rest() {
    let edges = [
        edge(0, GENERAL, VECTOR),
        edge(1, VECTOR, GENERAL),
        edge(2, GENERAL, VECTOR),
        edge(3, VECTOR, GENERAL),
    ];
    let loops = [
        measured(&[0, 1], 4.0),
        measured(&[0, 1], 4.01),
        measured(&[0, 3], 5.0),
        measured(&[0, 3], 5.01),
        measured(&[2, 1], 6.0),
        measured(&[2, 3], 7.8),
    ];
    let inference = infer(&edges, &loops).unwrap();
    assert_eq!(inference.conflicts.len(), 1);
    let conflict = &inference.conflicts[0];
    assert_eq!(conflict.kind, ConflictKind::Contradiction);
    assert_eq!(conflict.suspects, [LoopId(4), LoopId(5)]);
    assert!((conflict.amount.0 - 0.8).abs() < 0.03, "{conflict:?}");
    let contested: Vec<u32> =
        inference.edges.iter().filter(|edge| edge.contested).map(|edge| edge.edge.0).collect();
    assert_eq!(contested, [2]);
}

/// A chain that something crosses may look certain all the same.
#[test]
fn of_two_loops_that_disagree_the_faster_counts() {
    let edges = [0, 1, 2, 3].map(|id| edge(id, GENERAL, GENERAL));
    let slower = MeasuredLoop { uncertainty: Cycles(0.0), ..measured(&[3, 1], 22.0) };
    let of_one = [measured(&[3, 0], 21.0), slower];
    let [faster, slower] = of_one.clone();
    for of_one in [of_one, [slower, faster]] {
        let helpers = [measured(&[0], 1.0), measured(&[1], 1.0)];
        let confirming = [measured(&[2, 0], 4.0), measured(&[2, 1], 4.0)];
        let inference = infer(&edges, &[&helpers[..], &confirming, &of_one].concat()).unwrap();
        assert_eq!(inference.conflicts.len(), 1);
        assert_eq!(inference.conflicts[0].suspects, [LoopId(4), LoopId(5)]);
        assert_eq!(interval(&inference, 3), "[20.00;20.00]");
        let contested = inference.edges.iter().filter(|edge| edge.contested);
        assert_eq!(contested.map(|edge| edge.edge.0).collect::<Vec<_>>(), [3]);
    }
}

/// A long chain whose own error is large leaves little of its contradiction unexplained: by so
/// little the helpers' loops could be wrong, too, had not every other form confirmed them.
#[test]
fn what_many_checks_confirm_is_not_suspected_with_one_long_loop() {
    let there = |id| edge(id, GENERAL, VECTOR);
    let mut edges = vec![edge(0, VECTOR, GENERAL), edge(1, VECTOR, GENERAL)];
    edges.extend((2..12).map(there));
    let mut loops: Vec<MeasuredLoop> =
        (2..11).flat_map(|id| [measured(&[id, 0], 4.0), measured(&[id, 1], 5.0)]).collect();
    let long = loops.len();
    for (back, total) in [(0, 17.0), (1, 17.03)] {
        loops.push(MeasuredLoop { uncertainty: Cycles(0.45), ..measured(&[11, back], total) });
    }
    let inference = infer(&edges, &loops).unwrap();
    assert_eq!(inference.conflicts.len(), 1);
    let conflict = &inference.conflicts[0];
    assert!(conflict.amount.0 - conflict.uncertainty.0 < 0.04, "helpers' loops could be so wrong");
    assert_eq!(conflict.suspects, [LoopId(long), LoopId(long + 1)]);
    let contested: Vec<u32> =
        inference.edges.iter().filter(|edge| edge.contested).map(|edge| edge.edge.0).collect();
    assert_eq!(contested, [11]);
}

#[test]
fn a_loop_below_its_minima_is_a_conflict() {
    let edges = [edge(0, GENERAL, VECTOR), edge(1, VECTOR, GENERAL)];
    let inference = infer(&edges, &[measured(&[0, 1], 1.5)]).unwrap();
    assert_eq!(inference.conflicts[0].kind, ConflictKind::BelowMinimum);
    assert_eq!(inference.conflicts[0].edges, [EdgeId(0), EdgeId(1)]);
    assert!((inference.conflicts[0].amount.0 - 0.5).abs() < 1e-9);
    assert!(inference.edges.iter().all(|latency| latency.contested));
}

#[test]
fn a_negative_cycle_over_several_loops_is_a_conflict() {
    let edges = [
        edge(0, GENERAL, VECTOR),
        edge(1, VECTOR, GENERAL),
        edge(2, GENERAL, VECTOR),
        edge(3, VECTOR, GENERAL),
    ];
    // 2 + 3 = 3 + 3 - 5 = 1, though no loop has been measured below its minima.
    let loops = [measured(&[0, 1], 5.0), measured(&[0, 3], 3.0), measured(&[2, 1], 3.0)];
    let inference = infer(&edges, &loops).unwrap();
    assert_eq!(inference.conflicts.len(), 1);
    let conflict = &inference.conflicts[0];
    assert_eq!(conflict.kind, ConflictKind::BelowMinimum);
    assert_eq!(conflict.edges, [EdgeId(2), EdgeId(3)]);
    assert_eq!(conflict.loops, [LoopId(0), LoopId(1), LoopId(2)]);
    assert!((conflict.amount.0 - 1.0).abs() < 1e-9);
}

#[test]
fn what_is_not_a_closed_walk_is_refused() {
    let edges = [edge(0, GENERAL, VECTOR), edge(1, VECTOR, GENERAL)];
    let refused = |loops: &[MeasuredLoop]| infer(&edges, loops).unwrap_err();
    assert_eq!(refused(&[measured(&[], 1.0)]), InvalidInput::EmptyLoop(LoopId(0)));
    let open = InvalidInput::NotClosed { named: LoopId(0), edge: EdgeId(0) };
    assert_eq!(refused(&[measured(&[0], 1.0)]), open);
    let unknown = InvalidInput::UnknownEdge { named: LoopId(0), edge: EdgeId(7) };
    assert_eq!(refused(&[measured(&[0, 7], 1.0)]), unknown);
    assert_eq!(refused(&[measured(&[0, 1], f64::NAN)]), InvalidInput::InvalidTotal(LoopId(0)));
    let twice = infer(&[edges[0], edges[0]], &[]).unwrap_err();
    assert_eq!(twice, InvalidInput::DuplicateEdge(EdgeId(0)));
}

/// The size of a whole instruction set: `cargo test --release -- --ignored --nocapture whole`
#[test]
#[ignore = "prints figures"]
fn a_whole_instruction_set() {
    for (uncertainty, wrong) in [(0.0, 0), (0.03, 0), (0.03, 200)] {
        let (world, mut random) = determined(1, 60, 29_882, 10_000);
        let mut loops = world.measured(uncertainty, &mut random);
        for _ in 0..wrong {
            let place = random.below(loops.len());
            loops[place].total = Cycles(loops[place].total.0 + 1.0);
        }
        let begin = std::time::Instant::now();
        let inference = run(&world, &loops);
        println!(
            "{} edges, {} loops, uncertainty {uncertainty}, {wrong} wrong: {:?}, {} conflicts, {} contested",
            world.edges.len(),
            loops.len(),
            begin.elapsed(),
            inference.conflicts.len(),
            inference.edges.iter().filter(|edge| edge.contested).count(),
        );
    }
}

/// The same with a block of its own for each two edges, and some that nothing determines.
#[test]
#[ignore = "prints figures"]
fn a_whole_set_of_blocks() {
    let ends = |id: u32| (NodeId(id / 2 % 7), NodeId(7 + id / 2 % 11));
    let edges: Vec<LatencyEdge> = (0..30_000)
        .map(|id| {
            let (from, to) = ends(id);
            if id % 2 == 0 { edge(id, from, to) } else { edge(id, to, from) }
        })
        .collect();
    let mut loops: Vec<MeasuredLoop> =
        (0..15_000).map(|pair| measured(&[2 * pair, 2 * pair + 1], 5.0)).collect();
    // Every 77th pair has the same ends, so that four edges in turn are a closed walk too.
    loops.extend((0..300).map(|pair| {
        let other = pair + 77 * 100;
        measured(&[2 * pair, 2 * other + 1, 2 * pair + 154, 2 * other + 155], 10.0)
    }));
    let begin = std::time::Instant::now();
    let inference = infer(&edges, &loops).unwrap();
    let is_tightest =
        |latency: &&EdgeLatency| latency.bounds.as_ref().is_some_and(|bounds| bounds.tightest);
    println!(
        "{} loops: {:?}, {} unresolved, {} tightest",
        loops.len(),
        begin.elapsed(),
        inference.unresolved.len(),
        inference.edges.iter().filter(is_tightest).count(),
    );
}
