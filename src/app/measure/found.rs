//! What a run found, in the terms of a database.

use std::collections::HashSet;

use super::{Questions, command};
use crate::answer::{Cause, ValueStatus};
use crate::catalogue::Catalogue;
use crate::database::{
    Core, Database, ExecutionUnits, Latency, Measurement, Origin, PortUsage, Subject, Sweep,
    Throughput, Update,
};
use crate::device::{Fault, HostDescription};
use crate::evidence::Account;
use crate::form::InstructionForm;
use crate::infer::Knowledge;
use crate::metadata::{InstructionSet, OpcodeId};
use crate::pipeline::Machine;
use crate::report::addressing::of_addressing;
use crate::report::findings as report;
use crate::report::ports as report_ports;
use crate::report::sweep;
use crate::sample::Clock;
use crate::study::{Answers, Question, fault_of, subject};

/// A run's values, and what is said about the run.
pub(super) struct Found {
    /// Whose values they are.
    pub origin: Origin,
    /// What was asked for, by question.
    findings: Vec<Findings>,
    measurement: Measurement,
    /// Forms that do not execute.
    faulted: Vec<Update>,
}

/// What a run found of one question, with what it did not come to ask for.
pub(super) struct Findings {
    question: &'static Question,
    answers: Answers,
}

impl Found {
    /// What answers say of the forms that were asked for; `forms` are those that were tried.
    pub fn new(
        account: &Account,
        questions: &Questions,
        answers: Vec<Answers>,
        forms: &[InstructionForm],
        (catalogue, knowledge): (&Catalogue, &Knowledge),
    ) -> Self {
        let asked: HashSet<&String> = account.asked.iter().collect();
        let asked = forms.iter().filter(|form| asked.contains(&form.name));
        let faulted = asked.flat_map(|form| faulted(questions, form, catalogue, knowledge));
        let findings = questions.iter().zip(answers);
        Self {
            origin: account.origin.clone(),
            findings: findings.map(|(&question, answers)| Findings { question, answers }).collect(),
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
        database.complete_header(&self.origin.header());
        for Findings { question, answers } in &self.findings {
            let conflicts = answers.conflicts.clone();
            let measurement = Measurement { conflicts, ..self.measurement.clone() };
            database.describe(question.key, &measurement);
        }
        if let Some(core) = self.core() {
            database.describe_core(core);
        }
        if let Some(execution) = self.execution() {
            database.describe_execution(execution);
        }
        let mut answers = self.findings.iter().map(|findings| &findings.answers);
        if let Some(times) = answers.find_map(|answers| answers.forwarding.as_ref()) {
            database.describe_forwarding(times);
        }
        let sweeps: Vec<Sweep> = self.sweeps().cloned().collect();
        if !sweeps.is_empty() {
            database.describe_sweeps(&sweeps);
        }
        let mut stay = 0;
        let found = self.findings.iter().flat_map(|findings| &findings.answers.updates);
        for update in found.chain(&self.faulted).filter_map(Update::asked) {
            stay += database.stays(&update);
            database.merge(&update);
        }
        stay
    }

    /// What is said of the core itself.
    pub fn core(&self) -> Option<&Core> {
        self.findings.iter().find_map(|findings| findings.answers.core.as_ref())
    }

    /// What is said of what executes instructions.
    pub fn execution(&self) -> Option<&ExecutionUnits> {
        self.findings.iter().find_map(|findings| findings.answers.execution.as_ref())
    }

    /// All tables.
    pub fn sweeps(&self) -> impl Iterator<Item = &Sweep> {
        self.findings.iter().flat_map(|findings| &findings.answers.sweeps)
    }

    /// The answers to each question.
    pub fn by_question(&self) -> impl Iterator<Item = (&'static Question, &Answers)> {
        self.findings.iter().map(|Findings { question, answers }| (*question, answers))
    }

    /// The forms with at least one value, for each question.
    pub fn with_value(&self, set: &InstructionSet) -> Vec<HashSet<OpcodeId>> {
        let has_value = |update: &&Update| {
            update.throughput.as_ref().is_some_and(Throughput::has_value)
                || update.latency.as_ref().is_some_and(Latency::has_value)
                || update.ports.as_ref().is_some_and(PortUsage::has_value)
        };
        let forms = |(_, answers): (_, &Answers)| {
            let updates = answers.updates.iter().filter(has_value);
            let names = updates.map(|update| &update.subject.llvm_name);
            let swept = answers.sweeps.iter().filter(|sweep| sweep.has_value());
            let names = names.chain(swept.flat_map(|sweep| &sweep.forms));
            names.filter_map(|name| set.by_name(name)).collect()
        };
        self.by_question().map(forms).collect()
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
    fn throughputs(&self) -> impl Iterator<Item = (&Subject, &Throughput)> {
        self.answers
            .updates
            .iter()
            .filter_map(|update| Some((&update.subject, update.throughput.as_ref()?)))
    }

    fn latencies(&self) -> impl Iterator<Item = (&Subject, &Latency)> {
        self.answers
            .updates
            .iter()
            .filter_map(|update| Some((&update.subject, update.latency.as_ref()?)))
    }

    fn ports(&self) -> impl Iterator<Item = (&Subject, &PortUsage)> {
        let updates = self.answers.updates.iter();
        updates.filter_map(|update| Some((&update.subject, update.ports.as_ref()?)))
    }

    fn lines(&self) -> Vec<String> {
        let throughputs =
            self.throughputs().map(|(subject, it)| report::throughput_line(subject, it));
        let latencies =
            self.latencies().flat_map(|(subject, it)| report::latency_lines(subject, it));
        let core = self.answers.core.iter().flat_map(report::core_lines);
        let forwarding = self.answers.forwarding.as_deref().map(report::forwarding_lines);
        let ports = self.ports().filter_map(|(subject, it)| report_ports::line(subject, it));
        let execution = self.answers.execution.iter().flat_map(report_ports::core_lines);
        let sweeps = sweep::lines(&self.answers.sweeps);
        let lines =
            core.chain(forwarding.into_iter().flatten()).chain(throughputs).chain(latencies);
        lines.chain(ports).chain(execution).chain(sweeps).collect()
    }

    fn report(&self) -> String {
        let core = self.answers.core.as_ref().map(report::of_core);
        let forwarding = self.answers.forwarding.as_deref().map(report::of_forwarding);
        core.unwrap_or_default()
            + &forwarding.unwrap_or_default()
            + &sweep::of_sweeps(&self.answers.sweeps)
            + &of_addressing(self.throughputs(), self.latencies())
            + &report::of_throughputs(self.throughputs())
            + &report::of_latencies(self.latencies(), &self.answers.conflicts)
            + &report_ports::paragraph(self.answers.execution.as_ref(), self.ports())
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
        command: Some(command::of_this_run()),
        conflicts: Vec::new(),
    }
}

/// Forms that this CPU has but user mode cannot execute stand in the database with the reason.
fn faulted(
    questions: &Questions,
    form: &InstructionForm,
    catalogue: &Catalogue,
    knowledge: &Knowledge,
) -> Vec<Update> {
    let cause = fault_of(knowledge, form.opcode, &*catalogue.isa);
    let cause = cause.filter(|cause| *cause != Cause::Fault(Fault::IllegalInstruction));
    let failed = |cause: Cause| {
        let subject = subject(form, &catalogue.set);
        let failed = |question: &&Question| {
            (question.failed)(subject.clone(), ValueStatus::Failed(cause.clone()))
        };
        questions.iter().map(failed).collect()
    };
    cause.map(failed).unwrap_or_default()
}
