//! Compiles the C++ shim over LLVM's MC classes and links LLVM, when the driver is built, and
//! tells it the fingerprint of its sources.
//!
//! LLVM is linked here and not by llvm-sys, so that a machine without it gets the one sentence
//! below that says what to install.

#[cfg(feature = "llvm")]
#[path = "build/sources.rs"]
mod sources;

#[cfg(feature = "llvm")]
use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

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

#[cfg(feature = "llvm")]
const SHIM: [&str; 4] = [
    "src/llvm/intrinsics.cpp",
    "src/llvm/machine_code.cpp",
    "src/llvm/shim.cpp",
    "src/llvm/simulator.cpp",
];
#[cfg(feature = "llvm")]
const SHIM_HEADERS: [&str; 3] = ["src/llvm/pipeline.h", "src/llvm/shim.h", "src/llvm/target.h"];

#[cfg(not(feature = "llvm"))]
fn main() {
    // Without this line any file of the repository would have the runner built again.
    println!("cargo::rerun-if-changed=build.rs");
}

#[cfg(feature = "llvm")]
fn main() {
    if let Err(reason) = chosen_release().and_then(build) {
        println!("cargo::error={reason}");
    }
}

#[cfg(feature = "llvm")]
fn chosen_release() -> Result<&'static Release, String> {
    let chosen: Vec<_> = RELEASES.iter().filter(|r| env::var_os(r.feature).is_some()).collect();
    match chosen[..] {
        [release] => Ok(release),
        _ => Err("choose exactly one of the features llvm22 (the default) and llvm19".into()),
    }
}

#[cfg(feature = "llvm")]
fn build(release: &Release) -> Result<(), String> {
    println!("cargo::rerun-if-env-changed={}", release.prefix_variable);
    tell_fingerprint()?;
    let llvm = Llvm::locate(release)?;
    shim(&llvm.headers()?)?;
    // After the shim: linkers look for symbols in the order of the libraries.
    llvm.link()?;
    // The runner uses no C++. But what the shim has of templates linkers keep, and libstdc++
    // with it, as long as a shared library might ask for it.
    println!("cargo::rustc-link-arg-bin=winic-runner=-Wl,--exclude-libs,ALL");
    Ok(())
}

/// The sources' fingerprint is the variable `WINIC_SOURCES` of the compiler.
#[cfg(feature = "llvm")]
fn tell_fingerprint() -> Result<(), String> {
    for place in sources::SOURCES.iter().chain(&["build"]) {
        println!("cargo::rerun-if-changed={place}");
    }
    let fingerprint = fingerprint_of(&sources::SOURCES)?;
    println!("cargo::rustc-env=WINIC_SOURCES={fingerprint:08x}");
    Ok(())
}

#[cfg(feature = "llvm")]
fn fingerprint_of(places: &[&str]) -> Result<u32, String> {
    sources::fingerprint(Path::new("."), places)
        .map_err(|error| format!("cannot read the sources: {error}"))
}

/// Compiles the shim, which takes seconds, unless it was compiled of the same files in the same
/// way before: this program runs again whenever any source has changed.
#[cfg(feature = "llvm")]
fn shim(headers: &Path) -> Result<(), String> {
    let folder = PathBuf::from(env::var_os("OUT_DIR").ok_or("Cargo names no folder for output")?);
    let (library, stamp) = (folder.join("libwinic_shim.a"), folder.join("shim.stamp"));
    let made_of = made_of(headers)?;
    if !library.exists() || fs::read_to_string(&stamp).ok().as_deref() != Some(&made_of) {
        compile_shim(headers)?;
        fs::write(&stamp, made_of)
            .map_err(|error| format!("cannot write {}: {error}", stamp.display()))?;
    }
    println!("cargo::rustc-link-search=native={}", folder.display());
    println!("cargo::rustc-link-lib=static=winic_shim");
    println!("cargo::rustc-link-lib=dylib=stdc++");
    Ok(())
}

/// All that the compiled shim depends on, as a text.
#[cfg(feature = "llvm")]
fn made_of(headers: &Path) -> Result<String, String> {
    let files = fingerprint_of(&[&SHIM[..], &SHIM_HEADERS, &["build.rs"]].concat())?;
    let variables = COMPILER_VARIABLES.map(|name| {
        println!("cargo::rerun-if-env-changed={name}");
        format!("{name}={}", env::var(name).unwrap_or_default())
    });
    Ok(format!("{files:08x} {} {}", headers.display(), variables.join(" ")))
}

/// What chooses the C++ compiler and its options, by Cargo or by whoever builds.
#[cfg(feature = "llvm")]
const COMPILER_VARIABLES: [&str; 6] = ["CXX", "CXXFLAGS", "TARGET", "HOST", "OPT_LEVEL", "DEBUG"];

#[cfg(feature = "llvm")]
fn compile_shim(headers: &Path) -> Result<(), String> {
    cc::Build::new()
        .cargo_metadata(false)
        .cpp(true)
        .std("c++17")
        .flag("-fno-rtti")
        .flag("-fno-exceptions")
        // LLVM's own headers are not free of warnings; the shim is.
        .flag("-isystem")
        .flag(headers)
        .define("__STDC_CONSTANT_MACROS", None)
        .define("__STDC_LIMIT_MACROS", None)
        .files(SHIM)
        .try_compile("winic_shim")
        .map_err(|error| match error.to_string() {
            error if error.contains("find tool") => {
                "no C++ compiler found: install one with `apt-get install g++` (scripts/run does)"
                    .into()
            }
            error => format!("the shim over LLVM does not compile: {}", one_line(&error)),
        })
}

/// An installation that was checked to be of the release.
#[cfg(feature = "llvm")]
struct Llvm {
    prefix: String,
    config: PathBuf,
    remedy: String,
}

#[cfg(feature = "llvm")]
impl Llvm {
    fn locate(release: &Release) -> Result<Self, String> {
        let major = release.major;
        let prefix =
            env::var(release.prefix_variable).unwrap_or_else(|_| format!("/usr/lib/llvm-{major}"));
        let config = Path::new(&prefix).join("bin/llvm-config");
        let remedy = format!(
            "install it with `apt-get install llvm-{major}-dev` (scripts/run does), \
             or set {} to where it is",
            release.prefix_variable
        );
        let llvm = Self { prefix, config, remedy };
        if !llvm.config.exists() {
            return Err(format!("LLVM {major} is not in {}: {}", llvm.prefix, llvm.remedy));
        }
        let version = llvm.ask(&["--version"])?;
        if version.split('.').next() != Some(&major.to_string()) {
            return Err(format!(
                "{} holds LLVM {version}, but winic needs LLVM {major}: {}",
                llvm.prefix, llvm.remedy
            ));
        }
        Ok(llvm)
    }

    /// The directory of the headers.
    fn headers(&self) -> Result<PathBuf, String> {
        let headers = PathBuf::from(self.ask(&["--includedir"])?);
        if headers.join("llvm/MC/MCInst.h").exists() {
            Ok(headers)
        } else {
            Err(format!("the LLVM in {} has no C++ headers: {}", self.prefix, self.remedy))
        }
    }

    /// Has Cargo link the shared library.
    fn link(&self) -> Result<(), String> {
        let directory = self.ask(&["--libdir"])?;
        let files = self.ask(&["--libnames", "--link-shared"])?;
        let name = files.strip_prefix("lib").and_then(|file| file.strip_suffix(".so"));
        match name {
            Some(name) if Path::new(&directory).join(&files).exists() => {
                println!("cargo::rustc-link-search=native={directory}");
                println!("cargo::rustc-link-lib=dylib={name}");
                // So that an LLVM of one's own, outside the system's places, is found when run.
                println!("cargo::rustc-link-arg=-Wl,-rpath,{directory}");
                Ok(())
            }
            _ => Err(format!("the LLVM in {} has no shared library: {}", self.prefix, self.remedy)),
        }
    }

    /// What `llvm-config` answers.
    fn ask(&self, options: &[&str]) -> Result<String, String> {
        let output = Command::new(&self.config)
            .args(options)
            .output()
            .map_err(|error| format!("cannot run {}: {error}", self.config.display()))?;
        Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
    }
}

/// Cargo takes one line for an error.
#[cfg(feature = "llvm")]
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
