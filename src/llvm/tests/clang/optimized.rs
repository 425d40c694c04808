//! A rewritten module that goes through all of LLVM's passes again.

use crate::clang::sandbox::{LLVM, Sandbox, ours, printed, program};

/// The lanes of a warp diverge, and on both paths there is a neighbour to take a value from.
const BOTH_ARMS: &str = r#"target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define void @both(ptr addrspace(1) noalias readonly %in, ptr addrspace(1) noalias readonly %more, ptr addrspace(1) noalias %out) #0 {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %tid to i64
  %p = getelementptr i32, ptr addrspace(1) %in, i64 %i
  %q = getelementptr i32, ptr addrspace(1) %more, i64 %i
  %to = getelementptr i32, ptr addrspace(1) %out, i64 %i
  %a = load i32, ptr addrspace(1) %p, align 4
  %b = load i32, ptr addrspace(1) %q, align 4
  %mixed = xor i32 %a, %b
  %bit = and i32 %mixed, 1
  %even = icmp eq i32 %bit, 0
  br i1 %even, label %one, label %other
one:
  %p1 = getelementptr i32, ptr addrspace(1) %p, i64 1
  %a1 = load i32, ptr addrspace(1) %p1, align 4
  %sum = add i32 %a, %a1
  store i32 %sum, ptr addrspace(1) %to, align 4
  br label %end
other:
  %q1 = getelementptr i32, ptr addrspace(1) %q, i64 1
  %b1 = load i32, ptr addrspace(1) %q1, align 4
  %product = mul i32 %b, %b1
  store i32 %product, ptr addrspace(1) %to, align 4
  br label %end
end:
  ret void
}
attributes #0 = { "target-cpu"="sm_80" "target-features"="+ptx75" }
!nvvm.annotations = !{!1}
!1 = !{ptr @both, !"kernel", i32 1}
"#;

/// Passes of some versions merge what both arms of a branch begin with.
#[test]
fn lanes_stay_in_their_arms() {
    let names = ["opt", "llc"].map(|name| program(&format!("{name}-{LLVM}")));
    let ([Some(opt), Some(llc)], Some(ours)) = (names, ours()) else {
        return;
    };
    let sandbox = Sandbox::new();
    sandbox.file("both.ll", BOTH_ARMS);
    let words = "opt both.ll -q --profit always --passes shuffle --no-register-check -o new.ll";
    let words: Vec<&str> = words.split(' ').collect();
    sandbox.quietly(&mut sandbox.command(env!("CARGO_BIN_EXE_ptxasw-llvm"), &words));
    assert_eq!(
        sandbox
            .text("new.ll")
            .matches("= call { i32, i1 } @llvm.nvvm.shfl")
            .count(),
        2
    );
    for name in ["both", "new"] {
        let [input, output, text] = [".ll", ".opt.ll", ".ptx"].map(|end| format!("{name}{end}"));
        let words = ["-passes=default<O2>", &*input, "-S", "-o", &*output];
        sandbox.quietly(&mut sandbox.command(&opt, &words));
        sandbox.quietly(&mut sandbox.command(
            &llc,
            &["-mcpu=sm_80", "-mattr=+ptx75", &*output, "-o", &*text],
        ));
    }
    let output = sandbox.run(&mut sandbox.command(ours, &["verify", "both.ptx", "new.ptx"]));
    assert!(output.status.success(), "{output:?}{}", printed(&output));
}
