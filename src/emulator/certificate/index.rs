//! The index of a folder of certificates: what each file claims, and what was proved by structure.

use super::{Kind, Site, Structural};
use ptxasw_ir::lanes::LaneMap;
use serde::{Deserialize, Serialize};

/// Its name in the folder.
pub const FILE: &str = "index.json";
/// What [`Index::format`] is.
pub const FORMAT: &str = "ptxasw certificates 1";

/// The index of a module's certificates.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Index {
    /// [`FORMAT`]: a folder with another one was not made by us.
    pub format: String,
    /// Its kernels, in the order of the text.
    pub kernels: Vec<Kernel>,
    /// What the passes over the SSA IR rest on, in the order in which they ran.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub claims: Vec<Claim>,
    /// What of it solvers can check, by pass and function.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub passes: Vec<Pass>,
}

/// What a pass proved for one function.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Pass {
    /// The pass.
    pub pass: String,
    /// The function.
    pub function: String,
    /// Claims for a solver.
    pub obligations: Vec<File>,
}

/// What the rewriting of one statement by a pass over the SSA IR rests on, in words.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Claim {
    /// The pass.
    pub pass: String,
    /// The function.
    pub function: String,
    /// The statement, in the text that the first pass read.
    pub site: Site,
    /// What was proved, and by what.
    pub evidence: String,
}

/// The certificates of a kernel.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Kernel {
    /// Its mangled name.
    pub kernel: String,
    /// Claims that its shuffles share.
    pub obligations: Vec<File>,
    /// Its shuffles, in the order of the text.
    pub shuffles: Vec<Shuffle>,
}

/// The certificate of a shuffle.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Shuffle {
    /// Its number, from 1.
    pub number: u32,
    /// The destination load.
    pub destination: Site,
    /// The source load.
    pub source: Site,
    /// From which lane it takes its value.
    #[serde(flatten)]
    pub lanes: LaneMap,
    /// Claims for a solver.
    pub obligations: Vec<File>,
    /// How the conditions of CONTRACT.md, "The claim", were met, and what no formula states.
    pub structural: Vec<Structural>,
}

/// A file with one claim.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct File {
    /// Its path below the folder, with `/`.
    pub file: String,
    /// What it claims.
    pub kind: Kind,
    /// The line of the statement that it is about.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub line: Option<u32>,
    /// The claim in words.
    pub about: String,
}

/// What every shuffle rests on.
const CONDITIONS: [&str; 6] = ["C1", "C2", "C3", "C4", "C5", "C6"];

impl Shuffle {
    /// The first condition of CONTRACT.md, "The claim", without a record of how it was met.
    pub fn open_condition(&self) -> Option<&'static str> {
        let met = |condition: &&str| {
            self.structural
                .iter()
                .any(|one| one.condition == **condition)
        };
        CONDITIONS.into_iter().find(|condition| !met(condition))
    }
}

impl Index {
    /// All files, in order.
    pub fn files(&self) -> impl Iterator<Item = &File> {
        let kernels = self.kernels.iter().flat_map(|kernel| {
            let of_shuffles = kernel.shuffles.iter().flat_map(|one| &one.obligations);
            kernel.obligations.iter().chain(of_shuffles)
        });
        let passes = self.passes.iter().flat_map(|pass| &pass.obligations);
        kernels.chain(passes)
    }
}
