//! What LLVM knows of a machine.

use std::collections::HashSet;
use std::sync::Arc;

use super::PipelineError;
use crate::catalogue::{Canonical, Listing, list};
use crate::form::{AddressPart, InstructionForm, MemoryAccess};
use crate::isa::{Isa, extensions, for_architecture};
use crate::llvm::{Llvm, TargetChoice};
use crate::metadata::{InstructionSet, OpcodeId};

/// The forms of a target, without any machine.
pub struct Target {
    /// What LLVM was asked about.
    pub choice: TargetChoice,
    /// LLVM, set up for it.
    pub llvm: Llvm,
    /// LLVM's tables.
    pub set: Arc<InstructionSet>,
    /// The ISA's knowledge.
    pub isa: Arc<dyn Isa>,
    /// What became of each opcode.
    pub listings: Vec<Listing>,
}

impl Target {
    /// Asks LLVM for everything.
    ///
    /// # Errors
    /// When LLVM or winic does not know the target.
    pub fn open(choice: TargetChoice) -> Result<Self, PipelineError> {
        let architecture = choice.triple.split('-').next().unwrap_or_default();
        let mut llvm = Llvm::with_extensions(choice.clone(), extensions(architecture))?;
        let mut set = llvm.instruction_set();
        let isa: Arc<dyn Isa> =
            Arc::from(for_architecture(&set, |feature| llvm.has_feature(feature))?);
        isa.complete(&mut set);
        let listings = list(&set, &*isa, &mut llvm);
        Ok(Self { choice, llvm, set: Arc::new(set), isa, listings })
    }

    /// All forms that are canonical, and aliases that were asked for by name.
    pub fn forms<'a>(
        &'a self,
        aliases: &'a HashSet<OpcodeId>,
    ) -> impl Iterator<Item = &'a InstructionForm> {
        self.listings.iter().filter_map(move |listing| match &listing.canonical {
            Canonical::Form(form) => Some(&**form),
            Canonical::Alias(form) if aliases.contains(&form.opcode) => Some(&**form),
            _ => None,
        })
    }
}

/// Whether kernels can be made of a form: it accesses no memory, or memory at addresses that its
/// operands name whole, and an instance leaves everything as the next one needs it.
#[must_use]
pub fn is_measurable(form: &InstructionForm) -> bool {
    let is_register = |operand: usize| form.class_of(operand).is_some();
    let has = |part| form.operand_of(part).is_some_and(is_register);
    // `vpgatherdd` of x86 clears its mask, so that only the first of many accesses anything.
    let is_result =
        |&operand: &usize| form.operands[operand].write && form.part_held(operand).is_none();
    let results = (0..form.operands.len()).filter(is_result).count();
    let loads = usize::from(form.memory == MemoryAccess::Load);
    let spends_mask = has(AddressPart::Index) && results > loads;
    form.memory == MemoryAccess::None || (has(AddressPart::Base) && !spends_mask)
}
