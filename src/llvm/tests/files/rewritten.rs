//! Modules rewritten by every wrapping that IR has, compiled by LLVM's code generator, assembled and executed.

use crate::case::Case;
use crate::compare::{Rewritten, SMALL, all_equal, all_equal_by_themselves};
use inkwell::context::Context;
use inkwell::module::Module;
use ptxasw::Options;
use ptxasw::shuffle::plan::Wrapping;
use ptxasw::shuffle::synthesis;
use ptxasw::toolchain::{Arch, Assembler};
use ptxasw_llvm::outputs::{self, Kind};
use ptxasw_llvm::{read, stage};
use std::env;

/// The rule's own choice, and every wrapping by name.
const WRAPPINGS: [Option<Wrapping>; 11] = [
    None,
    Some(Wrapping::Row),
    Some(Wrapping::AnyRow),
    Some(Wrapping::WholeRows),
    Some(Wrapping::Contiguous),
    Some(Wrapping::Full),
    Some(Wrapping::Paper),
    Some(Wrapping::Early),
    Some(Wrapping::Hoist),
    Some(Wrapping::FastLoop),
    Some(Wrapping::Versioned),
];
/// What modules are compiled for that don't say it.
const ARCH: &str = "sm_80";

fn options(case: &Case, wrapping: Option<Wrapping>) -> Options {
    Options {
        synthesis: synthesis::Options {
            wrapping,
            ..case.synthesis()
        },
        jobs: 1,
        ..Default::default()
    }
}

/// The PTX of a case as it is, or rewritten; none if nothing is.
fn compiled(case: &Case, options: Option<&Options>) -> Result<Option<Vec<u8>>, String> {
    let context = Context::create();
    let module = read::read(&context, case.text.as_bytes(), &case.name);
    let module: Module = module.map_err(|error| error.to_string())?;
    if let Some(options) = options {
        let kernels = stage::rewrite(&module, options).map_err(|error| error.to_string())?;
        if kernels.iter().all(|kernel| kernel.plan.shuffles.is_empty()) {
            return Ok(None);
        }
    }
    let ptx = outputs::write(&module, Kind::Ptx, Some(ARCH));
    ptx.map(Some).map_err(|error| error.to_string())
}

fn rewritings(case: &Case, wrappings: &[Option<Wrapping>]) -> Result<Vec<Rewritten>, String> {
    let mut found: Vec<Rewritten> = Vec::new();
    for &wrapping in wrappings {
        let text = compiled(case, Some(&options(case, wrapping)))?;
        let Some(text) = text else { continue };
        if found.iter().all(|other| other.text != text) {
            found.push(Rewritten { wrapping, text });
        }
    }
    Ok(found)
}

/// What every wrapping makes of a module is compiled and assembled, and leaves the same memory behind as the original: under
/// the launches of the file, or under such as are made up.
pub fn equal(case: &Case) -> Result<(), String> {
    let wrappings = match case.text.len() <= SMALL {
        true => &WRAPPINGS[..],
        false => &[None, Some(Wrapping::Contiguous)],
    };
    let rewritings = rewritings(case, wrappings)?;
    if rewritings.is_empty() {
        return Ok(());
    }
    let original = compiled(case, None)?.unwrap_or_default();
    assembles(&rewritings)?;
    match case.launches.is_empty() {
        true => all_equal_by_themselves(&original, &rewritings),
        false => all_equal(case, &original, &rewritings),
    }
}

fn assembles(rewritings: &[Rewritten]) -> Result<(), String> {
    let arch: Arch = ARCH.parse().map_err(|_| "no such target".to_owned())?;
    let Ok(assembler) = Assembler::find(arch) else {
        return match env::var_os("CI") {
            Some(_) => Err("no ptxas".into()),
            None => Ok(()),
        };
    };
    for Rewritten { wrapping, text } in rewritings {
        let assembled = assembler.assemble(text, arch);
        assembled.map_err(|error| format!("{wrapping:?}: {error}"))?;
    }
    Ok(())
}
