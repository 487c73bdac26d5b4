//! A machine model and an ISA file for OSACA.

use std::process::ExitCode;

use super::{folder, put, target, with_instructions};
use crate::app::{Failure, stdout};
use crate::cli::Export;
use crate::export::osaca::{self, Syntax};
use crate::export::{MachinePorts, Printer};
use crate::files::shown;

/// OSACA's names of CPUs, by LLVM's. It takes no others: `osaca --arch` has a list.
const NAMES: &[(&str, &str)] = &[
    ("sandybridge", "snb"),
    ("ivybridge", "ivb"),
    ("haswell", "hsw"),
    ("broadwell", "bdw"),
    ("skylake", "skx"),
    ("skylake-avx512", "skx"),
    ("cascadelake", "csx"),
    ("icelake-client", "icl"),
    ("icelake-server", "icx"),
    ("sapphirerapids", "spr"),
    ("znver1", "zen1"),
    ("znver2", "zen2"),
    ("znver3", "zen3"),
    ("znver4", "zen4"),
    ("znver5", "zen5"),
    ("thunderx2t99", "tx2"),
    ("neoverse-n1", "n1"),
    ("neoverse-v2", "v2"),
    ("a64fx", "a64fx"),
    ("tsv110", "tsv110"),
    ("cortex-a72", "a72"),
    ("apple-m1", "m1"),
];

/// Writes both into a directory, and says what is in them.
pub(super) fn write(options: &Export) -> Result<ExitCode, Failure> {
    let file = shown(&options.database);
    let folder = folder(options, "a model for OSACA is two files")?;
    let database = with_instructions(&options.database)?;
    let isa = target::isa(&database, &options.database)?;
    let syntax = Syntax::of(&isa)
        .ok_or_else(|| Failure::new(format!("OSACA has no {isa}, which {file} is of")))?;
    if database.entries().all(|entry| !entry.throughput.has_value()) {
        return Err(Failure::new(format!(
            "{file} holds no throughput, and OSACA takes no form without: measure with `winic ALL -o {file}`"
        )));
    }
    let cpu = database.header().micro_architecture.unwrap_or_default();
    let name = name(options, &cpu)?;
    let mut target = target::open(&isa, &cpu)?;
    let forms = target::forms(&database, &target);
    let (set, isa) = (target.set.clone(), target.isa.clone());
    let mut printer = Printer { set: &set, isa: &*isa, codec: &mut target.llvm };
    let ports = MachinePorts::of(&database);
    let model = osaca::export(&database, &forms, &ports, syntax, &mut printer);
    let machine = folder.join(format!("{name}.yml"));
    let operands = folder.join("isa").join(format!("{}.yml", model.isa_name));
    put(&machine, &model.machine)?;
    put(&operands, &model.isa)?;
    stdout::write(format_args!("{}", model.account));
    remark!("wrote {} and {}", shown(&machine), shown(&operands));
    Ok(ExitCode::SUCCESS)
}

/// What the file is called: as asked for, else as OSACA calls the CPU, else as LLVM does.
fn name(options: &Export, cpu: &str) -> Result<String, Failure> {
    let own = NAMES.iter().find(|(llvm, _)| *llvm == cpu).map_or(cpu, |(_, own)| own);
    let name = options.name.as_deref().unwrap_or(own).to_lowercase();
    let fits = |letter: char| letter.is_ascii_alphanumeric() || letter == '-' || letter == '_';
    if name.is_empty() || !name.chars().all(fits) {
        return Err(Failure::new(
            "the model needs a name of letters and digits: give one with --as, as in `--as zen4`",
        ));
    }
    Ok(name)
}
