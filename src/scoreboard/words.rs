//! The flow of control over words that codecs do not know.

use std::sync::Arc;

use crate::codec::{CodeError, Control, FlowReader, FlowStep};
use crate::isa::Isa;

/// A reader of the flow of control that goes over the ISA's own words.
pub struct WordFlow {
    isa: Arc<dyn Isa>,
    base: Box<dyn FlowReader>,
}

impl WordFlow {
    /// Before a reader that does not know them.
    #[must_use]
    pub fn new(isa: Arc<dyn Isa>, base: Box<dyn FlowReader>) -> Self {
        Self { isa, base }
    }
}

impl FlowReader for WordFlow {
    fn step(&self, code: &[u8], address: u64) -> Result<FlowStep, CodeError> {
        if self.isa.is_own_word(code) {
            return Ok(FlowStep { length: size_of::<u32>(), control: Control::Next });
        }
        self.base.step(code, address)
    }
}
