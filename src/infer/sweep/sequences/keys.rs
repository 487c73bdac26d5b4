//! Which instructions share their costs.

use super::LoopInstruction;

/// For each instruction its key: the first of its kinds, as many as it takes to tell it from others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Keys {
    of: Vec<usize>,
    names: Vec<Vec<String>>,
}

impl Keys {
    /// Those of the first kind only.
    pub(super) fn coarsest(instructions: &[LoopInstruction]) -> Self {
        Self::of_depths(instructions, &vec![1; instructions.len()])
    }

    fn of_depths(instructions: &[LoopInstruction], depths: &[usize]) -> Self {
        let mut names: Vec<Vec<String>> = Vec::new();
        let mut of = Vec::new();
        for (instruction, &depth) in instructions.iter().zip(depths) {
            let name = &instruction.kinds[..depth.min(instruction.kinds.len())];
            let known = names.iter().position(|it| it == name);
            of.push(known.unwrap_or_else(|| {
                names.push(name.to_vec());
                names.len() - 1
            }));
        }
        Self { of, names }
    }

    /// The key of an instruction.
    pub(super) fn of(&self, instruction: usize) -> usize {
        self.of[instruction]
    }

    /// The number of keys.
    pub(super) fn count(&self) -> usize {
        self.names.len()
    }

    /// The kinds that make a key, as one word.
    pub(super) fn name(&self, key: usize) -> String {
        self.names[key].join("/")
    }

    /// The keys with one of them split by the next kind in which its instructions differ, then by that and the one
    /// after it, and so on; none where they differ in none.
    pub(super) fn splits(&self, key: usize, instructions: &[LoopInstruction]) -> Vec<Self> {
        let deepest = instructions.iter().map(|it| it.kinds.len()).max().unwrap_or(0);
        let finer = (self.names[key].len() + 1..=deepest).map(|depth| {
            let depth_of = |&of: &usize| if of == key { depth } else { self.names[of].len() };
            let depths: Vec<usize> = self.of.iter().map(depth_of).collect();
            Self::of_depths(instructions, &depths)
        });
        let mut splits: Vec<Self> = finer.filter(|keys| keys.count() > self.count()).collect();
        splits.dedup_by_key(|keys| keys.count());
        splits
    }

    /// For each key the one of coarser keys that it was split from.
    pub(super) fn parents(&self, coarser: &Self) -> Vec<usize> {
        let first = |key: usize| self.of.iter().position(|&of| of == key);
        (0..self.count()).filter_map(first).map(|instruction| coarser.of(instruction)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn instruction(kinds: &[&str]) -> LoopInstruction {
        let kinds = kinds.iter().map(|&it| it.to_owned()).collect();
        LoopInstruction { kinds, reads: vec![], writes: vec![] }
    }

    #[test]
    fn a_key_is_split_where_its_instructions_differ() {
        let instructions = [
            instruction(&["a", "wide", "one"]),
            instruction(&["a", "wide", "two"]),
            instruction(&["b", "wide", "one"]),
            instruction(&["b", "wide", "two"]),
            instruction(&["b", "narrow"]),
            instruction(&["b"]),
        ];
        let coarse = Keys::coarsest(&instructions);
        assert_eq!((coarse.count(), coarse.of(1), coarse.of(5)), (2, 0, 1));
        // All that are `a` are wide, too.
        let [finer] = &coarse.splits(0, &instructions)[..] else { panic!("a single split") };
        let names: Vec<String> = (0..finer.count()).map(|key| finer.name(key)).collect();
        assert_eq!(names, ["a/wide/one", "a/wide/two", "b"]);
        assert_eq!(finer.parents(&coarse), [0, 0, 1]);
        let [by_width, finest] = &finer.splits(2, &instructions)[..] else { panic!("two splits") };
        let names = |keys: &Keys| (2..keys.count()).map(|key| keys.name(key)).collect::<Vec<_>>();
        assert_eq!(names(by_width), ["b/wide", "b/narrow", "b"]);
        assert_eq!(names(finest), ["b/wide/one", "b/wide/two", "b/narrow", "b"]);
        assert!((0..finest.count()).all(|key| finest.splits(key, &instructions).is_empty()));
    }
}
