//! `lop3`: a truth table of three inputs, as the smallest formula of and, or, xor and not that has it.
//!
//! Bit `4a + 2b + c` of a table is its value for those bits of the inputs (PTX ISA, `lop3`): the table of `a` alone is
//! 0xF0, of `b` 0xCC, of `c` 0xAA, and combining tables bitwise combines the formulas.

use super::Results;
use super::domain::Domain;
use crate::op::Logic;
use smallvec::smallvec;
use std::sync::LazyLock;

/// How a truth table is made of others.
#[derive(Clone, Copy, Debug)]
enum Formula {
    /// All zeros (`false`) or all ones.
    Constant(bool),
    /// An operand.
    Input(u8),
    Not(u8),
    And(u8, u8),
    Or(u8, u8),
    Xor(u8, u8),
}

/// The best formula of each table.
static FORMULAS: LazyLock<[Formula; 256]> = LazyLock::new(find_formulas);

/// Finds formulas by increasing cost: those of cost n combine two whose costs add up to n - 1. Of several with the same
/// cost the first in a fixed order stays. Every table is reached at cost 6 or less, so that formulas are never deeper
/// than that.
fn find_formulas() -> [Formula; 256] {
    let mut found: [Option<Formula>; 256] = [None; 256];
    let leaves = [
        (0x00, Formula::Constant(false)),
        (0xFF, Formula::Constant(true)),
        (0xF0, Formula::Input(0)),
        (0xCC, Formula::Input(1)),
        (0xAA, Formula::Input(2)),
    ];
    let mut by_cost: Vec<Vec<u8>> = vec![Vec::new()];
    for (table, formula) in leaves {
        found[usize::from(table)] = Some(formula);
        by_cost[0].push(table);
    }
    while by_cost.iter().map(Vec::len).sum::<usize>() < found.len() {
        let cost = by_cost.len();
        let mut new = Vec::new();
        let mut offer = |table: u8, formula| {
            let entry = &mut found[usize::from(table)];
            if entry.is_none() {
                *entry = Some(formula);
                new.push(table);
            }
        };
        for &x in &by_cost[cost - 1] {
            offer(!x, Formula::Not(x));
        }
        for (left, right) in (0..cost).map(|left| (left, cost - 1 - left)) {
            for &x in &by_cost[left] {
                for &y in &by_cost[right] {
                    offer(x & y, Formula::And(x, y));
                    offer(x | y, Formula::Or(x, y));
                    offer(x ^ y, Formula::Xor(x, y));
                }
            }
        }
        by_cost.push(new);
    }
    // The loop ends when none is missing.
    found.map(|formula| formula.unwrap_or(Formula::Constant(false)))
}

/// `lop3` without a predicate.
pub(super) fn apply<D: Domain>(d: &mut D, table: u8, args: &[D::Value]) -> D::Value {
    build(d, &FORMULAS, table, args)
}

/// Builds the formula of a table. The recursion is as deep as the formula: its parts cost less than itself.
fn build<D: Domain>(
    d: &mut D,
    formulas: &[Formula; 256],
    table: u8,
    args: &[D::Value],
) -> D::Value {
    match formulas[usize::from(table)] {
        Formula::Constant(ones) => d.constant(32, if ones { u64::MAX } else { 0 }),
        Formula::Input(i) => args[usize::from(i)].clone(),
        Formula::Not(x) => {
            let x = build(d, formulas, x, args);
            d.not(32, x)
        }
        Formula::And(x, y) => {
            let (x, y) = (build(d, formulas, x, args), build(d, formulas, y, args));
            d.and(32, x, y)
        }
        Formula::Or(x, y) => {
            let (x, y) = (build(d, formulas, x, args), build(d, formulas, y, args));
            d.or(32, x, y)
        }
        Formula::Xor(x, y) => {
            let (x, y) = (build(d, formulas, x, args), build(d, formulas, y, args));
            d.xor(32, x, y)
        }
    }
}

/// `lop3.BoolOp d|p, a, b, c, table, q`: d and p = (d != 0) BoolOp q.
pub(super) fn with_predicate<D: Domain>(
    d: &mut D,
    table: u8,
    logic: Logic,
    args: &[D::Value],
) -> Results<D::Value> {
    let value = apply(d, table, args);
    let zero = d.constant(32, 0);
    let is_zero = d.equal(32, value.clone(), zero);
    let set = d.not(1, is_zero);
    let predicate = super::compare::combine(d, Some(logic), set, args.get(3));
    smallvec![value, predicate]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::semantics::Concrete;

    /// With the three input tables as operands, the result is the table itself.
    #[test]
    fn every_table() {
        for table in 0..=u8::MAX {
            let result = apply(&mut Concrete, table, &[0xF0, 0xCC, 0xAA]);
            assert_eq!(result as u8, table);
        }
    }

    #[test]
    fn formulas_are_small() {
        fn cost(table: u8) -> u32 {
            match FORMULAS[usize::from(table)] {
                Formula::Constant(_) | Formula::Input(_) => 0,
                Formula::Not(x) => 1 + cost(x),
                Formula::And(x, y) | Formula::Or(x, y) | Formula::Xor(x, y) => {
                    1 + cost(x) + cost(y)
                }
            }
        }
        assert_eq!(cost(0xC0), 1, "a & b");
        assert_eq!(cost(0xFC), 1, "a | b");
        assert_eq!(cost(0x3C), 1, "a ^ b");
        assert_eq!(cost(0x96), 2, "a ^ b ^ c");
        assert_eq!(cost(0xFE), 2, "a | b | c");
        assert_eq!(cost(0x80), 2, "a & b & c");
        assert_eq!(cost(0x0F), 1, "~a");
        assert_eq!(cost(0xEA), 2, "(a & b) | c");
        assert_eq!(cost(0xCA), 3, "a ? b : c");
        assert_eq!(cost(0xE8), 4, "majority");
        assert!((0..=u8::MAX).all(|table| cost(table) <= 6));
    }
}
