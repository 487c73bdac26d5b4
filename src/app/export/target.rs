//! LLVM's view of the machine that a database is about.

use std::collections::{BTreeMap, HashSet};
use std::path::Path;

use crate::app::Failure;
use crate::catalogue::Canonical;
use crate::database::Database;
use crate::files::shown;
use crate::form::InstructionForm;
use crate::isa::{architectures, possible_features};
use crate::llvm::{self, TargetChoice};
use crate::pipeline::Target;

/// The architecture that a database says it is of.
pub(super) fn isa(database: &Database, path: &Path) -> Result<String, Failure> {
    let file = shown(path);
    let known: Vec<&str> = architectures().collect();
    let isa = database.header().isa.filter(|isa| !isa.is_empty()).ok_or_else(|| {
        let known = known.join(", ");
        Failure::new(format!(
            "{file} does not say of which ISA it is: add a line `isa: ...` ({known})"
        ))
    })?;
    if known.contains(&isa.as_str()) {
        return Ok(isa);
    }
    Err(Failure::new(format!("{file} is of {isa}, and this export knows {}", known.join(", "))))
}

/// The target; of a CPU that LLVM does not know, that of the architecture.
pub(in crate::app) fn open(isa: &str, cpu: &str) -> Result<Target, Failure> {
    let cpu = Some(cpu).filter(|cpu| !cpu.is_empty() && llvm::knows_cpu(isa, cpu));
    let choice = TargetChoice {
        triple: llvm::triple_of(isa),
        cpu: cpu.unwrap_or_default().to_owned(),
        features: possible_features(isa, cpu).to_owned(),
    };
    Ok(Target::open(choice)?)
}

/// The forms that a database has, by LLVM's names.
pub(super) fn forms(database: &Database, target: &Target) -> BTreeMap<String, InstructionForm> {
    let names: HashSet<String> = database.entries().map(|entry| entry.subject.llvm_name).collect();
    target
        .listings
        .iter()
        .filter_map(|listing| match &listing.canonical {
            Canonical::Form(form) | Canonical::Alias(form) => Some(form),
            Canonical::Excluded(_) => None,
        })
        .filter(|form| names.contains(&form.name))
        .map(|form| (form.name.clone(), (**form).clone()))
        .collect()
}
