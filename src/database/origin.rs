//! What a database is about: one CPU, and values of one source. Others are kept out.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::document::Database;
use super::schema::Header;
use crate::device::Source;

/// How a simulator's run has named its CPU in [`super::Measurement::cpu`] since before files
/// had the key `source`.
const MODEL: &str = "scheduling model of ";

/// Whose values a file or a run has.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Origin {
    /// The instruction set, as LLVM's triples name it.
    pub isa: String,
    /// The CPU whose instructions they are, by LLVM's name; empty where LLVM has none for it.
    pub cpu: String,
    /// Where they come from.
    pub source: Source,
    /// The CPU, or the model of one, that they come from, by LLVM's name, where it is known.
    pub source_cpu: Option<String>,
}

impl Origin {
    /// What keys of a file's header say it, with the winic that writes them.
    #[must_use]
    pub fn header(&self) -> Header {
        Header {
            winic_version: Some(env!("CARGO_PKG_VERSION").to_owned()),
            isa: Some(self.isa.clone()),
            micro_architecture: Some(self.cpu.clone()),
            source: Some(self.source),
            source_cpu: self.source_cpu.clone(),
        }
    }

    /// Whether values of the two may share a file.
    fn agrees(&self, other: &Self) -> bool {
        let is_same_cpu = match (&self.source_cpu, &other.source_cpu) {
            (Some(this), Some(that)) => this == that,
            _ => true,
        };
        (&self.isa, &self.cpu, self.source) == (&other.isa, &other.cpu, other.source) && is_same_cpu
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { isa, cpu, source, source_cpu } = self;
        let cpu = if cpu.is_empty() { "a CPU without a name" } else { cpu };
        write!(f, "{source} values of {cpu} ({isa})")?;
        match source_cpu {
            Some(from) if from != cpu => write!(f, " from {from}"),
            _ => Ok(()),
        }
    }
}

/// Why a run's values may not go into a file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Stranger {
    /// It has others.
    #[error("it has {file}, and this run gives {run}: name another file with -o")]
    Foreign {
        /// What the file has.
        file: Box<Origin>,
        /// What the run gives.
        run: Box<Origin>,
    },
    /// It names no CPU, and what it does say is not true of the run.
    #[error("it names no CPU, and what it says does not fit {run}: name another file with -o")]
    Contrary {
        /// What the run gives.
        run: Box<Origin>,
    },
    /// It has values, and does not say of which CPU.
    #[error("it does not say which CPU its values are of: --adopt makes it a file of {run}")]
    Nameless {
        /// What the run gives.
        run: Box<Origin>,
    },
}

impl Database {
    /// Whose values it has; none if it does not say which CPU's.
    ///
    /// Where the key `source` is missing, its runs tell: a simulator's named the model as their
    /// CPU; an emulator's had no clock, and left no value. All others measured. Where
    /// `sourceCpu` is missing too, it is the CPU itself.
    #[must_use]
    pub fn origin(&self) -> Option<Origin> {
        let header = self.header();
        let (isa, cpu) = (header.isa?, header.micro_architecture?);
        let (source, source_cpu) = match header.source {
            Some(source) => (source, header.source_cpu),
            None => {
                let (source, model) = self.source_by_runs();
                (source, header.source_cpu.or(model).or_else(|| Some(cpu.clone())))
            }
        };
        Some(Origin { isa, cpu, source, source_cpu })
    }

    /// Whether a run may put values into it. Whoever says `adopt` vouches for those of a file
    /// that names no CPU.
    ///
    /// # Errors
    /// When it has values of something else, or of nobody knows what.
    pub fn admit(&self, run: &Origin, adopt: bool) -> Result<(), Stranger> {
        let boxed = || Box::new(run.clone());
        match self.origin() {
            Some(file) if file.agrees(run) => Ok(()),
            Some(file) => Err(Stranger::Foreign { file: Box::new(file), run: boxed() }),
            None if !self.is_adoptable(run) => Err(Stranger::Contrary { run: boxed() }),
            None if adopt || self.is_empty() => Ok(()),
            None => Err(Stranger::Nameless { run: boxed() }),
        }
    }

    /// Whether what its header does say is true of the run.
    fn is_adoptable(&self, run: &Origin) -> bool {
        let header = self.header();
        header.isa.is_none_or(|isa| isa == run.isa)
            && header.micro_architecture.is_none_or(|cpu| cpu == run.cpu)
            && (self.is_blank()
                || header.source.unwrap_or_else(|| self.source_by_runs().0) == run.source)
    }

    /// Whether it has no value and says nothing about where some came from.
    fn is_blank(&self) -> bool {
        self.is_empty() && self.header().source.is_none()
    }

    fn source_by_runs(&self) -> (Source, Option<String>) {
        let measurements = self.measurements();
        let runs = [measurements.throughput, measurements.latency];
        let runs: Vec<_> = runs.iter().flatten().collect();
        let model = runs.iter().find_map(|run| run.cpu.as_deref()?.strip_prefix(MODEL));
        if let Some(model) = model {
            return (Source::Simulated, Some(model.to_owned()));
        }
        let is_timed = runs.iter().any(|run| run.clock.is_some());
        let has_value = || {
            self.entries().any(|entry| entry.throughput.has_value() || entry.latency.has_value())
        };
        if runs.is_empty() || is_timed || has_value() {
            (Source::Measured, None)
        } else {
            (Source::Emulated, None)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn origin(isa: &str, cpu: &str, source: Source, from: Option<&str>) -> Origin {
        Origin { isa: isa.into(), cpu: cpu.into(), source, source_cpu: from.map(str::to_owned) }
    }

    fn zen(source: Source) -> Origin {
        origin("x86_64", "znver4", source, Some("znver4"))
    }

    const HEAD: &str = "isa: x86_64\nmicroArchitecture: znver4\n";
    const ONE: &str = "instructions:\n- {llvmName: A, throughput: 1}\n";

    #[test]
    fn a_file_without_the_key_is_what_its_runs_say() {
        let of = |runs: &str, entries: &str| {
            Database::parse(&format!("{HEAD}{runs}{entries}")).unwrap().origin().unwrap()
        };
        let run = |cpu: &str, clock: &str| {
            format!("measurement:\n  latency: {{cpu: {cpu}, clock: {clock}}}\n")
        };
        assert_eq!(of("", ONE), zen(Source::Measured));
        assert_eq!(of(&run("AMD EPYC", "reference"), ONE), zen(Source::Measured));
        assert_eq!(of(&run("AMD EPYC", "null"), ONE), zen(Source::Measured));
        let empty = "instructions:\n- {llvmName: A}\n";
        assert_eq!(of(&run("QEMU", "null"), empty), zen(Source::Emulated));
        let simulated = run("scheduling model of skylake", "counter");
        let expected = origin("x86_64", "znver4", Source::Simulated, Some("skylake"));
        assert_eq!(of(&simulated, ONE), expected);
        assert_eq!(of("source: emulated\n", ONE).source, Source::Emulated);
    }

    #[test]
    fn only_values_of_one_cpu_and_one_source_share_a_file() {
        let file = Database::parse(&format!("{HEAD}{ONE}")).unwrap();
        assert_eq!(file.admit(&zen(Source::Measured), false), Ok(()));
        let unknown = origin("x86_64", "znver4", Source::Measured, None);
        assert_eq!(file.admit(&unknown, false), Ok(()));
        for other in [
            zen(Source::Simulated),
            zen(Source::Emulated),
            origin("x86_64", "skylake", Source::Measured, Some("znver4")),
            origin("x86_64", "znver4", Source::Measured, Some("skylake")),
            origin("aarch64", "znver4", Source::Measured, None),
        ] {
            for adopt in [false, true] {
                let refused = file.admit(&other, adopt).unwrap_err().to_string();
                assert!(refused.contains("measured values of znver4 (x86_64)"), "{refused}");
                assert!(refused.contains(&other.to_string()), "{refused}");
            }
        }
    }

    #[test]
    fn a_list_is_adopted_when_somebody_vouches_for_it() {
        let run = zen(Source::Measured);
        assert_eq!(Database::default().admit(&zen(Source::Simulated), false), Ok(()));
        for (text, free, vouched) in [
            ("", true, true),
            ("isa: x86_64\ninstructions: []\n", true, true),
            ("- {llvmName: A}\n", false, true),
            ("isa: x86_64\ninstructions:\n- {llvmName: A}\n", false, true),
            ("isa: aarch64\ninstructions:\n- {llvmName: A}\n", false, false),
            ("source: simulated\ninstructions:\n- {llvmName: A}\n", false, false),
        ] {
            let database = Database::parse(text).unwrap();
            assert_eq!(database.admit(&run, false).is_ok(), free, "{text}");
            assert_eq!(database.admit(&run, true).is_ok(), vouched, "{text}");
        }
    }
}
