//! The region of a file that is meant: between marks, else its last loop, else all of it.

use object::{Object as _, ObjectSection as _, ObjectSymbol as _, Section, SectionKind};

use crate::app::Failure;
use crate::codec::{CodeError, Control, FlowReader};

/// Words of comments that stand before a region, as OSACA and LLVM MCA have them.
const BEGINS: [&str; 2] = ["OSACA-BEGIN", "LLVM-MCA-BEGIN"];
/// Those behind it.
const ENDS: [&str; 2] = ["OSACA-END", "LLVM-MCA-END"];
/// What comments begin with in the assemblers of all architectures.
const COMMENTS: [&str; 5] = ["#", "//", ";", "@", "/*"];
/// The labels that are put in their places.
const LABELS: [&str; 2] = ["winic_region_begin", "winic_region_end"];

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
    /// What stands before it in its section.
    pub before: Vec<u8>,
    /// Its code.
    pub code: Vec<u8>,
    /// Where in the code the linker puts addresses, and what they are of.
    pub references: Vec<(usize, String)>,
}

/// A text with labels in place of comments that mark a region; the lines stay where they are.
pub(super) fn labelled(text: &str) -> Result<String, Failure> {
    let mut counts = [0; 2];
    let lines: Result<Vec<String>, Failure> = text
        .split('\n')
        .enumerate()
        .map(|(number, line)| {
            let has = |words: [&str; 2]| words.iter().any(|word| line.contains(word));
            let Some(which) = [BEGINS, ENDS].into_iter().position(has) else {
                return Ok(line.to_owned());
            };
            if !COMMENTS.iter().any(|start| line.trim_start().starts_with(start)) {
                return Err(Failure::new(format!(
                    "line {}: a mark of a region stands behind code: give it a line of its own",
                    number + 1
                )));
            }
            counts[which] += 1;
            Ok(format!("{}:{line}", LABELS[which]))
        })
        .collect();
    match counts {
        [0, 0] | [1, 1] => Ok(lines?.join("\n")),
        [begins, ends] => Err(Failure::new(format!(
            "it has {begins} marks where a region begins and {ends} where one ends: leave one pair"
        ))),
    }
}

/// The region of an object file of a [`labelled`] text.
pub(super) fn find(
    object: &[u8],
    marks: Option<[&[u8]; 2]>,
    flow: &dyn FlowReader,
) -> Result<CodeRegion, Failure> {
    let broken = |error: object::Error| Failure::new(format!("its object file is broken: {error}"));
    let file = object::File::parse(object).map_err(broken)?;
    let is_code =
        |section: &Section<'_, '_>| section.kind() == SectionKind::Text && section.size() > 0;
    let sections: Vec<Section<'_, '_>> = file.sections().filter(is_code).collect();
    let label = |name: &str| file.symbols().find(|symbol| symbol.name() == Ok(name));
    if let (Some(begin), Some(end)) = (label(LABELS[0]), label(LABELS[1])) {
        let mut own = sections.iter().filter(|it| Some(it.index()) == begin.section_index());
        let section = own.next().filter(|_| begin.section_index() == end.section_index());
        let section = section.ok_or_else(|| Failure::new("its marks are not around code"))?;
        let range = (begin.address() as usize, end.address() as usize);
        return cut(&file, section, range, RegionChoice::Marked);
    }
    let mut last_loop = None;
    for section in &sections {
        let code = section.data().map_err(broken)?;
        if let Some([begin, end]) = marks {
            let begin = position(code, begin).map(|at| at + begin.len());
            match (begin, position(code, end)) {
                (Some(begin), Some(end)) => {
                    return cut(&file, section, (begin, end), RegionChoice::Marked);
                }
                (None, None) => {}
                _ => return Err(Failure::new("it has one of two marks of bytes: add the other")),
            }
        }
        last_loop = loops(code, flow)?.map(|range| (section, range)).or(last_loop);
    }
    match (last_loop, &sections[..]) {
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
        let text = "a\n  # OSACA-BEGIN\nb\n# OSACA-END\n";
        let labelled_text = labelled(text).unwrap();
        assert_eq!(
            labelled_text,
            "a\nwinic_region_begin:  # OSACA-BEGIN\nb\nwinic_region_end:# OSACA-END\n"
        );
        assert_eq!(labelled("a\n").unwrap(), "a\n");
        for wrong in ["add # LLVM-MCA-BEGIN\n", "# LLVM-MCA-BEGIN\n", "# OSACA-END\n# OSACA-END\n"]
        {
            assert!(labelled(wrong).is_err(), "{wrong}");
        }
    }
}
