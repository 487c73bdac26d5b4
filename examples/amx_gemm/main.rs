//! Multiplies matrices with Apple's AMX: C += A^T B in `f64`, by tiles of 16 by 16.
//!
//! ```text
//! cargo run --release --example amx_gemm [SIZE]
//! ```
//!
//! The instructions are those that a kernel for the coprocessor would execute. Here they run in the
//! emulator, and the result is held against a plain product; how many of each kind there are says what
//! a Mac's unit would have to do.

mod plan;
mod product;

use std::collections::BTreeMap;
use std::process::ExitCode;

use plan::{Layout, Step};
use winic::isa::amx::{AmxGeneration, AmxState, AmxWord};

/// Rows and columns, where the command line does not say.
const SIZE: usize = 78;

fn main() -> ExitCode {
    let argument = std::env::args().nth(1);
    let size = argument.map_or(Ok(SIZE), |text| text.parse());
    match size {
        Ok(size) if size >= Layout::TILE => {
            report(size);
            ExitCode::SUCCESS
        }
        _ => {
            eprintln!("amx_gemm: a size is a number from {} on", Layout::TILE);
            ExitCode::from(2)
        }
    }
}

fn report(size: usize) {
    let layout = Layout { size };
    let steps = plan::steps(layout);
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for step in &steps {
        *counts.entry(step.operation.mnemonic()).or_default() += 1;
    }
    let operations = 2 * size.pow(3);
    println!("C += A^T B, {size} x {size}: {operations} floating-point operations");
    for (mnemonic, count) in counts {
        println!("{mnemonic:>8} {count:8}");
    }
    let mut memory = product::memory(layout);
    let wanted = product::plain(layout, &memory);
    run(&steps, &mut memory);
    let error = product::largest_error(layout, &memory, &wanted);
    println!("largest difference from a plain product: {error:e}");
}

/// Executes all steps in a unit that is switched on.
fn run(steps: &[Step], memory: &mut Vec<u8>) {
    let mut unit = AmxState::new(AmxGeneration::M1);
    let mut execute = |word: AmxWord, operand: u64| {
        if let Err(fault) = unit.execute(word, operand, memory) {
            panic!("{} {operand:#x}: {fault}", word.operation.mnemonic());
        }
    };
    execute(AmxWord::SET, 0);
    for step in steps {
        execute(AmxWord { operation: step.operation, register: 0 }, step.operand);
    }
    execute(AmxWord::CLEAR, 0);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sizes of the case study: whole tiles, and every width of an edge.
    #[test]
    fn products_are_those_of_the_plain_loop() {
        for size in [16, 17, 31, 32, 64, 71, 78] {
            let layout = Layout { size };
            let mut memory = product::memory(layout);
            let wanted = product::plain(layout, &memory);
            run(&plan::steps(layout), &mut memory);
            assert_eq!(product::largest_error(layout, &memory, &wanted), 0.0, "{size}");
        }
    }
}
