//! Substitution: of terms by terms, and of a thread by its neighbour.

use super::symbol::Variance;
use super::{Atoms, Binary, Node, Operands, TermId, Terms, Unary};
use ptxasw_ir::divergence::Level;
use ptxasw_ir::lanes::LaneMap;
use rustc_hash::FxHashMap;

impl Terms {
    /// The term with every occurrence of a key of `map` replaced by its value, which is not descended into.
    pub fn replace(&mut self, t: TermId, map: &FxHashMap<TermId, TermId>) -> TermId {
        let mut done = map.clone();
        self.rebuild_below(t, &mut done)
    }

    /// As [`Terms::replace`], for several terms: `done` begins as the map and keeps what is rebuilt.
    pub fn replace_also(&mut self, t: TermId, done: &mut FxHashMap<TermId, TermId>) -> TermId {
        self.rebuild_below(t, done)
    }

    /// As [`Terms::replace_also`], where `new` gives the replacement of a symbol, if it has one: `done` keeps that, too.
    pub fn replace_symbols(
        &mut self,
        t: TermId,
        done: &mut FxHashMap<TermId, TermId>,
        mut new: impl FnMut(&mut Terms, TermId) -> Option<TermId>,
    ) -> TermId {
        for part in self.reachable_where(&[t], |t| !done.contains_key(&t)) {
            let rebuilt = match self.node(part) {
                Node::Symbol(_) => new(self, part).unwrap_or(part),
                _ => self.rebuild(part, |t| done.get(&t).copied().unwrap_or(t)),
            };
            done.insert(part, rebuilt);
        }
        done.get(&t).copied().unwrap_or(t)
    }

    /// As [`Terms::map_lane`], `n` threads on.
    pub fn shift_lane(&mut self, t: TermId, n: i8) -> TermId {
        self.map_lane(t, LaneMap::Shift(n))
    }

    /// The value that `t` has in the thread that `map` leads to, in the same row: `%tid.x` and `%laneid` are mapped (by a
    /// shift they become themselves plus `n`), every `Lane` symbol becomes its own copy, uniform and row symbols stay. It
    /// assumes that this thread exists, so that its `%tid.x` and `%laneid` lie in the symbols' ranges too, and for other maps
    /// than shifts that rows are whole groups of lanes (CONTRACT.md, "C5: neighbour").
    pub fn map_lane(&mut self, t: TermId, map: LaneMap) -> TermId {
        if map.is_own() || self.is_row_uniform(t) {
            return t;
        }
        let mut memo = self.lane_memo.remove(&map).unwrap_or_default();
        if let Some(&mapped) = memo.get(&t) {
            self.lane_memo.insert(map, memo);
            return mapped;
        }
        for variance in [Variance::TidX, Variance::LaneId] {
            if let Some(id) = self.unique_symbol(variance) {
                let symbol = self.symbol_term(id);
                memo.entry(symbol)
                    .or_insert_with(|| self.mapped_number(symbol, variance, map));
            }
        }
        let result = self.rebuild_with_lanes(t, map, &mut memo);
        self.lane_memo.insert(map, memo);
        result
    }

    fn rebuild_with_lanes(
        &mut self,
        t: TermId,
        map: LaneMap,
        memo: &mut FxHashMap<TermId, TermId>,
    ) -> TermId {
        let order =
            self.reachable_where(&[t], |t| !self.is_row_uniform(t) && !memo.contains_key(&t));
        for part in order {
            let mapped = match *self.node(part) {
                Node::Symbol(id)
                    if self.symbol_data(id).variance == Variance::Of(Level::Divergent) =>
                {
                    let copy = self.copy_in_lane(id, map);
                    self.symbol_term(copy)
                }
                _ => self.rebuild(part, |t| memo.get(&t).copied().unwrap_or(t)),
            };
            memo.insert(part, mapped);
        }
        memo.get(&t).copied().unwrap_or(t)
    }

    /// Rebuilds `t` from the terms in `done`, entering there what it rebuilds.
    fn rebuild_below(&mut self, t: TermId, done: &mut FxHashMap<TermId, TermId>) -> TermId {
        let order = self.reachable_where(&[t], |t| !done.contains_key(&t));
        for part in order {
            let rebuilt = self.rebuild(part, |t| done.get(&t).copied().unwrap_or(t));
            done.insert(part, rebuilt);
        }
        done.get(&t).copied().unwrap_or(t)
    }

    /// The operation of `t` on other operands.
    pub fn rebuild(&mut self, t: TermId, operand: impl Fn(TermId) -> TermId) -> TermId {
        self.rebuilt += 1;
        let width = self.width(t);
        match self.node(t).clone() {
            Node::Const(_) | Node::Symbol(_) => t,
            Node::Affine { constant, terms } => {
                let summands: Atoms = terms
                    .iter()
                    .map(|&(atom, coefficient)| (operand(atom), coefficient))
                    .collect();
                self.sum(width, constant, &summands)
            }
            Node::Product(factors) => {
                let mut result = self.constant(width, 1);
                for &factor in &factors {
                    result = self.mul(result, operand(factor));
                }
                result
            }
            Node::Unary(op, a) => self.apply_unary(op, width, operand(a)),
            Node::Binary(op @ (Binary::URem | Binary::SRem), a, b) => {
                self.rem_again(op == Binary::SRem, b, operand(a), operand(b))
            }
            Node::Binary(op, a, b) => self.apply_binary(op, operand(a), operand(b)),
            Node::Ite(condition, a, b) => self.ite(operand(condition), operand(a), operand(b)),
            Node::Uninterpreted { function, args } => {
                let args: Operands = args.iter().map(|&arg| operand(arg)).collect();
                self.uninterpreted(width, function, &args)
            }
        }
    }

    /// `op` of `a`, simplified, with a result of `width` bits.
    pub fn apply_unary(&mut self, op: Unary, width: u8, a: TermId) -> TermId {
        match op {
            Unary::Not => self.not(a),
            Unary::Zext => self.zext(a, width),
            Unary::Sext => self.sext(a, width),
            Unary::Extract(low) => self.extract(a, low, width),
            Unary::Popc => self.popc(a),
            Unary::Clz => self.clz(a),
            Unary::Brev => self.brev(a),
        }
    }

    /// `op` of `a` and `b`, simplified.
    pub fn apply_binary(&mut self, op: Binary, a: TermId, b: TermId) -> TermId {
        match op {
            Binary::And => self.and(a, b),
            Binary::Or => self.or(a, b),
            Binary::Xor => self.xor(a, b),
            Binary::Shl => self.shl(a, b),
            Binary::Lshr => self.lshr(a, b),
            Binary::Ashr => self.ashr(a, b),
            Binary::UDiv => self.div(false, a, b),
            Binary::URem => self.rem(false, a, b),
            Binary::SDiv => self.div(true, a, b),
            Binary::SRem => self.rem(true, a, b),
            Binary::UMulHigh => self.mul_high(false, a, b),
            Binary::SMulHigh => self.mul_high(true, a, b),
            Binary::Equal => self.equal(a, b),
            Binary::ULess => self.uless(a, b),
            Binary::SLess => self.sless(a, b),
        }
    }
}
