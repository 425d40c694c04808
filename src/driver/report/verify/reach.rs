//! What no launch reached, in words.

use super::text::Printer;
use ptxasw_base::snippet::Level;
use ptxasw_ptx::ast::Span;
use ptxasw_verify::{LoopReach, Reach};
use std::fmt::Write as _;

/// Most lines that are listed.
const NAMED: usize = 6;
/// Whether a loop lacks a trip count.
type Lacks = fn(&LoopReach) -> bool;
/// The trip counts that a loop may lack.
const LOOPS: [(&str, Lacks); 4] = [
    (
        "the rewriting changed, and no lane executes a second iteration of,",
        |one| one.rewritten && one.never_again,
    ),
    ("no lane skips", |one| one.never_skipped),
    ("no lane executes exactly one iteration of", |one| {
        one.never_once
    }),
    ("no lane executes nine iterations of", |one| one.never_many),
];

impl Printer<'_> {
    /// Lists the blocks, trip counts and changed statements that no launch reached.
    pub(super) fn reach(&self, out: &mut String, reach: &Reach) {
        if let [first, ..] = reach.changed[..] {
            let count = reach.changed.len();
            let title = format!(
                "no launch reaches {count} inserted or changed statements: equal results say nothing about them"
            );
            self.snippet(
                out,
                Level::Warning,
                &title,
                1,
                &[(first, "the first of them")],
                Vec::new(),
            );
        }
        let line = |span: &Span| self.lines[0].line(span.start).to_string();
        if !reach.unreached.is_empty() {
            let lines: Vec<String> = reach.unreached.iter().map(line).collect();
            let _ = writeln!(
                out,
                "  not reached in the original: {} of {} blocks, at {}",
                reach.unreached.len(),
                reach.blocks,
                some(&lines)
            );
        }
        if !reach.rewritten.is_empty() {
            let lines: Vec<String> = reach.rewritten.iter().map(line).collect();
            let _ = writeln!(out, "  of these the rewriting changed: {}", some(&lines));
        }
        for (what, lacks) in LOOPS {
            let loops = reach.loops.iter().filter(|one| lacks(one));
            let lines: Vec<String> = loops.map(|one| line(&one.span)).collect();
            if !lines.is_empty() {
                let _ = writeln!(out, "  {what} the loop at {}", some(&lines));
            }
        }
    }
}

/// "lines 3, 7, 12 and 4 more"
fn some(lines: &[String]) -> String {
    let named = lines.len().min(NAMED);
    let word = if lines.len() == 1 { "line" } else { "lines" };
    let more = match lines.len() - named {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("{word} {}{more}", lines[..named].join(", "))
}
