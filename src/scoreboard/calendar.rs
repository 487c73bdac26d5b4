//! When the units of one kind are occupied.

use super::operation::{CYCLE, Ticks, UnitShape};

/// When the units of one kind are occupied: of each a list of spans, in order and apart.
#[derive(Debug, Clone)]
pub(super) struct Calendar {
    in_order: bool,
    /// When the last instruction started, if they do in order.
    last_start: Ticks,
    spans: Vec<Vec<(Ticks, Ticks)>>,
}

impl Calendar {
    pub fn new(shape: UnitShape) -> Self {
        Self { in_order: shape.in_order, last_start: 0, spans: vec![Vec::new(); shape.count] }
    }

    /// The earliest time from one on at which one of the units is free for so long, and which.
    pub fn earliest(&self, from: Ticks, busy: Ticks) -> (Ticks, usize) {
        let from = if self.in_order { from.max(self.last_start) } else { from };
        let free = |spans: &Vec<(Ticks, Ticks)>| {
            spans.iter().fold((from, false), |(time, found), &(start, end)| {
                if found || time + busy <= start { (time, true) } else { (time.max(end), false) }
            })
        };
        let times = self.spans.iter().map(|spans| free(spans).0);
        times.zip(0..).min().unwrap_or((from, 0))
    }

    /// Occupies a unit that is free then.
    pub fn occupy(&mut self, unit: usize, start: Ticks, busy: Ticks) {
        self.last_start = self.last_start.max(start);
        if busy == 0 {
            return;
        }
        let (spans, mut span) = (&mut self.spans[unit], (start, start + busy));
        let mut at = spans.partition_point(|&(begin, _)| begin < start);
        if at < spans.len() && spans[at].0 == span.1 {
            span.1 = spans.remove(at).1;
        }
        if at > 0 && spans[at - 1].1 == span.0 {
            at -= 1;
            span.0 = spans.remove(at).0;
        }
        spans.insert(at, span);
    }

    /// Forgets what ended before anything can still start, and says how things stand from then on.
    pub fn settle(&mut self, now: Ticks, state: &mut Vec<Ticks>) {
        state.push(if self.in_order { self.last_start.saturating_sub(now) } else { 0 });
        for spans in &mut self.spans {
            spans.retain(|&(_, end)| end > now);
            state.push(spans.len() as Ticks * CYCLE);
            let ends = |&(start, end): &(Ticks, Ticks)| [start.saturating_sub(now), end - now];
            state.extend(spans.iter().flat_map(ends));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_are_filled_where_starts_need_no_order() {
        let filled = |in_order| {
            let mut calendar = Calendar::new(UnitShape { count: 1, in_order });
            calendar.occupy(0, 10, 5);
            let first = calendar.earliest(0, 4).0;
            calendar.occupy(0, first, 4);
            (first, calendar.earliest(0, 7).0, calendar.earliest(0, 6).0)
        };
        assert_eq!(filled(false), (0, 15, 4));
        assert_eq!(filled(true), (15, 19, 19));
    }

    #[test]
    fn adjacent_spans_become_one() {
        let mut calendar = Calendar::new(UnitShape { count: 2, in_order: false });
        for start in [0, 2, 1] {
            let (time, unit) = calendar.earliest(start, 1);
            calendar.occupy(unit, time, 1);
        }
        assert_eq!(calendar.spans, [vec![(0, 3)], vec![]]);
        assert_eq!(calendar.earliest(0, 2), (0, 1));
    }
}
