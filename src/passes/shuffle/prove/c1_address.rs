//! C1, same bytes: by algebra, by checks at run time where a 32-bit index may wrap, and by the solver for what algebra can't
//! see.

use super::address::{self, NoWrap};
use super::assumptions;
use super::case_split::{self, Decided};
use super::lanes;
use super::uniform::{self, Uniform};
use super::wrap::{self, Discharge};
use crate::shuffle::model::evidence::{Guard, ProofMethod, RestsOn};
use crate::shuffle::model::pair::Pair;
use crate::shuffle::model::run::Run;
use crate::shuffle::refusal::{Refusal, c1};
use crate::shuffle::region::placement::{Holders, Place, Wanted};
use ptxasw_base::mutation::{Mutation, active};
use ptxasw_emulator::solver::{Proof, Query, Reading, Unknown, Verdict};
use ptxasw_emulator::symbols;
use ptxasw_emulator::term::TermId;
use smallvec::SmallVec;
use std::borrow::Cow;

/// How C1 was met.
pub(in crate::shuffle) struct SameBytes {
    pub proof: Cow<'static, str>,
    /// Run-time checks that it rests on.
    pub wanted: SmallVec<[Wanted; 1]>,
    /// A check of the distance between the thread's own addresses of destination and source.
    pub distance: Option<Wanted>,
    /// The indices that do not wrap.
    pub guards: SmallVec<[Guard; 1]>,
    /// What else the certificate has to name: path conditions that it rests on, and rules of arithmetic.
    pub rests_on: RestsOn,
    /// Algebra decided it, given the guards and checks.
    pub algebra: bool,
    /// How the certificate is to be read; none if the user's assumption replaces a proof.
    pub reading: Option<Reading>,
}

impl SameBytes {
    /// By what it was decided.
    pub fn by(&self) -> ProofMethod {
        if !self.algebra {
            ProofMethod::Solver
        } else if !self.wanted.is_empty() || self.distance.is_some() {
            ProofMethod::Checks
        } else if !self.guards.is_empty() || !self.rests_on.facts.is_empty() {
            ProofMethod::Ranges
        } else {
            ProofMethod::Algebra
        }
    }

    fn algebra(
        proof: Cow<'static, str>,
        wanted: SmallVec<[Wanted; 1]>,
        guards: SmallVec<[Guard; 1]>,
    ) -> Self {
        SameBytes {
            proof,
            wanted,
            distance: None,
            guards,
            rests_on: RestsOn::default(),
            algebra: true,
            reading: Some(Reading::Abstract),
        }
    }
}

/// What reports say where the producer's word is a fact.
const PROMISED: &str = "by a condition that is promised (`llvm.assume`)";
/// The words of reports where the user's assumption replaces a proof.
const ASSUMED: &str = "32-bit indices are assumed not to overflow, by choice of the user";

/// Addresses that are equal if nothing wraps, by the user's word.
fn assumed(mut same: SameBytes) -> SameBytes {
    if !same.proof.contains(ASSUMED) {
        same.proof.to_mut().push_str("; ");
        same.proof.to_mut().push_str(ASSUMED);
    }
    same.reading = None;
    same
}

/// Checks of an index are made of it as it is written: registers hold that.
fn as_written(same: &mut SameBytes, written: &[(TermId, TermId)]) {
    for guard in &mut same.guards {
        let Discharge::IfInRange { index, .. } = &mut guard.found else {
            continue;
        };
        let known = written.iter().find(|(decided, _)| decided == index);
        if let (Some(&(decided, written)), Some(check)) = (known, guard.check) {
            *index = written;
            guard.obligation.index = written;
            if same.wanted[check].term == decided {
                same.wanted[check].term = written;
            }
        }
    }
}

impl Run<'_> {
    /// C1: algebra first, the solver for what algebra can't see.
    pub(in crate::shuffle) fn same_bytes(&mut self, pair: &Pair) -> Result<SameBytes, Refusal> {
        let mut same = self.equal_addresses(pair)?;
        if !self.has_promises {
            return Ok(same);
        }
        let accesses = [pair.source.inst, pair.destination.inst];
        for words in assumptions::words(self.function, self.analyses, self.text, &accesses) {
            same.proof.to_mut().push_str(&format!("; {words}"));
        }
        Ok(same)
    }

    fn equal_addresses(&mut self, pair: &Pair) -> Result<SameBytes, Refusal> {
        if let Some(obligations) = self.shifted(pair) {
            let facts: Vec<TermId> = self.conditions.of_block(pair.destination.block).collect();
            let here = symbols::neighbour(self.terms, self.function, pair.lanes);
            return self.without_wrap(pair, &obligations, &facts, &here);
        }
        let (Some(from), Some(to)) = (pair.moved(self.terms), pair.destination.address) else {
            return Err(Refusal::new(&c1::UNKNOWN_ADDRESS).at(pair.source.origin, "source"));
        };
        if from == to {
            let proof = "affine normal form".into();
            return Ok(SameBytes::algebra(proof, SmallVec::new(), SmallVec::new()));
        }
        let facts: Vec<TermId> = self.conditions.of_block(pair.destination.block).collect();
        let here = symbols::neighbour(self.terms, self.function, pair.lanes);
        if let Some(obligations) = address::equal_under(self.terms, from, to) {
            return self.without_wrap(pair, &obligations, &facts, &here);
        }
        let decided = pair
            .lanes
            .shift()
            .and_then(|delta| case_split::decide(self.terms, from, to, delta, &facts, &here));
        match decided {
            Some(mut decided) => {
                decided.checked.extend(here);
                self.by_cases(pair, decided, &facts)
            }
            None if address::equal_without_wraps(self.terms, from, to) => {
                match uniform::equal(self.terms, from, to, &facts) {
                    Some(found) if self.checkable(pair, &found.wanted) => {
                        self.by_uniform(pair, found, &facts, &here)
                    }
                    _ => self.by_distance(pair, &facts),
                }
            }
            None => self.by_solver(pair),
        }
    }

    /// The obligations of a pair of which nothing has to be moved to see that its addresses are equal.
    fn shifted(&self, pair: &Pair) -> Option<Vec<NoWrap>> {
        let delta = pair.lanes.shift().filter(|&delta| delta != 0)?;
        let (from, to) = (pair.source.address?, pair.destination.address?);
        address::equal_shifted(self.terms, from, pair.skip, to, delta.into())
    }

    /// Facts of the destination that no branch decides.
    fn promised(&self, pair: &Pair) -> Vec<TermId> {
        let facts = self.conditions.facts(pair.destination.block);
        facts
            .filter(|fact| fact.promised)
            .map(|fact| fact.term)
            .collect()
    }

    fn without_wrap(
        &mut self,
        pair: &Pair,
        obligations: &[NoWrap],
        facts: &[TermId],
        own: &[TermId],
    ) -> Result<SameBytes, Refusal> {
        let mut how = vec!["affine normal form"];
        let (mut wanted, mut guards) = (SmallVec::new(), SmallVec::new());
        let promised = self.promised(pair);
        let mut by_promise = false;
        for obligation in obligations {
            if self.options.assume_no_wrap || active(Mutation::WrapIgnored) {
                how.push(ASSUMED);
                break;
            }
            let Some(found) =
                wrap::discharge(self.terms, obligation, pair.lanes.steps(), facts, own)
            else {
                return Err(Refusal::new(&c1::OVERFLOW_BETWEEN).at(pair.source.origin, "source"));
            };
            let (reason, check) = self.asked(&found);
            how.push(reason);
            let check = check.map(|check| {
                let known = wanted.iter().position(|known| *known == check);
                known.unwrap_or_else(|| {
                    wanted.push(check);
                    wanted.len() - 1
                })
            });
            let used = match self.options.certificates || !promised.is_empty() {
                true => wrap::used(
                    self.terms,
                    obligation,
                    pair.lanes.steps(),
                    facts,
                    own,
                    &found,
                ),
                false => Vec::new(),
            };
            by_promise |= used.iter().any(|fact| promised.contains(fact));
            guards.push(Guard {
                obligation: *obligation,
                found,
                used,
                check,
            });
        }
        how.dedup();
        if by_promise {
            how.push(PROMISED);
        }
        let proof: Cow<str> = match how[..] {
            [only] => only.into(),
            _ => how.join("; ").into(),
        };
        Ok(if self.options.assume_no_wrap && !obligations.is_empty() {
            SameBytes {
                reading: None,
                ..SameBytes::algebra(proof, wanted, guards)
            }
        } else {
            SameBytes::algebra(proof, wanted, guards)
        })
    }

    /// Addresses that are equal once their cases are decided.
    fn by_cases(
        &mut self,
        pair: &Pair,
        decided: Decided,
        facts: &[TermId],
    ) -> Result<SameBytes, Refusal> {
        let Decided {
            obligations,
            mut wanted,
            checked,
            used,
            rules,
            written,
            exact,
            how,
        } = decided;
        let mut same = self.without_wrap(pair, &obligations, facts, &checked)?;
        as_written(&mut same, &written);
        // The checks of the guards come first: guards know them by number.
        wanted.retain(|check| !same.wanted.contains(check));
        same.wanted.extend(wanted);
        for words in how {
            same.proof.to_mut().push_str("; ");
            same.proof.to_mut().push_str(words);
        }
        if exact {
            same.reading = same.reading.map(|_| Reading::Exact);
        }
        same.rests_on = RestsOn { facts: used, rules };
        Ok(same)
    }

    /// Addresses that are equal where uniform values do not wrap.
    fn by_uniform(
        &mut self,
        pair: &Pair,
        found: Uniform,
        facts: &[TermId],
        here: &[TermId],
    ) -> Result<SameBytes, Refusal> {
        let mut same = self.without_wrap(pair, &found.obligations, facts, here)?;
        if self.options.assume_no_wrap {
            return Ok(assumed(same));
        }
        if !found.wanted.is_empty() {
            same.proof
                .to_mut()
                .push_str("; uniform arithmetic is checked at run time");
        }
        for check in found.wanted {
            if !same.wanted.contains(&check) {
                same.wanted.push(check);
            }
        }
        same.rests_on.facts = found.used;
        Ok(same)
    }

    /// Whether registers hold what is to be checked when the source is loaded.
    fn checkable(&mut self, pair: &Pair, wanted: &[Wanted]) -> bool {
        let Run {
            function,
            analyses,
            text,
            values,
            ref mut terms,
            ref mut holders,
            ..
        } = *self;
        let place = Place {
            block: pair.source.block,
            statement: pair.source.origin,
        };
        let holders = holders.get_or_insert_with(|| Holders::new(function, terms, values, text));
        wanted.iter().all(|check| {
            let found = holders.check(function, analyses, terms, text, place, check);
            found.is_some()
        })
    }

    /// What reports show of a discharge, and the run-time check that it asks for.
    fn asked(&self, found: &Discharge) -> (&'static str, Option<Wanted>) {
        match *found {
            Discharge::Proved(reason) => (reason, None),
            Discharge::IfNotNegative(term) => {
                let limit = (1u64 << (self.terms.width(term) - 1)) - 1;
                let check = Wanted {
                    term,
                    minus: None,
                    offset: 0,
                    limit,
                };
                ("a uniform value is checked at run time", Some(check))
            }
            Discharge::IfInRange {
                index,
                offset,
                limit,
            } => {
                let check = Wanted {
                    term: index,
                    minus: None,
                    offset,
                    limit,
                };
                ("the index is checked at run time", Some(check))
            }
        }
    }

    /// Addresses that differ only by a wrap: the source's own index is shown not to wrap from lane to lane, and the distance
    /// between the thread's own two addresses is checked at run time.
    fn by_distance(&mut self, pair: &Pair, facts: &[TermId]) -> Result<SameBytes, Refusal> {
        let refuse = || Refusal::new(&c1::OVERFLOW).at(pair.source.origin, "source");
        let (Some(own), Some(to)) = (pair.from(self.terms), pair.destination.address) else {
            return Err(refuse());
        };
        if self.options.assume_no_wrap {
            return self.without_wrap(pair, &[], facts, &[]).map(assumed);
        }
        let moved = self.terms.map_lane(own, pair.lanes);
        let step = address::step(self.terms, own, moved)
            .filter(|_| pair.lanes.steps() != 0)
            .ok_or_else(refuse)?;
        let target = self.terms.offset(own, step);
        let obligations = address::equal_under(self.terms, moved, target).ok_or_else(refuse)?;
        let mut same = self.without_wrap(pair, &obligations, facts, &[])?;
        same.proof
            .to_mut()
            .push_str("; the distance of the addresses is checked at run time");
        let term = self.terms.sub(to, own);
        same.distance = Some(Wanted {
            term,
            minus: None,
            offset: step.wrapping_neg(),
            limit: 0,
        });
        Ok(same)
    }

    /// Asks the solver, under the path conditions of all lanes from the destination's to the source's.
    fn by_solver(&mut self, pair: &Pair) -> Result<SameBytes, Refusal> {
        let refuse = |reason| Refusal::new(reason).at(pair.source.origin, "source");
        if self.queries >= self.options.limits.queries {
            return Err(refuse(&c1::QUESTIONS));
        }
        self.queries += 1;
        let query = self.query(pair);
        match self.solver.prove(self.terms, &query) {
            Verdict::Proved(proof) => Ok(SameBytes {
                proof: "bit-vector solver".into(),
                wanted: SmallVec::new(),
                distance: None,
                guards: SmallVec::new(),
                rests_on: RestsOn::default(),
                algebra: false,
                reading: Some(match proof {
                    Proof::Solver(reading) => reading,
                    Proof::Algebra => Reading::Abstract,
                }),
            }),
            _ if active(Mutation::SolverIgnored) => Ok(SameBytes::algebra(
                "nobody knows".into(),
                SmallVec::new(),
                SmallVec::new(),
            )),
            Verdict::Refuted(_) => Err(refuse(&c1::DIFFERENT)),
            Verdict::Unknown(Unknown::TooLarge) => Err(refuse(&c1::TOO_LARGE)),
            Verdict::Unknown(why) => {
                let reason = match why {
                    Unknown::Limit | Unknown::Spent => &c1::UNDECIDED_LIMIT,
                    _ => &c1::UNDECIDED,
                };
                Err(refuse(reason).with(why.to_string()))
            }
        }
    }

    /// C1 for the solver: under the path conditions of every lane from the destination's to the source's, both addresses are
    /// equal.
    fn query(&mut self, pair: &Pair) -> Query {
        let zero = self.terms.constant(64, 0);
        let mut hypotheses = Vec::new();
        for lane in lanes::between(pair.lanes) {
            for fact in self.conditions.of_block(pair.destination.block) {
                let moved = self.terms.map_lane(fact, lane);
                if !hypotheses.contains(&moved) {
                    hypotheses.push(moved);
                }
            }
        }
        let rows = lanes::hypotheses(self.terms, self.function, pair.lanes);
        hypotheses.extend(rows.into_iter().map(|(term, _)| term));
        let from = pair.moved(self.terms).unwrap_or(zero);
        Query {
            name: format!(
                "C1 of kernel {}, statement {} from {}, lane {}",
                self.function.name, pair.destination.origin, pair.source.origin, pair.lanes
            ),
            hypotheses,
            goal: self
                .terms
                .equal(from, pair.destination.address.unwrap_or(zero)),
        }
    }
}
