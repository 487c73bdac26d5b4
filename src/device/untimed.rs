//! A device whose clock means nothing: whatever is to be timed is executed instead.

use std::collections::HashMap;

use super::{Device, DeviceError, HostDescription, KernelReport};
use crate::artifact::{Artifact, KernelFunctions, KernelId, Purpose};

/// A device that has its kernels executed, each function of a kernel once, and times nothing.
pub struct Untimed {
    device: Box<dyn Device + Send>,
    host: HostDescription,
}

impl Untimed {
    /// Of another device.
    #[must_use]
    pub fn new(device: Box<dyn Device + Send>) -> Self {
        let host = HostDescription { ticks: None, tick_rate: None, ..device.describe().clone() };
        Self { device, host }
    }
}

impl Device for Untimed {
    fn describe(&self) -> &HostDescription {
        &self.host
    }

    fn is_model(&self) -> bool {
        self.device.is_model()
    }

    fn run(
        &mut self,
        artifact: &Artifact,
        deliver: &mut dyn FnMut(KernelId, KernelReport) -> bool,
    ) -> Result<(), DeviceError> {
        let probes = Probes::of(&artifact.kernels);
        let executed = Artifact { kernels: probes.kernels, ..artifact.clone() };
        let mut faults = HashMap::new();
        self.device.run(&executed, &mut |id, report| {
            let Some(function) = probes.functions.get(id.0 as usize) else { return true };
            match report {
                KernelReport::Faulted(fault) => {
                    faults.entry(function.kernel).or_insert(fault);
                }
                // What a runner times although it was asked for a probe was executed as well.
                KernelReport::Executed { .. }
                | KernelReport::Timed(_)
                | KernelReport::Parallel(_) => {}
            }
            if !function.is_last {
                return true;
            }
            let fault = faults.get(&function.kernel).copied();
            let report = fault.map_or(KernelReport::Executed { ticks: 0 }, KernelReport::Faulted);
            deliver(function.kernel, report)
        })
    }
}

/// One probe for each function of each kernel, numbered from 0.
struct Probes {
    kernels: Vec<KernelFunctions>,
    functions: Vec<ProbeFunction>,
}

/// Where a probe comes from.
struct ProbeFunction {
    kernel: KernelId,
    is_last: bool,
}

impl Probes {
    fn of(kernels: &[KernelFunctions]) -> Self {
        let mut probes = Self { kernels: Vec::new(), functions: Vec::new() };
        for kernel in kernels {
            let double = kernel.double.iter().filter(|_| kernel.purpose == Purpose::Time);
            let symbols: Vec<&String> = [&kernel.single].into_iter().chain(double).collect();
            for (number, symbol) in symbols.iter().enumerate() {
                probes.kernels.push(KernelFunctions {
                    id: KernelId(probes.kernels.len() as u32),
                    purpose: Purpose::Probe,
                    init: kernel.init.clone(),
                    single: (*symbol).clone(),
                    double: None,
                    alone: true,
                    needs: kernel.needs.clone(),
                });
                let is_last = number + 1 == symbols.len();
                probes.functions.push(ProbeFunction { kernel: kernel.id, is_last });
            }
        }
        probes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::artifact::{Needs, ReferenceFunction};
    use crate::device::Fault;

    /// Faults on symbols that say so.
    struct Sensitive(HostDescription);

    impl Device for Sensitive {
        fn describe(&self) -> &HostDescription {
            &self.0
        }

        fn run(
            &mut self,
            artifact: &Artifact,
            deliver: &mut dyn FnMut(KernelId, KernelReport) -> bool,
        ) -> Result<(), DeviceError> {
            for kernel in &artifact.kernels {
                assert_eq!((kernel.purpose, &kernel.double), (Purpose::Probe, &None));
                let report = if kernel.single.contains("bad") {
                    KernelReport::Faulted(Fault::IllegalInstruction)
                } else {
                    KernelReport::Executed { ticks: 9 }
                };
                if !deliver(kernel.id, report) {
                    break;
                }
            }
            Ok(())
        }
    }

    fn kernel(id: u32, purpose: Purpose, single: &str, double: Option<&str>) -> KernelFunctions {
        KernelFunctions {
            id: KernelId(id),
            purpose,
            init: None,
            single: single.into(),
            double: double.map(str::to_owned),
            alone: true,
            needs: Needs::default(),
        }
    }

    #[test]
    fn both_functions_of_a_kernel_are_executed_and_none_is_timed() {
        let host = HostDescription::of_a_test();
        let mut device = Untimed::new(Box::new(Sensitive(host)));
        assert_eq!(device.describe().ticks, None);
        let artifact = Artifact {
            image: [].into(),
            reference: ReferenceFunction { symbol: "ref".into(), cycles_per_iteration: 1 },
            sentinel: None,
            kernels: vec![
                kernel(7, Purpose::Time, "good", Some("good")),
                kernel(3, Purpose::Time, "good", Some("bad")),
                kernel(4, Purpose::Time, "bad", None),
                kernel(9, Purpose::Probe, "good", Some("bad")),
            ],
        };
        let mut reports = Vec::new();
        let mut deliver = |id: KernelId, report| {
            reports.push((id.0, report));
            true
        };
        device.run(&artifact, &mut deliver).unwrap();
        let fault = KernelReport::Faulted(Fault::IllegalInstruction);
        let executed = KernelReport::Executed { ticks: 0 };
        let expected = [(7, executed.clone()), (3, fault.clone()), (4, fault), (9, executed)];
        assert_eq!(reports, expected);
    }
}
