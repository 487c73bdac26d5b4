//! What LLVM's tables must say of the forms of a database, from the database alone.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;

use super::models::Case;
use super::tables::{Opcode, Scheduled, Tables};
use winic::catalogue::Canonical;
use winic::database::{Circumstance, Database, Entry, Independence};
use winic::form::{InstructionForm, Placeholder, Site};
use winic::isa::possible_features;
use winic::llvm::{TargetChoice, triple_of};
use winic::metadata::InstructionSet;
use winic::pipeline::Target;
use winic::study::site;

/// Ports as tables name them.
const PREFIX: &str = "Own";

/// The forms of a database.
pub struct Expectations<'a> {
    database: &'a Database,
    target: Target,
}

impl<'a> Expectations<'a> {
    pub fn new(database: &'a Database, case: &Case) -> Self {
        let header = database.header();
        let (isa, cpu) = (header.isa.expect("an ISA"), header.micro_architecture.expect("a CPU"));
        let choice = TargetChoice {
            triple: triple_of(&isa),
            features: possible_features(&isa, Some(&cpu)).to_owned(),
            cpu,
        };
        let target =
            Target::open(choice).unwrap_or_else(|error| panic!("{}: {error}", case.target));
        Self { database, target }
    }

    /// Holds all of them against the tables, and what is not among them. Returns how many there are.
    pub fn hold(&self, tables: &Tables) -> usize {
        let forms: BTreeMap<&str, &InstructionForm> = self
            .target
            .listings
            .iter()
            .filter_map(|listing| match &listing.canonical {
                Canonical::Form(form) | Canonical::Alias(form) => {
                    Some((form.name.as_str(), &**form))
                }
                Canonical::Excluded(_) => None,
            })
            .collect();
        let mut held = BTreeSet::new();
        let mut wrong = Vec::new();
        for entry in self.database.entries() {
            let name = entry.subject.llvm_name.as_str();
            let is_known = entry.throughput.has_value() || entry.latency.has_value();
            let (true, false, Some(form)) = (is_known, name.contains('@'), forms.get(name)) else {
                continue;
            };
            let opcode = tables.opcode(name).unwrap_or_else(|| panic!("LLVM has no {name}"));
            let found = tables.scheduled(name).unwrap_or_else(|| panic!("{name} is unsupported"));
            let times = hold_times(&entry, form, &self.target.set, opcode, &found);
            let resources = hold_resources(&entry, self.database, tables, &found);
            wrong.extend([times, resources].into_iter().filter_map(Result::err));
            held.insert(name.to_owned());
        }
        assert!(
            wrong.is_empty(),
            "{} are wrong: {:#?}",
            wrong.len(),
            &wrong[..wrong.len().min(40)]
        );
        hold_units(self.database, tables);
        hold_bounds(self.database, tables);
        // All else has no figures, but for what ends blocks.
        for name in tables.supported().into_iter().filter(|name| !held.contains(*name)) {
            let opcode = self.target.set.by_name(name).map(|it| self.target.set.opcode(it));
            assert!(opcode.is_some_and(|opcode| opcode.flags.control_flow), "{name} is supported");
            let found = tables.scheduled(name).expect("it is supported");
            assert_eq!((found.micro_operations, found.uses.len()), (1, 0), "{name}");
        }
        held.len()
    }
}

/// What each path takes, by the database's names, without what passes through memory.
fn paths(entry: &Entry) -> BTreeMap<(String, String), i64> {
    let is_memory = |name: &str| {
        let operand = name.parse::<usize>().ok().and_then(|at| entry.subject.operands.get(at));
        operand.is_some_and(|operand| operand.class == "memory")
    };
    let edges = entry.latency.operands.iter();
    let edges = edges.filter(|edge| !is_memory(&edge.source) && !is_memory(&edge.target));
    let timed = edges.filter_map(|edge| {
        let independent = edge.independence == Some(Independence::Proven);
        let cycles = if independent { 0.0 } else { edge.chosen()? };
        Some(((edge.source.clone(), edge.target.clone()), cycles.round() as i64))
    });
    timed.collect()
}

/// Latencies and advances: no path is quicker than it was measured, results wait exactly for their
/// slowest source, and where one advance is right for all results, every path is exact.
fn hold_times(
    entry: &Entry,
    form: &InstructionForm,
    set: &InstructionSet,
    opcode: Opcode,
    found: &Scheduled,
) -> Result<(), String> {
    let name = &form.name;
    let own = set.opcode(form.opcode);
    let implied = |registers: &[winic::metadata::RegisterId]| {
        registers.iter().map(|&register| Site::Implicit(register)).collect::<Vec<_>>()
    };
    let results: Vec<Site> =
        (0..own.definitions).map(Site::Operand).chain(implied(&own.implicit_defs)).collect();
    let sources: Vec<Site> = (own.definitions..form.operands.len())
        .map(Site::Operand)
        .chain(implied(&own.implicit_uses))
        .collect();
    let sites = (results.len(), sources.len());
    same(name, "results and sources", &sites, &(opcode.results(), opcode.sources()))?;
    same(name, "writes", &found.latencies.len(), &results.len().max(1))?;
    let paths = paths(entry);
    for (result, &latency) in results.iter().zip(&found.latencies) {
        let result = site(*result, form, set);
        let slowest = paths.iter().filter(|((_, to), _)| *to == result).map(|(_, it)| *it).max();
        same(name, &result, &latency, &slowest.unwrap_or(latency))?;
    }
    for (at, source) in sources.iter().enumerate() {
        let advance = found.advances.get(&at).copied().unwrap_or(0);
        if let Site::Operand(index) = source
            && !matches!(form.operands[*index].kind, Placeholder::Register(_))
        {
            same(name, "the advance of a number", &advance, &0)?;
            continue;
        }
        let source = site(*source, form, set);
        let late: Vec<i64> = results
            .iter()
            .zip(&found.latencies)
            .filter_map(|(result, latency)| {
                let cycles = paths.get(&(source.clone(), site(*result, form, set)))?;
                Some(latency - cycles)
            })
            .collect();
        let late = late.iter().copied().min().unwrap_or(0);
        // (A form forwards to itself, where it tells those that do apart.)
        let own: Vec<i64> = found.writes.iter().map(|&write| behind(found, at, write)).collect();
        if is_told_apart(entry, &source) {
            same(name, &source, &(advance, own.contains(&late)), &(0, true))?;
        } else {
            same(name, &source, &(advance, own.iter().any(|it| *it > 0)), &(late, false))?;
        }
    }
    Ok(())
}

/// How much later a source is read behind a write that is named.
fn behind(found: &Scheduled, source: usize, write: i64) -> i64 {
    let named = (write != 0).then(|| found.advances_behind.get(&(source, write)));
    named.flatten().copied().unwrap_or(0)
}

/// Whether a source takes another time where another instruction computed it.
fn is_told_apart(entry: &Entry, source: &str) -> bool {
    let edges = entry.latency.operands.iter().filter(|edge| edge.source == source);
    let mut variants = edges.flat_map(|edge| &edge.variants);
    variants.any(|it| it.variant == Circumstance::OtherProducer)
}

/// Whether something is as expected.
fn same<T: PartialEq + Debug>(
    form: &str,
    what: &str,
    found: &T,
    expected: &T,
) -> Result<(), String> {
    let wrong = || format!("{form}: {what}: {found:?} and not {expected:?}");
    if found == expected { Ok(()) } else { Err(wrong()) }
}

/// What a form holds besides ports, by the names that tables have of it.
fn held(entry: &Entry, database: &Database) -> Vec<(String, f64)> {
    let known = database.execution().unwrap_or_default().resources.len();
    let held = entry.ports.resources.iter().filter_map(|held| {
        let name = match (held.resource as usize) < known {
            true => format!("{PREFIX}R{}", held.resource),
            // Nobody else has it: dividers and their like are one.
            false if held.cycles >= 1.0 => format!("{PREFIX}D"),
            false => return None,
        };
        Some((name, held.cycles))
    });
    held.collect()
}

/// Units of resources: LLVM makes of them what forms hold them for, within a twentieth on average.
fn hold_units(database: &Database, tables: &Tables) {
    let mut errors: BTreeMap<String, Vec<f64>> = BTreeMap::new();
    for entry in database.entries() {
        let name = &entry.subject.llvm_name;
        let Some(found) = tables.scheduled(name) else { continue };
        for (resource, cycles) in held(&entry, database) {
            let kept = found.uses.get(&resource).copied().unwrap_or(0) as f64;
            let made = kept / tables.units_of(&resource) as f64;
            errors.entry(resource).or_default().push((made / cycles - 1.0).abs());
        }
    }
    for (resource, errors) in errors {
        let mean = errors.iter().sum::<f64>() / errors.len() as f64;
        assert!(mean <= 0.05, "{resource} is off by {mean:.3} in {} forms", errors.len());
    }
}

/// By LLVM's bound of ports and resources at most one form of a hundred takes more than 6 % longer than was measured.
fn hold_bounds(database: &Database, tables: &Tables) {
    let mut longer: Vec<(String, f64, f64)> = Vec::new();
    let mut held = 0;
    for entry in database.entries() {
        let name = entry.subject.llvm_name.clone();
        let (Some(measured), true) = (entry.throughput.value, entry.ports.pressure.is_some())
        else {
            continue;
        };
        let Some(found) = tables.scheduled(&name) else { continue };
        let made =
            |(resource, cycles): (&String, &i64)| *cycles as f64 / tables.units_of(resource) as f64;
        let made = found.uses.iter().map(made).fold(0.0, f64::max);
        held += 1;
        if made > measured * 1.06 {
            longer.push((name, made, measured));
        }
    }
    assert!(
        longer.len() * 100 <= held,
        "{} of {held} take longer: {:?}",
        longer.len(),
        &longer[..longer.len().min(20)]
    );
}

/// Cycles on every resource and micro-operations.
fn hold_resources(
    entry: &Entry,
    database: &Database,
    tables: &Tables,
    found: &Scheduled,
) -> Result<(), String> {
    let name = &entry.subject.llvm_name;
    let Some(pressure) = &entry.ports.pressure else {
        same(name, "micro-operations", &found.micro_operations, &1)?;
        return hold_throughput(entry, tables, found);
    };
    let mut uses: Vec<(i64, BTreeSet<String>)> = Vec::new();
    for (count, ports) in pressure.iter().filter(|(_, ports)| !ports.is_empty()) {
        let ports = ports.iter().map(|port| format!("{PREFIX}P{port}")).collect();
        uses.push((i64::from(*count), ports));
    }
    let mut found_uses = found.uses.clone();
    for (resource, cycles) in held(entry, database) {
        let kept = found_uses.remove(&resource).unwrap_or(0);
        let exact = cycles * tables.units_of(&resource) as f64;
        same(name, &resource, &kept, &(exact.round() as i64).max(1))?;
    }
    // Whoever takes some ports takes as much of all sets that hold them.
    let mut expected: BTreeMap<String, i64> = BTreeMap::new();
    for (resource, members) in &tables.resources {
        let within = uses.iter().filter(|(_, ports)| ports.is_subset(members));
        let cycles: i64 = within.map(|(cycles, _)| cycles).sum();
        if cycles > 0 {
            expected.insert(resource.clone(), cycles);
        }
    }
    same(name, "ports", &found_uses, &expected)?;
    let operations = pressure.iter().map(|(count, _)| f64::from(*count)).sum();
    let slots = entry.ports.slots.unwrap_or(operations).round().max(1.0);
    same(name, "micro-operations", &f64::from(found.micro_operations), &slots)
}

/// Where no ports are known: the throughput that LLVM makes of the ports is the measured one, or the
/// nearest that whole cycles on as many ports as there are can make.
fn hold_throughput(entry: &Entry, tables: &Tables, found: &Scheduled) -> Result<(), String> {
    let name = &entry.subject.llvm_name;
    let Some(throughput) = entry.throughput.value.or(entry.throughput.max) else { return Ok(()) };
    let of = |(resource, cycles): (&String, &i64)| *cycles as f64 / tables.units(resource) as f64;
    let Some(made) = found.uses.iter().map(of).reduce(f64::max) else {
        return same(name, "no port", &(throughput < 1.0), &true);
    };
    // Ports of the pool: their names differ in the number alone.
    let pool = found.uses.keys().next().expect("a resource");
    let letter = pool.chars().nth(PREFIX.len()).expect("a pool");
    let own = tables.resources.iter().filter(|(resource, members)| {
        members.len() == 1 && resource.chars().nth(PREFIX.len()) == Some(letter)
    });
    let width = own.count();
    let error = (made - throughput).abs();
    let nearer = (1..=width).any(|ports| {
        let whole = (throughput * ports as f64).round().max(1.0);
        (whole / ports as f64 - throughput).abs() < error - 1e-9
    });
    let is_near = error <= 0.05 * throughput || !nearer;
    if is_near { Ok(()) } else { Err(format!("{name}: {made} for {throughput}")) }
}
