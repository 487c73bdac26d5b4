//! What a page says of a form: its operands, and of each machine the matrix of latencies, the throughput
//! and how both were found.

use super::figure::{Bar, number, range, with_error};
use crate::database::{
    ADDRESS_BASE, ADDRESS_INDEX, Entry, Independence, Latency, OperandEntry, OperandLatency,
    PortUsage, Subject, Throughput,
};
use crate::report::ports;

/// A figure with the bar that draws it.
pub(super) struct DrawnFigure {
    pub text: String,
    pub bar: Option<Bar>,
    /// Whether the two ends are apart.
    pub is_wide: bool,
    /// What to know about it, in a word.
    pub mark: &'static str,
}

/// How a figure was found.
#[derive(Default)]
pub(super) struct FigureSource {
    /// What was measured before it was rounded, with how far off it may be.
    pub measured: Option<String>,
    /// By what it was measured, and what limits it.
    pub remarks: Vec<String>,
    /// The number of the note in the page that has the remarks, where there are some.
    pub note: Option<usize>,
}

/// A latency in the matrix.
pub(super) struct MatrixCell {
    pub figure: DrawnFigure,
    pub way: FigureSource,
}

/// A row of the matrix.
pub(super) struct MatrixRow {
    pub source: String,
    /// A cell for each target; none where the form passes nothing on.
    pub cells: Vec<Option<MatrixCell>>,
}

/// A value under a circumstance of its own.
pub(super) struct VariantLine {
    /// Of what: from where to where.
    pub of: String,
    pub circumstance: String,
    pub value: String,
}

/// Which ports a form uses, as a row of boxes for each kind of its micro-operations.
pub(super) struct PortPicture {
    /// As papers write it.
    pub text: String,
    pub remarks: Vec<String>,
    /// How many micro-operations, and for each port from the first on the class of its box: whether they
    /// may go there.
    pub rows: Vec<(u32, Vec<&'static str>)>,
}

impl PortPicture {
    fn of(usage: &PortUsage) -> Option<Self> {
        let text = ports::sum(usage).or_else(|| usage.status.as_ref().map(ToString::to_string))?;
        let pressure = usage.pressure.iter().flatten();
        // (A file may say anything.)
        let known = pressure.clone().flat_map(|(_, ports)| ports).filter(|&&port| port < 64);
        let last = known.max().copied().unwrap_or(0);
        let row = |(count, ports): &(u32, Vec<u32>)| {
            let class = |port| if ports.contains(&port) { "used" } else { "free" };
            (*count, (0..=last).map(class).collect())
        };
        let slots = usage.slots.map(|slots| format!("{} of the front end", number(slots)));
        let resources = usage.resources.iter();
        let resources =
            resources.map(|it| format!("a resource of its own for {}", number(it.cycles)));
        let others = usage.solutions.filter(|&solutions| solutions > 1);
        let others = others.map(|all| format!("{} other uses explain as much", all - 1));
        let remarks = slots.into_iter().chain(resources).chain(others);
        let remarks = remarks.chain(usage.flags.iter().cloned()).collect();
        Some(Self { text, remarks, rows: pressure.map(row).collect() })
    }
}

/// What one machine says of a form.
pub(super) struct FormOnMachine {
    /// The machine's name, and its page without the extension.
    pub machine: String,
    pub page: String,
    pub throughput: Option<DrawnFigure>,
    pub throughput_status: Option<String>,
    pub throughput_way: FigureSource,
    pub ports: Option<PortPicture>,
    pub latency: Option<String>,
    pub latency_status: Option<String>,
    pub targets: Vec<String>,
    pub rows: Vec<MatrixRow>,
    pub variants: Vec<VariantLine>,
    pub again: String,
}

impl FormOnMachine {
    pub fn new(entry: &Entry, (machine, page): (&str, &str), again: String) -> Self {
        let Entry { subject, latency, throughput, ports } = entry;
        let sites = Sites::of(latency);
        Self {
            machine: machine.to_owned(),
            page: page.to_owned(),
            throughput: throughput_figure(throughput),
            throughput_status: throughput.status.as_ref().map(ToString::to_string),
            throughput_way: throughput_way(throughput),
            ports: PortPicture::of(ports),
            latency: latency.value.map(number),
            latency_status: latency.status.as_ref().map(ToString::to_string),
            targets: sites.targets.iter().map(|target| site(target, subject)).collect(),
            rows: matrix(&sites, entry),
            variants: variants(entry),
            again,
        }
    }

    /// Draws boxes for so many ports, as many as the core has, whichever the form uses.
    pub fn show_ports(&mut self, ports: u32) {
        // (A file may say anything.)
        let ports = ports.min(64) as usize;
        for (_, boxes) in self.ports.iter_mut().flat_map(|picture| &mut picture.rows) {
            boxes.resize(boxes.len().max(ports), "free");
        }
    }

    /// How each of its figures was found.
    pub fn ways(&mut self) -> impl Iterator<Item = &mut FigureSource> {
        let cells = self.rows.iter_mut().flat_map(|row| &mut row.cells).flatten();
        std::iter::once(&mut self.throughput_way).chain(cells.map(|cell| &mut cell.way))
    }
}

/// Operands as a line each: `GR16, 16 bits, read and written`.
pub(super) fn operand_lines(subject: &Subject) -> Vec<String> {
    subject.operands.iter().map(operand_line).collect()
}

fn operand_line(operand: &OperandEntry) -> String {
    let OperandEntry { class, name, width, read, write } = operand;
    let width = width.map(|width| format!(", {width} bits")).unwrap_or_default();
    // (The name of a class says that it is one of registers.)
    let what = match (class.as_str(), name) {
        ("register", Some(name)) => name.clone(),
        (class, Some(name)) => format!("{class} {name}"),
        (class, None) => class.to_owned(),
    };
    let access = match (read, write) {
        (true, true) => ", read and written",
        (true, false) => ", read",
        (false, true) => ", written",
        (false, false) => "",
    };
    format!("{what}{width}{access}")
}

/// Operands in a few letters, for tables: `GR64, GR64, immediate`.
pub(super) fn operands_in_short(subject: &Subject) -> String {
    let short = |operand: &OperandEntry| match &operand.name {
        Some(name) if operand.class == "register" => name.clone(),
        _ => operand.class.clone(),
    };
    subject.operands.iter().map(short).collect::<Vec<_>>().join(", ")
}

/// What an operand latency begins or ends at, for people: `0 GR16`, `1 memory`, `1 base`, `EFLAGS`.
pub(super) fn site(name: &str, subject: &Subject) -> String {
    let parts = [(ADDRESS_INDEX, Some("index")), (ADDRESS_BASE, Some("address")), ("", None)];
    let part = parts.into_iter().find_map(|(suffix, part)| {
        let index = name.strip_suffix(suffix)?.parse::<usize>().ok()?;
        let operand = subject.operands.get(index)?;
        let class = part.or(operand.name.as_deref()).unwrap_or(&operand.class);
        Some(format!("{index} {class}"))
    });
    part.unwrap_or_else(|| name.to_owned())
}

/// Sources and targets of latencies, each once and in the order of the file.
struct Sites<'a> {
    sources: Vec<&'a str>,
    targets: Vec<&'a str>,
}

impl<'a> Sites<'a> {
    fn of(latency: &'a Latency) -> Self {
        let (mut sources, mut targets) = (Vec::new(), Vec::new());
        let note = |known: &mut Vec<&'a str>, name: &'a str| {
            if !known.contains(&name) {
                known.push(name);
            }
        };
        for edge in &latency.operands {
            note(&mut sources, &edge.source);
            note(&mut targets, &edge.target);
        }
        Self { sources, targets }
    }
}

fn matrix(sites: &Sites<'_>, entry: &Entry) -> Vec<MatrixRow> {
    let edges = &entry.latency.operands;
    let ends = edges.iter().flat_map(|edge| [edge.min, edge.max]).flatten();
    // Where all latencies are known to the cycle, their numbers say as much as bars would.
    let has_wide = edges.iter().any(|edge| edge.min != edge.max);
    let axis = if has_wide { ends.fold(0.0, f64::max) } else { 0.0 };
    let cell = |source: &str, target: &str| {
        let edge = edges.iter().find(|edge| edge.source == source && edge.target == target)?;
        Some(MatrixCell { figure: edge_figure(edge, axis), way: edge_way(edge) })
    };
    let row = |source: &&str| MatrixRow {
        source: site(source, &entry.subject),
        cells: sites.targets.iter().map(|target| cell(source, target)).collect(),
    };
    sites.sources.iter().map(row).collect()
}

fn edge_figure(edge: &OperandLatency, axis: f64) -> DrawnFigure {
    let text = range(edge.min, edge.max);
    let mark = match (&text, &edge.independence, &edge.status) {
        (None, ..) => "no value",
        (_, Some(Independence::Proven), _) => "no dependence",
        (_, Some(Independence::Possible), _) => "perhaps none",
        (_, None, Some(_)) => "doubtful",
        (_, None, None) => "",
    };
    DrawnFigure {
        is_wide: edge.min != edge.max,
        bar: Bar::of(edge.min, edge.max, axis),
        text: text.unwrap_or_else(|| "–".to_owned()),
        mark,
    }
}

fn throughput_figure(throughput: &Throughput) -> Option<DrawnFigure> {
    let Throughput { value, min, max, status, .. } = throughput;
    // Files of old have the value alone.
    let (min, max) = if min.or(*max).is_some() { (*min, *max) } else { (*value, *value) };
    Some(DrawnFigure {
        text: range(min, max)?,
        bar: None,
        is_wide: min != max,
        mark: if status.is_some() { "doubtful" } else { "" },
    })
}

fn throughput_way(throughput: &Throughput) -> FigureSource {
    let Throughput { uncertainty, raw, broken_by, body, .. } = throughput;
    let mut remarks = Vec::new();
    if let Some(body) = body {
        remarks.push(format!("by a loop of {} instances", body.instances));
        let every = match body.interval {
            None | Some(1) => "instance".to_owned(),
            Some(interval) => format!("{interval} instances"),
        };
        remarks.extend(body.broken.iter().map(|broken| {
            let (register, breaker) = (&broken.register, &broken.breaker);
            format!("the dependence through {register} is broken by {breaker} after every {every}")
        }));
    } else if !broken_by.is_empty() {
        let mut names = broken_by.clone();
        names.dedup();
        remarks.push(format!("dependences are broken by {}", names.join(" and ")));
    }
    FigureSource { measured: raw.map(|raw| with_error(raw, *uncertainty)), remarks, note: None }
}

fn variants(entry: &Entry) -> Vec<VariantLine> {
    let throughputs = entry.throughput.variants.iter().filter_map(|variant| {
        Some(VariantLine {
            of: "throughput".to_owned(),
            circumstance: variant.variant.to_string(),
            value: with_error(variant.throughput?, variant.uncertainty),
        })
    });
    let latencies = entry.latency.operands.iter().flat_map(|edge| {
        let of = |name: &str| site(name, &entry.subject);
        let of = format!("{} → {}", of(&edge.source), of(&edge.target));
        edge.variants.iter().filter_map(move |variant| {
            let (circumstance, value) = (variant.variant.to_string(), number(variant.latency?));
            Some(VariantLine { of: of.clone(), circumstance, value })
        })
    });
    throughputs.chain(latencies).collect()
}

fn edge_way(edge: &OperandLatency) -> FigureSource {
    let independence = edge.independence.map(|how| {
        let perhaps = if how == Independence::Possible { "perhaps " } else { "" };
        format!("{perhaps}no dependence: the chain takes what independent instances do")
    });
    let helpers = edge.helpers.iter().map(|way| format!("back by {way}"));
    let limits = edge.limits.as_ref().map(|limits| format!("limited {limits}"));
    let remarks = edge.status.iter().map(ToString::to_string);
    let remarks = remarks.chain(independence).chain(helpers).chain(limits).collect();
    let measured = edge.raw.map(|raw| {
        let pass = edge.pass.map(|pass| format!(" of {}", number(pass)));
        let busy = edge.saturated_latency.map(|it| format!(", {} while busy", number(it)));
        [Some(with_error(raw, edge.uncertainty)), pass, busy].into_iter().flatten().collect()
    });
    FigureSource { measured, remarks, note: None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::database::Database;

    fn entry() -> Entry {
        let text = "\
instructions:
- llvmName: A
  operands:
  - {class: register, name: GR16, width: 16, read: true, write: true}
  - {class: memory, width: 16, read: true}
  latency: 3
  operandLatencies:
  - {sourceOperand: '0', targetOperand: '0', latencyMin: 1, latencyMax: 1}
  - {sourceOperand: '1.addr', targetOperand: '0', latencyMin: 1, latencyMax: 4, status: unstable}
  - {sourceOperand: '1', targetOperand: FLAGS, status: 'no way'}
";
        Database::parse(text).unwrap().entry("A").unwrap()
    }

    #[test]
    fn the_matrix_has_a_cell_for_each_pair() {
        let form = FormOnMachine::new(&entry(), ("", ""), String::new());
        assert_eq!(form.targets, ["0 GR16", "FLAGS"]);
        let cells = form.rows.iter().map(|row| {
            let text = |cell: &Option<MatrixCell>| Some(cell.as_ref()?.figure.text.clone());
            (row.source.as_str(), row.cells.iter().map(text).collect::<Vec<_>>())
        });
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(
            cells.collect::<Vec<_>>(),
            [
                ("0 GR16", vec![some("1"), None]),
                ("1 address", vec![some("1–4"), None]),
                ("1 memory", vec![None, some("–")])
            ]
        );
        let cell = |row: usize, column: usize| form.rows[row].cells[column].as_ref().unwrap();
        assert_eq!(cell(1, 0).figure.mark, "doubtful");
        assert_eq!(cell(2, 1).way.remarks, ["no way"]);
    }

    #[test]
    fn operands_are_told_in_words() {
        let subject = entry().subject;
        assert_eq!(
            operand_lines(&subject),
            ["GR16, 16 bits, read and written", "memory, 16 bits, read"]
        );
        assert_eq!(operands_in_short(&subject), "GR16, memory");
    }
}
