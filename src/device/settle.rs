//! When enough windows have been taken, and what a call costs beyond its body.
//!
//! Both are pure functions of ticks. [`Judge`] is at work inside the children, so it
//! neither allocates nor uses floating point (a kernel may leave the floating-point unit in
//! any state) and cannot panic.

use super::Window;
use crate::repetition::window;

/// The two references of a window may differ by 5/1000, else the clock moved within it.
const STEADY_PER_MILLE: u128 = 5;

/// Windows agree when they are within 2/1000 of the smallest.
const AGREE_PER_MILLE: u128 = 2;

/// By how much the sentinel may be slower than on a quiet core, in 1/1000. One that is slower shared
/// the core: a second hardware thread takes half of the front end while it is busy.
pub const SHARED_PER_MILLE: u64 = 60;

/// Loop counts that hold for all windows of a kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Loops {
    pub reference: u64,
    pub sentinel: u64,
}

/// Time of one iteration of the sentinel in 2^-20 iterations of the reference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Pulse(u128);

impl Pulse {
    /// As one window shows it, if it has a sentinel.
    pub fn of(window: &Window, loops: Loops) -> Option<Self> {
        let reference = u128::from(window.reference_before) + u128::from(window.reference_after);
        let ticks = u128::from(window.sentinel).saturating_mul(2 * u128::from(loops.reference));
        // Ticks and loop counts stay below 2^45, so that nothing is lost here.
        let each = reference.saturating_mul(u128::from(loops.sentinel));
        (ticks > 0 && each > 0).then(|| Self((ticks << 20) / each))
    }

    /// From the cycles that one iteration of each takes.
    pub fn from_cycles(sentinel: f64, reference: u32) -> Self {
        // A float becomes the nearest integer, and nonsense becomes 0 or the largest.
        Self((sentinel / f64::from(reference) * f64::from(1 << 20)) as u128)
    }

    fn is_shared(self, quietest: Self) -> bool {
        self.0.saturating_mul(1000) > quietest.0.saturating_mul(u128::from(1000 + SHARED_PER_MILLE))
    }
}

/// What windows say so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    /// Enough of them agree.
    Settled,
    /// Somebody else has been on the core during the last ones.
    HeldUp,
    /// Not enough.
    Open,
}

/// Judges the windows of one kernel as they are taken. They settle when at least four with a steady
/// clock agree: their `single / reference` is within one tick step and 0.2 % of the smallest one, and
/// so is their `double / reference`. At most one window in [`window::OUTLIERS`] may be below them.
/// Where it is known how fast the sentinel is on a quiet core, only windows of a quiet core count.
pub(super) struct Judge {
    tick_step: u64,
    quiet: Option<(Pulse, Loops)>,
    taken: usize,
    shared_in_a_row: usize,
    /// Those that count, each as a base to which the others are compared.
    bases: [Base; window::MOST],
    counting: usize,
}

/// A window, and how many of the others agree with it or are below it.
#[derive(Clone, Copy, Default)]
struct Base {
    ratios: Ratios,
    agreeing: usize,
    below: usize,
}

impl Base {
    fn compare(&mut self, other: &Ratios, tick_step: u64) {
        match other.beside(&self.ratios, tick_step) {
            Beside::Level => self.agreeing += 1,
            Beside::Below => self.below += 1,
            Beside::Above => {}
        }
    }
}

impl Judge {
    /// Of no windows yet. `tick_step` is in ticks, `quiet` how fast the sentinel is on a quiet core.
    pub fn new(tick_step: u64, quiet: Option<(Pulse, Loops)>) -> Self {
        let bases = [Base::default(); window::MOST];
        Self { tick_step, quiet, taken: 0, shared_in_a_row: 0, bases, counting: 0 }
    }

    /// What the windows say with one more; those beyond the capacity do not count.
    pub fn hear(&mut self, window: &Window) -> Verdict {
        self.taken += 1;
        let shared = self.is_shared(window);
        self.shared_in_a_row = if shared { self.shared_in_a_row + 1 } else { 0 };
        if !shared && steady(window, self.tick_step) {
            self.count(Ratios::of(window));
        }
        let most_below = self.taken / window::OUTLIERS;
        let settles = |base: &Base| base.agreeing >= window::AGREEING && base.below <= most_below;
        if self.bases.iter().take(self.counting).any(settles) {
            Verdict::Settled
        } else if self.shared_in_a_row >= window::IN_A_ROW {
            Verdict::HeldUp
        } else {
            Verdict::Open
        }
    }

    /// Whether somebody else was on the core beside a window.
    pub fn is_shared(&self, window: &Window) -> bool {
        self.quiet.is_some_and(|(quietest, loops)| {
            Pulse::of(window, loops).is_some_and(|pulse| pulse.is_shared(quietest))
        })
    }

    fn count(&mut self, ratios: Ratios) {
        let tick_step = self.tick_step;
        let mut new = Base { ratios, ..Base::default() };
        // Every window agrees with itself.
        new.compare(&ratios, tick_step);
        for base in self.bases.iter_mut().take(self.counting) {
            base.compare(&ratios, tick_step);
            new.compare(&base.ratios, tick_step);
        }
        if let Some(place) = self.bases.get_mut(self.counting) {
            *place = new;
            self.counting += 1;
        }
    }
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

/// Durations of both functions in units of the reference.
#[derive(Clone, Copy, Default)]
struct Ratios {
    single: Ratio,
    double: Ratio,
}

/// Where a window lies beside another.
enum Beside {
    /// One of its durations is shorter, neither is clearly longer.
    Below,
    /// Both are the same or hardly longer.
    Level,
    /// One is longer than what agrees.
    Above,
}

impl Ratios {
    fn of(window: &Window) -> Self {
        let reference = window.reference_before.saturating_add(window.reference_after);
        let ratio = |ticks| Ratio { ticks, reference };
        Self { single: ratio(window.single), double: ratio(window.double) }
    }

    fn beside(&self, base: &Self, tick_step: u64) -> Beside {
        let agrees = self.single.agrees(base.single, tick_step)
            && self.double.agrees(base.double, tick_step);
        let shorter = self.single.is_below(base.single) || self.double.is_below(base.double);
        match (agrees, shorter) {
            (true, false) => Beside::Level,
            (true, true) => Beside::Below,
            (false, _) => Beside::Above,
        }
    }
}

/// `ticks / reference`, exactly.
#[derive(Clone, Copy, Default)]
struct Ratio {
    ticks: u64,
    reference: u64,
}

impl Ratio {
    fn is_below(self, other: Self) -> bool {
        product(self.ticks, other.reference) < product(other.ticks, self.reference)
    }

    /// `self <= base * 1.002 + tick_step / self.reference`, multiplied out.
    fn agrees(self, base: Self, tick_step: u64) -> bool {
        let own = product(self.ticks, base.reference).saturating_mul(1000);
        let slack = product(tick_step, base.reference).saturating_mul(1000);
        let limit = product(base.ticks, self.reference)
            .saturating_mul(1000 + AGREE_PER_MILLE)
            .saturating_add(slack);
        own <= limit
    }
}

fn product(a: u64, b: u64) -> u128 {
    u128::from(a) * u128::from(b)
}

#[cfg(test)]
mod tests {
    use super::*;

    const STEP: u64 = 26;

    fn verdict(windows: &[Window], step: u64, quiet: Option<(Pulse, Loops)>) -> Verdict {
        let mut judge = Judge::new(step, quiet);
        windows.iter().map(|window| judge.hear(window)).last().unwrap_or(Verdict::Open)
    }

    fn settled(windows: &[Window], step: u64, quiet: Option<(Pulse, Loops)>) -> bool {
        verdict(windows, step, quiet) == Verdict::Settled
    }

    fn window(reference: u64, single: u64, double: u64) -> Window {
        Window {
            reference_before: reference,
            single,
            double,
            reference_after: reference,
            ..Window::default()
        }
    }

    #[test]
    fn four_equal_windows_settle_and_three_do_not() {
        let windows = [window(15_600, 7_800, 15_600); 4];
        assert!(settled(&windows, STEP, None));
        assert!(!settled(&windows[..3], STEP, None));
        assert!(!settled(&[], STEP, None));
    }

    #[test]
    fn a_tick_of_dither_is_agreement() {
        let mut windows = [window(15_600, 7_800, 15_600); 4];
        windows[1].single += STEP;
        windows[2].double += STEP;
        windows[3].reference_after += STEP;
        assert!(settled(&windows, STEP, None));
    }

    #[test]
    fn disturbed_windows_do_not_count_but_do_no_harm() {
        let mut windows = [window(15_600, 7_800, 15_600); 6];
        windows[0].single = 9_000;
        windows[3].double = 20_000;
        assert!(settled(&windows, STEP, None));
        windows[5].double = 20_000;
        assert!(!settled(&windows, STEP, None));
    }

    #[test]
    fn a_smaller_value_makes_the_others_disagree() {
        let mut windows = [window(15_600, 7_800, 15_600); 5];
        windows[4].single = 7_000;
        assert!(!settled(&windows, STEP, None));
    }

    #[test]
    fn windows_in_which_the_clock_moved_do_not_count() {
        let mut windows = [window(15_600, 7_800, 15_600); 4];
        windows[0].reference_after = 15_800;
        assert!(!settled(&windows, STEP, None));
    }

    #[test]
    fn the_clock_may_move_between_windows() {
        let slow = window(31_200, 15_600, 31_200);
        let fast = window(15_600, 7_800, 15_600);
        assert!(settled(&[slow, fast, slow, fast], STEP, None));
    }

    #[test]
    fn no_value_overflows() {
        let windows = [window(u64::MAX, u64::MAX, u64::MAX); 4];
        let _ = settled(&windows, u64::MAX, None);
        assert!(!settled(&[window(0, 0, 0); 4], STEP, None));
    }

    /// On a quiet core the sentinel takes a quarter of the reference here.
    fn with_sentinel(sentinel: u64) -> Window {
        Window { sentinel, ..window(15_600, 7_800, 15_600) }
    }

    const LOOPS: Loops = Loops { reference: 100, sentinel: 25 };

    #[test]
    fn windows_of_a_shared_core_agree_in_vain() {
        // As long as the reference, an iteration of 64 cycles.
        let quietest = Pulse::from_cycles(64.0, 64);
        let shared = [with_sentinel(6_600); 6];
        assert!(settled(&shared, STEP, None));
        assert!(!settled(&shared, STEP, Some((quietest, LOOPS))));
        let mut mixed = [with_sentinel(3_926); 8];
        mixed[..4].copy_from_slice(&shared[..4]);
        assert!(settled(&mixed, STEP, Some((quietest, LOOPS))));
        assert!(settled(&[window(15_600, 7_800, 15_600); 4], STEP, Some((quietest, LOOPS))));
    }

    #[test]
    fn who_stays_on_the_core_ends_the_kernel() {
        let quiet = Some((Pulse::from_cycles(64.0, 64), LOOPS));
        let mut windows = [with_sentinel(6_600); window::IN_A_ROW + 2];
        assert_eq!(verdict(&windows[..window::IN_A_ROW - 1], STEP, quiet), Verdict::Open);
        assert_eq!(verdict(&windows[..window::IN_A_ROW], STEP, quiet), Verdict::HeldUp);
        // A quiet moment is hope; and without a sentinel nobody knows.
        windows[window::IN_A_ROW - 1] = with_sentinel(3_926);
        assert_eq!(verdict(&windows, STEP, quiet), Verdict::Open);
        assert_eq!(verdict(&windows[..3], STEP, None), Verdict::Open);
    }

    #[test]
    fn windows_beyond_the_capacity_are_no_mistake() {
        let mut judge = Judge::new(0, None);
        for number in 0..2 * window::MOST as u64 {
            let verdict = judge.hear(&window(15_600, 7_800 + 100 * number, 15_600));
            assert_eq!(verdict, Verdict::Open);
        }
    }

    #[test]
    fn manual_kernels_have_no_double() {
        assert!(settled(&[window(15_600, 7_800, 0); 4], STEP, None));
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
