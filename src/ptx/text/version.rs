//! The `.version` of a module, raised to what new instructions need.

use super::edit::Edit;
use crate::ast::{Directive, Item, Module};
use rustc_hash::FxHashMap;

/// Edits of the `.version` lines that are too old for what functions need, by their items; nothing else of a header is touched.
pub fn raised(module: &Module, needs: &FxHashMap<u32, (u16, u16)>) -> Vec<Edit> {
    let mut edits = Vec::new();
    let mut header: Option<(&Directive, Option<(u16, u16)>)> = None;
    for (index, item) in (0..).zip(&module.items) {
        match item {
            Item::Directive(directive) if module.str(directive.name) == ".version" => {
                edits.extend(header.and_then(|(old, least)| raise(module, old, least)));
                header = Some((directive, None));
            }
            Item::Function(_) => {
                if let Some((_, least)) = &mut header {
                    *least = (*least).max(needs.get(&index).copied());
                }
            }
            _ => {}
        }
    }
    edits.extend(header.and_then(|(old, least)| raise(module, old, least)));
    edits
}

fn raise(module: &Module, directive: &Directive, least: Option<(u16, u16)>) -> Option<Edit> {
    let number = module.list(directive.arguments).first()?.span();
    let (major, minor) = module.str(number).split_once('.')?;
    let old = (major.parse().ok()?, minor.parse().ok()?);
    let (major, minor) = least.filter(|&least| old < least)?;
    Some(Edit {
        at: number,
        text: format!("{major}.{minor}"),
        ..Edit::default()
    })
}
