//! Databases as pages need them: forms by mnemonic, each with what every machine says of it, and where
//! their pages are.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::names::AddressParts;
use super::{NamedDatabase, Proofs};
use crate::database::{Database, Entry, Subject};

/// A machine.
pub(super) struct SiteMachine<'a> {
    /// What it is called.
    pub name: &'a str,
    /// The name of its page, without the extension.
    pub page: String,
    /// Its instruction set.
    pub isa: String,
    pub database: &'a Database,
    /// Its ports, as far as they are known.
    pub ports: u32,
    /// What its figures were read from.
    pub proofs: &'a Proofs,
    /// Its instructions; the first of a name, should there be more.
    pub entries: Vec<Entry>,
    /// Where in `entries` a form is.
    places: HashMap<String, usize>,
}

impl SiteMachine<'_> {
    /// What it says of a form.
    pub fn entry(&self, llvm_name: &str) -> Option<&Entry> {
        self.places.get(llvm_name).map(|&place| &self.entries[place])
    }
}

/// The forms of a mnemonic.
pub(super) struct Mnemonic {
    pub name: String,
    pub isa: String,
    /// The name of its page, without the extension.
    pub page: String,
    /// LLVM's names, with their places in the page.
    pub forms: Vec<(String, String)>,
}

/// Everything that pages are made of.
pub(super) struct Material<'a> {
    pub machines: Vec<SiteMachine<'a>>,
    /// By instruction set and name.
    pub mnemonics: Vec<Mnemonic>,
    /// Where in `mnemonics` a form of an instruction set is, and its place in the page.
    places: HashMap<(String, String), (usize, String)>,
}

impl<'a> Material<'a> {
    pub fn new(databases: &'a [NamedDatabase]) -> Self {
        let mut parts = AddressParts::default();
        let machines: Vec<SiteMachine<'a>> =
            databases.iter().map(|named| machine(named, &mut parts)).collect();
        let mnemonics = mnemonics(&machines);
        let place = |(number, of): (usize, &Mnemonic)| {
            let key = |form: &String| (of.isa.clone(), form.clone());
            let forms = of.forms.iter().map(move |(form, at)| (key(form), (number, at.clone())));
            forms.collect::<Vec<_>>()
        };
        let places = mnemonics.iter().enumerate().flat_map(place).collect();
        Self { machines, mnemonics, places }
    }

    /// The address of a form, from a page in another folder.
    pub fn link(&self, isa: &str, llvm_name: &str) -> Option<String> {
        let (number, anchor) = self.places.get(&(isa.to_owned(), llvm_name.to_owned()))?;
        Some(format!(
            "../{}/{}.html#{anchor}",
            super::mnemonic::FOLDER,
            self.mnemonics[*number].page
        ))
    }

    /// How many forms there are, of all instruction sets.
    pub fn count(&self) -> usize {
        self.places.len()
    }
}

/// The mnemonic of a form; the form's own name where the file has none.
pub(super) fn mnemonic_of(subject: &Subject) -> &str {
    subject.name.as_deref().filter(|name| !name.is_empty()).unwrap_or(&subject.llvm_name)
}

fn machine<'a>(named: &'a NamedDatabase, parts: &mut AddressParts) -> SiteMachine<'a> {
    let mut seen = HashSet::new();
    let entries = named.database.entries();
    let entries: Vec<Entry> =
        entries.filter(|entry| seen.insert(entry.subject.llvm_name.clone())).collect();
    let name = |(place, entry): (usize, &Entry)| (entry.subject.llvm_name.clone(), place);
    SiteMachine {
        name: &named.name,
        page: parts.file(&named.name),
        isa: named.database.header().isa.unwrap_or_else(|| "unknown".to_owned()),
        database: &named.database,
        ports: named.database.execution().and_then(|units| units.ports).unwrap_or_default(),
        proofs: &named.proofs,
        places: entries.iter().enumerate().map(name).collect(),
        entries,
    }
}

fn mnemonics(machines: &[SiteMachine<'_>]) -> Vec<Mnemonic> {
    let mut forms: BTreeMap<(&str, &str), Vec<&str>> = BTreeMap::new();
    let mut seen = HashSet::new();
    for machine in machines {
        for entry in &machine.entries {
            let llvm_name = entry.subject.llvm_name.as_str();
            if seen.insert((&machine.isa, llvm_name)) {
                forms
                    .entry((&machine.isa, mnemonic_of(&entry.subject)))
                    .or_default()
                    .push(llvm_name);
            }
        }
    }
    let mut pages = AddressParts::default();
    let of_name = |((isa, name), mut forms): ((&str, &str), Vec<&str>)| {
        forms.sort_unstable();
        let mut anchors = AddressParts::default();
        let anchored = forms.iter().map(|&form| (form.to_owned(), anchors.anchor(form)));
        Mnemonic {
            name: name.to_owned(),
            isa: isa.to_owned(),
            forms: anchored.collect(),
            page: pages.file(&format!("{isa}-{name}")),
        }
    };
    forms.into_iter().map(of_name).collect()
}
