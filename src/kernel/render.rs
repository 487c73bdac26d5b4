//! Kernels as assembly text, through the macros of the ISA's template.
//!
//! Bodies are given as bytes that the codec made of the instruction itself: text parsed again
//! could become another opcode (`VADDPDZ128rr` prints like `VADDPDrr`).

use std::collections::hash_map::Entry;
use std::fmt::Write as _;

use super::{Kernel, Slot};
use crate::artifact::Purpose;
use crate::catalogue::Catalogue;
use crate::codec::{CodeError, Codec};
use crate::form::{EncodingGroup, Value};
use crate::isa::{PHASE, Preparation, WalkText};
use crate::maps::Map;
use crate::metadata::{Instruction, RegisterId};

/// What a text is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Audience {
    /// The assembler: bodies as bytes.
    Assembler,
    /// A person: each instruction stands as text where the assembler makes the same bytes of it.
    Person,
}

/// A kernel as text, ready to stand behind the template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rendered {
    /// The text.
    pub text: String,
    /// Symbol of the template's function to call before each call; kernels that run once need none.
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
        Audience::Person => as_lines(kernel, catalogue, codec, &operands)?,
    };
    let group = group_of(kernel, catalogue)?;
    Ok(assemble_text(kernel, name, catalogue, group, (&body, &operands), purpose))
}

/// The operands of instructions that say in a register what they do, each once.
#[derive(Debug, Default)]
struct RegisterOperands(Vec<u64>);

impl RegisterOperands {
    fn of(kernel: &Kernel, catalogue: &Catalogue) -> Result<Self, RenderError> {
        let mut out = Self::default();
        for instruction in kernel.instructions() {
            if let Some(own) = catalogue.isa.register_operand(instruction)
                && !out.0.contains(&own.operand)
            {
                out.0.push(own.operand);
            }
        }
        let room = catalogue.isa.operand_registers().len();
        if out.0.len() > room {
            return Err(RenderError::TooManyOperands(out.0.len(), room));
        }
        Ok(out)
    }

    /// An instruction's word, with the register that has its operand, and what it does.
    fn word(&self, instruction: &Instruction, catalogue: &Catalogue) -> Option<(u32, String)> {
        let own = catalogue.isa.register_operand(instruction)?;
        let at = self.0.iter().position(|operand| *operand == own.operand)?;
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
            Slot::LongFiller(filler) => bytes.extend(filler),
            Slot::Instruction(instruction) => bytes.extend(once(&mut known, instruction, || {
                if let Some((word, _)) = operands.word(instruction, catalogue) {
                    return Ok(word.to_le_bytes().to_vec());
                }
                let encoded = codec.encode(&catalogue.set.encodable(instruction));
                let encoded = encoded.map_err(|reason| refused(instruction, catalogue, reason))?;
                Ok(if kernel.padded { lengthened(encoded, catalogue) } else { encoded })
            })?),
        }
    }
    if text.is_empty() || !bytes.is_empty() {
        let _ = writeln!(text, "        {}", data(&bytes));
    }
    Ok(text)
}

/// The body as a line an instruction.
fn as_lines(
    kernel: &Kernel,
    catalogue: &Catalogue,
    codec: &mut dyn Codec,
    operands: &RegisterOperands,
) -> Result<String, RenderError> {
    let (filler, syntax) = (data(catalogue.isa.filler()), catalogue.isa.syntax());
    let mut body = String::new();
    let mut known: Map<&Instruction, String> = Map::default();
    let moved = advance(kernel, catalogue);
    for slot in &kernel.body {
        let _ = match slot {
            Slot::Advance => write!(body, "{moved}"),
            Slot::Fillers(count) => {
                writeln!(body, "        .rept {count}\n        {filler}\n        .endr")
            }
            Slot::LongFiller(filler) => writeln!(body, "        {}", data(filler)),
            Slot::Instruction(instruction) => {
                let line = once(&mut known, instruction, || {
                    if let Some((word, text)) = operands.word(instruction, catalogue) {
                        return Ok(format!(".inst {word:#010x}  // {text}"));
                    }
                    let encodable = catalogue.set.encodable(instruction);
                    let line = codec.source_line(&encodable, syntax);
                    let line = line.map_err(|reason| refused(instruction, catalogue, reason))?;
                    let bytes = match kernel.padded {
                        true => codec.encode(&encodable).unwrap_or_default(),
                        false => return Ok(line),
                    };
                    let added = lengthened(bytes.clone(), catalogue).len() - bytes.len();
                    let prefix = catalogue.isa.padding().map_or(0, |padding| padding.prefix);
                    Ok(match added {
                        0 => line,
                        _ => format!("{}; {line}", data(&vec![prefix; added])),
                    })
                })?;
                writeln!(body, "        {line}")
            }
        };
    }
    Ok(body)
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
    let filled = kernel.contents.map(|contents| catalogue.isa.fill_region(contents));
    let walk = walk_text(kernel, catalogue);
    let unit = match operands.0.as_slice() {
        [] => Preparation::default(),
        operands => catalogue.isa.prepare_operands(operands),
    };
    let teardown = lines(&walk.teardown) + &lines(&unit.teardown) + &lines(&preparation.teardown);
    let mut text = format!(
        "        winic_setup {name}\n{}{}{}{}        winic_setup_end\n",
        lines(&filled.unwrap_or_default()),
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
    let init = (purpose == Purpose::Time).then(|| PHASE.to_owned());
    Rendered { text, init, single, double }
}

/// One value per register: a register that is named twice keeps what was asked for more specially.
fn distinct_values(kernel: &Kernel, catalogue: &Catalogue) -> Vec<(RegisterId, Value)> {
    let mut out: Vec<(RegisterId, Value)> = Vec::new();
    for &(register, value) in &kernel.values {
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
