//! Whether what a run says is right, from a run of the same machine at rest.

use std::collections::BTreeMap;
use std::fmt;

use winic::database::Database;

use crate::value::values;

/// How far a bound may be off.
const TOLERANCE: f64 = 0.03;
/// How many values must agree.
const ENOUGH: f64 = 0.98;
/// How many values of each sort are listed.
const LISTED: usize = 30;

/// How a disturbed run compares.
#[derive(Debug, Default, PartialEq)]
pub struct Verdict {
    /// How many values agree.
    pub agreeing: usize,
    /// What is neither agreeing nor wrong: marked, or within what both state. By name, with both
    /// values.
    pub excused: BTreeMap<String, String>,
    /// What is wrong without a mark, likewise.
    pub wrong: BTreeMap<String, String>,
    /// How many values the quiet run does not have or does not trust.
    pub uncounted: usize,
}

impl Verdict {
    /// Holds a run against a quiet one.
    pub fn of(quiet: &Database, disturbed: &Database) -> Self {
        let disturbed = values(disturbed);
        let mut verdict = Self::default();
        for (name, expected) in values(quiet) {
            if expected.bounds.is_none() || expected.is_marked() {
                verdict.uncounted += 1;
                continue;
            }
            let Some(found) = disturbed.get(&name) else {
                verdict.wrong.insert(name, format!("{expected}, and beside others nothing"));
                continue;
            };
            let stated = expected.uncertainty + found.uncertainty;
            let both = format!("{expected}, beside others {found}");
            if found.is_near(&expected, |value| TOLERANCE * value) {
                verdict.agreeing += 1;
            } else if found.is_marked() || found.is_near(&expected, |_| stated) {
                verdict.excused.insert(name, both);
            } else {
                verdict.wrong.insert(name, both);
            }
        }
        verdict
    }

    /// How many values count.
    pub fn total(&self) -> usize {
        self.agreeing + self.excused.len() + self.wrong.len()
    }

    /// Whether enough agree and none is wrong.
    pub fn is_trustworthy(&self) -> bool {
        self.wrong.is_empty() && self.agreeing as f64 >= ENOUGH * self.total() as f64
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let total = self.total();
        let share = 100.0 * self.agreeing as f64 / total.max(1) as f64;
        writeln!(
            f,
            "{} of {total} values ({share:.2} %) are within 3 % of the quiet run ({} not counted)",
            self.agreeing, self.uncounted
        )?;
        for (sort, lines) in [
            ("marked, or as uncertain as they say", &self.excused),
            ("wrong without a mark", &self.wrong),
        ] {
            writeln!(f, "{} {sort}", lines.len())?;
            for (name, both) in lines.iter().take(LISTED) {
                writeln!(f, "  {name}: {both}")?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(quiet: &str, disturbed: &str) -> Verdict {
        let run = |fields: &str| Database::parse(&format!("- llvmName: A\n  {fields}\n")).unwrap();
        Verdict::of(&run(quiet), &run(disturbed))
    }

    const QUIET: &str = "throughput: 1.00\n  throughputUncertainty: 0.001";

    #[test]
    fn what_is_near_agrees() {
        let verdict = verdict(QUIET, "throughput: 1.03");
        assert_eq!(verdict.agreeing, 1);
        assert!(verdict.is_trustworthy());
    }

    #[test]
    fn what_is_far_and_says_nothing_is_wrong() {
        let verdict = verdict(QUIET, "throughput: 1.04");
        assert_eq!(verdict.wrong["A"], "1 +- 0.001, beside others 1.04 +- 0");
        assert!(!verdict.is_trustworthy());
    }

    #[test]
    fn what_is_far_and_says_so_is_excused_but_counts() {
        for fields in [
            "throughput: 2\n  throughputStatus: unstable",
            "throughput: 2\n  throughputStatus: 'contested: its loops disagree'",
            "throughput: 1.1\n  throughputUncertainty: 0.1",
        ] {
            let verdict = verdict(QUIET, fields);
            assert_eq!((verdict.agreeing, verdict.excused.len(), verdict.wrong.len()), (0, 1, 0));
            assert!(!verdict.is_trustworthy(), "one of one");
        }
    }

    #[test]
    fn numbers_before_rounding_count() {
        let exact = |value: &str, raw: &str| {
            let bounds = format!("throughputMin: {value}\n  throughputMax: {value}");
            format!("throughput: {value}\n  {bounds}\n  throughputRaw: {raw}")
        };
        assert_eq!(verdict(&exact("0.09", "0.0949"), &exact("0.1", "0.0951")).agreeing, 1);
        assert_eq!(verdict(&exact("0.09", "0.0901"), &exact("0.1", "0.0951")).wrong.len(), 1);
    }

    #[test]
    fn both_ends_of_a_range_count() {
        let range = |least: f64| {
            format!(
                "throughput: 1\n  throughputMin: {least}\n  throughputMax: 1\n  throughputRaw: 1"
            )
        };
        assert_eq!(verdict(&range(0.5), &range(0.51)).agreeing, 1);
        assert_eq!(verdict(&range(0.5), &range(0.6)).wrong.len(), 1);
    }

    #[test]
    fn what_is_missing_is_wrong_unless_it_says_why() {
        assert_eq!(verdict(QUIET, "throughput: null").wrong.len(), 1);
        let lost = "throughput: null\n  throughputStatus: 'failed: illegal instruction'";
        assert_eq!(verdict(QUIET, lost).wrong.len(), 1);
        let unstable = "throughput: null\n  throughputStatus: unstable";
        assert_eq!(verdict(QUIET, unstable).excused.len(), 1);
    }

    #[test]
    fn what_was_never_known_does_not_count() {
        for quiet in ["throughput: null", "throughput: 1\n  throughputStatus: unstable"] {
            let verdict = verdict(quiet, "throughput: 3");
            assert_eq!((verdict.total(), verdict.uncounted), (0, 1));
            assert!(verdict.is_trustworthy());
        }
    }
}
