//! The `mma` instructions of PTX, from the names and signatures of LLVM's intrinsics.
//!
//! The names have it all but what follows by rule (the accumulator of integers), and the signatures say how
//! many registers each operand has. Whether a target has an instruction, and as how many machine
//! instructions, only its compiler tells.

use std::fmt::Write as _;

use crate::gpu::form::{MatrixElement, MatrixShape};

/// Lanes of a warp.
pub const WARP: u32 = 32;

/// What an instruction does besides multiplying.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PtxKind {
    /// Nothing.
    Dense,
    /// Leaves the zeros of A out.
    Sparse,
    /// Scales blocks of A and B.
    Scaled,
    /// Both.
    SparseScaled,
    /// By a group of four warps, from shared memory, without waiting.
    Group,
}

/// A form of PTX.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PtxForm {
    /// The instruction with all its qualifiers.
    pub name: String,
    /// LLVM's intrinsic; none of those that LLVM has not.
    pub intrinsic: Option<String>,
    /// What it does.
    pub kind: PtxKind,
    /// How large its matrices are.
    pub shape: MatrixShape,
    /// The elements of D.
    pub d: MatrixElement,
    /// The elements of C.
    pub c: MatrixElement,
    /// The elements of A, as PTX names them.
    pub a: PtxElement,
    /// The elements of B.
    pub b: PtxElement,
    /// Registers of D, A, B and C in a lane; none of an operand that stands in shared memory.
    pub registers: [u32; 4],
}

/// A type of elements of factors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PtxElement {
    /// Its name in PTX.
    pub name: &'static str,
    /// How it stands in memory.
    pub element: MatrixElement,
    /// How many bits of a register each takes.
    pub stored: u32,
}

/// Types by their names in PTX. Numbers of fewer than eight bits have eight to themselves, but those
/// of `mxf4` and the integers.
const ELEMENTS: [(&str, MatrixElement, u32); 17] = [
    ("f64", MatrixElement::F64, 64),
    ("f32", MatrixElement::F32, 32),
    ("tf32", MatrixElement::F32, 32),
    ("f16", MatrixElement::F16, 16),
    ("bf16", MatrixElement::Bf16, 16),
    ("e4m3", MatrixElement::F8E4, 8),
    ("e5m2", MatrixElement::F8E5, 8),
    ("e2m3", MatrixElement::F6E2, 8),
    ("e3m2", MatrixElement::F6E3, 8),
    ("e2m1", MatrixElement::F4, 8),
    ("s32", MatrixElement::I32, 32),
    ("s8", MatrixElement::I8, 8),
    ("u8", MatrixElement::I8, 8),
    ("s4", MatrixElement::I4, 4),
    ("u4", MatrixElement::I4, 4),
    ("b1", MatrixElement::B1, 1),
    ("b32", MatrixElement::I32, 32),
];

/// A type by its name in PTX.
#[must_use]
pub fn element(name: &str) -> Option<PtxElement> {
    let &(name, element, stored) = ELEMENTS.iter().find(|(known, ..)| *known == name)?;
    Some(PtxElement { name, element, stored })
}

/// What all names of these intrinsics have in front.
const FAMILY: &str = "llvm.nvvm.mma.";

/// Whether an intrinsic is an `mma` of a warp.
#[must_use]
pub fn is_mma(name: &str) -> bool {
    name.strip_prefix(FAMILY).is_some()
}

/// The instruction that an intrinsic is, by its name and its function type; none of those that
/// multiply nothing.
#[must_use]
pub fn of_intrinsic(name: &str, signature: &str) -> Option<PtxForm> {
    let words = IntrinsicWords::read(name)?;
    let kind = match (words.sparse.is_some(), words.is_scaled) {
        (false, false) => PtxKind::Dense,
        (true, false) => PtxKind::Sparse,
        (false, true) => PtxKind::Scaled,
        (true, true) => PtxKind::SparseScaled,
    };
    let [d, a, b, c] = words.types;
    Some(PtxForm {
        name: words.instruction(),
        intrinsic: Some(name.to_owned()),
        kind,
        shape: words.shape,
        d: d.element,
        c: c.element,
        a: words.factor(a),
        b: words.factor(b),
        registers: registers(signature, kind, &words)?,
    })
}

/// The parts of an intrinsic's name.
struct IntrinsicWords<'a> {
    sparse: Option<&'static str>,
    is_scaled: bool,
    operation: Option<&'a str>,
    shape_text: &'a str,
    shape: MatrixShape,
    layouts: [&'a str; 2],
    kind: Option<&'a str>,
    scale: Option<&'a str>,
    saturates: bool,
    types: [PtxElement; 4],
    scale_type: Option<&'a str>,
}

impl<'a> IntrinsicWords<'a> {
    fn read(name: &'a str) -> Option<Self> {
        let mut words = name.strip_prefix(FAMILY)?.split('.').peekable();
        let mut sparse = None;
        if words.next_if_eq(&"sp").is_some() {
            sparse = Some(".sp");
            if words.next_if_eq(&"ordered").is_some() {
                words.next_if_eq(&"metadata")?;
                sparse = Some(".sp::ordered_metadata");
            }
        }
        let is_scaled = words.next_if_eq(&"block").is_some();
        if is_scaled {
            words.next_if_eq(&"scale")?;
        }
        let operation = words.next_if(|word| ["and", "xor"].contains(word));
        if operation.is_some() {
            words.next_if_eq(&"popc")?;
        }
        let shape_text = words.next()?;
        let shape = shape(shape_text)?;
        let layouts = [words.next()?, words.next()?];
        let has_kind = words.next_if_eq(&"kind").is_some() || is_scaled;
        let kind = if has_kind { Some(words.next()?) } else { None };
        let scale = match words.next_if_eq(&"scale") {
            Some(_) => Some(words.next()?),
            None => None,
        };
        let saturates = words.next_if_eq(&"satfinite").is_some();
        let rest: Vec<&str> = words.collect();
        let (named, scale_type) = match rest.split_last() {
            Some((last, rest)) if is_scaled => (rest, Some(*last)),
            _ => (rest.as_slice(), None),
        };
        let types = types(named)?;
        Some(Self {
            sparse,
            is_scaled,
            operation,
            shape_text,
            shape,
            layouts,
            kind,
            scale,
            saturates,
            types,
            scale_type,
        })
    }

    /// The instruction as PTX has it.
    fn instruction(&self) -> String {
        let [first, second] = self.layouts;
        let mut name = format!(
            "mma{}.sync.aligned.{}.{first}.{second}",
            self.sparse.unwrap_or_default(),
            self.shape_text
        );
        if let Some(kind) = self.kind {
            let _ = write!(name, ".kind::{kind}");
        }
        if self.is_scaled {
            name.push_str(".block_scale");
        }
        if let Some(scale) = self.scale {
            let _ = write!(name, ".scale_vec::{}", scale.to_uppercase());
        }
        if self.saturates {
            name.push_str(".satfinite");
        }
        self.types.iter().for_each(|element| {
            let _ = write!(name, ".{}", element.name);
        });
        if let Some(scale_type) = self.scale_type {
            let _ = write!(name, ".{scale_type}");
        }
        if let Some(operation) = self.operation {
            let _ = write!(name, ".{operation}.popc");
        }
        name
    }

    /// How a factor stands in registers in this kind of instruction.
    fn factor(&self, element: PtxElement) -> PtxElement {
        const PACKED: [&str; 2] = ["mxf4", "mxf4nvf4"];
        match self.kind {
            Some(kind) if PACKED.contains(&kind) => {
                PtxElement { stored: element.element.bits(), ..element }
            }
            _ => element,
        }
    }
}

/// `m16n8k32`.
fn shape(text: &str) -> Option<MatrixShape> {
    let (m, rest) = text.strip_prefix('m')?.split_once('n')?;
    let (n, k) = rest.split_once('k')?;
    Some(MatrixShape { m: m.parse().ok()?, n: n.parse().ok()?, k: k.parse().ok()?, blocks: 1 })
}

/// The types of D, A, B and C by those that the name has.
fn types(named: &[&str]) -> Option<[PtxElement; 4]> {
    let known: Vec<PtxElement> = named.iter().map(|name| element(name)).collect::<Option<_>>()?;
    let accumulator = |factor: PtxElement| {
        element(match factor.element {
            MatrixElement::I8 | MatrixElement::I4 | MatrixElement::B1 => "s32",
            MatrixElement::F64 => "f64",
            _ => "f32",
        })
    };
    let half = element("f16")?;
    match *known.as_slice() {
        [both] => Some([accumulator(both)?, both, both, accumulator(both)?]),
        [a, b] if a.element == MatrixElement::I8 || a.element == MatrixElement::I4 => {
            Some([accumulator(a)?, a, b, accumulator(a)?])
        }
        // Those of D and C; the factors are halves.
        [d, c] => Some([d, half, half, c]),
        [d, a, b, c] => Some([d, a, b, c]),
        _ => None,
    }
}

/// Registers of D, A, B and C by the function type: results, and arguments in order.
fn registers(signature: &str, kind: PtxKind, words: &IntrinsicWords<'_>) -> Option<[u32; 4]> {
    let (result, arguments) = signature.rsplit_once('(')?;
    let d = count(result.trim().trim_start_matches('{').trim_end_matches('}'));
    let all = count(arguments.trim_end_matches(')'));
    // What sparse and scaled instructions have besides.
    let others = match kind {
        PtxKind::Dense | PtxKind::Group => 0,
        PtxKind::Sparse => 2,
        PtxKind::Scaled => 6,
        PtxKind::SparseScaled => 8,
    };
    let [of_d, _, _, of_c] = words.types;
    let c = match (of_d.element, of_c.element) {
        (MatrixElement::F32, MatrixElement::F16) => d / 2,
        (MatrixElement::F16, MatrixElement::F32) => d * 2,
        _ => d,
    };
    let factors = all.checked_sub(c + others)?;
    let MatrixShape { m, n, .. } = words.shape;
    let m = if words.sparse.is_some() { m / 2 } else { m };
    let a = factors * m / (m + n);
    Some([d, a, factors - a, c])
}

/// Types in a list, of which vectors have commas neither.
fn count(list: &str) -> u32 {
    list.split(',').filter(|part| !part.trim().is_empty()).count() as u32
}

impl PtxForm {
    /// Whether D can be C of the next instruction.
    #[must_use]
    pub fn chains(&self) -> bool {
        self.d == self.c
    }

    /// Whether half of the elements of A are left out.
    #[must_use]
    pub fn is_sparse(&self) -> bool {
        matches!(self.kind, PtxKind::Sparse | PtxKind::SparseScaled)
    }

    /// What an element of D grows by where the factors are ones.
    #[must_use]
    pub fn growth(&self) -> u32 {
        if self.is_sparse() { self.shape.k / 2 } else { self.shape.k }
    }
}
