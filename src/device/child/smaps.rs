//! How much of a mapping lies in huge pages, as `/proc/self/smaps` says: read in children, so nothing is
//! allocated. Source: `Documentation/filesystems/proc.rst` of Linux.

/// Lines of mappings are longer only where they end in the name of a file.
const LINE: usize = 128;

/// The counts of bytes in huge pages: transparent ones, and those that were set aside.
const COUNTS: [&[u8]; 3] = [b"AnonHugePages:", b"Private_Hugetlb:", b"Shared_Hugetlb:"];

/// How many bytes of the mapping that begins at an address lie in huge pages; `None` where the system
/// does not say.
pub(super) fn huge_bytes(start: u64) -> Option<u64> {
    // SAFETY: the path ends in a zero.
    let file = unsafe { libc::open(c"/proc/self/smaps".as_ptr(), libc::O_RDONLY) };
    if file < 0 {
        return None;
    }
    let mut smaps = Smaps::of(start);
    let mut read = [0; 4096];
    loop {
        // SAFETY: the array is our own and as long as is said.
        let length = unsafe { libc::read(file, read.as_mut_ptr().cast(), read.len()) };
        let Some(part @ [_, ..]) = usize::try_from(length).ok().and_then(|end| read.get(..end))
        else {
            break;
        };
        part.iter().for_each(|&byte| smaps.hear(byte));
    }
    // SAFETY: it was opened above.
    unsafe { libc::close(file) };
    smaps.huge
}

/// A reader of the file, byte by byte.
struct Smaps {
    /// Where the mapping begins.
    start: u64,
    /// Whether the lines are about it.
    is_within: bool,
    line: [u8; LINE],
    length: usize,
    huge: Option<u64>,
}

impl Smaps {
    fn of(start: u64) -> Self {
        Self { start, is_within: false, line: [0; LINE], length: 0, huge: None }
    }

    fn hear(&mut self, byte: u8) {
        if byte == b'\n' {
            self.end_line();
            self.length = 0;
        } else if let Some(place) = self.line.get_mut(self.length) {
            *place = byte;
            self.length += 1;
        }
    }

    fn end_line(&mut self) {
        let line = self.line.get(..self.length).unwrap_or_default();
        if let Some(begin) = mapping_start(line) {
            self.is_within = begin == self.start;
            return;
        }
        let count = COUNTS.iter().find_map(|count| line.strip_prefix(*count));
        if let Some(kilobytes) = count.filter(|_| self.is_within).and_then(number) {
            self.huge = Some(self.huge.unwrap_or(0).saturating_add(kilobytes.saturating_mul(1024)));
        }
    }
}

/// Where the mapping of a line like `7f0000000000-7f0000200000 rw-p ...` begins.
fn mapping_start(line: &[u8]) -> Option<u64> {
    let mut start: Option<u64> = None;
    for &byte in line {
        let Some(digit) = char::from(byte).to_digit(16) else {
            return start.filter(|_| byte == b'-');
        };
        start = Some(start.unwrap_or(0) << 4 | u64::from(digit));
    }
    None
}

/// The first decimal number of a text.
fn number(text: &[u8]) -> Option<u64> {
    let mut found: Option<u64> = None;
    for &byte in text {
        match (char::from(byte).to_digit(10), found) {
            (Some(digit), _) => {
                found = Some(found.unwrap_or(0).saturating_mul(10).saturating_add(digit.into()));
            }
            (None, Some(_)) => break,
            (None, None) => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\
        55d0c0000000-55d0c0021000 rw-p 00000000 00:00 0                          [heap]\n\
        AnonHugePages:      2048 kB\n\
        7f8a00000000-7f8a00400000 rw-p 00000000 00:00 0 \n\
        Size:               4096 kB\n\
        AnonHugePages:      2048 kB\n\
        Shared_Hugetlb:        0 kB\n\
        Private_Hugetlb:    4096 kB\n\
        VmFlags: rd wr mr mw me ac sd hg \n\
        7f8a00400000-7f8a00600000 ---p 00000000 00:00 0 \n\
        AnonHugePages:         4 kB\n";

    fn huge(text: &str, start: u64) -> Option<u64> {
        let mut smaps = Smaps::of(start);
        text.bytes().for_each(|byte| smaps.hear(byte));
        smaps.huge
    }

    #[test]
    fn the_counts_of_one_mapping_are_added() {
        assert_eq!(huge(TEXT, 0x7f8a_0000_0000), Some(6144 << 10));
        assert_eq!(huge(TEXT, 0x7f8a_0040_0000), Some(4096));
        assert_eq!(huge(TEXT, 0x7f8a_0020_0000), None);
        assert_eq!(huge("", 0), None);
    }

    #[test]
    fn no_text_of_the_system_is_too_long() {
        let long = format!("7f8a00000000-7f8a00400000 r--p {}\n{TEXT}", "x".repeat(5000));
        assert_eq!(huge(&long, 0x55d0_c000_0000), Some(2 << 20));
    }
}
