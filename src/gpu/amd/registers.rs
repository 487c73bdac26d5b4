//! Where kernels keep what: one plan for all forms of all targets.
//!
//! Vector registers below [`FACTORS`] are the kernel's own. A and B follow, then small operands, and
//! from [`RESULTS`] on the chains' results. Accumulators, where D is one, hold results from 0 on.

use super::forms::{AmdForm, File, GpuOperand, RegisterNames};
use crate::gpu::form::{ChainLink, MatrixOperand};
use crate::metadata::{Instruction, InstructionSet, OperandValue};

/// The first register of A; B has the next sixteen.
pub const FACTORS: u32 = 16;
const B: u32 = 32;
const INDEX: u32 = 48;
const SCALE_A: u32 = 52;
const SCALE_B: u32 = 54;
/// The first vector register of results.
pub const RESULTS: u32 = 64;
/// Registers of a file that an instruction can name.
const FILE: u32 = 256;
/// The first register of a C that is not D.
const ADDENDS: u32 = 224;

/// A register operand of an instance: its file, its first number, and how many.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    /// The file.
    pub file: File,
    /// The first.
    pub first: u32,
    /// How many.
    pub count: u32,
}

impl Span {
    /// The numbers of its registers.
    pub fn numbers(self) -> std::ops::Range<u32> {
        self.first..self.first + self.count
    }
}

/// The instances of a body, in order, and the registers that they use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Body {
    /// The instances.
    pub instances: Vec<Instruction>,
    /// Where the results of each chain stand.
    pub results: Vec<Span>,
    /// Where A stands, where it is no result.
    pub a: Option<Span>,
    /// Where B stands, where it is no result.
    pub b: Option<Span>,
    /// The C of all, where it is no result.
    pub addend: Option<Span>,
    /// The index of a sparse factor.
    pub index: Option<Span>,
    /// Scales.
    pub scales: Vec<Span>,
}

/// Makes bodies of a form.
pub struct BodyPlanner<'a> {
    /// The form.
    pub form: &'a AmdForm,
    /// LLVM's tables.
    pub set: &'a InstructionSet,
    /// Its registers.
    pub names: &'a RegisterNames,
}

impl BodyPlanner<'_> {
    /// As many instances in so many independent chains whose C is their own D; none where registers do
    /// not suffice. Where D cannot be C the instances are independent, with as many results.
    #[must_use]
    pub fn chains(&self, chains: u32, instances: u32) -> Option<Body> {
        let d = self.form.operand(MatrixOperand::D)?;
        let results: Vec<Span> =
            (0..chains).map(|chain| self.result(d, chain)).collect::<Option<_>>()?;
        let addend = match (self.form.chains(), self.form.operand(MatrixOperand::C)) {
            (false, Some(c)) => Some(Span { file: c.file, first: ADDENDS, count: c.registers }),
            _ => None,
        };
        let of = |number: u32| results[(number % chains) as usize];
        let spans = |number: u32| (of(number), addend.unwrap_or(of(number)), None);
        self.body((0..instances).map(spans), results.clone(), addend)
    }

    /// As many instances in one chain through A or B, with two results in turn: an instruction may not
    /// write what it multiplies. None where D does not fit there.
    #[must_use]
    pub fn through_factor(&self, link: ChainLink, instances: u32) -> Option<Body> {
        let (d, factor) = (self.form.operand(MatrixOperand::D)?, self.form.operand(link.role())?);
        if factor.registers > d.registers || link == ChainLink::Addend {
            return None;
        }
        let results = vec![self.result(d, 0)?, self.result(d, 1)?];
        let addend = match (self.form.tied, self.form.operand(MatrixOperand::C)) {
            (None, Some(c)) => Some(self.addend(c, d.file)?),
            _ => None,
        };
        let of = |number: u32| results[(number % 2) as usize];
        let spans = |number: u32| {
            let source = Span { count: factor.registers, ..of(number + 1) };
            (of(number), addend.unwrap_or(of(number)), Some((link.role(), source)))
        };
        self.body((0..instances).map(spans), results.clone(), addend)
    }

    /// Registers for a C that is no result: behind two results, in the file that C has to stand in.
    fn addend(&self, c: &GpuOperand, file: File) -> Option<Span> {
        let first = match file {
            File::Vector => ADDENDS,
            File::Accumulator => 128,
        };
        let span = Span { file, first, count: c.registers };
        self.register(c, span).map(|_| span)
    }

    fn result(&self, d: &GpuOperand, chain: u32) -> Option<Span> {
        let start = match d.file {
            File::Vector => RESULTS,
            File::Accumulator => 0,
        };
        let first = start + chain * d.registers.next_multiple_of(2);
        // (Behind the results a C that stands by itself has its place.)
        let end = if self.form.chains() { FILE } else { ADDENDS };
        (first + d.registers <= end).then_some(Span { file: d.file, first, count: d.registers })
    }

    fn register(&self, operand: &GpuOperand, span: Span) -> Option<OperandValue> {
        let Span { file, first, count } = span;
        self.names.tuple(self.set, operand.class, file, first, count).map(OperandValue::Register)
    }

    fn body(
        &self,
        spans: impl Iterator<Item = (Span, Span, Option<(MatrixOperand, Span)>)>,
        results: Vec<Span>,
        addend: Option<Span>,
    ) -> Option<Body> {
        let fixed = |role: MatrixOperand, first: u32| {
            let operand = self.form.operand(role)?;
            Some(Span { file: operand.file, first, count: operand.registers })
        };
        let mut linked = None;
        let instances = spans
            .map(|(d, c, link)| {
                linked = link.map(|(role, _)| role);
                self.instance(d, c, link)
            })
            .collect::<Option<_>>()?;
        let unless_linked =
            |role: MatrixOperand, first: u32| fixed(role, first).filter(|_| linked != Some(role));
        let scales = [fixed(MatrixOperand::ScaleA, SCALE_A), fixed(MatrixOperand::ScaleB, SCALE_B)];
        Some(Body {
            instances,
            results,
            a: unless_linked(MatrixOperand::A, FACTORS),
            b: unless_linked(MatrixOperand::B, B),
            addend,
            index: fixed(MatrixOperand::Index, INDEX),
            scales: scales.into_iter().flatten().collect(),
        })
    }

    fn instance(
        &self,
        d: Span,
        c: Span,
        link: Option<(MatrixOperand, Span)>,
    ) -> Option<Instruction> {
        let mut instruction = self.form.template.clone();
        for operand in &self.form.operands {
            let plain = |first| Span { file: operand.file, first, count: operand.registers };
            let span = match (operand.role, link) {
                (MatrixOperand::D, _) => d,
                (MatrixOperand::C, _) => c,
                (role, Some((linked, span))) if role == linked => span,
                (MatrixOperand::A, _) => plain(FACTORS),
                (MatrixOperand::B, _) => plain(B),
                (MatrixOperand::Index, _) => plain(INDEX),
                (MatrixOperand::ScaleA, _) => plain(SCALE_A),
                (MatrixOperand::ScaleB, _) => plain(SCALE_B),
            };
            instruction.operands[operand.index] = self.register(operand, span)?;
        }
        if let (Some(tied), Some(of_d)) = (self.form.tied, self.form.operand(MatrixOperand::D)) {
            instruction.operands[tied] = instruction.operands[of_d.index];
        }
        Some(instruction)
    }
}
