//! The pass plugin in clang and in opt.

use crate::clang::sandbox::{Clang, DEVICE_ONLY, Sandbox, clang, plugin, printed, program};

#[test]
fn clang_runs_the_plugin_after_its_own_passes() {
    let Some(clang) = clang().filter(Clang::takes_cuda) else {
        return;
    };
    let sandbox = Sandbox::new();
    let device = ["-S", "--cuda-device-only", "stencil.cu", "-o"];
    sandbox.quietly(&mut clang.plugged(&sandbox, &[&device[..], &["plugged.ptx"]].concat()));
    let plugged = sandbox.text("plugged.ptx");
    assert_eq!(plugged.matches("shfl.sync").count(), 2, "{plugged}");
    // The wrapper makes the same of it.
    if let Some(mut wrapped) = clang.wrapped(&sandbox, &[&device[..], &["wrapped.ptx"]].concat()) {
        sandbox.quietly(&mut wrapped);
        assert_eq!(plugged, sandbox.text("wrapped.ptx"));
    }
    let words = ["-fgpu-rdc", "-c", "stencil.cu", "-o", "stencil.o"];
    sandbox.quietly(&mut clang.plugged(&sandbox, &words));
}

#[test]
fn a_kernel_alone_needs_no_toolkit() {
    let Some(clang) = clang() else { return };
    let sandbox = Sandbox::new();
    let device = |output| [&DEVICE_ONLY[..], &["-o", output]].concat();
    sandbox.quietly(&mut clang.plugged(&sandbox, &device("plugged.ptx")));
    let plugged = sandbox.text("plugged.ptx");
    assert_eq!(plugged.matches("shfl.sync").count(), 2, "{plugged}");
    if let Some(mut wrapped) = clang.wrapped(&sandbox, &device("wrapped.ptx")) {
        sandbox.quietly(&mut wrapped);
        assert_eq!(plugged, sandbox.text("wrapped.ptx"));
    }
}

#[test]
fn the_rest_of_the_build_is_unchanged() {
    let Some(clang) = clang().filter(Clang::takes_cuda) else {
        return;
    };
    let sandbox = Sandbox::new();
    let mut command = clang.plugged(&sandbox, &["stencil.cu", "-o", "program"]);
    command.env("PTXASW_STATS_DIR", sandbox.path("stats"));
    match clang.links() {
        true => command.args(&clang.libraries),
        false => command.arg("-c"),
    };
    sandbox.quietly(&mut command);
    assert_eq!(std::fs::read_dir(sandbox.path("stats")).unwrap().count(), 1);
    // Without optimisation, and switched off, nothing is done.
    for (option, variable) in [("-O0", "PTXASW_PROFIT"), ("-O2", "PTXASW_OFF")] {
        let words = [option, "-S", "--cuda-device-only", "stencil.cu", "-o"];
        let value = if variable == "PTXASW_OFF" {
            "1"
        } else {
            "always"
        };
        let mut command = clang.plugged(&sandbox, &[&words[..], &["plugged.ptx"]].concat());
        sandbox.quietly(command.env(variable, value));
        sandbox.quietly(&mut clang.call(&sandbox, &[&words[..], &["clang.ptx"]].concat()));
        assert_eq!(
            sandbox.text("plugged.ptx"),
            sandbox.text("clang.ptx"),
            "{option}"
        );
    }
    // An invalid setting is reported, and the module compiled as it was.
    let words = [
        "-S",
        "--cuda-device-only",
        "stencil.cu",
        "-o",
        "plugged.ptx",
    ];
    let output = sandbox.run(
        clang
            .plugged(&sandbox, &words)
            .env("PTXASW_WRAPPING", "none"),
    );
    assert!(
        output.status.success() && printed(&output).lines().count() == 1,
        "{}",
        printed(&output)
    );
    assert!(
        printed(&output).contains("PTXASW_WRAPPING"),
        "{}",
        printed(&output)
    );
    assert!(!sandbox.text("plugged.ptx").contains("shfl"));
}

#[test]
fn opt_runs_us_by_name() {
    let (Some(clang), Some(opt)) = (clang(), program(concat!("opt-", env!("BUILT_FOR_LLVM"))))
    else {
        return;
    };
    let sandbox = Sandbox::new();
    let words = ["-emit-llvm", "-o", "stencil.ll"];
    sandbox.quietly(&mut clang.call(&sandbox, &[&DEVICE_ONLY[..], &words].concat()));
    let load = format!("-load-pass-plugin={}", plugin().display());
    let words = [
        &*load,
        "-passes=ptxasw,verify",
        "stencil.ll",
        "-S",
        "-o",
        "out.ll",
    ];
    sandbox.quietly(&mut sandbox.command(&opt, &words));
    assert_eq!(
        sandbox
            .text("out.ll")
            .matches("= call { i32, i1 } @llvm.nvvm.shfl")
            .count(),
        2
    );
    // The plugin leaves modules for another target as they are.
    sandbox.file(
        "host.ll",
        "target triple = \"x86_64-pc-linux-gnu\"\ndefine void @f() {\n  ret void\n}\n",
    );
    let words = [
        &*load,
        "-passes=ptxasw",
        "host.ll",
        "-S",
        "-o",
        "host.out.ll",
    ];
    sandbox.quietly(&mut sandbox.command(&opt, &words));
    assert!(sandbox.text("host.out.ll").contains("@f"));
}

/// Device code of a program whose target is OpenMP: a function that reads neighbours, and a kernel that calls it.
const OFFLOADED: &str = "#pragma omp begin declare target
float three() {
  static const float table[1026] = {1, 2, 3};
#ifdef __NVPTX__
  int thread = __nvvm_read_ptx_sreg_tid_x();
#else
  int thread = 0;
#endif
  return table[thread] + table[thread + 1] * table[thread + 2];
}
#pragma omp end declare target
void run(float *out) {
#pragma omp target map(from : out[0 : 1])
  out[0] = three();
}
";

#[test]
fn openmp_offload_runs_us_for_the_device() {
    let Some(clang) = clang().filter(Clang::takes_cuda) else {
        return;
    };
    let sandbox = Sandbox::new();
    sandbox.file("offloaded.cpp", OFFLOADED);
    let plugin = format!("-fpass-plugin={}", plugin().display());
    let words = ["-O2", "-fopenmp", "--offload-arch=sm_80", "-nogpulib"];
    // The version of PTX comes with a toolkit otherwise.
    let version = ["-Xarch_device", "--cuda-feature=+ptx70"];
    let device = [
        "--offload-device-only",
        "-S",
        "offloaded.cpp",
        "-o",
        "offloaded.ptx",
    ];
    // A function that is called has few registers: the rewritten one spills.
    for (unchecked, shuffles) in [("1", 2), ("0", 0)] {
        let mut command = sandbox.command(&clang.program, &["-Xarch_device", &plugin]);
        command.env("PTXASW_NO_REGISTER_CHECK", unchecked);
        sandbox.quietly(command.args(words).args(version).args(device));
        let text = sandbox.text("offloaded.ptx");
        assert!(text.contains(".entry __omp_offloading_"), "{text}");
        assert_eq!(text.matches("shfl.sync").count(), shuffles, "{text}");
    }
}
