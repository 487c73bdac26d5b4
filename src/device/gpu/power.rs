//! Power, clock and energy while a kernel runs, in a thread of its own.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::library::Meter;
use super::{GpuChoice, PowerSample};

/// As many as are kept: at one every 10 ms for an hour, more than anybody waits for.
const MOST: usize = 360_000;

/// Takes samples until it is stopped.
pub struct Sampler {
    ends: Arc<AtomicBool>,
    samples: Arc<Mutex<Vec<PowerSample>>>,
    thread: JoinHandle<()>,
}

impl Sampler {
    /// Starts one with a period; none where nothing tells the power.
    #[must_use]
    pub fn start(choice: GpuChoice, bus: &str, period: Duration) -> Option<Self> {
        let ends = Arc::new(AtomicBool::new(false));
        let samples = Arc::new(Mutex::new(Vec::new()));
        let (stop, kept, bus) = (Arc::clone(&ends), Arc::clone(&samples), bus.to_owned());
        let begin = Instant::now();
        let take = move || {
            // (Its handles stay in the thread that made them.)
            let Some(meter) = Meter::open(choice, &bus) else { return };
            while !stop.load(Ordering::Relaxed) {
                let at = begin.elapsed().as_secs_f64() * 1e3;
                let Some(watts) = meter.watts() else { return };
                let sample =
                    PowerSample { at, watts, clock: meter.clock(), energy: meter.energy() };
                let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
                if kept.len() < MOST {
                    kept.push(sample);
                }
                drop(kept);
                thread::sleep(period);
            }
        };
        let thread = thread::Builder::new().spawn(take).ok()?;
        Some(Self { ends, samples, thread })
    }

    /// Stops, and gives what was sampled.
    #[must_use]
    pub fn stop(self) -> Vec<PowerSample> {
        self.ends.store(true, Ordering::Relaxed);
        // (A library that hangs takes the child's time limit.)
        let _ = self.thread.join();
        self.samples.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
