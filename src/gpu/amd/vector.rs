//! Forms of the vector units beside the matrix ones: what a product costs that no matrix unit does.

use super::forms::{
    AmdForm, FormOperation, Product, RegisterNames, is_canonical, placed, template,
};
use super::target::AmdTarget;
use crate::codec::Codec;
use crate::gpu::form::{MatrixElement, MatrixOperand, MatrixShape};
use crate::metadata::{InstructionSet, OpcodeId};

use MatrixElement::{F16, F32, F64, I32};

/// An instruction, by its mnemonic.
struct VectorKind {
    mnemonic: &'static str,
    operation: FormOperation,
    d: MatrixElement,
    source: MatrixElement,
    /// Elements of a lane.
    elements: u32,
}

const fn kind(
    mnemonic: &'static str,
    operation: FormOperation,
    [d, source]: [MatrixElement; 2],
    elements: u32,
) -> VectorKind {
    VectorKind { mnemonic, operation, d, source, elements }
}

/// Those that a scaling, an addition and a change of types are made of.
const KINDS: [VectorKind; 20] = [
    kind("v_fma_f64", FormOperation::MultiplyAdd, [F64, F64], 1),
    kind("v_fma_f32", FormOperation::MultiplyAdd, [F32, F32], 1),
    kind("v_fma_f16", FormOperation::MultiplyAdd, [F16, F16], 1),
    kind("v_pk_fma_f32", FormOperation::MultiplyAdd, [F32, F32], 2),
    kind("v_pk_fma_f16", FormOperation::MultiplyAdd, [F16, F16], 2),
    kind("v_add_f64", FormOperation::Add, [F64, F64], 1),
    kind("v_add_f32", FormOperation::Add, [F32, F32], 1),
    kind("v_add_f16", FormOperation::Add, [F16, F16], 1),
    kind("v_pk_add_f32", FormOperation::Add, [F32, F32], 2),
    kind("v_pk_add_f16", FormOperation::Add, [F16, F16], 2),
    kind("v_mul_f64", FormOperation::Multiply, [F64, F64], 1),
    kind("v_mul_f32", FormOperation::Multiply, [F32, F32], 1),
    kind("v_mul_f16", FormOperation::Multiply, [F16, F16], 1),
    kind("v_pk_mul_f32", FormOperation::Multiply, [F32, F32], 2),
    kind("v_pk_mul_f16", FormOperation::Multiply, [F16, F16], 2),
    kind("v_cvt_f32_f16", FormOperation::Convert, [F32, F16], 1),
    kind("v_cvt_f16_f32", FormOperation::Convert, [F16, F32], 1),
    kind("v_cvt_f64_f32", FormOperation::Convert, [F64, F32], 1),
    kind("v_cvt_f32_f64", FormOperation::Convert, [F32, F64], 1),
    kind("v_cvt_f32_i32", FormOperation::Convert, [F32, I32], 1),
];

/// What LLVM's name may have behind the mnemonic: an encoding, and the target that has it.
const ENCODINGS: [&str; 2] = ["e32", "e64"];
/// What print has behind the mnemonic.
const PRINTED: [&str; 3] = ["", "_e32", "_e64"];

impl VectorKind {
    /// Whether LLVM's name of an opcode may be of this kind; print decides.
    fn may_be(&self, name: &str) -> bool {
        let name = name.to_lowercase();
        let Some(rest) = name.strip_prefix(self.mnemonic) else { return false };
        let is_target = |word: &str| word == "vi" || word.starts_with("gfx");
        rest.split('_')
            .filter(|word| !word.is_empty())
            .all(|word| ENCODINGS.contains(&word) || is_target(word))
    }

    /// What its sources are, in LLVM's order. A sum has what is added to the chain's value where a
    /// product has its factor, so that counting proves the chain.
    fn sources(&self) -> &'static [MatrixOperand] {
        match self.operation {
            FormOperation::Add => &[MatrixOperand::C, MatrixOperand::A],
            FormOperation::Multiply => &[MatrixOperand::A, MatrixOperand::B],
            FormOperation::Convert => &[MatrixOperand::A],
            FormOperation::MultiplyAdd | FormOperation::Matrix => {
                &[MatrixOperand::A, MatrixOperand::B, MatrixOperand::C]
            }
        }
    }
}

/// The vector forms of a target, in LLVM's order.
pub fn vector_forms(
    target: &AmdTarget,
    set: &InstructionSet,
    codec: &mut dyn Codec,
) -> Vec<AmdForm> {
    let names = RegisterNames::of(set);
    let ids = (0..set.opcodes.len() as u32).map(OpcodeId);
    let forms = ids.filter(|&id| !set.opcode(id).flags.pseudo).filter_map(|id| {
        let name = &set.opcode(id).name;
        let kind = KINDS.iter().find(|kind| kind.may_be(name))?;
        find(target, (set, &names), codec, (id, kind))
    });
    forms.collect()
}

fn find(
    target: &AmdTarget,
    (set, names): (&InstructionSet, &RegisterNames),
    codec: &mut dyn Codec,
    (id, kind): (OpcodeId, &VectorKind),
) -> Option<AmdForm> {
    let operands = placed(set, names, id, kind.sources())?;
    let template = template(set, names, id, (&operands, None), kind.elements > 1)?;
    let text = is_canonical(codec, &template).then(|| codec.print(&template).ok())??;
    let mnemonic = text.split_whitespace().next()?.to_owned();
    let rest = mnemonic.strip_prefix(kind.mnemonic)?;
    PRINTED.contains(&rest).then_some(())?;
    let blocks = target.lanes * kind.elements;
    let product = Product {
        shape: MatrixShape { m: 1, n: 1, k: 1, blocks },
        operation: kind.operation,
        d: kind.d,
        c: kind.source,
        a: kind.source,
        b: kind.source,
        sparse: false,
    };
    let (name, product) = (set.opcode(id).name.clone(), Some(product));
    Some(AmdForm { opcode: id, name, mnemonic, operands, tied: None, template, product })
}
