//! Kernels by name: globs, and with `!` in front those that are left out. Names of C++ may be written as the source has them.

use super::names;
use glob::{Pattern, PatternError};
use std::collections::{BTreeMap, BTreeSet};

/// Which kernels are looked at: those that match a glob (all, if there is none) and no glob with `!`.
#[derive(Clone, Debug, Default, Hash)]
pub struct Selection {
    wanted: Vec<Pattern>,
    unwanted: Vec<Pattern>,
    /// Names of single kernels that are left out.
    left_out: BTreeSet<String>,
    steps_back: BTreeMap<String, usize>,
}

impl Selection {
    /// Adds a glob, or with `!` in front one of those that are left out.
    ///
    /// # Errors
    /// It is no glob.
    pub fn add(&mut self, glob: &str) -> Result<(), PatternError> {
        match glob.strip_prefix('!') {
            Some(glob) => self.unwanted.push(Pattern::new(glob)?),
            None => self.wanted.push(Pattern::new(glob)?),
        }
        Ok(())
    }

    /// Leaves out the kernel of exactly this name.
    pub fn leave_out(&mut self, name: &str) {
        self.left_out.insert(name.to_owned());
    }

    /// With the kernel of exactly this name so many steps less are gone than was wanted.
    pub fn step_back(&mut self, name: &str, steps: usize) {
        self.steps_back.insert(name.to_owned(), steps);
    }

    /// How many steps less are gone with this kernel.
    pub fn steps_back(&self, name: &str) -> usize {
        self.steps_back.get(name).copied().unwrap_or_default()
    }

    /// Whether a kernel is looked at.
    pub fn has(&self, name: &str) -> bool {
        let any = |globs: &[Pattern]| globs.iter().any(|glob| names::matches(glob, name));
        (self.wanted.is_empty() || any(&self.wanted))
            && !self.left_out.contains(name)
            && !any(&self.unwanted)
    }

    /// A glob that matches no name, if there is one. Globs of what is left out may match none.
    pub fn without_match(&self, all: &[&str]) -> Option<&str> {
        let unmatched = |glob: &&Pattern| !all.iter().any(|name| names::matches(glob, name));
        self.wanted.iter().find(unmatched).map(Pattern::as_str)
    }

    /// The globs as a user gives them.
    pub fn globs(&self) -> impl Iterator<Item = String> {
        let wanted = self.wanted.iter().map(|glob| glob.as_str().to_owned());
        let unwanted = self.unwanted.iter().map(|glob| format!("!{glob}"));
        wanted.chain(unwanted)
    }

    /// Whether no glob was given.
    pub fn is_everything(&self) -> bool {
        self.wanted.is_empty() && self.unwanted.is_empty() && self.left_out.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn globs_select_and_leave_out() {
        let mut selection = Selection::default();
        assert!(selection.has("any"));
        selection.add("!*_slow").unwrap();
        assert!(selection.has("any") && !selection.has("so_slow"));
        selection.add("so_*").unwrap();
        assert!(!selection.has("any") && !selection.has("so_slow") && selection.has("so_fast"));
        selection.leave_out("so_[a]");
        assert!(selection.has("so_a") && !selection.has("so_[a]"));
        selection.add("!ns::k").unwrap();
        assert!(!selection.has("_ZN2ns1kEPf"));
        assert!(selection.add("[").is_err());
        assert_eq!(selection.without_match(&["so_fast"]), None);
        assert_eq!(selection.without_match(&["other"]), Some("so_*"));
    }
}
