//! What the memory pass makes of kernels in `ptx-tests`: `cargo bench --bench loads` prints a table, and puts it into
//! `benches/README.md`, between two comments that name this command. Nothing is timed: the same sources, tools and options give
//! the same table.

mod figures;
mod files;
mod table;

use std::path::Path;

use anyhow::{Context, Result};

/// The comments in front of the table and after it.
const MARKERS: [&str; 2] = [
    "<!-- cargo bench --bench loads -->\n",
    "<!-- end of cargo bench --bench loads -->\n",
];

fn main() -> Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = table::of(&files::all(&root.join("ptx-tests"))?)?;
    print!("{text}");
    let path = root.join("benches/README.md");
    let old = std::fs::read_to_string(&path).context("benches/README.md")?;
    let new = replaced(&old, &text).context("benches/README.md lacks the comments")?;
    if new != old {
        std::fs::write(&path, new).context("benches/README.md")?;
    }
    Ok(())
}

/// A text with another one between the comments; none if they are not there.
fn replaced(old: &str, text: &str) -> Option<String> {
    let [begin, end] = MARKERS;
    let from = old.find(begin)? + begin.len();
    let to = from + old[from..].find(end)?;
    Some([&old[..from], text, &old[to..]].concat())
}
