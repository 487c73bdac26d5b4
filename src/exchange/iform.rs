//! Forms as Intel's XED names them: `ADD_GPRv_GPRv_01`, `VADDPD_ZMMf64_MASKmskw_ZMMf64_ZMMf64_AVX512`.
//! Source: XED, "idata.txt" (names of iforms) and "all-widths.txt" (`v` is 16, 32 or 64 bits, `y` 32 or 64,
//! `z` 16 or 32).

use super::forms::{Masking, WrittenForm, WrittenOperand, letters};
use super::notation;
use super::spelled::{OperandChoices, meanings};

/// Kinds of operands, by what their names begin with.
#[derive(Clone, Copy)]
enum IformOperand {
    General,
    Memory,
    Immediate,
    Mask,
    Vector(&'static str),
}

/// (Vectors of general registers have a letter more in front.)
const OPERANDS: &[(&str, IformOperand)] = &[
    ("VGPR", IformOperand::General),
    ("GPR", IformOperand::General),
    ("MEM", IformOperand::Memory),
    ("IMM", IformOperand::Immediate),
    ("MASK", IformOperand::Mask),
    ("XMM", IformOperand::Vector("xmm")),
    ("YMM", IformOperand::Vector("ymm")),
    ("ZMM", IformOperand::Vector("zmm")),
    ("TMM", IformOperand::Vector("tmm")),
    ("MMX", IformOperand::Vector("mm")),
];

/// Widths by the letters that stand for them.
const WIDTHS: &[(&str, &[u32])] = &[
    ("b", &[8]),
    ("w", &[16]),
    ("d", &[32]),
    ("q", &[64]),
    ("dq", &[128]),
    ("qq", &[256]),
    ("ss", &[32]),
    ("sd", &[64]),
    ("v", &[16, 32, 64]),
    ("y", &[32, 64]),
    ("z", &[16, 32]),
];

/// What the longer encodings have in their names.
const LONG: &str = "AVX512";

/// What an iform means; none where a part of its name is not understood. A mask is meant as an operand,
/// or as one that may be left out: then what computes all elements counts.
#[must_use]
pub fn forms(iform: &str) -> Option<Vec<WrittenForm>> {
    let mut parts = iform.trim().split('_');
    let mnemonic = parts.next().filter(|mnemonic| !mnemonic.is_empty())?;
    let mut lists: Vec<Vec<OperandChoices>> = vec![Vec::new()];
    let mut is_long = false;
    for part in parts {
        if part.starts_with(LONG) {
            is_long = true;
            continue;
        }
        if is_code(part) || part.starts_with("VL") {
            continue;
        }
        let (choices, may_be_absent) = operand(part)?;
        let absent = lists.clone();
        lists.iter_mut().for_each(|list| list.push(choices.clone()));
        if may_be_absent && lists.len() == 1 {
            lists.extend(absent);
        }
    }
    let all = lists.iter().map(|list| meanings(mnemonic, list, Masking::None, Some(is_long)));
    Some(all.collect::<Option<Vec<_>>>()?.concat())
}

/// The opcode in hexadecimal, with the digit of its extension (`81r4`).
fn is_code(part: &str) -> bool {
    let code = part.split('r').next().unwrap_or(part);
    code.len() >= 2 && code.chars().all(|it| it.is_ascii_digit() || ('A'..='F').contains(&it))
}

/// What a part stands for, and whether it may be left out.
fn operand(part: &str) -> Option<(OperandChoices, bool)> {
    let known = OPERANDS.iter().find_map(|&(start, kind)| Some((kind, part.strip_prefix(start)?)));
    let Some((kind, width)) = known else {
        let fixed = if part == "ONE" { "1" } else { part };
        return Some((notation::operand(fixed)?, false));
    };
    let number = width.trim_end_matches(|letter: char| letter.is_ascii_lowercase());
    let named = WIDTHS.iter().find(|(letter, _)| *letter == width);
    let widths: Vec<u32> = match (number.parse(), named) {
        (Ok(number), _) => vec![number],
        (Err(_), Some((_, widths))) => widths.to_vec(),
        (Err(_), None) => Vec::new(),
    };
    let choices = match kind {
        IformOperand::General => widths.iter().copied().map(WrittenOperand::general).collect(),
        IformOperand::Immediate => {
            widths.iter().map(|&bits| WrittenOperand::Immediate { bits: Some(bits) }).collect()
        }
        IformOperand::Memory => {
            // (`f64` is the type of an element.)
            let widths: Vec<_> = match widths.is_empty() || letters(width) != width {
                true => vec![None],
                false => widths.into_iter().map(Some).collect(),
            };
            widths
                .into_iter()
                .map(|bits| WrittenOperand::Memory { bits, broadcast: false })
                .collect()
        }
        IformOperand::Mask => vec![WrittenOperand::of_kind("k")],
        IformOperand::Vector(kind) => vec![WrittenOperand::of_kind(kind)],
    };
    let is_mask = matches!(kind, IformOperand::Mask);
    Some((choices, is_mask)).filter(|(choices, _): &(OperandChoices, _)| !choices.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(iform: &str) -> Vec<Vec<WrittenOperand>> {
        forms(iform).unwrap().into_iter().map(|form| form.operands).collect()
    }

    #[test]
    fn iforms_are_all_that_they_stand_for() {
        let general = WrittenOperand::general;
        assert_eq!(written("ADC_GPR8_GPR8_10"), [[general(8), general(8)]]);
        assert_eq!(written("BSWAP_GPRv"), [16, 32, 64].map(|bits| vec![general(bits)]));
        assert_eq!(written("SHL_GPR32d_CL_D3r4")[0][1], WrittenOperand::Fixed("cl".to_owned()));
        let memory = |bits| WrittenOperand::Memory { bits, broadcast: false };
        assert_eq!(written("INC_MEMb"), [[memory(Some(8))]]);
        assert_eq!(written("VADDPD_XMMdq_XMMdq_MEMdq")[0][2], memory(Some(128)));
        assert_eq!(written("VADDPD_ZMMf64_ZMMf64_MEMf64_VL512")[0][2], memory(None));
    }

    #[test]
    fn a_mask_may_be_left_out() {
        let forms = forms("VADDPD_ZMMf64_MASKmskw_ZMMf64_ZMMf64_AVX512").unwrap();
        assert_eq!(forms.iter().map(|it| it.operands.len()).collect::<Vec<_>>(), [4, 3]);
        assert!(forms.iter().all(|it| it.is_long == Some(true)));
    }

    #[test]
    fn what_is_no_iform_means_nothing() {
        for text in ["", "_", "ADD_GPRx", "ADD_what is this", "ADD_IMM"] {
            assert_eq!(forms(text), None, "{text}");
        }
        let long = format!("ADD{}", "_GPRv".repeat(40));
        assert_eq!(forms(&long), None);
    }
}
