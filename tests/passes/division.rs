//! What the passes over one thread's arithmetic do, and that results stay.

use crate::launches::of_header;
use ptxasw::passes::scalar::Division;
use ptxasw::pipeline::Options;
use ptxasw::verify::{self, Module, Verdict};

/// A kernel that writes what `body` leaves in `%q`, of two numbers that grow from thread to thread.
fn kernel(body: &str) -> String {
    format!(
        ".version 8.0
.target sm_80
.address_size 64

.visible .entry k(
	.param .u64 out,
	.param .u64 a,
	.param .u64 by_a,
	.param .u64 b,
	.param .u64 by_b
)
{{
	.reg .pred %p<4>;
	.reg .b32 %r<8>;
	.reg .b64 %rd<12>;
	.reg .b64 %a, %b, %q;

	ld.param.u64 %rd1, [out];
	ld.param.u64 %a, [a];
	ld.param.u64 %rd2, [by_a];
	ld.param.u64 %b, [b];
	ld.param.u64 %rd3, [by_b];
	mov.u32 %r1, %tid.x;
	mov.u32 %r6, %tid.y;
	mov.u32 %r7, %ntid.x;
	mad.lo.u32 %r1, %r6, %r7, %r1;
	cvt.u64.u32 %rd4, %r1;
	mad.lo.u64 %a, %rd4, %rd2, %a;
	mad.lo.u64 %b, %rd4, %rd3, %b;
{body}
	mul.wide.u32 %rd5, %r1, 8;
	add.s64 %rd6, %rd1, %rd5;
	st.global.u64 [%rd6], %q;
	ret;
}}
"
    )
}

/// The text after the pass, which gives the same for small operands, for large ones, for both in one warp, for zeros and for
/// negative ones.
fn divided(body: &str) -> String {
    let text = kernel(body);
    let options = Options::of_passes(&[&Division]);
    let new = ptxasw::optimize(text.as_bytes(), &options).expect("the text is PTX");
    let launches = [
        "1000,7,1,1",
        "4294967290,1,3,0",
        "1000,0,4294967290,1",
        "123456789012345,987654321,31,1000000007",
        "5,1,0,0",
        "17,0,0,4294967296",
        "18446744073709551516,9,18446744073709551606,1",
        "9223372036854775808,0,18446744073709551615,0",
    ];
    // Whole warps, a partial one, rows that are none, and less than a warp.
    let blocks = ["64", "48", "13,4", "16,3", "7"];
    let launch = |block, numbers| format!("k grid=1 block={block} args=u64[64],{numbers}");
    let all = blocks
        .iter()
        .flat_map(|block| launches.map(|numbers| launch(block, numbers)));
    let launches: Vec<String> = all.collect();
    let header: String = (launches.iter().map(|line| format!("// launch: {line}\n"))).collect();
    let how = verify::Options {
        launches: of_header(&(header + &text)),
        jobs: 1,
        ..verify::Options::default()
    };
    assert_eq!(how.launches.len(), launches.len());
    let (before, after) = (
        Module::read(text.as_bytes()).expect("the original"),
        Module::read(&new.text).expect("the rewritten module"),
    );
    let reports = verify::verify(&before, &after, &how).expect("both have the kernel");
    for report in &reports {
        assert!(matches!(report.verdict, Verdict::Equal), "{report:?}");
    }
    String::from_utf8(new.text).expect("it is text")
}

/// How often divisions of a width and of its kinds are there.
fn count(text: &str, width: u32) -> usize {
    let lines = text.lines().map(str::trim_start);
    let divisions = lines.filter(|line| line.starts_with("div.") || line.starts_with("rem."));
    let ends = format!("{width} ");
    divisions.filter(|line| line.contains(&ends)).count()
}

#[test]
fn quotients_and_remainders_of_either_sign_take_the_short_way() {
    for operation in ["div.u64", "div.s64", "rem.u64", "rem.s64"] {
        let text = divided(&format!("	{operation} %q, %a, %b;"));
        assert_eq!((count(&text, 32), count(&text, 64)), (1, 1), "{text}");
    }
}

#[test]
fn a_quotient_and_its_remainder() {
    let text = divided(
        "	div.u64 %rd7, %a, %b;
	rem.u64 %rd8, %a, %b;
	xor.b64 %q, %rd7, %rd8;",
    );
    assert_eq!((count(&text, 32), count(&text, 64)), (2, 2), "{text}");
}

#[test]
fn a_quotient_of_a_quotient() {
    let text = divided(
        "	div.u64 %rd7, %a, %b;
	div.u64 %q, %rd7, %b;",
    );
    assert_eq!((count(&text, 32), count(&text, 64)), (2, 2), "{text}");
}

#[test]
fn constants_and_short_operands_stay() {
    for body in [
        "	div.u64 %q, %a, 10;",
        "	mov.u64 %rd7, 10;\n	rem.s64 %q, %a, %rd7;",
        "	cvt.u32.u64 %r2, %a;\n	cvt.u32.u64 %r3, %b;\n	div.u32 %r4, %r2, %r3;\n	cvt.u64.u32 %q, %r4;",
    ] {
        let text = kernel(body);
        let options = Options::of_passes(&[&Division]);
        let new = ptxasw::optimize(text.as_bytes(), &options).expect("the text is PTX");
        assert_eq!(String::from_utf8_lossy(&new.text), text);
    }
}

/// As NVVM writes it.
#[test]
fn what_is_tested_already_stays() {
    let text = kernel(
        "	or.b64 %rd7, %a, %b;
	and.b64 %rd7, %rd7, -4294967296;
	setp.ne.s64 %p1, %rd7, 0;
	@%p1 bra SLOW;
	cvt.u32.u64 %r2, %b;
	cvt.u32.u64 %r3, %a;
	div.u32 %r4, %r3, %r2;
	cvt.u64.u32 %q, %r4;
	bra DONE;
SLOW:
	div.s64 %q, %a, %b;
DONE:",
    );
    let options = Options::of_passes(&[&Division]);
    let new = ptxasw::optimize(text.as_bytes(), &options).expect("the text is PTX");
    assert_eq!(String::from_utf8_lossy(&new.text), text);
}

/// A predicated division keeps its guard, so it stays.
#[test]
fn what_has_a_guard_stays() {
    let body = "	mov.u64 %q, 7;\n	setp.ne.s64 %p1, %b, 0;\n	@%p1 div.u64 %q, %a, %b;";
    let text = kernel(body);
    let options = Options::of_passes(&[&Division]);
    let new = ptxasw::optimize(text.as_bytes(), &options).expect("the text is PTX");
    assert_eq!(String::from_utf8_lossy(&new.text), text);
}
