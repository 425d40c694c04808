//! `ptxasw cost` beside measurements: `cargo bench --bench clock` prints tables, and puts them into `benches/README.md` and
//! `docs/when-it-pays.md`. With an argument, `defaults`, `breakdown` or `pairs`, only that one. The measurements are those of `benches/gpu/h200` and those that
//! the paper's authors published; nothing is timed here.
//!
//! A rewriting that today's passes no longer make as an H200 measured it is left out: both modules must have the registers of the
//! measurement.

mod breakdown;
mod cases;
mod defaults;
mod published;
mod table;

use std::path::Path;

use anyhow::{Context, Result};

fn main() -> Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    std::env::set_current_dir(root)?;
    let part = std::env::args().skip(1).find(|one| !one.starts_with('-'));
    let wanted = |name: &str| part.as_deref().is_none_or(|part| part == name);
    if wanted("defaults") {
        put("benches/README.md", "defaults", &defaults::table()?)?;
    }
    if wanted("breakdown") {
        put("docs/when-it-pays.md", "breakdown", &breakdown::table()?)?;
    }
    if wanted("pairs") {
        let (mut cases, left_out) = cases::all()?;
        cases.extend(published::cases()?);
        put("benches/README.md", "pairs", &table::of(&cases, left_out))?;
    }
    Ok(())
}

/// Prints a table, and puts it into its file, between two comments that name its part.
fn put(path: &'static str, part: &str, text: &str) -> Result<()> {
    print!("{text}");
    let old = std::fs::read_to_string(path).context(path)?;
    let lacks = || format!("{path} lacks the comments");
    let command = format!("cargo bench --bench clock -- {part} -->\n");
    let (begin, end) = (format!("<!-- {command}"), format!("<!-- end of {command}"));
    let from = old.find(&begin).with_context(lacks)? + begin.len();
    let to = from + old[from..].find(&end).with_context(lacks)?;
    let new = [&old[..from], text, &old[to..]].concat();
    if new != old {
        std::fs::write(path, new).context(path)?;
    }
    Ok(())
}
