//! `winic compare`: a measured database against LLVM's scheduling model, or another database.

use std::io::Write as _;
use std::path::Path;
use std::process::ExitCode;

use super::{Failure, machine, records};
use crate::cli::{Compare, Global};
use crate::database::{Database, Entry, OperandLatency, Throughput};
use crate::form::{Canonical, InstructionForm, Site};
use crate::isa::{Part, Role};
use crate::llvm::{ModelAccess, ModelRow, Place, Simulator};
use crate::pipeline::Target;
use crate::report::compare::{Comparison, Figure, OneSided, Question, Row};
use crate::units::{Cycles, Interval};

/// Prints what differs, worst first, and the shares; writes the table for machines if asked.
pub fn run(global: &Global, options: &Compare) -> Result<ExitCode, Failure> {
    let measured = Database::read(&options.measured)?;
    let (comparison, reference) = match &options.reference {
        Some(path) => (with_database(&measured, &Database::read(path)?), name(path)),
        None => with_model(global, &measured)?,
    };
    if let Some(path) = &options.tsv {
        std::fs::write(path, comparison.tsv())
            .map_err(|error| Failure::new(format!("cannot write {}: {error}", path.display())))?;
    }
    let text = comparison.text(&name(&options.measured), &reference);
    // A closed pipe (`winic compare ... | head`) is no failure.
    let _ = std::io::stdout().lock().write_all(text.as_bytes());
    Ok(ExitCode::SUCCESS)
}

fn name(path: &Path) -> String {
    path.display().to_string()
}

fn with_database(measured: &Database, reference: &Database) -> Comparison {
    let mut out = Comparison::default();
    for entry in measured.entries() {
        let other = reference.entry(&entry.subject.llvm_name);
        for (question, figure) in answers(&entry) {
            let answer = other
                .as_ref()
                .and_then(|other| answers(other).into_iter().find(|(known, _)| *known == question));
            out.add(
                &entry,
                question,
                figure,
                answer.map(|(_, figure)| figure).ok_or("only measured"),
            );
        }
    }
    out
}

/// The model is that of the CPU that the options name, else of the one that the database names.
fn with_model(global: &Global, measured: &Database) -> Result<(Comparison, String), Failure> {
    let header = measured.header();
    let global = Global {
        march: global.march.clone().or(header.isa),
        cpu: global.cpu.clone().or(header.micro_architecture),
        ..global.clone()
    };
    let target = machine::target(&global, &machine::Elsewhere::nowhere())?;
    let mut simulator = machine::simulator(&global, &target)?;
    let reference = format!("LLVM {}'s model of {}", target.set.llvm_version, simulator.cpu());
    let mut out = Comparison::default();
    for entry in measured.entries() {
        let Some(form) = form_of(&target, &entry.subject.llvm_name) else {
            answers(&entry).into_iter().for_each(|(question, figure)| {
                out.add(&entry, question, figure, Err("no form of this LLVM"));
            });
            continue;
        };
        let row = simulator.model(&form.sample);
        for (question, figure) in answers(&entry) {
            match &row {
                Err(_) => out.add(&entry, question, figure, Err("not in the model")),
                Ok(row) => {
                    let model = Model { row, form, target: &target, simulator: &simulator };
                    let answer = model.answer(&question);
                    out.add(&entry, question, figure, answer);
                    out.annotate(&entry, &model);
                }
            }
        }
    }
    Ok((out, reference))
}

fn form_of<'a>(target: &'a Target, name: &str) -> Option<&'a InstructionForm> {
    let opcode = target.set.by_name(name)?;
    match &target.listings[opcode.0 as usize].canonical {
        Canonical::Form(form) | Canonical::Alias(form) => Some(form),
        Canonical::Excluded(_) => None,
    }
}

/// What an entry of a database says in numbers.
fn answers(entry: &Entry) -> Vec<(Question, Figure)> {
    let throughput = figure_of_throughput(&entry.throughput);
    let latencies = entry.latency.operands.iter().filter_map(|edge| {
        let question =
            Question::Latency { source: edge.source.clone(), target: edge.target.clone() };
        Some((question, figure_of_latency(edge)?))
    });
    latencies.chain(throughput.map(|figure| (Question::Throughput, figure))).collect()
}

fn figure_of_throughput(throughput: &Throughput) -> Option<Figure> {
    figure(throughput.min, throughput.max.or(throughput.value), throughput.uncertainty)
}

fn figure_of_latency(edge: &OperandLatency) -> Option<Figure> {
    figure(edge.min, edge.max, edge.uncertainty)
}

fn figure(min: Option<f64>, max: Option<f64>, error: Option<f64>) -> Option<Figure> {
    let (min, max) = (min.or(max)?, max.or(min)?);
    let interval = Interval::new(Cycles(min), Cycles(max));
    Some(Figure { interval, error: Cycles(error.unwrap_or_default()) })
}

impl Comparison {
    fn add(
        &mut self,
        entry: &Entry,
        question: Question,
        measured: Figure,
        reference: Result<Figure, &str>,
    ) {
        let form = entry.subject.llvm_name.clone();
        match reference {
            Ok(reference) => self.rows.push(Row {
                form,
                question,
                measured,
                reference,
                class: None,
                note: String::new(),
            }),
            Err(reason) => {
                self.one_sided.push(OneSided { form, question, reason: reason.to_owned() });
            }
        }
    }

    /// Says of the row that was added last what the model treats specially.
    fn annotate(&mut self, entry: &Entry, model: &Model<'_>) {
        if let Some(row) = self.rows.last_mut()
            && row.form == entry.subject.llvm_name
        {
            row.class = Some(model.row.class);
            row.note = model.note(entry, row);
        }
    }
}

/// The scheduling model's view of one form.
struct Model<'a> {
    row: &'a ModelRow,
    form: &'a InstructionForm,
    target: &'a Target,
    simulator: &'a Simulator,
}

impl Model<'_> {
    fn answer(&self, question: &Question) -> Result<Figure, &'static str> {
        let exact = |cycles| Interval::exact(Cycles(cycles));
        let interval = match question {
            Question::Throughput => exact(self.row.throughput),
            Question::Latency { source, target } => {
                let edge = self
                    .form
                    .edges()
                    .find(|edge| {
                        self.name(edge.source) == *source && self.name(edge.target) == *target
                    })
                    .ok_or("no such edge of the form")?;
                let write = access(&self.row.writes, edge.target)
                    .ok_or("the model does not know that it is written")?;
                let read = access(&self.row.reads, edge.source)
                    .ok_or("the model does not know that it is read")?;
                let latency = f64::from(self.simulator.latency(write, read));
                // No chain shows a latency that is below what the units take for each link.
                Interval::new(Cycles(latency), Cycles(self.row.throughput.max(latency)))
            }
        };
        Ok(Figure { interval, error: Cycles::default() })
    }

    fn name(&self, site: Site) -> String {
        records::site(site, self.form, &self.target.set)
    }

    /// The first of what may explain a difference, most telling first.
    fn note(&self, entry: &Entry, row: &Row) -> String {
        let is_broken = |question: &Question| match question {
            Question::Throughput => !entry.throughput.broken_by.is_empty(),
            Question::Latency { .. } => false,
        };
        let notes = [
            (self.row.breaks_dependences, "an idiom whose result does not depend on its operands"),
            (self.row.micro_ops == 0, "no micro-operations: eliminated"),
            (self.row.variant, "its class depends on its operands"),
            (self.is_early(&row.question), "the latency depends on what writes the operand"),
            (is_broken(&row.question), "measured with instructions that break a dependence"),
            (
                self.is_finer(&row.question),
                "the model does not tell parts of the register apart, of which the loop writes some",
            ),
            (self.is_crossed(&row.question), "another dependence of its own crosses the chain"),
            (self.is_chained(&row.question), "its instances depend on each other"),
        ];
        let note = notes.iter().find(|(applies, _)| *applies);
        note.map_or_else(String::new, |(_, note)| (*note).to_owned())
    }

    /// Whether it passes something on unnamed besides what a chain through the edge does: that
    /// is cut by instructions which use units, too.
    fn is_crossed(&self, question: &Question) -> bool {
        let Question::Latency { source, target } = question else { return false };
        self.form.implicit_uses.iter().any(|&register| {
            let name = self.name(Site::Implicit(register));
            self.form.implicit_defs.contains(&register) && !(name == *source && name == *target)
        })
    }

    /// Whether the chain is carried by a register of which the ISA knows finer parts than LLVM.
    fn is_finer(&self, question: &Question) -> bool {
        let Question::Latency { source, target } = question else { return false };
        let (set, form) = (&self.target.set, self.form);
        let is_fine = |register| {
            let parts = self.target.isa.parts(set, form, &form.sample, register, Role::Use);
            parts.iter().any(|part| matches!(part, Part::Flag(_)))
        };
        form.implicit_uses.iter().any(|&register| {
            let name = self.name(Site::Implicit(register));
            name == *source && name == *target && is_fine(register)
        })
    }

    /// Whether the model lets every instance wait for the one before, through an operand that is
    /// read and written or through a register that is implied.
    fn is_chained(&self, question: &Question) -> bool {
        let is_passed_on = |write: &ModelAccess| match write.place {
            Place::Operand(index) => self.form.operands.iter().any(|o| o.tied_to == Some(index)),
            Place::Implied(register) => self.row.reads.iter().any(|read| match read.place {
                Place::Implied(other) => self.target.set.overlap(register, other),
                Place::Operand(_) => false,
            }),
        };
        *question == Question::Throughput && self.row.writes.iter().any(is_passed_on)
    }

    /// Whether a read comes early for some writes and not for others.
    fn is_early(&self, question: &Question) -> bool {
        let Question::Latency { source, .. } = question else { return false };
        let read = self.row.reads.iter().find(|read| {
            let sites = self.form.uses();
            sites.into_iter().any(|site| is_at(read, site) && self.name(site) == *source)
        });
        read.is_some_and(|read| {
            let early =
                |write: &ModelAccess| write.latency() != self.simulator.latency(write, read);
            self.row.writes.iter().any(early)
        })
    }
}

fn access(list: &[ModelAccess], site: Site) -> Option<&ModelAccess> {
    list.iter().find(|access| is_at(access, site))
}

fn is_at(access: &ModelAccess, site: Site) -> bool {
    match (access.place, site) {
        (Place::Operand(index), Site::Operand(wanted)) => index == wanted,
        (Place::Implied(register), Site::Implicit(wanted)) => register == wanted,
        _ => false,
    }
}
