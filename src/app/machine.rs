//! Which machine the options mean: the target that LLVM is asked about, and the device that
//! kernels run on.

use super::Failure;
use crate::cli::{DeviceChoice, Global};
use crate::device::{Device, LocalDevice, LocalOptions, SimulatorDevice};
use crate::isa::possible_features;
use crate::llvm::{self, Simulator, TargetChoice};
use crate::pipeline::{PipelineError, Target};

/// The target that the options name: this machine, unless they say otherwise.
pub(super) fn target(global: &Global) -> Result<Target, PipelineError> {
    Target::open(choice(global))
}

/// The device that the options name, or `None` where kernels of the target can run nowhere.
pub(super) fn device_for(
    global: &Global,
    target: &Target,
) -> Result<Option<Box<dyn Device>>, Failure> {
    match &global.device {
        Some(DeviceChoice::Simulator(cpu)) => {
            let simulator = simulator_of(cpu.as_deref(), global, target)?;
            Ok(Some(Box::new(SimulatorDevice::new(simulator, &target.set.architecture))))
        }
        None if is_host(target) => Ok(Some(Box::new(LocalDevice::start(LocalOptions::default())?))),
        None => Ok(None),
    }
}

/// The device that the options name; without one nothing can be measured.
pub(super) fn device(global: &Global, target: &Target) -> Result<Box<dyn Device>, Failure> {
    let nowhere = || PipelineError::OtherArchitecture {
        wanted: target.set.architecture.clone(),
        here: std::env::consts::ARCH.to_owned(),
    };
    Ok(device_for(global, target)?.ok_or_else(nowhere)?)
}

/// The scheduling model that the options name, or else the target's.
pub(super) fn simulator(global: &Global, target: &Target) -> Result<Simulator, Failure> {
    let cpu = match &global.device {
        Some(DeviceChoice::Simulator(cpu)) => cpu.as_deref(),
        None => None,
    };
    simulator_of(cpu, global, target)
}

fn simulator_of(cpu: Option<&str>, global: &Global, target: &Target) -> Result<Simulator, Failure> {
    let choice = choice(global);
    let cpu = cpu.map_or(choice.cpu, str::to_owned);
    // The features of another CPU than the target's are its own.
    let features = if cpu == target.set.cpu { choice.features } else { String::new() };
    Ok(Simulator::new(&TargetChoice { cpu, features, ..choice }).map_err(PipelineError::from)?)
}

fn choice(global: &Global) -> TargetChoice {
    let host = llvm::host();
    let here = architecture(&host.triple).to_owned();
    let asked = global
        .march
        .as_deref()
        .map_or_else(|| here.clone(), |march| march.replace('-', "_").to_lowercase());
    let simulated = match &global.device {
        Some(DeviceChoice::Simulator(cpu)) => cpu.as_ref(),
        None => None,
    };
    let elsewhere = asked != here;
    match global.cpu.as_ref().or(simulated) {
        None if !elsewhere => host,
        cpu => TargetChoice {
            triple: if elsewhere { format!("{asked}-unknown-linux-gnu") } else { host.triple },
            cpu: cpu.cloned().unwrap_or_default(),
            features: possible_features(&asked, cpu.map(String::as_str)).to_owned(),
        },
    }
}

/// Whether this program runs on a machine of the target's architecture.
fn is_host(target: &Target) -> bool {
    target.set.architecture == architecture(&llvm::host().triple)
}

fn architecture(triple: &str) -> &str {
    triple.split('-').next().unwrap_or_default()
}
