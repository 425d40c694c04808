//! Barriers of blocks and warps.

use super::*;
use RaceKind::{ReadWrite, WriteRead};

/// A store of one's own word of shared memory, something, and a load of the word `distance` further on.
fn exchange(between: &str, distance: u32) -> String {
    format!(
        ".shared .align 4 .b8 tile[4096]; mov.u32 %r5, tile; shl.b32 %r6, %r4, 2; add.u32 %r6, %r6, %r5;
         st.shared.u32 [%r6], %r4; {between}
         xor.b32 %r7, %r4, {distance}; shl.b32 %r7, %r7, 2; add.u32 %r7, %r7, %r5;
         ld.shared.u32 %r8, [%r7]; st.global.u32 [%rd2], %r8;"
    )
}

const STORE: &str = "st.shared.u32 [%r6], %r4;";
const LOAD: &str = "ld.shared.u32 %r8, [%r7];";

#[test]
fn syncthreads() {
    for between in [
        "bar.sync 0;",
        "barrier.sync 3;",
        "bar.sync 1, 128;",
        "bar.red.popc.u32 %r9, 0, %p0;",
        "barrier.cluster.arrive; barrier.cluster.wait;",
    ] {
        let between = format!("setp.eq.u32 %p0, %r4, 0; {between}");
        free(&exchange(&between, 77), 2, 128);
    }
}

#[test]
fn no_barrier() {
    let kind = |distance| races_of(&exchange("", distance), 1, 64)[0].0;
    assert_eq!(kind(1), WriteRead);
    // The second warp's words are read before they are stored: an undefined value, were it not for the race.
    let text = kernel(&exchange("", 1).replace("st.global.u32 [%rd2], %r8;", ""));
    let races = detect(&text, &words(1, 64, 1), Schedule::Lockstep).unwrap();
    assert_eq!(races.len(), 1);
}

#[test]
fn shuffles_and_votes_order_no_memory() {
    for between in [
        "shfl.sync.down.b32 %r9, %r4, 1, 31, -1;",
        "vote.sync.ballot.b32 %r9, 1, -1;",
        "match.any.sync.b32 %r9, %r4, -1;",
        "activemask.b32 %r9;",
    ] {
        one(&exchange(between, 1), 1, 32, (WriteRead, STORE, LOAD));
    }
}

#[test]
fn syncwarp() {
    free(&exchange("bar.warp.sync -1;", 1), 2, 128);
    // Another warp is no member.
    let text = kernel(&exchange("bar.warp.sync -1;", 32).replace("st.global.u32 [%rd2], %r8;", ""));
    let races = detect(&text, &words(1, 64, 1), Schedule::Lockstep).unwrap();
    let kinds: Vec<RaceKind> = races.iter().map(|race| race.kind).collect();
    assert_eq!(kinds, [ReadWrite, WriteRead]);
}

#[test]
fn half_a_warp_is_no_warp() {
    let halves =
        "setp.lt.u32 %p1, %r4, 16; selp.b32 %r10, 0xffff, 0xffff0000, %p1; bar.warp.sync %r10;";
    free(&exchange(halves, 15), 1, 32);
    one(&exchange(halves, 16), 1, 32, (WriteRead, STORE, LOAD));
}

#[test]
fn named_barriers_order_those_who_come() {
    // Two warps meet at a barrier of their own.
    let pairs = "setp.lt.u32 %p1, %r4, 64; selp.b32 %r10, 1, 2, %p1; bar.sync %r10, 64;";
    free(&exchange(pairs, 63), 1, 128);
    let text = kernel(&exchange(pairs, 64).replace("st.global.u32 [%rd2], %r8;", ""));
    let races = detect(&text, &words(1, 128, 1), Schedule::Lockstep).unwrap();
    let kinds: Vec<RaceKind> = races.iter().map(|race| race.kind).collect();
    assert_eq!(kinds, [ReadWrite, WriteRead]);
}

/// The first warp makes what the second takes.
fn producer(arrives: &str, waits: &str) -> String {
    format!(
        ".shared .align 4 .b8 tile[128]; mov.u32 %r5, tile; and.b32 %r6, %r4, 31; shl.b32 %r6, %r6, 2;
         add.u32 %r6, %r6, %r5; setp.ge.u32 %p1, %r4, 32; @%p1 bra TAKE;
         st.shared.u32 [%r6], %r4; {arrives} bra END;
         TAKE: {waits} ld.shared.u32 %r8, [%r6]; st.global.u32 [%rd2], %r8; END: ret;"
    )
}

#[test]
fn producers_arrive_and_consumers_wait() {
    free(&producer("bar.arrive 1, 64;", "bar.sync 1, 64;"), 2, 64);
}

#[test]
fn a_producer_does_not_wait_for_its_consumers() {
    // The producer goes on at once and overwrites what the consumer reads.
    let again = "bar.arrive 1, 64; st.shared.u32 [%r6], 9;";
    let body = producer(again, "bar.sync 1, 64;").replace("st.global.u32 [%rd2], %r8;", "");
    let races = races_of(&body, 1, 64);
    assert_eq!(races.len(), 1);
    assert_eq!(races[0].0, WriteRead);
    assert_eq!(races[0].1, "st.shared.u32 [%r6], 9;");
}

#[test]
fn a_producer_with_a_past_of_its_own() {
    // Lane 0 has released something several times before the warp arrives; lane 1 stores after it has arrived.
    let (store, load) = (
        "@%p3 st.shared.u32 [tile], 9;",
        "ld.shared.u32 %r8, [tile];",
    );
    let body = format!(
        ".shared .align 4 .b8 tile[4]; setp.ge.u32 %p1, %r4, 32; setp.eq.u32 %p2, %r4, 0; setp.eq.u32 %p3, %r4, 1;
         @%p1 bra TAKE; @%p2 st.release.gpu.global.u32 [%rd1], 1; @%p2 st.release.gpu.global.u32 [%rd1], 2;
         @%p2 st.release.gpu.global.u32 [%rd1], 3; bar.arrive 1, 64; {store} bra END;
         TAKE: bar.sync 1, 64; {load} END: ret;"
    );
    one(&body, 1, 64, (WriteRead, store, load));
    let before = body.replace(
        &format!("bar.arrive 1, 64; {store}"),
        &format!("{store} bar.arrive 1, 64;"),
    );
    free(&before, 1, 64);
}

/// A sum over shared memory, with these barriers: after filling, within the loop, before it is used again.
fn reduction(fill: &str, round: &str, again: &str) -> String {
    format!(
        ".shared .align 4 .b8 sums[512]; mov.u32 %r5, sums; shl.b32 %r6, %r4, 2; add.u32 %r6, %r6, %r5;
         mov.u32 %r20, 0;
         AGAIN: st.shared.u32 [%r6], %r4; {fill} mov.u32 %r7, 64;
         ROUND: setp.ge.u32 %p1, %r4, %r7; @%p1 bra NEXT;
         shl.b32 %r8, %r7, 2; add.u32 %r8, %r8, %r6; ld.shared.u32 %r9, [%r8]; ld.shared.u32 %r10, [%r6];
         add.u32 %r10, %r10, %r9; st.shared.u32 [%r6], %r10;
         NEXT: {round} shr.u32 %r7, %r7, 1; setp.ne.u32 %p2, %r7, 0; @%p2 bra ROUND;
         ld.shared.u32 %r11, [sums]; st.global.u32 [%rd2], %r11; {again}
         add.u32 %r20, %r20, 1; setp.lt.u32 %p3, %r20, 2; @%p3 bra AGAIN;"
    )
}

#[test]
fn reductions() {
    let bar = "bar.sync 0;";
    free(&reduction(bar, bar, bar), 2, 128);
    // Without the last one the second round may overwrite a sum that is still to be read.
    let races = races_of(&reduction(bar, bar, ""), 1, 128);
    let load = "ld.shared.u32 %r11, [sums];";
    assert!(races.contains(&(ReadWrite, load.to_owned(), STORE.to_owned())));
    assert!(races.iter().all(|race| race.1 == load || race.2 == load));
    // Without those of the rounds a thread reads the words of threads further on before they are done.
    assert_ne!(races_of(&reduction(bar, "", bar), 1, 128), []);
}

#[test]
fn a_thread_that_left_has_not_waited() {
    // Thread 5 stores and exits before the barrier.
    let body = "setp.eq.u32 %p1, %r4, 5; @!%p1 bra WAIT; st.global.u32 [%rd1], 5; exit;
        WAIT: barrier.sync 0; ld.global.u32 %r5, [%rd1]; st.global.u32 [%rd2+400], %r5;";
    one(
        body,
        1,
        40,
        (
            WriteRead,
            "st.global.u32 [%rd1], 5;",
            "ld.global.u32 %r5, [%rd1];",
        ),
    );
}
