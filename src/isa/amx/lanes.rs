//! Lanes of 64 bytes: which are enabled, and in which order they come. Source: RegisterFile.md.

/// Bytes of a register.
pub(super) const BYTES: usize = 64;
/// Bytes of the ring that all registers of X, or of Y, make.
pub(super) const RING: usize = 512;

/// The contents of a register.
pub(super) type Vector = [u8; BYTES];

/// Bytes that an instruction writes, a bit each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Enabled(pub u64);

impl Enabled {
    pub const ALL: Self = Self(u64::MAX);
    pub const NONE: Self = Self(0);
    /// The low byte of every lane of two.
    pub const LOW_BYTES: Self = Self(0x5555_5555_5555_5555);

    /// By the modes that all instructions share, of lanes of so many bytes.
    pub fn by_mode(mode: u64, value: u64, lane: usize) -> Self {
        match (mode, value) {
            (0, 0) => Self::ALL,
            (2 | 3, number) if (number as usize).is_multiple_of(BYTES / lane) => Self::ALL,
            (0, 1) => Self::lanes(lane, |number, _| number % 2 == 1),
            (0, 2) => Self::lanes(lane, |number, _| number % 2 == 0),
            // Values from 3 on stand for something else where they do not disable everything.
            (0 | 6.., _) => Self::NONE,
            (1, only) => Self::lanes(lane, |number, count| number == only as usize % count),
            (2 | 4, first) => Self::lanes(lane, |number, count| number < first as usize % count),
            (3 | 5, last) => {
                Self::lanes(lane, |number, count| number >= count - last as usize % count)
            }
        }
    }

    /// By the modes with nine bits: here values up to 5 enable all lanes and change what is done.
    pub fn by_wide_mode(mode: u64, value: u64, lane: usize) -> Self {
        let changes_function = mode == 0 && matches!(value, 3..=5);
        if changes_function { Self::ALL } else { Self::by_mode(mode, value, lane) }
    }

    fn lanes(lane: usize, is_enabled: impl Fn(usize, usize) -> bool) -> Self {
        let count = BYTES / lane;
        let bits = u64::MAX >> (BYTES - lane);
        let enabled = (0..count).filter(|&number| is_enabled(number, count));
        Self(enabled.fold(0, |mask, number| mask | bits << (number * lane)))
    }

    /// Whether a byte is written.
    pub fn has(self, byte: usize) -> bool {
        self.0 >> byte & 1 == 1
    }
}

/// `high` with the bits of `mask` from `low`.
pub(super) fn select_bits(high: usize, low: usize, mask: usize) -> usize {
    high & !mask | low & mask
}

/// Shuffle 1 moves lane 1 to lane 2, shuffle 2 to lane 4, shuffle 3 to lane 8.
pub(super) fn shuffled(vector: &Vector, shuffle: u8, lane: usize) -> Vector {
    let lanes = BYTES / lane;
    // Read in columns as it was written in rows: as many columns as the shuffle says, if there are
    // more lanes.
    let columns = (1 << shuffle) % lanes.max(1);
    if columns <= 1 {
        return *vector;
    }
    let rows = lanes / columns;
    let mut out = [0; BYTES];
    for number in 0..lanes {
        let source = number % columns * rows + number / columns;
        out[number * lane..][..lane].copy_from_slice(&vector[source * lane..][..lane]);
    }
    out
}

/// Lanes of a table by packed indices of so many bits.
pub(super) fn by_index(indices: &Vector, table: &Vector, bits: usize, lane: usize) -> Vector {
    let lanes = BYTES / lane;
    let mut out = [0; BYTES];
    for number in 0..lanes {
        let index = (0..bits).fold(0, |index, bit| {
            let at = number * bits + bit;
            index | usize::from(indices[at / 8] >> (at % 8) & 1) << bit
        });
        let source = index % lanes * lane;
        out[number * lane..][..lane].copy_from_slice(&table[source..][..lane]);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbered() -> Vector {
        std::array::from_fn(|at| at as u8)
    }

    /// The rows of the tables in RegisterFile.md.
    #[test]
    fn shuffles_are_those_of_the_description() {
        let lanes = |shuffle, lane| {
            let all = shuffled(&numbered(), shuffle, lane);
            all.iter().step_by(lane).take(6).map(|byte| byte / lane as u8).collect::<Vec<_>>()
        };
        assert_eq!(lanes(1, 8), [0, 4, 1, 5, 2, 6]);
        assert_eq!(lanes(2, 8), [0, 2, 4, 6, 1, 3]);
        assert_eq!(lanes(3, 8), [0, 1, 2, 3, 4, 5]);
        assert_eq!(lanes(2, 4), [0, 4, 8, 12, 1, 5]);
        assert_eq!(lanes(3, 4), [0, 2, 4, 6, 8, 10]);
        assert_eq!(lanes(1, 2), [0, 16, 1, 17, 2, 18]);
        assert_eq!(lanes(3, 1), [0, 8, 16, 24, 32, 40]);
        assert_eq!(lanes(0, 1), [0, 1, 2, 3, 4, 5]);
    }

    #[test]
    fn modes_enable_lanes() {
        let mask = |mode, value, lane| Enabled::by_wide_mode(mode, value, lane).0;
        assert_eq!(mask(0, 0, 4), u64::MAX);
        assert_eq!(mask(0, 1, 8), 0xff00_ff00_ff00_ff00);
        assert_eq!(mask(0, 2, 2), 0x3333_3333_3333_3333);
        assert_eq!(mask(0, 3, 2), u64::MAX);
        assert_eq!(mask(0, 6, 2), 0);
        assert_eq!(mask(1, 3, 4), 0xf000);
        assert_eq!(mask(2, 0, 4), u64::MAX);
        assert_eq!(mask(2, 3, 8), 0xff_ffff);
        assert_eq!(mask(2, 8, 8), u64::MAX);
        assert_eq!(mask(4, 0, 8), 0);
        assert_eq!(mask(4, 8, 8), 0);
        assert_eq!(mask(5, 1, 1), 1 << 63);
        assert_eq!(mask(7, 1, 1), 0);
        assert_eq!(Enabled::by_mode(0, 3, 2).0, 0);
    }

    #[test]
    fn indices_take_lanes_of_tables() {
        let mut indices = [0; BYTES];
        // 4 bits each: lanes 3, 0, 15, 1.
        indices[..2].copy_from_slice(&[0x03, 0x1f]);
        let out = by_index(&indices, &numbered(), 4, 4);
        assert_eq!([out[0], out[4], out[8], out[12], out[16]], [12, 0, 60, 4, 0]);
        // Eight lanes: the high bit is ignored.
        assert_eq!(by_index(&indices, &numbered(), 4, 8)[16], 56);
    }
}
