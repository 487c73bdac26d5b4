//! The instructions of a loop, as far as dependences and costs go.

/// The rows of a register that an instruction reads or writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RegisterAccess {
    /// A number that no other register has.
    pub register: u32,
    /// A bit for each row; a register without rows has all of them.
    pub rows: u64,
}

impl RegisterAccess {
    /// The whole register.
    #[must_use]
    pub fn whole(register: u32) -> Self {
        Self { register, rows: u64::MAX }
    }

    /// The rows of both, if they are of one register.
    pub(super) fn shared(self, other: Self) -> u64 {
        if self.register == other.register { self.rows & other.rows } else { 0 }
    }
}

/// An instruction with its registers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoopInstruction {
    /// What it is, from coarse to fine, such as instruction, width and mode: instructions that agree in the
    /// first of these share their costs, until measurements tell them apart. Never empty.
    pub kinds: Vec<String>,
    /// What it reads.
    pub reads: Vec<RegisterAccess>,
    /// What it writes.
    pub writes: Vec<RegisterAccess>,
}

impl LoopInstruction {
    /// The same with registers as wholes, as in the thesis: who writes one row writes all.
    #[must_use]
    pub fn without_rows(mut self) -> Self {
        for access in self.reads.iter_mut().chain(&mut self.writes) {
            *access = RegisterAccess::whole(access.register);
        }
        self
    }
}
