//! Obligations of values that a loop carries: one for each edge to its header.

use crate::certificate::{Certifier, Kind, Obligation, Structural};
use crate::emulator::term::Terms;
use crate::emulator::trace::Event;
use crate::ir::lanes::LaneMap;
use crate::passes::shuffle::model::evidence::{Carried, Shown};
use crate::passes::shuffle::model::pair::Pair;
use crate::solver::Reading;
use crate::solver::statement::{Claim, Statement};

impl Certifier<'_> {
    /// What a carried value rests on.
    pub(super) fn carried(
        &mut self,
        terms: &mut Terms,
        carried: &Carried,
        obligations: &mut Vec<Obligation>,
        structural: &mut Vec<Structural>,
    ) {
        for edge in &carried.edges {
            let source = &self.trace.events[edge.source as usize];
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
                    line: Some(self.site(source.origin).place.line),
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
        let line = self.site(pair.source.origin).place.line;
        self.print(
            terms,
            Kind::Carried,
            Some(line),
            about,
            &statement,
            Reading::Abstract,
        )
    }
}
