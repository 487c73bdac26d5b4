//! Whether a disturbed run can be trusted: `agreement QUIET DISTURBED` compares a database that
//! was measured on a busy machine with one from the same machine at rest; `scripts/load` makes
//! both.
//!
//! A value is the throughput of an instruction, or one of its operand latencies. It agrees if both
//! its bounds are within 3 % of the quiet ones. It is wrong if it does not, although the two differ
//! by more than the uncertainties that they state, and nothing says so: it is called neither
//! unstable nor contested. Values that the quiet run itself calls so do not count.
//!
//! Exits with 1 unless at least 98 % of the values agree and none is wrong.

mod value;
mod verdict;

use std::path::Path;
use std::process::ExitCode;

use verdict::Verdict;
use winic::database::Database;

fn main() -> ExitCode {
    let paths: Vec<String> = std::env::args().skip(1).collect();
    let [quiet, disturbed] = paths.as_slice() else {
        eprintln!("usage: agreement QUIET DISTURBED");
        return ExitCode::from(2);
    };
    let read = |path: &String| Database::read(Path::new(path));
    match (read(quiet), read(disturbed)) {
        (Ok(quiet), Ok(disturbed)) => {
            let verdict = Verdict::of(&quiet, &disturbed);
            print!("{verdict}");
            if verdict.is_trustworthy() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
        }
        (Err(error), _) | (_, Err(error)) => {
            eprintln!("agreement: {error}");
            ExitCode::from(2)
        }
    }
}
