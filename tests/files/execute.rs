//! Original and rewritten kernels under the executor.

use ptxasw::ptx;
use ptxasw::ptx::decode::{self, form};
use ptxasw::verify::{self, Kernel};
use ptxasw::warp::launch::LaunchSpec;
use ptxasw::warp::{self, Fault, Schedule};

use crate::case::Case;
use crate::rewrite::{SMALL, rewritings};

/// Lockstep first; then adversaries.
const SCHEDULES: [Schedule; 5] = [
    Schedule::Lockstep,
    Schedule::Independent { seed: 1 },
    Schedule::Independent { seed: 2 },
    Schedule::Independent { seed: 3 },
    Schedule::Independent { seed: 4 },
];

/// How many of them large kernels run under.
const SCHEDULES_OF_LARGE: usize = 2;

/// Kernels with variables that have initial values, which the executor refuses.
const REFUSED: [&str; 1] = ["wild/taps17"];

/// Every launch runs, and every rewriting leaves the same memory behind, on every schedule.
pub fn equal(case: &Case) -> Result<(), String> {
    let original = decode(case.text.as_bytes())?;
    let rewritings = rewritings(case.text.as_bytes())?;
    let schedules = match case.text.len() > SMALL {
        true => &SCHEDULES[..SCHEDULES_OF_LARGE],
        false => &SCHEDULES[..],
    };
    for line in &case.launches {
        let launch = line.instantiate().map_err(|error| error.to_string())?;
        let before = kernel(&original, line)?;
        let result = warp::run(before.module, before.function, &launch, SCHEDULES[0]);
        if REFUSED.contains(&case.name.as_str()) {
            return match result {
                Err(error) if matches!(error.fault, Fault::NotSupported(_)) => Ok(()),
                _ => Err("this can be executed by now".into()),
            };
        }
        result.map_err(|error| format!("the original: {error}"))?;
        for rewritten in &rewritings {
            let place = |error: String| format!("{:?} of {line:?}: {error}", rewritten.wrapping);
            let module = decode(&rewritten.text).map_err(place)?;
            let after = kernel(&module, line)?;
            let result = verify::compare(before, after, std::slice::from_ref(&launch), schedules)
                .map_err(|error| place(error.to_string()))?;
            if let Some(difference) = result.difference {
                return Err(place(format!("{difference:?}")));
            }
            if let Some(skipped) = result.skipped.first() {
                return Err(place(format!("the original: {}", skipped.error)));
            }
        }
    }
    Ok(())
}

fn decode(text: &[u8]) -> Result<form::Module, String> {
    let module = ptx::parse(text).map_err(|error| error.to_string())?;
    decode::decode(&module).map_err(|errors| errors.to_string())
}

fn kernel<'a>(module: &'a form::Module, line: &LaunchSpec) -> Result<Kernel<'a>, String> {
    let function = line.function(module).map_err(|error| error.to_string())?;
    Ok(Kernel { module, function })
}
