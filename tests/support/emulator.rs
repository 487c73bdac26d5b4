//! Kernels that really execute, though not on this machine: built here, run by the cross-built
//! runner under QEMU's user mode. Time means nothing there, so that each runs once.
//! `scripts/cross ARCH` makes the runner; without it tests say so, and fail where the
//! environment has `CI`.

#[path = "script.rs"]
mod script;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::support::Machine;
use winic::artifact::{KernelFunctions, KernelId, Purpose, ReferenceFunction};
use winic::assemble::{Linker, assemble};
use winic::device::{Device, KernelReport, LocalDevice, LocalOptions};
use winic::experiment::Experiment;
use winic::form::{Edge, InstructionForm, Site};
use winic::kernel::{
    Audience, Chain, Kernel, Link, Style, ThroughputBody, ValueClass, WalkBody, render,
};
use winic::study::latency::restoring;

/// Instances or links in a body: more than there are registers.
const LENGTH: u32 = 40;
/// Kernels in a shared object.
const BATCH: usize = 300;

/// The runner under QEMU as a CPU that has everything, or one without some of it.
pub struct Emulator {
    script: PathBuf,
    directory: tempfile::TempDir,
}

impl Emulator {
    /// `None` where the runner was not built; then the reason has been said.
    pub fn find(architecture: &str) -> Option<Self> {
        let variable = format!("WINIC_RUNNER_{}", architecture.to_uppercase());
        let script = std::env::var_os(variable).map(PathBuf::from);
        let built = || built(&format!("runner-{architecture}"));
        Self::greeting(script.unwrap_or_else(built), architecture)
    }

    /// The same under an older QEMU, which knows SME and not SME2.
    pub fn find_older() -> Option<Self> {
        Self::greeting(built("runner-aarch64-sme1"), "aarch64")
    }

    fn greeting(script: PathBuf, architecture: &str) -> Option<Self> {
        let greets = Command::new(&script).stdin(Stdio::null()).output().is_ok_and(|output| {
            String::from_utf8_lossy(&output.stdout).contains(&format!("\"{architecture}\""))
        });
        if !greets {
            let reason = format!("{} does not run: scripts/cross {architecture}", script.display());
            assert!(std::env::var_os("CI").is_none(), "{reason}");
            println!("skipped: {reason}");
            return None;
        }
        Some(Self { script, directory: tempfile::tempdir().expect("a temporary directory") })
    }

    /// What starts the runner.
    pub fn script(&self) -> &str {
        self.script.to_str().expect("a name in UTF-8")
    }

    /// The runner on a CPU by QEMU's name for it; QEMU's own words about each fault are left out.
    pub fn device(&self, cpu: &str) -> LocalDevice {
        let program = self.directory.path().join("runner");
        let text = format!("QEMU_CPU='{cpu}' exec '{}' \"$@\" 2>/dev/null", self.script.display());
        script::write(&program, &text);
        let options = LocalOptions { runner: Some(program), ..LocalOptions::default() };
        LocalDevice::start(options).unwrap_or_else(|error| panic!("{cpu}: {error}"))
    }
}

/// What `scripts/cross` has made.
fn built(program: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("target/cross/bin").join(program)
}

/// What became of kernels, by their names.
#[derive(Default)]
pub struct Outcomes {
    pub executed: BTreeSet<String>,
    pub faulted: BTreeMap<String, String>,
}

impl Outcomes {
    /// Names by fault, as a line each.
    pub fn describe_faults(&self) -> String {
        let mut by_fault: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for (name, fault) in &self.faulted {
            by_fault.entry(fault).or_default().push(name);
        }
        let line = |(fault, names): (&&str, &Vec<&str>)| {
            format!("{} x {fault}: {}\n", names.len(), names.join(" "))
        };
        by_fault.iter().map(line).collect()
    }
}

/// Executes each kernel once.
pub fn run(
    kernels: &[(String, Kernel)],
    machine: &mut Machine,
    device: &mut LocalDevice,
) -> Outcomes {
    let linker = Linker::find().expect("a linker is installed");
    let isa = std::sync::Arc::clone(&machine.catalogue.isa);
    let first = isa.references()[0];
    let reference = ReferenceFunction {
        symbol: first.symbol.to_owned(),
        cycles_per_iteration: first.instructions,
    };
    let mut outcomes = Outcomes::default();
    for batch in kernels.chunks(BATCH) {
        let mut texts = Vec::new();
        let mut functions = Vec::new();
        for (number, (name, kernel)) in (0..).zip(batch) {
            let symbol = format!("k{number}");
            let (catalogue, llvm) = (&machine.catalogue, &mut machine.llvm);
            let rendered =
                render(kernel, &symbol, catalogue, llvm, Purpose::Probe, Audience::Assembler)
                    .unwrap_or_else(|error| panic!("{name}: {error}"));
            texts.push(rendered.text);
            functions.push(KernelFunctions {
                id: KernelId(number),
                purpose: Purpose::Probe,
                init: rendered.init,
                single: rendered.single,
                double: rendered.double,
                alone: true,
                needs: kernel.needs(),
            });
        }
        let artifact =
            assemble(&texts, functions, reference.clone(), &*isa, &machine.llvm, &linker)
                .unwrap_or_else(|error| panic!("{error}"));
        let deliver = &mut |id: KernelId, report| {
            let name = batch[id.0 as usize].0.clone();
            match report {
                KernelReport::Faulted(fault) => {
                    outcomes.faulted.insert(name, fault.to_string());
                }
                _ => {
                    outcomes.executed.insert(name);
                }
            }
            true
        };
        device.run(&artifact, deliver).unwrap_or_else(|error| panic!("{error}"));
    }
    outcomes
}

/// A throughput body of a form, if it can be built.
pub fn throughput(form: &InstructionForm, machine: &Machine) -> Option<(String, Kernel)> {
    let kernel = ThroughputBody::plain(form.opcode, LENGTH).build(&machine.catalogue).ok()?;
    Some((form.name.clone(), kernel))
}

/// Copies through a buffer of a few turns, and of one, behind which the pointers go back at once.
pub fn walks(load: &str, store: &str, machine: &Machine) -> Vec<(String, Kernel)> {
    let [load, store] = [load, store].map(|name| Some(machine.form(name).opcode));
    let walk = |bytes: u64| {
        let body = WalkBody { load, store, streams: 2, bytes, offset: 0, cores: 1 };
        let kernel = Experiment::Walk(body).kernel(&machine.catalogue).expect("a kernel");
        (format!("copy of {bytes} bytes"), kernel.expect("one of its own"))
    };
    [4096, 1024, 64].map(walk).to_vec()
}

/// A chain through each edge that comes back by itself, in both styles.
pub fn chains(form: &InstructionForm, machine: &Machine) -> Vec<(String, Kernel)> {
    let catalogue = &machine.catalogue;
    let mut out = Vec::new();
    let at = |site: Site| catalogue.resource_at(form, site);
    let comes_back = |edge: &Edge| {
        at(edge.source) == at(edge.target)
            && catalogue.isa.unchainable(&catalogue.set, form, edge.target).is_none()
    };
    for edge in form.edges().filter(comes_back) {
        let Edge { opcode, source, target } = edge;
        for style in [Style::Same, Style::Rotating] {
            let link = Link { opcode, source, target, immediate: None, restoring: None };
            // What was loaded is no address.
            let restoring = match form.address_part(source).is_some() {
                true => restoring(catalogue, form, edge),
                false => Vec::new(),
            };
            let chain = Chain {
                links: std::iter::once(link).chain(restoring).collect(),
                style,
                fillers: 1,
                least_links: LENGTH,
                values: ValueClass::default(),
            };
            if let Ok(kernel) = chain.build(catalogue) {
                out.push((format!("{} {style:?}", edge.named(form, &catalogue.set)), kernel));
            }
        }
    }
    out
}
