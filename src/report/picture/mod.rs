//! Sweeps as pictures: a line for each sweep over its last axis, or a field of colours over two axes of
//! words: pairs of registers, pairs of forms that make a loop; and how differences are distributed;
//! and figures against figures.

mod curves;
mod distribution;
mod field;
mod scatter;

pub use distribution::distribution;
pub use scatter::scatter;

use plotters::drawing::DrawingAreaErrorKind;

use super::sweep::title;
use crate::database::{Coordinate, Sweep, SweepKind, SweepPoint};

/// Why there is no picture.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PictureError {
    /// Nothing to draw.
    #[error("there is no value to draw")]
    Empty,
    /// Nobody could tell the lines apart.
    #[error("a picture shows {MOST} sweeps at most, and here are {0}")]
    TooMany(usize),
    /// Sweeps of several kinds, or over unlike axes.
    #[error("a picture shows sweeps of one kind over the same axes, and here are {0} and {1}")]
    Unlike(String, String),
    /// Rates are wanted and not known.
    #[error("no rates are known of {0}: its operations are not counted, or the clock is unknown")]
    NoRates(String),
    /// The library could not draw it.
    #[error("cannot draw it: {0}")]
    Drawing(String),
}

/// Sweeps in one picture.
const MOST: usize = 24;

/// What the library says of a drawing that goes into a text.
type Drawn = Result<(), DrawingAreaErrorKind<std::io::Error>>;

/// A sweep with a name for its line, such as the file that it is from.
pub struct NamedSweep<'a> {
    /// What tells it from the others.
    pub name: String,
    /// The sweep.
    pub sweep: &'a Sweep,
}

impl<'a> NamedSweep<'a> {
    /// Among sweeps of one machine.
    #[must_use]
    pub fn by_forms(sweep: &'a Sweep) -> Self {
        let setting = sweep.setting.as_ref().map(|setting| format!(" ({setting})"));
        Self { name: sweep.forms.join(", ") + &setting.unwrap_or_default(), sweep }
    }
}

/// Sweeps of one kind as one picture, in SVG: cycles, or rates where those are wanted or what people look
/// at ([`SweepKind::is_of_rates`](crate::database::SweepKind::is_of_rates)).
///
/// # Errors
/// When there is nothing to draw, or too much, or sweeps are not alike.
pub fn svg(sweeps: &[NamedSweep<'_>], wants_rates: bool) -> Result<String, PictureError> {
    let pairs: Vec<Option<Sweep>> = sweeps.iter().map(|it| pairs_of(it.sweep)).collect();
    let drawable = sweeps.iter().zip(&pairs).map(|(named, pairs)| NamedSweep {
        name: named.name.clone(),
        sweep: pairs.as_ref().unwrap_or(named.sweep),
    });
    let drawable: Vec<NamedSweep<'_>> = drawable.collect();
    let drawn: Vec<&NamedSweep<'_>> = drawable.iter().filter(|it| it.sweep.has_value()).collect();
    let first = drawn.first().ok_or(PictureError::Empty)?;
    if drawn.len() > MOST {
        return Err(PictureError::TooMany(drawn.len()));
    }
    let key = |it: &NamedSweep<'_>| (it.sweep.kind, it.sweep.axes.clone());
    if let Some(other) = drawn.iter().find(|it| key(it) != key(first)) {
        return Err(PictureError::Unlike(title(first.sweep), title(other.sweep)));
    }
    let has_rate = |it: &&&NamedSweep<'_>| it.sweep.points.iter().any(|point| point.rate.is_some());
    let without = drawn.iter().find(|it| !has_rate(it));
    if let Some(without) = without.filter(|_| wants_rates) {
        return Err(PictureError::NoRates(title(without.sweep)));
    }
    let is_rate = wants_rates || (first.sweep.kind.is_of_rates() && without.is_none());
    let mut text = String::new();
    let outcome = match is_field(first.sweep) {
        true => field::draw(&drawn, &mut text),
        false => curves::draw(&drawn, is_rate, &mut text),
    };
    outcome.map_err(|error| PictureError::Drawing(error.to_string()))?;
    Ok(text)
}

/// The loops of two of a sweep over sequences, by the one and the other; none of other sweeps.
fn pairs_of(sweep: &Sweep) -> Option<Sweep> {
    let pair = |point: &SweepPoint| match &point.at[..] {
        [Coordinate::Word(forms)] => {
            let (one, other) = forms.split_once(' ').filter(|(_, other)| !other.contains(' '))?;
            let at = [one, other].map(|form| Coordinate::Word(form.to_owned())).to_vec();
            Some(SweepPoint { at, ..point.clone() })
        }
        _ => None,
    };
    (sweep.kind == SweepKind::Sequences).then(|| Sweep {
        axes: vec!["one".to_owned(), "other".to_owned()],
        points: sweep.points.iter().filter_map(pair).collect(),
        ..sweep.clone()
    })
}

/// Whether its places are pairs of words, as those of registers are.
fn is_field(sweep: &Sweep) -> bool {
    let is_pair = |at: &[Coordinate]| matches!(at, [Coordinate::Word(_), Coordinate::Word(_)]);
    sweep.points.iter().all(|point| is_pair(&point.at))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sweep(form: &str, kind: SweepKind, places: Vec<Vec<Coordinate>>) -> Sweep {
        let point = |(place, at): (usize, Vec<Coordinate>)| SweepPoint {
            at,
            cycles: Some(1.0 + place as f64),
            ..SweepPoint::default()
        };
        let axes = places.first().map_or(0, Vec::len);
        Sweep {
            kind,
            forms: vec![form.to_owned()],
            axes: (0..axes).map(|axis| format!("axis {axis}")).collect(),
            points: places.into_iter().enumerate().map(point).collect(),
            ..Sweep::default()
        }
    }

    fn over_numbers(form: &str) -> Sweep {
        sweep(form, SweepKind::Accumulators, (1..=8).map(|it| vec![it.into()]).collect())
    }

    #[test]
    fn what_is_lost_when_a_database_is_written_shows_in_no_picture() {
        let both = [over_numbers("ADD64rr"), over_words()];
        for written in both {
            let mut found = written.clone();
            // A hundredth of a pixel, at an axis that begins or ends elsewhere.
            let cycles = found.points.iter_mut().filter_map(|point| point.cycles.as_mut());
            cycles.for_each(|cycles| *cycles += 0.000_04);
            let [found, written] = [&found, &written]
                .map(|sweep| svg(&[NamedSweep { name: "one".to_owned(), sweep }], false).unwrap());
            assert_eq!(found, written);
        }
    }

    fn over_words() -> Sweep {
        let words = ["XMM0", "XMM1", "XMM2"].map(|word| Coordinate::Word(word.to_owned()));
        let pairs =
            words.iter().flat_map(|first| words.iter().map(|it| vec![first.clone(), it.clone()]));
        sweep("VADDPSrr", SweepKind::Registers, pairs.collect())
    }

    fn drawn(sweeps: &[Sweep]) -> Result<String, PictureError> {
        svg(&sweeps.iter().map(NamedSweep::by_forms).collect::<Vec<_>>(), false)
    }

    #[test]
    fn rates_are_drawn_where_they_are_wanted_and_known() {
        let mut sweep = over_numbers("FMA");
        let rates = |sweep: &Sweep| svg(&[NamedSweep::by_forms(sweep)], true);
        let error = rates(&sweep).unwrap_err().to_string();
        assert!(error.starts_with("no rates are known of accumulators of FMA"), "{error}");
        sweep.rate_unit = Some("GFLOPS".to_owned());
        sweep.points.iter_mut().for_each(|point| point.rate = Some(64.0));
        assert!(rates(&sweep).unwrap().contains("GFLOPS"));
        assert!(drawn(&[sweep]).unwrap().contains("cycles per instruction"));
    }

    #[test]
    fn each_sweep_has_a_line_and_each_point_a_dot() {
        let text = drawn(&[over_numbers("IMUL64rr"), over_numbers("ADD64rr")]).unwrap();
        assert_eq!(text.matches("<circle").count(), 16);
        for said in ["IMUL64rr", "ADD64rr", "cycles per instruction", "axis 0"] {
            assert!(text.contains(said), "{said}");
        }
    }

    #[test]
    fn pairs_of_registers_are_a_field() {
        let text = drawn(&[over_words()]).unwrap();
        assert!(!text.contains("<circle") && text.matches("XMM1").count() >= 2);
    }

    #[test]
    fn of_sequences_the_loops_of_two_are_a_field() {
        let places = ["A", "B", "A A", "A B", "B B", "A A B"];
        let places = places.map(|place| vec![Coordinate::Word(place.to_owned())]);
        let text = drawn(&[sweep("A", SweepKind::Sequences, places.to_vec())]).unwrap();
        assert!(text.contains("3.00 to 5.00 cycles"), "{text}");
    }

    #[test]
    fn what_cannot_be_drawn_is_said() {
        assert_eq!(drawn(&[]), Err(PictureError::Empty));
        let unlike = drawn(&[over_numbers("A"), over_words()]).unwrap_err();
        assert!(unlike.to_string().contains("accumulators of A"), "{unlike}");
        let many: Vec<Sweep> = (0..25).map(|number| over_numbers(&number.to_string())).collect();
        assert_eq!(drawn(&many), Err(PictureError::TooMany(25)));
    }
}
