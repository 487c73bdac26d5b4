//! Rust files as tokens with their lines. Comments are none, and neither is documentation.

use std::fs;
use std::path::Path;

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

/// A file of the crate.
pub struct Source {
    /// From the crate's root, as in `src/kernel/mod.rs`.
    pub path: String,
    pub text: String,
    pub tokens: Vec<Token>,
}

pub struct Token {
    pub kind: Kind,
    pub line: usize,
    /// Whether it belongs to a `#[cfg(test)]` module.
    pub in_test: bool,
    /// Modules around it, within the file and the crate.
    depth: usize,
}

pub enum Kind {
    Word(String),
    /// A literal as it is written.
    Text(String),
    Mark(char),
    Open,
    Close,
}

/// Something of the crate that is named.
pub struct Name {
    /// From the crate's root: module, item, ...
    pub path: Vec<String>,
    pub line: usize,
    /// Whether it stands in a module of tests.
    pub in_test: bool,
}

/// All Rust files below these places, in the order of their paths.
pub fn all_sources(places: &[&str]) -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut paths = Vec::new();
    for place in places {
        collect(&root.join(place), &mut paths);
    }
    paths.sort();
    paths
        .iter()
        .map(|path| {
            let name = path.strip_prefix(root).unwrap().to_str().unwrap().to_owned();
            Source::parse(name, fs::read_to_string(path).unwrap())
        })
        .collect()
}

fn collect(place: &Path, into: &mut Vec<std::path::PathBuf>) {
    if place.is_dir() {
        for entry in fs::read_dir(place).unwrap() {
            collect(&entry.unwrap().path(), into);
        }
    } else if place.extension().is_some_and(|extension| extension == "rs") {
        into.push(place.to_owned());
    }
}

impl Source {
    fn parse(path: String, text: String) -> Self {
        let stream: TokenStream =
            text.parse().unwrap_or_else(|error| panic!("{path} is not Rust: {error}"));
        let mut tokens = Vec::new();
        flatten(stream, module_path(&path).len(), false, &mut tokens);
        Self { path, text, tokens }
    }

    /// The top-level module it belongs to; none for the crate's root.
    pub fn module(&self) -> Option<&str> {
        match self.path.strip_prefix("src/")? {
            "lib.rs" => None,
            path => path.split(['/', '.']).next(),
        }
    }

    /// Whether its path begins with one of these.
    pub fn is_in(&self, places: &[&str]) -> bool {
        places.iter().any(|place| self.path.starts_with(place))
    }

    /// Everything it names by a path from the crate's root.
    pub fn names(&self) -> Vec<Name> {
        let mut names = Vec::new();
        let mut at = 0;
        while at < self.tokens.len() {
            match self.after_root(at) {
                Some(next) => at = self.expand(next, &[], &mut names),
                None => at += 1,
            }
        }
        names
    }

    /// If a path to the crate's root begins here, where it goes on.
    fn after_root(&self, at: usize) -> Option<usize> {
        if at > 0 && self.is_path_mark(at.saturating_sub(2)) {
            return None;
        }
        match self.word(at)? {
            "crate" | "winic" if self.is_path_mark(at + 1) => Some(at + 3),
            "super" => {
                let mut supers = 0;
                while self.word(at + 3 * supers) == Some("super")
                    && self.is_path_mark(at + 3 * supers + 1)
                {
                    supers += 1;
                }
                (supers > 0 && supers >= self.tokens[at].depth).then_some(at + 3 * supers)
            }
            _ => None,
        }
    }

    /// Adds what a use tree or a path names, and returns the place after it.
    fn expand(&self, at: usize, prefix: &[String], names: &mut Vec<Name>) -> usize {
        match self.tokens.get(at).map(|token| &token.kind) {
            Some(Kind::Word(word)) => {
                let path = [prefix, std::slice::from_ref(word)].concat();
                if self.is_path_mark(at + 1) {
                    return self.expand(at + 3, &path, names);
                }
                let Token { line, in_test, .. } = self.tokens[at];
                names.push(Name { path, line, in_test });
                at + 1
            }
            Some(Kind::Open) => {
                let mut next = at + 1;
                while next < self.tokens.len() && !matches!(self.tokens[next].kind, Kind::Close) {
                    next = self.expand(next, prefix, names);
                    while self.word(next) == Some("as") {
                        next += 2;
                    }
                    if self.is_mark(next, ',') {
                        next += 1;
                    }
                }
                next + 1
            }
            // `*`, or the `<` of a turbofish.
            Some(_) => {
                let Token { line, in_test, .. } = self.tokens[at];
                names.push(Name { path: prefix.to_vec(), line, in_test });
                at + 1
            }
            None => at,
        }
    }

    fn word(&self, at: usize) -> Option<&str> {
        match &self.tokens.get(at)?.kind {
            Kind::Word(word) => Some(word),
            _ => None,
        }
    }

    fn is_mark(&self, at: usize, mark: char) -> bool {
        self.tokens.get(at).is_some_and(|token| matches!(token.kind, Kind::Mark(m) if m == mark))
    }

    /// Whether `::` stands here.
    fn is_path_mark(&self, at: usize) -> bool {
        self.is_mark(at, ':') && self.is_mark(at + 1, ':')
    }
}

/// The modules a file is in.
fn module_path(path: &str) -> Vec<&str> {
    let inner = path.strip_prefix("src/").unwrap_or_default().trim_end_matches(".rs");
    if ["lib", "main"].contains(&inner) || inner.starts_with("bin/") {
        return Vec::new();
    }
    inner.split('/').filter(|name| !name.is_empty() && *name != "mod").collect()
}

fn flatten(stream: TokenStream, depth: usize, in_test: bool, tokens: &mut Vec<Token>) {
    let trees: Vec<TokenTree> = stream.into_iter().collect();
    let mut test_module = false;
    let mut at = 0;
    while at < trees.len() {
        if let Some(attribute) = attribute(&trees, at) {
            test_module |= attribute.to_string().replace(' ', "").starts_with("cfg(test");
            if is_documentation(&attribute) {
                at += 2 + usize::from(is_mark(&trees[at + 1], '!'));
                continue;
            }
        }
        let line = trees[at].span().start().line;
        let mut push = |kind, line| tokens.push(Token { kind, line, in_test, depth });
        match &trees[at] {
            TokenTree::Ident(word) => push(Kind::Word(word.to_string()), line),
            TokenTree::Literal(text) => {
                push(Kind::Text(text.to_string().trim_matches('"').to_owned()), line)
            }
            TokenTree::Punct(mark) => push(Kind::Mark(mark.as_char()), line),
            TokenTree::Group(group) => {
                let inner_module = at >= 2 && is_word(&trees[at - 2], "mod");
                push(Kind::Open, line);
                flatten(
                    group.stream(),
                    depth + usize::from(inner_module),
                    in_test || (test_module && inner_module),
                    tokens,
                );
                let line = group.span_close().start().line;
                tokens.push(Token { kind: Kind::Close, line, in_test, depth });
                test_module &= group.delimiter() != Delimiter::Brace;
            }
        }
        at += 1;
    }
}

/// The `[...]` of an attribute that begins here.
fn attribute(trees: &[TokenTree], at: usize) -> Option<TokenStream> {
    if !is_mark(&trees[at], '#') {
        return None;
    }
    let after = if is_mark(trees.get(at + 1)?, '!') { at + 2 } else { at + 1 };
    match trees.get(after)? {
        TokenTree::Group(group) if is_bracketed(group) => Some(group.stream()),
        _ => None,
    }
}

fn is_bracketed(group: &Group) -> bool {
    group.delimiter() == Delimiter::Bracket
}

fn is_documentation(attribute: &TokenStream) -> bool {
    attribute.clone().into_iter().next().is_some_and(|tree| is_word(&tree, "doc"))
}

fn is_mark(tree: &TokenTree, mark: char) -> bool {
    matches!(tree, TokenTree::Punct(punct) if punct.as_char() == mark)
}

fn is_word(tree: &TokenTree, word: &str) -> bool {
    matches!(tree, TokenTree::Ident(ident) if ident == word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(path: &str, text: &str) -> Source {
        Source::parse(path.to_owned(), text.to_owned())
    }

    fn named(path: &str, text: &str) -> Vec<String> {
        source(path, text)
            .names()
            .iter()
            .map(|name| format!("{}:{}", name.line, name.path.join("::")))
            .collect()
    }

    #[test]
    fn names_are_found_however_they_are_written() {
        let text =
            "use crate::a;\nuse crate::{b::{self, C as D},\n e::*};\nfn f() { crate::g::h(1) }";
        assert_eq!(named("src/k.rs", text), ["1:a", "2:b::self", "2:b::C", "3:e", "4:g::h"]);
    }

    #[test]
    fn super_counts_where_it_leads_to_the_root() {
        assert_eq!(
            named("src/k.rs", "use super::a;\nmod tests { use super::b; use super::super::c; }"),
            ["1:a", "2:c"]
        );
        assert_eq!(
            named("src/k/l.rs", "use super::a; use super::super::b; pub(super) fn f() {}"),
            ["1:b"]
        );
        assert_eq!(named("src/k/mod.rs", "use super::a;"), ["1:a"]);
    }

    #[test]
    fn comments_and_documentation_name_nothing() {
        assert!(
            named("src/k.rs", "//! crate::a\n/// [`crate::b`]\nfn f() {} // crate::c").is_empty()
        );
    }

    #[test]
    fn test_modules_are_told_apart() {
        let file = source(
            "src/k.rs",
            "fn f() { \"out\" }\n#[cfg(test)]\nmod tests { fn g() { \"in\" } }\nfn h() { \"out\" }",
        );
        let texts = file.tokens.iter().filter_map(|token| match &token.kind {
            Kind::Text(text) => Some((text.as_str(), token.in_test)),
            _ => None,
        });
        assert_eq!(texts.collect::<Vec<_>>(), [("out", false), ("in", true), ("out", false)]);
    }
}
