//! Tables of others as users of `winic compare` meet them: figures of forms that are found by how they
//! are written, counts of what is none, one line for what is no table. The files are of our own making.
#![cfg(feature = "llvm")]

#[path = "support/command.rs"]
mod command;
#[path = "support/spreadsheet.rs"]
mod spreadsheet;

use std::fs;
use std::path::Path;

use command::winic;
use spreadsheet::spreadsheet;

/// A database of a machine that nobody has.
const MEASURED: &str = "\
isa: x86_64
microArchitecture: znver4
instructions:
- {llvmName: ADD32rr, throughput: 0.25, throughputMin: 0.25, throughputMax: 0.25, latency: 1}
- {llvmName: ADD64rm, throughput: 0.5, throughputMin: 0.5, throughputMax: 0.5}
- {llvmName: ADD64ri8, throughput: 0.25, throughputMin: 0.25, throughputMax: 0.25}
- {llvmName: SHL64rCL, throughput: 0.5, throughputMin: 0.5, throughputMax: 0.5}
- {llvmName: CMOV64rr, throughput: 0.5, throughputMin: 0.5, throughputMax: 0.5}
- {llvmName: VADDPDYrr, throughput: 0.5, throughputMin: 0.5, throughputMax: 0.5, latency: 3}
- {llvmName: VADDPDZ256rr, throughput: 1, throughputMin: 1, throughputMax: 1}
- {llvmName: VADDPDZrrkz, throughput: 1, throughputMin: 1, throughputMax: 1}
";

/// What AIDA64 says of them, and of more.
const DUMP: &str = "\
CPU of nobody's making, (c) \u{ae}
   12 X86             :ADD r32, r32                     L:   0.26ns=  1.0c  T:   0.06ns=  0.25c
   13 AMD64           :ADD r64, [m64]                   L: [memory dep.]    T:   0.12ns=  0.50c
   14 AMD64           :ADD r64, imm8                    L:   0.26ns=  1.0c  T:   0.06ns=  0.25c
   15 AMD64           :SHL r64, CL                      L:   0.26ns=  1.0c  T:   0.12ns=  0.50c
   16 AMD64           :CMOVNZ r64, r64                  L:   0.26ns=  1.0c  T:   0.12ns=  0.50c
   17 AVX             :VADDPD ymm, ymm, ymm             L:   0.78ns=  3.0c  T:   0.12ns=  0.50c
   18 AVX512VL        :VADDPD ymm, ymm, ymm             L:   0.78ns=  3.0c  T:   0.26ns=  1.00c
   19 AVX512F         :VADDPD zmm{k}{z}, zmm, zmm       L:   0.78ns=  3.0c  T:   0.26ns=  1.00c
   20 X86             :FOO r32, r32                     L:   0.26ns=  1.0c  T:   0.26ns=  1.00c
   21 X86             :DIV r8  0/ 8b                    L: [no true dep.]   T:   4.14ns= 13.00c
";

/// What XED's names say of them.
const IFORMS: &str = r#"{"about": "nobody's core", "forms": [
    {"iform": "ADD_GPRv_GPRv_01", "latency": 1, "throughput": "0.25"},
    {"iform": "ADD_GPRv_MEMv", "throughput": 0.5},
    {"iform": "ADD_GPRv_IMMb", "throughput": 0.25},
    {"iform": "SHL_GPRv_CL_D3r4", "throughput": 0.5},
    {"iform": "CMOVNZ_GPRv_GPRv", "throughput": 0.5},
    {"iform": "VADDPD_YMMqq_YMMqq_YMMqq", "throughput": 0.5},
    {"iform": "VADDPD_YMMf64_MASKmskw_YMMf64_YMMf64_AVX512", "throughput": 1},
    {"iform": "NOT_KNOWN_TO_ANYONE", "throughput": 1}]}"#;

/// What uops.info writes.
const TREE: &str = "\
<root><instruction asm='ADD' extension='BASE' string='ADD (R32, R32)'><architecture name='ZEN4'>\
<measurement TP_loop='0.25'><latency start_op='1' target_op='1' cycles='1'/></measurement></architecture>\
</instruction><instruction asm='VADDPD' extension='AVX512EVEX' zeroing='1' \
string='VADDPD_Z (ZMM, K, ZMM, ZMM)'><architecture name='ZEN4'><measurement TP_loop='1'/>\
</architecture></instruction></root>";

fn sheet() -> Vec<u8> {
    spreadsheet(&[
        &["Instruction", "Op 1", "Op 2", "Op 3", "Mask", "CPUID flag", "Latency", "Throughput"],
        &["ADD", "reg16/32/64", "reg/mem64", "", "", "", "1", "2"],
        &["ADD", "reg32", "reg32", "", "", "", "1", "4"],
        &["ADD", "reg64", "imm8", "", "", "", "1", "4"],
        &["SHL", "reg64", "CL", "", "", "", "1", "2"],
        &["CMOVNE/CMOVE", "reg64", "reg64", "", "", "", "1", "2"],
        &["VADDPD", "ymm1", "ymm2", "ymm3", "", "AVX", "3", "2"],
        &["VADDPD", "ymm1", "ymm2", "ymm3", "", "AVX512VL", "3", "1"],
        &["VADDPD", "zmm1", "zmm2", "zmm3", "{k1}/{k1}{z}", "AVX512F", "3", "1"],
        &["CPUID", "", "", "", "", "", "ucode", "-"],
    ])
}

fn place() -> tempfile::TempDir {
    let place = tempfile::tempdir().expect("a temporary directory");
    let put = |name: &str, bytes: &[u8]| fs::write(place.path().join(name), bytes).expect("a file");
    put("cpu.yaml", MEASURED.as_bytes());
    put("dump.txt", DUMP.replace('\u{ae}', "(R)").as_bytes());
    put("latin.txt", &DUMP.chars().map(|letter| letter as u8).collect::<Vec<u8>>());
    put("iforms.txt", IFORMS.as_bytes());
    put("tree.txt", TREE.as_bytes());
    put("sheet.txt", &sheet());
    place
}

/// What a comparison with a file says, and what its table has.
fn compared(place: &Path, file: &str) -> (String, String, String) {
    let arguments = ["compare", "--tsv", "table.tsv", "cpu.yaml", file];
    let (status, text, error) = winic(place, &arguments);
    assert_eq!(status, 0, "{file}: {text}{error}");
    let table = fs::read_to_string(place.join("table.tsv")).expect("a table");
    (text, table, error)
}

/// The forms whose figure of a kind was compared, and agrees.
fn agreeing(table: &str, kind: &str) -> Vec<String> {
    let fits = |line: &&str| line.contains(&format!("\t{kind}\t")) && line.ends_with("\tagrees");
    let form = |line: &str| line.split('\t').next().unwrap_or_default().to_owned();
    let mut forms: Vec<String> = table.lines().filter(fits).map(form).collect();
    forms.sort();
    forms
}

const ALL: [&str; 8] = [
    "ADD32rr",
    "ADD64ri8",
    "ADD64rm",
    "CMOV64rr",
    "SHL64rCL",
    "VADDPDYrr",
    "VADDPDZ256rr",
    "VADDPDZrrkz",
];

#[test]
fn each_source_is_read_by_its_content_and_its_forms_by_how_they_are_written() {
    let place = place();
    let path = place.path();
    for (file, missing) in
        [("dump.txt", ""), ("latin.txt", ""), ("iforms.txt", "VADDPDZrrkz"), ("sheet.txt", "")]
    {
        let (text, table, error) = compared(path, file);
        let expected: Vec<&str> = ALL.into_iter().filter(|form| *form != missing).collect();
        assert_eq!(agreeing(&table, "throughput"), expected, "{file}: {text}{error}");
        assert!(text.contains(" 0 differ, 0 undecided"), "{file}: {text}");
    }
    let (text, table, _) = compared(path, "tree.txt");
    assert_eq!(agreeing(&table, "throughput"), ["ADD32rr", "VADDPDZrrkz"], "{text}");
    // Whole latencies are compared with whole ones.
    let (_, table, _) = compared(path, "dump.txt");
    assert_eq!(agreeing(&table, "latency"), ["ADD32rr", "VADDPDYrr"], "{table}");
}

#[test]
fn what_is_not_one_form_is_counted_with_its_reason() {
    let place = place();
    let path = place.path();
    for (file, reasons) in [
        (
            "dump.txt",
            &["no form of LLVM's has its mnemonic: 2 (first FOO r32, r32)", "DIV r8  0/ 8b"][..],
        ),
        ("iforms.txt", &["(first NOT_KNOWN_TO_ANYONE)"]),
        ("sheet.txt", &["its throughput is no number: 1 (first CPUID )"]),
    ] {
        let (_, _, error) = compared(path, file);
        for reason in reasons {
            let bare: String = reason.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(error.contains(&bare) || error.contains(reason), "{file}: {error}");
        }
    }
}

#[test]
fn sources_stand_side_by_side() {
    let place = place();
    let files = ["compare", "cpu.yaml", "sheet.txt", "tree.txt@ZEN4", "dump.txt", "iforms.txt"];
    let (status, text, error) = winic(place.path(), &files);
    assert_eq!(status, 0, "{text}{error}");
}

#[test]
fn what_is_no_table_or_another_machine_s_is_one_line() {
    let place = place();
    let path = place.path();
    let put = |name: &str, bytes: &[u8]| fs::write(path.join(name), bytes).expect("a file");
    let sheet = sheet();
    put("half.xlsx", &sheet[..sheet.len() / 2]);
    put("zip.xlsx", b"PK\x03\x04garbage");
    put("other.xlsx", &spreadsheet(&[&["Name", "Price"], &["bread", "2"]]));
    put("empty.xlsx", &spreadsheet(&[&["Instruction", "Latency", "Throughput"]]));
    put("half.json", &IFORMS.as_bytes()[..IFORMS.len() / 2]);
    put("none.json", b"{\"iform\": 1, \"latency\": {}}");
    put("bytes.json", b"[{\"latency\": \xff}]");
    put("half.txt", &DUMP.as_bytes()[..DUMP.find("L:").unwrap_or(0)]);
    put("garbage", b"\x00\xff\x13\x80PK");
    put("empty", b"");
    let arm = "isa: aarch64\ninstructions: [{llvmName: ADDXri, throughput: 1}]\n";
    put("arm.yaml", arm.as_bytes());
    for file in [
        "half.xlsx",
        "zip.xlsx",
        "other.xlsx",
        "empty.xlsx",
        "half.json",
        "none.json",
        "bytes.json",
        "half.txt",
        "garbage",
        "empty",
        "tree.txt@ZEN5",
    ] {
        for arguments in
            [&["compare", "-q", "cpu.yaml", file][..], &["compare", "-q", file, "cpu.yaml"]]
        {
            let (status, said, error) = winic(path, arguments);
            assert_eq!((status, said.as_str()), (2, ""), "{arguments:?}: {error}");
            assert_eq!(error.lines().count(), 1, "{arguments:?}: {error}");
        }
    }
    for file in ["dump.txt", "sheet.txt", "iforms.txt", "tree.txt"] {
        let (status, _, error) = winic(path, &["compare", "-q", "arm.yaml", file]);
        assert_eq!(status, 2, "{file}: {error}");
        assert!(error.contains("no figure in common"), "{file}: {error}");
    }
}
