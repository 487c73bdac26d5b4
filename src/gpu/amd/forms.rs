//! The forms of a target: those of LLVM's opcodes that come back from encoding and decoding as
//! themselves. LLVM's emitter encodes the opcodes of all targets for each of them, so encoding alone
//! proves nothing.

use std::collections::HashMap;

use super::target::{AmdTarget, Generation};
use crate::codec::Codec;
use crate::gpu::form::{MatrixElement, MatrixOperand, MatrixShape};
use crate::metadata::{
    ClassId, Instruction, InstructionSet, OpcodeId, OperandKind, OperandValue, RegisterId,
};

/// Which registers an operand stands in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum File {
    /// The vector registers.
    Vector,
    /// The accumulators.
    Accumulator,
}

/// A register operand of a form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GpuOperand {
    /// Its place among LLVM's operands.
    pub index: usize,
    /// What it is.
    pub role: MatrixOperand,
    /// How many registers of 32 bits it has.
    pub registers: u32,
    /// The class that it is of.
    pub class: ClassId,
    /// Where it stands unless somebody wants otherwise.
    pub file: File,
}

/// A form of a matrix instruction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AmdForm {
    /// LLVM's opcode.
    pub opcode: OpcodeId,
    /// LLVM's name of it, with the immediates that select it where those are not 0.
    pub name: String,
    /// The mnemonic.
    pub mnemonic: String,
    /// Its operands in registers, in LLVM's order, without the one that is tied to D.
    pub operands: Vec<GpuOperand>,
    /// LLVM's operand that is tied to D, which is C then.
    pub tied: Option<usize>,
    /// All operands of an instance, those that are no registers as they are to be.
    pub template: Instruction,
    /// What it computes; none of instructions that only set up the next one.
    pub product: Option<Product>,
}

/// What an instruction does with its elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FormOperation {
    /// It multiplies and adds matrices, on a matrix unit.
    Matrix,
    /// Each lane of a vector unit multiplies and adds.
    MultiplyAdd,
    /// It adds.
    Add,
    /// It multiplies.
    Multiply,
    /// It changes the type of a number.
    Convert,
}

/// What an instruction computes: of a vector unit a product of 1 x 1 x 1 for each element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Product {
    /// How large the matrices are.
    pub shape: MatrixShape,
    /// What it does.
    pub operation: FormOperation,
    /// The elements of D.
    pub d: MatrixElement,
    /// The elements of C.
    pub c: MatrixElement,
    /// The elements of A.
    pub a: MatrixElement,
    /// The elements of B.
    pub b: MatrixElement,
    /// Whether half of the elements of A are zeros that are left out.
    pub sparse: bool,
}

impl Product {
    /// Operations of one instruction.
    #[must_use]
    pub fn operations(&self) -> u64 {
        match self.operation {
            FormOperation::Matrix | FormOperation::MultiplyAdd => self.shape.operations(),
            FormOperation::Add | FormOperation::Multiply | FormOperation::Convert => {
                self.shape.operations() / 2
            }
        }
    }

    /// Whether a matrix unit does it.
    #[must_use]
    pub fn is_of_matrix(&self) -> bool {
        self.operation == FormOperation::Matrix
    }
}

impl AmdForm {
    /// The operand of a role.
    #[must_use]
    pub fn operand(&self, role: MatrixOperand) -> Option<&GpuOperand> {
        self.operands.iter().find(|operand| operand.role == role)
    }

    /// Whether D can be C of the next instruction.
    #[must_use]
    pub fn chains(&self) -> bool {
        let (d, c) = (self.operand(MatrixOperand::D), self.operand(MatrixOperand::C));
        self.tied.is_some() || d.zip(c).is_some_and(|(d, c)| d.registers == c.registers)
    }
}

/// Registers by file and number, for tuples of any length.
pub struct RegisterNames {
    by_name: HashMap<String, RegisterId>,
}

impl RegisterNames {
    /// Of an instruction set.
    #[must_use]
    pub fn of(set: &InstructionSet) -> Self {
        let named = set
            .registers
            .iter()
            .zip(0..)
            .map(|(register, id)| (register.name.clone(), RegisterId(id)));
        Self { by_name: named.collect() }
    }

    /// So many registers of a file from a number on, if they are a register of the class.
    #[must_use]
    pub fn tuple(
        &self,
        set: &InstructionSet,
        class: ClassId,
        file: File,
        first: u32,
        count: u32,
    ) -> Option<RegisterId> {
        let letter = match file {
            File::Vector => 'V',
            File::Accumulator => 'A',
        };
        let names: Vec<String> =
            (first..first + count).map(|number| format!("{letter}GPR{number}")).collect();
        let id = *self.by_name.get(&names.join("_"))?;
        set.class(class).registers.contains(&id).then_some(id)
    }
}

/// The second words of opcodes of matrix instructions.
const KINDS: [&str; 4] = ["MFMA", "SMFMAC", "WMMA", "SWMMAC"];
/// The kinds that leave elements of A out.
const SPARSE: [&str; 2] = ["SMFMAC", "SWMMAC"];
/// The kinds whose factors have modifiers.
const MODIFIED: [&str; 2] = ["WMMA", "SWMMAC"];
/// The formats that immediates select, by what they are in print.
const FORMATS: [&str; 4] = [" cbsz:", " blgp:", " matrix_a_fmt:", " matrix_b_fmt:"];
/// The modifiers of a factor whose halves stand in place.
const IN_PLACE: i64 = 8;

/// Where operands stand while forms are looked for: apart from each other, at even numbers.
const PLACES: [(MatrixOperand, u32); 7] = [
    (MatrixOperand::D, 0),
    (MatrixOperand::A, 64),
    (MatrixOperand::B, 96),
    (MatrixOperand::C, 128),
    (MatrixOperand::Index, 160),
    (MatrixOperand::ScaleA, 168),
    (MatrixOperand::ScaleB, 176),
];

/// All matrix forms of a target, in LLVM's order.
pub fn matrix_forms(
    target: &AmdTarget,
    set: &InstructionSet,
    codec: &mut dyn Codec,
) -> Vec<AmdForm> {
    let names = RegisterNames::of(set);
    let ids = (0..set.opcodes.len() as u32).map(OpcodeId);
    let matrix =
        ids.filter(|&id| !set.opcode(id).flags.pseudo && kind(&set.opcode(id).name).is_some());
    matrix.filter_map(|id| find(target, set, &names, codec, id)).collect()
}

fn kind(name: &str) -> Option<&str> {
    name.split('_').nth(1).filter(|word| KINDS.contains(word))
}

fn find(
    target: &AmdTarget,
    set: &InstructionSet,
    names: &RegisterNames,
    codec: &mut dyn Codec,
    id: OpcodeId,
) -> Option<AmdForm> {
    let (operands, tied) = operands(set, names, id)?;
    let is_modified = kind(&set.opcode(id).name).is_some_and(|kind| MODIFIED.contains(&kind));
    let template = template(set, names, id, (&operands, tied), is_modified)?;
    let template = selected(codec, template)?;
    let text = codec.print(&template).ok()?;
    let mnemonic = text.split_whitespace().next()?.to_owned();
    let name = set.opcode(id).name.clone();
    let product = product(target, &name, &mnemonic, &operands);
    Some(AmdForm { opcode: id, name, mnemonic, operands, tied, template, product })
}

/// The operands in registers, and the one that is tied to the first.
fn operands(
    set: &InstructionSet,
    names: &RegisterNames,
    id: OpcodeId,
) -> Option<(Vec<GpuOperand>, Option<usize>)> {
    let opcode = set.opcode(id);
    let tied = opcode.operands.iter().position(|operand| operand.tied_to.is_some());
    let with_c = [
        MatrixOperand::A,
        MatrixOperand::B,
        MatrixOperand::C,
        MatrixOperand::ScaleA,
        MatrixOperand::ScaleB,
    ];
    let without = [
        MatrixOperand::A,
        MatrixOperand::B,
        MatrixOperand::Index,
        MatrixOperand::ScaleA,
        MatrixOperand::ScaleB,
    ];
    let sources: &[MatrixOperand] = match (opcode.definitions, tied) {
        // Nothing but scales for the next one.
        (0, _) => &[MatrixOperand::ScaleA, MatrixOperand::ScaleB],
        (_, Some(_)) => &without,
        (_, None) => &with_c,
    };
    Some((placed(set, names, id, sources)?, tied))
}

/// The operands in registers, D and then sources of these roles, each in its place.
pub(super) fn placed(
    set: &InstructionSet,
    names: &RegisterNames,
    id: OpcodeId,
    sources: &[MatrixOperand],
) -> Option<Vec<GpuOperand>> {
    let opcode = set.opcode(id);
    let tied = opcode.operands.iter().position(|operand| operand.tied_to.is_some());
    let roles =
        [MatrixOperand::D].into_iter().take(opcode.definitions).chain(sources.iter().copied());
    let registers = opcode.operands.iter().enumerate().filter(|&(index, _)| Some(index) != tied);
    let classes = registers.filter_map(|(index, info)| match info.kind {
        OperandKind::Register(class) => Some((index, class)),
        _ => None,
    });
    let place = |((index, class), role): ((usize, ClassId), MatrixOperand)| {
        let registers = set.class(class).bits.div_ceil(32);
        let first = PLACES.iter().find(|(of, _)| *of == role).map_or(0, |&(_, first)| first);
        let is_in = |file| names.tuple(set, class, file, first, registers).is_some();
        let file = [File::Vector, File::Accumulator].into_iter().find(|&file| is_in(file))?;
        Some(GpuOperand { index, role, registers, class, file })
    };
    classes.zip(roles).map(place).collect()
}

/// An instance with every operand in its place and every number 0, modifiers of factors apart.
pub(super) fn template(
    set: &InstructionSet,
    names: &RegisterNames,
    id: OpcodeId,
    (operands, tied): (&[GpuOperand], Option<usize>),
    is_modified: bool,
) -> Option<Instruction> {
    let opcode = set.opcode(id);
    let place = |role| PLACES.iter().find(|(of, _)| *of == role).map_or(0, |&(_, first)| first);
    let register = |operand: &GpuOperand| {
        names.tuple(set, operand.class, operand.file, place(operand.role), operand.registers)
    };
    let stands_before = |index: usize| {
        operands.iter().any(|operand| operand.index == index + 1) || tied == Some(index + 1)
    };
    let value = |index: usize| -> Option<OperandValue> {
        if let Some(operand) = operands.iter().find(|operand| operand.index == index) {
            return register(operand).map(OperandValue::Register);
        }
        if tied == Some(index) {
            return register(operands.first()?).map(OperandValue::Register);
        }
        let modifies = is_modified && stands_before(index);
        Some(OperandValue::Immediate(if modifies { IN_PLACE } else { 0 }))
    };
    let operands = (0..opcode.operands.len()).map(value).collect::<Option<_>>()?;
    Some(Instruction { opcode: id, operands })
}

/// The instance with the immediates that select its opcode, if there are such.
fn selected(codec: &mut dyn Codec, template: Instruction) -> Option<Instruction> {
    if is_canonical(codec, &template) {
        return Some(template);
    }
    let formats: Vec<usize> =
        (0..template.operands.len()).filter(|&index| is_format(codec, &template, index)).collect();
    let &[a, b] = formats.as_slice() else { return None };
    // Eight, six and four bits.
    const VALUES: [i64; 3] = [0, 2, 4];
    let pairs = VALUES.iter().flat_map(|&a| VALUES.iter().map(move |&b| (a, b)));
    pairs
        .map(|(of_a, of_b)| with(with(template.clone(), a, of_a), b, of_b))
        .find(|it| is_canonical(codec, it))
}

fn with(mut instruction: Instruction, index: usize, value: i64) -> Instruction {
    instruction.operands[index] = OperandValue::Immediate(value);
    instruction
}

/// Whether a number is a format: printing tells.
fn is_format(codec: &mut dyn Codec, template: &Instruction, index: usize) -> bool {
    if !matches!(template.operands[index], OperandValue::Immediate(0)) {
        return false;
    }
    let text = codec.print(&with(template.clone(), index, 1)).unwrap_or_default();
    let plain = codec.print(template).unwrap_or_default();
    FORMATS.iter().any(|format| text.contains(format) && !plain.contains(format))
}

/// Whether its bytes are its own.
pub(super) fn is_canonical(codec: &mut dyn Codec, instruction: &Instruction) -> bool {
    let bytes = codec.encode(instruction);
    bytes
        .and_then(|bytes| codec.decode(&bytes))
        .is_ok_and(|(decoded, _)| decoded.opcode == instruction.opcode)
}

/// What the mnemonic and the operands say of the product.
fn product(
    target: &AmdTarget,
    name: &str,
    mnemonic: &str,
    operands: &[GpuOperand],
) -> Option<Product> {
    let words: Vec<&str> = mnemonic.split('_').collect();
    let at = words.iter().position(|word| MatrixShape::read(word).is_some())?;
    let (shape, rest) = MatrixShape::read(words[at])?;
    let behind: Vec<&str> = [rest].into_iter().chain(words[at + 1..].iter().copied()).collect();
    let (d, c) = results(words[at - 1])?;
    let named: Vec<MatrixElement> = behind.iter().filter_map(|word| element(word)).collect();
    let (a, b) = match named.as_slice() {
        [] => formats(name)?,
        [both] => (*both, *both),
        [a, b, ..] => (*a, *b),
    };
    let registers = operands.iter().find(|operand| operand.role == MatrixOperand::D)?.registers;
    let held = registers * 32 / d.bits() * target.lanes;
    let blocks = match target.generation {
        Generation::Cdna => (held / (shape.m * shape.n)).max(1),
        // (Half of each register is idle in some.)
        Generation::Rdna3 | Generation::Rdna4 => 1,
    };
    let sparse = kind(name).is_some_and(|kind| SPARSE.contains(&kind));
    let (shape, operation) = (MatrixShape { blocks, ..shape }, FormOperation::Matrix);
    Some(Product { shape, operation, d, c, a, b, sparse })
}

/// The elements of D and of C by the word in front of the shape.
fn results(word: &str) -> Option<(MatrixElement, MatrixElement)> {
    // D is narrower than C.
    if word == "bf16f32" {
        return Some((MatrixElement::Bf16, MatrixElement::F32));
    }
    element(word).map(|both| (both, both))
}

/// The elements of A and B where the opcode names their widths: `..._f8_f6_...`.
fn formats(name: &str) -> Option<(MatrixElement, MatrixElement)> {
    let widths: Vec<MatrixElement> = name
        .split('_')
        .filter_map(|word| match word {
            "f8" => Some(MatrixElement::F8E4),
            "f6" => Some(MatrixElement::F6E2),
            "f4" => Some(MatrixElement::F4),
            _ => None,
        })
        .collect();
    match widths.as_slice() {
        [a, b] => Some((*a, *b)),
        _ => None,
    }
}

fn element(word: &str) -> Option<MatrixElement> {
    Some(match word {
        "f64" => MatrixElement::F64,
        "f32" | "xf32" => MatrixElement::F32,
        "f16" => MatrixElement::F16,
        "bf16" => MatrixElement::Bf16,
        "fp8" => MatrixElement::F8E4,
        "bf8" => MatrixElement::F8E5,
        "f4" => MatrixElement::F4,
        "i32" => MatrixElement::I32,
        "i8" | "iu8" => MatrixElement::I8,
        "iu4" => MatrixElement::I4,
        _ => return None,
    })
}
