//! The part of the shim over LLVM MCA: declarations as in `shim.h`, and safe methods.

use std::ffi::{CStr, c_char, c_int};
use std::ptr::{self, NonNull};
use std::slice;

use super::{LONGEST_TEXT, RawOperand, Shim, WinicTarget, check, raw_operands, text_of};
use crate::codec::{CodeError, FlowStep};
use crate::llvm::ModelError;
use crate::metadata::Instruction;

/// Registers that an instruction reads or writes, at most; LLVM's longest lists (all of ZA's
/// tiles, a context saved) stay far below.
const MOST_ACCESSES: usize = 512;

const NOT_MODELLED: c_int = 6;

fn check_model(status: c_int) -> Result<(), ModelError> {
    if status == NOT_MODELLED {
        return Err(ModelError::NotModelled);
    }
    Ok(check(status)?)
}

#[repr(C)]
struct WinicSimulator {
    _opaque: [u8; 0],
}

/// How a loop runs once it has become periodic.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::llvm) struct Steady {
    pub cycles: u64,
    pub iterations: u64,
    pub periodic: u32,
}

/// What the tables of a scheduling model say of an instruction, registers apart.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::llvm) struct ModelHead {
    pub micro_ops: u32,
    pub variant: u32,
    pub class: u32,
    pub breaks_dependences: u32,
    pub barrier: u32,
    pub throughput: f64,
    pub units_at_once: f64,
}

/// A register that an instruction reads or writes, as the scheduling model sees it.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(in crate::llvm) struct Access {
    pub operand: i32,
    pub register: u32,
    pub latency: u32,
    pub resource: u32,
    pub use_index: u32,
    pub class: u32,
}

/// Units of a kind, or a group of kinds, whose numbers `members` are.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
struct WinicResource {
    name: *const c_char,
    members: *const u32,
    units: u32,
}

/// A kind of units of a scheduling model, by its number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::llvm) struct UnitKind {
    pub name: String,
    pub units: u32,
    /// The kinds that it is a group of, each once for each of its units; none where it is no group.
    pub members: Vec<u32>,
}

/// For how many cycles a scheduling class holds units of a kind.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(in crate::llvm) struct KindUse {
    pub kind: u32,
    pub cycles: u32,
}

unsafe extern "C" {
    fn winic_simulator_new(
        target: *mut WinicTarget,
        surroundings: *mut WinicTarget,
        error: *mut c_char,
        error_size: usize,
    ) -> *mut WinicSimulator;
    fn winic_simulator_delete(simulator: *mut WinicSimulator);
    fn winic_covers(
        simulator: *mut WinicSimulator,
        before: *const u8,
        before_size: usize,
        code: *const u8,
        size: usize,
        occupied: *mut f64,
    ) -> c_int;
    fn winic_simulate(
        simulator: *mut WinicSimulator,
        before: *const u8,
        before_size: usize,
        body: *const u8,
        body_size: usize,
        loads_wait: u32,
        out: *mut Steady,
    ) -> c_int;
    fn winic_model(
        simulator: *mut WinicSimulator,
        before: *const u8,
        before_size: usize,
        opcode: u32,
        operands: *const RawOperand,
        count: usize,
        out: *mut ModelHead,
        writes: *mut Access,
        write_count: *mut usize,
        reads: *mut Access,
        read_count: *mut usize,
    ) -> c_int;
    fn winic_read_advance(
        simulator: *const WinicSimulator,
        class: u32,
        use_index: u32,
        resource: u32,
    ) -> i32;
    fn winic_issue_width(simulator: *const WinicSimulator) -> u32;
    fn winic_resources(simulator: *const WinicSimulator) -> u32;
    fn winic_resource(simulator: *const WinicSimulator, index: u32, out: *mut WinicResource);
    fn winic_resource_uses(
        simulator: *const WinicSimulator,
        class: u32,
        uses: *mut KindUse,
        room: usize,
    ) -> usize;
}

/// LLVM MCA, set up for the CPU of a target.
pub(in crate::llvm) struct Machine {
    simulator: NonNull<WinicSimulator>,
    /// What the simulator decodes loops with; dropped after it.
    _target: Shim,
    /// What it decodes the code around them with; likewise.
    surroundings: Shim,
}

// SAFETY: the simulator belongs to its two targets alone, all move together, and LLVM's objects are
// bound to no thread.
unsafe impl Send for Machine {}

impl Drop for Machine {
    fn drop(&mut self) {
        // SAFETY: it came from winic_simulator_new and is deleted once, before its targets.
        unsafe { winic_simulator_delete(self.simulator.as_ptr()) }
    }
}

impl Machine {
    pub fn new(target: Shim, surroundings: Shim) -> Result<Self, String> {
        let mut error = [0 as c_char; LONGEST_TEXT];
        // SAFETY: the targets are alive, and `error` has the size given.
        let simulator = unsafe {
            winic_simulator_new(target.raw(), surroundings.raw(), error.as_mut_ptr(), error.len())
        };
        match NonNull::new(simulator) {
            Some(simulator) => Ok(Self { simulator, _target: target, surroundings }),
            None => Err(text_of(&error)),
        }
    }

    pub fn step(&self, code: &[u8], address: u64) -> Result<FlowStep, CodeError> {
        self.surroundings.step(code, address)
    }

    pub fn covers(&mut self, before: &[u8], code: &[u8]) -> Result<f64, ModelError> {
        let mut occupied = 0.0;
        // SAFETY: as above, for both.
        check_model(unsafe {
            winic_covers(
                self.simulator.as_ptr(),
                before.as_ptr(),
                before.len(),
                code.as_ptr(),
                code.len(),
                &raw mut occupied,
            )
        })?;
        Ok(occupied)
    }

    pub fn simulate(
        &mut self,
        before: &[u8],
        body: &[u8],
        loads_wait: bool,
    ) -> Result<Steady, ModelError> {
        let mut out = Steady::default();
        // SAFETY: as above.
        check_model(unsafe {
            winic_simulate(
                self.simulator.as_ptr(),
                before.as_ptr(),
                before.len(),
                body.as_ptr(),
                body.len(),
                loads_wait.into(),
                &mut out,
            )
        })?;
        Ok(out)
    }

    /// The head, what it writes, what it reads.
    pub fn model(
        &mut self,
        before: &[u8],
        instruction: &Instruction,
    ) -> Result<(ModelHead, Vec<Access>, Vec<Access>), ModelError> {
        let operands = raw_operands(instruction);
        let mut raw = ModelHead::default();
        let mut writes = vec![Access::default(); MOST_ACCESSES];
        let mut reads = writes.clone();
        let (mut write_count, mut read_count) = (writes.len(), reads.len());
        // SAFETY: pointers and lengths belong together; the shim checks the operands itself and
        // writes no more accesses than the counts that it is given.
        check_model(unsafe {
            winic_model(
                self.simulator.as_ptr(),
                before.as_ptr(),
                before.len(),
                instruction.opcode.0,
                operands.as_ptr(),
                operands.len(),
                &mut raw,
                writes.as_mut_ptr(),
                &mut write_count,
                reads.as_mut_ptr(),
                &mut read_count,
            )
        })?;
        writes.truncate(write_count);
        reads.truncate(read_count);
        Ok((raw, writes, reads))
    }

    /// `read` and `write` must come from [`Self::model`].
    pub fn read_advance(&self, read: &Access, write: &Access) -> i32 {
        // SAFETY: the simulator is alive, and the numbers are its own.
        unsafe {
            winic_read_advance(self.simulator.as_ptr(), read.class, read.use_index, write.resource)
        }
    }

    pub fn issue_width(&self) -> u32 {
        // SAFETY: the simulator is alive.
        unsafe { winic_issue_width(self.simulator.as_ptr()) }
    }

    /// All kinds of units, by their numbers. (Number 0, which is none, has no units.)
    pub fn unit_kinds(&self) -> Vec<UnitKind> {
        // SAFETY: the simulator is alive.
        let count = unsafe { winic_resources(self.simulator.as_ptr()) };
        let kind = |index| {
            let mut raw = WinicResource { name: ptr::null(), members: ptr::null(), units: 0 };
            // SAFETY: there are kinds of these numbers. Names end with a zero and members are as many
            // as there are units; both are parts of LLVM's tables, which stay.
            unsafe {
                winic_resource(self.simulator.as_ptr(), index, &raw mut raw);
                let members = (!raw.members.is_null())
                    .then(|| slice::from_raw_parts(raw.members, raw.units as usize));
                UnitKind {
                    name: CStr::from_ptr(raw.name).to_string_lossy().into_owned(),
                    units: raw.units,
                    members: members.unwrap_or_default().to_vec(),
                }
            }
        };
        (0..count).map(kind).collect()
    }

    /// What a class holds; `class` must come from [`Self::model`].
    pub fn kind_uses(&self, class: u32) -> Vec<KindUse> {
        let mut uses = vec![KindUse::default(); MOST_ACCESSES];
        // SAFETY: the simulator is alive, the number is its own, and there is so much room.
        let count = unsafe {
            let simulator = self.simulator.as_ptr();
            winic_resource_uses(simulator, class, uses.as_mut_ptr(), uses.len())
        };
        uses.truncate(count);
        uses
    }
}
