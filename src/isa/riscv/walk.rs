//! How kernels go through a buffer on RISC-V.

use super::registers::assembly_name;
use crate::isa::{BufferChase, BufferPath, BufferWalk, WalkText};
use crate::metadata::{InstructionSet, RegisterId};

/// The largest number that an addition names.
const LARGEST: u32 = 2047;

pub(super) fn text(set: &InstructionSet, path: &BufferPath) -> WalkText {
    match path {
        BufferPath::Straight(walk) => straight(set, walk),
        BufferPath::Chase(chase) => random(set, chase),
    }
}

fn straight(set: &InstructionSet, walk: &BufferWalk) -> WalkText {
    let name = |register: RegisterId| assembly_name(set, register);
    let (end, length, first) = (name(walk.end), name(walk.length), name(walk.leader()));
    // Until the pointers are where they belong: the buffer, and how far earlier calls came.
    let mut setup = vec![
        format!("lla {first}, winic_buffer_cell"),
        format!("ld {length}, 0({first})"),
        format!("ld {end}, 8({first})"),
    ];
    for &(pointer, start) in &walk.pointers {
        let pointer = name(pointer);
        setup.push(format!("li {pointer}, {start:#x}"));
        setup.push(format!("add {pointer}, {pointer}, {length}"));
        setup.push(format!("add {pointer}, {pointer}, {end}"));
    }
    setup.push(format!("li {end}, {:#x}", walk.first() + walk.bytes));
    setup.push(format!("add {end}, {end}, {length}"));
    setup.push(format!("li {length}, {:#x}", walk.bytes));

    let pointers = || walk.pointers.iter().map(|&(pointer, _)| name(pointer));
    let mut advance: Vec<String> = pointers().flat_map(|p| additions(&p, walk.advance)).collect();
    advance.push(format!("bltu {first}, {end}, 8f"));
    advance.extend(pointers().map(|pointer| format!("sub {pointer}, {pointer}, {length}")));
    advance.push("8:".to_owned());

    let teardown = vec![
        format!("lla {length}, winic_buffer_cell"),
        format!("ld {end}, 0({length})"),
        format!("sub {first}, {first}, {end}"),
        format!("li {end}, {:#x}", walk.first()),
        format!("sub {first}, {first}, {end}"),
        format!("sd {first}, 8({length})"),
    ];
    WalkText { setup, advance, teardown }
}

/// Adds a number to a register.
fn additions(register: &str, bytes: u32) -> Vec<String> {
    let mut left = bytes;
    let mut lines = Vec::new();
    while left > 0 {
        let step = left.min(LARGEST);
        lines.push(format!("addi {register}, {register}, {step}"));
        left -= step;
    }
    lines
}

fn random(set: &InstructionSet, chase: &BufferChase) -> WalkText {
    let name = |register: RegisterId| assembly_name(set, register);
    let [base, place, found] = [chase.base, chase.place, chase.found].map(name);
    let [factor, mask] = [chase.factor, chase.mask].map(name);
    let setup = vec![
        format!("lla {found}, winic_buffer_cell"),
        format!("ld {base}, 0({found})"),
        format!("ld {place}, 8({found})"),
        format!("li {factor}, {:#x}", BufferChase::FACTOR),
        format!("li {mask}, {:#x}", chase.bits()),
    ];
    let mut advance = vec![
        format!("mul {place}, {place}, {factor}"),
        format!("addi {place}, {place}, {}", BufferChase::ADDEND),
        format!("and {place}, {place}, {mask}"),
        format!("add {found}, {base}, {place}"),
    ];
    if chase.loads {
        advance.push(format!("ld {found}, 0({found})"));
    }
    advance.push(format!("add {place}, {place}, {found}"));
    let teardown =
        vec![format!("lla {found}, winic_buffer_cell"), format!("sd {place}, 8({found})")];
    WalkText { setup, advance, teardown }
}
