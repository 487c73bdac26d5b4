//! Shared objects laid out as a loader would: for systems whose own loader knows no ELF. Source:
//! System V ABI, chapters 4 and 5, with the supplements for x86-64, AArch64 and RISC-V.
//!
//! An artifact needs little of it: nothing is imported from elsewhere, and there is no thread-local
//! storage and no initialiser.

use std::collections::HashMap;
use std::ops::Range;

use super::elf::{self, number};

/// An image as it is to stand in memory from its base on.
pub(super) struct Layout {
    /// Contents, all relocations done.
    pub bytes: Vec<u8>,
    /// Where its segments lie.
    pub segments: Vec<Segment>,
    /// What it defines, by name, as distances from its base.
    pub symbols: HashMap<String, usize>,
}

/// A part of an image with one protection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Segment {
    /// Distances from the base.
    pub place: Range<usize>,
    /// Whether it may be written.
    pub write: bool,
    /// Whether it may be executed.
    pub execute: bool,
}

/// Why an image cannot be laid out.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum LayoutError {
    /// Headers or tables lead out of it.
    #[error("its tables are damaged")]
    Damaged,
    /// It needs what is not in it.
    #[error("it needs a symbol `{0}`")]
    Undefined(String),
    /// A relocation that no artifact has.
    #[error("it has a relocation of type {0}")]
    Relocation(u64),
    /// It is code of another architecture.
    #[error("it is for machine {0}")]
    Machine(u64),
}

/// Relocations of an architecture, by `e_machine`: the base and an addend, and those with the
/// address of a symbol and an addend.
const RELOCATIONS: [(u64, u64, &[u64]); 3] =
    [(62, 8, &[1, 6, 7]), (183, 1027, &[257, 1025, 1026]), (243, 3, &[2, 5])];

// `p_type`.
const LOAD: u64 = 1;
const DYNAMIC: u64 = 2;

// `p_flags`.
const EXECUTE: u64 = 1;
const WRITE: u64 = 2;

// `d_tag`.
const JUMP_SIZE: u64 = 2;
const HASH: u64 = 4;
const STRINGS: u64 = 5;
const SYMBOLS: u64 = 6;
const RELOCATED: u64 = 7;
const RELOCATED_SIZE: u64 = 8;
const JUMPS: u64 = 23;

/// Sizes of `Elf64_Dyn`, `Elf64_Sym` and `Elf64_Rela`.
const ENTRY: usize = 16;
const SYMBOL: usize = 24;
const RELOCATION: usize = 24;

/// Lays out an image for the base that `place` gives it when told how long it is.
///
/// # Errors
/// When it is not all there, or not self-contained.
pub(super) fn lay_out(
    image: &[u8],
    place: impl FnOnce(usize) -> u64,
) -> Result<Layout, LayoutError> {
    let headers = elf::program_headers(image).ok_or(LayoutError::Damaged)?;
    let loaded = || headers.iter().filter(|header| header.kind == LOAD);
    let end = |header: &elf::ProgramHeader| header.address.checked_add(header.memory_size);
    let length = loaded().map(end).try_fold(0, |longest, end| Some(longest.max(end?)));
    let length = length.filter(|&length| length <= LONGEST).ok_or(LayoutError::Damaged)? as usize;
    let mut bytes = vec![0; length];
    for header in loaded() {
        let source = image.get(range(header.offset, header.file_size));
        let target = bytes.get_mut(range(header.address, header.file_size));
        let (source, target) = source.zip(target).ok_or(LayoutError::Damaged)?;
        target.copy_from_slice(source);
    }
    let dynamic = headers.iter().find(|header| header.kind == DYNAMIC);
    let dynamic = dynamic.ok_or(LayoutError::Damaged)?.address as usize;
    let tables = Tables::read(&bytes, dynamic).ok_or(LayoutError::Damaged)?;
    let symbols = tables.symbols(&bytes).ok_or(LayoutError::Damaged)?;
    let machine = number(image, elf::MACHINE, 2).unwrap_or_default();
    tables.relocate(&mut bytes, machine, place(length))?;
    let segments = loaded().map(|header| Segment {
        place: range(header.address, header.memory_size),
        write: header.flags & WRITE != 0,
        execute: header.flags & EXECUTE != 0,
    });
    Ok(Layout { segments: segments.collect(), bytes, symbols })
}

/// No image is longer.
const LONGEST: u64 = 1 << 32;

fn range(start: u64, length: u64) -> Range<usize> {
    start as usize..start.saturating_add(length) as usize
}

/// Where the tables of an image stand.
struct Tables {
    strings: usize,
    symbols: usize,
    hash: usize,
    /// Tables of relocations and their sizes.
    relocations: [(usize, usize); 2],
}

impl Tables {
    /// By the dynamic section.
    fn read(bytes: &[u8], dynamic: usize) -> Option<Self> {
        let mut values: HashMap<u64, usize> = HashMap::new();
        for at in (dynamic..).step_by(ENTRY) {
            let tag = number(bytes, at, 8)?;
            if tag == 0 {
                break;
            }
            values.insert(tag, usize::try_from(number(bytes, at.saturating_add(8), 8)?).ok()?);
        }
        let value = |tag| values.get(&tag).copied();
        let table = |start, size| (value(start).unwrap_or(0), value(size).unwrap_or(0));
        Some(Self {
            strings: value(STRINGS)?,
            symbols: value(SYMBOLS)?,
            hash: value(HASH)?,
            relocations: [table(RELOCATED, RELOCATED_SIZE), table(JUMPS, JUMP_SIZE)],
        })
    }

    fn symbols(&self, bytes: &[u8]) -> Option<HashMap<String, usize>> {
        // The hash table's second number is how many symbols there are.
        let count = number(bytes, self.hash.saturating_add(4), 4)? as usize;
        let defined = (1..count).filter_map(|index| match self.symbol(bytes, index) {
            Some((name, Some(value))) => Some(Some((name, value))),
            Some((_, None)) => None,
            None => Some(None),
        });
        defined.collect()
    }

    /// The name and, where it is defined, the value of a symbol.
    fn symbol(&self, bytes: &[u8], index: usize) -> Option<(String, Option<usize>)> {
        let at = self.symbols.checked_add(index.checked_mul(SYMBOL)?)?;
        let start = self.strings.checked_add(number(bytes, at, 4)? as usize)?;
        let name = bytes.get(start..)?.split(|&byte| byte == 0).next()?;
        let value = usize::try_from(number(bytes, at.saturating_add(8), 8)?).ok()?;
        let is_defined = number(bytes, at.saturating_add(6), 2)? != 0;
        Some((String::from_utf8_lossy(name).into_owned(), is_defined.then_some(value)))
    }

    fn relocate(&self, bytes: &mut [u8], machine: u64, base: u64) -> Result<(), LayoutError> {
        let row = RELOCATIONS.iter().find(|row| row.0 == machine);
        let &(_, relative, of_symbols) = row.ok_or(LayoutError::Machine(machine))?;
        for (start, size) in self.relocations {
            for index in 0..size / RELOCATION {
                let at = start.saturating_add(index * RELOCATION);
                let field = |offset| {
                    number(bytes, at.saturating_add(offset), 8).ok_or(LayoutError::Damaged)
                };
                let (place, kind, addend) = (field(0)?, field(8)?, field(16)?);
                let (symbol, kind) = ((kind >> 32) as usize, kind & u64::from(u32::MAX));
                let value = if kind == relative {
                    0
                } else if of_symbols.contains(&kind) {
                    let (name, value) = self.symbol(bytes, symbol).ok_or(LayoutError::Damaged)?;
                    value.ok_or(LayoutError::Undefined(name))? as u64
                } else {
                    return Err(LayoutError::Relocation(kind));
                };
                let value = base.wrapping_add(value).wrapping_add(addend);
                let target = bytes.get_mut(range(place, 8)).ok_or(LayoutError::Damaged)?;
                target.copy_from_slice(&value.to_le_bytes());
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BASE: u64 = 0x7000_0000;

    /// Puts numbers of eight bytes down from a place on.
    fn put(bytes: &mut [u8], at: usize, numbers: &[u64]) {
        for (index, number) in numbers.iter().enumerate() {
            bytes[at + 8 * index..][..8].copy_from_slice(&number.to_le_bytes());
        }
    }

    /// An AArch64 object that defines `cell` at 0x300, with relocations of these types there and
    /// behind it; the second refers to symbol `which`.
    fn object(kinds: [u64; 2], which: u64) -> Vec<u8> {
        let mut bytes = vec![0; 0x400];
        bytes[..4].copy_from_slice(b"\x7fELF");
        bytes[4] = 2;
        bytes[elf::MACHINE] = 183;
        bytes[32] = 64;
        bytes[54] = 56;
        bytes[56] = 2;
        put(&mut bytes, 64, &[LOAD | WRITE << 32, 0, 0, 0, 0x400, 0x1000, 0]);
        put(&mut bytes, 120, &[DYNAMIC, 0x100, 0x100, 0, 0x60, 0x60, 0]);
        let entries = [
            (STRINGS, 0x200),
            (SYMBOLS, 0x210),
            (HASH, 0x208),
            (RELOCATED, 0x280),
            (RELOCATED_SIZE, 0x30),
        ];
        for (index, (tag, value)) in entries.into_iter().enumerate() {
            put(&mut bytes, 0x100 + index * ENTRY, &[tag, value]);
        }
        bytes[0x201..0x206].copy_from_slice(b"cell\0");
        put(&mut bytes, 0x208, &[3 << 32]);
        // In section 1; the third symbol is nowhere.
        put(&mut bytes, 0x210 + SYMBOL, &[1 | 1 << 48, 0x300, 8, 1, 0, 0]);
        put(&mut bytes, 0x280, &[0x300, kinds[0], 0x20]);
        put(&mut bytes, 0x280 + RELOCATION, &[0x308, which << 32 | kinds[1], 4]);
        bytes
    }

    #[test]
    fn everything_gets_its_place() {
        let layout = lay_out(&object([1027, 257], 1), |length| {
            assert_eq!(length, 0x1000);
            BASE
        });
        let layout = layout.unwrap();
        assert_eq!(layout.symbols.get("cell"), Some(&0x300));
        assert_eq!(layout.symbols.len(), 1);
        assert_eq!(number(&layout.bytes, 0x300, 8), Some(BASE + 0x20));
        assert_eq!(number(&layout.bytes, 0x308, 8), Some(BASE + 0x304));
        let whole = Segment { place: 0..0x1000, write: true, execute: false };
        assert_eq!(layout.segments, [whole]);
    }

    #[test]
    fn what_cannot_be_done_is_said() {
        let reason = |object: &[u8]| lay_out(object, |_| BASE).err();
        assert_eq!(reason(&object([1027, 257], 2)), Some(LayoutError::Undefined("cell".into())));
        assert_eq!(reason(&object([1027, 9], 1)), Some(LayoutError::Relocation(9)));
        let mut foreign = object([1027, 257], 1);
        foreign[elf::MACHINE] = 8;
        assert_eq!(reason(&foreign), Some(LayoutError::Machine(8)));
        let whole = object([1027, 257], 1);
        for length in 0..whole.len() {
            assert_eq!(reason(&whole[..length]), Some(LayoutError::Damaged), "{length}");
        }
    }
}
