//! Choices for single kernels, in place of those for all: what `ptxasw tune` has found, or what a user knows.
//!
//! Settings have them as text, in which the first entry that fits a kernel counts:
//!
//! ```text
//! jacobi@sm_90 loads=moderate; sweep_* off; filter passes=memory,scalar max-live=16
//! ```

use glob::Pattern;
use ptxasw_base::names;
use std::collections::BTreeMap;

/// Choices for single kernels; without an entry nothing differs from kernel to kernel.
#[derive(Clone, Debug, Default)]
pub struct Tuned {
    pub(super) entries: Vec<Entry>,
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
    /// Names and values of settings, which fit them, in the order in which they are applied and written.
    pub(super) settings: BTreeMap<usize, (&'static str, String)>,
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

    /// Whether something is chosen for a kernel on some target.
    pub fn has_choice(&self, kernel: &str) -> bool {
        let mut entries = self.entries.iter();
        entries.any(|entry| names::matches(&entry.kernel, kernel))
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
}

impl Choice {
    /// Whether a setting is chosen.
    pub fn has(&self, name: &str) -> bool {
        self.settings.values().any(|one| one.0 == name)
    }

    /// What this chooses, and of what it does not, what another one does.
    pub fn or(&self, other: &Choice) -> Choice {
        let mut both = other.settings.clone();
        both.extend(self.settings.clone());
        Choice {
            settings: both,
            ..Choice::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pipeline::options::Options;
    use ptxasw_passes::memory::Loads;
    use ptxasw_passes::shuffle::Shuffle;
    use ptxasw_passes::shuffle::plan::Wrapping;

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
        assert!(!one.passes.has(&Shuffle) && one.kernels.has("a"));
        assert!(!options.of_function("b", None).kernels.has("b"));
        assert!(options.of_function("c", None).kernels.has("c"));
        let names: Vec<_> = options
            .within_lanes()
            .iter()
            .map(|pass| pass.name())
            .collect();
        assert_eq!(names, ["memory", "scalar"]);
    }
}
