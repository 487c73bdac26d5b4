//! Golden kernels: what a person would read to see whether a measurement is right.
//! `BLESS=1 cargo test --test kernels` rewrites them; read the difference before committing it.
//! Names of forms and the order of registers are those of one LLVM release.

#![cfg(feature = "llvm22")]

#[path = "support/golden/mod.rs"]
mod golden;
#[allow(dead_code)]
mod support;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use golden::Suite;
use support::Machine;
use winic::artifact::Purpose;
use winic::assemble::Linker;
use winic::codec::Assembler as _;
use winic::experiment::{Experiment, Probe};
use winic::form::{RegisterFile, Site};
use winic::kernel::{
    Accumulators, Audience, Breaking, Chain, ChaseBody, Link, MixedBody, MixedPart, Relay,
    Restoring, ThroughputBody, ValueClass, WalkBody, WindowBody, render,
};
use winic::metadata::OpcodeId;

/// Instances in a body: a few more than there are registers.
const INSTANCES: u32 = 18;

fn opcode(machine: &Machine, name: &str) -> OpcodeId {
    machine.form(name).opcode
}

fn site(machine: &Machine, text: &str) -> Site {
    if text == "memory" {
        return Site::Memory;
    }
    text.parse().map_or_else(|_| Site::Implicit(machine.register(text)), Site::Operand)
}

/// `form:source>target`, with `=0` or `=form:site` for what restores values.
fn link(machine: &Machine, text: &str) -> Link {
    let (edge, restoring) = match text.split_once('=') {
        None => (text, None),
        Some((edge, "0")) => (edge, Some(Restoring::Clear)),
        Some((edge, value)) => {
            let (form, at) = value.split_once(':').expect("form:site");
            (edge, Some(Restoring::Set(opcode(machine, form), site(machine, at))))
        }
    };
    let (form, ends) = edge.split_once(':').expect("form:source>target");
    let (source, target) = ends.split_once('>').expect("source>target");
    Link {
        opcode: opcode(machine, form),
        source: site(machine, source),
        target: site(machine, target),
        immediate: None,
        restoring,
    }
}

fn throughput(machine: &Machine, form: &str, breaking: &[&str], interval: u32) -> Experiment {
    let breaking = breaking
        .iter()
        .map(|text| {
            let (register, breaker) = text.split_once('=').expect("register=form");
            Breaking { register: machine.register(register), breaker: opcode(machine, breaker) }
        })
        .collect();
    let subject = opcode(machine, form);
    Experiment::Throughput(ThroughputBody {
        breaking,
        interval,
        ..ThroughputBody::plain(subject, INSTANCES)
    })
}

/// All experiments: file, what it is for a reader, the experiment.
fn experiments(suite: &Suite, machine: &Machine) -> Vec<(String, String, Experiment)> {
    let mut out = Vec::new();
    for &(file, form, breaking, interval) in suite.throughput {
        let mut title = format!("throughput of {form}");
        if !breaking.is_empty() {
            let _ = write!(title, ", {} every {interval}", breaking.join(", "));
        }
        out.push((file.to_owned(), title, throughput(machine, form, breaking, interval)));
    }
    for &(file, links, style, fillers) in suite.latency {
        let title = format!("latency of {}, {style:?}, {fillers} fillers", links.join(" then "));
        let links = links.iter().map(|text| link(machine, text)).collect();
        out.push((
            file.to_owned(),
            title,
            Experiment::Latency(Chain {
                links,
                style,
                fillers,
                least_links: 12,
                values: ValueClass::default(),
            }),
        ));
    }
    for (file, links) in suite.relays {
        let title = format!("relay of {}", links.join(" then "));
        let [before, over, behind] = links.map(|text| link(machine, text));
        let relay = Relay { before, over, behind, links: 8 };
        out.push(((*file).to_owned(), title, Experiment::Relay(relay)));
    }
    for &(file, load, store, streams, bytes) in suite.walks {
        let form = |name: &str| (!name.is_empty()).then(|| opcode(machine, name));
        let (load, store) = (form(load), form(store));
        let walk = WalkBody { load, store, streams, bytes, offset: 0, cores: 1 };
        let title = format!("a walk of {streams} pointers through {bytes} bytes");
        out.push((file.to_owned(), title, Experiment::Walk(walk)));
    }
    for &(file, forms, order) in suite.mixtures {
        let count = |&(form, count, _): &(&str, u32, u32)| format!("{count} {form}");
        let title = forms.iter().map(count).collect::<Vec<_>>().join(", ");
        let part = |&(form, count, waits): &(&str, u32, u32)| MixedPart {
            opcode: opcode(machine, form),
            count,
            waits,
        };
        let parts = forms.iter().map(part).collect();
        let body = MixedBody { parts, breaking: Vec::new(), order, rounds: 6 };
        out.push((file.to_owned(), format!("a mixture of {title}"), Experiment::Mixed(body)));
    }
    let slow = machine.form(machine.catalogue.isa.slow_forms()[0]);
    let (source, target) =
        Accumulators::operands(&machine.catalogue, slow).expect("operands of a chain");
    let chain = Accumulators { source, target, count: 1 };
    let window = WindowBody { link: slow.opcode, chain, links: 4, fillers: 8, filler: None };
    let title = format!("two chains of {} with 8 fillers between them", slow.name);
    out.push(("window".into(), title, Experiment::Window(window)));
    let moves = machine.catalogue.isa.plain_moves().iter();
    let load = moves.rev().find(|it| it.registers == RegisterFile::General).expect("a load").load;
    let chase = ChaseBody { load: opcode(machine, load), log_bytes: 20, loads: true };
    let title = "loads from 1 MiB, each of which says where the next one is".to_owned();
    out.push(("chase".into(), title, Experiment::Chase(chase)));
    let probe = Probe {
        opcode: opcode(machine, suite.probe.0),
        register: Some((0, machine.register(suite.probe.1))),
    };
    let title = format!("does {} exist", suite.probe.1);
    out.push(("probe-register".into(), title, Experiment::Probe(probe)));
    out.push((
        "dispatch-floor".into(),
        "fillers only".into(),
        Experiment::DispatchFloor { fillers: 32 },
    ));
    out
}

fn folder(suite: &Suite) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/kernels").join(suite.folder)
}

#[test]
fn x86_64_kernels_read_as_they_should() {
    kernels_read_as_they_should(&golden::x86_64::SUITE, Machine::x86_64_with_memory());
}

#[test]
fn aarch64_kernels_read_as_they_should() {
    kernels_read_as_they_should(&golden::aarch64::SUITE, Machine::aarch64_with_memory());
}

#[test]
fn riscv64_kernels_read_as_they_should() {
    kernels_read_as_they_should(&golden::riscv64::SUITE, Machine::riscv64_with_memory());
}

fn kernels_read_as_they_should(suite: &Suite, mut machine: Machine) {
    let bless = std::env::var_os("BLESS").is_some();
    let mut wrong = String::new();
    for (file, title, experiment) in experiments(suite, &machine) {
        let kernel =
            experiment.kernel(&machine.catalogue).unwrap_or_else(|error| panic!("{file}: {error}"));
        let kernel = kernel.expect("the template has no kernel for it");
        // Once is enough for a reader, but for one of them.
        let purpose = if file == "throughput-add" { Purpose::Time } else { Purpose::Probe };
        let rendered = render(
            &kernel,
            "kernel",
            &machine.catalogue,
            &mut machine.llvm,
            purpose,
            Audience::Person,
        )
        .unwrap_or_else(|error| panic!("{file}: {error}"));
        let text =
            format!("# {title}; {} instances or passes\n{}", kernel.instances, rendered.text);
        let path = folder(suite).join(format!("{file}.s"));
        if bless {
            std::fs::write(&path, &text).expect("the golden kernel can be written");
        } else if std::fs::read_to_string(&path).unwrap_or_default() != text {
            let _ = writeln!(wrong, "{} should be:\n{text}", path.display());
        }
    }
    assert!(wrong.is_empty(), "{wrong}BLESS=1 rewrites the files");
}

#[test]
fn no_golden_kernel_is_left_over() {
    check_left_over(&golden::x86_64::SUITE, &Machine::x86_64_with_memory());
    check_left_over(&golden::aarch64::SUITE, &Machine::aarch64_with_memory());
    check_left_over(&golden::riscv64::SUITE, &Machine::riscv64_with_memory());
}

fn check_left_over(suite: &Suite, machine: &Machine) {
    let known: Vec<String> =
        experiments(suite, machine).into_iter().map(|(file, ..)| format!("{file}.s")).collect();
    for entry in std::fs::read_dir(folder(suite)).expect("there are golden kernels") {
        let name = entry.expect("a file").file_name().into_string().expect("a plain name");
        assert!(known.contains(&name), "no experiment has {name}");
    }
}

/// What a person reads and what the assembler gets are the same bytes.
/// What fills memory would be part of what is timed.
#[test]
fn timed_kernels_do_not_fill_memory_themselves() {
    for (suite, mut machine) in [
        (&golden::x86_64::SUITE, Machine::x86_64_with_memory()),
        (&golden::aarch64::SUITE, Machine::aarch64_with_memory()),
        (&golden::riscv64::SUITE, Machine::riscv64_with_memory()),
    ] {
        let mut filled = 0;
        for (file, _, experiment) in experiments(suite, &machine) {
            let kernel = experiment.kernel(&machine.catalogue).unwrap().unwrap();
            let Some(contents) = kernel.contents else { continue };
            filled += 1;
            let fill = machine.catalogue.isa.fill_region(contents, kernel.low).join("\n        ");
            let mut rendered = |purpose| {
                let Machine { catalogue, llvm, .. } = &mut machine;
                render(&kernel, "kernel", catalogue, llvm, purpose, Audience::Person).unwrap()
            };
            let timed = rendered(Purpose::Time);
            assert_eq!(timed.init.as_deref(), Some("kernel_init"), "{file}");
            let (init, functions) = timed.text.split_once("winic_init_end").unwrap();
            assert!(init.contains(&fill) && !functions.contains(&fill), "{file}");
            // Nobody calls another function before a probe, which is executed once.
            let probe = rendered(Purpose::Probe);
            assert_eq!(probe.init, None, "{file}");
            assert!(probe.text.contains(&fill) && !probe.text.contains("winic_init"), "{file}");
        }
        assert!(filled > 0, "{}", suite.folder);
    }
}

#[test]
fn both_audiences_get_the_same_code() {
    check_audiences(&golden::x86_64::SUITE, Machine::x86_64_with_memory());
    check_audiences(&golden::aarch64::SUITE, Machine::aarch64_with_memory());
    check_audiences(&golden::riscv64::SUITE, Machine::riscv64_with_memory());
}

fn check_audiences(suite: &Suite, mut machine: Machine) {
    let template = machine.catalogue.isa.template().to_owned();
    let linker = Linker::find().expect("a linker is installed");
    for (file, _, experiment) in experiments(suite, &machine) {
        let kernel =
            experiment.kernel(&machine.catalogue).expect("it builds").expect("no template kernel");
        let mut object = |audience| {
            let rendered = render(
                &kernel,
                "kernel",
                &machine.catalogue,
                &mut machine.llvm,
                Purpose::Time,
                audience,
            )
            .unwrap_or_else(|error| panic!("{file}: {error}"));
            let object = machine
                .llvm
                .assemble(&format!("{template}\n{}", rendered.text))
                .unwrap_or_else(|error| panic!("{file}: {error}"));
            // Linked, since symbols tell data from instructions on some ISAs.
            linker.link(&[object]).unwrap_or_else(|error| panic!("{file}: {error}"))
        };
        assert!(object(Audience::Person) == object(Audience::Assembler), "{file} differs");
    }
}
