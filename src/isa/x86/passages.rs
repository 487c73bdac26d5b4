//! Passages of x86-64. They write to registers that functions may, and read R15, which counts the loop.

use super::super::{AdjacentPair, Passages, RandomBranch};
use super::X86;

/// `je` and `jo` to what follows.
const IF_EQUAL: &[u8] = &[0x74, 0x00];
const IF_OVERFLOW: &[u8] = &[0x70, 0x00];

/// Comparisons of what is hardly ever equal with the counter, which is not zero, and results that are hardly ever zero.
const PAIRS: &[AdjacentPair] = &[
    AdjacentPair::new("cmp, jcc", &[0x4C, 0x39, 0xF8], IF_EQUAL), // cmp rax, r15
    AdjacentPair::new("test, jcc", &[0x4D, 0x85, 0xFF], IF_EQUAL), // test r15, r15
    AdjacentPair::new("and, jcc", &[0x48, 0x83, 0xE0, 0xFF], IF_OVERFLOW), // and rax, -1
    AdjacentPair::new("add, jcc", &[0x48, 0x83, 0xC0, 0x01], IF_EQUAL), // add rax, 1
    AdjacentPair::new("sub, jcc", &[0x48, 0x83, 0xE8, 0x01], IF_EQUAL), // sub rax, 1
    AdjacentPair::new("inc, jcc", &[0x48, 0xFF, 0xC0], IF_EQUAL), // inc rax
    AdjacentPair::new("dec, jcc", &[0x48, 0xFF, 0xC8], IF_EQUAL), // dec rax
    AdjacentPair::new("xor, jcc", &[0x48, 0x31, 0xC8], IF_OVERFLOW), // xor rax, rcx
    AdjacentPair::new("mov, add", &[0x48, 0x89, 0xC8], &[0x48, 0x83, 0xC0, 0x01]), // mov rax, rcx
];

/// `imul rax, rax, a; add rax, a; test rax, rax; js`: a number that is one more than a multiple of 4 gives
/// all numbers of 64 bits in turn.
const RANDOM: RandomBranch = RandomBranch {
    step: &[
        0x48, 0x69, 0xC0, 0x2D, 0x7F, 0x95, 0x4C, 0x48, 0x05, 0x2D, 0x7F, 0x95, 0x4C, 0x48, 0x85,
        0xC0,
    ],
    on_number: &[0x78, 0x00],
    never: IF_OVERFLOW,
};

impl Passages for X86 {
    fn adjacent_pairs(&self) -> &'static [AdjacentPair] {
        PAIRS
    }

    fn random_branch(&self) -> Option<RandomBranch> {
        Some(RANDOM)
    }
}
