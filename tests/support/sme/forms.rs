//! Which forms are of SME, and what their registers are.

use winic::codec::Codec as _;
use winic::form::InstructionForm;
use winic::llvm::{Llvm, TargetChoice};
use winic::metadata::{InstructionSet, OperandValue, UnitId};

use crate::support::Machine;

/// A machine with SME's first version and what Apple's cores have beside that, and no more.
pub fn first_version() -> Llvm {
    Llvm::new(TargetChoice {
        triple: "aarch64-unknown-linux-gnu".into(),
        cpu: String::new(),
        features: "+sme,+sme-f64f64,+sme-i16i64".into(),
    })
    .expect("LLVM knows SME")
}

/// The bytes of a form.
fn bytes(form: &InstructionForm, machine: &mut Machine) -> Vec<u8> {
    let encodable = machine.catalogue.set.encodable(&form.sample).into_owned();
    machine.llvm.encode(&encodable).expect("a form encodes")
}

/// Whether a form lies in the space of encodings that is SME's (Arm ARM, C4.1), or switches its modes.
pub fn is_of_sme(form: &InstructionForm, machine: &mut Machine) -> bool {
    let bytes = bytes(form, machine);
    let word = u32::from_le_bytes(bytes.try_into().expect("four bytes"));
    is_word_of_sme(word)
}

/// Whether bits 31 and 28 to 25 are those of SME, or it is an MSR of SVCR.
pub fn is_word_of_sme(word: u32) -> bool {
    word >> 25 & 0b100_1111 == 0b100_0000 || word & 0xFFFF_F8FF == 0xD503_407F
}

/// Whether another machine has a form, too.
pub fn decodes(form: &InstructionForm, machine: &mut Machine, other: &mut Llvm) -> bool {
    let bytes = bytes(form, machine);
    other.decode(&bytes).is_ok()
}

/// The number in the name of a register.
pub fn number(operand: OperandValue, machine: &Machine) -> usize {
    let OperandValue::Register(register) = operand else { panic!("no register: {operand:?}") };
    let name = &machine.catalogue.set.register(register).name;
    let digits = name.trim_start_matches(|letter: char| !letter.is_ascii_digit());
    digits.parse().unwrap_or_else(|_| panic!("{name} has no number"))
}

/// The vector of ZA that a unit stands for, told by the tiles that it belongs to: it is the slice of a tile of
/// quadwords with its number, and of that tile the slices come in order.
pub fn vector_of(set: &InstructionSet, unit: UnitId) -> usize {
    let tiles = (0..16).map(|number| {
        let tile = set.register_by_name(&format!("ZAQ{number}")).expect("a tile");
        (number, &set.register(tile).units)
    });
    let mut found = tiles.filter_map(|(number, units)| {
        units.iter().position(|other| *other == unit).map(|slice| slice * 16 + number)
    });
    found.next_back().expect("a unit of ZA")
}

/// Whether what a mnemonic writes in ZA is zero, or may be: differences of sources with the same contents.
pub fn may_leave_zeros(mnemonic: &str) -> bool {
    matches!(mnemonic, "zero" | "movaz" | "sub")
}
