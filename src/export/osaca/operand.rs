//! Operands as OSACA tells them apart: what stands in a text, and the pattern that matches it there.
//! Source: OSACA 0.7.1, `parser_x86att.py`, `parser_AArch64.py`, `hw_model.py`.

use crate::export::printed::{PrintedForm, Spelled};

/// How an ISA's operands are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Syntax {
    /// x86 in AT&T's syntax: sources first.
    Att,
    /// AArch64 as the Arm manual has it: destination first.
    Arm,
    /// RISC-V.
    RiscV,
}

/// What of a pattern decides about pools of ports and orders.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum PatternKind {
    /// A register, by OSACA's name of its kind, and its shape where the text has one.
    Register(String, Option<String>),
    /// A number that is whole.
    Integer,
    /// A number that is not.
    Fraction,
    /// Memory, by what its address is made of.
    Memory(Address),
    /// A condition.
    Condition,
    /// What is prefetched.
    Prefetch,
    /// A name.
    Identifier,
}

/// Of which parts the address of a pattern is made. Those that match less come first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Address {
    /// Of a base that is moved before.
    PreIndexed,
    /// Of a base that is moved afterwards.
    PostIndexed,
    /// Of an index that is half a register.
    HalfIndex,
    /// Of a base and a number.
    Base,
    /// Of an index and a number, whatever else.
    IndexDisplacement,
    /// Of an index with a factor.
    ScaledIndex,
    /// Of an index.
    Index,
    /// Of an index with a factor or without.
    Indexed,
    /// Of anything.
    Any,
}

/// An operand as OSACA matches it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OperandPattern {
    /// What it matches.
    pub kind: PatternKind,
    /// LLVM's register operands in it.
    pub sites: Vec<usize>,
    /// The register in the text, as OSACA names it.
    pub register: Option<String>,
}

/// Why OSACA has no way to say it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, thiserror::Error)]
pub enum Inexpressible {
    /// Its parsers stop at four or five.
    #[error("more operands than OSACA's parser reads")]
    TooManyOperands,
    /// `{rn-sae}`, `{evex}`.
    #[error("braces that OSACA's parser refuses")]
    Braces,
    /// No text at all.
    #[error("LLVM prints no text of it")]
    Unprinted,
}

impl Syntax {
    /// The syntax of an architecture, where OSACA has one.
    #[must_use]
    pub fn of(architecture: &str) -> Option<Self> {
        match architecture {
            "x86_64" => Some(Self::Att),
            "aarch64" => Some(Self::Arm),
            "riscv64" => Some(Self::RiscV),
            _ => None,
        }
    }

    /// OSACA's name of the ISA.
    #[must_use]
    pub fn isa(self) -> &'static str {
        match self {
            Self::Att => "x86",
            Self::Arm => "AArch64",
            Self::RiscV => "riscv",
        }
    }

    fn most_operands(self) -> usize {
        if self == Self::Arm { 5 } else { 4 }
    }

    /// Whether the write of an instruction that nothing is known of goes to the last operand.
    #[must_use]
    pub fn writes_last(self) -> bool {
        self == Self::Att
    }

    /// The operands of a spelling, in OSACA's terms.
    ///
    /// # Errors
    /// When it has none for them.
    pub fn patterns(self, spelled: &Spelled) -> Result<Vec<OperandPattern>, Inexpressible> {
        let mut patterns: Vec<OperandPattern> = Vec::new();
        for written in &spelled.operands {
            self.add(&mut patterns, written)?;
        }
        if patterns.len() > self.most_operands() {
            return Err(Inexpressible::TooManyOperands);
        }
        Ok(patterns)
    }

    fn add(
        self,
        patterns: &mut Vec<OperandPattern>,
        written: &PrintedForm,
    ) -> Result<(), Inexpressible> {
        let text = written.text.as_str();
        let pattern = |kind, register: Option<&str>| OperandPattern {
            kind,
            sites: written.sites.clone(),
            register: register.map(str::to_owned),
        };
        match self {
            Self::Att => {
                if text.starts_with('{') {
                    return Err(Inexpressible::Braces);
                }
                let (kind, register) = att(text);
                patterns.push(pattern(kind, register));
            }
            Self::Arm => {
                if let Some(list) = text.strip_prefix('{') {
                    let (list, lane) = list.split_once('}').ok_or(Inexpressible::Braces)?;
                    // `{ z0.d - z3.d }` is one operand to the parser and several in its list.
                    for item in crate::export::printed::split(list) {
                        patterns.push(pattern(arm(&format!("{item}{}", lane.trim())), None));
                    }
                    return Ok(());
                }
                let last = patterns.last().map(|pattern| &pattern.kind);
                let follows_memory = matches!(last, Some(PatternKind::Memory(_)));
                if is_arm_modifier(text) || follows_memory {
                    // Part of the operand before it: a shift, or the distance that a base moves.
                    if let Some(last) = patterns.last_mut() {
                        last.sites.extend(&written.sites);
                        if follows_memory && !text.starts_with('[') {
                            last.kind = PatternKind::Memory(Address::PostIndexed);
                        }
                    }
                    return Ok(());
                }
                patterns.push(pattern(arm(text), None));
            }
            Self::RiscV => patterns.push(pattern(risc_v(text), None)),
        }
        Ok(())
    }
}

/// Letters in front of a register's number.
fn letters(name: &str) -> &str {
    name.trim_end_matches(|letter: char| letter.is_ascii_digit())
}

fn att(text: &str) -> (PatternKind, Option<&str>) {
    /// Registers that OSACA tells from general ones.
    const KINDS: &[&str] = &["mm", "xmm", "ymm", "zmm", "k", "tmm"];
    if text.starts_with('$') {
        return (PatternKind::Integer, None);
    }
    let is_number = !text.is_empty() && text.chars().all(|it| it.is_ascii_digit() || it == '-');
    let Some(name) = text.strip_prefix('%').filter(|name| !name.contains(':')) else {
        let kind = if text.contains('(') || text.contains(':') || is_number {
            PatternKind::Memory(Address::Any)
        } else {
            PatternKind::Identifier
        };
        return (kind, None);
    };
    let name = name.split([' ', '{', '(']).next().unwrap_or(name);
    let kind = if name == "st" {
        name
    } else {
        KINDS.iter().find(|kind| **kind == letters(name)).copied().unwrap_or("gpr")
    };
    (PatternKind::Register(kind.to_owned(), None), Some(name))
}

/// Shifts and extensions of the operand in front.
fn is_arm_modifier(text: &str) -> bool {
    const MODIFIERS: &[&str] = &[
        "lsl", "lsr", "asr", "ror", "msl", "uxtb", "uxth", "uxtw", "uxtx", "sxtb", "sxth", "sxtw",
        "sxtx",
    ];
    let mut words = text.split_whitespace();
    let (first, second) = (words.next().unwrap_or_default(), words.next());
    // (A vector's length is a factor, too.)
    MODIFIERS.contains(&first) && (first == text || text.contains('#')) || second == Some("vl")
}

/// Of which parts an address is made, as far as it stands in the brackets.
fn arm_address(text: &str) -> Address {
    let index = text.trim_matches(['[', ']', '!']).split(',').nth(1).map_or("", str::trim);
    match letters(index) {
        _ if text.ends_with('!') => Address::PreIndexed,
        "x" => Address::Index,
        "w" => Address::HalfIndex,
        _ => Address::Any,
    }
}

fn arm(text: &str) -> PatternKind {
    const CONDITIONS: &[&str] = &[
        "eq", "ne", "hs", "cs", "lo", "cc", "mi", "pl", "vs", "vc", "hi", "ls", "ge", "lt", "gt",
        "le", "al", "nv",
    ];
    const SCALARS: &[&str] = &["w", "x", "b", "h", "s", "d", "q"];
    let register = |prefix: &str, shape: Option<&str>| {
        PatternKind::Register(prefix.to_owned(), shape.map(str::to_owned))
    };
    if text.starts_with('[') {
        return PatternKind::Memory(arm_address(text));
    }
    if let Some(number) = text.strip_prefix('#') {
        return if number.contains('.') { PatternKind::Fraction } else { PatternKind::Integer };
    }
    if CONDITIONS.contains(&text) {
        return PatternKind::Condition;
    }
    match text {
        "sp" | "xzr" => return register("x", None),
        "wsp" | "wzr" => return register("w", None),
        _ => {}
    }
    let (name, shape) = match text.split_once('.') {
        Some((name, shape)) => (name, Some(shape)),
        None => (text, None),
    };
    let name = name.split('/').next().unwrap_or(name);
    let prefix = letters(name);
    let shape = shape.map(|shape| {
        let shape = shape.trim_start_matches(|it: char| it.is_ascii_digit());
        shape.split(['[', '/']).next().unwrap_or(shape)
    });
    let is_numbered = prefix.len() < name.len();
    if is_numbered && (SCALARS.contains(&prefix) || ["v", "z", "p"].contains(&prefix)) {
        return register(prefix, shape.filter(|shape| !shape.is_empty()));
    }
    if matches!(prefix, "pldl" | "pldslc" | "pstl" | "plil")
        || text.starts_with("pld")
        || text.starts_with("pst")
    {
        return PatternKind::Prefetch;
    }
    PatternKind::Identifier
}

fn risc_v(text: &str) -> PatternKind {
    let register = |prefix: &str| PatternKind::Register(prefix.to_owned(), None);
    let is_number = text.parse::<i64>().is_ok();
    if is_number {
        return PatternKind::Integer;
    }
    if text.ends_with(')') {
        return PatternKind::Memory(Address::Any);
    }
    match letters(text) {
        "v" if text != "v" => register("v"),
        "fa" | "fs" | "ft" => register("f"),
        "a" | "s" | "t" | "x" => register("x"),
        _ if matches!(text, "zero" | "ra" | "sp" | "gp" | "tp") => register("x"),
        _ => PatternKind::Identifier,
    }
}

impl PatternKind {
    /// As it stands in a file of OSACA's, with further keys.
    #[must_use]
    pub fn yaml(&self, syntax: Syntax, more: &str) -> String {
        match self {
            Self::Register(name, shape) => {
                let key = if syntax == Syntax::Att { "name" } else { "prefix" };
                let shape = shape.as_ref().map(|shape| format!(", shape: {shape}"));
                format!("{{class: register, {key}: {name}{}{more}}}", shape.unwrap_or_default())
            }
            Self::Integer => format!("{{class: immediate, imd: int{more}}}"),
            Self::Fraction => format!("{{class: immediate, imd: double{more}}}"),
            Self::Memory(address) => format!("{{class: memory, {}{more}}}", address.yaml(syntax)),
            Self::Condition => format!("{{class: condition, ccode: '*'{more}}}"),
            Self::Prefetch => {
                format!("{{class: prfop, type: '*', target: '*', policy: '*'{more}}}")
            }
            Self::Identifier => format!("{{class: identifier{more}}}"),
        }
    }

    /// How much a pattern matches besides its own: those that match less come first.
    #[must_use]
    pub fn breadth(&self) -> u8 {
        match self {
            // OSACA's general registers are whatever is no vector.
            Self::Register(name, _) if name == "gpr" => 1,
            Self::Memory(address) => *address as u8,
            _ => 0,
        }
    }
}

impl Address {
    /// The keys of its parts.
    #[must_use]
    pub fn yaml(self, syntax: Syntax) -> &'static str {
        match (syntax, self) {
            (Syntax::Att, Self::Base) => "base: '*', offset: '*', index: ~, scale: '*'",
            (Syntax::Att, Self::IndexDisplacement) => {
                "base: '*', offset: imd, index: gpr, scale: '*'"
            }
            (Syntax::Att, Self::Indexed) => "base: '*', offset: '*', index: gpr, scale: '*'",
            (Syntax::Att, Self::ScaledIndex) => "base: '*', offset: '*', index: gpr, scale: 8",
            (Syntax::Att, Self::Index) => "base: '*', offset: '*', index: gpr, scale: 1",
            (Syntax::Att, _) => "base: '*', offset: '*', index: '*', scale: '*'",
            (Syntax::Arm, Self::PreIndexed) => {
                "base: '*', offset: '*', index: '*', scale: '*', pre_indexed: true, post_indexed: '*'"
            }
            (Syntax::Arm, Self::PostIndexed) => {
                "base: '*', offset: '*', index: '*', scale: '*', pre_indexed: '*', post_indexed: true"
            }
            (Syntax::Arm, Self::Index) => {
                "base: '*', offset: '*', index: x, scale: '*', pre_indexed: '*', post_indexed: '*'"
            }
            (Syntax::Arm, Self::HalfIndex) => {
                "base: '*', offset: '*', index: w, scale: '*', pre_indexed: '*', post_indexed: '*'"
            }
            (Syntax::Arm, _) => {
                "base: '*', offset: '*', index: '*', scale: '*', pre_indexed: '*', post_indexed: '*'"
            }
            (Syntax::RiscV, _) => "base: x, offset: '*', index: ~, scale: 1",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_aarch64_are_told_by_their_parts() {
        let written = |text: &str| PrintedForm { text: text.to_owned(), sites: Vec::new() };
        let address = |texts: &[&str]| {
            let mut patterns = Vec::new();
            for text in texts {
                Syntax::Arm.add(&mut patterns, &written(text)).expect("operands");
            }
            patterns.into_iter().map(|pattern| pattern.kind).collect::<Vec<_>>()
        };
        let memory = |address| vec![PatternKind::Memory(address)];
        assert_eq!(address(&["[x1]"]), memory(Address::Any));
        assert_eq!(address(&["[sp, #16]"]), memory(Address::Any));
        assert_eq!(address(&["[x1, x2, lsl #3]"]), memory(Address::Index));
        assert_eq!(address(&["[x1, w2, sxtw]"]), memory(Address::HalfIndex));
        assert_eq!(address(&["[x1, #8]!"]), memory(Address::PreIndexed));
        assert_eq!(address(&["[x1]", "#8"]), memory(Address::PostIndexed));
        assert_eq!(address(&["[x1]", "x2"]), memory(Address::PostIndexed));
        // Lanes of a vector are no index of these kinds.
        assert_eq!(address(&["[x1, z2.d]"]), memory(Address::Any));
    }
}
