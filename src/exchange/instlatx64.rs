//! The dumps of AIDA64 that InstLatx64 collects: a line for each instruction, with its latency and
//! its reciprocal throughput. Source: the dumps as they are published: `NUMBER EXTENSION :INSTRUCTION L: 0.26ns=
//! 1.0c T: 0.06ns= 0.25c`, older ones with `Inst` in front. What is no such line describes the
//! machine, and is passed over.

use super::Unreadable;
use super::forms::{Masking, undecorated};
use super::notation;
use super::spelled::{SpelledFigure, SpelledTable, meanings};
use crate::database::Quantity;

/// What extensions with the longer encodings are called.
const LONG: [&str; 2] = ["AVX512", "AVX10"];
/// What stands before an instruction in the longer encoding.
const MARK: &str = "{evex}";

/// A line of a dump.
struct DumpLine<'a> {
    extension: &'a str,
    instruction: &'a str,
    latency: &'a str,
    throughput: &'a str,
}

impl<'a> DumpLine<'a> {
    fn of(line: &'a str) -> Option<Self> {
        let (head, rest) = line.split_once(':')?;
        let mut words = head.split_whitespace().rev();
        let (extension, number) = (words.next()?, words.next()?);
        number.parse::<u32>().ok()?;
        let (rest, throughput) = rest.rsplit_once(" T:")?;
        let (instruction, latency) = rest.rsplit_once(" L:")?;
        Some(Self { extension, instruction: instruction.trim(), latency, throughput })
    }

    /// What its instruction means; none where an operand is nothing that a form has.
    fn meanings(&self) -> Result<Vec<super::forms::WrittenForm>, &'static str> {
        let text = self.instruction.to_lowercase();
        let marked = text.strip_prefix(MARK);
        let is_long = marked.is_some() || LONG.iter().any(|it| self.extension.contains(it));
        let text = marked.unwrap_or(&text).trim();
        let (mnemonic, operands) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let mut masked = Masking::None;
        let mut choices = Vec::new();
        let mut numbers = Vec::new();
        for operand in operands.split(',').filter(|operand| !operand.trim().is_empty()) {
            let (bare, masking) = undecorated(operand);
            masked = masked.max(masking);
            numbers.extend(notation::numbered(bare));
            choices.push(notation::operand(bare).ok_or(UNKNOWN_OPERAND)?);
        }
        numbers.sort_unstable();
        if numbers.windows(2).any(|pair| pair[0] == pair[1]) {
            return Err("it is about one register at several operands");
        }
        meanings(mnemonic, &choices, masked, Some(is_long)).ok_or(UNKNOWN_OPERAND)
    }
}

/// Why an instruction is not looked up.
pub(super) const UNKNOWN_OPERAND: &str = "no form has an operand like one of its";

/// Cycles of `0.26ns=  1.0c`.
fn cycles(figure: &str) -> Option<f64> {
    let (_, cycles) = figure.rsplit_once('=')?;
    let cycles = cycles.trim().strip_suffix('c')?.trim().parse().ok();
    cycles.filter(|cycles: &f64| cycles.is_finite() && *cycles >= 0.0)
}

/// Whether a text has such a line.
#[must_use]
pub fn has_line(text: &str) -> bool {
    text.lines().any(|line| line.contains(" T:") && DumpLine::of(line).is_some())
}

/// Reads a dump.
///
/// # Errors
/// When it has no line of an instruction.
pub fn read(text: &str) -> Result<SpelledTable, Unreadable> {
    let mut out = SpelledTable::default();
    for line in text.lines().filter_map(DumpLine::of) {
        let meanings = match line.meanings() {
            Ok(meanings) => meanings,
            Err(reason) => {
                out.leave_out(reason, line.instruction);
                continue;
            }
        };
        for (quantity, figure) in
            [(Quantity::Throughput, line.throughput), (Quantity::Latency, line.latency)]
        {
            let Some(cycles) = cycles(figure) else {
                out.leave_out(format!("its {quantity} is no number of cycles"), line.instruction);
                continue;
            };
            out.figures.push(SpelledFigure {
                text: line.instruction.to_owned(),
                meanings: meanings.clone(),
                quantity,
                ends: None,
                range: (Some(cycles), Some(cycles)),
            });
        }
    }
    if out.is_empty() { Err(Unreadable::Empty) } else { Ok(out) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exchange::forms::WrittenOperand;

    const DUMP: &str = "\
CPUID of a machine: nobody's
   12 X86             :ADD r32, r32                          L:   0.26ns=  1.0c  T:   0.06ns=  0.25c
   13 AVX512VL        :VADDPD ymm{k1}{z}, ymm, ymm           L:   1.00ns=  4.0c  T:   0.12ns=  0.50c
   14 X86             :XOR r1_32, r1_32                      L:   0.00ns=  0.0c  T:   0.06ns=  0.20c
Inst  409 X86   : DIV r8  0/ 8b                 L: [no true dep.]   T:   4.14ns= 13.00c
   15 X86             :MOV [m64], r64                        L: [memory dep.]    T:   0.25ns=  1.00c
";

    #[test]
    fn lines_are_figures_or_counted() {
        assert!(has_line(DUMP) && !has_line("isa: x86_64\ninstructions: []\n"));
        let read = read(DUMP).unwrap();
        let told: Vec<_> =
            read.figures.iter().map(|it| (it.text.as_str(), it.quantity, it.range.0)).collect();
        use Quantity::{Latency, Throughput};
        assert_eq!(
            told,
            [
                ("ADD r32, r32", Throughput, Some(0.25)),
                ("ADD r32, r32", Latency, Some(1.0)),
                ("VADDPD ymm{k1}{z}, ymm, ymm", Throughput, Some(0.5)),
                ("VADDPD ymm{k1}{z}, ymm, ymm", Latency, Some(4.0)),
                ("MOV [m64], r64", Throughput, Some(1.0)),
            ]
        );
        let add = &read.figures[0].meanings[..];
        assert_eq!(add[0].operands, vec![WrittenOperand::general(32); 2]);
        let masked = &read.figures[2].meanings[0];
        assert_eq!((masked.masking, masked.is_long), (Masking::Zeroing, Some(true)));
        let counted: Vec<usize> = read.left_out.values().map(|it| it.count).collect();
        assert_eq!(counted, [1, 1, 1], "{:?}", read.left_out);
    }

    #[test]
    fn what_has_no_line_is_refused() {
        assert_eq!(read("L: 1 T: 2\n"), Err(Unreadable::Empty));
    }
}
