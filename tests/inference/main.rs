//! Properties of the reduction and of the inference: whatever the truth, what is concluded holds it.

mod latency;
mod ports;
mod random;
mod reliance;
mod sample;
mod throughput;
mod unit;
mod windows;
mod world;

use proptest::test_runner::{Config, RngAlgorithm, RngSeed};

/// So many random cases with a seed that never changes: a failure is one of the code.
fn cases(cases: u32) -> Config {
    Config {
        cases,
        rng_algorithm: RngAlgorithm::ChaCha,
        rng_seed: RngSeed::Fixed(0x0077_696e_6963),
        failure_persistence: None,
        ..Config::default()
    }
}
