//! How far predictions of mixtures are off, by what their forms work on: of a database with what ports
//! explain and what was measured, and of another one with what a model takes for the same mixtures.
//! For scripts/ports.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;

use winic::database::{Database, PredictedMixture};

fn mixtures(path: &str) -> Result<Vec<PredictedMixture>, String> {
    let database = Database::read(Path::new(path)).map_err(|error| error.to_string())?;
    Ok(database.execution().unwrap_or_default().mixtures)
}

/// The errors of one kind of mixture, as shares: of the ports, and of the model.
#[derive(Default)]
struct Errors {
    ports: Vec<f64>,
    model: Vec<f64>,
    /// How many mixtures others on the core may have slowed; they count in neither.
    disturbed: usize,
}

/// Mean, median and the value that nine of ten stay below, in per cent.
fn figures(errors: &[f64]) -> String {
    let mut sorted: Vec<f64> = errors.iter().map(|error| error.abs() * 100.0).collect();
    sorted.sort_by(f64::total_cmp);
    let Some(last) = sorted.len().checked_sub(1) else { return "-\t-\t-".to_owned() };
    let mean = sorted.iter().sum::<f64>() / sorted.len() as f64;
    format!("{mean:.1}\t{:.1}\t{:.1}", sorted[last / 2], sorted[last * 9 / 10])
}

fn run(measured: &str, model: Option<&str>) -> Result<(), String> {
    let of_model = model.map(mixtures).transpose()?.unwrap_or_default();
    let of_model: BTreeMap<_, f64> = of_model.into_iter().map(|it| (it.forms, it.cycles)).collect();
    let mut by_kind: BTreeMap<String, Errors> = BTreeMap::new();
    for mixture in mixtures(measured)? {
        let errors = by_kind.entry(mixture.kind).or_default();
        if mixture.disturbed {
            errors.disturbed += 1;
            continue;
        }
        errors.ports.extend(mixture.predicted.map(|predicted| predicted / mixture.cycles - 1.0));
        let modelled = of_model.get(&mixture.forms);
        errors.model.extend(modelled.map(|cycles| cycles / mixture.cycles - 1.0));
    }
    println!(
        "kind\tmixtures\tmean %\tmedian %\t90 %\tof the model\tmean %\tmedian %\t90 %\tdisturbed"
    );
    for (kind, errors) in by_kind {
        let (ports, model) = (figures(&errors.ports), figures(&errors.model));
        let Errors { ports: counted, model: modelled, disturbed } = errors;
        let (counted, modelled) = (counted.len(), modelled.len());
        println!("{kind}\t{counted}\t{ports}\t{modelled}\t{model}\t{disturbed}");
    }
    Ok(())
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let done = match arguments.as_slice() {
        [measured] => run(measured, None),
        [measured, model] => run(measured, Some(model)),
        _ => Err("usage: mixtures DATABASE [DATABASE OF THE MODEL]".to_owned()),
    };
    done.map_or_else(
        |error| {
            eprintln!("mixtures: {error}");
            ExitCode::from(2)
        },
        |()| ExitCode::SUCCESS,
    )
}
