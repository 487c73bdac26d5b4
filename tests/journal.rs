//! The journal: whatever happens to its file or its writer, no finding is lost that was
//! finished, and none is made up.

use std::fs;
use std::io::{self, Write as _};
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use winic::database::{Database, Destination, Header as Machine, Subject, Throughput, Update};
use winic::device::Fault;
use winic::experiment::{Experiment, Probe};
use winic::files;
use winic::form::Site;
use winic::infer::{Finding, LoopCost, Timing};
use winic::journal::{Contents, Journal, JournalError, JournalHeader, Start};
use winic::kernel::{Breaking, Cells, Chain, Link, Registers, Style, ThroughputBody, ValueClass};
use winic::metadata::{OpcodeId, RegisterId};
use winic::sample::{Sample, Unusable};
use winic::units::{Cycles, Hertz};

fn header() -> JournalHeader {
    JournalHeader {
        winic: "0".into(),
        llvm: "22".into(),
        run: "TP".into(),
        ..JournalHeader::default()
    }
}

/// A directory and the place of a journal in it.
fn place() -> (tempfile::TempDir, PathBuf) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("out.yaml.journal");
    (directory, path)
}

fn contents(bytes: &[u8]) -> Contents {
    Contents::read(&mut &*bytes).unwrap()
}

/// The bytes of a journal with these findings.
fn written(findings: &[(Experiment, Finding)]) -> Vec<u8> {
    let (_directory, path) = place();
    let mut journal = Journal::open(&path, &header(), Start::Anew).unwrap();
    findings.iter().for_each(|(experiment, finding)| journal.append(experiment, finding).unwrap());
    fs::read(&path).unwrap()
}

/// The n-th of a series of findings that can be told apart.
fn numbered(n: u32) -> (Experiment, Finding) {
    (Experiment::DispatchFloor { fillers: n }, Finding::Executed { ticks: u64::from(n) })
}

/// The page that describes the file shows a line as it is.
#[test]
fn the_example_of_the_documentation_is_a_line() {
    let experiment = Experiment::Probe(Probe { opcode: OpcodeId(431), register: None });
    let journal = written(&[(experiment, Finding::Executed { ticks: 2704 })]);
    let line = String::from_utf8(journal).unwrap().lines().last().unwrap().to_owned();
    let page = include_str!("../src/journal/mod.rs");
    assert!(page.contains(&format!("//! {line}\n")), "the page has not '{line}'");
}

fn site() -> impl Strategy<Value = Site> {
    prop_oneof![
        (0..6_usize).prop_map(Site::Operand),
        any::<u32>().prop_map(|register| Site::Implicit(RegisterId(register))),
    ]
}

fn link() -> impl Strategy<Value = Link> {
    (any::<u32>(), site(), site(), option::of((0..6_usize, any::<i64>()))).prop_map(
        |(opcode, source, target, immediate)| Link {
            opcode: OpcodeId(opcode),
            source,
            target,
            immediate,
            restoring: None,
        },
    )
}

fn experiment() -> impl Strategy<Value = Experiment> {
    let probe =
        (any::<u32>(), option::of((0..6_usize, any::<u32>()))).prop_map(|(opcode, register)| {
            Probe {
                opcode: OpcodeId(opcode),
                register: register.map(|(operand, register)| (operand, RegisterId(register))),
            }
        });
    let breaking = (any::<u32>(), any::<u32>()).prop_map(|(register, breaker)| Breaking {
        register: RegisterId(register),
        breaker: OpcodeId(breaker),
    });
    let body = (any::<u32>(), 1..99_u32, vec(breaking, 0..3), 1..9_u32).prop_map(
        |(subject, instances, breaking, interval)| ThroughputBody {
            subject: OpcodeId(subject),
            immediate: None,
            instances,
            breaking,
            interval,
            fillers: 0,
            values: ValueClass::default(),
            registers: Registers::default(),
            cells: Cells::default(),
        },
    );
    let chain = (vec(link(), 1..4), any::<bool>(), 0..9_u32).prop_map(|(links, same, fillers)| {
        let style = if same { Style::Same } else { Style::Rotating };
        Chain { links, style, fillers, least_links: 12, values: ValueClass::default() }
    });
    prop_oneof![
        probe.prop_map(Experiment::Probe),
        (0..9_usize).prop_map(|candidate| Experiment::Reference { candidate }),
        (0..900_u32).prop_map(|fillers| Experiment::DispatchFloor { fillers }),
        body.prop_map(Experiment::Throughput),
        chain.prop_map(Experiment::Latency),
    ]
}

fn number() -> impl Strategy<Value = f64> {
    any::<f64>().prop_filter("measured numbers are finite", |number| number.is_finite())
}

prop_compose! {
    fn sample()(body in number(), uncertainty in number(), plain in option::of(number()),
                frequency in option::of(1.0..1e11), used in 0..99_usize, total in 0..99_usize,
                settled in any::<bool>()) -> Sample {
        Sample {
            body: Cycles(body),
            uncertainty: Cycles(uncertainty),
            plain: plain.map(Cycles),
            frequency: frequency.map(|frequency| Hertz::new(frequency).unwrap()),
            pulse: plain.map(Cycles),
            windows_used: used,
            windows_total: total,
            settled,
        }
    }
}

fn finding() -> impl Strategy<Value = Finding> {
    prop_oneof![
        any::<u64>().prop_map(|ticks| Finding::Executed { ticks }),
        (sample(), 1..999_u32).prop_map(|(s, n)| Finding::Timed(Timing::of_instances(
            s,
            n,
            LoopCost::Hidden
        ))),
        (sample(), 1..999_u32).prop_map(|(s, n)| Finding::Timed(Timing::of_chain(
            s,
            n,
            LoopCost::Hidden
        ))),
        any::<i32>().prop_map(|signal| Finding::Faulted(Fault::Signal(signal))),
        any::<String>().prop_map(Finding::Impossible),
        (0..99_usize).prop_map(|windows| Finding::Unusable(Unusable::NoStableWindow { windows })),
    ]
}

fn findings() -> impl Strategy<Value = Vec<(Experiment, Finding)>> {
    vec((experiment(), finding()), 0..12)
}

proptest! {
    #[test]
    fn findings_come_back_to_the_last_bit(findings in findings()) {
        let read = contents(&written(&findings));
        prop_assert_eq!(read.header, header());
        prop_assert_eq!(read.findings, findings);
        prop_assert_eq!(read.damaged, 0);
    }

    #[test]
    fn of_a_cut_journal_all_whole_lines_count(findings in findings(), cut in any::<prop::sample::Index>()) {
        let bytes = written(&findings);
        let first = bytes.iter().position(|&byte| byte == b'\n').unwrap() + 1;
        let cut = first + cut.index(bytes.len() - first + 1);
        let read = contents(&bytes[..cut]);
        let whole = bytes[first..cut].iter().filter(|&&byte| byte == b'\n').count();
        prop_assert_eq!(&read.findings[..], &findings[..whole]);
        prop_assert_eq!((read.damaged, bytes[read.whole as usize - 1]), (0, b'\n'));
    }

    #[test]
    fn a_damaged_byte_costs_its_line_and_no_other(
        findings in findings(), at in any::<prop::sample::Index>(), flip in 1..=255_u8,
    ) {
        let mut bytes = written(&findings);
        let first = bytes.iter().position(|&byte| byte == b'\n').unwrap() + 1;
        prop_assume!(first < bytes.len());
        let at = first + at.index(bytes.len() - first);
        bytes[at] ^= flip;
        let read = contents(&bytes).findings;
        // A line's end that is gone costs the line behind it, too.
        prop_assert!(read.len() + 2 >= findings.len());
        let mut expected = findings.iter();
        prop_assert!(read.iter().all(|found| expected.any(|one| one == found)), "made up");
    }

    #[test]
    fn no_bytes_are_too_odd(bytes in vec(any::<u8>(), 0..200)) {
        let _ = Contents::read(&mut bytes.as_slice());
        let mut behind_a_header = written(&[]);
        behind_a_header.extend(bytes);
        prop_assert_eq!(contents(&behind_a_header).findings, vec![]);
    }
}

#[test]
fn an_experiment_is_recalled_finding_by_finding() {
    let (_directory, path) = place();
    let (experiment, first) = numbered(1);
    let second = Finding::Faulted(Fault::TimedOut);
    let mut journal = Journal::open(&path, &header(), Start::Anew).unwrap();
    assert_eq!(journal.recall(&experiment), None);
    journal.append(&experiment, &first).unwrap();
    journal.append(&experiment, &second).unwrap();
    assert_eq!(journal.recall(&experiment), None, "what this run found is no news to it");
    drop(journal);
    let mut journal = Journal::open(&path, &header(), Start::Resume).unwrap();
    assert_eq!(journal.remembered(), 2);
    let recalled: Vec<_> = std::iter::from_fn(|| journal.recall(&experiment)).collect();
    assert_eq!(recalled, [first, second]);
    journal.remove().unwrap();
    assert!(!path.exists());
}

#[test]
fn a_line_without_an_end_does_not_run_into_the_next() {
    let (_directory, path) = place();
    let mut bytes = written(&[numbered(1), numbered(2)]);
    bytes.truncate(bytes.len() - 5);
    fs::write(&path, &bytes).unwrap();
    let mut journal = Journal::open(&path, &header(), Start::Resume).unwrap();
    journal.append(&numbered(3).0, &numbered(3).1).unwrap();
    let read = contents(&fs::read(&path).unwrap());
    assert_eq!((read.findings, read.damaged), (vec![numbered(1), numbered(3)], 0));
}

#[test]
fn findings_are_not_thrown_away_without_being_told() {
    let (_directory, path) = place();
    fs::write(&path, written(&[numbered(1)])).unwrap();
    let before = fs::read(&path).unwrap();
    let refused = Journal::open(&path, &header(), Start::Anew).unwrap_err();
    assert!(matches!(refused, JournalError::Exists { findings: 1, .. }), "{refused}");
    assert!(refused.to_string().contains("--resume"), "{refused}");
    assert_eq!(fs::read(&path).unwrap(), before);
}

#[test]
fn what_holds_for_something_else_is_refused_by_name() {
    let (_directory, path) = place();
    fs::write(&path, written(&[numbered(1)])).unwrap();
    let before = fs::read(&path).unwrap();
    type Change = fn(&mut JournalHeader) -> &mut String;
    let changes: [(&str, Change); 7] = [
        ("winic", |header| &mut header.winic),
        ("version of LLVM", |header| &mut header.llvm),
        ("fingerprint", |header| &mut header.tables),
        ("target", |header| &mut header.target),
        ("CPU", |header| &mut header.cpu),
        ("clock", |header| &mut header.clock),
        ("run", |header| &mut header.run),
    ];
    for (name, field) in changes {
        let mut other = header();
        *field(&mut other) = "another\none".into();
        let refused = Journal::open(&path, &other, Start::Resume).unwrap_err().to_string();
        assert!(refused.contains(name) && refused.contains("`another\\none`"), "{refused}");
        assert_eq!(refused.lines().count(), 1);
    }
    assert_eq!(fs::read(&path).unwrap(), before);
}

#[test]
fn a_journal_without_findings_stands_in_nobodys_way() {
    let (_directory, path) = place();
    fs::write(&path, written(&[])).unwrap();
    let other = JournalHeader { run: "LAT".into(), ..header() };
    drop(Journal::open(&path, &other, Start::Anew).unwrap());
    assert_eq!(contents(&fs::read(&path).unwrap()).header, other);
}

#[test]
fn a_journal_has_one_writer() {
    let (_directory, path) = place();
    let journal = Journal::open(&path, &header(), Start::Anew).unwrap();
    for start in [Start::Anew, Start::Resume] {
        let refused = Journal::open(&path, &header(), start).unwrap_err();
        assert!(matches!(refused, JournalError::Busy { .. }), "{refused}");
    }
    drop(journal);
    Journal::open(&path, &header(), Start::Anew).unwrap();
}

#[test]
fn files_of_others_are_left_alone() {
    let (directory, path) = place();
    for bytes in [&b""[..], b"my diary\n", b"00000000 {}\n", &[0xff; 100], &written(&[])[..50]] {
        fs::write(&path, bytes).unwrap();
        for start in [Start::Anew, Start::Resume] {
            let refused = Journal::open(&path, &header(), start).unwrap_err();
            assert!(matches!(refused, JournalError::Foreign { .. }), "{refused}");
        }
        assert_eq!(fs::read(&path).unwrap(), bytes);
    }
    let refused = Journal::open(directory.path(), &header(), Start::Anew).unwrap_err();
    assert!(refused.to_string().contains("not a file"), "{refused}");
}

#[test]
fn a_line_may_be_longer_than_memory_is_spent_on() {
    let mut bytes = written(&[numbered(1)]);
    bytes.extend(std::iter::repeat_n(b'x', 5 << 20));
    bytes.push(b'\n');
    let end = bytes.len() as u64;
    let tail = written(&[numbered(2)]);
    let second = tail.iter().position(|&byte| byte == b'\n').unwrap() + 1;
    bytes.extend(&tail[second..]);
    let read = contents(&bytes);
    assert_eq!((read.findings, read.damaged), (vec![numbered(1), numbered(2)], 1));
    assert!(read.whole > end);
    // Without an end, however long, it is what a killed writer left.
    let read = contents(&bytes[..end as usize - 1]);
    assert_eq!((read.findings, read.damaged), (vec![numbered(1)], 0));
}

// ---- Writers that are killed --------------------------------------------------------------

/// Where the writer writes; the test that kills it tells it so.
const WRITER: &str = "WINIC_TEST_WRITER";

/// Times that a writer is killed, unless the variable says otherwise.
const KILLS: (&str, u32) = ("WINIC_WRITER_KILLS", 150);

/// What the database says after so many generations: every entry the same.
fn generation(number: u32) -> Database {
    let mut database = Database::empty(&Machine::default());
    for name in ["A", "B", "C"] {
        let throughput = Throughput { value: Some(f64::from(number)), ..Throughput::default() };
        let subject = Subject { llvm_name: name.into(), ..Subject::default() };
        database.merge(&Update { subject, throughput: Some(throughput), ..Update::default() });
    }
    database
}

#[test]
#[ignore = "runs for ever: another test starts it, and kills it"]
fn writer() {
    let Some(directory) = std::env::var_os(WRITER) else { return };
    let file = Path::new(&directory).join("out.yaml");
    let mut journal = Journal::open(&Journal::beside(&file), &header(), Start::Resume).unwrap();
    files::sweep(&file);
    let destination = Destination::open(&file).unwrap();
    for n in journal.remembered() as u32.. {
        let (experiment, finding) = numbered(n);
        journal.append(&experiment, &finding).unwrap();
        destination.save(&generation(n)).unwrap();
        writeln!(io::stderr(), "{n}").unwrap();
    }
}

#[test]
fn a_killed_writer_leaves_whole_files_with_all_it_said() {
    let kills = std::env::var(KILLS.0).map_or(KILLS.1, |number| number.parse().unwrap());
    let (directory, path) = place();
    let file = directory.path().join("out.yaml");
    let mut known = 0;
    for kill in 0..kills {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "writer", "--ignored", "--nocapture"])
            .env(WRITER, directory.path())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // Steps without a common measure, so that all moments come.
        std::thread::sleep(Duration::from_micros(3_000 + u64::from(kill) * 7_919 % 20_000));
        child.kill().unwrap();
        let output = child.wait_with_output().unwrap();
        let words = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.signal(), Some(9), "it ended by itself: {words}");
        let said = words.lines().filter_map(|line| line.parse::<u32>().ok()).next_back();
        if !path.exists() {
            assert_eq!((said, known), (None, 0), "the journal is gone");
            continue;
        }
        let read = contents(&fs::read(&path).unwrap());
        let expected: Vec<_> = (0..read.findings.len() as u32).map(numbered).collect();
        assert_eq!((read.findings, read.damaged), (expected.clone(), 0));
        known = known.max(said.map_or(0, |last| last + 1));
        assert!(expected.len() as u32 >= known, "{} findings of {known}", expected.len());
        let Ok(text) = fs::read_to_string(&file) else { continue };
        let database = Database::parse(&text).unwrap();
        let value = database.entry("A").unwrap().throughput.value.unwrap();
        assert_eq!(database, generation(value as u32));
        assert!(value as u32 + 1 >= known, "the database is of generation {value} of {known}");
    }
    println!("{kills} kills, {known} findings");
    drop(Journal::open(&path, &header(), Start::Resume).unwrap());
    files::sweep(&file);
    let mut left: Vec<_> =
        fs::read_dir(directory.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    left.sort();
    assert_eq!(left, ["out.yaml", "out.yaml.journal"]);
}
