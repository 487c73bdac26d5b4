//! What figures were read from: the kernels, as a person reads them, with what was found of them. They have
//! pages of their own beside those of the forms, since they are ten times as long.

use std::collections::HashMap;

use askama::Template;

use super::form::site;
use super::material::{Material, Mnemonic, SiteMachine};
use super::{Frame, SiteError, SiteFile, filled};
use crate::database::Subject;

/// Where the pages lie.
pub(super) const FOLDER: &str = "proofs";

/// The kernel that a figure was read from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proof {
    /// What databases call the ends of a latency, source and target; none of a throughput.
    pub edge: Option<[String; 2]>,
    /// What was found, in words.
    pub finding: String,
    /// The kernel, as text for an assembler.
    pub assembly: String,
}

/// Proofs by LLVM's names of the forms.
pub type Proofs = HashMap<String, Vec<Proof>>;

#[derive(Template)]
#[template(path = "proofs.html")]
struct ProofsPage<'a> {
    frame: Frame,
    mnemonic: &'a Mnemonic,
    forms: Vec<ProvenForm<'a>>,
}

/// A form with what is known of it.
struct ProvenForm<'a> {
    name: &'a str,
    anchor: &'a str,
    machines: Vec<ProvenOn<'a>>,
}

/// What one machine's figures of a form were read from.
struct ProvenOn<'a> {
    machine: &'a str,
    proofs: Vec<(String, &'a Proof)>,
}

/// Whether a mnemonic has a page of proofs: some machine kept what it found of a form.
pub(super) fn has_page(mnemonic: &Mnemonic, machines: &[SiteMachine<'_>]) -> bool {
    let mut forms = mnemonic.forms.iter();
    forms.any(|(form, _)| machines.iter().any(|machine| !of(machine, mnemonic, form).is_empty()))
}

fn of<'a>(machine: &SiteMachine<'a>, mnemonic: &Mnemonic, form: &str) -> &'a [Proof] {
    let is_here = machine.isa == mnemonic.isa;
    machine.proofs.get(form).filter(|_| is_here).map_or(&[], Vec::as_slice)
}

/// The pages of all mnemonics of which something was kept.
pub(super) fn files(material: &Material<'_>) -> Result<Vec<SiteFile>, SiteError> {
    let machines = &material.machines;
    let proven = material.mnemonics.iter().filter(|mnemonic| has_page(mnemonic, machines));
    let page = |mnemonic: &Mnemonic| {
        let forms = mnemonic.forms.iter().map(|(name, anchor)| {
            let on = machines.iter().filter_map(|machine| proven_on(machine, mnemonic, name));
            ProvenForm { name, anchor, machines: on.collect() }
        });
        let page = ProofsPage {
            frame: Frame::in_folder(&format!("Kernels of {} – {}", mnemonic.name, mnemonic.isa)),
            mnemonic,
            forms: forms.filter(|form| !form.machines.is_empty()).collect(),
        };
        filled(format!("{FOLDER}/{}.html", mnemonic.page), &page)
    };
    proven.map(page).collect()
}

fn proven_on<'a>(
    machine: &SiteMachine<'a>,
    mnemonic: &Mnemonic,
    form: &str,
) -> Option<ProvenOn<'a>> {
    let subject = &machine.entry(form)?.subject;
    let titled = |proof: &'a Proof| (title(proof, subject), proof);
    let proofs: Vec<_> = of(machine, mnemonic, form).iter().map(titled).collect();
    (!proofs.is_empty()).then_some(ProvenOn { machine: machine.name, proofs })
}

fn title(proof: &Proof, subject: &Subject) -> String {
    match &proof.edge {
        None => "Throughput".to_owned(),
        Some([source, target]) => {
            format!("Latency {} → {}", site(source, subject), site(target, subject))
        }
    }
}
