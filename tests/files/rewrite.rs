//! What holds for every rewritten module.

use ptxasw::shuffle::plan::Wrapping;
use ptxasw::shuffle::profit::Profit;
use ptxasw::shuffle::synthesis;
use ptxasw::toolchain::Arch;
use ptxasw::{Options, optimize};

use crate::case::Case;
use crate::checks;
use crate::compare::{Rewritten, SMALL};
use crate::tools::Tools;

/// The rule's own choice, and every wrapping by name.
const WRAPPINGS: [Option<Wrapping>; 9] = [
    None,
    Some(Wrapping::Row),
    Some(Wrapping::AnyRow),
    Some(Wrapping::WholeRows),
    Some(Wrapping::Contiguous),
    Some(Wrapping::Full),
    Some(Wrapping::Paper),
    Some(Wrapping::Early),
    Some(Wrapping::Halo),
];
/// Those under which large modules are executed: the ones that differ most in which lanes are corners.
const EXECUTED_OF_LARGE: [Option<Wrapping>; 3] =
    [None, Some(Wrapping::Row), Some(Wrapping::Contiguous)];
/// Architectures that rewritten modules are assembled for besides their own.
const LATER: [Arch; 3] = [Arch::new(80), Arch::new(90), Arch::new(100)];
fn rewrite(text: &[u8], options: &Options) -> Result<Vec<u8>, String> {
    let output = optimize(text, options).map_err(|error| error.to_string())?;
    Ok(output.text)
}

fn options(case: &Case, wrapping: Option<Wrapping>, jobs: usize) -> Options {
    Options {
        synthesis: synthesis::Options {
            wrapping,
            ..case.synthesis()
        },
        jobs,
        ..Default::default()
    }
}

/// All different texts that the wrappings make of a module; see [`SMALL`].
pub fn rewritings(case: &Case) -> Result<Vec<Rewritten>, String> {
    match case.text.len() <= SMALL {
        true => by_wrappings(case, &WRAPPINGS),
        false => by_wrappings(case, &[None]),
    }
}

/// The different texts that are executed.
pub fn executed(case: &Case) -> Result<Vec<Rewritten>, String> {
    match case.text.len() <= SMALL {
        true => by_wrappings(case, &WRAPPINGS),
        false => by_wrappings(case, &EXECUTED_OF_LARGE),
    }
}

/// The different texts that are executed with launches that are made up.
pub fn by_itself(case: &Case) -> Result<Vec<Rewritten>, String> {
    by_wrappings(case, &[None, Some(Wrapping::Contiguous)])
}

fn by_wrappings(case: &Case, wrappings: &[Option<Wrapping>]) -> Result<Vec<Rewritten>, String> {
    let text = case.text.as_bytes();
    let mut found: Vec<Rewritten> = Vec::new();
    for &wrapping in wrappings {
        let rewritten = rewrite(text, &options(case, wrapping, 1))?;
        if rewritten != text && found.iter().all(|other| other.text != rewritten) {
            found.push(Rewritten {
                wrapping,
                text: rewritten,
            });
        }
    }
    Ok(found)
}

/// No plan, no byte changed; the same bytes every time and on any number of threads; nothing is left to do in the output.
pub fn stable(case: &Case) -> Result<(), String> {
    let text = case.text.as_bytes();
    let none = Options {
        synthesis: synthesis::Options {
            max_shuffles: 0,
            ..case.synthesis()
        },
        ..Default::default()
    };
    if rewrite(text, &none)? != text {
        return Err("without a shuffle the module is changed".into());
    }
    let first = rewrite(text, &options(case, None, 1))?;
    for jobs in [1, 8] {
        if rewrite(text, &options(case, None, jobs))? != first {
            return Err(format!("other bytes on {jobs} threads"));
        }
    }
    let bounded = Options {
        synthesis: synthesis::Options {
            profit: Profit::Auto,
            ..case.synthesis()
        },
        ..Default::default()
    };
    let once = rewrite(text, &bounded)?;
    if rewrite(&once, &bounded)? != once {
        return Err("what was declined is emitted the second time".into());
    }
    for rewritten in rewritings(case)? {
        let again = optimize(&rewritten.text, &options(case, rewritten.wrapping, 1))
            .map_err(|error| format!("{:?}: {error}", rewritten.wrapping))?;
        if again.text != rewritten.text {
            return Err(format!(
                "{:?}: the output's {} shuffles are not all",
                rewritten.wrapping,
                again.shuffles()
            ));
        }
        // Where its names don't tell: the original of a copy may still find a value of the thread's own.
        let text = String::from_utf8_lossy(&rewritten.text);
        let mut lines = text.lines();
        let copies = lines.any(|line| line.trim_start().starts_with("$ptxasw"));
        let unnamed = text.replace("ptxasw", "before");
        let again = optimize(unnamed.as_bytes(), &options(case, rewritten.wrapping, 1))
            .map_err(|error| format!("{:?}: {error}", rewritten.wrapping))?;
        let mut all = again
            .kernels
            .iter()
            .flat_map(|kernel| &kernel.plan.shuffles);
        if !all.all(|shuffle| shuffle.lanes.is_own() && copies) {
            return Err(format!(
                "{:?}: the output has more shuffles",
                rewritten.wrapping
            ));
        }
    }
    Ok(())
}

/// The real assembler accepts what the wrappings make of the module.
pub fn assembles(tools: &Tools, case: &Case) -> Result<(), String> {
    let own = checks::target(case.text.as_bytes())?;
    for (index, rewritten) in rewritings(case)?.iter().enumerate() {
        let place = |error| format!("{:?} {error}", rewritten.wrapping);
        checks::assembles_for(tools, &rewritten.text, own).map_err(place)?;
        let later = LATER
            .into_iter()
            .filter(|&arch| own.runs_on(arch) && arch != own);
        for arch in later.filter(|_| index == 0) {
            checks::assembles_for(tools, &rewritten.text, arch).map_err(place)?;
        }
    }
    Ok(())
}
