//! Files that are there whole or not at all, whatever happens while they are written: the
//! program is killed, the disk is full, the power is cut.

use std::ffi::OsString;
use std::fs::{self, File, Metadata, Permissions};
use std::io::{self, Write as _};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, fchown};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

/// What a new file may be used for, less what the user's umask forbids.
const NEW_FILE_MODE: u32 = 0o666;

/// How many symbolic links in a row are followed, as in Linux.
const MAX_LINKS: usize = 40;

/// Replaces a file whole, or makes it. Its permissions, and its owner if possible, stay. When
/// this returns without error, the file survives a loss of power.
///
/// # Errors
/// When it cannot be written; what was there before is intact.
pub fn replace(file: &Path, bytes: &[u8]) -> io::Result<()> {
    let new = temporary(file)?;
    if let Ok(old) = fs::metadata(file) {
        inherit(new.as_file(), &old)?;
    }
    filled(new, bytes)?.persist(file)?;
    sync_directory(directory(file))
}

/// Makes a file that is not there yet; with its name it has all its bytes.
///
/// # Errors
/// When it cannot be written, and `AlreadyExists` when it is there.
pub fn create(file: &Path, bytes: &[u8]) -> io::Result<()> {
    filled(temporary(file)?, bytes)?.persist_noclobber(file)?;
    sync_directory(directory(file))
}

/// Whether a file of this name could be made where the path says.
///
/// # Errors
/// When it could not, with the system's reason.
pub fn probe(file: &Path) -> io::Result<()> {
    temporary(file).and_then(NamedTempFile::close)
}

/// Removes what programs left behind that were killed while they made or replaced this file.
/// To be called by whoever has the file to himself; what cannot be removed harms nobody.
pub fn sweep(file: &Path) {
    let prefix = prefix(file);
    let Ok(entries) = fs::read_dir(directory(file)) else { return };
    for entry in entries.flatten() {
        if entry.file_name().as_encoded_bytes().starts_with(prefix.as_encoded_bytes()) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// The file a path stands for. Unlike for `fs::canonicalize`, it need not exist.
///
/// # Errors
/// When its links lead nowhere.
pub fn follow(path: &Path) -> io::Result<PathBuf> {
    let mut file = path.to_owned();
    for _ in 0..MAX_LINKS {
        match fs::read_link(&file) {
            Ok(target) => file = directory(&file).join(target),
            // Not a link, or nothing.
            Err(_) => return Ok(file),
        }
    }
    Err(io::Error::other("too many symbolic links"))
}

/// A path in a message: on one line, whatever its characters.
#[must_use]
pub fn shown(path: &Path) -> String {
    one_line(&path.display().to_string())
}

/// The text with line ends and other control characters written as escapes.
#[must_use]
pub fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for character in text.chars() {
        // Beside control characters what separates lines, and what turns the direction of writing.
        let is_wild = matches!(character, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        if character.is_control() || is_wild {
            line.extend(character.escape_default());
        } else {
            line.push(character);
        }
    }
    line
}

/// What a person can do about a file that cannot be written.
#[must_use]
pub fn remedy(reason: &io::Error) -> &'static str {
    match reason.kind() {
        io::ErrorKind::NotFound => "create the directory or name a file elsewhere",
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            "make room or name a file on another disk"
        }
        io::ErrorKind::FileTooLarge => "raise the limit (see `ulimit -f`)",
        io::ErrorKind::PermissionDenied => "give yourself the permission or name a file elsewhere",
        _ => "name a file elsewhere",
    }
}

fn directory(file: &Path) -> &Path {
    match file.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    }
}

/// A new file beside the one it is to become, so that renaming it is atomic.
fn temporary(file: &Path) -> io::Result<NamedTempFile> {
    tempfile::Builder::new()
        .prefix(&prefix(file))
        .permissions(Permissions::from_mode(NEW_FILE_MODE))
        .tempfile_in(directory(file))
        .map_err(without_name)
}

/// How the names of such files begin.
fn prefix(file: &Path) -> OsString {
    let mut prefix = OsString::from(".");
    prefix.push(file.file_name().unwrap_or_default());
    prefix.push(".winic-");
    prefix
}

/// The system's reason alone; the name of a temporary file tells nobody anything.
fn without_name(error: io::Error) -> io::Error {
    let text = error.to_string();
    let reason = text.split_once(" at path ").map_or(text.as_str(), |(reason, _)| reason);
    io::Error::new(error.kind(), reason)
}

fn filled(mut file: NamedTempFile, bytes: &[u8]) -> io::Result<NamedTempFile> {
    file.as_file_mut().write_all(bytes)?;
    file.as_file().sync_all()?;
    Ok(file)
}

/// Gives a file the owner and the permissions of another one.
fn inherit(file: &File, old: &Metadata) -> io::Result<()> {
    // Only root may give files away. Then it matters: who measures with `sudo` wants to keep
    // the file. For others nothing changes.
    let _ = fchown(file, Some(old.uid()), Some(old.gid()));
    file.set_permissions(old.permissions())
}

/// Makes the new name survive a loss of power, on file systems that know how.
fn sync_directory(directory: &Path) -> io::Result<()> {
    match File::open(directory)?.sync_all() {
        Err(reason) if reason.kind() == io::ErrorKind::InvalidInput => Ok(()),
        done => done,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_made_once_and_replaced_whole() {
        let place = tempfile::tempdir().unwrap();
        let file = place.path().join("a");
        create(&file, b"one").unwrap();
        assert_eq!(create(&file, b"two").unwrap_err().kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(fs::read(&file).unwrap(), b"one");
        replace(&file, b"three").unwrap();
        assert_eq!(fs::read(&file).unwrap(), b"three");
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), 1, "a temporary file is left");
    }

    #[test]
    fn only_what_was_left_of_the_same_file_is_swept_up() {
        let place = tempfile::tempdir().unwrap();
        for name in ["a", ".a.winic-x1", ".b.winic-x2", ".ab.winic-x3"] {
            fs::write(place.path().join(name), "").unwrap();
        }
        sweep(&place.path().join("a"));
        let mut left: Vec<_> =
            fs::read_dir(place.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        left.sort();
        assert_eq!(left, [".ab.winic-x3", ".b.winic-x2", "a"]);
    }

    #[test]
    fn links_are_followed_to_what_is_not_there_yet_but_not_for_ever() {
        let place = tempfile::tempdir().unwrap();
        let link = place.path().join("link");
        std::os::unix::fs::symlink("missing", &link).unwrap();
        assert_eq!(follow(&link).unwrap(), place.path().join("missing"));
        let circle = place.path().join("circle");
        std::os::unix::fs::symlink("circle", &circle).unwrap();
        assert!(follow(&circle).is_err());
    }

    #[test]
    fn a_path_is_shown_on_one_line() {
        assert_eq!(shown(Path::new("a\n\u{1b}b\u{2028}ä")), "a\\n\\u{1b}b\\u{2028}ä");
    }
}
