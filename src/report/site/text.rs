//! The section of a form as text, for a terminal.

use std::fmt::Write as _;

use comfy_table::{Cell, CellAlignment, Table};

use super::again::AgainCommand;
use super::form::{DrawnFigure, FigureSource, FormOnMachine, MatrixCell, operand_lines};
use crate::database::{Database, Entry};
use crate::report::terminal::{fitted, table};

/// What a database says of a form, with tables that are drawn with lines. Columns share so many places as
/// a line has; without a width the terminal says how many, and where there is none they take what they
/// need.
#[must_use]
pub fn form_text(database: &Database, entry: &Entry, width: Option<u16>) -> String {
    let subject = &entry.subject;
    let again = AgainCommand::of(database).text(&subject.llvm_name);
    let form = FormOnMachine::new(entry, ("", ""), again);
    let mut out = format!("{} ({})\n", subject.llvm_name, subject.name.as_deref().unwrap_or("-"));
    for (number, line) in operand_lines(subject).iter().enumerate() {
        let _ = writeln!(out, "  {number}  {line}");
    }
    let _ = writeln!(out, "throughput {}", throughput(&form));
    let _ = writeln!(out, "latency {}", latency(&form));
    if let Some(ports) = &form.ports {
        let remarks = ports.remarks.iter().map(|remark| format!("; {remark}"));
        let _ = writeln!(out, "ports {}{}", ports.text, remarks.collect::<String>());
    }
    for table in [matrix(&form), variants(&form), account(&form)].into_iter().flatten() {
        let _ = writeln!(out, "{}", fitted(table, width));
    }
    let _ = writeln!(out, "measure it again: {}", form.again);
    out
}

fn throughput(form: &FormOnMachine) -> String {
    let figure = form.throughput.as_ref().map_or_else(|| "-".to_owned(), figure_text);
    let FigureSource { measured, remarks, .. } = &form.throughput_way;
    let measured = measured.as_ref().map(|measured| format!("measured {measured}"));
    let remarks = form.throughput_status.iter().cloned().chain(measured).chain(remarks.clone());
    figure + &remarks.map(|remark| format!("; {remark}")).collect::<String>()
}

fn latency(form: &FormOnMachine) -> String {
    let value = form.latency.as_deref().unwrap_or("-");
    let has_several = form.rows.len() > 1 || form.targets.len() > 1;
    let largest = if has_several && form.latency.is_some() { ", the largest of all" } else { "" };
    let status = form.latency_status.as_ref().map(|status| format!("; {status}"));
    format!("{value}{largest}{}", status.unwrap_or_default())
}

fn figure_text(figure: &DrawnFigure) -> String {
    let DrawnFigure { text, mark, .. } = figure;
    if mark.is_empty() { text.clone() } else { format!("{text} ({mark})") }
}

/// Latencies from row to column, if there are any.
fn matrix(form: &FormOnMachine) -> Option<Table> {
    if form.rows.is_empty() {
        return None;
    }
    let mut table = Table::new();
    let corner = std::iter::once("from \\ to").chain(form.targets.iter().map(String::as_str));
    table.set_header(corner);
    for row in &form.rows {
        let figure = |cell: &Option<MatrixCell>| {
            let text = cell.as_ref().map(|cell| figure_text(&cell.figure)).unwrap_or_default();
            Cell::new(text).set_alignment(CellAlignment::Right)
        };
        table.add_row(std::iter::once(Cell::new(&row.source)).chain(row.cells.iter().map(figure)));
    }
    Some(table)
}

fn variants(form: &FormOnMachine) -> Option<Table> {
    let rows = form.variants.iter().map(|variant| {
        [variant.of.as_str(), variant.circumstance.as_str(), variant.value.as_str()]
    });
    table(["of", "circumstance", "cycles"], rows)
}

fn account(form: &FormOnMachine) -> Option<Table> {
    let rows = form.rows.iter().flat_map(|row| {
        let known = row.cells.iter().zip(&form.targets);
        known.filter_map(|(cell, target)| {
            let FigureSource { measured, remarks, .. } = &cell.as_ref()?.way;
            let way = format!("{} → {target}", row.source);
            Some([way, measured.clone().unwrap_or_default(), remarks.join("; ")])
        })
    });
    table(["way", "measured", "how"], rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\
instructions:
- llvmName: A
  name: a
  operands:
  - {class: register, name: GR16, width: 16, read: true, write: true}
  latency: 3
  throughput: 1
  operandLatencies:
  - {sourceOperand: '0', targetOperand: '0', latencyMin: 1, latencyMax: 1}
  - {sourceOperand: '0', targetOperand: FLAGS, latencyMin: 1, latencyMax: 4, status: unstable}
";

    fn shown(width: Option<u16>) -> String {
        let database = Database::parse(TEXT).unwrap();
        let entry = database.entry("A").unwrap();
        form_text(&database, &entry, width)
    }

    #[test]
    fn a_form_is_a_matrix_between_its_operands_and_how_it_was_found() {
        let text = shown(None);
        assert!(text.starts_with("A (a)\n  0  GR16, 16 bits, read and written\n"), "{text}");
        assert!(text.contains("latency 3, the largest of all\n"), "{text}");
        let row = text.lines().find(|line| line.starts_with("│ 0 GR16 ")).unwrap();
        assert!(row.contains('1') && row.contains("1–4 (doubtful)"), "{row}");
        assert!(text.ends_with("measure it again: winic ALL -i A\n"), "{text}");
    }

    #[test]
    fn lines_are_no_longer_than_there_is_room() {
        let is_table = |line: &&str| line.starts_with(['│', '┌', '└', '╞']);
        let longest = shown(Some(40)).lines().filter(is_table).map(|it| it.chars().count()).max();
        assert!(longest.is_some_and(|longest| longest <= 40));
    }
}
