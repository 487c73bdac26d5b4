//! States of RISC-V that instructions enter and leave.

use crate::isa::Transition;

/// `frm`, the CSR of the rounding mode (RISC-V unprivileged specification, table of CSRs), as the operand of
/// CSRRW.
const ROUNDING: &[(usize, i64)] = &[(1, 0x002)];

/// The rounding of floating point.
pub(super) const ALL: &[Transition] =
    &[Transition { name: "frm", enter: &[("CSRRW", ROUNDING)], leave: &[("CSRRW", ROUNDING)] }];
