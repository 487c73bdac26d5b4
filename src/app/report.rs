//! `winic report`: how the figures of a database came about, from the file alone.

use std::process::ExitCode;

use globset::GlobMatcher;

use super::names::{matcher, suggestion};
use super::{Failure, near};
use crate::cli::Report;
use crate::database::Database;
use crate::files::shown;
use crate::report::findings;

/// Prints the report of a database, or what it says of some forms.
pub fn run(options: &Report) -> Result<ExitCode, Failure> {
    let database = Database::read(&options.database)?;
    let file = shown(&options.database);
    let describes_core = database.core().is_some() || database.forwarding().is_some();
    if database.is_empty() && !describes_core && database.sweeps().is_empty() {
        return Err(Failure::new(format!(
            "{file} holds nothing that was measured: name another file, or measure with `-o {file}`"
        )));
    }
    let text = if options.instructions.is_empty() {
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

/// A name or pattern that stands for something in the database.
fn pattern(text: &str, database: &Database, file: &str) -> Result<GlobMatcher, Failure> {
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
