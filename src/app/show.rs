//! `winic show`: what a database says of some forms, on the terminal.

use std::path::Path;
use std::process::ExitCode;

use globset::GlobMatcher;

use super::Failure;
use super::report::{pattern, with_anything};
use crate::cli::Show;
use crate::files::shown;
use crate::report::site::form_text;

/// Prints the forms, in the order of the database.
pub fn run(options: &Show) -> Result<ExitCode, Failure> {
    let (forms, file) = options.split();
    let path = Path::new(file);
    if !path.exists() {
        return Err(Failure::new(format!(
            "there is no database {}: name one behind the forms, as in `winic show {} cpu.yaml`",
            shown(path),
            forms.join(" ")
        )));
    }
    let database = with_anything(path)?;
    let patterns: Vec<GlobMatcher> =
        forms.iter().map(|text| pattern(text, &database, file)).collect::<Result<_, _>>()?;
    let mut separator = "";
    for entry in database.entries() {
        if patterns.iter().any(|pattern| pattern.is_match(&entry.subject.llvm_name)) {
            let text = form_text(&database, &entry, None);
            super::stdout::write(format_args!("{separator}{text}"));
            separator = "\n";
        }
    }
    Ok(ExitCode::SUCCESS)
}
