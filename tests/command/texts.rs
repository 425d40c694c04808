//! Texts that no compiler writes, and inline assembly does: they are rewritten as others are.

use super::sandbox::{Sandbox, said};

const HEAD: &str = ".version 8.0\n.target sm_80\n.address_size 64\n";

/// The output for a text.
fn opt(sandbox: &Sandbox, text: &[u8]) -> String {
    sandbox.file("k.ptx", text);
    let output = sandbox.run(&["opt", "k.ptx", "-o", "out.ptx", "-q", "--no-register-check"]);
    assert!(output.status.success(), "{}", said(&output));
    let text = sandbox.read("out.ptx").expect("an output");
    String::from_utf8_lossy(&text).into_owned()
}

/// Latin-1 in a comment within a statement, which a second copy repeats.
#[test]
fn a_statement_with_a_comment_that_is_no_utf8() {
    let text = format!(
        "{HEAD}.visible .entry k(.param .u64 p, .param .u64 q)
{{
	.reg .b32 %r<20>;
	.reg .b64 %rd<10>;
	ld.param.u64 %rd1, [p];
	ld.param.u64 %rd2, [q];
	cvta.to.global.u64 %rd3, %rd1;
	cvta.to.global.u64 %rd4, %rd2;
	mov.u32 %r2, %tid.x;
	mul.wide.u32 %rd5, %r2, 16;
	add.s64 %rd6, %rd3, %rd5;
	add.s64 %rd7, %rd4, %rd5;
	.reg .b32 /* caf? */ %z;
	ld.global.u32 %r3, [%rd6];
	ld.global.u32 %r4, [%rd6+4];
	st.global.u32 [%rd7], %r3;
	ld.global.u32 %r5, [%rd6+8];
	ld.global.u32 %z, [%rd6+12];
	st.global.u32 [%rd7+4], %r4;
	st.global.u32 [%rd7+8], %r5;
	add.u32 %z, %z, /* caf? */ 5;
	st.global.u32 [%rd7+12], %z;
	ret;
}}
"
    );
    let latin: Vec<u8> = text
        .bytes()
        .map(|byte| if byte == b'?' { 0xe9 } else { byte })
        .collect();
    let sandbox = Sandbox::new();
    let after = opt(&sandbox, &latin);
    assert_eq!(
        after.matches("add.u32 %z, %z, /* caf").count(),
        2,
        "{after}"
    );
    assert_eq!(after.matches("*/ %z;").count(), 1, "{after}");
    let launch = "k grid=1 block=32 args=u32[160]@16,u32[160]@16";
    let verified = sandbox.run(&["verify", "k.ptx", "out.ptx", "--launch", launch]);
    assert!(verified.status.success(), "{}", said(&verified));
}

/// A kernel whose first store another one makes superfluous, with these lines in front.
fn dead_store(module: &str, lines: &str) -> String {
    format!(
        "{HEAD}{module}.visible .entry k(.param .u64 p)
{{
	.reg .b64 %rd<9>;
	{lines}
	mov.u32 %z, 7;
	st.global.u32 [%rd1], 1;
	st.global.u32 [%rd1], %z;
	ret;
}}
"
    )
}

/// A register has the name of a function that was called in front of its declaration.
#[test]
fn a_name_after_an_opcode_without_a_blank() {
    let lines = "call%z;\n\t.reg .b32 %z;\n\tld.param.u64 %rd1, [p];";
    let text = dead_store(".func %z()\n{ ret; }\n", lines);
    let after = opt(&Sandbox::new(), text.as_bytes());
    assert!(!after.contains("[%rd1], 1;"), "{after}");
    assert!(
        after.find("call%z;") < after.find(".reg .b32 %z;"),
        "{after}"
    );
}

/// A line marker begins its line, also where what stood in front of its line end goes.
#[test]
fn line_markers_begin_their_lines() {
    for lines in [
        "ld.param.u64 %rd1, [p]; .reg .b32 %z;\n# 7 \"a.cu\"",
        ".reg .b32 %z; ld.param.u64 %rd1, [p]; st.global.u32 [%rd1], 1;\n# 7 \"a.cu\"",
    ] {
        let after = opt(&Sandbox::new(), dead_store("", lines).as_bytes());
        assert!(!after.contains("[%rd1], 1;"), "{after}");
        assert!(after.contains("\n# 7 \"a.cu\""), "{after}");
    }
}
