//! What uops.info's trees say of forms that LLVM's names do not stand in: instructions by their mnemonics
//! and operands, and latencies by the numbers of these. Source: uops.info, "instructions.xml": `ADD (R64, I8)`,
//! `VADDPD_Z (ZMM, K, ZMM, ZMM)`, and of a latency `start_op`, `target_op` and `cycles`, with `_addr`,
//! `_addr_index` and `_mem` behind it where an operand is memory.

use super::forms::{Masking, WrittenForm, WrittenOperand};
use super::notation;
use super::spelled::{OperandChoices, SpelledFigure, SpelledTable, meanings};
use super::xml::XmlAttributes;
use crate::database::{ADDRESS_BASE, ADDRESS_INDEX, Quantity};

/// What the extensions of the longer encodings are called.
const LONG: &str = "AVX512";

/// An instruction by how it is written.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct WrittenInstruction {
    text: String,
    operands: Vec<OperandChoices>,
    meanings: Vec<WrittenForm>,
}

impl WrittenInstruction {
    /// What an element says; none where an operand is nothing that a form has.
    pub fn of(said: &XmlAttributes) -> Option<Self> {
        let text = said.text("string").or(said.text("asm"))?;
        let (name, operands) = text.split_once('(').unwrap_or((text, ""));
        let asm = said.text("asm").unwrap_or(name);
        // (`{evex} VADDPD`.)
        let mnemonic = asm.rsplit(' ').find(|word| !word.is_empty())?;
        let extension = said.text("extension").unwrap_or_default();
        let is_long = extension.contains(LONG) || asm.to_lowercase().contains("{evex}");
        let list = operands.trim().trim_end_matches(')').split(',');
        let list = list.map(str::trim).filter(|operand| !operand.is_empty());
        let operands: Vec<OperandChoices> = list.map(notation::operand).collect::<Option<_>>()?;
        let plain = meanings(mnemonic, &operands, Masking::None, Some(is_long))?;
        let is_zeroing = said.text("zeroing") == Some("1");
        let masking = if is_zeroing { Masking::Zeroing } else { Masking::Merging };
        let mask = WrittenOperand::of_kind("k");
        let masked = match operands.get(1) {
            Some(second) if second.contains(&mask) => {
                let without = [&operands[..1], &operands[2..]].concat();
                meanings(mnemonic, &without, masking, Some(is_long))?
            }
            _ => Vec::new(),
        };
        let meanings = [plain, masked].concat();
        Some(Self { text: text.to_owned(), operands, meanings })
    }

    fn figure(
        &self,
        quantity: Quantity,
        ends: Option<(String, String)>,
        range: (Option<f64>, Option<f64>),
    ) -> SpelledFigure {
        let (text, meanings) = (self.text.clone(), self.meanings.clone());
        SpelledFigure { text, meanings, quantity, ends, range }
    }

    /// Adds what is said of its throughput.
    pub fn add_throughput(&self, said: &XmlAttributes, out: &mut SpelledTable) {
        let cycles = ["TP_loop", "TP_unrolled", "TP"].iter().find_map(|key| said.number(key));
        if let Some(cycles) = cycles {
            out.figures.push(self.figure(Quantity::Throughput, None, (Some(cycles), Some(cycles))));
        }
    }

    /// Adds what is said of a latency, from each part of its source.
    pub fn add_latency(&self, said: &XmlAttributes, out: &mut SpelledTable) {
        let ends = (self.end(said, "start_op"), self.end(said, "target_op"));
        let (Some(source), Some(target)) = ends else {
            out.leave_out("an end of a latency is no operand that is written", &self.text);
            return;
        };
        for (behind, part) in
            [("", ""), ("_addr", ADDRESS_BASE), ("_addr_index", ADDRESS_INDEX), ("_mem", "")]
        {
            let number = |before: &str| said.number(&format!("{before}cycles{behind}"));
            let exact = number("");
            let (min, max) = (number("min_").or(exact), number("max_").or(exact));
            if max.is_none() {
                continue;
            }
            let key = |before: &str| format!("{before}cycles{behind}_is_upper_bound");
            let is_open = ["", "max_"].iter().any(|it| said.text(&key(it)) == Some("1"));
            let min = min.filter(|_| !is_open);
            let ends = Some((format!("{source}{part}"), target.clone()));
            out.figures.push(self.figure(Quantity::Latency, ends, (min, max)));
        }
    }

    /// An operand by its number, as databases name it: those that are no register of the instruction's
    /// choice have no place of their own there.
    fn end(&self, said: &XmlAttributes, key: &str) -> Option<String> {
        let number = said.text(key)?.parse::<usize>().ok()?.checked_sub(1)?;
        let is_fixed = |choices: &OperandChoices| matches!(choices[..], [WrittenOperand::Fixed(_)]);
        match self.operands.get(number)?.as_slice() {
            [WrittenOperand::Fixed(name)] => Some(name.to_uppercase()),
            _ => {
                let before = self.operands[..number].iter().filter(|it| !is_fixed(it));
                Some(before.count().to_string())
            }
        }
    }
}
