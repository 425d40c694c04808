//! Patches of every module of `llvm-tests` that change nothing: all values are computed anew, and regions have clones. What
//! LLVM's code generator makes of both modules is run and compared.

use inkwell::context::Context;
use inkwell::module::Module;
use ptxasw::executor::Schedule;
use ptxasw::ir::cfg::Cfg;
use ptxasw::ir::dominators::DominatorTree;
use ptxasw::ir::effects::of_instruction;
use ptxasw::ir::function::{BlockId, Function, InstId, Value, ValueDef};
use ptxasw::ir::loops::LoopNest;
use ptxasw::ir::op::Op;
use ptxasw::ir::patch::{
    CloneId, Cursor, Exit, Location, Patch, PatchError, Point, Redirect, Ref, RegionClone, verify,
};
use ptxasw::ir::types::Special;
use ptxasw::verify::{self as judge, Module as Ptx, Verdict};
use ptxasw_llvm::outputs::{self, Kind};
use ptxasw_llvm::view::View;
use ptxasw_llvm::write::{WriteError, written};
use ptxasw_llvm::{kernels, lower, read};
use std::path::{Path, PathBuf};

/// The target of modules that name none.
const ARCH: &str = "sm_80";
/// Values of a function that are computed anew.
const MAX_VALUES: usize = 40;
/// Loops of a function that have a chain of clones.
const MAX_LOOPS: usize = 2;
/// Of so many modules one is patched, unless it is a soak test.
const SHARE: usize = 4;

/// What patches came to.
#[derive(Default, Debug)]
struct Counts {
    written: usize,
    refused: usize,
    compared: usize,
    /// Of those that are written, how many have a chain of clones.
    chains: usize,
}

/// Each value of 32 or 64 bits is read in place of itself, through two operations that LLVM does not know to cancel out.
fn renewed(function: &Function) -> Patch {
    let (mut patch, mut next) = (Patch::default(), 0);
    let values = (0..).map(Value).zip(&function.values);
    let results = values.filter_map(|(value, data)| match data.def {
        ValueDef::Result(id, _) if matches!(data.width, 32 | 64) => Some((value, id, data.width)),
        _ => None,
    });
    let results: Vec<_> = results.collect();
    let step = results.len().div_ceil(MAX_VALUES).max(1);
    for (value, id, width) in results.into_iter().step_by(step) {
        let mut cursor = Cursor::new(&mut next, function.inst(id).origin);
        let tid = Ref::Special(width, Special::Tid(0));
        let sum = cursor.single(Op::Add { width }, &[value.into(), tid]);
        let to = cursor.single(Op::Sub { width }, &[sum, tid]);
        let mut more = patch.clone();
        cursor.done(&mut more, Point::After(last_of(function, id)));
        let clone = None;
        more.redirect.push(Redirect { clone, value, to });
        // A value that its statement goes on with is none to redirect.
        if verify(function, &more).is_ok() {
            patch = more;
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
    let entry_block = match enter {
        Point::Before(id) | Point::After(id) => function.inst(id).block,
        Point::Start(block) | Point::End(block) => block,
    };
    let mut blocks = Vec::new();
    let mut work = vec![entry_block];
    while let Some(block) = work.pop() {
        for target in function.block(block).terminator.targets() {
            if target.block != entry_block && !blocks.contains(&target.block) {
                blocks.push(target.block);
                work.push(target.block);
            }
        }
    }
    RegionClone {
        id: CloneId(0),
        enter,
        condition,
        after: None,
        blocks,
        exits: Vec::new(),
        settled: Vec::new(),
        together: false,
    }
}

/// Whether lanes do something together in a block.
fn together(function: &Function, block: BlockId) -> bool {
    let insts = function.block(block).insts.iter();
    insts
        .map(|&id| of_instruction(function.inst(id)))
        .any(|effects| effects.convergent)
}

/// A region has a clone, which lanes enter by the parity of a register, and leave by that of their block.
fn cloned(function: &Function, block: BlockId, special: Special) -> Patch {
    let (mut patch, mut next) = (Patch::default(), 0);
    let parity = Op::Extend {
        from: 32,
        to: 1,
        signed: false,
    };
    let mut odd = |special, at: Location| {
        let mut cursor = Cursor::new(&mut next, 0);
        let truth = cursor.single(parity, &[Ref::Special(32, special)]);
        cursor.done(&mut patch, at);
        truth
    };
    let enter = Point::Start(block);
    let mut clone = clone_of(function, enter, odd(special, enter.into()));
    // Lanes that reach the region on another path would be in the original while others are in the clone.
    let dominators = DominatorTree::dominators(&Cfg::new(function));
    let mut blocks = clone.blocks.iter();
    if !blocks.all(|&one| dominators.dominates(block, one)) {
        clone.blocks.retain(|&one| !together(function, one));
    }
    if let Some(&target) = function.block(block).terminator.targets().first()
        && clone.blocks.contains(&target.block)
    {
        let point = Point::Start(target.block);
        let at = Location {
            clone: Some(clone.id),
            point,
        };
        clone.exits.push(Exit {
            at: point,
            stay: Some(odd(Special::Ctaid(0), at)),
        });
    }
    patch.clones = vec![clone];
    patch
}

/// A loop has three copies, one for each of three iterations, which lanes begin by the parity of a register.
fn chained(function: &Function, header: BlockId, blocks: &[BlockId]) -> Patch {
    let mut patch = cloned(function, header, Special::Tid(0));
    let first = RegionClone {
        blocks: blocks.to_vec(),
        exits: Vec::new(),
        ..patch.clones.remove(0)
    };
    patch.insert.truncate(1);
    let copies = (0..3).map(|number: u32| RegionClone {
        id: CloneId(number),
        after: number.checked_sub(1).map(CloneId),
        ..first.clone()
    });
    patch.clones = copies.collect();
    patch
}

/// Patches that change nothing of what a function does.
fn patches(function: &Function) -> Vec<Patch> {
    let middle = BlockId(function.blocks.len() as u32 / 2);
    let mut patches = vec![
        renewed(function),
        cloned(function, BlockId(0), Special::Ctaid(0)),
        cloned(function, middle, Special::Tid(0)),
    ];
    let cfg = Cfg::new(function);
    let nest = LoopNest::new(&cfg, &DominatorTree::dominators(&cfg));
    patches.extend(nest.ids().take(MAX_LOOPS).map(|id| {
        let header = nest.get(id).header;
        let blocks = nest.blocks(id).iter().copied();
        let others: Vec<BlockId> = blocks.filter(|&block| block != header).collect();
        chained(function, header, &others)
    }));
    patches
}

/// The PTX that LLVM makes of a module.
fn ptx(module: &Module) -> Result<Vec<u8>, String> {
    let arch = outputs::target(module, None).is_err().then_some(ARCH);
    outputs::write(module, Kind::Ptx, arch).map_err(|error| error.to_string())
}

/// Whether a rewritten module does what the original does, as far as it can be run.
fn equal(original: &Ptx, after: &Module, counts: &mut Counts) -> Result<(), String> {
    let rewritten = ptx(after)?;
    let rewritten = Ptx::read(&rewritten).map_err(|error| error.to_string())?;
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
    original: &Ptx,
    counts: &mut Counts,
) -> Result<(), String> {
    for patch in patches(function) {
        let verified = match verify(function, &patch) {
            Ok(verified) => verified,
            Err(PatchError::Convergent(..) | PatchError::Violation(_)) => continue,
            Err(error) => return Err(error.to_string()),
        };
        match written(module, &[(item, &verified)]) {
            Ok(after) => {
                counts.written += 1;
                counts.chains += usize::from(patch.clones.len() > 1);
                equal(original, &after, counts).map_err(|error| format!("{error}\n{patch:?}"))?;
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
    let share = if crate::soak() { 1 } else { SHARE };
    let mut counts = Counts::default();
    let mut failures = Vec::new();
    for path in paths.into_iter().step_by(share) {
        let context = Context::create();
        let text = std::fs::read(&path).unwrap();
        let Ok(module) = read::read(&context, &text, "a.ll") else {
            continue;
        };
        // What LLVM's code generator does not take is none of these.
        let Ok(text) = ptx(&module) else { continue };
        let Ok(original) = Ptx::read(&text) else {
            continue;
        };
        let view = View::new(&module);
        for (item, entry) in (0..).zip(kernels::functions(view)) {
            let function = lower::lower(view, &entry).function;
            if let Err(error) = check(&module, item, &function, &original, &mut counts) {
                failures.push(format!("{}: {}: {error}", path.display(), entry.name));
            }
        }
    }
    eprintln!("{counts:?}");
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
    let least = [counts.written, counts.compared, counts.chains].map(|count| count * share);
    assert!(
        least[0] > 300 && least[1] > 500 && least[2] > 20,
        "{counts:?}"
    );
}
