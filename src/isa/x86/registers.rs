//! What registers hold when a kernel starts, how they get it, and which instructions set them
//! without reading: everything that needs register names.

use super::super::{
    Availability, LoopControl, Preparation, RegisterPool, Restored, Restorer, names,
};
use super::values::ROOT_MNEMONICS;
use crate::artifact::LOW_MEMORY;
use crate::form::{EncodingGroup, InstructionForm, Part, Site, Value};
use crate::metadata::{InstructionSet, RegisterId};

/// The stack, the instruction pointer, and the loop counter.
const RESERVED: &[&str] = &[
    "RSP", "ESP", "SP", "SPL", "RIP", "EIP", "IP", "R15", "R15D", "R15W", "R15B",
    // The top of the x87 stack moves; two registers stay empty for pushes.
    "ST0", "ST6", "ST7",
];

/// The second bytes of registers: reached only without a REX prefix and merged by some cores,
/// so never the headline.
const HIGH_BYTES: &[&str] = &["AH", "BH", "CH", "DH"];

/// The class of segment registers.
pub(super) const SEGMENTS: &str = "SEGMENT_REG";

/// Segments that hold something.
const LIVE_SEGMENTS: &[&str] = &["CS", "SS", "FS"];

pub(super) fn availability(register: &str) -> Availability {
    // Artificial registers that LLVM needs for the upper halves.
    let artificial = register.ends_with("BH") || register.ends_with("WH");
    if RESERVED.contains(&register)
        || HIGH_BYTES.contains(&register)
        || LIVE_SEGMENTS.contains(&register)
        || artificial
    {
        return Availability::Never;
    }
    // Pairs are as old as their members: `K2_K3` is no register 23.
    let first = register.split('_').next().unwrap_or_default();
    let digits: String = first.chars().filter(char::is_ascii_digit).collect();
    match digits.parse::<u32>() {
        Ok(number) if number >= 16 => Availability::IfExecuted,
        _ => Availability::Always,
    }
}

/// `dec`/`jnz` leaves CF; for a chain through the flags, `lea`/`jrcxz` touches none but needs
/// RCX, and a third brings RCX back for forms that read CL.
pub(super) fn loop_controls(set: &InstructionSet) -> Vec<LoopControl> {
    let registers = |names: &[&str]| -> Vec<RegisterId> {
        names.iter().filter_map(|name| set.register_by_name(name)).collect()
    };
    let all_but_carry = (1..6).map(Part::Flag).collect();
    let restores = set.register_by_name("RCX").zip(set.register_by_name("R14"));
    let control = |name, reserved: &[&str], overwrites, restores: Option<_>| LoopControl {
        name,
        reserved: registers(reserved),
        overwrites,
        restores: restores.into_iter().collect(),
    };
    vec![
        control("count", &["R15"], all_but_carry, None),
        control("flagless", &["R15", "RCX"], Vec::new(), None),
        control("flagless_rcx", &["R15", "R14"], Vec::new(), restores),
    ]
}

pub(super) fn is_vector(register: &str) -> bool {
    matches!(kind(register), RegisterKind::Vector { .. })
}

/// Encodings that leave the upper parts of vector registers as they are.
pub(super) const LEGACY: EncodingGroup = EncodingGroup::numbered(0);
/// Encodings that write whole vector registers.
const EXTENDED: EncodingGroup = EncodingGroup::numbered(1);

/// In 64-bit code the bytes C4, C5 and 62 are always VEX and EVEX, 8F with a map above 7 XOP.
pub(super) fn encoding_group(bytes: &[u8]) -> EncodingGroup {
    let legacy_prefix = |byte: &u8| {
        matches!(byte, 0x66 | 0xF2 | 0xF3 | 0x2E | 0x36 | 0x3E | 0x26 | 0x64 | 0x65 | 0x67 | 0xF0)
    };
    let mut rest = bytes.iter().skip_while(|byte| legacy_prefix(byte));
    match (rest.next(), rest.next()) {
        (Some(0xC4 | 0xC5 | 0x62), _) => EXTENDED,
        (Some(0x8F), Some(map)) if map & 0x1F >= 8 => EXTENDED,
        _ => LEGACY,
    }
}

/// Kinds of register, by name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum RegisterKind {
    Vector { bits: u32, number: u32 },
    Mask(u32),
    Mmx(u32),
    Tile(u32),
    X87,
    General,
    Segment,
    Other,
}

fn kind(name: &str) -> RegisterKind {
    let numbered = |start: &str| name.strip_prefix(start).and_then(|rest| rest.parse().ok());
    let vectors = [("XMM", 128), ("YMM", 256), ("ZMM", 512)];
    if let Some(found) = vectors.iter().find_map(|&(start, bits)| {
        numbered(start).map(|number| RegisterKind::Vector { bits, number })
    }) {
        return found;
    }
    match name {
        "EFLAGS" | "DF" | "MXCSR" | "FPSW" | "FPCW" | "SSP" => RegisterKind::Other,
        "CS" | "DS" | "ES" | "FS" | "GS" | "SS" => RegisterKind::Segment,
        _ if numbered("ST").is_some() => RegisterKind::X87,
        _ if numbered("MM").is_some() => RegisterKind::Mmx(numbered("MM").unwrap_or(0)),
        _ if numbered("K").is_some() => RegisterKind::Mask(numbered("K").unwrap_or(0)),
        _ if numbered("TMM").is_some() => RegisterKind::Tile(numbered("TMM").unwrap_or(0)),
        _ if numbered("CR").is_some() || numbered("DR").is_some() => RegisterKind::Other,
        _ => RegisterKind::General,
    }
}

/// The units that work on a register; of a pair such as `K0_K1`, on its first.
pub(super) fn pool(register: &str) -> RegisterPool {
    match kind(register.split('_').next().unwrap_or(register)) {
        RegisterKind::General => RegisterPool::General,
        RegisterKind::Vector { .. } | RegisterKind::Mmx(_) => RegisterPool::Vector,
        RegisterKind::Mask(_) => RegisterPool::Mask,
        RegisterKind::Tile(_) | RegisterKind::X87 | RegisterKind::Segment | RegisterKind::Other => {
            RegisterPool::Other
        }
    }
}

/// The 64-bit register that holds one of the general registers.
fn whole_general(set: &InstructionSet, register: RegisterId) -> Option<String> {
    let class = set.classes.iter().find(|class| class.name == "GR64")?;
    let whole = class.registers.iter().find(|&&whole| set.overlap(whole, register))?;
    Some(set.register(*whole).name.clone())
}

/// What is written into 8 or 16 bits of a general register is merged with the rest; 32 bits
/// are extended with zeros.
pub(super) fn merged(set: &InstructionSet, written: RegisterId) -> Option<RegisterId> {
    let members = |class: &str| {
        let class = set.classes.iter().find(|other| other.name == class);
        class.map_or(&[][..], |class| class.registers.as_slice())
    };
    let partial = members("GR8").contains(&written) || members("GR16").contains(&written);
    let whole = || members("GR64").iter().copied().find(|&whole| set.overlap(whole, written));
    partial.then(whole).flatten()
}

/// Ordinary numbers for general registers. RDX is small, as the high half of dividends must be;
/// CL is a valid shift count; the others are large, odd and different from each other.
fn ordinary_number(whole: &str) -> u64 {
    const COMMON: u64 = 0x1C00_3C00_3D10_3C41;
    match whole {
        "RAX" => 0x1C00_3C00_3D10_0305,
        "RDX" => 5,
        "RCX" => 0x1C00_3C00_3D10_3C05,
        other => COMMON + 2 * other.bytes().map(u64::from).sum::<u64>() % 64,
    }
}

/// Rows of 64 bytes in the template's data, see there.
const VECTOR_ROWS: u32 = 4;
const ZERO_ROW: u32 = 4;

fn data_row(number: u32, value: Value, set: &InstructionSet) -> String {
    let row = match value {
        Value::Zero => ZERO_ROW,
        Value::OrdinaryOf(other) => match kind(&set.register(other).name) {
            RegisterKind::Vector { number, .. } | RegisterKind::Mmx(number) => number % VECTOR_ROWS,
            _ => number % VECTOR_ROWS,
        },
        _ => number % VECTOR_ROWS,
    };
    format!("[rip + winic_data + {}]", row * 64)
}

/// What loads a row into a register with that instruction; numbers have rows of their own.
fn from_row(load: &str, number: u32, value: Value, set: &InstructionSet) -> Vec<String> {
    match value {
        Value::Number(bits) => from_own_row(load, &format!(".fill 8, 8, {bits:#x}")),
        Value::Lines { lane_bits } => {
            let lines = (0..64 * 8 / lane_bits).map(|lane| (64 * lane).to_string());
            let lines: Vec<String> = lines.collect();
            let directive = if lane_bits == 64 { ".quad" } else { ".long" };
            from_own_row(load, &format!("{directive} {}", lines.join(", ")))
        }
        _ => vec![format!("{load} {}", data_row(number, value, set))],
    }
}

/// What loads a row of its own. (One that was filled just now would make the load wait.)
fn from_own_row(load: &str, row: &str) -> Vec<String> {
    vec![
        ".pushsection .data.winic, \"aw\", @progbits".to_owned(),
        ".balign 64".to_owned(),
        format!("1: {row}"),
        ".popsection".to_owned(),
        format!("{load} [rip + 1b]"),
    ]
}

/// What mask registers hold: some lanes on, some off, in every width.
const MASK_BITS: u64 = 0x6DB6_DB6D_B6DB_5A5D;

fn general_lines(whole: &str, value: Value, set: &InstructionSet) -> Vec<String> {
    let lower = whole.to_lowercase();
    let number = match value {
        // (Lanes begin at zero, and this is one.)
        Value::Zero | Value::Lines { .. } => 0,
        Value::Number(number) => number,
        Value::OrdinaryOf(other) => whole_general(set, other)
            .map_or_else(|| ordinary_number(whole), |whole| ordinary_number(&whole)),
        Value::Ordinary => ordinary_number(whole),
        Value::HalfAddress(place) => LOW_MEMORY + u64::from(place),
        Value::DataAddress(offset) => {
            return vec![format!("lea {lower}, [rip + winic_region + {offset}]")];
        }
        Value::ThreadPointer => {
            return vec![
                format!("rdfsbase {lower}"),
                format!("mov qword ptr [rip + winic_thread_pointer], {lower}"),
            ];
        }
    };
    vec![format!("movabs {lower}, {number:#x}")]
}

fn lines(
    set: &InstructionSet,
    register: RegisterId,
    value: Value,
    group: EncodingGroup,
) -> Vec<String> {
    let name = &set.register(register).name;
    match kind(name) {
        RegisterKind::Vector { bits, number } => {
            let load = match bits {
                _ if bits == 512 || number >= 16 => format!("vmovups zmm{number}, zmmword ptr"),
                _ if group == EXTENDED => {
                    format!("vmovups ymm{number}, ymmword ptr")
                }
                _ => format!("movups xmm{number}, xmmword ptr"),
            };
            from_row(&load, number, value, set)
        }
        RegisterKind::Mask(number) => {
            let bits = match value {
                Value::Zero => 0,
                Value::Number(bits) => bits,
                _ => MASK_BITS,
            };
            vec![format!("movabs rax, {bits:#x}"), format!("kmovq k{number}, rax")]
        }
        RegisterKind::Mmx(number) => {
            from_row(&format!("movq mm{number}, qword ptr"), number, value, set)
        }
        RegisterKind::Tile(number) => tile_lines(number, value, set),
        // The template sets it, and the setup needs its own.
        RegisterKind::General if name == "RSP" => Vec::new(),
        RegisterKind::General => whole_general(set, register)
            .map(|whole| general_lines(&whole, value, set))
            .unwrap_or_default(),
        RegisterKind::Segment => Vec::new(),
        RegisterKind::Other if name == "MXCSR" => control_lines(value),
        RegisterKind::X87 | RegisterKind::Other => Vec::new(),
    }
}

/// Each of a tile's rows is the same row of ordinary numbers.
fn tile_lines(number: u32, value: Value, set: &InstructionSet) -> Vec<String> {
    if value == Value::Zero {
        return vec![format!("tilezero tmm{number}")];
    }
    vec![
        "xor ecx, ecx".to_owned(),
        format!("lea rax, {}", data_row(number, value, set)),
        format!("tileloadd tmm{number}, [rax + rcx]"),
    ]
}

/// How FP instructions treat their operands, other than the template has it.
fn control_lines(value: Value) -> Vec<String> {
    let Value::Number(bits) = value else { return Vec::new() };
    vec![format!("push {bits:#x}"), "ldmxcsr dword ptr [rsp]".to_owned(), "add rsp, 8".to_owned()]
}

pub(super) fn prepare(
    set: &InstructionSet,
    wanted: &[(RegisterId, Value)],
    group: EncodingGroup,
    has_avx: bool,
) -> Preparation {
    let mut out = Preparation::default();
    let name_of = |register: RegisterId| set.register(register).name.as_str();
    let any = |wants: fn(RegisterKind) -> bool| {
        wanted.iter().any(|&(register, _)| wants(kind(name_of(register))))
    };
    let vectors = any(|kind| matches!(kind, RegisterKind::Vector { .. }));
    if vectors && has_avx && group == LEGACY {
        // Upper halves in use would make each legacy instruction merge, or pay a transition.
        out.setup.push("vzeroupper".into());
    }
    if any(|kind| matches!(kind, RegisterKind::Tile(_))) {
        // Before it tiles have no rows, and every instruction that touches one faults.
        out.setup.push("ldtilecfg [rip + winic_tiles]".into());
        out.teardown.push("tilerelease".into());
    }
    if any(|kind| kind == RegisterKind::X87) {
        out.setup.push("call winic_fill_x87".into());
        out.teardown.push("fninit".into());
    }
    // General registers last: masks pass through RAX.
    let mut order: Vec<_> = wanted.to_vec();
    order.sort_by_key(|&(register, _)| (kind(name_of(register)), register));
    out.setup
        .extend(order.iter().flat_map(|&(register, value)| lines(set, register, value, group)));
    if wanted.iter().any(|&(_, value)| value == Value::ThreadPointer) {
        // The 32-bit forms leave only a part of it.
        out.teardown.push("mov rax, qword ptr [rip + winic_thread_pointer]".into());
        out.teardown.push("wrfsbase rax".into());
    }
    if any(|kind| matches!(kind, RegisterKind::Mmx(_))) {
        out.teardown.push("emms".into());
    }
    if has_avx && group == EXTENDED {
        out.teardown.push("vzeroupper".into());
    }
    out
}

/// Contents that a form needs, by its stem or name and the register's name (`""`: the first
/// explicit operand).
const REQUIRED: &[(&str, &str, Value)] = &[
    // Dividends that a division reproduces: quotient and remainder are what stood there before,
    // so that they fit for ever, signed or not, even where nothing restores them.
    ("DIV8", "", Value::Number(0x12)),
    ("DIV8m", MEMORY, Value::Number(0x12)),
    ("IDIV8", "", Value::Number(0x12)),
    ("IDIV8m", MEMORY, Value::Number(0x12)),
    ("DIV8", "AX", Value::Number(0x032D)),
    ("IDIV8", "AX", Value::Number(0x032D)),
    ("DIV16", "", Value::Number(0x34)),
    ("DIV16m", MEMORY, Value::Number(0x34)),
    ("IDIV16", "", Value::Number(0x34)),
    ("IDIV16m", MEMORY, Value::Number(0x34)),
    ("DIV16", "AX", Value::Number(0x1919)),
    ("IDIV16", "AX", Value::Number(0x1919)),
    ("DIV32", "", Value::Number(0x1112)),
    ("DIV32m", MEMORY, Value::Number(0x1112)),
    ("IDIV32", "", Value::Number(0x1112)),
    ("IDIV32m", MEMORY, Value::Number(0x1112)),
    ("DIV32", "EAX", Value::Number(0x004B_004B)),
    ("IDIV32", "EAX", Value::Number(0x004B_004B)),
    ("DIV64", "", Value::Number(0x0101_0102)),
    ("DIV64m", MEMORY, Value::Number(0x0101_0102)),
    ("IDIV64", "", Value::Number(0x0101_0102)),
    ("IDIV64m", MEMORY, Value::Number(0x0101_0102)),
    ("DIV64", "RAX", Value::Number(0x04FB_0000_04FB)),
    ("IDIV64", "RAX", Value::Number(0x04FB_0000_04FB)),
    // Masks, by the highest bit of each element: all elements are accessed.
    ("VMASKMOVPS", "", Value::Number(u64::MAX)),
    ("VMASKMOVPD", "", Value::Number(u64::MAX)),
    ("VPMASKMOVD", "", Value::Number(u64::MAX)),
    ("VPMASKMOVQ", "", Value::Number(u64::MAX)),
    // The number of a bit, which would else lie far from the address.
    ("BT16mr", "", Value::Number(5)),
    ("BT32mr", "", Value::Number(5)),
    ("BT64mr", "", Value::Number(5)),
    ("BTC16mr", "", Value::Number(5)),
    ("BTC32mr", "", Value::Number(5)),
    ("BTC64mr", "", Value::Number(5)),
    ("BTR16mr", "", Value::Number(5)),
    ("BTR32mr", "", Value::Number(5)),
    ("BTR64mr", "", Value::Number(5)),
    ("BTS16mr", "", Value::Number(5)),
    ("BTS32mr", "", Value::Number(5)),
    ("BTS64mr", "", Value::Number(5)),
    // Registers that select a resource which must exist.
    ("XGETBV", "ECX", Value::Zero),
    ("RDPKRUr", "ECX", Value::Zero),
    ("WRPKRUr", "EAX", Value::Zero),
    ("WRPKRUr", "ECX", Value::Zero),
    ("WRPKRUr", "EDX", Value::Zero),
    ("RDPRU", "ECX", Value::Zero),
    ("MWAITXrrr", "ECX", Value::Zero),
    ("MWAITXrrr", "EAX", Value::Zero),
    ("CPUID", "EAX", Value::Zero),
    ("CPUID", "ECX", Value::Zero),
    // A moment that has passed, and a sleep state that exists.
    ("TPAUSE", "", Value::Number(1)),
    ("TPAUSE", "EAX", Value::Zero),
    ("TPAUSE", "EDX", Value::Zero),
    ("UMWAIT", "", Value::Number(1)),
    ("UMWAIT", "EAX", Value::Zero),
    ("UMWAIT", "EDX", Value::Zero),
    ("MONITORX64", "RCX", Value::Zero),
    ("MONITORX64", "RDX", Value::Zero),
    // Flags that let programs go on, and an empty segment.
    ("POPF16", MEMORY, Value::Number(0x202)),
    ("POPF64", MEMORY, Value::Number(0x202)),
    ("POPGS16", MEMORY, Value::Zero),
    ("POPGS64", MEMORY, Value::Zero),
    // A state in which nothing is in use, and the control word of a process that starts.
    ("FXRSTOR", MEMORY, Value::Zero),
    ("FXRSTOR64", MEMORY, Value::Zero),
    ("XRSTOR", MEMORY, Value::Zero),
    ("XRSTOR64", MEMORY, Value::Zero),
    ("LDMXCSR", MEMORY, Value::Number(0x1F80_0000_1F80)),
    ("VLDMXCSR", MEMORY, Value::Number(0x1F80_0000_1F80)),
    // A configuration without tiles.
    ("LDTILECFG", MEMORY, Value::Zero),
    ("LDTILECFG_EVEX", MEMORY, Value::Zero),
    // Loading a segment with a null selector is allowed, with anything else hardly.
    ("MOV16sm", MEMORY, Value::Zero),
    ("LGS16rm", MEMORY, Value::Zero),
    ("LGS32rm", MEMORY, Value::Zero),
    ("LGS64rm", MEMORY, Value::Zero),
    ("MOV16sr", "", Value::Zero),
    ("MOV32sr", "", Value::Zero),
    ("MOV64sr", "", Value::Zero),
    // A base must be canonical, and the thread pointer must survive.
    ("WRFSBASE", "", Value::ThreadPointer),
    ("WRFSBASE64", "", Value::ThreadPointer),
    ("WRGSBASE", "", Value::ThreadPointer),
    ("WRGSBASE64", "", Value::ThreadPointer),
];

pub(super) fn required_value(
    set: &InstructionSet,
    form: &InstructionForm,
    site: Site,
) -> Option<Value> {
    let wanted = name_at(set, form, site)?;
    REQUIRED
        .iter()
        .find(|(opcode, name, _)| names::is_any(&form.name, &[opcode]) && *name == wanted)
        .map(|&(.., value)| value)
}

/// What tables of contents call the memory that a form accesses.
const MEMORY: &str = "[]";

/// What tables of contents call a site: a register by its name, the first explicit operand that is
/// read by the empty one; no other operand stands in them.
pub(super) fn name_at<'a>(
    set: &'a InstructionSet,
    form: &InstructionForm,
    site: Site,
) -> Option<&'a str> {
    match site {
        Site::Operand(_) => {
            let is_value = |site: &Site| {
                matches!(site, Site::Operand(_)) && form.address_part(*site).is_none()
            };
            let first = form.uses().find(is_value);
            (first == Some(site)).then_some("")
        }
        Site::Memory => Some(MEMORY),
        Site::Implicit(register) => Some(set.register(register).name.as_str()),
    }
}

/// What sets a register without reading anything that changes.
pub(super) fn breakers(register: &str) -> &'static [&'static str] {
    match kind(register) {
        // A copy keeps the value, which forms like divisions depend on.
        RegisterKind::General => &["MOV64rr"],
        RegisterKind::Vector { bits: 128, number: 0..16 } => &["MOVAPSrr", "VMOVAPSrr"],
        RegisterKind::Vector { bits: 256, number: 0..16 } => &["VMOVAPSYrr"],
        RegisterKind::Vector { .. } => &["VMOVAPSZrr"],
        RegisterKind::Mask(_) => &["KMOVQkk", "KMOVWkk"],
        RegisterKind::Mmx(_) => &["MMX_MOVQ64rr"],
        RegisterKind::Other if register == "EFLAGS" => &["TEST64rr", "CMP64rr", "UCOMISDrr"],
        RegisterKind::Other if register == "DF" => &["CLD"],
        _ => &[],
    }
}

/// Mnemonics whose duration depends on operand values, besides those of divisions and roots of
/// floating-point numbers.
const VALUE_DEPENDENT: &[&str] = &["cpuid", "div", "idiv"];

/// Those of vectors in legacy encodings.
const LEGACY_ROOTS: &[&str] =
    &["divpd", "divps", "divsd", "divss", "sqrtpd", "sqrtps", "sqrtsd", "sqrtss"];

/// Mnemonics that take a shift count from a register, where a count of zero is a special case.
const COUNTED: &[&str] = &["shl", "shr", "sar", "rol", "ror", "rcl", "rcr", "shld", "shrd"];

/// `and` with zero, then `or` with the value; both write over their first source.
macro_rules! and_or {
    ($and:literal, $or:literal) => {
        &[
            Restorer { form: $and, source: 0, other: Restored::Zero },
            Restorer { form: $or, source: 0, other: Restored::Value },
        ]
    };
}

pub(super) fn restorers(mnemonic: &str, register: &str) -> &'static [Restorer] {
    let depends = VALUE_DEPENDENT.contains(&mnemonic)
        || ROOT_MNEMONICS.contains(&mnemonic)
        || (register == "CL" && COUNTED.contains(&mnemonic));
    if !depends {
        return &[];
    }
    if LEGACY_ROOTS.contains(&mnemonic) && is_vector(register) {
        return and_or!("ANDPDrr", "ORPDrr");
    }
    // (No duration depends on which lanes a mask selects.)
    if matches!(kind(register), RegisterKind::Mask(_)) {
        return &[];
    }
    refilling(register)
}

/// What brings back what a register held, beside encodings that write whole vector registers.
pub(super) fn refilling(register: &str) -> &'static [Restorer] {
    match kind(register) {
        RegisterKind::General => and_or!("AND64rr", "OR64rr"),
        RegisterKind::Vector { bits: 512, .. } => and_or!("VPANDQZrr", "VPORQZrr"),
        RegisterKind::Vector { bits: 256, .. } => and_or!("VANDPDYrr", "VORPDYrr"),
        RegisterKind::Vector { .. } => and_or!("VANDPDrr", "VORPDrr"),
        RegisterKind::Mask(_) => and_or!("KANDWkk", "KORWkk"),
        _ => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_told_by_name() {
        assert!(kind("XMM17") == RegisterKind::Vector { bits: 128, number: 17 });
        assert!(kind("MM3") == RegisterKind::Mmx(3));
        assert!(kind("TMM7") == RegisterKind::Tile(7));
        assert!(kind("ST0") == RegisterKind::X87);
        assert!(kind("R8D") == RegisterKind::General);
        assert!(kind("EFLAGS") == RegisterKind::Other);
        assert!(kind("K1") == RegisterKind::Mask(1));
    }

    #[test]
    fn a_pair_of_masks_is_of_their_units() {
        assert_eq!(["K0_K1", "K3"].map(pool), [RegisterPool::Mask; 2]);
        assert_eq!(["R8D", "YMM2"].map(pool), [RegisterPool::General, RegisterPool::Vector]);
    }

    #[test]
    fn encoding_groups_are_told_by_the_first_bytes() {
        assert_eq!(encoding_group(&[0xC5, 0xF1, 0x58, 0xC2]), EXTENDED);
        assert_eq!(encoding_group(&[0x62, 0xF1]), EXTENDED);
        assert_eq!(encoding_group(&[0x66, 0x0F, 0x58, 0xC1]), LEGACY);
        assert_eq!(encoding_group(&[0x8F, 0xE8, 0x78]), EXTENDED);
        assert_eq!(encoding_group(&[0x8F, 0xC0]), LEGACY);
    }

    #[test]
    fn what_kernels_may_take() {
        for free in ["RAX", "R14", "XMM15", "K1", "K2_K3", "BL", "DS", "ST3"] {
            assert_eq!(availability(free), Availability::Always, "{free}");
        }
        for extended in ["R16", "R31B", "XMM31", "ZMM16"] {
            assert_eq!(availability(extended), Availability::IfExecuted, "{extended}");
        }
        for taken in ["RSP", "R15D", "AH", "SPL", "FS", "R8BH", "RIP"] {
            assert_eq!(availability(taken), Availability::Never, "{taken}");
        }
    }

    #[test]
    fn divisions_reproduce_their_dividends() {
        let number = |name: &str, register: &str| {
            let row = REQUIRED.iter().find(|(start, at, _)| *start == name && *at == register);
            let Some((.., Value::Number(number))) = row else { panic!("{name} has no {register}") };
            u128::from(*number)
        };
        for sign in ["", "I"] {
            for (bits, accumulator) in [(16, "AX"), (32, "EAX"), (64, "RAX")] {
                let form = format!("{sign}DIV{bits}");
                let (divisor, low) = (number(&form, ""), number(&form, accumulator));
                let high = u128::from(ordinary_number("RDX"));
                let dividend = (high << bits) + low;
                assert_eq!((dividend / divisor, dividend % divisor), (low, high), "{form}");
                assert!(low < 1 << (bits - 1), "{form}: the signed quotient fits");
            }
            let form = format!("{sign}DIV8");
            let (divisor, dividend) = (number(&form, ""), number(&form, "AX"));
            assert_eq!(((dividend % divisor) << 8) | (dividend / divisor), dividend, "{form}");
            assert!(dividend / divisor < 128, "{form}: the signed quotient fits");
        }
    }
}
