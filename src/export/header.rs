//! Where the figures of a model come from.

use crate::database::Database;

/// The CPU, the date and the command of the run that measured, in one line.
pub(super) fn provenance(database: &Database) -> String {
    let runs = database.measurements();
    let run = runs.throughput.or(runs.latency);
    let by = run.map(|run| {
        let said = [&run.cpu, &run.date, &run.command];
        said.into_iter().flatten().cloned().collect::<Vec<_>>().join(", ")
    });
    by.unwrap_or_default().replace(char::is_control, " ")
}
