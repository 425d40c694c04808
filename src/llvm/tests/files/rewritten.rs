//! Modules rewritten by their schemes, compiled by LLVM's code generator, assembled and executed.

use crate::files::assemble::{Text, refused};
use crate::files::case::Case;
use crate::files::compare::{Rewritten, all_equal, all_equal_by_themselves};
use crate::files::versions;
use inkwell::context::Context;
use inkwell::module::Module;
use ptxasw::Options;
use ptxasw::passes::shuffle::Search;
use ptxasw::passes::shuffle::plan::Wrapping;
use ptxasw::passes::shuffle::synthesis;
use ptxasw::toolchain::{Arch, Assembler};
use ptxasw_llvm::outputs::{self, Kind};
use ptxasw_llvm::{read, stage};
use std::collections::HashSet;
use std::env;

/// What modules are compiled for that don't say it.
pub const ARCH: &str = "sm_80";

/// Cases that request a version of PTX which their target did not exist in: LLVM 22 refuses them.
const REFUSED: [&str; 3] = [
    "lower/target",
    "producers/blur.clang-omp",
    "producers/conv1d.clang-omp",
];

/// Whether the code generator may refuse the original of a case. An older one lacks instructions, or makes some that there are not.
pub fn may_refuse(name: &str) -> bool {
    !versions::reads_all() || versions::VERSION >= "22" && REFUSED.contains(&name)
}

fn options(case: &Case, wrapping: Option<Wrapping>) -> Options {
    Options {
        synthesis: synthesis::Options {
            wrapping,
            ..case.synthesis()
        },
        jobs: 1,
        ..Options::of_shuffles()
    }
}

/// The PTX that `llc` makes of a module.
pub fn compiled(module: &Module) -> Result<Vec<u8>, String> {
    outputs::write(module, Kind::Ptx, Some(ARCH)).map_err(|error| error.to_string())
}

/// Whether `llc` and `ptxas` take a case as it is.
fn is_compiled(case: &Case) -> bool {
    let context = Context::create();
    let module = read(&context, case);
    let text = module.and_then(|module| compiled(&module));
    text.is_ok_and(|text| {
        let wrapping = None;
        assembles(&[Rewritten { wrapping, text }]).is_ok()
    })
}

/// What its schemes make of a case, as PTX; each different module is compiled once.
fn rewritings(case: &Case) -> Result<Vec<Rewritten>, String> {
    let mut modules = HashSet::new();
    let mut found: Vec<Rewritten> = Vec::new();
    for wrapping in case.schemes() {
        let context = Context::create();
        let module = read(&context, case)?;
        let done = stage::rewrite(&module, &options(case, wrapping));
        let done = done.map_err(|error| error.to_string())?;
        if done.searches().any(Search::has_shuffles)
            && modules.insert(module.print_to_string().to_string())
        {
            let text = compiled(&module)?;
            found.push(Rewritten { wrapping, text });
        }
    }
    Ok(found)
}

/// How many loads become shuffles.
pub fn shuffles(case: &Case) -> Result<usize, String> {
    let context = Context::create();
    let done = stage::rewrite(&read(&context, case)?, &options(case, None));
    let done = done.map_err(|error| error.to_string())?;
    Ok(done.searches().map(|one| one.plan.shuffles.len()).sum())
}

pub fn read<'c>(context: &'c Context, case: &Case) -> Result<Module<'c>, String> {
    let module = read::read(context, case.text.as_bytes(), &case.name);
    module.map_err(|error| error.to_string())
}

/// What every scheme of a module makes of it is compiled and assembled, and leaves the same memory behind as the original: under
/// the launches of the file, or under such as are made up.
pub fn equal(case: &Case) -> Result<(), String> {
    let rewritings = rewritings(case).and_then(|rewritings| {
        assembles(&rewritings)?;
        Ok(rewritings)
    });
    let rewritings = match rewritings {
        Err(_) if may_refuse(&case.name) && !is_compiled(case) => return Ok(()),
        rewritings => rewritings?,
    };
    if rewritings.is_empty() {
        return Ok(());
    }
    if versions::is_miscompiled(&case.name) {
        return Ok(());
    }
    let original = compiled(&read(&Context::create(), case)?)?;
    match case.launches.is_empty() {
        true => all_equal_by_themselves(&original, &rewritings.iter().collect::<Vec<_>>()),
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
    let texts = rewritings.iter().map(|one| Text {
        name: format!("{:?}", one.wrapping),
        bytes: &one.text,
    });
    let refused = refused(&assembler, arch, &texts.collect::<Vec<_>>());
    refused
        .into_iter()
        .next()
        .map_or(Ok(()), |(_, error)| Err(error))
}
