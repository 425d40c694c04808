//! Choices for single kernels as text, `KERNEL[@sm_N] NAME[=VALUE] ...`, kernels separated by `;`; and the settings that they set.

use super::table::{self, Lens, Setting};
use super::value::{BadValue, Value, target_number};
use crate::pipeline::options::Options;
use crate::pipeline::tuned::{Choice, Entry, Tuned};
use glob::{Pattern, PatternError};
use ptxasw_base::named::Named;
use ptxasw_emulator::solver::Limits;
use ptxasw_passes::Passes;
use std::fmt;
use std::str::FromStr;

/// The settings that can be chosen for one kernel, in the order in which they are applied: the passes may say how far one goes.
pub const NAMES: [&str; 8] = [
    "off", "passes", "loads", "max-live", "scheme", "profit", "cost", "extract",
];

/// Why a text is no list of choices.
#[derive(Debug, thiserror::Error)]
pub enum BadTuned {
    /// An entry has a kernel alone.
    #[error("nothing is chosen for `{0}`: expected `KERNEL[@sm_N] NAME[=VALUE] ...`")]
    Nothing(String),
    /// The kernel's name is no glob.
    #[error("`{0}`: {1}")]
    Glob(String, PatternError),
    /// The text after `@` is not a target.
    #[error("expected a target such as `sm_80`, not `{0}`")]
    Target(String),
    /// Nothing of this name can be chosen for a kernel.
    #[error("`{0}` cannot be chosen for one kernel (known: {known})", known = NAMES.join(", "))]
    Name(String),
    /// A name without a value.
    #[error("expected a value: `NAME=VALUE`")]
    NoValue,
    /// A value that does not fit.
    #[error("`{0}`: {1}")]
    Value(&'static str, BadValue),
}

fn set(choice: &mut Choice, word: &str) -> Result<(), BadTuned> {
    let (given, value) = match word.split_once('=') {
        Some((name, value)) => (name, Some(value)),
        None => (word, None),
    };
    let rank = NAMES.iter().position(|name| *name == given);
    let setting = rank.and_then(|rank| Some((rank, table::named(NAMES[rank])?)));
    let (rank, setting) = setting.ok_or_else(|| BadTuned::Name(given.to_owned()))?;
    let value = value.or(setting.is_switch().then_some("1"));
    let value = value.filter(|value| !value.is_empty());
    let value = value.ok_or(BadTuned::NoValue)?;
    let bad = |error| BadTuned::Value(setting.name, error);
    if setting.lens().is_none() {
        return choice.off.read(value).map_err(bad);
    }
    setting.check(value).map_err(bad)?;
    let chosen = (setting.name, value.to_owned());
    choice.settings.insert(rank, chosen);
    Ok(())
}

fn lens(name: &str) -> Option<Lens> {
    table::named(name).and_then(Setting::lens)
}

fn number(target: &str) -> Result<u32, BadTuned> {
    target_number(target).ok_or_else(|| BadTuned::Target(target.to_owned()))
}

impl FromStr for Tuned {
    type Err = BadTuned;

    fn from_str(text: &str) -> Result<Self, BadTuned> {
        let entries = text.split(';').map(str::trim);
        let entries = entries.filter(|entry| !entry.is_empty());
        let entries = entries.map(str::parse).collect::<Result<_, _>>()?;
        Ok(Tuned { entries })
    }
}

impl FromStr for Entry {
    type Err = BadTuned;

    fn from_str(text: &str) -> Result<Self, BadTuned> {
        let text = text.trim();
        let (kernel, words) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let (name, target) = match kernel.rsplit_once('@') {
            Some((name, target)) => (name, Some(number(target)?)),
            None => (kernel, None),
        };
        if words.is_empty() {
            return Err(BadTuned::Nothing(kernel.to_owned()));
        }
        let choice = words.parse()?;
        let pattern = Pattern::new(name);
        Ok(Entry {
            kernel: pattern.map_err(|error| BadTuned::Glob(name.to_owned(), error))?,
            target,
            choice,
        })
    }
}

impl FromStr for Choice {
    type Err = BadTuned;

    /// The words after the kernel; without any nothing is chosen.
    fn from_str(text: &str) -> Result<Self, BadTuned> {
        let mut choice = Choice::default();
        let mut words = text.split_whitespace();
        words.try_for_each(|word| set(&mut choice, word))?;
        Ok(choice)
    }
}

impl Value for Tuned {
    fn read(&mut self, text: &str) -> Result<(), BadValue> {
        *self = text.parse().map_err(BadValue::of)?;
        Ok(())
    }

    fn text(&self) -> Option<String> {
        Some(self.to_string()).filter(|text| !text.is_empty())
    }
}

impl Tuned {
    /// The passes that are chosen for some kernel.
    pub(in crate::pipeline) fn passes(&self) -> impl Iterator<Item = Passes> {
        let choices = self.entries.iter().map(|entry| &entry.choice);
        let choices = choices.filter(|choice| choice.has("passes"));
        choices.map(|choice| choice.alone().passes)
    }
}

impl Choice {
    /// The options of a kernel under this choice.
    pub fn apply(&self, options: &mut Options, kernel: &str) {
        if self.off {
            options.kernels.leave_out(kernel);
        }
        for (name, value) in self.settings.values() {
            // What does not fit was refused when it was chosen.
            let _ = lens(name).map(|lens| lens(options).read(value));
            match *name {
                "passes" => options.memory = options.passes.memory(options.memory),
                "profit" => {
                    let usual = Limits::of_gates(options.synthesis.profit.query_gates());
                    let solver = &mut options.solver;
                    solver.gates = solver.gates.max(usual.gates);
                    solver.kernel_gates = solver.kernel_gates.max(usual.kernel_gates);
                }
                _ => {}
            }
        }
    }

    /// The usual options under this choice.
    fn alone(&self) -> Options {
        let mut options = Options::default();
        self.apply(&mut options, "");
        options
    }

    /// The names of what is chosen, with their values; `off` has none.
    pub fn words(&self) -> Vec<(&'static str, String)> {
        if self.off {
            return vec![("off", String::new())];
        }
        let mut options = self.alone();
        let mut words = Vec::new();
        for (name, _) in self.settings.values() {
            let text = lens(name).and_then(|lens| lens(&mut options).text());
            words.push((*name, text.unwrap_or_default()));
            if *name == "passes" && !self.has("loads") && options.passes.loads.is_some() {
                words.push(("loads", options.memory.loads.name().to_owned()));
            }
        }
        words
    }
}

impl fmt::Display for Tuned {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        for (number, entry) in self.entries.iter().enumerate() {
            let separator = if number == 0 { "" } else { "; " };
            write!(f, "{separator}{entry}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.kernel.as_str())?;
        if let Some(target) = self.target {
            write!(f, "@sm_{target}")?;
        }
        write!(f, " {}", self.choice)
    }
}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        for (number, (name, value)) in self.words().into_iter().enumerate() {
            let separator = if number == 0 { "" } else { " " };
            let equals = if value.is_empty() { "" } else { "=" };
            write!(f, "{separator}{name}{equals}{value}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_is_named() {
        for (text, words) in [
            ("k", "nothing is chosen for `k`"),
            ("k@90 off", "such as `sm_80`, not `90`"),
            ("k@sm_90xyz off", "such as `sm_80`, not `sm_90xyz`"),
            ("[ off", "`[`: "),
            (
                "k verify=1",
                "`verify` cannot be chosen for one kernel (known: off, ",
            ),
            ("k loads", "expected a value"),
            ("k loads=", "expected a value"),
            ("k off=2", "`off`: expected one of 0, 1, not `2`"),
            ("k loads=some", "`loads`: expected one of off, proofs, "),
            ("k max-live=-1", "`max-live`: "),
            ("k scheme=G", "`scheme`: expected one of auto, full, R"),
            (
                "k profit=some",
                "`profit`: expected one of auto, always, not `some`",
            ),
            ("k passes=shufle", "did you mean `shuffle`?"),
            ("k cost=x", "`cost`: expected one of paper, target, not `x`"),
            (
                "k extract=x",
                "`extract`: expected one of greedy, exact, not `x`",
            ),
        ] {
            let error = text.parse::<Tuned>().unwrap_err().to_string();
            assert!(error.contains(words), "{text}: {error}");
        }
    }
}
