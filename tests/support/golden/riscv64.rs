//! The kernels of RISC-V that a person has read.

use super::Suite;
use winic::kernel::Style;

pub const SUITE: Suite = Suite {
    folder: "riscv64",
    throughput: THROUGHPUT,
    latency: LATENCY,
    relays: &[],
    probe: ("ADD", "X17"),
};

const THROUGHPUT: &[(&str, &str, &[&str], u32)] = &[
    ("throughput-add", "ADD", &[], 1),
    ("throughput-c-add", "C_ADD", &[], 1),
    ("throughput-c-sub", "C_SUB", &[], 1),
    ("throughput-c-addi4spn", "C_ADDI4SPN", &[], 1),
    ("throughput-lui", "LUI", &[], 1),
    ("throughput-div", "DIV", &[], 1),
    ("throughput-fadd-d", "FADD_D", &[], 1),
    ("throughput-fadd-s", "FADD_S", &[], 1),
    ("throughput-fadd-h", "FADD_H", &[], 1),
    ("throughput-fmadd-d", "FMADD_D", &[], 1),
    ("throughput-fcvt-l-d", "FCVT_L_D", &[], 1),
    ("throughput-fence", "FENCE", &[], 1),
    ("throughput-cpop", "CPOP", &[], 1),
    ("throughput-vsetvli", "VSETVLI", &[], 1),
    ("throughput-vadd", "VADD_VV", &[], 1),
    ("throughput-vadd-e8mf8", "VADD_VV@e8mf8", &[], 1),
    ("throughput-vadd-e64m8", "VADD_VV@e64m8", &[], 1),
    ("throughput-vadd-masked", "VADD_VV@e32m1m", &[], 1),
    ("throughput-vwmul", "VWMUL_VV", &[], 1),
    ("throughput-vwmul-e8m4", "VWMUL_VV@e8m4", &[], 1),
    ("throughput-vnsrl-e16m2", "VNSRL_WV@e16m2", &[], 1),
    ("throughput-vmseq-e16m4", "VMSEQ_VV@e16m4", &[], 1),
    ("throughput-vadc", "VADC_VVM", &[], 1),
    ("throughput-vfmacc-scalar-e64m2", "VFMACC_VF@e64m2", &[], 1),
    ("throughput-vrgather-e8m2", "VRGATHER_VV@e8m2", &[], 1),
    ("throughput-vdiv-e64m1", "VDIV_VV@e64m1", &[], 1),
    ("throughput-vmv2r", "VMV2R_V", &[], 1),
    ("throughput-vslideup", "VSLIDEUP_VX", &[], 1),
];

const LATENCY: &[(&str, &[&str], Style, u32)] = &[
    ("latency-add", &["ADD:1>0"], Style::Same, 0),
    ("latency-add-rotating", &["ADD:1>0"], Style::Rotating, 0),
    ("latency-mul-padded", &["MUL:2>0"], Style::Same, 3),
    ("latency-c-add", &["C_ADD:1>0"], Style::Same, 0),
    ("latency-c-sub-2", &["C_SUB:2>0"], Style::Rotating, 0),
    ("latency-div", &["DIV:1>0", "AND:1>0=0", "OR:1>0=DIV:1"], Style::Same, 0),
    ("latency-fadd-d", &["FADD_D:1>0"], Style::Rotating, 0),
    ("latency-fdiv-d", &["FDIV_D:1>0", "FSGNJ_D:2>0=FDIV_D:1"], Style::Same, 0),
    ("latency-fmadd-addend", &["FMADD_D:3>0"], Style::Same, 0),
    ("latency-fmv", &["FMV_X_D:1>0", "FMV_D_X:1>0"], Style::Same, 0),
    ("latency-fcvt", &["FCVT_S_D:1>0", "FCVT_D_S:1>0"], Style::Same, 0),
    ("latency-vadd-e32m2", &["VADD_VV@e32m2:1>0"], Style::Same, 0),
    ("latency-vadd-e32m2-rotating", &["VADD_VV@e32m2:1>0"], Style::Rotating, 0),
    ("latency-vadd-mask", &["VADD_VV@e32m1m:3>0", "VMV_V_V:1>0"], Style::Rotating, 0),
    ("latency-vadd-kept", &["VADD_VV@e32m1m:0>0"], Style::Same, 0),
    ("latency-vwadd-widening", &["VWADD_VV:1>0"], Style::Rotating, 0),
    ("latency-vredsum-e8m8", &["VREDSUM_VS@e8m8:1>0"], Style::Rotating, 0),
    ("latency-vmseq-e16m4", &["VMSEQ_VV@e16m4:1>0"], Style::Rotating, 0),
    ("latency-vmacc-e64m4", &["VMACC_VV@e64m4:1>0"], Style::Same, 0),
    ("latency-vmv-x-s", &["VMV_X_S@e64m1:1>0", "VMV_S_X@e64m1:2>0"], Style::Same, 0),
    ("latency-vfmv-f-s", &["VFMV_F_S@e64m1:1>0", "VFMV_V_F@e64m1:1>0"], Style::Same, 0),
    (
        "latency-vdiv-e64m2",
        &["VDIV_VV@e64m2:1>0", "VAND_VV@e64m2:1>0=0", "VOR_VV@e64m2:1>0=VDIV_VV@e64m2:1"],
        Style::Same,
        0,
    ),
    ("latency-fcmp", &["FLT_D:1>0", "FMV_D_X:1>0"], Style::Rotating, 0),
];
