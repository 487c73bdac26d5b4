//! Instructions into operations: what a machine makes of a loop.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use super::decoded::Decoded;
use super::file::{ConflictingOperands, OverlapEntry};
use super::machine::{DescribedLevel, FormTiming, ScoreboardMachine, SharedUnit};
use super::operation::{CYCLE, Crossing, Operation, OperationResult, Ticks, UnitShape, UnitUse};
use super::run::{Period, run_loop};
use super::standstill::{StandstillFacts, StateSide};
use crate::form::Part;

/// Under what a loop runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Circumstances {
    /// Threads that run the same loop at once.
    pub threads: u32,
    /// All cores at work, those of other kinds too.
    pub cores: u32,
    /// Bytes that each of them goes through, again and again.
    pub working_set: u64,
    /// Whether loads wait for the store before them.
    pub loads_wait: bool,
}

/// An instruction of a loop is none that the machine describes.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the machine does not describe {0}, and has no default")]
pub struct Undescribed(pub String);

/// Units are told apart by this.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum UnitKey {
    /// Of the machine's list.
    Described(usize),
    /// Of the list too, and of a bank of registers.
    Bank(usize, u32),
    /// A form's own.
    Own(String),
    /// What brings bytes from memory.
    Loads,
    /// What takes them there.
    Stores,
}

impl ScoreboardMachine {
    /// How a loop runs once it repeats itself.
    ///
    /// # Errors
    /// When the machine does not describe one of its instructions.
    pub fn run(
        &self,
        body: &[Arc<Decoded>],
        circumstances: Circumstances,
    ) -> Result<Period, Undescribed> {
        let mut program = Program {
            machine: self,
            circumstances,
            pieces: HashMap::new(),
            units: HashMap::new(),
            shapes: Vec::new(),
        };
        let mut operations: Vec<Operation> =
            body.iter().map(|decoded| program.operation(decoded)).collect::<Result<_, _>>()?;
        let mut facts = Vec::with_capacity(body.len());
        for decoded in body {
            facts.push(self.facts(decoded)?);
        }
        for wait in self.rules.waits(&facts) {
            let Some(unit) = wait.occupies else { continue };
            let busy = wait.ticks * program.sharers(self.units[unit].shared_by);
            let unit = program.unit(UnitKey::Described(unit), self.units[unit].shape);
            let units = &mut operations[wait.at].units;
            match units.iter_mut().find(|it| it.unit == unit) {
                Some(used) => used.busy += busy,
                None => units.push(UnitUse { unit, busy }),
            }
        }
        let period = run_loop(&operations, &program.shapes, self.front);
        let standstill = self.rules.of_iteration(&facts) * period.iterations;
        Ok(Period { ticks: period.ticks + standstill, ..period })
    }

    /// Whether it describes all instructions of a loop.
    ///
    /// # Errors
    /// When it does not.
    pub fn covers(&self, body: &[Arc<Decoded>]) -> Result<(), Undescribed> {
        body.iter().try_for_each(|decoded| self.timing(decoded).map(drop))
    }

    /// What an instruction takes; nothing but its place if it is a branch that no entry names.
    fn timing(&self, decoded: &Decoded) -> Result<Option<&FormTiming>, Undescribed> {
        let named = self.forms.iter().find(|(it, _)| it.match_name(&decoded.name, &decoded.base));
        match named.map(|(_, timing)| timing) {
            None if decoded.branches => Ok(None),
            named => named
                .or(self.default.as_ref())
                .map(Some)
                .ok_or_else(|| Undescribed(decoded.name.clone())),
        }
    }

    fn facts(&self, decoded: &Decoded) -> Result<StandstillFacts, Undescribed> {
        let registers = self.conflicts.iter().map(|(names, operands)| {
            names.match_name(&decoded.name, &decoded.base).then(|| match operands {
                ConflictingOperands::Destinations => decoded.destinations.clone(),
                ConflictingOperands::Sources => decoded.sources.clone(),
            })
        });
        Ok(StandstillFacts {
            key: self.timing(decoded)?.and_then(|timing| timing.key),
            registers: registers.collect(),
            crossings: (0..self.states.len()).map(|state| self.side(state, decoded)).collect(),
        })
    }

    fn side(&self, state: usize, decoded: &Decoded) -> Option<StateSide> {
        let (name, base) = (&decoded.name, &decoded.base);
        let state = &self.states[state];
        // `smstop` is a variant of the form that enters.
        if name != base && state.leave.match_own_name(name) {
            return Some(StateSide::Leaves);
        }
        let enters = state.enter.match_name(name, base).then_some(StateSide::Enters);
        enters.or_else(|| state.leave.match_name(name, base).then_some(StateSide::Leaves))
    }

    /// What it does to the first state that takes its time beside other work.
    fn crossing(&self, decoded: &Decoded) -> Option<Crossing> {
        self.states.iter().enumerate().find_map(|(number, state)| {
            let OverlapEntry { whole, leaving, refills } = state.overlap?;
            let (whole, leaving) = (whole.0, leaving.0);
            Some(match self.side(number, decoded)? {
                StateSide::Enters => Crossing::Enter { whole, leaving, refills },
                StateSide::Leaves => Crossing::Leave { leaving },
            })
        })
    }

    /// The level that holds what each thread goes through: whoever goes through more than a level
    /// holds finds nothing of it there when it comes round again.
    fn level(&self, circumstances: Circumstances) -> Option<&DescribedLevel> {
        let Circumstances { threads, working_set, .. } = circumstances;
        let needed = |level: &DescribedLevel| {
            working_set.saturating_mul(threads.min(level.shared_by).into())
        };
        self.levels.iter().find(|level| level.size.is_none_or(|size| needed(level) <= size))
    }
}

/// A loop that is being translated.
struct Program<'a> {
    machine: &'a ScoreboardMachine,
    circumstances: Circumstances,
    pieces: HashMap<Part, usize>,
    units: HashMap<UnitKey, usize>,
    shapes: Vec<UnitShape>,
}

impl Program<'_> {
    fn operation(&mut self, decoded: &Decoded) -> Result<Operation, Undescribed> {
        let timing = self.machine.timing(decoded)?;
        let inputs = decoded.inputs.iter().map(|input| self.pieces(&input.parts, true)).collect();
        let latency = |output: usize, input: Option<usize>| {
            let to = &decoded.outputs[output].site;
            let from = input.map(|input| &decoded.inputs[input].site);
            timing.map_or(0, |timing| timing.latency(from, to))
        };
        let results = (0..decoded.outputs.len())
            .map(|output| OperationResult {
                pieces: self.pieces(&decoded.outputs[output].parts, false),
                after: (0..decoded.inputs.len())
                    .map(|input| {
                        let is_unrelated = decoded.unrelated.contains(&(input, output));
                        (!is_unrelated).then(|| latency(output, Some(input)))
                    })
                    .collect(),
                alone: latency(output, None),
            })
            .collect();
        Ok(Operation {
            inputs,
            results,
            units: self.unit_uses(decoded, timing),
            serializes: decoded.serializes,
            crossing: self.machine.crossing(decoded),
        })
    }

    /// Numbers of pieces of machine state. Cells of memory count where loads wait for them.
    fn pieces(&mut self, parts: &[Part], is_read: bool) -> Vec<usize> {
        let waits = self.circumstances.loads_wait;
        let counts = |part: &&Part| waits || !is_read || !matches!(part, Part::Cell(_));
        let number = |part: &Part| {
            let next = self.pieces.len();
            *self.pieces.entry(*part).or_insert(next)
        };
        parts.iter().filter(counts).map(number).collect()
    }

    fn unit_uses(&mut self, decoded: &Decoded, timing: Option<&FormTiming>) -> Vec<UnitUse> {
        let machine = self.machine;
        let mut uses = Vec::new();
        for &(unit, busy) in timing.iter().flat_map(|timing| &timing.units) {
            let shared = &machine.units[unit];
            let busy = self.core_cycles(shared, busy) * self.sharers(shared.shared_by);
            let keys = match shared.bank {
                None => BTreeSet::from([UnitKey::Described(unit)]),
                Some(size) => {
                    let banks = decoded.destinations.iter().map(|number| number / size);
                    banks.map(|bank| UnitKey::Bank(unit, bank)).collect()
                }
            };
            for key in keys {
                uses.push(UnitUse { unit: self.unit(key, shared.shape), busy });
            }
        }
        const ONE: UnitShape = UnitShape { count: 1, in_order: false };
        if let Some(busy) = timing.and_then(|timing| timing.interval) {
            uses.push(UnitUse { unit: self.unit(UnitKey::Own(decoded.name.clone()), ONE), busy });
        }
        if let Some(level) = machine.level(self.circumstances) {
            let sharers = self.sharers(level.shared_by);
            for (bytes, rate, key) in [
                (decoded.loaded, level.load, UnitKey::Loads),
                (decoded.stored, level.store, UnitKey::Stores),
            ] {
                let Some(bytes) = bytes.filter(|&bytes| bytes > 0) else { continue };
                let busy = (f64::from(bytes) * CYCLE as f64 / rate).round() as Ticks * sharers;
                uses.push(UnitUse { unit: self.unit(key, ONE), busy });
            }
        }
        uses
    }

    /// Of threads that all want the same, each gets its share: to it a unit is busy so many times
    /// as long.
    fn sharers(&self, shared_by: u32) -> Ticks {
        self.circumstances.threads.min(shared_by).max(1).into()
    }

    /// Cycles of a unit's clock in those of the core.
    fn core_cycles(&self, unit: &SharedUnit, busy: Ticks) -> Ticks {
        let cores = self.circumstances.cores;
        let own = unit.frequencies.as_ref().map(|own| own.with(cores));
        match own.zip(self.machine.clock.frequency(cores)) {
            Some((own, core)) => (busy as f64 * core.get() / own.get()).round() as Ticks,
            None => busy,
        }
    }

    fn unit(&mut self, key: UnitKey, shape: UnitShape) -> usize {
        let shapes = &mut self.shapes;
        *self.units.entry(key).or_insert_with(|| {
            shapes.push(shape);
            shapes.len() - 1
        })
    }
}
