//! MAN: a function of an assembly file that a person wrote.

use std::process::ExitCode;
use std::sync::Arc;

use super::Failure;
use super::machine::{device, target};
use crate::artifact::{KernelFunctions, KernelId, Purpose, ReferenceFunction};
use crate::assemble::{Linker, assemble_file};
use crate::cli::{Global, Manual};
use crate::device::KernelReport;
use crate::pipeline::clock;
use crate::sample::{Sample, reduce_manual};

/// Times the function and prints cycles per instruction.
pub fn run(global: &Global, options: &Manual) -> Result<ExitCode, Failure> {
    let path = options.path.display();
    let text = std::fs::read_to_string(&options.path)
        .map_err(|error| Failure::new(format!("cannot read {path}: {error}")))?;
    let target = target(global)?;
    let isa = Arc::clone(&target.isa);
    let linker = Linker::find()?;
    let mut device = device(global, &target)?;
    let clock = clock(device.describe(), global.frequency)?;
    let chain = isa.references()[0];
    let reference = ReferenceFunction {
        symbol: chain.symbol.to_owned(),
        cycles_per_iteration: chain.instructions,
    };
    let functions = KernelFunctions {
        id: KernelId(0),
        purpose: Purpose::Time,
        init: options.init.clone(),
        single: options.function.clone(),
        double: None,
    };
    let what = path.to_string();
    let artifact = assemble_file(&what, &text, functions, reference, &*isa, &target.llvm, &linker)?;
    let mut report = None;
    device.run(&artifact, &mut |_, delivered| {
        report = Some(delivered);
        true
    })?;
    let sample = match report {
        Some(KernelReport::Timed(raw)) => reduce_manual(&raw, &clock, chain.instructions)
            .map_err(|reason| Failure::new(format!("{}: {reason}", options.function)))?,
        Some(KernelReport::Faulted(fault)) => {
            return Err(Failure::new(format!(
                "{path}: {} did not run to its end: {fault}",
                options.function
            )));
        }
        Some(KernelReport::Executed { .. }) | None => {
            return Err(Failure::new(format!("{path}: {} gave no result", options.function)));
        }
    };
    print(options, &sample);
    Ok(ExitCode::SUCCESS)
}

fn print(options: &Manual, sample: &Sample) {
    let each = sample.body / f64::from(options.instructions);
    println!(
        "{}: {each} cycles per instruction ({} cycles per iteration of {} instructions)",
        options.function, sample.body, options.instructions
    );
    if !sample.settled {
        eprintln!(
            "warning: the timing did not settle (+-{} cycles per iteration): run it again on a quiet core",
            sample.uncertainty
        );
    }
}
