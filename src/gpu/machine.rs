//! GPUs that files describe: units, a clock, how long each form takes, and what it draws. They answer as
//! devices do, so that what is concluded from a real one can be checked.

use std::path::Path;

use serde::Deserialize;

use super::model::throughput;
use crate::database::read_yaml;

/// A GPU.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GpuMachine {
    /// Its name.
    pub name: String,
    /// Where its figures come from.
    pub source: String,
    /// Matrix units of a die.
    pub units: u32,
    /// Compute units of a die: the figures of data sheets are for one.
    pub compute_units: u32,
    /// Dies, whose power is measured together.
    pub dies: u32,
    /// Clock in GHz.
    pub clock: f64,
    /// Watts while nothing runs.
    #[serde(default)]
    pub idle: Option<f64>,
    /// What it executes.
    pub forms: Vec<MachineForm>,
}

/// A form that it executes.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct MachineForm {
    /// Types of D and of the factors: `FP32<-FP16`.
    pub types: String,
    /// Rows of D.
    pub m: u32,
    /// Columns of D.
    pub n: u32,
    /// Products for one element.
    pub k: u32,
    /// Cycles from one to the next that depends on it, which is also when the unit is free again.
    pub cycles: f64,
    /// What of the peak is reached while one die runs: it is the clock that gives way.
    #[serde(default = "whole")]
    pub share: f64,
    /// The same while all dies run.
    #[serde(default)]
    pub share_of_all: Option<f64>,
    /// Watts as a line over TFLOPS of all dies, and what was printed at the peak.
    #[serde(default)]
    pub power: Option<MachinePower>,
}

/// What a form draws.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct MachinePower {
    /// Watts for a TFLOPS.
    pub slope: f64,
    /// Watts where it does nothing.
    pub intercept: f64,
    /// GFLOPS for a watt at the peak, as the source prints it.
    pub printed_efficiency: f64,
    /// Watts at the peak, as the source prints it.
    pub printed_peak: f64,
}

fn whole() -> f64 {
    1.0
}

/// Why a file describes no GPU.
#[derive(Debug, thiserror::Error)]
#[error("{path}: {reason}")]
pub struct GpuMachineError {
    path: String,
    reason: String,
}

impl GpuMachine {
    /// Reads a file.
    ///
    /// # Errors
    /// When it cannot be read, or describes none.
    pub fn open(path: &Path) -> Result<Self, GpuMachineError> {
        let shown = crate::files::shown(path);
        let failed = |reason: String| GpuMachineError { path: shown.clone(), reason };
        let text = std::fs::read_to_string(path).map_err(|error| failed(error.to_string()))?;
        let machine: Self = read_yaml(&text).map_err(|error| failed(error.to_string()))?;
        let is_positive = |value: f64| value.is_finite() && value > 0.0;
        let is_whole = machine.units > 0 && machine.compute_units > 0 && machine.dies > 0;
        let forms = machine.forms.iter();
        let all = forms.clone().all(|form| is_positive(form.cycles) && is_positive(form.share));
        if !is_whole || !is_positive(machine.clock) || !all || machine.forms.is_empty() {
            return Err(failed("units, clock, cycles and shares must be above 0".to_owned()));
        }
        Ok(machine)
    }
}

impl MachineForm {
    /// Operations of one instruction.
    #[must_use]
    pub fn operations(&self) -> f64 {
        2.0 * f64::from(self.m) * f64::from(self.n) * f64::from(self.k)
    }

    /// TFLOPS of so many wavefronts on one die as the model has it: equation 2.
    #[must_use]
    pub fn modelled(&self, machine: &GpuMachine, wavefronts: u32) -> f64 {
        throughput(self.operations(), self.cycles, wavefronts, machine.units, machine.clock * 1e9)
            / 1e12
    }

    /// TFLOPS of so many wavefronts on each die, as the machine answers.
    #[must_use]
    pub fn rate(&self, machine: &GpuMachine, wavefronts: u32, all_dies: bool) -> f64 {
        let modelled = self.modelled(machine, wavefronts);
        match (all_dies, self.share_of_all) {
            (true, Some(share)) => modelled * share * f64::from(machine.dies),
            (true, None) => modelled * self.share * f64::from(machine.dies),
            (false, _) => modelled * self.share,
        }
    }

    /// Operations of a compute unit in a cycle, which data sheets have.
    #[must_use]
    pub fn operations_per_cycle(&self, machine: &GpuMachine) -> f64 {
        self.operations() / self.cycles * f64::from(machine.units)
            / f64::from(machine.compute_units)
    }

    /// Watts of the device at a throughput of all dies in TFLOPS.
    #[must_use]
    pub fn watts(&self, rate: f64) -> Option<f64> {
        self.power.map(|power| power.slope * rate + power.intercept)
    }
}
