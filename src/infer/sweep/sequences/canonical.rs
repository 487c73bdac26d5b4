//! Loops, of which a rotation is the same loop.

use std::fmt;

/// The instructions of a loop, by their places in a list, in the rotation that comes first.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CanonicalLoop(Vec<usize>);

impl CanonicalLoop {
    /// The loop of these; none without any.
    #[must_use]
    pub fn new(instructions: &[usize]) -> Option<Self> {
        let rotations = (0..instructions.len()).map(|start| {
            let (end, begin) = instructions.split_at(start);
            [begin, end].concat()
        });
        rotations.min().map(Self)
    }

    /// All loops of a length over so many instructions, in order, none twice: of `n` instructions `n` of one,
    /// `n (n + 1) / 2` of two and `(n^3 + 2 n) / 3` of three (for 24: 24, 300 and 4624).
    #[must_use]
    pub fn all(instructions: usize, length: usize) -> Vec<Self> {
        let mut necklaces =
            Necklaces { kinds: instructions, beads: vec![0; length], found: vec![] };
        if instructions > 0 && length > 0 {
            necklaces.extend(0, 1);
        }
        necklaces.found
    }

    /// Its instructions.
    #[must_use]
    pub fn instructions(&self) -> &[usize] {
        &self.0
    }
}

impl fmt::Display for CanonicalLoop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let numbers: Vec<String> = self.0.iter().map(usize::to_string).collect();
        write!(f, "{}", numbers.join("-"))
    }
}

/// Fredricksen, Kessler and Maiorana's recursion, as in Ruskey, Savage and Wang, "Generating necklaces" (1992).
struct Necklaces {
    kinds: usize,
    beads: Vec<usize>,
    found: Vec<CanonicalLoop>,
}

impl Necklaces {
    /// Goes on from the first `set` beads, which repeat with a period.
    fn extend(&mut self, set: usize, period: usize) {
        if set == self.beads.len() {
            if set.is_multiple_of(period) {
                self.found.push(CanonicalLoop(self.beads.clone()));
            }
            return;
        }
        let again = if set < period { 0 } else { self.beads[set - period] };
        self.beads[set] = again;
        self.extend(set + 1, period);
        for bead in again + 1..self.kinds {
            self.beads[set] = bead;
            self.extend(set + 1, set + 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn there_are_as_many_as_counted() {
        let counts = |kinds| [1, 2, 3].map(|length| CanonicalLoop::all(kinds, length).len());
        assert_eq!(counts(24), [24, 300, 4624]);
        assert_eq!(counts(40), [40, 820, 21_360]);
        assert_eq!(CanonicalLoop::all(252, 2).len(), 31_878);
        assert_eq!((CanonicalLoop::all(2, 4).len(), CanonicalLoop::all(3, 6).len()), (6, 130));
        assert_eq!((CanonicalLoop::all(0, 2).len(), CanonicalLoop::all(3, 0).len()), (0, 0));
    }

    proptest! {
        #[test]
        fn a_rotation_is_the_same_loop(
            mut beads in proptest::collection::vec(0usize..4, 1..6),
            by in 0usize..6,
        ) {
            let canonical = CanonicalLoop::new(&beads).unwrap();
            let length = beads.len();
            prop_assert!(CanonicalLoop::all(4, length).contains(&canonical));
            beads.rotate_left(by % length);
            prop_assert_eq!(CanonicalLoop::new(&beads).unwrap(), canonical);
        }
    }

    #[test]
    fn all_are_canonical_and_in_order() {
        let all = CanonicalLoop::all(5, 4);
        assert!(all.is_sorted_by(|a, b| a < b));
        assert!(all.iter().all(|it| CanonicalLoop::new(it.instructions()).as_ref() == Some(it)));
        assert_eq!(CanonicalLoop::new(&[]), None);
        assert_eq!(CanonicalLoop::new(&[2, 0, 1]).unwrap().to_string(), "0-1-2");
    }
}
