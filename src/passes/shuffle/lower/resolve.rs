//! What steps read of loads that are gone: a [`Ref`] to a value means what its own statement gives, and a removed one gives
//! nothing. The [`Ref`] is replaced by what the function reads instead.

use ptxasw_ir::function::{BlockId, Function, Value, ValueDef};
use ptxasw_ir::patch::{CloneId, Patch, Ref, Step};
use rustc_hash::{FxHashMap, FxHashSet};

/// Moves from one removed load to the next that are followed.
const MAX_MOVES: usize = 256;

struct Resolver<'a> {
    function: &'a Function,
    /// What is read in place of values whose statements are removed.
    gone: FxHashMap<(Option<CloneId>, Value), Ref>,
    /// The blocks of each clone.
    cloned: FxHashSet<(CloneId, BlockId)>,
}

/// Puts what is read in place of removed loads wherever a patch reads these.
pub(super) fn resolve(function: &Function, patch: &mut Patch) {
    if patch.remove.is_empty() {
        return;
    }
    let redirects = patch.redirect.iter();
    let blocks = patch.clones.iter();
    let blocks = blocks.flat_map(|clone| clone.blocks.iter().map(|&block| (clone.id, block)));
    // The pass redirects only what it removes.
    let resolver = Resolver {
        function,
        gone: redirects
            .map(|one| ((one.clone, one.value), one.to))
            .collect(),
        cloned: blocks.collect(),
    };
    for insertion in &mut patch.insert {
        for step in &mut insertion.steps {
            resolver.step(step, insertion.at.clone);
        }
    }
    for redirect in &mut patch.redirect {
        resolver.replace(&mut redirect.to, redirect.clone);
    }
    for guarded in &mut patch.guard {
        resolver.replace(&mut guarded.condition.0, guarded.clone);
        for chosen in &mut guarded.otherwise {
            resolver.replace(&mut chosen.to, guarded.clone);
        }
    }
    for variable in &mut patch.variables {
        for (at, value) in &mut variable.sets {
            resolver.replace(value, at.clone);
        }
    }
    for clone in &mut patch.clones {
        resolver.replace(&mut clone.condition, None);
        let stays = clone.exits.iter_mut().filter_map(|exit| exit.stay.as_mut());
        stays.for_each(|stay| resolver.replace(stay, Some(clone.id)));
    }
}

impl Resolver<'_> {
    fn step(&self, step: &mut Step, clone: Option<CloneId>) {
        match step {
            Step::Inst { args, guard, .. } => {
                args.iter_mut().for_each(|arg| self.replace(arg, clone));
                if let Some((guard, _)) = guard {
                    self.replace(guard, clone);
                }
            }
            Step::If {
                condition,
                then,
                otherwise,
                results,
                ..
            } => {
                self.replace(condition, clone);
                let steps = then.iter_mut().chain(otherwise);
                steps.for_each(|step| self.step(step, clone));
                for merged in results {
                    self.replace(&mut merged.then, clone);
                    self.replace(&mut merged.otherwise, clone);
                }
            }
        }
    }

    fn replace(&self, read: &mut Ref, clone: Option<CloneId>) {
        for _ in 0..MAX_MOVES {
            let Ref::Value(value) = *read else { return };
            match self.gone.get(&(self.copy_of(value, clone), value)) {
                Some(&to) => *read = to,
                None => return,
            }
        }
    }

    /// The copy of the code that a value is read from inside of another.
    fn copy_of(&self, value: Value, clone: Option<CloneId>) -> Option<CloneId> {
        let def_block = match self.function.value(value).def {
            ValueDef::Result(id, _) => self.function.inst(id).block,
            ValueDef::Parameter(block, _) => block,
            _ => return None,
        };
        clone.filter(|&id| self.cloned.contains(&(id, def_block)))
    }
}
