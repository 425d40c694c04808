//! The decisions of the pass as one patch: what serves each load, and what becomes wide.

use super::accesses::{AccessId, Accesses, Element, MemoryAccess};
use super::available::Available;
use super::reason::Kept;
use super::region::Region;
use super::statement::{Held, Statements, cut};
use super::wide::{Member, Wide};
use crate::Session;
use ptxasw_ir::analyses::Analyses;
use ptxasw_ir::function::{BlockId, InstId, Value};
use ptxasw_ir::op::Op;
use ptxasw_ir::patch::{
    CloneId, Cursor, Location, Patch, Point, Redirect, Ref, Removal, Variable, VariableId,
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// How often the patch is made anew without loads that turned out to be served by nothing that a step can read.
const MAX_ATTEMPTS: usize = 4;

/// Where the elements of a load come from.
#[derive(Clone, Debug)]
pub struct Served {
    /// The load that goes.
    pub load: AccessId,
    /// One for each element.
    pub elements: Vec<Available>,
}

/// A patch, and what it does not do.
#[derive(Debug, Default)]
pub struct Written {
    /// Redirects, steps and variables for all loads but those that stay.
    pub patch: Patch,
    /// The number of the next new value.
    pub next: u32,
    /// Loads that stay after all, and members of what does not become wide.
    pub kept: Vec<(AccessId, Kept)>,
}

/// The copy of the code that is changed.
#[derive(Clone, Debug, Default)]
pub struct Copy {
    /// None: the original.
    pub clone: Option<CloneId>,
    /// What there is a copy of.
    pub region: Option<Rc<Region>>,
}

/// One thing to write.
#[derive(Clone, Copy)]
enum Item<'a> {
    /// A load that is served.
    Serve(&'a Served),
    /// The wide access of a number.
    Vector(usize),
    /// A load whose bytes the wide load of a number has.
    Part(usize, Member),
}

/// Writes what serves loads, and wide accesses.
pub fn write(
    session: &Session,
    accesses: &Accesses,
    copy: &Copy,
    served: &[Served],
    wide: &[Wide],
) -> Written {
    let items = items(session, accesses, served, wide);
    let mut kept: Vec<(AccessId, Kept)> = Vec::new();
    for attempt in 0..=MAX_ATTEMPTS {
        let without: FxHashSet<AccessId> = kept.iter().map(|&(load, _)| load).collect();
        let mut writer = Writer::new(session, accesses, copy, wide);
        for &item in &items {
            let load = match item {
                Item::Serve(one) => one.load,
                Item::Vector(number) | Item::Part(number, _) => wide[number].place,
            };
            if without.contains(&load) {
                continue;
            }
            let result = match item {
                Item::Serve(one) if attempt == MAX_ATTEMPTS && !writer.is_dominated(one) => {
                    Err(Kept::Limit)
                }
                Item::Serve(one) => writer.serve(one),
                Item::Vector(number) => writer.vector(number),
                Item::Part(number, member) => writer.part(number, member),
            };
            kept.extend(result.err().map(|why| (load, why)));
        }
        // What is a part of something that fails has been written in vain.
        let again = kept
            .iter()
            .any(|&(id, _)| !without.contains(&id) && wide.iter().any(|wide| wide.place == id));
        match writer.finish() {
            Ok((patch, next)) if !again => return Written { patch, next, kept },
            Ok(_) => {}
            Err(more) => kept.extend(more),
        }
    }
    let all = served.iter().map(|one| one.load);
    let all = all.chain(wide.iter().map(|one| one.place));
    Written {
        kept: all.map(|id| (id, Kept::Limit)).collect(),
        ..Written::default()
    }
}

/// All items in an order in which what dominates comes first.
fn items<'a>(
    session: &Session,
    accesses: &Accesses,
    served: &'a [Served],
    wide: &[Wide],
) -> Vec<Item<'a>> {
    let mut items: Vec<(AccessId, Item)> = Vec::new();
    items.extend(served.iter().map(|one| (one.load, Item::Serve(one))));
    for (number, one) in wide.iter().enumerate() {
        items.push((one.early.unwrap_or(one.place), Item::Vector(number)));
        if !accesses.get(one.place).is_store {
            let parts = one.members.iter();
            items.extend(parts.map(|&part| (part.access, Item::Part(number, part))));
        }
    }
    let cfg = &session.analyses().cfg;
    items.sort_by_key(|&(id, item)| {
        let access = accesses.get(id);
        let part = matches!(item, Item::Part(..));
        (cfg.position(access.block), access.position, part)
    });
    items.into_iter().map(|(_, item)| item).collect()
}

/// A variable that several accesses set.
struct Joined {
    sources: Vec<Element>,
    bits: u8,
    /// The loads that read it.
    readers: Vec<AccessId>,
}

pub(super) struct Writer<'s, 'a> {
    analyses: &'s Analyses,
    pub(super) accesses: &'a Accesses,
    pub(super) session: &'s Session<'s>,
    pub(super) statements: Statements<'s>,
    copy: &'a Copy,
    pub(super) wide: &'a [Wide],
    /// The elements of the wide loads, by their numbers.
    pub(super) vectors: FxHashMap<usize, Vec<Ref>>,
    /// What addresses of a block are computed from where loads are executed earlier.
    pub(super) computed: FxHashMap<(Value, BlockId), Ref>,
    pub(super) patch: Patch,
    pub(super) next: u32,
    /// By the numbers of their variables.
    joined: Vec<Joined>,
    known: FxHashMap<(u8, Vec<Element>), VariableId>,
}

impl<'s, 'a> Writer<'s, 'a> {
    fn new(
        session: &'s Session<'s>,
        accesses: &'a Accesses,
        copy: &'a Copy,
        wide: &'a [Wide],
    ) -> Self {
        Writer {
            analyses: session.analyses(),
            accesses,
            session,
            statements: Statements::new(session),
            copy,
            wide,
            vectors: FxHashMap::default(),
            computed: FxHashMap::default(),
            patch: Patch::default(),
            next: 0,
            joined: Vec::new(),
            known: FxHashMap::default(),
        }
    }

    /// Takes a load's value from where it is.
    fn serve(&mut self, served: &Served) -> Result<(), Kept> {
        let access = *self.accesses.get(served.load);
        if !self.statements.is_plain_load(access.inst) {
            return Err(Kept::Statement);
        }
        let bits = access.access.ty.bits;
        let width = held_bits(bits);
        let mut places = Vec::with_capacity(served.elements.len());
        for available in &served.elements {
            let known = self.dominating(&access, available);
            for &source in &available.sources {
                let held = self.statements.held(self.accesses, source);
                held.ok_or(Kept::NoRegister(source.access))?;
            }
            places.push(
                match known.and_then(|source| self.statements.held(self.accesses, source)) {
                    Some(held) => Ok(held),
                    None => Err(self.variable(&available.sources, bits, served.load)),
                },
            );
        }
        self.replace(served.load, |cursor| {
            let places = places.into_iter();
            let held = places.map(|place| {
                place.unwrap_or_else(|variable| Held {
                    value: cursor.single(Op::Copy { width }, &[Ref::Variable(variable)]),
                    width,
                    skip: 0,
                })
            });
            held.collect()
        })
    }

    /// Computes what a load statement gives from what holds its elements, and removes it.
    pub(super) fn replace(
        &mut self,
        load: AccessId,
        hold: impl FnOnce(&mut Cursor) -> Vec<Held>,
    ) -> Result<(), Kept> {
        let access = *self.accesses.get(load);
        let origin = self.session.function.inst(access.inst).origin;
        let mut next = self.next;
        let mut cursor = Cursor::new(&mut next, origin);
        let held = hold(&mut cursor);
        let written = self
            .statements
            .rebuild(load, self.accesses, &held, &mut cursor)
            .ok_or(Kept::Statement)?;
        let at = self.before(access.inst);
        cursor.done(&mut self.patch, at);
        self.next = next;
        let (statement, clone) = (self.statements.of(access.inst), self.copy.clone);
        for (value, to) in written {
            self.statements.new.insert(value, to);
            self.patch.redirect.push(Redirect { clone, value, to });
        }
        // What the statement computes on its way is gone, too.
        for &id in statement {
            for &value in &self.session.function.inst(id).results {
                self.statements.gone.insert(value);
            }
        }
        self.remove(access.inst);
        Ok(())
    }

    /// In front of a statement, in the copy that is changed.
    pub(super) fn before(&self, inst: InstId) -> Location {
        let first = self.statements.of(inst).first().copied();
        self.location(inst, Point::Before(first.unwrap_or(inst)))
    }

    /// After a statement: a text has no insertion point inside of one.
    pub(super) fn after(&self, inst: InstId) -> Location {
        let last = self.statements.of(inst).last().copied();
        self.location(inst, Point::After(last.unwrap_or(inst)))
    }

    fn location(&self, inst: InstId, point: Point) -> Location {
        let block = self.session.function.inst(inst).block;
        let index = self.statements.index(inst);
        let region = self.copy.region.as_ref();
        let inside = region.is_some_and(|region| region.contains(block, index));
        Location {
            clone: self.copy.clone.filter(|_| inside),
            point,
        }
    }

    /// Removes a statement.
    pub(super) fn remove(&mut self, inst: InstId) {
        let clone = self.copy.clone;
        self.patch.remove.push(Removal { clone, inst });
    }

    /// Whether one access serves each element.
    fn is_dominated(&self, served: &Served) -> bool {
        let load = self.accesses.get(served.load);
        let mut elements = served.elements.iter();
        elements.all(|available| self.dominating(load, available).is_some())
    }

    /// The one source of an element, if it is executed in front of the load on every path.
    fn dominating(&self, load: &MemoryAccess, available: &Available) -> Option<Element> {
        let [source] = available.sources[..] else {
            return None;
        };
        let from = self.accesses.get(source.access);
        let dominates = match from.block == load.block {
            true => from.position < load.position,
            false => {
                let dominators = &self.analyses.dominators;
                dominators.dominates(from.block, load.block)
            }
        };
        dominates.then_some(source)
    }

    fn variable(&mut self, sources: &[Element], bits: u8, reader: AccessId) -> VariableId {
        let next = VariableId(self.joined.len() as u32);
        let key = (bits, sources.to_vec());
        let id = *self.known.entry(key).or_insert(next);
        if id == next {
            self.joined.push(Joined {
                sources: sources.to_vec(),
                bits,
                readers: Vec::new(),
            });
        }
        self.joined[id.0 as usize].readers.push(reader);
        id
    }

    /// Sets the variables after their sources, and hands over the patch and the number of the next new value.
    ///
    /// # Errors
    /// The loads that read one that can't be set.
    fn finish(mut self) -> Result<(Patch, u32), Vec<(AccessId, Kept)>> {
        for joined in std::mem::take(&mut self.joined) {
            let width = held_bits(joined.bits);
            let mut sets = Vec::with_capacity(joined.sources.len());
            for &source in &joined.sources {
                let Some(held) = self.statements.held(self.accesses, source) else {
                    let why = Kept::NoRegister(source.access);
                    return Err(joined.readers.iter().map(|&load| (load, why)).collect());
                };
                let at = self.accesses.get(source.access).inst;
                let origin = self.session.function.inst(at).origin;
                let after = self.after(at);
                let mut cursor = Cursor::new(&mut self.next, origin);
                let value = cut(&held, width, &mut cursor);
                cursor.done(&mut self.patch, after);
                sets.push((after, value));
            }
            self.patch.variables.push(Variable { width, sets });
        }
        Ok((self.patch, self.next))
    }
}

/// The bits of a variable that has so many of memory: bytes are kept in 16.
fn held_bits(bits: u8) -> u8 {
    bits.max(16)
}
