//! What a person sees while a run goes on: a bar with the time left on a terminal, a line per
//! stage elsewhere. All of it goes to stderr.

use std::io::IsTerminal as _;
use std::time::Instant;

use indicatif::{ProgressBar, ProgressStyle};

use super::console::is_quiet;
use crate::pipeline::Progress;

/// A view of a run's stages.
pub struct View {
    bar: Option<ProgressBar>,
    stage: String,
    experiments: usize,
    started: Instant,
    terminal: bool,
}

impl View {
    /// For whatever stderr is.
    pub fn new() -> Self {
        let terminal = std::io::stderr().is_terminal() && !is_quiet();
        Self { bar: None, stage: String::new(), experiments: 0, started: Instant::now(), terminal }
    }
}

impl Progress for View {
    fn begin(&mut self, stage: &str, experiments: usize) {
        self.stage = stage.to_owned();
        self.experiments = experiments;
        self.started = Instant::now();
        if self.terminal && experiments > 0 {
            let style = ProgressStyle::with_template(
                "{msg:12} [{bar:40}] {pos}/{len} {percent}% left {eta}",
            )
            .unwrap_or_else(|_| ProgressStyle::default_bar())
            .progress_chars("=> ");
            let bar = ProgressBar::new(experiments as u64).with_style(style);
            bar.set_message(stage.to_owned());
            self.bar = Some(bar);
        }
    }

    fn advance(&mut self, experiments: usize) {
        if let Some(bar) = &self.bar {
            bar.inc(experiments as u64);
        }
    }

    fn end(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
        if self.experiments > 0 {
            let seconds = self.started.elapsed().as_secs_f64();
            remark!("{:12} {:6} experiments in {seconds:.1} s", self.stage, self.experiments);
        }
    }
}
