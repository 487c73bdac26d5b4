//! Kernels for Apple's AMX: operands in general registers, and the unit switched on around the loop.

use super::super::amx::{AmxForms, AmxInstance, AmxOperation, AmxVariant, AmxWord, Effects};
use super::super::{HeldOperand, Operations, Preparation, ReadWord, RegisterOperand, WordReader};
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
        operand: HeldOperand { value: instance.operand, has_address: instance.base.is_some() },
        text: instance.text(),
        at_base: instance.base.map(|base| instance.word(base)),
    }
}

/// Each operand in its register; the unit is on within the loop only, and its registers are zero then.
pub(super) fn prepare(operands: &[HeldOperand]) -> Preparation {
    let registers = OPERAND_REGISTERS.iter().zip(operands);
    let setup = registers.flat_map(|(register, held)| match held.has_address {
        false => number_lines(register, held.value),
        true => vec![
            format!("adrp {register}, winic_region"),
            format!("add {register}, {register}, :lo12:winic_region"),
            format!("movk {register}, #{:#x}, lsl #48", held.value >> 48),
        ],
    });
    Preparation {
        setup: setup.chain(switched(AmxWord::SET)).collect(),
        teardown: switched(AmxWord::CLEAR).collect(),
    }
}

/// The same around a kernel that executes one instruction once: X and Y hold what is not zero before, and what
/// differs afterwards must be what the instruction writes.
pub(super) fn prepare_probe(operands: &[HeldOperand], effects: &Effects) -> Preparation {
    let Preparation { mut setup, .. } = prepare(operands);
    setup.push("winic_amx_fill".to_owned());
    let stored = POOLS.map(|pool| pool.store());
    let checked = [effects.x_written.into(), effects.y_written.into(), effects.z_written];
    let checked = POOLS.iter().zip(checked).flat_map(|(pool, written)| pool.check(written));
    let teardown = stored.into_iter().chain(switched(AmxWord::CLEAR)).chain(checked);
    Preparation { setup, teardown: teardown.collect() }
}

/// Registers of one kind, as the template's macros store and check them.
struct StoredPool {
    store: AmxOperation,
    count: u32,
    /// Where in the region they are stored.
    place: u32,
    /// What they hold before.
    before: &'static str,
}

const POOLS: [StoredPool; 3] = [
    StoredPool { store: AmxOperation::Stx, count: 8, place: 0, before: "winic_amx_x" },
    StoredPool { store: AmxOperation::Sty, count: 8, place: 512, before: "winic_amx_y" },
    StoredPool { store: AmxOperation::Stz, count: 64, place: 1024, before: "winic_amx_z" },
];

impl StoredPool {
    fn store(&self) -> String {
        let Self { store, count, place, .. } = self;
        format!("winic_amx_store {}, {count}, {place}", store.number())
    }

    fn check(&self, written: u64) -> Vec<String> {
        let Self { count, place, before, .. } = self;
        let mut lines = number_lines("x8", written);
        lines.push(format!("winic_amx_check {count}, {place}, {before}"));
        lines
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

/// Whether a word is one of the unit's.
pub(super) fn is_word(word: u32) -> bool {
    AmxWord::decode(word).is_some()
}

/// Reads the unit's words, by what the general registers hold with their operands. What comes from memory
/// counts as zero: it is an address, which only the low bits of an operand have.
pub(super) struct OperandReader<'a> {
    amx: &'a AmxForms,
    /// Of X0 to X30, and of XZR.
    contents: [u64; 32],
}

impl<'a> OperandReader<'a> {
    pub fn new(amx: &'a AmxForms) -> Self {
        Self { amx, contents: [0; 32] }
    }

    /// Follows an instruction of the core that kernels bring operands to registers with.
    fn follow(&mut self, word: u32) {
        let field = |low: u32, bits: u32| word >> low & ((1 << bits) - 1);
        let register = |low: u32| field(low, 5) as usize;
        let held = |low: u32| self.contents[register(low)];
        let piece = u64::from(field(5, 16)) << (16 * field(21, 2));
        let hole = 0xffff_u64 << (16 * field(21, 2));
        let added = u64::from(field(10, 12)) << (12 * field(22, 1));
        // A64's encodings: Arm Architecture Reference Manual, C4.1.
        let value = match word {
            _ if word & 0xff80_0000 == 0xd280_0000 => piece,
            _ if word & 0xff80_0000 == 0xf280_0000 => held(0) & !hole | piece,
            _ if word & 0xff80_0000 == 0x9100_0000 => held(5).wrapping_add(added),
            _ if word & 0xffe0_fc00 == 0x8b00_0000 => held(5).wrapping_add(held(16)),
            _ if word & 0xffc0_0000 == 0xf940_0000 || word & 0x1f00_0000 == 0x1000_0000 => 0,
            _ => return,
        };
        if register(0) != XZR {
            self.contents[register(0)] = value;
        }
    }
}

/// The number of the register that is always zero.
const XZR: usize = 31;

impl WordReader for OperandReader<'_> {
    fn read(&mut self, word: u32) -> Option<ReadWord> {
        let Some(AmxWord { operation, register }) = AmxWord::decode(word) else {
            self.follow(word);
            return None;
        };
        if operation == AmxOperation::Set {
            return Some(ReadWord::Switch);
        }
        let operand = self.contents[usize::from(register)];
        let instance = self.amx.instruction(AmxWord { operation, register }, operand);
        Some(instance.map_or(ReadWord::Unknown, ReadWord::Instance))
    }
}
