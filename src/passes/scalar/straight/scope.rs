//! The values that dominate a place, as stacks in a walk over the dominator tree (Algorithm 2 of the gpucc paper): by term, by
//! the term without its constant, and by that without one of its atoms.

use ptxasw_base::mutation::{Mutation, active};
use ptxasw_emulator::term::{TermId, Terms, mix};
use ptxasw_ir::dominators::DominatorTree;
use ptxasw_ir::function::{BlockId, Value};
use rustc_hash::FxHashMap;

/// Atoms of a sum of which one may differ. Longer sums are only found by all of them.
pub(super) const MAX_ATOMS: usize = 8;

/// A value of the scope.
#[derive(Clone, Copy)]
pub(super) struct Known {
    pub value: Value,
    /// The block that defines it.
    pub block: BlockId,
    pub term: TermId,
}

/// What values are found by.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Key {
    /// All of the term.
    Term(TermId),
    /// Width, and the hash of the atoms with their coefficients: those that differ by a constant.
    Atoms(u8, u64),
    /// Width, the hash of all other atoms, and an atom with any coefficient but 0.
    Others(u8, u64, TermId),
}

/// The values of a place's dominators. Each is entered and left once.
#[derive(Default)]
pub(super) struct Scope {
    stacks: FxHashMap<Key, Vec<Known>>,
    /// What was noted, and in which block.
    noted: Vec<(BlockId, Key)>,
}

/// The hash of a set of atoms is the sum of theirs, so that one is taken out at no cost.
pub(super) fn hash((atom, coefficient): (TermId, u64)) -> u64 {
    mix(u64::from(atom.0), coefficient)
}

/// The hash of a sum without its constant.
pub(super) fn hash_all(atoms: &[(TermId, u64)]) -> u64 {
    let hashes = atoms.iter().map(|&one| hash(one));
    hashes.fold(0, u64::wrapping_add)
}

impl Scope {
    /// Goes on in a block: what does not dominate it is forgotten.
    pub fn enter(&mut self, block: BlockId, dominators: &DominatorTree) {
        while let Some(&(from, key)) = self.noted.last() {
            if dominators.dominates(from, block) || active(Mutation::ScalarOutOfScope) {
                return;
            }
            self.noted.pop();
            if let Some(stack) = self.stacks.get_mut(&key) {
                stack.pop();
            }
        }
    }

    /// Notes a value under all of its keys.
    pub fn note(&mut self, terms: &Terms, known: Known) {
        let width = terms.width(known.term);
        self.push(Key::Term(known.term), known);
        if !matches!(width, 32 | 64) {
            return;
        }
        let (_, atoms) = terms.affine(known.term);
        let all = hash_all(&atoms);
        self.push(Key::Atoms(width, all), known);
        if atoms.len() <= MAX_ATOMS {
            for &one in &atoms {
                let others = all.wrapping_sub(hash(one));
                self.push(Key::Others(width, others, one.0), known);
            }
        }
    }

    /// Notes a value that has this very term.
    pub fn push(&mut self, key: Key, known: Known) {
        self.stacks.entry(key).or_default().push(known);
        self.noted.push((known.block, key));
    }

    /// The first and the nearest of the values with a key.
    pub fn of(&self, key: Key) -> impl Iterator<Item = Known> + '_ {
        let stack = self.stacks.get(&key).map_or(&[][..], Vec::as_slice);
        let nearest = stack.last().filter(|_| stack.len() > 1);
        stack.first().into_iter().chain(nearest).copied()
    }
}
