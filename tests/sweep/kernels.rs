//! Kernels of grids: how often an instance waits for another.

use winic::experiment::Experiment;
use winic::infer::Knowledge;
use winic::kernel::{Accumulators, Registers, ThroughputBody};
use winic::metadata::OpcodeId;
use winic::study::{Grid, sweep};

use crate::dataflow::Loop;
use crate::support::Machine;

/// One form in so many is tried: neighbours are alike.
const SHARE: usize = 5;

/// Builds all accumulators of some of a machine's forms: with `k` of them an iteration takes as many
/// links as it has instances, by `k`.
fn chains_are_as_many_as_accumulators(machine: &Machine, least: usize) {
    let subjects: Vec<OpcodeId> =
        machine.catalogue.forms().step_by(SHARE).map(|form| form.opcode).collect();
    let grid = Grid { accumulators: Some(3), ..Grid::default() };
    let study = (sweep::ACCUMULATORS.ask)(&machine.catalogue, &subjects, &grid);
    let mut tried = 0;
    for experiment in study.next(&Knowledge::default()) {
        let Experiment::Throughput(body) = &experiment else { panic!("{experiment:?}") };
        let Registers::Accumulators(Accumulators { count, source, target }) = body.registers else {
            panic!("{body:?}")
        };
        let (0, Ok(Some(kernel))) = (body.fillers, experiment.kernel(&machine.catalogue)) else {
            continue;
        };
        let form = machine.catalogue.form(body.subject).expect("a form");
        let sites = [source, target].map(winic::form::Site::Operand);
        let dataflow = Loop::of(&kernel, &machine.catalogue);
        // Everything between registers takes a cycle, whichever operands it is between.
        let (growth, iterations) = dataflow.growth(|step, _, _| i64::from(step.number.is_some()));
        let links = i64::from(kernel.instances / count);
        assert_eq!(growth, links * iterations, "{}: {count} through {sites:?}", form.name);
        tried += 1;
    }
    assert!(tried >= least, "{tried} kernels");
}

#[test]
fn accumulators_of_x86_64() {
    chains_are_as_many_as_accumulators(&Machine::x86_64(), 500);
}

#[test]
fn accumulators_of_aarch64() {
    chains_are_as_many_as_accumulators(&Machine::aarch64(), 500);
}

#[test]
fn accumulators_of_riscv64() {
    chains_are_as_many_as_accumulators(&Machine::riscv64(), 100);
}

#[test]
fn two_registers_take_turns_and_no_other_operand_has_them() {
    let machine = Machine::x86_64();
    let subjects = [machine.form("VADDPSrr").opcode, machine.form("ADD64rr").opcode];
    let study = (sweep::REGISTERS.ask)(&machine.catalogue, &subjects, Grid::USUAL);
    let mut built = 0;
    for experiment in study.next(&Knowledge::default()) {
        let Experiment::Throughput(body @ ThroughputBody { registers, .. }) = &experiment else {
            panic!("{experiment:?}")
        };
        let Registers::Alternating(alternating) = registers else { panic!("{body:?}") };
        let Ok(Some(kernel)) = experiment.kernel(&machine.catalogue) else { continue };
        for (number, instruction) in kernel.instructions().enumerate() {
            let form = machine.catalogue.form(instruction.opcode).expect("a form");
            for operand in 0..form.operands.len() {
                let register = form.register_at(winic::form::Site::Operand(operand), instruction);
                let tied = form.operands[operand].tied_to == Some(alternating.operand);
                if operand == alternating.operand || tied {
                    assert_eq!(register, Some(alternating.registers[number % 2]), "{body:?}");
                } else if let Some(register) = register {
                    assert!(!alternating.registers.contains(&register), "{body:?}");
                }
            }
        }
        built += 1;
    }
    assert!(built > 150, "{built} kernels");
}
