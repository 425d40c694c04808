//! The table in Markdown.

use std::collections::BTreeMap;
use std::fmt::Write;

use anyhow::{Context, Result, ensure};
use ptxasw::Options;
use ptxasw::passes::memory::{Loads, MemoryOptions};
use ptxasw::rules::rules;

use crate::figures::{Bench, Figures};
use crate::files::{File, GROUPS, Group};

/// The levels of `--loads` that are measured, and `--max-live` where it is not that of the default.
const LEVELS: [(&str, Loads, Option<u32>); 4] = [
    ("proofs", Loads::Proofs, None),
    ("checked", Loads::Checked, None),
    ("bulk", Loads::Bulk, None),
    ("always, 64 live", Loads::Always, Some(64)),
];

/// The level that is taken unless the user says otherwise: no kernel may take more loads or stores.
const DEFAULT: &str = "bulk";

/// What the source with `restrict` is called.
const BY_HAND: &str = "restrict by hand";

const INTRODUCTION: &str = "\
Printed by `cargo bench --bench loads`: kernels of `ptx-tests/loads` and of `ptx-tests/producers` as the compilers made them, and behind the memory pass \
(`--passes memory`, without the check of registers), at each level of `--loads` that gives another text. Loads, stores and rounds are those of the machine code \
of `ptxas -O3` on the path of a full warp, every loop taken once (`src/machine/cost/sass`); a round is a time that the warp waits for \
global memory. Warps are those that a multiprocessor holds, as far as registers decide. Checks are comparisons of addresses and tests of state spaces at the entry, beside them all PTX instructions that these take; the last column has the loads that a warp issues in the first launch of the file, by the executor, \
which found the same results for every level. In each group a kernel that cannot gain is marked so, and the command fails if it does, or if the default (`bulk`) takes more loads or stores. `conv1d.triton-sm_90` is for `sm_90a` alone.
";

const COLUMNS: &str = "\
| kernel | text | loads | stores | rounds | registers | warps | sm_90: loads | stores | rounds | registers | warps | checks | instructions | issued |
| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
";

/// The whole section.
pub fn of(files: &[File]) -> Result<String> {
    let bench = Bench::new()?;
    let mut means = Means::default();
    let mut tables = String::new();
    for (number, group) in GROUPS.iter().enumerate() {
        let _ = write!(tables, "\n### {}\n\n{COLUMNS}", group.title);
        for file in files.iter().filter(|file| file.group == number) {
            let rows = rows(&bench, file).with_context(|| file.name.clone())?;
            means.add(number, &rows);
            let name = match file.cannot_gain() {
                true => format!("{} (cannot gain)", file.name),
                false => file.name.clone(),
            };
            tables.extend(rows.iter().map(|row| row.text(&name)));
            eprint!(".");
        }
    }
    eprintln!();
    Ok(format!("{INTRODUCTION}\n{}{tables}", means.table()))
}

/// A text of a kernel: the original, or what levels make of it.
struct Row {
    /// The levels that give this text.
    names: Vec<&'static str>,
    figures: Figures,
}

impl Row {
    fn text(&self, kernel: &str) -> String {
        let mut text = format!("| {kernel} | {} |", self.names.join(", "));
        for code in self.figures.code {
            let columns = code.map(|code| {
                [
                    code.loads,
                    code.stores,
                    code.rounds,
                    code.registers,
                    code.warps,
                ]
            });
            for column in 0..5 {
                let _ = match columns {
                    Some(columns) => write!(text, " {} |", columns[column]),
                    None => write!(text, " - |"),
                };
            }
        }
        let (tests, issued) = (self.figures.tests, self.figures.issued);
        let (checks, instructions) = (tests.comparisons, tests.instructions);
        let _ = writeln!(text, " {checks} | {instructions} | {issued:.1} |");
        text
    }
}

/// The original, each other text that a level gives, and the one with `restrict`.
fn rows(bench: &Bench, file: &File) -> Result<Vec<Row>> {
    let (original, before) = bench.measure(&file.text, &file.launch)?;
    let row = |name, figures: Figures| Row {
        names: vec![name],
        figures,
    };
    let mut texts = vec![file.text.clone()];
    let mut rows = vec![row("original", original)];
    for (name, loads, max_live) in LEVELS {
        let text = rewritten(&file.text, loads, max_live)?;
        if let Some(same) = texts.iter().position(|one| *one == text) {
            rows[same].names.push(name);
            continue;
        }
        let (figures, after) = bench.measure(&text, &file.launch)?;
        let pairs = before.buffers.iter().zip(&after.buffers);
        let same = pairs.into_iter().all(|(a, b)| a.bytes == b.bytes);
        ensure!(same, "{name} leaves something else in memory");
        expected(file, name, &rows[0].figures, &figures)?;
        rows.push(row(name, figures));
        texts.push(text);
    }
    if let Some(text) = &file.by_hand {
        rows.push(row(BY_HAND, bench.measure(text, &file.launch)?.0));
    }
    Ok(rows)
}

/// Fails where a kernel gains that cannot, or where the default takes more loads or stores.
fn expected(file: &File, level: &str, before: &Figures, after: &Figures) -> Result<()> {
    let traffic = |figures: &Figures| {
        let codes = || figures.code.iter().flatten();
        let loads: u32 = codes().map(|code| code.loads).sum();
        let stores: u32 = codes().map(|code| code.stores).sum();
        (loads, stores, figures.issued)
    };
    let (old, new) = (traffic(before), traffic(after));
    let gains = file.cannot_gain() && new != old;
    ensure!(!gains, "{level} changes what cannot gain");
    let more = new.0 > old.0 || new.1 > old.1 || new.2 > old.2;
    ensure!(
        level != DEFAULT || !more,
        "{level} takes more loads or stores"
    );
    Ok(())
}

/// What the memory pass alone makes of a text.
fn rewritten(text: &[u8], loads: Loads, max_live: Option<u32>) -> Result<Vec<u8>> {
    let options = Options {
        passes: "memory".parse()?,
        memory: MemoryOptions {
            loads,
            max_live: max_live.unwrap_or(rules().bulk.max_live),
            ..MemoryOptions::default()
        },
        ..Options::default()
    };
    Ok(ptxasw::optimize(text, &options)?.text)
}

/// Ratios of each kernel, and the name of their text.
type Ratios = (Vec<[f64; 4]>, &'static str);

/// Logarithms of ratios, by group and level: of loads, of stores, of rounds, of loads issued.
#[derive(Default)]
struct Means(BTreeMap<(usize, usize), Ratios>);

impl Means {
    fn add(&mut self, group: usize, rows: &[Row]) {
        let figures = |row: &Row| {
            // One that is for a later target alone.
            let code = row.figures.code.iter().flatten().next();
            let code = code.expect("a target of the two");
            // One more on both sides: a kernel may have none.
            let one = |number: u32| f64::from(number) + 1.0;
            [
                one(code.loads),
                one(code.stores),
                one(code.rounds),
                row.figures.issued + 1.0,
            ]
        };
        let names = LEVELS.iter().map(|(name, ..)| *name);
        for (place, name) in names.chain([BY_HAND]).enumerate() {
            let Some(row) = rows.iter().find(|row| row.names.contains(&name)) else {
                continue;
            };
            let (before, after) = (figures(&rows[0]), figures(row));
            let ratios = std::array::from_fn(|i| (before[i] / after[i]).ln());
            let entry = self.0.entry((group, place)).or_insert((Vec::new(), name));
            entry.0.push(ratios);
        }
    }

    /// Geometric means.
    fn table(&self) -> String {
        let mut text = String::from(
            "How many times fewer, sm_80, geometric means (of the numbers and one, as some are none):\n\n\
             | group | text | kernels | loads | stores | rounds | issued |\n\
             | --- | --- | ---: | ---: | ---: | ---: | ---: |\n",
        );
        for (number, Group { title, .. }) in GROUPS.iter().enumerate() {
            let of_group = self.0.iter().filter(|((one, _), _)| *one == number);
            for (_, (ratios, name)) in of_group {
                let _ = write!(text, "| {title} | {name} | {} |", ratios.len());
                for column in 0..4 {
                    let sum: f64 = ratios.iter().map(|one| one[column]).sum();
                    let _ = write!(text, " {:.2} |", (sum / ratios.len() as f64).exp());
                }
                text.push('\n');
            }
        }
        text
    }
}
