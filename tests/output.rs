//! Where values go and where they do not: files of other machines, values that are better than
//! new ones, streams, standard output. Where it can be, the machine is a scheduling model.
#![cfg(feature = "llvm")]

use std::fs::{self, File};
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use winic::database::{Database, Origin, Quantity};
use winic::device::Source;

const RUNNER: &str = env!("CARGO_BIN_EXE_winic-runner");

/// LLVM's model of Zen 4 as the machine.
const ZEN4: [&str; 2] = ["--device", "mca:znver4"];

fn winic(directory: &Path, line: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_winic"));
    command.current_dir(directory).env("WINIC_RUNNER", RUNNER).args(line.split_whitespace());
    command
}

fn simulated(directory: &Path, line: &str) -> Command {
    let mut command = winic(directory, "");
    command.args(ZEN4).args(line.split_whitespace());
    command
}

fn place() -> tempfile::TempDir {
    tempfile::tempdir().expect("a temporary directory")
}

fn words(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The run succeeds; returns its standard output.
fn succeeds(command: &mut Command) -> String {
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{command:?}: {}", words(&output.stderr));
    words(&output.stdout)
}

/// The run ends with 2 and one line, before anything is measured; returns the line.
fn is_refused(command: &mut Command) -> String {
    let Output { status, stderr, .. } = command.output().unwrap();
    let text = words(&stderr);
    assert_eq!(status.code(), Some(2), "{command:?}: {text}");
    assert!(!text.contains("experiments in"), "{command:?}: something was measured: {text}");
    let lines: Vec<&str> = text.lines().filter(|line| line.starts_with("winic: ")).collect();
    assert_eq!(lines.len(), 1, "{command:?}: {text}");
    lines[0].to_owned()
}

/// The names in a directory.
fn names(directory: &Path) -> Vec<String> {
    let entries = fs::read_dir(directory).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

fn read(directory: &Path, file: &str) -> String {
    fs::read_to_string(directory.join(file)).unwrap()
}

/// A database with one throughput, as if this machine had been measured.
fn measured_here(value: f64) -> String {
    let host = winic::llvm::host();
    let isa = host.triple.split('-').next().unwrap().to_owned();
    format!(
        "isa: {isa}\nmicroArchitecture: {}\ninstructions:\n- {{llvmName: ADD64rr, throughput: {value}, \
         throughputMin: {value}, throughputMax: {value}}}\n",
        host.cpu
    )
}

#[test]
fn a_file_takes_values_of_one_cpu_and_one_source() {
    let place = place();
    let place = place.path();
    succeeds(&mut simulated(place, "TP -i ADD64rr -o f.yaml --noReport"));
    let before = read(place, "f.yaml");
    assert!(before.contains("source: simulated\nsourceCpu: znver4\n"), "{before}");
    for (line, what) in [
        ("--device mca:skylake TP -i ADD64rr -o f.yaml", "simulated values of skylake (x86_64)"),
        (
            "-c znver4 --device mca:skylake TP -i ADD64rr -o f.yaml",
            "simulated values of znver4 (x86_64) from skylake",
        ),
        (
            "-m aarch64 --device mca:neoverse-v2 TP -i ADDXrr -o f.yaml",
            "simulated values of neoverse-v2 (aarch64)",
        ),
        ("TP -i ADD64rr -o f.yaml", "measured values of"),
    ] {
        let refusal = is_refused(&mut winic(place, line));
        assert!(refusal.contains("f.yaml: it has simulated values of znver4"), "{refusal}");
        assert!(refusal.contains(what), "{refusal}");
        assert_eq!(read(place, "f.yaml"), before, "{line}");
    }
    succeeds(&mut simulated(place, "LAT -i ADD64rr -o f.yaml --noReport"));
    let entry = Database::read(&place.join("f.yaml")).unwrap().entry("ADD64rr").unwrap();
    assert_eq!((entry.throughput.value, entry.latency.value), (Some(0.25), Some(1.0)));
}

#[test]
fn the_database_of_a_zen_4_takes_a_zen_4_and_nothing_else() {
    let place = place();
    let known = Path::new(env!("CARGO_MANIFEST_DIR")).join("output/znver4/znver4.yaml");
    let zen = |source| Origin {
        isa: "x86_64".into(),
        cpu: "znver4".into(),
        source,
        source_cpu: Some("znver4".into()),
    };
    let database = Database::read(&known).unwrap();
    assert_eq!(database.admit(&zen(Source::Measured), false), Ok(()));
    assert!(database.admit(&zen(Source::Emulated), true).is_err());
    fs::copy(&known, place.path().join("f.yaml")).unwrap();
    let refusal = is_refused(&mut simulated(place.path(), "TP -i ADD64rr -o f.yaml"));
    assert!(refusal.contains("it has measured values of znver4 (x86_64)"), "{refusal}");
    assert_eq!(fs::read(place.path().join("f.yaml")).unwrap(), fs::read(known).unwrap());
}

#[test]
fn a_list_without_a_cpu_is_adopted_only_by_those_who_say_so() {
    let place = place();
    let list = "- {llvmName: ADD64rr, latency: 7}\n";
    let is_kept_out = |text: &str, options: &str| {
        fs::write(place.path().join("f.yaml"), text).unwrap();
        let line = format!("TP -i ADD64rr -o f.yaml {options}");
        let refusal = is_refused(&mut simulated(place.path(), &line));
        assert_eq!(read(place.path(), "f.yaml"), text);
        refusal
    };
    // A bare list is of something measured, if anybody knows.
    let refusal = is_kept_out(list, "--adopt");
    assert!(refusal.contains("does not fit simulated values"), "{refusal}");
    let list = format!("source: simulated\ninstructions:\n{list}");
    let refusal = is_kept_out(&list, "");
    assert!(refusal.contains("--adopt makes it a file of simulated values"), "{refusal}");
    succeeds(&mut simulated(place.path(), "TP -i ADD64rr -o f.yaml --adopt --noReport"));
    let adopted = Database::read(&place.path().join("f.yaml")).unwrap();
    assert_eq!(adopted.header().micro_architecture.as_deref(), Some("znver4"));
    assert_eq!(adopted.entry("ADD64rr").unwrap().latency.value, Some(7.0));
}

#[test]
fn a_cpu_that_this_is_not_is_said_and_stands_in_the_file() {
    let place = place();
    let output =
        winic(place.path(), "-c nehalem TP -i ADD64rr -o f.yaml --noReport").output().unwrap();
    let text = words(&output.stderr);
    let here = winic::llvm::host().cpu;
    assert!(
        text.contains(&format!("-c says nehalem, but LLVM takes this CPU for {here}")),
        "{text}"
    );
    let header = Database::read(&place.path().join("f.yaml")).unwrap().header();
    assert_eq!(header.micro_architecture.as_deref(), Some("nehalem"));
    assert_eq!((header.source, header.source_cpu), (Some(Source::Measured), Some(here)));
}

#[test]
fn a_run_that_cannot_measure_leaves_what_was_there() {
    let place = place();
    fs::write(place.path().join("f.yaml"), measured_here(0.125)).unwrap();
    let line = "TP --noTiming -i ADD64rr -o f.yaml --noReport";
    let output = winic(place.path(), line).output().unwrap();
    let text = words(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("1 values in the database stay"), "{text}");
    let entry = Database::read(&place.path().join("f.yaml")).unwrap().entry("ADD64rr").unwrap();
    assert_eq!(entry.throughput.value, Some(0.125));
    assert_eq!(entry.throughput.status, None);
}

#[test]
fn a_frequency_that_the_core_does_not_have_is_refused_unless_forced() {
    let place = place();
    // Whatever the machine offers, a counter of cycles needs no frequency.
    let run = |line: &str| {
        let mut command = winic(place.path(), "");
        command.args(["--runner", &format!("'{RUNNER}' --ticks time-stamp")]);
        command.args(["-c", &winic::llvm::host().cpu]).args(line.split_whitespace());
        command.output().unwrap()
    };
    fs::write(place.path().join("f.yaml"), measured_here(0.125)).unwrap();
    let refused = run("-f 0.5 TP -i ADD64rr -o f.yaml --noReport");
    let text = words(&refused.stderr);
    assert_eq!(refused.status.code(), Some(2), "{text}");
    assert!(text.contains("winic: -f says 0.500 GHz, but the reference chain runs at"), "{text}");
    assert!(!text.contains("forms "), "forms were executed: {text}");
    assert!(read(place.path(), "f.yaml").contains("0.125"));
    let forced = run("-f 0.5 --forceFrequency TP -i ADD64rr -o forced.yaml --noReport");
    let text = words(&forced.stderr);
    assert_eq!(forced.status.code(), Some(0), "{text}");
    assert!(text.contains("warning: -f says 0.500 GHz"), "{text}");
    let alone = words(&run("--forceFrequency TP -i ADD64rr").stderr);
    assert!(alone.contains("insists on the frequency of -f"), "{alone}");
    for unit in ["3200", "1e99"] {
        let text = words(&run(&format!("-f {unit} TP -i ADD64rr")).stderr);
        assert!(text.contains("3200 MHz are 3.2"), "{text}");
    }
}

#[test]
fn no_output_is_an_input() {
    let place = place();
    let place = place.path();
    let file = |name: &str| place.join(name);
    fs::write(file("a.yaml"), measured_here(1.0)).unwrap();
    fs::write(file("b.yaml"), measured_here(2.0)).unwrap();
    symlink("a.yaml", file("soft")).unwrap();
    fs::hard_link(file("b.yaml"), file("hard")).unwrap();
    for table in ["a.yaml", "./b.yaml", "soft", "hard"] {
        let line = format!("compare a.yaml b.yaml --tsv {table}");
        let refusal = is_refused(&mut winic(place, &line));
        assert!(refusal.contains("which is compared"), "{refusal}");
    }
    for line in [
        "TP -i ADD64rr -o new.yaml --times ./new.yaml",
        "TP -i ADD64rr -o new.yaml --report new.yaml",
        "TP -i ADD64rr -o new.yaml --report new.yaml.journal",
        "TP -i ADD64rr -o soft --times a.yaml",
    ] {
        let refusal = is_refused(&mut simulated(place, line));
        assert!(refusal.contains("are one file"), "{refusal}");
    }
    assert_eq!(read(place, "a.yaml"), measured_here(1.0));
    assert_eq!(read(place, "b.yaml"), measured_here(2.0));
    succeeds(&mut winic(place, "compare a.yaml b.yaml --tsv table.tsv"));
    assert!(read(place, "table.tsv").contains("ADD64rr"));
}

#[test]
fn values_are_printed_as_yaml_json_csv_and_a_table() {
    let place = place();
    let print = |option: &str| {
        let line = format!("ALL -i ADD64rr IMUL64rr --noAsm {option}");
        succeeds(&mut simulated(place.path(), &line))
    };
    let text = print("-o -");
    assert!(text.starts_with("---\nschemaVersion: "), "{text}");
    let database = Database::parse(&text).unwrap();
    let entry = database.entry("IMUL64rr").unwrap();
    assert_eq!((entry.throughput.value, entry.latency.value), (Some(1.0), Some(3.0)));
    assert_eq!(
        Database::parse(&print("-o /dev/stdout")).unwrap().rows().count(),
        database.rows().count()
    );

    let of_yaml: serde_yaml::Value = serde_yaml::from_str(&text).unwrap();
    let of_json: serde_json::Value = serde_json::from_str(&print("--json")).unwrap();
    assert_eq!(of_json["instructions"], serde_json::to_value(&of_yaml["instructions"]).unwrap());
    assert_eq!(of_json["source"], "simulated");

    let rows: Vec<_> = database.rows().collect();
    assert_eq!(rows.iter().filter(|row| row.quantity == Quantity::Throughput).count(), 2);
    let csv = print("--csv");
    let mut lines = csv.lines();
    let heading = "llvmName,name,quantity,sourceOperand,targetOperand,min,max,independence,uncertainty,raw,status,variant";
    assert_eq!(lines.next(), Some(heading));
    assert_eq!(lines.clone().count(), rows.len());
    assert!(lines.any(|line| line.starts_with("IMUL64rr,imul,latency,1,0,3,3,")), "{csv}");

    let table = print("--table");
    assert_eq!(table.lines().count(), rows.len() + 1, "{table}");
    let columns: Vec<&str> = table.lines().nth(1).unwrap().split_whitespace().collect();
    assert_eq!(columns, ["ADD64rr", "add", "throughput", "0.25"]);
    assert!(names(place.path()).is_empty(), "files were written: {:?}", names(place.path()));
}

#[test]
fn a_document_stands_alone_on_standard_output() {
    let place = place();
    // What leaves a kernel is no form, and that is no finding in a database.
    let line = "TP -i ADD64rr HLT --noAsm --csv";
    let output = simulated(place.path(), line).output().unwrap();
    let (text, notes) = (words(&output.stdout), words(&output.stderr));
    assert_eq!(output.status.code(), Some(1), "{notes}");
    assert_eq!(text.lines().count(), 2, "{text}");
    assert!(notes.contains("HLT ["), "{notes}");
    for line in
        ["-o - --json", "-o /dev/stdout --csv", "--report - --table", "--times /dev/stdout -o -"]
    {
        let line = format!("TP -i ADD64rr {line}");
        let refusal = is_refused(&mut simulated(place.path(), &line));
        assert!(refusal.contains("one document"), "{refusal}");
    }
    let both = simulated(place.path(), "TP -i ADD64rr --json --csv").output().unwrap();
    assert_eq!(both.status.code(), Some(2));
}

#[test]
fn what_is_no_file_is_written_as_a_stream() {
    let place = place();
    let pipe = place.path().join("pipe");
    nix::unistd::mkfifo(&pipe, nix::sys::stat::Mode::S_IRWXU).unwrap();
    let read = std::thread::spawn(move || fs::read_to_string(pipe).unwrap());
    let line = "TP -i ADD64rr --noAsm -o";
    succeeds(simulated(place.path(), line).arg("pipe"));
    let database = Database::parse(&read.join().unwrap()).unwrap();
    assert_eq!(database.entry("ADD64rr").unwrap().throughput.value, Some(0.25));
    let output = simulated(place.path(), line).arg("/dev/full").output().unwrap();
    let text = words(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert!(text.contains("winic: cannot write /dev/full: No space left"), "{text}");
    assert!(!text.contains("wrote"), "{text}");
    succeeds(simulated(place.path(), line).arg("/dev/null"));
    assert_eq!(names(place.path()), ["pipe"]);
    for stream in ["-", "/dev/full", "/dev/null"] {
        let refusal = is_refused(simulated(place.path(), line).args([stream, "--resume"]));
        assert!(refusal.contains("name one with -o"), "{refusal}");
    }
}

#[test]
fn standard_output_that_takes_nothing_is_an_error_and_a_closed_pipe_is_none() {
    let place = place();
    fs::write(place.path().join("a.yaml"), measured_here(1.0)).unwrap();
    let lines = [
        "--device mca:znver4 TP -i ADD64rr --noAsm",
        "--device mca:znver4 TP -i ADD64rr --noAsm --json",
        "--device mca:znver4 TP -i ADD64rr --noAsm -o -",
        "-m riscv64 list --noProbe",
        "compare a.yaml a.yaml",
        "--help",
        "--version",
    ];
    for line in lines {
        let full = File::options().write(true).open("/dev/full").unwrap();
        let output = winic(place.path(), line).stdout(full).output().unwrap();
        let text = words(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{line}: {text}");
        let is_said = text.lines().any(|line| line.starts_with("winic: cannot write "));
        assert!(is_said && text.contains("No space left"), "{line}: {text}");

        let mut command = winic(place.path(), line);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        let text = words(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{line}: {text}");
        assert!(!text.contains("cannot write"), "{line}: {text}");
    }
}

#[test]
fn a_read_only_file_is_not_replaced() {
    let place = place();
    let file = place.path().join("f.yaml");
    fs::write(&file, "instructions: []\n").unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o444)).unwrap();
    let refusal = is_refused(&mut simulated(place.path(), "TP -i ADD64rr -o f.yaml"));
    assert!(refusal.contains("cannot write f.yaml: "), "{refusal}");
    assert_eq!(read(place.path(), "f.yaml"), "instructions: []\n");
}

#[test]
fn reports_of_one_second_have_names_of_their_own() {
    let place = place();
    const RUNS: usize = 4;
    let run = |number: usize| {
        let line = format!("TP -i ADD64rr --noAsm -o {number}.yaml");
        simulated(place.path(), &line).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
    };
    let runs: Vec<_> = (0..RUNS).map(run).collect();
    for mut run in runs {
        assert_eq!(run.wait().unwrap().code(), Some(0));
    }
    let names = names(place.path());
    let count = |start: &str| names.iter().filter(|name| name.starts_with(start)).count();
    assert_eq!(count("report_TP_"), RUNS, "{names:?}");
}

#[test]
fn a_report_stands_beside_a_database_or_where_it_is_asked_for() {
    let place = place();
    let run = |line: &str| {
        fs::create_dir(place.path().join("work")).unwrap();
        succeeds(&mut simulated(&place.path().join("work"), line));
        let names = names(&place.path().join("work"));
        fs::remove_dir_all(place.path().join("work")).unwrap();
        names
    };
    assert_eq!(run("TP -i ADD64rr --noAsm"), [""; 0]);
    assert_eq!(run("TP -i ADD64rr --noAsm -o -"), [""; 0]);
    assert_eq!(run("TP -i ADD64rr --noAsm --report r.txt"), ["r.txt"]);
    assert_eq!(run("TP -i ADD64rr --noAsm -o f.yaml --noReport"), ["f.evidence", "f.yaml"]);
    assert_eq!(run("TP -i ADD64rr --noAsm -o f.yaml --noReport --noEvidence"), ["f.yaml"]);
    assert_eq!(
        run("TP -i ADD64rr --noAsm -o f.yaml --noEvidence --report r.txt"),
        ["f.yaml", "r.txt"]
    );
    let beside = run("TP -i ADD64rr --noAsm -o f.yaml --noEvidence");
    assert!(beside.len() == 2 && beside[1].starts_with("report_TP_"), "{beside:?}");
}

#[test]
fn kernels_go_where_there_is_room_for_them() {
    let place = place();
    let place = place.path();
    fs::write(place.join("asm"), "a file").unwrap();
    let refusal = is_refused(&mut simulated(place, "TP -i ADD64rr"));
    assert!(refusal.contains("--noAsm") && refusal.contains("kernels to asm"), "{refusal}");
    succeeds(&mut simulated(place, "TP -i ADD64rr --noAsm"));
    assert_eq!(names(place), ["asm"]);
    succeeds(&mut simulated(place, "TP -i ADD64rr --asm deep/kernels"));
    let kernel = read(place, "deep/kernels/ADD64rr_TP.s");
    assert!(kernel.contains("winic MAN -p deep/kernels/ADD64rr_TP.s "), "{kernel}");
    assert_eq!(read(place, "asm"), "a file");
}
