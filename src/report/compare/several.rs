//! Several sources side by side, form by form: what they disagree about comes first.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use super::{Figure, Measurand, answers, in_words, tolerance};
use crate::database::{Database, Entry};
use crate::units::Cycles;

/// All that at least two sources say, the widest disagreement first.
#[derive(Debug, Clone, PartialEq)]
pub struct Several {
    /// What the sources are called.
    pub names: Vec<String>,
    rows: Vec<Row>,
}

/// What sources say of one measurand.
#[derive(Debug, Clone, PartialEq)]
struct Row {
    form: String,
    measurand: Measurand,
    figures: Vec<Option<Figure>>,
    /// How far the two furthest are apart.
    gap: Cycles,
    /// What each source's figure rests on; empty where a source says nothing of that.
    evidence: Vec<String>,
}

/// Rows of a table that a person reads to the end.
const SHOWN: usize = 40;

/// Puts sources side by side. Where one of them has latencies of whole forms only, those are compared.
#[must_use]
pub fn side_by_side(sources: &[(String, Database)]) -> Several {
    let mut forms: Vec<String> = Vec::new();
    let mut seen = BTreeSet::new();
    for (_, database) in sources {
        for entry in database.entries() {
            if seen.insert(entry.subject.llvm_name.clone()) {
                forms.push(entry.subject.llvm_name);
            }
        }
    }
    let mut rows = Vec::new();
    for form in forms {
        let entries: Vec<Option<Entry>> =
            sources.iter().map(|(_, database)| database.entry(&form)).collect();
        rows.extend(rows_of(&form, &entries));
    }
    rows.sort_by(|a, b| {
        let by_name = || (&a.form, &a.measurand).cmp(&(&b.form, &b.measurand));
        b.gap.0.total_cmp(&a.gap.0).then_with(by_name)
    });
    Several { names: sources.iter().map(|(name, _)| name.clone()).collect(), rows }
}

fn rows_of(form: &str, entries: &[Option<Entry>]) -> Vec<Row> {
    let mut said: BTreeMap<Measurand, Vec<Option<Figure>>> = BTreeMap::new();
    for (at, entry) in entries.iter().enumerate() {
        let Some(entry) = entry else { continue };
        let whole = super::databases::whole_answer(entry);
        for (measurand, figure) in answers(entry).into_iter().chain(whole) {
            said.entry(measurand).or_insert_with(|| vec![None; entries.len()])[at] = Some(figure);
        }
    }
    let row = |(measurand, figures): (Measurand, Vec<Option<Figure>>)| {
        let known: Vec<&Figure> = figures.iter().flatten().collect();
        if known.len() < 2 {
            return None;
        }
        let apart = |(a, b): (&Figure, &Figure)| a.gap(b, tolerance(&measurand, a, b));
        let pairs = known.iter().flat_map(|a| known.iter().map(move |b| (*a, *b)));
        let gap = pairs.map(apart).fold(Cycles::default(), |most, gap| most.max(gap));
        let rests = |entry: &Option<Entry>| entry.as_ref().map(|it| evidence(it, &measurand));
        let evidence = entries.iter().map(|entry| rests(entry).unwrap_or_default()).collect();
        Some(Row { form: form.to_owned(), measurand, figures, gap, evidence })
    };
    said.into_iter().filter_map(row).collect()
}

/// What a figure rests on, in a few words.
fn evidence(entry: &Entry, measurand: &Measurand) -> String {
    match measurand {
        Measurand::Throughput => {
            let throughput = &entry.throughput;
            let body = throughput.body.as_ref().map(|body| format!("{} instances", body.instances));
            let broken = (!throughput.broken_by.is_empty())
                .then(|| format!("beside {}", throughput.broken_by.join(", ")));
            let raw = throughput.raw.map(|raw| format!("read {raw:.3}"));
            let parts = [raw, body, broken, throughput.status.as_ref().map(ToString::to_string)];
            parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
        }
        Measurand::Latency { source, target } => {
            let edge = entry
                .latency
                .operands
                .iter()
                .find(|edge| edge.source == *source && edge.target == *target);
            let Some(edge) = edge else { return String::new() };
            let way = edge.helpers.first().map(|way| format!("back by {way}"));
            let chained =
                (edge.helpers.is_empty() && edge.raw.is_some()).then(|| "chain".to_owned());
            let raw = edge.raw.map(|raw| format!("read {raw:.3}"));
            let limits = edge.limits.as_ref().map(ToString::to_string);
            let status = edge.status.as_ref().map(ToString::to_string);
            let parts = [raw, way.or(chained), limits, status];
            parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
        }
    }
}

impl Row {
    /// What each source says, with what that rests on.
    fn said(&self) -> Vec<String> {
        let one = |(at, (figure, evidence)): (usize, (&Option<Figure>, &String))| {
            let said = figure.map_or_else(|| "-".to_owned(), |it| in_words(it.interval));
            let rests = match figure {
                Some(_) if !evidence.is_empty() => format!(" [{evidence}]"),
                _ => String::new(),
            };
            format!("{} {said}{rests}", letter(at))
        };
        self.figures.iter().zip(&self.evidence).enumerate().map(one).collect()
    }
}

impl Several {
    /// Whether no two sources have a figure in common.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// How many rows have sources in them that differ.
    #[must_use]
    pub fn differing(&self) -> usize {
        self.rows.iter().filter(|row| row.gap > Cycles::default()).count()
    }

    /// What a person reads: the disagreements, and for each pair of sources how many figures they have
    /// in common and in how many they agree.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = String::new();
        for (at, name) in self.names.iter().enumerate() {
            let _ = writeln!(text, "{}: {name}", letter(at));
        }
        text.push('\n');
        let differing = self.differing();
        for row in self.rows.iter().take(differing.min(SHOWN)) {
            let (form, what) = (&row.form, row.measurand.describe());
            let _ = writeln!(text, "{form} {what}: {}", row.said().join(", "));
        }
        if differing > SHOWN {
            let _ = writeln!(text, "... and {} more, with all others in --tsv", differing - SHOWN);
        }
        let _ = writeln!(
            text,
            "\n{} figures that at least two have, {differing} of them with a difference",
            self.rows.len()
        );
        if self.rows.iter().any(|row| row.evidence.iter().any(|evidence| !evidence.is_empty())) {
            text.push_str(
                "`winic show FORM FILE` has each proof, and the command that measures it again\n",
            );
        }
        for one in 0..self.names.len() {
            for other in one + 1..self.names.len() {
                let pairs = self.rows.iter().filter_map(|row| {
                    Some((row, row.figures[one].as_ref()?, row.figures[other].as_ref()?))
                });
                let gaps: Vec<bool> = pairs
                    .map(|(row, a, b)| {
                        a.gap(b, tolerance(&row.measurand, a, b)) > Cycles::default()
                    })
                    .collect();
                let differ = gaps.iter().filter(|differs| **differs).count();
                let (a, b) = (letter(one), letter(other));
                let _ = writeln!(text, "{a} and {b}: {} in common, {differ} differ", gaps.len());
            }
        }
        text
    }

    /// Everything, tab-separated, with a header.
    #[must_use]
    pub fn tsv(&self) -> String {
        let mut header = vec!["llvmName".to_owned(), "question".to_owned(), "gap".to_owned()];
        for name in &self.names {
            let name = name.replace(['\t', '\n'], " ");
            header.extend(["min", "max", "evidence"].map(|what| format!("{name} {what}")));
        }
        let row = |row: &Row| {
            let mut fields =
                vec![row.form.clone(), row.measurand.describe(), format!("{:.4}", row.gap.0)];
            for (figure, evidence) in row.figures.iter().zip(&row.evidence) {
                let ends = figure.map(|it| [it.interval.lower(), it.interval.upper()]);
                let ends = ends.map(|ends| ends.map(|end| format!("{:.4}", end.0)));
                fields.extend(ends.unwrap_or_default());
                fields.push(evidence.clone());
            }
            fields
        };
        let lines = std::iter::once(header).chain(self.rows.iter().map(row));
        lines.map(|fields| fields.join("\t") + "\n").collect()
    }
}

/// Sources have letters in lines.
fn letter(at: usize) -> String {
    u8::try_from(at)
        .ok()
        .filter(|at| *at < 26)
        .map_or_else(|| format!("#{at}"), |at| char::from(b'a' + at).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(name: &str, throughputs: &[(&str, f64)]) -> (String, Database) {
        let entry =
            |(form, value): &(&str, f64)| format!("- {{llvmName: {form}, throughput: {value}}}\n");
        let entries: String = throughputs.iter().map(entry).collect();
        (name.to_owned(), Database::parse(&format!("instructions:\n{entries}")).unwrap())
    }

    #[test]
    fn the_widest_disagreement_comes_first_and_pairs_are_counted() {
        let sources = [
            source("ours", &[("A", 1.0), ("B", 0.5), ("C", 2.0)]),
            source("theirs", &[("A", 1.0), ("B", 1.5)]),
            source("others", &[("C", 7.0), ("D", 1.0)]),
        ];
        let several = side_by_side(&sources);
        let text = several.text();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[4], "C throughput: a 2.00, b -, c 7.00");
        assert_eq!(lines[5], "B throughput: a 0.50, b 1.50, c -");
        assert!(text.contains("3 figures that at least two have, 2 of them with a difference"));
        assert!(text.contains("a and b: 2 in common, 1 differ"), "{text}");
        assert!(text.contains("b and c: 0 in common, 0 differ"), "{text}");
        assert_eq!(several.tsv().lines().count(), 4);
    }

    #[test]
    fn each_source_says_what_its_figures_rest_on() {
        let source = |name: &str, latency: &str| {
            let text = format!("instructions:\n- {{llvmName: A, operandLatencies: [{latency}]}}\n");
            (name.to_owned(), Database::parse(&text).unwrap())
        };
        let edge = "sourceOperand: '1', targetOperand: '0'";
        let sources = [
            source(
                "ours",
                &format!(
                    "{{{edge}, latencyMin: 1, latencyMax: 4, raw: 4.99, \
                helpers: [MOVQ]}}"
                ),
            ),
            source("chained", &format!("{{{edge}, latencyMin: 5, latencyMax: 5, raw: 5.01}}")),
            source("told", &format!("{{{edge}, latencyMin: 7, latencyMax: 7}}")),
        ];
        let several = side_by_side(&sources);
        let expected = "A latency 1 -> 0: a 1.00 to 4.00 [read 4.990, back by MOVQ], \
                        b 5.00 [read 5.010, chain], c 7.00";
        assert!(several.text().contains(expected), "{}", several.text());
        let fields: Vec<usize> =
            several.tsv().lines().map(|line| line.split('\t').count()).collect();
        // (Form, question and gap; two ends and the evidence of each.)
        assert_eq!(fields, [12, 12]);
    }
}
