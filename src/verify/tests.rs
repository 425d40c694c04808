//! Kernels as compilers give them, with launches made up for them, and comparisons.

use super::*;
use crate::ptx;
use crate::ptx::decode::form;
use crate::warp::{Fault, Launch, Schedule};
use std::path::Path;

/// Loads a text of `ptx-tests/kernelgen` and decodes it.
fn load(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("ptx-tests/kernelgen");
    std::fs::read_to_string(folder.join(name)).expect("the kernel is there")
}

fn decode(text: &str) -> form::Module {
    let tree = ptx::parse(text.as_bytes()).expect("the text parses");
    ptx::decode::decode(&tree).expect("the text decodes")
}

/// Compares the first kernels of two texts with every tenth launch.
fn compare_texts(
    a: &str,
    b: &str,
    schedules: &[Schedule],
) -> Result<Comparison, compare::CompareError> {
    let (a, b) = (decode(a), decode(b));
    let entry = |module: &form::Module| module.functions.iter().position(|f| f.entry).unwrap();
    let of = |module| Kernel {
        module,
        function: &module.functions[entry(module)],
    };
    let all = launches::launches(of(&a).function, 1);
    let some: Vec<Launch> = all.into_iter().skip(1).step_by(10).collect();
    compare(of(&a), of(&b), &some, schedules)
}

const BOTH: [Schedule; 2] = [Schedule::Lockstep, Schedule::Independent { seed: 5 }];

#[test]
fn compiled_stencils_run() {
    for name in [
        "jacobi",
        "laplacian",
        "wave13pt",
        "gameoflife",
        "gaussblur",
        "vecadd",
        "gradient",
    ] {
        for compiler in ["sm_80", "clang"] {
            let text = load(&format!("{name}.{compiler}.ptx"));
            let comparison = compare_texts(&text, &text, &BOTH).unwrap();
            assert!(
                comparison.skipped.is_empty(),
                "{name}.{compiler}: {:?}",
                comparison.skipped
            );
            assert!(comparison.equal(), "{name}.{compiler}");
            assert!(comparison.original.global_loads > 0, "{name}.{compiler}");
            assert_eq!(comparison.original, comparison.rewritten);
        }
    }
}

#[test]
fn a_difference_is_found_and_named() {
    let text = load("jacobi.sm_80.ptx");
    let position = text.rfind("add.f32").or(text.rfind("fma.rn.f32")).unwrap();
    let mut broken = text.clone();
    if text[position..].starts_with("add") {
        broken.replace_range(position..position + 3, "sub");
    } else {
        broken.replace_range(position..position + 10, "fma.rz.f32");
    }
    let comparison = compare_texts(&text, &broken, &BOTH[..1]).unwrap();
    let difference = comparison.difference.unwrap();
    assert_ne!(difference.original, difference.rewritten);
    assert!(difference.thread.is_some());
    assert!(broken[difference.store.unwrap().range()].contains("st.global"));
}

/// A kernel that stores thread numbers, behind one statement more.
fn store(first: &str) -> String {
    format!(
        ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 out)\n{{\n\
         .reg .b32 %r<2>;\n.reg .b64 %rd<4>;\n{first}\nld.param.u64 %rd1, [out];\n\
         mov.u32 %r1, %tid.x;\nmul.wide.u32 %rd2, %r1, 4;\nadd.s64 %rd3, %rd1, %rd2;\n\
         st.global.u32 [%rd3], %r1;\nret;\n}}\n"
    )
}

#[test]
fn faults_of_the_rewritten_kernel_only() {
    let (good, bad) = (store(""), store("bar.warp.sync 0;"));
    let error = compare_texts(&good, &bad, &BOTH).unwrap_err();
    assert_eq!(error.error.fault, Fault::MaskWithoutSelf { mask: 0 });
    // A fault of the original says nothing about the rewritten one.
    let comparison = compare_texts(&bad, &bad, &BOTH).unwrap();
    assert!(!comparison.equal() && comparison.difference.is_none());
    assert_eq!(comparison.compared, 0);
    assert!(!comparison.skipped.is_empty());
}
