//! What was rewritten stays as it is: as LLVM IR, and as the PTX that the code generator makes of it.

use crate::files::case::Case;
use crate::files::compare::soak;
use crate::files::rewritten::{compiled, may_refuse};
use inkwell::context::Context;
use ptxasw::Options;
use ptxasw::passes::memory::Loads;
use ptxasw::passes::shuffle::profit::Profit;
use ptxasw::passes::shuffle::synthesis;
use ptxasw::pipeline::Marks;
use ptxasw::ptx;
use ptxasw_llvm::view::View;
use ptxasw_llvm::{kernels, mark, read, stage};

/// By default, and where all is done that is sound.
pub fn check(case: &Case) -> Result<(), String> {
    let choices = [
        (Profit::Auto, Loads::default()),
        (Profit::Always, Loads::Always),
    ];
    for (profit, loads) in choices {
        let mut options = Options {
            synthesis: synthesis::Options {
                profit,
                ..case.synthesis()
            },
            jobs: 1,
            ..Options::default()
        };
        options.memory.loads = loads;
        let rewrite =
            |text: &[u8]| stage::optimize(text, &options).map_err(|error| error.to_string());
        let once = rewrite(case.text.as_bytes())?;
        if rewrite(&once)? != printed(&once)? {
            return Err(format!("{loads:?}: the output is rewritten again"));
        }
        if loads == Loads::Always || soak() {
            as_ptx(case, &once, &options)?;
        }
    }
    Ok(())
}

/// A module as LLVM prints it once it has read it: predecessors come in another order then.
fn printed(text: &[u8]) -> Result<Vec<u8>, String> {
    let context = Context::create();
    let module = read::read(&context, text, "module").map_err(|error| error.to_string())?;
    Ok(View::new(&module).print_bytes())
}

/// The code generator keeps the marks, and makes the same instructions of a module as without them; a function that has one stays as it is.
fn as_ptx(case: &Case, once: &[u8], options: &Options) -> Result<(), String> {
    let context = Context::create();
    let module = read::read(&context, once, "module").map_err(|error| error.to_string())?;
    let marked = kernels::functions(View::new(&module)).into_iter();
    let marked: Vec<String> = marked
        .filter(|one| one.kernel && mark::of(one.function).is_some())
        .map(|one| one.name)
        .collect();
    if marked.is_empty() {
        return Ok(());
    }
    let text = match compiled(&module) {
        Err(_) if may_refuse(&case.name) => return Ok(()),
        text => text?,
    };
    let ptx = ptx::parse(&text).map_err(|error| error.to_string())?;
    let found = Marks::of(&ptx);
    let output = ptxasw::optimize(&text, options).map_err(|error| error.to_string())?;
    let passes = output.passes.iter().filter(|report| report.changed);
    let changed: Vec<&str> = passes.map(|one| &*one.function).collect();
    // Not all functions are there: some were inlined, or nobody calls them.
    let items = ptx.items.iter().filter_map(|item| match item {
        ptx::ast::Item::Function(one) if one.body.is_some() => Some(ptx.str(one.name)),
        _ => None,
    });
    for name in items.filter(|name| marked.iter().any(|one| one == name)) {
        if found.get(name).is_none() {
            return Err(format!(
                "`{name}` lost its mark:\n{}",
                String::from_utf8_lossy(&text)
            ));
        }
        if changed.contains(&name) {
            return Err(format!("`{name}` is rewritten again as PTX"));
        }
    }
    let plain = read::read(&context, &without_marks(once), "module");
    let plain = compiled(&plain.map_err(|error| error.to_string())?)?;
    match opcodes(&text) == opcodes(&plain) {
        true => Ok(()),
        false => Err(format!(
            "other code with marks:\n{}\nand without:\n{}",
            String::from_utf8_lossy(&text),
            String::from_utf8_lossy(&plain)
        )),
    }
}

/// Without the assembly that marks functions.
fn without_marks(text: &[u8]) -> Vec<u8> {
    let lines = text.split_inclusive(|&byte| byte == b'\n');
    let is_mark =
        |line: &[u8]| String::from_utf8_lossy(line).contains("asm sideeffect \"// ptxasw ");
    lines
        .filter(|line| !is_mark(line))
        .flatten()
        .copied()
        .collect()
}

/// The first words of all lines but comments: a load of a parameter may come earlier or later.
fn opcodes(text: &[u8]) -> Vec<&[u8]> {
    let lines = text.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
    let code = lines.filter(|line| !line.is_empty() && !line.starts_with(b"//"));
    let mut words: Vec<&[u8]> = code
        .map(|line| {
            line.split(u8::is_ascii_whitespace)
                .next()
                .unwrap_or_default()
        })
        .collect();
    words.sort_unstable();
    words
}
