//! What saturation does to kernels, and that results stay.

mod allowed;
mod expressions;
mod kernels;
mod listing;

use crate::launches::of_header;
use ptxasw::passes::saturate::{Saturate, SaturationOptions};
use ptxasw::pipeline::Options;
use ptxasw::verify::{self, Module, Verdict};

/// A kernel of 32-bit numbers `%a` to `%d`, which differ between threads, with `body` leaving its result in `%q`.
fn integers(body: &str) -> String {
    kernel("b32", "u32", body)
}

/// A kernel of single-precision numbers `%a` to `%d`, with `body` leaving its result in `%q`.
fn floats(body: &str) -> String {
    kernel("f32", "f32", body)
}

fn kernel(register: &str, ty: &str, body: &str) -> String {
    format!(
        ".version 8.0
.target sm_80
.address_size 64

.visible .entry k(
	.param .u64 out,
	.param .u64 in
)
{{
	.reg .pred %p<8>;
	.reg .b32 %r<32>;
	.reg .b64 %rd<16>;
	.reg .{register} %a, %b, %c, %d, %q, %t<32>;

	ld.param.u64 %rd1, [out];
	ld.param.u64 %rd2, [in];
	mov.u32 %r1, %tid.x;
	mov.u32 %r2, %tid.y;
	mov.u32 %r3, %ntid.x;
	mad.lo.s32 %r1, %r2, %r3, %r1;
	mul.wide.u32 %rd3, %r1, 4;
	add.s64 %rd4, %rd2, %rd3;
	ld.global.{ty} %a, [%rd4];
	ld.global.{ty} %b, [%rd4+128];
	ld.global.{ty} %c, [%rd4+256];
	ld.global.{ty} %d, [%rd4+384];
{body}
	add.s64 %rd5, %rd1, %rd3;
	st.global.{ty} [%rd5], %q;
	ret;
}}
"
    )
}

/// The text after the pass.
fn rewritten(text: &str, options: SaturationOptions) -> String {
    let options = Options {
        saturation: options,
        ..Options::of_passes(&[&Saturate])
    };
    let new = ptxasw::optimize(text.as_bytes(), &options).expect("the text is PTX");
    String::from_utf8(new.text).expect("it is text")
}

/// The text after the pass, which gives the same bits.
fn saturated(text: &str) -> String {
    let new = rewritten(text, SaturationOptions::default());
    same(text, &new);
    new
}

/// Both texts give the same bits: of a warp, of a part of one, of blocks that are no multiple of one, and of two rows.
fn same(text: &str, new: &str) {
    let launch = |block: &str| format!("// launch: k grid=1 block={block} args=u32[64],u32[192]\n");
    let header: String = ["32", "7", "48", "16,2"].map(launch).concat();
    let how = verify::Options {
        launches: of_header(&(header + text)),
        jobs: 1,
        ..verify::Options::default()
    };
    let (before, after) = (
        Module::read(text.as_bytes()).expect("the original"),
        Module::read(new.as_bytes()).expect("the rewritten module"),
    );
    let reports = verify::verify(&before, &after, &how).expect("both have the kernel");
    assert!(!reports.is_empty());
    for report in &reports {
        assert!(
            matches!(report.verdict, Verdict::Equal),
            "{report:?}\n{new}"
        );
    }
}

/// How many statements of a kernel begin with a word.
fn count(text: &str, word: &str) -> usize {
    let lines = text.lines().map(str::trim_start);
    lines.filter(|line| line.starts_with(word)).count()
}
