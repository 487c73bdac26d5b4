//! What a vendor calls the ports.
//!
//! **Givens.** For some forms of one micro-operation the names of the ports that it may go to, and the
//! ports that mixtures say. **Unknown.** Which port has which name. **Reduction.** A port is known by which of
//! these forms use it, and so is a name. Ports and names that the same forms use belong together, and there
//! must be as many of either: that is when a renaming exists under which all forms use what the vendor says.
//! Several that the same forms use are not told apart, and each port has all their names.

use std::collections::{BTreeMap, BTreeSet};

use super::model::MicroOps;
use super::set::Ports;

/// The names of the ports that the one micro-operation of a form may go to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedUse {
    /// LLVM's name of the form.
    pub form: String,
    /// The ports, as the vendor calls them.
    pub ports: BTreeSet<String>,
}

impl NamedUse {
    /// Reads a table: a line for each form, with the names of its ports behind a tab. Lines that begin with `#`
    /// are for people, and so is the first of the others.
    #[must_use]
    pub fn table(text: &str) -> Vec<Self> {
        let lines = text.lines().filter(|line| !line.starts_with('#')).skip(1);
        let row = |line: &str| {
            let (form, ports) = line.split_once('\t')?;
            let ports = ports.split_whitespace().map(str::to_owned).collect();
            Some(Self { form: form.to_owned(), ports })
        };
        lines.filter_map(row).collect()
    }
}

/// A form that uses other ports than the vendor says, whichever is which.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{form} goes to {measured}, which cannot be {named}")]
pub struct OtherPorts {
    form: String,
    measured: String,
    named: String,
}

/// The name of each port from 0 on; none of ports that no form tells.
///
/// # Errors
/// The first form that contradicts those before it. Forms of which nothing was measured say nothing.
pub fn names<'a>(
    count: u32,
    uses: &[NamedUse],
    measured: impl Fn(&str) -> Option<&'a [MicroOps]>,
) -> Result<Vec<Option<String>>, OtherPorts> {
    let mut told: Vec<(Ports, &BTreeSet<String>)> = Vec::new();
    for named in uses {
        let Some(micro_ops) = measured(&named.form) else { continue };
        let contradiction = || OtherPorts {
            form: named.form.clone(),
            measured: words(micro_ops),
            named: named.ports.iter().map(String::as_str).collect::<Vec<_>>().join(", "),
        };
        let &[(1, ports)] = micro_ops else { return Err(contradiction()) };
        told.push((ports, &named.ports));
        let alike = |(ports, names): &(Vec<u32>, Vec<&str>)| ports.len() == names.len();
        if !together(count, &told).values().all(alike) {
            return Err(contradiction());
        }
    }
    let mut names = vec![None; count as usize];
    for (ports, own) in together(count, &told).into_values() {
        let name = own.join("/");
        ports.into_iter().for_each(|port| names[port as usize] = Some(name.clone()));
    }
    Ok(names)
}

/// Ports and names that the same forms use, of those that any form uses.
fn together<'a>(
    count: u32,
    told: &[(Ports, &'a BTreeSet<String>)],
) -> BTreeMap<Vec<bool>, (Vec<u32>, Vec<&'a str>)> {
    let mut groups: BTreeMap<Vec<bool>, (Vec<u32>, Vec<&str>)> = BTreeMap::new();
    for port in 0..count {
        let used = told.iter().map(|(ports, _)| ports.meets(Ports::of([port])));
        groups.entry(used.collect()).or_default().0.push(port);
    }
    let all: BTreeSet<&str> =
        told.iter().flat_map(|(_, names)| names.iter()).map(String::as_str).collect();
    for name in all {
        let used = told.iter().map(|(_, names)| names.contains(name));
        groups.entry(used.collect()).or_default().1.push(name);
    }
    groups.retain(|used, _| used.contains(&true));
    groups
}

fn words(micro_ops: &[MicroOps]) -> String {
    let words: Vec<String> =
        micro_ops.iter().map(|(count, ports)| format!("{count}*{ports}")).collect();
    if words.is_empty() { "no port".to_owned() } else { words.join(" + ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str =
        "# for people\nform\tports\nADD\tA0 A1 A2\nSHIFT\tA1 A2\nMUL\tA1\nFADD\tF0 F1\n";

    fn named(measured: &[(&str, &[MicroOps])]) -> Result<Vec<Option<String>>, String> {
        let of = |form: &str| measured.iter().find(|(own, _)| *own == form).map(|(_, it)| *it);
        names(6, &NamedUse::table(TABLE), of).map_err(|error| error.to_string())
    }

    fn one(ports: &[u32]) -> MicroOps {
        (1, Ports::of(ports.iter().copied()))
    }

    #[test]
    fn ports_have_the_names_under_which_all_forms_use_what_is_said() {
        let [add, shift, mul, float] = [&[5, 0, 3][..], &[0, 3], &[3], &[1, 2]].map(one);
        let found =
            named(&[("ADD", &[add]), ("SHIFT", &[shift]), ("MUL", &[mul]), ("FADD", &[float])]);
        let names = ["A2", "F0/F1", "F0/F1", "A1", "", "A0"];
        let names = names.map(|name| (!name.is_empty()).then(|| name.to_owned()));
        assert_eq!(found, Ok(names.to_vec()));
        // What was not measured leaves ports without names of their own.
        let found = named(&[("ADD", &[add]), ("SHIFT", &[shift])]).unwrap();
        assert_eq!(found[3].as_deref(), Some("A1/A2"));
        assert_eq!(found[1], None);
    }

    #[test]
    fn names_are_refused_where_a_form_uses_other_ports() {
        let add = one(&[0, 3, 5]);
        for (shift, words) in [
            (vec![one(&[0, 3, 5])], "SHIFT goes to 1*p035, which cannot be A1, A2"),
            (vec![one(&[0, 4])], "SHIFT goes to 1*p04, which cannot be A1, A2"),
            (vec![(2, Ports::of([0, 3]))], "SHIFT goes to 2*p03, which cannot be A1, A2"),
            (vec![one(&[0]), one(&[3])], "SHIFT goes to 1*p0 + 1*p3, which cannot be A1, A2"),
            (vec![], "SHIFT goes to no port, which cannot be A1, A2"),
        ] {
            assert_eq!(named(&[("ADD", &[add]), ("SHIFT", &shift)]), Err(words.to_owned()));
        }
    }
}
