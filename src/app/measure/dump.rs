//! Kernels of forms that were asked for by name, as files (in `asm/` unless another directory is
//! named) that a person can read, edit and run again in manual mode.

use std::path::{Path, PathBuf};

use super::Conclusions;
use crate::app::failure::unwritable;
use crate::app::{Failure, records};
use crate::artifact::Purpose;
use crate::experiment::Experiment;
use crate::files::shown;
use crate::form::{Catalogue, Site};
use crate::kernel::{Audience, render};
use crate::metadata::OpcodeId;
use crate::pipeline::{Machine, Target};
use crate::study::latency::{Latency, Route};

/// Writes one file for each body or chain that a value came from.
pub(super) fn write(
    directory: &Path,
    machine: &Machine,
    subjects: &[OpcodeId],
    conclusions: &[Conclusions],
    target: &mut Target,
) -> Result<(), Failure> {
    let of_mode = |mode| experiments(machine, subjects, mode);
    for (name, experiment) in conclusions.iter().flat_map(of_mode) {
        // Assemblers take what follows an @ for a version of the symbol.
        let name = name.replace('@', "_");
        one(directory, &name, &experiment, &machine.catalogue, target)?;
    }
    Ok(())
}

/// Writes the kernel of one experiment to a file of its own; nothing where none can be built.
pub(super) fn one(
    directory: &Path,
    name: &str,
    experiment: &Experiment,
    catalogue: &Catalogue,
    target: &mut Target,
) -> Result<Option<PathBuf>, Failure> {
    let path = directory.join(format!("{name}.s"));
    let Some(text) = text(&path, name, experiment, catalogue, target) else { return Ok(None) };
    save(path, &text).map(Some)
}

fn experiments(
    machine: &Machine,
    subjects: &[OpcodeId],
    conclusions: &Conclusions,
) -> Vec<(String, Experiment)> {
    let Machine { catalogue, knowledge, .. } = machine;
    match conclusions {
        Conclusions::Throughput(forms) => forms
            .iter()
            .filter_map(|form| {
                let name = &catalogue.form(form.opcode)?.name;
                let body = form.value.as_ref().ok()?.body.clone();
                Some((format!("{name}_TP"), Experiment::Throughput(body)))
            })
            .collect(),
        Conclusions::Latency(..) => {
            let study = Latency::new(catalogue, subjects);
            let planner = study.planner(knowledge);
            planner
                .plans()
                .iter()
                .filter_map(|plan| {
                    let form = catalogue.form(plan.edge.opcode)?;
                    let Route::Walks(walks) = &plan.route else { return None };
                    let chain = planner.fastest_chain(walks)?;
                    let site = |site| match site {
                        Site::Operand(index) => index.to_string(),
                        Site::Implicit(register) => catalogue.set.register(register).name.clone(),
                    };
                    let name = format!(
                        "{}_LAT_{}_{}",
                        form.name,
                        site(plan.edge.source),
                        site(plan.edge.target)
                    );
                    Some((name, Experiment::Latency(chain)))
                })
                .collect()
        }
    }
}

fn text(
    path: &Path,
    name: &str,
    experiment: &Experiment,
    catalogue: &Catalogue,
    target: &mut Target,
) -> Option<String> {
    let kernel = experiment.kernel(catalogue).ok()??;
    let rendered =
        render(&kernel, name, catalogue, &mut target.llvm, Purpose::Time, Audience::Person).ok()?;
    let count = kernel.instances;
    let what = match experiment {
        Experiment::Latency(chain) => {
            format!("{count} passes of {}", records::way(&chain.links, catalogue))
        }
        _ => format!("{count} instances"),
    };
    Some(format!(
        "# {what}. After editing:\n#   winic MAN -p {} --funcName {} -n {count}\n\n{}\n{}",
        shown(path),
        rendered.single,
        catalogue.isa.template(),
        rendered.text
    ))
}

fn save(path: PathBuf, text: &str) -> Result<PathBuf, Failure> {
    path.parent()
        .map_or(Ok(()), std::fs::create_dir_all)
        .and_then(|()| std::fs::write(&path, text))
        .map_err(|error| unwritable(&path, &error))?;
    Ok(path)
}
