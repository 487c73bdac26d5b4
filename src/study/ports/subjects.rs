//! The forms that are asked about, with what their throughput says.

use super::reach::Reach;
use crate::catalogue::Catalogue;
use crate::form::{InstructionForm, MemoryAccess};
use crate::infer::Knowledge;
use crate::infer::ports::WorkedOn;
use crate::isa::RegisterPool;
use crate::kernel::Breaking;
use crate::maps::{Map, Set};
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
    /// What it does to memory.
    pub memory: MemoryAccess,
    /// Which registers it works on.
    pub registers: WorkedOn,
    /// Registers of one file that it reads by name ([`sources_of`]).
    pub sources: usize,
    /// Whether it is one of the ISA's candidates and depends on nothing that it writes.
    pub may_block: bool,
}

impl PortSubject {
    pub fn accesses_memory(&self) -> bool {
        self.memory != MemoryAccess::None
    }
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
            memory: MemoryAccess::None,
            registers: WorkedOn::Any,
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

/// Cores read two registers of a file for an instruction without further ado. For a third one they have few ways.
/// (On a Zen 4, `vfmadd` and `vpermt2ps`, two a cycle each, take a cycle together, and have a port of three in
/// common; `vfmadd` and `vpternlogd` of 128 bits together 0.86 where ports allow 0.5, `vfmadd` and `vpandd` 0.63.)
pub(super) const MANY_SOURCES: usize = 3;

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
        memory: form.memory,
        registers: Reach::of(catalogue, form).registers(),
        sources: sources_of(catalogue, form),
        may_block: is_candidate
            && is_exact
            && !is_tied
            && dependences_of(catalogue, form).is_empty(),
    })
}

/// How many registers of one file a form reads by name, of the file that it reads most of; what it loads counts
/// like a register. (Masks are in a file of their own: `vpandd %xmm1, %xmm2, %xmm3 {%k1}` reads three registers
/// of the vectors' file, with `{z}` two.)
pub(super) fn sources_of(catalogue: &Catalogue, form: &InstructionForm) -> usize {
    let file = |index: usize| Some(catalogue.isa.pool_of(form.class_of(index)?, &catalogue.set));
    let mut counts: Map<RegisterPool, usize> = Map::default();
    let is_data = |index: &usize| form.operands[*index].address.is_none();
    let read = (0..form.operands.len()).filter(|&index| form.operands[index].read);
    for file in read.filter(is_data).filter_map(file) {
        *counts.entry(file).or_default() += 1;
    }
    counts.into_values().max().unwrap_or(0) + usize::from(form.loads())
}

/// Whether a form reads more registers of one file than cores read for most instructions.
pub(super) fn reads_many(catalogue: &Catalogue, form: &InstructionForm) -> bool {
    sources_of(catalogue, form) >= MANY_SOURCES
}

#[cfg(feature = "llvm")]
#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::ports::of_a_test;

    fn assert_sources(catalogue: &Catalogue, expected: &[(&str, usize)]) {
        for &(name, sources) in expected {
            assert_eq!(
                sources_of(catalogue, catalogue.form_by_name(name).unwrap()),
                sources,
                "{name}"
            );
        }
    }

    #[test]
    fn sources_are_of_one_file_of_registers() {
        let znver4 = of_a_test::catalogue("x86_64-unknown-linux-gnu", "znver4");
        let expected = [
            ("VPADDDZ128rr", 2),
            ("VPADDDZ128rrkz", 2),
            ("VPADDDZ128rrk", 3),
            ("VPADDDZ128rm", 2),
            ("VPADDDZ128rmk", 3),
            ("VPTERNLOGDZ128rri", 3),
            ("VFMADD213PSZ128r", 3),
            ("VFMADD213PSZ128m", 3),
            ("VMOVDQU32Z128rrk", 2),
            ("ADD64rr", 2),
            // Two registers of its address are none.
            ("MOV64rm", 1),
            ("MOV64mr", 1),
        ];
        assert_sources(&znver4, &expected);
        let v2 = of_a_test::catalogue("aarch64-unknown-linux-gnu", "neoverse-v2");
        assert_sources(&v2, &[("MADDXrrr", 3), ("FMLAv4f32", 3), ("ADDXrs", 2)]);
    }
}
