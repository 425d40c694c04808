//! What the drop-in adds to a whole build: `ptxas` over modules of nvcc's in `target/corpus`, with and without it, with an empty cache
//! and with a full one.

use crate::process::{median, run};
use ptxasw::toolchain::{Arch, Assembler};
use std::fmt::Write as _;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Of the modules every so many is taken.
const EVERY: usize = 2;
/// Targets that the assembler takes.
const TARGETS: [&str; 4] = ["sm_75", "sm_80", "sm_90", "sm_120"];

/// Seconds of a module's assemblies.
#[derive(Default)]
struct Times {
    plain: f64,
    /// In the order of [`COLUMNS`].
    ours: [f64; 3],
    is_changed: bool,
}

const COLUMNS: [&str; 3] = ["no cache", "empty cache", "full cache"];

/// The table.
pub fn table() -> String {
    let Ok(assembler) = Assembler::find(Arch::new(80)) else {
        return "no ptxas\n".to_string();
    };
    let modules = modules();
    if modules.is_empty() {
        return "no modules: `make corpus` makes them\n".to_string();
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    let link = folder.path().join("ptxas");
    symlink(env!("CARGO_BIN_EXE_ptxasw"), &link).expect("a link");
    let times: Vec<Times> = modules
        .iter()
        .map(|(module, target)| timed(assembler.path(), &link, folder.path(), module, target))
        .collect();
    let mut out = String::from(
        "| modules | | `ptxas` s | no cache | empty cache | full cache |\n| --- | ---: | ---: | ---: | ---: | ---: |\n",
    );
    row(&mut out, "all", &times, |_| true);
    row(&mut out, "changed", &times, |one| one.is_changed);
    row(&mut out, "not changed", &times, |one| !one.is_changed);
    out
}

/// Sums over some modules, as ratios to `ptxas` alone.
fn row(out: &mut String, name: &str, all: &[Times], is_meant: impl Fn(&Times) -> bool) {
    let some: Vec<&Times> = all.iter().filter(|one| is_meant(one)).collect();
    let plain: f64 = some.iter().map(|one| one.plain).sum();
    let _ = write!(out, "| {name} | {} | {plain:.1} |", some.len());
    for column in 0..COLUMNS.len() {
        let ours: f64 = some.iter().map(|one| one.ours[column]).sum();
        let each = some.iter().map(|one| one.ours[column] / one.plain);
        let middle = median(each.collect());
        let _ = write!(out, " {:.2} ({middle:.2}) |", ours / plain);
    }
    out.push('\n');
}

/// Every [`EVERY`]th module of nvcc's that the assembler takes, and its target.
fn modules() -> Vec<(PathBuf, &'static str)> {
    let pattern = concat!(env!("CARGO_MANIFEST_DIR"), "/target/corpus/nvcc-13.5/*.ptx");
    let files = glob::glob(pattern).expect("a pattern").flatten();
    let mut files: Vec<PathBuf> = files.collect();
    files.sort();
    let some = files.into_iter().step_by(EVERY);
    let known = some.filter_map(|file| {
        let text = fs::read_to_string(&file).ok()?;
        let target = Arch::of_module(&text)?.to_string();
        let target = TARGETS.into_iter().find(|one| *one == target)?;
        // Parts of programs and debug builds have other options.
        let is_whole = !text.contains(".extern .func") && !text.contains(".target sm_80, debug");
        is_whole.then_some((file, target))
    });
    known.collect()
}

/// The least of three runs of each kind, in turn.
fn timed(ptxas: &Path, link: &Path, folder: &Path, module: &Path, target: &str) -> Times {
    let output = folder.join("out");
    let cache = folder.join("cache");
    let command = |program: &Path| {
        let mut command = Command::new(program);
        command.arg(format!("-arch={target}")).arg(module);
        command.arg("-o").arg(&output);
        command.env("PTXASW_PTXAS", ptxas);
        command.env("XDG_CACHE_HOME", &cache);
        command.env_remove("PTXASW_NO_CACHE");
        command
    };
    let seconds = |mut command: Command| run(&mut command).wall.as_secs_f64();
    let mut least = Times {
        plain: f64::INFINITY,
        ours: [f64::INFINITY; 3],
        is_changed: false,
    };
    for _ in 0..3 {
        least.plain = least.plain.min(seconds(command(ptxas)));
        let plain = fs::read(&output).expect("machine code");
        let mut without = command(link);
        without.env("PTXASW_NO_CACHE", "1");
        let _ = fs::remove_dir_all(cache.join("ptxasw/assembled"));
        // The assembler itself is looked at once for all builds.
        let known = [without, command(link), command(link)].map(seconds);
        for (least, seconds) in least.ours.iter_mut().zip(known) {
            *least = least.min(seconds);
        }
        least.is_changed = fs::read(&output).expect("machine code") != plain;
    }
    least
}
