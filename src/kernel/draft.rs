//! A kernel in the making: its loop, the registers that are spoken for, what they hold, the body.

use super::allocation::Taken;
use super::{Kernel, KernelError, Slot, ValueClass};
use crate::catalogue::Catalogue;
use crate::form::{InstructionForm, MemoryAccess, Site, Value};
use crate::isa::{BufferPath, LoopControl};
use crate::metadata::{Instruction, RegisterId};

/// One attempt at a kernel, in one loop.
pub(super) struct Draft<'a> {
    pub catalogue: &'a Catalogue,
    pub control: &'a LoopControl,
    pub taken: Taken,
    pub values: Vec<(RegisterId, Value)>,
    /// What the region holds, if forms access it.
    pub contents: Option<Value>,
    /// Whether the region must lie in low memory.
    pub low: bool,
    /// Whether instructions wait for what others stored.
    pub passes_memory: bool,
    /// Whether they may be of several vector encodings.
    pub crosses_encodings: bool,
    /// Whether short instructions are lengthened.
    pub padded: bool,
    /// How the body goes through a buffer, if it does.
    pub walk: Option<BufferPath>,
    pub body: Vec<Slot>,
    /// Instances or passes in the body.
    pub instances: u32,
}

impl<'a> Draft<'a> {
    pub fn new(catalogue: &'a Catalogue, control: &'a LoopControl) -> Self {
        Self {
            catalogue,
            control,
            taken: Taken::by_loop(catalogue, control),
            values: Vec::new(),
            contents: None,
            low: false,
            passes_memory: false,
            crosses_encodings: false,
            padded: false,
            walk: None,
            body: Vec::new(),
            instances: 0,
        }
    }

    /// Takes what forms touch unnamed.
    ///
    /// # Errors
    /// When the loop needs it for itself.
    pub fn take_unnamed(&mut self, forms: &[&InstructionForm]) -> Result<(), KernelError> {
        let restored = |register| {
            let mut restores = self.control.restores.iter();
            restores.any(|&(other, _)| self.catalogue.set.overlap(other, register))
        };
        let is_taken = |register| self.taken.has(self.catalogue, register);
        for form in forms {
            let mut touched = form.implicit_uses.iter().chain(&form.implicit_defs);
            let mut written = form.implicit_defs.iter();
            if touched.any(|&register| is_taken(register)) || written.any(|&r| restored(r)) {
                return Err(KernelError::NoLoop);
            }
        }
        for form in forms {
            for &register in form.implicit_uses.iter().chain(&form.implicit_defs) {
                self.taken.take(self.catalogue, register);
            }
        }
        Ok(())
    }

    /// Gives the registers that a form reads unnamed, and the memory that it accesses, what it needs
    /// there.
    pub fn hold_unnamed(&mut self, form: &InstructionForm, class: ValueClass) {
        if form.memory != MemoryAccess::None {
            let wanted = class.required(self.catalogue, form, Site::Memory);
            self.contents = wanted.or(self.contents).or(Some(Value::Ordinary));
            self.low |= form.origin.is_low();
        }
        self.values.extend(implicit_values(self.catalogue, form, class));
    }

    pub fn push(&mut self, instruction: Instruction) {
        self.body.push(Slot::Instruction(instruction));
    }

    pub fn pad(&mut self, fillers: u32) {
        if fillers > 0 {
            self.body.push(Slot::Fillers(fillers));
        }
    }

    /// A filler of so many bytes.
    pub fn pad_long(&mut self, bytes: u32) -> Result<(), KernelError> {
        let mut fillers = self.catalogue.isa.fillers().into_iter();
        let filler = fillers.find(|filler| filler.len() == bytes as usize);
        self.put(filler.ok_or(KernelError::NoFiller(bytes))?);
        Ok(())
    }

    /// Bytes as they are.
    pub fn put(&mut self, bytes: Vec<u8>) {
        self.body.push(Slot::Bytes(bytes));
    }

    pub fn finish(mut self) -> Kernel {
        self.values.extend(self.control.restored_values());
        Kernel {
            body: self.body,
            values: self.values,
            contents: self.contents,
            low: self.low,
            passes_memory: self.passes_memory,
            crosses_encodings: self.crosses_encodings,
            padded: self.padded,
            walk: self.walk,
            cores: 1,
            loop_control: self.control.clone(),
            instances: self.instances,
        }
    }
}

/// What a form needs in the registers that it reads unnamed.
pub(super) fn implicit_values(
    catalogue: &Catalogue,
    form: &InstructionForm,
    class: ValueClass,
) -> Vec<(RegisterId, Value)> {
    let held = form.implicit_uses.iter().map(|&register| {
        let value = class.required(catalogue, form, Site::Implicit(register));
        (register, value.unwrap_or(Value::Ordinary))
    });
    held.collect()
}
