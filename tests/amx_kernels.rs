//! Kernels for Apple's AMX: the words of a body, and the operands that stand in registers.
#![cfg(feature = "llvm")]

use std::collections::{BTreeMap, HashSet};

use assert_cmd::Command;
use winic::artifact::Purpose;
use winic::catalogue::{Canonical, Catalogue};
use winic::experiment::Experiment;
use winic::isa::amx::{AmxGeneration, AmxOperation, AmxWord, Effects, variants};
use winic::kernel::{Audience, Kernel, ThroughputBody, render};
use winic::llvm::{TargetChoice, triple_of};
use winic::metadata::OperandValue;
use winic::pipeline::Target;

const GENERATION: AmxGeneration = AmxGeneration::M3;
const INSTANCES: u32 = 32;
/// Why two instructions are no forms.
const HALVES: &str = "it loads or stores halves of rows, and only whole ones have names";

struct Unit {
    target: Target,
    catalogue: Catalogue,
}

impl Unit {
    fn new() -> Self {
        let choice = TargetChoice {
            triple: triple_of("aarch64"),
            cpu: String::new(),
            features: String::new(),
        };
        let target = Target::open_amx(choice, GENERATION).unwrap();
        let forms: Vec<_> = target.forms(&HashSet::new()).cloned().collect();
        let (set, isa) = (target.set.clone(), target.isa.clone());
        let catalogue = Catalogue::new(set, isa, forms, &HashSet::new());
        Self { target, catalogue }
    }

    fn kernel(&self, name: &str) -> Kernel {
        let opcode = self.catalogue.form_by_name(name).unwrap().opcode;
        let body = Experiment::Throughput(ThroughputBody::plain(opcode, INSTANCES));
        body.kernel(&self.catalogue).unwrap().unwrap()
    }

    fn text(&mut self, kernel: &Kernel) -> String {
        let (name, llvm) = ("kernel", &mut self.target.llvm);
        let purpose = Purpose::Probe;
        render(kernel, name, &self.catalogue, llvm, purpose, Audience::Person).unwrap().text
    }
}

/// What registers hold when the loop begins, and the words of the loop.
fn read(text: &str) -> (BTreeMap<u8, u64>, Vec<AmxWord>) {
    let mut registers: BTreeMap<u8, u64> = BTreeMap::new();
    let mut words = Vec::new();
    for line in text.lines().map(str::trim) {
        if let Some(numbers) = line.strip_prefix("movz x").or_else(|| line.strip_prefix("movk x")) {
            let (register, rest) = numbers.split_once(", #0x").unwrap();
            let (digits, shift) = rest.split_once(", lsl #").unwrap_or((rest, "0"));
            let piece = u64::from_str_radix(digits, 16).unwrap() << shift.parse::<u32>().unwrap();
            let known = registers.entry(register.parse().unwrap()).or_default();
            *known = if line.contains("movz") { piece } else { *known | piece };
        }
        if let Some(word) = line.strip_prefix(".inst 0x") {
            let digits = word.split_whitespace().next().unwrap();
            let word = u32::from_str_radix(digits, 16).unwrap();
            words.push(AmxWord::decode(word).unwrap());
        }
    }
    (registers, words)
}

#[test]
fn every_instruction_is_a_form_but_those_of_halves() {
    let unit = Unit::new();
    let forms = unit.target.forms(&HashSet::new()).count();
    assert_eq!(forms, variants().len() - 2);
    let reasons: HashSet<String> = unit
        .target
        .listings
        .iter()
        .filter_map(|listing| match &listing.canonical {
            Canonical::Excluded(reason) => Some(reason.to_string()),
            _ => None,
        })
        .collect();
    let wanted = ["an instruction of the core", HALVES];
    assert_eq!(reasons, wanted.map(str::to_owned).into());
}

/// The words of every kernel say, with what the registers hold, what the instructions of its body name:
/// the registers and rows of their operands are what the unit reads and writes.
#[test]
fn kernels_hold_the_instructions_that_they_are_made_of() {
    let mut unit = Unit::new();
    let names: Vec<String> = unit.catalogue.forms().map(|form| form.name.clone()).collect();
    for name in &names {
        let kernel = unit.kernel(name);
        let (registers, words) = read(&unit.text(&kernel));
        let (switches, body): (Vec<AmxWord>, Vec<AmxWord>) =
            words.into_iter().partition(|word| word.operation == AmxOperation::Set);
        assert_eq!(switches, [AmxWord::SET, AmxWord::CLEAR], "{name}");
        assert_eq!(body.len(), INSTANCES as usize, "{name}");
        for (word, instruction) in body.iter().zip(kernel.instructions()) {
            let operand = registers[&word.register];
            let effects = Effects::of(word.operation, operand, GENERATION);
            let form = unit.catalogue.form(instruction.opcode).unwrap();
            let Effects { loaded, stored, .. } = effects;
            let mut named = Effects { loaded, stored, ..Effects::default() };
            for (value, place) in instruction.operands.iter().zip(&form.operands) {
                let OperandValue::Register(register) = *value else { panic!("{name}") };
                named |= named_by(&unit.catalogue, register, place.write);
            }
            assert_eq!(named, effects, "{name}");
        }
    }
}

/// The registers of the unit that a register of the tables stands for, by its units.
fn named_by(
    catalogue: &Catalogue,
    register: winic::metadata::RegisterId,
    is_written: bool,
) -> Effects {
    let mut out = Effects::default();
    let bits = |pool: &str, count: usize| {
        (0..count).fold(0u64, |mask, number| {
            let single = catalogue.set.register_by_name(&format!("AMX{pool}{number}")).unwrap();
            mask | u64::from(catalogue.set.overlap(register, single)) << number
        })
    };
    let (x, y, z) = (bits("X", 8) as u8, bits("Y", 8) as u8, bits("Z", 64));
    if is_written {
        (out.x_written, out.y_written, out.z_written) = (x, y, z);
    } else {
        (out.x_read, out.y_read, out.z_read) = (x, y, z);
    }
    out
}

/// As many accumulators as there are, up to 16, one after the other, as in the thesis on the unit.
#[test]
fn throughput_goes_round_the_accumulators() {
    let mut unit = Unit::new();
    for (name, accumulators) in [
        ("fma64_mat_f64f64_x*y+z", 8),
        ("fma32_mat_f32f32_x*y+z", 4),
        ("matint_i8i32_x*y+z", 1),
        ("vecfp_f32f32_x*y+z", 16),
        ("vecint_i8i32_x*y+z_x4", 4),
    ] {
        let kernel = unit.kernel(name);
        let (registers, words) = read(&unit.text(&kernel));
        let body = words.iter().filter(|word| word.operation != AmxOperation::Set);
        let rows: Vec<u64> = body.map(|word| registers[&word.register] >> 20 & 63).collect();
        let distinct: HashSet<u64> = rows.iter().copied().collect();
        assert_eq!(distinct.len(), accumulators, "{name}");
        let (first, rest) = rows.split_at(accumulators);
        assert_eq!(first, &rest[..accumulators], "{name}");
    }
}

#[test]
fn a_kernel_reads_as_the_description_writes() {
    let mut unit = Unit::new();
    let kernel = unit.kernel("fma64_mat_f64f64_x*y");
    let text = unit.text(&kernel);
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let setup = lines.iter().position(|line| line.contains("winic_setup_end")).unwrap();
    assert_eq!(lines[setup - 4..setup], ["nop", "nop", "nop", ".inst 0x00201220"]);
    assert_eq!(lines[1..3], ["movz x3, #0x0", "movk x3, #0x800, lsl #16"]);
    let first =
        lines.iter().position(|line| line.contains("winic_function kernel_single")).unwrap();
    assert_eq!(lines[first + 1], ".inst 0x00201143  // fma64 x3: skip_z=0x1");
    assert_eq!(lines[first + 2], ".inst 0x00201144  // fma64 x4: z_row=0x4 skip_z=0x1");
    let end = lines.iter().position(|line| line.contains("winic_loop_")).unwrap();
    assert_eq!(lines[end + 1..end + 5], ["nop", "nop", "nop", ".inst 0x00201221"]);
}

/// The exit status, and what is said on standard output and on standard error.
fn winic(arguments: &[&str]) -> (Option<i32>, String, String) {
    let place = tempfile::tempdir().unwrap();
    let mut command = Command::cargo_bin("winic").unwrap();
    let output = command.current_dir(place.path()).args(arguments).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

#[test]
fn what_cannot_be_is_one_clear_line() {
    let late = ["-m", "amx", "--generation", "m1", "TP", "--stop-after", "forms"];
    let (status, out, _) = winic(&[&late[..], &["-i", "vecfp_f32f32_x*y+z_x2", "ldzi"]].concat());
    let wanted = format!("vecfp_f32f32_x*y+z_x2 [AMX has it from M2 on]\nldzi [{HALVES}]\n");
    assert_eq!((status, out), (Some(0), wanted));
    for (arguments, wanted) in [
        (&["-m", "amx", "--device", "mca", "TP"][..], "no model of LLVM's knows Apple's AMX"),
        (&["-m", "amx", "--generation", "m9", "TP"], "'m9' is no generation of AMX"),
        (&["--generation", "m2", "TP"], "say -m amx, too"),
    ] {
        let (status, _, error) = winic(arguments);
        assert_eq!(status, Some(2), "{error}");
        assert!(error.contains(wanted), "{error}");
    }
}
