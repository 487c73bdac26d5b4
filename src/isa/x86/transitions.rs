//! States of x86 that instructions enter and leave.

use crate::isa::Transition;

/// Upper halves of vectors, the control of floating point, the tags of MMX.
pub(super) const ALL: &[Transition] = &[
    // Behind it SSE instructions need not merge with upper halves.
    Transition { name: "vzeroupper", enter: &[("VORPSYrr", &[]), ("VZEROUPPER", &[])], leave: &[] },
    // SSE instructions keep upper halves that are not zero: cores merge, or save them (Skylake and Haswell).
    Transition { name: "dirty-upper", enter: &[("VORPSYrr", &[])], leave: &[("VZEROUPPER", &[])] },
    Transition { name: "mxcsr", enter: &[("LDMXCSR", &[])], leave: &[("LDMXCSR", &[])] },
    Transition { name: "mmx", enter: &[("MMX_PORrr", &[])], leave: &[("MMX_EMMS", &[])] },
];
