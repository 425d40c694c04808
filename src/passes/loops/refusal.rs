//! Why a loop stays as it is.

use crate::{Fate, Remark};
use ptxasw_ir::function::InstId;
use ptxasw_ir::patch::Uncopyable;

/// Why a loop does not run in batches.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// Its blocks form a cycle of several entries, or it is left by a table.
    #[error("the loop has no single header, or branches by a table")]
    Shape,
    /// It has too many instructions or blocks for copies of it.
    #[error("the loop has more than {0} instructions")]
    Large(usize),
    /// So many loops were looked at before it.
    #[error("only the first {0} loops of a function are looked at")]
    Many(usize),
    /// Lanes do something together in it, or it orders memory, calls, or does what is not modelled (L6, L9).
    #[error("the loop orders memory, waits for others, or calls")]
    Orders(InstId),
    /// The text says that lanes agree at a branch (`bra.uni`), which lanes in different iterations need not (L9).
    #[error("lanes are said to agree at a branch, which those in different iterations need not")]
    Agreed,
    /// It reads a register that changes by itself (L8).
    #[error("the loop reads a register that changes")]
    Changes,
    /// It never ends by itself (L7).
    #[error("the loop has no exit")]
    Endless,
    /// What decides whether it goes on is loaded in the loop, or depends on the path through an iteration (L8).
    #[error("how long the loop runs depends on what it loads")]
    Loaded(InstId),
    /// The same, of what no single instruction gives.
    #[error("how long the loop runs depends on the path that an iteration takes")]
    Path,
    /// A register that an exit condition needs cannot be read at the header.
    #[error("the text has no register for what its exit conditions need")]
    Unreadable,
    /// No load is executed in each iteration.
    #[error("none of its loads is executed in each iteration")]
    Conditional,
    /// This store may write the bytes that a load of the next iteration reads, and no run-time test at the kernel's entry can exclude it.
    #[error("what it stores may be what the next iteration loads")]
    Stored(InstId),
    /// It stores, and its iterations take several paths.
    #[error("the loop stores, and its iterations branch")]
    Branches,
    /// A product of one iteration could become one operation with this sum of the next (`products`).
    #[error(
        "a sum could be contracted with a product of the iteration before, and rounded in another way"
    )]
    Contracted(InstId),
    /// Its iterations take several paths, and no load can be written in front of them.
    #[error("the iterations branch, and none of the loads can be written in front of that")]
    InPlace,
    /// Each load's address is what the load of the iteration before gave.
    #[error("each of its loads waits for one of the iteration before")]
    Chased,
    /// So many registers are in flight without batches.
    #[error("{0} registers are loaded in each iteration: enough are in flight")]
    InFlight(u32),
    /// The assembler makes several iterations of it by itself (`unrolled`).
    #[error("the assembler unrolls the loop by itself")]
    Unrolled,
    /// It never runs as long as a batch.
    #[error("the loop has {0} iterations at most")]
    Short(u64),
    /// The text can't have the copies.
    #[error(transparent)]
    Text(Uncopyable),
}

impl Refusal {
    /// As a remark at a load of the loop.
    pub fn remark(&self, load: InstId) -> Remark {
        let with = match *self {
            Refusal::Orders(inst)
            | Refusal::Loaded(inst)
            | Refusal::Stored(inst)
            | Refusal::Contracted(inst) => Some(inst),
            _ => None,
        };
        let lift = match self {
            Refusal::Loaded(_) => Some("read the bound of the loop into a variable in front of it"),
            _ => None,
        };
        Remark {
            with: with.filter(|&inst| inst != load),
            lift,
            ..Remark::new(load, Fate::Kept, self.to_string())
        }
    }
}
