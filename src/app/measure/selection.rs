//! Which forms a run is about, and which it must know to measure them.

use std::collections::HashSet;

use super::Questions;
use crate::app::Failure;
use crate::app::names::{Named, resolve};
use crate::catalogue::{Canonical, Catalogue};
use crate::cli::Measure;
use crate::form::InstructionForm;
use crate::metadata::OpcodeId;
use crate::pipeline::{Machine, Target, is_measurable};
use crate::study::fault_of;
use crate::study::latency::relevant_forms;

/// The forms of a run.
pub(in crate::app) struct AskedForms {
    /// Whether they were asked for by name.
    pub by_name: bool,
    /// What was asked for, in order.
    pub asked: Vec<OpcodeId>,
    /// Forms to find out about: those, and what may help to measure them.
    pub surveyed: Vec<InstructionForm>,
    /// For each name and pattern what it stands for.
    requests: Vec<Vec<OpcodeId>>,
    /// What was asked for by name and has no form, with the reason.
    excluded: Vec<(String, String)>,
}

impl AskedForms {
    /// What questions are about: of those about the core itself the forms that show its front end.
    pub fn of(options: &Measure, questions: &Questions, target: &Target) -> Result<Self, Failure> {
        if questions.iter().all(|question| !question.is_of_forms) {
            Ok(Self::none(questions, target))
        } else if options.instructions.is_empty() {
            Self::all(options, target)
        } else {
            Self::by_name(options, questions, target)
        }
    }

    fn none(questions: &Questions, target: &Target) -> Self {
        let own = questions.iter().flat_map(|question| (question.forms)(&*target.isa));
        // The unit of time is known by these, whatever is asked.
        let needed: HashSet<&str> =
            own.chain(target.isa.simplest_forms().iter().copied()).collect();
        let aliases = HashSet::new();
        let is_needed = |form: &&InstructionForm| needed.contains(form.name.as_str());
        let surveyed = target.forms(&aliases).filter(is_needed).cloned().collect();
        let (asked, requests, excluded) = (Vec::new(), Vec::new(), Vec::new());
        Self { by_name: false, asked, surveyed, requests, excluded }
    }

    fn all(options: &Measure, target: &Target) -> Result<Self, Failure> {
        let in_range = |opcode: OpcodeId| {
            options.min_opcode.is_none_or(|low| opcode.0 >= low)
                && options.max_opcode.is_none_or(|high| opcode.0 <= high)
        };
        let none = HashSet::new();
        let surveyed: Vec<InstructionForm> =
            target.forms(&none).filter(|form| is_measurable(form)).cloned().collect();
        let wanted = |form: &&InstructionForm| {
            in_range(form.opcode) && (options.x87 || !target.isa.is_deprecated_floating_point(form))
        };
        let asked: Vec<OpcodeId> = surveyed.iter().filter(wanted).map(|form| form.opcode).collect();
        if asked.is_empty() && (options.min_opcode.is_some() || options.max_opcode.is_some()) {
            return Err(empty_range(options));
        }
        Ok(Self { by_name: false, asked, surveyed, requests: Vec::new(), excluded: Vec::new() })
    }

    fn by_name(options: &Measure, questions: &Questions, target: &Target) -> Result<Self, Failure> {
        let mut requests = Vec::new();
        let mut excluded = Vec::new();
        for named in resolve(&options.instructions, target)? {
            let request = if named.is_pattern {
                forms_of(&named, target)
            } else {
                NameRequest { opcodes: named.opcodes.clone(), without: why_none(&named, target) }
            };
            excluded.extend(request.without.map(|reason| (named.text, reason)));
            requests.push(request.opcodes);
        }
        let asked = requests.concat();
        let aliases: HashSet<OpcodeId> = asked.iter().copied().collect();
        let forms: Vec<InstructionForm> =
            target.forms(&aliases).filter(|form| is_measurable(form)).cloned().collect();
        let all = Catalogue::new(target.set.clone(), target.isa.clone(), forms, &HashSet::new());
        let own = questions.iter().flat_map(|question| (question.forms)(&*target.isa));
        let own = own.filter_map(|name| all.form_by_name(name)).map(|form| form.opcode);
        let needed: Vec<OpcodeId> = asked.iter().copied().chain(own).collect();
        let surveyed = relevant_forms(&all, &needed).into_iter().cloned().collect();
        Ok(Self { by_name: true, asked, surveyed, requests, excluded })
    }

    /// Whether each name, and of each pattern at least one form, is among those that got a value.
    pub fn is_met_by(&self, with_value: &HashSet<OpcodeId>) -> bool {
        self.requests.iter().all(|request| request.iter().any(|opcode| with_value.contains(opcode)))
    }

    /// What was asked for and executes.
    pub fn subjects(&self, machine: &Machine) -> Vec<OpcodeId> {
        let mut seen = HashSet::new();
        let executable = |opcode: &OpcodeId| machine.catalogue.form(*opcode).is_some();
        self.asked
            .iter()
            .copied()
            .filter(executable)
            .filter(|&opcode| seen.insert(opcode))
            .collect()
    }

    /// What was asked for and does not execute, with the reason.
    pub fn without_form(&self, machine: &Machine) -> Vec<(String, String)> {
        let mut seen = HashSet::new();
        let asked = self.asked.iter().filter(|&&opcode| seen.insert(opcode));
        let faults = asked.filter_map(|&opcode| {
            let fault = fault_of(&machine.knowledge, opcode, &*machine.catalogue.isa)?;
            Some((machine.catalogue.set.opcode(opcode).name.clone(), fault.to_string()))
        });
        self.excluded.iter().cloned().chain(faults).collect()
    }
}

/// What a name or pattern asks to be measured.
struct NameRequest {
    opcodes: Vec<OpcodeId>,
    /// Why that is nothing that could be, if it is not.
    without: Option<String>,
}

/// The forms that a pattern names: other spellings of them, and what cannot be measured, must be
/// asked for by name.
fn forms_of(named: &Named, target: &Target) -> NameRequest {
    let form = |opcode: &OpcodeId| {
        let canonical = &target.listings[opcode.0 as usize].canonical;
        matches!(canonical, Canonical::Form(form) if is_measurable(form))
    };
    let opcodes: Vec<OpcodeId> = named.opcodes.iter().copied().filter(form).collect();
    let count = opcodes.len();
    let forms = if count == 1 { "form" } else { "forms" };
    eprintln!("note: '{}' names {count} {forms}", named.text);
    let without = opcodes.is_empty().then(|| {
        format!(
            "of the {} opcodes that it matches none is a form that can be measured; \
             `winic list --all '{}'` has the reasons",
            named.opcodes.len(),
            named.text
        )
    });
    NameRequest { opcodes, without }
}

fn why_none(named: &Named, target: &Target) -> Option<String> {
    named.opcodes.iter().find_map(|opcode| why_not(&target.listings[opcode.0 as usize].canonical))
}

fn why_not(canonical: &Canonical) -> Option<String> {
    match canonical {
        Canonical::Excluded(reason) => Some(reason.to_string()),
        Canonical::Form(form) | Canonical::Alias(form) => (!is_measurable(form))
            .then(|| "it accesses memory in a way that is not measured yet".to_owned()),
    }
}

fn empty_range(options: &Measure) -> Failure {
    let low = options.min_opcode.map(|low| format!(" from --minOpcode {low}"));
    let high = options.max_opcode.map(|high| format!(" up to --maxOpcode {high}"));
    Failure::nothing(format!(
        "no form has a number{}{}; `winic list --numbers` shows them",
        low.unwrap_or_default(),
        high.unwrap_or_default()
    ))
}
