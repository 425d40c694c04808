//! Regions: parts of a function that have an e-graph of their own. What a region reads from elsewhere is a leaf of it; what others
//! read of it is a root.

use super::facts::{Facts, Graph};
use super::flavour::of_op;
use super::language::{Node, rounded};
use super::options::Permissions;
use super::statements::{Kind, Statement, is_promised};
use egg::Id;
use ptxasw_ir::fast_math::FastMath;
use ptxasw_ir::function::{Base, Function, InstId, Value, ValueDef};
use ptxasw_ir::op::{Op, Rounding};
use ptxasw_ir::opcode::Opcode;
use ptxasw_ir::types::Special;
use rustc_hash::{FxHashMap, FxHashSet};

/// Operations of a region, above which the next block begins another one.
const OPERATIONS: usize = 192;
/// Operations of a region, above which another one begins in the same block.
const MOST: usize = 384;

/// A part of a function.
pub struct Region {
    /// The e-graph of its pure values.
    pub graph: Graph,
    /// The class of each value that it computes or reads.
    pub classes: FxHashMap<Value, Id>,
    /// How the function computes a value.
    pub own: FxHashMap<Value, Node>,
    /// Values that others read, in the order of their definitions.
    pub roots: Vec<Value>,
    /// Its pure statements: indices into the list of all.
    pub statements: Vec<usize>,
}

/// The regions of a function, and which of them a statement belongs to.
pub struct Regions {
    /// In the order of the function.
    pub all: Vec<Region>,
    /// For each statement; none for what is in none.
    pub of: Vec<Option<usize>>,
}

/// Splits a function into regions.
pub fn regions(
    function: &Function,
    statements: &[Statement],
    permissions: &Permissions,
) -> Regions {
    let mut builder = Builder {
        function,
        permissions,
        leaves: FxHashMap::default(),
        all: Vec::new(),
        of: vec![None; statements.len()],
        defined: FxHashMap::default(),
        operations: 0,
    };
    builder.build(statements);
    let mut regions = Regions {
        all: builder.all,
        of: builder.of,
    };
    roots(function, statements, &builder.defined, &mut regions);
    for region in &mut regions.all {
        region.graph.rebuild();
    }
    regions
}

/// What is the same leaf although it is several values.
#[derive(Clone, PartialEq, Eq, Hash)]
enum LeafKey {
    Special(Special),
    Address(Base, i64),
}

struct Builder<'f> {
    function: &'f Function,
    permissions: &'f Permissions,
    leaves: FxHashMap<LeafKey, Value>,
    all: Vec<Region>,
    of: Vec<Option<usize>>,
    /// The region of each value that one computes.
    defined: FxHashMap<Value, usize>,
    operations: usize,
}

impl Builder<'_> {
    fn build(&mut self, statements: &[Statement]) {
        let mut block = None;
        for (index, statement) in statements.iter().enumerate() {
            let next = block != Some(statement.block);
            block = Some(statement.block);
            match statement.kind {
                Kind::Pure(_) => {}
                // A copy is another name of what it copies.
                Kind::Copy(_) | Kind::Other => continue,
            }
            let full = self.operations >= MOST || next && self.operations >= OPERATIONS;
            if self.all.is_empty() || full {
                self.begin();
            }
            let region = self.all.len() - 1;
            self.of[index] = Some(region);
            self.all[region].statements.push(index);
            for &id in statement.insts {
                self.add(region, id);
            }
        }
    }

    fn begin(&mut self) {
        self.operations = 0;
        self.all.push(Region {
            graph: Graph::new(Facts::default()),
            classes: FxHashMap::default(),
            own: FxHashMap::default(),
            roots: Vec::new(),
            statements: Vec::new(),
        });
    }

    fn add(&mut self, region: usize, id: InstId) {
        let inst = self.function.inst(id);
        let (Opcode::Op(op), Some(&result)) = (&inst.opcode, inst.results.first()) else {
            return;
        };
        self.operations += 1;
        let args: Vec<Id> = inst
            .args
            .iter()
            .map(|&arg| self.class(region, arg))
            .collect();
        let allowed = match rounded(op) {
            Some((_, mode)) => {
                let unmarked = mode.rounding == Rounding::Contractible;
                self.permissions.of(self.function, result, unmarked)
            }
            None => FastMath::NONE,
        };
        let node = of_op(*op, allowed, args);
        let region_ref = &mut self.all[region];
        let class = region_ref.graph.add(node.clone());
        region_ref.classes.insert(result, class);
        region_ref.own.insert(result, node);
        self.defined.insert(result, region);
    }

    /// The class of an operand.
    fn class(&mut self, region: usize, value: Value) -> Id {
        if let Some(&class) = self.all[region].classes.get(&value) {
            return class;
        }
        let original = self.original(value);
        let data = self.function.value(original);
        let node = match data.def {
            ValueDef::Constant(bits) if data.width <= 64 => Node::Constant(data.width, bits),
            _ => Node::Leaf(original, data.width),
        };
        let known = self.all[region].classes.get(&original).copied();
        let class = known.unwrap_or_else(|| self.all[region].graph.add(node));
        let classes = &mut self.all[region].classes;
        classes.insert(value, class);
        classes.insert(original, class);
        class
    }

    /// The value that a chain of copies begins with, and one for all that name the same register or variable.
    fn original(&mut self, mut value: Value) -> Value {
        loop {
            let source = match &self.function.value(value).def {
                ValueDef::Result(id, _) => match copied(self.function, *id) {
                    Some(from) => {
                        value = from;
                        continue;
                    }
                    None => return value,
                },
                ValueDef::Special(special) => LeafKey::Special(*special),
                ValueDef::Address(base, offset) => LeafKey::Address(base.clone(), *offset),
                _ => return value,
            };
            return *self.leaves.entry(source).or_insert(value);
        }
    }
}

/// What an instruction copies, if it does nothing else.
pub fn copied(function: &Function, id: InstId) -> Option<Value> {
    let inst = function.inst(id);
    match (&inst.opcode, &inst.args[..], inst.guard) {
        (Opcode::Op(Op::Copy { .. }), &[from], None)
            if !inst
                .results
                .iter()
                .chain([&from])
                .any(|&value| is_promised(function, value)) =>
        {
            Some(from)
        }
        _ => None,
    }
}

/// Finds what others read of each region.
fn roots(
    function: &Function,
    statements: &[Statement],
    defined: &FxHashMap<Value, usize>,
    regions: &mut Regions,
) {
    let mut read = FxHashSet::default();
    for (index, statement) in statements.iter().enumerate() {
        let reader = regions.of[index];
        for value in statement.operands(function) {
            let region = defined.get(&value);
            if region.is_some() && region.copied() != reader {
                read.insert(value);
            }
        }
    }
    for block in &function.blocks {
        let edges = block.terminator.targets().into_iter();
        let args = edges.flat_map(|target| target.args.iter().copied());
        let assumed = block.assumed.iter().copied();
        read.extend(
            block
                .terminator
                .decision()
                .into_iter()
                .chain(args)
                .chain(assumed),
        );
    }
    for (statement, region) in statements.iter().zip(&regions.of) {
        if let (Kind::Pure(value), Some(region)) = (statement.kind, region)
            && read.contains(&value)
        {
            regions.all[*region].roots.push(value);
        }
    }
}
