//! What forms work on: forms of one usage that work on different things may turn out to use different ports.

use super::subjects::reads_many;
use super::training::files;
use crate::catalogue::Catalogue;
use crate::form::{InstructionForm, MemoryAccess};
use crate::infer::ports::WorkedOn;
use crate::isa::RegisterPool;

/// What a form works on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Reach {
    /// Whether it names general registers.
    general: bool,
    /// Whether it names others.
    other: bool,
    /// Whether it names others and writes general registers or flags, which are with those: its result goes from one
    /// side of the core to the other. (On a Zen 1 that is in the way of additions, and the way back is not.)
    leaves: bool,
    /// Whether it accesses memory.
    memory: bool,
    /// Whether it reads more registers of one file than most do: what it holds besides ports differs. (`vpandd`
    /// and `vpternlogd` of a Zen 4 use the same ports, and only the second is in the way of `vfmadd`.)
    reads_many: bool,
}

impl Reach {
    /// Of a form.
    pub fn of(catalogue: &Catalogue, form: &InstructionForm) -> Self {
        let (general, other) = files(catalogue, form);
        let memory = form.memory != MemoryAccess::None;
        let leaves = other && writes_general(catalogue, form);
        Self { general, other, leaves, memory, reads_many: reads_many(catalogue, form) }
    }

    /// In what it differs from another one, what tells most about ports first: the least of several is most alike.
    pub fn unlike(self, other: Self) -> (bool, bool, bool) {
        let files = |it: Self| (it.general, it.other, it.leaves);
        (
            self.memory != other.memory,
            self.reads_many != other.reads_many,
            files(self) != files(other),
        )
    }

    /// Whether it needs ways that few forms need: from one side of the core to the other, or to many registers.
    pub fn needs_ways(self) -> bool {
        self.reads_many || self.crosses()
    }

    /// Whether it works on both sides of the core.
    pub fn crosses(self) -> bool {
        self.other && (self.general || self.leaves)
    }

    /// Which registers it works on.
    pub fn registers(self) -> WorkedOn {
        match (self.general, self.other) {
            (true, false) => WorkedOn::General,
            (_, true) if !self.crosses() => WorkedOn::Others,
            _ => WorkedOn::Any,
        }
    }

    /// Whether it accesses memory.
    pub fn accesses_memory(self) -> bool {
        self.memory
    }

    /// The same without its access to memory.
    pub fn in_registers(self) -> Self {
        Self { memory: false, ..self }
    }

    /// That of a plain access to memory.
    pub fn of_access(self) -> Self {
        Self { memory: true, reads_many: false, ..self }
    }
}

/// Whether a form writes a general register, or what it does not name, like flags.
fn writes_general(catalogue: &Catalogue, form: &InstructionForm) -> bool {
    let written = (0..form.operands.len()).filter(|&index| form.operands[index].write);
    let mut classes = written.filter_map(|index| form.class_of(index));
    !form.implicit_defs.is_empty()
        || classes
            .any(|class| catalogue.isa.pool_of(class, &catalogue.set) == RegisterPool::General)
}

#[cfg(test)]
impl Reach {
    /// Of a form that names nothing.
    pub fn of_a_test(reads_many: bool) -> Self {
        Self { reads_many, ..Self::default() }
    }

    /// Of a form that names registers of these files.
    pub fn of_files(general: bool, other: bool) -> Self {
        Self { general, other, ..Self::default() }
    }
}

#[cfg(feature = "llvm")]
#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::ports::of_a_test;

    #[test]
    fn forms_reach_what_their_data_are_in() {
        let znver4 = of_a_test::catalogue("x86_64-unknown-linux-gnu", "znver4");
        let of = |name: &str| Reach::of(&znver4, znver4.form_by_name(name).unwrap());
        // Registers of an address are not what a shift of vectors works on.
        assert_eq!(of("PSRLDrm").in_registers(), of("PSRLDrr"));
        assert_eq!(of("MOV64rm").in_registers(), of("MOV64rr"));
        // Both name registers of both sides, and only one goes to general registers.
        assert_ne!(of("MOVPQIto64rr"), of("MOV64toPQIrr"));
        // Flags are with general registers.
        assert_ne!(of("PTESTrr"), of("MOVSHDUPrr"));
        assert_eq!(of("ADD64rr"), of("ANDN64rr"));
        for (name, expected) in [
            ("ADD64rr", WorkedOn::General),
            ("PADDDrr", WorkedOn::Others),
            ("PADDDrm", WorkedOn::Others),
            ("PTESTrr", WorkedOn::Any),
            ("MOVPQIto64rr", WorkedOn::Any),
            ("LFENCE", WorkedOn::Any),
        ] {
            assert_eq!(of(name).registers(), expected, "{name}");
        }
        let need_ways = ["MOVPQIto64rr", "MOV64toPQIrr", "PTESTrr", "VFMADD213PSr"];
        assert!(need_ways.iter().all(|name| of(name).needs_ways()));
        assert!(
            !["PADDDrr", "PADDDrm", "ADD64rr", "ADD64mr"].iter().any(|name| of(name).needs_ways())
        );
    }
}
