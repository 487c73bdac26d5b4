//! LLVM's scheduling models as a device: through the command line, and their tables against
//! their simulation.
#![cfg(feature = "llvm")]

use assert_cmd::Command;
use predicates::prelude::*;
use predicates::str::{contains, is_match};

fn winic(arguments: &str) -> assert_cmd::assert::Assert {
    winic_in(tempfile::tempdir().expect("a temporary directory").path(), arguments)
}

fn winic_in(place: &std::path::Path, arguments: &str) -> assert_cmd::assert::Assert {
    Command::cargo_bin("winic")
        .expect("winic is built")
        .current_dir(place)
        // Whatever would run on this machine fails.
        .env("WINIC_RUNNER", "/nonexistent")
        .args(arguments.split(' '))
        .assert()
}

#[test]
fn another_cpu_s_latencies_need_no_such_cpu() {
    winic("-c skylake --device mca LAT -i IMUL64rr -o /dev/null --noReport")
        .code(0)
        .stdout(contains("IMUL64rr(1(Class<GR64>) -> 0(Class<GR64>)) [3.00;3.00]"));
}

/// The thesis's headline: an addend that comes late, and a control register that nothing writes.
#[test]
fn operands_of_one_instruction_have_latencies_of_their_own() {
    winic("-f 3.2 -m aarch64 -c neoverse-v2 --device mca LAT -i FMADDDrrr -o /dev/null --noReport")
        .code(0)
        .stdout(
            contains("FMADDDrrr(1(Class<FPR64>) -> 0(Class<FPR64>)) [4.00;4.00]")
                .and(contains("FMADDDrrr(2(Class<FPR64>) -> 0(Class<FPR64>)) [4.00;4.00]"))
                .and(contains("FMADDDrrr(3(Class<FPR64>) -> 0(Class<FPR64>)) [2.00;2.00]"))
                .and(contains(
                    "[no instruction leads back from 0(Class<FPR64>) to impl(Reg<FPCR>)]",
                )),
        );
}

/// A Cortex-A57 reads an addend late that a multiply-add computed, and no other; a Cortex-A55 any.
#[test]
fn an_addend_may_be_late_only_behind_a_multiply_add() {
    let of = |cpu: &str| {
        let options = "--device mca LAT -i MADDXrrr -o /dev/null --noReport";
        let said = winic(&format!("-m aarch64 -c {cpu} {options}")).code(0);
        String::from_utf8_lossy(&said.get_output().stdout).into_owned()
    };
    let latencies = |factors: &str, addend: &str| {
        let edge = |operand, cycles| {
            format!("MADDXrrr({operand}(Class<GPR64>) -> 0(Class<GPR64>)) [{cycles};{cycles}]\n")
        };
        edge(1, factors) + &edge(2, factors) + &edge(3, addend)
    };
    let by_producer = "    another instruction computed the operand: 5.00\n";
    assert_eq!(of("cortex-a57"), latencies("5.00", "3.00") + by_producer);
    assert_eq!(of("cortex-a55"), latencies("3.00", "2.00"));
}

/// LLVM's model of the Neoverse V2 has another class for `extr` with one register twice, which is `ror`.
#[test]
fn a_rotation_by_a_number_is_no_extraction() {
    let run = "-m aarch64 -c neoverse-v2 --device mca ALL -i EXTRXrri EXTRXrri@ror -o /dev/null --noReport";
    winic(run).code(0).stdout(
        contains("EXTRXrri [0.50;0.50]\n")
            .and(contains("EXTRXrri@ror [0.17;0.17]\n"))
            .and(contains("EXTRXrri(1(Class<GPR64>) -> 0(Class<GPR64>)) [3.00;3.00]\n"))
            .and(contains("EXTRXrri@ror(1(Class<GPR64>) -> 0(Class<GPR64>)) [1.00;1.00]\n")),
    );
}

/// As many instructions as the reorder buffer holds finish evenly after a long one, and then none
/// for a while: 224 places, 100 cycles.
#[test]
fn a_burst_out_of_the_reorder_buffer_is_no_steady_state() {
    let run = "-c skylake --device mca TP -i CLTS -o /dev/null --noReport";
    // 100 / 224, and what rounding the ends of unequal iterations does to it.
    winic(run).code(0).stdout(is_match(r"CLTS \[0\.4[3-6];0\.4[3-6]\]").expect("a pattern"));
}

/// A core that issues in order adds its loop to every iteration.
#[test]
fn an_in_order_core_has_whole_cycles() {
    winic("-m aarch64 -c cortex-a55 --device mca LAT -i LSLVXr MADDXrrr -o /dev/null --noReport")
        .code(0)
        .stdout(
            contains("LSLVXr(1(Class<GPR64>) -> 0(Class<GPR64>)) [1.00;1.00]")
                .and(contains("LSLVXr(2(Class<GPR64>) -> 0(Class<GPR64>)) [3.00;3.00]"))
                .and(contains("MADDXrrr(1(Class<GPR64>) -> 0(Class<GPR64>)) [3.00;3.00]"))
                .and(contains("MADDXrrr(3(Class<GPR64>) -> 0(Class<GPR64>)) [2.00;2.00]")),
        );
}

/// One register of 32-bit elements, and four of bytes: 128 bits in one of two units each.
#[test]
fn a_vector_configuration_chooses_the_class() {
    let run =
        "-m riscv64 -c sifive-p670 --device mca TP -i VADD_VV VADD_VV@e8m4 -o /dev/null --noReport";
    winic(run)
        .code(0)
        .stdout(contains("VADD_VV [0.50;0.50]").and(contains("VADD_VV@e8m4 [2.00;2.00]")));
}

/// A core that issues in order waits for what would break a dependence, too: without it the chain
/// is as fast as the walk.
#[test]
fn a_chain_may_be_faster_if_nothing_breaks_what_crosses_it() {
    const RUN: &str =
        "-m aarch64 -c cortex-a55 --device mca LAT -i CCMPXr CSELXr -o crossed.yaml --noReport";
    let place = tempfile::tempdir().expect("a temporary directory");
    winic_in(place.path(), RUN).code(0);
    winic_in(place.path(), "compare crossed.yaml")
        .code(0)
        .stdout(contains("latencies: 3 of 3 agree (100.00 %), 0 differ, 3 undecided"));
}

#[test]
fn the_device_may_name_the_cpu_and_a_frequency_changes_nothing() {
    winic("-f 2.1 --device mca:znver4 TP -i VFMADD231PDr -o /dev/null --noReport")
        .code(0)
        .stdout(contains("VFMADD231PDr [0.50;0.50]"));
}

#[test]
fn what_the_model_leaves_out_is_a_finding() {
    winic("-c skylake --device mca TP -i VADDPDZrr -o /dev/null --noReport")
        .code(1)
        .stdout(contains("VADDPDZrr [not covered by the scheduling model]"));
}

#[test]
fn what_cannot_be_simulated_is_said_in_one_line() {
    let cases = [
        ("--device mca:nosuchcpu TP -i ADD64rr", "LLVM knows no CPU 'nosuchcpu'"),
        ("--device board TP -i ADD64rr", "there is no device 'board'"),
    ];
    for (arguments, reason) in cases {
        winic(arguments).code(2).stderr(contains(reason).and(contains("panicked").not()));
    }
}

#[test]
fn what_a_cpu_lacks_for_a_simulation_is_said_in_one_line() {
    let cases = [
        ("--device mca:i386 TP -i ADD64rr", "LLVM has no scheduling model of CPU 'i386'"),
        ("-m riscv64 --device mca:sifive-e20 TP -i ADD", "the CPU executes 32-bit code only"),
    ];
    let is_one_line = || is_match(r"\A[^\n]*\n\z").expect("a pattern");
    for (arguments, reason) in cases {
        winic(arguments).code(2).stderr(contains(reason).and(is_one_line()));
    }
}

/// A model is never disturbed, whatever it makes of the chains that are a core's unit of time.
#[test]
fn a_simulator_is_never_called_noisy() {
    let runs = [
        ("--device mca:alderlake TP -i ADD64rr", "ADD64rr ["),
        ("-m aarch64 --device mca:falkor TP -i ADDXrs", "ADDXrs ["),
        ("-m riscv64 --device mca:rocket-rv64 TP -i ADD", "ADD ["),
    ];
    for (run, value) in runs {
        let quiet = || contains("noisy").or(contains("retry")).not();
        winic(run).code(0).stdout(contains(value).and(quiet())).stderr(quiet());
    }
}

#[test]
fn forms_are_listed_as_far_as_a_model_covers_them() {
    winic("-c skylake --device mca list --all")
        .code(0)
        .stdout(contains("VADDPDZrr\tvaddpd\tout\tnone\tnot covered by the scheduling model"))
        .stdout(contains("VADDPDrr\tvaddpd\tform\tnone\t"));
}

/// A run that stops early, in a directory of its own.
fn stopped(arguments: &str) -> (tempfile::TempDir, String) {
    let place = tempfile::tempdir().expect("a temporary directory");
    let output = Command::cargo_bin("winic")
        .expect("winic is built")
        .current_dir(place.path())
        .env("WINIC_RUNNER", "/nonexistent")
        .args(arguments.split(' '))
        .assert()
        .code(0)
        .get_output()
        .stdout
        .clone();
    (place, String::from_utf8(output).expect("text"))
}

#[test]
fn runs_stop_after_any_stage() {
    let run = "-c skylake --device mca LAT -i IMUL64rr --stop-after ";
    let (_, forms) = stopped(&format!("{run}forms"));
    assert_eq!(forms, "IMUL64rr\timul\n");

    let (_, plan) = stopped(&format!("{run}plan"));
    assert!(plan.contains("latency\tIMUL64rr\tSame registers, 0 fillers a link"), "{plan}");

    let (place, kernels) = stopped(&format!("{run}kernels"));
    assert_eq!(kernels.lines().count(), plan.lines().count());
    for line in kernels.lines() {
        let file = line.split('\t').next().expect("a file");
        let text = std::fs::read_to_string(place.path().join(file)).expect("a kernel");
        assert!(text.contains("winic_function k"), "{file}");
    }

    let (place, artifacts) = stopped(&format!("{run}artifacts"));
    assert_eq!(artifacts.lines().count(), plan.lines().count());
    let image = std::fs::read(place.path().join("artifacts/0000.so")).expect("a shared object");
    assert!(image.starts_with(b"\x7fELF"));
}
