//! When enough windows have been taken, and what a call costs beyond its body.
//!
//! Both are pure functions of ticks. [`settled`] is also called inside the children, so it
//! neither allocates nor uses floating point (a kernel may leave the floating-point unit in
//! any state) and cannot panic.

use super::Window;

/// How many windows must agree.
const AGREEING: usize = 4;

/// The two references of a window may differ by 5/1000, else the clock moved within it.
const STEADY_PER_MILLE: u128 = 5;

/// Windows agree when they are within 2/1000 of the smallest.
const AGREE_PER_MILLE: u128 = 2;

/// Whether at least four windows with a steady clock agree: their `single / reference` is within
/// one tick step and 0.2 % of the smallest one, and so is their `double / reference`.
/// `tick_step` is in ticks.
#[must_use]
pub(super) fn settled(windows: &[Window], tick_step: u64) -> bool {
    let is_steady = |window: &&Window| steady(window, tick_step);
    let mut smallest: Option<(Ratio, Ratio)> = None;
    for window in windows.iter().filter(is_steady) {
        let (single, double) = ratios(window);
        smallest = Some(match smallest {
            None => (single, double),
            Some((s, d)) => (s.min(single), d.min(double)),
        });
    }
    let Some((smallest_single, smallest_double)) = smallest else { return false };
    let agreeing = windows.iter().filter(is_steady).filter(|window| {
        let (single, double) = ratios(window);
        single.agrees(smallest_single, tick_step) && double.agrees(smallest_double, tick_step)
    });
    agreeing.count() >= AGREEING
}

/// Ticks that a call takes beyond its body: from calls with two loop counts, `short` below
/// `long`, as the axis intercept of the line through their durations.
/// Zero when there is nothing to tell it from.
pub(super) fn call_overhead(short: (u64, &[u64]), long: (u64, &[u64]), tick_step: u64) -> f64 {
    let ((few, short), (many, long)) = (short, long);
    let (Some(short), Some(long)) = (undisturbed(short, tick_step), undisturbed(long, tick_step))
    else {
        return 0.0;
    };
    if many <= few {
        return 0.0;
    }
    let (few, many) = (few as f64, many as f64);
    (many * short - few * long) / (many - few)
}

/// The mean of the durations within one tick step of the smallest: the tick counter's phase
/// is random, so their mean is finer than a step. (Half a step more, because some counters are
/// scaled and their steps are not all equal.)
fn undisturbed(durations: &[u64], tick_step: u64) -> Option<f64> {
    let smallest = *durations.iter().min()?;
    let limit = smallest + tick_step + tick_step / 2;
    let near = durations.iter().filter(|&&duration| duration <= limit);
    let (sum, count) = near.fold((0, 0), |(sum, count), &duration| (sum + duration, count + 1));
    Some(sum as f64 / f64::from(count))
}

fn steady(window: &Window, tick_step: u64) -> bool {
    let (before, after) = (window.reference_before, window.reference_after);
    let (difference, longer) = (before.abs_diff(after), before.max(after));
    let allowed =
        (u128::from(longer) * STEADY_PER_MILLE).saturating_add(u128::from(tick_step) * 1000);
    longer > 0 && u128::from(difference) * 1000 <= allowed
}

fn ratios(window: &Window) -> (Ratio, Ratio) {
    let reference = u128::from(window.reference_before) + u128::from(window.reference_after);
    let ratio = |ticks: u64| Ratio { ticks: ticks.into(), reference };
    (ratio(window.single), ratio(window.double))
}

/// `ticks / reference`, exactly.
#[derive(Clone, Copy)]
struct Ratio {
    ticks: u128,
    reference: u128,
}

impl Ratio {
    fn min(self, other: Self) -> Self {
        let is_less =
            self.ticks.saturating_mul(other.reference) < other.ticks.saturating_mul(self.reference);
        if is_less { self } else { other }
    }

    /// `self <= smallest * 1.002 + tick_step / self.reference`, multiplied out.
    fn agrees(self, smallest: Self, tick_step: u64) -> bool {
        let own = self.ticks.saturating_mul(smallest.reference).saturating_mul(1000);
        let slack = u128::from(tick_step).saturating_mul(smallest.reference).saturating_mul(1000);
        let limit = smallest
            .ticks
            .saturating_mul(self.reference)
            .saturating_mul(1000 + AGREE_PER_MILLE)
            .saturating_add(slack);
        own <= limit
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STEP: u64 = 26;

    fn window(reference: u64, single: u64, double: u64) -> Window {
        Window { reference_before: reference, single, double, reference_after: reference }
    }

    #[test]
    fn four_equal_windows_settle_and_three_do_not() {
        let windows = [window(15_600, 7_800, 15_600); 4];
        assert!(settled(&windows, STEP));
        assert!(!settled(&windows[..3], STEP));
        assert!(!settled(&[], STEP));
    }

    #[test]
    fn a_tick_of_dither_is_agreement() {
        let mut windows = [window(15_600, 7_800, 15_600); 4];
        windows[1].single += STEP;
        windows[2].double += STEP;
        windows[3].reference_after += STEP;
        assert!(settled(&windows, STEP));
    }

    #[test]
    fn disturbed_windows_do_not_count_but_do_no_harm() {
        let mut windows = [window(15_600, 7_800, 15_600); 6];
        windows[0].single = 9_000;
        windows[3].double = 20_000;
        assert!(settled(&windows, STEP));
        windows[5].double = 20_000;
        assert!(!settled(&windows, STEP));
    }

    #[test]
    fn a_smaller_value_makes_the_others_disagree() {
        let mut windows = [window(15_600, 7_800, 15_600); 5];
        windows[4].single = 7_000;
        assert!(!settled(&windows, STEP));
    }

    #[test]
    fn windows_in_which_the_clock_moved_do_not_count() {
        let mut windows = [window(15_600, 7_800, 15_600); 4];
        windows[0].reference_after = 15_800;
        assert!(!settled(&windows, STEP));
    }

    #[test]
    fn the_clock_may_move_between_windows() {
        let slow = window(31_200, 15_600, 31_200);
        let fast = window(15_600, 7_800, 15_600);
        assert!(settled(&[slow, fast, slow, fast], STEP));
    }

    #[test]
    fn no_value_overflows() {
        let windows = [window(u64::MAX, u64::MAX, u64::MAX); 4];
        let _ = settled(&windows, u64::MAX);
        assert!(!settled(&[window(0, 0, 0); 4], STEP));
    }

    #[test]
    fn manual_kernels_have_no_double() {
        assert!(settled(&[window(15_600, 7_800, 0); 4], STEP));
    }

    #[test]
    fn the_overhead_is_the_axis_intercept() {
        // 40 ticks and 3 for each iteration; one duration in each is disturbed.
        let overhead = call_overhead((10, &[70, 70, 500]), (100, &[340, 340, 9000]), 1);
        assert!((overhead - 40.0).abs() < 1e-9, "{overhead}");
        assert_eq!(call_overhead((10, &[]), (100, &[340]), 1), 0.0);
        assert_eq!(call_overhead((10, &[70]), (10, &[70]), 1), 0.0);
    }

    #[test]
    fn dither_is_averaged() {
        let durations = [52, 78, 52, 52, 400];
        assert_eq!(undisturbed(&durations, STEP), Some(58.5));
    }
}
