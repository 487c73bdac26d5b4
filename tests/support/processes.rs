//! Processes that a test started, and those that they started, however they are related now.

use std::fs;
use std::path::Path;

/// The environment variable that all of them inherit; its value is the test's own place.
pub const MARK: &str = "WINIC_TEST_MARK";

/// The processes that live with this mark, after those that are ending had a moment to do so.
pub fn marked(place: &Path) -> Vec<u32> {
    let mut living = Vec::new();
    for _ in 0..100 {
        living = living_with(place);
        if living.is_empty() {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    living
}

/// The processes that live with this mark now.
pub fn living_with(place: &Path) -> Vec<u32> {
    let entry = format!("{MARK}={}", place.display());
    let numbers = fs::read_dir("/proc").expect("/proc").flatten();
    let numbers = numbers.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    let has_mark = |process: &u32| {
        // What has ended has no environment any more.
        fs::read(format!("/proc/{process}/environ"))
            .is_ok_and(|all| all.split(|&byte| byte == 0).any(|one| one == entry.as_bytes()))
    };
    numbers.filter(has_mark).collect()
}
