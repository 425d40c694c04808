//! What no launch reached, in words.

use super::text::Printer;
use ptxasw_base::snippet::Level;
use ptxasw_ptx::ast::Span;
use ptxasw_verify::{LoopReach, Reach};
use std::fmt::Write as _;

/// Lines that are named.
const NAMED: usize = 6;
/// Whether a loop lacks something.
type Lacks = fn(&LoopReach) -> bool;
/// What a loop may not have done in any launch.
const LOOPS: [(&str, Lacks); 3] = [
    ("never passed by", |one| one.never_skipped),
    ("never once round", |one| one.never_once),
    ("never nine times round", |one| one.never_many),
];

impl Printer<'_> {
    /// What no launch reached, so that equal results say nothing of it.
    pub(super) fn reach(&self, out: &mut String, reach: &Reach) {
        if let [first, ..] = reach.changed[..] {
            let count = reach.changed.len();
            let title = format!(
                "no launch comes to {count} accesses that were written anew: nothing is known of them"
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
        for (what, lacks) in LOOPS {
            let loops = reach.loops.iter().filter(|one| lacks(one));
            let lines: Vec<String> = loops.map(|one| line(&one.span)).collect();
            if !lines.is_empty() {
                let _ = writeln!(out, "  {what}: loops at {}", some(&lines));
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
