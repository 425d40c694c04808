//! Two kernels under the executor.

use ptxasw::executor::{Launch, Options, Outcome, Schedule, run_with};
use ptxasw::ptx;
use ptxasw::ptx::decode::decode;

/// Instructions of a run; kernels that need more are left out.
const STEPS: u64 = 1 << 20;

/// The schedules that both kernels run under.
const SCHEDULES: [Schedule; 4] = [
    Schedule::Lockstep,
    Schedule::Independent { seed: 1 },
    Schedule::Independent { seed: 2 },
    Schedule::Independent { seed: 3 },
];

/// What came out.
#[derive(Debug)]
pub enum Verdict {
    /// The original faults or its result depends on the schedule.
    Unfit,
    /// Nothing was rewritten.
    Untouched,
    /// So many shuffles or accesses that went, and equal results.
    Equal(usize),
    /// The rewritten kernel is wrong: why, and its text.
    Wrong(String, String),
}

/// Runs the first kernels of both texts under some launches; `count`: what was rewritten.
pub fn compare(launches: &[Launch], text: &str, after: &[u8], count: usize) -> Verdict {
    let after = String::from_utf8_lossy(after).into_owned();
    let mut compared = 0;
    for (number, launch) in launches.iter().enumerate() {
        let Some(before) = reference(text, launch) else {
            continue;
        };
        compared += 1;
        for schedule in SCHEDULES {
            let place = format!("launch {number}, {schedule:?}");
            match execute(&after, launch, schedule) {
                Err(error) => return Verdict::Wrong(format!("{place}: {error}"), after),
                Ok(outcome) => {
                    for (index, (a, b)) in before.buffers.iter().zip(&outcome.buffers).enumerate() {
                        if let Some(at) = a.bytes.iter().zip(&b.bytes).position(|(a, b)| a != b) {
                            let what = format!("{place}: buffer {index} differs at byte {at}");
                            return Verdict::Wrong(what, after);
                        }
                    }
                }
            }
        }
    }
    match compared {
        0 => Verdict::Unfit,
        _ => Verdict::Equal(count),
    }
}

/// The outcome of the original, if it is the same under all schedules.
fn reference(text: &str, launch: &Launch) -> Option<Outcome> {
    let [first, others @ ..] = SCHEDULES;
    let outcome = execute(text, launch, first).ok()?;
    for schedule in others {
        let other = execute(text, launch, schedule).ok()?;
        let mut pairs = outcome.buffers.iter().zip(&other.buffers);
        if pairs.any(|(a, b)| a.bytes != b.bytes) {
            return None;
        }
    }
    Some(outcome)
}

fn execute(text: &str, launch: &Launch, schedule: Schedule) -> Result<Outcome, String> {
    let tree = ptx::parse(text.as_bytes()).map_err(|error| error.to_string())?;
    let module = decode(&tree).map_err(|error| error.to_string())?;
    let function = module.functions.first().ok_or("no kernel")?;
    let options = Options {
        step_limit: STEPS,
        ..Options::default()
    };
    run_with(&module, function, launch, schedule, options).map_err(|error| error.to_string())
}
