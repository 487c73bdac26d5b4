//! Sweeps as lines over their last axis.

use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;

use super::{Drawn, NamedSweep};
use crate::database::{Coordinate, as_written};
use crate::report::sweep::title;

/// Width and height, in pixels.
const SIZE: (u32, u32) = (960, 600);
/// From this ratio of its ends on an axis is logarithmic.
const WIDE: f64 = 100.0;
/// Labels on an axis.
const LABELS: usize = 17;

/// A line's points: the last coordinate, and cycles or the rate.
struct Curve {
    name: String,
    points: Vec<(f64, f64)>,
}

/// A line for each of a sweep's coordinates but the last.
fn curves_of(named: &NamedSweep<'_>, is_rate: bool) -> Vec<Curve> {
    let mut out: Vec<Curve> = Vec::new();
    for point in &named.sweep.points {
        // As it is written, so that the picture of a run is that of its database.
        let value = if is_rate { point.rate } else { point.cycles }.map(as_written);
        let (Some((Coordinate::Number(x), others)), Some(y)) = (point.at.split_last(), value)
        else {
            continue;
        };
        let words =
            std::iter::once(named.name.clone()).chain(others.iter().map(ToString::to_string));
        let name = words.collect::<Vec<_>>().join(", ");
        match out.iter_mut().find(|curve| curve.name == name) {
            Some(curve) => curve.points.push((*x as f64, y)),
            None => out.push(Curve { name, points: vec![(*x as f64, y)] }),
        }
    }
    out
}

pub(super) fn draw(sweeps: &[&NamedSweep<'_>], is_rate: bool, text: &mut String) -> Drawn {
    let first = sweeps[0].sweep;
    let curves: Vec<Curve> = sweeps.iter().flat_map(|it| curves_of(it, is_rate)).collect();
    let xs = || curves.iter().flat_map(|curve| curve.points.iter().map(|point| point.0));
    let ys = || curves.iter().flat_map(|curve| curve.points.iter().map(|point| point.1));
    let (least, most) =
        (xs().fold(f64::INFINITY, f64::min), xs().fold(f64::NEG_INFINITY, f64::max));
    let top = ys().fold(0.0, f64::max) * 1.08;
    let x_name = first.axes.last().map_or("", String::as_str);
    let y_name = match (is_rate, &first.rate_unit) {
        (true, Some(unit)) => unit.clone(),
        _ => format!("cycles per {}", first.kind.counted()),
    };
    let heading = match sweeps {
        [only] => title(only.sweep),
        _ => first.kind.to_string(),
    };
    let area = SVGBackend::with_string(text, SIZE).into_drawing_area();
    area.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&area);
    chart
        .caption(heading, ("sans-serif", 20))
        .margin(14)
        .margin_right(44)
        .x_label_area_size(46)
        .y_label_area_size(64);
    // (The two kinds of axes are of different types.)
    if least > 0.0 && most / least >= WIDE {
        let mut chart = chart.build_cartesian_2d((least..most).log_scale().base(2.0), 0.0..top)?;
        let mut mesh = chart.configure_mesh();
        mesh.x_desc(x_name).y_desc(y_name).light_line_style(TRANSPARENT);
        mesh.x_labels(LABELS).x_label_formatter(&size).draw()?;
        draw_curves(&mut chart, &curves)?;
    } else {
        let mut chart = chart.build_cartesian_2d(least..most, 0.0..top)?;
        let mut mesh = chart.configure_mesh();
        mesh.x_desc(x_name).y_desc(y_name).light_line_style(TRANSPARENT);
        let whole = |x: &f64| format!("{x:.0}");
        let labels = ((most - least) as usize + 1).min(LABELS);
        mesh.x_labels(labels).x_label_formatter(&whole).draw()?;
        draw_curves(&mut chart, &curves)?;
    }
    area.present()
}

/// A size in bytes with its unit, or a number.
fn size(x: &f64) -> String {
    const UNITS: [(f64, &str); 3] =
        [(1_073_741_824.0, "GiB"), (1_048_576.0, "MiB"), (1024.0, "KiB")];
    match UNITS.iter().find(|(unit, _)| x >= unit) {
        Some((unit, name)) => format!("{:.0} {name}", x / unit),
        None => format!("{x:.0}"),
    }
}

fn draw_curves<'a, X: Ranged<ValueType = f64>>(
    chart: &mut ChartContext<'a, SVGBackend<'a>, Cartesian2d<X, RangedCoordf64>>,
    curves: &[Curve],
) -> Drawn {
    for (number, curve) in curves.iter().enumerate() {
        let color = Palette99::pick(number).to_rgba();
        let line = LineSeries::new(curve.points.iter().copied(), color.stroke_width(2));
        let drawn = chart.draw_series(line)?.label(&curve.name);
        drawn.legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], color.stroke_width(2)));
        let dots = curve.points.iter().map(|&point| Circle::new(point, 3, color.filled()));
        chart.draw_series(dots)?;
    }
    if curves.len() > 1 {
        let mut labels = chart.configure_series_labels();
        labels.position(SeriesLabelPosition::UpperRight);
        labels.border_style(BLACK.mix(0.4)).background_style(WHITE.mix(0.85)).draw()?;
    }
    Ok(())
}
