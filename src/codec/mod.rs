//! Codecs: instructions to bytes and back, to text, and text to object files.
//!
//! Whatever encodes or prints takes a [`Codec`], whatever assembles an [`Assembler`]; neither has
//! to know who does it. LLVM is one of them (`llvm`), and stands behind the feature of that name.
//! [`WordTable`] is another: it has the instructions of a table and needs nothing else.
//! [`Extended`] puts such a table before a codec that does not know its instructions.

mod extended;
mod flow;
mod words;

pub use extended::Extended;
pub use flow::{Control, FlowReader, FlowStep};
pub use words::{WordTable, WordTableError};

use crate::metadata::Instruction;

/// Encodes, decodes and prints the instructions of one target. Builders of kernels run in a
/// thread of their own, so a codec can be sent to one.
pub trait Codec: Send {
    /// The bytes of an instruction.
    ///
    /// # Errors
    /// When the operands do not fit the opcode or there is no encoding for it.
    fn encode(&mut self, instruction: &Instruction) -> Result<Vec<u8>, CodeError>;

    /// The first instruction in some bytes, and how many bytes it takes.
    ///
    /// # Errors
    /// When the bytes are no instruction.
    fn decode(&mut self, bytes: &[u8]) -> Result<(Instruction, usize), CodeError>;

    /// An instruction in assembly syntax (Intel's on x86), operands separated from the mnemonic by
    /// a tab. It need not be text that an assembler takes: [`Self::source_line`] is.
    ///
    /// # Errors
    /// When the operands do not fit the opcode.
    fn print(&mut self, instruction: &Instruction) -> Result<String, CodeError>;

    /// An instruction as compilers print it unless they are told otherwise: in AT&T's syntax on x86,
    /// where [`Self::print`] has Intel's, and the same elsewhere.
    ///
    /// # Errors
    /// As [`Self::print`].
    fn print_as_compilers(&mut self, instruction: &Instruction) -> Result<String, CodeError> {
        self.print(instruction)
    }

    /// A line of which the target's assembler makes the bytes of [`Self::encode`] and no others,
    /// for a person to read. `syntax` is the directive that chooses the syntax, or empty. Here: the
    /// bytes, with the instruction as a comment.
    ///
    /// # Errors
    /// As [`Self::encode`] and [`Self::print`].
    fn source_line(
        &mut self,
        instruction: &Instruction,
        syntax: &str,
    ) -> Result<String, CodeError> {
        // Bytes are written alike in all of them.
        let _ = syntax;
        let bytes = self.encode(instruction)?;
        Ok(byte_line(&bytes, &self.print(instruction)?))
    }
}

/// A codec that also makes object files of assembly text.
pub trait Assembler: Codec {
    /// Assembles a text into an object file.
    ///
    /// # Errors
    /// When the text is not valid; the error names the line.
    fn assemble(&self, text: &str) -> Result<Vec<u8>, AssemblyError>;
}

/// Why a codec has no answer for one instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CodeError {
    /// The operands do not fit the opcode.
    #[error("its operands do not fit")]
    WrongOperands,
    /// The codec has no bytes for it.
    #[error("it has no encoding")]
    NoEncoding,
    /// The encoding needs a linker.
    #[error("its encoding needs a relocation")]
    Unresolved,
    /// The bytes are no instruction.
    #[error("its bytes do not decode")]
    NotDecoded,
    /// Longer than any buffer foresees.
    #[error("it is longer than expected")]
    TooLong,
}

/// A text that an assembler refuses.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct AssemblyError {
    /// The first message of the assembler, with the line.
    pub reason: String,
}

/// Bytes as a line of assembly, with what they mean in the one kind of comment that the assemblers
/// of all ISAs know.
pub(crate) fn byte_line(bytes: &[u8], meaning: &str) -> String {
    let list: Vec<String> = bytes.iter().map(|byte| format!("{byte:#04x}")).collect();
    format!(".byte {}  /* {} */", list.join(", "), meaning.replace('\t', " "))
}
