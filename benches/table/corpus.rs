//! Our time and the assembler's over the corpus that `make corpus` makes.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use ptxasw::toolchain::{Arch, Assembler};

use crate::process::{self, Cost, median, run};

/// Pairs of runs of each file.
const PAIRS: usize = 3;
/// Pairs where the first ones came out above this ratio: one of three may have been disturbed.
const MORE: (f64, usize) = (0.5, 9);
/// Files above this size must not take longer than the assembler.
const LARGE: u64 = 10_000;
/// Files that are named.
const NAMED: usize = 8;

struct File {
    name: String,
    bytes: u64,
    ours: f64,
    theirs: f64,
    ratio: f64,
}

/// The table, in Markdown.
pub fn table() -> String {
    let root = folder();
    let Ok(paths) = ptxasw::corpus::files(&root) else {
        return "no corpus: `make corpus`\n".to_owned();
    };
    let mut files = Vec::new();
    for path in paths {
        files.extend(measure(&root, &path));
        eprint!("\r{}", files.len());
    }
    eprintln!();
    if files.is_empty() {
        return "no file that ptxas takes\n".to_owned();
    }
    let mut text = String::from(
        "| producer | files | median ratio | above 10 kB | median | largest | ours s | `ptxas -O3` s |\n\
         | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n",
    );
    let producer = |file: &File| file.name.split('/').next().unwrap_or_default().to_owned();
    let mut names: Vec<String> = files.iter().map(producer).collect();
    names.sort();
    names.dedup();
    for name in &names {
        let own = files.iter().filter(|file| producer(file) == *name);
        row(&mut text, name, &own.collect::<Vec<_>>());
    }
    row(&mut text, "all", &files.iter().collect::<Vec<_>>());
    files.sort_by(|one, other| other.ratio.total_cmp(&one.ratio));
    let _ = writeln!(
        text,
        "\n| largest ratios | kB | ours ms | `ptxas -O3` ms | ratio |\n| --- | ---: | ---: | ---: | ---: |"
    );
    for file in files.iter().take(NAMED) {
        let _ = writeln!(
            text,
            "| {} | {:.0} | {:.1} | {:.1} | {:.2} |",
            file.name,
            file.bytes as f64 / 1e3,
            file.ours,
            file.theirs,
            file.ratio
        );
    }
    text
}

/// `PTXASW_CORPUS`, or where `make corpus` puts it.
fn folder() -> PathBuf {
    match std::env::var_os("PTXASW_CORPUS") {
        Some(folder) => folder.into(),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("target/corpus"),
    }
}

fn row(text: &mut String, name: &str, files: &[&File]) {
    let ratios = |files: &mut dyn Iterator<Item = &&File>| -> Vec<f64> {
        files.map(|file| file.ratio).collect()
    };
    let large = ratios(&mut files.iter().filter(|file| file.bytes > LARGE));
    let (middle, most) = match large.is_empty() {
        true => ("-".to_owned(), "-".to_owned()),
        false => (
            format!("{:.2}", median(large.clone())),
            format!("{:.2}", large.iter().copied().fold(0.0, f64::max)),
        ),
    };
    let sum = |of: &dyn Fn(&File) -> f64| files.iter().map(|file| of(file)).sum::<f64>() / 1e3;
    let _ = writeln!(
        text,
        "| {name} | {} | {:.2} | {} | {middle} | {most} | {:.1} | {:.1} |",
        files.len(),
        median(ratios(&mut files.iter())),
        large.len(),
        sum(&|file| file.ours),
        sum(&|file| file.theirs)
    );
}

/// Paired runs of both processes; none where there is no assembler that takes the file.
fn measure(root: &Path, path: &Path) -> Option<File> {
    let text = std::fs::read(path).ok()?;
    let arch = Arch::of_module(&String::from_utf8_lossy(&text))?.assembled_as();
    let assembler = Assembler::find(arch).ok()?;
    let folder = tempfile::tempdir().expect("a folder");
    let assemble = || {
        let mut command = Command::new(assembler.path());
        command.args(["-O3", "-c"]).arg(format!("-arch={arch}"));
        command.arg(path).arg("-o").arg(folder.path().join("out"));
        command
    };
    let mut first = assemble();
    let taken = first.stdout(Stdio::null()).stderr(Stdio::null()).status();
    taken.ok().filter(|status| status.success())?;
    let mut pairs = pairs(PAIRS, path, folder.path(), &assemble);
    if ratio(&pairs) > MORE.0 {
        pairs = self::pairs(MORE.1, path, folder.path(), &assemble);
    }
    let wall = |cost: &Cost| cost.wall.as_secs_f64() * 1e3;
    Some(File {
        name: path.strip_prefix(root).ok()?.display().to_string(),
        bytes: text.len() as u64,
        ours: median(pairs.iter().map(|pair| wall(&pair.0)).collect()),
        theirs: median(pairs.iter().map(|pair| wall(&pair.1)).collect()),
        ratio: ratio(&pairs),
    })
}

fn pairs(
    count: usize,
    path: &Path,
    folder: &Path,
    assemble: &dyn Fn() -> Command,
) -> Vec<(Cost, Cost)> {
    let ours = || run(&mut process::opt("auto", path, &folder.join("out.ptx")));
    (0..count).map(|_| (ours(), run(&mut assemble()))).collect()
}

fn ratio(pairs: &[(Cost, Cost)]) -> f64 {
    let ratios = pairs.iter();
    median(
        ratios
            .map(|(ours, theirs)| ours.wall.as_secs_f64() / theirs.wall.as_secs_f64())
            .collect(),
    )
}
