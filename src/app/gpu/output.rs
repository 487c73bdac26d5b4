//! Where figures of GPUs go: the same databases and documents as others'.

use std::collections::BTreeSet;

use super::document;
use crate::app::Failure;
use crate::app::failure::unwritable;
use crate::app::measure::{ReportPlace, command, date_of};
use crate::cli::{Document, Results, SweepTables};
use crate::database::{Database, Destination, Measurement, Origin, Sweep, Update};
use crate::device::gpu::GpuDevice;
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
    /// Where, when and how.
    measurement: Measurement,
}

impl<'a> GpuOutput<'a> {
    /// Opens the database, which must be of the same GPU.
    pub fn open(
        results: &'a Results,
        origin: &Origin,
        mode: &'static str,
        device: Option<&GpuDevice>,
    ) -> Result<Self, Failure> {
        let named = results.output.as_deref();
        let destination = named.map_or_else(|| Ok(Destination::nowhere()), Destination::open)?;
        destination.admit(origin, results.adopt)?;
        let report = ReportPlace::open(results, destination.file())?;
        let measurement = measurement(device);
        Ok(Self { destination, results, report, mode, measurement })
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
        let header = origin.header();
        let put = |database: &mut Database| {
            database.complete_header(&header);
            let questions = updates.iter().flat_map(questions);
            let kinds = sweeps.iter().map(|sweep| sweep.kind.name());
            for key in questions.chain(kinds).collect::<BTreeSet<_>>() {
                database.describe(key, &self.measurement);
            }
            updates.iter().for_each(|update| database.merge(update));
            if !sweeps.is_empty() {
                database.describe_sweeps(sweeps);
            }
        };
        let mut own = Database::empty(&header);
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

/// What an update answers, by the keys of databases.
fn questions(update: &Update) -> impl Iterator<Item = &'static str> {
    let latency = update.latency.is_some().then_some("latency");
    latency.into_iter().chain(update.throughput.is_some().then_some("throughput"))
}

/// Where, when and how a run on a GPU measures, or on a model of one.
fn measurement(device: Option<&GpuDevice>) -> Measurement {
    let of_device = device.map(|device| {
        let (host, facts) = (device.host(), device.facts());
        let driver = match facts.capability {
            // (As in 13000 for 13.0.)
            Some(_) => format!("CUDA {}.{}", facts.driver / 1000, facts.driver % 1000 / 10),
            None => format!("HIP {}", facts.driver),
        };
        (facts.name.clone(), format!("{}, {driver}", host.system))
    });
    let clock = of_device.as_ref().map(|_| "counter (the unit's own clock)".to_owned());
    let (cpu, system) = of_device.unzip();
    Measurement {
        cpu,
        system,
        clock,
        date: Some(date_of(&jiff::Zoned::now())),
        winic_version: Some(env!("CARGO_PKG_VERSION").to_owned()),
        llvm_version: Some(crate::llvm::version()),
        command: Some(command::of_this_run()),
        ..Measurement::default()
    }
}
