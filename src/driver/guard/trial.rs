//! A module that is assembled and discarded: original kernels and candidates side by side, each under a name of its own.
//!
//! `ptxas` allocates registers entry by entry, so each entry gets the machine code that it would get in a module of its own. Kernels for
//! which that may not hold are not separated ([`Kernels::are_apart`]).

use memchr::memmem;
use ptxasw_ptx::ast::{Directive, Function, Item, Module, Span};
use ptxasw_ptx::text::mark;
use rustc_hash::{FxHashMap, FxHashSet};
use std::str;

/// What is between the name of a kernel and the number of its variant.
const MARK: &str = "_ptxasw_trial_";
/// Debug information names labels of functions: all that is needed of it are texts to which `.loc` refers.
const TEXTS: &[u8] = b".debug_str";

/// The kernels of a module.
pub struct Kernels<'t> {
    module: &'t Module<'t>,
    /// Their definitions.
    entries: FxHashMap<&'t str, &'t Function>,
    /// The first `.version`.
    version: Option<Span>,
}

impl<'t> Kernels<'t> {
    /// Of a module.
    pub fn of(module: &'t Module<'t>) -> Self {
        let entries = kernels(module).filter(|function| function.body.is_some());
        Kernels {
            module,
            entries: entries.map(|one| (module.str(one.name), one)).collect(),
            version: directives(module, ".version").next().map(|one| one.span),
        }
    }

    /// Whether these are all that are defined.
    pub fn are_all(&self, kernels: &[&str]) -> bool {
        let mut defined = self.entries.keys();
        defined.all(|kernel| kernels.contains(kernel))
    }

    /// Whether each can be moved to another module: not if the text has several modules, aliases or indirect calls, or if a kernel is
    /// referenced.
    pub fn are_apart(&self) -> bool {
        let words: [&[u8]; 4] = [
            b".alias",
            b".calltargets",
            b".callprototype",
            MARK.as_bytes(),
        ];
        let text = self.module.text();
        directives(self.module, ".version").count() == 1
            && !words.iter().any(|word| memmem::find(text, word).is_some())
            && !self.are_named()
    }

    /// Whether a kernel is referenced: launched by another one, or its address taken.
    fn are_named(&self) -> bool {
        let text = self.module.text();
        let is_part =
            |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'%');
        let parts = self.module.items.iter().map(|item| match item {
            Item::Function(function) => {
                &text[function.name.end as usize..function.span.end as usize]
            }
            Item::Variable(_) | Item::Directive(_) => &text[item.span().range()],
        });
        let mut words = parts.flat_map(|part| part.split(move |byte| !is_part(byte)));
        words.any(|word| str::from_utf8(word).is_ok_and(|word| self.entries.contains_key(word)))
    }

    /// The text of a kernel without the line that says by which passes it was made, and where its name ends in that.
    fn unmarked(&self, kernel: &str) -> Option<(Vec<u8>, usize)> {
        let function = self.entries.get(kernel)?;
        let text = &self.module.text()[function.span.range()];
        let body = function.body.as_ref()?;
        let within = |at: u32| (at - function.span.start) as usize;
        let text = match mark::find(self.module, body) {
            Some((span, _)) => [&text[..within(span.start)], &text[within(span.end)..]].concat(),
            None => text.to_vec(),
        };
        Some((text, within(function.name.end)))
    }

    /// What its `.version` says, as numbers.
    fn version(&self) -> Option<(u32, u32)> {
        let text = self.module.str(self.version?);
        let (major, minor) = text.split_whitespace().nth(1)?.split_once('.')?;
        Some((major.parse().ok()?, minor.parse().ok()?))
    }
}

/// A module under construction.
pub struct Trial<'t> {
    original: &'t Kernels<'t>,
    /// Original kernels that are part of it.
    kept: FxHashSet<&'t str>,
    /// The highest `.version` of all, and its text where that is not the original's.
    version: (Option<(u32, u32)>, Option<Vec<u8>>),
    /// Kernels under other names.
    variants: Vec<u8>,
    /// What comes after the name in the texts that were added, by the kernel, with the number of the first variant.
    known: FxHashMap<String, Vec<(Vec<u8>, usize)>>,
}

impl<'t> Trial<'t> {
    /// With these original kernels.
    pub fn of(original: &'t Kernels<'t>, kept: impl Iterator<Item = &'t str>) -> Self {
        Trial {
            kept: kept.collect(),
            version: (original.version(), None),
            variants: Vec::new(),
            known: FxHashMap::default(),
            original,
        }
    }

    /// Adds a kernel as another text of the module has it, as a variant of this number. The result is the number of the variant that
    /// has the same text, itself if it is the first; none inside where that is the original. Where it is no part of the module, its
    /// text is only compared with those of later variants.
    pub fn add(
        &mut self,
        number: usize,
        (kernel, is_part): (&str, bool),
        module: &Kernels,
    ) -> Option<Option<usize>> {
        let (text, name) = module.unmarked(kernel)?;
        let (own, _) = self.original.unmarked(kernel)?;
        if text == own {
            return Some(None);
        }
        let known = self.known.entry(kernel.to_owned()).or_default();
        let same = |(known, _): &&(Vec<u8>, usize)| *known == text[name..];
        if let Some((_, first)) = known.iter().find(same) {
            return Some(Some(*first));
        }
        known.push((text[name..].to_vec(), number));
        if !is_part {
            return Some(Some(number));
        }
        self.variants
            .extend_from_slice(&text[..name - kernel.len()]);
        self.variants
            .extend_from_slice(entry(kernel, Some(number)).as_bytes());
        self.variants.extend_from_slice(&text[name..]);
        self.variants.push(b'\n');
        let version = module.version();
        if version > self.version.0 {
            let text = module
                .version
                .map(|span| module.module.text()[span.range()].to_vec());
            self.version = (version, text);
        }
        Some(Some(number))
    }

    /// Whether there is nothing to assemble.
    pub fn is_empty(&self) -> bool {
        self.kept.is_empty() && self.variants.is_empty()
    }

    /// The text.
    pub fn text(&self) -> Vec<u8> {
        let module = self.original.module;
        let text = module.text();
        // Declarations, too.
        let left_out = kernels(module).filter(|one| !self.kept.contains(module.str(one.name)));
        // Debug information names labels of functions; lines name texts of it.
        let sections = directives(module, ".section").map(|section| section.span);
        let sections = sections.filter(|span| memmem::find(&text[span.range()], TEXTS).is_none());
        let spans = left_out.map(|function| function.span).chain(sections);
        let mut edits: Vec<(Span, &[u8])> = spans.map(|span| (span, &b""[..])).collect();
        edits.extend(self.original.version.zip(self.version.1.as_deref()));
        edits.sort_by_key(|(span, _)| span.start);
        let mut made = Vec::with_capacity(text.len() + self.variants.len());
        let mut at = 0;
        for (span, instead) in edits {
            made.extend_from_slice(&text[at..span.start as usize]);
            made.extend_from_slice(instead);
            at = span.end as usize;
        }
        made.extend_from_slice(&text[at..]);
        made.push(b'\n');
        made.extend_from_slice(&self.variants);
        made
    }
}

/// The name in a trial of a kernel's variant; none: as it came.
pub fn entry(kernel: &str, variant: Option<usize>) -> String {
    match variant {
        Some(variant) => format!("{kernel}{MARK}{variant}"),
        None => kernel.to_owned(),
    }
}

/// The kernel and the variant that an entry of a trial is; none of them: the original.
pub fn variant(entry: &str) -> (&str, Option<usize>) {
    let split = entry.rsplit_once(MARK);
    let split = split.and_then(|(kernel, number)| Some((kernel, Some(number.parse().ok()?))));
    split.unwrap_or((entry, None))
}

/// Kernels, declared and defined.
fn kernels<'m>(module: &'m Module) -> impl Iterator<Item = &'m Function> {
    module.items.iter().filter_map(|item| match item {
        Item::Function(function) if function.entry => Some(function),
        _ => None,
    })
}

fn directives<'m>(module: &'m Module, name: &'static str) -> impl Iterator<Item = &'m Directive> {
    module.items.iter().filter_map(move |item| match item {
        Item::Directive(directive) if module.str(directive.name) == name => Some(directive),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const MODULE: &str = ".version 8.0\n.target sm_80\n.address_size 64\n.global .u32 g;\n\
        .entry a();\n.visible .entry a() .maxntid 32\n{\nret;\n}\n.entry b()\n{\nret;\n}\n\
        .section .debug_info { .b64 a_begin }\n.section .debug_str { .b8 0 }\n";

    fn module(text: &str) -> Module<'_> {
        ptxasw_ptx::parse(text.as_bytes()).expect("a module")
    }

    #[test]
    fn variants_stand_beside_what_is_kept() {
        let original = module(MODULE);
        let original = Kernels::of(&original);
        assert!(original.are_apart());
        let mut trial = Trial::of(&original, ["b"].into_iter());
        let changed = MODULE.replace("8.0", "8.3").replacen("ret;", "exit;", 1);
        let changed = module(&changed);
        let changed = Kernels::of(&changed);
        assert_eq!(trial.add(0, ("a", true), &changed), Some(Some(0)));
        assert_eq!(trial.add(1, ("a", true), &changed), Some(Some(0)));
        assert_eq!(trial.add(1, ("b", true), &changed), Some(None));
        assert_eq!(trial.add(1, ("c", true), &changed), None);
        let marked = MODULE.replacen("{\nret;", "{\n// ptxasw 1: memory\nexit;", 1);
        let marked = module(&marked);
        let marked = Kernels::of(&marked);
        assert_eq!(trial.add(2, ("a", true), &marked), Some(Some(2)));
        let compared = MODULE.replacen("ret;", "trap;", 1);
        let compared = module(&compared);
        let compared = Kernels::of(&compared);
        assert_eq!(trial.add(3, ("a", false), &compared), Some(Some(3)));
        assert_eq!(trial.add(4, ("a", true), &compared), Some(Some(3)));
        let text = String::from_utf8(trial.text()).unwrap();
        assert_eq!(
            text,
            ".version 8.3\n.target sm_80\n.address_size 64\n.global .u32 g;\n\n\n\
             .entry b()\n{\nret;\n}\n\n.section .debug_str { .b8 0 }\n\n\
             .visible .entry a_ptxasw_trial_0() .maxntid 32\n{\nexit;\n}\n\
             .visible .entry a_ptxasw_trial_2() .maxntid 32\n{\n\nexit;\n}\n"
        );
        assert_eq!(variant("a_ptxasw_trial_0"), ("a", Some(0)));
        assert_eq!(variant("b"), ("b", None));
    }

    #[test]
    fn kernels_that_others_name_are_not_apart() {
        for (from, to) in [
            (".global .u32 g;", ".global .u64 g = a;"),
            (".global .u32 g;", ".alias f, g;"),
            (".target sm_80", ".target sm_80\n.version 8.0"),
            ("{\nret;", "{\n.reg .b64 %a;\nmov.b64 %a, a;\nret;"),
        ] {
            let text = MODULE.replacen(from, to, 1);
            let original = ptxasw_ptx::parse(text.as_bytes()).expect(to);
            assert!(!Kernels::of(&original).are_apart(), "{to}");
        }
    }
}
