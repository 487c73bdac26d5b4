//! Frequencies that fall as more cores are at work.

use serde::Deserialize;

use crate::units::Hertz;

/// Frequencies as a file has them, in GHz.
#[derive(Debug, Clone, Deserialize)]
#[serde(
    untagged,
    expecting = "a frequency in GHz, or a list: with one core at work, with two, and so on"
)]
pub enum FrequencyEntry {
    /// With any number of cores at work.
    Constant(f64),
    /// With one at work, with two and so on; the last holds for more.
    ByCoresAtWork(Vec<f64>),
}

/// A clock's frequency by how many of the machine's cores, of any kind, are at work.
#[derive(Debug, Clone, PartialEq)]
pub struct Frequencies {
    /// With one core at work.
    alone: Hertz,
    /// With two, three and so on; the last holds for more.
    beside: Vec<Hertz>,
}

impl Frequencies {
    /// From GHz.
    ///
    /// # Errors
    /// When there is no frequency, or one is not above zero.
    pub fn new(entry: &FrequencyEntry) -> Result<Self, &'static str> {
        let gigahertz = match entry {
            FrequencyEntry::Constant(one) => std::slice::from_ref(one),
            FrequencyEntry::ByCoresAtWork(all) => all,
        };
        let hertz = gigahertz.iter().map(|it| Hertz::new(it * 1e9)).collect::<Result<Vec<_>, _>>();
        match hertz.as_deref() {
            Err(_) => Err("a frequency must be above 0 GHz"),
            Ok([]) => Err("there is no frequency in the list: write one, in GHz"),
            Ok([alone, beside @ ..]) => Ok(Self { alone: *alone, beside: beside.to_vec() }),
        }
    }

    /// While so many cores are at work.
    #[must_use]
    pub fn with(&self, cores: u32) -> Hertz {
        let others = self.beside.len().min(cores.saturating_sub(1) as usize);
        others.checked_sub(1).map_or(self.alone, |at| self.beside[at])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::database::read_yaml;

    fn frequencies(text: &str) -> Result<[f64; 4], &'static str> {
        let own = Frequencies::new(&read_yaml(text).unwrap())?;
        Ok([1, 2, 3, 9].map(|cores| own.with(cores).get() / 1e9))
    }

    #[test]
    fn the_last_holds_for_more_cores() {
        assert_eq!(frequencies("3.5"), Ok([3.5; 4]));
        assert_eq!(frequencies("[4.0, 3.5]"), Ok([4.0, 3.5, 3.5, 3.5]));
        assert_eq!(frequencies("[4.0, 3.5, 3.0]"), Ok([4.0, 3.5, 3.0, 3.0]));
    }

    #[test]
    fn no_clock_stands_still() {
        assert!(frequencies("[]").unwrap_err().contains("no frequency"));
        for bad in ["0", "[3.0, 0]", "-1", ".nan"] {
            assert_eq!(frequencies(bad), Err("a frequency must be above 0 GHz"));
        }
    }
}
