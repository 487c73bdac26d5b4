//! Chains to measure for a form's edges.
//!
//! An edge that comes back to the resource where it starts is chained into itself; where
//! registers do not allow that (both ends are fixed and different), a transfer within the
//! resource helps. Any other edge needs helpers that lead back, two unlike ones where there
//! are. Forms whose duration depends on values have theirs restored in every pass.
//!
//! Chains are measured bare first, and padded where that may help ([`super::padding`]).

use rayon::prelude::*;

use super::Planner;
use super::dependence::DependenceTest;
use super::helpers::least_latency;
use crate::answer::Cause;
use crate::catalogue::{Catalogue, ResourceId};
use crate::experiment::Experiment;
use crate::form::{Edge, EncodingGroup, InstructionForm, Site};
use crate::isa::{OperandValues, Restored, Restorer};
use crate::kernel::{Chain, Link, Restoring, Style, ValueClass};
use crate::maps::Set;
use crate::study::throughput::one_register_chain;
use crate::units::Cycles;

/// Links in a chain's body: a cycle that the loop costs is then 2 % of the fastest chain.
const LINKS: u32 = 48;
/// Passes of a chain that goes through memory: a core that remembers which load found what which
/// store had written cannot remember so many (Zen 4: about 20).
const LEAST_CELLS: u32 = 32;
/// The same for chains with a form whose single execution takes microseconds.
const LINKS_IF_SLOW: u32 = 4;
/// Unlike ways back that an edge is measured with.
const WAYS_BACK: usize = 2;
/// Helpers that are tried for one step of a way back before it is given up.
const TRIED: usize = 8;
/// Helpers in a way back, at most: from a result in the x87 status word to an operand lead one to a
/// general register, one to a flag, one to the top of the stack and one to where the operand is.
const LONGEST_WAY: usize = 4;
/// The same as [`TRIED`] for ways of more than two helpers, which are many.
const TRIED_IF_LONG: usize = 4;
/// Ways of more than two helpers that are tried before an edge is given up.
const LONG_WAYS: usize = 64;
/// How an edge's latency is found.
#[derive(Debug, Clone, PartialEq)]
pub struct EdgePlan {
    /// The edge.
    pub edge: Edge,
    /// What to measure for it.
    pub route: Route,
    /// What shows whether it is a dependence, where its chain does not.
    pub test: Option<DependenceTest>,
}

/// What leads from an edge's target back to its source.
#[derive(Debug, Clone, PartialEq)]
pub enum Route {
    /// Walks of links that begin with the edge.
    Walks(Vec<Vec<Link>>),
    /// Nothing, for this reason.
    None(Cause),
}

impl Route {
    /// The link that is chained into itself and nothing else, if that is how an edge is found.
    pub(super) fn chained_link(&self) -> Option<&Link> {
        match self {
            Self::Walks(walks) => match walks.as_slice() {
                [walk] if walk.len() == 1 => walk.first(),
                _ => None,
            },
            Self::None(_) => None,
        }
    }
}

/// The two ends of a walk, between which helpers lead back.
struct WalkEnds {
    link: Link,
    /// Whether the edge begins in a part of an address.
    is_of_address: bool,
    restoring: Vec<Link>,
}

impl WalkEnds {
    /// How many unlike ways back the edge is measured with. One has to do for addresses: what a form
    /// does once it is loaded is known from its other edges.
    fn ways(&self) -> usize {
        if self.is_of_address { 1 } else { WAYS_BACK }
    }

    fn around(&self, helpers: &[&Link]) -> Vec<Link> {
        let helpers = helpers.iter().map(|&link| link.clone());
        std::iter::once(self.link.clone())
            .chain(helpers)
            .chain(self.restoring.iter().cloned())
            .collect()
    }
}

/// What brings a site's value back to what the form needs there.
pub(super) fn restorers(
    catalogue: &Catalogue,
    form: &InstructionForm,
    site: Site,
) -> &'static [Restorer] {
    let (isa, set) = (&catalogue.isa, &catalogue.set);
    match form.address_part(site) {
        Some(_) => isa.address_restorers(set, form, site),
        None => form
            .register_at(site, &form.sample)
            .map_or(&[][..], |register| isa.restorers(set, form, register)),
    }
}

/// What brings the value at a source back to what the form needs there, for addresses and forms whose
/// duration depends on it: the last steps of a walk.
#[must_use]
pub fn restoring(catalogue: &Catalogue, form: &InstructionForm, edge: Edge) -> Vec<Link> {
    let restorers = restorers(catalogue, form, edge.source);
    let steps = restorers.iter().filter_map(|restorer| {
        let helper = catalogue.form_beside(restorer.form, form.group)?;
        let (source, target) = helper.uses().nth(restorer.source).zip(helper.defs().next())?;
        let restoring = match restorer.other {
            Restored::Zero => Restoring::Clear,
            Restored::Value => Restoring::Set(edge.opcode, edge.source),
        };
        Some(Link {
            opcode: helper.opcode,
            source,
            target,
            immediate: None,
            restoring: Some(restoring),
        })
    });
    steps.collect()
}

impl Planner<'_> {
    /// What to ask now: first how fast the helpers are, and what needs none of them.
    pub(super) fn next(&self) -> Vec<Experiment> {
        let plans = self.plans();
        let first = self.chains_for_plans(&plans, false);
        let helpers = self.helper_chains();
        let basic: Vec<Chain> = first.into_iter().chain(helpers).collect();
        if !basic.iter().all(|chain| self.is_known(chain)) {
            let bodies = self.instances_of_subjects().into_iter();
            let others = self.one_register_chains().chain(bodies);
            return basic.into_iter().map(Experiment::Latency).chain(others).collect();
        }
        let chains = self.chains_for_plans(&plans, true);
        let detours = self.detour_chains(&plans);
        let relays = self.relays(&plans);
        chains.into_iter().chain(detours).map(Experiment::Latency).chain(relays).collect()
    }

    fn is_known(&self, chain: &Chain) -> bool {
        self.knowledge().of(&Experiment::Latency(chain.clone())).is_some()
    }

    /// Chains through one register at all operands, of forms that cores may treat specially.
    fn one_register_chains(&self) -> impl Iterator<Item = Experiment> {
        self.subjects()
            .filter(|form| self.catalogue.isa.may_be_idiom(form))
            .map(|form| Experiment::Throughput(one_register_chain(form)))
    }

    /// How every edge of every subject is to be found, given what is known of helpers so far.
    #[must_use]
    pub fn plans(&self) -> Vec<EdgePlan> {
        let helpers_known = self.helper_chains().iter().all(|chain| self.is_known(chain));
        let subjects = self.subjects().collect::<Vec<_>>().into_par_iter();
        let plan = |form, edge| {
            let route = self.route(form, edge, helpers_known);
            let test = helpers_known.then(|| self.test_of(form, edge, &route)).flatten();
            EdgePlan { edge, route, test }
        };
        subjects.flat_map_iter(|form| form.edges().map(move |edge| plan(form, edge))).collect()
    }

    /// All walks whose timings bear on the plans: theirs and those of the helpers in them.
    #[must_use]
    pub fn walks(&self, plans: &[EdgePlan]) -> Vec<Vec<Link>> {
        let mut out: Vec<Vec<Link>> = plans
            .iter()
            .flat_map(|plan| match &plan.route {
                Route::Walks(walks) => walks.clone(),
                Route::None(_) => Vec::new(),
            })
            .collect();
        out.extend(plans.iter().filter_map(|plan| Some(plan.test.as_ref()?.walk.clone())));
        out.extend(self.helper_walks());
        let mut seen = Set::default();
        out.retain(|walk| seen.insert(walk.clone()));
        out
    }

    fn test_of(&self, form: &InstructionForm, edge: Edge, route: &Route) -> Option<DependenceTest> {
        let resource = self.catalogue.resource_at(form, edge.source)?;
        self.dependence_test(route.chained_link()?, resource)
    }

    fn route(&self, form: &InstructionForm, edge: Edge, helpers_known: bool) -> Route {
        let catalogue = self.catalogue;
        if let Some(reason) = catalogue.isa.unchainable(&catalogue.set, form, edge.target) {
            return Route::None(Cause::InWords(reason.to_owned()));
        }
        let ends =
            catalogue.resource_at(form, edge.source).zip(catalogue.resource_at(form, edge.target));
        let Some((from, to)) = ends else {
            return Route::None(Cause::NoRegister);
        };
        let link = Link::over(edge);
        let is_of_address = form.address_part(edge.source).is_some();
        let restoring = restoring(catalogue, form, edge);
        let ends = WalkEnds { link, is_of_address, restoring };
        let direct = ends.around(&[]);
        if from == to && self.is_buildable(&direct) {
            return Route::Walks(vec![direct]);
        }
        if !helpers_known {
            return Route::Walks(Vec::new());
        }
        let walks = self.ways_back(form.group, &ends, to, from);
        if walks.is_empty() {
            return Route::None(self.why_no_way(&direct, form, edge, to, from));
        }
        Route::Walks(walks)
    }

    fn ways_back(
        &self,
        group: EncodingGroup,
        ends: &WalkEnds,
        to: ResourceId,
        from: ResourceId,
    ) -> Vec<Vec<Link>> {
        let buildable = |walk: &Vec<Link>| self.is_buildable(walk);
        let single = self.fastest(to, from, group);
        let single = single.iter().take(TRIED).map(|helper| ends.around(&[helper]));
        let out = self.asked_first(single, buildable, ends.ways());
        if !out.is_empty() {
            return out;
        }
        let mut pairs = Vec::new();
        for middle in self.helpers().reachable(to) {
            let first = self.fastest(to, middle, group);
            let second = self.fastest(middle, from, group);
            for one in first.iter().take(TRIED) {
                pairs.extend(second.iter().take(TRIED).map(|two| ends.around(&[one, two])));
            }
        }
        let out = self.asked_first(pairs.into_iter(), buildable, ends.ways());
        if out.is_empty() { self.long_way_back(group, ends, to, from) } else { out }
    }

    /// A way of more than two helpers, where no two lead back at all: what shorter ways lead back but
    /// registers forbid, longer ones do not make good. One: where a second disagreed it could be any
    /// of its helpers that differs beside others (the x87 status word is read by microcode), and
    /// the edges of all of them would be doubted.
    fn long_way_back(
        &self,
        group: EncodingGroup,
        ends: &WalkEnds,
        to: ResourceId,
        from: ResourceId,
    ) -> Vec<Vec<Link>> {
        let paths = self.helpers().shortest_paths(to, from, 3..=LONGEST_WAY);
        let ways = paths.into_iter().flat_map(|path| self.ways_along(&path, group));
        let walks = ways.take(LONG_WAYS).map(|way| ends.around(&way.iter().collect::<Vec<_>>()));
        let walks: Vec<Vec<Link>> = walks.collect();
        self.asked_first(walks.into_iter(), |walk| self.is_buildable(walk), 1)
    }

    /// Helpers from each resource of a path to the next, in all combinations of the fastest.
    fn ways_along(&self, path: &[ResourceId], group: EncodingGroup) -> Vec<Vec<Link>> {
        let mut ways = vec![Vec::new()];
        for step in path.windows(2) {
            let helpers = self.fastest(step[0], step[1], group);
            let fastest = &helpers[..helpers.len().min(TRIED_IF_LONG)];
            let on = |way: &Vec<Link>| -> Vec<Vec<Link>> {
                fastest
                    .iter()
                    .map(|next| [way.as_slice(), std::slice::from_ref(next)].concat())
                    .collect()
            };
            ways = ways.iter().flat_map(on).collect();
        }
        ways
    }

    fn why_no_way(
        &self,
        direct: &[Link],
        form: &InstructionForm,
        edge: Edge,
        to: ResourceId,
        from: ResourceId,
    ) -> Cause {
        let direct = Chain {
            links: direct.to_vec(),
            style: Style::Same,
            fillers: 0,
            least_links: 1,
            values: ValueClass::default(),
        };
        match direct.build(self.catalogue) {
            Err(error) if to == from => Cause::InWords(error.to_string()),
            _ => Cause::NoWayBack {
                target: edge.target.named(form, &self.catalogue.set),
                source: edge.source.named(form, &self.catalogue.set),
            },
        }
    }

    /// Walks that show how fast the helpers are.
    fn helper_walks(&self) -> Vec<Vec<Link>> {
        let trips = self
            .helpers()
            .round_trips()
            .map(|(there, back)| vec![there.link.clone(), back.link.clone()]);
        let own = self.helpers().all().filter(|helper| helper.from == helper.to);
        trips
            .chain(own.map(|helper| vec![helper.link.clone()]))
            .chain(self.staying_links().map(|link| vec![link]))
            .chain(self.restorer_walks())
            .collect()
    }

    /// The steps that restore values, chained into themselves.
    fn restorer_walks(&self) -> Vec<Vec<Link>> {
        let subjects = self.subjects();
        let mut out: Vec<Vec<Link>> = subjects
            .flat_map(|form| {
                form.edges().flat_map(move |edge| restoring(self.catalogue, form, edge))
            })
            .map(|link| vec![Link { restoring: None, ..link }])
            .collect();
        out.sort();
        out.dedup();
        out
    }

    fn helper_chains(&self) -> Vec<Chain> {
        self.helper_walks().iter().flat_map(|walk| self.chains_of(walk)).collect()
    }

    pub(super) fn is_buildable(&self, walk: &[Link]) -> bool {
        !self.chains_of(walk).is_empty()
    }

    /// The bare chains of a walk: through one register if that works, else rotating; both where
    /// there are cores on which the first is the slower.
    pub(super) fn chains_of(&self, walk: &[Link]) -> Vec<Chain> {
        let slow = walk.iter().any(|link| self.known.is_slow(link.opcode));
        let least_links = match walk.iter().any(Link::passes_memory) {
            _ if slow => LINKS_IF_SLOW,
            true => LEAST_CELLS * walk.len() as u32,
            false => LINKS,
        };
        let mut forms = walk.iter().filter_map(|link| self.catalogue.form(link.opcode));
        let may_stall = |form| self.catalogue.isa.may_stall_on_rewrite(&self.catalogue.set, form);
        let styles = if forms.any(may_stall) { 2 } else { 1 };
        [Style::Same, Style::Rotating]
            .into_iter()
            .map(|style| Chain {
                links: walk.to_vec(),
                style,
                fillers: 0,
                least_links,
                values: ValueClass::default(),
            })
            .filter(|chain| self.can_build(chain))
            .take(styles)
            .collect()
    }

    fn chains_for_plans(&self, plans: &[EdgePlan], padded: bool) -> Vec<Chain> {
        let walks = if padded {
            self.walks(plans)
        } else {
            plans
                .iter()
                .flat_map(|plan| match &plan.route {
                    Route::Walks(walks) => walks.clone(),
                    Route::None(_) => Vec::new(),
                })
                .collect()
        };
        let renamed = plans.iter().filter_map(|plan| self.same_address(plan));
        let renamed: Vec<Chain> = renamed.collect();
        let bare = walks.par_iter().flat_map_iter(|walk| self.chains_of(walk));
        let classes = plans.par_iter().flat_map_iter(|plan| self.class_chains(plan));
        let bare: Vec<Chain> = bare.collect();
        let mut out = if padded { self.padded(&bare) } else { bare };
        out.extend(classes.map(|(_, chain)| chain).collect::<Vec<_>>());
        let of_immediates = plans.par_iter().filter_map(|plan| self.immediate_chains(plan));
        let of_immediates = of_immediates.flat_map_iter(|(_, others)| others);
        out.extend(of_immediates.map(|(_, chain)| chain).collect::<Vec<_>>());
        out.extend(renamed);
        out
    }

    /// The chain of an edge that begins or ends in memory, in which what was written is read at the
    /// same address.
    #[must_use]
    pub fn same_address(&self, plan: &EdgePlan) -> Option<Chain> {
        let Route::Walks(walks) = &plan.route else { return None };
        let walk = walks.first().filter(|_| Link::over(plan.edge).passes_memory())?;
        let bare = self.chains_of(walk).into_iter().next()?;
        let same = Chain { style: Style::SameAddress, ..bare };
        self.can_build(&same).then_some(same)
    }

    /// The chain of an edge in every class of values, the headline's first, for forms to which
    /// values matter: their differences are those of the form, for all else is equal. None where
    /// nothing restores the values: a link then finds what the one before it made of them.
    #[must_use]
    pub fn class_chains(&self, plan: &EdgePlan) -> Vec<(OperandValues, Chain)> {
        let Route::Walks(walks) = &plan.route else { return Vec::new() };
        let Some(form) = self.catalogue.form(plan.edge.opcode) else { return Vec::new() };
        let classes = self.catalogue.isa.value_classes(&self.catalogue.set, form);
        let restored =
            walks.first().filter(|walk| walk.iter().any(|link| link.restoring.is_some()));
        let chain = restored.and_then(|walk| self.chains_of(walk).into_iter().next());
        let in_class = |chain: Chain| {
            let all = classes.iter().enumerate();
            all.map(|(class, &values)| {
                (values, Chain { values: ValueClass(class), ..chain.clone() })
            })
            .collect()
        };
        chain.map(in_class).unwrap_or_default()
    }

    /// The chain of an edge between operands as it is, and with each value of an immediate under which the form
    /// may be slower, with what that is called. (Zen 4's `LEA64r` takes a cycle from its base and its index, and
    /// two from its base if a displacement is added.)
    #[must_use]
    pub fn immediate_chains(&self, plan: &EdgePlan) -> Option<(Chain, Vec<(String, Chain)>)> {
        let Route::Walks(walks) = &plan.route else { return None };
        let is_of_operands = |site| matches!(site, Site::Operand(_));
        let Edge { opcode, source, target } = plan.edge;
        let form = self.catalogue.form(opcode)?;
        let variants = self.catalogue.isa.variants(&self.catalogue.set, form);
        if variants.is_empty() || !is_of_operands(source) || !is_of_operands(target) {
            return None;
        }
        let plain = self.chains_of(walks.first()?).into_iter().next()?;
        let with = |(operand, value, name)| {
            let mut chain = plain.clone();
            chain.links.first_mut()?.immediate = Some((operand, value));
            self.can_build(&chain).then_some((name, chain))
        };
        let others = variants.into_iter().filter_map(with).collect();
        Some((plain, others))
    }

    /// The least that a link can take.
    #[must_use]
    pub fn least_of(&self, link: &Link) -> Cycles {
        let form = self.catalogue.form(link.opcode);
        Cycles(form.map_or(1.0, |form| least_latency(self.catalogue, form, link)))
    }
}
