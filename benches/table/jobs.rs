//! What a second thread gains: kernels of one module, and files of a tree; beside it what two processes gain that share nothing
//! but the machine.

use std::fmt::Write;
use std::path::Path;
use std::process::Command;

use crate::paper::ROWS;
use crate::process::{self, Cost, median, run, side_by_side};

/// Rounds; one thread and two take turns.
const ROUNDS: usize = 31;
/// Kernels of the module.
const KERNELS: usize = 50;
/// Stencils of applications.
const LARGE: [&str; 3] = ["hypterm", "rhs4", "derivative"];
/// Files of the tree.
const FILES: usize = 200;

/// A command with so many threads (`-j`), and a number that keeps what it writes apart from what others write.
type Work<'w> = dyn Fn(&str, usize) -> Command + 'w;

/// The table, in Markdown.
pub fn table() -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let all: Vec<&str> = ROWS.iter().map(|row| row.name).collect();
    let [input, large] = ["in.ptx", "large.ptx"].map(|name| folder.path().join(name));
    std::fs::write(&input, module(&all)).expect("a file");
    std::fs::write(&large, module(&LARGE)).expect("a file");
    let tree = folder.path().join("tree");
    std::fs::create_dir(&tree).expect("a folder");
    for number in 0..FILES {
        let to = tree.join(format!("{number}.ptx"));
        std::fs::copy(kernel(&all, number), to).expect("a file");
    }
    let rewrite = |input: &Path, jobs: &str, number: usize| {
        let output = folder.path().join(format!("out{number}.ptx"));
        // To replace a file takes the system longer than to make one, and is no work of ours.
        let _ = std::fs::remove_file(&output);
        let mut command = process::ptxasw(input, &output);
        command.args(["-j", jobs]);
        command
    };
    let on_tree = |jobs: &str, _| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ptxasw"));
        command.args(["corpus", "--quiet", "--no-assemble", "--profit", "always"]);
        command.args(["-j", jobs]).arg(&tree);
        command
    };
    let large_names = LARGE.join(", ");
    let rows: [(String, &Work); 3] = [
        (
            format!("`opt`, a module of {KERNELS} kernels, all operators in turn"),
            &|jobs, number| rewrite(&input, jobs, number),
        ),
        (
            format!("`opt`, a module of {KERNELS} kernels, {large_names} in turn"),
            &|jobs, number| rewrite(&large, jobs, number),
        ),
        (
            format!("`corpus`, {FILES} files, each rewritten twice"),
            &on_tree,
        ),
    ];
    let mut text = String::from(
        "| work | `-j1` ms | `-j2` ms | faster | two processes | processor `-j1` ms | processor `-j2` ms |\n\
         | --- | ---: | ---: | ---: | ---: | ---: | ---: |\n",
    );
    for (name, work) in rows {
        row(&mut text, &name, work);
    }
    text
}

fn row(text: &mut String, name: &str, work: &Work) {
    let (mut one, mut two): (Vec<Cost>, Vec<Cost>) = (Vec::new(), Vec::new());
    let mut apart = Vec::new();
    for _ in 0..ROUNDS {
        one.push(run(&mut work("1", 0)));
        two.push(run(&mut work("2", 0)));
        apart.push(side_by_side([work("1", 0), work("1", 1)]));
    }
    let wall = |cost: &Cost| cost.wall.as_secs_f64() * 1e3;
    let processor = |cost: &Cost| cost.processor.as_secs_f64() * 1e3;
    let middle = |costs: &[Cost], of: &dyn Fn(&Cost) -> f64| median(costs.iter().map(of).collect());
    let ratios = one.iter().zip(&two).map(|(one, two)| wall(one) / wall(two));
    let bounds = one.iter().zip(&apart);
    let bounds = bounds.map(|(one, apart)| 2.0 * wall(one) / (apart.as_secs_f64() * 1e3));
    let _ = writeln!(
        text,
        "| {name} | {:.1} | {:.1} | {:.2} | {:.2} | {:.1} | {:.1} |",
        middle(&one, &wall),
        middle(&two, &wall),
        median(ratios.collect()),
        median(bounds.collect()),
        middle(&one, &processor),
        middle(&two, &processor)
    );
}

/// An operator's file; they come round.
fn kernel(names: &[&str], number: usize) -> std::path::PathBuf {
    let name = names[number % names.len()];
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("ptx-tests/kernelgen/{name}.sm_80.ptx"))
}

/// Kernels of these operators in one module, each under a name of its own.
fn module(names: &[&str]) -> String {
    let mut module = String::from(".version 8.5\n.target sm_80\n.address_size 64\n");
    let whole = (0..).filter_map(|number| {
        let text = std::fs::read_to_string(kernel(names, number)).expect("the operator's PTX");
        let from = text.find(".visible .entry")?;
        let name: String = text[from..]
            .chars()
            .skip(16)
            .take_while(|c| *c != '(')
            .collect();
        // What names variables of its module stays where it is.
        let header = &text[..from];
        let alone = !header.contains(".global") && !header.contains(".const");
        let to = text[from..].find("\n}")? + from + 2;
        alone.then(|| text[from..to].replace(name.trim(), &format!("{}_{number}", name.trim())))
    });
    for kernel in whole.take(KERNELS) {
        module.push_str(&kernel);
        module.push('\n');
    }
    module
}
