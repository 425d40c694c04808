//! How much tuning may do. It is counted and not timed, so that the outcome is the same on every machine.
//!
//! One unit is about a warp instruction that the CPU executes, or a machine instruction of which the clock replays the wait.

/// The default: about a minute on two processors.
pub const EFFORT: u64 = 1 << 28;

/// A module that is rewritten and assembled, besides its size.
const MODULE: u64 = 1 << 20;
/// Each byte of it.
const BYTE: u64 = 1 << 5;
/// Each question to the solver.
const QUESTION: u64 = 1 << 16;

/// What is left of it.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    left: u64,
}

impl Effort {
    /// So many units.
    pub fn new(units: u64) -> Self {
        Effort { left: units }
    }

    /// Takes what some work will cost; false where less is left, and then nothing is taken.
    pub fn take(&mut self, units: u64) -> bool {
        let left = self.left.checked_sub(units);
        self.left = left.unwrap_or(self.left);
        left.is_some()
    }

    /// Takes what work has cost whose cost is known afterwards alone.
    pub fn spend(&mut self, units: u64) {
        self.left = self.left.saturating_sub(units);
    }

    /// Whether nothing is left.
    pub fn is_spent(&self) -> bool {
        self.left == 0
    }
}

/// What it cost to rewrite and to assemble a module of so many bytes, with so many questions to the solver.
pub fn of_module(bytes: usize, questions: u64) -> u64 {
    let bytes = BYTE.saturating_mul(bytes as u64);
    let questions = QUESTION.saturating_mul(questions);
    MODULE.saturating_add(bytes).saturating_add(questions)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_left_is_not_taken() {
        let mut effort = Effort::new(10);
        assert!(effort.take(6) && !effort.take(5) && effort.take(4));
        assert!(effort.is_spent());
        let mut effort = Effort::new(3);
        effort.spend(5);
        assert!(effort.is_spent() && effort.take(0));
        assert!(of_module(usize::MAX, u64::MAX) > of_module(1000, 3));
    }
}
