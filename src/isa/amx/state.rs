//! The unit's state, and what instructions make of it.

use super::compute::Compute;
use super::extract::{CopyBetween, Extract, Extraction};
use super::lanes::{BYTES, RING, Vector};
use super::lookup::{Lookup, LookupTarget};
use super::meaning::Action;
use super::transfer::{Pool, Transfer};
use super::{AmxGeneration, AmxOperation, AmxWord, Meaning};

/// Why an instruction faults.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum AmxFault {
    /// Anything but `set` before `set`.
    #[error("the unit is off: an illegal instruction before set")]
    Off,
    /// `set` twice.
    #[error("the unit is on already: set is an illegal instruction")]
    On,
    /// The address is not a multiple of what the access needs.
    #[error("address {address:#x} is no multiple of {needed}")]
    Misaligned {
        /// The address.
        address: u64,
        /// Bytes.
        needed: u64,
    },
    /// There is no memory.
    #[error("no memory at address {0:#x}")]
    Unmapped(u64),
}

/// Memory that loads and stores reach.
pub trait AmxMemory {
    /// Reads some bytes.
    ///
    /// # Errors
    /// When there is no memory at the address.
    fn load(&mut self, address: u64, bytes: &mut [u8]) -> Result<(), AmxFault>;

    /// Writes some bytes.
    ///
    /// # Errors
    /// When there is no memory at the address.
    fn store(&mut self, address: u64, bytes: &[u8]) -> Result<(), AmxFault>;
}

/// Bytes from address 0 on.
impl AmxMemory for Vec<u8> {
    fn load(&mut self, address: u64, bytes: &mut [u8]) -> Result<(), AmxFault> {
        let own =
            usize::try_from(address).ok().and_then(|first| self.get(first..)?.get(..bytes.len()));
        bytes.copy_from_slice(own.ok_or(AmxFault::Unmapped(address))?);
        Ok(())
    }

    fn store(&mut self, address: u64, bytes: &[u8]) -> Result<(), AmxFault> {
        let first = usize::try_from(address).map_err(|_| AmxFault::Unmapped(address))?;
        let own = self.get_mut(first..).and_then(|rest| rest.get_mut(..bytes.len()));
        own.ok_or(AmxFault::Unmapped(address))?.copy_from_slice(bytes);
        Ok(())
    }
}

/// The registers of one thread's unit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AmxState {
    /// The chip it is in.
    pub generation: AmxGeneration,
    /// Whether it is on.
    pub is_on: bool,
    /// Eight registers, one behind the other.
    pub x: [u8; RING],
    /// Eight registers, one behind the other.
    pub y: [u8; RING],
    /// Rows.
    pub z: [Vector; BYTES],
}

impl AmxState {
    /// A unit that is off, with zeros in all registers.
    #[must_use]
    pub fn new(generation: AmxGeneration) -> Self {
        Self { generation, is_on: false, x: [0; RING], y: [0; RING], z: [[0; BYTES]; BYTES] }
    }

    /// Executes an instruction whose register holds an operand.
    ///
    /// # Errors
    /// When the instruction faults; the state is then as it was.
    pub fn execute(
        &mut self,
        word: AmxWord,
        operand: u64,
        memory: &mut dyn AmxMemory,
    ) -> Result<(), AmxFault> {
        match (word.operation, self.is_on) {
            (AmxOperation::Set, is_on) => return self.switch(word == AmxWord::SET, is_on),
            (_, false) => return Err(AmxFault::Off),
            _ => {}
        }
        match Meaning::of(word.operation, operand, self.generation).0 {
            Action::Nothing | Action::Switch => {}
            Action::Transfer(transfer) => self.transfer(&transfer, memory)?,
            Action::Compute(compute) => self.compute(&compute),
            Action::Extraction(Extraction::Z(extract)) => self.extract(&extract),
            Action::Extraction(Extraction::Between(copy)) => self.copy(copy),
            Action::Lookup(lookup) => self.look_up(&lookup),
        }
        Ok(())
    }

    fn switch(&mut self, to_on: bool, is_on: bool) -> Result<(), AmxFault> {
        match (to_on, is_on) {
            (true, true) => Err(AmxFault::On),
            (false, false) => Err(AmxFault::Off),
            _ => {
                *self = Self { is_on: to_on, ..Self::new(self.generation) };
                Ok(())
            }
        }
    }

    fn transfer(
        &mut self,
        transfer: &Transfer,
        memory: &mut dyn AmxMemory,
    ) -> Result<(), AmxFault> {
        let (address, needed) = (transfer.address, transfer.alignment());
        if !address.is_multiple_of(needed) {
            return Err(AmxFault::Misaligned { address, needed });
        }
        let mut bytes = vec![0; transfer.bytes()];
        if transfer.is_store {
            self.places(transfer).zip(&mut bytes).for_each(|(own, byte)| *byte = *own);
            return memory.store(address, &bytes);
        }
        memory.load(address, &mut bytes)?;
        self.places(transfer).zip(bytes).for_each(|(own, byte)| *own = byte);
        Ok(())
    }

    /// The bytes of the registers of a transfer, in the order of memory.
    fn places(&mut self, transfer: &Transfer) -> Box<dyn Iterator<Item = &mut u8> + '_> {
        let ordered: Vec<usize> = match transfer.pool {
            Pool::Halves => transfer
                .halves()
                .flat_map(|(row, byte)| (0..4).map(move |at| row * BYTES + byte + at))
                .collect(),
            _ => transfer
                .registers
                .iter()
                .flat_map(|register| (0..BYTES).map(move |at| register * BYTES + at))
                .collect(),
        };
        let all: &mut [u8] = match transfer.pool {
            Pool::X => &mut self.x,
            Pool::Y => &mut self.y,
            Pool::Z | Pool::Halves => self.z.as_flattened_mut(),
        };
        let mut slots: Vec<Option<&mut u8>> = all.iter_mut().map(Some).collect();
        Box::new(ordered.into_iter().filter_map(move |at| slots[at].take()))
    }

    fn compute(&mut self, compute: &Compute) {
        let vectors: Vec<(Vector, Vector)> = (0..compute.vectors())
            .map(|number| (compute.x.vector(&self.x, number), compute.y.vector(&self.y, number)))
            .collect();
        let bytes = compute.z.bytes();
        for cell in compute.cells() {
            let (x, y) = &vectors[cell.vector];
            let old = &self.z[cell.row][cell.byte..];
            let value = compute.value(&x[cell.x..], &y[cell.y..], old);
            self.z[cell.row][cell.byte..][..bytes].copy_from_slice(&value.to_le_bytes()[..bytes]);
        }
    }

    fn extract(&mut self, extract: &Extract) {
        let vectors: Vec<Vector> =
            (0..extract.vectors()).map(|number| extract.vector(&self.z, number)).collect();
        let ring = if extract.to_y { &mut self.y } else { &mut self.x };
        for (number, vector) in vectors.iter().enumerate() {
            for at in (0..BYTES).filter(|&at| extract.enabled.has(at)) {
                ring[(extract.offset + number * BYTES + at) % RING] = vector[at];
            }
        }
    }

    fn copy(&mut self, copy: CopyBetween) {
        let (source, target) =
            if copy.to_y { (&self.x, &mut self.y) } else { (&self.y, &mut self.x) };
        let bytes = &source[copy.source * BYTES..][..BYTES];
        target[copy.target * BYTES..][..BYTES].copy_from_slice(bytes);
    }

    fn look_up(&mut self, lookup: &Lookup) {
        let ring = |is_y: bool| if is_y { &self.y } else { &self.x };
        let source: Vector =
            std::array::from_fn(|at| ring(lookup.from_y)[(lookup.offset + at) % RING]);
        let table: Vector =
            std::array::from_fn(|at| ring(lookup.table_is_y)[lookup.table * BYTES + at]);
        let result = lookup.result(&source, &table);
        match lookup.target {
            LookupTarget::X(register) => {
                self.x[register * BYTES..][..BYTES].copy_from_slice(&result)
            }
            LookupTarget::Y(register) => {
                self.y[register * BYTES..][..BYTES].copy_from_slice(&result)
            }
            LookupTarget::Z(row) => self.z[row] = result,
        }
    }
}
