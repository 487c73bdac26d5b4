//! `winic report`: how the figures of databases came about, from the files alone.

mod pages;
mod proofs;

use std::path::Path;
use std::process::ExitCode;

use globset::GlobMatcher;

use super::names::{matcher, suggestion};
use super::{Failure, near};
use crate::cli::Report;
use crate::database::Database;
use crate::files::shown;
use crate::report::{findings, published};

/// Prints the report of a database, or what it says of some forms; or writes a site.
pub fn run(options: &Report) -> Result<ExitCode, Failure> {
    match (&options.output, &options.databases[..]) {
        (Some(folder), databases) => pages::write(databases, &options.evidence, folder),
        (None, [database]) => print(database, options),
        (None, _) => Err(Failure::new(
            "several databases make a site: name its directory with -o, or one database alone",
        )),
    }
}

fn print(path: &Path, options: &Report) -> Result<ExitCode, Failure> {
    let database = with_anything(path)?;
    let file = shown(path);
    let text = if options.published {
        let cpu = database.origin().and_then(|origin| origin.source_cpu).unwrap_or_default();
        match published::of_published(&database.sweeps(), &cpu) {
            none if none.is_empty() => {
                return Err(Failure::new(format!("{file} has no sweep that a document has, too")));
            }
            tables => tables,
        }
    } else if options.instructions.is_empty() {
        findings::of(&database)
    } else {
        let patterns = options.instructions.iter().map(|text| pattern(text, &database, &file));
        let patterns: Vec<GlobMatcher> = patterns.collect::<Result<_, _>>()?;
        findings::of_forms(&database, |name| patterns.iter().any(|pattern| pattern.is_match(name)))
    };
    // (The text has its own end of line.)
    super::stdout::write(format_args!("{text}"));
    Ok(ExitCode::SUCCESS)
}

/// Reads a database that says something.
pub(super) fn with_anything(path: &Path) -> Result<Database, Failure> {
    let database = Database::read(path)?;
    let file = shown(path);
    let describes_core = database.core().is_some() || database.forwarding().is_some();
    if database.is_empty() && !describes_core && database.sweeps().is_empty() {
        return Err(Failure::new(format!(
            "{file} holds nothing that was measured: name another file, or measure with `-o {file}`"
        )));
    }
    Ok(database)
}

/// A name or pattern that stands for something in the database.
pub(super) fn pattern(text: &str, database: &Database, file: &str) -> Result<GlobMatcher, Failure> {
    let pattern = matcher(text, false)?;
    let swept = database.sweeps().into_iter().flat_map(|sweep| sweep.forms);
    let names = database.entries().map(|entry| entry.subject.llvm_name).chain(swept);
    let names: Vec<String> = names.collect();
    if names.iter().any(|name| pattern.is_match(name)) {
        return Ok(pattern);
    }
    let text = near::excerpt(text);
    let near = near::names(&text, names.iter().map(String::as_str));
    let near = suggestion(&near);
    Err(Failure::new(format!(
        "{file} has no instruction '{text}';{near} `winic report {file}` names all that it has"
    )))
}
