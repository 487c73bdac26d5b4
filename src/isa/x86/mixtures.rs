//! Mixtures of x86 instructions. Source of the padding: any segment override but those that name FS and GS
//! is ignored in 64-bit code (AMD64 APM volume 3, 1.2.4).

use super::{X86, registers};
use crate::form::EncodingGroup;
use crate::isa::{Mixtures, Padding, RegisterPool};

/// The override of the data segment, which instructions of five bytes and more need not have: windows
/// of 32 bytes hold six of those, and no entry of a cache of decoded instructions is filled by them.
const PADDING: Padding = Padding { prefix: 0x3E, least: 5 };

/// LLVM names of forms of all kinds of operations; see
/// [`Mixtures::blocker_candidates`].
const BLOCKERS: &[&str] = &[
    "MOVZX32rr8",
    "MOVSX64rr32",
    "MOV64ri32",
    "LEA64r",
    "ANDN64rr",
    "RORX64ri",
    "SHLX64rr",
    "SARX64rr",
    "BZHI64rr",
    "BEXTR64rr",
    "BLSR64rr",
    "PDEP64rr",
    "PEXT64rr",
    "MULX64rr",
    "IMUL64rri32",
    "IMUL32rri",
    "POPCNT64rr",
    "LZCNT64rr",
    "TZCNT64rr",
    "CMP64rr",
    "TEST64rr",
    "BT64rr",
    "SETCCr",
    "VADDPSrr",
    "VADDPDrr",
    "VMULPSrr",
    "VMULPDrr",
    "VMAXPSrr",
    "VCMPPSrri",
    "VANDPSrr",
    "VPANDrr",
    "VPADDDrr",
    "VPADDBrr",
    "VPSUBQrr",
    "VPSLLDri",
    "VPSRLQri",
    "VPSLLWrr",
    "VPSLLVDrr",
    "VPSRAVDrr",
    "VPMULLDrr",
    "VPMULUDQrr",
    "VPMADDWDrr",
    "VPMULHWrr",
    "VPMADDUBSWrr",
    "VPSHUFBrr",
    "VPSHUFDri",
    "VPUNPCKLBWrr",
    "VSHUFPSrri",
    "VPERMILPSri",
    "VPALIGNRrri",
    "VPBLENDWrri",
    "VBLENDPSrri",
    "VBLENDVPSrrr",
    "VPMAXSDrr",
    "VPMINUBrr",
    "VPCMPGTDrr",
    "VPCMPEQBrr",
    "VPCMPGTQrr",
    "VPABSBrr",
    "VPAVGBrr",
    "VPSADBWrr",
    "VMPSADBWrri",
    "VPSIGNDrr",
    "VCVTDQ2PSrr",
    "VCVTPS2DQrr",
    "VCVTPS2PDrr",
    "VROUNDPSri",
    "VRCPPSr",
    "VRSQRTPSr",
    "VSQRTPSr",
    "VDIVPSrr",
    "VDIVPDrr",
    "VHADDPSrr",
    "VPHADDDrr",
    "VPACKUSWBrr",
    "VPMOVZXBWrr",
    "VINSERTPSrri",
    "VPINSRDrri",
    "VPEXTRDrri",
    "VMOVDI2PDIrr",
    "VMOVPDI2DIrr",
    "VPMOVMSKBrr",
    "VMOVMSKPSrr",
    "VPBROADCASTBrr",
    "VPBROADCASTDrr",
    "VINSERTF128rri",
    "VEXTRACTF128rri",
    "VPERM2F128rri",
    "VPERMDYrr",
    "VPERMQYri",
    "VAESENCrr",
    "VPCLMULQDQrri",
    "VGF2P8MULBrr",
    "VPTESTrr",
    "VUCOMISSrr",
    "VTESTPSrr",
    "VADDPSYrr",
    "VPADDDYrr",
    "VPSHUFBYrr",
    "VADDPSZrr",
    "VPADDDZrr",
    "VMULPSZrr",
    "VPSHUFBZrr",
    "KANDWkk",
    "KADDWkk",
    "KSHIFTLWki",
    "KMOVWkr",
    "KMOVWrk",
    "KORTESTWkk",
    "VPCMPDZ128rri",
    "VPCMPDZrri",
    "VPMOVM2DZ128rk",
    "VPTESTMDZ128rr",
    "VPMULLQZ128rr",
    "VPERMBZ128rr",
    "VPOPCNTDZ128rr",
    "VPCONFLICTDZ128rr",
    "VPROLVDZ128rr",
    "VALIGNDZ128rri",
    "VPLZCNTDZ128rr",
    "MOV64rm",
    "MOVZX32rm8",
    "MOVSX64rm32",
    "VMOVUPSrm",
    "VMOVAPSrm",
    "VMOVDQUYrm",
    "VBROADCASTSSrm",
    "VPMOVZXBWrm",
    "MOV64mr",
    "MOV32mr",
    "MOV8mr",
    "VMOVUPSmr",
    "VMOVAPSmr",
    "VMOVDQUYmr",
    "MOV64mi32",
];

/// LLVM names of moves between registers of a file; see
/// [`Mixtures::front_end_candidates`].
const FRONT_END: &[&str] = &["MOV64rr", "MOV32rr", "VMOVAPSrr"];

/// LLVM names of fences; see [`Mixtures::memory_barriers`].
const BARRIERS: &[&str] = &["LFENCE", "MFENCE", "SFENCE"];

/// What vendors call the ports of CPUs, by LLVM's names of these.
const PORT_NAMES: [(&str, &str); 1] =
    [("znver4", include_str!("../../../reference/tables/ports-znver4.tsv"))];

impl Mixtures for X86 {
    fn pool(&self, register: &str) -> RegisterPool {
        registers::pool(register)
    }

    fn padding(&self) -> Option<Padding> {
        Some(PADDING)
    }

    fn port_names(&self, cpu: &str) -> Option<&'static str> {
        PORT_NAMES.iter().find(|(name, _)| *name == cpu).map(|&(_, table)| table)
    }

    fn blocker_candidates(&self) -> &'static [&'static str] {
        BLOCKERS
    }

    fn front_end_candidates(&self) -> &'static [&'static str] {
        FRONT_END
    }

    /// Intel: optimization manual, "Legacy Decode Pipeline"; AMD: software optimization guides say two.
    fn most_decoded(&self) -> Option<f64> {
        Some(4.0)
    }

    fn memory_barriers(&self) -> &'static [&'static str] {
        BARRIERS
    }

    fn group_in_front(&self) -> EncodingGroup {
        registers::LEGACY
    }
}
