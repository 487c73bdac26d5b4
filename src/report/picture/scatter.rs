//! Two sets of figures against each other, as dots: those on the diagonal are alike.

use std::collections::BTreeMap;

use plotters::prelude::*;

use super::{Drawn, PictureError};

/// Width and height, in pixels.
const SIZE: (u32, u32) = (560, 560);
/// Places on the axis for each doubling: figures that share one are one dot, the larger the more they are.
const PLACES: f64 = 8.0;
/// The smallest figure that has a place; what takes no time is drawn there.
const LEAST: f64 = 1.0 / 16.0;

/// Pairs of figures in cycles on axes of doublings; those that share a place are one dot. As SVG.
///
/// # Errors
/// When there is no pair to draw.
pub fn scatter(caption: &str, axes: [&str; 2], pairs: &[[f64; 2]]) -> Result<String, PictureError> {
    let mut dots: BTreeMap<[i32; 2], usize> = BTreeMap::new();
    for pair in pairs.iter().filter(|pair| pair.iter().all(|it| it.is_finite())) {
        let place = pair.map(|value| (value.max(LEAST).log2() * PLACES).round() as i32);
        *dots.entry(place).or_default() += 1;
    }
    if dots.is_empty() {
        return Err(PictureError::Empty);
    }
    let mut text = String::new();
    draw((caption, axes), &dots, &mut text)
        .map_err(|error| PictureError::Drawing(error.to_string()))?;
    Ok(text)
}

fn draw(
    (caption, [across, up]): (&str, [&str; 2]),
    dots: &BTreeMap<[i32; 2], usize>,
    text: &mut String,
) -> Drawn {
    let value = |place: i32| (f64::from(place) / PLACES).exp2();
    let places = || dots.keys().flatten().copied();
    // (Room beside the outermost dots.)
    let least = value(places().min().unwrap_or_default()) / 1.5;
    let most = value(places().max().unwrap_or_default()) * 1.5;
    let area = SVGBackend::with_string(text, SIZE).into_drawing_area();
    area.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&area)
        .caption(caption, ("sans-serif", 20))
        .margin(14)
        .x_label_area_size(44)
        .y_label_area_size(64)
        .build_cartesian_2d((least..most).log_scale(), (least..most).log_scale())?;
    chart
        .configure_mesh()
        .max_light_lines(1)
        .light_line_style(TRANSPARENT)
        .x_desc(across)
        .y_desc(up)
        .draw()?;
    chart.draw_series(LineSeries::new([(least, least), (most, most)], BLACK.mix(0.3)))?;
    let circles = dots.iter().map(|(&[x, y], &count)| {
        let color = if x == y { RGBColor(74, 124, 89) } else { RGBColor(178, 92, 52) };
        let radius = 2 + (count as f64).log2().round() as i32;
        Circle::new((value(x), value(y)), radius, color.mix(0.6).filled())
    });
    chart.draw_series(circles)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_that_share_a_place_are_one_dot() {
        let pairs = [[1.0, 1.0], [1.0, 1.01], [4.0, 8.0], [0.0, 1.0], [f64::INFINITY, 1.0]];
        let text = scatter("A against B", ["cycles of A", "cycles of B"], &pairs).unwrap();
        assert_eq!(text.matches("<circle").count(), 3, "{text}");
        assert!(text.contains("cycles of B"));
        assert_eq!(scatter("", ["", ""], &[]), Err(PictureError::Empty));
    }
}
