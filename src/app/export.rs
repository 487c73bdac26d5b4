//! `winic export`: a database for other programs.

mod exegesis;
mod llvm;
mod osaca;
mod target;

pub(super) use target::open;

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use super::failure::unwritable;
use super::{Failure, stdout};
use crate::cli::{Export, ExportFormat};
use crate::database::Database;
use crate::exchange::{flat, xml};
use crate::files::{self, Sink, shown};

/// Writes what was asked for.
pub fn run(options: &Export) -> Result<ExitCode, Failure> {
    let is_named = matches!(options.format, ExportFormat::Osaca | ExportFormat::Llvm);
    if options.name.is_some() && !is_named {
        return Err(Failure::new("--as names a model for OSACA or LLVM: leave it out"));
    }
    match options.format {
        ExportFormat::Osaca => osaca::write(options),
        ExportFormat::Llvm => llvm::write(options),
        ExportFormat::Exegesis => exegesis::write(options),
        ExportFormat::Csv | ExportFormat::Json | ExportFormat::Xml => {
            in_one_text(options, |database| table(options.format, database))
        }
    }
}

/// A table.
fn table(format: ExportFormat, database: &Database) -> Result<String, Failure> {
    let failed = |error: &dyn std::fmt::Display| Failure::new(format!("cannot write: {error}"));
    match format {
        ExportFormat::Json => flat::json(database).map_err(|it| failed(&it)),
        ExportFormat::Xml => xml::write(database).map_err(|it| failed(&it)),
        _ => flat::csv(database).map_err(|it| failed(&it)),
    }
}

/// Writes what is made of a database into the file that was asked for, or to standard output.
fn in_one_text(
    options: &Export,
    make: impl FnOnce(&Database) -> Result<String, Failure>,
) -> Result<ExitCode, Failure> {
    let place = options.output.as_deref();
    if let Some(place) = place.filter(|place| files::are_same(place, &options.database)) {
        return Err(Failure::new(format!(
            "-o {} would write over the database itself: name another file",
            shown(place)
        )));
    }
    let sink = place
        .map(|place| Sink::open(place).map_err(|error| unwritable(place, &error)))
        .transpose()?;
    let database = with_instructions(&options.database)?;
    let text = make(&database)?;
    match (place, sink) {
        (Some(place), Some(sink)) => {
            sink.write(text.as_bytes()).map_err(|error| unwritable(place, &error))?;
        }
        _ => stdout::write(format_args!("{text}")),
    }
    Ok(ExitCode::SUCCESS)
}

/// Reads a database with instructions in it.
fn with_instructions(path: &Path) -> Result<Database, Failure> {
    let database = Database::read(path)?;
    if database.is_empty() {
        return Err(Failure::new(format!(
            "{} holds no instruction: measure with `winic ALL -o {0}`, or name another file",
            shown(path)
        )));
    }
    Ok(database)
}

/// The directory that several files go to.
fn folder<'a>(options: &'a Export, what: &str) -> Result<&'a Path, Failure> {
    let missing = || Failure::new(format!("{what}: name their directory with -o"));
    options.output.as_deref().ok_or_else(missing)
}

/// Writes a file whole, in a directory that is made if it is not there.
fn put(path: &Path, text: &str) -> Result<(), Failure> {
    let made = path.parent().map_or(Ok(()), fs::create_dir_all);
    made.and_then(|()| files::replace(path, text.as_bytes())).map_err(|it| unwritable(path, &it))
}
