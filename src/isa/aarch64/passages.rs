//! Passages of AArch64. They write to registers that functions may.

use super::super::{AdjacentPair, Passages, RandomBranch};
use super::AArch64;

/// `b.vs` to what follows.
const IF_OVERFLOW: &[u8] = &[0x26, 0x00, 0x00, 0x54];

const PAIRS: &[AdjacentPair] = &[
    AdjacentPair::new("cmp, b.cond", &[0x3F, 0x01, 0x09, 0xEB], IF_OVERFLOW), // cmp x9, x9
    AdjacentPair::new("tst, b.cond", &[0x3F, 0x01, 0x09, 0xEA], IF_OVERFLOW), // tst x9, x9
    AdjacentPair::new("adds, b.cond", &[0x29, 0x01, 0x1F, 0xAB], IF_OVERFLOW), // adds x9, x9, xzr
    // aese v0.16b, v1.16b; aesmc v0.16b, v0.16b
    AdjacentPair::new("aese, aesmc", &[0x20, 0x48, 0x28, 0x4E], &[0x00, 0x68, 0x28, 0x4E]),
    // mov x9, 1; movk x9, 1, lsl 16
    AdjacentPair::new("movz, movk", &[0x29, 0x00, 0x80, 0xD2], &[0x29, 0x00, 0xA0, 0xF2]),
    // adrp x9, 0; add x9, x9, 16
    AdjacentPair::new("adrp, add", &[0x09, 0x00, 0x00, 0x90], &[0x29, 0x41, 0x00, 0x91]),
];

/// `mov x10, a; madd x9, x9, x10, x10; tst x9, x9; b.mi`: a number that is one more than a multiple of 4
/// gives all numbers of 64 bits in turn.
const RANDOM: RandomBranch = RandomBranch {
    step: &[
        0xAA, 0xE5, 0x8F, 0xD2, 0xAA, 0x92, 0xA9, 0xF2, 0x29, 0x29, 0x0A, 0x9B, 0x3F, 0x01, 0x09,
        0xEA,
    ],
    on_number: &[0x24, 0x00, 0x00, 0x54],
    never: IF_OVERFLOW,
};

impl Passages for AArch64 {
    fn adjacent_pairs(&self) -> &'static [AdjacentPair] {
        PAIRS
    }

    fn random_branch(&self) -> Option<RandomBranch> {
        Some(RANDOM)
    }
}
