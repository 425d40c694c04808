//! What holds for every rewritten module.

use ptxasw::passes::memory::Loads;
use ptxasw::passes::shuffle::plan::Wrapping;
use ptxasw::passes::shuffle::profit::Profit;
use ptxasw::passes::shuffle::synthesis;
use ptxasw::pipeline::Marks;
use ptxasw::{Options, optimize, ptx};
use std::sync::OnceLock;

use crate::files::case::Case;
use crate::files::compare::{Rewritten, soak};

/// A case with what its schemes make of its module, which is found once for all checks.
pub struct Subject {
    /// The case.
    pub case: Case,
    rewritings: OnceLock<Result<Vec<Rewritten>, String>>,
}

impl Subject {
    /// Nothing is rewritten yet.
    pub fn new(case: Case) -> Self {
        Subject {
            case,
            rewritings: OnceLock::new(),
        }
    }

    /// The different texts that its schemes make of the module.
    pub fn rewritings(&self) -> Result<&[Rewritten], String> {
        let found = self.rewritings.get_or_init(|| by_schemes(&self.case));
        found.as_deref().map_err(Clone::clone)
    }
}

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
        ..Options::of_shuffles()
    }
}

fn by_schemes(case: &Case) -> Result<Vec<Rewritten>, String> {
    let text = case.text.as_bytes();
    let mut found: Vec<Rewritten> = Vec::new();
    for wrapping in case.schemes() {
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
pub fn stable(subject: &Subject) -> Result<(), String> {
    let case = &subject.case;
    let text = case.text.as_bytes();
    let none = Options {
        synthesis: synthesis::Options {
            max_shuffles: 0,
            ..case.synthesis()
        },
        ..Options::of_shuffles()
    };
    if rewrite(text, &none)? != text {
        return Err("without a shuffle the module is changed".into());
    }
    let rewritings = subject.rewritings()?;
    let first = rewritings.first().filter(|one| one.wrapping.is_none());
    let first = first.map_or(text, |one| &one.text);
    if rewrite(text, &options(case, None, 8))? != first {
        return Err("other bytes the second time, on 8 threads".into());
    }
    let bounded = Options {
        synthesis: synthesis::Options {
            profit: Profit::Auto,
            wrapping: Some(Wrapping::AnyRow),
            ..case.synthesis()
        },
        ..Options::of_shuffles()
    };
    let once = rewrite(text, &bounded)?;
    if rewrite(&once, &bounded)? != once {
        return Err("what was declined is emitted the second time".into());
    }
    for (number, rewritten) in rewritings.iter().enumerate() {
        let again = optimize(&rewritten.text, &options(case, rewritten.wrapping, 1))
            .map_err(|error| format!("{:?}: {error}", rewritten.wrapping))?;
        if again.text != rewritten.text {
            return Err(format!(
                "{:?}: the output's {} shuffles are not all",
                rewritten.wrapping,
                again.shuffles()
            ));
        }
        if number > 0 && !soak() {
            continue;
        }
        // Where its names do not show it: the original of a copy may still find a value of the thread's own.
        let text = String::from_utf8_lossy(&rewritten.text);
        let mut lines = text.lines();
        let copies = lines.any(|line| line.trim_start().starts_with("$ptxasw"));
        let unnamed = text.replace("ptxasw", "before");
        let again = optimize(unnamed.as_bytes(), &options(case, rewritten.wrapping, 1))
            .map_err(|error| format!("{:?}: {error}", rewritten.wrapping))?;
        let mut all = again.searches().flat_map(|one| &one.plan.shuffles);
        if !all.all(|shuffle| shuffle.lanes.is_own() && copies) {
            return Err(format!(
                "{:?}: the output has more shuffles",
                rewritten.wrapping
            ));
        }
    }
    Ok(())
}

/// What all passes made of a module stays as it is, by default and where they do all that is sound: with the marks of its functions,
/// and by new names alone.
pub fn once(subject: &Subject) -> Result<(), String> {
    let case = &subject.case;
    let text = case.text.as_bytes();
    for (profit, loads) in [
        (Profit::Auto, Loads::default()),
        (Profit::Always, Loads::Always),
    ] {
        let mut options = Options {
            synthesis: synthesis::Options {
                profit,
                ..case.synthesis()
            },
            jobs: 1,
            ..Options::default()
        };
        options.memory.loads = loads;
        let once = rewrite(text, &options)?;
        if once == text {
            continue;
        }
        let unmarked = without_marks(&once);
        let marked = marked(&once)?;
        if marked == 0 {
            return Err(format!("{loads:?}: no mark"));
        }
        if rewrite(&once, &options)? != once {
            return Err(format!("{loads:?}: the output is rewritten again"));
        }
        // Where nothing but a word of an instruction changed there is no new name.
        if marked == self::marked(&unmarked)? && rewrite(&unmarked, &options)? != unmarked {
            return Err(format!(
                "{loads:?}: the output without marks is rewritten again"
            ));
        }
    }
    Ok(())
}

/// How many functions are recognised.
fn marked(text: &[u8]) -> Result<usize, String> {
    let module = ptx::parse(text).map_err(|error| error.to_string())?;
    Ok(Marks::of(&module).len())
}

/// A text without the lines that mark functions.
fn without_marks(text: &[u8]) -> Vec<u8> {
    let lines = text.split_inclusive(|&byte| byte == b'\n');
    let kept = lines.filter(|line| !line.trim_ascii_start().starts_with(b"// ptxasw 1:"));
    kept.flatten().copied().collect()
}
