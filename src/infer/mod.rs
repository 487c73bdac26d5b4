//! What the samples say about instructions: latencies from loops, throughputs from bodies.
