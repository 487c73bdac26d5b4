//! The house rules: which module may name which, and what stays where.
//!
//! Each rule is one function here and one test. A test that fails says the file, the line and
//! what to do about it.

mod source;

use std::collections::BTreeMap;
use std::path::Path;

use source::{Kind, Source, all_sources};

/// Which modules each module may name, in the order of the pipeline: a row names earlier rows
/// only. A path such as `device::Fault` allows that item alone.
const MAY_NAME: &[(&str, &[&str])] = &[
    ("units", &[]),
    ("repetition", &[]),
    ("files", &[]),
    ("maps", &[]),
    ("random", &[]),
    ("metadata", &[]),
    ("artifact", &[]),
    ("codec", &["metadata"]),
    // One codec of several. Named by what sets it up (`pipeline`, `app`), by the simulator, which
    // is LLVM's, by `cli` for its version, and by tests; all others take a `Codec`.
    ("llvm", &["metadata", "codec"]),
    ("form", &["metadata"]),
    ("isa", &["metadata", "artifact", "form"]),
    ("catalogue", &["metadata", "codec", "form", "isa"]),
    ("kernel", &["maps", "random", "metadata", "artifact", "codec", "isa", "form", "catalogue"]),
    ("experiment", &["metadata", "artifact", "isa", "form", "catalogue", "kernel"]),
    ("assemble", &["artifact", "codec", "isa"]),
    // Kernels are bytes to a device: nothing here that knows an instruction. The simulator
    // hands them to LLVM.
    (
        "device",
        &[
            "files",
            "artifact",
            "llvm::Loads",
            "llvm::Simulator",
            "llvm::SteadyState",
            "codec::CodeError",
            "codec::Control",
            "codec::FlowReader",
            "llvm::ModelError",
            "llvm::version",
        ],
    ),
    ("sample", &["device::RawSample", "device::SHARED_PER_MILLE", "device::Window"]),
    // Words about values: each type has one text.
    ("answer", &["form::NamedEdge", "form::NamedSite", "device::Fault", "sample::Unusable"]),
    // Compares what its members measure.
    ("fleet", &["artifact", "device", "sample"]),
    (
        "database",
        &[
            "files",
            "answer",
            "form::NamedEdge",
            "form::NamedSite",
            "form::RegisterFile",
            "device::Source",
        ],
    ),
    // GPUs have no opcodes that `isa` would know, and kernels of their own.
    ("gpu", &["files", "metadata", "codec", "answer", "device", "database"]),
    // Knows instructions by the forms of a target, and no mnemonic.
    (
        "scoreboard",
        &["files", "random", "metadata", "artifact", "codec", "form", "isa", "device", "database"],
    ),
    // Executes words of one coprocessor, and what stands around them in kernels.
    ("emulator", &["artifact", "device", "isa"]),
    // What is known comes as values: no device can be reached from here.
    (
        "infer",
        &["answer", "maps", "random", "metadata", "form", "experiment", "device::Fault", "sample"],
    ),
    ("journal", &["files", "maps", "experiment", "infer"]),
    (
        "study",
        &[
            "answer",
            "maps",
            "random",
            "metadata",
            "isa",
            "form",
            "catalogue",
            "kernel",
            "experiment",
            "sample",
            "database",
            "infer",
        ],
    ),
    // (A run's account has the grid that was swept.)
    ("evidence", &["files", "experiment", "infer", "database", "study::Grid"]),
    (
        "laboratory",
        &[
            "metadata",
            "artifact",
            "codec",
            "form",
            "catalogue",
            "kernel",
            "experiment",
            "assemble",
            "device",
            "sample",
            "infer",
            "journal",
        ],
    ),
    (
        "pipeline",
        &[
            "metadata",
            "codec",
            "artifact",
            "llvm",
            "isa",
            "form",
            "catalogue",
            "experiment",
            "assemble",
            "device",
            "sample",
            "scoreboard",
            "infer",
            "journal",
            "study",
            "laboratory",
        ],
    ),
    // `report` and `database` see no live run.
    ("report", &["database"]),
    // Formats of others, both ways.
    ("exchange", &["database"]),
    // Functions of a database, and of what a codec prints of its forms.
    ("export", &["metadata", "codec", "form", "isa", "answer", "database", "study::site"]),
    // A function of a database and of instructions as values.
    ("predict", &["form", "database", "infer::ports"]),
    // Says their versions; a command line says a grid, and which generation of a unit is meant.
    (
        "cli",
        &[
            "llvm::version",
            "device::PROTOCOL",
            "device::gpu",
            "gpu::amd",
            "gpu::form",
            "database::SweepKind",
            "study::Grid",
            "isa::AmxGeneration",
        ],
    ),
    ("app", EVERYTHING),
    // The two programs: `winic` and `winic-runner`.
    ("main", &["app", "cli"]),
    ("bin", &["device"]),
];

/// For modules that bring it all together.
const EVERYTHING: &[&str] = &["*"];

/// What every module may name.
const FREE: &[&str] = &["units", "repetition"];

/// Words that have a home: the word, the places it may stand in, and what to do elsewhere.
const AT_HOME: &[(&str, &[&str], &str)] = &[
    (
        "unsafe",
        // (The drivers' libraries of GPUs, opened at run time, are foreign code as well.)
        &["src/llvm/ffi", "src/device/child", "src/device/gpu/library"],
        "put the foreign call behind a safe function there",
    ),
    (
        "target_arch",
        &["src/isa/", "src/device/child/machine"],
        "ask the `Isa`, or add a function to the machine files of the runner",
    ),
    (
        "serde_yaml",
        &["src/database/", "src/exchange/"],
        "hand the database typed values; formats of others are read in `exchange`",
    ),
    ("inkwell", &["src/llvm/"], "add a safe function to `llvm`"),
    ("clap", &["src/cli.rs", "src/cli/", "src/main.rs"], "take checked values as arguments"),
];

/// Where instructions and registers may have names.
const KNOWS_MACHINES: &[&str] =
    &["src/isa/", "src/device/child/machine", "src/gpu/amd/", "src/gpu/nvidia/"];

/// Lines in the longest file.
const MAX_LINES: usize = 600;

#[test]
fn modules_name_only_what_the_table_allows() {
    expect_none(sources().iter().flat_map(forbidden_names));
}

#[test]
fn the_table_is_in_the_order_of_the_pipeline() {
    expect_none(MAY_NAME.iter().enumerate().flat_map(|(row, (module, allowed))| {
        allowed.iter().filter(move |name| !is_earlier(row, name)).map(move |name| {
            format!(
                "MAY_NAME lets `{module}` name `{name}`, which is no earlier row: \
                 reorder the rows, or turn the dependence round"
            )
        })
    }));
}

#[test]
fn words_stay_where_their_home_is() {
    expect_none(sources().iter().flat_map(strayed_words));
}

#[test]
fn only_an_isa_knows_instructions_and_registers() {
    expect_none(sources().iter().flat_map(machine_names));
}

/// Ways to take names apart, which belong to `isa::names` where opcodes are meant: `MOVSL` is no
/// beginning of `MOVSLDUPrr`.
const TAKES_APART: &[&str] = &["starts_with", "ends_with", "strip_prefix", "strip_suffix"];

/// Files that take apart names of registers and extensions, of floating-point formats at a
/// mnemonic's end, and the brackets around the name of an operand's class.
const KNOWS_OTHER_NAMES: &[&str] = &[
    "src/form/named.rs",
    "src/isa/names.rs",
    "src/isa/x86/registers.rs",
    "src/isa/x86/values.rs",
    "src/isa/aarch64/registers.rs",
    "src/isa/riscv/extensions.rs",
    "src/isa/riscv/registers.rs",
];

#[test]
fn families_of_instructions_are_whole_names() {
    let files = all_sources(&["src/isa", "src/form", "src/catalogue"]);
    assert!(!files.is_empty());
    expect_none(files.iter().filter(|file| !file.is_in(KNOWS_OTHER_NAMES)).flat_map(|file| {
        let parts = file.tokens.iter().filter(|token| !token.in_test).filter_map(|token| {
            match &token.kind {
                Kind::Word(word) if TAKES_APART.contains(&word.as_str()) => {
                    Some((token.line, word))
                }
                _ => None,
            }
        });
        parts.map(|(line, word)| {
            format!(
                "{}:{line}: `{word}`: list whole mnemonics, names or stems, and ask `isa::names`",
                file.path
            )
        })
    }));
}

#[test]
fn no_file_is_too_long_to_read() {
    expect_none(all_sources(&["src", "tests", "examples", "build.rs"]).iter().filter_map(|file| {
        let lines = file.text.lines().count();
        (lines > MAX_LINES).then(|| {
            format!("{}: {lines} lines, more than {MAX_LINES}: split it by its nouns", file.path)
        })
    }));
}

/// A question is a folder of `src/study` and an entry of its table, and nothing else; sweeps have one folder,
/// and a file each.
#[test]
fn every_question_has_a_folder_and_an_entry() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/study");
    let table = std::fs::read_to_string(root.join("mod.rs")).expect("the table of questions");
    let entries = std::fs::read_dir(&root).expect("the studies");
    let folders: Vec<String> = entries
        .map(|entry| entry.expect("a file"))
        .filter(|entry| entry.path().is_dir())
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    let sweeps = std::fs::read_to_string(root.join("sweep/mod.rs")).expect("the table of sweeps");
    assert_eq!(
        table.matches("&sweep::").count(),
        sweeps.matches("::QUESTION as ").count(),
        "each sweep is a question"
    );
    assert_eq!(table.matches("::QUESTION").count(), folders.len() - 1, "{folders:?}");
    let is_missing =
        |folder: &&String| *folder != "sweep" && !table.contains(&format!("&{folder}::QUESTION"));
    expect_none(folders.iter().filter(is_missing).map(|folder| {
        format!("src/study/{folder} is no question of QUESTIONS in src/study/mod.rs")
    }));
}

fn sources() -> Vec<Source> {
    all_sources(&["src"])
}

fn forbidden_names(file: &Source) -> Vec<String> {
    let Some(module) = file.module() else { return Vec::new() };
    let Some((_, allowed)) = MAY_NAME.iter().find(|(row, _)| *row == module) else {
        return vec![format!("{}: `{module}` has no row in MAY_NAME: add one", file.path)];
    };
    // Tests of a module may ask what stands above it: those of `isa` hold its tables against LLVM's.
    let names = file.names().into_iter().filter(|name| !name.in_test);
    let forbidden = names.filter(|name| !may_name(module, allowed, &name.path));
    forbidden
        .map(|name| {
            format!(
                "{}:{}: `{module}` may not name `{}`: take what it needs as an argument, or do \
                 this in a later module; if the design has changed, change MAY_NAME",
                file.path,
                name.line,
                name.path.join("::")
            )
        })
        .collect()
}

fn may_name(module: &str, allowed: &[&str], path: &[String]) -> bool {
    let named = path.first().map_or("", String::as_str);
    named == module
        || FREE.contains(&named)
        || allowed.iter().any(|allowed| match allowed.split_once("::") {
            None => *allowed == "*" || *allowed == named,
            Some((of, item)) => of == named && path.get(1).is_some_and(|name| name == item),
        })
}

/// Whether a row may be allowed a name for where that one stands in the table.
fn is_earlier(row: usize, name: &str) -> bool {
    let named = name.split("::").next().unwrap_or(name);
    name == "*" || MAY_NAME[..row].iter().any(|(earlier, _)| *earlier == named)
}

fn strayed_words(file: &Source) -> Vec<String> {
    let words = file.tokens.iter().filter_map(|token| match &token.kind {
        Kind::Word(word) => {
            AT_HOME.iter().find(|(homely, ..)| homely == word).map(|home| (token, home))
        }
        _ => None,
    });
    words
        .filter(|(_, (_, places, _))| !file.is_in(places))
        .map(|(token, (word, places, remedy))| {
            format!(
                "{}:{}: `{word}` belongs in {}: {remedy}",
                file.path,
                token.line,
                places.join(" and ")
            )
        })
        .collect()
}

fn machine_names(file: &Source) -> Vec<String> {
    if file.is_in(KNOWS_MACHINES) {
        return Vec::new();
    }
    let texts =
        file.tokens.iter().filter(|token| !token.in_test).filter_map(|token| match &token.kind {
            Kind::Text(text) => machine_name(text).map(|name| (token.line, name)),
            _ => None,
        });
    texts
        .map(|(line, name)| {
            format!(
                "{}:{line}: \"{name}\" is the name of an instruction or a register: \
                 ask the `Isa` or the `InstructionSet` for it",
                file.path
            )
        })
        .collect()
}

/// The register in a text, or the text itself if it is nothing but a mnemonic or an opcode of
/// LLVM's. In sentences for the user opcodes may serve as examples.
fn machine_name(text: &str) -> Option<&str> {
    let words = text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
    let whole = text.trim();
    words.into_iter().find(|word| is_register(word)).or_else(|| {
        (MNEMONICS.contains(&whole.to_lowercase().as_str()) || is_opcode(whole)).then_some(whole)
    })
}

/// Mnemonics that anyone who writes assembly into the wrong file will use soon.
const MNEMONICS: &[&str] = &[
    "adc",
    "add",
    "addi",
    "cmp",
    "dec",
    "fadd",
    "imul",
    "jmp",
    "jnz",
    "ldr",
    "lea",
    "mov",
    "movd",
    "movq",
    "movaps",
    "mul",
    "nop",
    "pop",
    "push",
    "pxor",
    "ret",
    "sbb",
    "shl",
    "str",
    "sub",
    "test",
    "vaddps",
    "vpxor",
    "vxorps",
    "vzeroupper",
    "xor",
    "xorps",
];

/// Registers whose names mean nothing else.
const REGISTERS: &[&str] = &[
    "rax", "rbx", "rcx", "rdx", "rsi", "rdi", "rsp", "rbp", "rip", "eax", "ebx", "ecx", "edx",
    "esi", "edi", "esp", "ebp", "eflags", "rflags", "mxcsr", "fpsw", "fpcw", "nzcv", "fpcr",
];

/// Beginnings of numbered registers, with how many there are.
const NUMBERED: &[(&str, u32)] = &[("xmm", 32), ("ymm", 32), ("zmm", 32), ("x", 32), ("r", 32)];

fn is_register(word: &str) -> bool {
    let word = word.to_lowercase();
    let numbered = |(prefix, count): &(&str, u32)| {
        let number = word.strip_prefix(prefix).and_then(|number| number.parse::<u32>().ok());
        number.is_some_and(|number| number < *count)
    };
    REGISTERS.contains(&word.as_str()) || NUMBERED.iter().any(numbered)
}

/// Opcodes of LLVM's: capitals, a width, small letters for the operands, as in `XOR32rr`.
fn is_opcode(text: &str) -> bool {
    let capitals = text.trim_start_matches(|letter: char| letter.is_ascii_uppercase());
    let digits = capitals.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let operands = digits.trim_start_matches(|letter: char| letter.is_ascii_lowercase());
    capitals.len() + 2 <= text.len()
        && digits.len() < capitals.len()
        && !digits.is_empty()
        && operands.chars().all(|letter| letter.is_ascii_digit())
}

/// Fails with everything that breaks a rule, a line each.
fn expect_none(broken: impl Iterator<Item = String>) {
    let broken: Vec<String> = broken.collect();
    assert!(broken.is_empty(), "\n\n{}\n\n", broken.join("\n"));
}

#[test]
fn names_of_machines_are_told_from_words() {
    for text in ["xor {0}, rax", "XMM31", "XOR32rr", "ADD16ri8", "imul", "x7", "BTS16rr"] {
        assert!(machine_name(text).is_some(), "{text}");
    }
    for text in ["x86_64", "reset", "add one", "LLVM22", "x87", "-", "", "IEEE754", "r64", "TP"] {
        assert!(machine_name(text).is_none(), "{text}");
    }
}

/// Kernels and runners name these, so that a template without one fails only when something is
/// measured.
#[test]
fn every_template_has_what_kernels_name() {
    for entry in std::fs::read_dir("templates").unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        let guards = winic::artifact::GUARDS.into_iter().flat_map(|(begin, end)| [begin, end]);
        for symbol in guards.chain([winic::isa::SENTINEL, winic::isa::PHASE]) {
            assert!(text.contains(symbol), "no {symbol} in {}", path.display());
        }
    }
}

/// The head of a template says how its macros are called.
#[test]
fn templates_describe_their_macros_as_they_are() {
    for entry in std::fs::read_dir("templates").unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        let defined: Vec<(&str, usize)> =
            text.lines().filter_map(|line| line.trim().strip_prefix(".macro ")).map(call).collect();
        let comments = text.lines().map_while(|line| line.strip_prefix(['#', '/']));
        let described: Vec<(&str, usize)> = comments
            .map(|line| line.trim_start_matches('/').trim())
            .filter(|line| line.starts_with("winic_"))
            .map(call)
            .collect();
        assert!(described.len() >= 4, "{}: {described:?}", path.display());
        for (name, arguments) in described {
            let is_it = |&(other, its): &(&str, usize)| {
                let same = match name.strip_suffix("LOOP") {
                    Some(start) => other.starts_with(start),
                    None => other == name,
                };
                same && its == arguments
            };
            let path = path.display();
            assert!(defined.iter().any(is_it), "{path}: no macro {name} of {arguments} arguments");
        }
    }
}

/// A macro's name and how many arguments stand behind it, before what is said of it.
fn call(line: &str) -> (&str, usize) {
    let call = line.split("  ").next().unwrap_or(line);
    let (name, arguments) = call.split_once(' ').unwrap_or((call, ""));
    (name, arguments.split(',').filter(|argument| !argument.trim().is_empty()).count())
}

/// Files that implement one thing for several systems and machines, so that its types have the same
/// names in all of them, and those that call C++ types what LLVM's shim does.
const NAMED_ALIKE: &[&str] = &[
    "src/device/macos/",
    "src/device/child/macos/",
    "src/device/child/machine/",
    "src/isa/aarch64/registers.rs",
    "src/isa/riscv/registers.rs",
    "src/llvm/ffi/",
];

#[test]
fn a_type_has_a_name_of_its_own() {
    let files = all_sources(&["src"]);
    let mut known: BTreeMap<String, String> = BTreeMap::new();
    let mut doubled = Vec::new();
    for file in files.iter().filter(|file| !file.is_in(NAMED_ALIKE)) {
        for (name, line) in type_names(file) {
            let here = format!("{}:{line}", file.path);
            if let Some(there) = known.insert(name.clone(), here.clone()) {
                doubled.push(format!("{here} has a type `{name}`, and so has {there}: rename one"));
            }
        }
    }
    assert!(known.len() > 200, "{} types", known.len());
    expect_none(doubled.into_iter());
}

/// The types that a file defines, but for those of its tests, with their lines.
fn type_names(file: &Source) -> impl Iterator<Item = (String, usize)> + '_ {
    let word = |at: usize| match &file.tokens.get(at)?.kind {
        Kind::Word(word) => Some(word.as_str()),
        _ => None,
    };
    let of_code = (0..file.tokens.len()).filter(|&at| !file.tokens[at].in_test);
    of_code.filter_map(move |at| {
        let is_definition = matches!(word(at)?, "struct" | "enum" | "trait");
        let name = word(at + 1).filter(|_| is_definition)?;
        Some((name.to_owned(), file.tokens[at].line))
    })
}
