//! What is tested at run time.

use serde::{Deserialize, Serialize};

/// What a rewriting tests once at the entry of a function or of a region; where a test fails, the original statements run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Tested {
    /// Pointers are so far apart that accesses share no byte.
    pub disjoint: bool,
    /// Addresses are aligned for wider accesses.
    pub aligned: bool,
    /// Generic pointers are of global memory.
    pub global: bool,
    /// Indices that shuffles rest on: signs and bounds.
    pub lanes: bool,
}

impl Tested {
    /// Adds what is tested besides.
    pub fn add(&mut self, other: Tested) {
        self.disjoint |= other.disjoint;
        self.aligned |= other.aligned;
        self.global |= other.global;
        self.lanes |= other.lanes;
    }

    /// As a condition of the rewriting: `if pointers do not overlap and are aligned`; none where nothing is tested.
    pub fn condition(self) -> Option<String> {
        let pointers = [
            (self.disjoint, "do not overlap"),
            (self.aligned, "are aligned"),
            (self.global, "are of global memory"),
        ];
        let pointers = pointers.into_iter().filter(|(tested, _)| *tested);
        let pointers: Vec<&str> = pointers.map(|(_, what)| what).collect();
        let pointers = match pointers[..] {
            [] => None,
            [one] => Some(format!("pointers {one}")),
            [ref rest @ .., last] => Some(format!("pointers {} and {last}", rest.join(", "))),
        };
        let lanes = self.lanes.then(|| "checks of indices hold".to_owned());
        let all: Vec<String> = [pointers, lanes].into_iter().flatten().collect();
        (!all.is_empty()).then(|| format!("if {}", all.join(", and ")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_are_one_clause() {
        let mut tested = Tested::default();
        assert_eq!(tested.condition(), None);
        tested.disjoint = true;
        assert_eq!(tested.condition().unwrap(), "if pointers do not overlap");
        tested.add(Tested {
            aligned: true,
            lanes: true,
            ..Tested::default()
        });
        let words = "if pointers do not overlap and are aligned, and checks of indices hold";
        assert_eq!(tested.condition().unwrap(), words);
    }
}
