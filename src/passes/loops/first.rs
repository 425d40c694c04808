//! Loads of all iterations of a batch in front of the first one's branches: where iterations take several paths, the assembler leaves each
//! load in its own.
//!
//! Nothing is stored in such a loop that they could miss (L5), and each is executed in its iteration, which is known to run (L7).

use super::conditions::Later;
use ptxasw_base::mutation::{Mutation, active};
use ptxasw_ir::function::{InstId, Value};
use ptxasw_ir::opcode::Opcode;
use ptxasw_ir::patch::{CloneId, Cursor, Location, Patch, Point, Positions, Redirect, Removal};

/// Executes loads of all iterations but the first at the start of the first one's copy: those of `loads` for which that can be written.
pub fn load(
    later: &mut Later,
    loads: &[InstId],
    chain: &[CloneId],
    next: &mut u32,
    patch: &mut Patch,
) -> Vec<InstId> {
    let function = later.session.function;
    let positions = Positions::new(function);
    let mut done = Vec::new();
    for &load in loads {
        let Some(values) = completed(later, &positions, load) else {
            continue;
        };
        let known = later.known.clone();
        let mut at = Cursor::new(next, function.inst(load).origin);
        let copies = (1..).zip(&chain[1..]);
        let read = copies.flat_map(|(iteration, &clone)| {
            values.iter().map(move |&value| (iteration, clone, value))
        });
        let redirects = read.map(|(iteration, clone, value)| {
            let iteration =
                iteration - u32::from(active(Mutation::LoadsOfOtherIteration) && iteration > 1);
            let to = later.loaded(load, value, iteration, &mut at)?;
            Ok(Redirect {
                clone: Some(clone),
                value,
                to,
            })
        });
        let Ok(redirects) = redirects.collect::<Result<Vec<Redirect>, super::Refusal>>() else {
            // Steps that are not made.
            later.known = known;
            continue;
        };
        let point = Point::Start(later.shape.header);
        at.done(
            patch,
            Location {
                clone: chain.first().copied(),
                point,
            },
        );
        patch.redirect.extend(redirects);
        patch.remove.extend(chain[1..].iter().map(|&clone| Removal {
            clone: Some(clone),
            inst: load,
        }));
        done.push(load);
    }
    done
}

/// What a load's statement gives, if the text can read something else in its place.
fn completed(later: &Later, positions: &Positions, load: InstId) -> Option<Vec<Value>> {
    let (function, text) = (later.session.function, later.session.text);
    let Opcode::Load(access) = function.inst(load).opcode else {
        return None;
    };
    if access.hints || !text.defines_all(load) {
        return None;
    }
    let statement = positions.statement(load).ok()?;
    let insts = || statement.iter().map(|&id| function.inst(id));
    if insts().any(|inst| !matches!(inst.opcode, Opcode::Op(_) | Opcode::Load(_))) {
        return None;
    }
    let values = insts().flat_map(|inst| inst.results.iter().copied());
    let is_read = |value: &Value| insts().any(|inst| inst.args.contains(value));
    let values: Vec<Value> = values.filter(|value| !is_read(value)).collect();
    values
        .iter()
        .all(|&value| text.redirectable(value))
        .then_some(values)
}
