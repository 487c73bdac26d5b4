//! Whether a site's figures come back: `proven DATABASE SITE WINIC [FORMS [SEED]]`; `scripts/proven` makes
//! what it needs. Of forms drawn at random it takes the command that the page of each gives, runs it, and
//! holds what that comes to against the database, by the rule of `winic compare`: figures differ where
//! their intervals, widened by their uncertainties, do not meet. Exits with 1 if any form does not come back.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use scraper::{Html, Selector};
use winic::database::Database;
use winic::random::Random;
use winic::report::compare::{Agreement, Comparison, Side, of_databases};
use winic::report::difference;

type Problem = Box<dyn std::error::Error>;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match check(&arguments) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(problem) => {
            eprintln!("proven: {problem}");
            ExitCode::from(2)
        }
    }
}

fn check(arguments: &[String]) -> Result<bool, Problem> {
    let [database, site, winic, rest @ ..] = arguments else {
        return Err("usage: proven DATABASE SITE WINIC [FORMS [SEED]]".into());
    };
    let count = rest.first().map_or(Ok(100), |text| text.parse())?;
    let seed = rest.get(1).map_or(Ok(1), |text| text.parse())?;
    let database = Database::read(Path::new(database))?;
    let with_value =
        database.entries().filter(|it| it.throughput.has_value() || it.latency.has_value());
    let names: Vec<String> = with_value.map(|entry| entry.subject.llvm_name).collect();
    let asked = drawn(names, count, seed);
    let commands = Commands::of(Path::new(site))?;
    let folder = tempfile::tempdir()?;
    let again = folder.path().join("again.yaml");
    for (number, form) in asked.iter().enumerate() {
        eprint!("\r{} of {} forms  ", number + 1, asked.len());
        run(&commands.of_form(form)?, Path::new(winic), folder.path())?;
    }
    eprintln!();
    let mut compared = of_databases(&Database::read(&again)?, &database);
    compared.rows.retain(|row| asked.contains(&row.form));
    compared.one_sided.retain(|it| asked.contains(&it.form));
    println!("{} forms drawn with the seed {seed}", asked.len());
    Ok(told(&compared, &asked))
}

/// Forms drawn without putting any back.
fn drawn(mut names: Vec<String>, count: usize, seed: u64) -> BTreeSet<String> {
    let mut random = Random::new(seed);
    let count = count.min(names.len());
    (0..count).map(|_| names.swap_remove(random.below(names.len()))).collect()
}

/// Where the pages of forms are, by the data of the index.
struct Commands {
    site: PathBuf,
    data: serde_json::Value,
}

impl Commands {
    fn of(site: &Path) -> Result<Self, Problem> {
        let text = fs::read_to_string(site.join("index.js"))?;
        let data = text.trim().strip_prefix("const winic = ").and_then(|it| it.strip_suffix(';'));
        let data = serde_json::from_str(data.ok_or("index.js is not of this winic")?)?;
        Ok(Self { site: site.to_owned(), data })
    }

    /// What the page of a form says to type.
    fn of_form(&self, form: &str) -> Result<String, Problem> {
        let rows = self.data["forms"].as_array().into_iter().flatten();
        let row =
            rows.into_iter().find(|row| row[0] == form).ok_or("a form has no row in the index")?;
        let mnemonic = row[2].as_u64().ok_or("a form has no mnemonic")? as usize;
        let page = self.data["mnemonics"][mnemonic][2].as_str().ok_or("a mnemonic has no page")?;
        let page = Html::parse_document(&fs::read_to_string(
            self.site.join("forms").join(page).with_extension("html"),
        )?);
        let selector = |text| Selector::parse(text).map_err(|error| error.to_string());
        let (sections, name, code) = (selector("article")?, selector("h2")?, selector("p > code")?);
        let text = |it: scraper::ElementRef<'_>| it.text().collect::<String>();
        let mut sections = page.select(&sections);
        let is_it = |section: &scraper::ElementRef<'_>| {
            section.select(&name).next().is_some_and(|it| text(it) == form)
        };
        let section = sections.find(is_it).ok_or_else(|| format!("{form} is in no page"))?;
        let code = section.select(&code).next().ok_or_else(|| format!("{form} has no command"))?;
        Ok(text(code))
    }
}

/// Runs a command of a page, with this winic, into the database of what came back.
fn run(command: &str, winic: &Path, folder: &Path) -> Result<(), Problem> {
    let words = shlex::split(command).ok_or_else(|| format!("no shell reads `{command}`"))?;
    let Some((_, arguments)) = words.split_first().filter(|(first, _)| *first == "winic") else {
        return Err(format!("`{command}` is none of winic's").into());
    };
    let output = Command::new(winic)
        .current_dir(folder)
        .args(arguments)
        .args(["--quiet", "--noAsm", "--noReport", "--noEvidence", "-o", "again.yaml"])
        .output()?;
    match output.status.code() {
        // (1: a form has no value, which the comparison says.)
        Some(0 | 1) => Ok(()),
        _ => Err(format!("`{command}`: {}", String::from_utf8_lossy(&output.stderr)).into()),
    }
}

/// Says what came back; whether all did.
fn told(compared: &Comparison, asked: &BTreeSet<String>) -> bool {
    let lost = compared.one_sided.iter().filter(|it| it.side == Side::Reference);
    let lost: Vec<_> = lost.collect();
    let differing = compared.differences();
    let forms = differing.iter().map(|row| &row.form).chain(lost.iter().map(|it| &it.form));
    let missing: BTreeSet<&String> = forms.collect();
    let figures = compared.rows.len() + lost.len();
    let back = figures - differing.len() - lost.len();
    let same = compared.rows.iter().filter(|row| row.verdict() == Agreement::Agrees).count();
    if !differing.is_empty() {
        print!("{}", difference::text(compared, ["again", "database"], None));
    }
    for it in &lost {
        println!("{} {:?} has no value again: {}", it.form, it.measurand, it.reason);
    }
    println!(
        "{} of {} forms come back whole; {back} of {figures} figures ({:.1} %) within their uncertainty, \
         {same} of them the same",
        asked.len() - missing.len(),
        asked.len(),
        100.0 * back as f64 / figures.max(1) as f64,
    );
    missing.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_draws_the_same_forms_and_each_once() {
        let names: Vec<String> = (0..500).map(|number| number.to_string()).collect();
        let draw = |seed| drawn(names.clone(), 100, seed);
        assert_eq!((draw(1).len(), draw(1) == draw(1), draw(1) == draw(2)), (100, true, false));
        assert_eq!(drawn(names.clone(), 1000, 1).len(), 500);
    }

    #[test]
    fn what_is_lost_or_differs_has_not_come_back() {
        let database = |text: &str| Database::parse(&format!("instructions:\n{text}")).unwrap();
        let entry = |value: &str| {
            let throughput =
                format!("throughput: {value}, throughputMin: {value}, throughputMax: {value}");
            database(&format!("- {{llvmName: A, {throughput}}}\n"))
        };
        let (one, none) = (entry("1"), database("- {llvmName: A, throughputStatus: failed}\n"));
        let asked = BTreeSet::from(["A".to_owned()]);
        let is_back = |again: &Database| told(&of_databases(again, &one), &asked);
        assert!(is_back(&one));
        assert!(!is_back(&entry("2")));
        assert!(!is_back(&none));
    }
}
