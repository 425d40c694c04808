//! A bound on the number of rewritings of a module, by which `ptxasw bisect` finds the one that makes a program fail.

use super::ssa::{self, Report};
use super::{FrontEnd, InputFunction, Kernel, Options};
use crate::ir::function::Function;
use crate::passes::Entry;
use crate::passes::shuffle::profit::Profit;
use crate::passes::shuffle::synthesis::{self, Outcome};
use rustc_hash::{FxHashMap, FxHashSet};
use std::borrow::Cow;
use std::fmt;
use std::num::ParseIntError;
use std::str::FromStr;
use std::sync::Arc;
use xxhash_rust::xxh3::xxh3_64;

/// How many of a module's rewritings are carried out: the first ones, by function in the order of the text, by pass, by access. What
/// rests on one that is left out is left out, too: every limit gives a module that is right.
///
/// The rewritings of a whole build are in one order, too: modules by their digests, each with its own rewritings. `DIGEST:N`
/// allows all of modules before that one, N of that one, and none after it. Builds on several threads keep that order.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Limit {
    /// The module where the bound falls; none for the same bound in every module.
    pub module: Option<u64>,
    /// Rewritings.
    pub count: usize,
}

/// What a limit looks like.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("expected a number of rewritings, such as `7`, not `{0}`")]
pub struct BadLimit(String);

impl FromStr for Limit {
    type Err = BadLimit;

    fn from_str(text: &str) -> Result<Self, BadLimit> {
        let read = || -> Result<Self, ParseIntError> {
            Ok(match text.split_once(':') {
                Some((module, count)) => Limit {
                    module: Some(u64::from_str_radix(module, 16)?),
                    count: count.parse()?,
                },
                None => Limit {
                    module: None,
                    count: text.parse()?,
                },
            })
        };
        read().map_err(|_| BadLimit(text.to_string()))
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.module {
            Some(module) => write!(f, "{module:016x}:{}", self.count),
            None => write!(f, "{}", self.count),
        }
    }
}

/// The digest by which limits and records name a module.
pub fn digest(text: &[u8]) -> u64 {
    xxh3_64(text)
}

impl Limit {
    /// Rewritings of a module that are carried out.
    fn of_module(&self, digest: u64) -> usize {
        match self.module {
            Some(bound) if digest < bound => usize::MAX,
            Some(bound) if digest > bound => 0,
            _ => self.count,
        }
    }

    /// What is carried out of the rewritings of a module of this text, which are these without a limit.
    pub fn shares(&self, text: &[u8], found: Found) -> Shares {
        let mut left = self.of_module(digest(text));
        let mut shares = FxHashMap::default();
        let actions = found.actions();
        for of_function in actions.chunk_by(|one, next| one.function == next.function) {
            let name = of_function[0].function;
            let share = match of_function.get(..left) {
                Some(first) if first.len() < of_function.len() => {
                    Share::Part(Part::new(first, found.kernels))
                }
                _ => Share::All,
            };
            left = left.saturating_sub(of_function.len());
            shares.insert(name.into(), share);
        }
        Shares(shares)
    }
}

/// A rewriting, as limits count them: a place that a pass changes, or a load that becomes a shuffle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Action<'a> {
    /// The function.
    pub function: &'a str,
    /// The pass.
    pub pass: &'static str,
    /// The statement in the input; none if the input does not have it.
    pub at: Option<u32>,
}

/// What is done to a module.
#[derive(Clone, Copy)]
pub struct Found<'a> {
    /// The functions of the input, in the order of the text.
    pub input: &'a [InputFunction],
    /// By the passes over the SSA IR, before anything goes back.
    pub passes: &'a [Report],
    /// By the shuffles, before anything goes back.
    pub kernels: &'a [Kernel],
}

impl<'a> Found<'a> {
    /// All rewritings in the order in which limits count: by function in the text, by pass, by access.
    pub fn actions(self) -> Vec<Action<'a>> {
        let mut passes: FxHashMap<&str, Vec<&Report>> = FxHashMap::default();
        for report in self.passes {
            passes.entry(&report.function).or_default().push(report);
        }
        let kernels = self.kernels.iter().map(|kernel| (&*kernel.name, kernel));
        let kernels: FxHashMap<&str, &Kernel> = kernels.collect();
        let mut actions = Vec::new();
        for function in self.input.iter().map(|function| &*function.name) {
            for report in passes.get(function).into_iter().flatten() {
                let done = report.remarks.iter().filter(|one| one.fate.is_done());
                let mut places: Vec<u32> = done.map(|one| one.site.at).collect();
                places.sort_unstable();
                places.dedup();
                actions.extend(places.into_iter().map(|at| Action {
                    function,
                    pass: report.pass,
                    at: Some(at),
                }));
            }
            let shuffles = kernels.get(function).map(|kernel| covered(kernel));
            actions.extend(shuffles.into_iter().flatten().map(|at| Action {
                function,
                pass: Entry::Shuffle.name(),
                at,
            }));
        }
        actions
    }
}

/// Where the loads are that a plan makes shuffles of, in the order of its shuffles.
fn covered(kernel: &Kernel) -> Vec<Option<u32>> {
    let loads = kernel.loads.iter().zip(&kernel.places);
    let covered = loads.filter_map(|(load, place)| match load.outcome {
        Outcome::Covered(number) if kernel.is_rewritten() => Some((number, place.map(|one| one.0))),
        _ => None,
    });
    let mut covered: Vec<(u32, Option<u32>)> = covered.collect();
    covered.sort_unstable();
    covered.into_iter().map(|(_, place)| place).collect()
}

/// What is carried out in one function.
#[derive(Clone, Debug)]
enum Share {
    All,
    Part(Part),
}

/// The first rewritings of a function.
#[derive(Clone, Debug, Default)]
struct Part {
    /// Places that passes may change.
    places: FxHashMap<&'static str, FxHashSet<u32>>,
    /// Loads that become shuffles.
    shuffles: u32,
    /// Without a limit only values of the thread's own are reused: the others do not pay.
    own_only: bool,
}

impl Part {
    fn new(actions: &[Action], kernels: &[Kernel]) -> Self {
        let mut part = Part::default();
        for action in actions {
            match action.at {
                _ if action.pass == Entry::Shuffle.name() => part.shuffles += 1,
                Some(at) => _ = part.places.entry(action.pass).or_default().insert(at),
                None => {}
            }
        }
        let name = actions.first().map(|action| action.function);
        let kernel = name.and_then(|name| kernels.iter().find(|one| *one.name == *name));
        let mut shuffles = kernel.iter().flat_map(|kernel| &kernel.plan.shuffles);
        part.own_only = shuffles.all(|one| one.lanes.is_own());
        part
    }
}

/// What is carried out in each function of a module; nothing in those that are not named.
#[derive(Clone, Debug, Default)]
pub struct Shares(FxHashMap<Box<str>, Share>);

impl Shares {
    /// The places of the input that a pass may change in a function; none if it may change all of it.
    pub fn places(&self, function: &str, pass: &str) -> Option<Cow<'_, FxHashSet<u32>>> {
        let none = || Some(Cow::Owned(FxHashSet::default()));
        match self.0.get(function) {
            Some(Share::All) => None,
            Some(Share::Part(part)) => part.places.get(pass).map(Cow::Borrowed).or_else(none),
            None => none(),
        }
    }

    /// The options for the shuffles of one function.
    pub(super) fn options(&self, kernel: &str, all: &Options) -> Options {
        let none = Part::default();
        let part = match self.0.get(kernel) {
            Some(Share::All) => return all.clone(),
            Some(Share::Part(part)) => part,
            None => &none,
        };
        let mut synthesis = synthesis::Options {
            keep: part.shuffles,
            ..all.synthesis.clone()
        };
        // What pays as a whole is not asked of a part of it.
        if !part.own_only && synthesis.wrapping.is_none() {
            synthesis.profit = Profit::Always;
        }
        Options {
            synthesis,
            ..all.clone()
        }
    }
}

/// The options under which a module as it came is rewritten: these, with what it records about earlier runs, and with what a limit
/// leaves.
///
/// # Errors
/// A body does not make sense.
pub fn settled<M: FrontEnd>(module: &M, options: &Options) -> Result<Options, M::Error> {
    let options = module.marked(options).into_owned();
    Ok(match options.counting() {
        Some((limit, all)) => {
            let shares = found(module, &all, |found| limit.shares(module.text(), found))?;
            options.with_shares(shares)
        }
        None => options,
    })
}

/// What is done to a module as it came under these options, if nothing goes back.
///
/// # Errors
/// A body does not make sense.
pub fn found<M: FrontEnd, R>(
    module: &M,
    options: &Options,
    use_it: impl FnOnce(Found) -> R,
) -> Result<R, M::Error> {
    let passed = ssa::run_in(module.as_it_came(options.jobs)?, options)?;
    let kernels = super::analyze(&passed.module, options)?;
    Ok(use_it(Found {
        input: &passed.accesses(options),
        passes: &passed.reports,
        kernels: &kernels,
    }))
}

/// The statements of a function that come from these places of the input. `origin` is where a statement comes from.
pub fn statements(
    function: &Function,
    places: &FxHashSet<u32>,
    origin: impl Fn(u32) -> Option<u32>,
) -> FxHashSet<u32> {
    let statements = function.insts.iter().map(|inst| inst.origin);
    let inside = |statement: &u32| origin(*statement).is_some_and(|at| places.contains(&at));
    statements.filter(inside).collect()
}

impl Options {
    /// The limit, and the options of which it counts the rewritings; none if all is carried out, or what is left is known.
    pub fn counting(&self) -> Option<(Limit, Options)> {
        let limit = self.limit.filter(|_| self.shares.is_none())?;
        let mut all = Options {
            limit: None,
            ..self.clone()
        };
        if let Some(counted) = &self.counted {
            let counted = Options::clone(counted);
            all.memory.tests_hold = counted.memory.tests_hold;
            (all.kernels, all.arithmetic) = (counted.kernels, counted.arithmetic);
            (all.passes, all.tuned) = (counted.passes, counted.tuned);
        }
        Some((limit, all))
    }

    /// These options with what a limit leaves of each function.
    pub fn with_shares(self, shares: Shares) -> Self {
        Options {
            shares: Some(Arc::new(shares)),
            ..self
        }
    }

    /// The places of the input that a pass may change in a function; none if it may change all of it.
    pub fn places(&self, function: &str, pass: &str) -> Option<Cow<'_, FxHashSet<u32>>> {
        self.shares.as_ref()?.places(function, pass)
    }

    /// Keeps what limits count, before something of it goes back: a prefix of the rewritings of a module must not depend on that.
    pub fn count_these(&mut self) {
        if self.counted.is_none() {
            self.counted = Some(Arc::new(self.clone()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_read_back() {
        for text in ["0", "7", "00000000000000ff:3"] {
            let limit: Limit = text.parse().unwrap();
            assert_eq!(limit.to_string(), text);
        }
        for wrong in ["", "-1", "x", "1:", ":1", "g:1", "1:2:3"] {
            assert!(wrong.parse::<Limit>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn modules_are_in_the_order_of_their_digests() {
        let limit: Limit = "10:3".parse().unwrap();
        let counts = [0xf, 0x10, 0x11].map(|digest| limit.of_module(digest));
        assert_eq!(counts, [usize::MAX, 3, 0]);
        let limit: Limit = "3".parse().unwrap();
        assert_eq!(limit.of_module(0x11), 3);
    }
}
