//! Where in the region instructions access memory: cells of a line each, and how bases and
//! displacements lead to them.
//!
//! Instances side by side that store are *apart*: each accesses the next of fifteen cells. Links that
//! pass something on through memory meet in *chain cells*, which lie behind those. Where encodings
//! reach all cells from one base, displacements tell them apart; where they reach less (`ldp` of
//! AArch64, `c.sd` of RISC-V) or nothing (`amoadd.d`), more than one base does.

use serde::{Deserialize, Serialize};

use super::sequence::{LinkStep, ROTATION};
use super::{KernelError, Style};
use crate::form::{AddressPart, Displacement, InstructionForm, Site};
use crate::isa::REGION;
use crate::metadata::{Instruction, OperandValue};

/// Bytes from one cell to the next, where instances access memory apart: a line of every cache, and
/// the widest access.
const LINE: u32 = 64;

/// Cells that take turns. More of them are not apart any more for some cores: on a Zen 4 what adds to
/// memory in 24 lines, every second of a page, takes three times as long as in neighbours. A multiple of
/// the passes that take turns, so that where the loop closes no cell is used again at once.
const CELLS: u32 = 15;

/// Bytes of an area, which has room for all cells that take turns.
const AREA: u32 = (CELLS + 1) * LINE;
/// The last area that lies in the region.
const MOST_AREAS: u32 = REGION / AREA - 1;

/// Where cells begin through which a chain is passed on: behind those of instances that are apart,
/// and behind all places that bases point to.
const CHAIN_CELLS: u32 = 32 * LINE;

/// The farthest that a displacement has to reach so that one base is enough.
const FARTHEST: u32 = CHAIN_CELLS + (CELLS - 1) * LINE;

/// Which memory the instances of a body access.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize,
)]
#[serde(rename_all = "kebab-case")]
pub enum Cells {
    /// Each its own line, if they store, so that nothing is passed on through memory. Loads access
    /// one cell: no two banks of a cache are in each other's way.
    #[default]
    Apart,
    /// All the same.
    One,
    /// As apart, but in the area of that number: what one form stores no other one loads.
    Area(u8),
}

/// How the instances of a form find the cells in which they are apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Spread {
    /// How many bases take turns.
    pub bases: usize,
    /// How many cells each of them reaches.
    reached: usize,
    /// Whether instances access other cells than the one before.
    pub is_apart: bool,
    /// Bytes into the region at which the cells begin.
    begin: u32,
}

impl Spread {
    /// Of a form whose base is one of so many registers that are free. Half of them at least are left
    /// to other operands.
    pub fn of(form: &InstructionForm, cells: Cells, free: usize) -> Self {
        let begin = match cells {
            Cells::Apart | Cells::One => 0,
            Cells::Area(number) => u32::from(number).min(MOST_AREAS) * AREA,
        };
        if cells == Cells::One || !form.stores() {
            return Self { bases: 1, reached: 1, is_apart: false, begin };
        }
        let reach = form.displacement.map_or(0, |displacement| displacement.reach);
        let reached = CELLS.min(reach / LINE + 1);
        let wanted = CELLS.div_ceil(reached) as usize;
        let bases = wanted.min(free / 2).max(1);
        Self { bases, reached: reached as usize, is_apart: true, begin }
    }

    fn cell(self, number: usize) -> usize {
        number % (self.bases * self.reached).min(CELLS as usize)
    }

    /// Which of the bases instance number `number` takes.
    pub fn base(self, number: usize) -> usize {
        self.cell(number) / self.reached
    }

    /// Where in the region a base points to.
    pub fn place(self, base: usize) -> u32 {
        self.begin + (base * self.reached) as u32 * LINE
    }

    /// Bytes from its base to where instance number `number` accesses memory.
    pub fn distance(self, number: usize) -> u32 {
        (self.cell(number) % self.reached) as u32 * LINE
    }
}

/// Where an instruction of a chain accesses memory if it stores there and passes nothing on through
/// it: another cell in each pass.
pub(super) fn place_apart(turn: usize) -> u32 {
    turn as u32 % CELLS * LINE
}

/// How links that pass something on through memory name the cells where they meet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CellLayout {
    /// Every displacement reaches every cell: bases point wherever they want to.
    Wide,
    /// Each cell has bases of its own, and there are only as many as passes that take turns.
    Narrow {
        /// How far behind a base the cell is where all links share it.
        shared: u32,
    },
}

impl CellLayout {
    pub fn of(steps: &[LinkStep<'_>]) -> Self {
        let all_reach = |bytes: u32| {
            let mut through_memory = steps.iter().filter(|step| step.link.passes_memory());
            through_memory.all(|step| reaches(step.form, bytes).is_some())
        };
        if all_reach(FARTHEST) {
            return Self::Wide;
        }
        // As far as loads may begin before the cell, and behind it.
        let shared = if all_reach(2 * LINE) { LINE } else { 0 };
        Self::Narrow { shared }
    }

    /// Where in the region the cell of that number is.
    pub fn cell(self, number: usize) -> u32 {
        let turns = match self {
            Self::Wide => CELLS as usize,
            Self::Narrow { .. } => ROTATION,
        };
        CHAIN_CELLS + (number % turns) as u32 * LINE
    }

    /// How many bases take turns at a link: where it writes what the next one reads, each finds it
    /// by another.
    pub fn bases(self, step: &LinkStep<'_>, style: Style) -> usize {
        let is_both = (step.link.source, step.link.target) == (Site::Memory, Site::Memory);
        let is_apart = step.form.stores() && distance_apart(step.form, 1).is_none();
        match self {
            _ if !step.form.origin.is_register() => 1,
            _ if !step.link.passes_memory() => {
                if is_apart {
                    ROTATION
                } else {
                    1
                }
            }
            Self::Wide if is_both && style != Style::SameAddress => ROTATION,
            Self::Wide => 1,
            Self::Narrow { .. } => ROTATION,
        }
    }

    /// Where in the region the base number `turn` of the link number `kind` points to, if it accesses
    /// that cell on the chain. What is written at one address is read at the same, but named
    /// otherwise, unless the style wants it alike.
    pub fn place(
        self,
        step: &LinkStep<'_>,
        style: Style,
        (kind, turn): (usize, usize),
        cell: Option<u32>,
    ) -> u32 {
        let is_given = step.form.address_part(step.link.source) == Some(AddressPart::Base);
        let turn = turn % self.bases(step, style);
        let number = (kind * ROTATION + turn) as u32;
        match (self, cell) {
            // It has no base: displacements are counted from where the region begins.
            _ if !step.form.origin.is_register() => 0,
            (_, None) if is_given || step.link.passes_memory() => 0,
            (_, None) if self.bases(step, style) > 1 => place_apart(turn),
            (_, None) => 0,
            (Self::Wide, Some(_)) if is_given || style == Style::SameAddress => 0,
            (Self::Wide, Some(_)) => number * LINE,
            (Self::Narrow { shared }, Some(cell)) if style == Style::SameAddress => cell - shared,
            (Self::Narrow { .. }, Some(cell)) => {
                let distance = number * Displacement::GRAIN;
                cell - reaches(step.form, distance).map_or(0, |_| distance)
            }
        }
    }
}

/// What the displacement of a form is where it adds so many bytes, if it can.
fn reaches(form: &InstructionForm, bytes: u32) -> Option<i64> {
    form.displacement?.of_bytes(bytes)
}

/// Bytes that the displacement of a form adds in pass or instance number `number` so that it stores
/// apart from others, if it reaches all those cells.
pub(super) fn distance_apart(form: &InstructionForm, number: usize) -> Option<u32> {
    let all = (CELLS - 1) * LINE;
    (form.stores() && reaches(form, all).is_some()).then(|| place_apart(number))
}

/// Lets an instruction access what is so many bytes from its base.
///
/// # Errors
/// When its displacement does not reach there.
pub(super) fn access(
    instruction: &mut Instruction,
    form: &InstructionForm,
    distance: i64,
) -> Result<(), KernelError> {
    let out_of_reach = || KernelError::OutOfReach { form: form.name.clone(), distance };
    let Some(displacement) = form.displacement else {
        return if distance == 0 { Ok(()) } else { Err(out_of_reach()) };
    };
    let bytes = u32::try_from(distance).map_err(|_| out_of_reach())?;
    let number = displacement.of_bytes(bytes).ok_or_else(out_of_reach)?;
    instruction.operands[displacement.operand] = OperandValue::Immediate(number);
    Ok(())
}
