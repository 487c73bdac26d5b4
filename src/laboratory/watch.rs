//! Waiting until nobody else uses the core.
//!
//! Other hardware threads of a core belong to other programs or, on virtual machines, to other
//! people. They come and go within seconds, so that waiting a little for them to go costs less than
//! measuring beside them, again and again.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::{Builder, Timebase};
use crate::artifact::Artifact;
use crate::assemble::AssembleError;
use crate::device::{Device, DeviceError, KernelReport};
use crate::experiment::Experiment;
use crate::infer::Trust;

/// The kernel by which the core is watched; what it takes does not matter, only its sentinel does.
const WATCHED: Experiment = Experiment::DispatchFloor { fillers: 96 };
/// How long to wait before looking at the core again.
const GLANCE: Duration = Duration::from_millis(40);
/// Waiting that every run may do.
const PATIENCE: Duration = Duration::from_secs(5);
/// ... and that each experiment of it adds: in the worst case a run takes about twice as long.
const PATIENCE_PER_EXPERIMENT: Duration = Duration::from_millis(1);

/// Who waits for a run's core.
#[derive(Debug, Clone)]
pub struct Watch {
    /// How much longer it may wait.
    patience: Duration,
    /// What it asks the device with, once it was built.
    glance: Option<Artifact>,
}

impl Default for Watch {
    fn default() -> Self {
        Self { patience: PATIENCE, glance: None }
    }
}

impl Watch {
    /// Adds what so many more experiments are worth waiting for.
    pub fn earn(&mut self, experiments: usize) {
        let count = u32::try_from(experiments).unwrap_or(u32::MAX);
        self.patience = self.patience.saturating_add(PATIENCE_PER_EXPERIMENT.saturating_mul(count));
    }

    /// Builds the kernel to ask with, unless there is one for this unit of time.
    ///
    /// # Errors
    /// When no shared object can be made.
    pub(super) fn prepare(&mut self, builder: &mut Builder<'_>) -> Result<(), AssembleError> {
        let unit = |artifact: &Artifact| artifact.reference == builder.reference;
        if !self.glance.as_ref().is_some_and(unit) {
            self.glance = Some(builder.batch(&[WATCHED])?.artifact);
        }
        Ok(())
    }

    /// Returns when the core is quiet, patience is over, or the user interrupts.
    ///
    /// # Errors
    /// When the device breaks.
    pub(super) fn wait(
        &mut self,
        device: &mut dyn Device,
        timebase: &Timebase,
        trust: &Trust,
        interrupted: &AtomicBool,
    ) -> Result<(), DeviceError> {
        let Some(glance) = &self.glance else { return Ok(()) };
        let started = Instant::now();
        while started.elapsed() < self.patience && !interrupted.load(Ordering::Relaxed) {
            if is_quiet(glance, device, timebase, trust)? {
                break;
            }
            std::thread::sleep(GLANCE);
        }
        self.patience = self.patience.saturating_sub(started.elapsed());
        Ok(())
    }
}

fn is_quiet(
    glance: &Artifact,
    device: &mut dyn Device,
    timebase: &Timebase,
    trust: &Trust,
) -> Result<bool, DeviceError> {
    let mut quiet = false;
    device.run(glance, &mut |_, report| {
        if let KernelReport::Timed(raw) = &report {
            let timing = timebase.of_instances(raw, 1);
            quiet = timing.is_ok_and(|timing| !trust.is_shared(&timing));
        }
        true
    })?;
    Ok(quiet)
}
