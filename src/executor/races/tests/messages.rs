//! Flags, atomics, fences, scopes.

use super::*;
use RaceKind::{ReadWrite, WriteRead, WriteWrite};

const DATA: &str = "st.global.u32 [%rd1], 42;";
const READ: &str = "ld.global.u32 %r6, [%rd1];";

/// Thread 0 stores data and sets a flag; the thread `reader` waits for it and reads the data.
fn flag(reader: u32, set: &str, get: &str, then: &str) -> String {
    format!(
        "setp.eq.u32 %p1, %r1, 0; setp.eq.u32 %p2, %r1, {reader}; @%p1 bra GIVE; @%p2 bra TAKE; bra END;
         GIVE: {DATA} {set} bra END;
         TAKE: {get} setp.eq.u32 %p3, %r5, 0; @%p3 bra TAKE; {then} {READ} st.global.u32 [%rd2+800], %r6;
         END: ret;"
    )
}

#[test]
fn release_and_acquire() {
    free(
        &flag(
            33,
            "st.release.gpu.global.u32 [%rd1+8], 1;",
            "ld.acquire.gpu.global.u32 %r5, [%rd1+8];",
            "",
        ),
        1,
        64,
    );
    free(
        &flag(
            33,
            "st.release.gpu.global.u32 [%rd1+8], 1;",
            "ld.acquire.sys.global.u32 %r5, [%rd1+8];",
            "",
        ),
        2,
        32,
    );
    free(
        &flag(
            33,
            "atom.release.gpu.global.exch.b32 %r9, [%rd1+8], 1;",
            "atom.acquire.gpu.global.add.u32 %r5, [%rd1+8], 0;",
            "",
        ),
        2,
        32,
    );
}

#[test]
fn fences_around_strong_accesses() {
    let (set, get) = (
        "st.relaxed.gpu.global.u32 [%rd1+8], 1;",
        "ld.relaxed.gpu.global.u32 %r5, [%rd1+8];",
    );
    for fence in [
        "fence.acq_rel.gpu;",
        "fence.sc.gpu;",
        "membar.gl;",
        "membar.sys;",
    ] {
        free(&flag(33, &format!("{fence} {set}"), get, fence), 2, 32);
    }
    let volatile = (
        "membar.gl; st.volatile.global.u32 [%rd1+8], 1;",
        "ld.volatile.global.u32 %r5, [%rd1+8];",
    );
    free(&flag(33, volatile.0, volatile.1, "membar.gl;"), 2, 32);
    free(
        &flag(
            33,
            "fence.acq_rel.gpu; red.relaxed.gpu.global.add.u32 [%rd1+8], 1;",
            "ld.acquire.gpu.global.u32 %r5, [%rd1+8];",
            "",
        ),
        2,
        32,
    );
}

#[test]
fn half_a_synchronization_is_none() {
    let relaxed = (
        "st.relaxed.gpu.global.u32 [%rd1+8], 1;",
        "ld.relaxed.gpu.global.u32 %r5, [%rd1+8];",
    );
    let released = "st.release.gpu.global.u32 [%rd1+8], 1;";
    let acquired = "ld.acquire.gpu.global.u32 %r5, [%rd1+8];";
    let fence = "fence.acq_rel.gpu;";
    for (set, get, then) in [
        (relaxed.0, relaxed.1, ""),
        (released, relaxed.1, ""),
        (relaxed.0, acquired, ""),
        (&format!("{fence} {}", relaxed.0), relaxed.1, ""),
        (relaxed.0, relaxed.1, fence),
        // The fence comes too late for the flag.
        (&format!("{} {fence}", relaxed.0), relaxed.1, fence),
    ] {
        one(&flag(33, set, get, then), 2, 32, (WriteRead, DATA, READ));
    }
}

#[test]
fn scopes_must_reach() {
    let narrow = (
        "st.release.cta.global.u32 [%rd1+8], 1;",
        "ld.acquire.cta.global.u32 %r5, [%rd1+8];",
    );
    free(&flag(33, narrow.0, narrow.1, ""), 1, 64);
    let races = races_of(&flag(33, narrow.0, narrow.1, ""), 2, 32);
    // The flag's own accesses race, too.
    assert_eq!(races.len(), 2);
    assert!(races.contains(&(WriteRead, DATA.to_owned(), READ.to_owned())));
    assert!(races.contains(&(WriteRead, narrow.0.to_owned(), narrow.1.to_owned())));
    // One side is not enough, nor is a narrow fence next to a wide flag.
    let wide = (
        "st.relaxed.gpu.global.u32 [%rd1+8], 1;",
        "ld.relaxed.gpu.global.u32 %r5, [%rd1+8];",
    );
    for (first, second) in [("cta", "gpu"), ("gpu", "cta"), ("cluster", "gpu")] {
        let set = format!("fence.acq_rel.{first}; {}", wide.0);
        let then = format!("fence.acq_rel.{second};");
        one(
            &flag(33, &set, wide.1, &then),
            2,
            32,
            (WriteRead, DATA, READ),
        );
        free(&flag(33, &set, wide.1, &then), 1, 64);
    }
}

#[test]
fn a_weak_flag_is_a_race_itself() {
    let (set, get) = (
        "st.global.u32 [%rd1+8], 1;",
        "ld.volatile.global.u32 %r5, [%rd1+8];",
    );
    let races = races_of(&flag(33, set, get, ""), 1, 64);
    assert!(races.contains(&(WriteRead, set.to_owned(), get.to_owned())));
    assert!(races.contains(&(WriteRead, DATA.to_owned(), READ.to_owned())));
}

#[test]
fn atomics_do_not_race_with_each_other() {
    free(
        "red.global.add.u32 [%rd1], 1; atom.global.max.u32 %r5, [%rd1], %r4;",
        3,
        70,
    );
    free(
        "red.global.add.u32 [%rd1], 1; ld.relaxed.gpu.global.u32 %r5, [%rd1];",
        3,
        70,
    );
}

#[test]
fn atomics_and_plain_accesses() {
    let (atomic, load) = (
        "red.global.add.u32 [%rd1], 1;",
        "ld.global.u32 %r5, [%rd1];",
    );
    let races = races_of(&format!("{atomic} {load}"), 1, 32);
    assert_eq!(races[0], (WriteRead, atomic.to_owned(), load.to_owned()));
    let races = races_of(
        &format!(
            "setp.eq.u32 %p1, %r4, 0; @%p1 bra A; {atomic} bra B; A: st.global.u32 [%rd1], 0; B: ret;"
        ),
        1,
        32,
    );
    assert_eq!(races.len(), 1);
    assert_eq!(races[0].0, WriteWrite);
}

#[test]
fn an_atomic_of_the_block_is_not_one_of_the_grid() {
    let atomic = "atom.cta.global.add.u32 %r5, [%rd1], 1;";
    free(atomic, 1, 64);
    one(atomic, 2, 32, (WriteWrite, atomic, atomic));
}

#[test]
fn atomics_of_different_sizes_are_not_atomic_together() {
    let (word, double) = (
        "red.global.add.u32 [%rd1], 1;",
        "red.global.add.u64 [%rd1], 1;",
    );
    let body = format!("setp.eq.u32 %p1, %r4, 0; @%p1 bra A; {word} bra B; A: {double} B: ret;");
    let races = races_of(&body, 1, 2);
    assert_eq!((races.len(), races[0].0), (1, WriteWrite));
}

#[test]
fn initialisation_then_atomics_then_a_sum() {
    let body = |first: &str, second: &str| {
        format!(
            ".shared .align 4 .b8 bins[128]; mov.u32 %r5, bins; and.b32 %r6, %r4, 31; shl.b32 %r6, %r6, 2;
             add.u32 %r6, %r6, %r5; setp.lt.u32 %p1, %r4, 32; @!%p1 bra A; st.shared.u32 [%r6], 0; A: {first}
             and.b32 %r7, %r4, 7; shl.b32 %r7, %r7, 2; add.u32 %r7, %r7, %r5; red.shared.add.u32 [%r7], 1;
             {second} ld.shared.u32 %r8, [%r6]; st.global.u32 [%rd2], %r8;"
        )
    };
    free(&body("bar.sync 0;", "bar.sync 0;"), 2, 96);
    let (add, sum) = ("red.shared.add.u32 [%r7], 1;", "ld.shared.u32 %r8, [%r6];");
    let races = races_of(&body("bar.sync 0;", ""), 1, 96);
    let race = |kind, a: &str, b: &str| (kind, a.to_owned(), b.to_owned());
    assert_eq!(
        races,
        [race(WriteRead, add, sum), race(ReadWrite, sum, add)]
    );
}

/// Each block adds up; the one that comes last reads what all have stored.
fn last_block(fence: &str, order: &str) -> String {
    format!(
        "mul.wide.u32 %rd5, %r2, 4; add.u64 %rd6, %rd1, %rd5; st.global.u32 [%rd6+64], %r2; {fence}
         atom{order}.global.add.u32 %r5, [%rd1], 1; setp.ne.u32 %p1, %r5, 3; @%p1 bra END; {fence}
         ld.global.u32 %r6, [%rd1+64]; ld.global.u32 %r7, [%rd1+72]; add.u32 %r6, %r6, %r7; st.global.u32 [%rd1+4], %r6;
         END: ret;"
    )
}

#[test]
fn the_last_block_reads_what_the_others_stored() {
    // The counter hands on, through the atomics between, what each block has released.
    free(&last_block("membar.gl;", ""), 4, 1);
    free(&last_block("", ".acq_rel.gpu"), 4, 1);
    let races = races_of(&last_block("", ""), 4, 1);
    assert_eq!(races.len(), 2);
    assert!(
        races
            .iter()
            .all(|race| race.0 == WriteRead && race.1.starts_with("st.global.u32 [%rd6+64]"))
    );
    assert_ne!(races_of(&last_block("membar.cta;", ""), 4, 1), []);
}

/// A lock around an increment.
fn lock(take: &str, give: &str) -> String {
    format!(
        "setp.ne.u32 %p1, %r4, 0; @%p1 bra END; LOCK: {take} setp.ne.u32 %p2, %r5, 0; @%p2 bra LOCK;
         ld.global.u32 %r6, [%rd1]; add.u32 %r6, %r6, 1; st.global.u32 [%rd1], %r6; {give} END: ret;"
    )
}

#[test]
fn locks() {
    free(
        &lock(
            "atom.acquire.gpu.global.cas.b32 %r5, [%rd1+4], 0, 1;",
            "atom.release.gpu.global.exch.b32 %r7, [%rd1+4], 0;",
        ),
        4,
        32,
    );
    free(
        &lock(
            "atom.global.cas.b32 %r5, [%rd1+4], 0, 1; membar.gl;",
            "membar.gl; atom.global.exch.b32 %r7, [%rd1+4], 0;",
        ),
        4,
        32,
    );
    free(
        &lock(
            "atom.acquire.gpu.global.cas.b32 %r5, [%rd1+4], 0, 1;",
            "st.release.gpu.global.u32 [%rd1+4], 0;",
        ),
        4,
        32,
    );
    let races = races_of(
        &lock(
            "atom.global.cas.b32 %r5, [%rd1+4], 0, 1;",
            "atom.global.exch.b32 %r7, [%rd1+4], 0;",
        ),
        4,
        32,
    );
    assert!(races.iter().any(|race| race.0 == WriteRead), "{races:?}");
}

#[test]
fn a_later_store_ends_a_message() {
    // The reader sees the second value of the flag, which releases nothing.
    let set = "st.release.gpu.global.u32 [%rd1+8], 0; st.relaxed.gpu.global.u32 [%rd1+8], 1;";
    let get = "ld.acquire.gpu.global.u32 %r5, [%rd1+8];";
    // A release followed by a strong write of the same thread is a release pattern, too.
    let races = races_of(&flag(33, set, get, ""), 2, 32);
    assert_eq!(races, []);
    // A weak one is not.
    let set = "st.release.gpu.global.u32 [%rd1+8], 0; st.global.u32 [%rd1+8], 1;";
    let races = races_of(&flag(33, set, get, ""), 2, 32);
    assert!(races.contains(&(WriteRead, DATA.to_owned(), READ.to_owned())));
}

#[test]
fn what_is_read_may_be_overwritten_only_after_an_answer() {
    // Thread 0 overwrites the data after the reader's answer, or before it.
    let body = |wait: &str| {
        format!(
            "setp.eq.u32 %p1, %r1, 0; setp.eq.u32 %p2, %r1, 33; @%p1 bra GIVE; @%p2 bra TAKE; bra END;
             GIVE: {wait} st.global.u32 [%rd1], 42; bra END;
             TAKE: {READ} st.release.gpu.global.u32 [%rd1+8], 1; END: ret;"
        )
    };
    free(&body("WAIT: ld.acquire.gpu.global.u32 %r5, [%rd1+8]; setp.eq.u32 %p3, %r5, 0; @%p3 bra WAIT;").replace("GIVE: WAIT:", "GIVE:\nWAIT:"), 1, 64);
    let races = races_of(&body("WAIT: ld.relaxed.gpu.global.u32 %r5, [%rd1+8]; setp.eq.u32 %p3, %r5, 0; @%p3 bra WAIT;").replace("GIVE: WAIT:", "GIVE:\nWAIT:"), 1, 64);
    assert_eq!((races.len(), races[0].0), (1, ReadWrite));
}
