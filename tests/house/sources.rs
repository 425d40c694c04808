//! The source files, the module that each is, and the paths in them.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use syn::visit::{self, Visit};
use syn::{Attribute, ItemMod, ItemUse, Meta, UseTree};

/// The folder of the sources, from that of the package, where tests run.
const SOURCES: &str = "src";
/// The crate of the LLVM front end has a folder of its own there.
const LLVM: &str = "src/llvm/";

/// A module's crate (true for that of the LLVM front end) and its path.
pub type Module = (bool, Vec<String>);

/// Paths that a file speaks of, each of them whole.
#[derive(Default)]
pub struct Paths {
    /// Those of `use` declarations.
    pub imports: Vec<Vec<String>>,
    /// All others.
    pub inline: Vec<Vec<String>>,
}

/// All files below the sources but those of tests, and the root of the library, which only lists the others.
pub fn files() -> Vec<String> {
    let mut found = Vec::new();
    collect(Path::new(SOURCES), &mut found);
    found.retain(|path| !path.contains("/tests") && !path.ends_with("tests.rs"));
    found.retain(|path| path != "src/lib.rs");
    found.sort();
    found
}

fn collect(folder: &Path, found: &mut Vec<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path.to_str().unwrap().to_owned());
        }
    }
}

/// The module that a file is.
pub fn module(path: &str) -> Module {
    let (llvm, rest) = match path.strip_prefix(LLVM) {
        Some(rest) => (true, rest),
        None => (false, &path[SOURCES.len() + 1..]),
    };
    let words = rest.trim_end_matches(".rs").split('/');
    let mut words: Vec<String> = words.map(str::to_owned).collect();
    if words
        .last()
        .is_some_and(|last| matches!(last.as_str(), "mod" | "lib"))
    {
        words.pop();
    }
    (llvm, words)
}

/// The file in which the longest known beginning of a path lies.
pub fn resolve<'a>(
    files: &'a BTreeMap<Module, String>,
    (llvm, own): &Module,
    path: &[String],
) -> Option<&'a str> {
    let (first, mut rest) = path.split_first()?;
    let (llvm, mut whole) = match first.as_str() {
        "crate" => (*llvm, Vec::new()),
        "ptxasw" => (false, Vec::new()),
        "self" => (*llvm, own.clone()),
        "super" => {
            let mut above = own.clone();
            above.pop();
            while let Some(("super", after)) = rest.split_first().map(|(a, b)| (a.as_str(), b)) {
                above.pop();
                rest = after;
            }
            (*llvm, above)
        }
        _ => return None,
    };
    whole.extend_from_slice(rest);
    loop {
        if let Some(file) = files.get(&(llvm, whole.clone())) {
            return Some(file);
        }
        whole.pop()?;
    }
}

/// The paths of a file outside of its tests.
pub fn paths(path: &str) -> Paths {
    let text = fs::read_to_string(path).unwrap();
    let file = syn::parse_file(&text).unwrap_or_else(|error| panic!("{path}: {error}"));
    let mut paths = Paths::default();
    paths.visit_file(&file);
    paths
}

impl Paths {
    fn tree(&mut self, before: &[String], tree: &UseTree) {
        let with = |word: &syn::Ident| [before, &[word.to_string()]].concat();
        match tree {
            UseTree::Path(path) => self.tree(&with(&path.ident), &path.tree),
            UseTree::Name(name) => self.imports.push(with(&name.ident)),
            UseTree::Rename(name) => self.imports.push(with(&name.ident)),
            UseTree::Glob(_) => self.imports.push(before.to_vec()),
            UseTree::Group(group) => group.items.iter().for_each(|tree| self.tree(before, tree)),
        }
    }
}

impl Visit<'_> for Paths {
    fn visit_item_mod(&mut self, item: &ItemMod) {
        if !item.attrs.iter().any(is_test) {
            visit::visit_item_mod(self, item);
        }
    }

    fn visit_item_use(&mut self, item: &ItemUse) {
        if !item.attrs.iter().any(is_test) {
            self.tree(&[], &item.tree);
        }
    }

    fn visit_path(&mut self, path: &syn::Path) {
        let words = path.segments.iter().map(|one| one.ident.to_string());
        self.inline.push(words.collect());
        visit::visit_path(self, path);
    }
}

/// `#[cfg(test)]`.
fn is_test(attribute: &Attribute) -> bool {
    matches!(&attribute.meta, Meta::List(list)
        if list.path.is_ident("cfg") && list.tokens.to_string() == "test")
}
