//! AMD's forms and kernels.

use std::collections::BTreeMap;

use object::{Object as _, ObjectSection as _, ObjectSymbol as _};
use winic::assemble::Linker;
use winic::codec::Codec as _;
use winic::gpu::amd::{
    ARGUMENTS, AmdForm, AmdKernel, AmdTarget, INSTANCES, RegisterNames, TARGETS, kernels, module,
    vector_forms,
};
use winic::gpu::form::{ChainLink, Data, GpuExperiment};
use winic::metadata::OperandValue;

use crate::{Set, golden, open};

/// How many opcodes each target has, by its word.
const COUNTS: [(&str, usize); 9] = [
    ("gfx908", 20),
    ("gfx90a", 54),
    ("gfx942", 78),
    ("gfx950", 109 + 64),
    ("gfx1100", 6),
    ("gfx1100-wave64", 6),
    ("gfx1200", 22),
    ("gfx1200-wave64", 22),
    ("gfx1250", 67 + 24),
];

/// What a table says of the shape of each opcode of a target.
fn table() -> BTreeMap<(String, String, String), Vec<String>> {
    let text = include_str!("../../reference/gpu/amdgpu-matrix-opcodes.tsv");
    let row = |line: &str| {
        let columns: Vec<String> = line.split('\t').map(str::to_owned).collect();
        ((columns[0].clone(), columns[1].clone(), columns[2].clone()), columns)
    };
    text.lines().skip(1).map(row).collect()
}

#[test]
fn every_target_has_the_forms_that_llvm_s_assembler_takes() {
    let table = table();
    for target in TARGETS {
        let Set { forms, .. } = open(&target);
        let expected = COUNTS.iter().find(|(word, _)| *word == target.word()).unwrap().1;
        assert_eq!(forms.len(), expected, "{}", target.word());
        for form in forms.iter().filter(|form| form.product.is_some()) {
            let key = (target.name.to_owned(), target.lanes.to_string(), form.name.clone());
            let row = table.get(&key).unwrap_or_else(|| panic!("{key:?} is not in the table"));
            let shape = form.product.unwrap().shape;
            let ours = [shape.m, shape.n, shape.k, shape.blocks].map(|it| it.to_string());
            assert_eq!(ours[..], row[4..8], "{key:?}");
            assert_eq!(form.mnemonic, row[3], "{key:?}");
            assert_eq!(form.chains(), row[12] == "yes", "{key:?}");
        }
    }
}

/// Vector instructions are forms like the others: of each target some, which assemble and read back.
#[test]
fn vector_units_have_forms_of_their_own() {
    let linker = Linker::find().unwrap();
    for target in TARGETS {
        let mut set = open(&target);
        let names = RegisterNames::of(&set.set);
        let forms = vector_forms(&target, &set.set, &mut set.llvm);
        let has = |mnemonic: &str| forms.iter().any(|form| form.mnemonic.starts_with(mnemonic));
        for mnemonic in ["v_fma_f32", "v_fma_f64", "v_add_f32", "v_mul_f64", "v_cvt_f32_f64"] {
            assert!(has(mnemonic), "{}: {mnemonic}", target.word());
        }
        let mut all: Vec<(&AmdForm, AmdKernel)> = Vec::new();
        for (number, form) in forms.iter().enumerate() {
            let made = kernels((&set.set, &names), form, Data::Ones);
            assert!(!made.is_empty(), "{} {}", target.word(), form.name);
            all.extend(made.into_iter().map(|(_, kernel)| {
                let symbol = format!("f{number}_{}", kernel.symbol);
                (form, AmdKernel { symbol, ..kernel })
            }));
        }
        let text = module(&target, &all, &mut set.llvm).unwrap();
        let object = set.llvm.machine_code(&text);
        let object = object.unwrap_or_else(|error| panic!("{}: {error}", target.word()));
        let image = Image { bytes: linker.link(&[object]).unwrap() };
        all.iter().for_each(|(form, kernel)| check(&target, &mut set, &image, (form, kernel)));
        println!("{}: {} forms, {} kernels", target.word(), forms.len(), all.len());
    }
}

/// An image with its kernels.
struct Image {
    bytes: Vec<u8>,
}

impl Image {
    fn word(&self, address: u64, bytes: usize) -> u64 {
        let file = object::File::parse(&*self.bytes).unwrap();
        let section = file.sections().find(|section| {
            (section.address()..section.address() + section.size()).contains(&address)
                && section.address() > 0
        });
        let section = section.unwrap_or_else(|| panic!("nothing at {address:#x}"));
        let at = (address - section.address()) as usize;
        let data = &section.data().unwrap()[at..at + bytes];
        data.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte))
    }

    fn symbol(&self, name: &str) -> u64 {
        let file = object::File::parse(&*self.bytes).unwrap();
        let found = file.dynamic_symbols().find(|symbol| symbol.name() == Ok(name));
        found.unwrap_or_else(|| panic!("no symbol {name}")).address()
    }

    fn code(&self, address: u64) -> Vec<u8> {
        let file = object::File::parse(&*self.bytes).unwrap();
        let section = file.section_by_name(".text").unwrap();
        section.data().unwrap()[(address - section.address()) as usize..].to_vec()
    }
}

#[test]
fn all_kernels_of_all_targets_read_back_as_what_they_are() {
    let linker = Linker::find().unwrap();
    let mut count = 0;
    for target in TARGETS {
        let mut set = open(&target);
        let names = RegisterNames::of(&set.set);
        let forms = std::mem::take(&mut set.forms);
        let mut all: Vec<(&AmdForm, AmdKernel)> = Vec::new();
        for (number, form) in forms.iter().enumerate().filter(|(_, form)| form.product.is_some()) {
            let made = kernels((&set.set, &names), form, Data::Ones);
            let chain = GpuExperiment::Latency(ChainLink::Addend);
            let has_chain = made.iter().any(|(experiment, _)| *experiment == chain);
            assert!(
                has_chain == form.chains() && made.len() > 1,
                "{} {}",
                target.word(),
                form.name
            );
            all.extend(made.into_iter().map(|(_, kernel)| {
                let symbol = format!("f{number}_{}", kernel.symbol);
                (form, AmdKernel { symbol, ..kernel })
            }));
        }
        let text = module(&target, &all, &mut set.llvm).unwrap();
        let object = set.llvm.machine_code(&text);
        let object = object.unwrap_or_else(|error| panic!("{}: {error}", target.word()));
        let image = Image { bytes: linker.link(&[object]).unwrap() };
        assert_eq!(notes(&image), all.len(), "{}", target.word());
        all.iter().for_each(|(form, kernel)| check(&target, &mut set, &image, (form, kernel)));
        count += all.len();
    }
    assert!(count > 1500, "{count} kernels");
}

/// How many kernels the metadata names; there is one note, and no more.
fn notes(image: &Image) -> usize {
    let file = object::File::parse(&*image.bytes).unwrap();
    let section = file.section_by_name(".note").unwrap();
    let data = section.data().unwrap();
    let word = |at: usize| u32::from_le_bytes(data[at..at + 4].try_into().unwrap()) as usize;
    // Sizes of name and contents, the kind: NT_AMDGPU_METADATA.
    let (name, contents, kind) = (word(0), word(4), word(8));
    assert_eq!(kind, 32);
    assert_eq!(
        data.len(),
        12 + name.next_multiple_of(4) + contents.next_multiple_of(4),
        "one note"
    );
    let text = String::from_utf8_lossy(data);
    text.matches(".kernarg_segment_size").count()
}

fn check(target: &AmdTarget, set: &mut Set, image: &Image, (form, kernel): (&AmdForm, &AmdKernel)) {
    let what = format!("{} {} {}", target.word(), form.name, kernel.symbol);
    let descriptor = image.symbol(&format!("{}.kd", kernel.symbol));
    let function = image.symbol(&kernel.symbol);
    assert_eq!(image.word(descriptor + 8, 4), u64::from(ARGUMENTS), "{what}: arguments");
    assert_eq!(descriptor.wrapping_add(image.word(descriptor + 16, 8)), function, "{what}: entry");
    let code = image.code(function);
    let (mut at, mut instances, mut highest) = (0, 0, [0, 0]);
    loop {
        let (instruction, length) =
            set.llvm.decode(&code[at..]).unwrap_or_else(|error| panic!("{what}: {error}"));
        let name = set.set.opcode(instruction.opcode).name.clone();
        for operand in &instruction.operands {
            if let OperandValue::Register(register) = operand {
                note(&set.set.register(*register).name, &mut highest);
            }
        }
        if instruction.opcode == form.opcode {
            check_operands(set, form, &instruction.operands, &what);
            instances += 1;
        }
        at += length;
        if name.contains("S_ENDPGM") {
            break;
        }
    }
    assert_eq!(instances, INSTANCES, "{what}");
    check_registers(target, image, descriptor, highest, &what);
}

/// The highest vector register and accumulator, plus one.
fn note(register: &str, highest: &mut [u64; 2]) {
    for part in register.split('_') {
        for (place, letter) in ["VGPR", "AGPR"].into_iter().enumerate() {
            if let Some(number) = part.strip_prefix(letter).and_then(|it| it.parse::<u64>().ok()) {
                highest[place] = highest[place].max(number + 1);
            }
        }
    }
}

/// No result stands where a factor does, or the kernel's own registers are.
fn check_operands(set: &Set, form: &AmdForm, operands: &[OperandValue], what: &str) {
    let numbers = |index: usize| -> Vec<String> {
        let OperandValue::Register(register) = operands[index] else { panic!("{what}") };
        set.set.register(register).name.split('_').map(str::to_owned).collect()
    };
    let d = numbers(form.operands[0].index);
    for operand in &form.operands[1..] {
        let other = numbers(operand.index);
        let is_addend = operand.role == winic::gpu::form::MatrixOperand::C;
        assert!(
            is_addend && other == d || other.iter().all(|it| !d.contains(it)),
            "{what}: {d:?} {other:?}"
        );
    }
    let own = (0..16).map(|number| format!("VGPR{number}"));
    assert!(own.clone().all(|it| !d.contains(&it)), "{what}: {d:?}");
}

/// The descriptor gives the kernel as many registers as it names.
fn check_registers(
    target: &AmdTarget,
    image: &Image,
    descriptor: u64,
    [vector, accumulators]: [u64; 2],
    what: &str,
) {
    let granted = (image.word(descriptor + 48, 4) & 0x3f) + 1;
    let step = match (target.name, target.lanes) {
        ("gfx908", _) | ("gfx1100" | "gfx1200", 64) => 4,
        ("gfx1250", _) => 16,
        _ => 8,
    };
    let granted = granted * step;
    if target.unified_registers {
        let offset = ((image.word(descriptor + 44, 4) & 0x3f) + 1) * 4;
        assert!(
            vector <= offset && offset + accumulators <= granted,
            "{what}: {vector} {offset} {accumulators} {granted}"
        );
    } else {
        assert!(vector.max(accumulators) <= granted, "{what}: {vector} {accumulators} {granted}");
    }
}

#[test]
fn kernels_of_each_kind_are_as_they_were() {
    let kept: [(&str, &str, GpuExperiment); 6] = [
        ("gfx90a", "V_MFMA_F32_32X32X8F16_gfx90a_acd", GpuExperiment::Latency(ChainLink::Addend)),
        ("gfx90a", "V_MFMA_F32_32X32X8F16_gfx90a_vcd", GpuExperiment::Latency(ChainLink::Left)),
        ("gfx942", "V_SMFMAC_F32_16X16X32_F16_gfx940", GpuExperiment::Throughput(4)),
        (
            "gfx1100",
            "V_WMMA_F32_16X16X16_F16_twoaddr_w32_gfx11",
            GpuExperiment::Latency(ChainLink::Addend),
        ),
        (
            "gfx1200",
            "V_SWMMAC_F32_16X16X32_F16_w32_twoaddr_gfx12",
            GpuExperiment::Latency(ChainLink::Addend),
        ),
        ("gfx950", "V_MFMA_F64_16X16X4F64_gfx940_acd", GpuExperiment::Throughput(2)),
    ];
    for (target, name, experiment) in kept {
        let target = AmdTarget::by_name(target).unwrap();
        let mut set = open(&target);
        let names = RegisterNames::of(&set.set);
        let found = set.forms.iter().find(|form| form.name == name);
        let known: Vec<&str> = set.forms.iter().map(|form| form.name.as_str()).collect();
        let form = found.unwrap_or_else(|| panic!("{name}: {known:#?}")).clone();
        let kernel =
            winic::gpu::amd::kernel((&set.set, &names), &form, experiment, Data::Ones).unwrap();
        let text = module(&target, &[(&form, kernel)], &mut set.llvm).unwrap();
        golden::hold(&format!("{}-{name}-{}.s", target.name, experiment.word()), &text);
    }
}

#[test]
fn factors_may_hold_zeros_and_random_numbers() {
    let target = AmdTarget::by_name("gfx90a").unwrap();
    let mut set = open(&target);
    let names = RegisterNames::of(&set.set);
    let form = set
        .forms
        .iter()
        .find(|form| form.name == "V_MFMA_F64_16X16X4F64_gfx90a_acd")
        .unwrap()
        .clone();
    for data in [Data::Zeros, Data::Random] {
        let made = kernels((&set.set, &names), &form, data);
        let list: Vec<(&AmdForm, AmdKernel)> =
            made.into_iter().map(|(_, kernel)| (&form, kernel)).collect();
        let text = module(&target, &list, &mut set.llvm).unwrap();
        assert!(set.llvm.machine_code(&text).is_ok(), "{text}");
    }
    let wrong = set.llvm.machine_code("    s_nothing s1\n").unwrap_err();
    assert!(wrong.to_string().contains("line 1"), "{wrong}");
}
