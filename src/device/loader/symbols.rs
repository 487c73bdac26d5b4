//! The symbols of a shared object.

use std::collections::HashMap;

use super::{LayoutError, Segment};
use crate::device::elf::number;

/// Where the tables of symbols stand.
pub(super) struct Symbols {
    pub strings: usize,
    pub entries: usize,
    /// The table of the ABI, and GNU's; an object has one or both.
    pub hash: Option<usize>,
    pub gnu_hash: Option<usize>,
}

/// What an entry says.
pub(super) enum Symbol {
    /// A name, and the distance from the base.
    Placed(String, u64),
    /// A number that is no place; 0 for a weak symbol that nothing defines.
    Absolute(u64),
    /// A resolver's, which would say where the function is.
    Indirect,
    /// Of another object.
    Undefined(String),
}

/// The size of `Elf64_Sym`.
const ENTRY: usize = 24;

// `st_shndx`.
const NOWHERE: u64 = 0;
const NO_SECTION: u64 = 0xfff1;

// `st_info`: the type in its lower half, the binding in the upper.
const INDIRECT: u64 = 10;
const WEAK: u64 = 2;

impl Symbols {
    /// What segments define, as distances from the base.
    pub(super) fn defined(
        &self,
        bytes: &[u8],
        segments: &[Segment],
    ) -> Result<HashMap<String, usize>, LayoutError> {
        let count = self.count(bytes).ok_or(LayoutError::Damaged)?;
        let mut defined = HashMap::new();
        for index in 1..count {
            match self.symbol(bytes, index).ok_or(LayoutError::Damaged)? {
                Symbol::Placed(name, place) => {
                    let place = place as usize;
                    // What marks an end stands behind the last byte.
                    let holds = |segment: &Segment| {
                        segment.place.contains(&place) || segment.place.end == place
                    };
                    if segments.iter().any(holds) {
                        defined.insert(name, place);
                    }
                }
                Symbol::Indirect => return Err(LayoutError::Indirect),
                Symbol::Absolute(_) | Symbol::Undefined(_) => {}
            }
        }
        Ok(defined)
    }

    pub(super) fn symbol(&self, bytes: &[u8], index: usize) -> Option<Symbol> {
        let at = self.entries.checked_add(index.checked_mul(ENTRY)?)?;
        let field = |offset: usize, length| number(bytes, at.saturating_add(offset), length);
        let (name, info, section) = (field(0, 4)?, field(4, 1)?, field(6, 2)?);
        let value = field(8, 8)?;
        Some(match section {
            NOWHERE if info >> 4 == WEAK => Symbol::Absolute(0),
            NOWHERE => Symbol::Undefined(self.string(bytes, name as usize)?),
            _ if info & 15 == INDIRECT => Symbol::Indirect,
            NO_SECTION => Symbol::Absolute(value),
            _ => Symbol::Placed(self.string(bytes, name as usize)?, value),
        })
    }

    /// A text of the table of strings.
    pub(super) fn string(&self, bytes: &[u8], offset: usize) -> Option<String> {
        let start = self.strings.checked_add(offset)?;
        let text = bytes.get(start..)?.split(|&byte| byte == 0).next()?;
        Some(String::from_utf8_lossy(text).into_owned())
    }

    /// How many there are, which only the hash tables tell.
    fn count(&self, bytes: &[u8]) -> Option<usize> {
        match (self.hash, self.gnu_hash) {
            // Its second number.
            (Some(hash), _) => Some(number(bytes, hash.checked_add(4)?, 4)? as usize),
            (None, Some(hash)) => gnu_count(bytes, hash),
            (None, None) => None,
        }
    }
}

/// One more than the last symbol of the last chain. The table: how many buckets there are, the first
/// symbol that is in one, the length of a filter, a number for it; the filter in units of eight
/// bytes, the first symbol of each bucket, and for each symbol its hash, odd where its chain ends.
fn gnu_count(bytes: &[u8], hash: usize) -> Option<usize> {
    let word = |at: usize| number(bytes, at, 4);
    let field = |index: usize| word(hash.checked_add(4 * index)?);
    let (buckets, first, filter) = (field(0)? as usize, field(1)? as usize, field(2)? as usize);
    let start = hash.checked_add(16)?.checked_add(filter.checked_mul(8)?)?;
    let end = start.checked_add(buckets.checked_mul(4)?)?;
    let starts = bytes.get(start..end)?.chunks_exact(4).filter_map(|entry| number(entry, 0, 4));
    let mut last = starts.max().unwrap_or(0) as usize;
    if last < first {
        return Some(first);
    }
    while word(end.checked_add(4 * (last - first))?)? & 1 == 0 {
        last += 1;
    }
    Some(last + 1)
}
