//! A toy machine: eight registers, two flags, a dozen instructions. Small enough to have every
//! difficulty of a real one once, and known without LLVM.
//!
//! | form | operands | flags |
//! |---|---|---|
//! | `mov` | d, s | |
//! | `add` | d = d + s | writes C and Z |
//! | `adc` | d = d + s + C | reads C, writes C and Z |
//! | `inc` | d = d + 1 | writes Z |
//! | `shl` | d = d << s | writes C, leaves Z undefined |
//! | `test` | s, s | writes C and Z |
//! | `select` | d = Z ? d : s | reads Z |
//! | `carry` | the low half of d = C | reads C |
//! | `invert` | | reads and writes C |
//! | `both` | | reads and writes C and Z |
//! | `mul` | R1:R0 = R0 * s | |
//! | `div` | R0 = R0 / s, duration depends on values | |
//! | `and`, `or` | d = d op s | |
//! | `swap` | d, e = e, d | |
//! | `low` | the low half of d = s | |
//! | `enter` | P0 = s | |
//! | `first` to `third` | P1 = P0, P2 = P1, P3 = P2 | |
//! | `leave` | d = P3 | |
//! | `detour` | P4 = s, from which `rejoin` leads to P0 | |
//! | `push`, `pop` | T = s, with what was T below; d = T, and that is T again | |
//! | `mix` | T = T + s | |
//! | `copy` | d = T | |

use std::collections::HashSet;
use std::sync::Arc;

use winic::catalogue::Catalogue;
use winic::form::{
    AddressOrigin, EncodingGroup, InstructionForm, MemoryAccess, Operand, Part, Placeholder, Role,
    Site, Value,
};
use winic::isa::{
    Availability, BreakingPair, BufferPath, Companions, Computations, Dependences, HelperForms,
    Isa, KernelText, LoopControl, MemoryOperands, Mixtures, Opcodes, OperandContents, OperandRules,
    Passages, PlainMove, Preparation, ReferenceChain, RegisterPool, Restored, Restorer, Spelling,
    TimingForms, Transition, Transitions, WalkText,
};
use winic::metadata::{
    ClassId, Instruction, InstructionSet, Opcode, OpcodeFlags, OpcodeId, OperandInfo, OperandKind,
    OperandValue, Register, RegisterClass, RegisterId, UnitId,
};

pub const CARRY: Part = Part::Flag(0);
pub const ZERO: Part = Part::Flag(1);

const REGISTERS: u32 = 8;
const FLAGS: RegisterId = RegisterId(2 * REGISTERS + 1);
const WHOLE: ClassId = ClassId(0);
const LOW: ClassId = ClassId(1);

/// Number of the first of the registers that are no operands: P0 to P4, which each lead to the
/// next, T, the top of a stack, and B, which is what was T before the last push.
const P: u32 = 2 * REGISTERS + 1;
const T: u32 = P + 5;
const SINGLE: [&str; 7] = ["P0", "P1", "P2", "P3", "P4", "T", "B"];

/// The top of the stack.
pub fn top() -> RegisterId {
    r(T)
}

/// Whole register number `number`.
pub fn r(number: u32) -> RegisterId {
    RegisterId(1 + number)
}

/// Its low half.
pub fn l(number: u32) -> RegisterId {
    RegisterId(1 + REGISTERS + number)
}

pub fn flags() -> RegisterId {
    FLAGS
}

/// What is particular about an instruction.
#[derive(Clone, Copy)]
struct Row {
    name: &'static str,
    /// `d`: written; `t`: read and tied to the written operand of the same rank; `s`: read;
    /// `l`: the low half is written.
    operands: &'static str,
    uses: &'static [u32],
    defs: &'static [u32],
    reads: &'static [Part],
    writes: &'static [Part],
    undefined: &'static [Part],
}

const fn row(name: &'static str, operands: &'static str) -> Row {
    Row { name, operands, uses: &[], defs: &[], reads: &[], writes: &[], undefined: &[] }
}

const ROWS: &[Row] = &[
    row("mov", "ds"),
    Row { writes: &[CARRY, ZERO], ..row("add", "dts") },
    Row { reads: &[CARRY], writes: &[CARRY, ZERO], ..row("adc", "dts") },
    Row { writes: &[ZERO], ..row("inc", "dt") },
    Row { writes: &[CARRY], undefined: &[ZERO], ..row("shl", "dts") },
    Row { writes: &[CARRY, ZERO], ..row("test", "ss") },
    Row { reads: &[ZERO], ..row("select", "dts") },
    Row { reads: &[CARRY], ..row("carry", "l") },
    Row { reads: &[CARRY], writes: &[CARRY], ..row("invert", "") },
    Row { reads: &[CARRY, ZERO], writes: &[CARRY, ZERO], ..row("both", "") },
    Row { uses: &[0], defs: &[0, 1], ..row("mul", "s") },
    Row { uses: &[0], defs: &[0], ..row("div", "s") },
    row("and", "dts"),
    row("or", "dts"),
    row("swap", "ddtt"),
    row("low", "ls"),
    Row { defs: &[P], ..row("enter", "s") },
    Row { uses: &[P], defs: &[P + 1], ..row("first", "") },
    Row { uses: &[P + 1], defs: &[P + 2], ..row("second", "") },
    Row { uses: &[P + 2], defs: &[P + 3], ..row("third", "") },
    Row { uses: &[P + 3], ..row("leave", "d") },
    Row { defs: &[P + 4], ..row("detour", "s") },
    Row { uses: &[P + 4], defs: &[P], ..row("rejoin", "") },
    Row { defs: &[T], ..row("push", "s") },
    Row { uses: &[T], ..row("pop", "d") },
    Row { uses: &[T], defs: &[T], ..row("mix", "s") },
    Row { uses: &[T], ..row("copy", "d") },
];

/// Its registers, flags, loops and breakers.
pub struct Toy;

impl Isa for Toy {
    fn architecture(&self) -> &'static str {
        "toy"
    }
}

impl Spelling for Toy {}

impl Opcodes for Toy {
    fn leaves_the_kernel(&self, _: &str) -> bool {
        false
    }

    fn is_prefix(&self, _: &str) -> bool {
        false
    }

    fn is_deprecated_floating_point(&self, _: &InstructionForm) -> bool {
        false
    }

    fn mnemonic(&self, text: &str) -> String {
        text.to_owned()
    }

    fn encoding_group(&self, _: &InstructionSet, _: &[RegisterId], _: &[u8]) -> EncodingGroup {
        EncodingGroup::COMMON
    }
}

impl OperandRules for Toy {
    fn immediate(&self, _: &InstructionSet, _: &Opcode, _: (usize, OperandKind), _: usize) -> i64 {
        5
    }

    fn variants(&self, _: &InstructionSet, _: &InstructionForm) -> Vec<(usize, i64, String)> {
        Vec::new()
    }

    fn absent(&self, _: &InstructionSet, _: &Opcode, _: usize) -> bool {
        false
    }

    fn correct(&self, _: &mut InstructionForm, _: &InstructionSet) {}
}

impl MemoryOperands for Toy {
    fn implied_memory(&self, _: &Opcode) -> Option<MemoryAccess> {
        None
    }

    fn plain_moves(&self) -> &'static [PlainMove] {
        &[]
    }
}

impl Dependences for Toy {
    fn availability(&self, _: &str) -> Availability {
        Availability::Always
    }

    fn parts(
        &self,
        set: &InstructionSet,
        form: &InstructionForm,
        _: &Instruction,
        register: RegisterId,
        role: Role,
    ) -> Vec<Part> {
        let row = ROWS[form.opcode.0 as usize];
        match (register == FLAGS, role) {
            (true, Role::Use) => row.reads.to_vec(),
            (true, Role::Def) => row.writes.to_vec(),
            (true, Role::Undefined) => row.undefined.to_vec(),
            (false, Role::Undefined) => Vec::new(),
            (false, _) => {
                set.register(register).units.iter().map(|&unit| Part::Unit(unit)).collect()
            }
        }
    }

    fn merged(&self, _: &InstructionSet, written: RegisterId) -> Option<RegisterId> {
        (l(0)..=l(REGISTERS - 1)).contains(&written).then(|| RegisterId(written.0 - REGISTERS))
    }

    fn unchainable(
        &self,
        _: &InstructionSet,
        form: &InstructionForm,
        _: Site,
    ) -> Option<&'static str> {
        ["push", "pop"].contains(&form.name.as_str()).then_some("the stack moves")
    }

    fn awkward(&self, _: &InstructionSet, _: &InstructionForm, _: usize, _: RegisterId) -> bool {
        false
    }

    fn least_latency(&self, form: &InstructionForm) -> f64 {
        if form.name == "mov" { 0.0 } else { 1.0 }
    }
}

impl KernelText for Toy {
    fn syntax(&self) -> &'static str {
        ""
    }

    fn template(&self) -> &'static str {
        ""
    }

    fn references(&self) -> &'static [ReferenceChain] {
        &[]
    }

    /// There is no memory to walk through.
    fn walk(&self, _: &InstructionSet, _: &BufferPath) -> WalkText {
        WalkText::default()
    }

    /// R7 counts. The plain loop writes Z, the next needs R6 and writes no flag, the last
    /// gives R6 back its value, which it keeps in R5.
    fn loop_controls(&self, _: &InstructionSet) -> Vec<LoopControl> {
        vec![
            LoopControl {
                name: "count",
                reserved: vec![r(7)],
                overwrites: vec![ZERO],
                restores: Vec::new(),
            },
            LoopControl {
                name: "flagless",
                reserved: vec![r(7), r(6)],
                overwrites: Vec::new(),
                restores: Vec::new(),
            },
            LoopControl {
                name: "restoring",
                reserved: vec![r(7), r(5)],
                overwrites: Vec::new(),
                restores: vec![(r(6), r(5))],
            },
        ]
    }

    fn filler(&self) -> &'static [u8] {
        &[0]
    }

    fn prepare(
        &self,
        _: &InstructionSet,
        _: &[(RegisterId, Value)],
        _: EncodingGroup,
    ) -> Preparation {
        Preparation::default()
    }
}

impl TimingForms for Toy {}

impl Passages for Toy {}

impl OperandContents for Toy {
    fn required_value(
        &self,
        _: &InstructionSet,
        form: &InstructionForm,
        site: Site,
    ) -> Option<Value> {
        (form.name == "div" && site == Site::Operand(0)).then_some(Value::Number(3))
    }

    fn restorers(
        &self,
        _: &InstructionSet,
        form: &InstructionForm,
        _: RegisterId,
    ) -> &'static [Restorer] {
        const STEPS: &[Restorer] = &[
            Restorer { form: "and", source: 0, other: Restored::Zero },
            Restorer { form: "or", source: 0, other: Restored::Value },
        ];
        if form.name == "div" { STEPS } else { &[] }
    }
}

impl Computations for Toy {}

impl Mixtures for Toy {
    fn pool(&self, _register: &str) -> RegisterPool {
        RegisterPool::General
    }

    fn memory_barriers(&self) -> &'static [&'static str] {
        &[]
    }

    fn blocker_candidates(&self) -> &'static [&'static str] {
        &[]
    }
}

impl Transitions for Toy {
    fn transitions(&self) -> &'static [Transition] {
        &[]
    }
}

impl HelperForms for Toy {
    fn breakers(&self, _: &InstructionSet, register: RegisterId) -> &'static [&'static str] {
        match register {
            FLAGS => &["test", "add"],
            _ if register > FLAGS => &[],
            _ => &["mov"],
        }
    }

    fn breaking_pair(&self, _: &InstructionSet, register: RegisterId) -> Option<BreakingPair> {
        let pair = BreakingPair { push: "push", pop: "pop", below: "B" };
        (register == top()).then_some(pair)
    }

    fn companions(&self, _: &InstructionForm) -> Companions {
        Companions::default()
    }
}

fn set() -> InstructionSet {
    let mut registers =
        vec![Register { name: String::new(), units: Vec::new(), sub_registers: Vec::new() }];
    for number in 0..REGISTERS {
        let units = vec![UnitId(2 * number), UnitId(2 * number + 1)];
        registers.push(Register {
            name: format!("R{number}"),
            units,
            sub_registers: vec![l(number)],
        });
    }
    for number in 0..REGISTERS {
        let units = vec![UnitId(2 * number)];
        registers.push(Register { name: format!("L{number}"), units, sub_registers: Vec::new() });
    }
    registers.push(Register {
        name: "FLAGS".into(),
        units: vec![UnitId(2 * REGISTERS)],
        sub_registers: Vec::new(),
    });
    for (unit, name) in (2 * REGISTERS + 1..).zip(SINGLE) {
        let units = vec![UnitId(unit)];
        registers.push(Register { name: name.into(), units, sub_registers: Vec::new() });
    }
    let class = |name: &str, register: fn(u32) -> RegisterId| RegisterClass {
        name: name.into(),
        bits: 0,
        registers: (0..REGISTERS).map(register).collect(),
    };
    let opcodes = ROWS.iter().map(opcode).collect();
    InstructionSet::new(
        "toy".into(),
        "toy".into(),
        "none".into(),
        opcodes,
        registers,
        vec![class("W", r), class("L", l)],
    )
}

fn class_of(letter: char) -> ClassId {
    if letter == 'l' { LOW } else { WHOLE }
}

fn is_written(letter: char) -> bool {
    matches!(letter, 'd' | 'l')
}

/// The written operand of the same rank that each `t` is tied to.
fn ties(operands: &str) -> Vec<Option<usize>> {
    let mut rank = 0..;
    operands.chars().map(|letter| if letter == 't' { rank.next() } else { None }).collect()
}

fn opcode(row: &Row) -> Opcode {
    let operands = row
        .operands
        .chars()
        .zip(ties(row.operands))
        .map(|(letter, tied_to)| OperandInfo {
            kind: OperandKind::Register(class_of(letter)),
            tied_to,
            early_clobber: false,
        })
        .collect();
    Opcode {
        name: row.name.into(),
        flags: OpcodeFlags::default(),
        operands,
        definitions: row.operands.chars().filter(|&letter| is_written(letter)).count(),
        implicit_uses: Vec::new(),
        implicit_defs: Vec::new(),
    }
}

fn form(number: usize, row: &Row) -> InstructionForm {
    let touches_flags = |parts: &[Part]| !parts.is_empty();
    let implicit = |registers: &[u32], with_flags: bool| {
        let mut out: Vec<RegisterId> = registers.iter().map(|&number| r(number)).collect();
        out.extend(with_flags.then_some(FLAGS));
        out
    };
    let operands: Vec<Operand> = row
        .operands
        .chars()
        .zip(ties(row.operands))
        .map(|(letter, tied_to)| Operand {
            kind: Placeholder::Register(class_of(letter)),
            read: !is_written(letter),
            write: is_written(letter),
            tied_to,
            early_clobber: false,
            address: None,
        })
        .collect();
    let sample = Instruction {
        opcode: OpcodeId(number as u32),
        operands: (0..operands.len() as u32)
            .map(|index| OperandValue::Register(r(index)))
            .collect(),
    };
    InstructionForm {
        opcode: OpcodeId(number as u32),
        name: row.name.into(),
        mnemonic: row.name.into(),
        sample,
        operands,
        implicit_uses: implicit(row.uses, touches_flags(row.reads)),
        implicit_defs: implicit(
            row.defs,
            touches_flags(row.writes) || touches_flags(row.undefined),
        ),
        unrelated: Vec::new(),
        origin: AddressOrigin::Register,
        implied_bases: Vec::new(),
        spent: Vec::new(),
        memory: MemoryAccess::None,
        access_bits: 0,
        access_eighths: 0,
        displacement: None,
        group: EncodingGroup::COMMON,
        length: 1,
        twin: None,
    }
}

/// All forms of the toy machine, or those that are named.
pub fn catalogue(only: Option<&[&str]>) -> Catalogue {
    let wanted = |row: &Row| only.is_none_or(|names| names.contains(&row.name));
    let forms: Vec<InstructionForm> = ROWS
        .iter()
        .enumerate()
        .filter(|(_, row)| wanted(row))
        .map(|(number, row)| form(number, row))
        .collect();
    Catalogue::new(Arc::new(set()), Arc::new(Toy), forms, &HashSet::new())
}

/// The opcode of a name.
pub fn opcode_of(name: &str) -> OpcodeId {
    let number =
        ROWS.iter().position(|row| row.name == name).unwrap_or_else(|| panic!("no {name}"));
    OpcodeId(number as u32)
}
