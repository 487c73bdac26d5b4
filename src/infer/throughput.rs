//! Throughput of a form from the durations of several bodies.
