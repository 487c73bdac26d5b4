//! What a vector instruction takes under each configuration, as tables: element widths down, lengths of groups
//! across, without and with a mask beside each other. `VADD_VV@e8m4` and `VADD_VV@e8m4m` are forms of
//! their own with pages of their own; only a table shows how time grows with the group.

use std::collections::BTreeMap;

use super::figure::{number, range};
use super::material::SiteMachine;
use crate::database::{Configuration, Entry};

/// Shades of a table, from the least figure to what takes at least so many times two as long.
const SHADES: u32 = 6;

/// The configurations of one instruction on one machine.
pub(super) struct ConfigurationTables {
    pub machine: String,
    pub tables: Vec<ConfigurationTable>,
}

/// One table.
pub(super) struct ConfigurationTable {
    pub caption: String,
    /// Lengths of groups, in registers.
    pub groups: Vec<String>,
    /// Element widths, each with a cell for each length.
    pub rows: Vec<(String, Vec<Option<ShadedCell>>)>,
}

/// A figure of a form.
pub(super) struct ShadedCell {
    pub text: String,
    /// The place of the form in the page.
    pub anchor: String,
    /// How long it takes beside the others: 0 is the least, and each step is a factor of two.
    pub shade: u32,
}

/// A figure with the number that it is shaded by.
type Cell = (String, f64);

/// What there is a table of, and where an entry has it.
const FIGURES: [(&str, FigureOf); 2] = [("Throughput", throughput), ("Latency", latency)];

type FigureOf = fn(&Entry) -> Option<Cell>;

/// The tables of all instructions with configurations that a page has; `forms` are LLVM's names with their
/// places in the page.
pub(super) fn tables(
    forms: &[(String, String)],
    machines: &[&SiteMachine<'_>],
) -> Vec<ConfigurationTables> {
    let mut families: BTreeMap<&str, Vec<(&str, &str)>> = BTreeMap::new();
    for (name, anchor) in forms {
        let base = name.split_once('@').map_or(name.as_str(), |(base, _)| base);
        families.entry(base).or_default().push((name, anchor));
    }
    let of_machine = |machine: &&SiteMachine<'_>| {
        let tables: Vec<_> =
            families.iter().flat_map(|(base, forms)| family(base, forms, machine)).collect();
        (!tables.is_empty())
            .then(|| ConfigurationTables { machine: machine.name.to_owned(), tables })
    };
    machines.iter().filter_map(of_machine).collect()
}

/// The tables of one instruction: throughput and latency, without and with a mask.
fn family(
    base: &str,
    forms: &[(&str, &str)],
    machine: &SiteMachine<'_>,
) -> Vec<ConfigurationTable> {
    let known: Vec<(&Configuration, &Entry, &str)> = forms
        .iter()
        .filter_map(|&(name, anchor)| {
            let entry = machine.entry(name)?;
            Some((entry.subject.configuration.as_ref()?, entry, anchor))
        })
        .collect();
    if known.len() < 2 {
        // There is nothing to hold beside each other.
        return Vec::new();
    }
    let masks = [(false, ""), (true, " under a mask")];
    let tables = FIGURES.into_iter().flat_map(|(what, figure)| {
        let cells: Vec<(&Configuration, Cell, &str)> = known
            .iter()
            .filter_map(|&(of, entry, anchor)| Some((of, figure(entry)?, anchor)))
            .collect();
        // Both halves have one scale.
        let least = cells.iter().map(|(_, (_, value), _)| *value).fold(f64::INFINITY, f64::min);
        let half = move |(masked, how): (bool, &str)| {
            let cells = cells.iter().filter(|(of, ..)| of.masked == masked);
            let caption = format!("{what} of {base}{how}");
            table(caption, &cells.collect::<Vec<_>>(), least)
        };
        masks.into_iter().filter_map(half).collect::<Vec<_>>()
    });
    tables.collect()
}

/// One table; none without a figure.
fn table(
    caption: String,
    cells: &[&(&Configuration, Cell, &str)],
    least: f64,
) -> Option<ConfigurationTable> {
    let mut groups: Vec<f64> = cells.iter().filter_map(|(of, ..)| of.lmul).collect();
    let mut widths: Vec<u32> = cells.iter().filter_map(|(of, ..)| of.sew).collect();
    groups.sort_unstable_by(f64::total_cmp);
    groups.dedup();
    widths.sort_unstable();
    widths.dedup();
    let cell = |width: u32, group: f64| {
        let is_it = |(of, ..): &&&(&Configuration, Cell, &str)| {
            of.sew == Some(width) && of.lmul == Some(group)
        };
        let (_, (text, value), anchor) = cells.iter().find(is_it)?;
        let (text, anchor) = (text.clone(), (*anchor).to_owned());
        Some(ShadedCell { text, anchor, shade: shade(*value, least) })
    };
    let row = |&width: &u32| {
        let cells = groups.iter().map(|&group| cell(width, group)).collect();
        (format!("{width} bits"), cells)
    };
    (!cells.is_empty()).then(|| ConfigurationTable {
        caption,
        groups: groups.iter().map(|&group| group_name(group)).collect(),
        rows: widths.iter().map(row).collect(),
    })
}

/// A length of groups as RISC-V writes it: `m4`, `mf2`.
fn group_name(group: f64) -> String {
    if group < 1.0 { format!("mf{}", number(1.0 / group)) } else { format!("m{}", number(group)) }
}

fn shade(value: f64, least: f64) -> u32 {
    let octaves = (value / least).log2().round();
    // (Nothing is twice as long as what takes no time.)
    if octaves.is_finite() { (octaves.max(0.0) as u32).min(SHADES) } else { 0 }
}

fn throughput(entry: &Entry) -> Option<Cell> {
    let throughput = &entry.throughput;
    let (min, max) = (throughput.min, throughput.max.or(throughput.value));
    Some((range(min.or(max), max)?, max.or(min)?))
}

fn latency(entry: &Entry) -> Option<Cell> {
    entry.latency.value.map(|value| (number(value), value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shades_are_factors_of_two() {
        let shades = [0.5, 0.6, 1.0, 4.0, 1000.0].map(|value| shade(value, 0.5));
        assert_eq!(shades, [0, 0, 1, 3, SHADES]);
        assert_eq!(shade(1.0, 0.0), 0);
    }

    #[test]
    fn groups_have_the_names_of_risc_v() {
        assert_eq!([0.125, 0.5, 1.0, 8.0].map(group_name), ["mf8", "mf2", "m1", "m8"]);
    }
}
