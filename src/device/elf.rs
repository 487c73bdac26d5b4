//! The headers of a shared object, and whether all is there that they promise.

// Offsets in `Elf64_Ehdr`.
const CLASS: usize = 4;
pub(super) const MACHINE: usize = 18;
const HEADERS: usize = 32;
const HEADER_SIZE: usize = 54;
const HEADER_COUNT: usize = 56;

// Offsets in `Elf64_Phdr`.
const KIND: usize = 0;
const FLAGS: usize = 4;
const OFFSET: usize = 8;
const ADDRESS: usize = 16;
const FILE_SIZE: usize = 32;
const MEMORY_SIZE: usize = 40;
const ALIGNMENT: usize = 48;

/// `ELFCLASS64`.
const CLASS_64: u8 = 2;

/// `PT_LOAD`.
const LOAD: u64 = 1;

/// A part of an object, as `Elf64_Phdr` describes it.
#[derive(Debug, Clone, Copy)]
pub(super) struct ProgramHeader {
    /// `p_type`.
    pub kind: u64,
    /// `p_flags`.
    pub flags: u64,
    /// Where it stands in the file.
    pub offset: u64,
    /// Where it stands in memory, from the base on.
    pub address: u64,
    /// Its size in the file.
    pub file_size: u64,
    /// Its size in memory.
    pub memory_size: u64,
    /// What its address, and with it the base, must be a multiple of.
    pub alignment: u64,
}

/// Whether these are 64-bit ELF headers (little-endian, as all our architectures are) and all
/// bytes that they promise to the loader.
pub(super) fn is_complete(image: &[u8]) -> bool {
    let is_there = |header: &ProgramHeader| {
        let end = header.offset.checked_add(header.file_size);
        header.kind != LOAD || end.is_some_and(|end| end <= image.len() as u64)
    };
    program_headers(image).is_some_and(|headers| headers.iter().all(is_there))
}

/// The program headers of a 64-bit object; `None` where they are cut off, or it is none.
pub(super) fn program_headers(image: &[u8]) -> Option<Vec<ProgramHeader>> {
    if !image.starts_with(b"\x7fELF") || image.get(CLASS) != Some(&CLASS_64) {
        return None;
    }
    let headers = number(image, HEADERS, 8)?;
    let size = number(image, HEADER_SIZE, 2)?;
    (0..number(image, HEADER_COUNT, 2)?)
        .map(|index| {
            let start = usize::try_from(headers.checked_add(index * size)?).ok()?;
            let header = image.get(start..)?;
            Some(ProgramHeader {
                kind: number(header, KIND, 4)?,
                flags: number(header, FLAGS, 4)?,
                offset: number(header, OFFSET, 8)?,
                address: number(header, ADDRESS, 8)?,
                file_size: number(header, FILE_SIZE, 8)?,
                memory_size: number(header, MEMORY_SIZE, 8)?,
                alignment: number(header, ALIGNMENT, 8)?,
            })
        })
        .collect()
}

/// A little-endian number of so many bytes.
pub(super) fn number(bytes: &[u8], offset: usize, length: usize) -> Option<u64> {
    let bytes = bytes.get(offset..offset.checked_add(length)?)?;
    Some(bytes.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Headers of an object with one segment of 16 bytes, and its bytes.
    fn object() -> Vec<u8> {
        let mut bytes = vec![0; 64 + 56];
        bytes[..4].copy_from_slice(b"\x7fELF");
        bytes[CLASS] = CLASS_64;
        bytes[HEADERS] = 64;
        bytes[HEADER_SIZE] = 56;
        bytes[HEADER_COUNT] = 1;
        bytes[64 + KIND] = 1;
        bytes[64 + OFFSET] = 120;
        bytes[64 + FILE_SIZE] = 16;
        bytes.extend([7; 16]);
        bytes
    }

    #[test]
    fn only_the_whole_is_complete() {
        let object = object();
        assert!(is_complete(&object));
        for length in 0..object.len() {
            assert!(!is_complete(&object[..length]), "{length}");
        }
    }

    #[test]
    fn nonsense_is_not_an_object() {
        assert!(!is_complete(b"garbage"));
        let mut other = object();
        other[CLASS] = 1;
        assert!(!is_complete(&other));
        let mut far = object();
        far[64 + OFFSET..64 + OFFSET + 8].fill(0xff);
        assert!(!is_complete(&far));
    }
}
