//! A shared object in memory, with a stack and a buffer behind it.

use object::{Object as _, ObjectSegment as _, ObjectSymbol as _};

use crate::artifact::BUFFER;
use crate::device::{DeviceError, Fault};
use crate::isa::amx::{AmxFault, AmxMemory};

/// Where the shared object begins: at zero there is nothing.
const FIRST: u64 = 1 << 20;
/// Bytes of the stack.
const STACK: u64 = 64 << 10;
/// What the parts begin at a multiple of.
const PAGE: u64 = 16 << 10;

/// Memory from an address on.
pub(super) struct EmulatedMemory {
    bytes: Vec<u8>,
    symbols: Vec<(String, u64)>,
    stack: u64,
}

impl EmulatedMemory {
    /// A shared object, and a buffer of so many bytes, whose address stands where kernels look for it.
    pub fn load(object: &[u8], buffer: u64) -> Result<Self, DeviceError> {
        let broken = |error: object::Error| {
            DeviceError::Refused(format!("the shared object is broken: {error}"))
        };
        let file = object::File::parse(object).map_err(broken)?;
        let end = file.segments().map(|segment| segment.address() + segment.size()).max();
        let low = end.unwrap_or(0).next_multiple_of(PAGE);
        let stack = low + STACK;
        let mut bytes = vec![0; (stack + PAGE + buffer) as usize];
        for segment in file.segments() {
            let data = segment.data().map_err(broken)?;
            bytes[segment.address() as usize..][..data.len()].copy_from_slice(data);
        }
        let named = |symbol: object::Symbol<'_, '_>| {
            Some((symbol.name().ok()?.to_owned(), FIRST + symbol.address()))
        };
        let symbols = file.dynamic_symbols().filter_map(named).collect();
        let mut out = Self { bytes, symbols, stack: FIRST + stack };
        if let Ok(cell) = out.address_of(BUFFER) {
            let begin = FIRST + stack + PAGE;
            out.write(cell, &begin.to_le_bytes())
                .map_err(|fault| DeviceError::Refused(fault.to_string()))?;
        }
        Ok(out)
    }

    /// The address of a symbol.
    pub fn address_of(&self, name: &str) -> Result<u64, DeviceError> {
        let found = self.symbols.iter().find(|(own, _)| own == name);
        found.map(|(_, address)| *address).ok_or_else(|| {
            DeviceError::Refused(format!("the shared object has no function {name}"))
        })
    }

    /// Where the stack begins.
    pub fn stack(&self) -> u64 {
        self.stack
    }

    /// Bytes at an address.
    pub fn read<const N: usize>(&self, address: u64) -> Result<[u8; N], Fault> {
        let own = self.place(address).and_then(|at| self.bytes.get(at..at + N));
        own.and_then(|bytes| bytes.try_into().ok()).ok_or(Fault::SegmentationFault)
    }

    /// Writes bytes at an address.
    pub fn write(&mut self, address: u64, bytes: &[u8]) -> Result<(), Fault> {
        let at = self.place(address).ok_or(Fault::SegmentationFault)?;
        let own = self.bytes.get_mut(at..at + bytes.len()).ok_or(Fault::SegmentationFault)?;
        own.copy_from_slice(bytes);
        Ok(())
    }

    fn place(&self, address: u64) -> Option<usize> {
        usize::try_from(address.checked_sub(FIRST)?).ok().filter(|at| *at < self.bytes.len())
    }
}

impl AmxMemory for EmulatedMemory {
    fn load(&mut self, address: u64, bytes: &mut [u8]) -> Result<(), AmxFault> {
        let at = self.place(address).ok_or(AmxFault::Unmapped(address))?;
        let own = self.bytes.get(at..at + bytes.len()).ok_or(AmxFault::Unmapped(address))?;
        bytes.copy_from_slice(own);
        Ok(())
    }

    fn store(&mut self, address: u64, bytes: &[u8]) -> Result<(), AmxFault> {
        self.write(address, bytes).map_err(|_| AmxFault::Unmapped(address))
    }
}
