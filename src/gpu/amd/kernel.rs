//! Kernels of matrix instructions as the text of AMD's code objects.
//!
//! A kernel is run by any number of wavefronts. Each reads its clocks, goes through a loop of one body,
//! waits until the last result is there, reads the clocks again and writes a record. Arguments are
//! where records go (8 bytes), and how often the loop runs (4 bytes).

use std::fmt::{self, Write as _};

use super::forms::{AmdForm, File};
use super::registers::{Body, FACTORS, RESULTS, Span};
use super::target::{AmdTarget, Generation, KernelClock, TRIPLE};
use super::waits::{Wait, between};
use crate::codec::{CodeError, Codec};
use crate::gpu::form::{ChainLink, Data, MatrixElement};
use crate::gpu::record;

/// Bytes of a kernel's arguments.
pub const ARGUMENTS: u32 = 16;

/// A kernel to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AmdKernel {
    /// Its symbol.
    pub symbol: String,
    /// What its loop holds.
    pub body: Body,
    /// How an instance depends on the one before it; none where all are independent.
    pub link: Option<ChainLink>,
    /// What stands in the factors.
    pub data: Data,
}

/// The text of one code object with some kernels, each of its form.
///
/// # Errors
/// When the codec cannot print an instance.
pub fn module(
    target: &AmdTarget,
    kernels: &[(&AmdForm, AmdKernel)],
    codec: &mut dyn Codec,
) -> Result<String, CodeError> {
    let mut text = Assembly::default();
    text.line(format_args!(".amdgcn_target \"{TRIPLE}--{}\"", target.name));
    text.line(".amdhsa_code_object_version 5");
    text.line(".text");
    for (form, kernel) in kernels {
        AmdWriter { target, form, kernel, text: &mut text }.kernel(codec)?;
    }
    kernels.iter().for_each(|(_, kernel)| descriptor(target, kernel, &mut text));
    metadata(target, kernels, &mut text);
    Ok(text.0)
}

/// Lines of assembly.
#[derive(Default)]
struct Assembly(String);

impl Assembly {
    fn line(&mut self, line: impl fmt::Display) {
        let _ = writeln!(self.0, "    {line}");
    }

    fn label(&mut self, label: impl fmt::Display) {
        let _ = writeln!(self.0, "{label}:");
    }
}

struct AmdWriter<'a> {
    target: &'a AmdTarget,
    form: &'a AmdForm,
    kernel: &'a AmdKernel,
    text: &'a mut Assembly,
}

impl AmdWriter<'_> {
    fn kernel(&mut self, codec: &mut dyn Codec) -> Result<(), CodeError> {
        let symbol = &self.kernel.symbol;
        self.text.line(format_args!(".globl {symbol}"));
        self.text.line(".p2align 8");
        self.text.line(format_args!(".type {symbol},@function"));
        self.text.label(symbol);
        self.arguments();
        self.operands();
        self.results();
        self.wait_long();
        self.read_clock(8, 18);
        self.text.line(".p2align 6");
        self.text.label(format_args!(".L{symbol}_loop"));
        self.instances(codec)?;
        self.text.line("s_sub_u32 s6, s6, 1");
        self.text.line("s_cmp_lg_u32 s6, 0");
        self.text.line(format_args!("s_cbranch_scc1 .L{symbol}_loop"));
        self.wait_long();
        self.first_result();
        self.read_clock(10, 20);
        self.record();
        self.text.line("s_endpgm");
        self.text.label(format_args!(".L{symbol}_end"));
        self.text.line(format_args!(".size {symbol}, .L{symbol}_end-{symbol}"));
        Ok(())
    }

    fn is_cdna(&self) -> bool {
        self.target.generation == Generation::Cdna
    }

    /// Lines of one generation or of the others.
    fn either(&mut self, cdna: &[&str], others: &[&str]) {
        let lines = if self.is_cdna() { cdna } else { others };
        lines.iter().for_each(|line| self.text.line(line));
    }

    fn arguments(&mut self) {
        self.either(
            &["s_load_dwordx2 s[4:5], s[0:1], 0x0", "s_load_dwordx2 s[6:7], s[0:1], 0x8"],
            &["s_load_b64 s[4:5], s[0:1], 0x0", "s_load_b64 s[6:7], s[0:1], 0x8"],
        );
        let item =
            if self.target.packed_item { "v_and_b32 v1, 0x3ff, v0" } else { "v_mov_b32 v1, v0" };
        self.text.line(item);
        let place = match self.target.generation {
            Generation::Cdna => "HW_REG_HW_ID",
            Generation::Rdna3 => "HW_REG_HW_ID1",
            Generation::Rdna4 => "HW_REG_WAVE_HW_ID1",
        };
        self.text.line(format_args!("s_getreg_b32 s12, hwreg({place})"));
        self.text.line(match self.target.has_dies {
            true => "s_getreg_b32 s17, hwreg(HW_REG_XCC_ID)",
            false => "s_mov_b32 s17, 0",
        });
        self.wait_memory();
    }

    /// Factors, indices and scales.
    fn operands(&mut self) {
        let Some(product) = self.form.product else { return };
        let Body { a, b, index, scales, .. } = self.kernel.body.clone();
        // A chain through one factor has zeros in the other: C is what comes out, whatever goes in.
        let through_factor = matches!(self.kernel.link, Some(ChainLink::Left | ChainLink::Right));
        for (span, element) in [(a, product.a), (b, product.b)] {
            let Some(span) = span else { continue };
            match self.kernel.data {
                _ if through_factor => self.fill(span, 0, element),
                Data::Ones => self.fill(span, element.one(self.target.fnuz), element),
                Data::Zeros => self.fill(span, 0, element),
                Data::Random => self.random(span, element),
            }
        }
        // Of each four elements of A the first two are there.
        if let Some(index) = index {
            index.numbers().for_each(|number| self.set(index.file, number, 0x4444_4444));
        }
        // Powers of two with a bias of 127.
        for scale in scales {
            scale.numbers().for_each(|number| self.set(scale.file, number, 0x7f7f_7f7f));
        }
    }

    fn results(&mut self) {
        let Some(product) = self.form.product else { return };
        let Body { results, addend, .. } = self.kernel.body.clone();
        for span in results {
            self.fill(span, 0, product.d);
        }
        if let Some(addend) = addend {
            let through_factor =
                matches!(self.kernel.link, Some(ChainLink::Left | ChainLink::Right));
            let value = if through_factor { product.c.one(self.target.fnuz) } else { 0 };
            self.fill(addend, value, product.c);
        }
    }

    /// Every element of some registers the same.
    fn fill(&mut self, span: Span, value: u64, element: MatrixElement) {
        let words = element.words(value, span.count);
        span.numbers().zip(words).for_each(|(number, word)| self.set(span.file, number, word));
    }

    /// Another number between one and two in each lane and register.
    fn random(&mut self, span: Span, element: MatrixElement) {
        let ones = element.words(element.one(self.target.fnuz), span.count);
        let free = element.words(element.free_bits(), span.count);
        for ((number, one), free) in span.numbers().zip(ones).zip(free) {
            // (A step of a linear congruence, from another place in each register.)
            let start = number.wrapping_mul(0x9e37_79b9) | 1;
            self.text.line(format_args!("v_mov_b32 v2, {start:#x}"));
            self.text.line("v_mul_lo_u32 v2, v1, v2");
            self.text.line(format_args!("v_xor_b32 v2, {:#x}, v2", start.rotate_left(13)));
            self.text.line(format_args!("v_and_b32 v2, {free:#x}, v2"));
            self.text.line(format_args!("v_or_b32 v{number}, {one:#x}, v2"));
        }
    }

    fn set(&mut self, file: File, number: u32, word: u32) {
        match file {
            File::Vector => self.text.line(format_args!("v_mov_b32 v{number}, {word:#x}")),
            File::Accumulator if word == 0 => {
                self.text.line(format_args!("v_accvgpr_write_b32 a{number}, 0"));
            }
            File::Accumulator => {
                self.text.line(format_args!("v_mov_b32 v2, {word:#x}"));
                self.either(&["s_nop 1"], &[]);
                self.text.line(format_args!("v_accvgpr_write_b32 a{number}, v2"));
            }
        }
    }

    fn instances(&mut self, codec: &mut dyn Codec) -> Result<(), CodeError> {
        let wait = match (self.kernel.link, &self.form.product) {
            (Some(link), Some(product)) => between(self.target, product, link),
            _ => Wait::None,
        };
        for instance in &self.kernel.body.instances {
            match wait {
                Wait::None => {}
                Wait::States(states) => {
                    let whole = (0..states / 16).map(|_| 15);
                    let rest = (!states.is_multiple_of(16)).then(|| states % 16 - 1);
                    whole
                        .chain(rest)
                        .for_each(|count| self.text.line(format_args!("s_nop {count}")));
                }
                Wait::Vector(count) => (0..count).for_each(|_| self.text.line("v_nop")),
            }
            let text = codec.print(instance)?;
            self.text.line(text.split_whitespace().collect::<Vec<_>>().join(" "));
        }
        Ok(())
    }

    /// Longer than any instruction takes until others may use its result.
    fn wait_long(&mut self) {
        self.text.line("s_nop 15");
        self.text.line("s_nop 15");
    }

    fn wait_memory(&mut self) {
        self.text.line(match self.target.generation {
            Generation::Rdna4 => "s_wait_kmcnt 0x0",
            Generation::Cdna | Generation::Rdna3 => "s_waitcnt lgkmcnt(0)",
        });
    }

    /// Reads the unit's clock into one pair of registers, and the real time into another.
    fn read_clock(&mut self, clock: u32, real: u32) {
        let (high, last) = (clock + 1, real + 1);
        match self.target.clock {
            KernelClock::MemoryTime => {
                self.text.line(format_args!("s_memrealtime s[{real}:{last}]"));
                self.text.line(format_args!("s_memtime s[{clock}:{high}]"));
                self.wait_memory();
                return;
            }
            KernelClock::ShortCycles | KernelClock::LongCycles => {}
        }
        self.text.line(format_args!(
            "s_sendmsg_rtn_b64 s[{real}:{last}], sendmsg(MSG_RTN_GET_REALTIME)"
        ));
        self.wait_memory();
        if self.target.clock == KernelClock::ShortCycles {
            self.text
                .line(format_args!("s_getreg_b32 s{clock}, hwreg(HW_REG_SHADER_CYCLES, 0, 20)"));
            self.text.line(format_args!("s_mov_b32 s{high}, 0"));
        } else {
            self.text.line(format_args!("s_getreg_b32 s{high}, hwreg(HW_REG_SHADER_CYCLES_HI)"));
            self.text.line(format_args!("s_getreg_b32 s{clock}, hwreg(HW_REG_SHADER_CYCLES_LO)"));
        }
    }

    /// The first registers of the first result, in scalar registers.
    fn first_result(&mut self) {
        let Some(&first) = self.kernel.body.results.first() else { return };
        let words = first.count.min(2);
        for (place, scalar) in (0..words).zip([13, 16]) {
            let number = first.first + place;
            match first.file {
                File::Accumulator => {
                    self.text.line(format_args!("v_accvgpr_read_b32 v6, a{number}"));
                    self.text.line("s_nop 1");
                    self.text.line(format_args!("v_readfirstlane_b32 s{scalar}, v6"));
                }
                File::Vector => {
                    self.text.line(format_args!("v_readfirstlane_b32 s{scalar}, v{number}"))
                }
            }
        }
        if words < 2 {
            self.text.line("s_mov_b32 s16, 0");
        }
        self.text.line("s_nop 7");
    }

    /// The first lane writes the record of its wavefront.
    fn record(&mut self) {
        let lanes = self.target.lanes;
        let wide = lanes == 64;
        let shift = lanes.ilog2();
        self.text.line(format_args!("v_and_b32 v7, {}, v1", lanes - 1));
        let mask = if wide { "vcc" } else { "vcc_lo" };
        self.text.line(format_args!("v_cmp_eq_u32 {mask}, 0, v7"));
        let saved = if wide {
            "s_and_saveexec_b64 s[14:15], vcc"
        } else {
            "s_and_saveexec_b32 s14, vcc_lo"
        };
        self.text.line(saved);
        self.text.line(format_args!("v_lshrrev_b32 v1, {shift}, v1"));
        // Wavefronts of a workgroup: the third argument's high half says how many.
        let group = match self.target.generation {
            Generation::Rdna4 => "ttmp9",
            Generation::Cdna | Generation::Rdna3 => "s2",
        };
        self.text.line(format_args!("s_mul_i32 s22, {group}, s7"));
        let add = if self.is_cdna() { "v_add_u32" } else { "v_add_nc_u32" };
        self.text.line(format_args!("{add} v1, s22, v1"));
        self.text.line(format_args!("v_lshlrev_b32 v8, {}, v1", record::BYTES.ilog2()));
        let words = [8, 9, 10, 11, 18, 19, 20, 21, 12, 17, 13, 16];
        for (vector, scalar) in (FACTORS..).zip(words) {
            self.text.line(format_args!("v_mov_b32 v{vector}, s{scalar}"));
        }
        let number = FACTORS + words.len() as u32;
        self.text.line(format_args!("v_mov_b32 v{number}, v1"));
        self.text.line(format_args!("v_mov_b32 v{}, 0", number + 1));
        for (place, half) in record::MARK_WORDS.into_iter().enumerate() {
            self.text.line(format_args!("v_mov_b32 v{}, {half:#x}", number + 2 + place as u32));
        }
        let store = if self.is_cdna() { "global_store_dwordx4" } else { "global_store_b128" };
        for quarter in 0..4 {
            let first = FACTORS + 4 * quarter;
            let offset = 16 * quarter;
            let last = first + 3;
            self.text.line(format_args!("{store} v8, v[{first}:{last}], s[4:5] offset:{offset}"));
        }
    }
}

/// Registers of a kernel: vector registers, and accumulators.
fn registers(kernel: &AmdKernel) -> (u32, u32) {
    let Body { results, addend, .. } = &kernel.body;
    let end = |file: File, least: u32| {
        let spans = results.iter().chain(addend).filter(|span| span.file == file);
        spans.map(|span| span.first + span.count).max().unwrap_or(0).max(least)
    };
    (end(File::Vector, RESULTS).next_multiple_of(4), end(File::Accumulator, 0).next_multiple_of(4))
}

/// The vector registers that a wavefront takes: in one file accumulators come behind the others.
fn taken(target: &AmdTarget, kernel: &AmdKernel) -> u32 {
    let (vector, accumulators) = registers(kernel);
    if target.unified_registers { vector + accumulators } else { vector.max(accumulators) }
}

/// Scalar registers that kernels use.
const SCALARS: u32 = 24;

fn descriptor(target: &AmdTarget, kernel: &AmdKernel, text: &mut Assembly) {
    text.line(".rodata");
    text.line(".p2align 6");
    text.line(format_args!(".amdhsa_kernel {}", kernel.symbol));
    let mut set = |name: &str, value: u32| text.line(format_args!("    .amdhsa_{name} {value}"));
    set("user_sgpr_kernarg_segment_ptr", 1);
    set("user_sgpr_count", 2);
    set("system_sgpr_workgroup_id_x", 1);
    set("system_vgpr_workitem_id", 0);
    set("next_free_vgpr", taken(target, kernel));
    if target.unified_registers {
        set("accum_offset", registers(kernel).0);
    }
    set("next_free_sgpr", SCALARS);
    set("reserve_vcc", 1);
    if target.generation != Generation::Cdna {
        set("wavefront_size32", (target.lanes == 32).into());
    }
    set("kernarg_size", ARGUMENTS);
    set("group_segment_fixed_size", 0);
    set("private_segment_fixed_size", 0);
    text.line(".end_amdhsa_kernel");
}

fn metadata(target: &AmdTarget, kernels: &[(&AmdForm, AmdKernel)], text: &mut Assembly) {
    text.line(".amdgpu_metadata");
    let mut yaml = String::from("---\namdhsa.version: [ 1, 2 ]\n");
    let _ = writeln!(yaml, "amdhsa.target: {TRIPLE}--{}\namdhsa.kernels:", target.name);
    for (_, kernel) in kernels {
        let (symbol, (_, accumulators)) = (&kernel.symbol, registers(kernel));
        let _ = write!(
            yaml,
            "  - .name: {symbol}\n    .symbol: {symbol}.kd\n    .kernarg_segment_size: {ARGUMENTS}\n    \
             .kernarg_segment_align: 8\n    .group_segment_fixed_size: 0\n    \
             .private_segment_fixed_size: 0\n    .wavefront_size: {}\n    .sgpr_count: {}\n    \
             .vgpr_count: {}\n",
            target.lanes,
            SCALARS + 6,
            taken(target, kernel),
        );
        if target.generation == Generation::Cdna {
            let _ = writeln!(yaml, "    .agpr_count: {accumulators}");
        }
        yaml.push_str("    .max_flat_workgroup_size: 1024\n    .args:\n");
        yaml.push_str("      - { .name: out, .offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global }\n");
        yaml.push_str(
            "      - { .name: iterations, .offset: 8, .size: 4, .value_kind: by_value }\n",
        );
        yaml.push_str(
            "      - { .name: wavefronts, .offset: 12, .size: 4, .value_kind: by_value }\n",
        );
    }
    yaml.push_str("...\n");
    text.0.push_str(&yaml);
    text.line(".end_amdgpu_metadata");
}
