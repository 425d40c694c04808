//! `ptxasw cost` beside what an H200 measured: `cargo bench --bench clock` prints a table, and puts it into `benches/README.md`,
//! between two comments that name this command. The measurements are those of `benches/gpu/h200`; nothing is timed here.
//!
//! A rewriting that today's passes no longer make as it was measured is left out: both modules must have the registers of the
//! measurement.

mod cases;
mod table;

use std::path::Path;

use anyhow::{Context, Result};

/// The comments in front of the table and behind it.
const MARKERS: [&str; 2] = [
    "<!-- cargo bench --bench clock -->\n",
    "<!-- end of cargo bench --bench clock -->\n",
];

fn main() -> Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    std::env::set_current_dir(root)?;
    let (cases, left_out) = cases::all()?;
    let text = table::of(&cases, left_out);
    print!("{text}");
    let path = root.join("benches/README.md");
    let old = std::fs::read_to_string(&path).context("benches/README.md")?;
    let [begin, end] = MARKERS;
    let from = old
        .find(begin)
        .context("benches/README.md lacks the comments")?
        + begin.len();
    let to = from
        + old[from..]
            .find(end)
            .context("benches/README.md lacks the comments")?;
    let new = [&old[..from], &text, &old[to..]].concat();
    if new != old {
        std::fs::write(&path, new).context("benches/README.md")?;
    }
    Ok(())
}
