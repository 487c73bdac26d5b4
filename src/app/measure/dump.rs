//! Kernels of forms that were asked for by name, as files in `asm/` that a person can read,
//! edit and run again in manual mode.

use std::path::{Path, PathBuf};

use super::Conclusions;
use crate::app::{Failure, records};
use crate::artifact::Purpose;
use crate::experiment::Experiment;
use crate::form::Site;
use crate::infer::Knowledge;
use crate::kernel::{Audience, render};
use crate::pipeline::Target;
use crate::plan::{Planner, Route};

const DIRECTORY: &str = "asm";

/// Writes one file for each body or chain that a value came from.
pub(super) fn write(
    planner: &Planner<'_>,
    knowledge: &Knowledge,
    conclusions: &[Conclusions],
    target: &mut Target,
) -> Result<(), Failure> {
    let of_mode = |mode| experiments(planner, knowledge, mode);
    for (name, experiment) in conclusions.iter().flat_map(of_mode) {
        // Assemblers take what follows an @ for a version of the symbol.
        let name = name.replace('@', "_");
        if let Some(text) = text(&name, &experiment, planner, target) {
            save(&name, &text)?;
        }
    }
    Ok(())
}

/// Writes the kernel of one experiment to a file of its own; nothing where none can be built.
pub(super) fn one(
    name: &str,
    experiment: &Experiment,
    planner: &Planner<'_>,
    target: &mut Target,
) -> Result<Option<PathBuf>, Failure> {
    let Some(text) = text(name, experiment, planner, target) else { return Ok(None) };
    save(name, &text).map(Some)
}

fn experiments(
    planner: &Planner<'_>,
    knowledge: &Knowledge,
    conclusions: &Conclusions,
) -> Vec<(String, Experiment)> {
    let catalogue = planner.catalogue;
    match conclusions {
        Conclusions::Throughput(forms) => forms
            .iter()
            .filter_map(|form| {
                let name = &catalogue.form(form.opcode)?.name;
                let body = form.value.as_ref().ok()?.body.clone();
                Some((format!("{name}_TP"), Experiment::Throughput(body)))
            })
            .collect(),
        Conclusions::Latency(..) => planner
            .plans(knowledge)
            .iter()
            .filter_map(|plan| {
                let form = catalogue.form(plan.edge.opcode)?;
                let Route::Walks(walks) = &plan.route else { return None };
                let chain = planner.fastest_chain(walks, knowledge)?;
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
            .collect(),
    }
}

fn text(
    name: &str,
    experiment: &Experiment,
    planner: &Planner<'_>,
    target: &mut Target,
) -> Option<String> {
    let catalogue = planner.catalogue;
    let kernel = experiment.kernel(catalogue).ok()??;
    let rendered =
        render(&kernel, name, catalogue, &mut target.llvm, Purpose::Time, Audience::Person).ok()?;
    let count = kernel.instances;
    let what = match experiment {
        Experiment::Latency(chain) => {
            format!("{count} passes of {}", records::walk_name(&chain.links, catalogue))
        }
        _ => format!("{count} instances"),
    };
    Some(format!(
        "# {what}. After editing:\n#   winic MAN -p {DIRECTORY}/{name}.s --funcName {} -n {count}\n\n{}\n{}",
        rendered.single,
        catalogue.isa.template(),
        rendered.text
    ))
}

fn save(name: &str, text: &str) -> Result<PathBuf, Failure> {
    let path = Path::new(DIRECTORY).join(format!("{name}.s"));
    std::fs::create_dir_all(DIRECTORY)
        .and_then(|()| std::fs::write(&path, text))
        .map_err(|error| Failure::new(format!("cannot write {}: {error}", path.display())))?;
    Ok(path)
}
