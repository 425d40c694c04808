//! What a compiler's own call of our stage leaves behind: figures, and one line of warning.

use inkwell::module::Module;
use ptxasw::dropin::settings::Settings;
use ptxasw::pipeline::Kernel;
use ptxasw::publish;
use ptxasw::report::stats::Figures;
use std::time::Duration;
use xxhash_rust::xxh3::xxh3_128;

/// Leaves the figures where the settings ask for them. `before` is the module's bitcode as it came.
pub fn figures(
    settings: &Settings,
    before: &[u8],
    kernels: &[Kernel],
    failed: bool,
    time: Duration,
) {
    let mut sum = Figures {
        modules: 1,
        failed: failed.into(),
        milliseconds: time.as_secs_f64() * 1e3,
        ..Figures::default()
    };
    for kernel in kernels {
        sum.add(&Figures::of(kernel));
    }
    if let Some(folder) = &settings.stats_dir {
        let path = folder.join(format!("{:032x}.json", xxh3_128(before)));
        let json = serde_json::to_vec(&sum).unwrap_or_default();
        let written = std::fs::create_dir_all(folder).and_then(|()| publish::write(&path, &json));
        if let Err(error) = written {
            eprintln!(
                "ptxasw: warning: cannot write `{}`: {error}",
                path.display()
            );
        }
    }
    if settings.stats {
        eprint!("{}", sum.table());
    }
}

/// Whether anything asks for a module's figures.
pub fn wants_figures(settings: &Settings) -> bool {
    settings.stats || settings.stats_dir.is_some()
}

/// The module's name in messages.
pub fn name(module: &Module) -> String {
    module.get_source_file_name().to_string_lossy().into_owned()
}
