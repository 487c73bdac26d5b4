//! What microcode executes.
//!
//! A sequencer that feeds the front end instead of the decoders fills cycles of its own, and what it issues
//! comes in an order that no mixture changes. Such an instruction takes many slots, and no use of ports
//! explains what it takes beside others. It is marked, and gets no ports: those that come nearest say
//! nothing, and are others in the next run. (`VPHADDDrr`, `SHLD64rri8` and `CLD` of a Zen 4 have 5 to 11 slots
//! and are off by 4 to 10 %; forms of one slot are off by 0.3 % in the median.)

use super::forms::Told;
use super::twins::Twins;
use crate::infer::ports::FormFit;
use crate::maps::Map;
use crate::metadata::OpcodeId;

/// What takes more slots than decoders make of an instruction is microcode if its ports are off by more than
/// this, on average.
const UNEXPLAINED: f64 = 0.015;

/// Whether what is known of a form is what microcode shows, on an ISA whose decoders make no more than so many
/// slots of one instruction.
pub(super) fn executes(fit: &FormFit, most_decoded: Option<f64>) -> bool {
    most_decoded.is_some_and(|most| fit.usage.slots > most) && fit.residual > UNEXPLAINED
}

/// Whether a form that accesses memory does what microcode does to registers: all of its twins of which
/// anything is known are microcode.
pub(super) fn executes_twins(opcode: OpcodeId, twins: &Twins, told: &Map<OpcodeId, Told>) -> bool {
    let mut known = twins.of_form(opcode).iter().filter_map(|twin| told.get(twin)).peekable();
    known.peek().is_some() && known.all(|told| matches!(told, Told::Microcode { .. }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::infer::ports::{Ports, Usage};

    fn fit(slots: f64, residual: f64) -> FormFit {
        let usage = Usage::of([(1, Ports::of([0]))], slots);
        FormFit { usage, residual, worst: residual, equally_good: 1, alternatives: Vec::new() }
    }

    #[test]
    fn many_slots_that_ports_do_not_explain_are_microcode() {
        let is_microcode = |slots, residual| executes(&fit(slots, residual), Some(4.0));
        assert!(is_microcode(6.0, 0.04));
        // What ports explain has ports, and what decoders make has them.
        assert!(!is_microcode(6.0, 0.001));
        assert!(!is_microcode(2.0, 0.04));
        // What no sequencer feeds is badly explained and no more.
        assert!(!executes(&fit(6.0, 0.04), None));
    }
}
