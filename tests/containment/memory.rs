//! Kernels whose memory accesses lead to where they must not, and what is said of them.

use winic::artifact::Purpose;
use winic::device::Fault;

use crate::{assert_faults, impatient};

/// Bodies that access memory which is not theirs, or in a way that it does not allow.
const STRAYING: &[(&str, &[Fault])] = &[
    // The kernel's half: a load, a store, both at once, a locked one, a pair of moves, a push.
    ("mov rdx, 0xffff800000000000\nmov rax, [rdx]\nret", &[Fault::SegmentationFault]),
    ("mov rdx, -64\nmov [rdx], rax\nret", &[Fault::SegmentationFault]),
    ("mov rdx, -64\nadd [rdx], rax\nret", &[Fault::SegmentationFault]),
    ("mov rdx, -64\nlock add [rdx], rax\nret", &[Fault::SegmentationFault]),
    ("mov rsi, -64\nmov rdi, rsp\nmovsq\nret", &[Fault::SegmentationFault]),
    ("mov rsp, -64\npush rax", &[Fault::SegmentationFault]),
    // In no half; unmapped; a line that is not there.
    ("mov rdx, 0x800000000000\nmov rax, [rdx]\nret", &[Fault::SegmentationFault]),
    ("mov edx, 4096\nmov rax, [rdx]\nret", &[Fault::SegmentationFault]),
    ("mov edx, 4096\nclflush [rdx]\nret", &[Fault::SegmentationFault]),
    ("mov rdx, rsp\nmov rax, [rdx + 8 * rdx]\nret", &[Fault::SegmentationFault]),
    // Moves that want alignment, and an area that does.
    ("movaps xmm0, [rsp - 65]\nret", &[Fault::SegmentationFault]),
    ("movdqa [rsp - 65], xmm0\nret", &[Fault::SegmentationFault]),
    ("movntps [rsp - 65], xmm0\nret", &[Fault::SegmentationFault]),
    ("paddd xmm0, [rsp - 65]\nret", &[Fault::SegmentationFault]),
    ("fxsave [rsp - 1025]\nret", &[Fault::SegmentationFault]),
    // 2^63 repetitions: upwards, downwards, and of what compares.
    ("mov rdi, rsp\nmov rcx, 1\nror rcx\nrep stosb\nret", &[Fault::SegmentationFault]),
    ("mov rsi, rsp\nmov rcx, 1\nror rcx\nstd\nrep lodsb\nret", &[Fault::SegmentationFault]),
    (
        "mov rsi, rsp\nmov rdi, rsp\nmov rcx, 1\nror rcx\nrepe cmpsb\nret",
        &[Fault::SegmentationFault],
    ),
];

/// The same with what not every CPU has: indices that lead anywhere, and masked moves.
const STRAYING_WITH_AVX2: &[(&str, &[Fault])] = &[
    (
        "mov edx, 4096\nvpcmpeqd ymm1, ymm1, ymm1\nvmovdqa ymm2, ymm1\n\
         vpgatherqq ymm0, [rdx + 8 * ymm1], ymm2\nret",
        &[Fault::SegmentationFault],
    ),
    (
        "mov rdx, rsp\nvpcmpeqd ymm1, ymm1, ymm1\nvpsrlq ymm3, ymm1, 16\n\
         vpgatherqq ymm0, [rdx + ymm3], ymm1\nret",
        &[Fault::SegmentationFault],
    ),
    (
        "mov edx, 4096\nvpcmpeqd xmm1, xmm1, xmm1\nvmaskmovps [rdx], xmm1, xmm0\nret",
        &[Fault::SegmentationFault],
    ),
];

#[test]
fn memory_that_is_not_theirs_stops_kernels() {
    for purpose in [Purpose::Probe, Purpose::Time] {
        assert_faults(&mut impatient(), purpose, STRAYING);
        if std::arch::is_x86_feature_detected!("avx2") {
            assert_faults(&mut impatient(), purpose, STRAYING_WITH_AVX2);
        }
    }
}
