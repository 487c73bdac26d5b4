//! Passages of RISC-V. They write to registers that functions may.

use super::super::{AdjacentPair, Passages, RandomBranch};
use super::RiscV;

const PAIRS: &[AdjacentPair] = &[
    // lui a0, 1; addi a0, a0, 1
    AdjacentPair::new("lui, addi", &[0x37, 0x15, 0x00, 0x00], &[0x13, 0x05, 0x15, 0x00]),
    // auipc a0, 0; addi a0, a0, 16
    AdjacentPair::new("auipc, addi", &[0x17, 0x05, 0x00, 0x00], &[0x13, 0x05, 0x05, 0x01]),
    // slli a0, a0, 32; srli a0, a0, 32
    AdjacentPair::new("slli, srli", &[0x13, 0x15, 0x05, 0x02], &[0x13, 0x55, 0x05, 0x02]),
    // slli a0, a0, 1; add a0, a0, a1
    AdjacentPair::new("slli, add", &[0x13, 0x15, 0x15, 0x00], &[0x33, 0x05, 0xB5, 0x00]),
];

/// `lui t1, a; addi t1, t1, b; mul a0, a0, t1; add a0, a0, t1; bltz a0`: a number that is one more than a
/// multiple of 4 gives all numbers of 64 bits in turn.
const RANDOM: RandomBranch = RandomBranch {
    step: &[
        0x37, 0x83, 0x95, 0x4C, 0x13, 0x03, 0xD3, 0x72, 0x33, 0x05, 0x65, 0x02, 0x33, 0x05, 0x65,
        0x00,
    ],
    on_number: &[0x63, 0x42, 0x05, 0x00],
    // bltu a0, a0
    never: &[0x63, 0x62, 0xA5, 0x00],
};

impl Passages for RiscV {
    fn adjacent_pairs(&self) -> &'static [AdjacentPair] {
        PAIRS
    }

    fn random_branch(&self) -> Option<RandomBranch> {
        Some(RANDOM)
    }
}
