//! A page for each mnemonic, with a section for each form.

use askama::Template;

use super::again::AgainCommand;
use super::configurations::{self, ConfigurationTables};
use super::form::{FormOnMachine, operand_lines};
use super::material::{Material, Mnemonic, SiteMachine};
use super::notes::PageNotes;
use super::proofs;
use super::{Frame, SiteError, SiteFile, filled};
use crate::database::{Configuration, Subject};

/// Where the pages lie.
pub(super) const FOLDER: &str = "forms";

#[derive(Template)]
#[template(path = "mnemonic.html")]
struct MnemonicPage<'a> {
    frame: Frame,
    mnemonic: &'a Mnemonic,
    forms: Vec<FormSection>,
    /// Whether there is anything to hold beside each other.
    has_several: bool,
    /// What vectors take by element width and length of groups.
    configurations: Vec<ConfigurationTables>,
    /// Whether the kernels have a page.
    has_proofs: bool,
    /// How figures were found.
    notes: Vec<String>,
}

impl MnemonicPage<'_> {
    /// The machine, where there is one alone: it is said once, and not of each form.
    fn alone(&self) -> Option<&FormOnMachine> {
        self.forms.first()?.machines.first().filter(|_| !self.has_several)
    }
}

/// All that is said of a form.
struct FormSection {
    name: String,
    anchor: String,
    /// What it is besides its operands: an alias, a configuration, a way to address.
    remarks: Vec<String>,
    operands: Vec<String>,
    machines: Vec<FormOnMachine>,
}

impl FormSection {
    /// Whether a table in it is wider than a phone, and is to be reached by keyboard to be moved.
    fn is_wide(&self) -> bool {
        self.machines.iter().any(|on| on.targets.len() > 3 || !on.variants.is_empty())
    }
}

/// The pages of all mnemonics.
pub(super) fn files(material: &Material<'_>) -> Result<Vec<SiteFile>, SiteError> {
    let again: Vec<AgainCommand> =
        material.machines.iter().map(|machine| AgainCommand::of(machine.database)).collect();
    let machines: Vec<(&SiteMachine<'_>, &AgainCommand)> =
        material.machines.iter().zip(&again).collect();
    let page = |mnemonic: &Mnemonic| {
        let machines: Vec<_> =
            machines.iter().filter(|(machine, _)| machine.isa == mnemonic.isa).copied().collect();
        let section = |(name, anchor): &(String, String)| section(name, anchor, &machines);
        let mut forms: Vec<FormSection> = mnemonic.forms.iter().map(section).collect();
        let mut notes = PageNotes::default();
        let on = forms.iter_mut().flat_map(|form| &mut form.machines);
        on.flat_map(FormOnMachine::ways).for_each(|way| notes.take(way));
        let page = MnemonicPage {
            frame: Frame::in_folder(&format!("{} – {}", mnemonic.name, mnemonic.isa)),
            mnemonic,
            forms,
            notes: notes.texts(),
            has_several: machines.len() > 1,
            configurations: configurations::tables(
                &mnemonic.forms,
                &machines.iter().map(|&(machine, _)| machine).collect::<Vec<_>>(),
            ),
            has_proofs: proofs::has_page(mnemonic, &material.machines),
        };
        filled(format!("{FOLDER}/{}.html", mnemonic.page), &page)
    };
    material.mnemonics.iter().map(page).collect()
}

fn section(
    name: &str,
    anchor: &str,
    machines: &[(&SiteMachine<'_>, &AgainCommand)],
) -> FormSection {
    let known = machines.iter().filter_map(|(machine, again)| {
        let entry = machine.entry(name)?;
        let mut on = FormOnMachine::new(entry, (machine.name, &machine.page), again.text(name));
        on.show_ports(machine.ports);
        Some((&entry.subject, on))
    });
    let (subjects, machines): (Vec<&Subject>, Vec<FormOnMachine>) = known.unzip();
    FormSection {
        name: name.to_owned(),
        anchor: anchor.to_owned(),
        remarks: subjects.first().map_or_else(Vec::new, |subject| remarks(subject)),
        operands: subjects.first().map_or_else(Vec::new, |subject| operand_lines(subject)),
        machines,
    }
}

fn remarks(subject: &Subject) -> Vec<String> {
    let alias = subject.alias.as_ref().map(|of| format!("the same instruction as {of}"));
    let configuration = subject.configuration.as_ref().map(in_words);
    let addressing = subject.addressing.as_ref().map(|parts| format!("address: {parts}"));
    alias.into_iter().chain(configuration).chain(addressing).collect()
}

fn in_words(configuration: &Configuration) -> String {
    let Configuration { sew, lmul, masked } = configuration;
    let width = sew.map(|sew| format!("elements of {sew} bits"));
    let group = lmul.map(|lmul| format!("groups of {} registers", super::figure::number(lmul)));
    let mask = masked.then(|| "masked".to_owned());
    width.into_iter().chain(group).chain(mask).collect::<Vec<_>>().join(", ")
}
