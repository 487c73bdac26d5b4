//! Store forwarding: kernels for all widths and offsets, and what they show on this machine.
#![cfg(feature = "llvm")]

#[allow(dead_code)]
mod support;

use std::collections::BTreeSet;
use std::process::Command;

use support::Machine;
use winic::database::{Database, ForwardingTime};
use winic::experiment::Experiment;
use winic::form::{AddressPart, Site, Value};
use winic::infer::Knowledge;
use winic::kernel::Kernel;
use winic::metadata::OperandValue;
use winic::study::Grid;
use winic::study::forward;

/// Where in the region the instances of a kernel's body access memory, in their order.
fn places(machine: &Machine, kernel: &Kernel) -> Vec<i64> {
    let place = |instruction: &winic::metadata::Instruction| {
        let form = machine.catalogue.form(instruction.opcode)?;
        let base =
            form.register_at(Site::Operand(form.operand_of(AddressPart::Base)?), instruction);
        let (_, value) = kernel.values.iter().find(|(register, _)| Some(*register) == base)?;
        let Value::DataAddress(base) = value else { return None };
        let displacement = form.displacement?;
        let OperandValue::Immediate(number) = instruction.operands[displacement.operand] else {
            return None;
        };
        Some(i64::from(*base) + number * i64::from(displacement.unit))
    };
    kernel.instructions().filter_map(place).collect()
}

/// Builds the kernels of all places of the table: each load is as far behind its store as it says.
fn kernels_are_as_planned(machine: &Machine, least: usize) {
    let study = (forward::QUESTION.ask)(&machine.catalogue, &[], Grid::USUAL);
    let asked = study.next(&Knowledge::default());
    let mut names = BTreeSet::new();
    for experiment in &asked {
        let Experiment::StoreLoad(pair) = experiment else { panic!("{experiment:?}") };
        let kernel = experiment.kernel(&machine.catalogue);
        let kernel = kernel.unwrap_or_else(|error| panic!("{pair:?}: {error}")).expect("a kernel");
        let places = places(machine, &kernel);
        assert_eq!(places.len(), 2 * kernel.instances as usize, "{pair:?}");
        for both in places.chunks(2) {
            assert_eq!(both[1] - both[0], i64::from(pair.offset), "{pair:?}: {places:?}");
        }
        assert!(places.iter().all(|place| (0..4096 - 64).contains(place)), "{pair:?}: {places:?}");
        assert!(kernel.needs().passes_memory, "{pair:?}");
        names.insert((pair.store, pair.load, pair.offset));
    }
    assert!(names.len() >= least, "{} places", names.len());
}

#[test]
fn kernels_of_x86_64() {
    kernels_are_as_planned(&Machine::x86_64_with_memory(), 150);
}

#[test]
fn kernels_of_aarch64() {
    kernels_are_as_planned(&Machine::aarch64_with_memory(), 150);
}

#[test]
fn kernels_of_riscv64() {
    kernels_are_as_planned(&Machine::riscv64_with_memory(), 50);
}

/// On every x86-64 core what was stored in whole reaches a load sooner than what lies partly beyond it.
#[test]
fn what_was_not_stored_alone_waits_for_the_cache() {
    if cfg!(not(target_arch = "x86_64")) {
        println!("skipped: the forms are those of x86-64");
        return;
    }
    let place = tempfile::tempdir().expect("a temporary directory");
    let winic = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_winic"));
        command.current_dir(&place).env("WINIC_RUNNER", env!("CARGO_BIN_EXE_winic-runner"));
        command
    };
    let output =
        winic().args(["FORWARD", "-o", "out.yaml", "--noReport"]).output().expect("winic runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let table = String::from_utf8(output.stdout).expect("text");
    let mut lines = table.lines();
    assert_eq!(
        lines.next(),
        Some("registers\tstored\tloaded\toffset\tcycles\tuncertainty\tsameAddress")
    );
    let times = Database::read(&place.path().join("out.yaml")).expect("a database").forwarding();
    let times = times.expect("times");
    assert_eq!(lines.count(), times.len());
    let cycles = |stored: u32, loaded: u32, offset: i32| {
        let is_it = |time: &&ForwardingTime| {
            let widths = (time.registers.name(), time.stored, time.loaded, time.offset);
            widths == ("general", stored, loaded, offset)
        };
        times.iter().find(is_it).and_then(|time| time.cycles).expect("a time")
    };
    for (stored, loaded) in [(8, 64), (16, 32), (32, 64)] {
        let (whole, beyond) = (cycles(stored, stored, 0), cycles(stored, loaded, 0));
        assert!(whole + 2.0 < beyond, "{stored} -> {loaded}: {whole} and {beyond}");
    }
    // The file says it again.
    let report = winic().args(["report", "out.yaml"]).output().expect("winic runs");
    let report = String::from_utf8_lossy(&report.stdout).into_owned();
    assert!(report.contains("    general 64 -> 32 bits: -2: "), "{report}");
}
