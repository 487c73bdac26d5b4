//! Waiting until nobody else uses the core.
//!
//! Other hardware threads of a core belong to other programs or, on virtual machines, to other
//! people. They come and go within seconds, so that waiting a little for them to go costs less than
//! measuring beside them, again and again.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::artifact::Artifact;
use crate::device::{Device, DeviceError, KernelReport};
use crate::infer::{Timing, Trust};
use crate::sample::{Clock, reduce};

/// How long to wait before looking at the core again.
const GLANCE: Duration = Duration::from_millis(40);
/// Waiting that every run may do.
const PATIENCE: Duration = Duration::from_secs(5);
/// ... and that each experiment of it adds: in the worst case a run takes about twice as long.
const PATIENCE_PER_EXPERIMENT: Duration = Duration::from_millis(1);

/// How much longer a run may wait for its core.
#[derive(Debug, Clone, Copy)]
pub struct Patience(Duration);

impl Default for Patience {
    fn default() -> Self {
        Self(PATIENCE)
    }
}

impl Patience {
    /// Adds what so many more experiments are worth waiting for.
    pub fn earn(&mut self, experiments: usize) {
        let count = u32::try_from(experiments).unwrap_or(u32::MAX);
        self.0 = self.0.saturating_add(PATIENCE_PER_EXPERIMENT.saturating_mul(count));
    }
}

/// A kernel by which a device is asked whether the core is shared.
pub(super) struct Watch<'a> {
    pub artifact: &'a Artifact,
    pub clock: &'a Clock,
    pub patience: &'a mut Patience,
    pub interrupted: &'a AtomicBool,
}

impl Watch<'_> {
    /// Returns when the core is quiet, patience is over, or the user interrupts.
    ///
    /// # Errors
    /// When the device breaks.
    pub fn wait(&mut self, device: &mut dyn Device, trust: &Trust) -> Result<(), DeviceError> {
        let started = Instant::now();
        while started.elapsed() < self.patience.0 && !self.interrupted.load(Ordering::Relaxed) {
            if self.is_quiet(device, trust)? {
                break;
            }
            std::thread::sleep(GLANCE);
        }
        self.patience.0 = self.patience.0.saturating_sub(started.elapsed());
        Ok(())
    }

    fn is_quiet(&self, device: &mut dyn Device, trust: &Trust) -> Result<bool, DeviceError> {
        let mut quiet = false;
        device.run(self.artifact, &mut |_, report| {
            if let KernelReport::Timed(raw) = &report {
                let sample = reduce(raw, self.clock, self.artifact.reference.cycles_per_iteration);
                quiet =
                    sample.is_ok_and(|sample| !trust.is_shared(&Timing::of_instances(sample, 1)));
            }
            true
        })?;
        Ok(quiet)
    }
}
