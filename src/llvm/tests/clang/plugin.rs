//! The pass plugin in clang and in opt.

use crate::clang::place::{Clang, DEVICE_ONLY, Place, clang, plugin, printed, program};

#[test]
fn clang_runs_us_behind_its_own_passes() {
    let Some(clang) = clang().filter(Clang::takes_cuda) else {
        return;
    };
    let place = Place::new();
    let device = ["-S", "--cuda-device-only", "stencil.cu", "-o"];
    place.quietly(&mut clang.plugged(&place, &[&device[..], &["plugged.ptx"]].concat()));
    let plugged = place.text("plugged.ptx");
    assert_eq!(plugged.matches("shfl.sync").count(), 2, "{plugged}");
    // The wrapper makes the same of it.
    if let Some(mut wrapped) = clang.wrapped(&place, &[&device[..], &["wrapped.ptx"]].concat()) {
        place.quietly(&mut wrapped);
        assert_eq!(plugged, place.text("wrapped.ptx"));
    }
    let words = ["-fgpu-rdc", "-c", "stencil.cu", "-o", "stencil.o"];
    place.quietly(&mut clang.plugged(&place, &words));
}

#[test]
fn a_kernel_alone_needs_no_toolkit() {
    let Some(clang) = clang() else { return };
    let place = Place::new();
    let device = |output| [&DEVICE_ONLY[..], &["-o", output]].concat();
    place.quietly(&mut clang.plugged(&place, &device("plugged.ptx")));
    let plugged = place.text("plugged.ptx");
    assert_eq!(plugged.matches("shfl.sync").count(), 2, "{plugged}");
    if let Some(mut wrapped) = clang.wrapped(&place, &device("wrapped.ptx")) {
        place.quietly(&mut wrapped);
        assert_eq!(plugged, place.text("wrapped.ptx"));
    }
}

#[test]
fn the_rest_of_the_build_is_unchanged() {
    let Some(clang) = clang().filter(Clang::takes_cuda) else {
        return;
    };
    let place = Place::new();
    let mut command = clang.plugged(&place, &["stencil.cu", "-o", "program"]);
    command.env("PTXASW_STATS_DIR", place.path("stats"));
    match clang.links() {
        true => command.args(&clang.libraries),
        false => command.arg("-c"),
    };
    place.quietly(&mut command);
    assert_eq!(std::fs::read_dir(place.path("stats")).unwrap().count(), 1);
    // Without optimisation, and switched off, nothing is done.
    for (option, variable) in [("-O0", "PTXASW_PROFIT"), ("-O2", "PTXASW_OFF")] {
        let words = [option, "-S", "--cuda-device-only", "stencil.cu", "-o"];
        let value = if variable == "PTXASW_OFF" {
            "1"
        } else {
            "always"
        };
        let mut command = clang.plugged(&place, &[&words[..], &["plugged.ptx"]].concat());
        place.quietly(command.env(variable, value));
        place.quietly(&mut clang.call(&place, &[&words[..], &["clang.ptx"]].concat()));
        assert_eq!(
            place.text("plugged.ptx"),
            place.text("clang.ptx"),
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
    let output = place.run(clang.plugged(&place, &words).env("PTXASW_WRAPPING", "none"));
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
    assert!(!place.text("plugged.ptx").contains("shfl"));
}

#[test]
fn opt_runs_us_by_name() {
    let (Some(clang), Some(opt)) = (clang(), program(concat!("opt-", env!("BUILT_FOR_LLVM"))))
    else {
        return;
    };
    let place = Place::new();
    let words = ["-emit-llvm", "-o", "stencil.ll"];
    place.quietly(&mut clang.call(&place, &[&DEVICE_ONLY[..], &words].concat()));
    let load = format!("-load-pass-plugin={}", plugin().display());
    let words = [
        &*load,
        "-passes=ptxasw,verify",
        "stencil.ll",
        "-S",
        "-o",
        "out.ll",
    ];
    place.quietly(&mut place.command(&opt, &words));
    assert_eq!(
        place
            .text("out.ll")
            .matches("= call { i32, i1 } @llvm.nvvm.shfl")
            .count(),
        2
    );
    // What is for another target is not ours.
    place.file(
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
    place.quietly(&mut place.command(&opt, &words));
    assert!(place.text("host.out.ll").contains("@f"));
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
    let place = Place::new();
    place.file("offloaded.cpp", OFFLOADED);
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
        let mut command = place.command(&clang.program, &["-Xarch_device", &plugin]);
        command.env("PTXASW_NO_REGISTER_CHECK", unchecked);
        place.quietly(command.args(words).args(version).args(device));
        let text = place.text("offloaded.ptx");
        assert!(text.contains(".entry __omp_offloading_"), "{text}");
        assert_eq!(text.matches("shfl.sync").count(), shuffles, "{text}");
    }
}
