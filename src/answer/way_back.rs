use std::fmt;

use super::Circumstance;

/// The helpers that lead from an edge's target back to its source, in their order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WayBack(pub Vec<Helper>);

/// An instruction that leads on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Helper {
    /// LLVM's name of the form.
    pub form: String,
    /// What is special about the instance.
    pub circumstance: Option<Circumstance>,
}

impl fmt::Display for WayBack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let helpers: Vec<String> = self.0.iter().map(Helper::to_string).collect();
        f.write_str(&helpers.join(", "))
    }
}

impl fmt::Display for Helper {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.circumstance {
            Some(circumstance) => write!(f, "{} ({circumstance})", self.form),
            None => f.write_str(&self.form),
        }
    }
}

impl From<String> for WayBack {
    fn from(text: String) -> Self {
        Self(text.split(", ").map(Helper::of).collect())
    }
}

impl Helper {
    fn of(text: &str) -> Self {
        let special = text.strip_suffix(')').and_then(|text| text.split_once(" ("));
        let (form, circumstance) = special.map_or((text, None), |(form, what)| (form, Some(what)));
        Self {
            form: form.to_owned(),
            circumstance: circumstance.map(|what| Circumstance::from(what.to_owned())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn helpers_are_told_apart_with_what_is_special_about_each() {
        let text = "FIRST, SECOND (condition b), THIRD";
        let way = WayBack::from(text.to_owned());
        let forms: Vec<&str> = way.0.iter().map(|helper| &*helper.form).collect();
        assert_eq!(forms, ["FIRST", "SECOND", "THIRD"]);
        let special = Circumstance::Values("condition b".to_owned());
        assert_eq!(way.0[1].circumstance, Some(special));
        assert_eq!(way.to_string(), text);
    }
}
