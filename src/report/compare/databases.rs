//! What databases say in figures, and two of them side by side.

use super::{ComparedRow, Comparison, Figure, Measurand, OneSided, Side};
use crate::database::{Database, Entry, OperandLatency, Throughput};
use crate::units::{Cycles, Interval};

/// Two databases side by side.
#[must_use]
pub fn of_databases(measured: &Database, reference: &Database) -> Comparison {
    let mut out = Comparison::default();
    for entry in measured.entries() {
        let other = reference.entry(&entry.subject.llvm_name);
        let whole = other.as_ref().filter(|other| !tells_operands(other) && tells_operands(&entry));
        let whole = whole.and_then(|_| whole_answer(&entry));
        for (measurand, figure) in answers(&entry).into_iter().chain(whole) {
            let answer = answer(other.as_ref(), &measurand);
            let answer = answer.as_ref().map_err(|reason| &**reason).copied();
            out.add(&entry, measurand, figure, answer);
        }
    }
    for entry in reference.entries() {
        let other = measured.entry(&entry.subject.llvm_name);
        out.one_sided.extend(answers(&entry).into_iter().filter_map(|(measurand, figure)| {
            let reason = answer(other.as_ref(), &measurand).err()?;
            let form = entry.subject.llvm_name.clone();
            Some(OneSided { form, measurand, side: Side::Reference, figure, reason })
        }));
    }
    out
}

/// What a database answers, or why it does not.
fn answer(entry: Option<&Entry>, measurand: &Measurand) -> Result<Figure, String> {
    let entry = entry.ok_or("the other file does not have the instruction")?;
    let whole = whole_answer(entry);
    let known = answers(entry).into_iter().chain(whole).find(|(known, _)| known == measurand);
    let reason = || {
        let failure = failures(entry).find(|(asked, _)| asked == measurand);
        failure.map_or_else(|| "the other file has no figure".to_owned(), |(_, reason)| reason)
    };
    known.map(|(_, figure)| figure).ok_or_else(reason)
}

/// What an entry of a database says in numbers.
#[must_use]
pub fn answers(entry: &Entry) -> Vec<(Measurand, Figure)> {
    let throughput = figure_of_throughput(&entry.throughput);
    let latencies = entry
        .latency
        .operands
        .iter()
        .filter_map(|edge| Some((question_of(edge), figure_of_latency(edge)?)));
    let whole = (!tells_operands(entry)).then(|| whole_answer(entry)).flatten();
    let throughput = throughput.map(|figure| (Measurand::Throughput, figure));
    latencies.chain(whole).chain(throughput).collect()
}

fn tells_operands(entry: &Entry) -> bool {
    entry.latency.operands.iter().any(|edge| figure_of_latency(edge).is_some())
}

/// The latency of a form as a whole: all that sources have that know no operands.
pub(super) fn whole_answer(entry: &Entry) -> Option<(Measurand, Figure)> {
    let value = entry.latency.value;
    Some((Measurand::whole_latency(), figure(value, value, None)?))
}

/// What was asked for an entry without success, and why.
pub fn failures(entry: &Entry) -> impl Iterator<Item = (Measurand, String)> {
    let throughput = entry.throughput.status.iter();
    let throughput = throughput
        .filter(|_| figure_of_throughput(&entry.throughput).is_none())
        .map(|reason| (Measurand::Throughput, reason.to_string()));
    let edges = entry.latency.operands.iter().filter(|edge| figure_of_latency(edge).is_none());
    let latencies =
        edges.filter_map(|edge| Some((question_of(edge), edge.status.as_ref()?.to_string())));
    throughput.chain(latencies)
}

fn question_of(edge: &OperandLatency) -> Measurand {
    Measurand::Latency { source: edge.source.clone(), target: edge.target.clone() }
}

/// Files of old have the value alone.
fn figure_of_throughput(throughput: &Throughput) -> Option<Figure> {
    let Throughput { value, min, max, uncertainty, .. } = throughput;
    figure(*min, *max, *uncertainty).or_else(|| figure(*value, *value, *uncertainty))
}

fn figure_of_latency(edge: &OperandLatency) -> Option<Figure> {
    figure(edge.min, edge.max, edge.uncertainty)
}

/// An end that a file does not know has no limit but that nothing takes less than no time.
fn figure(min: Option<f64>, max: Option<f64>, error: Option<f64>) -> Option<Figure> {
    min.or(max)?;
    let (min, max) = (min.unwrap_or_default(), max.unwrap_or(f64::INFINITY));
    let interval = Interval::new(Cycles(min), Cycles(max));
    Some(Figure::one_of(interval, Cycles(error.unwrap_or_default())))
}

impl Comparison {
    /// Puts in what was measured, beside what the reference says or why it says nothing.
    pub fn add(
        &mut self,
        entry: &Entry,
        measurand: Measurand,
        measured: Figure,
        reference: Result<Figure, &str>,
    ) {
        let form = entry.subject.llvm_name.clone();
        match reference {
            Ok(reference) => self.rows.push(ComparedRow {
                form,
                measurand,
                measured,
                reference,
                class: None,
                note: String::new(),
                ends: None,
                shift: Cycles::default(),
            }),
            Err(reason) => {
                let (side, reason) = (Side::Measured, reason.to_owned());
                self.one_sided.push(OneSided { form, measurand, side, figure: measured, reason });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_end_that_is_not_known_is_open() {
        let interval = |min, max| figure(min, max, None).map(|figure| figure.interval);
        assert_eq!(interval(Some(2.0), Some(3.0)), Some(Interval::new(Cycles(2.0), Cycles(3.0))));
        let open = interval(Some(2.0), None).unwrap();
        assert_eq!((open.lower(), open.upper()), (Cycles(2.0), Cycles(f64::INFINITY)));
        assert_eq!(interval(None, Some(3.0)), Some(Interval::new(Cycles(0.0), Cycles(3.0))));
        assert_eq!(interval(None, None), None);
    }
}
