//! What the operands of vector instructions take: elements as wide as the configuration's or wider, a
//! mask, a single element. Source: RISC-V unprivileged ISA, chapter "V", sections 5.2 and 7 to 16.

use super::super::names;
use super::vector_memory::{Pattern, VectorAccess};
use crate::metadata::VectorConfiguration;

/// Widest element of the V extension.
pub(super) const WIDEST: u32 = 64;

/// Group lengths as powers of two: an eighth of a register to eight registers.
pub(super) const GROUPS: std::ops::RangeInclusive<i8> = -3..=3;

/// What an operand takes, relative to the element width and group length of the configuration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// Elements as wide as `numerator / denominator` of SEW, as many as there are in a group.
    Elements { numerator: u32, denominator: u32 },
    /// As many elements of this width.
    Fixed(u32),
    /// One bit for each element: one register.
    Mask,
    /// A single element of so many SEW, or a single group of elements: one register.
    Single(u32),
}

pub(super) const SAME: Shape = Shape::Elements { numerator: 1, denominator: 1 };
pub(super) const DOUBLE: Shape = Shape::Elements { numerator: 2, denominator: 1 };
pub(super) const SINGLE: Shape = Shape::Single(1);

/// The operands after the result: in the order in which LLVM has them.
pub(super) struct Shapes {
    pub result: Shape,
    pub sources: [Shape; 2],
    /// How many of what is loaded or stored a tuple of registers has.
    pub fields: u32,
}

pub(super) const fn shapes(result: Shape, first: Shape, second: Shape) -> Shapes {
    Shapes { result, sources: [first, second], fields: 1 }
}

/// The shapes of a load or store: what is stored is the first source.
pub(super) fn shapes_of_access(access: VectorAccess) -> Shapes {
    let data = match access.pattern {
        Pattern::Mask => Shape::Mask,
        Pattern::Unit | Pattern::Strided => Shape::Fixed(access.width),
        Pattern::Indexed => SAME,
    };
    let index = match access.pattern {
        Pattern::Indexed => Shape::Fixed(access.width),
        Pattern::Mask | Pattern::Unit | Pattern::Strided => data,
    };
    let sources = if access.stores { [data, index] } else { [index, data] };
    Shapes { result: data, sources, fields: access.fields }
}

/// Comparisons and carries, which write a mask.
pub(super) const INTO_MASK: &[&str] = &[
    "VMADC", "VMFEQ", "VMFGE", "VMFGT", "VMFLE", "VMFLT", "VMFNE", "VMSBC", "VMSEQ", "VMSGT",
    "VMSGTU", "VMSLE", "VMSLEU", "VMSLT", "VMSLTU", "VMSNE",
];

/// Instructions whose results are twice as wide as their elements.
pub(super) const WIDENING: &[&str] = &[
    "VFWADD",
    "VFWCVT",
    "VFWCVTBF16",
    "VFWMACC",
    "VFWMACCBF16",
    "VFWMSAC",
    "VFWMUL",
    "VFWNMACC",
    "VFWNMSAC",
    "VFWREDOSUM",
    "VFWREDUSUM",
    "VFWSUB",
    "VWADD",
    "VWADDU",
    "VWMACC",
    "VWMACCSU",
    "VWMACCU",
    "VWMACCUS",
    "VWMUL",
    "VWMULSU",
    "VWMULU",
    "VWREDSUM",
    "VWREDSUMU",
    "VWSLL",
    "VWSUB",
    "VWSUBU",
];

/// Those whose elements are twice as wide as their results.
pub(super) const NARROWING: &[&str] =
    &["VFNCVT", "VFNCVTBF16", "VNCLIP", "VNCLIPU", "VNSRA", "VNSRL"];

/// Second parts of names that say that the first source is twice as wide.
pub(super) const WIDE_SOURCE: &[&str] = &["WV", "WX", "WI", "WF", "W"];

/// Reductions that widen.
pub(super) const WIDENING_REDUCTIONS: &[&str] =
    &["VFWREDOSUM", "VFWREDUSUM", "VWREDSUM", "VWREDSUMU"];

/// Moves between a scalar and the first element.
pub(super) const ELEMENT_MOVES: &[&str] = &["VMV_X_S", "VMV_S_X", "VFMV_F_S", "VFMV_S_F"];

/// The shapes of an instruction's operands, told from its name.
pub(super) fn shapes_of(name: &str) -> Shapes {
    if let Some(access) = VectorAccess::of(name) {
        return shapes_of_access(access);
    }
    let (stem, suffix) = name.rsplit_once('_').unwrap_or((name, ""));
    let extended = ["VF2", "VF4", "VF8"].iter().position(|&end| end == suffix);
    if let Some(position) = extended {
        let narrow = Shape::Elements { numerator: 1, denominator: 2 << position };
        return shapes(SAME, narrow, narrow);
    }
    match suffix {
        "MM" => return shapes(Shape::Mask, Shape::Mask, Shape::Mask),
        "VM" => return shapes(SAME, SAME, Shape::Mask),
        "M" if names::is_any(name, &["VIOTA", "VCPOP", "VFIRST"]) => {
            return shapes(SAME, Shape::Mask, Shape::Mask);
        }
        "M" => return shapes(Shape::Mask, Shape::Mask, Shape::Mask),
        "VS" if names::is_any(name, WIDENING_REDUCTIONS) => {
            return shapes(Shape::Single(2), SAME, Shape::Single(2));
        }
        "VS" if names::is_any(name, REDUCTIONS) => return shapes(SINGLE, SAME, SINGLE),
        "VS" => return shapes(SAME, SINGLE, SINGLE),
        "S" | "X" | "F" if ELEMENT_MOVES.contains(&names::without_configuration(name)) => {
            return shapes(SINGLE, SINGLE, SINGLE);
        }
        _ => {}
    }
    if names::is_any(name, INTO_MASK) {
        return shapes(Shape::Mask, SAME, SAME);
    }
    if stem == "VRGATHEREI16" {
        return shapes(SAME, SAME, Shape::Fixed(16));
    }
    if names::is_any(name, WIDENING) {
        // `vwadd.wv` has a wide first source, `vwadd.vv` has none.
        let wide = WIDE_SOURCE.contains(&suffix);
        return shapes(DOUBLE, if wide { DOUBLE } else { SAME }, SAME);
    }
    if names::is_any(name, NARROWING) && WIDE_SOURCE.contains(&suffix) {
        return shapes(SAME, DOUBLE, SAME);
    }
    shapes(SAME, SAME, SAME)
}

impl Shape {
    /// Width of its elements, as a multiple of bits.
    fn width(self, configuration: VectorConfiguration) -> Option<u32> {
        let element = configuration.element_bits;
        match self {
            Self::Elements { numerator, denominator } => {
                (element * numerator).checked_div(denominator)
            }
            Self::Fixed(bits) => Some(bits),
            Self::Mask => None,
            Self::Single(factor) => Some(element * factor),
        }
    }

    /// Registers as a power of two, if that is legal.
    pub fn group(self, configuration: VectorConfiguration) -> Option<i8> {
        let width = self.width(configuration);
        if width.is_some_and(|width| !(8..=WIDEST).contains(&width)) {
            return None;
        }
        match (self, width) {
            (Self::Mask | Self::Single(_), _) | (_, None) => Some(0),
            (_, Some(width)) => {
                let ratio = width.ilog2() as i8 - configuration.element_bits.ilog2() as i8;
                let group = configuration.group + ratio;
                GROUPS.contains(&group).then_some(group)
            }
        }
    }
}

/// Reductions, whose result may overlap anything.
pub(super) const REDUCTIONS: &[&str] = &[
    "VFREDMAX",
    "VFREDMIN",
    "VFREDOSUM",
    "VFREDUSUM",
    "VREDAND",
    "VREDMAX",
    "VREDMAXU",
    "VREDMIN",
    "VREDMINU",
    "VREDOR",
    "VREDSUM",
    "VREDXOR",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_are_told_by_name() {
        let of = |name: &str| {
            let shapes = shapes_of(name);
            (shapes.result, shapes.sources[0], shapes.sources[1])
        };
        assert_eq!(of("VWADD_VV"), (DOUBLE, SAME, SAME));
        assert_eq!(of("VWADD_WX"), (DOUBLE, DOUBLE, SAME));
        assert_eq!(of("VNCLIP_WI"), (SAME, DOUBLE, SAME));
        assert_eq!(of("VNMSAC_VV"), (SAME, SAME, SAME));
        assert_eq!(of("VFNMADD_VV"), (SAME, SAME, SAME));
        assert_eq!(of("VFNCVT_F_F_W"), (SAME, DOUBLE, SAME));
        assert_eq!(of("VMFLT_VF"), (Shape::Mask, SAME, SAME));
        assert_eq!(of("VMSBF_M"), (Shape::Mask, Shape::Mask, Shape::Mask));
        assert_eq!(of("VMSBC_VVM"), (Shape::Mask, SAME, SAME));
        assert_eq!(of("VREDSUM_VS"), (SINGLE, SAME, SINGLE));
        assert_eq!(of("VAESDF_VS"), (SAME, SINGLE, SINGLE));
        assert_eq!(of("VMV_V_X"), (SAME, SAME, SAME));
        assert_eq!(of("VFMV_S_F"), (SINGLE, SINGLE, SINGLE));
        assert_eq!(of("VCOMPRESS_VM"), (SAME, SAME, Shape::Mask));
    }
}
