//! Files that are there whole or not at all, whatever happens while they are written: the
//! program is killed, the disk is full, the power is cut.

mod sink;

pub use sink::Sink;

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

/// Makes a file under the first name that is free: `stem.extension`, `stem_2.extension`, ...
/// Returns its name.
///
/// # Errors
/// When it cannot be written.
pub fn create_numbered(
    directory: &Path,
    stem: &str,
    extension: &str,
    bytes: &[u8],
) -> io::Result<PathBuf> {
    let mut number = 1;
    loop {
        let name = match number {
            1 => format!("{stem}.{extension}"),
            _ => format!("{stem}_{number}.{extension}"),
        };
        let file = directory.join(name);
        match create(&file, bytes) {
            Err(reason) if reason.kind() == io::ErrorKind::AlreadyExists => number += 1,
            made => return made.map(|()| file),
        }
    }
}

/// Whether files could be made in a directory, which itself need not be there yet.
///
/// # Errors
/// When they could not, with the system's reason.
pub fn probe_directory(directory: &Path) -> io::Result<()> {
    let mut there = directory;
    while let Err(reason) = fs::symlink_metadata(there) {
        match there.parent() {
            Some(parent) if reason.kind() == io::ErrorKind::NotFound => there = parent,
            _ => return Err(reason),
        }
        if there == Path::new("") {
            there = Path::new(".");
        }
    }
    probe(&there.join("probe"))
}

/// Whether two paths lead to one regular file, by whatever names; it need not be there yet.
#[must_use]
pub fn are_same(one: &Path, other: &Path) -> bool {
    match (fs::metadata(one), fs::metadata(other)) {
        (Ok(one), Ok(other)) => {
            one.is_file() && (one.dev(), one.ino()) == (other.dev(), other.ino())
        }
        (Err(_), Err(_)) => resolved(one).is_some_and(|one| Some(one) == resolved(other)),
        _ => false,
    }
}

/// The one name of a file that is not there yet.
fn resolved(path: &Path) -> Option<PathBuf> {
    let file = follow(path).ok()?;
    Some(fs::canonicalize(directory(&file)).ok()?.join(file.file_name()?))
}

/// Whether a path that leads to nothing could lead to a file: not the empty one, not `missing/`.
fn names_file(path: &Path) -> bool {
    path.file_name().is_some() && !path.as_os_str().as_encoded_bytes().ends_with(b"/")
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
    fn names_that_are_taken_are_counted_on() {
        let place = tempfile::tempdir().unwrap();
        let made = |_| create_numbered(place.path(), "a", "txt", b"").unwrap();
        let expected = ["a.txt", "a_2.txt", "a_3.txt"].map(|name| place.path().join(name));
        assert_eq!([1, 2, 3].map(made), expected);
    }

    #[test]
    fn a_directory_is_probed_where_it_will_be() {
        let place = tempfile::tempdir().unwrap();
        let file = place.path().join("file");
        fs::write(&file, "").unwrap();
        probe_directory(&place.path().join("new/newer")).unwrap();
        assert!(probe_directory(&file).is_err());
        assert!(probe_directory(&file.join("below")).is_err());
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), 1, "a probe is left");
    }

    #[test]
    fn a_file_is_the_same_by_any_name() {
        let place = tempfile::tempdir().unwrap();
        let path = |name: &str| place.path().join(name);
        fs::write(path("a"), "").unwrap();
        fs::hard_link(path("a"), path("hard")).unwrap();
        std::os::unix::fs::symlink("a", path("soft")).unwrap();
        std::os::unix::fs::symlink("missing", path("loose")).unwrap();
        for name in ["a", "hard", "soft", "./a"] {
            assert!(are_same(&path("a"), &path(name)), "{name}");
        }
        assert!(are_same(&path("missing"), &path("loose")));
        assert!(!are_same(&path("a"), &path("loose")));
        assert!(!are_same(Path::new("/dev/null"), Path::new("/dev/null")), "no file");
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
