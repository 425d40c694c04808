//! Settings as they hold, defaults among them.

use super::{ASSUMPTIONS, Settings};
use crate::shuffle::plan::Wrapping;
use crate::shuffle::profit::Profit;
use crate::support::kernel_filter::Selection;
use std::path::PathBuf;

/// What holds of a setting.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Held {
    /// A value, as a variable has it.
    Value(String),
    /// What holds where there is no value.
    Words(&'static str),
}

impl Held {
    /// For people.
    pub fn text(&self) -> &str {
        match self {
            Held::Value(text) => text,
            Held::Words(words) => words,
        }
    }
}

const NONE: Held = Held::Words("none");

impl Settings {
    /// What holds of the setting of this name.
    pub fn held(&self, name: &str) -> Held {
        let synthesis = &self.synthesis;
        let limits = &synthesis.limits;
        match name {
            "assume" => list(self.assumed()).unwrap_or(NONE),
            "cost" => value(self.saturation.cost.name()),
            "extract" => value(self.saturation.extraction.name()),
            "j" => match self.jobs {
                0 => Held::Words("as many as there are processors"),
                jobs => value(jobs),
            },
            "kernel" => list(self.kernels.globs()).unwrap_or(Held::Words("all")),
            "limit" => self.limit.map_or(NONE, value),
            "loads" => value(self.passes.memory(self.memory).loads.name()),
            "max-delta" => value(synthesis.max_delta),
            "max-instructions" => value(limits.instructions),
            "max-live" => value(self.memory.max_live),
            "max-steps" => match limits.steps {
                None => Held::Words("in proportion to the kernel"),
                Some(steps) => value(steps),
            },
            "max-terms" => value(limits.terms),
            "no-cache" => switch(self.no_cache),
            "no-register-check" => switch(self.no_register_check),
            "off" => switch(self.off),
            "passes" => list(self.passes.names()).unwrap_or(NONE),
            "profit" => value(match synthesis.profit {
                Profit::Auto => "auto",
                Profit::Always => "always",
            }),
            "raise-version" => switch(self.raise_version),
            "remarks" => path(self.remarks.as_ref()),
            "save-temps" => path(self.save_temps.as_ref()),
            "scheme" => value(synthesis.wrapping.map_or("auto", Wrapping::name)),
            "solver-gates" => {
                let usual = synthesis.profit.query_gates();
                value(self.solver_gates.unwrap_or(usual))
            }
            "solver-limit" => value(self.solver_limit),
            "solver-queries" => value(limits.queries),
            "space" => match synthesis.shared {
                true => value("shared"),
                false => Held::Words("global and constant memory"),
            },
            "stats" => switch(self.stats),
            "strict" => switch(self.strict),
            "tuned" => list(
                [self.tuned.to_string()]
                    .into_iter()
                    .filter(|text| !text.is_empty()),
            )
            .unwrap_or(NONE),
            "verbose" => switch(self.verbose),
            "verify" => switch(self.verify),
            _ => NONE,
        }
    }

    /// The assumptions whose setting changes nothing: they hold already.
    fn assumed(&self) -> impl Iterator<Item = &'static str> {
        let holds = |name: &&str| {
            let mut more = self.clone();
            let set = more.set("assume", "assume", Some(name), &mut Selection::default());
            set.is_ok() && more.digest() == self.digest()
        };
        ASSUMPTIONS.into_iter().filter(holds)
    }
}

fn value(value: impl ToString) -> Held {
    Held::Value(value.to_string())
}

fn switch(is_on: bool) -> Held {
    value(u8::from(is_on))
}

fn path(path: Option<&PathBuf>) -> Held {
    path.map_or(NONE, |path| value(path.display()))
}

/// Several words as one value; none if there are none.
fn list<W: AsRef<str>>(words: impl Iterator<Item = W>) -> Option<Held> {
    let words: Vec<W> = words.collect();
    let words: Vec<&str> = words.iter().map(AsRef::as_ref).collect();
    (!words.is_empty()).then(|| value(words.join(",")))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of every setting; and what is printed as a value is one: set by hand it changes nothing.
    #[test]
    fn values_that_hold_can_be_set() {
        let usual = Settings::default();
        let names = crate::dropin::settings::all().map(|(name, _)| name);
        for name in names.filter(|name| *name != "config") {
            let held = usual.held(name);
            assert!(!held.text().is_empty(), "{name}");
            let Held::Value(text) = &held else { continue };
            let mut set = usual.clone();
            let done = set.set(name, name, Some(text), &mut Selection::default());
            assert!(done.is_ok(), "{name}={text}: {done:?}");
            assert_eq!(
                (set.held(name), set.digest()),
                (held, usual.digest()),
                "{name}"
            );
        }
    }

    #[test]
    fn what_is_set_holds() {
        for (name, text) in [
            ("assume", "nowrap,contract"),
            ("kernel", "a*,!b"),
            ("limit", "7"),
            ("passes", "memory,scalar"),
            ("scheme", "halo"),
            ("solver-gates", "9"),
            ("space", "shared"),
            ("tuned", "a off; b max-live=8"),
            ("remarks", "r.yaml"),
            ("verify", "1"),
        ] {
            let word = format!("--ptxasw-{name}={text}");
            let (settings, _) = Settings::take(vec![word.into()], []).unwrap();
            assert_eq!(settings.held(name).text(), text);
        }
        let words = vec!["--ptxasw-profit=always".into()];
        let (settings, _) = Settings::take(words, []).unwrap();
        assert_eq!(settings.held("solver-gates").text(), "100000");
    }
}
