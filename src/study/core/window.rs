//! How many micro-operations a core has in flight: two chains that pass nothing to each other, and fillers
//! between them, see [`WindowStep`].
//!
//! First slow instructions are looked for of which a core runs two chains beside each other. Then the
//! fillers grow by a quarter of an octave, and chains with them, until chains take turns: a chain must last longer than
//! the front end takes for fillers, but hardly longer, for links wait in a scheduler and must not fill that.
//! Then chains stay as they are, and the numbers of fillers around the step are tried, closer and closer.

use super::front_end::{FrontEnd, simplest};
use crate::catalogue::Catalogue;
use crate::database::{ReorderWindow, WindowPoint};
use crate::experiment::Experiment;
use crate::infer::{Knowledge, NoWindowStep, WindowStep};
use crate::kernel::{Accumulators, Registers, ThroughputBody, WindowBody};
use crate::metadata::OpcodeId;
use crate::study::unanswered;

/// Instances by which the latency of a form is known.
const INSTANCES: u32 = 32;
/// Links of the chains that show whether two of them run beside each other.
const FEW: u32 = 8;
/// They do if both take no longer than so many times one of them.
const BESIDE: f64 = 1.25;
/// Numbers of links that chains may have.
const LINKS: [u32; 13] = [4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256];
/// Chains last so many times as long as the front end takes for the fillers.
const LONGER: f64 = 2.0;
/// Chains take turns if both take so many times as long as one: next to each other they would take one and a
/// half times as long at the most, one behind the other twice.
const IN_TURN: f64 = 1.75;
/// Fillers that are tried first, and what comes behind the last.
const FILLERS: std::ops::Range<u32> = 16..2048;
/// Numbers of fillers of an octave.
const PER_OCTAVE: u32 = 4;
/// Numbers of fillers up to the one with which chains take turns.
const POINTS: u32 = 14;
/// Numbers of fillers that the gap is divided by in which the step lies.
const CLOSER: u32 = 8;

/// Fillers of the instruction set that pass so many times as fast as its simplest form are several in one: a core keeps
/// these in one place of its window, too. (A Zen 4 takes twelve `nop` a cycle and six moves, and has room for 1258 `nop`
/// where it has room for a quarter as many moves.)
const SEVERAL_IN_ONE: f64 = 1.9;

/// Why there is no figure.
const NO_CHAIN: &str =
    "of no slow instruction two chains run beside each other, one of which begins behind the other";
const NO_FILLER: &str = "fillers cannot be executed";
const NO_END: &str = "as many fillers as were tried keep no chain from running beside another";

/// A form that waits for itself for long.
#[derive(Clone, Copy)]
struct SlowForm {
    link: OpcodeId,
    chain: Accumulators,
}

/// A chain of such a form, with the cycles of a link and of a filler.
#[derive(Clone, Copy)]
struct SlowChain {
    form: SlowForm,
    link: f64,
    filler: WindowFiller,
}

/// What stands between chains.
#[derive(Clone, Copy)]
struct WindowFiller {
    /// Its form; none of a filler of the instruction set.
    form: Option<OpcodeId>,
    /// What it takes to pass, in cycles.
    cycles: f64,
}

impl WindowFiller {
    /// What fillers are, by what the front end takes for them; none where they cannot be executed.
    fn of(catalogue: &Catalogue, knowledge: &Knowledge) -> Option<Self> {
        let cycles = FrontEnd::of(catalogue, knowledge).filler.0;
        if !(cycles > 0.0 && cycles.is_finite()) {
            return None;
        }
        let simplest = simplest(catalogue, knowledge);
        let one = simplest.filter(|&(_, simplest)| simplest >= SEVERAL_IN_ONE * cycles);
        Some(one.map_or(Self { form: None, cycles }, |(form, cycles)| Self {
            form: Some(form),
            cycles,
        }))
    }

    fn name(self, catalogue: &Catalogue) -> &str {
        match self.form {
            Some(form) => &catalogue.set.opcode(form).name,
            None => catalogue.isa.filler_name(),
        }
    }
}

/// Rounds with so many links in each chain, by their fillers.
struct WindowCurve {
    form: SlowForm,
    filler: WindowFiller,
    links: u32,
    fillers: Vec<u32>,
}

/// What came of the question, or what has to be asked.
enum WindowStage {
    Asking(Vec<Experiment>),
    Never(&'static str),
    Found(WindowCurve, Result<WindowStep, NoWindowStep>),
}

impl SlowForm {
    fn all(catalogue: &Catalogue) -> impl Iterator<Item = Self> + '_ {
        catalogue.isa.slow_forms().iter().filter_map(|name| {
            let form = catalogue.form_by_name(name)?;
            let (source, target) = Accumulators::operands(catalogue, form)?;
            let chain = Accumulators { source, target, count: 1 };
            Some(Self { link: form.opcode, chain })
        })
    }

    fn alone(self) -> Experiment {
        let registers = Registers::Accumulators(self.chain);
        let plain = ThroughputBody::plain(self.link, INSTANCES);
        Experiment::Throughput(ThroughputBody { registers, ..plain })
    }

    fn round(self, links: u32, (fillers, filler): (u32, Option<OpcodeId>)) -> Experiment {
        let Self { link, chain } = self;
        Experiment::Window(WindowBody { link, chain, links, fillers, filler })
    }

    /// Cycles of a link, if two chains run beside each other.
    fn overlapping(self, knowledge: &Knowledge) -> Option<f64> {
        let link = knowledge.timing(&self.alone())?.each().0;
        let (both, _) = cycles(&self.round(FEW, (0, None)), FEW, knowledge)?;
        (both <= BESIDE * link * f64::from(FEW)).then_some(link)
    }
}

impl SlowChain {
    /// Links that last longer than the front end takes for some fillers.
    fn links(&self, fillers: u32) -> u32 {
        let least = LONGER * f64::from(fillers) * self.filler.cycles / self.link;
        let last = LINKS[LINKS.len() - 1];
        LINKS.into_iter().find(|&links| f64::from(links) >= least).unwrap_or(last)
    }

    fn search(&self, fillers: u32) -> Experiment {
        self.form.round(self.links(fillers), (fillers, self.filler.form))
    }

    /// Whether chains with so many fillers between them take turns.
    fn takes_turns(&self, fillers: u32, knowledge: &Knowledge) -> bool {
        let links = self.links(fillers);
        let cycles = cycles(&self.search(fillers), links, knowledge);
        cycles.is_some_and(|(cycles, _)| cycles >= IN_TURN * f64::from(links) * self.link)
    }
}

impl WindowCurve {
    /// From no fillers to half as many again as make chains take turns.
    fn up_to(chain: &SlowChain, turns: u32) -> Self {
        let step = turns.div_ceil(POINTS) as usize;
        let fillers = (0..=turns + turns / 2).step_by(step).collect();
        Self {
            form: chain.form,
            filler: chain.filler,
            links: chain.links(turns + turns / 4),
            fillers,
        }
    }

    fn experiments(&self) -> impl Iterator<Item = Experiment> + '_ {
        self.fillers.iter().map(|&fillers| self.round(fillers))
    }

    fn round(&self, fillers: u32) -> Experiment {
        self.form.round(self.links, (fillers, self.filler.form))
    }

    fn points(&self, knowledge: &Knowledge) -> Vec<WindowPoint> {
        let point = |&fillers: &u32| {
            let (cycles, uncertainty) = cycles(&self.round(fillers), self.links, knowledge)?;
            Some(WindowPoint { fillers, cycles: Some(cycles), uncertainty: Some(uncertainty) })
        };
        self.fillers.iter().filter_map(point).collect()
    }

    fn step(&self, knowledge: &Knowledge) -> Result<WindowStep, NoWindowStep> {
        let points = self.points(knowledge);
        let points = points.iter().filter_map(|point| Some((point.fillers, point.cycles?)));
        WindowStep::find(&points.collect::<Vec<_>>())
    }

    /// Adds numbers of fillers in the gap in which a step lies; whether there are more.
    fn look_closer(&mut self, step: &WindowStep) -> bool {
        let apart = (step.behind - step.before).div_ceil(CLOSER) as usize;
        let between = (step.before..step.behind).step_by(apart).skip(1);
        let new: Vec<u32> = between.filter(|it| !self.fillers.contains(it)).collect();
        self.fillers.extend(&new);
        self.fillers.sort_unstable();
        !new.is_empty()
    }
}

/// Cycles of a round with so many links in each chain, and how far off those may be.
fn cycles(round: &Experiment, links: u32, knowledge: &Knowledge) -> Option<(f64, f64)> {
    let timing = knowledge.timing(round)?;
    let links = f64::from(links);
    Some((timing.each().0 * links, timing.uncertainty().0 * links))
}

/// How far the question is, by what is known.
fn stage(catalogue: &Catalogue, knowledge: &Knowledge) -> WindowStage {
    let opening = |form: SlowForm| [form.alone(), form.round(FEW, (0, None))];
    if let Some(asked) = unknown(SlowForm::all(catalogue).flat_map(opening), knowledge) {
        return WindowStage::Asking(asked);
    }
    let mut beside =
        SlowForm::all(catalogue).filter_map(|form| Some((form, form.overlapping(knowledge)?)));
    let Some((form, link)) = beside.next() else { return WindowStage::Never(NO_CHAIN) };
    let Some(filler) = WindowFiller::of(catalogue, knowledge) else {
        return WindowStage::Never(NO_FILLER);
    };
    around_step(&SlowChain { form, link, filler }, knowledge)
}

/// Looks for the number of fillers with which chains take turns, then for the step below it.
fn around_step(chain: &SlowChain, knowledge: &Knowledge) -> WindowStage {
    let octaves = std::iter::successors(Some(FILLERS.start), |first| first.checked_mul(2));
    let mut tried: Vec<u32> = Vec::new();
    for first in octaves.take_while(|first| FILLERS.contains(first)) {
        let octave = (0..PER_OCTAVE).map(|part| first + first * part / PER_OCTAVE);
        tried.extend(octave);
        if let Some(asked) = unknown(tried.iter().map(|&it| chain.search(it)), knowledge) {
            return WindowStage::Asking(asked);
        }
        // (Two in a row: one may have been held up.)
        let in_turn = |pair: &&[u32]| pair.iter().all(|&it| chain.takes_turns(it, knowledge));
        if let Some(pair) = tried.windows(2).find(in_turn) {
            return closer(WindowCurve::up_to(chain, pair[0]), knowledge);
        }
    }
    WindowStage::Never(NO_END)
}

/// Looks at a step from closer and closer.
fn closer(mut curve: WindowCurve, knowledge: &Knowledge) -> WindowStage {
    loop {
        if let Some(asked) = unknown(curve.experiments(), knowledge) {
            return WindowStage::Asking(asked);
        }
        let found = curve.step(knowledge);
        if !found.is_ok_and(|step| curve.look_closer(&step)) {
            return WindowStage::Found(curve, found);
        }
    }
}

/// Those of some experiments that were not made, if there are any.
fn unknown(
    asked: impl Iterator<Item = Experiment>,
    knowledge: &Knowledge,
) -> Option<Vec<Experiment>> {
    let asked = unanswered(knowledge, asked);
    (!asked.is_empty()).then_some(asked)
}

/// What is worth asking now.
pub(super) fn experiments(catalogue: &Catalogue, knowledge: &Knowledge) -> Vec<Experiment> {
    match stage(catalogue, knowledge) {
        WindowStage::Asking(asked) => asked,
        WindowStage::Never(_) | WindowStage::Found(..) => Vec::new(),
    }
}

/// What is known of the window; none where the run did not come to ask.
pub(super) fn window(catalogue: &Catalogue, knowledge: &Knowledge) -> Option<ReorderWindow> {
    let (curve, found) = match stage(catalogue, knowledge) {
        WindowStage::Asking(_) => return None,
        WindowStage::Never(reason) => {
            return Some(ReorderWindow {
                status: Some(reason.to_owned()),
                ..ReorderWindow::default()
            });
        }
        WindowStage::Found(curve, found) => (curve, found),
    };
    Some(ReorderWindow {
        size: found.ok().map(|step| step.size()),
        uncertainty: found.ok().map(|step| step.uncertainty()),
        filler: Some(curve.filler.name(catalogue).to_owned()),
        link: Some(catalogue.set.opcode(curve.form.link).name.clone()),
        links: Some(curve.links),
        curve: curve.points(knowledge),
        status: found.err().map(|reason| reason.to_string()),
    })
}

/// The last round in which one chain begins beside the other, and the first in which it does not.
pub(super) fn kernels(catalogue: &Catalogue, knowledge: &Knowledge) -> Vec<(String, Experiment)> {
    let WindowStage::Found(curve, Ok(step)) = stage(catalogue, knowledge) else {
        return Vec::new();
    };
    let rounds = [step.before, step.behind]
        .map(|fillers| (format!("window_{fillers}_fillers"), curve.round(fillers)));
    rounds.into()
}
