//! Every CPU that LLVM has a scheduling model of, for all ISAs: a few forms run on the model through
//! everything that a real core's kernels go through, and come to the latencies in its tables.
#![cfg(feature = "llvm")]

use std::collections::HashSet;
use std::sync::atomic::AtomicBool;

use winic::assemble::Linker;
use winic::device::SimulatorDevice;
use winic::form::{InstructionForm, Site};
use winic::infer::Finding;
use winic::isa::{extensions, possible_features};
use winic::journal::Journal;
use winic::llvm::{ModelRow, RegisterPlace, Simulator, TargetChoice, modelled_cpus, triple_of};
use winic::pipeline::{Machine, Progress, Run, Target};
use winic::study::Grid;
use winic::study::latency::{EdgeConclusion, LatencyStudy};
use winic::study::throughput::ThroughputStudy;
use winic::study::{Question, throughput};
use winic::units::Cycles;

/// Rounding of what is published.
const ROUNDING: f64 = 0.05;

struct Unseen;

impl Progress for Unseen {
    fn begin(&mut self, _: &str, _: usize) {}
    fn advance(&mut self, _: usize) {}
    fn end(&mut self) {}
}

/// An architecture, and how many CPUs it must have models of at least.
struct Architecture {
    name: &'static str,
    /// The first of them every CPU executes and every model covers.
    forms: &'static [&'static str],
    least: usize,
    /// Some that are asked for by name: their models have their own ideas of what takes a cycle.
    among: &'static [&'static str],
}

const X86_64: Architecture = Architecture {
    name: "x86_64",
    forms: &["ADD64rr", "IMUL64rr", "ADDPDrr"],
    least: 80,
    among: &["alderlake", "gracemont", "graniterapids", "sapphirerapids"],
};
const AARCH64: Architecture = Architecture {
    name: "aarch64",
    forms: &["ADDXrs", "MADDXrrr", "FADDDrr"],
    least: 80,
    among: &[
        "a64fx",
        "apple-a7",
        "apple-m1",
        "apple-m4",
        "cyclone",
        "falkor",
        "kryo",
        "oryon-1",
        "thunderx2t99",
        "thunderx3t110",
    ],
};
const RISCV64: Architecture = Architecture {
    name: "riscv64",
    forms: &["ADD", "MUL", "FADD_D"],
    least: 25,
    among: &["generic-ooo", "rocket-rv64"],
};

#[test]
fn all_of_x86_64() {
    must_all_run(&X86_64);
}

#[test]
fn all_of_aarch64() {
    must_all_run(&AARCH64);
}

#[test]
fn all_of_riscv64() {
    must_all_run(&RISCV64);
}

fn must_all_run(architecture: &Architecture) {
    let triple = triple_of(architecture.name);
    let features = possible_features(architecture.name, None).to_owned();
    let mut target = Target::open(TargetChoice { triple, cpu: String::new(), features }).unwrap();
    let cpus = modelled_cpus(&triple_of(architecture.name)).unwrap();
    assert!(cpus.len() >= architecture.least, "{cpus:?}");
    let all = surveyed(&target, architecture.forms);
    let first = surveyed(&target, &architecture.forms[..1]);
    let mut met = HashSet::new();
    let listed = cpus.iter().map(|cpu| (cpu.name.as_str(), met.insert(cpu.model)));
    // LLVM takes more names than it lists, so these are asked for whether or not they are there.
    let named = architecture.among.iter().map(|&name| (name, true));
    let wrong: Vec<String> = listed
        .filter(|(name, _)| !architecture.among.contains(name))
        .chain(named)
        .flat_map(|(name, goes_all_the_way)| {
            if goes_all_the_way {
                problems(architecture, name, &mut target, &all)
            } else {
                Vec::from_iter(first_form_problem(architecture, name, &mut target, &first))
            }
        })
        .collect();
    assert!(wrong.is_empty(), "\n{}\n", wrong.join("\n"));
}

fn simulator(architecture: &Architecture, cpu: &str) -> Simulator {
    let features = possible_features(architecture.name, Some(cpu)).to_owned();
    let choice = TargetChoice { triple: triple_of(architecture.name), cpu: cpu.into(), features };
    Simulator::new(&choice, extensions(architecture.name)).unwrap()
}

/// What is wrong with a CPU whose model another name has gone through: whether there is a unit of
/// time, and whether the first form has a throughput.
fn first_form_problem(
    architecture: &Architecture,
    cpu: &str,
    target: &mut Target,
    surveyed: &[InstructionForm],
) -> Option<String> {
    let asked = &architecture.forms[..1];
    let questions = [&throughput::QUESTION];
    match measure(architecture, simulator(architecture, cpu), target, surveyed, asked, &questions) {
        Ok(measured) if measured.has_throughputs => None,
        Ok(_) => Some(format!("{cpu}: {} has no throughput", asked[0])),
        Err(reason) => Some(format!("{cpu}: {reason}")),
    }
}

/// What is wrong with a CPU's model as a device, a line each.
fn problems(
    architecture: &Architecture,
    cpu: &str,
    target: &mut Target,
    surveyed: &[InstructionForm],
) -> Vec<String> {
    let questions = [&throughput::QUESTION, &winic::study::latency::QUESTION];
    let device = simulator(architecture, cpu);
    let Measured { machine, edges, has_throughputs } =
        match measure(architecture, device, target, surveyed, architecture.forms, &questions) {
            Ok(measured) => measured,
            Err(reason) => return vec![format!("{cpu}: {reason}")],
        };
    let mut tables = simulator(architecture, cpu);
    let mut out = Vec::new();
    if !has_throughputs {
        out.push(format!("{cpu}: a form has no throughput"));
    }
    for (number, name) in architecture.forms.iter().enumerate() {
        let opcode = target.set.by_name(name).unwrap();
        let Some(form) = machine.catalogue.form(opcode) else {
            let fault = matches!(machine.knowledge.probe(opcode), Some(Finding::Faulted(_)));
            if number == 0 || !fault {
                out.push(format!("{cpu}: {name} does not run"));
            }
            continue;
        };
        let row = tables.model(&[], &target.set.encodable(&form.sample)).unwrap();
        let own = edges.iter().filter(|edge| edge.edge.opcode == opcode);
        let mut compared = 0;
        for edge in own {
            let Some(expected) = latency(&tables, &row, edge) else { continue };
            compared += 1;
            let agrees = edge.value.as_ref().is_ok_and(|value| {
                let published = value.headline_interval();
                // What takes no longer than instances do has no latency but a bound of one, which only
                // helpers would narrow (Atom's multiplier; ThunderX forwards additions at once).
                if value.dependence.is_doubtful() {
                    return expected <= published.upper().0 + ROUNDING;
                }
                [published.lower(), published.upper()] == [Cycles(expected); 2]
            });
            if !agrees {
                let value = edge.value.as_ref().map(|value| value.interval);
                out.push(format!("{cpu}: {name} {:?}: {value:?}, not {expected}", edge.edge));
            }
        }
        if compared == 0 {
            out.push(format!("{cpu}: {name} has no latency"));
        }
    }
    out
}

/// What the tables say of an edge from an operand to an operand.
fn latency(tables: &Simulator, row: &ModelRow, edge: &EdgeConclusion) -> Option<f64> {
    let (Site::Operand(source), Site::Operand(result)) = (edge.edge.source, edge.edge.target)
    else {
        return None;
    };
    let write = row.writes.iter().find(|write| write.place == RegisterPlace::Operand(result))?;
    let read = row.reads.iter().find(|read| read.place == RegisterPlace::Operand(source))?;
    Some(f64::from(tables.latency(write, read)))
}

/// The forms themselves, and what shows how fast the front end is: chained into themselves they need
/// no helpers, hundreds of which a run would have to find out about first.
fn surveyed(target: &Target, asked: &[&str]) -> Vec<InstructionForm> {
    let aliases = HashSet::new();
    let named = [asked, target.isa.simplest_forms()].concat();
    target.forms(&aliases).filter(|form| named.contains(&form.name.as_str())).cloned().collect()
}

/// What a model says of the forms that its CPU has.
struct Measured {
    machine: Machine,
    edges: Vec<EdgeConclusion>,
    /// Whether there are such forms, and each of them has a throughput.
    has_throughputs: bool,
}

/// The values of the forms that were asked for, on a model.
fn measure(
    architecture: &Architecture,
    simulator: Simulator,
    target: &mut Target,
    surveyed: &[InstructionForm],
    asked: &[&str],
    questions: &[&Question],
) -> Result<Measured, String> {
    let asked: Vec<_> = asked.iter().map(|name| target.set.by_name(name).unwrap()).collect();
    let mut device = SimulatorDevice::new(simulator, architecture.name);
    let (linker, mut journal) = (Linker::find().unwrap(), Journal::nowhere());
    let (stop, mut view) = (AtomicBool::new(false), Unseen);
    let mut run = Run::new(target, &mut device, &linker, &mut journal, &stop, &mut view);
    let mut machine = run.survey(surveyed.to_vec(), None).map_err(|error| error.to_string())?;
    let catalogue = machine.catalogue.clone();
    let subjects: Vec<_> =
        asked.into_iter().filter(|&opcode| catalogue.form(opcode).is_some()).collect();
    let studies: Vec<_> = questions
        .iter()
        .map(|question| (question.ask)(&catalogue, &subjects, Grid::USUAL))
        .collect();
    run.measure(&mut machine, &studies).map_err(|error| error.to_string())?;
    let found = LatencyStudy::new(&catalogue, &subjects).conclusions(&machine.knowledge);
    let times = ThroughputStudy::new(&catalogue, &subjects).conclusions(&machine.knowledge);
    let has_throughputs = !times.is_empty() && times.iter().all(|time| time.value.is_ok());
    Ok(Measured { machine, edges: found.edges, has_throughputs })
}
