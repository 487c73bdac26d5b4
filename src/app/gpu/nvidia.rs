//! NVIDIA's GPUs.

use super::bench::{self, BenchKernel, GpuBench};
use super::{Failure, Vendor};
use crate::cli::{DeviceChoice, Global};
use crate::device::gpu::GpuDevice;
use crate::gpu::form::{Data, GpuExperiment, MatrixElement, MatrixOperand};
use crate::gpu::model::RegisterRoom;
use crate::gpu::nvidia::{
    GROUP, Processor, PtxForm, PtxKernel, PtxKind, WARP, count, exact, group_forms, growth, is_mma,
    module, of_intrinsic, operands,
};
use crate::gpu::{AskedOfGpu, ClockBits, GpuFindings, NamedForm, NamedOperand};
use crate::llvm::intrinsics;

/// Iterations of the shorter launch.
const ITERATIONS: u32 = 256;
/// The first capability with kinds of factors and scales.
const SCALED: u32 = 100;
/// The note of the compiler that it has put a wait behind every instruction of a group.
const SERIALISED: &str = "C7510";

struct Nvidia {
    processor: Processor,
    forms: Vec<PtxForm>,
    device: Option<GpuDevice>,
}

/// Opens the GPU, or the processor that the options name.
pub(super) fn open(global: &Global, device: Option<GpuDevice>) -> Result<Box<dyn Vendor>, Failure> {
    if matches!(global.device, Some(DeviceChoice::Simulator(_))) {
        return Err(Failure::new(
            "LLVM has no scheduling model of NVIDIA's GPUs: use --device cuda",
        ));
    }
    let named = global.cpu.as_deref().map(capability).transpose()?;
    let own = device.as_ref().and_then(|device| device.facts().capability);
    let capability =
        named.or(own).ok_or_else(|| Failure::new("name the processor with -c, as in -c sm_90"))?;
    let all = intrinsics(is_mma);
    let warps = all.iter().filter_map(|it| of_intrinsic(&it.name, it.signature.as_deref()?));
    let groups = if capability == 90 { group_forms() } else { Vec::new() };
    // (Of these the assembler knows nothing before.)
    let is_there = |form: &PtxForm| capability >= SCALED || !form.name.contains("kind::");
    let forms = warps.filter(is_there).chain(groups).collect();
    Ok(Box::new(Nvidia { processor: Processor { capability }, forms, device }))
}

/// The number in `sm_90`.
fn capability(name: &str) -> Result<u32, Failure> {
    let digits = name.strip_prefix("sm_").map(|digits| digits.trim_end_matches(['a', 'f']));
    let number = digits.and_then(|digits| digits.parse().ok());
    number.ok_or_else(|| {
        Failure::new(format!("'{name}' is no processor of NVIDIA's: as in -c sm_90"))
    })
}

impl Vendor for Nvidia {
    fn forms(&self) -> Vec<NamedForm> {
        self.forms.iter().map(named).collect()
    }

    fn measure(&mut self, form: usize, asked: AskedOfGpu) -> Result<GpuFindings, Failure> {
        let experiments = GpuExperiment::ALL.into_iter().filter(|it| asked.wants(*it));
        let kernels: Vec<PtxKernel> = experiments
            .flat_map(|experiment| PtxKernel::pair(&self.forms[form], experiment))
            .collect();
        let bench = self.bench(form, &kernels, Data::Ones);
        let Some(device) = &mut self.device else { return Ok(GpuFindings::new()) };
        bench::findings(device, &bench, |answer, kernel| match &answer.module {
            Ok(module) => remark(&module.compiled, &module.log, kernel),
            Err(reason) => Err(reason.clone()),
        })
    }

    fn kernel(
        &mut self,
        form: usize,
        experiment: GpuExperiment,
        data: Data,
    ) -> Result<Option<GpuBench>, Failure> {
        let [kernel, _] = PtxKernel::pair(&self.forms[form], experiment);
        let bench = self.bench(form, &[kernel], data);
        Ok((!bench.kernels.is_empty()).then_some(bench))
    }

    fn texts(
        &mut self,
        form: usize,
        asked: AskedOfGpu,
    ) -> Result<Vec<(GpuExperiment, String)>, Failure> {
        let asked = GpuExperiment::ALL.into_iter().filter(|it| asked.wants(*it));
        let text = |experiment| {
            let kernels = PtxKernel::pair(&self.forms[form], experiment);
            let (made, text) = module(&self.forms[form], self.processor, &kernels);
            (!made.is_empty()).then_some((experiment, text))
        };
        Ok(asked.filter_map(text).collect())
    }

    /// The driver compiles the text: it is the module.
    fn extensions(&self) -> [&'static str; 2] {
        ["ptx", "ptx"]
    }

    fn device(&mut self) -> Option<&mut GpuDevice> {
        self.device.as_mut()
    }

    fn sweeps_one_unit(&self) -> bool {
        true
    }

    /// Of a multiprocessor, which is the same in all that have these instructions, to within the most.
    fn room(&self) -> Option<RegisterRoom> {
        let most = if self.processor.capability.is_multiple_of(10) { 64 } else { 48 };
        Some(RegisterRoom { registers: 65536 / WARP, step: 8, most })
    }

    fn elements(&self, name: &str) -> Option<[MatrixElement; 2]> {
        let form = self.forms.iter().find(|form| form.word() == name)?;
        Some([form.a.element, form.d])
    }

    fn describe(&self, form: usize) -> String {
        let form = &self.forms[form];
        format!("{}  {}", form.word(), form.shape)
    }
}

/// What stands beside a figure: that the instruction became several, that the compiler serialised them, or
/// that nothing could be counted; or why what was timed is no such instruction.
fn remark(compiled: &[u8], log: &str, kernel: &BenchKernel) -> Result<Option<String>, String> {
    if log.contains(SERIALISED) {
        return Ok(Some(format!("the compiler serialised it ({SERIALISED})")));
    }
    let instances = kernel.instances;
    match count(compiled, &kernel.symbol) {
        Ok(counted) if counted.is_merged(instances) => Err(format!(
            "the compiler left {} matrix instructions of {instances}: it is done in another way here",
            counted.matrix()
        )),
        Ok(counted) => {
            Ok(counted.expansion(instances).map(|what| format!("an instance is {what}")))
        }
        Err(error) => Ok(Some(format!("machine instructions not counted: {error}"))),
    }
}

fn named(form: &PtxForm) -> NamedForm {
    let [d, a, b, c] = form.registers;
    let operand = |role, registers: u32, name: &str| NamedOperand {
        role,
        name: name.to_owned(),
        width: 32 * registers,
    };
    let mut operands = vec![
        operand(MatrixOperand::D, d, "D"),
        operand(MatrixOperand::A, a, form.a.name),
        operand(MatrixOperand::B, b, form.b.name),
    ];
    // A group adds to what it writes.
    if form.kind != PtxKind::Group {
        operands.push(operand(MatrixOperand::C, c, "C"));
    }
    let mnemonic = form.name.split('.').next().unwrap_or_default().to_owned();
    NamedForm { name: form.word(), mnemonic, operands }
}

impl Nvidia {
    fn bench(&self, form: usize, kernels: &[PtxKernel], data: Data) -> GpuBench {
        let form = &self.forms[form];
        let (made, text) = module(form, self.processor, kernels);
        let kernels = made.iter().map(|&kernel| BenchKernel {
            experiment: kernel.experiment,
            symbol: kernel.symbol(),
            instances: kernel.instances,
            iterations: ITERATIONS,
            arguments: operands(form, kernel.experiment, data)
                .iter()
                .flat_map(|word| word.to_le_bytes())
                .collect(),
            growth: growth(form, kernel).filter(|_| data == Data::Ones).map(|it| it as f64),
        });
        let threads = if form.kind == PtxKind::Group { GROUP } else { WARP };
        GpuBench {
            module: text.into_bytes().into(),
            kernels: kernels.collect(),
            clock: ClockBits::WHOLE,
            d: form.d,
            exact: exact(form),
            operations: form.shape.operations() as f64,
            threads,
            lanes: WARP,
        }
    }
}
