//! Forms that access memory: kernels of all of them, and figures of this machine that hold on any
//! x86-64.
#![cfg(feature = "llvm")]

#[allow(dead_code)]
mod support;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;
use std::process::Command;

use support::Machine;
use winic::database::{Database, OperandLatency};
use winic::experiment::Experiment;
use winic::form::{AddressPart, InstructionForm, MemoryAccess, Site, Value};
use winic::isa::BufferPath;
use winic::kernel::{
    Breaking, Cells, Kernel, KernelError, Slot, ThroughputBody, ValueClass, WalkBody,
    walked_operand,
};
use winic::metadata::{OperandValue, RegisterId};
use winic::study::latency::relevant_forms;
use winic::study::throughput::dependences_of;

/// Forms whose address an operand holds.
fn memory_forms(machine: &Machine) -> impl Iterator<Item = &InstructionForm> {
    let forms = machine.catalogue.forms().filter(|form| form.memory != MemoryAccess::None);
    forms.filter(|form| {
        let base = form.operand_of(AddressPart::Base);
        base.is_some_and(|base| form.class_of(base).is_some()) && form.implied_bases.is_empty()
    })
}

/// Where in the region each instance of a form's body begins to access memory.
fn places(form: &InstructionForm, kernel: &Kernel) -> Vec<i64> {
    let number = |value: &OperandValue| match value {
        OperandValue::Immediate(number) => *number,
        OperandValue::Register(_) => panic!("a displacement is a number"),
    };
    let displacement = form.operand_of(AddressPart::Displacement);
    let unit = form.displacement.map_or(1, |displacement| i64::from(displacement.unit));
    let base = form.operand_of(AddressPart::Base).expect("a base");
    let instances = kernel.instructions().filter(|instance| instance.opcode == form.opcode);
    instances
        .map(|instance| {
            let register = form.register_at(Site::Operand(base), instance).expect("a base");
            let value = kernel.values.iter().find(|(other, _)| *other == register);
            let Some((_, Value::DataAddress(offset) | Value::HalfAddress(offset))) = value else {
                panic!("{}: the base holds {value:?}", form.name)
            };
            let distance = displacement.map_or(0, |operand| number(&instance.operands[operand]));
            i64::from(*offset) + distance * unit
        })
        .collect()
}

/// Builds the plain body of all forms that access memory, and counts them by the cells that take turns.
fn bodies_stay_in_the_region_and_what_stores_is_apart(machine: &Machine) -> BTreeMap<usize, usize> {
    let mut forms = BTreeMap::new();
    for form in memory_forms(machine) {
        let body = ThroughputBody::plain(form.opcode, 30);
        let kernel =
            body.build(&machine.catalogue).unwrap_or_else(|e| panic!("{}: {e}", form.name));
        let apart = places(form, &kernel);
        assert!(
            apart.iter().all(|place| (0..4096 - 64).contains(place)),
            "{}: {apart:?}",
            form.name
        );
        let each: BTreeSet<i64> = apart.iter().copied().collect();
        if form.memory == MemoryAccess::Load {
            assert_eq!(each.len(), 1, "{}: {apart:?}", form.name);
        } else {
            *forms.entry(each.len()).or_default() += 1;
        }
        // What is needed goes over the wire with the kernel.
        assert!(kernel.needs().memory >= 4096 && kernel.contents.is_some(), "{}", form.name);
        let one = ThroughputBody { cells: Cells::One, ..body };
        let one = places(form, &one.build(&machine.catalogue).unwrap());
        assert!(one.iter().all(|place| *place == one[0]), "{}: {one:?}", form.name);
        *forms.entry(0).or_default() += 1;
    }
    println!("{forms:?}");
    forms
}

#[test]
fn bodies_of_all_x86_64_forms_stay_in_the_region() {
    let forms = bodies_stay_in_the_region_and_what_stores_is_apart(&Machine::x86_64_with_memory());
    assert!(forms[&0] > 7000 && forms.keys().all(|cells| [0, 15].contains(cells)), "{forms:?}");
}

#[test]
fn bodies_of_all_aarch64_forms_stay_in_the_region() {
    let machine = Machine::aarch64_with_memory();
    let forms = bodies_stay_in_the_region_and_what_stores_is_apart(&machine);
    assert!(forms[&0] > 1500, "{forms:?}");
}

#[test]
fn bodies_of_all_riscv64_forms_stay_in_the_region() {
    let machine = Machine::riscv64_with_memory();
    let forms = bodies_stay_in_the_region_and_what_stores_is_apart(&machine);
    assert!(forms[&0] > 500, "{forms:?}");
}

#[test]
fn what_accesses_memory_reads_its_address_and_says_how_wide_it_is() {
    let machine = Machine::x86_64_with_memory();
    let bits: HashMap<&str, u32> = [
        ("MOV8rm", 8),
        ("MOV64mr", 64),
        ("MOVAPSrm", 128),
        ("VMOVUPSZmr", 512),
        ("ADD16mi", 16),
        ("VADDPDZrmb", 64),
    ]
    .into();
    for (name, expected) in bits {
        assert_eq!(machine.form(name).access_bits, expected, "{name}");
    }
    for form in memory_forms(&machine) {
        let base = Site::Operand(form.operand_of(AddressPart::Base).expect("a base"));
        assert!(form.uses().any(|site| site == base), "{}", form.name);
        assert!(form.edges().all(|edge| (edge.source, edge.target) != (base, Site::Memory)));
    }
    let edges = |name: &str| -> Vec<(Site, Site)> {
        machine.form(name).edges().map(|edge| (edge.source, edge.target)).collect()
    };
    assert_eq!(edges("MOV64mr"), [(Site::Operand(5), Site::Memory)]);
    let load = [(Site::Operand(1), Site::Operand(0)), (Site::Memory, Site::Operand(0))];
    assert_eq!(edges("MOV64rm"), load);
    // A register and a cell that change places do not meet.
    let exchange = edges("XCHG64rm");
    assert!(!exchange.contains(&(Site::Operand(1), Site::Operand(0))), "{exchange:?}");
}

/// The edges of a form, as sites.
fn edges_of(machine: &Machine, name: &str) -> Vec<(Site, Site)> {
    machine.form(name).edges().map(|edge| (edge.source, edge.target)).collect()
}

#[test]
fn bases_that_are_written_back_follow_from_the_address_alone() {
    let machine = Machine::aarch64_with_memory();
    let (operand, memory) = (Site::Operand, Site::Memory);
    // ldr x5, [x6], #0: base, result, base.
    let load = [(operand(2), operand(0)), (operand(2), operand(1)), (memory, operand(1))];
    assert_eq!(edges_of(&machine, "LDRXpost"), load);
    let store = [(operand(1), memory), (operand(2), operand(0))];
    assert_eq!(edges_of(&machine, "STRXpre"), store);
}

#[test]
fn what_exchanges_gives_what_memory_held() {
    let (operand, memory) = (Site::Operand, Site::Memory);
    let exchange =
        [(operand(1), memory), (operand(2), operand(0)), (memory, operand(0)), (memory, memory)];
    for (machine, names) in [
        (Machine::aarch64_with_memory(), ["LDADDX", "SWPALW"]),
        (Machine::riscv64_with_memory(), ["AMOADD_D", "AMOMAXU_W_AQ"]),
    ] {
        for name in names {
            assert_eq!(edges_of(&machine, name), exchange, "{name}");
        }
    }
}

/// In front of each instance a load has reserved the address that it stores to, and nobody reads what that
/// load found.
#[test]
fn what_stores_only_under_a_reservation_stands_behind_a_load() {
    for (machine, names) in [
        (Machine::aarch64_with_memory(), [("STXRX", "LDXRX", 64), ("STLXPW", "LDXPW", 64)]),
        (Machine::riscv64_with_memory(), [("SC_D", "LR_D", 64), ("SC_W_AQ", "LR_W", 32)]),
    ] {
        for (name, load, bits) in names {
            let (form, load) = (machine.form(name), machine.form(load));
            assert_eq!((form.memory, form.access_bits), (MemoryAccess::Store, bits), "{name}");
            let kernel = ThroughputBody::plain(form.opcode, 8).build(&machine.catalogue).unwrap();
            let instructions: Vec<_> = kernel.instructions().collect();
            assert_eq!(instructions.len(), 16, "{name}");
            for both in instructions.chunks(2) {
                assert_eq!([both[0].opcode, both[1].opcode], [load.opcode, form.opcode], "{name}");
                let base = |form: &InstructionForm, instance| {
                    form.register_at(Site::Operand(form.operand_of(AddressPart::Base)?), instance)
                };
                assert_eq!(base(load, both[0]), base(form, both[1]), "{name}");
                let found: Vec<_> =
                    load.defs().filter_map(|at| load.register_at(at, both[0])).collect();
                let mut read = form.uses().filter_map(|at| form.register_at(at, both[1]));
                let is_read = read.any(|register| {
                    found.iter().any(|&other| machine.catalogue.set.overlap(register, other))
                });
                assert!(!is_read, "{name}: {found:?}");
            }
        }
    }
}

#[test]
fn addresses_that_are_counted_from_the_instruction_have_no_base_to_wait_for() {
    let machine = Machine::x86_64_with_memory();
    let (operand, memory) = (Site::Operand, Site::Memory);
    let load = edges_of(&machine, "MOV64rm@instruction-pointer");
    assert_eq!(load, [(memory, operand(0))]);
    assert_eq!(edges_of(&machine, "MOV64mr@instruction-pointer"), [(operand(5), memory)]);
}

#[test]
fn displacements_reach_as_far_as_encodings_do() {
    let reach = |machine: &Machine, name: &str| {
        machine.form(name).displacement.map(|displacement| (displacement.unit, displacement.reach))
    };
    let machine = Machine::aarch64_with_memory();
    for (name, expected) in [
        ("LDRXui", Some((8, 4032))),
        ("LDRBBui", Some((1, 4032))),
        ("LDURXi", Some((1, 240))),
        ("LDPXi", Some((8, 496))),
        ("LDPQi", Some((16, 1008))),
        ("LDRXroX", None),
        ("LDRXpost", None),
        ("LD1D_IMM", None),
        ("LDADDX", None),
    ] {
        assert_eq!(reach(&machine, name), expected, "{name}");
    }
    let machine = Machine::riscv64_with_memory();
    for (name, expected) in [
        ("LD", Some((1, 2032))),
        ("FSD", Some((1, 2032))),
        ("C_LD", Some((1, 240))),
        ("C_LW", Some((1, 48))),
        ("AMOADD_D", None),
        ("VLE32_V", None),
    ] {
        assert_eq!(reach(&machine, name), expected, "{name}");
    }
}

/// What gathers clear, and what moves pointers that no operand names, is filled again in time.
#[test]
fn what_instances_spend_is_filled_again() {
    let machine = Machine::x86_64_with_memory();
    let catalogue = &machine.catalogue;
    let mut counts = (0, 0);
    for form in catalogue.forms().filter(|form| !form.spent.is_empty()) {
        let name = form.name.as_str();
        let dependences = dependences_of(catalogue, form);
        let unnamed = form.spent.iter().filter_map(|spent| match spent.site {
            Site::Implicit(register) => Some((register, spent.lasts)),
            Site::Operand(_) | Site::Memory => None,
        });
        let unnamed: Vec<_> = unnamed.collect();
        for (register, _) in &unnamed {
            assert!(dependences.contains(register), "{name}: nothing would fill it");
        }
        let plain = ThroughputBody::plain(form.opcode, 16);
        let bare = plain.build(catalogue);
        if unnamed.is_empty() {
            counts.0 += 1;
            assert_masks_are_full(form, &bare.unwrap(), &machine);
            continue;
        }
        counts.1 += 1;
        assert_eq!(bare, Err(KernelError::Spent(name.to_owned())));
        let breaker = machine.form("MOV64rr").opcode;
        let way = |register| Breaking { register, breaker };
        let breaking: Vec<Breaking> = dependences
            .iter()
            .filter(|register| unnamed.iter().any(|(other, _)| other == *register))
            .map(|&register| way(register))
            .collect();
        let lasts = form.unnamed_lasts().unwrap();
        let after = |interval| {
            let body = ThroughputBody { breaking: breaking.clone(), interval, ..plain.clone() };
            body.build(catalogue)
        };
        assert!(after(lasts).is_ok(), "{name}");
        assert_eq!(after(2 * lasts), Err(KernelError::Spent(name.to_owned())));
    }
    assert!(counts.0 >= 50 && counts.1 >= 30, "{counts:?}");
}

/// In front of each instance something writes its mask, from a register that holds all bits.
fn assert_masks_are_full(form: &InstructionForm, kernel: &Kernel, machine: &Machine) {
    let instructions: Vec<_> = kernel.instructions().collect();
    let (refills, instances): (Vec<_>, Vec<_>) =
        instructions.into_iter().partition(|instruction| instruction.opcode != form.opcode);
    assert_eq!(refills.len(), instances.len(), "{}", form.name);
    let mask = form.spent_operands().next().unwrap();
    for (refill, instance) in refills.into_iter().zip(instances) {
        let filling = machine.catalogue.form(refill.opcode).unwrap();
        assert_eq!(refill.operands[0], instance.operands[mask], "{}", form.name);
        let source = filling.register_at(Site::Operand(1), refill).unwrap();
        let held = kernel.values.iter().find(|(register, _)| *register == source);
        assert_eq!(held, Some(&(source, Value::Number(u64::MAX))), "{}", form.name);
    }
}

#[test]
fn a_gather_can_take_each_lane_from_another_line() {
    let machine = Machine::x86_64_with_memory();
    for (name, lane_bits) in [("VPGATHERDDYrm", 32), ("VPGATHERQDZrm", 64), ("VSCATTERDPDZmr", 32)]
    {
        let form = machine.form(name);
        let plain = ThroughputBody::plain(form.opcode, 4);
        let index = Site::Operand(form.operand_of(AddressPart::Index).unwrap());
        let held = |class| {
            let body = ThroughputBody { values: ValueClass(class), ..plain.clone() };
            let kernel = body.build(&machine.catalogue).unwrap();
            let instance = kernel.instructions().find(|i| i.opcode == form.opcode).unwrap();
            let register = form.register_at(index, instance).unwrap();
            kernel.values.iter().find(|(other, _)| *other == register).unwrap().1
        };
        assert_eq!((held(0), held(1)), (Value::Zero, Value::Lines { lane_bits }), "{name}");
    }
}

/// `LDMXCSR` faults on what others store.
#[test]
fn what_needs_contents_of_its_own_leads_nobody_back() {
    let machine = Machine::x86_64_with_memory();
    let subject = machine.form("ADDPDrr").opcode;
    let names: Vec<&str> = relevant_forms(&machine.catalogue, &[subject])
        .into_iter()
        .map(|form| form.name.as_str())
        .collect();
    assert!(names.contains(&"MOV64rm") && names.contains(&"MOV64mr"), "{names:?}");
    for name in ["LDMXCSR", "VLDMXCSR", "DIV8m", "POPF64", "XRSTOR"] {
        assert!(!names.contains(&name), "{name}");
    }
}

/// The latency from one named place to another, where it is exact, and without doubt.
fn exact(database: &Database, form: &str, source: &str, target: &str) -> Option<f64> {
    let entry = database.entry(form)?;
    let is_it = |edge: &&OperandLatency| edge.source == source && edge.target == target;
    let edge = entry.latency.operands.iter().find(is_it)?.clone();
    let is_exact = edge.status.is_none() && edge.min == edge.max;
    edge.min.filter(|_| is_exact)
}

fn measure(place: &Path, forms: &[&str]) -> Database {
    let mut command = Command::new(env!("CARGO_BIN_EXE_winic"));
    command.current_dir(place).env("WINIC_RUNNER", env!("CARGO_BIN_EXE_winic-runner"));
    command.args(["LAT", "-o", "out.yaml", "--noReport", "--noAsm", "--noEvidence"]);
    command.args(forms.iter().flat_map(|form| ["-i", form]));
    let output = command.output().expect("winic runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Database::read(&place.join("out.yaml")).expect("a database")
}

/// What computes with a loaded operand waits for the address as long as a load does, and then as long
/// as its twin waits for a register.
#[test]
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
fn a_form_with_a_loaded_operand_takes_what_its_twin_takes_and_a_load() {
    const TWINS: [(&str, &str); 4] = [
        ("ADD64rm", "ADD64rr"),
        ("AND64rm", "AND64rr"),
        ("XOR64rm", "XOR64rr"),
        ("IMUL64rm", "IMUL64rr"),
    ];
    let forms: Vec<&str> = TWINS.iter().flat_map(|&(with, twin)| [with, twin]).collect();
    let forms = [forms, vec!["MOV64rm", "ADD64mr", "POP64r"]].concat();
    // Another program may disturb a run: then what settled in the next one counts.
    let mut said = String::new();
    let agree = (0..5).any(|_| {
        let place = tempfile::tempdir().expect("a temporary directory");
        let database = measure(place.path(), &forms);
        let Some(load) = exact(&database, "MOV64rm", "1.addr", "0") else {
            said = "no load".to_owned();
            return false;
        };
        let sums = TWINS.map(|(with, twin)| {
            let address = exact(&database, with, "1.addr", "0")?;
            Some(address - exact(&database, twin, "1", "0")?)
        });
        // A cell through which sums are passed on takes an addition at least.
        let cell = exact(&database, "ADD64mr", "0", "0");
        // The stack is memory like any other.
        let pop = exact(&database, "POP64r", "RSP", "0");
        said = format!("load {load}, loads of twins {sums:?}, cell {cell:?}, pop {pop:?}");
        (2.0..=8.0).contains(&load)
            && sums.iter().all(|sum| sum.is_some_and(|sum| (sum - load).abs() < 0.3))
            && cell.is_some_and(|cell| (1.0..=20.0).contains(&cell))
            && pop.is_some_and(|pop| (pop - load).abs() < 1.3)
    });
    assert!(agree, "{said}");
}

/// Between two moves of the pointers of a walk each of them has accessed all that it is moved on by, once and
/// in order.
fn walks_leave_nothing_out(machine: &Machine) -> usize {
    let mut walked = 0;
    for form in
        memory_forms(machine).filter(|form| walked_operand(&machine.catalogue, form).is_some())
    {
        let is_load = form.memory == MemoryAccess::Load;
        let (own, streams) = (Some(form.opcode), 2);
        let (load, store) = if is_load { (own, None) } else { (None, own) };
        let body = WalkBody { load, store, streams, bytes: 1 << 14, offset: 0, cores: 1 };
        let Ok(Some(kernel)) = Experiment::Walk(body).kernel(&machine.catalogue) else { continue };
        let Some(BufferPath::Straight(walk)) = &kernel.walk else { panic!("a walk") };
        assert_eq!((walk.pointers.len(), walk.extent()), (2, 2 * walk.bytes), "{}", form.name);
        assert!(walk.bytes.is_multiple_of(walk.advance.into()), "{}", form.name);
        let base = form.operand_of(AddressPart::Base).expect("a base");
        let width = i64::from(form.access_bits / 8);
        let mut reached = vec![0; walk.pointers.len()];
        for slot in &kernel.body {
            let Slot::Instruction(instruction) = slot else {
                assert!(reached.iter().all(|&it| it == i64::from(walk.advance)), "{}", form.name);
                reached.fill(0);
                continue;
            };
            let OperandValue::Register(register) = instruction.operands[base] else { panic!() };
            let is_it = |&(pointer, _): &(RegisterId, u64)| pointer == register;
            let stream = walk.pointers.iter().position(is_it).expect("a pointer");
            let distance = form.displacement.map_or(0, |displacement| {
                let OperandValue::Immediate(number) = instruction.operands[displacement.operand]
                else {
                    panic!("{}", form.name)
                };
                number * i64::from(displacement.unit) - displacement.least
            });
            assert_eq!(distance, reached[stream], "{}", form.name);
            reached[stream] += width;
        }
        walked += 1;
    }
    walked
}

#[test]
fn walks_of_all_architectures_leave_nothing_out() {
    let walked = [
        walks_leave_nothing_out(&Machine::x86_64_with_memory()),
        walks_leave_nothing_out(&Machine::aarch64_with_memory()),
        walks_leave_nothing_out(&Machine::riscv64_with_memory()),
    ];
    println!("{walked:?} forms walk");
    for (walked, least) in walked.into_iter().zip([100, 40, 10]) {
        assert!(walked >= least, "{walked} of {least}");
    }
}

/// Tiles have rows only behind a configuration, and their data need the system's permission.
#[test]
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
fn tiles_of_amx_are_loaded_and_multiplied() {
    let cpu = std::fs::read_to_string("/proc/cpuinfo").expect("the system describes its CPU");
    if !cpu.contains(" amx_int8") {
        println!("skipped: this CPU has no AMX");
        return;
    }
    let place = tempfile::tempdir().expect("a temporary directory");
    let mut command = Command::new(env!("CARGO_BIN_EXE_winic"));
    command.current_dir(place.path()).env("WINIC_RUNNER", env!("CARGO_BIN_EXE_winic-runner"));
    command.args(["TP", "-o", "out.yaml", "--noReport", "--noAsm", "--noEvidence"]);
    let output = command.args(["-i", "TDPBSSD", "TILELOADD", "TILESTORED", "TILEZERO"]).output();
    let output = output.expect("winic runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let database = Database::read(&place.path().join("out.yaml")).expect("a database");
    let least = |form: &str| database.entry(form)?.throughput.min;
    // 16 rows of 64 bytes need 16 cycles at one row a cycle, and 8 at two loads.
    for (form, bounds) in
        [("TDPBSSD", 8.0..40.0), ("TILELOADD", 4.0..40.0), ("TILESTORED", 4.0..60.0)]
    {
        assert!(least(form).is_some_and(|it| bounds.contains(&it)), "{form}: {:?}", least(form));
    }
    assert!(least("TILEZERO").is_some_and(|it| it < 4.0), "{:?}", least("TILEZERO"));
}
