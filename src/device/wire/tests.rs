//! What goes over the pipe comes out of it, and nothing else does.

use std::time::Duration;

use super::*;
use crate::artifact::{BufferNeed, KernelFunctions, Needs, Purpose, ReferenceFunction, Sentinel};
use crate::device::{
    DataCache, Fault, LogicalCpu, RawSample, Resources, Source, ThreadSample, TickSource, Window,
};
use crate::units::Cycles;

fn host() -> HostDescription {
    HostDescription {
        architecture: "x86_64".into(),
        cpu: "A CPU".into(),
        cpuinfo: "model name\t: A CPU".into(),
        extensions: vec!["avx".into()],
        system: "Linux 6.1".into(),
        source: Source::Measured,
        core: Some(1),
        ticks: Some(TickSource::TimeStamp),
        tick_rate: None,
        tick_step: 26,
        advice: vec!["Be quiet.".into()],
        resources: Resources {
            cpus: vec![LogicalCpu { cpu: 1, core: 0 }],
            caches: vec![DataCache { level: 1, bytes: 48 << 10, shared: 1 }],
            memory: 1 << 30,
            low: 8192,
        },
    }
}

fn replies() -> Vec<Reply> {
    let sample = RawSample {
        iterations: 10,
        reference_iterations: 20,
        overhead: 1.5,
        tick_step: 26,
        waited: Duration::from_micros(70),
        windows: vec![Window {
            reference_before: 1,
            single: 2,
            sentinel: 5,
            double: 3,
            reference_after: 4,
        }],
        sentinel_iterations: 9,
    };
    vec![
        Reply::Greeting(Greeting {
            protocol: PROTOCOL,
            runner: "0.1.0".into(),
            keeps: true,
            host: host(),
        }),
        Reply::Report(KernelId(7), KernelReport::Timed(sample.clone())),
        Reply::Report(
            KernelId(10),
            KernelReport::Parallel(vec![
                ThreadSample { cpu: Some(3), huge: Some(4096), sample: sample.clone() },
                ThreadSample { cpu: None, huge: None, sample },
            ]),
        ),
        Reply::Report(KernelId(8), KernelReport::Faulted(Fault::Signal(6))),
        Reply::Report(KernelId(9), KernelReport::Executed { ticks: 5 }),
        Reply::Done(3),
        Reply::Error("no symbol k7".into()),
    ]
}

/// The examples in the documentation of this module, without their marks.
fn examples() -> Vec<String> {
    let page = include_str!("../wire.rs").lines().map_while(|line| line.strip_prefix("//!"));
    let page: Vec<&str> = page.map(|line| line.strip_prefix(' ').unwrap_or(line)).collect();
    page.join("\n")
        .split("```")
        .skip(1)
        .step_by(2)
        .map(|block| block["json".len()..].to_owned())
        .collect()
}

#[test]
fn the_examples_of_the_documentation_are_of_the_protocol() {
    let [host, artifact, reports] = &examples()[..] else { panic!("{:?}", examples()) };
    let host: HostDescription = serde_json::from_str(host).unwrap();
    assert_eq!(host.ticks, Some(TickSource::CycleCounter));
    assert_eq!((host.resources.cpus.len(), host.resources.caches.len()), (2, 1));
    let artifact: Artifact = serde_json::from_str(&artifact.replace("...", "")).unwrap();
    assert!(artifact.image.starts_with(b"\x7fELF") && artifact.kernels.len() == 2);
    let reports = serde_json::Deserializer::from_str(reports).into_iter::<KernelReport>();
    let reports: Vec<KernelReport> = reports.map(Result::unwrap).collect();
    let [
        KernelReport::Executed { .. },
        KernelReport::Timed(sample),
        KernelReport::Parallel(threads),
        KernelReport::Faulted(fault),
    ] = &reports[..]
    else {
        panic!("{reports:?}")
    };
    assert_eq!((sample.windows.len(), *fault), (1, Fault::IllegalInstruction));
    assert_eq!((threads.len(), threads[0].cpu, threads[0].huge), (1, Some(1), Some(1 << 20)));
    let nameless = r#"[{"signal": 7}, {"exited": 3}]"#;
    let nameless: Vec<Fault> = serde_json::from_str(nameless).unwrap();
    assert_eq!(nameless, [Fault::Signal(7), Fault::Exited(3)]);
}

#[test]
fn a_runner_may_leave_out_what_only_linux_knows() {
    let host = r#"{"architecture":"riscv64","cpu":"rocket","system":"none","core":null,
        "ticks":null,"tick_rate":null,"tick_step":1,"advice":[]}"#;
    let host: HostDescription = serde_json::from_str(host).unwrap();
    assert!(host.ticks.is_none() && host.cpuinfo.is_empty() && host.extensions.is_empty());
}

fn reason_of(line: &str) -> String {
    match read_reply(&mut line.as_bytes()) {
        Err(WireError::Malformed { reason, .. }) => reason,
        other => panic!("{line:?} gave {other:?}"),
    }
}

#[test]
fn replies_survive_the_wire() {
    let mut pipe = Vec::new();
    for reply in replies() {
        write_reply(&mut pipe, &reply).unwrap();
    }
    let mut input = pipe.as_slice();
    for reply in replies() {
        assert_eq!(read_reply(&mut input).unwrap(), Some(reply));
    }
    assert_eq!(read_reply(&mut input).unwrap(), None);
}

#[test]
fn the_lines_are_those_of_the_module_documentation() {
    let mut pipe = Vec::new();
    write_reply(&mut pipe, &replies()[4]).unwrap();
    write_reply(&mut pipe, &replies()[5]).unwrap();
    assert_eq!(
        String::from_utf8(pipe).unwrap(),
        "{\"kernel\":9,\"report\":{\"executed\":{\"ticks\":5}}}\n{\"done\":3}\n"
    );
}

#[test]
fn a_request_survives_the_wire() {
    let artifact = Artifact {
        image: [0, 1, 255].into(),
        reference: ReferenceFunction { symbol: "ref".into(), cycles_per_iteration: 64 },
        sentinel: Some(Sentinel {
            symbol: "busy".into(),
            quiet: Some(Cycles(41.5)),
            patience: Duration::from_millis(90),
        }),
        kernels: vec![KernelFunctions {
            id: KernelId(1),
            purpose: Purpose::Probe,
            init: None,
            single: "k1".into(),
            double: None,
            alone: true,
            needs: Needs {
                memory: 64,
                low: true,
                passes_memory: true,
                cores: 2,
                buffer: Some(BufferNeed { bytes: 1 << 20, alignment: 64 }),
                states: vec!["streaming".into()],
            },
        }],
    };
    let mut pipe = Vec::new();
    write_request(&mut pipe, &artifact).unwrap();
    assert!(pipe.starts_with(b"{\"run\":{\"image\":\"AAH/\""));
    let again = Selection::of(&artifact);
    write_again(&mut pipe, again.clone()).unwrap();
    let mut input = pipe.as_slice();
    for request in [Request::Run(artifact), Request::Again(again)] {
        assert_eq!(read_request(&mut input).unwrap(), Some(request));
    }
}

#[test]
fn every_truncation_is_an_error() {
    for reply in replies() {
        let mut pipe = Vec::new();
        write_reply(&mut pipe, &reply).unwrap();
        for length in 1..pipe.len() {
            let read = read_reply(&mut &pipe[..length]);
            assert!(matches!(read, Err(WireError::CutOff { .. })), "{read:?}");
        }
    }
}

#[test]
fn garbage_is_one_clear_error() {
    for (line, expected) in [
        ("hello\n", "not a reply: expected value at line 1 column 1"),
        ("{}\n", "not a reply: wants"),
        ("{\"kernel\":7}\n", "not a reply: wants"),
        ("{\"done\":1,\"error\":\"x\"}\n", "not a reply: wants"),
        ("{\"done\":-1}\n", "not a reply: invalid value"),
        ("{\"kernels\":7}\n", "not a reply: unknown field `kernels`"),
        ("\n", "not a reply: EOF"),
        ("{\"a\\n\\u001bb\":1}\n", "not a reply: unknown field `a\\n\\u{1b}b`"),
    ] {
        let reason = reason_of(line);
        assert!(reason.starts_with(expected), "{line:?}: {reason}");
    }
    let Err(WireError::Malformed { reason, .. }) = read_request(&mut "{\"walk\":{}}\n".as_bytes())
    else {
        panic!("a request to walk was understood");
    };
    assert!(reason.contains("unknown variant `walk`"), "{reason}");
}

#[test]
fn no_text_of_a_runner_reaches_a_terminal_raw() {
    let wild = |text: &str| format!("{text}\u{1b}[2J\u{7}\n\u{202e}");
    let host = HostDescription {
        architecture: wild("x86_64"),
        cpu: wild("cpu"),
        extensions: vec![wild("avx")],
        system: wild("Linux"),
        advice: vec![wild("quiet")],
        ..host()
    };
    let greeting = Greeting { protocol: PROTOCOL, runner: wild("1"), keeps: true, host };
    for reply in [Reply::Greeting(greeting), Reply::Error(wild("no"))] {
        let mut pipe = Vec::new();
        write_reply(&mut pipe, &reply).unwrap();
        let read = format!("{:#?}", read_reply(&mut pipe.as_slice()).unwrap());
        // As `Debug` writes what `one_line` escaped, and what it did not.
        assert_eq!(read.matches("\\\\u{1b}[2J").count(), read.matches("[2J").count(), "{read}");
        assert_eq!(read.matches("\\\\u{202e}").count(), read.matches("202e").count(), "{read}");
    }
}

#[test]
fn another_protocol_is_named_even_when_its_greeting_looks_otherwise() {
    let reason = reason_of("{\"greeting\":{\"protocol\":9,\"name\":\"r\"}}\n");
    assert!(reason.starts_with("the runner speaks protocol 9, this winic 5"), "{reason}");
}

#[test]
fn a_line_has_a_bound_and_its_excerpt_too() {
    let long = vec![b'x'; 1000];
    let Err(WireError::Malformed { reason, line }) = read_line(&mut long.as_slice(), 500) else {
        panic!("too long a line was accepted");
    };
    assert_eq!(reason, "longer than 500 bytes");
    assert_eq!(line.len(), EXCERPT + 3);
}
