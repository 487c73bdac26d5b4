//! What is said of many figures of a page, each text once. Most figures of a machine were found in one of a
//! few ways, and a page that repeated them at each would be five times as long.

use super::form::FigureSource;
use super::numbered::NumberedTexts;

/// The notes of a page, numbered from one on.
#[derive(Debug, Default)]
pub(super) struct PageNotes(NumberedTexts);

impl PageNotes {
    /// Gives a figure the number of the note that says how it was found.
    pub fn take(&mut self, way: &mut FigureSource) {
        if way.remarks.is_empty() {
            return;
        }
        way.note = Some(self.0.number(way.remarks.join("; ")) + 1);
    }

    /// All of them, in the order of their numbers.
    pub fn texts(self) -> Vec<String> {
        self.0.texts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remarks_have_one_number_each() {
        let mut notes = PageNotes::default();
        let mut number = |remarks: &[&str]| {
            let remarks = remarks.iter().map(|&it| it.to_owned()).collect();
            let mut way = FigureSource { remarks, ..FigureSource::default() };
            notes.take(&mut way);
            way.note
        };
        assert_eq!(number(&["a", "b"]), Some(1));
        assert_eq!(number(&[]), None);
        assert_eq!(number(&["c"]), Some(2));
        assert_eq!(number(&["a", "b"]), Some(1));
        assert_eq!(notes.texts(), ["a; b", "c"]);
    }
}
