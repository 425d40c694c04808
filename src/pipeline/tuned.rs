//! Choices for single kernels, in place of those for all: what `ptxasw tune` has found, or what a user knows.
//!
//! Settings have them as text, in which the first entry that fits a kernel counts:
//!
//! ```text
//! jacobi@sm_90 loads=moderate; sweep_* off; filter passes=memory,scalar max-live=16
//! ```

use super::Options;
use crate::passes::memory::{BadLoads, Loads};
use crate::passes::saturate::{BadCost, BadExtraction, Cost, Extraction};
use crate::passes::{BadPass, Passes};
use crate::shuffle::plan::Wrapping;
use crate::shuffle::profit::Profit;
use crate::solver::Limits;
use crate::support::names;
use glob::{Pattern, PatternError};
use std::fmt;
use std::num::ParseIntError;
use std::str::FromStr;

/// Choices for single kernels; without an entry nothing differs from kernel to kernel.
#[derive(Clone, Debug, Default)]
pub struct Tuned {
    entries: Vec<Entry>,
}

/// What is chosen for the kernels that a name matches.
#[derive(Clone, Debug)]
pub struct Entry {
    /// A glob of their names.
    pub kernel: Pattern,
    /// The number of the target, as 90 of `sm_90`, if it holds on that alone.
    pub target: Option<u32>,
    /// What is chosen.
    pub choice: Choice,
}

/// What is chosen for a kernel; what is not stays as it is for all.
#[derive(Clone, Debug, Default)]
pub struct Choice {
    /// It is left as it is.
    pub off: bool,
    /// The passes that run.
    pub passes: Option<Passes>,
    /// How far the pass `memory` goes.
    pub loads: Option<Loads>,
    /// 32-bit registers that loads which were moved up may hold.
    pub max_live: Option<u32>,
    /// The scheme of shuffles; the inner one is none for `auto`.
    pub scheme: Option<Option<Wrapping>>,
    /// Which of the proved shuffles are emitted.
    pub profit: Option<Profit>,
    /// What the pass `saturate` makes small.
    pub cost: Option<Cost>,
    /// How the pass `saturate` chooses.
    pub extract: Option<Extraction>,
}

/// Names of what can be chosen.
const NAMES: [&str; 8] = [
    "off", "passes", "loads", "max-live", "scheme", "profit", "cost", "extract",
];
/// As a scheme: the best one for what is known.
const AUTO: &str = "auto";

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
    /// A name without a value, or `off` with one.
    #[error("expected {0}")]
    Form(&'static str),
    /// A level of loads.
    #[error(transparent)]
    Loads(#[from] BadLoads),
    /// A pass.
    #[error(transparent)]
    Pass(#[from] BadPass),
    /// A number of registers.
    #[error("`max-live`: {0}")]
    Number(#[from] ParseIntError),
    /// A scheme.
    #[error("unknown scheme `{0}` (known: {AUTO}, {known})", known = Wrapping::ALL.map(Wrapping::name).join(", "))]
    Scheme(String),
    /// Which shuffles are emitted.
    #[error("`profit`: expected auto or always, not `{0}`")]
    Profit(String),
    /// What saturation makes small.
    #[error(transparent)]
    Cost(#[from] BadCost),
    /// How saturation chooses.
    #[error(transparent)]
    Extraction(#[from] BadExtraction),
}

impl Tuned {
    /// One choice for the functions of exactly these names.
    pub fn of<'n>(names: impl Iterator<Item = &'n str>, choice: &Choice) -> Self {
        let entry = |name| {
            let kernel = Pattern::new(&Pattern::escape(name)).ok()?;
            Some(Entry {
                kernel,
                target: None,
                choice: choice.clone(),
            })
        };
        Tuned {
            entries: names.filter_map(entry).collect(),
        }
    }

    /// What is chosen for a kernel on a target, whose number is as in [`Entry::target`].
    pub fn choice(&self, kernel: &str, target: Option<u32>) -> Option<&Choice> {
        let fits = |entry: &&Entry| {
            (entry.target.is_none() || entry.target == target)
                && names::matches(&entry.kernel, kernel)
        };
        self.entries.iter().find(fits).map(|entry| &entry.choice)
    }

    /// The globs of the entries that are for none of the kernels of these names.
    pub fn unmatched<'t>(&'t self, all: &'t [&str]) -> impl Iterator<Item = &'t str> {
        let unmatched =
            |entry: &&Entry| !all.iter().any(|name| names::matches(&entry.kernel, name));
        let entries = self.entries.iter().filter(unmatched);
        entries.map(|entry| entry.kernel.as_str())
    }

    /// How many entries there are.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether nothing is chosen for any kernel.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The passes that are chosen for some kernel.
    pub(super) fn passes(&self) -> impl Iterator<Item = &Passes> {
        let choices = self.entries.iter().map(|entry| &entry.choice);
        choices.filter_map(|choice| choice.passes.as_ref())
    }

    /// Leaves out passes over the arithmetic.
    pub fn drop_arithmetic(&mut self) {
        let choices = self.entries.iter_mut().map(|entry| &mut entry.choice);
        for passes in choices.filter_map(|choice| choice.passes.as_mut()) {
            passes.ssa.retain(|pass| !pass.is_arithmetic());
        }
    }
}

impl Choice {
    /// The options of a kernel under this choice.
    pub fn apply(&self, options: &mut Options, kernel: &str) {
        if self.off {
            options.kernels.leave_out(kernel);
        }
        if let Some(passes) = &self.passes {
            options.memory = passes.memory(options.memory);
            options.passes.clone_from(passes);
        }
        if let Some(loads) = self.loads {
            options.memory.loads = loads;
        }
        if let Some(max_live) = self.max_live {
            options.memory.max_live = max_live;
        }
        if let Some(scheme) = self.scheme {
            options.synthesis.wrapping = scheme;
        }
        if let Some(profit) = self.profit {
            let usual = Limits::of_gates(profit.query_gates());
            options.synthesis.profit = profit;
            options.solver.gates = options.solver.gates.max(usual.gates);
            options.solver.kernel_gates = options.solver.kernel_gates.max(usual.kernel_gates);
        }
        if let Some(cost) = self.cost {
            options.saturation.cost = cost;
        }
        if let Some(extract) = self.extract {
            options.saturation.extraction = extract;
        }
    }

    /// The names of what is chosen, with their values; `off` has none.
    pub fn words(&self) -> Vec<(&'static str, String)> {
        if self.off {
            return vec![("off", String::new())];
        }
        let passes = self.passes.as_ref().map(|passes| {
            let names: Vec<&str> = passes.names().collect();
            names.join(",")
        });
        let loads = self
            .loads
            .or(self.passes.as_ref().and_then(|one| one.loads));
        let scheme = |scheme: Option<Wrapping>| scheme.map_or(AUTO, Wrapping::name);
        let profit = |profit| match profit {
            Profit::Auto => "auto",
            Profit::Always => "always",
        };
        let words = [
            ("passes", passes),
            ("loads", loads.map(|loads| loads.name().to_owned())),
            ("max-live", self.max_live.map(|number| number.to_string())),
            ("scheme", self.scheme.map(|one| scheme(one).to_owned())),
            ("profit", self.profit.map(|one| profit(one).to_owned())),
            ("cost", self.cost.map(|cost| cost.name().to_owned())),
            ("extract", self.extract.map(|how| how.name().to_owned())),
        ];
        let words = words.into_iter();
        words
            .filter_map(|(name, value)| Some((name, value?)))
            .collect()
    }

    fn set(&mut self, word: &str) -> Result<(), BadTuned> {
        let (name, value) = match word.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (word, None),
        };
        if name == "off" {
            self.off = match value {
                None | Some("1" | "true") => true,
                Some("0" | "false") => false,
                Some(_) => return Err(BadTuned::Form("`off` without a value")),
            };
            return Ok(());
        }
        let Some(known) = NAMES.into_iter().find(|known| *known == name) else {
            return Err(BadTuned::Name(name.to_owned()));
        };
        let value = value.filter(|value| !value.is_empty());
        let value = value.ok_or(BadTuned::Form("a value: `NAME=VALUE`"))?;
        match known {
            "passes" => self.passes = Some(value.parse()?),
            "loads" => self.loads = Some(value.parse()?),
            "max-live" => self.max_live = Some(value.parse()?),
            "scheme" => self.scheme = Some(scheme(value)?),
            "profit" => {
                self.profit = Some(match value {
                    "auto" => Profit::Auto,
                    "always" => Profit::Always,
                    _ => return Err(BadTuned::Profit(value.to_owned())),
                });
            }
            "cost" => self.cost = Some(value.parse()?),
            _ => self.extract = Some(value.parse()?),
        }
        Ok(())
    }
}

fn scheme(text: &str) -> Result<Option<Wrapping>, BadTuned> {
    if text.eq_ignore_ascii_case(AUTO) {
        return Ok(None);
    }
    let mut all = Wrapping::ALL.into_iter();
    let found = all.find(|scheme| scheme.name().eq_ignore_ascii_case(text));
    found
        .map(Some)
        .ok_or_else(|| BadTuned::Scheme(text.to_owned()))
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
        let mut words = text.split_whitespace();
        let kernel = words.next().unwrap_or_default();
        let (name, target) = match kernel.rsplit_once('@') {
            Some((name, target)) => (name, Some(number(target)?)),
            None => (kernel, None),
        };
        let mut choice = Choice::default();
        let mut any = false;
        for word in words {
            choice.set(word)?;
            any = true;
        }
        if !any {
            return Err(BadTuned::Nothing(kernel.to_owned()));
        }
        let pattern = Pattern::new(name);
        Ok(Entry {
            kernel: pattern.map_err(|error| BadTuned::Glob(name.to_owned(), error))?,
            target,
            choice,
        })
    }
}

/// The number of `sm_90a`.
fn number(target: &str) -> Result<u32, BadTuned> {
    let digits = target.strip_prefix("sm_").map(|digits| {
        let feature = |letter: char| letter.is_ascii_lowercase();
        digits.strip_suffix(feature).unwrap_or(digits)
    });
    let number = digits.and_then(|digits| digits.parse().ok());
    number.ok_or_else(|| BadTuned::Target(target.to_owned()))
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
    fn the_first_entry_that_fits_counts() {
        let tuned: Tuned = "a@sm_90 loads=moderate; a* off;b passes=memory,scalar max-live=16"
            .parse()
            .unwrap();
        let of = |kernel, target| tuned.choice(kernel, target).map(Choice::to_string);
        assert_eq!(of("a", Some(90)).unwrap(), "loads=moderate");
        assert_eq!(of("a", Some(80)).unwrap(), "off");
        assert_eq!(of("ab", Some(90)).unwrap(), "off");
        assert_eq!(of("b", None).unwrap(), "passes=memory,scalar max-live=16");
        assert!(of("c", Some(90)).is_none());
        let tuned: Tuned = "ns::k off; other off".parse().unwrap();
        assert!(tuned.choice("_ZN2ns1kEPf", None).is_some());
        assert!(tuned.unmatched(&["_ZN2ns1kEPf"]).eq(["other"]));
    }

    #[test]
    fn a_text_is_read_and_written() {
        let text = "a@sm_90 passes=memory,shuffle loads=bulk max-live=8 scheme=F31 profit=always cost=paper extract=exact; b off";
        let tuned: Tuned = text.parse().unwrap();
        assert_eq!(tuned.to_string(), text);
        // A variant of the paper's is a list of passes and a level.
        let variant: Tuned = "k passes=cse".parse().unwrap();
        assert_eq!(variant.to_string(), "k passes=memory,scalar loads=proofs");
        assert_eq!("".parse::<Tuned>().unwrap().to_string(), "");
    }

    #[test]
    fn options_of_a_kernel() {
        let tuned = "a passes=cse scheme=halo profit=always; b off";
        let options = Options {
            tuned: tuned.parse().unwrap(),
            ..Options::default()
        };
        let one = options.of_function("a", None);
        assert_eq!(one.memory.loads, Loads::Proofs);
        assert_eq!(one.synthesis.wrapping, Some(Wrapping::Halo));
        assert!(!one.passes.shuffle && one.kernels.has("a"));
        assert!(!options.of_function("b", None).kernels.has("b"));
        assert!(options.of_function("c", None).kernels.has("c"));
        let names: Vec<_> = options
            .ssa_passes()
            .iter()
            .map(|pass| pass.name())
            .collect();
        assert_eq!(names, ["memory", "scalar"]);
        let names: Vec<_> = options
            .without_arithmetic()
            .ssa_passes()
            .iter()
            .map(|pass| pass.name())
            .collect();
        assert_eq!(names, ["memory"]);
    }

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
            ("k off=2", "without a value"),
            ("k loads=some", "unknown level of loads `some`"),
            ("k max-live=-1", "`max-live`: "),
            ("k scheme=G", "unknown scheme `G` (known: auto, full, R"),
            ("k profit=some", "not `some`"),
            ("k passes=shufle", "did you mean `shuffle`?"),
            ("k cost=x", "unknown cost"),
            ("k extract=x", "unknown extraction"),
        ] {
            let error = text.parse::<Tuned>().unwrap_err().to_string();
            assert!(error.contains(words), "{text}: {error}");
        }
    }
}
