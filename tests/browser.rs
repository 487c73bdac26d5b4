//! The site of pages in Debian's Chromium: search, filters, order, the address that keeps them, no error and
//! no request to anywhere. Chromium runs a script of the test's beside the page's own, and prints the
//! page that it has then.
#![cfg(feature = "llvm")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use scraper::{Html, Selector};
use winic::database::Database;
use winic::report::site::{self, NamedDatabase, Proof};

const BROWSER: &str = "chromium";

/// Whether there is a browser; else says why the test is skipped, or fails where it must not be.
fn has_browser() -> bool {
    let has = Command::new(BROWSER).arg("--version").output().is_ok_and(|it| it.status.success());
    if !has {
        assert!(std::env::var_os("CI").is_none(), "{BROWSER} is missing: scripts/test installs it");
        println!("skipped: there is no {BROWSER}: scripts/test installs it");
    }
    has
}

/// Writes the site of databases.
fn write(place: &Path, databases: &[(&str, &Database)]) {
    let named = databases.iter().map(|&(name, database)| NamedDatabase {
        name: name.to_owned(),
        database: database.clone(),
        proofs: site::Proofs::from([("ADD16rr".to_owned(), vec![proof()])]),
    });
    for file in site::files(&named.collect::<Vec<_>>()).expect("a site") {
        let path = place.join(&file.path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, file.text).expect("a page");
    }
}

/// What a figure of the example was read from.
fn proof() -> Proof {
    Proof {
        edge: None,
        finding: "0.3341 cycles".to_owned(),
        assembly: "    .rept 96\n    add ax, <b>bx</b>\n    .endr\n".to_owned(),
    }
}

/// What a browser has to say of a page.
struct Look {
    page: Html,
    /// What is on the console.
    errors: Vec<String>,
    /// Requests to the network.
    asked: Vec<String>,
}

/// What a page looks like after its scripts and one of the test's, from the file system.
fn open(place: &Path, address: &str, script: &str) -> Look {
    let file = address.split('#').next().expect("a file");
    let page = fs::read_to_string(place.join(file)).expect("a page");
    fs::write(place.join("test.js"), script).expect("a script");
    let root = "../".repeat(file.matches('/').count());
    let driven =
        page.replace("</head>", &format!("<script src=\"{root}test.js\" defer></script></head>"));
    let name = file.replace(".html", "-test.html");
    fs::write(place.join(&name), driven).expect("a page");
    let log = place.join("requests.json");
    let address = address.replacen(file, &name, 1);
    let Output { status, stdout, stderr } = Command::new(BROWSER)
        .args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--dump-dom",
            "--enable-logging=stderr",
        ])
        .args([
            "--disable-features=NetworkTimeServiceQuerying",
            "--disable-background-networking",
            "--disable-component-update",
            "--no-first-run",
        ])
        .arg(format!("--user-data-dir={}", place.join("profile").display()))
        .arg(format!("--log-net-log={}", log.display()))
        .arg(format!("file://{}/{address}", place.display()))
        .output()
        .expect("the browser runs");
    let said = String::from_utf8_lossy(&stderr);
    assert!(status.success(), "{said}");
    let errors = said.lines().filter(|line| line.contains(":CONSOLE")).map(str::to_owned).collect();
    let requests = fs::read_to_string(log).expect("a log of requests");
    // Those of the browser itself, for spelling and the time of day, are of no origin; those of pages
    // from files are of the origin `null`.
    let is_of_page = |line: &&str| line.contains(r#""initiator":"null""#);
    let asked = requests.lines().filter(is_of_page).map(str::to_owned).collect();
    Look { page: Html::parse_document(&String::from_utf8_lossy(&stdout)), errors, asked }
}

/// The same of a page that makes no error and asks nobody for anything.
fn look(place: &Path, address: &str, script: &str) -> Html {
    let Look { page, errors, asked } = open(place, address, script);
    assert!(errors.is_empty(), "{errors:?}");
    assert!(asked.is_empty(), "{asked:?}");
    page
}

fn texts(page: &Html, selector: &str) -> Vec<String> {
    let selector = Selector::parse(selector).expect("a selector");
    page.select(&selector).map(|it| it.text().collect::<String>().trim().to_owned()).collect()
}

/// The names of forms that the table shows.
fn shown(page: &Html) -> Vec<String> {
    texts(page, ".forms tbody th")
}

fn example() -> Database {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/report.yaml");
    Database::read(&path).expect("a database")
}

#[test]
fn people_search_filter_and_sort_and_send_a_link() {
    if !has_browser() {
        return;
    }
    let place = tempfile::tempdir().expect("a temporary directory");
    write(place.path(), &[("one", &example()), ("other", &example())]);
    let look = |address: &str, script: &str| look(place.path(), address, script);
    let all = look("index.html", "");
    assert_eq!(shown(&all), ["ADD16rr", "CLC", "NOOP", "OLD"]);
    assert_eq!(texts(&all, "#count"), ["4 of 4 forms"]);
    // Words are typed, a heading is pressed, a filter is chosen; the address says so.
    let report = "document.body.append(Object.assign(document.createElement('output'), \
                  {textContent: location.hash}));";
    let typed =
        "words.value = 'gr16 ADD'; words.dispatchEvent(new Event('input', {bubbles: true}));";
    let found = look("index.html", &format!("{typed}{report}"));
    assert_eq!(shown(&found), ["ADD16rr"]);
    assert_eq!(texts(&found, "output"), ["#words=gr16+ADD"]);
    let press = "document.querySelector('[data-key=tp1]').click();";
    let sorted = look("index.html", &format!("{press}{press}{report}"));
    assert_eq!(shown(&sorted), ["OLD", "ADD16rr", "CLC", "NOOP"], "what has no value is last");
    assert_eq!(texts(&sorted, "output"), ["#sort=-tp1"]);
    assert_eq!(texts(&sorted, "th[aria-sort=descending]"), ["Throughput"]);
    let filtered = look(
        "index.html",
        &format!("document.getElementById('status').value = 'missing'; {typed}{report}"),
    );
    assert_eq!(shown(&filtered), ["ADD16rr"]);
    // The address alone gives the same.
    for (address, expected) in [
        ("index.html#words=gr16+ADD", vec!["ADD16rr"]),
        ("index.html#sort=-tp1", vec!["OLD", "ADD16rr", "CLC", "NOOP"]),
        ("index.html#status=doubtful", vec!["ADD16rr", "CLC"]),
        ("index.html#width=16&kind=registers", vec!["ADD16rr"]),
        ("index.html#words=%3Cscript%3E&sort=nothing", vec![]),
    ] {
        assert_eq!(shown(&look(address, "")), expected, "{address}");
    }
}

#[test]
fn a_hostile_database_runs_nothing() {
    if !has_browser() {
        return;
    }
    let database = Database::parse(
        "isa: <script>document.title='run'</script>\n\
         instructions:\n\
         - {llvmName: \"<img src=x onerror=document.title='run'>\", name: \"</script><b>\", \
         operands: [{class: \"'\\\"><svg onload=document.title='run'>\"}]}\n",
    )
    .expect("a database");
    let place = tempfile::tempdir().expect("a temporary directory");
    write(place.path(), &[("<script>document.title='run'</script>", &database)]);
    let page = look(place.path(), "index.html", "");
    assert_eq!(shown(&page), ["<img src=x onerror=document.title='run'>"]);
    assert_eq!(texts(&page, "title"), ["Instructions · winic"]);
    assert!(texts(&page, "svg, main img, main script").is_empty());
}

/// What the other tests say is not there would be seen.
#[test]
fn an_error_and_a_request_are_seen() {
    if !has_browser() {
        return;
    }
    let place = tempfile::tempdir().expect("a temporary directory");
    write(place.path(), &[("one", &example())]);
    let wrong = "new Image().src = 'http://127.0.0.1:9/x.png'; nothing.at.all();";
    let Look { errors, asked, .. } = open(place.path(), "index.html", wrong);
    assert!(errors.iter().any(|line| line.contains("nothing is not defined")), "{errors:?}");
    assert!(asked.iter().any(|line| line.contains("127.0.0.1:9")), "{asked:?}");
}

/// Where scripts/test installs what drives the browser.
fn driver() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("browser")
}

/// Whether there is what drives the browser; else says why the test is skipped, or fails where it must not be.
fn has_driver() -> bool {
    let has = driver().join("node_modules").is_dir();
    if !has {
        assert!(
            std::env::var_os("CI").is_none(),
            "Playwright is missing: scripts/test installs it"
        );
        println!("skipped: there is no Playwright: scripts/test installs it");
    }
    has && has_browser()
}

/// What a script of tests/browser prints of a site, as JSON. Node looks for what it imports beside the script.
fn driven(script: &str, place: &Path, pages: &[&str]) -> serde_json::Value {
    let ours = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/browser").join(script);
    let script = driver().join(script);
    fs::copy(ours, &script).expect("the driver's directory can be written");
    let output = Command::new("node").arg(script).arg(browser()).arg(place).args(pages).output();
    let Output { status, stdout, stderr } = output.expect("node runs");
    assert!(status.success(), "{}", String::from_utf8_lossy(&stderr));
    serde_json::from_slice(&stdout).expect("JSON")
}

/// Where the browser is.
fn browser() -> PathBuf {
    let path = std::env::var_os("PATH").expect("a PATH");
    let found = std::env::split_paths(&path).map(|place| place.join(BROWSER));
    found.into_iter().find(|file| file.is_file()).expect("a browser")
}

/// Of a page of each kind: an accessibility checker finds nothing, light or dark, on a desk or on a phone;
/// nothing is wider than the screen, and nothing is asked of anybody.
#[test]
fn everyone_can_read_every_kind_of_page() {
    if !has_driver() {
        return;
    }
    let place = tempfile::tempdir().expect("a temporary directory");
    let sweeps = Database::parse(SWEEPS).expect("a database");
    write(place.path(), &[("one", &example()), ("other", &example()), ("swept", &sweeps)]);
    let pages = [
        "index.html",
        "forms/x86_64-add.html",
        "proofs/x86_64-add.html",
        "machines/one.html",
        "comparisons/one-other.html",
        "sweeps/index.html",
    ];
    let wrong = driven("look.mjs", place.path(), &pages);
    assert!(wrong == serde_json::json!([]), "{wrong:#}");
    // The checker sees what is wrong.
    let bad =
        "<html><title>x</title><img src='x.png'><p style='color:#999;background:#aaa'>faint words";
    fs::write(place.path().join("bad.html"), bad).expect("a page");
    let wrong = driven("look.mjs", place.path(), &["bad.html"]).to_string();
    for rule in ["image-alt", "color-contrast", "html-has-lang"] {
        assert!(wrong.contains(rule), "{rule}: {wrong}");
    }
}

const SWEEPS: &str = "\
isa: x86_64
sweeps:
- kind: accumulators
  forms: [ADD64rr]
  axes: [accumulators]
  points: [{at: [1], cycles: 4}, {at: [2], cycles: 2}, {at: [3], cycles: 2}]
  finding: 2 accumulators saturate
instructions: []
";

/// The committed results of Zen 4, searched as one types; what people wait for is printed.
#[test]
fn a_whole_machine_is_searched_as_one_types() {
    if !has_browser() {
        return;
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("output/znver4/znver4.yaml");
    let database = Database::read(&path).expect("a database");
    let place = tempfile::tempdir().expect("a temporary directory");
    write(place.path(), &[("znver4", &database)]);
    let script = "let slowest = 0; for (const text of ['v', 'va', 'vad', 'vadd', '']) { \
        const start = performance.now(); words.value = text; \
        words.dispatchEvent(new Event('input', {bubbles: true})); document.body.offsetHeight; \
        slowest = Math.max(slowest, performance.now() - start); } \
        document.body.append(Object.assign(document.createElement('output'), {textContent: slowest}));";
    let page = look(place.path(), "index.html", script);
    let slowest: f64 = texts(&page, "output").concat().parse().expect("milliseconds");
    println!("the slowest keystroke takes {slowest} ms");
    let all = format!(" of {} forms", database.entries().len());
    assert!(texts(&page, "#count").concat().contains(&all));
}
