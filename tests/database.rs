//! The YAML database as its users meet it: files that are read, changed and refused.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

#[path = "support/disk.rs"]
mod disk;

use disk::SmallDisk;
use serde_yaml::Value;
use winic::database::{
    Database, DatabaseError, Destination, Header, Latency, Measurement, OperandLatency, Origin,
    Subject, Throughput, Update, ValueStatus,
};
use winic::device::Source;

const MAPPING: &str = include_str!("data/database-mapping.yaml");
const LIST: &str = include_str!("data/database-list.yaml");

/// What the files of these tests are about.
fn example() -> Origin {
    Origin {
        isa: "x86_64".into(),
        cpu: "example".into(),
        source: Source::Measured,
        source_cpu: None,
    }
}

fn yaml(text: &str) -> Value {
    serde_yaml::from_str(text).unwrap()
}

/// What a database looks like in its file.
fn written(database: &Database) -> Value {
    yaml(&database.to_yaml().unwrap())
}

fn subject(llvm_name: &str) -> Subject {
    Subject { llvm_name: llvm_name.into(), name: Some("exa".into()), ..Subject::default() }
}

fn throughput(llvm_name: &str, cycles: f64) -> Update {
    let value = Some(cycles);
    let throughput = Throughput { value, min: value, max: value, ..Throughput::default() };
    let subject = subject(llvm_name);
    Update { subject, throughput: Some(throughput), ..Update::default() }
}

fn latency(llvm_name: &str, edges: &[(&str, &str, f64)]) -> Update {
    let operands = edges.iter().map(|&(source, target, cycles)| OperandLatency {
        source: source.into(),
        target: target.into(),
        min: Some(cycles),
        max: Some(cycles),
        ..OperandLatency::default()
    });
    let latency = Latency { value: Some(9.0), operands: operands.collect(), status: None };
    let subject = subject(llvm_name);
    Update { subject, latency: Some(latency), ..Update::default() }
}

/// What a text says of a value.
fn status(text: &str) -> ValueStatus {
    ValueStatus::from(text.to_owned())
}

/// The paths of all files in a directory.
fn files(directory: &Path) -> Vec<PathBuf> {
    fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()).collect()
}

mod layouts {
    use super::*;

    #[test]
    fn a_mapping_comes_back_as_it_was() {
        let database = Database::parse(MAPPING).unwrap();
        assert_eq!(written(&database), yaml(MAPPING));
        assert_eq!(Database::parse(&database.to_yaml().unwrap()).unwrap(), database);
    }

    #[test]
    fn a_list_becomes_a_mapping() {
        let mut database = Database::parse(LIST).unwrap();
        database.complete_header(&Header { isa: Some("x86_64".into()), ..Header::default() });
        let written = written(&database);
        assert_eq!(written["instructions"], yaml(LIST));
        assert_eq!(written["isa"], "x86_64");
        assert!(
            database
                .to_yaml()
                .unwrap()
                .starts_with("---\nschemaVersion: 1\nwinicVersion: null\nisa: x86_64\n")
        );
    }

    #[test]
    fn what_a_file_says_is_typed() {
        let database = Database::parse(MAPPING).unwrap();
        let entry = database.entry("EXA16rr").unwrap();
        assert_eq!(entry, database.entries().next().unwrap());
        assert_eq!(entry.subject.operands[1].width, Some(16));
        assert_eq!(entry.latency.value, Some(2.0));
        assert_eq!(entry.latency.operands[1].target, "EFLAGS");
        assert_eq!(entry.latency.operands[1].max, Some(3.0));
        assert_eq!(entry.throughput.max, Some(0.5));
        let without_value = database.entry("EXA32ri").unwrap().throughput;
        assert_eq!(without_value.value, None);
        assert_eq!(without_value.status, Some(status("failed: invented")));
        assert_eq!(database.header().micro_architecture.as_deref(), Some("example"));
        assert_eq!(database.entry("EXA64m"), None);
    }

    #[test]
    fn what_an_old_file_does_not_say_is_none() {
        let database = Database::parse(LIST).unwrap();
        assert_eq!(database.header(), Header::default());
        assert_eq!(database.entry("EXA16rr").unwrap().subject.operands[0].width, None);
        let entry = database.entry("EXA64m").unwrap();
        assert_eq!(entry.subject.operands, []);
        assert_eq!(entry.latency, Latency::default());
        assert_eq!(entry.throughput.min, None);
    }

    #[test]
    fn a_new_entry_has_every_key_of_the_layout_in_order() {
        let mut database = Database::empty(&Header::default());
        database.merge(&throughput("EXA8r", 1.0 / 3.0));
        assert_eq!(
            database.to_yaml().unwrap(),
            "---\nschemaVersion: 1\nwinicVersion: null\nisa: null\nmicroArchitecture: null\ninstructions:\n\
             - llvmName: EXA8r\n  name: exa\n  operands: []\n  latency: null\n  \
             operandLatencies: []\n  throughput: 0.3333\n  throughputMin: 0.3333\n  \
             throughputMax: 0.3333\n"
        );
    }

    #[test]
    fn operands_without_quotes_and_versions_that_look_like_numbers_are_read() {
        let text = "winicVersion: 1.0\ninstructions:\n- llvmName: A\n  operandLatencies:\n  \
                    - {sourceOperand: 1, targetOperand: 0, latencyMin: 2}\n";
        let mut database = Database::parse(text).unwrap();
        assert_eq!(database.header().winic_version.as_deref(), Some("1.0"));
        database.merge(&latency("A", &[("1", "0", 3.0)]));
        let operands = database.entry("A").unwrap().latency.operands;
        assert_eq!(operands.len(), 1);
        assert_eq!((operands[0].source.as_str(), operands[0].min), ("1", Some(3.0)));
    }
}

mod merging {
    use super::*;

    #[test]
    fn a_throughput_run_leaves_the_latencies_and_everything_unknown() {
        let mut database = Database::parse(MAPPING).unwrap();
        database.merge(&throughput("EXA16rr", 4.0));
        let mut expected = yaml(MAPPING);
        for key in ["throughput", "throughputMin", "throughputMax"] {
            expected["instructions"][0][key] = 4.into();
        }
        assert_eq!(written(&database), expected);
    }

    #[test]
    fn a_latency_run_leaves_the_edges_it_did_not_measure() {
        let mut database = Database::parse(MAPPING).unwrap();
        database.merge(&latency("EXA16rr", &[("1", "0", 5.0), ("0", "EFLAGS", 6.5)]));
        let mut expected = yaml(MAPPING);
        let entry = &mut expected["instructions"][0];
        entry["latency"] = 9.into();
        entry["operandLatencies"][0]["latencyMin"] = 5.into();
        entry["operandLatencies"][0]["latencyMax"] = 5.into();
        entry["operandLatencies"].as_sequence_mut().unwrap().push(yaml(
            "{sourceOperand: '0', targetOperand: EFLAGS, latencyMin: 6.5, latencyMax: 6.5}",
        ));
        assert_eq!(written(&database), expected);
    }

    #[test]
    fn keys_that_no_longer_hold_are_removed() {
        let mut database = Database::parse(MAPPING).unwrap();
        database.merge(&throughput("EXA32ri", 1.0));
        assert_eq!(database.entry("EXA32ri").unwrap().throughput.status, None);
        assert_eq!(written(&database)["instructions"][1].get("throughputStatus"), None);
    }

    /// An entry's throughput after findings that came one after the other.
    fn after(findings: &[(Option<f64>, Option<&str>)]) -> Throughput {
        let mut database = Database::default();
        for &(value, status) in findings {
            let mut update = throughput("A", 0.0);
            let status = status.map(self::status);
            update.throughput = Some(Throughput { value, status, ..Throughput::default() });
            database.merge(&update);
        }
        database.entry("A").unwrap().throughput
    }

    #[test]
    fn a_finding_is_replaced_by_one_that_is_as_good_and_by_no_worse_one() {
        let (failed, unstable) = (Some("failed: it faults"), Some("unstable"));
        let unfinished = Some("unfinished: the run was cut short");
        for (known, new, is_replaced) in [
            ((Some(1.0), None), (Some(2.0), None), true),
            ((Some(1.0), None), (Some(2.0), unstable), false),
            ((Some(1.0), None), (None, failed), false),
            ((Some(1.0), None), (None, None), false),
            ((Some(1.0), unstable), (Some(2.0), None), true),
            ((Some(1.0), unstable), (Some(2.0), unstable), true),
            ((Some(1.0), unstable), (None, failed), false),
            ((Some(1.0), None), (Some(2.0), unfinished), false),
            ((Some(1.0), unfinished), (Some(2.0), unstable), true),
            ((None, failed), (None, Some("failed: it hangs")), true),
            ((None, failed), (Some(2.0), unstable), true),
        ] {
            let stands = if is_replaced { new } else { known };
            let after = after(&[known, new]);
            let said = (after.value, after.status);
            assert_eq!(said, (stands.0, stands.1.map(status)), "{known:?}, {new:?}");
        }
    }

    #[test]
    fn every_value_is_doubted_that_has_no_doubt_of_its_own() {
        let mut update = latency("A", &[("1", "0", 3.0), ("2", "0", 4.0), ("3", "0", 5.0)]);
        let operands = &mut update.latency.as_mut().unwrap().operands;
        operands[1].status = Some(ValueStatus::Contested);
        (operands[2].min, operands[2].max) = (None, None);
        update.throughput = throughput("A", 1.0).throughput;
        update.doubt(&ValueStatus::Unfinished);
        let edges = update.latency.as_ref().unwrap().operands.iter();
        let said: Vec<_> = edges.map(|edge| edge.status.clone()).collect();
        assert_eq!(said, [Some(ValueStatus::Unfinished), Some(ValueStatus::Contested), None]);
        assert_eq!(update.throughput.unwrap().status, Some(ValueStatus::Unfinished));
        let mut nothing = Update { throughput: Some(Throughput::default()), ..Update::default() };
        nothing.doubt(&ValueStatus::Unfinished);
        assert_eq!(nothing.throughput, Some(Throughput::default()));
    }

    #[test]
    fn of_a_latency_run_that_failed_every_value_stays() {
        let mut database = Database::parse(MAPPING).unwrap();
        let mut update = latency("EXA16rr", &[("1", "0", 0.0), ("1", "EFLAGS", 0.0)]);
        let failed = update.latency.as_mut().unwrap();
        (failed.value, failed.status) = (None, Some(status("failed: it faults")));
        for edge in &mut failed.operands {
            (edge.min, edge.max, edge.status) = (None, None, Some(status("failed: it faults")));
        }
        assert_eq!(database.stays(&update), 2);
        database.merge(&update);
        assert_eq!(written(&database), yaml(MAPPING));
    }

    #[test]
    fn the_latency_of_a_form_is_the_largest_of_those_that_stand() {
        let mut database = Database::default();
        for (edge, cycles) in [("0", 5.0), ("EFLAGS", 2.0)] {
            let mut update = latency("A", &[("1", edge, cycles)]);
            update.latency.as_mut().unwrap().value = Some(cycles);
            database.merge(&update);
        }
        assert_eq!(database.entry("A").unwrap().latency.value, Some(5.0));
    }

    #[test]
    fn keys_go_where_the_layout_has_them() {
        let mut database =
            Database::parse("- {zeta: 1, llvmName: A, throughput: 1, omega: 2}").unwrap();
        database.merge(&latency("A", &[]));
        let expected = "{zeta: 1, llvmName: A, name: exa, operands: [], latency: 9, \
                        operandLatencies: [], throughput: 1, omega: 2}";
        let keys = |value: &Value| value.as_mapping().unwrap().keys().cloned().collect::<Vec<_>>();
        assert_eq!(keys(&written(&database)["instructions"][0]), keys(&yaml(expected)));
    }

    #[test]
    fn of_two_entries_of_one_name_the_first_is_changed() {
        let text = "- {llvmName: A, throughput: 1}\n- {llvmName: A, throughput: 2}\n";
        let mut database = Database::parse(text).unwrap();
        database.merge(&throughput("A", 3.0));
        let values: Vec<_> = database.entries().map(|entry| entry.throughput.value).collect();
        assert_eq!(values, [Some(3.0), Some(2.0)]);
    }

    #[test]
    fn mnemonic_and_operands_are_filled_in_but_not_replaced() {
        let mut database =
            Database::parse("- {llvmName: A, name: null}\n- {llvmName: B, name: old}\n").unwrap();
        for name in ["A", "B"] {
            database.merge(&throughput(name, 1.0));
        }
        let names: Vec<_> = database.entries().map(|entry| entry.subject.name).collect();
        assert_eq!(names, [Some("exa".into()), Some("old".into())]);
    }

    #[test]
    fn an_alias_is_one_as_long_as_the_last_run_says_so() {
        let mut update = throughput("A", 1.0);
        update.subject.alias = Some("B".into());
        let mut database = Database::default();
        for alias in [Some("B"), None, Some("C")] {
            update.subject.alias = alias.map(str::to_owned);
            database.merge(&update);
            assert_eq!(database.entry("A").unwrap().subject.alias.as_deref(), alias);
        }
    }

    #[test]
    fn the_descriptions_of_the_two_kinds_of_run_stand_side_by_side() {
        let run = |cpu: &str| Measurement {
            cpu: Some(cpu.into()),
            frequency: Some(3.2),
            ..Measurement::default()
        };
        let mut database =
            Database::parse("measurement: {latency: {note: cold}}\ninstructions: []\n").unwrap();
        database.describe("latency", &run("first"));
        database.describe("throughput", &run("second"));
        database.describe("latency", &run("third"));
        let measurements = database.measurements();
        assert_eq!(measurements.latency, Some(run("third")));
        assert_eq!(measurements.throughput, Some(run("second")));
        assert_eq!(written(&database)["measurement"]["latency"]["note"], "cold");
    }
}

mod files {
    use super::*;

    /// A directory with one file in it.
    fn directory_with(name: &str, text: &[u8]) -> (tempfile::TempDir, PathBuf) {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join(name);
        fs::write(&path, text).unwrap();
        (directory, path)
    }

    fn merge_into(path: &Path) {
        let destination = Destination::open(path).unwrap();
        let mut database = destination.read(&example(), true).unwrap();
        database.merge(&throughput("NEW", 1.0));
        destination.save(&database).unwrap();
    }

    #[test]
    fn a_file_is_made_changed_and_read_back() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("new.yaml");
        let destination = Destination::open(&path).unwrap();
        assert!(files(directory.path()).is_empty(), "nothing is made before there is a result");
        let mut database = destination.read(&example(), true).unwrap();
        for (name, count) in [("A", 1), ("B", 2), ("A", 2)] {
            database.merge(&throughput(name, 1.0));
            destination.save(&database).unwrap();
            assert_eq!(Database::read(&path).unwrap(), database);
            assert_eq!(database.len(), count);
        }
        assert_eq!(files(directory.path()), [path]);
    }

    #[test]
    fn a_run_in_between_is_not_lost() {
        let (_directory, path) = directory_with("a.yaml", MAPPING.as_bytes());
        let destination = Destination::open(&path).unwrap();
        merge_into(&path);
        assert!(destination.read(&example(), true).unwrap().entry("NEW").is_some());
    }

    #[test]
    fn malformed_files_are_refused_with_their_place_and_stay_as_they_are() {
        for (text, place) in [
            (&b"instructions:\n- llvmName: [\n"[..], ":3:1: "),
            (b"- llvmName: A\n  latency: abc\n", ":2:12: entry A: "),
            (b"- llvmName: A\n  name: \xff\xfe\n", ":2:9: "),
            (b"just text", ": not a database of winic"),
            (b"\0\0\0\0", ":1:1: "),
            (b"a: 1\n---\nb: 2\n", ": "),
        ] {
            let (directory, path) = directory_with("a.yaml", text);
            let error = Destination::open(&path).unwrap_err().to_string();
            assert!(error.starts_with(&format!("{}{place}", path.display())), "{error}");
            assert!(error.contains("was not touched"), "{error}");
            assert_eq!(error.lines().count(), 1, "{error}");
            assert_eq!(fs::read(&path).unwrap(), text);
            assert_eq!(files(directory.path()), [path]);
        }
    }

    #[test]
    fn texts_made_to_break_parsers_are_refused() {
        let laughs = (1..12).fold("- &a0 [x,x,x,x,x,x,x,x,x]\n".to_owned(), |text, n| {
            let all = format!("*a{},", n - 1).repeat(9);
            format!("{text}- &a{n} [{all}]\n")
        });
        let many_copies = format!("- &a [{}]\n- [{}]\n", "x,".repeat(30_000), "*a,".repeat(30_000));
        let deep = format!("- {}", "[".repeat(20_000));
        for text in [laughs, many_copies, deep, "- ".repeat(20_000), "- &a [*a]".to_owned()] {
            assert!(Database::parse(&text).is_err(), "{}", &text[..40.min(text.len())]);
        }
    }

    #[test]
    fn a_file_that_goes_bad_during_the_run_is_an_error_then() {
        let (_directory, path) = directory_with("a.yaml", MAPPING.as_bytes());
        let destination = Destination::open(&path).unwrap();
        fs::write(&path, "- [").unwrap();
        assert!(matches!(destination.read(&example(), true), Err(DatabaseError::Malformed { .. })));
    }

    #[test]
    fn permissions_are_kept_and_new_files_follow_the_umask() {
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o7777;
        let (directory, path) = directory_with("a.yaml", MAPPING.as_bytes());
        let usual = mode(&path);
        for kept in [0o600, 0o664, 0o646] {
            fs::set_permissions(&path, fs::Permissions::from_mode(kept)).unwrap();
            merge_into(&path);
            assert_eq!(mode(&path), kept);
        }
        let new = directory.path().join("new.yaml");
        merge_into(&new);
        assert_eq!(mode(&new), usual);
    }

    #[test]
    fn symbolic_links_are_followed() {
        let (directory, path) = directory_with("real.yaml", MAPPING.as_bytes());
        fs::create_dir(directory.path().join("links")).unwrap();
        let link = directory.path().join("links/link.yaml");
        let link_to_link = directory.path().join("link.yaml");
        symlink("../real.yaml", &link).unwrap();
        symlink("links/link.yaml", &link_to_link).unwrap();
        merge_into(&link_to_link);
        assert!(link.is_symlink() && link_to_link.is_symlink() && !path.is_symlink());
        assert!(Database::read(&path).unwrap().entry("NEW").is_some());
    }

    #[test]
    fn a_link_to_nothing_makes_the_file_it_names() {
        let directory = tempfile::tempdir().unwrap();
        let link = directory.path().join("link.yaml");
        symlink("real.yaml", &link).unwrap();
        merge_into(&link);
        assert!(link.is_symlink());
        assert!(!directory.path().join("real.yaml").is_symlink());
        assert_eq!(Database::read(&link).unwrap().len(), 1);
    }

    #[test]
    fn the_null_device_takes_everything_and_keeps_nothing() {
        let directory = tempfile::tempdir().unwrap();
        let link = directory.path().join("link");
        symlink("/dev/null", &link).unwrap();
        for path in [Path::new("/dev/null"), &link] {
            merge_into(path);
            let destination = Destination::open(path).unwrap();
            assert!(destination.read(&example(), false).unwrap().is_empty());
            assert_eq!(destination.file(), None);
        }
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
    }

    #[test]
    fn a_stream_that_takes_nothing_is_an_error() {
        let destination = Destination::open(Path::new("/dev/full")).unwrap();
        let error = destination.save(&Database::default()).unwrap_err().to_string();
        assert!(error.starts_with("cannot write /dev/full: No space left"), "{error}");
    }

    #[test]
    fn a_file_of_another_cpu_is_found_out_also_when_it_came_during_the_run() {
        let (_directory, path) = directory_with("a.yaml", b"");
        let destination = Destination::open(&path).unwrap();
        destination.admit(&example(), false).unwrap();
        let other = MAPPING.replace("microArchitecture: example", "microArchitecture: other");
        assert_ne!(other, MAPPING);
        fs::write(&path, &other).unwrap();
        let error = destination.read(&example(), true).unwrap_err().to_string();
        assert!(error.contains("measured values of other (x86_64)"), "{error}");
        assert_eq!(fs::read_to_string(&path).unwrap(), other);
    }

    #[test]
    fn paths_that_cannot_be_files_are_refused_before_anything_is_measured() {
        let (directory, path) = directory_with("a.yaml", b"");
        let circle = directory.path().join("circle");
        symlink("circle", &circle).unwrap();
        for path in [
            directory.path().to_owned(),
            directory.path().join("missing/a.yaml"),
            directory.path().join("missing/"),
            path.join("a.yaml"),
            circle,
            PathBuf::new(),
        ] {
            let error = Destination::open(&path).unwrap_err().to_string();
            assert_eq!(error.lines().count(), 1, "{error}");
            assert!(!error.contains(".winic-"), "{error}");
        }
        assert_eq!(files(directory.path()).len(), 2);
    }

    #[test]
    fn a_full_disk_leaves_the_old_file() {
        let Some(disk) = SmallDisk::mount("64k") else { return };
        let path = disk.path().join("a.yaml");
        fs::write(&path, MAPPING).unwrap();
        let destination = Destination::open(&path).unwrap();
        let mut database = destination.read(&example(), true).unwrap();
        for number in 0..2000 {
            database.merge(&throughput(&format!("NEW{number}"), 1.0));
        }
        let error = destination.save(&database).unwrap_err().to_string();
        assert!(error.contains("No space left") && error.contains("make room"), "{error}");
        assert_eq!(fs::read_to_string(&path).unwrap(), MAPPING);
        assert_eq!(files(disk.path()), [path]);
    }

    #[test]
    fn a_disk_that_cannot_be_written_is_refused_before_anything_is_measured() {
        let Some(disk) = SmallDisk::mount("64k") else { return };
        let path = disk.path().join("a.yaml");
        disk.remount("ro");
        let error = Destination::open(&path).unwrap_err().to_string();
        assert!(error.starts_with(&format!("cannot write {}", path.display())), "{error}");
        assert!(error.contains("Read-only file system"), "{error}");
    }

    #[test]
    fn a_directory_without_permission_is_refused_before_anything_is_measured() {
        let (directory, path) = directory_with("a.yaml", MAPPING.as_bytes());
        let permit = |mode| {
            fs::set_permissions(directory.path(), fs::Permissions::from_mode(mode)).unwrap();
        };
        permit(0o555);
        let opened = Destination::open(&path);
        permit(0o755);
        if opened.is_ok() {
            eprintln!("skipped: root may write everywhere");
            return;
        }
        let error = opened.unwrap_err().to_string();
        assert!(error.contains("Permission denied"), "{error}");
    }
}
