//! What `--wrapping F` emits of the operators of KernelGen with `--profit auto`, within its bound, and what that adds.

use std::fmt::Write;
use std::path::PathBuf;

use super::listing;
use ptxasw::passes::shuffle::plan::Wrapping;
use ptxasw::passes::shuffle::profit::Profit;
use ptxasw::passes::shuffle::synthesis;
use ptxasw::toolchain::{Arch, Assembler};
use ptxasw::{Options, Output, optimize};

const OPERATORS: [&str; 19] = [
    "divergence",
    "gameoflife",
    "gaussblur",
    "gradient",
    "jacobi",
    "lapgsrb",
    "laplacian",
    "matmul",
    "matvec",
    "sincos",
    "tricubic",
    "tricubic2",
    "uxx1",
    "vecadd",
    "wave13pt",
    "whispering",
    "hypterm",
    "rhs4",
    "derivative",
];
const ARCH: Arch = Arch::new(80);

const HEAD: &str =
    "| operator | proved | emitted | declined | hot path | `always` | F | F adds | registers |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
";

/// One line for each operator.
pub fn table() -> String {
    let assembler = Assembler::find(ARCH).expect("ptxas: run `make setup`");
    let mut lines = String::from(HEAD);
    for name in OPERATORS {
        let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
            .join(format!("ptx-tests/kernelgen/{name}.sm_80.ptx"));
        let text = std::fs::read(path).expect("the operator's PTX");
        let all = rewritten(&text, Profit::Always, None);
        let some = rewritten(&text, Profit::Auto, Some(Wrapping::AnyRow));
        let declined: usize = some.searches().map(|one| one.plan.declined.len()).sum();
        let code = [&text, &all.text, &some.text].map(|text| {
            let assembled = assembler.assemble(text, ARCH).expect("ptxas accepts it");
            let sass = listing::counted(&assembler, &assembled).expect("nvdisasm reads it");
            (sass[0].hot.instructions, assembled.kernels[0].registers)
        });
        let [before, always, bounded] = code.map(|(hot, _)| hot);
        let registers = code.map(|(_, registers)| registers.to_string()).join("/");
        let _ = writeln!(
            lines,
            "| {name} | {} | {} | {declined} | {before} | {always} | {bounded} | {:.0} % | {registers} |",
            all.shuffles(),
            some.shuffles(),
            f64::from(bounded - before) / f64::from(before) * 100.0,
        );
    }
    lines
}

fn rewritten(text: &[u8], profit: Profit, wrapping: Option<Wrapping>) -> Output {
    let options = Options {
        synthesis: synthesis::Options {
            profit,
            wrapping,
            ..Default::default()
        },
        ..Default::default()
    };
    optimize(text, &options).expect("a module")
}
