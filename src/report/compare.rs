//! Two sets of figures side by side: a measured database against a scheduling model, or against
//! another database.
//!
//! Givens: for each form and measurand (throughput; latency from an operand to another) a figure
//! on either side, as an interval with an error. Two figures differ when the intervals, widened
//! by the errors, do not meet; agree when both say the same; and are undecided when one of them
//! holds the other and more besides ([`Agreement`]). What differs is sorted by how far the intervals
//! are apart, and forms that differ in the same way are one line. What only one side answers is
//! counted and listed for each side.
//!
//! Latencies between unlike resources are known only up to what no loop can tell: whoever counts a
//! cycle more into a resource and a cycle less out of it predicts the same for every program
//! ([`Comparison::settle_potentials`]).

mod databases;
mod figure;
mod several;
mod table;

pub use databases::{answers, failures, of_databases};
pub use figure::{Agreement, Figure, IntervalMeaning};
pub use several::{Several, side_by_side};

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use crate::units::{Cycles, Interval};

/// What is compared.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Measurand {
    /// From one operand or register to another, as databases name them.
    Latency {
        /// What is read.
        source: String,
        /// What is written.
        target: String,
    },
    /// Cycles per instance.
    Throughput,
}

/// One form's answer to one measurand, on both sides.
#[derive(Debug, Clone, PartialEq)]
pub struct ComparedRow {
    /// LLVM's name of the form.
    pub form: String,
    /// What is compared.
    pub measurand: Measurand,
    /// What was measured.
    pub measured: Figure,
    /// What it is held against.
    pub reference: Figure,
    /// What the reference treats alike (LLVM: the scheduling class), by number.
    pub class: Option<u32>,
    /// What may explain a difference.
    pub note: String,
    /// For a latency between unlike resources, by name: from where to where.
    pub ends: Option<(String, String)>,
    /// What is added to the reference because no loop can tell.
    pub shift: Cycles,
}

/// One of the two that are held against each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// What was measured.
    Measured,
    /// What it is held against.
    Reference,
}

/// A measurand that only one side answers.
#[derive(Debug, Clone, PartialEq)]
pub struct OneSided {
    /// LLVM's name of the form.
    pub form: String,
    /// What was asked.
    pub measurand: Measurand,
    /// The side that answers.
    pub side: Side,
    /// Its answer.
    pub figure: Figure,
    /// Why the other side has none.
    pub reason: String,
}

/// All answers side by side.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Comparison {
    /// What both sides answer.
    pub rows: Vec<ComparedRow>,
    /// What one of them does not.
    pub one_sided: Vec<OneSided>,
}

/// Databases round latencies to whole cycles where they can, and throughputs to what hardware can
/// do; closer than this nobody means a difference.
const LATENCY_TOLERANCE: f64 = 0.05;
/// The same for throughputs, which span four orders of magnitude: relative.
const THROUGHPUT_TOLERANCE: f64 = 0.03;

/// How far figures of a measurand may be apart that mean the same.
fn tolerance(measurand: &Measurand, one: &Figure, other: &Figure) -> Cycles {
    let least = match measurand {
        Measurand::Latency { .. } => Cycles(LATENCY_TOLERANCE),
        Measurand::Throughput => Cycles(THROUGHPUT_TOLERANCE * other.largest_finite().0),
    };
    (one.error + other.error).max(least)
}

impl ComparedRow {
    /// How far apart the two figures are; nothing if their intervals meet within the error.
    #[must_use]
    pub fn gap(&self) -> Cycles {
        self.gap_with(self.shift)
    }

    /// Whether the two figures say the same.
    #[must_use]
    pub fn verdict(&self) -> Agreement {
        Agreement::of(&self.measured, &self.shifted(self.shift), self.tolerance())
    }

    fn gap_with(&self, shift: Cycles) -> Cycles {
        self.measured.gap(&self.shifted(shift), self.tolerance())
    }

    /// The reference, with what no loop can tell added to it.
    fn shifted(&self, shift: Cycles) -> Figure {
        let Figure { interval, .. } = self.reference;
        let interval = Interval::new(interval.lower() + shift, interval.upper() + shift);
        Figure { interval, ..self.reference }
    }

    fn tolerance(&self) -> Cycles {
        tolerance(&self.measurand, &self.measured, &self.reference)
    }
}

/// Cycles by which two sources may differ in what they count into a resource and out of it.
const POTENTIALS: [f64; 9] = [0.0, 1.0, -1.0, 2.0, -2.0, 3.0, -3.0, 4.0, -4.0];
/// How often the potentials are gone through: each depends on its neighbours'.
const SWEEPS: usize = 3;

impl Comparison {
    /// Chooses for each resource what the reference counts more into it and less out of it, so that
    /// as many latencies as possible agree. Adding p(v) - p(u) to every latency from u to v, for
    /// any p, changes the duration of no loop: two sources that differ in nothing else say the same
    /// of every program.
    pub fn settle_potentials(&mut self) {
        let resources: BTreeSet<String> =
            self.rows.iter().filter_map(|row| row.ends.clone()).flat_map(|(a, b)| [a, b]).collect();
        let mut known: BTreeMap<&str, f64> =
            resources.iter().map(|resource| (resource.as_str(), 0.0)).collect();
        let rows: Vec<(&ComparedRow, &str, &str)> = self
            .rows
            .iter()
            .filter_map(|row| row.ends.as_ref().map(|(from, to)| (row, &**from, &**to)))
            .collect();
        for _ in 0..SWEEPS {
            for resource in &resources {
                let agreeing = |potential: f64| {
                    let at = |name: &str| if name == resource { potential } else { known[name] };
                    let agrees = |row: &ComparedRow, from: &str, to: &str| {
                        row.gap_with(Cycles(at(to) - at(from))) == Cycles::default()
                    };
                    let into = |&&(row, from, to): &&(&ComparedRow, &str, &str)| {
                        to == resource && agrees(row, from, to)
                    };
                    let out_of = |&&(row, from, to): &&(&ComparedRow, &str, &str)| {
                        from == resource && agrees(row, from, to)
                    };
                    let (into, out_of) =
                        (rows.iter().filter(into).count(), rows.iter().filter(out_of).count());
                    // What is said of one direction only may be wrong in all of it.
                    let is_shown = potential == 0.0 || (into > 0 && out_of > 0);
                    if is_shown { into + out_of } else { 0 }
                };
                // Of equal ones the first.
                let best =
                    POTENTIALS.into_iter().rev().max_by_key(|&potential| agreeing(potential));
                known.insert(resource, best.unwrap_or_default());
            }
        }
        let shifts: Vec<Cycles> = self
            .rows
            .iter()
            .map(|row| match &row.ends {
                Some((from, to)) => Cycles(known[&**to] - known[&**from]),
                None => Cycles::default(),
            })
            .collect();
        for (row, shift) in self.rows.iter_mut().zip(shifts) {
            row.shift = shift;
        }
    }

    /// Rows that differ, the worst first.
    #[must_use]
    pub fn differences(&self) -> Vec<&ComparedRow> {
        let mut rows: Vec<&ComparedRow> = self.with_verdict(Agreement::Differs).collect();
        rows.sort_by(|a, b| {
            let by_name = || (&a.form, &a.measurand).cmp(&(&b.form, &b.measurand));
            b.gap().0.total_cmp(&a.gap().0).then_with(by_name)
        });
        rows
    }

    fn with_verdict(&self, verdict: Agreement) -> impl Iterator<Item = &ComparedRow> {
        self.rows.iter().filter(move |row| row.verdict() == verdict)
    }

    /// What a person reads: the shares, the differences with forms that differ alike on one
    /// line, and what cannot be compared.
    #[must_use]
    pub fn text(&self, measured: &str, reference: &str) -> String {
        let mut text = format!("measured: {measured}\nreference: {reference}\n\n");
        text.push_str(&self.groups_text());
        for (name, is_of) in KINDS {
            let rows: Vec<&ComparedRow> =
                self.rows.iter().filter(|row| is_of(&row.measurand)).collect();
            if !rows.is_empty() {
                text.push_str(&shares_text(name, &rows));
            }
        }
        for (name, side) in
            [("only measured", Side::Measured), ("only in the reference", Side::Reference)]
        {
            let reasons = || {
                let of_side = self.one_sided.iter().filter(|one| one.side == side);
                of_side.map(|one| &*one.reason)
            };
            let count = reasons().count();
            if count > 0 {
                let _ = writeln!(text, "{name}: {count}");
                text.push_str(&counted(reasons()));
            }
        }
        text
    }

    fn groups_text(&self) -> String {
        let mut groups: Vec<(Alike<'_>, Vec<&str>)> = Vec::new();
        let mut places: BTreeMap<Alike<'_>, usize> = BTreeMap::new();
        for row in self.differences() {
            let alike = Alike::of(row);
            let place = *places.entry(alike.clone()).or_insert_with(|| {
                groups.push((alike, Vec::new()));
                groups.len() - 1
            });
            groups[place].1.push(&row.form);
        }
        let mut text = String::new();
        for (alike, forms) in groups {
            let named = forms.iter().take(EXAMPLES).copied().collect::<Vec<_>>().join(" ");
            let more = if forms.len() > EXAMPLES { " ..." } else { "" };
            let class = alike.class.map_or_else(String::new, |class| format!(", class {class}"));
            let note =
                if alike.note.is_empty() { String::new() } else { format!(" [{}]", alike.note) };
            let _ = writeln!(
                text,
                "{}: measured {}, reference {}{note}: {} form{}{class}: {named}{more}",
                alike.measurand.describe(),
                alike.measured,
                alike.reference,
                forms.len(),
                if forms.len() == 1 { "" } else { "s" },
            );
        }
        if !text.is_empty() {
            text.push('\n');
        }
        text
    }
}

/// Forms that are named in a line; the table for machines has them all.
const EXAMPLES: usize = 6;

type IsOf = fn(&Measurand) -> bool;

const KINDS: [(&str, IsOf); 2] = [
    ("latencies", |measurand| matches!(measurand, Measurand::Latency { .. })),
    ("throughputs", |measurand| matches!(measurand, Measurand::Throughput)),
];

/// What rows must have in common to stand on one line.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Alike<'a> {
    measurand: &'a Measurand,
    class: Option<u32>,
    note: &'a str,
    measured: String,
    reference: String,
}

impl<'a> Alike<'a> {
    fn of(row: &'a ComparedRow) -> Self {
        Self {
            measurand: &row.measurand,
            class: row.class,
            note: &row.note,
            measured: in_words(row.measured.interval),
            reference: in_words(row.reference.interval),
        }
    }
}

impl Measurand {
    /// The latency of a form as a whole, between whichever operands it is.
    #[must_use]
    pub fn whole_latency() -> Self {
        Self::Latency { source: String::new(), target: String::new() }
    }

    fn kind(&self) -> &'static str {
        match self {
            Self::Latency { .. } => "latency",
            Self::Throughput => "throughput",
        }
    }

    fn ends(&self) -> (&str, &str) {
        match self {
            Self::Latency { source, target } => (source, target),
            Self::Throughput => ("", ""),
        }
    }

    fn describe(&self) -> String {
        match self {
            whole if *whole == Self::whole_latency() => "latency".to_owned(),
            Self::Latency { source, target } => format!("latency {source} -> {target}"),
            Self::Throughput => "throughput".to_owned(),
        }
    }
}

fn in_words(interval: Interval) -> String {
    if interval.upper().0.is_infinite() {
        format!("at least {}", interval.lower())
    } else if interval.width().0 > 0.0 {
        format!("{} to {}", interval.lower(), interval.upper())
    } else {
        interval.upper().to_string()
    }
}

/// How many figures of a kind agree, of those of which that can be told, and why others differ.
fn shares_text(name: &str, rows: &[&ComparedRow]) -> String {
    let of = |verdict| rows.iter().filter(move |row| row.verdict() == verdict);
    let [agree, differ, undecided] = [Agreement::Agrees, Agreement::Differs, Agreement::Undecided]
        .map(|verdict| of(verdict).count());
    let decided = agree + differ;
    let share = match decided {
        0 => String::new(),
        _ => format!(" ({:.2} %)", 100.0 * agree as f64 / decided as f64),
    };
    let mut text = format!(
        "{name}: {agree} of {decided} agree{share}, {differ} differ, {undecided} undecided\n"
    );
    text.push_str(&counted(of(Agreement::Differs).map(|row| &*row.note)));
    text.push_str(&shifts_text(rows));
    text
}

/// What does not differ only because of what no loop can tell.
fn shifts_text(rows: &[&ComparedRow]) -> String {
    let shifted = rows.iter().filter(|row| {
        row.verdict() == Agreement::Agrees && row.gap_with(Cycles::default()) != Cycles::default()
    });
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for row in shifted {
        let Some((from, to)) = &row.ends else { continue };
        let line = format!("agree with {:+} cycles from {from} to {to}", row.shift.0);
        *counts.entry(line).or_default() += 1;
    }
    let lines: String =
        counts.iter().map(|(line, count)| format!("  {count:5} {line}\n")).collect();
    if lines.is_empty() {
        lines
    } else {
        lines + "        (counted into a resource instead of out of it: no loop can tell)\n"
    }
}

/// How often each text occurs, most frequent first, a line each; what says nothing is left out.
fn counted<'a>(texts: impl Iterator<Item = &'a str>) -> String {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    texts.filter(|text| !text.is_empty()).for_each(|text| *counts.entry(text).or_default() += 1);
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_by_key(|&(text, count)| (std::cmp::Reverse(count), text));
    counts.into_iter().map(|(text, count)| format!("  {count:5} {text}\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figure(lower: f64, upper: f64) -> Figure {
        Figure::one_of(Interval::new(Cycles(lower), Cycles(upper)), Cycles(0.0))
    }

    fn row(form: &str, measurand: Measurand, measured: Figure, reference: f64) -> ComparedRow {
        ComparedRow {
            form: form.to_owned(),
            measurand,
            measured,
            reference: figure(reference, reference),
            class: Some(7),
            note: String::new(),
            ends: None,
            shift: Cycles::default(),
        }
    }

    fn edge() -> Measurand {
        Measurand::Latency { source: "1".to_owned(), target: "0".to_owned() }
    }

    #[test]
    fn figures_agree_when_they_say_the_same() {
        let verdict =
            |measurand, measured, reference| row("A", measurand, measured, reference).verdict();
        assert_eq!(verdict(edge(), figure(3.0, 3.0), 3.0), Agreement::Agrees);
        assert_eq!(row("A", edge(), figure(1.0, 2.0), 3.0).gap(), Cycles(1.0));
        assert_eq!(row("A", edge(), figure(5.0, 6.0), 3.0).gap(), Cycles(2.0));
        let throughput = |measured, reference| verdict(Measurand::Throughput, measured, reference);
        assert_eq!(throughput(figure(0.5, 0.51), 0.5), Agreement::Agrees);
        assert_eq!(throughput(figure(0.25, 0.25), 0.33), Agreement::Differs);
        let unsure = Figure { error: Cycles(0.4), ..figure(2.7, 2.7) };
        assert_eq!(verdict(edge(), unsure, 3.0), Agreement::Agrees);
    }

    #[test]
    fn an_interval_that_holds_everything_is_no_agreement() {
        let wide = [figure(1.0, 5.0), figure(0.0, f64::INFINITY), figure(3.0, f64::INFINITY)];
        for measured in wide {
            assert_eq!(row("A", edge(), measured, 3.0).verdict(), Agreement::Undecided);
            let reversed =
                ComparedRow { reference: measured, ..row("A", edge(), figure(3.0, 3.0), 0.0) };
            assert_eq!(reversed.verdict(), Agreement::Undecided);
            let measurand = Measurand::Throughput;
            assert_eq!(row("A", measurand, measured, 3.0).verdict(), Agreement::Undecided);
        }
        let comparison = Comparison {
            rows: wide.map(|measured| row("A", edge(), measured, 3.0)).to_vec(),
            ..Comparison::default()
        };
        let text = comparison.text("x", "y");
        assert!(text.ends_with("latencies: 0 of 0 agree, 0 differ, 3 undecided\n"), "{text}");
    }

    #[test]
    fn what_no_loop_can_tell_is_no_difference_but_is_said() {
        let between = |form: &str, ends: (&str, &str), measured, reference| ComparedRow {
            ends: Some((ends.0.to_owned(), ends.1.to_owned())),
            ..row(form, edge(), figure(measured, measured), reference)
        };
        let (into, out) = (("R", "F"), ("F", "R"));
        let mut comparison = Comparison {
            rows: vec![
                between("CMP", into, 2.0, 1.0),
                between("TEST", into, 3.0, 2.0),
                between("SET", out, 1.0, 2.0),
                // A loop through this and any other takes longer than the reference says.
                between("CMOV", out, 2.0, 2.0),
            ],
            ..Comparison::default()
        };
        assert_eq!(comparison.differences().len(), 3);
        comparison.settle_potentials();
        let differing: Vec<&str> =
            comparison.differences().iter().map(|row| row.form.as_str()).collect();
        assert_eq!(differing, ["CMOV"]);
        let text = comparison.text("x", "y");
        assert!(text.contains("      2 agree with +1 cycles from R to F\n"), "{text}");
        assert!(text.contains("      1 agree with -1 cycles from F to R\n"), "{text}");
    }

    #[test]
    fn the_worst_comes_first_and_what_differs_alike_stands_together() {
        let comparison = Comparison {
            rows: vec![
                row("B", edge(), figure(4.0, 4.0), 3.0),
                row("A", edge(), figure(4.0, 4.0), 3.0),
                row("C", edge(), figure(9.0, 9.0), 3.0),
                row("D", edge(), figure(3.0, 3.0), 3.0),
            ],
            ..Comparison::default()
        };
        let text = comparison.text("x", "y");
        let expected = "latency 1 -> 0: measured 9.00, reference 3.00: 1 form, class 7: C\n\
                        latency 1 -> 0: measured 4.00, reference 3.00: 2 forms, class 7: A B\n\n\
                        latencies: 1 of 4 agree (25.00 %), 3 differ, 0 undecided\n";
        assert!(text.ends_with(expected), "{text}");
        let forms: Vec<String> = comparison
            .tsv()
            .lines()
            .map(|line| line.split('\t').next().unwrap_or_default().to_owned())
            .collect();
        assert_eq!(forms, ["llvmName", "C", "A", "B", "D"]);
    }
}
