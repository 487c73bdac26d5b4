//! How kernels go through a buffer on AArch64.

use super::registers::{assembly_name, number_lines};
use crate::isa::{BufferChase, BufferPath, BufferWalk, WalkText};
use crate::metadata::{InstructionSet, RegisterId};

/// The largest number that an addition names.
const LARGEST: u32 = 4095;

pub(super) fn text(set: &InstructionSet, path: &BufferPath) -> WalkText {
    match path {
        BufferPath::Straight(walk) => straight(set, walk),
        BufferPath::Chase(chase) => random(set, chase),
    }
}

fn straight(set: &InstructionSet, walk: &BufferWalk) -> WalkText {
    let name = |register: RegisterId| assembly_name(set, register);
    let (end, length, first) = (name(walk.end), name(walk.length), name(walk.leader()));
    let cell = |register: &str| {
        [
            format!("adrp {register}, winic_buffer_cell"),
            format!("add {register}, {register}, :lo12:winic_buffer_cell"),
        ]
    };
    // Until the pointers are where they belong: the buffer, and how far earlier calls came.
    let mut setup = cell(&first).to_vec();
    setup.push(format!("ldr {length}, [{first}]"));
    setup.push(format!("ldr {end}, [{first}, #8]"));
    for &(pointer, start) in &walk.pointers {
        let pointer = name(pointer);
        setup.extend(number_lines(&pointer, start));
        setup.push(format!("add {pointer}, {pointer}, {length}"));
        setup.push(format!("add {pointer}, {pointer}, {end}"));
    }
    setup.extend(number_lines(&end, walk.first() + walk.bytes));
    setup.push(format!("add {end}, {end}, {length}"));
    setup.extend(number_lines(&length, walk.bytes));

    let pointers = || walk.pointers.iter().map(|&(pointer, _)| name(pointer));
    let mut advance: Vec<String> = pointers().flat_map(|p| additions(&p, walk.advance)).collect();
    advance.push(format!("cmp {first}, {end}"));
    advance.push("b.lo 8f".to_owned());
    advance.extend(pointers().map(|pointer| format!("sub {pointer}, {pointer}, {length}")));
    advance.push("8:".to_owned());

    let mut teardown = cell(&length).to_vec();
    teardown.push(format!("ldr {end}, [{length}]"));
    teardown.push(format!("sub {first}, {first}, {end}"));
    teardown.extend(number_lines(&end, walk.first()));
    teardown.push(format!("sub {first}, {first}, {end}"));
    teardown.push(format!("str {first}, [{length}, #8]"));
    WalkText { setup, advance, teardown }
}

/// Adds a number to a register, in as few instructions as its size allows.
fn additions(register: &str, bytes: u32) -> Vec<String> {
    let (high, low) = (bytes / (LARGEST + 1), bytes % (LARGEST + 1));
    let high = (high > 0).then(|| format!("add {register}, {register}, #{high}, lsl #12"));
    let low = (low > 0).then(|| format!("add {register}, {register}, #{low}"));
    high.into_iter().chain(low).collect()
}

fn random(set: &InstructionSet, chase: &BufferChase) -> WalkText {
    let name = |register: RegisterId| assembly_name(set, register);
    let [base, place, found] = [chase.base, chase.place, chase.found].map(name);
    let factor = name(chase.factor);
    let cell = [
        format!("adrp {found}, winic_buffer_cell"),
        format!("add {found}, {found}, :lo12:winic_buffer_cell"),
    ];
    let mut setup = cell.to_vec();
    setup.push(format!("ldr {base}, [{found}]"));
    setup.push(format!("ldr {place}, [{found}, #8]"));
    setup.extend(number_lines(&factor, BufferChase::FACTOR.into()));
    let mut advance = vec![
        format!("mul {place}, {place}, {factor}"),
        format!("add {place}, {place}, #{}", BufferChase::ADDEND),
        format!("and {place}, {place}, #{:#x}", chase.bits()),
        format!("add {found}, {base}, {place}"),
    ];
    if chase.loads {
        advance.push(format!("ldr {found}, [{found}]"));
    }
    advance.push(format!("add {place}, {place}, {found}"));
    let mut teardown = cell.to_vec();
    teardown.push(format!("str {place}, [{found}, #8]"));
    WalkText { setup, advance, teardown }
}
