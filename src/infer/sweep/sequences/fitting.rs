//! Costs that explain what loops took.

use super::dependences::{LoopDependence, dependences};
use super::keys::Keys;
use super::least_squares::{SparseMatrix, SparseRow};
use super::parameters::{Columns, CostColumn, SequenceTerms};
use super::simulation::{CriticalCycle, PlaceCosts, simulate};
use super::{CanonicalLoop, LoopInstruction, MeasuredSequence};
use crate::random;

/// A loop and who waits for whom in it.
#[derive(Debug, Clone)]
pub(super) struct TracedLoop {
    pub(super) places: Vec<usize>,
    dependences: Vec<LoopDependence>,
}

/// What a loop took.
#[derive(Debug, Clone)]
pub(super) struct Observation {
    pub(super) of: TracedLoop,
    pub(super) cycles: f64,
    uncertainty: f64,
}

impl TracedLoop {
    /// A loop of instructions that are all in the list.
    pub(super) fn new(of: &CanonicalLoop, instructions: &[LoopInstruction]) -> Self {
        Self { places: of.instructions().to_vec(), dependences: dependences(of, instructions) }
    }
}

impl Observation {
    /// Of a loop of instructions that are all in the list.
    pub(super) fn new(it: &MeasuredSequence, instructions: &[LoopInstruction]) -> Self {
        let of = TracedLoop::new(&it.instructions, instructions);
        Self { of, cycles: it.measured.cycles, uncertainty: it.measured.uncertainty }
    }

    /// Whether it has an instruction of a key.
    pub(super) fn has(&self, key: usize, keys: &Keys) -> bool {
        self.of.places.iter().any(|&place| keys.of(place) == key)
    }

    /// Differences count in shares of what a loop took.
    fn weight(&self) -> f64 {
        1.0 / self.cycles.max(LEAST_CYCLES)
    }

    /// What it took, weighted.
    fn target(&self) -> f64 {
        self.cycles * self.weight()
    }
}

/// Loops that take less do not count more: no clock says so many digits of them.
const LEAST_CYCLES: f64 = 0.1;

/// The ridge, as a share of the mean square of a column. It keeps costs that loops do not determine from
/// growing, and is too little to be seen in those that they do: with the thousandth that the specification proposes,
/// a switch that few loops have would come out too small by as much as some thousandths of itself.
const RIDGE: f64 = 1e-6;

/// So often the sums that count are asked for and fitted at most.
const MOST_ROUNDS: usize = 30;

/// The way to fitted costs is halved less often than this.
const MOST_HALVINGS: i32 = 6;

/// A fit is better if the sum of squares is less by this share.
const BETTER: f64 = 1e-4;

/// So many times the loops are measured again in thought, for the uncertainty of costs.
const REPLICAS: usize = 12;

/// Costs of keys.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Costs {
    pub(super) columns: Columns,
    pub(super) values: Vec<f64>,
}

impl Costs {
    /// All at one cycle, so that all that a loop may have to wait for counts at first.
    fn even(columns: Columns) -> Self {
        Self { columns, values: vec![1.0; columns.count()] }
    }

    /// Those of keys that were split, from those before.
    pub(super) fn inherited(&self, parents: &[usize]) -> Self {
        let columns = Columns { keys: parents.len(), ..self.columns };
        let value = |column| {
            let before = match column {
                CostColumn::Base(key) => CostColumn::Base(parents[key]),
                CostColumn::Full(key) => CostColumn::Full(parents[key]),
                CostColumn::Switch(one, other) => CostColumn::Switch(parents[one], parents[other]),
            };
            self.of(before)
        };
        Self { columns, values: columns.all().map(value).collect() }
    }

    /// Costs on the way to others, after a share of it.
    fn moved(&self, to: &[f64], share: f64) -> Self {
        let pairs = self.values.iter().zip(to);
        let values = pairs.map(|(from, to)| from + share * (to - from)).collect();
        Self { columns: self.columns, values }
    }

    /// One of them; nothing where the model has no such term.
    fn of(&self, column: CostColumn) -> f64 {
        self.columns.place(column).map_or(0.0, |place| self.values[place])
    }

    /// The cycles of a loop, and what makes them up.
    pub(super) fn simulate(&self, of: &TracedLoop, keys: &Keys) -> CriticalCycle {
        let length = of.places.len();
        let key = |place: usize| keys.of(of.places[place % length]);
        let costs = |place: usize| PlaceCosts {
            base: self.of(CostColumn::Base(key(place))),
            switch: self.of(CostColumn::Switch(key(place), key(place + 1))),
            full: self.of(CostColumn::Full(key(place))),
        };
        let places: Vec<PlaceCosts> = (0..length).map(costs).collect();
        let has_waits = self.columns.terms >= SequenceTerms::Full;
        simulate(&places, if has_waits { &of.dependences } else { &[] })
    }

    /// How often each unknown counts in the cycles of a loop.
    fn row(&self, of: &TracedLoop, keys: &Keys, cycle: &CriticalCycle) -> SparseRow {
        let length = of.places.len();
        let key = |place: usize| keys.of(of.places[place % length]);
        let mut row: SparseRow = Vec::new();
        let mut count = |column| {
            let Some(place) = self.columns.place(column) else { return };
            let share = 1.0 / cycle.rounds as f64;
            match row.iter_mut().find(|it| it.0 == place) {
                Some(known) => known.1 += share,
                None => row.push((place, share)),
            }
        };
        for &(from, hop) in &cycle.hops {
            count(CostColumn::Base(key(from)));
            if hop.waits {
                count(CostColumn::Full(key(from)));
            }
            for place in from..from + hop.distance {
                count(CostColumn::Switch(key(place), key(place + 1)));
            }
        }
        row.sort_by_key(|it| it.0);
        row
    }

    /// The rows of all loops, and their cycles in shares of what they took.
    fn trace(&self, keys: &Keys, observations: &[Observation]) -> (Vec<SparseRow>, Vec<f64>) {
        let traced = observations.iter().map(|it| {
            let cycle = self.simulate(&it.of, keys);
            (self.row(&it.of, keys, &cycle), cycle.period * it.weight())
        });
        traced.unzip()
    }
}

/// Costs fitted to loops.
#[derive(Debug, Clone)]
pub(super) struct Fit {
    pub(super) costs: Costs,
    /// The weighted sum of squared differences.
    squares: f64,
    rows: Vec<SparseRow>,
}

impl Fit {
    /// Fits costs of keys to loops, from costs that are near or from even ones.
    ///
    /// What a loop takes is the greatest of several sums of costs. Which one is asked of the simulation with the
    /// costs so far; then the costs are fitted to these sums, and both again as long as that makes loops
    /// better. As other sums may count at the new costs, only a half or less of the way there is gone where all of
    /// it makes loops worse.
    pub(super) fn new(
        keys: &Keys,
        observations: &[Observation],
        columns: Columns,
        near: Option<Costs>,
    ) -> Self {
        let start = near.unwrap_or_else(|| Costs::even(columns));
        let mut best = Self::at(start, keys, observations);
        for _ in 0..MOST_ROUNDS {
            let system = System::new(&best.rows, observations, columns);
            let values = system.solve(&system.target(observations), &best.costs.values);
            let steps = (0..MOST_HALVINGS).map(|halvings| 0.5f64.powi(halvings));
            let mut tried =
                steps.map(|step| Self::at(best.costs.moved(&values, step), keys, observations));
            let enough = best.squares * (1.0 - BETTER);
            let Some(better) = tried.find(|it| it.squares < enough) else { break };
            best = better;
        }
        best
    }

    /// Costs with what they say of loops, all multiplied by the factor that fits best.
    ///
    /// If all costs are multiplied by a factor, so are the cycles of all loops, and the same sums count. Thus the
    /// factor is that of a line through the origin, and no fit is worse than one where nothing costs anything,
    /// whatever loops take.
    fn at(mut costs: Costs, keys: &Keys, observations: &[Observation]) -> Self {
        let (rows, periods) = costs.trace(keys, observations);
        let took: Vec<f64> = observations.iter().map(Observation::target).collect();
        let pairs = || periods.iter().zip(&took);
        let square: f64 = periods.iter().map(|period| period * period).sum();
        let product: f64 = pairs().map(|(period, took)| period * took).sum();
        let factor = if square > 0.0 { product / square } else { 1.0 };
        costs.values.iter_mut().for_each(|it| *it *= factor);
        let squares = pairs().map(|(period, took)| (factor * period - took).powi(2)).sum();
        Self { costs, squares, rows }
    }

    /// Root of the mean of squared differences, in shares of what loops took.
    pub(super) fn residual(&self) -> f64 {
        (self.squares / self.rows.len().max(1) as f64).sqrt()
    }

    /// Which costs the loops determine.
    pub(super) fn determined(&self, observations: &[Observation]) -> Vec<bool> {
        System::new(&self.rows, observations, self.costs.columns).matrix.determined()
    }

    /// Standard deviations of the costs: those of fits to what the model says of the loops, off by as much
    /// as measurements are, or by as much as the model is where that is more.
    pub(super) fn uncertainties(&self, observations: &[Observation]) -> Vec<f64> {
        let system = System::new(&self.rows, observations, self.costs.columns);
        let values = &self.costs.values;
        let exact = system.matrix.times(values);
        let residual = self.residual();
        let replica = |seed: usize| {
            let noisy = exact.iter().zip(observations).enumerate().map(|(place, (exact, it))| {
                let noise = residual.max(it.uncertainty * it.weight());
                exact + noise * random::normal(place, seed as u64)
            });
            system.solve(&noisy.collect::<Vec<f64>>(), values)
        };
        let mut squares = vec![0.0; values.len()];
        for seed in 0..REPLICAS {
            let pairs = replica(seed).into_iter().zip(values);
            squares
                .iter_mut()
                .zip(pairs)
                .for_each(|(sum, (it, value))| *sum += (it - value).powi(2));
        }
        squares.into_iter().map(|sum: f64| (sum / REPLICAS as f64).sqrt()).collect()
    }
}

/// The weighted equations of loops.
struct System {
    matrix: SparseMatrix,
    ridge: f64,
}

impl System {
    fn new(rows: &[SparseRow], observations: &[Observation], columns: Columns) -> Self {
        let weights: Vec<f64> = observations.iter().map(Observation::weight).collect();
        let matrix = SparseMatrix::new(rows, &weights, columns.count());
        let ridge = RIDGE * matrix.mean_square();
        Self { matrix, ridge }
    }

    fn target(&self, observations: &[Observation]) -> Vec<f64> {
        observations.iter().map(Observation::target).collect()
    }

    fn solve(&self, target: &[f64], near: &[f64]) -> Vec<f64> {
        self.matrix.descend(target, self.ridge, near)
    }
}
