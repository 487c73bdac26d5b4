//! What an encoding has room for.
#![cfg(feature = "llvm")]

#[allow(dead_code)]
mod support;

use std::collections::BTreeMap;

use support::Machine;
use winic::codec::Codec as _;
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
