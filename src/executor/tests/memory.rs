//! Memory: spaces, vectors, atomics, and the checks.

use super::*;
use ptxasw_ir::types::Space;

#[test]
fn shared_memory_and_barriers() {
    let body = ".shared .align 4 .b8 tile[512];
        mov.u32 %r5, tile; shl.b32 %r6, %r4, 2; add.u32 %r7, %r5, %r6; st.shared.u32 [%r7], %r4;
        bar.sync 0; mov.u32 %r8, 127; sub.u32 %r8, %r8, %r4; shl.b32 %r8, %r8, 2; add.u32 %r8, %r8, %r5;
        ld.shared.u32 %r9, [%r8]; st.global.u32 [%rd2], %r9;";
    let expected: Vec<u32> = (0..256).map(|t| 127 - t % 128).collect();
    assert_eq!(result(body, 2, 128), expected);
}

#[test]
fn dynamic_shared_memory() {
    let text = kernel(
        "mov.u32 %r5, smem; shl.b32 %r6, %r4, 2; add.u32 %r7, %r5, %r6; st.shared.u32 [%r7], %r4;
         ld.shared.u32 %r8, [%r7]; st.global.u32 [%rd2], %r8;",
    )
    .replace(
        ".visible",
        ".extern .shared .align 16 .b8 smem[];\n.visible",
    );
    let mut launch = words(1, 8, 8);
    launch.dynamic_shared = 32;
    let outcome = execute(&text, &launch, Schedule::Lockstep).unwrap();
    assert_eq!(contents(&outcome), [0, 1, 2, 3, 4, 5, 6, 7]);
    launch.dynamic_shared = 28;
    let error = execute(&text, &launch, Schedule::Lockstep).unwrap_err();
    assert!(matches!(
        error.fault,
        Fault::OutOfBounds {
            space: Space::Shared,
            write: true,
            ..
        }
    ));
    assert_eq!(error.thread.unwrap().lane, 7);
}

#[test]
fn generic_addresses() {
    let body = ".shared .align 4 .b8 tile[4]; .local .align 4 .b8 depot[4];
        mov.u32 %r5, tile; cvt.u64.u32 %rd4, %r5; cvta.shared.u64 %rd5, %rd4; st.u32 [%rd5], 7;
        mov.u64 %rd6, depot; cvta.local.u64 %rd7, %rd6; st.u32 [%rd7], %r4; ld.local.u32 %r6, [%rd6];
        ld.shared.u32 %r7, [tile]; mad.lo.u32 %r8, %r6, 10, %r7; cvta.to.global.u64 %rd8, %rd2;
        st.u32 [%rd8], %r8;";
    assert_eq!(result(body, 1, 3), [7, 17, 27]);
}

#[test]
fn constant_memory_by_generic_addresses() {
    let text = kernel(
        "mov.u64 %rd4, table; cvta.const.u64 %rd5, %rd4; ld.u32 %r5, [%rd5+4]; ld.const.u32 %r6, [%rd4];
         cvta.to.const.u64 %rd6, %rd5; ld.const.u32 %r7, [%rd6+8]; ld.global.u64 %rd7, [kept]; ld.u32 %r8, [%rd7];
         mad.lo.u32 %r6, %r6, 10, %r5; mad.lo.u32 %r6, %r6, 10, %r7; mad.lo.u32 %r6, %r6, 10, %r8;
         st.global.u32 [%rd2], %r6;",
    )
    .replace(
        ".visible",
        ".const .align 4 .u32 table[3] = {3, 5, 7};\n.global .align 8 .u64 kept = generic(table);\n.visible",
    );
    let outcome = execute(&text, &words(1, 1, 1), Schedule::Lockstep).unwrap();
    assert_eq!(contents(&outcome), [3573]);
}

#[test]
fn offsets_in_windows_are_no_generic_addresses() {
    for (space, address) in [
        (Space::Shared, "mov.u64 %rd4, tile;"),
        (Space::Shared, "mov.u32 %r5, tile; cvt.u64.u32 %rd4, %r5;"),
        (Space::Local, "mov.u64 %rd4, depot;"),
        (Space::Const, "mov.u64 %rd4, table;"),
        (
            Space::Shared,
            "mov.u64 %rd4, tile; cvta.shared.u64 %rd5, %rd4; cvta.to.shared.u64 %rd4, %rd5;",
        ),
    ] {
        for (access, writes) in [
            ("ld.u32 %r6, [%rd4];", false),
            ("st.u32 [%rd4], %r4;", true),
            ("atom.add.u32 %r6, [%rd4], 1;", true),
        ] {
            let declared = ".shared .align 4 .b8 tile[4]; .local .align 4 .b8 depot[4];";
            let text = kernel(&format!("{declared} {address} {access}"));
            let text = text.replace(".visible", ".const .align 4 .u32 table[1] = {3};\n.visible");
            let error = execute(&text, &words(1, 1, 1), Schedule::Lockstep).unwrap_err();
            let Fault::Unconverted {
                space: found,
                bytes: 4,
                write,
                ..
            } = error.fault
            else {
                panic!("{address} {access}: {:?}", error.fault);
            };
            assert_eq!((found, write), (space, writes), "{address} {access}");
        }
    }
}

#[test]
fn vectors_and_module_variables() {
    let text = kernel(
        "ld.const.u32 %r5, [zero]; mov.u32 %r6, 2; st.global.v2.u32 [cell], {%r4, %r6};
         ld.global.v2.u32 {%r7, %r8}, [cell]; add.u32 %r9, %r7, %r8; add.u32 %r9, %r9, %r5;
         st.global.u32 [%rd2], %r9;",
    )
    .replace(
        ".visible",
        ".const .align 4 .u32 zero;\n.global .align 8 .b8 cell[8];\n.visible",
    );
    let outcome = execute(&text, &words(1, 1, 1), Schedule::Lockstep).unwrap();
    assert_eq!(contents(&outcome), [2]);
}

/// `_` leaves an element as it is: it may lie outside of the buffer, but the whole access is aligned.
#[test]
fn stores_that_skip_elements() {
    let once = "setp.ne.s32 %p1, %r4, 0; @%p1 bra END; mov.u32 %r5, 5; mov.u32 %r6, 7;
        st.global.v4.b32 [%rd1], {%r5, %r5, %r5, %r5}; cvt.u64.u32 %rd4, %r6;";
    let words = |store: &str, block| result(&format!("{once} {store} END: ret;"), 1, block);
    let narrow = "st.global.v8.b32 [%rd1], {_, %r6, _, _, _, _, %r5, _};";
    assert_eq!(words(narrow, 8), [5, 7, 5, 5, 0, 0, 5, 0]);
    let wide = "st.v4.b64 [%rd1], {%rd4, _, %rd4, _};";
    assert_eq!(words(wide, 8), [7, 0, 5, 5, 7, 0, 0, 0]);
    assert_eq!(words(wide, 6), [7, 0, 5, 5, 7, 0]);
    let (beyond, ..) = fault("st.global.v4.b64 [%rd1], {%rd3, _, _, %rd3};", 6);
    let there = matches!(
        beyond,
        Fault::OutOfBounds {
            bytes: 8,
            write: true,
            ..
        }
    );
    assert!(there, "{beyond:?}");
    let (misaligned, ..) = fault("st.global.v4.b64 [%rd1+16], {%rd3, _, _, _};", 8);
    assert!(
        matches!(misaligned, Fault::Misaligned { bytes: 32, .. }),
        "{misaligned:?}"
    );
}

#[test]
fn atomics() {
    let body = "atom.global.add.u32 %r5, [%rd1], 3; red.global.max.u32 [%rd1], 1; bar.sync 0;
        setp.ne.s32 %p1, %r4, 0; @%p1 bra END; st.global.u32 [%rd1+4], %r4; END: ret;";
    let all = result(body, 1, 70);
    assert_eq!(all[0], 210);
}

#[test]
fn out_of_bounds() {
    let (fault, text, thread) = fault(
        "ld.global.u32 %r5, [%rd2+4]; st.global.u32 [%rd2], %r5;",
        40,
    );
    let Fault::OutOfBounds {
        bytes: 4,
        write: false,
        nearest,
        ..
    } = fault
    else {
        panic!("{fault:?}");
    };
    assert_eq!(nearest, Some(("buffer 0".to_owned(), 160)));
    assert_eq!(text, "ld.global.u32 %r5, [%rd2+4];");
    let thread = thread.unwrap();
    assert_eq!(
        (thread.warp, thread.lane, thread.thread),
        (1, 7, [39, 0, 0])
    );
}

#[test]
fn before_a_buffer_is_out_of_bounds() {
    let (fault, ..) = fault("st.global.u32 [%rd2+-4], %r1;", 1);
    assert!(
        matches!(fault, Fault::OutOfBounds { write: true, .. }),
        "{fault:?}"
    );
}

#[test]
fn misaligned() {
    let (fault, ..) = fault(
        "ld.global.u32 %r5, [%rd1+2]; ld.global.v2.u32 {%r5, %r6}, [%rd1+4];",
        4,
    );
    assert!(
        matches!(fault, Fault::Misaligned { bytes: 4, .. }),
        "{fault:?}"
    );
}

#[test]
fn vectors_are_aligned_as_a_whole() {
    let (fault, ..) = fault("ld.global.v2.u32 {%r5, %r6}, [%rd1+4];", 4);
    assert!(
        matches!(fault, Fault::Misaligned { bytes: 8, .. }),
        "{fault:?}"
    );
}

#[test]
fn the_space_of_an_address_of_constant_memory() {
    let text = kernel(
        "mov.u64 %rd4, c; cvta.const.u64 %rd5, %rd4; isspacep.const %p1, %rd5; isspacep.global %p2, %rd5; \
         isspacep.const %p3, %rd1; selp.u32 %r5, 1, 0, %p1; selp.u32 %r6, 10, 0, %p2; selp.u32 %r7, 100, 0, %p3; \
         add.u32 %r5, %r5, %r6; add.u32 %r5, %r5, %r7; st.global.u32 [%rd2], %r5;",
    );
    let text = text.replace(".visible", ".const .align 4 .u32 c;\n.visible");
    let outcome = execute(&text, &words(1, 1, 1), Schedule::Lockstep).unwrap();
    assert_eq!(contents(&outcome), [1]);
}

#[test]
fn constants_are_read_only() {
    let text = kernel("mov.u64 %rd4, c; cvta.const.u64 %rd4, %rd4; st.global.u32 [%rd4], 1;")
        .replace(".visible", ".const .align 4 .u32 c;\n.visible");
    let error = execute(&text, &words(1, 1, 1), Schedule::Lockstep).unwrap_err();
    assert!(matches!(error.fault, Fault::ReadOnly { .. }));
}

#[test]
fn what_is_written_is_not_read_as_constant() {
    let (fault, ..) = fault(
        "st.global.u8 [%rd1+5], 1; ld.global.nc.u32 %r5, [%rd1+4];",
        4,
    );
    assert!(matches!(fault, Fault::NotConstant { .. }), "{fault:?}");
    // The bytes beside it are not meant.
    let text = kernel("st.global.u8 [%rd1+5], 1; ld.global.nc.u8 %r5, [%rd1+4];");
    assert!(execute(&text, &words(1, 1, 4), Schedule::Lockstep).is_ok());
}

#[test]
fn undefined_values_are_reported_where_they_matter() {
    let stored = fault(
        ".shared .align 4 .b8 s[4]; ld.shared.u32 %r5, [s]; add.u32 %r6, %r5, 1; st.global.u32 [%rd2], %r6;",
        2,
    );
    assert_eq!(stored.0, Fault::Undefined(Use::Store));
    assert_eq!(stored.1, "st.global.u32 [%rd2], %r6;");
    let in_place = fault(
        "add.u32 %r6, %r5, 1; add.u32 %r6, %r6, 1; mul.lo.u32 %r6, %r6, 3; st.global.u32 [%rd2], %r6;",
        2,
    );
    assert_eq!(in_place.0, Fault::Undefined(Use::Store));
    let address = fault("add.s64 %rd5, %rd6, %rd1; ld.global.u32 %r5, [%rd5];", 2);
    assert_eq!(address.0, Fault::Undefined(Use::Address));
    let guard = fault("setp.eq.u32 %p1, %r9, 0; @%p1 bra END; END: ret;", 2);
    assert_eq!(guard.0, Fault::Undefined(Use::Decision));
    let mask = fault("bar.warp.sync %r9;", 2);
    assert_eq!(mask.0, Fault::Undefined(Use::Mask));
}

#[test]
fn undefined_values_that_nobody_uses_are_fine() {
    let body =
        ".shared .align 4 .b8 s[8]; st.shared.u32 [s+4], 5; ld.shared.v2.u32 {%r5, %r6}, [s];
        setp.eq.u32 %p1, %r4, 99; selp.b32 %r7, %r5, %r6, %p1; and.b32 %r8, %r5, 0;
        add.u32 %r7, %r7, %r8; st.global.u32 [%rd2], %r7;";
    assert_eq!(result(body, 1, 2), [5, 5]);
}

#[test]
fn uninitialised_buffers() {
    let text = kernel("ld.global.u32 %r5, [%rd2]; st.global.u32 [%rd2], %r5;");
    let launch = parse_line("block=4 args=i32[4]:uninit").unwrap();
    let launch = launch.instantiate().unwrap();
    let error = execute(&text, &launch, Schedule::Lockstep).unwrap_err();
    assert_eq!(error.fault, Fault::Undefined(Use::Store));
    let text = kernel("setp.lt.u32 %p1, %r4, 2; @%p1 st.global.u32 [%rd2], 9;");
    let outcome = execute(&text, &launch, Schedule::Lockstep).unwrap();
    assert_eq!(contents(&outcome)[..2], [9, 9]);
    assert_eq!(
        outcome.buffers[0].undefined,
        [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1]
    );
}

#[test]
fn counts() {
    let text = kernel("ld.global.f32 %f1, [%rd2]; st.global.f32 [%rd2], %f1;");
    let outcome = execute(&text, &words(2, 48, 96), Schedule::Lockstep).unwrap();
    let counters = outcome.counters;
    assert_eq!((counters.warps, counters.global_loads), (4, 4));
    assert_eq!(counters.global_load_lanes, 96);
    // Buffers start on a sector, and a warp reads 128 or 64 bytes.
    assert_eq!(counters.global_load_sectors, 12);
    // The end of the body counts as the `ret` that it stands for.
    assert_eq!(counters.per_warp(counters.instructions), 10.0);
    assert_eq!(outcome.buffers[0].writers[50].thread, 51);
}
