//! The loops of kernels in shared objects, for devices that run no code.
//!
//! A kernel's function runs from its symbol to the first branch back; what lies between that
//! branch and its target is the loop. What a branch jumps over that leads a little ahead is not looked at:
//! so walks through buffers jump over what sets their pointers back, all but once in a round of the buffer.

use object::{Object as _, ObjectSegment as _, ObjectSymbol as _};

use super::DeviceError;
use crate::codec::{CodeError, Control, FlowReader};

/// Functions that call functions end here: templates do not go deeper.
const DEEPEST_CALL: usize = 4;

/// Branches lead so many bytes ahead at the most, if they are of a walk.
const LITTLE: u64 = 64;

/// Why a function has no loop to look at.
#[derive(Debug)]
pub enum LoopFailure {
    /// Its bytes are no instructions of the CPU: a finding.
    Code(CodeError),
    /// The shared object is not what it should be: an error.
    Image(String),
}

impl From<CodeError> for LoopFailure {
    fn from(error: CodeError) -> Self {
        Self::Code(error)
    }
}

/// After how many iterations two loops that repeat themselves do so at once.
#[must_use]
pub fn lowest_common_multiple(a: u64, b: u64) -> u64 {
    let (mut low, mut high) = (a, b);
    while low != 0 {
        (low, high) = (high % low, low);
    }
    a / high * b
}

/// A shared object, ready to be looked into.
pub struct SharedObject<'a> {
    file: object::File<'a>,
}

impl<'a> SharedObject<'a> {
    /// Reads its headers.
    ///
    /// # Errors
    /// When it is none.
    pub fn read(bytes: &'a [u8]) -> Result<Self, DeviceError> {
        object::File::parse(bytes)
            .map(|file| Self { file })
            .map_err(|error| DeviceError::Refused(format!("the shared object is broken: {error}")))
    }

    fn address_of(&self, symbol: &str) -> Result<u64, LoopFailure> {
        self.file
            .dynamic_symbols()
            .find(|known| known.name() == Ok(symbol))
            .map(|known| known.address())
            .ok_or_else(|| {
                LoopFailure::Image(format!("the shared object has no function {symbol}"))
            })
    }

    /// What is mapped from an address on.
    fn code_at(&self, address: u64) -> Option<&'a [u8]> {
        self.file.segments().find_map(|segment| {
            let offset = usize::try_from(address.checked_sub(segment.address())?).ok()?;
            segment.data().ok()?.get(offset..).filter(|code| !code.is_empty())
        })
    }
}

/// The code of a function up to the end of its loop.
#[derive(Default)]
pub struct LoopCode {
    /// What runs before the loop, in that order.
    pub before: Vec<u8>,
    /// The loop.
    pub body: Vec<u8>,
}

impl LoopCode {
    /// The loop of the function of a symbol.
    ///
    /// # Errors
    /// When there is no such function, it has no loop, or its bytes are no instructions.
    pub fn find(
        image: &SharedObject<'_>,
        symbol: &str,
        flow: &dyn FlowReader,
    ) -> Result<Self, LoopFailure> {
        let mut found = Self::default();
        let start = image.address_of(symbol)?;
        // Where in `before` the code at each address of this function stands.
        let mut places: Vec<(u64, usize)> = Vec::new();
        let mut address = start;
        loop {
            let (step, code) = step(image, address, flow)?;
            places.push((address, found.before.len()));
            found.before.extend(code);
            match step {
                Control::Branch(Some(target)) if (start..=address).contains(&target) => {
                    let at = places.iter().find(|(known, _)| *known == target);
                    let &(_, at) = at.ok_or_else(|| no_loop(symbol))?;
                    found.body = found.before.split_off(at);
                    return Ok(found);
                }
                Control::Branch(Some(target)) if target > address && target - address <= LITTLE => {
                    address = target;
                    continue;
                }
                Control::Call(Some(target)) => found.call(image, target, flow, 0)?,
                Control::Return => return Err(no_loop(symbol)),
                Control::Call(None) | Control::Branch(_) | Control::Next => {}
            }
            address += code.len() as u64;
        }
    }

    /// Appends what a function does before its first return.
    fn call(
        &mut self,
        image: &SharedObject<'_>,
        start: u64,
        flow: &dyn FlowReader,
        depth: usize,
    ) -> Result<(), LoopFailure> {
        let mut address = start;
        loop {
            let (control, code) = step(image, address, flow)?;
            self.before.extend(code);
            match control {
                // A branch to what a register holds: the way back, where that is not the usual one.
                Control::Return | Control::Branch(None) => return Ok(()),
                Control::Call(Some(target)) if depth < DEEPEST_CALL => {
                    self.call(image, target, flow, depth + 1)?;
                }
                _ => {}
            }
            address += code.len() as u64;
        }
    }
}

fn step<'a>(
    image: &SharedObject<'a>,
    address: u64,
    flow: &dyn FlowReader,
) -> Result<(Control, &'a [u8]), LoopFailure> {
    let code = image
        .code_at(address)
        .ok_or_else(|| LoopFailure::Image(format!("there is no code at {address:#x}")))?;
    let step = flow.step(code, address)?;
    Ok((step.control, &code[..step.length]))
}

fn no_loop(symbol: &str) -> LoopFailure {
    LoopFailure::Image(format!("{symbol} has no loop"))
}
