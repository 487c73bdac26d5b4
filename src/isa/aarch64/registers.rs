//! What registers hold when a kernel starts, how they get it, and which instructions set them
//! without reading: everything that needs register names.

use std::collections::HashMap;

use super::super::{
    Availability, LoopControl, Preparation, RegisterPool, Restored, Restorer, names,
};
use super::memory;
use crate::artifact::LOW_MEMORY;
use crate::form::{InstructionForm, Part, Site, Value};
use crate::metadata::{InstructionSet, RegisterId};

/// The stack, zero, the platform's register, and the loop counter.
const RESERVED: &[&str] = &["SP", "WSP", "XZR", "WZR", "X18", "W18", "X28", "W28"];

/// Registers of an instruction set that are asked for often.
pub(super) struct KnownRegisters {
    /// The condition flags.
    pub flags: RegisterId,
    /// By register: the one that is set to zeros beyond it when it is written.
    wholes: HashMap<RegisterId, RegisterId>,
}

impl KnownRegisters {
    pub fn of(set: &InstructionSet) -> Self {
        let ids: HashMap<&str, RegisterId> = (0_u32..)
            .zip(&set.registers)
            .map(|(id, r)| (r.name.as_str(), RegisterId(id)))
            .collect();
        let whole_of = |name: &str| {
            let tuple = name.contains('_');
            let whole = match kind(name) {
                RegisterKind::Vector(number) if !tuple => format!("Z{number}"),
                RegisterKind::General(number) if !tuple => general_name(number),
                _ => return None,
            };
            ids.get(whole.as_str()).copied()
        };
        let wholes =
            ids.iter().filter_map(|(name, &id)| whole_of(name).map(|whole| (id, whole))).collect();
        Self { flags: ids.get("NZCV").copied().unwrap_or(RegisterId::NONE), wholes }
    }

    pub fn whole(&self, register: RegisterId) -> RegisterId {
        self.wholes.get(&register).copied().unwrap_or(register)
    }
}

/// Kinds of register, by name, in the order in which they are set: predicates and vectors use
/// general registers on the way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum RegisterKind {
    /// V and Z in all their widths, by number.
    Vector(u32),
    /// The first-fault register: set through a predicate.
    FirstFault,
    Predicate(u32),
    /// Predicates as counters.
    Counter(u32),
    Flags,
    General(u32),
    /// SME2's table for lookups, which exists once.
    LookupTable,
    /// Nothing that a setup could set: SP, control registers.
    Other,
}

/// The kind of a register, or of the first of a tuple.
fn kind(name: &str) -> RegisterKind {
    match name {
        "FFR" => return RegisterKind::FirstFault,
        "NZCV" => return RegisterKind::Flags,
        "ZT0" => return RegisterKind::LookupTable,
        "FP" => return RegisterKind::General(29),
        "LR" => return RegisterKind::General(30),
        _ => {}
    }
    let first = name.split('_').next().unwrap_or_default();
    let letters = first.trim_end_matches(|letter: char| letter.is_ascii_digit());
    let Ok(number) = first[letters.len()..].parse() else { return RegisterKind::Other };
    match letters {
        "B" | "H" | "S" | "D" | "Q" | "Z" => RegisterKind::Vector(number),
        "W" | "X" => RegisterKind::General(number),
        "P" => RegisterKind::Predicate(number),
        "PN" => RegisterKind::Counter(number),
        _ => RegisterKind::Other,
    }
}

/// The units that work on a register.
pub(super) fn pool(register: &str) -> RegisterPool {
    match kind(register) {
        RegisterKind::General(_) => RegisterPool::General,
        RegisterKind::Vector(_) => RegisterPool::Vector,
        RegisterKind::Predicate(_) | RegisterKind::Counter(_) | RegisterKind::FirstFault => {
            RegisterPool::Mask
        }
        RegisterKind::Flags | RegisterKind::LookupTable | RegisterKind::Other => {
            RegisterPool::Other
        }
    }
}

pub(super) fn is_predicate(set: &InstructionSet, register: RegisterId) -> bool {
    matches!(
        kind(&set.register(register).name),
        RegisterKind::Predicate(_) | RegisterKind::Counter(_)
    )
}

pub(super) fn is_vector(set: &InstructionSet, register: RegisterId) -> bool {
    matches!(kind(&set.register(register).name), RegisterKind::Vector(_))
}

/// LLVM's name of a 64-bit general register.
fn general_name(number: u32) -> String {
    match number {
        29 => "FP".to_owned(),
        30 => "LR".to_owned(),
        _ => format!("X{number}"),
    }
}

/// How assembly names a general register in its whole width; others as LLVM does.
pub(super) fn assembly_name(set: &InstructionSet, register: RegisterId) -> String {
    let name = &set.register(register).name;
    match kind(name) {
        RegisterKind::General(number) => format!("x{number}"),
        _ => name.to_lowercase(),
    }
}

pub(super) fn availability(register: &str) -> Availability {
    // LLVM needs registers for the upper halves.
    let artificial = register.ends_with("_HI");
    if artificial || register.split('_').any(|part| RESERVED.contains(&part)) {
        Availability::Never
    } else {
        Availability::Always
    }
}

/// `subs`/`b.ne` writes the flags, `sub`/`cbnz` does not.
pub(super) fn loop_controls(set: &InstructionSet, flags: RegisterId) -> Vec<LoopControl> {
    let units = |register: RegisterId| set.register(register).units.iter();
    let control = |name, overwrites| LoopControl {
        name,
        reserved: set.register_by_name("X28").into_iter().collect(),
        overwrites,
        restores: Vec::new(),
    };
    vec![
        control("count", units(flags).map(|&unit| Part::Unit(unit)).collect()),
        control("flagless", Vec::new()),
    ]
}

/// Rows of vector contents in the template, a halfword repeated over 16 bytes each.
const VECTOR_ROWS: u32 = 4;
const ROW_BYTES: u32 = 16;
/// Where the numbers of the general registers begin, behind the rows.
const NUMBERS: u32 = VECTOR_ROWS * ROW_BYTES;

/// The register that another's contents are asked of, or itself.
fn donor(set: &InstructionSet, own: u32, value: Value) -> u32 {
    let Value::OrdinaryOf(other) = value else { return own };
    match kind(&set.register(other).name) {
        RegisterKind::Vector(number) | RegisterKind::General(number) => number,
        _ => own,
    }
}

fn general_lines(number: u32, value: Value, set: &InstructionSet) -> Vec<String> {
    let load = |from: u32| vec![format!("ldr x{number}, [x28, #{}]", NUMBERS + 8 * from)];
    match value {
        Value::Zero | Value::Lines { .. } => vec![format!("mov x{number}, #0")],
        Value::Number(wanted) => number_lines(&format!("x{number}"), wanted),
        Value::HalfAddress(place) => {
            number_lines(&format!("x{number}"), LOW_MEMORY + u64::from(place))
        }
        Value::DataAddress(offset) => vec![
            format!("adrp x{number}, winic_region + {offset}"),
            format!("add x{number}, x{number}, :lo12:(winic_region + {offset})"),
        ],
        Value::ThreadPointer => vec![format!("mrs x{number}, tpidr_el0")],
        Value::Ordinary | Value::OrdinaryOf(_) => load(donor(set, number, value)),
    }
}

/// A number, 16 bits at a time.
pub(super) fn number_lines(register: &str, number: u64) -> Vec<String> {
    let mut lines = vec![format!("movz {register}, #{:#x}", number & 0xffff)];
    for shift in [16, 32, 48] {
        let piece = (number >> shift) & 0xffff;
        if piece != 0 {
            lines.push(format!("movk {register}, #{piece:#x}, lsl #{shift}"));
        }
    }
    lines
}

/// A vector's contents; `scalable` says that all of Z counts and that SVE is there to fill it.
fn vector_lines(number: u32, scalable: bool, value: Value, set: &InstructionSet) -> Vec<String> {
    let row = ROW_BYTES * (donor(set, number, value) % VECTOR_ROWS);
    match value {
        Value::Zero if scalable => vec![format!("dup z{number}.d, #0")],
        // It clears all of Z.
        Value::Zero => vec![format!("movi v{number}.2d, #0")],
        Value::Number(wanted) => {
            let mut lines = number_lines("x0", wanted);
            lines.push(if scalable {
                format!("dup z{number}.d, x0")
            } else {
                format!("dup v{number}.2d, x0")
            });
            lines
        }
        Value::DataAddress(_) if scalable => {
            let mut lines = general_lines(0, value, set);
            lines.push(format!("dup z{number}.d, x0"));
            lines
        }
        Value::HalfAddress(_) if scalable => {
            let mut lines = general_lines(0, value, set);
            lines.push(format!("dup z{number}.s, w0"));
            lines
        }
        _ if scalable => vec![format!("ld1rh {{ z{number}.h }}, p0/z, [x28, #{row}]")],
        _ => vec![format!("ldr q{number}, [x28, #{row}]")],
    }
}

/// Lines for a register, or for each member of a tuple (`Z0_Z1`).
fn lines(set: &InstructionSet, register: RegisterId, value: Value) -> Vec<String> {
    let name = set.register(register).name.as_str();
    name.split('_').flat_map(|member| member_lines(member, value, set)).collect()
}

fn member_lines(name: &str, value: Value, set: &InstructionSet) -> Vec<String> {
    match kind(name) {
        RegisterKind::Vector(number) => vector_lines(number, name.starts_with('Z'), value, set),
        // Every element takes part.
        RegisterKind::FirstFault => vec!["setffr".to_owned()],
        RegisterKind::Predicate(number) if value == Value::Zero => {
            vec![format!("pfalse p{number}.b")]
        }
        RegisterKind::Predicate(number) => match value {
            Value::Number(bytes) => {
                let mut lines = number_lines("x0", bytes);
                lines.push(format!("whilelo p{number}.b, xzr, x0"));
                lines
            }
            _ => vec![format!("ptrue p{number}.b")],
        },
        RegisterKind::Counter(number @ 0..8) => {
            vec![format!("ptrue p{number}.b")]
        }
        RegisterKind::Counter(number) => vec![format!("ptrue pn{number}.b")],
        RegisterKind::Flags => vec!["msr nzcv, xzr".to_owned()],
        RegisterKind::General(number) => general_lines(number, value, set),
        RegisterKind::LookupTable | RegisterKind::Other => Vec::new(),
    }
}

pub(super) fn prepare(set: &InstructionSet, wanted: &[(RegisterId, Value)]) -> Preparation {
    let mut order: Vec<_> = wanted.to_vec();
    order.sort_by_key(|&(register, _)| (kind(&set.register(register).name), register));
    let mut setup = Vec::new();
    let scalable =
        |name: &str| matches!(kind(name), RegisterKind::Vector(_)) && name.starts_with('Z');
    if wanted.iter().any(|&(register, _)| scalable(&set.register(register).name)) {
        // What loads rows into whole vectors.
        setup.push("ptrue p0.h".to_owned());
    }
    setup.extend(order.iter().flat_map(|&(register, value)| lines(set, register, value)));
    Preparation { setup, teardown: Vec::new() }
}

/// Contents that a form needs, by its stem and the operand: divisions whose quotients
/// are long enough to be ordinary, at every element size.
const REQUIRED: &[(&[&str], usize, Value)] = &[
    (&["UDIVX", "SDIVX"], 2, Value::Number(0x1112)),
    (&["UDIVW", "SDIVW"], 2, Value::Number(0x112)),
    (&["UDIV", "SDIV"], 3, Value::Number(0x0000_0112_0000_0112)),
    (&["UDIVR", "SDIVR"], 2, Value::Number(0x0000_0112_0000_0112)),
];

pub(super) fn required_value(form: &InstructionForm, site: Site) -> Option<Value> {
    let Site::Operand(index) = site else { return None };
    if let Some(value) = memory::required_value(form) {
        return Some(value);
    }
    REQUIRED
        .iter()
        .find(|(stems, at, _)| *at == index && names::is_any(&form.name, stems))
        .map(|&(.., value)| value)
}

/// What sets a register without reading anything that changes.
pub(super) fn breakers(register: &str) -> &'static [&'static str] {
    match kind(register) {
        // Both of what they read is the same: they keep the value.
        RegisterKind::General(_) => &["ORRXrs", "ANDXrs"],
        RegisterKind::Vector(_) => &["ORRv16i8", "ANDv16i8"],
        RegisterKind::Predicate(_) | RegisterKind::Counter(_) => &["PTRUE_B"],
        RegisterKind::FirstFault => &["SETFFR", "WRFFR"],
        RegisterKind::Flags => &["SUBSXrs", "FCMPDrr", "ANDSXrs"],
        // What moves a general register into a part of it keeps the others.
        RegisterKind::LookupTable => &["ZERO_T"],
        RegisterKind::Other => &[],
    }
}

/// Mnemonics whose duration depends on operand values.
const VALUE_DEPENDENT: &[&str] = &["udiv", "sdiv", "udivr", "sdivr", "fdiv", "fdivr", "fsqrt"];

/// `and` with zero, then `or` with the value; the chain goes through their first sources.
macro_rules! and_or {
    ($and:literal, $or:literal) => {
        &[
            Restorer { form: $and, source: 0, other: Restored::Zero },
            Restorer { form: $or, source: 0, other: Restored::Value },
        ]
    };
}

pub(super) fn restorers(mnemonic: &str, register: &str) -> &'static [Restorer] {
    if !VALUE_DEPENDENT.contains(&mnemonic) {
        return &[];
    }
    match kind(register) {
        RegisterKind::General(_) => and_or!("ANDXrs", "ORRXrs"),
        RegisterKind::Vector(_) if register.starts_with('Z') => and_or!("AND_ZZZ", "ORR_ZZZ"),
        RegisterKind::Vector(_) => and_or!("ANDv16i8", "ORRv16i8"),
        _ => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_told_by_name() {
        assert_eq!(kind("Z17"), RegisterKind::Vector(17));
        assert_eq!(kind("D8_D9"), RegisterKind::Vector(8));
        assert_eq!(kind("PN9"), RegisterKind::Counter(9));
        assert_eq!(kind("P9"), RegisterKind::Predicate(9));
        assert_eq!(kind("LR"), RegisterKind::General(30));
        assert_eq!(kind("W3"), RegisterKind::General(3));
        assert_eq!(kind("ZT0"), RegisterKind::LookupTable);
        for other in ["SP", "FPCR", "ZA", "ZAS0", "WZR", "VG"] {
            assert_eq!(kind(other), RegisterKind::Other, "{other}");
        }
    }

    #[test]
    fn what_kernels_may_take() {
        for free in ["X0", "W29", "LR", "FP", "Z31", "Q0_Q1", "P15", "PN8", "X16_X17"] {
            assert_eq!(availability(free), Availability::Always, "{free}");
        }
        for taken in ["SP", "XZR", "W18", "X28_FP", "LR_XZR", "W0_HI", "X18_X19"] {
            assert_eq!(availability(taken), Availability::Never, "{taken}");
        }
    }

    #[test]
    fn numbers_are_put_together_from_pieces() {
        assert_eq!(number_lines("x0", 0x1112), ["movz x0, #0x1112"]);
        assert_eq!(
            number_lines("x3", 0x0000_0112_0000_0112),
            ["movz x3, #0x112", "movk x3, #0x112, lsl #32"]
        );
    }
}
