//! Obligations of one kernel.

use super::ShuffleCertifier;
use super::parts::{Claims, Emitted, Evidence, apart, hypothesis, neighbour, reduced, words};
use crate::shuffle::model::evidence::{Guard, ProofMethod};
use crate::shuffle::model::pair::Pair;
use crate::shuffle::model::proved::Proved;
use crate::shuffle::prove::address::NoWrap;
use crate::shuffle::prove::lanes;
use crate::shuffle::prove::memory::{Passed, Reason, Side};
use crate::shuffle::prove::wrap::{BY_RANGE, Discharge};
use ptxasw_emulator::certificate::{Certificate, Kind, Obligation, Structural};
use ptxasw_emulator::solver::Reading;
use ptxasw_emulator::solver::statement::{Claim, Hypothesis, Statement};
use ptxasw_emulator::symbols;
use ptxasw_emulator::term::{Symbol, TermId, Terms, Variance};
use ptxasw_emulator::trace::Event;
use ptxasw_ir::divergence::Level;
use ptxasw_ir::lanes::LaneMap;
use std::rc::Rc;

impl ShuffleCertifier<'_> {
    /// The certificate of a planned shuffle, with the evidence of each of its parts.
    pub(in crate::shuffle) fn shuffle(
        &mut self,
        terms: &mut Terms,
        proved: &Proved,
        destination: &Event,
        parts: &[Evidence],
    ) -> Certificate {
        let (mut obligations, mut structural) = (Vec::new(), Vec::new());
        for evidence in parts {
            let pair = Pair {
                source: evidence.source,
                destination,
                lanes: proved.lanes,
                skip: evidence.part.skip,
            };
            self.part(terms, &pair, evidence, &mut obligations, &mut structural);
        }
        let source = parts.first().map_or(destination, |first| first.source);
        Certificate {
            source: self.0.site(source.origin),
            destination: self.0.site(destination.origin),
            obligations,
            structural,
        }
    }

    fn part(
        &mut self,
        terms: &mut Terms,
        pair: &Pair,
        evidence: &Evidence,
        obligations: &mut Vec<Obligation>,
        structural: &mut Vec<Structural>,
    ) {
        let (part, basis) = (evidence.part, evidence.basis);
        if let Some(reading) = basis.reading {
            self.same_bytes(terms, pair, evidence, reading, obligations);
        }
        for guard in &basis.guards {
            // Where cases were decided, their checks bound the index, too.
            let cases = !basis.rests_on.facts.is_empty() || part.wanted.len() > basis.guards.len();
            let checks = match guard.check {
                _ if cases => evidence.checks.as_slice(),
                Some(index) => evidence.checks.get(index..=index).unwrap_or_default(),
                None => &[],
            };
            obligations.push(self.no_wrap(terms, pair, guard, checks));
        }
        structural.extend(part.conditions.iter().map(|condition| Structural {
            condition: condition.name.to_string(),
            line: None,
            how: condition.proof.to_string(),
        }));
        for carried in &basis.carried {
            self.carried(terms, carried, obligations, structural);
        }
        self.memory(terms, pair, &basis.passed, obligations, structural);
    }

    // ---- the kinds --------------------------------------------------------------------------------------------------

    fn same_bytes(
        &mut self,
        terms: &mut Terms,
        pair: &Pair,
        evidence: &Evidence,
        reading: Reading,
        obligations: &mut Vec<Obligation>,
    ) {
        let Evidence {
            part,
            basis,
            checks,
            distance,
            ..
        } = evidence;
        let needed = match part.by {
            ProofMethod::Algebra | ProofMethod::Ranges | ProofMethod::Checks => basis
                .guards
                .iter()
                .flat_map(|guard| guard.used.iter().copied())
                .chain(basis.rests_on.facts.iter().copied())
                .collect(),
            ProofMethod::Solver => self
                .0
                .conditions
                .of_block(pair.destination.block)
                .collect::<Vec<_>>(),
        };
        let mut hypotheses = self.facts(terms, pair, &needed, true);
        hypotheses.extend(checks.iter().map(|check| hypothesis(terms, check)));
        for rule in &basis.rests_on.rules {
            if terms.as_const(rule.premise) != Some(1) {
                let known = hypotheses.clone();
                obligations.push(self.premise(terms, pair, known, rule.premise));
            }
            hypotheses.push(Hypothesis {
                term: rule.conclusion,
                why: format!(
                    "rule of arithmetic, its premise is a {} of its own",
                    Kind::Rule.name()
                ),
            });
        }
        let (Some(from), Some(to)) = (pair.moved(terms), pair.destination.address) else {
            // Never proved without addresses; the claim is then false, and the replay says so.
            let claim = Claim::Holds(terms.boolean(false));
            let about = "no address";
            obligations.push(self.state(
                terms,
                Kind::SameBytes,
                pair,
                about,
                hypotheses,
                claim,
                reading,
            ));
            return;
        };
        let to = match distance {
            // The check alone determines the address, so that nothing else needs to be stated of it.
            Some(check) => {
                let unknown =
                    Symbol::new("destination.address", 64, Variance::Of(Level::Divergent));
                let unknown = terms.symbol(unknown);
                let rest = terms.sub(check.tested, to);
                let check = Emitted {
                    check: check.check.clone(),
                    tested: terms.add(rest, unknown),
                };
                hypotheses.push(hypothesis(terms, &check));
                unknown
            }
            None => to,
        };
        let (left, right, factor) = reduced(terms, from, to);
        let claim = Claim::Equal(left, right);
        let about = format!(
            "address at the source in lane {} - address at the destination in lane t \
             = {factor} * (left - right) = 0",
            pair.lanes
        );
        obligations.push(self.state(
            terms,
            Kind::SameBytes,
            pair,
            &about,
            hypotheses,
            claim,
            reading,
        ));
    }

    /// What a rule of arithmetic asks for holds.
    fn premise(
        &mut self,
        terms: &Terms,
        pair: &Pair,
        hypotheses: Vec<Hypothesis>,
        premise: TermId,
    ) -> Obligation {
        self.state(
            terms,
            Kind::Rule,
            pair,
            "the premise of a rule of arithmetic holds",
            hypotheses,
            Claim::Holds(premise),
            Reading::Abstract,
        )
    }

    fn no_wrap(
        &mut self,
        terms: &mut Terms,
        pair: &Pair,
        guard: &Guard,
        checks: &[Rc<Emitted>],
    ) -> Obligation {
        let in_all_lanes = !matches!(
            guard.found,
            Discharge::IfInRange { .. } | Discharge::Proved(BY_RANGE)
        );
        let mut hypotheses = self.facts(terms, pair, &guard.used, in_all_lanes);
        hypotheses.extend(checks.iter().map(|check| hypothesis(terms, check)));
        let NoWrap {
            index,
            delta,
            signed,
        } = guard.obligation;
        let claim = Claim::NoWrap {
            index,
            delta,
            signed,
        };
        let about = format!("{delta:+} does not carry the index over a wrap");
        self.state(
            terms,
            Kind::NoWrap,
            pair,
            &about,
            hypotheses,
            claim,
            Reading::Abstract,
        )
    }

    /// C3: a formula where addresses were compared, words where structure decides.
    pub(super) fn memory(
        &mut self,
        terms: &mut Terms,
        pair: &Pair,
        passed: &[Passed],
        obligations: &mut Vec<Obligation>,
        structural: &mut Vec<Structural>,
    ) {
        for of_event in passed.chunk_by(|a, b| (a.event, a.before) == (b.event, b.before)) {
            let [first, ..] = of_event else { continue };
            let event = &self.0.trace.events[first.event as usize];
            let mut claims = Claims::default();
            for one in of_event {
                match one.reason {
                    Reason::Apart(side, how) => {
                        claims.add(how, apart(how.address, event.bytes, side_of(pair, side)));
                    }
                    reason => {
                        let condition = Structural {
                            condition: "C3".into(),
                            line: Some(self.0.site(event.origin).place.line),
                            how: words(reason, first.before),
                        };
                        if structural.last() != Some(&condition) {
                            structural.push(condition);
                        }
                    }
                }
            }
            if !claims.claims.is_empty() {
                obligations.push(self.other_bytes(terms, pair, event, first.before, claims));
            }
        }
    }

    fn other_bytes(
        &mut self,
        terms: &mut Terms,
        pair: &Pair,
        event: &Event,
        before: bool,
        of_event: Claims,
    ) -> Obligation {
        let store = self.0.site(event.origin);
        let (kind, about) = if before {
            (
                Kind::EarlierStore,
                "the store before the source does not write what the destination reads",
            )
        } else {
            (
                Kind::OtherBytes,
                "the store writes neither what the source nor what the destination reads",
            )
        };
        let mut title = self.title(kind, pair, about);
        title.push(format!("store, line {}: {}", store.place.line, store.text));
        let blocks = [
            (of_event.at_destination, pair.destination.block),
            (of_event.at_store, event.block),
        ];
        let mut hypotheses = Vec::new();
        for (_, block) in blocks.into_iter().filter(|(wanted, _)| *wanted) {
            hypotheses.extend(self.0.facts_of(terms, block));
        }
        let statement = Statement {
            title,
            hypotheses,
            claims: of_event.claims,
        };
        let reading = match of_event.exact {
            true => Reading::Exact,
            false => Reading::Abstract,
        };
        self.0.print(
            terms,
            kind,
            Some(store.place.line),
            about,
            &statement,
            reading,
        )
    }

    // ---- parts ------------------------------------------------------------------------------------------------------

    #[allow(clippy::too_many_arguments)]
    fn state(
        &mut self,
        terms: &Terms,
        kind: Kind,
        pair: &Pair,
        about: &str,
        hypotheses: Vec<Hypothesis>,
        claim: Claim,
        reading: Reading,
    ) -> Obligation {
        let statement = Statement {
            title: self.title(kind, pair, about),
            hypotheses,
            claims: vec![claim],
        };
        let line = self.0.site(pair.destination.origin).place.line;
        self.0
            .print(terms, kind, Some(line), about, &statement, reading)
    }

    pub(super) fn title(&self, kind: Kind, pair: &Pair, about: &str) -> Vec<String> {
        let of = |role: &str, event: &Event| {
            let site = self.0.site(event.origin);
            format!("{role}, line {}: {}", site.place.line, site.text)
        };
        vec![
            format!("{}: {about}", kind.name()),
            format!("kernel {}, lane {}", self.0.function.name, pair.lanes),
            of("source", pair.source),
            of("destination", pair.destination),
        ]
    }

    /// Facts in front of the destination: in its own lane, or in all lanes from there to the source's.
    fn facts(
        &self,
        terms: &mut Terms,
        pair: &Pair,
        needed: &[TermId],
        in_all_lanes: bool,
    ) -> Vec<Hypothesis> {
        let mut hypotheses: Vec<Hypothesis> = match in_all_lanes {
            true => lanes::between(pair.lanes)
                .flat_map(|lane| {
                    self.0
                        .facts_in_lane(terms, pair.destination.block, needed, lane)
                })
                .collect(),
            false => self
                .0
                .facts_in_lane(terms, pair.destination.block, needed, LaneMap::OWN),
        };
        if in_all_lanes && !pair.lanes.is_own() {
            hypotheses.extend(neighbour(terms, pair.lanes));
            let rows = lanes::hypotheses(terms, self.0.function, pair.lanes);
            hypotheses.extend(rows.into_iter().map(|(term, why)| Hypothesis { term, why }));
        }
        let why = format!("clamp: lane {} is in this warp", pair.lanes);
        let there = symbols::neighbour(terms, self.0.function, pair.lanes);
        hypotheses.extend(there.into_iter().map(|term| Hypothesis {
            term,
            why: why.clone(),
        }));
        hypotheses
    }
}

fn side_of<'e>(pair: &Pair<'e>, side: Side) -> &'e Event {
    match side {
        Side::Source => pair.source,
        Side::Destination => pair.destination,
    }
}
