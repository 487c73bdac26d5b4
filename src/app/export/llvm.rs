//! A scheduling model for LLVM.

use std::process::ExitCode;

use super::{in_one_text, target};
use crate::app::{Failure, stdout};
use crate::cli::Export;
use crate::database::Database;
use crate::export::MachinePorts;
use crate::export::llvm::{self, SchedulingModel};

/// What names of records begin with that nobody named.
const MEASURED: &str = "Measured";

/// Writes the model, and says what is in it: on standard output, unless the model is there.
pub(super) fn write(options: &Export) -> Result<ExitCode, Failure> {
    let mut account = None;
    let status = in_one_text(options, |database| {
        let model = model(options, database)?;
        account = Some(model.account);
        Ok(model.text)
    })?;
    if let Some(account) = account {
        match options.output {
            Some(_) => stdout::write(format_args!("{account}")),
            None => account.to_string().lines().for_each(|line| remark!("note: {line}")),
        }
    }
    Ok(status)
}

fn model(options: &Export, database: &Database) -> Result<SchedulingModel, Failure> {
    let isa = target::isa(database, &options.database)?;
    let cpu = database.header().micro_architecture.unwrap_or_default();
    let name = name(options, &cpu)?;
    let target = target::open(&isa, &cpu)?;
    let forms = target::forms(database, &target);
    let ports = MachinePorts::of(database);
    Ok(llvm::export(database, &forms, &ports, &target.set, &*target.isa, &name))
}

/// What records begin with: as asked for, else as LLVM calls the CPU, in one word.
fn name(options: &Export, cpu: &str) -> Result<String, Failure> {
    let Some(name) = &options.name else {
        let words = cpu.split(|letter: char| !letter.is_ascii_alphanumeric());
        return Ok(words.fold(MEASURED.to_owned(), |name, word| {
            let (first, rest) = word.split_at(word.len().min(1));
            name + &first.to_ascii_uppercase() + rest
        }));
    };
    let fits = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let begins = name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_');
    if !begins || !name.chars().all(fits) {
        return Err(Failure::new(
            "TableGen's names have a letter and then letters and digits: give one with --as, as in `--as Zen4`",
        ));
    }
    Ok(name.clone())
}
