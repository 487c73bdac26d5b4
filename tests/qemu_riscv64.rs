//! RISC-V kernels really execute, under QEMU.

#![cfg(feature = "llvm22")]

#[allow(dead_code)]
#[path = "support/emulator.rs"]
mod emulator;
#[allow(dead_code)]
mod support;

use std::collections::{BTreeSet, HashMap};

use emulator::{Emulator, chains, run, throughput, walks};
use support::Machine;
use winic::form::InstructionForm;
use winic::metadata::VectorConfiguration;

/// What QEMU's biggest CPU does not have: quad precision, and cryptographic vectors in groups
/// that are too short for their elements.
fn is_beyond_qemu(name: &str) -> bool {
    const CRYPTOGRAPHIC: [&str; 6] = ["VAES", "VGHSH", "VGMUL", "VSHA2", "VSM3", "VSM4"];
    name.split('_').any(|part| part == "Q")
        || CRYPTOGRAPHIC.iter().any(|start| name.starts_with(start))
            && ["@e32mf2", "@e64m1"].iter().any(|end| name.ends_with(end))
        // 256 bits in one register of 128.
        || ["VSM3C_VI", "VSM3ME_VV"].contains(&name)
        // 128-bit numbers, and what an operating system has to allow.
        || ["FLQ", "FSQ", "CBO_CLEAN", "CBO_FLUSH"].contains(&name)
}

#[test]
fn kernels_execute_under_qemu() {
    let Some(emulator) = Emulator::find("riscv64") else { return };
    let mut machine = Machine::riscv64_with_memory();
    let mut device = emulator.device("max");
    let forms: Vec<InstructionForm> = machine.catalogue.forms().cloned().collect();
    let bodies: Vec<_> = forms.iter().filter_map(|form| throughput(form, &machine)).collect();
    let single = run(&bodies, &mut machine, &mut device);
    let by_name: HashMap<&str, &InstructionForm> =
        forms.iter().map(|form| (form.name.as_str(), form)).collect();
    println!("{} forms execute, {} fault", single.executed.len(), single.faulted.len());
    println!("{}", single.describe_faults());

    // All register classes, and all configurations of vectors.
    let set = machine.catalogue.set.clone();
    let executed: Vec<&InstructionForm> =
        single.executed.iter().map(|name| by_name[name.as_str()]).collect();
    let classes: BTreeSet<&str> = executed
        .iter()
        .flat_map(|form| (0..form.operands.len()).filter_map(|index| form.class_of(index)))
        .map(|class| set.class(class).name.as_str())
        .collect();
    let wanted = ["GPR", "GPRC", "FPR16", "FPR32", "FPR64", "VR", "VRM2", "VRM4", "VRM8", "VMV0"];
    for class in wanted {
        assert!(classes.contains(class), "no form with {class} executes: {classes:?}");
    }
    let configurations: BTreeSet<VectorConfiguration> =
        executed.iter().filter_map(|form| set.configuration(form.opcode)).collect();
    println!("{} vector configurations", configurations.len());
    assert!(configurations.iter().filter(|known| !known.masked).count() >= 22);
    let scalar = executed.iter().filter(|form| set.configuration(form.opcode).is_none()).count();
    let vector = executed.len() - scalar;
    println!("{scalar} scalar forms, {vector} vector forms under a configuration");
    assert!(scalar >= 300 && vector >= 2000);
    let is_known = |name: &str, fault: &str| is_beyond_qemu(name) && fault == "illegal instruction";
    let unknown: Vec<_> =
        single.faulted.iter().filter(|(name, fault)| !is_known(name, fault)).collect();
    assert!(unknown.is_empty(), "{unknown:?}");

    // What executes once also executes in chains, with registers in all the places they take.
    let chains: Vec<_> = executed
        .iter()
        .filter(|form| set.base(form.opcode) == form.opcode || form.opcode.0 % SAMPLED == 0)
        .flat_map(|form| chains(form, &machine))
        .collect();
    let chained = run(&chains, &mut machine, &mut device);
    println!("{} chains execute", chained.executed.len());
    assert!(chained.faulted.is_empty(), "{:?}", chained.faulted);
}

/// Of vector forms under other configurations than the headline's, every so many-th is chained.
const SAMPLED: u32 = 7;

/// Pointers stay in a buffer, of which nothing behind its last page is there.
#[test]
fn walks_stay_in_their_buffer_under_qemu() {
    let Some(emulator) = Emulator::find("riscv64") else { return };
    let mut machine = Machine::riscv64_with_memory();
    let walks = walks("LD", "SD", &machine);
    let outcomes = run(&walks, &mut machine, &mut emulator.device("max"));
    assert_eq!(outcomes.executed.len(), walks.len(), "{}", outcomes.describe_faults());
}

#[test]
fn probing_finds_out_what_a_cpu_lacks() {
    let Some(emulator) = Emulator::find("riscv64") else { return };
    let mut machine = Machine::riscv64();
    let names = ["ADD", "FADD_D", "C_ADD", "VADD_VV", "VADD_VV@e8m2", "VMV1R_V", "CPOP", "FADD_H"];
    let kernels: Vec<_> =
        names.iter().filter_map(|name| throughput(machine.form(name), &machine)).collect();
    assert_eq!(kernels.len(), names.len());
    let mut executed = |cpu: &str| {
        let mut device = emulator.device(cpu);
        run(&kernels, &mut machine, &mut device).executed
    };
    let all: BTreeSet<String> = names.iter().map(|&name| name.to_owned()).collect();
    assert_eq!(executed("max"), all);
    let without_vectors = executed("rv64,v=false,zbb=true,zfh=true");
    assert!(without_vectors.iter().all(|name| !name.starts_with('V')), "{without_vectors:?}");
    assert!(without_vectors.contains("CPOP") && without_vectors.contains("FADD_H"));
    let plain = executed("sifive-u54");
    assert_eq!(plain.iter().map(String::as_str).collect::<Vec<_>>(), ["ADD", "C_ADD", "FADD_D"]);
}
