//! The question for the core itself.

use super::{
    FrontEnd, front_end, memory, passages, reference_experiments, unit_of_model, unit_of_time,
    window,
};
use crate::catalogue::Catalogue;
use crate::database::{ChainTime, Core, FillerTime, FrontEndTimes, Update};
use crate::experiment::Experiment;
use crate::infer::{Knowledge, Timing};
use crate::study::{Answers, Question, Study};
use crate::units::Cycles;

/// What is asked. No form is: what does not execute is no part of the answer.
pub static QUESTION: Question = Question {
    mode: "CORE",
    key: "core",
    counted: "",
    is_of_forms: false,
    forms: |isa| {
        let known = isa.simplest_forms().iter().chain(isa.slow_forms());
        known.copied().chain(memory::load_form(isa)).collect()
    },
    ask: |catalogue, _, _| Box::new(CoreStudy { catalogue }),
    failed: |subject, _| Update { subject, ..Update::default() },
};

/// Fillers in bodies that show how fast those of a length are.
const FILLERS: [u32; 2] = [192, 384];

struct CoreStudy<'a> {
    catalogue: &'a Catalogue,
}

impl CoreStudy<'_> {
    /// The lengths of fillers in bytes, each with the experiments that time it.
    fn by_length(&self) -> impl Iterator<Item = (u32, [Experiment; 2])> {
        let lengths = self.catalogue.isa.fillers().into_iter().map(|filler| filler.len() as u32);
        let timed = |bytes| FILLERS.map(|fillers| Experiment::LongFillers { fillers, bytes });
        lengths.map(move |bytes| (bytes, timed(bytes)))
    }

    fn chains(&self, knowledge: &Knowledge) -> Vec<ChainTime> {
        let chains = self.catalogue.isa.references();
        let timed =
            chains.iter().zip(reference_experiments(chains)).filter_map(|(chain, asked)| {
                let timing = knowledge.timing(&asked)?;
                let (cycles, uncertainty) = (timing.each().0, timing.uncertainty().0);
                let chain = chain.symbol.to_owned();
                Some(ChainTime { chain, cycles: Some(cycles), uncertainty: Some(uncertainty) })
            });
        timed.collect()
    }

    fn fillers(&self, knowledge: &Knowledge) -> Vec<FillerTime> {
        let fastest = |asked: &[Experiment]| {
            let timings = asked.iter().filter_map(|asked| knowledge.timing(asked));
            timings.min_by(|a, b| a.each().0.total_cmp(&b.each().0)).cloned()
        };
        let time = |(bytes, asked): (u32, [Experiment; 2])| {
            let timing: Timing = fastest(&asked)?;
            let (cycles, uncertainty) = (timing.each().0, timing.uncertainty().0);
            Some(FillerTime { bytes, cycles: Some(cycles), uncertainty: Some(uncertainty) })
        };
        self.by_length().filter_map(time).collect()
    }

    fn loop_cycles(&self, knowledge: &Knowledge) -> Option<u32> {
        let chains = self.catalogue.isa.references();
        let unit = unit_of_time(chains, knowledge).ok();
        let unit = unit.or_else(|| unit_of_model(chains, knowledge).ok())?;
        Some(unit.loop_cost.cycles())
    }
}

impl Study for CoreStudy<'_> {
    fn next(&self, knowledge: &Knowledge) -> Vec<Experiment> {
        let chains = reference_experiments(self.catalogue.isa.references()).into_iter();
        let floors = front_end::floor_experiments(self.catalogue);
        let fillers = self.by_length().flat_map(|(_, asked)| asked);
        let between = passages::experiments(self.catalogue).into_iter();
        let window = window::experiments(self.catalogue, knowledge);
        let loads = memory::experiments(self.catalogue);
        chains.chain(floors).chain(fillers).chain(between).chain(loads).chain(window).collect()
    }

    fn conclude(&self, knowledge: &Knowledge) -> Answers {
        let FrontEnd { floor, filler } = FrontEnd::of(self.catalogue, knowledge);
        let known = |cycles: Cycles| Some(cycles.0).filter(|&it| it > 0.0 && it.is_finite());
        let core = Core {
            frequency: super::frequency(self.catalogue, knowledge)
                .map(|frequency| frequency.gigahertz()),
            reference_chains: self.chains(knowledge),
            front_end: FrontEndTimes {
                simplest: known(floor),
                filler: known(filler),
                fillers: self.fillers(knowledge),
            },
            loop_cycles: self.loop_cycles(knowledge),
            wrong_guess: passages::guess(self.catalogue, knowledge),
            pairs: passages::pairs(self.catalogue, knowledge),
            window: window::window(self.catalogue, knowledge),
            load_latency: memory::load_latencies(self.catalogue, knowledge),
        };
        Answers { core: Some(core), ..Answers::default() }
    }

    fn kernels(&self, knowledge: &Knowledge) -> Vec<(String, Experiment)> {
        let name = |(bytes, [shorter, _]): (u32, [Experiment; 2])| {
            (format!("filler_of_{bytes}_bytes"), shorter)
        };
        let window = window::kernels(self.catalogue, knowledge);
        let between = passages::kernels(self.catalogue);
        let loads = memory::kernels(self.catalogue);
        self.by_length().map(name).chain(between).chain(window).chain(loads).collect()
    }
}
