//! `ptxasw opt` and the registers of what it rewrites, by shuffles or by passes over the SSA IR: a kernel that loses warps goes
//! back to its original.

mod arithmetic;
mod trials;
mod worth;

use crate::cells;
use ptxasw::toolchain::{Arch, Search};
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Takes 80 registers as it is and up to 130 when it is rewritten, on every target.
const LOSING: &str = include_str!("../../ptx-tests/kernelgen/rhs4.sm_80.ptx");
/// What these tests are about is not the memory pass, which would move loads of the kernel.
const LOADS: &str = "--loads=off";
/// Has six shuffles, and loses nothing.
const KEPT: &str = include_str!("../../ptx-tests/kernelgen/jacobi.sm_80.ptx");
/// The pass `memory` removes 40 loads of it and resolves 8 state spaces; it takes 64 registers in place of 55 then.
const LU: &str = include_str!("../../ptx-tests/loads/openacc/lu.gcc.ptx");
/// Takes 56 registers, with and without the loads that the pass removes.
const BT: &str = include_str!("../../ptx-tests/loads/openacc/bt.gcc.ptx");

struct Sandbox(tempfile::TempDir);

impl Sandbox {
    fn new(text: &str) -> Self {
        let sandbox = Sandbox(tempfile::tempdir().unwrap());
        fs::write(sandbox.path("a.ptx"), text).unwrap();
        sandbox
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// The command in the folder, without any assembler.
    fn command(&self, more: &[&str]) -> Command {
        let mut command = self.program(&["opt", "--profit", "always", "a.ptx"]);
        command.args(more);
        command
    }

    /// The program with these words, without any assembler.
    fn program(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ptxasw"));
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("PTXASW_") {
                command.env_remove(name);
            }
        }
        command
            .current_dir(self.0.path())
            .env("PATH", self.path("path"))
            .env("PTXASW_TOOLCHAIN", self.path("none"))
            .env("XDG_CACHE_HOME", self.path("cache"))
            .env_remove("CUDA_HOME")
            .args(words);
        command
    }

    /// With an assembler: what is printed on standard output, and messages.
    fn opt(&self, ptxas: &Path, more: &[&str]) -> (String, String) {
        finished(self.command(more).env("PTXASW_PTXAS", ptxas))
    }

    /// A shell script.
    fn script(&self, text: &str) -> PathBuf {
        let path = self.path("script");
        fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        path
    }
}

fn finished(command: &mut Command) -> (String, String) {
    let Output {
        status,
        stdout,
        stderr,
    } = command.output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    let (out, said) = (text(stdout), text(stderr));
    assert!(status.success(), "{said}");
    (out, said)
}

/// The head of a module.
const HEAD: &str = ".version 8.0\n.target sm_80\n.address_size 64\n";

/// Sums up `count` values of a column and then, in the other order, once more; `held` other values wait for the result. The sum
/// is stored between, so far away that `ptxas` can't tell it from the column: after the pass `memory` the whole column waits in
/// registers. The fence says that a block may wait for another one, so that no warp may be lost, however much that pays.
fn sums(name: &str, count: usize, held: usize, directive: &str) -> String {
    let load = |register: usize, from: &str, row: usize| {
        format!("ld.global.f32 %f{register}, [{from}+{}];\n", 1024 * row)
    };
    let add = |register: usize| format!("fma.rn.f32 %f0, %f0, 0f3F000000, %f{register};\n");
    let column = |rows: &mut dyn Iterator<Item = usize>, first: usize| -> String {
        let rows = rows.zip(first..);
        rows.map(|(row, register)| load(register, "%rd1", row) + &add(register))
            .collect()
    };
    let held_by = |row: usize| 1 + 2 * count + row;
    let wait: String = (0..held)
        .map(|row| load(held_by(row), "%rd2", row))
        .collect();
    let use_up: String = (0..held).map(|row| add(held_by(row))).collect();
    format!(
        ".visible .entry {name}(.param .u64 {name}_x, .param .u64 {name}_out) {directive}\n{{\n\
         .reg .b32 %r<2>;\n.reg .f32 %f<{}>;\n.reg .b64 %rd<4>;\n\
         ld.param.u64 %rd1, [{name}_x];\nld.param.u64 %rd2, [{name}_out];\n\
         cvta.to.global.u64 %rd1, %rd1;\ncvta.to.global.u64 %rd2, %rd2;\n\
         mov.u32 %r0, %tid.x;\nmul.wide.u32 %rd0, %r0, 4;\n\
         add.s64 %rd1, %rd1, %rd0;\nadd.s64 %rd2, %rd2, %rd0;\nmov.f32 %f0, 0f00000000;\n\
         {wait}{}st.global.f32 [%rd1+67108864], %f0;\n{}{use_up}st.global.f32 [%rd2], %f0;\nmembar.gl;\nret;\n}}\n",
        held_by(held),
        column(&mut (0..count), 1),
        column(&mut (0..count).rev(), 1 + count),
    )
}

fn loads(text: &str) -> usize {
    text.matches("ld.global").count()
}

fn shuffles(text: &str) -> usize {
    text.matches("shfl.sync").count()
}

/// The `ptxas` of CUDA 13, or a note that a test is skipped; with `CI` set that is a failure.
fn ptxas() -> Option<PathBuf> {
    let found = Search::from_environment().ptxas(Arch::new(80)).ok();
    if found.is_none() {
        println!("skipped: no ptxas");
        assert!(std::env::var_os("CI").is_none(), "on CI nothing is skipped");
    }
    found.map(|(path, _)| path)
}

#[test]
fn a_kernel_that_loses_warps_goes_back_alone() {
    let Some(ptxas) = ptxas() else { return };
    let second = KEPT.find(".visible .entry").unwrap();
    let sandbox = Sandbox::new(&format!("{LOSING}{}", &KEPT[second..]));
    let (text, said) = sandbox.opt(&ptxas, &["-v", LOADS]);
    assert!(text.starts_with(LOSING) && shuffles(&text) == 6, "{said}");
    assert!(
        said.starts_with("ptxasw: warning: kernel `rhs4`: ")
            && said.contains(" warps would fit")
            && said.contains("; the original is kept\n")
            && said.contains("jacobi: changed, est. ")
            && said.contains("; 6 of 9 loads shuffled, if checks of indices hold\n"),
        "{said}"
    );
    let (file, said) = sandbox.opt(&ptxas, &["-q", LOADS, "-o", "b.ptx"]);
    assert_eq!((file.as_str(), said.as_str()), ("", ""));
    assert_eq!(fs::read_to_string(sandbox.path("b.ptx")).unwrap(), text);
    let (text, said) = sandbox.opt(&ptxas, &["--no-register-check", LOADS]);
    assert!(shuffles(&text) > 80, "{said}");
    assert_eq!(said.lines().count(), 3, "{said}");
}

/// Machine code names the registers in one place up to sm_89, in another one for later targets.
#[test]
fn registers_are_known_for_every_target() {
    let Some(ptxas) = ptxas() else { return };
    let sandbox = Sandbox::new(LOSING);
    for arch in ["sm_80", "sm_90", "sm_90a", "sm_100", "sm_120"] {
        let (text, said) = sandbox.opt(&ptxas, &["--arch", arch, LOADS]);
        assert!(text == LOSING, "{arch}: {said}");
        assert!(said.contains(" warps would fit"), "{arch}: {said}");
    }
}

#[test]
fn functions_of_other_modules_may_be_missing() {
    let Some(ptxas) = ptxas() else { return };
    let head = KEPT.find(".visible .entry").unwrap();
    let (head, kernel) = KEPT.split_at(head);
    let sandbox = Sandbox::new(&format!("{head}.extern .func elsewhere ();\n{kernel}"));
    let (text, said) = sandbox.opt(&ptxas, &[]);
    let verdict = "ptxasw: jacobi: changed; 6 of 9 loads shuffled, if checks of indices hold\n";
    assert_eq!((shuffles(&text), said.as_str()), (6, verdict));
}

#[test]
fn without_an_assembler_the_registers_are_not_known() {
    let sandbox = Sandbox::new(LOSING);
    let (text, said) = finished(&mut sandbox.command(&[LOADS]));
    assert!(shuffles(&text) > 80);
    let warning = "ptxasw: warning: `a.ptx`: the registers of rewritten kernels were not checked: no ptxas in PTXASW_TOOLCHAIN, CUDA_HOME or PATH";
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(
        lines,
        [
            warning,
            "ptxasw: rhs4: changed; 88 of 179 loads shuffled, if checks of indices hold"
        ]
    );
    for (option, lines) in [
        ("-q", 0),
        ("--no-register-check", 1),
        ("--max-shuffles=0", 1),
    ] {
        let (_, said) = finished(&mut sandbox.command(&[option, LOADS]));
        assert_eq!(said.lines().count(), lines, "{option}: {said}");
        assert!(!said.contains("warning"), "{option}: {said}");
    }
}

#[test]
fn an_assembler_that_takes_only_the_original_is_believed() {
    let sandbox = Sandbox::new(KEPT);
    let script = sandbox.script("echo 'ptxas fatal   : unknown target' >&2; exit 1");
    let (text, said) = sandbox.opt(&script, &[]);
    assert!(
        shuffles(&text) == 6
            && said.contains("not checked: ")
            && said.contains("fatal   : unknown target"),
        "{said}"
    );
    let Some(ptxas) = ptxas() else { return };
    let script = sandbox.script(&format!(
        "for word in \"$@\"; do case $word in -o) break ;; *) in=$word ;; esac; done\n\
         if /bin/grep -q shfl \"$in\"; then echo 'ptxas a.ptx, line 7; error   : no shuffles here' >&2; exit 255; fi\n\
         exec {} \"$@\"",
        ptxas.display()
    ));
    let (text, said) = sandbox.opt(&script, &[]);
    assert!(text == KEPT, "{said}");
    assert!(
        said.contains("ptxas does not take the rewritten text; the original is kept: ")
            && said.contains("error   : no shuffles here"),
        "{said}"
    );
}

/// Whatever a pass wrote: at none of its levels does a text stay that nobody has assembled.
#[test]
fn what_no_assembler_takes_goes_back_to_the_original() {
    let Some(ptxas) = ptxas() else { return };
    let original = format!("{HEAD}{}", sums("k", 8, 0, ""));
    let sandbox = Sandbox::new(&original);
    let script = sandbox.script(&format!(
        "for word in \"$@\"; do case $word in -o) break ;; *) in=$word ;; esac; done\n\
         if /bin/grep -q 'ptxasw 1' \"$in\"; then echo 'ptxas a.ptx, line 7; error   : no marks here' >&2; exit 255; fi\n\
         exec {} \"$@\"",
        ptxas.display()
    ));
    for level in ["--loads=proofs", "--loads=bulk", "--loads=always"] {
        let (text, said) = sandbox.opt(&script, &["--passes", "memory", level]);
        assert!(text == original, "{level}: {said}");
    }
}

/// A build may have this program in front of its assembler: that must not rewrite the original once more.
#[test]
fn a_drop_in_that_ptxasw_calls_changes_nothing() {
    let Some(ptxas) = ptxas() else { return };
    let sandbox = Sandbox::new(LOSING);
    symlink(env!("CARGO_BIN_EXE_ptxasw"), sandbox.path("ptxas")).unwrap();
    symlink(ptxas, sandbox.path("ptxas.real")).unwrap();
    let mut command = sandbox.command(&[]);
    let (text, said) = finished(
        command
            .env("PATH", sandbox.path(""))
            .env("PTXASW_PROFIT", "always"),
    );
    assert!(
        text == LOSING && said.contains(" warps would fit"),
        "{said}"
    );
}

/// The part of the pass that needs no check.
const MEMORY: [&str; 3] = ["--passes", "+memory", "--loads=proofs"];

/// The reason is with every place that would have been rewritten.
#[test]
fn a_kernel_whose_pass_costs_warps_stays_as_it_was() {
    let Some(ptxas) = ptxas() else { return };
    let sandbox = Sandbox::new(LU);
    let why = "64 registers instead of 55, 32 instead of 36 warps would fit";
    let (text, said) = sandbox.opt(
        &ptxas,
        &["--loads=proofs", "--passes", "memory", "-v", "--stats"],
    );
    assert!(text == LU, "{said}");
    assert!(!said.contains("warning"), "{said}");
    let kept = format!("kept: {why} [ptxasw-memory]\n");
    assert_eq!(said.matches(&kept).count(), 48, "{said}");
    for expected in [
        "gone back to their original 1\n1 it lost warps by its registers, or spilled\n",
        "loads 147\nkept 147\n",
    ] {
        assert!(cells(&said).contains(expected), "{expected}: {said}");
    }
    let explain = |more: &[&str]| {
        let mut command =
            sandbox.program(&["explain", "a.ptx", "--loads=proofs", "--passes", "memory"]);
        finished(command.env("PTXASW_PTXAS", &ptxas).args(more)).0
    };
    let text = explain(&[]);
    let back = format!(
        "40 of 147 loads removed, 8 loads of a known space, taken back: {why} (est. 1.00x)\n"
    );
    assert!(
        text.lines()
            .next()
            .is_some_and(|line| back.starts_with(line.split("; ").nth(1).unwrap_or("?"))),
        "{text}"
    );
    let text = explain(&["--full"]);
    assert!(
        text.contains(&format!(
            "  memory changes nothing: the original is kept: {why}\n"
        )) && text.contains(&format!("  40 kept, memory: {why}\n")),
        "{text}"
    );
    let json = explain(&["--json"]);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let of_pass = &json["passes"][0];
    assert_eq!(of_pass["refused"], format!("the original is kept: {why}"));
    assert_eq!(of_pass["changed"], false);
    let named = |name: &str| {
        let remarks = json["remarks"].as_array().unwrap().iter();
        remarks.filter(|one| one["name"] == name).count()
    };
    assert_eq!((named("KernelReverted"), named("LoadRemoved")), (1, 0));
    let text = explain(&["--no-register-check"]);
    assert!(text.contains("40 of 147 loads removed"), "{text}");
}

#[test]
fn a_kernel_whose_registers_do_not_rise_is_changed() {
    let Some(ptxas) = ptxas() else { return };
    let sandbox = Sandbox::new(BT);
    let (text, said) = sandbox.opt(&ptxas, &MEMORY);
    assert!(text != BT && said.contains(" of a known space"), "{said}");
    assert!(!said.contains("warning"), "{said}");
    let unchecked = sandbox.opt(
        &ptxas,
        &["--no-register-check", MEMORY[0], MEMORY[1], MEMORY[2]],
    );
    assert_eq!(unchecked, (text, said));
}

/// Each in a module with one that loses nothing, which is changed.
#[test]
fn every_rule_sends_its_kernel_back_alone() {
    let Some(ptxas) = ptxas() else { return };
    let free = sums("free", 16, 0, "");
    for (kernel, why) in [
        (sums("warps", 48, 0, ""), "instead of 64 warps would fit\n"),
        (
            sums("launch", 64, 0, ""),
            "instead of 64 warps would fit, a launch with 1024 threads in a block would fail\n",
        ),
        (
            sums("launch", 64, 0, ".maxntid 512"),
            "instead of 64 warps would fit\n",
        ),
        (
            sums("spill", 40, 40, ".maxntid 1024"),
            " bytes instead of 0\n",
        ),
    ] {
        let text = format!("{HEAD}{kernel}{free}");
        let sandbox = Sandbox::new(&text);
        let (rewritten, said) =
            sandbox.opt(&ptxas, &["-v", "--loads=proofs", "--passes", "memory"]);
        assert!(
            rewritten.starts_with(&format!("{HEAD}{kernel}")),
            "{why}: {said}"
        );
        assert_eq!(loads(&rewritten), loads(&text) - 16, "{said}");
        assert!(said.contains(why), "{why}: {said}");
    }
}

/// Whoever calls the function has its registers.
#[test]
fn a_function_that_costs_its_kernel_warps_goes_back() {
    let Some(ptxas) = ptxas() else { return };
    let kernel = sums("called", 48, 0, "");
    let function = kernel.replace(".visible .entry", ".visible .func");
    let function = function.replace("ld.param.u64 %rd1, [called_x]", "mov.u64 %rd1, called_a");
    let function = function.replace("ld.param.u64 %rd2, [called_out]", "mov.u64 %rd2, called_b");
    let function = function.replace(
        "(.param .u64 called_x, .param .u64 called_out)",
        "(.reg .u64 called_a, .reg .u64 called_b)",
    );
    let text = format!(
        "{HEAD}{function}.visible .entry k(.param .u64 k_x, .param .u64 k_out)\n{{\n.reg .b64 %rd<2>;\n\
         ld.param.u64 %rd0, [k_x];\nld.param.u64 %rd1, [k_out];\n\
         call called, (%rd0, %rd1);\nret;\n}}\n"
    );
    let sandbox = Sandbox::new(&text);
    let (rewritten, said) = sandbox.opt(&ptxas, &["-v", "--loads=proofs", "--passes", "memory"]);
    assert!(rewritten == text, "{said}");
    assert!(
        said.contains("remark: called: ") && said.contains(" instead of "),
        "{said}"
    );
    let (rewritten, _) = sandbox.opt(
        &ptxas,
        &[
            "--no-register-check",
            "--loads=proofs",
            "--passes",
            "memory",
        ],
    );
    assert!(rewritten != text);
}

/// Elimination rests on proof alone: no assembler is asked whether it may be done.
#[test]
fn without_an_assembler_a_pass_writes() {
    let text = format!("{HEAD}{}", sums("k", 48, 0, ""));
    let sandbox = Sandbox::new(&text);
    let (rewritten, said) = finished(sandbox.command(&MEMORY).arg("-v"));
    assert_eq!(loads(&rewritten), 48, "{said}");
    let warning =
        "ptxasw: warning: `a.ptx`: the registers of rewritten kernels were not checked: no ptxas";
    assert_eq!(said.matches(warning).count(), 1, "{said}");
}

/// A kernel that goes back after the passes may still get shuffles, and vice versa.
#[test]
fn passes_and_shuffles_are_checked_one_after_the_other() {
    let Some(ptxas) = ptxas() else { return };
    let kernel = |text: &str| text[text.find(".visible .entry").unwrap()..].to_owned();
    let text = format!(
        "{HEAD}{}{}{}{}",
        sums("lost", 48, 0, ""),
        sums("free", 16, 0, ""),
        kernel(KEPT),
        kernel(LOSING)
    );
    let sandbox = Sandbox::new(&text);
    let (rewritten, said) = sandbox.opt(
        &ptxas,
        &["-v", "--loads=proofs", "--passes", "memory,shuffle"],
    );
    assert!(
        rewritten.starts_with(&format!("{HEAD}{}", sums("lost", 48, 0, ""))),
        "{said}"
    );
    let lost = |name: &str| said.contains(&format!("ptxasw: warning: kernel `{name}`: "));
    // The values that the thread loads twice are found by the shuffles as well, with the same end.
    assert!(lost("rhs4") && lost("lost"), "{said}");
    assert!(!lost("free") && !lost("jacobi"), "{said}");
    assert!(
        said.contains("remark: lost: ") && said.contains("remark: free: "),
        "{said}"
    );
    assert_eq!(shuffles(&rewritten), 6);
    assert!(rewritten.ends_with(&kernel(LOSING)), "{said}");
}
