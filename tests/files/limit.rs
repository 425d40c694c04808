//! Every prefix of the rewritings of a module is a module that is right.

use crate::files::compare::{Rewritten, all_equal_by_themselves, soak};
use crate::files::rewrite::Subject;
use ptxasw::passes::Passes;
use ptxasw::passes::memory::{Loads, MemoryOptions};
use ptxasw::passes::saturate::SaturationOptions;
use ptxasw::passes::shuffle::profit::Profit;
use ptxasw::passes::shuffle::synthesis;
use ptxasw::pipeline::Module;
use ptxasw::pipeline::limit::{self, Action, Limit};
use ptxasw::{Options, optimize};
use std::collections::BTreeSet;

/// Rewritings by all passes: none under the limit 0, all under one that allows all, and else not more than it allows, with results as
/// before.
pub fn prefixes(subject: &Subject) -> Result<(), String> {
    let text = subject.case.text.as_bytes();
    let all = Options {
        passes: "+scalar,division,saturate"
            .parse::<Passes>()
            .map_err(|error| error.to_string())?,
        memory: MemoryOptions {
            loads: Loads::Always,
            ..MemoryOptions::default()
        },
        synthesis: synthesis::Options {
            profit: Profit::Always,
            ..synthesis::Options::default()
        },
        saturation: SaturationOptions {
            exact: true,
            ..SaturationOptions::default()
        },
        raise_version: true,
        ..Options::default()
    };
    let count = actions(text, &all)?.len();
    let whole = optimize(text, &all).map_err(|error| error.to_string())?;
    let limits: BTreeSet<usize> = match soak() {
        true => (0..=count + 1).collect(),
        false => BTreeSet::from([0, count / 2, count]),
    };
    let mut parts = Vec::new();
    for limit in limits {
        let options = Options {
            limit: Some(Limit {
                module: None,
                count: limit,
            }),
            ..all.clone()
        };
        let part = optimize(text, &options).map_err(|error| format!("{limit}: {error}"))?;
        let expected = match limit {
            0 => Some(text),
            _ if limit >= count => Some(&whole.text[..]),
            _ => None,
        };
        match expected {
            Some(expected) if part.text != expected => {
                return Err(format!("other bytes under the limit {limit} of {count}"));
            }
            Some(_) => continue,
            None => {}
        }
        let done = actions(text, &options)?;
        if done.len() > limit {
            return Err(format!("under the limit {limit} of {count}: {done:?}"));
        }
        parts.push(Rewritten {
            wrapping: None,
            text: part.text,
        });
    }
    all_equal_by_themselves(text, &parts.iter().collect::<Vec<_>>())
}

/// What is done to a module: the names of function and pass, and the place.
fn actions(text: &[u8], options: &Options) -> Result<Vec<String>, String> {
    let module = Module::read(text, 1).map_err(|error| error.to_string())?;
    let options = limit::settled(&module, options).map_err(|error| error.to_string())?;
    let in_words = |action: Action| format!("{} {} {}", action.function, action.pass, action.at);
    let found = limit::found(&module, &options, |found| {
        limit::actions(found).into_iter().map(in_words).collect()
    });
    found.map_err(|error| error.to_string())
}
