//! One latency of a form, where the reader knows no operands.

use crate::database::{ADDRESS_BASE, Entry, OperandLatency};
use crate::form::InstructionForm;
use crate::isa::Isa;

/// What a form takes, for a reader who knows no operands.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FormLatency {
    /// Cycles.
    pub cycles: f64,
    /// Whether other paths through the form take another time.
    pub is_one_of_several: bool,
}

/// What a place of an instruction is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LatencyPlace {
    /// Data in a register.
    Data,
    /// An address.
    Address,
    /// Single flags.
    Flags,
    /// What lies in memory.
    Memory,
    /// What loops pass nothing through: control registers.
    Other,
}

/// Less than this is one time.
const SAME: f64 = 0.26;

/// The latency of a form: of its accumulator, where it has one (a reduction is the loop that is
/// limited by it); else of the fastest path between registers; of the address, where it only loads; of
/// the flags otherwise. A chain through the fastest path is never charged a slower one. What becomes of a base
/// that is moved is another question ([`of_base`]).
#[must_use]
pub fn of_form(entry: &Entry, form: &InstructionForm, isa: &dyn Isa) -> Option<FormLatency> {
    let moved = moved_base(form);
    let edges: Vec<(LatencyPlace, LatencyPlace, bool, f64)> = entry
        .latency
        .operands
        .iter()
        .filter(|edge| moved.as_ref() != Some(&edge.target))
        .filter_map(|edge| {
            let (from, to) = (place(entry, &edge.source, isa), place(entry, &edge.target, isa));
            Some((from, to, edge.source == edge.target, edge.chosen()?))
        })
        .collect();
    let to_data: Vec<f64> =
        edges.iter().filter(|it| it.1 == LatencyPlace::Data).map(|&(.., cycles)| cycles).collect();
    let pick = |from: LatencyPlace, to: LatencyPlace, tied: bool| {
        let fitting = edges.iter().filter(|it| it.0 == from && it.1 == to && (!tied || it.2));
        fitting.map(|&(.., cycles)| cycles).reduce(f64::min)
    };
    let cycles = pick(LatencyPlace::Data, LatencyPlace::Data, true)
        .or_else(|| pick(LatencyPlace::Data, LatencyPlace::Data, false))
        .or_else(|| pick(LatencyPlace::Address, LatencyPlace::Data, false))
        .or_else(|| pick(LatencyPlace::Flags, LatencyPlace::Data, false))
        .or_else(|| pick(LatencyPlace::Data, LatencyPlace::Flags, false))
        .or_else(|| pick(LatencyPlace::Address, LatencyPlace::Flags, false))
        .or_else(|| pick(LatencyPlace::Flags, LatencyPlace::Flags, false))?;
    let is_one_of_several = to_data.iter().any(|other| (other - cycles).abs() > SAME);
    Some(FormLatency { cycles, is_one_of_several })
}

/// The operand of the base that a form moves, by the database's name.
fn moved_base(form: &InstructionForm) -> Option<String> {
    let mut written = (0..form.operands.len()).filter(|&index| form.operands[index].write);
    written.find(|&index| form.part_held(index).is_some()).map(|index| index.to_string())
}

/// The latency from the base to itself, of what moves it.
#[must_use]
pub(super) fn of_base(entry: &Entry, form: &InstructionForm) -> Option<f64> {
    let moved = moved_base(form)?;
    let is_base =
        |edge: &&OperandLatency| edge.target == moved && edge.source.contains(ADDRESS_BASE);
    entry.latency.operands.iter().filter(is_base).find_map(OperandLatency::chosen)
}

/// The latency from the cell to itself, of what reads it, changes it and writes it.
#[must_use]
pub(super) fn of_cell(entry: &Entry) -> Option<f64> {
    let is_cell =
        |edge: &&OperandLatency| edge.source == edge.target && is_memory(entry, &edge.source);
    entry.latency.operands.iter().filter(is_cell).find_map(OperandLatency::chosen)
}

/// The time from a register through memory: to the cell, or from it.
pub(super) fn through_cell(entry: &Entry, stores: bool) -> Option<f64> {
    let ends = |edge: &&OperandLatency| {
        let (cell, register) =
            if stores { (&edge.target, &edge.source) } else { (&edge.source, &edge.target) };
        is_memory(entry, cell) && !is_memory(entry, register)
    };
    entry.latency.operands.iter().filter(ends).filter_map(OperandLatency::chosen).reduce(f64::min)
}

/// Whether a place by the database's name is what lies in memory.
pub(super) fn is_memory(entry: &Entry, name: &str) -> bool {
    let operand = name.parse::<usize>().ok().and_then(|at| entry.subject.operands.get(at));
    operand.is_some_and(|operand| operand.class == "memory")
}

fn place(entry: &Entry, name: &str, isa: &dyn Isa) -> LatencyPlace {
    if is_memory(entry, name) {
        return LatencyPlace::Memory;
    }
    if name.contains(ADDRESS_BASE) {
        return LatencyPlace::Address;
    }
    if name.parse::<usize>().is_ok() || isa.unnamed(name).is_some() {
        return LatencyPlace::Data;
    }
    if isa.flags(name).is_empty() { LatencyPlace::Other } else { LatencyPlace::Flags }
}
