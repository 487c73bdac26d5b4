//! Sweeps as people and programs read them: a line each, and tables.

use crate::database::{Sweep, SweepPoint};
use crate::units::Cycles;

/// A line for each sweep: what it comes to, or why it comes to nothing.
#[must_use]
pub fn lines(sweeps: &[Sweep]) -> Vec<String> {
    sweeps.iter().map(line).collect()
}

/// What a sweep is about.
#[must_use]
pub fn title(sweep: &Sweep) -> String {
    let setting = sweep.setting.as_ref().map(|setting| format!(" ({setting})"));
    format!("{} of {}{}", sweep.kind, forms(sweep, ", "), setting.unwrap_or_default())
}

/// Forms that are named one by one.
const NAMED: usize = 4;

/// The forms of a sweep, or how many there are.
fn forms(sweep: &Sweep, between: &str) -> String {
    match sweep.forms.len() {
        many if many > NAMED => format!("{many} forms"),
        _ => sweep.forms.join(between),
    }
}

fn line(sweep: &Sweep) -> String {
    let said = match (&sweep.status, &sweep.finding) {
        (Some(status), _) => format!("[{status}]"),
        (None, Some(finding)) => finding.clone(),
        (None, None) => "[too few points to say]".to_owned(),
    };
    let residual = sweep.residual.map(|residual| format!(" (residual {:.1} %)", 100.0 * residual));
    let doubtful = sweep.points.iter().filter(|point| point.status.is_some()).count();
    let doubtful = match doubtful {
        0 => String::new(),
        _ => format!("; {doubtful} of {} points are doubtful", sweep.points.len()),
    };
    format!("{}: {said}{}{doubtful}", title(sweep), residual.unwrap_or_default())
}

/// A paragraph for each sweep: its line, and its table.
#[must_use]
pub fn of_sweeps(sweeps: &[Sweep]) -> String {
    sweeps.iter().map(paragraph).collect()
}

fn paragraph(sweep: &Sweep) -> String {
    let head = format!("---sweep----\n    {}\n", line(sweep));
    head + &errors(sweep) + &table(sweep)
}

/// How far predictions of sequences are off, beside what the thesis says of its machine; of other sweeps
/// nothing.
fn errors(sweep: &Sweep) -> String {
    let table = |length: usize| {
        let prefix = format!("full.{length}.");
        let figures = sweep.fit.iter().filter_map(|it| it.name.strip_prefix(&prefix));
        let rows: String = figures
            .map(|figure| {
                let columns = ["base", "switch", "full", "amx"].map(|of| {
                    let value = sweep.fitted(&format!("{of}.{length}.{figure}"));
                    value.map_or_else(|| "-".to_owned(), |it| format!("{it:.3}"))
                });
                let [base, switch, full, amx] = columns;
                format!("        {figure:<18}{base:>9}{switch:>9}{full:>9}{amx:>9}\n")
            })
            .collect();
        let head = format!(
            "        unseen loops of {length}     Base   Switch     Full   AMX (thesis, table 6.2)\n"
        );
        if rows.is_empty() { rows } else { head + &rows }
    };
    [2, 3].map(table).concat()
}

fn table(sweep: &Sweep) -> String {
    let points = sweep.points.iter().map(|point| {
        let at: Vec<String> =
            sweep.axes.iter().zip(&point.at).map(|(axis, at)| format!("{axis} {at}")).collect();
        let rate = point.rate.zip(sweep.rate_unit.as_ref());
        let rate = rate.map(|(rate, unit)| format!(", {rate:.1} {unit}")).unwrap_or_default();
        let status = point.status.as_ref().map(|status| format!("  {status}")).unwrap_or_default();
        format!("        {}: {}{rate}{status}\n", at.join(", "), cycles(point))
    });
    points.collect()
}

fn cycles(point: &SweepPoint) -> String {
    let value = point.cycles.map_or_else(|| "-".to_owned(), |it| Cycles(it).to_string());
    let error = point.uncertainty.map(|it| format!(" +- {it:.4}"));
    value + &error.unwrap_or_default()
}

/// The tables of sweeps of one kind as lines of fields between tabs, a line of headings first: forms,
/// setting, a field for each axis, cycles, uncertainty, rate with its unit, status.
#[must_use]
pub fn tsv(sweeps: &[Sweep]) -> String {
    let axes = sweeps.iter().map(|sweep| &sweep.axes).find(|axes| !axes.is_empty());
    let axes = axes.cloned().unwrap_or_default();
    let fixed = ["cycles", "uncertainty", "rate", "rateUnit", "status"].map(str::to_owned);
    let head = [vec!["forms".to_owned(), "setting".to_owned()], axes, fixed.to_vec()].concat();
    let rows = sweeps.iter().flat_map(|sweep| sweep.points.iter().map(|point| row(sweep, point)));
    std::iter::once(head).chain(rows).map(|fields| fields.join("\t") + "\n").collect()
}

fn row(sweep: &Sweep, point: &SweepPoint) -> Vec<String> {
    let number = |it: Option<f64>| it.map_or_else(String::new, |it| format!("{it:.4}"));
    let words = |it: &Option<String>| it.clone().unwrap_or_default();
    let at = point.at.iter().map(ToString::to_string).collect();
    let figures = [point.cycles, point.uncertainty, point.rate].map(number).to_vec();
    let head = vec![forms(sweep, " "), words(&sweep.setting)];
    [head, at, figures, vec![words(&sweep.rate_unit), words(&point.status)]].concat()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::database::SweepKind;

    fn sweep() -> Sweep {
        let point = |count: u32, cycles| SweepPoint {
            at: vec![count.into()],
            cycles: Some(cycles),
            uncertainty: Some(0.01),
            ..SweepPoint::default()
        };
        let doubtful = SweepPoint { status: Some("unstable".to_owned()), ..point(2, 2.5) };
        Sweep {
            kind: SweepKind::Accumulators,
            forms: vec!["A".to_owned()],
            axes: vec!["accumulators".to_owned()],
            points: vec![point(1, 4.0), doubtful],
            residual: Some(0.012),
            finding: Some("latency 4.00".to_owned()),
            ..Sweep::default()
        }
    }

    #[test]
    fn a_line_says_what_it_comes_to_and_what_to_doubt() {
        let said = "accumulators of A: latency 4.00 (residual 1.2 %); 1 of 2 points are doubtful";
        assert_eq!(lines(&[sweep()]), [said]);
        let none = Sweep {
            status: Some("no chain".to_owned()),
            forms: vec!["B".to_owned()],
            ..Sweep::default()
        };
        assert_eq!(lines(&[none]), ["accumulators of B: [no chain]"]);
    }

    #[test]
    fn a_table_has_a_field_for_each_axis() {
        let expected = "\
forms\tsetting\taccumulators\tcycles\tuncertainty\trate\trateUnit\tstatus
A\t\t1\t4.0000\t0.0100\t\t\t
A\t\t2\t2.5000\t0.0100\t\t\tunstable
";
        assert_eq!(tsv(&[sweep()]), expected);
    }
}
