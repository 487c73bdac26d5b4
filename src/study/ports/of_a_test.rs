//! Real forms for tests.

use std::sync::Arc;

use crate::catalogue::{Canonical, Catalogue, list};
use crate::isa::{Isa, for_architecture};
use crate::llvm::{Llvm, TargetChoice};

/// All forms of a CPU by LLVM's names of both.
pub(super) fn catalogue(triple: &str, cpu: &str) -> Catalogue {
    let choice = TargetChoice { triple: triple.into(), cpu: cpu.into(), features: String::new() };
    let mut llvm = Llvm::new(choice).unwrap();
    let mut set = llvm.instruction_set();
    let isa = for_architecture(&set, |feature| llvm.has_feature(feature)).unwrap();
    let isa: Arc<dyn Isa> = Arc::from(isa);
    isa.complete(&mut set);
    let set = Arc::new(set);
    let listings = list(&set, &*isa, &mut llvm);
    let forms = listings.into_iter().filter_map(|listing| match listing.canonical {
        Canonical::Form(form) => Some(*form),
        Canonical::Alias(_) | Canonical::Excluded(_) => None,
    });
    Catalogue::new(set, isa, forms, &Default::default())
}
