//! Machine code into what a scoreboard is told of it, by the forms of a target.

use std::collections::HashMap;
use std::sync::Arc;

use super::decoded::{Decoded, DecodedSite};
use crate::codec::{CodeError, Codec};
use crate::form::{
    AddressPart, InstructionForm, MemoryAccess, NamedSite, Part, Placeholder, Role, Site,
};
use crate::isa::{Isa, ReadWord};
use crate::metadata::{
    ClassId, Instruction, InstructionSet, OpcodeId, OperandValue, RegisterId, VectorConfiguration,
};

/// All memory is one piece of state: no address is looked at.
const MEMORY: Part = Part::Cell(0);

/// Decodes the code of loops.
pub struct Decoder {
    codec: Box<dyn Codec>,
    set: Arc<InstructionSet>,
    isa: Arc<dyn Isa>,
    /// By the opcode that LLVM decodes.
    forms: HashMap<OpcodeId, Vec<InstructionForm>>,
    /// The numbers by which encodings name registers.
    numbers: Vec<u32>,
    known: HashMap<(Instruction, Option<VectorConfiguration>), Arc<Decoded>>,
}

impl Decoder {
    /// Decodes what a codec decodes, as the forms of a target. `numbers` are those by which
    /// encodings name registers, by [`RegisterId`].
    pub fn new<'a>(
        codec: Box<dyn Codec>,
        set: Arc<InstructionSet>,
        isa: Arc<dyn Isa>,
        forms: impl Iterator<Item = &'a InstructionForm>,
        numbers: Vec<u32>,
    ) -> Self {
        let mut by_base: HashMap<OpcodeId, Vec<InstructionForm>> = HashMap::new();
        for form in forms {
            by_base.entry(set.base(form.opcode)).or_default().push(form.clone());
        }
        Self { codec, set, isa, forms: by_base, numbers, known: HashMap::new() }
    }

    /// The instructions of a loop, behind code that may set state that they depend on.
    ///
    /// # Errors
    /// When some bytes are no instruction.
    pub fn decode(&mut self, before: &[u8], body: &[u8]) -> Result<Vec<Arc<Decoded>>, CodeError> {
        let mut configuration = None;
        let mut decoded = Vec::new();
        let isa = Arc::clone(&self.isa);
        let mut words = isa.word_reader();
        for (code, is_body) in [(before, false), (body, true)] {
            let mut rest = code;
            while !rest.is_empty() {
                let word = rest.first_chunk().map(|&word| u32::from_le_bytes(word));
                let own = words.as_mut().zip(word).and_then(|(words, word)| words.read(word));
                let (instruction, length) = match own {
                    None => self.codec.decode(rest)?,
                    Some(ReadWord::Instance(instance)) => (instance, size_of::<u32>()),
                    Some(ReadWord::Switch) => {
                        rest = &rest[size_of::<u32>()..];
                        continue;
                    }
                    Some(ReadWord::Unknown) => return Err(CodeError::NotDecoded),
                };
                rest = &rest[length..];
                let established = self.isa.established(&self.set, &instruction);
                configuration = established.or(configuration);
                if is_body {
                    decoded.push(self.known(instruction, configuration));
                }
            }
        }
        Ok(decoded)
    }

    fn known(
        &mut self,
        instruction: Instruction,
        configuration: Option<VectorConfiguration>,
    ) -> Arc<Decoded> {
        let key = (instruction, configuration);
        if let Some(known) = self.known.get(&key) {
            return Arc::clone(known);
        }
        let decoded = match self.form(&key.0, configuration) {
            Some(form) => self.of_form(form, &key.0),
            None => self.of_tables(&key.0),
        };
        let decoded = Arc::new(decoded);
        self.known.insert(key, Arc::clone(&decoded));
        decoded
    }

    /// The form that an instruction is an instance of.
    fn form(
        &self,
        instruction: &Instruction,
        configuration: Option<VectorConfiguration>,
    ) -> Option<&InstructionForm> {
        let forms = self.forms.get(&instruction.opcode)?.iter();
        let fits = |form: &&InstructionForm| {
            let own = self.set.configuration(form.opcode).map(VectorConfiguration::unmasked);
            own.is_none_or(|own| configuration == Some(own))
                && self.is_repeated_where(form, instruction)
                && has_same_operands(form, &self.set.listed(form.opcode, &instruction.operands))
                && self.is_zero_where(form, instruction)
        };
        // Of those whose operands are alike the first is the ordinary one.
        let fitting: Vec<&InstructionForm> = forms.filter(fits).collect();
        let is_addressed = |form: &&&InstructionForm| self.is_addressed(form, instruction);
        let is_special = |form: &&&InstructionForm| {
            self.set.zero_operand(form.opcode).is_some()
                || self.set.repeated_operand(form.opcode).is_some()
        };
        let special = || fitting.iter().find(is_special);
        let mut relative = fitting.iter().filter(|form| !form.origin.is_register());
        let relative = relative.find(is_addressed);
        let ordinary = || fitting.iter().find(is_addressed);
        relative.or_else(special).or_else(ordinary).or(fitting.first()).copied()
    }

    /// Whether an instance has the zero register where a form must have it.
    fn is_zero_where(&self, form: &InstructionForm, instruction: &Instruction) -> bool {
        let operand = self.set.zero_operand(form.opcode);
        operand.is_none_or(|operand| form.sample.operands[operand] == instruction.operands[operand])
    }

    /// Whether an instance names a register twice where a form must.
    fn is_repeated_where(&self, form: &InstructionForm, instruction: &Instruction) -> bool {
        let operand = self.set.repeated_operand(form.opcode);
        operand.is_none_or(|operand| {
            instruction.operands.get(operand) == instruction.operands.get(operand + 1)
        })
    }

    /// Whether the parts of an instance's address are those of the form's addressing mode.
    fn is_addressed(&self, form: &InstructionForm, instruction: &Instruction) -> bool {
        let number = |part| match instruction.operands.get(form.operand_of(part)?)? {
            OperandValue::Immediate(number) => Some(*number),
            OperandValue::Register(_) => None,
        };
        if !form.origin.is_register() {
            let base = form.operand_of(AddressPart::Base);
            return base
                .is_some_and(|base| form.sample.operands[base] == instruction.operands[base]);
        }
        let Some(mode) = self.set.addressing(form.opcode) else {
            return number(AddressPart::Displacement).is_none_or(|number| number == 0);
        };
        number(AddressPart::Scale) == Some(mode.scale())
            && number(AddressPart::Displacement).is_some_and(|number| number != 0)
                == mode.has_displacement()
    }

    fn of_form(&self, form: &InstructionForm, instruction: &Instruction) -> Decoded {
        let instance = self.instance(form, instruction);
        let site = |site: Site, roles: &[Role]| {
            let register = form.register_at(site, &instance)?;
            let named = match site {
                Site::Operand(index) => NamedSite::Operand { index, class: None },
                site => site.named(form, &self.set),
            };
            let parts = |role: &Role| self.isa.parts(&self.set, form, &instance, register, *role);
            let parts = roles.iter().flat_map(parts).collect();
            (register != RegisterId::NONE).then_some((site, DecodedSite { site: named, parts }))
        };
        let (reads, writes) = accesses(form.memory);
        let memory = |is_there: bool| {
            is_there.then(|| {
                let parts = vec![MEMORY];
                (Site::Memory, DecodedSite { site: NamedSite::Memory, parts })
            })
        };
        let inputs: Vec<(Site, DecodedSite)> = form
            .uses()
            .filter(|&it| it != Site::Memory)
            .filter_map(|it| site(it, &[Role::Use]))
            .chain(memory(reads))
            .collect();
        // What a manual leaves undefined is written like anything else.
        let outputs: Vec<(Site, DecodedSite)> = form
            .defs()
            .filter(|&it| it != Site::Memory)
            .filter_map(|it| site(it, &[Role::Def, Role::Undefined]))
            .chain(memory(writes))
            .collect();
        let unrelated = |&(from, to): &(Site, Site)| {
            let input = inputs.iter().position(|&(site, _)| site == from)?;
            Some((input, outputs.iter().position(|&(site, _)| site == to)?))
        };
        let bytes = |is_there: bool| is_there.then_some(form.access_bits / 8);
        let numbers = |wanted: fn(&InstructionForm, usize) -> bool| {
            let wanted = (0..form.operands.len()).filter(|&index| wanted(form, index));
            wanted.flat_map(|index| self.numbers(instance.operands[index])).collect()
        };
        Decoded {
            name: self.name(form, &instance),
            base: self.base_name(form.opcode),
            unrelated: form.unrelated.iter().filter_map(unrelated).collect(),
            loaded: bytes(reads),
            stored: bytes(writes),
            destinations: numbers(|form, index| form.operands[index].write),
            sources: numbers(|form, index| {
                let operand = &form.operands[index];
                operand.read
                    && form.tied(Site::Operand(index)).is_none()
                    && operand.address.is_none()
            }),
            serializes: self.isa.dispatch_barrier() == Some(form.name.as_str()),
            branches: false,
            inputs: inputs.into_iter().map(|(_, site)| site).collect(),
            outputs: outputs.into_iter().map(|(_, site)| site).collect(),
        }
    }

    /// What LLVM's tables say of an instruction that is no instance of a form: of branches.
    fn of_tables(&self, instruction: &Instruction) -> Decoded {
        let opcode = self.set.opcode(instruction.opcode);
        let site = |site: NamedSite, register: RegisterId| DecodedSite {
            site,
            parts: self.set.register(register).units.iter().map(|&unit| Part::Unit(unit)).collect(),
        };
        let named = |is_written: bool| {
            let operands = instruction.operands.iter().enumerate();
            let wanted = operands.filter(move |&(at, _)| (at < opcode.definitions) == is_written);
            wanted.filter_map(move |(index, value)| match *value {
                OperandValue::Register(RegisterId::NONE) | OperandValue::Immediate(_) => None,
                OperandValue::Register(register) => {
                    Some(site(NamedSite::Operand { index, class: None }, register))
                }
            })
        };
        let implied = |registers: &[RegisterId]| -> Vec<DecodedSite> {
            let name = |register: RegisterId| self.set.register(register).name.clone();
            registers.iter().map(|&it| site(NamedSite::Implicit(name(it)), it)).collect()
        };
        Decoded {
            name: opcode.name.clone(),
            base: opcode.name.clone(),
            inputs: named(false).chain(implied(&opcode.implicit_uses)).collect(),
            outputs: named(true).chain(implied(&opcode.implicit_defs)).collect(),
            branches: opcode.flags.control_flow,
            ..Decoded::default()
        }
    }

    /// The instruction as the form has it: with groups of registers where LLVM decodes the first.
    fn instance(&self, form: &InstructionForm, instruction: &Instruction) -> Instruction {
        let whole = |index: usize, value: OperandValue| match (form.class_of(index), value) {
            (Some(class), OperandValue::Register(register)) => {
                OperandValue::Register(self.member(class, register))
            }
            _ => value,
        };
        let listed = self.set.listed(form.opcode, &instruction.operands);
        let operands = listed.into_iter().enumerate();
        let operands = operands.map(|(index, value)| whole(index, value)).collect();
        Instruction { opcode: form.opcode, operands }
    }

    /// The member of a class that begins where a register does.
    fn member(&self, class: ClassId, register: RegisterId) -> RegisterId {
        let members = &self.set.class(class).registers;
        let units = &self.set.register(register).units;
        if units.is_empty() || members.contains(&register) {
            return register;
        }
        let begins =
            |member: &&RegisterId| self.set.register(**member).units.first() == units.first();
        members.iter().find(begins).copied().unwrap_or(register)
    }

    /// The name of a form, with the variants of what changes a state: `MSRpstatesvcrImm1@stop`.
    fn name(&self, form: &InstructionForm, instance: &Instruction) -> String {
        let transitions = self.isa.transitions().iter();
        let mut steps = transitions.flat_map(|it| it.enter.iter().chain(it.leave));
        if steps.all(|step| step.0 != form.name) {
            return form.name.clone();
        }
        let variants = self.isa.variants(&self.set, form);
        let named = variants.into_iter().filter(|&(operand, value, _)| {
            instance.operands.get(operand) == Some(&OperandValue::Immediate(value))
        });
        named.fold(form.name.clone(), |name, (.., variant)| format!("{name}@{variant}"))
    }

    fn base_name(&self, opcode: OpcodeId) -> String {
        self.set.opcode(self.set.base(opcode)).name.clone()
    }

    fn numbers(&self, value: OperandValue) -> Vec<u32> {
        match value {
            OperandValue::Register(register) if register != RegisterId::NONE => {
                let known = self.numbers.get(register.0 as usize);
                known.map_or_else(|| self.isa.own_numbers(register), |&number| vec![number])
            }
            _ => Vec::new(),
        }
    }
}

/// Whether an instance leaves out the registers that the form leaves out, and names the others.
fn has_same_operands(form: &InstructionForm, operands: &[OperandValue]) -> bool {
    form.operands.len() == operands.len()
        && form.operands.iter().zip(operands).all(|(operand, &value)| {
            let is_none = value == OperandValue::Register(RegisterId::NONE);
            match operand.kind {
                Placeholder::Absent(_) => is_none,
                Placeholder::Register(_) => !is_none,
                _ => true,
            }
        })
}

/// Whether memory is read, and whether it is written.
fn accesses(memory: MemoryAccess) -> (bool, bool) {
    let reads = matches!(memory, MemoryAccess::Load | MemoryAccess::Both);
    (reads, matches!(memory, MemoryAccess::Store | MemoryAccess::Both))
}
