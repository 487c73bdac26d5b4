//! Vector forms under each configuration in which they are legal. LLVM's opcodes name single
//! registers whatever the configuration; how many registers an operand takes follows from the
//! element width (SEW), the group length (LMUL) and the form. Source: RISC-V unprivileged ISA,
//! chapter "V", sections 5.2, 6, 10 to 16; chapter "Vector cryptography" for element groups.

use super::super::names;
use super::vector_memory::{Pattern, VectorAccess};
use crate::form::{InstructionForm, Placeholder};
use crate::metadata::{
    ClassId, InstructionSet, Opcode, OpcodeId, OperandInfo, OperandKind, VectorConfiguration,
};

/// What an operand takes, relative to the element width and group length of the configuration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// Elements as wide as `numerator / denominator` of SEW, as many as there are in a group.
    Elements { numerator: u32, denominator: u32 },
    /// As many elements of this width.
    Fixed(u32),
    /// One bit for each element: one register.
    Mask,
    /// A single element of so many SEW, or a single group of elements: one register.
    Single(u32),
}

const SAME: Shape = Shape::Elements { numerator: 1, denominator: 1 };
const DOUBLE: Shape = Shape::Elements { numerator: 2, denominator: 1 };
const SINGLE: Shape = Shape::Single(1);

/// Element widths that forms of a kind have.
const INTEGERS: &[u32] = &[8, 16, 32, 64];
const FLOATS: &[u32] = &[16, 32, 64];
/// Widest element of the V extension.
const WIDEST: u32 = 64;

/// Element widths of the headline, the best first; its group is one register.
const HEADLINE_WIDTHS: [u32; 4] = [32, 64, 16, 8];

/// Group lengths as powers of two: an eighth of a register to eight registers.
const GROUPS: std::ops::RangeInclusive<i8> = -3..=3;

/// Forms with an element width of their own, by the start of their names.
const WIDTHS: &[(&[&str], &[u32])] = &[
    (&["VCLMUL", "VCLMULH"], &[64]),
    (&["VAESDF", "VAESDM", "VAESEF", "VAESEM", "VAESKF1", "VAESKF2", "VAESZ"], &[32]),
    (&["VGHSH", "VGMUL"], &[32]),
    (&["VSM3C", "VSM3ME", "VSM4K", "VSM4R"], &[32]),
    (&["VSHA2CH", "VSHA2CL", "VSHA2MS"], &[32, 64]),
    (&["VFWCVTBF16", "VFNCVTBF16", "VFWMACCBF16"], &[16]),
    // Between integers of one width and floating-point numbers of twice it.
    (
        &[
            "VFWCVT_F_X_V",
            "VFWCVT_F_XU_V",
            "VFNCVT_X_F_W",
            "VFNCVT_RTZ_X_F_W",
            "VFNCVT_RTZ_XU_F_W",
            "VFNCVT_XU_F_W",
        ],
        &[8, 16, 32],
    ),
];

/// Instructions whose elements are floating-point numbers.
const FLOATING_POINT: &[&str] = &[
    "VFADD",
    "VFCLASS",
    "VFCVT",
    "VFDIV",
    "VFMACC",
    "VFMADD",
    "VFMAX",
    "VFMERGE",
    "VFMIN",
    "VFMSAC",
    "VFMSUB",
    "VFMUL",
    "VFMV",
    "VFNCVT",
    "VFNCVTBF16",
    "VFNMACC",
    "VFNMADD",
    "VFNMSAC",
    "VFNMSUB",
    "VFRDIV",
    "VFREC7",
    "VFREDMAX",
    "VFREDMIN",
    "VFREDOSUM",
    "VFREDUSUM",
    "VFRSQRT7",
    "VFRSUB",
    "VFSGNJ",
    "VFSGNJN",
    "VFSGNJX",
    "VFSLIDE1DOWN",
    "VFSLIDE1UP",
    "VFSQRT",
    "VFSUB",
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
    "VMFEQ",
    "VMFGE",
    "VMFGT",
    "VMFLE",
    "VMFLT",
    "VMFNE",
];

/// Whether the elements of a vector instruction are floating-point numbers.
pub(super) fn is_floating_point(opcode: &str) -> bool {
    names::is_any(opcode, FLOATING_POINT)
}

fn element_widths(name: &str) -> &'static [u32] {
    match VectorAccess::of(name) {
        Some(VectorAccess { pattern: Pattern::Unit | Pattern::Strided, width, .. }) => {
            return INTEGERS
                .iter()
                .position(|&known| known == width)
                .map_or(&[], |at| &INTEGERS[at..=at]);
        }
        Some(_) => return INTEGERS,
        None => {}
    }
    let own = WIDTHS
        .iter()
        .find(|(opcodes, _)| names::is_any(names::without_configuration(name), opcodes));
    let floats = is_floating_point(name);
    own.map_or(if floats { FLOATS } else { INTEGERS }, |&(_, widths)| widths)
}

/// The operands after the result: in the order in which LLVM has them.
struct Shapes {
    result: Shape,
    sources: [Shape; 2],
    /// How many of what is loaded or stored a tuple of registers has.
    fields: u32,
}

const fn shapes(result: Shape, first: Shape, second: Shape) -> Shapes {
    Shapes { result, sources: [first, second], fields: 1 }
}

/// The shapes of a load or store: what is stored is the first source.
fn shapes_of_access(name: &str, access: VectorAccess) -> Shapes {
    let data = match access.pattern {
        Pattern::Mask => Shape::Mask,
        Pattern::Unit | Pattern::Strided => Shape::Fixed(access.width),
        Pattern::Indexed => SAME,
    };
    let index = match access.pattern {
        Pattern::Indexed => Shape::Fixed(access.width),
        Pattern::Mask | Pattern::Unit | Pattern::Strided => data,
    };
    let stores = name.starts_with("VS");
    let sources = if stores { [data, index] } else { [index, data] };
    Shapes { result: data, sources, fields: access.fields }
}

/// Comparisons and carries, which write a mask.
const INTO_MASK: &[&str] = &[
    "VMADC", "VMFEQ", "VMFGE", "VMFGT", "VMFLE", "VMFLT", "VMFNE", "VMSBC", "VMSEQ", "VMSGT",
    "VMSGTU", "VMSLE", "VMSLEU", "VMSLT", "VMSLTU", "VMSNE",
];

/// Instructions whose results are twice as wide as their elements.
const WIDENING: &[&str] = &[
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
const NARROWING: &[&str] = &["VFNCVT", "VFNCVTBF16", "VNCLIP", "VNCLIPU", "VNSRA", "VNSRL"];

/// Second parts of names that say that the first source is twice as wide.
const WIDE_SOURCE: &[&str] = &["WV", "WX", "WI", "WF", "W"];

/// Reductions that widen.
const WIDENING_REDUCTIONS: &[&str] = &["VFWREDOSUM", "VFWREDUSUM", "VWREDSUM", "VWREDSUMU"];

/// Moves between a scalar and the first element.
const ELEMENT_MOVES: &[&str] = &["VMV_X_S", "VMV_S_X", "VFMV_F_S", "VFMV_S_F"];

/// The shapes of an instruction's operands, told from its name.
fn shapes_of(name: &str) -> Shapes {
    if let Some(access) = VectorAccess::of(name) {
        return shapes_of_access(name, access);
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
    fn group(self, configuration: VectorConfiguration) -> Option<i8> {
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

/// Configurations in which every operand is legal, the headline's first.
fn configurations(name: &str) -> Vec<VectorConfiguration> {
    let shapes = shapes_of(name);
    let legal = |configuration: VectorConfiguration| {
        let operands = [shapes.result, shapes.sources[0], shapes.sources[1]];
        // A narrower group than one element of the widest kind is not offered by all cores.
        let whole = 1 << configuration.group.max(0) as u32;
        let fits = configuration.group >= 0
            || configuration.element_bits << -configuration.group <= WIDEST * whole;
        let segment = |shape: Shape| {
            shape.group(configuration).is_some_and(|group| shapes.fields << group.max(0) <= 8)
        };
        fits && operands.iter().all(|shape| shape.group(configuration).is_some())
            && segment(shapes.result)
    };
    let mut out: Vec<VectorConfiguration> = element_widths(name)
        .iter()
        .flat_map(|&element_bits| {
            GROUPS.map(move |group| VectorConfiguration { element_bits, group, masked: false })
        })
        .filter(|&configuration| legal(configuration))
        .collect();
    let headline = HEADLINE_WIDTHS.iter().find_map(|&width| {
        out.iter().position(|known| known.element_bits == width && known.group == 0)
    });
    if let Some(position) = headline {
        out[..=position].rotate_right(1);
    }
    out
}

/// Letters of vendors whose vector opcodes have shapes of their own.
const VENDORS: &[&str] = &["NDS", "RI", "SF", "SMT", "TH"];

/// Whether a form takes its configuration from VTYPE, and has it from no memory operand.
fn is_configured(opcode: &Opcode, set: &InstructionSet) -> bool {
    let reads = |name: &str| {
        set.register_by_name(name).is_some_and(|register| opcode.implicit_uses.contains(&register))
    };
    let flags = opcode.flags;
    !flags.pseudo
        && (VectorAccess::of(&opcode.name).is_some() || !(flags.may_load || flags.may_store))
        && !VENDORS.contains(&names::first_part(&opcode.name))
        && reads("VTYPE")
        // Moves of whole registers have no use for VL.
        && reads("VL")
}

/// Classes of groups and scalars, by what takes them.
struct Classes<'a> {
    set: &'a InstructionSet,
}

impl Classes<'_> {
    fn of(&self, name: &str) -> Option<ClassId> {
        let position = self.set.classes.iter().position(|class| class.name == name);
        position.map(|position| ClassId(position as u32))
    }

    /// Groups of so many registers, without `v0` where that is the mask.
    fn group(&self, group: i8, masked: bool) -> Option<ClassId> {
        let name = match (group, masked) {
            (..=0, false) => "VR",
            (..=0, true) => "VRNoV0",
            (1, false) => "VRM2",
            (1, true) => "VRM2NoV0",
            (2, false) => "VRM4",
            (2, true) => "VRM4NoV0",
            (_, false) => "VRM8",
            (_, true) => "VRM8NoV0",
        };
        self.of(name)
    }

    /// Tuples of so many groups: one for each field of a segment.
    fn tuple(&self, fields: u32, group: i8, masked: bool) -> Option<ClassId> {
        if fields == 1 {
            return self.group(group, masked);
        }
        let behind = if masked { "NoV0" } else { "" };
        self.of(&format!("VRN{fields}M{}{behind}", 1 << group.max(0)))
    }

    /// Scalars as wide as the elements.
    fn scalar(&self, element_bits: u32) -> Option<ClassId> {
        self.of(match element_bits {
            16 => "FPR16",
            32 => "FPR32",
            _ => "FPR64",
        })
    }

    fn name(&self, info: &OperandInfo) -> &str {
        match info.kind {
            OperandKind::Register(class) => &self.set.class(class).name,
            _ => "",
        }
    }
}

/// Classes of vector registers, their groups, and tuples of them.
const VECTOR_CLASSES: &[&str] = &[
    "VR",
    "VRNoV0",
    "VRM2",
    "VRM2NoV0",
    "VRM4",
    "VRM4NoV0",
    "VRM8",
    "VRM8NoV0",
    "VRN2M1NoV0",
    "VRN3M1NoV0",
    "VRN4M1NoV0",
    "VRN5M1NoV0",
    "VRN6M1NoV0",
    "VRN7M1NoV0",
    "VRN8M1NoV0",
    "VRN2M2NoV0",
    "VRN3M2NoV0",
    "VRN4M2NoV0",
    "VRN2M4NoV0",
];

/// The class of LLVM's that a mask operand has.
const MASK_CLASS: &str = "VMV0";

/// Forms that cannot do without a mask: `vadc.vvm`.
fn needs_mask(name: &str) -> bool {
    matches!(names::last_part(name), "VVM" | "VXM" | "VIM" | "VFM")
}

/// The operands of an opcode under a configuration, if the group is legal everywhere.
fn operands(
    opcode: &Opcode,
    configuration: VectorConfiguration,
    classes: &Classes<'_>,
) -> Option<Vec<OperandInfo>> {
    let shapes = shapes_of(&opcode.name);
    let uses_mask = configuration.masked || needs_mask(&opcode.name);
    let mut sources = shapes.sources.iter();
    let mut out = Vec::with_capacity(opcode.operands.len());
    // Accumulators have a scalar or vector, then a vector.
    for (index, info) in opcode.operands.iter().enumerate() {
        let class = match (classes.name(info), info.tied_to) {
            ("VR", Some(_)) => classes.group(shapes.result.group(configuration)?, uses_mask),
            ("VR", None) if index < opcode.definitions => {
                classes.tuple(shapes.fields, shapes.result.group(configuration)?, uses_mask)
            }
            ("VR", None) => {
                let shape = sources.next().unwrap_or(&SAME);
                // What a store writes is its first operand.
                let fields = if index == 0 { shapes.fields } else { 1 };
                classes.tuple(fields, shape.group(configuration)?, uses_mask)
            }
            ("FPR32", _) => {
                // The second source of what has a wide first one, or the only one.
                sources.next();
                classes.scalar(configuration.element_bits)
            }
            ("GPR", _) if index >= opcode.definitions => {
                sources.next();
                None
            }
            _ => None,
        };
        out.push(OperandInfo {
            kind: class.map_or(info.kind, OperandKind::Register),
            // A result and a source of other element widths may not overlap at will.
            early_clobber: info.early_clobber
                || index < opcode.definitions && !may_overlap(&opcode.name, &shapes),
            ..*info
        });
    }
    Some(out)
}

/// Cryptographic forms whose result must not overlap a source.
const APART: &[&str] = &["VSHA2CH", "VSHA2CL", "VSHA2MS", "VSM3C", "VSM3ME"];

/// Reductions, whose result may overlap anything.
const REDUCTIONS: &[&str] = &[
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

/// Whether a result may stand where a source does: all take the same registers, or it is free to.
fn may_overlap(name: &str, shapes: &Shapes) -> bool {
    let alike = shapes.sources.iter().all(|&source| source == shapes.result);
    (alike || names::is_any(name, REDUCTIONS)) && !names::is_any(name, APART)
}

/// Gives each vector opcode its configurations: the headline's becomes the opcode's own, every
/// other, and the headline's under a mask, an opcode beside it.
pub(super) fn configure(set: &mut InstructionSet) {
    let configured: Vec<OpcodeId> = (0..set.opcodes.len() as u32)
        .map(OpcodeId)
        .filter(|&id| is_configured(set.opcode(id), set))
        .collect();
    for id in configured {
        let opcode = set.opcode(id);
        let classes = Classes { set };
        let mut wanted = configurations(&opcode.name);
        let optional = opcode.operands.iter().any(|info| classes.name(info) == MASK_CLASS)
            && !needs_mask(&opcode.name);
        if let Some(&headline) = wanted.first()
            && optional
        {
            wanted.push(VectorConfiguration { masked: true, ..headline });
        }
        let variants: Vec<_> = wanted
            .into_iter()
            .filter_map(|wanted| Some((wanted, operands(opcode, wanted, &classes)?)))
            .collect();
        set.configure(id, variants);
    }
}

/// Whether a mask operand is left out.
pub(super) fn is_unmasked(set: &InstructionSet, opcode: &Opcode, index: usize) -> bool {
    let OperandKind::Register(class) = opcode.operands[index].kind else { return false };
    let configured = set.by_name(&opcode.name).and_then(|id| set.configuration(id));
    set.class(class).name == MASK_CLASS
        && configured.is_some_and(|configuration| !configuration.masked)
        && !needs_mask(&opcode.name)
}

/// Forms that leave elements of the result as they were even without a mask.
const KEEPING: &[&str] = &["VSLIDEUP"];

/// Under a mask the elements that it leaves out stay (`mu`), so that the result is read; LLVM
/// says so only where it is tied.
pub(super) fn correct(form: &mut InstructionForm, set: &InstructionSet) {
    let masked = set.configuration(form.opcode).is_some_and(|known| known.masked);
    let reduces =
        names::is_any(&form.name, REDUCTIONS) || names::is_any(&form.name, WIDENING_REDUCTIONS);
    let keeps = masked && !reduces;
    if !(keeps || names::is_any(&form.name, KEEPING))
        || form.operands.iter().any(|operand| operand.tied_to == Some(0))
    {
        return;
    }
    let Some(result) = form.operands.first_mut() else { return };
    let Placeholder::Register(class) = result.kind else { return };
    result.read |= result.write && VECTOR_CLASSES.contains(&set.class(class).name.as_str());
}

#[cfg(test)]
mod tests {
    use super::*;

    fn legal(name: &str) -> Vec<String> {
        configurations(name).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn the_headline_comes_first() {
        assert_eq!(legal("VADD_VV")[0], "e32m1");
        assert_eq!(legal("VCLMUL_VV")[0], "e64m1");
        assert_eq!(legal("VFWMUL_VV")[0], "e32m1");
        assert_eq!(legal("VZEXT_VF4")[0], "e32m1");
        assert_eq!(legal("VZEXT_VF8")[0], "e64m1");
        assert_eq!(legal("VFWCVTBF16_F_F_V")[0], "e16m1");
    }

    #[test]
    fn only_legal_configurations_are_offered() {
        assert_eq!(legal("VADD_VV").len(), 4 + 5 + 6 + 7);
        for illegal in ["e64mf2", "e32mf4", "e16mf8", "e64m16"] {
            assert!(!legal("VADD_VV").contains(&illegal.to_owned()), "{illegal}");
        }
        // Twice the width must exist, and twice the group.
        assert!(
            legal("VWADD_VV").iter().all(|name| !name.starts_with("e64") && !name.ends_with("m8"))
        );
        assert!(legal("VNSRL_WV").contains(&"e8mf8".to_owned()));
        // A quarter of the group must be an eighth of a register at least.
        assert!(legal("VSEXT_VF4").contains(&"e32mf2".to_owned()));
        assert!(
            legal("VSEXT_VF4")
                .iter()
                .all(|name| name.starts_with("e32") || name.starts_with("e64"))
        );
        assert!(legal("VSEXT_VF8").iter().all(|name| name.starts_with("e64")));
        assert!(legal("VFADD_VV").iter().all(|name| !name.starts_with("e8m")));
        // 16-bit indices of bytes take twice the registers.
        assert!(!legal("VRGATHEREI16_VV").contains(&"e8m8".to_owned()));
        assert!(legal("VWREDSUM_VS").iter().all(|name| !name.starts_with("e64")));
    }

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
