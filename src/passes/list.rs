//! The list of passes, and which of them run.

use super::Pass;
use super::loops::Batches;
use super::memory::{Loads, Memory, MemoryOptions};
use super::saturate::Saturate;
use super::scalar::{Division, Scalar};
use super::shuffle::Shuffle;
use ptxasw_base::named::{nearest, suggestion};
use std::fmt;
use std::str::FromStr;

/// All passes, in the order in which they run.
pub const LIST: &[Listed] = &[
    Listed {
        pass: &Batches,
        default: true,
        what: "a loop loads for several iterations at once, where its exit conditions say that it runs so long",
    },
    Listed {
        pass: &Memory,
        default: true,
        what: "what a thread has loaded or stored before is not loaded again (`--loads`)",
    },
    Listed {
        pass: &Scalar,
        default: false,
        what: "arithmetic is not done again, and starts from earlier results",
    },
    Listed {
        pass: &Division,
        default: false,
        what: "divisions of 64 bits are made with 32 where the operands fit",
    },
    Listed {
        pass: &Saturate,
        default: false,
        what: "values are computed in the cheapest of all forms that the rules know (equality saturation)",
    },
    Listed {
        pass: &Shuffle,
        default: true,
        what: "a shuffle takes the value of a load from a neighbouring lane's register",
    },
];

/// A line of the list.
#[derive(Clone, Copy)]
pub struct Listed {
    /// The pass itself.
    pub pass: &'static dyn Pass,
    /// It runs unless the user says otherwise.
    pub default: bool,
    /// One clause for `--help-all`.
    pub what: &'static str,
}

/// A pass of the list by its name.
///
/// # Errors
/// There is none of this name.
pub fn named(name: &str) -> Result<&'static dyn Pass, BadPass> {
    let found = LIST.iter().find(|one| one.pass.name() == name);
    found.map(|one| one.pass).ok_or_else(|| BadPass::of(name))
}

/// Other names, for the variants that the paper compares (ACC Saturator, figure 2): the passes of each, and how far `memory` goes then.
const VARIANTS: &[(&str, &[&str], Option<Loads>)] = &[
    ("cse", &["memory", "scalar"], Some(Loads::Proofs)),
    ("sat", &["saturate"], None),
    ("bulk", &["memory"], Some(Loads::Bulk)),
];

/// The passes that run. Users of the library may add passes of their own to [`Passes::list`].
#[derive(Clone)]
pub struct Passes {
    /// In the order in which they run.
    pub list: Vec<&'static dyn Pass>,
    /// How far the memory pass goes, where a name says so.
    pub loads: Option<Loads>,
}

impl Passes {
    /// Exactly these.
    pub fn of(list: &[&'static dyn Pass]) -> Self {
        Passes {
            list: list.to_vec(),
            loads: None,
        }
    }

    /// What the memory pass may do, by the user's choice and by these names.
    pub fn memory(&self, chosen: MemoryOptions) -> MemoryOptions {
        MemoryOptions {
            loads: self.loads.unwrap_or(chosen.loads),
            ..chosen
        }
    }

    /// Whether a pass is among them.
    pub fn has(&self, pass: &dyn Pass) -> bool {
        self.list.iter().any(|one| one.name() == pass.name())
    }

    /// Adds those of others, where the list has them.
    pub fn add(&mut self, others: &Passes) {
        let place = |pass: &dyn Pass| LIST.iter().position(|one| one.pass.name() == pass.name());
        for &pass in &others.list {
            if !self.has(pass) {
                let follows = |one: &&dyn Pass| place(*one) > place(pass);
                let at = self.list.iter().position(follows);
                self.list.insert(at.unwrap_or(self.list.len()), pass);
            }
        }
    }

    /// Takes out those of some names.
    pub fn leave_out(&mut self, named: impl Fn(&str) -> bool) {
        self.list.retain(|pass| !named(pass.name()));
    }

    /// The names of all that run, in their order.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        self.list.iter().map(|pass| pass.name())
    }
}

impl Default for Passes {
    fn default() -> Self {
        let default = LIST.iter().filter(|one| one.default);
        Passes {
            list: default.map(|one| one.pass).collect(),
            loads: None,
        }
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
                let place = LIST.iter().position(|one| one.pass.name() == *name);
                let place = place.ok_or_else(|| BadPass::of(name))?;
                runs[place] = !word.starts_with('-');
            }
            // Among changes of the default only the pass is named.
            loads = loads.max(level.filter(|_| !changes));
        }
        let chosen = LIST.iter().zip(runs).filter(|(_, runs)| *runs);
        Ok(Passes {
            list: chosen.map(|(one, _)| one.pass).collect(),
            loads,
        })
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
    suggestion(nearest(given, LIST.iter().map(|one| one.pass.name())))
}

fn known() -> String {
    let names: Vec<&str> = LIST.iter().map(|one| one.pass.name()).collect();
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
                .eq(&Passes::of(&[&Shuffle]).names().collect::<Vec<_>>())
        );
        assert_eq!(names("-shuffle"), ["loops", "memory"]);
        assert_eq!(names("-shuffle,shuffle"), ["loops", "memory", "shuffle"]);
        assert_eq!(names("+shuffle"), ["loops", "memory", "shuffle"]);
        assert_eq!(
            names("+division"),
            ["loops", "memory", "division", "shuffle"]
        );
        let all = ["loops", "memory", "scalar", "division", "shuffle"];
        assert_eq!(names("+division,scalar"), all);
        assert_eq!(
            format!("{:?}", Passes::default()),
            "[\"loops\", \"memory\", \"shuffle\"]"
        );
    }

    #[test]
    fn unknown_names_are_refused() {
        let error = |text: &str| text.parse::<Passes>().unwrap_err().to_string();
        assert_eq!(
            error("-shufle"),
            "unknown pass `shufle`, did you mean `shuffle`? (known: loops, memory, scalar, division, saturate, shuffle)"
        );
        assert_eq!(
            error("x"),
            "unknown pass `x` (known: loops, memory, scalar, division, saturate, shuffle)"
        );
        assert_eq!(
            error(""),
            "unknown pass `` (known: loops, memory, scalar, division, saturate, shuffle)"
        );
    }

    /// They are looked for in the text that all others have left.
    #[test]
    fn shuffles_are_last_and_names_are_unique() {
        let names: Vec<&str> = LIST.iter().map(|one| one.pass.name()).collect();
        let shuffle = names.iter().position(|&name| name == "shuffle");
        assert_eq!(shuffle, Some(names.len() - 1));
        let first = |name| names.iter().position(|&one| one == name);
        assert!((0..names.len()).all(|place| first(names[place]) == Some(place)));
    }
}
