//! One page for all sweeps: their curves, of several machines in one picture, with what follows from them.

use askama::Template;

use super::material::{Material, SiteMachine};
use super::{Frame, SiteError, SiteFile, filled};
use crate::database::Sweep;
use crate::report::picture::{NamedSweep, PictureError, svg};
use crate::report::sweep::{lines, title};

/// Where the page and its pictures lie.
pub(super) const FOLDER: &str = "sweeps";

/// The page, from the site's root.
pub(super) const PAGE: &str = "sweeps/index.html";

/// Pictures in the page; `winic plot` draws the others.
const MOST_PICTURES: usize = 200;

#[derive(Template)]
#[template(path = "sweeps.html")]
struct SweepPage {
    frame: Frame,
    subjects: Vec<SweptSubject>,
}

/// What several machines say of one subject.
struct SweptSubject {
    title: String,
    /// The file of its picture.
    picture: Option<String>,
    /// A line of each machine.
    lines: Vec<(String, String)>,
    /// Names of forms with addresses.
    forms: Vec<(String, String)>,
}

/// The page and its pictures; nothing where there are no sweeps.
pub(super) fn files(material: &Material<'_>) -> Result<Vec<SiteFile>, SiteError> {
    let mut groups: Vec<Vec<(&SiteMachine<'_>, Sweep)>> = Vec::new();
    for machine in &material.machines {
        for sweep in machine.database.sweeps() {
            let is_like = |(other, known): &(&SiteMachine<'_>, Sweep)| {
                other.isa == machine.isa
                    && known.subject() == sweep.subject()
                    && known.axes == sweep.axes
            };
            match groups.iter_mut().find(|group| group.iter().any(is_like)) {
                Some(group) => group.push((machine, sweep)),
                None => groups.push(vec![(machine, sweep)]),
            }
        }
    }
    let (mut subjects, mut files) = (Vec::new(), Vec::new());
    for group in &groups {
        let named = group.iter().map(|(machine, sweep)| NamedSweep {
            name: format!("{}: {}", machine.name, NamedSweep::by_forms(sweep).name),
            sweep,
        });
        let drawn = match files.len() < MOST_PICTURES {
            true => svg(&named.collect::<Vec<_>>(), false),
            false => Err(PictureError::Empty),
        };
        let picture = drawn.ok().map(|text| {
            let picture = format!("{}.svg", files.len() + 1);
            files.push(SiteFile { path: format!("{FOLDER}/{picture}"), text });
            picture
        });
        subjects.push(subject(group, picture, material));
    }
    if !subjects.is_empty() {
        let page = SweepPage { frame: Frame::in_folder("Sweeps"), subjects };
        files.push(filled(PAGE.to_owned(), &page)?);
    }
    Ok(files)
}

fn subject(
    group: &[(&SiteMachine<'_>, Sweep)],
    picture: Option<String>,
    material: &Material<'_>,
) -> SweptSubject {
    let (first, sweep) = &group[0];
    let line = |(machine, sweep): &(&SiteMachine<'_>, Sweep)| {
        (machine.name.to_owned(), lines(std::slice::from_ref(sweep)).concat())
    };
    let linked = |form: &String| Some((form.clone(), material.link(&first.isa, form)?));
    SweptSubject {
        title: title(sweep),
        picture,
        lines: group.iter().map(line).collect(),
        forms: sweep.forms.iter().filter_map(linked).collect(),
    }
}
