//! What LLVM knows of a machine.

use std::collections::HashSet;
use std::sync::Arc;

use super::PipelineError;
use crate::catalogue::{Canonical, Exclusion, Listing, list};
use crate::codec::Codec as _;
use crate::form::{AddressPart, InstructionForm, MemoryAccess};
use crate::isa::AmxGeneration;
use crate::isa::{Isa, apple_amx, extensions, for_architecture};
use crate::llvm::{Llvm, TargetChoice, TargetError};
use crate::metadata::{InstructionSet, OpcodeId};
use crate::scoreboard::{Decoder, ScoreboardDevice, ScoreboardMachine, WordFlow};

/// Why an opcode of the core has no form where its coprocessor is asked about.
const OF_THE_CORE: &str = "an instruction of the core";

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

    /// Apple's AMX, of which LLVM has no opcode: its forms beside what LLVM knows of the machine.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub fn open_amx(
        choice: TargetChoice,
        generation: AmxGeneration,
    ) -> Result<Self, PipelineError> {
        let llvm = Llvm::new(choice.clone())?;
        let mut set = llvm.instruction_set();
        let of_the_core = set.opcodes.len();
        let (isa, forms) = apple_amx(&mut set, generation);
        let elsewhere = std::iter::repeat_n(Err(OF_THE_CORE), of_the_core);
        let listing = |(opcode, form): (OpcodeId, Result<InstructionForm, _>)| Listing {
            opcode,
            canonical: match form {
                Ok(form) => Canonical::Form(Box::new(form)),
                Err(reason) => Canonical::Excluded(Exclusion::Unmeasurable(reason)),
            },
        };
        let listings = (0..).map(OpcodeId).zip(elsewhere.chain(forms)).map(listing).collect();
        Ok(Self { choice, llvm, set: Arc::new(set), isa: Arc::from(isa), listings })
    }

    /// An instance of a form in assembly, in one line.
    pub fn print(&mut self, form: &InstructionForm) -> String {
        let own = self.isa.register_operand(&form.sample).map(|own| own.text);
        let text = own.or_else(|| self.llvm.print(&self.set.encodable(&form.sample)).ok());
        text.unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// A machine that a file describes, set up to execute the target's code.
    ///
    /// # Errors
    /// When LLVM cannot be set up once more.
    pub fn scoreboard(&self, machine: ScoreboardMachine) -> Result<ScoreboardDevice, TargetError> {
        let flow = WordFlow::new(Arc::clone(&self.isa), Box::new(self.another_llvm()?));
        let decoder = self.decoder()?;
        Ok(ScoreboardDevice::new(machine, decoder, Box::new(flow), &self.set.architecture))
    }

    /// What tells which forms machine code has, and what they read and write.
    ///
    /// # Errors
    /// When LLVM cannot be set up once more.
    pub fn decoder(&self) -> Result<Decoder, TargetError> {
        let codec = self.another_llvm()?;
        let numbers = codec.register_numbers();
        let (set, isa, none) = (Arc::clone(&self.set), Arc::clone(&self.isa), HashSet::new());
        Ok(Decoder::new(Box::new(codec), set, isa, self.forms(&none), numbers))
    }

    fn another_llvm(&self) -> Result<Llvm, TargetError> {
        Llvm::with_extensions(self.choice.clone(), extensions(&self.set.architecture))
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

/// Whether kernels can be made of a form: it accesses no memory, or memory at an address that an
/// operand of its own or a known register holds, or that it says itself.
#[must_use]
pub fn is_measurable(form: &InstructionForm) -> bool {
    let base = form.operand_of(AddressPart::Base);
    form.memory == MemoryAccess::None
        || !form.origin.is_register()
        || base.is_some_and(|operand| form.class_of(operand).is_some())
        || !form.implied_bases.is_empty()
}
