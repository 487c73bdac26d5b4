//! Forms by name: one as LLVM writes it, or many by a pattern as shells have them.

use globset::{GlobBuilder, GlobMatcher};

use super::{Failure, near};
use crate::metadata::OpcodeId;
use crate::pipeline::Target;

/// What one name or pattern on the command line stands for.
pub(super) struct Named {
    /// The name or pattern, as typed.
    pub text: String,
    /// Whether it is a pattern.
    pub is_pattern: bool,
    /// The opcodes, in LLVM's order; at least one.
    pub opcodes: Vec<OpcodeId>,
}

/// What names and patterns stand for, in their order.
///
/// # Errors
/// When one of them stands for nothing.
pub(super) fn resolve(texts: &[String], target: &Target) -> Result<Vec<Named>, Failure> {
    texts.iter().map(|text| named(text, target)).collect()
}

fn named(text: &str, target: &Target) -> Result<Named, Failure> {
    let own = target.set.by_name(text);
    // (AMX's `fma32_mat_f32f32_x*y+z` is a name, too.)
    let is_pattern = own.is_none() && text.contains(['*', '?', '[']);
    let opcodes =
        if is_pattern { matches(text, target, false)? } else { own.into_iter().collect() };
    if opcodes.is_empty() {
        return Err(unknown(text, is_pattern, target)?);
    }
    Ok(Named { text: text.to_owned(), is_pattern, opcodes })
}

/// The opcodes that a pattern matches. One with an `@` is held against names with their
/// configurations, any other against names that have none to show.
fn matches(pattern: &str, target: &Target, any_case: bool) -> Result<Vec<OpcodeId>, Failure> {
    let matcher = matcher(pattern, any_case)?;
    let is_configured = pattern.contains('@');
    let opcodes = (0..target.set.opcodes.len() as u32).map(OpcodeId);
    Ok(opcodes
        .filter(|&id| {
            let name = &target.set.opcode(id).name;
            match target.set.configuration(id) {
                Some(own) if is_configured && !name.contains('@') => {
                    matcher.is_match(format!("{name}@{own}"))
                }
                _ => name.contains('@') == is_configured && matcher.is_match(name),
            }
        })
        .collect())
}

/// What a pattern matches; a name is the pattern of itself.
///
/// # Errors
/// When it is no pattern.
pub(super) fn matcher(pattern: &str, any_case: bool) -> Result<GlobMatcher, Failure> {
    let glob = GlobBuilder::new(pattern).case_insensitive(any_case).build();
    let glob =
        glob.map_err(|error| Failure::new(format!("'{pattern}' is no pattern: {}", error.kind())))?;
    Ok(glob.compile_matcher())
}

fn unknown(text: &str, is_pattern: bool, target: &Target) -> Result<Failure, Failure> {
    let short = near::excerpt(text);
    let near = if is_pattern {
        let near = matches(text, target, true)?.into_iter().take(near::SUGGESTIONS);
        near.map(|id| target.set.opcode(id).name.as_str()).collect()
    } else {
        let opcodes = target.set.opcodes.iter().filter(|opcode| !opcode.flags.pseudo);
        near::names(&short, opcodes.map(|opcode| opcode.name.as_str()))
    };
    let what = if is_pattern { "that matches" } else { "" };
    Ok(Failure::new(format!(
        "LLVM {} has no opcode {what} '{short}' for {};{} `winic list --all` names them all",
        target.set.llvm_version,
        target.set.architecture,
        suggestion(&near)
    )))
}

/// The question that offers names, or nothing.
pub(super) fn suggestion(near: &[&str]) -> String {
    if near.is_empty() { String::new() } else { format!(" did you mean {}?", near.join(", ")) }
}
