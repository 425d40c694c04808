//! A bound on the number of rewritings of a module, by which `ptxasw bisect` finds the one that makes a program fail.

use super::{Kernel, Options};
use crate::shuffle::profit::Profit;
use crate::shuffle::synthesis::{self, Outcome};
use rustc_hash::FxHashMap;
use std::fmt;
use std::num::ParseIntError;
use std::str::FromStr;
use xxhash_rust::xxh3::xxh3_64;

/// How many of a module's rewritings are carried out: the first ones, in the order of its text.
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

    /// What each kernel may keep, where without a limit `kernels` is what is found in the module.
    pub fn shares<'k>(&self, digest: u64, kernels: impl IntoIterator<Item = &'k Kernel>) -> Shares {
        let mut left = self.of_module(digest);
        let shares = kernels.into_iter().map(|kernel| {
            let shuffles = &kernel.plan.shuffles;
            let kept = shuffles.len().min(left);
            left -= kept;
            let share = Share {
                kept: kept as u32,
                own_only: shuffles.iter().all(|one| one.lanes.is_own()),
            };
            (kernel.name.clone(), share)
        });
        Shares(shares.collect())
    }
}

/// What is carried out in one kernel.
#[derive(Clone, Copy, Debug)]
struct Share {
    kept: u32,
    /// Without a limit only values of the thread's own are reused: the others do not pay.
    own_only: bool,
}

/// What is carried out in each kernel of a module.
#[derive(Clone, Debug)]
pub struct Shares(FxHashMap<Box<str>, Share>);

impl Shares {
    /// The options for one kernel.
    pub(super) fn options(&self, kernel: &str, all: &Options) -> Options {
        let share = self.0.get(kernel);
        let mut synthesis = synthesis::Options {
            keep: share.map_or(0, |share| share.kept),
            ..all.synthesis.clone()
        };
        // What pays as a whole is not asked of a part of it.
        if share.is_some_and(|share| !share.own_only) && synthesis.wrapping.is_none() {
            synthesis.profit = Profit::Always;
        }
        Options {
            synthesis,
            ..all.clone()
        }
    }
}

/// The statements that a plan changes, in the order in which limits count them.
pub fn rewritings(kernel: &Kernel) -> impl Iterator<Item = u32> {
    let mut covered: Vec<(u32, u32)> = (kernel.loads.iter())
        .filter_map(|load| match load.outcome {
            Outcome::Covered(number) if kernel.is_rewritten() => Some((number, load.origin)),
            _ => None,
        })
        .collect();
    covered.sort_unstable();
    covered.into_iter().map(|(_, statement)| statement)
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
