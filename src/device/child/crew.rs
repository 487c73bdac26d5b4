//! Kernels on several cores at the same time, and kernels with a buffer: a child for each core, on the
//! core, with a buffer, a clock and a watchdog of its own.

use std::io;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use super::ending::fault;
use super::memory::SharedCrew;
use super::notes::{ChildStage, Notes};
use super::process::fork;
use super::timing::{Functions, Pace, Together};
use super::wait::{ChildEnd, kill, wait_for_all};
use super::{Nursery, Post, WALL_FACTOR, breach};
use crate::device::{KernelReport, ThreadSample};

/// How long a call takes that walks through a buffer: long enough that bursts of the memory behind the
/// caches even out.
const WALK: Duration = Duration::from_micros(100);

/// How long the windows of such a kernel may take, all together.
const WALKS: Duration = Duration::from_millis(40);

impl Nursery {
    /// Times a kernel on all its cores. What does not return on one of them ends on all.
    ///
    /// # Errors
    /// When a child could not be made, or is denied what it needs.
    pub(super) fn report_of_crew(&self, functions: Functions) -> io::Result<KernelReport> {
        let cpus = self.cpus_of(functions);
        let crew = SharedCrew::new(cpus.len())?;
        crew.notes().iter().for_each(Notes::clear);
        let children = self.raise_crew(functions, &crew, &cpus)?;
        let limit = self.settings.watchdog * WALL_FACTOR;
        let is_well = |place: usize, end| {
            let stage = crew.notes().get(place).map(Notes::stage);
            stage == Some(ChildStage::Finished) && fault(end, ChildStage::Finished).is_none()
        };
        if let Some((place, end)) = wait_for_all(&children, limit, is_well)? {
            return of_failure(end, crew.notes().get(place));
        }
        let broken =
            crew.notes().iter().find_map(|notes| breach::fault(notes.breaches.load(Relaxed)));
        if let Some(fault) = broken {
            return Ok(KernelReport::Faulted(fault));
        }
        let samples = cpus.iter().zip(crew.notes()).map(|(&cpu, notes)| {
            let huge = notes.huge.load(Relaxed);
            let huge = (huge != Notes::UNKNOWN).then_some(huge);
            ThreadSample { cpu, huge, sample: self.sample(notes) }
        });
        Ok(KernelReport::Parallel(samples.collect()))
    }

    /// Where the threads of a kernel run; a single one is where all other kernels are.
    fn cpus_of(&self, functions: Functions) -> Vec<Option<u32>> {
        let known = self.cpus.iter().copied().map(Some);
        known.chain(std::iter::repeat(None)).take(functions.cores as usize).collect()
    }

    fn raise_crew(
        &self,
        functions: Functions,
        crew: &SharedCrew,
        cpus: &[Option<u32>],
    ) -> io::Result<Vec<libc::pid_t>> {
        let pace = self.pace_of(functions);
        let parent = std::process::id();
        let together = Together::new(crew.place(), cpus.len() as u64);
        let together = (cpus.len() > 1).then_some(&together);
        let mut children = Vec::new();
        for (&cpu, notes) in cpus.iter().zip(crew.notes()) {
            let post = Post { notes: std::slice::from_ref(notes), pace, cpu, together };
            // SAFETY: the child calls only `live`, which keeps to what a forked child may do.
            match unsafe { fork() } {
                Ok(None) => self.live(&[functions], parent, &post),
                Ok(Some(child)) => children.push(child),
                Err(error) => {
                    kill(&children);
                    wait_for_all(&children, Duration::MAX, |_, _| true)?;
                    return Err(error);
                }
            }
        }
        Ok(children)
    }

    fn pace_of(&self, functions: Functions) -> Pace {
        if functions.buffer.is_none() {
            return self.pace;
        }
        let ticks = |time| self.settings.tick.ticks(time);
        let target = self.pace.target.max(ticks(WALK));
        Pace { target, budget: self.pace.budget.max(ticks(WALKS)), ..self.pace }
    }
}

/// What to say of a kernel of which one child did not come to its end.
fn of_failure(end: ChildEnd, notes: Option<&Notes>) -> io::Result<KernelReport> {
    let stage = notes.map_or(ChildStage::Unfinished, Notes::stage);
    match (fault(end, stage), notes) {
        (None, Some(notes)) => {
            Err(io::Error::from_raw_os_error(notes.error.load(Relaxed).cast_signed()))
        }
        (found, _) => Ok(KernelReport::Faulted(found.unwrap_or(crate::device::Fault::TimedOut))),
    }
}
