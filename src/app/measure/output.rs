//! Where results go: the database, standard output, the report and the kernels. Whatever can be
//! wrong with them is said before anything is measured.

use std::fs;
use std::path::{Path, PathBuf};

use super::Questions;
use super::document;
use super::found::Found;
use crate::app::Failure;
use crate::app::failure::unwritable;
use crate::cli::{Conclude, Document, Global, Measure, Results, SweepTables};
use crate::database::{Destination, Origin, Sweep};
use crate::evidence::{self, Account};
use crate::files::{self, Sink};
use crate::infer::Knowledge;
use crate::report;
use crate::report::picture::{self, NamedSweep};

/// The places of a run's results.
pub(super) struct Output {
    /// What is measured, as the command line names it.
    mode: &'static str,
    /// When the run began, in a file's name.
    stamp: String,
    /// The same as a time that others can read.
    pub date: String,
    /// Where the database goes.
    destination: Destination,
    /// The name that was made up for it.
    _claim: Option<ClaimedName>,
    /// Whether a file that names no CPU is taken for one of this.
    adopt: bool,
    /// What standard output gets in place of lines for people.
    document: Option<Document>,
    report: ReportPlace,
    /// Where kernels go.
    kernels: Option<PathBuf>,
    /// Where evidence goes.
    evidence: Option<PathBuf>,
    /// Where the shares of time go.
    times: Option<(PathBuf, Sink)>,
    /// Where the table of a sweep goes.
    tsv: Option<(PathBuf, Sink)>,
    /// Where its picture goes.
    svg: Option<(PathBuf, Sink)>,
    /// Whether rates are drawn.
    rates: bool,
}

/// When a run began, as databases have it.
pub(in crate::app) fn date_of(now: &jiff::Zoned) -> String {
    now.strftime("%Y-%m-%dT%H:%M:%S%:z").to_string()
}

/// Where the report of a run goes.
pub(in crate::app) enum ReportPlace {
    /// Nobody wants one.
    Nowhere,
    /// Under a dated name in this directory.
    Beside(PathBuf),
    /// Into a file that was named.
    At(PathBuf, Sink),
}

impl Output {
    /// Of a run that measures.
    pub fn of_run(
        global: &Global,
        options: &Measure,
        questions: &Questions,
        tables: &SweepTables,
    ) -> Result<Self, Failure> {
        let by_name = !options.instructions.is_empty();
        let has_kernels = by_name && !options.no_asm;
        let claims = !by_name && questions.iter().any(|question| question.is_of_forms);
        let claims = claims && *tables == SweepTables::default();
        let times = global.times.as_deref();
        let output = Self::open(&options.results, (times, tables), questions, claims)?;
        let kernels = has_kernels.then(|| kernels(&options.asm)).transpose()?;
        let evidence = output.database().filter(|_| !options.no_evidence).map(evidence::beside);
        Ok(Self { kernels, evidence, ..output })
    }

    /// Of what is concluded from files.
    pub fn of_files(options: &Conclude, questions: &Questions) -> Result<Self, Failure> {
        let Results { output, .. } = &options.results;
        let written = output.iter().chain(&options.results.report);
        let both =
            |path: &&PathBuf| options.evidence.iter().any(|read| files::are_same(read, path));
        if let Some(path) = written.into_iter().find(both) {
            let path = files::shown(path);
            return Err(Failure::new(format!("{path} is read and written: name another file")));
        }
        if output.is_none() && options.results.document().is_none() {
            return Err(Failure::new(
                "nothing says where values go: -o FILE writes a database, --table prints them",
            ));
        }
        Self::open(&options.results, (None, &SweepTables::default()), questions, false)
    }

    fn open(
        results: &Results,
        (times, tables): (Option<&Path>, &SweepTables),
        questions: &Questions,
        claims: bool,
    ) -> Result<Self, Failure> {
        apart(results, times, tables)?;
        let mode = mode_name(questions);
        let now = jiff::Zoned::now();
        let stamp = now.strftime("%Y-%m-%d_%H-%M-%S").to_string();
        let date = date_of(&now);
        let document = results.document();
        let is_file_made_up = results.output.is_none() && claims;
        let claim = match is_file_made_up && document.is_none() {
            true => Some(ClaimedName::of(&format!("winic_{mode}_{stamp}"))?),
            false => None,
        };
        let named =
            results.output.as_deref().or(claim.as_ref().map(|ClaimedName(path)| path.as_path()));
        let destination = named.map_or_else(|| Ok(Destination::nowhere()), Destination::open)?;
        let document = match (destination.sink().is_standard_output(), document) {
            (true, Some(_)) => return Err(Failure::new(TWO_DOCUMENTS)),
            (true, None) => Some(Document::Yaml),
            (false, document) => document,
        };
        let report = ReportPlace::open(results, destination.file())?;
        let times = times.map(open).transpose()?;
        let [tsv, svg] =
            [&tables.tsv, &tables.svg].map(|path| path.as_deref().map(open).transpose());
        let (tsv, svg) = (tsv?, svg?);
        let adopt = results.adopt;
        let others = [&times, &tsv, &svg].into_iter().flatten().map(|(_, sink)| sink);
        let printed = report.sink().into_iter().chain(others);
        let is_twice = printed.filter(|sink| sink.is_standard_output()).count()
            + usize::from(document.is_some());
        if is_twice > 1 {
            return Err(Failure::new(TWO_DOCUMENTS));
        }
        Ok(Self {
            mode,
            stamp,
            date,
            destination,
            _claim: claim,
            adopt,
            document,
            report,
            kernels: None,
            evidence: None,
            times,
            tsv,
            svg,
            rates: tables.rates,
        })
    }

    /// Whether the database takes values of the run.
    pub fn admit(&self, run: &Origin) -> Result<(), Failure> {
        Ok(self.destination.admit(run, self.adopt)?)
    }

    /// Whether evidence that is there may be extended by this run's.
    pub fn admit_evidence(&self, account: &Account) -> Result<(), Failure> {
        let admitted = self.evidence.iter().try_for_each(|file| evidence::admit(file, account));
        admitted.map_err(|error| Failure::new(error.to_string()))
    }

    /// Keeps what a run found; returns the file.
    pub fn keep(
        &self,
        account: &Account,
        knowledge: &Knowledge,
    ) -> Result<Option<PathBuf>, Failure> {
        let Some(file) = &self.evidence else { return Ok(None) };
        evidence::keep(file, account, knowledge)
            .map_err(|error| Failure::new(error.to_string()))?;
        Ok(Some(file.clone()))
    }

    /// The database, if it is a regular file.
    pub fn database(&self) -> Option<&Path> {
        self.destination.file()
    }

    /// Whether standard output gets something that programs read.
    pub fn fills_standard_output(&self) -> bool {
        let tables = [&self.tsv, &self.svg].into_iter().flatten();
        self.document.is_some() || tables.into_iter().any(|(_, sink)| sink.is_standard_output())
    }

    /// Where kernels of forms that were asked for by name go.
    pub fn kernels(&self) -> Option<&Path> {
        self.kernels.as_deref()
    }

    /// Where the shares of time go.
    pub fn times(&self) -> Option<(&Path, &Sink)> {
        self.times.as_ref().map(|(path, sink)| (path.as_path(), sink))
    }

    /// Writes all of it; returns what to tell the user about files.
    pub fn write(&self, found: &Found) -> Result<Vec<PathBuf>, Failure> {
        if let Some(document) = self.document {
            document::print(document, &found.alone())?;
        }
        let mut written = self.write_tables(found)?;
        if let Some(path) = self.destination.sink().path().map(Path::to_owned) {
            self.save(found)?;
            written.push(path);
        }
        written.extend(
            self.report
                .write(|| found.report(), &format!("report_{}_{}", self.mode, self.stamp))?,
        );
        Ok(written)
    }

    /// Writes the table and the picture of a sweep; returns their files.
    fn write_tables(&self, found: &Found) -> Result<Vec<PathBuf>, Failure> {
        let mut written = Vec::new();
        let mut write = |place: &Option<(PathBuf, Sink)>, text: &str| {
            let Some((path, sink)) = place else { return Ok(()) };
            sink.write(text.as_bytes()).map_err(|error| unwritable(path, &error))?;
            written.extend(sink.path().map(Path::to_owned));
            Ok::<_, Failure>(())
        };
        let sweeps: Vec<Sweep> = found.sweeps().cloned().collect();
        if self.tsv.is_some() {
            write(&self.tsv, &report::sweep::tsv(&sweeps))?;
        }
        if self.svg.is_some() {
            let named: Vec<NamedSweep<'_>> = sweeps.iter().map(NamedSweep::by_forms).collect();
            let picture = picture::svg(&named, self.rates)
                .map_err(|error| Failure::new(error.to_string()))?;
            write(&self.svg, &picture)?;
        }
        Ok(written)
    }

    /// Merges the results into what the database says by now.
    fn save(&self, found: &Found) -> Result<(), Failure> {
        let mut database = self.destination.read(&found.origin, self.adopt)?;
        let stay = found.merge_into(&mut database);
        self.destination.save(&database)?;
        if stay > 0 {
            eprintln!(
                "note: {stay} values in the database stay, as this run found none that is as good"
            );
        }
        Ok(())
    }
}

const TWO_DOCUMENTS: &str = "standard output takes one document: of -o -, --json, --csv and \
    --table, and of reports and tables that lead there, leave all but one out";

/// No two outputs of a run are one file.
fn apart(results: &Results, times: Option<&Path>, tables: &SweepTables) -> Result<(), Failure> {
    let journal = results.output.as_deref().map(crate::journal::Journal::beside);
    let evidence = results.output.as_deref().map(evidence::beside);
    let named = [
        ("-o", results.output.as_deref()),
        ("--report", results.report.as_deref()),
        ("--times", times),
        ("--tsv", tables.tsv.as_deref()),
        ("--svg", tables.svg.as_deref()),
        ("the journal of -o", journal.as_deref()),
        ("the evidence of -o", evidence.as_deref()),
    ];
    let named: Vec<_> =
        named.into_iter().filter_map(|(option, path)| Some((option, path?))).collect();
    for (place, (option, path)) in named.iter().enumerate() {
        let same = named[..place].iter().find(|(_, other)| files::are_same(path, other));
        if let Some((other, _)) = same {
            return Err(Failure::new(format!(
                "{other} and {option} are one file, {}: name another for one of them",
                files::shown(path)
            )));
        }
    }
    Ok(())
}

fn open(path: &Path) -> Result<(PathBuf, Sink), Failure> {
    let sink = Sink::open(path).map_err(|error| unwritable(path, &error))?;
    Ok((path.to_owned(), sink))
}

/// The directory of kernels, which must take files.
fn kernels(directory: &Path) -> Result<PathBuf, Failure> {
    files::probe_directory(directory).map_err(|error| {
        Failure::new(format!(
            "cannot write kernels to {}: {error}; --asm puts them elsewhere, --noAsm leaves them out",
            files::shown(directory)
        ))
    })?;
    Ok(directory.to_owned())
}

impl ReportPlace {
    /// Where it is asked for, or else beside a database.
    pub fn open(results: &Results, database: Option<&Path>) -> Result<Self, Failure> {
        Ok(match (&results.report, database) {
            (Some(path), _) => {
                let (path, sink) = open(path)?;
                Self::At(path, sink)
            }
            (None, Some(database)) if !results.no_report => {
                Self::Beside(database.parent().map(Path::to_owned).unwrap_or_default())
            }
            (None, _) => Self::Nowhere,
        })
    }

    /// Where one goes that was named.
    fn sink(&self) -> Option<&Sink> {
        match self {
            Self::At(_, sink) => Some(sink),
            Self::Nowhere | Self::Beside(_) => None,
        }
    }

    /// Writes it; returns the file. One that is there is only replaced if it was named.
    pub fn write(
        &self,
        text: impl FnOnce() -> String,
        stem: &str,
    ) -> Result<Option<PathBuf>, Failure> {
        match self {
            Self::Nowhere => Ok(None),
            Self::Beside(directory) => {
                let made = files::create_numbered(directory, stem, "txt", text().as_bytes());
                let path = directory.join(stem);
                made.map(Some).map_err(|error| unwritable(&path, &error))
            }
            Self::At(path, sink) => {
                sink.write(text().as_bytes()).map_err(|error| unwritable(path, &error))?;
                Ok(sink.path().map(Path::to_owned))
            }
        }
    }
}

/// A file that a run has made to have its name; it goes with the run unless something is in it.
struct ClaimedName(PathBuf);

impl ClaimedName {
    fn of(stem: &str) -> Result<Self, Failure> {
        let made = files::create_numbered(Path::new(""), stem, "yaml", b"");
        made.map(Self).map_err(|error| unwritable(Path::new(stem), &error))
    }
}

impl Drop for ClaimedName {
    fn drop(&mut self) {
        if fs::metadata(&self.0).is_ok_and(|there| there.len() == 0) {
            // An empty file is an empty database, which harms nobody.
            let _ = fs::remove_file(&self.0);
        }
    }
}

/// The mode on the command line that asks these.
pub(super) fn mode_name(questions: &Questions) -> &'static str {
    match questions {
        [question] => question.mode,
        _ => "ALL",
    }
}
