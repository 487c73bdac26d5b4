//! The closed loop, a sample of it: what winic finds when it measures a scheduling model must be
//! what the model's tables say. `scripts/closed-loop` does it with all forms.
#![cfg(feature = "llvm")]

use assert_cmd::Command;
use serde_json::Value;

fn winic(place: &tempfile::TempDir, arguments: &[&str]) -> String {
    winic_ends(place, arguments, vec![0])
}

/// The output of a winic that ends with one of some codes.
fn winic_ends(place: &tempfile::TempDir, arguments: &[&str], codes: Vec<i32>) -> String {
    let output = Command::cargo_bin("winic")
        .expect("winic is built")
        .current_dir(place.path())
        // Whatever would run on this machine fails.
        .env("WINIC_RUNNER", "/nonexistent")
        .args(arguments)
        .assert()
        .code(codes)
        .get_output()
        .stdout
        .clone();
    String::from_utf8(output).expect("text")
}

/// Figures that are told to be the model's, and those whose interval holds the model's and more.
struct Closed {
    equal: usize,
    undecided: usize,
}

fn all(equal: usize) -> Closed {
    Closed { equal, undecided: 0 }
}

/// Measures forms on the model of a CPU and demands that no figure differs from the model's.
fn must_close(
    architecture: &str,
    cpu: &str,
    forms: &[&str],
    latencies: &Closed,
    throughputs: &Closed,
) {
    let place = tempfile::tempdir().expect("a temporary directory");
    let target = ["-m", architecture, "-c", cpu];
    for mode in ["TP", "LAT"] {
        let options = ["--device", "mca", mode, "--noReport", "-o", "model.yaml", "-i"];
        winic(&place, &[&target[..], &options, forms].concat());
    }
    let text = winic(&place, &[&target[..], &["compare", "model.yaml"]].concat());
    for (kind, Closed { equal, undecided }) in
        [("latencies", latencies), ("throughputs", throughputs)]
    {
        let closed = format!(
            "{kind}: {equal} of {equal} agree (100.00 %), 0 differ, {undecided} undecided\n"
        );
        assert!(text.contains(&closed), "{cpu}: not '{closed}':\n{text}");
    }
}

/// What a comparison says of some forms of a CPU that were measured on its model in one mode.
fn compared(architecture: &str, cpu: &str, mode: &str, forms: &[&str]) -> String {
    let place = tempfile::tempdir().expect("a temporary directory");
    let target = ["-m", architecture, "-c", cpu];
    let options = ["--device", "mca", mode, "--noReport", "-o", "model.yaml", "-i"];
    winic(&place, &[&target[..], &options, forms].concat());
    winic(&place, &[&target[..], &["compare", "model.yaml"]].concat())
}

const X86: [&str; 9] = [
    "ADC64rr",
    "ADD64rr",
    "IMUL64rr",
    "POPCNT64rr",
    "VADDPSYrr",
    "VDIVPDrr",
    "VFMADD231PDr",
    "VPERMDYrr",
    "VPSHUFBrr",
];

/// The last is eliminated: faster than fillers, which take a unit there.
#[test]
fn zen_4() {
    must_close("x86_64", "znver4", &[&X86[1..], &["MOVAPSrr"]].concat(), &all(22), &all(9));
}

/// As many whole ones go through the front end in a cycle as fit: one of four micro-operations.
#[test]
fn instructions_are_dispatched_whole() {
    let text = compared("x86_64", "skylake", "TP", &["VZEROUPPER"]);
    assert!(text.contains("throughputs: 1 of 1 agree (100.00 %), 0 differ"), "{text}");
}

#[test]
fn differences_have_their_causes() {
    let text = compared("x86_64", "znver4", "TP", &["SFENCE", "VPCONFLICTDZrr"]);
    let barrier = "measured 1.00, reference 0.33 [a barrier, at which memory accesses wait";
    assert!(text.contains(barrier), "{text}");
    let units = "measured 2.00, reference 1.50 [it takes several units at once, which takes longer";
    assert!(text.contains(units), "{text}");

    let text = compared("riscv64", "sifive-p670", "LAT", &["VADC_VIM@e16m8"]);
    assert!(text.contains("[a link of its chain holds units for as long as it takes"), "{text}");
}

/// `ADC64rr` is known between two values: its instances are kept apart by what takes time, too.
#[test]
fn skylake() {
    must_close("x86_64", "skylake", &X86, &all(27), &Closed { equal: 8, undecided: 1 });
}

/// The last takes a cycle more if it writes the predicate that governs it.
const AARCH64: [&str; 8] =
    ["LSLVXr", "MADDXrrr", "CLZXr", "FADDDrr", "FMADDDrrr", "FDIVDrr", "ADDv4i32", "AND_PPzPP"];

#[test]
fn neoverse_v2() {
    must_close("aarch64", "neoverse-v2", &AARCH64, &all(18), &all(8));
}

/// Loads and stores of all kinds of address.
#[test]
fn memory_of_neoverse_v2() {
    let loads = ["LDRXui", "LDPXi", "LDRXpost", "LDRWroX", "LD1Onev4s", "GLD1W_D", "LDADDX"];
    let stores = ["STRXui", "STPXi", "STRQpre"];
    must_close_in("aarch64", "neoverse-v2", "LAT", &loads, "latencies: 8 of 8 agree");
    let both = [&loads[..], &stores].concat();
    must_close_in("aarch64", "neoverse-v2", "TP", &both, "throughputs: 9 of 9 agree");
}

/// Segments and strides, an eighth of a register and eight of them.
#[test]
fn memory_of_sifive_p670() {
    let loads =
        ["LW", "C_LD", "FLD", "AMOADD_D", "VLE32_V", "VLE8_V@e8m8", "VLSE64_V", "VLUXEI16_V"];
    let stores = ["SD", "VSSEG3E32_V", "VSUXEI64_V@e8mf8"];
    must_close_in("riscv64", "sifive-p670", "LAT", &loads, "latencies: 4 of 4 agree");
    let both = [&loads[..], &stores].concat();
    must_close_in("riscv64", "sifive-p670", "TP", &both, "throughputs: 11 of 11 agree");
}

/// What is stored can be loaded once the store has ended: both take what the model says of them.
#[test]
fn what_is_loaded_waits_for_what_was_stored() {
    let place = tempfile::tempdir().expect("a temporary directory");
    for (architecture, cpu, store, load, sum) in [
        ("x86_64", "znver4", "MOV64mr", "MOV64rm(memory -> 0(Class<GR64>))", "6.00"),
        ("aarch64", "neoverse-v2", "STRXui", "LDRXui(memory -> 0(Class<GPR64>))", "5.00"),
        ("aarch64", "cortex-a55", "STRXui", "LDRXui(memory -> 0(Class<GPR64>))", "4.00"),
    ] {
        let form = load.split('(').next().unwrap_or_default();
        let line = ["-m", architecture, "-c", cpu, "--device", "mca", "LAT", "--noReport"];
        let output = winic(&place, &[&line[..], &["-o", "/dev/null", "-i", store, form]].concat());
        let expected = format!("{load} [0.00;{sum}]");
        assert!(output.contains(&expected), "{cpu}: no {expected} in\n{output}");
    }
}

/// Measures forms on the model of a CPU in one mode: the comparison says that so many agree, and that
/// none differs.
fn must_close_in(architecture: &str, cpu: &str, mode: &str, forms: &[&str], closed: &str) {
    let place = tempfile::tempdir().expect("a temporary directory");
    let target = ["-m", architecture, "-c", cpu];
    let options = ["--device", "mca", mode, "--noReport", "-o", "model.yaml", "-i"];
    // (Nothing stores what `GLD1W_D` gathers, so that not all edges have a latency.)
    winic_ends(&place, &[&target[..], &options, forms].concat(), vec![0, 1]);
    let text = winic(&place, &[&target[..], &["compare", "model.yaml"]].concat());
    assert!(text.contains(closed) && text.contains(", 0 differ, "), "{cpu}, {mode}:\n{text}");
}

/// Forms that are faster than fillers, and flags, into which its model counts a cycle less than
/// loops can. Two edges have an interval that holds the model's figure.
#[test]
fn cortex_a55() {
    let forms = ["ADDXri", "LSLVXr", "FADDDrr", "ADDSXri", "CSELXr"];
    must_close("aarch64", "cortex-a55", &forms, &Closed { equal: 8, undecided: 2 }, &all(5));
}

const RISCV64: [&str; 6] = ["ADD", "MUL", "SLL", "FADD_D", "FMADD_D", "FDIV_D"];

#[test]
fn spacemit_x60() {
    must_close("riscv64", "spacemit-x60", &RISCV64, &all(13), &all(6));
}

#[test]
fn sifive_p670() {
    must_close("riscv64", "sifive-p670", &RISCV64, &all(13), &all(6));
}

/// What a vector form takes depends on its configuration, in the simulation and in the tables.
#[test]
fn vectors_of_sifive_p670() {
    let forms = ["VADD_VV", "VADD_VV@e8m4", "VMUL_VX"];
    let latencies = Closed { equal: 5, undecided: 1 };
    must_close("riscv64", "sifive-p670", &forms, &latencies, &all(3));
}

#[test]
fn a_wrong_figure_is_found_and_explained() {
    let place = tempfile::tempdir().expect("a temporary directory");
    let options = ["-c", "skylake", "--device", "mca", "LAT", "--noReport", "-o", "model.yaml"];
    winic(&place, &[&options[..], &["-i", "IMUL64rr", "VADDPDrr"]].concat());
    let path = place.path().join("model.yaml");
    let truth = std::fs::read_to_string(&path).expect("a database");
    let wrong =
        truth.replace("latencyMin: 3", "latencyMin: 5").replace("latencyMax: 3", "latencyMax: 5");
    assert_ne!(truth, wrong);
    let wrong_path = place.path().join("wrong.yaml");
    std::fs::write(&wrong_path, wrong).expect("a file");

    let text = winic(&place, &["compare", "wrong.yaml", "--tsv", "table.tsv"]);
    assert!(text.contains("latency 1 -> 0: measured 5.00, reference 3.00"), "{text}");
    assert!(text.contains("latencies: 2 of 6 agree (33.33 %), 4 differ"), "{text}");
    let table = std::fs::read_to_string(place.path().join("table.tsv")).expect("a table");
    let first = table.lines().nth(1).expect("a row");
    assert!(
        first
            .starts_with("IMUL64rr\tlatency\t0\t0\t5.0000\t5.0000\t3.0000\t3.0000\t0.0000\t2.0000"),
        "{table}"
    );

    let text = winic(&place, &["compare", "wrong.yaml", "model.yaml"]);
    assert!(text.contains("latencies: 2 of 6 agree (33.33 %), 4 differ"), "{text}");
}

/// The model sees what `fcom` reads and writes, but not that its result comes back to the register
/// over the top of the stack.
#[test]
fn what_a_model_does_not_lead_back_is_not_compared() {
    let text = compared("x86_64", "znver4", "LAT", &["COM_FST0r", "IMUL64rr"]);
    assert!(text.contains("1 the model does not know what leads its result back"), "{text}");
    assert!(text.contains(" 0 differ"), "{text}");
}

/// `smstart` is decoded for any CPU, and enters a mode that this one has not.
#[test]
fn what_needs_streaming_mode_is_a_finding_on_a_cpu_without_it() {
    let place = tempfile::tempdir().expect("a temporary directory");
    let target = ["-m", "aarch64", "-c", "neoverse-v2", "--device", "mca", "TP", "--noReport"];
    let options = ["-o", "/dev/null", "-i", "MSRpstatesvcrImm1"];
    let text = winic_ends(&place, &[&target[..], &options].concat(), vec![1]);
    assert!(text.contains("MSRpstatesvcrImm1 [illegal instruction]"), "{text}");
}

/// Addresses in lanes of vectors, in 64 bits and in 32, and none.
#[test]
fn addresses_in_vectors_and_literals_of_neoverse_v2() {
    let forms = ["GLD1D_IMM", "GLD1W_IMM", "LDNT1W_ZZR_D", "SST1W_D_IMM", "LDRXl", "LDRQl"];
    let (cpu, closed) = ("neoverse-v2", "throughputs: 6 of 6 agree");
    must_close_in("aarch64", cpu, "TP", &forms, closed);
}

/// The ports of some forms of a CPU from the times of its model alone, with so many random mixtures.
fn ports_of(architecture: &str, cpu: &str, forms: &[&str], mixtures: &str) -> Value {
    let place = tempfile::tempdir().expect("a temporary directory");
    let target = ["-m", architecture, "-c", cpu, "--device", "mca", "PORTS"];
    let options = ["--noReport", "--noAsm", "--json", "--mixtures", mixtures, "--seed", "3", "-i"];
    let text = winic(&place, &[&target[..], &options, forms].concat());
    serde_json::from_str(&text).expect("JSON")
}

/// Whether a mixture is predicted within 2 %.
fn is_near(mixture: &Value) -> bool {
    let (predicted, cycles) = (mixture["predicted"].as_f64(), mixture["cycles"].as_f64());
    predicted
        .zip(cycles)
        .is_some_and(|(predicted, cycles)| (predicted / cycles - 1.0).abs() <= 0.02)
}

/// Measures random mixtures of some forms on the model of a CPU, and demands that the ports that were told
/// from times alone predict all but a few of them.
fn ports_must_close(architecture: &str, cpu: &str, forms: &[&str], ports: u64) {
    let database = ports_of(architecture, cpu, forms, "240");
    let execution = &database["core"]["execution"];
    assert_eq!(execution["ports"], ports, "{cpu}: {}", execution["sets"]);
    // As LLVM-MCA dispatches.
    assert_ne!(execution["splitsInstructions"], true, "{cpu}");
    let mixtures = execution["mixtures"].as_array().expect("mixtures");
    let near = mixtures.iter().filter(|it| is_near(it)).count();
    assert!(mixtures.len() >= 200, "{cpu}: only {} mixtures", mixtures.len());
    assert!(near * 100 >= mixtures.len() * 98, "{cpu}: {near} of {}", mixtures.len());
}

/// Pairs, and accesses that write their base back, are of several slots, which pass the front end together: as many
/// as LLVM's model has micro-operations. Slots that take as long as the form does not hide that it uses ports.
#[test]
fn slots_of_a_neoverse_v2_are_micro_operations() {
    let slots = [
        ("LDPQpost", 6.0),
        ("LDPDpost", 4.0),
        ("LDPQi", 3.0),
        ("LDPXi", 2.0),
        ("LDRQpost", 3.0),
        ("LDRXpost", 2.0),
        ("STRQpost", 4.0),
        ("STRWpost", 3.0),
        ("STRQui", 2.0),
        ("LDRXui", 1.0),
    ];
    let forms = slots.map(|(form, _)| form);
    let database = ports_of("aarch64", "neoverse-v2", &forms, "0");
    assert_eq!(database["core"]["execution"]["splitsInstructions"], false);
    let entry = |form: &str| {
        let mut entries = database["instructions"].as_array().expect("forms").iter();
        entries.find(|it| it["llvmName"] == form).expect(form)
    };
    for (form, slots) in slots {
        let (found, ports) = (&entry(form)["slots"], &entry(form)["portPressure"]);
        assert_eq!(found.as_f64(), Some(slots), "{form}: {ports}");
    }
    let load = &entry("LDRXui")["portPressure"];
    for form in ["LDRQpost", "LDRXpost"] {
        assert_eq!(entry(form)["portPressure"], *load, "{form}");
    }
    for form in ["LDPQpost", "STRQpost", "STRWpost"] {
        assert_ne!(entry(form)["portPressure"], serde_json::json!([]), "{form}");
    }
}

#[test]
fn ports_of_a_p670_close() {
    let forms = ["ADD*", "S?L*", "F*_S", "F*_D"];
    // Two of them for vectors, which the forms of the ISA that are candidates show: the front end takes four
    // instructions, and beside four ports for integers hides them.
    ports_must_close("riscv64", "sifive-p670", &forms, 8);
}

#[test]
fn ports_of_a_skylake_close() {
    ports_must_close("x86_64", "skylake", &["V*PSYrr", "ADD32*r", "SH*32rr"], 7);
}

/// One port takes the data of every store, so that two of them take what both take by themselves. Mixtures with memory
/// have several forms that load or store.
#[test]
fn stores_of_a_skylake_share_a_port() {
    let stores = ["MOV8mr", "MOV32mr", "MOV64mr", "MOVAPSmr", "VMOVUPSYmr", "VEXTRACTF128mri"];
    let others = ["MOV64rm", "VMOVUPSYrm", "ADD64rm", "ADD32rr", "VADDPSYrr", "VPERMILPSYri"];
    let updates = ["ADD32mr", "SUB64mr", "XOR64mi8"];
    let forms = [&stores[..], &others, &updates].concat();
    let database = ports_of("x86_64", "skylake", &forms, "240");
    let has_two = |mixture: &&Value| {
        let forms = mixture["forms"].as_array().expect("forms").iter();
        let names = forms.filter_map(|form| form[0].as_str());
        names.filter(|name| name.contains("mr") || name.contains("mi")).count() > 1
    };
    let mixtures = database["core"]["execution"]["mixtures"].as_array().expect("mixtures");
    let of_two: Vec<&Value> = mixtures.iter().filter(has_two).collect();
    assert!(of_two.len() >= 10, "only {} of {}", of_two.len(), mixtures.len());
    let far: Vec<&&Value> = of_two.iter().filter(|it| !is_near(it)).collect();
    assert!(far.is_empty(), "{far:?}");
    let ports = |form: &str| {
        let mut entries = database["instructions"].as_array().expect("forms").iter();
        let pressure = &entries.find(|it| it["llvmName"] == form).expect(form)["portPressure"];
        pressure.as_array().expect("ports").clone()
    };
    let of_store = ports(stores[0]);
    assert_eq!(of_store.len(), 1, "{of_store:?}");
    for form in stores.iter().chain(&updates) {
        assert!(ports(form).contains(&of_store[0]), "{form}: {:?}", ports(form));
    }
}
