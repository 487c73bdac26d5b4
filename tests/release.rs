//! What makes a release: a package that is whole and small, and versions that mean something.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use winic::database::SCHEMA_VERSION;
use winic::device::wire::PROTOCOL;

#[path = "../build/sources.rs"]
mod sources;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn text(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The files that Cargo would put into a package.
fn packaged() -> BTreeSet<String> {
    let listing = Command::new(env!("CARGO"))
        .args(["package", "--list", "--allow-dirty", "--offline", "--locked"])
        .current_dir(root())
        .output()
        .expect("cargo runs");
    assert!(listing.status.success(), "{}", String::from_utf8_lossy(&listing.stderr));
    String::from_utf8(listing.stdout).expect("text").lines().map(str::to_owned).collect()
}

#[test]
fn a_package_has_the_sources_that_findings_are_of() {
    let packaged = packaged();
    for place in sources::SOURCES {
        let is_there = packaged.iter().any(|file| Path::new(file).starts_with(place));
        assert!(is_there, "{place} is not in the package");
    }
}

/// Where the tables are that the program is compiled with.
const TABLES: &str = "reference/tables/";

#[test]
fn the_package_has_all_that_the_program_is_compiled_with() {
    let packaged = packaged();
    let sources = packaged.iter().filter(|file| file.starts_with("src/") && file.ends_with(".rs"));
    for source in sources {
        let code = text(source);
        for included in code.split("include_str!(\"").skip(1) {
            let path = included.split('"').next().expect("a path");
            let place = root().join(source).parent().expect("a folder").join(path);
            let place =
                fs::canonicalize(&place).unwrap_or_else(|error| panic!("{place:?}: {error}"));
            let file = place.strip_prefix(root()).expect("a file of the tree");
            let file = file.to_str().expect("a plain name");
            assert!(
                packaged.contains(file),
                "{source} includes {file}, which is not in the package"
            );
        }
    }
}

/// Largest package, in bytes before compression.
const LARGEST: u64 = 5 << 20;

#[test]
fn the_package_has_what_it_takes_and_nothing_else() {
    let packaged = packaged();
    for needed in [
        "CHANGELOG.md",
        "Cargo.lock",
        "LICENSE",
        "README.md",
        "build.rs",
        "build/sources.rs",
        "schema/database.schema.json",
        "src/lib.rs",
        "src/llvm/shim.cpp",
        "src/llvm/shim.h",
        "templates/x86_64.s",
    ] {
        assert!(packaged.contains(needed), "{needed} is not in the package");
    }
    for place in sources::SOURCES {
        let there = packaged.iter().any(|file| Path::new(file).starts_with(place));
        assert!(there, "the fingerprint is of {place}, which is not in the package");
    }
    for folder in ["output/", "tests/", "fuzz/", "reference/", "rtl/", "examples/", ".ci/"] {
        // (Of the references those that the program has in it.)
        let is_outside = |file: &&String| file.starts_with(folder) && !file.starts_with(TABLES);
        let inside: Vec<_> = packaged.iter().filter(is_outside).collect();
        assert!(inside.is_empty(), "in the package: {inside:?}");
    }
    // What Cargo makes itself is not there beforehand.
    let sizes = packaged.iter().filter_map(|file| fs::metadata(root().join(file)).ok());
    let size: u64 = sizes.map(|file| file.len()).sum();
    assert!(size < LARGEST, "the package holds {size} bytes");
}

/// The part of the changelog about a version.
fn changes(version: &str) -> String {
    let text = text("CHANGELOG.md");
    let start = format!("## [{version}]");
    let lines = text.lines().skip_while(|line| !line.starts_with(&start));
    lines.enumerate().take_while(|(place, line)| *place == 0 || !line.starts_with("## ")).fold(
        String::new(),
        |mut part, (_, line)| {
            part.push_str(line);
            part.push('\n');
            part
        },
    )
}

#[test]
fn the_changelog_knows_this_version() {
    for version in ["Unreleased", env!("CARGO_PKG_VERSION")] {
        let changes = changes(version);
        assert!(changes.lines().count() > 3, "CHANGELOG.md says nothing of {version}");
    }
}

/// Whoever changes one of them says so.
#[test]
fn the_changelog_knows_the_versions_of_the_interfaces() {
    let text = text("CHANGELOG.md");
    let latest = |name: &str| {
        let (_, rest) = text.split_once(name).unwrap_or_else(|| panic!("no '{name}'"));
        let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
        digits.parse::<u64>().unwrap_or_else(|_| panic!("no number behind '{name}'"))
    };
    assert_eq!(latest("protocol version "), u64::from(PROTOCOL));
    assert_eq!(latest("schema version "), SCHEMA_VERSION);
}

#[test]
fn all_runners_speak_the_same_protocol() {
    let expected = format!("constexpr int protocol = {PROTOCOL};");
    assert!(text("rtl/runner.cpp").contains(&expected), "rtl/runner.cpp has not '{expected}'");
}

fn tree(files: &[(&str, &str)]) -> (tempfile::TempDir, PathBuf) {
    let place = tempfile::tempdir().expect("a temporary directory");
    for (name, content) in files {
        let path = place.path().join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, content).expect("a file");
    }
    let root = place.path().to_owned();
    (place, root)
}

#[test]
fn only_equal_sources_have_the_same_fingerprint() {
    let of = |files: &[(&str, &str)]| {
        let (_place, root) = tree(files);
        sources::fingerprint(&root, &["build.rs", "src"]).expect("readable")
    };
    let some = of(&[("build.rs", "b"), ("src/a.rs", "1"), ("src/c/d.rs", "2"), ("other", "x")]);
    let same = of(&[("src/c/d.rs", "2"), ("src/a.rs", "1"), ("build.rs", "b"), ("other", "y")]);
    assert_eq!(some, same);
    for other in [
        of(&[("build.rs", "b"), ("src/a.rs", "1"), ("src/c/d.rs", "3")]),
        of(&[("build.rs", "b"), ("src/a.rs", "1"), ("src/c/e.rs", "2")]),
        of(&[("build.rs", "b"), ("src/a.rs", "1")]),
        of(&[("build.rs", ""), ("src/a.rs", "b1"), ("src/c/d.rs", "2")]),
    ] {
        assert_ne!(some, other);
    }
}

#[cfg(feature = "llvm")]
mod journals {
    use super::*;
    use std::process::Stdio;
    use std::time::{Duration, Instant};

    const RUN: [&str; 13] = [
        "--device",
        "mca:skylake",
        "ALL",
        "--noReport",
        "-o",
        "out.yaml",
        "-i",
        "ADC64rr",
        "IMUL64rr",
        "VADDPDrr",
        "POPCNT64rr",
        "VPERMDYrr",
        "VDIVPDrr",
    ];

    fn winic(place: &Path) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_winic"));
        command.current_dir(place).args(RUN).stdout(Stdio::null()).stderr(Stdio::piped());
        command
    }

    /// The journal that a run leaves which is killed as soon as it has found something.
    fn left_behind(place: &Path) -> String {
        let path = place.join("out.yaml.journal");
        let mut run = winic(place).stderr(Stdio::null()).spawn().expect("it runs");
        let end = Instant::now() + Duration::from_secs(60);
        let journal = loop {
            let text = fs::read_to_string(&path).unwrap_or_default();
            if text.matches('\n').count() > 2 || Instant::now() > end {
                break text;
            }
            std::thread::sleep(Duration::from_millis(1));
        };
        run.kill().expect("it is killed");
        run.wait().expect("it has ended");
        assert!(!journal.is_empty(), "the run left no journal");
        fs::read_to_string(&path).expect("a journal")
    }

    fn resumed(place: &Path) -> (Option<i32>, String) {
        let output = winic(place).arg("--resume").output().expect("it runs");
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    }

    #[test]
    fn findings_of_other_sources_are_refused_and_of_the_same_go_on() {
        let place = tempfile::tempdir().expect("a temporary directory");
        let place = place.path();
        let fingerprint = sources::fingerprint(root(), &sources::SOURCES).expect("the sources");
        let here = format!("of sources {fingerprint:08x}");
        let journal = left_behind(place);
        let (header, findings) = journal.split_once('\n').expect("lines");
        let json = header.split_once(' ').expect("a checksum").1;
        assert!(json.contains(&here), "{json}");

        let other = json.replace(&here, "of sources 00000000");
        let checksum = crc32fast::hash(other.as_bytes());
        let changed = format!("{checksum:08x} {other}\n{findings}");
        fs::write(place.join("out.yaml.journal"), &changed).expect("a file");
        let (status, error) = resumed(place);
        assert_eq!(status, Some(2), "{error}");
        assert!(error.contains("of sources 00000000") && error.contains(&here), "{error}");
        let kept = fs::read_to_string(place.join("out.yaml.journal")).expect("a journal");
        assert_eq!(kept, changed);

        fs::write(place.join("out.yaml.journal"), &journal).expect("a file");
        let (status, error) = resumed(place);
        assert_eq!(status, Some(0), "{error}");
        assert!(error.contains("going on from "), "{error}");
    }
}
