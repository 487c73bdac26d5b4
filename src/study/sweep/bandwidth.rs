//! Bandwidth: how many bytes a cycle go between the core and each level of memory, and where those end.
//!
//! Loads, stores or copies walk through working sets of growing size. As long as a set fits into a cache,
//! its size makes no difference; so plateaus are levels, and where they end is how large those are. Source:
//! the theses on matrix units, and every study of memory since `lmbench`.

use bytesize::ByteSize;

use super::grid::LEAST;
use super::team::TeamFinding;
use super::walk::{WalkKind, Walker};
use super::{Grid, without};
use crate::catalogue::Catalogue;
use crate::database::{Coordinate, FittedFigure, Sweep, SweepKind, Update};
use crate::experiment::Experiment;
use crate::form::InstructionForm;
use crate::infer::Knowledge;
use crate::infer::sweep::{Measured, MemoryLevels};
use crate::metadata::OpcodeId;
use crate::study::{Answers, Known, Question, Study};

/// What is asked.
pub static QUESTION: Question = Question {
    mode: "SWEEP-bandwidth",
    key: SweepKind::Bandwidth.name(),
    counted: "forms have a table of bandwidth",
    is_of_forms: true,
    forms: |isa| {
        let plain = isa.plain_moves().iter().map(|it| it.store);
        plain.chain(isa.copies().iter().map(|(_, store)| *store)).collect()
    },
    ask: |catalogue, subjects, grid| Box::new(BandwidthStudy { catalogue, subjects, grid }),
    failed: |subject, _| Update { subject, ..Update::default() },
};

/// The largest where nobody says.
const MOST: u64 = 64 << 20;
/// Huge pages are said to have been used from this share on.
const MOSTLY: f64 = 0.9;

struct BandwidthStudy<'a> {
    catalogue: &'a Catalogue,
    subjects: &'a [OpcodeId],
    grid: &'a Grid,
}

/// Working sets from small to large: powers of two, and one and a half of each.
fn working_sets(most: u64) -> Vec<u64> {
    let powers = std::iter::successors(Some(LEAST), |bytes| bytes.checked_mul(2));
    let sizes = powers.take_while(|bytes| *bytes < most).flat_map(|bytes| [bytes, bytes / 2 * 3]);
    let mut sizes: Vec<u64> = sizes.filter(|bytes| *bytes < most).collect();
    sizes.push(most.max(LEAST));
    sizes
}

impl BandwidthStudy<'_> {
    fn forms(&self) -> impl Iterator<Item = &InstructionForm> {
        self.subjects.iter().filter_map(|&opcode| self.catalogue.form(opcode))
    }

    fn walker(&self, form: &InstructionForm) -> Result<Walker, &'static str> {
        let kind = if self.grid.copy { WalkKind::Copy } else { WalkKind::Single };
        Walker::of(self.catalogue, form, self.grid, kind)
    }

    fn cores(&self) -> u32 {
        self.grid.threads.unwrap_or(1)
    }

    fn points(&self, walker: &Walker) -> Vec<(u64, Experiment)> {
        let sets = working_sets(self.grid.working_set.unwrap_or(MOST)).into_iter();
        sets.map(|bytes| (bytes, walker.through(bytes, self.cores()))).collect()
    }

    fn sweep(&self, form: &InstructionForm, known: Known) -> Option<Sweep> {
        let walker = match self.walker(form) {
            Ok(walker) => walker,
            Err(reason) => return Some(without(SweepKind::Bandwidth, form, reason)),
        };
        let found: Vec<(u64, TeamFinding)> = self
            .points(&walker)
            .into_iter()
            .map(|(bytes, asked)| {
                (bytes, TeamFinding::of(known.knowledge, &known.trust, &asked, bytes))
            })
            .collect();
        let rate = walker.rate(self.catalogue, known.knowledge);
        let place = |bytes: u64| vec![Coordinate::Number(i64::try_from(bytes).unwrap_or(i64::MAX))];
        let points: Vec<_> =
            found.iter().filter_map(|(bytes, found)| found.at(place(*bytes), rate)).collect();
        if points.is_empty() {
            return None;
        }
        // (An instruction of one core: each has a buffer and caches of its own.)
        let measured = found.iter().filter_map(|(bytes, found)| {
            let each = found.reliable()?.each;
            let cores = f64::from(self.cores());
            let of_core = |value: f64| value * cores;
            let (cycles, uncertainty) = (of_core(each.cycles), of_core(each.uncertainty));
            Some((*bytes, Measured { cycles, uncertainty }))
        });
        let levels = MemoryLevels::fit(&measured.collect::<Vec<_>>());
        let huge = found.iter().rev().find_map(|(_, found)| match found {
            TeamFinding::Timed { huge, .. } => *huge,
            _ => None,
        });
        Some(Sweep {
            kind: SweepKind::Bandwidth,
            forms: walker.forms(self.catalogue),
            setting: Some(walker.setting(None, Some(self.cores()))),
            axes: vec!["bytes".to_owned()],
            rate_unit: rate.as_ref().map(|rate| rate.unit().to_owned()),
            fit: levels.as_ref().map(|it| figures(it, walker.width())).unwrap_or_default(),
            residual: levels.as_ref().map(|levels| levels.residual),
            finding: levels.as_ref().map(|it| self.finding(it, walker.width(), huge)),
            points,
            ..Sweep::default()
        })
    }

    /// What the levels are, in words.
    fn finding(&self, levels: &MemoryLevels, width: u32, huge: Option<f64>) -> String {
        let size = |bytes: u64| ByteSize(bytes).to_string();
        let level = |level: &crate::infer::sweep::MemoryLevel| {
            let bandwidth = format!("{:.1} bytes a cycle", f64::from(width) / level.cycles);
            match level.edge {
                Some(edge) => format!("{bandwidth} up to {}", size(edge.inside)),
                None => format!("{bandwidth} beyond"),
            }
        };
        let mut said: Vec<String> = levels.levels.iter().map(level).collect();
        if !levels.is_monotone() {
            said.push("not slower from level to level".to_owned());
        }
        if !self.grid.caches.is_empty() {
            let caches: Vec<String> = self.grid.caches.iter().map(|&it| size(it)).collect();
            said.push(format!("the system names caches of {}", caches.join(", ")));
        }
        said.push(match huge {
            Some(share) if share >= MOSTLY => "in huge pages".to_owned(),
            Some(share) => format!("{:.0} % in huge pages", 100.0 * share),
            None => "pages of unknown size".to_owned(),
        });
        said.join("; ")
    }
}

/// The parameters of a fit, for each level its bandwidth and its size.
fn figures(levels: &MemoryLevels, width: u32) -> Vec<FittedFigure> {
    let of_level = |(number, level): (usize, &crate::infer::sweep::MemoryLevel)| {
        let bandwidth = f64::from(width) / level.cycles;
        let bandwidth = FittedFigure::exact(&format!("bytesPerCycle{number}"), bandwidth);
        let capacity = level
            .edge
            .map(|edge| FittedFigure::exact(&format!("capacity{number}"), edge.inside as f64));
        std::iter::once(bandwidth).chain(capacity)
    };
    (1..).zip(&levels.levels).flat_map(of_level).collect()
}

impl Study for BandwidthStudy<'_> {
    fn next(&self, knowledge: &Knowledge) -> Vec<Experiment> {
        self.kernels(knowledge).into_iter().map(|(_, asked)| asked).collect()
    }

    fn conclude(&self, knowledge: &Knowledge) -> Answers {
        let known = Known::of(self.catalogue, knowledge);
        let sweeps = self.forms().filter_map(|form| self.sweep(form, known));
        Answers { sweeps: sweeps.collect(), ..Answers::default() }
    }

    fn kernels(&self, _: &Knowledge) -> Vec<(String, Experiment)> {
        let kernels = self.forms().filter_map(|form| {
            let walker = self.walker(form).ok()?;
            let name = walker.name(self.catalogue);
            let points = self.points(&walker).into_iter();
            Some(points.map(move |(bytes, asked)| (format!("{name}_bandwidth_{bytes}"), asked)))
        });
        kernels.flatten().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn working_sets_grow_by_half_and_end_where_they_should() {
        let kib = |most: u64| -> Vec<u64> {
            working_sets(most << 10).into_iter().map(|bytes| bytes >> 10).collect()
        };
        assert_eq!(kib(32), [4, 6, 8, 12, 16, 24, 32]);
        assert_eq!(kib(20), [4, 6, 8, 12, 16, 20]);
        assert_eq!(kib(1), [4]);
    }
}
