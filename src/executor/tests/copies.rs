//! Asynchronous copies: the moment at which they land is the adversary's.

use super::*;

/// Seeds that land copies at once, at the wait, and at any moment.
const SEEDS: u64 = 24;

/// What a kernel of `body` leaves, in one warp, in a buffer of `words` numbers 0, 1, 2, ...: in lockstep, and under each
/// adversary.
fn outcomes(body: &str, words: u64) -> (Vec<u32>, Vec<Vec<u32>>) {
    let text = kernel(&format!(
        ".shared .align 16 .b8 tile[1024]; mov.u32 %r20, tile; {body}"
    ));
    let ramp = Buffer::filled(Element::U32, words, Fill::ramp(Element::U32));
    let launch = Launch::new([1; 3], [32, 1, 1]).with_buffer(ramp);
    let run = |schedule| contents(&execute(&text, &launch, schedule).unwrap());
    let adversaries = (0..SEEDS).map(|seed| run(Schedule::Independent { seed }));
    (run(Schedule::Lockstep), adversaries.collect())
}

/// As [`outcomes`], where the schedule makes no difference.
fn always(body: &str, words: u64) -> Vec<u32> {
    let (lockstep, adversaries) = outcomes(body, words);
    for (seed, other) in adversaries.iter().enumerate() {
        assert_eq!(&lockstep, other, "seed {seed}");
    }
    lockstep
}

/// Copies the thread's word to its place in the tile, `%r21`.
const OWN: &str = "shl.b32 %r22, %r4, 2; add.u32 %r21, %r20, %r22;
    cp.async.ca.shared.global [%r21], [%rd2], 4;";

#[test]
fn all_has_landed_after_the_wait() {
    let read = "bar.sync 0; sub.u32 %r5, 31, %r4; shl.b32 %r5, %r5, 2; add.u32 %r5, %r5, %r20;
        ld.shared.u32 %r6, [%r5]; st.global.u32 [%rd2], %r6;";
    let expected: Vec<u32> = (0..32).rev().collect();
    for wait in [
        "cp.async.wait_all;",
        "cp.async.commit_group; cp.async.wait_group 0;",
    ] {
        assert_eq!(always(&format!("{OWN} {wait} {read}"), 32), expected);
    }
}

#[test]
fn the_rest_is_zeros() {
    let copy = |limit: &str| {
        let body = format!(
            "mul.wide.u32 %rd4, %r4, 16; add.s64 %rd5, %rd1, %rd4; shl.b32 %r21, %r4, 4; add.u32 %r21, %r21, %r20;
             {limit}; cp.async.wait_all; ld.shared.v4.u32 {{%r6, %r7, %r8, %r9}}, [%r21];
             st.global.v4.u32 [%rd5], {{%r6, %r7, %r8, %r9}};"
        );
        always(&body, 128)
    };
    let expect = |read: &dyn Fn(u32) -> u32| -> Vec<u32> {
        let word = |i: u32| if i % 4 < read(i / 4) { i } else { 0 };
        (0..128).map(word).collect()
    };
    let some = "and.b32 %r5, %r4, 3; shl.b32 %r5, %r5, 2;
        cp.async.cg.shared.global.L2::128B [%r21], [%rd5], 16, %r5";
    assert_eq!(copy(some), expect(&|lane| lane % 4));
    let ignored = "and.b32 %r5, %r4, 1; setp.eq.u32 %p1, %r5, 1; add.s64 %rd6, %rd5, -16; sub.u32 %r10, %r21, 64;
        cp.async.ca.shared.global [%r10+64], [%rd6+16], 16, %p1";
    assert_eq!(copy(ignored), expect(&|lane| 4 * (1 - lane % 2)));
    // Nothing is read: the address may be any.
    let nothing = "mov.u64 %rd6, 0; cp.async.ca.shared.global [%r21], [%rd6], 16, 0";
    assert_eq!(copy(nothing), [0; 128]);
}

/// Of the latest group nothing is known yet, of those before it all.
#[test]
fn groups() {
    let body = format!(
        "shl.b32 %r5, %r4, 2; add.u32 %r6, %r5, %r20; mov.u32 %r7, 77; st.shared.u32 [%r6+128], %r7;
         {OWN} cp.async.commit_group; cp.async.ca.shared.global [%r21+128], [%rd2], 4; cp.async.commit_group;
         cp.async.wait_group 1; ld.shared.u32 %r8, [%r21]; ld.shared.u32 %r9, [%r21+128]; cp.async.wait_group 0;
         st.global.u32 [%rd2], %r8; st.global.u32 [%rd2+128], %r9;"
    );
    let (lockstep, adversaries) = outcomes(&body, 64);
    let first: Vec<u32> = (0..32).collect();
    let mut seen = [0; 2];
    for words in adversaries.iter().chain([&lockstep]) {
        assert_eq!(words[..32], first);
        for (lane, &word) in (0..).zip(&words[32..]) {
            assert!(word == 77 || word == lane, "{word} of lane {lane}");
            seen[usize::from(word == 77)] += 1;
        }
    }
    assert!(seen[0] > 100 && seen[1] > 100, "{seen:?}");
}

/// The source is read when the bytes land, not when the copy begins.
#[test]
fn a_source_that_changes_meanwhile() {
    let body = format!(
        "{OWN} cp.async.commit_group; mov.u32 %r5, 99; st.global.u32 [%rd2], %r5; cp.async.wait_group 0;
         ld.shared.u32 %r6, [%r21]; st.global.u32 [%rd2], %r6;"
    );
    let (lockstep, adversaries) = outcomes(&body, 32);
    assert_eq!(lockstep, [99; 32]);
    let of_lane_3: Vec<u32> = adversaries.iter().map(|words| words[3]).collect();
    assert!(
        of_lane_3.contains(&3) && of_lane_3.contains(&99),
        "{of_lane_3:?}"
    );
}

/// Two copies to one place land in either order.
#[test]
fn copies_that_race() {
    let body = format!(
        "{OWN} xor.b32 %r5, %r4, 1; mul.wide.u32 %rd4, %r5, 4; add.s64 %rd4, %rd4, %rd1;
         cp.async.ca.shared.global [%r21], [%rd4], 4; cp.async.wait_all;
         ld.shared.u32 %r6, [%r21]; bar.sync 0; st.global.u32 [%rd2], %r6;"
    );
    let (_, adversaries) = outcomes(&body, 32);
    let of_lane_0: Vec<u32> = adversaries.iter().map(|words| words[0]).collect();
    assert!(
        of_lane_0.contains(&0) && of_lane_0.contains(&1),
        "{of_lane_0:?}"
    );
}

#[test]
fn what_is_wrong_is_so_at_the_copy() {
    let (body, copy) = (
        ".shared .align 16 .b8 tile[64]; mov.u32 %r5, tile;",
        "cp.async.ca.shared.global [%r5+56], [%rd1], 16;",
    );
    let (fault, text, _) = fault(&format!("{body} {copy} cp.async.wait_all;"), 32);
    assert!(matches!(fault, Fault::OutOfBounds { write: true, .. }));
    assert_eq!(text, copy);
    let copy = "cp.async.ca.shared.global [%r5], [%rd1+4], 8;";
    let (fault, text, _) = super::fault(&format!("{body} {copy}"), 32);
    assert!(matches!(fault, Fault::Misaligned { bytes: 8, .. }));
    assert_eq!(text, copy);
}
