//! Apple's AMX on devices: in software, where what kernels do is found out by what changes, and on machines
//! that files describe, where the tables of documents come out of winic's own kernels.
#![cfg(feature = "llvm")]

#[path = "support/dataflow.rs"]
#[expect(dead_code, reason = "other tests look for single dependences")]
mod dataflow;

use std::collections::{BTreeMap, HashSet};
use std::path::Path;

use assert_cmd::Command;
use winic::catalogue::Catalogue;
use winic::database::Database;
use winic::isa::amx::{AmxGeneration, AmxVariant, Effects, variants};
use winic::kernel::{Content, SharedLoop};
use winic::llvm::{TargetChoice, triple_of};
use winic::metadata::OpcodeId;
use winic::pipeline::Target;
use winic::report::published;

use dataflow::Loop;

/// The exit status, and what is said on standard output and on standard error.
fn winic(place: &Path, arguments: &[&str]) -> (Option<i32>, String, String) {
    let mut command = Command::cargo_bin("winic").unwrap();
    let output = command.current_dir(place).args(arguments).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

/// Forms of the newest generation with their status on a unit in software.
fn listed_on(device: &str) -> BTreeMap<String, String> {
    let place = tempfile::tempdir().unwrap();
    let arguments = ["-q", "-m", "amx", "--device", device, "list", "--all"];
    let (status, out, error) = winic(place.path(), &arguments);
    assert_eq!(status, Some(0), "{error}");
    let known: HashSet<&str> = variants().iter().map(|variant| variant.name).collect();
    let rows = out.lines().map(|line| line.split('\t').collect::<Vec<_>>());
    let named = rows.filter(|columns| known.contains(columns[0]));
    named.map(|columns| (columns[0].to_owned(), columns[1..].join(" "))).collect()
}

/// Every probe executes its instruction once, stores all registers and traps unless those have changed that
/// the instruction writes. So in the unit of their own generation none traps, and in an older one those do
/// that it does not have: they do nothing there, or less.
#[test]
fn probes_tell_what_a_generation_has() {
    let halves =
        |variant: &AmxVariant| variant.name.ends_with("dzi") || variant.name.ends_with("tzi");
    for (device, own) in [("emulator:m4", AmxGeneration::M4), ("emulator:m1", AmxGeneration::M1)] {
        let listed = listed_on(device);
        for variant in variants().iter().filter(|variant| !halves(variant)) {
            let row = &listed[variant.name];
            let is_there = !row.contains("it does nothing here");
            if variant.is_in(own) {
                assert!(is_there, "{device}: {} {row}", variant.name);
            } else if !["bf16", "f32->"].iter().any(|kind| variant.name.contains(kind)) {
                // (The first generation takes bf16 for f16 and narrows nothing: the same registers change, and
                // only what stands in them is another.)
                assert!(!is_there, "{device}: {} {row}", variant.name);
            }
        }
    }
}

#[test]
fn a_device_of_another_instruction_set_is_refused() {
    let place = tempfile::tempdir().unwrap();
    for (arguments, wanted) in [
        (&["--device", "emulator", "-m", "aarch64", "TP"][..], "say -m amx, too"),
        (&["--device", "emulator:m9", "-m", "amx", "TP"], "'m9' is no generation of AMX"),
        (&["--device", "mca", "-m", "amx", "TP"], "no model of LLVM's knows Apple's AMX"),
    ] {
        let (status, _, error) = winic(place.path(), arguments);
        assert_eq!(status, Some(2), "{error}");
        assert!(error.contains(wanted), "{error}");
    }
}

/// What asks for an M2's AMX.
const AMX: [&str; 4] = ["-m", "amx", "--generation", "m2"];
/// What asks for an M4's SME.
const SME: [&str; 4] = ["-m", "aarch64", "-c", "apple-m4"];

/// The database of some sweeps of a unit on a machine that a file describes.
fn swept(place: &Path, unit: [&str; 4], machine: &str, sweeps: &[&[&str]]) -> Database {
    let device = format!("scoreboard:{machine}");
    let unit = [&["-q"][..], &unit, &["--device", &device, "SWEEP"]].concat();
    let rest = ["--noReport", "--noAsm", "--noEvidence", "-o", "out.yaml"];
    for sweep in sweeps {
        let (status, _, error) = winic(place, &[&unit[..], sweep, &rest].concat());
        assert_eq!(status, Some(0), "{sweep:?}: {error}");
    }
    Database::read(&place.join("out.yaml")).unwrap()
}

/// A part of what `scripts/matrix` does with all tables.
#[test]
fn tables_of_the_thesis_come_out_of_the_pipeline() {
    let place = tempfile::tempdir().unwrap();
    let machine = concat!(env!("CARGO_MANIFEST_DIR"), "/reference/machines/m2-pro.yaml");
    let database = swept(
        place.path(),
        AMX,
        machine,
        &[
            &["accumulators", "-i", "fma64_mat_f64f64_x*y+z"],
            &["threads", "--threads", "1", "-i", "fma16_mat_f16f16_x*y"],
            &["registers", "-i", "mac16_vec_i16i16_x*y+z"],
            &["bandwidth", "--streams", "1", "--working-set", "1MiB", "-i", "ldx", "stz"],
            &["bandwidth", "--streams", "2", "--working-set", "1MiB", "-i", "ldx"],
        ],
    );
    let mut found = published::compare(&database.sweeps(), "");
    found.retain(|it| it.published.machine == "M2 Pro");
    let tables: HashSet<&str> = found.iter().map(|it| it.published.table.as_str()).collect();
    assert_eq!(tables.len(), 5, "{tables:?}");
    for comparison in &found {
        assert!(comparison.agrees(), "{comparison:?}");
    }
    assert_eq!(found.len(), 2 + 2 + 2 + 3 + 3, "{found:?}");
}

/// Latencies, and functions that somebody has written: winic's own kernel of a form, and one by macros.
#[test]
fn latencies_and_functions_of_ones_own_are_timed() {
    let place = tempfile::tempdir().unwrap();
    let machine = concat!(env!("CARGO_MANIFEST_DIR"), "/reference/machines/m2-pro.yaml");
    let device = format!("scoreboard:{machine}");
    let run = |words: &[&str]| {
        let unit = [&["-q"][..], &AMX, &["--device", &device], words].concat();
        let (status, out, error) = winic(place.path(), &unit);
        assert_eq!(status, Some(0), "{words:?}: {error}");
        out
    };
    let form = "vecfp_f32f32_x*y+z";
    let out = run(&["LAT", "-i", form, "--noReport", "--noAsm", "--noEvidence", "-o", "out.yaml"]);
    assert!(out.contains("1(Class<AMXZ1>) -> 0(Class<AMXZ1>)) [4.00;4.00]"), "{out}");
    run(&["TP", "--stop-after", "kernels", "-i", form]);
    let out = run(&["MAN", "-p", "asm/k0.s", "--funcName", "k0_single", "-n", "384"]);
    assert!(out.starts_with("k0_single: 0.50 cycles per instruction"), "{out}");
    let text = ".macro fma32 register\n.inst 0x00201000 + (12 << 5) + \\register\n.endm\n\
        .globl mine\nmine: mov x9, x0\nmov x1, #0\nnop\nnop\nnop\n.inst 0x00201220\n\
        1: .rept 16\nfma32 1\n.endr\nsubs x9, x9, #1\nb.ne 1b\n\
        nop\nnop\nnop\n.inst 0x00201221\nret\n";
    std::fs::write(place.path().join("mine.s"), text).unwrap();
    let out = run(&["MAN", "-p", "mine.s", "--funcName", "mine", "-n", "16"]);
    assert!(out.starts_with("mine: 4.00 cycles per instruction"), "{out}");
}

/// The same of the studies of SME, with cores of two kinds.
#[test]
fn tables_of_the_studies_of_sme_come_out_of_the_pipeline() {
    let place = tempfile::tempdir().unwrap();
    let machine = concat!(env!("CARGO_MANIFEST_DIR"), "/reference/machines/m4-performance.yaml");
    let database = swept(
        place.path(),
        SME,
        machine,
        &[
            &["accumulators", "-i", "FMOPA_MPPZZ_S", "FMOPAL_MPPZZ"],
            &["transition", "--state", "streaming", "-i", "FMOPA_MPPZZ_S"],
            &["threads", "--threads", "5", "-i", "FMOPA_MPPZZ_S"],
            &["sequences", "--length", "2", "--apart", "-i", "FMOPA_MPPZZ_S", "FMOPA_MPPZZ_D"],
        ],
    );
    let mut found = published::compare(&database.sweeps(), "performance");
    found.retain(|it| it.published.machine == "M4" && it.ours.is_some());
    for comparison in &found {
        assert!(comparison.agrees(), "{comparison:?}");
    }
    // Peaks of both studies, latencies and numbers of tiles; blocks; threads, the last on another core; a mix.
    assert_eq!(found.len(), 4 + 2 + 3 + 5 + 5 + 1, "{found:?}");
}

/// Another machine than M4: other clocks, latencies, switches and blocks, two kinds of cores.
#[test]
fn figures_of_any_machine_with_sme_come_out() {
    let place = tempfile::tempdir().unwrap();
    let core = "- {names: [SUBSXri, SUBXri, ADDXri, ADDXrs, SUBXrs, SUBSXrs, Bcc, CBNZX, MOVZXi, EORXrs, HINT], \
        latency: 1}\n- {names: [MADDXrrr], latency: 3, interval: 1}\n\
        - {names: [MSRpstatesvcrImm1, 'PTRUE*'], latency: 0}\n";
    let large = format!(
        "name: large\narchitecture: aarch64\ncores: 2\nothers: [small.yaml]\n\
        clock: {{frequency: [3.0, 2.8], tickRate: 1}}\nissueWidth: 4\n\
        units:\n  unit: {{inOrder: true, sharedBy: 2, frequency: [3.0, 2.9]}}\nforms:\n{core}\
        - {{names: [FMOPA_MPPZZ_S], latency: 9, units: {{unit: 3.2}}, key: a}}\n\
        - {{names: [FMOPA_MPPZZ_D], latency: 5, units: {{unit: 2}}, key: b}}\n\
        switches:\n  costs:\n  - {{between: [a, b], cycles: 4}}\n  occupies: unit\n\
        transitions:\n- {{enter: [MSRpstatesvcrImm1], leave: ['MSRpstatesvcrImm1@*'], additive: 21}}\n"
    );
    let small = format!(
        "name: small\narchitecture: aarch64\ncores: 2\nclock: {{frequency: 2.0, tickRate: 1}}\n\
        issueWidth: 2\nunits:\n  unit: {{sharedBy: 2}}\nforms:\n{core}\
        - {{names: [FMOPA_MPPZZ_S], latency: 10, units: {{unit: 10}}}}\n"
    );
    std::fs::write(place.path().join("large.yaml"), large).unwrap();
    std::fs::write(place.path().join("small.yaml"), small).unwrap();
    let (single, double) = ("FMOPA_MPPZZ_S", "FMOPA_MPPZZ_D");
    let database = swept(
        place.path(),
        SME,
        "large.yaml",
        &[
            &["accumulators", "-i", single],
            &["transition", "--state", "streaming", "-i", single],
            &["threads", "-i", single],
            &["sequences", "--length", "2", "--apart", "-i", single, double],
        ],
    );
    let sweeps = database.sweeps();
    let of = |kind: &str| sweeps.iter().find(|sweep| sweep.kind.name() == kind).unwrap();
    let near = |value: Option<f64>, wanted: f64| {
        let is_near = |value: f64| (value / wanted - 1.0).abs() < 0.01;
        assert!(value.is_some_and(is_near), "{value:?} {wanted}");
    };
    near(of("accumulators").fitted("latency"), 9.0);
    near(of("accumulators").fitted("interval"), 3.2);
    near(of("transition").fitted("cost"), 21.0);
    let rates: Vec<Option<f64>> = of("threads").points.iter().map(|point| point.rate).collect();
    assert_eq!(rates.len(), 4, "{rates:?}");
    // One on a unit at 3 GHz, two on it at 2.9 (their cores at 2.8), and beside them one or two on another at 2 GHz.
    let (alone, shared, other) = (512.0 * 3.0 / 3.2, 512.0 * 2.9 / 3.2, 512.0 * 2.0 / 10.0);
    for (rate, wanted) in rates.into_iter().zip([alone, shared, shared + other, shared + other]) {
        near(rate, wanted);
    }
    let mixed = of("sequences").points.iter().filter(|point| {
        let loop_of = point.at[0].to_string();
        loop_of.contains(single) && loop_of.contains(double)
    });
    let mixed: Vec<Option<f64>> = mixed.map(|point| point.cycles).collect();
    assert_eq!(mixed.len(), 1, "{mixed:?}");
    near(mixed[0], 3.2 + 2.0 + 2.0 * 4.0);
}

/// Other numbers come out as well: nothing of the tables is in the pipeline.
#[test]
fn figures_of_any_machine_come_out() {
    let place = tempfile::tempdir().unwrap();
    let text = "name: made up\ncores: 4\nclock: {frequency: 2.0, tickRate: 2.0}\nissueWidth: 8\n\
        units:\n  unit: {sharedBy: 2}\n  half: {registers: 32}\n\
        forms:\n- {names: ['fma32_mat_*'], latency: 7, units: {unit: 2.5}}\n\
        - {names: ['vecfp_f32f32_x*y+z'], latency: 3, units: {unit: 0.5, half: 2}}\n\
        - {names: [ldx_pair], latency: 1, units: {unit: 4}}\n\
        default: {latency: 1, interval: 0.05}\n";
    std::fs::write(place.path().join("machine.yaml"), text).unwrap();
    let fma = "fma32_mat_f32f32_x*y+z";
    let database = swept(
        place.path(),
        AMX,
        "machine.yaml",
        &[
            &["accumulators", "-i", fma],
            &["threads", "-i", fma],
            &["registers", "-i", "vecfp_f32f32_x*y+z"],
            &["bandwidth", "--working-set", "64KiB", "-i", "ldx_pair"],
        ],
    );
    let sweeps = database.sweeps();
    let of = |kind: &str| sweeps.iter().find(|sweep| sweep.kind.name() == kind).unwrap();
    let near = |value: Option<f64>, wanted: f64| {
        assert!(
            value.is_some_and(|value| (value / wanted - 1.0).abs() < 0.02),
            "{value:?} {wanted}"
        );
    };
    near(of("accumulators").fitted("latency"), 7.0);
    near(of("accumulators").fitted("interval"), 2.5);
    near(of("threads").fitted("speedup"), 2.0);
    let finding = of("registers").finding.as_deref().unwrap();
    assert!(finding.starts_with("conflicts among 4 neighbours, beginning at 0"), "{finding}");
    // 128 bytes in four cycles of 2 GHz.
    let last = of("bandwidth").points.last().unwrap().rate.unwrap();
    near(Some(last * 1.073_741_824), 64.0);
}

/// A loop of each two of the sequence study's 84 calculations and 168 extractions, all register numbers zero:
/// its longest chain, by what its operands name, is that which follows from what each word does in the
/// unit, where whoever wrote a row last counts.
#[test]
fn loops_of_the_sequence_study_depend_as_the_unit_does() {
    let choice =
        TargetChoice { triple: triple_of("aarch64"), cpu: String::new(), features: String::new() };
    let target = Target::open_amx(choice, AmxGeneration::M2).unwrap();
    let forms: Vec<_> = target.forms(&HashSet::new()).cloned().collect();
    let (set, isa) = (target.set.clone(), target.isa.clone());
    let catalogue = Catalogue::new(set, isa, forms, &HashSet::new());
    let studied: Vec<(OpcodeId, Effects)> = variants()
        .iter()
        .filter(|variant| is_studied(variant))
        .map(|variant| {
            let opcode = catalogue.form_by_name(variant.name).unwrap().opcode;
            (opcode, variant.effects(0, AmxGeneration::M2))
        })
        .collect();
    assert_eq!(studied.len(), 84 + 168);
    for (place, (first, one)) in studied.iter().enumerate() {
        for (second, other) in &studied[place..] {
            let pair = SharedLoop { forms: vec![*first, *second], rounds: 1, apart: false };
            let kernel = Content::Sharing(pair).build(&catalogue).unwrap();
            let unit = |step: &dataflow::Step, _, _| i64::from(step.number.is_some());
            let named = Loop::of(&kernel, &catalogue).growth(unit);
            let (links, rounds) = chain(&[one, other]);
            assert_eq!(named, (links, rounds), "{first:?} {second:?}");
        }
    }
}

/// Whether the thesis has loops of it (listings 6.1 to 6.3): no integers but those of `mac16`, and no table
/// look-ups.
fn is_studied(variant: &AmxVariant) -> bool {
    let family = variant.name.split('_').next().unwrap_or_default();
    ["fma16", "fma32", "fma64", "mac16", "matfp", "vecfp", "extr"].contains(&family)
}

/// How many links the longest chain of a loop grows by in so many rounds.
fn chain(body: &[&Effects]) -> (i64, i64) {
    const ROUNDS: [usize; 2] = [6, 12];
    let mask = |x: u8, y: u8, z: u64| u128::from(z) | u128::from(x) << 64 | u128::from(y) << 72;
    let mut ready = [0_i64; 80];
    let mut longest = [0_i64; 2];
    for round in 1..=ROUNDS[1] {
        for effects in body {
            let read = mask(effects.x_read, effects.y_read, effects.z_read);
            let written = mask(effects.x_written, effects.y_written, effects.z_written);
            let of = |mask: u128| (0..80).filter(move |bit| mask >> bit & 1 == 1);
            let when = of(read).map(|bit| ready[bit] + 1).max().unwrap_or(0);
            of(written).for_each(|bit| ready[bit] = when);
        }
        for (at, wanted) in ROUNDS.iter().enumerate().filter(|(_, wanted)| **wanted == round) {
            let _ = wanted;
            longest[at] = ready.into_iter().max().unwrap_or(0);
        }
    }
    (longest[1] - longest[0], (ROUNDS[1] - ROUNDS[0]) as i64)
}
