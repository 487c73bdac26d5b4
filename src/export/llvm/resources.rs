//! What a form takes of the machine, in whole cycles and micro-operations.

use std::collections::{BTreeMap, BTreeSet};

use super::units::ResourceUnits;
use crate::database::{Entry, OperandLatency};
use crate::export::ports::{FormPorts, HELD_BRIEFLY, MachinePorts, Pools, PortPool};
use crate::form::{InstructionForm, MemoryAccess};
use crate::isa::Isa;
use crate::metadata::InstructionSet;

/// Whole cycles, by the ports of which one or another gives them.
pub type WholeUses = BTreeMap<Vec<String>, u32>;

/// What a form takes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct UsedResources {
    /// On ports.
    pub uses: WholeUses,
    /// In the front end.
    pub micro_operations: u32,
    /// What cannot be said of it.
    pub losses: BTreeSet<&'static str>,
}

const ROUNDED: &str = "cycles on a port or resource are rounded, which changes its throughput";
const UNKNOWN: &str = "its throughput is not known, and it takes no port";

/// As a share of a throughput: less is the same.
const SAME: f64 = 0.05;
/// Moves that take less than this are eliminated.
const ELIMINATED: f64 = 0.25;

/// What all forms take.
pub struct FormResources<'a> {
    ports: &'a MachinePorts,
    /// What resources besides ports are made of.
    pub units: ResourceUnits,
    pools: Pools,
    set: &'a InstructionSet,
    isa: &'a dyn Isa,
}

impl<'a> FormResources<'a> {
    /// With pools for the forms whose ports the database does not say.
    pub fn new(
        told: &[(Entry, &InstructionForm)],
        ports: &'a MachinePorts,
        set: &'a InstructionSet,
        isa: &'a dyn Isa,
    ) -> Self {
        let mut pools = Pools::default();
        for (entry, form) in told {
            let has_own = ports.forms.contains_key(&form.name);
            if let (false, false, Some(cycles)) = (has_own, is_free(entry, form), throughput(entry))
            {
                pools.see(PortPool::of(form, set, isa), cycles);
            }
        }
        Self { ports, units: ResourceUnits::of(ports), pools, set, isa }
    }

    /// What one takes.
    pub fn of(&self, entry: &Entry, form: &InstructionForm) -> UsedResources {
        if let Some(known) = self.ports.forms.get(&form.name) {
            return known_use(known, &self.units);
        }
        let mut used = UsedResources { micro_operations: 1, ..UsedResources::default() };
        let Some(cycles) = throughput(entry) else {
            used.losses.insert(UNKNOWN);
            return used;
        };
        if is_free(entry, form) {
            return used;
        }
        let pool = PortPool::of(form, self.set, self.isa);
        let (whole, count) = nearest(cycles, self.pools.width(pool));
        if (f64::from(whole) / count as f64 - cycles).abs() > SAME * cycles {
            used.losses.insert(ROUNDED);
        }
        used.uses.insert(self.pools.first(pool, count), whole);
        used
    }
}

/// Micro-operations with their ports, and what is held besides, as the database says them.
fn known_use(known: &FormPorts, units: &ResourceUnits) -> UsedResources {
    let mut used = UsedResources::default();
    for (count, ports) in &known.micro_ops {
        *used.uses.entry(ports.clone()).or_default() += count;
    }
    for (resource, cycles) in &known.held {
        *used.uses.entry(vec![resource.clone()]).or_default() += units.whole(resource, *cycles);
    }
    let exact = known.busiest();
    let made = |(ports, cycles): (&Vec<String>, &u32)| {
        f64::from(*cycles) / f64::from(ports.iter().map(|port| units.count(port)).sum::<u32>())
    };
    if (used.uses.iter().map(made).fold(0.0, f64::max) - exact).abs() > SAME * exact {
        used.losses.insert(ROUNDED);
    }
    if known.is_held_briefly {
        used.losses.insert(HELD_BRIEFLY);
    }
    let slots = known.slots.map_or(known.operations, |slots| slots.round() as u32);
    used.micro_operations = slots.max(1);
    used
}

/// Cycles and ports that a throughput is nearest to: the fewest ports that are near enough.
fn nearest(throughput: f64, width: usize) -> (u32, usize) {
    let choice = |count: usize| ((throughput * count as f64).round().max(1.0) as u32, count);
    let error =
        |&(cycles, count): &(u32, usize)| (f64::from(cycles) / count as f64 - throughput).abs();
    let choices: Vec<(u32, usize)> = (1..=width.max(1)).map(choice).collect();
    let fits = choices.iter().find(|choice| error(choice) <= SAME * throughput);
    let best = choices.iter().min_by(|a, b| error(a).total_cmp(&error(b)));
    *fits.or(best).unwrap_or(&(1, 1))
}

fn throughput(entry: &Entry) -> Option<f64> {
    let known = entry.throughput.value.or(entry.throughput.max);
    known.filter(|cycles| cycles.is_finite() && *cycles > 0.0)
}

/// Whether nothing executes: moves that are eliminated, and what touches nothing.
fn is_free(entry: &Entry, form: &InstructionForm) -> bool {
    let registers = (0..form.operands.len()).any(|index| form.class_of(index).is_some());
    let touches = registers || !form.implicit_uses.is_empty() || !form.implicit_defs.is_empty();
    let known: Vec<f64> =
        entry.latency.operands.iter().filter_map(OperandLatency::chosen).collect();
    let is_eliminated = !known.is_empty() && known.iter().all(|cycles| *cycles < ELIMINATED);
    let is_quick = throughput(entry).is_none_or(|cycles| cycles < 1.0);
    form.memory == MemoryAccess::None && (is_eliminated || !touches) && is_quick
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn throughputs_become_whole_cycles_of_as_few_ports_as_possible() {
        assert_eq!(nearest(0.25, 4), (1, 4));
        assert_eq!(nearest(0.5, 4), (1, 2));
        assert_eq!(nearest(2.5, 4), (5, 2));
        assert_eq!(nearest(7.0, 1), (7, 1));
        // Of what no fraction is near, the nearest.
        assert_eq!(nearest(0.28, 4), (1, 4));
        assert_eq!(nearest(0.1, 2), (1, 2));
    }

    #[test]
    fn uses_of_the_same_ports_add_up() {
        let ports = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
        let form = FormPorts {
            micro_ops: vec![(1, ports(&["P0", "P1"])), (2, ports(&["P0", "P1"]))],
            held: vec![("R0".to_owned(), 6.4), ("R1".to_owned(), 0.25)],
            operations: 3,
            slots: Some(2.0),
            ..FormPorts::default()
        };
        let other = FormPorts { held: vec![("R0".to_owned(), 6.0)], ..FormPorts::default() };
        let all = [("A", &form), ("B", &other), ("C", &other)];
        let all = all.map(|(name, form)| (name.to_owned(), form.clone()));
        let machine = MachinePorts { forms: all.into(), ..MachinePorts::default() };
        let units = ResourceUnits::of(&machine);
        let used = known_use(&form, &units);
        assert_eq!(used.uses[&ports(&["P0", "P1"])], 3);
        assert_eq!((used.uses[&ports(&["R0"])], used.micro_operations), (6, 2));
        assert_eq!((used.uses[&ports(&["R1"])], units.count("R1")), (1, 4));
        assert_eq!(used.losses.len(), 1, "6.4 cycles are rounded");
        // A form and the load that it is composed of may have a resource of their own each.
        let both = FormPorts { held: vec![("D".to_owned(), 2.0), ("D".to_owned(), 3.0)], ..form };
        assert_eq!(known_use(&both, &units).uses[&ports(&["D"])], 5);
        let brief = FormPorts { is_held_briefly: true, ..FormPorts::default() };
        let brief = known_use(&brief, &units);
        assert_eq!((brief.micro_operations, brief.losses.len()), (1, 1));
    }
}
