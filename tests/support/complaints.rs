//! What is wrong with kernels, gathered so that one cause shows as one line, and what must hold
//! for the operands of any instruction.

use std::collections::{BTreeMap, HashSet};

use winic::catalogue::Catalogue;
use winic::form::InstructionForm;
use winic::kernel::Kernel;
use winic::metadata::{Instruction, OpcodeId, OperandValue, RegisterId, UnitId};

/// Failures by what is wrong, so that one cause shows as one line.
#[derive(Default)]
pub struct Complaints {
    pub by_cause: BTreeMap<String, Vec<String>>,
    /// Instructions that have been looked at once.
    pub checked: HashSet<Instruction>,
    /// Forms that only copy constants in the kernel at hand.
    pub copies: HashSet<OpcodeId>,
}

impl Complaints {
    pub fn add(&mut self, what: impl Into<String>, subject: impl Into<String>) {
        self.by_cause.entry(what.into()).or_default().push(subject.into());
    }

    pub fn count(&self) -> usize {
        self.by_cause.values().map(Vec::len).sum()
    }

    pub fn assert_none(&self) {
        let text: String = self
            .by_cause
            .iter()
            .map(|(what, subjects)| {
                let mut shown: Vec<&str> = subjects.iter().map(String::as_str).collect();
                shown.dedup();
                shown.truncate(12);
                format!("{} x {what}: {}\n", subjects.len(), shown.join(", "))
            })
            .collect();
        assert!(self.by_cause.is_empty(), "\n{text}");
    }
}

pub fn units(catalogue: &Catalogue, register: RegisterId) -> &[UnitId] {
    &catalogue.set.register(register).units
}

/// Units that a kernel's instructions write.
pub fn written_units(kernel: &Kernel, catalogue: &Catalogue) -> HashSet<UnitId> {
    kernel
        .instructions()
        .flat_map(|instruction| {
            let form = catalogue.form(instruction.opcode).expect("a form");
            form.defs().filter_map(|site| form.register_at(site, instruction)).collect::<Vec<_>>()
        })
        .flat_map(|register| units(catalogue, register).to_vec())
        .collect()
}

pub fn register_at(instruction: &Instruction, index: usize) -> Option<RegisterId> {
    match instruction.operands[index] {
        OperandValue::Register(register) if register != RegisterId::NONE => Some(register),
        _ => None,
    }
}

/// No register stands twice in an instruction, unless the form ties them together or is a copy here: that of a register
/// as the disjunction of it and itself.
pub fn check_operands(
    name: &str,
    form: &InstructionForm,
    instruction: &Instruction,
    catalogue: &Catalogue,
    complaints: &mut Complaints,
) {
    let sources: Vec<(usize, RegisterId)> = (0..form.operands.len())
        .filter(|&index| form.operands[index].read)
        .filter_map(|index| register_at(instruction, index).map(|register| (index, register)))
        .collect();
    let is_copy = complaints.copies.contains(&form.opcode);
    for (position, &(index, register)) in sources.iter().enumerate() {
        for &(other, second) in &sources[..position] {
            if catalogue.set.overlap(register, second) && !is_copy {
                complaints.add(
                    "a source register stands twice in an instance",
                    format!("{name} {other} {index}"),
                );
            }
        }
        if form.implicit_uses.iter().any(|&implicit| catalogue.set.overlap(implicit, register)) {
            complaints.add("a source is also read unnamed", name);
        }
    }
    for index in 0..form.operands.len() {
        let Some(tied) = form.operands[index].tied_to else { continue };
        if register_at(instruction, index) != register_at(instruction, tied) {
            complaints.add("tied operands differ", name);
        }
    }
    let targets: Vec<RegisterId> = (0..form.operands.len())
        .filter(|&index| form.operands[index].write)
        .filter_map(|index| register_at(instruction, index))
        .collect();
    for (position, &register) in targets.iter().enumerate() {
        if targets[..position].iter().any(|&other| catalogue.set.overlap(register, other)) {
            complaints.add("two results of an instance meet", name);
        }
        if form.implicit_defs.iter().any(|&implicit| catalogue.set.overlap(implicit, register)) {
            complaints.add("a result meets an unnamed one", name);
        }
    }
}

/// How many of some registers can stand side by side: pairs of neighbours overlap.
pub fn apart<'a>(registers: impl Iterator<Item = &'a RegisterId>, catalogue: &Catalogue) -> usize {
    let mut seen: HashSet<UnitId> = HashSet::new();
    let is_apart = |register: &&RegisterId| {
        let units = units(catalogue, **register);
        let apart = units.iter().all(|unit| !seen.contains(unit));
        seen.extend(units.iter().copied().filter(|_| apart));
        apart
    };
    registers.filter(is_apart).count()
}
