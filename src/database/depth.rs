//! How deep a YAML text is nested, found out before anything is built of it.

use saphyr_parser::{Event, Parser};

/// Databases are nested five levels deep.
pub const DEEPEST: usize = 100;

/// Of a text that is no YAML to the scanner here, though it may be to another one, brackets are
/// counted; so many are read in a fraction of a second, however they are nested.
const MOST_BRACKETS: usize = 5_000;

/// Whether a text has more than [`DEEPEST`] levels. Reads no further than to the first that is too
/// deep.
pub fn is_too_deep(text: &str) -> bool {
    depth_of(Parser::new_from_str(text).map(|event| event.map(|(event, _)| event).ok()))
        .unwrap_or_else(|| text.bytes().filter(|byte| b"[{".contains(byte)).count() > MOST_BRACKETS)
}

/// Whether events go too deep; `None` where one cannot be read.
fn depth_of<'a>(events: impl Iterator<Item = Option<Event<'a>>>) -> Option<bool> {
    let mut depth = 0_usize;
    for event in events {
        match event? {
            Event::SequenceStart(..) | Event::MappingStart(..) => depth += 1,
            Event::SequenceEnd | Event::MappingEnd => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > DEEPEST {
            return Some(true);
        }
    }
    Some(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_counted_however_they_are_written() {
        let nested = |open: &str, close: &str, levels: usize| {
            format!("{}x{}", open.repeat(levels), close.repeat(levels))
        };
        for (open, close) in
            [("[", "]"), ("{a: ", "}"), ("- ", ""), ("[\"]\", ", "]"), ("[']', ", "]")]
        {
            assert!(!is_too_deep(&nested(open, close, DEEPEST)), "{open}");
            assert!(is_too_deep(&nested(open, close, DEEPEST + 1)), "{open}");
        }
        assert!(!is_too_deep(&"- a: [b, {c: d}]\n".repeat(10_000)));
        // In what is no structure brackets are letters.
        assert!(!is_too_deep(&format!("a: '{0}' # {0}\nb: |\n  {0}\n", "[".repeat(4_000))));
    }

    #[test]
    fn what_no_scanner_understands_has_few_brackets() {
        let broken = |brackets: usize| format!("a: b: c\n{}", "[".repeat(brackets));
        assert!(!is_too_deep(&broken(MOST_BRACKETS)));
        assert!(is_too_deep(&broken(MOST_BRACKETS + 1)));
    }

    #[test]
    fn nobody_reads_on_once_it_is_too_deep() {
        let mut read = 0;
        let events = std::iter::from_fn(|| {
            read += 1;
            Some(Some(Event::SequenceStart(0, None)))
        });
        assert_eq!(depth_of(events), Some(true));
        assert_eq!(read, DEEPEST + 1);
    }
}
