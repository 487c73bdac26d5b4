//! The records as TableGen reads them.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use super::times::{Forwarding, ScheduledRead};
use super::units::ResourceUnits;
use super::{Classes, CoreFigures, CostedWrite};
use crate::database::Database;
use crate::export::header::provenance;

/// Letters in a line of names.
const LINE: usize = 100;

/// What stands for all that no form of the database is: LLVM wants an answer for each of its own writes
/// and reads, wherever they come from.
const REST: &str = "\
// What was not measured: LLVM goes by its defaults.
foreach Other = !instances<SchedWrite>() in
  if !not(!or(!isa<ProcWriteResources>(Other), !isa<WriteSequence>(Other), !isa<SchedVariant>(Other))) then
    let Unsupported = 1 in
      def : WriteRes<Other, []>;
foreach Other = !instances<SchedRead>() in
  if !not(!or(!isa<ProcReadAdvance>(Other), !isa<SchedVariant>(Other))) then
    def : ReadAdvance<Other, 0>;
";

/// The text of a model.
pub(super) fn text(
    database: &Database,
    name: &str,
    figures: CoreFigures,
    (classes, units): (&Classes, &ResourceUnits),
    ends: &BTreeSet<String>,
) -> String {
    let mut out = head(database, name);
    let _ = write!(out, "def {name}Model : SchedMachineModel {{\n{}}}\n\n", fields(figures));
    let _ = write!(out, "let SchedModel = {name}Model in {{\n\n{REST}\n");
    let groups = groups(classes);
    out += "// Ports and resources, and the sets of ports that forms go to.\n";
    for port in ports(&groups) {
        let _ = writeln!(out, "def {name}{port} : ProcResource<{}>;", units.count(&port));
    }
    for group in groups.iter().filter(|group| group.len() > 1) {
        let members: Vec<String> = group.iter().map(|port| format!("{name}{port}")).collect();
        let own = group_name(name, group);
        let _ = writeln!(out, "def {own} : ProcResGroup<[{}]>;", members.join(", "));
    }
    out += "\n// What results take. The first has the ports and micro-operations of its form.\n";
    let end = CostedWrite { latency: 1, micro_operations: 1, ..CostedWrite::default() };
    let writes = classes.keys().flat_map(|class| &class.writes).chain([&end]);
    let writes: BTreeSet<&CostedWrite> = writes.collect();
    for write in &writes {
        out += &write_record(name, write);
    }
    out += "\n// Sources that are read later than at once: behind all writes, or behind those that are forwarded.\n";
    let reads: BTreeSet<ScheduledRead> =
        classes.keys().flat_map(|class| class.reads.clone()).collect();
    for read in reads {
        out += &read_record(name, read, &writes);
    }
    out += "\n// Forms that take the same: results, then sources.\n";
    for (class, forms) in classes {
        let writes = class.writes.iter().map(|write| write_name(name, write));
        let reads = class.reads.iter().map(|&read| read_name(name, read));
        out += &rule(&writes.chain(reads).collect::<Vec<_>>(), forms);
    }
    if !ends.is_empty() {
        out += "\n// Branches, calls and barriers, which nobody measured.\n";
        out += &rule(&[write_name(name, &end)], ends);
    }
    out + "}\n"
}

fn head(database: &Database, name: &str) -> String {
    let cpu = database.header().micro_architecture.unwrap_or_default();
    format!(
        "// A scheduling model of {} for LLVM's TableGen (22 or later), of a database of winic {}.\n\
         // {}\n\
         // Include it behind the records of its target, then name it:\n\
         //   def : ProcessorModel<\"measured\", {name}Model, []>;\n\n",
        cpu.replace(char::is_control, " "),
        env!("CARGO_PKG_VERSION"),
        provenance(database),
    )
}

fn fields(figures: CoreFigures) -> String {
    let known = [
        ("IssueWidth", figures.width),
        ("MicroOpBufferSize", figures.window),
        ("LoadLatency", figures.load_latency),
        ("MispredictPenalty", figures.wrong_guess),
    ];
    let mut out = String::new();
    for (field, value) in known {
        if let Some(value) = value {
            let _ = writeln!(out, "  let {field} = {value};");
        }
    }
    out + "  let CompleteModel = 0;\n"
}

/// Sets of ports; where two overlap and none holds both, the set of all that overlap with these too, without which
/// TableGen takes neither.
fn groups(classes: &Classes) -> BTreeSet<Vec<String>> {
    let writes = classes.keys().flat_map(|class| &class.writes);
    let mut groups: BTreeSet<Vec<String>> =
        writes.flat_map(|write| write.uses.keys().cloned()).collect();
    let sets: Vec<BTreeSet<&String>> = groups.iter().map(|group| group.iter().collect()).collect();
    let mut joined: Vec<BTreeSet<&String>> = Vec::new();
    for set in &sets {
        let (overlapping, apart) =
            joined.into_iter().partition::<Vec<_>, _>(|other| !other.is_disjoint(set));
        joined = apart;
        joined.push(overlapping.into_iter().flatten().chain(set.iter().copied()).collect());
    }
    let is_held = |one: &BTreeSet<&String>, other: &BTreeSet<&String>| {
        sets.iter().any(|set| one.is_subset(set) && other.is_subset(set))
    };
    let needs_more = |all: &&BTreeSet<&String>| {
        let within = || sets.iter().filter(|set| set.is_subset(all));
        let is_apart = |one: &BTreeSet<&String>| {
            within().any(|other| !one.is_disjoint(other) && !is_held(one, other))
        };
        within().any(is_apart)
    };
    let more = joined.iter().filter(needs_more).map(|all| ordered(all.iter().copied()));
    let more: Vec<Vec<String>> = more.collect();
    groups.extend(more);
    groups
}

/// All ports, in order.
fn ports(groups: &BTreeSet<Vec<String>>) -> Vec<String> {
    ordered(groups.iter().flatten())
}

/// Each port once, in order.
fn ordered<'a>(ports: impl Iterator<Item = &'a String>) -> Vec<String> {
    // (P2 comes before P10.)
    let ordered: BTreeMap<(usize, &String), ()> =
        ports.map(|port| ((port.len(), port), ())).collect();
    ordered.into_keys().map(|(_, port)| port.clone()).collect()
}

fn group_name(name: &str, group: &[String]) -> String {
    format!("{name}{}", group.concat())
}

fn write_record(name: &str, write: &CostedWrite) -> String {
    let groups: Vec<String> = write.uses.keys().map(|group| group_name(name, group)).collect();
    let cycles: Vec<String> = write.uses.values().map(u32::to_string).collect();
    let mut fields =
        format!("let Latency = {}; let NumMicroOps = {};", write.latency, write.micro_operations);
    if !cycles.is_empty() {
        let _ = write!(fields, " let ReleaseAtCycles = [{}];", cycles.join(", "));
    }
    format!(
        "def {} : SchedWriteRes<[{}]> {{ {fields} }}\n",
        write_name(name, write),
        groups.join(", ")
    )
}

/// A name that says what it stands for: cycles, micro-operations, cycles on ports.
fn write_name(name: &str, write: &CostedWrite) -> String {
    let mut out = format!("{name}Write_{}c_{}u", write.latency, write.micro_operations);
    for (group, cycles) in &write.uses {
        let _ = write!(out, "_{cycles}x{}", group.concat());
    }
    write.forwards.iter().fold(out, |out, &kind| out + &kind_name(kind))
}

fn read_record(name: &str, read: ScheduledRead, writes: &BTreeSet<&CostedWrite>) -> String {
    let behind = read.behind.map_or_else(String::new, |kind| {
        let forwarded = writes.iter().filter(|write| write.forwards.contains(&kind));
        let names: Vec<String> = forwarded.map(|write| write_name(name, write)).collect();
        format!(", [{}]", names.join(", "))
    });
    let own = read_name(name, read);
    format!("def {own} : SchedReadAdvance<{}{behind}>;\n", read.late)
}

fn read_name(name: &str, read: ScheduledRead) -> String {
    format!("{name}Read_{}c{}", read.late, read.behind.map_or_else(String::new, kind_name))
}

/// What names have of a kind of forwarding: cycles with it and without.
fn kind_name(kind: Forwarding) -> String {
    format!("_f{}of{}", kind.forwarded, kind.other)
}

/// What forms take, with as many of their names in a line as fit.
fn rule(taken: &[String], forms: &BTreeSet<String>) -> String {
    let mut out = format!("def : InstRW<[{}],\n  (instrs", taken.join(", "));
    let mut width = 9;
    for (at, form) in forms.iter().enumerate() {
        let comma = if at > 0 { "," } else { "" };
        out += comma;
        if width + form.len() + 2 > LINE && at > 0 {
            out += "\n    ";
            width = 4;
        }
        let _ = write!(out, " {form}");
        width += form.len() + 2;
    }
    out + ")>;\n"
}
