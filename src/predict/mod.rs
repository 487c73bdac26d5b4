//! What a loop takes by a database: three lower bounds, of which the largest counts.
//!
//! * **Ports** ([`infer::ports`](crate::infer::ports)): the fullest set of ports and of resources that only
//!   one instruction has at a time. Of forms without ports, what so many of one form take by
//!   its throughput.
//! * **Chain** (`chain`): the dependence from an iteration to the next ones that takes longest
//!   for each of them, through registers, flags and cells that are named alike, by latencies from operand to
//!   operand.
//! * **Front end**: places of all instructions by how many go through in a cycle.
//!
//! Nothing is simulated: schedulers, buffers and caches are as large as anyone needs, and of what
//! loops leave open about latencies the middle counts, as exports have it. A pure function of the instructions, as
//! they read and write, and of the database.
//!
//! [`ComparedPorts`] puts the ports of two sources side by side.

mod body;
mod chain;
mod resources;
mod structure;

pub use body::{BodyStep, StepSite};
pub use chain::{ChainBound, PredictedLink};
pub use resources::PortBound;
pub use structure::{ComparedPorts, ComparedUses, PortStructure};

use std::collections::BTreeSet;

use serde::Serialize;

use crate::database::Database;
use body::KnownSteps;

/// What a loop takes by a database, in cycles of an iteration.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Prediction {
    /// The largest of the bounds.
    pub cycles: f64,
    /// Which of them it is; none where there is none.
    pub bound_by: Option<BoundKind>,
    /// What the fullest ports take, where any are known.
    pub ports: Option<PortBound>,
    /// What the form takes that takes longest by its throughput, of those whose ports are not known.
    pub by_throughput: Option<ThroughputBound>,
    /// What the slowest chain takes, where there is one from an iteration to another.
    pub chain: Option<ChainBound>,
    /// What the front end takes, where the database says how wide that is.
    pub front_end: Option<f64>,
    /// The instructions, in order.
    pub instructions: Vec<PredictedInstruction>,
    /// What of them the database does not know, in words; then the bounds are too low.
    pub lacks: Vec<String>,
}

/// Which bound counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum BoundKind {
    /// Ports.
    Ports,
    /// A throughput.
    Throughput,
    /// A chain.
    Chain,
    /// The front end.
    FrontEnd,
}

impl BoundKind {
    /// In words.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Ports => "ports",
            Self::Throughput => "throughput",
            Self::Chain => "chain",
            Self::FrontEnd => "front end",
        }
    }
}

/// So many instances of one form, by its throughput.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ThroughputBound {
    /// Cycles of an iteration.
    pub cycles: f64,
    /// LLVM's name of the form.
    pub form: String,
}

/// What the database says of an instruction.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PredictedInstruction {
    /// In assembly.
    pub text: String,
    /// LLVM's name of the form whose figures count; none of what the database does not have.
    pub form: Option<String>,
    /// Its micro-operations: how many go to any of which ports.
    pub ports: Option<Vec<(u32, Vec<u32>)>>,
    /// Its reciprocal throughput.
    pub throughput: Option<f64>,
    /// Its places in the front end.
    pub slots: f64,
}

/// Predicts a loop.
#[must_use]
pub fn predict(body: &[BodyStep], database: &Database) -> Prediction {
    let known = KnownSteps::of(body, database);
    let ports = resources::of_ports(&known);
    let by_throughput = resources::of_throughputs(&known);
    let front_end = resources::of_front_end(&known, database);
    let (chain, unknown) = chain::slowest(&known);
    let bounds = [
        (BoundKind::Ports, ports.as_ref().map(|bound| bound.cycles)),
        (BoundKind::Throughput, by_throughput.as_ref().map(|bound| bound.cycles)),
        (BoundKind::Chain, chain.as_ref().map(|bound| bound.cycles)),
        (BoundKind::FrontEnd, front_end),
    ];
    let present = bounds.into_iter().filter_map(|(bound, cycles)| Some((bound, cycles?)));
    let largest = present.reduce(|one, other| if other.1 > one.1 { other } else { one });
    let lacks: BTreeSet<String> = known.lacks().chain(unknown).collect();
    Prediction {
        cycles: largest.map_or(0.0, |(_, cycles)| cycles),
        bound_by: largest.map(|(bound, _)| bound),
        ports,
        by_throughput,
        chain,
        front_end,
        instructions: known.instructions(),
        lacks: lacks.into_iter().collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::form::Part;

    /// A form with one source and one result, of three cycles, and one without ports.
    const KNOWN: &str = "\
core: {execution: {ports: 2, width: 4}}
instructions:
- {llvmName: A, throughput: 0.5, portPressure: [[1, [0, 1]]], slots: 1, operandLatencies: [
    {sourceOperand: '1', targetOperand: '0', latencyMin: 2, latencyMax: 4}]}
- {llvmName: B, throughput: 2, operandLatencies: [
    {sourceOperand: '1', targetOperand: '0', latencyMin: 0, latencyMax: 9, independence: proven}]}
- {llvmName: C, throughput: 1, portPressure: [[1, [0]]], portResources: [{resource: 0, cycles: 6}]}
";

    fn site(name: &str, register: u8) -> StepSite {
        let parts = vec![Part::Flag(register)];
        StepSite { name: name.to_owned(), text: register.to_string(), parts, ..Default::default() }
    }

    /// An instruction of a form from a register to another.
    fn step(form: &str, from: u8, to: u8) -> BodyStep {
        BodyStep {
            text: format!("{form} {to}, {from}"),
            form: form.to_owned(),
            base: form.to_owned(),
            reads: vec![site("1", from)],
            writes: vec![site("0", to)],
            ..BodyStep::default()
        }
    }

    fn predicted(body: &[BodyStep]) -> Prediction {
        predict(body, &Database::parse(KNOWN).unwrap())
    }

    #[test]
    fn a_chain_that_comes_back_after_two_iterations_counts_for_each() {
        // What the second writes the first one reads in the next iteration, and the other way round one
        // after that: two results of three cycles in two iterations.
        let found = predicted(&[step("A", 2, 1), step("A", 1, 3), step("A", 3, 2)]);
        assert_eq!(found.chain.unwrap().cycles, 9.0);
        let apart = predicted(&[step("A", 1, 2), step("A", 3, 1), step("A", 2, 3)]).chain.unwrap();
        assert_eq!((apart.cycles, apart.iterations, apart.links.len()), (4.5, 2, 3));
    }

    #[test]
    fn what_does_not_wait_is_no_link() {
        let found = predicted(&[step("B", 1, 1)]);
        assert_eq!((found.chain, found.bound_by), (None, Some(BoundKind::Throughput)));
        assert_eq!(found.by_throughput.unwrap().cycles, 2.0);
        assert!(found.lacks.is_empty(), "{:?}", found.lacks);
    }

    #[test]
    fn the_fullest_resource_bounds_as_ports_do() {
        let found = predicted(&[step("C", 1, 2), step("A", 3, 4)]);
        let ports = found.ports.unwrap();
        assert_eq!((ports.cycles, ports.resource.as_deref()), (6.0, Some("C")));
        let found = predicted(&vec![step("A", 1, 2); 8]);
        let ports = found.ports.unwrap();
        assert_eq!((ports.cycles, ports.ports), (4.0, vec![0, 1]));
        assert_eq!(found.front_end, Some(2.0));
    }

    #[test]
    fn an_instruction_that_the_front_end_does_not_split_waits_for_the_next_cycle() {
        let known = KNOWN.replace("width: 4", "width: 4, splitsInstructions: false");
        let known = known.replace("slots: 1,", "slots: 3,");
        let body = [step("A", 1, 2), step("A", 3, 4)];
        let found = |text: &str| predict(&body, &Database::parse(text).unwrap()).front_end;
        assert_eq!(found(&known), Some(2.0));
        assert_eq!(found(&known.replace("false", "true")), Some(1.5));
    }

    #[test]
    fn what_the_database_lacks_is_named_where_it_matters() {
        let found = predicted(&[step("D", 1, 1)]);
        assert_eq!(found.lacks, ["D (D 1, 1)"]);
        // Nothing comes back through the first; the second waits for itself.
        assert!(predicted(&[step("C", 1, 2)]).lacks.is_empty());
        let found = predicted(&[step("C", 1, 1)]);
        assert_eq!(found.lacks, ["the latency of C from 1 to 0"]);
        let branch = BodyStep { branches: true, ..step("JUMP", 1, 2) };
        assert!(predicted(&[branch]).lacks.is_empty());
    }

    #[test]
    fn a_cell_that_moves_passes_nothing_to_the_next_iteration() {
        let mut body = [step("A", 1, 1)];
        body[0].reads[0].moves = true;
        assert_eq!(predicted(&body).chain, None);
    }

    #[test]
    fn of_no_instruction_nothing_is_predicted() {
        let found = predict(&[], &Database::default());
        assert_eq!((found.cycles, found.bound_by, found.chain), (0.0, None, None));
    }
}
