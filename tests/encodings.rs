//! What an encoding has room for.
#![cfg(feature = "llvm")]

#[allow(dead_code)]
mod support;

use std::collections::BTreeMap;

use support::Machine;
use winic::codec::Codec as _;
use winic::experiment::CorePassage;
use winic::isa::Availability;
use winic::metadata::{OperandValue, RegisterId};

/// LLVM's register classes also hold what only some encodings can name: no VEX prefix has a place
/// for the registers from R16 on, and the encoder cuts their numbers down without a word.
#[test]
fn registers_that_stand_at_an_operand_can_be_encoded_there() {
    let mut machine = Machine::x86_64();
    let (mut asked, mut lost) = (0, BTreeMap::new());
    for form in machine.catalogue.forms() {
        for (index, operand) in form.operands.iter().enumerate() {
            let Some(class) = form.class_of(index).filter(|_| operand.tied_to.is_none()) else {
                continue;
            };
            let set = &machine.catalogue.set;
            let members = set.class(class).registers.iter().copied();
            let is_new = |r: &RegisterId| {
                machine.catalogue.isa.availability(&set.register(*r).name)
                    == Availability::IfExecuted
            };
            for register in members.filter(is_new) {
                let mut instance = form.sample.clone();
                for (other, info) in form.operands.iter().enumerate() {
                    if other == index || info.tied_to == Some(index) {
                        instance.operands[other] = OperandValue::Register(register);
                    }
                }
                let bytes = machine.llvm.encode(&set.encodable(&instance)).unwrap_or_default();
                let decoded = machine.llvm.decode(&bytes).map(|(decoded, _)| decoded.operands);
                asked += 1;
                if decoded != Ok(instance.operands) {
                    lost.insert(&form.name, &set.register(register).name);
                }
            }
        }
    }
    assert!(asked > 10_000, "only {asked} registers were looked at");
    assert!(lost.is_empty(), "{} forms: {lost:?}", lost.len());
}

/// Passages are bytes that no form stands for: each is whole instructions, with one branch at most, and that
/// one the last, which leads to what follows in any case.
#[test]
fn passages_are_whole_instructions_that_lead_on() {
    for mut machine in [Machine::x86_64(), Machine::aarch64(), Machine::riscv64()] {
        let pairs = machine.catalogue.isa.adjacent_pairs().len();
        assert!(pairs >= 4);
        let parts = |pair| [CorePassage::First { pair }, CorePassage::Second { pair }];
        let single = (0..pairs).flat_map(parts).map(|passage| (passage, Some(1)));
        let steps = [CorePassage::Guessed, CorePassage::Known].map(|passage| (passage, None));
        for (passage, count) in single.chain(steps) {
            let bytes = passage.bytes(&machine.catalogue);
            let mut rest = &bytes[..];
            let mut names = Vec::new();
            while !rest.is_empty() {
                let (decoded, length) = machine.llvm.decode(rest).expect("an instruction");
                let opcode = machine.catalogue.set.opcode(decoded.opcode);
                names.push((opcode.name.clone(), opcode.flags.control_flow));
                rest = &rest[length..];
            }
            assert!(count.is_none_or(|count| names.len() == count), "{passage:?}: {names:?}");
            let before = &names[..names.len() - 1];
            assert!(before.iter().all(|(_, branches)| !branches), "{passage:?}: {names:?}");
            assert!(count.is_some() || names[before.len()].1, "{passage:?}: {names:?}");
        }
    }
}
