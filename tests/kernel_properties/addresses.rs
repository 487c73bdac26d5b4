//! Where the instructions of chains access memory: what one stored is what the next one loads.

use winic::catalogue::Catalogue;
use winic::form::{AddressPart, Edge, InstructionForm, Site, Value};
use winic::kernel::{Chain, Kernel, Link, Style, ThroughputBody, ValueClass};
use winic::metadata::{Instruction, OperandValue};

use winic::study::throughput::conditions;

use crate::support::Machine;

/// A store and a load, the operand that is stored and the one that is loaded.
type Pair = (&'static str, usize, &'static str, usize);

#[test]
fn what_is_stored_is_loaded_on_x86_64() {
    check(&Machine::x86_64_with_memory(), &[("MOV64mr", 5, "MOV64rm", 0)]);
}

/// Those whose displacements reach all cells, and those for which bases take turns.
#[test]
fn what_is_stored_is_loaded_on_aarch64() {
    let pairs =
        [("STRXui", 0, "LDRXui", 0), ("STURXi", 0, "LDURXi", 0), ("STRQui", 0, "LDRQui", 0)];
    check(&Machine::aarch64_with_memory(), &pairs);
}

#[test]
fn what_is_stored_is_loaded_on_riscv64() {
    check(&Machine::riscv64_with_memory(), &[("SD", 0, "LD", 0), ("FSD", 0, "FLD", 0)]);
}

fn check(machine: &Machine, pairs: &[Pair]) {
    for &(store, stored, load, loaded) in pairs {
        let [store, load] = [store, load].map(|name| machine.form(name));
        let over = |form: &InstructionForm, source, target| {
            Link::over(Edge { opcode: form.opcode, source, target })
        };
        let links = [
            over(store, Site::Operand(stored), Site::Memory),
            over(load, Site::Memory, Site::Operand(loaded)),
        ];
        let orders = [links.clone(), [links[1].clone(), links[0].clone()]];
        for (links, style) in orders.iter().flat_map(|links| {
            [Style::Rotating, Style::SameAddress].map(|style| (links.to_vec(), style))
        }) {
            let what = format!("{} {style:?} from {:?}", store.name, links[0].source);
            let values = ValueClass::default();
            let chain = Chain { links, style, fillers: 0, least_links: 12, values };
            let kernel =
                chain.build(&machine.catalogue).unwrap_or_else(|error| panic!("{what}: {error}"));
            check_kernel(&what, &kernel, &machine.catalogue);
        }
    }
}

/// Whether each load accesses what the store before it, or the last one of the body, accesses.
fn check_kernel(what: &str, kernel: &Kernel, catalogue: &Catalogue) {
    let accesses: Vec<(bool, u64)> = kernel
        .instructions()
        .filter_map(|instruction| {
            let form = catalogue.form(instruction.opcode)?;
            let address = address(form, instruction, kernel)?;
            Some((form.stores(), address))
        })
        .collect();
    assert!(accesses.len() >= 12, "{what}: {accesses:?}");
    let before = accesses.iter().cycle().skip(accesses.len() - 1);
    for (&(stores, address), &(stored, at)) in accesses.iter().zip(before) {
        assert!(stores != stored, "{what}: {accesses:?}");
        assert!(stores || address == at, "{what}: loaded at {address}, stored at {at}");
    }
}

/// Where in the region an instruction accesses memory.
fn address(form: &InstructionForm, instruction: &Instruction, kernel: &Kernel) -> Option<u64> {
    let base = form.operand_of(AddressPart::Base)?;
    let OperandValue::Register(base) = instruction.operands[base] else { return None };
    let mut of_base = kernel.values.iter().filter(|(register, _)| *register == base);
    let &(_, value) = of_base.next()?;
    assert!(of_base.all(|&(_, other)| other == value), "a base has one value");
    let Value::DataAddress(place) = value else { return None };
    let displacement = form.displacement?;
    let OperandValue::Immediate(number) = instruction.operands[displacement.operand] else {
        return None;
    };
    let address = i64::from(place) + number * i64::from(displacement.unit);
    Some(u64::try_from(address).expect("it lies behind the beginning of the region"))
}

/// In the classes that cross a line and a page, each half of what is accessed lies on its own side.
#[test]
fn plain_moves_cross_lines_and_pages() {
    for machine in [
        Machine::x86_64_with_memory(),
        Machine::aarch64_with_memory(),
        Machine::riscv64_with_memory(),
    ] {
        let moves = machine.catalogue.isa.plain_moves().iter();
        let names = moves.flat_map(|known| [(known.store, known.bits), (known.load, known.bits)]);
        let crossing = names.filter(|(_, bits)| *bits > 8).map(|(name, bits)| {
            let Some(form) = machine.catalogue.form_by_name(name) else { return 0 };
            check_crossing(form, u64::from(bits / 8), &machine.catalogue)
        });
        assert!(crossing.sum::<usize>() >= 8, "{}", machine.catalogue.isa.architecture());
    }
}

/// How many classes there are, the headline's not counted.
fn check_crossing(form: &InstructionForm, bytes: u64, catalogue: &Catalogue) -> usize {
    let conditions = conditions(catalogue, form);
    let classes: Vec<_> =
        conditions.iter().filter(|(condition, _)| condition.values.0 > 0).collect();
    for (condition, name) in &classes {
        let end = if condition.values.0 == 1 { 64 } else { 4096 };
        let body = ThroughputBody {
            values: condition.values,
            cells: condition.cells,
            ..ThroughputBody::plain(form.opcode, 20)
        };
        let kernel = body.build(catalogue).unwrap();
        for instruction in kernel.instructions() {
            let place = address(form, instruction, &kernel).unwrap();
            let lies = format!("{} {name}: at {place}", form.name);
            assert_eq!((place + bytes / 2) % end, 0, "{lies}");
            assert!(place + bytes <= kernel.needs().memory, "{lies}");
        }
    }
    classes.len()
}
