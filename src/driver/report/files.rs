//! What a call writes beside its output where the settings ask for it: remarks, figures.

use crate::pipeline::settings::Settings;
use crate::report::stats::Figures;
use ptxasw_base::atomic_file;
use std::io;
use std::path::Path;

/// Whether anything asks for what was done.
pub fn is_wanted(settings: &Settings) -> bool {
    settings.stats || settings.stats_dir.is_some() || settings.remarks.is_some()
}

/// Adds remarks to their file.
pub fn remarks(settings: &Settings, remarks: &[u8]) {
    if let Some(path) = &settings.remarks {
        warn_if_unwritten(atomic_file::append(path, remarks), path);
    }
}

/// Leaves figures in their folder. `digest` makes a call another than others of the same build.
pub fn figures(settings: &Settings, figures: &Figures, digest: u128) {
    let Some(folder) = &settings.stats_dir else {
        return;
    };
    let path = folder.join(format!("{digest:032x}.json"));
    let json = serde_json::to_vec(figures).unwrap_or_default();
    let written = std::fs::create_dir_all(folder).and_then(|()| atomic_file::write(&path, &json));
    warn_if_unwritten(written, &path);
}

/// Leaves a module beside the figures, where that is asked for. Its name is the same in every build of it.
pub fn module(settings: &Settings, name: &str, text: &[u8]) {
    let folder = settings.stats_dir.as_ref();
    let Some(folder) = folder.filter(|_| settings.stats_modules) else {
        return;
    };
    let stem = Path::new(name).file_stem().unwrap_or_default();
    let stem = stem.to_string_lossy();
    let digest = xxhash_rust::xxh3::xxh3_64(text);
    let path = folder.join(format!("{}.{digest:016x}.ptx", without_process(&stem)));
    let written = std::fs::create_dir_all(folder).and_then(|()| atomic_file::write(&path, text));
    warn_if_unwritten(written, &path);
}

/// A name of a temporary file of nvcc's, `tmpxft_0000abcd_00000000-6_kernel`, without the numbers of the process.
fn without_process(stem: &str) -> &str {
    let rest = stem.strip_prefix("tmpxft_");
    let rest = rest.and_then(|rest| rest.split_once('-'));
    let rest = rest.and_then(|(_, rest)| rest.split_once('_'));
    rest.map_or(stem, |(_, name)| name)
}

/// Prints figures.
pub fn table(settings: &Settings, figures: &Figures) {
    if settings.stats {
        ptxasw_base::say!("{}", figures.table().to_string().trim_end());
    }
}

/// Keeps files in the folder of `save-temps`; without bytes none of that name is there.
pub fn keep(settings: &Settings, files: &[(String, Option<&[u8]>)]) {
    let Some(folder) = &settings.save_temps else {
        return;
    };
    let _ = std::fs::create_dir_all(folder);
    for (name, bytes) in files {
        let path = folder.join(name);
        match bytes {
            Some(bytes) => warn_if_unwritten(atomic_file::write(&path, bytes), &path),
            None => drop(std::fs::remove_file(&path)),
        }
    }
}

/// A record that cannot be written causes a warning, not a failure.
fn warn_if_unwritten(written: io::Result<()>, path: &Path) {
    if let Err(error) = written {
        ptxasw_base::say!(
            "ptxasw: warning: cannot write `{}`: {error}",
            path.display()
        );
    }
}

#[cfg(test)]
mod tests {
    use super::without_process;

    #[test]
    fn names_do_not_depend_on_the_process() {
        let name = without_process("tmpxft_0000abcd_00000000-6_row_kernel");
        assert_eq!(name, "row_kernel");
        assert_eq!(without_process("tmpxft_k"), "tmpxft_k");
        assert_eq!(without_process("a-b_c"), "a-b_c");
    }
}
