//! Divergence, reconvergence, and what the adversary finds.

use super::*;

#[test]
fn both_sides_of_a_branch() {
    let body = "and.b32 %r5, %r4, 1; setp.eq.u32 %p1, %r5, 0; @%p1 bra EVEN; mul.lo.u32 %r6, %r4, 100; bra JOIN;
        EVEN: add.u32 %r6, %r4, 7; JOIN: add.u32 %r6, %r6, 1; st.global.u32 [%rd2], %r6;";
    let expected: Vec<u32> = (0..40)
        .map(|t| if t % 2 == 0 { t + 8 } else { t * 100 + 1 })
        .collect();
    assert_eq!(result(body, 1, 40), expected);
}

#[test]
fn lanes_meet_at_the_post_dominator() {
    let text = kernel(
        "setp.lt.u32 %p1, %r4, 5; @%p1 bra A; mov.u32 %r5, 1; bra B; A: mov.u32 %r5, 2; B: activemask.b32 %r6;
         st.global.u32 [%rd2], %r6;",
    );
    let outcome = execute(&text, &words(1, 32, 32), Schedule::Lockstep).unwrap();
    assert_eq!(contents(&outcome), [u32::MAX; 32]);
    // The adversary does not promise that.
    let split = (0..20).any(|seed| {
        let outcome = execute(&text, &words(1, 32, 32), Schedule::Independent { seed }).unwrap();
        contents(&outcome) != [u32::MAX; 32]
    });
    assert!(split);
}

#[test]
fn loops_with_different_trip_counts() {
    let body = "mov.u32 %r5, 0; mov.u32 %r6, 0; LOOP: add.u32 %r6, %r6, %r5; add.u32 %r5, %r5, 1;
        setp.le.u32 %p1, %r5, %r4; @%p1 bra LOOP; activemask.b32 %r7; st.global.u32 [%rd2], %r6;";
    let expected: Vec<u32> = (0..40).map(|t| t * (t + 1) / 2).collect();
    assert_eq!(result(body, 1, 40), expected);
}

#[test]
fn indexed_branches() {
    let body = "rem.u32 %r5, %r4, 3; T: .branchtargets A, B, C; brx.idx %r5, T; A: mov.u32 %r6, 10; bra END;
        B: mov.u32 %r6, 20; bra END; C: mov.u32 %r6, 30; END: st.global.u32 [%rd2], %r6;";
    assert_eq!(result(body, 1, 4), [10, 20, 30, 10]);
}

#[test]
fn early_exits() {
    let body = "setp.gt.u32 %p1, %r4, 9; @%p1 exit; st.global.u32 [%rd2], 1; ret;";
    let expected: Vec<u32> = (0..40).map(|t| u32::from(t < 10)).collect();
    assert_eq!(result(body, 1, 40), expected);
}

/// A loop of `%laneid` + 1 iterations in which lanes hand a value down; `head` or `tail` sets the mask `%r20`.
fn shuffle_loop(before: &str, head: &str, tail: &str) -> String {
    kernel(&format!(
        "{before} mov.u32 %r5, 0; mov.u32 %r6, 0;
         LOOP: {head} mad.lo.u32 %r7, %r5, 100, %r4;
         shfl.sync.down.b32 %r8|%p2, %r7, 1, 31, %r20;
         shl.b32 %r9, 2, %r4; and.b32 %r9, %r9, %r20; setp.eq.u32 %p3, %r9, 0; @%p3 mov.u32 %r8, %r7;
         add.u32 %r6, %r6, %r8; add.u32 %r5, %r5, 1;
         setp.le.u32 %p1, %r5, %r4; {tail} @%p1 bra LOOP; st.global.u32 [%rd2], %r6;"
    ))
}

#[test]
fn the_adversary_finds_activemask_in_a_loop() {
    let text = shuffle_loop("", "activemask.b32 %r20;", "");
    let launch = words(1, 32, 32);
    let good = contents(&execute(&text, &launch, Schedule::Lockstep).unwrap());
    let wrong =
        (0..20).filter(
            |&seed| match execute(&text, &launch, Schedule::Independent { seed }) {
                Ok(outcome) => contents(&outcome) != good,
                Err(error) => error.undefined_behaviour(),
            },
        );
    assert!(wrong.count() > 10);
}

#[test]
fn a_mask_carried_by_ballots_is_right() {
    // Those that stay vote before the others leave.
    let ballot = "vote.sync.ballot.b32 %r20, %p1, %r20;";
    let text = shuffle_loop("mov.u32 %r20, -1;", "", ballot);
    let launch = words(1, 32, 32);
    let good = contents(&execute(&text, &launch, Schedule::Lockstep).unwrap());
    // Lane 1 takes 2 in iteration 0 and 102 in iteration 1.
    assert_eq!(good[0], 1);
    assert_eq!(good[1], 2 + 102);
    for seed in 0..20 {
        match execute(&text, &launch, Schedule::Independent { seed }) {
            Ok(outcome) => assert_eq!(contents(&outcome), good, "seed {seed}"),
            Err(error) => panic!("seed {seed}: {error} at {}", blamed(&text, &error)),
        }
    }
}

#[test]
fn a_spinning_warp_lets_others_run() {
    let body = "setp.ge.u32 %p1, %r4, 32; @%p1 bra GIVE; WAIT: ld.volatile.global.u32 %r5, [%rd1+128];
        setp.eq.u32 %p2, %r5, 0; @%p2 bra WAIT; bra END; GIVE: mov.u32 %r5, 1; st.volatile.global.u32 [%rd2], %r5;
        END: st.global.u32 [%rd2], 1;";
    assert_eq!(result(body, 1, 64), [1; 64]);
}

#[test]
fn endless_loops_end() {
    let (fault, text, _) = fault("LOOP: bra LOOP;", 32);
    assert_eq!(
        (fault, text.as_str()),
        (Fault::StepLimit(1 << 20), "bra LOOP;")
    );
}
