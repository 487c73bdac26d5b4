//! The features of an architecture, as LLVM numbers them.

use std::ffi::CStr;

use super::{Shim, winic_feature_count, winic_feature_implies, winic_feature_name, winic_turn_off};

impl Shim {
    pub fn feature_count(&self) -> u32 {
        // SAFETY: the target is alive.
        unsafe { winic_feature_count(self.raw()) }
    }

    /// `feature` must be below [`Self::feature_count`].
    pub fn feature_name(&self, feature: u32) -> String {
        self.check(feature);
        // SAFETY: the target is alive, the number in range, the name NUL-terminated and static.
        let name = unsafe { CStr::from_ptr(winic_feature_name(self.raw(), feature)) };
        name.to_string_lossy().into_owned()
    }

    /// Both must be below [`Self::feature_count`].
    pub fn feature_implies(&self, feature: u32, other: u32) -> bool {
        self.check(feature.max(other));
        // SAFETY: the target is alive and the numbers are in range.
        unsafe { winic_feature_implies(self.raw(), feature, other) != 0 }
    }

    /// `feature` must be below [`Self::feature_count`].
    pub fn turn_off(&mut self, feature: u32) {
        self.check(feature);
        // SAFETY: the target is alive, nobody else uses it, and the number is in range.
        unsafe { winic_turn_off(self.raw(), feature) }
    }

    fn check(&self, feature: u32) {
        assert!(feature < self.feature_count(), "feature {feature} is out of range");
    }
}
