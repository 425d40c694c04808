//! What the pass proved by terms, for other solvers: which accesses share no byte, and where wide accesses lie.
//!
//! That a load and what serves it have one address is no claim: both are the same term, after simplification.

use super::checks::TestedPair;
use super::conflicts::{ByteRange, Conflicts, How, Passed};
use super::plan::Plan;
use super::wide::Wide;
use crate::Session;
use ptxasw_emulator::certificate::{Certifier, Kind, Obligation};
use ptxasw_emulator::conditions::PathConditions;
use ptxasw_emulator::solver::Reading;
use ptxasw_emulator::solver::disjoint::{Disjoint, Under};
use ptxasw_emulator::solver::statement::{Claim, Hypothesis, Statement};
use ptxasw_emulator::term::{Node, TermId};
use ptxasw_emulator::trace::Trace;
use ptxasw_emulator::{HeaderFact, Pruned};
use ptxasw_ir::function::{BlockId, InstId, Value, ValueDef};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;

/// Passed accesses that a title names.
const MAX_NAMED: usize = 8;

/// Distances that one file speaks of: solvers slow down with more.
const MAX_CLAIMS: usize = 64;

/// The obligations of one function.
pub struct Obligations<'c, 'a> {
    certifier: Certifier<'a>,
    conflicts: &'c mut Conflicts<'a>,
    obligations: Vec<Obligation>,
}

/// Claims that rest on the same path conditions.
#[derive(Default)]
struct Claims {
    claims: Vec<Claim>,
    known: FxHashSet<Claim>,
    exact: bool,
    passed: Vec<InstId>,
}

impl<'c, 'a> Obligations<'c, 'a> {
    /// No obligations yet.
    pub fn new(
        session: &'a Session<'a>,
        (conditions, trace, values): (&'a PathConditions, &'a Trace, &[Option<TermId>]),
        conflicts: &'c mut Conflicts<'a>,
    ) -> Self {
        let (function, text) = (session.function, session.text);
        // What a register is called is not known here, but what computes it is.
        let name = |value: Value| match function.value(value).def {
            ValueDef::Result(inst, _) => Some(text.site(function.inst(inst).origin).text),
            _ => None,
        };
        let about = (conditions, trace, values);
        let sites = |origin| text.site(origin);
        Obligations {
            certifier: Certifier::new(function, session.analyses(), about, sites, name),
            conflicts,
            obligations: Vec::new(),
        }
    }

    /// All that the decisions of a plan rest on.
    pub fn plan(&mut self, plan: &Plan) {
        let decisions = &plan.decisions;
        for served in &decisions.served {
            let passed = served.elements.iter().flat_map(|one| &one.passed);
            self.passed(self.inst(served.load), passed);
        }
        for (store, dead) in &decisions.dead {
            self.passed(self.inst(*store), dead.passed.iter());
        }
        for wide in &decisions.wide {
            self.passed(self.inst(wide.place), wide.passed.iter());
            self.wide(wide);
        }
        let shown = plan.tests.shown(self.conflicts.terms);
        for of_test in shown.chunk_by(|a, b| a.test == b.test) {
            of_test
                .chunks(MAX_CLAIMS)
                .for_each(|some| self.tested(some));
        }
    }

    /// With what holds for the whole function.
    pub fn finish(mut self, pruned: &[Pruned], headers: &[HeaderFact]) -> Vec<Obligation> {
        let terms = &mut *self.conflicts.terms;
        if !self.obligations.is_empty() {
            let shared = self.certifier.kernel(terms, pruned, headers);
            self.obligations.extend(shared);
        }
        self.obligations
    }

    fn inst(&self, access: super::accesses::AccessId) -> InstId {
        self.conflicts.known.accesses.get(access).inst
    }

    /// The accesses that a rewriting passes touch other bytes.
    fn passed<'p>(&mut self, at: InstId, passed: impl Iterator<Item = &'p Passed>) {
        let mut groups: BTreeMap<Option<(BlockId, Option<BlockId>)>, Claims> = BTreeMap::new();
        for one in passed {
            let How::Proved(Disjoint::Terms(apart)) = one.how else {
                continue;
            };
            let access = self.conflicts.known.accesses.get(one.access);
            let ByteRange {
                address,
                count,
                here,
            } = one.range;
            let Some(other) = address else { continue };
            let under = match apart.under {
                Under::Nothing => None,
                Under::Destination => Some((here, None)),
                Under::Both => Some((here, Some(access.block))),
            };
            let group = groups.entry(under).or_default();
            let claim = Claim::Apart {
                address: apart.address,
                bytes: self.conflicts.known.events[access.event as usize].bytes,
                other,
                other_bytes: count,
            };
            if group.known.insert(claim) {
                group.claims.push(claim);
                group.passed.push(access.inst);
            }
            group.exact |= apart.reading == Reading::Exact;
        }
        for (under, claims) in groups {
            self.apart(at, under, claims);
        }
    }

    fn apart(&mut self, at: InstId, under: Option<(BlockId, Option<BlockId>)>, group: Claims) {
        let terms = &mut *self.conflicts.terms;
        let blocks = under.into_iter();
        let blocks = blocks.flat_map(|(here, there)| std::iter::once(here).chain(there));
        let hypotheses = blocks.flat_map(|block| self.certifier.facts_of(terms, block));
        let hypotheses: Vec<Hypothesis> = hypotheses.collect();
        let line = |inst: InstId| {
            let origin = self.certifier.function.inst(inst).origin;
            self.certifier.site(origin)
        };
        let about = "accesses that are passed share no byte with what is rewritten";
        let mut title = self.title(Kind::Apart, about, Some(at));
        for &inst in group.passed.iter().take(MAX_NAMED) {
            let site = line(inst);
            title.push(format!("passed, line {}: {}", site.place.line, site.text));
        }
        if group.passed.len() > MAX_NAMED {
            title.push(format!("and {} more", group.passed.len() - MAX_NAMED));
        }
        let statement = Statement {
            title,
            hypotheses,
            claims: group.claims,
        };
        let reading = match group.exact {
            true => Reading::Exact,
            false => Reading::Abstract,
        };
        self.print(Kind::Apart, Some(at), about, &statement, reading);
    }

    /// A test at the entry shows of pairs of accesses that they touch other bytes.
    fn tested(&mut self, shown: &[TestedPair]) {
        let Some(test) = shown.first().map(|first| first.test) else {
            return;
        };
        let about = "where the test at the entry holds, accesses at these distances share no byte";
        let mut claims = Vec::new();
        for one in shown {
            let width = self.conflicts.terms.width(one.distance);
            claims.push(Claim::Apart {
                address: self.conflicts.terms.constant(width, 0),
                bytes: one.bytes.0,
                other: one.distance,
                other_bytes: one.bytes.1,
            });
        }
        let statement = Statement {
            title: self.title(Kind::Tested, about, None),
            hypotheses: vec![Hypothesis {
                term: test,
                why: "tested at the entry, of all distances of these pointers".into(),
            }],
            claims,
        };
        self.print(Kind::Tested, None, about, &statement, Reading::Abstract);
    }

    /// The members of a wide access lie side by side, and it is aligned.
    fn wide(&mut self, wide: &Wide) {
        let accesses = self.conflicts.known.accesses;
        let address = |conflicts: &Conflicts, index: usize| {
            let access = accesses.get(wide.members[index].access);
            conflicts.known.events[access.event as usize].address
        };
        let Some(first) = address(self.conflicts, 0).filter(|_| wide.members.len() > 1) else {
            return;
        };
        let mut claims = Vec::new();
        for (index, member) in wide.members.iter().enumerate().skip(1) {
            let Some(own) = address(self.conflicts, index) else {
                return;
            };
            let wanted = self.conflicts.terms.offset(first, member.skip.into());
            claims.push(Claim::Equal(own, wanted));
        }
        let bits = wide.bytes.trailing_zeros() as u8;
        let is_zero = |conflicts: &mut Conflicts, term: TermId| {
            let low = conflicts.terms.truncate(term, bits);
            let zero = conflicts.terms.constant(bits, 0);
            conflicts.terms.equal(low, zero)
        };
        let mut hypotheses = Vec::new();
        for &tested in &wide.aligned {
            hypotheses.push(Hypothesis {
                term: is_zero(self.conflicts, tested),
                why: "tested at the entry".into(),
            });
        }
        let low = self.conflicts.terms.truncate(first, bits);
        let (_, atoms) = self.conflicts.terms.affine(low);
        for &(atom, _) in &atoms {
            if self.conflicts.is_declared(atom, wide.bytes) {
                hypotheses.push(Hypothesis {
                    term: is_zero(self.conflicts, atom),
                    why: "declared of the pointer".into(),
                });
            }
        }
        let is_product = |&(atom, _): &(TermId, u64)| {
            matches!(self.conflicts.terms.node(atom), Node::Product(_))
        };
        let reading = match atoms.iter().any(is_product) {
            true => Reading::Exact,
            false => Reading::Abstract,
        };
        claims.push(Claim::Holds(is_zero(self.conflicts, first)));
        let at = self.inst(wide.place);
        let about = "the members lie side by side, and the first is aligned for all of them";
        let statement = Statement {
            title: self.title(Kind::Wide, about, Some(at)),
            hypotheses,
            claims,
        };
        self.print(Kind::Wide, Some(at), about, &statement, reading);
    }

    fn title(&self, kind: Kind, about: &str, at: Option<InstId>) -> Vec<String> {
        let function = self.certifier.function;
        let mut title = vec![
            format!("{}: {about}", kind.name()),
            format!("function {}", function.name),
        ];
        if let Some(at) = at {
            let site = self.certifier.site(function.inst(at).origin);
            title.push(format!(
                "rewritten, line {}: {}",
                site.place.line, site.text
            ));
        }
        title
    }

    fn print(
        &mut self,
        kind: Kind,
        at: Option<InstId>,
        about: &str,
        statement: &Statement,
        reading: Reading,
    ) {
        let function = self.certifier.function;
        let line = at.map(|at| self.certifier.site(function.inst(at).origin).place.line);
        let terms = &*self.conflicts.terms;
        let printed = self
            .certifier
            .print(terms, kind, line, about, statement, reading);
        self.obligations.push(printed);
    }
}
