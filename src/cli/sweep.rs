//! What is swept, over which grid, and where its table and picture go.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::{Measure, examples};
use crate::study::Grid;

/// Options of `SWEEP`.
#[derive(Debug, Args)]
pub struct MeasureSweep {
    /// What is varied.
    #[command(subcommand)]
    pub choice: SweepChoice,
}

/// What can be varied.
#[derive(Debug, Subcommand)]
pub enum SweepChoice {
    /// How many independent chains of a form keep its units busy: latency, issue interval, and the
    /// count that saturates
    #[command(name = "accumulators", after_help = examples::SWEEP_ACCUMULATORS)]
    Accumulators(AccumulatorSweep),
    /// Which two registers stand in each other's way when they take turns at an operand: classes of
    /// conflicts
    #[command(name = "registers", after_help = examples::SWEEP_REGISTERS)]
    Registers(RegisterSweep),
    /// What entering and leaving a state costs beside instructions between the two: additive or
    /// overlapping
    #[command(name = "transition", after_help = examples::SWEEP_TRANSITION)]
    Transition(TransitionSweep),
}

/// Options of all sweeps.
#[derive(Debug, Clone, Args)]
pub struct SweepOptions {
    /// Of which forms, and where values go.
    #[command(flatten)]
    pub measure: Measure,
    /// SweepTables and pictures.
    #[command(flatten)]
    pub tables: SweepTables,
}

/// Where the tables and the picture of sweeps go.
#[derive(Debug, Clone, PartialEq, Eq, Default, Args)]
pub struct SweepTables {
    /// Write the table as lines of fields between tabs; `-` is standard output
    #[arg(long, value_name = "FILE")]
    pub tsv: Option<PathBuf>,
    /// Draw the table as SVG
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
}

/// Options of `SWEEP accumulators`.
#[derive(Debug, Args)]
pub struct AccumulatorSweep {
    /// The most accumulators; registers may not suffice for so many
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=64))]
    pub most: Option<u32>,
    /// What holds for all sweeps.
    #[command(flatten)]
    pub options: SweepOptions,
}

/// Options of `SWEEP registers`.
#[derive(Debug, Args)]
pub struct RegisterSweep {
    /// The operand at which registers take turns, as databases count operands; without it, the first
    /// that the form writes to
    #[arg(long, value_name = "N")]
    pub operand: Option<usize>,
    /// What holds for all sweeps.
    #[command(flatten)]
    pub options: SweepOptions,
}

/// Options of `SWEEP transition`.
#[derive(Debug, Args)]
pub struct TransitionSweep {
    /// The state that is entered and left; without it, each that the architecture has
    #[arg(long, value_name = "NAME")]
    pub state: Option<String>,
    /// The most instructions between entering and leaving it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(4..=512))]
    pub most: Option<u32>,
    /// What holds for all sweeps.
    #[command(flatten)]
    pub options: SweepOptions,
}

impl SweepChoice {
    /// What all sweeps have, and the grid that is asked for.
    #[must_use]
    pub fn parts(&self) -> (&SweepOptions, Grid) {
        match self {
            Self::Accumulators(AccumulatorSweep { most, options }) => {
                (options, Grid { accumulators: *most, ..Grid::default() })
            }
            Self::Registers(RegisterSweep { operand, options }) => {
                (options, Grid { operand: *operand, ..Grid::default() })
            }
            Self::Transition(TransitionSweep { state, most, options }) => {
                let (state, instructions) = (state.clone(), *most);
                (options, Grid { state, instructions, ..Grid::default() })
            }
        }
    }
}
