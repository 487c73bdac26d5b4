//! How far measurements on a machine are off, the same in each run.

use std::collections::HashMap;

use super::file::NoiseEntry;
use crate::random::{mixed, normal_of};

/// Draws factors around 1, for each loop and for each time that it is measured.
#[derive(Debug, Clone)]
pub(super) struct Noise {
    entry: NoiseEntry,
    /// How often each loop was measured, by a fingerprint.
    measured: HashMap<u32, u64>,
}

impl Noise {
    pub fn new(entry: NoiseEntry) -> Self {
        Self { entry, measured: HashMap::new() }
    }

    /// The factor of the next measurement of a loop.
    pub fn factor(&mut self, code: &[u8]) -> f64 {
        let fingerprint = crc32fast::hash(code);
        let times = self.measured.entry(fingerprint).or_default();
        *times += 1;
        let state = mixed(mixed(mixed(self.entry.seed) ^ u64::from(fingerprint)) ^ *times);
        1.0 + self.entry.relative * normal(state)
    }
}

/// A number of a normal distribution, at most four deviations off.
fn normal(state: u64) -> f64 {
    // Never 0, of which there is no logarithm.
    let uniform = |bits: u64| ((bits >> 11) as f64 + 0.5) / (1_u64 << 53) as f64;
    normal_of(uniform(mixed(state)), uniform(mixed(state ^ u64::MAX))).clamp(-4.0, 4.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factors_scatter_as_they_should_and_repeat_themselves() {
        let mut noise = Noise::new(NoiseEntry { relative: 0.01, seed: 1 });
        let drawn: Vec<f64> = (0..10_000_u32).map(|it| noise.factor(&it.to_le_bytes())).collect();
        let mean = drawn.iter().sum::<f64>() / 1e4;
        let variance = drawn.iter().map(|it| (it - mean).powi(2)).sum::<f64>() / 1e4;
        assert!((mean - 1.0).abs() < 5e-4, "{mean}");
        assert!((variance.sqrt() / 0.01 - 1.0).abs() < 0.03, "{variance}");
        let mut again = Noise::new(NoiseEntry { relative: 0.01, seed: 1 });
        assert_eq!(again.factor(&0_u32.to_le_bytes()), drawn[0]);
        assert_ne!(again.factor(&0_u32.to_le_bytes()), drawn[0]);
        let mut other = Noise::new(NoiseEntry { relative: 0.01, seed: 2 });
        assert_ne!(other.factor(&0_u32.to_le_bytes()), drawn[0]);
    }
}
