//! The regions of a file that are meant: those between marks, else its last loop, else all of it.

use object::{Object as _, ObjectSection as _, ObjectSymbol as _, Section, SectionKind};

use crate::app::Failure;
use crate::codec::{CodeError, Control, FlowReader};

/// Words of comments that stand before a region, as OSACA and LLVM MCA have them.
const BEGINS: [&str; 2] = ["OSACA-BEGIN", "LLVM-MCA-BEGIN"];
/// Those behind it.
const ENDS: [&str; 2] = ["OSACA-END", "LLVM-MCA-END"];
/// What comments begin with in the assemblers of all architectures.
const COMMENTS: [&str; 5] = ["#", "//", ";", "@", "/*"];
/// How the labels begin that are put in their places.
const LABELS: [&str; 2] = ["winic_region_begin_", "winic_region_end_"];

/// How a region was told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RegionChoice {
    /// By marks.
    Marked,
    /// It is the last loop that has no other inside.
    LastLoop,
    /// It is all that there is.
    Whole,
}

impl RegionChoice {
    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            Self::Marked => "the marked region",
            Self::LastLoop => "its last loop, as nothing is marked",
            Self::Whole => "all of it, as nothing is marked and it has no loop",
        }
    }
}

/// A region of machine code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct CodeRegion {
    /// How it was told.
    pub choice: RegionChoice,
    /// What its mark calls it.
    pub name: Option<String>,
    /// What stands before it in its section.
    pub before: Vec<u8>,
    /// Its code.
    pub code: Vec<u8>,
    /// Where in the code the linker puts addresses, and what they are of.
    pub references: Vec<(usize, String)>,
}

impl CodeRegion {
    /// How it was told and what it is called, in words.
    pub fn title(&self) -> String {
        let told = self.choice.name();
        self.name.as_ref().map_or_else(|| told.to_owned(), |name| format!("{told} {name}"))
    }
}

/// A text with labels in place of comments that mark regions; the lines stay where they are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Labelled {
    /// The text.
    pub text: String,
    /// What the regions are called, in their order.
    names: Vec<Option<String>>,
}

/// A comment that marks a region.
struct Mark<'a> {
    /// Whether it stands in front of one.
    begins: bool,
    /// What it calls it.
    name: Option<&'a str>,
}

impl<'a> Mark<'a> {
    /// The mark that a line has.
    fn of(line: &'a str) -> Option<Self> {
        let after = |words: [&str; 2]| {
            words.iter().find_map(|word| line.split_once(*word).map(|(_, rest)| rest))
        };
        let (begins, rest) = after(BEGINS)
            .map(|rest| (true, rest))
            .or_else(|| after(ENDS).map(|rest| (false, rest)))?;
        let name = rest.trim().trim_end_matches("*/").trim_end();
        Some(Self { begins, name: Some(name).filter(|name| !name.is_empty()) })
    }
}

/// Finds the marked regions of a text.
pub(super) fn labelled(text: &str) -> Result<Labelled, Failure> {
    let mut names: Vec<Option<String>> = Vec::new();
    let mut is_open = false;
    let mut labels = |number: usize, line: &str| {
        let Some(mark) = Mark::of(line) else { return Ok(line.to_owned()) };
        let wrong = |what: &str| Err(Failure::new(format!("line {}: {what}", number + 1)));
        if !COMMENTS.iter().any(|start| line.trim_start().starts_with(start)) {
            return wrong("a mark of a region stands behind code: give it a line of its own");
        }
        if mark.begins {
            if is_open {
                return wrong("a region begins inside of another one: end that first");
            }
            names.push(mark.name.map(str::to_owned));
        } else {
            let Some(own) = names.last().filter(|_| is_open) else {
                return wrong("a region ends that did not begin: add the mark in front of it");
            };
            if mark.name.is_some_and(|name| own.as_deref() != Some(name)) {
                return wrong("a region ends that has another name than the one that began");
            }
        }
        is_open = mark.begins;
        Ok(format!("{}:{line}", label(mark.begins, names.len() - 1)))
    };
    let lines: Result<Vec<String>, Failure> =
        text.split('\n').enumerate().map(|(number, line)| labels(number, line)).collect();
    let text = lines?.join("\n");
    if is_open {
        return Err(Failure::new("its last marked region does not end: add the mark behind it"));
    }
    Ok(Labelled { text, names })
}

/// The label at an end of a region.
fn label(begins: bool, region: usize) -> String {
    format!("{}{region}", LABELS[usize::from(!begins)])
}

/// The regions of an object file of a text, of which there is at least one.
pub(super) fn find(
    object: &[u8],
    labelled: &Labelled,
    marks: Option<[&[u8]; 2]>,
    flow: &dyn FlowReader,
) -> Result<Vec<CodeRegion>, Failure> {
    let broken = |error: object::Error| Failure::new(format!("its object file is broken: {error}"));
    let file = object::File::parse(object).map_err(broken)?;
    let is_code =
        |section: &Section<'_, '_>| section.kind() == SectionKind::Text && section.size() > 0;
    let sections: Vec<Section<'_, '_>> = file.sections().filter(is_code).collect();
    if !labelled.names.is_empty() {
        let named = labelled.names.iter().enumerate();
        let found = named.map(|(number, name)| {
            let region = between_labels(&file, &sections, number)?;
            Ok(CodeRegion { name: name.clone(), ..region })
        });
        return found.collect();
    }
    let mut marked = Vec::new();
    let mut last_loop = None;
    for section in &sections {
        let code = section.data().map_err(broken)?;
        for range in marks.map_or_else(|| Ok(Vec::new()), |marks| between_bytes(code, marks))? {
            marked.push(cut(&file, section, range, RegionChoice::Marked)?);
        }
        if marked.is_empty() {
            last_loop = loops(code, flow)?.map(|range| (section, range)).or(last_loop);
        }
    }
    if !marked.is_empty() {
        return Ok(marked);
    }
    let only = match (last_loop, &sections[..]) {
        (Some((section, range)), _) => cut(&file, section, range, RegionChoice::LastLoop),
        (None, [section]) => {
            let length = section.size() as usize;
            cut(&file, section, (0, length), RegionChoice::Whole)
        }
        (None, []) => Err(Failure::new("it has no instruction")),
        (None, _) => Err(Failure::new(
            "it has code in several sections and no loop: mark a region with comments, \
             OSACA-BEGIN and OSACA-END",
        )),
    };
    Ok(vec![only?])
}

/// The region between two labels.
fn between_labels(
    file: &object::File<'_>,
    sections: &[Section<'_, '_>],
    region: usize,
) -> Result<CodeRegion, Failure> {
    let at = |name: String| file.symbols().find(|symbol| symbol.name() == Ok(&name));
    let both = at(label(true, region)).zip(at(label(false, region)));
    let (begin, end) = both.ok_or_else(|| Failure::new("its marks are not in its code"))?;
    let mut own = sections.iter().filter(|it| Some(it.index()) == begin.section_index());
    let section = own.next().filter(|_| begin.section_index() == end.section_index());
    let section = section.ok_or_else(|| Failure::new("its marks are not around code"))?;
    let range = (begin.address() as usize, end.address() as usize);
    cut(file, section, range, RegionChoice::Marked)
}

/// What lies between marks of bytes.
fn between_bytes(code: &[u8], [begin, end]: [&[u8]; 2]) -> Result<Vec<(usize, usize)>, Failure> {
    let mut out = Vec::new();
    let mut from = 0;
    loop {
        let rest = &code[from..];
        match (position(rest, begin), position(rest, end)) {
            (None, None) => return Ok(out),
            (Some(first), Some(last)) if first < last => {
                out.push((from + first + begin.len(), from + last));
                from += last + end.len();
            }
            _ => return Err(Failure::new("it has one of two marks of bytes: add the other")),
        }
    }
}

fn position(code: &[u8], mark: &[u8]) -> Option<usize> {
    code.windows(mark.len()).position(|window| window == mark)
}

/// The last loop that has no other inside, from the target of its branch to behind that.
fn loops(code: &[u8], flow: &dyn FlowReader) -> Result<Option<(usize, usize)>, Failure> {
    let mut starts = Vec::new();
    let mut last: Option<(usize, usize)> = None;
    let mut at = 0;
    while at < code.len() {
        let step = flow.step(&code[at..], at as u64).map_err(|error| undecoded(at, error))?;
        starts.push(at);
        if let Control::Branch(Some(target)) = step.control {
            let begin = target as usize;
            let is_back = begin <= at && starts.binary_search(&begin).is_ok();
            // (Loops come in the order of their ends, so the one inside is there already.)
            if is_back && last.is_none_or(|(inner, _)| begin > inner) {
                last = Some((begin, at + step.length));
            }
        }
        at += step.length.max(1);
    }
    Ok(last)
}

fn undecoded(at: usize, error: CodeError) -> Failure {
    Failure::new(format!(
        "{error} {at:#x} bytes into its code: mark a region without data, or assemble for a CPU \
         that has them with -c"
    ))
}

fn cut(
    file: &object::File<'_>,
    section: &Section<'_, '_>,
    (begin, end): (usize, usize),
    choice: RegionChoice,
) -> Result<CodeRegion, Failure> {
    let broken = |error: object::Error| Failure::new(format!("its object file is broken: {error}"));
    let code = section.data().map_err(broken)?;
    if begin >= end || end > code.len() {
        return Err(Failure::new("the marked region has no instruction"));
    }
    let name = |symbol| {
        let symbol = file.symbol_by_index(symbol).ok()?;
        let own = symbol.name().ok().filter(|name| !name.is_empty());
        own.map(str::to_owned).or_else(|| Some(format!("section {}", symbol.section_index()?.0)))
    };
    let reference = |(offset, relocation): (u64, object::Relocation)| {
        let offset = (offset as usize).checked_sub(begin).filter(|&at| at < end - begin)?;
        let symbol = match relocation.target() {
            object::RelocationTarget::Symbol(symbol) => name(symbol)?,
            _ => String::new(),
        };
        Some((offset, format!("{symbol}{:+}", relocation.addend())))
    };
    Ok(CodeRegion {
        choice,
        name: None,
        before: code[..begin].to_vec(),
        code: code[begin..end].to_vec(),
        references: section.relocations().filter_map(reference).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codec::FlowStep;

    /// Code of single bytes: a number up to 100 is a branch to there, all else goes on.
    struct Bytes;

    impl FlowReader for Bytes {
        fn step(&self, code: &[u8], _address: u64) -> Result<FlowStep, CodeError> {
            let control = match code[0] {
                target @ 0..=100 => Control::Branch(Some(target.into())),
                255 => return Err(CodeError::NotDecoded),
                _ => Control::Next,
            };
            Ok(FlowStep { length: 1, control })
        }
    }

    #[test]
    fn the_last_loop_without_another_inside_counts() {
        let found = |code: &[u8]| loops(code, &Bytes).unwrap();
        assert_eq!(found(&[200, 200]), None);
        assert_eq!(found(&[200, 200, 1, 200]), Some((1, 3)));
        // One around another: the inner one.
        assert_eq!(found(&[200, 200, 1, 0]), Some((1, 3)));
        // One behind another: the second; a branch ahead is none.
        assert_eq!(found(&[200, 0, 9, 200, 3]), Some((3, 5)));
        assert!(loops(&[200, 255], &Bytes).is_err());
    }

    #[test]
    fn comments_become_labels_on_their_lines() {
        let text =
            "a\n  # OSACA-BEGIN\nb\n# OSACA-END\n/* LLVM-MCA-BEGIN two */\n# LLVM-MCA-END two\n";
        let found = labelled(text).unwrap();
        assert_eq!(
            found.text,
            "a\nwinic_region_begin_0:  # OSACA-BEGIN\nb\nwinic_region_end_0:# OSACA-END\n\
             winic_region_begin_1:/* LLVM-MCA-BEGIN two */\nwinic_region_end_1:# LLVM-MCA-END two\n"
        );
        assert_eq!(found.names, [None, Some("two".to_owned())]);
        assert_eq!(labelled("a\n").unwrap(), Labelled { text: "a\n".to_owned(), names: vec![] });
        for (wrong, why) in [
            ("add # LLVM-MCA-BEGIN\n", "line 1: a mark of a region stands behind code"),
            ("# LLVM-MCA-BEGIN\n", "does not end"),
            ("# OSACA-END\n", "did not begin"),
            ("# OSACA-BEGIN\n# OSACA-BEGIN\n# OSACA-END\n", "line 2: a region begins inside"),
            ("# LLVM-MCA-BEGIN a\n# LLVM-MCA-END b\n", "another name"),
        ] {
            let error = labelled(wrong).unwrap_err().to_string();
            assert!(error.contains(why), "{wrong}: {error}");
        }
    }

    #[test]
    fn marks_of_bytes_come_in_pairs() {
        let found = |code: &[u8]| between_bytes(code, [&[1, 1], &[2, 2]]);
        assert_eq!(found(&[5, 1, 1, 6, 7, 2, 2, 5]).unwrap(), [(3, 5)]);
        assert_eq!(found(&[1, 1, 6, 2, 2, 1, 1, 7, 7, 2, 2]).unwrap(), [(2, 3), (7, 9)]);
        assert_eq!(found(&[5]).unwrap(), []);
        for wrong in [&[1, 1, 5][..], &[2, 2], &[2, 2, 1, 1], &[1, 1, 2, 2, 2, 2]] {
            assert!(found(wrong).is_err(), "{wrong:?}");
        }
    }
}
