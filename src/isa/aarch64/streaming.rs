//! Streaming mode and the storage that goes with it. Source: Arm Architecture Reference Manual (DDI 0487), B1.4.10
//! "Streaming SVE mode", C4.1 "A64 instruction set encoding", C6.2 "MSR (immediate)".
//!
//! SME's instructions exist only in streaming mode; of a core without SVE outside of it, SVE's, too. NEON's
//! exist only outside.

use crate::form::{EncodingGroup, InstructionForm, Part};
use crate::metadata::{Instruction, InstructionSet, OperandValue, RegisterId};

/// Bits of a vector in streaming mode: those of every implementation that is known (Apple M4 and M5, Arm C1).
/// Kernels ask for no less.
pub(super) const VECTOR_BITS: u32 = 512;

/// Instructions that execute in streaming mode, and those that execute outside.
const STREAMING: EncodingGroup = EncodingGroup::numbered(1);
const ORDINARY: EncodingGroup = EncodingGroup::numbered(2);

/// LLVM's name for the instruction that enters and leaves streaming mode, and switches ZA on and off.
pub(super) const SWITCH: &str = "MSRpstatesvcrImm1";
/// What it is about: streaming mode, ZA, or both.
const MODE: i64 = 1;
const STORAGE: i64 = 2;
const BOTH: i64 = 3;
const FLAGS: &str = "NZCV";

/// Immediates of [`SWITCH`] for its headline, `smstart`.
pub(super) const START: [(&str, usize, i64); 2] = [(SWITCH, 0, BOTH), (SWITCH, 1, 1)];

/// Other immediates of what switches modes and of what sets tiles to zero.
pub(super) fn variants(opcode: &str) -> Option<Vec<(usize, i64, String)>> {
    let rows = match opcode {
        SWITCH => SWITCHES,
        ZERO_TILES => SOME_TILES,
        _ => return None,
    };
    Some(rows.iter().map(|&(operand, value, name)| (operand, value, name.to_owned())).collect())
}

/// What it is about, and that it leaves, as operands other than the headline's.
pub(super) const ONLY_MODE: (usize, i64) = (0, MODE);
pub(super) const ONLY_STORAGE: (usize, i64) = (0, STORAGE);
pub(super) const STOP: (usize, i64) = (1, 0);

const SWITCHES: &[(usize, i64, &str)] = &[(0, MODE, "sm"), (0, STORAGE, "za"), (1, 0, "stop")];

/// What decides where instructions execute: whether the core has SVE, and its later part with groups of
/// vectors, outside of streaming mode.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct OutsideStreaming {
    pub sve: bool,
    pub sve2p1: bool,
}

impl OutsideStreaming {
    /// In which mode an instruction executes that touches vectors or predicates or not.
    pub fn group(self, bytes: &[u8], touches_vectors: bool) -> EncodingGroup {
        let Ok(bytes) = <[u8; 4]>::try_from(bytes) else { return EncodingGroup::COMMON };
        let word = u32::from_le_bytes(bytes);
        let by = |outside: bool| if outside { ORDINARY } else { STREAMING };
        match Space::of(word) {
            Space::Switch | Space::Sme => STREAMING,
            Space::VectorGroups => by(self.sve2p1),
            Space::Sve => by(self.sve),
            Space::Other if touches_vectors => ORDINARY,
            Space::Other => EncodingGroup::COMMON,
        }
    }
}

/// Parts of the space of encodings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Space {
    /// SME's.
    Sme,
    /// Loads and stores of groups of vectors, which lie in SME's.
    VectorGroups,
    /// SVE's.
    Sve,
    /// `smstart` and `smstop`.
    Switch,
    /// What exists in both modes, and NEON.
    Other,
}

impl Space {
    fn of(word: u32) -> Self {
        const ROWS: &[(u32, u32, Space)] = &[
            // LD1, ST1, LDNT1 and STNT1 of two and four neighbours.
            (0xFF80_0000, 0xA000_0000, Space::VectorGroups),
            (0x9E00_0000, 0x8000_0000, Space::Sme),
            // ADDSVL, ADDSPL, RDSVL: by the length that streaming mode has.
            (0xFF20_F800, 0x0420_5800, Space::Other),
            (0x1E00_0000, 0x0400_0000, Space::Sve),
            // MSR (immediate) of SVCRSM, SVCRZA and SVCRSMZA.
            (0xFFFF_F8FF, 0xD503_407F, Space::Switch),
        ];
        let found = ROWS.iter().find(|(mask, bits, _)| word & mask == *bits);
        found.map_or(Self::Other, |&(.., space)| space)
    }
}

/// Whether kernels of a group run in streaming mode.
pub(super) fn is_streaming(group: EncodingGroup) -> bool {
    group == STREAMING
}

/// Enters streaming mode with ZA and switches both off again. Entering sets vectors and predicates to zero, and
/// ZA and ZT0 where they were off. Where vectors are shorter than kernels count on, nothing is executed.
pub(super) fn entered() -> Vec<String> {
    [
        "rdsvl x0, #1".to_owned(),
        format!("cmp x0, #{}", VECTOR_BITS / 8),
        "b.hs 7f".to_owned(),
        "udf #0".to_owned(),
        "7:".to_owned(),
        "smstart".to_owned(),
        "zero {za}".to_owned(),
    ]
    .to_vec()
}

pub(super) fn left() -> Vec<String> {
    vec!["smstop".to_owned()]
}

/// What is set to zero when streaming mode is entered or left, and when ZA is switched on.
const ZEROED_BY_MODE: &[(&str, u32)] = &[("Z", 32), ("P", 16)];
const ZEROED_BY_MODE_ALONE: &[&str] = &["FFR"];
const ZEROED_BY_STORAGE: &[&str] = &["ZA", "ZT0"];

/// What the switch writes: not the flags, as LLVM says. And what sets tiles to zero.
pub(super) fn correct(form: &mut InstructionForm, set: &InstructionSet) {
    if form.name == ZERO_TILES {
        form.implicit_defs.extend(set.register_by_name(ZEROED_BY_STORAGE[0]));
    }
    if form.name != SWITCH {
        return;
    }
    form.implicit_defs.retain(|&register| set.register(register).name != FLAGS);
    let files = ZEROED_BY_MODE
        .iter()
        .flat_map(|&(letter, count)| (0..count).map(move |number| format!("{letter}{number}")));
    let alone = ZEROED_BY_MODE_ALONE.iter().chain(ZEROED_BY_STORAGE).map(|&name| name.to_owned());
    form.implicit_defs.extend(files.chain(alone).filter_map(|name| set.register_by_name(&name)));
}

/// LLVM's name for what sets tiles to zero: its number has a bit for each tile of doublewords.
const ZERO_TILES: &str = "ZERO_M";
const DOUBLEWORD_TILES: u32 = 8;
/// All of them, the headline; and others.
pub(super) const ALL_TILES: (&str, usize, i64) = (ZERO_TILES, 0, 0xff);
const SOME_TILES: &[(usize, i64, &str)] =
    &[(0, 0x55, "za0.h"), (0, 0x11, "za0.s"), (0, 0x01, "za0.d")];

/// What an instance writes of a register that its form writes unnamed, where its numbers say so.
pub(super) fn written(
    set: &InstructionSet,
    form: &InstructionForm,
    instance: &Instruction,
    register: RegisterId,
) -> Option<Vec<Part>> {
    let Some(&OperandValue::Immediate(number)) = instance.operands.first() else { return None };
    let units = |name: &str| {
        let register = set.register_by_name(name);
        register.map(|it| set.register(it).units.clone()).unwrap_or_default()
    };
    let name = set.register(register).name.as_str();
    match form.name.as_str() {
        ZERO_TILES => {
            let named = (0..DOUBLEWORD_TILES).filter(|tile| number >> tile & 1 == 1);
            let units = named.flat_map(|tile| units(&format!("ZAD{tile}")));
            Some(units.map(Part::Unit).collect())
        }
        SWITCH => {
            let is_storage = ZEROED_BY_STORAGE.contains(&name);
            let is_spared = if is_storage { number == MODE } else { number == STORAGE };
            is_spared.then(Vec::new)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn group(outside: OutsideStreaming, word: u32, touches_vectors: bool) -> EncodingGroup {
        outside.group(&word.to_le_bytes(), touches_vectors)
    }

    #[test]
    fn encodings_tell_the_mode() {
        let m4 = OutsideStreaming { sve: false, sve2p1: false };
        let both = OutsideStreaming { sve: true, sve2p1: true };
        for (word, expected, text) in [
            (0x8081_2000, [STREAMING; 2], "fmopa za0.s"),
            (0xC1A5_1800, [STREAMING; 2], "fmla za.s[w8, 0, vgx4]"),
            (0xC008_00FF, [STREAMING; 2], "zero {za}"),
            (0xE100_0100, [STREAMING; 2], "ldr za"),
            (0xA081_2000, [STREAMING; 2], "smopa za0.s"),
            (0xD503_477F, [STREAMING; 2], "smstart"),
            (0xD503_427F, [STREAMING; 2], "smstop sm"),
            (0xA140_4080, [STREAMING; 2], "ld1w of registers apart"),
            (0xA040_40A0, [STREAMING, ORDINARY], "ld1w of neighbours"),
            (0x65BF_03C0, [STREAMING, ORDINARY], "fmla z0.s"),
            (0x04BF_5020, [STREAMING, ORDINARY], "rdvl"),
            (0x04BF_5820, [EncodingGroup::COMMON; 2], "rdsvl"),
            (0x8B02_0020, [EncodingGroup::COMMON; 2], "add x0, x1, x2"),
            (0xD503_201F, [EncodingGroup::COMMON; 2], "nop"),
            (0xF940_0020, [EncodingGroup::COMMON; 2], "ldr x0, [x1]"),
        ] {
            let found = [m4, both].map(|outside| group(outside, word, false));
            assert_eq!(found, expected, "{text}");
        }
        assert_eq!(group(m4, 0x4E3F_CFC0, true), ORDINARY, "fmla v0.4s");
        assert_eq!(group(m4, 0x1E62_2820, true), ORDINARY, "fadd d0, d1, d2");
    }
}
