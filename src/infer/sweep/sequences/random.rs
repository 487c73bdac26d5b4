//! Numbers that look random and are the same for a seed.

/// Steele, Lea and Flood's SplitMix64 (2014), at a place of its sequence.
pub(super) fn number(place: usize, seed: u64) -> u64 {
    const STEP: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut mixed = seed.wrapping_add((place as u64 + 1).wrapping_mul(STEP));
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

/// Even between 0 and 1.
pub(super) fn share(place: usize, seed: u64) -> f64 {
    (number(place, seed) >> 11) as f64 / (1u64 << 53) as f64
}

/// Of a normal distribution around 0 with a standard deviation of 1, by Box and Muller's transform.
pub(super) fn normal(place: usize, seed: u64) -> f64 {
    let (radius, angle) = (1.0 - share(2 * place, seed), share(2 * place + 1, seed));
    (-2.0 * radius.ln()).sqrt() * (std::f64::consts::TAU * angle).cos()
}

/// Whether a place is one of those of which there is one in so many.
pub(super) fn is_chosen(place: usize, one_in: u64, seed: u64) -> bool {
    number(place, seed).is_multiple_of(one_in)
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
    }
}
