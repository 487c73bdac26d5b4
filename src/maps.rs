//! Maps and sets for what is looked up all the time: chains, experiments, parts of registers.
//!
//! The standard library's hash keeps strangers from choosing keys that collide. These keys are the
//! program's own and large, so a quicker hash is chosen. Nothing may depend on the order of entries.

use foldhash::fast::FixedState;

/// A map with a quick hash; `Map::default()` makes one.
pub type Map<K, V> = std::collections::HashMap<K, V, FixedState>;

/// A set with a quick hash; `Set::default()` makes one.
pub type Set<T> = std::collections::HashSet<T, FixedState>;
