//! Rewritten kernels beside their originals, under the executor: with the launches in the comments `// launch:` of PTX or
//! `; launch:` of LLVM IR, or where none of them fits with some that are made up.

use ptxasw::executor::launch::{Fill, LaunchSpec, parse_line};
use ptxasw::executor::{self, Launch, Schedule, find_races, run_with};
use ptxasw::verify::{Kernel, Module, NamedLaunch, Options, Verdict, verify, verify_kernel};

/// Launches of a text that are tried, at most.
const MOST_LAUNCHES: usize = 3;
/// Threads of a launch, at most.
const MOST_THREADS: u64 = 2048;
/// Bytes of the buffers of a launch, at most.
const MOST_BYTES: u64 = 1 << 20;
/// Warp instructions of a run of the original, at most.
const STEPS: u64 = 1 << 14;
/// Warp instructions of all made-up launches of a module, roughly.
const MADE_STEPS: u64 = 1 << 16;
/// All runs are under these.
const SCHEDULES: [Schedule; 3] = [
    Schedule::Lockstep,
    Schedule::Independent { seed: 1 },
    Schedule::Independent { seed: 2 },
];

/// Words of a kernel whose lanes may wait for others by asking again and again, or ask who is there: whether it comes to its
/// end may be a matter of luck already, of which a few schedules tell too little.
const ASKING: [&str; 7] = [
    "volatile",
    "relaxed",
    "acquire",
    "atom",
    "mmio",
    "activemask",
    "elect",
];

/// What the rewritten PTX does otherwise than the original, if anything; `comments` is the text with the launches. What can't be
/// read or run says nothing, and no more does a launch in which the original has a data race.
pub fn difference(comments: &[u8], text: &[u8], rewritten: &[u8]) -> Option<String> {
    let original = Module::read(text).ok()?;
    let module = Module::read(rewritten).expect("what was written is PTX");
    let shown = String::from_utf8_lossy(text);
    let asks = ASKING.iter().any(|word| shown.contains(word));
    let mut tried = false;
    for spec in launches(comments).take(MOST_LAUNCHES) {
        let Some((before, launch)) = fitting(&original, &spec) else {
            continue;
        };
        let after = module.kernel(&before.function.name).expect("it is there");
        let options = Options {
            launches: vec![NamedLaunch {
                name: format!("{spec:?}"),
                kernel: None,
                launch: launch.clone(),
            }],
            ..options()
        };
        tried = true;
        let report = verify_kernel(before, after, &options);
        if is_wrong(&report.verdict, asks) && !races(before, &launch) {
            return Some(format!("{:?}", report.verdict));
        }
    }
    if tried {
        return None;
    }
    let reports = verify(&original, &module, &options()).expect("parameters stay");
    let wrong = reports
        .into_iter()
        .find(|report| is_wrong(&report.verdict, asks));
    wrong.map(|report| format!("{}: {:?}", report.kernel, report.verdict))
}

fn options() -> Options {
    Options {
        schedules: SCHEDULES.to_vec(),
        steps: MADE_STEPS,
        jobs: 1,
        ..Options::default()
    }
}

fn is_wrong(verdict: &Verdict, asks: bool) -> bool {
    match verdict {
        Verdict::Different(_) => true,
        Verdict::UndefinedBehaviour(new) => {
            !(asks && matches!(new.error.fault, executor::Fault::StepLimit(_)))
        }
        _ => false,
    }
}

/// The launches of a text that are not too large.
fn launches(text: &[u8]) -> impl Iterator<Item = LaunchSpec> + '_ {
    let lines = text.split(|&byte| byte == b'\n');
    let lines = lines.filter_map(|line| {
        let line = str::from_utf8(line).ok()?;
        line.strip_prefix("// launch:")
            .or_else(|| line.strip_prefix("; launch:"))
    });
    let specs = lines.filter_map(|line| parse_line(line).ok());
    specs.filter(|spec| {
        let sizes = spec.grid.iter().chain(&spec.block).map(|&n| u64::from(n));
        let threads = sizes.fold(1, u64::saturating_mul);
        let files = |fill: &Fill| matches!(fill, Fill::File { .. });
        threads <= MOST_THREADS
            && spec.buffer_bytes() <= MOST_BYTES
            && !spec.buffers.iter().any(|buffer| files(&buffer.fill))
    })
}

/// The kernel of a launch, where it comes to its end under a schedule, and soon under all.
fn fitting<'a>(module: &'a Module, spec: &LaunchSpec) -> Option<(Kernel<'a>, Launch)> {
    let function = spec.function(&module.form).ok()?;
    spec.check(function).ok()?;
    let kernel = module.kernel(&function.name)?;
    let launch = spec.instantiate().ok()?;
    let ends = |schedule| {
        let limits = executor::Options {
            step_limit: STEPS,
            ..executor::Options::default()
        };
        run_with(&module.form, function, &launch, schedule, limits)
    };
    let runs = SCHEDULES.map(ends);
    let long = |run: &Result<_, executor::ExecutionError>| matches!(run, Err(error) if matches!(error.fault, executor::Fault::StepLimit(_)));
    (runs.iter().any(Result::is_ok) && !runs.iter().any(long)).then_some((kernel, launch))
}

/// Whether a data race of the original is seen.
fn races(kernel: Kernel, launch: &Launch) -> bool {
    SCHEDULES.into_iter().any(|schedule| {
        let limits = executor::Options::default();
        let (module, function) = (kernel.module, kernel.function);
        let (_, races) = find_races(module, function, launch, schedule, limits);
        races.harmful().next().is_some()
    })
}
