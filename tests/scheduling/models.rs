//! Databases that are exported: figures of no machine, but for the committed one.

use std::fs;

/// A database with the target that its model is read with.
pub struct Case {
    /// LLVM's folder of the target.
    pub target: &'static str,
    /// The text; none for the committed database.
    own: Option<&'static str>,
    /// Whether the target's own models are read, too: that takes LLVM longest.
    pub whole: bool,
    /// Opcodes that must be held against the tables at least.
    pub least: usize,
    /// What LLVM's model must say of the machine.
    pub fields: &'static [(&'static str, i64)],
}

/// All of them.
pub const CASES: &[Case] = &[
    Case { target: "X86", own: None, whole: true, least: 5000, fields: &[("IssueWidth", 6)] },
    Case {
        target: "AArch64",
        own: Some(AARCH64),
        whole: false,
        least: 10,
        fields: &[
            ("IssueWidth", 8),
            ("LoadLatency", 4),
            ("MicroOpBufferSize", 320),
            ("MispredictPenalty", 12),
        ],
    },
    Case {
        target: "RISCV",
        own: Some(RISCV),
        whole: false,
        least: 6,
        fields: &[("IssueWidth", 4), ("LoadLatency", 3)],
    },
];

impl Case {
    /// The database.
    pub fn text(&self) -> String {
        let committed = || {
            let root = env!("CARGO_MANIFEST_DIR");
            fs::read_to_string(format!("{root}/output/znver4/znver4.yaml")).expect("the database")
        };
        self.own.map_or_else(committed, str::to_owned)
    }
}

/// With ports that overlap, a divider, what is held for fractions of a cycle and by one form alone, two results, results of different times, sources that are read
/// late, an index, and a figure that is no whole number.
pub const AARCH64: &str = "\
isa: aarch64
microArchitecture: neoverse-v2
core: {window: {size: 320, uncertainty: 1.5}, wrongGuess: {penalty: 11.6}, execution: {ports: 4, width: 8, resources: [SDIVXr, FADDv2f64]}}
instructions:
- {llvmName: ADDXrs, name: add, latency: 1, throughput: 0.3333, portPressure: [[1, [0, 1, 2]]], slots: 1,
   operandLatencies: [{sourceOperand: '1', targetOperand: '0', latencyMin: 1, latencyMax: 1},
    {sourceOperand: '2', targetOperand: '0', latencyMin: 1, latencyMax: 1}]}
- {llvmName: SUBXrs, name: sub, latency: 1, throughput: 0.3333, portPressure: [[1, [0, 1, 2]]], slots: 1,
   operandLatencies: [{sourceOperand: '1', targetOperand: '0', latencyMin: 1, latencyMax: 1},
    {sourceOperand: '2', targetOperand: '0', latencyMin: 1, latencyMax: 1}]}
- {llvmName: SUBSXrs, name: subs, latency: 3, throughput: 0.5, portPressure: [[1, [1, 2]]], slots: 1,
   operandLatencies: [{sourceOperand: '1', targetOperand: '0', latencyMin: 1, latencyMax: 1},
    {sourceOperand: '2', targetOperand: '0', latencyMin: 1, latencyMax: 1},
    {sourceOperand: '1', targetOperand: NZCV, latencyMin: 3, latencyMax: 3},
    {sourceOperand: '2', targetOperand: NZCV, latencyMin: 3, latencyMax: 3}]}
- {llvmName: CCMPXr, name: ccmp, latency: 2, throughput: 1, portPressure: [[1, [1]]], slots: 1,
   operandLatencies: [{sourceOperand: NZCV, targetOperand: NZCV, latencyMin: 1, latencyMax: 1},
    {sourceOperand: '0', targetOperand: NZCV, latencyMin: 2, latencyMax: 2}]}
- {llvmName: ADCSXr, name: adcs, latency: 2, throughput: 1, portPressure: [[1, [1]]], slots: 1,
   operandLatencies: [{sourceOperand: '1', targetOperand: '0', latencyMin: 2, latencyMax: 2},
    {sourceOperand: NZCV, targetOperand: '0', latencyMin: 2, latencyMax: 2},
    {sourceOperand: '1', targetOperand: NZCV, latencyMin: 2, latencyMax: 2},
    {sourceOperand: NZCV, targetOperand: NZCV, latencyMin: 1, latencyMax: 1}]}
- {llvmName: MADDXrrr, name: madd, latency: 3, throughput: 1, portPressure: [[1, [2]], [1, [0, 1, 2]]], slots: 2,
   operandLatencies: [{sourceOperand: '1', targetOperand: '0', latencyMin: 3, latencyMax: 3},
    {sourceOperand: '2', targetOperand: '0', latencyMin: 3, latencyMax: 3},
    {sourceOperand: '3', targetOperand: '0', latencyMin: 1, latencyMax: 1,
     variants: [{variant: another instruction computed the operand, latency: 3}]}]}
- {llvmName: SDIVXr, name: sdiv, latency: 12, throughput: 7.45, portPressure: [[1, [2]]], slots: 1,
   portResources: [{resource: 0, cycles: 7.45}],
   operandLatencies: [{sourceOperand: '1', targetOperand: '0', latencyMin: 12, latencyMax: 12},
    {sourceOperand: '2', targetOperand: '0', latencyMin: 11.5, latencyMax: 11.5}]}
- {llvmName: UDIVXr, name: udiv, latency: 12, throughput: 8, portPressure: [[1, [2]]], slots: 1,
   portResources: [{resource: 0, cycles: 8}],
   operandLatencies: [{sourceOperand: '1', targetOperand: '0', latencyMin: 12, latencyMax: 12},
    {sourceOperand: '2', targetOperand: '0', latencyMin: 12, latencyMax: 12}]}
- {llvmName: FMULv2f64, name: fmul, latency: 3, throughput: 0.625, portPressure: [[1, [2, 3]]], slots: 1,
   portResources: [{resource: 1, cycles: 0.375}, {resource: 70000, cycles: 0.625}],
   operandLatencies: [{sourceOperand: '1', targetOperand: '0', latencyMin: 3, latencyMax: 3},
    {sourceOperand: '2', targetOperand: '0', latencyMin: 3, latencyMax: 3}]}
- {llvmName: FADDv2f64, name: fadd, latency: 2, throughput: 0.5, portPressure: [[1, [2, 3]]], slots: 1,
   portResources: [{resource: 1, cycles: 0.25}],
   operandLatencies: [{sourceOperand: '1', targetOperand: '0', latencyMin: 2, latencyMax: 2},
    {sourceOperand: '2', targetOperand: '0', latencyMin: 2, latencyMax: 2}]}
- {llvmName: FMLAv2f64, name: fmla, latency: 4, throughput: 0.5, portPressure: [[1, [2, 3]]], slots: 1,
   operandLatencies: [{sourceOperand: '0', targetOperand: '0', latencyMin: 2, latencyMax: 2,
     variants: [{variant: another instruction computed the operand, latency: 4}]},
    {sourceOperand: '1', targetOperand: '0', latencyMin: 4, latencyMax: 4},
    {sourceOperand: '2', targetOperand: '0', latencyMin: 4, latencyMax: 4}]}
- {llvmName: FMLAv4f32, name: fmla, latency: 4, throughput: 0.5, portPressure: [[1, [2, 3]]], slots: 1,
   operandLatencies: [{sourceOperand: '0', targetOperand: '0', latencyMin: 2, latencyMax: 2,
     variants: [{variant: another instruction computed the operand, latency: 3}]},
    {sourceOperand: '1', targetOperand: '0', latencyMin: 4, latencyMax: 4}]}
- {llvmName: LDRXui, name: ldr, latency: 4, throughput: 0.3333,
   operands: [{class: register, name: GPR64, width: 64, write: true}, {class: memory, read: true}],
   operandLatencies: [{sourceOperand: 1.addr, targetOperand: '0', latencyMin: 4, latencyMax: 4},
    {sourceOperand: '1', targetOperand: '0', latencyMin: 2, latencyMax: 2}]}
- {llvmName: LDRXroX, name: ldr, latency: 5, throughput: 0.3333,
   operands: [{class: register, name: GPR64, width: 64, write: true}, {class: memory, read: true}],
   operandLatencies: [{sourceOperand: 1.addr, targetOperand: '0', latencyMin: 4, latencyMax: 4},
    {sourceOperand: 1.addr.index, targetOperand: '0', latencyMin: 5, latencyMax: 5}]}
- {llvmName: EORXrs, name: eor, latency: 1, throughput: 0.25, operandLatencies: [
    {sourceOperand: '1', targetOperand: '0', latencyMin: 0, latencyMax: 1, independence: possible}]}
- {llvmName: HINT, throughputStatus: 'failed: trap', latencyStatus: 'failed: trap'}
";

/// What is lost of it.
pub const AARCH64_LOSSES: &[&str] = &[
    "15 forms: 15 written in 14 classes; ports of 12 from the database",
    "a source is read at once behind what is not forwarded to it, which makes that later than it is: 1 (FMLAv4f32)",
    "a latency is rounded to whole cycles: 1 (SDIVXr)",
    "a source is read as early as its most urgent result needs it: 1 (ADCSXr)",
    "cycles on a port or resource are rounded, which changes its throughput: 1 (SDIVXr)",
    "a resource that it alone holds, for less than a cycle, is left out: 1 (FMULv2f64)",
    "what passes through memory has no time of its own: 1 (LDRXui)",
    "a latency is not known, and a cycle stands for it: 1 (EORXrs)",
];

/// Without ports; with a setting of the vector unit.
pub const RISCV: &str = "\
isa: riscv64
microArchitecture: sifive-p670
instructions:
- {llvmName: ADD, name: add, latency: 1, throughput: 0.25, operandLatencies: [
    {sourceOperand: '1', targetOperand: '0', latencyMin: 1, latencyMax: 1},
    {sourceOperand: '2', targetOperand: '0', latencyMin: 1, latencyMax: 1}]}
- {llvmName: MUL, name: mul, latency: 2, throughput: 0.5, operandLatencies: [
    {sourceOperand: '1', targetOperand: '0', latencyMin: 2, latencyMax: 2},
    {sourceOperand: '2', targetOperand: '0', latencyMin: 2, latencyMax: 2}]}
- {llvmName: DIV, name: div, latency: 20, throughput: 16, operandLatencies: [
    {sourceOperand: '1', targetOperand: '0', latencyMin: 20, latencyMax: 20}]}
- {llvmName: FMADD_D, name: fmadd.d, latency: 4, throughput: 0.5, operandLatencies: [
    {sourceOperand: '1', targetOperand: '0', latencyMin: 4, latencyMax: 4},
    {sourceOperand: '2', targetOperand: '0', latencyMin: 4, latencyMax: 4},
    {sourceOperand: '3', targetOperand: '0', latencyMin: 2, latencyMax: 2}]}
- {llvmName: LD, name: ld, latency: 3, throughput: 0.5,
   operands: [{class: register, name: GPR, width: 64, write: true}, {class: memory, read: true}],
   operandLatencies: [{sourceOperand: 1.addr, targetOperand: '0', latencyMin: 3, latencyMax: 3}]}
- {llvmName: VADD_VV, name: vadd.vv, latency: 2, throughput: 2.5, operandLatencies: [
    {sourceOperand: '1', targetOperand: '0', latencyMin: 2, latencyMax: 2}]}
- {llvmName: VADD_VV@e32m2, name: vadd.vv, latency: 2, throughput: 4, operandLatencies: [
    {sourceOperand: '1', targetOperand: '0', latencyMin: 2, latencyMax: 2}]}
";
