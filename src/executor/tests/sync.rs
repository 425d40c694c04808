//! Shuffles, votes, barriers, and the undefined behaviour that they can have.

use super::*;

#[test]
fn shuffles_in_all_modes() {
    let shuffle = |form: &str| {
        let body = format!(
            "mul.lo.u32 %r5, %r4, 10; shfl.sync.{form}, 0xffffffff;
             selp.u32 %r7, 1000, 0, %p1; add.u32 %r7, %r7, %r6; st.global.u32 [%rd2], %r7;"
        );
        result(&body, 1, 32)
    };
    let expect = |f: &dyn Fn(u32) -> Option<u32>| -> Vec<u32> {
        (0..32)
            .map(|lane| f(lane).map_or(10 * lane, |s| 10 * s + 1000))
            .collect()
    };
    assert_eq!(
        shuffle("down.b32 %r6|%p1, %r5, 2, 31"),
        expect(&|l| (l + 2 < 32).then_some(l + 2))
    );
    assert_eq!(
        shuffle("down.b32 %r6|%p1, %r5, 2, 9"),
        expect(&|l| (l + 2 < 10).then_some(l + 2))
    );
    assert_eq!(
        shuffle("up.b32 %r6|%p1, %r5, 3, 0"),
        expect(&|l| l.checked_sub(3))
    );
    assert_eq!(
        shuffle("bfly.b32 %r6|%p1, %r5, 5, 31"),
        expect(&|l| Some(l ^ 5))
    );
    assert_eq!(
        shuffle("idx.b32 %r6|%p1, %r5, 3, 0x181f"),
        expect(&|l| Some((l & 0x18) | 3))
    );
}

#[test]
fn a_clamp_of_its_own_in_each_lane() {
    // Lanes 0 to 7 must not look beyond lane 7, the others may.
    let body = "setp.lt.u32 %p2, %r4, 8; selp.u32 %r8, 7, 31, %p2;
        shfl.sync.down.b32 %r6|%p1, %r4, 1, %r8, -1; @!%p1 mov.u32 %r6, 99; st.global.u32 [%rd2], %r6;";
    let expected: Vec<u32> = (0..32)
        .map(|l| if l == 7 || l == 31 { 99 } else { l + 1 })
        .collect();
    assert_eq!(result(body, 1, 32), expected);
}

#[test]
fn votes_matches_and_reductions() {
    let body = "setp.gt.u32 %p1, %r4, 29; vote.sync.ballot.b32 %r5, %p1, -1; vote.sync.any.pred %p2, %p1, -1;
        and.b32 %r6, %r4, 1; match.any.sync.b32 %r7, %r6, -1; redux.sync.add.s32 %r8, %r4, -1;
        elect.sync %r9|%p3, -1; vote.sync.ballot.b32 %r10, %p3, -1; popc.b32 %r10, %r10;
        xor.b32 %r5, %r5, %r7; add.u32 %r5, %r5, %r8; add.u32 %r5, %r5, %r10; @%p2 add.u32 %r5, %r5, 1;
        st.global.u32 [%rd2], %r5;";
    let expected: Vec<u32> = (0..32)
        .map(|l| {
            (0xc000_0000
                ^ if l % 2 == 0 {
                    0x5555_5555
                } else {
                    0xaaaa_aaaa_u32
                })
                + 496
                + 1
                + 1
        })
        .collect();
    assert_eq!(result(body, 1, 32), expected);
}

#[test]
fn lanes_wait_for_their_mask() {
    // Both sides of a branch use the same shuffle afterwards: whoever comes first waits.
    let body = "setp.lt.u32 %p1, %r4, 5; mov.u32 %r5, %r4; @%p1 bra A; add.u32 %r5, %r5, 1; add.u32 %r5, %r5, 1;
        A: shfl.sync.idx.b32 %r6, %r5, 20, 31, -1; st.global.u32 [%rd2], %r6;";
    assert_eq!(result(body, 1, 32), [22; 32]);
}

#[test]
fn legacy_shuffles() {
    let text = kernel(
        "shfl.down.b32 %r6|%p1, %r4, 1, 31; vote.ballot.b32 %r5, %p1; st.global.u32 [%rd2], %r5;",
    )
    .replace("sm_80", "sm_35");
    let outcome = execute(&text, &words(1, 32, 32), Schedule::Lockstep).unwrap();
    assert_eq!(contents(&outcome), [0x7fff_ffff; 32]);
}

#[test]
fn a_partial_warp_has_fewer_lanes() {
    let body = "activemask.b32 %r5; st.global.u32 [%rd2], %r5;";
    let text = kernel(body);
    let outcome = execute(&text, &words(1, 48, 48), Schedule::Lockstep).unwrap();
    assert_eq!(contents(&outcome)[31..33], [u32::MAX, 0xffff]);
    let (fault, text, thread) = fault("shfl.sync.down.b32 %r6, %r4, 1, 31, -1;", 48);
    assert_eq!(
        fault,
        Fault::MaskOfAbsentLanes {
            mask: u32::MAX,
            absent: 0xffff_0000
        }
    );
    assert_eq!(text, "shfl.sync.down.b32 %r6, %r4, 1, 31, -1;");
    assert_eq!(thread.unwrap().warp, 1);
}

#[test]
fn masks_name_the_executing_lane() {
    let (fault, ..) = fault("bar.warp.sync 0xf;", 32);
    assert_eq!(fault, Fault::MaskWithoutSelf { mask: 0xf });
}

#[test]
fn masks_agree() {
    let (fault, ..) = fault(
        "setp.lt.u32 %p1, %r4, 16; selp.b32 %r5, -1, -2, %p1; or.b32 %r5, %r5, %r4; or.b32 %r5, %r5, 0xfffffffe;
         setp.eq.u32 %p2, %r4, 4; @%p2 mov.u32 %r5, -1; @!%p2 mov.u32 %r5, -2; setp.eq.u32 %p3, %r4, 0; @%p3 ret;
         shfl.sync.down.b32 %r6, %r4, 1, 31, %r5;",
        32,
    );
    assert!(matches!(fault, Fault::DisagreeingMasks { .. }), "{fault:?}");
}

#[test]
fn missing_lanes_are_a_deadlock() {
    let body = "setp.lt.u32 %p1, %r4, 16; @%p1 bra A; bar.sync 0; bra END;
        A: shfl.sync.down.b32 %r6, %r4, 1, 31, -1; END: ret;";
    let text = kernel(body);
    for schedule in [Schedule::Lockstep, Schedule::Independent { seed: 1 }] {
        let error = execute(&text, &words(1, 32, 32), schedule).unwrap_err();
        let expected = Fault::Deadlock {
            mask: u32::MAX,
            missing: 0xffff_0000,
        };
        assert_eq!(error.fault, expected);
        assert!(blamed(&text, &error).contains("shfl.sync"));
    }
}

#[test]
fn exited_lanes_are_not_waited_for() {
    let text = kernel(
        "setp.ge.u32 %p1, %r4, 16; @%p1 exit; shfl.sync.up.b32 %r6, %r4, 1, 0, -1; st.global.u32 [%rd2], %r6;",
    );
    for schedule in [Schedule::Lockstep, Schedule::Independent { seed: 3 }] {
        let outcome = execute(&text, &words(1, 32, 32), schedule).unwrap();
        assert_eq!(contents(&outcome)[..4], [0, 0, 1, 2]);
        assert_eq!(
            outcome.warnings[0].kind,
            WarningKind::ExitedLanes {
                mask: u32::MAX,
                exited: 0xffff_0000
            }
        );
    }
    // A value from an exited lane is undefined.
    let (fault, ..) = fault(
        "setp.ge.u32 %p1, %r4, 16; @%p1 exit; shfl.sync.down.b32 %r6, %r4, 1, 31, -1; st.global.u32 [%rd2], %r6;",
        32,
    );
    assert_eq!(fault, Fault::Undefined(Use::Store));
}

#[test]
fn barriers_with_counts_and_reductions() {
    let body = "setp.gt.u32 %p1, %r4, 59; bar.red.popc.u32 %r5, 0, %p1; bar.red.or.pred %p2, 1, %p1;
        selp.u32 %r6, 100, 0, %p2; add.u32 %r5, %r5, %r6; bar.sync 2, 64; st.global.u32 [%rd2], %r5;";
    assert_eq!(result(body, 1, 64), [104; 64]);
}

#[test]
fn an_aligned_barrier_in_divergent_code() {
    let (fault, ..) = fault(
        "setp.lt.u32 %p1, %r4, 3; @%p1 bra A; bar.sync 0; bra B; A: bar.sync 0; B: ret;",
        32,
    );
    assert_eq!(fault, Fault::DivergentBarrier);
}

#[test]
fn a_barrier_that_some_never_reach() {
    let body = "setp.lt.u32 %p1, %r4, 32; @%p1 bra A; bar.sync 1; A: bar.sync 0;";
    let (fault, text, _) = fault(body, 64);
    assert_eq!(
        (fault, text.as_str()),
        (Fault::BarrierDeadlock(0), "bar.sync 0;")
    );
}

#[test]
fn warp_barriers_at_different_places_meet() {
    let body =
        "setp.lt.u32 %p1, %r4, 3; @%p1 bra A; bar.warp.sync -1; bra B; A: bar.warp.sync -1; B:
        st.global.u32 [%rd2], 1;";
    assert_eq!(result(body, 1, 32), [1; 32]);
}

#[test]
fn unknown_instructions_are_not_guessed() {
    let (fault, text, _) = fault("frobnicate.b32 %r5, %r4;", 1);
    assert!(matches!(fault, Fault::NotSupported(_)));
    assert_eq!(text, "frobnicate.b32 %r5, %r4;");
}

#[test]
fn warps_arrive_as_a_whole() {
    // The second warp takes what the first has made, in each of three rounds; the partial third warp is idle.
    let body = ".shared .align 4 .b8 tile[128]; mov.u32 %r5, tile; and.b32 %r6, %r4, 31; shl.b32 %r6, %r6, 2;
        add.u32 %r6, %r6, %r5; mov.u32 %r7, 0; mov.u32 %r9, 0; setp.ge.u32 %p1, %r4, 64; @%p1 bra END;
        setp.ge.u32 %p2, %r4, 32;
        ROUND: @%p2 bra TAKE; mad.lo.u32 %r8, %r7, 100, %r4; st.shared.u32 [%r6], %r8; bar.arrive 1, 64;
        bar.sync 2, 64; bra NEXT;
        TAKE: bar.sync 1, 64; ld.shared.u32 %r8, [%r6]; add.u32 %r9, %r9, %r8; bar.arrive 2, 64;
        NEXT: add.u32 %r7, %r7, 1; setp.lt.u32 %p3, %r7, 3; @%p3 bra ROUND; END: st.global.u32 [%rd2], %r9;";
    let mut expected = vec![0; 80];
    for lane in 0..32 {
        expected[32 + lane] = 300 + 3 * lane as u32;
    }
    assert_eq!(result(body, 1, 80), expected);
}

#[test]
fn reductions_of_floats() {
    // Lanes hold -16 to 15, lane 5 a NaN.
    let reduced = |how: &str| {
        let body = format!(
            "sub.u32 %r5, %r4, 16; cvt.rn.f32.s32 %f1, %r5; setp.eq.u32 %p1, %r4, 5; @%p1 mov.b32 %f1, 0x7fc12345;
             redux.sync.{how}.f32 %f2, %f1, -1; mov.b32 %r6, %f2; st.global.u32 [%rd2], %r6;"
        );
        result(&body, 1, 32)
    };
    assert_eq!(reduced("min"), [(-16f32).to_bits(); 32]);
    assert_eq!(reduced("max"), [15f32.to_bits(); 32]);
    assert_eq!(reduced("min.abs"), [0; 32]);
    assert_eq!(reduced("max.abs"), [16f32.to_bits(); 32]);
    assert_eq!(reduced("min.NaN"), [0x7fff_ffff; 32]);
    assert_eq!(reduced("max.abs.NaN"), [0x7fff_ffff; 32]);
}

#[test]
fn a_cluster_of_one_block() {
    let body = "mov.u32 %r5, %clusterid.x; mov.u32 %r6, %nclusterid.x; mad.lo.u32 %r5, %r6, 10, %r5;
        mov.u32 %r6, %cluster_ctarank; mov.u32 %r7, %cluster_nctarank; mad.lo.u32 %r5, %r5, 10, %r6;
        mad.lo.u32 %r5, %r5, 10, %r7; mov.u32 %r6, %cluster_ctaid.y; add.u32 %r5, %r5, %r6; st.global.u32 [%rd2], %r5;";
    assert_eq!(result(body, 2, 1), [2001, 2101]);
}

#[test]
fn barriers_of_a_cluster() {
    // Each thread reads what another warp stored before it arrived, twice; some leave early.
    let body = ".shared .align 4 .b8 s[512]; mov.u32 %r5, s; mad.lo.u32 %r6, %r4, 4, %r5; st.shared.u32 [%r6], %r4;
        setp.gt.u32 %p1, %r4, 63; @%p1 exit;
        barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned; xor.b32 %r7, %r4, 33;
        mad.lo.u32 %r8, %r7, 4, %r5; ld.shared.u32 %r9, [%r8]; barrier.cluster.arrive; barrier.cluster.wait;
        st.shared.u32 [%r6], 7; barrier.cluster.arrive.relaxed; barrier.cluster.wait; ld.shared.u32 %r10, [%r8];
        add.u32 %r9, %r9, %r10; st.global.u32 [%rd2], %r9;";
    let expected: Vec<u32> = (0..70)
        .map(|t| if t < 64 { (t ^ 33) + 7 } else { 0 })
        .collect();
    assert_eq!(result(body, 1, 70), expected);
}

#[test]
fn breakpoints_do_nothing() {
    assert_eq!(result("brkpt; st.global.u32 [%rd2], 1;", 1, 2), [1, 1]);
}

#[test]
fn lanes_of_a_warp_at_different_barriers() {
    // Even lanes of both warps meet at barrier 1, odd ones at barrier 2; nobody leaves early, since the last lanes of a
    // warp count as a whole one.
    let body = ".shared .align 4 .b8 s[256]; mov.u32 %r5, s; mad.lo.u32 %r6, %r4, 4, %r5; st.shared.u32 [%r6], %r4;
        and.b32 %r7, %r4, 1; add.u32 %r7, %r7, 1; barrier.sync %r7, 32; xor.b32 %r8, %r4, 34; mad.lo.u32 %r8, %r8, 4, %r5;
        ld.shared.u32 %r9, [%r8]; st.global.u32 [%rd2], %r9; bar.sync 0;";
    let expected: Vec<u32> = (0..64).map(|t| t ^ 34).collect();
    assert_eq!(result(body, 1, 64), expected);
}
