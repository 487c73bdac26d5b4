//! What must hold for the kernels of every form, found out on the finished instructions.

#![cfg(feature = "llvm")]

mod addresses;
mod chains;
#[path = "../support/complaints.rs"]
mod complaints;
#[path = "../support/dataflow.rs"]
mod dataflow;
#[path = "../support/front_end.rs"]
mod front_end;
#[path = "../support/misread.rs"]
mod misread;
mod mixtures;
#[allow(dead_code)]
#[path = "../support/sme/forms.rs"]
mod sme;
mod sme_kernels;
#[allow(dead_code)]
#[path = "../support/mod.rs"]
mod support;
mod throughput;
mod walks;
mod windows;

use std::collections::HashSet;

use complaints::{Complaints, check_operands, units, written_units};
use misread::{MISREAD, is_misread};
use support::Machine;
use winic::catalogue::Catalogue;
use winic::codec::Codec as _;
use winic::form::EncodingGroup;
use winic::kernel::Kernel;
use winic::metadata::{Instruction, RegisterId, UnitId};

#[test]
fn what_is_listed_as_misread_is_misread() {
    let mut machine = Machine::aarch64();
    for name in MISREAD.iter().flat_map(|(_, forms)| forms.iter().copied()) {
        let kernel =
            throughput::body(machine.form(name), Vec::new()).build(&machine.catalogue).unwrap();
        let mut comes_back = |instruction: &Instruction| {
            let encodable = machine.catalogue.set.encodable(instruction);
            let bytes = machine.llvm.encode(&encodable).unwrap();
            machine.llvm.decode(&bytes).unwrap().0.operands == encodable.operands
        };
        assert!(!kernel.instructions().all(&mut comes_back), "{name}");
    }
}

/// Control registers.
const SET_BY_THE_TEMPLATE: &[&str] = &["FPCW", "FRM", "VXRM"];

/// What must hold for any kernel.
fn check_kernel(name: &str, kernel: &Kernel, machine: &mut Machine, complaints: &mut Complaints) {
    let catalogue = &machine.catalogue;
    let reserved: HashSet<UnitId> =
        kernel.loop_control.reserved.iter().flat_map(|&r| units(catalogue, r).to_vec()).collect();
    let restored: HashSet<UnitId> = kernel
        .loop_control
        .restores
        .iter()
        .flat_map(|&(r, _)| units(catalogue, r).to_vec())
        .collect();
    let groups = kernel.instructions().filter_map(|instruction| catalogue.form(instruction.opcode));
    if groups.map(|form| form.group).try_fold(EncodingGroup::COMMON, EncodingGroup::with).is_none()
    {
        complaints.add("mixes encodings", name);
    }
    for unit in written_units(kernel, catalogue) {
        if restored.contains(&unit) {
            complaints.add("writes a register that the loop restores", name);
        }
    }
    let mut seen = HashSet::new();
    for instruction in kernel.instructions().filter(|&instruction| seen.insert(instruction)) {
        let form = catalogue.form(instruction.opcode).expect("a form");
        if form
            .touched(instruction)
            .iter()
            .any(|&r| units(catalogue, r).iter().any(|unit| reserved.contains(unit)))
        {
            complaints.add("touches what the loop reserves", name);
        }
        if !complaints.checked.insert(instruction.clone()) {
            continue;
        }
        check_operands(name, form, instruction, catalogue, complaints);
        if form.clobbers_itself(instruction, &catalogue.set) {
            complaints.add("writes over what it reads", name);
        }
        let encodable = catalogue.set.encodable(instruction);
        let Ok(bytes) = machine.llvm.encode(&encodable) else {
            complaints.add("does not encode", name);
            continue;
        };
        match machine.llvm.decode(&bytes) {
            Ok((decoded, length))
                if length == bytes.len() && decoded.opcode == encodable.opcode =>
            {
                if decoded.operands != encodable.operands && !is_misread(&form.name) {
                    complaints.add("decodes to other operands", name);
                }
            }
            _ => complaints.add("does not decode to its own opcode", name),
        }
    }
    let values = &kernel.values;
    for register in read_first(kernel, catalogue) {
        if SET_BY_THE_TEMPLATE.contains(&catalogue.set.register(register).name.as_str()) {
            continue;
        }
        let stack = |register: RegisterId| catalogue.set.register(register).name.starts_with("ST");
        // The x87 stack is filled as a whole.
        if !values.iter().any(|&(known, _)| {
            catalogue.set.overlap(known, register) || stack(known) && stack(register)
        }) {
            complaints.add(
                "a register is read that nobody gave a value",
                format!("{name} {}", catalogue.set.register(register).name),
            );
        }
    }
}

/// Registers read before any instruction of the body wrote them.
fn read_first(kernel: &Kernel, catalogue: &Catalogue) -> Vec<RegisterId> {
    let mut written: HashSet<UnitId> = HashSet::new();
    let mut out = Vec::new();
    for instruction in kernel.instructions() {
        let form = catalogue.form(instruction.opcode).expect("a form");
        for register in form.uses().filter_map(|site| form.register_at(site, instruction)) {
            if units(catalogue, register).iter().any(|unit| !written.contains(unit)) {
                out.push(register);
            }
        }
        for register in form.defs().filter_map(|site| form.register_at(site, instruction)) {
            written.extend(units(catalogue, register));
        }
    }
    out
}
