//! Databases that can be compared.

use std::path::Path;

use crate::app::Failure;
use crate::database::Database;
use crate::files::shown;
use crate::report::compare::answers;

/// Reads a database that says something.
pub(in crate::app) fn with_figures(path: &Path) -> Result<Database, Failure> {
    let database = Database::read(path)?;
    let lacks = |what: &str| {
        Err(Failure::new(format!(
            "{} holds no {what}: there is nothing to compare; measure with `-o {0}`, or name \
             another file",
            shown(path)
        )))
    };
    if database.is_empty() {
        return lacks("instruction");
    }
    if database.entries().all(|entry| answers(&entry).is_empty()) {
        return lacks("figure");
    }
    Ok(database)
}
