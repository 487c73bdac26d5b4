//! Which opcodes access memory that no operand of theirs names, and which name an address that they
//! do not access. Sources: Intel SDM volume 2, AMD64 APM volume 3.

use super::super::names;
use crate::form::{AddressPart, InstructionForm, MemoryAccess, Site};
use crate::isa::{PlainMove, Restored, Restorer};
use crate::metadata::{InstructionSet, Opcode, OperandKind};

/// Opcodes that touch memory through registers they imply, by their stems or names.
const IMPLIED_MEMORY: &[(MemoryAccess, &[&str])] = &[
    (
        MemoryAccess::Load,
        &[
            "POP16",
            "POP32",
            "POP64",
            "POPP64",
            "POP2",
            "POP2P",
            "POPF16",
            "POPF32",
            "POPF64",
            "POPDS16",
            "POPDS32",
            "POPES16",
            "POPES32",
            "POPSS16",
            "POPSS32",
            "POPFS16",
            "POPFS32",
            "POPFS64",
            "POPGS16",
            "POPGS32",
            "POPGS64",
            "LEAVE",
            "LEAVE64",
            "XLAT",
            "LODSB",
            "LODSW",
            "LODSL",
            "LODSQ",
            "SCASB",
            "SCASW",
            "SCASL",
            "SCASQ",
            "CMPSB",
            "CMPSW",
            "CMPSL",
            "CMPSQ",
            "OUTSB",
            "OUTSW",
            "OUTSL",
            "MONITOR32",
            "MONITOR64",
            "MONITORX32",
            "MONITORX64",
            "UMONITOR16",
            "UMONITOR32",
            "UMONITOR64",
        ],
    ),
    (
        MemoryAccess::Store,
        &[
            "PUSH16",
            "PUSH32",
            "PUSH64",
            "PUSHP64",
            "PUSH2",
            "PUSH2P",
            "PUSHA16",
            "PUSHA32",
            "PUSHF16",
            "PUSHF32",
            "PUSHF64",
            "PUSHCS16",
            "PUSHCS32",
            "PUSHDS16",
            "PUSHDS32",
            "PUSHES16",
            "PUSHES32",
            "PUSHSS16",
            "PUSHSS32",
            "PUSHFS16",
            "PUSHFS32",
            "PUSHFS64",
            "PUSHGS16",
            "PUSHGS32",
            "PUSHGS64",
            "ENTER",
            "MASKMOVDQU",
            "MASKMOVDQU64",
            "VMASKMOVDQU",
            "VMASKMOVDQU64",
            "MMX_MASKMOVQ",
            "MMX_MASKMOVQ64",
            "CLZERO32",
            "CLZERO64",
            "STOSB",
            "STOSW",
            "STOSL",
            "STOSQ",
            "REP_STOSB_32",
            "REP_STOSB_64",
            "REP_STOSW_32",
            "REP_STOSW_64",
            "REP_STOSD_32",
            "REP_STOSD_64",
            "REP_STOSQ_32",
            "REP_STOSQ_64",
            "INSB",
            "INSW",
            "INSL",
            "XSTORE",
        ],
    ),
    (
        MemoryAccess::Both,
        &[
            "MOVSB",
            "MOVSW",
            "MOVSL",
            "MOVSQ",
            "REP_MOVSB_32",
            "REP_MOVSB_64",
            "REP_MOVSW_32",
            "REP_MOVSW_64",
            "REP_MOVSD_32",
            "REP_MOVSD_64",
            "REP_MOVSQ_32",
            "REP_MOVSQ_64",
            "XCRYPTCBC",
            "XCRYPTCFB",
            "XCRYPTCTR",
            "XCRYPTECB",
            "XCRYPTOFB",
            "XSHA1",
            "XSHA256",
            "MONTMUL",
        ],
    ),
];

/// Opcodes of which LLVM's tables say something else.
const MISFLAGGED: &[(MemoryAccess, &[&str])] = &[
    (
        MemoryAccess::Store,
        &[
            "VEXTRACTF32X8Zmri",
            "VEXTRACTF64X2Z256mri",
            "VEXTRACTF64X2Zmri",
            "VEXTRACTI32X8Zmri",
            "VEXTRACTI64X2Z256mri",
            "VEXTRACTI64X2Zmri",
            "STTILECFG",
            "STTILECFG_EVEX",
        ],
    ),
    (
        MemoryAccess::Load,
        &[
            "FXRSTOR",
            "FXRSTOR64",
            "LDMXCSR",
            "VLDMXCSR",
            "XRSTOR",
            "XRSTOR64",
            "LDTILECFG",
            "LDTILECFG_EVEX",
        ],
    ),
];

/// The opcodes of `LEA`.
const ADDRESS_COMPUTATIONS: &[&str] =
    &["LEA16r", "LEA32r", "LEA64r", "LEA64_8r", "LEA64_16r", "LEA64_32r"];

/// Opcodes whose only operand is a register with an address, which LLVM lists as any other register.
const ADDRESS_IN_OPERAND: &[&str] = &["UMONITOR32", "UMONITOR64"];

/// What an operand is to the address of an opcode that names one whole.
pub(super) fn address_part(opcode: &Opcode, operand: usize) -> Option<AddressPart> {
    const PARTS: [AddressPart; 5] = [
        AddressPart::Base,
        AddressPart::Scale,
        AddressPart::Index,
        AddressPart::Displacement,
        AddressPart::Segment,
    ];
    if ADDRESS_IN_OPERAND.contains(&opcode.name.as_str()) {
        return (operand == 0).then_some(AddressPart::Base);
    }
    let is_of_address = |at: usize| {
        opcode.operands.get(at).is_some_and(|info| matches!(info.kind, OperandKind::Memory(_)))
    };
    let first = (0..opcode.operands.len()).find(|&at| is_of_address(at))?;
    let is_whole = (first..first + PARTS.len()).all(is_of_address);
    let position = operand.checked_sub(first).filter(|_| is_whole)?;
    PARTS.get(position).copied()
}

/// What Intel's syntax calls the widths of memory operands. (Those of 32 and 64 bits that are
/// broadcast are written in braces behind the operand.)
const WIDTHS: &[(&str, u32)] = &[
    ("byte", 8),
    ("word", 16),
    ("dword", 32),
    ("qword", 64),
    ("tbyte", 80),
    ("xmmword", 128),
    ("ymmword", 256),
    ("zmmword", 512),
];

/// Bits that an instance accesses, as it is printed: `add qword ptr [r10], rbp`.
pub(super) fn access_bits(text: &str) -> u32 {
    let word = text.split(" ptr [").next().and_then(|before| before.split_whitespace().last());
    let width = WIDTHS.iter().find(|(name, _)| text.contains(" ptr [") && word == Some(name));
    width.map_or(0, |&(_, bits)| bits)
}

/// What makes a register of an address zero, and what makes it an address again.
const GENERAL: &[Restorer] = &[
    Restorer { form: "AND64rr", source: 0, other: Restored::Zero },
    Restorer { form: "OR64rr", source: 0, other: Restored::Value },
];

/// What makes a vector of indices zero, which they are anyway: by their class.
const VECTORS: &[(&str, &[Restorer])] = &[
    ("VR128", &[Restorer { form: "VPANDrr", source: 0, other: Restored::Zero }]),
    ("VR256", &[Restorer { form: "VPANDYrr", source: 0, other: Restored::Zero }]),
    ("VR128X", &[Restorer { form: "VPANDQZ128rr", source: 0, other: Restored::Zero }]),
    ("VR256X", &[Restorer { form: "VPANDQZ256rr", source: 0, other: Restored::Zero }]),
    ("VR512", &[Restorer { form: "VPANDQZrr", source: 0, other: Restored::Zero }]),
];

/// Stores and loads that do nothing else. (Loads of 8 and 16 bits fill the register, so that nothing is
/// merged.)
pub(super) const PLAIN_MOVES: &[PlainMove] = &[
    PlainMove::general(8, "MOV8mr", "MOVZX32rm8"),
    PlainMove::general(16, "MOV16mr", "MOVZX32rm16"),
    PlainMove::general(32, "MOV32mr", "MOV32rm"),
    PlainMove::general(64, "MOV64mr", "MOV64rm"),
    PlainMove::vector(32, "VMOVSSmr", "VMOVSSrm"),
    PlainMove::vector(64, "VMOVSDmr", "VMOVSDrm"),
    PlainMove::vector(128, "VMOVUPSmr", "VMOVUPSrm"),
    PlainMove::vector(256, "VMOVUPSYmr", "VMOVUPSYrm"),
    PlainMove::vector(512, "VMOVUPSZmr", "VMOVUPSZrm"),
];

/// What brings a register of an address back to what it held.
pub(super) fn restorers(
    set: &InstructionSet,
    form: &InstructionForm,
    site: Site,
) -> &'static [Restorer] {
    let class = form.class_at(site).map(|class| set.class(class).name.as_str());
    let of_vector = VECTORS.iter().find(|(name, _)| class == Some(name));
    match form.address_part(site) {
        Some(AddressPart::Base | AddressPart::Index) => of_vector.map_or(GENERAL, |row| row.1),
        _ => &[],
    }
}

/// How an opcode accesses memory through registers that it implies, or otherwise than LLVM says.
pub(super) fn implied(opcode: &str) -> Option<MemoryAccess> {
    let misflagged = MISFLAGGED.iter().find(|(_, opcodes)| opcodes.contains(&opcode));
    let implied = || IMPLIED_MEMORY.iter().find(|(_, opcodes)| names::is_any(opcode, opcodes));
    let known = misflagged.or_else(implied);
    known.map(|&(access, _)| access)
}

/// Addresses that cores may compute more slowly than a sum of two registers: operand, value and name.
/// (Zen 4 and the Lakes of Intel take a cycle more for a factor, or for a third part.)
pub(super) fn computed_addresses(opcode: &str) -> Vec<(usize, i64, String)> {
    if !is_address_computation(opcode) {
        return Vec::new();
    }
    vec![(2, 8, "index * 8".to_owned()), (4, 64, "displacement".to_owned())]
}

/// Whether an opcode computes an address and accesses nothing there: `LEA`.
pub(super) fn is_address_computation(opcode: &str) -> bool {
    ADDRESS_COMPUTATIONS.contains(&opcode)
}
