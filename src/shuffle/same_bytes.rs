//! C1, same bytes: by algebra, by checks at run time where a 32-bit index may wrap, and by the solver for what algebra can't
//! see. The certificate of what was proved is made here, too.

use super::address::{self, NoWrap};
use super::certificate::Obligation;
use super::place::Wanted;
use super::refusal::{ConditionName, Refusal};
use super::synthesis::Run;
use super::wrap::{self, Discharge};
use crate::emulator::term::TermId;
use crate::emulator::trace::Event;
use crate::mutation::{Mutation, active};
use crate::solver::{Proof, Reading, Verdict};

/// Pairs of one kernel that the solver is asked about.
const MAX_QUERIES: u32 = 32;

/// How C1 was met.
pub(super) struct SameBytes {
    pub proof: String,
    /// Run-time checks that it rests on.
    pub wanted: Vec<Wanted>,
    /// A check of the distance between the thread's own addresses of destination and source.
    pub distance: Option<Wanted>,
    /// How the certificate is to be read; none if the user's assumption stands in for a proof.
    pub reading: Option<Reading>,
}

impl SameBytes {
    fn algebra(proof: String, wanted: Vec<Wanted>) -> Self {
        SameBytes {
            proof,
            wanted,
            distance: None,
            reading: Some(Reading::Abstract),
        }
    }
}

impl Run<'_> {
    pub(super) fn certificate(
        &mut self,
        source: &Event,
        destination: &Event,
        delta: i32,
        wanted: &[Wanted],
        reading: Reading,
    ) -> String {
        let facts: Vec<TermId> = self.conditions.of_block(destination.block).collect();
        let (name, obligation) = self.obligation(source, destination, delta, &facts, wanted);
        obligation.text(self.terms, name, reading)
    }

    /// C1: algebra first, the solver for what algebra can't see.
    pub(super) fn same_bytes(
        &mut self,
        source: &Event,
        destination: &Event,
        delta: i32,
    ) -> Result<SameBytes, Refusal> {
        let refuse =
            |reason: &str| Refusal::new(ConditionName::C1, reason).at(source.origin, "source");
        let (Some(from), Some(to)) = (source.address, destination.address) else {
            return Err(refuse("an address is not known"));
        };
        let from = self.terms.shift_lane(from, delta);
        if from == to {
            return Ok(SameBytes::algebra("affine normal form".into(), Vec::new()));
        }
        let facts: Vec<TermId> = self.conditions.of_block(destination.block).collect();
        match address::equal_under(self.terms, from, to) {
            Some(obligations) => self.without_wrap(source, &obligations, delta, &facts),
            None if address::equal_without_wraps(self.terms, from, to) => {
                self.by_distance(source, destination, delta, &facts)
            }
            None => self.by_solver(source, destination, delta),
        }
    }

    fn without_wrap(
        &mut self,
        source: &Event,
        obligations: &[NoWrap],
        delta: i32,
        facts: &[TermId],
    ) -> Result<SameBytes, Refusal> {
        let mut how = vec!["affine normal form"];
        let mut wanted = Vec::new();
        for obligation in obligations {
            if self.options.assume_no_wrap || active(Mutation::WrapIgnored) {
                how.push("indices assumed not to wrap, by choice of the user");
                break;
            }
            let check = match wrap::discharge(self.terms, obligation, delta, facts) {
                Some(Discharge::Proved(reason)) => {
                    how.push(reason);
                    continue;
                }
                Some(Discharge::IfNotNegative(term)) => {
                    how.push("a uniform value is checked at run time");
                    let limit = (1u64 << (self.terms.width(term) - 1)) - 1;
                    Wanted {
                        term,
                        offset: 0,
                        limit,
                    }
                }
                Some(Discharge::IfInRange {
                    index,
                    offset,
                    limit,
                }) => {
                    how.push("the index is checked at run time");
                    Wanted {
                        term: index,
                        offset,
                        limit,
                    }
                }
                None => {
                    return Err(Refusal::new(
                        ConditionName::C1,
                        "a 32-bit index may wrap between the lanes",
                    )
                    .at(source.origin, "source")
                    .lift("a bounds check of the index, or `--assume nowrap`"));
                }
            };
            if !wanted.contains(&check) {
                wanted.push(check);
            }
        }
        how.dedup();
        let proof = how.join("; ");
        Ok(if self.options.assume_no_wrap && !obligations.is_empty() {
            SameBytes {
                proof,
                wanted,
                distance: None,
                reading: None,
            }
        } else {
            SameBytes::algebra(proof, wanted)
        })
    }

    /// Addresses that only a wrap can tell apart: the source's own index is shown not to wrap from lane to lane, and the
    /// distance between the thread's own two addresses is checked at run time.
    fn by_distance(
        &mut self,
        source: &Event,
        destination: &Event,
        delta: i32,
        facts: &[TermId],
    ) -> Result<SameBytes, Refusal> {
        let refuse = || {
            Refusal::new(ConditionName::C1, "a 32-bit index may wrap")
                .at(source.origin, "source")
                .lift("`--assume nowrap`")
        };
        let (Some(own), Some(to)) = (source.address, destination.address) else {
            return Err(refuse());
        };
        if self.options.assume_no_wrap {
            return self.without_wrap(source, &[], delta, facts);
        }
        let moved = self.terms.shift_lane(own, delta);
        let step = address::step(self.terms, own, moved)
            .filter(|_| delta != 0)
            .ok_or_else(refuse)?;
        let target = self.terms.offset(own, step);
        let obligations = address::equal_under(self.terms, moved, target).ok_or_else(refuse)?;
        let mut same = self.without_wrap(source, &obligations, delta, facts)?;
        same.proof
            .push_str("; the distance of the addresses is checked at run time");
        let term = self.terms.sub(to, own);
        same.distance = Some(Wanted {
            term,
            offset: step.wrapping_neg(),
            limit: 0,
        });
        Ok(same)
    }

    /// Asks the solver, under the path conditions of all lanes from the destination's to the source's.
    fn by_solver(
        &mut self,
        source: &Event,
        destination: &Event,
        delta: i32,
    ) -> Result<SameBytes, Refusal> {
        let refuse =
            |reason: String| Refusal::new(ConditionName::C1, reason).at(source.origin, "source");
        if self.queries >= MAX_QUERIES {
            return Err(refuse(
                "algebra does not decide it, and the solver was asked often enough".into(),
            ));
        }
        self.queries += 1;
        let facts: Vec<TermId> = self.conditions.of_block(destination.block).collect();
        let (name, obligation) = self.obligation(source, destination, delta, &facts, &[]);
        let query = obligation.query(self.terms, name);
        match self.solver.prove(self.terms, &query) {
            Verdict::Proved(proof) => Ok(SameBytes {
                proof: "bit-vector solver".into(),
                wanted: Vec::new(),
                distance: None,
                reading: Some(match proof {
                    Proof::Solver(reading) => reading,
                    Proof::Algebra => Reading::Abstract,
                }),
            }),
            _ if active(Mutation::SolverIgnored) => {
                Ok(SameBytes::algebra("nobody knows".into(), Vec::new()))
            }
            Verdict::Refuted(_) => Err(refuse("the addresses can differ".into())),
            Verdict::Unknown(reason) => Err(refuse(format!("the solver gave up: {reason}"))),
        }
    }

    fn obligation<'o>(
        &mut self,
        source: &Event,
        destination: &Event,
        delta: i32,
        facts: &'o [TermId],
        wanted: &'o [Wanted],
    ) -> (String, Obligation<'o>) {
        let zero = self.terms.constant(64, 0);
        let obligation = Obligation {
            source: source.address.unwrap_or(zero),
            destination: destination.address.unwrap_or(zero),
            delta,
            facts,
            wanted,
        };
        let name = format!(
            "C1 of kernel {}, statement {} from {}, delta {delta}",
            self.function.name, destination.origin, source.origin
        );
        (name, obligation)
    }
}
