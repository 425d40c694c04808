//! Numbers out of range, wherever one is read.

use crate::hostile::guard::{HEAD, Sandbox, kernel};

/// At and beyond the ends of all types.
const NUMBERS: [&str; 13] = [
    "0",
    "-1",
    "2147483648",
    "4294967295",
    "4294967296",
    "-9223372036854775808",
    "9223372036854775808",
    "18446744073709551615",
    "99999999999999999999999999",
    "0xffffffffffffffffffff",
    "1e999",
    "5/0",
    "1<<64",
];

/// Modules with a number in a place of its own.
fn modules(n: &str) -> Vec<String> {
    let registers = format!(".reg .b32 %q<{n}>, %z<{n}>;\nmov.u32 %q1, %z1;");
    let lines =
        format!(".loc {n} {n} {n}, function_name L, inlined_at {n} {n} {n}\nmov.u32 %r1, 1;");
    let memory = format!(
        "ld.param.u64 %rd1,[p];\nld.global.f32 %f1,[%rd1+{n}];\nld.global.f32 %f2,[%rd1+{n}+4];\n\
         ld.global.f32 %f3,[{n}];\nst.global.f32 [%rd1],%f2;"
    );
    let immediates = format!(
        "mov.u64 %rd1, {n};\nmul.wide.s32 %rd1,%r1,{n};\nshl.b32 %r1,%r1,{n};\nbfe.u32 %r1,%r1,{n},{n};\n\
         st.global.u32 [%rd1],%r1;"
    );
    let exchange = format!(
        "shfl.sync.down.b32 %r1|%p1,%r2,{n},{n},{n};\nbar.sync {n},{n};\nvote.sync.ballot.b32 %r1,%p1,{n};\n\
         prmt.b32 %r1,%r1,%r1,{n};\nlop3.b32 %r1,%r1,%r1,%r1,{n};"
    );
    let empty = "{\nret;\n}\n";
    vec![
        kernel(&registers),
        kernel(&lines),
        kernel(&memory),
        kernel(&immediates),
        kernel(&exchange),
        kernel(&format!(
            "mov.b32 %r1, %tid.{n};\nld.global.v{n}.f32 {{%f1,%f2}},[%rd1];"
        )),
        kernel(&format!(".reg .v4 .f32 %v;\nmov.f32 %f1, %v[{n}];")),
        kernel(&format!("mov.u32 %r{n}, 1;\nL{n}:\nbra L{n};")),
        kernel(&format!(
            ".pragma \"used_bytes_mask {n}\";\nld.global.u32 %r1,[%rd1];"
        )),
        HEAD.replace("8.0", n) + empty,
        HEAD.replace("8.0", &format!("8.{n}")),
        HEAD.replace("sm_80", &format!("sm_{n}")) + &kernel("")[HEAD.len()..],
        HEAD.replace("size 64", &format!("size {n}")) + &kernel("")[HEAD.len()..],
        format!("{HEAD}.file {n} \"a\", {n}, {n}\n@@DWARF .byte {n}, {n}\n"),
        format!("{HEAD}.section .debug_x\n{{\n.b8 {n}\n.b64 {n}\n.b32 .debug_x+{n}\n}}\n"),
        format!("{HEAD}.global .align {n} .u32 a[{n}];\n.shared .u64 s[{n}][{n}][{n}];\n"),
        format!("{HEAD}.global .u32 a[{n}] = {{1,2}};\n.global .u64 b[2] = {{a+{n}, {n}}};\n"),
        format!("{HEAD}.visible .entry k(.param .align {n} .b8 p[{n}])\n{empty}"),
        format!(
            "{HEAD}.visible .entry k(.param .u64 p)\n.maxntid {n},{n},{n}\n.reqntid {n},1,{n}\n.minnctapersm {n}\n{empty}"
        ),
    ]
}

#[test]
fn in_modules() {
    let sandbox = Sandbox::new();
    for number in NUMBERS {
        for text in modules(number) {
            sandbox.file("a.ptx", &text);
            for words in [
                &[
                    "opt",
                    "a.ptx",
                    "-o",
                    "b.ptx",
                    "--profit=always",
                    "--no-register-check",
                ][..],
                &["verify", "a.ptx", "a.ptx", "--steps=1000"],
            ] {
                let answer = sandbox.run(words, &["b.ptx"]);
                assert!(
                    answer.code == 0 || !answer.message.is_empty() || !answer.out.is_empty(),
                    "{text}"
                );
            }
        }
    }
}

#[test]
fn in_launches() {
    let sandbox = Sandbox::new();
    sandbox.file(
        "a.ptx",
        kernel("ld.param.u64 %rd1,[p];\nst.global.u32 [%rd1],1;"),
    );
    for n in NUMBERS {
        for line in [
            format!("grid={n} block=32 args=u64:{n}"),
            format!("grid={n},{n},{n} block={n} args=u64:0"),
            format!("grid=1 block={n},{n},{n} args=u64:0"),
            format!("grid=1 block=32 args=f32[{n}]"),
            format!("grid=1 block=32 args=f32[16]@{n}"),
            format!("grid=1 block=32 args={n}"),
        ] {
            let words = ["run", "a.ptx", "--steps=1000", "--launch", &line];
            let answer = sandbox.run(&words, &[]);
            assert!(answer.code == 0 || !answer.message.is_empty(), "{line}");
        }
    }
}

#[test]
fn in_options() {
    let sandbox = Sandbox::new();
    sandbox.file("a.ptx", kernel(""));
    let run = ["run", "a.ptx", "--launch", "grid=2 block=32 args=u64:0"];
    for (words, options) in [
        (
            &["opt", "a.ptx", "-o", "b.ptx"][..],
            &[
                "--max-delta",
                "--max-shuffles",
                "--solver-limit",
                "--solver-gates",
                "--max-steps",
                "-j",
                "--arch",
            ][..],
        ),
        (&run, &["--steps", "-j", "--schedule", "--trace"]),
        (
            &["verify", "a.ptx", "a.ptx"],
            &["--seed", "--steps", "-j", "--schedules"],
        ),
        (&["corpus", ".", "--no-assemble"], &["-j"]),
        (&["check", "none"], &["--timeout", "-j"]),
    ] {
        for option in options {
            for n in NUMBERS {
                let value = match *option {
                    "--arch" => format!("sm_{n}"),
                    "--schedule" => format!("its:{n}"),
                    "--schedules" => format!("its:1..{n}"),
                    "--trace" => format!("warp={n} lanes=0-{n} lines={n}-{n}"),
                    _ => n.to_owned(),
                };
                let option = match option.starts_with("--") {
                    true => format!("{option}={value}"),
                    false => format!("{option}{value}"),
                };
                sandbox.run(&[words, &[&option]].concat(), &["b.ptx"]);
            }
        }
    }
}
