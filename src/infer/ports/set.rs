//! Sets of ports.

use std::fmt;
use std::ops::{BitAnd, BitOr, Sub};

/// A set of ports, which are numbers below 64.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Ports(u64);

impl Ports {
    /// No port.
    pub const NONE: Self = Self(0);

    /// The ports of these numbers; those from 64 on do not exist.
    #[must_use]
    pub fn of(numbers: impl IntoIterator<Item = u32>) -> Self {
        let bits = numbers.into_iter().filter_map(|number| 1_u64.checked_shl(number));
        Self(bits.fold(0, |all, bit| all | bit))
    }

    /// So many ports from a number on.
    #[must_use]
    pub fn range(first: u32, count: u32) -> Self {
        Self::of(first..first + count)
    }

    /// How many.
    #[must_use]
    pub fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether it is none.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether all of them are among others.
    #[must_use]
    pub fn is_within(self, others: Self) -> bool {
        self.0 & !others.0 == 0
    }

    /// Whether one of them is among others.
    #[must_use]
    pub fn meets(self, others: Self) -> bool {
        self.0 & others.0 != 0
    }

    /// Their numbers, ascending.
    pub fn numbers(self) -> impl Iterator<Item = u32> {
        (0..u64::BITS).filter(move |number| self.0 >> number & 1 == 1)
    }
}

impl BitOr for Ports {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitAnd for Ports {
    type Output = Self;
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

/// Those of the first that are not among the second.
impl Sub for Ports {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
}

/// As papers write it: `p015`, with commas where numbers have two digits.
impl fmt::Display for Ports {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let numbers: Vec<String> = self.numbers().map(|number| number.to_string()).collect();
        let separator = if self.0 >> 10 == 0 { "" } else { "," };
        write!(out, "p{}", numbers.join(separator))
    }
}
