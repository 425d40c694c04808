//! The stages of the pipeline, one by one.

use ptxasw::emulator::Emulation;
use ptxasw::ir::patch::{Target, verify};
use ptxasw::passes::shuffle::lower::{Variant, lower};
use ptxasw::passes::shuffle::synthesis::{self, Synthesis};
use ptxasw::pipeline::{Options, Reading};
use ptxasw::ptx::ast::Module;
use ptxasw::ptx::decode::{self, form};
use ptxasw::ptx::text::edit;
use ptxasw::ptx::write::{Signature, Stem, View, write};
use ptxasw::solver::{Chain, Z3Solver};

/// The first kernel of a module with all that is made of it on the way to the rewritten text.
pub struct Stages<'t> {
    /// Its text.
    pub text: &'t [u8],
    /// Parsed.
    pub module: Module<'t>,
    /// Decoded headers.
    pub headers: form::Module,
    /// The kernel's function.
    index: usize,
}

impl<'t> Stages<'t> {
    /// Parses a module whose first body is a kernel.
    pub fn new(text: &'t [u8]) -> Self {
        let module = ptxasw::ptx::parse(text).expect("a module");
        let headers = decode::headers(&module);
        let index = headers
            .functions
            .iter()
            .position(|function| function.defined && function.entry)
            .expect("a kernel");
        Stages {
            text,
            module,
            headers,
            index,
        }
    }

    /// Decoding, lowering to SSA, dominators, loops, divergence.
    pub fn prepare(&self) -> Reading {
        Reading::read(&self.module, &self.headers, self.index).expect("a body")
    }

    /// Detection and proof.
    pub fn synthesize(&self, reading: &Reading, emulation: &mut Emulation) -> Synthesis {
        let mut solver = Chain::new(Z3Solver::default());
        let body = &reading.body;
        let mut synthesis = synthesis::synthesize(
            reading.function(),
            reading.analyses(),
            emulation,
            &View::new(&self.module, &body.form, &body.lowered),
            &mut solver,
            &Options::default().synthesis,
            None,
        );
        synthesis.plan.item = self.headers.functions[self.index].item;
        synthesis
    }

    /// The plan as a patch, text edits, and their application.
    pub fn emit(&self, reading: &Reading, synthesis: &Synthesis) -> Vec<u8> {
        let (body, target) = (&reading.body, Target::default());
        let view = View::new(&self.module, &body.form, &body.lowered);
        let function = reading.function();
        let patch = lower(function, &synthesis.plan, target, Variant::Normal).expect("a patch");
        let verified = verify(function, &patch).expect("a sound patch");
        let signature = Signature {
            stem: Stem::Shuffle,
            mark: None,
        };
        let written = write(&view, &verified, signature).expect("edits");
        edit::apply(self.text, &written.edits).expect("a text")
    }
}
