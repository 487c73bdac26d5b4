//! `winic plot`: pictures of sweeps, from the files alone.

use std::path::Path;
use std::process::ExitCode;

use globset::GlobMatcher;

use super::Failure;
use super::failure::unwritable;
use super::names::matcher;
use crate::cli::Plot;
use crate::database::{Database, Sweep};
use crate::files::{Sink, shown};
use crate::report::picture::{self, NamedSweep};

/// Draws the sweeps that are asked for.
pub fn run(options: &Plot) -> Result<ExitCode, Failure> {
    if let Some(read) =
        options.databases.iter().find(|read| crate::files::are_same(read, &options.svg))
    {
        let path = shown(read);
        return Err(Failure::new(format!("{path} is read and written: name another file")));
    }
    let patterns = options.instructions.iter().map(|text| matcher(text, false));
    let patterns: Vec<GlobMatcher> = patterns.collect::<Result<_, _>>()?;
    let is_asked = |sweep: &Sweep| {
        let of_kind = options.kind.is_none_or(|kind| sweep.kind == kind);
        let is_named = |form: &String| patterns.iter().any(|pattern| pattern.is_match(form));
        of_kind && (patterns.is_empty() || sweep.forms.iter().any(is_named))
    };
    let mut read = Vec::new();
    for path in &options.databases {
        let sweeps = Database::read(path)?.sweeps().into_iter().filter(|sweep| is_asked(sweep));
        read.extend(sweeps.map(|sweep| (path, sweep)));
    }
    let several = options.databases.len() > 1;
    let named: Vec<NamedSweep<'_>> = read
        .iter()
        .map(|(path, sweep)| {
            let named = NamedSweep::by_forms(sweep);
            let file = path.file_stem().unwrap_or_default().to_string_lossy();
            let name = if several { format!("{file}: {}", named.name) } else { named.name };
            NamedSweep { name, ..named }
        })
        .collect();
    let text = picture::svg(&named, options.rates).map_err(|error| {
        Failure::new(format!(
            "{error}; --kind and -i choose, and `winic report` lists what there is"
        ))
    })?;
    write(&options.svg, &text)?;
    Ok(ExitCode::SUCCESS)
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    let sink = Sink::open(path).map_err(|error| unwritable(path, &error))?;
    sink.write(text.as_bytes()).map_err(|error| unwritable(path, &error))?;
    if let Some(path) = sink.path() {
        remark!("wrote {}", path.display());
    }
    Ok(())
}
