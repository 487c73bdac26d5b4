//! Names in a database become parts of addresses: of plain characters only, and no two alike.

use std::collections::HashSet;

/// The longest part, in characters: file systems end at 255 bytes.
const LONGEST: usize = 80;

/// Parts of addresses that are taken.
#[derive(Debug, Default)]
pub(super) struct AddressParts(HashSet<String>);

impl AddressParts {
    /// The name of a file, without its extension, for a text: lower case, as some file systems do not tell
    /// that from upper case.
    pub fn file(&mut self, text: &str) -> String {
        self.unique(&plain(&text.to_lowercase()))
    }

    /// The name of a place in a page for a text.
    pub fn anchor(&mut self, text: &str) -> String {
        self.unique(&plain(text))
    }

    fn unique(&mut self, part: &str) -> String {
        let numbered = (2..).map(|number| format!("{part}-{number}"));
        let mut candidates = std::iter::once(part.to_owned()).chain(numbered);
        let free = candidates.find(|candidate| !self.0.contains(candidate));
        let free = free.expect("there are more numbers than names");
        self.0.insert(free.clone());
        free
    }
}

/// A text with every character that means something in an address or to a file system replaced.
fn plain(text: &str) -> String {
    let is_plain = |it: char| it.is_ascii_alphanumeric() || matches!(it, '_' | '-' | '@');
    // A dot between others, as in `vadd.vv`, hides no file and leads to no folder above.
    let is_inner_dot = |(place, it): (usize, char)| it == '.' && place > 0;
    let letters = text.chars().take(LONGEST).enumerate();
    let part: String = letters
        .map(|(place, it)| if is_plain(it) || is_inner_dot((place, it)) { it } else { '_' })
        .collect();
    if part.is_empty() { "_".to_owned() } else { part }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_leads_anywhere_else() {
        let mut parts = AddressParts::default();
        for (text, part) in [
            ("add", "add"),
            ("ADD", "add-2"),
            ("vadd.vv", "vadd.vv"),
            ("MOV64rm@scaled-index", "mov64rm@scaled-index"),
            ("../../etc/passwd", "_._.._etc_passwd"),
            ("..", "_."),
            ("", "_"),
            ("<script>\"'&#?%", "_script_______"),
        ] {
            assert_eq!(parts.file(text), part, "{text}");
        }
        assert_eq!(parts.anchor("ADD"), "ADD");
        assert_eq!(parts.file(&"a".repeat(1000)).len(), LONGEST);
    }
}
