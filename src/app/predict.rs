//! `winic predict`: what loops take by a database, and on this machine.

mod measure;
mod region;
mod steps;
mod text;

use std::process::ExitCode;

use serde_json::json;

use super::machine::{Elsewhere, target};
use super::manual::read;
use super::report::with_anything;
use super::{Failure, apart, stdout, watch_for_interrupt};
use crate::cli::{Global, Predict};
use crate::database::Database;
use crate::files::shown;
use crate::isa::architectures;
use crate::llvm;
use crate::predict::{Prediction, predict};
use crate::sample::Sample;

/// What x86's assembler is told by whoever writes its vendor's syntax.
const INTEL: &str = ".intel_syntax";

/// Predicts, measures, and prints.
pub fn run(global: &Global, options: &Predict) -> Result<ExitCode, Failure> {
    let path = shown(&options.path);
    if options.database.is_none() && !options.measure {
        return Err(Failure::new(
            "nothing to predict by: name a database with --database, or measure with --measure",
        ));
    }
    let database = options.database.as_deref().map(with_anything).transpose()?;
    let global = &machine(global, database.as_ref())?;
    let text = read(&options.path)
        .map_err(|error| Failure::new(format!("cannot read {path}: {error}")))?;
    let in_file = |failure: Failure| Failure::new(format!("{path}: {failure}"));
    let labelled = region::labelled(&text).map_err(in_file)?;
    if options.measure {
        watch_for_interrupt()?;
    }
    let mut target = target(global, &Elsewhere::nowhere())?;
    let object = apart::assemble(global, &target, &path, &labelled.text)?;
    let marks = target.isa.region_marks();
    let regions = region::find(&object, &labelled, marks, &target.llvm).map_err(in_file)?;
    let mut reader = steps::RegionReader::new(&target, text.contains(INTEL))?;
    let mut answers = Vec::with_capacity(regions.len());
    for region in regions {
        let in_region = |failure: Failure| match &region.name {
            Some(name) => Failure::new(format!("{path}: {name}: {failure}")),
            None => in_file(failure),
        };
        let placed = reader.steps(&region, &mut target).map_err(in_region)?;
        let body: Vec<_> = placed.iter().map(|placed| placed.step.clone()).collect();
        let predicted = database.as_ref().map(|database| predict(&body, database));
        let measured = match options.measure {
            true => Some(measure::measure(global, &mut target, &placed).map_err(in_region)?),
            false => None,
        };
        answers.push(RegionAnswer { region, predicted, measured });
    }
    if options.json {
        println!("{}", as_json(&answers)?);
    } else {
        stdout::write(format_args!("{}", as_text(&path, &answers)));
    }
    let mut predicted = answers.iter().filter_map(|answer| answer.predicted.as_ref());
    let lacks = predicted.any(|predicted| !predicted.lacks.is_empty());
    Ok(ExitCode::from(u8::from(lacks)))
}

/// What is said of a region.
struct RegionAnswer {
    region: region::CodeRegion,
    predicted: Option<Prediction>,
    measured: Option<Sample>,
}

/// The options with the machine that the database is of, where they do not name one.
fn machine(global: &Global, database: Option<&Database>) -> Result<Global, Failure> {
    if global.is_of_amx() {
        return Err(Failure::new(
            "no loop of Apple's AMX can be predicted: its databases have no ports",
        ));
    }
    let Some(header) = database.map(Database::header) else { return Ok(global.clone()) };
    let isa = header.isa.filter(|isa| !isa.is_empty());
    if let Some(isa) = isa.as_ref().filter(|isa| !architectures().any(|known| known == *isa)) {
        let known: Vec<&str> = architectures().collect();
        return Err(Failure::new(format!(
            "the database is of {isa}, and loops are predicted of {}",
            known.join(", ")
        )));
    }
    let march = global.march.clone().or(isa);
    let knows = |cpu: &String| march.as_ref().is_some_and(|march| llvm::knows_cpu(march, cpu));
    let cpu = global.cpu.clone().or(header.micro_architecture.filter(knows));
    Ok(Global { march, cpu, ..global.clone() })
}

/// For people, with an empty line between regions.
fn as_text(path: &str, answers: &[RegionAnswer]) -> String {
    let of_one = |RegionAnswer { region, predicted, measured }: &RegionAnswer| {
        let text = text::text(predicted.as_ref(), measured.as_ref(), None);
        format!("{path}: {}\n{text}", region.title())
    };
    answers.iter().map(of_one).collect::<Vec<_>>().join("\n")
}

fn as_json(answers: &[RegionAnswer]) -> Result<String, Failure> {
    let of_one = |RegionAnswer { region, predicted, measured }: &RegionAnswer| {
        let measured = measured.as_ref().map(|sample| {
            json!({
                "cycles": sample.body.0,
                "uncertainty": sample.uncertainty.0,
                "settled": sample.settled,
            })
        });
        json!({
            "region": region.choice.name(),
            "name": region.name,
            "predicted": predicted,
            "measured": measured,
        })
    };
    let regions: Vec<_> = answers.iter().map(of_one).collect();
    serde_json::to_string_pretty(&json!({ "regions": regions }))
        .map_err(|error| Failure::new(format!("cannot write the predictions as JSON: {error}")))
}
