//! Relays: chains that begin together with the barrier before them and end with the next.
//!
//! No loop tells how the latencies of two edges that lead there and back share what they take
//! together. What tells it is where a chain begins and ends. Behind a barrier that nothing is
//! dispatched across, an instruction whose operands are ready issues after a time that is its
//! pipeline's alone; a chain that starts in one resource and is handed over to another takes the
//! time to the first issue there, the links before, the edge, the links behind, and the time from
//! the last issue to the barrier that waits for it.
//!
//! Givens: links within the resource where the edge begins and within that where it ends, and the
//! edge between them. Wanted: one pass after the other, each a barrier, fillers, the links before,
//! the edge and the links behind, in which each instruction reads what the one before wrote, and
//! nothing else that the pass wrote.

use serde::{Deserialize, Serialize};

use super::allocation::Taken;
use super::chain::{Link, Others, Step, accesses, instruction};
use super::dependence::Access;
use super::junctions::Junctions;
use super::throughput::implicit_values;
use super::{Kernel, KernelError, Slot, ValueClass};
use crate::form::{Catalogue, Site};
use crate::isa::{LoopControl, Part};
use crate::metadata::{Instruction, InstructionSet, RegisterId};

/// Passes in a body.
const PASSES: u32 = 4;

/// Fillers behind each barrier. Where the front end starts anew it delivers its first groups
/// irregularly, so that the chains behind would begin in one cycle or another (Zen 4: up to a cycle
/// and a half with none or 6, a fortieth part of one with 12 or more).
const FILLERS: u32 = 24;

/// What a relay's body is to look like.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Relay {
    /// A link within the resource where the edge begins.
    pub before: Link,
    /// The edge.
    pub over: Link,
    /// A link within the resource where the edge ends.
    pub behind: Link,
    /// How many links there are before the edge, and how many behind it.
    pub links: u32,
}

impl Relay {
    /// Chooses the registers and writes the body down.
    ///
    /// # Errors
    /// When there is no barrier, the links do not fit together, or something else is waited for.
    pub fn build(&self, catalogue: &Catalogue) -> Result<Kernel, KernelError> {
        let mut last = KernelError::NoLoop;
        for control in catalogue.isa.loop_controls(&catalogue.set) {
            match self.build_in(catalogue, control) {
                Ok(kernel) => return Ok(kernel),
                Err(error) => last = error,
            }
        }
        Err(last)
    }

    fn links(&self) -> impl Iterator<Item = &Link> {
        let many = |link| std::iter::repeat_n(link, self.links as usize);
        many(&self.before).chain([&self.over]).chain(many(&self.behind))
    }

    fn build_in(&self, catalogue: &Catalogue, control: LoopControl) -> Result<Kernel, KernelError> {
        let barrier = catalogue.barrier().ok_or(KernelError::NoBarrier)?.sample.clone();
        let step = |link| Step::of(catalogue, link);
        let steps = self.links().map(step).collect::<Result<Vec<_>, _>>()?;
        let kinds = [&self.before, &self.over, &self.behind].map(step);
        let kinds = kinds.into_iter().collect::<Result<Vec<_>, _>>()?;

        let mut taken = Taken::by_loop(catalogue, &control);
        let unnamed: Vec<RegisterId> = kinds
            .iter()
            .flat_map(|step| step.form.implicit_uses.iter().chain(&step.form.implicit_defs))
            .copied()
            .collect();
        let restored = |register| {
            control.restores.iter().any(|&(other, _)| catalogue.set.overlap(other, register))
        };
        if unnamed.iter().any(|&register| taken.has(catalogue, register) || restored(register)) {
            return Err(KernelError::NoLoop);
        }
        unnamed.iter().for_each(|&register| taken.take(catalogue, register));
        let junctions = Junctions::of_relay(catalogue, &steps, self.links as usize, &mut taken)?;
        let values = ValueClass::default();
        let many = self.links as usize;
        let others = Others::choose(catalogue, &kinds, values, &mut taken)?;
        let others = others.repeated(&[many, 1, many]);
        let all = (steps.len(), &*catalogue.set);
        let instructions = (0..steps.len())
            .map(|index| instruction(&steps, index, &junctions, &others, all))
            .collect::<Result<Vec<_>, _>>()?;
        check(catalogue, &steps, &instructions)?;

        let mut values: Vec<_> =
            kinds.iter().flat_map(|step| implicit_values(catalogue, step.form, values)).collect();
        values.extend(others.values);
        values.extend(junctions.values(catalogue, &steps, ValueClass::default()));
        values.extend(control.restored_values());
        let pass = [Slot::Instruction(barrier), Slot::Fillers(FILLERS)]
            .into_iter()
            .chain(instructions.into_iter().map(Slot::Instruction));
        let pass: Vec<Slot> = pass.collect();
        let body = vec![pass; PASSES as usize].concat();
        Ok(Kernel { body, values, loop_control: control, instances: PASSES })
    }
}

/// Each instruction reads at its source what the one before wrote at its target, and nothing else
/// that an instruction of the pass wrote.
fn check(
    catalogue: &Catalogue,
    steps: &[Step<'_>],
    instructions: &[Instruction],
) -> Result<(), KernelError> {
    let accesses = accesses(catalogue, steps, instructions);
    for (index, (step, access)) in steps.iter().zip(&accesses).enumerate() {
        let earlier = &accesses[..index];
        let target = index.checked_sub(1).map(|previous| steps[previous].link.target);
        let mut is_carried = index == 0;
        for (site, register, parts) in &access.reads {
            let comes = |writer: &Access, part: &Part, at: Option<Site>| {
                let mut left = writer.writes.iter().chain(&writer.undefined);
                left.any(|(site, parts)| at.is_none_or(|at| at == *site) && parts.contains(part))
            };
            let previous = earlier.last();
            if *site == step.link.source {
                let carries = |part| previous.is_some_and(|writer| comes(writer, part, target));
                is_carried |= parts.iter().any(carries);
            } else if parts.iter().any(|part| earlier.iter().any(|w| comes(w, part, None))) {
                return Err(second(&catalogue.set, *register));
            }
        }
        for (register, parts) in &access.merged {
            let is_source = steps[index].form.register_at(step.link.source, &instructions[index]);
            let own = is_source.is_some_and(|source| catalogue.set.overlap(source, *register));
            let written = |part: &Part| earlier.iter().any(|writer| writer.writes_part(*part));
            if !own && parts.iter().any(written) {
                return Err(second(&catalogue.set, *register));
            }
        }
        if !is_carried {
            let name = |step: &Step<'_>| step.form.name.clone();
            let from = index.checked_sub(1).map(|previous| name(&steps[previous]));
            let from = from.unwrap_or_default();
            return Err(KernelError::NoDependence { from, to: name(step) });
        }
    }
    Ok(())
}

fn second(set: &InstructionSet, register: RegisterId) -> KernelError {
    KernelError::SecondDependence { register: set.register(register).name.clone() }
}
