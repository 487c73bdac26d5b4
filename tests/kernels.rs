//! Golden kernels: what a person would read to see whether a measurement is right.
//! `BLESS=1 cargo test --test kernels` rewrites them; read the difference before committing it.
//! Names of forms and the order of registers are those of one LLVM release.

#![cfg(feature = "llvm22")]

#[allow(dead_code)]
mod support;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use support::Machine;
use winic::artifact::Purpose;
use winic::experiment::{Experiment, Probe};
use winic::form::Site;
use winic::kernel::{Audience, Breaking, Chain, Link, Restoring, Style, ThroughputBody, render};
use winic::metadata::OpcodeId;

/// Instances in a body: a few more than there are registers.
const INSTANCES: u32 = 18;

/// Throughput bodies: file, form, breakers as `register=form`, instances from one to the next.
const THROUGHPUT: &[(&str, &str, &[&str], u32)] = &[
    ("throughput-add", "ADD64rr", &[], 1),
    ("throughput-adc-bare", "ADC64ri32", &[], 1),
    ("throughput-adc-broken-every-1", "ADC64ri32", &["EFLAGS=TEST64rr"], 1),
    ("throughput-adc-broken-every-4", "ADC64ri32", &["EFLAGS=TEST64rr"], 4),
    ("throughput-vaddpd", "VADDPDrr", &[], 1),
    ("throughput-mul", "MUL64r", &["RAX=MOV64rr"], 1),
    ("throughput-div", "DIV64r", &["RAX=MOV64rr", "RDX=MOV64rr"], 1),
    ("throughput-div8", "DIV8r", &["AX=MOV64rr"], 1),
    ("throughput-shl-cl", "SHL64rCL", &["EFLAGS=TEST64rr"], 1),
    ("throughput-cmov", "CMOV64rr", &[], 1),
    ("throughput-lea", "LEA64r", &[], 1),
    ("throughput-xchg", "XCHG64rr", &[], 1),
    ("throughput-xadd", "XADD64rr", &[], 1),
    ("throughput-cmpxchg", "CMPXCHG64rr", &["RAX=MOV64rr"], 1),
    ("throughput-imul", "IMUL64rr", &[], 1),
    ("throughput-mulx", "MULX64rr", &[], 1),
    ("throughput-movzx", "MOVZX32rr8", &[], 1),
    ("throughput-bsf", "BSF64rr", &[], 1),
    ("throughput-cwd", "CWD", &["RDX=MOV64rr"], 1),
    ("throughput-cpuid", "CPUID", &["EAX=MOV64rr", "ECX=MOV64rr"], 1),
    ("throughput-xgetbv", "XGETBV", &[], 1),
    ("throughput-wrfsbase", "WRFSBASE", &[], 1),
    ("throughput-mov-segment", "MOV64sr", &[], 1),
    ("throughput-tpause", "TPAUSE", &[], 1),
    ("throughput-masked", "VADDPDZrrk", &[], 1),
    ("throughput-masked-zeroing", "VADDPDZ256rrkz", &[], 1),
    ("throughput-embedded-rounding", "VADDPDZrrb", &[], 1),
    ("throughput-kand", "KANDWkk", &[], 1),
    ("throughput-vp2intersect", "VP2INTERSECTDZrr", &[], 1),
    ("throughput-blendv", "BLENDVPDrr0", &[], 1),
    ("throughput-vzeroall", "VZEROALL", &[], 1),
    ("throughput-pcmpestri", "PCMPESTRIrri", &[], 1),
    ("throughput-cvtsi2sd", "CVTSI2SDrr_Int", &[], 1),
    ("throughput-mmx", "MMX_PADDBrr", &[], 1),
    ("throughput-x87-load", "LD_F0", &[], 1),
    ("throughput-x87-add", "ADD_FST0r", &[], 1),
    ("throughput-x87-add-pop", "ADD_FPrST0", &[], 1),
];

/// Latency chains: file, links as `form:source>target`, registers, fillers. A source or
/// target is an operand's number or a register's name.
const LATENCY: &[(&str, &[&str], Style, u32)] = &[
    ("latency-vaddpd-1", &["VADDPDrr:1>0"], Style::Same, 0),
    ("latency-vaddpd-2-padded", &["VADDPDrr:2>0"], Style::Same, 7),
    ("latency-vaddpd-2-rotating", &["VADDPDrr:2>0"], Style::Rotating, 0),
    ("latency-adc-register-register", &["ADC64ri32:1>0"], Style::Same, 0),
    ("latency-adc-flags-flags", &["ADC64ri32:EFLAGS>EFLAGS"], Style::Same, 0),
    ("latency-adc-register-flags", &["ADC64ri32:1>EFLAGS", "ADC64ri32:EFLAGS>0"], Style::Same, 0),
    (
        "latency-adc-register-flags-setcc",
        &["ADC64rr:2>EFLAGS", "SETCCr:EFLAGS>0"],
        Style::Rotating,
        0,
    ),
    ("latency-adox-flags-flags", &["ADOX64rr:EFLAGS>EFLAGS"], Style::Same, 0),
    ("latency-shl-cl-flags-kept", &["SHL64rCL:EFLAGS>EFLAGS"], Style::Same, 0),
    ("latency-cmc", &["CMC:EFLAGS>EFLAGS"], Style::Same, 0),
    ("latency-rcl-cl-flags", &["RCL64rCL:EFLAGS>EFLAGS"], Style::Same, 0),
    ("latency-bts-flags", &["BTS16rr:2>EFLAGS", "ADC16ri:EFLAGS>0"], Style::Rotating, 0),
    ("latency-xadd-2-0", &["XADD64rr:2>0"], Style::Rotating, 0),
    ("latency-xadd-3-0", &["XADD64rr:3>0"], Style::Rotating, 0),
    ("latency-xadd-2-1", &["XADD64rr:2>1"], Style::Rotating, 0),
    ("latency-xchg-2-1", &["XCHG64rr:2>1"], Style::Rotating, 0),
    ("latency-mulx-3-1", &["MULX64rr:2>1"], Style::Same, 0),
    ("latency-mulx-rdx-0", &["MULX64rr:RDX>0"], Style::Same, 0),
    ("latency-shl-register", &["SHL64rCL:1>0"], Style::Same, 0),
    ("latency-shl-cl", &["SHL64rCL:CL>0", "MOV64rr:1>0"], Style::Rotating, 0),
    (
        "latency-shl-cl-flags",
        &["SHL64rCL:CL>EFLAGS", "SETCCr:EFLAGS>0", "MOVZX32rr8:1>0"],
        Style::Rotating,
        0,
    ),
    ("latency-div", &["DIV64r:RAX>RAX", "AND64rr:1>0=0", "OR64rr:1>0=DIV64r:RAX"], Style::Same, 0),
    (
        "latency-div-divisor",
        &["DIV64r:0>RAX", "AND64rr:1>0=0", "OR64rr:1>0=DIV64r:0", "MOV64rr:1>0"],
        Style::Rotating,
        0,
    ),
    ("latency-idiv-low", &["IDIV32r:EAX>EDX", "MOV64rr:1>0"], Style::Rotating, 0),
    ("latency-div8", &["DIV8r:AX>AX", "AND64rr:1>0=0", "OR64rr:1>0=DIV8r:AX"], Style::Same, 0),
    ("latency-cmpxchg-destination", &["CMPXCHG64rr:0>0"], Style::Same, 0),
    ("latency-cmpxchg-accumulator", &["CMPXCHG64rr:RAX>RAX"], Style::Same, 0),
    ("latency-movzx", &["MOVZX32rr8:1>0"], Style::Same, 0),
    ("latency-movsx", &["MOVSX64rr32:1>0"], Style::Same, 0),
    ("latency-add-accumulator", &["ADD64i32:RAX>RAX"], Style::Same, 0),
    ("latency-cbw", &["CBW:AL>AX"], Style::Same, 0),
    ("latency-cqo", &["CQO:RAX>RDX", "MOV64rr:1>0"], Style::Rotating, 0),
    ("latency-lahf-sahf", &["LAHF:EFLAGS>AH", "SAHF:AH>EFLAGS"], Style::Same, 0),
    ("latency-bsf-kept", &["BSF64rr:1>0"], Style::Same, 0),
    ("latency-bsf-source", &["BSF64rr:2>0"], Style::Rotating, 0),
    ("latency-mask-to-vector", &["VADDPDZrrk:2>0", "VPMOVQ2MZkr:1>0"], Style::Rotating, 0),
    (
        "latency-ptest",
        &["PTESTrr:0>EFLAGS", "SETCCr:EFLAGS>0", "MOVDI2PDIrr:1>0"],
        Style::Rotating,
        0,
    ),
    ("latency-pcmpistri", &["PCMPISTRIrri:1>ECX", "MOVDI2PDIrr:1>0"], Style::Rotating, 0),
    ("latency-blendv-mask", &["BLENDVPDrr0:XMM0>0", "MOVAPSrr:1>0"], Style::Rotating, 0),
    ("latency-x87-add", &["ADD_FST0r:ST0>ST0"], Style::Same, 0),
];

fn opcode(machine: &Machine, name: &str) -> OpcodeId {
    machine.form(name).opcode
}

fn site(machine: &Machine, text: &str) -> Site {
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
fn experiments(machine: &Machine) -> Vec<(String, String, Experiment)> {
    let mut out = Vec::new();
    for &(file, form, breaking, interval) in THROUGHPUT {
        let mut title = format!("throughput of {form}");
        if !breaking.is_empty() {
            let _ = write!(title, ", {} every {interval}", breaking.join(", "));
        }
        out.push((file.to_owned(), title, throughput(machine, form, breaking, interval)));
    }
    for &(file, links, style, fillers) in LATENCY {
        let title = format!("latency of {}, {style:?}, {fillers} fillers", links.join(" then "));
        let links = links.iter().map(|text| link(machine, text)).collect();
        out.push((
            file.to_owned(),
            title,
            Experiment::Latency(Chain { links, style, fillers, least_links: 12 }),
        ));
    }
    let probe = Probe {
        opcode: opcode(machine, "VADDPDZrr"),
        register: Some((0, machine.register("ZMM17"))),
    };
    out.push(("probe-register".into(), "does ZMM17 exist".into(), Experiment::Probe(probe)));
    out.push((
        "dispatch-floor".into(),
        "fillers only".into(),
        Experiment::DispatchFloor { fillers: 32 },
    ));
    out
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/kernels/x86_64")
}

#[test]
fn kernels_read_as_they_should() {
    let mut machine = Machine::x86_64();
    let bless = std::env::var_os("BLESS").is_some();
    let mut wrong = String::new();
    for (file, title, experiment) in experiments(&machine) {
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
        let path = folder().join(format!("{file}.s"));
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
    let machine = Machine::x86_64();
    let known: Vec<String> =
        experiments(&machine).into_iter().map(|(file, ..)| format!("{file}.s")).collect();
    for entry in std::fs::read_dir(folder()).expect("there are golden kernels") {
        let name = entry.expect("a file").file_name().into_string().expect("a plain name");
        assert!(known.contains(&name), "no experiment has {name}");
    }
}

/// What a person reads and what the assembler gets are the same bytes.
#[test]
fn both_audiences_get_the_same_code() {
    let mut machine = Machine::x86_64();
    let template = machine.catalogue.isa.template().to_owned();
    for (file, _, experiment) in experiments(&machine) {
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
            machine
                .llvm
                .assemble(&format!("{template}\n{}", rendered.text))
                .unwrap_or_else(|error| panic!("{file}: {error}"))
        };
        assert!(object(Audience::Person) == object(Audience::Assembler), "{file} differs");
    }
}
