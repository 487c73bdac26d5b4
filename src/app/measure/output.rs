//! Where results go: the database and the report.

use std::path::{Path, PathBuf};

use super::{Conclusions, Selection, command};
use crate::app::{Failure, records, report};
use crate::cli::Measure;
use crate::database::{
    self, Database, Destination, Header, Measurement, Subject, Throughput, Update,
};
use crate::device::HostDescription;
use crate::files;
use crate::form::InstructionForm;
use crate::pipeline::Machine;
use crate::plan::{Mode, fault_of};
use crate::sample::Clock;

/// The files of a run, checked before anything is measured.
pub(super) struct Output {
    modes: Vec<Mode>,
    database: PathBuf,
    destination: Destination,
    report: Option<PathBuf>,
    date: String,
}

impl Output {
    pub fn open(options: &Measure, modes: &[Mode]) -> Result<Self, Failure> {
        let now = jiff::Zoned::now();
        let stamp = now.strftime("%Y-%m-%d_%H-%M-%S").to_string();
        let name = mode_name(modes);
        let database = options
            .output
            .clone()
            .unwrap_or_else(|| PathBuf::from(format!("winic_{name}_{stamp}.yaml")));
        let beside = match database.parent() {
            Some(parent) if parent.is_dir() && database != Path::new("/dev/null") => {
                parent.to_owned()
            }
            _ => PathBuf::new(),
        };
        let report =
            (!options.no_report).then(|| beside.join(format!("report_{name}_{stamp}.txt")));
        let destination = Destination::open(&database)?;
        let date = now.strftime("%Y-%m-%dT%H:%M:%S%:z").to_string();
        Ok(Self { modes: modes.to_vec(), database, destination, report, date })
    }

    /// The database, unless what is written is thrown away.
    pub fn database(&self) -> Option<&Path> {
        self.destination.file()
    }

    /// Writes both; returns what to tell the user about them.
    pub fn write(
        &self,
        selection: &Selection,
        conclusions: &[Conclusions],
        machine: &Machine,
        host: &HostDescription,
    ) -> Result<Vec<PathBuf>, Failure> {
        let updates = self.updates(selection, conclusions, machine);
        let mut written = Vec::new();
        if self.database != Path::new("/dev/null") {
            written.push(self.save(&updates, machine, host)?);
        }
        if let Some(path) = &self.report {
            let text: String = conclusions.iter().map(|mode| report_text(mode, machine)).collect();
            files::replace(path, text.as_bytes()).map_err(|error| {
                let (path, remedy) = (files::shown(path), files::remedy(&error));
                Failure::new(format!("cannot write {path}: {error}; {remedy}"))
            })?;
            written.push(path.clone());
        }
        Ok(written)
    }

    /// Merges the results into what the database says by now.
    fn save(
        &self,
        updates: &[Update],
        machine: &Machine,
        host: &HostDescription,
    ) -> Result<PathBuf, Failure> {
        let known = self.destination.read()?;
        self.destination.save(&self.merged(known, updates, machine, host))?;
        Ok(self.database.clone())
    }

    fn merged(
        &self,
        mut database: Database,
        updates: &[Update],
        machine: &Machine,
        host: &HostDescription,
    ) -> Database {
        let set = &machine.catalogue.set;
        database.complete_header(&Header {
            winic_version: Some(env!("CARGO_PKG_VERSION").to_owned()),
            isa: Some(set.architecture.clone()),
            micro_architecture: Some(set.cpu.clone()),
        });
        let measurement = self.measurement(machine, host);
        for mode in &self.modes {
            let mode = match mode {
                Mode::Throughput => database::Mode::Throughput,
                Mode::Latency => database::Mode::Latency,
            };
            database.describe(mode, &measurement);
        }
        updates.iter().for_each(|update| database.merge(update));
        database
    }

    fn measurement(&self, machine: &Machine, host: &HostDescription) -> Measurement {
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
            date: Some(self.date.clone()),
            winic_version: Some(env!("CARGO_PKG_VERSION").to_owned()),
            llvm_version: Some(machine.catalogue.set.llvm_version.clone()),
            command: Some(command::as_typed(
                std::env::args_os(),
                &std::env::current_dir().unwrap_or_default(),
            )),
        }
    }

    fn updates(
        &self,
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
        out.extend(
            selection.surveyed.iter().filter(asked).filter_map(|form| self.faulted(form, machine)),
        );
        out
    }

    /// Forms that this CPU has but user mode cannot execute stand in the database with the reason.
    fn faulted(&self, form: &InstructionForm, machine: &Machine) -> Option<Update> {
        let reason = fault_of(&machine.knowledge, form.opcode)?;
        if reason == crate::device::Fault::IllegalInstruction.to_string() {
            return None;
        }
        let subject: Subject = records::subject(form, &machine.catalogue.set);
        let status = Some(format!("failed: {reason}"));
        let has = |mode| self.modes.contains(&mode);
        let throughput = has(Mode::Throughput)
            .then(|| Throughput { status: status.clone(), ..Throughput::default() });
        let latency = has(Mode::Latency)
            .then(|| database::Latency { status, ..database::Latency::default() });
        Some(Update { subject, throughput, latency })
    }
}

/// The mode on the command line that measures these.
pub(super) fn mode_name(modes: &[Mode]) -> &'static str {
    match modes {
        [Mode::Throughput] => "TP",
        [Mode::Latency] => "LAT",
        _ => "ALL",
    }
}

fn report_text(conclusions: &Conclusions, machine: &Machine) -> String {
    let catalogue = &machine.catalogue;
    match conclusions {
        Conclusions::Throughput(forms) => {
            forms.iter().map(|form| report::throughput_paragraph(form, catalogue)).collect()
        }
        Conclusions::Latency(_, conflicts) => {
            let forms = conclusions.edges_by_form(catalogue);
            let paragraphs =
                forms.iter().map(|(form, edges)| report::latency_paragraph(edges, form, catalogue));
            let conflicts = conflicts.iter().map(|conflict| format!("conflict: {conflict}\n"));
            paragraphs.chain(conflicts).collect()
        }
    }
}
