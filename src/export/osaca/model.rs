//! What the files hold: forms with their costs, loads, stores and what passes through memory.

use std::collections::{BTreeMap, BTreeSet};

use super::ExportAccount;
use super::operand::{Address, PatternKind, Syntax};
use super::row::{Key, OsacaRow, at_address};
use crate::database::Database;
use crate::export::ports::{HELD_BRIEFLY, MachinePorts, Pools, PortPool};
use crate::form::MemoryAccess;

/// A machine as OSACA sees it.
pub struct MachineModel {
    /// All ports.
    pub ports: Vec<String>,
    /// What has a cost.
    pub forms: Vec<ModelForm>,
    /// What a load into a kind of registers adds to the rest.
    pub loads: BTreeMap<String, Load>,
    /// What a store of a kind of registers adds.
    pub stores: BTreeMap<String, Pressure>,
    /// Cycles from a store to what loads from there, besides the load's own.
    pub forwarding: Option<f64>,
    /// Cycles from a base to itself where it is moved.
    pub base: f64,
    /// What every key reads and writes.
    pub rows: BTreeMap<Key, OsacaRow>,
    /// Cycles of the front end for the simplest form.
    pub front_end: Option<f64>,
}

/// Cycles on ports, of each of which one of several gives them.
pub type Pressure = Vec<(f64, Vec<String>)>;

/// A load's part.
pub struct Load {
    /// From address to register.
    pub latency: f64,
    /// On its ports.
    pub pressure: Pressure,
}

/// Mnemonics of one cost.
pub struct ModelForm {
    /// All of them.
    pub names: BTreeSet<String>,
    /// Their operands.
    pub kinds: Vec<PatternKind>,
    /// The latency.
    pub latency: f64,
    /// On the busiest port.
    pub throughput: f64,
    /// On all ports.
    pub pressure: Pressure,
    /// LLVM's forms.
    pub llvm: BTreeSet<String>,
}

/// The port that stands for the front end.
const FRONT_END: &str = "FE";
/// The port that stands for taken branches.
const BRANCH: &str = "BR";
/// What a result takes that depends on nothing: it matters to critical paths only.
const WITHOUT_SOURCE: f64 = 1.0;
/// What moving a base takes where nobody measured it: what OSACA takes for granted.
const OF_BASE: f64 = 1.0;

/// Puts rows and ports together.
pub fn model(
    database: &Database,
    rows: BTreeMap<Key, OsacaRow>,
    ports: &MachinePorts,
    syntax: Syntax,
    account: &mut ExportAccount,
) -> MachineModel {
    let composed = composed(&rows);
    let rows: BTreeMap<Key, OsacaRow> = worth_a_row(rows, &composed, ports, account);
    let costs = ModelCosts::new(&rows, ports);
    let loads = loads(&rows, &costs, syntax);
    let forwarding = forwarding(database, &rows, &loads);
    let mut forms: BTreeMap<String, ModelForm> = BTreeMap::new();
    let mut written: BTreeSet<&String> = BTreeSet::new();
    for ((mnemonic, kinds), row) in &rows {
        let pressure = costs.of(kinds, row);
        let latency = latency(row, forwarding);
        if let Some(form) = &row.form {
            written.insert(form);
            if row.latency.is_some_and(|it| it.is_one_of_several) {
                account.losses.simplify("one latency stands for several of its operands", form);
            }
            if ports.forms.get(form).is_some_and(|used| used.is_held_briefly) {
                account.losses.simplify(HELD_BRIEFLY, form);
            }
        }
        if let (Some(form), None, true) = (&row.form, row.latency, waits(kinds, row)) {
            account.losses.simplify("its latency is not known, and one cycle stands for it", form);
        }
        let throughput = busiest(&pressure);
        let key = format!("{kinds:?} {latency} {pressure:?}");
        let form = forms.entry(key).or_insert_with(|| ModelForm {
            names: BTreeSet::new(),
            kinds: kinds.clone(),
            latency,
            throughput,
            pressure,
            llvm: BTreeSet::new(),
        });
        form.names.insert(mnemonic.clone());
        form.llvm.extend(row.form.clone());
    }
    let mut forms: Vec<ModelForm> = forms.into_values().collect();
    forms.sort_by_key(|form| form.kinds.iter().map(PatternKind::breadth).sum::<u8>());
    account.written = written.len();
    account.with_ports = written.iter().filter(|form| ports.forms.contains_key(**form)).count();
    account.keys = rows.len();
    let stores = stores(&rows, &costs);
    let front_end = Some(costs.front_end);
    let base = rows.values().filter_map(|row| row.base).reduce(f64::min);
    let base = base.unwrap_or(OF_BASE);
    MachineModel { ports: costs.names(), forms, loads, stores, forwarding, base, rows, front_end }
}

/// Keys that OSACA composes of a load and of the same form with a register.
fn composed(rows: &BTreeMap<Key, OsacaRow>) -> BTreeSet<Key> {
    let only_registers = rows.iter().filter(|(_, row)| row.memory == MemoryAccess::None);
    let wildcard = |kinds: &[PatternKind]| -> Vec<Vec<Option<PatternKind>>> {
        let with_hole = |hole: usize| {
            kinds.iter().enumerate().map(|(at, kind)| (at != hole).then(|| kind.clone())).collect()
        };
        let holes = (0..kinds.len()).filter(|&at| matches!(kinds[at], PatternKind::Register(..)));
        holes.map(with_hole).collect()
    };
    let twins: BTreeSet<(&String, Vec<Option<PatternKind>>)> = only_registers
        .flat_map(|((mnemonic, kinds), _)| {
            wildcard(kinds).into_iter().map(move |holes| (mnemonic, holes))
        })
        .collect();
    let has_twin = |(mnemonic, kinds): &Key| {
        let is_memory = |kind: &PatternKind| matches!(kind, PatternKind::Memory(_));
        let holes = kinds.iter().map(|kind| (!is_memory(kind)).then(|| kind.clone())).collect();
        twins.contains(&(mnemonic, holes))
    };
    rows.iter()
        .filter(|(_, row)| row.memory == MemoryAccess::Load && row.has_sources)
        .map(|(key, _)| key)
        .filter(|key| has_twin(key))
        .cloned()
        .collect()
}

/// Without what OSACA composes, and without addressing modes that cost no more than others.
fn worth_a_row(
    rows: BTreeMap<Key, OsacaRow>,
    composed: &BTreeSet<Key>,
    ports: &MachinePorts,
    account: &mut ExportAccount,
) -> BTreeMap<Key, OsacaRow> {
    let plain: BTreeMap<Key, OsacaRow> = rows
        .iter()
        .filter(|(key, _)| address_of(key) == Some(Address::Any))
        .map(|(key, row)| (key.clone(), row.clone()))
        .collect();
    let is_own = |key: &Key, row: &OsacaRow| match address_of(key) {
        None | Some(Address::Any) => true,
        Some(Address::Base | Address::Indexed) => false,
        Some(_) => plain
            .get(&with_address(key, Address::Any))
            .is_some_and(|base| costs_more(row, base, ports)),
    };
    let mut out = BTreeMap::new();
    let mut by_composition: BTreeSet<String> = BTreeSet::new();
    for (key, row) in rows {
        let any = with_address(&key, Address::Any);
        if composed.contains(&key) || composed.contains(&any) {
            by_composition.extend(row.form);
        } else if is_own(&key, &row) {
            out.insert(key, row);
        } else {
            account.covered += 1;
        }
    }
    account.composed = by_composition.len();
    out
}

/// Whether an addressing mode takes longer than another, more operations, or more places in the front end.
fn costs_more(row: &OsacaRow, base: &OsacaRow, ports: &MachinePorts) -> bool {
    let latency = |row: &OsacaRow| row.latency.map_or(0.0, |it| it.cycles);
    let used = |row: &OsacaRow| ports.forms.get(row.form.as_ref()?);
    latency(row) > latency(base) + 0.25
        || row.throughput > 1.1 * base.throughput
        || used(row)
            .zip(used(base))
            .is_some_and(|(own, base)| own.operations > base.operations || own.slots > base.slots)
}

fn address_of(key: &Key) -> Option<Address> {
    key.1.iter().find_map(|kind| match kind {
        PatternKind::Memory(address) => Some(*address),
        _ => None,
    })
}

fn with_address((mnemonic, kinds): &Key, address: Address) -> Key {
    (mnemonic.clone(), at_address(kinds, address))
}

/// What forms cost.
struct ModelCosts<'a> {
    ports: &'a MachinePorts,
    pools: Pools,
    front_end: f64,
}

impl<'a> ModelCosts<'a> {
    fn new(rows: &BTreeMap<Key, OsacaRow>, ports: &'a MachinePorts) -> Self {
        let mut pools = Pools::default();
        for ((_, kinds), row) in rows {
            let has_own = row.form.as_ref().is_some_and(|form| ports.forms.contains_key(form));
            if !has_own && !is_free(row) {
                pools.see(pool(kinds, row), row.throughput);
            }
        }
        // (What does nothing may pass more quickly than anything else: two of them at once.)
        let working = rows.values().filter(|row| row.form.is_some() && !does_nothing(row));
        let fastest = working.map(|row| row.throughput).filter(|it| *it > 0.0);
        let width = ports.width.filter(|width| *width > 0.0).map(|width| 1.0 / width);
        Self { ports, pools, front_end: width.or(fastest.reduce(f64::min)).unwrap_or(0.0) }
    }

    fn names(&self) -> Vec<String> {
        let own = self.ports.names.iter().cloned();
        let special = [BRANCH, FRONT_END].map(str::to_owned);
        own.chain(self.pools.names()).chain(special).collect()
    }

    /// Without the front end.
    fn execution(&self, kinds: &[PatternKind], row: &OsacaRow) -> Pressure {
        let Some(form) = &row.form else { return vec![(1.0, vec![BRANCH.to_owned()])] };
        if let Some(known) = self.ports.forms.get(form) {
            return known.pressure();
        }
        if is_free(row) { Vec::new() } else { self.pools.usage(pool(kinds, row), row.throughput) }
    }

    fn of(&self, kinds: &[PatternKind], row: &OsacaRow) -> Pressure {
        let mut pressure = self.execution(kinds, row);
        let known = row.form.as_ref().and_then(|form| self.ports.forms.get(form)?.slots);
        let slots = if row.fuses { 0.0 } else { self.ports.places(known.unwrap_or(1.0)) };
        let cycles = slots * self.front_end;
        let cycles = if does_nothing(row) { cycles.min(row.throughput) } else { cycles };
        if cycles > 0.0 {
            pressure.push((cycles, vec![FRONT_END.to_owned()]));
        }
        pressure
    }
}

/// Whether nothing executes: moves that are eliminated, and what does nothing.
fn is_free(row: &OsacaRow) -> bool {
    let is_eliminated = row.latency.is_some_and(|it| it.cycles < 0.25);
    row.memory == MemoryAccess::None && (is_eliminated || does_nothing(row)) && row.throughput < 1.0
}

/// Whether a form makes a register of a register.
fn waits(kinds: &[PatternKind], row: &OsacaRow) -> bool {
    let registers = || {
        let operands = kinds.iter().zip(&row.accesses);
        operands
            .filter(|(kind, _)| matches!(kind, PatternKind::Register(..)))
            .map(|(_, access)| access)
    };
    registers().any(|access| access.read) && registers().any(|access| access.written)
}

fn does_nothing(row: &OsacaRow) -> bool {
    let touches_nothing = row.accesses.is_empty() && row.hidden.is_empty();
    row.form.is_some() && row.memory == MemoryAccess::None && touches_nothing
}

/// Where a form computes of which nothing else is known.
fn pool(kinds: &[PatternKind], row: &OsacaRow) -> PortPool {
    match row.memory {
        MemoryAccess::Load => return PortPool::Load,
        MemoryAccess::Store | MemoryAccess::Both => return PortPool::Store,
        MemoryAccess::None => {}
    }
    let names = kinds.iter().filter_map(|kind| match kind {
        PatternKind::Register(name, _) => Some(name.as_str()),
        _ => None,
    });
    let of_name = |name: &str| match name {
        "mm" | "xmm" | "ymm" | "zmm" | "b" | "h" | "s" | "d" | "q" | "v" | "z" | "f" => {
            PortPool::Vector
        }
        "k" | "p" => PortPool::Mask,
        "gpr" | "x" | "w" => PortPool::General,
        _ => PortPool::Other,
    };
    let pools: BTreeSet<PortPool> = names.map(of_name).collect();
    [PortPool::Vector, PortPool::Mask, PortPool::Other]
        .into_iter()
        .find(|pool| pools.contains(pool))
        .unwrap_or(PortPool::General)
}

/// Loads into each kind of registers.
fn loads(
    rows: &BTreeMap<Key, OsacaRow>,
    costs: &ModelCosts<'_>,
    syntax: Syntax,
) -> BTreeMap<String, Load> {
    let kinds: &[&str] = match syntax {
        Syntax::Att => &["gpr", "mm", "xmm", "ymm", "zmm"],
        Syntax::Arm => &["w", "x", "b", "h", "s", "d", "q", "v", "z"],
        Syntax::RiscV => &["x", "f", "v"],
    };
    let mut found: BTreeMap<String, Vec<(bool, Load)>> = BTreeMap::new();
    for (key, row) in rows {
        let is_plain = row.memory == MemoryAccess::Load && !row.has_sources;
        let (Some(kind), Some(latency)) = (register_kind(&key.1), row.latency) else { continue };
        if !is_plain || key.1.len() != 2 || address_of(key) != Some(Address::Any) {
            continue;
        }
        let load = Load { latency: latency.cycles, pressure: costs.execution(&key.1, row) };
        found.entry(kind).or_default().push((row.is_whole, load));
    }
    let mut loads: BTreeMap<String, Load> = found
        .into_iter()
        .filter_map(|(kind, of_kind)| {
            let mut of_kind = plainest(of_kind, |load| &load.pressure);
            // Of those the one in the middle: some wait for more than an address.
            of_kind.sort_by(|a, b| a.latency.total_cmp(&b.latency));
            let middle = of_kind.len() / 2;
            (!of_kind.is_empty()).then(|| (kind, of_kind.swap_remove(middle)))
        })
        .collect();
    // What has no load of its own is loaded like its neighbours; OSACA fails without a figure.
    for (at, kind) in kinds.iter().enumerate() {
        if !loads.contains_key(*kind)
            && let Some(near) =
                kinds[at..].iter().chain(kinds[..at].iter().rev()).find_map(|it| loads.get(*it))
        {
            let load = Load { latency: near.latency, pressure: near.pressure.clone() };
            loads.insert((*kind).to_owned(), load);
        }
    }
    loads.retain(|kind, _| kinds.contains(&kind.as_str()));
    loads
}

fn stores(rows: &BTreeMap<Key, OsacaRow>, costs: &ModelCosts<'_>) -> BTreeMap<String, Pressure> {
    let mut found: BTreeMap<String, Vec<(bool, Pressure)>> = BTreeMap::new();
    for ((_, kinds), row) in rows {
        if row.memory != MemoryAccess::Store || kinds.len() != 2 {
            continue;
        }
        let Some(kind) = register_kind(kinds) else { continue };
        found.entry(kind).or_default().push((row.is_whole, costs.execution(kinds, row)));
    }
    let plainest = |(kind, stores)| Some((kind, plainest(stores, |it| it).into_iter().next()?));
    found.into_iter().filter_map(plainest).collect()
}

/// Those that do nothing but access memory: of those that access whole registers (of all, if none does) the
/// quickest, and of these those that use ports least. (On a Zen 4 a load of 512 bits takes a cycle, and so does
/// one with an absolute value behind it, on other ports.)
fn plainest<T>(all: Vec<(bool, T)>, pressure: impl Fn(&T) -> &Pressure) -> Vec<T> {
    let has_whole = all.iter().any(|(is_whole, _)| *is_whole);
    let whole = all.into_iter().filter(|(is_whole, _)| *is_whole || !has_whole);
    let mut left: Vec<T> = whole.map(|(_, it)| it).collect();
    for measure in [busiest, total] {
        let least = left.iter().map(|it| measure(pressure(it))).reduce(f64::min);
        left.retain(|it| least.is_some_and(|least| measure(pressure(it)) <= least * ALIKE));
    }
    left
}

/// Pressures that differ by less are alike.
const ALIKE: f64 = 1.1;

/// Cycles on all ports together.
fn total(pressure: &Pressure) -> f64 {
    pressure.iter().map(|(cycles, _)| cycles).sum()
}

fn register_kind(kinds: &[PatternKind]) -> Option<String> {
    kinds.iter().find_map(|kind| match kind {
        PatternKind::Register(name, _) => Some(name.clone()),
        _ => None,
    })
}

/// From a store to what depends on a load of it, less the load's latency, which OSACA adds itself.
fn forwarding(
    database: &Database,
    rows: &BTreeMap<Key, OsacaRow>,
    loads: &BTreeMap<String, Load>,
) -> Option<f64> {
    let general = ["gpr", "x"].iter().find_map(|kind| loads.get(*kind));
    let load = general.or_else(|| loads.values().next())?.latency;
    let measured = database.forwarding().and_then(|times| {
        let same = times.iter().filter(|it| it.stored == it.loaded && it.offset == 0);
        same.filter_map(|it| it.cycles).reduce(f64::min)
    });
    let quickest = |access: MemoryAccess| {
        let fitting = rows.values().filter(move |row| row.memory == access);
        fitting.filter_map(|row| row.through_cell).reduce(f64::min)
    };
    let total = measured
        .or_else(|| Some(quickest(MemoryAccess::Store)? + quickest(MemoryAccess::Load)?))?;
    Some((total - load).max(0.0))
}

fn latency(row: &OsacaRow, forwarding: Option<f64>) -> f64 {
    match row.memory {
        // OSACA has no latency of stores; what waits for them waits for forwarding.
        MemoryAccess::Store => 0.0,
        MemoryAccess::Both if row.cell.is_some() => {
            (row.cell.unwrap_or(0.0) - forwarding.unwrap_or(0.0)).max(0.0)
        }
        _ => row.latency.map_or(WITHOUT_SOURCE, |latency| latency.cycles),
    }
}

/// Cycles on the port that is used most, if each use is spread evenly.
fn busiest(pressure: &Pressure) -> f64 {
    let mut ports: BTreeMap<&String, f64> = BTreeMap::new();
    for (cycles, names) in pressure {
        for name in names {
            *ports.entry(name).or_default() += cycles / names.len() as f64;
        }
    }
    ports.into_values().fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_only_accesses_memory_stands_for_all() {
        let on = |cycles: f64, ports: [&str; 2]| (cycles, ports.map(str::to_owned).to_vec());
        // Of a Zen 4: 512 bits, the same with an absolute value, and the broadcast of 64 bits.
        let load = (true, vec![on(2.0, ["P9", "P10"])]);
        let absolute = (true, vec![on(2.0, ["P7", "P8"]), on(2.0, ["P9", "P10"])]);
        let broadcast = (false, vec![on(1.0, ["P9", "P10"])]);
        let all = vec![absolute.clone(), broadcast.clone(), load.clone()];
        assert_eq!(plainest(all, |it| it), [load.1]);
        assert_eq!(plainest(vec![broadcast.clone()], |it| it), [broadcast.1]);
        assert!(plainest(Vec::new(), |it: &Pressure| it).is_empty());
    }
}
