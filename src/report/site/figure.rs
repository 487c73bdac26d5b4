//! Figures as pages write them: digits as the database has them, and intervals as bars.

use crate::report::compare::Figure;
use crate::units::Cycles;

/// Ten to the number of decimals that databases have.
const RESOLUTION: f64 = 1e4;

/// A number with the decimals that it has in a database, four at most.
pub(super) fn number(value: f64) -> String {
    let rounded = (value * RESOLUTION).round() / RESOLUTION;
    // (What rounds to nothing from below would be written with a sign.)
    (if rounded == 0.0 { 0.0 } else { rounded }).to_string()
}

/// From where to where a figure goes: `3`, `1–3`, `≥ 1` and `≤ 3`; none where neither end is known.
pub(super) fn range(min: Option<f64>, max: Option<f64>) -> Option<String> {
    match (min.map(number), max.map(number)) {
        (Some(min), Some(max)) if min == max => Some(max),
        (Some(min), Some(max)) => Some(format!("{min}–{max}")),
        (Some(min), None) => Some(format!("≥ {min}")),
        (None, Some(max)) => Some(format!("≤ {max}")),
        (None, None) => None,
    }
}

/// The same for a figure of a comparison.
pub(super) fn range_of(figure: &Figure) -> String {
    let finite = |end: Cycles| Some(end.0).filter(|end| end.is_finite());
    range(finite(figure.interval.lower()), finite(figure.interval.upper())).unwrap_or_default()
}

/// A value with how far off it may be: `1.01 ± 0.02`.
pub(super) fn with_error(value: f64, error: Option<f64>) -> String {
    let error = error.map(|error| format!(" ± {}", number(error)));
    number(value) + &error.unwrap_or_default()
}

/// Where the bar of an interval lies on an axis from nothing to `axis`, in percent of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Bar {
    /// Where it begins.
    pub left: i32,
    /// How wide it is: nothing where both ends are one, the rest of the axis where it has no end.
    pub width: i32,
}

impl Bar {
    /// The bar of an interval; none where neither end is known, or the axis has no length.
    pub fn of(min: Option<f64>, max: Option<f64>, axis: f64) -> Option<Self> {
        min.or(max)?;
        let share = |value: f64| (100.0 * (value / axis).clamp(0.0, 1.0)).round() as i32;
        let (left, right) = (share(min.unwrap_or_default()), max.map_or(100, share));
        (axis > 0.0).then_some(Self { left, width: (right - left).max(0) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_have_the_digits_of_the_database() {
        for (value, text) in [(3.0, "3"), (0.3333, "0.3333"), (-0.000_01, "0"), (12.5, "12.5")] {
            assert_eq!(number(value), text);
        }
        assert_eq!(range(Some(1.0), Some(3.0)).as_deref(), Some("1–3"));
        assert_eq!(range(Some(1.0), Some(1.000_01)).as_deref(), Some("1"));
        assert_eq!(range(Some(1.0), None).as_deref(), Some("≥ 1"));
        assert_eq!(range(None, None), None);
        assert_eq!(with_error(1.0105, Some(0.0163)), "1.0105 ± 0.0163");
    }

    #[test]
    fn a_bar_lies_where_its_interval_does() {
        let bar = |min, max| Bar::of(min, max, 4.0);
        assert_eq!(bar(Some(1.0), Some(3.0)), Some(Bar { left: 25, width: 50 }));
        assert_eq!(bar(Some(4.0), Some(4.0)), Some(Bar { left: 100, width: 0 }));
        assert_eq!(bar(Some(1.0), None), Some(Bar { left: 25, width: 75 }));
        assert_eq!(bar(None, None), None);
        assert_eq!(Bar::of(Some(0.0), Some(0.0), 0.0), None);
    }
}
