//! Compiles the C++ shim over LLVM's MC classes, when the driver is built.

#[cfg(feature = "llvm")]
use std::{env, path::PathBuf, process::Command};

/// One release of LLVM that winic can be built against.
#[cfg(feature = "llvm")]
struct Release {
    feature: &'static str,
    major: u32,
    prefix_variable: &'static str,
}

#[cfg(feature = "llvm")]
const RELEASES: [Release; 2] = [
    Release { feature: "CARGO_FEATURE_LLVM22", major: 22, prefix_variable: "LLVM_SYS_221_PREFIX" },
    Release { feature: "CARGO_FEATURE_LLVM19", major: 19, prefix_variable: "LLVM_SYS_191_PREFIX" },
];

#[cfg(not(feature = "llvm"))]
fn main() {}

#[cfg(feature = "llvm")]
fn main() {
    if let Err(reason) = build_shim() {
        println!("cargo::error={reason}");
    }
}

#[cfg(feature = "llvm")]
fn build_shim() -> Result<(), String> {
    let chosen: Vec<_> = RELEASES.iter().filter(|r| env::var_os(r.feature).is_some()).collect();
    let [release] = chosen[..] else {
        return Err("choose exactly one of the features llvm22 (the default) and llvm19".into());
    };
    let llvm = locate(release)?;
    println!("cargo::rerun-if-changed=src/llvm/shim.cpp");
    println!("cargo::rerun-if-changed=src/llvm/shim.h");
    println!("cargo::rerun-if-env-changed={}", release.prefix_variable);
    cc::Build::new()
        .cpp(true)
        .std("c++17")
        .flag("-fno-rtti")
        .flag("-fno-exceptions")
        // LLVM's own headers are not free of warnings; the shim is.
        .flag("-isystem")
        .flag(config(&llvm, "--includedir")?)
        .define("__STDC_CONSTANT_MACROS", None)
        .define("__STDC_LIMIT_MACROS", None)
        .file("src/llvm/shim.cpp")
        .try_compile("winic_shim")
        .map_err(|error| format!("the shim over LLVM does not compile: {error}"))
}

/// The `llvm-config` of the release, checked to be of that release.
#[cfg(feature = "llvm")]
fn locate(release: &Release) -> Result<PathBuf, String> {
    let major = release.major;
    let remedy = format!(
        "install it with `apt-get install llvm-{major}-dev` (scripts/run does), or set {} to its prefix",
        release.prefix_variable
    );
    let prefix = env::var(release.prefix_variable).unwrap_or_else(|_| format!("/usr/lib/llvm-{major}"));
    let llvm = PathBuf::from(&prefix).join("bin/llvm-config");
    if !llvm.exists() {
        return Err(format!("LLVM {major} is not in {prefix}: {remedy}"));
    }
    let version = config(&llvm, "--version")?;
    if version.split('.').next() != Some(&major.to_string()) {
        return Err(format!("{prefix} holds LLVM {version}, but LLVM {major} is needed: {remedy}"));
    }
    Ok(llvm)
}

#[cfg(feature = "llvm")]
fn config(llvm: &PathBuf, option: &str) -> Result<String, String> {
    let output = Command::new(llvm)
        .arg(option)
        .output()
        .map_err(|error| format!("cannot run {}: {error}", llvm.display()))?;
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}
