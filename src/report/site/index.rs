//! The index: all forms in a table that a script makes, and all mnemonics as links for who has none.

use askama::Template;
use serde::Serialize;

use super::comparison::ComparisonFiles;
use super::form::operands_in_short;
use super::material::{Material, Mnemonic, SiteMachine};
use super::numbered::NumberedTexts;
use super::{Frame, INDEX, SiteError, SiteFile, filled, sweeps};
use crate::database::{Entry, OperandEntry, ValueStatus};

/// The data of the table: a script, as pages from a file system may read nothing else.
const DATA: &str = "index.js";

#[derive(Template)]
#[template(path = "index.html")]
struct IndexPage<'a> {
    frame: Frame,
    material: &'a Material<'a>,
    comparisons: &'a [ComparisonFiles],
    /// The page of sweeps, where there are some.
    sweeps: Option<&'static str>,
    isas: Vec<MnemonicLetters<'a>>,
}

/// The mnemonics of an instruction set, by their first letters.
struct MnemonicLetters<'a> {
    isa: &'a str,
    letters: Vec<(String, Vec<&'a Mnemonic>)>,
}

/// What the script gets.
#[derive(Serialize)]
struct TableData<'a> {
    machines: Vec<&'a str>,
    isas: Vec<&'a str>,
    /// Name, instruction set, page.
    mnemonics: Vec<(&'a str, usize, &'a str)>,
    /// Lists of operands, each once.
    operands: Vec<String>,
    forms: Vec<TableRow<'a>>,
}

/// A form: its name, its place in the page (empty where that is its name), its mnemonic and its operands by
/// number, their largest width in bits, bits for the kinds of operands (1 memory, 2 immediate), and
/// what each machine says of it.
#[derive(Serialize)]
struct TableRow<'a>(&'a str, &'a str, usize, usize, u32, u8, Vec<Option<TableCell>>);

/// Throughput from and to, latency, and bits: 1 where a throughput or a latency is doubtful, 2 where one is
/// missing for a reason.
#[derive(Serialize)]
struct TableCell(Option<f64>, Option<f64>, Option<f64>, u8);

const MEMORY: u8 = 1;
const IMMEDIATE: u8 = 2;
const DOUBTFUL: u8 = 1;
const MISSING: u8 = 2;

/// The index and its data.
pub(super) fn files(
    material: &Material<'_>,
    comparisons: &[ComparisonFiles],
    has_sweeps: bool,
) -> Result<Vec<SiteFile>, SiteError> {
    let page = IndexPage {
        frame: Frame::at_root("Instructions"),
        material,
        comparisons,
        sweeps: has_sweeps.then_some(sweeps::PAGE),
        isas: isas(material).into_iter().map(|isa| letters(isa, material)).collect(),
    };
    let data = serde_json::to_string(&data(material))?;
    let data = SiteFile { path: DATA.to_owned(), text: format!("const winic = {data};\n") };
    Ok(vec![filled(INDEX.to_owned(), &page)?, data])
}

fn isas<'a>(material: &'a Material<'_>) -> Vec<&'a str> {
    let mut isas: Vec<&str> = material.machines.iter().map(|machine| &*machine.isa).collect();
    isas.sort_unstable();
    isas.dedup();
    isas
}

fn letters<'a>(isa: &'a str, material: &'a Material<'_>) -> MnemonicLetters<'a> {
    let letter =
        |mnemonic: &Mnemonic| mnemonic.name.chars().next().map_or_else(String::new, String::from);
    let mnemonics: Vec<&Mnemonic> = material.mnemonics.iter().filter(|it| it.isa == isa).collect();
    let groups = mnemonics.chunk_by(|one, other| letter(one) == letter(other));
    let letters = groups.map(|group| (letter(group[0]), group.to_vec())).collect();
    MnemonicLetters { isa, letters }
}

fn data<'a>(material: &'a Material<'_>) -> TableData<'a> {
    let isas = isas(material);
    let number = |isa: &str| isas.iter().position(|known| *known == isa).unwrap_or_default();
    let mnemonics = material.mnemonics.iter();
    let mut operands = NumberedTexts::default();
    let mut forms = Vec::new();
    for (number, mnemonic) in material.mnemonics.iter().enumerate() {
        for (form, anchor) in &mnemonic.forms {
            forms.push(row(form, anchor, (number, mnemonic), material, &mut operands));
        }
    }
    TableData {
        machines: material.machines.iter().map(|machine| machine.name).collect(),
        mnemonics: mnemonics.map(|it| (&*it.name, number(&it.isa), &*it.page)).collect(),
        forms,
        operands: operands.texts,
        isas,
    }
}

fn row<'a>(
    form: &'a str,
    anchor: &'a str,
    (number, mnemonic): (usize, &Mnemonic),
    material: &Material<'_>,
    texts: &mut NumberedTexts,
) -> TableRow<'a> {
    let entry = |machine: &'_ SiteMachine<'_>| {
        machine.entry(form).filter(|_| machine.isa == mnemonic.isa).cloned()
    };
    let entries: Vec<Option<Entry>> = material.machines.iter().map(entry).collect();
    let first = entries.iter().flatten().next();
    let operands = || first.iter().flat_map(|entry| &entry.subject.operands);
    let has = |class: &str, bit: u8| {
        let is_of = |operand: &OperandEntry| operand.class == class;
        if operands().any(is_of) { bit } else { 0 }
    };
    TableRow(
        form,
        if anchor == form { "" } else { anchor },
        number,
        texts.number(first.map(|entry| operands_in_short(&entry.subject)).unwrap_or_default()),
        operands().filter_map(|operand| operand.width).max().unwrap_or_default(),
        has("memory", MEMORY) | has("immediate", IMMEDIATE),
        entries.iter().map(|entry| entry.as_ref().map(cell)).collect(),
    )
}

fn cell(entry: &Entry) -> TableCell {
    let Entry { latency, throughput, .. } = entry;
    let edges = latency.operands.iter().map(|edge| (&edge.status, edge.has_value()));
    let whole =
        [(&throughput.status, throughput.has_value()), (&latency.status, latency.has_value())];
    let bit = |(status, has_value): (&Option<ValueStatus>, bool)| match (status, has_value) {
        (None, _) => 0,
        (Some(_), true) => DOUBTFUL,
        (Some(_), false) => MISSING,
    };
    let bits = whole.into_iter().chain(edges).map(bit).fold(0, |all, bit| all | bit);
    let (min, max) = match throughput.min.or(throughput.max) {
        Some(_) => (throughput.min, throughput.max),
        // Files of old have the value alone.
        None => (throughput.value, throughput.value),
    };
    let written = |value: Option<f64>| value.map(|it| (it * 1e4).round() / 1e4);
    TableCell(written(min), written(max), written(latency.value), bits)
}
