//! Sweeps of a GPU: throughput against wavefronts, and power against throughput.

use std::path::Path;
use std::process::ExitCode;

use super::bench::{self, GpuBench};
use super::{Failure, Vendor, chosen, output::GpuOutput};
use crate::cli::{GpuSweep, SweepTables};
use crate::database::{Coordinate, FittedFigure, Origin, Sweep, SweepKind, SweepPoint};
use crate::device::Source;
use crate::device::gpu::{GpuDevice, GpuRun, PowerSample};
use crate::gpu::form::{ChainLink, Data, GpuExperiment};
use crate::gpu::model::{Line, Trimmed, knee, throughput, trimmed};
use crate::gpu::{AskedOfGpu, ClockBits, GpuMachine, MachineForm, NamedForm, conclude};

/// Milliseconds that a kernel is held while its power is sampled, and between two samples.
const HOLD: u32 = 3000;
const PERIOD: u32 = 20;
/// How many times longer a kernel's loop runs then: launches of less than a millisecond leave the GPU idle
/// in between for a tenth of the time.
const LONGER: u32 = 32;
/// Wavefronts in steps of four up to so many; then multiples of all units.
const STEPS: u32 = 256;
const MULTIPLES: u32 = 3;
/// Warps of one multiprocessor.
const WARPS: u32 = 32;
/// Matrix units of a compute unit, or of a multiprocessor.
const UNITS_EACH: u32 = 4;

/// One point.
struct Point {
    /// Wavefronts or warps.
    wavefronts: u32,
    /// Cycles between two instances on a unit.
    cycles: Option<f64>,
    /// TFLOPS of all.
    rate: f64,
    /// What equation 2 has there.
    modelled: f64,
    /// Watts, without the samples at both ends.
    watts: Option<Trimmed>,
    /// The clock in MHz, likewise.
    clock: Option<Trimmed>,
}

/// Sweeps the forms that a file's machine executes, by their types.
pub(super) fn of_file(file: &Path, kind: SweepKind, asked: &GpuSweep) -> Result<ExitCode, Failure> {
    let machine = GpuMachine::open(file).map_err(|error| Failure::new(error.to_string()))?;
    let patterns = &asked.options.measure.instructions;
    let wanted = |form: &&MachineForm| patterns.is_empty() || patterns.contains(&form.types);
    let forms: Vec<&MachineForm> = machine.forms.iter().filter(wanted).collect();
    if forms.is_empty() {
        let known: Vec<&str> = machine.forms.iter().map(|form| form.types.as_str()).collect();
        return Err(Failure::nothing(format!(
            "{} has no such form; it has {}",
            machine.name,
            known.join(", ")
        )));
    }
    let sweeps: Vec<Sweep> = forms
        .into_iter()
        .filter(|form| kind != SweepKind::Power || form.power.is_some())
        .map(|form| {
            let at = |wavefronts: u32| {
                let all_dies = kind == SweepKind::Power;
                let rate = form.rate(&machine, wavefronts, all_dies);
                let watts = form.watts(rate);
                let watts = watts.map(|mean| Trimmed { mean, deviation: 0.0, count: 1 });
                let modelled = form.modelled(&machine, wavefronts);
                Point { wavefronts, cycles: Some(form.cycles), rate, modelled, watts, clock: None }
            };
            let points: Vec<Point> = wavefronts(machine.units).into_iter().map(at).collect();
            let name = format!("{} {}x{}x{}", form.types, form.m, form.n, form.k);
            concluded(kind, &name, Data::Ones, &points)
        })
        .collect();
    let (isa, cpu) = ("gpu".to_owned(), machine.name.clone());
    let origin = Origin { isa, cpu: cpu.clone(), source: Source::Simulated, source_cpu: Some(cpu) };
    finish(asked, (&origin, None), &sweeps)
}

/// Sweeps forms of a GPU.
pub(super) fn of_device(
    vendor: &mut dyn Vendor,
    (kind, asked): (SweepKind, &GpuSweep),
    origin: &Origin,
) -> Result<ExitCode, Failure> {
    if asked.options.measure.instructions.is_empty() {
        return Err(Failure::new("name the forms to sweep with -i"));
    }
    let forms = vendor.forms();
    let chosen = chosen(&forms, &asked.options.measure.instructions)?;
    if vendor.device().is_none() {
        return Err(Failure::new(
            "a sweep of a GPU needs one: --device cuda or hip, or a machine that a file describes",
        ));
    }
    let mut sweeps = Vec::new();
    for form in chosen {
        let name = &forms[form].name;
        let chain = GpuExperiment::Latency(ChainLink::Addend);
        let bench = match vendor.kernel(form, chain, asked.data)? {
            Some(bench) => Some(bench),
            None => vendor.kernel(form, GpuExperiment::Throughput(1), asked.data)?,
        };
        let interval = interval(vendor, (form, &forms[form]))?;
        sweeps.push(match bench {
            Some(mut bench) => {
                // (A short counter would wrap.)
                if kind == SweepKind::Power && bench.clock == ClockBits::WHOLE {
                    bench.kernels.iter_mut().for_each(|kernel| kernel.iterations *= LONGER);
                }
                swept(vendor, (&bench, interval), (kind, asked.data, name))?
            }
            None => without(kind, name, "its registers allow no kernel"),
        });
    }
    finish(asked, (origin, vendor.device().as_deref()), &sweeps)
}

/// Cycles between two instances of a form on one unit, at best: c of equation 2. (On the paper's machine a
/// chain takes no longer.)
fn interval(
    vendor: &mut dyn Vendor,
    (form, named): (usize, &NamedForm),
) -> Result<Option<f64>, Failure> {
    let asked = AskedOfGpu { latency: false, throughput: true };
    let findings = vendor.measure(form, asked)?;
    Ok(conclude(named, asked, &findings).throughput.and_then(|it| it.value))
}

fn without(kind: SweepKind, name: &str, reason: &str) -> Sweep {
    Sweep {
        kind,
        forms: vec![name.to_owned()],
        status: Some(reason.to_owned()),
        ..Sweep::default()
    }
}

fn swept(
    vendor: &mut dyn Vendor,
    (bench, interval): (&GpuBench, Option<f64>),
    (kind, data, name): (SweepKind, Data, &str),
) -> Result<Sweep, Failure> {
    let (room, sweeps_one_unit) = (vendor.room(), vendor.sweeps_one_unit());
    let Some(device) = vendor.device() else { return Ok(without(kind, name, "there is no GPU")) };
    let units = device.facts().units;
    let groups = bench.threads / bench.lanes;
    // Blocks, and groups of threads in each.
    let grids: Vec<(u32, u32)> = match (kind, sweeps_one_unit) {
        (SweepKind::Wavefronts, true) => (1..=WARPS / groups).map(|count| (1, count)).collect(),
        (_, true) => {
            (1..=8).map(|step| ((units * step).div_ceil(8), (8 / groups).max(1))).collect()
        }
        (_, false) => wavefronts(units * UNITS_EACH).into_iter().map(|count| (count, 1)).collect(),
    };
    let kernel = &bench.kernels[0];
    let is_held = kind == SweepKind::Power;
    let launches = grids.iter().map(|&grid| {
        let mut launch = bench.launch(kernel, grid);
        if is_held {
            launch.hold = HOLD;
            launch.sample = Some(PERIOD);
        }
        launch
    });
    let answer = bench::run(device, &bench.module, launches.collect())?;
    if let Err(reason) = &answer.module {
        return Ok(without(kind, name, reason));
    }
    let mut points = Vec::new();
    let mut end = None;
    for (grid, outcome) in grids.iter().zip(&answer.launches) {
        match bench::records(outcome) {
            Ok((run, records)) => {
                points.extend(point((bench, interval), *grid, run, &records, units));
            }
            Err(cause) => {
                end = Some((grid, cause));
                break;
            }
        }
    }
    let mut sweep = concluded(kind, name, data, &points);
    // More wavefronts than have room, say: what was measured before stands.
    if let Some(((blocks, groups), cause)) = end {
        if points.is_empty() {
            return Ok(without(kind, name, &cause.to_string()));
        }
        let text = format!("{blocks} blocks of {groups}: {cause}");
        sweep.finding =
            Some(sweep.finding.map_or_else(|| text.clone(), |it| format!("{it}; {text}")));
    }
    // How many wavefronts have room, by the registers that the driver says the kernel takes.
    if let (Some(room), Some(Ok((run, _)))) = (room, answer.launches.first().map(bench::records)) {
        let occupancy = f64::from(room.occupancy(run.registers));
        sweep.fit.push(FittedFigure::exact("registers", run.registers.into()));
        sweep.fit.push(FittedFigure::exact("occupancy", occupancy));
    }
    Ok(sweep)
}

/// The rate between events, and the cycles of the slowest record.
fn point(
    (bench, interval): (&GpuBench, Option<f64>),
    (blocks, groups): (u32, u32),
    run: &GpuRun,
    records: &[Vec<crate::gpu::record::GpuRecord>],
    units: u32,
) -> Option<Point> {
    let kernel = &bench.kernels[0];
    let iterations = f64::from(kernel.iterations) * f64::from(kernel.instances);
    let pairs = run.times.as_chunks::<2>().0.iter();
    let mut elapsed: Vec<f64> = pairs.map(|[once, twice]| twice.elapsed - once.elapsed).collect();
    elapsed.sort_by(f64::total_cmp);
    let nanoseconds = *elapsed.get(elapsed.len() / 2).filter(|it| **it > 0.0)?;
    let count = blocks * groups;
    let rate = bench.operations * iterations * f64::from(count) / nanoseconds / 1e3;
    let figure = crate::gpu::reduce(records, kernel.iterations, kernel.instances, bench.clock).ok();
    let cycles = figure.map(|figure| figure.cycles);
    // The clock during the run, from both counters of the kernel, in ticks of a nanosecond.
    let clock = figure.and_then(|figure| figure.clocks_per_tick).map_or(0.0, |ratio| ratio * 1e9);
    // (A group of wavefronts takes as many units at once.)
    let lanes = bench.threads / bench.lanes;
    let all = if blocks == 1 { UNITS_EACH } else { units * UNITS_EACH } / lanes;
    let modelled =
        interval.map_or(0.0, |it| throughput(bench.operations, it, count, all, clock) / 1e12);
    let watts: Vec<f64> = run.power.iter().map(|sample: &PowerSample| sample.watts).collect();
    let clocks: Vec<f64> = run.power.iter().filter_map(|sample| sample.clock).collect();
    let (watts, clock) = (trimmed(&watts), trimmed(&clocks));
    Some(Point { wavefronts: count * lanes, cycles, rate, modelled, watts, clock })
}

/// 4, 8, ... 256, then up to all units and multiples of them.
fn wavefronts(units: u32) -> Vec<u32> {
    let low = (4..=STEPS.min(units)).step_by(4);
    let high =
        (1..).map(|step| STEPS + step * units.div_ceil(16)).take_while(|count| *count < units);
    low.chain(high).chain((1..=MULTIPLES).map(|times| times * units)).collect()
}

fn concluded(kind: SweepKind, name: &str, data: Data, points: &[Point]) -> Sweep {
    let place = |point: &Point| {
        let mut at = vec![Coordinate::from(point.wavefronts)];
        if kind == SweepKind::Power {
            let shown = |value: Option<f64>| {
                Coordinate::Word(value.map_or_else(String::new, |value| format!("{value:.1}")))
            };
            at.push(shown(point.watts.map(|watts| watts.mean)));
            at.push(shown(point.watts.map(|watts| watts.deviation)));
            at.push(shown(point.clock.map(|clock| clock.mean)));
            at.push(Coordinate::from(point.watts.map_or(0, |watts| watts.count as u32)));
        }
        at
    };
    let row = |point: &Point| SweepPoint {
        at: place(point),
        cycles: point.cycles,
        rate: Some(point.rate),
        ..SweepPoint::default()
    };
    let mut axes = vec!["wavefronts".to_owned()];
    if kind == SweepKind::Power {
        axes.extend(["watts", "deviation", "MHz", "samples"].map(str::to_owned));
    }
    let (fit, finding) = match kind {
        SweepKind::Power => power(points),
        _ => rates(points),
    };
    Sweep {
        kind,
        forms: vec![name.to_owned()],
        setting: (data != Data::Ones).then(|| format!("factors of {}", data.name())),
        axes,
        rate_unit: Some("TFLOPS".to_owned()),
        points: points.iter().map(row).collect(),
        fit,
        finding,
        ..Sweep::default()
    }
}

/// The knee and the peak, beside what equation 2 has.
fn rates(points: &[Point]) -> (Vec<FittedFigure>, Option<String>) {
    let pairs: Vec<(f64, f64)> =
        points.iter().map(|it| (f64::from(it.wavefronts), it.rate)).collect();
    let Some(knee) = knee(&pairs) else { return (Vec::new(), None) };
    let modelled = points.iter().map(|point| point.modelled).fold(0.0, f64::max);
    let fit = vec![
        FittedFigure::exact("knee", knee.wavefronts),
        FittedFigure::exact("peak", knee.peak),
        FittedFigure::exact("equation2", modelled),
    ];
    let share = if modelled > 0.0 {
        format!(", {:.0} % of it", 100.0 * knee.peak / modelled)
    } else {
        String::new()
    };
    let text = format!(
        "all units are busy from {:.0} wavefronts on; {:.4} TFLOPS (equation 2: {modelled:.4}{share})",
        knee.wavefronts, knee.peak
    );
    (fit, Some(text))
}

/// How far the clock may fall below the highest for a point to count as one at that clock.
const SAME_CLOCK: f64 = 0.98;

/// Equation 3, and operations for a watt at the peak. Where the GPU lowers its clock, power is no line of the
/// throughput any more: those points are not fitted.
fn power(points: &[Point]) -> (Vec<FittedFigure>, Option<String>) {
    let clock = |point: &Point| point.clock.map(|clock| clock.mean);
    let highest = points.iter().filter_map(clock).fold(0.0, f64::max);
    let is_full = |point: &Point| clock(point).is_none_or(|it| it >= SAME_CLOCK * highest);
    let pair = |point: &Point| Some((point.rate, point.watts?.mean));
    let all: Vec<(f64, f64)> = points.iter().filter_map(pair).collect();
    let fitted: Vec<(f64, f64)> =
        points.iter().filter(|point| is_full(point)).filter_map(pair).collect();
    let Some(line) = Line::fit(&fitted) else {
        return (Vec::new(), Some("nothing tells the power here".to_owned()));
    };
    let (rate, watts) =
        all.iter().copied().fold((0.0, 0.0), |best, it| if it.0 > best.0 { it } else { best });
    let efficiency = 1e3 * rate / watts;
    let fit = vec![
        FittedFigure::exact("slope", line.slope),
        FittedFigure::exact("intercept", line.intercept),
        FittedFigure::exact("efficiency", efficiency),
    ];
    let mut text = format!(
        "{:.2} W for a TFLOPS above {:.1} W; {watts:.0} W at {rate:.1} TFLOPS, {efficiency:.0} GFLOPS for a watt",
        line.slope, line.intercept
    );
    if let Some(first) = points.iter().find(|point| !is_full(point)) {
        let lowest = points.iter().filter_map(clock).fold(highest, f64::min);
        text += &format!(
            "; from {:.0} TFLOPS on the clock is lower, {lowest:.0} MHz for {highest:.0}",
            first.rate
        );
    }
    (fit, Some(text))
}

fn finish(
    asked: &GpuSweep,
    (origin, device): (&Origin, Option<&GpuDevice>),
    sweeps: &[Sweep],
) -> Result<ExitCode, Failure> {
    let output = GpuOutput::open(&asked.options.measure.results, origin, "SWEEP", device)?;
    output.write(origin, &[], sweeps)?;
    finish_tables(&asked.options.tables, sweeps)
}

/// Writes the table and the picture of sweeps; whether any came to something.
pub(super) fn finish_tables(tables: &SweepTables, sweeps: &[Sweep]) -> Result<ExitCode, Failure> {
    GpuOutput::tables(tables, sweeps)?;
    let is_met = sweeps.iter().any(Sweep::has_value);
    Ok(if is_met { ExitCode::SUCCESS } else { ExitCode::from(1) })
}
