//! What a run found, in the terms of a database.

use super::{Conclusions, Selection, command};
use crate::app::records;
use crate::database::{
    self, Database, Header, Latency, Measurement, Origin, Subject, Throughput, Update,
};
use crate::device::{Fault, HostDescription};
use crate::form::InstructionForm;
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
    pub fn new(
        (origin, date): (Origin, String),
        modes: &[Mode],
        selection: &Selection,
        conclusions: &[Conclusions],
        machine: &Machine,
        host: &HostDescription,
    ) -> Self {
        Self {
            origin,
            modes: modes.to_vec(),
            measurement: measurement(machine, host, date),
            updates: updates(modes, selection, conclusions, machine),
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

fn measurement(machine: &Machine, host: &HostDescription, date: String) -> Measurement {
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
        date: Some(date),
        winic_version: Some(env!("CARGO_PKG_VERSION").to_owned()),
        llvm_version: Some(machine.catalogue.set.llvm_version.clone()),
        command: Some(command::as_typed(
            std::env::args_os(),
            &std::env::current_dir().unwrap_or_default(),
        )),
    }
}

fn updates(
    modes: &[Mode],
    selection: &Selection,
    conclusions: &[Conclusions],
    machine: &Machine,
) -> Vec<Update> {
    let catalogue = &machine.catalogue;
    let of_mode = |conclusions: &Conclusions| -> Vec<Update> {
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
    };
    let mut out: Vec<Update> = conclusions.iter().flat_map(of_mode).collect();
    let asked = |form: &&InstructionForm| selection.asked.contains(&form.opcode);
    let asked = selection.surveyed.iter().filter(asked);
    out.extend(asked.filter_map(|form| faulted(modes, form, machine)));
    out
}

/// Forms that this CPU has but user mode cannot execute stand in the database with the reason.
fn faulted(modes: &[Mode], form: &InstructionForm, machine: &Machine) -> Option<Update> {
    let reason = fault_of(&machine.knowledge, form.opcode)?;
    if reason == Fault::IllegalInstruction.to_string() {
        return None;
    }
    let subject: Subject = records::subject(form, &machine.catalogue.set);
    let status = Some(format!("failed: {reason}"));
    let has = |mode| modes.contains(&mode);
    let throughput = has(Mode::Throughput)
        .then(|| Throughput { status: status.clone(), ..Throughput::default() });
    let latency = has(Mode::Latency).then(|| Latency { status, ..Latency::default() });
    Some(Update { subject, throughput, latency })
}
