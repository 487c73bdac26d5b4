//! Where a run's time went, for `scripts/bench`.

use std::io;
use std::time::Duration;

use serde::Serialize;

use crate::files::Sink;
use crate::laboratory::Times;
use crate::units::Hertz;

/// The shares of a run.
#[derive(Debug, Serialize)]
pub struct Shares {
    wall_seconds: f64,
    stages: Stages,
    kernels: u64,
    /// Time inside timed windows.
    window_seconds: Option<f64>,
    /// The largest resident size so far.
    peak_memory_bytes: Option<u64>,
}

#[derive(Debug, Serialize)]
struct Stages {
    tables: f64,
    planning: f64,
    building: f64,
    assembling: f64,
    idling: f64,
    device: f64,
    waiting: f64,
    concluding: f64,
    writing: f64,
}

impl Shares {
    /// Of a run that took `wall`, `tables` of it to read LLVM's tables.
    pub fn new(wall: Duration, tables: Duration, times: &Times, tick_rate: Option<Hertz>) -> Self {
        Self {
            wall_seconds: wall.as_secs_f64(),
            stages: Stages {
                tables: tables.as_secs_f64(),
                planning: times.planning.as_secs_f64(),
                building: times.building.as_secs_f64(),
                assembling: times.assembling.as_secs_f64(),
                idling: times.idling.as_secs_f64(),
                device: times.running.as_secs_f64(),
                waiting: times.waiting.as_secs_f64(),
                concluding: times.concluding.as_secs_f64(),
                writing: times.writing.as_secs_f64(),
            },
            kernels: times.kernels,
            window_seconds: tick_rate.map(|rate| times.window_ticks as f64 / rate.get()),
            peak_memory_bytes: peak_memory(),
        }
    }

    /// Writes them down as JSON.
    pub fn write(&self, sink: &Sink) -> io::Result<()> {
        let text = serde_json::to_string_pretty(self).map_err(io::Error::other)?;
        sink.write((text + "\n").as_bytes())
    }
}

fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse::<u64>().ok().map(|kilobytes| kilobytes * 1024)
}
