//! Ports of forms.

use std::path::PathBuf;

use clap::Args;

use super::Measure;

/// Options of the mode that finds out about ports.
#[derive(Debug, Clone, Args)]
pub struct MeasurePorts {
    /// What is measured, and where it goes.
    #[command(flatten)]
    pub measure: Measure,
    /// Hold predictions against so many random mixtures of 3 to 6 forms that nothing is fitted to
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(..=MOST_MIXTURES))]
    pub mixtures: Option<u32>,
    /// Which random mixtures: another number gives others
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Measure the mixtures that stand in a database, and nothing else: on a model (--device mca) for what
    /// that predicts
    #[arg(long = "mixturesOf", value_name = "DATABASE", conflicts_with_all = ["mixtures", "seed"])]
    pub mixtures_of: Option<PathBuf>,
}

/// Mixtures that a run holds predictions against, at most.
const MOST_MIXTURES: i64 = 100_000;
