//! What is said on the way, and in which colours.

use std::ffi::OsString;

use clap::{Args, ColorChoice, ValueEnum as _};

/// Options of every mode that concern the terminal.
#[derive(Debug, Clone, Copy, Args)]
#[command(next_help_heading = "Terminal")]
pub struct Console {
    /// No progress and no notes; errors, warnings and findings stay
    #[arg(short, long, global = true)]
    pub quiet: bool,
    /// When to use colours; `auto` is on a terminal, unless NO_COLOR is set
    #[arg(long, global = true, value_name = "WHEN", value_enum, default_value_t = ColorChoice::Auto)]
    pub color: ColorChoice,
    /// Print debug messages
    #[arg(short, long, global = true)]
    pub debug: bool,
}

impl Console {
    /// Makes the choice of colours hold for all that is written from now on.
    pub fn set_colors(&self) {
        colors(self.color).write_global();
    }
}

fn colors(choice: ColorChoice) -> anstream::ColorChoice {
    match choice {
        ColorChoice::Auto => anstream::ColorChoice::Auto,
        ColorChoice::Always => anstream::ColorChoice::Always,
        ColorChoice::Never => anstream::ColorChoice::Never,
    }
}

/// The choice of colours in a command line that need not make sense otherwise: help and errors
/// keep to it, too.
pub(super) fn choice(words: &[OsString]) -> ColorChoice {
    let words: Vec<&str> = words.iter().filter_map(|word| word.to_str()).collect();
    let apart = words.windows(2).filter(|pair| pair[0] == "--color").map(|pair| pair[1]);
    let joined = words.iter().filter_map(|word| word.strip_prefix("--color="));
    let named = joined.chain(apart).find_map(|name| ColorChoice::from_str(name, false).ok());
    named.unwrap_or(ColorChoice::Auto)
}
