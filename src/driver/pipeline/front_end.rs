//! What PTX and LLVM IR do differently. All else that is done to a module is written once, over [`FrontEnd`].

use super::Options;
use super::accesses::{self, InputAccess};
use super::mark::Mark;
use super::origins::{Descent, Origins};
use super::ssa::report::Refused;
use crate::report::positions::SourcePosition;
use ptxasw_emulator::Results;
use ptxasw_ir::function::Function;
use ptxasw_ir::module::Fact;
use ptxasw_ir::patch::{Target, Text, Verified};
use ptxasw_passes::Pass;
use ptxasw_passes::shuffle::refusal::Refusal;
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::sync::OnceLock;

/// A module that is read from PTX or LLVM IR. Its functions are numbered; those without a body may have a number, too.
pub trait FrontEnd: Sized {
    /// Why a module can't be read, changed or written.
    type Error: std::error::Error + Send + Sync + 'static;
    /// Why a function can't be read.
    type Unreadable: Send;
    /// A function that was read.
    type Reading<'m>: ReadFunction
    where
        Self: 'm;
    /// What passes may ask about the text of a function.
    type Text<'r>: Text
    where
        Self: 'r;
    /// What carries out the patch of a function.
    type Written: Send;

    /// The options, with what the module records about earlier runs; all that is done to it is done under these.
    fn marked<'o>(&self, options: &'o Options) -> Cow<'o, Options>;
    /// The module as it came.
    fn as_it_came(&self, jobs: usize) -> Result<Self, Self::Error>;
    /// The module as it is now, with some functions changed besides, as PTX. An error is an internal one, or that of a tool.
    fn as_ptx(&self, pending: &[(usize, Self::Written)]) -> Result<Cow<'_, [u8]>, Self::Error>;
    /// The text in which statements have places.
    fn text(&self) -> &[u8];
    /// Places of the text as places of the input; none if no pass has changed anything.
    fn origins(&self) -> Option<&Origins>;
    /// The line of a place of the input.
    fn input_line(&self, at: u32) -> u32;
    /// The loads and stores of the functions that were read, as they came, by the numbers of the functions.
    fn input_accesses(&self) -> &[OnceLock<Vec<InputAccess>>];
    /// The IR of all functions that the options choose.
    fn print(&self, options: &Options) -> Result<String, Self::Error>;

    /// The functions with a body.
    fn functions(&self) -> Vec<usize>;
    /// The name of a function.
    fn name(&self, function: usize) -> &str;
    /// The first position of the source in each function in which the text names one.
    fn sources(&self) -> FxHashMap<usize, SourcePosition>;
    /// Whether it is a kernel, not a device function.
    fn is_entry(&self, function: usize) -> bool;
    /// Its number where the module has other things besides functions: for PTX its item in the syntax tree.
    fn item(&self, function: usize) -> u32;
    /// The number of the target that a function is compiled for.
    fn target(&self, function: usize, options: &Options) -> Option<u32>;
    /// Where a statement of a function is in the text.
    fn statement(&self, function: usize, statement: u32) -> Option<u32>;
    /// Takes what is known of a function; nothing is known of what it calls.
    fn reading(&self, function: usize) -> Result<Self::Reading<'_>, Self::Unreadable>;
    /// Gives back what was taken of a function that has not changed.
    fn keep(&self, function: usize, reading: Self::Reading<'_>);
    /// The text of a function.
    fn text_of<'r, 'm: 'r>(&'m self, reading: &'r Self::Reading<'m>) -> Self::Text<'r>;
    /// Does something with functions, on several threads where the front end can.
    fn each<T: Send>(
        &self,
        jobs: usize,
        functions: Vec<usize>,
        work: impl Fn(&Self, usize) -> Result<T, Self::Unreadable> + Sync,
    ) -> Result<Vec<T>, Self::Error>;
    /// As [`each`](Self::each), on functions that know what is known of their callers and callees. An error is one of any function of
    /// the module.
    fn each_linked<T: Send>(
        &self,
        jobs: usize,
        functions: Vec<usize>,
        work: impl for<'m> Fn(&'m Self, usize, Self::Reading<'m>) -> T + Sync,
    ) -> Result<Vec<T>, Self::Error>;

    /// Whether passes may change a function at all.
    fn may_change(&self, function: usize) -> bool;
    /// What a back end makes of a patch, for a machine of this number.
    fn patch_target(&self, function: usize, architecture: Option<u32>) -> Target;
    /// What a function records about earlier passes.
    fn mark(&self, function: usize) -> Mark;
    /// Writes what a pass changes in a function, which has this mark then. The error says what the text can't express.
    fn write(
        &self,
        function: usize,
        text: &Self::Text<'_>,
        verified: &Verified,
        by: (&dyn Pass, Mark),
        options: &Options,
    ) -> Result<Self::Written, String>;
    /// Whether all bodies make sense: errors have places in the text as it came, so they are looked for before it is changed.
    fn check_all(&self, _jobs: usize) -> Result<(), Self::Error> {
        Ok(())
    }
    /// Changes functions. Where some can't be changed, nothing is: the error names these, and says why.
    fn change(
        &mut self,
        changed: &[(usize, Self::Written)],
        jobs: usize,
    ) -> Result<(), Vec<(usize, Refused)>>;

    /// Why the text of a function can't have shuffles, or must stay as it is.
    fn refusal(&self, function: usize, options: &Options) -> Option<Refusal>;

    /// Notes the loads and stores of a function that was read, if it is the first time.
    fn note_accesses(&self, function: usize, read: &Function) {
        let place = |statement| Some(self.place(function, statement)?.0);
        let of_input = || accesses::of_function(read, place);
        self.input_accesses()[function].get_or_init(of_input);
    }

    /// Where a statement of a function comes from in the input.
    fn place(&self, function: usize, statement: u32) -> Option<(u32, Descent)> {
        let at = self.statement(function, statement)?;
        let origins = self.origins();
        Some(origins.map_or((at, Descent::Kept), |origins| origins.origin(at)))
    }
}

/// A function that was read, with all that was computed of it: what passes and the emulation start from.
pub trait ReadFunction {
    /// Its SSA form.
    fn function(&self) -> &Function;
    /// Analyses and emulation.
    fn results(&self) -> &Results;
    /// What proofs in it rest on by what is known of its callers and callees.
    fn facts(&self) -> &[Fact];
}
