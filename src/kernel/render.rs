//! Kernels as assembly text, through the macros of the ISA's template.
//!
//! Bodies are given as bytes that the codec made of the instruction itself: text parsed again
//! could become another opcode (`VADDPDZ128rr` prints like `VADDPDrr`).

use std::collections::hash_map::Entry;
use std::fmt::Write as _;

use super::{Kernel, Slot};
use crate::artifact::{LOW_MEMORY, Purpose};
use crate::catalogue::Catalogue;
use crate::codec::{CodeError, Codec};
use crate::form::{AddressOrigin, AddressPart, EncodingGroup, Value};
use crate::isa::{HeldOperand, PHASE, Preparation, WalkText};
use crate::maps::Map;
use crate::metadata::{Instruction, OperandValue, RegisterId};

/// What a text is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Audience {
    /// The assembler: bodies as bytes.
    Assembler,
    /// A person who edits it: each instruction stands as text where the assembler makes the same bytes
    /// of it.
    Person,
    /// A person who reads it: the same, and what repeats stands once, between `.rept` and `.endr`.
    Reader,
}

/// A kernel as text, ready to stand behind the template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rendered {
    /// The text.
    pub text: String,
    /// Symbol of the function to call before each call, the kernel's own or the template's; kernels that run
    /// once need none.
    pub init: Option<String>,
    /// Symbol of the function with the body once.
    pub single: String,
    /// Symbol of the function with the body twice; kernels that run once have none.
    pub double: Option<String>,
}

/// Why a kernel has no text.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RenderError {
    /// The codec cannot encode one of its instructions.
    #[error("cannot encode {0}: {1}")]
    Code(String, CodeError),
    /// Instructions that leave and that clear the upper parts of vector registers stand in one
    /// body, or such as need different configurations.
    #[error("the body mixes vector encodings or configurations")]
    MixedEncodings,
    /// More instructions say what they do in a register than there are registers.
    #[error("{0} operands of instructions, and registers for {1}")]
    TooManyOperands(usize, usize),
}

/// Renders a kernel under a name that is unique in its shared object.
///
/// # Errors
/// When the codec cannot encode an instruction, or the body mixes encodings.
pub fn render(
    kernel: &Kernel,
    name: &str,
    catalogue: &Catalogue,
    codec: &mut dyn Codec,
    purpose: Purpose,
    audience: Audience,
) -> Result<Rendered, RenderError> {
    let operands = RegisterOperands::of(kernel, catalogue)?;
    let body = match audience {
        Audience::Assembler => as_bytes(kernel, catalogue, codec, &operands)?,
        Audience::Person => as_lines(kernel, catalogue, codec, &operands)?.concat(),
        Audience::Reader => folded(&as_lines(kernel, catalogue, codec, &operands)?),
    };
    let group = group_of(kernel, catalogue)?;
    Ok(assemble_text(kernel, name, catalogue, group, (&body, &operands), purpose))
}

/// The operands of instructions that say in a register what they do, each once.
#[derive(Debug, Default)]
struct RegisterOperands {
    held: Vec<HeldOperand>,
    /// Whether there is any such instruction; pointers of a walk hold the operands of some.
    is_needed: bool,
}

impl RegisterOperands {
    fn of(kernel: &Kernel, catalogue: &Catalogue) -> Result<Self, RenderError> {
        let mut out = Self::default();
        for instruction in kernel.instructions() {
            let Some(own) = catalogue.isa.register_operand(instruction) else { continue };
            out.is_needed = true;
            let is_at_pointer = kernel.walk.is_some() && own.at_base.is_some();
            if !is_at_pointer && !out.held.contains(&own.operand) {
                out.held.push(own.operand);
            }
        }
        let room = catalogue.isa.operand_registers().len();
        if out.held.len() > room {
            return Err(RenderError::TooManyOperands(out.held.len(), room));
        }
        Ok(out)
    }

    /// An instruction's word, with the register that has its operand, and what it does.
    fn word(&self, instruction: &Instruction, catalogue: &Catalogue) -> Option<(u32, String)> {
        let own = catalogue.isa.register_operand(instruction)?;
        let Some(at) = self.held.iter().position(|operand| *operand == own.operand) else {
            return Some((own.at_base?, own.text));
        };
        let register = catalogue.isa.operand_registers()[at];
        Some((own.words[at], own.text.replacen('\t', &format!(" {register}: "), 1)))
    }
}

/// The body as one string of bytes.
fn as_bytes(
    kernel: &Kernel,
    catalogue: &Catalogue,
    codec: &mut dyn Codec,
    operands: &RegisterOperands,
) -> Result<String, RenderError> {
    let filler = catalogue.isa.filler();
    let mut bytes = Vec::new();
    let mut known: Map<&Instruction, Vec<u8>> = Map::default();
    let mut text = String::new();
    let moved = advance(kernel, catalogue);
    for slot in &kernel.body {
        match slot {
            Slot::Advance => {
                let before = std::mem::take(&mut bytes);
                let _ = write!(text, "        {}\n{moved}", data(&before));
            }
            Slot::Fillers(count) => {
                bytes.extend(filler.iter().copied().cycle().take(filler.len() * *count as usize));
            }
            Slot::Bytes(filler) => bytes.extend(filler),
            Slot::Instruction(instruction) => {
                let encoded = once(&mut known, instruction, || {
                    if let Some((word, _)) = operands.word(instruction, catalogue) {
                        return Ok(word.to_le_bytes().to_vec());
                    }
                    let encoded = encode(instruction, catalogue, codec)?;
                    Ok(if kernel.padded { lengthened(encoded, catalogue) } else { encoded })
                })?;
                match region_reference(instruction, encoded, catalogue) {
                    Some((kept, reference)) => {
                        bytes.extend(&encoded[..kept]);
                        let before = std::mem::take(&mut bytes);
                        let _ = write!(text, "        {}\n        {reference}\n", data(&before));
                    }
                    None => bytes.extend(encoded),
                }
            }
        }
    }
    if text.is_empty() || !bytes.is_empty() {
        let _ = writeln!(text, "        {}", data(&bytes));
    }
    Ok(text)
}

fn encode(
    instruction: &Instruction,
    catalogue: &Catalogue,
    codec: &mut dyn Codec,
) -> Result<Vec<u8>, RenderError> {
    let encoded = codec.encode(&catalogue.set.encodable(instruction));
    encoded.map_err(|reason| refused(instruction, catalogue, reason))
}

/// Whether an instruction's address is counted from where it stands.
fn is_relative(instruction: &Instruction, catalogue: &Catalogue) -> bool {
    let form = catalogue.form(instruction.opcode);
    form.is_some_and(|form| form.origin == AddressOrigin::Instruction)
}

/// How many bytes of an encoding stay as they are, and assembly for the others, if its address is counted
/// from where the instruction stands.
fn region_reference(
    instruction: &Instruction,
    encoded: &[u8],
    catalogue: &Catalogue,
) -> Option<(usize, String)> {
    let form =
        catalogue.form(instruction.opcode).filter(|_| is_relative(instruction, catalogue))?;
    match instruction.operands[form.operand_of(AddressPart::Displacement)?] {
        OperandValue::Immediate(place) => catalogue.isa.region_reference(encoded, place),
        OperandValue::Register(_) => None,
    }
}

/// The body as a piece of text for each slot: a line, or as many as a run of fillers takes.
fn as_lines(
    kernel: &Kernel,
    catalogue: &Catalogue,
    codec: &mut dyn Codec,
    operands: &RegisterOperands,
) -> Result<Vec<String>, RenderError> {
    let (filler, syntax) = (data(catalogue.isa.filler()), catalogue.isa.syntax());
    let mut known: Map<&Instruction, String> = Map::default();
    let moved = advance(kernel, catalogue);
    let mut pieces = Vec::with_capacity(kernel.body.len());
    for slot in &kernel.body {
        pieces.push(match slot {
            Slot::Advance => moved.clone(),
            Slot::Fillers(count) => repeated(*count as usize, &format!("        {filler}\n")),
            Slot::Bytes(filler) => format!("        {}\n", data(filler)),
            Slot::Instruction(instruction) => {
                let line = once(&mut known, instruction, || {
                    if let Some((word, text)) = operands.word(instruction, catalogue) {
                        return Ok(format!(".inst {word:#010x}  // {text}"));
                    }
                    let encoded = encode(instruction, catalogue, codec)?;
                    if let Some((kept, end)) = region_reference(instruction, &encoded, catalogue) {
                        return Ok(format!("{}\n        {end}", data(&encoded[..kept])));
                    }
                    let line = codec.source_line(&catalogue.set.encodable(instruction), syntax);
                    let line = line.map_err(|reason| refused(instruction, catalogue, reason))?;
                    let added = match kernel.padded {
                        true => lengthened(encoded.clone(), catalogue).len() - encoded.len(),
                        false => 0,
                    };
                    let prefix = catalogue.isa.padding().map_or(0, |padding| padding.prefix);
                    Ok(match added {
                        0 => line,
                        _ => format!("{}; {line}", data(&vec![prefix; added])),
                    })
                })?;
                format!("        {line}\n")
            }
        });
    }
    Ok(pieces)
}

/// Text that the assembler repeats.
fn repeated(times: usize, text: &str) -> String {
    format!("        .rept {times}\n{text}        .endr\n")
}

/// Pieces of text, with the shortest beginning that they all repeat written once.
fn folded(pieces: &[String]) -> String {
    let period = period(pieces);
    match pieces.len().checked_div(period) {
        None | Some(0 | 1) => pieces.concat(),
        Some(times) => {
            repeated(times, &pieces[..period].concat()) + &pieces[times * period..].concat()
        }
    }
}

/// The least distance at which all elements of a sequence are the same as those before: its length without
/// the longest end that it also begins with (the failure function of Knuth, Morris and Pratt).
fn period<T: PartialEq>(sequence: &[T]) -> usize {
    let mut ends = vec![0; sequence.len()];
    for at in 1..sequence.len() {
        let mut length = ends[at - 1];
        while length > 0 && sequence[at] != sequence[length] {
            length = ends[length - 1];
        }
        ends[at] = length + usize::from(sequence[at] == sequence[length]);
    }
    sequence.len() - ends.last().copied().unwrap_or_default()
}

/// An instruction with as many meaningless bytes in front that decoding it limits nothing.
fn lengthened(mut bytes: Vec<u8>, catalogue: &Catalogue) -> Vec<u8> {
    if let Some(padding) = catalogue.isa.padding() {
        let missing = padding.least.saturating_sub(bytes.len());
        bytes.splice(0..0, std::iter::repeat_n(padding.prefix, missing));
    }
    bytes
}

/// What moves the pointers of a walk on.
fn advance(kernel: &Kernel, catalogue: &Catalogue) -> String {
    lines(&walk_text(kernel, catalogue).advance)
}

fn walk_text(kernel: &Kernel, catalogue: &Catalogue) -> WalkText {
    let text = kernel.walk.as_ref().map(|walk| catalogue.isa.walk(&catalogue.set, walk));
    text.unwrap_or_default()
}

fn lines(lines: &[String]) -> String {
    lines.iter().fold(String::new(), |text, line| text + "        " + line + "\n")
}

/// What is known of an instruction, found out the first time: bodies repeat a few hundred times.
fn once<'a, 'k, T>(
    known: &'a mut Map<&'k Instruction, T>,
    instruction: &'k Instruction,
    find_out: impl FnOnce() -> Result<T, RenderError>,
) -> Result<&'a T, RenderError> {
    match known.entry(instruction) {
        Entry::Occupied(entry) => Ok(entry.into_mut()),
        Entry::Vacant(entry) => Ok(entry.insert(find_out()?)),
    }
}

/// The group of vector encodings of a body; the first one's of a body that goes from one to another.
fn group_of(kernel: &Kernel, catalogue: &Catalogue) -> Result<EncodingGroup, RenderError> {
    let own = |instruction: &Instruction| {
        catalogue.form(instruction.opcode).map_or(EncodingGroup::COMMON, |form| form.group)
    };
    let mut groups = kernel.instructions().map(own);
    if kernel.crosses_encodings {
        let first = groups.find(|group| *group != EncodingGroup::COMMON);
        return Ok(first.unwrap_or(EncodingGroup::COMMON));
    }
    groups.try_fold(EncodingGroup::COMMON, EncodingGroup::with).ok_or(RenderError::MixedEncodings)
}

fn refused(instruction: &Instruction, catalogue: &Catalogue, reason: CodeError) -> RenderError {
    RenderError::Code(catalogue.set.opcode(instruction.opcode).name.clone(), reason)
}

/// What is done before each call of a kernel.
struct Init {
    /// Its function, where the runner calls one.
    symbol: Option<String>,
    /// That function, unless it is the template's.
    text: String,
    /// What the kernel's functions do themselves.
    in_setup: Vec<String>,
}

impl Init {
    /// With what fills the region. Those are hundreds of stores, with which a timed call must not begin: it
    /// is as short as the clock allows. (A Zen 1, calls of 6 us: `mov rax, [r14]` beside 16 `pmullw` takes
    /// 16.4 cycles with them, 15.9 without.)
    fn of(name: &str, filled: Vec<String>, purpose: Purpose) -> Self {
        match purpose {
            Purpose::Probe => Self { symbol: None, text: String::new(), in_setup: filled },
            Purpose::Time if filled.is_empty() => {
                Self { symbol: Some(PHASE.to_owned()), text: String::new(), in_setup: filled }
            }
            Purpose::Time => {
                let body = lines(&filled);
                let text = format!("        winic_init {name}\n{body}        winic_init_end\n");
                Self { symbol: Some(format!("{name}_init")), text, in_setup: Vec::new() }
            }
        }
    }
}

fn assemble_text(
    kernel: &Kernel,
    name: &str,
    catalogue: &Catalogue,
    group: EncodingGroup,
    (body, operands): (&str, &RegisterOperands),
    purpose: Purpose,
) -> Rendered {
    let preparation =
        catalogue.isa.prepare(&catalogue.set, &distinct_values(kernel, catalogue), group);
    let filled = kernel.contents.map(|contents| catalogue.isa.fill_region(contents, kernel.low));
    let Init { symbol: init, text: init_text, in_setup } =
        Init::of(name, filled.unwrap_or_default(), purpose);
    let near = match kernel.instructions().any(|instruction| is_relative(instruction, catalogue)) {
        true => catalogue.isa.near_region(),
        false => Vec::new(),
    };
    let walk = walk_text(kernel, catalogue);
    let unit = match operands.is_needed {
        false => Preparation::default(),
        true => match (purpose, kernel.body.as_slice()) {
            (Purpose::Probe, [Slot::Instruction(only)]) => {
                catalogue.isa.prepare_probe(only, &operands.held)
            }
            _ => catalogue.isa.prepare_operands(&operands.held),
        },
    };
    let teardown = lines(&walk.teardown) + &lines(&unit.teardown) + &lines(&preparation.teardown);
    let mut text = format!(
        "{}{init_text}        winic_setup {name}\n{}{}{}{}        winic_setup_end\n",
        lines(&near),
        lines(&in_setup),
        lines(&preparation.setup),
        lines(&walk.setup),
        lines(&unit.setup)
    );
    let single = format!("{name}_single");
    let double = (purpose == Purpose::Time).then(|| format!("{name}_double"));
    for (function, times) in [(Some(&single), 1), (double.as_ref(), 2)] {
        let Some(function) = function else { continue };
        let _ = writeln!(text, "        winic_function {function}, {name}");
        for _ in 0..times {
            text.push_str(body);
        }
        let _ = write!(
            text,
            "        winic_loop_{} {function}\n{teardown}        winic_function_end\n",
            kernel.loop_control.name
        );
    }
    Rendered { text, init, single, double }
}

/// One value per register: a register that is named twice keeps what was asked for more specially.
fn distinct_values(kernel: &Kernel, catalogue: &Catalogue) -> Vec<(RegisterId, Value)> {
    let mut out: Vec<(RegisterId, Value)> = Vec::new();
    let in_low_memory = |value| match value {
        Value::DataAddress(place) if kernel.low => Value::Number(LOW_MEMORY + u64::from(place)),
        other => other,
    };
    let values = kernel.values.iter().map(|&(register, value)| (register, in_low_memory(value)));
    for (register, value) in values {
        match out.iter_mut().find(|(known, _)| catalogue.set.overlap(*known, register)) {
            Some((_, known)) if *known == Value::Ordinary => *known = value,
            Some(_) => {}
            None => out.push((register, value)),
        }
    }
    out
}

/// Bytes as one string: the assembler reads that five times faster than a list of numbers.
fn data(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() * 4 + 10);
    text.push_str(".ascii \"");
    for byte in bytes {
        let _ = write!(text, "\\{byte:03o}");
    }
    text.push('"');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_repeats_stands_once() {
        let folded = |text: &str| {
            let pieces: Vec<String> = text.chars().map(|letter| format!("{letter}\n")).collect();
            folded(&pieces).replace("        ", "").replace('\n', " ")
        };
        assert_eq!(folded(""), "");
        assert_eq!(folded("a"), "a ");
        assert_eq!(folded("abc"), "a b c ");
        assert_eq!(folded("aaaa"), ".rept 4 a .endr ");
        assert_eq!(folded("ababa"), ".rept 2 a b .endr a ");
        assert_eq!(folded("abcab"), "a b c a b ");
        assert_eq!(folded("aabaabaa"), ".rept 2 a a b .endr a a ");
    }
}
