//! What is read where: SSA form for values that several copies of the code define.
//!
//! After Braun et al., "Simple and Efficient Construction of Static Single Assignment Form" (CC 2013): all blocks are
//! there, so a value that is not defined in a block comes from further up (`upward`), from its only predecessor, or is a
//! parameter of the block. Redundant parameters are removed afterwards.

use super::applied::{Applied, NewPosition};
use super::draft::{Draft, Edge, End, Reads, Use};
use super::error::PatchError;
use super::upward::Upward;
use super::{Ref, VariableId};
use crate::cfg::Adjacency;
use crate::function::{BlockId, Target, Terminator, Value, ValueDef};
use ptxasw_base::mutation::{Mutation, active};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::collections::VecDeque;

/// What is looked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Key {
    /// A value of the original, as others than steps read it.
    Old(Value),
    /// A value that some copy redirects, as its own instruction gives it.
    Own(Value),
    /// A variable of the patch.
    Variable(VariableId),
}

/// Where a value comes from.
#[derive(Clone, Copy, Debug)]
pub(super) enum DefinitionSource {
    /// It is there.
    New(Value),
    /// A value of the original, as the copy of the code has it that ran; redirected or not.
    Old(Value),
    /// What a step names.
    Ref(Ref),
    /// Nothing: its instruction is not executed here.
    Gone,
}

/// A definition at a place of the new function.
#[derive(Clone, Copy, Debug)]
pub(super) struct Definition {
    pub place: NewPosition,
    pub source: DefinitionSource,
}

/// Definitions by what they define, and by block.
#[derive(Default)]
pub(super) struct Definitions {
    /// How many there are, and the first.
    of: FxHashMap<Key, (u32, Definition)>,
    /// In the order of a block.
    in_block: FxHashMap<(Key, BlockId), Vec<Definition>>,
}

impl Definitions {
    pub(super) fn add(&mut self, key: Key, definition: Definition) {
        self.of.entry(key).or_insert((0, definition)).0 += 1;
        let here = (key, definition.place.block);
        self.in_block.entry(here).or_default().push(definition);
    }

    /// The last one in a block that is written before a time.
    fn last(&self, key: Key, block: BlockId, time: u32) -> Option<Definition> {
        let here = self.in_block.get(&(key, block))?;
        let before = here.partition_point(|one| one.place.time < time);
        before.checked_sub(1).map(|last| here[last])
    }

    /// What is defined several times, or set, and in which blocks.
    fn several(&self) -> impl Iterator<Item = (Key, BlockId)> + '_ {
        let several = |key: &Key| matches!(key, Key::Variable(_)) || self.only(*key).is_none();
        self.in_block
            .keys()
            .copied()
            .filter(move |(key, _)| several(key))
    }

    /// The definition of a key that has exactly one.
    fn only(&self, key: Key) -> Option<Definition> {
        let (count, first) = self.of.get(&key)?;
        (*count == 1).then_some(*first)
    }
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
        let mut values = SmallVec::with_capacity(args.len());
        for arg in args {
            values.push(repair.value(arg)?);
        }
        let guard = match guard {
            Some((guard, not)) => Some((repair.value(guard)?, not)),
            None => None,
        };
        let inst = &mut repair.draft.builder.function.insts[inst.index()];
        inst.args = values;
        inst.guard = guard;
    }
    for (block, uses) in assumed {
        let values: Result<Vec<Value>, PatchError> =
            uses.into_iter().map(|one| repair.value(one)).collect();
        let blocks = &mut repair.draft.builder.function.blocks;
        blocks[block.index()].assumed = values?;
    }
    for (block, end, origin) in ends {
        let terminator = repair.terminator(end)?;
        repair.draft.builder.terminate(block, terminator, origin);
    }
    repair.fill_params()?;
    let redirected = repair.named()?;
    repair.fill_params()?;
    Ok(Applied {
        redirected,
        orders: repair.orders,
        choices: repair.draft.choices,
        values: repair.draft.values,
        new: repair.draft.new,
        function: repair.draft.builder.finish(),
    })
}

struct Repair<'a> {
    draft: Draft<'a>,
    predecessors: Adjacency,
    upward: Upward<Key>,
    /// What a key is at the start of a block.
    starts: FxHashMap<(Key, BlockId), Use>,
    /// Parameters whose arguments are not passed yet.
    params: VecDeque<(Key, BlockId)>,
    /// Constants and the like, by the value of the original.
    constants: FxHashMap<Value, Value>,
    /// Places of which the first must be passed before the second.
    orders: Vec<(NewPosition, NewPosition)>,
}

impl<'a> Repair<'a> {
    fn new(draft: Draft<'a>, ends: &[(BlockId, End, u32)]) -> Self {
        let mut edges: Vec<(u32, u32)> = Vec::new();
        for (block, end, _) in ends {
            edges.extend(targets(end).map(|to| (block.0, to.0)));
        }
        edges.sort_unstable();
        edges.dedup();
        let blocks = draft.builder.function.blocks.len();
        let backward: Vec<(u32, u32)> = edges.iter().map(|&(from, to)| (to, from)).collect();
        Repair {
            predecessors: Adjacency::new(blocks, &backward),
            upward: Upward::new(blocks, &edges, draft.definitions.several()),
            draft,
            starts: FxHashMap::default(),
            params: VecDeque::new(),
            constants: FxHashMap::default(),
            orders: Vec::new(),
        }
    }

    /// The value that is read somewhere.
    fn value(&mut self, mut one: Use) -> Result<Value, PatchError> {
        for _ in 0..MAX_CHAIN {
            let builder = &mut self.draft.builder;
            let key = match one.source {
                DefinitionSource::New(value) => return Ok(value),
                DefinitionSource::Gone => {
                    return Err(PatchError::Unknown("a removed value".into()));
                }
                DefinitionSource::Old(value) => Key::Old(value),
                DefinitionSource::Ref(Ref::Constant(width, bits)) => {
                    return Ok(builder.constant(width, bits));
                }
                DefinitionSource::Ref(Ref::Special(_, special)) if special.changes() => {
                    return Err(PatchError::Changes(special));
                }
                DefinitionSource::Ref(Ref::Special(width, special)) => {
                    return Ok(builder.special(special, width));
                }
                DefinitionSource::Ref(Ref::New(new)) => {
                    let found = self.draft.new.get(&new).copied();
                    return found.ok_or_else(|| PatchError::Unknown(format!("{new:?}")));
                }
                DefinitionSource::Ref(Ref::Value(value)) => self.own(value)?,
                DefinitionSource::Ref(Ref::Variable(id)) => {
                    if id.0 as usize >= self.draft.patch.variables.len() {
                        return Err(PatchError::Unknown(format!("{id:?}")));
                    }
                    Key::Variable(id)
                }
            };
            if let Key::Old(value) | Key::Own(value) = key
                && let Some(constant) = self.constant(value)
            {
                return Ok(constant);
            }
            one = self.reaching(key, one.place)?;
        }
        match one.source {
            DefinitionSource::Old(value) | DefinitionSource::Ref(Ref::Value(value)) => {
                Err(PatchError::Ring(value))
            }
            _ => Err(PatchError::Unknown("end of a ring of redirections".into())),
        }
    }

    /// What a step means by a value: the instruction's own result, though others may read another value.
    fn own(&self, value: Value) -> Result<Key, PatchError> {
        match value.index() < self.draft.old.values.len() {
            true if self.draft.agenda.redirected.contains(&value)
                && !active(Mutation::StepReadsRedirected) =>
            {
                Ok(Key::Own(value))
            }
            true => Ok(Key::Old(value)),
            false => Err(PatchError::Unknown(value.to_string())),
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
    fn reaching(&mut self, key: Key, place: NewPosition) -> Result<Use, PatchError> {
        let found = match self.draft.definitions.only(key) {
            // Nothing comes together where there is one. Whether it is there is seen by its own value, if it has one.
            Some(only) if !matches!(key, Key::Variable(_)) => {
                if matches!(only.source, DefinitionSource::Ref(..)) {
                    self.orders.push((only.place, place));
                }
                used(only)
            }
            _ => match self.draft.definitions.last(key, place.block, place.time) {
                Some(definition) => used(definition),
                None => self.at_start(key, place.block)?,
            },
        };
        match (found.source, key) {
            (DefinitionSource::Gone, Key::Old(value) | Key::Own(value)) => {
                Err(PatchError::StillRead(value))
            }
            _ => Ok(found),
        }
    }

    fn at_start(&mut self, key: Key, block: BlockId) -> Result<Use, PatchError> {
        let mut node = block;
        let mut path = Vec::new();
        let made = |value, block| Use {
            source: DefinitionSource::New(value),
            place: NewPosition {
                block,
                index: 0,
                time: 0,
            },
        };
        let found = loop {
            if let Some(&known) = self.starts.get(&(key, node)) {
                break known;
            }
            path.push(node);
            if let Some(above) = self.upward.from(key, node) {
                match self.draft.definitions.last(key, above, u32::MAX) {
                    Some(definition) => break used(definition),
                    None => node = above,
                }
                continue;
            }
            match (self.predecessors.of(node.0), key) {
                // More steps than blocks: a ring that nothing leads to.
                (&[only], _) if path.len() <= self.predecessors.nodes() => {
                    let only = BlockId(only);
                    match self.draft.definitions.last(key, only, u32::MAX) {
                        Some(definition) => break used(definition),
                        None => node = only,
                    }
                }
                ([], _) if node == BlockId(0) => {
                    return Err(match key {
                        // A definition that was there dominated all that read it.
                        Key::Old(value) | Key::Own(value) => PatchError::StillRead(value),
                        Key::Variable(id) => PatchError::Unset(id),
                    });
                }
                // Blocks that nothing leads to: that is for the verifier.
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
            Key::Old(value) | Key::Own(value) => self.draft.old.value(value).width,
            Key::Variable(id) => self.draft.patch.variables[id.0 as usize].width,
        }
    }

    /// What is read in place of values, and where those were defined. What variables are set to is looked up, too, for its
    /// width.
    fn named(&mut self) -> Result<Vec<(Value, NewPosition)>, PatchError> {
        let definitions = &self.draft.definitions.in_block;
        let mut found: Vec<(Key, Definition)> = definitions
            .iter()
            .flat_map(|((key, _), list)| list.iter().map(|one| (*key, *one)))
            .filter(|(_, one)| matches!(one.source, DefinitionSource::Ref(..)))
            .collect();
        found.sort_unstable_by_key(|(_, one)| one.place.time);
        let mut redirected = Vec::new();
        for (key, definition) in found {
            let value = self.value(used(definition))?;
            let (found, expected) = (
                self.draft.builder.function.value(value).width,
                self.width(key),
            );
            let what = match key {
                Key::Variable(id) => format!("a value of {id:?}"),
                Key::Old(value) | Key::Own(value) => {
                    redirected.push((self.value(used(definition))?, definition.place));
                    format!("what is read in place of {value}")
                }
            };
            if found != expected {
                return Err(PatchError::Width {
                    what,
                    found,
                    expected,
                });
            }
        }
        Ok(redirected)
    }

    /// What the predecessors pass to the parameters that were made, which may make more.
    fn fill_params(&mut self) -> Result<(), PatchError> {
        while let Some((key, block)) = self.params.pop_front() {
            let from: Vec<u32> = self.predecessors.of(block.0).to_vec();
            let broken = from
                .first()
                .copied()
                .filter(|_| active(Mutation::JoinOfOnePath));
            for predecessor in from.into_iter().map(BlockId) {
                let end = NewPosition {
                    block: broken.map_or(predecessor, BlockId),
                    index: usize::MAX,
                    time: u32::MAX,
                };
                let definition = self.reaching(key, end)?;
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
