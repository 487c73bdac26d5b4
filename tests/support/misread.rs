//! Forms that LLVM 22 does not read back as it wrote them, so that this tells nothing of kernels.

/// Forms of which LLVM's disassembler gives back other operands than its encoder was given, by reason.
pub const MISREAD: &[(&str, &[&str])] = &[
    (
        "the disassembler names registers of 128 bits where the form has such of 64",
        &[
            "BICv2i32",
            "BICv4i16",
            "FMOVv2f32_ns",
            "FMOVv4f16_ns",
            "MOVIv2i32",
            "MOVIv2s_msl",
            "MOVIv4i16",
            "MOVIv8b_ns",
            "MVNIv2i32",
            "MVNIv2s_msl",
            "MVNIv4i16",
            "ORRv2i32",
            "ORRv4i16",
        ],
    ),
    (
        "LLVM allows registers of whose numbers the encoding has three bits only",
        &["LUTI6_4ZT3Z", "LUTI6_S_4ZT3Z"],
    ),
    ("a pair of zero registers is encoded whatever register stands there", &["SYSPxt_XZR"]),
];

/// Whether a form is among them.
pub fn is_misread(form: &str) -> bool {
    MISREAD.iter().any(|(_, forms)| forms.contains(&form))
}
