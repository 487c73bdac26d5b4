//! A scheduling model for LLVM, in TableGen, of a database.
//!
//! Source: LLVM 22, `llvm/Target/TargetSchedule.td`, and what `llvm-tblgen -gen-subtarget` makes of it.
//!
//! # Rules
//!
//! * **Forms are opcodes.** A class is what forms have in common that take the same; it stands for its
//!   opcodes by their exact names. What LLVM has no opcode for (an addressing mode, a vector unit's
//!   setting) has no place.
//! * **Results.** A write for each of them, in LLVM's order, the implied ones last: it is as late as the
//!   slowest of its sources makes it. What LLVM takes for a unit of latency where a write is missing is
//!   thus said, too.
//! * **Sources.** A read for each of LLVM's operands behind the results, numbers included, as LLVM's own
//!   models and llvm-mca count them, and for the implied ones. It is as much later than the slowest as
//!   no path through it gets quicker than it was measured. Where that holds behind some instructions alone,
//!   which forward their results, it names their writes.
//! * **Latency.** [`crate::database::OperandLatency::chosen`], in whole cycles, as LLVM has no others.
//! * **Ports.** Those of the database, else by the rule of `ports`, in whole cycles: of a pool as many
//!   ports as make the throughput right. All of a form's stand with its first write.
//! * **Resources.** What is held for fractions of a cycle has several units, of which an instruction keeps one for
//!   whole cycles: LLVM divides them by the number of units.
//! * **The rest of an instruction set.** What no form of the database is has an unsupported write: LLVM
//!   schedules it by its defaults, and llvm-mca says that it does not know it. What ends a basic block,
//!   which kernels cannot hold, takes a micro-operation and a cycle.

mod account;
mod file;
mod resources;
mod times;
mod units;

pub use account::SchedulingAccount;

use std::collections::{BTreeMap, BTreeSet};

use crate::database::{Database, Entry};
use crate::form::{InstructionForm, MemoryAccess};
use crate::isa::{Isa, RegisterPool};
use crate::metadata::InstructionSet;

use super::latency::of_form;
use super::ports::MachinePorts;
use resources::{FormResources, WholeUses};
use times::{Forwarding, ScheduledRead, ScheduledWrite};

/// What LLVM's TableGen reads.
#[derive(Debug, Clone, PartialEq)]
pub struct SchedulingModel {
    /// The records.
    pub text: String,
    /// What all of them begin with.
    pub name: String,
    /// What is in it, and what is not.
    pub account: SchedulingAccount,
}

/// What is known of a machine besides its forms.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct CoreFigures {
    width: Option<u32>,
    load_latency: Option<u32>,
    wrong_guess: Option<u32>,
    window: Option<u32>,
}

/// A write of a class.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Default)]
struct CostedWrite {
    /// In cycles.
    latency: u32,
    /// Of the form as a whole; 0 behind the first.
    micro_operations: u32,
    /// Likewise.
    uses: WholeUses,
    /// The kinds of reads that it is forwarded to.
    forwards: BTreeSet<Forwarding>,
}

/// What forms have in common that take the same.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct ScheduledClass {
    writes: Vec<CostedWrite>,
    /// When each source is read after the operation began.
    reads: Vec<ScheduledRead>,
}

/// Forms by their classes.
type Classes = BTreeMap<ScheduledClass, BTreeSet<String>>;

/// Makes a model of a database. Its records begin with `name`.
///
/// Forms are those of the target that the database is about; `ports` is what is known of its ports,
/// by LLVM's names.
#[must_use]
pub fn export(
    database: &Database,
    forms: &BTreeMap<String, InstructionForm>,
    ports: &MachinePorts,
    set: &InstructionSet,
    isa: &dyn Isa,
    name: &str,
) -> SchedulingModel {
    let mut account = SchedulingAccount::default();
    let told = told(database, forms, set, &mut account);
    let resources = FormResources::new(&told, ports, set, isa);
    let mut classes = Classes::new();
    for (entry, form) in &told {
        if let Some(class) = class(entry, form, &resources, set, &mut account) {
            classes.entry(class).or_default().insert(form.name.clone());
        }
    }
    account.with_ports =
        told.iter().filter(|(_, form)| ports.forms.contains_key(&form.name)).count();
    account.written = classes.values().map(BTreeSet::len).sum();
    account.classes = classes.len();
    let ends = ends_of_blocks(set, &classes);
    account.ends = ends.len();
    let figures = figures(database, &told, ports, isa, set);
    let text = file::text(database, name, figures, (&classes, &resources.units), &ends);
    SchedulingModel { text, name: name.to_owned(), account }
}

/// Entries that something is known of, with their forms.
fn told<'a>(
    database: &Database,
    forms: &'a BTreeMap<String, InstructionForm>,
    set: &InstructionSet,
    account: &mut SchedulingAccount,
) -> Vec<(Entry, &'a InstructionForm)> {
    let mut told = Vec::new();
    for entry in database.entries() {
        let has_value =
            entry.throughput.has_value() || entry.latency.has_value() || entry.ports.has_value();
        if !has_value {
            continue;
        }
        account.forms += 1;
        let name = &entry.subject.llvm_name;
        match forms.get(name) {
            None => account.losses.leave_out("LLVM has no form of that name", name),
            Some(form) if set.base(form.opcode) != form.opcode => {
                let reason = "LLVM has no opcode for an addressing mode, a setting or a zero";
                account.losses.leave_out(reason, name);
            }
            Some(form) => told.push((entry, form)),
        }
    }
    told
}

fn class(
    entry: &Entry,
    form: &InstructionForm,
    resources: &FormResources<'_>,
    set: &InstructionSet,
    account: &mut SchedulingAccount,
) -> Option<ScheduledClass> {
    let times = times::of(entry, form, set);
    let used = resources.of(entry, form);
    for loss in times.losses.iter().chain(&used.losses) {
        account.losses.simplify(loss, &form.name);
    }
    let write = |ScheduledWrite { latency, forwards }| CostedWrite {
        latency,
        forwards,
        ..CostedWrite::default()
    };
    let mut writes: Vec<CostedWrite> = times.writes.into_iter().map(write).collect();
    let first = writes.first_mut()?;
    first.micro_operations = used.micro_operations;
    first.uses = used.uses;
    Some(ScheduledClass { writes, reads: times.reads })
}

/// Opcodes that end basic blocks and are in no class.
fn ends_of_blocks(set: &InstructionSet, classes: &Classes) -> BTreeSet<String> {
    let known: BTreeSet<&String> = classes.values().flatten().collect();
    let opcodes = set.opcodes.iter().filter(|it| it.flags.control_flow && !it.flags.pseudo);
    // (Opcodes of circumstances are none of LLVM's.)
    let is_llvms = |name: &&String| !name.contains('@') && !known.contains(name);
    opcodes.map(|opcode| &opcode.name).filter(is_llvms).cloned().collect()
}

fn figures(
    database: &Database,
    told: &[(Entry, &InstructionForm)],
    ports: &MachinePorts,
    isa: &dyn Isa,
    set: &InstructionSet,
) -> CoreFigures {
    let core = database.core().unwrap_or_default();
    // (What has no result may pass more quickly than anything else: two of them at once.)
    let works =
        |form: &InstructionForm| form.results().next().is_some() || !form.implicit_defs.is_empty();
    let working = told.iter().filter(|(_, form)| works(form));
    let fastest = working.filter_map(|(entry, _)| entry.throughput.value);
    let fastest = fastest.filter(|cycles| *cycles > 0.0).reduce(f64::min);
    let width = ports.width.or(fastest.map(|cycles| 1.0 / cycles));
    let is_load = |form: &InstructionForm| {
        form.memory == MemoryAccess::Load
            && form.results().any(|(_, class)| isa.pool_of(class, set) == RegisterPool::General)
    };
    let loads = told.iter().filter(|(_, form)| is_load(form));
    let load = loads.filter_map(|(entry, form)| of_form(entry, form, isa)).map(|it| it.cycles);
    let penalty = core.wrong_guess.as_ref().and_then(|guess| guess.penalty);
    CoreFigures {
        wrong_guess: penalty.map(whole),
        window: core.window.as_ref().and_then(|window| window.size).map(whole),
        width: width.map(|width| (width.round() as u32).max(1)),
        load_latency: load.filter(|cycles| *cycles >= 1.0).reduce(f64::min).map(whole),
    }
}

/// In whole cycles.
fn whole(cycles: f64) -> u32 {
    cycles.round().max(0.0) as u32
}
