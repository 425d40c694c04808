//! Choices that need no check: known in both lanes, or alike in both addresses.
//!
//! `c ? a : b` in one address and `d ? a + k : b + k` in the other differ by `k`, whatever `k` is, where each of `c` and `d`
//! follows from the other under the facts of all lanes between. A mirrored border, `i < 0 ? -i : i`, is one: both of its
//! arms move with the lanes, and in every lane both addresses are on the same side of it.

use super::Cases;
use ptxasw_base::mutation::{Mutation, active};
use ptxasw_emulator::domains::difference_bounds;
use ptxasw_emulator::domains::intervals;
use ptxasw_emulator::term::{Node, TermId, Unary};
use rustc_hash::FxHashMap;

/// Choices of one address that are compared with those of the other.
const MAX_CHOICES: usize = 8;
/// The farthest neighbour for which facts of each lane between are made.
const MAX_BETWEEN: u8 = 8;

impl Cases<'_> {
    /// Decides a case of one address only without a check: by what is known, or by a choice of the other under an equivalent
    /// condition.
    pub(super) fn without_check(
        &mut self,
        there: &[TermId],
        here: &[TermId],
    ) -> Option<FxHashMap<TermId, TermId>> {
        let only = |these: &[TermId], others: &[TermId]| -> Vec<TermId> {
            let apart = these.iter().filter(|case| !others.contains(case));
            apart.copied().collect()
        };
        let (there, here) = (only(there, here), only(here, there));
        if there.len() > MAX_CHOICES || here.len() > MAX_CHOICES {
            return None;
        }
        for &case in there.iter().chain(&here) {
            if self.open.contains(&(case, case)) {
                continue;
            }
            if let Some(by) = self.known_case(case).or_else(|| self.known_arm(case)) {
                return Some([(case, by)].into_iter().collect());
            }
            self.open.insert((case, case));
        }
        for &case in &there {
            for &other in &here {
                if self.open.insert((case, other))
                    && let Some(by) = self.alike(case, other)
                {
                    return Some([(case, by)].into_iter().collect());
                }
            }
        }
        None
    }

    /// What a choice of two arms that move with the lanes is, or a bit as a number, if it is known.
    fn known_case(&mut self, case: TermId) -> Option<TermId> {
        let width = self.terms.width(case);
        let (condition, a, b) = match *self.terms.node(case) {
            Node::Ite(condition, a, b)
                if !self.terms.is_row_uniform(a) && !self.terms.is_row_uniform(b) =>
            {
                (condition, a, b)
            }
            Node::Unary(kind @ (Unary::Zext | Unary::Sext), bit) if self.terms.width(bit) == 1 => {
                let set = match kind {
                    Unary::Zext => 1,
                    _ => u64::MAX,
                };
                let zero = self.terms.constant(width, 0);
                (bit, self.terms.constant(width, set), zero)
            }
            _ => return None,
        };
        let negated = self.terms.not(condition);
        let arms = [(condition, a), (negated, b)];
        arms.into_iter()
            .find_map(|(goal, arm)| self.follows_if(goal, None).then_some(arm))
    }

    /// A choice of which one arm contains another choice that is known wherever that arm is taken.
    fn known_arm(&mut self, case: TermId) -> Option<TermId> {
        let &Node::Ite(condition, a, b) = self.terms.node(case) else {
            return None;
        };
        let negated = self.terms.not(condition);
        for (taken, arm) in [(condition, a), (negated, b)] {
            for (atom, _) in self.terms.affine(arm).1 {
                let Some(by) = self.known_inside(atom, taken) else {
                    continue;
                };
                let map = [(atom, by)].into_iter().collect();
                let by = self.terms.replace(arm, &map);
                let (a, b) = if arm == a { (by, b) } else { (a, by) };
                return Some(self.terms.ite(condition, a, b));
            }
        }
        None
    }

    /// The arm of a choice that holds where a condition does.
    fn known_inside(&mut self, choice: TermId, taken: TermId) -> Option<TermId> {
        let &Node::Ite(condition, a, b) = self.terms.node(choice) else {
            return None;
        };
        let negated = self.terms.not(condition);
        let arms = [(condition, a), (negated, b)].into_iter();
        let mut known = arms.filter(|&(goal, _)| self.follows_if(goal, Some(taken)));
        known.next().map(|(_, arm)| arm)
    }

    /// What a choice is by one of the other address.
    fn alike(&mut self, case: TermId, other: TermId) -> Option<TermId> {
        let (&Node::Ite(condition, a, b), &Node::Ite(by, x, y)) =
            (self.terms.node(case), self.terms.node(other))
        else {
            return None;
        };
        if self.terms.width(a) != self.terms.width(x) {
            return None;
        }
        let opposite = self.terms.not(by);
        for (by, x, y) in [(by, x, y), (opposite, y, x)] {
            let distance = self.terms.sub(a, x);
            if distance == self.terms.sub(b, y) && self.equivalent(condition, by) {
                self.say("both addresses choose alike");
                return Some(self.terms.add(other, distance));
            }
        }
        None
    }

    /// Each of two conditions follows from the other.
    fn equivalent(&mut self, one: TermId, other: TermId) -> bool {
        active(Mutation::ChoicesTakenAlike)
            || (self.follows_if(other, Some(one)) && self.follows_if(one, Some(other)))
    }

    /// Whether a condition follows from what is known of all lanes between, and from another condition.
    fn follows_if(&mut self, goal: TermId, condition: Option<TermId>) -> bool {
        let mut facts: Vec<TermId> = condition.into_iter().collect();
        facts.extend(self.known());
        facts.extend_from_slice(self.facts_between());
        if !difference_bounds::implied(self.terms, goal, &facts, None) {
            return false;
        }
        self.note(goal, &facts);
        true
    }

    /// The facts of the lanes strictly between both.
    fn facts_between(&mut self) -> &[TermId] {
        let Cases {
            terms,
            lanes,
            own,
            between,
            ..
        } = self;
        between.get_or_insert_with(|| {
            let lanes = match *lanes {
                far if far.unsigned_abs() > MAX_BETWEEN => 0..0,
                down if down < 0 => down + 1..0,
                up => 1..up,
            };
            let facts = lanes.flat_map(|lane| own.iter().map(move |&fact| (fact, lane)));
            facts
                .map(|(fact, lane)| terms.shift_lane(fact, lane))
                .collect()
        })
    }

    /// A fact of a lane between, in terms of the destination's lane.
    pub(super) fn of_lane_between(&self, fact: TermId) -> Option<TermId> {
        let between = self.between.as_ref()?;
        let at = between.iter().position(|&moved| moved == fact)?;
        self.own.get(at % self.own.len()).copied()
    }

    /// Which arms of a choice move with the lanes; where both do, which move as what is compared: away from a mirror.
    pub(super) fn moving(&mut self, condition: TermId, arms: [TermId; 2]) -> [bool; 2] {
        let moving = arms.map(|arm| !self.terms.is_row_uniform(arm));
        if moving != [true, true] {
            return moving;
        }
        let Some(comparison) = intervals::comparison(self.terms, condition) else {
            return moving;
        };
        arms.map(|arm| {
            [comparison.left, comparison.right]
                .into_iter()
                .any(|side| self.move_alike(arm, side))
        })
    }

    /// Both move with the lanes, and keep their distance.
    fn move_alike(&mut self, arm: TermId, side: TermId) -> bool {
        if self.terms.width(arm) != self.terms.width(side) || self.terms.is_row_uniform(side) {
            return false;
        }
        let distance = self.terms.sub(arm, side);
        self.terms.is_row_uniform(distance)
    }
}
