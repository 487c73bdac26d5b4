//! What registers hold when a kernel starts, how they get it, and which instructions set them
//! without reading: everything that needs register names.

use super::super::{
    Availability, LoopControl, OperandValues, Preparation, RegisterPool, Restored, Restorer, names,
};
use super::memory;
use crate::form::{EncodingGroup, InstructionForm, Site, Value};
use crate::metadata::{Instruction, InstructionSet, OperandValue, RegisterId, VectorConfiguration};

/// Zero, the stack, the pointers of the process, and the loop counter.
const RESERVED: &[u32] = &[0, 2, 3, 4, LOOP_COUNTER];
const LOOP_COUNTER: u32 = 27;

/// Kinds of register, by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RegisterKind {
    /// `V8`, or a group that begins there (`V8M2`, `V8_V9`).
    Vector { first: u32, count: u32 },
    /// `F10_D`, with the width of what is kept in it.
    Float { number: u32, bits: u32 },
    /// `X10`, a part of it (`X10_W`), or a pair that begins there (`X10_X11`).
    General { number: u32, count: u32 },
    /// Control registers and what no kernel touches.
    Other,
}

fn kind(name: &str) -> RegisterKind {
    let mut parts = name.split('_');
    let Some((letter, rest)) = parts.next().and_then(|first| first.split_at_checked(1)) else {
        return RegisterKind::Other;
    };
    let (digits, group) = rest.split_once('M').unwrap_or((rest, "1"));
    let (Ok(number), Ok(group)) = (digits.parse(), group.parse::<u32>()) else {
        return RegisterKind::Other;
    };
    let suffix = parts.next();
    let members = 1 + name.split('_').skip(1).filter(|part| part.starts_with(letter)).count();
    let count = group * members as u32;
    match (letter, suffix) {
        ("V", _) => RegisterKind::Vector { first: number, count },
        ("F", Some("H")) => RegisterKind::Float { number, bits: 16 },
        ("F", Some("F")) => RegisterKind::Float { number, bits: 32 },
        ("F", Some("D")) => RegisterKind::Float { number, bits: 64 },
        ("F", Some("Q")) => RegisterKind::Float { number, bits: 128 },
        ("X", Some("Pair")) => RegisterKind::General { number, count: 2 },
        ("X", _) => RegisterKind::General { number, count },
        _ => RegisterKind::Other,
    }
}

/// The units that work on a register.
pub(super) fn pool(register: &str) -> RegisterPool {
    match kind(register) {
        RegisterKind::General { .. } => RegisterPool::General,
        RegisterKind::Float { .. } | RegisterKind::Vector { .. } => RegisterPool::Vector,
        RegisterKind::Other => RegisterPool::Other,
    }
}

/// How assembly names a general register in its whole width; others as LLVM does.
pub(super) fn assembly_name(set: &InstructionSet, register: RegisterId) -> String {
    let name = &set.register(register).name;
    match kind(name) {
        RegisterKind::General { number, .. } => format!("x{number}"),
        _ => name.to_lowercase(),
    }
}

pub(super) fn availability(register: &str) -> Availability {
    match kind(register) {
        RegisterKind::General { number, count } => {
            let reserved = (number..number + count).any(|number| RESERVED.contains(&number));
            if reserved { Availability::Never } else { Availability::Always }
        }
        RegisterKind::Vector { .. } | RegisterKind::Float { .. } => Availability::Always,
        RegisterKind::Other => Availability::Never,
    }
}

/// LLVM leaves open how wide general registers are, since that differs from target to target.
pub(super) fn complete(set: &mut InstructionSet) {
    let pairs = |name: &str| if name.starts_with("GPRPair") { 128 } else { 64 };
    for class in &mut set.classes {
        let general = class.registers.iter().any(|register| {
            matches!(kind(&set.registers[register.0 as usize].name), RegisterKind::General { .. })
        });
        if general && class.bits == 0 {
            class.bits = pairs(&class.name);
        }
    }
}

/// There are no flags, so one loop does for all bodies.
pub(super) fn loop_controls(set: &InstructionSet) -> Vec<LoopControl> {
    vec![LoopControl {
        name: "count",
        reserved: set.register_by_name(&format!("X{LOOP_COUNTER}")).into_iter().collect(),
        overwrites: Vec::new(),
        restores: Vec::new(),
    }]
}

/// Bits that are ordinary numbers in every width; those in `ROWS` differ, so that quotients are
/// not trivial.
const ROWS: [u16; 4] = [0x3d17, 0x3e55, 0x3c9b, 0x3d6d];

/// A row in all 16-bit lanes.
fn lanes(row: u32) -> u64 {
    u64::from(ROWS[row as usize % ROWS.len()]) * 0x0001_0001_0001_0001
}

/// Ordinary numbers for general registers: large, odd, different, and not a trivial shift count.
fn ordinary_number(register: u32) -> u64 {
    0x1C00_3C00_3D10_3C41 + 2 * u64::from(register)
}

/// Numbers that a narrower register holds are boxed: the bits above are all ones.
fn ordinary_float(number: u32, bits: u32) -> u64 {
    // As doubles the lanes alone would be tiny: 1.3 to 1.6 in its place.
    const DOUBLES: [u64; 4] = [
        0x3FF4_5C3C_9B3D_6D17,
        0x3FF9_553C_9B3D_6D17,
        0x3FF2_7B3E_553C_9B6D,
        0x3FF5_B53D_1739_9B55,
    ];
    const SINGLES: [u64; 4] = [0x3FA2_E1E5, 0x3FCA_A9E5, 0x3F93_D9F3, 0x3FAD_A9E9];
    let row = number as usize % ROWS.len();
    match bits {
        16 => 0xFFFF_FFFF_FFFF_0000 | u64::from(ROWS[row]),
        32 => 0xFFFF_FFFF_0000_0000 | SINGLES[row],
        _ => DOUBLES[row],
    }
}

/// The number of the register whose ordinary contents are wanted.
fn row_of(own: u32, value: Value, set: &InstructionSet) -> u32 {
    let Value::OrdinaryOf(other) = value else { return own };
    match kind(&set.register(other).name) {
        RegisterKind::General { number, .. } | RegisterKind::Float { number, .. } => number,
        RegisterKind::Vector { first, .. } => first,
        RegisterKind::Other => own,
    }
}

/// A general register for values on their way to others; it gets its own value later.
const SCRATCH: &str = "t6";

fn lines(set: &InstructionSet, register: RegisterId, value: Value) -> Vec<String> {
    match kind(&set.register(register).name) {
        RegisterKind::Vector { first, count } => (first..first + count)
            .flat_map(|number| {
                let bits = match value {
                    Value::Zero => 0,
                    Value::Number(bits) => bits,
                    _ => lanes(row_of(number, value, set)),
                };
                [format!("li {SCRATCH}, {bits:#x}"), format!("vmv.v.x v{number}, {SCRATCH}")]
            })
            .collect(),
        RegisterKind::Float { number, bits: 128 } => {
            let address = format!("lla {SCRATCH}, winic_quad");
            // The template's setups have no more than every vector machine.
            let allowed = ".option arch, +q".to_owned();
            vec![allowed, address, format!("flq f{number}, 0({SCRATCH})")]
        }
        RegisterKind::Float { number, bits } => {
            let contents = match value {
                Value::Zero => 0,
                Value::Number(bits) => bits,
                _ => ordinary_float(row_of(number, value, set), bits),
            };
            vec![format!("li {SCRATCH}, {contents:#x}"), format!("fmv.d.x f{number}, {SCRATCH}")]
        }
        RegisterKind::General { number, count } => (number..number + count)
            .filter(|number| !RESERVED.contains(number))
            .map(|number| match value {
                Value::DataAddress(offset) => {
                    format!("lla x{number}, winic_region + {offset}")
                }
                Value::ThreadPointer => format!("mv x{number}, tp"),
                Value::Zero | Value::Lines { .. } => format!("li x{number}, 0"),
                Value::Number(bits) => format!("li x{number}, {bits:#x}"),
                // (No instruction of RISC-V has half an address.)
                Value::Ordinary | Value::OrdinaryOf(_) | Value::HalfAddress(_) => {
                    format!("li x{number}, {:#x}", ordinary_number(row_of(number, value, set)))
                }
            })
            .collect(),
        RegisterKind::Other => Vec::new(),
    }
}

/// The instruction that establishes a configuration for all elements. The tail is of no
/// interest; elements that a mask leaves out stay as they are, so that it is certain what an
/// instruction reads.
fn establish(configuration: VectorConfiguration) -> String {
    let VectorConfiguration { element_bits, group, .. } = configuration;
    let fraction = if group < 0 { "f" } else { "" };
    let group = 1 << group.unsigned_abs();
    format!("vsetvli {SCRATCH}, zero, e{element_bits}, m{fraction}{group}, ta, mu")
}

/// The configuration that such an instruction establishes. It is the immediate of `vsetvli` and
/// `vsetivli`: three bits of the group's length as a power of two, then three of the element's,
/// counted from bytes (unprivileged ISA, section 6.1).
pub(super) fn established(
    set: &InstructionSet,
    instruction: &Instruction,
) -> Option<VectorConfiguration> {
    let establishes =
        ["VSETVLI", "VSETIVLI"].contains(&set.opcode(instruction.opcode).name.as_str());
    let OperandValue::Immediate(bits) = *instruction.operands.last().filter(|_| establishes)?
    else {
        return None;
    };
    let (length, width) = (bits & 7, (bits >> 3) & 3);
    let group = i8::try_from(if length > 3 { length - 8 } else { length }).ok()?;
    Some(VectorConfiguration { element_bits: 8 << width, group, masked: false })
}

/// What the values of vector registers are written with.
const WHOLE_REGISTERS: VectorConfiguration =
    VectorConfiguration { element_bits: 64, group: 0, masked: false };

pub(super) fn prepare(
    set: &InstructionSet,
    wanted: &[(RegisterId, Value)],
    group: EncodingGroup,
) -> Preparation {
    let name_of = |register: RegisterId| set.register(register).name.as_str();
    let mut setup = Vec::new();
    let any = |wants: fn(RegisterKind) -> bool| {
        wanted.iter().any(|&(register, _)| wants(kind(name_of(register))))
    };
    if any(|kind| matches!(kind, RegisterKind::Float { .. } | RegisterKind::Vector { .. })) {
        // To nearest.
        setup.push("csrwi frm, 0".into());
    }
    // General registers last: the others' values pass through one of them.
    let rank = |register: RegisterId| match kind(name_of(register)) {
        RegisterKind::Vector { first, .. } => (0, first),
        RegisterKind::Float { number, .. } => (1, number),
        RegisterKind::General { number, .. } => (2, number),
        RegisterKind::Other => (3, 0),
    };
    let mut order = wanted.to_vec();
    order.sort_by_key(|&(register, _)| rank(register));
    let (vectors, others): (Vec<_>, Vec<_>) =
        order.into_iter().partition(|&(register, _)| rank(register).0 == 0);
    let lines = |wanted: Vec<(RegisterId, Value)>| {
        wanted.into_iter().flat_map(|(register, value)| lines(set, register, value))
    };
    if !vectors.is_empty() {
        setup.push("csrwi vxrm, 0".into());
        setup.push(establish(WHOLE_REGISTERS));
        setup.extend(lines(vectors));
    }
    if let Some(configuration) = group.configuration() {
        setup.push(establish(configuration));
    }
    setup.extend(lines(others));
    Preparation { setup, teardown: Vec::new() }
}

/// Bytes, and wider elements made of them, that are small beside the ordinary ones.
const VECTOR_DIVISORS: Value = Value::Number(0x0305_0305_0305_0305);

/// Contents that a form needs, by its stem and the operand.
const REQUIRED: &[(&[&str], usize, Value)] = &[
    // Quotients of some twenty bits.
    (&["DIVW", "DIVUW", "REMW", "REMUW"], 2, Value::Number(0x305)),
    (&["DIV", "DIVU", "REM", "REMU"], 2, Value::Number(0x1_3C41_0305)),
    // `e64, m1, ta, ma`.
    (&["VSETVL"], 2, Value::Number(0xd8)),
    // Quotients of five bits and more in every lane.
    (&["VDIV", "VDIVU", "VREM", "VREMU"], 2, VECTOR_DIVISORS),
    // Elements that there are.
    (&["VRGATHER", "VRGATHEREI16", "VSLIDEUP", "VSLIDEDOWN"], 2, Value::Number(1)),
];

/// Multiplications whose factors stay what they are in a body of many. Multipliers that take some
/// bits of a factor a cycle are done when none are left (Rocket's takes eight).
pub(super) const MULTIPLICATIONS: &[&str] = &["MUL", "MULW", "MULH", "MULHU", "MULHSU"];

/// The classes of their values; the ordinary numbers are the first.
pub(super) const FACTORS: &[OperandValues] =
    &[OperandValues::usual("factors of all bits"), OperandValues::usual("factors of 14 bits")];

/// A factor of the second class.
pub(super) const SMALL_FACTOR: Value = Value::Number(ROWS[0] as u64);

pub(super) fn required_value(form: &InstructionForm, site: Site) -> Option<Value> {
    let Site::Operand(operand) = site else { return None };
    if let Some(value) = memory::required_value(form, operand) {
        return Some(value);
    }
    REQUIRED
        .iter()
        .find(|&&(stems, index, _)| index == operand && names::is_any(&form.name, stems))
        .map(|&(.., value)| value)
}

/// What sets a register without reading anything that changes.
pub(super) fn breakers(register: &str) -> &'static [&'static str] {
    match kind(register) {
        // The sum of constants.
        RegisterKind::General { .. } => &["ADDI"],
        RegisterKind::Float { bits: 64, .. } => &["FSGNJ_D"],
        RegisterKind::Float { bits: 32, .. } => &["FSGNJ_S"],
        RegisterKind::Float { bits: 16, .. } => &["FSGNJ_H"],
        RegisterKind::Float { .. } => &["FSGNJ_Q"],
        RegisterKind::Vector { count: 1, .. } => &["VMV1R_V"],
        RegisterKind::Vector { count: 2, .. } => &["VMV2R_V"],
        RegisterKind::Vector { count: 4, .. } => &["VMV4R_V"],
        RegisterKind::Vector { .. } => &["VMV8R_V"],
        RegisterKind::Other => &[],
    }
}

/// Mnemonics whose duration depends on operand values.
const VALUE_DEPENDENT: &[&str] = &[
    "div",
    "divu",
    "divuw",
    "divw",
    "fdiv.d",
    "fdiv.h",
    "fdiv.q",
    "fdiv.s",
    "fsqrt.d",
    "fsqrt.h",
    "fsqrt.q",
    "fsqrt.s",
    "rem",
    "remu",
    "remuw",
    "remw",
    "vdivu.vv",
    "vdivu.vx",
    "vdiv.vv",
    "vdiv.vx",
    "vfdiv.vf",
    "vfdiv.vv",
    "vfrdiv.vf",
    "vfsqrt.v",
    "vremu.vv",
    "vremu.vx",
    "vrem.vv",
    "vrem.vx",
];

/// `and` with zero and `or` with the value; there is nothing of the kind for floating-point
/// registers, but the constant's magnitude with the result's sign is the constant, as long as
/// all signs are positive.
pub(super) fn restorers(mnemonic: &str, register: &str) -> &'static [Restorer] {
    const GENERAL: &[Restorer] = &[
        Restorer { form: "AND", source: 0, other: Restored::Zero },
        Restorer { form: "OR", source: 0, other: Restored::Value },
    ];
    const VECTOR: &[Restorer] = &[
        Restorer { form: "VAND_VV", source: 0, other: Restored::Zero },
        Restorer { form: "VOR_VV", source: 0, other: Restored::Value },
    ];
    const fn sign(form: &'static str) -> Restorer {
        Restorer { form, source: 1, other: Restored::Value }
    }
    const HALF: &[Restorer] = &[sign("FSGNJ_H")];
    const SINGLE: &[Restorer] = &[sign("FSGNJ_S")];
    const DOUBLE: &[Restorer] = &[sign("FSGNJ_D")];
    const QUAD: &[Restorer] = &[sign("FSGNJ_Q")];
    if !VALUE_DEPENDENT.contains(&mnemonic) {
        return &[];
    }
    match kind(register) {
        RegisterKind::General { .. } => GENERAL,
        RegisterKind::Float { bits: 16, .. } => HALF,
        RegisterKind::Float { bits: 32, .. } => SINGLE,
        RegisterKind::Float { bits: 64, .. } => DOUBLE,
        RegisterKind::Float { .. } => QUAD,
        RegisterKind::Vector { .. } => VECTOR,
        RegisterKind::Other => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_told_by_name() {
        assert_eq!(kind("X10"), RegisterKind::General { number: 10, count: 1 });
        assert_eq!(kind("X10_W"), RegisterKind::General { number: 10, count: 1 });
        assert_eq!(kind("X10_X11"), RegisterKind::General { number: 10, count: 2 });
        assert_eq!(kind("X0_Pair"), RegisterKind::General { number: 0, count: 2 });
        assert_eq!(kind("F31_H"), RegisterKind::Float { number: 31, bits: 16 });
        assert_eq!(kind("V8"), RegisterKind::Vector { first: 8, count: 1 });
        assert_eq!(kind("V8M4"), RegisterKind::Vector { first: 8, count: 4 });
        assert_eq!(kind("V8_V9_V10"), RegisterKind::Vector { first: 8, count: 3 });
        assert_eq!(kind("V8M2_V10M2"), RegisterKind::Vector { first: 8, count: 4 });
        for other in ["VL", "VTYPE", "FFLAGS", "FRM", "VXSAT", "SSP", ""] {
            assert_eq!(kind(other), RegisterKind::Other, "{other}");
        }
    }

    #[test]
    fn what_kernels_may_take() {
        for free in ["X1", "X10", "X31_H", "X10_X11", "F0_D", "V0", "V24M8"] {
            assert_eq!(availability(free), Availability::Always, "{free}");
        }
        for taken in ["X0", "X2", "X3", "X4_W", "X26_X27", "X27", "X2_X3", "X0_Pair", "VL"] {
            assert_eq!(availability(taken), Availability::Never, "{taken}");
        }
    }

    #[test]
    fn ordinary_numbers_are_ordinary() {
        for number in 1..32 {
            let double = f64::from_bits(ordinary_float(number, 64));
            let single = f32::from_bits(ordinary_float(number, 32) as u32);
            assert!(double > 1.1 && double < 2.0, "{double}");
            assert!(single > 1.1 && single < 2.0, "{single}");
            assert!(f64::from_bits(lanes(number)).is_normal());
            assert_ne!(ordinary_number(number) % 64, 1);
        }
    }
}
