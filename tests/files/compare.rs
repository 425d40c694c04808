//! Rewritings of a module beside the original, under the executor.

use ptxasw::executor::launch::LaunchSpec;
use ptxasw::executor::{self, Fault, Launch, Outcome, Schedule};
use ptxasw::passes::shuffle::plan::Wrapping;
use ptxasw::verify::{self, Kernel, Module, NamedLaunch, Reason, Verdict};

use crate::files::case::Case;

/// Modules up to this size are rewritten by every scheme where all are tried, larger ones by two: the tests take minutes.
pub const SMALL: usize = 8 << 10;

/// A module under one wrapping.
pub struct Rewritten {
    /// The first of the wrappings that give this text.
    pub wrapping: Option<Wrapping>,
    /// The text.
    pub text: Vec<u8>,
}

/// Warp instructions that made-up launches of one rewriting take, in a soak test and usually.
const STEPS: [u64; 2] = [1 << 19, 1 << 16];

/// Adversaries of the first launch of a small kernel in a soak test. All other launches have one, each another.
const ADVERSARIES: u64 = 4;

/// Of so many rewritings of a large kernel one has an adversary in each launch, unless it is a soak test.
const SPREAD: usize = 3;

/// Warp instructions after which a kernel that only independent lanes get through is taken to spin for ever in lockstep.
const SPINS: u64 = 1 << 16;

/// Whether everything is tried with everything, which takes many times as long (`make soak`).
pub fn soak() -> bool {
    std::env::var_os("PTXASW_SOAK").is_some()
}

/// Lockstep and adversaries, for launch number `index` of the rewriting of that number. What a soak test tries with each
/// rewriting is spread over them otherwise.
fn schedules(case: &Case, index: usize, rewriting: usize) -> Vec<Schedule> {
    let small = case.text.len() <= SMALL || case.lockstep_deadlocks;
    let first = index as u64 + 1;
    let seeds = match (small, index, soak()) {
        (true, 0, true) => first..first + ADVERSARIES,
        (true, 0, false) => {
            let seed = first + rewriting as u64 % ADVERSARIES;
            seed..seed + 1
        }
        (false, _, false) if rewriting % SPREAD != index % SPREAD => first..first,
        _ => first..first + 1,
    };
    let mut schedules: Vec<Schedule> = seeds.map(|seed| Schedule::Independent { seed }).collect();
    if !case.lockstep_deadlocks {
        schedules.insert(0, Schedule::Lockstep);
    }
    schedules
}

/// Every launch of a case runs, and every rewriting leaves memory as the original does, on every schedule.
pub fn all_equal(case: &Case, original: &[u8], rewritings: &[Rewritten]) -> Result<(), String> {
    let original = Module::read(original).map_err(|error| error.to_string())?;
    for (index, line) in case.launches.iter().enumerate() {
        let launch = line.instantiate().map_err(|error| error.to_string())?;
        let before = kernel(&original, line)?;
        if case.lockstep_deadlocks {
            deadlocks(before, &launch)?;
        } else if rewritings.is_empty() {
            let options = executor::Options::default();
            let schedule = Schedule::Lockstep;
            executor::run_with(before.module, before.function, &launch, schedule, options)
                .map_err(|error| format!("{line:?}: {error}"))?;
        }
        let mut originals = Originals {
            kernel: before,
            launch: &launch,
            outcomes: Vec::new(),
        };
        for (number, rewritten) in rewritings.iter().enumerate() {
            let schedules = schedules(case, index, number);
            let place = |error: String| format!("{:?} of {line:?}: {error}", rewritten.wrapping);
            let module = Module::read(&rewritten.text).map_err(|error| place(error.to_string()))?;
            let after = kernel(&module, line).map_err(place)?;
            if !schedules.iter().all(|&one| originals.agree(after, one)) {
                explained(before, after, &launch, schedules).map_err(place)?;
            }
        }
    }
    Ok(())
}

/// The memory that the original leaves in one launch, found once for all rewritings.
struct Originals<'a> {
    kernel: Kernel<'a>,
    launch: &'a Launch,
    outcomes: Vec<(Schedule, Option<Outcome>)>,
}

impl Originals<'_> {
    /// Both kernels come to their end under a schedule and leave the same memory.
    fn agree(&mut self, rewritten: Kernel, schedule: Schedule) -> bool {
        if self.outcomes.iter().all(|(known, _)| *known != schedule) {
            let outcome = outcome(self.kernel, self.launch, schedule, None);
            self.outcomes.push((schedule, outcome));
        }
        let mut known = self.outcomes.iter().filter(|(known, _)| *known == schedule);
        let Some(before) = known.find_map(|(_, outcome)| outcome.as_ref()) else {
            return false;
        };
        // As `verify` has it: what takes far longer does not end.
        let limit = before.counters.instructions * 32 + SPINS;
        outcome(rewritten, self.launch, schedule, Some(limit)).is_some_and(|after| {
            let buffers = before.buffers.iter().zip(&after.buffers);
            let variables = after.variables.iter().filter_map(|after| {
                let mut all = before.variables.iter();
                let before = all.find(|before| before.name == after.name)?;
                Some((&before.memory, &after.memory))
            });
            let mut pairs = buffers.chain(variables);
            pairs.all(|(a, b)| a.bytes == b.bytes && a.undefined == b.undefined)
        })
    }
}

fn outcome(
    kernel: Kernel,
    launch: &Launch,
    schedule: Schedule,
    limit: Option<u64>,
) -> Option<Outcome> {
    let usual = executor::Options::default();
    let options = executor::Options {
        step_limit: limit.unwrap_or(usual.step_limit),
        ..usual
    };
    executor::run_with(kernel.module, kernel.function, launch, schedule, options).ok()
}

/// What `verify` says of two kernels whose memory is not the same to the byte.
fn explained(
    before: Kernel,
    after: Kernel,
    launch: &Launch,
    schedules: Vec<Schedule>,
) -> Result<(), String> {
    let options = verify::Options {
        launches: vec![NamedLaunch {
            name: "the launch of the file".to_owned(),
            kernel: None,
            launch: launch.clone(),
        }],
        schedules: schedules.clone(),
        jobs: 1,
        ..Default::default()
    };
    let report = verify::verify_kernel(before, after, &options);
    // A launch that stores nothing tests how lanes leave.
    let is_equal = matches!(
        report.verdict,
        Verdict::Equal | Verdict::CouldNotRun(Reason::NothingStored)
    );
    match is_equal && report.compared() == schedules.len() {
        true => Ok(()),
        false => Err(format!("{report:?}")),
    }
}

/// Lanes that take steps together do not get through a kernel.
fn deadlocks(kernel: Kernel, launch: &Launch) -> Result<(), String> {
    let options = executor::Options {
        step_limit: SPINS,
        ..Default::default()
    };
    let schedule = Schedule::Lockstep;
    match executor::run_with(kernel.module, kernel.function, launch, schedule, options) {
        Err(error) if is_deadlock(&error.fault) => Ok(()),
        Err(error) => Err(format!("the original: {error}")),
        Ok(_) => Err("lockstep gets through".into()),
    }
}

/// Under launches that are made up, of all shapes of blocks, no rewriting differs. What can't be run by itself says nothing.
pub fn all_equal_by_themselves(original: &[u8], rewritings: &[&Rewritten]) -> Result<(), String> {
    let original = Module::read(original).map_err(|error| error.to_string())?;
    let options = verify::Options {
        schedules: vec![Schedule::Lockstep, Schedule::Independent { seed: 1 }],
        steps: STEPS[usize::from(!soak())],
        jobs: 1,
        ..Default::default()
    };
    for rewritten in rewritings {
        let place = |error: String| format!("{:?}: {error}", rewritten.wrapping);
        let module = Module::read(&rewritten.text).map_err(|error| place(error.to_string()))?;
        let reports = verify::verify(&original, &module, &options)
            .map_err(|error| place(error.to_string()))?;
        for report in reports {
            if let Verdict::Different(_) | Verdict::UndefinedBehaviour(_) = report.verdict {
                return Err(place(format!("{:?}", report.verdict)));
            }
        }
    }
    Ok(())
}

fn kernel<'a>(module: &'a Module, line: &LaunchSpec) -> Result<Kernel<'a>, String> {
    let function = line
        .function(&module.form)
        .map_err(|error| error.to_string())?;
    module
        .kernel(&function.name)
        .ok_or_else(|| "the kernel has no body".to_owned())
}

fn is_deadlock(fault: &Fault) -> bool {
    matches!(
        fault,
        Fault::Deadlock { .. } | Fault::BarrierDeadlock(_) | Fault::StepLimit(_)
    )
}
