//! Forms of SME and SME2: how many of LLVM's opcodes become such, and that their kernels hold.

use std::collections::{BTreeMap, BTreeSet};

use winic::catalogue::{Canonical, Exclusion, list};
use winic::codec::Codec as _;
use winic::experiment::Experiment;
use winic::form::{EncodingGroup, InstructionForm, MemoryAccess, Site, Value};
use winic::kernel::{
    Accumulators, Registers, ThroughputBody, TransitionBody, TransitionStep, ValueClass, WalkBody,
};
use winic::metadata::{Opcode, OperandKind, OperandValue, UnitId};

use crate::chains::check_chain;
use crate::complaints::Complaints;
use crate::support::Machine;
use crate::throughput::body;
use crate::{check_kernel, sme};

/// Forms and kernels for LLVM's opcodes, at least.
const SHARE: f64 = 0.95;

/// LLVM's classes of what only SME has.
const CLASSES: &[&str] = &["MPR", "MPR8", "MPR16", "MPR32", "MPR64", "MPR128", "ZTR"];

/// The opcodes that are instructions of SME, whether they become forms or not: those with a register that only it has,
/// and those whose encoding lies in its space. (Of a machine that has all that LLVM knows.)
fn opcodes_of_sme() -> BTreeMap<String, Option<Vec<u8>>> {
    let mut machine = Machine::aarch64();
    let set = machine.llvm.instruction_set();
    let names_it = |opcode: &Opcode| {
        opcode.operands.iter().any(|operand| match operand.kind {
            OperandKind::Register(class) => CLASSES.contains(&set.class(class).name.as_str()),
            _ => false,
        })
    };
    let own = machine.catalogue.set.clone();
    let isa = machine.catalogue.isa.clone();
    let mut out = BTreeMap::new();
    for listing in list(&own, &*isa, &mut machine.llvm) {
        // (Behind LLVM's own stand those of circumstances, like `ORRXrs@zero`.)
        let Some(opcode) = set.opcodes.get(listing.opcode.0 as usize) else { continue };
        let bytes = match listing.canonical {
            Canonical::Form(form) | Canonical::Alias(form) => {
                machine.llvm.encode(&own.encodable(&form.sample)).ok()
            }
            Canonical::Excluded(Exclusion::Pseudo) => continue,
            Canonical::Excluded(_) => None,
        };
        let word = bytes.as_ref().and_then(|bytes| <[u8; 4]>::try_from(bytes.as_slice()).ok());
        if names_it(opcode) || word.map(u32::from_le_bytes).is_some_and(sme::is_word_of_sme) {
            out.insert(opcode.name.clone(), bytes);
        }
    }
    out
}

#[test]
fn nearly_all_opcodes_of_sme_become_forms_with_kernels() {
    let opcodes = opcodes_of_sme();
    println!("{} opcodes of LLVM are of SME", opcodes.len());
    for cpu in ["apple-m4", "apple-m5"] {
        let mut machine = Machine::apple(cpu);
        // What has no bytes anywhere might be any CPU's.
        let of_cpu: BTreeSet<&str> = opcodes
            .iter()
            .filter(|(_, bytes)| {
                bytes.as_ref().is_none_or(|bytes| machine.llvm.decode(bytes).is_ok())
            })
            .map(|(name, _)| name.as_str())
            .collect();
        let mut kept = BTreeSet::new();
        let mut complaints = Complaints::default();
        let mut without: Vec<String> = Vec::new();
        let mut chains = 0;
        for &name in &of_cpu {
            let Some(form) = machine.catalogue.form_by_name(name).cloned() else {
                without.push(format!("{name}: no form"));
                continue;
            };
            match holds(&form, &mut machine, &mut complaints) {
                Ok(of_form) => {
                    chains += of_form;
                    kept.insert(name);
                }
                Err(reason) => without.push(format!("{name}: {reason}")),
            }
        }
        let share = kept.len() as f64 / of_cpu.len() as f64;
        println!(
            "{cpu}: {} of {} opcodes are forms with valid kernels ({:.2} %), {chains} chains; without: {without:#?}",
            kept.len(),
            of_cpu.len(),
            share * 100.0
        );
        complaints.assert_none();
        assert!(of_cpu.len() > 400, "{cpu} has only {} opcodes of SME", of_cpu.len());
        assert!(share >= SHARE, "{cpu}: {share}");
    }
}

/// Checks the kernels of a form: how many chains it has.
fn holds(
    form: &InstructionForm,
    machine: &mut Machine,
    complaints: &mut Complaints,
) -> Result<usize, String> {
    if form.group == EncodingGroup::COMMON {
        return Err("it is not in streaming mode".into());
    }
    let kernel = body(form, Vec::new()).build(&machine.catalogue).map_err(|it| it.to_string())?;
    let before = complaints.count();
    check_kernel(&form.name, &kernel, machine, complaints);
    let mut chains = 0;
    for edge in form.edges() {
        let at = |site| machine.catalogue.resource_at(form, site);
        if edge.source == Site::Memory
            || edge.target == Site::Memory
            || at(edge.source) != at(edge.target)
        {
            continue;
        }
        let Ok(kernel) =
            crate::chains::chain(edge, winic::kernel::Style::Same).build(&machine.catalogue)
        else {
            continue;
        };
        check_kernel(&form.name, &kernel, machine, complaints);
        if form.address_part(edge.source).is_none() {
            check_chain(&kernel, &machine.catalogue, &[edge])?;
        }
        chains += 1;
    }
    if complaints.count() > before { Err("see the complaints".into()) } else { Ok(chains) }
}

/// LLVM says of some that they load: they move from ZA to vectors.
#[test]
fn only_loads_and_stores_access_memory() {
    let machine = Machine::apple("apple-m5");
    let accesses = |wanted: MemoryAccess| {
        let forms = machine.catalogue.forms().filter(move |form| form.memory == wanted);
        forms.map(|form| form.name.as_str()).collect::<BTreeSet<_>>()
    };
    assert!(accesses(MemoryAccess::Load).contains("LDR_ZA"));
    for name in ["EXTRACT_ZPMXI_H_S", "MOVA_4ZMXI_H_S", "MOVA_VG2_2ZMXI", "MOVT_TIX", "ZERO_T"] {
        assert_eq!(machine.form(name).memory, MemoryAccess::None, "{name}");
    }
    for name in ["STR_ZA", "ST1_MXIPXX_H_S", "STR_TX", "ST1_MXIPXX_V_Q"] {
        assert_eq!(machine.form(name).memory, MemoryAccess::Store, "{name}");
    }
}

/// What an instruction prints says which vectors it names: `za.s[w9, 2:3, vgx2]` with what W9 holds.
#[test]
fn registers_stand_for_the_vectors_that_are_printed() {
    let mut machine = Machine::aarch64_with_memory();
    let forms: Vec<InstructionForm> = machine.catalogue.forms().cloned().collect();
    let mut checked = 0;
    let mut shapes = BTreeSet::new();
    for form in &forms {
        let set = machine.catalogue.set.clone();
        let Some(selection) = set.selection(form.opcode) else { continue };
        let whole = set.register_by_name("ZA").expect("ZA");
        let number = |unit: UnitId| sme::vector_of(&set, unit);
        assert_eq!(set.register(whole).units.len(), 64);
        for &register in selection.names.keys() {
            let mut instruction = form.sample.clone();
            for &at in &selection.operands {
                instruction.operands[at] = OperandValue::Register(register);
            }
            let encodable = set.encodable(&instruction).into_owned();
            let text = machine.llvm.print(&encodable).expect("it prints");
            let printed = vectors(&text, held);
            let units = set.register(register).units.iter();
            let own: BTreeSet<usize> = units.map(|&unit| number(unit)).collect();
            assert_eq!(own, printed.vectors, "{}: {text}", form.name);
            shapes.insert((printed.groups, printed.vectors.len() / printed.groups));
            let listed = set.listed(form.opcode, &encodable.operands);
            for &at in &selection.operands {
                assert_eq!(listed[at], OperandValue::Register(register), "{text}");
            }
            checked += 1;
        }
    }
    println!("{checked} names of vectors");
    let all: BTreeSet<(usize, usize)> =
        [1, 2, 4].iter().flat_map(|&a| [1, 2, 4].map(|b| (a, b))).collect();
    assert_eq!(shapes, all);
}

/// What W8 to W15 hold in kernels.
fn held(selector: usize) -> usize {
    match selector {
        8..12 => 8 * (selector - 8),
        12..16 => selector - 12,
        _ => panic!("W{selector} names no vectors"),
    }
}

struct Printed {
    vectors: BTreeSet<usize>,
    groups: usize,
}

fn vectors(text: &str, held: impl Fn(usize) -> usize) -> Printed {
    let (_, name) = text.split_once("za").expect("ZA");
    let name = name.split_once('[').expect("a name").1.split_once(']').expect("its end").0;
    let mut parts = name.split(',').map(str::trim);
    let selector: usize = parts.next().unwrap().trim_start_matches('w').parse().unwrap();
    let offsets = parts.next().unwrap();
    let (first, last) = offsets.split_once(':').unwrap_or((offsets, offsets));
    let (first, last): (usize, usize) = (first.parse().unwrap(), last.parse().unwrap());
    let groups = parts.next().map_or(1, |group| group.trim_start_matches("vgx").parse().unwrap());
    let apart = 64 / groups;
    let begin = held(selector);
    let of_group =
        |group: usize| (first..=last).map(move |next| (begin + next) % apart + group * apart);
    Printed { vectors: (0..groups).flat_map(of_group).collect(), groups }
}

/// One vector after the other is independent, and the same one is a chain.
#[test]
fn accumulators_are_as_many_as_are_asked_for() {
    let machine = Machine::apple("apple-m4");
    for (name, most) in [
        ("FMOPA_MPPZZ_S", 4),
        ("FMOPA_MPPZZ_D", 8),
        ("FMLA_VG2_M2Z2Z_S", 16),
        ("FMLA_VG4_M4Z4Z_S", 16),
        ("FMLAL_VG2_M2Z2Z_HtoS", 16),
        ("FMLAL_VG4_M4Z4Z_HtoS", 8),
        ("SMLALL_VG2_M2Z2Z_BtoS", 8),
        ("SMLALL_VG4_M4Z4Z_BtoS", 4),
    ] {
        let form = machine.form(name);
        let with = |count: u32| {
            let registers = Registers::Accumulators(Accumulators { source: 1, target: 0, count });
            let body =
                ThroughputBody { registers, ..ThroughputBody::plain(form.opcode, 12 * count) };
            body.build(&machine.catalogue)
        };
        for count in 1..=most {
            let kernel = with(count).unwrap_or_else(|error| panic!("{name} {count}: {error}"));
            let simulated = crate::dataflow::Loop::of(&kernel, &machine.catalogue);
            let (growth, passes) = simulated.growth(|_, source, target| {
                let site = |it| crate::dataflow::Source::Site(Site::Operand(it));
                i64::from(source == site(1) && target == site(0))
            });
            // Each chain has its share of the instances.
            assert_eq!(growth, 12 * passes, "{name} {count}");
        }
        if most < 16 {
            assert!(with(most + 1).is_err(), "{name} has more than {most}");
        }
    }
}

/// As the study of M4 has it: predicates are set again, and nothing else.
#[test]
fn switches_stand_around_instances() {
    let mut machine = Machine::apple("apple-m4");
    let switch = machine.form("MSRpstatesvcrImm1").opcode;
    let step = |immediates: &[(usize, i64)]| TransitionStep {
        opcode: switch,
        immediates: immediates.to_vec(),
    };
    let body = TransitionBody {
        enter: vec![step(&[])],
        subject: machine.form("FMOPA_MPPZZ_S").opcode,
        count: 2,
        leave: vec![step(&[(0, 1), (1, 0)])],
        rounds: 2,
    };
    let kernel = Experiment::Transition(body).kernel(&machine.catalogue).unwrap().unwrap();
    let lines: Vec<String> = kernel
        .instructions()
        .map(|instruction| {
            let encodable = machine.catalogue.set.encodable(instruction);
            machine.llvm.print(&encodable).unwrap().trim().replace('\t', " ")
        })
        .collect();
    let round = |first: u32, second: u32| {
        ["smstart".to_owned(), "ptrue p7.b".to_owned(), "ptrue p6.b".to_owned()]
            .into_iter()
            .chain(
                [first, second].map(|tile| format!("fmopa za{tile}.s, p7/m, p6/m, z31.s, z30.s")),
            )
            .chain(["smstop sm".to_owned()])
            .collect::<Vec<_>>()
    };
    assert_eq!(lines, [round(0, 1), round(2, 3)].concat());
    assert_eq!(kernel.instances, 2);
}

/// As the second study of M4 has it: half of the elements, and all but the last.
#[test]
fn outer_products_have_variants_by_the_elements_that_take_part() {
    let machine = Machine::apple("apple-m4");
    let (set, isa) = (&machine.catalogue.set, &machine.catalogue.isa);
    for (name, predicates, element) in
        [("FMOPA_MPPZZ_S", [2, 3], 4), ("FMOPA_MPPZZ_D", [2, 3], 8), ("SMOPA_MPPZZ_S", [2, 3], 4)]
    {
        let form = machine.form(name);
        assert_eq!(isa.value_classes(set, form).len(), 3, "{name}");
        let body = |class| {
            let values = ValueClass(class);
            let body = ThroughputBody { values, ..ThroughputBody::plain(form.opcode, 4) };
            body.build(&machine.catalogue).unwrap_or_else(|error| panic!("{name}: {error}"))
        };
        for (class, bytes) in [(1, 32), (2, 64 - element)] {
            let kernel = body(class);
            let governing: Vec<_> = predicates
                .into_iter()
                .filter_map(|at| {
                    let instruction = kernel.instructions().next()?;
                    form.register_at(Site::Operand(at), instruction)
                })
                .collect();
            assert_eq!(governing.len(), 2, "{name}");
            for register in governing {
                let held = kernel.values.iter().find(|(known, _)| *known == register);
                assert_eq!(
                    held.map(|&(_, value)| value),
                    Some(Value::Number(bytes)),
                    "{name} {class}"
                );
            }
        }
    }
    assert!(isa.value_classes(set, machine.form("FMLA_ZPmZZ_S")).is_empty());
}

#[test]
fn what_is_loaded_in_whole_is_stored_in_whole() {
    let machine = Machine::apple("apple-m4");
    let copies = machine.catalogue.isa.copies();
    assert!(copies.len() >= 10);
    for (load, store) in copies {
        let (load, store) = (machine.form(load), machine.form(store));
        assert_eq!(load.access_bits, store.access_bits, "{} {}", load.name, store.name);
        let walk = WalkBody {
            load: Some(load.opcode),
            store: Some(store.opcode),
            streams: 2,
            bytes: 1 << 16,
            offset: 0,
            cores: 1,
        };
        let kernel = Experiment::Walk(walk).kernel(&machine.catalogue);
        let kernel = kernel.unwrap_or_else(|error| panic!("{}: {error}", load.name)).unwrap();
        let of = |form: &InstructionForm| {
            kernel.instructions().filter(|instruction| instruction.opcode == form.opcode).count()
        };
        assert!(of(load) > 0 && of(load) == of(store), "{} {}", load.name, store.name);
    }
}
