//! AArch64 kernels under QEMU: those of all forms that its biggest CPU has.

#![cfg(feature = "llvm22")]

#[allow(dead_code)]
#[path = "support/emulator.rs"]
mod emulator;
#[allow(dead_code)]
mod support;

use std::collections::BTreeSet;

use emulator::{Emulator, chains, run, throughput, walks};
use support::Machine;
use winic::form::InstructionForm;
use winic::kernel::Kernel;

#[test]
fn kernels_execute_under_qemu() {
    let Some(emulator) = Emulator::find("aarch64") else { return };
    let mut machine = Machine::aarch64_with_memory();
    let mut device = emulator.device("max");
    let forms: Vec<InstructionForm> = machine.catalogue.forms().cloned().collect();
    let bodies: Vec<(String, Kernel)> =
        forms.iter().filter_map(|form| throughput(form, &machine)).collect();
    let outcomes = run(&bodies, &mut machine, &mut device);
    println!(
        "{} bodies of {} forms: {} execute, {} fault",
        bodies.len(),
        forms.len(),
        outcomes.executed.len(),
        outcomes.faulted.len()
    );
    println!("{}", outcomes.describe_faults());
    assert!(outcomes.executed.len() >= LEAST, "fewer than {LEAST}");
    let other: Vec<_> =
        outcomes.faulted.iter().filter(|(_, fault)| *fault != "illegal instruction").collect();
    assert!(other.is_empty(), "only what QEMU does not know may fault: {other:?}");

    let executed: Vec<&InstructionForm> =
        forms.iter().filter(|form| outcomes.executed.contains(&form.name)).collect();
    let classes: BTreeSet<&str> = executed
        .iter()
        .flat_map(|form| (0..form.operands.len()).filter_map(|index| form.class_of(index)))
        .map(|class| machine.catalogue.set.class(class).name.as_str())
        .collect();
    for class in CLASSES {
        assert!(classes.contains(class), "no form with {class} executes: {classes:?}");
    }

    // What executes once also executes in chains, with registers in all the places they take.
    let chained: Vec<(String, Kernel)> =
        executed.iter().step_by(SAMPLED).flat_map(|form| chains(form, &machine)).collect();
    let outcomes = run(&chained, &mut machine, &mut device);
    println!("{} chains: {} execute", chained.len(), outcomes.executed.len());
    assert!(outcomes.faulted.is_empty(), "{}", outcomes.describe_faults());
}

/// Forms that QEMU 11.1 has at the least: all but those of streaming mode, authentication of
/// pointers that nobody signed, and the newest extensions.
const LEAST: usize = 4000;
/// Kinds of register that must be among theirs.
const CLASSES: &[&str] = &[
    "GPR32",
    "GPR64",
    "GPR64sp",
    "FPR8",
    "FPR16",
    "FPR32",
    "FPR64",
    "FPR128",
    "FPR128_lo",
    "QQQQ",
    "ZPR",
    "ZPR_3b",
    "ZPR_4b",
    "ZPR2",
    "PPR",
    "PPR_3b",
    "PPRorPNR",
    "PNR_p8to15",
    "PPR2Mul2",
];
/// Every so many-th form is chained.
const SAMPLED: usize = 3;

/// Pointers stay in a buffer, of which nothing behind its last page is there.
#[test]
fn walks_stay_in_their_buffer_under_qemu() {
    let Some(emulator) = Emulator::find("aarch64") else { return };
    let mut machine = Machine::aarch64_with_memory();
    let walks = walks("LDRQui", "STRQui", &machine);
    let outcomes = run(&walks, &mut machine, &mut emulator.device("max"));
    assert_eq!(outcomes.executed.len(), walks.len(), "{}", outcomes.describe_faults());
}

#[test]
fn probing_finds_out_what_a_cpu_lacks() {
    let Some(emulator) = Emulator::find("aarch64") else { return };
    let mut machine = Machine::aarch64();
    let names = ["ADDXrs", "FADDDrr", "ADDv4i32", "PACIA", "UDOTv16i8", "ADD_ZZZ_D", "EORBT_ZZZ_D"];
    let kernels: Vec<_> =
        names.iter().filter_map(|name| throughput(machine.form(name), &machine)).collect();
    assert_eq!(kernels.len(), names.len());
    let mut executed = |cpu: &str| -> Vec<String> {
        let mut device = emulator.device(cpu);
        run(&kernels, &mut machine, &mut device).executed.into_iter().collect()
    };
    assert_eq!(executed("max").len(), names.len());
    assert_eq!(executed("cortex-a57"), ["ADDXrs", "ADDv4i32", "FADDDrr"]);
    assert!(executed("a64fx").contains(&"ADD_ZZZ_D".to_owned()));
}

/// QEMU has no such unit: every form is a finding, and a whole run ends well.
#[test]
fn a_machine_without_apples_matrix_unit_says_so_of_each_form() {
    let Some(emulator) = Emulator::find("aarch64") else { return };
    let runner = emulator.script();
    let place = tempfile::tempdir().unwrap();
    let winic = |arguments: &[&str]| {
        let mut command = assert_cmd::Command::cargo_bin("winic").unwrap();
        command.current_dir(place.path()).args(["-m", "amx", "--runner", runner, "TP"]);
        let output = command.args(arguments).output().unwrap();
        (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
    };
    let asked = winic(&["-i", "fma64_mat_f64f64_x*y"]);
    assert_eq!(asked, (Some(1), "fma64_mat_f64f64_x*y [illegal instruction]\n".to_owned()));
    assert_eq!(winic(&["-o", "all.yaml"]).0, Some(0));
}
