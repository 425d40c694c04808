//! Instructions that this program does not know: most likely misspelled.

use super::targets::snippet;
use ptxasw_base::lines::LineIndex;
use ptxasw_base::snippet::Level;
use ptxasw_ptx::ast::{Item, Module};
use ptxasw_ptx::decode::unknown_words;
use std::path::Path;

/// Most warnings about one module.
const SHOWN: usize = 8;

/// Warns of instructions that no `ptxas` known here takes: their kernels are left as they are.
pub fn warn(module: &Module, path: &Path) {
    let functions = module.items.iter().filter_map(|item| match item {
        Item::Function(function) => Some(function),
        _ => None,
    });
    let mut words = functions
        .flat_map(|function| unknown_words(module, function).map(move |word| (function, word)))
        .peekable();
    if words.peek().is_none() {
        return;
    }
    let lines = LineIndex::new(module.text());
    for (function, word) in words.by_ref().take(SHOWN) {
        let message = word.message;
        let mut snippet = snippet(module.text(), path, Level::Warning, message, word.span);
        let kind = if function.entry { "kernel" } else { "function" };
        let name = module.str(function.name);
        let note = format!("{kind} `{name}` is left as it is: ptxas may refuse it");
        snippet.notes.push(note);
        ptxasw_base::say!("{}", snippet.render_with(&lines));
    }
    let more = words.count();
    if more > 0 {
        ptxasw_base::say!("ptxasw: warning: {more} more unknown instructions");
    }
}
