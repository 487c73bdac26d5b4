//! Where a value stands in a YAML text, by the way that leads to it.

use saphyr_parser::{Event, Parser};

use super::error::Position;

/// A step on the way to a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// Into a mapping.
    Key(String),
    /// Into a sequence; counted from 0.
    Item(usize),
}

impl From<&str> for Step {
    fn from(key: &str) -> Self {
        Self::Key(key.to_owned())
    }
}

impl From<usize> for Step {
    fn from(item: usize) -> Self {
        Self::Item(item)
    }
}

/// Where the value at the end of a way begins; `None` if there is none.
#[must_use]
pub fn position_of(text: &str, way: &[Step]) -> Option<Position> {
    let mut open: Vec<Open> = Vec::new();
    for event in Parser::new_from_str(text) {
        let (event, span) = event.ok()?;
        let text = match &event {
            Event::SequenceEnd | Event::MappingEnd => {
                open.pop();
                continue;
            }
            Event::Scalar(text, ..) => text,
            Event::Alias(_) | Event::SequenceStart(..) | Event::MappingStart(..) => "",
            _ => continue,
        };
        let is_value = open.last_mut().is_none_or(|parent| parent.pass(text));
        if is_value && leads_to(&open, way) {
            return Some(Position { line: span.start.line(), column: span.start.col() + 1 });
        }
        match event {
            Event::MappingStart(..) => open.push(Open::Mapping { key: None, is_value_next: false }),
            Event::SequenceStart(..) => open.push(Open::Sequence { begun: 0 }),
            _ => {}
        }
    }
    None
}

/// A mapping or sequence that has begun.
enum Open {
    Mapping {
        /// The last one that was met.
        key: Option<String>,
        /// Whether its value is next, and not another key.
        is_value_next: bool,
    },
    Sequence {
        /// Items that have begun.
        begun: usize,
    },
}

impl Open {
    /// A node begins in it; whether that is a value.
    fn pass(&mut self, text: &str) -> bool {
        match self {
            Self::Sequence { begun } => {
                *begun += 1;
                true
            }
            Self::Mapping { is_value_next, .. } if *is_value_next => {
                *is_value_next = false;
                true
            }
            Self::Mapping { key, is_value_next } => {
                (*key, *is_value_next) = (Some(text.to_owned()), true);
                false
            }
        }
    }

    fn leads(&self, step: &Step) -> bool {
        match (self, step) {
            (Self::Mapping { key, .. }, Step::Key(wanted)) => key.as_ref() == Some(wanted),
            (Self::Sequence { begun }, Step::Item(wanted)) => *begun == wanted + 1,
            _ => false,
        }
    }
}

fn leads_to(open: &[Open], way: &[Step]) -> bool {
    open.len() == way.len() && open.iter().zip(way).all(|(open, step)| open.leads(step))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_found_however_they_are_written() {
        let text = "a: 1\nb:\n- {c: 2, d: [3, 4]}\n- c: {e: 5}\n  d: x\n";
        let place = |way: &[Step]| position_of(text, way).map(|at| (at.line, at.column));
        let way = |key: &str, item: usize, rest: &[Step]| {
            [&[Step::from(key), Step::from(item)], rest].concat()
        };
        assert_eq!(place(&["a".into()]), Some((1, 4)));
        assert_eq!(place(&way("b", 0, &["d".into(), 1.into()])), Some((3, 17)));
        assert_eq!(place(&way("b", 1, &["c".into(), "e".into()])), Some((4, 10)));
        assert_eq!(place(&way("b", 1, &["d".into()])), Some((5, 6)));
        assert_eq!(place(&way("b", 2, &[])), None);
        assert_eq!(place(&way("a", 0, &[])), None);
    }
}
