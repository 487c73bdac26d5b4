//! Kernels for Apple's AMX: operands in general registers, and the unit switched on around the loop.

use super::super::amx::{AmxInstance, AmxOperation, AmxVariant, AmxWord};
use super::super::{Operations, Preparation, RegisterOperand};
use super::registers::number_lines;

/// Registers that hold operands. Left out: X0 to X2, which templates use; X16 to X18 of the linker and
/// the platform; the loop's counter, the frame and the return address.
pub(super) const OPERAND_REGISTERS: &[&str] = &[
    "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12", "x13", "x14", "x15", "x19",
    "x20", "x21", "x22", "x23", "x24", "x25", "x26", "x27",
];

/// What Apple's own code puts before each switch (setclr.md).
const NOPS: usize = 3;

pub(super) fn register_operand(instance: &AmxInstance) -> RegisterOperand {
    let number = |name: &&str| name.trim_start_matches('x').parse().ok();
    let numbers = OPERAND_REGISTERS.iter().filter_map(number);
    RegisterOperand {
        words: numbers.map(|number| instance.word(number)).collect(),
        operand: instance.operand,
        text: instance.text(),
    }
}

/// Each operand in its register; the unit is on within the loop only, and its registers are zero then.
pub(super) fn prepare(operands: &[u64]) -> Preparation {
    let registers = OPERAND_REGISTERS.iter().zip(operands);
    let setup = registers.flat_map(|(register, &operand)| number_lines(register, operand));
    Preparation {
        setup: setup.chain(switched(AmxWord::SET)).collect(),
        teardown: switched(AmxWord::CLEAR).collect(),
    }
}

fn switched(word: AmxWord) -> impl Iterator<Item = String> {
    let nops = std::iter::repeat_n("nop".to_owned(), NOPS);
    nops.chain([format!(".inst {:#010x}", word.encode())])
}

pub(super) fn operations(variant: &AmxVariant) -> Option<Operations> {
    use AmxOperation as A;
    let is_floating = !matches!(variant.operation, A::Mac16 | A::Matint | A::Vecint);
    let count = variant.operations?;
    Some(if is_floating { Operations::floating(count) } else { Operations::integer(count) })
}
