//! C1, same bytes: `addr_S(t + N) = addr_D(t)` by algebra.
//!
//! Both addresses are affine sums. Where they differ only by extended 32-bit indices of one shape, `ext(X)` against
//! `ext(Y)` with `X = Y + d`, the equality is reduced to obligations `ext(Y + d) = ext(Y) + d`, which [`super::wrap`]
//! discharges.

use ptxasw_emulator::term::{Node, TermId, Terms, Unary, mask, signed};

/// `extension(index + delta) = extension(index) + delta` is to be shown for the destination's thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NoWrap {
    /// The index at the destination's thread.
    pub index: TermId,
    /// Added to it.
    pub delta: i64,
    /// Sign extension, else zero extension.
    pub signed: bool,
}

/// Whether two addresses are equal in their wrap-free reading, in which every extension is a homomorphism. Then they differ
/// only if some index wraps.
pub fn equal_without_wraps(terms: &mut Terms, a: TermId, b: TermId) -> bool {
    let (a, b) = (terms.ideal(a), terms.ideal(b));
    a.constant == b.constant && a.terms == b.terms
}

/// By how many bytes an address moves to a neighbour's (`moved`), in the wrap-free reading, if that is a constant.
pub fn step(terms: &mut Terms, address: TermId, moved: TermId) -> Option<u64> {
    let (from, to) = (terms.ideal(address), terms.ideal(moved));
    (from.terms == to.terms).then(|| to.constant.wrapping_sub(from.constant) as u64)
}

/// One extended index of a sum.
struct Extended {
    coefficient: u64,
    inner: TermId,
    signed: bool,
}

/// The obligations under which `source` (already moved to the neighbour) equals `destination`; none if algebra does not
/// see how they could be equal.
pub fn equal_under(terms: &mut Terms, source: TermId, destination: TermId) -> Option<Vec<NoWrap>> {
    let (mut constant, atoms) = terms
        .sign_extended_difference(source, destination)
        .unwrap_or_else(|| {
            let difference = terms.sub(source, destination);
            terms.affine(difference)
        });
    let mut extended = Vec::with_capacity(atoms.len());
    for (atom, coefficient) in atoms {
        match *terms.node(atom) {
            Node::Unary(kind @ (Unary::Sext | Unary::Zext), inner) => {
                extended.push(Extended {
                    coefficient,
                    inner,
                    signed: kind == Unary::Sext,
                });
            }
            _ => return None,
        }
    }
    let mut obligations = Vec::new();
    while let Some(first) = extended.pop() {
        let group = take_group(terms, &first, &mut extended);
        let reference = reference(
            terms,
            destination,
            first,
            group.iter().map(|(other, _)| other),
        )?;
        // The remainder must cancel with the reference's own coefficients.
        let mut total = 0u64;
        for (other, _) in &group {
            let delta = distance(terms, reference.inner, other.inner)?;
            total = total.wrapping_add(other.coefficient);
            constant = constant.wrapping_add(other.coefficient.wrapping_mul(delta as u64));
            if delta != 0 || other.signed != reference.signed {
                obligations.push(obligation(terms, &reference, other, delta)?);
            }
        }
        if total != 0 {
            return None;
        }
    }
    (constant == 0).then_some(obligations)
}

/// As [`equal_under`] of the source's address in the lane `delta` away plus `skip`, without a term being made: for addresses
/// that differ by a constant, and indices of which each lane's is a step from the last one's. None where that is not all.
pub fn equal_shifted(
    terms: &Terms,
    source: TermId,
    skip: i64,
    destination: TermId,
    delta: i64,
) -> Option<Vec<NoWrap>> {
    let mut apart = terms.constant_apart(destination, source)?;
    apart = apart.wrapping_add(skip as u64);
    let mut obligations = Vec::new();
    for &(atom, coefficient) in terms.summands(source).iter().rev() {
        if terms.is_row_uniform(atom) {
            continue;
        }
        let (index, is_signed) = match *terms.node(atom) {
            Node::Unary(Unary::Sext, index) => (index, true),
            Node::Unary(Unary::Zext, index) => (index, false),
            _ => return None,
        };
        // Of one index extended by sign and by zeros the one obligation may follow from the other.
        let other_kind = |known: &NoWrap| known.signed != is_signed;
        if !matches!(terms.node(index), Node::Affine { .. }) || obligations.iter().any(other_kind) {
            return None;
        }
        let width = terms.width(index);
        let step = terms.lane_step(index)?.wrapping_mul(delta as u64);
        let step = signed(width, step);
        // An index that can't wrap is extended summand by summand, and its own place is not among these.
        if step == 0 || stays_in_range(terms, index, is_signed, step) {
            return None;
        }
        apart = apart.wrapping_add(coefficient.wrapping_mul(step as u64));
        obligations.push(NoWrap {
            index,
            delta: step,
            signed: is_signed,
        });
    }
    let equal = apart & mask(terms.width(source)) == 0;
    (equal && !obligations.is_empty()).then_some(obligations)
}

/// Whether what is known of an index alone lets it grow by `step`.
fn stays_in_range(terms: &Terms, index: TermId, is_signed: bool, step: i64) -> bool {
    let width = terms.width(index);
    let ((low, high), (least, greatest)) = match is_signed {
        true => {
            let (low, high) = terms.signed_range(index);
            let half = 1i128 << (width - 1);
            ((low.into(), high.into()), (-half, half - 1))
        }
        false => {
            let (low, high) = terms.unsigned_range(index);
            ((low.into(), high.into()), (0, (1i128 << width) - 1))
        }
    };
    let step = i128::from(step);
    let (low, high): (i128, i128) = (low, high);
    low + step >= least && high + step <= greatest
}

/// All extensions whose operands differ from the first's by a constant, the first included.
fn take_group(
    terms: &mut Terms,
    first: &Extended,
    rest: &mut Vec<Extended>,
) -> Vec<(Extended, i64)> {
    let mut group = vec![(Extended { ..*first }, 0)];
    let mut i = 0;
    while i < rest.len() {
        match distance(terms, first.inner, rest[i].inner) {
            Some(delta) => group.push((rest.swap_remove(i), delta)),
            None => i += 1,
        }
    }
    group
}

/// The member of the group that is in the destination's own address, so that obligations speak of its thread.
fn reference<'e>(
    terms: &Terms,
    destination: TermId,
    first: Extended,
    group: impl Iterator<Item = &'e Extended>,
) -> Option<Extended> {
    let (_, atoms) = terms.affine(destination);
    for member in group {
        let found = atoms.iter().any(|&(atom, _)| match *terms.node(atom) {
            Node::Unary(Unary::Sext | Unary::Zext, inner) => inner == member.inner,
            _ => false,
        });
        if found {
            return Some(Extended { ..*member });
        }
    }
    Some(first)
}

/// `to - from` if that is a constant, read as two's complement.
fn distance(terms: &mut Terms, from: TermId, to: TermId) -> Option<i64> {
    let width = terms.width(from);
    terms.difference(from, to).map(|bits| signed(width, bits))
}

/// The obligation that brings `other` to the reference. A zero extension of an index that can't be negative is a sign
/// extension, too; other mixtures are given up.
fn obligation(terms: &Terms, reference: &Extended, other: &Extended, delta: i64) -> Option<NoWrap> {
    let signed = if reference.signed == other.signed {
        reference.signed
    } else {
        let zero = if reference.signed { other } else { reference };
        if terms.signed_range(zero.inner).0 < 0 {
            return None;
        }
        true
    };
    Some(NoWrap {
        index: reference.inner,
        delta,
        signed,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use ptxasw_emulator::term::{Symbol, Variance};
    use ptxasw_ir::divergence::Level;

    struct Setting {
        terms: Terms,
        base: TermId,
        i: TermId,
    }

    fn setting() -> Setting {
        let mut terms = Terms::new();
        let base = terms.symbol(Symbol::new("a", 64, Variance::Of(Level::Uniform)));
        let tid = terms.symbol(Symbol::new("tid.x", 32, Variance::TidX).within(0, 1023));
        let row = terms.symbol(Symbol::new("row", 32, Variance::Of(Level::Row)));
        let i = terms.add(row, tid);
        Setting { terms, base, i }
    }

    /// `base + 4 * sext(index) + offset`
    fn address(setting: &mut Setting, index: TermId, offset: u64) -> TermId {
        let terms = &mut setting.terms;
        let wide = terms.sext(index, 64);
        let scaled = terms.scale(wide, 4);
        let sum = terms.add(setting.base, scaled);
        terms.offset(sum, offset)
    }

    #[test]
    fn a_shifted_index_equals_an_offset_if_it_does_not_wrap() {
        let mut setting = setting();
        let i = setting.i;
        let (source, destination) = (address(&mut setting, i, 0), address(&mut setting, i, 8));
        let moved = setting.terms.shift_lane(source, 2);
        let found = equal_under(&mut setting.terms, moved, destination);
        assert_eq!(
            found,
            Some(vec![NoWrap {
                index: i,
                delta: 2,
                signed: true
            }])
        );
        assert_eq!(equal_under(&mut setting.terms, source, destination), None);
    }

    #[test]
    fn different_bases_are_never_equal() {
        let mut setting = setting();
        let i = setting.i;
        let here = address(&mut setting, i, 0);
        setting.base = setting
            .terms
            .symbol(Symbol::new("b", 64, Variance::Of(Level::Uniform)));
        let there = address(&mut setting, i, 0);
        let moved = setting.terms.shift_lane(here, 1);
        assert_eq!(equal_under(&mut setting.terms, moved, there), None);
    }

    #[test]
    fn a_lane_dependent_part_is_not_the_neighbours() {
        let mut setting = setting();
        let mine = setting
            .terms
            .symbol(Symbol::new("loaded", 32, Variance::Of(Level::Divergent)));
        let index = setting.terms.add(setting.i, mine);
        let (source, destination) = (
            address(&mut setting, index, 0),
            address(&mut setting, index, 4),
        );
        let moved = setting.terms.shift_lane(source, 1);
        assert_eq!(equal_under(&mut setting.terms, moved, destination), None);
    }

    /// What is seen without a term is what is seen of the moved address.
    #[test]
    fn a_shifted_address_need_not_be_made() {
        let mut setting = setting();
        let i = setting.i;
        let twice = setting.terms.scale(i, 2);
        let (once, double) = (address(&mut setting, i, 0), address(&mut setting, twice, 0));
        let both = setting.terms.add(once, double);
        let unsigned = setting.terms.zext(i, 64);
        let unsigned = setting.terms.scale(unsigned, 4);
        for (source, bytes) in [(once, 4), (double, 8), (both, 12), (unsigned, 4)] {
            for delta in (-31..=31i8).filter(|&delta| delta != 0) {
                let apart = i64::from(delta) * bytes;
                let destination = setting.terms.offset(source, (apart + 12) as u64);
                let with =
                    |skip| equal_shifted(&setting.terms, source, skip, destination, delta.into());
                let (found, none) = (with(12), with(11));
                let skipped = setting.terms.offset(source, 12);
                let moved = setting.terms.shift_lane(skipped, delta);
                let expected = equal_under(&mut setting.terms, moved, destination);
                let sorted = |found: Option<Vec<NoWrap>>| {
                    let mut found = found.expect("equal");
                    found.sort_unstable_by_key(|one| one.index);
                    found
                };
                assert_eq!(sorted(found), sorted(expected), "{delta}");
                assert_eq!(none, None);
            }
        }
    }

    #[test]
    fn only_a_sum_of_lane_numbers_is_shifted_unmade() {
        let mut setting = setting();
        let i = setting.i;
        let lane = setting
            .terms
            .symbol(Symbol::new("loaded", 32, Variance::Of(Level::Divergent)));
        let loaded = setting.terms.add(i, lane);
        let product = setting.terms.mul(i, i);
        for index in [loaded, product] {
            let here = address(&mut setting, index, 0);
            let there = setting.terms.offset(here, 4);
            assert_eq!(equal_shifted(&setting.terms, here, 0, there, 1), None);
        }
    }
}
