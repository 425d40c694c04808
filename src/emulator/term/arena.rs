//! The arena: interning of nodes, symbols and functions, and what is known of each term.

use super::divide::Remainder;
use super::evaluate::apply;
use super::facts::Facts;
use super::symbol::{Function, FunctionId, Symbol, SymbolId, Variance};
use super::{Node, TermId, Unary, mask};
use hashbrown::HashTable;
use indexmap::IndexMap;
use ptxasw_ir::divergence::Level;
use ptxasw_ir::lanes::LaneMap;
use ptxasw_ir::types::Space;
use rustc_hash::{FxBuildHasher, FxHashMap};
use smallvec::SmallVec;
use std::hash::{BuildHasher, Hash};

/// Of a symbol that has no term yet.
const NO_TERM: u32 = u32::MAX;

/// A term with everything that is derived from it once.
struct Entry {
    node: Node,
    width: u8,
    /// Union of [`Variance::bit`] of its symbols.
    variance: u8,
    /// Of the width and the node.
    hash: u32,
    facts: Facts,
}

/// What the arena knows of a symbol besides its description.
struct SymbolEntry {
    symbol: Symbol,
    term: TermId,
    /// Of the name.
    hash: u32,
    /// For copies of `Lane` symbols in another thread: whose, and which thread's.
    origin: Option<(SymbolId, LaneMap)>,
}

/// An arena of terms. See the module's documentation for the canonical form.
#[derive(Default)]
pub struct Terms {
    entries: Vec<Entry>,
    /// Numbers of the terms, by hash.
    numbers: HashTable<u32>,
    symbols: Vec<SymbolEntry>,
    /// Numbers of the symbols, by hash of the name.
    by_name: HashTable<u32>,
    copies: FxHashMap<(SymbolId, LaneMap), SymbolId>,
    unique: [Option<SymbolId>; 2],
    /// The starts of the windows that were asked for.
    pub(super) windows: Vec<(Space, TermId)>,
    functions: Vec<Function>,
    by_function: FxHashMap<Function, FunctionId>,
    /// Extractions and extensions already simplified, by operand and width of the result.
    pub(super) unary_memo: IndexMap<(Unary, TermId, u8), TermId, FxBuildHasher>,
    pub(super) lane_memo: FxHashMap<LaneMap, FxHashMap<TermId, TermId>>,
    /// Where remainders by divisors that may be 0 come from, by divisor.
    pub(super) remainders: IndexMap<TermId, Remainder, FxBuildHasher>,
    /// Levels of operands that the construction in progress has descended into.
    pub(super) depth: u32,
    /// Operands that it has rewritten.
    pub(super) rewrites: u32,
    /// Terms that were rebuilt with other operands.
    pub(super) rebuilt: u64,
    /// Operands of all terms.
    operands: usize,
}

/// How far an arena was filled at some time ([`Terms::mark`]).
#[derive(Debug)]
pub struct Mark {
    terms: usize,
    symbols: usize,
    unique: [Option<SymbolId>; 2],
    windows: usize,
    functions: usize,
    unary_memo: usize,
    lane_memo: FxHashMap<LaneMap, FxHashMap<TermId, TermId>>,
    remainders: usize,
    rewrites: u32,
    rebuilt: u64,
    operands: usize,
}

impl Mark {
    /// Number of terms.
    pub fn terms(&self) -> usize {
        self.terms
    }
}

impl Terms {
    /// About how many bytes the arena takes.
    pub fn bytes(&self) -> usize {
        // A term has a place in a table, and often one in a memo.
        let each = size_of::<Entry>() + 4 * size_of::<u64>();
        self.entries.len() * each + self.operands * 2 * size_of::<u64>()
    }

    /// How far the arena is filled.
    pub fn mark(&self) -> Mark {
        Mark {
            terms: self.entries.len(),
            symbols: self.symbols.len(),
            unique: self.unique,
            windows: self.windows.len(),
            functions: self.functions.len(),
            unary_memo: self.unary_memo.len(),
            lane_memo: self.lane_memo.clone(),
            remainders: self.remainders.len(),
            rewrites: self.rewrites,
            rebuilt: self.rebuilt,
            operands: self.operands,
        }
    }

    /// Forgets all that was added since the mark was made, and what was memorised since then: terms that are made from now on get the
    /// numbers, and so the order, that they would have got then.
    pub fn cut_back(&mut self, mark: &Mark) {
        let removed = self.entries.drain(mark.terms..).map(|one| one.hash);
        for (number, hash) in (mark.terms as u32..).zip(removed) {
            remove(&mut self.numbers, number, hash);
        }
        let removed = self.symbols.drain(mark.symbols..).map(|one| one.hash);
        for (number, hash) in (mark.symbols as u32..).zip(removed) {
            remove(&mut self.by_name, number, hash);
        }
        let symbols = mark.symbols as u32;
        self.copies.retain(|_, copy| copy.0 < symbols);
        self.unique = mark.unique;
        self.windows.truncate(mark.windows);
        for function in self.functions.drain(mark.functions..) {
            self.by_function.remove(&function);
        }
        self.unary_memo.truncate(mark.unary_memo);
        self.lane_memo.clone_from(&mark.lane_memo);
        self.remainders.truncate(mark.remainders);
        // A construction may have ended by a panic.
        self.depth = 0;
        self.rewrites = mark.rewrites;
        self.rebuilt = mark.rebuilt;
        self.operands = mark.operands;
    }

    /// An empty arena.
    pub fn new() -> Self {
        Self::default()
    }

    /// Makes room for so many more terms.
    pub fn reserve(&mut self, more: usize) {
        self.entries.reserve(more);
        let hash_of = |&number: &u32| spread(self.entries[number as usize].hash);
        self.numbers.reserve(more, hash_of);
    }

    /// Number of terms.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// How many terms were rebuilt with other operands so far, each time that one was: substitution takes the most of what
    /// proofs do.
    pub fn rebuilt(&self) -> u64 {
        self.rebuilt
    }

    /// Whether there is no term yet.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The outermost operation of a term.
    pub fn node(&self, t: TermId) -> &Node {
        &self.entries[t.index()].node
    }

    /// Bits of a term, 1 to 64.
    pub fn width(&self, t: TermId) -> u8 {
        self.entries[t.index()].width
    }

    /// Known bits and ranges of a term.
    pub fn facts(&self, t: TermId) -> &Facts {
        &self.entries[t.index()].facts
    }

    /// Bits known to be zero and bits known to be one.
    pub fn known_bits(&self, t: TermId) -> (u64, u64) {
        let facts = self.facts(t);
        (facts.zeros, facts.ones)
    }

    /// Least and greatest value, read as unsigned.
    pub fn unsigned_range(&self, t: TermId) -> (u64, u64) {
        let facts = self.facts(t);
        (facts.umin, facts.umax)
    }

    /// Least and greatest value, read as two's complement.
    pub fn signed_range(&self, t: TermId) -> (i64, i64) {
        let facts = self.facts(t);
        (facts.smin, facts.smax)
    }

    /// The value of a constant.
    pub fn as_const(&self, t: TermId) -> Option<u64> {
        match *self.node(t) {
            Node::Const(bits) => Some(bits),
            _ => None,
        }
    }

    /// Equal in all threads of the block.
    pub fn is_uniform(&self, t: TermId) -> bool {
        self.entries[t.index()].variance == 0
    }

    /// Equal in all threads with the same `%tid.y` and `%tid.z`.
    pub fn is_row_uniform(&self, t: TermId) -> bool {
        self.entries[t.index()].variance & !Variance::Of(Level::Row).bit() == 0
    }

    /// The constant `bits`, cut to `width`.
    pub fn constant(&mut self, width: u8, bits: u64) -> TermId {
        self.intern_raw(width, Node::Const(bits & mask(width)))
    }

    /// One bit: 1 or 0.
    pub fn boolean(&mut self, value: bool) -> TermId {
        self.constant(1, u64::from(value))
    }

    /// The term of a symbol. An equal description gives the same symbol; another one of the same name is renamed. There is
    /// one symbol each of [`Variance::TidX`] and [`Variance::LaneId`]: further ones give the first.
    pub fn symbol(&mut self, symbol: Symbol) -> TermId {
        let unique = match symbol.variance {
            Variance::TidX => Some(0),
            Variance::LaneId => Some(1),
            _ => None,
        };
        if let Some(id) = unique.and_then(|slot| self.unique[slot]) {
            return self.symbol_term(id);
        }
        if let Some(id) = self.named(&symbol.name, short_hash(&symbol.name))
            && *self.symbol_data(id) == symbol
        {
            return self.symbol_term(id);
        }
        let id = self.add_symbol(symbol, None);
        if let Some(slot) = unique {
            self.unique[slot] = Some(id);
        }
        self.symbol_term(id)
    }

    fn add_symbol(&mut self, mut symbol: Symbol, origin: Option<(SymbolId, LaneMap)>) -> SymbolId {
        let id = SymbolId(self.symbols.len() as u32);
        let mut hash = short_hash(&symbol.name);
        if self.named(&symbol.name, hash).is_some() {
            symbol.name = format!("{}#{}", symbol.name, id.0);
            hash = short_hash(&symbol.name);
        }
        let width = symbol.width;
        self.symbols.push(SymbolEntry {
            symbol,
            term: TermId(NO_TERM),
            hash,
            origin,
        });
        let symbols = &self.symbols;
        let hash_of = |&number: &u32| spread(symbols[number as usize].hash);
        self.by_name.insert_unique(spread(hash), id.0, hash_of);
        let term = self.intern_raw(width, Node::Symbol(id));
        self.symbols[id.0 as usize].term = term;
        id
    }

    /// The symbol of a name, whose hash is given.
    fn named(&self, name: &str, hash: u32) -> Option<SymbolId> {
        let is_it = |&number: &u32| self.symbols[number as usize].symbol.name == name;
        let found = self.by_name.find(spread(hash), is_it);
        found.map(|&number| SymbolId(number))
    }

    /// The description of a symbol.
    pub fn symbol_data(&self, id: SymbolId) -> &Symbol {
        &self.symbols[id.0 as usize].symbol
    }

    /// The term that is just this symbol.
    pub fn symbol_term(&self, id: SymbolId) -> TermId {
        self.symbols[id.0 as usize].term
    }

    /// Number of symbols; ids are below.
    pub fn symbol_count(&self) -> usize {
        self.symbols.len()
    }

    /// For the copy of a [`Level::Divergent`] symbol that denotes its value in another thread: the symbol and the map
    /// to that thread.
    pub fn lane_copy(&self, id: SymbolId) -> Option<(SymbolId, LaneMap)> {
        self.symbols[id.0 as usize].origin
    }

    /// For the copy of a symbol's term in another thread: the thread's own; any other term itself.
    pub fn own_symbol(&self, t: TermId) -> TermId {
        let Node::Symbol(mut id) = *self.node(t) else {
            return t;
        };
        while let Some((own, _)) = self.lane_copy(id) {
            id = own;
        }
        self.symbol_term(id)
    }

    /// The terms of `%tid.x` and `%laneid`, where they occur: from lane to lane they grow by one.
    pub fn lane_numbers(&self) -> impl Iterator<Item = TermId> + '_ {
        self.unique.iter().flatten().map(|&id| self.symbol_term(id))
    }

    /// The `%tid.x` (0) or `%laneid` (1) symbol, if there is one.
    pub(super) fn unique_symbol(&self, variance: Variance) -> Option<SymbolId> {
        match variance {
            Variance::TidX => self.unique[0],
            Variance::LaneId => self.unique[1],
            _ => None,
        }
    }

    /// The copy of a `Lane` symbol in the thread that `map` leads to. Shifts add up; any other map of a copy gives a copy of
    /// that copy, of which nothing is known.
    pub(super) fn copy_in_lane(&mut self, id: SymbolId, map: LaneMap) -> SymbolId {
        let (base, map) = match (self.symbols[id.0 as usize].origin, map) {
            (Some((base, LaneMap::Shift(first))), LaneMap::Shift(second)) => {
                match first.checked_add(second) {
                    Some(sum) => (base, LaneMap::Shift(sum)),
                    None => (id, map),
                }
            }
            _ => (id, map),
        };
        if map.is_own() {
            return base;
        }
        if let Some(&copy) = self.copies.get(&(base, map)) {
            return copy;
        }
        let mut symbol = self.symbols[base.0 as usize].symbol.clone();
        symbol.name = match map {
            LaneMap::Shift(delta) => format!("{}@{delta}", symbol.name),
            LaneMap::Xor(mask) => format!("{}@^{mask}", symbol.name),
            LaneMap::Lane(lane) => format!("{}@lane{lane}", symbol.name),
        };
        let copy = self.add_symbol(symbol, Some((base, map)));
        self.copies.insert((base, map), copy);
        copy
    }

    /// The id of an uninterpreted function.
    pub fn function(&mut self, function: Function) -> FunctionId {
        if let Some(&id) = self.by_function.get(&function) {
            return id;
        }
        let id = FunctionId(self.functions.len() as u32);
        self.functions.push(function.clone());
        self.by_function.insert(function, id);
        id
    }

    /// How many uninterpreted functions there are.
    pub(super) fn functions_so_far(&self) -> u32 {
        self.functions.len() as u32
    }

    /// What an uninterpreted function stands for.
    pub fn function_data(&self, id: FunctionId) -> &Function {
        &self.functions[id.0 as usize]
    }

    /// An uninterpreted function of `width` bits applied to arguments of any width.
    pub fn uninterpreted(&mut self, width: u8, function: FunctionId, args: &[TermId]) -> TermId {
        self.intern(
            width,
            Node::Uninterpreted {
                function,
                args: args.into(),
            },
        )
    }

    /// Interns a node: a constant if its operands are constants or facts leave one value.
    pub(super) fn intern(&mut self, width: u8, node: Node) -> TermId {
        if let Some(bits) = self.fold(width, &node) {
            return self.constant(width, bits);
        }
        self.intern_raw(width, node)
    }

    fn fold(&self, width: u8, node: &Node) -> Option<u64> {
        if matches!(node, Node::Uninterpreted { .. }) || self.divides_by_zero(node) {
            return None;
        }
        let mut operands: SmallVec<[(u8, u64); 4]> = SmallVec::new();
        let mut constant = true;
        node.for_each_operand(|t| match self.as_const(t) {
            Some(bits) if constant => operands.push((self.width(t), bits)),
            _ => constant = false,
        });
        (constant && !operands.is_empty()).then(|| apply(node, width, &operands))
    }

    fn intern_raw(&mut self, width: u8, node: Node) -> TermId {
        debug_assert!((1..=64).contains(&width));
        let hash = short_hash((width, &node));
        let known = self.numbers.find(spread(hash), |&number| {
            let entry = &self.entries[number as usize];
            entry.width == width && entry.node == node
        });
        if let Some(&number) = known {
            return TermId(number);
        }
        let facts = Facts::of(self, width, &node);
        if facts.umin == facts.umax && !matches!(node, Node::Const(_) | Node::Symbol(_)) {
            return self.constant(width, facts.umin);
        }
        let mut variance = match node {
            Node::Symbol(id) => self.symbol_data(id).variance.bit(),
            _ => 0,
        };
        let mut operands = 0;
        node.for_each_operand(|t| {
            variance |= self.entries[t.index()].variance;
            operands += 1;
        });
        self.operands += operands;
        let id = self.entries.len() as u32;
        self.entries.push(Entry {
            node,
            width,
            variance,
            hash,
            facts,
        });
        let entries = &self.entries;
        let hash_of = |&number: &u32| spread(entries[number as usize].hash);
        self.numbers.insert_unique(spread(hash), id, hash_of);
        TermId(id)
    }
}

/// Takes a number out of a table, which has it under this hash.
fn remove(table: &mut HashTable<u32>, number: u32, hash: u32) {
    if let Ok(entry) = table.find_entry(spread(hash), |&one| one == number) {
        entry.remove();
    }
}

fn short_hash(value: impl Hash) -> u32 {
    let hash = FxBuildHasher.hash_one(value);
    (hash >> 32 ^ hash) as u32
}

/// A short hash as one of which all bits count.
fn spread(hash: u32) -> u64 {
    u64::from(hash).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}
