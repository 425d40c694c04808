//! Parameters that get the same at every call of a launch: one function of the thread's number and the launch.
//!
//! For each kernel, values flow from the kernel and from the functions that anybody may call along the calls that they can
//! come to: a parameter holds nothing yet, one expression, or different values. It rises at most twice, so that the work is
//! that of the call graph, for each kernel anew.

use super::Body;
use super::expression::{Expression, ExpressionId, Expressions, Reader};
use super::materialise::{Values, Writer};
use super::pieces::{Formals, Passed, Piece};
use ptxasw_base::mutation::{Mutation, active};
use ptxasw_ir::function::ValueDef;
use ptxasw_ir::module::{CallGraph, CallSite};
use rustc_hash::{FxHashMap, FxHashSet};

/// Visits of functions in all kernels together, above which no parameter is followed.
const MAX_VISITS: usize = 1 << 16;

/// What a parameter holds in a launch of one kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Held {
    One(ExpressionId),
    Different,
}

/// Which expression a call passes in each piece of its callee; none if it may differ between threads or times.
struct Flow {
    callee: u32,
    passed: Vec<(Piece, Option<ExpressionId>)>,
}

/// Finds the parameters that are the same at all calls, and writes into their functions what they are.
pub(super) fn parameters(graph: &CallGraph, bodies: &mut [Body]) {
    let formals: Vec<Formals> = bodies.iter().map(Formals::new).collect();
    let mut all = Expressions::default();
    let flows: Vec<Vec<Flow>> = (0..bodies.len())
        .map(|caller| flows(caller, graph, bodies, &formals, &mut all))
        .collect();
    let Some(found) = follow(graph, bodies, &flows, &mut all) else {
        return;
    };
    for (number, body) in bodies.iter_mut().enumerate() {
        if !graph.open[number] && !body.form.entry {
            rewrite(body, number as u32, &formals[number], &found, &all);
        }
    }
}

fn flows(
    caller: usize,
    graph: &CallGraph,
    bodies: &[Body],
    formals: &[Formals],
    all: &mut Expressions,
) -> Vec<Flow> {
    let mut reader = Reader {
        number: caller as u32,
        body: &bodies[caller],
        formals: &formals[caller],
        known: FxHashMap::default(),
    };
    let sites = graph.sites[caller].iter();
    let known = sites.filter_map(|&CallSite { inst, callee }| Some((inst, callee?)));
    known
        .map(|(inst, callee)| {
            let passed = Passed::new(&bodies[caller], inst, &bodies[callee as usize]);
            let pieces = formals[callee as usize].pieces().into_iter();
            let mut expression = |piece: Piece| {
                let value = passed.as_ref()?.value(&bodies[caller], piece)?;
                match bodies[caller].lowered.function.value(value).def {
                    ValueDef::Constant(bits) => {
                        let mask = u64::MAX >> (64 - u32::from(piece.bits));
                        Some(all.add(Expression::Constant(piece.bits, bits & mask), piece.bits))
                    }
                    _ => reader.expression(all, value),
                }
            };
            let passed = pieces.map(|piece| (piece, expression(piece))).collect();
            Flow { callee, passed }
        })
        .collect()
}

/// What a parameter's piece holds: for each kernel that comes to the function.
type ParameterValues = FxHashMap<(u32, Piece), Vec<(u32, Held)>>;

/// Follows the calls of each kernel; none if that takes too long.
fn follow(
    graph: &CallGraph,
    bodies: &[Body],
    flows: &[Vec<Flow>],
    all: &mut Expressions,
) -> Option<ParameterValues> {
    let mut found = ParameterValues::default();
    let mut visits = 0;
    let numbers = 0..bodies.len() as u32;
    let calls = |&number: &u32| !flows[number as usize].is_empty();
    let entry = |number: u32| bodies[number as usize].form.entry;
    let anybodys: Vec<u32> = numbers
        .clone()
        .filter(calls)
        .filter(|&number| graph.open[number as usize] && !entry(number))
        .collect();
    for kernel in numbers.filter(calls).filter(|&number| entry(number)) {
        let mut held: FxHashMap<(u32, Piece), Held> = FxHashMap::default();
        let mut work = anybodys.clone();
        work.push(kernel);
        let mut reached: FxHashSet<u32> = work.iter().copied().collect();
        while let Some(number) = work.pop() {
            visits += 1;
            if visits > MAX_VISITS {
                return None;
            }
            for flow in &flows[number as usize] {
                let mut again = reached.insert(flow.callee);
                for &(piece, expression) in &flow.passed {
                    let open = graph.open[flow.callee as usize];
                    let new = match expression.filter(|_| !open) {
                        Some(expression) => substituted(all, expression, &held, graph),
                        None => Some(Held::Different),
                    };
                    let Some(new) = new else { continue };
                    let old = *held.entry((flow.callee, piece)).or_insert(new);
                    let risen =
                        old != new && old != Held::Different && !active(Mutation::OneCallForAll);
                    if risen {
                        held.insert((flow.callee, piece), Held::Different);
                    }
                    again |= risen;
                }
                if again {
                    work.push(flow.callee);
                }
            }
        }
        for (key, held) in held {
            found.entry(key).or_default().push((kernel, held));
        }
    }
    Some(found)
}

/// An expression with the values of the caller's own parameters in it; none if one of them holds nothing yet.
fn substituted(
    all: &mut Expressions,
    expression: ExpressionId,
    held: &FxHashMap<(u32, Piece), Held>,
    graph: &CallGraph,
) -> Option<Held> {
    match all.get(expression).clone() {
        Expression::Formal(number, _) if graph.open[number as usize] => Some(Held::Different),
        Expression::Formal(number, piece) => held.get(&(number, piece)).copied(),
        Expression::Operation(op, parts) => {
            let mut new = smallvec::SmallVec::new();
            for part in parts {
                match substituted(all, part, held, graph)? {
                    Held::One(part) => new.push(part),
                    Held::Different => return Some(Held::Different),
                }
            }
            let width = all.width(expression);
            Some(Held::One(all.add(Expression::Operation(op, new), width)))
        }
        _ => Some(Held::One(expression)),
    }
}

/// Writes what reads of parameters give into the function.
fn rewrite(
    body: &mut Body,
    number: u32,
    formals: &Formals,
    found: &ParameterValues,
    all: &Expressions,
) {
    let mut writer = Writer::new(body, all);
    for (read, piece) in formals.reads() {
        let held = found.get(&(number, piece)).map_or(&[][..], Vec::as_slice);
        let one = |&(kernel, held): &(u32, Held)| match held {
            Held::One(expression) => Some((kernel, expression)),
            Held::Different => None,
        };
        if let Some(values) = held.iter().map(one).collect::<Option<Values>>() {
            writer.write(read, piece, &values);
        }
    }
}
