//! The forms that are asked about, with what their throughput says.

use crate::catalogue::Catalogue;
use crate::form::{InstructionForm, MemoryAccess};
use crate::infer::Knowledge;
use crate::kernel::Breaking;
use crate::maps::Set;
use crate::metadata::OpcodeId;
use crate::study::Missing;
use crate::study::throughput::{
    ThroughputConclusion, ThroughputStudy, companions_of, dependences_of,
};

/// A form whose throughput is known.
#[derive(Debug, Clone)]
pub(super) struct PortSubject {
    pub opcode: OpcodeId,
    /// Cycles of an instance, at best. Of one with breakers, with their share.
    pub each: f64,
    /// How far off that may be, as a share.
    pub uncertainty: f64,
    /// What breaks its dependences, after how many instances.
    pub breaking: Vec<Breaking>,
    pub interval: u32,
    pub accesses_memory: bool,
    /// Registers that it reads by name.
    pub sources: usize,
    /// Whether it is one of the ISA's candidates and depends on nothing that it writes.
    pub may_block: bool,
}

#[cfg(test)]
impl PortSubject {
    /// One that takes so many cycles, reads so many registers, and depends on nothing.
    pub fn of_a_test(opcode: OpcodeId, each: f64, sources: usize) -> Self {
        Self {
            opcode,
            each,
            uncertainty: 0.0,
            breaking: Vec::new(),
            interval: 1,
            accesses_memory: false,
            sources,
            may_block: false,
        }
    }
}

/// Why a form has no ports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unfit {
    /// No throughput is known.
    NoThroughput,
    /// It stands beside others that keep the machine sane.
    Companions,
    /// What it takes is how long accesses to memory beside it do.
    Orders,
    /// It takes so long that its ports do not show.
    Slow,
}

impl Unfit {
    pub fn text(self) -> &'static str {
        match self {
            Self::NoThroughput => "no throughput",
            Self::Companions => "others must stand beside each instance",
            Self::Orders => "waits for accesses to memory beside it",
            Self::Slow => "takes too long for its ports to show",
        }
    }
}

/// From here on what a form occupies is not its ports.
const SLOW: f64 = 24.0;

/// Forms by name that the ISA proposes as blockers.
pub(super) fn candidates(catalogue: &Catalogue) -> Vec<OpcodeId> {
    named(catalogue, catalogue.isa.blocker_candidates())
}

/// Forms by name that may fill the front end and no port.
pub(super) fn front_end_candidates(catalogue: &Catalogue) -> Vec<OpcodeId> {
    named(catalogue, catalogue.isa.front_end_candidates())
}

fn named(catalogue: &Catalogue, names: &[&str]) -> Vec<OpcodeId> {
    let forms = names.iter().filter_map(|name| catalogue.form_by_name(name));
    forms.map(|form| form.opcode).collect()
}

/// All subjects with their throughput; and why others have no ports.
pub(super) fn subjects(
    catalogue: &Catalogue,
    asked: &[OpcodeId],
    knowledge: &Knowledge,
) -> (Vec<PortSubject>, Vec<(OpcodeId, Unfit)>) {
    let candidates: Set<OpcodeId> = candidates(catalogue).into_iter().collect();
    let (mut fit, mut unfit) = (Vec::new(), Vec::new());
    for conclusion in ThroughputStudy::new(catalogue, asked).conclusions(knowledge) {
        let Some(form) = catalogue.form(conclusion.opcode) else { continue };
        match subject(catalogue, form, &conclusion, candidates.contains(&form.opcode)) {
            Ok(subject) => fit.push(subject),
            Err(reason) => unfit.push((form.opcode, reason)),
        }
    }
    (fit, unfit)
}

fn subject(
    catalogue: &Catalogue,
    form: &InstructionForm,
    conclusion: &ThroughputConclusion,
    is_candidate: bool,
) -> Result<PortSubject, Unfit> {
    let value = match &conclusion.value {
        Ok(value) => value,
        Err(Missing::NotAsked | Missing::Because(_)) => return Err(Unfit::NoThroughput),
    };
    if companions_of(catalogue, form).next().is_some() || !form.spent.is_empty() {
        return Err(Unfit::Companions);
    }
    if catalogue.isa.memory_barriers().contains(&form.name.as_str()) {
        return Err(Unfit::Orders);
    }
    // (Of values of operands that are all usual, the first: that is what mixtures hold.)
    let interval = value.headline_interval();
    let each = interval.upper().0;
    if each > SLOW {
        return Err(Unfit::Slow);
    }
    let is_tied = form.operands.iter().any(|operand| operand.tied_to.is_some());
    let is_exact = interval.upper() == interval.lower();
    Ok(PortSubject {
        opcode: form.opcode,
        each,
        uncertainty: value.uncertainty.0 / each,
        breaking: value.body.breaking.clone(),
        interval: value.body.interval,
        accesses_memory: form.memory != MemoryAccess::None,
        sources: sources_of(form),
        may_block: is_candidate
            && is_exact
            && !is_tied
            && dependences_of(catalogue, form).is_empty(),
    })
}

/// How many registers a form reads by name.
fn sources_of(form: &InstructionForm) -> usize {
    let named = (0..form.operands.len()).filter(|&index| form.class_of(index).is_some());
    named.filter(|&index| form.operands[index].read).count()
}
