//! Which machine the options mean: the target that LLVM is asked about, and the device that
//! kernels run on.

use std::path::Path;
use std::thread;
use std::time::Duration;

use super::Failure;
use crate::artifact::Artifact;
use crate::cli::{DeviceChoice, Global, RunnerChoice};
use crate::database::Origin;
use crate::device::{
    ANSWER_LIMIT, Device, DeviceError, HostDescription, KernelReport, LocalDevice, LocalOptions,
    OfflineAnswers, Recorder, RemoteDevice, SimulatorDevice, Untimed, local,
};
use crate::emulator::EmulatorDevice;
use crate::files::shown;
use crate::fleet::{Fleet, Incident, Member};
use crate::isa::{AmxGeneration, architectures, extensions, possible_features};
use crate::llvm::{self, Simulator, TargetChoice};
use crate::pipeline::{GivenFrequency, PipelineError, Target, clock};
use crate::scoreboard::{ScoreboardDevice, ScoreboardMachine};

/// The architecture of the cores that have Apple's AMX beside them.
const AMX_HOST: &str = "aarch64";

/// The machines behind the runners that the options name, if they name any.
pub(super) struct Elsewhere(Vec<Member>);

impl Elsewhere {
    /// Starts all runners at once: a queue of jobs or a network may take its time.
    pub fn start(global: &Global) -> Result<Self, Failure> {
        let limit = answer_limit(global).unwrap_or(ANSWER_LIMIT);
        let commands = global.runners.iter().flat_map(RunnerChoice::commands);
        let start = |(name, words)| {
            let starting = thread::Builder::new().spawn(move || RemoteDevice::start(words, limit));
            (name, starting)
        };
        let starting: Vec<_> = commands.map(start).collect();
        let started = starting.into_iter().map(|(name, starting)| {
            match starting.map(thread::JoinHandle::join) {
                Ok(Ok(Ok(device))) => Ok(Member { name, device: Box::new(device) }),
                Ok(Ok(Err(DeviceError::Interrupted))) => Err(Failure::interrupted()),
                Ok(Ok(Err(error))) => Err(Failure::new(format!("{name}: {error}"))),
                Ok(Err(panic)) => std::panic::resume_unwind(panic),
                Err(error) => Err(Failure::new(format!("{name}: {}", DeviceError::Thread(error)))),
            }
        });
        // All of them, so that each that was started ends with this function if one was not.
        let started: Vec<Result<Member, Failure>> = started.collect();
        started.into_iter().collect::<Result<_, _>>().map(Self)
    }

    /// None at all.
    pub fn nowhere() -> Self {
        Self(Vec::new())
    }

    fn host(&self) -> Option<&HostDescription> {
        self.0.first().map(|member| member.device.describe())
    }
}

/// The frequency that the options give.
pub(super) fn given_frequency(global: &Global) -> Option<GivenFrequency> {
    let is_forced = global.force_frequency;
    global.frequency.map(|frequency| GivenFrequency { frequency, is_forced })
}

/// Whose values a run has: of the target's instructions, from the machine that it runs on.
pub(super) fn origin(global: &Global, target: &Target, host: &HostDescription) -> Origin {
    let known = match (&global.device, global.runners.is_empty()) {
        (Some(DeviceChoice::Simulator(model)), _) => {
            model.clone().unwrap_or_else(|| target.set.cpu.clone())
        }
        (
            Some(
                DeviceChoice::Scoreboard(_)
                | DeviceChoice::Emulator(_)
                | DeviceChoice::Answers(..)
                | DeviceChoice::Gpu(_),
            ),
            _,
        ) => host.cpu.clone(),
        (None, true) => llvm::host().cpu,
        (None, false) => llvm::elsewhere(&host.architecture, &host.cpuinfo, &host.extensions).cpu,
    };
    Origin {
        isa: target.set.architecture.clone(),
        cpu: target.set.cpu.clone(),
        source: host.source,
        source_cpu: Some(known).filter(|cpu| !cpu.is_empty()),
    }
}

/// Says that the CPU of this machine is another than the one that was named, if it is.
pub(super) fn warn_of_cpu(global: &Global, origin: &Origin) {
    let is_here = global.device.is_none() && global.runners.is_empty();
    if let (true, Some(named), Some(detected)) = (is_here, &global.cpu, &origin.source_cpu)
        && named != detected
    {
        eprintln!(
            "warning: -c says {named}, but LLVM takes this CPU for {detected}: the values are of {detected}"
        );
    }
}

/// How long a runner may be silent, where the options say.
fn answer_limit(global: &Global) -> Option<Duration> {
    global.runner_timeout.map(|seconds| Duration::from_secs(seconds.into()))
}

/// The target that the options name, or else the machine that kernels run on.
pub(super) fn target(global: &Global, elsewhere: &Elsewhere) -> Result<Target, Failure> {
    let choice = choice(global, elsewhere.host());
    must_fit(&choice.cpu, architecture(&choice.triple))?;
    if global.is_of_amx() {
        return Ok(Target::open_amx(choice, generation(global))?);
    }
    Ok(Target::open(choice)?)
}

/// The generation of the coprocessor that is meant.
fn generation(global: &Global) -> AmxGeneration {
    global.generation.unwrap_or(AmxGeneration::M4)
}

/// What a device says of a shared object with one kernel; `None` where it was stopped before.
pub(super) fn only_report(
    device: &mut dyn Device,
    artifact: &Artifact,
) -> Result<Option<KernelReport>, DeviceError> {
    let mut report = None;
    device.run(artifact, &mut |_, delivered| {
        report = Some(delivered);
        true
    })?;
    Ok(report)
}

/// The device that the options name, or `None` where kernels of the target can run nowhere.
pub(super) fn device_for(
    global: &Global,
    elsewhere: Elsewhere,
    target: &Target,
) -> Result<Option<Box<dyn Device>>, Failure> {
    if global.is_of_amx() && matches!(global.device, Some(DeviceChoice::Simulator(_))) {
        return Err(Failure::new(
            "no model of LLVM's knows Apple's AMX: name a machine's description with --device \
             scoreboard:FILE, or a Mac's runner with --runner",
        ));
    }
    match &global.device {
        Some(DeviceChoice::Simulator(cpu)) => {
            let simulator = simulator_of(cpu.as_deref(), global, target)?;
            let device = SimulatorDevice::new(simulator, &target.set.architecture);
            return Ok(Some(Box::new(device)));
        }
        Some(DeviceChoice::Scoreboard(file)) => {
            return Ok(Some(Box::new(scoreboard(file, target)?)));
        }
        Some(DeviceChoice::Answers(job, answers)) => {
            let answers = OfflineAnswers::read(job, answers)
                .map_err(|error| Failure::new(error.to_string()))?;
            let there = &answers.describe().architecture;
            if *there != target.set.architecture {
                return Err(other_architecture(target, there.clone()).into());
            }
            return Ok(Some(Box::new(answers)));
        }
        Some(DeviceChoice::Emulator(_)) if !global.is_of_amx() => {
            return Err(Failure::new("the emulator executes Apple's AMX alone: say -m amx, too"));
        }
        Some(DeviceChoice::Emulator(own)) => {
            let emulator = EmulatorDevice::new(own.unwrap_or(generation(global)));
            return Ok(Some(Box::new(Untimed::new(Box::new(emulator)))));
        }
        // (What is measured on one goes another way: `app::gpu`.)
        Some(DeviceChoice::Gpu(_)) | None => {}
    }
    let here = architecture(&llvm::host().triple).to_owned();
    let there = elsewhere.host().map_or(here, |host| host.architecture.clone());
    if there != target.set.architecture {
        return match elsewhere.host() {
            // That machine was asked for by name.
            Some(_) => Err(other_architecture(target, there).into()),
            None => Ok(None),
        };
    }
    let members = if elsewhere.0.is_empty() { locals(global)? } else { elsewhere.0 };
    Ok(Some(one_device(global, members)?))
}

/// The device that the options name; without one nothing can be measured.
pub(super) fn device(
    global: &Global,
    elsewhere: Elsewhere,
    target: &Target,
) -> Result<Box<dyn Device>, Failure> {
    let here = std::env::consts::ARCH;
    let nowhere = || match global.is_of_amx() {
        true => Failure::new(format!(
            "Apple's AMX is not in this {here} machine: name a Mac's runner with --runner; \
             `winic list -m amx` works anywhere"
        )),
        false => other_architecture(target, here.to_owned()).into(),
    };
    let device = device_for(global, elsewhere, target)?.ok_or_else(nowhere)?;
    match &global.record {
        None => Ok(device),
        Some(job) => match Recorder::new(device, job) {
            Ok(recorder) => Ok(Box::new(recorder)),
            Err(error) => Err(Failure::new(format!("{}: {error}", shown(job)))),
        },
    }
}

/// The machine that a file describes, which executes the code of a target.
fn scoreboard(file: &Path, target: &Target) -> Result<ScoreboardDevice, Failure> {
    let machine = ScoreboardMachine::open(file).map_err(|error| Failure::new(error.to_string()))?;
    let asked = &target.set.architecture;
    if let Some(own) = machine.architecture.as_ref().filter(|own| *own != asked) {
        return Err(Failure::new(format!(
            "the machine in {} is of {own}, and {asked} was asked for: use -m {own}",
            shown(file)
        )));
    }
    Ok(target.scoreboard(machine).map_err(PipelineError::from)?)
}

/// The scheduling model that the options name, or else the target's.
pub(super) fn simulator(global: &Global, target: &Target) -> Result<Simulator, Failure> {
    let cpu = global.device.as_ref().and_then(DeviceChoice::model);
    simulator_of(cpu, global, target)
}

fn simulator_of(cpu: Option<&str>, global: &Global, target: &Target) -> Result<Simulator, Failure> {
    let choice = choice(global, None);
    let cpu = cpu.map_or(choice.cpu, str::to_owned);
    must_fit(&cpu, architecture(&choice.triple))?;
    // The features of another CPU than the target's are its own.
    let features = if cpu == target.set.cpu { choice.features } else { String::new() };
    let choice = TargetChoice { cpu, features, ..choice };
    let extensions = extensions(&target.set.architecture);
    Ok(Simulator::new(&choice, extensions).map_err(PipelineError::from)?)
}

fn other_architecture(target: &Target, here: String) -> PipelineError {
    PipelineError::OtherArchitecture { wanted: target.set.architecture.clone(), here }
}

/// Runners on this machine, which this process leaves alone with their cores.
fn locals(global: &Global) -> Result<Vec<Member>, Failure> {
    let default = LocalOptions { answer_limit: answer_limit(global), ..LocalOptions::default() };
    let members = match global.jobs {
        None => vec![local_member(default)?],
        Some(jobs) => {
            let cores = local::physical_cores();
            let first = cores.len().checked_sub(jobs as usize).ok_or_else(|| {
                Failure::new(format!(
                    "--jobs {jobs} wants as many physical cores, and this process may use {}",
                    cores.len()
                ))
            })?;
            let options = |&core: &u32| LocalOptions { core: Some(core), ..default.clone() };
            let started = cores[first..].iter().map(|core| local_member(options(core)));
            started.collect::<Result<_, _>>()?
        }
    };
    for core in members.iter().filter_map(|member| member.device.describe().core) {
        match local::leave_core(core) {
            Ok(true) => {}
            // Alone on its only core the driver has always been; on the last of several it
            // is in the way of one of them.
            Ok(false) if members.len() == 1 => {}
            Ok(false) => eprintln!(
                "note: winic itself shares CPU {core} with its kernels: `--jobs {}` leaves it a core",
                members.len() - 1
            ),
            Err(error) => {
                eprintln!("warning: cannot keep this process off core {core}: {error}");
            }
        }
    }
    Ok(members)
}

fn local_member(options: LocalOptions) -> Result<Member, DeviceError> {
    let device = LocalDevice::start(options)?;
    let core = device.describe().core;
    let name = core.map_or_else(|| "the runner".to_owned(), |core| format!("CPU {core}"));
    Ok(Member { name, device: Box::new(device) })
}

/// One device of all members.
fn one_device(global: &Global, members: Vec<Member>) -> Result<Box<dyn Device>, Failure> {
    let mut members: Vec<Member> =
        members.into_iter().map(|member| timed_or_not(global, member)).collect();
    match members.first() {
        Some(first) if members.len() > 1 => {
            let clock = clock(first.device.describe(), global.frequency)?;
            let tell = Box::new(|incident: &Incident| eprintln!("warning: {incident}"));
            let fleet = Fleet::new(members, clock, tell);
            Ok(Box::new(fleet.map_err(|error| Failure::new(error.to_string()))?))
        }
        _ => Ok(members.remove(0).device),
    }
}

/// Where nothing tells time nothing is timed.
fn timed_or_not(global: &Global, member: Member) -> Member {
    if global.no_timing || member.device.describe().ticks.is_none() {
        return Member { device: Box::new(Untimed::new(member.device)), ..member };
    }
    member
}

/// What LLVM is asked about: what the options say, and where they are silent, the machine that
/// kernels run on.
fn choice(global: &Global, elsewhere: Option<&HostDescription>) -> TargetChoice {
    let this = llvm::host();
    let machine = match elsewhere {
        Some(host) => machine_elsewhere(host),
        None => this,
    };
    let there = architecture(&machine.triple).to_owned();
    let simulated = global.device.as_ref().and_then(DeviceChoice::model);
    let cpu = global.cpu.as_deref().or(simulated);
    let asked = match &global.march {
        Some(_) if global.is_of_amx() => AMX_HOST.to_owned(),
        Some(march) => march.replace('-', "_").to_lowercase(),
        None => cpu.map_or(&*there, |cpu| architecture_of(cpu, &there)).to_owned(),
    };
    let triple = if asked == there { machine.triple.clone() } else { llvm::triple_of(&asked) };
    match cpu {
        None if asked == there => machine,
        cpu => TargetChoice {
            triple,
            cpu: cpu.unwrap_or_default().to_owned(),
            features: possible_features(&asked, cpu).to_owned(),
        },
    }
}

/// A machine as its runner describes it. Its system need not name all that it has, nor by LLVM's
/// names (Linux on AArch64 calls NEON `asimd`): executing tells.
fn machine_elsewhere(host: &HostDescription) -> TargetChoice {
    let machine = llvm::elsewhere(&host.architecture, &host.cpuinfo, &host.extensions);
    let cpu = Some(machine.cpu.as_str()).filter(|cpu| !cpu.is_empty());
    let lists = [possible_features(&host.architecture, cpu), &machine.features];
    let features: Vec<&str> = lists.into_iter().filter(|list| !list.is_empty()).collect();
    TargetChoice { features: features.join(","), ..machine }
}

/// The architecture of a CPU: the machine's own unless another one alone has a CPU of the name.
fn architecture_of<'a>(cpu: &str, own: &'a str) -> &'a str {
    match architectures_with(cpu)[..] {
        [only] => only,
        _ => own,
    }
}

fn architectures_with(cpu: &str) -> Vec<&'static str> {
    architectures().filter(|architecture| llvm::knows_cpu(architecture, cpu)).collect()
}

/// Names the architecture of a CPU that was asked for together with another one.
fn must_fit(cpu: &str, architecture: &str) -> Result<(), Failure> {
    let known = architectures_with(cpu);
    if cpu.is_empty() || known.is_empty() || known.contains(&architecture) {
        return Ok(());
    }
    Err(Failure::new(format!(
        "{cpu} is no CPU of {architecture}, but of {}: use -m {}",
        known.join(" and "),
        known.join(" or -m ")
    )))
}

fn architecture(triple: &str) -> &str {
    triple.split('-').next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn greeted(architecture: &str, cpuinfo: &str, extensions: &[&str]) -> TargetChoice {
        machine_elsewhere(&HostDescription {
            architecture: architecture.to_owned(),
            cpu: "made up".to_owned(),
            cpuinfo: cpuinfo.to_owned(),
            extensions: extensions.iter().map(|&extension| extension.to_owned()).collect(),
            system: "Linux 6.1".to_owned(),
            source: crate::device::Source::Measured,
            core: None,
            ticks: None,
            tick_rate: None,
            tick_step: 1,
            advice: Vec::new(),
            resources: crate::device::Resources::default(),
        })
    }

    /// Linux's names of what a Cortex-A72 has: LLVM knows `aes` and `crc32` of them, if at all.
    const NAMES: [&str; 6] = ["fp", "asimd", "evtstrm", "aes", "pmull", "crc32"];

    #[test]
    fn a_machine_that_says_asimd_has_its_vector_forms_asked_for() {
        let unknown = greeted("aarch64", "", &NAMES);
        assert_eq!(
            (unknown.triple.as_str(), unknown.cpu.as_str()),
            ("aarch64-unknown-linux-gnu", "")
        );
        assert!(unknown.features.split(',').any(|feature| feature == "+aes"), "{unknown:?}");
        let target = Target::open(unknown).unwrap_or_else(|error| panic!("{error}"));
        for form in ["FADDv2f64", "AESErr", "ADDXrs"] {
            let opcode = target.set.by_name(form).unwrap_or_else(|| panic!("no {form}"));
            let canonical = &target.listings[opcode.0 as usize].canonical;
            assert!(
                matches!(canonical, crate::catalogue::Canonical::Form(_)),
                "{form}: {canonical:?}"
            );
        }
    }

    #[test]
    fn a_cpu_that_llvm_knows_keeps_its_name() {
        // Arm's Neoverse V2, as Linux shows it.
        let cpuinfo = "CPU implementer\t: 0x41\nCPU part\t: 0xd4f\n";
        let known = greeted("aarch64", cpuinfo, &NAMES);
        assert_eq!(known.cpu, "neoverse-v2");
        let optional = possible_features("aarch64", Some("neoverse-v2"));
        assert!(known.features.starts_with(optional), "{known:?}");
    }

    #[test]
    fn what_the_system_names_suffices_where_nothing_else_is_possible() {
        let machine = greeted("riscv64", "", &["zba", "made-up"]);
        assert_eq!(machine.features, "+zba");
    }
}
