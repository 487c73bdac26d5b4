//! Kernels of SME under QEMU, whose streaming mode has vectors of 512 bits here: they execute, they leave in ZA what
//! they should, and of a core without SME each is a finding.

#![cfg(feature = "llvm22")]

#[allow(dead_code)]
#[path = "support/emulator.rs"]
mod emulator;
#[allow(dead_code)]
#[path = "support/sme/mod.rs"]
mod sme;
#[allow(dead_code)]
mod support;

use std::collections::{BTreeSet, HashSet};

use emulator::{Emulator, chains, run, throughput};
use sme::memory_image::{Image, images};
use sme::outer_product::OuterProduct;
use support::Machine;
use winic::form::{InstructionForm, Site};
use winic::kernel::{Kernel, ThroughputBody};
use winic::metadata::{OperandValue, RegisterId};

/// Vectors of 512 bits in streaming mode.
const CPU: &str = "max,sme512=on";

#[test]
fn kernels_of_sme_execute_under_qemu() {
    let Some(emulator) = Emulator::find("aarch64") else { return };
    let mut machine = Machine::apple("apple-m5");
    let mut first = sme::first_version();
    let forms: Vec<InstructionForm> = machine.catalogue.forms().cloned().collect();
    let forms: Vec<InstructionForm> =
        forms.into_iter().filter(|form| sme::is_of_sme(form, &mut machine)).collect();
    let bodies: Vec<(String, Kernel)> =
        forms.iter().filter_map(|form| throughput(form, &machine)).collect();
    let outcomes = run(&bodies, &mut machine, &mut emulator.device(CPU));
    println!(
        "{} bodies of {} forms: {} execute\n{}",
        bodies.len(),
        forms.len(),
        outcomes.executed.len(),
        outcomes.describe_faults()
    );
    let other: Vec<_> =
        outcomes.faulted.iter().filter(|(_, fault)| *fault != "illegal instruction").collect();
    assert!(other.is_empty(), "only what QEMU does not know may fault: {other:?}");

    // All of the first version, which every QEMU with SME knows.
    let is_first = |form: &&InstructionForm| sme::decodes(form, &mut machine, &mut first);
    let of_first: Vec<&InstructionForm> = forms.iter().filter(is_first).collect();
    assert!(of_first.len() >= 72, "only {} forms of SME's first version", of_first.len());
    let missing: Vec<&str> = of_first
        .iter()
        .map(|form| form.name.as_str())
        .filter(|name| !outcomes.executed.contains(*name))
        .collect();
    println!("{} forms of SME's first version", of_first.len());
    assert!(missing.is_empty(), "of SME's first version these do not execute: {missing:?}");

    // What executes once also executes in chains.
    let executed = forms.iter().filter(|form| outcomes.executed.contains(&form.name));
    let chained: Vec<(String, Kernel)> =
        executed.step_by(3).flat_map(|form| chains(form, &machine)).collect();
    let outcomes = run(&chained, &mut machine, &mut emulator.device(CPU));
    println!("{} chains execute", outcomes.executed.len());
    assert!(outcomes.faulted.is_empty(), "{}", outcomes.describe_faults());
}

#[test]
fn a_core_without_sme_says_so_of_each_form() {
    let Some(emulator) = Emulator::find("aarch64") else { return };
    let mut machine = Machine::apple("apple-m4");
    let forms: Vec<InstructionForm> = machine.catalogue.forms().cloned().collect();
    let of_sme = forms.iter().filter(|form| sme::is_of_sme(form, &mut machine));
    let of_sme: Vec<InstructionForm> = of_sme.cloned().collect();
    let bodies: Vec<(String, Kernel)> =
        of_sme.iter().filter_map(|form| throughput(form, &machine)).collect();
    let outcomes = run(&bodies, &mut machine, &mut emulator.device("neoverse-v1"));
    assert!(outcomes.executed.is_empty(), "{:?}", outcomes.executed);
    assert!(outcomes.faulted.values().all(|fault| fault == "illegal instruction"));
    assert_eq!(outcomes.faulted.len(), bodies.len());
}

/// A core with SME's first version executes all of that, and each other form ends there as an illegal instruction in a
/// child of its own: the next one executes again.
#[test]
fn a_core_without_sme2_says_so_of_each_form_of_it() {
    let Some(emulator) = Emulator::find_older() else { return };
    let mut machine = Machine::apple("apple-m5");
    let mut first = sme::first_version();
    let forms: Vec<InstructionForm> = machine.catalogue.forms().cloned().collect();
    let forms: Vec<InstructionForm> =
        forms.into_iter().filter(|form| sme::is_of_sme(form, &mut machine)).collect();
    let of_first: BTreeSet<String> = forms
        .iter()
        .filter(|form| sme::decodes(form, &mut machine, &mut first))
        .map(|form| form.name.clone())
        .collect();
    let bodies: Vec<(String, Kernel)> =
        forms.iter().filter_map(|form| throughput(form, &machine)).collect();
    let outcomes = run(&bodies, &mut machine, &mut emulator.device(CPU));
    println!("{} execute\n{}", outcomes.executed.len(), outcomes.describe_faults());
    assert!(outcomes.faulted.values().all(|fault| fault == "illegal instruction"));
    let missing: Vec<_> = of_first.difference(&outcomes.executed).collect();
    let more: Vec<_> = outcomes.executed.difference(&of_first).collect();
    assert!(missing.is_empty() && more.is_empty(), "{missing:?} do not execute, {more:?} do");
    assert!(outcomes.faulted.len() >= 300, "{}", outcomes.faulted.len());
}

/// The body of a form with so many instances.
fn body(machine: &Machine, name: &str, instances: u32) -> Kernel {
    let opcode = machine.form(name).opcode;
    ThroughputBody::plain(opcode, instances)
        .build(&machine.catalogue)
        .unwrap_or_else(|error| panic!("{name}: {error}"))
}

#[test]
fn outer_products_are_right_in_za() {
    let Some(emulator) = Emulator::find("aarch64") else { return };
    let mut machine = Machine::apple("apple-m4");
    let products = OuterProduct::all();
    // More than there are tiles, so that some are added twice.
    let bodies: Vec<Kernel> =
        products.iter().map(|product| body(&machine, &product.name, 10)).collect();
    let images = images(&bodies, &mut machine, &emulator, CPU);
    assert_eq!(images.len(), products.len());
    for ((product, kernel), image) in products.iter().zip(&bodies).zip(&images) {
        let mut expected = vec![0.0; product.tiles() * product.rows() * product.rows()];
        for instruction in kernel.instructions() {
            let number = |operand: usize| sme::number(instruction.operands[operand], &machine);
            let (rows, columns) = (image.vector(number(4)), image.vector(number(5)));
            product.add(number(0), rows, columns, &mut expected);
        }
        assert!(expected.iter().all(|value| *value != 0.0), "{} adds nothing", product.name);
        product.compare(&expected, image);
    }
}

/// The vectors of ZA that a form writes are those that the model of them says: no others hold anything, and of the
/// forms that name vectors all of those do.
#[test]
fn what_forms_write_in_za_is_what_the_model_says() {
    let Some(emulator) = Emulator::find("aarch64") else { return };
    let mut machine = Machine::apple("apple-m5");
    let set = machine.catalogue.set.clone();
    let whole: HashSet<_> = set.register(machine.register("ZA")).units.iter().copied().collect();
    let units = |register: RegisterId| set.register(register).units.clone();
    let writes_za = |form: &&InstructionForm| {
        let mut results = form.defs().filter_map(|site| match site {
            Site::Operand(_) => form.register_at(site, &form.sample),
            _ => None,
        });
        results.any(|register| units(register).iter().all(|unit| whole.contains(unit)))
            && form.memory == winic::form::MemoryAccess::None
    };
    let names: Vec<String> =
        machine.catalogue.forms().filter(writes_za).map(|form| form.name.clone()).collect();
    let bodies: Vec<(String, Kernel)> =
        names.iter().map(|name| (name.clone(), body(&machine, name, 1))).collect();
    let outcomes = run(&bodies, &mut machine, &mut emulator.device(CPU));
    println!("{} forms write ZA, QEMU has {}", bodies.len(), outcomes.executed.len());
    assert!(outcomes.executed.len() >= 300, "{}", outcomes.describe_faults());
    let (names, mut kernels): (Vec<String>, Vec<Kernel>) =
        bodies.into_iter().filter(|(name, _)| outcomes.executed.contains(name)).unzip();
    // Others than the first vectors.
    let numbers: Vec<usize> = (0..kernels.len()).collect();
    for number in numbers {
        kernels[number] = last_instance(&machine, &names[number]);
    }
    let images = images(&kernels, &mut machine, &emulator, CPU);
    let order: Vec<_> = set.register(machine.register("ZA")).units.clone();
    let vector_of = |unit| sme::vector_of(&set, unit);
    assert_eq!(order.len(), 64);
    let mut wrong = Vec::new();
    for ((name, kernel), image) in names.iter().zip(&kernels).zip(&images) {
        let form = machine.form(name);
        let instruction = kernel.instructions().next().expect("an instance");
        let written: BTreeSet<usize> = form
            .defs()
            .filter(|site| matches!(site, Site::Operand(_)))
            .filter_map(|site| form.register_at(site, instruction))
            .flat_map(units)
            .filter(|unit| whole.contains(unit))
            .map(vector_of)
            .collect();
        let found: BTreeSet<usize> = image.vectors_with_contents();
        let names_vectors = set.selection(form.opcode).is_some();
        let clears = sme::may_leave_zeros(&form.mnemonic);
        let fits = match names_vectors && !clears {
            true => found == written,
            false => found.is_subset(&written) && (clears || !found.is_empty()),
        };
        if !fits {
            wrong.push(format!("{name}: {found:?} and not {written:?}"));
        }
    }
    println!("{} forms write what the model says", images.len() - wrong.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// One instance with the last of the registers that a form's results rotate through.
fn last_instance(machine: &Machine, name: &str) -> Kernel {
    let mut kernel = body(machine, name, 16);
    let last = kernel.instructions().last().cloned().expect("an instance");
    kernel.body = vec![winic::kernel::Slot::Instruction(last)];
    kernel.instances = 1;
    kernel
}

#[test]
fn images_hold_what_registers_held() {
    let Some(emulator) = Emulator::find("aarch64") else { return };
    let mut machine = Machine::apple("apple-m4");
    let kernel = body(&machine, "FMOPA_MPPZZ_S", 1);
    let images: Vec<Image> = images(std::slice::from_ref(&kernel), &mut machine, &emulator, CPU);
    let instruction = kernel.instructions().next().unwrap();
    let OperandValue::Register(_) = instruction.operands[4] else { panic!("a register") };
    let source = images[0].vector(sme::number(instruction.operands[4], &machine));
    let halfwords: HashSet<[u8; 2]> =
        source.chunks_exact(2).map(|pair| [pair[0], pair[1]]).collect();
    assert_eq!(halfwords.len(), 1, "a row of the template in every lane");
    assert!(source[1] >= 0x3c, "a normal number: {source:x?}");
}
