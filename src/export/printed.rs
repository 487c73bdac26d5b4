//! How forms are printed: every spelling that an assembler or a compiler may write, and which operand
//! of LLVM's stands where in it.
//!
//! Tables cannot tell that. LLVM's operands are in another order than the text's, tied ones are not
//! written, registers that are implied are (`shl %cl, %rax`), and one opcode has many mnemonics:
//! a condition or a predicate is a number to LLVM, and a zero register makes `subs` a `cmp`. So
//! instances are encoded, decoded and printed: only what decodes has operands that a printer
//! stands. An operand of the text belongs to that of LLVM's whose register changes it.

use std::collections::HashSet;

use crate::codec::Codec;
use crate::form::{InstructionForm, Placeholder};
use crate::isa::{Availability, Isa};
use crate::metadata::{ClassId, Instruction, InstructionSet, OperandValue, RegisterId};

/// One way to write a form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spelled {
    /// As compilers write it.
    pub mnemonic: String,
    /// As the vendor's manual has it, where that differs.
    pub vendor: Option<String>,
    /// In their order.
    pub operands: Vec<PrintedForm>,
    /// The instance that is spelled so.
    pub instance: Instruction,
    /// Whether it takes special registers or numbers to be spelled so.
    pub is_special: bool,
}

impl Spelled {
    /// By a shorter name, without the last operand.
    fn without_last(&self, mnemonic: &str) -> Self {
        let operands = self.operands[..self.operands.len().saturating_sub(1)].to_vec();
        let (mnemonic, instance) = (mnemonic.to_owned(), self.instance.clone());
        Self { mnemonic, vendor: None, operands, instance, is_special: true }
    }
}

/// An operand in the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PrintedForm {
    /// What stands there.
    pub text: String,
    /// The register operands of LLVM's that show there.
    pub sites: Vec<usize>,
}

/// What prints the forms of a target.
pub struct Printer<'a> {
    /// LLVM's tables.
    pub set: &'a InstructionSet,
    /// The ISA's knowledge.
    pub isa: &'a dyn Isa,
    /// Encodes, decodes and prints.
    pub codec: &'a mut dyn Codec,
}

/// Numbers that stand for conditions, predicates and distances of shifts: what they mean may change
/// the mnemonic.
const NUMBERS: std::ops::RangeInclusive<i64> = -1..=33;
/// Of two numbers at once: positions of bit fields, whose ends make other mnemonics.
const ENDS: &[i64] = &[0, 1, 3, 7, 15, 31, 32, 60, 61, 62, 63, 27, 28, 29, 30];
/// How many other registers an operand gets before it is given up.
const ATTEMPTS: usize = 6;

/// A text taken apart.
struct PrintedLine {
    mnemonic: String,
    operands: Vec<String>,
}

impl Printer<'_> {
    /// All spellings of a form, the plainest first.
    pub fn spellings(&mut self, form: &InstructionForm) -> Vec<Spelled> {
        let plain = self.plain_instance(form);
        let mut seen = HashSet::new();
        let mut spellings = Vec::new();
        for instance in std::iter::once(plain.clone()).chain(self.variations(form, &plain)) {
            let Some((line, decoded)) = self.line(&instance) else { continue };
            if seen.insert(shape(&line)) {
                let vendor = self.vendor_mnemonic(&decoded).filter(|it| *it != line.mnemonic);
                let operands = self.written(form, &instance, &line);
                let (mnemonic, is_special) = (line.mnemonic, instance != plain);
                let spelled = Spelled { mnemonic, vendor, operands, instance, is_special };
                let short = self.isa.without_zero(&spelled.mnemonic);
                spellings.extend(short.map(|short| spelled.without_last(short)));
                spellings.push(spelled);
            }
        }
        spellings
    }

    /// An instance with another register at each operand, where there are enough that can be encoded.
    fn plain_instance(&mut self, form: &InstructionForm) -> Instruction {
        let mut used: Vec<RegisterId> = Vec::new();
        let mut instance = form.sample.clone();
        for (index, class) in registers(form) {
            if form.operands[index].tied_to.is_some() {
                continue;
            }
            let free = self.others(class, &used, RegisterId::NONE);
            let mut candidates = free.into_iter().take(ATTEMPTS);
            let fits = candidates.find_map(|register| {
                let changed = with_register(form, &instance, index, register);
                self.line(&changed).map(|_| (changed, register))
            });
            if let Some((changed, register)) = fits {
                instance = changed;
                used.push(register);
            }
        }
        instance
    }

    /// Registers of a class that overlap none of some, ordinary ones.
    fn others(&self, class: ClassId, used: &[RegisterId], besides: RegisterId) -> Vec<RegisterId> {
        let is_free = |register: RegisterId| {
            let name = &self.set.register(register).name;
            self.isa.availability(name) == Availability::Always
                && !self.isa.is_zero(name)
                && register != besides
                && !used.iter().any(|&other| self.set.overlap(other, register))
        };
        self.set.class(class).registers.iter().copied().filter(|&it| is_free(it)).collect()
    }

    /// Instances that may have other mnemonics.
    fn variations(&self, form: &InstructionForm, plain: &Instruction) -> Vec<Instruction> {
        let numbers: Vec<usize> = (0..form.operands.len())
            .filter(|&index| {
                let operand = form.operands[index];
                matches!(operand.kind, Placeholder::Immediate(_)) && operand.address.is_none()
            })
            .collect();
        let mut bases = vec![plain.clone()];
        bases.extend(self.with_zeros(form, plain));
        bases.extend(with_equals(form, plain));
        let mut all = bases[1..].to_vec();
        for base in &bases {
            for &index in &numbers {
                all.extend(NUMBERS.map(|number| with_number(base, index, number)));
            }
            if let &[.., first, second] = numbers.as_slice() {
                let pairs = ENDS.iter().flat_map(|&a| ENDS.iter().map(move |&b| (a, b)));
                let both = |(a, b)| with_number(&with_number(base, first, a), second, b);
                all.extend(pairs.map(both));
            }
        }
        all
    }

    /// Instances with the zero register at every set of operands that can have it.
    fn with_zeros(&self, form: &InstructionForm, plain: &Instruction) -> Vec<Instruction> {
        let zero = |class: ClassId| {
            let mut members = self.set.class(class).registers.iter().copied();
            members.find(|&register| self.isa.is_zero(&self.set.register(register).name))
        };
        let places: Vec<(usize, RegisterId)> = registers(form)
            .filter(|&(index, _)| form.operands[index].address.is_none())
            .filter_map(|(index, class)| Some((index, zero(class)?)))
            .take(4)
            .collect();
        let subsets = 1..1_u32 << places.len();
        let instance = |subset: u32| {
            let chosen = places.iter().enumerate().filter(|(bit, _)| subset & (1 << bit) != 0);
            chosen.fold(plain.clone(), |instance, (_, &(index, register))| {
                with_register(form, &instance, index, register)
            })
        };
        subsets.map(instance).collect()
    }

    /// The text of an instance, and the instance as its bytes say it.
    fn line(&mut self, instance: &Instruction) -> Option<(PrintedLine, Instruction)> {
        let encodable = self.set.encodable(instance);
        let bytes = self.codec.encode(&encodable).ok()?;
        let (decoded, length) = self.codec.decode(&bytes).ok()?;
        if length != bytes.len() {
            return None;
        }
        let text = self.codec.print_as_compilers(&decoded).ok()?;
        Some((take_apart(&text)?, decoded))
    }

    fn vendor_mnemonic(&mut self, decoded: &Instruction) -> Option<String> {
        take_apart(&self.codec.print(decoded).ok()?).map(|line| line.mnemonic)
    }

    /// The operands of a text with where each comes from.
    fn written(
        &mut self,
        form: &InstructionForm,
        instance: &Instruction,
        line: &PrintedLine,
    ) -> Vec<PrintedForm> {
        let written = |text: &String| PrintedForm { text: text.clone(), sites: Vec::new() };
        let mut operands: Vec<PrintedForm> = line.operands.iter().map(written).collect();
        for (index, class) in registers(form) {
            let own = match instance.operands[index] {
                OperandValue::Register(register) => register,
                OperandValue::Immediate(_) => continue,
            };
            let candidates = self.others(class, &[], own).into_iter().rev().take(ATTEMPTS);
            let other = candidates.into_iter().find_map(|register| {
                let (other, _) = self.line(&with_register(form, instance, index, register))?;
                let is_same =
                    other.mnemonic == line.mnemonic && other.operands.len() == line.operands.len();
                is_same.then_some(other)
            });
            let Some(other) = other else { continue };
            for (place, operand) in operands.iter_mut().enumerate() {
                if other.operands[place] != line.operands[place] {
                    operand.sites.push(index);
                }
            }
        }
        operands
    }
}

fn registers(form: &InstructionForm) -> impl Iterator<Item = (usize, ClassId)> + '_ {
    (0..form.operands.len()).filter_map(|index| Some((index, form.class_of(index)?)))
}

/// The instance with another register at an operand, and at those that are tied to it.
fn with_register(
    form: &InstructionForm,
    instance: &Instruction,
    index: usize,
    register: RegisterId,
) -> Instruction {
    let root = form.operands[index].tied_to.unwrap_or(index);
    let mut changed = instance.clone();
    for (place, operand) in form.operands.iter().enumerate() {
        let is_register = matches!(operand.kind, Placeholder::Register(_));
        if is_register && (place == root || operand.tied_to == Some(root)) {
            changed.operands[place] = OperandValue::Register(register);
        }
    }
    changed
}

fn with_number(instance: &Instruction, index: usize, number: i64) -> Instruction {
    let mut changed = instance.clone();
    changed.operands[index] = OperandValue::Immediate(number);
    changed
}

/// Instances with one register at two sources of a class: moves and rotations are such.
fn with_equals(form: &InstructionForm, plain: &Instruction) -> Vec<Instruction> {
    let sources: Vec<(usize, ClassId)> = registers(form)
        .filter(|&(index, _)| {
            let operand = form.operands[index];
            operand.read && !operand.write && operand.address.is_none()
        })
        .collect();
    let pairs = sources.windows(2).filter(|pair| pair[0].1 == pair[1].1);
    pairs
        .filter_map(|pair| match plain.operands[pair[0].0] {
            OperandValue::Register(register) => {
                Some(with_register(form, plain, pair[1].0, register))
            }
            OperandValue::Immediate(_) => None,
        })
        .collect()
}

/// What tells spellings of a form apart: the mnemonic, and how each operand begins.
fn shape(line: &PrintedLine) -> (String, Vec<String>) {
    let kind = |text: &String| {
        let letters = text.chars().filter(|letter| !letter.is_ascii_digit() && *letter != '-');
        // Registers of one kind have the letters of their numbers in common; general registers of
        // x86 do not, and are all written with the same sign in front.
        letters.take(2).collect()
    };
    (line.mnemonic.clone(), line.operands.iter().map(kind).collect())
}

/// Takes a printed instruction apart; none for one with a prefix of its own.
fn take_apart(text: &str) -> Option<PrintedLine> {
    let text = text.trim();
    let (mnemonic, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    if rest.contains('\t') {
        return None;
    }
    Some(PrintedLine { mnemonic: mnemonic.to_owned(), operands: split(rest.trim()) })
}

/// Splits at commas outside of brackets.
#[must_use]
pub fn split(text: &str) -> Vec<String> {
    let mut parts = Vec::new();
    let (mut depth, mut start) = (0_i32, 0);
    for (at, letter) in text.char_indices() {
        match letter {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(text[start..at].trim().to_owned());
                start = at + 1;
            }
            _ => {}
        }
    }
    let last = text[start..].trim();
    if !last.is_empty() {
        parts.push(last.to_owned());
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_keep_their_commas() {
        assert_eq!(split("8(%rax,%rcx,4), %ymm1 {%k1}"), ["8(%rax,%rcx,4)", "%ymm1 {%k1}"]);
        assert_eq!(split("{ v0.2d, v1.2d }, [x0], #32"), ["{ v0.2d, v1.2d }", "[x0]", "#32"]);
        assert_eq!(split(""), Vec::<String>::new());
    }

    #[test]
    fn a_prefix_is_no_mnemonic() {
        assert!(take_apart("lock\taddq\t%rax, (%rcx)").is_none());
        assert_eq!(take_apart("\tnop").map(|line| line.mnemonic).as_deref(), Some("nop"));
    }
}
