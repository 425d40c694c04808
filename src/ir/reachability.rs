//! Blocks on the paths between two blocks.

use super::cfg::Cfg;
use super::function::BlockId;

/// Looks for them, with memory of its own that is used again.
#[derive(Clone, Debug, Default)]
pub struct Reachability {
    /// In which search each block was last seen.
    seen: Vec<u32>,
    /// The number of this search.
    search: u32,
    found: Vec<BlockId>,
}

impl Reachability {
    /// Blocks on a path from the end of `from` to the start of `to` that does not enter `from` again, sorted; `to` itself is
    /// one of them if such a path passes it before. None if there are more than `most`.
    pub fn blocks(
        &mut self,
        cfg: &Cfg,
        from: BlockId,
        to: BlockId,
        most: usize,
    ) -> Option<&[BlockId]> {
        self.begin(cfg);
        let mut next = to;
        for done in 0.. {
            for previous in cfg.predecessors(next) {
                let seen = &mut self.seen[previous.index()];
                if previous != from && *seen != self.search {
                    *seen = self.search;
                    self.found.push(previous);
                }
            }
            if self.found.len() > most {
                return None;
            }
            match self.found.get(done) {
                Some(&block) => next = block,
                None => break,
            }
        }
        self.found.sort_unstable();
        Some(&self.found)
    }

    /// Blocks from which the start of `to` is reached, and none in front of those that `ends`.
    pub fn before(&mut self, cfg: &Cfg, to: BlockId, ends: impl Fn(BlockId) -> bool) -> &[BlockId] {
        self.begin(cfg);
        let mut next = Some(to);
        let mut done = 0;
        while let Some(block) = next {
            for previous in cfg.predecessors(block) {
                let seen = &mut self.seen[previous.index()];
                if std::mem::replace(seen, self.search) != self.search {
                    self.found.push(previous);
                }
            }
            let rest = &self.found[done..];
            let past = rest.iter().take_while(|&&block| ends(block)).count();
            next = rest.get(past).copied();
            done += past + 1;
        }
        &self.found
    }

    /// No block is seen yet.
    fn begin(&mut self, cfg: &Cfg) {
        self.found.clear();
        self.search = self.search.wrapping_add(1);
        // Numbers of searches came around, or it is another graph.
        if self.search == 0 || self.seen.len() != cfg.blocks() {
            self.seen.clear();
            self.seen.resize(cfg.blocks(), 0);
            self.search = 1;
        }
    }
}
