//! Texts that are large, deep, or made of long names.

use crate::hostile::guard::{HEAD, Sandbox, kernel};
use std::fmt::Write;

/// Levels, elements, repetitions.
const MANY: usize = 100_000;
/// Bytes of a name, in a soak test and usually.
const NAME: [usize; 2] = [1_000_000, 100_000];
/// Statements of a line.
const LINE: [usize; 2] = [250_000, 50_000];

fn of_soak(sizes: [usize; 2]) -> usize {
    sizes[usize::from(!crate::soak())]
}

/// The module is refused at this line and column, by all commands that read one.
fn refused(text: impl AsRef<[u8]>, position: &str, words: &str) {
    let sandbox = Sandbox::new();
    sandbox.file("a.ptx", text);
    let at = format!("a.ptx:{position}");
    for command in [
        &["opt", "a.ptx", "-o", "b.ptx"][..],
        &["explain", "a.ptx"],
        &["run", "a.ptx", "--launch", "grid=1 block=32 args=u64:0"],
    ] {
        let message = sandbox.refused(command, &[&at, words]);
        assert!(message.contains('^'), "{message}");
    }
}

/// Without one a module is nothing to look at.
const FUNCTION: &str = ".func f() { ret; }\n";

/// The module is read by all commands, and comes out as it was.
fn accepted(text: impl AsRef<[u8]>) {
    let sandbox = Sandbox::new();
    sandbox.file("a.ptx", text.as_ref());
    let answer = sandbox.run(&["opt", "a.ptx", "-o", "b.ptx"], &["b.ptx"]);
    assert_eq!(answer.code, 0, "{}", answer.message);
    assert!(std::fs::read(sandbox.path("b.ptx")).unwrap() == text.as_ref());
    for words in [
        &["explain", "a.ptx"][..],
        &["dump", "--ir", "a.ptx"],
        &["trace", "a.ptx"],
    ] {
        assert_eq!(sandbox.run(words, &[]).code, 0);
    }
}

#[test]
fn one_line_of_megabytes() {
    let add = "add.s32 %r1,%r2,%r3;";
    let line = |last: &str| {
        let body = add.repeat(of_soak(LINE));
        kernel(&format!("{body}{last}")).replace('\n', " ")
    };
    accepted(line(""));
    let start = line("").len() - " ret; } ".len();
    refused(
        line("add.s32 %q,%r1,%r2;"),
        &format!("1:{}", start + 9),
        "undeclared register `%q`",
    );
    refused("x".repeat(10 << 20), "1:1", "expected a directive");
}

#[test]
fn braces_in_braces() {
    accepted(kernel(&format!("{}{}", "{".repeat(MANY), "}".repeat(MANY))));
    let scope = "{.reg .b32 %q; mov.u32 %q, 1;";
    accepted(kernel(&format!(
        "{}{}",
        scope.repeat(MANY / 4),
        "}".repeat(MANY / 4)
    )));
    refused(kernel(&"{".repeat(MANY)), "10:99999", "expected `}`");
    refused(
        kernel(&"}".repeat(MANY)),
        "10:2",
        "expected a directive, found `}`",
    );
    refused(
        format!(".section .debug_x {{{}", "{".repeat(MANY)),
        "1:",
        "not closed",
    );
}

/// Expressions, lists and operators have a limit that is reported.
#[test]
fn expressions_in_expressions() {
    let deep = |open: &str, close: &str| format!("{}1{}", open.repeat(MANY), close.repeat(MANY));
    let nested = "nested more than 128 levels deep";
    for value in [
        deep("(", ")"),
        deep("-", ""),
        deep("~!", ""),
        deep("1?", ":1"),
        deep("1?1:", ""),
        deep("(.s64)", ""),
    ] {
        refused(kernel(&format!("mov.u32 %r1, {value};")), "10:", nested);
        refused(format!("{HEAD}.global .u32 a = {value};\n"), "4:", nested);
    }
    refused(
        format!("{HEAD}.global .u32 a[4] = {};\n", deep("{", "}")),
        "4:",
        nested,
    );
    let list = |text: &str| kernel(&format!("mov.u32 {text}, 1;"));
    refused(list(&deep("{", "}").replace('1', "%r1")), "10:", nested);
    refused(
        kernel(&format!("call {};", deep("(", ")").replace('1', "p"))),
        "10:",
        nested,
    );
    // What goes on and on at one level is no deeper.
    accepted(kernel(&format!("mov.u32 %r1, {};", deep("1+", ""))));
    accepted(kernel(&format!(
        "mov.u32 %r1, {};",
        deep("1||1&&1|1^1&1==1<1<<1+1*", "")
    )));
    accepted(kernel(&format!(
        "ld.global.u32 %r1, [%rd1{}];",
        "+1".repeat(MANY)
    )));
    accepted(format!(
        "{HEAD}.global .u32 a[] = {{{}1}};\n{FUNCTION}",
        "1,".repeat(MANY)
    ));
    let dimensions = "[2]".repeat(MANY);
    accepted(format!("{HEAD}.global .u32 a{dimensions};\n{FUNCTION}"));
}

#[test]
fn bytes_that_are_no_text() {
    accepted(kernel(&"\0".repeat(MANY)));
    accepted(kernel("// \0\u{1}\u{7f}\u{fffd}\n"));
    let mut bytes = kernel("BAD 1;").into_bytes();
    let at = bytes.windows(3).position(|three| three == b"BAD").unwrap();
    bytes[at..at + 3].copy_from_slice(b"\xff\xfe\x80");
    refused(&bytes, "10:1", "found the byte 0xFF");
    bytes[at..at + 3].copy_from_slice(b"a\0b");
    refused(&bytes, "10:5", "expected `,` or `;`");
    bytes[at..at + 3].copy_from_slice(b"\xc3(\x1b");
    let message = {
        let sandbox = Sandbox::new();
        sandbox.file("a.ptx", &bytes);
        sandbox.refused(&["opt", "a.ptx", "-o", "b.ptx"], &["a.ptx:10:1"])
    };
    assert!(!message.contains('\x1b'), "a terminal would obey it");
}

#[test]
fn long_names() {
    let name = "n".repeat(of_soak(NAME));
    accepted(kernel(&format!(
        ".reg .b32 %{name};\nmov.u32 %{name}, 1;\n{name}:\n"
    )));
    accepted(format!("{HEAD}.visible .entry {name}()\n{{\nret;\n}}\n"));
    accepted(format!("{HEAD}{FUNCTION}.{name}\n"));
    accepted(kernel(&format!("{name} 1;")));
    refused(
        kernel(&format!("mov.u32 %{name}, 1;")),
        "10:9",
        "undeclared register `%nnn",
    );
    refused(kernel(&format!("bra {name};")), "10:5", "is not a label");
    refused(
        kernel(&format!("{name}:\n{name}:\n")),
        "11:1",
        "duplicate label",
    );
    refused(
        kernel(&format!(".reg .b32 %{name};\n.reg .b32 %{name};\n")),
        "11:11",
        "already declared",
    );
}

/// A switch or a ladder of branches: what depends on what is much, and is not listed for ever.
#[test]
fn branches_over_branches() {
    let count = 5_000;
    let mut names = String::from("L0");
    for i in 1..count {
        let _ = write!(names, ",L{i}");
    }
    let steps = |step: &str| -> String {
        (0..count)
            .map(|i| format!("L{i}:\nadd.u32 %r4,%r4,1;{step}\n"))
            .collect()
    };
    let table = format!("ts: .branchtargets {names};\n");
    let load = "mov.u32 %r2,%tid.x;\nld.global.f32 %f1,[%rd1];\n";
    let branches: String = (0..count).map(|i| format!("@%p1 bra L{i};\n")).collect();
    let back: String = (0..count)
        .map(|i| format!("@%p1 bra L{};\n", count - 1 - i))
        .collect();
    for body in [
        format!(
            "L:\nts: .branchtargets {}L;\nbrx.idx %r2, ts;",
            "L,".repeat(10 * count)
        ),
        format!("{table}brx.idx %r2, ts;\n{}", steps("")),
        format!("H:\n{table}brx.idx %r2, ts;\n{}", steps("bra H;")),
        format!("H:\n{table}brx.idx %r2, ts;\n{}", steps("@%p1 bra H;")),
        format!("setp.eq.u32 %p1,%r2,3;\n{branches}{}", steps("")),
        format!("setp.eq.u32 %p1,%r2,3;\n{back}{}", steps("")),
    ] {
        let sandbox = Sandbox::new();
        sandbox.file(
            "a.ptx",
            kernel(&format!("{load}{body}\nld.global.f32 %f2,[%rd1+4];")),
        );
        let answer = sandbox.run(
            &[
                "opt",
                "a.ptx",
                "-o",
                "b.ptx",
                "--profit=always",
                "--no-register-check",
            ],
            &["b.ptx"],
        );
        assert_eq!(answer.code, 0, "{}", answer.message);
    }
}
