//! Kernels of forms that were asked for by name, as files (in `asm/` unless another directory is
//! named) that a person can read, edit and run again in manual mode.

use std::path::{Path, PathBuf};

use crate::app::Failure;
use crate::app::failure::unwritable;
use crate::artifact::Purpose;
use crate::catalogue::Catalogue;
use crate::experiment::Experiment;
use crate::files::shown;
use crate::kernel::{Audience, render};
use crate::pipeline::{Machine, Target};
use crate::study::{Study, way};

/// Writes one file for each body or chain that a value came from.
pub(super) fn write(
    directory: &Path,
    machine: &Machine,
    studies: &[Box<dyn Study + '_>],
    target: &mut Target,
) -> Result<(), Failure> {
    let kernels = studies.iter().flat_map(|study| study.kernels(&machine.knowledge));
    for (name, experiment) in kernels {
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
            format!("{count} passes of {}", way(&chain.links, catalogue))
        }
        _ => format!("{count} instances"),
    };
    let init = rendered.init.map(|init| format!(" --initName {init}")).unwrap_or_default();
    Some(format!(
        "# {what}. After editing:\n#   winic MAN -p {} --funcName {} -n {count}{init}\n\n{}\n{}",
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
