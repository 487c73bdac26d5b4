//! Machine code as the steps of a loop: which forms they are, what they read and write.

use std::collections::{HashMap, HashSet};

use super::region::CodeRegion;
use crate::app::Failure;
use crate::codec::{CodeError, Codec as _, Control, FlowReader as _};
use crate::form::{AddressPart, InstructionForm, NamedSite, Part, Site};
use crate::metadata::{Instruction, OperandValue, RegisterId};
use crate::pipeline::{PipelineError, Target};
use crate::predict::{BodyStep, StepSite};
use crate::scoreboard::{Decoded, DecodedSite, Decoder};
use crate::study::site as site_name;

/// The longest loop that is looked at, in instructions.
const LONGEST: usize = 4096;

/// An instruction of the region.
pub(super) struct PlacedStep {
    /// As predictions see it.
    pub step: BodyStep,
    /// What LLVM decodes.
    pub instruction: Instruction,
    /// Its form, if it is an instance of one.
    pub form: Option<InstructionForm>,
    /// Where control goes.
    pub control: Control,
    /// What the linker puts into it.
    pub reference: Option<String>,
}

/// Reads regions of a target's code.
pub(super) struct RegionReader {
    decoder: Decoder,
    /// By LLVM's names.
    forms: HashMap<String, InstructionForm>,
    intel: bool,
}

impl RegionReader {
    /// `intel` says in which syntax x86's instructions are printed.
    pub fn new(target: &Target, intel: bool) -> Result<Self, Failure> {
        let none = HashSet::new();
        let forms = target.forms(&none).map(|form| (form.name.clone(), form.clone())).collect();
        let decoder = target.decoder().map_err(PipelineError::from)?;
        Ok(Self { decoder, forms, intel })
    }

    /// The instructions of a region.
    pub fn steps(
        &mut self,
        region: &CodeRegion,
        target: &mut Target,
    ) -> Result<Vec<PlacedStep>, Failure> {
        let undecoded = |at: usize, error: CodeError| {
            Failure::new(format!("{error} {at:#x} bytes into the region: mark one without data"))
        };
        let decoded = self.decoder.decode(&region.before, &region.code);
        let decoded = decoded.or_else(|_| self.decoder.decode(&[], &region.code));
        let decoded = decoded.map_err(|error| undecoded(0, error))?;
        let mut cells = LoopCells::default();
        let (mut placed, mut at) = (Vec::new(), 0);
        for decoded in decoded {
            let code = &region.code[at..];
            let (instruction, length) =
                target.llvm.decode(code).map_err(|error| undecoded(at, error))?;
            let control = target.llvm.step(code, at as u64).map(|step| step.control);
            let form = self.forms.get(&decoded.name).cloned();
            let mut within =
                region.references.iter().filter(|(it, _)| (at..at + length).contains(it));
            let reference = within.next().map(|(_, name)| name.clone());
            let printed = match self.intel {
                true => target.llvm.print(&instruction),
                false => target.llvm.print_as_compilers(&instruction),
            };
            let text = printed.unwrap_or_else(|_| decoded.name.clone());
            let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
            let stand =
                Stand { decoded: &decoded, instruction: &instruction, form: form.as_ref(), target };
            let mut step = stand.step(text);
            cells.name(&mut step, &stand, reference.as_deref());
            let control = control.unwrap_or(Control::Next);
            placed.push(PlacedStep { step, instruction, form, control, reference });
            at += length;
            if placed.len() > LONGEST {
                return Err(Failure::new(format!(
                    "the region has more than {LONGEST} instructions: mark a loop"
                )));
            }
        }
        cells.tell_moving(&mut placed);
        Ok(placed)
    }
}

/// An instruction with all that is known of it.
struct Stand<'a> {
    decoded: &'a Decoded,
    instruction: &'a Instruction,
    form: Option<&'a InstructionForm>,
    target: &'a Target,
}

impl Stand<'_> {
    fn step(&self, text: String) -> BodyStep {
        let sites = |sites: &[DecodedSite]| sites.iter().map(|it| self.site(it)).collect();
        let one_register =
            self.form.is_some_and(|form| form.reads_twice(&self.listed(form), &self.target.set));
        BodyStep {
            text,
            form: self.decoded.name.clone(),
            base: self.decoded.base.clone(),
            reads: sites(&self.decoded.inputs),
            writes: sites(&self.decoded.outputs),
            unrelated: self.decoded.unrelated.clone(),
            one_register,
            branches: self.decoded.branches,
        }
    }

    /// The instance with the form's operands.
    fn listed(&self, form: &InstructionForm) -> Instruction {
        let operands = self.target.set.listed(form.opcode, &self.instruction.operands);
        Instruction { opcode: form.opcode, operands }
    }

    fn operand(&self, index: usize) -> Option<OperandValue> {
        let listed = self.form.map(|form| self.listed(form));
        listed.as_ref().unwrap_or(self.instruction).operands.get(index).copied()
    }

    fn site(&self, decoded: &DecodedSite) -> StepSite {
        let set = &self.target.set;
        let register = |register: RegisterId| set.register(register).name.as_str();
        let (text, site) = match &decoded.site {
            NamedSite::Memory => ("memory".to_owned(), Some(Site::Memory)),
            NamedSite::Implicit(name) => (name.to_lowercase(), None),
            NamedSite::Operand { index, .. } => {
                let text = match self.operand(*index) {
                    Some(OperandValue::Register(it)) => register(it).to_lowercase(),
                    _ => index.to_string(),
                };
                (text, Some(Site::Operand(*index)))
            }
        };
        let name = match (&decoded.site, site.zip(self.form)) {
            (_, Some((site, form))) => site_name(site, form, set),
            (NamedSite::Implicit(name), _) => name.clone(),
            (other, None) => other.to_string(),
        };
        // What is always zero passes nothing on.
        let is_zero = self.target.isa.is_zero(&text.to_uppercase());
        StepSite {
            name,
            text,
            parts: if is_zero { Vec::new() } else { decoded.parts.clone() },
            moves: false,
            is_memory: decoded.site == NamedSite::Memory,
        }
    }

    /// The operands of its address, and the pieces of state of its registers.
    fn address(&self) -> Option<(Vec<OperandValue>, Vec<Part>)> {
        let form = self.form?;
        let parts = (0..form.operands.len()).filter(|&it| form.operands[it].address.is_some());
        let operands: Vec<usize> = parts.collect();
        if operands.is_empty() {
            return None;
        }
        let is_of_address = |site: &&DecodedSite| match site.site {
            NamedSite::Operand { index, .. } => operands.contains(&index),
            _ => false,
        };
        let registers = self.decoded.inputs.iter().filter(is_of_address);
        let registers = registers.flat_map(|site| site.parts.clone()).collect();
        let values = operands.iter().map(|&index| self.operand(index)).collect::<Option<_>>()?;
        Some((values, registers))
    }

    /// The address for people: `[rsp + 8]`.
    fn address_text(&self, reference: Option<&str>) -> String {
        let Some(form) = self.form else { return "memory".to_owned() };
        let name = |part| match self.operand(form.operand_of(part)?)? {
            OperandValue::Register(RegisterId::NONE) => None,
            OperandValue::Register(it) => Some(self.target.set.register(it).name.to_lowercase()),
            OperandValue::Immediate(number) => Some(number.to_string()),
        };
        let scale = name(AddressPart::Scale).filter(|scale| scale != "1");
        let index = name(AddressPart::Index).map(|index| match scale {
            Some(scale) => format!("{index} * {scale}"),
            None => index,
        });
        let number = reference.map(str::to_owned).or_else(|| name(AddressPart::Displacement));
        let parts = [name(AddressPart::Base), index, number.filter(|number| number != "0")];
        format!("[{}]", parts.into_iter().flatten().collect::<Vec<_>>().join(" + "))
    }
}

/// What tells cells apart: the operands of the address, what the linker adds, and how often each of
/// its registers has been written since the iteration began.
type CellName = (Vec<OperandValue>, Option<String>, Vec<u32>);

/// The cells of a loop, by how their addresses are written.
#[derive(Default)]
struct LoopCells {
    known: HashMap<CellName, u32>,
    /// How many cells have got a number.
    count: u32,
    written: HashMap<Part, u32>,
    /// The registers of the address of each cell.
    registers: HashMap<u32, Vec<Part>>,
}

impl LoopCells {
    /// Gives what an instruction accesses its cell, and takes note of what it writes.
    fn name(&mut self, step: &mut BodyStep, stand: &Stand<'_>, reference: Option<&str>) {
        let sites = step.reads.iter_mut().chain(&mut step.writes);
        let cells: Vec<&mut StepSite> = sites.filter(|site| site.is_memory).collect();
        if !cells.is_empty() {
            let (cell, text) = (self.cell(stand, reference), stand.address_text(reference));
            for site in cells {
                site.parts = vec![Part::Cell(cell)];
                site.text.clone_from(&text);
            }
        }
        for part in step.writes.iter().flat_map(|site| &site.parts) {
            *self.written.entry(*part).or_default() += 1;
        }
    }

    fn cell(&mut self, stand: &Stand<'_>, reference: Option<&str>) -> u32 {
        let next = self.count;
        let Some((values, registers)) = stand.address() else {
            self.count += 1;
            return next;
        };
        let times = registers.iter().map(|part| self.written.get(part).copied().unwrap_or(0));
        let name = (values, reference.map(str::to_owned), times.collect());
        let cell = *self.known.entry(name).or_insert(next);
        if cell == next {
            self.count += 1;
            self.registers.insert(cell, registers);
        }
        cell
    }

    /// Tells which cells are others in each iteration: those of which something writes a register of the
    /// address, and those whose address nobody knows.
    fn tell_moving(&self, placed: &mut [PlacedStep]) {
        let moves = |cell: &u32| match self.registers.get(cell) {
            Some(registers) => registers.iter().any(|part| self.written.contains_key(part)),
            None => true,
        };
        let steps = placed.iter_mut().map(|placed| &mut placed.step);
        for site in steps.flat_map(|step| step.reads.iter_mut().chain(&mut step.writes)) {
            if let [Part::Cell(cell)] = &site.parts[..] {
                site.moves = moves(cell);
            }
        }
    }
}
