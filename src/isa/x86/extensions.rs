//! Extensions by what CPUID says of them. LLVM's decoder takes every encoding on every CPU and
//! names none; iced knows.

use iced_x86::{CpuidFeature, Decoder, DecoderOptions};

/// LLVM's names where they are not CPUID's.
const LLVM_NAMES: &[(&str, &str)] = &[
    ("64bit", "X64"),
    ("bmi", "BMI1"),
    ("cx16", "CMPXCHG16B"),
    ("pclmul", "PCLMULQDQ"),
    ("prfchw", "PREFETCHW"),
    ("rdrnd", "RDRAND"),
    ("sgx", "SGX1"),
    ("x87", "FPU"),
];

/// What CPUID calls an extension that LLVM or the user calls so; nothing where it has none.
pub fn extension(name: &str) -> Option<String> {
    let known = LLVM_NAMES.iter().find(|(llvm, _)| *llvm == name.to_lowercase());
    let wanted = plain(known.map_or(name, |(_, cpuid)| cpuid));
    names().find(|name| plain(name) == wanted)
}

/// All extensions, by CPUID's names.
pub fn names() -> impl Iterator<Item = String> {
    CpuidFeature::values().map(|feature| format!("{feature:?}"))
}

/// Whether an instruction needs an extension, which [`extension`] named.
pub fn needs(bytes: &[u8], extension: &str) -> bool {
    let instruction = Decoder::new(64, bytes, DecoderOptions::NONE).decode();
    instruction.cpuid_features().iter().any(|feature| format!("{feature:?}") == extension)
}

/// `sse4.2` and `SSE4_2` are one.
fn plain(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_lowercase()
}
