//! Apple's AMX: what instructions compute, against plain calculations that know names only; and what they
//! read and write, against what changes.

use winic::isa::amx::{
    AmxFault, AmxGeneration, AmxOperation, AmxState, AmxVariant, AmxWord, Effects, OperandFields,
    variants,
};
use winic::random::Random;

const NEWEST: AmxGeneration = AmxGeneration::M4;
/// What the one memory of a test holds.
const MEMORY: usize = 1024;

fn fill(random: &mut Random, bytes: &mut [u8]) {
    bytes.iter_mut().for_each(|byte| *byte = random.bits() as u8);
}

fn random_state(numbers: &mut Random) -> AmxState {
    let mut state = AmxState { is_on: true, ..AmxState::new(NEWEST) };
    fill(numbers, &mut state.x);
    fill(numbers, &mut state.y);
    state.z.iter_mut().for_each(|row| fill(numbers, row));
    state
}

fn run(state: &mut AmxState, operation: AmxOperation, operand: u64, memory: &mut Vec<u8>) {
    let word = AmxWord { operation, register: 0 };
    state.execute(word, operand, memory).unwrap();
}

// ---- what is computed ----------------------------------------------------------------------------------

/// A kind of numbers, by its name in variants.
#[derive(Clone, Copy)]
struct Kind {
    name: &'static str,
    bytes: usize,
}

const KINDS: [Kind; 7] = [
    Kind { name: "bf16", bytes: 2 },
    Kind { name: "f16", bytes: 2 },
    Kind { name: "f32", bytes: 4 },
    Kind { name: "f64", bytes: 8 },
    Kind { name: "i8", bytes: 1 },
    Kind { name: "i16", bytes: 2 },
    Kind { name: "i32", bytes: 4 },
];

impl Kind {
    /// The first name in a text, and the rest.
    fn first(text: &str) -> (Self, &str) {
        let kind = KINDS.into_iter().find(|kind| text.starts_with(kind.name)).unwrap();
        (kind, &text[kind.name.len()..])
    }

    fn get(self, bytes: &[u8], lane: usize) -> f64 {
        let own = &bytes[lane..lane + self.bytes];
        match self.name {
            "bf16" => f32::from_bits(u32::from(u16_of(own)) << 16).into(),
            "f16" => half::f16::from_le_bytes([own[0], own[1]]).to_f64(),
            "f32" => f32::from_le_bytes(own.try_into().unwrap()).into(),
            "f64" => f64::from_le_bytes(own.try_into().unwrap()),
            "i8" => f64::from(own[0] as i8),
            "i16" => f64::from(u16_of(own) as i16),
            _ => f64::from(i32::from_le_bytes(own.try_into().unwrap())),
        }
    }

    fn put(self, bytes: &mut [u8], lane: usize, value: f64) {
        let own = &mut bytes[lane..lane + self.bytes];
        match self.name {
            "bf16" => own.copy_from_slice(&((value as f32).to_bits() >> 16).to_le_bytes()[..2]),
            "f16" => own.copy_from_slice(&half::f16::from_f64(value).to_le_bytes()),
            "f32" => own.copy_from_slice(&(value as f32).to_le_bytes()),
            "f64" => own.copy_from_slice(&value.to_le_bytes()),
            _ => own.copy_from_slice(&(value as i64).to_le_bytes()[..self.bytes]),
        }
    }
}

fn u16_of(bytes: &[u8]) -> u16 {
    u16::from_le_bytes([bytes[0], bytes[1]])
}

/// A state in which every lane of a width holds a small whole number, so that all results are exact in
/// every format.
fn small_state(input: Kind, lane: usize, z: Kind, numbers: &mut Random) -> AmxState {
    let mut state = AmxState { is_on: true, ..AmxState::new(NEWEST) };
    let mut small = |range: u64| (numbers.bits() % range) as f64;
    for at in (0..512).step_by(lane) {
        input.put(&mut state.x, at, small(5));
        input.put(&mut state.y, at, small(5));
    }
    for row in &mut state.z {
        for at in (0..64).step_by(z.bytes) {
            z.put(row, at, small(16));
        }
    }
    state
}

/// A calculation as its name says it.
struct Calculation<'n> {
    family: &'n str,
    is_matrix: bool,
    input: Kind,
    z: Kind,
    formula: &'n str,
    vectors: usize,
}

impl<'n> Calculation<'n> {
    fn named(name: &'n str) -> Self {
        let mut parts = name.split('_');
        let family = parts.next().unwrap();
        let mut shape = parts.next().unwrap();
        let mut is_matrix = family.starts_with("mat");
        if ["mat", "vec"].contains(&shape) {
            is_matrix = shape == "mat";
            shape = parts.next().unwrap();
        }
        let (input, rest) = Kind::first(shape);
        let (z, _) = Kind::first(rest);
        let formula = parts.next().unwrap();
        let vectors = parts.next().map_or(1, |times| times[1..].parse().unwrap());
        Self { family, is_matrix, input, z, formula, vectors }
    }

    /// Bytes of a lane of X and Y: some take narrow numbers from wide lanes.
    fn lane(&self) -> usize {
        match self.family {
            "fma32" | "fms32" => 4,
            "mac16" => 2,
            _ => self.input.bytes,
        }
    }

    fn value(&self, x: f64, y: f64, z: f64) -> f64 {
        match self.formula {
            "x*y+z" => x * y + z,
            "x*y" => x * y,
            "x+z" => x + z,
            "y+z" => y + z,
            "z-x*y" => z - x * y,
            "-x*y" => -(x * y),
            "z-x" => z - x,
            "z-y" => z - y,
            other => panic!("no formula {other}"),
        }
    }

    /// What it makes of a state.
    fn apply(&self, state: &mut AmxState) {
        if self.is_matrix { self.outer_product(state) } else { self.vectors(state) }
    }

    fn outer_product(&self, state: &mut AmxState) {
        let (lane, z) = (self.lane(), self.z.bytes);
        // Rows and lanes of Z in which the lanes of X stand that one lane of Y meets.
        let beside = z / lane;
        let used = if lane == 1 { beside } else { 1 };
        for j in (0..64 / lane).step_by(used) {
            for i in 0..64 / lane {
                let row = j * lane + i % beside;
                let at = i / beside * z;
                self.set(state, i * lane, j * lane, row, at);
            }
        }
    }

    fn vectors(&self, state: &mut AmxState) {
        let (lane, z) = (self.lane(), self.z.bytes);
        let beside = z / lane;
        for vector in 0..self.vectors {
            for i in 0..64 / lane {
                let from = vector * 64 + i * lane;
                let row = vector * (64 / self.vectors) + i % beside;
                self.set(state, from, from, row, i / beside * z);
            }
        }
    }

    fn set(&self, state: &mut AmxState, x: usize, y: usize, row: usize, at: usize) {
        let [x, y] = [self.input.get(&state.x, x), self.input.get(&state.y, y)];
        let old = self.z.get(&state.z[row], at);
        self.z.put(&mut state.z[row], at, self.value(x, y, old));
    }
}

/// Integers are unsigned in operands of variants, and small ones are alike either way.
#[test]
fn every_calculation_is_what_its_name_says() {
    let mut numbers = Random::new(1);
    let mut checked = 0;
    for variant in variants().iter().filter(|variant| variant.operations.is_some()) {
        let calculation = Calculation::named(variant.name);
        let (input, z) = (calculation.input, calculation.z);
        for _ in 0..3 {
            let mut state = small_state(input, calculation.lane(), z, &mut numbers);
            let mut wanted = state.clone();
            calculation.apply(&mut wanted);
            run(&mut state, variant.operation, variant.operand, &mut Vec::new());
            assert!(state.z == wanted.z, "{}", variant.name);
            assert!(state.x == wanted.x && state.y == wanted.y, "{}", variant.name);
        }
        checked += 1;
    }
    assert_eq!(checked, 136);
}

/// Lanes of Z that stand behind each other in the target, as (row, byte), by the names of widths.
fn lanes_of_extraction(is_column: bool, width: &str, first: usize) -> (Vec<(usize, usize)>, usize) {
    // Bytes of Z's and the target's lanes, and rows between neighbours.
    let (z, target, stride) = match width {
        "8->8" => (1, 1, 0),
        "16->16" | "f16f16" => (2, 2, 0),
        "32->32" | "f32f32" => (4, 4, 0),
        "f64f64" => (8, 8, 0),
        "16->8" => (2, 1, 1),
        "32->8" => (4, 1, 1),
        _ if width.ends_with('q') => (4, 2, 2),
        _ => (4, 2, 1),
    };
    let beside = z / target;
    let lanes = (0..64 / target).map(|lane| {
        let row = lane % beside * stride;
        match is_column {
            false => (first + row, lane / beside * z),
            true => (lane / beside * z + row, first),
        }
    });
    (lanes.collect(), target)
}

fn narrowed(width: &str, bytes: &[u8], target: usize) -> Vec<u8> {
    let single = || f32::from_le_bytes(bytes[..4].try_into().unwrap());
    match width {
        _ if width.contains("->f16") => half::f16::from_f32(single()).to_le_bytes().to_vec(),
        _ if width.contains("->bf16") => half::bf16::from_f32(single()).to_le_bytes().to_vec(),
        _ => bytes[..target].to_vec(),
    }
}

#[test]
fn every_extraction_is_what_its_name_says() {
    let mut numbers = Random::new(2);
    let mut checked = 0;
    for variant in variants() {
        let Some((direction, rest)) =
            variant.name.strip_prefix("extr_").and_then(|rest| rest.split_once('_'))
        else {
            continue;
        };
        let Some((width, times)) = rest.rsplit_once("_x") else { continue };
        let vectors: usize = times[..1].parse().unwrap();
        let mut state = random_state(&mut numbers);
        if width.contains('f') {
            // Ordinary numbers: a NaN would become the default one.
            for at in (0..64).step_by(4) {
                let ordinary = (numbers.bits() % 1000) as f32 / 16.0;
                state.z.iter_mut().for_each(|row| {
                    row[at..at + 4].copy_from_slice(&(ordinary + 1.0).to_le_bytes());
                });
            }
        }
        let mut wanted = state.clone();
        for vector in 0..vectors {
            let first = vector * (64 / vectors);
            let (lanes, bytes) = lanes_of_extraction(direction == "v", width, first);
            for (lane, (row, at)) in lanes.into_iter().enumerate() {
                let value = narrowed(width, &state.z[row][at..], bytes);
                let ring = if times.ends_with("(y)") { &mut wanted.y } else { &mut wanted.x };
                ring[vector * 64 + lane * bytes..][..bytes].copy_from_slice(&value);
            }
        }
        run(&mut state, variant.operation, variant.operand, &mut Vec::new());
        assert!(state == wanted, "{}", variant.name);
        checked += 1;
    }
    assert_eq!(checked, 168);
}

#[test]
fn registers_move_to_memory_and_back() {
    let mut numbers = Random::new(3);
    for variant in variants().iter().filter(|variant| variant.effects(0, NEWEST).loaded > 0) {
        let bytes = variant.effects(0, NEWEST).loaded;
        let mut memory = vec![0; MEMORY];
        fill(&mut numbers, &mut memory);
        let mut state = AmxState { is_on: true, ..AmxState::new(NEWEST) };
        run(&mut state, variant.operation, variant.operand | 256, &mut memory);
        let registers: Vec<u8> = match variant.operation {
            AmxOperation::Ldx => state.x.to_vec(),
            AmxOperation::Ldy => state.y.to_vec(),
            _ => state.z.as_flattened().to_vec(),
        };
        let apart = match variant.name {
            name if name.ends_with("pair_strided") => 4,
            name if name.ends_with("quad_strided") => 2,
            _ => 1,
        };
        for (number, register) in memory[256..256 + bytes].chunks(64).enumerate() {
            let first = number * apart * 64;
            if variant.operation == AmxOperation::Ldzi {
                let even = |bytes: &[u8]| -> Vec<u8> {
                    bytes.chunks(4).step_by(2).flatten().copied().collect()
                };
                assert_eq!(registers[..32], even(register));
                assert_eq!(registers[64..96], even(&register[4..]));
            } else {
                assert_eq!(registers[first..first + 64], *register, "{}", variant.name);
            }
        }
        let Some(store) = store_of(variant) else { continue };
        let mut again = vec![0; MEMORY];
        run(&mut state, store.operation, store.operand | 256, &mut again);
        let stored = store.effects(0, NEWEST).stored;
        assert_eq!(again[256..256 + stored], memory[256..256 + stored], "{}", store.name);
    }
}

/// The store of what a load has loaded.
fn store_of(load: &AmxVariant) -> Option<&'static AmxVariant> {
    let name = load.name.replacen("ld", "st", 1);
    variants().iter().find(|variant| variant.name == name)
}

// ---- faults --------------------------------------------------------------------------------------------

#[test]
fn the_unit_is_switched_on_once_and_off_once() {
    let memory = &mut Vec::new();
    let mut state = AmxState::new(NEWEST);
    let add = AmxWord { operation: AmxOperation::Fma64, register: 0 };
    assert_eq!(state.execute(add, 0, memory), Err(AmxFault::Off));
    assert_eq!(state.execute(AmxWord::CLEAR, 0, memory), Err(AmxFault::Off));
    state.execute(AmxWord::SET, 0, memory).unwrap();
    assert_eq!(state.execute(AmxWord::SET, 0, memory), Err(AmxFault::On));
    state.execute(add, 0, memory).unwrap();
    state.execute(AmxWord::CLEAR, 0, memory).unwrap();
    assert_eq!(state.execute(add, 0, memory), Err(AmxFault::Off));
}

#[test]
fn accesses_outside_and_misaligned_ones_fault_and_change_nothing() {
    let mut memory = vec![7; 256];
    let mut state = random_state(&mut Random::new(4));
    let before = state.clone();
    let mut load = |operand| {
        state.execute(AmxWord { operation: AmxOperation::Ldx, register: 0 }, operand, &mut memory)
    };
    assert_eq!(load(224), Err(AmxFault::Unmapped(224)));
    let pair = 1 << 62;
    assert_eq!(load(pair | 64), Err(AmxFault::Misaligned { address: 64, needed: 128 }));
    assert!(state == before);
}

// ---- read and written sets -----------------------------------------------------------------------------

/// Random operands, in two states that agree in what is read: what is written agrees then, and all else
/// stays.
#[test]
fn nothing_is_read_or_written_but_what_effects_say() {
    let mut numbers = Random::new(5);
    let operations: Vec<AmxOperation> = AmxOperation::all().collect();
    for round in 0..6_000 {
        let operation = operations[round % operations.len()];
        if operation == AmxOperation::Set {
            continue;
        }
        let operand = ordinary_operand(operation, numbers.bits());
        let effects = Effects::of(operation, operand, NEWEST);
        let (mut one, mut other) = (random_state(&mut numbers), random_state(&mut numbers));
        copy_registers(&one.x, &mut other.x, effects.x_read.into());
        copy_registers(&one.y, &mut other.y, effects.y_read.into());
        let z = one.z;
        copy_registers(z.as_flattened(), other.z.as_flattened_mut(), effects.z_read);
        let mut memory = vec![9; MEMORY];
        let before = other.clone();
        let mut stored = memory.clone();
        run(&mut one, operation, operand, &mut memory);
        run(&mut other, operation, operand, &mut stored);
        let what = || format!("{} {}", operation.mnemonic(), OperandFields::of(operation, operand));
        assert!(memory == stored, "{}", what());
        let compare = |one: &[u8], other: &[u8], before: &[u8], written: u64| {
            let registers = one.chunks(64).zip(other.chunks(64)).zip(before.chunks(64));
            for (number, ((one, other), before)) in registers.enumerate() {
                let expected = if written >> number & 1 == 1 { one } else { before };
                assert!(other == expected, "register {number} of {}", what());
            }
        };
        compare(&one.x, &other.x, &before.x, effects.x_written.into());
        compare(&one.y, &other.y, &before.y, effects.y_written.into());
        let z = [&one, &other, &before].map(|state| state.z.as_flattened());
        compare(z[0], z[1], z[2], effects.z_written);
    }
}

/// An operand whose address is in memory and whose bits that must be zero are, more often than not.
fn ordinary_operand(operation: AmxOperation, random: u64) -> u64 {
    let mut fields = OperandFields::of(operation, random);
    for (field, value) in &mut fields.values {
        match field.name {
            "address" => *value = *value % 3 * 256,
            "must_be_zero" => *value = 0,
            "function" => *value %= 13,
            "enable_mode" | "y_enable_mode" => *value %= 6,
            _ => {}
        }
    }
    fields.operand()
}

fn copy_registers(from: &[u8], to: &mut [u8], registers: u64) {
    for (number, (from, to)) in from.chunks(64).zip(to.chunks_mut(64)).enumerate() {
        if registers >> number & 1 == 1 {
            to.copy_from_slice(from);
        }
    }
}

// ---- encoding ------------------------------------------------------------------------------------------

#[test]
fn a_million_words_and_operands_come_back() {
    let mut numbers = Random::new(6);
    for _ in 0..1_000_000 {
        let random = numbers.bits();
        // Of all words one in six million is an instruction; of these nearly all.
        let word = 0x0020_1000 | random as u32 & 0x3ff;
        let Some(decoded) = AmxWord::decode(word) else { continue };
        assert_eq!(decoded.encode(), word);
        let operand = numbers.bits();
        let fields = OperandFields::of(decoded.operation, operand);
        assert_eq!(fields.operand(), operand & fields.mask());
    }
}
