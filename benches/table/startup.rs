//! Where the time of a small call goes: each row but the last is a process that does more than the one before.

use std::fmt::Write;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::process::{median, run};

/// Rounds; all rows take turns.
const ROUNDS: usize = 101;
/// An assembler that writes its output, and does nothing else.
const ASSEMBLER: &str = r#"
#include <fcntl.h>
#include <string.h>
#include <unistd.h>
int main(int count, char **words) {
  for (int i = 1; i + 1 < count; i++)
    if (!strcmp(words[i], "-o"))
      return write(open(words[i + 1], O_WRONLY | O_CREAT | O_TRUNC, 0666), "x", 1) != 1;
  return 1;
}
"#;

/// The table, in Markdown.
pub fn table() -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let link = folder.path().join("ptxas");
    symlink(env!("CARGO_BIN_EXE_ptxasw"), &link).expect("a link");
    let kernels = Path::new(env!("CARGO_MANIFEST_DIR")).join("ptx-tests/kernelgen");
    let output = folder.path().join("out");
    let assembler = assembler(folder.path());
    let call = |program: &Path, kernel: &str| {
        let mut command = Command::new(program);
        command.arg("-arch=sm_80").arg(kernels.join(kernel));
        command
            .arg("-o")
            .arg(&output)
            .env("PTXASW_PTXAS", &assembler);
        command
    };
    let wrapper = |kernel: &str| call(&link, kernel);
    type Row<'r> = (&'r str, Box<dyn Fn() -> Command + 'r>);
    let rows: [Row; 6] = [
        (
            "an assembler that does nothing but write a byte",
            Box::new(|| call(&assembler, "vecadd.sm_80.ptx")),
        ),
        (
            "`ptxasw --version`",
            Box::new(|| {
                let mut command = Command::new(env!("CARGO_BIN_EXE_ptxasw"));
                command.arg("--version");
                command
            }),
        ),
        (
            "the wrapper, switched off, and that assembler",
            Box::new(|| {
                let mut command = wrapper("vecadd.sm_80.ptx");
                command.env("PTXASW_OFF", "1");
                command
            }),
        ),
        (
            "the wrapper on vecadd (nothing to cover), and the same",
            Box::new(|| wrapper("vecadd.sm_80.ptx")),
        ),
        (
            "the wrapper on gradient (one shuffle, declined), and the same",
            Box::new(|| wrapper("gradient.sm_80.ptx")),
        ),
        (
            "for comparison: the assembler, with Z3's library linked",
            Box::new(|| {
                let mut command = call(&assembler, "vecadd.sm_80.ptx");
                command.env("LD_PRELOAD", "libz3.so.4");
                command
            }),
        ),
    ];
    let mut times = vec![Vec::new(); rows.len()];
    for _ in 0..ROUNDS {
        for ((_, command), times) in rows.iter().zip(&mut times) {
            let cost = run(&mut command());
            times.push((
                cost.wall.as_secs_f64() * 1e3,
                cost.processor.as_secs_f64() * 1e3,
            ));
        }
    }
    let mut text = String::from(
        "| process | wall ms | processor ms | wall, more than the row above |\n| --- | ---: | ---: | ---: |\n",
    );
    let mut before = None;
    for ((name, _), times) in rows.iter().zip(times) {
        let (wall, processor): (Vec<f64>, Vec<f64>) = times.into_iter().unzip();
        let wall = median(wall);
        let more = match before {
            Some(before) if wall > before => format!("{:.2}", wall - before),
            _ => "-".to_owned(),
        };
        let _ = writeln!(
            text,
            "| {name} | {wall:.2} | {:.2} | {more} |",
            median(processor)
        );
        before = Some(wall);
    }
    text
}

/// Compiles [`ASSEMBLER`].
fn assembler(folder: &Path) -> PathBuf {
    let [source, program] = ["assembler.c", "assembler"].map(|name| folder.join(name));
    std::fs::write(&source, ASSEMBLER).expect("a file");
    let mut compiler = Command::new("cc");
    let compiled = compiler.args(["-O2", "-o"]).args([&program, &source]);
    assert!(compiled.status().expect("a C compiler").success());
    program
}
