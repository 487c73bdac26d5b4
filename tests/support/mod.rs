//! All canonical register-only forms of x86-64 as kernels need them; nothing is executed.

use std::collections::HashSet;
use std::sync::Arc;

use winic::form::{Canonical, Catalogue, InstructionForm, MemoryAccess, list};
use winic::isa::{Isa, for_architecture};
use winic::llvm::{Llvm, TargetChoice};
use winic::metadata::RegisterId;

const CPU: &str = "x86-64";
const FEATURE: &str = "avx";

/// LLVM and all forms. Registers that only some CPUs have count as absent, so that what is
/// built does not depend on the machine that runs the tests.
pub struct Machine {
    pub llvm: Llvm,
    pub catalogue: Catalogue,
}

impl Machine {
    pub fn x86_64() -> Self {
        let choice = TargetChoice {
            triple: "x86_64-unknown-linux-gnu".into(),
            cpu: CPU.into(),
            features: format!("+{FEATURE}"),
        };
        let mut llvm = Llvm::new(choice).expect("LLVM knows x86-64");
        let set = llvm.instruction_set();
        let isa: Arc<dyn Isa> = Arc::from(
            for_architecture(&set, |feature| feature == FEATURE).expect("winic knows x86-64"),
        );
        let forms: Vec<InstructionForm> = list(&set, &*isa, &mut llvm)
            .into_iter()
            .filter_map(|listing| match listing.canonical {
                Canonical::Form(form) if form.memory == MemoryAccess::None => Some(*form),
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
