//! How often the assembler runs until it is known what becomes of a kernel.

use super::worth::records_and_sum;
use super::{HEAD, Sandbox, finished, ptxas, sums};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;
use std::process::Command;

/// A kernel of which a column waits in registers after the pass `memory`, with so many values.
fn module(count: usize, directive: &str) -> String {
    format!("{HEAD}{}", sums("k", count, 0, directive))
}

/// Where the assembler leaves a line for each of its runs.
struct Counted {
    sandbox: Sandbox,
    assembler: PathBuf,
}

impl Counted {
    fn new(text: &str) -> Option<Self> {
        let ptxas = ptxas()?;
        let sandbox = Sandbox::new(text);
        let assembler = sandbox.script(&format!(
            "echo run >> {}\nexec {} \"$@\"",
            sandbox.path("runs").display(),
            ptxas.display()
        ));
        symlink(env!("CARGO_BIN_EXE_ptxasw"), sandbox.path("ptxas")).unwrap();
        Some(Counted { sandbox, assembler })
    }

    /// Runs since the last call.
    fn runs(&self) -> usize {
        let path = self.sandbox.path("runs");
        let runs = fs::read_to_string(&path).unwrap_or_default();
        let _ = fs::remove_file(path);
        runs.lines().count()
    }

    /// What `opt` writes, and the runs for that.
    fn opt(&self) -> (String, usize) {
        let (written, _) = self.sandbox.opt(&self.assembler, &["--passes", "memory"]);
        (written, self.runs())
    }

    /// What the drop-in says, and the runs for that.
    fn drop_in(&self, words: &[&str]) -> (String, usize) {
        let own = self.sandbox.program(&[]);
        let mut command = Command::new(self.sandbox.path("ptxas"));
        for (name, value) in own.get_envs() {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        let words = [
            &["-arch=sm_80", "a.ptx", "-o", "a.cubin", "--ptxasw-stats"],
            words,
        ]
        .concat();
        command.args(words).current_dir(self.sandbox.path(""));
        command.env("PTXASW_PTXAS", &self.assembler);
        command.env("PTXASW_NO_CACHE", "1");
        let (_, said) = finished(&mut command);
        (said, self.runs())
    }
}

/// How often `opt` and the drop-in run the assembler for a module, and what `opt` writes.
fn runs(text: &str) -> Option<([usize; 2], String)> {
    let counted = Counted::new(text)?;
    let (written, opt) = counted.opt();
    let (_, drop_in) = counted.drop_in(&[]);
    Some(([opt, drop_in], written))
}

/// Few registers are harmless whatever it had before.
#[test]
fn a_kernel_with_few_registers_is_assembled_once() {
    let text = module(4, "");
    let Some((runs, written)) = runs(&text) else {
        return;
    };
    assert_ne!(written, text);
    assert_eq!(runs, [1, 1]);
}

/// It is compared with what it was. All levels of the memory pass make the same of it, so none is tried.
#[test]
fn a_kernel_that_loses_is_assembled_twice() {
    let text = module(48, ".maxntid 1024");
    let Some((runs, written)) = runs(&text) else {
        return;
    };
    assert_eq!(written, text);
    // The original is the output of the drop-in.
    assert_eq!(runs, [2, 2]);
}

/// The levels below that differ are tried at once.
#[test]
fn a_kernel_that_gets_a_lower_level_is_assembled_four_times() {
    let text = records_and_sum();
    let Some((runs, written)) = runs(&text) else {
        return;
    };
    assert_ne!(written, text);
    assert_eq!(runs, [4, 4]);
}

/// What the drop-in writes then is what the assembler makes of the original, and it says what the assembler says of it, once.
#[test]
fn the_output_of_a_kernel_that_loses_is_that_of_the_original() {
    let text = module(48, ".maxntid 1024");
    let Some(counted) = Counted::new(&text) else {
        return;
    };
    let (said, _) = counted.drop_in(&["-v"]);
    let made = fs::read(counted.sandbox.path("a.cubin")).unwrap();
    let mut plain = Command::new(&counted.assembler);
    plain.args(["-arch=sm_80", "a.ptx", "-o", "a.cubin", "-v"]);
    let (_, plain_said) = finished(plain.current_dir(counted.sandbox.path("")));
    assert_eq!(made, fs::read(counted.sandbox.path("a.cubin")).unwrap());
    let used = |said: &str| said.matches("Used ").count();
    assert_eq!((used(&said), used(&plain_said)), (1, 1), "{said}");
}

/// Kernels that nothing was done to are not assembled again.
#[test]
fn many_kernels_are_tried_at_once() {
    let kernels: Vec<String> = (0..6)
        .map(|number| sums(&format!("k{number}"), 40 + 2 * number, 0, ".maxntid 1024"))
        .collect();
    let text = format!("{HEAD}{}", kernels.concat());
    let Some((runs, _)) = runs(&text) else { return };
    assert!(runs[0] <= 3 && runs[1] <= 4, "{runs:?}");
}

/// What can't stand in another module is assembled with its own: as it came, at the highest level and at the lowest.
#[test]
fn kernels_that_are_not_apart_are_assembled_in_their_module() {
    let text = module(48, ".maxntid 1024").replace("sm_80\n", "sm_80\n// .alias\n");
    let Some((runs, written)) = runs(&text) else {
        return;
    };
    assert_eq!(written, text);
    assert!(runs[0] <= 4 && runs[1] <= 5, "{runs:?}");
}

/// With `-c` a function takes what its callers leave it: in a trial these are missing.
#[test]
fn a_function_that_takes_more_without_its_callers_has_not_lost() {
    let values = 0..160;
    let loads: String = values
        .clone()
        .map(|value| format!("ld.volatile.f32 %f{value}, [%rd1+{}];\n", 4 * value))
        .collect();
    let sum: String = values
        .rev()
        .map(|value| format!("fma.rn.f32 %f160, %f160, 0f3F000000, %f{value};\n"))
        .collect();
    let called = format!(
        ".func (.param .b32 r) f(.param .b64 p)\n{{\n.reg .b64 %rd<2>;\n.reg .f32 %f<162>;\n\
         ld.param.u64 %rd1, [p];\n{loads}mov.f32 %f160, 0f00000000;\n{sum}st.param.f32 [r], %f160;\nret;\n}}\n\
         .visible .entry a(.param .u64 a_x) .maxntid 1024 .minnctapersm 2\n{{\n.reg .b64 %rd<2>;\n.reg .f32 %f<2>;\n\
         ld.param.u64 %rd1, [a_x];\n{{\n.param .b64 p0;\nst.param.b64 [p0], %rd1;\n.param .b32 r0;\n\
         call.uni (r0), f, (p0);\nld.param.f32 %f1, [r0];\n}}\nst.volatile.f32 [%rd1], %f1;\nret;\n}}\n"
    );
    let text = format!("{HEAD}{called}{}", sums("b", 2, 40, ""));
    let Some(counted) = Counted::new(&text) else {
        return;
    };
    let (said, runs) = counted.drop_in(&["-c"]);
    assert_eq!(runs, 2, "{said}");
    assert!(!said.contains("reverted: "), "{said}");
}
