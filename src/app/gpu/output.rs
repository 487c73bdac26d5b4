//! Where figures of GPUs go: the same databases and documents as others'.

use super::document;
use crate::app::Failure;
use crate::app::failure::unwritable;
use crate::app::measure::ReportPlace;
use crate::cli::{Document, Results, SweepTables};
use crate::database::{Database, Destination, Origin, Sweep, Update};
use crate::files::Sink;
use crate::report;
use crate::report::picture::{self, NamedSweep};

/// The places of a run's results.
pub(super) struct GpuOutput<'a> {
    destination: Destination,
    results: &'a Results,
    report: ReportPlace,
    /// What is measured, as the command line names it.
    mode: &'static str,
}

impl<'a> GpuOutput<'a> {
    /// Opens the database, which must be of the same GPU.
    pub fn open(
        results: &'a Results,
        origin: &Origin,
        mode: &'static str,
    ) -> Result<Self, Failure> {
        let named = results.output.as_deref();
        let destination = named.map_or_else(|| Ok(Destination::nowhere()), Destination::open)?;
        destination.admit(origin, results.adopt)?;
        let report = ReportPlace::open(results, destination.file())?;
        Ok(Self { destination, results, report, mode })
    }

    /// What the database says already.
    pub fn known(&self, origin: &Origin) -> Result<Database, Failure> {
        if self.destination.file().is_none() {
            return Ok(Database::default());
        }
        Ok(self.destination.read(origin, self.results.adopt)?)
    }

    /// Writes what was found into the database, and prints it.
    pub fn write(
        &self,
        origin: &Origin,
        updates: &[Update],
        sweeps: &[Sweep],
    ) -> Result<(), Failure> {
        let put = |database: &mut Database| {
            database.complete_header(&origin.header());
            updates.iter().for_each(|update| database.merge(update));
            if !sweeps.is_empty() {
                database.describe_sweeps(sweeps);
            }
        };
        let mut own = Database::empty(&origin.header());
        put(&mut own);
        match (self.results.document(), self.destination.sink().is_standard_output()) {
            (Some(document), _) => document::print(document, &own)?,
            (None, true) => document::print(Document::Yaml, &own)?,
            (None, false) if sweeps.is_empty() => document::print(Document::Table, &own)?,
            (None, false) => {
                report::sweep::lines(sweeps).iter().for_each(|line| println!("{line}"))
            }
        }
        let stamp = jiff::Zoned::now().strftime("%Y-%m-%d_%H-%M-%S").to_string();
        let stem = format!("report_{}_{stamp}", self.mode);
        self.report.write(|| report::findings::of(&own), &stem)?;
        if self.destination.file().is_some() {
            let mut database = self.destination.read(origin, self.results.adopt)?;
            put(&mut database);
            self.destination.save(&database)?;
        }
        Ok(())
    }

    /// Writes the table and the picture of sweeps.
    pub fn tables(tables: &SweepTables, sweeps: &[Sweep]) -> Result<(), Failure> {
        if let Some(path) = &tables.tsv {
            let sink = Sink::open(path).map_err(|error| unwritable(path, &error))?;
            let text = report::sweep::tsv(sweeps);
            sink.write(text.as_bytes()).map_err(|error| unwritable(path, &error))?;
        }
        if let Some(path) = &tables.svg {
            let sink = Sink::open(path).map_err(|error| unwritable(path, &error))?;
            let named: Vec<NamedSweep<'_>> = sweeps.iter().map(NamedSweep::by_forms).collect();
            let picture = picture::svg(&named, tables.rates)
                .map_err(|error| Failure::new(error.to_string()))?;
            sink.write(picture.as_bytes()).map_err(|error| unwritable(path, &error))?;
        }
        Ok(())
    }
}
