//! Where a runner settles: which logical CPU its kernels run on, and how much of it they get.

use std::time::{Duration, Instant};

use nix::time::{ClockId, clock_gettime};

use super::claim::Claim;
use super::{CoreKind, affinity, host};

/// How long a CPU is tried: several times the slice that a system gives to each of two programs.
const TRIAL: Duration = Duration::from_millis(20);

/// A CPU of which less than this is to be had is somebody else's.
pub(super) const ENOUGH: f64 = 0.9;

/// So many CPUs are tried.
const TRIALS: usize = 4;

/// A runner's place.
#[derive(Debug, Default)]
pub(super) struct Place {
    /// The logical CPU that the process is pinned to, if it could be.
    pub core: Option<u32>,
    /// The share of it that the process got when it wanted all.
    pub share: Option<f64>,
    /// The kind of cores, where the system pins none.
    pub kind: Option<CoreKind>,
    /// Another winic's core that could have been this one's, or is.
    pub claimed: Option<u32>,
    /// Keeps others away.
    _claim: Option<Claim>,
}

impl Place {
    /// Pins the process to the wanted CPU, or else to a free one: the last that is neither
    /// claimed nor busy, because interrupts tend to go to the first.
    pub(super) fn settle(wanted: Option<u32>) -> Self {
        let candidates = wanted.map_or_else(affinity::allowed, |core| vec![core]);
        let Choice { best, claimed } = choose(&candidates, try_core);
        let (core, share, claim) = match best {
            Some((core, share, claim)) => (Some(core), Some(share), claim),
            // Better shared than left to wander.
            None => (claimed, None, None),
        };
        let core = core.filter(|&core| affinity::pin(core).is_ok());
        Self { core, share, kind: None, claimed, _claim: claim }
    }

    /// The same on cores of a kind.
    pub(super) fn of(self, kind: Option<CoreKind>) -> Self {
        Self { kind, ..self }
    }

    /// What to say of another winic at work.
    pub(super) fn advice(&self) -> Option<String> {
        let claimed = self.claimed?;
        Some(match self.core {
            Some(core) if core != claimed => format!(
                "Another winic measures on CPU {claimed}, so this one took CPU {core}; \
                 they still disturb each other where both build kernels: let one end first."
            ),
            _ => format!(
                "Another winic measures on CPU {claimed} too, and each slows the other: let one \
                 end first, or give this one another CPU in WINIC_CORE."
            ),
        })
    }
}

/// What became of the attempt to use a CPU.
enum Trial<C> {
    /// Another winic has it.
    Claimed,
    /// The system does not permit it.
    Denied,
    /// This much of it is to be had, and what keeps others away.
    Free(f64, C),
}

/// What a choice came to.
struct Choice<C> {
    /// The best CPU, with its share and claim.
    best: Option<(u32, f64, C)>,
    /// The first that another winic had.
    claimed: Option<u32>,
}

/// Tries CPUs from the last to the first, until one gives enough or enough were tried.
fn choose<C>(candidates: &[u32], mut trial: impl FnMut(u32) -> Trial<C>) -> Choice<C> {
    let mut choice = Choice { best: None, claimed: None };
    let mut trials = 0;
    for &core in candidates.iter().rev() {
        match trial(core) {
            Trial::Claimed => choice.claimed = choice.claimed.or(Some(core)),
            Trial::Denied => {}
            Trial::Free(share, claim) => {
                trials += 1;
                if choice.best.as_ref().is_none_or(|(_, best, _)| share > *best) {
                    choice.best = Some((core, share, claim));
                }
                if share >= ENOUGH || trials >= TRIALS {
                    break;
                }
            }
        }
    }
    choice
}

fn try_core(core: u32) -> Trial<Option<Claim>> {
    match claim(core) {
        Ok(None) => Trial::Claimed,
        _ if affinity::pin(core).is_err() => Trial::Denied,
        // A system that knows no claims does not keep winic from measuring.
        claim => Trial::Free(share(), claim.ok().flatten()),
    }
}

/// Claims a whole core: hardware threads that share one have one name.
fn claim(core: u32) -> std::io::Result<Option<Claim>> {
    Claim::take(host::core_of(core))
}

/// The share of its CPU that this thread gets for a while when it wants all.
fn share() -> f64 {
    let begin = Instant::now();
    let Some(used_before) = used() else { return 1.0 };
    while begin.elapsed() < TRIAL {
        std::hint::spin_loop();
    }
    let Some(used_after) = used() else { return 1.0 };
    used_after.saturating_sub(used_before).as_secs_f64() / begin.elapsed().as_secs_f64()
}

/// CPU time that this thread has used; `None` where the system does not say.
fn used() -> Option<Duration> {
    clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID).ok().map(Duration::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Shares by CPU; none where another has it.
    fn choose_from(shares: &[Option<f64>]) -> (Option<u32>, Option<u32>) {
        let cpus: Vec<u32> = (0..shares.len() as u32).collect();
        let choice = choose(&cpus, |core| match shares[core as usize] {
            None => Trial::Claimed,
            Some(share) if share < 0.0 => Trial::Denied,
            Some(share) => Trial::Free(share, ()),
        });
        (choice.best.map(|(core, ..)| core), choice.claimed)
    }

    #[test]
    fn the_last_free_cpu_is_taken() {
        assert_eq!(choose_from(&[Some(1.0); 3]), (Some(2), None));
        assert_eq!(choose_from(&[Some(1.0), Some(1.0), None]), (Some(1), Some(2)));
        assert_eq!(choose_from(&[Some(1.0), Some(1.0), Some(0.5)]), (Some(1), None));
        assert_eq!(choose_from(&[Some(1.0), Some(-1.0)]), (Some(0), None));
    }

    #[test]
    fn of_busy_cpus_the_least_busy_is_taken_and_not_all_are_tried() {
        assert_eq!(choose_from(&[Some(0.3), Some(0.5), Some(0.4)]), (Some(1), None));
        let many = [Some(1.0), Some(0.1), Some(0.2), Some(0.3), Some(0.4)];
        assert_eq!(choose_from(&many), (Some(4), None));
    }

    #[test]
    fn where_all_belong_to_others_none_is_best() {
        assert_eq!(choose_from(&[None, None]), (None, Some(1)));
        assert_eq!(choose_from(&[]), (None, None));
    }

    #[test]
    fn another_winic_is_named() {
        let place = |core, claimed| Place { core, claimed, ..Place::default() };
        assert_eq!(place(Some(1), None).advice(), None);
        assert!(
            place(Some(1), Some(2)).advice().unwrap().contains("CPU 2, so this one took CPU 1")
        );
        assert!(place(Some(1), Some(1)).advice().unwrap().contains("WINIC_CORE"));
    }
}
