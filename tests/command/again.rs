//! What `opt` wrote is its input again.

use super::sandbox::{Sandbox, said};
use ptxasw::toolchain::{Arch, Search};

/// Sums and eliminations in small matrices, whose loads the pass `memory` moves under a test at run time.
const MATRICES: &str = include_str!("../../ptx-tests/loads/cuda/dense3.nvcc.ptx");
/// Both copies of its loop have addresses that the pass `scalar` computes from earlier ones.
const SAXPY: &str = include_str!("../../ptx-tests/loads/cuda/saxpy.nvcc.ptx");
/// Nothing of it is rewritten.
const PLAIN: &str = "
.visible .entry plain(.param .u64 p)
{
	.reg .b32 %r<4>;
	.reg .b64 %rd<4>;
	ld.param.u64 %rd1, [p];
	cvta.to.global.u64 %rd2, %rd1;
	ld.global.u32 %r1, [%rd2];
	add.u32 %r2, %r1, 1;
	st.global.u32 [%rd2], %r2;
	ret;
}
";
const START: &str = "// ptxasw 1: ";

/// The output for a text.
fn opt(sandbox: &Sandbox, text: &str, words: &[&str]) -> String {
    sandbox.file("k.ptx", text);
    let all = [
        &["opt", "k.ptx", "-o", "out.ptx", "-q", "--no-register-check"],
        words,
    ]
    .concat();
    let output = sandbox.run(&all);
    assert!(output.status.success(), "{}", said(&output));
    String::from_utf8(sandbox.read("out.ptx").expect("an output")).expect("text")
}

/// What the marks of a text say.
fn marks(text: &str) -> Vec<&str> {
    let lines = text.lines().map(str::trim);
    lines.filter_map(|line| line.strip_prefix(START)).collect()
}

#[test]
fn the_output_is_the_output_of_itself() {
    let sandbox = Sandbox::new();
    for words in [&[][..], &["--loads=always"], &["--passes=+scalar,saturate"]] {
        let once = opt(&sandbox, MATRICES, words);
        assert!(once != MATRICES && !marks(&once).is_empty(), "{words:?}");
        assert!(opt(&sandbox, &once, words) == once, "{words:?}");
        let other = opt(&sandbox, &once, &["--loads=always", "--assume=noalias"]);
        assert!(other == once, "{words:?}");
    }
    let once = opt(&sandbox, MATRICES, &[]);
    sandbox.file("once.ptx", &once);
    let shown = sandbox.run(&["explain", "once.ptx", "--no-register-check"]);
    let shown = String::from_utf8_lossy(&shown.stdout).into_owned();
    let line = "already rewritten by ptxasw (loops, memory, shuffle)";
    assert!(shown.contains(line), "{shown}");
}

/// Only what was rewritten is marked, and the rest of a module may be rewritten later.
#[test]
fn a_module_of_which_a_part_was_rewritten() {
    let sandbox = Sandbox::new();
    let both = format!("{MATRICES}{PLAIN}");
    let once = opt(&sandbox, &both, &[]);
    assert!(once.ends_with(PLAIN));
    let kernels = MATRICES.matches(".entry").count();
    assert_eq!(marks(&once).len(), kernels);
    assert!(opt(&sandbox, &once, &[]) == once);
    // One was left out, and is done by a second run as if it had been done by the first.
    let other = MATRICES.replace("entry ", "entry other_");
    let other = &other[other.find(".visible").expect("a kernel")..];
    let text = format!("{MATRICES}{other}");
    let first = opt(&sandbox, &text, &["--kernel", "!other_*"]);
    assert!(first.ends_with(other) && first != text);
    let second = opt(&sandbox, &first, &[]);
    assert_eq!(marks(&second).len(), 2 * kernels);
    assert!(opt(&sandbox, &second, &[]) == second);
    let head = &first[..first.len() - other.len()];
    assert!(second.starts_with(head));
}

#[test]
fn a_pass_that_is_not_named_runs_once() {
    let sandbox = Sandbox::new();
    let memory = opt(&sandbox, SAXPY, &["--passes=memory"]);
    assert!(
        marks(&memory)
            .iter()
            .all(|mark| *mark == "memory(loads=batches)")
    );
    let both = opt(&sandbox, &memory, &["--passes=memory,scalar"]);
    assert!(both != memory);
    let all = marks(&both);
    assert!(all.contains(&"memory(loads=batches) scalar"), "{all:?}");
    assert!(opt(&sandbox, &both, &["--passes=memory,scalar"]) == both);
    // What is only looked at stays as it is.
    assert!(opt(&sandbox, &memory, &["--passes=memory"]) == memory);
}

/// A limit counts the rewritings of its own run: by that `bisect` finds the one at fault.
#[test]
fn limits_count_from_the_input_on() {
    let sandbox = Sandbox::new();
    let text = super::sandbox::GUARD;
    let more = text.replace("entry guard", "entry second");
    let more = &more[more.find(".visible").expect("a kernel")..];
    let text = format!("{text}{more}");
    let words = ["--passes=shuffle", "--limit=1"];
    let once = opt(&sandbox, &text, &words);
    assert_eq!(marks(&once), ["shuffle"]);
    let twice = opt(&sandbox, &once, &words);
    assert_eq!(marks(&twice), ["shuffle"; 2]);
    assert!(opt(&sandbox, &twice, &words) == twice);
}

#[test]
fn the_assembler_takes_a_mark_in_silence() {
    let arch: Arch = "sm_80".parse().expect("a target");
    let Ok((ptxas, _)) = Search::from_environment().ptxas(arch) else {
        return;
    };
    let sandbox = Sandbox::new();
    opt(&sandbox, MATRICES, &["--loads=always"]);
    let mut command = std::process::Command::new(ptxas);
    command
        .args(["-arch=sm_80", "-o", "out.cubin"])
        .arg(sandbox.path("out.ptx"));
    let output = command
        .current_dir(sandbox.path("tmp"))
        .output()
        .expect("it runs");
    assert!(
        output.status.success() && output.stderr.is_empty(),
        "{}",
        said(&output)
    );
    assert!(output.stdout.is_empty());
}

/// Shuffles do not look at the original code that runs where a test fails.
#[test]
fn loads_are_counted_once() {
    let sandbox = Sandbox::new();
    sandbox.file("k.ptx", MATRICES);
    let words = ["opt", "k.ptx", "-o", "out.ptx", "--no-register-check"];
    let loads = |more: &[&str]| {
        let said = said(&sandbox.run(&[&words[..], more].concat()));
        let count = said.split(" loads").next();
        let count = count.and_then(|line| line.rsplit(' ').next());
        count
            .and_then(|count| count.parse::<usize>().ok())
            .unwrap_or_else(|| panic!("{said}"))
    };
    let before = loads(&["--passes=shuffle"]);
    let after = loads(&["--loads=always"]);
    assert_eq!(after, before);
}
