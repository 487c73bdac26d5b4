//! The fingerprint of the sources, by which a program knows what an equal one has found.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Everything that decides what a run asks and how it takes the answers, from the root on. (The
/// manifest is left out: Cargo writes another one into a package.)
pub const SOURCES: [&str; 5] = ["Cargo.lock", "build.rs", "reference/tables", "src", "templates"];

/// The fingerprint of these files and folders of a tree: the same wherever the tree lies.
///
/// # Errors
/// When one cannot be read.
pub fn fingerprint(root: &Path, places: &[&str]) -> io::Result<u32> {
    let mut files = Vec::new();
    for place in places {
        collect(&root.join(place), &mut files)?;
    }
    files.sort();
    let mut hasher = crc32fast::Hasher::new();
    for file in files {
        let name = file.strip_prefix(root).unwrap_or(&file).as_os_str().as_encoded_bytes();
        let content = fs::read(&file)?;
        for part in [name, &content] {
            // With the length in front no part can pass for the end of another.
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part);
        }
    }
    Ok(hasher.finalize())
}

fn collect(place: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    if !place.is_dir() {
        files.push(place.to_owned());
        return Ok(());
    }
    fs::read_dir(place)?.try_for_each(|entry| collect(&entry?.path(), files))
}
