//! Kernels as assembly text, through the macros of the ISA's template.
//!
//! Bodies are given as bytes that LLVM's encoder made of the instruction itself: text parsed
//! again could become another opcode (`VADDPDZ128rr` prints like `VADDPDrr`).

use std::fmt::Write as _;

use super::{Kernel, Slot};
use crate::artifact::Purpose;
use crate::form::Catalogue;
use crate::isa::{EncodingGroup, Isa, PHASE, Value};
use crate::llvm::{CodeError, Llvm};
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
    /// LLVM cannot encode one of its instructions.
    #[error("cannot encode {0}: {1}")]
    Code(String, CodeError),
    /// Instructions that leave and that clear the upper parts of vector registers stand in one
    /// body, or such as need different configurations.
    #[error("the body mixes vector encodings or configurations")]
    MixedEncodings,
}

/// Renders a kernel under a name that is unique in its shared object.
///
/// # Errors
/// When LLVM cannot encode an instruction, or the body mixes encodings.
pub fn render(
    kernel: &Kernel,
    name: &str,
    catalogue: &Catalogue,
    llvm: &mut Llvm,
    purpose: Purpose,
    audience: Audience,
) -> Result<Rendered, RenderError> {
    let readable = audience == Audience::Person;
    let mut group = EncodingGroup::Common;
    let mut body = String::new();
    let mut bytes = Vec::new();
    let mut notes = Notes::default();
    let mut codes: Map<&Instruction, Vec<u8>> = Map::default();
    for slot in &kernel.body {
        match slot {
            Slot::Fillers(count) => {
                let filler = catalogue.isa.filler();
                if readable {
                    let _ = writeln!(
                        body,
                        "        .rept {count}\n        {}\n        .endr",
                        data(filler)
                    );
                } else {
                    bytes.extend(
                        filler.iter().copied().cycle().take(filler.len() * *count as usize),
                    );
                }
            }
            Slot::Instruction(instruction) => {
                let code = match codes.get(instruction) {
                    Some(known) => known,
                    None => {
                        codes.entry(instruction).or_insert(encode(instruction, catalogue, llvm)?)
                    }
                };
                let own = catalogue
                    .form(instruction.opcode)
                    .map_or(EncodingGroup::Common, |form| form.group);
                group = group.with(own).ok_or(RenderError::MixedEncodings)?;
                if readable {
                    let _ = writeln!(
                        body,
                        "        {}",
                        notes.line(
                            &catalogue.set.encodable(instruction),
                            code,
                            &*catalogue.isa,
                            llvm
                        )
                    );
                } else {
                    bytes.extend(code);
                }
            }
        }
    }
    if !readable {
        let _ = writeln!(body, "        {}", data(&bytes));
    }
    Ok(assemble_text(kernel, name, catalogue, group, &body, purpose))
}

fn assemble_text(
    kernel: &Kernel,
    name: &str,
    catalogue: &Catalogue,
    group: EncodingGroup,
    body: &str,
    purpose: Purpose,
) -> Rendered {
    let preparation =
        catalogue.isa.prepare(&catalogue.set, &distinct_values(kernel, catalogue), group);
    let lines = |lines: &[String]| {
        lines.iter().fold(String::new(), |text, line| text + "        " + line + "\n")
    };
    let teardown = lines(&preparation.teardown);
    let mut text = format!(
        "        winic_setup {name}\n{}        winic_setup_end\n",
        lines(&preparation.setup)
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

fn encode(
    instruction: &Instruction,
    catalogue: &Catalogue,
    llvm: &mut Llvm,
) -> Result<Vec<u8>, RenderError> {
    llvm.encode(&catalogue.set.encodable(instruction)).map_err(|reason| {
        RenderError::Code(catalogue.set.opcode(instruction.opcode).name.clone(), reason)
    })
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

/// How instructions are written for a person, each decided once.
#[derive(Default)]
struct Notes {
    known: Map<Instruction, String>,
}

impl Notes {
    fn line(
        &mut self,
        instruction: &Instruction,
        code: &[u8],
        isa: &dyn Isa,
        llvm: &mut Llvm,
    ) -> String {
        if let Some(line) = self.known.get(instruction) {
            return line.clone();
        }
        let text = llvm.print(instruction).unwrap_or_default().replace('\t', " ");
        let line = if assembles_to(&text, code, isa, llvm) {
            text
        } else {
            let list: Vec<String> = code.iter().map(|byte| format!("{byte:#04x}")).collect();
            // The one comment that the assemblers of all ISAs know.
            format!(".byte {}  /* {text} */", list.join(", "))
        };
        self.known.insert(instruction.clone(), line.clone());
        line
    }
}

/// Whether the assembler makes exactly these bytes of a text.
fn assembles_to(text: &str, code: &[u8], isa: &dyn Isa, llvm: &Llvm) -> bool {
    // As long as the widest instruction of those ISAs whose instructions must be aligned.
    const BEFORE: &str = "winic[[[";
    const AFTER: &str = "]]]winic";
    let source = format!("{}\n.ascii \"{BEFORE}\"\n{text}\n.ascii \"{AFTER}\"\n", isa.syntax());
    let wanted = [BEFORE.as_bytes(), code, AFTER.as_bytes()].concat();
    llvm.assemble(&source)
        .is_ok_and(|object| object.windows(wanted.len()).any(|window| window == wanted))
}
