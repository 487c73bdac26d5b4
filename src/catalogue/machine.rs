//! All forms of a machine together with the registers that it has.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use crate::form::{EncodingGroup, InstructionForm, Site};
use crate::isa::{Availability, Isa};
use crate::metadata::{ClassId, InstructionSet, OpcodeId, RegisterId, UnitId};

/// Forms, registers and the ISA's knowledge, as planning and kernel building need them.
#[derive(Clone)]
pub struct Catalogue {
    /// LLVM's tables.
    pub set: Arc<InstructionSet>,
    /// What the ISA file knows.
    pub isa: Arc<dyn Isa>,
    forms: BTreeMap<OpcodeId, InstructionForm>,
    /// By class; nothing for those that no form names.
    allocatable: Vec<Vec<RegisterId>>,
    resources: HashMap<UnitId, ResourceId>,
    /// Registers that forms read unnamed and that hold addresses.
    implied_bases: HashSet<RegisterId>,
}

/// A set of registers that are one place for latencies: general registers, vector registers
/// of all widths, each special register by itself; or a cell of memory of some width.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ResourceId(pub u32);

/// Cells of memory are resources by their width in bits, counted from here: what is written in one
/// width and read in another is passed on otherwise, or not before it has left for the cache.
const CELLS: u32 = 1 << 24;
/// Those whose width is so many eighths of a vector, from here on.
const EIGHTHS: u32 = 1 << 20;

impl Catalogue {
    /// Puts forms together. Registers that only some CPUs have count once they are in `executed`.
    #[must_use]
    pub fn new(
        set: Arc<InstructionSet>,
        isa: Arc<dyn Isa>,
        forms: impl IntoIterator<Item = InstructionForm>,
        executed: &HashSet<RegisterId>,
    ) -> Self {
        let forms: BTreeMap<_, _> = forms.into_iter().map(|form| (form.opcode, form)).collect();
        let classes: HashSet<ClassId> = forms
            .values()
            .flat_map(|form| (0..form.operands.len()).filter_map(|index| form.class_of(index)))
            .collect();
        let usable = |register: &RegisterId| match isa.availability(&set.register(*register).name) {
            Availability::Never => false,
            Availability::Always => true,
            Availability::IfExecuted => executed.contains(register),
        };
        let registers_of = |class: ClassId| {
            let mut registers: Vec<RegisterId> =
                set.class(class).registers.iter().copied().filter(usable).collect();
            // Two names of the same hardware (AArch64: predicates as masks and as counters)
            // are one register.
            let mut seen = HashSet::new();
            registers.retain(|&register| seen.insert(set.register(register).units.clone()));
            registers
        };
        let mut allocatable = vec![Vec::new(); set.classes.len()];
        for &class in &classes {
            allocatable[class.0 as usize] = registers_of(class);
        }
        let bases = forms.values().flat_map(|form| &form.implied_bases);
        let implied_bases: HashSet<RegisterId> = bases.map(|base| base.register).collect();
        // The stack pointer is one of the general registers for those who push and pop.
        let is_ordinary = |register: RegisterId| {
            implied_bases.contains(&register)
                || isa.availability(&set.register(register).name) != Availability::Never
        };
        let resources = resources(&set, &classes, is_ordinary);
        Self { set, isa, forms, allocatable, resources, implied_bases }
    }

    /// Whether a form reads the register unnamed, as an address.
    #[must_use]
    pub fn is_implied_base(&self, register: RegisterId) -> bool {
        self.implied_bases.contains(&register)
    }

    /// The form of an opcode, if it has one here.
    #[must_use]
    pub fn form(&self, opcode: OpcodeId) -> Option<&InstructionForm> {
        self.forms.get(&opcode)
    }

    /// The form of that LLVM name.
    #[must_use]
    pub fn form_by_name(&self, name: &str) -> Option<&InstructionForm> {
        self.set.by_name(name).and_then(|opcode| self.form(opcode))
    }

    /// What keeps all behind it from being dispatched, if the machine has such a form.
    #[must_use]
    pub fn barrier(&self) -> Option<&InstructionForm> {
        self.form_by_name(self.isa.dispatch_barrier()?)
    }

    /// The form of that LLVM name that can stand beside a group: under its configuration, if
    /// it is one.
    #[must_use]
    pub fn form_beside(&self, name: &str, group: EncodingGroup) -> Option<&InstructionForm> {
        self.set.by_name_under(name, group.configuration()).and_then(|opcode| self.form(opcode))
    }

    /// All forms, in LLVM's order.
    pub fn forms(&self) -> impl Iterator<Item = &InstructionForm> {
        self.forms.values()
    }

    /// The registers of a class that kernels may use.
    #[must_use]
    pub fn allocatable(&self, class: ClassId) -> &[RegisterId] {
        self.allocatable.get(class.0 as usize).map_or(&[], Vec::as_slice)
    }

    /// The resource that a register belongs to.
    ///
    /// # Panics
    /// For "no register".
    #[must_use]
    pub fn resource(&self, register: RegisterId) -> ResourceId {
        let first = self.set.register(register).units[0];
        self.resources.get(&first).copied().unwrap_or(ResourceId(first.0))
    }

    /// One of the registers that a resource is made of, for those who read it.
    #[must_use]
    pub fn resource_name(&self, resource: ResourceId) -> String {
        if let Some(bits) = resource.0.checked_sub(CELLS) {
            return match bits.checked_sub(EIGHTHS) {
                Some(eighths) => format!("{eighths} eighths of a vector in memory"),
                None => format!("{bits} bits of memory"),
            };
        }
        let special = || (0..self.set.registers.len()).map(|id| RegisterId(id as u32));
        let ordinary = self.allocatable.iter().filter_map(|class| class.first().copied());
        let is_of_it = |&register: &RegisterId| {
            !self.set.register(register).units.is_empty() && self.resource(register) == resource
        };
        let register = ordinary.chain(special()).find(is_of_it);
        register.map_or_else(String::new, |register| self.set.register(register).name.clone())
    }

    /// The resource that a site of a form is on.
    #[must_use]
    pub fn resource_at(&self, form: &InstructionForm, site: Site) -> Option<ResourceId> {
        match site {
            Site::Memory if form.access_eighths > 0 => {
                Some(ResourceId(CELLS + EIGHTHS + form.access_eighths))
            }
            Site::Memory => Some(ResourceId(CELLS + form.access_bits)),
            Site::Implicit(register) => Some(self.resource(register)),
            Site::Operand(index) => {
                let first = *self.allocatable(form.class_of(index)?).first()?;
                Some(self.resource(first))
            }
        }
    }

    /// The widest register that contains a register: `RAX` for `AL`.
    #[must_use]
    pub fn whole(&self, register: RegisterId) -> RegisterId {
        let unit = self.set.register(register).units[0];
        self.set
            .registers
            .iter()
            .enumerate()
            .filter(|(_, other)| other.units.contains(&unit))
            .max_by_key(|(index, other)| (other.sub_registers.len(), std::cmp::Reverse(*index)))
            .map_or(register, |(index, _)| RegisterId(index as u32))
    }
}

/// Registers are one resource when an operand can be either of them, or when they overlap.
fn resources(
    set: &InstructionSet,
    classes: &HashSet<ClassId>,
    is_ordinary: impl Fn(RegisterId) -> bool,
) -> HashMap<UnitId, ResourceId> {
    let mut parent: HashMap<UnitId, UnitId> = HashMap::new();
    for register in &set.registers {
        join_all(&mut parent, register.units.iter().copied());
    }
    for &class in classes {
        let members = set.class(class).registers.iter();
        let ordinary = members.filter(|register| is_ordinary(**register));
        join_all(&mut parent, ordinary.filter_map(|r| set.register(*r).units.first().copied()));
    }
    let units: Vec<UnitId> = parent.keys().copied().collect();
    units.into_iter().map(|unit| (unit, ResourceId(root(&mut parent, unit).0))).collect()
}

fn root(parent: &mut HashMap<UnitId, UnitId>, unit: UnitId) -> UnitId {
    let above = *parent.entry(unit).or_insert(unit);
    if above == unit {
        return unit;
    }
    let top = root(parent, above);
    parent.insert(unit, top);
    top
}

/// The smallest unit becomes the root, so that a resource has the same name in every run.
fn join_all(parent: &mut HashMap<UnitId, UnitId>, units: impl Iterator<Item = UnitId>) {
    let mut first = None;
    for unit in units {
        let this = root(parent, unit);
        let other = *first.get_or_insert(this);
        let (low, high) = (this.min(other), this.max(other));
        parent.insert(high, low);
        first = Some(low);
    }
}
