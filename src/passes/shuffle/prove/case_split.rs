//! C1 where an address has cases: clamps and choices, rows of a division, fields of a number.
//!
//! A case is decided if one of its arms is what the term is in both lanes that count: the destination's, and its neighbour
//! as seen from there. It is decided by the path conditions of both lanes, by the sign of a uniform value, or by a check that
//! the destination's lane makes for itself at run time; where the check fails, the lane is a corner lane. What is left is
//! compared as any other address.

mod alike;
mod signs;

use super::address::{self, NoWrap};
use super::div_rem::{Division, Rule, rules};
use crate::shuffle::region::placement::Wanted;
use ptxasw_base::mutation::{Mutation, active};
use ptxasw_emulator::domains::difference_bounds;
use ptxasw_emulator::domains::intervals::{self, Line};
use ptxasw_emulator::term::{Binary, Node, TermId, Terms, Unary, signed};
use rustc_hash::{FxHashMap, FxHashSet};

/// Cases of one pair that are decided.
const MAX_CASES: usize = 8;
/// Terms of one pair that are searched for cases.
const MAX_TERMS: usize = 256;

/// How two addresses are equal whose cases are decided.
#[derive(Debug, Default)]
pub(in crate::shuffle) struct Decided {
    /// What is left to show.
    pub obligations: Vec<NoWrap>,
    /// Run-time checks.
    pub wanted: Vec<Wanted>,
    /// What the checks establish about the destination's lane.
    pub checked: Vec<TermId>,
    /// The path conditions that it rests on.
    pub used: Vec<TermId>,
    /// What holds by arithmetic alone, whatever the numbers are (see [`rules`](super::div_rem::rules)), in the order in which
    /// one may need another.
    pub rules: Vec<Rule>,
    /// The indices of the destination's address with their cases decided, and as they are written.
    pub written: Vec<(TermId, TermId)>,
    /// Bits of products matter to a solver.
    pub exact: bool,
    /// In words.
    pub how: Vec<&'static str>,
}

/// The equality of `from`, the source's address in the neighbour `lanes` away, and `to`, under `facts` that hold in every
/// lane between, and `here`, of the destination's; none if cases do not make them equal.
pub(in crate::shuffle) fn decide(
    terms: &mut Terms,
    from: TermId,
    to: TermId,
    lanes: i8,
    facts: &[TermId],
    here: &[TermId],
) -> Option<Decided> {
    let mixed = signs::mixed(terms, from, to);
    if mixed.is_empty() && cases(terms, from)?.is_empty() && cases(terms, to)?.is_empty() {
        return None;
    }
    let mut run = Cases::new(terms, lanes, facts);
    run.moved.extend_from_slice(here);
    let signs = run.signs(&mixed);
    let (mut from, mut to) = (
        run.terms.replace(from, &signs),
        run.terms.replace(to, &signs),
    );
    if let Some(obligations) =
        address::equal_under(run.terms, from, to).filter(|_| !signs.is_empty())
    {
        run.decided.obligations = obligations;
        run.say("the path conditions of both lanes decide the signs");
        return Some(run.decided);
    }
    let mut given_up = FxHashSet::default();
    let mut rules = 0;
    let written = extended(run.terms, to);
    let mut indices = written.clone();
    for _ in 0..MAX_CASES {
        let (there, here) = (cases(run.terms, from)?, cases(run.terms, to)?);
        let mut found = there.clone();
        found.extend(&here);
        found.sort_unstable();
        found.dedup();
        // A case that both addresses contain is mostly equal as it is.
        let common = |case: &TermId| there.contains(case) && here.contains(case);
        let (last, first): (Vec<TermId>, Vec<TermId>) =
            found.iter().partition(|&case| common(case));
        let free = run.without_check(&there, &here);
        let mut decided = free.or_else(|| {
            first.into_iter().chain(last).find_map(|case| {
                (!given_up.contains(&case)).then_some(())?;
                let map = run.one(case, &found);
                if map.is_none() {
                    given_up.insert(case);
                }
                map
            })
        })?;
        if run.decided.rules.len() > rules {
            rules = run.decided.rules.len();
            for address in [from, to] {
                run.congruent(address, &decided)?;
            }
        }
        keep_signs(run.terms, &[from, to], &mut decided);
        from = run.terms.replace(from, &decided);
        to = run.terms.replace(to, &decided);
        for index in &mut indices {
            *index = run.terms.replace(*index, &decided);
        }
        if let Some(obligations) = address::equal_under(run.terms, from, to) {
            run.decided.obligations.extend(obligations);
            run.decided.written = indices.into_iter().zip(written).collect();
            return Some(run.decided);
        }
    }
    None
}

/// A zero extension of what can't be negative is a sign extension, whatever its decided cases can be elsewhere.
fn keep_signs(terms: &mut Terms, addresses: &[TermId], map: &mut FxHashMap<TermId, TermId>) {
    for &address in addresses {
        for (atom, _) in terms.affine(address).1 {
            let Node::Unary(Unary::Zext, inner) = *terms.node(atom) else {
                continue;
            };
            let decided = terms.replace(inner, map);
            if decided != inner && terms.facts(inner).non_negative() {
                let extended = terms.sext(decided, terms.width(atom));
                map.insert(atom, extended);
            }
        }
    }
}

/// What the extended summands of an address extend.
fn extended(terms: &Terms, address: TermId) -> Vec<TermId> {
    let (_, atoms) = terms.affine(address);
    let inner = atoms
        .into_iter()
        .filter_map(|(atom, _)| match *terms.node(atom) {
            Node::Unary(Unary::Sext | Unary::Zext, inner) => Some(inner),
            _ => None,
        });
    inner.collect()
}

/// The cases in a term, operands before what uses them; none if the term is too large to search.
fn cases(terms: &Terms, t: TermId) -> Option<Vec<TermId>> {
    parts(terms, t, |t| is_case(terms, t))
}

/// What a term is made of, where that differs between lanes and is `wanted`.
fn parts(terms: &Terms, t: TermId, wanted: impl Fn(TermId) -> bool) -> Option<Vec<TermId>> {
    let mut seen = FxHashSet::default();
    let mut work = vec![t];
    let mut found = Vec::new();
    while let Some(t) = work.pop() {
        if terms.is_row_uniform(t) || !seen.insert(t) {
            continue;
        }
        if seen.len() > MAX_TERMS {
            return None;
        }
        if wanted(t) {
            found.push(t);
        }
        terms.node(t).for_each_operand(|operand| work.push(operand));
    }
    found.sort_unstable();
    Some(found)
}

fn is_case(terms: &Terms, t: TermId) -> bool {
    match *terms.node(t) {
        Node::Ite(condition, ..) => !terms.is_row_uniform(condition),
        Node::Unary(Unary::Zext | Unary::Sext, bit) if terms.width(bit) == 1 => true,
        _ => Division::of(terms, t).is_some(),
    }
}

/// The decisions for one pair of addresses.
pub(super) struct Cases<'t> {
    pub terms: &'t mut Terms,
    pub lanes: i8,
    /// Facts of every lane between, in terms of the destination's lane.
    pub own: Vec<TermId>,
    /// These facts in the neighbour, then where it is.
    moved: Vec<TermId>,
    /// These facts in each lane between, once somebody asks.
    between: Option<Vec<TermId>>,
    /// What was found to be neither known nor alike.
    open: FxHashSet<(TermId, TermId)>,
    pub decided: Decided,
}

impl<'t> Cases<'t> {
    fn new(terms: &'t mut Terms, lanes: i8, facts: &[TermId]) -> Self {
        let mut moved: Vec<TermId> = facts
            .iter()
            .map(|&fact| terms.shift_lane(fact, lanes))
            .collect();
        let numbers: Vec<TermId> = terms.lane_numbers().collect();
        for number in numbers {
            let (_, greatest) = terms.unsigned_range(number);
            let greatest = terms.constant(terms.width(number), greatest);
            let there = terms.offset(number, i64::from(lanes) as u64);
            let outside = terms.less(false, greatest, there);
            moved.push(terms.not(outside));
        }
        Cases {
            terms,
            lanes,
            own: facts.to_vec(),
            moved,
            between: None,
            open: FxHashSet::default(),
            decided: Decided::default(),
        }
    }

    /// Adds to the rules that products and quotients of equal numbers are equal: solvers are shown those as unknowns.
    fn congruent(&mut self, address: TermId, map: &FxHashMap<TermId, TermId>) -> Option<()> {
        let unknown = |t: TermId| match *self.terms.node(t) {
            Node::Product(_) => true,
            Node::Binary(op, ..) => matches!(
                op,
                Binary::UDiv | Binary::SDiv | Binary::URem | Binary::SRem
            ),
            _ => false,
        };
        for t in parts(self.terms, address, unknown)? {
            let replaced = self.terms.replace(t, map);
            if replaced != t && !map.contains_key(&t) {
                let rule = rules::congruence(self.terms, map, (t, replaced));
                self.decided.rules.push(rule);
            }
        }
        Some(())
    }

    /// Decides one case: what to put in the place of which terms.
    fn one(&mut self, case: TermId, all: &[TermId]) -> Option<FxHashMap<TermId, TermId>> {
        match *self.terms.node(case) {
            Node::Ite(condition, a, b) => {
                let arm = self.arm(condition, a, b)?;
                Some([(case, arm)].into_iter().collect())
            }
            // A bit that counts as a number: known, or left as it is.
            Node::Unary(..) if Division::of(self.terms, case).is_none() => None,
            _ => self.rows(case, all),
        }
    }

    /// The arm of a choice that holds.
    fn arm(&mut self, condition: TermId, a: TermId, b: TermId) -> Option<TermId> {
        let negated = self.terms.not(condition);
        for (goal, arm) in [(condition, a), (negated, b)] {
            if self.follows(goal) {
                return Some(arm);
            }
        }
        // The arm that moves with the lanes is the one away from the clamp.
        let [first, second] = self.moving(condition, [a, b]);
        let (goal, arm) = match (first, second) {
            (true, false) => (condition, a),
            (false, true) => (negated, b),
            _ => return None,
        };
        if active(Mutation::ClampIgnored) {
            return Some(arm);
        }
        let or_equal = self.or_equal(condition, a, b).filter(|_| arm == a);
        let met = or_equal.is_some_and(|goal| self.need(goal)) || self.need(goal);
        met.then_some(arm)
    }

    /// For the minimum or maximum of two terms, each plus the same: the first arm is it also where both are equal.
    fn or_equal(&mut self, condition: TermId, a: TermId, b: TermId) -> Option<TermId> {
        let Node::Binary(less @ (Binary::SLess | Binary::ULess), x, y) =
            *self.terms.node(condition)
        else {
            return None;
        };
        // A comparison in another width is no minimum of the two.
        if self.terms.width(x) != self.terms.width(a) {
            return None;
        }
        let plus = |terms: &mut Terms, p, q| (terms.sub(a, p), terms.sub(b, q));
        let minimum = plus(self.terms, x, y);
        let maximum = plus(self.terms, y, x);
        if minimum.0 != minimum.1 && maximum.0 != maximum.1 {
            return None;
        }
        let greater = self.terms.less(less == Binary::SLess, y, x);
        Some(self.terms.not(greater))
    }

    /// Whether a condition follows from what is known of both lanes.
    pub fn follows(&mut self, goal: TermId) -> bool {
        let known = self.known();
        self.follows_from(goal, &known, None)
    }

    fn known(&self) -> Vec<TermId> {
        let checked = &self.decided.checked;
        let all = self.own.iter().chain(&self.moved).chain(checked);
        all.copied().collect()
    }

    /// As [`Cases::follows`], from some facts, with a uniform term taken as not negative.
    pub fn follows_from(
        &mut self,
        goal: TermId,
        facts: &[TermId],
        assumed: Option<TermId>,
    ) -> bool {
        if !difference_bounds::implied(self.terms, goal, facts, assumed) {
            return false;
        }
        self.note(goal, facts);
        true
    }

    /// Notes the path conditions among `facts` that a conclusion about `goal` can rest on.
    fn note(&mut self, goal: TermId, facts: &[TermId]) {
        let mut used = difference_bounds::about(self.terms, goal, facts);
        if facts.contains(&goal) {
            used.push(goal);
        }
        for fact in used {
            let base = match self.moved.iter().position(|&moved| moved == fact) {
                Some(at) => self.own.get(at).copied(),
                None => self.of_lane_between(fact).or(Some(fact)),
            };
            self.decided.used.extend(base);
            if self.own.contains(&fact) {
                self.decided.used.push(fact);
            }
        }
    }

    /// Meets a condition on the destination's lane: by what is known, by the sign of a uniform value, or by a check.
    pub fn need(&mut self, goal: TermId) -> bool {
        let known = self.known();
        if self.follows_from(goal, &known, None) {
            self.say("the path conditions of both lanes decide the cases");
            return true;
        }
        let uniform = self.uniform_sides(goal);
        for &term in &uniform {
            if self.follows_from(goal, &known, Some(term)) {
                self.not_negative(term);
                return true;
            }
        }
        for assumed in std::iter::once(None).chain(uniform.into_iter().map(Some)) {
            if let Some(check) = self.check(goal, &known, assumed) {
                if let Some(term) = assumed {
                    self.not_negative(term);
                }
                self.checked(check, goal);
                return true;
            }
        }
        false
    }

    /// Asks for a run-time check that gives `goal`.
    pub fn checked(&mut self, check: Wanted, goal: TermId) {
        if !self.decided.wanted.contains(&check) {
            self.decided.wanted.push(check);
        }
        self.decided.checked.push(goal);
        self.say("where the cases change is checked at run time");
    }

    /// Asks for a run-time check that a uniform term is not negative.
    pub fn not_negative(&mut self, term: TermId) {
        let width = self.terms.width(term);
        let zero = self.terms.constant(width, 0);
        let negative = self.terms.less(true, term, zero);
        let goal = self.terms.not(negative);
        if self.terms.as_const(goal) == Some(1) {
            return;
        }
        let check = Wanted {
            term,
            minus: None,
            offset: 0,
            limit: (1 << (width - 1)) - 1,
        };
        self.checked(check, goal);
    }

    fn say(&mut self, words: &'static str) {
        if !self.decided.how.contains(&words) {
            self.decided.how.push(words);
        }
    }

    /// The uniform sides of a comparison, with and without their constants.
    fn uniform_sides(&mut self, goal: TermId) -> Vec<TermId> {
        let Some(comparison) = intervals::comparison(self.terms, goal) else {
            return Vec::new();
        };
        let mut found = Vec::new();
        for side in [comparison.left, comparison.right] {
            if self.terms.as_const(side).is_none() && self.terms.is_uniform(side) {
                let (shape, _) = difference_bounds::split(self.terms, side);
                found.push(shape);
                if shape != side {
                    found.push(side);
                }
            }
        }
        found
    }

    /// A check of a difference or of one term that is enough for a comparison, the bounds of its sides being known.
    fn check(&mut self, goal: TermId, facts: &[TermId], assumed: Option<TermId>) -> Option<Wanted> {
        if let Node::Unary(Unary::Not, inner) = *self.terms.node(goal)
            && let Node::Binary(Binary::Equal, a, b) = *self.terms.node(inner)
        {
            let all = u64::MAX >> (64 - self.terms.width(a));
            return Some(self.wanted(a, b, all, all - 1));
        }
        let comparison =
            intervals::comparison(self.terms, goal).filter(|one| !one.is_equality())?;
        let (left, right) = (comparison.left, comparison.right);
        let width = self.terms.width(left);
        let line = Line::new(width, comparison.signed);
        let gap = i128::from(comparison.is_strict());
        let value = |bits: u64| match comparison.signed {
            true => i128::from(signed(width, bits)),
            false => bits.into(),
        };
        let span = |low: i128, high: i128| {
            let mask = (1i128 << width) - 1;
            (low <= high).then_some(((-low & mask) as u64, (high - low) as u64))
        };
        match (self.terms.as_const(left), self.terms.as_const(right)) {
            (None, Some(bits)) => {
                let (offset, limit) = span(line.low, value(bits) - gap)?;
                Some(one_sided(left, offset, limit))
            }
            (Some(bits), None) => {
                let (offset, limit) = span(value(bits) + gap, line.high)?;
                Some(one_sided(right, offset, limit))
            }
            _ => {
                // right - left - gap, taken modulo 2^width, is at most this only if it did not wrap.
                let most_left = intervals::interval(self.terms, left, facts, line, assumed).high;
                let least_right = intervals::interval(self.terms, right, facts, line, assumed).low;
                let limit = least_right - most_left - gap + (1i128 << width) - 1;
                let limit = limit.min((1i128 << width) - 1 - gap);
                if limit < 1 << (width / 2) {
                    return None;
                }
                self.note(goal, facts);
                let offset = (gap as u64).wrapping_neg();
                Some(self.wanted(right, left, offset, limit as u64))
            }
        }
    }

    /// `term - minus + offset <= limit`
    pub fn wanted(&mut self, term: TermId, minus: TermId, offset: u64, limit: u64) -> Wanted {
        let width = self.terms.width(term);
        let mask = u64::MAX >> (64 - width);
        match (self.terms.as_const(term), self.terms.as_const(minus)) {
            (_, Some(bits)) => one_sided(term, offset.wrapping_sub(bits) & mask, limit),
            _ => Wanted {
                term,
                minus: Some(minus),
                offset: offset & mask,
                limit,
            },
        }
    }
}

/// `term + offset <= limit`
fn one_sided(term: TermId, offset: u64, limit: u64) -> Wanted {
    Wanted {
        term,
        minus: None,
        offset,
        limit,
    }
}

#[cfg(test)]
mod tests;
