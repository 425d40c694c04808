//! The synthesis of one kernel: from its emulation to the plan, and a verdict for every load.

use super::assemble;
use super::convergence::{Convergence, Waits};
use super::copies::Finder;
use super::copies::in_step::View;
use super::copies::outline::Outliner;
use super::limits::KernelLimits;
use super::means::Means;
use super::memory::{Choice, Memory};
use super::place::Registers;
use super::plan::{Declined, Plan, Wrapping};
use super::profit::{self, Profit};
use super::proved::Proved;
use super::refusal::{Refusal, limit};
use super::search::{Run, no_source};
use super::tracked::Tracker;
use crate::certificate::Certifier;
use crate::emulator::Emulation;
use crate::emulator::alias::Assumptions;
use crate::emulator::term::Terms;
use crate::emulator::trace::{Event, EventKind, Trace};
use crate::ir::analyses::Analyses;
use crate::ir::function::{Function, InstId};
use crate::ir::types::Space;
use crate::solver::Solver;
use rustc_hash::{FxHashMap, FxHashSet};

/// Largest distance of a shuffle.
pub const MAX_DELTA: u8 = 31;

/// What the user chose.
#[derive(Clone, Debug, Hash)]
pub struct Options {
    /// Largest |N|.
    pub max_delta: u8,
    /// Shuffles per kernel.
    pub max_shuffles: u32,
    /// Of the shuffles that would be emitted the first ones that stay.
    pub keep: u32,
    /// The scheme; by CONTRACT.md, "Choice of the scheme", if none.
    pub wrapping: Option<Wrapping>,
    /// Which of the proved shuffles are emitted: by default all, with [`Profit::Auto`], the command's default, those that keep
    /// within the bound. What the target allows is asked before ([`profit::Rule`]).
    pub profit: Profit,
    /// 32-bit indices are taken not to wrap, as the paper does.
    pub assume_no_wrap: bool,
    /// What different pointer parameters point to is taken not to overlap.
    pub assume_no_alias: bool,
    /// Loads of shared memory are covered, too.
    pub shared: bool,
    /// The plan carries the SMT-LIB text of each proof.
    pub certificates: bool,
    /// What may be spent on a kernel.
    pub limits: KernelLimits,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            max_delta: MAX_DELTA,
            max_shuffles: u32::MAX,
            keep: u32::MAX,
            wrapping: None,
            profit: Profit::Always,
            assume_no_wrap: false,
            assume_no_alias: false,
            shared: false,
            certificates: false,
            limits: KernelLimits::default(),
        }
    }
}

impl Options {
    /// What is taken for granted of memory.
    pub fn assumptions(&self) -> Assumptions {
        Assumptions {
            no_alias: self.assume_no_alias,
        }
    }
}

/// What became of a load.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// Its number among the plan's shuffles.
    Covered(u32),
    /// It stays, and why.
    Kept(Box<Refusal>),
}

/// A load of global or constant memory, or of shared memory where that was chosen.
#[derive(Clone, Debug)]
pub struct LoadReport {
    /// The front end's statement.
    pub origin: u32,
    /// The instruction.
    pub inst: InstId,
    /// What became of it.
    pub outcome: Outcome,
    /// Other loads take its value.
    pub source: bool,
}

/// The plan of a kernel and the verdict of every load.
#[derive(Debug)]
pub struct Synthesis {
    /// The plan.
    pub plan: Plan,
    /// Verdicts in the order of the text.
    pub loads: Vec<LoadReport>,
    /// By what all that is proved was decided.
    pub means: Means,
}

/// Runs the synthesis.
pub fn synthesize(
    function: &Function,
    analyses: &Analyses,
    emulation: &mut Emulation,
    registers: &dyn Registers,
    solver: &mut dyn Solver,
    options: &Options,
) -> Synthesis {
    let events = &emulation.trace.events;
    let loads: Vec<u32> = (0..events.len() as u32)
        .filter(|&i| is_listed(&events[i as usize], options))
        .collect();
    let kinds: Vec<u64> = loads.iter().map(|&i| kind(&events[i as usize])).collect();
    let convergence = Convergence::new(function, analyses);
    let waits = Waits::new(function, analyses);
    let joins = emulation.ways.values().map(|ways| ways.join).collect();
    let parts = Finder {
        joins: &joins,
        function,
        analyses,
        convergence: &convergence,
        registers,
        waits: &waits,
        only: options.wrapping,
    }
    .all();
    let voted = View {
        function,
        analyses,
        parts: &parts,
    }
    .apply(emulation, &loads, &kinds, max_delta(options));
    let outliner = Outliner {
        function,
        analyses,
        convergence: &convergence,
        registers,
        waits: &waits,
        parts: &parts,
        voted: &voted,
    };
    let tracker = Tracker {
        function,
        analyses,
        registers,
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
        homes,
        ..
    } = emulation;
    let choice = Choice {
        assumed: options.assumptions(),
        list: options.certificates,
    };
    let memory = Memory::new(analyses, trace, terms, conditions, homes, choice);
    let steps = options.limits.steps_of(terms.len());
    let steps = terms.rebuilt().saturating_add(steps);
    let mut run = Run {
        function,
        analyses,
        conditions,
        trace,
        values,
        registers,
        terms,
        solver,
        options,
        memory,
        convergence: &convergence,
        parts: &parts,
        masks: &masks,
        loads: &loads,
        queries: 0,
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
    let means = Means::of(&proved);
    let mut certifier = options.certificates.then(|| {
        let name = |value| Some(registers.held(value)?.name.to_string());
        let sites = |origin| registers.site(origin);
        Certifier::new(function, analyses, (conditions, trace, values), sites, name)
    });
    let kernel = assemble::Kernel {
        function,
        analyses,
        registers,
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
    if options.keep < u32::MAX {
        bound(&kernel, run.terms, options, &mut proved, &mut refusals);
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
        plan.obligations = certifier.kernel(run.terms, pruned, header_facts);
    }
    Synthesis {
        loads: reports(trace, &loads, &proved, refusals),
        plan,
        means,
    }
}

/// Takes out the shuffles that exceed the bound on their cost: the plan of all of them is priced, and made anew without them.
fn decline(
    kernel: &assemble::Kernel,
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
        kernel.registers,
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

/// Takes out all shuffles but the first ones of those that would be emitted.
fn bound(
    kernel: &assemble::Kernel,
    terms: &mut Terms,
    options: &Options,
    proved: &mut Vec<Proved>,
    refusals: &mut [Option<Box<Refusal>>],
) {
    // What has no place in the text goes first.
    assemble::plan(kernel, terms, options, None, proved, refusals);
    for shuffle in proved.drain(proved.len().min(options.keep as usize)..) {
        refusals[shuffle.destination as usize] = Some(Refusal::new(&limit::REWRITINGS).into());
    }
}

/// Largest |N|.
pub(super) fn max_delta(options: &Options) -> i8 {
    options.max_delta.min(MAX_DELTA) as i8
}

/// Whether the thread may be gone behind an event.
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

/// Tells loads apart that can't stand for each other, whatever their addresses.
pub(super) fn kind(event: &Event) -> u64 {
    (event.counted_in() as u64) << 8 | event.space as u64
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
