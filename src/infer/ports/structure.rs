//! The smallest set of ports on which sets of known sizes have unions of known sizes.
//!
//! **Givens.** Classes of forms of one micro-operation; how many ports each can go to; how many two of
//! them can go to together, within bounds. **Unknown.** The sets, up to the names of the ports: how many
//! ports there are that belong to exactly these and those classes. **Constraint.** Of all solutions
//! those with the fewest ports; all of them, as long as they are few.
//!
//! Ports that belong to the same classes cannot be told apart, so they are a *cell* with a size. Classes
//! are added one at a time: of each cell some ports become members, and the rest of the class is new
//! ports. The bounds on unions are bounds on how many members the two have in common.

use super::Ports;

/// Sizes of the sets that are looked for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sizes {
    /// Of each class.
    pub widths: Vec<u32>,
    /// The least and the most that two classes (the first, the second) have together.
    pub unions: Vec<(usize, usize, u32, u32)>,
}

/// What sets there may be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Structures {
    /// For each smallest solution the ports of each class.
    pub all: Vec<Vec<Ports>>,
    /// Whether these are all: the search was not broken off.
    pub is_complete: bool,
}

/// Places that the search looks at before it is broken off.
const MOST_STEPS: u64 = 2_000_000;
/// Solutions that are kept.
const MOST_SOLUTIONS: usize = 64;

/// All smallest structures; none when the sizes contradict each other.
#[must_use]
pub fn smallest(sizes: &Sizes) -> Structures {
    let least = sizes.widths.iter().copied().max().unwrap_or(0);
    let least = sizes.unions.iter().map(|&(_, _, union, _)| union).max().unwrap_or(0).max(least);
    let most = sizes.widths.iter().sum::<u32>().min(u64::BITS);
    for ports in least..=most {
        let mut search = Search::new(sizes, ports);
        search.add(0, &mut Vec::new());
        if !search.found.is_empty() || search.steps == 0 {
            let is_complete = search.steps > 0 && search.found.len() < MOST_SOLUTIONS;
            return Structures { all: search.found, is_complete };
        }
    }
    Structures { all: Vec::new(), is_complete: true }
}

/// The same sets with numbers of ports that follow from the sets and their order alone: of two ports the one
/// comes first that belongs to the first set which only one of them belongs to.
#[must_use]
pub(super) fn numbered(sets: &[Ports]) -> Vec<Ports> {
    let all = sets.iter().fold(Ports::NONE, |all, &set| all | set);
    let has = |set: &Ports, port: u32| set.meets(Ports::of([port]));
    let mut ports: Vec<u32> = all.numbers().collect();
    ports.sort_by_cached_key(|&port| sets.iter().map(|set| !has(set, port)).collect::<Vec<_>>());
    let renamed = |set: &Ports| {
        let own = (0..).zip(&ports).filter(|(_, port)| has(set, **port));
        Ports::of(own.map(|(number, _)| number))
    };
    sets.iter().map(renamed).collect()
}

/// Ports that belong to the same classes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct VennCell {
    /// The classes, a bit each.
    classes: u64,
    size: u32,
}

struct Search<'a> {
    sizes: &'a Sizes,
    /// For each class and each one before it the bounds on common members.
    common: Vec<Vec<(u32, u32)>>,
    /// Ports of a solution.
    ports: u32,
    steps: u64,
    found: Vec<Vec<Ports>>,
}

impl<'a> Search<'a> {
    fn new(sizes: &'a Sizes, ports: u32) -> Self {
        let widths = &sizes.widths;
        let free = |class: usize, before: usize| (0, widths[class].min(widths[before]));
        let mut common: Vec<Vec<(u32, u32)>> = (0..widths.len())
            .map(|class| (0..class).map(|before| free(class, before)).collect())
            .collect();
        for &(one, other, least, most) in &sizes.unions {
            let sum = widths[one] + widths[other];
            let (class, before) = (one.max(other), one.min(other));
            let bounds = &mut common[class][before];
            bounds.0 = bounds.0.max(sum.saturating_sub(most));
            bounds.1 = bounds.1.min(sum.saturating_sub(least));
        }
        Self { sizes, common, ports, steps: MOST_STEPS, found: Vec::new() }
    }

    /// Adds a class to cells in all ways.
    fn add(&mut self, class: usize, cells: &mut Vec<VennCell>) {
        if class == self.sizes.widths.len() {
            self.keep(cells);
            return;
        }
        self.choose(class, 0, &mut Vec::new(), cells);
    }

    /// Decides for one cell after the other how many of its ports belong to a class.
    fn choose(
        &mut self,
        class: usize,
        at: usize,
        members: &mut Vec<u32>,
        cells: &mut Vec<VennCell>,
    ) {
        if self.steps == 0 || self.found.len() >= MOST_SOLUTIONS {
            return;
        }
        self.steps -= 1;
        if !self.may_still_fit(class, at, members, cells) {
            return;
        }
        let chosen: u32 = members.iter().sum();
        let left = self.sizes.widths[class] - chosen;
        if at < cells.len() {
            for count in (0..=left.min(cells[at].size)).rev() {
                members.push(count);
                self.choose(class, at + 1, members, cells);
                members.pop();
            }
            return;
        }
        let there: u32 = cells.iter().map(|cell| cell.size).sum();
        if there + left > self.ports {
            return;
        }
        let mut next = Vec::with_capacity(cells.len() + members.len() + 1);
        for (cell, &count) in cells.iter().zip(&*members) {
            let with = VennCell { classes: cell.classes | 1 << class, size: count };
            let without = VennCell { classes: cell.classes, size: cell.size - count };
            next.extend([with, without].into_iter().filter(|cell| cell.size > 0));
        }
        if left > 0 {
            next.push(VennCell { classes: 1 << class, size: left });
        }
        self.add(class + 1, &mut next);
    }

    /// Whether what is chosen of a class, and what can still be, keeps to the bounds on what it has in
    /// common with those before it.
    fn may_still_fit(&self, class: usize, at: usize, members: &[u32], cells: &[VennCell]) -> bool {
        let chosen: u32 = members.iter().sum();
        let left = self.sizes.widths[class] - chosen;
        self.common[class].iter().enumerate().all(|(before, &(least, most))| {
            let has = |cell: &VennCell| cell.classes >> before & 1 == 1;
            let own: u32 =
                cells.iter().zip(members).filter(|(cell, _)| has(cell)).map(|(_, m)| m).sum();
            let open: u32 = cells[at..].iter().filter(|cell| has(cell)).map(|cell| cell.size).sum();
            own <= most && own + open.min(left) >= least
        })
    }

    fn keep(&mut self, cells: &[VennCell]) {
        if cells.iter().map(|cell| cell.size).sum::<u32>() != self.ports {
            return;
        }
        let mut sets = vec![Ports::NONE; self.sizes.widths.len()];
        let mut first = 0;
        for cell in cells {
            let ports = Ports::range(first, cell.size);
            first += cell.size;
            for (class, set) in sets.iter_mut().enumerate() {
                if cell.classes >> class & 1 == 1 {
                    *set = *set | ports;
                }
            }
        }
        self.found.push(sets);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sizes_of(sets: &[Ports]) -> Sizes {
        let widths = sets.iter().map(|set| set.count()).collect();
        let pairs = (0..sets.len()).flat_map(|one| (0..one).map(move |other| (other, one)));
        let unions = pairs.map(|(one, other)| {
            let size = (sets[one] | sets[other]).count();
            (one, other, size, size)
        });
        Sizes { widths, unions: unions.collect() }
    }

    #[test]
    fn sets_come_back_up_to_the_names_of_their_ports() {
        let sets = [[0, 1, 2, 3].as_slice(), &[0, 1], &[1, 2], &[2, 3], &[4, 5, 6, 7], &[4]];
        let sets = sets.map(|set| Ports::of(set.iter().copied()));
        let found = smallest(&sizes_of(&sets));
        assert!(found.is_complete);
        assert_eq!(found.all.len(), 1, "{found:?}");
        assert_eq!(sizes_of(&found.all[0]), sizes_of(&sets));
    }

    #[test]
    fn numbers_of_ports_follow_from_the_sets() {
        let sets = |all: [&[u32]; 4]| all.map(|set| Ports::of(set.iter().copied())).to_vec();
        let expected = sets([&[0, 1, 2, 3], &[0], &[4, 5], &[4, 6]]);
        for same in [
            [&[0, 1, 2, 3][..], &[0], &[4, 5], &[5, 6]],
            [&[6, 3, 4, 5], &[5], &[0, 2], &[1, 2]],
            [&[7, 9, 8, 2], &[9], &[3, 1], &[3, 0]],
        ] {
            assert_eq!(numbered(&sets(same)), expected);
        }
        assert_eq!(numbered(&[]), []);
    }

    #[test]
    fn what_pairs_do_not_tell_has_several_solutions() {
        // Three pairs of ports that meet each other in one: a triangle, or a star of four ports.
        let pair = |one, other| (one, other, 3, 3);
        let sizes = Sizes { widths: vec![2; 3], unions: vec![pair(0, 1), pair(0, 2), pair(1, 2)] };
        let found = smallest(&sizes);
        assert_eq!(found.all.len(), 1);
        assert_eq!(found.all[0].iter().fold(Ports::NONE, |all, &set| all | set).count(), 3);
        let wide = Sizes { widths: vec![3, 2, 2], unions: vec![(0, 1, 3, 3), (0, 2, 3, 3)] };
        assert_eq!(smallest(&wide).all.len(), 2, "the two pairs may be one or meet in one");
    }

    #[test]
    fn sizes_that_contradict_each_other_have_none() {
        let unions = vec![(0, 1, 1, 1), (1, 2, 1, 1), (0, 2, 2, 2)];
        let found = smallest(&Sizes { widths: vec![1; 3], unions });
        assert_eq!((found.all.len(), found.is_complete), (0, true));
    }
}
