//! What forms that access memory use: what their twins use that have everything in registers, and what the
//! access uses.
//!
//! Forms of like twins that access memory alike are a group. Its first form is put beside all streams; if
//! its twin and one of the plain loads and stores explain that together, every form of the group is held to
//! that beside the streams that tell it from what else such forms may use. Forms that it does not explain are
//! groups again, and told like any others in the end.

use std::sync::Arc;

use rayon::prelude::*;

use super::bench::Mix;
use super::fingerprints::Fingerprint;
use super::forms::{Context, Told, ToldForms};
use super::held::{own_time, with_own_time, without_own_time};
use super::refinement::with;
use super::streams::{Usages, alone, observation};
use super::subjects::PortSubject;
use super::verification::{best, cost, held_to};
use crate::catalogue::Catalogue;
use crate::experiment::Experiment;
use crate::form::{AddressPart, InstructionForm, MemoryAccess};
use crate::infer::ports::{FormObservation, Usage, mean_off};
use crate::maps::Map;
use crate::metadata::{ClassId, OpcodeId};

/// What twins explain counts even if it is slower than that by so much on average, and by what twins leave
/// unexplained themselves: what is slow is weak evidence, and hundreds of forms do the same.
const OF_FIRST: f64 = 0.07;
/// The same of what is less than a twin and an access, which is less likely.
const OF_LESS: f64 = 0.05;
/// ... of a form that is held to what the first one of its group showed, by itself and beside a stream or two.
const OF_OTHERS: f64 = 0.1;
/// ... and beside one stream: it was chosen because that shows what a form uses.
const OF_ONE: f64 = 0.2;
/// How often groups are made of forms that use something else than the first of their group.
const GROUPINGS: usize = 3;

/// Forms that access memory, each with those that do the same to registers.
pub(super) struct Twins(Map<OpcodeId, Vec<OpcodeId>>);

/// What twins have in common: the mnemonic, what one of them does to memory, and all operands but the one
/// that is there.
type Shape<'a> = (&'a str, MemoryAccess, Vec<(Option<ClassId>, bool, bool)>);

impl Twins {
    pub fn of(catalogue: &Catalogue) -> Self {
        let mut of_shape: Map<Shape<'_>, Vec<OpcodeId>> = Map::default();
        let is_there = |form: &&InstructionForm| form.memory != MemoryAccess::None;
        for form in catalogue.forms().filter(|form| !is_there(form)) {
            for (access, absent) in replaceable(form) {
                let shape = shape(form, access, |at| absent.contains(&at));
                let alike = of_shape.entry(shape).or_default();
                // (Of two like operands either may be in memory.)
                if alike.last() != Some(&form.opcode) {
                    alike.push(form.opcode);
                }
            }
        }
        let twins = catalogue.forms().filter(is_there).filter_map(|form| {
            let is_address = |at: usize| form.operands[at].address.is_some();
            let twins = of_shape.get(&shape(form, form.memory, is_address))?;
            Some((form.opcode, twins.clone()))
        });
        Self(twins.collect())
    }

    /// The twins of a form, if it accesses memory and has any.
    pub fn of_form(&self, opcode: OpcodeId) -> &[OpcodeId] {
        self.0.get(&opcode).map_or(&[], Vec::as_slice)
    }

    /// Whether it is known what a twin of a form uses.
    pub fn is_known(&self, opcode: OpcodeId, known: &Usages) -> bool {
        !self.usages(opcode, known).is_empty()
    }

    /// What the twins of a form use, as far as that is known, each usage once.
    fn usages<'a>(&self, opcode: OpcodeId, known: &'a Usages) -> Vec<&'a Usage> {
        let twins = self.of_form(opcode).iter();
        each_once(twins.filter_map(|twin| known.get(twin)))
    }
}

/// Operands of a form that others have in memory, with what those do there: a register that it reads, or a
/// result with what is tied to it.
fn replaceable(form: &InstructionForm) -> Vec<(MemoryAccess, Vec<usize>)> {
    let mut out = Vec::new();
    for (at, operand) in form.operands.iter().enumerate() {
        let is_register = form.class_of(at).is_some();
        if is_register && operand.read && !operand.write && operand.tied_to.is_none() {
            out.push((MemoryAccess::Load, vec![at]));
        }
        if is_register && operand.write {
            let is_tied = |other: &usize| form.operands[*other].tied_to == Some(at);
            let tied = (0..form.operands.len()).filter(is_tied);
            let both: Vec<usize> = [at].into_iter().chain(tied).collect();
            if operand.read || both.len() > 1 {
                out.push((MemoryAccess::Both, both.clone()));
            }
            out.push((MemoryAccess::Store, both));
        }
    }
    out
}

fn shape(
    form: &InstructionForm,
    access: MemoryAccess,
    is_absent: impl Fn(usize) -> bool,
) -> Shape<'_> {
    let rest = (0..form.operands.len()).filter(|&at| !is_absent(at));
    let operands = rest.map(|at| {
        let operand = &form.operands[at];
        (form.class_of(at), operand.read, operand.write)
    });
    (&form.mnemonic, access, operands.collect())
}

/// What plain loads and stores use, each usage once, but for what is a single form's own.
pub(super) struct Accesses {
    loads: Vec<Usage>,
    stores: Vec<Usage>,
}

impl Accesses {
    /// Forms that load or store and do nothing else.
    pub fn forms(catalogue: &Catalogue) -> Vec<OpcodeId> {
        let (loads, stores) = plain(catalogue);
        loads.into_iter().chain(stores).collect()
    }

    pub fn of(catalogue: &Catalogue, known: &Usages) -> Self {
        let distinct = |opcodes: Vec<OpcodeId>| -> Vec<Usage> {
            let usages = opcodes.iter().filter_map(|opcode| known.get(opcode));
            let shared: Vec<Usage> = usages.map(without_own_time).collect();
            each_once(shared.iter()).into_iter().cloned().collect()
        };
        let (loads, stores) = plain(catalogue);
        Self { loads: distinct(loads), stores: distinct(stores) }
    }

    /// What an access of some kind may use: one that reads and writes goes to both places, or has one
    /// address for both.
    fn of_kind(&self, access: MemoryAccess) -> Vec<Usage> {
        match access {
            MemoryAccess::None => Vec::new(),
            MemoryAccess::Load => self.loads.clone(),
            MemoryAccess::Store => self.stores.clone(),
            MemoryAccess::Both => {
                let both = |store: &Usage| {
                    let loads = self.loads.iter().map(|load| load.and(store, store.slots));
                    [store.clone()].into_iter().chain(loads).collect::<Vec<_>>()
                };
                self.stores.iter().flat_map(both).collect()
            }
        }
    }
}

/// Plain loads and stores.
fn plain(catalogue: &Catalogue) -> (Vec<OpcodeId>, Vec<OpcodeId>) {
    let moves = catalogue.isa.plain_moves().iter().map(|plain| (plain.load, plain.store));
    let all: Vec<(&str, &str)> = moves.chain(catalogue.isa.copies().iter().copied()).collect();
    let named = |names: &mut dyn Iterator<Item = &str>| -> Vec<OpcodeId> {
        names.filter_map(|name| Some(catalogue.form_by_name(name)?.opcode)).collect()
    };
    (named(&mut all.iter().map(|(load, _)| *load)), named(&mut all.iter().map(|(_, store)| *store)))
}

/// What a form may use.
struct Composed {
    /// What its twin and its access use, if it is both.
    parts: Option<[Usage; 2]>,
    usage: Usage,
}

impl Composed {
    fn of_form(&self, residual: f64) -> Told {
        let usage = self.usage.clone();
        match self.parts.clone() {
            Some(parts) => Told::Composed { parts: parts.into(), usage, residual },
            None => Told::Inherited { usage, residual, equally_good: 1 },
        }
    }
}

/// Whether one stream shows that a form does more than a usage says. All streams together may hide it, most of which what a
/// form does not use. (`cvtsi2sd xmm0, [m]` of a Zen 4 loads and converts, and only streams of the ports that convert
/// are slow beside it: one and one `vaddpd` take a cycle each, where a load and `vaddpd` take half of one.)
fn does_more(usage: &Usage, seen: &[FormObservation], width: Option<f64>) -> bool {
    seen.iter().any(|it| it.off(usage, width) < -(OF_ONE + it.uncertainty))
}

/// A usage without one of its micro-operations, each in turn.
fn with_fewer(usage: &Usage) -> impl Iterator<Item = Usage> {
    (0..usage.micro_ops.len()).map(|at| {
        let mut fewer = usage.micro_ops.clone();
        fewer[at].0 -= 1;
        with(usage, fewer, usage.slots)
    })
}

fn each_once<'a>(usages: impl Iterator<Item = &'a Usage>) -> Vec<&'a Usage> {
    let mut out: Vec<&Usage> = Vec::new();
    for usage in usages {
        if !out.contains(&usage) {
            out.push(usage);
        }
    }
    out
}

/// Forms that access memory alike and have like twins, by their places.
struct Kin<'a> {
    twins: Vec<&'a Usage>,
    /// What is accessed: whether it is read or written, how many bits, and whether an index tells where.
    access: (MemoryAccess, u32, bool),
    forms: Vec<usize>,
    /// How far what twins use is from what mixtures of those take: those of the forms are at least as far off.
    unexplained: f64,
}

/// What the first form of a group uses, and the streams beside which one would take longer or less long that uses
/// anything else of what it may.
struct OfFirst {
    told: Composed,
    streams: Vec<usize>,
}

/// A form of a group.
struct KinForm<'a> {
    /// Its place.
    at: usize,
    subject: &'a PortSubject,
    first: &'a OfFirst,
    /// That of its group.
    unexplained: f64,
}

impl Context<'_> {
    /// What those of some forms use whose twins tell it, or what is to be measured to know.
    pub fn told_by_twins(
        &self,
        subjects: &[PortSubject],
        (twins, accesses): (&Twins, &Accesses),
        known: &Map<OpcodeId, Told>,
    ) -> Arc<ToldForms> {
        self.remembered(|| {
            let mut out = ToldForms::open(subjects.len());
            let mut groups = self.kin(subjects, twins, known);
            for _ in 0..GROUPINGS {
                groups = self.told_like_first(subjects, groups, accesses, &mut out);
                if groups.is_empty() || !out.next.is_empty() {
                    break;
                }
            }
            out
        })
    }

    /// Tells what forms of groups use by the first of each. Those that use something else than it are groups
    /// again. (`MOVSHDUPrm` of a Zen 4 loads and does no more, though its twin shuffles; `PUNPCKLBWrm`, of the
    /// same twin usage and access, does both.)
    fn told_like_first<'k>(
        &self,
        subjects: &[PortSubject],
        groups: Vec<Kin<'k>>,
        accesses: &Accesses,
        out: &mut ToldForms,
    ) -> Vec<Kin<'k>> {
        let print = |kin: &Kin<'_>| self.fingerprint(&subjects[kin.forms[0]]);
        let prints: Vec<Arc<Fingerprint>> = groups.par_iter().map(print).collect();
        out.next = prints.iter().flat_map(|print| print.next.iter().cloned()).collect();
        if !out.next.is_empty() {
            return Vec::new();
        }
        let of_first = groups.into_par_iter().zip(&prints).filter_map(|(kin, print)| {
            let first = self.of_first(&subjects[kin.forms[0]], &kin, accesses, print)?;
            Some((kin, first))
        });
        let of_first: Vec<(Kin<'k>, OfFirst)> = of_first.collect();
        let members = of_first.iter().flat_map(|(kin, first)| {
            let unexplained = kin.unexplained;
            kin.forms.iter().map(move |&at| KinForm {
                at,
                subject: &subjects[at],
                first,
                unexplained,
            })
        });
        let members: Vec<KinForm<'_>> = members.collect();
        let asked: Vec<Experiment> =
            members.par_iter().flat_map_iter(|member| self.experiments(member)).collect();
        out.next = self.unanswered(asked);
        if !out.next.is_empty() {
            return Vec::new();
        }
        let seen: Vec<Vec<FormObservation>> =
            members.par_iter().map(|member| self.seen(member)).collect();
        for (member, seen) in members.iter().zip(seen) {
            let told = &member.first.told;
            let usage = self.explaining_alone(&told.usage, member.subject, &seen);
            let is_explained = seen.iter().all(|it| it.off(&usage, self.width).abs() <= OF_ONE);
            let allowed = OF_OTHERS + member.unexplained;
            if is_explained && cost(&usage, &seen, self.width) <= allowed {
                let residual = mean_off(&told.usage, &seen, self.width);
                out.told[member.at] = told.of_form(residual);
                out.seen[member.at] = seen;
            }
        }
        let rest = of_first.into_iter().filter_map(|(kin, _)| {
            let is_open = |at: &usize| matches!(out.told[*at], Told::Open);
            let forms: Vec<usize> = kin.forms[1..].iter().copied().filter(is_open).collect();
            (!forms.is_empty()).then_some(Kin { forms, ..kin })
        });
        rest.collect()
    }

    /// What the first form of a group uses, if its twin and an access tell it.
    fn of_first(
        &self,
        first: &PortSubject,
        kin: &Kin<'_>,
        accesses: &Accesses,
        print: &Fingerprint,
    ) -> Option<OfFirst> {
        let mut candidates = self.composed(first, kin, accesses);
        let explaining = |it: &Composed| self.explaining_alone(&it.usage, first, &print.seen);
        let usages: Vec<Usage> = candidates.iter().map(explaining).collect();
        let usages: Vec<&Usage> = usages.iter().collect();
        // (What a twin does, a form does that loads its operand: one mixture may not show it.)
        let whole_first = |at: usize| (candidates[at].parts.is_none(), usages[at].count());
        let (cost, at) = best(&usages, &print.seen, self.width, whole_first)?;
        let does_more =
            candidates[at].parts.is_none() && does_more(usages[at], &print.seen, self.width);
        let told = candidates.swap_remove(at);
        let nothing = Usage::of([], told.usage.slots);
        let rivals: Vec<&Usage> = candidates.iter().map(|it| &it.usage).chain([&nothing]).collect();
        let streams = self.telling_apart(first, &told.usage, &rivals);
        let most = if told.parts.is_some() { OF_FIRST } else { OF_LESS };
        (cost <= most + kin.unexplained && !does_more).then_some(OfFirst { told, streams })
    }

    /// The mixtures that a form of a group is held to.
    fn mixes(&self, member: &KinForm<'_>) -> Vec<Mix> {
        let [length, _] = self.lengths(member.subject);
        let streams = member.first.streams.iter();
        let mixes = streams.map(|&at| self.streams.all[at].beside(member.subject, length));
        mixes.filter(|mix| mix.parts.len() > 1).collect()
    }

    /// What is to be measured of those.
    fn experiments(&self, member: &KinForm<'_>) -> Vec<Experiment> {
        let told = (member.subject, &member.first.told.usage);
        let of_mix = |mix| held_to(mix, told, self.blockers, self.width, &self.bench);
        self.mixes(member).iter().flat_map(of_mix).collect()
    }

    /// What a form of a group took by itself, and in its mixtures.
    fn seen(&self, member: &KinForm<'_>) -> Vec<FormObservation> {
        let mixes = self.mixes(member);
        let seen = mixes
            .iter()
            .filter_map(|mix| observation(mix, member.subject.opcode, self.blockers, &self.bench));
        alone(member.subject, self.blockers, self.bench.whole).into_iter().chain(seen).collect()
    }

    /// A usage with what a form's duration by itself needs besides, which was seen first.
    fn explaining_alone(
        &self,
        usage: &Usage,
        subject: &PortSubject,
        seen: &[FormObservation],
    ) -> Usage {
        let quickest = |first: &FormObservation| {
            let cycles = first.own * own_time(seen, subject);
            FormObservation { cycles, ..first.clone() }
        };
        let single = seen.first().map(quickest);
        let with = single.and_then(|it| with_own_time(usage, subject, &it, self.width));
        with.unwrap_or_else(|| usage.clone())
    }

    /// Groups of forms that have twins.
    fn kin(
        &self,
        subjects: &[PortSubject],
        twins: &Twins,
        known: &Map<OpcodeId, Told>,
    ) -> Vec<Kin<'_>> {
        let mut out: Vec<Kin<'_>> = Vec::new();
        for (at, subject) in subjects.iter().enumerate() {
            let Some(form) = self.bench.catalogue.form(subject.opcode) else { continue };
            let usages = twins.usages(subject.opcode, self.blockers);
            if usages.is_empty() {
                continue;
            }
            let index = form.operand_of(AddressPart::Index);
            let has_index = index.is_some_and(|index| form.class_of(index).is_some());
            let access = (form.memory, form.access_bits, has_index);
            match out.iter_mut().find(|kin| kin.access == access && kin.twins == usages) {
                Some(kin) => kin.forms.push(at),
                None => {
                    let of_twins = twins.of_form(subject.opcode).iter();
                    let residuals = of_twins.filter_map(|twin| known.get(twin)?.residual());
                    let unexplained = residuals.reduce(f64::min).unwrap_or(0.0);
                    out.push(Kin { twins: usages, access, forms: vec![at], unexplained });
                }
            }
        }
        out
    }

    /// What a form of a group may use: an access, alone or with what one of its twins uses, or all but one
    /// micro-operation of that. (`VCVTDQ2PDYrm` of a Zen 4 loads what its twin shuffles into place.)
    fn composed(&self, first: &PortSubject, kin: &Kin<'_>, accesses: &Accesses) -> Vec<Composed> {
        let allowed = self.slots(first);
        let mut out: Vec<Composed> = Vec::new();
        for access in accesses.of_kind(kin.access.0) {
            for &slots in allowed.likely.iter().chain(&allowed.fewer) {
                let alone = |usage: Usage| Composed { parts: None, usage };
                for &twin in &kin.twins {
                    let parts = Some([twin.clone(), access.clone()]);
                    out.push(Composed { parts, usage: twin.and(&access, slots) });
                    out.extend(with_fewer(twin).map(|fewer| alone(fewer.and(&access, slots))));
                }
                out.push(alone(Usage { slots, ..access.clone() }));
            }
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::infer::ports::Demand;

    #[cfg(feature = "llvm")]
    #[test]
    fn a_form_has_the_twin_that_does_the_same_to_registers() {
        let catalogue =
            crate::study::ports::of_a_test::catalogue("x86_64-unknown-linux-gnu", "znver4");
        let twins = Twins::of(&catalogue);
        let names = |name: &str| -> Vec<&str> {
            let form = catalogue.form_by_name(name).unwrap();
            let twins = twins.0.get(&form.opcode).into_iter().flatten();
            twins.map(|twin| catalogue.set.opcode(*twin).name.as_str()).collect()
        };
        assert_eq!(names("VPADDDYrm"), ["VPADDDYrr"]);
        assert_eq!(names("VPADDDZ256rmbk"), ["VPADDDZ256rrk"]);
        assert_eq!(names("VPMOVQBZmrk"), ["VPMOVQBZrrk", "VPMOVQBZrrkz"]);
        assert!(names("ADD64mr").contains(&"ADD64rr"));
        assert!(names("SHL8mCL").contains(&"SHL8rCL"));
        assert!(names("MOV64rm").contains(&"MOV64rr"));
        assert_eq!(names("VGATHERDPSYrm"), [""; 0]);

        // What microcode does to registers it does to memory, unless another twin has ports.
        let opcode = |name: &str| catalogue.form_by_name(name).unwrap().opcode;
        let in_microcode = Told::Microcode { slots: Some(6.0) };
        let mut told = Map::from_iter([(opcode("VPMOVQBZrrk"), in_microcode)]);
        let executes_twins = |name: &str, told: &Map<OpcodeId, Told>| {
            crate::study::ports::microcode::executes_twins(opcode(name), &twins, told)
        };
        assert!(executes_twins("VPMOVQBZmrk", &told));
        assert!(!executes_twins("VPADDDYrm", &told));
        told.insert(opcode("VPMOVQBZrrkz"), Told::Contradictory);
        assert!(!executes_twins("VPMOVQBZmrk", &told));
    }

    #[test]
    fn what_reads_and_writes_has_one_address_or_two() {
        let on = |ports: &[u32]| {
            Usage::of([(1, crate::infer::ports::Ports::of(ports.iter().copied()))], 1.0)
        };
        let (load, store) = (on(&[2, 3]), on(&[4]));
        let accesses = Accesses { loads: vec![load.clone()], stores: vec![store.clone()] };
        assert_eq!(accesses.of_kind(MemoryAccess::Load), std::slice::from_ref(&load));
        assert_eq!(accesses.of_kind(MemoryAccess::Store), std::slice::from_ref(&store));
        assert_eq!(accesses.of_kind(MemoryAccess::Both), [store.clone(), load.and(&store, 1.0)]);
        assert!(accesses.of_kind(MemoryAccess::None).is_empty());
    }

    #[test]
    fn one_stream_shows_that_a_form_does_more() {
        let on = |ports: &[u32]| {
            Usage::of([(1, crate::infer::ports::Ports::of(ports.iter().copied()))], 1.0)
        };
        let (load, add, converts) = (on(&[2, 3]), on(&[0, 1]), on(&[0, 1]).and(&on(&[2, 3]), 1.0));
        let beside = |truth: &Usage, others: &Usage| {
            let demand = Demand::of([(others, 2.0)]);
            let mut all = demand.clone();
            all.add(truth, 2.0);
            FormObservation {
                own: 2.0,
                others: demand,
                cycles: all.cycles(None),
                uncertainty: 0.01,
                passing: None,
            }
        };
        let others = [add, on(&[4, 5]), on(&[5, 6]), on(&[6, 7]), on(&[7, 8]), load.clone()];
        let seen = |truth: &Usage| others.iter().map(|it| beside(truth, it)).collect::<Vec<_>>();
        assert!(does_more(&load, &seen(&converts), None));
        assert!(!does_more(&converts, &seen(&converts), None));
        assert!(!does_more(&load, &seen(&load), None));
        // What is faster says nothing of that.
        assert!(!does_more(&converts, &seen(&load), None));
    }

    #[test]
    fn every_micro_operation_is_left_out_once() {
        let ports = |numbers: &[u32]| crate::infer::ports::Ports::of(numbers.iter().copied());
        let usage = Usage::of([(2, ports(&[0])), (1, ports(&[1]))], 2.0);
        let fewer: Vec<Usage> = with_fewer(&usage).collect();
        let one = Usage::of([(1, ports(&[0])), (1, ports(&[1]))], 2.0);
        assert_eq!(fewer, [one, Usage::of([(2, ports(&[0]))], 2.0)]);
    }
}
