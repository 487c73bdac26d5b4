//! Which forms a run is about, and which it must know to measure them.

use std::collections::HashSet;

use crate::app::{Failure, near};
use crate::cli::Measure;
use crate::form::{Canonical, Catalogue, InstructionForm};
use crate::metadata::OpcodeId;
use crate::pipeline::{Machine, Target, is_register_only};
use crate::plan::{fault_of, relevant_forms};

/// The forms of a run.
pub(in crate::app) struct Selection {
    /// Whether they were asked for by name.
    pub by_name: bool,
    /// What was asked for, in order.
    pub asked: Vec<OpcodeId>,
    /// Forms to find out about: those, and what may help to measure them.
    pub surveyed: Vec<InstructionForm>,
    /// What was asked for by name and has no form, with the reason.
    excluded: Vec<(String, String)>,
}

impl Selection {
    pub fn of(options: &Measure, target: &Target) -> Result<Self, Failure> {
        if let (Some(low), Some(high)) = (options.min_opcode, options.max_opcode)
            && low > high
        {
            return Err(Failure::new(format!("--minOpcode {low} is above --maxOpcode {high}")));
        }
        if options.instructions.is_empty() {
            Ok(Self::all(options, target))
        } else {
            Self::by_name(options, target)
        }
    }

    fn all(options: &Measure, target: &Target) -> Self {
        let in_range = |opcode: OpcodeId| {
            options.min_opcode.is_none_or(|low| opcode.0 >= low)
                && options.max_opcode.is_none_or(|high| opcode.0 <= high)
        };
        let none = HashSet::new();
        let surveyed: Vec<InstructionForm> =
            target.forms(&none).filter(|form| is_register_only(form)).cloned().collect();
        let wanted = |form: &&InstructionForm| {
            in_range(form.opcode) && (options.x87 || !target.isa.is_deprecated_floating_point(form))
        };
        let asked = surveyed.iter().filter(wanted).map(|form| form.opcode).collect();
        Self { by_name: false, asked, surveyed, excluded: Vec::new() }
    }

    fn by_name(options: &Measure, target: &Target) -> Result<Self, Failure> {
        let mut asked = Vec::new();
        let mut excluded = Vec::new();
        for name in &options.instructions {
            let opcode = target.set.by_name(name).ok_or_else(|| unknown(name, target))?;
            match why_not(&target.listings[opcode.0 as usize].canonical) {
                None => asked.push(opcode),
                Some(reason) => {
                    excluded.push((name.clone(), reason));
                    asked.push(opcode);
                }
            }
        }
        let aliases: HashSet<OpcodeId> = asked.iter().copied().collect();
        let forms: Vec<InstructionForm> =
            target.forms(&aliases).filter(|form| is_register_only(form)).cloned().collect();
        let all = Catalogue::new(target.set.clone(), target.isa.clone(), forms, &HashSet::new());
        let surveyed = relevant_forms(&all, &asked).into_iter().cloned().collect();
        Ok(Self { by_name: true, asked, surveyed, excluded })
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
        let faults = self.asked.iter().filter_map(|&opcode| {
            let fault = fault_of(&machine.knowledge, opcode)?;
            Some((machine.catalogue.set.opcode(opcode).name.clone(), fault))
        });
        self.excluded.iter().cloned().chain(faults).collect()
    }
}

fn why_not(canonical: &Canonical) -> Option<String> {
    match canonical {
        Canonical::Excluded(reason) => Some(reason.to_string()),
        Canonical::Form(form) | Canonical::Alias(form) => (!is_register_only(form))
            .then(|| "it touches memory, which is not measured yet".to_owned()),
    }
}

fn unknown(name: &str, target: &Target) -> Failure {
    let opcodes = target.set.opcodes.iter().filter(|opcode| !opcode.flags.pseudo);
    let near = near::names(name, opcodes.map(|opcode| &*opcode.name));
    let hint = match near[..] {
        [] => String::new(),
        _ => format!(" did you mean {}?", near.join(", ")),
    };
    Failure::new(format!(
        "LLVM {} has no opcode '{}' for {};{hint} `winic list --all` names them all",
        target.set.llvm_version,
        near::excerpt(name),
        target.set.architecture,
    ))
}
