//! Patches of every module of `llvm-tests` that change nothing: all values are computed anew, and regions have clones. What
//! LLVM's code generator makes of both modules is run and compared.

use inkwell::context::Context;
use inkwell::module::Module;
use ptxasw::ir::cfg::Cfg;
use ptxasw::ir::dominators::DominatorTree;
use ptxasw::ir::effects::of_instruction;
use ptxasw::ir::function::{BlockId, Function, InstId, Value, ValueDef};
use ptxasw::ir::op::Op;
use ptxasw::ir::patch::{
    CloneId, Cursor, Exit, Location, Patch, PatchError, Point, Redirect, Ref, RegionClone, verify,
};
use ptxasw::ir::types::Special;
use ptxasw::verify::{self as judge, Module as Ptx, Verdict};
use ptxasw::warp::Schedule;
use ptxasw_llvm::outputs::{self, Kind};
use ptxasw_llvm::view::View;
use ptxasw_llvm::write::{WriteError, written};
use ptxasw_llvm::{kernels, lower, read};
use std::path::{Path, PathBuf};

/// The target of modules that name none.
const ARCH: &str = "sm_80";
/// Values of a function that are computed anew.
const MAX_VALUES: usize = 40;

/// What patches came to.
#[derive(Default, Debug)]
struct Counts {
    written: usize,
    refused: usize,
    compared: usize,
}

/// Each value of 32 or 64 bits is read in place of itself, through two operations that LLVM does not know to cancel out.
fn renewed(function: &Function, copied: Option<CloneId>, next: &mut u32) -> Patch {
    let mut patch = Patch::default();
    let values = (0..).map(Value).zip(&function.values);
    let results = values.filter_map(|(value, data)| match data.def {
        ValueDef::Result(id, _) if matches!(data.width, 32 | 64) => Some((value, id, data.width)),
        _ => None,
    });
    let results: Vec<_> = results.collect();
    let step = results.len().div_ceil(MAX_VALUES).max(1);
    for (value, id, width) in results.into_iter().step_by(step) {
        let mut cursor = Cursor::new(next, function.inst(id).origin);
        let tid = Ref::Special(width, Special::Tid(0));
        let sum = cursor.single(Op::Add { width }, &[value.into(), tid]);
        let to = cursor.single(Op::Sub { width }, &[sum, tid]);
        let behind = Point::Behind(last_of(function, id));
        let at = Location {
            clone: copied,
            point: behind,
        };
        let mut alone = patch.clone();
        cursor.done(&mut alone, at);
        alone.redirect.push(Redirect {
            clone: copied,
            value,
            to,
        });
        // A value that its statement goes on with is none to redirect.
        if copied.is_some() || verify(function, &alone).is_ok() {
            patch = alone;
        }
    }
    patch
}

/// The last instruction of a statement.
fn last_of(function: &Function, id: InstId) -> InstId {
    let insts = &function.block(function.inst(id).block).insts;
    let origin = function.inst(id).origin;
    let at = insts.iter().position(|one| *one == id).unwrap_or(0);
    let own = insts[at..]
        .iter()
        .take_while(|one| function.inst(**one).origin == origin);
    own.last().copied().unwrap_or(id)
}

/// The function from a place on, a second time.
fn clone_of(function: &Function, enter: Point, condition: Ref) -> RegionClone {
    let home = match enter {
        Point::Before(id) | Point::Behind(id) => function.inst(id).block,
        Point::Start(block) | Point::End(block) => block,
    };
    let mut blocks = Vec::new();
    let mut work = vec![home];
    while let Some(block) = work.pop() {
        for target in function.block(block).terminator.targets() {
            if target.block != home && !blocks.contains(&target.block) {
                blocks.push(target.block);
                work.push(target.block);
            }
        }
    }
    RegionClone {
        id: CloneId(0),
        enter,
        condition,
        blocks,
        exits: Vec::new(),
    }
}

/// Whether lanes do something together in a block.
fn together(function: &Function, block: BlockId) -> bool {
    let insts = function.block(block).insts.iter();
    insts
        .map(|&id| of_instruction(function.inst(id)))
        .any(|effects| effects.convergent)
}

/// Patches that change nothing of what a function does.
fn patches(function: &Function) -> Vec<Patch> {
    let mut next = 0;
    let mut all = vec![renewed(function, None, &mut next)];
    let middle = function.blocks.len() / 2;
    let dominators = DominatorTree::dominators(&Cfg::new(function));
    for block in [0, middle].map(|one| BlockId(one as u32)) {
        let parity = Op::Extend {
            from: 32,
            to: 1,
            signed: false,
        };
        for uniform in [true, false] {
            let mut patch = Patch::default();
            let mut next = 0;
            let special = match uniform {
                true => Special::Ctaid(0),
                false => Special::Tid(0),
            };
            let mut cursor = Cursor::new(&mut next, 0);
            let condition = cursor.single(parity, &[Ref::Special(32, special)]);
            cursor.done(&mut patch, Point::Start(block));
            let mut clone = clone_of(function, Point::Start(block), condition);
            // Lanes that come to the region another way would be in the original while others are in the clone.
            if !clone
                .blocks
                .iter()
                .all(|&one| dominators.dominates(block, one))
            {
                clone.blocks.retain(|&one| !together(function, one));
            }
            // Where the block leads to it is left by some.
            if let Some(&target) = function.block(block).terminator.targets().first()
                && clone.blocks.contains(&target.block)
            {
                let at = Point::Start(target.block);
                let mut cursor = Cursor::new(&mut next, 0);
                let stay = cursor.single(parity, &[Ref::Special(32, Special::Ctaid(0))]);
                let point = Location {
                    clone: Some(clone.id),
                    point: at,
                };
                cursor.done(&mut patch, point);
                let stay = Some(stay);
                clone.exits.push(Exit { at, stay });
            }
            patch.clones = vec![clone];
            all.push(patch);
        }
    }
    all
}

/// Whether a rewritten module does what the original does, as far as it can be run.
fn equal(before: &Module, after: &Module, counts: &mut Counts) -> Result<(), String> {
    let arch = outputs::target(before, None).is_err().then_some(ARCH);
    let Ok(original) = outputs::write(before, Kind::Ptx, arch) else {
        return Ok(());
    };
    let rewritten = outputs::write(after, Kind::Ptx, arch).map_err(|error| error.to_string())?;
    let (Ok(original), Ok(rewritten)) = (Ptx::read(&original), Ptx::read(&rewritten)) else {
        return Ok(());
    };
    let options = judge::Options {
        steps: 1 << 15,
        schedules: vec![Schedule::Lockstep, Schedule::Independent { seed: 1 }],
        jobs: 1,
        ..Default::default()
    };
    for kernel in original.kernels() {
        let Some(other) = rewritten.kernel(&kernel.function.name) else {
            return Err(format!("no kernel {}", kernel.function.name));
        };
        let report = judge::verify_kernel(kernel, other, &options);
        match report.verdict {
            Verdict::Equal => counts.compared += report.compared(),
            Verdict::CouldNotRun(_) => {}
            other => return Err(format!("{other:?}")),
        }
    }
    Ok(())
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(folder).unwrap();
    for path in entries.map(|entry| entry.unwrap().path()) {
        match path.extension().and_then(|one| one.to_str()) {
            Some("ll") => found.push(path),
            _ if path.is_dir() => files(&path, found),
            _ => {}
        }
    }
}

/// Carries out the patches of a function.
fn check(
    module: &Module,
    item: u32,
    function: &Function,
    counts: &mut Counts,
) -> Result<(), String> {
    for patch in patches(function) {
        let verified = match verify(function, &patch) {
            Ok(verified) => verified,
            Err(PatchError::Convergent(..) | PatchError::Violation(_)) => continue,
            Err(_)
                if patch
                    .clones
                    .iter()
                    .any(|clone| clone.enter == Point::Start(BlockId(0))) =>
            {
                continue;
            }
            Err(error) => return Err(error.to_string()),
        };
        match written(module, &[(item, &verified)]) {
            Ok(after) => {
                counts.written += 1;
                equal(module, &after, counts).map_err(|error| format!("{error}\n{patch:?}"))?;
            }
            Err(
                WriteError::Unwritable(_)
                | WriteError::NotReadable(_)
                | WriteError::NotReplaceable(_)
                | WriteError::NotCloneable(_)
                | WriteError::PartOfSwitch(_)
                | WriteError::InsideSwitch(_),
            ) => {
                counts.refused += 1;
            }
            Err(error) => return Err(format!("{error}\n{patch:?}")),
        }
    }
    Ok(())
}

#[test]
fn patches_that_change_nothing() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../llvm-tests");
    let mut paths = Vec::new();
    files(&folder, &mut paths);
    paths.sort_unstable();
    assert!(paths.len() > 100);
    let mut counts = Counts::default();
    let mut failures = Vec::new();
    for path in paths {
        let context = Context::create();
        let text = std::fs::read(&path).unwrap();
        let Ok(module) = read::read(&context, &text, "a.ll") else {
            continue;
        };
        let view = View::new(&module);
        for (item, entry) in (0..).zip(kernels::functions(view)) {
            let function = lower::lower(view, &entry).function;
            if let Err(error) = check(&module, item, &function, &mut counts) {
                failures.push(format!("{}: {}: {error}", path.display(), entry.name));
            }
        }
    }
    eprintln!("{counts:?}");
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
    assert!(counts.written > 500 && counts.compared > 500, "{counts:?}");
}
