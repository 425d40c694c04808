//! Kernels by name: globs, and with `!` in front those that are left out.

use std::collections::BTreeMap;

use glob::{Pattern, PatternError};

/// Which kernels are looked at: those that match a glob (all, if there is none) and no glob with `!`.
#[derive(Clone, Debug, Default, Hash)]
pub struct Selection {
    wanted: Vec<Pattern>,
    unwanted: Vec<Pattern>,
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
        if let Ok(pattern) = Pattern::new(&Pattern::escape(name)) {
            self.unwanted.push(pattern);
        }
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
        let any = |globs: &[Pattern]| globs.iter().any(|glob| glob.matches(name));
        (self.wanted.is_empty() || any(&self.wanted)) && !any(&self.unwanted)
    }

    /// A glob that matches no name, if there is one. Globs of what is left out may match none.
    pub fn without_match(&self, names: &[&str]) -> Option<&str> {
        let unmatched = |glob: &&Pattern| !names.iter().any(|name| glob.matches(name));
        self.wanted.iter().find(unmatched).map(Pattern::as_str)
    }

    /// Whether no glob was given.
    pub fn is_everything(&self) -> bool {
        self.wanted.is_empty() && self.unwanted.is_empty()
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
        assert!(selection.add("[").is_err());
        assert_eq!(selection.without_match(&["so_fast"]), None);
        assert_eq!(selection.without_match(&["other"]), Some("so_*"));
    }
}
