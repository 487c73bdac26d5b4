//! States of AArch64 that instructions enter and leave.

use super::streaming;
use crate::isa::Transition;

/// FPCR by its fields op0 = 3, op1 = 3, CRn = 4, CRm = 4, op2 = 0 (Arm ARM, C5.2.8), as the operand of MSR.
const FPCR: &[(usize, i64)] = &[(0, 0xDA20)];

/// The control of floating point; streaming mode and ZA, both or one of them.
pub(super) const ALL: &[Transition] = &[
    Transition { name: "fpcr", enter: &[("MSR", FPCR)], leave: &[("MSR", FPCR)] },
    Transition {
        name: "streaming",
        enter: &[(streaming::SWITCH, &[])],
        leave: &[(streaming::SWITCH, &[streaming::STOP])],
    },
    Transition {
        name: "streaming-sm",
        enter: &[(streaming::SWITCH, &[streaming::ONLY_MODE])],
        leave: &[(streaming::SWITCH, &[streaming::ONLY_MODE, streaming::STOP])],
    },
    Transition {
        name: "streaming-za",
        enter: &[(streaming::SWITCH, &[streaming::ONLY_STORAGE])],
        leave: &[(streaming::SWITCH, &[streaming::ONLY_STORAGE, streaming::STOP])],
    },
];
