//! Machines that are known, and what is found of them.

use proptest::prelude::*;

use super::fitting::{Costs, TracedLoop};
use super::keys::Keys;
use super::parameters::{Columns, CostColumn};
use super::*;

const X: u32 = 0;
const Y: u32 = 1;
const Z: u32 = 2;

fn instruction(kinds: &[&str], reads: &[u32], writes: &[u32]) -> LoopInstruction {
    let wholes = |registers: &[u32]| registers.iter().copied().map(RegisterAccess::whole).collect();
    let kinds = kinds.iter().map(|&it| it.to_owned()).collect();
    LoopInstruction { kinds, reads: wholes(reads), writes: wholes(writes) }
}

/// The six classes of AMX instructions by their registers (the thesis, section 6.4): `x * y`, `x + z`, `y + z`,
/// `x * y + z`, extraction to `x` and to `y`.
pub(super) fn matrix_classes() -> [LoopInstruction; 6] {
    [
        instruction(&["product"], &[X, Y], &[Z]),
        instruction(&["sum of x"], &[X, Z], &[Z]),
        instruction(&["sum of y"], &[Y, Z], &[Z]),
        instruction(&["product and sum"], &[X, Y, Z], &[Z]),
        instruction(&["to x"], &[Z], &[X]),
        instruction(&["to y"], &[Z], &[Y]),
    ]
}

/// A machine with its true keys and costs.
struct SyntheticMachine {
    instructions: Vec<LoopInstruction>,
    keys: Keys,
    costs: Costs,
}

/// A share of noise (one standard deviation).
const NOISE: f64 = 0.002;

impl SyntheticMachine {
    /// What one of so many loops of a length take, with noise.
    fn measure(&self, length: usize, one_in: u64) -> Vec<MeasuredSequence> {
        let all = CanonicalLoop::all(self.instructions.len(), length).into_iter().enumerate();
        let some = all.filter(|(place, _)| random::is_chosen(*place, one_in, 5));
        some.map(|(place, instructions)| {
            let of = TracedLoop::new(&instructions, &self.instructions);
            let exact = self.costs.simulate(&of, &self.keys).period;
            let noise = NOISE * random::normal(place, length as u64);
            let measured = Measured { cycles: exact * (1.0 + noise), uncertainty: exact * NOISE };
            MeasuredSequence { instructions, measured }
        })
        .collect()
    }

    /// A true cost, by the names of keys.
    fn cost(&self, cost: &SequenceCost) -> f64 {
        let key = |name: &String| {
            (0..self.keys.count()).find(|&key| self.keys.name(key) == *name).unwrap()
        };
        let column = match cost {
            SequenceCost::Base(it) => CostColumn::Base(key(it)),
            SequenceCost::Full(it) => CostColumn::Full(key(it)),
            SequenceCost::Switch(one, other) => CostColumn::Switch(key(one), key(other)),
        };
        self.costs.values[self.costs.columns.place(column).unwrap()]
    }
}

/// Costs of so many keys in three groups, between which going over costs much.
fn random_costs(keys: usize, seed: u64) -> Costs {
    let columns = Columns { keys, terms: SequenceTerms::Full };
    let value = |(place, column): (usize, CostColumn)| {
        let random = random::share(place, seed);
        match column {
            CostColumn::Base(_) => 1.0 + 3.0 * random,
            CostColumn::Full(_) => 2.0 + 8.0 * random,
            CostColumn::Switch(one, other) if one % 3 == other % 3 => 1.0 + random,
            CostColumn::Switch(..) => 4.0 + 6.0 * random,
        }
    };
    let values = columns.all().enumerate().map(value).collect();
    Costs { columns, values }
}

/// Instructions of so many keys; each key has instructions of all these classes.
fn machine(keys: usize, classes: impl Fn(usize) -> Vec<usize>, seed: u64) -> SyntheticMachine {
    let all = matrix_classes();
    let of_key = |key: usize| {
        let classes = classes(key);
        classes
            .into_iter()
            .map(|class| {
                let kinds = vec![format!("key {key}")];
                LoopInstruction { kinds, ..all[class].clone() }
            })
            .collect::<Vec<_>>()
    };
    let instructions: Vec<LoopInstruction> = (0..keys).flat_map(of_key).collect();
    let costs = random_costs(keys, seed);
    let keys = Keys::coarsest(&instructions);
    SyntheticMachine { instructions, keys, costs }
}

fn fit(
    machine: &SyntheticMachine,
    loops: &[MeasuredSequence],
    terms: SequenceTerms,
) -> SequenceModel {
    SequenceModel::fit(&machine.instructions, loops, terms).unwrap()
}

/// How far costs that loops determine are off, as shares, the worst first.
fn offs<'a>(
    machine: &SyntheticMachine,
    model: &'a SequenceModel,
) -> Vec<(f64, &'a SequenceParameter)> {
    let known = model.parameters().iter().filter(|it| it.is_identified);
    let mut offs: Vec<_> =
        known.map(|it| ((it.cycles / machine.cost(&it.cost) - 1.0).abs(), it)).collect();
    offs.sort_by(|a, b| b.0.total_cmp(&a.0));
    offs
}

/// Forty keys, most of computations of all kinds and some of extractions, in 140 instructions: 9,870 loops of
/// two.
fn forty_keys() -> SyntheticMachine {
    machine(40, |key| if key % 4 == 3 { vec![4, 5] } else { vec![0, 1, 2, 3] }, 1)
}

#[test]
fn forty_keys_are_found_again() {
    let machine = forty_keys();
    let three = machine.measure(3, 50);
    let (some, left) = three.split_at(three.len() / 3);
    let learned = [&machine.measure(1, 1), &machine.measure(2, 1), some].concat();
    assert_eq!(learned.len() - some.len(), 140 + 9870);
    let model = fit(&machine, &learned, SequenceTerms::Full);
    let offs = offs(&machine, &model);
    assert_eq!((offs.len(), model.parameters().len()), (860, 860), "40 + 40 + 780, all identified");
    assert!(offs[0].0 < 0.02, "{:?}", offs[0]);
    assert!(offs[offs.len() / 2].0 < 0.002, "{:?}", offs[offs.len() / 2]);
    assert!((model.residual() / NOISE - 1.0).abs() < 0.1, "{}", model.residual());
    let errors = PredictionErrors::by_length(&model, left)[&3];
    assert!(errors.loops > 10_000 && errors.within[2] >= 0.95, "{errors}");
    assert!(errors.within[0] > 0.99 && errors.mean_percent < 0.2, "{errors}");
    // Two standard deviations hold for 95 of a hundred.
    let is_stated =
        |it: &&(f64, &SequenceParameter)| it.0 * machine.cost(&it.1.cost) < 2.0 * it.1.uncertainty;
    let stated = offs.iter().filter(is_stated).count() as f64 / 860.0;
    assert!((0.88..0.99).contains(&stated), "{stated}");
}

/// Each key is an instruction of its own: then all loops with a product also have one that reads it, except
/// those of products only, so that waiting for it and going over to it are told apart nowhere.
#[test]
fn what_loops_do_not_determine_is_said() {
    let machine = machine(24, |key| vec![key % 6], 2);
    let all = [machine.measure(1, 1), machine.measure(2, 1), machine.measure(3, 1)].concat();
    assert_eq!(all.len(), 24 + 300 + 4624);
    let (learned, left) = hold_out(&all, 1);
    let model = fit(&machine, &learned, SequenceTerms::Full);
    let is_product =
        |key: &str| key.strip_prefix("key ").unwrap().parse::<usize>().unwrap() % 6 == 0;
    for it in model.parameters() {
        let is_open = match &it.cost {
            SequenceCost::Base(_) => false,
            SequenceCost::Full(key) => is_product(key),
            SequenceCost::Switch(one, other) => is_product(one) != is_product(other),
        };
        assert_eq!(it.is_identified, !is_open, "{it:?}");
    }
    for (off, it) in offs(&machine, &model) {
        let off = off * machine.cost(&it.cost);
        assert!(off < 0.02 * it.cycles || off < 4.0 * it.uncertainty, "{it:?} is off by {off}");
    }
    // Loops are predicted for all that.
    for errors in PredictionErrors::by_length(&model, &left).values() {
        assert!(errors.within[0] > 0.99, "{errors}");
    }
}

#[test]
fn each_term_makes_the_model_better() {
    let machine = machine(12, |key| vec![key % 6], 3);
    let all = [machine.measure(1, 1), machine.measure(2, 1), machine.measure(3, 1)].concat();
    let (learned, left) = hold_out(&all, 2);
    let terms = [SequenceTerms::Base, SequenceTerms::Switch, SequenceTerms::Full];
    let off = terms.map(|terms| {
        let model = fit(&machine, &learned, terms);
        PredictionErrors::by_length(&model, &left)[&3].mean_percent
    });
    assert!(off[0] > 10.0 && off[0] > 2.0 * off[1] && off[1] > 5.0 * off[2], "{off:?}");
}

/// Four kinds of three widths and four modes; what the first costs depends on the width, what the second costs on
/// both.
fn of_widths_and_modes() -> SyntheticMachine {
    let classes = matrix_classes();
    let kinds = |place: usize| ["a", "b", "c", "d"][place / 12].to_owned();
    let width = |place: usize| format!("{} bits", 16 << (place / 4 % 3));
    let instruction = |place: usize| LoopInstruction {
        kinds: vec![kinds(place), width(place), format!("mode {}", place % 4)],
        ..classes[place % 4].clone()
    };
    let instructions: Vec<LoopInstruction> = (0..48).map(instruction).collect();
    let by_width = &Keys::coarsest(&instructions).splits(0, &instructions)[0];
    let of_b = (0..by_width.count()).find(|&key| by_width.name(key) == "b").unwrap();
    let keys = by_width.splits(of_b, &instructions)[1].clone();
    let costs = random_costs(keys.count(), 4);
    SyntheticMachine { instructions, keys, costs }
}

#[test]
fn keys_are_split_where_the_machine_has_several() {
    let machine = of_widths_and_modes();
    assert_eq!(machine.keys.count(), 3 + 12 + 2);
    let loops = [machine.measure(1, 1), machine.measure(2, 1), machine.measure(3, 15)].concat();
    let model = fit(&machine, &loops, SequenceTerms::Full);
    for place in 0..machine.instructions.len() {
        assert_eq!(model.key(place), Some(machine.keys.name(machine.keys.of(place))));
    }
    assert_eq!(model.key(48), None);
    let off = model.residual() / NOISE;
    assert!((0.9..1.1).contains(&off), "{off}");
}

#[test]
fn it_is_said_in_a_line() {
    let [product, _, _, sum, ..] = matrix_classes();
    let loops = [(vec![0], 2.0), (vec![1], 5.0), (vec![0, 1], 11.0), (vec![0, 0, 1], 13.0)];
    let measured = |cycles| Measured { cycles, uncertainty: 0.001 };
    let loops = loops.map(|(of, cycles)| MeasuredSequence {
        instructions: CanonicalLoop::new(&of).unwrap(),
        measured: measured(cycles),
    });
    let instructions = [product, sum];
    let model = SequenceModel::fit(&instructions, &loops, SequenceTerms::Full).unwrap();
    assert_eq!(
        model.to_string(),
        "2 keys of 2 instructions; at most, in cycles: 2.00 for issuing product; 0.00 % off"
    );
    let long = CanonicalLoop::new(&[0, 0, 0, 1]).unwrap();
    assert!((model.predict(&long).unwrap() - 15.0).abs() < 0.01);
    assert_eq!(model.predict(&CanonicalLoop::new(&[2]).unwrap()), None);
}

#[test]
fn what_cannot_be_fitted_is_said() {
    let instructions = &matrix_classes()[..2];
    let of = |place: usize, cycles: f64| MeasuredSequence {
        instructions: CanonicalLoop::new(&[place]).unwrap(),
        measured: Measured { cycles, uncertainty: 0.0 },
    };
    let error = |instructions: &[LoopInstruction], loops: &[MeasuredSequence]| {
        SequenceModel::fit(instructions, loops, SequenceTerms::Full).unwrap_err().to_string()
    };
    assert_eq!(error(instructions, &[]), "no loop was measured: a model needs some");
    let unknown = "loop 2 has an instruction that is not among the 2 that it is made of";
    assert_eq!(error(instructions, &[of(2, 1.0)]), unknown);
    let nothing = "loop 1 took 0 cycles: leave out what could not be measured";
    assert_eq!(error(instructions, &[of(1, 0.0)]), nothing);
    assert!(error(instructions, &[of(1, f64::NAN)]).contains("NaN"));
    let bare = LoopInstruction { kinds: vec![], ..instructions[0].clone() };
    assert_eq!(error(&[bare], &[of(0, 1.0)]), "instruction 0 is of no kind: say at least one");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]
    /// Loops of a machine that is nothing like the model.
    #[test]
    fn whatever_loops_take_costs_are_costs(cycles in proptest::collection::vec(0.05f64..50.0, 6 + 21 + 76)) {
        let all = (1..=3).flat_map(|length| CanonicalLoop::all(6, length));
        let loops: Vec<MeasuredSequence> = all.zip(cycles).map(|(instructions, cycles)| {
            MeasuredSequence { instructions, measured: Measured { cycles, uncertainty: 0.1 } }
        }).collect();
        prop_assert_eq!(loops.len(), 103);
        let model = SequenceModel::fit(&matrix_classes(), &loops, SequenceTerms::Full).unwrap();
        // (Nothing costs is a model, too, which is off by all that loops take.)
        prop_assert!(model.residual() < 1.0, "{}", model);
        for it in model.parameters() {
            prop_assert!(it.cycles >= 0.0 && it.cycles.is_finite() && it.uncertainty.is_finite());
        }
    }
}
