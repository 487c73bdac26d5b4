//! The words of instructions.

/// One of the 23 operations, in the order of their numbers. Source: aarch64.md.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AmxOperation {
    /// Memory to X.
    Ldx,
    /// Memory to Y.
    Ldy,
    /// X to memory.
    Stx,
    /// Y to memory.
    Sty,
    /// Memory to rows of Z.
    Ldz,
    /// Rows of Z to memory.
    Stz,
    /// Memory to a half of a pair of rows, by turns.
    Ldzi,
    /// A half of a pair of rows to memory, by turns.
    Stzi,
    /// Y or rows of Z to X, or rows of Z to Y (`extrh`).
    Extrx,
    /// X or columns of Z to Y, or columns of Z to X (`extrv`).
    Extry,
    /// Multiplication and addition of 64-bit floating-point numbers.
    Fma64,
    /// The same with the product subtracted.
    Fms64,
    /// Multiplication and addition of 32-bit floating-point numbers.
    Fma32,
    /// The same with the product subtracted.
    Fms32,
    /// Multiplication and addition of 16-bit integers.
    Mac16,
    /// Multiplication and addition of 16-bit floating-point numbers.
    Fma16,
    /// The same with the product subtracted.
    Fms16,
    /// Switches the unit on (0) or off (1): the one operation with a number instead of a register.
    Set,
    /// Vectors of integers.
    Vecint,
    /// Vectors of floating-point numbers.
    Vecfp,
    /// Outer products of integers.
    Matint,
    /// Outer products of floating-point numbers.
    Matfp,
    /// Indices from tables and tables by indices.
    Genlut,
}

/// All operations, by number, with their mnemonics.
const OPERATIONS: [(AmxOperation, &str); 23] = {
    use AmxOperation as A;
    [
        (A::Ldx, "ldx"),
        (A::Ldy, "ldy"),
        (A::Stx, "stx"),
        (A::Sty, "sty"),
        (A::Ldz, "ldz"),
        (A::Stz, "stz"),
        (A::Ldzi, "ldzi"),
        (A::Stzi, "stzi"),
        (A::Extrx, "extrx"),
        (A::Extry, "extry"),
        (A::Fma64, "fma64"),
        (A::Fms64, "fms64"),
        (A::Fma32, "fma32"),
        (A::Fms32, "fms32"),
        (A::Mac16, "mac16"),
        (A::Fma16, "fma16"),
        (A::Fms16, "fms16"),
        (A::Set, "set"),
        (A::Vecint, "vecint"),
        (A::Vecfp, "vecfp"),
        (A::Matint, "matint"),
        (A::Matfp, "matfp"),
        (A::Genlut, "genlut"),
    ]
};

impl AmxOperation {
    /// All of them, by number.
    pub fn all() -> impl Iterator<Item = Self> {
        OPERATIONS.into_iter().map(|(operation, _)| operation)
    }

    /// Its number in the word.
    #[must_use]
    pub fn number(self) -> u32 {
        self as u32
    }

    /// As the description writes it.
    #[must_use]
    pub fn mnemonic(self) -> &'static str {
        OPERATIONS[self as usize].1
    }

    /// The operation of that mnemonic.
    #[must_use]
    pub fn named(mnemonic: &str) -> Option<Self> {
        OPERATIONS.into_iter().find(|(_, name)| *name == mnemonic).map(|(operation, _)| operation)
    }
}

/// An instruction as it stands in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct AmxWord {
    /// What is done.
    pub operation: AmxOperation,
    /// The general register that holds the operand, 31 for zero; for [`AmxOperation::Set`] the number
    /// itself.
    pub register: u8,
}

impl AmxWord {
    /// The bits that are the same in all words: A64 has reserved them.
    const BASE: u32 = 0x0020_1000;
    /// Switches the unit on.
    pub const SET: Self = Self { operation: AmxOperation::Set, register: 0 };
    /// Switches the unit off.
    pub const CLEAR: Self = Self { operation: AmxOperation::Set, register: 1 };

    /// The word.
    ///
    /// # Panics
    /// When the register's number has more than five bits.
    #[must_use]
    pub fn encode(self) -> u32 {
        assert!(self.register < 32, "no general register has the number {}", self.register);
        Self::BASE | self.operation.number() << 5 | u32::from(self.register)
    }

    /// The instruction of a word, if it is one.
    #[must_use]
    pub fn decode(word: u32) -> Option<Self> {
        let (operation, _) = *OPERATIONS.get((word.checked_sub(Self::BASE)? >> 5) as usize)?;
        let register = (word & 31) as u8;
        let is_known = operation != AmxOperation::Set || register <= Self::CLEAR.register;
        is_known.then_some(Self { operation, register })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The words that aarch64.md and setclr.md print.
    #[test]
    fn words_are_those_of_the_description() {
        let word = |operation, register| AmxWord { operation, register }.encode();
        assert_eq!(word(AmxOperation::Ldx, 0), 0x0020_1000);
        assert_eq!(word(AmxOperation::Mac16, 0), 0x0020_11c0);
        assert_eq!(word(AmxOperation::Genlut, 31), 0x0020_12df);
        assert_eq!([AmxWord::SET.encode(), AmxWord::CLEAR.encode()], [0x0020_1220, 0x0020_1221]);
    }

    #[test]
    fn every_word_decodes_to_what_it_was_made_of_and_no_other_does() {
        let mut known = 0;
        for word in 0x0020_0000..0x0020_4000 {
            let Some(decoded) = AmxWord::decode(word) else { continue };
            assert_eq!(decoded.encode(), word);
            known += 1;
        }
        // 22 operations with 32 registers, and the two of set.
        assert_eq!(known, 22 * 32 + 2);
        assert_eq!(AmxWord::decode(0xd503_201f), None);
    }

    #[test]
    fn mnemonics_name_operations() {
        for operation in AmxOperation::all() {
            assert_eq!(AmxOperation::named(operation.mnemonic()), Some(operation));
        }
        assert_eq!(AmxOperation::named("fma8"), None);
    }
}
