//! Rounds of two chains with fillers between them.

use std::collections::HashSet;

use winic::catalogue::Catalogue;
use winic::kernel::{Accumulators, Slot, WindowBody};
use winic::metadata::{Instruction, OpcodeId, OperandValue, UnitId};

use crate::check_kernel;
use crate::complaints::{Complaints, units};
use crate::support::Machine;

const LINKS: u32 = 6;
const FILLERS: u32 = 10;

/// The units that an instruction reads, and those that it writes, but for flags.
fn touched(instruction: &Instruction, catalogue: &Catalogue) -> [HashSet<UnitId>; 2] {
    let form = catalogue.form(instruction.opcode).expect("a form");
    let named = |operand: usize| match instruction.operands[operand] {
        OperandValue::Register(register) => units(catalogue, register).to_vec(),
        OperandValue::Immediate(_) => Vec::new(),
    };
    let of = |write: bool| -> HashSet<UnitId> {
        let operands = form.operands.iter().enumerate();
        let meant = operands.filter(|(_, it)| if write { it.write } else { it.read });
        meant.flat_map(|(index, _)| named(index)).collect()
    };
    [of(false), of(true)]
}

/// Chains of a form, with fillers of the instruction set or of another form.
fn round(machine: &Machine, link: &str, filler: Option<OpcodeId>) -> WindowBody {
    let form = machine.form(link);
    let (source, target) =
        Accumulators::operands(&machine.catalogue, form).expect("operands of a chain");
    let chain = Accumulators { source, target, count: 1 };
    WindowBody { link: form.opcode, chain, links: LINKS, fillers: FILLERS, filler }
}

#[test]
fn two_chains_of_each_slow_form_pass_nothing_to_each_other() {
    let mut complaints = Complaints::default();
    for mut machine in [Machine::x86_64(), Machine::aarch64(), Machine::riscv64()] {
        let names = machine.catalogue.isa.slow_forms();
        assert!(names.len() >= 2);
        for name in names {
            let kernel =
                round(&machine, name, None).content().build(&machine.catalogue).expect("a kernel");
            assert_eq!(kernel.instances, LINKS);
            check_kernel(name, &kernel, &mut machine, &mut complaints);
            let is_filled = |slot: &Slot| matches!(slot, Slot::Fillers(FILLERS));
            let filled: Vec<usize> =
                (0..kernel.body.len()).filter(|&it| is_filled(&kernel.body[it])).collect();
            let links = LINKS as usize;
            assert_eq!(filled, [links, 2 * links + 1], "{name}");
            assert_eq!(kernel.body.len(), 2 * links + 2, "{name}");
            let all: Vec<&Instruction> = kernel.instructions().collect();
            let [[reads, writes], [others_read, others_write]] =
                [all[0], all[links]].map(|link| touched(link, &machine.catalogue));
            assert!(!writes.is_empty() && writes.is_subset(&reads), "{name}: no chain");
            assert!(others_write.is_subset(&others_read), "{name}: no second chain");
            assert!(writes.is_disjoint(&others_read) && others_write.is_disjoint(&reads), "{name}");
            assert!(all[..links].iter().all(|it| *it == all[0]), "{name}");
            assert!(all[links..].iter().all(|it| *it == all[links]), "{name}");
        }
    }
    complaints.assert_none();
}

/// What stands in for the instruction set's fillers passes nothing to a chain, and there is as much of it.
#[test]
fn forms_that_fill_stand_between_chains() {
    let mut complaints = Complaints::default();
    for mut machine in [Machine::x86_64(), Machine::aarch64(), Machine::riscv64()] {
        let isa = machine.catalogue.isa.clone();
        let cases = isa
            .slow_forms()
            .iter()
            .flat_map(|&link| isa.simplest_forms().iter().map(move |&filler| (link, filler)));
        for (link, filler) in cases {
            let filler = machine.form(filler).opcode;
            let body = round(&machine, link, Some(filler));
            let kernel = body.content().build(&machine.catalogue).expect("a kernel");
            assert_eq!(kernel.instances, LINKS);
            check_kernel(link, &kernel, &mut machine, &mut complaints);
            let all: Vec<&Instruction> = kernel.instructions().collect();
            let [links, fillers] = [LINKS, FILLERS].map(|it| it as usize);
            assert_eq!(all.len(), 2 * (links + fillers), "{link}");
            for (round, half) in all.chunks(links + fillers).enumerate() {
                let (of_chain, between) = half.split_at(links);
                assert!(of_chain.iter().all(|it| it.opcode == body.link), "{link}, {round}");
                let [reads, writes] = touched(of_chain[0], &machine.catalogue);
                for it in between {
                    let [own_reads, own_writes] = touched(it, &machine.catalogue);
                    assert_eq!(it.opcode, filler, "{link}, {round}");
                    assert!(own_writes.is_disjoint(&reads) && own_reads.is_disjoint(&writes));
                }
            }
        }
    }
    complaints.assert_none();
}
