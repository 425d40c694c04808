//! What is read where: SSA form for values that several copies of the code define.
//!
//! After Braun et al., "Simple and Efficient Construction of Static Single Assignment Form" (CC 2013): all blocks are
//! there, so a value that is not defined in a block comes from its only predecessor, or is a parameter of the block. Redundant
//! parameters are removed afterwards.

use super::apply::Applied;
use super::emit::{Draft, Edge, End, Reads, Use};
use super::error::PatchError;
use super::position::{Copied, Position};
use super::{Ref, VariableId};
use crate::ir::cfg::Adjacency;
use crate::ir::function::{BlockId, Target, Terminator, Value, ValueDef};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// What is looked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Key {
    /// A value of the original.
    Old(Value),
    /// A variable of the patch.
    Variable(VariableId),
}

/// Where a value comes from.
#[derive(Clone, Copy, Debug)]
pub(super) enum Source {
    /// It is there.
    New(Value),
    /// A value of the original, as the copy of the code has it that ran; redirected or not.
    Old(Value),
    /// What a step of that copy names.
    Ref(Copied, Ref),
}

/// A definition at a place of the new function.
#[derive(Clone, Copy, Debug)]
pub(super) struct Definition {
    pub place: Position,
    pub source: Source,
}

/// Redirections that one rests on; more are a ring.
const MAX_CHAIN: usize = 256;

/// Fills in all that is read.
pub(super) fn resolve(mut draft: Draft) -> Result<Applied, PatchError> {
    let (insts, ends) = (
        std::mem::take(&mut draft.insts),
        std::mem::take(&mut draft.ends),
    );
    let assumed = std::mem::take(&mut draft.assumed);
    let mut repair = Repair::new(draft, &ends);
    for Reads { inst, guard, args } in insts {
        let mut values = Vec::with_capacity(args.len());
        for arg in args {
            values.push(repair.value(arg)?);
        }
        let guard = match guard {
            Some((guard, not)) => Some((repair.value(guard)?, not)),
            None => None,
        };
        let inst = &mut repair.draft.builder.function.insts[inst.index()];
        inst.args.extend(values);
        inst.guard = guard;
    }
    for (block, uses) in assumed {
        let values: Result<Vec<Value>, PatchError> =
            uses.into_iter().map(|one| repair.value(one)).collect();
        let assumed = &mut repair.draft.builder.function.assumed;
        assumed.insert(block, values?);
    }
    for (block, end, origin) in ends {
        let terminator = repair.terminator(end)?;
        repair.draft.builder.terminate(block, terminator, origin);
    }
    let redirected = repair.redirected()?;
    repair.fill_params()?;
    Ok(Applied {
        redirected,
        values: repair.draft.values,
        new: repair.draft.new,
        function: repair.draft.builder.finish(),
    })
}

struct Repair<'a> {
    draft: Draft<'a>,
    predecessors: Adjacency,
    /// What a key is at the start of a block.
    starts: FxHashMap<(Key, BlockId), Use>,
    /// Parameters whose arguments are not passed yet.
    params: VecDeque<(Key, BlockId)>,
    /// Constants and the like, by the value of the original.
    constants: FxHashMap<Value, Value>,
}

impl<'a> Repair<'a> {
    fn new(draft: Draft<'a>, ends: &[(BlockId, End, u32)]) -> Self {
        let mut edges: Vec<(u32, u32)> = Vec::new();
        for (block, end, _) in ends {
            edges.extend(targets(end).map(|to| (to.0, block.0)));
        }
        edges.sort_unstable();
        edges.dedup();
        let blocks = draft.builder.function.blocks.len();
        Repair {
            predecessors: Adjacency::new(blocks, &edges),
            draft,
            starts: FxHashMap::default(),
            params: VecDeque::new(),
            constants: FxHashMap::default(),
        }
    }

    /// The value that is read somewhere.
    fn value(&mut self, mut one: Use) -> Result<Value, PatchError> {
        for _ in 0..MAX_CHAIN {
            let (copied, named) = match one.source {
                Source::New(value) => return Ok(value),
                Source::Ref(copied, named) => (copied, named),
                Source::Old(value) => {
                    if let Some(constant) = self.constant(value) {
                        return Ok(constant);
                    }
                    one = self.reaching(Key::Old(value), one.place)?;
                    continue;
                }
            };
            let builder = &mut self.draft.builder;
            one.source = match named {
                Ref::Constant(width, bits) => return Ok(builder.constant(width, bits)),
                Ref::Special(width, special) => return Ok(builder.special(special, width)),
                Ref::New(new) => {
                    let found = self.draft.new.get(&new).copied();
                    return found.ok_or_else(|| PatchError::Unknown(format!("{new:?}")));
                }
                Ref::Value(value) if value.index() >= self.draft.old.values.len() => {
                    return Err(PatchError::Unknown(value.to_string()));
                }
                // The instruction's own result, though others read another value.
                Ref::Value(value) if self.draft.redirects.contains_key(&(copied, value)) => {
                    match self.draft.values.get(&(copied, value)) {
                        Some(&own) => return Ok(own),
                        None => return Err(PatchError::StillRead(value)),
                    }
                }
                Ref::Value(value) => Source::Old(value),
                Ref::Variable(id) => {
                    if id.0 as usize >= self.draft.patch.variables.len() {
                        return Err(PatchError::Unknown(format!("{id:?}")));
                    }
                    one = self.reaching(Key::Variable(id), one.place)?;
                    continue;
                }
            };
        }
        match one.source {
            Source::Old(value) | Source::Ref(_, Ref::Value(value)) => Err(PatchError::Ring(value)),
            _ => Err(PatchError::Unknown("end of a ring of redirections".into())),
        }
    }

    /// A value that no instruction defines.
    fn constant(&mut self, value: Value) -> Option<Value> {
        if let Some(&known) = self.constants.get(&value) {
            return Some(known);
        }
        let (data, builder) = (self.draft.old.value(value), &mut self.draft.builder);
        let new = match &data.def {
            ValueDef::Result(..) | ValueDef::Parameter(..) => return None,
            ValueDef::Constant(bits) => builder.constant(data.width, *bits),
            ValueDef::Special(special) => builder.special(*special, data.width),
            ValueDef::Address(base, offset) => builder.address(base.clone(), *offset, data.width),
            ValueDef::Undefined => builder.undefined(data.width),
        };
        self.constants.insert(value, new);
        Some(new)
    }

    /// The definition that reaches a place, or the parameter in which several come together.
    fn reaching(&mut self, key: Key, place: Position) -> Result<Use, PatchError> {
        let (block, behind) = place;
        let known = self.draft.definitions.get(&key).map(Vec::as_slice);
        match (key, known) {
            (Key::Old(value), None) => return Err(PatchError::StillRead(value)),
            // Nothing comes together where there is one.
            (Key::Old(_), Some([only])) => return Ok(used(*only)),
            _ => {}
        }
        match self.last(key, block, behind) {
            Some(definition) => Ok(used(definition)),
            None => self.at_start(key, block),
        }
    }

    /// The last definition in a block, among its first instructions.
    fn last(&self, key: Key, block: BlockId, behind: usize) -> Option<Definition> {
        let known = self.draft.definitions.get(&key)?.iter().rev();
        let mut here = known.filter(|one| one.place.0 == block && one.place.1 <= behind);
        here.next().copied()
    }

    fn at_start(&mut self, key: Key, block: BlockId) -> Result<Use, PatchError> {
        let mut node = block;
        let mut path = Vec::new();
        let made = |value, node| Use {
            source: Source::New(value),
            place: (node, 0),
        };
        let found = loop {
            if let Some(&known) = self.starts.get(&(key, node)) {
                break known;
            }
            path.push(node);
            match (self.predecessors.of(node.0), key) {
                // More steps than blocks: a ring that nothing leads to.
                (&[only], _) if path.len() <= self.predecessors.nodes() => {
                    let only = BlockId(only);
                    match self.last(key, only, usize::MAX) {
                        Some(definition) => break used(definition),
                        None => node = only,
                    }
                }
                // A definition that was there dominated all that read it.
                ([], Key::Old(value)) if node == BlockId(0) => {
                    return Err(PatchError::StillRead(value));
                }
                // A variable that nobody has set, or blocks that nothing leads to: that is for the verifier.
                ([] | [_], _) => {
                    let undefined = self.draft.builder.undefined(self.width(key));
                    break made(undefined, node);
                }
                _ => {
                    let width = self.width(key);
                    self.params.push_back((key, node));
                    break made(self.draft.builder.param(node, width), node);
                }
            }
        };
        for node in path {
            self.starts.insert((key, node), found);
        }
        Ok(found)
    }

    fn width(&self, key: Key) -> u8 {
        match key {
            Key::Old(value) => self.draft.old.value(value).width,
            Key::Variable(id) => self.draft.patch.variables[id.0 as usize].width,
        }
    }

    /// What is read in place of values, and where those were defined.
    fn redirected(&mut self) -> Result<Vec<(Value, Position)>, PatchError> {
        let definitions = self.draft.definitions.iter();
        let mut found: Vec<Definition> = definitions
            .filter(|(key, _)| matches!(key, Key::Old(_)))
            .flat_map(|(_, list)| list.iter().copied())
            .filter(|one| matches!(one.source, Source::Ref(..)))
            .collect();
        found.sort_unstable_by_key(|one| one.place);
        let values = found.into_iter();
        values
            .map(|one| Ok((self.value(used(one))?, one.place)))
            .collect()
    }

    /// What the predecessors pass to the parameters that were made, which may make more.
    fn fill_params(&mut self) -> Result<(), PatchError> {
        while let Some((key, block)) = self.params.pop_front() {
            let from: Vec<u32> = self.predecessors.of(block.0).to_vec();
            for predecessor in from.into_iter().map(BlockId) {
                let definition = self.reaching(key, (predecessor, usize::MAX))?;
                let value = self.value(definition)?;
                let function = &mut self.draft.builder.function;
                let terminator = &mut function.blocks[predecessor.index()].terminator;
                let targets = terminator.targets_mut().into_iter();
                for target in targets.filter(|target| target.block == block) {
                    target.args.push(value);
                }
            }
        }
        Ok(())
    }

    fn terminator(&mut self, end: End) -> Result<Terminator, PatchError> {
        Ok(match end {
            End::Plain(terminator) => terminator,
            End::Jump(edge) => Terminator::Jump(self.target(edge)?),
            End::Branch(condition, then, otherwise, uniform) => Terminator::Branch {
                condition: self.value(condition)?,
                then: self.target(then)?,
                otherwise: self.target(otherwise)?,
                uniform,
            },
            End::Switch(index, edges) => Terminator::Switch {
                index: self.value(index)?,
                targets: edges
                    .into_iter()
                    .map(|edge| self.target(edge))
                    .collect::<Result<_, _>>()?,
            },
        })
    }

    fn target(&mut self, edge: Edge) -> Result<Target, PatchError> {
        let args: Result<Vec<Value>, PatchError> =
            edge.args.into_iter().map(|arg| self.value(arg)).collect();
        Ok(Target {
            block: edge.block,
            args: args?,
        })
    }
}

fn used(definition: Definition) -> Use {
    Use {
        source: definition.source,
        place: definition.place,
    }
}

/// Where the end of a block leads.
fn targets(end: &End) -> impl Iterator<Item = BlockId> + '_ {
    let edges: Vec<&Edge> = match end {
        End::Jump(edge) => vec![edge],
        End::Branch(_, then, otherwise, _) => vec![then, otherwise],
        End::Switch(_, edges) => edges.iter().collect(),
        End::Plain(_) => Vec::new(),
    };
    edges.into_iter().map(|edge| edge.block)
}
