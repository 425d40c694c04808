//! Values get the numbers that they have in the text, so that it prints as it was read.

use crate::function::{Function, Value, ValueData, ValueDef};
use rustc_hash::FxHashMap;

/// The largest number of a value that a text may use.
pub(super) const MAX_NUMBER: u32 = 1 << 24;

/// Gives each value of `named` its number; constants and the like take what is free, in their order.
pub(super) fn renumber(function: &mut Function, named: &FxHashMap<u32, Value>) {
    let known = function.values.len();
    let mut numbers: Vec<Option<Value>> = vec![None; known];
    let most = named.keys().max().map_or(0, |&most| most as usize + 1);
    let mut taken = vec![false; most.max(known)];
    for (&number, value) in named {
        numbers[value.index()] = Some(Value(number));
        taken[number as usize] = true;
    }
    let mut free = (0..).filter(|&number: &u32| !taken.get(number as usize).is_some_and(|&t| t));
    let numbers: Vec<Value> = numbers
        .into_iter()
        .map(|number| number.unwrap_or_else(|| Value(free.next().unwrap_or_default())))
        .collect();
    let count = numbers.iter().map(|value| value.index() + 1).max();
    // Numbers that nobody uses: of constants that the printed function did not use, either.
    let unused = ValueData::new(ValueDef::Undefined, 1);
    let mut values = vec![unused; count.unwrap_or(0)];
    for (data, number) in function.values.drain(..).zip(&numbers) {
        values[number.index()] = data;
    }
    function.values = values;
    replace(function, |value| numbers[value.index()]);
}

/// Replaces every mention of a value.
fn replace(function: &mut Function, new: impl Fn(Value) -> Value) {
    let change = |value: &mut Value| *value = new(*value);
    for block in &mut function.blocks {
        block.params.iter_mut().for_each(change);
        block.assumed.iter_mut().for_each(change);
        for target in block.terminator.targets_mut() {
            target.args.iter_mut().for_each(change);
        }
        if let Some(decision) = block.terminator.decision_mut() {
            change(decision);
        }
    }
    for inst in &mut function.insts {
        inst.args.iter_mut().for_each(change);
        inst.results.iter_mut().for_each(change);
        if let Some((guard, _)) = &mut inst.guard {
            change(guard);
        }
    }
}
