//! What every wavefront or warp leaves behind: one record of 64 bytes, the same of all vendors.

/// Bytes of a record.
pub const BYTES: u32 = 64;

/// The last word of a record, in two halves: what has another one was not written by a kernel.
pub const MARK_WORDS: [u32; 2] = [0x6e69_7763, 0x7265_636f];

/// A record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GpuRecord {
    /// The unit's clock before the loop and after it.
    pub clock: [u64; 2],
    /// The real time likewise, in steps of its own.
    pub real: [u64; 2],
    /// Where it ran, as the hardware numbers its units; the die in the upper half.
    pub place: u64,
    /// The first bits of its result.
    pub result: u64,
    /// The number of the wavefront or warp.
    pub number: u64,
}

/// Memory that is no record.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("record {0} was not written: its mark is {1:#x}")]
pub struct NoRecord(usize, u64);

/// The records in some memory.
///
/// # Errors
/// When one of them has not the mark.
pub fn read(memory: &[u8]) -> Result<Vec<GpuRecord>, NoRecord> {
    memory
        .chunks_exact(BYTES as usize)
        .enumerate()
        .map(|(number, bytes)| one(number, bytes))
        .collect()
}

fn one(number: usize, bytes: &[u8]) -> Result<GpuRecord, NoRecord> {
    let word = |at: usize| {
        bytes[8 * at..8 * at + 8]
            .iter()
            .rev()
            .fold(0_u64, |word, &byte| word << 8 | u64::from(byte))
    };
    let mark = u64::from(MARK_WORDS[1]) << 32 | u64::from(MARK_WORDS[0]);
    if word(7) != mark {
        return Err(NoRecord(number, word(7)));
    }
    Ok(GpuRecord {
        clock: [word(0), word(1)],
        real: [word(2), word(3)],
        place: word(4),
        result: word(5),
        number: word(6),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn garbage_is_no_record() {
        let mut memory = [0_u8; 128];
        memory[0] = 7;
        for (place, word) in MARK_WORDS.iter().enumerate() {
            memory[56 + 4 * place..60 + 4 * place].copy_from_slice(&word.to_le_bytes());
        }
        assert_eq!(read(&memory[..64]).unwrap()[0].clock, [7, 0]);
        assert_eq!(read(&memory), Err(NoRecord(1, 0)));
    }
}
