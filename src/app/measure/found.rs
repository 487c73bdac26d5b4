//! What a run found, in the terms of a database.

use std::collections::HashSet;

use super::{Conclusions, command};
use crate::app::records;
use crate::database::{
    self, Database, Header, Latency, Measurement, Origin, Subject, Throughput, Update,
};
use crate::device::{Fault, HostDescription};
use crate::evidence::Account;
use crate::form::{Catalogue, InstructionForm};
use crate::infer::Knowledge;
use crate::metadata::InstructionSet;
use crate::pipeline::Machine;
use crate::sample::Clock;
use crate::study::{Mode, fault_of};

/// A run's values, and what is said about the run.
pub(super) struct Found {
    /// Whose values they are.
    pub origin: Origin,
    modes: Vec<Mode>,
    measurement: Measurement,
    updates: Vec<Update>,
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
        let by_mode = conclusions.iter().flat_map(|of_mode| updates(of_mode, catalogue));
        let asked: HashSet<&String> = account.asked.iter().collect();
        let asked = forms.iter().filter(|form| asked.contains(&form.name));
        let faulted = asked.filter_map(|form| faulted(modes, form, &catalogue.set, knowledge));
        Self {
            origin: account.origin.clone(),
            modes: modes.to_vec(),
            measurement: account.measurement.clone(),
            updates: by_mode.chain(faulted).collect(),
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
        for mode in &self.modes {
            let mode = match mode {
                Mode::Throughput => database::Mode::Throughput,
                Mode::Latency => database::Mode::Latency,
            };
            database.describe(mode, &self.measurement);
        }
        let mut stay = 0;
        for update in &self.updates {
            stay += database.stays(update);
            database.merge(update);
        }
        stay
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
    }
}

fn updates(conclusions: &Conclusions, catalogue: &Catalogue) -> Vec<Update> {
    match conclusions {
        Conclusions::Throughput(forms) => {
            forms.iter().filter_map(|form| records::throughput(form, catalogue)).collect()
        }
        Conclusions::Latency(..) => conclusions
            .edges_by_form(catalogue)
            .into_iter()
            .filter_map(|(form, edges)| records::latency(&edges, form, catalogue))
            .collect(),
    }
}

/// Forms that this CPU has but user mode cannot execute stand in the database with the reason.
fn faulted(
    modes: &[Mode],
    form: &InstructionForm,
    set: &InstructionSet,
    knowledge: &Knowledge,
) -> Option<Update> {
    let reason = fault_of(knowledge, form.opcode)?;
    if reason == Fault::IllegalInstruction.to_string() {
        return None;
    }
    let subject: Subject = records::subject(form, set);
    let status = Some(format!("failed: {reason}"));
    let has = |mode| modes.contains(&mode);
    let throughput = has(Mode::Throughput)
        .then(|| Throughput { status: status.clone(), ..Throughput::default() });
    let latency = has(Mode::Latency).then(|| Latency { status, ..Latency::default() });
    Some(Update { subject, throughput, latency })
}
