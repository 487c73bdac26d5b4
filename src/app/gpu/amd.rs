//! AMD's GPUs, and LLVM's models of them.

use super::bench::{self, BenchKernel, GpuBench};
use super::{Failure, Vendor};
use crate::answer::Cause;
use crate::assemble::Linker;
use crate::cli::{DeviceChoice, Global};
use crate::codec::Codec as _;
use crate::device::Fault;
use crate::device::gpu::GpuDevice;
use crate::gpu::amd::target::{Generation, KernelClock};
use crate::gpu::amd::{
    AmdForm, AmdKernel, AmdTarget, INSTANCES, RegisterNames, TRIPLE, growth, kernel, kernels,
    matrix_forms, module, vector_forms,
};
use crate::gpu::form::{Data, GpuExperiment, MatrixElement, MatrixOperand};
use crate::gpu::model::RegisterRoom;
use crate::gpu::{AskedOfGpu, ClockBits, GpuFinding, GpuFindings, NamedForm, NamedOperand};
use crate::llvm::{Llvm, Loads, Simulator, TargetChoice};
use crate::metadata::InstructionSet;
use crate::pipeline::PipelineError;

/// Iterations of the shorter launch; with a clock of 20 bits a window must be shorter than it.
const ITERATIONS: u32 = 1000;
const SHORT_ITERATIONS: u32 = 400;

struct Amd {
    target: AmdTarget,
    llvm: Llvm,
    set: InstructionSet,
    names: RegisterNames,
    forms: Vec<AmdForm>,
    model: Option<Simulator>,
    device: Option<GpuDevice>,
    linker: Option<Linker>,
}

/// Opens the target that the options name.
pub(super) fn open(global: &Global, device: Option<GpuDevice>) -> Result<Box<dyn Vendor>, Failure> {
    let (is_model, of_model) = match &global.device {
        Some(DeviceChoice::Simulator(cpu)) => (true, cpu.as_deref()),
        _ => (false, None),
    };
    let names = AmdTarget::names().join(", ");
    let name = of_model
        .or(global.cpu.as_deref())
        .ok_or_else(|| Failure::new(format!("name the GPU with -c: {names}")))?;
    let target = AmdTarget::by_name(name).ok_or_else(|| {
        Failure::new(format!("{name} is no GPU with matrix instructions; there are {names}"))
    })?;
    let choice = TargetChoice {
        triple: TRIPLE.to_owned(),
        cpu: target.name.to_owned(),
        features: target.features().to_owned(),
    };
    let mut llvm = Llvm::new(choice.clone()).map_err(PipelineError::from)?;
    let set = llvm.instruction_set();
    let matrix = matrix_forms(&target, &set, &mut llvm);
    let matrix = matrix.into_iter().filter(|form| form.product.is_some());
    let forms = matrix.chain(vector_forms(&target, &set, &mut llvm)).collect();
    let model =
        is_model.then(|| Simulator::new(&choice, &[])).transpose().map_err(PipelineError::from)?;
    let linker = device.as_ref().map(|_| Linker::find()).transpose()?;
    let names = RegisterNames::of(&set);
    Ok(Box::new(Amd { target, llvm, set, names, forms, model, device, linker }))
}

impl Vendor for Amd {
    fn forms(&self) -> Vec<NamedForm> {
        self.forms.iter().map(|form| self.named(form)).collect()
    }

    fn measure(&mut self, form: usize, asked: AskedOfGpu) -> Result<GpuFindings, Failure> {
        let made = kernels((&self.set, &self.names), &self.forms[form], Data::Ones);
        let made = made.into_iter().filter(|(experiment, _)| asked.wants(*experiment)).collect();
        if self.model.is_some() { self.modelled(made) } else { self.run(form, made) }
    }

    fn kernel(
        &mut self,
        form: usize,
        experiment: GpuExperiment,
        data: Data,
    ) -> Result<Option<GpuBench>, Failure> {
        let made = kernel((&self.set, &self.names), &self.forms[form], experiment, data);
        made.map(|kernel| self.bench(form, &[(experiment, kernel)], data)).transpose()
    }

    fn texts(
        &mut self,
        form: usize,
        asked: AskedOfGpu,
    ) -> Result<Vec<(GpuExperiment, String)>, Failure> {
        let form = &self.forms[form];
        let made = kernels((&self.set, &self.names), form, Data::Ones).into_iter();
        let text = |(experiment, kernel): (GpuExperiment, AmdKernel)| {
            let text = module(&self.target, &[(form, kernel)], &mut self.llvm);
            let text = text.map_err(|error| Failure::new(format!("{}: {error}", form.name)))?;
            Ok((experiment, text))
        };
        made.filter(|(experiment, _)| asked.wants(*experiment)).map(text).collect()
    }

    fn extensions(&self) -> [&'static str; 2] {
        ["s", "co"]
    }

    fn device(&mut self) -> Option<&mut GpuDevice> {
        self.device.as_mut()
    }

    fn sweeps_one_unit(&self) -> bool {
        false
    }

    /// Of a compute unit, which has four files of registers; of CDNA, whose files are documented so.
    fn room(&self) -> Option<RegisterRoom> {
        match (self.target.generation, self.target.unified_registers) {
            (Generation::Cdna, true) => {
                Some(RegisterRoom { registers: 4 * 512, step: 8, most: 32 })
            }
            (Generation::Cdna, false) => {
                Some(RegisterRoom { registers: 4 * 256, step: 4, most: 40 })
            }
            _ => None,
        }
    }

    fn elements(&self, name: &str) -> Option<[MatrixElement; 2]> {
        let form = self.forms.iter().find(|form| form.name == name)?;
        form.product.map(|product| [product.a, product.d])
    }

    fn describe(&self, form: usize) -> String {
        let form = &self.forms[form];
        let shape = form.product.map_or_else(String::new, |product| match product.is_of_matrix() {
            true => product.shape.to_string(),
            false => format!("{} elements", product.shape.blocks),
        });
        format!("{}  {}  {shape}", form.name, form.mnemonic)
    }
}

impl Amd {
    fn named(&self, form: &AmdForm) -> NamedForm {
        let operands = form.operands.iter().map(|operand| NamedOperand {
            role: operand.role,
            name: self.set.class(operand.class).name.clone(),
            width: 32 * operand.registers,
        });
        NamedForm {
            name: form.name.clone(),
            mnemonic: form.mnemonic.clone(),
            operands: operands.collect(),
        }
    }

    /// What LLVM's scheduling model says: in its units, which are four cycles on CDNA.
    fn modelled(&mut self, made: Vec<(GpuExperiment, AmdKernel)>) -> Result<GpuFindings, Failure> {
        let Some(unit) = self.target.model_unit else {
            // One placeholder stands for all of them.
            let nothing = |(experiment, _)| {
                (experiment, GpuFinding::Nothing(Cause::Fault(Fault::NotModelled)))
            };
            return Ok(made.into_iter().map(nothing).collect());
        };
        let Some(model) = &mut self.model else { return Ok(GpuFindings::new()) };
        let mut findings = GpuFindings::new();
        for (experiment, kernel) in made {
            let mut code = Vec::new();
            for instance in &kernel.body.instances {
                let bytes = self.llvm.encode(instance);
                code.extend(bytes.map_err(|error| Failure::new(error.to_string()))?);
            }
            let finding = match model.run_loop(&[], &code, Loads::GoAhead) {
                Ok(steady) => GpuFinding::Cycles {
                    value: f64::from(unit) * steady.cycles as f64
                        / steady.iterations as f64
                        / f64::from(INSTANCES),
                    uncertainty: 0.0,
                    remark: None,
                },
                Err(error) => GpuFinding::Nothing(Cause::InWords(error.to_string())),
            };
            findings.insert(experiment, finding);
        }
        Ok(findings)
    }

    fn run(
        &mut self,
        form: usize,
        made: Vec<(GpuExperiment, AmdKernel)>,
    ) -> Result<GpuFindings, Failure> {
        let bench = self.bench(form, &made, Data::Ones)?;
        let Some(device) = &mut self.device else { return Ok(GpuFindings::new()) };
        bench::findings(device, &bench, |_, _| Ok(None))
    }

    fn bench(
        &mut self,
        form: usize,
        made: &[(GpuExperiment, AmdKernel)],
        data: Data,
    ) -> Result<GpuBench, Failure> {
        let form = &self.forms[form];
        let failed = |error: String| Failure::new(format!("{}: {error}", form.name));
        let list: Vec<(&AmdForm, AmdKernel)> =
            made.iter().map(|(_, kernel)| (form, kernel.clone())).collect();
        let text = module(&self.target, &list, &mut self.llvm)
            .map_err(|error| failed(error.to_string()))?;
        let object = self.llvm.machine_code(&text).map_err(|error| failed(error.to_string()))?;
        let linker = match &self.linker {
            Some(linker) => linker.clone(),
            None => Linker::find()?,
        };
        let image = linker.link(&[object])?;
        let (bits, iterations) = match self.target.clock {
            KernelClock::ShortCycles => (20, SHORT_ITERATIONS),
            KernelClock::MemoryTime | KernelClock::LongCycles => (64, ITERATIONS),
        };
        let kernels = made.iter().map(|(experiment, kernel)| BenchKernel {
            experiment: *experiment,
            symbol: kernel.symbol.clone(),
            instances: INSTANCES,
            iterations,
            arguments: Vec::new(),
            growth: growth(form, *experiment).filter(|_| data == Data::Ones),
        });
        let (d, operations) = form
            .product
            .map_or((MatrixElement::F32, 0.0), |product| (product.d, product.operations() as f64));
        debug_assert!(form.operand(MatrixOperand::D).is_some());
        Ok(GpuBench {
            module: image.into(),
            kernels: kernels.collect(),
            clock: ClockBits(bits),
            d,
            exact: f64::INFINITY,
            operations,
            threads: self.target.lanes,
            lanes: self.target.lanes,
        })
    }
}
