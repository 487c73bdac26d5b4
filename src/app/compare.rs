//! `winic compare`: a measured database against LLVM's scheduling model, or another database.

mod databases;
mod listed;
mod ports;

pub(super) use databases::with_figures;

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use object::{Object as _, ObjectSection as _, SectionKind};

use super::failure::unwritable;
use super::{Failure, machine, stdout};
use crate::catalogue::{Canonical, Catalogue};
use crate::cli::{Compare, DeviceChoice, Global};
use crate::codec::Assembler as _;
use crate::database::{Database, Entry, OperandLatency, WayBack};
use crate::files::{self, Sink, shown};
use crate::form::{Edge, EncodingGroup, InstructionForm, Part, Role, Site};
use crate::infer::ports::{Ports, Usage};
use crate::llvm::{Llvm, ModelAccess, ModelRow, RegisterPlace, Simulator};
use crate::maps::Map;
use crate::metadata::OpcodeId;
use crate::pipeline::Target;
use crate::predict::PortStructure;
use crate::report::compare::{
    self, Agreement, ComparedRow, Comparison, Figure, Measurand, OneSided, Side, answers, failures,
};
use crate::report::twins;
use crate::study::site as site_name;
use crate::units::{Cycles, Interval};

/// Prints what differs, worst first, and the shares; writes the table for machines if asked.
pub fn run(global: &Global, options: &Compare) -> Result<ExitCode, Failure> {
    let table = options.tsv.as_deref().map(|table| place_of_table(table, options)).transpose()?;
    let measured = with_figures(&options.measured)?;
    let (comparison, reference, of_ports) = match &options.references[..] {
        [path] => {
            let reference = with_figures(path)?;
            let of_ports = PortStructure::of_database(&reference);
            (compare::of_databases(&measured, &reference), name(path), of_ports)
        }
        [] => with_model(global, options, &measured)?,
        others => return several(options, measured, others, table.as_ref()),
    };
    if let (Some(path), Some(table)) = (&options.tsv, &table) {
        table.write(comparison.tsv().as_bytes()).map_err(|error| unwritable(path, &error))?;
    }
    let loads = twins::text(&twins::load_times(&measured));
    let ports = ports::text(&measured, of_ports);
    let measured = name(&options.measured);
    stdout::write(format_args!("{}{ports}{loads}", comparison.text(&measured, &reference)));
    if comparison.rows.is_empty() && ports.is_empty() {
        return Err(Failure::new(format!(
            "nothing was compared: {measured} and {reference} have no figure in common; \
             the reasons are on standard output"
        )));
    }
    let differs = options.exit_code && !comparison.differences().is_empty();
    Ok(ExitCode::from(u8::from(differs)))
}

/// Several sources side by side.
fn several(
    options: &Compare,
    measured: Database,
    others: &[PathBuf],
    table: Option<&Sink>,
) -> Result<ExitCode, Failure> {
    let mut sources = vec![(name(&options.measured), measured)];
    for path in others {
        sources.push((name(path), databases::with_figures(path)?));
    }
    let several = compare::side_by_side(&sources);
    if let (Some(path), Some(table)) = (&options.tsv, table) {
        table.write(several.tsv().as_bytes()).map_err(|error| unwritable(path, &error))?;
    }
    stdout::write(format_args!("{}", several.text()));
    if several.is_empty() {
        return Err(Failure::new(
            "nothing was compared: no two of the files have a figure in common",
        ));
    }
    Ok(ExitCode::from(u8::from(options.exit_code && several.differing() > 0)))
}

/// Where the table goes: to no file that is read.
fn place_of_table(table: &Path, options: &Compare) -> Result<Sink, Failure> {
    let mut inputs = std::iter::once(&options.measured).chain(&options.references);
    if let Some(input) = inputs.find(|input| files::are_same(table, input)) {
        return Err(Failure::new(format!(
            "--tsv {} would write over {}, which is compared: name another file",
            files::shown(table),
            files::shown(input)
        )));
    }
    Sink::open(table).map_err(|error| unwritable(table, &error))
}

fn name(path: &Path) -> String {
    shown(path)
}

/// The model is that of the CPU that the options name, else of the one that the database names.
fn with_model(
    global: &Global,
    options: &Compare,
    measured: &Database,
) -> Result<(Comparison, String, Option<PortStructure>), Failure> {
    let header = measured.header();
    let named = |text: Option<String>| text.filter(|text| !text.is_empty());
    let global = Global {
        march: global.march.clone().or(named(header.isa)),
        cpu: global.cpu.clone().or(named(header.micro_architecture)),
        ..global.clone()
    };
    if global.cpu.is_none() && !matches!(&global.device, Some(DeviceChoice::Simulator(Some(_)))) {
        return Err(Failure::new(format!(
            "{} does not say of which CPU it is: name it with -c, as LLVM does",
            name(&options.measured)
        )));
    }
    let target = machine::target(&global, &machine::Elsewhere::nowhere())?;
    let simulator = machine::simulator(&global, &target)?;
    let reference = format!("LLVM {}'s model of {}", target.set.llvm_version, simulator.cpu());
    let mut tables = ModelTables::new(target, simulator);
    let mut out = Comparison::default();
    for entry in measured.entries() {
        tables.look_up(&entry)?;
        let model = tables.model(&entry);
        for (measurand, figure) in answers(&entry) {
            let answer = model
                .as_ref()
                .map_err(|&reason| reason)
                .and_then(|model| model.answer(&measurand, &entry));
            out.add(&entry, measurand, figure, answer);
            if let Ok(model) = &model {
                out.annotate(&entry, model);
            }
        }
        if let Ok(model) = &model {
            let asked_in_vain = failures(&entry).filter_map(|(measurand, reason)| {
                let figure = model.answer(&measurand, &entry).ok()?;
                let form = entry.subject.llvm_name.clone();
                Some(OneSided { form, measurand, side: Side::Reference, figure, reason })
            });
            out.one_sided.extend(asked_in_vain);
        }
    }
    out.settle_potentials();
    Ok((out, reference, Some(tables.port_structure())))
}

/// The tables of a scheduling model, as far as they were asked for.
struct ModelTables {
    catalogue: Catalogue,
    llvm: Llvm,
    simulator: Simulator,
    /// What the model says of forms; nothing of those that it does not cover.
    rows: Map<OpcodeId, Option<ModelRow>>,
    /// Code that establishes the state that forms need.
    states: Map<EncodingGroup, Vec<u8>>,
}

impl ModelTables {
    fn new(target: Target, simulator: Simulator) -> Self {
        let aliases = target.listings.iter().filter_map(|listing| match &listing.canonical {
            Canonical::Alias(form) => Some(form.opcode),
            _ => None,
        });
        let forms = target.forms(&aliases.collect()).cloned().collect::<Vec<_>>();
        let (set, isa) = (Arc::clone(&target.set), Arc::clone(&target.isa));
        Self {
            catalogue: Catalogue::new(set, isa, forms, &HashSet::new()),
            llvm: target.llvm,
            simulator,
            rows: Map::default(),
            states: Map::default(),
        }
    }

    /// Looks up what the model says of an entry's form and of its helpers.
    fn look_up(&mut self, entry: &Entry) -> Result<(), Failure> {
        let helpers = entry.latency.operands.iter().flat_map(helpers);
        for name in helpers.chain([&*entry.subject.llvm_name]) {
            if let Some(form) = self.catalogue.form_by_name(name)
                && !self.rows.contains_key(&form.opcode)
            {
                let (opcode, group) = (form.opcode, form.group);
                let instruction = self.catalogue.set.encodable(&form.sample).into_owned();
                let before = self.state_of(group)?;
                let row = self.simulator.model(&before, &instruction).ok();
                self.rows.insert(opcode, row);
            }
        }
        Ok(())
    }

    /// The model's view of an entry that was looked up, or why there is none.
    fn model(&self, entry: &Entry) -> Result<Model<'_>, &'static str> {
        let form =
            self.catalogue.form_by_name(&entry.subject.llvm_name).ok_or("no form of this LLVM")?;
        let row = self.row(form).ok_or("not in the model")?;
        Ok(Model { row, form, tables: self })
    }

    /// What the model says of the ports of all forms that were looked up.
    fn port_structure(&self) -> PortStructure {
        let units = self.simulator.units();
        let usage = |(&opcode, row): (&OpcodeId, &Option<ModelRow>)| {
            let row = row.as_ref()?;
            let micro_ops = self.simulator.micro_ops(&units, row).into_iter();
            let micro_ops = micro_ops.map(|(count, ports)| (count, Ports::of(ports)));
            let name = self.catalogue.form(opcode)?.name.clone();
            Some((name, Usage::of(micro_ops, f64::from(row.micro_ops))))
        };
        let usages = self.rows.iter().filter_map(usage).collect();
        PortStructure { ports: units.ports, width: Some(units.width.into()), usages }
    }

    fn row(&self, form: &InstructionForm) -> Option<&ModelRow> {
        self.rows.get(&form.opcode)?.as_ref()
    }

    /// What a kernel of a group does before its loop.
    fn state_of(&mut self, group: EncodingGroup) -> Result<Vec<u8>, Failure> {
        if group.configuration().is_none() {
            return Ok(Vec::new());
        }
        if let Some(known) = self.states.get(&group) {
            return Ok(known.clone());
        }
        let setup = self.catalogue.isa.prepare(&self.catalogue.set, &[], group).setup;
        let failed = |reason: String| Failure::new(format!("cannot assemble a setup: {reason}"));
        let object = self
            .llvm
            .assemble(&(setup.join("\n") + "\n"))
            .map_err(|error| failed(error.to_string()))?;
        let code = text_section(&object).map_err(|error| failed(error.to_string()))?;
        self.states.insert(group, code.clone());
        Ok(code)
    }
}

fn text_section(object: &[u8]) -> object::Result<Vec<u8>> {
    let file = object::File::parse(object)?;
    let text = file.sections().find(|section| section.kind() == SectionKind::Text);
    text.map_or(Ok(Vec::new()), |text| text.data().map(<[u8]>::to_vec))
}

/// The helpers of a walk, by name, in order.
fn helpers_of(walk: &WayBack) -> impl DoubleEndedIterator<Item = &str> {
    walk.0.iter().map(|helper| &*helper.form)
}

/// The helpers of all walks that an edge was measured with.
fn helpers(edge: &OperandLatency) -> impl Iterator<Item = &str> {
    edge.helpers.iter().flat_map(helpers_of)
}

/// What led back to the source of an edge in each of its walks, by name.
fn last_helpers(edge: &OperandLatency) -> impl Iterator<Item = &str> {
    edge.helpers.iter().filter_map(|walk| helpers_of(walk).next_back())
}

impl Comparison {
    /// Says of the row that was added last what the model treats specially.
    fn annotate(&mut self, entry: &Entry, model: &Model<'_>) {
        if let Some(row) = self.rows.last_mut()
            && row.form == entry.subject.llvm_name
        {
            row.class = Some(model.row.class);
            row.ends = model.ends(&row.measurand);
            row.note = model.note(entry, row);
        }
    }
}

/// The scheduling model's view of one form.
struct Model<'a> {
    row: &'a ModelRow,
    form: &'a InstructionForm,
    tables: &'a ModelTables,
}

impl Model<'_> {
    fn answer(&self, measurand: &Measurand, entry: &Entry) -> Result<Figure, &'static str> {
        let interval = match measurand {
            Measurand::Throughput => Interval::exact(Cycles(self.row.throughput)),
            Measurand::Latency { .. } => self.latency(measurand, entry)?,
        };
        Ok(Figure::any_of(interval))
    }

    /// A write's latency, less what the read comes early for what writes its operand: that is the
    /// last helper, where there are any, else the form itself.
    fn latency(&self, measurand: &Measurand, entry: &Entry) -> Result<Interval, &'static str> {
        let edge = self.edge(measurand).ok_or("no such edge of the form")?;
        let write = access(&self.row.writes, edge.target)
            .ok_or("the model does not know that it is written")?;
        let read = access(&self.row.reads, edge.source)
            .ok_or("the model does not know that it is read")?;
        let known = entry.latency.operands.iter().filter(|known| is_about(known, measurand));
        if !known.flat_map(|known| &known.helpers).all(|walk| self.leads_back(edge, walk)) {
            return Err("the model does not know what leads its result back");
        }
        let after = |writer: &ModelAccess| {
            let early = i64::from(writer.latency())
                - i64::from(self.tables.simulator.latency(writer, read));
            (i64::from(write.latency()) - early) as f64
        };
        let helpers: Vec<&ModelAccess> = entry
            .latency
            .operands
            .iter()
            .filter(|known| is_about(known, measurand))
            .flat_map(last_helpers)
            .filter_map(|name| self.writer_of(edge.source, name))
            .collect();
        let writers = if helpers.is_empty() { vec![write] } else { helpers };
        let latencies = writers.into_iter().map(after).map(|cycles| {
            // No chain shows a latency that is below what the units take for each link.
            Interval::new(Cycles(cycles), Cycles(self.row.throughput.max(cycles)))
        });
        latencies.reduce(|hull, other| hull.hull(other)).ok_or("nothing writes what it reads")
    }

    /// Whether the model sees what each helper of a walk reads and writes, from an edge's target to
    /// its source.
    fn leads_back(&self, edge: Edge, walk: &WayBack) -> bool {
        let catalogue = &self.tables.catalogue;
        let start = catalogue.resource_at(self.form, edge.target);
        let reached = helpers_of(walk).fold(HashSet::from_iter(start), |from, name| {
            let helper = catalogue.form_by_name(name);
            let Some((helper, row)) = helper.and_then(|form| Some((form, self.tables.row(form)?)))
            else {
                return HashSet::new();
            };
            let at = |site| catalogue.resource_at(helper, site);
            let sees = |step: &Edge| {
                access(&row.reads, step.source).is_some()
                    && access(&row.writes, step.target).is_some()
                    && at(step.source).is_some_and(|resource| from.contains(&resource))
            };
            helper.edges().filter(sees).filter_map(|step| at(step.target)).collect()
        });
        catalogue.resource_at(self.form, edge.source).is_some_and(|end| reached.contains(&end))
    }

    fn edge(&self, measurand: &Measurand) -> Option<Edge> {
        let Measurand::Latency { source, target } = measurand else { return None };
        self.form
            .edges()
            .find(|edge| self.name(edge.source) == *source && self.name(edge.target) == *target)
    }

    /// The resources between which an edge leads, by name, if they differ.
    fn ends(&self, measurand: &Measurand) -> Option<(String, String)> {
        let edge = self.edge(measurand)?;
        let catalogue = &self.tables.catalogue;
        let resource = |site| catalogue.resource_at(self.form, site);
        let (from, to) = (resource(edge.source)?, resource(edge.target)?);
        let name = |resource| catalogue.resource_name(resource);
        (from != to).then(|| (name(from), name(to)))
    }

    /// What a helper writes where the form reads.
    fn writer_of(&self, source: Site, helper: &str) -> Option<&ModelAccess> {
        let catalogue = &self.tables.catalogue;
        let from = catalogue.resource_at(self.form, source);
        let helper = catalogue.form_by_name(helper)?;
        let row = self.tables.row(helper)?;
        let there = helper.defs().find(|&site| catalogue.resource_at(helper, site) == from)?;
        access(&row.writes, there)
    }

    fn name(&self, site: Site) -> String {
        site_name(site, self.form, &self.tables.catalogue.set)
    }

    /// The first of what may explain a difference, most telling first.
    fn note(&self, entry: &Entry, row: &ComparedRow) -> String {
        let is_broken = |measurand: &Measurand| match measurand {
            Measurand::Throughput => !entry.throughput.broken_by.is_empty(),
            Measurand::Latency { .. } => false,
        };
        let notes = [
            (self.row.breaks_dependences, "an idiom whose result does not depend on its operands"),
            (self.row.micro_ops == 0, "no micro-operations: eliminated"),
            (
                self.is_barrier(&row.measurand),
                "a barrier, at which memory accesses wait for each other",
            ),
            (
                self.is_crowded(row),
                "it takes several units at once, which takes longer than any of them alone",
            ),
            (
                self.is_overtaken(row),
                "what it passes on unnamed takes longer, and crosses the chain",
            ),
            (self.row.variant, "its class depends on its operands"),
            (self.is_early(&row.measurand), "the latency depends on what writes the operand"),
            (is_broken(&row.measurand), "measured with instructions that break a dependence"),
            (
                self.is_finer(&row.measurand),
                "the model does not tell parts of the register apart, of which the loop writes some",
            ),
            (self.is_crossed(&row.measurand), "another dependence of its own crosses the chain"),
            (self.is_chained(&row.measurand), "its instances depend on each other"),
            (
                self.is_held_up(entry, row),
                "a link of its chain holds units for as long as it takes: the next one waits",
            ),
        ];
        let note = notes.iter().find(|(applies, _)| *applies);
        note.map_or_else(String::new, |(_, note)| (*note).to_owned())
    }

    /// Whether its instances wait for each other as accesses to memory.
    fn is_barrier(&self, measurand: &Measurand) -> bool {
        *measurand == Measurand::Throughput && self.row.barrier
    }

    /// Whether what was measured is what its units take if it needs all of them free at once.
    fn is_crowded(&self, row: &ComparedRow) -> bool {
        let reference = Figure::any_of(Interval::exact(Cycles(self.row.units_at_once)));
        row.measurand == Measurand::Throughput
            && self.row.units_at_once > self.row.throughput
            && ComparedRow { reference, ..row.clone() }.verdict() != Agreement::Differs
    }

    /// Whether a chain through the edge is limited by units as much as by latencies: whichever
    /// link needs one that another has just taken waits for longer than for its operand.
    fn is_held_up(&self, entry: &Entry, row: &ComparedRow) -> bool {
        let holds = |model: &ModelRow| {
            model.writes.iter().any(|write| f64::from(write.latency()) <= model.throughput)
        };
        let edges = entry.latency.operands.iter().filter(|edge| is_about(edge, &row.measurand));
        let helpers: Vec<&ModelRow> = edges
            .flat_map(helpers)
            .filter_map(|name| self.tables.row(self.tables.catalogue.form_by_name(name)?))
            .collect();
        !helpers.is_empty() && (holds(self.row) || helpers.into_iter().any(holds))
    }

    /// Whether it waits for what it passes on unnamed for longer than the edge takes: no instance
    /// comes sooner after the one before, and a core that issues in order waits for what breaks
    /// that, too.
    fn is_overtaken(&self, row: &ComparedRow) -> bool {
        let Some(edge) = self.edge(&row.measurand) else { return false };
        self.form.implicit_defs.iter().any(|&register| {
            let site = Site::Implicit(register);
            let passed = access(&self.row.writes, site).zip(access(&self.row.reads, site));
            let latency = passed.map(|(write, read)| self.tables.simulator.latency(write, read));
            let by_chain = edge.source == site && edge.target == site;
            !by_chain
                && latency
                    .is_some_and(|cycles| f64::from(cycles) > row.reference.interval.lower().0)
        })
    }

    /// Whether it passes something on unnamed besides what a chain through the edge does: that
    /// is cut by instructions which use units, too.
    fn is_crossed(&self, measurand: &Measurand) -> bool {
        let Measurand::Latency { source, target } = measurand else { return false };
        self.form.implicit_uses.iter().any(|&register| {
            let name = self.name(Site::Implicit(register));
            self.form.implicit_defs.contains(&register) && !(name == *source && name == *target)
        })
    }

    /// Whether the chain is carried by a register of which the ISA knows finer parts than LLVM.
    fn is_finer(&self, measurand: &Measurand) -> bool {
        let Measurand::Latency { source, target } = measurand else { return false };
        let (set, form) = (&self.tables.catalogue.set, self.form);
        let is_fine = |register| {
            let parts =
                self.tables.catalogue.isa.parts(set, form, &form.sample, register, Role::Use);
            parts.iter().any(|part| matches!(part, Part::Flag(_)))
        };
        form.implicit_uses.iter().any(|&register| {
            let name = self.name(Site::Implicit(register));
            name == *source && name == *target && is_fine(register)
        })
    }

    /// Whether the model lets every instance wait for the one before, through an operand that is
    /// read and written or through a register that is implied.
    fn is_chained(&self, measurand: &Measurand) -> bool {
        let is_passed_on = |write: &ModelAccess| match write.place {
            RegisterPlace::Operand(index) => {
                self.form.operands.iter().any(|o| o.tied_to == Some(index))
            }
            RegisterPlace::Implied(register) => {
                self.row.reads.iter().any(|read| match read.place {
                    RegisterPlace::Implied(other) => {
                        self.tables.catalogue.set.overlap(register, other)
                    }
                    RegisterPlace::Operand(_) => false,
                })
            }
        };
        *measurand == Measurand::Throughput && self.row.writes.iter().any(is_passed_on)
    }

    /// Whether a read comes early for some writes and not for others.
    fn is_early(&self, measurand: &Measurand) -> bool {
        let Measurand::Latency { source, .. } = measurand else { return false };
        let read = self.row.reads.iter().find(|read| {
            let sites = self.form.uses();
            sites.into_iter().any(|site| is_at(read, site) && self.name(site) == *source)
        });
        read.is_some_and(|read| {
            let early =
                |write: &ModelAccess| write.latency() != self.tables.simulator.latency(write, read);
            self.row.writes.iter().any(early)
        })
    }
}

fn is_about(edge: &OperandLatency, measurand: &Measurand) -> bool {
    let Measurand::Latency { source, target } = measurand else { return false };
    edge.source == *source && edge.target == *target
}

fn access(list: &[ModelAccess], site: Site) -> Option<&ModelAccess> {
    list.iter().find(|access| is_at(access, site))
}

fn is_at(access: &ModelAccess, site: Site) -> bool {
    match (access.place, site) {
        (RegisterPlace::Operand(index), Site::Operand(wanted)) => index == wanted,
        (RegisterPlace::Implied(register), Site::Implicit(wanted)) => register == wanted,
        _ => false,
    }
}
