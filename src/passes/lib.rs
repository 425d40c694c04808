//! Passes over the SSA IR, and the list of them.
//!
//! A pass reads one function and returns a [`Rewrite`]: what is to become of the function, as a [`Patch`], with a remark on each
//! place that it decided about and a claim for each thing that it had to prove. It writes no text and knows none: a back end
//! prints the patch as edits of PTX, or into a module of LLVM. [`ir::patch::verify`](fn@ptxasw_ir::patch::verify) and the back end
//! refuse what does not fit; then the function stays as it was, and the refusal is reported.
//!
//! The driver (`pipeline::ssa`) runs the chosen passes in the order of the [`LIST`]. Each sees the function as the text has it that the
//! pass before has left, read again where that changed it, so no pass sees the patch of another. What is computed of a function is
//! computed once until it changes ([`Results`]). What makes lanes exchange values comes last ([`Pass::crosses_lanes`]).
//!
//! It knows the IR and the emulator, and no front end.
//!
//! # Invariants
//! 1. A pass has no state, and returns a patch; it changes nothing itself.
//! 2. What does not follow from the semantics of the statements is proved or tested at run time, and is a [`Claim`].
//! 3. What may be spent is counted, not timed.
//!
//! # Adding a pass
//! 1. Implement [`Pass`] in a file of this folder. `examples/pass.rs` has two that fit a screen; [`replace`] serves all that compute
//!    statements in another way.
//! 2. Ask before you patch: [`Text::readable`] for every value that a step reads, [`Text::clonable`] for a region with a second
//!    copy. What the text answers with no is a place to leave alone, with a remark.
//!    Ask [`Session::may_change`], too, before a remark says that a statement is changed: a limit counts such places, and leaves some
//!    out.
//! 3. What the rewriting rests on besides the program's own semantics is proved by [`Session::emulation`] and
//!    [`Session::solver`], and becomes a [`Claim`].
//! 4. Add it to [`LIST`], with `default: false` until its profit is known; `--passes NAME` runs it, and `--print-after NAME` shows
//!    what it leaves.
//! 5. Add it to the passes that `src/llvm/tests/passes` runs on every file of `ptx-tests/` and `llvm-tests/`, through both back
//!    ends: no patch may be refused, and the executor compares the results.

mod list;
pub mod loops;
pub mod memory;
mod remark;
mod replace;
pub mod rules;
pub mod saturate;
pub mod scalar;
pub mod shuffle;
mod tested;

pub use list::{BadPass, LIST, Listed, Passes, named};
pub use remark::{Fate, Remark};
pub use replace::{Statement, replace};
pub use tested::Tested;

use memory::{Loads, MemoryOptions};
use ptxasw_emulator::certificate::Obligation;
use ptxasw_emulator::solver::{self, Chain, Z3Solver};
use ptxasw_emulator::{Emulation, Results};
use ptxasw_ir::analyses::Analyses;
use ptxasw_ir::function::{Function, InstId};
use ptxasw_ir::module::Fact;
use ptxasw_ir::patch::{Patch, Target, Text};
use rustc_hash::FxHashSet;
use saturate::SaturationOptions;
use shuffle::Search;
use std::cell::{Cell, RefMut};
use std::panic::RefUnwindSafe;

/// A transformation of one function. A pass has no state: it runs on several threads, and its panics are caught.
pub trait Pass: Sync + RefUnwindSafe {
    /// Its name in `--passes` and in remarks.
    fn name(&self) -> &'static str;
    /// It changes the arithmetic of a thread alone: then it stays only where the machine code gains by it (`guard::arithmetic`).
    fn is_arithmetic(&self) -> bool {
        false
    }
    /// It makes lanes of a warp exchange values, as [`shuffle`] alone does. Then it runs after all that do not, on functions that know
    /// what is known of their callers and callees ([`Session::facts`]), where the text allows that, and says of each other function
    /// why it did not run.
    fn crosses_lanes(&self) -> bool {
        false
    }
    /// What is to become of the function. An empty patch leaves it as it is.
    fn run(&self, session: &Session) -> Rewrite;
}

/// What a pass wants to do to a function.
#[derive(Clone, Debug, Default)]
pub struct Rewrite {
    /// Changes to the function; empty if there are none.
    pub patch: Patch,
    /// What was done, and what was not, and why.
    pub remarks: Vec<Remark>,
    /// What the changes rest on.
    pub claims: Vec<Claim>,
    /// What of it solvers can check, where [`Session::certified`] asks for it.
    pub obligations: Vec<Obligation>,
    /// It was shown that no block of the kernel waits for another block, for another grid, or for the host: then fewer of them may be
    /// resident.
    pub waits_for_none: bool,
    /// What the changes test at run time.
    pub tested: Tested,
    /// The lowest level of the memory pass that is expected to come to the same.
    pub least: Option<Loads>,
    /// The pass asks to run once more, on what this leaves of the function: only [`Session::more_rounds`] allows it.
    pub again: bool,
    /// What the pass for shuffles found besides, for reports.
    pub search: Option<Box<Search>>,
    /// An internal error: there is no patch.
    pub fault: Option<String>,
}

/// Something that must hold for a rewriting to be right, and does not follow from the semantics of the statements alone: that
/// two addresses differ, that an index does not wrap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The instruction whose rewriting rests on it.
    pub at: InstId,
    /// The condition of the pass's contract that was met, if it has such: `C1`.
    pub condition: Option<&'static str>,
    /// What was proved, and by what.
    pub evidence: String,
}

impl Claim {
    /// One that meets no condition of a contract.
    pub fn new(at: InstId, evidence: impl Into<String>) -> Self {
        Claim {
            at,
            condition: None,
            evidence: evidence.into(),
        }
    }
}

/// What a pass may spend on one function. All of it is counted, not timed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Terms that [`Session::emulation`] may take.
    pub terms: usize,
    /// What the solver may spend.
    pub solver: solver::Limits,
}

/// A function under a pass, and what the pass may ask about it.
pub struct Session<'a> {
    /// The function, as lowered from the text that the pass before has left.
    pub function: &'a Function,
    /// What is computed of it once, for all passes.
    results: &'a Results,
    /// The text from which it was lowered.
    pub text: &'a dyn Text,
    /// What machine code is made for.
    pub target: Target,
    /// What may be spent.
    pub limits: Limits,
    /// What the user lets the memory pass do.
    pub memory: MemoryOptions,
    /// What the user lets saturation do.
    pub saturation: SaturationOptions,
    /// What the user lets shuffles do.
    pub shuffles: shuffle::synthesis::Options,
    /// What proofs in the function rest on by what is known of its callers and callees.
    pub facts: &'a [Fact],
    /// What the changes rest on is to be stated for other solvers.
    pub certificates: bool,
    /// The pass may run again on what it leaves of the function. Then it should do now what shows it more, and all else at last: a
    /// region that has a second copy, or what was put together, is not to be looked at again.
    pub more_rounds: bool,
    /// The statements that may be changed, where a limit on rewritings leaves some out; else all may.
    pub limited_to: Option<&'a FxHashSet<u32>>,
    /// The pass has asked for the emulation.
    emulated: Cell<bool>,
}

impl<'a> Session<'a> {
    /// Of a function, with what was computed of it so far.
    pub fn new(
        function: &'a Function,
        results: &'a Results,
        text: &'a dyn Text,
        target: Target,
        limits: Limits,
        memory: MemoryOptions,
    ) -> Self {
        Session {
            function,
            results,
            text,
            target,
            limits,
            memory,
            saturation: SaturationOptions::default(),
            shuffles: shuffle::synthesis::Options::default(),
            facts: &[],
            certificates: false,
            more_rounds: false,
            limited_to: None,
            emulated: Cell::new(false),
        }
    }

    /// Sets whether what the changes rest on is recorded for other solvers, too.
    pub fn certified(self, certificates: bool) -> Self {
        Session {
            certificates,
            ..self
        }
    }

    /// Sets what the user lets saturation do.
    pub fn saturated(self, saturation: SaturationOptions) -> Self {
        Session { saturation, ..self }
    }

    /// Sets what the user lets shuffles do, and what is known of callers and callees.
    pub fn across_lanes(self, shuffles: &shuffle::synthesis::Options, facts: &'a [Fact]) -> Self {
        Session {
            shuffles: shuffles.clone(),
            facts,
            ..self
        }
    }

    /// Sets whether other rounds may follow.
    pub fn with_more_rounds(self, more_rounds: bool) -> Self {
        Session {
            more_rounds,
            ..self
        }
    }

    /// Sets the statements that may be changed, if not all may.
    pub fn with_limit(self, limited_to: Option<&'a FxHashSet<u32>>) -> Self {
        Session { limited_to, ..self }
    }

    /// The same without a limit on rewritings.
    fn without_limit(&self) -> Self {
        Session {
            limited_to: None,
            shuffles: self.shuffles.clone(),
            emulated: Cell::new(false),
            ..*self
        }
    }

    /// Whether the statement of an instruction may be changed. A pass asks for each statement on which it remarks that it is changed.
    pub fn may_change(&self, inst: InstId) -> bool {
        let origin = self.function.inst(inst).origin;
        self.limited_to.is_none_or(|all| all.contains(&origin))
    }

    /// The analyses of the function, made when first asked for.
    pub fn analyses(&self) -> &Analyses {
        self.results.analyses(self.function)
    }

    /// The terms and the memory trace of the function, made when first asked for; none if the limit of terms is too low. New
    /// terms go into the same arena, so only one borrow may be alive at a time.
    pub fn emulation(&self) -> Option<RefMut<'_, Emulation>> {
        match self.emulated.replace(true) {
            true => self.results.current(self.limits.terms),
            false => self.results.emulation(self.function, self.limits.terms),
        }
    }

    /// The emulation as it was first made, without the terms that this pass has added.
    pub fn new_emulation(&self) -> Option<RefMut<'_, Emulation>> {
        self.emulated.set(false);
        self.emulation()
    }

    /// Forgets the emulation: the pass may have left it in any state.
    pub fn forget_emulation(&self) {
        self.results.forget_emulation();
    }

    /// A prover for queries over the terms of [`Session::emulation`]. Ask one for all queries: it remembers answers, and its
    /// limits are those of the whole function.
    pub fn solver(&self) -> Chain {
        let limits = self.limits.solver.of_kernel(self.function.insts.len());
        Chain::new(Z3Solver::with_limits(limits))
    }
}
