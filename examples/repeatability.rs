//! How well runs on one machine agree, from the databases they wrote:
//! `repeatability 1.yaml 2.yaml ...`; `scripts/repeat` makes them.
//!
//! A value is the throughput of an instruction, or one of its operand latencies: both ends of its
//! interval, as the database has them, which is rounded. It repeats if every run has it and all are
//! equal to the last digit. What no run has a value for does not count. Of the others' readings
//! it is said how many are further from the middle one than both state, without being marked.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::process::ExitCode;

use value::{Value, values};
use winic::database::{Database, Entry};

#[path = "agreement/value.rs"]
mod value;

/// How many of the values that repeat worst are listed, of each kind.
const WORST: usize = 20;

fn main() -> ExitCode {
    let paths: Vec<String> = std::env::args().skip(1).collect();
    if paths.len() < 2 {
        eprintln!("usage: repeatability DATABASE DATABASE...");
        return ExitCode::from(2);
    }
    let read = paths.iter().map(|path| Database::read(Path::new(path)));
    match read.collect::<Result<Vec<_>, _>>() {
        Ok(databases) => {
            let (throughputs, latencies) = (throughputs(&databases), latencies(&databases));
            let differing = throughputs.differing.iter().chain(&latencies.differing);
            let total = databases.len() * (throughputs.total + latencies.total);
            let strays = Strays { found: strays(&databases, differing), total };
            print!("{throughputs}{latencies}{strays}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("repeatability: {error}");
            ExitCode::from(2)
        }
    }
}

/// What one run says about something: nothing, or the smallest and the largest value possible.
type Reading = Option<[f64; 2]>;

/// How values of one kind repeat.
#[derive(Debug, PartialEq)]
struct Agreement {
    kind: &'static str,
    total: usize,
    /// Values that do not repeat, the worst first.
    differing: Vec<Differing>,
}

/// A value that does not repeat.
#[derive(Debug, PartialEq)]
struct Differing {
    name: String,
    readings: Vec<Reading>,
    /// Infinite if a run does not have it.
    spread: f64,
}

fn throughputs(databases: &[Database]) -> Agreement {
    let readings = readings(databases, |entry| {
        let name = entry.subject.llvm_name;
        let throughput = entry.throughput;
        let ends = |value| [throughput.min.unwrap_or(value), throughput.max.unwrap_or(value)];
        throughput.value.map(|value| (name, ends(value))).into_iter().collect()
    });
    agreement("throughputs", readings, |least, most| most / least - 1.0)
}

fn latencies(databases: &[Database]) -> Agreement {
    let readings = readings(databases, |entry| {
        let name = entry.subject.llvm_name;
        let edges = entry.latency.operands.into_iter().filter_map(|edge| {
            let name = format!("{name} {} -> {}", edge.source, edge.target);
            Some((name, [edge.min?, edge.max?]))
        });
        edges.collect()
    });
    agreement("latencies", readings, |least, most| most - least)
}

/// Everything that any run has a value for, with what each run says.
fn readings(
    databases: &[Database],
    values: impl Fn(Entry) -> Vec<(String, [f64; 2])>,
) -> BTreeMap<String, Vec<Reading>> {
    let mut all: BTreeMap<String, Vec<Reading>> = BTreeMap::new();
    for (run, database) in databases.iter().enumerate() {
        for (name, value) in database.entries().flat_map(&values) {
            all.entry(name).or_insert_with(|| vec![None; databases.len()])[run] = Some(value);
        }
    }
    all
}

/// Judges readings; `apart` tells how far two ends that differ are from each other.
fn agreement(
    kind: &'static str,
    readings: BTreeMap<String, Vec<Reading>>,
    apart: impl Fn(f64, f64) -> f64,
) -> Agreement {
    let total = readings.len();
    let spread = |all: &[[f64; 2]], end: usize| {
        let ends = || all.iter().map(|reading| reading[end]);
        let (least, most) = (ends().fold(f64::INFINITY, f64::min), ends().fold(0.0, f64::max));
        if least < most { apart(least, most) } else { 0.0 }
    };
    let judged = readings.into_iter().filter_map(|(name, readings)| {
        let spread = match readings.iter().copied().collect::<Option<Vec<_>>>() {
            None => f64::INFINITY,
            Some(all) => spread(&all, 0).max(spread(&all, 1)),
        };
        (spread > 0.0).then_some(Differing { name, readings, spread })
    });
    let mut differing: Vec<Differing> = judged.collect();
    differing.sort_by(|a, b| b.spread.total_cmp(&a.spread));
    Agreement { kind, total, differing }
}

/// Readings that their runs are wrongly sure of.
#[derive(Debug, PartialEq)]
struct Strays {
    /// Each with the middle one.
    found: Vec<String>,
    /// Of so many readings.
    total: usize,
}

/// Those of values that do not repeat.
fn strays<'a>(
    databases: &[Database],
    differing: impl Iterator<Item = &'a Differing>,
) -> Vec<String> {
    let runs: Vec<BTreeMap<String, Value>> = databases.iter().map(values).collect();
    let mut out = Vec::new();
    for Differing { name, .. } in differing {
        let mut read: Vec<&Value> = runs.iter().filter_map(|run| run.get(name)).collect();
        read.retain(|value| value.bounds.is_some() && !value.is_marked());
        let upper = |value: &&Value| value.bounds.map_or(0.0, |[_, most]| most);
        read.sort_by(|a, b| upper(a).total_cmp(&upper(b)));
        let Some(&middle) = read.get(read.len() / 2) else { continue };
        let is_stray =
            |value: &&&Value| !value.is_near(middle, |_| value.uncertainty + middle.uncertainty);
        out.extend(
            read.iter().filter(is_stray).map(|value| format!("{name}: {value}, not {middle}")),
        );
    }
    out
}

impl fmt::Display for Strays {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { found, total } = self;
        let share = 1000.0 * found.len() as f64 / (*total).max(1) as f64;
        writeln!(
            f,
            "{} of {total} readings ({share:.2} in a thousand) are neither the usual one nor as \
             uncertain as that nor marked",
            found.len()
        )?;
        found.iter().take(WORST).try_for_each(|stray| writeln!(f, "  {stray}"))
    }
}

impl fmt::Display for Agreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kind, total, differing } = self;
        let repeat = total - differing.len();
        let share = if *total > 0 { 100.0 * repeat as f64 / *total as f64 } else { 100.0 };
        writeln!(f, "{repeat} of {total} {kind} ({share:.2} %) are the same in all runs")?;
        for value in differing.iter().take(WORST) {
            let readings = value.readings.iter().map(reading_text).collect::<Vec<_>>();
            writeln!(f, "  {}: {}", value.name, readings.join(", "))?;
        }
        match differing.len().saturating_sub(WORST) {
            0 => Ok(()),
            more => writeln!(f, "  and {more} more"),
        }
    }
}

fn reading_text(reading: &Reading) -> String {
    match reading {
        None => "none".to_owned(),
        Some([least, most]) if least == most => format!("{most}"),
        Some([least, most]) => format!("[{least};{most}]"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(throughput: &str, latency: &str) -> Database {
        Database::parse(&format!(
            "- llvmName: A\n  throughput: {throughput}\n  operandLatencies:\n  \
             - {{sourceOperand: '1', targetOperand: '0', latencyMin: 1, latencyMax: {latency}}}\n"
        ))
        .unwrap()
    }

    #[test]
    fn what_is_the_same_to_the_last_digit_repeats() {
        let runs = [run("0.28", "4"), run("0.280", "4.0"), run("0.28", "4")];
        let text = throughputs(&runs).to_string();
        assert_eq!(text, "1 of 1 throughputs (100.00 %) are the same in all runs\n");
        assert_eq!(latencies(&runs).total, 1);
        assert_eq!(latencies(&runs).differing, []);
    }

    #[test]
    fn what_does_not_is_listed_with_all_readings() {
        let runs = [run("1.00", "4"), run("1.01", "5")];
        assert_eq!(
            throughputs(&runs).to_string(),
            "0 of 1 throughputs (0.00 %) are the same in all runs\n  A: 1, 1.01\n"
        );
        assert_eq!(
            latencies(&runs).to_string(),
            "0 of 1 latencies (0.00 %) are the same in all runs\n  A 1 -> 0: [1;4], [1;5]\n"
        );
        assert_eq!(latencies(&runs).differing[0].spread, 1.0);
    }

    #[test]
    fn a_reading_beyond_what_it_states_strays_unless_it_is_marked() {
        let of = |runs: &[Database]| {
            let throughputs = throughputs(runs);
            strays(runs, throughputs.differing.iter())
        };
        let stating = |value: &str, rest: &str| {
            let fields = format!("throughput: {value}\n  throughputUncertainty: {rest}");
            Database::parse(&format!("- llvmName: A\n  {fields}\n")).unwrap()
        };
        let usual = [stating("1", "0.01"), stating("1", "0.01")];
        let with = |other| of(&[usual[0].clone(), usual[1].clone(), other]);
        assert_eq!(with(stating("1.5", "0.01")), ["A: 1.5 +- 0.01, not 1 +- 0.01"]);
        assert!(with(stating("1.5", "0.6")).is_empty());
        assert!(with(stating("1.5", "0.01\n  throughputStatus: unstable")).is_empty());
        assert!(with(stating("1.02", "0.01")).is_empty(), "both may be off");
    }

    #[test]
    fn a_value_that_a_run_lacks_does_not_repeat_and_comes_first() {
        let lacking = run("null", "null");
        let runs = [run("1", "4"), lacking.clone()];
        assert_eq!(throughputs(&runs).differing[0].readings, [Some([1.0, 1.0]), None]);
        assert_eq!(latencies(&runs).differing[0].spread, f64::INFINITY);
        assert_eq!(throughputs(&[lacking.clone(), lacking]).total, 0);
    }

    #[test]
    fn a_throughput_of_zero_is_no_division() {
        assert_eq!(throughputs(&[run("0", "1"), run("0", "1")]).differing, []);
        assert_eq!(throughputs(&[run("0", "1"), run("1", "1")]).differing.len(), 1);
    }
}
