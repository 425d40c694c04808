//! The list of passes, and which of them run.

use super::Pass;
use super::memory::{Loads, Memory, MemoryOptions};
use super::saturate::Saturate;
use super::scalar::{Division, Scalar};
use crate::support::named::{nearest, suggestion};
use std::fmt;
use std::str::FromStr;

/// All passes, in the order in which they run.
pub const LIST: &[Listed] = &[
    Listed {
        entry: Entry::Ssa(&Memory),
        default: true,
        what: "what a thread has loaded or stored before is not loaded again (`--loads`)",
    },
    Listed {
        entry: Entry::Ssa(&Scalar),
        default: false,
        what: "arithmetic is not done again, and starts from earlier results",
    },
    Listed {
        entry: Entry::Ssa(&Division),
        default: false,
        what: "divisions of 64 bits are made with 32 where the operands fit",
    },
    Listed {
        entry: Entry::Ssa(&Saturate),
        default: false,
        what: "values are computed in the cheapest of all forms that the rules know (equality saturation)",
    },
    Listed {
        entry: Entry::Shuffle,
        default: true,
        what: "loads that a neighbouring lane has made become warp shuffles",
    },
];

/// A pass of the list.
#[derive(Clone, Copy)]
pub enum Entry {
    /// The shuffles of the paper. They are not a [`Pass`]: their plan is lowered into a patch of its own, after all passes.
    Shuffle,
    /// A pass over the SSA IR.
    Ssa(&'static dyn Pass),
}

/// A line of the list.
#[derive(Clone, Copy)]
pub struct Listed {
    /// The pass itself, or the stage that has none yet.
    pub entry: Entry,
    /// It runs unless the user says otherwise.
    pub default: bool,
    /// One clause for `--help-all`.
    pub what: &'static str,
}

impl Entry {
    /// The name by which users choose it.
    pub fn name(self) -> &'static str {
        match self {
            Entry::Shuffle => "shuffle",
            Entry::Ssa(pass) => pass.name(),
        }
    }
}

/// A pass of the list by its name.
///
/// # Errors
/// There is none of this name.
pub fn named(name: &str) -> Result<Entry, BadPass> {
    let found = LIST.iter().find(|one| one.entry.name() == name);
    found.map(|one| one.entry).ok_or_else(|| BadPass::of(name))
}

/// Other names, for the variants that the paper compares (ACC Saturator, figure 2): the passes of each, and how far `memory` goes then.
const VARIANTS: &[(&str, &[&str], Option<Loads>)] = &[
    ("cse", &["memory", "scalar"], Some(Loads::Proofs)),
    ("sat", &["saturate"], None),
    ("bulk", &["memory"], Some(Loads::Bulk)),
];

/// The passes that run. Users of the library may add passes of their own to [`Passes::ssa`].
#[derive(Clone)]
pub struct Passes {
    /// The passes over the SSA IR, in their order.
    pub ssa: Vec<&'static dyn Pass>,
    /// Whether shuffles are looked for, after these.
    pub shuffle: bool,
    /// How far the memory pass goes, where a name says so.
    pub loads: Option<Loads>,
}

impl Passes {
    fn of(all: impl Iterator<Item = Entry>) -> Self {
        let mut passes = Passes {
            ssa: Vec::new(),
            shuffle: false,
            loads: None,
        };
        for entry in all {
            match entry {
                Entry::Shuffle => passes.shuffle = true,
                Entry::Ssa(pass) => passes.ssa.push(pass),
            }
        }
        passes
    }

    /// The shuffles alone, without passes over the SSA IR.
    pub fn shuffles() -> Self {
        Passes::of(std::iter::once(Entry::Shuffle))
    }

    /// What the memory pass may do, by the user's choice and by these names.
    pub fn memory(&self, chosen: MemoryOptions) -> MemoryOptions {
        MemoryOptions {
            loads: self.loads.unwrap_or(chosen.loads),
            ..chosen
        }
    }

    /// Whether a pass over the SSA IR is among them.
    pub fn has(&self, pass: &dyn Pass) -> bool {
        self.ssa.iter().any(|one| one.name() == pass.name())
    }

    /// Adds the passes over the SSA IR of others, where the list has them.
    pub fn add(&mut self, others: &Passes) {
        let place = |pass: &dyn Pass| LIST.iter().position(|one| one.entry.name() == pass.name());
        for &pass in &others.ssa {
            if !self.has(pass) {
                let follows = |one: &&dyn Pass| place(*one) > place(pass);
                let at = self.ssa.iter().position(follows);
                self.ssa.insert(at.unwrap_or(self.ssa.len()), pass);
            }
        }
    }

    /// Takes out those of some names.
    pub fn leave_out(&mut self, named: impl Fn(&str) -> bool) {
        self.ssa.retain(|pass| !named(pass.name()));
        self.shuffle &= !named(Entry::Shuffle.name());
    }

    /// The names of all that run, in their order.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        let ssa = self.ssa.iter().map(|pass| pass.name());
        ssa.chain(self.shuffle.then(|| Entry::Shuffle.name()))
    }
}

impl Default for Passes {
    fn default() -> Self {
        let default = LIST.iter().filter(|one| one.default);
        Passes::of(default.map(|one| one.entry))
    }
}

impl fmt::Debug for Passes {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_list().entries(self.names()).finish()
    }
}

impl FromStr for Passes {
    type Err = BadPass;

    /// Plain names are exactly the passes that run. With `-NAME` or `+NAME` among them, all names change the default: they add to
    /// it, or with `-` take from it. The order is that of the list in any case.
    fn from_str(text: &str) -> Result<Self, BadPass> {
        let changes = text.split(',').any(|one| one.starts_with(['-', '+']));
        let mut runs: Vec<bool> = LIST.iter().map(|one| changes && one.default).collect();
        let mut loads = None;
        for word in text.split(',') {
            let name = word.strip_prefix(['-', '+']).unwrap_or(word);
            let variant = VARIANTS.iter().find(|(variant, ..)| *variant == name);
            let (names, level) = match variant {
                Some((_, names, level)) => (*names, *level),
                None => (&[name][..], None),
            };
            for name in names {
                let place = LIST.iter().position(|one| one.entry.name() == *name);
                let place = place.ok_or_else(|| BadPass::of(name))?;
                runs[place] = !word.starts_with('-');
            }
            // Among changes of the default only the pass is named.
            loads = loads.max(level.filter(|_| !changes));
        }
        let chosen = LIST.iter().zip(runs).filter(|(_, runs)| *runs);
        let passes = Passes::of(chosen.map(|(one, _)| one.entry));
        Ok(Passes { loads, ..passes })
    }
}

/// That no pass has this name.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("unknown pass `{name}`{} (known: {})", similar(.name), known())]
pub struct BadPass {
    /// The name that the user gave.
    pub name: String,
}

impl BadPass {
    fn of(name: &str) -> Self {
        BadPass {
            name: name.to_owned(),
        }
    }
}

fn similar(given: &str) -> String {
    suggestion(nearest(given, LIST.iter().map(|one| one.entry.name())))
}

fn known() -> String {
    let names: Vec<&str> = LIST.iter().map(|one| one.entry.name()).collect();
    names.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<&'static str> {
        text.parse::<Passes>().unwrap().names().collect()
    }

    #[test]
    fn plain_names_are_exact_and_signs_change_the_default() {
        assert_eq!(names("shuffle"), ["shuffle"]);
        assert!(
            names("shuffle")
                .iter()
                .eq(&Passes::shuffles().names().collect::<Vec<_>>())
        );
        assert_eq!(names("-shuffle"), ["memory"]);
        assert_eq!(names("-shuffle,shuffle"), ["memory", "shuffle"]);
        assert_eq!(names("+shuffle"), ["memory", "shuffle"]);
        assert_eq!(names("+division"), ["memory", "division", "shuffle"]);
        let all = ["memory", "scalar", "division", "shuffle"];
        assert_eq!(names("+division,scalar"), all);
        assert_eq!(
            format!("{:?}", Passes::default()),
            "[\"memory\", \"shuffle\"]"
        );
    }

    #[test]
    fn unknown_names_are_refused() {
        let error = |text: &str| text.parse::<Passes>().unwrap_err().to_string();
        assert_eq!(
            error("-shufle"),
            "unknown pass `shufle`, did you mean `shuffle`? (known: memory, scalar, division, saturate, shuffle)"
        );
        assert_eq!(
            error("x"),
            "unknown pass `x` (known: memory, scalar, division, saturate, shuffle)"
        );
        assert_eq!(
            error(""),
            "unknown pass `` (known: memory, scalar, division, saturate, shuffle)"
        );
    }

    /// They are looked for in the text that all others have left.
    #[test]
    fn shuffles_are_last_and_names_are_unique() {
        let names: Vec<&str> = LIST.iter().map(|one| one.entry.name()).collect();
        let shuffle = names.iter().position(|&name| name == "shuffle");
        assert_eq!(shuffle, Some(names.len() - 1));
        let first = |name| names.iter().position(|&one| one == name);
        assert!((0..names.len()).all(|place| first(names[place]) == Some(place)));
    }
}
