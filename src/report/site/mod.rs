//! A site of static pages from databases: an index of all forms, a page for each mnemonic with a section for
//! each form, one of the kernels that its figures were read from, a page for each machine, one for each two machines of an instruction set, and the sweeps.
//!
//! Pages are made from templates in `pages/`, which escape all that they are given. Addresses are
//! made of plain characters alone (`names`), so that no name in a database leads out of the
//! site. Nothing is loaded from elsewhere, and nothing needs a server.

mod again;
mod comparison;
mod configurations;
mod figure;
mod form;
mod index;
mod machine;
mod material;
mod mnemonic;
mod names;
mod notes;
mod numbered;
mod proofs;
mod sweeps;
mod text;

use askama::Template;

use super::picture::PictureError;
use crate::database::Database;
use material::Material;

pub use proofs::{Proof, Proofs};
pub use text::form_text;

/// The page that everything starts from.
pub const INDEX: &str = "index.html";

/// What the index has in its head, by which a folder is known to hold a site of winic's.
pub const GENERATOR: &str = "<meta name=\"generator\" content=\"winic ";

/// Folders of a site: all other pages lie in these.
pub const FOLDERS: [&str; 5] =
    [mnemonic::FOLDER, proofs::FOLDER, machine::FOLDER, comparison::FOLDER, sweeps::FOLDER];

/// A database with a name for its machine that tells it from the others.
#[derive(Debug, Clone)]
pub struct NamedDatabase {
    /// What the machine is called.
    pub name: String,
    /// What was measured.
    pub database: Database,
    /// What its figures were read from, as far as that is known.
    pub proofs: Proofs,
}

/// A file of a site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SiteFile {
    /// Where it lies in the site: plain names with slashes between, and no way up.
    pub path: String,
    /// What is in it.
    pub text: String,
}

/// Why there is no site.
#[derive(Debug, thiserror::Error)]
pub enum SiteError {
    /// A template could not be filled.
    #[error("cannot make {page}: {error}")]
    Template {
        /// The page.
        page: String,
        /// Why.
        error: askama::Error,
    },
    /// The data of the index could not be written.
    #[error("cannot write the data of the index: {0}")]
    Data(#[from] serde_json::Error),
    /// A picture could not be drawn.
    #[error(transparent)]
    Picture(#[from] PictureError),
}

/// The files of the site of some databases.
///
/// # Errors
/// When a page cannot be made, which is no fault of the databases.
pub fn files(databases: &[NamedDatabase]) -> Result<Vec<SiteFile>, SiteError> {
    let material = Material::new(databases);
    let plain = |path: &str, text: &str| SiteFile { path: path.to_owned(), text: text.to_owned() };
    let mut files = vec![
        plain("style.css", include_str!("../../../pages/style.css")),
        plain("search.js", include_str!("../../../pages/search.js")),
    ];
    files.extend(mnemonic::files(&material)?);
    files.extend(proofs::files(&material)?);
    files.extend(machine::files(&material)?);
    let comparisons = comparison::files(&material)?;
    let sweeps = sweeps::files(&material)?;
    files.extend(index::files(&material, &comparisons, !sweeps.is_empty())?);
    files.extend(comparisons.into_iter().flat_map(|comparison| comparison.files));
    files.extend(sweeps);
    Ok(files)
}

/// Fills a template.
fn filled(path: String, template: &impl Template) -> Result<SiteFile, SiteError> {
    match template.render() {
        Ok(text) => Ok(SiteFile { path, text }),
        Err(error) => Err(SiteError::Template { page: path, error }),
    }
}

/// What stands in every page.
struct Frame {
    /// What the page is about.
    title: String,
    /// The way from the page to the root of the site: empty, or `../`.
    root: &'static str,
}

impl Frame {
    /// Of the index.
    fn at_root(title: &str) -> Self {
        Self { title: title.to_owned(), root: "" }
    }

    /// Of a page in a folder.
    fn in_folder(title: &str) -> Self {
        Self { title: title.to_owned(), root: "../" }
    }

    /// The winic that made it.
    fn version(&self) -> &'static str {
        env!("CARGO_PKG_VERSION")
    }
}
