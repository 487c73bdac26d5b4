//! `winic list`: the forms that can be measured, and why the other opcodes cannot.

mod extension;
mod filter;
mod row;

use std::process::ExitCode;
use std::sync::atomic::AtomicBool;

use super::machine::{Elsewhere, device_for, target};
use super::{Failure, progress::View, watch_for_interrupt};
use crate::assemble::Linker;
use crate::catalogue::{Canonical, Listing};
use crate::cli::{Global, List};
use crate::device::Device;
use crate::form::InstructionForm;
use crate::journal::Journal;
use crate::pipeline::{Machine, Run, Target, is_measurable};
use filter::ListFilter;
use row::{COLUMNS, ListRow, Status};

/// Prints what there is: a table (LLVM name, mnemonic, status, memory access, and an instance or
/// the reason), or JSON.
pub fn run(global: &Global, options: &List) -> Result<ExitCode, Failure> {
    let interrupted = watch_for_interrupt()?;
    let elsewhere = Elsewhere::start(global)?;
    let mut target = target(global, &elsewhere)?;
    let mut filter = ListFilter::of(options, &target)?;
    let mut listings = std::mem::take(&mut target.listings);
    listings.retain(|listing| filter.keeps(listing, &mut target));
    let device = if options.no_probe { None } else { device_for(global, elsewhere, &target)? };
    let machine = match device {
        Some(mut device) => survey(&listings, &mut target, &mut *device, interrupted)?,
        None => None,
    };
    let rows = listings.iter().map(|listing| ListRow::of(listing, machine.as_ref(), &mut target));
    let rows: Vec<ListRow> = rows.filter(|row| options.all || row.status == Status::Form).collect();
    let lines = if options.json { vec![json(&rows)?] } else { table(&rows, options.numbers) };
    println!("{}", lines.join("\n"));
    Ok(if rows.is_empty() { ExitCode::from(1) } else { ExitCode::SUCCESS })
}

/// Executes what is listed, to know what this CPU has of it.
fn survey(
    listings: &[Listing],
    target: &mut Target,
    device: &mut dyn Device,
    interrupted: &AtomicBool,
) -> Result<Option<Machine>, Failure> {
    let forms = listings.iter().filter_map(|listing| match &listing.canonical {
        Canonical::Form(form) if is_measurable(form) => Some(InstructionForm::clone(form)),
        _ => None,
    });
    let forms: Vec<InstructionForm> = forms.collect();
    if forms.is_empty() {
        return Ok(None);
    }
    let linker = Linker::find()?;
    let (journal, progress) = (&mut Journal::nowhere(), &mut View::new());
    let mut run = Run::new(target, device, &linker, journal, interrupted, progress);
    Ok(Some(run.survey(forms, None)?))
}

fn table(rows: &[ListRow], numbered: bool) -> Vec<String> {
    let heading = if numbered { format!("opcode\t{COLUMNS}") } else { COLUMNS.to_owned() };
    let line = if numbered { ListRow::numbered_line } else { ListRow::line };
    std::iter::once(heading).chain(rows.iter().map(line)).collect()
}

fn json(rows: &[ListRow]) -> Result<String, Failure> {
    serde_json::to_string_pretty(rows)
        .map_err(|error| Failure::new(format!("cannot write the list as JSON: {error}")))
}
