//! What the findings of a run are of.

use super::kept::BUILD;
use super::{AskedForms, Questions};
use crate::database::{Measurement, Origin};
use crate::evidence::{Account, FORMAT};
use crate::metadata::OpcodeId;
use crate::pipeline::Target;
use crate::study::Grid;

/// The account of a run that has not measured yet.
pub(super) fn of(
    target: &Target,
    selection: &AskedForms,
    (questions, grid): (&Questions, &Grid),
    origin: Origin,
) -> Account {
    let choice = &target.choice;
    let name = |form: &OpcodeId| target.set.opcode(*form).name.clone();
    Account {
        format: FORMAT,
        winic: BUILD.to_owned(),
        llvm: target.set.llvm_version.clone(),
        tables: format!("{:08x}", target.set.fingerprint()),
        triple: choice.triple.clone(),
        cpu: choice.cpu.clone(),
        features: choice.features.clone(),
        origin,
        questions: questions.iter().map(|question| question.key.to_owned()).collect(),
        grid: grid.clone(),
        asked: selection.asked.iter().map(name).collect(),
        measurement: Measurement::default(),
    }
}
