//! What is to be known of single opcodes, by LLVM's names.

use crate::form::MemoryAccess;
use crate::metadata::Opcode;

/// Opcodes that hand control to someone else, wait for an event, or change the mode in which
/// everything else executes (streaming mode), though LLVM calls them no control flow.
const LEAVING: &[&str] = &[
    "SVC",
    "HVC",
    "SMC",
    "BRK",
    "HLT",
    "UDF",
    "DCPS1",
    "DCPS2",
    "DCPS3",
    "WFET",
    "WFIT",
    "TSTART",
    "TCOMMIT",
    "TCANCEL",
    "TENTER",
    "TEXIT",
    "MSRpstatesvcrImm1",
];

/// Opcodes that are only defined together with the instruction behind them.
const PREFIXES: &[&str] = &["MOVPRFX"];

/// Opcodes that touch memory: LLVM lists addresses like any other registers, and says "may
/// load" of whatever it does not want to move.
const MEMORY: &[&str] = &[
    "LD",
    "ST",
    "CAS",
    "SWP",
    "PRF",
    "RPRF",
    "RCW",
    "GLD",
    "SST",
    "CPYF",
    "CPYE",
    "CPYM",
    "CPYP",
    "SETE",
    "SETG",
    "SETM",
    "SETP",
    "MOPSSETGE",
    "GCSPOPM",
    "GCSPUSHM",
    "GCSSS",
    "GCSST",
];

/// Opcodes among them that touch none: outer products and hints.
const NO_MEMORY: &[&str] = &["STMOPA", "STCPH", "STSHH"];

/// Opcodes that touch memory with none of LLVM's flags, and only read it.
const UNFLAGGED_LOADS: &[&str] = &["PRF", "RPRF", "LDTXR"];

/// Moves within a register file, which cores may carry out at rename.
const ELIMINABLE: &[&str] =
    &["FMOVHr", "FMOVSr", "FMOVDr", "MOVZWi", "MOVZXi", "MOVNWi", "MOVNXi", "MOVI", "PFALSE"];

pub(super) fn leaves_the_kernel(opcode: &str) -> bool {
    LEAVING.contains(&opcode)
}

pub(super) fn is_system_access(opcode: &str) -> bool {
    matches!(opcode, "MRS" | "MSR")
}

pub(super) fn is_prefix(opcode: &str) -> bool {
    starts_with_any(opcode, PREFIXES)
}

pub(super) fn is_eliminable(opcode: &str) -> bool {
    starts_with_any(opcode, ELIMINABLE)
}

pub(super) fn memory(opcode: &Opcode) -> MemoryAccess {
    let name = opcode.name.as_str();
    if !starts_with_any(name, MEMORY) || starts_with_any(name, NO_MEMORY) {
        return MemoryAccess::None;
    }
    match (opcode.flags.may_load, opcode.flags.may_store) {
        (true, false) => MemoryAccess::Load,
        (false, true) => MemoryAccess::Store,
        (false, false) if starts_with_any(name, UNFLAGGED_LOADS) => MemoryAccess::Load,
        _ => MemoryAccess::Both,
    }
}

pub(super) fn starts_with_any(name: &str, prefixes: &[&str]) -> bool {
    prefixes.iter().any(|prefix| name.starts_with(prefix))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metadata::OpcodeFlags;

    fn access(name: &str, may_load: bool, may_store: bool) -> MemoryAccess {
        let flags = OpcodeFlags { may_load, may_store, ..OpcodeFlags::default() };
        memory(&Opcode {
            name: name.into(),
            flags,
            operands: Vec::new(),
            definitions: 0,
            implicit_uses: Vec::new(),
            implicit_defs: Vec::new(),
        })
    }

    #[test]
    fn memory_is_told_by_name_and_flags() {
        assert_eq!(access("LDRXui", true, false), MemoryAccess::Load);
        assert_eq!(access("STRXui", false, true), MemoryAccess::Store);
        assert_eq!(access("SWPTX", false, false), MemoryAccess::Both);
        assert_eq!(access("PRFMui", false, false), MemoryAccess::Load);
        for touching_none in ["SETF8", "SETFFR", "CPY_ZPmI_B", "DMB", "FDOTv2f32", "STMOPA_M2ZZZI"]
        {
            assert_eq!(access(touching_none, true, true), MemoryAccess::None, "{touching_none}");
        }
    }
}
