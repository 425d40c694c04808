//! What is written of one function, and of all of a module together.

use crate::ast::Module;
use crate::text::edit::Edit;
use crate::text::version;
use rustc_hash::FxHashMap;

/// What carries out a patch of one function of a module.
#[derive(Clone, Debug, Default)]
pub struct Written {
    /// The function's item in the syntax tree.
    pub item: u32,
    /// In the order of the text.
    pub edits: Vec<Edit>,
    /// The lowest `.version` that knows them ([`super::needed_version`]): functions share it, so [`together`] raises it.
    pub version: Option<(u16, u16)>,
}

/// The edits of several functions in the order of the text, with those of the `.version` lines that are too old for them.
pub fn together<'w>(
    module: &Module,
    functions: impl IntoIterator<Item = &'w Written>,
) -> Vec<Edit> {
    let (mut edits, mut needs) = (Vec::new(), FxHashMap::default());
    for written in functions {
        edits.extend_from_slice(&written.edits);
        needs.extend(written.version.map(|version| (written.item, version)));
    }
    edits.extend(version::raised(module, &needs));
    edits.sort_by_key(|edit| edit.at.start);
    edits
}
