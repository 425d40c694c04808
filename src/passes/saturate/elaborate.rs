//! The choice as a patch.
//!
//! Statements are visited in the order of the function. A pure statement whose value has been computed on every path to it goes;
//! one whose class is computed as before stays; any other is replaced by what was chosen, in front of it. Operands that are not
//! there yet are computed with it, once for all that the place dominates. What no root needs goes.
//! Earlier places (where all operands are there; outside loops) were measured, and gain nothing: `benches/README.md`, "Arithmetic".
//!
//! A choice may rest on a value that is not there yet: two values are equal wherever both are there, and one of them may come
//! later. Then the class is *forced*: it is computed as in the function, and the visit begins again. The function itself is a choice
//! in which all classes are forced, so this ends.

use super::cost::Cost;
use super::extract::Choice;
use super::grow::Growth;
use super::language::Node;
use super::region::{Region, Regions};
use super::statements::{Kind, Statement};
use crate::{Fate, Remark, Session};
use egg::{Id, Language};
use ptxasw_ir::function::{BlockId, Value, ValueDef};
use ptxasw_ir::patch::{Cursor, Patch, Point, Readable, Redirect, Ref, Removal};
use rustc_hash::{FxHashMap, FxHashSet};

/// The choice for one region.
pub struct Chosen {
    /// Which node each class is.
    pub nodes: Choice,
    /// The rule that made a node, by its name.
    pub rules: FxHashMap<Node, &'static str>,
    /// Classes that are computed as in the function.
    pub forced: FxHashSet<Id>,
    /// Every class of the region is forced.
    pub plain: bool,
    /// No statement of the region changes.
    pub untouched: bool,
    /// What the e-graph took.
    pub growth: Growth,
}

/// What a visit leaves.
pub struct Elaborated {
    /// The changes to the function.
    pub patch: Patch,
    /// One for each statement that changes, with its region.
    pub remarks: Vec<(usize, Remark)>,
    /// For each region the cost of what goes, and of what comes.
    pub balance: Vec<[u64; 2]>,
}

/// That a class cannot be computed as it was chosen.
pub struct Unavailable {
    /// The index of its region.
    pub region: usize,
    /// Its canonical number.
    pub class: Id,
}

/// A value of a class.
#[derive(Clone, Copy)]
struct Entry {
    block: BlockId,
    at: Ref,
}

/// The state of a visit of all statements.
pub struct Elaboration<'a, 'f> {
    session: &'a Session<'f>,
    statements: &'a [Statement<'f>],
    regions: &'a Regions,
    chosen: &'a [Chosen],
    cost: Cost,
    /// Classes that roots need.
    needed: Vec<FxHashSet<Id>>,
    /// Where classes are computed so far.
    available: FxHashMap<(usize, Id), Vec<Entry>>,
    /// The values of each class that the function has from elsewhere.
    leaves: Vec<FxHashMap<Id, Vec<Value>>>,
    /// Index of the statement that defines a value.
    defined: FxHashMap<Value, usize>,
    redirected: FxHashMap<Value, Ref>,
    /// Classes on the way to what is being written.
    open: Vec<Id>,
    /// Rules that made what is being written.
    rules: Vec<&'static str>,
    next: u32,
    out: Elaborated,
}

impl<'a, 'f> Elaboration<'a, 'f> {
    /// Nothing is visited yet.
    pub fn new(
        session: &'a Session<'f>,
        statements: &'a [Statement<'f>],
        regions: &'a Regions,
        chosen: &'a [Chosen],
        cost: Cost,
    ) -> Self {
        let leaves = regions.all.iter().map(leaves).collect();
        let mut defined = FxHashMap::default();
        for (index, statement) in statements.iter().enumerate() {
            for &id in statement.insts {
                let results = &session.function.inst(id).results;
                defined.extend(results.iter().map(|&result| (result, index)));
            }
        }
        Elaboration {
            session,
            statements,
            regions,
            chosen,
            cost,
            needed: Vec::new(),
            available: FxHashMap::default(),
            leaves,
            defined,
            redirected: FxHashMap::default(),
            open: Vec::new(),
            rules: Vec::new(),
            next: 0,
            out: Elaborated {
                patch: Patch::default(),
                remarks: Vec::new(),
                balance: vec![[0; 2]; regions.all.len()],
            },
        }
    }

    /// Visits all statements in order, and returns the patch.
    ///
    /// # Errors
    /// A class cannot be computed as it was chosen.
    pub fn run(mut self) -> Result<Elaborated, Unavailable> {
        for region in 0..self.regions.all.len() {
            let needed = self.needed(region);
            self.needed.push(needed);
        }
        for index in 0..self.statements.len() {
            let statement = self.statements[index];
            match (statement.kind, self.regions.of[index]) {
                (Kind::Pure(value), Some(region)) => self.pure(index, region, value)?,
                (Kind::Copy(value), _) => self.copy(index, value),
                _ => {}
            }
        }
        Ok(self.out)
    }

    /// Classes that roots need, by what is chosen.
    fn needed(&self, region: usize) -> FxHashSet<Id> {
        let one = &self.regions.all[region];
        let mut needed = FxHashSet::default();
        let mut work: Vec<Id> = one.roots.iter().map(|&value| class(one, value)).collect();
        let mut members: FxHashMap<Id, Vec<usize>> = FxHashMap::default();
        for &index in &one.statements {
            if let Kind::Pure(value) = self.statements[index].kind {
                members.entry(class(one, value)).or_default().push(index);
            }
        }
        while let Some(id) = work.pop() {
            if !needed.insert(id) {
                continue;
            }
            let forced = self.chosen[region].is_forced(id);
            match (members.get(&id), self.chosen[region].nodes.get(&id)) {
                (Some(members), node) if forced || node.is_none() => {
                    for &index in members {
                        let operands = self.statements[index].operands(self.session.function);
                        work.extend(operands.iter().map(|&value| class(one, value)));
                    }
                }
                (_, Some(node)) => work.extend_from_slice(node.children()),
                (_, None) => {}
            }
        }
        needed
    }

    /// Decides about a pure statement: it goes, stays, or is replaced.
    fn pure(&mut self, index: usize, region: usize, value: Value) -> Result<(), Unavailable> {
        let class = class(&self.regions.all[region], value);
        if self.chosen[region].untouched {
            self.computed(region, class, index, Ref::Value(value));
            return Ok(());
        }
        if !self.needed[region].contains(&class) {
            self.remove(index, region);
            return Ok(());
        }
        if let Some(to) = self.there(index, region, class) {
            self.redirect(index, region, value, to, "computed before".to_owned());
            return Ok(());
        }
        if self.stays(index, region, value) {
            self.computed(region, class, index, Ref::Value(value));
            return Ok(());
        }
        let statement = &self.statements[index];
        let origin = self.session.function.inst(statement.insts[0]).origin;
        let mut next = self.next;
        let mut cursor = Cursor::new(&mut next, origin);
        self.rules.clear();
        let written = self.write(&mut cursor, index, region, class);
        let steps = cursor.steps();
        let to = written?;
        self.next = next;
        let point = Point::Before(statement.insts[0]);
        Cursor::after(&mut next, origin, steps).done(&mut self.out.patch, point);
        self.rules.sort_unstable();
        self.rules.dedup();
        let what = match self.rules.is_empty() {
            true => "computed in another form".to_owned(),
            false => format!("computed in another form ({})", self.rules.join(", ")),
        };
        self.redirect(index, region, value, to, what);
        Ok(())
    }

    /// A copy stays; its class may be read from it.
    fn copy(&mut self, index: usize, value: Value) {
        if self.session.text.readable(value) == Readable::No {
            return;
        }
        for region in 0..self.regions.all.len() {
            if let Some(&id) = self.regions.all[region].classes.get(&value) {
                let class = self.regions.all[region].graph.find(id);
                self.computed(region, class, index, Ref::Value(value));
            }
        }
    }

    /// Whether a statement computes what is chosen, in the way in which it is chosen.
    fn stays(&self, index: usize, region: usize, value: Value) -> bool {
        let (one, chosen) = (&self.regions.all[region], &self.chosen[region]);
        let id = class(one, value);
        if chosen.is_forced(id) {
            return true;
        }
        let Some(own) = one.own.get(&value) else {
            return true;
        };
        let own = canonical(one, own);
        if chosen.nodes.get(&id).is_some_and(|node| *node != own) {
            return false;
        }
        let function = self.session.function;
        let statement = &self.statements[index];
        let ValueDef::Result(inst, _) = function.value(value).def else {
            return true;
        };
        let args = &function.inst(inst).args;
        let inner = args.iter().filter(|&&arg| statement.defines(function, arg));
        inner.copied().all(|arg| self.stays(index, region, arg))
    }

    /// A class that is computed already wherever the statement is executed.
    fn there(&self, index: usize, region: usize, class: Id) -> Option<Ref> {
        let fact = self.regions.all[region].graph[class].data;
        if let Some(bits) = fact.constant {
            return Some(Ref::Constant(fact.width, bits));
        }
        let block = self.statements[index].block;
        let dominators = &self.session.analyses().dominators;
        let entries = self.available.get(&(region, class));
        let mut entries = entries.into_iter().flatten().rev();
        let found = entries.find(|entry| dominators.dominates(entry.block, block));
        found.map(|entry| entry.at).or_else(|| {
            let leaves = self.leaves[region].get(&class)?;
            leaves.iter().find_map(|&leaf| self.leaf(index, leaf))
        })
    }

    /// How a value from elsewhere is read, if it is there.
    fn leaf(&self, index: usize, value: Value) -> Option<Ref> {
        if let Some(&to) = self.redirected.get(&value) {
            return self.is_defined(index, value).then_some(to);
        }
        let there =
            self.session.text.readable(value) != Readable::No && self.is_defined(index, value);
        (there && !self.rests_on_gone(value)).then_some(Ref::Value(value))
    }

    /// Whether a value is defined wherever a statement is executed.
    fn is_defined(&self, index: usize, value: Value) -> bool {
        let dominators = &self.session.analyses().dominators;
        let block = self.statements[index].block;
        match self.session.function.value(value).def {
            ValueDef::Result(id, _) => {
                let defining_block = self.session.function.inst(id).block;
                let at = self.defined.get(&value);
                at.is_some_and(|&at| at < index) && dominators.dominates(defining_block, block)
            }
            ValueDef::Parameter(defining_block, _) => dominators.dominates(defining_block, block),
            _ => true,
        }
    }

    /// Whether reading a value means to compute it anew, from operands that are gone.
    fn rests_on_gone(&self, value: Value) -> bool {
        let (function, text) = (self.session.function, self.session.text);
        if text.readable(value) == Readable::Directly || text.redirectable(value) {
            return false;
        }
        match function.value(value).def {
            ValueDef::Result(id, _) => {
                let args = &function.inst(id).args;
                args.iter().any(|arg| self.redirected.contains_key(arg))
            }
            _ => false,
        }
    }

    /// Writes a class in front of a statement.
    fn write(
        &mut self,
        cursor: &mut Cursor,
        index: usize,
        region: usize,
        class: Id,
    ) -> Result<Ref, Unavailable> {
        if let Some(there) = self.there(index, region, class) {
            return Ok(there);
        }
        let unavailable = Unavailable { region, class };
        let chosen = &self.chosen[region];
        let Some(node) = chosen.nodes.get(&class) else {
            return Err(unavailable);
        };
        if matches!(node, Node::Leaf(..) | Node::Constant(..)) {
            return Err(self.blame(region).unwrap_or(unavailable));
        }
        if self.open.contains(&class) || chosen.is_forced(class) && !self.open.is_empty() {
            let blamed = self.blame(region).unwrap_or(unavailable);
            self.open.clear();
            return Err(blamed);
        }
        self.rules.extend(chosen.rules.get(node));
        self.open.push(class);
        let mut refs = Vec::with_capacity(node.children().len());
        for &arg in node.children() {
            refs.push(self.write(cursor, index, region, arg)?);
        }
        self.open.pop();
        let written = match node {
            Node::Op(op, ..) => cursor.single(*op, &refs),
            _ => refs[0],
        };
        let graph = &self.regions.all[region].graph;
        self.out.balance[region][1] += self.cost.of(graph, node);
        self.computed(region, class, index, written);
        Ok(written)
    }

    /// The class whose choice led to what is being written.
    fn blame(&self, region: usize) -> Option<Unavailable> {
        let &class = self.open.first()?;
        Some(Unavailable { region, class })
    }

    fn computed(&mut self, region: usize, class: Id, index: usize, at: Ref) {
        let block = self.statements[index].block;
        if let Ref::Value(value) = at
            && (self.session.text.readable(value) == Readable::No || self.rests_on_gone(value))
        {
            return;
        }
        let entries = self.available.entry((region, class)).or_default();
        entries.push(Entry { block, at });
    }

    fn redirect(&mut self, index: usize, region: usize, value: Value, to: Ref, what: String) {
        let clone = None;
        let redirect = Redirect { clone, value, to };
        self.out.patch.redirect.push(redirect);
        self.redirected.insert(value, to);
        let first = self.statements[index].insts[0];
        let remark = Remark::new(first, Fate::Rewritten, what);
        self.out.remarks.push((region, remark));
        self.remove(index, region);
    }

    fn remove(&mut self, index: usize, region: usize) {
        let insts = self.statements[index].insts;
        let (clone, inst) = (None, insts[0]);
        self.out.patch.remove.push(Removal { clone, inst });
        let one = &self.regions.all[region];
        let results = insts
            .iter()
            .flat_map(|&id| &self.session.function.inst(id).results);
        let own = results.filter_map(|result| one.own.get(result));
        let costs = own.map(|node| self.cost.of(&one.graph, node));
        self.out.balance[region][0] += costs.sum::<u64>();
    }
}

impl Chosen {
    fn is_forced(&self, class: Id) -> bool {
        self.plain || self.untouched || self.forced.contains(&class)
    }
}

/// The canonical class of a value of a region.
fn class(region: &Region, value: Value) -> Id {
    region.graph.find(region.classes[&value])
}

/// A node with canonical operands.
pub fn canonical(region: &Region, node: &Node) -> Node {
    node.clone().map_children(|child| region.graph.find(child))
}

/// The leaves of each class, in a fixed order.
fn leaves(region: &Region) -> FxHashMap<Id, Vec<Value>> {
    let mut all = FxHashMap::default();
    for class in region.graph.classes() {
        let leaves = class.nodes.iter().filter_map(|node| match node {
            Node::Leaf(value, _) => Some(*value),
            _ => None,
        });
        let mut leaves: Vec<Value> = leaves.collect();
        leaves.sort_unstable();
        if !leaves.is_empty() {
            all.insert(class.id, leaves);
        }
    }
    all
}
