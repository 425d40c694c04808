//! What is computed of a function once, however many passes and reports ask for it.

use super::term::Mark;
use super::{Emulation, emulate_within};
use ptxasw_ir::analyses::Analyses;
use ptxasw_ir::function::Function;
use std::cell::{Cell, OnceCell, RefCell, RefMut};

/// The analyses and the emulation of a function, each made when first asked for. Who asks gives the function, always the same.
#[derive(Default)]
pub struct Results {
    analyses: OnceCell<Analyses>,
    emulated: RefCell<Option<Emulated>>,
    /// The greatest limit of terms that was found too low.
    too_low: Cell<usize>,
}

/// An emulation, and how far it had filled the arena of its terms.
struct Emulated {
    emulation: Emulation,
    mark: Mark,
}

impl Results {
    /// Dominators, loops, divergence.
    pub fn analyses(&self, function: &Function) -> &Analyses {
        self.analyses.get_or_init(|| Analyses::new(function))
    }

    /// The emulation as if it had just been made, for a new consumer: what one consumer adds to the arena would change the order of
    /// the terms of the next. None if it takes more than `most` terms.
    pub fn emulation(&self, function: &Function, most: usize) -> Option<RefMut<'_, Emulation>> {
        if most <= self.too_low.get() {
            return None;
        }
        let mut emulated = self.emulated.borrow_mut();
        match &mut *emulated {
            Some(Emulated { emulation, mark }) if !emulation.altered => {
                emulation.terms.cut_back(mark);
            }
            _ => {
                *emulated =
                    emulate_within(function, self.analyses(function), most).map(Emulated::new);
            }
        }
        if emulated.is_none() {
            self.too_low.set(most);
        }
        drop(emulated);
        self.current(most)
    }

    /// About how many bytes the emulation takes.
    pub fn bytes(&self) -> usize {
        let emulated = self.emulated.borrow();
        emulated
            .as_ref()
            .map_or(0, |one| one.emulation.terms.bytes())
    }

    /// The emulation as its present consumer has left it; none if it takes more than `most` terms by itself.
    pub fn current(&self, most: usize) -> Option<RefMut<'_, Emulation>> {
        let fits = |one: &Emulated| one.mark.terms() <= most;
        let emulated = RefMut::filter_map(self.emulated.borrow_mut(), |one| {
            one.as_mut().filter(|one| fits(one))
        });
        let emulated = emulated.ok()?;
        Some(RefMut::map(emulated, |one| &mut one.emulation))
    }

    /// Forgets the emulation: a consumer may have left it in any state, or there is no room for it.
    pub fn forget_emulation(&self) {
        *self.emulated.borrow_mut() = None;
    }
}

impl Emulated {
    fn new(emulation: Emulation) -> Self {
        let mark = emulation.terms.mark();
        Emulated { emulation, mark }
    }
}
