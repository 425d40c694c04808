//! Which bytes are touched, and by whom.

use super::*;
use RaceKind::{ReadWrite, SameValue, WriteRead, WriteWrite};

#[test]
fn each_thread_its_own_word() {
    free(
        "st.global.u32 [%rd2], %r4; ld.global.u32 %r5, [%rd2]; st.global.u32 [%rd2], %r5;",
        3,
        70,
    );
}

#[test]
fn loads_do_not_race() {
    free(
        "ld.global.u32 %r5, [%rd1]; ld.global.u32 %r6, [%rd1]; add.u32 %r5, %r5, %r6; st.global.u32 [%rd2+4], %r5;",
        2,
        64,
    );
}

#[test]
fn a_neighbour_reads_what_is_stored() {
    let (store, load) = ("st.global.u32 [%rd2], %r4;", "ld.global.u32 %r5, [%rd2+4];");
    // In lockstep the loads come after the stores within a warp, and before those of the next warp.
    let races = races_of(&format!("{store} {load}"), 1, 64);
    let expected = |kind, a: &str, b: &str| (kind, a.to_owned(), b.to_owned());
    assert_eq!(
        races,
        [
            expected(WriteRead, store, load),
            expected(ReadWrite, load, store)
        ]
    );
}

#[test]
fn an_update_in_place_across_blocks() {
    let (load, store) = ("ld.global.u32 %r5, [%rd2+4];", "st.global.u32 [%rd2], %r5;");
    let races = races_of(&format!("{load} bar.sync 0; {store}"), 2, 32);
    // Within a block the barrier orders them, and the next block's first word is read by the last thread of this one.
    assert_eq!(races.len(), 1);
    assert_eq!(races[0], (ReadWrite, load.to_owned(), store.to_owned()));
}

#[test]
fn lanes_that_store_to_one_place() {
    let store = "st.global.u32 [%rd1], %r4;";
    one(store, 1, 2, (WriteWrite, store, store));
}

#[test]
fn lanes_that_store_the_same() {
    let store = "st.global.u32 [%rd1], 7;";
    // The first store changes the value; all others find theirs there.
    one(store, 1, 2, (SameValue, store, store));
    assert!(SameValue.benign() && !WriteWrite.benign());
}

#[test]
fn neighbouring_bytes_are_apart() {
    let address = "cvt.u64.u32 %rd5, %r1; add.u64 %rd6, %rd1, %rd5;";
    free(&format!("{address} st.global.u8 [%rd6], %r4;"), 1, 64);
    let store = "st.global.u8 [%rd6], %r4;";
    let load = "ld.global.u8 %r5, [%rd6+1];";
    let races = races_of(&format!("{address} {store} {load}"), 1, 32);
    assert_eq!(races, [(WriteRead, store.to_owned(), load.to_owned())]);
}

#[test]
fn words_split_where_bytes_are_touched() {
    // Thread 0 stores a word, thread 1 the third byte of it; and then the same with the word last.
    let body = |first: &str, second: &str| {
        format!("setp.eq.u32 %p1, %r4, 0; setp.eq.u32 %p2, %r4, 1; {first} {second}")
    };
    let word = "@%p1 st.global.u32 [%rd1], 1;";
    let byte = "@%p2 st.global.u8 [%rd1+2], 5;";
    one(&body(word, byte), 1, 2, (WriteWrite, word, byte));
    one(&body(byte, word), 1, 2, (WriteWrite, byte, word));
    let apart = "@%p2 st.global.u8 [%rd1+4], 5;";
    free(&body(word, apart), 1, 2);
    free(&body(apart, word), 1, 2);
}

#[test]
fn vectors_are_their_elements() {
    let address = "mul.wide.u32 %rd5, %r1, 8; add.u64 %rd6, %rd1, %rd5;";
    free(
        &format!(
            "{address} st.global.v2.u32 [%rd6], {{%r4, %r4}}; ld.global.v2.u32 {{%r5, %r6}}, [%rd6];"
        ),
        1,
        32,
    );
    let store = "st.global.v2.u32 [%rd6], {%r4, %r4};";
    let load = "ld.global.v4.u32 {%r5, %r6, %r7, %r8}, [%rd7];";
    let body = format!("{address} and.b64 %rd7, %rd6, -16; {store} {load}");
    one(&body, 1, 2, (WriteRead, store, load));
}

#[test]
fn what_is_reported() {
    let text = kernel(
        ".shared .align 4 .b8 tile[256]; mov.u32 %r5, tile; shl.b32 %r6, %r4, 2; add.u32 %r6, %r6, %r5;
         st.shared.u32 [%r6+4], %r4; ld.shared.u32 %r7, [%r6];",
    );
    let races = detect(&text, &words(2, 40, 1), Schedule::Lockstep).unwrap();
    let race = &races[0];
    assert_eq!(
        (race.kind, race.region.as_str()),
        (RaceKind::WriteRead, "tile")
    );
    assert_eq!((race.offset, race.bytes), (4, 4));
    assert_eq!(
        (race.first.kind, race.second.kind),
        (AccessKind::Store, AccessKind::Load)
    );
    assert_eq!(race.first.thread.thread, [0, 0, 0]);
    assert_eq!(
        (race.second.thread.thread, race.second.thread.lane),
        ([1, 0, 0], 1)
    );
    // Threads 1 to 39 read, in both blocks, but for thread 32, whose warp runs after the store of the other.
    assert_eq!(race.count, 2 * 39);
}

#[test]
fn names_of_global_variables() {
    let text = kernel("st.global.u32 [cell], %r4;")
        .replace(".visible", ".global .align 4 .u32 cell;\n.visible");
    let races = detect(&text, &words(1, 2, 1), Schedule::Lockstep).unwrap();
    assert_eq!(races[0].region, "cell");
}

#[test]
fn local_memory_is_private() {
    free(
        ".local .align 4 .b8 depot[4]; st.local.u32 [depot], %r4; ld.local.u32 %r5, [depot]; st.global.u32 [%rd2], %r5;",
        2,
        40,
    );
}

#[test]
fn generic_addresses_of_shared_memory() {
    let store = "st.u32 [%rd6], %r4;";
    let load = "ld.shared.u32 %r5, [s];";
    let body = |between: &str| {
        format!(
            ".shared .align 4 .b8 s[4]; mov.u64 %rd5, s; cvta.shared.u64 %rd6, %rd5; setp.eq.u32 %p1, %r4, 0;
             @!%p1 bra A; {store} A: {between} {load} st.global.u32 [%rd2], %r5;"
        )
    };
    one(&body(""), 1, 2, (WriteRead, store, load));
    free(&body("bar.sync 0;"), 1, 2);
}
