//! What a compiler's own call of the stage writes beside its output: remarks, figures, texts.

use crate::view::View;
use inkwell::module::Module;
use ptxasw_driver::pipeline::settings::Settings;
use ptxasw_driver::report::files;
use ptxasw_driver::report::function;
use ptxasw_driver::report::stats::Figures;
use ptxasw_driver::report::verdict::FunctionVerdict;
use std::path::Path;
use std::time::Duration;
use xxhash_rust::xxh3::xxh3_128;

use crate::stage::Done;

/// Leaves remarks and figures where the settings ask for them. `before` is the module's bitcode as it came; nothing was done
/// if our work failed.
pub fn leave(settings: &Settings, before: &[u8], done: Option<&Done>, time: Duration) {
    let mut sum = Figures {
        modules: 1,
        failed: done.is_none().into(),
        milliseconds: time.as_secs_f64() * 1e3,
        ..Figures::default()
    };
    if let Some(done) = done {
        for (_, figures) in Figures::by_function(done.decisions()) {
            sum.add(&figures);
        }
        files::remarks(settings, &done.remarks);
        if settings.verbose {
            for function in function::of_module(done.decisions()) {
                ptxasw_base::say!("ptxasw: {}", FunctionVerdict::of(&function).line());
            }
        }
    }
    files::figures(settings, &sum, xxh3_128(before));
    files::table(settings, &sum);
}

/// A module as text, where the settings ask for it.
pub fn text(settings: &Settings, module: &Module) -> Option<Vec<u8>> {
    let wanted = settings.save_temps.is_some();
    wanted.then(|| View::new(module).print_bytes())
}

/// Keeps the text of a module as it came, and of what it became, by its name and target.
pub fn keep(settings: &Settings, module: &Module, name: &str, before: &[u8], rewritten: bool) {
    let file = Path::new(name).file_name().unwrap_or_default();
    let file = file.to_string_lossy();
    let functions = View::new(module).functions();
    let target = functions
        .iter()
        .find_map(|function| function.text_attribute("target-cpu"));
    let stem = format!("{file}.{}", target.as_deref().unwrap_or("nvptx"));
    let after = text(settings, module).filter(|_| rewritten);
    let files = [
        (format!("{stem}.input.ll"), Some(before)),
        (format!("{stem}.rewritten.ll"), after.as_deref()),
    ];
    files::keep(settings, &files);
}

/// Whether anything asks for a module's figures.
pub fn wants_figures(settings: &Settings) -> bool {
    settings.stats || settings.stats_dir.is_some()
}

/// The module's name in messages.
pub fn name(module: &Module) -> String {
    module.get_source_file_name().to_string_lossy().into_owned()
}
