//! The synthesis of one kernel: from its emulation to the plan, and a verdict for every load.

use super::candidate::Candidates;
use super::certificate::Certifier;
use super::convergence::{Convergence, Waits};
use super::copies::in_step::View;
use super::copies::outline::Outliner;
use super::copies::{Finder, Parts};
use super::eligible::Data;
use super::memory::{Choice, Memory, Passed, SameMemory};
use super::pair::Pair;
use super::place::{Registers, Wanted};
use super::plan::{Condition, Declined, Plan, Wrapping};
use super::profit::{self, Profit};
use super::refusal::{ConditionName, Refusal};
use super::same_bytes::{Guard, RestsOn, SameBytes};
use super::{assemble, instance, lanes, proposal};
use crate::emulator::Emulation;
use crate::emulator::alias::Assumptions;
use crate::emulator::conditions::PathConditions;
use crate::emulator::term::{LaneMap, TermId, Terms};
use crate::emulator::trace::{Event, EventKind, Trace};
use crate::ir::analyses::Analyses;
use crate::ir::function::{BlockId, Function, InstId};
use crate::ir::types::Space;
use crate::mutation::{Mutation, active};
use crate::solver::{Reading, Solver};
use proposal::{Piece, Proposal};
use smallvec::SmallVec;

/// Largest distance of a shuffle.
pub const MAX_DELTA: u8 = 31;

/// What the user chose.
#[derive(Clone, Debug)]
pub struct Options {
    /// Largest |N|.
    pub max_delta: u8,
    /// Shuffles per kernel.
    pub max_shuffles: u32,
    /// The wrapping; chosen by wrappings.md's rule if none.
    pub wrapping: Option<Wrapping>,
    /// Which of the proved shuffles are emitted: by default all. The command's default is [`Profit::Auto`].
    pub profit: Profit,
    /// 32-bit indices are taken not to wrap, as the paper does.
    pub assume_no_wrap: bool,
    /// What different pointer parameters point to is taken not to overlap.
    pub assume_no_alias: bool,
    /// Loads of shared memory are covered, too.
    pub shared: bool,
    /// The plan carries the SMT-LIB text of each proof.
    pub certificates: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            max_delta: MAX_DELTA,
            max_shuffles: u32::MAX,
            wrapping: None,
            profit: Profit::Always,
            assume_no_wrap: false,
            assume_no_alias: false,
            shared: false,
            certificates: false,
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
    Kept(Refusal),
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
}

/// A proved shuffle: every byte of the destination comes from some source.
#[derive(Debug)]
pub(super) struct Proved {
    pub destination: u32,
    pub lanes: LaneMap,
    /// The region of the destination.
    pub home: Home,
    /// What the bytes of the destination are: one for each source and distance between both's bytes.
    pub parts: SmallVec<[ProvedPart; 1]>,
}

/// What a region belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Home {
    /// Where lanes converge: the head.
    Head(BlockId),
    /// A copy for whole warps, by the number of its part.
    Copy(u32),
}

/// Bytes of a destination that one source gives.
#[derive(Debug)]
pub(super) struct ProvedPart {
    pub source: u32,
    /// Where they begin in the source's bytes, less where they begin in the destination's.
    pub skip: i64,
    /// Which bytes of the destination: where they begin and how many, in order.
    pub bytes: SmallVec<[(u8, u8); 1]>,
    /// C6 asks for a vote of the mask on the source's guard.
    pub vote: bool,
    /// Run-time checks that C1 asks for.
    pub wanted: Vec<Wanted>,
    /// Bytes from the source's to the destination's address in one thread, if they must be checked at run time.
    pub distance: Option<u64>,
    pub conditions: Vec<Condition>,
    /// For the certificate: the indices that do not wrap.
    pub guards: Vec<Guard>,
    /// For the certificate: what decided cases rest on.
    pub rests_on: RestsOn,
    /// For the certificate: C1 was decided by algebra.
    pub algebra: bool,
    /// For the certificate: how C1 is to be read; none if it was assumed.
    pub reading: Option<Reading>,
    /// For the certificate: what C3 passed.
    pub passed: Vec<Passed>,
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
    let parts = Finder {
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
    let Emulation {
        terms,
        values,
        conditions,
        trace,
        pruned,
        homes,
        ..
    } = emulation;
    let choice = Choice {
        assumed: options.assumptions(),
        list: options.certificates,
    };
    let memory = Memory::new(analyses, trace, terms, conditions, homes, choice);
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
        loads: &loads,
        queries: 0,
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
    let mut certifier = options
        .certificates
        .then(|| Certifier::new(function, analyses, (conditions, trace, values), registers));
    let kernel = assemble::Kernel {
        function,
        analyses,
        registers,
        values,
        events: &|load| &trace.events[loads[load as usize] as usize],
        waits: &waits,
        copies: Outliner {
            function,
            analyses,
            convergence: &convergence,
            registers,
            waits: &waits,
            parts: &parts,
            voted: &voted,
        },
    };
    let declined = match options.profit {
        Profit::Always => Vec::new(),
        Profit::Auto => decline(&kernel, run.terms, options, &mut proved, &mut refusals),
    };
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
        plan.obligations = certifier.kernel(run.terms, pruned);
    }
    Synthesis {
        loads: reports(trace, &loads, &proved, refusals),
        plan,
    }
}

/// Takes out the shuffles that are not worth their cost: the plan of all of them is priced, and made anew without them.
fn decline(
    kernel: &assemble::Kernel,
    terms: &mut Terms,
    options: &Options,
    proved: &mut Vec<Proved>,
    refusals: &mut [Option<Refusal>],
) -> Vec<Declined> {
    let draft = assemble::plan(kernel, terms, options, None, proved, refusals);
    let mut out = profit::declined(kernel.function, kernel.analyses, &draft)
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
            reason: refusal.reason.clone(),
        });
        refusals[shuffle.destination as usize] = Some(refusal);
        false
    });
    declined
}

/// Largest |N|.
fn max_delta(options: &Options) -> i8 {
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
fn kind(event: &Event) -> u64 {
    (event.counted_in() as u64) << 8 | event.space as u64
}

fn reports(
    trace: &Trace,
    loads: &[u32],
    proved: &[Proved],
    refusals: Vec<Option<Refusal>>,
) -> Vec<LoadReport> {
    let mut shuffle_of = vec![None; loads.len()];
    let mut is_source = vec![false; loads.len()];
    for (number, shuffle) in proved.iter().enumerate() {
        shuffle_of[shuffle.destination as usize] = Some(number as u32);
        for part in &shuffle.parts {
            is_source[part.source as usize] = true;
        }
    }
    let mut reports: Vec<LoadReport> = refusals
        .into_iter()
        .enumerate()
        .map(|(number, refusal)| {
            let event = &trace.events[loads[number] as usize];
            let outcome = match (shuffle_of[number], refusal) {
                (Some(shuffle), _) => Outcome::Covered(shuffle),
                (None, Some(refusal)) => Outcome::Kept(refusal),
                (None, None) => Outcome::Kept(no_source()),
            };
            LoadReport {
                origin: event.origin,
                inst: event.inst,
                outcome,
                source: is_source[number],
            }
        })
        .collect();
    reports.sort_by_key(|report| report.origin);
    reports
}

/// The refusal of a load of which only some bytes have a source, or not all at one distance.
fn only_in_part() -> Refusal {
    Refusal::new(
        ConditionName::C1,
        "earlier loads read only a part of these bytes in one lane at most 31 away",
    )
}

fn no_source() -> Refusal {
    Refusal::new(
        ConditionName::C1,
        "no earlier load reads these bytes in a lane at most 31 away",
    )
}

pub(super) struct Run<'a> {
    pub(super) function: &'a Function,
    pub(super) analyses: &'a Analyses,
    pub(super) conditions: &'a PathConditions,
    pub(super) trace: &'a Trace,
    pub(super) values: &'a [Option<TermId>],
    pub(super) registers: &'a dyn Registers,
    pub(super) terms: &'a mut Terms,
    pub(super) solver: &'a mut dyn Solver,
    pub(super) options: &'a Options,
    pub(super) memory: Memory<'a>,
    pub(super) convergence: &'a Convergence,
    pub(super) parts: &'a Parts,
    loads: &'a [u32],
    pub(super) queries: u32,
    /// Calls and the like that may end a thread.
    pub(super) may_exit: Vec<&'a Event>,
    /// Barriers that all threads of the block pass together.
    pub(super) barriers: Vec<&'a Event>,
}

impl<'a> Run<'a> {
    fn event(&self, load: u32) -> &'a Event {
        &self.trace.events[self.loads[load as usize] as usize]
    }

    /// Decides every load, in the order of the walk: a source comes before its destinations.
    fn all(&mut self) -> (Vec<Proved>, Vec<Option<Refusal>>) {
        let zero = self.terms.constant(64, 0);
        let count = self.loads.len() as u32;
        let addresses: Vec<TermId> = (0..count)
            .map(|load| self.event(load).address.unwrap_or(zero))
            .collect();
        let kinds: Vec<u64> = (0..count).map(|load| kind(self.event(load))).collect();
        let data: Vec<Result<Data, Refusal>> = (0..count)
            .map(|load| self.eligible(self.event(load)))
            .collect();
        let bytes: Vec<u32> = (0..count).map(|load| self.event(load).bytes).collect();
        let sizes = data.iter().flatten().map(|data| data.element);
        let max_delta = max_delta(self.options);
        let mut candidates =
            Candidates::new(self.terms, &addresses, &kinds, &bytes, sizes, max_delta);
        if active(Mutation::PreviousIteration) {
            for (load, data) in (0..).zip(&data) {
                data.iter()
                    .for_each(|data| candidates.admit(load, data.given));
            }
        }
        let (mut proved, mut refusals) = (Vec::new(), vec![None; count as usize]);
        for (load, data) in (0..).zip(data) {
            match data {
                Err(refusal) => refusals[load as usize] = Some(refusal),
                Ok(data) => match self.cover(load, &data, &candidates, proved.len() as u32) {
                    Ok(shuffle) => proved.push(shuffle),
                    Err(refusal) => {
                        refusals[load as usize] = Some(refusal);
                        candidates.admit(load, data.given);
                    }
                },
            }
        }
        (proved, refusals)
    }

    /// The best proved sources of a load, or the reason why the nearest candidate failed.
    fn cover(
        &mut self,
        load: u32,
        data: &Data,
        candidates: &Candidates,
        covered: u32,
    ) -> Result<Proved, Refusal> {
        if !data.defined {
            return Err(Refusal::new(
                ConditionName::C6,
                "not all bytes of the load are defined",
            ));
        }
        let mut first = None;
        for proposal in proposal::of(load, data, candidates).ok_or_else(no_source)? {
            if covered >= self.options.max_shuffles {
                return Err(Refusal::new(
                    ConditionName::Limit,
                    "the number of shuffles is limited",
                ));
            }
            match self.prove(load, &proposal) {
                Ok(proved) => return Ok(proved),
                Err(refusal) => first = first.or(Some(refusal)),
            }
        }
        Err(first.unwrap_or_else(only_in_part))
    }

    /// Conditions C1 to C6 for all parts of a destination.
    fn prove(&mut self, load: u32, proposal: &Proposal) -> Result<Proved, Refusal> {
        let mut parts: SmallVec<[ProvedPart; 1]> = SmallVec::new();
        for piece in &proposal.pieces {
            let skip = piece.skip();
            let known = parts
                .iter_mut()
                .find(|part| (part.source, part.skip) == (piece.source, skip));
            match known {
                Some(part) => match part.bytes.last_mut() {
                    Some((at, bytes)) if *at + *bytes == piece.at => *bytes += piece.bytes,
                    _ => part.bytes.push((piece.at, piece.bytes)),
                },
                None => parts.push(self.prove_part(load, proposal.lanes, piece)?),
            }
        }
        Ok(Proved {
            destination: load,
            lanes: proposal.lanes,
            home: match self.parts.of(self.event(load).block) {
                Some(part) => Home::Copy(part),
                None => Home::Head(self.convergence.head(self.event(load).block).block),
            },
            parts,
        })
    }

    /// Conditions C1 to C6 for one pair.
    fn prove_part(
        &mut self,
        load: u32,
        lanes: LaneMap,
        piece: &Piece,
    ) -> Result<ProvedPart, Refusal> {
        let pair = Pair {
            source: self.event(piece.source),
            destination: self.event(load),
            lanes,
            skip: piece.skip(),
        };
        let c2 = instance::check(self.analyses, pair.source, pair.destination)?;
        let SameBytes {
            proof: c1,
            wanted,
            distance,
            guards,
            rests_on,
            algebra,
            reading,
        } = self.same_bytes(&pair)?;
        let SameMemory { proof: c3, passed } = self.memory.check(self.terms, self.solver, &pair)?;
        self.check_callers(&pair)?;
        let (c4, c5) = if pair.lanes.is_own() {
            let own = "the thread's own value";
            (own.to_string(), own.to_string())
        } else {
            (
                self.check_participation(&pair)?.to_string(),
                lanes::check(self.function, pair.lanes)?,
            )
        };
        let (c6, vote) = self.no_hole(&pair)?;
        let conditions = ["C1", "C2", "C3", "C4", "C5", "C6"]
            .into_iter()
            .zip([c1, c2, c3, c4, c5, c6])
            .map(|(name, proof)| Condition { name, proof })
            .collect();
        Ok(ProvedPart {
            source: piece.source,
            skip: pair.skip,
            bytes: SmallVec::from_slice(&[(piece.at, piece.bytes)]),
            vote,
            wanted,
            distance: distance.map(|check| pair.distance(check)),
            conditions,
            guards,
            rests_on,
            algebra,
            reading,
            passed,
        })
    }
}
