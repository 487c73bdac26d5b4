//! Lines for people on stderr: which are left out when quiet, and in which colours they stand.

use std::io::Write as _;
use std::sync::atomic::{AtomicBool, Ordering};

use anstyle::{AnsiColor, Style};

/// Set when only what is wrong is to be said.
static QUIET: AtomicBool = AtomicBool::new(false);

/// The beginnings of lines, with their colours.
const BEGINNINGS: [(&str, AnsiColor); 3] =
    [("winic:", AnsiColor::Red), ("warning:", AnsiColor::Yellow), (NOTE, AnsiColor::Cyan)];

const NOTE: &str = "note:";

/// Leaves out notes and progress from now on.
pub(super) fn be_quiet() {
    QUIET.store(true, Ordering::Relaxed);
}

/// Whether notes and progress are left out.
pub(super) fn is_quiet() -> bool {
    QUIET.load(Ordering::Relaxed)
}

/// A line on stderr, which whoever has closed that misses. A note is left out when quiet.
pub(super) fn say(line: &str) {
    if is_quiet() && line.starts_with(NOTE) {
        return;
    }
    let known =
        BEGINNINGS.iter().find_map(|&(word, color)| Some((word, color, line.strip_prefix(word)?)));
    let mut stderr = anstream::stderr();
    let _ = match known {
        Some((word, color, rest)) => {
            let style = Style::new().bold().fg_color(Some(color.into()));
            writeln!(stderr, "{style}{word}{style:#}{rest}")
        }
        None => writeln!(stderr, "{line}"),
    };
}
