//! Whether a shared object is all there. The loader maps what the headers promise and dies
//! with a bus error where the file is shorter.

// Offsets in `Elf64_Ehdr`.
const CLASS: usize = 4;
const HEADERS: usize = 32;
const HEADER_SIZE: usize = 54;
const HEADER_COUNT: usize = 56;

// Offsets in `Elf64_Phdr`.
const KIND: usize = 0;
const OFFSET: usize = 8;
const FILE_SIZE: usize = 32;

/// `ELFCLASS64`.
const CLASS_64: u8 = 2;

/// `PT_LOAD`.
const LOAD: u64 = 1;

/// Whether these are 64-bit ELF headers (little-endian, as all our architectures are) and all
/// bytes that they promise to the loader.
pub(super) fn is_complete(image: &[u8]) -> bool {
    image.starts_with(b"\x7fELF")
        && image.get(CLASS) == Some(&CLASS_64)
        && segments_are_complete(image) == Some(true)
}

/// `None` where the headers themselves are cut off.
fn segments_are_complete(image: &[u8]) -> Option<bool> {
    let headers = number(image, HEADERS, 8)?;
    let size = number(image, HEADER_SIZE, 2)?;
    for index in 0..number(image, HEADER_COUNT, 2)? {
        let header = usize::try_from(headers.checked_add(index * size)?).ok()?;
        let header = image.get(header..)?;
        let end = number(header, OFFSET, 8)?.checked_add(number(header, FILE_SIZE, 8)?)?;
        if number(header, KIND, 4)? == LOAD && end > image.len() as u64 {
            return Some(false);
        }
    }
    Some(true)
}

/// A little-endian number of so many bytes.
fn number(bytes: &[u8], offset: usize, length: usize) -> Option<u64> {
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
