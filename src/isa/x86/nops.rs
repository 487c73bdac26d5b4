//! Instructions of each length that do nothing.

/// The prefix that makes operands 16 bits wide.
const OPERAND_SIZE: u8 = 0x66;
/// Bytes of the longest instruction.
const LONGEST: usize = 15;
/// `NOP DWORD ptr [RAX + RAX*1 + 0]` with a displacement of 32 bits.
const LONG_NOP: [u8; 8] = [0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0];
const RECOMMENDED_NOPS: [&[u8]; 8] = [
    &[0x90],
    &[OPERAND_SIZE, 0x90],
    &[0x0f, 0x1f, 0],
    &[0x0f, 0x1f, 0x40, 0],
    &[0x0f, 0x1f, 0x44, 0, 0],
    &[OPERAND_SIZE, 0x0f, 0x1f, 0x44, 0, 0],
    &[0x0f, 0x1f, 0x80, 0, 0, 0, 0],
    &LONG_NOP,
];

/// The sequences that Intel's manual recommends (SDM volume 2, `NOP`), and the longest of them
/// with more prefixes, up to the fifteen bytes that an instruction may have.
pub(super) fn all() -> Vec<Vec<u8>> {
    let prefixed = |count| [vec![OPERAND_SIZE; count], LONG_NOP.to_vec()].concat();
    let recommended = RECOMMENDED_NOPS.iter().map(|nop| nop.to_vec());
    recommended.chain((1..=LONGEST - LONG_NOP.len()).map(prefixed)).collect()
}
