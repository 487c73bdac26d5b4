//! Vector forms under each configuration in which they are legal. LLVM's opcodes name single
//! registers whatever the configuration; how many registers an operand takes follows from the
//! element width (SEW), the group length (LMUL) and the form. Source: RISC-V unprivileged ISA,
//! chapter "V", sections 5.2, 6, 10 to 16; chapter "Vector cryptography" for element groups.

use super::super::names;
use super::vector_memory::{Pattern, VectorAccess};
use super::vector_shapes::{
    GROUPS, REDUCTIONS, SAME, Shape, Shapes, WIDENING_REDUCTIONS, WIDEST, shapes_of,
};
use crate::form::{InstructionForm, Placeholder};
use crate::metadata::{
    ClassId, InstructionSet, Opcode, OpcodeId, OperandInfo, OperandKind, VectorConfiguration,
};

/// Element widths that forms of a kind have.
const INTEGERS: &[u32] = &[8, 16, 32, 64];
const FLOATS: &[u32] = &[16, 32, 64];
/// Element widths of the headline, the best first; its group is one register.
const HEADLINE_WIDTHS: [u32; 4] = [32, 64, 16, 8];

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
}
