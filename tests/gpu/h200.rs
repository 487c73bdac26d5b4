//! What an H200 took: the results in `output/h200`, held against what is known of it.

use std::path::Path;

use winic::database::{Database, Entry, SweepKind};

/// Multiplications and additions of a multiprocessor in a cycle, of dense matrices, by the elements of A: four
/// tensor cores of 512 with 16 bits (NVIDIA H100 Tensor Core GPU Architecture, 2022, table 1; the H200 has the same
/// cores), half as many with TF32, twice as many with 8 bits.
const RATES: [(&str, f64); 5] =
    [("f16", 2048.0), ("bf16", 2048.0), ("tf32", 1024.0), ("s8", 4096.0), ("e4m3", 4096.0)];

fn results() -> Database {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("output/h200/h200.yaml");
    Database::read(&file).unwrap()
}

/// A `wgmma` by its name: n, k, the element of A, and whether A is in registers.
fn group(entry: &Entry) -> Option<(f64, f64, String, bool)> {
    let (name, from) =
        entry.subject.llvm_name.split_once('@').unwrap_or((&entry.subject.llvm_name, ""));
    let shape = name.strip_prefix("wgmma.mma_async.sync.aligned.m64n")?;
    let (shape, types) = shape.split_once('.')?;
    let (n, k) = shape.split_once('k')?;
    let a = types.split('.').nth(1)?.to_owned();
    Some((n.parse().ok()?, k.parse().ok()?, a, from == "registers"))
}

#[test]
fn latencies_of_an_h200_repeat_to_within_a_percent() {
    let database = results();
    let (mut count, mut worst) = (0, 0.0_f64);
    for entry in database.entries() {
        for edge in &entry.latency.operands {
            let (Some(cycles), Some(uncertainty)) = (edge.min, edge.uncertainty) else { continue };
            count += 1;
            worst = worst.max(uncertainty / cycles);
        }
    }
    println!("{count} latencies, the largest spread is {:.3} %", 100.0 * worst);
    assert!(count > 400 && worst < 0.01, "{count} {worst}");
}

#[test]
fn an_h200_does_what_its_data_sheet_says_and_no_more() {
    let database = results();
    let mut reached = RATES.map(|(name, _)| (name, 0.0_f64));
    for entry in database.entries() {
        let Some((n, k, a, _)) = group(&entry) else { continue };
        let Some(cycles) = entry.throughput.value else { continue };
        let rate = 64.0 * n * k / cycles;
        if let Some(place) = RATES.iter().position(|(name, _)| *name == a) {
            assert!(rate <= 1.001 * RATES[place].1, "{}: {rate}", entry.subject.llvm_name);
            reached[place].1 = reached[place].1.max(rate);
        }
    }
    println!("multiplications and additions a cycle and multiprocessor: {reached:?}");
    for ((name, rate), (_, sheet)) in reached.into_iter().zip(RATES) {
        assert!(rate >= 0.99 * sheet, "{name}: {rate} of {sheet}");
    }
}

#[test]
fn latencies_of_wgmma_are_a_line_of_n() {
    let database = results();
    for (from_registers, intercept) in [(false, 51.0), (true, 41.0)] {
        let bytes = database.entries().filter_map(|entry| {
            let (n, _, a, from) = group(&entry)?;
            let cycles = entry.latency.operands.first()?.min?;
            let is_one = a == "s8" && entry.subject.llvm_name.contains(".s32.s8.s8");
            (is_one && from == from_registers).then_some((n, cycles))
        });
        let points: Vec<(f64, f64)> = bytes.collect();
        let off = |(n, cycles): &(f64, f64)| (cycles - intercept - n / 2.0).abs();
        let worst = points.iter().map(off).fold(0.0, f64::max);
        println!("{} points of {intercept} + n / 2, at most {worst} off", points.len());
        assert!(points.len() == 18 && worst < 0.1, "{points:?}");
    }
}

#[test]
fn random_factors_take_more_power_than_zeros() {
    let database = results();
    let slope = |setting: &str| {
        let sweeps = database.sweeps();
        let of = sweeps.iter().find(|sweep| {
            sweep.kind == SweepKind::Power
                && sweep.forms[0].starts_with("wgmma")
                && sweep.setting.as_deref() == Some(setting)
        });
        let fit = of.unwrap().fit.iter().find(|figure| figure.name == "slope");
        fit.and_then(|figure| figure.value).unwrap()
    };
    let [zeros, random] = ["factors of zeros", "factors of random"].map(slope);
    println!("{zeros} W for a TFLOPS with zeros, {random} with random numbers");
    assert!(zeros > 0.0 && random > 3.0 * zeros, "{zeros} {random}");
}
