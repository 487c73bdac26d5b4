//! What is to be known of single opcodes, by LLVM's names.

use super::super::names;
use super::memory::reserving;
use super::zeros;
use crate::form::MemoryAccess;
use crate::metadata::{ClassId, InstructionSet, Opcode, OperandKind};

/// Opcodes that hand control to someone else or wait for an event, though LLVM calls them no control flow.
const LEAVING: &[&str] = &[
    "SVC", "HVC", "SMC", "BRK", "HLT", "UDF", "DCPS1", "DCPS2", "DCPS3", "WFET", "WFIT", "TSTART",
    "TCOMMIT", "TCANCEL", "TENTER", "TEXIT",
];

/// Opcodes that are only defined together with the instruction behind them.
const PREFIXES: &[&str] = &["MOVPRFX"];

/// Classes of the registers that addresses are in. Arithmetic takes them too, but LLVM says of it
/// that it neither loads nor stores.
const ADDRESSES: &[&str] = &["GPR64sp", "GPR64common"];

/// Those of them that bases are in.
pub(super) const BASES: &[&str] = &["GPR64sp"];

/// Those that bases are in of what has none in a general register: one in each lane.
pub(super) const VECTOR_BASES: &[&str] = &["ZPR"];

/// Opcodes that touch memory and either have their address elsewhere (in vectors, in the pointer of
/// the guarded control stack), or none of LLVM's flags. Flags alone do not tell: LLVM says "may
/// load" of whatever it does not want to move.
const MEMORY: &[&str] = &[
    "GCSPOPM",
    "GCSPUSHM",
    "GCSSS1",
    "GCSSS2",
    "GCSSTR",
    "GCSSTTR",
    "GLD1B",
    "GLD1D",
    "GLD1H",
    "GLD1Q",
    "GLD1SB",
    "GLD1SH",
    "GLD1SW",
    "GLD1W",
    "GLDFF1B",
    "GLDFF1D",
    "GLDFF1H",
    "GLDFF1SB",
    "GLDFF1SH",
    "GLDFF1SW",
    "GLDFF1W",
    "LDNT1B",
    "LDNT1D",
    "LDNT1H",
    "LDNT1SB",
    "LDNT1SH",
    "LDNT1SW",
    "LDNT1W",
    "LDTADDALW",
    "LDTADDALX",
    "LDTADDAW",
    "LDTADDAX",
    "LDTADDLW",
    "LDTADDLX",
    "LDTADDW",
    "LDTADDX",
    "LDTCLRALW",
    "LDTCLRALX",
    "LDTCLRAW",
    "LDTCLRAX",
    "LDTCLRLW",
    "LDTCLRLX",
    "LDTCLRW",
    "LDTCLRX",
    "LDTSETALW",
    "LDTSETALX",
    "LDTSETAW",
    "LDTSETAX",
    "LDTSETLW",
    "LDTSETLX",
    "LDTSETW",
    "LDTSETX",
    "LDTXRW",
    "LDTXRX",
    "PRFB",
    "PRFD",
    "PRFH",
    "PRFM",
    "PRFUM",
    "PRFW",
    "RPRFM",
    "SST1B",
    "SST1D",
    "SST1H",
    "SST1Q",
    "SST1W",
    "STNT1B",
    "STNT1D",
    "STNT1H",
    "STNT1W",
    "SWPTALW",
    "SWPTALX",
    "SWPTAW",
    "SWPTAX",
    "SWPTLW",
    "SWPTLX",
    "SWPTW",
    "SWPTX",
];

/// Opcodes that touch memory with none of LLVM's flags, and only read it.
const UNFLAGGED_LOADS: &[&str] = &["PRFM", "PRFUM", "RPRFM", "LDTXRW", "LDTXRX"];

/// Opcodes that only store, whatever LLVM says: slices of tiles.
const STORES: &[&str] = &[
    "ST1_MXIPXX_H_B",
    "ST1_MXIPXX_H_D",
    "ST1_MXIPXX_H_H",
    "ST1_MXIPXX_H_Q",
    "ST1_MXIPXX_H_S",
    "ST1_MXIPXX_V_B",
    "ST1_MXIPXX_V_D",
    "ST1_MXIPXX_V_H",
    "ST1_MXIPXX_V_Q",
    "ST1_MXIPXX_V_S",
];

/// Moves within a register file, which cores may carry out at rename.
const ELIMINABLE: &[&str] = &[
    "FMOVDr",
    "FMOVHr",
    "FMOVSr",
    "MOVID",
    "MOVIv16b_ns",
    "MOVIv2d_ns",
    "MOVIv2i32",
    "MOVIv2s_msl",
    "MOVIv4i16",
    "MOVIv4i32",
    "MOVIv4s_msl",
    "MOVIv8b_ns",
    "MOVIv8i16",
    "MOVNWi",
    "MOVNXi",
    "MOVZWi",
    "MOVZXi",
    "PFALSE",
];

pub(super) fn leaves_the_kernel(opcode: &str) -> bool {
    LEAVING.contains(&opcode)
}

pub(super) fn is_system_access(opcode: &str) -> bool {
    matches!(opcode, "MRS" | "MSR")
}

pub(super) fn is_prefix(opcode: &str) -> bool {
    names::is_any(opcode, PREFIXES)
}

pub(super) fn is_eliminable(opcode: &str) -> bool {
    ELIMINABLE.contains(&opcode) || zeros::MOVES.contains(&opcode)
}

/// The classes that addresses are in.
pub(super) fn addresses(set: &InstructionSet) -> Vec<ClassId> {
    (0_u32..)
        .zip(&set.classes)
        .filter(|(_, class)| ADDRESSES.contains(&class.name.as_str()))
        .map(|(id, _)| ClassId(id))
        .collect()
}

/// What an opcode does to memory; `addresses` are the classes that addresses are in.
pub(super) fn memory(opcode: &Opcode, addresses: &[ClassId]) -> MemoryAccess {
    let (loads, stores) = (opcode.flags.may_load, opcode.flags.may_store);
    let is_address = |kind| match kind {
        OperandKind::Register(class) => addresses.contains(&class),
        OperandKind::BranchTarget => true,
        _ => false,
    };
    let addressed = || opcode.operands.iter().any(|operand| is_address(operand.kind));
    if !names::is_any(&opcode.name, MEMORY) && !((loads || stores) && addressed()) {
        return MemoryAccess::None;
    }
    match (loads, stores) {
        _ if STORES.contains(&opcode.name.as_str()) => MemoryAccess::Store,
        // LLVM lets conditional stores load as well, so that nothing comes between them and their load.
        _ if reserving(&opcode.name).is_some() => MemoryAccess::Store,
        (true, false) => MemoryAccess::Load,
        (false, true) => MemoryAccess::Store,
        (false, false) if names::is_any(&opcode.name, UNFLAGGED_LOADS) => MemoryAccess::Load,
        _ => MemoryAccess::Both,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metadata::{OpcodeFlags, OperandInfo};

    const ADDRESS: ClassId = ClassId(7);

    fn access(name: &str, class: ClassId, may_load: bool, may_store: bool) -> MemoryAccess {
        let kind = OperandKind::Register(class);
        let opcode = Opcode {
            name: name.into(),
            flags: OpcodeFlags { may_load, may_store, ..OpcodeFlags::default() },
            operands: vec![OperandInfo { kind, tied_to: None, early_clobber: false }],
            definitions: 0,
            implicit_uses: Vec::new(),
            implicit_defs: Vec::new(),
        };
        memory(&opcode, &[ADDRESS])
    }

    #[test]
    fn memory_is_told_by_flags_and_addresses() {
        assert_eq!(access("LDRXui", ADDRESS, true, false), MemoryAccess::Load);
        assert_eq!(access("STRXui", ADDRESS, false, true), MemoryAccess::Store);
        assert_eq!(access("ADDXri", ADDRESS, false, false), MemoryAccess::None);
        let elsewhere = ClassId(1);
        for touching_none in ["SETFFR", "RDFFR_P", "DMB", "FDOTv2f32", "BFMLALBIdx"] {
            let found = access(touching_none, elsewhere, true, true);
            assert_eq!(found, MemoryAccess::None, "{touching_none}");
        }
        assert_eq!(access("SWPTX", elsewhere, false, false), MemoryAccess::Both);
        assert_eq!(access("PRFMui", elsewhere, false, false), MemoryAccess::Load);
        assert_eq!(access("GLD1B_D", elsewhere, true, false), MemoryAccess::Load);
    }
}
