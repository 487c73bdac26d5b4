//! What can be compared: databases, and tables of others.

use std::borrow::Cow;
use std::fs;
use std::path::Path;

use super::listed;
use crate::app::Failure;
use crate::database::Database;
use crate::exchange::forms::FormTable;
use crate::exchange::{Format, Imported};
use crate::files::shown;
use crate::report::compare::answers;

/// Reads a database that says something, or what its content tells to be a table in another format.
pub(in crate::app) fn with_figures(path: &Path) -> Result<Database, Failure> {
    let database = match foreign(path)? {
        Some(imported) => imported,
        None => Database::read(path)?,
    };
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
    if database.entries().all(|entry| answers(&entry).is_empty() && !entry.ports.has_value()) {
        return lacks("figure");
    }
    Ok(database)
}

/// The largest table that is read: a hundred machines' of every form.
const MAX_SIZE: u64 = 1 << 30;

/// The figures of a file in another format; none where its content is no such.
fn foreign(path: &Path) -> Result<Option<Database>, Failure> {
    let (file, part) = parted(path);
    // (What cannot be read, and what is too large, is told of as databases are.)
    let Ok(about) = fs::metadata(&*file) else { return Ok(None) };
    if !about.is_file() || about.len() > MAX_SIZE {
        return Ok(None);
    }
    let Ok(bytes) = fs::read(&*file) else { return Ok(None) };
    let Some(format) = Format::of(&bytes) else { return Ok(None) };
    let read = format.read(&bytes, part.as_deref());
    let read = read.map_err(|reason| Failure::new(format!("{}: {reason}", shown(path))))?;
    let none = FormTable::default();
    let forms = if read.needs_forms() { listed::table()? } else { &none };
    let Imported { database, unmatched } = read.matched(forms);
    for (reason, unmatched) in &unmatched {
        let (count, first) = (unmatched.count, &unmatched.first);
        remark!("{}: left out, as {reason}: {count} (first {first})", shown(path));
    }
    Ok(Some(database))
}

/// A file, and which of the machines in it is meant: what stands behind a @, unless there is a file of
/// the whole name.
fn parted(path: &Path) -> (Cow<'_, Path>, Option<String>) {
    let whole = (Cow::Borrowed(path), None);
    if path.exists() {
        return whole;
    }
    match path.to_str().and_then(|text| text.rsplit_once('@')) {
        Some((file, part)) => (Cow::Owned(file.into()), Some(part.to_owned())),
        None => whole,
    }
}
