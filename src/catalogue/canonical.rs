//! Which opcodes are instructions, and which of them are only other spellings.
//!
//! A form is *canonical* when encoding it and disassembling the bytes gives its own opcode
//! back. What gives another opcode that has the same bytes (`ADDSDrr`, whose bytes are
//! `ADDSDrr_Int`'s) is an alias.
//! Printing and parsing would not do: text drops the EVEX of `VADDPDZ128rr`.

use crate::codec::Codec;
use crate::form::{
    AddressPart, Displacement, EncodingGroup, InstructionForm, MemoryAccess, Operand, Placeholder,
};
use crate::isa::{Availability, Isa};
use crate::metadata::{
    ClassId, Instruction, InstructionSet, Opcode, OpcodeId, OperandKind, OperandValue, RegisterId,
};

/// What became of one opcode.
#[derive(Debug, Clone)]
pub struct Listing {
    /// The opcode.
    pub opcode: OpcodeId,
    /// Its form, or why it has none.
    pub canonical: Canonical,
}

/// Whether an opcode is a form of its own.
#[derive(Debug, Clone)]
pub enum Canonical {
    /// It is.
    Form(Box<InstructionForm>),
    /// Its bytes are another opcode's; the form still carries this opcode's name.
    Alias(Box<InstructionForm>),
    /// It is not an instruction that could be measured.
    Excluded(Exclusion),
}

/// Why an opcode is not a form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, thiserror::Error)]
pub enum Exclusion {
    /// LLVM expands it into others.
    #[error("pseudo instruction")]
    Pseudo,
    /// It leaves the kernel.
    #[error("control flow")]
    ControlFlow,
    /// Its operands are not fixed.
    #[error("variable number of operands")]
    Variadic,
    /// A byte that changes the next instruction.
    #[error("a lone prefix is no instruction")]
    Prefix,
    /// The ISA knows why not.
    #[error("{0}")]
    Unmeasurable(&'static str),
    /// The codec has no bytes for it.
    #[error("no encoding")]
    NoEncoding,
    /// The codec does not know the bytes.
    #[error("its bytes are no instruction in this mode")]
    NotDecoded,
    /// A register class has no register that can be encoded.
    #[error("no register fits an operand")]
    NoRegister,
}

/// Sorts every opcode of an instruction set.
#[must_use]
pub fn list(set: &InstructionSet, isa: &dyn Isa, codec: &mut dyn Codec) -> Vec<Listing> {
    (0..set.opcodes.len() as u32)
        .map(OpcodeId)
        .map(|opcode| Listing { opcode, canonical: classify(opcode, set, isa, codec) })
        .collect()
}

fn classify(id: OpcodeId, set: &InstructionSet, isa: &dyn Isa, codec: &mut dyn Codec) -> Canonical {
    let opcode = set.opcode(id);
    if let Some(reason) = excluded_by_table(opcode, isa) {
        return Canonical::Excluded(reason);
    }
    let mut best = Canonical::Excluded(Exclusion::NoRegister);
    for sample in samples(id, set, isa) {
        let encodable = set.encodable(&sample).into_owned();
        match decode_again(&encodable, codec) {
            Ok((decoded, bytes)) => {
                let twin = decoded.opcode;
                // What other modes call a register is a prefix here: `DEC32r_alt`.
                if isa.is_prefix(&set.opcode(twin).name) {
                    best = Canonical::Excluded(Exclusion::NotDecoded);
                    continue;
                }
                // (A decoder keeps prefixes aside: `lock add` is decoded as an `add`, but encoded again
                // it is one without `lock`.)
                let is_alias = twin != encodable.opcode
                    && codec.encode(&decoded).is_ok_and(|own| own == bytes);
                let alias_of = is_alias.then_some(twin);
                let sample = with_encodable_numbers(sample, &encodable, &decoded, set);
                let form = Box::new(form_of(id, sample, &bytes, set, isa, codec, alias_of));
                if alias_of.is_none() {
                    return Canonical::Form(form);
                }
                best = Canonical::Alias(form);
            }
            Err(reason) => {
                if !matches!(best, Canonical::Alias(_)) {
                    best = Canonical::Excluded(reason);
                }
            }
        }
    }
    best
}

fn excluded_by_table(opcode: &Opcode, isa: &dyn Isa) -> Option<Exclusion> {
    let flags = opcode.flags;
    let rules = [
        (flags.pseudo, Exclusion::Pseudo),
        (flags.control_flow || isa.leaves_the_kernel(&opcode.name), Exclusion::ControlFlow),
        (flags.variadic, Exclusion::Variadic),
        (isa.is_prefix(&opcode.name), Exclusion::Prefix),
    ];
    let by_flags = rules.iter().find(|(applies, _)| *applies).map(|&(_, reason)| reason);
    by_flags.or_else(|| isa.excluded(&opcode.name).map(Exclusion::Unmeasurable))
}

fn decode_again(
    sample: &Instruction,
    codec: &mut dyn Codec,
) -> Result<(Instruction, Vec<u8>), Exclusion> {
    let bytes = codec.encode(sample).map_err(|_| Exclusion::NoEncoding)?;
    match codec.decode(&bytes) {
        Ok((decoded, length)) if length == bytes.len() => Ok((decoded, bytes)),
        _ => Err(Exclusion::NotDecoded),
    }
}

/// Encoders cut numbers down to the bits that there are (AArch64: lane 5 of `INSvi64lane` is
/// lane 1): what the bytes say counts, where the same registers stand at the same places.
fn with_encodable_numbers(
    sample: Instruction,
    encodable: &Instruction,
    decoded: &Instruction,
    set: &InstructionSet,
) -> Instruction {
    let registers = |instruction: &Instruction| -> Vec<Option<RegisterId>> {
        let register = |value: &OperandValue| match *value {
            OperandValue::Register(register) => Some(register),
            OperandValue::Immediate(_) => None,
        };
        instruction.operands.iter().map(register).collect()
    };
    if decoded.opcode != encodable.opcode || registers(decoded) != registers(encodable) {
        return sample;
    }
    let number = |(own, decoded): (&OperandValue, &OperandValue)| match decoded {
        OperandValue::Immediate(_) => *decoded,
        OperandValue::Register(_) => *own,
    };
    let listed = set.listed(sample.opcode, &decoded.operands);
    let operands = sample.operands.iter().zip(&listed).map(number).collect();
    Instruction { operands, ..sample }
}

/// How many instances with different operands are tried before an opcode is given up:
/// some encodings exist only for other registers or immediates (`XCHG32ar` with `EAX` is `NOP`).
const ATTEMPTS: usize = 4;

fn samples<'a>(
    id: OpcodeId,
    set: &'a InstructionSet,
    isa: &'a dyn Isa,
) -> impl Iterator<Item = Instruction> + 'a {
    (0..ATTEMPTS).filter_map(move |attempt| sample(id, attempt, set, isa))
}

fn sample(
    id: OpcodeId,
    attempt: usize,
    set: &InstructionSet,
    isa: &dyn Isa,
) -> Option<Instruction> {
    let opcode = set.opcode(id);
    let mut operands: Vec<OperandValue> = Vec::with_capacity(opcode.operands.len());
    for (index, info) in opcode.operands.iter().enumerate() {
        let value = match (info.tied_to, info.kind) {
            (Some(definition), _) => operands[definition],
            (None, OperandKind::Register(_) | OperandKind::Memory(Some(_))) => {
                OperandValue::Register(register_for(id, index, attempt, &operands, set, isa)?)
            }
            (None, kind) => {
                OperandValue::Immediate(isa.immediate(set, opcode, (index, kind), attempt))
            }
        };
        operands.push(value);
    }
    Some(Instruction { opcode: id, operands })
}

/// A register that overlaps none chosen so far.
fn register_for(
    id: OpcodeId,
    index: usize,
    attempt: usize,
    chosen: &[OperandValue],
    set: &InstructionSet,
    isa: &dyn Isa,
) -> Option<RegisterId> {
    let opcode = set.opcode(id);
    let (OperandKind::Register(class) | OperandKind::Memory(Some(class))) =
        opcode.operands[index].kind
    else {
        return None;
    };
    if isa.absent(set, opcode, index) {
        return Some(RegisterId::NONE);
    }
    let taken = |register: RegisterId| {
        chosen.iter().any(|value| match value {
            OperandValue::Register(other) => {
                *other != RegisterId::NONE && set.overlap(*other, register)
            }
            OperandValue::Immediate(_) => false,
        })
    };
    let members = &set.class(class).registers;
    if let Some(implied) = isa.implied_register(set, opcode, index) {
        return Some(implied);
    }
    let always = |r: &RegisterId| isa.availability(&set.register(*r).name) == Availability::Always;
    let free: Vec<RegisterId> =
        members.iter().copied().filter(always).filter(|&r| !taken(r)).collect();
    // The first register of a class often has an encoding of its own, so later ones go first.
    match free.len() {
        0 => members.iter().copied().find(|&r| !taken(r)),
        count => Some(free[(count / 2 + attempt) % count]),
    }
}

/// The class of the registers that can stand at an operand of a sample. LLVM's own class also has
/// registers that only other encodings can name (x86: no VEX prefix has room for those from R16 on),
/// and encoders cut their numbers down to the bits that there are.
fn encodable_class(
    index: usize,
    class: ClassId,
    sample: &Instruction,
    set: &InstructionSet,
    isa: &dyn Isa,
    codec: &mut dyn Codec,
    twin: Option<OpcodeId>,
) -> ClassId {
    let is_common = |register: RegisterId| {
        isa.availability(&set.register(register).name) != Availability::IfExecuted
    };
    let members = &set.class(class).registers;
    let Some(&special) = members.iter().find(|&&register| !is_common(register)) else {
        return class;
    };
    let mut instance = sample.clone();
    let infos = &set.opcode(sample.opcode).operands;
    for (other, info) in infos.iter().enumerate() {
        if other == index || info.tied_to == Some(index) {
            instance.operands[other] = OperandValue::Register(special);
        }
    }
    let encodable = set.encodable(&instance);
    let comes_back = |decoded: &Instruction| {
        decoded.opcode == twin.unwrap_or(encodable.opcode)
            && decoded.operands.contains(&OperandValue::Register(special))
    };
    if decode_again(&encodable, codec).is_ok_and(|(decoded, _)| comes_back(&decoded)) {
        return class;
    }
    let common: Vec<RegisterId> = members.iter().copied().filter(|&r| is_common(r)).collect();
    let of_these = |id: &ClassId| set.class(*id).registers == common;
    (0..set.classes.len() as u32).map(ClassId).find(of_these).unwrap_or(class)
}

fn form_of(
    id: OpcodeId,
    sample: Instruction,
    bytes: &[u8],
    set: &InstructionSet,
    isa: &dyn Isa,
    codec: &mut dyn Codec,
    twin: Option<OpcodeId>,
) -> InstructionForm {
    let opcode = set.opcode(id);
    let text = codec.print(&set.encodable(&sample)).unwrap_or_default();
    let operands = opcode
        .operands
        .iter()
        .enumerate()
        .map(|(index, info)| Operand {
            kind: match placeholder(
                info.kind,
                sample.operands[index],
                isa.address_part(set, opcode, index).is_some(),
            ) {
                Placeholder::Register(class) => {
                    let index = info.tied_to.unwrap_or(index);
                    Placeholder::Register(encodable_class(
                        index, class, &sample, set, isa, codec, twin,
                    ))
                }
                other => other,
            },
            read: index >= opcode.definitions,
            write: index < opcode.definitions,
            tied_to: info.tied_to,
            early_clobber: info.early_clobber,
            address: isa.address_part(set, opcode, index),
        })
        .collect();
    let mut form = InstructionForm {
        opcode: id,
        name: opcode.name.clone(),
        mnemonic: isa.mnemonic(&text),
        sample,
        operands,
        implicit_uses: opcode.implicit_uses.clone(),
        implicit_defs: opcode.implicit_defs.clone(),
        unrelated: Vec::new(),
        memory: memory_access(opcode, isa),
        access_bits: isa.access_bits(opcode, &text),
        access_eighths: isa.access_eighths(set, opcode, &text),
        displacement: None,
        origin: isa.address_origin(set, opcode, &text),
        implied_bases: Vec::new(),
        spent: Vec::new(),
        group: EncodingGroup::COMMON,
        length: bytes.len(),
        twin,
    };
    form.displacement = displacement(&form, set, isa, codec);
    isa.correct(&mut form, set);
    form.group = match set.configuration(id) {
        Some(configuration) => EncodingGroup::under(configuration),
        None => isa.encoding_group(set, &form.touched(&form.sample), bytes),
    };
    form
}

/// How far displacements may reach that are asked for, in bytes: to the last of a kernel's cells, or to
/// as many neighbours as an encoding has room for.
const REACHES: [u32; 8] = [4032, 2944, 2032, 1008, 896, 496, 240, 48];

/// What the address of a form adds to its base, and how far that reaches: as far as the numbers come
/// back from the encoding.
fn displacement(
    form: &InstructionForm,
    set: &InstructionSet,
    isa: &dyn Isa,
    codec: &mut dyn Codec,
) -> Option<Displacement> {
    let operand = form.operand_of(AddressPart::Displacement)?;
    let with = |number: u32| {
        let mut instance = form.sample.clone();
        instance.operands[operand] = OperandValue::Immediate(i64::from(number));
        set.encodable(&instance).into_owned()
    };
    let unit = isa.displacement_unit(&codec.print(&with(1)).ok()?)?;
    let mut comes_back = |bytes: u32| {
        let instance = with(bytes / unit);
        bytes.is_multiple_of(unit)
            && decode_again(&instance, codec).is_ok_and(|(decoded, _)| {
                decoded.operands.get(operand) == instance.operands.get(operand)
            })
    };
    if !comes_back(Displacement::GRAIN) {
        return None;
    }
    let reach = REACHES.into_iter().find(|&reach| comes_back(reach))?;
    let OperandValue::Immediate(number) = form.sample.operands[operand] else { return None };
    Some(Displacement { operand, unit, reach, least: number * i64::from(unit) })
}

fn placeholder(kind: OperandKind, value: OperandValue, is_of_address: bool) -> Placeholder {
    match (kind, value) {
        (OperandKind::Memory(Some(class)), OperandValue::Register(register)) if is_of_address => {
            if register == RegisterId::NONE {
                Placeholder::Absent(class)
            } else {
                Placeholder::Register(class)
            }
        }
        (OperandKind::Memory(None), OperandValue::Immediate(value)) if is_of_address => {
            Placeholder::Immediate(value)
        }
        (OperandKind::Memory(_), _) => Placeholder::Memory,
        (OperandKind::Register(class), OperandValue::Register(RegisterId::NONE)) => {
            Placeholder::Absent(class)
        }
        (OperandKind::Register(class), _) => Placeholder::Register(class),
        (_, OperandValue::Immediate(value)) => Placeholder::Immediate(value),
        (_, OperandValue::Register(_)) => Placeholder::Memory,
    }
}

/// LLVM says "may load" and "may store" also of barriers and of what it knows nothing about,
/// so the flags count only where there is an address: a memory operand or an implied one.
fn memory_access(opcode: &Opcode, isa: &dyn Isa) -> MemoryAccess {
    let explicit =
        opcode.operands.iter().any(|operand| matches!(operand.kind, OperandKind::Memory(_)));
    if let Some(access) = isa.implied_memory(opcode) {
        return access;
    }
    match (explicit, opcode.flags.may_load, opcode.flags.may_store) {
        (false, ..) => MemoryAccess::None,
        (true, true, true) => MemoryAccess::Both,
        (true, false, true) => MemoryAccess::Store,
        // An address that LLVM says nothing about (prefetches, cache control) is read at most.
        (true, ..) => MemoryAccess::Load,
    }
}
