//! Values and special registers.

use super::*;

#[test]
fn special_registers() {
    let body = "mov.u32 %r5, %laneid; mov.u32 %r6, %warpid; mov.u32 %r7, %lanemask_lt;
        popc.b32 %r8, %r7; shl.b32 %r6, %r6, 8; add.u32 %r9, %r5, %r6; sub.u32 %r10, %r8, %r5;
        or.b32 %r9, %r9, %r10; st.global.u32 [%rd2], %r9;";
    let expected: Vec<u32> = (0..2)
        .flat_map(|_| (0..40).map(|t| t % 32 + ((t / 32) << 8)))
        .collect();
    assert_eq!(result(body, 2, 40), expected);
}

#[test]
fn three_dimensions() {
    let text = kernel(
        "mov.u32 %r5, %tid.y; mov.u32 %r6, %tid.z; mov.u32 %r7, %ntid.y;
         mad.lo.u32 %r8, %r6, %r7, %r5; mad.lo.u32 %r9, %r8, %r3, %r4;
         mul.wide.u32 %rd4, %r9, 4; add.s64 %rd5, %rd1, %rd4;
         mov.u32 %r10, %laneid; st.global.u32 [%rd5], %r10;",
    );
    let mut launch = words(1, 1, 30);
    launch.block = [5, 3, 2];
    let outcome = execute(&text, &launch, Schedule::Lockstep).unwrap();
    assert_eq!(contents(&outcome), (0..30).collect::<Vec<_>>());
}

#[test]
fn floats_and_conversions() {
    let body = "cvt.rn.f32.u32 %f1, %r1; fma.rn.f32 %f2, %f1, 0f40000000, 0f3F800000;
        cvt.rzi.s32.f32 %r5, %f2; cvt.f64.f32 %fd1, %f2; mul.rn.f64 %fd1, %fd1, 0d4024000000000000;
        cvt.rzi.u32.f64 %r6, %fd1; add.u32 %r7, %r5, %r6; st.global.u32 [%rd2], %r7;";
    assert_eq!(result(body, 1, 3), [11, 33, 55]);
}

#[test]
fn narrow_loads_extend() {
    let body = "mov.u32 %r5, 0xff80; st.global.u32 [%rd2], %r5; ld.global.s8 %r6, [%rd2];
        ld.global.u8 %r7, [%rd2+1]; ld.global.s16 %r8, [%rd2]; sub.s32 %r9, %r6, %r8;
        add.s32 %r9, %r9, %r7; cvt.s16.s8 %h1, %h1; st.global.u32 [%rd2], %r9;";
    // cvt of an undefined value that nobody uses is no error.
    assert_eq!(result(body, 1, 1), [255]);
}

#[test]
fn carries_and_vectors() {
    let body =
        "mov.u32 %r5, 0xffffffff; mov.u32 %r6, 1; add.cc.u32 %r7, %r5, %r6; addc.u32 %r8, %r7, 5;
        mov.b64 %rd4, {%r8, %r6}; mov.b64 {%r9, %r10}, %rd4; add.u32 %r9, %r9, %r10;
        st.global.u32 [%rd2], %r9;";
    assert_eq!(result(body, 1, 2), [7, 7]);
}
