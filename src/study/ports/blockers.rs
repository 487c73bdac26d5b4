//! Forms that keep known ports busy: which of the ISA's candidates are one micro-operation, and where it
//! goes.

use super::bench::{Mix, MixtureBench};
use super::subjects::PortSubject;
use crate::experiment::Experiment;
use crate::form::MemoryAccess;
use crate::infer::ports::{
    Blocker, PairTimes, PortClasses, Ports, Usage, WorkedOn, classes, cycles,
};
use crate::kernel::Order;
use crate::maps::Map;
use crate::metadata::OpcodeId;

/// Forms that a core does so many of in a cycle.
const MOST: u32 = 12;
/// Candidates do `1/T` in a cycle, which is whole within this share.
const WHOLE: f64 = 0.025;
/// A pair whose union is whole within this share needs no other order.
const EXPLAINED: f64 = 0.02;
/// Mixtures that tell structures apart, at most.
const MOST_TELLING: usize = 12;
/// Structures predict a mixture differently if they differ by more.
const TOLD: f64 = 0.06;

/// Candidates and what is known of them.
#[derive(Default)]
pub(super) struct Blockers {
    pub forms: Vec<OpcodeId>,
    widths: Vec<u32>,
    memory: Vec<MemoryAccess>,
    registers: Vec<WorkedOn>,
}

/// Classes whose ports are known.
pub(super) struct Structure {
    /// The class of each.
    pub classes: PortClasses,
    /// Its ports.
    pub sets: Vec<Ports>,
    /// Structures that explain everything as well.
    pub equally_good: usize,
    forms: Vec<OpcodeId>,
}

impl Blockers {
    /// Those of some subjects that may be one micro-operation.
    pub fn of(subjects: &[PortSubject]) -> Self {
        let mut out = Self::default();
        for subject in subjects.iter().filter(|subject| subject.may_block) {
            let per_cycle = 1.0 / subject.each;
            let width = per_cycle.round();
            let is_whole = (per_cycle / width - 1.0).abs() <= WHOLE;
            if is_whole && (1.0..=f64::from(MOST)).contains(&width) {
                out.forms.push(subject.opcode);
                out.widths.push(width as u32);
                out.memory.push(subject.memory);
                out.registers.push(subject.registers);
            }
        }
        out
    }

    fn pairs(&self) -> impl Iterator<Item = (usize, usize, Mix)> + '_ {
        let pairs = (0..self.forms.len()).flat_map(|one| (0..one).map(move |other| (one, other)));
        pairs.map(|(one, other)| {
            let part = |at: usize| (self.forms[at], self.widths[at]);
            (one, other, Mix::of([part(one), part(other)]))
        })
    }

    /// The pairs that have to be timed, as far as is known: each in one order, and where that is not
    /// explained in the other.
    pub fn experiments(&self, bench: &MixtureBench<'_>) -> Vec<Experiment> {
        let mut asked = Vec::new();
        for (one, other, mix) in self.pairs() {
            let is_explained = bench.time(&mix, &[Order::Spread]).is_none_or(|time| {
                let rate = f64::from(self.widths[one] + self.widths[other]) / time.cycles;
                (rate / rate.round() - 1.0).abs() <= EXPLAINED
            });
            let orders = if is_explained { &[Order::Spread][..] } else { &Order::FEW[..] };
            asked.extend(bench.experiments(&mix, orders));
        }
        asked
    }

    /// Their classes.
    pub fn classes(&self, bench: &MixtureBench<'_>) -> PortClasses {
        let mut times = PairTimes::new(self.forms.len());
        for (one, other, mix) in self.pairs() {
            if let Some(time) = bench.time(&mix, &Order::FEW) {
                times.insert(one, other, time.cycles);
            }
        }
        let blocker = |at: usize| Blocker {
            width: self.widths[at],
            memory: self.memory[at],
            registers: self.registers[at],
        };
        let blockers: Vec<Blocker> = (0..self.forms.len()).map(blocker).collect();
        classes(&blockers, &times)
    }
}

impl Structure {
    /// What classes are known to be, with what is yet to be measured to choose between structures.
    pub fn of(blockers: &Blockers, bench: &MixtureBench<'_>) -> (Self, Vec<Experiment>) {
        let classes = blockers.classes(bench);
        let telling = telling(&classes, blockers);
        let asked = telling.iter().flat_map(|mix| bench.experiments(mix, &Order::FEW)).collect();
        let penalty = |sets: &[Ports]| -> f64 {
            let usages = usages(sets);
            let of_opcode: Map<OpcodeId, &Usage> = classes
                .members
                .iter()
                .zip(&usages)
                .map(|(members, usage)| (blockers.forms[members[0]], usage))
                .collect();
            let off = telling.iter().filter_map(|mix| {
                let time = bench.time(mix, &Order::FEW)?;
                let uses = mix.parts.iter().map(|(form, n)| (of_opcode[form], f64::from(*n)));
                let uses: Vec<_> = uses.collect();
                let off = cycles(&uses, classes.width) / time.cycles - 1.0;
                // Fast is proof, slow is only evidence.
                Some(if off > 0.0 { 3.0 * off } else { -off })
            });
            off.sum()
        };
        let all = &classes.structures.all;
        let rated: Vec<f64> = all.iter().map(|sets| penalty(sets)).collect();
        let least = rated.iter().copied().fold(f64::INFINITY, f64::min);
        let best = rated.iter().position(|&rated| rated <= least);
        let equally_good = rated.iter().filter(|&&rated| rated <= least + TOLD / 2.0).count();
        let sets = best.map_or_else(Vec::new, |best| all[best].clone());
        (Self { sets, equally_good, forms: blockers.forms.clone(), classes }, asked)
    }

    /// The form that stands for each class.
    pub fn leaders(&self) -> impl Iterator<Item = (OpcodeId, Ports)> + '_ {
        let leaders = self.classes.members.iter().map(|members| self.forms[members[0]]);
        leaders.zip(self.sets.iter().copied())
    }

    /// All forms of classes with their usage.
    pub fn members(&self) -> impl Iterator<Item = (OpcodeId, Usage)> + '_ {
        let classes = self.classes.members.iter().zip(usages(&self.sets));
        classes.flat_map(|(members, usage)| {
            let with_usage = |&member: &usize| (self.forms[member], usage.clone());
            members.iter().map(with_usage).collect::<Vec<_>>()
        })
    }
}

fn usages(sets: &[Ports]) -> Vec<Usage> {
    sets.iter().map(|&set| Usage::of([(1, set)], 1.0)).collect()
}

/// Mixtures of three and four classes that structures predict differently.
fn telling(classes: &PortClasses, blockers: &Blockers) -> Vec<Mix> {
    let all: Vec<Vec<Usage>> = classes.structures.all.iter().map(|sets| usages(sets)).collect();
    if all.len() < 2 {
        return Vec::new();
    }
    let leaders: Vec<usize> = classes.members.iter().map(|members| members[0]).collect();
    let count = leaders.len();
    let mut found: Vec<(f64, Mix)> = Vec::new();
    let mut look_at = |chosen: &[usize]| {
        let predicted = all.iter().map(|usages| {
            let uses: Vec<_> = chosen
                .iter()
                .map(|&class| (&usages[class], f64::from(blockers.widths[leaders[class]])))
                .collect();
            cycles(&uses, classes.width)
        });
        let (mut least, mut most) = (f64::INFINITY, 0.0_f64);
        predicted.for_each(|it| (least, most) = (least.min(it), most.max(it)));
        let apart = most / least - 1.0;
        if apart > TOLD {
            let part =
                |&class: &usize| (blockers.forms[leaders[class]], blockers.widths[leaders[class]]);
            found.push((apart, Mix::of(chosen.iter().map(part))));
        }
    };
    for a in 0..count {
        for b in 0..a {
            for c in 0..b {
                look_at(&[a, b, c]);
            }
        }
    }
    found.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    found.truncate(MOST_TELLING);
    found.into_iter().map(|(_, mix)| mix).collect()
}
