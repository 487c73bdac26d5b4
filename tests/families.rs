//! Families of instructions against LLVM's tables: what each belongs to is listed by name under
//! `tests/families/`, so that an opcode which is new in LLVM, or is taken for what it is not, shows.
//! `BLESS=1 cargo test --test families` rewrites the lists; read the difference before committing it.
#![cfg(feature = "llvm")]

#[allow(dead_code)]
mod support;

use std::collections::{BTreeSet, HashSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};

use support::Machine;
use winic::catalogue::{Canonical, list};
use winic::form::{InstructionForm, MemoryAccess};
use winic::isa::{Isa, extensions, for_architecture};
use winic::kernel::ThroughputBody;
use winic::llvm::{Llvm, TargetChoice};
use winic::metadata::{InstructionSet, Opcode};

/// The release of LLVM whose opcodes are listed; others have other ones.
const LISTED: &str = "22.";

fn by_opcode(isa: &dyn Isa, set: &InstructionSet, opcode: &Opcode) -> Vec<String> {
    let id = set.by_name(&opcode.name);
    let mut out = Vec::new();
    if isa.leaves_the_kernel(&opcode.name) {
        out.push("leaves the kernel".to_owned());
    }
    if isa.is_prefix(&opcode.name) {
        out.push("prefix".to_owned());
    }
    if let Some(reason) = isa.excluded(&opcode.name) {
        out.push(format!("excluded: {reason}"));
    }
    if let Some(access) = isa.implied_memory(opcode).filter(|&access| access != MemoryAccess::None)
    {
        out.push(format!("implied memory: {access:?}"));
    }
    if id.is_some_and(|id| set.configuration(id).is_some()) {
        out.push("vector configuration".to_owned());
    }
    if let Some(mode) = id.and_then(|id| set.addressing(id)) {
        out.push(format!("addressing: {mode}"));
    }
    out
}

fn by_form(isa: &dyn Isa, set: &InstructionSet, form: &InstructionForm) -> Vec<String> {
    if form.memory != MemoryAccess::None {
        return Vec::new();
    }
    let facts = [
        (isa.may_be_idiom(form), "idiom"),
        (isa.least_latency(form) < 1.0, "eliminable"),
        (isa.is_deprecated_floating_point(form), "deprecated floating point"),
        (!isa.may_help(form), "no helper"),
        (!isa.value_classes(set, form).is_empty(), "value classes"),
        (form.uses().any(|site| isa.required_value(set, form, site).is_some()), "required value"),
        (
            form.uses()
                .filter_map(|site| form.register_at(site, &form.sample))
                .any(|register| !isa.restorers(set, form, register).is_empty()),
            "value-dependent",
        ),
    ];
    facts.iter().filter(|(holds, _)| *holds).map(|(_, name)| (*name).to_owned()).collect()
}

fn check(architecture: &str, cpu: &str, features: &str) {
    let triple = format!("{architecture}-unknown-linux-gnu");
    let choice = TargetChoice { triple, cpu: cpu.into(), features: features.into() };
    let mut llvm = Llvm::with_extensions(choice, extensions(architecture)).unwrap();
    let mut set = llvm.instruction_set();
    if !set.llvm_version.starts_with(LISTED) {
        return;
    }
    let isa = for_architecture(&set, |_| true).unwrap();
    isa.complete(&mut set);
    let mut lines = BTreeSet::new();
    for listing in list(&set, &*isa, &mut llvm) {
        let opcode = set.opcode(listing.opcode);
        // Other configurations of the same opcode are in the same families.
        if opcode.flags.pseudo || opcode.name.contains('@') {
            continue;
        }
        let mut families = by_opcode(&*isa, &set, opcode);
        if let Canonical::Form(form) | Canonical::Alias(form) = &listing.canonical {
            families.extend(by_form(&*isa, &set, form));
        }
        lines.extend(families.into_iter().map(|family| format!("{family}\t{}", opcode.name)));
    }
    let text = lines.iter().fold(String::new(), |mut text, line| {
        let _ = writeln!(text, "{line}");
        text
    });
    let path = PathBuf::from(format!("tests/families/{architecture}.tsv"));
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, &text).unwrap();
    }
    let listed = std::fs::read_to_string(&path).unwrap();
    let known: BTreeSet<String> = listed.lines().map(str::to_owned).collect();
    let (new, gone): (Vec<_>, Vec<_>) =
        (lines.difference(&known).collect(), known.difference(&lines).collect());
    assert!(new.is_empty() && gone.is_empty(), "new: {new:#?}\ngone: {gone:#?}\nBLESS=1 rewrites");
}

#[test]
fn families_of_x86_64_are_those_listed() {
    check("x86_64", "x86-64", "+avx");
}

#[test]
fn families_of_aarch64_are_those_listed() {
    check("aarch64", "", "+all");
}

#[test]
fn families_of_riscv64_are_those_listed() {
    check("riscv64", "", "");
}

/// `MOVSL`, a string move, is only the beginning of its name.
#[test]
fn a_shuffle_is_no_string_move() {
    let machine = Machine::x86_64();
    let form = machine.form("MOVSLDUPrr");
    assert_eq!(form.memory, MemoryAccess::None);
    assert!(machine.catalogue.isa.least_latency(form) >= 1.0, "a shuffle takes a unit");
    let body = ThroughputBody::plain(form.opcode, 16).build(&machine.catalogue);
    assert_eq!(body.map(|kernel| kernel.instances), Ok(16));
    assert!(machine.catalogue.form_by_name("MOVSL").is_none(), "that is the string move");
}

/// `BFM`, a bit field, is only the beginning of the names of products of bfloat16 numbers, whose
/// fourth operand is a lane.
#[test]
fn a_product_is_no_bit_field() {
    let machine = Machine::aarch64();
    let lane = |name: &str| machine.form(name).sample.operands.last().copied();
    assert_eq!(lane("BFMLALBIdx"), Some(winic::metadata::OperandValue::Immediate(5)));
}

/// Names in the tables of an ISA that LLVM 19 knows and LLVM 22 does not.
#[cfg(feature = "llvm22")]
const OLDER: &[&str] = &["TSTART", "TCOMMIT", "TCANCEL"];

/// A literal that looks like a name of LLVM's: `MOVSL`, `VADD_VV`, `ADD64rr`, `GR64`.
#[cfg(feature = "llvm22")]
fn looks_like_a_name(literal: &str) -> bool {
    let mut letters = literal.chars();
    let capitals = literal.chars().take_while(char::is_ascii_uppercase).count();
    capitals >= 2 && letters.all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
}

/// The names that LLVM has: of opcodes, of their beginnings before a small letter, their parts and
/// ends, and of registers and classes; and what names of registers have before and behind numbers.
#[cfg(feature = "llvm22")]
fn names_of(set: &InstructionSet) -> HashSet<&str> {
    let ends_stem = |letter: char| letter.is_ascii_lowercase() || matches!(letter, '_' | '@');
    let of_opcode = |name: &'_ str| -> Vec<(usize, usize)> {
        let ends = name.char_indices().filter(|&(_, letter)| ends_stem(letter)).map(|(at, _)| at);
        let stems = ends.chain([name.len()]).map(|end| (0, end));
        let begins = name.match_indices('_').map(|(at, _)| at + 1);
        let next =
            |begin: usize| name[begin..].find(['_', '@']).map_or(name.len(), |at| begin + at);
        let parts = begins.flat_map(|begin| [(begin, next(begin)), (begin, name.len())]);
        stems.chain(parts).collect()
    };
    let opcodes = set.opcodes.iter().map(|opcode| opcode.name.as_str());
    let pieces = opcodes
        .flat_map(|name| of_opcode(name).into_iter().map(move |(begin, end)| &name[begin..end]));
    let is_digit = |letter: char| letter.is_ascii_digit();
    let registers = set.registers.iter().map(|register| register.name.as_str());
    let registers = registers.flat_map(|name| {
        let bare = name.trim_end_matches(is_digit);
        [name, bare, bare.rsplit(is_digit).next().unwrap_or_default()]
    });
    pieces.chain(registers).chain(set.classes.iter().map(|class| class.name.as_str())).collect()
}

/// A name that LLVM has given up does nothing in a table, and nobody notices. All literals count, so
/// that no table can be left out.
#[test]
#[cfg(feature = "llvm22")]
fn every_name_in_the_tables_of_an_isa_is_llvms() {
    for (folder, machine) in
        [("x86", Machine::x86_64()), ("aarch64", Machine::aarch64()), ("riscv", Machine::riscv64())]
    {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/isa").join(folder);
        let mut names = BTreeSet::new();
        for file in std::fs::read_dir(&folder).expect("an ISA has a folder") {
            let path = file.expect("a file").path();
            // Extensions have names of their own.
            if path.ends_with("extensions.rs") {
                continue;
            }
            let text = std::fs::read_to_string(path).expect("a text");
            let code = text.split("#[cfg(test)]").next().unwrap_or_default();
            let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
            for line in lines {
                let literals = line.split('"').skip(1).step_by(2);
                names.extend(literals.filter(|it| looks_like_a_name(it)).map(str::to_owned));
            }
        }
        assert!(names.len() > 20, "{folder:?}: {names:?}");
        let set = &machine.catalogue.set;
        let mut known = names_of(set);
        // LLVM has one register for all flags; the vendor's manual names each.
        let flags = set.registers.iter().flat_map(|it| machine.catalogue.isa.flags(&it.name));
        known.extend(flags.copied());
        let is_stale =
            |name: &&String| !known.contains(name.as_str()) && !OLDER.contains(&name.as_str());
        let stale: Vec<&String> = names.iter().filter(is_stale).collect();
        assert!(stale.is_empty(), "stale entries in {folder:?}: {stale:?}");
    }
}
