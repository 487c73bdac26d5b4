//! States of x86 that instructions enter and leave.

use crate::isa::Transition;

/// Upper halves of vectors, the control of floating point, the tags of MMX.
pub(super) const ALL: &[Transition] = &[
    // Behind it SSE instructions need not merge with upper halves.
    Transition {
        name: "vzeroupper",
        enter: &[("VORPSYrr", None), ("VZEROUPPER", None)],
        leave: &[],
    },
    // SSE instructions keep upper halves that are not zero: cores merge, or save them (Skylake and Haswell).
    Transition {
        name: "dirty-upper",
        enter: &[("VORPSYrr", None)],
        leave: &[("VZEROUPPER", None)],
    },
    Transition { name: "mxcsr", enter: &[("LDMXCSR", None)], leave: &[("LDMXCSR", None)] },
    Transition { name: "mmx", enter: &[("MMX_PORrr", None)], leave: &[("MMX_EMMS", None)] },
];
