//! Features of an architecture: what LLVM calls its extensions.

use super::{Llvm, TargetChoice, TargetError};

/// A feature, by LLVM's number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Feature(u32);

impl Llvm {
    /// All features of the architecture, whether or not the target has them.
    pub fn features(&self) -> impl Iterator<Item = (Feature, String)> + '_ {
        (0..self.shim.feature_count()).map(|id| (Feature(id), self.shim.feature_name(id)))
    }

    /// Features that come with another one.
    pub fn implied_by(&self, feature: Feature) -> impl Iterator<Item = (Feature, String)> + '_ {
        self.features().filter(move |(other, _)| self.shim.feature_implies(feature.0, other.0))
    }

    /// The same target without some features, those that imply them left as they are.
    ///
    /// # Errors
    /// When LLVM cannot set the target up once more.
    pub fn without(&self, features: &[Feature]) -> Result<Self, TargetError> {
        let mut out = Self::new(self.choice.clone())?;
        features.iter().for_each(|feature| out.shim.turn_off(feature.0));
        Ok(out)
    }

    /// A bare CPU of the same architecture with nothing but one feature and what that implies.
    ///
    /// # Errors
    /// When LLVM cannot set such a target up.
    pub fn with_only(&self, feature: &str) -> Result<Self, TargetError> {
        let features = format!("+{feature}");
        Self::new(TargetChoice { cpu: String::new(), features, ..self.choice.clone() })
    }
}
