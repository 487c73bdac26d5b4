//! Kinds of cores, of machines that pin no program to one of them.

use super::{affinity, child};

/// A kind of core of Apple's chips. Each is a machine of its own: values of the two are never mixed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CoreKind {
    /// The fast ones.
    Performance,
    /// The small ones.
    Efficiency,
}

impl CoreKind {
    const ALL: [Self; 2] = [Self::Performance, Self::Efficiency];

    /// As the command line and the names of machines have it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Performance => "performance",
            Self::Efficiency => "efficiency",
        }
    }

    /// The kind of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// What `sysctl` calls the level of such cores: 0 is that of the fastest.
    #[cfg(any(test, target_os = "macos"))]
    pub(super) fn level(self) -> u32 {
        match self {
            Self::Performance => 0,
            Self::Efficiency => 1,
        }
    }

    /// Asks the system to run the calling thread on such cores.
    ///
    /// # Errors
    /// Where CPUs are chosen by their numbers, or the system denies it.
    pub(super) fn prefer(self) -> std::io::Result<()> {
        child::prefer(self)
    }

    /// Those that kernels run on, where nobody says: the fast ones, if the system tells kinds apart.
    pub(super) fn usual() -> Option<Self> {
        (!affinity::PINS).then_some(Self::Performance)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_have_names() {
        for kind in CoreKind::ALL {
            assert_eq!(CoreKind::named(kind.name()), Some(kind));
            assert!(kind.level() < 2);
        }
        assert_eq!(CoreKind::named("P"), None);
    }

    /// Linux pins by number, and says so.
    #[test]
    fn a_system_that_pins_has_no_usual_kind() {
        if affinity::PINS {
            assert_eq!(CoreKind::usual(), None);
            let error = CoreKind::Efficiency.prefer().unwrap_err();
            assert_eq!(error.kind(), std::io::ErrorKind::Unsupported);
        }
    }
}
