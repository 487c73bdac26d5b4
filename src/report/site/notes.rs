//! What is said of many figures of a page, each text once. Most figures of a machine were found in one of a
//! few ways, and a page that repeated them at each would be five times as long.

use std::collections::HashMap;

use super::form::Way;

/// The notes of a page, numbered from one on.
#[derive(Debug, Default)]
pub(super) struct Notes {
    /// In the order of their numbers.
    pub texts: Vec<String>,
    numbers: HashMap<String, usize>,
}

impl Notes {
    /// Gives a figure the number of the note that says how it was found.
    pub fn take(&mut self, way: &mut Way) {
        if way.remarks.is_empty() {
            return;
        }
        let text = way.remarks.join("; ");
        let next = self.texts.len() + 1;
        let number = *self.numbers.entry(text.clone()).or_insert(next);
        if number == next {
            self.texts.push(text);
        }
        way.note = Some(number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_there_once() {
        let mut notes = Notes::default();
        let mut number = |remarks: &[&str]| {
            let remarks = remarks.iter().map(|&it| it.to_owned()).collect();
            let mut way = Way { remarks, ..Way::default() };
            notes.take(&mut way);
            way.note
        };
        assert_eq!(number(&["a", "b"]), Some(1));
        assert_eq!(number(&[]), None);
        assert_eq!(number(&["c"]), Some(2));
        assert_eq!(number(&["a", "b"]), Some(1));
        assert_eq!(notes.texts, ["a; b", "c"]);
    }
}
