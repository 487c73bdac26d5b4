//! All steps in their order, as far as what is known leads.

use std::sync::Arc;

use super::bench::{Duration, Mix, MixtureBench};
use super::blockers::{Blockers, Structure};
use super::forms::{Context, Memo, Subjects, TellingStep, Told, ToldForms};
use super::held::PRIVATE;
use super::microcode;
use super::streams::{Streams, Usages};
use super::subjects::{PortSubject, Unfit, candidates, front_end_candidates, subjects};
use super::training::{Drawing, Judged, MixtureKind, Urn, draw, judge};
use super::twins::{Accesses, Twins};
use super::verification::Verifiers;
use super::waits::Waits;
use crate::catalogue::Catalogue;
use crate::experiment::Experiment;
use crate::infer::Knowledge;
use crate::infer::ports::{FormObservation, Ports, Refined, Usage, sets_of};
use crate::kernel::Order;
use crate::maps::{Map, Set};
use crate::metadata::OpcodeId;
use crate::study::throughput::ThroughputStudy;
use crate::study::{Grid, Known, Study, unanswered};

/// Random mixtures that judge the result, of a whole machine.
const JUDGED: usize = 240;
/// With fewer forms nobody asks for a whole machine.
const WHOLE_MACHINE: usize = 400;
/// Which mixtures those are; a user's own gives others.
const JUDGING_SEED: u64 = 2;
/// Of so many experiments one may be missing in the end.
const MISSING: usize = 50;
/// Forms that are predicted together when they are asked for by name.
const NAMED: std::ops::RangeInclusive<usize> = 2..=12;

/// What is known, and what is to be asked next.
#[derive(Default)]
pub(super) struct Inquiry {
    pub next: Vec<Experiment>,
    pub sets: Vec<Ports>,
    /// Structures that explain what is known of blockers as well.
    pub equally_good: usize,
    pub width: Option<f64>,
    /// Whether the front end splits an instruction between two cycles, if that is known.
    pub splits: Option<bool>,
    /// Forms with a throughput, and what is told of them.
    pub told: Map<OpcodeId, Told>,
    /// What mixtures showed of them.
    pub seen: Map<OpcodeId, Vec<FormObservation>>,
    /// Usages after the refinement.
    pub usages: Usages,
    pub unfit: Map<OpcodeId, Unfit>,
    /// How long forms wait for themselves.
    pub waits: Arc<Waits>,
    /// Whether nothing more can be measured.
    pub is_over: bool,
    /// Forms that access memory and do not use what a twin in registers and a plain access use together.
    pub unlike_twins: Set<OpcodeId>,
    /// Forms beside which breakers stand.
    pub broken: Vec<OpcodeId>,
    /// Resources that several forms hold, by one of them, with what that takes.
    pub resources: Vec<(OpcodeId, f64)>,
    /// What forms of the same usage had before the refinement.
    pub refined: Option<Refined>,
    /// Mixtures that nothing was fitted to.
    pub judged: Vec<(MixtureKind, Mix, Judged)>,
    /// The mixture of the forms that were asked for by name.
    pub named: Vec<(Mix, Option<Judged>)>,
}

impl Inquiry {
    /// Goes as far as what is known leads, while more is measured, or once nothing more can be.
    pub fn of(
        catalogue: &Catalogue,
        asked: &[OpcodeId],
        grid: &Grid,
        (knowledge, is_over): (&Knowledge, bool),
        memo: &Memo,
    ) -> Self {
        let mut out = Self { is_over, ..Self::default() };
        out.go_on(catalogue, asked, grid, knowledge, memo);
        out
    }

    /// Every step returns when there is something to ask before the next one.
    fn go_on(
        &mut self,
        catalogue: &Catalogue,
        asked: &[OpcodeId],
        grid: &Grid,
        knowledge: &Knowledge,
        memo: &Memo,
    ) -> Option<()> {
        let known = Known::of(catalogue, knowledge);
        let blocking = candidates(catalogue);
        let in_front = front_end_candidates(catalogue);
        let pool: Vec<OpcodeId> = blocking.iter().chain(&in_front).copied().collect();
        let given = given(catalogue, grid);
        let of_given = given.iter().flat_map(|mix| mix.parts.iter().map(|&(opcode, _)| opcode));
        let wanted = match grid.given.is_empty() {
            true => distinct(asked.iter().chain(&pool).copied()),
            false => distinct(of_given),
        };
        let subjects = match memo.subjects.get() {
            Some(known) => known,
            None => {
                let subjects = self.subjects(catalogue, &wanted, known)?;
                memo.subjects.get_or_init(|| subjects)
            }
        };
        let Subjects { forms, unfit, waits } = subjects.clone();
        self.unfit = unfit.into_iter().collect();
        self.waits = Arc::clone(&waits);
        let bench = MixtureBench { catalogue, known, waits: &waits, whole: None };
        if !grid.given.is_empty() {
            return self.measure_given(given, &bench);
        }

        let structure = match memo.structure.get() {
            Some(known) => known,
            None => {
                let blockers = Blockers::of(&forms);
                self.ask(knowledge, blockers.experiments(&bench))?;
                let (structure, telling) = Structure::of(&blockers, &bench);
                self.ask(knowledge, telling)?;
                memo.structure.get_or_init(|| structure)
            }
        };
        self.sets.clone_from(&structure.sets);
        self.width = structure.classes.width;
        self.equally_good = structure.equally_good;

        let front_end = self.front_end(&in_front, &forms, structure, &bench)?;
        self.tell_splitting(front_end, &forms, &bench)?;
        let bench = MixtureBench { whole: self.whole(), ..bench };
        let sets = sets_of(&structure.sets);
        let first = plausible(&structure.sets, &sets);
        let mut usages: Usages = structure.members().collect();
        let members = usages.clone();
        let is_plain = Accesses::forms(catalogue);
        // (What loads or stores and is no blocker holds what others that do so hold: all are told together.)
        let is_told_first = |form: &PortSubject| {
            let is_blocker = members.contains_key(&form.opcode);
            pool.contains(&form.opcode) && (is_blocker || !is_plain.contains(&form.opcode))
        };
        let (pool, rest): (Vec<PortSubject>, Vec<PortSubject>) =
            forms.into_iter().partition(is_told_first);
        usages.extend(front_end.map(|opcode| (opcode, Usage::of([], 1.0))));
        let streams = Streams::of(structure, &[], front_end);
        let is_over = self.is_over;
        let context = |step, streams, blockers, (extras, resources)| Context {
            bench,
            is_over,
            streams,
            sets: &sets,
            width: structure.classes.width,
            blockers,
            extras,
            resources,
            step,
            memo,
        };
        let known = usages.clone();
        self.tell(
            &pool,
            &first,
            &context(TellingStep::Candidates, &streams, &known, (&[], 0)),
            &mut usages,
        )?;
        let extras: Vec<usize> = (0..self.resources.len()).collect();

        let streams = Streams::of(structure, &self.resources, front_end);
        let known = usages.clone();
        let in_pool: Vec<Usage> = distinct_usages(&first, &usages);
        let (broken, free): (Vec<PortSubject>, Vec<PortSubject>) =
            rest.into_iter().partition(|form| !form.breaking.is_empty());
        self.broken = broken.iter().map(|form| form.opcode).collect();
        let (accessing, registers): (Vec<PortSubject>, Vec<PortSubject>) =
            free.into_iter().partition(PortSubject::accesses_memory);
        let step =
            context(TellingStep::Registers, &streams, &known, (&extras, self.resources.len()));
        self.tell(&registers, &in_pool, &step, &mut usages)?;

        let of_forms = memo.twins.get_or_init(|| Twins::of(catalogue));
        let (in_microcode, accessing): (Vec<PortSubject>, Vec<PortSubject>) = accessing
            .into_iter()
            .partition(|form| microcode::executes_twins(form.opcode, of_forms, &self.told));
        let microcode = in_microcode.iter().map(|it| (it.opcode, Told::Microcode { slots: None }));
        self.told.extend(microcode);

        let (plain, accessing): (Vec<PortSubject>, Vec<PortSubject>) =
            accessing.into_iter().partition(|form| is_plain.contains(&form.opcode));
        let known = usages.clone();
        let step =
            context(TellingStep::Accesses, &streams, &known, (&extras, self.resources.len()));
        self.tell(&plain, &in_pool, &step, &mut usages)?;
        let extras: Vec<usize> =
            extras.iter().copied().chain(step.resources..self.resources.len()).collect();
        let with_streams: Vec<(OpcodeId, f64)> =
            extras.iter().map(|&resource| self.resources[resource]).collect();
        let streams = Streams::of(structure, &with_streams, front_end);

        let verifiers = Verifiers { catalogue, candidates: &blocking, blockers: &members, bench };
        let known = usages.clone();
        let step = context(TellingStep::Twins, &streams, &known, (&extras, self.resources.len()));
        let accesses = Accesses::of(catalogue, &usages);
        let told = step.told_by_twins(&accessing, (of_forms, &accesses), &self.told);
        self.take(&accessing, &told, &step, &mut usages)?;
        let (others, twins): (Vec<PortSubject>, Vec<PortSubject>) =
            accessing.into_iter().partition(|form| !usages.contains_key(&form.opcode));
        let unlike = others.iter().filter(|form| of_forms.is_known(form.opcode, &usages));
        self.unlike_twins = unlike.map(|form| form.opcode).collect();

        let known = usages.clone();
        let step = context(TellingStep::Memory, &streams, &known, (&extras, self.resources.len()));
        let seen = distinct_usages(&first, &usages);
        self.tell(&others, &seen, &step, &mut usages)?;
        let known = usages.clone();
        let step = context(TellingStep::Broken, &streams, &known, (&extras, self.resources.len()));
        let seen = distinct_usages(&first, &usages);
        self.tell(&broken, &seen, &step, &mut usages)?;

        self.usages = usages;
        // (Where breakers stand beside a form, those take part in all mixtures: those are left out.)
        // Those that twins told were held to it by mixtures that tell it from what else they may use.
        let open = [&pool, &registers, &plain, &others].into_iter().flatten();
        let open: Vec<&PortSubject> = open.filter(|it| it.breaking.is_empty()).collect();
        self.verify(&open, &verifiers, &first)?;
        let free = [&pool, &registers, &plain, &twins, &others].into_iter().flatten();
        let free: Vec<&PortSubject> = free.collect();
        let forms: Vec<&PortSubject> = free.iter().copied().chain(&broken).collect();
        self.explain_alone(&forms);
        let unbroken = free.iter().filter(|it| it.breaking.is_empty());
        let durations: Vec<(OpcodeId, f64)> = unbroken.map(|it| (it.opcode, it.each)).collect();
        if asked.len() >= WHOLE_MACHINE {
            let trained = match memo.trained.get() {
                Some(known) => known,
                None => {
                    let of_front_end = front_end.is_some();
                    let trained =
                        self.train(catalogue, &durations, &bench, (&sets, of_front_end))?;
                    memo.trained.get_or_init(|| trained)
                }
            };
            self.usages.clone_from(&trained.usages);
            self.resources.clone_from(&trained.resources);
            self.refined = Some(trained.refined.clone());
            self.explain_alone(&forms);
        }
        self.shed_idle_resources();
        self.judge(catalogue, &durations, (asked, &forms), grid, &bench)
    }

    /// All forms with their throughputs, and how long they wait for themselves, once those are known.
    fn subjects(
        &mut self,
        catalogue: &Catalogue,
        wanted: &[OpcodeId],
        known: Known<'_>,
    ) -> Option<Subjects> {
        let knowledge = known.knowledge;
        // (What was measured later may raise new questions of throughputs that were settled before.)
        if !self.is_over {
            self.ask(knowledge, ThroughputStudy::new(catalogue, wanted).next(knowledge))?;
        }
        let (mut forms, unfit) = subjects(catalogue, wanted, knowledge);
        add_breakers(catalogue, &mut forms, knowledge);
        self.ask(knowledge, Waits::experiments(catalogue, &forms))?;
        let waits = Arc::new(Waits::of_all(catalogue, &forms, knowledge));
        Some(Subjects { forms, unfit, waits })
    }

    /// Mixtures that somebody wants to know of.
    fn measure_given(&mut self, mixes: Vec<Mix>, bench: &MixtureBench<'_>) -> Option<()> {
        let asked = mixes.iter().flat_map(|mix| bench.experiments(mix, &Order::MANY));
        let is_known = self.ask(bench.known.knowledge, asked.collect());
        let judged = mixes.into_iter().filter_map(|mix| {
            let Duration { cycles, is_disturbed, .. } = bench.time(&mix, &Order::MANY)?;
            let judged = Judged { predicted: None, measured: cycles, is_disturbed };
            Some((MixtureKind::Given, mix, judged))
        });
        self.judged = judged.collect();
        is_known
    }

    /// Whether nothing of some experiments is open, or too little to matter once nothing more can be
    /// measured: what a better sample replaced may ask for others than were asked for.
    pub(super) fn ask(&mut self, knowledge: &Knowledge, asked: Vec<Experiment>) -> Option<()> {
        let all = asked.len();
        self.next = unanswered(knowledge, asked);
        let missing = self.next.len();
        let is_known = missing == 0 || self.is_over && missing <= all.div_ceil(MISSING);
        is_known.then_some(())
    }

    fn tell(
        &mut self,
        forms: &[PortSubject],
        library: &[Usage],
        context: &Context<'_>,
        usages: &mut Usages,
    ) -> Option<()> {
        let all = context.told(forms, library);
        self.take(forms, &all, context, usages)
    }

    /// Takes over what is told of some forms.
    fn take(
        &mut self,
        forms: &[PortSubject],
        all: &ToldForms,
        context: &Context<'_>,
        usages: &mut Usages,
    ) -> Option<()> {
        for (form, (told, seen)) in forms.iter().zip(all.told.iter().zip(&all.seen)) {
            if let Some(usage) = told.usage() {
                usages.insert(form.opcode, usage.clone());
            }
            self.told.insert(form.opcode, told.clone());
            self.seen.insert(form.opcode, seen.clone());
        }
        self.usages.clone_from(usages);
        self.resources.extend(&all.resources);
        self.ask(context.bench.known.knowledge, all.next.clone())
    }

    /// Predicts mixtures that nothing was fitted to: random ones, and the one that was asked for.
    fn judge(
        &mut self,
        catalogue: &Catalogue,
        durations: &[(OpcodeId, f64)],
        (asked, forms): (&[OpcodeId], &[&PortSubject]),
        grid: &Grid,
        bench: &MixtureBench<'_>,
    ) -> Option<()> {
        let is_whole = asked.len() >= WHOLE_MACHINE;
        let usual = if is_whole { JUDGED } else { 0 };
        let count = grid.mixtures.map_or(usual, |count| count as usize);
        let known = durations.iter().filter(|(opcode, _)| self.usages.contains_key(opcode));
        let urn = Urn::of(catalogue, known.copied());
        let drawing = Drawing { seed: grid.seed.unwrap_or(JUDGING_SEED), first: 0 };
        let mixes = draw(&urn, count, 3..=6, drawing);
        let experiments = mixes.iter().flat_map(|(_, mix)| bench.experiments(mix, &Order::MANY));
        let named = distinct(asked.iter().copied());
        let named = NAMED.contains(&named.len()).then(|| together(&named, forms));
        let of_named = named.iter().flat_map(|mix| bench.experiments(mix, &Order::MANY));
        let asked: Vec<Experiment> = experiments.chain(of_named).collect();
        let is_known = self.ask(bench.known.knowledge, asked);
        let (usages, width) = (&self.usages, self.width);
        self.judged = mixes
            .into_iter()
            .filter_map(|(kind, mix)| {
                let judged = judge(&mix, usages, width, bench)?;
                Some((kind, mix, judged))
            })
            .collect();
        let judged = named.map(|mix| (judge(&mix, usages, width, bench), mix));
        self.named = judged.map(|(judged, mix)| (mix, judged)).into_iter().collect();
        is_known
    }

    /// Resources by the number that usages have.
    pub fn resource_name(&self, resource: usize, catalogue: &Catalogue) -> String {
        let opcode = match resource.checked_sub(PRIVATE) {
            Some(own) => OpcodeId(own as u32),
            None => match self.resources.get(resource) {
                Some(&(leader, _)) => leader,
                None => return format!("resource {resource}"),
            },
        };
        catalogue.set.opcode(opcode).name.clone()
    }
}

/// Mixtures that somebody names, as far as their forms are there.
fn given(catalogue: &Catalogue, grid: &Grid) -> Vec<Mix> {
    let mix = |forms: &Vec<(String, u32)>| {
        let parts = forms.iter();
        let parts = parts.map(|(name, n)| Some((catalogue.form_by_name(name)?.opcode, *n)));
        Some(Mix::of(parts.collect::<Option<Vec<_>>>()?))
    };
    grid.given.iter().filter_map(mix).collect()
}

/// What breaks dependences of some stands beside them: its use must be known, too.
fn add_breakers(catalogue: &Catalogue, forms: &mut Vec<PortSubject>, knowledge: &Knowledge) {
    let there: Set<OpcodeId> = forms.iter().map(|form| form.opcode).collect();
    let breakers = forms.iter().flat_map(|form| &form.breaking).map(|it| it.breaker);
    let missing = distinct(breakers.filter(|breaker| !there.contains(breaker)));
    forms.extend(subjects(catalogue, &missing, knowledge).0);
}

/// One of each of some forms, and what breaks their dependences.
fn together(asked: &[OpcodeId], forms: &[&PortSubject]) -> Mix {
    let known = asked.iter().filter_map(|&opcode| forms.iter().find(|it| it.opcode == opcode));
    let known: Vec<&&PortSubject> = known.collect();
    let breakers = known.iter().flat_map(|form| form.breaking.iter().map(|&it| (it, 1)));
    Mix { breaking: breakers.collect(), ..Mix::of(known.iter().map(|form| (form.opcode, 1))) }
}

fn distinct(opcodes: impl IntoIterator<Item = OpcodeId>) -> Vec<OpcodeId> {
    let mut seen = Set::default();
    opcodes.into_iter().filter(|&opcode| seen.insert(opcode)).collect()
}

/// Usages that many forms will have: none, a micro-operation, or two of those of classes.
fn plausible(classes: &[Ports], sets: &[Ports]) -> Vec<Usage> {
    let mut out = vec![Usage::of([], 1.0)];
    for slots in [1.0, 2.0] {
        out.extend(sets.iter().map(|&set| Usage::of([(1, set)], slots)));
    }
    for slots in [1.0, 2.0] {
        for (at, &one) in classes.iter().enumerate() {
            let two = classes[..=at].iter().map(|&two| Usage::of([(1, one), (1, two)], slots));
            out.extend(two);
        }
    }
    out
}

pub(super) fn distinct_usages(first: &[Usage], usages: &Usages) -> Vec<Usage> {
    let mut out = first.to_vec();
    let mut opcodes: Vec<&OpcodeId> = usages.keys().collect();
    opcodes.sort_unstable();
    for usage in opcodes.into_iter().map(|opcode| &usages[opcode]) {
        let is_private = usage.extra.iter().any(|&(resource, _)| resource >= PRIVATE);
        if !is_private && !out.contains(usage) {
            out.push(usage.clone());
        }
    }
    out
}
