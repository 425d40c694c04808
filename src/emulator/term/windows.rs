//! Where the windows of state spaces begin in generic addresses.
//!
//! `cvta` adds the start of a window to an address of its space and `cvta.to` subtracts it. So the two cancel, also where a
//! constant was added between them. PTX leaves open what they make of an address outside of the window; every address that may be
//! accessed is inside of it.

use super::symbol::{Symbol, Variance};
use super::{TermId, Terms};
use ptxasw_ir::divergence::Level;
use ptxasw_ir::types::Space;

impl Terms {
    /// The generic address of byte 0 of a state space.
    pub fn window(&mut self, space: Space, width: u8) -> TermId {
        let known = self.windows.iter().copied();
        let mut known = known.filter(|&(own, term)| own == space && self.width(term) == width);
        if let Some((_, term)) = known.next() {
            return term;
        }
        let name = format!("window.{space:?}").to_lowercase();
        let term = self.symbol(Symbol::new(name, width, Variance::Of(Level::Uniform)));
        self.windows.push((space, term));
        term
    }

    /// The state space whose window begins at a term.
    pub fn window_at(&self, term: TermId) -> Option<Space> {
        let mut windows = self.windows.iter();
        windows
            .find(|&&(_, start)| start == term)
            .map(|&(space, _)| space)
    }
}
