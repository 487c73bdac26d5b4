//! How kernels go through a buffer on x86-64.

use crate::isa::{BufferChase, BufferPath, BufferWalk, WalkText};
use crate::metadata::{InstructionSet, RegisterId};

pub(super) fn text(set: &InstructionSet, path: &BufferPath) -> WalkText {
    match path {
        BufferPath::Straight(walk) => straight(set, walk),
        BufferPath::Chase(chase) => random(set, chase),
    }
}

fn straight(set: &InstructionSet, walk: &BufferWalk) -> WalkText {
    let name = |register: RegisterId| set.register(register).name.to_lowercase();
    let (end, length) = (name(walk.end), name(walk.length));
    // Until the pointers are where they belong: the buffer, and how far earlier calls came.
    let mut setup = vec![
        format!("mov {length}, qword ptr [rip + winic_buffer_cell]"),
        format!("mov {end}, qword ptr [rip + winic_walked]"),
    ];
    for &(pointer, start) in &walk.pointers {
        let pointer = name(pointer);
        setup.push(format!("movabs {pointer}, {start:#x}"));
        setup.push(format!("add {pointer}, {length}"));
        setup.push(format!("add {pointer}, {end}"));
    }
    setup.push(format!("movabs {end}, {:#x}", walk.first() + walk.bytes));
    setup.push(format!("add {end}, {length}"));
    setup.push(format!("movabs {length}, {:#x}", walk.bytes));

    let pointers = || walk.pointers.iter().map(|&(pointer, _)| name(pointer));
    let first = name(walk.leader());
    let mut advance: Vec<String> =
        pointers().map(|pointer| format!("add {pointer}, {}", walk.advance)).collect();
    // Mispredicted once in a pass at the most; a conditional move made 256-bit loads of a Granite Rapids
    // slower by a tenth. (A label of ones and zeros would be a binary number.)
    advance.push(format!("cmp {first}, {end}"));
    advance.push("jb 8f".to_owned());
    advance.extend(pointers().map(|pointer| format!("sub {pointer}, {length}")));
    advance.push("8:".to_owned());

    let teardown = vec![
        format!("sub {first}, qword ptr [rip + winic_buffer_cell]"),
        format!("movabs {length}, {:#x}", walk.first()),
        format!("sub {first}, {length}"),
        format!("mov qword ptr [rip + winic_walked], {first}"),
    ];
    WalkText { setup, advance, teardown }
}

fn random(set: &InstructionSet, chase: &BufferChase) -> WalkText {
    let name = |register: RegisterId| set.register(register).name.to_lowercase();
    let [base, place, found] = [chase.base, chase.place, chase.found].map(name);
    let setup = vec![
        format!("mov {base}, qword ptr [rip + winic_buffer_cell]"),
        format!("mov {place}, qword ptr [rip + winic_walked]"),
    ];
    let mut advance = vec![
        format!("imul {place}, {place}, {:#x}", BufferChase::FACTOR),
        format!("add {place}, {}", BufferChase::ADDEND),
        format!("and {place}, {:#x}", chase.bits()),
        format!("lea {found}, [{base} + {place}]"),
    ];
    if chase.loads {
        advance.push(format!("mov {found}, qword ptr [{found}]"));
    }
    advance.push(format!("add {place}, {found}"));
    let teardown = vec![format!("mov qword ptr [rip + winic_walked], {place}")];
    WalkText { setup, advance, teardown }
}
