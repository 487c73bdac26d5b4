//! From text to a database: what is wrong is said with its place.

use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_yaml::{Error, Mapping, Value};

use super::bounded;
use super::core::Core;
use super::document::{Database, llvm_name};
use super::error::{Malformed, Position};
use super::forwarding::ForwardingTime;
use super::named::named;
use super::ports::{ExecutionUnits, PortUsage};
use super::schema::{Header, INSTRUCTIONS, Latency, Measurements, Subject, Throughput};
use super::sweep::Sweep;
use super::version;

const NOT_A_DATABASE: &str =
    "not a database of winic, which is a mapping with `instructions` or a list of them";

/// Reads the text of a file.
pub fn parse(text: &str) -> Result<Database, Malformed> {
    match bounded::parse(text).map_err(|error| fault(text, &error))? {
        Value::Null => Ok(Database::default()),
        Value::Sequence(entries) => {
            check_entries(&entries, FileLayout::List(text))?;
            Ok(Database::new(Mapping::new(), entries))
        }
        Value::Mapping(mut top) => {
            version::check(&top)?;
            let layout = FileLayout::Mapping(text);
            let entries = take_entries(&mut top, layout)?;
            let rest = Value::Mapping(top.clone());
            let rest = &named(&rest);
            check::<Header>(rest).map_err(|error| fault_of::<Header>(text, error))?;
            check::<Described>(rest).map_err(|error| fault_of::<Described>(text, error))?;
            check::<Executing>(rest).map_err(|error| fault_of::<Executing>(text, error))?;
            check_entries(&entries, layout)?;
            Ok(Database::new(top, entries))
        }
        _ => Err(Malformed::new(None, NOT_A_DATABASE)),
    }
}

/// Reads the text of another file of YAML.
///
/// # Errors
/// What is wrong with it, and where.
pub fn read_yaml<T: DeserializeOwned>(text: &str) -> Result<T, Malformed> {
    bounded::parse(text).map_err(|error| fault(text, &error))?;
    serde_yaml::from_str(text).map_err(|error| fault(text, &error))
}

/// Takes the instructions out of a file's mapping.
fn take_entries(top: &mut Mapping, layout: FileLayout<'_>) -> Result<Vec<Value>, Malformed> {
    let instructions = top.get_mut(INSTRUCTIONS).map(std::mem::take);
    match instructions.ok_or_else(|| Malformed::new(None, NOT_A_DATABASE))? {
        Value::Null => Ok(Vec::new()),
        Value::Sequence(entries) => Ok(entries),
        other => match Vec::<IgnoredAny>::deserialize(&other) {
            Ok(_) => Err(Malformed::new(None, NOT_A_DATABASE)),
            Err(error) => Err(layout.fault::<IgnoredAny>(error)),
        },
    }
}

fn check_entries(entries: &[Value], layout: FileLayout<'_>) -> Result<(), Malformed> {
    for (place, entry) in entries.iter().enumerate() {
        check_entry(entry, layout).map_err(|fault| {
            let name = llvm_name(entry).unwrap_or_else(|| (place + 1).to_string().into());
            fault.about(&format!("entry {name}"))
        })?;
    }
    Ok(())
}

fn check_entry(entry: &Value, layout: FileLayout<'_>) -> Result<(), Malformed> {
    let entry = &named(entry);
    check::<Mapping>(entry).map_err(|error| layout.fault::<Mapping>(error))?;
    check::<Subject>(entry).map_err(|error| layout.fault::<Subject>(error))?;
    check::<Latency>(entry).map_err(|error| layout.fault::<Latency>(error))?;
    check::<Throughput>(entry).map_err(|error| layout.fault::<Throughput>(error))?;
    check::<PortUsage>(entry).map_err(|error| layout.fault::<PortUsage>(error))
}

fn check<'de, T: Deserialize<'de>>(value: &'de Value) -> Result<(), Error> {
    T::deserialize(value).map(drop)
}

/// The two layouts a file may have, and the text that has it.
#[derive(Clone, Copy)]
enum FileLayout<'a> {
    List(&'a str),
    Mapping(&'a str),
}

impl FileLayout<'_> {
    /// What is wrong with an instruction that cannot be read as `T`.
    fn fault<T: DeserializeOwned>(self, error: Error) -> Malformed {
        match self {
            Self::List(text) => fault_of::<Vec<T>>(text, error),
            Self::Mapping(text) => fault_of::<Whole<T>>(text, error),
        }
    }
}

/// A file's mapping whose instructions are read as `T`.
#[derive(Deserialize)]
struct Whole<T> {
    #[expect(dead_code, reason = "read for the error only")]
    instructions: Vec<T>,
}

/// A file's mapping of which all that is not about single instructions is read.
#[derive(Deserialize)]
#[expect(dead_code, reason = "read for the error only")]
struct Described {
    measurement: Option<Measurements>,
    core: Option<Core>,
    #[serde(rename = "storeForwarding")]
    forwarding: Option<Vec<ForwardingTime>>,
    sweeps: Option<Vec<Sweep>>,
}

/// A file's mapping of which what executes instructions is read.
#[derive(Deserialize)]
#[expect(dead_code, reason = "read for the error only")]
struct Executing {
    core: Option<ExecutingCore>,
}

/// The part of the core that runs for ports write.
#[derive(Deserialize)]
#[expect(dead_code, reason = "read for the error only")]
struct ExecutingCore {
    execution: Option<ExecutionUnits>,
}

/// The fault behind an error of a value, which has no place any more: reading the text as `T`
/// finds the same one again with its place, unless a key that is no string is in its way.
fn fault_of<T: DeserializeOwned>(text: &str, error: Error) -> Malformed {
    let problem = error.to_string();
    let again = serde_yaml::from_str::<T>(text).err();
    let located = again.filter(|again| again.to_string().contains(&problem));
    fault(text, &located.unwrap_or(error))
}

fn fault(text: &str, error: &Error) -> Malformed {
    let message = error.to_string();
    let Some(location) = error.location() else { return Malformed::new(None, &message) };
    // Of a character that YAML forbids, the message alone has the place.
    if let Some((problem, offset)) = message.split_once(" at position ") {
        let position = offset.parse().ok().and_then(|offset| text.get(..offset));
        return Malformed::new(position.map(Position::after), problem);
    }
    let position = Position { line: location.line(), column: location.column() };
    let said = format!(" at line {} column {}", position.line, position.column);
    Malformed::new(Some(position), message.replacen(&said, "", 1).trim_start_matches('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(text: &str) -> String {
        parse(text).unwrap_err().to_string()
    }

    #[test]
    fn a_text_with_nothing_in_it_is_an_empty_database() {
        for text in ["", " \n\n", "---\n", "# nothing yet\n", "instructions:\n", "[]"] {
            assert!(parse(text).unwrap().is_empty(), "{text:?}");
        }
    }

    #[test]
    fn what_is_not_a_database_is_refused() {
        for text in ["3", "text", "isa: x86_64\n", "!tag [1]", "{}"] {
            assert_eq!(fault(text), format!(" {NOT_A_DATABASE}"));
        }
    }

    #[test]
    fn a_newer_schema_is_refused_whatever_else_the_file_says() {
        let of = |version: &str| format!("schemaVersion: {version}\ninstructions: []\n");
        for known in ["1", "~"] {
            assert!(parse(&of(known)).is_ok(), "{known}");
        }
        let newer = " its schemaVersion is 2, and this winic knows versions up to 1: a newer winic \
                     reads it";
        assert_eq!(fault(&of("2")), newer);
        assert_eq!(fault("schemaVersion: 2\ninstructions: {ADD64rr: 3}\n"), newer);
        for nonsense in ["0", "-1", "1.5", "'1'", "[1]"] {
            assert_eq!(fault(&of(nonsense)), " its schemaVersion is no whole number from 1 on");
        }
    }

    #[test]
    fn faults_have_their_place() {
        for (text, place) in [
            ("a: b: c", "1:5: "),
            ("- llvmName: A\n  latency: [1\n", "3:1: "),
            ("- llvmName: A\n  name: a\u{7}b\n", "2:10: "),
            ("\tx: 1", "1:1: "),
            ("instructions: 3", "1:15: instructions: "),
            ("instructions:\n- A\n", "2:3: entry 1: "),
            ("instructions:\n- [A]\n", "2:3: entry 1: "),
            ("instructions:\n- name: a\n", "2:3: entry 1: "),
            ("- llvmName: A\n- llvmName: B\n  latency: abc\n", "3:12: entry B: "),
            ("- llvmName: A\n  throughput: .nan\n", "2:15: entry A: "),
            ("- llvmName: A\n  operands: 3\n", "2:13: entry A: "),
            ("- llvmName: A\n  operandLatencies:\n  - latencyMin: x\n", "3:17: entry A: "),
            ("- llvmName: ~\n", "1:13: entry 1: "),
            ("- llvmName: A\n  name: [a]\n", "2:9: entry A: "),
            ("isa: [1]\ninstructions: []\n", "1:6: isa: "),
            ("measurement: {latency: 3}\ninstructions: []\n", "1:24: measurement.latency: "),
            ("a: *b", "1:4: "),
            ("a: 1\na: 2\n", "1:1: "),
        ] {
            let fault = fault(text);
            assert!(fault.starts_with(place), "{text:?}: {fault}");
        }
    }

    #[test]
    fn keys_that_are_no_strings_neither_count_nor_mislead() {
        let entry =
            "- {llvmName: A, 0: B, 4: x, [1]: 2, !t llvmName: C, operands: [{class: r, 1: 2}]}\n";
        let database = parse(entry).unwrap();
        assert_eq!(database.entry("A").unwrap().subject.operands.len(), 1);
        let fault = fault(&format!("{entry}- {{llvmName: B, latency: abc}}\n"));
        assert!(fault.starts_with(" entry B: invalid type: string \"abc\""), "{fault}");
    }

    #[test]
    fn a_fault_says_what_it_is() {
        assert_eq!(
            fault("- llvmName: A\n  latency: abc\n"),
            "2:12: entry A: [0].latency: invalid type: string \"abc\", expected a number or null"
        );
    }
}
