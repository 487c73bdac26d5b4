//! What a file says of store forwarding.

use serde::{Deserialize, Serialize};

use super::number;
use crate::form::RegisterFile;

/// How long it takes from what is stored to what is loaded.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ForwardingTime {
    /// Of which file the registers are that are stored and loaded.
    #[serde(default)]
    pub registers: RegisterFile,
    /// Bits that are stored.
    #[serde(default)]
    pub stored: u32,
    /// Bits that are loaded.
    #[serde(default)]
    pub loaded: u32,
    /// Bytes from where the store begins to where the load does.
    #[serde(default)]
    pub offset: i32,
    /// Cycles from data to data, where the load names the address otherwise than the store does.
    #[serde(default, with = "number")]
    pub cycles: Option<f64>,
    /// How far off that may be.
    #[serde(default, with = "number")]
    pub uncertainty: Option<f64>,
    /// The same where it names the address as the store does: cores that rename memory find it sooner.
    #[serde(default, with = "number")]
    pub same_address: Option<f64>,
}
