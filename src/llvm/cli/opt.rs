//! `ptxasw opt` of LLVM IR: rewrite a module.

use super::input;
use crate::outputs::{self, Kind};
use crate::passes;
use crate::stage;
use anyhow::ensure;
use inkwell::context::Context;
use ptxasw::cli::files;
use ptxasw::cli::opt::{Arguments, Emit};
use std::path::Path;

pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    ensure!(
        arguments.verify.is_none(),
        "`--verify` is for PTX: let `opt` write PTX of both, then `ptxasw verify` them"
    );
    let options = arguments.options()?;
    let context = Context::create();
    let module = input::read(&context, &arguments.input)?;
    let arch = arguments.synthesis.arch();
    passes::run(&module, &arguments.passes, arch)?;
    let kernels = stage::rewrite(&module, &options)?;
    arguments.record(&kernels)?;
    let bytes = outputs::write(&module, kind(arguments), arch)?;
    files::write(&arguments.output, &bytes)
}

/// As asked for, else by the extension of the output, else text.
fn kind(arguments: &Arguments) -> Kind {
    match arguments.emit {
        Some(Emit::Ll) => Kind::Ir,
        Some(Emit::Bc) => Kind::Bitcode,
        Some(Emit::Ptx) => Kind::Ptx,
        Some(Emit::Cubin) => Kind::Cubin,
        None => Kind::of(Path::new(&arguments.output)).unwrap_or(Kind::Ir),
    }
}
