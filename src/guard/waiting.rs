//! Kernels whose blocks may wait for one another: with fewer warps on a multiprocessor fewer blocks are resident, and a block may
//! wait for one that is never started.

use memchr::memmem;
use rustc_hash::FxHashSet;

/// Words of instructions by which a thread can wait for another block, or for another grid (PTX ISA, "Memory Consistency Model",
/// "Parallel Synchronization and Communication Instructions"): what is not weak, fences, and what is executed elsewhere.
const WORDS: [&str; 15] = [
    "atom",
    "red",
    "volatile",
    "relaxed",
    "acquire",
    "release",
    "acq_rel",
    "mmio",
    "fence",
    "membar",
    "nanosleep",
    "griddepcontrol",
    "cluster",
    "multimem",
    "call",
];

/// The kernels of some modules that may wait. A call may lead to anything.
#[derive(Clone, Default, Debug)]
pub struct Waiting(FxHashSet<String>);

impl Waiting {
    /// Those of a module of PTX. The text need not be well formed; a word in a comment counts.
    pub fn of(text: &[u8]) -> Self {
        let mut waiting = Waiting::default();
        waiting.add(text);
        waiting
    }

    /// Adds those of another module.
    pub fn add(&mut self, text: &[u8]) {
        let mut starts: Vec<usize> = memmem::find_iter(text, b".entry").collect();
        let entries = starts.len();
        starts.extend(memmem::find_iter(text, b".func"));
        let kernels = starts[..entries].to_vec();
        starts.sort_unstable();
        for start in kernels {
            let next = starts.partition_point(|&one| one <= start);
            let end = starts.get(next).copied().unwrap_or(text.len());
            let body = &text[start + b".entry".len()..end];
            if words(body).any(|word| WORDS.iter().any(|one| one.as_bytes() == word)) {
                self.0.insert(name(body));
            }
        }
    }

    /// Whether this kernel may wait.
    pub fn has(&self, kernel: &str) -> bool {
        self.0.contains(kernel)
    }
}

/// What stands between dots, blanks and signs.
fn words(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(|byte| !byte.is_ascii_alphanumeric() && !matches!(byte, b'_' | b'$' | b'%'))
}

fn name(header: &[u8]) -> String {
    let begin = header.iter().position(|byte| !byte.is_ascii_whitespace());
    let header = &header[begin.unwrap_or(0)..];
    let end = header
        .iter()
        .position(|&byte| byte == b'(' || byte.is_ascii_whitespace());
    String::from_utf8_lossy(&header[..end.unwrap_or(header.len())]).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_weak_may_wait() {
        let text = b".visible .entry plain(.param .u64 a)\n{ ld.global.u32 %r1, [%rd1]; redux.sync.add.u32 %r2, %r1, -1; }
            .entry lock ( .param .u64 a ) { atom.global.cas.b32 %r1, [%rd1], 0, 1; }
            .entry spin(.param .u64 a) { L: ld.volatile.global.u32 %r1, [%rd1]; @%p1 bra L; }
            .entry far(.param .u64 a) { call.uni f, (); }
            .func f() { membar.gl; }
            .entry behind() { bar.sync 0; ld.relaxed.gpu.global.u32 %r1, [%rd1]; }
            .entry last() { ret; }";
        let waiting = Waiting::of(text);
        for name in ["lock", "spin", "far", "behind"] {
            assert!(waiting.has(name), "{name}");
        }
        assert!(!waiting.has("plain") && !waiting.has("last"));
    }
}
