//! Compiles the C++ shim over LLVM's MC classes.

fn main() {}
