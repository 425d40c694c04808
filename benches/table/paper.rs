//! What the paper reports for each operator (CC 2023, table 2), and why our figures differ where they do.

/// A row of the paper's table.
pub struct Row {
    /// The operator.
    pub name: &'static str,
    /// Shuffles and loads.
    pub counts: (u32, u32),
    /// Mean |N|; none without a shuffle.
    pub mean_delta: Option<f64>,
    /// Analysis time in seconds, on an i7-5930K; none for application stencils.
    pub seconds: Option<f64>,
    /// Why ours differ.
    pub note: &'static str,
}

const fn row(name: &'static str, counts: (u32, u32), mean_delta: f64, seconds: f64) -> Row {
    Row {
        name,
        counts,
        mean_delta: Some(mean_delta),
        seconds: Some(seconds),
        note: "",
    }
}

const fn bare(name: &'static str, counts: (u32, u32), seconds: f64) -> Row {
    Row {
        mean_delta: None,
        ..row(name, counts, 0.0, seconds)
    }
}

const fn application(name: &'static str, counts: (u32, u32), note: &'static str) -> Row {
    Row {
        mean_delta: None,
        seconds: None,
        note,
        ..row(name, counts, 0.0, 0.0)
    }
}

impl Row {
    const fn because(self, note: &'static str) -> Row {
        Row { note, ..self }
    }
}

const CENTRE_FIRST: &str = "nvcc 13 loads the middle of a row before its ends, so that the ends have a source that is nearer \
    than the first load of the row in the paper's order.";
const ALL_AXES: &str = "The paper's kernel covers the leading dimension, with |N| at most 1; ours is written for all three \
    axes and every |N| counts. Each array's row (same y and z, different x) of k loads gives k - 1 shuffles and keeps one \
    source; rows with one load keep it.";

const CLANG_RELOADS: &str = "clang's has 5/19 (counts.txt): it reads the repeated h0 by a plain load behind the store, which may \
    write it (C3); nvcc's is `ld.global.nc`, and becomes the `mov` of N = 0.";

/// The operators of KernelGen, then the application stencils.
pub const ROWS: [Row; 19] = [
    row("divergence", (1, 6), 2.00, 4.281),
    row("gameoflife", (6, 9), 1.50, 3.470).because(CENTRE_FIRST),
    row("gaussblur", (20, 25), 2.50, 7.938).because(CENTRE_FIRST),
    row("gradient", (1, 6), 2.00, 4.668),
    row("jacobi", (6, 9), 1.50, 4.119).because(CENTRE_FIRST),
    row("lapgsrb", (12, 25), 1.83, 14.296).because(CENTRE_FIRST),
    row("laplacian", (2, 7), 1.50, 4.816).because(CENTRE_FIRST),
    bare("matmul", (0, 8), 13.971),
    bare("matvec", (0, 7), 4.929),
    bare("sincos", (0, 2), 101.424),
    row("tricubic", (48, 67), 2.00, 99.476),
    row("tricubic2", (48, 67), 2.00, 101.855),
    row("uxx1", (3, 17), 2.00, 7.466).because(CENTRE_FIRST),
    bare("vecadd", (0, 2), 3.281),
    row("wave13pt", (4, 14), 2.50, 6.967).because(CENTRE_FIRST),
    row("whispering", (6, 19), 0.83, 6.288).because(CLANG_RELOADS),
    application("hypterm", (12, 48), ALL_AXES),
    application("rhs4", (44, 179), ALL_AXES),
    application("derivative", (52, 166), ALL_AXES),
];
