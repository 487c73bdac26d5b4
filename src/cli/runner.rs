//! Commands that lead to runners on other machines.

/// A command that leads to a runner, and on how many machines it is to be run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunnerChoice {
    count: u32,
    text: String,
    words: Vec<String>,
}

impl RunnerChoice {
    /// The commands to run, each with what to call its machine, as program and arguments.
    pub fn commands(&self) -> impl Iterator<Item = (String, Vec<String>)> + '_ {
        (1..=self.count).map(|number| {
            let name = if self.count == 1 {
                format!("'{}'", self.text)
            } else {
                format!("'{}' number {number}", self.text)
            };
            (name, self.words.clone())
        })
    }
}

/// Machines behind one command, at the most: each takes two processes and two threads here.
const MOST: u32 = 1000;

pub(super) fn runner(text: &str) -> Result<RunnerChoice, String> {
    let counted = text.split_once(':').and_then(|(count, command)| {
        let is_number = !count.is_empty() && count.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then_some((count, command))
    });
    let (count, command) = match counted {
        Some((count, command)) => {
            let count = count.parse().ok().filter(|&count| count > 0);
            let count: u32 = count.ok_or_else(|| format!("'{text}' is for no machine at all"))?;
            if count > MOST {
                return Err(format!(
                    "{count} machines are more than the {MOST} that one run can use"
                ));
            }
            (count, command)
        }
        None => (1, text),
    };
    match shlex::split(command) {
        Some(words) if !words.is_empty() => {
            Ok(RunnerChoice { count, text: command.to_owned(), words })
        }
        Some(_) => Err("the command is empty".to_owned()),
        None => Err(format!("'{command}' has a quote that does not end")),
    }
}
