//! Sweeps over pairs of words as squares, the darker the longer they take.

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::{Drawn, NamedSweep};
use crate::database::{Coordinate, Sweep, SweepPoint, as_written};
use crate::report::sweep::title;

/// Width and height of a field, in pixels.
const SIZE: (u32, u32) = (820, 760);
/// Pixels for the words beside it.
const LABELS: u32 = 104;
/// What differs by less than this share is drawn nearly alike: it is noise.
const CONTRAST: f64 = 0.25;

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// The fields below each other.
pub(super) fn draw(sweeps: &[&NamedSweep<'_>], text: &mut String) -> Drawn {
    let (width, height) = SIZE;
    let size = (width, height * sweeps.len() as u32);
    let area = SVGBackend::with_string(text, size).into_drawing_area();
    area.fill(&WHITE)?;
    for (area, named) in area.split_evenly((sweeps.len(), 1)).iter().zip(sweeps) {
        field(named.sweep, area)?;
    }
    area.present()
}

/// The words of a sweep's coordinates, in their order.
fn words(sweep: &Sweep) -> Vec<&str> {
    let mut words: Vec<&str> = Vec::new();
    for at in sweep.points.iter().flat_map(|point| &point.at) {
        if let Coordinate::Word(word) = at
            && !words.contains(&word.as_str())
        {
            words.push(word);
        }
    }
    words
}

fn field(sweep: &Sweep, area: &Area<'_>) -> Drawn {
    let words = words(sweep);
    let count = words.len() as i32;
    // As they are written, so that the picture of a run is that of its database.
    let of_point = |point: &SweepPoint| point.cycles.map(as_written);
    let cycles = || sweep.points.iter().filter_map(of_point);
    let (least, most) = (cycles().fold(f64::INFINITY, f64::min), cycles().fold(0.0, f64::max));
    let caption = format!("{}: {least:.2} to {most:.2} cycles", title(sweep));
    let mut chart = ChartBuilder::on(area)
        .caption(caption, ("sans-serif", 20))
        .margin(14)
        .x_label_area_size(LABELS)
        .y_label_area_size(LABELS)
        .build_cartesian_2d(0..count, 0..count)?;
    chart.configure_mesh().disable_mesh().disable_axes().draw()?;
    let place = |at: &Coordinate| match at {
        Coordinate::Word(text) => words.iter().position(|word| word == text).map(|it| it as i32),
        Coordinate::Number(_) => None,
    };
    let range = (most - least).max(least * CONTRAST).max(f64::MIN_POSITIVE);
    let squares = sweep.points.iter().filter_map(|point| {
        let (x, y) = (place(&point.at[0])?, place(&point.at[1])?);
        let color = HSLColor(0.58, 0.55, 0.92 - 0.6 * (of_point(point)? - least) / range).filled();
        Some([(x, y), (y, x)].map(|(x, y)| Rectangle::new([(x, y), (x + 1, y + 1)], color)))
    });
    chart.draw_series(squares.flatten())?;
    let plane = chart.plotting_area();
    let font = ("sans-serif", 12).into_font();
    let across = font.clone().transform(FontTransform::Rotate90).color(&BLACK);
    let across = across.pos(Pos::new(HPos::Left, VPos::Center));
    let beside = font.color(&BLACK).pos(Pos::new(HPos::Right, VPos::Center));
    // (Coordinates of the plane are those of the whole picture, those of text of the area.)
    let (area_left, area_top) = area.get_base_pixel();
    let (left, bottom) = plane.map_coordinate(&(0, 0));
    for (number, word) in words.iter().enumerate() {
        let number = number as i32;
        let (x, y) = plane.map_coordinate(&(number, number));
        let (x1, y1) = plane.map_coordinate(&(number + 1, number + 1));
        let below = ((x + x1) / 2 - area_left, bottom - area_top + 6);
        area.draw_text(word, &across, below)?;
        area.draw_text(word, &beside, (left - area_left - 6, (y + y1) / 2 - area_top))?;
    }
    Ok(())
}
