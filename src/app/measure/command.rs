//! The command of a run, as a reader types it to repeat the run.

use std::ffi::OsStr;
use std::path::Path;

/// The command of this run.
pub(in crate::app) fn of_this_run() -> String {
    as_typed(std::env::args_os(), &std::env::current_dir().unwrap_or_default())
}

/// Writes a command line for a shell: the program by its name alone, paths under the directory
/// that it ran in from there on, so that nothing tells how the machine's disk is laid out.
/// `words` begins with the program.
fn as_typed<Word: AsRef<OsStr>>(words: impl IntoIterator<Item = Word>, directory: &Path) -> String {
    let arguments = words.into_iter().skip(1);
    let arguments = arguments.map(|word| relative(&word.as_ref().to_string_lossy(), directory));
    let words: Vec<String> = std::iter::once("winic".to_owned()).chain(arguments).collect();
    shlex::try_join(words.iter().map(String::as_str))
        .expect("only NUL cannot be quoted, and no argument of a process holds it")
}

/// A word that is a path, or an option with one behind `=`, from the directory on.
fn relative(word: &str, directory: &Path) -> String {
    let (option, path) = match word.split_once('=') {
        Some((option, path)) if option.starts_with('-') => (Some(option), path),
        _ => (None, word),
    };
    let path = match Path::new(path).strip_prefix(directory) {
        Ok(here) if here.as_os_str().is_empty() => ".".to_owned(),
        Ok(inside) => inside.to_string_lossy().into_owned(),
        Err(_) => path.to_owned(),
    };
    option.map_or_else(|| path.clone(), |option| format!("{option}={path}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_can_be_typed_elsewhere() {
        for (words, expected) in [
            (&["/opt/bin/winic", "TP", "-o", "/work/there/out.yaml"][..], "winic TP -o out.yaml"),
            (&["winic", "TP", "--output=/work/there/a/b.yaml"], "winic TP '--output=a/b.yaml'"),
            (&["winic", "-o", "/work/thereabouts.yaml"], "winic -o /work/thereabouts.yaml"),
            (
                &["winic", "--runner", "ssh node winic-runner"],
                "winic --runner 'ssh node winic-runner'",
            ),
            (&["winic", "LAT", "-i", "VADD_VV@e8m4"], "winic LAT -i VADD_VV@e8m4"),
        ] {
            assert_eq!(as_typed(words, Path::new("/work/there")), expected);
        }
    }

    #[test]
    fn a_shell_reads_it_as_it_was() {
        let words = ["winic", "a b", "it's", "$HOME", "", "VADD*"];
        let typed = as_typed(words, Path::new("/work"));
        assert_eq!(shlex::split(&typed).unwrap(), words);
    }
}
