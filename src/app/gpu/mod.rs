//! GPUs: what the modes do where one is measured.

mod amd;
mod bench;
mod nvidia;
mod output;
mod products;
mod refusal;
mod stages;
mod sweep;

use std::process::ExitCode;
use std::time::Duration;

use super::measure::document;
use super::names::matcher;
use super::{Failure, near};
use crate::cli::{
    Arguments, DeviceChoice, Global, GpuSweep, Measure, Mode, ProductSweep, RunnerChoice,
    SweepChoice,
};
use crate::database::{Origin, SweepKind, Update};
use crate::device::gpu::{GpuChoice, GpuDevice, GpuVendor};
use crate::device::{ANSWER_LIMIT, DeviceError, Source};
use crate::gpu::form::{Data, GpuExperiment, MatrixElement};
use crate::gpu::model::RegisterRoom;
use crate::gpu::{AskedOfGpu, GpuFindings, NamedForm, conclude};
use output::GpuOutput;

/// The architecture of AMD's GPUs, as LLVM's triples name it: of all GPUs without a device it alone has a
/// scheduling model.
const AMD: &str = "amdgcn";

/// What a run on a GPU needs of a vendor.
trait Vendor {
    /// The forms, in order.
    fn forms(&self) -> Vec<NamedForm>;

    /// What experiments on a form come to.
    fn measure(&mut self, form: usize, asked: AskedOfGpu) -> Result<GpuFindings, Failure>;

    /// The kernel of one experiment on a form, with how it is launched; none where there is no such.
    fn kernel(
        &mut self,
        form: usize,
        experiment: GpuExperiment,
        data: Data,
    ) -> Result<Option<bench::GpuBench>, Failure>;

    /// The kernels that tell what is asked of a form, as text, each alone in its module.
    fn texts(
        &mut self,
        form: usize,
        asked: AskedOfGpu,
    ) -> Result<Vec<(GpuExperiment, String)>, Failure>;

    /// What the names of files with kernels and with modules end in.
    fn extensions(&self) -> [&'static str; 2];

    /// The GPU, where there is one.
    fn device(&mut self) -> Option<&mut GpuDevice>;

    /// Whether a sweep of wavefronts is one of a single compute unit or multiprocessor.
    fn sweeps_one_unit(&self) -> bool;

    /// What bounds how many wavefronts a compute unit or a multiprocessor keeps, where that is known.
    fn room(&self) -> Option<RegisterRoom>;

    /// The types of the elements of A and D of the form of a name, where there is such a form.
    fn elements(&self, name: &str) -> Option<[MatrixElement; 2]>;

    /// A line about a form, for lists.
    fn describe(&self, form: usize) -> String;
}

/// Does what was asked.
pub(super) fn dispatch(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let global = &arguments.global;
    refusal::of_global(global)?;
    let asked = |latency, throughput| AskedOfGpu { latency, throughput };
    match &arguments.mode {
        Mode::Latency(options) => measure(global, options, asked(true, false)),
        Mode::Throughput(options) => measure(global, options, asked(false, true)),
        Mode::All(options) => measure(global, options, asked(true, true)),
        Mode::List(options) => list(global, &[&options.names[..], &options.instructions].concat()),
        Mode::Sweep(options) => match &options.choice {
            SweepChoice::Wavefronts(asked) => sweep(global, SweepKind::Wavefronts, asked),
            SweepChoice::Power(asked) => sweep(global, SweepKind::Power, asked),
            SweepChoice::Products(asked) => products(global, asked),
            _ => Err(Failure::new(
                "of a GPU there are SWEEP wavefronts, SWEEP power and SWEEP products",
            )),
        },
        _ => Err(Failure::new(
            "a GPU has TP, LAT, ALL, list and SWEEP wavefronts, power and products; leave -m and --device out \
             for what is done with files",
        )),
    }
}

/// A sweep of a GPU, or of one that a file describes.
pub(super) fn sweep(
    global: &Global,
    kind: SweepKind,
    asked: &GpuSweep,
) -> Result<ExitCode, Failure> {
    refusal::of_sweep(global, &asked.options.measure)?;
    if let Some(DeviceChoice::Scoreboard(file)) = &global.device {
        return sweep::of_file(file, kind, asked);
    }
    let mut vendor = vendor(global)?;
    let origin = origin(global, &mut *vendor)?;
    sweep::of_device(&mut *vendor, (kind, asked), &origin)
}

/// Products by the library of a GPU's vendor.
pub(super) fn products(global: &Global, asked: &ProductSweep) -> Result<ExitCode, Failure> {
    refusal::of_sweep(global, &asked.options.measure)?;
    if !matches!(global.device, Some(DeviceChoice::Gpu(_))) {
        return Err(Failure::new("a library multiplies on a GPU: say --device cuda or hip"));
    }
    let mut vendor = vendor(global)?;
    let origin = origin(global, &mut *vendor)?;
    products::of_device(&mut *vendor, asked, &origin)
}

fn measure(global: &Global, options: &Measure, asked: AskedOfGpu) -> Result<ExitCode, Failure> {
    refusal::of_measure(options)?;
    if let Some(DeviceChoice::Scoreboard(_)) = &global.device {
        return Err(Failure::new(
            "machines that files describe have SWEEP wavefronts and SWEEP power",
        ));
    }
    let mut vendor = vendor(global)?;
    let forms = vendor.forms();
    let chosen = chosen(&forms, &options.instructions)?;
    if let Some(stage) = global.stop_after {
        stages::stop(stage, (&mut *vendor, &chosen), asked, options)?;
        return Ok(ExitCode::SUCCESS);
    }
    if vendor.device().is_none() && !is_model(global) {
        return Err(Failure::new(
            "nothing here runs a GPU's kernels unless you say so: --device cuda, --device hip, or \
             --device mca for LLVM's scheduling model",
        ));
    }
    let origin = origin(global, &mut *vendor)?;
    let output =
        GpuOutput::open(&options.results, &origin, mode(asked), vendor.device().as_deref())?;
    super::watch_for_interrupt()?;
    let mut updates: Vec<Update> = Vec::new();
    let mut broken = None;
    for &form in &chosen {
        match vendor.measure(form, asked) {
            Ok(findings) => updates.push(conclude(&forms[form], asked, &findings)),
            Err(failure) => broken = Some(failure),
        }
        // What was found before is kept.
        if broken.is_some() || super::interrupted() {
            break;
        }
    }
    output.write(&origin, &updates, &[])?;
    if !options.instructions.is_empty() && !options.no_asm {
        for &form in chosen.iter().take(updates.len()) {
            stages::write(&options.asm, &mut *vendor, form, asked)?;
        }
    }
    let with_value = updates.iter().filter(|update| has_value(update)).count();
    remark!("{with_value} of {} forms", updates.len());
    if super::interrupted() {
        return Ok(ExitCode::from(super::INTERRUPTED_STATUS));
    }
    if let Some(failure) = broken {
        return Err(failure);
    }
    let is_missing = !options.instructions.is_empty() && with_value == 0;
    Ok(if is_missing { ExitCode::from(1) } else { ExitCode::SUCCESS })
}

/// The mode of the command line that asks so much.
fn mode(asked: AskedOfGpu) -> &'static str {
    match (asked.latency, asked.throughput) {
        (true, false) => "LAT",
        (false, true) => "TP",
        _ => "ALL",
    }
}

fn has_value(update: &Update) -> bool {
    let latency = update.latency.as_ref().is_some_and(|latency| latency.has_value());
    latency || update.throughput.as_ref().is_some_and(|throughput| throughput.has_value())
}

fn is_model(global: &Global) -> bool {
    matches!(global.device, Some(DeviceChoice::Simulator(_)))
}

fn list(global: &Global, patterns: &[String]) -> Result<ExitCode, Failure> {
    let vendor = vendor(global)?;
    for form in chosen(&vendor.forms(), patterns)? {
        println!("{}", vendor.describe(form));
    }
    Ok(ExitCode::SUCCESS)
}

/// The forms that names and patterns mean; all where there are none.
fn chosen(forms: &[NamedForm], patterns: &[String]) -> Result<Vec<usize>, Failure> {
    let mut chosen = Vec::new();
    for pattern in patterns {
        let matcher = matcher(pattern, false)?;
        let found: Vec<usize> = (0..forms.len())
            .filter(|&at| forms[at].name == *pattern || matcher.is_match(&forms[at].name))
            .collect();
        if found.is_empty() {
            let near = near::names(pattern, forms.iter().map(|form| form.name.as_str()));
            let near = if near.is_empty() {
                String::new()
            } else {
                format!("; did you mean {}?", near.join(", "))
            };
            return Err(Failure::nothing(format!(
                "no form of this GPU is called '{}'{near}",
                near::excerpt(pattern)
            )));
        }
        chosen.extend(found.into_iter().filter(|at| !chosen.contains(at)).collect::<Vec<_>>());
    }
    Ok(if patterns.is_empty() { (0..forms.len()).collect() } else { chosen })
}

/// The GPU that the options name, and its vendor's ways.
fn vendor(global: &Global) -> Result<Box<dyn Vendor>, Failure> {
    let choice = match global.device {
        Some(DeviceChoice::Gpu(choice)) => Some(choice),
        _ => None,
    };
    let march = global.march.as_deref().map(str::to_lowercase);
    let model = global.gpu_model().filter(|_| choice.is_none());
    let march = match (march.as_deref(), model) {
        (None, Some(_)) => Some(AMD.to_owned()),
        (Some(march), Some(name)) if march != AMD => {
            return Err(Failure::new(format!(
                "{name} is a GPU of {AMD}, not of {march}: leave -m out"
            )));
        }
        _ => march,
    };
    let is_nvidia = match (choice, march.as_deref()) {
        (Some(GpuChoice { vendor: GpuVendor::Cuda, .. }), None | Some("nvptx64"))
        | (None, Some("nvptx64")) => true,
        (Some(GpuChoice { vendor: GpuVendor::Hip, .. }), None | Some("amdgcn"))
        | (None, Some("amdgcn")) => false,
        (Some(choice), Some(march)) => {
            return Err(Failure::new(format!("{choice} is no GPU of {march}: leave -m out")));
        }
        (None, _) => {
            return Err(Failure::new(
                "say which GPU: --device cuda, --device hip, or --device scoreboard:FILE for one that a \
                 file describes",
            ));
        }
    };
    let device = choice.map(|choice| start(global, choice)).transpose()?;
    if is_nvidia { nvidia::open(global, device) } else { amd::open(global, device) }
}

fn start(global: &Global, choice: GpuChoice) -> Result<GpuDevice, Failure> {
    let limit =
        global.runner_timeout.map_or(ANSWER_LIMIT, |seconds| Duration::from_secs(seconds.into()));
    let commands: Vec<(String, Vec<String>)> =
        global.runners.iter().flat_map(RunnerChoice::commands).collect();
    let words = match commands.as_slice() {
        [] => None,
        [(_, words)] => Some(words.as_slice()),
        _ => {
            return Err(Failure::new("a GPU is measured behind one runner: leave all but one out"));
        }
    };
    GpuDevice::start(choice, words, limit).map_err(|error| match error {
        // The driver's own words say it.
        DeviceError::Refused(reason) => Failure::new(reason),
        error => error.into(),
    })
}

fn origin(global: &Global, vendor: &mut dyn Vendor) -> Result<Origin, Failure> {
    let cpu = match &global.device {
        Some(DeviceChoice::Simulator(Some(cpu))) => Some(cpu.clone()),
        _ => global.cpu.clone(),
    };
    let device =
        vendor.device().map(|device| (device.host().architecture.clone(), device.facts().clone()));
    Ok(match device {
        Some((isa, facts)) => {
            let own = facts.capability.map(|capability| format!("sm_{capability}"));
            let cpu = cpu.or(own).unwrap_or_default();
            Origin { isa, cpu, source: Source::Measured, source_cpu: Some(facts.name) }
        }
        None => {
            let cpu = cpu.unwrap_or_default();
            let isa = global.march.as_deref().unwrap_or(AMD).to_lowercase();
            Origin { isa, cpu: cpu.clone(), source: Source::Simulated, source_cpu: Some(cpu) }
        }
    })
}
