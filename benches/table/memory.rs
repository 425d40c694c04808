//! Time and memory of the whole process on large modules.

use std::fmt::Write;

use crate::families::{SHAPES, many_kernels};
use crate::fit;
use crate::process;

/// Kernels of the largest modules: about 10 and 100 MB.
const MANY_KERNELS: [usize; 2] = [9_000, 90_000];
/// The largest kernels, by family: larger than compilers make them.
const LARGEST: &[(&str, usize)] = &[
    ("stencil in one block", 1_000_000),
    ("rows of 64 arrays", 100_000),
    ("loads that may be stored to", 100_000),
    ("stores between two loads", 100_000),
    ("registers in use at once", 100_000),
    ("guards, each behind the last", 50_000),
    ("`if`s that join", 100_000),
    ("loops in a row", 50_000),
    ("ways of one `brx.idx`", 100_000),
    ("index that is a long sum", 100_000),
    ("index of exclusive ors", 100_000),
];

/// The table, in Markdown.
pub fn table() -> String {
    let mut text = String::from(
        "| module | MB | wall s | processor s | peak MB | peak / text | exponent of the peak |\n\
         | --- | ---: | ---: | ---: | ---: | ---: | ---: |\n",
    );
    let empty = peak(&many_kernels(0));
    for shape in SHAPES {
        let Some((&size, smaller)) = shape.sizes.split_last() else {
            continue;
        };
        let peaks = smaller
            .iter()
            .map(|&size| peak(&(shape.make)(size)) - empty);
        let mut points: Vec<(f64, f64)> =
            smaller.iter().map(|&size| size as f64).zip(peaks).collect();
        let name = format!("{}, {size} {}", shape.name, shape.unit);
        row(&mut text, &name, (shape.make)(size), |peak| {
            points.push((size as f64, peak - empty));
            format!("{:.2}", fit::exponent(&points))
        });
    }
    for shape in SHAPES {
        for &(_, size) in LARGEST.iter().filter(|(name, _)| *name == shape.name) {
            let name = format!("{}, {size} {}", shape.name, shape.unit);
            row(&mut text, &name, (shape.make)(size), |_| String::new());
        }
    }
    for count in MANY_KERNELS {
        let name = format!("{count} small kernels");
        row(&mut text, &name, many_kernels(count), |_| String::new());
    }
    text
}

/// Bytes that a process takes at most for a module.
fn peak(module: &str) -> f64 {
    let folder = tempfile::tempdir().expect("a folder");
    let (input, output) = (folder.path().join("in.ptx"), folder.path().join("out.ptx"));
    std::fs::write(&input, module).expect("a file");
    process::run(&mut process::ptxasw(&input, &output)).peak as f64
}

/// One row; the text is freed before the process starts, whose peak would else count it.
fn row(text: &mut String, name: &str, module: String, exponent: impl FnOnce(f64) -> String) {
    let folder = tempfile::tempdir().expect("a folder");
    let (input, output) = (folder.path().join("in.ptx"), folder.path().join("out.ptx"));
    std::fs::write(&input, &module).expect("a file");
    let bytes = module.len() as f64;
    drop(module);
    let cost = process::run(&mut process::ptxasw(&input, &output));
    let exponent = exponent(cost.peak as f64);
    let _ = writeln!(
        text,
        "| {name} | {:.2} | {:.2} | {:.2} | {:.0} | {:.0} | {exponent} |",
        bytes / 1e6,
        cost.wall.as_secs_f64(),
        cost.processor.as_secs_f64(),
        cost.peak as f64 / 1e6,
        cost.peak as f64 / bytes
    );
}
