//! MAN: a function of an assembly file that a person wrote.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use super::machine::{Elsewhere, device, only_report, target};
use super::{Failure, apart, interrupted, watch_for_interrupt};
use crate::artifact::{KernelFunctions, KernelId, Needs, Purpose};
use crate::assemble::{Linker, link_file};
use crate::cli::{Global, Manual};
use crate::device::KernelReport;
use crate::files;
use crate::pipeline::clock;
use crate::sample::{Sample, reduce_manual};
use crate::units::Cycles;

/// No core takes more than two branches a cycle, and an iteration takes one.
const LEAST_ITERATION: Cycles = Cycles(0.4);

/// Times the function and prints cycles per instruction.
pub fn run(global: &Global, options: &Manual) -> Result<ExitCode, Failure> {
    let path = files::shown(&options.path);
    let text = read(&options.path)
        .map_err(|error| Failure::new(format!("cannot read {path}: {error}")))?;
    watch_for_interrupt()?;
    let elsewhere = Elsewhere::start(global)?;
    let target = target(global, &elsewhere)?;
    let object = apart::assemble(global, &target, &path, &text)?;
    let isa = Arc::clone(&target.isa);
    let linker = Linker::find()?;
    let mut device = device(global, elsewhere, &target)?;
    let clock = clock(device.describe(), global.frequency)?;
    let chain = isa.references()[0];
    let reference = chain.function(0);
    let functions = KernelFunctions {
        id: KernelId(0),
        purpose: Purpose::Time,
        init: options.init.clone(),
        single: options.function.clone(),
        double: None,
        alone: true,
        needs: Needs::default(),
    };
    let artifact = link_file(object, functions, reference, &*isa, &target.llvm, &linker)?;
    let sample = match only_report(&mut *device, &artifact)? {
        Some(KernelReport::Timed(raw)) => reduce_manual(&raw, &clock, chain.instructions)
            .map_err(|reason| Failure::new(format!("{}: {reason}", options.function)))?,
        Some(KernelReport::Faulted(fault)) => {
            return Err(Failure::new(format!(
                "{path}: {} (or a constructor of the file) did not run to its end: {fault}",
                options.function
            )));
        }
        // A manual kernel needs one core and no buffer.
        Some(KernelReport::Executed { .. } | KernelReport::Parallel(_)) => {
            println!("{}: executed, not timed", options.function);
            return Ok(ExitCode::SUCCESS);
        }
        None if interrupted() => return Err(Failure::interrupted()),
        None => {
            return Err(Failure::new(format!("{path}: {} gave no result", options.function)));
        }
    };
    if sample.body < LEAST_ITERATION {
        return Err(Failure::new(format!(
            "{path}: {} takes no longer for more iterations: it must loop as often as its first \
             argument says",
            options.function
        )));
    }
    print(options, &sample);
    Ok(ExitCode::SUCCESS)
}

/// The text of a file, which may be a device that never ends.
pub(super) fn read(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    File::open(path)?.take(apart::SIZE + 1).read_to_string(&mut text)?;
    if text.len() as u64 > apart::SIZE {
        return Err(io::Error::other(format!("it is larger than {} MiB", apart::SIZE >> 20)));
    }
    Ok(text)
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
