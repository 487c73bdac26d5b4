//! What a load takes that waits for the one before, by the size of the working set: a plateau for each level of
//! memory. Places look random, so that nothing is fetched before it is asked for. What the steps around a
//! load take is timed without loads, and is not counted. Source: every study of memory since `lmbench`.

use std::ops::RangeInclusive;

use crate::catalogue::Catalogue;
use crate::database::{LoadLatencies, LoadLevel, LoadPoint};
use crate::experiment::Experiment;
use crate::form::RegisterFile;
use crate::infer::sweep::{Measured, MemoryLevel, MemoryLevels};
use crate::infer::{Knowledge, Timing};
use crate::isa::Isa;
use crate::kernel::ChaseBody;
use crate::metadata::OpcodeId;

/// Binary logarithms of the working sets' bytes: from 4 KiB to 128 MiB.
const LOG_BYTES: RangeInclusive<u32> = 12..=27;
/// The same of the bodies without loads, whose duration is not counted. All take the same, and a core can
/// only be slower at one: a Zen 1 takes 7.0 cycles a step, and in one run of six 7.8, for as long as the kernel lives.
const LOG_BYTES_WITHOUT: RangeInclusive<u32> = 12..=19;
/// What the loads load.
const BITS: u32 = 64;

/// Why there are no levels.
const ONE_LEVEL: &str = "loads take the same whatever the working set";
const NO_LEVELS: &str = "loads do not take longer from level to level";

/// LLVM's name of the form that loads.
pub(super) fn load_form(isa: &dyn Isa) -> Option<&'static str> {
    let is_meant =
        |registers: RegisterFile, bits: u32| registers == RegisterFile::General && bits == BITS;
    isa.plain_moves().iter().find(|it| is_meant(it.registers, it.bits)).map(|it| it.load)
}

fn load(catalogue: &Catalogue) -> Option<OpcodeId> {
    let name = load_form(&*catalogue.isa)?;
    catalogue.form_by_name(name).map(|form| form.opcode)
}

fn chases(load: OpcodeId) -> impl Iterator<Item = ChaseBody> {
    LOG_BYTES.map(move |log_bytes| ChaseBody { load, log_bytes, loads: true })
}

fn without(load: OpcodeId) -> impl Iterator<Item = ChaseBody> {
    LOG_BYTES_WITHOUT.map(move |log_bytes| ChaseBody { load, log_bytes, loads: false })
}

/// What stands around loads: the body without them that takes the least at most.
fn around(load: OpcodeId, knowledge: &Knowledge) -> Option<&Timing> {
    let timings = without(load).filter_map(|it| timing(knowledge, &Experiment::Chase(it)));
    let most = |timing: &Timing| timing.each() + timing.uncertainty();
    timings.min_by(|a, b| most(a).0.total_cmp(&most(b).0))
}

/// What is asked.
pub(super) fn experiments(catalogue: &Catalogue) -> Vec<Experiment> {
    kernels(catalogue).into_iter().map(|(_, asked)| asked).collect()
}

/// The same with names.
pub(super) fn kernels(catalogue: &Catalogue) -> Vec<(String, Experiment)> {
    let Some(load) = load(catalogue) else { return Vec::new() };
    let named = |chase: ChaseBody| {
        let name = if chase.loads { "load" } else { "load_left_out" };
        (format!("{name}_from_{}_bytes", chase.bytes()), Experiment::Chase(chase))
    };
    chases(load).chain(without(load)).map(named).collect()
}

/// A timing of a kernel in a buffer: of a model it is that of no core.
fn timing<'a>(knowledge: &'a Knowledge, asked: &Experiment) -> Option<&'a Timing> {
    let core = || Some(&knowledge.threads(asked)?.first()?.timing);
    knowledge.timing(asked).or_else(core)
}

/// What is known of loads; none where the run did not come to ask.
pub(super) fn load_latencies(
    catalogue: &Catalogue,
    knowledge: &Knowledge,
) -> Option<LoadLatencies> {
    let load = load(catalogue)?;
    let Some(around) = around(load, knowledge) else {
        let untimed = |it| knowledge.of(&Experiment::Chase(it))?.why_untimed();
        let reason = without(load).find_map(untimed)?.to_string();
        return Some(LoadLatencies { status: Some(reason), ..LoadLatencies::default() });
    };
    let point = |chase: ChaseBody| {
        let timing = timing(knowledge, &Experiment::Chase(chase))?;
        let cycles = timing.each().0 - around.each().0;
        let uncertainty = timing.uncertainty().0 + around.uncertainty().0;
        (cycles > 0.0).then_some((chase.bytes(), Measured { cycles, uncertainty }))
    };
    let points: Vec<(u64, Measured)> = chases(load).filter_map(point).collect();
    let found = MemoryLevels::fit(&points)?;
    let levels = levels(&found, &points);
    let status = match levels.len() {
        0 | 1 => Some(ONE_LEVEL),
        _ if !found.is_monotone() => Some(NO_LEVELS),
        _ => None,
    };
    let known = |(bytes, it): &(u64, Measured)| LoadPoint {
        bytes: *bytes,
        cycles: Some(it.cycles),
        uncertainty: Some(it.uncertainty),
    };
    Some(LoadLatencies {
        load: Some(catalogue.set.opcode(load).name.clone()),
        levels: if status.is_none() { levels } else { Vec::new() },
        curve: points.iter().map(known).collect(),
        status: status.map(str::to_owned),
    })
}

/// Levels as databases have them, each as far off as the working sets of its plateau are, in the middle.
fn levels(found: &MemoryLevels, points: &[(u64, Measured)]) -> Vec<LoadLevel> {
    let level = |level: &MemoryLevel| {
        let last = level.edge.map_or(u64::MAX, |edge| edge.inside);
        let own = points.iter().filter(|(bytes, _)| (level.first..=last).contains(bytes));
        let off = own.map(|(_, it)| (it.cycles - level.cycles).abs().max(it.uncertainty));
        let mut off: Vec<f64> = off.collect();
        off.sort_by(f64::total_cmp);
        LoadLevel {
            cycles: Some(level.cycles),
            uncertainty: off.get(off.len() / 2).copied(),
            bytes: level.edge.map(|edge| edge.inside),
        }
    };
    found.levels.iter().map(level).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::infer::{Finding, LoopCost};
    use crate::sample::Sample;
    use crate::units::Cycles;

    fn timing(body: f64, uncertainty: f64) -> Timing {
        let sample = Sample {
            body: Cycles(body),
            uncertainty: Cycles(uncertainty),
            plain: None,
            frequency: None,
            pulse: None,
            windows_used: 5,
            windows_total: 10,
            settled: uncertainty < 1.0,
        };
        Timing::of_instances(sample, 1, LoopCost::Hidden)
    }

    /// On a Zen 1 the one body without loads that there was took 116.8 cycles instead of 104.9, and a load of the
    /// nearest cache 3.2 instead of 4.0.
    #[test]
    fn a_slow_body_without_loads_counts_no_more_than_one_that_did_not_settle() {
        let load = OpcodeId(7);
        let mut knowledge = Knowledge::default();
        let seen = [timing(116.8, 0.4), timing(104.9, 0.4), timing(90.0, 300.0)];
        for (chase, seen) in without(load).zip(seen) {
            knowledge.learn(Experiment::Chase(chase), Finding::Timed(seen));
        }
        assert_eq!(around(load, &knowledge).map(Timing::each), Some(Cycles(104.9)));
    }
}
