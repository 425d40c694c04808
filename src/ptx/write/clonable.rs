//! Whether a region can have a second copy in the text.

use super::gaps::Gap;
use super::view::View;
use crate::ast::StatementKind;
use ptxasw_ir::function::BlockId;
use ptxasw_ir::patch::{Point, RegionClone, Uncopyable};
use rustc_hash::FxHashSet;

/// Whether a region can be duplicated in the text.
pub(super) fn clonable(view: &View, clone: &RegionClone) -> Result<(), Uncopyable> {
    let (block, before) = place(view, clone.enter)?;
    let inner = |(_, statement): (BlockId, u32)| match view.binding.is_inside(statement) {
        true => Err(Uncopyable {
            origin: statement,
            what: "what is left into an inner scope",
        }),
        false => Ok(()),
    };
    for exit in &clone.exits {
        inner(place(view, exit.at)?)?;
    }
    let inside: FxHashSet<BlockId> = clone.blocks.iter().copied().collect();
    let parts = clone.blocks.iter().map(|&block| (block, None));
    for (block, from) in parts.chain([(block, Some(before))]) {
        for target in view.lowered.function.block(block).terminator.targets() {
            let here = view.lowered.texts.get(target.block.index());
            // The end of a guarded return is part of its statement.
            let placed = here.is_some_and(|text| !text.instructions.is_empty());
            if placed && !inside.contains(&target.block) && !is_labelled(view, target.block) {
                inner(place(view, Point::Start(target.block))?)?;
            }
        }
        let index = from.map_or(Ok(0), |_| view.positions.of(clone.enter).map(|at| at.1));
        if view.parameters(block) > index.unwrap_or(0) {
            let (origin, what) = (before, "a parameter in a register");
            return Err(Uncopyable { origin, what });
        }
        let text = view.binding.block_statements(block);
        let range = from.unwrap_or(text.start).max(text.start)..text.end;
        if let Some((origin, what)) = view.binding.hindrance(before, range, &[]) {
            return Err(Uncopyable { origin, what });
        }
    }
    Ok(())
}

/// The block of a place, and the statement in front of which it is.
fn place(view: &View, point: Point) -> Result<(BlockId, u32), Uncopyable> {
    let nowhere = Uncopyable {
        origin: 0,
        what: "a place that the text does not have",
    };
    let at = view.positions.of(point).map_err(|_| nowhere.clone())?;
    let statement = match Gap::of(view, at).map_err(|_| nowhere)? {
        Gap::Before(statement) => statement,
        Gap::After(statement) => statement + 1,
        Gap::End => view.binding.end(),
    };
    Ok((at.0, statement))
}

/// Whether a block begins with a label that is in no inner scope: it can be jumped to there, whatever scope its first instruction is
/// in.
fn is_labelled(view: &View, block: BlockId) -> bool {
    let statements = view.binding.statements();
    let Ok(Gap::Before(first)) = Gap::start(view, block) else {
        return false;
    };
    let before = statements.get(..first as usize).unwrap_or_default();
    let before = before.iter().enumerate().rev();
    let label = before.into_iter().find(|(_, one)| {
        let skipped = matches!(
            one.kind,
            StatementKind::Location(_) | StatementKind::Open | StatementKind::Variable(_)
        );
        !skipped
    });
    label.is_some_and(|(at, one)| {
        matches!(one.kind, StatementKind::Label(_)) && !view.binding.is_inside(at as u32)
    })
}
