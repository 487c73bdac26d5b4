//! Names that somebody may have meant who typed another one.

/// Near names that are offered for a mistyped one.
pub(super) const SUGGESTIONS: usize = 3;

/// Letters of a mistyped name that are looked at.
const LONGEST_NAME: usize = 80;

/// How alike a name must be, by Jaro and Winkler, where 1 is the same: `ADD64rx` is 0.94 from
/// `ADD64rr`, `IMUL` 0.91 from `IMUL64r`, and `FOO` no more than 0.8 from anything.
const LIKENESS: f64 = 0.9;

/// The names that are near to one, the nearest first; none if all are far.
pub(super) fn names<'a>(typed: &str, names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let typed = excerpt(typed).to_uppercase();
    let likeness = |name: &str| strsim::jaro_winkler(&typed, &name.to_uppercase());
    let mut near: Vec<(f64, &str)> = names
        .map(|name| (likeness(name), name))
        .filter(|&(likeness, _)| likeness >= LIKENESS)
        .collect();
    near.sort_by(|a, b| b.0.total_cmp(&a.0));
    near.into_iter().take(SUGGESTIONS).map(|(_, name)| name).collect()
}

/// As much of a mistyped name as is looked at and shown: nothing is near a book.
pub(super) fn excerpt(typed: &str) -> String {
    typed.chars().take(LONGEST_NAME).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const KNOWN: [&str; 5] = ["FNOP", "FCOS", "IMULrr", "POPCNTrr", "FADDrr"];

    #[test]
    fn only_near_names_are_near() {
        let near = |typed| names(typed, KNOWN.into_iter());
        assert_eq!(near("imulrx"), ["IMULrr"]);
        assert_eq!(near("POPCNT"), ["POPCNTrr"]);
        for far in ["FOO", "F", "", "QQQQrr", "XXXXXXXXXXX"] {
            assert!(near(far).is_empty(), "{far}");
        }
    }
}
