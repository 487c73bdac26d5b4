//! The runner for macOS, which no machine here can run: what `scripts/cross macos` linked is a
//! program that a system on Apple's cores would load.

use std::path::Path;

// Of `mach-o/loader.h` and `mach-o/nlist.h`.
const MAGIC: u64 = 0xfeed_facf;
const ARM64: u64 = 0x0100_000c;
const EXECUTABLE: u64 = 2;
const POSITION_INDEPENDENT: u64 = 0x20_0000;
const SYMBOL_TABLE: u64 = 0x2;
const LOAD_LIBRARY: u64 = 0xc;
const CODE_SIGNATURE: u64 = 0x1d;
const ENTRY_POINT: u64 = 0x8000_0028;
/// Of a symbol's type: where it is defined, and whether others see it.
const DEFINED: u64 = 0x0e;
const EXTERNAL: u64 = 1;

/// What winic's own code needs of the system, besides what Rust's library does.
const NEEDED: [&str; 6] =
    ["_fork", "_waitpid", "_mprotect", "_setrlimit", "_setitimer", "_sysctlbyname"];

/// What only Linux has.
const OF_LINUX: [&str; 4] = ["_syscall", "_prctl", "_memfd_create", "_sched_setaffinity"];

#[test]
fn it_is_a_program_of_that_system() {
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("target"),
        |folder| Path::new(env!("CARGO_MANIFEST_DIR")).join(folder),
    );
    let path = target.join("cross/macos/winic-runner");
    let Ok(bytes) = std::fs::read(&path) else {
        let missing = format!("{} is missing: scripts/cross macos builds it", path.display());
        assert!(std::env::var_os("CI").is_none(), "{missing}");
        println!("skipped: {missing}");
        return;
    };
    let field = |at: usize| number(&bytes, at, 4);
    assert_eq!((field(0), field(4), field(12)), (MAGIC, ARM64, EXECUTABLE));
    assert!(field(24) & POSITION_INDEPENDENT != 0, "Apple's cores load nothing else");

    let commands = commands(&bytes);
    let of_kind = |kind: u64| commands.iter().filter(move |&&(own, _)| own == kind);
    let libraries: Vec<&str> =
        of_kind(LOAD_LIBRARY).map(|&(_, at)| text(&bytes, at + field(at + 8) as usize)).collect();
    assert_eq!(libraries, ["/usr/lib/libSystem.B.dylib"]);
    assert_eq!(of_kind(ENTRY_POINT).count(), 1);
    assert_eq!(of_kind(CODE_SIGNATURE).count(), 1, "Apple's cores run what is signed");

    // Every symbol that is not its own has that library behind it.
    let (_, table) = *of_kind(SYMBOL_TABLE).next().expect("a table of symbols");
    let (symbols, count, strings) = (field(table + 8), field(table + 12), field(table + 16));
    let foreign: Vec<&str> = (0..count as usize)
        .map(|index| symbols as usize + 16 * index)
        .filter(|&at| number(&bytes, at + 4, 1) & (DEFINED | EXTERNAL) == EXTERNAL)
        .map(|at| {
            let name = text(&bytes, strings as usize + field(at) as usize);
            assert_eq!(number(&bytes, at + 7, 1), 1, "{name} is of no library");
            name
        })
        .collect();
    for name in NEEDED {
        assert!(foreign.contains(&name), "{name} is not in {foreign:?}");
    }
    for name in OF_LINUX {
        assert!(!foreign.contains(&name), "{name}");
    }
}

/// Kinds and places of the load commands.
fn commands(bytes: &[u8]) -> Vec<(u64, usize)> {
    let mut at = 32;
    let mut next = || {
        let here = at;
        at += number(bytes, here + 4, 4) as usize;
        (number(bytes, here, 4), here)
    };
    (0..number(bytes, 16, 4)).map(|_| next()).collect()
}

/// A little-endian number of so many bytes.
fn number(bytes: &[u8], at: usize, length: usize) -> u64 {
    bytes[at..at + length].iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte))
}

/// What stands there until a zero.
fn text(bytes: &[u8], at: usize) -> &str {
    let text = bytes[at..].split(|&byte| byte == 0).next().expect("a zero");
    std::str::from_utf8(text).expect("a name")
}
