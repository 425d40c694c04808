//! What passes over the SSA IR do to a kernel is taken back where it costs warps: after the plugin, which asks `llc` and a `ptxas`
//! of its own, and after the wrapper, which asks the driver's.

use crate::clang::sandbox::{Clang, Sandbox, clang, printed};
use std::process::Command;

/// Sums of a column and, after a store that may change it, once more: no version of LLVM keeps what it has loaded, and a test at
/// run time does. Of the larger one more values would wait in registers than 64 warps have room for. The fence says that a block
/// may wait for another one: then no warp may be lost.
const SUMS: &str = r#"#define __device__ __attribute__((device))
#include <__clang_cuda_builtin_vars.h>
#define SUMS(NAME, COUNT)                                                \
  extern "C" __attribute__((global)) void NAME(float *x, float *out) {   \
    int i = threadIdx.x;                                                 \
    float sum = 0;                                                       \
    _Pragma("unroll") for (int k = 0; k < COUNT; ++k)                    \
      sum = sum * 0.5f + x[i + k * 256];                                 \
    out[i + 256] = sum;                                                  \
    _Pragma("unroll") for (int k = COUNT - 1; k >= 0; --k)               \
      sum = sum * 0.25f + x[i + k * 256];                                \
    out[i] = sum;                                                        \
    __nvvm_membar_gl();                                                  \
  }
SUMS(lost, 48)
SUMS(free_of_loss, 20)
"#;
/// Without the headers of CUDA.
const WORDS: [&str; 4] = ["-nocudainc", "-nocudalib", "--cuda-device-only", "sums.cu"];

/// Runs it quietly; the remarks that it leaves.
fn remarks(sandbox: &Sandbox, command: &mut Command) -> String {
    let _ = std::fs::remove_file(sandbox.path("r.json"));
    let command = command
        .env("PTXASW_PASSES", "memory")
        .env("PTXASW_LOADS", "moderate")
        .env("PTXASW_REMARKS", sandbox.path("r.json"));
    let output = sandbox.run(command);
    assert!(
        output.status.success() && printed(&output).is_empty(),
        "{}",
        printed(&output)
    );
    sandbox.text("r.json")
}

/// Whether one kernel went back, and the other one did not.
fn is_kept(remarks: &str) -> bool {
    let of = |kernel: &str, name: &str| {
        let function = format!(r#""function":"{kernel}""#);
        let name = format!(r#""name":"{name}""#);
        let mut lines = remarks.lines();
        lines.any(|line| line.contains(&function) && line.contains(&name))
    };
    assert!(of("free_of_loss", "LoadRemoved"), "{remarks}");
    assert!(!of("free_of_loss", "KernelReverted"), "{remarks}");
    let (removed, reverted) = (of("lost", "LoadRemoved"), of("lost", "KernelReverted"));
    assert!(removed != reverted, "{remarks}");
    if reverted {
        let why = "registers instead of 3";
        assert!(
            remarks.contains(why) && remarks.contains(" warps would fit"),
            "{remarks}"
        );
    }
    reverted
}

fn goes_back(call: impl Fn(&Clang, &Sandbox, &[&str]) -> Option<Command>) {
    let Some(clang) = clang() else { return };
    let sandbox = Sandbox::new();
    sandbox.file("sums.cu", SUMS);
    for (kind, output) in [("-S", "sums.s"), ("-c", "sums.o")] {
        let words = [&WORDS[..], &[kind, "-o", output]].concat();
        let Some(mut command) = call(&clang, &sandbox, &words) else {
            return;
        };
        assert!(is_kept(&remarks(&sandbox, &mut command)), "{kind}");
        let mut unchecked = call(&clang, &sandbox, &words).unwrap();
        unchecked.env("PTXASW_NO_REGISTER_CHECK", "1");
        assert!(!is_kept(&remarks(&sandbox, &mut unchecked)), "{kind}");
    }
}

#[test]
fn the_plugin_takes_back_what_costs_warps() {
    goes_back(|clang, sandbox, words| Some(clang.plugged(sandbox, words)));
}

#[test]
fn the_wrapper_takes_back_what_costs_warps() {
    goes_back(|clang, sandbox, words| clang.wrapped(sandbox, words));
}
