//! Registers at the junctions of a chain: where what one step writes meets what the next reads.

use super::allocation::Taken;
use super::cells::CellLayout;
use super::chain::Style;
use super::sequence::{LinkStep, ROTATION, is_at_junction};
use super::{KernelError, ValueClass};
use crate::catalogue::Catalogue;
use crate::form::{InstructionForm, Site, Value};
use crate::maps::Map;
use crate::metadata::{ClassId, RegisterId};

/// Registers that junctions rotate through, at most: constants need some, too.
const JUNCTION_REGISTERS: usize = 8;

/// The registers at junctions: `at[i]` lies between step `i` and the next.
pub(super) struct Junctions {
    pub at: Vec<Junction>,
    /// By step: the cell that the junction behind it is, if it is one.
    cells: Vec<Option<u32>>,
}

/// One register seen from both sides (`AL` written, `EAX` read).
#[derive(Clone, Copy)]
pub(super) struct Junction {
    pub written: RegisterId,
    pub read: RegisterId,
}

/// What a register of a group must be.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Bound {
    Class(ClassId),
    Register(RegisterId),
}

fn bound(form: &InstructionForm, site: Site) -> Option<Bound> {
    match site {
        Site::Memory => None,
        Site::Implicit(register) => Some(Bound::Register(register)),
        Site::Operand(index) => form.class_of(index).map(Bound::Class),
    }
}

/// The bounds among some sides, each once.
fn each_once(sides: impl Iterator<Item = Option<Bound>>) -> Vec<Bound> {
    let mut bounds: Vec<Bound> = Vec::new();
    for bound in sides.flatten() {
        if !bounds.contains(&bound) {
            bounds.push(bound);
        }
    }
    bounds
}

impl Junctions {
    /// Those of steps of which the last leads back to the first.
    pub fn closed(
        catalogue: &Catalogue,
        steps: &[LinkStep<'_>],
        (style, layout): (Style, CellLayout),
        taken: &mut Taken,
    ) -> Result<Self, KernelError> {
        let count = steps.len();
        let groups = groups(steps);
        let spared = spared(catalogue, steps);
        let distinct = groups.iter().max().map_or(0, |&last| last + 1);
        let mut cells = vec![None; count];
        let mut anchors: Vec<RegisterId> = Vec::with_capacity(distinct);
        let mut chosen_taken = taken.clone();
        let mut turns: Map<ClassId, usize> = Map::default();
        // The groups of a long chain have few different lists of bounds.
        let mut candidates: Vec<(Vec<Bound>, Vec<RegisterId>)> = Vec::new();
        for group in 0..distinct {
            let members: Vec<usize> = (0..count).filter(|&index| groups[index] == group).collect();
            if members.iter().all(|&index| is_cell(steps, index)) {
                let number = anchors.iter().filter(|&&anchor| anchor == RegisterId::NONE).count();
                for &member in &members {
                    cells[member] = Some(layout.cell(number));
                }
                anchors.push(RegisterId::NONE);
                continue;
            }
            let sides = members.iter().flat_map(|&index| {
                let next = &steps[(index + 1) % count];
                [
                    bound(steps[index].form, steps[index].link.target),
                    bound(next.form, next.link.source),
                ]
            });
            // A tied chain is one group, with the same few bounds at each of its steps.
            let bounds = each_once(sides);
            // Junctions of one class take turns, whatever lies between them.
            let turn = match bounds.first() {
                Some(Bound::Class(class)) => turns.entry(*class).or_insert(0),
                _ => &mut 0,
            };
            let number = if style == Style::Rotating { *turn } else { 0 };
            *turn += 1;
            let known = candidates.iter().position(|(of, _)| *of == bounds).unwrap_or_else(|| {
                let fitting = anchors_for(catalogue, &bounds, &spared, taken);
                candidates.push((bounds.clone(), fitting));
                candidates.len() - 1
            });
            let fitting = &candidates[known].1;
            if fitting.is_empty() {
                let from = members[0];
                return Err(KernelError::NoJunction {
                    from: steps[from].form.name.clone(),
                    to: steps[(from + 1) % count].form.name.clone(),
                });
            }
            let anchor = fitting[number % fitting.len()];
            anchors.push(anchor);
            for view in bounds.iter().filter_map(|&bound| seen_as(catalogue, bound, anchor)) {
                chosen_taken.take(catalogue, view);
            }
        }
        *taken = chosen_taken;
        let at = (0..count)
            .map(|index| {
                let next = &steps[(index + 1) % count];
                let anchor = anchors[groups[index]];
                if anchor == RegisterId::NONE {
                    return Ok(Junction { written: anchor, read: anchor });
                }
                let side =
                    |form: &InstructionForm, site| seen_as(catalogue, bound(form, site)?, anchor);
                let written = side(steps[index].form, steps[index].link.target);
                let read = side(next.form, next.link.source);
                written.zip(read).map(|(written, read)| Junction { written, read }).ok_or_else(
                    || KernelError::NoJunction {
                        from: steps[index].form.name.clone(),
                        to: next.form.name.clone(),
                    },
                )
            })
            .collect::<Result<_, _>>()?;
        Ok(Self { at, cells })
    }

    /// Those of steps that are no loop: one register up to step `over`, another behind it (the same
    /// where that step's operands are tied), and nothing from the last step to the first.
    pub fn between_barriers(
        catalogue: &Catalogue,
        steps: &[LinkStep<'_>],
        over: usize,
        taken: &mut Taken,
    ) -> Result<Self, KernelError> {
        let (before, behind) = steps.split_at(over);
        let reads = |step: &LinkStep<'_>| bound(step.form, step.link.source);
        let writes = |step: &LinkStep<'_>| bound(step.form, step.link.target);
        let first = before.iter().flat_map(|step| [reads(step), writes(step)]);
        let first: Vec<Option<Bound>> = first.chain(behind.first().map(reads)).collect();
        let behind_over = behind.iter().skip(1).flat_map(|step| [reads(step), writes(step)]);
        let second: Vec<Option<Bound>> = behind_over.chain(behind.first().map(writes)).collect();
        let mut anchor = |bounds: &[Option<Bound>]| {
            let bounds = each_once(bounds.iter().copied());
            let anchor = anchors_for(catalogue, &bounds, &[], taken).into_iter().next()?;
            for view in bounds.iter().filter_map(|&bound| seen_as(catalogue, bound, anchor)) {
                taken.take(catalogue, view);
            }
            Some(anchor)
        };
        let is_one = steps[over].form.ties(steps[over].link.source, steps[over].link.target);
        let anchors = if is_one {
            let both = anchor(&[first, second].concat());
            (both, both)
        } else {
            (anchor(&first), anchor(&second))
        };
        let no_junction = || KernelError::NoJunction {
            from: steps[0].form.name.clone(),
            to: steps[over].form.name.clone(),
        };
        let (Some(first), Some(second)) = anchors else { return Err(no_junction()) };
        let seen = |bound: Option<Bound>, anchor| seen_as(catalogue, bound?, anchor);
        let at = (0..steps.len()).map(|index| {
            let next = &steps[(index + 1) % steps.len()];
            let written = seen(writes(&steps[index]), if index < over { first } else { second });
            let read = seen(
                reads(next),
                if (over..steps.len() - 1).contains(&index) { second } else { first },
            );
            written.zip(read).map(|(written, read)| Junction { written, read })
        });
        let cells = vec![None; steps.len()];
        at.collect::<Option<_>>().map(|at| Self { at, cells }).ok_or_else(no_junction)
    }

    /// The cell that step `index` accesses if the chain comes in or goes on through memory there.
    pub fn cell(&self, steps: &[LinkStep<'_>], index: usize) -> Option<u32> {
        let before = (index + steps.len() - 1) % steps.len();
        let link = steps[index].link;
        let junction = match (link.source, link.target) {
            (Site::Memory, _) => before,
            (_, Site::Memory) => index,
            _ => return None,
        };
        self.cells[junction]
    }

    /// What the chain finds when it starts.
    pub fn values(
        &self,
        catalogue: &Catalogue,
        steps: &[LinkStep<'_>],
        class: ValueClass,
    ) -> Vec<(RegisterId, Value)> {
        let count = steps.len();
        (0..count)
            .filter(|&index| self.at[index].read != RegisterId::NONE)
            .map(|index| {
                let next = &steps[(index + 1) % count];
                let required = class.required(catalogue, next.form, next.link.source);
                (self.at[index].read, required.unwrap_or(Value::Ordinary))
            })
            .collect()
    }
}

/// Whether the junction behind a step is a cell of memory.
fn is_cell(steps: &[LinkStep<'_>], index: usize) -> bool {
    let next = &steps[(index + 1) % steps.len()];
    steps[index].link.target == Site::Memory && next.link.source == Site::Memory
}

/// Numbers the groups of junctions: a use that is tied to the step's own target makes the
/// junctions before and after it one.
fn groups(steps: &[LinkStep<'_>]) -> Vec<usize> {
    let count = steps.len();
    let mut leader: Vec<usize> = (0..count).collect();
    for (index, step) in steps.iter().enumerate() {
        let through_memory = (step.link.source, step.link.target) == (Site::Memory, Site::Memory);
        if through_memory || step.form.ties(step.link.source, step.link.target) {
            let before = leader[(index + count - 1) % count];
            let after = leader[index];
            for entry in &mut leader {
                if *entry == after {
                    *entry = before;
                }
            }
        }
    }
    let mut order: Vec<usize> = Vec::new();
    leader
        .iter()
        .map(|group| {
            order.iter().position(|known| known == group).unwrap_or_else(|| {
                order.push(*group);
                order.len() - 1
            })
        })
        .collect()
}

/// How many of the registers that fit junctions take: constants need some of them, too, at
/// least one of the three groups of eight that there are beside a mask (RISC-V).
fn junction_registers(fitting: usize) -> usize {
    match fitting {
        0..=2 => fitting,
        3 => 2,
        _ => (fitting / 2).clamp(ROTATION, JUNCTION_REGISTERS),
    }
}

/// Registers that operands between junctions need because they can be few others: the factor of
/// which AArch64 takes one element stands in one of eight registers.
fn spared(catalogue: &Catalogue, steps: &[LinkStep<'_>]) -> Vec<RegisterId> {
    let mut classes: Vec<ClassId> = Vec::new();
    for step in steps {
        let between = (0..step.form.operands.len()).filter(|&index| !is_at_junction(step, index));
        for class in between.filter_map(|index| step.form.class_of(index)) {
            if !classes.contains(&class) {
                classes.push(class);
            }
        }
    }
    let registers = classes.into_iter().map(|class| catalogue.allocatable(class));
    let few = registers.filter(|registers| registers.len() <= JUNCTION_REGISTERS);
    few.flatten().copied().collect()
}

/// The registers that junctions with these bounds take in turn, each of which all bounds can see
/// and none of which overlap as seen; the fixed one alone if there is one. Those to be spared come
/// last.
fn anchors_for(
    catalogue: &Catalogue,
    bounds: &[Bound],
    spared: &[RegisterId],
    taken: &Taken,
) -> Vec<RegisterId> {
    let fits = |candidate: RegisterId| {
        bounds.iter().all(|&bound| seen_as(catalogue, bound, candidate).is_some())
    };
    let fixed = bounds.iter().find_map(|bound| match bound {
        Bound::Register(register) => Some(*register),
        Bound::Class(_) => None,
    });
    if let Some(register) = fixed {
        return if fits(register) { vec![register] } else { Vec::new() };
    }
    let Some(&Bound::Class(class)) = bounds.first() else { return Vec::new() };
    let mut free = taken.free(catalogue, class);
    free.sort_by_key(|&register| {
        spared.iter().any(|&other| catalogue.set.overlap(other, register))
    });
    // Where one side sees groups of what the other sees singly, each group is taken once.
    let mut seen = Taken::default();
    let mut is_apart = |candidate: RegisterId| {
        let views = || bounds.iter().filter_map(|&bound| seen_as(catalogue, bound, candidate));
        let apart = views().all(|view| !seen.has(catalogue, view));
        if apart {
            views().for_each(|view| seen.take(catalogue, view));
        }
        apart
    };
    let mut candidates: Vec<RegisterId> =
        free.into_iter().filter(|&candidate| fits(candidate) && is_apart(candidate)).collect();
    candidates.truncate(junction_registers(candidates.len()));
    candidates
}

/// How a bound sees a register: as itself, or as a member of its class that overlaps it; one
/// that begins there, if there is such (the first of a group).
fn seen_as(catalogue: &Catalogue, bound: Bound, register: RegisterId) -> Option<RegisterId> {
    let set = &catalogue.set;
    match bound {
        Bound::Register(fixed) => set.overlap(fixed, register).then_some(fixed),
        Bound::Class(class) => {
            let members = catalogue.allocatable(class);
            // The stack pointer is given to no operand but where an instruction implies it.
            let is_member = members.contains(&register)
                || (catalogue.is_implied_base(register)
                    && set.class(class).registers.contains(&register));
            if is_member {
                return Some(register);
            }
            let begins = |member: &RegisterId| set.register(*member).units.first();
            let beginning =
                members.iter().copied().find(|member| begins(member) == begins(&register));
            beginning
                .or_else(|| members.iter().copied().find(|&other| set.overlap(other, register)))
        }
    }
}
