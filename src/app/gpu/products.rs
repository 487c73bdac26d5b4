//! Products of matrices by the vendor's library, of each size: how fast they are beside what was measured
//! of the matrix units, and which operations those can do.

use std::process::ExitCode;

use super::bench;
use super::{Failure, Vendor, output::GpuOutput, sweep::finish_tables};
use crate::cli::ProductSweep;
use crate::database::{Coordinate, Database, FittedFigure, Origin, Sweep, SweepKind, SweepPoint};
use crate::device::gpu::{GpuLaunch, GpuRun, LibraryProduct, NumberType, Routine};
use crate::gpu::form::MatrixElement;
use crate::gpu::library_use::{ROUTINES, operations};

/// Rows of the smallest matrices; each next has twice as many.
const SMALLEST: u32 = 16;
/// Products of the shorter launch; the other one has twice as many.
const PRODUCTS: u32 = 4;
const REPETITIONS: u32 = 5;
/// How far a result may be off, relative: half rounds a tenth to so much, and twice over.
const TOLERANCE: f64 = 2e-3;

/// Sweeps routines of the library over sizes.
pub(super) fn of_device(
    vendor: &mut dyn Vendor,
    asked: &ProductSweep,
    origin: &Origin,
) -> Result<ExitCode, Failure> {
    let routines = chosen(&asked.options.measure.instructions)?;
    let output = GpuOutput::open(
        &asked.options.measure.results,
        origin,
        "SWEEP",
        vendor.device().as_deref(),
    )?;
    let known = output.known(origin)?;
    let mut sweeps = Vec::new();
    for routine in routines {
        let peak = peak(&known, vendor, routine);
        sweeps.push(swept(vendor, (routine, asked.largest), peak)?);
    }
    output.write(origin, &[], &sweeps)?;
    finish_tables(&asked.options.tables, &sweeps)
}

/// The routines of these names, or all.
fn chosen(names: &[String]) -> Result<Vec<Routine>, Failure> {
    if names.is_empty() {
        return Ok(Routine::ALL.to_vec());
    }
    let known = || Routine::ALL.map(Routine::name).join(", ");
    let of_name = |name: &String| {
        let routine = Routine::ALL.into_iter().find(|it| it.name().eq_ignore_ascii_case(name));
        routine.ok_or_else(|| {
            Failure::nothing(format!("there is no routine '{name}'; there are {}", known()))
        })
    };
    names.iter().map(of_name).collect()
}

fn swept(
    vendor: &mut dyn Vendor,
    (routine, largest): (Routine, u32),
    peak: Option<(String, f64)>,
) -> Result<Sweep, Failure> {
    let sizes = std::iter::successors(Some(SMALLEST), |n| Some(2 * n));
    let sizes: Vec<u32> = sizes.take_while(|n| *n <= largest).collect();
    let launch = |&n: &u32| GpuLaunch {
        symbol: routine.name().to_owned(),
        blocks: 0,
        threads: 0,
        bytes: 8,
        iterations: vec![PRODUCTS, 2 * PRODUCTS],
        arguments: [].into(),
        repetitions: REPETITIONS,
        hold: 0,
        sample: None,
        product: Some(LibraryProduct { routine, n }),
    };
    let Some(device) = vendor.device() else {
        return Err(Failure::new("a library multiplies on a GPU: say --device cuda or hip"));
    };
    let answer = bench::run(device, &[].into(), sizes.iter().map(launch).collect())?;
    let mut sweep = Sweep {
        kind: SweepKind::Products,
        forms: vec![routine.name().to_owned()],
        axes: vec!["N".to_owned()],
        rate_unit: Some("TFLOPS".to_owned()),
        ..Sweep::default()
    };
    if let Err(reason) = answer.module {
        sweep.status = Some(reason);
        return Ok(sweep);
    }
    for (&n, outcome) in sizes.iter().zip(&answer.launches) {
        let (rate, status) = match bench::ran(outcome).map(|run| rate((routine, n), run)) {
            Ok(Ok(rate)) => (Some(rate), None),
            Ok(Err(reason)) => (None, Some(reason)),
            Err(cause) => (None, Some(cause.to_string())),
        };
        let at = vec![Coordinate::from(n)];
        sweep.points.push(SweepPoint { at, rate, status, ..SweepPoint::default() });
    }
    conclude(&mut sweep, routine, peak);
    Ok(sweep)
}

/// TFLOPS, or why what was computed is no such product.
fn rate((routine, n): (Routine, u32), run: &GpuRun) -> Result<f64, String> {
    let [_, result, _] = routine.types();
    let pairs = run.times.as_chunks::<2>().0;
    for (place, time) in pairs.iter().flatten().enumerate() {
        let times = if place % 2 == 0 { PRODUCTS } else { 2 * PRODUCTS };
        let (found, expected) = (number(result, &time.memory), LibraryProduct::expected(times));
        // (What is no number is not near either.)
        if !found.is_some_and(|found| (found / expected - 1.0).abs() < TOLERANCE) {
            let found = found.map_or_else(|| "nothing".to_owned(), |found| found.to_string());
            return Err(format!("wrong result: {found} instead of {expected:.4}"));
        }
    }
    let mut elapsed: Vec<f64> =
        pairs.iter().map(|[once, twice]| twice.elapsed - once.elapsed).collect();
    elapsed.sort_by(f64::total_cmp);
    let middle = elapsed.get(elapsed.len() / 2).copied().filter(|it| *it > 0.0);
    let nanoseconds = middle.ok_or("it took no time that events tell")?;
    let all = operations(n.into(), None).vector;
    Ok(all as f64 * f64::from(PRODUCTS) / nanoseconds / 1e3)
}

/// The first number in memory.
fn number(kind: NumberType, memory: &[u8]) -> Option<f64> {
    Some(match kind {
        NumberType::F16 => half::f16::from_le_bytes(*memory.first_chunk()?).into(),
        NumberType::F32 => f32::from_le_bytes(*memory.first_chunk()?).into(),
        NumberType::F64 => f64::from_le_bytes(*memory.first_chunk()?),
    })
}

/// The fastest product, beside what the matrix units do and what of it they can do.
fn conclude(sweep: &mut Sweep, routine: Routine, peak: Option<(String, f64)>) {
    let rates = sweep.points.iter().filter_map(|point| match point.at[..] {
        [Coordinate::Number(n)] => Some((n, point.rate?)),
        _ => None,
    });
    let Some((n, rate)) = rates.max_by(|a, b| a.1.total_cmp(&b.1)) else {
        sweep.status = sweep.points.iter().find_map(|point| point.status.clone());
        return;
    };
    let from =
        ROUTINES.iter().find(|(name, _)| *name == routine.name()).and_then(|(_, from)| *from);
    let share = 100.0 * operations(n as u64, from).share();
    sweep.fit = vec![FittedFigure::exact("peak", rate), FittedFigure::exact("matrixShare", share)];
    let beside = peak.map(|(form, peak)| {
        sweep.fit.push(FittedFigure::exact("ofUnits", 100.0 * rate / peak));
        format!(", {:.0} % of the {peak:.1} that {form} was measured to reach", 100.0 * rate / peak)
    });
    sweep.finding = Some(format!(
        "{rate:.4} TFLOPS at N = {n}{}; of its 2N^3 + 3N^2 operations matrix units can do 2N^3, and the \
         paper's rocBLAS has them do {share:.1} %",
        beside.unwrap_or_default()
    ));
}

/// The highest rate in a database of a form that multiplies and adds what the routine does.
fn peak(database: &Database, vendor: &dyn Vendor, routine: Routine) -> Option<(String, f64)> {
    let [factor, _, computed] = routine.types();
    let element = |kind: NumberType| match kind {
        NumberType::F16 => MatrixElement::F16,
        NumberType::F32 => MatrixElement::F32,
        NumberType::F64 => MatrixElement::F64,
    };
    // (What is computed in single is added in single, whatever it is stored as.)
    let fits = |name: &str| {
        vendor.elements(name).is_some_and(|[a, d]| a == element(factor) && d == element(computed))
    };
    // (Of NVIDIA's GPUs a sweep of wavefronts is one of a single multiprocessor.)
    let is_of_all = |kind: SweepKind| match kind {
        SweepKind::Power => true,
        SweepKind::Wavefronts => !vendor.sweeps_one_unit(),
        _ => false,
    };
    let sweeps = database.sweeps().into_iter().filter(|it| is_of_all(it.kind));
    let rates = sweeps.filter_map(|sweep| {
        let form = sweep.forms.first().filter(|name| fits(name))?.clone();
        let rate = sweep.points.iter().filter_map(|it| it.rate).fold(0.0, f64::max);
        (rate > 0.0).then_some((form, rate))
    });
    rates.max_by(|a, b| a.1.total_cmp(&b.1))
}
