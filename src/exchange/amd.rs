//! The spreadsheets of instruction latencies that come with AMD's optimization guides: a row for
//! each instruction with its operands, its latency in cycles and how many of it begin in a
//! cycle. Source: AMD, "Software Optimization Guide" of families 17h to 1Ah, and the sheets that come with them. Columns
//! are told by their headings, which differ from sheet to sheet. The latency of what loads is that behind its
//! load there, and none of the whole instruction.

use std::io::Cursor;

use calamine::{Data, DataRef, Reader as _, Xlsx};

use super::forms::{Masking, WrittenForm, WrittenOperand, undecorated};
use super::instlatx64::UNKNOWN_OPERAND;
use super::notation;
use super::spelled::{OperandChoices, SpelledFigure, SpelledTable, meanings, range_of};
use super::{Format, Unreadable};
use crate::database::Quantity;

/// The first bytes of a ZIP, which a spreadsheet is.
pub const MAGIC: &[u8] = &[b'P', b'K', 3, 4];
/// The largest spreadsheet that is read, in bytes: a hundred times what AMD's have.
pub const MAX_SIZE: usize = 64 << 20;
/// Columns that are looked at.
const COLUMNS: usize = 32;
/// Rows in which headings are looked for.
const HEADINGS: usize = 64;
/// What an extension with the longer encodings is called.
const LONG: &str = "AVX512";

/// Which column is what.
#[derive(Debug, Clone, Default, PartialEq)]
struct Headings {
    instruction: usize,
    /// Those of operands, the mask among them.
    operands: Vec<usize>,
    extension: Option<usize>,
    latency: usize,
    throughput: usize,
}

impl Headings {
    /// The columns of a row of headings, if it is one.
    fn of(row: &[String]) -> Option<Self> {
        let bare = |cell: &String| -> String {
            cell.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_lowercase()
        };
        let names: Vec<String> = row.iter().map(bare).collect();
        let named = |name: &str| names.iter().position(|it| it == name);
        let starting = |start: &str| names.iter().position(|it| it.starts_with(start));
        let instruction = named("instruction")?;
        let is_operand = |name: &String| {
            let number = name.strip_prefix("operand").or_else(|| name.strip_prefix("op"));
            let is_numbered = |rest: &str| rest.starts_with(|it: char| it.is_ascii_digit());
            number.is_some_and(is_numbered) || name.contains("mask")
        };
        let mut operands: Vec<usize> =
            (0..names.len()).filter(|&at| is_operand(&names[at])).collect();
        if operands.is_empty() {
            // They have no headings of their own, and stand behind the instruction.
            let behind = names.iter().enumerate().skip(instruction + 1);
            operands = behind.take_while(|(_, name)| name.is_empty()).map(|(at, _)| at).collect();
        }
        Some(Self {
            instruction,
            operands,
            extension: starting("cpuid"),
            latency: starting("latency")?,
            throughput: starting("throughput")?,
        })
    }

    /// What the instruction of a row means.
    fn meanings(&self, row: &[String]) -> Result<Vec<WrittenForm>, &'static str> {
        let cell = |at: usize| row.get(at).map_or("", |cell| cell.trim());
        let long = self.extension.map(|at| {
            let bare: String = cell(at).chars().filter(char::is_ascii_alphanumeric).collect();
            bare.to_uppercase().contains(LONG)
        });
        // Masks may be left out, those of a column of their own as well.
        let mut maskings = vec![Masking::None];
        let mut choices: Vec<OperandChoices> = Vec::new();
        for &at in self.operands.iter().filter(|&&at| !cell(at).is_empty()) {
            for mark in cell(at).split('/').filter(|mark| mark.contains('{')) {
                let (_, masking) = undecorated(mark);
                maskings.push(masking);
            }
            let (bare, _) = undecorated(cell(at));
            if !bare.is_empty() {
                choices.push(notation::operand(bare).ok_or(UNKNOWN_OPERAND)?);
            }
        }
        maskings.sort_unstable();
        maskings.dedup();
        let mut out = Vec::new();
        for mnemonic in cell(self.instruction).split('/') {
            for &masking in &maskings {
                let all = meanings(mnemonic.trim(), &choices, masking, long);
                out.extend(all.ok_or(UNKNOWN_OPERAND)?);
            }
        }
        Ok(out)
    }
}

/// Reads the sheets of a spreadsheet.
///
/// # Errors
/// When it is none, or no sheet has the headings.
pub fn read(bytes: &[u8]) -> Result<SpelledTable, Unreadable> {
    let broken = |reason: String| Unreadable::broken(Format::Spreadsheet, reason);
    if bytes.len() > MAX_SIZE {
        return Err(broken(format!("it is larger than {} MiB", MAX_SIZE >> 20)));
    }
    let mut book: Xlsx<_> =
        Xlsx::new(Cursor::new(bytes)).map_err(|error| broken(error.to_string()))?;
    let mut out = SpelledTable::default();
    let mut has_headings = false;
    for sheet in book.sheet_names() {
        has_headings |= read_sheet(&mut book, &sheet, &mut out).map_err(broken)?;
    }
    if !has_headings {
        return Err(broken(
            "no sheet has columns with the headings Instruction, Latency and Throughput".to_owned(),
        ));
    }
    if out.is_empty() { Err(Unreadable::Empty) } else { Ok(out) }
}

/// Adds what a sheet says; whether it has the headings. Cells are read as they come: a sheet may say that
/// it is larger than any memory.
fn read_sheet(
    book: &mut Xlsx<Cursor<&[u8]>>,
    sheet: &str,
    out: &mut SpelledTable,
) -> Result<bool, String> {
    let mut cells = book.worksheet_cells_reader(sheet).map_err(|error| error.to_string())?;
    let mut headings: Option<Headings> = None;
    let (mut number, mut row, mut seen) = (None, Vec::new(), 0);
    loop {
        let cell = cells.next_cell().map_err(|error| error.to_string())?;
        let at = cell.as_ref().map(|cell| cell.get_position());
        if at.map(|(row, _)| row) != number {
            match &headings {
                Some(headings) => add_row(headings, &row, out),
                None => headings = Headings::of(&row),
            }
            seen += 1;
            row = Vec::new();
            number = at.map(|(row, _)| row);
        }
        let Some((cell, (_, column))) = cell.zip(at) else { break };
        if headings.is_none() && seen > HEADINGS {
            break;
        }
        let column = column as usize;
        if column < COLUMNS {
            row.resize(row.len().max(column + 1), String::new());
            row[column] = text_of(cell.get_value());
        }
    }
    Ok(headings.is_some())
}

fn text_of(value: &DataRef<'_>) -> String {
    match value {
        DataRef::SharedString(text) => (*text).to_owned(),
        DataRef::DateTime(_) => String::new(),
        other => Data::from(other.clone()).to_string(),
    }
}

fn add_row(headings: &Headings, row: &[String], out: &mut SpelledTable) {
    let cell = |at: usize| row.get(at).map_or("", |cell| cell.trim());
    if cell(headings.instruction).is_empty() {
        return;
    }
    let operands = headings.operands.iter().map(|&at| cell(at)).filter(|cell| !cell.is_empty());
    let text =
        format!("{} {}", cell(headings.instruction), operands.collect::<Vec<_>>().join(", "));
    let meanings = match headings.meanings(row) {
        Ok(meanings) => meanings,
        Err(reason) => return out.leave_out(reason, &text),
    };
    let is_memory = |operand: &WrittenOperand| matches!(operand, WrittenOperand::Memory { .. });
    let in_registers: Vec<WrittenForm> =
        meanings.iter().filter(|form| !form.operands.iter().any(is_memory)).cloned().collect();
    let per_cycle = range_of(cell(headings.throughput)).filter(|(least, _)| *least > 0.0);
    let figures = [
        (Quantity::Throughput, meanings, per_cycle.map(|(least, most)| (1.0 / most, 1.0 / least))),
        (Quantity::Latency, in_registers, range_of(cell(headings.latency))),
    ];
    for (quantity, meanings, range) in figures {
        let Some((min, max)) = range else {
            out.leave_out(format!("its {quantity} is no number"), &text);
            continue;
        };
        if meanings.is_empty() {
            out.leave_out("its latency is that behind its load", &text);
            continue;
        }
        let (text, range) = (text.clone(), (Some(min), Some(max)));
        out.figures.push(SpelledFigure { text, meanings, quantity, ends: None, range });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(cells: &str) -> Vec<String> {
        cells.split('|').map(|cell| cell.trim().to_owned()).collect()
    }

    #[test]
    fn columns_are_told_by_their_headings() {
        let new = row(
            "Instruction|Op 1|Operand 2 (source)|Op 3|Op 4|Mask|Vol|CPUID flag|Ops|Unit|Latency|Throughput|Notes",
        );
        let found = Headings::of(&new).unwrap();
        assert_eq!(found.operands, [1, 2, 3, 4, 5]);
        assert_eq!((found.extension, found.latency, found.throughput), (Some(7), 10, 11));
        let old =
            Headings::of(&row("Instruction||||Cpuid flag|Latency (cycles)|Throughput")).unwrap();
        assert_eq!((old.operands, old.latency), (vec![1, 2, 3], 5));
        assert_eq!(Headings::of(&row("Instruction|Latency")), None);
    }

    #[test]
    fn rows_are_figures_or_counted() {
        let headings = Headings::of(&row("Instruction|Op1|Op2|Mask|Cpuid flag|Latency|Throughput"));
        let headings = headings.unwrap();
        let mut out = SpelledTable::default();
        for cells in [
            "ADD|reg16/32|reg/mem32|||1|4",
            "VADDPD|zmm1|zmm2|{k1}/{k1}{z}|AVX512F|3|1-2",
            "MOV|reg64|mem64|||4|3",
            "CPUID|||||ucode|ucode",
            "||||||",
            "PUSH|what is this|||x|1|1",
        ] {
            add_row(&headings, &row(cells), &mut out);
        }
        let told: Vec<_> = out
            .figures
            .iter()
            .map(|it| (it.text.as_str(), it.quantity, it.meanings.len(), it.range))
            .collect();
        use Quantity::{Latency, Throughput};
        let both = |min, max| (Some(min), Some(max));
        assert_eq!(
            told,
            [
                ("ADD reg16/32, reg/mem32", Throughput, 4, both(0.25, 0.25)),
                ("ADD reg16/32, reg/mem32", Latency, 2, both(1.0, 1.0)),
                ("VADDPD zmm1, zmm2, {k1}/{k1}{z}", Throughput, 3, both(0.5, 1.0)),
                ("VADDPD zmm1, zmm2, {k1}/{k1}{z}", Latency, 3, both(3.0, 3.0)),
                ("MOV reg64, mem64", Throughput, 1, both(1.0 / 3.0, 1.0 / 3.0)),
            ]
        );
        assert_eq!(
            out.left_out.values().map(|it| it.count).sum::<usize>(),
            4,
            "{:?}",
            out.left_out
        );
    }

    #[test]
    fn what_is_no_spreadsheet_is_one_line() {
        for bytes in [MAGIC, b"PK\x03\x04garbage", b"PK\x03\x04\x14\0\0\0\x08\0"] {
            let error = read(bytes).unwrap_err().to_string();
            assert_eq!(error.lines().count(), 1, "{error}");
        }
    }
}
