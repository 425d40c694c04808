//! Obligations of values that a loop carries: one for each edge to its header.

use super::ShuffleCertifier;
use crate::shuffle::model::evidence::{Carried, Shown};
use crate::shuffle::model::pair::Pair;
use ptxasw_emulator::certificate::{Kind, Obligation, Structural};
use ptxasw_emulator::solver::Reading;
use ptxasw_emulator::solver::statement::{Claim, Statement};
use ptxasw_emulator::term::Terms;
use ptxasw_emulator::trace::Event;
use ptxasw_ir::lanes::LaneMap;

impl ShuffleCertifier<'_> {
    /// What a carried value rests on.
    pub(super) fn carried(
        &mut self,
        terms: &mut Terms,
        carried: &Carried,
        obligations: &mut Vec<Obligation>,
        structural: &mut Vec<Structural>,
    ) {
        for edge in &carried.edges {
            let source = &self.0.trace.events[edge.source as usize];
            let at_end = Event {
                block: edge.from,
                ..source.clone()
            };
            let pair = Pair {
                source,
                destination: &at_end,
                lanes: LaneMap::OWN,
                skip: 0,
            };
            match edge.equal {
                Some((brings, wanted)) => {
                    let claim = Claim::Equal(brings, wanted);
                    obligations.push(self.same_iteration(terms, &pair, edge, claim));
                }
                None => structural.push(Structural {
                    condition: "C2".into(),
                    line: Some(self.0.site(source.origin).place.line),
                    how: "read at the address of the value that the loop carries: indices assumed not to wrap, by choice \
                          of the user"
                        .into(),
                }),
            }
            self.memory(terms, &pair, &edge.passed, obligations, structural);
        }
    }

    fn same_iteration(
        &mut self,
        terms: &Terms,
        pair: &Pair,
        edge: &Shown,
        claim: Claim,
    ) -> Obligation {
        let about = match edge.back {
            true => {
                "what is read in an iteration is of the address that the carried value has in the next"
            }
            false => {
                "what is read in front of the loop is of the address that the carried value has in the first iteration"
            }
        };
        let statement = Statement {
            title: self.title(Kind::Carried, pair, about),
            hypotheses: Vec::new(),
            claims: vec![claim],
        };
        let line = self.0.site(pair.source.origin).place.line;
        self.0.print(
            terms,
            Kind::Carried,
            Some(line),
            about,
            &statement,
            Reading::Abstract,
        )
    }
}
