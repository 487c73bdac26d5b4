//! Shared objects in memory, none of their code run.

use std::collections::HashMap;
use std::io;

use super::image::{Function, ImageError};
use super::memory::{Mapping, page_size};
use super::segments;
use crate::device::loader::{Layout, LayoutError, lay_out, must_be_for};

/// A loaded shared object; dropping it unloads it.
pub(super) struct Library {
    memory: Mapping,
    /// From where in the memory on it stands.
    offset: usize,
    symbols: HashMap<String, usize>,
    constructors: Vec<Function>,
}

impl Library {
    /// Loads the bytes of a complete shared object.
    ///
    /// # Errors
    /// When there is no memory, or the object is not self-contained.
    pub(super) fn load(bytes: &[u8]) -> Result<Self, ImageError> {
        let foreign = |error: LayoutError| ImageError::Load(error.to_string());
        must_be_for(std::env::consts::ARCH, bytes).map_err(foreign)?;
        let mut memory = None;
        let mut offset = 0;
        let layout = lay_out(bytes, page_size(), |length, alignment| {
            let mapping = memory.insert(Mapping::new(
                length.saturating_add(alignment),
                libc::PROT_NONE,
                libc::MAP_PRIVATE | libc::MAP_NORESERVE,
            ));
            let start = mapping.as_ref().map_or(0, |mapping| mapping.start() as usize);
            offset = start.next_multiple_of(alignment) - start;
            (start + offset) as u64
        });
        let layout = layout.map_err(foreign)?;
        let memory = memory.unwrap_or_else(|| Err(io::ErrorKind::InvalidData.into()))?;
        let base = memory.start().wrapping_add(offset);
        // SAFETY: the mapping is as long as the layout from the base on, and nobody else knows of
        // it.
        unsafe { segments::fill(base, &layout)? };
        let Layout { symbols, constructors, .. } = layout;
        let constructors = constructors.into_iter().map(|address| Function::at(address as *mut u8));
        Ok(Self { memory, offset, symbols, constructors: constructors.collect() })
    }

    /// Where a symbol is, in one of the segments.
    pub(super) fn address(&self, symbol: &str) -> Option<*mut u8> {
        let place = self.symbols.get(symbol)?;
        Some(self.memory.start().wrapping_add(self.offset + place))
    }

    /// What is to run before any other function.
    pub(super) fn constructors(&self) -> &[Function] {
        &self.constructors
    }
}
