//! What the front end does: which form fills it and nothing else, and whether it splits instructions.

use super::bench::{Mix, MixtureBench};
use super::blockers::Structure;
use super::inquiry::Inquiry;
use super::subjects::PortSubject;
use crate::infer::ports::{PassingTimes, TOLERANCE};
use crate::kernel::Order;
use crate::metadata::OpcodeId;

/// What is this near to what the front end allows is as quick as that.
const AS_FULL: f64 = 0.03;
/// Forms that are put beside what fills the front end, to see whether it splits them: so many that access memory, and
/// so many that do not.
const LOOKED_AT: usize = 64;
/// They take no longer than so many cycles: what is lost is less than a cycle for each.
const LONGEST: f64 = 4.0;
/// So many of each in a round,
const INSTANCES: [u32; 2] = [1, 2];
/// ... among so many more single slots than there is room for beside a form that needs none.
const MORE: [f64; 4] = [-3.0, -1.0, 1.0, 3.0];
/// Forms of more than a slot that must tell.
const WITNESSES: usize = 4;
/// A front end that splits instructions explains what they take within this share, in the median; one that
/// does not, better by this factor.
const EXPLAINED: f64 = 0.005;
const BETTER: f64 = 0.5;

impl Inquiry {
    /// The form that fills the front end and nothing else, if one of some does: as many as the front end
    /// takes cost what they take there beside every class.
    pub(super) fn front_end(
        &mut self,
        proposed: &[OpcodeId],
        forms: &[PortSubject],
        structure: &Structure,
        bench: &MixtureBench<'_>,
    ) -> Option<Option<OpcodeId>> {
        let Some(width) = structure.classes.width else { return Some(None) };
        let is_quick = |form: &&PortSubject| {
            let rate = 1.0 / form.each;
            proposed.contains(&form.opcode) && (rate / width - 1.0).abs() <= AS_FULL
        };
        let quick: Vec<OpcodeId> = forms.iter().filter(is_quick).map(|form| form.opcode).collect();
        let beside = |opcode: OpcodeId| {
            structure.leaders().map(move |(leader, ports)| {
                let mix = Mix::of([(leader, ports.count()), (opcode, width.round() as u32)]);
                (mix, (f64::from(ports.count()) + width.round()) / width)
            })
        };
        let asked = quick.iter().flat_map(|&opcode| beside(opcode));
        let asked = asked.flat_map(|(mix, _)| bench.experiments(&mix, &[Order::Spread])).collect();
        self.ask(bench.known.knowledge, asked)?;
        let fills = |opcode: &OpcodeId| {
            beside(*opcode).all(|(mix, full)| {
                bench.time(&mix, &Order::FEW).is_some_and(|it| it.cycles <= full * (1.0 + AS_FULL))
            })
        };
        Some(quick.into_iter().find(fills))
    }

    /// Finds out whether the front end splits instructions: if not, what forms take beside one that fills it
    /// is explained by whole slots, and not if these add up.
    pub(super) fn tell_splitting(
        &mut self,
        filler: Option<OpcodeId>,
        forms: &[PortSubject],
        bench: &MixtureBench<'_>,
    ) -> Option<()> {
        let Some((filler, width)) = filler.zip(self.width) else { return Some(()) };
        let tells = |form: &&PortSubject| {
            let may_need_more = form.each * width >= 2.0 - TOLERANCE && form.each <= LONGEST;
            may_need_more && form.breaking.is_empty() && form.opcode != filler
        };
        let (accessing, registers): (Vec<&PortSubject>, Vec<&PortSubject>) =
            forms.iter().filter(tells).partition(|form| form.accesses_memory());
        let among = |form: &PortSubject| among_fillers(form, filler, width);
        let [registers, accessing] = [registers, accessing].map(|all| {
            let some = all.iter().step_by(all.len().div_ceil(LOOKED_AT).max(1));
            some.map(|&form| (form, among(form))).collect::<Vec<(&PortSubject, Vec<Mix>)>>()
        });
        let mixes = registers.iter().chain(&accessing).flat_map(|(_, mixes)| mixes);
        let asked = mixes.flat_map(|mix| bench.experiments(mix, &[Order::Spread])).collect();
        // (Evidence of earlier versions has none of them.)
        self.ask(bench.known.knowledge, asked).or_else(|| self.is_over.then_some(()))?;
        let off = |(form, mixes): &(&PortSubject, Vec<Mix>)| slots_off(form, mixes, width, bench);
        let mut witnesses: Vec<(f64, f64)> = registers.iter().filter_map(off).collect();
        if witnesses.len() < WITNESSES {
            witnesses.extend(accessing.iter().filter_map(off));
        }
        self.splits = splits(&witnesses);
        Some(())
    }

    /// Slots that the front end takes a cycle, if it is known to split no instruction.
    pub(super) fn whole(&self) -> Option<f64> {
        self.width.filter(|_| self.splits == Some(false))
    }
}

/// Whether a front end splits instructions, by how far what some forms take is off if it does, and if it does
/// not. (The middle of them: what a shift of a cell of memory takes is limited by stores, and is off either way.)
fn splits(witnesses: &[(f64, f64)]) -> Option<bool> {
    let middle = |of: fn(&(f64, f64)) -> f64| {
        let mut off: Vec<f64> = witnesses.iter().map(of).collect();
        off.sort_by(f64::total_cmp);
        off.get(off.len() / 2).copied()
    };
    let (split, whole) = middle(|it| it.0).zip(middle(|it| it.1))?;
    log::debug!(
        "front end: {} forms of several slots; off by {split:.4} if it splits them, {whole:.4} if not",
        witnesses.len(),
    );
    let is_split = split <= EXPLAINED || whole >= BETTER * split;
    (witnesses.len() >= WITNESSES).then_some(is_split)
}

/// A form among fewer and more of what fills the front end, about as many as it leaves room for.
fn among_fillers(form: &PortSubject, filler: OpcodeId, width: f64) -> Vec<Mix> {
    let mix = |own: u32, more: f64| {
        let fillers = f64::from(own) * form.each * width + more;
        (fillers >= 1.0).then(|| Mix::of([(form.opcode, own), (filler, fillers.round() as u32)]))
    };
    let both = INSTANCES.iter().flat_map(|&own| MORE.iter().map(move |&more| (own, more)));
    both.filter_map(|(own, more)| mix(own, more)).collect()
}

/// How far what a form takes among what fills the front end is from what the same whole number of slots
/// explains everywhere, on average as a share: where slots add up, and where no instruction is split.
/// Nothing of one that shows a single slot.
fn slots_off(
    form: &PortSubject,
    mixes: &[Mix],
    width: f64,
    bench: &MixtureBench<'_>,
) -> Option<(f64, f64)> {
    let mut off = [[0.0; PassingTimes::MOST_SLOTS]; 2];
    let mut seen = 0_u32;
    for mix in mixes {
        let Some(time) = bench.time(mix, &[Order::Spread]) else { continue };
        let place = mix.parts.iter().position(|(opcode, _)| *opcode == form.opcode)?;
        let own = f64::from(mix.parts[place].1);
        let fillers: u32 = mix.parts.iter().map(|(_, count)| count).sum::<u32>() - own as u32;
        let times = PassingTimes::of(bench.sequence(mix, Order::Spread), place, &|_| 1.0, width);
        let alone = own * form.each;
        for (at, whole) in times.all().enumerate() {
            let split = (f64::from(fillers) + own * (at + 1) as f64) / width;
            for (sums, cycles) in off.iter_mut().zip([split, whole]) {
                sums[at] += (cycles.max(alone) / time.cycles - 1.0).abs();
            }
        }
        seen += 1;
    }
    let [split, whole] = off.map(|sums| {
        let best = (0..sums.len()).min_by(|&a, &b| sums[a].total_cmp(&sums[b])).unwrap_or(0);
        (best, sums[best] / f64::from(seen.max(1)))
    });
    (seen > 0 && whole.0 > 0 && split.0 > 0).then_some((split.1, whole.1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whether_instructions_are_split_is_what_the_middle_of_forms_shows() {
        // Of a Zen 1: microcode, and what is limited by something else.
        let microcode = [(0.029, 0.002), (0.033, 0.003), (0.055, 0.004), (0.054, 0.005)];
        let slow = [(0.15, 0.14), (0.08, 0.10)];
        assert_eq!(splits(&[&microcode[..], &slow].concat()), Some(false));
        let adding = microcode.map(|(split, whole)| (whole, split));
        assert_eq!(splits(&[&adding[..], &slow].concat()), Some(true));
        assert_eq!(splits(&microcode[..3]), None);
        assert_eq!(splits(&[]), None);
    }
}
