//! Runs in more than twice the precision.

use super::*;

/// What [`kernel`] of a body leaves in one thread's buffer, as it is and in twice the precision.
fn both(body: &str) -> [Vec<u32>; 2] {
    let text = kernel(body);
    let tree = ptx::parse(text.as_bytes()).expect("the text parses");
    let module = ptx::decode::decode(&tree).expect("the text decodes");
    let function = &module.functions[0];
    let launch = words(1, 1, 4);
    let plain = run(&module, function, &launch, Schedule::Lockstep).expect("it runs");
    let precise = run_precise(&module, function, &launch, Options::default()).expect("it runs");
    [plain, precise].map(|outcome| contents(&outcome))
}

fn floats(body: &str) -> [f32; 2] {
    both(body).map(|words| f32::from_bits(words[0]))
}

fn doubles(body: &str) -> [f64; 2] {
    both(body).map(|words| f64::from_bits(u64::from(words[0]) | u64::from(words[1]) << 32))
}

/// (2^24 + 1) - 2^24, where binary32 loses the one; the sum is in the register that it reads.
const LOST: &str = "mov.f32 %f1, 0f4B800000;\nadd.rn.f32 %f1, %f1, 0f3F800000;\n";
const TAKEN: &str = "sub.rn.f32 %f2, %f1, 0f4B800000;\nst.global.f32 [%rd1], %f2;\nret;";

#[test]
fn what_rounding_loses_is_kept() {
    assert_eq!(floats(&format!("{LOST}{TAKEN}")), [0.0, 1.0]);
    let double = "mov.f64 %fd1, 0d4340000000000000;\nadd.rn.f64 %fd1, %fd1, 0d3FF0000000000000;\n\
                  sub.rn.f64 %fd2, %fd1, 0d4340000000000000;\nst.global.f64 [%rd1], %fd2;\nret;";
    assert_eq!(doubles(double), [0.0, 1.0]);
}

#[test]
fn numbers_are_handed_on() {
    let ways = [
        "mov.f32 %f3, %f1;\nmov.f32 %f1, %f3;\n",
        "mov.b32 %r5, %f1;\nmov.b32 %f1, %r5;\n",
        "st.global.f32 [%rd1+8], %f1;\nld.global.b32 %r5, [%rd1+8];\nmov.b32 %f1, %r5;\n",
        "st.global.v2.f32 [%rd1], {%f1, %f1};\nld.global.v2.f32 {%f3, %f1}, [%rd1];\n",
        "shfl.sync.idx.b32 %f1, %f1, 0, 31, 1;\n",
        "setp.eq.u32 %p1, %r1, 0;\nselp.f32 %f1, %f1, 0f00000000, %p1;\n",
        "cvt.f64.f32 %fd1, %f1;\ncvt.rn.f32.f64 %f1, %fd1;\n",
        "max.f32 %f1, %f1, 0f00000000;\n",
        "neg.f32 %f1, %f1;\nabs.f32 %f1, %f1;\n",
        "fma.rn.f32 %f1, %f1, 0f40000000, 0f00000000;\nmul.rn.f32 %f1, %f1, 0f3F000000;\n",
    ];
    for way in ways {
        assert_eq!(floats(&format!("{LOST}{way}{TAKEN}")), [0.0, 1.0], "{way}");
    }
}

/// What integers, atomics and other accesses make has the number of its bits.
#[test]
fn other_words_begin_anew() {
    let ways = [
        "mov.b32 %r5, %f1;\nxor.b32 %r5, %r5, 2;\nxor.b32 %r5, %r5, 2;\nmov.b32 %f1, %r5;\n",
        "st.global.f32 [%rd1+8], %f1;\nred.global.add.f32 [%rd1+8], 0f00000000;\nld.global.f32 %f1, [%rd1+8];\n",
        "add.sat.f32 %f1, %f1, 0f00000000;\nmov.f32 %f1, 0f4B800000;\n",
    ];
    for way in ways {
        assert_eq!(floats(&format!("{LOST}{way}{TAKEN}")), [0.0, 0.0], "{way}");
    }
    // A byte is written over.
    let bytes = format!(
        "{LOST}{}",
        TAKEN.replace("ret;", "st.global.u8 [%rd1], 7;\nret;")
    );
    assert_eq!(both(&bytes).map(|words| words[0]), [7, 7]);
}

#[test]
fn roots_and_quotients() {
    // (1/3) * 3 - 1, sqrt(2)^2 - 2, rounded once.
    let third = "div.rn.f64 %fd1, 0d3FF0000000000000, 0d4008000000000000;\n\
                 fma.rn.f64 %fd1, %fd1, 0d4008000000000000, 0dBFF0000000000000;\n\
                 st.global.f64 [%rd1], %fd1;\nret;";
    let [plain, precise] = doubles(third);
    assert!(
        plain.abs() > 1e-17 && precise.abs() < 1e-33,
        "{plain:e} {precise:e}"
    );
    let root = "sqrt.rn.f64 %fd1, 0d4000000000000000;\n\
                fma.rn.f64 %fd1, %fd1, %fd1, 0dC000000000000000;\nst.global.f64 [%rd1], %fd1;\nret;";
    let [plain, precise] = doubles(root);
    assert!(
        plain.abs() > 1e-17 && precise.abs() < 1e-32,
        "{plain:e} {precise:e}"
    );
    let sine = "sin.approx.f32 %f1, 0f3F800000;\nst.global.f32 [%rd1], %f1;\nret;";
    assert_eq!(floats(sine)[1], 1f64.sin() as f32);
}
