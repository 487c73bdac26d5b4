//! What else the truth behind a test is drawn with: the same seed, the same machine, forever.

pub use winic::random::Random;

/// More that is drawn from a sequence.
pub trait Drawn {
    /// Even between two numbers.
    fn between(&mut self, low: f64, high: f64) -> f64;
    /// Any order of these (Fisher and Yates).
    fn shuffle<T>(&mut self, items: &mut [T]);
}

impl Drawn for Random {
    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + self.unit() * (high - low)
    }

    fn shuffle<T>(&mut self, items: &mut [T]) {
        for place in (1..items.len()).rev() {
            items.swap(place, self.below(place + 1));
        }
    }
}
