//! From ticks to cycles with an uncertainty.
