//! Many machines of one kind as one device: the nodes of a cluster, the cores of this machine.
//!
//! Kernels are spread over the members. Nothing is taken from a member on trust:
//!
//! * A few kernels of every artifact are timed by all members first, and the rest of the
//!   artifact goes only to those who agree (`verdict`). Who disagrees takes part again in the next
//!   artifact, because a neighbour may have disturbed it, but not for ever.
//! * What a member had not reported when it broke is done again by another. A member that broke
//!   is started again for the next artifact, once.
//!
//! Each member times its own reference chain beside each kernel, so each has its own clock.

mod verdict;
mod work;

use std::collections::HashMap;

use crate::artifact::{Artifact, KernelFunctions, KernelId, Purpose};
use crate::device::{Device, DeviceError, Difference, HostDescription, KernelReport};
use crate::repetition;
use crate::sample::Clock;
use verdict::{Dissent, Juror};
use work::{Ended, spread};

/// A member that has broken so often is not started again.
const MOST_DEATHS: u32 = 2;

/// A kernel that so many members broke at is what breaks them.
const MOST_VICTIMS: u32 = 2;

/// Kernels of an artifact that every member runs.
const COMMON: usize = 2;

/// A member that has disagreed about so many artifacts is left out for good.
const MOST_DISSENTS: u32 = 3;

/// One machine of a fleet.
pub struct Member {
    /// What the user calls it: its command or its core.
    pub name: String,
    /// The machine.
    pub device: Box<dyn Device + Send>,
}

/// Something that the user should know of a member, in one line.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Incident {
    /// It broke; others do its work.
    #[error("{name} broke and its work is done again by the others: {reason}")]
    Broken {
        /// Which member.
        name: String,
        /// What the device said.
        reason: String,
    },
    /// Its values are not those of the others, this time.
    #[error("{name} waits while the others work, because it disagrees with them: {dissent}")]
    Doubted {
        /// Which member.
        name: String,
        /// About what.
        dissent: Dissent,
    },
    /// Its values have been others than those of the others too often.
    #[error("{name} is left out, because it disagrees with the others: {dissent}")]
    Dissenting {
        /// Which member.
        name: String,
        /// About what.
        dissent: Dissent,
    },
}

/// Why members are no fleet.
#[derive(Debug, thiserror::Error)]
pub enum FleetError {
    /// There are none.
    #[error("a fleet needs at least one machine")]
    Empty,
    /// One is another kind of machine.
    #[error(
        "{name} is another kind of machine than {first}: {difference}; measure them one by one"
    )]
    Unlike {
        /// Which member.
        name: String,
        /// The first member.
        first: String,
        /// How it differs.
        difference: Difference,
    },
}

/// Machines of one kind that work together.
pub struct Fleet {
    members: Vec<Crew>,
    /// Who disagreed about the last artifact.
    waiting: Vec<Crew>,
    host: HostDescription,
    clock: Clock,
    tell: Box<dyn FnMut(&Incident) + Send>,
}

/// A member at work.
struct Crew {
    name: String,
    device: Box<dyn Device + Send>,
    deaths: u32,
    dissents: u32,
}

impl Fleet {
    /// Of machines that say they are of one kind. `clock` makes cycles of their ticks, to compare
    /// them; `tell` is called when something happens to one of them.
    ///
    /// # Errors
    /// When there are none, or one is of another kind than the first.
    pub fn new(
        members: Vec<Member>,
        clock: Clock,
        tell: Box<dyn FnMut(&Incident) + Send>,
    ) -> Result<Self, FleetError> {
        let first = members.first().ok_or(FleetError::Empty)?;
        let host = HostDescription { core: None, ..first.device.describe().clone() };
        for member in &members {
            if let Some(difference) = host.difference(member.device.describe()) {
                let (name, first) = (member.name.clone(), first.name.clone());
                return Err(FleetError::Unlike { name, first, difference });
            }
        }
        let crew = |Member { name, device }| Crew { name, device, deaths: 0, dissents: 0 };
        let members = members.into_iter().map(crew).collect();
        Ok(Self { members, waiting: Vec::new(), host, clock, tell })
    }

    /// Has the common kernels run by everybody; who disagrees does not work at this artifact. What
    /// was agreed on.
    fn agree(
        &mut self,
        artifact: &Artifact,
        common: &[KernelFunctions],
    ) -> Result<Vec<(KernelId, KernelReport)>, DeviceError> {
        let mut jurors: Vec<Juror> = self.members.iter().map(|_| Juror::default()).collect();
        for _ in 0..=repetition::FLEET {
            let errors = work::everybody(&mut self.members, artifact, common, &mut jurors);
            self.bury(errors, &mut jurors)?;
            if self.dissent(artifact, common, &jurors).is_none() {
                break;
            }
        }
        while let Some((at, dissent)) = self.dissent(artifact, common, &jurors) {
            jurors.remove(at);
            self.suspend(at, dissent);
        }
        let cycles = artifact.reference.cycles_per_iteration;
        let best =
            |kernel: &KernelFunctions| verdict::best(&jurors, kernel.id, &self.clock, cycles);
        Ok(common.iter().filter_map(best).collect())
    }

    /// Takes a member that disagrees out of the work, for this artifact or for good.
    fn suspend(&mut self, at: usize, dissent: Dissent) {
        let mut member = self.members.remove(at);
        member.dissents += 1;
        let name = member.name.clone();
        if member.dissents < MOST_DISSENTS {
            self.waiting.push(member);
            (self.tell)(&Incident::Doubted { name, dissent });
        } else {
            (self.tell)(&Incident::Dissenting { name, dissent });
        }
    }

    fn dissent(
        &self,
        artifact: &Artifact,
        common: &[KernelFunctions],
        jurors: &[Juror],
    ) -> Option<(usize, Dissent)> {
        let cycles = artifact.reference.cycles_per_iteration;
        common.iter().find_map(|kernel| verdict::dissenter(jurors, kernel.id, &self.clock, cycles))
    }

    /// Takes note of those who broke, as (which, why); an error when nobody is left.
    fn bury(
        &mut self,
        errors: Vec<(usize, DeviceError)>,
        jurors: &mut Vec<Juror>,
    ) -> Result<(), DeviceError> {
        if errors.len() == self.members.len() {
            // The artifact is to blame, or the network: not this one or that.
            return errors.into_iter().next().map_or(Ok(()), |(_, error)| Err(error));
        }
        for (at, error) in errors.into_iter().rev() {
            let reason = error.to_string();
            let member = self.members.remove(at);
            jurors.remove(at);
            (self.tell)(&Incident::Broken { name: member.name, reason });
        }
        Ok(())
    }

    /// Takes note of those who broke while the work was spread; what they leave is left again.
    fn count(
        &mut self,
        ended: Vec<Ended>,
        victims: &mut HashMap<KernelId, u32>,
        left: &mut Vec<KernelFunctions>,
    ) -> Result<(), DeviceError> {
        let is_hopeless = ended.len() == self.members.len();
        let mut last = None;
        for Ended { member, undone, error } in ended.into_iter().rev() {
            let crew = &mut self.members[member];
            crew.deaths += 1;
            let is_over = crew.deaths >= MOST_DEATHS || matches!(error, DeviceError::Moved(_));
            let incident = Incident::Broken { name: crew.name.clone(), reason: error.to_string() };
            (self.tell)(&incident);
            if is_over {
                self.members.remove(member);
            }
            let deaths = undone.first().map(|kernel| victims.entry(kernel.id).or_default());
            let is_deadly = deaths.is_some_and(|deaths| {
                *deaths += 1;
                *deaths >= MOST_VICTIMS
            });
            left.extend(undone);
            if is_deadly || is_hopeless {
                last = Some(error);
            }
        }
        last.map_or(Ok(()), Err)
    }
}

/// The kernels that everybody runs, from all over the artifact.
fn common(kernels: &[KernelFunctions]) -> Vec<KernelFunctions> {
    let tells = |kernel: &&KernelFunctions| match kernel.purpose {
        Purpose::Probe => true,
        Purpose::Time => kernel.double.is_some(),
    };
    let telling: Vec<&KernelFunctions> = kernels.iter().filter(tells).collect();
    let step = telling.len().div_ceil(COMMON).max(1);
    telling.into_iter().step_by(step).cloned().collect()
}

impl Device for Fleet {
    fn describe(&self) -> &HostDescription {
        &self.host
    }

    fn run(
        &mut self,
        artifact: &Artifact,
        deliver: &mut dyn FnMut(KernelId, KernelReport) -> bool,
    ) -> Result<(), DeviceError> {
        let mut left = artifact.kernels.clone();
        self.members.append(&mut self.waiting);
        if self.members.len() > 1 {
            for (id, report) in self.agree(artifact, &common(&left))? {
                left.retain(|kernel| kernel.id != id);
                if !deliver(id, report) {
                    return Ok(());
                }
            }
        }
        let mut victims = HashMap::new();
        while !left.is_empty() {
            let (untaken, ended) = spread(&mut self.members, artifact, left, deliver);
            left = untaken;
            self.count(ended, &mut victims, &mut left)?;
        }
        Ok(())
    }
}
