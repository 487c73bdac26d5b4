//! The command that measures a form again.

use crate::database::{Database, Measurement};

/// Options of the command line of a run that say what is measured with: those that stand alone, and those
/// that a value follows.
const ALONE: &[&str] = &["--x87FP"];
const WITH_VALUE: &[&str] = &["-m", "--march", "-c", "--cpu", "--device"];

/// What people type to measure forms of a database again: the options of its last run that say with what,
/// quoted for a shell.
pub(super) struct AgainCommand(Vec<String>);

impl AgainCommand {
    pub fn of(database: &Database) -> Self {
        let runs = database.measurements();
        let command = |run: &Option<Measurement>| run.as_ref()?.command.clone();
        let command = command(&runs.latency).or_else(|| command(&runs.throughput));
        Self(command.and_then(|command| shlex::split(&command)).map_or_else(Vec::new, kept))
    }

    /// The command for a form.
    pub fn text(&self, llvm_name: &str) -> String {
        let options = self.0.iter().map(String::as_str);
        let words = ["winic", "ALL"].into_iter().chain(options).chain(["-i", llvm_name]);
        // (Only a name with a NUL cannot be quoted, and no form has one.)
        shlex::try_join(words).unwrap_or_default()
    }
}

fn kept(words: Vec<String>) -> Vec<String> {
    let mut kept = Vec::new();
    let mut words = words.into_iter();
    while let Some(word) = words.next() {
        let option = word.split_once('=').map_or(word.as_str(), |(option, _)| option);
        let (has_value, is_whole) = (WITH_VALUE.contains(&option), option.len() < word.len());
        if has_value && !is_whole {
            kept.push(word);
            kept.extend(words.next());
        } else if has_value || ALONE.contains(&option) {
            kept.push(word);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(command: &str) -> AgainCommand {
        let measurement = format!("measurement: {{latency: {{command: {command:?}}}}}");
        AgainCommand::of(&Database::parse(&format!("{measurement}\ninstructions: []\n")).unwrap())
    }

    #[test]
    fn it_has_the_options_that_say_with_what_and_no_other() {
        let run = "winic --device mca:skylake ALL --x87FP -o some.yaml --march=x86_64 -i A B";
        assert_eq!(
            of(run).text("C"),
            "winic ALL --device mca:skylake --x87FP '--march=x86_64' -i C"
        );
        assert_eq!(AgainCommand::of(&Database::default()).text("C"), "winic ALL -i C");
    }

    #[test]
    fn a_shell_that_gets_it_runs_nothing_else() {
        assert_eq!(
            of("winic -c '$(x)' ; rm").text("; rm -r ~"),
            "winic ALL -c '$(x)' -i '; rm -r ~'"
        );
    }
}
