//! How large the blocks of a kernel can be, as far as the text states it: more registers make a launch fail whose block has no
//! room for them.

use memchr::memmem;
use ptxasw_base::mutation::{Mutation, active};
use ptxasw_machine::toolchain::occupancy::{self, BLOCK, WARP};
use rustc_hash::FxHashMap;

/// How many threads a block of a kernel has.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Block {
    /// Any number that the target allows.
    #[default]
    Unknown,
    /// At most so many: `.maxntid`, `.reqntid` (PTX ISA, "Performance-Tuning Directives"), or the dimensions that GCC's
    /// OpenACC launches it with.
    AtMost(u32),
    /// As many as its registers leave room for: the runtime of GCC's OpenACC and OpenMP asks for those before it launches.
    Fitted,
}

/// The blocks of kernels, by name.
#[derive(Clone, Default, Debug)]
pub struct Blocks(FxHashMap<String, Block>);

/// In front of a comment that GCC writes for its runtime: `"NAME", GANGS, WORKERS, VECTOR`, without dimensions for OpenMP.
const MAP: &[u8] = b"//:FUNC_MAP ";

impl Blocks {
    /// Those that a module of PTX names. The text need not be well formed.
    pub fn of(text: &[u8]) -> Self {
        let mut blocks = Blocks::default();
        blocks.add(text);
        blocks
    }

    /// Adds those of another module.
    pub fn add(&mut self, text: &[u8]) {
        for at in memmem::find_iter(text, MAP) {
            let line = text[at + MAP.len()..].split(|&byte| byte == b'\n').next();
            if let Some((name, block)) = line.and_then(mapped) {
                self.0.insert(name, block);
            }
        }
        // A directive holds for whoever launches the kernel.
        for at in memmem::find_iter(text, b".entry") {
            if let Some((name, threads)) = limited(&text[at + b".entry".len()..]) {
                self.0.insert(name, Block::AtMost(threads));
            }
        }
    }

    /// Those of one kernel.
    pub fn get(&self, kernel: &str) -> Block {
        match active(Mutation::BlockSizeIgnored) {
            true => Block::Unknown,
            false => self.0.get(kernel).copied().unwrap_or_default(),
        }
    }
}

/// A line of GCC's map. Blocks have `VECTOR` times `WORKERS` threads; 0 means that the runtime decides.
fn mapped(line: &[u8]) -> Option<(String, Block)> {
    let line = std::str::from_utf8(line).ok()?;
    let (name, dimensions) = line.strip_prefix('"')?.split_once('"')?;
    let number = |word: &str| match word.trim().strip_prefix("0x") {
        Some(digits) => u32::from_str_radix(digits, 16).ok(),
        None => word.trim().parse().ok(),
    };
    let dimensions: Option<Vec<u32>> = match dimensions.trim().strip_prefix(',') {
        Some(list) => list.split(',').map(number).collect(),
        None => Some(Vec::new()),
    };
    let block = match dimensions?[..] {
        [] | [_, 0, _] | [_, _, 0] => Block::Fitted,
        [_, workers, vector] => Block::AtMost(workers.checked_mul(vector)?),
        _ => return None,
    };
    Some((name.to_owned(), block))
}

/// The name of a kernel whose header follows, and the threads of its largest block, where the header states it.
fn limited(header: &[u8]) -> Option<(String, u32)> {
    let end = header.iter().position(|byte| matches!(byte, b'{' | b';'))?;
    let header = std::str::from_utf8(&header[..end]).ok()?;
    let directive = |name: &str| {
        let (_, after) = header.split_once(name)?;
        let sizes = after.split(',').map(|word| {
            let word = word.trim_start();
            let digits = word.find(|letter: char| !letter.is_ascii_digit());
            let (digits, rest) = word.split_at(digits.unwrap_or(word.len()));
            (digits.parse::<u32>().ok(), rest.trim().is_empty())
        });
        let mut threads = 1u32;
        // The last number is the one that other text follows.
        for (size, more) in sizes {
            threads = threads.checked_mul(size?)?;
            if !more {
                break;
            }
        }
        Some(threads)
    };
    let threads = directive(".reqntid").or_else(|| directive(".maxntid"))?;
    let name = header.trim_start();
    let end = name.find(|letter: char| letter == '(' || letter.is_whitespace());
    Some((name[..end.unwrap_or(name.len())].to_owned(), threads))
}

/// The threads of the largest legal block that can be launched with the registers of before, and no longer with those of after.
pub fn failing(target: u32, block: Block, before: u32, after: u32) -> Option<u32> {
    if active(Mutation::LargestBlockIgnored) {
        return None;
    }
    let legal = match block {
        Block::Unknown => BLOCK,
        Block::AtMost(threads) => threads.min(BLOCK),
        Block::Fitted => return None,
    };
    let fits = |registers| legal.min(occupancy::block_warps(target, registers) * WARP);
    (fits(after) < fits(before)).then(|| fits(before))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directives_and_gcc_map_say_how_large_blocks_are() {
        let text = b"//:FUNC_MAP \"acc$_omp_fn$0\", 0, 0x1, 0x20\n\
            //:FUNC_MAP \"workers\", 0x20, 0x8, 0x20\n\
            //:FUNC_MAP \"fitted\", 0, 0, 0x20\n\
            //:FUNC_MAP \"omp$_omp_fn$0\"\n\
            //:FUNC_MAP \"broken\", 0x\n\
            .visible .entry exact(\n.param .u64 a\n)\n.reqntid 16, 8\n{ ret; }\n\
            .entry most(.param .u64 a) .maxntid 128, 1, 2 .minnctapersm 2 { ret; }\n\
            .entry bare .maxntid 64 { ret; }\n\
            .entry both() .maxntid 64 .reqntid 32 { ret; }\n\
            .entry none(.param .u64 a) { ret; }\n.entry huge() .maxntid 4294967295, 2 { ret; }\n.entry cut() .maxntid";
        let blocks = Blocks::of(text);
        for (name, block) in [
            ("acc$_omp_fn$0", Block::AtMost(32)),
            ("workers", Block::AtMost(256)),
            ("fitted", Block::Fitted),
            ("omp$_omp_fn$0", Block::Fitted),
            ("broken", Block::Unknown),
            ("exact", Block::AtMost(128)),
            ("most", Block::AtMost(256)),
            ("bare", Block::AtMost(64)),
            ("both", Block::AtMost(32)),
            ("none", Block::Unknown),
            ("huge", Block::Unknown),
            ("cut", Block::Unknown),
        ] {
            assert_eq!(blocks.get(name), block, "{name}");
        }
    }

    #[test]
    fn up_to_64_registers_no_block_is_too_large() {
        assert_eq!(failing(80, Block::Unknown, 33, 64), None);
        assert_eq!(failing(80, Block::Unknown, 64, 65), Some(1024));
        // The original's own granularity: both leave room for 896 threads.
        assert_eq!(failing(80, Block::Unknown, 65, 72), None);
        assert_eq!(failing(80, Block::Unknown, 72, 73), Some(896));
        assert_eq!(failing(80, Block::AtMost(256), 64, 128), None);
        assert_eq!(failing(80, Block::AtMost(1000), 64, 65), Some(1000));
        assert_eq!(failing(80, Block::Fitted, 64, 255), None);
    }
}
