//! Instructions that LLVM does not know, as a table of words: Apple's AMX has no opcode there,
//! and its encoding is one number and one register.

use std::ops::RangeInclusive;

use super::{CodeError, Codec};
use crate::metadata::{
    Instruction, InstructionSet, Opcode, OpcodeFlags, OpcodeId, OperandInfo, OperandKind,
    OperandValue, RegisterId,
};

/// Instructions of four bytes, little-endian, of which each names one register of a class or none.
/// The register's position in its class is added to the word.
#[derive(Debug, Clone)]
pub struct WordTable {
    /// The opcode of the first row; those of the others follow.
    first: OpcodeId,
    rows: Vec<WordRow>,
}

#[derive(Debug, Clone)]
struct WordRow {
    name: String,
    mnemonic: String,
    /// The word with register 0.
    word: u32,
    operand: Option<WordOperand>,
}

/// What may stand at the operand's place.
#[derive(Debug, Clone)]
struct WordOperand {
    info: OperandInfo,
    /// By position in the class, with their names as they are printed.
    registers: Vec<(RegisterId, String)>,
}

/// Why a text is no table of words for an instruction set.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WordTableError {
    /// A line has too few or too many columns.
    #[error(
        "line {line} of the word table has {columns} columns: write name, mnemonic, word and \
         operand, with tabs between"
    )]
    Columns {
        /// Counted from 1.
        line: usize,
        /// How many there are.
        columns: usize,
    },
    /// Not 32 bits, or not with all registers of the class.
    #[error("line {line} of the word table: '{text}' is no word: write 0x and up to 8 digits")]
    Word {
        /// Counted from 1.
        line: usize,
        /// What stands there.
        text: String,
    },
    /// The instruction set has no such class.
    #[error(
        "line {line} of the word table: no register class '{class}': name one of LLVM's that has \
         registers, or write '-' for no operand"
    )]
    Class {
        /// Counted from 1.
        line: usize,
        /// What stands there.
        class: String,
    },
    /// The name is taken.
    #[error("line {line} of the word table: there is an opcode {name} already: rename this one")]
    Name {
        /// Counted from 1.
        line: usize,
        /// The name.
        name: String,
    },
    /// A word would be two instructions.
    #[error("line {line} of the word table: {name} has words of {other}: correct one of the words")]
    Overlap {
        /// Counted from 1.
        line: usize,
        /// The name in this line.
        name: String,
        /// The name in an earlier line.
        other: String,
    },
}

/// In the column of the operand: there is none.
const NO_OPERAND: &str = "-";

impl WordTable {
    /// Reads a table and adds its opcodes to an instruction set, behind those that are there.
    ///
    /// Lines that begin with `#` are comments. The first other line heads the columns, and each
    /// that follows is an instruction: the opcode's name, the mnemonic, the word with register 0,
    /// and LLVM's class of the register, or `-`.
    ///
    /// # Errors
    /// When a line is not as described, or its name or one of its words is taken; the set is then
    /// as it was.
    pub fn read(text: &str, set: &mut InstructionSet) -> Result<Self, WordTableError> {
        let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.starts_with('#')).skip(1);
        let mut rows: Vec<WordRow> = Vec::new();
        for (line, text) in lines {
            let row = WordRow::read(line, text, set)?;
            if set.by_name(&row.name).is_some() || rows.iter().any(|other| other.name == row.name) {
                return Err(WordTableError::Name { line, name: row.name });
            }
            if let Some(other) = rows.iter().find(|other| row.shares_words(other)) {
                let other = other.name.clone();
                return Err(WordTableError::Overlap { line, name: row.name, other });
            }
            rows.push(row);
        }
        let first = OpcodeId(set.opcodes.len() as u32);
        rows.iter().for_each(|row| set.add(row.opcode()));
        Ok(Self { first, rows })
    }

    /// Its opcodes, in the table's order.
    pub fn opcodes(&self) -> impl Iterator<Item = OpcodeId> + use<> {
        (self.first.0..).map(OpcodeId).take(self.rows.len())
    }

    /// Whether an opcode is one of the table's.
    #[must_use]
    pub fn has(&self, opcode: OpcodeId) -> bool {
        self.row(opcode).is_some()
    }

    fn row(&self, opcode: OpcodeId) -> Option<&WordRow> {
        self.rows.get(opcode.0.checked_sub(self.first.0)? as usize)
    }
}

impl Codec for WordTable {
    fn encode(&mut self, instruction: &Instruction) -> Result<Vec<u8>, CodeError> {
        let row = self.row(instruction.opcode).ok_or(CodeError::NoEncoding)?;
        let word = row.word + row.register(&instruction.operands)?.unwrap_or(0) as u32;
        Ok(word.to_le_bytes().to_vec())
    }

    fn decode(&mut self, bytes: &[u8]) -> Result<(Instruction, usize), CodeError> {
        let bytes = bytes.first_chunk().ok_or(CodeError::NotDecoded)?;
        let word = u32::from_le_bytes(*bytes);
        let (opcode, row) = self
            .opcodes()
            .zip(&self.rows)
            .find(|(_, row)| row.words().contains(&word))
            .ok_or(CodeError::NotDecoded)?;
        let number = (word - row.word) as usize;
        let register = |operand: &WordOperand| OperandValue::Register(operand.registers[number].0);
        let operands = row.operand.iter().map(register).collect();
        Ok((Instruction { opcode, operands }, bytes.len()))
    }

    fn print(&mut self, instruction: &Instruction) -> Result<String, CodeError> {
        let row = self.row(instruction.opcode).ok_or(CodeError::NoEncoding)?;
        let number = row.register(&instruction.operands)?;
        let name = row.operand.as_ref().zip(number).map(|(operand, at)| &operand.registers[at].1);
        Ok(name.map_or_else(|| row.mnemonic.clone(), |name| format!("{}\t{name}", row.mnemonic)))
    }
}

impl WordRow {
    fn read(line: usize, text: &str, set: &InstructionSet) -> Result<Self, WordTableError> {
        let columns: Vec<&str> = text.split('\t').collect();
        let &[name, mnemonic, word, class] = columns.as_slice() else {
            return Err(WordTableError::Columns { line, columns: columns.len() });
        };
        let no_word = || WordTableError::Word { line, text: word.to_owned() };
        let digits = word.strip_prefix("0x").ok_or_else(no_word)?;
        let number = u32::from_str_radix(digits, 16).map_err(|_| no_word())?;
        let operand = (class != NO_OPERAND).then(|| {
            WordOperand::of_class(class, set)
                .ok_or_else(|| WordTableError::Class { line, class: class.to_owned() })
        });
        let (name, mnemonic) = (name.to_owned(), mnemonic.to_owned());
        let row = Self { name, mnemonic, word: number, operand: operand.transpose()? };
        if number.checked_add(row.most()).is_none() {
            return Err(no_word());
        }
        Ok(row)
    }

    /// The highest number of a register.
    fn most(&self) -> u32 {
        self.operand.as_ref().map_or(0, |operand| operand.registers.len() as u32 - 1)
    }

    fn words(&self) -> RangeInclusive<u32> {
        self.word..=self.word + self.most()
    }

    fn shares_words(&self, other: &Self) -> bool {
        let (own, others) = (self.words(), other.words());
        own.start() <= others.end() && others.start() <= own.end()
    }

    /// The number of the register that the operands name, if the instruction has one.
    fn register(&self, operands: &[OperandValue]) -> Result<Option<usize>, CodeError> {
        match (&self.operand, operands) {
            (None, []) => Ok(None),
            (Some(operand), &[OperandValue::Register(wanted)]) => {
                let number = operand.registers.iter().position(|&(register, _)| register == wanted);
                number.map(Some).ok_or(CodeError::WrongOperands)
            }
            _ => Err(CodeError::WrongOperands),
        }
    }

    /// The row as LLVM would describe it. What it does to memory the table does not say.
    fn opcode(&self) -> Opcode {
        Opcode {
            name: self.name.clone(),
            flags: OpcodeFlags::default(),
            operands: self.operand.iter().map(|operand| operand.info).collect(),
            definitions: 0,
            implicit_uses: Vec::new(),
            implicit_defs: Vec::new(),
        }
    }
}

impl WordOperand {
    /// The registers of a class, unless there are none.
    fn of_class(name: &str, set: &InstructionSet) -> Option<Self> {
        let (id, class) = set.class_by_name(name)?;
        let named = |&id: &RegisterId| (id, set.register(id).name.to_lowercase());
        let registers: Vec<(RegisterId, String)> = class.registers.iter().map(named).collect();
        let kind = OperandKind::Register(id);
        let info = OperandInfo { kind, tied_to: None, early_clobber: false };
        (!registers.is_empty()).then_some(Self { info, registers })
    }
}
