//! LLVM's intrinsics, as names and signatures.

use super::ffi;

/// An intrinsic.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Intrinsic {
    /// Its name: `llvm.nvvm.mma.m16n8k16.row.col.f32.f32`.
    pub name: String,
    /// Its function type as LLVM prints it: `{ float, float } (i32, i32)`; none where it has more than one.
    pub signature: Option<String>,
}

/// The intrinsics that a choice of names takes.
pub fn intrinsics(is_wanted: impl Fn(&str) -> bool) -> Vec<Intrinsic> {
    let named = ffi::intrinsic_names().into_iter().filter(|(_, name)| is_wanted(name));
    named.map(|(id, name)| Intrinsic { name, signature: ffi::intrinsic_type(id) }).collect()
}
