//! The decisions of the pass as one patch: what serves each load, and which stores go.

use super::accesses::{AccessId, Accesses, Element, MemoryAccess};
use super::available::Available;
use super::reason::Kept;
use super::statement::{Held, Statements, cut};
use crate::ir::analyses::Analyses;
use crate::ir::op::Op;
use crate::ir::patch::{Cursor, Patch, Point, Redirect, Ref, Removal, Variable, VariableId};
use crate::passes::Session;
use rustc_hash::{FxHashMap, FxHashSet};

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
    /// Loads that stay after all.
    pub kept: Vec<(AccessId, Kept)>,
}

/// Writes what serves loads. Loads come in an order in which what dominates comes first.
pub fn write(session: &Session, accesses: &Accesses, served: &[Served]) -> Written {
    let mut kept: Vec<(AccessId, Kept)> = Vec::new();
    for attempt in 0..=MAX_ATTEMPTS {
        let without: FxHashSet<AccessId> = kept.iter().map(|&(load, _)| load).collect();
        let mut writer = Writer::new(session, accesses);
        for one in served.iter().filter(|one| !without.contains(&one.load)) {
            let result = match attempt < MAX_ATTEMPTS || writer.is_dominated(one) {
                true => writer.serve(one),
                false => Err(Kept::Limit),
            };
            kept.extend(result.err().map(|why| (one.load, why)));
        }
        match writer.finish() {
            Ok(patch) => return Written { patch, kept },
            Err(more) => kept.extend(more),
        }
    }
    Written {
        patch: Patch::default(),
        kept: served.iter().map(|one| (one.load, Kept::Limit)).collect(),
    }
}

/// A variable that several accesses set.
struct Joined {
    sources: Vec<Element>,
    bits: u8,
    /// The loads that read it.
    readers: Vec<AccessId>,
}

struct Writer<'s, 'a> {
    analyses: &'s Analyses,
    accesses: &'a Accesses,
    session: &'s Session<'s>,
    statements: Statements<'s>,
    patch: Patch,
    next: u32,
    /// By the numbers of their variables.
    joined: Vec<Joined>,
    known: FxHashMap<(u8, Vec<Element>), VariableId>,
}

impl<'s, 'a> Writer<'s, 'a> {
    fn new(session: &'s Session<'s>, accesses: &'a Accesses) -> Self {
        Writer {
            analyses: session.analyses(),
            accesses,
            session,
            statements: Statements::new(session),
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
        let mut places = Vec::with_capacity(served.elements.len());
        for available in &served.elements {
            places.push(match self.dominating(&access, available) {
                Some(source) => {
                    let held = self.statements.held(self.accesses, source);
                    Ok(held.ok_or(Kept::NoRegister(source.access))?)
                }
                None => {
                    for &source in &available.sources {
                        let held = self.statements.held(self.accesses, source);
                        held.ok_or(Kept::NoRegister(source.access))?;
                    }
                    Err(&available.sources)
                }
            });
        }
        let origin = self.session.function.inst(access.inst).origin;
        let mut next = self.next;
        let mut cursor = Cursor::new(&mut next, origin);
        let mut held = Vec::with_capacity(places.len());
        for place in places {
            held.push(match place {
                Ok(held) => held,
                Err(sources) => {
                    let variable = self.variable(sources, bits, served.load);
                    let width = held_bits(bits);
                    let value = cursor.single(Op::Copy { width }, &[Ref::Variable(variable)]);
                    let skip = 0;
                    Held { value, width, skip }
                }
            });
        }
        let written = self
            .statements
            .rebuild(served.load, self.accesses, &held, &mut cursor)
            .ok_or(Kept::Statement)?;
        let statement = self.statements.of(access.inst);
        let first = statement.first().copied().unwrap_or(access.inst);
        cursor.done(&mut self.patch, Point::Before(first));
        self.next = next;
        let clone = None;
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
        self.patch.remove.push(Removal {
            clone,
            inst: access.inst,
        });
        Ok(())
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

    /// Sets the variables behind their sources, and hands over the patch.
    ///
    /// # Errors
    /// The loads that read one that can't be set.
    fn finish(mut self) -> Result<Patch, Vec<(AccessId, Kept)>> {
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
                let mut cursor = Cursor::new(&mut self.next, origin);
                let value = cut(&held, width, &mut cursor);
                // A text has no place inside a statement.
                let last = self.statements.of(at).last().copied().unwrap_or(at);
                cursor.done(&mut self.patch, Point::Behind(last));
                sets.push((Point::Behind(last).into(), value));
            }
            self.patch.variables.push(Variable { width, sets });
        }
        Ok(self.patch)
    }
}

/// The bits of a variable that has so many of memory: bytes are kept in 16.
fn held_bits(bits: u8) -> u8 {
    bits.max(16)
}
