//! winic-runner: runs kernels for a winic at the other end of its standard input and output.

fn main() {}
