//! Which ports a form uses.
//!
//! Where the database says it, that counts. Where it does not, throughputs alone cannot: two forms of
//! half a cycle may share their ports or not. A *pool* is then made of each kind of registers, as
//! wide as the fastest form that computes in it is quick. A form of a reciprocal throughput t below one
//! cycle is one operation on the first 1/t ports of its pool, a slower one holds the first for t
//! cycles. That is right for forms alone and for mixtures of equals, and at worst too slow.

use std::collections::{BTreeMap, BTreeSet};

use crate::database::{Database, Entry, PortUsage, ResourceUse};
use crate::form::{InstructionForm, MemoryAccess};
use crate::isa::{Isa, RegisterPool};
use crate::metadata::InstructionSet;

/// Ports of a machine and of its forms.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct MachinePorts {
    /// Their names, in order.
    pub names: Vec<String>,
    /// What forms use, by LLVM's name.
    pub forms: BTreeMap<String, FormPorts>,
    /// Instructions that pass the front end in a cycle, where that is known.
    pub width: Option<f64>,
    /// Whether the front end is known to split no instruction between two cycles.
    pub is_whole: bool,
}

/// The port of resources that one form alone was seen to have: dividers mostly, which others share
/// whose share was not measured.
const OWN_RESOURCE: &str = "D";
/// In cycles: what a form alone holds for less is no divider, and would add up with that of others as one is not.
/// (`adcx` of a Zen 4 takes a third of a cycle where its four ports explain a quarter.)
const LEAST_OWN: f64 = 1.0;

impl MachinePorts {
    /// The ports that a database knows.
    #[must_use]
    pub fn of(database: &Database) -> Self {
        let execution = database.execution().unwrap_or_default();
        let known = execution.resources.len();
        let mut numbers: BTreeSet<u32> = BTreeSet::new();
        let mut resources: BTreeSet<String> = BTreeSet::new();
        let mut forms = BTreeMap::new();
        for Entry { subject, ports: used, .. } in database.entries() {
            let Some(form) = FormPorts::of(&used, known) else { continue };
            numbers.extend(used.pressure.iter().flatten().flat_map(|(_, ports)| ports));
            resources.extend(form.held.iter().map(|(resource, _)| resource.clone()));
            forms.insert(subject.llvm_name, form);
        }
        let names = numbers.into_iter().map(port_name).chain(resources).collect();
        let is_whole = execution.splits_instructions == Some(false);
        Self { names, forms, width: execution.width, is_whole }
    }

    /// What an instruction of so many slots takes of the front end on average, where slots add up: where no
    /// instruction is split, with what is left of a cycle behind those before it, of 1 to all of its slots
    /// as often each, and is too little.
    #[must_use]
    pub fn places(&self, slots: f64) -> f64 {
        let Some(width) = self.width.filter(|_| self.is_whole && slots > 1.0) else { return slots };
        let needed = slots.min(width);
        slots + needed * (needed - 1.0) / (2.0 * width)
    }
}

fn port_name(number: u32) -> String {
    format!("P{number}")
}

/// What a form uses.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct FormPorts {
    /// Micro-operations, and the ports of which each goes to one.
    pub micro_ops: Vec<(u32, Vec<String>)>,
    /// Resources that one instruction has at a time, and for how many cycles.
    pub held: Vec<(String, f64)>,
    /// Whether it holds one of its own too briefly to be among them.
    pub is_held_briefly: bool,
    /// Its micro-operations, those that need no port among them.
    pub operations: u32,
    /// Places that it takes in the front end; none where nobody measured it.
    pub slots: Option<f64>,
}

impl FormPorts {
    /// Of an entry of a database that knows so many resources by their numbers; none where it does not say the ports.
    fn of(used: &PortUsage, known: usize) -> Option<Self> {
        let all = used.pressure.as_ref()?;
        let with_ports = all.iter().filter(|(_, ports)| !ports.is_empty());
        let micro_ops = with_ports
            .map(|(count, ports)| (*count, ports.iter().map(|&port| port_name(port)).collect()));
        let is_known = |held: &&ResourceUse| (held.resource as usize) < known;
        let held = used.resources.iter().filter(|held| held.cycles > 0.0);
        let (shared, own): (Vec<&ResourceUse>, Vec<_>) = held.partition(is_known);
        let (long, brief): (Vec<&ResourceUse>, Vec<_>) =
            own.into_iter().partition(|held| held.cycles >= LEAST_OWN);
        let shared = shared.iter().map(|held| (format!("R{}", held.resource), held.cycles));
        let own = long.iter().map(|held| (OWN_RESOURCE.to_owned(), held.cycles));
        Some(Self {
            micro_ops: micro_ops.collect(),
            held: shared.chain(own).collect(),
            is_held_briefly: !brief.is_empty(),
            operations: all.iter().map(|(count, _)| count).sum(),
            slots: used.slots,
        })
    }

    /// Cycles of the busiest of its ports and resources, as far as one set of ports shows.
    #[must_use]
    pub fn busiest(&self) -> f64 {
        let all = self.pressure();
        all.iter().map(|(cycles, ports)| cycles / ports.len() as f64).fold(0.0, f64::max)
    }

    /// Cycles, and the ports and resources of which one or another gives them.
    #[must_use]
    pub fn pressure(&self) -> Vec<(f64, Vec<String>)> {
        let on_ports =
            self.micro_ops.iter().map(|(count, ports)| (f64::from(*count), ports.clone()));
        let held = self.held.iter().map(|(resource, cycles)| (*cycles, vec![resource.clone()]));
        on_ports.chain(held).collect()
    }
}

/// What is lost of forms that are held briefly.
pub(super) const HELD_BRIEFLY: &str =
    "a resource that it alone holds, for less than a cycle, is left out";

/// Where forms compute that nothing else is known of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PortPool {
    /// General registers.
    General,
    /// Vectors.
    Vector,
    /// Masks and predicates.
    Mask,
    /// What is neither.
    Other,
    /// Loads.
    Load,
    /// Stores.
    Store,
}

impl PortPool {
    /// Where a form computes.
    #[must_use]
    pub fn of(form: &InstructionForm, set: &InstructionSet, isa: &dyn Isa) -> Self {
        match form.memory {
            MemoryAccess::Load => return Self::Load,
            MemoryAccess::Store | MemoryAccess::Both => return Self::Store,
            MemoryAccess::None => {}
        }
        let classes = (0..form.operands.len()).filter_map(|index| form.class_of(index));
        let pools: BTreeSet<RegisterPool> = classes.map(|class| isa.pool_of(class, set)).collect();
        let special = [
            (RegisterPool::Vector, Self::Vector),
            (RegisterPool::Mask, Self::Mask),
            (RegisterPool::Other, Self::Other),
        ];
        let found = special.iter().find(|(pool, _)| pools.contains(pool));
        found.map_or(Self::General, |&(_, own)| own)
    }

    fn letter(self) -> char {
        match self {
            Self::General => 'I',
            Self::Vector => 'V',
            Self::Mask => 'K',
            Self::Other => 'X',
            Self::Load => 'L',
            Self::Store => 'S',
        }
    }

    /// The most ports that a pool is believed to have: what is faster does not execute.
    fn widest(self) -> usize {
        match self {
            Self::General => 8,
            Self::Vector => 6,
            Self::Mask | Self::Load => 4,
            Self::Other | Self::Store => 2,
        }
    }
}

/// Pools as wide as their fastest forms are quick.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Pools {
    widths: BTreeMap<PortPool, usize>,
}

/// Ports that a throughput below a cycle takes.
fn ports_of(throughput: f64) -> usize {
    if throughput < 1.0 { (1.0 / throughput.max(0.05)).round().max(1.0) as usize } else { 1 }
}

impl Pools {
    /// Widens a pool to what a form of it takes.
    pub fn see(&mut self, pool: PortPool, throughput: f64) {
        let width = self.widths.entry(pool).or_insert(1);
        *width = (*width).max(ports_of(throughput)).min(pool.widest());
    }

    /// All ports, in order.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        self.widths.keys().flat_map(|&pool| self.first(pool, usize::MAX)).collect()
    }

    /// How many ports a pool has.
    #[must_use]
    pub fn width(&self, pool: PortPool) -> usize {
        self.widths.get(&pool).copied().unwrap_or(0)
    }

    /// The first ports of a pool.
    #[must_use]
    pub fn first(&self, pool: PortPool, count: usize) -> Vec<String> {
        let width = self.width(pool);
        (0..width.min(count)).map(|number| format!("{}{number}", pool.letter())).collect()
    }

    /// What a form of a pool uses by the rule above.
    #[must_use]
    pub fn usage(&self, pool: PortPool, throughput: f64) -> Vec<(f64, Vec<String>)> {
        let count = ports_of(throughput);
        let ports = self.first(pool, count);
        if ports.is_empty() {
            return Vec::new();
        }
        // The pool may be narrower than the form is quick, which then takes less than a whole port.
        let cycles = throughput * ports.len() as f64;
        vec![(if count == ports.len() && count > 1 { 1.0 } else { cycles }, ports)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_lost_behind_other_instructions_is_charged_on_average() {
        let known = |splits: &str| {
            let text = format!("core: {{execution: {{width: 6{splits}}}}}\ninstructions: []");
            MachinePorts::of(&Database::parse(&text).unwrap())
        };
        let whole = known(", splitsInstructions: false");
        // Two slots do not fit where one is left, a sixth of the time, and that one is lost.
        assert_eq!(whole.places(2.0), 2.0 + 1.0 / 6.0);
        // Of six places that six slots may find themselves at, five lose 1 to 5.
        assert_eq!([whole.places(6.0), whole.places(9.0)], [8.5, 11.5]);
        assert_eq!([whole.places(1.0), whole.places(0.5)], [1.0, 0.5]);
        for splitting in [known(", splitsInstructions: true"), known("")] {
            assert_eq!(splitting.places(6.0), 6.0);
        }
    }

    #[test]
    fn a_database_without_ports_has_none_and_one_with_ports_has_them() {
        let text = "\
core: {execution: {ports: 3, width: 6, resources: [DIV64r]}}
instructions:
- {llvmName: A, throughput: 0.5, portPressure: [[1, [0, 1]]], slots: 1}
- {llvmName: B, throughput: 7, portPressure: [[2, [2]]], portResources: [{resource: 0, cycles: 7}]}
- {llvmName: C, throughput: 0.1667, portPressure: []}
- {llvmName: D, throughput: 1, portStatus: 'failed: trap'}
";
        let known = MachinePorts::of(&Database::parse(text).unwrap());
        assert_eq!(known.names, ["P0", "P1", "P2", "R0"]);
        assert_eq!(known.width, Some(6.0));
        assert_eq!(known.forms.keys().collect::<Vec<_>>(), ["A", "B", "C"]);
        let port = |name: &str| name.to_owned();
        assert_eq!(known.forms["A"].pressure(), [(1.0, vec![port("P0"), port("P1")])]);
        assert_eq!(known.forms["A"].slots, Some(1.0));
        let both = [(2.0, vec![port("P2")]), (7.0, vec![port("R0")])];
        assert_eq!(known.forms["B"].pressure(), both);
        assert_eq!(known.forms["C"].pressure(), []);
        let without = Database::parse("instructions: [{llvmName: A, throughput: 1}]").unwrap();
        assert_eq!(MachinePorts::of(&without), MachinePorts::default());
    }

    #[test]
    fn what_a_form_holds_alone_is_a_divider_if_it_is_held_for_long() {
        let text = "\
core: {execution: {ports: 2, resources: [DIV64r]}}
instructions:
- {llvmName: A, portPressure: [[1, [0, 1]]], portResources: [{resource: 65541, cycles: 0.6}, {resource: 0, cycles: 0.1}]}
- {llvmName: B, portPressure: [[1, [0, 1]]], portResources: [{resource: 65542, cycles: 7.5}]}
";
        let known = MachinePorts::of(&Database::parse(text).unwrap());
        assert_eq!(known.names, ["P0", "P1", "D", "R0"]);
        let held = |name: &str| (known.forms[name].held.clone(), known.forms[name].is_held_briefly);
        assert_eq!(held("A"), (vec![("R0".to_owned(), 0.1)], true));
        assert_eq!(held("B"), (vec![("D".to_owned(), 7.5)], false));
    }

    #[test]
    fn pools_are_as_wide_as_their_fastest_forms() {
        let mut pools = Pools::default();
        for throughput in [1.0, 0.25, 3.0, 0.5] {
            pools.see(PortPool::Vector, throughput);
        }
        assert_eq!(pools.names(), ["V0", "V1", "V2", "V3"]);
        let port = |name: &str| name.to_owned();
        assert_eq!(pools.usage(PortPool::Vector, 0.5), [(1.0, vec![port("V0"), port("V1")])]);
        assert_eq!(pools.usage(PortPool::Vector, 5.0), [(5.0, vec![port("V0")])]);
        assert_eq!(pools.usage(PortPool::Mask, 1.0), []);
    }

    #[test]
    fn a_form_alone_takes_its_throughput() {
        let mut pools = Pools::default();
        pools.see(PortPool::General, 0.25);
        for throughput in [0.25, 0.3333, 0.5, 1.0, 1.19, 7.5] {
            let usage = pools.usage(PortPool::General, throughput);
            let taken: f64 = usage.iter().map(|(cycles, ports)| cycles / ports.len() as f64).sum();
            assert!((taken - throughput).abs() < 0.01, "{throughput}: {usage:?}");
        }
    }
}
