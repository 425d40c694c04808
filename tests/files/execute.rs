//! Original and rewritten kernels under the executor.

use ptxasw::verify::{self, Kernel, Module, NamedLaunch, Reason, Verdict};
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

/// Every launch runs, and every rewriting leaves the same memory behind, on every schedule.
pub fn equal(case: &Case) -> Result<(), String> {
    let original = Module::read(case.text.as_bytes()).map_err(|error| error.to_string())?;
    let rewritings = rewritings(case.text.as_bytes())?;
    let schedules = match case.text.len() > SMALL {
        true => &SCHEDULES[..SCHEDULES_OF_LARGE],
        false => &SCHEDULES[..],
    };
    for line in &case.launches {
        let launch = line.instantiate().map_err(|error| error.to_string())?;
        let before = kernel(&original, line)?;
        let result = warp::run(before.module, before.function, &launch, SCHEDULES[0]);
        match result {
            Err(error) if case.lockstep_deadlocks && is_deadlock(&error.fault) => {}
            Err(error) => return Err(format!("the original: {error}")),
            Ok(_) if case.lockstep_deadlocks => return Err("lockstep gets through".into()),
            Ok(_) => {}
        }
        let schedules = &schedules[usize::from(case.lockstep_deadlocks)..];
        for rewritten in &rewritings {
            let place = |error: String| format!("{:?} of {line:?}: {error}", rewritten.wrapping);
            let module = Module::read(&rewritten.text).map_err(|error| place(error.to_string()))?;
            let after = kernel(&module, line).map_err(place)?;
            let options = verify::Options {
                launches: vec![NamedLaunch {
                    name: "the launch of the file".to_owned(),
                    kernel: None,
                    launch: launch.clone(),
                }],
                schedules: schedules.to_vec(),
                jobs: 1,
                ..Default::default()
            };
            let report = verify::verify_kernel(before, after, &options);
            // A launch that stores nothing tests how lanes leave.
            if !matches!(
                report.verdict,
                Verdict::Equal | Verdict::CouldNotRun(Reason::NothingStored)
            ) || report.compared() != schedules.len()
            {
                return Err(place(format!("{report:?}")));
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
    matches!(fault, Fault::Deadlock { .. } | Fault::BarrierDeadlock(_))
}
