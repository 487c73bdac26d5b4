//! Numbers that look random and are the same for a seed, on every machine: what is drawn with them can be
//! drawn again.
//!
//! The generator is SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators",
//! OOPSLA 2014): its state grows by a constant step, so that any place of the sequence can be asked for
//! alone.

use std::f64::consts::TAU;

/// What the state grows by: the golden ratio, odd.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// A sequence of such numbers.
#[derive(Debug, Clone)]
pub struct Random(u64);

impl Random {
    /// The sequence of a seed, from its beginning.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next number, of 64 bits.
    pub fn bits(&mut self) -> u64 {
        let number = mixed(self.0);
        self.0 = self.0.wrapping_add(STEP);
        number
    }

    /// The next number, even in [0, 1).
    pub fn unit(&mut self) -> f64 {
        unit_of(self.bits())
    }

    /// The next number, one of so many; 0 of none.
    pub fn below(&mut self, count: usize) -> usize {
        (self.bits() % count.max(1) as u64) as usize
    }
}

/// A state with every bit depending on every bit: the first number of the sequence of this seed.
#[must_use]
pub const fn mixed(state: u64) -> u64 {
    let state = state.wrapping_add(STEP);
    let state = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let state = (state ^ (state >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    state ^ (state >> 31)
}

/// The number at a place of a seed's sequence.
#[must_use]
pub const fn number(place: usize, seed: u64) -> u64 {
    mixed(seed.wrapping_add((place as u64).wrapping_mul(STEP)))
}

/// The number at a place, even in [0, 1).
#[must_use]
pub fn share(place: usize, seed: u64) -> f64 {
    unit_of(number(place, seed))
}

/// The number at a place, of a normal distribution around 0 with a standard deviation of 1.
#[must_use]
pub fn normal(place: usize, seed: u64) -> f64 {
    normal_of(1.0 - share(2 * place, seed), share(2 * place + 1, seed))
}

/// Whether a place is one of those of which there is one in so many.
#[must_use]
pub const fn is_chosen(place: usize, one_in: u64, seed: u64) -> bool {
    number(place, seed).is_multiple_of(one_in)
}

/// A normal number out of two even ones, in (0, 1] and in [0, 1) (Box and Muller 1958).
#[must_use]
pub fn normal_of(first: f64, second: f64) -> f64 {
    (-2.0 * first.ln()).sqrt() * (TAU * second).cos()
}

/// A number's upper 53 bits as one in [0, 1).
fn unit_of(number: u64) -> f64 {
    (number >> 11) as f64 / (1_u64 << 53) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_those_of_the_distributions() {
        let mean = |of: &dyn Fn(usize) -> f64| (0..100_000).map(of).sum::<f64>() / 1e5;
        assert!((mean(&|it| share(it, 1)) - 0.5).abs() < 0.005);
        assert!(mean(&|it| normal(it, 2)).abs() < 0.015);
        assert!((mean(&|it| normal(it, 2).powi(2)) - 1.0).abs() < 0.02);
        assert!((mean(&|it| f64::from(u8::from(is_chosen(it, 10, 3)))) - 0.1).abs() < 0.005);
        assert_ne!(number(0, 1), number(0, 2));
    }

    /// Values of the authors' `SplittableRandom` for the seed 1234567, as given with its ports.
    #[test]
    fn it_is_the_known_sequence() {
        let first = [6_457_827_717_110_365_317, 3_203_168_211_198_807_973];
        assert_eq!([0, 1].map(|place| number(place, 1_234_567)), first);
        let mut sequence = Random::new(1_234_567);
        assert_eq!([sequence.bits(), sequence.bits()], first);
    }
}
