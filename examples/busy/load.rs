//! What keeps all CPUs busy in the ways that disturb measurements most.
//!
//! Each CPU gets two threads that are bound to nothing: one computes without pause, one streams
//! through more memory than caches hold. Both rest now and then for moments of changing
//! length, so that whoever shares a core with them is interrupted at all times of its work.

use std::hint::black_box;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// Memory of a thread that streams, in words: larger than most second-level caches.
const WORDS: usize = 1 << 20;
/// Iterations of work between two looks at the clock.
const STRIDE: u64 = 1 << 14;

/// The longest time without a rest, and the longest rest.
#[derive(Debug, Clone, Copy)]
pub struct Rhythm {
    pub work: Duration,
    pub rest: Duration,
}

impl Rhythm {
    /// A load that is hardly ever away.
    pub const STEADY: Self =
        Self { work: Duration::from_millis(40), rest: Duration::from_millis(4) };
    /// A load that comes and goes.
    pub const BURSTS: Self =
        Self { work: Duration::from_millis(1500), rest: Duration::from_millis(1500) };
}

/// Keeps all CPUs busy until it is told to stop.
pub fn keep_busy(rhythm: Rhythm, stop: &AtomicBool) {
    let cpus = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        for number in 0..cpus as u64 {
            scope.spawn(move || work(rhythm, stop, 2 * number + 1, compute));
            let mut memory = vec![number; WORDS];
            scope.spawn(move || {
                work(rhythm, stop, 2 * number + 2, |seed| stream(&mut memory, seed))
            });
        }
    });
}

/// Works and rests by turns, for random times.
fn work(rhythm: Rhythm, stop: &AtomicBool, seed: u64, mut stride: impl FnMut(u64) -> u64) {
    let mut random = seed;
    while !stop.load(Ordering::Relaxed) {
        random = next(random);
        let rest = Instant::now() + share(rhythm.work, random);
        while Instant::now() < rest {
            random ^= stride(random) & 1;
        }
        random = next(random);
        thread::sleep(share(rhythm.rest, random));
    }
}

/// A part of a time, from nothing to all of it.
fn share(longest: Duration, random: u64) -> Duration {
    longest.mul_f64((random >> 32) as f64 / f64::from(u32::MAX))
}

/// A step of a linear congruential generator (Knuth's constants).
fn next(random: u64) -> u64 {
    random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407)
}

fn compute(seed: u64) -> u64 {
    (0..STRIDE).fold(seed, |value, step| black_box(value.rotate_left(5) ^ step))
}

fn stream(memory: &mut [u64], seed: u64) -> u64 {
    let start = (seed >> 20) as usize % memory.len();
    let range = start..(start + STRIDE as usize).min(memory.len());
    memory[range].iter_mut().fold(seed, |sum, word| {
        *word = word.wrapping_add(seed);
        sum ^ *word
    })
}
