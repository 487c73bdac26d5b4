//! Figures of instructions that a source knows by how they are written, until a table of forms says which
//! of LLVM's they are of.

use std::collections::BTreeMap;

use super::forms::{FormTable, Masking, WrittenForm, WrittenOperand};
use super::{Imported, Unmatched};
use crate::database::{Database, FlatValue, Quantity};

/// What a source says of an instruction.
#[derive(Debug, Clone, PartialEq)]
pub struct SpelledFigure {
    /// The instruction as the source writes it, for people.
    pub text: String,
    /// What it means: each for itself, where it means several.
    pub meanings: Vec<WrittenForm>,
    /// What the figure is about.
    pub quantity: Quantity,
    /// From where to where a latency leads, as databases name both; none where the source does not say.
    pub ends: Option<(String, String)>,
    /// The smallest and the largest value, in cycles.
    pub range: (Option<f64>, Option<f64>),
}

/// A source whose instructions are known by how they are written.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SpelledTable {
    /// What it says.
    pub figures: Vec<SpelledFigure>,
    /// What of it is no figure.
    pub left_out: BTreeMap<String, Unmatched>,
}

/// The form, whether it is a latency, and from where to where.
type FigureName = (String, bool, Option<(String, String)>);

/// What one operand of a source stands for: any of these.
pub type OperandChoices = Vec<WrittenOperand>;

/// An instruction may mean so many at the most.
const MOST_MEANINGS: usize = 1024;

/// All that an instruction of some operands means; none where that is too much to be meant.
#[must_use]
pub fn meanings(
    mnemonic: &str,
    choices: &[OperandChoices],
    masking: Masking,
    is_long: Option<bool>,
) -> Option<Vec<WrittenForm>> {
    let mut lists: Vec<Vec<WrittenOperand>> = vec![Vec::new()];
    for operand in choices {
        if lists.len().saturating_mul(operand.len()) > MOST_MEANINGS {
            return None;
        }
        let longer = |list: &Vec<WrittenOperand>| {
            let list = list.clone();
            operand.iter().map(move |it| [&list[..], std::slice::from_ref(it)].concat())
        };
        lists = lists.iter().flat_map(longer).collect();
    }
    let mnemonic = mnemonic.to_lowercase();
    let form = |operands| WrittenForm { mnemonic: mnemonic.clone(), operands, masking, is_long };
    Some(lists.into_iter().map(form).collect())
}

/// The smallest and the largest number of a cell such as `4`, `4-11` or `3,4`; none where it has anything
/// else.
#[must_use]
pub fn range_of(text: &str) -> Option<(f64, f64)> {
    let number =
        |part: &str| part.trim().parse().ok().filter(|it: &f64| it.is_finite() && *it >= 0.0);
    let numbers: Vec<f64> = text.split(['-', ',', ';']).map(number).collect::<Option<_>>()?;
    let least = numbers.iter().copied().reduce(f64::min)?;
    Some((least, numbers.into_iter().fold(least, f64::max)))
}

impl SpelledTable {
    /// Counts something that is no figure.
    pub fn leave_out(&mut self, reason: impl Into<String>, what: &str) {
        Unmatched::count(&mut self.left_out, reason, what);
    }

    /// Whether it says nothing, not even what it cannot say.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.figures.is_empty() && self.left_out.is_empty()
    }

    /// The figures as those of forms. Several of one form and between the same operands become one that
    /// reaches over all.
    #[must_use]
    pub fn matched(self, table: &FormTable) -> Imported {
        let mut out = Imported { unmatched: self.left_out, ..Imported::default() };
        let mut rows: Vec<FlatValue> = Vec::new();
        let mut places: BTreeMap<FigureName, usize> = BTreeMap::new();
        for figure in self.figures {
            let found: Vec<_> = figure.meanings.iter().map(|it| table.find(it)).collect();
            let mut names: Vec<&str> = found.iter().filter_map(|it| it.ok()).collect();
            names.sort_unstable();
            names.dedup();
            if names.is_empty() {
                // (The last of them says the most: of several it stands last.)
                let reason = found.iter().filter_map(|it| it.err()).max();
                let reason = reason.map_or_else(String::new, |reason| reason.to_string());
                out.unmatched(reason, &figure.text);
            }
            for name in names {
                let is_latency = figure.quantity == Quantity::Latency;
                let key = (name.to_owned(), is_latency, figure.ends.clone());
                let place = *places.entry(key).or_insert_with(|| {
                    rows.push(row(name, &figure));
                    rows.len() - 1
                });
                widen(&mut rows[place], figure.range);
            }
        }
        out.database = Database::of_rows(rows);
        out
    }
}

fn row(name: &str, figure: &SpelledFigure) -> FlatValue {
    let (source_operand, target_operand) = figure.ends.clone().unzip();
    let (min, max) = figure.range;
    let quantity = figure.quantity;
    FlatValue {
        quantity,
        source_operand,
        target_operand,
        min,
        max,
        ..FlatValue::of_form(name, 0.0)
    }
}

/// Stretches what a row says; an end that one source leaves open stays open.
fn widen(row: &mut FlatValue, (min, max): (Option<f64>, Option<f64>)) {
    row.min = row.min.zip(min).map(|(own, other)| own.min(other));
    row.max = row.max.zip(max).map(|(own, other)| own.max(other));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> FormTable {
        let mut table = FormTable::default();
        for bits in [8, 16, 32, 64] {
            let register = vec![WrittenOperand::general(bits)];
            let forms = meanings("NEG", &[register], Masking::None, None).unwrap();
            table.add(forms[0].clone(), &format!("NEG{bits}r"));
        }
        table
    }

    fn figure(widths: &[u32], cycles: f64) -> SpelledFigure {
        let registers = widths.iter().map(|&bits| WrittenOperand::general(bits)).collect();
        SpelledFigure {
            text: "NEG reg".to_owned(),
            meanings: meanings("NEG", &[registers], Masking::None, None).unwrap(),
            quantity: Quantity::Throughput,
            ends: None,
            range: (Some(cycles), Some(cycles)),
        }
    }

    #[test]
    fn each_meaning_is_a_form_and_what_is_said_twice_reaches_over_both() {
        let figures = vec![figure(&[32, 64], 0.25), figure(&[64], 0.5), figure(&[128], 1.0)];
        let read = SpelledTable { figures, ..SpelledTable::default() }.matched(&table());
        let throughput = |name: &str| read.database.entry(name).unwrap().throughput;
        assert_eq!((throughput("NEG32r").min, throughput("NEG32r").max), (Some(0.25), Some(0.25)));
        assert_eq!((throughput("NEG64r").min, throughput("NEG64r").max), (Some(0.25), Some(0.5)));
        assert_eq!(read.unmatched["no form of LLVM's has such operands"].count, 1);
    }

    #[test]
    fn what_means_too_much_means_nothing() {
        let any: OperandChoices = [8, 16, 32, 64].map(WrittenOperand::general).into();
        assert_eq!(meanings("A", &vec![any.clone(); 2], Masking::None, None).unwrap().len(), 16);
        assert_eq!(meanings("A", &vec![any; 6], Masking::None, None), None);
    }

    #[test]
    fn cells_of_numbers_are_ranges() {
        assert_eq!(range_of("4"), Some((4.0, 4.0)));
        assert_eq!(range_of("11-4"), Some((4.0, 11.0)));
        assert_eq!(range_of("3, 4"), Some((3.0, 4.0)));
        for none in ["", "-", "ucode", "4-", "inf", "-1", "nan", "[3;4]"] {
            assert_eq!(range_of(none), None, "{none}");
        }
    }
}
