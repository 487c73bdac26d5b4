//! The targets whose matrix instructions are measured: what differs between them besides their opcodes.

/// What tells the time inside a kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KernelClock {
    /// A counter of 64 bits that an instruction loads.
    MemoryTime,
    /// A register of 20 bits that counts the unit's cycles: windows must be shorter than it.
    ShortCycles,
    /// Two registers of 32 bits.
    LongCycles,
}

/// A generation of AMD's instruction set as far as kernels have to differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Generation {
    /// CDNA: MFMA, wavefronts of 64.
    Cdna,
    /// RDNA 3: WMMA.
    Rdna3,
    /// RDNA 4 and what came after it: the workgroup's number is elsewhere, waits have other names.
    Rdna4,
}

/// A target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AmdTarget {
    /// As LLVM and AMD's runtime name it.
    pub name: &'static str,
    /// Its generation.
    pub generation: Generation,
    /// Lanes of a wavefront.
    pub lanes: u32,
    /// What tells the time.
    pub clock: KernelClock,
    /// Whether accumulators stand in registers behind the others in one file, at an offset.
    pub unified_registers: bool,
    /// Whether the numbers of a work-item are packed into one register.
    pub packed_item: bool,
    /// Whether the device has several dies, and a register that says which one this is.
    pub has_dies: bool,
    /// Cycles of a unit of LLVM's scheduling model, where that models matrix instructions; none
    /// where it has one placeholder for all of them.
    pub model_unit: Option<u32>,
    /// Whether numbers of 8 bits are those of the first generation, without a negative zero, whose
    /// exponents are biased by one more.
    pub fnuz: bool,
}

const CDNA: AmdTarget = AmdTarget {
    name: "gfx908",
    generation: Generation::Cdna,
    lanes: 64,
    clock: KernelClock::MemoryTime,
    unified_registers: false,
    packed_item: false,
    has_dies: false,
    model_unit: Some(4),
    fnuz: false,
};

const RDNA: AmdTarget = AmdTarget {
    name: "gfx1100",
    generation: Generation::Rdna3,
    lanes: 32,
    clock: KernelClock::ShortCycles,
    packed_item: true,
    model_unit: None,
    ..CDNA
};

const RDNA4: AmdTarget = AmdTarget {
    name: "gfx1200",
    generation: Generation::Rdna4,
    clock: KernelClock::LongCycles,
    ..RDNA
};

/// All of them. Those with two sizes of wavefronts are here twice: opcodes differ.
pub const TARGETS: [AmdTarget; 9] = [
    CDNA,
    AmdTarget { name: "gfx90a", unified_registers: true, packed_item: true, ..CDNA },
    AmdTarget {
        name: "gfx942",
        unified_registers: true,
        packed_item: true,
        has_dies: true,
        fnuz: true,
        ..CDNA
    },
    AmdTarget {
        name: "gfx950",
        unified_registers: true,
        packed_item: true,
        has_dies: true,
        ..CDNA
    },
    RDNA,
    AmdTarget { lanes: 64, ..RDNA },
    RDNA4,
    AmdTarget { lanes: 64, ..RDNA4 },
    // Its model is of issue cycles, not of passes.
    AmdTarget { name: "gfx1250", model_unit: Some(1), ..RDNA4 },
];

impl AmdTarget {
    /// The target of a word ([`Self::word`]): `gfx1100`, or `gfx1100-wave64` for the longer wavefronts.
    #[must_use]
    pub fn by_name(word: &str) -> Option<Self> {
        TARGETS.into_iter().find(|target| target.word() == word)
    }

    /// The words of all.
    #[must_use]
    pub fn names() -> Vec<String> {
        TARGETS.iter().map(Self::word).collect()
    }

    /// LLVM's features for its wavefronts.
    #[must_use]
    pub fn features(&self) -> &'static str {
        match (self.generation, self.lanes) {
            (Generation::Cdna, _) | (_, 32) => "",
            _ => "+wavefrontsize64",
        }
    }

    /// The target in one word that tells sizes of wavefronts apart.
    #[must_use]
    pub fn word(&self) -> String {
        match (self.generation, self.lanes) {
            (Generation::Cdna, _) | (_, 32) => self.name.to_owned(),
            (_, lanes) => format!("{}-wave{lanes}", self.name),
        }
    }
}

/// LLVM's triple of AMD's code objects.
pub const TRIPLE: &str = "amdgcn-amd-amdhsa";
