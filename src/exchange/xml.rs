//! A tree of instructions, operands and latencies, in the shape of uops.info's tables, whose readers
//! need little more than another file name. Source: uops.info, "instructions.xml" and its description.
//!
//! An instruction of ours has LLVM's name (`llvm`), and ends of latencies are also written as
//! databases name them (`from`, `to`), since implied registers and parts of addresses have no number of
//! their own there. What holds under a circumstance is an element `variant` behind the measurement or the
//! latency that it varies. What has no `llvm` is another source's, and is known by how it is written.

use std::collections::BTreeSet;

use quick_xml::Reader;
use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesEnd, BytesStart, Event};

use super::instlatx64::UNKNOWN_OPERAND;
use super::uops::WrittenInstruction;
use super::{Format, ReadTable, Unreadable};
use crate::database::{Database, Entry, FlatValue, Quantity, ValueRow};

/// What a machine is called that does not say its name.
const NAMELESS: &str = "unknown";

/// The element of what holds under a circumstance, and its attribute that says under which.
const VARIANT: &str = "variant";
const UNDER: &str = "under";

/// A database as XML.
///
/// # Errors
/// When it cannot be written, which memory does not refuse.
pub fn write(database: &Database) -> std::io::Result<String> {
    let header = database.header();
    let machine = header.micro_architecture.unwrap_or_else(|| NAMELESS.to_owned());
    let mut writer = Writer::new_with_indent(Vec::new(), b' ', 1);
    writer.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    let mut root = BytesStart::new("root");
    root.push_attribute(("generator", concat!("winic ", env!("CARGO_PKG_VERSION"))));
    if let Some(isa) = &header.isa {
        root.push_attribute(("isa", isa.as_str()));
    }
    writer.write_event(Event::Start(root))?;
    let rows: Vec<ValueRow> = database.rows().collect();
    let mut rows = rows.as_slice();
    for entry in database.entries() {
        let name = &entry.subject.llvm_name;
        let count = rows.iter().take_while(|row| row.llvm_name == *name).count();
        let (own, rest) = rows.split_at(count);
        rows = rest;
        write_instruction(&mut writer, &entry, own, &machine)?;
    }
    writer.write_event(Event::End(BytesEnd::new("root")))?;
    Ok(String::from_utf8_lossy(&writer.into_inner()).into_owned() + "\n")
}

fn write_instruction(
    writer: &mut Writer<Vec<u8>>,
    entry: &Entry,
    rows: &[ValueRow],
    machine: &str,
) -> std::io::Result<()> {
    let subject = &entry.subject;
    let mut start = BytesStart::new("instruction");
    if let Some(name) = &subject.name {
        start.push_attribute(("asm", name.as_str()));
    }
    start.push_attribute(("llvm", subject.llvm_name.as_str()));
    start.push_attribute(("string", subject.llvm_name.as_str()));
    writer.write_event(Event::Start(start))?;
    for (index, operand) in subject.operands.iter().enumerate() {
        let mut start = BytesStart::new("operand");
        start.push_attribute(("idx", (index + 1).to_string().as_str()));
        let kind = match operand.class.as_str() {
            "register" => "reg",
            "memory" => "mem",
            "immediate" => "imm",
            other => other,
        };
        start.push_attribute(("type", kind));
        for (key, holds) in [("r", operand.read), ("w", operand.write)] {
            if holds {
                start.push_attribute((key, "1"));
            }
        }
        if let Some(width) = operand.width {
            start.push_attribute(("width", width.to_string().as_str()));
        }
        if let Some(class) = &operand.name {
            start.push_attribute(("name", class.as_str()));
        }
        writer.write_event(Event::Empty(start))?;
    }
    let mut architecture = BytesStart::new("architecture");
    architecture.push_attribute(("name", machine));
    writer.write_event(Event::Start(architecture))?;
    write_measurement(writer, entry, rows)?;
    for name in ["architecture", "instruction"] {
        writer.write_event(Event::End(BytesEnd::new(name)))?;
    }
    Ok(())
}

fn write_measurement(
    writer: &mut Writer<Vec<u8>>,
    entry: &Entry,
    rows: &[ValueRow],
) -> std::io::Result<()> {
    let is_of_form =
        |row: &&ValueRow| row.quantity == Quantity::Throughput && row.variant.is_none();
    let mut measurement = BytesStart::new("measurement");
    if let Some(row) = rows.iter().find(is_of_form) {
        if let Some(value) = entry.throughput.value {
            measurement.push_attribute(("TP_loop", value.to_string().as_str()));
        }
        push_value(&mut measurement, row);
    }
    writer.write_event(Event::Start(measurement))?;
    for row in rows.iter().filter(|row| !is_of_form(row)) {
        let name = if row.variant.is_some() { VARIANT } else { "latency" };
        let mut element = BytesStart::new(name);
        if let Some(variant) = &row.variant {
            element.push_attribute((UNDER, variant.to_string().as_str()));
        }
        for (op, site, end) in
            [("start_op", "from", &row.source_operand), ("target_op", "to", &row.target_operand)]
        {
            let Some(end) = end else { continue };
            if let Ok(index) = end.parse::<usize>() {
                element.push_attribute((op, (index + 1).to_string().as_str()));
            }
            element.push_attribute((site, end.as_str()));
        }
        if let (Quantity::Latency, Some(min), Some(max)) = (row.quantity, row.min, row.max)
            && min.total_cmp(&max).is_eq()
        {
            element.push_attribute(("cycles", max.to_string().as_str()));
        }
        push_value(&mut element, row);
        writer.write_event(Event::Empty(element))?;
    }
    writer.write_event(Event::End(BytesEnd::new("measurement")))
}

fn push_value(element: &mut BytesStart<'_>, row: &ValueRow) {
    let [min, max] = match row.quantity {
        Quantity::Throughput => ["TP_min", "TP_max"],
        Quantity::Latency => ["min_cycles", "max_cycles"],
    };
    let numbers =
        [(min, row.min), (max, row.max), ("uncertainty", row.uncertainty), ("raw", row.raw)];
    for (key, value) in numbers {
        if let Some(value) = value {
            element.push_attribute((key, value.to_string().as_str()));
        }
    }
    if let Some(independence) = row.independence {
        let text = format!("{independence:?}").to_lowercase();
        element.push_attribute(("independence", text.as_str()));
    }
    if let Some(status) = &row.status {
        element.push_attribute(("status", status.to_string().as_str()));
    }
}

/// An element's attributes as text.
pub(super) struct XmlAttributes(Vec<(String, String)>);

impl XmlAttributes {
    fn of(element: &BytesStart<'_>) -> Result<Self, Unreadable> {
        let broken = |error: String| Unreadable::broken(Format::Xml, error);
        let text = |attribute: Result<quick_xml::events::attributes::Attribute<'_>, _>| {
            let attribute =
                attribute.map_err(|error: quick_xml::events::attributes::AttrError| {
                    broken(error.to_string())
                })?;
            let key = String::from_utf8_lossy(attribute.key.as_ref()).into_owned();
            let value = attribute.unescape_value().map_err(|error| broken(error.to_string()))?;
            Ok((key, value.into_owned()))
        };
        element.attributes().map(text).collect::<Result<_, _>>().map(Self)
    }

    pub fn text(&self, key: &str) -> Option<&str> {
        self.0.iter().find(|(known, _)| known == key).map(|(_, value)| value.as_str())
    }

    pub fn number(&self, key: &str) -> Option<f64> {
        self.text(key)?.parse().ok().filter(|it: &f64| it.is_finite())
    }
}

/// Reads a tree of instructions.
///
/// # Errors
/// When it is no XML, has no instruction, or has several machines and none is named.
pub fn read(text: &str, part: Option<&str>) -> Result<ReadTable, Unreadable> {
    let machines = machines(text)?;
    let machine = match (part, machines.len()) {
        (Some(named), _) if machines.contains(named) => named.to_owned(),
        (Some(named), _) => {
            let (named, has) = (named.to_owned(), machines.into_iter().collect());
            return Err(Unreadable::Absent { named, has });
        }
        (None, 0) => return Err(Unreadable::Empty),
        (None, 1) => machines.into_iter().next().unwrap_or_default(),
        (None, _) => return Err(Unreadable::Several(machines.into_iter().collect())),
    };
    let mut rows = Vec::new();
    let mut out = ReadTable::default();
    let mut instruction: Option<XmlInstruction> = None;
    let mut is_of_machine = false;
    each_element(text, |element| {
        match element.name().as_ref() {
            b"instruction" => {
                instruction = Some(XmlInstruction::of(&XmlAttributes::of(element)?));
            }
            b"architecture" => {
                is_of_machine = XmlAttributes::of(element)?.text("name") == Some(&machine);
            }
            b"measurement" if is_of_machine => {
                let Some(instruction) = &instruction else { return Ok(()) };
                let said = XmlAttributes::of(element)?;
                match (&instruction.llvm, &instruction.written) {
                    (Some(_), _) => rows.extend(instruction.throughput(&said)),
                    (None, Some(written)) => written.add_throughput(&said, &mut out.spelled),
                    (None, None) => out.spelled.leave_out(UNKNOWN_OPERAND, &instruction.text),
                }
            }
            name if is_of_machine && name == VARIANT.as_bytes() => {
                let said = XmlAttributes::of(element)?;
                rows.extend(instruction.as_ref().and_then(|it| it.variant(&said)));
            }
            b"latency" if is_of_machine => {
                let said = XmlAttributes::of(element)?;
                rows.extend(instruction.as_ref().and_then(|it| it.latency(&said)));
                let written = instruction.as_ref().filter(|it| it.llvm.is_none());
                if let Some(written) = written.and_then(|it| it.written.as_ref()) {
                    written.add_latency(&said, &mut out.spelled);
                }
            }
            _ => {}
        }
        Ok(())
    })?;
    if rows.is_empty() && out.spelled.is_empty() {
        return Err(Unreadable::Empty);
    }
    out.named.database = Database::of_rows(rows);
    Ok(out)
}

/// The machines that a tree has figures of.
fn machines(text: &str) -> Result<BTreeSet<String>, Unreadable> {
    let mut machines = BTreeSet::new();
    each_element(text, |element| {
        if element.name().as_ref() == b"architecture" {
            machines.extend(XmlAttributes::of(element)?.text("name").map(str::to_owned));
        }
        Ok(())
    })?;
    Ok(machines)
}

/// Goes through all elements of a text that is XML to its end.
fn each_element(
    text: &str,
    mut see: impl FnMut(&BytesStart<'_>) -> Result<(), Unreadable>,
) -> Result<(), Unreadable> {
    let mut reader = Reader::from_str(text);
    let mut depth = 0_u32;
    loop {
        let event = reader.read_event().map_err(|it| Unreadable::broken(Format::Xml, it))?;
        match event {
            Event::Start(element) => {
                depth += 1;
                see(&element)?;
            }
            Event::Empty(element) => see(&element)?,
            Event::End(_) => depth = depth.saturating_sub(1),
            Event::Eof if depth > 0 => {
                return Err(Unreadable::broken(Format::Xml, "it ends in the middle"));
            }
            Event::Eof => return Ok(()),
            _ => {}
        }
    }
}

/// The instruction that an element is inside of.
struct XmlInstruction {
    llvm: Option<String>,
    asm: Option<String>,
    text: String,
    written: Option<WrittenInstruction>,
}

impl XmlInstruction {
    fn of(said: &XmlAttributes) -> Self {
        Self {
            llvm: said.text("llvm").map(str::to_owned),
            asm: said.text("asm").map(str::to_owned),
            text: said.text("string").or(said.text("asm")).unwrap_or_default().to_owned(),
            written: WrittenInstruction::of(said),
        }
    }

    fn row(&self, quantity: Quantity, said: &XmlAttributes) -> Option<FlatValue> {
        Some(FlatValue {
            llvm_name: self.llvm.clone()?,
            name: self.asm.clone(),
            quantity,
            source_operand: None,
            target_operand: None,
            min: None,
            max: None,
            independence: said.text("independence").and_then(independence),
            uncertainty: said.number("uncertainty"),
            raw: said.number("raw"),
            status: said.text("status").map(str::to_owned),
            variant: said.text(UNDER).map(str::to_owned),
        })
    }

    /// What does not say under what it holds would be taken for what holds in general.
    fn variant(&self, said: &XmlAttributes) -> Option<FlatValue> {
        said.text(UNDER)?;
        if said.text("from").is_some() { self.latency(said) } else { self.throughput(said) }
    }

    fn throughput(&self, said: &XmlAttributes) -> Option<FlatValue> {
        let value = ["TP_loop", "TP_unrolled", "TP"].iter().find_map(|key| said.number(key));
        let min = said.number("TP_min").or(value);
        let max = said.number("TP_max").or(value);
        let is_said = min.is_some() || max.is_some() || said.text("status").is_some();
        let row = self.row(Quantity::Throughput, said).filter(|_| is_said)?;
        Some(FlatValue { min, max, ..row })
    }

    fn latency(&self, said: &XmlAttributes) -> Option<FlatValue> {
        let end = |site: &str, op: &str| {
            let numbered =
                || Some((said.text(op)?.parse::<usize>().ok()?.checked_sub(1)?).to_string());
            said.text(site).map(str::to_owned).or_else(numbered)
        };
        let cycles = said.number("cycles");
        let row = self.row(Quantity::Latency, said)?;
        Some(FlatValue {
            source_operand: end("from", "start_op"),
            target_operand: end("to", "target_op"),
            min: said.number("min_cycles").or(cycles),
            max: said.number("max_cycles").or(cycles),
            ..row
        })
    }
}

fn independence(text: &str) -> Option<crate::database::Independence> {
    use crate::database::Independence::{Possible, Proven};
    [Possible, Proven].into_iter().find(|it| format!("{it:?}").eq_ignore_ascii_case(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    const FOUND: &str = "\
isa: x86_64
microArchitecture: example
instructions:
- {llvmName: A, name: a, operands: [{class: register, name: GR64, width: 64, read: true, write: true}],
   throughput: 0.25, throughputUncertainty: 0.01,
   throughputVariants: [{variant: one register at all operands, throughput: 0.5, uncertainty: 0.02}],
   operandLatencies: [
    {sourceOperand: '0', targetOperand: EFLAGS, latencyMin: 1, latencyMax: 3, status: '<a> & \"b\"',
     variants: [{variant: large values, latency: 3}]},
    {sourceOperand: '0', targetOperand: '0', latencyMax: 1, independence: possible, raw: 0.99}]}
- {llvmName: LONG, throughputStatus: 'failed: trap', latencyStatus: 'failed: trap'}
- {llvmName: NEVER}
";

    #[test]
    fn what_is_read_again_has_the_same_rows() {
        let found = Database::parse(FOUND).unwrap();
        let text = write(&found).unwrap();
        let read = read(&text, None).unwrap();
        assert_eq!(
            read.named.database.rows().collect::<Vec<_>>(),
            found.rows().collect::<Vec<_>>(),
            "{text}"
        );
    }

    #[test]
    fn of_several_machines_one_must_be_named() {
        let measured = |name: &str, cycles: u8| {
            format!("<architecture name='{name}'><measurement TP_loop='{cycles}'/></architecture>")
        };
        let text = format!(
            "<root><instruction llvm='A'>{}{}</instruction></root>",
            measured("SKL", 1),
            measured("ICL", 2)
        );
        assert!(matches!(read(&text, None), Err(Unreadable::Several(names)) if names.len() == 2));
        assert!(matches!(read(&text, Some("ADL")), Err(Unreadable::Absent { .. })));
        let read = read(&text, Some("ICL")).unwrap();
        assert_eq!(read.named.database.entry("A").unwrap().throughput.value, Some(2.0));
    }

    #[test]
    fn half_a_file_and_what_is_none_are_one_line() {
        let text = write(&Database::parse(FOUND).unwrap()).unwrap();
        for broken in [&text[..text.len() / 2], "<root>", "<a b", "<root></other>", "<!-- "] {
            let error = read(broken, None).unwrap_err().to_string();
            assert!(!error.contains('\n'), "{error}");
        }
        assert_eq!(read("<root/>", None), Err(Unreadable::Empty));
    }

    #[test]
    fn what_names_no_form_of_llvm_is_known_by_how_it_is_written() {
        let text = "<root><instruction asm='ADD' string='ADD (R64, M64)'><architecture name='SKL'>\
                    <measurement TP_loop='0.5'><latency start_op='1' target_op='1' cycles='1'/>\
                    <latency start_op='2' target_op='1' cycles_addr='6' max_cycles_mem='5' \
                    max_cycles_mem_is_upper_bound='1'/><latency start_op='2' target_op='3' \
                    cycles='1'/></measurement></architecture></instruction><instruction \
                    asm='A' string='A (what is this)'><architecture name='SKL'><measurement \
                    TP_loop='1'/></architecture></instruction></root>";
        let read = read(text, None).unwrap();
        assert!(read.named.database.is_empty());
        let figures = read.spelled.figures.iter();
        let told: Vec<_> = figures.map(|it| (it.ends.clone(), it.range)).collect();
        let ends = |source: &str| Some((source.to_owned(), "0".to_owned()));
        assert_eq!(
            told,
            [
                (None, (Some(0.5), Some(0.5))),
                (ends("0"), (Some(1.0), Some(1.0))),
                (ends("1.addr"), (Some(6.0), Some(6.0))),
                (ends("1"), (None, Some(5.0))),
            ]
        );
        assert_eq!(read.spelled.left_out.values().map(|it| it.count).sum::<usize>(), 2);
    }
}
