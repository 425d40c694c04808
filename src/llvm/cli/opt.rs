//! `ptxasw opt` of LLVM IR: rewrite a module.

use super::input;
use inkwell::context::Context;
use inkwell::module::Module;
use ptxasw_driver::pipeline::Options;
use ptxasw_driver::pipeline::record;
use ptxasw_driver::report::verdict::Estimates;
use ptxasw_llvm::outputs::{self, Kind};
use ptxasw_llvm::stage::{self, Done, Extras};
use ptxasw_ptx::decode::form;
use ptxasw_tools::cli::files;
use ptxasw_tools::cli::opt::{Arguments, Emit};
use std::path::Path;

pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let options = arguments.options()?;
    arguments.check_places()?;
    let context = Context::create();
    let (path, arch) = (&arguments.input, arguments.synthesis.arch());
    let module = input::device_any(&context, path, arch, arguments.quiet)?;
    input::check_choices(&module, path, &options, arguments.quiet)?;
    input::run_passes(&module, &arguments.passes, arguments.synthesis.arch())?;
    let done = rewritten(arguments, &module, &options)?;
    arguments.say_judged(&done.found.judged);
    arguments.say_checked(&done.found.checked);
    arguments.say_passed(&done.passes, &done.printed, b"");
    let bytes = outputs::write(&module, kind(arguments), arguments.synthesis.arch())?;
    arguments.record(done.decisions())?;
    files::write(&arguments.output, &bytes)?;
    let has_function = input::has_function(&module);
    arguments.report(done.decisions(), has_function, &Estimates::default());
    Ok(())
}

fn rewritten(arguments: &Arguments, module: &Module, options: &Options) -> anyhow::Result<Done> {
    let launches = |original: &form::Module| arguments.verification(original);
    let arch = arguments.synthesis.arch();
    let record = record::folder();
    let extras = Extras {
        wanted: arguments.wanted(&launches, || stage::arch(module, arch)),
        arch,
        remarks: None,
        record: record.as_deref(),
    };
    Ok(stage::rewrite_with(module, options, &extras)?)
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
