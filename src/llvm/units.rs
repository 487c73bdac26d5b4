//! The execution units of a scheduling model as ports, and what instructions use of them.
//!
//! A model has kinds of units and groups of kinds. What writes to a group writes, in LLVM's tables, to each
//! larger group as well, and what writes to a kind to all groups that it is in: those entries
//! say nothing new, and are left out (as `llvm-exegesis` does in its analysis).

use std::collections::BTreeSet;

use super::ffi::{KindUse, UnitKind};

/// The units of a scheduling model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelUnits {
    /// All units, by LLVM's names; those of a kind that has several are numbered.
    pub ports: Vec<String>,
    /// Slots of the front end in a cycle.
    pub width: u32,
    /// The ports of each kind.
    kinds: Vec<BTreeSet<u32>>,
}

impl ModelUnits {
    pub(super) fn new(kinds: &[UnitKind], width: u32) -> Self {
        let mut ports = Vec::new();
        let mut own: Vec<BTreeSet<u32>> = Vec::new();
        for kind in kinds {
            let first = ports.len() as u32;
            match (kind.units, kind.members.is_empty()) {
                (1, true) => ports.push(kind.name.clone()),
                (units, true) => ports.extend((0..units).map(|at| format!("{}.{at}", kind.name))),
                (_, false) => {}
            }
            own.push((first..ports.len() as u32).collect());
        }
        let of_group = |kind: &UnitKind| -> BTreeSet<u32> {
            kind.members.iter().flat_map(|&member| own[member as usize].iter().copied()).collect()
        };
        let groups = kinds.iter().zip(&own).map(|(kind, own)| match kind.members.is_empty() {
            true => own.clone(),
            false => of_group(kind),
        });
        let kinds = groups.collect();
        Self { ports, width, kinds }
    }

    /// Micro-operations of what is entered with some uses: how many go to any of which ports. One that
    /// holds a unit for several cycles counts as so many.
    pub(super) fn micro_ops(&self, uses: &[KindUse]) -> Vec<(u32, Vec<u32>)> {
        let own = |one: &KindUse| (self.kinds.get(one.kind as usize).cloned(), one.cycles);
        let mut entries: Vec<(BTreeSet<u32>, u32)> =
            uses.iter().map(own).filter_map(|(ports, cycles)| Some((ports?, cycles))).collect();
        entries.retain(|(ports, _)| !ports.is_empty());
        entries.sort_by(|(one, _), (other, _)| (one.len(), one).cmp(&(other.len(), other)));
        let mut out: Vec<(u32, BTreeSet<u32>)> = Vec::new();
        for (ports, cycles) in entries {
            let within = out.iter().filter(|(_, known)| known.is_subset(&ports));
            let known: u32 = within.map(|(count, _)| count).sum();
            if cycles > known {
                out.push((cycles - known, ports));
            }
        }
        out.into_iter().map(|(count, ports)| (count, ports.into_iter().collect())).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(name: &str, units: u32, members: &[u32]) -> UnitKind {
        UnitKind { name: name.to_owned(), units, members: members.to_vec() }
    }

    fn units() -> ModelUnits {
        let kinds = [
            kind("none", 0, &[]),
            kind("A", 1, &[]),
            kind("B", 1, &[]),
            kind("C", 2, &[]),
            kind("AB", 2, &[1, 2]),
            kind("ABC", 4, &[1, 2, 3, 3]),
        ];
        ModelUnits::new(&kinds, 4)
    }

    #[test]
    fn units_of_a_kind_are_numbered() {
        assert_eq!(units().ports, ["A", "B", "C.0", "C.1"]);
    }

    #[test]
    fn what_larger_groups_repeat_counts_once() {
        let uses = |all: &[(u32, u32)]| {
            let one = |&(kind, cycles): &(u32, u32)| KindUse { kind, cycles };
            units().micro_ops(&all.iter().map(one).collect::<Vec<_>>())
        };
        assert_eq!(uses(&[(1, 1), (4, 1), (5, 1)]), [(1, vec![0])]);
        assert_eq!(
            uses(&[(5, 3), (4, 2), (1, 1)]),
            [(1, vec![0]), (1, vec![0, 1]), (1, vec![0, 1, 2, 3])]
        );
        assert_eq!(uses(&[(3, 2), (4, 1), (5, 3)]), [(1, vec![0, 1]), (2, vec![2, 3])]);
        assert_eq!(uses(&[(3, 0)]), []);
    }
}
