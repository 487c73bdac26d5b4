//! How often differences of two sets of figures have which size, as bars.

use plotters::prelude::*;

use super::{Drawn, PictureError};

/// Width and height, in pixels.
const SIZE: (u32, u32) = (960, 360);
/// Bars on either side of the middle; beyond them all is counted in the outermost.
const FARTHEST: i32 = 10;

/// How many differences, in cycles, there are of each size, rounded to multiples of a step; those that are
/// further than ten steps off are counted as ten. As SVG.
///
/// # Errors
/// When there is no difference to draw.
pub fn distribution(
    caption: &str,
    across: &str,
    step: f64,
    differences: &[f64],
) -> Result<String, PictureError> {
    if differences.is_empty() {
        return Err(PictureError::Empty);
    }
    let mut text = String::new();
    draw((caption, across), step, differences, &mut text)
        .map_err(|error| PictureError::Drawing(error.to_string()))?;
    Ok(text)
}

fn draw(
    (caption, across): (&str, &str),
    step: f64,
    differences: &[f64],
    text: &mut String,
) -> Drawn {
    let size = |difference: &f64| ((difference / step).round() as i32).clamp(-FARTHEST, FARTHEST);
    let counts: Vec<(i32, u32)> = (-FARTHEST..=FARTHEST)
        .map(|at| (at, differences.iter().filter(|it| size(it) == at).count() as u32))
        .collect();
    let most = counts.iter().map(|(_, count)| *count).max().unwrap_or_default();
    let area = SVGBackend::with_string(text, SIZE).into_drawing_area();
    area.fill(&WHITE)?;
    // (Room above the highest bar for its number.)
    let top = most + most / 8 + 1;
    let mut chart = ChartBuilder::on(&area)
        .caption(caption, ("sans-serif", 20))
        .margin(14)
        .x_label_area_size(44)
        .y_label_area_size(64)
        .build_cartesian_2d((-FARTHEST..FARTHEST).into_segmented(), 0..top)?;
    chart
        .configure_mesh()
        .disable_x_mesh()
        .max_light_lines(1)
        .light_line_style(TRANSPARENT)
        .x_desc(across)
        .y_desc("figures")
        .x_labels(2 * FARTHEST as usize + 1)
        .x_label_formatter(&|at| match at {
            SegmentValue::CenterOf(at) | SegmentValue::Exact(at) => {
                let ends = [(FARTHEST, "≥ "), (-FARTHEST, "≤ ")];
                let end = ends.iter().find(|(end, _)| end == at).map_or("", |(_, end)| end);
                format!("{end}{}", f64::from(*at) * step)
            }
            SegmentValue::Last => String::new(),
        })
        .draw()?;
    let bars = counts.iter().filter(|(_, count)| *count > 0).map(|&(at, count)| {
        let color = if at == 0 { RGBColor(74, 124, 89) } else { RGBColor(178, 92, 52) };
        let ends = [(SegmentValue::Exact(at), 0), (SegmentValue::Exact(at + 1), count)];
        let mut bar = Rectangle::new(ends, color.filled());
        bar.set_margin(0, 0, 3, 3);
        bar
    });
    chart.draw_series(bars)?;
    let numbers = counts.iter().filter(|(_, count)| *count > 0).map(|&(at, count)| {
        let font = ("sans-serif", 12).into_font();
        Text::new(count.to_string(), (SegmentValue::Exact(at), count + top / 24), font)
    });
    chart.draw_series(numbers)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_size_has_a_bar_with_its_number() {
        let text =
            distribution("A against B", "cycles", 1.0, &[0.0, 0.1, 3.0, 40.0, -90.0]).unwrap();
        // (Beside the background.)
        assert_eq!(text.matches("<rect").count(), 1 + 4, "{text}");
        assert!(text.contains("≥ 10") && text.contains("A against B"));
        assert_eq!(distribution("", "", 1.0, &[]), Err(PictureError::Empty));
    }
}
