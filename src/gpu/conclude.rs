//! From figures of kernels to what databases say of a form.

use std::collections::BTreeMap;

use super::form::{ChainLink, GpuExperiment, MatrixOperand};
use crate::answer::{Cause, ValueStatus};
use crate::database::{Latency, OperandEntry, OperandLatency, Subject, Throughput, Update};

/// An operand of a form, as databases have it: in the order of assembly.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedOperand {
    /// What it is.
    pub role: MatrixOperand,
    /// The class of its registers, or the type of its elements.
    pub name: String,
    /// Bits.
    pub width: u32,
}

/// A form to be said something of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedForm {
    /// Its name.
    pub name: String,
    /// Its mnemonic.
    pub mnemonic: String,
    /// Its operands; C is not among them where it is D.
    pub operands: Vec<NamedOperand>,
}

/// What an experiment came to.
#[derive(Debug, Clone, PartialEq)]
pub enum GpuFinding {
    /// Cycles of an instance, how far they may be off, and what to say beside them.
    Cycles {
        /// Cycles.
        value: f64,
        /// How far off.
        uncertainty: f64,
        /// A remark, such as that it is several machine instructions.
        remark: Option<String>,
    },
    /// Nothing, and why.
    Nothing(Cause),
}

/// What was found of each experiment.
pub type GpuFindings = BTreeMap<GpuExperiment, GpuFinding>;

/// What was asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AskedOfGpu {
    /// Latencies.
    pub latency: bool,
    /// Throughputs.
    pub throughput: bool,
}

impl AskedOfGpu {
    /// Whether an experiment tells something that was asked.
    #[must_use]
    pub fn wants(self, experiment: GpuExperiment) -> bool {
        match experiment {
            GpuExperiment::Latency(_) => self.latency,
            GpuExperiment::Throughput(_) => self.throughput,
        }
    }
}

/// What the findings say of a form.
#[must_use]
pub fn conclude(form: &NamedForm, asked: AskedOfGpu, findings: &GpuFindings) -> Update {
    let ties_c = form.operands.iter().all(|operand| operand.role != MatrixOperand::C);
    let entry = |operand: &NamedOperand| OperandEntry {
        class: "register".to_owned(),
        name: Some(operand.name.clone()),
        width: Some(operand.width),
        read: operand.role != MatrixOperand::D || ties_c,
        write: operand.role == MatrixOperand::D,
    };
    let subject = Subject {
        llvm_name: form.name.clone(),
        name: Some(form.mnemonic.clone()),
        operands: form.operands.iter().map(entry).collect(),
        ..Subject::default()
    };
    Update {
        subject,
        latency: asked.latency.then(|| latency(form, findings)),
        throughput: asked.throughput.then(|| throughput(findings)),
        ports: None,
    }
}

fn latency(form: &NamedForm, findings: &GpuFindings) -> Latency {
    let links = [ChainLink::Addend, ChainLink::Left, ChainLink::Right];
    let edges = links.into_iter().filter_map(|link| {
        let finding = findings.get(&GpuExperiment::Latency(link))?;
        let place =
            |role: MatrixOperand| form.operands.iter().position(|operand| operand.role == role);
        // (Where C is D its place is D's.)
        let source = place(link.role()).or_else(|| place(MatrixOperand::D))?;
        let (source, target) = (source.to_string(), place(MatrixOperand::D)?.to_string());
        let edge = OperandLatency { source, target, ..OperandLatency::default() };
        Some(match finding {
            GpuFinding::Cycles { value, uncertainty, remark } => OperandLatency {
                min: Some(*value),
                max: Some(*value),
                uncertainty: Some(*uncertainty),
                status: remark.clone().map(|text| ValueStatus::Without(Cause::InWords(text))),
                ..edge
            },
            GpuFinding::Nothing(cause) => {
                OperandLatency { status: Some(ValueStatus::Without(cause.clone())), ..edge }
            }
        })
    });
    let operands: Vec<OperandLatency> = edges.collect();
    let value = Latency::largest(&operands);
    let status = value.is_none().then(|| {
        let cause = operands.iter().find_map(|edge| edge.status.as_ref()?.cause().cloned());
        ValueStatus::Failed(
            cause.unwrap_or_else(|| Cause::InWords("no operand can be D".to_owned())),
        )
    });
    Latency { value, operands, status }
}

/// The best that any number of chains can do.
fn throughput(findings: &GpuFindings) -> Throughput {
    let of_chains =
        findings.iter().filter_map(|(experiment, finding)| match (experiment, finding) {
            (GpuExperiment::Throughput(_), GpuFinding::Cycles { value, uncertainty, remark }) => {
                Some((*value, *uncertainty, remark.clone()))
            }
            _ => None,
        });
    let best = of_chains.min_by(|a, b| a.0.total_cmp(&b.0));
    match best {
        Some((value, uncertainty, remark)) => Throughput {
            value: Some(value),
            min: Some(value),
            max: Some(value),
            uncertainty: Some(uncertainty),
            status: remark.map(|text| ValueStatus::Without(Cause::InWords(text))),
            ..Throughput::default()
        },
        None => {
            let cause = findings.values().find_map(|finding| match finding {
                GpuFinding::Nothing(cause) => Some(cause.clone()),
                GpuFinding::Cycles { .. } => None,
            });
            let cause =
                cause.unwrap_or_else(|| Cause::InWords("registers do not suffice".to_owned()));
            Throughput { status: Some(ValueStatus::Failed(cause)), ..Throughput::default() }
        }
    }
}
