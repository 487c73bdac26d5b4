//! A site of pages in a directory.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use super::proofs::{self, MachineProofs};
use super::with_anything;
use crate::app::Failure;
use crate::app::failure::unwritable;
use crate::files::{self, shown};
use crate::report::site::{self, FOLDERS, GENERATOR, INDEX, NamedDatabase, Proofs, SiteFile};

/// Writes the site of databases, and says where it begins.
pub(super) fn write(
    databases: &[PathBuf],
    evidence: &[PathBuf],
    folder: &Path,
) -> Result<ExitCode, Failure> {
    let named = |(name, path): (String, &PathBuf)| {
        Ok(NamedDatabase { name, database: with_anything(path)?, proofs: Proofs::new() })
    };
    let mut named: Vec<NamedDatabase> =
        names(databases).into_iter().zip(databases).map(named).collect::<Result<_, Failure>>()?;
    evidence.iter().try_for_each(|file| prove(&mut named, file))?;
    let site = site::files(&named).map_err(|error| Failure::new(error.to_string()))?;
    refuse_others(folder)?;
    let index = folder.join(INDEX);
    for file in site.iter().filter(|file| file.path != INDEX) {
        put(folder, file)?;
    }
    // Last, and whole or not at all: it leads to the others.
    for file in site.iter().filter(|file| file.path == INDEX) {
        files::replace(&index, file.text.as_bytes()).map_err(|it| unwritable(&index, &it))?;
    }
    remove_old(folder, &site);
    remark!("wrote {}", shown(&index));
    Ok(ExitCode::SUCCESS)
}

/// Gives the kernels in a file of evidence to the databases of that machine.
fn prove(databases: &mut [NamedDatabase], file: &PathBuf) -> Result<(), Failure> {
    let MachineProofs { origin, proofs } = proofs::of(file)?;
    let of_machine = |it: &&mut NamedDatabase| it.database.origin().as_ref() == Some(&origin);
    let mut proven: Vec<&mut NamedDatabase> = databases.iter_mut().filter(of_machine).collect();
    let Some((last, others)) = proven.split_last_mut() else {
        return Err(Failure::new(format!(
            "{} has {origin}, and no database does: name the one that it lies beside",
            shown(file)
        )));
    };
    others.iter_mut().for_each(|database| database.proofs.extend(proofs.clone()));
    last.proofs.extend(proofs);
    Ok(())
}

/// Machines are called what their files are, and those of one name what their paths are.
fn names(databases: &[PathBuf]) -> Vec<String> {
    let stem = |path: &PathBuf| path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let name = |path: &PathBuf| match databases.iter().filter(|it| stem(it) == stem(path)).count() {
        1 => stem(path),
        _ => shown(path),
    };
    databases.iter().map(name).collect()
}

/// Pages go into a directory that is empty or not there yet, or in the place of those of a winic of before.
fn refuse_others(folder: &Path) -> Result<(), Failure> {
    let is_new = match fs::read_dir(folder) {
        Ok(mut entries) => entries.next().is_none(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => true,
        Err(error) => return Err(unwritable(folder, &error)),
    };
    let is_site = || fs::read_to_string(folder.join(INDEX)).is_ok_and(|it| it.contains(GENERATOR));
    if is_new || is_site() {
        return Ok(());
    }
    Err(Failure::new(format!(
        "{} has other files in it: name an empty directory, or one with a site of winic's",
        shown(folder)
    )))
}

fn put(folder: &Path, file: &SiteFile) -> Result<(), Failure> {
    let path = folder.join(&file.path);
    let parent = path.parent().unwrap_or(folder);
    fs::create_dir_all(parent)
        .and_then(|()| fs::write(&path, &file.text))
        .map_err(|error| unwritable(&path, &error))
}

/// Removes pages and pictures that were left by a site of before; what cannot be removed leads nowhere.
fn remove_old(folder: &Path, site: &[SiteFile]) {
    let new: HashSet<PathBuf> = site.iter().map(|file| folder.join(&file.path)).collect();
    for kind in FOLDERS {
        let entries = fs::read_dir(folder.join(kind)).into_iter().flatten().flatten();
        for path in entries.map(|entry| entry.path()) {
            let is_page = path.extension().is_some_and(|it| it == "html" || it == "svg");
            if is_page && !new.contains(&path) {
                let _ = fs::remove_file(path);
            }
        }
    }
}
