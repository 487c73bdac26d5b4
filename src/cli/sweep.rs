//! What is swept, over which grid, and where its table and picture go.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::{Measure, examples};
use crate::gpu::form::Data;
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
    /// Whether cores that run the same at the same time add up, or share something that is full
    #[command(name = "threads", after_help = examples::SWEEP_THREADS)]
    Threads(ThreadSweep),
    /// How many bytes a cycle come from each level of memory, and where those end
    #[command(name = "bandwidth", after_help = examples::SWEEP_BANDWIDTH)]
    Bandwidth(BandwidthSweep),
    /// What short loops of several instructions take, and how well a model of bases, switches and full
    /// latencies predicts those that it has not seen
    #[command(name = "sequences", after_help = examples::SWEEP_SEQUENCES)]
    Sequences(SequenceSweep),
    /// What entering and leaving a state costs beside instructions between the two: additive or
    /// overlapping
    #[command(name = "transition", after_help = examples::SWEEP_TRANSITION)]
    Transition(TransitionSweep),
    /// How many wavefronts or warps of a GPU keep its matrix units busy: throughput, knee and peak
    #[command(name = "wavefronts", after_help = examples::SWEEP_WAVEFRONTS)]
    Wavefronts(GpuSweep),
    /// What a GPU draws for the throughput of its matrix units: a line, and operations for a watt
    #[command(name = "power", after_help = examples::SWEEP_POWER)]
    Power(GpuSweep),
    /// How fast the library of a GPU's vendor (cuBLAS, rocBLAS) multiplies matrices of each size, beside
    /// what was measured of the matrix units and what the AMD matrix core paper's model has
    #[command(name = "products", after_help = examples::SWEEP_PRODUCTS)]
    Products(ProductSweep),
}

/// Options of `SWEEP products`.
#[derive(Debug, Args)]
pub struct ProductSweep {
    /// Rows of the largest matrices
    #[arg(long, value_name = "N", default_value = "8192", value_parser = clap::value_parser!(u32).range(16..=16384))]
    pub largest: u32,
    /// What holds for all sweeps; -i names routines: SGEMM, DGEMM, HGEMM, HHS, HSS.
    #[command(flatten)]
    pub options: SweepOptions,
}

/// Options of sweeps of a GPU.
#[derive(Debug, Args)]
pub struct GpuSweep {
    /// What the factors hold: ones, zeros, or random numbers
    #[arg(long, value_name = "DATA", default_value = "ones", value_parser = data)]
    pub data: Data,
    /// What holds for all sweeps.
    #[command(flatten)]
    pub options: SweepOptions,
}

fn data(text: &str) -> Result<Data, String> {
    let all = [Data::Ones, Data::Zeros, Data::Random];
    let found = all.into_iter().find(|data| data.name() == text);
    found.ok_or_else(|| format!("'{text}' is not ones, zeros or random"))
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
    /// Draw rates (GFLOPS, GOPS, GiB/s) instead of cycles; only of forms whose operations are known
    #[arg(long, requires = "svg")]
    pub rates: bool,
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

/// Options of `SWEEP threads`.
#[derive(Debug, Args)]
pub struct ThreadSweep {
    /// The most cores; without it, all that programs may use
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub threads: Option<u32>,
    /// Let each core load or store through so many bytes (64MiB)
    #[arg(long, value_name = "BYTES", value_parser = working_set)]
    pub working_set: Option<u64>,
    /// What holds for all sweeps.
    #[command(flatten)]
    pub options: SweepOptions,
}

/// Options of `SWEEP bandwidth`.
#[derive(Debug, Args)]
pub struct BandwidthSweep {
    /// The largest working set of a core (64MiB); without it, twice the last cache
    #[arg(long, value_name = "BYTES", value_parser = working_set)]
    pub working_set: Option<u64>,
    /// Store what is loaded, by the plain store of the same width
    #[arg(long)]
    pub copy: bool,
    /// Cores that do so at the same time, each in memory of its own
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub threads: Option<u32>,
    /// Pointers that walk through parts of the working set side by side
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=4))]
    pub streams: Option<u32>,
    /// Bytes from a page to where the working set begins: accesses are aligned by that
    #[arg(long, value_name = "BYTES", value_parser = clap::value_parser!(u32).range(0..4096))]
    pub offset: Option<u32>,
    /// What holds for all sweeps.
    #[command(flatten)]
    pub options: SweepOptions,
}

/// The smallest working set, in bytes: a body has room in it.
const LEAST_WORKING_SET: u64 = 4096;

/// A size in bytes, with or without a unit.
fn working_set(text: &str) -> Result<u64, String> {
    let size: bytesize::ByteSize = text.parse()?;
    let bytes = size.as_u64();
    if bytes < LEAST_WORKING_SET {
        return Err(format!("a working set has {LEAST_WORKING_SET} bytes at least"));
    }
    Ok(bytes)
}

/// Options of `SWEEP sequences`.
#[derive(Debug, Args)]
pub struct SequenceSweep {
    /// Instructions in a loop, at most; without it, three
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=4))]
    pub length: Option<u32>,
    /// Give each instruction of a loop results of its own, so that none waits for another
    #[arg(long)]
    pub apart: bool,
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
            Self::Threads(ThreadSweep { threads, working_set, options }) => {
                let (threads, working_set) = (*threads, *working_set);
                (options, Grid { threads, working_set, ..Grid::default() })
            }
            Self::Bandwidth(sweep) => {
                let BandwidthSweep { working_set, copy, threads, streams, offset, options } = sweep;
                let grid = Grid {
                    working_set: *working_set,
                    copy: *copy,
                    threads: *threads,
                    streams: *streams,
                    offset: *offset,
                    ..Grid::default()
                };
                (options, grid)
            }
            Self::Sequences(SequenceSweep { length, apart, options }) => {
                (options, Grid { length: *length, apart: *apart, ..Grid::default() })
            }
            Self::Wavefronts(GpuSweep { options, .. })
            | Self::Power(GpuSweep { options, .. })
            | Self::Products(ProductSweep { options, .. }) => (options, Grid::default()),
            Self::Transition(TransitionSweep { state, most, options }) => {
                let (state, instructions) = (state.clone(), *most);
                (options, Grid { state, instructions, ..Grid::default() })
            }
        }
    }
}
