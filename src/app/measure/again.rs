//! Concluding again from what runs found, without any machine.

use std::process::ExitCode;
use std::time::Instant;

use super::found::Found;
use super::output::Output;
use super::{answers, summary};
use crate::app::reopened::{self, Reopened};
use crate::app::{Failure, start_planners};
use crate::cli::Conclude;
use crate::evidence;

/// Writes the database that follows from evidence.
pub fn run(options: &Conclude) -> Result<ExitCode, Failure> {
    let started = Instant::now();
    let read =
        evidence::read(&options.evidence).map_err(|error| Failure::new(error.to_string()))?;
    let output = Output::of_files(options, &reopened::questions(&read.account)?)?;
    output.admit(&read.account.origin)?;
    start_planners()?;
    let opened = Reopened::of(read)?;
    let studies = opened.studies();
    opened.ask_again(&studies);
    let answers = answers(&studies, &opened.knowledge);
    let Reopened { account, knowledge, questions, catalogue, forms, .. } = &opened;
    let found = Found::new(account, questions, answers, forms, (catalogue, knowledge));
    let files = output.write(&found)?;
    summary::print(&found, None, started.elapsed(), &files);
    Ok(ExitCode::SUCCESS)
}
