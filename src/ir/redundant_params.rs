//! Removal of redundant block parameters, down to minimal SSA form.
//!
//! A set of parameters that get nothing but each other and one value from outside is that value. Braun et al., "Simple
//! and Efficient Construction of Static Single Assignment Form" (CC 2013), section 3.2: strongly connected components
//! of the graph of parameters, operands first; a component with several values from outside may have redundant ones
//! inside. Each level of loops costs one more look at its parameters.

use super::cfg::Adjacency;
use super::function::{Function, Terminator, Value, ValueDef};
use petgraph::algo::kosaraju_scc;
use petgraph::graph::DiGraph;

/// No parameter, no component.
const NONE: u32 = u32::MAX;

/// How the values of a function were renumbered.
#[derive(Clone, Debug)]
pub struct Renaming {
    /// The new value of each old one; that of a removed parameter is what it was equal to.
    pub new: Vec<Value>,
    /// The old value of each new one.
    pub old: Vec<Value>,
}

/// Removes redundant block parameters, and renumbers the values.
pub fn prune_parameters(function: &mut Function) -> Renaming {
    let equal_to = Pruner::new(function).run();
    let mut renaming = Renaming {
        new: vec![Value(NONE); function.values.len()],
        old: Vec::with_capacity(function.values.len()),
    };
    for (index, &equal) in equal_to.iter().enumerate() {
        if equal.index() == index {
            renaming.new[index] = Value(renaming.old.len() as u32);
            renaming.old.push(equal);
        }
    }
    for (index, &equal) in equal_to.iter().enumerate() {
        renaming.new[index] = renaming.new[equal.index()];
    }
    rewrite(function, &renaming, &equal_to);
    renaming
}

/// The parameters of a function and what they get.
struct Pruner {
    /// The parameters' values.
    params: Vec<Value>,
    /// The parameter that a value is, or `NONE`.
    number: Vec<u32>,
    /// Arguments of each parameter, as values.
    args: Adjacency,
    /// What each value is known to be equal to; itself at first.
    equal: Vec<Value>,
    /// The component of each parameter in the step at hand.
    component: Vec<u32>,
    components: u32,
}

/// A step of the work.
enum Work {
    /// Take a set of parameters apart.
    Split(Vec<u32>),
    /// Look at a strongly connected component.
    Component(Vec<u32>),
}

impl Pruner {
    fn new(function: &Function) -> Self {
        let mut params = Vec::new();
        let mut number = vec![NONE; function.values.len()];
        for block in &function.blocks {
            for &param in &block.params {
                number[param.index()] = params.len() as u32;
                params.push(param);
            }
        }
        let mut edges = Vec::new();
        for block in &function.blocks {
            for target in block.terminator.targets() {
                let params = &function.block(target.block).params;
                for (param, arg) in params.iter().zip(&target.args) {
                    edges.push((number[param.index()], arg.0));
                }
            }
        }
        Pruner {
            args: Adjacency::new(params.len(), &edges),
            component: vec![NONE; params.len()],
            components: 0,
            equal: (0..function.values.len() as u32).map(Value).collect(),
            params,
            number,
        }
    }

    fn run(mut self) -> Vec<Value> {
        let mut work = vec![Work::Split((0..self.params.len() as u32).collect())];
        while let Some(step) = work.pop() {
            match step {
                // The stack is popped from its end: what comes first goes there.
                Work::Split(set) => {
                    let components = self.components_of(&set);
                    work.extend(components.into_iter().rev().map(Work::Component));
                }
                Work::Component(set) => {
                    let inner = self.visit(&set);
                    if !inner.is_empty() {
                        work.push(Work::Split(inner));
                    }
                }
            }
        }
        for index in 0..self.equal.len() {
            self.equal[index] = self.resolve(Value(index as u32));
        }
        self.equal
    }

    /// What a value is equal to, as far as known; shortens the path there.
    fn resolve(&mut self, value: Value) -> Value {
        let mut root = value;
        while self.equal[root.index()] != root {
            root = self.equal[root.index()];
        }
        let mut next = value;
        while next != root {
            next = std::mem::replace(&mut self.equal[next.index()], root);
        }
        root
    }

    /// Gives the parameters of `set` a new component number.
    fn mark(&mut self, set: &[u32]) -> u32 {
        self.components += 1;
        for &param in set {
            self.component[param as usize] = self.components;
        }
        self.components
    }

    /// The number of the argument's parameter if that is in component `id`.
    fn inside(&self, arg: Value, id: u32) -> Option<u32> {
        let param = self.number[arg.index()];
        (param != NONE && self.component[param as usize] == id).then_some(param)
    }

    /// Strongly connected components of `set`, operands before their users.
    fn components_of(&mut self, set: &[u32]) -> Vec<Vec<u32>> {
        let id = self.mark(set);
        let mut graph = DiGraph::<u32, (), u32>::with_capacity(set.len(), set.len() * 2);
        let mut nodes = rustc_hash::FxHashMap::default();
        for &param in set {
            nodes.insert(param, graph.add_node(param));
        }
        for &param in set {
            for index in 0..self.args.of(param).len() {
                let arg = self.resolve(Value(self.args.of(param)[index]));
                if let Some(operand) = self.inside(arg, id) {
                    graph.add_edge(nodes[&param], nodes[&operand], ());
                }
            }
        }
        let components = kosaraju_scc(&graph);
        let parameters = |component: Vec<_>| component.into_iter().map(|n| graph[n]).collect();
        components.into_iter().map(parameters).collect()
    }

    /// Replaces a component that has one value from outside. Of one with several, returns the parameters that get
    /// none from outside.
    fn visit(&mut self, set: &[u32]) -> Vec<u32> {
        let id = self.mark(set);
        let mut outside = None;
        let mut several = false;
        let mut inner = Vec::new();
        for &param in set {
            let mut reached = false;
            for index in 0..self.args.of(param).len() {
                let arg = self.resolve(Value(self.args.of(param)[index]));
                if self.inside(arg, id).is_none() {
                    reached = true;
                    several |= outside.is_some_and(|other| other != arg);
                    outside = Some(arg);
                }
            }
            if !reached {
                inner.push(param);
            }
        }
        if several {
            return inner;
        }
        if let Some(value) = outside {
            for &param in set {
                self.equal[self.params[param as usize].index()] = value;
            }
        }
        Vec::new()
    }
}

/// Drops the parameters that are equal to something else with their arguments, and renames everything.
fn rewrite(function: &mut Function, renaming: &Renaming, equal_to: &[Value]) {
    let keep: Vec<Vec<bool>> = function
        .blocks
        .iter()
        .map(|block| {
            block
                .params
                .iter()
                .map(|&p| equal_to[p.index()] == p)
                .collect()
        })
        .collect();
    let rename = |value: &mut Value| *value = renaming.new[value.index()];
    let retain = |values: &mut Vec<Value>, keep: &[bool]| {
        let mut flags = keep.iter();
        values.retain(|_| flags.next().copied().unwrap_or(true));
        values.iter_mut().for_each(rename);
    };
    for (index, block) in function.blocks.iter_mut().enumerate() {
        retain(&mut block.params, &keep[index]);
        block.assumed.iter_mut().for_each(rename);
        match &mut block.terminator {
            Terminator::Jump(target) => retain(&mut target.args, &keep[target.block.index()]),
            Terminator::Branch {
                condition,
                then,
                otherwise,
                ..
            } => {
                rename(condition);
                retain(&mut then.args, &keep[then.block.index()]);
                retain(&mut otherwise.args, &keep[otherwise.block.index()]);
            }
            Terminator::Switch { index, targets } => {
                rename(index);
                for target in targets {
                    retain(&mut target.args, &keep[target.block.index()]);
                }
            }
            Terminator::Return | Terminator::Exit | Terminator::Trap => {}
        }
    }
    for inst in &mut function.insts {
        inst.args
            .iter_mut()
            .chain(&mut inst.results)
            .for_each(rename);
        if let Some((guard, _)) = &mut inst.guard {
            rename(guard);
        }
    }
    let old = &renaming.old;
    let values = old
        .iter()
        .map(|v| function.values[v.index()].clone())
        .collect();
    function.values = values;
    for id in function.block_ids() {
        for (index, param) in function.blocks[id.index()].params.iter().enumerate() {
            function.values[param.index()].def = ValueDef::Parameter(id, index as u16);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builder::{FunctionBuilder, target};

    /// Two parameters that hand each other round a loop of two entries, and get `second` from the other side.
    fn irreducible(same: bool) -> Function {
        let mut builder = FunctionBuilder::new("f", true);
        let [entry, a, b, end] = std::array::from_fn(|_| builder.block());
        let bit = builder.undefined(1);
        let one = builder.constant(32, 1);
        let two = builder.constant(32, if same { 1 } else { 2 });
        let p = builder.param(a, 32);
        let q = builder.param(b, 32);
        let branch = |then, otherwise| Terminator::Branch {
            condition: bit,
            then,
            otherwise,
            uniform: false,
        };
        builder.terminate(entry, branch(target(a, &[one]), target(b, &[two])), 0);
        builder.terminate(a, branch(target(b, &[p]), target(end, &[])), 0);
        builder.terminate(b, Terminator::Jump(target(a, &[q])), 0);
        builder.terminate(end, Terminator::Return, 0);
        builder.finish()
    }

    #[test]
    fn parameters_that_only_get_each_other_and_one_value_go() {
        let mut function = irreducible(true);
        let renaming = prune_parameters(&mut function);
        assert!(function.blocks.iter().all(|block| block.params.is_empty()));
        assert_eq!(renaming.old.len(), function.values.len());
        // The parameters are the constant now.
        assert_eq!(renaming.new[2], renaming.new[1]);
        assert_eq!(renaming.new[3], renaming.new[1]);
    }

    #[test]
    fn parameters_that_get_two_values_stay() {
        let mut function = irreducible(false);
        prune_parameters(&mut function);
        assert_eq!(function.blocks[1].params.len(), 1);
        assert_eq!(function.blocks[2].params.len(), 1);
    }

    #[test]
    fn an_inner_loop_that_carries_the_value_of_the_outer_one() {
        // outer(p) -> inner(q) -> inner(q) | outer(sum)
        let mut builder = FunctionBuilder::new("f", true);
        let [entry, outer, inner, latch] = std::array::from_fn(|_| builder.block());
        let bit = builder.undefined(1);
        let one = builder.constant(32, 1);
        let p = builder.param(outer, 32);
        let q = builder.param(inner, 32);
        let r = builder.param(latch, 32);
        builder.terminate(entry, Terminator::Jump(target(outer, &[one])), 0);
        builder.terminate(outer, Terminator::Jump(target(inner, &[p])), 0);
        let add = crate::opcode::Opcode::Op(crate::op::Op::Add { width: 32 });
        let end = Terminator::Branch {
            condition: bit,
            then: target(inner, &[q]),
            otherwise: target(latch, &[q]),
            uniform: false,
        };
        builder.terminate(inner, end, 0);
        let sum = builder.single(latch, add, &[r, one], 32, 0);
        builder.terminate(latch, Terminator::Jump(target(outer, &[sum])), 0);
        let mut function = builder.finish();
        let renaming = prune_parameters(&mut function);
        assert_eq!(function.blocks[1].params.len(), 1);
        assert!(function.blocks[2].params.is_empty() && function.blocks[3].params.is_empty());
        assert_eq!(function.insts[0].args[0], renaming.new[p.index()]);
        assert_eq!(renaming.new[r.index()], renaming.new[p.index()]);
    }

    #[test]
    fn promises_go_with_their_values() {
        let text = "function f() {
block0:
    v9: b32 nsw = add.32 %tid.x, 1 ; 0
    jump block1(v9) ; 1
block1(v3: b32 range(4)):
    assume v5
    v5: pred, v6: pred = compare.lt.u32 v3, 9 ; 2
    v7: b32 nuw promised(8) = add.32 v3, v9 ; 3
    return ; 4
}
";
        let mut function = crate::text::parse(text).unwrap();
        prune_parameters(&mut function);
        let text = function.to_string();
        for line in [
            "v8: b32 nsw = add.32",
            "assume v4",
            "v4: pred, v5: pred =",
            "nuw promised(8) = add.32 v8, v8",
        ] {
            assert!(text.contains(line), "no `{line}` in\n{text}");
        }
        assert!(!text.contains("range"), "{text}");
    }
}
