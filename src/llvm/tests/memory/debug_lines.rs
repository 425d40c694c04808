//! What the memory pass does to lines of the source: profilers and debuggers show them for the machine code.

use crate::annotated::{ARCH, options};
use crate::memory::attributed::{Access, accesses, is_part, lines_of, marked};
use inkwell::context::Context;
use ptxasw::passes::memory::{Loads, Memory};
use ptxasw_llvm::outputs::{self, Kind};
use ptxasw_llvm::read::read;
use ptxasw_llvm::stage;
use std::path::Path;
use std::process::Command;

const SOURCE: &str = include_str!("../../../../tests/sass/lines.cu");

/// Levels, and how many loads are left in front of the fallback: those of a record are one; where stores are apart, two more are
/// gone.
const LEVELS: [(Loads, usize); 3] = [(Loads::Checked, 6), (Loads::Bulk, 4), (Loads::Always, 4)];

/// IR of the source, with its lines; none without clang.
fn compiled() -> Option<Vec<u8>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let program = std::env::var("CLANG").unwrap_or_else(|_| "clang-19".to_owned());
    let mut command = Command::new(program);
    command.args(
        "-x cuda --cuda-device-only -nocudainc -nocudalib -O3 -S -emit-llvm -gline-tables-only"
            .split(' '),
    );
    command.args(["-Xclang", "-target-feature", "-Xclang", "+ptx85"]);
    command.args(["--cuda-gpu-arch=sm_80", "-o", "-", "-include"]);
    command.arg(root.join("ptx-tests/clang_cuda.h"));
    let Ok(output) = command.arg(root.join("tests/sass/lines.cu")).output() else {
        assert!(std::env::var_os("CI").is_none(), "no clang-19");
        eprintln!("skipped: no clang-19");
        return None;
    };
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{stderr}");
    Some(output.stdout)
}

/// PTX of a module, or of what the pass makes of it.
fn ptx(text: &[u8], level: Option<Loads>) -> Vec<u8> {
    let context = Context::create();
    let module = read(&context, text, "module").expect("valid");
    if let Some(loads) = level {
        for report in stage::rewrite_with(
            &module,
            &options(&[&Memory], loads),
            &stage::Extras::default(),
        )
        .expect("no fault")
        .passes
        {
            assert_eq!(report.refusal(), None);
        }
    }
    outputs::write(&module, Kind::Ptx, Some(ARCH)).expect("the module is compiled")
}

/// The fallback, with all loads of the original, and the accesses of the other copy: each is one piece of the machine code, and
/// either may be the first.
fn fallback<'a>(all: &'a [Access], loads: &[u32]) -> Option<[&'a [Access]; 2]> {
    let cuts = (0..=all.len()).flat_map(|cut| {
        let (one, other) = all.split_at(cut);
        [[one, other], [other, one]]
    });
    let mut copies = cuts.filter(|[slow, _]| lines_of(*slow, true) == loads);
    copies.find(|[slow, _]| lines_of(*slow, false) == marked(SOURCE, false))
}

#[test]
fn accesses_keep_their_lines_in_both_copies() {
    let Some(original) = compiled() else { return };
    let arch = ARCH.parse().unwrap();
    let Some(before) = accesses(&ptx(&original, None), arch) else {
        return;
    };
    let marked_loads = marked(SOURCE, true);
    assert_eq!(lines_of(&before, true), marked_loads);
    assert_eq!(lines_of(&before, false), marked(SOURCE, false));
    for (level, left) in LEVELS {
        let after = accesses(&ptx(&original, Some(level)), arch).unwrap();
        let copies = fallback(&after, &marked_loads);
        let [_, fast] = copies.unwrap_or_else(|| panic!("{level:?}: no fallback in {after:?}"));
        for loads in [true, false] {
            let (fast, all) = (lines_of(fast, loads), marked(SOURCE, loads));
            assert!(is_part(&fast, &all), "{level:?}: {fast:?} of {all:?}");
            if loads {
                assert_eq!(fast.len(), left, "{level:?}: {fast:?}");
            }
        }
    }
}
