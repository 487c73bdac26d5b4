//! Which instruction of a loop waits for which.

use super::{CanonicalLoop, LoopInstruction, RegisterAccess};

/// An instruction of a loop reads what one before it wrote.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct LoopDependence {
    /// The place of the one that reads.
    pub(super) reader: usize,
    /// How many places before it the one that wrote stands, at most the length of the loop: then it is itself,
    /// a round earlier.
    pub(super) distance: usize,
}

/// All dependences of a loop. For each row that is read the last instruction counts that wrote it.
pub(super) fn dependences(
    of: &CanonicalLoop,
    instructions: &[LoopInstruction],
) -> Vec<LoopDependence> {
    let places = of.instructions();
    let length = places.len();
    let of_reader = |reader: usize| {
        let reads = instructions[places[reader]].reads.clone();
        let mut open = reads;
        (1..=length).filter_map(move |distance| {
            let writer = &instructions[places[(reader + length - distance) % length]];
            take_writes(&mut open, writer).then_some(LoopDependence { reader, distance })
        })
    };
    (0..length).flat_map(of_reader).collect()
}

/// Takes away the rows that an instruction writes; says whether there are any.
fn take_writes(open: &mut [RegisterAccess], writer: &LoopInstruction) -> bool {
    let mut has_any = false;
    for access in open {
        for write in &writer.writes {
            let shared = access.shared(*write);
            has_any |= shared != 0;
            access.rows &= !shared;
        }
    }
    has_any
}

#[cfg(test)]
mod tests {
    use super::super::synthetic::matrix_classes;
    use super::*;

    /// As pairs of places: who wrote, and who reads.
    fn pairs(beads: &[usize], instructions: &[LoopInstruction]) -> Vec<(usize, usize)> {
        let of = CanonicalLoop::new(beads).unwrap();
        assert_eq!(of.instructions(), beads);
        let length = beads.len();
        let all = dependences(&of, instructions).into_iter();
        all.map(|it| ((it.reader + length - it.distance) % length, it.reader)).collect()
    }

    /// The table of cases of the thesis, section 6.4: which instructions of a loop of two wait for each other. (Its
    /// text puts `x + z` with an extraction to `x` into two cases; the sets of registers decide.)
    #[test]
    fn the_five_cases_of_two_instructions() {
        let [xy, xz, yz, xyz, to_x, to_y] = [0, 1, 2, 3, 4, 5];
        let classes = matrix_classes();
        let waits = |a: usize, b: usize| pairs(&[a, b], &classes);
        for (a, b) in [(xy, xy), (to_x, to_y), (to_x, to_x)] {
            assert_eq!(waits(a, b), []);
        }
        // What an instruction overwrites is no chain of the other's.
        for b in [xz, yz, xyz] {
            assert_eq!(waits(xy, b), [(0, 1)]);
        }
        for (a, b) in [(xz, xz), (xz, yz), (yz, xyz), (xyz, xyz), (xy, to_x), (xy, to_y)] {
            assert_eq!(waits(a, b), [(1, 0), (0, 1)]);
        }
        for (a, b) in [(yz, to_x), (xz, to_y)] {
            assert_eq!(waits(a, b), [(0, 0), (0, 1)]);
        }
        for (a, b) in [(xz, to_x), (yz, to_y), (xyz, to_x), (xyz, to_y)] {
            assert_eq!(waits(a, b), [(1, 0), (0, 0), (0, 1)]);
        }
    }

    #[test]
    fn a_narrow_write_leaves_the_other_rows_to_the_wide_one() {
        let instruction = |reads: u64, writes: u64| LoopInstruction {
            kinds: vec!["any".into()],
            reads: vec![RegisterAccess { register: 7, rows: reads }],
            writes: vec![RegisterAccess { register: 7, rows: writes }],
        };
        // The second overwrites half of what the first has written and reads.
        let narrow = [instruction(0xff, 0xff), instruction(0, 0x0f)];
        assert_eq!(pairs(&[0, 1], &narrow), [(1, 0), (0, 0)]);
        let wholes = narrow.map(LoopInstruction::without_rows);
        assert_eq!(pairs(&[0, 1], &wholes), [(1, 0), (0, 1)]);
        let apart = [instruction(0xf0, 0xf0), instruction(0x0f, 0x0f)];
        assert_eq!(pairs(&[0, 1], &apart), [(0, 0), (1, 1)]);
    }
}
