//! ZA as an array of vectors. Source: Arm Architecture Reference Manual (DDI 0487), B1.4.11 to B1.4.13 "ZA storage".
//!
//! To LLVM every instruction that names vectors of ZA reads and writes all of it. Here each vector is a
//! piece of ZA: vector `r` is a slice of the tiles `r mod 16` of quadwords, `r mod 8` of doublewords and so on,
//! so that tiles and vectors overlap by their units as any registers do. `za.s[w9, 3, vgx2]` is the group of
//! two vectors that begins at W9 + 3; its members lie half the array apart.
//!
//! W8 to W15 hold constants, so that which vectors an encoding means is known when a kernel is written.

use super::super::names;
use super::streaming::VECTOR_BITS;
use crate::form::{InstructionForm, Placeholder, Site, Value};
use crate::metadata::{
    ArraySelection, ClassId, InstructionSet, OpcodeId, OperandKind, Register, RegisterClass,
    RegisterId, UnitId,
};

/// Vectors of ZA: as many as a vector has bytes.
const VECTORS: u32 = VECTOR_BITS / 8;
/// LLVM's name of ZA, of the class that has nothing else, and of its smallest tiles.
const WHOLE: &str = "ZA";
const WHOLE_CLASS: &str = "MPR";
const SMALLEST_TILES: u32 = 16;

/// Classes of the registers that say where in ZA or in a tile.
const SELECTORS: &[&str] = &["MatrixIndexGPR32_8_11", "MatrixIndexGPR32_12_15"];
/// Which of them name vectors, by number: in computations, and in loads and stores of a vector.
const COMPUTING: &[u32] = &[8, 9, 10, 11];
const MOVING: &[u32] = &[12, 13, 14, 15];

/// Classes of tiles.
const TILES: &[&str] = &["MPR8", "MPR16", "MPR32", "MPR64", "MPR128"];

/// Vectors from one selector's value to the next one's: as far as what is added reaches. Loads and stores
/// of a vector add it to their address, too, so that there nothing is added.
const STEP: u32 = 8;
const MOVING_STEP: u32 = 1;

/// What multiplies into vectors with twice, and with four times as many elements as its sources.
const PAIRS: &[&str] = &["BFMLAL", "BFMLSL", "FMLAL", "FMLSL", "SMLAL", "SMLSL", "UMLAL", "UMLSL"];
const QUADS: &[&str] = &["FMLALL", "SMLALL", "SMLSLL", "SUMLALL", "UMLALL", "UMLSLL", "USMLALL"];
/// What names one group although LLVM's name says otherwise: `fmlal za.h[w8, 0:1], z0.b, z1.b`.
const ALONE: &[&str] = &["FMLAL_VG2_MZZ_BtoH"];
/// What writes vectors without reading them, although LLVM, to which it leaves the rest of ZA, says so.
const OVERWRITING: &[&str] = &[
    "MOVA_VG2_MXI2Z",
    "MOVA_VG4_MXI4Z",
    "ZERO_MXI_2Z",
    "ZERO_MXI_4Z",
    "ZERO_MXI_VG2_2Z",
    "ZERO_MXI_VG2_4Z",
    "ZERO_MXI_VG2_Z",
    "ZERO_MXI_VG4_2Z",
    "ZERO_MXI_VG4_4Z",
    "ZERO_MXI_VG4_Z",
];
/// What loads and stores one vector.
const MOVED: &[&str] = &["LDR_ZA", "STR_ZA"];

/// Which vectors an opcode names: so many groups, a part of the array apart, of so many neighbours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct VectorGroups {
    groups: u32,
    neighbours: u32,
    /// Whether it is loaded or stored.
    moved: bool,
}

impl VectorGroups {
    fn of(opcode: &str) -> Self {
        let has = |wanted: &str| names::parts(opcode).any(|part| part == wanted);
        let groups = if ALONE.contains(&opcode) {
            1
        } else if has("VG4") {
            4
        } else if has("VG2") {
            2
        } else {
            1
        };
        // Of `ZERO_MXI_VG2_4Z` the last part says how many neighbours.
        let zeroed = names::stem(opcode) == "ZERO";
        let neighbours = if names::is_any(opcode, QUADS) || zeroed && has("4Z") {
            4
        } else if names::is_any(opcode, PAIRS) || zeroed && has("2Z") {
            2
        } else {
            1
        };
        Self { groups, neighbours, moved: MOVED.contains(&opcode) }
    }

    fn class_name(self) -> String {
        let moved = if self.moved { "_moved" } else { "" };
        format!("{WHOLE_CLASS}_{}x{}{moved}", self.groups, self.neighbours)
    }

    fn selectors(self) -> &'static [u32] {
        if self.moved { MOVING } else { COMPUTING }
    }

    /// How the vectors are called that begin with one.
    fn register_name(self, first: u32) -> String {
        format!("ZAV{first}of{}x{}", self.groups, self.neighbours)
    }

    /// The first vectors that encodings can name with the constants, each with the selector's number and what is
    /// added to it, in the unit of the encoding.
    fn names(self) -> Vec<(u32, u32, i64)> {
        let reach = if self.moved { MOVING_STEP } else { STEP };
        let of_selector = |(at, &selector): (usize, &u32)| {
            let begin = at as u32 * reach;
            let numbers = (0..reach / self.neighbours)
                .map(move |number| (begin + number * self.neighbours, selector, i64::from(number)));
            numbers.collect::<Vec<_>>()
        };
        let all = self.selectors().iter().enumerate().flat_map(of_selector);
        all.filter(|&(first, ..)| first < VECTORS / self.groups).collect()
    }

    fn vectors(self, first: u32) -> impl Iterator<Item = u32> {
        let apart = VECTORS / self.groups;
        (0..self.groups).flat_map(move |group| {
            (0..self.neighbours).map(move |next| first + group * apart + next)
        })
    }
}

/// The constant that a register holds whose number is part of the name of vectors.
fn selector_value(number: u32) -> u64 {
    let place = |numbers: &[u32]| numbers.iter().position(|&known| known == number);
    let by = |numbers, step| place(numbers).map(|place| place as u64 * u64::from(step));
    by(COMPUTING, STEP).or(by(MOVING, MOVING_STEP)).unwrap_or(0)
}

/// Gives vectors of ZA registers of their own.
pub(super) fn complete(set: &mut InstructionSet) {
    let Some(whole) = set.register_by_name(WHOLE) else { return };
    let Some(units) = split_tiles(set) else { return };
    let opcodes = (0..set.opcodes.len() as u32).map(OpcodeId);
    let naming: Vec<OpcodeId> = opcodes.filter(|&id| names_vectors(set, id)).collect();
    let mut classes: Vec<(VectorGroups, ClassId, ArraySelection)> = Vec::new();
    for id in naming {
        let shape = VectorGroups::of(&set.opcode(id).name);
        let known = classes.iter().find(|(other, ..)| *other == shape);
        let (class, selection) = match known {
            Some((_, class, selection)) => (*class, selection.clone()),
            None => {
                let (class, selection) = add_class(set, shape, whole, &units);
                classes.push((shape, class, selection.clone()));
                (class, selection)
            }
        };
        if let Some(selection) = placed(selection, set, id, shape) {
            set.select(id, selection, class);
        }
    }
}

/// Whether LLVM says that an opcode names all of ZA, and a register that says where.
fn names_vectors(set: &InstructionSet, id: OpcodeId) -> bool {
    let opcode = set.opcode(id);
    let of_class = |wanted: &[&str]| {
        opcode.operands.iter().any(|operand| class_is_any(set, operand.kind, wanted))
    };
    !opcode.flags.pseudo && of_class(&[WHOLE_CLASS]) && of_class(SELECTORS)
}

fn class_is_any(set: &InstructionSet, kind: OperandKind, wanted: &[&str]) -> bool {
    match kind {
        OperandKind::Register(class) => wanted.contains(&set.class(class).name.as_str()),
        _ => false,
    }
}

/// A selection with the places of an opcode's operands.
fn placed(
    selection: ArraySelection,
    set: &InstructionSet,
    id: OpcodeId,
    shape: VectorGroups,
) -> Option<ArraySelection> {
    let operands = &set.opcode(id).operands;
    let of_class = |wanted: &[&str]| -> Vec<usize> {
        let is = |at: &usize| class_is_any(set, operands[*at].kind, wanted);
        (0..operands.len()).filter(is).collect()
    };
    let selector = *of_class(SELECTORS).first()?;
    // What is added stands behind the selector, and behind the address where it is added to that, too.
    let also_added = shape.moved.then(|| operands.len() - 1);
    let offsets = std::iter::once(selector + 1).chain(also_added).collect();
    Some(ArraySelection { operands: of_class(&[WHOLE_CLASS]), selector, offsets, ..selection })
}

/// The units of the vectors of ZA, which take the place of those of its smallest tiles.
fn split_tiles(set: &mut InstructionSet) -> Option<Vec<UnitId>> {
    let used = set.registers.iter().flat_map(|register| &register.units);
    let next = used.map(|unit| unit.0 + 1).max()?;
    let units: Vec<UnitId> = (0..VECTORS).map(|vector| UnitId(next + vector)).collect();
    let tiles: Vec<UnitId> = (0..SMALLEST_TILES)
        .map(|number| {
            let tile = set.register_by_name(&format!("ZAQ{number}"))?;
            set.register(tile).units.first().copied()
        })
        .collect::<Option<_>>()?;
    let slices = |unit: &UnitId| {
        let tile = tiles.iter().position(|tile| tile == unit);
        let slices = tile.map(|tile| {
            units.iter().copied().skip(tile).step_by(SMALLEST_TILES as usize).collect::<Vec<_>>()
        });
        slices.unwrap_or_else(|| vec![*unit])
    };
    for register in &mut set.registers {
        register.units = register.units.iter().flat_map(slices).collect();
    }
    Some(units)
}

/// A class of the registers for all vectors of a shape, and how they are named.
fn add_class(
    set: &mut InstructionSet,
    shape: VectorGroups,
    whole: RegisterId,
    units: &[UnitId],
) -> (ClassId, ArraySelection) {
    let mut selection = ArraySelection {
        operands: Vec::new(),
        whole,
        selector: 0,
        offsets: Vec::new(),
        names: std::collections::BTreeMap::new(),
    };
    let mut registers = Vec::new();
    for (first, selector, number) in shape.names() {
        let Some(selector) = set.register_by_name(&format!("W{selector}")) else { continue };
        let register = RegisterId(set.registers.len() as u32);
        set.registers.push(Register {
            name: shape.register_name(first),
            units: shape.vectors(first).map(|vector| units[vector as usize]).collect(),
            sub_registers: Vec::new(),
        });
        selection.names.insert(register, (selector, number));
        registers.push(register);
    }
    // How long vectors are is up to the machine.
    set.classes.push(RegisterClass { name: shape.class_name(), bits: 0, registers });
    (ClassId(set.classes.len() as u32 - 1), selection)
}

/// Registers that say where in ZA are constants: those of vectors belong to their names, those of slices of
/// a tile hold zero, and nothing is passed on through them.
pub(super) fn correct(form: &mut InstructionForm, set: &InstructionSet) {
    if let Some(selection) = set.selection(form.opcode) {
        let numbers = VectorGroups::of(&form.name).selectors().iter();
        let selectors = numbers.filter_map(|number| set.register_by_name(&format!("X{number}")));
        form.implicit_uses.extend(selectors);
        let own = form.sample.operands[selection.selector];
        let selector = &mut form.operands[selection.selector];
        selector.kind = Placeholder::Fixed(own);
        selector.read = false;
        if OVERWRITING.contains(&form.name.as_str()) {
            for &at in &selection.operands {
                let operand = &mut form.operands[at];
                operand.read &= operand.tied_to.is_none();
            }
        }
    }
    let constants: Vec<Site> = form.uses().filter(|&site| is_constant(form, set, site)).collect();
    let results: Vec<Site> = form.defs().collect();
    let pairs = constants.iter().flat_map(|&from| results.iter().map(move |&to| (from, to)));
    form.unrelated.extend(pairs);
}

/// Whether a site says where in ZA.
fn is_constant(form: &InstructionForm, set: &InstructionSet, site: Site) -> bool {
    match site {
        Site::Implicit(register) => {
            set.selection(form.opcode).is_some() && selector_number(set, register).is_some()
        }
        Site::Operand(operand) => {
            let class = form.class_of(operand).map(OperandKind::Register);
            class.is_some_and(|class| class_is_any(set, class, SELECTORS))
                && names_tile(set, form.opcode)
        }
        Site::Memory => false,
    }
}

/// The number of a general register that is a part of the names of vectors.
fn selector_number(set: &InstructionSet, register: RegisterId) -> Option<u32> {
    let name = &set.register(register).name;
    let mut numbers = COMPUTING.iter().chain(MOVING).copied();
    numbers.find(|number| *name == format!("X{number}"))
}

/// What a site holds that says where in ZA.
pub(super) fn required_value(
    form: &InstructionForm,
    set: &InstructionSet,
    site: Site,
) -> Option<Value> {
    if !is_constant(form, set, site) {
        return None;
    }
    match site {
        Site::Implicit(register) => {
            selector_number(set, register).map(|number| Value::Number(selector_value(number)))
        }
        _ => Some(Value::Number(0)),
    }
}

/// Whether an opcode names a tile of ZA.
pub(super) fn names_tile(set: &InstructionSet, opcode: OpcodeId) -> bool {
    set.opcode(opcode).operands.iter().any(|operand| class_is_any(set, operand.kind, TILES))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_are_told_by_whole_parts_of_names() {
        let shape = |groups, neighbours, moved| VectorGroups { groups, neighbours, moved };
        for (name, expected) in [
            ("FMLA_VG4_M4ZZ_S", shape(4, 1, false)),
            ("FMLAL_VG2_M2Z2Z_HtoS", shape(2, 2, false)),
            ("FMLAL_MZZI_HtoS", shape(1, 2, false)),
            ("FMLAL_VG2_MZZ_BtoH", shape(1, 2, false)),
            ("SMLALL_VG4_M4Z4Z_BtoS", shape(4, 4, false)),
            ("ZERO_MXI_VG2_4Z", shape(2, 4, false)),
            ("ZERO_MXI_2Z", shape(1, 2, false)),
            ("MOVAZ_VG2_2ZMXI", shape(2, 1, false)),
            ("LDR_ZA", shape(1, 1, true)),
        ] {
            assert_eq!(VectorGroups::of(name), expected, "{name}");
        }
    }

    #[test]
    fn names_lead_to_vectors_that_do_not_meet() {
        for groups in [1, 2, 4] {
            for neighbours in [1, 2, 4] {
                let shape = VectorGroups { groups, neighbours, moved: false };
                let names = shape.names();
                let most = (VECTORS / groups).min(4 * STEP) / neighbours;
                assert_eq!(names.len() as u32, most, "{shape:?}");
                let mut seen = std::collections::HashSet::new();
                for (first, selector, number) in names {
                    let reached = selector_value(selector) + number as u64 * u64::from(neighbours);
                    assert_eq!(reached, u64::from(first), "{shape:?}");
                    assert!(
                        shape.vectors(first).all(|vector| vector < VECTORS && seen.insert(vector))
                    );
                }
            }
        }
    }
}
