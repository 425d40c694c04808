//! What straight-line scalar optimization does, and that results stay.

mod gpucc;
#[cfg(debug_assertions)]
mod mutated;
mod numbering;
mod refused;

use crate::launches::of_header;
use ptxasw::passes::scalar::Scalar;
use ptxasw::pipeline::Options;
use ptxasw::pipeline::ssa;
use ptxasw::verify::{self, Module, Verdict};

/// Where the addresses are that `body` loads from: `%a` has 8192 words.
const LOADS: &[&str] = &["u32[8192],3,5,17", "u32[8192],0,0,64", "u32[8192],100,63,1"];
/// Numbers alone: small ones, such as wrap in 32 bits, negative ones, and such as wrap in 64.
const NUMBERS: &[&str] = &[
    "0,3,5,17",
    "0,2147483645,4294967295,3",
    "64,4294967294,2147483647,2147483647",
    "7,18446744073709551615,9223372036854775807,18446744073709551610",
    "18446744073709551612,9223372036854775800,1,4294967297",
];

/// A kernel that writes what `body` leaves in `%q`. `%b` and `%i`, its lower half, grow from thread to thread; `%n` and `%s`, `%c`
/// and `%k` are such pairs that all threads have in common.
fn kernel(body: &str) -> String {
    format!(
        ".version 8.0
.target sm_80
.address_size 64

.visible .entry k(
	.param .u64 out,
	.param .u64 a,
	.param .u64 b,
	.param .u64 c,
	.param .u64 n
)
{{
	.reg .pred %p<8>;
	.reg .b16 %h<4>;
	.reg .b32 %r<60>;
	.reg .b32 %lane, %i, %s, %k, %word;
	.reg .f32 %f<8>;
	.reg .b64 %rd<80>;
	.reg .b64 %out, %a, %b, %c, %n, %q;

	ld.param.u64 %out, [out];
	ld.param.u64 %a, [a];
	ld.param.u64 %b, [b];
	ld.param.u64 %c, [c];
	ld.param.u64 %n, [n];
	mov.u32 %lane, %tid.x;
	mad.wide.u32 %b, %lane, 1, %b;
	cvt.u32.u64 %i, %b;
	cvt.u32.u64 %s, %n;
	cvt.u32.u64 %k, %c;
	mov.u32 %word, %nctaid.x;
	cvt.u64.u32 %q, %word;
{body}
	mad.wide.u32 %out, %lane, 8, %out;
	st.global.u64 [%out], %q;
	ret;
}}
"
    )
}

/// The lines that add a number to what a test looks at, each number with a weight of its own.
fn mixed(values: &[&str]) -> String {
    let lines = values.iter().zip(3..);
    let lines =
        lines.map(|(value, weight)| format!("	mad.lo.s64 %q, {value}, {}, %q;\n", 2 * weight + 1));
    lines.collect()
}

/// The lines that add loaded words.
fn loaded(pointers: &[&str]) -> String {
    let lines = pointers.iter().zip(3..);
    let lines = lines.map(|(pointer, weight)| {
        let weight = 2 * weight + 1;
        format!("	ld.global.u32 %word, [{pointer}];\n	mad.wide.u32 %q, %word, {weight}, %q;\n")
    });
    lines.collect()
}

/// Whether two texts leave the same memory.
fn compared(text: &str, new: &[u8], arguments: &[&str]) -> Verdict {
    let blocks = ["64", "13,4", "1"];
    let launch =
        |block, numbers| format!("// launch: k grid=1 block={block} args=u64[64],{numbers}\n");
    let header = blocks
        .iter()
        .flat_map(|block| arguments.iter().map(move |numbers| launch(block, numbers)));
    let header: String = header.collect();
    let how = verify::Options {
        launches: of_header(&(header + text)),
        jobs: 1,
        ..verify::Options::default()
    };
    assert_eq!(how.launches.len(), blocks.len() * arguments.len());
    let before = Module::read(text.as_bytes()).expect("the original");
    let after = Module::read(new).expect("the rewritten module");
    let mut reports = verify::verify(&before, &after, &how).expect("both have the kernel");
    assert_eq!(reports.len(), 1);
    reports.remove(0).verdict
}

/// The text after the pass, and whether a patch was refused.
fn rewritten(text: &str) -> (String, bool) {
    let options = Options::of_passes(&[&Scalar]);
    let passed = ssa::run(text.as_bytes(), &options).expect("the text is PTX");
    let refused = passed
        .reports
        .iter()
        .any(|report| report.refusal().is_some());
    let text = String::from_utf8(passed.text().to_vec());
    (text.expect("it is text"), refused)
}

/// The text after the pass, which gives the same.
fn optimized(body: &str, arguments: &[&str]) -> String {
    let text = kernel(body);
    let (new, refused) = rewritten(&text);
    assert!(!refused, "{text}");
    let verdict = compared(&text, new.as_bytes(), arguments);
    assert!(matches!(verdict, Verdict::Equal), "{verdict:?}\n{new}");
    new
}

/// How many statements of a text do arithmetic, but for moves and what the frame has.
fn arithmetic(text: &str) -> usize {
    let is_one = |line: &&str| {
        let words = [
            "add.", "sub.", "mul.", "mad.", "shl.", "shr.", "cvt.", "and.", "or.", "xor.", "setp.",
            "neg.", "min.",
        ];
        words.iter().any(|word| line.trim_start().starts_with(word))
    };
    let count = |text: &str| text.lines().filter(is_one).count();
    count(text) - count(&kernel(""))
}

/// Arithmetic before and after the pass.
fn counted(body: &str, arguments: &[&str]) -> [usize; 2] {
    let new = optimized(body, arguments);
    [arithmetic(&kernel(body)), arithmetic(&new)]
}

/// The pass leaves a kernel alone.
fn stays(body: &str) {
    let text = kernel(body);
    assert_eq!(rewritten(&text), (text, false));
}
