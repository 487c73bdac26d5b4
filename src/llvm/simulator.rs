//! LLVM MCA: loops in machine code through the scheduling model of a CPU.

use super::units::ModelUnits;
use super::{TargetChoice, TargetError, ffi, initialize, version};
use crate::codec::{CodeError, FlowReader, FlowStep};
use crate::metadata::{Instruction, RegisterId};

/// Why a scheduling model says nothing about some code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ModelError {
    /// It is not the CPU's code.
    #[error(transparent)]
    Code(#[from] CodeError),
    /// The model leaves one of its instructions out.
    #[error("the scheduling model does not cover it")]
    NotModelled,
}

/// What a model, which looks at no address, takes loads to wait for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Loads {
    /// For no store.
    GoAhead,
    /// For all stores before them.
    WaitForStores,
}

/// The scheduling model of a CPU, at work.
pub struct Simulator {
    machine: ffi::Machine,
    cpu: String,
}

/// What the tables of a scheduling model say of one instruction, its class chosen by its operands.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelRow {
    /// Micro-operations that it is dispatched as.
    pub micro_ops: u32,
    /// Its scheduling class, by LLVM's number.
    pub class: u32,
    /// Whether its class depends on its operands.
    pub variant: bool,
    /// Whether it is an idiom whose result does not depend on its operands.
    pub breaks_dependences: bool,
    /// Whether memory accesses wait for each other at it.
    pub barrier: bool,
    /// Cycles for which it occupies what it needs most, be it in the front end: the reciprocal
    /// throughput.
    pub throughput: f64,
    /// Cycles that it takes if it waits for nothing but units, of which it takes all at once. That
    /// may be more than each of them by itself asks for.
    pub units_at_once: f64,
    /// What it writes.
    pub writes: Vec<ModelAccess>,
    /// What it reads.
    pub reads: Vec<ModelAccess>,
}

/// A register that the model sees an instruction read or write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ModelAccess {
    /// Which.
    pub place: RegisterPlace,
    access: ffi::Access,
}

/// Where an instruction names a register.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RegisterPlace {
    /// As an operand, by LLVM's index.
    Operand(usize),
    /// Not at all: it is implied.
    Implied(RegisterId),
}

impl ModelAccess {
    fn new(access: ffi::Access) -> Self {
        let place = usize::try_from(access.operand)
            .map_or(RegisterPlace::Implied(RegisterId(access.register)), RegisterPlace::Operand);
        Self { place, access }
    }

    /// For a write: cycles until what follows can read it.
    #[must_use]
    pub fn latency(&self) -> u32 {
        self.access.latency
    }
}

/// How a loop runs once it repeats itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SteadyState {
    /// Cycles that so many iterations take.
    pub cycles: u64,
    /// The iterations.
    pub iterations: u64,
    /// Whether it did repeat itself; otherwise the figures are an average over many iterations.
    pub periodic: bool,
}

impl FlowReader for Simulator {
    fn step(&self, code: &[u8], address: u64) -> Result<FlowStep, CodeError> {
        self.machine.step(code, address)
    }
}

impl Simulator {
    /// Sets LLVM MCA up for the CPU of a choice. Loops are of its instructions alone; what runs
    /// before them may be of these extensions, too.
    ///
    /// # Errors
    /// When this LLVM does not have the target, or no scheduling model of the CPU.
    pub fn new(choice: &TargetChoice, extensions: &[&str]) -> Result<Self, TargetError> {
        initialize();
        let extended = choice.features_with(extensions);
        let shim = |features: &str| ffi::Shim::new(&choice.triple, &choice.cpu, features);
        shim(&choice.features)
            .and_then(|target| ffi::Machine::new(target, shim(&extended)?))
            .map(|machine| Self { machine, cpu: choice.cpu.clone() })
            .map_err(|reason| TargetError {
                version: version(),
                triple: choice.triple.clone(),
                cpu: choice.cpu.clone(),
                reason,
            })
    }

    /// LLVM's name of the CPU.
    #[must_use]
    pub fn cpu(&self) -> &str {
        &self.cpu
    }

    /// Whether the model covers all instructions of some code, and for how many cycles one of them occupies
    /// its units at the most. `before` is the code that ran before it: it takes no time, but may have set
    /// state that the model depends on. So it may below.
    ///
    /// # Errors
    /// When it does not, or they are no instructions of the CPU.
    pub fn covers(&mut self, before: &[u8], code: &[u8]) -> Result<f64, ModelError> {
        self.machine.covers(before, code)
    }

    /// Runs a loop until it repeats itself.
    ///
    /// # Errors
    /// When there is an instruction that the model does not cover.
    pub fn run_loop(
        &mut self,
        before: &[u8],
        body: &[u8],
        loads: Loads,
    ) -> Result<SteadyState, ModelError> {
        let steady = self.machine.simulate(before, body, loads == Loads::WaitForStores)?;
        Ok(SteadyState {
            cycles: steady.cycles,
            iterations: steady.iterations,
            periodic: steady.periodic != 0,
        })
    }

    /// What the model's tables say of an instruction.
    ///
    /// # Errors
    /// When the model does not cover it, or its operands do not fit.
    pub fn model(
        &mut self,
        before: &[u8],
        instruction: &Instruction,
    ) -> Result<ModelRow, ModelError> {
        let (head, writes, reads) = self.machine.model(before, instruction)?;
        let accesses = |list: Vec<ffi::Access>| list.into_iter().map(ModelAccess::new).collect();
        Ok(ModelRow {
            micro_ops: head.micro_ops,
            variant: head.variant != 0,
            class: head.class,
            breaks_dependences: head.breaks_dependences != 0,
            barrier: head.barrier != 0,
            throughput: head.throughput,
            units_at_once: head.units_at_once,
            writes: accesses(writes),
            reads: accesses(reads),
        })
    }

    /// The execution units of the model.
    #[must_use]
    pub fn units(&self) -> ModelUnits {
        ModelUnits::new(&self.machine.unit_kinds(), self.machine.issue_width())
    }

    /// Micro-operations of what is of a scheduling class by the ports of [`Self::units`]: how many go to
    /// any of which.
    #[must_use]
    pub fn micro_ops(&self, units: &ModelUnits, row: &ModelRow) -> Vec<(u32, Vec<u32>)> {
        units.micro_ops(&self.machine.kind_uses(row.class))
    }

    /// Cycles from the issue of an instruction that writes to that of one that reads the same
    /// register, in the model: the write's latency less what the read may be early for it.
    #[must_use]
    pub fn latency(&self, write: &ModelAccess, read: &ModelAccess) -> u32 {
        let early = self.machine.read_advance(&read.access, &write.access);
        write.access.latency.saturating_add_signed(early.saturating_neg())
    }
}
