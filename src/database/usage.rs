//! Which ports forms use, as far as a file says it: a reader's view that is there without any.

use serde_yaml::Value;

use super::document::{Database, llvm_name};
use super::schema::CORE;

/// What a form uses.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct UsedPorts {
    /// LLVM's name of the form.
    pub form: String,
    /// How many micro-operations go to any of which ports.
    pub pressure: Vec<(f64, Vec<u32>)>,
    /// Resources that only one instruction has at a time, by number, and for how many cycles.
    pub resources: Vec<(u32, f64)>,
    /// Places in the front end.
    pub slots: Option<f64>,
}

/// What a core has of which forms use something.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct KnownPorts {
    /// How many resources several forms share: their numbers are below this.
    pub shared_resources: u32,
    /// Instructions that pass the front end in a cycle.
    pub width: Option<f64>,
    /// What forms use, those of which it is known.
    pub forms: Vec<UsedPorts>,
}

impl Database {
    /// The ports of all forms that the file knows ports of.
    #[must_use]
    pub fn known_ports(&self) -> KnownPorts {
        let execution = self.key(CORE).and_then(|core| core.get("execution"));
        let resources = execution.and_then(|it| it.get("resources")).and_then(Value::as_sequence);
        KnownPorts {
            shared_resources: resources.map_or(0, |it| u32::try_from(it.len()).unwrap_or(u32::MAX)),
            width: execution.and_then(|it| it.get("width")).and_then(Value::as_f64),
            forms: self.values().filter_map(used).collect(),
        }
    }
}

fn used(entry: &Value) -> Option<UsedPorts> {
    let pressure = entry.get("portPressure")?.as_sequence()?;
    let part = |part: &Value| {
        let ports = part.get(1)?.as_sequence()?.iter();
        let ports = ports.filter_map(|port| u32::try_from(port.as_u64()?).ok()).collect();
        Some((part.get(0)?.as_f64()?, ports))
    };
    let resource = |it: &Value| {
        let number = u32::try_from(it.get("resource")?.as_u64()?).ok()?;
        Some((number, it.get("cycles")?.as_f64()?))
    };
    let resources = entry.get("portResources").and_then(Value::as_sequence);
    Some(UsedPorts {
        form: llvm_name(entry)?.into_owned(),
        pressure: pressure.iter().map(part).collect::<Option<_>>()?,
        resources: resources.into_iter().flatten().filter_map(resource).collect(),
        slots: entry.get("slots").and_then(Value::as_f64),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_without_ports_has_none_and_one_with_ports_has_them() {
        let text = "\
core: {execution: {ports: 3, width: 6, resources: [DIV64r]}}
instructions:
- {llvmName: A, throughput: 0.5, portPressure: [[1, [0, 1]]], slots: 1}
- {llvmName: B, throughput: 7, portPressure: [[2, [2]]], portResources: [{resource: 0, cycles: 7}]}
- {llvmName: C, throughput: 0.1667, portPressure: []}
- {llvmName: D, throughput: 1, portStatus: 'failed: trap'}
";
        let known = Database::parse(text).unwrap().known_ports();
        assert_eq!((known.shared_resources, known.width), (1, Some(6.0)));
        let names: Vec<&str> = known.forms.iter().map(|it| it.form.as_str()).collect();
        assert_eq!(names, ["A", "B", "C"]);
        assert_eq!(known.forms[0].pressure, [(1.0, vec![0, 1])]);
        assert_eq!(known.forms[1].resources, [(0, 7.0)]);
        assert_eq!(known.forms[2].pressure, []);
        let without = Database::parse("instructions: [{llvmName: A, throughput: 1}]").unwrap();
        assert_eq!(without.known_ports(), KnownPorts::default());
    }
}
