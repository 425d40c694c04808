//! The replay itself: texts are read, equal ones are put together, and workers ask the solvers.

use super::folder::Text;
use super::process::{Process, Second, Solver};
use super::report::{Answer, Asked, Replayed, Report};
use super::script::Script;
use ptxasw_base::progress::Progress;
use ptxasw_emulator::solver::{Decision, decide_text};
use rustc_hash::FxHashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// Z3's resource units in a second, about: its limit does not depend on the machine.
const RLIMIT_PER_SECOND: u32 = 4_000_000;
/// Threads at most.
const MAX_JOBS: usize = 256;

/// Who is asked, and what that may cost.
#[derive(Clone, Debug)]
pub struct Options {
    /// Whether Z3 is asked.
    pub z3: bool,
    /// Other solvers.
    pub seconds: Vec<Second>,
    /// What one question may cost, in seconds; for Z3 in the corresponding resource count.
    pub timeout: u32,
    /// Threads; 0 for as many as there are processors.
    pub jobs: usize,
    /// Receives the progress, in questions.
    pub progress: Progress,
}

/// What was found out about one text.
#[derive(Clone, Debug)]
struct Verdict {
    answers: Vec<Asked>,
    vacuous: bool,
}

/// Replays certificates.
pub fn replay(texts: Vec<Text>, options: &Options) -> Report {
    let mut numbers: FxHashMap<String, usize> = FxHashMap::default();
    let mut scripts: Vec<Script> = Vec::new();
    let read: Vec<(Text, Result<usize, String>)> = texts
        .into_iter()
        .map(|text| {
            let number = match &text.bytes {
                Err(reason) => Err(reason.clone()),
                Ok(bytes) => Script::read(bytes)
                    .map_err(|error| error.to_string())
                    .map(|script| {
                        *numbers.entry(script.whole()).or_insert_with(|| {
                            scripts.push(script);
                            scripts.len() - 1
                        })
                    }),
            };
            (text, number)
        })
        .collect();
    let verdicts = ask_all(&scripts, options);
    let files = read
        .into_iter()
        .map(|(text, number)| {
            let verdict = number
                .as_ref()
                .ok()
                .and_then(|&number| verdicts[number].clone());
            let (answers, vacuous) = match verdict {
                Some(verdict) => (verdict.answers, verdict.vacuous),
                None => (Vec::new(), false),
            };
            Replayed {
                file: text.name,
                about: text.about,
                unreadable: number.err(),
                answers,
                vacuous,
            }
        })
        .collect();
    let z3 = options.z3.then(|| (Solver::Z3, "built in".to_string()));
    let seconds = options
        .seconds
        .iter()
        .map(|one| (one.solver, one.to_string()));
    Report {
        solvers: z3.into_iter().chain(seconds).collect(),
        different: scripts.len(),
        files,
    }
}

/// The verdict on each script, in order.
fn ask_all(scripts: &[Script], options: &Options) -> Vec<Option<Verdict>> {
    let processors = thread::available_parallelism().map_or(1, usize::from);
    let jobs = match options.jobs {
        0 => processors,
        jobs => jobs,
    };
    let jobs = jobs.min(scripts.len()).min(MAX_JOBS);
    options.progress.expect(scripts.len());
    let next = AtomicUsize::new(0);
    let verdicts = Mutex::new(vec![None; scripts.len()]);
    let work = || {
        let mut worker = Worker::new(options);
        while let Some((number, script)) = {
            let number = next.fetch_add(1, Ordering::Relaxed);
            scripts.get(number).map(|script| (number, script))
        } {
            let verdict = worker.ask(script);
            options.progress.done(1);
            if let Ok(mut verdicts) = verdicts.lock() {
                verdicts[number] = Some(verdict);
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..jobs {
            scope.spawn(work);
        }
    });
    verdicts.into_inner().unwrap_or_default()
}

/// One thread's solvers.
struct Worker {
    z3_limit: Option<u32>,
    others: Vec<Process>,
    /// Hypotheses that were asked about: many claims share them.
    contradictory: FxHashMap<String, bool>,
}

impl Worker {
    fn new(options: &Options) -> Self {
        let limit = Duration::from_secs(options.timeout.into());
        Worker {
            z3_limit: options
                .z3
                .then(|| options.timeout.saturating_mul(RLIMIT_PER_SECOND)),
            others: options
                .seconds
                .iter()
                .map(|second| Process::new(second.clone(), limit))
                .collect(),
            contradictory: FxHashMap::default(),
        }
    }

    fn ask(&mut self, script: &Script) -> Verdict {
        let mut answers = Vec::new();
        let whole = script.whole();
        let mut timed = |solver, decide: &mut dyn FnMut() -> Answer| {
            let start = Instant::now();
            let answer = decide();
            answers.push(Asked {
                solver,
                answer,
                milliseconds: start.elapsed().as_secs_f64() * 1000.0,
            });
        };
        let all = script.assertions + script.definitions;
        if let Some(limit) = self.z3_limit {
            timed(Solver::Z3, &mut || z3(&whole, all + 1, limit));
        }
        for other in &mut self.others {
            timed(other.solver(), &mut || other.decide(&whole));
        }
        Verdict {
            answers,
            vacuous: self.vacuous(script),
        }
    }

    /// Whether the hypotheses contradict each other.
    fn vacuous(&mut self, script: &Script) -> bool {
        if script.assertions == 0 {
            return false;
        }
        if let Some(&known) = self.contradictory.get(&script.hypotheses) {
            return known;
        }
        let answer = match (self.z3_limit, self.others.first_mut()) {
            (Some(limit), _) => {
                let all = script.assertions + script.definitions;
                z3(&script.hypotheses, all, limit)
            }
            (None, Some(other)) => other.decide(&script.hypotheses),
            (None, None) => return false,
        };
        let found = answer == Answer::Unsat;
        self.contradictory.insert(script.hypotheses.clone(), found);
        found
    }
}

fn z3(text: &str, assertions: usize, limit: u32) -> Answer {
    match decide_text(text, assertions, limit) {
        Decision::Unsatisfiable => Answer::Unsat,
        Decision::Satisfiable => Answer::Sat,
        Decision::Unknown(reason) => Answer::Unknown(reason),
        Decision::Rejected => Answer::Unreadable("Z3 does not accept it".into()),
    }
}
