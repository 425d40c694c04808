//! Obligations that the certificates of one function share.

use super::{Certifier, Kind, Obligation};
use crate::solver::Reading;
use crate::solver::statement::{Claim, Hypothesis, Statement};
use crate::term::{TermId, Terms};
use crate::{HeaderEdge, HeaderFact, Pruned};
use ptxasw_ir::function::BlockId;

impl Certifier<'_> {
    /// What holds for the whole function: branches that always take the same edge, facts of loop headers, and what is known of
    /// terms left open.
    pub fn kernel(
        &mut self,
        terms: &mut Terms,
        pruned: &[Pruned],
        headers: &[HeaderFact],
    ) -> Vec<Obligation> {
        let mut obligations: Vec<Obligation> = pruned
            .iter()
            .filter_map(|&branch| {
                let open = terms.as_const(branch.condition).is_none();
                open.then(|| self.branch(terms, branch))
            })
            .collect();
        for fact in headers {
            for edge in &fact.edges {
                obligations.push(self.header(terms, fact.header, edge));
            }
        }
        for term in std::mem::take(&mut self.known) {
            obligations.push(self.known_of(terms, term));
        }
        obligations
    }

    fn branch(&mut self, terms: &mut Terms, branch: Pruned) -> Obligation {
        let hypotheses = self.facts_of(terms, branch.block);
        let goal = match branch.always {
            true => branch.condition,
            false => terms.not(branch.condition),
        };
        let site = self.site(self.function.block(branch.block).origin);
        let about = match branch.always {
            true => "the branch's condition is always true",
            false => "the branch's condition is always false",
        };
        let statement = Statement {
            title: vec![
                format!("{}: {about}", Kind::Branch.name()),
                format!("kernel {}", self.function.name),
                format!("branch, line {}: {}", site.place.line, site.text),
            ],
            hypotheses,
            claims: vec![Claim::Holds(goal)],
        };
        self.print(
            terms,
            Kind::Branch,
            Some(site.place.line),
            about,
            &statement,
            Reading::Exact,
        )
    }

    /// One edge to a loop's header: what leads over it makes the header's fact hold of the values that it passes.
    fn header(&mut self, terms: &mut Terms, header: BlockId, edge: &HeaderEdge) -> Obligation {
        let mut hypotheses = self.facts_of(terms, edge.from);
        let branch = self.function.block(edge.from).origin;
        hypotheses.extend(edge.condition.map(|term| Hypothesis {
            term,
            why: format!("branch at line {}", self.site(branch).place.line),
        }));
        let site = self.site(self.function.block(header).origin);
        let line = self.site(branch).place.line;
        let about = format!("what holds at the loop's head holds coming from line {line}");
        let statement = Statement {
            title: vec![
                format!("{}: {about}", Kind::Loop.name()),
                format!("kernel {}", self.function.name),
                format!(
                    "loop that ends its head in line {}: {}",
                    site.place.line, site.text
                ),
            ],
            hypotheses,
            claims: vec![Claim::Holds(edge.claim)],
        };
        self.print(
            terms,
            Kind::Loop,
            Some(line),
            &about,
            &statement,
            Reading::Abstract,
        )
    }

    fn known_of(&mut self, terms: &Terms, term: TermId) -> Obligation {
        let about = format!("known bits and range of {}", terms.display(term));
        let statement = Statement {
            title: vec![
                format!("{}: {about}", Kind::Known.name()),
                format!("kernel {}", self.function.name),
            ],
            hypotheses: Vec::new(),
            claims: vec![Claim::Known(term)],
        };
        self.print(terms, Kind::Known, None, &about, &statement, Reading::Exact)
    }
}
