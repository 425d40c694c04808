//! Assembles candidates of kernels: all in one run, if they can be separated from their module.

use super::door::{Door, Purpose, Rewritten};
use super::registers::ByName;
use super::trial::{self, Kernels, Trial};
use ptxasw_machine::cost::sass::{self, KernelCode};
use ptxasw_machine::toolchain::cubin::Resources;
use ptxasw_ptx::ast;
use rustc_hash::FxHashMap;
use std::cell::OnceCell;
use std::rc::Rc;

/// Machine code of some kernels.
#[derive(Clone, Debug, Default)]
pub struct Code {
    /// Their resources.
    pub resources: ByName,
    cubin: Vec<u8>,
    kernels: OnceCell<Vec<KernelCode>>,
}

impl Code {
    /// Of a whole module.
    pub fn of(cubin: Vec<u8>, resources: ByName) -> Self {
        Code {
            resources,
            cubin,
            kernels: OnceCell::new(),
        }
    }

    /// Their instructions; none if those of the target are not decoded.
    pub fn kernels(&self) -> &[KernelCode] {
        self.kernels
            .get_or_init(|| sass::kernels(&self.cubin).unwrap_or_default())
    }
}

/// A candidate for some kernels.
pub struct Variant<'v> {
    /// The rewritten module that they are taken from.
    pub module: &'v Rewritten,
    /// Which kernels, and whether each is assembled: the text of others is compared with those of later variants.
    pub kernels: Vec<(&'v str, bool)>,
}

/// Machine code of original kernels and of their variants.
#[derive(Default)]
pub struct Codes {
    /// Of the originals.
    pub original: Code,
    /// By the numbers of the variants; none if the assembler rejects one.
    variants: Vec<Option<Rc<Code>>>,
    /// The number of the variant that has a kernel's text first, where it is not the variant's own; none inside where that is the
    /// original.
    same: FxHashMap<(usize, String), Option<usize>>,
}

impl Codes {
    /// Of the original as a whole. `kernels`: which of it count, if not all.
    pub fn of_original(mut code: Code, kernels: Option<&[&str]>) -> Self {
        if let Some(kernels) = kernels {
            // As in a trial, where the callers of functions may be missing.
            code.resources.retain(|name, _| kernels.contains(&&**name));
        }
        Codes {
            original: code,
            ..Codes::default()
        }
    }

    /// That of a kernel in a variant; none if it is known to be the original, or if the assembler rejects it.
    pub fn of(&self, variant: usize, kernel: &str) -> Option<(Resources, &Rc<Code>)> {
        let first = self.same.get(&(variant, kernel.to_owned()));
        let code = self.variant(first.copied().unwrap_or(Some(variant))?)?;
        Some((*code.resources.get(kernel)?, code))
    }

    /// Whether a variant of a kernel is known to be one that came before it.
    pub fn is_known(&self, variant: usize, kernel: &str) -> bool {
        self.same.contains_key(&(variant, kernel.to_owned()))
    }

    /// All of a variant.
    pub fn variant(&self, variant: usize) -> Option<&Rc<Code>> {
        self.variants.get(variant)?.as_ref()
    }

    /// The kernels of a variant, unchanged ones included.
    pub fn kernels(&self, variant: usize) -> Vec<KernelCode> {
        let own = self.variant(variant).map(|code| code.kernels().to_vec());
        let came = self.original.kernels().iter();
        let came = came.filter(|one| self.same.get(&(variant, one.name.clone())) == Some(&None));
        own.into_iter().flatten().chain(came.cloned()).collect()
    }
}

/// Assembles candidates of the kernels of some modules.
pub struct Lab<'l> {
    original: &'l [Vec<u8>],
    /// If they can be separated from their module.
    kernels: Option<Kernels<'l>>,
}

impl<'l> Lab<'l> {
    /// Of input texts; `tree` is the syntax tree of the text, if there is one text and kernels alone were changed in it.
    pub fn new(original: &'l [Vec<u8>], tree: Option<&'l ast::Module<'l>>) -> Self {
        let kernels = tree.map(Kernels::of).filter(Kernels::are_apart);
        Lab { original, kernels }
    }

    /// Whether all candidates are assembled in one run.
    pub fn is_one_run(&self) -> bool {
        self.kernels.is_some()
    }

    /// Whether these kernels, if there are any, are all of their module, or cannot be separated from it.
    pub fn is_whole(&self, kernels: &[&str]) -> bool {
        let all = self.kernels.as_ref();
        !kernels.is_empty() && all.is_none_or(|all| all.are_all(kernels))
    }

    /// The machine code of original kernels and of variants.
    ///
    /// # Errors
    /// The message of the assembler, if it rejects the original.
    pub fn codes<D: Door>(
        &self,
        door: &D,
        kernels: &[&str],
        variants: &[Variant],
    ) -> Result<Codes, String> {
        if kernels.is_empty() && variants.is_empty() {
            return Ok(Codes::default());
        }
        let side_by_side = self.kernels.as_ref().and_then(|original| {
            let trial = Trial::of(original, kernels.iter().copied());
            side_by_side(door, trial, kernels, variants)
        });
        match side_by_side {
            Some(codes) => Ok(codes),
            None => self.one_by_one(door, !kernels.is_empty(), variants),
        }
    }

    /// Each with the module that it is part of.
    fn one_by_one<D: Door>(
        &self,
        door: &D,
        original: bool,
        variants: &[Variant],
    ) -> Result<Codes, String> {
        let original = match original {
            true => door.assembled(self.original, Purpose::Compared)?.1,
            false => Code::default(),
        };
        let variants = variants.iter().map(|variant| {
            let mut kernels = variant.kernels.iter();
            if !kernels.any(|(_, is_part)| *is_part) {
                return None;
            }
            let made = door.assembled(&variant.module.texts, Purpose::Compared);
            made.ok().map(|(_, code)| Rc::new(code))
        });
        Ok(Codes {
            original,
            variants: variants.collect(),
            same: FxHashMap::default(),
        })
    }
}

/// All candidates in one module; none if the assembler rejects it or omits an entry.
fn side_by_side<D: Door>(
    door: &D,
    mut trial: Trial,
    kept: &[&str],
    variants: &[Variant],
) -> Option<Codes> {
    let mut same = FxHashMap::default();
    for (number, variant) in variants.iter().enumerate() {
        let text = variant.module.texts.first()?;
        // An unchanged module has no text.
        let tree = match text.is_empty() {
            true => None,
            false => Some(ptxasw_ptx::parse(text).ok()?),
        };
        let module = tree.as_ref().map(Kernels::of);
        for &(kernel, is_part) in &variant.kernels {
            let first = match &module {
                Some(module) => trial.add(number, (kernel, is_part), module)?,
                None => None,
            };
            if first != Some(number) {
                same.insert((number, kernel.to_owned()), first);
            }
        }
    }
    let code = match trial.is_empty() {
        true => Code::default(),
        false => door.assembled(&[trial.text()], Purpose::Compared).ok()?.1,
    };
    let has = |kernel: &str, number: Option<usize>| {
        code.resources.contains_key(&trial::entry(kernel, number))
    };
    let mut own = variants.iter().enumerate().flat_map(|(number, variant)| {
        let kernels = variant.kernels.iter().filter(|(_, is_part)| *is_part);
        kernels.map(move |(kernel, _)| (*kernel, number))
    });
    let is_whole = kept.iter().all(|kernel| has(kernel, None))
        && own.all(|(kernel, number)| {
            same.contains_key(&(number, kernel.to_owned())) || has(kernel, Some(number))
        });
    is_whole.then(|| {
        let mut parts = parts(&code, kept, variants.len());
        let original = parts.remove(0);
        Codes {
            original,
            variants: parts.into_iter().map(|one| Some(Rc::new(one))).collect(),
            same,
        }
    })
}

/// The code of a trial by variants, the originals first. Device functions are left out: with `-c` their registers depend on which callers
/// the module has.
fn parts(code: &Code, kept: &[&str], variants: usize) -> Vec<Code> {
    let place = |entry: &str| {
        let (kernel, number) = trial::variant(entry);
        let is_one = number.is_some() || kept.contains(&kernel);
        is_one.then(|| (kernel.to_owned(), number.map_or(0, |number| number + 1)))
    };
    let mut resources = vec![ByName::default(); variants + 1];
    for (entry, one) in &code.resources {
        if let Some((kernel, part)) = place(entry) {
            resources[part].insert(kernel, *one);
        }
    }
    let mut kernels: Vec<Vec<KernelCode>> = vec![Vec::new(); variants + 1];
    for one in code.kernels() {
        if let Some((name, part)) = place(&one.name) {
            kernels[part].push(KernelCode {
                name,
                ..one.clone()
            });
        }
    }
    let parts = resources.into_iter().zip(kernels);
    let parts = parts.map(|(resources, kernels)| Code {
        resources,
        cubin: Vec::new(),
        kernels: OnceCell::from(kernels),
    });
    parts.collect()
}
