//! Wait states that software has to put between a matrix instruction and one that needs its result:
//! neither MC nor all of the hardware adds them.
//!
//! Source: the wait states that LLVM 22's code generator puts between two dependent intrinsics, counted
//! for the passes of the first, and its hazard recognizer for f64.

use super::forms::Product;
use super::target::{AmdTarget, Generation};
use crate::gpu::form::{ChainLink, MatrixElement};

/// Idle instructions in front of what depends on the instruction before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wait {
    /// None: the hardware waits, or nothing has to.
    None,
    /// So many wait states.
    States(u32),
    /// So many idle vector instructions.
    Vector(u32),
}

/// Passes of a product, four cycles each, by its results: as the scheduling models have them, where
/// those differ only by how large the product is.
#[must_use]
pub fn most_passes(product: &Product) -> u32 {
    let shape = product.shape;
    match shape.m * shape.n {
        ..=16 => 2,
        17..=256 => 8,
        _ => 16,
    }
}

/// What stands between two instances of a form that are linked, on a target. It may be more than a
/// product needs, as passes are not known exactly, and is never less.
#[must_use]
pub fn between(target: &AmdTarget, product: &Product, link: ChainLink) -> Wait {
    // The hardware waits for what a vector unit computes.
    if !product.is_of_matrix() {
        return Wait::None;
    }
    let is_double = product.d == MatrixElement::F64;
    let is_small = product.shape.m == 4;
    match (target.generation, link) {
        (Generation::Cdna, ChainLink::Addend) => match (is_double, is_small, target.has_dies) {
            (true, true, _) => Wait::States(4),
            (false, true, true) => Wait::States(2),
            _ => Wait::None,
        },
        (Generation::Cdna, _) if !target.unified_registers => Wait::States(4),
        (Generation::Cdna, _) if is_double => Wait::States(if is_small { 9 } else { 19 }),
        (Generation::Cdna, _) => Wait::States(most_passes(product) + 3),
        (_, ChainLink::Addend) => Wait::None,
        // An instruction between a WMMA and one that multiplies its result.
        (Generation::Rdna3 | Generation::Rdna4, _) => {
            Wait::Vector(if target.model_unit.is_some() { 9 } else { 1 })
        }
    }
}
