//! Kernels of figures, from evidence: what a page shows of how a figure came about.

use std::path::PathBuf;

use crate::app::reopened::Reopened;
use crate::app::{Failure, start_planners};
use crate::artifact::Purpose;
use crate::database::Origin;
use crate::evidence;
use crate::experiment::Experiment;
use crate::infer::{Knowledge, Timing};
use crate::kernel::{Audience, render};
use crate::report::site::{Proof, Proofs};
use crate::study::{FormFigure, site};

/// The proofs of some machine.
pub(super) struct MachineProofs {
    /// Whose figures they are of.
    pub origin: Origin,
    /// Those of each form.
    pub proofs: Proofs,
}

/// What a file of evidence proves.
///
/// # Errors
/// When it cannot be read, or is of another winic or LLVM.
pub(super) fn of(file: &PathBuf) -> Result<MachineProofs, Failure> {
    let read = evidence::read(std::slice::from_ref(file));
    let opened = Reopened::of(read.map_err(|error| Failure::new(error.to_string()))?)?;
    start_planners()?;
    let studies = opened.studies();
    let sources: Vec<(FormFigure, Experiment)> =
        studies.iter().flat_map(|study| study.sources(&opened.knowledge)).collect();
    drop(studies);
    let Reopened { account, knowledge, mut target, catalogue, .. } = opened;
    let mut proofs = Proofs::new();
    for (figure, experiment) in sources {
        let (opcode, edge) = match figure {
            FormFigure::Throughput(opcode) => (opcode, None),
            FormFigure::Latency(edge) => (edge.opcode, Some([edge.source, edge.target])),
        };
        let Some(form) = catalogue.form(opcode) else { continue };
        let Ok(Some(kernel)) = experiment.kernel(&catalogue) else { continue };
        let (codec, purpose) = (&mut target.llvm, Purpose::Probe);
        let rendered = render(&kernel, "kernel", &catalogue, codec, purpose, Audience::Reader);
        let (Ok(rendered), Some(finding)) = (rendered, finding(&experiment, &knowledge)) else {
            continue;
        };
        proofs.entry(form.name.clone()).or_default().push(Proof {
            edge: edge.map(|ends| ends.map(|end| site(end, form, &catalogue.set))),
            finding,
            assembly: rendered.text.replace("        ", "    "),
        });
    }
    Ok(MachineProofs { origin: account.origin, proofs })
}

/// What was timed, in words.
fn finding(experiment: &Experiment, knowledge: &Knowledge) -> Option<String> {
    let timing = knowledge.timing(experiment)?;
    let Timing { sample, instances, .. } = timing;
    let (each, uncertainty) = (timing.each().0, timing.uncertainty().0);
    let what = if experiment.is_chain() { "passes" } else { "instances" };
    let (used, total) = (sample.windows_used, sample.windows_total);
    let clock = sample.frequency.map(|it| format!(" at {:.2} GHz", it.gigahertz()));
    Some(format!(
        "{each:.4} ± {uncertainty:.4} cycles for each of {instances} {what}, by {used} of {total} windows{}",
        clock.unwrap_or_default()
    ))
}
