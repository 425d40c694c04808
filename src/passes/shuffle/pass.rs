//! The pass: a search for shuffles, what of them is emitted on the target, and the patch that carries it out.

use super::lower;
use super::model::proof_method::ProofCounts;
use super::plan::{Plan, Shuffle as Planned};
use super::profit::{self, Profit, Rule};
use super::refusal::{ConditionName, Refusal};
use super::synthesis::{self, LoadReport, Options, Outcome};
use crate::{Claim, Fate, Pass, Remark, Rewrite, Session, Tested};
use ptxasw_emulator::certificate::Structural;
use ptxasw_emulator::solver::Account;
use ptxasw_ir::function::{Function, InstId};
use ptxasw_ir::module::Fact;
use ptxasw_ir::opcode::Opcode;
use ptxasw_ir::types::Space;
use std::borrow::Cow;

/// Loads whose bytes a neighbouring lane, or the thread itself, has loaded before (Matsumura et al., CC 2023).
pub struct Shuffle;

impl Pass for Shuffle {
    fn name(&self) -> &'static str {
        "shuffle"
    }

    fn crosses_lanes(&self) -> bool {
        true
    }

    /// There is no report on a device function without loads.
    fn run(&self, session: &Session) -> Rewrite {
        let function = session.function;
        if !has_loads(function, &session.shuffles) {
            return Rewrite {
                search: function.entry.then(Box::default),
                ..Rewrite::default()
            };
        }
        let mut search = search(session);
        session.forget_emulation();
        search.certify(session.facts);
        let (target, variant) = (session.target, session.shuffles.variant);
        let patch = lower::lower(function, &search.plan, target, variant);
        let (patch, fault) = match patch {
            Ok(patch) => (patch, None),
            Err(error) => (Default::default(), Some(error.to_string())),
        };
        Rewrite {
            patch,
            fault,
            remarks: search.remarks(),
            claims: match session.shuffles.only_text {
                true => Vec::new(),
                false => search.claims(),
            },
            tested: Tested {
                lanes: search.plan.has_checks(),
                ..Tested::default()
            },
            search: Some(Box::new(search)),
            ..Rewrite::default()
        }
    }
}

/// What was found in one function, for reports.
#[derive(Clone, Debug, Default)]
pub struct Search {
    /// Why nothing was tried, if so.
    pub skipped: Option<Refusal>,
    /// What is done to it.
    pub plan: Plan,
    /// A verdict for every load of global or constant memory, in the order of the text.
    pub loads: Vec<LoadReport>,
    /// What became of questions to the solver.
    pub questions: Account,
    /// By what its shuffles were proved.
    pub proofs: ProofCounts,
}

impl Search {
    /// Of a function in which none were looked for.
    pub fn skipped(refusal: Refusal) -> Self {
        Search {
            skipped: Some(refusal),
            ..Search::default()
        }
    }

    /// Whether there is something to emit.
    pub fn has_shuffles(&self) -> bool {
        !self.plan.shuffles.is_empty()
    }

    /// The shuffle, or the value of the thread's own, that a load becomes.
    pub fn shuffle(&self, load: &LoadReport) -> Option<&Planned> {
        match load.outcome {
            Outcome::Covered(number) => self.plan.shuffles.get(number as usize),
            Outcome::Kept(_) => None,
        }
    }

    /// Drops the plan: the function stays as it was.
    pub fn drop_plan(&mut self) {
        self.plan = Plan {
            item: self.plan.item,
            ..Plan::default()
        };
    }

    /// Adds what the proofs of a function rest on besides its own text.
    fn certify(&mut self, facts: &[Fact]) {
        let shuffles = self.plan.shuffles.iter_mut();
        for certificate in shuffles.flat_map(|one| &mut one.certificate) {
            let facts = facts.iter().map(|fact| Structural {
                condition: fact.condition.into(),
                line: None,
                how: fact.how.clone(),
            });
            certificate.structural.extend(facts);
        }
    }

    /// One remark for each load.
    fn remarks(&self) -> Vec<Remark> {
        let loads = (0..).zip(&self.loads);
        let remarks = loads.map(|(number, load)| {
            let (fate, what) = self.decision(load);
            Remark {
                load: Some(number),
                ..Remark::new(load.inst, fate, what)
            }
        });
        remarks.collect()
    }

    /// How each condition of CONTRACT.md, "The claim", was met.
    fn claims(&self) -> Vec<Claim> {
        let shuffles = self.plan.shuffles.iter();
        let claims = shuffles.flat_map(|shuffle| {
            let conditions = shuffle.conditions.iter();
            conditions.map(|condition| Claim {
                at: shuffle.inst,
                condition: Some(condition.name),
                evidence: condition.proof.clone().into_owned(),
            })
        });
        claims.collect()
    }

    /// What becomes of a load, and in one clause why.
    fn decision(&self, load: &LoadReport) -> (Fate, Cow<'static, str>) {
        let shuffle = self.shuffle(load);
        match &load.outcome {
            Outcome::Covered(_) if shuffle.is_some_and(|one| one.lanes.is_own()) => {
                let what = "the thread has loaded this value before";
                (Fate::Removed, what.into())
            }
            Outcome::Covered(_) => {
                let what = "another lane has loaded this value";
                (Fate::Shuffled, what.into())
            }
            Outcome::Kept(refusal) => {
                let fate = match refusal.condition() {
                    ConditionName::Profit => Fate::Declined,
                    _ => Fate::Kept,
                };
                match load.source {
                    true => (fate, "other loads take its value".into()),
                    false => (fate, refusal.text()),
                }
            }
        }
    }
}

/// Looks for the shuffles of a function, as far as they may be emitted.
fn search(session: &Session) -> Search {
    let (function, options) = (session.function, &session.shuffles);
    if let Some(refusal) = options.limits.refuse_size(function.insts.len()) {
        return Search::skipped(refusal);
    }
    let rule = Rule::new(function, session.target.architecture, options);
    let chosen = match rule {
        Rule::Synthesis => options.clone(),
        Rule::AtLeast(_) | Rule::Own(_) => Options {
            profit: Profit::Always,
            ..options.clone()
        },
    };
    // What the thread itself has loaded is searched for alone, so that the text depends on nothing else.
    let own = Options {
        max_delta: 0,
        ..chosen.clone()
    };
    let may_change = |inst| session.may_change(inst);
    let limited: Option<MayChange> = match session.limited_to {
        Some(_) => Some(&may_change),
        None => None,
    };
    match rule {
        Rule::Own(_) if options.only_text => return searched(session, &own, limited),
        Rule::Synthesis => return searched(session, &chosen, limited),
        Rule::Own(_) | Rule::AtLeast(_) => {}
    }
    // What pays as a whole is not asked of the part that a limit leaves.
    let all = searched(session, &chosen, None);
    match rule.declines(&all.plan) {
        Some(refusal) if all.skipped.is_none() => {
            let Search { plan, loads, .. } = searched(session, &own, limited);
            let (plan, loads) = profit::without_shuffles((plan, loads), all.loads, &refusal);
            Search { plan, loads, ..all }
        }
        _ if limited.is_some() => searched(session, &chosen, limited),
        _ => all,
    }
}

/// Which loads may become something else.
type MayChange<'a> = &'a dyn Fn(InstId) -> bool;

/// Emulates a function and looks for its shuffles.
fn searched(session: &Session, chosen: &Options, limited: Option<MayChange>) -> Search {
    let function = session.function;
    let Some(mut emulation) = session.new_emulation() else {
        return Search::skipped(chosen.limits.refuse_terms());
    };
    let mut solver = session.solver();
    let synthesis = synthesis::synthesize(
        function,
        session.analyses(),
        &mut emulation,
        session.text,
        &mut solver,
        chosen,
        limited,
    );
    Search {
        skipped: None,
        plan: synthesis.plan,
        loads: synthesis.loads,
        questions: solver.account(),
        proofs: synthesis.proofs,
    }
}

/// Whether there is anything to find.
fn has_loads(function: &Function, options: &Options) -> bool {
    function.insts.iter().any(|inst| match &inst.opcode {
        Opcode::Load(access) => {
            matches!(access.space, Space::Global | Space::Generic | Space::Const)
                || options.shared && access.space == Space::Shared
        }
        _ => false,
    })
}
