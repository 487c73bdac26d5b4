//! `winic diff`: what differs between two databases, on the terminal.

use std::process::ExitCode;

use globset::GlobMatcher;

use super::Failure;
use super::compare::with_figures;
use super::report::pattern;
use crate::cli::Diff;
use crate::files::shown;
use crate::report::{compare, difference};

/// Prints the figures that differ, the largest difference first; 1 if there are any, as `diff` does.
pub fn run(options: &Diff) -> Result<ExitCode, Failure> {
    let Diff { before, after, instructions } = options;
    let (one, other) = (with_figures(before)?, with_figures(after)?);
    let patterns: Vec<GlobMatcher> = instructions
        .iter()
        .map(|text| {
            pattern(text, &one, &shown(before)).or_else(|_| pattern(text, &other, &shown(after)))
        })
        .collect::<Result<_, _>>()?;
    let is_asked = |name: &str| patterns.is_empty() || patterns.iter().any(|it| it.is_match(name));
    let mut comparison = compare::of_databases(&one, &other);
    comparison.rows.retain(|row| is_asked(&row.form));
    comparison.one_sided.retain(|row| is_asked(&row.form));
    let text = difference::text(&comparison, [&shown(before), &shown(after)], None);
    super::stdout::write(format_args!("{text}"));
    Ok(ExitCode::from(u8::from(!comparison.differences().is_empty())))
}
