//! What the default does to KernelGen and to the kernels of the memory pass, as `ptxasw cost` sees it: on small grids (the launches of the
//! file tests) and on large ones (those of `benches/gpu`).

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anyhow::Result;

use super::cases::{cost, ratios, rewrite};

/// Ratios below are losses.
const LOSS: f64 = 0.99;
const TARGETS: [&str; 2] = ["sm_80", "sm_90"];
const FOLDERS: [&str; 4] = [
    "ptx-tests/kernelgen/*.sm_80.ptx",
    "ptx-tests/loads/cuda/*.ptx",
    "ptx-tests/loads/records/*.ptx",
    "ptx-tests/loads/openacc/*.ptx",
];

/// The table, in Markdown.
pub fn table() -> Result<String> {
    let folder = tempfile::tempdir()?;
    let mut rows = String::new();
    let (mut modules, mut changed) = (0, 0);
    let mut counts = [[0; 4]; 2];
    for path in FOLDERS
        .iter()
        .flat_map(|pattern| glob::glob(pattern).into_iter().flatten())
    {
        let module = path?;
        modules += 1;
        let other = rewrite(&module, "", folder.path())?;
        if std::fs::read(&other)? == std::fs::read(&module)? {
            continue;
        }
        changed += 1;
        for (large, launch) in [None, large(&module)].into_iter().enumerate() {
            if large == 1 && launch.is_none() {
                continue;
            }
            for target in TARGETS {
                let row = cost(&module, launch.as_deref(), Some(&other), target)?;
                let ratio = row.as_ref().and_then(ratios);
                let Some([point, least, largest]) = ratio else {
                    counts[large][3] += 1;
                    continue;
                };
                counts[large][0] += usize::from(point > 1.05);
                counts[large][1] += usize::from((LOSS..=1.05).contains(&point));
                counts[large][2] += usize::from(point < LOSS);
                let name = module.file_stem().unwrap_or_default().to_string_lossy();
                let grid = ["small", "large"][large];
                let _ = writeln!(
                    rows,
                    "| {name} | {target} | {grid} | {point:.2} | {least:.2} to {largest:.2} |"
                );
            }
        }
    }
    let mut out = format!("{changed} of {modules} modules are changed.\n\n");
    out.push_str("| grids | above 1.05 | 0.99 to 1.05 | below 0.99 | no prediction |\n| --- | ---: | ---: | ---: | ---: |\n");
    for (grid, [gain, same, loss, unknown]) in ["small", "large"].iter().zip(counts) {
        let _ = writeln!(out, "| {grid} | {gain} | {same} | {loss} | {unknown} |");
    }
    out.push_str(
        "\n| kernel | GPU | grid | predicted | range |\n| --- | --- | --- | ---: | ---: |\n",
    );
    Ok(out + &rows)
}

/// The launch of `benches/gpu` for a module.
fn large(module: &Path) -> Option<PathBuf> {
    let name = module.file_name()?.to_string_lossy().into_owned();
    let name = name.split('.').next()?;
    let places = [
        format!("benches/gpu/loads/{name}.toml"),
        format!("benches/gpu/{name}.toml"),
    ];
    places
        .map(PathBuf::from)
        .into_iter()
        .find(|path| path.exists())
}
