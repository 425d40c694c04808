//! What assemblers made of texts, kept in the user's cache folder: `ptxas` gives the same machine code for the same text and options,
//! and it takes nearly all of the time of a build with ptxasw. What is decided by that code is decided anew each time.
//!
//! | file | what |
//! | --- | --- |
//! | `folder` | the user's cache folder, and whether somebody else can have put something there |
//! | [`key`] | what one run of an assembler depends on |
//! | `entry` | what it made, as bytes |
//! | `store` | entries in files, as many as fit |
//!
//! An entry is used only if it is whole and by this user's own hand. Whatever goes wrong, the assembler runs. A library starts with the
//! cache switched off: programs call [`switch`].

mod entry;
pub mod folder;
pub mod key;
mod store;

pub use entry::Entry;
pub use key::Key;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use store::Store;

static ON: AtomicBool = AtomicBool::new(false);
static KNOWN: AtomicU64 = AtomicU64::new(0);
static UNKNOWN: AtomicU64 = AtomicU64::new(0);

/// Lets this process use the cache, or not.
pub fn switch(on: bool) {
    ON.store(on, Ordering::Relaxed);
}

/// Whether this process uses the cache.
pub fn is_on() -> bool {
    ON.load(Ordering::Relaxed)
}

/// What a run of an assembler made, if it is known.
pub fn get(key: &Key) -> Option<Entry> {
    let entry = Store::open().and_then(|store| store.get(key)).ok();
    let count = if entry.is_some() { &KNOWN } else { &UNKNOWN };
    count.fetch_add(1, Ordering::Relaxed);
    entry
}

/// How often [`get`] had an answer in this process, and how often it had none.
pub fn counts() -> (u64, u64) {
    (
        KNOWN.load(Ordering::Relaxed),
        UNKNOWN.load(Ordering::Relaxed),
    )
}

/// Keeps what a run of an assembler made. A cache that cannot be written is no failure.
pub fn put(key: &Key, entry: &Entry) {
    if let Ok(store) = Store::open() {
        let _ = store.put(key, entry);
    }
}
