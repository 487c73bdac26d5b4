//! Kernels of matrix instructions as PTX text, which the driver compiles.
//!
//! Arguments: where records go (8 bytes), how often the loop runs (4), warps of a block (4), and of A and
//! of B the element that all are, and the bits of it that are another one in each lane (8 each, as
//! words of 64 bits). They come at run time, so that the compiler knows nothing of the numbers.
//!
//! The loop is kept as it is by a pragma, which must stand behind its label: in front of it the compiler
//! takes no notice, unrolls, and puts other code into the window.

use std::fmt::{self, Write as _};

use super::forms::{PtxForm, PtxKind};
use super::group::GROUP;
use crate::gpu::form::{ChainLink, Data, GpuExperiment, MatrixElement};
use crate::gpu::record;

/// Bytes of a kernel's arguments.
pub const ARGUMENTS: u32 = 48;
/// Instances in the loops of an experiment's two kernels. The difference of what they take has nothing of the
/// loop in it, which adds some cycles: on an H200 115 for 16 `mma` of 6 each.
pub const INSTANCES: [u32; 2] = [16, 32];
/// The same of independent `mma`. What the loop adds varies by a few cycles with where the compiler puts its
/// instructions, as none of them waits for the others: 205 cycles for 32 of those `mma`. So there are more.
pub const INDEPENDENT: [u32; 2] = [32, 128];
/// Registers of a thread that are left for results.
const MOST_RESULTS: u32 = 160;
/// Bytes of the tiles of a group in shared memory: of A, and behind it of B.
const TILE: u32 = 24576;
/// Where B begins, in units of descriptors, and their bytes.
const TILE_B: u32 = 0x200;
const DESCRIPTOR_UNIT: u32 = 16;
/// Bytes that a group stores at once.
const GROUP_BYTES: u32 = 4 * GROUP;

/// A processor as the compiler is told of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Processor {
    /// Its compute capability, times ten: 90 is an H100 or H200.
    pub capability: u32,
}

impl Processor {
    /// The target, with what only this processor has.
    #[must_use]
    pub fn target(self) -> String {
        let own = if self.capability >= 90 { "a" } else { "" };
        format!("sm_{}{own}", self.capability)
    }

    /// The oldest version of PTX that knows all of the processor's forms. (8.7 of a form with
    /// eight bits that adds halves, where the driver knows it.)
    #[must_use]
    pub fn version(self) -> &'static str {
        match self.capability {
            ..80 => "6.5",
            80..89 => "7.0",
            89 => "8.4",
            90..100 => "8.4",
            _ => "8.7",
        }
    }
}

/// The version that a form needs on a processor.
fn version(form: &PtxForm, processor: Processor) -> &'static str {
    let eight = [MatrixElement::F8E4, MatrixElement::F8E5];
    match (form.kind, eight.contains(&form.a.element), form.d) {
        (PtxKind::Dense | PtxKind::Sparse, true, MatrixElement::F16) => "8.7",
        (PtxKind::Dense, true, _) if form.shape.k == 16 => "8.7",
        (PtxKind::Sparse, ..) if processor.capability < 89 => "7.1",
        (PtxKind::Sparse, ..) if form.name.contains("ordered_metadata") => "8.5",
        _ => processor.version(),
    }
}

/// A kernel of a form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PtxKernel {
    /// What it finds out.
    pub experiment: GpuExperiment,
    /// Instances in its loop.
    pub instances: u32,
}

impl PtxKernel {
    /// The kernels of an experiment on a form.
    #[must_use]
    pub fn pair(form: &PtxForm, experiment: GpuExperiment) -> [Self; 2] {
        let lengths = match experiment {
            // (A unit works through what a group has handed it while the loop goes on.)
            GpuExperiment::Throughput(_) if form.kind != PtxKind::Group => INDEPENDENT,
            _ => INSTANCES,
        };
        lengths.map(|instances| Self { experiment, instances })
    }

    /// Its symbol.
    #[must_use]
    pub fn symbol(self) -> String {
        format!("winic_{}_{}", self.experiment.word(), self.instances)
    }
}

/// The text of a module with those of some kernels that the form allows, and which those are.
#[must_use]
pub fn module(
    form: &PtxForm,
    processor: Processor,
    kernels: &[PtxKernel],
) -> (Vec<PtxKernel>, String) {
    let mut text = format!(
        ".version {}\n.target {}\n.address_size 64\n",
        version(form, processor),
        processor.target()
    );
    let mut made = Vec::new();
    for &kernel in kernels {
        if let Some(body) = body(form, kernel) {
            made.push(kernel);
            text.push_str(&body);
        }
    }
    (made, text)
}

/// What every element of D grows by in an iteration with factors of ones; none where nothing says.
#[must_use]
pub fn growth(form: &PtxForm, kernel: PtxKernel) -> Option<u64> {
    let chains = match kernel.experiment {
        GpuExperiment::Latency(ChainLink::Addend) => 1,
        GpuExperiment::Latency(_) => return None,
        GpuExperiment::Throughput(_) if !form.chains() => return None,
        GpuExperiment::Throughput(chains) => chains,
    };
    // (Equal bits are different nowhere.)
    let growth = if form.name.contains("xor") { 0 } else { u64::from(form.growth()) };
    Some(u64::from(kernel.instances / chains) * growth)
}

/// Up to where sums of a form are exact, besides what the type of D allows. An H200 keeps 13 bits below the
/// largest of the products of eight bits and C when it adds them: ones are lost from 2^14 on (measured:
/// `wgmma` of `e4m3` stays at 16384 for any number of iterations).
#[must_use]
pub fn exact(form: &PtxForm) -> f64 {
    match form.a.element {
        MatrixElement::F8E4 | MatrixElement::F8E5 => 16384.0,
        _ => f64::INFINITY,
    }
}

/// The arguments behind where records go and how often the loop runs.
#[must_use]
pub fn operands(form: &PtxForm, experiment: GpuExperiment, data: Data) -> [u64; 4] {
    let of = |element: MatrixElement, stored: u32| {
        let value = |bits: u64| repeated(bits, stored);
        match data {
            Data::Ones => [value(element.one(false)), 0],
            Data::Zeros => [0, 0],
            Data::Random => [value(element.one(false)), value(element.free_bits())],
        }
    };
    let ([a, free_a], [b, free_b]) =
        (of(form.a.element, form.a.stored), of(form.b.element, form.b.stored));
    match experiment {
        // The result goes into one factor; with zeros in the other it stays what it was.
        GpuExperiment::Latency(ChainLink::Left | ChainLink::Right) => [0, 0, 0, 0],
        _ => [a, free_a, b, free_b],
    }
}

/// An element over and over in a word of 64 bits. (Of six bits in eight the others are zero.)
fn repeated(element: u64, stored: u32) -> u64 {
    (0..64 / stored).fold(0, |word, place| word | element.checked_shl(place * stored).unwrap_or(0))
}

#[derive(Default)]
struct PtxText(String);

impl PtxText {
    fn line(&mut self, line: impl fmt::Display) {
        let _ = writeln!(self.0, "    {line}");
    }
}

/// Names of so many registers, as an operand.
fn list(name: &str, count: u32) -> String {
    let names: Vec<String> = (0..count).map(|number| format!("%{name}_{number}")).collect();
    format!("{{{}}}", names.join(", "))
}

/// The kernel; none where the form does not allow the experiment.
fn body(form: &PtxForm, kernel: PtxKernel) -> Option<String> {
    let PtxKernel { experiment, instances } = kernel;
    let [d, a, b, _] = form.registers;
    let is_group = form.kind == PtxKind::Group;
    let chains = match experiment {
        GpuExperiment::Latency(ChainLink::Addend) if form.chains() => 1,
        GpuExperiment::Latency(ChainLink::Addend) => return None,
        // A of a group would have to be in registers, and no two instructions may share them in flight.
        GpuExperiment::Latency(_) if is_group => return None,
        GpuExperiment::Latency(_) => 2,
        GpuExperiment::Throughput(chains) => chains,
    };
    if d * chains > MOST_RESULTS {
        return None;
    }
    let rest = match experiment {
        GpuExperiment::Latency(ChainLink::Left) => a.saturating_sub(d),
        GpuExperiment::Latency(ChainLink::Right) => b.saturating_sub(d),
        _ => 0,
    };
    let mut text = PtxText::default();
    let _ = writeln!(
        text.0,
        ".visible .entry {}(.param .u64 out, .param .u32 iterations, .param .u32 warps, .param .u64 a, \
         .param .u64 free_a, .param .u64 b, .param .u64 free_b)",
        kernel.symbol()
    );
    text.0.push_str("{\n");
    let mut writer = PtxWriter { form, experiment, instances, chains, rest, text };
    writer.declare();
    writer.operands();
    writer.window();
    writer.record();
    writer.text.0.push_str("}\n");
    Some(writer.text.0)
}

struct PtxWriter<'a> {
    form: &'a PtxForm,
    experiment: GpuExperiment,
    instances: u32,
    chains: u32,
    /// Registers of the factor that the result before is, besides those of the result. Each chain has its own:
    /// a factor stands in registers that follow each other, and what two factors share is moved again and
    /// again.
    rest: u32,
    text: PtxText,
}

impl PtxWriter<'_> {
    fn is_group(&self) -> bool {
        self.form.kind == PtxKind::Group
    }

    /// Registers of results and of C.
    fn wide(element: MatrixElement) -> &'static str {
        if element == MatrixElement::F64 { ".f64" } else { ".b32" }
    }

    fn declare(&mut self) {
        let [d, a, b, c] = self.form.registers;
        let mut declare = |kind: &str, name: &str, count: u32| {
            (0..count)
                .for_each(|number| self.text.line(format_args!(".reg {kind} %{name}_{number};")));
        };
        let wide = Self::wide(self.form.d);
        (0..self.chains).for_each(|chain| declare(wide, &format!("d{chain}"), d));
        (0..self.chains).for_each(|chain| declare(wide, &format!("rest{chain}"), self.rest));
        declare(Self::wide(self.form.a.element), "a", a);
        declare(Self::wide(self.form.b.element), "b", b);
        declare(Self::wide(self.form.c), "c", c);
        self.text.line(".reg .pred p, q;");
        self.text
            .line(".reg .b32 %i, %n, %t, %w, %lane, %low, %high, %meta, %scale, %tile, %place;");
        self.text.line(
            ".reg .b64 %out, %x, %y, %free, %hash, %t0, %t1, %g0, %g1, %sink, %result, %da, %db;",
        );
        if self.is_group() {
            self.text.line(format_args!(".shared .align 128 .b8 tile[{TILE}];"));
        }
    }

    /// Puts what the arguments say into A and B.
    fn operands(&mut self) {
        for line in [
            "ld.param.u64 %out, [out];",
            "cvta.to.global.u64 %out, %out;",
            "mov.u32 %t, %tid.x;",
            "and.b32 %lane, %t, 31;",
            "mov.b32 %meta, 0x44444444;",
            "setp.eq.u32 p, 0, 0;",
        ] {
            self.text.line(line);
        }
        // One, as a power of two with a bias of 127, or with four bits of exponent.
        let one = if self.form.name.contains("ue4m3") { 0x3838_3838_u32 } else { 0x7f7f_7f7f };
        self.text.line(format_args!("mov.b32 %scale, {one:#x};"));
        let [_, a, b, _] = self.form.registers;
        self.factor(("a", "a"), (a, 1), self.form.a.element);
        if self.is_group() {
            self.tiles();
        } else {
            self.factor(("b", "b"), (b, 101), self.form.b.element);
        }
        let chains = if self.rest > 0 { self.chains } else { 0 };
        for chain in 0..chains {
            let first = 201 + chain * self.rest;
            self.factor((&format!("rest{chain}"), "a"), (self.rest, first), self.form.d);
        }
        let zero = if self.form.d == MatrixElement::F64 {
            "mov.f64 {}, 0d0000000000000000;"
        } else {
            "mov.b32 {}, 0;"
        };
        for chain in 0..self.chains {
            for number in 0..self.form.registers[0] {
                self.text.line(zero.replace("{}", &format!("%d{chain}_{number}")));
            }
        }
        let zero = if self.form.c == MatrixElement::F64 {
            "mov.f64 {}, 0d0000000000000000;"
        } else {
            "mov.b32 {}, 0;"
        };
        for number in 0..self.form.registers[3] {
            self.text.line(zero.replace("{}", &format!("%c_{number}")));
        }
    }

    /// The registers of a factor: the element of a parameter, with free bits of another value in each lane and
    /// register.
    fn factor(
        &mut self,
        (name, parameter): (&str, &str),
        (count, first): (u32, u32),
        element: MatrixElement,
    ) {
        self.text.line(format_args!("ld.param.u64 %x, [{parameter}];"));
        self.text.line(format_args!("ld.param.u64 %free, [free_{parameter}];"));
        for number in 0..count {
            self.hash(first + number);
            let register = format!("%{name}_{number}");
            if element == MatrixElement::F64 {
                self.text.line(format_args!("mov.b64 {register}, %y;"));
            } else {
                self.text.line(format_args!("cvt.u32.u64 {register}, %y;"));
            }
        }
    }

    /// The element with free bits filled, in `%y`.
    fn hash(&mut self, number: u32) {
        let start = u64::from(number).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        self.text.line("cvt.u64.u32 %hash, %t;");
        self.text.line(format_args!("add.u64 %hash, %hash, {number};"));
        self.text.line(format_args!("mul.lo.u64 %hash, %hash, {:#x};", start >> 1));
        self.text.line("shr.u64 %y, %hash, 29;");
        self.text.line("xor.b64 %hash, %hash, %y;");
        self.text.line("and.b64 %y, %hash, %free;");
        self.text.line("or.b64 %y, %y, %x;");
    }

    /// Fills shared memory with the elements of A and behind them those of B, and makes the descriptors: rows
    /// of 16 bytes, cores of eight rows after each other.
    fn tiles(&mut self) {
        self.text.line("mov.u32 %tile, tile;");
        // (Several groups of a block fill the same.)
        self.text.line(format_args!("and.b32 %i, %t, {};", GROUP - 1));
        self.text.line("mul.lo.u32 %i, %i, 4;");
        self.text.line("add.u32 %n, %tile, %i;");
        self.tile("a", TILE_B * DESCRIPTOR_UNIT);
        self.tile("b", TILE - TILE_B * DESCRIPTOR_UNIT);
        for line in [
            // Or the instruction does not see what the threads wrote.
            "fence.proxy.async;",
            "bar.sync 0;",
            "shr.u32 %i, %tile, 4;",
            "and.b32 %i, %i, 0x3fff;",
            "cvt.u64.u32 %da, %i;",
            "or.b64 %da, %da, 0x0000001000080000;",
        ] {
            self.text.line(line);
        }
        self.text.line(format_args!("add.u64 %db, %da, {TILE_B:#x};"));
    }

    /// Fills the next so many bytes from `%n` on with the elements of a factor.
    fn tile(&mut self, factor: &str, bytes: u32) {
        self.text.line(format_args!("ld.param.u64 %x, [{factor}];"));
        self.text.line(format_args!("ld.param.u64 %free, [free_{factor}];"));
        self.hash(7);
        self.text.line("cvt.u32.u64 %low, %y;");
        self.text.line("mov.u32 %i, 0;");
        let _ = writeln!(self.text.0, "fill_{factor}:");
        self.text.line("st.shared.b32 [%n], %low;");
        self.text.line(format_args!("add.u32 %n, %n, {GROUP_BYTES};"));
        self.text.line("add.u32 %i, %i, 1;");
        self.text.line(format_args!("setp.lt.u32 q, %i, {};", bytes / GROUP_BYTES));
        self.text.line(format_args!("@q bra fill_{factor};"));
    }

    fn window(&mut self) {
        // (Counted down, or the compiler loads the end of the loop in every iteration.)
        self.text.line("ld.param.u32 %i, [iterations];");
        self.text.line("bar.sync 0;");
        self.text.line("mov.u64 %g0, %globaltimer;");
        self.text.line("mov.u64 %t0, %clock64;");
        self.text.0.push_str("loop:\n");
        self.text.line(".pragma \"nounroll\";");
        if self.is_group() {
            self.group_instances();
        } else {
            (0..self.instances).for_each(|number| self.instance(number));
        }
        self.text.line("sub.u32 %i, %i, 1;");
        self.text.line("setp.ne.u32 q, %i, 0;");
        self.text.line("@q bra loop;");
        if self.is_group() {
            self.text.line("wgmma.wait_group.sync.aligned 0;");
        }
        self.text.line("mov.u64 %t1, %clock64;");
        self.text.line("mov.u64 %g1, %globaltimer;");
    }

    fn instance(&mut self, number: u32) {
        let [d, a, b, c] = self.form.registers;
        let own = number % self.chains;
        // Registers of a result, and others where there are more of the factor.
        let result = |count: u32| {
            let source = (number + 1) % self.chains;
            let name = |at: u32| match at.checked_sub(d) {
                None => format!("%d{source}_{at}"),
                Some(at) => format!("%rest{source}_{at}"),
            };
            let names: Vec<String> = (0..count).map(name).collect();
            format!("{{{}}}", names.join(", "))
        };
        let (left, right) = match self.experiment {
            GpuExperiment::Latency(ChainLink::Left) => (result(a), list("b", b)),
            GpuExperiment::Latency(ChainLink::Right) => (list("a", a), result(b)),
            _ => (list("a", a), list("b", b)),
        };
        let through_factor =
            matches!(self.experiment, GpuExperiment::Latency(ChainLink::Left | ChainLink::Right));
        let addend = match self.form.chains() && !through_factor {
            true => list(&format!("d{own}"), d),
            false => list("c", c),
        };
        let scales = ", %scale, {0, 0}, %scale, {0, 0}";
        let others = match self.form.kind {
            PtxKind::Dense | PtxKind::Group => String::new(),
            PtxKind::Sparse => ", %meta, 0x0".to_owned(),
            PtxKind::Scaled => scales.to_owned(),
            PtxKind::SparseScaled => format!(", %meta, 0x0{scales}"),
        };
        let own = list(&format!("d{own}"), d);
        self.text
            .line(format_args!("{} {own}, {left}, {right}, {addend}{others};", self.form.name));
    }

    /// For a latency every instruction is waited for; for a rate those of the iteration before, so that the
    /// unit has always something to do.
    fn group_instances(&mut self) {
        let waits_for_each = matches!(self.experiment, GpuExperiment::Latency(_));
        self.text.line("wgmma.fence.sync.aligned;");
        for number in 0..self.instances {
            let [d, a, ..] = self.form.registers;
            let own = list(&format!("d{}", number % self.chains), d);
            let left = if a > 0 { list("a", a) } else { "%da".to_owned() };
            let modifiers = self.form.group_modifiers();
            self.text.line(format_args!("{} {own}, {left}, %db, {modifiers};", self.form.name));
            let is_last = number + 1 == self.instances;
            if waits_for_each || is_last {
                let in_flight = u32::from(!waits_for_each);
                self.text.line("wgmma.commit_group.sync.aligned;");
                self.text.line(format_args!("wgmma.wait_group.sync.aligned {in_flight};"));
            }
            if waits_for_each && !is_last {
                self.text.line("wgmma.fence.sync.aligned;");
            }
        }
    }

    /// The first bits of a chain's result, in `%x`.
    fn bits(&mut self, chain: u32) {
        match self.form.d {
            MatrixElement::F64 => self.text.line(format_args!("mov.b64 %x, %d{chain}_0;")),
            _ => self.text.line(format_args!("cvt.u64.u32 %x, %d{chain}_0;")),
        }
    }

    /// The first lane writes the record of its warp. All results go into it, or the compiler would leave
    /// out what nobody asks for.
    fn record(&mut self) {
        self.bits(0);
        self.text.line("mov.b64 %result, %x;");
        self.text.line("mov.b64 %sink, 0;");
        for chain in 1..self.chains {
            self.bits(chain);
            self.text.line("xor.b64 %sink, %sink, %x;");
        }
        for line in [
            "setp.ne.u32 q, %lane, 0;",
            "@q bra done;",
            "shr.u32 %t, %t, 5;",
            "mov.u32 %i, %ctaid.x;",
            "ld.param.u32 %w, [warps];",
            "mad.lo.u32 %t, %i, %w, %t;",
        ] {
            self.text.line(line);
        }
        self.text.line(format_args!("mul.wide.u32 %x, %t, {};", record::BYTES));
        self.text.line("add.u64 %out, %out, %x;");
        self.text.line("mov.u32 %place, %smid;");
        self.text.line("cvt.u64.u32 %y, %place;");
        self.text.line("shl.b64 %sink, %sink, 32;");
        self.text.line("or.b64 %y, %y, %sink;");
        self.text.line("cvt.u64.u32 %x, %t;");
        let [low, high] = record::MARK_WORDS;
        let mark = u64::from(high) << 32 | u64::from(low);
        self.text.line(format_args!("mov.b64 %free, {mark:#x};"));
        let words = ["%t0", "%t1", "%g0", "%g1", "%y", "%result", "%x", "%free"];
        for (place, word) in words.iter().enumerate() {
            self.text.line(format_args!("st.global.u64 [%out+{}], {word};", 8 * place));
        }
        self.text.0.push_str("done:\n");
        self.text.line("ret;");
    }
}
