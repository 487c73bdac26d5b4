//! Texts that are said many times and written once.

use std::collections::HashMap;

/// Texts with numbers, from nothing on, in the order in which they come first.
#[derive(Debug, Default)]
pub(super) struct NumberedTexts {
    /// Each once.
    pub texts: Vec<String>,
    numbers: HashMap<String, usize>,
}

impl NumberedTexts {
    /// The number of a text.
    pub fn number(&mut self, text: String) -> usize {
        let next = self.texts.len();
        *self.numbers.entry(text).or_insert_with_key(|text| {
            self.texts.push(text.clone());
            next
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_there_once() {
        let mut texts = NumberedTexts::default();
        let numbers = ["b", "a", "b"].map(|text| texts.number(text.to_owned()));
        assert_eq!((numbers, texts.texts), ([0, 1, 0], vec!["b".to_owned(), "a".to_owned()]));
    }
}
