//! Bodies for throughput: as many independent instances as the registers allow.
//!
//! What a form reads and writes unnamed makes a chain of its instances; *breakers*, instructions
//! that write the register without reading anything that changes, cut it every few instances.

use serde::{Deserialize, Serialize};

use super::content::{Content, Ingredient, Instance, Mixture, Share};
use super::{Cells, Kernel, KernelError, ValueClass};
use crate::catalogue::Catalogue;
use crate::form::{InstructionForm, Operand, Site};
use crate::metadata::{OpcodeId, RegisterId};

/// What a throughput body is to look like.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ThroughputBody {
    /// The form under test.
    pub subject: OpcodeId,
    /// A value for one of its immediates other than the headline's.
    pub immediate: Option<(usize, i64)>,
    /// At least so many instances.
    pub instances: u32,
    /// What breaks its implicit dependences.
    pub breaking: Vec<Breaking>,
    /// Instances from one set of breakers to the next.
    pub interval: u32,
    /// Fillers behind each instance: cores that choose a port long before it is used choose better
    /// ones when instances come less densely (on Zen 4 `VPCOMPRESSD` takes 0.67 cycles or 1).
    pub fillers: u32,
    /// What the operands hold, if it matters.
    #[serde(default)]
    pub values: ValueClass,
    /// How instances share registers.
    #[serde(default)]
    pub registers: Registers,
    /// Which memory instances access.
    #[serde(default)]
    pub cells: Cells,
}

impl ThroughputBody {
    /// Whether its instances share no register and pass nothing on through memory, and hold what the headline's do.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        self.registers == Registers::default()
            && self.values == ValueClass::default()
            && self.cells == Cells::default()
    }
}

/// How the instances of a body share registers.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize,
)]
#[serde(rename_all = "kebab-case")]
pub enum Registers {
    /// No register stands twice in an instance, and instances wait for each other as late as possible.
    #[default]
    Distinct,
    /// One register at all operands of an instance, another in the next one: what subtracts a
    /// register from itself need not wait for it.
    Same,
    /// One register at all operands of all instances: a chain, unless the core sees that nothing
    /// depends on it.
    One,
    /// Some chains side by side.
    Accumulators(Accumulators),
    /// Two registers in turn at one operand.
    Alternating(Alternating),
}

/// Chains side by side: results go through so many registers in turn, and each instance reads what it
/// writes to. So instance `n` waits for instance `n - count` and for no other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Accumulators {
    /// LLVM's index of the operand that reads them.
    pub source: usize,
    /// LLVM's index of the operand that they are the results at.
    pub target: usize,
    /// How many there are.
    pub count: u32,
}

impl Accumulators {
    /// The operands of a form between which its chains run: the one that reads, and that of the result. What
    /// is tied to a result reads it anyhow. Of others the last: a dividend over its quotient would soon be
    /// infinite, a number over the quotient of itself is the divisor (`vdivpd y1, y0, y1`).
    #[must_use]
    pub fn operands(catalogue: &Catalogue, form: &InstructionForm) -> Option<(usize, usize)> {
        let registers =
            |operand: usize| form.class_of(operand).map(|class| catalogue.allocatable(class));
        let shares = |source: usize, target: usize| {
            let both = registers(source).zip(registers(target));
            both.is_some_and(|(read, written)| {
                read.iter().any(|register| written.contains(register))
            })
        };
        let is_data = |operand: usize| form.address_part(Site::Operand(operand)).is_none();
        let targets = form.operands.iter().enumerate().filter(|(_, operand)| operand.write);
        let mut pairs = targets.filter_map(|(target, _)| {
            // (Vectors of SME's array are tied to what overwrites them, and not read.)
            let is_tied = |operand: &Operand| operand.tied_to == Some(target) && operand.read;
            let tied = form.operands.iter().position(is_tied);
            let reads = |&source: &usize| {
                let operand = &form.operands[source];
                operand.read
                    && !operand.write
                    && operand.tied_to.is_none()
                    && shares(source, target)
            };
            let source = match tied {
                Some(tied) => Some(tied),
                None if form.operands[target].read => Some(target),
                None => {
                    (0..form.operands.len()).rev().filter(|&source| is_data(source)).find(reads)
                }
            };
            source
                .filter(|&source| is_data(source) && is_data(target))
                .map(|source| (source, target))
        });
        pairs.next()
    }
}

/// Two registers that take turns at one operand: every other instance has the first. Where registers form
/// blocks, every other instance has one of the first's block, in turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Alternating {
    /// LLVM's index of the operand.
    pub operand: usize,
    /// The registers, which may be one and the same.
    pub registers: [RegisterId; 2],
}

impl Alternating {
    /// The registers at the operand, by instance, again and again.
    pub(super) fn turns(&self, catalogue: &Catalogue, form: &InstructionForm) -> Vec<RegisterId> {
        let class = form.class_of(self.operand);
        let all = class.map(|class| catalogue.allocatable(class)).unwrap_or_default();
        let block = |register: RegisterId| match catalogue.isa.block(register) {
            None => vec![register],
            own => all.iter().copied().filter(|&it| catalogue.isa.block(it) == own).collect(),
        };
        let [first, second] = self.registers.map(block);
        if first == second {
            return first;
        }
        first.into_iter().zip(second).flat_map(|(first, second)| [first, second]).collect()
    }
}

/// A body that several cores run at the same time.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct TeamBody {
    /// How many.
    pub cores: u32,
    /// What each of them runs.
    pub body: ThroughputBody,
}

/// A breaker at work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Breaking {
    /// The register whose dependence is broken.
    pub register: RegisterId,
    /// The form that does it.
    pub breaker: OpcodeId,
}

impl ThroughputBody {
    /// Instances of a form and nothing else.
    #[must_use]
    pub fn plain(subject: OpcodeId, instances: u32) -> Self {
        Self {
            subject,
            immediate: None,
            instances,
            breaking: Vec::new(),
            interval: 1,
            fillers: 0,
            values: ValueClass::default(),
            registers: Registers::default(),
            cells: Cells::default(),
        }
    }

    /// Breakers in one body.
    #[must_use]
    pub fn breaker_count(&self) -> u32 {
        if self.breaking.is_empty() { 0 } else { self.instances.div_ceil(self.interval) }
    }

    /// What it holds: in each turn an instance, fillers behind it, and breakers where they are due.
    #[must_use]
    pub fn content(&self) -> Content {
        let instance = Ingredient::Instance(Instance {
            opcode: self.subject,
            immediate: self.immediate,
            values: self.values,
            registers: self.registers.into(),
            cells: self.cells,
        });
        let breakers = self
            .breaking
            .iter()
            .map(|&breaking| (Share::new(1, self.interval), Ingredient::Breaker(breaking)));
        let ingredients = [instance, Ingredient::Fillers(self.fillers)];
        let ingredients = ingredients.map(|ingredient| (Share::EACH, ingredient));
        Content::SideBySide(Mixture {
            turns: self.instances,
            ingredients: ingredients.into_iter().chain(breakers).collect(),
            crosses_encodings: false,
            padded: false,
        })
    }

    /// Chooses the registers and writes the body down.
    ///
    /// # Errors
    /// When a form is missing or the registers do not suffice.
    pub fn build(&self, catalogue: &Catalogue) -> Result<Kernel, KernelError> {
        self.content().build(catalogue)
    }
}
