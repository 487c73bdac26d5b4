//! Kernels on their way to the members of a fleet and back.

use std::collections::VecDeque;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::thread::{self, Builder};

use super::Crew;
use super::verdict::Juror;
use crate::artifact::{Artifact, KernelFunctions, KernelId};
use crate::device::{DeviceError, KernelReport};

/// Portions of an artifact for each member: several, so that nobody waits long for the slowest.
const PORTIONS: usize = 4;

/// A portion has at least so many kernels, because a request goes with each of them, and the artifact
/// to those who do not keep it.
const LEAST_PORTION: usize = 8;

/// How a member's work ended before all was done.
pub(super) struct Ended {
    /// Which member.
    pub member: usize,
    /// What it had taken and not done, the kernel it was at first. It goes back only when the
    /// others have done all else: it may be what breaks machines.
    pub undone: Vec<KernelFunctions>,
    /// What the device said.
    pub error: DeviceError,
}

/// The kernels that nobody has taken yet, in portions.
struct Heap {
    portions: Mutex<VecDeque<Vec<KernelFunctions>>>,
    is_stopped: AtomicBool,
}

impl Heap {
    fn take(&self) -> Option<Vec<KernelFunctions>> {
        if self.is_stopped.load(Ordering::Relaxed) {
            return None;
        }
        self.portions.lock().unwrap_or_else(PoisonError::into_inner).pop_front()
    }
}

/// Spreads kernels over the members. What nobody took, because all broke before, and who broke,
/// in the order of the members. When the receiver wants no more, that is as if all were done.
pub(super) fn spread(
    members: &mut [Crew],
    artifact: &Artifact,
    kernels: Vec<KernelFunctions>,
    deliver: &mut dyn FnMut(KernelId, KernelReport) -> bool,
) -> (Vec<KernelFunctions>, Vec<Ended>) {
    let size = kernels.len().div_ceil(members.len().max(1) * PORTIONS).max(LEAST_PORTION);
    let portions = kernels.chunks(size).map(<[_]>::to_vec).collect();
    let heap = Heap { portions: Mutex::new(portions), is_stopped: AtomicBool::new(false) };
    let ended = thread::scope(|scope| {
        let (reports, received) = channel();
        let workers: Vec<_> = members
            .iter_mut()
            .enumerate()
            .map(|(number, member)| {
                let (heap, reports) = (&heap, reports.clone());
                let work = move || work(number, member, artifact, heap, &reports);
                (number, Builder::new().spawn_scoped(scope, work))
            })
            .collect();
        drop(reports);
        for (id, report) in received {
            if !heap.is_stopped.load(Ordering::Relaxed) && !deliver(id, report) {
                heap.is_stopped.store(true, Ordering::Relaxed);
            }
        }
        let ended = |(member, worker): (usize, io::Result<_>)| match worker {
            Ok(worker) => joined(worker)?,
            Err(error) => {
                Some(Ended { member, undone: Vec::new(), error: DeviceError::Thread(error) })
            }
        };
        workers.into_iter().filter_map(ended).collect()
    });
    let is_stopped = heap.is_stopped.into_inner();
    let portions = heap.portions.into_inner().unwrap_or_else(PoisonError::into_inner);
    let undone = if is_stopped { Vec::new() } else { portions.into_iter().flatten().collect() };
    (undone, ended)
}

/// A panic of a worker goes on here.
fn joined<T>(worker: thread::ScopedJoinHandle<'_, T>) -> Option<T> {
    worker.join().map_err(|panic| std::panic::resume_unwind(panic)).ok()
}

/// Takes portions until there are no more, or the member breaks.
fn work(
    number: usize,
    member: &mut Crew,
    artifact: &Artifact,
    heap: &Heap,
    reports: &Sender<(KernelId, KernelReport)>,
) -> Option<Ended> {
    while let Some(portion) = heap.take() {
        let mut done = 0;
        let part = part(artifact, portion);
        let ran = member.device.run(&part, &mut |id, report| {
            done += 1;
            // The receiver listens until all workers are done.
            reports.send((id, report)).is_ok() && !heap.is_stopped.load(Ordering::Relaxed)
        });
        if let Err(error) = ran {
            let undone = part.kernels[done.min(part.kernels.len())..].to_vec();
            return Some(Ended { member: number, undone, error });
        }
    }
    None
}

/// Has all members run the same kernels, and each juror hear what its member says. Who broke, in
/// the order of the members.
pub(super) fn everybody(
    members: &mut [Crew],
    artifact: &Artifact,
    kernels: &[KernelFunctions],
    jurors: &mut [Juror],
) -> Vec<(usize, DeviceError)> {
    if kernels.is_empty() {
        return Vec::new();
    }
    let part = &part(artifact, kernels.to_vec());
    thread::scope(|scope| {
        let pairs = members.iter_mut().zip(jurors).enumerate();
        let workers: Vec<_> = pairs
            .map(|(number, (member, juror))| {
                let work = move || {
                    let mut hear = |id, report| {
                        juror.hear(id, report);
                        true
                    };
                    member.device.run(part, &mut hear).err()
                };
                (number, Builder::new().spawn_scoped(scope, work))
            })
            .collect();
        let ended = |(number, worker): (usize, io::Result<_>)| match worker {
            Ok(worker) => Some((number, joined(worker)??)),
            Err(error) => Some((number, DeviceError::Thread(error))),
        };
        workers.into_iter().filter_map(ended).collect()
    })
}

/// The same artifact with other kernels.
fn part(artifact: &Artifact, kernels: Vec<KernelFunctions>) -> Artifact {
    Artifact { kernels, ..artifact.clone() }
}
