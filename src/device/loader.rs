//! Shared objects laid out as a loader would, none of their code run: what runs when a loader opens
//! an object (constructors, resolvers of indirect functions) is code like any other, and belongs in
//! a child. Source: System V ABI, chapters 4 and 5, with the supplements for x86-64, AArch64 and
//! RISC-V.
//!
//! An artifact needs little of it: nothing is imported from elsewhere. What an object may have that
//! is not done here is refused by its name.

mod symbols;

use std::collections::HashMap;
use std::ops::Range;

use super::elf::{self, number};
use symbols::{Symbol, Symbols};

/// An image as it is to stand in memory from its base on.
pub(super) struct Layout {
    /// Contents, all relocations done.
    pub bytes: Vec<u8>,
    /// Where its segments lie, in order; no two share a page.
    pub segments: Vec<Segment>,
    /// What its segments define, by name, as distances from its base.
    pub symbols: HashMap<String, usize>,
    /// Addresses of the functions that are to run before all others, in order.
    pub constructors: Vec<u64>,
}

/// A part of an image with one protection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Segment {
    /// Distances from the base.
    pub place: Range<usize>,
    /// How many of its bytes stand in the file; zeros follow.
    pub filled: usize,
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
    /// Its segments are not one behind the other.
    #[error("its segments overlap")]
    Overlap,
    /// It asks for more memory than a kernel may have.
    #[error("it takes {0} bytes of memory, more than {LONGEST}")]
    Large(u64),
    /// It needs what is not in it.
    #[error("it needs a symbol `{0}`, which it does not define")]
    Undefined(String),
    /// It needs what is in another object.
    #[error("it needs the library `{0}`: link what it needs into it")]
    Library(String),
    /// A relocation that no artifact has.
    #[error("it has a relocation of type {0}")]
    Relocation(u64),
    /// A function whose address a resolver says.
    #[error("it has an indirect function (IFUNC): call one of the functions it stands for")]
    Indirect,
    /// Memory that each thread has for itself.
    #[error("it has thread-local storage (.tdata, .tbss): put the data into .data or .bss")]
    ThreadLocal,
    /// A table that shared objects do not have, or that is not read here.
    #[error("it has {0}")]
    Table(&'static str),
    /// It is code of another architecture.
    #[error("it is code of another architecture (machine {0} of ELF)")]
    Machine(u64),
}

/// The types of an architecture's relocations.
struct Relocations {
    /// The architecture, as Rust names it.
    architecture: &'static str,
    /// `e_machine`.
    machine: u64,
    /// The base and an addend.
    relative: u64,
    /// The address of a symbol and an addend.
    of_symbols: &'static [u64],
    /// What a resolver answers.
    indirect: u64,
    /// Places in thread-local storage.
    thread_local: &'static [u64],
}

const RELOCATIONS: [Relocations; 3] = [
    Relocations {
        architecture: "x86_64",
        machine: 62,
        relative: 8,
        of_symbols: &[1, 6, 7],
        indirect: 37,
        thread_local: &[16, 17, 18, 36],
    },
    Relocations {
        architecture: "aarch64",
        machine: 183,
        relative: 1027,
        of_symbols: &[257, 1025, 1026],
        indirect: 1032,
        thread_local: &[1028, 1029, 1030, 1031],
    },
    Relocations {
        architecture: "riscv64",
        machine: 243,
        relative: 3,
        of_symbols: &[2, 5],
        indirect: 58,
        thread_local: &[6, 7, 8, 9, 10, 11, 12],
    },
];

/// The type of a relocation that asks for nothing, on every architecture.
const NO_RELOCATION: u64 = 0;

// `p_type`.
const LOAD: u64 = 1;
const DYNAMIC: u64 = 2;
const THREAD_LOCAL: u64 = 7;

// `p_flags`.
const EXECUTE: u64 = 1;
const WRITE: u64 = 2;

// `d_tag`.
const NEEDED: u64 = 1;
const JUMP_SIZE: u64 = 2;
const HASH: u64 = 4;
const STRINGS: u64 = 5;
const SYMBOLS: u64 = 6;
const RELOCATED: u64 = 7;
const RELOCATED_SIZE: u64 = 8;
const INIT: u64 = 12;
const JUMPS: u64 = 23;
const INIT_ARRAY: u64 = 25;
const INIT_ARRAY_SIZE: u64 = 27;
const GNU_HASH: u64 = 0x6fff_fef5;

/// Tables (`d_tag`) that are refused. Those of destructors (`DT_FINI`, `DT_FINI_ARRAY`) are not: a
/// child ends without running them.
const REFUSED: [(u64, &str); 3] = [
    (17, "relocations without addends (DT_REL)"),
    (32, "functions to run before a program's own (.preinit_array), which only programs have"),
    (36, "packed relocations (DT_RELR): link it without -z pack-relative-relocs"),
];

/// Sizes of `Elf64_Dyn` and `Elf64_Rela`, and of an address.
const ENTRY: usize = 16;
const RELOCATION: usize = 24;
const ADDRESS: usize = 8;

/// No image takes more memory, in bytes.
const LONGEST: u64 = 1 << 30;

/// Whether an image is code of an architecture, by Rust's name for that: of another one its bytes
/// would be taken for instructions that nobody wrote.
///
/// # Errors
/// When it is not.
pub(super) fn must_be_for(architecture: &str, image: &[u8]) -> Result<(), LayoutError> {
    let machine = number(image, elf::MACHINE, 2).ok_or(LayoutError::Damaged)?;
    let row = RELOCATIONS.iter().find(|row| row.machine == machine);
    let is_for = row.is_some_and(|row| row.architecture == architecture);
    if is_for { Ok(()) } else { Err(LayoutError::Machine(machine)) }
}

/// Lays out an image for the base that `place` gives it when told how long it is and what its base
/// must be a multiple of. `page` is how many bytes a page has.
///
/// # Errors
/// When it is not all there, or not self-contained.
pub(super) fn lay_out(
    image: &[u8],
    page: usize,
    place: impl FnOnce(usize, usize) -> u64,
) -> Result<Layout, LayoutError> {
    let headers = elf::program_headers(image).ok_or(LayoutError::Damaged)?;
    if headers.iter().any(|header| header.kind == THREAD_LOCAL) {
        return Err(LayoutError::ThreadLocal);
    }
    let loaded: Vec<_> = headers.iter().filter(|header| header.kind == LOAD).collect();
    let segments = segments(&loaded, page)?;
    let mut bytes = vec![0; segments.last().map_or(0, |segment| segment.place.end)];
    for (header, segment) in loaded.iter().zip(&segments) {
        let source = image.get(range(header.offset, header.file_size));
        bytes[segment.place.start..][..segment.filled]
            .copy_from_slice(source.ok_or(LayoutError::Damaged)?);
    }
    let dynamic = headers.iter().find(|header| header.kind == DYNAMIC);
    let dynamic = dynamic.ok_or(LayoutError::Damaged)?.address as usize;
    let tables = Tables::read(&bytes, dynamic)?;
    let symbols = tables.symbols.defined(&bytes, &segments)?;
    let machine = number(image, elf::MACHINE, 2).unwrap_or_default();
    let base = place(bytes.len(), alignment(&loaded, page)?);
    tables.relocate(&mut bytes, &segments, machine, base)?;
    let constructors = tables.constructors(&bytes, base)?;
    Ok(Layout { bytes, segments, symbols, constructors })
}

fn segments(loaded: &[&elf::ProgramHeader], page: usize) -> Result<Vec<Segment>, LayoutError> {
    let mut segments: Vec<Segment> = Vec::new();
    for header in loaded {
        let end = header.address.checked_add(header.memory_size).ok_or(LayoutError::Damaged)?;
        if end > LONGEST {
            return Err(LayoutError::Large(end));
        }
        if header.file_size > header.memory_size {
            return Err(LayoutError::Damaged);
        }
        let place = header.address as usize..end as usize;
        let free = segments.last().map_or(0, |last| last.place.end.next_multiple_of(page));
        if place.start & !(page - 1) < free {
            return Err(LayoutError::Overlap);
        }
        segments.push(Segment {
            place,
            filled: header.file_size as usize,
            write: header.flags & WRITE != 0,
            execute: header.flags & EXECUTE != 0,
        });
    }
    Ok(segments)
}

/// What the base must be a multiple of.
fn alignment(loaded: &[&elf::ProgramHeader], page: usize) -> Result<usize, LayoutError> {
    let widest = loaded.iter().map(|header| header.alignment).fold(page as u64, u64::max);
    let is_possible = widest.is_power_of_two() && widest <= LONGEST;
    is_possible.then_some(widest as usize).ok_or(LayoutError::Damaged)
}

fn range(start: u64, length: u64) -> Range<usize> {
    start as usize..start.saturating_add(length) as usize
}

/// What the dynamic section says.
struct Tables {
    symbols: Symbols,
    /// Tables of relocations and their sizes.
    relocations: [(usize, usize); 2],
    /// One function that runs before all others, and a table of more with its size.
    init: Option<usize>,
    init_array: (usize, usize),
}

impl Tables {
    fn read(bytes: &[u8], dynamic: usize) -> Result<Self, LayoutError> {
        let mut values: HashMap<u64, usize> = HashMap::new();
        for at in (dynamic..).step_by(ENTRY) {
            let field = |at| number(bytes, at, 8).ok_or(LayoutError::Damaged);
            let tag = field(at)?;
            if tag == 0 {
                break;
            }
            values.insert(tag, field(at.saturating_add(8))? as usize);
        }
        let value = |tag| values.get(&tag).copied();
        let table = |start, size| (value(start).unwrap_or(0), value(size).unwrap_or(0));
        let symbols = Symbols {
            strings: value(STRINGS).ok_or(LayoutError::Damaged)?,
            entries: value(SYMBOLS).ok_or(LayoutError::Damaged)?,
            hash: value(HASH),
            gnu_hash: value(GNU_HASH),
        };
        if let Some(name) = value(NEEDED) {
            let name = symbols.string(bytes, name).ok_or(LayoutError::Damaged)?;
            return Err(LayoutError::Library(name));
        }
        if let Some((_, words)) = REFUSED.iter().find(|(tag, _)| values.contains_key(tag)) {
            return Err(LayoutError::Table(words));
        }
        Ok(Self {
            symbols,
            relocations: [table(RELOCATED, RELOCATED_SIZE), table(JUMPS, JUMP_SIZE)],
            init: value(INIT),
            init_array: table(INIT_ARRAY, INIT_ARRAY_SIZE),
        })
    }

    fn relocate(
        &self,
        bytes: &mut [u8],
        segments: &[Segment],
        machine: u64,
        base: u64,
    ) -> Result<(), LayoutError> {
        let row = RELOCATIONS.iter().find(|row| row.machine == machine);
        let row = row.ok_or(LayoutError::Machine(machine))?;
        for (start, size) in self.relocations {
            for index in 0..size / RELOCATION {
                let at = start.saturating_add(index * RELOCATION);
                let field = |offset| {
                    number(bytes, at.saturating_add(offset), 8).ok_or(LayoutError::Damaged)
                };
                let (place, kind, addend) = (field(0)?, field(8)?, field(16)?);
                let (symbol, kind) = ((kind >> 32) as usize, kind & u64::from(u32::MAX));
                if kind == NO_RELOCATION {
                    continue;
                }
                let value = self.value(bytes, row, kind, symbol, base)?.wrapping_add(addend);
                let place = range(place, ADDRESS as u64);
                let stands_in = |segment: &&Segment| {
                    let start = segment.place.start;
                    place.start >= start && place.end <= start + segment.filled
                };
                segments.iter().find(stands_in).ok_or(LayoutError::Damaged)?;
                bytes[place].copy_from_slice(&value.to_le_bytes());
            }
        }
        Ok(())
    }

    /// What a relocation of this type adds its addend to.
    fn value(
        &self,
        bytes: &[u8],
        row: &Relocations,
        kind: u64,
        symbol: usize,
        base: u64,
    ) -> Result<u64, LayoutError> {
        if kind == row.relative {
            return Ok(base);
        }
        if kind == row.indirect {
            return Err(LayoutError::Indirect);
        }
        if row.thread_local.contains(&kind) {
            return Err(LayoutError::ThreadLocal);
        }
        if !row.of_symbols.contains(&kind) {
            return Err(LayoutError::Relocation(kind));
        }
        match self.symbols.symbol(bytes, symbol).ok_or(LayoutError::Damaged)? {
            Symbol::Placed(_, place) => Ok(base.wrapping_add(place)),
            Symbol::Absolute(value) => Ok(value),
            Symbol::Indirect => Err(LayoutError::Indirect),
            Symbol::Undefined(name) => Err(LayoutError::Undefined(name)),
        }
    }

    /// After relocating.
    fn constructors(&self, bytes: &[u8], base: u64) -> Result<Vec<u64>, LayoutError> {
        let (start, size) = self.init_array;
        let table = bytes.get(range(start as u64, size as u64)).ok_or(LayoutError::Damaged)?;
        let first = self.init.map(|init| base.wrapping_add(init as u64));
        let others = table.chunks_exact(ADDRESS).map(|entry| number(entry, 0, ADDRESS));
        Ok(first.into_iter().chain(others.flatten()).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BASE: u64 = 0x7000_0000;
    const PAGE: usize = 0x1000;
    const SYMBOL_SIZE: usize = 24;

    /// Puts numbers of eight bytes down from a place on.
    fn put(bytes: &mut [u8], at: usize, numbers: &[u64]) {
        for (index, number) in numbers.iter().enumerate() {
            bytes[at + 8 * index..][..8].copy_from_slice(&number.to_le_bytes());
        }
    }

    /// An AArch64 object that defines `cell` at 0x300, with relocations of these types there and
    /// behind it; the second refers to symbol `which`.
    /// What both leave are constructors, beside one at 0x340.
    fn object(kinds: [u64; 2], which: u64) -> Vec<u8> {
        let mut bytes = vec![0; 0x400];
        bytes[..4].copy_from_slice(b"\x7fELF");
        bytes[4] = 2;
        bytes[elf::MACHINE] = 183;
        bytes[32] = 64;
        bytes[54] = 56;
        bytes[56] = 2;
        put(&mut bytes, 64, &[LOAD | WRITE << 32, 0, 0, 0, 0x400, 0x1000, 0x10_000]);
        put(&mut bytes, 120, &[DYNAMIC, 0x100, 0x100, 0, 0x60, 0x60, 0]);
        let entries = [
            (STRINGS, 0x200),
            (SYMBOLS, 0x210),
            (HASH, 0x208),
            (RELOCATED, 0x280),
            (RELOCATED_SIZE, 0x30),
            (INIT, 0x340),
            (INIT_ARRAY, 0x300),
            (INIT_ARRAY_SIZE, 0x10),
        ];
        for (index, (tag, value)) in entries.into_iter().enumerate() {
            put(&mut bytes, 0x100 + index * ENTRY, &[tag, value]);
        }
        bytes[0x201..0x206].copy_from_slice(b"cell\0");
        put(&mut bytes, 0x208, &[3 << 32]);
        // In section 1; the third symbol is nowhere.
        put(&mut bytes, 0x210 + SYMBOL_SIZE, &[1 | 1 << 48, 0x300, 8, 1, 0, 0]);
        put(&mut bytes, 0x280, &[0x300, kinds[0], 0x20]);
        put(&mut bytes, 0x280 + RELOCATION, &[0x308, which << 32 | kinds[1], 4]);
        bytes
    }

    #[test]
    fn everything_gets_its_place() {
        let layout = lay_out(&object([1027, 257], 1), PAGE, |length, alignment| {
            assert_eq!((length, alignment), (0x1000, 0x10_000));
            BASE
        });
        let layout = layout.unwrap();
        assert_eq!(layout.symbols.get("cell"), Some(&0x300));
        assert_eq!(layout.symbols.len(), 1);
        assert_eq!(number(&layout.bytes, 0x300, 8), Some(BASE + 0x20));
        assert_eq!(number(&layout.bytes, 0x308, 8), Some(BASE + 0x304));
        let whole = Segment { place: 0..0x1000, filled: 0x400, write: true, execute: false };
        assert_eq!(layout.segments, [whole]);
        assert_eq!(layout.constructors, [BASE + 0x340, BASE + 0x20, BASE + 0x304]);
    }

    #[test]
    fn an_image_is_for_one_architecture() {
        // (The object is AArch64's.)
        let object = object([1027, 257], 1);
        assert_eq!(must_be_for("aarch64", &object), Ok(()));
        assert_eq!(must_be_for("riscv64", &object), Err(LayoutError::Machine(183)));
        assert_eq!(must_be_for("aarch64", &object[..17]), Err(LayoutError::Damaged));
    }

    fn reason(object: &[u8]) -> Option<LayoutError> {
        lay_out(object, PAGE, |_, _| BASE).err()
    }

    #[test]
    fn what_cannot_be_done_is_said() {
        assert_eq!(reason(&object([1027, 257], 2)), Some(LayoutError::Undefined("cell".into())));
        assert_eq!(reason(&object([1027, 9], 1)), Some(LayoutError::Relocation(9)));
        assert_eq!(reason(&object([1032, 257], 1)), Some(LayoutError::Indirect));
        assert_eq!(reason(&object([1030, 257], 1)), Some(LayoutError::ThreadLocal));
        let mut foreign = object([1027, 257], 1);
        foreign[elf::MACHINE] = 8;
        assert_eq!(reason(&foreign), Some(LayoutError::Machine(8)));
        let whole = object([1027, 257], 1);
        for length in 0..whole.len() {
            assert_eq!(reason(&whole[..length]), Some(LayoutError::Damaged), "{length}");
        }
    }

    /// The object with some numbers of eight bytes changed.
    fn changed(changes: &[(usize, u64)]) -> Option<LayoutError> {
        let mut object = object([1027, 257], 1);
        changes.iter().for_each(|&(at, number)| put(&mut object, at, &[number]));
        reason(&object)
    }

    #[test]
    fn headers_and_tables_may_lie() {
        // The place of a relocation, behind what is in the file and behind all.
        for place in [0x3f9, 0x400, 0x1000, u64::MAX] {
            assert_eq!(changed(&[(0x280, place)]), Some(LayoutError::Damaged), "{place:#x}");
        }
        // More memory than there is, less than the file has, a base that cannot be.
        assert_eq!(changed(&[(104, 1 << 40)]), Some(LayoutError::Large(1 << 40)));
        assert_eq!(changed(&[(104, 0x3ff)]), Some(LayoutError::Damaged));
        assert_eq!(changed(&[(112, 0x3000)]), Some(LayoutError::Damaged));
        // A second segment in a page of the first, and before it.
        let segment = |at, address| [(at, LOAD), (at + 16, address), (at + 40, 0x60)];
        assert_eq!(changed(&segment(120, 0xff8)), Some(LayoutError::Overlap));
        // Another entry of the dynamic section in the place of the first constructor's.
        let (init, init_array_size) = (0x100 + 5 * ENTRY, 0x108 + 7 * ENTRY);
        for (tag, _) in REFUSED {
            assert!(matches!(changed(&[(init, tag)]), Some(LayoutError::Table(_))), "{tag}");
        }
        let needed = changed(&[(init, NEEDED), (init + 8, 1)]);
        assert_eq!(needed, Some(LayoutError::Library("cell".into())));
        assert_eq!(changed(&[(120, THREAD_LOCAL)]), Some(LayoutError::ThreadLocal));
        assert_eq!(changed(&[(init_array_size, 1 << 40)]), Some(LayoutError::Damaged));
    }

    #[test]
    fn only_what_lies_in_a_segment_is_a_symbol() {
        let symbol = 0x210 + SYMBOL_SIZE;
        let symbols = |info: u64, section: u64, value| {
            let mut object = object([1027, 1027], 1);
            put(&mut object, symbol, &[1 | info << 32 | section << 48, value]);
            lay_out(&object, PAGE, |_, _| BASE).map(|layout| layout.symbols.len())
        };
        assert_eq!(symbols(0, 1, 0x1000), Ok(1));
        assert_eq!(symbols(0, 1, 0x1001), Ok(0));
        assert_eq!(symbols(0, 0xfff1, 0x300), Ok(0));
        assert_eq!(symbols(10, 1, 0x300), Err(LayoutError::Indirect));
    }
}
