//! A bound on the number of rewritings of a module, by which `ptxasw bisect` finds the one that makes a program fail.

use super::ssa;
use super::{Decisions, FrontEnd, Options};
use ptxasw_ir::function::Function;
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
    pub fn shares(&self, text: &[u8], found: Decisions) -> Shares {
        let mut left = self.of_module(digest(text));
        let mut shares = FxHashMap::default();
        let actions = actions(found);
        for of_function in actions.chunk_by(|one, next| one.function == next.function) {
            let name = of_function[0].function;
            let share = match of_function.get(..left) {
                Some(first) if first.len() < of_function.len() => Share::Part(places(first)),
                _ => Share::All,
            };
            left = left.saturating_sub(of_function.len());
            shares.insert(name.into(), share);
        }
        Shares(shares)
    }
}

/// A rewriting, as limits count them: a place that a pass changes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Action<'a> {
    /// The function.
    pub function: &'a str,
    /// The pass.
    pub pass: &'static str,
    /// The statement in the input.
    pub at: u32,
}

/// All rewritings in the order in which limits count: by function in the text, by pass, by access. The reports are those before
/// anything goes back.
pub fn actions(found: Decisions<'_>) -> Vec<Action<'_>> {
    let mut actions = Vec::new();
    for (function, reports) in found.by_function() {
        for report in reports {
            let remarks = report.remarks.iter();
            let done = remarks.filter(|one| one.fate.is_done() && one.place.line > 0);
            let mut places: Vec<u32> = done.map(|one| one.place.at).collect();
            places.sort_unstable();
            places.dedup();
            actions.extend(places.into_iter().map(|at| Action {
                function: &function.name,
                pass: report.pass,
                at,
            }));
        }
    }
    actions
}

/// What is carried out in one function.
#[derive(Clone, Debug)]
enum Share {
    All,
    /// Places that each pass may change.
    Part(FxHashMap<&'static str, FxHashSet<u32>>),
}

/// The places of rewritings, by pass.
fn places(actions: &[Action]) -> FxHashMap<&'static str, FxHashSet<u32>> {
    let mut places: FxHashMap<_, FxHashSet<u32>> = FxHashMap::default();
    for action in actions {
        places.entry(action.pass).or_default().insert(action.at);
    }
    places
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
            Some(Share::Part(part)) => part.get(pass).map(Cow::Borrowed).or_else(none),
            None => none(),
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
    use_it: impl FnOnce(Decisions) -> R,
) -> Result<R, M::Error> {
    let mut passed = ssa::run_in(module.as_it_came(options.jobs)?, options)?;
    passed.run_across_lanes(options)?;
    Ok(use_it(Decisions {
        input: &passed.accesses(options),
        passes: &passed.reports,
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
