//! Helpers: links that lead from one resource to another, for edges that do not come back to
//! where they start.
//!
//! Candidates are the simplest executable forms between two resources. Which of them are the
//! fastest is found out by measuring them in pairs, there and back.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;
use std::sync::{Arc, PoisonError};

use super::Planner;
use super::plans::restorers;
use crate::catalogue::{Catalogue, ResourceId};
use crate::experiment::Experiment;
use crate::form::{Edge, EncodingGroup, InstructionForm, MemoryAccess, Part, Role, Site};
use crate::kernel::Link;
use crate::metadata::{Instruction, OpcodeId};

/// Candidates between two resources in one encoding group: more would only repeat them.
const CANDIDATES: usize = 6;

/// A form's edge that may serve as a step between resources.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct HelperEdge {
    /// The step.
    pub link: Link,
    /// Where it starts.
    pub from: ResourceId,
    /// Where it leads.
    pub to: ResourceId,
    /// Its vector encodings.
    pub group: EncodingGroup,
    /// How much besides the edge the form does: the less the better.
    baggage: Baggage,
    /// What tells it from others.
    kind: HelperKind,
}

/// Of helpers of one kind between two resources the simplest does.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct HelperKind {
    /// Flags read where it starts.
    flags_read: Vec<Part>,
    /// Flags written where it leads.
    flags_written: Vec<Part>,
    /// Bits of the registers at its ends.
    widths: (u32, u32),
    /// Whether a core may eliminate it.
    may_vanish: bool,
}

/// All helpers of a machine by where they start and lead.
#[derive(Debug, Default)]
pub(super) struct Helpers {
    between: BTreeMap<(ResourceId, ResourceId), Vec<HelperEdge>>,
}

impl Helpers {
    /// The simplest ones of each kind, no more than `most` between two resources in a group;
    /// of those under a configuration only such as have a subject's, and of those of the deprecated
    /// floating-point unit, whose registers nothing else touches, only if a subject is one.
    fn of(catalogue: &Catalogue, subjects: &[OpcodeId], most: usize) -> Self {
        let subjects = || subjects.iter().filter_map(|&opcode| catalogue.form(opcode));
        let groups: BTreeSet<EncodingGroup> = subjects().map(|form| form.group).collect();
        let is_deprecated =
            |form: &InstructionForm| catalogue.isa.is_deprecated_floating_point(form);
        let has_deprecated = subjects().any(is_deprecated);
        let of_use = |form: &&InstructionForm| {
            (form.group.configuration().is_none() || groups.contains(&form.group))
                && (has_deprecated || !is_deprecated(form))
        };
        let mut all: BTreeMap<_, Vec<HelperEdge>> = BTreeMap::new();
        for form in catalogue.forms().filter(of_use) {
            for helper in helpers_of(catalogue, form) {
                all.entry((helper.from, helper.to)).or_default().push(helper);
            }
        }
        all.values_mut().for_each(|helpers| keep_simplest(helpers, most));
        Self { between: all }
    }

    /// Steps from one resource to another that can stand beside a group of encodings.
    pub fn between(
        &self,
        from: ResourceId,
        to: ResourceId,
        group: EncodingGroup,
    ) -> impl Iterator<Item = &HelperEdge> {
        let all = self.between.get(&(from, to)).map_or(&[][..], Vec::as_slice);
        all.iter().filter(move |helper| helper.group.with(group).is_some())
    }

    /// All of them.
    pub fn all(&self) -> impl Iterator<Item = &HelperEdge> {
        self.between.values().flatten()
    }

    /// Resources that can be reached from one in one step.
    pub fn reachable(&self, from: ResourceId) -> impl Iterator<Item = ResourceId> {
        self.between.keys().filter(move |(start, _)| *start == from).map(|&(_, to)| to)
    }

    /// The resources on the shortest ways from one to another, both ends among them, if those ways
    /// take one of these numbers of steps.
    pub fn shortest_paths(
        &self,
        from: ResourceId,
        to: ResourceId,
        steps: RangeInclusive<usize>,
    ) -> Vec<Vec<ResourceId>> {
        let distances = self.distances(to);
        let Some(length) = distances.get(&from).filter(|length| steps.contains(length)) else {
            return Vec::new();
        };
        let mut paths = vec![vec![from]];
        for left in (0..*length).rev() {
            let longer = |path: &Vec<ResourceId>| -> Vec<Vec<ResourceId>> {
                let next = self.reachable(path[path.len() - 1]);
                let nearer = next.filter(|next| distances.get(next) == Some(&left));
                nearer.map(|next| [path.as_slice(), &[next]].concat()).collect()
            };
            paths = paths.iter().flat_map(longer).collect();
        }
        paths
    }

    /// In how many steps each resource that leads to one does.
    fn distances(&self, to: ResourceId) -> BTreeMap<ResourceId, usize> {
        let mut distances = BTreeMap::from([(to, 0)]);
        for distance in 1.. {
            let before: Vec<ResourceId> = self
                .between
                .keys()
                .filter(|(start, end)| {
                    !distances.contains_key(start) && distances.get(end) == Some(&(distance - 1))
                })
                .map(|&(start, _)| start)
                .collect();
            if before.is_empty() {
                break;
            }
            distances.extend(before.into_iter().map(|start| (start, distance)));
        }
        distances
    }

    /// Every pair of helpers that leads there and back between different resources.
    pub fn round_trips(&self) -> impl Iterator<Item = (&HelperEdge, &HelperEdge)> {
        self.between.iter().filter(|((from, to), _)| from < to).flat_map(
            move |(&(from, to), there)| {
                there.iter().flat_map(move |first| {
                    self.between(to, from, first.group).map(move |second| (first, second))
                })
            },
        )
    }
}

/// The first of each kind, and no more than are useful.
fn keep_simplest(helpers: &mut Vec<HelperEdge>, most: usize) {
    helpers.sort_by_key(|helper| helper.baggage);
    let mut kinds = BTreeSet::new();
    let mut of_group: BTreeMap<EncodingGroup, usize> = BTreeMap::new();
    helpers.retain(|helper| {
        let count = of_group.entry(helper.group).or_default();
        let keep = *count < most && kinds.insert((helper.group, helper.kind.clone()));
        *count += usize::from(keep);
        keep
    });
}

fn helpers_of(catalogue: &Catalogue, form: &InstructionForm) -> Vec<HelperEdge> {
    // (What needs low memory would move all who share a kernel with it there.)
    if form.twin.is_some() || form.origin.is_low() || !catalogue.isa.may_help(form) {
        return Vec::new();
    }
    // Of what accesses memory, only what moves a value there or back.
    let fits = |edge: &Edge| match form.memory {
        MemoryAccess::None => true,
        MemoryAccess::Load => edge.source == Site::Memory,
        MemoryAccess::Store => {
            edge.target == Site::Memory && form.address_part(edge.source).is_none()
        }
        MemoryAccess::Both => false,
    };
    let mut out = Vec::new();
    for edge in form.edges().filter(fits) {
        out.extend(helper(catalogue, form, edge, None));
        let conditional =
            matches!(edge.source, Site::Implicit(_)) || matches!(edge.target, Site::Implicit(_));
        if conditional {
            for (operand, value, _) in catalogue.isa.variants(&catalogue.set, form) {
                out.extend(helper(catalogue, form, edge, Some((operand, value))));
            }
        }
    }
    out
}

fn helper(
    catalogue: &Catalogue,
    form: &InstructionForm,
    edge: Edge,
    immediate: Option<(usize, i64)>,
) -> Option<HelperEdge> {
    let from = catalogue.resource_at(form, edge.source)?;
    let to = catalogue.resource_at(form, edge.target)?;
    let value_dependent = !restorers(catalogue, form, edge.source).is_empty();
    let eliminable = from == to && catalogue.isa.least_latency(form) < 1.0;
    // (`LDMXCSR` faults on what others store.)
    let is_particular = edge.source == Site::Memory
        && catalogue.isa.required_value(&catalogue.set, form, Site::Memory).is_some();
    if value_dependent
        || is_particular
        || eliminable
        || !form.spent.is_empty()
        || catalogue.isa.unchainable(&catalogue.set, form, edge.target).is_some()
    {
        return None;
    }
    // Between equal resources only what reads nothing else there can move a value on.
    let tied = form.tied(edge.source).is_some();
    if from == to && (tied || form.uses().count() > 1 || !form.implicit_uses.is_empty()) {
        return None;
    }
    let link = Link {
        opcode: form.opcode,
        source: edge.source,
        target: edge.target,
        immediate,
        restoring: None,
    };
    Some(HelperEdge {
        from,
        to,
        group: form.group,
        baggage: baggage(catalogue, form, &link),
        kind: kind(catalogue, form, &link),
        link,
    })
}

/// What a form does besides an edge, as [`baggage`] counts it.
type Baggage = (bool, usize, usize);

/// Through memory plain moves have the least: what compresses a vector on its way has no more operands.
/// Shorter encodings are older: more CPUs have them.
fn baggage(catalogue: &Catalogue, form: &InstructionForm, link: &Link) -> Baggage {
    let moves = catalogue.isa.plain_moves();
    let is_odd = link.passes_memory() && !moves.iter().any(|known| known.is(form));
    let other_sites = form.uses().filter(|&site| site != link.source).count()
        + form.defs().filter(|&site| site != link.target).count();
    let implicit = form.implicit_uses.len() + form.implicit_defs.len();
    let immediates = form.operands.len() - form.uses().count().min(form.operands.len());
    let tied = form.operands.iter().filter(|operand| operand.tied_to.is_some()).count();
    (is_odd, 8 * other_sites + 2 * implicit + 4 * tied + immediates, form.length)
}

fn kind(catalogue: &Catalogue, form: &InstructionForm, link: &Link) -> HelperKind {
    let mut instance: Instruction = form.sample.clone();
    if let Some((operand, value)) = link.immediate {
        instance.operands[operand] = crate::metadata::OperandValue::Immediate(value);
    }
    let flags = |site: Site, role| match site {
        Site::Implicit(register) => {
            let mut parts = catalogue.isa.parts(&catalogue.set, form, &instance, register, role);
            parts.retain(|part| matches!(part, Part::Flag(_)));
            parts
        }
        Site::Operand(_) | Site::Memory => Vec::new(),
    };
    let width = |site: Site| match site {
        Site::Operand(index) => {
            form.class_of(index).map_or(0, |class| catalogue.set.class(class).bits)
        }
        Site::Implicit(_) | Site::Memory => 0,
    };
    HelperKind {
        flags_read: flags(link.source, Role::Use),
        flags_written: flags(link.target, Role::Def),
        widths: (width(link.source), width(link.target)),
        may_vanish: least_latency(catalogue, form, link) < 1.0,
    }
}

/// The least cycles that a link can take: none, if the core may eliminate a move within a resource,
/// or between registers that an operand could both be but for what kernels keep (the top of the
/// x87 stack).
pub(super) fn least_latency(catalogue: &Catalogue, form: &InstructionForm, link: &Link) -> f64 {
    let at = |site| catalogue.resource_at(form, site);
    let names = |operand: Site, other: Site| {
        let (Site::Operand(index), Site::Implicit(register)) = (operand, other) else {
            return false;
        };
        let class = form.class_of(index).map(|class| catalogue.set.class(class));
        class.is_some_and(|class| class.registers.contains(&register))
    };
    // What is passed on through memory may be found without accessing it.
    if link.passes_memory() {
        return 0.0;
    }
    let within = at(link.source) == at(link.target)
        || names(link.source, link.target)
        || names(link.target, link.source);
    if within { catalogue.isa.least_latency(form) } else { 1.0 }
}

/// Candidates that are found out about when single forms are asked for: some of the simplest
/// may not execute here.
const SURVEYED: usize = 4 * CANDIDATES;

/// The forms that measuring the subjects may need, themselves included.
#[must_use]
pub fn relevant_forms<'a>(
    catalogue: &'a Catalogue,
    subjects: &[OpcodeId],
) -> Vec<&'a InstructionForm> {
    let mut opcodes: BTreeSet<OpcodeId> = subjects.iter().copied().collect();
    opcodes
        .extend(Helpers::of(catalogue, subjects, SURVEYED).all().map(|helper| helper.link.opcode));
    let in_walks: Vec<&InstructionForm> =
        opcodes.iter().filter_map(|&opcode| catalogue.form(opcode)).collect();
    for form in in_walks {
        let registers = form.implicit_uses.iter();
        let pairs =
            registers.filter_map(|&register| catalogue.isa.breaking_pair(&catalogue.set, register));
        let names = pairs.flat_map(|pair| [pair.push, pair.pop]);
        let forms = names.filter_map(|name| catalogue.form_beside(name, form.group));
        opcodes.extend(forms.map(|form| form.opcode));
    }
    let isa = &catalogue.isa;
    let simplest = isa.simplest_forms().iter().filter_map(|name| catalogue.form_by_name(name));
    let staying = isa.single_cycle_forms().iter().filter_map(|name| catalogue.form_by_name(name));
    opcodes.extend(simplest.chain(staying).chain(catalogue.barrier()).map(|form| form.opcode));
    for form in subjects.iter().filter_map(|&opcode| catalogue.form(opcode)) {
        let companions = isa.companions(form);
        let mut names: Vec<&'static str> =
            companions.before.into_iter().chain(companions.after).collect();
        names.extend(isa.reserving(form));
        names.extend(isa.leading(form));
        for site in form.uses().chain(form.defs()) {
            let Some(register) = form.register_at(site, &form.sample) else { continue };
            names.extend(isa.breakers(&catalogue.set, register));
            names.extend(restorers(catalogue, form, site).iter().map(|restorer| restorer.form));
        }
        let beside = names.iter().filter_map(|name| catalogue.form_beside(name, form.group));
        opcodes.extend(beside.map(|form| form.opcode));
    }
    opcodes.into_iter().filter_map(|opcode| catalogue.form(opcode)).collect()
}

/// Round trips that differ by less than this, in cycles, are equally fast.
const STEP: f64 = 0.5;

fn in_steps(cycles: f64) -> f64 {
    (cycles / STEP).round()
}

/// From where, to where, and beside which encodings.
pub(super) type Way = (ResourceId, ResourceId, EncodingGroup);

/// Helpers for a way, the fastest first.
pub(super) type Ranking = Arc<[Link]>;

impl Planner<'_> {
    pub(super) fn helpers(&self) -> &Helpers {
        let find = || Helpers::of(self.catalogue, self.study.subjects, CANDIDATES);
        self.study.helpers.get_or_init(find)
    }

    /// Helpers from one resource to another, the fastest first. It says something once the bare
    /// timings of all helpers are known.
    pub(super) fn fastest(
        &self,
        from: ResourceId,
        to: ResourceId,
        group: EncodingGroup,
    ) -> Ranking {
        let key = (from, to, group);
        let all = &self.ranking;
        if let Some(known) = all.read().unwrap_or_else(PoisonError::into_inner).get(&key) {
            return Arc::clone(known);
        }
        // Equal ones stay in their order, the simplest first, so that every run takes the same.
        let mut helpers: Vec<(f64, &HelperEdge)> = self
            .helpers()
            .between(from, to, group)
            .map(|helper| (in_steps(self.fastest_round_trip(helper)), helper))
            .collect();
        helpers.sort_by(|(a, _), (b, _)| a.total_cmp(b));
        let ranked: Ranking = helpers.into_iter().map(|(_, helper)| helper.link.clone()).collect();
        let mut all = all.write().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(all.entry(key).or_insert(ranked))
    }

    /// Cycles of the fastest known bare loop through a helper; infinite when there is none.
    fn fastest_round_trip(&self, helper: &HelperEdge) -> f64 {
        let bare = |links: &[Link]| {
            let chains = self.chains_of(links).into_iter();
            let timings =
                chains.filter_map(|chain| self.knowledge().timing(&Experiment::Latency(chain)));
            timings.map(|timing| timing.each().0).fold(f64::INFINITY, f64::min)
        };
        if helper.from == helper.to {
            return bare(std::slice::from_ref(&helper.link));
        }
        self.helpers()
            .between(helper.to, helper.from, helper.group)
            .map(|back| bare(&[helper.link.clone(), back.link.clone()]))
            .fold(f64::INFINITY, f64::min)
    }
}
