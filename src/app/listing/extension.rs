//! Extensions of an instruction set, and which forms need one.

use crate::app::Failure;
use crate::app::names::suggestion;
use crate::app::near;
use crate::codec::Codec as _;
use crate::form::InstructionForm;
use crate::isa::{cpuid, decodes_everything, is_part_of_extensions};
use crate::llvm::{Feature, Llvm, TargetError};
use crate::pipeline::{PipelineError, Target};

/// An extension.
pub(super) enum Extension {
    /// By LLVM's decoder, which refuses what it needs and does not have.
    Decoded(Box<Decoders>),
    /// By CPUID's name, where LLVM's decoder refuses nothing.
    Cpuid(String),
}

/// Decoders with and without an extension.
pub(super) struct Decoders {
    /// All that the target has, without it.
    without: Llvm,
    /// It and what it implies, on a bare CPU.
    only: Llvm,
    /// What it implies, on a bare CPU, without it.
    prerequisites: Llvm,
}

impl Extension {
    /// The extension of a name.
    pub fn find(name: &str, target: &Target) -> Result<Self, Failure> {
        if decodes_everything(&target.set.architecture) {
            let known: Vec<String> = cpuid::names().collect();
            let found = cpuid::extension(name).map(Self::Cpuid);
            return found.ok_or_else(|| unknown(name, &known, target));
        }
        let known: Vec<String> = target.llvm.features().map(|(_, name)| name).collect();
        let found = target.llvm.features().find(|(_, known)| known.eq_ignore_ascii_case(name));
        let (feature, name) = found.ok_or_else(|| unknown(name, &known, target))?;
        let decoders = Decoders::new(feature, &name, target).map_err(PipelineError::from)?;
        Ok(Self::Decoded(Box::new(decoders)))
    }

    /// Whether a form needs it, or can do with it where there is a choice.
    pub fn brings(&mut self, form: &InstructionForm, target: &mut Target) -> bool {
        let Ok(bytes) = target.llvm.encode(&target.set.encodable(&form.sample)) else {
            return false;
        };
        match self {
            Self::Cpuid(name) => cpuid::needs(&bytes, name),
            Self::Decoded(decoders) => decoders.tell(&bytes),
        }
    }
}

impl Decoders {
    fn new(feature: Feature, name: &str, target: &Target) -> Result<Self, TargetError> {
        let parts = parts(feature, target);
        let only = target.llvm.with_only(name)?;
        Ok(Self {
            without: target.llvm.without(&parts)?,
            prerequisites: only.without(&parts)?,
            only,
        })
    }

    fn tell(&mut self, bytes: &[u8]) -> bool {
        let is_needed = self.without.decode(bytes).is_err();
        is_needed || (self.only.decode(bytes).is_ok() && self.prerequisites.decode(bytes).is_err())
    }
}

/// An extension and what belongs to it of what it implies.
fn parts(feature: Feature, target: &Target) -> Vec<Feature> {
    let mut parts = vec![feature];
    let mut looked_at = 0;
    while looked_at < parts.len() {
        let implied = target.llvm.implied_by(parts[looked_at]);
        let belongs = |name: &str| is_part_of_extensions(&target.set.architecture, name);
        let more: Vec<Feature> = implied
            .filter(|(part, name)| belongs(name) && !parts.contains(part))
            .map(|(part, _)| part)
            .collect();
        parts.extend(more);
        looked_at += 1;
    }
    parts
}

fn unknown(name: &str, known: &[String], target: &Target) -> Failure {
    Failure::new(format!(
        "nothing is known of an extension '{name}' of {};{} LLVM's names are taken",
        target.set.architecture,
        suggestion(&near::names(name, known.iter().map(String::as_str)))
    ))
}
