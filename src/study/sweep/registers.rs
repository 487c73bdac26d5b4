//! Registers: whether it matters which two of them stand at an operand in turn.
//!
//! Instances of a form are independent but for one operand, at which two registers take turns: every
//! pair of them. Cores whose register files have banks take longer where both are in one. Where the ISA says
//! that registers form blocks (rows of AMX's Z), blocks take turns, and within each its registers. Source:
//! `amx-thesis`, section 6 (banks of Z rows); the study of SME's tiles on M4.

use std::collections::BTreeMap;

use super::point::GridFinding;
use super::{name, without};
use crate::catalogue::Catalogue;
use crate::database::{Coordinate, Sweep, SweepKind, Update};
use crate::experiment::Experiment;
use crate::form::{InstructionForm, Site};
use crate::infer::Knowledge;
use crate::infer::sweep::{ConflictClass, Measured};
use crate::kernel::{Alternating, Registers, ThroughputBody};
use crate::metadata::{OpcodeId, RegisterId};
use crate::study::{Answers, Known, Question, Study, site};

/// What is asked.
pub static QUESTION: Question = Question {
    mode: "SWEEP-registers",
    key: SweepKind::Registers.name(),
    counted: "forms have a table of registers",
    is_of_forms: true,
    forms: |_| Vec::new(),
    ask: |catalogue, subjects, grid| {
        Box::new(RegisterStudy { catalogue, subjects, operand: grid.operand })
    },
    failed: |subject, _| Update { subject, ..Update::default() },
};

/// Instances in a body, at least.
const INSTANCES: u32 = 96;

struct RegisterStudy<'a> {
    catalogue: &'a Catalogue,
    subjects: &'a [OpcodeId],
    /// As databases count operands.
    operand: Option<usize>,
}

/// Two registers at their places in the list of all.
type Pair = ([usize; 2], [RegisterId; 2]);

impl RegisterStudy<'_> {
    fn forms(&self) -> impl Iterator<Item = &InstructionForm> {
        self.subjects.iter().filter_map(|&opcode| self.catalogue.form(opcode))
    }

    /// LLVM's index of the operand of a form at which registers take turns: the one that was asked for,
    /// or the first that is written.
    fn operand(&self, form: &InstructionForm) -> Result<usize, String> {
        let is_register = |index: &usize| {
            let is_data = form.address_part(Site::Operand(*index)).is_none();
            is_data && form.class_of(*index).is_some() && form.operands[*index].tied_to.is_none()
        };
        let mut operands = (0..form.operands.len()).filter(is_register);
        match self.operand {
            None => operands
                .find(|&index| form.operands[index].write)
                .ok_or_else(|| "it writes to no register that could be chosen".to_owned()),
            Some(asked) => {
                let named = |index: &usize| self.named(form, *index);
                let asked = asked.to_string();
                operands.find(|index| named(index) == asked).ok_or_else(|| {
                    format!("its operand {asked} is no register that could be chosen")
                })
            }
        }
    }

    /// An operand as databases name it.
    fn named(&self, form: &InstructionForm, operand: usize) -> String {
        site(Site::Operand(operand), form, &self.catalogue.set)
    }

    /// Each two registers of an operand, in either order one and the same.
    fn pairs(&self, form: &InstructionForm, operand: usize) -> Vec<Pair> {
        let class = form.class_of(operand);
        let registers = class.map(|class| self.catalogue.allocatable(class)).unwrap_or_default();
        let registers = self.blocks(registers);
        let places = 0..registers.len();
        let pairs =
            places.flat_map(|first| (first..registers.len()).map(move |second| [first, second]));
        pairs.map(|pair| (pair, pair.map(|place| registers[place]))).collect()
    }

    /// The first of each block, where registers form blocks; else all.
    fn blocks(&self, registers: &[RegisterId]) -> Vec<RegisterId> {
        let mut blocks: BTreeMap<u32, RegisterId> = BTreeMap::new();
        for &register in registers {
            let Some(block) = self.catalogue.isa.block(register) else { return registers.to_vec() };
            blocks.entry(block).or_insert(register);
        }
        blocks.into_values().collect()
    }

    /// What a point says of a register: its block, if it has one.
    fn coordinate(&self, register: RegisterId) -> Coordinate {
        match self.catalogue.isa.block(register) {
            Some(block) => block.into(),
            None => Coordinate::Word(self.catalogue.set.register(register).name.clone()),
        }
    }

    fn experiment(
        &self,
        form: &InstructionForm,
        operand: usize,
        registers: [RegisterId; 2],
        known: Known,
    ) -> Experiment {
        let instances = known.instances_if_slow(form.opcode).unwrap_or(INSTANCES).max(2);
        let registers = Registers::Alternating(Alternating { operand, registers });
        let plain = ThroughputBody::plain(form.opcode, instances);
        Experiment::Throughput(ThroughputBody { registers, ..plain })
    }

    fn sweep(&self, form: &InstructionForm, known: Known) -> Option<Sweep> {
        let operand = match self.operand(form) {
            Ok(operand) => operand,
            Err(reason) => return Some(without(SweepKind::Registers, form, &reason)),
        };
        let pairs = self.pairs(form, operand);
        let found: Vec<(Pair, GridFinding)> = pairs
            .into_iter()
            .map(|pair| {
                let asked = [self.experiment(form, operand, pair.1, known)];
                (pair, GridFinding::fastest(known.knowledge, &known.trust, &asked))
            })
            // (What the loop keeps for itself has no kernel.)
            .filter(|(_, found)| !matches!(found, GridFinding::Without(_)))
            .collect();
        let points = found.iter().filter_map(|((_, [first, second]), found)| {
            found.at(vec![self.coordinate(*first), self.coordinate(*second)])
        });
        let points: Vec<_> = points.collect();
        if points.is_empty() {
            return None;
        }
        let measured = found.iter().filter_map(|((places, _), found)| {
            let (cycles, uncertainty) = found.reliable()?;
            Some((*places, Measured { cycles, uncertainty }))
        });
        let is_of_blocks =
            found.iter().any(|((_, [it, _]), _)| self.catalogue.isa.block(*it).is_some());
        let of_blocks = if is_of_blocks { ", by blocks" } else { "" };
        let class = ConflictClass::fit(&measured.collect::<Vec<_>>());
        Some(Sweep {
            kind: SweepKind::Registers,
            forms: vec![name(self.catalogue, form.opcode)],
            setting: Some(format!("operand {}{of_blocks}", self.named(form, operand))),
            axes: vec!["first".to_owned(), "second".to_owned()],
            points,
            residual: class.as_ref().map(|class| class.residual),
            finding: class.as_ref().map(ToString::to_string),
            ..Sweep::default()
        })
    }
}

impl Study for RegisterStudy<'_> {
    fn next(&self, knowledge: &Knowledge) -> Vec<Experiment> {
        let known = Known::of(self.catalogue, knowledge);
        let asked = self.forms().filter_map(|form| {
            let operand = self.operand(form).ok()?;
            let pairs = self.pairs(form, operand).into_iter();
            Some(pairs.map(move |(_, pair)| self.experiment(form, operand, pair, known)))
        });
        asked.flatten().collect()
    }

    fn conclude(&self, knowledge: &Knowledge) -> Answers {
        let known = Known::of(self.catalogue, knowledge);
        let sweeps = self.forms().filter_map(|form| self.sweep(form, known));
        Answers { sweeps: sweeps.collect(), ..Answers::default() }
    }

    fn kernels(&self, knowledge: &Knowledge) -> Vec<(String, Experiment)> {
        let known = Known::of(self.catalogue, knowledge);
        let register = |register| self.catalogue.set.register(register).name.clone();
        let kernels = self.forms().filter_map(|form| {
            let operand = self.operand(form).ok()?;
            let kernel = move |(_, [first, second]): Pair| {
                let name = format!("{}_{}_{}", form.name, register(first), register(second));
                (name, self.experiment(form, operand, [first, second], known))
            };
            Some(self.pairs(form, operand).into_iter().map(kernel))
        });
        kernels.flatten().collect()
    }
}
