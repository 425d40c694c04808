//! Time and memory of the whole process on large modules.

use std::fmt::Write;

use crate::process;
use crate::synthetic::{SHAPES, many_kernels};

/// Bytes of the largest module.
const LARGEST: usize = 100 << 20;

/// The table, in Markdown.
pub fn table() -> String {
    let mut text = String::from(
        "| module | MB | wall s | processor s | peak MB | peak / text |\n| --- | ---: | ---: | ---: | ---: | ---: |\n",
    );
    for shape in &SHAPES {
        let size = shape.sizes[2];
        row(
            &mut text,
            &format!("{}, {size} {}", shape.name, shape.unit),
            (shape.make)(size),
        );
    }
    for bytes in [LARGEST / 10, LARGEST] {
        let module = many_kernels(bytes);
        let count = module.matches(".entry").count();
        row(&mut text, &format!("{count} small kernels"), module);
    }
    text
}

/// One row; the text is freed before the process starts, whose peak would else count it.
fn row(text: &mut String, name: &str, module: String) {
    let folder = tempfile::tempdir().expect("a folder");
    let (input, output) = (folder.path().join("in.ptx"), folder.path().join("out.ptx"));
    std::fs::write(&input, &module).expect("a file");
    let bytes = module.len() as f64;
    drop(module);
    let cost = process::run(&mut process::ptxasw(&input, &output));
    let _ = writeln!(
        text,
        "| {name} | {:.2} | {:.2} | {:.2} | {:.0} | {:.0} |",
        bytes / 1e6,
        cost.wall.as_secs_f64(),
        cost.processor.as_secs_f64(),
        cost.peak as f64 / 1e6,
        cost.peak as f64 / bytes
    );
}
