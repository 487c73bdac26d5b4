//! Floating-point arithmetic of the unit: everything rounded once, to nearest, ties to even, and every
//! NaN that is computed is the default one (FPCR.DN = 1). Source: fma.md, vecfp.md.
//!
//! Sums of products of 16- and 32-bit numbers need not fit into an `f64`. They are *rounded to odd*
//! there: where bits are lost, the last one that is left is set. A number so rounded with at least two
//! bits more than a format has rounds to that format as the exact one does (Boldo and Melquiond, "When
//! double rounding is odd", 2005).

use std::cmp::Ordering;

/// A number from which every narrower format rounds as from the exact one.
#[derive(Debug, Clone, Copy)]
pub(super) struct Exact(pub f64);

/// `a + b`, rounded to odd.
pub(super) fn add(a: f64, b: f64) -> Exact {
    let sum = a + b;
    if !sum.is_finite() {
        return Exact(sum);
    }
    // What the sum lacks, exactly (Knuth's TwoSum).
    let other = sum - a;
    let lost = (a - (sum - other)) + (b - other);
    let is_odd = sum.to_bits() & 1 == 1;
    if lost == 0.0 || is_odd {
        return Exact(sum);
    }
    let outwards = (lost > 0.0) == (sum > 0.0);
    Exact(f64::from_bits(if outwards { sum.to_bits() + 1 } else { sum.to_bits() - 1 }))
}

/// The lesser of two; a NaN if one is, and -0 is less than 0.
pub(super) fn minimum(a: f64, b: f64) -> f64 {
    if a.is_nan() || b.is_nan() {
        f64::NAN
    } else if a.total_cmp(&b).is_lt() {
        a
    } else {
        b
    }
}

/// The greater of two.
pub(super) fn maximum(a: f64, b: f64) -> f64 {
    if a.is_nan() || b.is_nan() {
        f64::NAN
    } else if a.total_cmp(&b).is_gt() {
        a
    } else {
        b
    }
}

pub(super) fn to_f16(value: Exact) -> u64 {
    u64::from(if value.0.is_nan() { 0x7e00 } else { half::f16::from_f32(odd(value)).to_bits() })
}

pub(super) fn to_bf16(value: Exact) -> u64 {
    u64::from(if value.0.is_nan() { 0x7fc0 } else { half::bf16::from_f32(odd(value)).to_bits() })
}

/// Rounded to odd: `half` converts an `f64` by its high half and forgets the rest.
fn odd(value: Exact) -> f32 {
    let near = value.0 as f32;
    let is_odd = near.to_bits() & 1 == 1;
    match f64::from(near).total_cmp(&value.0) {
        Ordering::Equal => near,
        _ if is_odd => near,
        Ordering::Less => near.next_up(),
        Ordering::Greater => near.next_down(),
    }
}

pub(super) fn to_f32(value: Exact) -> u64 {
    u64::from(if value.0.is_nan() { 0x7fc0_0000 } else { (value.0 as f32).to_bits() })
}

pub(super) fn to_f64(value: Exact) -> u64 {
    if value.0.is_nan() { 0x7ff8_0000_0000_0000 } else { value.0.to_bits() }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]

        /// The processor's own fused multiplication is the judge.
        #[test]
        fn sums_of_32_bit_products_round_once(x: u32, y: u32, z: u32) {
            let [x, y, z] = [x, y, z].map(f32::from_bits);
            if !(x.is_finite() && y.is_finite() && z.is_finite()) {
                return Ok(());
            }
            let wanted = x.mul_add(y, z);
            let computed = to_f32(add(f64::from(x) * f64::from(y), z.into()));
            prop_assert_eq!(computed as u32, wanted.to_bits());
        }

        /// Integers are the judge: all numbers of this format are multiples of 2^-24.
        #[test]
        fn sums_of_f16_products_round_once(x: u16, y: u16, z: u16) {
            let numbers = [x, y, z].map(|bits| half::f16::from_bits(bits).to_f64());
            let of_bits = |bits| half::f16::from_bits(bits).to_f64();
            prop_assert_eq!(nearer(numbers, 24, to_f16, of_bits), None);
        }

        /// The same, of numbers whose sums fit into integers.
        #[test]
        fn sums_of_bf16_products_round_once(
            [x, y, z] in prop::array::uniform3((-128..128i16, -12..12i32))
        ) {
            let number = |(mantissa, exponent): (i16, i32)| {
                f64::from(mantissa) * 2f64.powi(exponent)
            };
            let of_bits = |bits| half::bf16::from_bits(bits).to_f64();
            prop_assert_eq!(nearer([x, y, z].map(number), 24, to_bf16, of_bits), None);
        }
    }

    /// What would be nearer to `x * y + z` than what it is rounded to, or as near and even, if anything.
    /// The numbers are multiples of `2^-places`.
    fn nearer(
        [x, y, z]: [f64; 3],
        places: i32,
        rounded: fn(Exact) -> u64,
        of_bits: impl Fn(u16) -> f64,
    ) -> Option<f64> {
        let scale = 2f64.powi(places);
        let integer = |value: f64| (value * scale) as i128;
        if ![x, y, z].iter().all(|number| number.is_finite()) {
            return None;
        }
        let sum = integer(x) * integer(y) + (integer(z) << places);
        let bits = rounded(add(x * y, z)) as u16;
        let distance = |bits: u16| {
            let value = of_bits(bits);
            value.is_finite().then(|| (sum - (integer(value) << places)).abs())
        };
        let own = distance(bits)?;
        let others = [bits.wrapping_add(1), bits.wrapping_sub(1)].into_iter();
        let is_better =
            |other: &u16| distance(*other).is_some_and(|it| it < own || it == own && bits & 1 == 1);
        others.filter(|other| (other ^ bits) >> 15 == 0).find(is_better).map(of_bits)
    }

    /// Half a place, and the least there is beyond it.
    #[test]
    fn what_is_far_below_decides_a_tie() {
        let rounded = |lost: f64| {
            let bits = to_f16(add(2108.0 * -14.0, lost)) as u16;
            half::f16::from_bits(bits).to_f64()
        };
        let least = 2f64.powi(-24);
        assert_eq!([rounded(-least), rounded(least)], [-29520.0, -29504.0]);
    }

    #[test]
    fn zeros_are_ordered_and_nans_win() {
        assert!(minimum(0.0, -0.0).is_sign_negative() && maximum(-0.0, 0.0).is_sign_positive());
        assert!(minimum(f64::NAN, 1.0).is_nan() && maximum(1.0, f64::NAN).is_nan());
        assert_eq!((minimum(1.0, 2.0), maximum(1.0, 2.0)), (1.0, 2.0));
    }
}
