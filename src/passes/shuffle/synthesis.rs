//! The synthesis of one kernel: from its emulation to the plan, and a verdict for every load.

pub use super::model::options::{MAX_DELTA, Options, Profit};
pub use super::model::verdict::{LoadReport, Outcome};

use super::certify::ShuffleCertifier;
use super::detect::fallback;
use super::detect::search::no_source;
use super::model::data::kind;
use super::model::proof_method::ProofCounts;
use super::model::proved::Proved;
use super::model::run::Run;
use super::plan::{Declined, Plan};
use super::profit;
use super::prove::memory::{Choice, Memory};
use super::refusal::{Refusal, limit};
use super::region::assemble;
use super::region::ballot_mask::Tracker;
use super::region::clone::Finder;
use super::region::clone::lockstep::View;
use super::region::clone::outline::Outliner;
use super::region::convergence::{Convergence, Waits};
use super::region::kernel::Kernel;
use ptxasw_emulator::Emulation;
use ptxasw_emulator::certificate::Certifier;
use ptxasw_emulator::solver::Solver;
use ptxasw_emulator::term::Terms;
use ptxasw_emulator::trace::{Event, EventKind, Trace};
use ptxasw_ir::analyses::Analyses;
use ptxasw_ir::function::{Function, InstId};
use ptxasw_ir::patch::Text;
use ptxasw_ir::types::Space;

use rustc_hash::{FxHashMap, FxHashSet};

/// The plan of a kernel and the verdict of every load.
#[derive(Debug)]
pub struct Synthesis {
    /// The plan.
    pub plan: Plan,
    /// Verdicts in the order of the text.
    pub loads: Vec<LoadReport>,
    /// By what all that is proved was decided.
    pub proofs: ProofCounts,
}

/// Runs the synthesis. `limited` says which loads may become shuffles, where a limit leaves some out.
pub fn synthesize(
    function: &Function,
    analyses: &Analyses,
    emulation: &mut Emulation,
    text: &dyn Text,
    solver: &mut dyn Solver,
    options: &Options,
    limited: Option<&dyn Fn(InstId) -> bool>,
) -> Synthesis {
    let events = &emulation.trace.events;
    let fallback = fallback::blocks(function, analyses, text);
    let is_wanted = |event: &Event| is_listed(event, options) && !fallback[event.block.index()];
    let loads: Vec<u32> = (0..events.len() as u32)
        .filter(|&i| is_wanted(&events[i as usize]))
        .collect();
    let kinds: Vec<u64> = loads.iter().map(|&i| kind(&events[i as usize])).collect();
    let convergence = Convergence::new(function, analyses);
    let waits = Waits::new(function, analyses);
    let joins = emulation
        .join_paths
        .values()
        .map(|join_paths| join_paths.join)
        .collect();
    let parts = Finder {
        joins: &joins,
        function,
        analyses,
        convergence: &convergence,
        text,
        waits: &waits,
        only: options.wrapping,
    }
    .all();
    let voted = View {
        function,
        analyses,
        parts: &parts,
    }
    .apply(emulation, &loads, &kinds, options.largest_distance());
    let outliner = Outliner {
        function,
        analyses,
        convergence: &convergence,
        text,
        waits: &waits,
        parts: &parts,
        voted: &voted,
    };
    let tracker = Tracker {
        function,
        analyses,
        text,
        parts: &parts,
    };
    let masks = tracker.all(&outliner);
    let Emulation {
        terms,
        values,
        conditions,
        trace,
        pruned,
        header_facts,
        defining_blocks,
        ..
    } = emulation;
    let choice = Choice {
        assumed: options.assumptions(),
        list: options.certificates,
    };
    let memory = Memory::new(analyses, trace, terms, conditions, defining_blocks, choice);
    let steps = options.limits.steps_of(terms.len());
    let steps = terms.rebuilt().saturating_add(steps);
    let mut run = Run {
        function,
        analyses,
        conditions,
        trace,
        values,
        text,
        terms,
        solver,
        options,
        memory,
        convergence: &convergence,
        parts: &parts,
        masks: &masks,
        loads: &loads,
        queries: 0,
        has_promises: function.values.iter().any(|data| data.promises.is_some()),
        steps,
        holders: None,
        met: FxHashSet::default(),
        known_carried: FxHashMap::default(),
        may_exit: trace
            .events
            .iter()
            .filter(|event| may_exit(event))
            .collect(),
        barriers: trace
            .events
            .iter()
            .filter(|event| event.is_block_barrier())
            .collect(),
    };
    let (mut proved, mut refusals) = run.all();
    let proofs = ProofCounts::of(&proved);
    let mut certifier = options.certificates.then(|| {
        let name = |value| Some(text.held(value)?.name.to_string());
        let sites = |origin| text.site(origin);
        let certifier =
            Certifier::new(function, analyses, (conditions, trace, values), sites, name);
        ShuffleCertifier(certifier)
    });
    let kernel = Kernel {
        function,
        analyses,
        text,
        values,
        trace,
        events: &|load| &trace.events[loads[load as usize] as usize],
        waits: &waits,
        copies: outliner,
        tracker,
        masks: &masks,
    };
    let declined = match options.profit {
        Profit::Always => Vec::new(),
        Profit::Auto => decline(&kernel, run.terms, options, &mut proved, &mut refusals),
    };
    if let Some(may_change) = limited {
        // What has no place in the text goes first.
        assemble::plan(
            &kernel,
            run.terms,
            options,
            None,
            &mut proved,
            &mut refusals,
        );
        bound(&kernel, may_change, &mut proved, &mut refusals);
    }
    let mut plan = assemble::plan(
        &kernel,
        run.terms,
        options,
        certifier.as_mut(),
        &mut proved,
        &mut refusals,
    );
    plan.declined = declined;
    if let Some(certifier) = certifier.as_mut().filter(|_| !plan.shuffles.is_empty()) {
        plan.obligations = certifier.0.kernel(run.terms, pruned, header_facts);
    }
    Synthesis {
        loads: reports(trace, &loads, &proved, refusals),
        plan,
        proofs,
    }
}

/// Takes out the shuffles that exceed the bound on their cost: the plan of all of them is priced, and made anew without them.
fn decline(
    kernel: &Kernel,
    terms: &mut Terms,
    options: &Options,
    proved: &mut Vec<Proved>,
    refusals: &mut [Option<Box<Refusal>>],
) -> Vec<Declined> {
    let draft = assemble::plan(kernel, terms, options, None, proved, refusals);
    let mut out = profit::declined(
        kernel.function,
        kernel.analyses,
        (terms, kernel.values),
        kernel.text,
        &draft,
    )
    .into_iter()
    .peekable();
    let (mut declined, mut number) = (Vec::new(), 0);
    // The plan's shuffles are those that are still there, in this order.
    proved.retain(|shuffle| {
        number += 1;
        let Some((_, refusal)) = out.next_if(|(other, _)| *other == number - 1) else {
            return true;
        };
        declined.push(Declined {
            statement: (kernel.events)(shuffle.destination).origin,
            reason: refusal.text().into_owned(),
        });
        refusals[shuffle.destination as usize] = Some(refusal.into());
        false
    });
    declined
}

/// Takes out the shuffles that a limit leaves out.
fn bound(
    kernel: &Kernel,
    may_change: &dyn Fn(InstId) -> bool,
    proved: &mut Vec<Proved>,
    refusals: &mut [Option<Box<Refusal>>],
) {
    proved.retain(|shuffle| {
        let stays = may_change((kernel.events)(shuffle.destination).inst);
        if !stays {
            let refusal = Refusal::new(&limit::REWRITINGS);
            refusals[shuffle.destination as usize] = Some(refusal.into());
        }
        stays
    });
}

/// Whether the thread may be gone after an event.
fn may_exit(event: &Event) -> bool {
    matches!(event.kind, EventKind::Opaque(effects) if effects.exits)
}

/// Loads that reports speak of.
fn is_listed(event: &Event, options: &Options) -> bool {
    let EventKind::Load(access) = &event.kind else {
        return false;
    };
    matches!(event.space, Space::Global | Space::Const)
        || access.space == Space::Generic
        || options.shared && event.space == Space::Shared
}

fn reports(
    trace: &Trace,
    loads: &[u32],
    proved: &[Proved],
    refusals: Vec<Option<Box<Refusal>>>,
) -> Vec<LoadReport> {
    let mut shuffle_of = vec![None; loads.len()];
    let mut is_source = vec![false; loads.len()];
    let mut carried = FxHashSet::default();
    for (number, shuffle) in proved.iter().enumerate() {
        shuffle_of[shuffle.destination as usize] = Some(number as u32);
        for part in &shuffle.parts {
            is_source[part.source as usize] = true;
            let source = &trace.events[loads[part.source as usize] as usize];
            carried.extend(source.carried.map(|_| source.origin));
        }
    }
    let mut reports: Vec<LoadReport> = refusals
        .into_iter()
        .enumerate()
        .map(|(number, refusal)| (number, refusal, &trace.events[loads[number] as usize]))
        .filter(|(_, _, event)| event.carried.is_none())
        .map(|(number, refusal, event)| {
            let outcome = match (shuffle_of[number], refusal) {
                (Some(shuffle), _) => Outcome::Covered(shuffle),
                (None, Some(refusal)) => Outcome::Kept(refusal),
                (None, None) => Outcome::Kept(no_source().into()),
            };
            LoadReport {
                origin: event.origin,
                inst: event.inst,
                outcome,
                source: is_source[number] || carried.contains(&event.origin),
            }
        })
        .collect();
    reports.sort_by_key(|report| report.origin);
    reports
}
