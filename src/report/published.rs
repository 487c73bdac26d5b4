//! Tables of documents on matrix units, beside what sweeps of a database say of the same: each figure with
//! the ratio of the two.
//!
//! The tables stand in `reference/tables/`. A figure of theirs is found in the sweep of the same kind, forms
//! and setting. Whether the two agree says nothing about either where the machines are others.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::LazyLock;

use crate::database::{Coordinate, Sweep, SweepKind, SweepPoint};

/// A document with its tables, in which `#` begins lines of comments.
struct PublishedDocument {
    /// How people name it.
    name: &'static str,
    /// The machine that its figures are of.
    machine: &'static str,
    tables: &'static str,
}

const DOCUMENTS: [PublishedDocument; 4] = [
    PublishedDocument {
        name: "AMX thesis",
        machine: "M2 Pro",
        tables: include_str!("../../reference/tables/amx-thesis.tsv"),
    },
    PublishedDocument {
        name: "corsix/amx",
        machine: "M1 Max",
        tables: include_str!("../../reference/tables/corsix-m1max.tsv"),
    },
    PublishedDocument {
        name: "study of SME",
        machine: "M4",
        tables: include_str!("../../reference/tables/sme-m4.tsv"),
    },
    PublishedDocument {
        name: "study of outer products",
        machine: "M4",
        tables: include_str!("../../reference/tables/sme-outer-products-m4.tsv"),
    },
];

/// What the setting of a figure says that is of one kind of core; those of the other kind are others.
const KINDS: [&str; 2] = ["performance", "efficiency"];
/// What it says where each instruction of a loop has results of its own.
const APART: &str = "apart";

static FIGURES: LazyLock<Vec<PublishedFigure>> =
    LazyLock::new(|| DOCUMENTS.iter().flat_map(figures).collect());

/// One figure of a table.
#[derive(Debug, Clone, PartialEq)]
pub struct PublishedFigure {
    /// The document and the number of the table.
    pub table: String,
    /// The machine that it is of.
    pub machine: &'static str,
    /// LLVM's names, or winic's, of the forms that it is about, with blanks between.
    pub forms: &'static str,
    kind: SweepKind,
    setting: &'static str,
    reading: FigureReading,
    /// As it is printed.
    pub printed: &'static str,
    value: f64,
    /// What it is in.
    pub unit: &'static str,
    /// What is known to be wrong about it in print.
    pub note: &'static str,
}

/// Where in a sweep a figure is found.
#[derive(Debug, Clone, Copy, PartialEq)]
enum FigureReading {
    /// The highest rate, over so much.
    Best(f64),
    /// The rate at a coordinate, over so much.
    RateAt(i64, f64),
    /// Cycles at a coordinate.
    CyclesAt(i64),
    /// Instructions a cycle where blocks of registers take turns.
    Blocks(BlockPair),
    /// Cycles of the loop of all forms.
    Loop,
}

/// Two blocks of eight rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum BlockPair {
    /// One and the same.
    Same,
    /// Two in the same 16 rows.
    Neighbours,
    /// Others.
    Apart,
}

/// A figure of a document beside ours.
#[derive(Debug, Clone, PartialEq)]
pub struct PublishedComparison {
    /// The document's.
    pub published: &'static PublishedFigure,
    /// Ours in the same unit; none where the sweep has no such point.
    pub ours: Option<f64>,
}

/// Differences up to this share say nothing: that is how well documents agree with themselves.
const ALIKE: f64 = 0.01;
/// Bytes of GiB/s in GB/s.
const DECIMAL: f64 = 1.073_741_824;

impl PublishedComparison {
    /// Ours over theirs.
    #[must_use]
    pub fn ratio(&self) -> Option<f64> {
        self.ours.map(|ours| ours / self.published.value)
    }

    /// Whether the two are one within a hundredth, or ours rounded as theirs is printed is theirs.
    #[must_use]
    pub fn agrees(&self) -> bool {
        let decimals = self.published.printed.split_once('.').map_or(0, |(_, rest)| rest.len());
        let printed = self.published.printed;
        // `7e2` is printed as 700, and no digit of it but the first is meant.
        let rounded = |ours: f64| match printed.contains('e') {
            true => format!("{ours:.decimals$e}") == printed,
            false => format!("{ours:.decimals$}") == printed,
        };
        self.ours.is_some_and(rounded)
            || self.ratio().is_some_and(|ratio| (ratio - 1.0).abs() <= ALIKE)
    }
}

fn figures(document: &'static PublishedDocument) -> impl Iterator<Item = PublishedFigure> {
    let lines = document.tables.lines().filter(|line| !line.starts_with('#')).skip(1);
    lines.map(move |line| figure(document, line))
}

/// A line of a table, which is part of the program: what does not fit is a mistake in it.
fn figure(document: &'static PublishedDocument, line: &'static str) -> PublishedFigure {
    let columns: Vec<&'static str> = line.split('\t').collect();
    let &[table, forms, kind, setting, reading, printed, unit, note] = &columns[..] else {
        panic!("reference/tables: too few columns in '{line}'")
    };
    let kind = SweepKind::ALL.into_iter().find(|it| it.name() == kind);
    let parts = kind.zip(FigureReading::of(reading)).zip(printed.parse().ok());
    let Some(((kind, reading), value)) = parts else {
        panic!("reference/tables: no sweep, figure or number in '{line}'")
    };
    PublishedFigure {
        table: format!("{}, table {table}", document.name),
        machine: document.machine,
        forms,
        kind,
        setting,
        reading,
        printed,
        value,
        unit,
        note,
    }
}

impl FigureReading {
    fn of(text: &str) -> Option<Self> {
        let number = |text: &str| text.parse().ok();
        Some(match text.split_once([' ', '/']) {
            None if text == "best" => Self::Best(1.0),
            None if text == "loop" => Self::Loop,
            None if text == "elsewhere" => Self::Blocks(BlockPair::Apart),
            Some(("same", "block")) => Self::Blocks(BlockPair::Same),
            Some(("same", _)) => Self::Blocks(BlockPair::Neighbours),
            Some(("best", over)) => Self::Best(over.parse().ok()?),
            Some(("at", at)) => {
                let (at, over) = at.split_once('/').unwrap_or((at, "1"));
                Self::RateAt(number(at)?, over.parse().ok()?)
            }
            Some(("cycles", at)) => Self::CyclesAt(number(at.strip_prefix("at ")?)?),
            _ => return None,
        })
    }
}

impl PublishedFigure {
    /// What stands in the table besides the forms.
    #[must_use]
    pub fn place(&self) -> String {
        let setting = match (self.kind, self.setting) {
            (_, "") => String::new(),
            (SweepKind::Bandwidth, _) if self.kind_of_core().is_none() => {
                format!(", {} pointers", self.setting)
            }
            (_, other) => format!(", {other}"),
        };
        let reading = match self.reading {
            FigureReading::Best(_) => format!("best of {}", self.kind),
            FigureReading::RateAt(at, _) | FigureReading::CyclesAt(at)
                if self.kind == SweepKind::Bandwidth =>
            {
                format!("{} KiB", at >> 10)
            }
            FigureReading::RateAt(at, _) | FigureReading::CyclesAt(at) => {
                format!("{at} {}", self.kind)
            }
            FigureReading::Blocks(BlockPair::Same) => "one block".to_owned(),
            FigureReading::Blocks(BlockPair::Neighbours) => "blocks of the same 16 rows".to_owned(),
            FigureReading::Blocks(BlockPair::Apart) => "blocks elsewhere".to_owned(),
            FigureReading::Loop => "a loop".to_owned(),
        };
        reading + &setting
    }

    /// What a sweep says of it; none where it is another one's.
    fn found_in(&self, sweep: &Sweep) -> Option<Option<f64>> {
        if sweep.kind != self.kind || !self.is_about(sweep) || !self.is_set_as(sweep) {
            return None;
        }
        Some(match self.reading {
            FigureReading::Best(over) => {
                let rates = sweep.points.iter().filter_map(|point| point.rate);
                rates.max_by(f64::total_cmp).map(|rate| rate / over)
            }
            FigureReading::RateAt(at, over) => {
                let binary = sweep.rate_unit.as_deref() == Some("GiB/s");
                let unit = if binary && self.unit == "GB/s" { DECIMAL } else { 1.0 };
                point_at(sweep, at).and_then(|point| point.rate).map(|rate| rate * unit / over)
            }
            FigureReading::CyclesAt(at) => point_at(sweep, at).and_then(|point| point.cycles),
            FigureReading::Blocks(pair) => mean_rate(sweep, pair),
            FigureReading::Loop => self.of_loop(sweep),
        })
    }

    fn is_about(&self, sweep: &Sweep) -> bool {
        let mut named = self.forms.split(' ');
        match self.kind {
            SweepKind::Sequences => named.all(|name| sweep.forms.iter().any(|own| own == name)),
            _ => sweep.forms.first().is_some_and(|first| named.next() == Some(first)),
        }
    }

    /// What the setting says besides the kind of core.
    fn settings(&self) -> impl Iterator<Item = &'static str> {
        self.setting.split(", ").filter(|word| !word.is_empty() && !KINDS.contains(word))
    }

    /// The kind of core that it is of, if it says so.
    fn kind_of_core(&self) -> Option<&'static str> {
        KINDS.into_iter().find(|kind| self.setting.split(", ").any(|word| word == *kind))
    }

    /// Of bandwidth: whether as many pointers walk, on one core and from the beginning of a page. Of
    /// sequences: whether results stand apart.
    fn is_set_as(&self, sweep: &Sweep) -> bool {
        let wanted = self.settings().next();
        match self.kind {
            SweepKind::Bandwidth => {
                let said = sweep.setting.iter().flat_map(|it| it.split(", "));
                let said: Vec<&str> = said.skip(1).collect();
                match wanted {
                    None | Some("1") => said.is_empty(),
                    Some(streams) => said == [format!("{streams} streams")],
                }
            }
            SweepKind::Sequences => (wanted == Some(APART)) == sweep.setting.is_some(),
            _ => true,
        }
    }

    /// Cycles of the loop of all forms, in any rotation.
    fn of_loop(&self, sweep: &Sweep) -> Option<f64> {
        let wanted: Vec<&str> = self.forms.split(' ').collect();
        let rotated = |shift: usize| {
            let turned = wanted.iter().cycle().skip(shift).take(wanted.len()).copied();
            turned.collect::<Vec<_>>().join(" ")
        };
        // A loop of one and the same is one of one, too, in half of the time.
        let is_it = |at: &Coordinate| match at {
            Coordinate::Word(own) => (0..wanted.len()).any(|shift| rotated(shift) == *own),
            Coordinate::Number(_) => false,
        };
        let point = sweep.points.iter().find(|point| point.at.first().is_some_and(is_it))?;
        point.cycles
    }
}

fn point_at(sweep: &Sweep, at: i64) -> Option<&SweepPoint> {
    sweep.points.iter().find(|point| point.at.first() == Some(&Coordinate::Number(at)))
}

/// Instructions a cycle on average where blocks lie so.
fn mean_rate(sweep: &Sweep, wanted: BlockPair) -> Option<f64> {
    let pair = |point: &SweepPoint| match point.at[..] {
        [Coordinate::Number(first), Coordinate::Number(second)] => Some(match (first, second) {
            _ if first == second => BlockPair::Same,
            _ if first / 2 == second / 2 => BlockPair::Neighbours,
            _ => BlockPair::Apart,
        }),
        _ => None,
    };
    let fitting = sweep.points.iter().filter(|point| pair(point) == Some(wanted));
    let rates: Vec<f64> = fitting.filter_map(|point| Some(1.0 / point.cycles?)).collect();
    (!rates.is_empty()).then(|| rates.iter().sum::<f64>() / rates.len() as f64)
}

/// All figures of documents about which sweeps of a CPU say something, in the documents' order. Of a CPU that
/// says which of its cores are meant, figures of the others say nothing.
#[must_use]
pub fn compare(sweeps: &[Sweep], cpu: &str) -> Vec<PublishedComparison> {
    let others = |published: &PublishedFigure| {
        let kind = KINDS.into_iter().find(|kind| cpu.contains(kind));
        let wanted = published.kind_of_core();
        wanted.is_some_and(|wanted| kind.is_some_and(|kind| kind != wanted))
    };
    let found = |published: &'static PublishedFigure| {
        if others(published) {
            return None;
        }
        let mut ours = sweeps.iter().filter_map(|sweep| published.found_in(sweep));
        // The best of several sweeps that fit.
        let first = ours.next()?;
        let ours = ours.chain([first]).flatten().max_by(f64::total_cmp);
        Some(PublishedComparison { published, ours })
    };
    FIGURES.iter().filter_map(found).collect()
}

/// A paragraph for each table: every figure beside ours, with the ratio. Nothing of sweeps that no document
/// has.
#[must_use]
pub fn of_published(sweeps: &[Sweep], cpu: &str) -> String {
    let mut tables: BTreeMap<&str, Vec<PublishedComparison>> = BTreeMap::new();
    for comparison in compare(sweeps, cpu) {
        tables.entry(&comparison.published.table).or_default().push(comparison);
    }
    tables.iter().map(|(table, rows)| paragraph(table, rows)).collect()
}

fn paragraph(table: &str, rows: &[PublishedComparison]) -> String {
    let machine = rows.first().map_or("", |row| row.published.machine);
    let mut out = format!("---{table} ({machine})----\n");
    for row in rows {
        let PublishedFigure { forms, printed, unit, note, .. } = row.published;
        let ours = row.ours.map_or_else(|| "-".to_owned(), |ours| format!("{ours:.3}"));
        let ratio = row.ratio().map(|ratio| format!(" x{ratio:.4}")).unwrap_or_default();
        let sign = if row.agrees() { "" } else { "  differs" };
        let note = if note.is_empty() { String::new() } else { format!("  ({note})") };
        let place = row.published.place();
        let _ = writeln!(
            out,
            "    {forms}, {place}: {printed} {unit} there, {ours} here{ratio}{sign}{note}"
        );
    }
    let apart = rows.iter().filter(|row| !row.agrees()).count();
    let count = rows.len();
    let _ = match apart {
        0 => writeln!(out, "    all {count} agree within 1 % or as they are printed"),
        _ => {
            writeln!(out, "    {apart} of {count} differ by more than 1 % and as they are printed")
        }
    };
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_whole_and_name_what_there_is() {
        let known = crate::isa::amx::variants();
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/reference/aarch64.tsv");
        let of_core = std::fs::read_to_string(path).unwrap();
        let is_known = |name: &str| {
            known.iter().any(|variant| variant.name == name)
                || of_core.lines().any(|line| line.split('\t').next() == Some(name))
        };
        for figure in FIGURES.iter() {
            assert!(figure.value > 0.0, "{figure:?}");
            assert!(figure.forms.split(' ').all(is_known), "{figure:?}");
        }
        assert_eq!(FIGURES.len(), 402 + 71 + 35 + 21);
    }

    /// The thesis's own check: rates are operations times instructions.
    #[test]
    fn rates_are_operations_times_instructions() {
        let is_rate = |figure: &&PublishedFigure| figure.unit == "Ginsn/s";
        for figure in FIGURES.iter().filter(is_rate) {
            let (over, whole) = match figure.reading {
                FigureReading::Best(over) => (over, FigureReading::Best(1.0)),
                FigureReading::RateAt(at, over) => (over, FigureReading::RateAt(at, 1.0)),
                _ => panic!("{figure:?}"),
            };
            let is_twin = |other: &&PublishedFigure| {
                (&other.table, other.forms, other.kind, other.reading)
                    == (&figure.table, figure.forms, figure.kind, whole)
            };
            let twin = FIGURES.iter().find(is_twin).unwrap();
            let ratio = twin.value / (figure.value * over);
            assert!((ratio - 1.0).abs() < 0.011, "{ratio}: {figure:?}");
        }
    }

    #[test]
    fn figures_agree_by_a_hundredth_or_as_printed() {
        let figure = FIGURES.iter().find(|figure| figure.printed == "3320").unwrap();
        let with = |ours: f64| PublishedComparison { published: figure, ours: Some(ours) };
        assert!(with(3349.0).agrees() && with(3291.0).agrees());
        assert!(
            !with(3360.0).agrees() && !PublishedComparison { ours: None, ..with(0.0) }.agrees()
        );
        let coarse = FIGURES.iter().find(|figure| figure.printed == "2").unwrap();
        assert!(PublishedComparison { published: coarse, ours: Some(1.87) }.agrees());
    }

    #[test]
    fn loops_are_found_in_any_rotation() {
        let figure = FIGURES.iter().find(|figure| figure.printed == "28.13").unwrap();
        let (one, other) = figure.forms.split_once(' ').unwrap();
        let sweep = Sweep {
            kind: SweepKind::Sequences,
            forms: vec![one.to_owned(), other.to_owned()],
            points: vec![SweepPoint {
                at: vec![Coordinate::Word(format!("{other} {one}"))],
                cycles: Some(28.0),
                ..SweepPoint::default()
            }],
            ..Sweep::default()
        };
        let found = compare(&[sweep], "");
        let of_figure = found.iter().find(|it| std::ptr::eq(it.published, figure));
        assert!(of_figure.expect("the figure is found").agrees());
    }
}
