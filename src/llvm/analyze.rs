//! From a module in LLVM IR to plans.

use crate::binding::Binding;
use crate::kernels::{self, Entry};
use crate::linkage;
use crate::lower::{self, Lowered};
use crate::mark;
use crate::ssa::{self, Passed};
use crate::target;
use crate::text::{Text, printed_name};
use crate::view::View;
use crate::view::layout::Layout;
use crate::write::FunctionText;
use ptxasw::Options;
use ptxasw::emulator::Results;
use ptxasw::ir::module::Fact;
use ptxasw::pipeline::{self, Descent, Kernel};
use ptxasw::ptx::ast::Span;
use ptxasw::report::explain::Places;
use ptxasw::report::positions::SourcePosition;
use ptxasw::shuffle::refusal::{Refusal, limit};

/// A function of a module, with what is done to it.
struct Analyzed<'m> {
    /// What was found. Its item is the place of the function among those with a body.
    kernel: Kernel,
    /// The function in SSA form, with its statements; none of what is not looked at.
    lowered: Lowered<'m>,
}

/// A module, of which everything that reports and emitters need is known.
pub struct Module<'m> {
    /// The module.
    pub view: View<'m>,
    /// As LLVM prints it.
    pub text: Text,
    line_ends: Vec<u32>,
}

impl<'m> Module<'m> {
    /// Prints a module, of which nothing may change while its statements are spoken of.
    pub fn new(view: View<'m>) -> Self {
        let text = Text::new(view);
        let ends = text.text.bytes().zip(0u32..);
        let line_ends = ends
            .filter_map(|(byte, at)| (byte == b'\n').then_some(at))
            .collect();
        Module {
            view,
            text,
            line_ends,
        }
    }

    /// What can be asked about the text of a lowered function.
    pub fn text_of<'a>(&'a self, lowered: &'a Lowered<'m>) -> FunctionText<'a, 'm> {
        let layout = Layout::new(self.view);
        let binding = Binding::new(lowered, layout, &self.text, &self.line_ends);
        FunctionText::new(self.view, lowered, binding)
    }

    /// Analyses all kernels and device functions that the options choose, after the passes: what was found, and the functions in SSA
    /// form.
    pub fn analyze(
        &self,
        options: &Options,
        passed: &mut Passed,
    ) -> (Vec<Kernel>, Vec<Lowered<'m>>) {
        let options = &*mark::of_input(self.view, options);
        let all = self.analyze_all(options, passed).into_iter();
        all.map(|one| (one.kernel, one.lowered)).unzip()
    }

    fn analyze_all(&self, options: &Options, passed: &mut Passed) -> Vec<Analyzed<'m>> {
        let entries = kernels::functions(self.view);
        let mut bodies: Vec<Lowered<'m>> = entries
            .iter()
            .map(|entry| lower::lower(self.view, entry))
            .collect();
        let facts = linkage::link(self.view, &entries, &mut bodies);
        let refusal = target::unsupported(self.view.functions(), options.arch);
        let compiled_for = target::compiled_for(self.view.functions());
        let target = options.arch.or(compiled_for);
        let all = (0u32..).zip(entries.iter().zip(bodies.into_iter().zip(facts)));
        let of_function = |entry: &Entry| options.of_function(&entry.name, target);
        all.filter(|(_, (entry, _))| of_function(entry).kernels.has(&entry.name))
            .filter_map(|(item, (entry, (lowered, facts)))| {
                let accesses = passed.accesses.entry(item);
                accesses.or_insert_with(|| ssa::accesses_as_they_came(entry, &lowered, self));
                let results = passed.results.take(item as usize);
                let results = results.filter(|_| linkage::is_alone(entry, &lowered));
                let body = (lowered, &facts[..], results.unwrap_or_default());
                let found =
                    self.analyze_one(entry, item, body, (target, refusal.as_ref()), options);
                found.map(|one| self.placed(one, passed))
            })
            .collect()
    }

    /// With the places in the input from which its loads come.
    fn placed(&self, mut one: Analyzed<'m>, passed: &Passed) -> Analyzed<'m> {
        let name = printed_name(&one.kernel.name);
        let places = one.kernel.loads.iter().map(|load| {
            let at = self.text.span(&name, load.origin)?.start;
            Some(match &passed.input {
                Some((_, origins)) => origins.origin(at),
                None => (at, Descent::Kept),
            })
        });
        one.kernel.places = places.collect();
        one
    }

    /// There is no report on a device function without loads.
    fn analyze_one(
        &self,
        entry: &Entry<'m>,
        item: u32,
        (lowered, facts, results): (Lowered<'m>, &[Fact], Results),
        (target, refusal_of_target): (Option<u32>, Option<&Refusal>),
        options: &Options,
    ) -> Option<Analyzed<'m>> {
        let options = &options.of_function(&entry.name, target);
        let mut kernel = Kernel::new(&entry.name, entry.kernel, item);
        if !pipeline::has_loads(&lowered.function, &options.synthesis) {
            return entry.kernel.then_some(Analyzed { kernel, lowered });
        }
        let switched_off = || (!options.passes.shuffle).then(|| Refusal::new(&limit::PASS));
        let refusal = options.rewritten(&entry.name).or_else(switched_off);
        let refusal = refusal.or_else(|| target::untouchable(entry.function));
        let refusal = refusal.or_else(|| refusal_of_target.cloned());
        if let Some(refusal) = refusal {
            kernel.skipped = Some(refusal);
            return Some(Analyzed { kernel, lowered });
        }
        let text = self.text_of(&lowered);
        let function = &lowered.function;
        let options = &options.of_kernel(&entry.name);
        let analysis = pipeline::analyze_function(function, &results, &text, target, options);
        kernel.plan = analysis.plan;
        kernel.plan.item = item;
        pipeline::certify(&mut kernel.plan, facts);
        kernel.mark = mark::of(entry.function).unwrap_or_default();
        kernel.mark = kernel.mark.with_passes(options, &entry.name);
        kernel.skipped = analysis.skipped;
        kernel.loads = analysis.loads;
        kernel.questions = analysis.questions;
        kernel.proofs = analysis.proofs;
        Some(Analyzed { kernel, lowered })
    }
}

/// The statements of a function in the printed module.
pub struct Statements<'a, 'm> {
    text: &'a Text,
    name: String,
    lowered: &'a Lowered<'m>,
}

impl<'a, 'm> Statements<'a, 'm> {
    /// Of a function of a module.
    pub fn new(module: &'a Module<'m>, kernel: &Kernel, lowered: &'a Lowered<'m>) -> Self {
        Statements {
            text: &module.text,
            name: printed_name(&kernel.name),
            lowered,
        }
    }
}

impl Places for Statements<'_, '_> {
    fn span(&self, statement: u32) -> Option<Span> {
        self.text.span(&self.name, statement)
    }

    fn source(&self, statement: u32) -> Option<SourcePosition> {
        self.lowered.numbering.instruction(statement)?.source_line()
    }
}
