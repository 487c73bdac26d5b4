//! Chains with fillers between their links, and other chains that show what holds a bare one up.
//!
//! A chain fills the scheduler with waiting links, and a full scheduler may cost a cycle (Zen 5's
//! does). Fillers for `b - 1` cycles of dispatch in each pass of `b` cycles keep it from filling
//! if the true duration is below `b`, and cost nothing if it is not.
//!
//! A bare pass of whole cycles is hardly ever held up: of 22,000 such chains of a full run were 1 %
//! faster with fillers, and those stood together: masked `vunpck*` that merge on Zen 4, say. So a few
//! of each group of like chains are padded, and the others where that helped. (Of 14,484 padded chains
//! of a Zen 4's registers that leaves 5,595; 172 were faster by [`SATURATION`] or more, and the groups
//! miss four of them, none faster by more than 0.33 cycles.)

use super::Planner;
use crate::experiment::Experiment;
use crate::form::Site;
use crate::infer::whole;
use crate::kernel::{Chain, Link, Style, ValueClass};
use crate::maps::Map;
use crate::units::Cycles;

/// A pass longer than this many cycles is not padded: a cycle of the scheduler is little in it,
/// and the fillers would be hundreds.
const LONGEST_PADDED: f64 = 12.0;
/// A padded chain that is faster by this much shows that the bare one was saturated. (A scheduler
/// that is full makes a link wait for a cycle, in half of all passes at least; seen on Zen 4.)
pub(super) const SATURATION: f64 = 0.3;
/// A link that takes fewer cycles than this may take one less when the scheduler is not full.
pub(super) const FEW_CYCLES: f64 = 2.5;
/// Paddings that are tried one after the other.
const PADDINGS: usize = 4;

/// Chains of a group that are padded whatever comes of it: its first, its last, and one in between.
const REPRESENTATIVES: usize = 3;

/// What chains have in common that fillers help or do not help alike: all but the form that they are
/// about, of which the number of its operands counts. (A form that merges with what its destination
/// holds waits in the scheduler for one operand more.)
#[derive(PartialEq, Eq, Hash)]
struct ChainGroup<'c> {
    way_back: &'c [Link],
    style: Style,
    values: ValueClass,
    pass: u64,
    is_from_memory: bool,
    uses: usize,
    defs: usize,
}

impl Planner<'_> {
    /// What to measure beside bare chains, and they themselves.
    pub(super) fn padded(&self, bare: &[Chain]) -> Vec<Chain> {
        let spared = self.spared(bare);
        let all = bare.iter().zip(spared);
        let chains = |(chain, spared): (&Chain, bool)| {
            if spared { self.unpadded(chain) } else { self.paddings(chain) }
        };
        all.flat_map(chains).collect()
    }

    /// Which chains need no padding, as it did not help others like them.
    fn spared(&self, bare: &[Chain]) -> Vec<bool> {
        let mut groups: Map<ChainGroup<'_>, Vec<usize>> = Map::default();
        for (index, chain) in bare.iter().enumerate() {
            if let Some(group) = self.group(chain) {
                groups.entry(group).or_default().push(index);
            }
        }
        let mut out = vec![false; bare.len()];
        for members in groups.values() {
            if members.iter().any(|&index| self.was_helped(&bare[index])) {
                continue;
            }
            for position in 0..members.len() {
                out[members[position]] = !is_representative(position, members.len());
            }
        }
        out
    }

    /// The group of a chain, if others may speak for it: its pass takes whole cycles, so many that a
    /// full scheduler is not likely.
    fn group<'c>(&self, bare: &'c Chain) -> Option<ChainGroup<'c>> {
        let pass = self.pass_of(bare)?;
        let (first, way_back) = bare.links.split_first()?;
        let is_likely_full = pass < FEW_CYCLES * bare.links.len() as f64;
        if is_likely_full || whole::distance(Cycles(pass)) > whole::HELD_UP {
            return None;
        }
        let form = self.catalogue.form(first.opcode)?;
        Some(ChainGroup {
            way_back,
            style: bare.style,
            values: bare.values,
            pass: pass.round() as u64,
            is_from_memory: first.source == Site::Memory,
            uses: form.uses().count(),
            defs: form.defs().count(),
        })
    }

    /// Whether fillers made a chain faster.
    fn was_helped(&self, bare: &Chain) -> bool {
        let Some(unpadded) = self.pass_of(bare) else { return false };
        let mut padded = self.paddings(bare).into_iter().filter(|chain| chain.fillers > 0);
        padded.any(|chain| self.pass_of(&chain).is_some_and(|pass| pass < unpadded - SATURATION))
    }

    fn pass_of(&self, chain: &Chain) -> Option<f64> {
        let timing = self.knowledge().timing(&Experiment::Latency(chain.clone()));
        timing.map(|timing| timing.each().0)
    }

    /// A bare chain and what may show it to be held up by something else than a full scheduler.
    fn unpadded(&self, bare: &Chain) -> Vec<Chain> {
        let others = self.pass_of(bare).map(|pass| self.beside(bare, pass));
        std::iter::once(bare.clone()).chain(others.into_iter().flatten()).collect()
    }

    /// The bare chain and its paddings, as far as what is known asks for them: first half of the
    /// fillers that there is room for, because they take more room beside links than alone on some
    /// cores; all of them where that helped, where the links take so few cycles that a full
    /// scheduler is likely, or where the chain does not take whole cycles, as one that is now and
    /// then held up.
    pub(super) fn paddings(&self, bare: &Chain) -> Vec<Chain> {
        let mut out = vec![bare.clone()];
        let least = self.least(bare);
        let Some(unpadded) = self.pass_of(bare) else { return out };
        let mut fastest = unpadded;
        while out.len() <= PADDINGS && fastest > least + SATURATION && fastest < LONGEST_PADDED {
            let room = self.fillers(fastest, bare.links.len());
            let is_held_up = fastest < unpadded - SATURATION
                || whole::distance(Cycles(fastest)) > whole::HELD_UP
                || fastest < FEW_CYCLES * bare.links.len() as f64;
            let all = is_held_up.then_some(room);
            let next = std::iter::once(room / 2)
                .chain(all)
                .find(|&fillers| out.iter().all(|chain| chain.fillers != fillers));
            let Some(fillers) = next else { break };
            let chain = Chain { fillers, ..bare.clone() };
            let known = self.pass_of(&chain);
            out.push(chain);
            let Some(padded) = known else { break };
            fastest = fastest.min(padded);
        }
        out.extend(self.beside(bare, fastest));
        out
    }

    /// Chains in which something else than fillers may make a pass faster.
    fn beside(&self, bare: &Chain, fastest: f64) -> impl Iterator<Item = Chain> {
        let tied = self.beside_tied(bare, fastest);
        tied.into_iter().chain(self.crossed(bare, fastest, self.least(bare)))
    }

    /// The chain without breakers, where they may be what makes it slow: whatever crosses a chain
    /// only adds to it, so that this, too, shows no less than the walk takes.
    fn crossed(&self, bare: &Chain, fastest: f64, least: f64) -> Option<Chain> {
        let may_help = bare.style == Style::Same && fastest > least + SATURATION;
        (may_help && self.is_broken(bare)).then(|| Chain { style: Style::Crossed, ..bare.clone() })
    }

    /// The chain of an edge beside a tied operand through one register for both, where by itself
    /// the edge seems slower than that operand: Zen 4 executes `VPANDQZ256rrk` in one cycle if what
    /// it merges with is as new as its sources, and in two if that is older.
    fn beside_tied(&self, bare: &Chain, fastest: f64) -> Option<Chain> {
        let ([link], Style::Rotating) = (&bare.links[..], bare.style) else { return None };
        let form = self.catalogue.form(link.opcode)?;
        let tied = form.uses().find(|&site| site != link.source && form.ties(site, link.target))?;
        // With one register at all operands it might be an idiom.
        let isa = &self.catalogue.isa;
        let has_more = form.uses().any(|site| site != link.source && site != tied);
        if !has_more || isa.may_be_idiom(form) || isa.least_latency(form) < 1.0 {
            return None;
        }
        let tied = Link { source: tied, ..link.clone() };
        let tied = Chain { links: vec![tied], style: Style::Same, ..bare.clone() };
        let known = self.knowledge().timing(&Experiment::Latency(tied))?;
        let both = Chain { style: Style::Tied, ..bare.clone() };
        (fastest > known.each().0 + SATURATION && self.can_build(&both)).then_some(both)
    }

    /// Fillers per link that take a cycle less to dispatch than the pass takes.
    fn fillers(&self, pass: f64, links: usize) -> u32 {
        let slots = (pass.round() - 1.0) / self.known.front_end.filler.0;
        ((slots / links as f64).floor() - 1.0).max(0.0) as u32
    }

    /// What a pass takes at the very least.
    fn least(&self, chain: &Chain) -> f64 {
        chain.links.iter().map(|link| self.least_of(link).0).sum()
    }
}

/// Whether a member of a group, by its position, is one of those that speak for it.
fn is_representative(position: usize, members: usize) -> bool {
    (0..REPRESENTATIVES).any(|nth| position == nth * (members - 1) / (REPRESENTATIVES - 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ends_and_the_middle_speak_for_a_group() {
        let speakers = |members| {
            let all = (0..members).filter(|&position| is_representative(position, members));
            all.collect::<Vec<_>>()
        };
        assert_eq!(speakers(1), [0]);
        assert_eq!(speakers(2), [0, 1]);
        assert_eq!(speakers(3), [0, 1, 2]);
        assert_eq!(speakers(100), [0, 49, 99]);
    }
}
