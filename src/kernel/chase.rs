//! Loads at places of a buffer that look random, each of which waits for the one before: what a load takes
//! where it finds its data.

use serde::{Deserialize, Serialize};

use super::draft::Draft;
use super::{KernelError, Slot, form_of, walked_operand};
use crate::form::AddressPart;
use crate::isa::{BufferChase, BufferPath};
use crate::metadata::OpcodeId;

/// Steps in a body: an odd number. Each load of a body sees the places of a generator with this power of the
/// factor, and the more twos divide the exponent, the nearer is that to one: places in steps of one length, which
/// caches fetch before they are asked for (with 16 loads of a Zen 5 took 7 cycles where 15 take 13).
const STEPS: u32 = 15;

/// A chase through a working set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ChaseBody {
    /// The form that loads.
    pub load: OpcodeId,
    /// The binary logarithm of the working set's bytes.
    pub log_bytes: u32,
    /// Whether it loads; if not, all that stands around loads is left.
    pub loads: bool,
}

impl ChaseBody {
    /// Bytes of the working set.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        1u64.checked_shl(self.log_bytes).unwrap_or(u64::MAX)
    }

    /// Chooses the registers and writes the steps down. A kernel's instances are steps.
    pub(super) fn write(&self, draft: &mut Draft<'_>) -> Result<(), KernelError> {
        let catalogue = draft.catalogue;
        let form = form_of(catalogue, self.load)?;
        draft.take_unnamed(&[form])?;
        let no_walk = || KernelError::NoWalk(form.name.clone());
        let data = walked_operand(catalogue, form).ok_or_else(no_walk)?;
        let base = form.operand_of(AddressPart::Base).ok_or_else(no_walk)?;
        let bytes = self.bytes();
        if !(u64::from(BufferChase::LINE)..=BufferChase::MOST).contains(&bytes) {
            return Err(KernelError::NoChase(bytes));
        }
        let mut taken = |operand| draft.taken.take_one(catalogue, form, operand);
        let chase = BufferChase {
            base: taken(base)?,
            place: taken(data)?,
            found: taken(base)?,
            factor: taken(data)?,
            mask: taken(data)?,
            bytes,
            loads: self.loads,
        };
        draft.body.extend((0..STEPS).map(|_| Slot::Advance));
        draft.instances = STEPS;
        draft.walk = Some(BufferPath::Chase(chase));
        Ok(())
    }
}
