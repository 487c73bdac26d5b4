//! What the driver's compiler made of a kernel: its matrix instructions between the two reads of the clock.
//!
//! Instructions take 16 bytes. The low bits of the first word are the opcode; those below were
//! seen in code of compute capabilities 8.0, 9.0 and 12.0 as NVIDIA's disassembler names them.

use std::collections::BTreeMap;

use object::{Object as _, ObjectSection as _};

/// Bytes of an instruction.
const INSTRUCTION: usize = 16;
/// The opcode's bits.
const OPCODE: u64 = 0x1ff;
/// Matrix instructions by their opcodes.
const MATRIX: [(u64, &str); 10] = [
    (0x03c, "HMMA"),
    (0x037, "IMMA"),
    (0x03f, "DMMA"),
    (0x03d, "BMMA"),
    (0x07a, "QMMA"),
    (0x07f, "OMMA"),
    (0x1f0, "HGMMA"),
    (0x1f1, "IGMMA"),
    (0x1f2, "BGMMA"),
    (0x1f3, "QGMMA"),
];
/// Reading a special register of 64 bits (CS2R, and into a uniform register CS2UR), and in the second word
/// which: the clock. (Zeros are read so, too.)
const READS: [u64; 2] = [0x805, 0x8cb];
const READ_BITS: u64 = 0xfff;
const CLOCK: u64 = 0x5000;
const CLOCK_BITS: u64 = 0xff00;

/// Instructions that do nothing: the compiler puts so many behind one that the next waits for.
const PADDING: u32 = 2;

/// Matrix instructions in the window of a kernel.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MachineCount {
    /// How many of each, by their names.
    pub by_name: BTreeMap<&'static str, u32>,
    /// Instructions of any kind in the window.
    pub all: u32,
}

/// Why nothing can be said of a compiled kernel.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CubinError {
    /// It is no ELF file.
    #[error("the compiled kernel is no ELF file: {0}")]
    File(String),
    /// It has no code of that name.
    #[error("the compiled module has no code of kernel {0}")]
    NoKernel(String),
    /// The clock is not read twice.
    #[error("the compiled kernel reads the clock {0} times, and not before and after the loop")]
    NoWindow(usize),
}

impl MachineCount {
    /// Matrix instructions of all names.
    #[must_use]
    pub fn matrix(&self) -> u32 {
        self.by_name.values().sum()
    }

    /// Whether there are fewer matrix instructions than instances: the compiler has made products once that are
    /// the same in several, or none at all, and what is timed is something else.
    #[must_use]
    pub fn is_merged(&self, instances: u32) -> bool {
        self.matrix() < instances
    }

    /// What so many instances of PTX became, in words: nothing where each is one machine instruction.
    #[must_use]
    pub fn expansion(&self, instances: u32) -> Option<String> {
        let of = |(name, count): (&&str, &u32)| format!("{}x{name}", count / instances.max(1));
        let others = (self.all - self.matrix()) / instances.max(1);
        let matrix = match self.matrix() {
            0 => "no matrix instruction".to_owned(),
            count if count % instances == 0 => {
                self.by_name.iter().map(of).collect::<Vec<_>>().join(" ")
            }
            count => format!("{count} matrix instructions for {instances}"),
        };
        match (self.matrix() == instances, others > PADDING) {
            (true, false) => None,
            (_, true) => Some(format!("{matrix} and {others} others")),
            (false, false) => Some(matrix),
        }
    }
}

/// Counts the matrix instructions between the first and the last read of the clock of a kernel.
///
/// # Errors
/// When the module is none, or has no such kernel, or the kernel no window.
pub fn count(cubin: &[u8], symbol: &str) -> Result<MachineCount, CubinError> {
    let file = object::File::parse(cubin).map_err(|error| CubinError::File(error.to_string()))?;
    let name = format!(".text.{symbol}");
    let no_kernel = || CubinError::NoKernel(symbol.to_owned());
    let section = file.section_by_name(&name).ok_or_else(no_kernel)?;
    let code = section.data().map_err(|error| CubinError::File(error.to_string()))?;
    let words: Vec<[u64; 2]> = code.chunks_exact(INSTRUCTION).map(words).collect();
    let is_read =
        |[low, high]: [u64; 2]| READS.contains(&(low & READ_BITS)) && high & CLOCK_BITS == CLOCK;
    let reads: Vec<usize> = (0..words.len()).filter(|&at| is_read(words[at])).collect();
    let (Some(&first), Some(&last)) = (reads.first(), reads.last()) else {
        return Err(CubinError::NoWindow(reads.len()));
    };
    if first == last {
        return Err(CubinError::NoWindow(reads.len()));
    }
    let window = &words[first..last];
    let mut counted = MachineCount { all: window.len() as u32, ..MachineCount::default() };
    for [low, _] in window {
        if let Some((_, name)) = MATRIX.iter().find(|(opcode, _)| low & OPCODE == *opcode) {
            *counted.by_name.entry(name).or_default() += 1;
        }
    }
    Ok(counted)
}

/// The two words of an instruction, low byte first.
fn words(bytes: &[u8]) -> [u64; 2] {
    let word = |at: usize| {
        bytes[at..at + 8].iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte))
    };
    [word(0), word(8)]
}
