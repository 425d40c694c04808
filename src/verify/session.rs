//! One kernel: its launches one after the other, within a budget, up to the first finding.

use super::blame;
use super::compare::{DifferingElement, Memory};
use super::launches::{self, Candidate};
use super::reach;
use super::runs::{Job, PairRun, ScheduleOutcome};
use super::stability::Skip;
use super::{
    Difference, Kernel, KernelReport, LaunchReport, NewFault, Options, Reason, Store, Verdict,
};
use ptxasw_executor::{
    Argument, Counters, Coverage, ExecutionError, Launch, Race, STEP_LIMIT, Thread, Writer,
    instruction_at,
};
use ptxasw_ir::opcode::Opcode;
use ptxasw_ir::types::{Kind, Type};
use ptxasw_ptx::ast::Span;
use ptxasw_ptx::decode::form::Action;
use rayon::prelude::*;
use std::borrow::Cow;

/// Launches that are run at the same time. It does not depend on the number of threads, so that the work does not either.
const WAVE: usize = 8;
/// What part of a kernel's budget one run of the original may take.
const SHARE: u64 = 32;
/// It may take so many in any case: modules have many kernels.
const LEAST_LIMIT: u64 = 1 << 13;

/// A launch that has been run.
pub(super) struct Ran<'a> {
    /// As text.
    pub(super) text: String,
    /// What was run; none if no launch could be made of the description.
    pub(super) launch: Option<Cow<'a, Launch>>,
    /// Threads of a block.
    pub(super) block: [u32; 3],
    pub(super) pairs: Vec<PairRun>,
    /// Warp instructions, roughly, of runs that came to nothing.
    pub(super) wasted: u64,
    /// Buffers overlap in it, or addresses wrap: where it shows nothing, no conclusion is drawn from that.
    pub(super) adversarial: bool,
}

/// Compares one kernel.
pub(super) fn run(original: Kernel, rewritten: Kernel, options: &Options) -> KernelReport {
    let mut session = Session::new(original);
    let mut job = Job {
        original,
        rewritten,
        options,
        limit: STEP_LIMIT,
        blank: &Coverage::detailed(original.function),
    };
    let candidates = match options.launches.is_empty() {
        true => {
            job.limit = (options.steps / SHARE).max(LEAST_LIMIT);
            launches::made(original, options.seed)
        }
        false => launches::given(&session.report.kernel, &options.launches),
    };
    session.all(&job, &candidates);
    session.finish(original, rewritten, options.launches.is_empty())
}

struct Session {
    report: KernelReport,
    /// The original's accesses, by number.
    accesses: Vec<u32>,
    /// The original has no side effects.
    only_reads: bool,
    /// Where the original depends on the schedule, each once.
    racy: Vec<Memory>,
    /// It does so, seen where the two kernels part.
    depends: bool,
    /// The first race of the original that was seen.
    race: Option<Box<Race>>,
    /// The first fault of the original.
    fault: Option<ExecutionError>,
    stored: bool,
    /// What the original has executed in launches that are equal, under one schedule each.
    original: Coverage,
    /// Some launch that is equal has no coverage: one of the user's, too long to be observed.
    unwatched: bool,
    /// What the rewritten kernel has executed in runs that are equal.
    reached: Coverage,
    /// What it has executed in runs that differ where the original depends on the schedule.
    aside: Coverage,
    /// It failed in such a run.
    failed_aside: bool,
    /// The first launch in which it did not end where the original may not end, and how that one fails.
    may_not_end: Option<(String, Skip)>,
    /// The first launch of the user that could not be compared under any schedule.
    uncompared: Option<Reason>,
    /// The first finding.
    found: Option<Verdict>,
    cost: u64,
}

impl Session {
    fn new(original: Kernel) -> Self {
        Session {
            report: KernelReport::new(&original.function.name, Reason::NoLaunch),
            accesses: reach::all_accesses(original),
            only_reads: reach::only_reads(original),
            racy: Vec::new(),
            depends: false,
            race: None,
            fault: None,
            stored: false,
            original: Coverage::default(),
            unwatched: false,
            reached: Coverage::default(),
            aside: Coverage::default(),
            failed_aside: false,
            may_not_end: None,
            uncompared: None,
            found: None,
            cost: 0,
        }
    }

    fn all(&mut self, job: &Job, candidates: &[Candidate]) {
        let made = job.options.launches.is_empty();
        let mut done = 0;
        let progress = &job.options.progress;
        progress.expect(candidates.len());
        for wave in candidates.chunks(WAVE) {
            let runs: Vec<Ran> = wave.par_iter().map(|c| launches::run(job, c)).collect();
            for ran in runs {
                done += 1;
                progress.done(1);
                self.cost += ran.wasted;
                self.add(job, ran);
                if self.found.is_some() {
                    progress.done(candidates.len() - done);
                    return;
                }
                if made && self.cost > job.options.steps {
                    self.report.left_out = candidates.len() - done;
                    progress.done(self.report.left_out);
                    return;
                }
            }
        }
    }

    /// Takes in the results of a launch, up to the first finding.
    fn add(&mut self, job: &Job, ran: Ran) {
        let mut report = LaunchReport {
            launch: ran.text,
            block: ran.block,
            equal: 0,
            racy: Vec::new(),
            race: None,
            skipped: Vec::new(),
            may_not_end: 0,
            adversarial: ran.adversarial,
            idle: false,
        };
        let (mut original, mut watched) = (None, false);
        for mut pair in ran.pairs {
            self.cost += pair.cost;
            if let Some(covered) = pair.original.take() {
                watched = true;
                let mut accesses = self.accesses.iter();
                report.idle = !self.only_reads && !accesses.any(|&one| covered.has_any(one));
                if matches!(pair.found, ScheduleOutcome::Equal) {
                    original = Some(covered);
                }
            }
            if ran.adversarial && pair.says_nothing() {
                report.set_aside(pair);
                continue;
            }
            self.warn(&pair);
            match pair.found {
                ScheduleOutcome::Equal => {
                    report.equal += 1;
                    self.report.tolerated = self.report.tolerated.max(pair.tolerated);
                    self.reached.merge(&pair.reached);
                    self.stored |= pair.stored;
                    self.count(pair.counts);
                }
                ScheduleOutcome::Racy(places, race) => {
                    self.count(pair.counts);
                    self.depends = true;
                    self.aside.merge(&pair.reached);
                    self.failed_aside |= places.is_empty();
                    add_missing(&mut self.racy, &places);
                    add_missing(&mut report.racy, &places);
                    if report.race.is_none() {
                        report.race = race;
                    }
                    if self.race.is_none() {
                        self.race.clone_from(&report.race);
                    }
                }
                ScheduleOutcome::Skipped((schedule, error)) => {
                    self.fault.get_or_insert_with(|| error.clone());
                    report.skipped.push((schedule, error));
                }
                ScheduleOutcome::MayNotEnd(skip) => {
                    self.failed_aside = true;
                    let launch = || report.launch.clone();
                    self.may_not_end
                        .get_or_insert_with(|| (launch(), skip.clone()));
                    report.may_not_end += 1;
                    report.skipped.push(skip);
                }
                ScheduleOutcome::Different(place, race) => {
                    self.count(pair.counts);
                    let text = report.launch.clone();
                    let launch = ran.launch.as_deref();
                    self.found = launch.map(|launch| {
                        let mut found = difference(job, launch, text, pair.schedule, place);
                        found.race = race;
                        Verdict::Different(Box::new(found))
                    });
                }
                ScheduleOutcome::Failed(error) => {
                    self.found = Some(Verdict::UndefinedBehaviour(Box::new(NewFault {
                        launch: report.launch.clone(),
                        schedule: pair.schedule,
                        error,
                    })));
                }
                ScheduleOutcome::NotRun(error) => {
                    self.found = Some(Verdict::CouldNotRun(Reason::NotSupported(error)));
                }
            }
            if self.found.is_some() {
                break;
            }
        }
        if !job.options.launches.is_empty()
            && (report.equal, report.racy.len()) == (0, 0)
            && let Some((_, error)) = report.skipped.first()
        {
            let (launch, error) = (report.launch.clone(), error.clone());
            self.uncompared
                .get_or_insert(Reason::GivenLaunch { launch, error });
        }
        // Results of a launch with a data race are no evidence.
        let steady = report.racy.is_empty() && report.race.is_none();
        if let Some(covered) = original.filter(|_| steady) {
            self.original.merge(&covered);
        }
        self.unwatched |= report.equal > 0 && !watched;
        self.report.launches.push(report);
    }

    fn count(&mut self, counts: [Counters; 2]) {
        for (total, count) in self.report.counts.iter_mut().zip(counts) {
            *total += count;
        }
    }

    fn warn(&mut self, pair: &PairRun) {
        for &warning in &pair.warnings {
            let known = &mut self.report.warnings;
            if known.iter().all(|w| w.span != warning.span) {
                known.push(warning);
            }
        }
    }

    fn finish(mut self, original: Kernel, rewritten: Kernel, made: bool) -> KernelReport {
        if !self.unwatched {
            self.report.reach = reach::reach(original, rewritten, &self.original, &self.reached);
        }
        let unreached_change = made && !self.report.reach.covers_changes();
        let nothing_to_store = self.only_reads && reach::only_reads(rewritten);
        let unreached = self.unreached(rewritten);
        // A shuffle that only such runs executed whose differences were set aside: that others are equal shows nothing about
        // it.
        let mut numbers = unreached.iter().map(|&(number, _)| number);
        let hidden = numbers.any(|number| self.failed_aside || self.aside.has(number));
        self.report.unreached = unreached.into_iter().map(|(_, span)| span).collect();
        let compared = self.report.compared() > 0;
        self.report.verdict = match (self.found, self.uncompared) {
            (Some(found), _) => found,
            (None, Some(reason)) if compared => Verdict::CouldNotRun(reason),
            _ if compared && (self.stored || nothing_to_store) && !hidden && !unreached_change => {
                Verdict::Equal
            }
            _ => Verdict::CouldNotRun(if self.depends {
                Reason::Race {
                    memory: self.racy,
                    race: self.race,
                }
            } else if let Some((launch, (schedule, error))) = self.may_not_end {
                Reason::MayNotEnd {
                    launch,
                    schedule,
                    error,
                }
            } else if compared && unreached_change {
                Reason::Unreached
            } else if compared {
                Reason::NothingStored
            } else {
                self.fault.map_or(Reason::NoLaunch, Reason::Original)
            }),
        };
        self.report
    }

    /// Shuffles that lanes executed together in no run that is equal, by number and place.
    fn unreached(&self, rewritten: Kernel) -> Vec<(u32, Span)> {
        let statements = (0..).zip(&rewritten.function.instructions);
        statements
            .filter(|&(number, instruction)| {
                matches!(instruction.action, Action::Do(Opcode::Shuffle { .. }))
                    && !self.reached.has(number)
            })
            .map(|(number, instruction)| (number, instruction.span))
            .collect()
    }
}

fn add_missing(list: &mut Vec<Memory>, more: &[Memory]) {
    for memory in more {
        if !list.contains(memory) {
            list.push(memory.clone());
        }
    }
}

/// All about an element that differs.
fn difference(
    job: &Job,
    launch: &Launch,
    text: String,
    schedule: ptxasw_executor::Schedule,
    place: DifferingElement,
) -> Difference {
    let [before, after] = place.writers;
    let (rewritten, kernel, writer) = match (after, before) {
        (Some(after), _) => (true, job.rewritten, Some(after)),
        (None, before) => (false, job.original, before),
    };
    let thread = writer.map(|writer| u64::from(writer.thread) - 1);
    let stored = writer.and_then(|writer| store_of(kernel, writer));
    let load = thread.and_then(|t| blame::rewritten_load(job, launch, schedule, t, &place));
    let parameters = match place.memory {
        Memory::Buffer(buffer) => pointing(job.original, launch, buffer),
        Memory::Variable(_) => Vec::new(),
    };
    Difference {
        launch: text,
        schedule,
        element: place.offset / usize::from(place.size),
        size: place.size,
        ty: element_type(place.size, stored.map(|(_, ty)| ty)),
        original: place.original,
        rewritten: place.rewritten,
        store: stored.zip(thread).map(|((span, _), number)| Store {
            rewritten,
            thread: thread_of(launch, number),
            span,
        }),
        load,
        race: None,
        parameters,
        memory: place.memory,
    }
}

/// The statement of a store, and the type that it stores.
fn store_of(kernel: Kernel, writer: Writer) -> Option<(Span, Type)> {
    let instruction = instruction_at(kernel.module, kernel.function, writer.instruction)?;
    let ty = match &instruction.action {
        Action::Do(Opcode::Store(access)) => access.ty,
        Action::Do(Opcode::Atomic { ty, .. }) => *ty,
        _ => Type::B32,
    };
    Some((instruction.span, ty))
}

/// The type by which an element is shown: that of the store, if it has the element's size.
fn element_type(size: u8, stored: Option<Type>) -> Type {
    let bits = size * 8;
    stored
        .filter(|ty| ty.bits == bits)
        .unwrap_or(Type::new(Kind::Bits, bits))
}

/// The parameters that point into a buffer.
fn pointing(kernel: Kernel, launch: &Launch, buffer: usize) -> Vec<Box<str>> {
    let arguments = launch.arguments.iter().zip(&kernel.function.parameters);
    let here = arguments.filter(
        |(argument, _)| matches!(argument, Argument::Buffer { index, .. } if *index == buffer),
    );
    here.map(|(_, parameter)| parameter.name.clone()).collect()
}

/// The thread of this number in the grid.
fn thread_of(launch: &Launch, number: u64) -> Thread {
    let [bx, by, bz] = launch.block.map(|n| u64::from(n.max(1)));
    let [gx, gy, _] = launch.grid.map(|n| u64::from(n.max(1)));
    let (block, t) = (number / (bx * by * bz), number % (bx * by * bz));
    let place = |i: u64, x: u64, y: u64| [(i % x) as u32, (i / x % y) as u32, (i / (x * y)) as u32];
    Thread {
        block: place(block, gx, gy),
        thread: place(t, bx, by),
        warp: (t / 32) as u32,
        lane: (t % 32) as u32,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_by_number() {
        let launch = Launch::new([2, 3, 1], [4, 8, 2]);
        let thread = thread_of(&launch, 64 * 3 + 37);
        assert_eq!(thread.block, [1, 1, 0]);
        assert_eq!(thread.thread, [1, 1, 1]);
        assert_eq!((thread.warp, thread.lane), (1, 5));
    }
}
