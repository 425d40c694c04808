//! The `.version` of a module, raised to what new instructions need.

use super::edit::Edit;
use crate::ptx::ast::{Directive, Item, Module};
use crate::shuffle::plan::{Plan, Wrapping};
use rustc_hash::FxHashMap;

/// The version that the set-up of a region needs: `activemask` is of PTX 6.2, `shfl.sync` of 6.0 (PTX ISA, "Release
/// Notes").
fn needed(plan: &Plan) -> Option<(u16, u16)> {
    let of_region = |wrapping| match wrapping {
        Wrapping::Full => (6, 0),
        _ => (6, 2),
    };
    let regions = plan.regions.iter();
    regions.map(|region| of_region(region.wrapping)).max()
}

/// Edits of the `.version` lines that are too old for what is done under them; nothing else of a header is touched.
pub fn raised(module: &Module, plans: &[&Plan]) -> Vec<Edit> {
    let needs: FxHashMap<u32, (u16, u16)> = plans
        .iter()
        .filter_map(|plan| Some((plan.item, needed(plan)?)))
        .collect();
    raised_to(module, &needs)
}

/// The same for what functions need, by their items.
pub fn raised_to(module: &Module, needs: &FxHashMap<u32, (u16, u16)>) -> Vec<Edit> {
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
    })
}
