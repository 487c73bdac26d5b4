//! How instructions are spelled: what compilers and other tools write for the same thing.

/// How instructions are spelled.
pub trait Spelling {
    /// Mnemonics that assemblers take for the same instruction, and that LLVM does not print.
    fn other_mnemonics(&self, _mnemonic: &str) -> Vec<String> {
        Vec::new()
    }

    /// What an instruction is called without its last operand, a number, where that is zero.
    fn without_zero(&self, _mnemonic: &str) -> Option<&'static str> {
        None
    }

    /// Whether some bytes are the longer of two encodings that are written alike, as x86's EVEX is beside
    /// VEX.
    fn has_long_encoding(&self, _bytes: &[u8]) -> bool {
        false
    }

    /// Whether a form is another encoding of one that is written alike, which assemblers do not choose, by
    /// LLVM's name: x86 has two for most instructions between registers.
    fn is_second_encoding(&self, _form: &str) -> bool {
        false
    }

    /// The bytes that tools put before and behind a region of code which they are to look at, if there are
    /// such: no program would have them otherwise.
    fn region_marks(&self) -> Option<[&'static [u8]; 2]> {
        None
    }

    /// Whether a register is always zero, by LLVM's name: instructions that read or write it have
    /// spellings of their own (`cmp` is `subs` without a result).
    fn is_zero(&self, _register: &str) -> bool {
        false
    }

    /// The single flags of a status register, by LLVM's name, as [`crate::form::Part::Flag`] counts
    /// them; nothing for other registers.
    fn flags(&self, _register: &str) -> &'static [&'static str] {
        &[]
    }

    /// What listings call a register that instructions read or write unnamed, where loops pass values
    /// on through it: nothing for control registers and for the stack's pointer, which cores update
    /// on the side.
    fn unnamed(&self, _register: &str) -> Option<String> {
        None
    }

    /// How an instruction changes the register that it writes by a number in its text, or which
    /// register it copies: what moves through arrays is told by that.
    fn address_step(&self, _mnemonic: &str) -> Option<AddressStep> {
        None
    }

    /// Branches that loops have in them. Kernels cannot hold them as subjects.
    fn branches(&self) -> Vec<Branch> {
        Vec::new()
    }
}

/// What an instruction does to a register that may hold an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AddressStep {
    /// Adds a number.
    Add,
    /// Takes a number away.
    Subtract,
    /// Adds one.
    Increment,
    /// Takes one away.
    Decrement,
    /// Copies a register.
    Copy,
}

/// A kind of branch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Branch {
    /// All mnemonics.
    pub mnemonics: Vec<String>,
    /// What it is written with.
    pub operands: &'static [BranchOperand],
    /// Whether cores execute it together with the comparison in front of it.
    pub fuses: bool,
    /// The status register that it reads, by LLVM's name.
    pub reads: Option<&'static str>,
}

/// What stands behind a branch's mnemonic.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BranchOperand {
    /// A register of a kind, by the letters that its name begins with.
    Register(&'static str),
    /// A number.
    Number,
    /// Where it leads.
    Label,
}
