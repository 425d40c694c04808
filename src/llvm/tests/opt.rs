//! `ptxasw-llvm opt`: what is compared, and what loses by its registers.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Sums of neighbours. The index of the first kernel may wrap; after that, its address is 2^34 bytes lower.
const SUMS: &str = r#"
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @wraps(ptr %b, ptr noalias readonly %a, ptr %c, ptr noalias %o, i32 %n) #0 {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = add i32 %tid, %n
  %w = sext i32 %i to i64
  %p = getelementptr i32, ptr %a, i64 %w
  %q = getelementptr i32, ptr %p, i64 1
  %x = load i32, ptr %p, align 4
  %y = load i32, ptr %q, align 4
  %m = mul i32 %x, 31
  %s = add i32 %m, %y
  %wide = sext i32 %tid to i64
  %place = getelementptr i32, ptr %o, i64 %wide
  store i32 %s, ptr %place, align 4
  ret void
}
define ptx_kernel void @guarded(ptr noalias readonly %in, ptr noalias %out, i32 %n) #0 {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %inside = icmp ult i32 %tid, %n
  br i1 %inside, label %body, label %exit
body:
  %wide = zext i32 %tid to i64
  %p = getelementptr float, ptr %in, i64 %wide
  %q = getelementptr float, ptr %p, i64 1
  %x = load float, ptr %p, align 4
  %y = load float, ptr %q, align 4
  %z = fadd float %x, %y
  %place = getelementptr float, ptr %out, i64 %wide
  store float %z, ptr %place, align 4
  br label %exit
exit:
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
attributes #0 = { "target-cpu"="sm_80" "target-features"="+ptx83" }
"#;
/// A launch in which the index wraps, and one of the other kernel.
const LAUNCHES: [&str; 2] = [
    "wraps grid=1 block=64 spacing=even args=u32[2048],u32[2048]@512,u32[2048],u32[64],2147483600",
    "guarded grid=1 block=40 args=f32[41],f32[40]:zero,37",
];

/// Sums up a column, and once more in the other order, as it is after a store far away: after the pass `memory` the whole column
/// waits in registers.
fn sums(name: &str, count: usize) -> String {
    let mut sum = "0.0".to_owned();
    let mut text = format!(
        "define ptx_kernel void @{name}(ptr addrspace(1) %x, ptr addrspace(1) %o) #0 {{\n\
         %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n%i = zext i32 %tid to i64\n\
         %p = getelementptr float, ptr addrspace(1) %x, i64 %i\n\
         %q = getelementptr float, ptr addrspace(1) %o, i64 %i\n\
         %far = getelementptr float, ptr addrspace(1) %p, i64 16777216\n"
    );
    for (number, row) in (0..count).chain((0..count).rev()).enumerate() {
        if number == count {
            text += &format!("store float {sum}, ptr addrspace(1) %far, align 4\n");
        }
        text += &format!(
            "%a{number} = getelementptr float, ptr addrspace(1) %p, i64 {}\n\
             %v{number} = load float, ptr addrspace(1) %a{number}, align 4\n\
             %s{number} = call float @llvm.fma.f32(float {sum}, float 0.5, float %v{number})\n",
            256 * row
        );
        sum = format!("%s{number}");
    }
    // The fence says that a block may wait for another one, so that no warp may be lost.
    text + &format!(
        "store float {sum}, ptr addrspace(1) %q, align 4\n\
         call void @llvm.nvvm.membar.gl()\nret void\n}}\n"
    )
}

struct Sandbox(tempfile::TempDir);

impl Sandbox {
    fn new(text: &str) -> Self {
        let sandbox = Sandbox(tempfile::tempdir().unwrap());
        fs::write(sandbox.path("a.ll"), text).unwrap();
        sandbox
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn opt(&self, input: &Path, output: &str, more: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ptxasw-llvm"));
        command
            .arg("opt")
            .arg(input)
            .arg("-o")
            .arg(self.path(output));
        command.args(["--profit", "always"]).args(more);
        let ran = command.output().unwrap();
        assert!(ran.status.success(), "{}", printed(&ran));
        ran
    }

    /// Shuffles in the rewritten text.
    fn shuffles(&self, more: &[&str]) -> (usize, String) {
        let ran = self.opt(&self.path("a.ll"), "b.ll", more);
        let text = fs::read_to_string(self.path("b.ll")).unwrap();
        (
            text.matches("@llvm.nvvm.shfl.sync.down.i32p(").count(),
            printed(&ran),
        )
    }
}

fn printed(ran: &Output) -> String {
    String::from_utf8_lossy(&ran.stderr).into_owned()
}

/// The warnings, of an output that has verdicts as well.
fn warnings(printed: &str) -> Vec<&str> {
    assert!(printed.contains("changed; "), "{printed}");
    let lines = printed.lines();
    lines.filter(|line| line.contains(": warning: ")).collect()
}

#[test]
fn what_differs_goes_back() {
    let sandbox = Sandbox::new(SUMS);
    // Two calls and a declaration.
    let assumed = ["--assume", "nowrap"];
    let (shuffles, printed) = sandbox.shuffles(&assumed);
    assert_eq!((shuffles, warnings(&printed)), (3, vec![]));
    let [wraps, guarded] = LAUNCHES;
    let launches = ["--verify", "--launch", wraps, "--launch", guarded];
    let (shuffles, printed) = sandbox.shuffles(&[&assumed[..], &launches].concat());
    assert_eq!(shuffles, 2);
    let warning = "ptxasw: warning: kernel `wraps`: gives other results, the original is kept";
    assert_eq!(warnings(&printed), [warning]);
    // What no launch reaches was not found different.
    let launches = ["--verify", "--launch", guarded];
    let (shuffles, printed) = sandbox.shuffles(&[&assumed[..], &launches, &["-q"]].concat());
    assert_eq!((shuffles, printed.as_str()), (3, ""));
    let launches = ["--verify=strict", "--launch", guarded];
    let (shuffles, printed) = sandbox.shuffles(&[&assumed[..], &launches].concat());
    assert_eq!(shuffles, 2);
    assert!(
        printed.contains("kernel `wraps`: could not be compared, the original is kept"),
        "{printed}"
    );
}

/// Whether there is an assembler; with `CI` set there must be.
fn has_ptxas() -> bool {
    let found = ptxasw::toolchain::Search::from_environment()
        .program("ptxas")
        .is_ok();
    assert!(found || std::env::var_os("CI").is_none(), "no ptxas");
    found
}

/// Two kernels; one of them takes 56 registers after the pass.
#[test]
fn what_a_pass_did_to_a_kernel_that_loses_warps_is_taken_back() {
    if !has_ptxas() {
        return;
    }
    let (head, _) = SUMS.split_once("define").unwrap();
    let (_, tail) = SUMS.split_once("declare").unwrap();
    let text = format!(
        "{head}{}{}declare void @llvm.nvvm.membar.gl()\ndeclare float @llvm.fma.f32(float, float, float)\ndeclare{tail}",
        sums("lost", 48),
        sums("free", 16)
    );
    let sandbox = Sandbox::new(&text);
    let input = sandbox.path("a.ll");
    let loads = |name: &str| {
        let text = fs::read_to_string(sandbox.path(name)).unwrap();
        let (_, lost) = text.split_once("@lost(").unwrap();
        let (lost, free) = lost.split_once("@free(").unwrap();
        let count = |text: &str| text.matches(" = load float").count();
        (count(lost), count(free))
    };
    let passes = ["--loads=proofs", "--passes", "memory", "-v"];
    let ran = sandbox.opt(&input, "b.ll", &passes);
    assert_eq!(loads("b.ll"), (96, 16), "{}", printed(&ran));
    let why = "remark: lost: kept: 56 registers instead of 40, 36 instead of 48 warps would fit [ptxasw-memory]\n";
    assert_eq!(printed(&ran).matches(why).count(), 48, "{}", printed(&ran));
    assert!(!printed(&ran).contains("warning"), "{}", printed(&ran));
    // The checks by execution and by registers are about the same functions.
    let launches = [
        "--launch",
        "lost grid=1 block=32 args=f32[16790000]:zero,f32[32]",
        "--launch",
        "free grid=1 block=32 args=f32[16790000]:zero,f32[32]",
    ];
    let ran = sandbox.opt(
        &input,
        "c.ll",
        &[&passes[..], &["--verify"], &launches].concat(),
    );
    assert_eq!(loads("c.ll"), (96, 16), "{}", printed(&ran));
    let ran = sandbox.opt(
        &input,
        "d.ll",
        &[&passes[..], &["--no-register-check"]].concat(),
    );
    assert_eq!(loads("d.ll"), (48, 16), "{}", printed(&ran));
    let explain = |more: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ptxasw-llvm"));
        let ran = command
            .arg("explain")
            .arg(&input)
            .args(["--loads=proofs", "--passes", "memory"]);
        let ran = ran.args(more).output().unwrap();
        assert!(ran.status.success(), "{}", self::printed(&ran));
        String::from_utf8(ran.stdout).unwrap()
    };
    let why = "  48 kept, memory: 56 registers instead of 40, 36 instead of 48 warps would fit\n";
    let full = explain(&["--full"]);
    assert!(full.contains(why), "{full}");
    assert!(!explain(&["--no-register-check"]).contains(" instead of "));
}

#[test]
fn every_output_has_the_original_of_what_loses_warps() {
    if !has_ptxas() {
        return;
    }
    let tricubic =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../llvm-tests/kernelgen/tricubic.ll");
    let sandbox = Sandbox::new("");
    let shuffles = |name: &str| {
        let text = fs::read_to_string(sandbox.path(name)).unwrap();
        text.matches("shfl.sync").count()
    };
    let free = sandbox.opt(&tricubic, "free.ptx", &["--no-register-check"]);
    assert_eq!(shuffles("free.ptx"), 48);
    assert_eq!(warnings(&printed(&free)), [""; 0]);
    for name in ["b.ptx", "b.ll"] {
        let ran = sandbox.opt(&tricubic, name, &[]);
        assert_eq!(shuffles(name), 0);
        assert!(printed(&ran).contains(" warps would fit"));
    }
    let ran = sandbox.opt(&tricubic, "b.cubin", &[]);
    assert!(
        printed(&ran).contains(" warps would fit"),
        "{}",
        printed(&ran)
    );
    let verdict = "tricubic: unchanged; 48 of 67 loads shuffled, taken back: ";
    assert!(printed(&ran).contains(verdict), "{}", printed(&ran));
    let quiet = sandbox.opt(&tricubic, "c.cubin", &["-q"]);
    assert_eq!(printed(&quiet), "");
    sandbox.opt(&tricubic, "a.cubin", &["--max-shuffles", "0"]);
    let read = |name: &str| fs::read(sandbox.path(name)).unwrap();
    assert_eq!(read("a.cubin"), read("b.cubin"));
    assert_eq!(read("b.cubin"), read("c.cubin"));
}
