//! Instructions that LLVM does not know, through the table of words: encoded, decoded, printed and
//! rendered in a kernel, all without LLVM.

#[allow(dead_code, reason = "only the machine itself is wanted")]
mod toy;

use std::collections::HashSet;
use std::sync::Arc;

use winic::artifact::Purpose;
use winic::catalogue::Catalogue;
use winic::codec::{CodeError, Codec, WordTable, WordTableError};
use winic::isa::LoopControl;
use winic::kernel::{Audience, Kernel, RenderError, Slot, render};
use winic::metadata::{
    ClassId, Instruction, InstructionSet, OpcodeId, OperandKind, OperandValue, Register,
    RegisterClass, RegisterId, UnitId,
};

const AMX: &str = include_str!("../reference/aarch64-amx.tsv");
const HEAD: &str = "name\tmnemonic\tword\toperand\n";

/// Nothing but general registers, as AArch64 has them: the last is zero.
fn registers_only() -> InstructionSet {
    let names = (0..31).map(|number| format!("X{number}")).chain(["XZR".to_owned()]);
    let register = |(unit, name)| Register { name, units: vec![unit], sub_registers: Vec::new() };
    let mut registers =
        vec![Register { name: String::new(), units: Vec::new(), sub_registers: Vec::new() }];
    registers.extend((0..).map(UnitId).zip(names).map(register));
    let members = (1..=32).map(RegisterId).collect();
    let class = RegisterClass { name: "GPR64".into(), bits: 64, registers: members };
    let nothing = Vec::new();
    InstructionSet::new("test".into(), "".into(), "".into(), nothing, registers, vec![class])
}

fn x(number: u32) -> OperandValue {
    OperandValue::Register(RegisterId(1 + number))
}

fn instruction(set: &InstructionSet, name: &str, operands: &[OperandValue]) -> Instruction {
    Instruction { opcode: set.by_name(name).unwrap(), operands: operands.to_vec() }
}

/// Every instruction of a table with every register that it can name.
fn all(table: &WordTable, set: &InstructionSet) -> Vec<Instruction> {
    let operands = |opcode: OpcodeId| match set.opcode(opcode).operands.as_slice() {
        [] => vec![Vec::new()],
        [operand] => {
            assert_eq!(operand.kind, OperandKind::Register(ClassId(0)));
            (0..32).map(|number| vec![x(number)]).collect()
        }
        _ => panic!("a word has one operand at most"),
    };
    let instances =
        |opcode| operands(opcode).into_iter().map(move |operands| Instruction { opcode, operands });
    table.opcodes().flat_map(instances).collect()
}

#[test]
fn every_word_comes_back_as_what_it_was() {
    let mut set = registers_only();
    let mut table = WordTable::read(AMX, &mut set).unwrap();
    let all = all(&table, &set);
    assert_eq!(all.len(), 22 * 32 + 2);
    let mut words = HashSet::new();
    for instruction in &all {
        let bytes = table.encode(instruction).unwrap();
        assert_eq!(table.decode(&bytes), Ok((instruction.clone(), 4)));
        // What follows does not matter.
        assert_eq!(table.decode(&[bytes.as_slice(), &[0xff]].concat()).unwrap().1, 4);
        words.insert(u32::from_le_bytes(bytes.try_into().unwrap()));
    }
    assert_eq!(words.len(), all.len(), "no word is two instructions");
    let of_amx = |word: &u32| word.checked_sub(0x0020_1000).is_some_and(|rest| rest < 23 << 5);
    assert!(words.iter().all(of_amx));
}

#[test]
fn words_are_those_of_the_source() {
    let mut set = registers_only();
    let mut table = WordTable::read(AMX, &mut set).unwrap();
    let cases: [(&str, &[OperandValue], u32, &str); 6] = [
        ("AMX_LDX", &[x(0)], 0x0020_1000, "ldx\tx0"),
        ("AMX_FMA32", &[x(5)], 0x0020_1185, "fma32\tx5"),
        ("AMX_MAC16", &[x(31)], 0x0020_11df, "mac16\txzr"),
        ("AMX_SET", &[], 0x0020_1220, "set"),
        ("AMX_CLR", &[], 0x0020_1221, "clr"),
        ("AMX_GENLUT", &[x(30)], 0x0020_12de, "genlut\tx30"),
    ];
    for (name, operands, word, text) in cases {
        let instruction = instruction(&set, name, operands);
        assert_eq!(table.encode(&instruction), Ok(word.to_le_bytes().to_vec()), "{name}");
        assert_eq!(table.print(&instruction).as_deref(), Ok(text));
    }
}

#[test]
fn what_is_not_in_the_table_is_refused() {
    let mut set = registers_only();
    let mut table = WordTable::read(AMX, &mut set).unwrap();
    // `set` and `clr` are two of that operation's 32 words.
    for word in [0x0020_0fff_u32, 0x0020_1222, 0x0020_123f, 0x0020_12e0, 0x8b00_0000] {
        assert_eq!(table.decode(&word.to_le_bytes()), Err(CodeError::NotDecoded), "{word:#x}");
    }
    assert_eq!(table.decode(&[0x00, 0x10, 0x20]), Err(CodeError::NotDecoded));
    let none = OperandValue::Register(RegisterId::NONE);
    for operands in [&[][..], &[none], &[x(0), x(1)], &[OperandValue::Immediate(0)]] {
        let wrong = instruction(&set, "AMX_LDX", operands);
        assert_eq!(table.encode(&wrong), Err(CodeError::WrongOperands), "{operands:?}");
        assert_eq!(table.print(&wrong), Err(CodeError::WrongOperands), "{operands:?}");
    }
    let clear = instruction(&set, "AMX_CLR", &[x(0)]);
    assert_eq!(table.encode(&clear), Err(CodeError::WrongOperands));
    let unknown = Instruction { opcode: OpcodeId(set.opcodes.len() as u32), operands: Vec::new() };
    assert_eq!(table.encode(&unknown), Err(CodeError::NoEncoding));
}

#[test]
fn a_wrong_table_says_where() {
    let cases = [
        ("A\ta\t0x1", WordTableError::Columns { line: 2, columns: 3 }),
        ("A\ta\t12\t-", WordTableError::Word { line: 2, text: "12".into() }),
        ("A\ta\t0xfffffff0\tGPR64", WordTableError::Word { line: 2, text: "0xfffffff0".into() }),
        ("A\ta\t0x1\tVR", WordTableError::Class { line: 2, class: "VR".into() }),
        (
            "# A word\nA\ta\t0x1\t-\nA\tb\t0x2\t-",
            WordTableError::Name { line: 4, name: "A".into() },
        ),
        (
            "A\ta\t0x20\tGPR64\nB\tb\t0x3f\t-",
            WordTableError::Overlap { line: 3, name: "B".into(), other: "A".into() },
        ),
    ];
    for (rows, expected) in cases {
        let mut set = registers_only();
        let error = WordTable::read(&format!("{HEAD}{rows}"), &mut set).unwrap_err();
        assert_eq!(error, expected, "{rows}");
        assert!(set.opcodes.is_empty() && set.by_name("A").is_none(), "{rows}: the set is whole");
        assert_eq!(error.to_string().lines().count(), 1);
    }
    let mut set = registers_only();
    WordTable::read(AMX, &mut set).unwrap();
    let again = WordTable::read(AMX, &mut set);
    assert!(matches!(again, Err(WordTableError::Name { .. })), "the names are taken");
}

fn kernel(body: Vec<Slot>) -> Kernel {
    let loop_control = LoopControl {
        name: "count",
        reserved: Vec::new(),
        overwrites: Vec::new(),
        restores: Vec::new(),
    };
    Kernel {
        body,
        values: Vec::new(),
        contents: None,
        low: false,
        passes_memory: false,
        crosses_encodings: false,
        padded: false,
        walk: None,
        cores: 1,
        loop_control,
        instances: 1,
    }
}

#[test]
fn kernels_are_rendered_without_llvm() {
    let mut set = registers_only();
    let mut table = WordTable::read(AMX, &mut set).unwrap();
    let load = instruction(&set, "AMX_LDX", &[x(3)]);
    let body = vec![
        Slot::Instruction(instruction(&set, "AMX_SET", &[])),
        Slot::Instruction(load.clone()),
        Slot::Fillers(2),
        Slot::Instruction(load),
    ];
    let wrong = kernel(vec![Slot::Instruction(instruction(&set, "AMX_CLR", &[x(0)]))]);
    let catalogue = Catalogue::new(Arc::new(set), Arc::new(toy::Toy), [], &HashSet::new());
    let mut text = |kernel: &Kernel, audience| {
        render(kernel, "k", &catalogue, &mut table, Purpose::Probe, audience)
            .map(|rendered| rendered.text)
    };
    let body = kernel(body);
    assert_eq!(
        text(&body, Audience::Assembler).unwrap(),
        "        winic_setup k\n        winic_setup_end\n        winic_function k_single, k\n        \
         .ascii \"\\040\\022\\040\\000\\003\\020\\040\\000\\000\\000\\003\\020\\040\\000\"\n        \
         winic_loop_count k_single\n        winic_function_end\n"
    );
    assert_eq!(
        text(&body, Audience::Person).unwrap(),
        "        winic_setup k\n        winic_setup_end\n        winic_function k_single, k\n        \
         .byte 0x20, 0x12, 0x20, 0x00  /* set */\n        \
         .byte 0x03, 0x10, 0x20, 0x00  /* ldx x3 */\n        \
         .rept 2\n        .ascii \"\\000\"\n        .endr\n        \
         .byte 0x03, 0x10, 0x20, 0x00  /* ldx x3 */\n        \
         winic_loop_count k_single\n        winic_function_end\n"
    );
    for audience in [Audience::Assembler, Audience::Person] {
        let refused = RenderError::Code("AMX_CLR".into(), CodeError::WrongOperands);
        assert_eq!(text(&wrong, audience), Err(refused));
    }
}
