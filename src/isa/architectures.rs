//! The architectures that there is knowledge of: one entry each.

use super::amx::{AmxForms, AmxGeneration};
use super::{Isa, aarch64, riscv, x86};
use crate::form::InstructionForm;
use crate::metadata::InstructionSet;

/// Makes the knowledge of an instruction set, for a machine that has the features it is asked for.
type MakeIsa = fn(&InstructionSet, &dyn Fn(&str) -> bool) -> Box<dyn Isa>;

/// What is known of an architecture, whatever the machine.
struct Architecture {
    /// As LLVM's triples name it.
    name: &'static str,
    /// The knowledge of its instruction set.
    knowledge: MakeIsa,
    /// LLVM's features that a machine may have, where no CPU is named ...
    all_features: &'static str,
    /// ... and those that one with a named CPU may have besides.
    optional_features: &'static str,
    /// See [`extensions`].
    extensions: &'static [&'static str],
    /// See [`decodes_everything`].
    decodes_everything: bool,
    /// See [`is_part_of_extensions`].
    is_part: fn(&str) -> bool,
}

static ARCHITECTURES: [Architecture; 3] = [
    Architecture {
        name: "x86_64",
        knowledge: |_, has_feature| Box::new(x86::X86::new(has_feature)),
        all_features: "",
        optional_features: "",
        extensions: &[],
        decodes_everything: true,
        is_part: |_| false,
    },
    Architecture {
        name: "aarch64",
        knowledge: |set, has_feature| Box::new(aarch64::AArch64::new(set, has_feature)),
        all_features: aarch64::ALL_FEATURES,
        optional_features: aarch64::OPTIONAL_FEATURES,
        extensions: &[],
        decodes_everything: false,
        is_part: |_| false,
    },
    Architecture {
        name: "riscv64",
        knowledge: |_, _| Box::new(riscv::RiscV),
        all_features: "",
        optional_features: "",
        extensions: riscv::EXTENSIONS,
        decodes_everything: false,
        is_part: riscv::is_part_of_letters,
    },
];

fn known(name: &str) -> Option<&'static Architecture> {
    ARCHITECTURES.iter().find(|architecture| architecture.name == name)
}

/// Every architecture there is knowledge of, as LLVM's triples name it.
pub fn architectures() -> impl Iterator<Item = &'static str> {
    ARCHITECTURES.iter().map(|architecture| architecture.name)
}

/// There is no knowledge of this architecture.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("winic does not know the architecture '{0}'; it knows {names}", names = names())]
pub struct UnknownArchitecture(pub String);

fn names() -> String {
    architectures().collect::<Vec<_>>().join(", ")
}

/// The knowledge of an instruction set's architecture, for a machine that has the features it
/// is asked for by LLVM's names.
///
/// # Errors
/// When there is none.
pub fn for_architecture(
    set: &InstructionSet,
    has_feature: impl Fn(&str) -> bool,
) -> Result<Box<dyn Isa>, UnknownArchitecture> {
    let name = set.architecture.as_str();
    let architecture = known(name).ok_or_else(|| UnknownArchitecture(name.to_owned()))?;
    Ok((architecture.knowledge)(set, &has_feature))
}

/// Adds Apple's AMX to AArch64's instruction set: the knowledge of it, and for each opcode behind those
/// of LLVM its form, or why it has none.
///
/// # Panics
/// When the set is of another architecture.
pub fn apple_amx(
    set: &mut InstructionSet,
    generation: AmxGeneration,
) -> (Box<dyn Isa>, Vec<Result<InstructionForm, &'static str>>) {
    assert_eq!(set.architecture, "aarch64", "AMX is part of AArch64");
    let (amx, forms) = AmxForms::add_to(set, generation);
    (Box::new(aarch64::AArch64::with_amx(set, amx)), forms)
}

/// LLVM's features that a machine may have although they do not follow from its CPU's name:
/// all that there are, where no CPU is named. Whether it has them is found out by executing.
#[must_use]
pub fn possible_features(architecture: &str, cpu: Option<&str>) -> &'static str {
    known(architecture).map_or("", |architecture| match cpu {
        None => architecture.all_features,
        Some(_) => architecture.optional_features,
    })
}

/// Extensions, by LLVM's names, that are switched on whatever CPU is asked for: what of them a
/// machine has is found out by executing forms, not by trusting a name. LLVM decodes x86
/// without asking for any.
#[must_use]
pub fn extensions(architecture: &str) -> &'static [&'static str] {
    known(architecture).map_or(&[], |architecture| architecture.extensions)
}

/// Whether LLVM decodes instructions of an architecture whatever extensions the CPU has, so that
/// [`super::cpuid`] must say which they need.
#[must_use]
pub fn decodes_everything(architecture: &str) -> bool {
    known(architecture).is_some_and(|architecture| architecture.decodes_everything)
}

/// Whether one extension counts as a part of another that implies it, and is not only needed by
/// it: RISC-V's Z extensions are pieces of the letters (`Zmmul` of `M`).
#[must_use]
pub fn is_part_of_extensions(architecture: &str, extension: &str) -> bool {
    known(architecture).is_some_and(|architecture| (architecture.is_part)(extension))
}
