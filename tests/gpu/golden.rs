//! Texts that are kept: `BLESS=1` writes them anew.

use std::path::Path;

/// Holds a text against the one that is kept under a name.
pub fn hold(name: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/gpu/golden").join(name);
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, text).unwrap();
        return;
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(kept == text, "{name} differs; look at it and run again with BLESS=1:\n{text}");
}
