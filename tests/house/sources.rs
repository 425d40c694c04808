//! The source files, the module that each is, and the paths in them.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::LazyLock;
use syn::visit::{self, Visit};
use syn::{Attribute, ItemMod, ItemUse, Macro, Meta, UseTree};

/// The folder of the sources, from that of the package, where tests run.
const SOURCES: &str = "src";
/// Crates that have a folder of their own there.
const CRATES: [&str; 7] = [
    "base", "emulator", "executor", "ir", "llvm", "passes", "ptx",
];
/// What the library hands on of them under other names: crates, and modules.
const HANDED_ON: [(&str, &str, &[&str]); 4] = [
    ("support", "base", &[]),
    ("solver", "emulator", &["solver"]),
    ("certificate", "emulator", &["certificate"]),
    ("rules", "passes", &["rules"]),
];
/// The library itself.
const LIBRARY: &str = "";

/// Integration tests of the other packages: programs of their own, above everything.
const PROGRAMS: [&str; 2] = ["src/llvm/tests/", "src/record/tests/"];

/// What the root of the library has of other modules, by name: `crate::optimize` is `pipeline::optimize`.
static OF_ROOT: LazyLock<BTreeMap<String, Vec<String>>> = LazyLock::new(|| {
    let paths = paths("src/lib.rs", Scope::Code).imports.into_iter();
    paths
        .filter_map(|path| Some((path.last()?.clone(), path)))
        .collect()
});

/// What is read of the sources.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub enum Scope {
    /// What a user's program is made of.
    #[default]
    Code,
    /// Unit tests, too.
    CodeAndTests,
}

/// The folder of a module's crate, and its path.
pub type Module = (&'static str, Vec<String>);

/// Paths that a file speaks of, each of them whole.
#[derive(Default)]
pub struct Paths {
    /// Those of `use` declarations.
    pub imports: Vec<Vec<String>>,
    /// All others.
    pub inline: Vec<Vec<String>>,
    scope: Scope,
    /// Modules of the file around the current place.
    depth: usize,
}

/// All files below the sources but the root of the library, which only lists the others.
pub fn files(scope: Scope) -> Vec<String> {
    let mut found = Vec::new();
    collect(Path::new(SOURCES), &mut found);
    found.retain(|path| !PROGRAMS.iter().any(|folder| path.starts_with(folder)));
    let is_test = |path: &str| path.contains("/tests/") || path.ends_with("tests.rs");
    found.retain(|path| scope == Scope::CodeAndTests || !is_test(path));
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
    let inside = &path[SOURCES.len() + 1..];
    let of_crate = |folder: &'static str| {
        let rest = inside.strip_prefix(folder)?.strip_prefix('/')?;
        Some((folder, rest))
    };
    let found = CRATES.into_iter().find_map(of_crate);
    let (folder, rest) = found.unwrap_or((LIBRARY, inside));
    let words = rest.trim_end_matches(".rs").split('/');
    let mut words: Vec<String> = words.map(str::to_owned).collect();
    if words
        .last()
        .is_some_and(|last| matches!(last.as_str(), "mod" | "lib"))
    {
        words.pop();
    }
    (folder, words)
}

/// The crate and the modules in it that the library hands on under a name.
fn handed_on(name: &String) -> Option<(&'static str, &'static [&'static str])> {
    let renamed = HANDED_ON.iter().find(|(one, ..)| one == name);
    let same = || CRATES.into_iter().find(|folder| folder == name);
    let renamed = renamed.map(|&(_, folder, modules)| (folder, modules));
    renamed.or_else(|| Some((same()?, &[][..])))
}

/// The file in which the longest known beginning of a path lies.
pub fn resolve<'a>(
    files: &'a BTreeMap<Module, String>,
    (own_crate, own): &Module,
    path: &[String],
) -> Option<&'a str> {
    let (first, mut rest) = path.split_first()?;
    let (mut of, mut whole) = match first.as_str() {
        "crate" => (*own_crate, Vec::new()),
        "ptxasw" => (LIBRARY, Vec::new()),
        "self" => (*own_crate, own.clone()),
        "super" => {
            let mut above = own.clone();
            above.pop();
            while let Some(("super", after)) = rest.split_first().map(|(a, b)| (a.as_str(), b)) {
                above.pop();
                rest = after;
            }
            (*own_crate, above)
        }
        other => {
            let name = other.strip_prefix("ptxasw_")?;
            let folder = CRATES.into_iter().find(|folder| *folder == name)?;
            (folder, Vec::new())
        }
    };
    whole.extend_from_slice(rest);
    if let Some((folder, modules)) = whole.first().filter(|_| of == LIBRARY).and_then(handed_on) {
        of = folder;
        whole.splice(..1, modules.iter().map(|&one| one.to_owned()));
    }
    let of_root = whole.first().filter(|_| of == LIBRARY);
    if let Some(path) = of_root.and_then(|name| OF_ROOT.get(name)) {
        whole.clone_from(path);
    }
    loop {
        if let Some(file) = files.get(&(of, whole.clone())) {
            return Some(file);
        }
        whole.pop()?;
    }
}

/// The paths of a file.
pub fn paths(path: &str, scope: Scope) -> Paths {
    let text = fs::read_to_string(path).unwrap();
    let file = syn::parse_file(&text).unwrap_or_else(|error| panic!("{path}: {error}"));
    let mut paths = Paths {
        scope,
        ..Paths::default()
    };
    paths.visit_file(&file);
    paths
}

impl Paths {
    /// Whether something with these attributes is not read.
    fn leaves_out(&self, attributes: &[Attribute]) -> bool {
        self.scope == Scope::Code && attributes.iter().any(is_test)
    }

    /// A path as the file's own module would name it: in a module of the file the first `super` is the file.
    fn of_file(&self, mut path: Vec<String>) -> Vec<String> {
        let above = path.iter().take_while(|word| *word == "super").count();
        let inside = above.min(self.depth);
        if inside == above && above > 0 {
            path.splice(..above, ["self".to_owned()]);
        } else {
            path.drain(..inside);
        }
        path
    }

    fn tree(&mut self, before: &[String], tree: &UseTree) {
        let with = |word: &syn::Ident| [before, &[word.to_string()]].concat();
        match tree {
            UseTree::Path(path) => self.tree(&with(&path.ident), &path.tree),
            UseTree::Name(name) => self.imports.push(self.of_file(with(&name.ident))),
            UseTree::Rename(name) => self.imports.push(self.of_file(with(&name.ident))),
            UseTree::Glob(_) => self.imports.push(self.of_file(before.to_vec())),
            UseTree::Group(group) => group.items.iter().for_each(|tree| self.tree(before, tree)),
        }
    }
}

impl Visit<'_> for Paths {
    fn visit_item_mod(&mut self, item: &ItemMod) {
        if !self.leaves_out(&item.attrs) {
            self.depth += 1;
            visit::visit_item_mod(self, item);
            self.depth -= 1;
        }
    }

    fn visit_item_use(&mut self, item: &ItemUse) {
        if !self.leaves_out(&item.attrs) {
            self.tree(&[], &item.tree);
        }
    }

    fn visit_path(&mut self, path: &syn::Path) {
        let words = path.segments.iter().map(|one| one.ident.to_string());
        self.inline.push(self.of_file(words.collect()));
        visit::visit_path(self, path);
    }

    /// What a macro is given has no grammar: whole paths are looked for in its text.
    fn visit_macro(&mut self, item: &Macro) {
        let text = item.tokens.to_string().replace(" :: ", "::");
        let words = text.split(|one: char| !one.is_alphanumeric() && one != '_' && one != ':');
        for word in words.filter(|word| word.starts_with("crate::")) {
            let path = word.split("::").filter(|part| !part.is_empty());
            self.inline.push(path.map(str::to_owned).collect());
        }
        visit::visit_macro(self, item);
    }
}

/// `#[cfg(test)]`.
fn is_test(attribute: &Attribute) -> bool {
    matches!(&attribute.meta, Meta::List(list)
        if list.path.is_ident("cfg") && list.tokens.to_string() == "test")
}
