//! The site of pages that `winic report -o` makes: what it says is what the database says, and a hostile
//! database says nothing but text.
#![cfg(feature = "llvm")]

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::{Path, PathBuf};

use scraper::{ElementRef, Html, Selector};
use winic::database::{Database, Entry, OperandLatency};
use winic::report::site::{self, NamedDatabase, Proof, Proofs, SiteFile};

fn at_root(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn read(path: &str) -> Database {
    Database::read(&at_root(path)).expect("a database")
}

fn named(name: &str, database: &Database) -> NamedDatabase {
    NamedDatabase { name: name.to_owned(), database: database.clone(), proofs: Proofs::new() }
}

fn select<'a>(element: ElementRef<'a>, selector: &str) -> Vec<ElementRef<'a>> {
    element.select(&Selector::parse(selector).expect("a selector")).collect()
}

fn text(element: ElementRef<'_>) -> String {
    element.text().collect::<String>().trim().to_owned()
}

fn texts(element: ElementRef<'_>, selector: &str) -> Vec<String> {
    select(element, selector).into_iter().map(text).collect()
}

/// Pages by their paths.
fn pages(files: &[SiteFile]) -> BTreeMap<String, Html> {
    let pages = files.iter().filter(|file| file.path.ends_with(".html"));
    pages.map(|file| (file.path.clone(), Html::parse_document(&file.text))).collect()
}

/// The ends of a figure, as far as they are known.
type Ends = (Option<f64>, Option<f64>);

/// What a figure in a page says: its ends, as far as they are known.
fn ends(figure: &str) -> Ends {
    let number = |text: &str| Some(text.trim().parse::<f64>().unwrap_or_else(|_| panic!("{text}")));
    if let Some(min) = figure.strip_prefix('≥') {
        (number(min), None)
    } else if let Some(max) = figure.strip_prefix('≤') {
        (None, number(max))
    } else if figure == "–" {
        (None, None)
    } else if let Some((min, max)) = figure.split_once('–') {
        (number(min), number(max))
    } else {
        (number(figure), number(figure))
    }
}

/// What a figure in bold is, and what stands between it and the next.
fn figures(element: ElementRef<'_>) -> Vec<(String, String)> {
    let mut figures: Vec<(String, String)> = Vec::new();
    for child in element.children() {
        match (ElementRef::wrap(child), figures.last_mut()) {
            (Some(it), _) if it.value().name() == "b" => figures.push((text(it), String::new())),
            // (A link to a note, or the command.)
            (Some(_), _) | (None, None) => {}
            (None, Some((_, behind))) => {
                behind.push_str(child.value().as_text().map_or("", |text| text));
            }
        }
    }
    figures
}

/// What a figure was rounded from, by what stands behind it: a mark, what was measured, by how much it may
/// be off, and of what.
fn raw(behind: &str) -> Option<f64> {
    let (print, _) = behind.split_once([',', ';']).unwrap_or((behind, ""));
    let (print, _) = print.split_once(" of ").unwrap_or((print, ""));
    let (print, _) = print.split_once(" ± ").unwrap_or((print, ""));
    print.trim().rsplit(' ').next()?.parse().ok()
}

/// Checks a form's section against the database, and says how many figures it has.
fn check(section: ElementRef<'_>, entry: &Entry) -> usize {
    let name = &entry.subject.llvm_name;
    let lines = select(section, "p").into_iter();
    let line = lines.map(figures).find(|figures| !figures.is_empty()).expect("a line of figures");
    let expected = (entry.throughput.min, entry.throughput.max);
    assert_eq!(ends(&line[0].0), expected, "throughput of {name}");
    assert_eq!(raw(&line[0].1), entry.throughput.raw, "raw throughput of {name}");
    let latency = line.get(1).and_then(|(figure, _)| ends(figure).0);
    assert_eq!(latency, entry.latency.value, "latency of {name}");
    // Cells in the order of the file's sources and targets.
    let rows: Vec<ElementRef<'_>> =
        select(section, "table:not([class]) tr").into_iter().skip(1).collect();
    let order = |of: fn(&OperandLatency) -> &String| {
        let mut names: Vec<&String> = Vec::new();
        for edge in &entry.latency.operands {
            if !names.contains(&of(edge)) {
                names.push(of(edge));
            }
        }
        names
    };
    let (sources, targets) = (order(|edge| &edge.source), order(|edge| &edge.target));
    assert_eq!(rows.len(), sources.len(), "rows of {name}");
    let mut known: HashMap<(&String, &String), (Ends, Option<f64>)> = HashMap::new();
    for (source, row) in sources.iter().zip(rows) {
        let cells = select(row, "td");
        assert_eq!(cells.len(), targets.len(), "columns of {name}");
        for (target, cell) in targets.iter().zip(cells) {
            if let Some((figure, behind)) = figures(cell).first() {
                known.insert((source, target), (ends(figure), raw(behind)));
            }
        }
    }
    for edge in &entry.latency.operands {
        let figure = known.get(&(&edge.source, &edge.target));
        let (source, target) = (&edge.source, &edge.target);
        let expected = ((edge.min, edge.max), edge.raw);
        assert_eq!(figure, Some(&expected), "{name}: {source} -> {target}");
    }
    entry.latency.operands.len() + 1
}

/// Every form of a machine that is alone in its site.
fn check_all(database: &Database, pages: &BTreeMap<String, Html>) -> usize {
    let sections: Vec<ElementRef<'_>> =
        pages.values().flat_map(|page| select(page.root_element(), "article")).collect();
    let by_name: HashMap<String, ElementRef<'_>> =
        sections.iter().map(|section| (texts(*section, "h2").concat(), *section)).collect();
    assert_eq!(sections.len(), database.len());
    database.entries().map(|entry| check(by_name[&entry.subject.llvm_name], &entry)).sum()
}

/// All addresses in a page.
fn addresses(page: &Html) -> Vec<String> {
    let with = |attribute: &str| {
        let elements = select(page.root_element(), &format!("[{attribute}]"));
        elements.into_iter().filter_map(|it| it.attr(attribute).map(str::to_owned)).collect()
    };
    let all: [Vec<String>; 4] = ["href", "src", "action", "srcset"].map(with);
    all.concat()
}

/// Every address leads to a file of the site, and to a place in it if it names one.
fn check_addresses(files: &[SiteFile], pages: &BTreeMap<String, Html>) {
    for (path, page) in pages {
        for address in addresses(page).iter().filter(|address| *address != "data:,") {
            let (file, place) = address.split_once('#').unwrap_or((address, ""));
            let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
            let file = match (file, file.strip_prefix("../")) {
                ("", _) => path.clone(),
                (_, Some(from_root)) => from_root.to_owned(),
                (_, None) if folder.is_empty() => file.to_owned(),
                _ => format!("{folder}/{file}"),
            };
            assert!(files.iter().any(|it| it.path == file), "{path}: {address}");
            if !place.is_empty() {
                let selector = format!("[id=\"{place}\"]");
                let there = select(pages[&file].root_element(), &selector).len();
                assert_eq!(there, 1, "{path}: {address}");
            }
        }
    }
}

#[test]
fn every_figure_of_the_example_is_that_of_the_database() {
    let database = read("tests/data/report.yaml");
    let files = site::files(&[named("example", &database)]).expect("a site");
    let pages = pages(&files);
    assert_eq!(check_all(&database, &pages), 4 + 6);
    check_addresses(&files, &pages);
    let add = text(pages["forms/x86_64-add.html"].root_element());
    for said in [
        "one register at all operands",
        "the dependence through EFLAGS is broken by TEST64rr after every 8 instances",
        "back by SETCCr, MOVZX32rr8",
        "limited from below: no instruction is faster",
        "contested: its loops disagree",
        "winic ALL -i ADD16rr",
    ] {
        assert!(add.contains(said), "{said}");
    }
    let machine = text(pages["machines/example.html"].root_element());
    assert!(machine.contains("throughput: failed: segmentation fault"), "{machine}");
    assert!(machine.contains("loops disagree by 0.82 cycles"), "{machine}");
}

/// The committed results of Zen 4, with what the pages may weigh.
#[test]
fn every_figure_of_a_real_machine_is_that_of_the_database() {
    const MOST_BYTES: usize = 20_000_000;
    let database = read("output/znver4/znver4.yaml");
    let started = std::time::Instant::now();
    let files = site::files(&[named("znver4", &database)]).expect("a site");
    let bytes: usize = files.iter().map(|file| file.text.len()).sum();
    println!("{} files, {bytes} bytes, {:?}", files.len(), started.elapsed());
    assert!(bytes < MOST_BYTES, "{bytes} bytes");
    let pages = pages(&files);
    let figures = check_all(&database, &pages);
    assert!(figures > 20_000, "{figures} figures");
    let index = files.iter().find(|file| file.path == "index.js").expect("the table's data");
    let data = index.text.trim().strip_prefix("const winic = ").and_then(|it| it.strip_suffix(';'));
    let data: serde_json::Value = serde_json::from_str(data.expect("data")).expect("JSON");
    for row in data["forms"].as_array().expect("forms") {
        let entry = database.entry(row[0].as_str().expect("a name")).expect("an instruction");
        let cell = &row[6][0];
        let known = [entry.throughput.min, entry.throughput.max, entry.latency.value];
        assert_eq!([0, 1, 2].map(|place| cell[place].as_f64()), known, "{row}");
    }
    // A hundredth of the pages.
    let some = pages.into_iter().enumerate().filter(|(number, _)| number % 100 == 0);
    let some: BTreeMap<String, Html> = some.map(|(_, page)| page).collect();
    assert!(some.values().all(|page| addresses(page).iter().all(|it| !it.contains("//"))));
}

/// Markup, quotes and ways up in everything that a database may name.
const HOSTILE: &str = r#"
isa: "../../<script>alert(1)</script>"
microArchitecture: "\"><img src=http://example.com/x onerror=alert(1)>"
measurement:
  latency:
    cpu: "<iframe src='https://example.com'></iframe>"
    command: "winic $(touch /tmp/x) -c '`id`' </code><script>alert(1)</script>"
    conflicts: ["</li><script>alert(1)</script>"]
sweeps:
- kind: accumulators
  forms: ["</svg><script>alert(1)</script>"]
  axes: [accumulators]
  points: [{at: [1], cycles: 4}, {at: [2], cycles: 2}]
  finding: "<b onclick=alert(1)>x</b>"
instructions:
- llvmName: "<script>alert(1)</script>"
  name: "../../../../tmp/winic-escaped"
  operands:
  - {class: "<i>", name: "\"'><script>alert(1)</script>", width: 8, read: true, write: true}
  latency: 1
  operandLatencies:
  - {sourceOperand: '0', targetOperand: "' onmouseover='alert(1)", latencyMin: 1, latencyMax: 2,
     raw: 1, helpers: ["<img src=x onerror=alert(1)>"], status: "</table><script>alert(1)</script>",
     variants: [{variant: "<svg onload=alert(1)>", latency: 3}]}
  throughput: 1
  throughputMin: 1
  throughputMax: 1
  throughputBrokenBy: ["javascript:alert(1)"]
- llvmName: "\" onclick=\"alert(1)"
  name: "../../../../tmp/winic-escaped"
  throughputStatus: "</dd><script>alert(1)</script>"
- llvmName: "con/../..\\..\\x"
  name: "{{ 7 * 7 }}"
- llvmName: "</script><script>alert(1)</script>"
  name: ""
"#;

#[test]
fn a_hostile_database_is_text_in_pages_of_its_own() {
    let database = Database::parse(HOSTILE).expect("a database");
    let both = [named("<script>", &database), named("../up", &database)];
    let files = site::files(&both).expect("a site");
    for SiteFile { path, .. } in &files {
        let is_plain = path.split('/').all(|part| !part.is_empty() && !part.starts_with('.'));
        assert!(is_plain && !path.contains('\\') && path.split('/').count() <= 2, "{path}");
    }
    let pages = pages(&files);
    check_addresses(&files, &pages);
    for (path, page) in &pages {
        let root = page.root_element();
        let scripts = select(root, "script");
        let expected = if path == "index.html" { 2 } else { 0 };
        assert_eq!(scripts.len(), expected, "{path}");
        assert!(scripts.iter().all(|script| script.attr("src").is_some()), "{path}");
        assert!(select(root, "iframe, svg, object, embed, base, b[onclick]").is_empty(), "{path}");
        for element in select(root, "*") {
            for (attribute, value) in element.value().attrs() {
                assert!(!attribute.starts_with("on"), "{path}: {attribute}");
                assert!(!value.trim_start().starts_with("javascript:"), "{path}: {value}");
            }
        }
    }
    // Pictures are files of their own; their text is text as well.
    for picture in files.iter().filter(|file| file.path.ends_with(".svg")) {
        assert!(!picture.text.contains("<script"), "{}", picture.path);
    }
    let form = pages.values().find(|page| text(page.root_element()).contains("<script>alert(1)"));
    assert!(form.is_some(), "what is escaped is still there to read");
}

#[test]
fn no_page_names_an_address_elsewhere() {
    let database = read("tests/data/report.yaml");
    let files = site::files(&[named("a", &database), named("b", &database)]).expect("a site");
    for SiteFile { path, text } in &files {
        // (A name space is no address.)
        let text = text.replace("http://www.w3.org/2000/svg", "");
        for scheme in ["http:", "https:", "url(", "@import", "fetch(", "import("] {
            assert!(!text.contains(scheme), "{path}: {scheme}");
        }
    }
}

fn winic(place: &Path, arguments: &[&str]) -> (i32, String, String) {
    let mut winic = assert_cmd::Command::cargo_bin("winic").expect("winic is built");
    let output = winic.current_dir(place).arg("report").args(arguments).output().expect("it runs");
    let text = |bytes| String::from_utf8(bytes).expect("text");
    (output.status.code().expect("no signal"), text(output.stdout), text(output.stderr))
}

/// Paths of everything in a directory.
fn below(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a directory").map(|it| it.expect("an entry").path());
    let all = entries.flat_map(|path| if path.is_dir() { below(&path) } else { vec![path] });
    let mut all: Vec<PathBuf> = all.collect();
    all.sort();
    all
}

#[test]
fn the_command_writes_into_its_directory_and_nowhere_else() {
    let place = tempfile::tempdir().expect("a temporary directory");
    let folder = place.path();
    fs::write(folder.join("hostile.yaml"), HOSTILE).expect("a file");
    fs::copy(at_root("tests/data/report.yaml"), folder.join("mild.yaml")).expect("a file");
    let (status, out, said) = winic(folder, &["hostile.yaml", "mild.yaml", "-o", "new/pages"]);
    assert_eq!((status, out.as_str()), (0, ""), "{said}");
    assert_eq!(said, "wrote new/pages/index.html\n");
    let outside =
        below(folder).into_iter().filter(|path| !path.starts_with(folder.join("new/pages")));
    assert_eq!(outside.count(), 2, "the databases");
    // A second site takes the place of the first.
    let (status, ..) = winic(folder, &["mild.yaml", "-o", "new/pages"]);
    let of_hostile = below(&folder.join("new/pages"))
        .into_iter()
        .any(|path| path.to_string_lossy().contains("escaped"));
    assert!(status == 0 && !of_hostile, "pages of before are left");
}

#[test]
fn what_cannot_be_written_is_said_and_nothing_is_touched() {
    let place = tempfile::tempdir().expect("a temporary directory");
    let folder = place.path();
    fs::copy(at_root("tests/data/report.yaml"), folder.join("a.yaml")).expect("a file");
    fs::create_dir(folder.join("full")).expect("a directory");
    fs::write(folder.join("full/mine.txt"), "mine").expect("a file");
    let (status, _, said) = winic(folder, &["a.yaml", "-o", "full"]);
    assert!(status == 2 && said.contains("full has other files in it"), "{said}");
    assert_eq!(below(&folder.join("full")), [folder.join("full/mine.txt")]);
    let (status, _, said) = winic(folder, &["a.yaml", "a.yaml"]);
    assert!(status == 2 && said.contains("several databases make a site"), "{said}");
    let (status, ..) = winic(folder, &["a.yaml", "-o", "new", "-i", "ADD16rr"]);
    assert_eq!(status, 2, "forms are chosen in the page");
    assert!(!folder.join("new").exists());
}

const CONFIGURED: &str = "\
isa: riscv64
microArchitecture: x280
instructions:
- {llvmName: VADD_VV, name: vadd.vv, configuration: {sew: 32, lmul: 1}, throughput: 1, latency: 4}
- {llvmName: VADD_VV@e32m8, name: vadd.vv, configuration: {sew: 32, lmul: 8}, throughput: 8, latency: 11}
- {llvmName: VADD_VV@e8mf2, name: vadd.vv, configuration: {sew: 8, lmul: 0.5}, throughput: 1}
- {llvmName: VADD_VV@e32m1m, name: vadd.vv, configuration: {sew: 32, lmul: 1, masked: true}, throughput: 2}
";

#[test]
fn configurations_are_tables_of_element_widths_and_groups() {
    let database = Database::parse(CONFIGURED).expect("a database");
    let files = site::files(&[named("x280", &database)]).expect("a site");
    let pages = pages(&files);
    check_addresses(&files, &pages);
    let page = pages["forms/riscv64-vadd.vv.html"].root_element();
    let tables: Vec<(String, Vec<String>)> = select(page, ".configurations table")
        .into_iter()
        .map(|table| {
            let rows = select(table, "tr").into_iter();
            let cells = |row| select(row, "th, td").into_iter().map(text).collect::<Vec<_>>();
            (text(select(table, "caption")[0]), rows.map(|row| cells(row).join("|")).collect())
        })
        .collect();
    let expected = [
        ("Throughput of VADD_VV", vec!["|mf2|m1|m8", "8 bits|1||", "32 bits||1|8"]),
        ("Throughput of VADD_VV under a mask", vec!["|m1", "32 bits|2"]),
        ("Latency of VADD_VV", vec!["|m1|m8", "32 bits|4|11"]),
    ];
    let expected = expected.map(|(caption, rows)| {
        (caption.to_owned(), rows.into_iter().map(str::to_owned).collect::<Vec<_>>())
    });
    assert_eq!(tables, expected);
    // Eight times as long is three doublings.
    let shades = select(page, ".configurations .s3");
    assert_eq!(shades.into_iter().map(text).collect::<Vec<_>>(), ["8"]);
}

#[test]
fn kernels_stand_beside_forms_and_are_text() {
    let database = read("tests/data/report.yaml");
    let proof = |edge: Option<[&str; 2]>| Proof {
        edge: edge.map(|ends| ends.map(str::to_owned)),
        finding: "1.0105 cycles".to_owned(),
        assembly: "    </pre><script>alert(1)</script>\n    add ax, bx\n".to_owned(),
    };
    let proofs = vec![proof(None), proof(Some(["1", "EFLAGS"]))];
    let of_machine = NamedDatabase {
        proofs: Proofs::from([("ADD16rr".to_owned(), proofs)]),
        ..named("example", &database)
    };
    let files = site::files(&[of_machine, named("other", &database)]).expect("a site");
    let pages = pages(&files);
    check_addresses(&files, &pages);
    let page = pages["proofs/x86_64-add.html"].root_element();
    let of = |selector| select(page, selector).into_iter().map(text).collect::<Vec<_>>();
    assert_eq!(
        of("summary"),
        ["Throughput: 1.0105 cycles", "Latency 1 GR16 → EFLAGS: 1.0105 cycles"]
    );
    assert!(of("pre")[0].contains("<script>alert(1)") && of("script").is_empty());
    assert_eq!(of("h3"), ["example"], "the other machine kept nothing");
    assert!(!pages.contains_key("proofs/x86_64-clc.html"));
    let form = pages["forms/x86_64-add.html"].root_element();
    assert!(!select(form, "a[href='../proofs/x86_64-add.html#ADD16rr']").is_empty());
}
