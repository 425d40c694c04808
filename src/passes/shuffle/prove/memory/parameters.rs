//! What C3 takes for granted of pointer parameters, for the words of a proof.

use ptxasw_emulator::domains::alias::Harmless;

/// What is taken for granted of pointer parameters.
#[derive(Clone, Copy, Default)]
pub(super) struct ByParameters {
    /// By choice of the user.
    pub(super) assumed: bool,
    /// By a declaration of the kernel.
    pub(super) declared: bool,
}

impl ByParameters {
    pub(super) fn add(&mut self, how: Harmless) {
        self.assumed |= how == Harmless::Parameters;
        self.declared |= how == Harmless::Declared;
    }

    pub(super) fn merge(&mut self, other: ByParameters) {
        self.assumed |= other.assumed;
        self.declared |= other.declared;
    }
}
