//! `--stop-after`: what a run would do, written down instead of done.

use std::path::{Path, PathBuf};

use super::{AskedForms, Questions, dump, studies};
use crate::app::Failure;
use crate::assemble::Linker;
use crate::catalogue::Catalogue;
use crate::cli::Stage;
use crate::experiment::Experiment;
use crate::kernel::{MixedPart, Relay, SharedLoop, TeamBody, TransitionBody, WindowBody};
use crate::laboratory::build_artifacts;
use crate::pipeline::{Machine, Target};
use crate::study::{Grid, next_round, way};

/// Where shared objects go; kernels go where those of forms named with `-i` do.
const ARTIFACTS: &str = "artifacts";

/// Prints the forms, or the first round's experiments, or writes down what answers them: kernels
/// into a directory of their own.
pub(super) fn stop(
    stage: Stage,
    (questions, grid): (&Questions, &Grid),
    selection: &AskedForms,
    machine: &Machine,
    target: &mut Target,
    kernels: &Path,
) -> Result<(), Failure> {
    let catalogue = &machine.catalogue;
    let subjects = selection.subjects(machine);
    if stage == Stage::Forms {
        for (name, reason) in selection.without_form(machine) {
            line(&format!("{name} [{reason}]"));
        }
        for form in subjects.iter().filter_map(|&opcode| catalogue.form(opcode)) {
            line(&format!("{}\t{}", form.name, form.mnemonic));
        }
        return Ok(());
    }
    let experiments =
        next_round(&studies(questions, catalogue, &subjects, grid), &machine.knowledge);
    match stage {
        Stage::Forms => {}
        Stage::Plan => {
            experiments.iter().for_each(|experiment| line(&described(experiment, catalogue)));
        }
        Stage::Kernels => {
            for (number, experiment) in experiments.iter().enumerate() {
                let name = format!("k{number}");
                let Some(file) = dump::one(kernels, &name, experiment, catalogue, target)? else {
                    continue;
                };
                line(&format!("{}\t{}", file.display(), described(experiment, catalogue)));
            }
        }
        Stage::Artifacts => artifacts(&experiments, machine, target)?,
    }
    Ok(())
}

fn artifacts(
    experiments: &[Experiment],
    machine: &Machine,
    target: &mut Target,
) -> Result<(), Failure> {
    let linker = Linker::find()?;
    std::fs::create_dir_all(ARTIFACTS).map_err(|error| unwritable(Path::new(ARTIFACTS), &error))?;
    let (catalogue, reference) = (&machine.catalogue, &machine.timebase.reference);
    let built = build_artifacts(experiments, catalogue, &mut target.llvm, &linker, reference);
    for (number, batch) in built.enumerate() {
        let (artifact, experiments) = batch?;
        let path = PathBuf::from(ARTIFACTS).join(format!("{number:04}.so"));
        std::fs::write(&path, &artifact.image).map_err(|error| unwritable(&path, &error))?;
        for kernel in &artifact.kernels {
            let what = experiments.get(&kernel.id).map(|asked| described(asked, catalogue));
            line(&format!("{}\t{}\t{}", path.display(), kernel.single, what.unwrap_or_default()));
        }
    }
    Ok(())
}

fn unwritable(path: &Path, error: &std::io::Error) -> Failure {
    Failure::new(format!("cannot write {}: {error}", path.display()))
}

fn line(text: &str) {
    println!("{text}");
}

/// An experiment in a line.
fn described(experiment: &Experiment, catalogue: &Catalogue) -> String {
    let name = |opcode| catalogue.form(opcode).map_or("", |form| &form.name).to_owned();
    match experiment {
        Experiment::Throughput(body) => {
            let breakers: Vec<String> =
                body.breaking.iter().map(|breaking| name(breaking.breaker)).collect();
            let broken = if breakers.is_empty() {
                String::new()
            } else {
                format!(", {} after every {}", breakers.join(" "), body.interval)
            };
            format!("throughput\t{}\t{} instances{broken}", name(body.subject), body.instances)
        }
        Experiment::Latency(chain) => {
            let walk = way(&chain.links, catalogue);
            format!(
                "latency\t{walk}\t{:?} registers, {} fillers a link",
                chain.style, chain.fillers
            )
        }
        Experiment::Relay(relay) => {
            let Relay { before, over, behind, links } = relay;
            let links_of = [before, over, behind].map(Clone::clone);
            let walk = way(&links_of, catalogue);
            format!("relay\t{walk}\t{links} links before and behind")
        }
        Experiment::StoreLoad(pair) => {
            let (store, load) = (name(pair.store), name(pair.load));
            format!("store forwarding\t{store} {load}\t{} bytes behind", pair.offset)
        }
        Experiment::Transition(body) => {
            let TransitionBody { subject, count, .. } = body;
            format!("transition\t{}\t{count} instances in the state", name(*subject))
        }
        Experiment::Team(TeamBody { cores, body }) => {
            format!(
                "threads\t{}\t{} instances on {cores} cores",
                name(body.subject),
                body.instances
            )
        }
        Experiment::Walk(walk) => {
            let forms = [walk.load, walk.store].into_iter().flatten().map(name);
            let forms = forms.collect::<Vec<_>>().join(" ");
            format!("bandwidth\t{forms}\t{} bytes on {} cores", walk.bytes, walk.cores)
        }
        Experiment::Round(SharedLoop { forms, rounds, apart }) => {
            let forms: Vec<String> = forms.iter().map(|&opcode| name(opcode)).collect();
            let results = if *apart { ", results apart" } else { "" };
            format!("sequence\t{}\t{rounds} rounds{results}", forms.join(" "))
        }
        Experiment::Mixed(body) => {
            let part = |part: &MixedPart| format!("{} {}", part.count, name(part.opcode));
            let parts: Vec<String> = body.parts.iter().map(part).collect();
            format!("mixture\t{}\t{} rounds", parts.join(" + "), body.rounds)
        }
        Experiment::Window(WindowBody { link, links, fillers, .. }) => {
            format!("window\t{}\t{links} links, {fillers} fillers", name(*link))
        }
        Experiment::Chase(chase) => {
            let without = if chase.loads { "" } else { ", without loads" };
            format!("load latency\t{}\t{} bytes{without}", name(chase.load), chase.bytes())
        }
        Experiment::Probe(_)
        | Experiment::Reference { .. }
        | Experiment::DispatchFloor { .. }
        | Experiment::LongFillers { .. }
        | Experiment::Passage { .. } => {
            format!("{experiment:?}")
        }
    }
}
