//! What opcodes do with registers that they imply and that hold addresses or counts: the stack and
//! string instructions; and what gathers and scatters do with their masks. Sources: Intel SDM
//! volume 1, chapters 6 and 7.3.9, and volume 2; AMD64 APM volume 3.

use super::super::names;
use super::memory;
use super::registers::SEGMENTS;
use crate::form::{AddressPart, ImpliedBase, InstructionForm, MemoryAccess, Site, Spent};
use crate::metadata::{InstructionSet, Opcode, OperandKind, RegisterId};

/// Opcodes, by their stems or names, with the registers that hold addresses for them.
struct Implied {
    opcodes: &'static [&'static str],
    /// In the order in which LLVM lists them, where it does.
    bases: &'static [Pointer],
    /// A register that counts down to zero.
    count: Option<&'static str>,
}

/// A register that holds an address: its name, the place in the region, and after how many instances
/// it must be set again, if they change it.
struct Pointer(&'static str, u32, Option<u32>);

/// Where the template's stack ends: in the middle of the region, so that it may grow and shrink.
const STACK: u32 = 2048;
/// Where the second of two pointers points to.
const SECOND: u32 = 2048;
/// Instances that move a pointer by eight bytes each, and stay in a line together.
const MOVES: Option<u32> = Some(8);

const IMPLIED: &[Implied] = &[
    Implied {
        opcodes: &[
            "PUSH16", "PUSH64", "PUSHP64", "PUSH2", "PUSH2P", "PUSHF16", "PUSHF64", "PUSHFS16",
            "PUSHFS64", "PUSHGS16", "PUSHGS64", "POP16", "POP64", "POPP64", "POP2", "POP2P",
            "POPF16", "POPF64", "POPGS16", "POPGS64",
        ],
        bases: &[Pointer("RSP", STACK, MOVES)],
        count: None,
    },
    // A frame of sixteen bytes and the old frame's pointer.
    Implied { opcodes: &["ENTER"], bases: &[Pointer("RSP", STACK, Some(4))], count: None },
    // What it loads becomes the pointer.
    Implied { opcodes: &["LEAVE64"], bases: &[Pointer("RBP", STACK, Some(1))], count: None },
    Implied {
        opcodes: &["MOVSB", "MOVSW", "MOVSL", "MOVSQ", "CMPSB", "CMPSW", "CMPSL", "CMPSQ"],
        bases: &[Pointer("RDI", SECOND, MOVES), Pointer("RSI", 0, MOVES)],
        count: None,
    },
    Implied {
        opcodes: &["LODSB", "LODSW", "LODSL", "LODSQ", "OUTSB", "OUTSW", "OUTSL"],
        bases: &[Pointer("RSI", 0, MOVES)],
        count: None,
    },
    Implied {
        opcodes: &[
            "STOSB", "STOSW", "STOSL", "STOSQ", "SCASB", "SCASW", "SCASL", "SCASQ", "INSB", "INSW",
            "INSL",
        ],
        bases: &[Pointer("RDI", 0, MOVES)],
        count: None,
    },
    Implied {
        opcodes: &[
            "REP_MOVSB_64",
            "REP_MOVSW_64",
            "REP_MOVSD_64",
            "REP_MOVSQ_64",
            "REP_MOVSB_32",
            "REP_MOVSW_32",
            "REP_MOVSD_32",
            "REP_MOVSQ_32",
        ],
        bases: &[Pointer("RDI", SECOND, Some(1)), Pointer("RSI", 0, Some(1))],
        count: Some(COUNT),
    },
    Implied {
        opcodes: &[
            "REP_STOSB_64",
            "REP_STOSW_64",
            "REP_STOSD_64",
            "REP_STOSQ_64",
            "REP_STOSB_32",
            "REP_STOSW_32",
            "REP_STOSD_32",
            "REP_STOSQ_32",
        ],
        bases: &[Pointer("RDI", 0, Some(1))],
        count: Some(COUNT),
    },
    Implied { opcodes: &["XLAT"], bases: &[Pointer("RBX", 0, None)], count: None },
    Implied {
        opcodes: &["MASKMOVDQU64", "VMASKMOVDQU64", "MMX_MASKMOVQ64"],
        bases: &[Pointer("RDI", 0, None)],
        count: None,
    },
    Implied {
        opcodes: &["CLZERO64", "MONITOR64", "MONITORX64"],
        bases: &[Pointer("RAX", 0, None)],
        count: None,
    },
];

/// Registers that LLVM says an instruction reads, although it does not. (Nor is the direction flag
/// asked about: only `CLD` and `STD` write it, and they read nothing.)
const UNREAD: &[(&[&str], &str)] = &[(&["LEAVE64"], "RSP")];

/// What stores the pointer of the stack's frame and puts another one there, which has nothing to do with
/// the old one. LLVM says nothing of that.
const FRAMES: &[(&str, &str)] = &[("ENTER", "RBP")];

/// What the repeated string instructions count in.
pub(super) const COUNT: &str = "RCX";

fn implied(opcode: &str) -> Option<&'static Implied> {
    IMPLIED.iter().find(|row| names::is_any(opcode, row.opcodes))
}

/// The pointer that stands at an operand of an opcode that implies it.
pub(super) fn pointer(set: &InstructionSet, opcode: &Opcode, operand: usize) -> Option<RegisterId> {
    let is_pointer = |at: usize| match opcode.operands[at].kind {
        OperandKind::Memory(Some(class)) => set.class(class).name != SEGMENTS,
        _ => false,
    };
    let is_named = is_pointer(operand) && memory::address_part(opcode, operand).is_none();
    let number = (0..operand).filter(|&at| is_pointer(at)).count();
    let row = implied(&opcode.name).filter(|_| is_named)?;
    set.register_by_name(row.bases.get(number)?.0)
}

/// Whether a form repeats itself as often as a register says.
pub(super) fn is_repeated(form: &InstructionForm) -> bool {
    implied(&form.name).is_some_and(|row| row.count.is_some())
}

/// Notes what a form implies and what it spends.
pub(super) fn correct(form: &mut InstructionForm, set: &InstructionSet) {
    spend_mask(form);
    let Some(row) = implied(&form.name) else { return };
    let register = |name: &str| set.register_by_name(name);
    for &Pointer(name, place, lasts) in row.bases {
        let Some(register) = register(name) else { continue };
        reads_whole(form, set, register);
        if lasts.is_some() && !form.implicit_defs.contains(&register) {
            form.implicit_defs.push(register);
        }
        form.implied_bases.push(ImpliedBase { register, place });
        form.spent.extend(lasts.map(|lasts| Spent { site: Site::Implicit(register), lasts }));
    }
    if let Some(count) = row.count.and_then(register) {
        reads_whole(form, set, count);
        form.spent.push(Spent { site: Site::Implicit(count), lasts: 1 });
    }
    form.implicit_uses.retain(|&register| {
        let name = set.register(register).name.as_str();
        !UNREAD
            .iter()
            .any(|(opcodes, unread)| names::is_any(&form.name, opcodes) && *unread == name)
            && name != "DF"
    });
    let frame = FRAMES.iter().find(|(opcode, _)| *opcode == form.name);
    if let Some(frame) = frame.and_then(|(_, frame)| register(frame)) {
        reads_whole(form, set, frame);
        if !form.implicit_defs.contains(&frame) {
            form.implicit_defs.push(frame);
        }
        form.unrelated.push((Site::Implicit(frame), Site::Implicit(frame)));
    }
    // A pointer moves by a number that only the count says, and the count counts.
    let count = row.count.and_then(register).map(Site::Implicit);
    for &Spent { site: moved, .. } in &form.spent.clone() {
        let depends = |site: Site| {
            site == moved || (form.address_part(moved).is_some() && Some(site) == count)
        };
        let others: Vec<Site> = form.uses().filter(|&site| !depends(site)).collect();
        form.unrelated.extend(others.into_iter().map(|site| (site, moved)));
    }
}

/// LLVM names the lower half of the pointers of string instructions, for 32-bit code.
fn reads_whole(form: &mut InstructionForm, set: &InstructionSet, register: RegisterId) {
    for list in [&mut form.implicit_uses, &mut form.implicit_defs] {
        for entry in list.iter_mut().filter(|entry| set.overlap(**entry, register)) {
            *entry = register;
        }
        list.dedup();
    }
    if !form.implicit_uses.contains(&register) {
        form.implicit_uses.push(register);
    }
}

/// Gathers and scatters clear their mask, which LLVM lists as their last result, and access as much
/// memory as the mask had bits.
fn spend_mask(form: &mut InstructionForm) {
    let is_result =
        |&operand: &usize| form.operands[operand].write && form.part_held(operand).is_none();
    let results: Vec<usize> = (0..form.operands.len()).filter(is_result).collect();
    let loads = usize::from(form.memory == MemoryAccess::Load);
    let index = form.operand_of(AddressPart::Index).and_then(|operand| form.class_of(operand));
    let Some(&mask) = results.last().filter(|_| index.is_some() && results.len() > loads) else {
        return;
    };
    let reader = form.operands.iter().position(|operand| operand.tied_to == Some(mask));
    form.spent.extend(reader.map(|reader| Spent { site: Site::Operand(reader), lasts: 1 }));
    form.access_bits = 0;
    // Nobody waits for a mask that is empty.
    let uses: Vec<Site> = form.uses().collect();
    form.unrelated.extend(uses.into_iter().map(|site| (site, Site::Operand(mask))));
}
