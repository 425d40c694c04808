//! Certificates: what was proved for a rewriting, so that others can check it again.
//!
//! What was proved *by terms* is an [`Obligation`]: a self-contained SMT-LIB 2 text that is unsatisfiable if the claim
//! holds. What was proved by the *structure* of the program (control flow, dominators, convergence, declared state spaces) is a
//! [`Structural`] condition, in words. Together they are all that the contracts of shuffles and of the memory pass ask for:
//!
//! | kind | claim |
//! | --- | --- |
//! | `C1` | lane t+N reads at the source the address that lane t reads at the destination |
//! | `C1-wrap` | an extended 32-bit index plus a constant is the extension of the sum |
//! | `C1-rule` | the premise of a rule of arithmetic holds, whose conclusion other obligations take as given |
//! | `C2-carried` | a loop carries on into an iteration what the address of its value there reads |
//! | `C3` | a store between source and destination writes neither's bytes |
//! | `C3-before` | a store by the same pointer before the source does not write the destination's bytes |
//! | `M3` | accesses that are passed share no byte with what is loaded once, forwarded, moved or overwritten |
//! | `M3-tested` | where the test at the entry holds, two accesses share no byte |
//! | `W` | the members of a wide access lie side by side, and it is aligned where the test at the entry holds |
//! | `branch` | a branch always takes the same edge: values after it were merged without the other |
//! | `loop` | what is known at a loop's header holds on every edge to it |
//! | `known` | known bits and range of a product or quotient that other obligations leave open |
//!
//! The hypotheses are what the rewritten code guarantees where the new value is used, and nothing more. Of shuffles: the branch
//! conditions in front of the destination, in every lane from t to t+N (the clamps of all wrappings require them to be
//! there); that lane t+N is in this row and warp (the clamps again); the run-time checks as they are emitted, over the
//! registers that they read; the limits of a launch (ranges of special registers). Of the memory pass: the branch conditions in
//! front of the accesses in their own thread, and the tests at the entry. `branch` and `loop` rest on the branches
//! in front of them in their own thread: `loop` is the induction on iterations. Products and quotients of unknowns are
//! unknowns, so that a replay takes milliseconds.
//!
//! `certifier` prints them, with those that a whole function shares (`kernel`); each pass states its own. [`write`](fn@write) puts them in a folder with an [`index`].

mod certifier;
mod folder;
pub mod index;
mod kernel;

pub use certifier::Certifier;
pub use folder::{
    KernelCertificates, ModuleCertificates, PassObligations, WriteError, entries, read_index, write,
};

pub use ptxasw_ir::patch::Site;
use serde::{Deserialize, Serialize};

/// What an obligation claims.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Kind {
    /// Same bytes.
    #[serde(rename = "C1")]
    SameBytes,
    /// An index does not wrap.
    #[serde(rename = "C1-wrap")]
    NoWrap,
    /// The premise of a rule of division holds (see `passes/shuffle/prove/div_rem/rules.rs`).
    #[serde(rename = "C1-rule")]
    Rule,
    /// What a loop carries into an iteration was read at the address that it is taken for.
    #[serde(rename = "C2-carried")]
    Carried,
    /// A store between writes other bytes.
    #[serde(rename = "C3")]
    OtherBytes,
    /// A store before the source writes other bytes.
    #[serde(rename = "C3-before")]
    EarlierStore,
    /// Accesses of one thread share no byte.
    #[serde(rename = "M3")]
    Apart,
    /// Accesses of one thread share no byte where a test holds.
    #[serde(rename = "M3-tested")]
    Tested,
    /// Members of a wide access.
    #[serde(rename = "W")]
    Wide,
    /// A branch always takes the same edge.
    #[serde(rename = "branch")]
    Branch,
    /// A fact of a loop's header holds on every edge to it.
    #[serde(rename = "loop")]
    Loop,
    /// Known bits and range of a term that is left open elsewhere.
    #[serde(rename = "known")]
    Known,
}

impl Kind {
    /// As file names and reports have it.
    pub fn name(self) -> &'static str {
        match self {
            Kind::SameBytes => "C1",
            Kind::NoWrap => "C1-wrap",
            Kind::Rule => "C1-rule",
            Kind::Carried => "C2-carried",
            Kind::OtherBytes => "C3",
            Kind::EarlierStore => "C3-before",
            Kind::Apart => "M3",
            Kind::Tested => "M3-tested",
            Kind::Wide => "W",
            Kind::Branch => "branch",
            Kind::Loop => "loop",
            Kind::Known => "known",
        }
    }
}

/// A claim that a solver can check.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Obligation {
    /// What is claimed.
    pub kind: Kind,
    /// The line of the statement that the claim is about: the destination, the store, the branch.
    pub line: Option<u32>,
    /// The claim in words.
    pub about: String,
    /// SMT-LIB 2; unsatisfiable means proved.
    pub smt: String,
}

/// A condition that no formula states, and how it was met.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Structural {
    /// `C1` ... `C6`.
    pub condition: String,
    /// The line of the statement that it is about, if it is about one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub line: Option<u32>,
    /// How.
    pub how: String,
}

/// What was proved for one shuffle.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Certificate {
    /// The source load.
    pub source: Site,
    /// The destination load.
    pub destination: Site,
    /// Claims for a solver.
    pub obligations: Vec<Obligation>,
    /// Everything else.
    pub structural: Vec<Structural>,
}
