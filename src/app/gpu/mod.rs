//! GPUs: what the modes do where one is measured.

mod amd;
mod bench;
mod nvidia;
mod output;
mod sweep;

use std::process::ExitCode;
use std::time::Duration;

use super::measure::document;
use super::names::matcher;
use super::{Failure, near};
use crate::cli::{
    Arguments, DeviceChoice, Global, GpuSweep, Measure, Mode, RunnerChoice, SweepChoice,
};
use crate::database::{Origin, SweepKind, Update};
use crate::device::gpu::{GpuChoice, GpuDevice, GpuVendor};
use crate::device::{ANSWER_LIMIT, DeviceError, Source};
use crate::gpu::form::{Data, GpuExperiment};
use crate::gpu::model::RegisterRoom;
use crate::gpu::{AskedOfGpu, GpuFindings, NamedForm, conclude};
use output::GpuOutput;

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

    /// The GPU, where there is one.
    fn device(&mut self) -> Option<&mut GpuDevice>;

    /// What bounds how many wavefronts a compute unit or a multiprocessor keeps, where that is known.
    fn room(&self) -> Option<RegisterRoom>;

    /// A line about a form, for lists.
    fn describe(&self, form: usize) -> String;
}

/// Does what was asked.
pub(super) fn dispatch(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let global = &arguments.global;
    let asked = |latency, throughput| AskedOfGpu { latency, throughput };
    match &arguments.mode {
        Mode::Latency(options) => measure(global, options, asked(true, false)),
        Mode::Throughput(options) => measure(global, options, asked(false, true)),
        Mode::All(options) => measure(global, options, asked(true, true)),
        Mode::List(options) => list(global, &[&options.names[..], &options.instructions].concat()),
        Mode::Sweep(options) => match &options.choice {
            SweepChoice::Wavefronts(asked) => sweep(global, SweepKind::Wavefronts, asked),
            SweepChoice::Power(asked) => sweep(global, SweepKind::Power, asked),
            _ => Err(Failure::new("of a GPU there are SWEEP wavefronts and SWEEP power")),
        },
        _ => Err(Failure::new(
            "a GPU has TP, LAT, ALL, list, SWEEP wavefronts and SWEEP power; leave -m and --device out \
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
    if let Some(DeviceChoice::Scoreboard(file)) = &global.device {
        return sweep::of_file(file, kind, asked);
    }
    let mut vendor = vendor(global)?;
    let origin = origin(global, &mut *vendor)?;
    sweep::of_device(&mut *vendor, (kind, asked), &origin)
}

fn measure(global: &Global, options: &Measure, asked: AskedOfGpu) -> Result<ExitCode, Failure> {
    if options.resume || options.stop_after.is_some() {
        return Err(Failure::new(
            "of a GPU no run goes on or stops early: leave --resume and --stop-after out",
        ));
    }
    if let Some(DeviceChoice::Scoreboard(_)) = &global.device {
        return Err(Failure::new(
            "machines that files describe have SWEEP wavefronts and SWEEP power",
        ));
    }
    let mut vendor = vendor(global)?;
    let forms = vendor.forms();
    let chosen = chosen(&forms, &options.instructions)?;
    if vendor.device().is_none() && !is_model(global) {
        return Err(Failure::new(
            "nothing here runs a GPU's kernels unless you say so: --device cuda, --device hip, or \
             --device mca for LLVM's scheduling model",
        ));
    }
    let origin = origin(global, &mut *vendor)?;
    let output = GpuOutput::open(&options.results, &origin)?;
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
            let isa = global.march.clone().unwrap_or_default().to_lowercase();
            Origin { isa, cpu: cpu.clone(), source: Source::Simulated, source_cpu: Some(cpu) }
        }
    })
}
