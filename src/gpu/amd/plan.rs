//! Which kernels answer which questions of a form.

use super::forms::{AmdForm, RegisterNames};
use super::kernel::AmdKernel;
use super::registers::BodyPlanner;
use crate::gpu::form::{ChainLink, Data, GpuExperiment};
use crate::metadata::InstructionSet;

/// Instances in a loop: a multiple of every number of chains.
pub const INSTANCES: u32 = 16;

/// The kernel of an experiment; none where the form's registers do not allow it. One chain and the
/// latency through the accumulator are the same kernel, unless D cannot be C.
#[must_use]
pub fn kernel(
    (set, names): (&InstructionSet, &RegisterNames),
    form: &AmdForm,
    experiment: GpuExperiment,
    data: Data,
) -> Option<AmdKernel> {
    let planner = BodyPlanner { form, set, names };
    let (body, link) = match experiment {
        GpuExperiment::Latency(ChainLink::Addend) if !form.chains() => return None,
        GpuExperiment::Latency(ChainLink::Addend) => {
            (planner.chains(1, INSTANCES)?, Some(ChainLink::Addend))
        }
        GpuExperiment::Latency(link) => (planner.through_factor(link, INSTANCES)?, Some(link)),
        GpuExperiment::Throughput(chains) => {
            let link = (chains == 1 && form.chains()).then_some(ChainLink::Addend);
            (planner.chains(chains, INSTANCES)?, link)
        }
    };
    Some(AmdKernel { symbol: format!("winic_{}", experiment.word()), body, link, data })
}

/// All kernels of a form, with what they find out.
#[must_use]
pub fn kernels(
    tables: (&InstructionSet, &RegisterNames),
    form: &AmdForm,
    data: Data,
) -> Vec<(GpuExperiment, AmdKernel)> {
    let made = |experiment| Some((experiment, kernel(tables, form, experiment, data)?));
    GpuExperiment::ALL.into_iter().filter_map(made).collect()
}

/// What every element of D grows by in an iteration, where the factors are ones, as long as the format of D
/// holds it exactly; none of chains through a factor, whose results do not change.
#[must_use]
pub fn growth(form: &AmdForm, experiment: GpuExperiment) -> Option<f64> {
    let product = form.product?;
    let chains = match experiment {
        GpuExperiment::Latency(ChainLink::Addend) => 1,
        GpuExperiment::Latency(_) => return None,
        // Independent instances have the same C over and over.
        GpuExperiment::Throughput(_) if !form.chains() => return None,
        GpuExperiment::Throughput(chains) => chains,
    };
    let terms = product.shape.k / if product.sparse { 2 } else { 1 };
    Some(f64::from(INSTANCES / chains * terms))
}
