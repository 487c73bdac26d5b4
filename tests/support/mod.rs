//! All canonical register-only forms of an ISA as kernels need them; nothing is executed.

use std::collections::HashSet;
use std::sync::Arc;

use winic::catalogue::{Canonical, Catalogue, list};
use winic::form::{InstructionForm, MemoryAccess};
use winic::isa::{Isa, extensions, for_architecture};
use winic::llvm::{Llvm, TargetChoice};
use winic::metadata::RegisterId;
use winic::pipeline::is_measurable;

/// LLVM and all forms. Registers that only some CPUs have count as absent, so that what is
/// built does not depend on the machine that runs the tests.
pub struct Machine {
    pub llvm: Llvm,
    pub catalogue: Catalogue,
}

impl Machine {
    pub fn x86_64() -> Self {
        Self::new("x86_64", "x86-64", "avx")
    }

    pub fn aarch64() -> Self {
        Self::new("aarch64", "", "all")
    }

    /// With the forms that access memory, too, which are as many again.
    pub fn x86_64_with_memory() -> Self {
        Self::of("x86_64", "x86-64", "avx", is_measurable)
    }

    pub fn aarch64_with_memory() -> Self {
        Self::of("aarch64", "", "all", is_measurable)
    }

    pub fn riscv64_with_memory() -> Self {
        Self::of("riscv64", "", "", is_measurable)
    }

    /// Apple's cores have SVE in streaming mode only.
    pub fn apple(cpu: &str) -> Self {
        Self::of("aarch64", cpu, "", is_measurable)
    }

    pub fn riscv64() -> Self {
        Self::new("riscv64", "", "")
    }

    /// A machine with a CPU of LLVM's and one feature more than that has, of register forms.
    fn new(architecture: &str, cpu: &str, feature: &str) -> Self {
        Self::of(architecture, cpu, feature, |form| form.memory == MemoryAccess::None)
    }

    fn of(
        architecture: &str,
        cpu: &str,
        feature: &str,
        is_wanted: fn(&InstructionForm) -> bool,
    ) -> Self {
        let features = if feature.is_empty() { String::new() } else { format!("+{feature}") };
        let triple = format!("{architecture}-unknown-linux-gnu");
        let choice = TargetChoice { triple, cpu: cpu.into(), features };
        let mut llvm = Llvm::with_extensions(choice, extensions(architecture))
            .unwrap_or_else(|error| panic!("{error}"));
        let mut set = llvm.instruction_set();
        let isa: Arc<dyn Isa> = Arc::from(
            for_architecture(&set, |asked| llvm.has_feature(asked))
                .unwrap_or_else(|error| panic!("{error}")),
        );
        isa.complete(&mut set);
        let forms: Vec<InstructionForm> = list(&set, &*isa, &mut llvm)
            .into_iter()
            .filter_map(|listing| match listing.canonical {
                Canonical::Form(form) if is_wanted(&form) => Some(*form),
                _ => None,
            })
            .collect();
        let catalogue = Catalogue::new(Arc::new(set), isa, forms, &HashSet::new());
        Self { llvm, catalogue }
    }

    pub fn form(&self, name: &str) -> &InstructionForm {
        self.catalogue.form_by_name(name).unwrap_or_else(|| panic!("{name} is no form"))
    }

    pub fn register(&self, name: &str) -> RegisterId {
        self.catalogue.set.register_by_name(name).unwrap_or_else(|| panic!("{name} is no register"))
    }
}
