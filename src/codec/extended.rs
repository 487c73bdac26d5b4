//! A codec with more instructions than it knows by itself.

use super::{Assembler, AssemblyError, CodeError, Codec, WordTable};
use crate::metadata::Instruction;

/// A codec behind a table of words: what the table has is the table's, all else the codec's.
pub struct Extended<C> {
    /// Asked first.
    pub table: WordTable,
    /// Has the rest, and assembles.
    pub base: C,
}

impl<C: Codec> Extended<C> {
    fn codec_of(&mut self, instruction: &Instruction) -> &mut dyn Codec {
        if self.table.has(instruction.opcode) { &mut self.table } else { &mut self.base }
    }
}

impl<C: Codec> Codec for Extended<C> {
    fn encode(&mut self, instruction: &Instruction) -> Result<Vec<u8>, CodeError> {
        self.codec_of(instruction).encode(instruction)
    }

    fn decode(&mut self, bytes: &[u8]) -> Result<(Instruction, usize), CodeError> {
        match self.table.decode(bytes) {
            Err(CodeError::NotDecoded) => self.base.decode(bytes),
            decoded => decoded,
        }
    }

    fn print(&mut self, instruction: &Instruction) -> Result<String, CodeError> {
        self.codec_of(instruction).print(instruction)
    }

    fn print_as_compilers(&mut self, instruction: &Instruction) -> Result<String, CodeError> {
        self.codec_of(instruction).print_as_compilers(instruction)
    }

    fn source_line(
        &mut self,
        instruction: &Instruction,
        syntax: &str,
    ) -> Result<String, CodeError> {
        self.codec_of(instruction).source_line(instruction, syntax)
    }
}

/// Texts hold the table's words as bytes, so the codec's assembler takes them as they are.
impl<C: Assembler> Assembler for Extended<C> {
    fn assemble(&self, text: &str) -> Result<Vec<u8>, AssemblyError> {
        self.base.assemble(text)
    }
}
