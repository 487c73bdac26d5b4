//! What a run found, in the terms of a database.

use std::collections::HashSet;

use super::{Conclusions, command};
use crate::app::records;
use crate::database::{
    self, Cause, Database, Header, Latency, LoopConflict, Measurement, Origin, Subject, Throughput,
    Update, ValueStatus,
};
use crate::device::{Fault, HostDescription};
use crate::evidence::Account;
use crate::form::{Catalogue, InstructionForm};
use crate::infer::Knowledge;
use crate::metadata::InstructionSet;
use crate::pipeline::Machine;
use crate::report::findings as report;
use crate::sample::Clock;
use crate::study::{Mode, fault_of};

/// A run's values, and what is said about the run.
pub(super) struct Found {
    /// Whose values they are.
    pub origin: Origin,
    /// What was asked for, by mode.
    findings: Vec<Findings>,
    measurement: Measurement,
    /// Forms that do not execute.
    faulted: Vec<Update>,
}

/// What a run found in one mode, with what it did not come to ask for.
struct Findings {
    mode: database::Mode,
    updates: Vec<Update>,
    conflicts: Vec<LoopConflict>,
}

impl Found {
    /// What conclusions say of the forms that were asked for; `forms` are those that were tried.
    pub fn new(
        account: &Account,
        modes: &[Mode],
        conclusions: &[Conclusions],
        forms: &[InstructionForm],
        (catalogue, knowledge): (&Catalogue, &Knowledge),
    ) -> Self {
        let asked: HashSet<&String> = account.asked.iter().collect();
        let asked = forms.iter().filter(|form| asked.contains(&form.name));
        let faulted = asked.filter_map(|form| faulted(modes, form, &catalogue.set, knowledge));
        Self {
            origin: account.origin.clone(),
            findings: conclusions.iter().map(|of_mode| Findings::of(of_mode, catalogue)).collect(),
            measurement: account.measurement.clone(),
            faulted: faulted.collect(),
        }
    }

    /// A database of this run alone.
    pub fn alone(&self) -> Database {
        let mut database = Database::default();
        self.merge_into(&mut database);
        database
    }

    /// Puts the values in; returns how many stay because the run has none that is as good.
    pub fn merge_into(&self, database: &mut Database) -> usize {
        database.complete_header(&Header {
            winic_version: Some(env!("CARGO_PKG_VERSION").to_owned()),
            ..self.origin.header()
        });
        for Findings { mode, conflicts, .. } in &self.findings {
            let conflicts = conflicts.clone();
            database.describe(*mode, &Measurement { conflicts, ..self.measurement.clone() });
        }
        let mut stay = 0;
        let found = self.findings.iter().flat_map(|findings| &findings.updates);
        for update in found.chain(&self.faulted).filter_map(Update::asked) {
            stay += database.stays(&update);
            database.merge(&update);
        }
        stay
    }

    /// A line for each value.
    pub fn lines(&self) -> Vec<String> {
        self.findings.iter().flat_map(Findings::lines).collect()
    }

    /// How everything was measured.
    pub fn report(&self) -> String {
        self.findings.iter().map(Findings::report).collect()
    }
}

impl Findings {
    fn of(conclusions: &Conclusions, catalogue: &Catalogue) -> Self {
        match conclusions {
            Conclusions::Throughput(forms) => Self {
                mode: database::Mode::Throughput,
                updates: forms
                    .iter()
                    .filter_map(|form| records::throughput(form, catalogue))
                    .collect(),
                conflicts: Vec::new(),
            },
            Conclusions::Latency(_, conflicts) => Self {
                mode: database::Mode::Latency,
                updates: conclusions
                    .edges_by_form(catalogue)
                    .into_iter()
                    .map(|(form, edges)| records::latency(&edges, form, catalogue))
                    .collect(),
                conflicts: conflicts.clone(),
            },
        }
    }

    fn throughputs(&self) -> impl Iterator<Item = (&Subject, &Throughput)> {
        self.updates
            .iter()
            .filter_map(|update| Some((&update.subject, update.throughput.as_ref()?)))
    }

    fn latencies(&self) -> impl Iterator<Item = (&Subject, &Latency)> {
        self.updates.iter().filter_map(|update| Some((&update.subject, update.latency.as_ref()?)))
    }

    fn lines(&self) -> Vec<String> {
        let throughputs =
            self.throughputs().map(|(subject, it)| report::throughput_line(subject, it));
        let latencies =
            self.latencies().flat_map(|(subject, it)| report::latency_lines(subject, it));
        throughputs.chain(latencies).collect()
    }

    fn report(&self) -> String {
        report::of_throughputs(self.throughputs())
            + &report::of_latencies(self.latencies(), &self.conflicts)
    }
}

/// Where, when and how a run measured.
pub(super) fn measurement(machine: &Machine, host: &HostDescription, date: &str) -> Measurement {
    let clock = match machine.timebase.clock {
        Clock::Reference { .. } => "reference",
        Clock::Fixed { .. } => "fixed",
        Clock::Counter => "counter",
        Clock::Absent => "none",
    };
    Measurement {
        cpu: Some(host.cpu.clone()),
        system: Some(host.system.clone()),
        clock: host.ticks.map(|ticks| {
            format!("{clock} ({}, {})", ticks.name(), machine.timebase.reference.symbol)
        }),
        frequency: machine
            .frequency
            .map(|frequency| (frequency.gigahertz() * 1000.0).round() / 1000.0),
        date: Some(date.to_owned()),
        winic_version: Some(env!("CARGO_PKG_VERSION").to_owned()),
        llvm_version: Some(machine.catalogue.set.llvm_version.clone()),
        command: Some(command::as_typed(
            std::env::args_os(),
            &std::env::current_dir().unwrap_or_default(),
        )),
        conflicts: Vec::new(),
    }
}

/// Forms that this CPU has but user mode cannot execute stand in the database with the reason.
fn faulted(
    modes: &[Mode],
    form: &InstructionForm,
    set: &InstructionSet,
    knowledge: &Knowledge,
) -> Option<Update> {
    let cause = fault_of(knowledge, form.opcode)?;
    if cause == Cause::Fault(Fault::IllegalInstruction) {
        return None;
    }
    let subject: Subject = records::subject(form, set);
    let status = Some(ValueStatus::Failed(cause));
    let has = |mode| modes.contains(&mode);
    let throughput = has(Mode::Throughput)
        .then(|| Throughput { status: status.clone(), ..Throughput::default() });
    let latency = has(Mode::Latency).then(|| Latency { status, ..Latency::default() });
    Some(Update { subject, throughput, latency })
}
