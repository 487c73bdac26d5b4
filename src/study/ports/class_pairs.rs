//! Pairs of forms that stand for many: mixtures that show one law each.
//!
//! A random mixture is slow for several reasons at once, and holds what real programs are full of (a load, a store, a
//! multiplication) no more often than anything else. (Of a Zen 4 random ones left it open whether stores or additions
//! are in the way of `vfmadd`: one store of 32 bytes takes a cycle with two `vmulps`, and 1.67 with two `vfmadd`.)

use std::cmp::Reverse;

use super::bench::Mix;
use super::resources::balanced_counts;
use super::training::Urn;
use super::usage_classes::UsageClasses;
use crate::form::EncodingGroup;
use crate::maps::Map;
use crate::metadata::OpcodeId;

/// Classes whose forms work on registers, at most,
const IN_REGISTERS: usize = 32;
/// ... and that load or store.
const WITH_MEMORY: usize = 12;

/// The form of a class that stands for it.
struct Leader {
    opcode: OpcodeId,
    group: EncodingGroup,
    /// In cycles.
    each: f64,
    /// How many forms it stands for.
    forms: usize,
}

/// All pairs of the classes with the most forms, as often as both take about as long. Classes that are tied to two others
/// are in none: those are.
pub(super) fn class_pairs(
    classes: &UsageClasses,
    urn: &Urn,
    durations: &[(OpcodeId, f64)],
) -> Vec<Mix> {
    let each: Map<OpcodeId, f64> = durations.iter().copied().collect();
    let mut leaders: Map<usize, Leader> = Map::default();
    for (opcode, group) in urn.all() {
        let (Some(&class), Some(&each)) = (classes.of_form.get(&opcode), each.get(&opcode)) else {
            continue;
        };
        let leader = leaders.entry(class).or_insert(Leader { opcode, group, each, forms: 0 });
        leader.forms += 1;
    }
    for tie in &classes.ties {
        leaders.remove(&tie.form);
    }
    let of_kind = |with_memory: bool, most: usize| {
        let is_of = |class: &usize| classes.reaches[*class].accesses_memory() == with_memory;
        let mut own: Vec<&Leader> =
            leaders.iter().filter(|(class, _)| is_of(class)).map(|(_, leader)| leader).collect();
        own.sort_unstable_by_key(|leader| (Reverse(leader.forms), leader.opcode));
        own.truncate(most);
        own
    };
    let all = [of_kind(true, WITH_MEMORY), of_kind(false, IN_REGISTERS)].concat();
    let pair = |one: &Leader, other: &Leader| {
        one.group.with(other.group)?;
        let (first, second) = balanced_counts(one.each, other.each);
        Some(Mix::of([(one.opcode, first), (other.opcode, second)]))
    };
    let pairs = (0..all.len()).flat_map(|one| (0..one).map(move |other| (one, other)));
    pairs.filter_map(|(one, other)| pair(all[one], all[other])).collect()
}

#[cfg(feature = "llvm")]
#[cfg(test)]
mod tests {
    use super::*;
    use crate::infer::ports::{Usage, UsageTie};
    use crate::study::ports::of_a_test::catalogue;
    use crate::study::ports::reach::Reach;

    #[test]
    fn classes_stand_beside_each_other_as_long_as_they_take() {
        let catalogue = catalogue("x86_64-unknown-linux-gnu", "znver4");
        let forms = [
            ("VPADDDYrr", 0, 0.25),
            ("VPSUBDYrr", 0, 0.25),
            ("IMUL64rr", 1, 1.0),
            ("VMOVUPSYrm", 2, 0.5),
            ("VPADDDYrm", 3, 0.5),
            ("PADDDrr", 4, 0.25),
        ];
        let of = |name: &str| catalogue.form_by_name(name).unwrap();
        let mut reaches = vec![Reach::default(); 5];
        for (name, class, _) in forms {
            reaches[class] = Reach::of(&catalogue, of(name));
        }
        let tie = UsageTie { form: 3, parts: [0, 2], slots: 1.0, own: None };
        let classes = UsageClasses {
            usages: vec![Usage::default(); 5],
            reaches,
            of_form: forms.iter().map(|(name, class, _)| (of(name).opcode, *class)).collect(),
            ties: vec![tie],
        };
        let durations: Vec<(OpcodeId, f64)> =
            forms.iter().map(|(name, _, each)| (of(name).opcode, *each)).collect();
        let urn = Urn::of(&catalogue, durations.iter().copied());
        let pairs = class_pairs(&classes, &urn, &durations);
        let name = |opcode: OpcodeId| catalogue.set.opcode(opcode).name.as_str();
        let names = |mix: &Mix| {
            let mut parts: Vec<(&str, u32)> =
                mix.parts.iter().map(|&(opcode, count)| (name(opcode), count)).collect();
            parts.sort_unstable();
            parts
        };
        let mut found: Vec<Vec<(&str, u32)>> = pairs.iter().map(names).collect();
        found.sort();
        // One of each class, none of what is tied to others, and no legacy form beside one of VEX.
        let expected: [&[(&str, u32)]; 4] = [
            &[("IMUL64rr", 1), ("PADDDrr", 4)],
            &[("IMUL64rr", 1), ("VMOVUPSYrm", 2)],
            &[("IMUL64rr", 1), ("VPADDDYrr", 4)],
            &[("VMOVUPSYrm", 1), ("VPADDDYrr", 2)],
        ];
        assert_eq!(found, expected);
    }
}
