//! When a change that is proved sound is made: the numbers of `src/rules.toml`, which names the measurements that they rest on.

use serde::Deserialize;
use std::sync::LazyLock;

static RULES: LazyLock<Rules> = LazyLock::new(|| {
    toml::from_str(include_str!("rules.toml")).unwrap_or_else(|error| panic!("{error}"))
});

/// The rules by kind of change.
pub fn rules() -> &'static Rules {
    &RULES
}

/// All of them.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rules {
    /// Tests at the entry of a kernel, and the second copy after them.
    pub tests: Tests,
    /// Loads that move up over stores.
    pub bulk: Bulk,
    /// Iterations that follow each other in a batch.
    pub loops: LoopRules,
    /// Generic pointers whose state space is tested.
    pub spaces: Spaces,
    /// What a kernel may lose by its registers.
    pub guard: Guard,
    /// Shuffles by default.
    pub shuffles: Shuffles,
    /// Shuffles under a scheme that is asked for by name.
    pub named_scheme: NamedScheme,
}

/// See [`Rules::tests`].
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tests {
    /// Accesses that must go, at least.
    pub saved: usize,
    /// One of so many accesses of the kernel must go or move.
    pub touched: usize,
    /// The second copy may have so many instructions, and as many more for each access that goes each time that the kernel is executed.
    pub copied: usize,
    /// The tests may take one of so many of the kernel's instructions,
    pub instructions: usize,
    /// and so many more for each access that goes,
    pub each_saved: usize,
    /// or for each that goes where loads move as well.
    pub each_moved: usize,
    /// The reason.
    pub why: String,
}

/// See [`Rules::bulk`].
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bulk {
    /// 32-bit registers that loads in flight may hold (`--max-live`).
    pub max_live: u32,
    /// 32-bit registers that loads in flight may hold at level `moderate`, which is tried where a kernel loses with more.
    pub moderate_live: u32,
    /// The reason.
    pub why: String,
}

/// See [`Rules::loops`].
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LoopRules {
    /// Iterations of a batch: the first number at which what they load stays within `registers`.
    pub iterations: Vec<u32>,
    /// The first target that gets batches: on those before it shuffles serve loads of a loop.
    pub target: u32,
    /// 32-bit registers that loads of a batch may fill.
    pub registers: u32,
    /// The reason.
    pub why: String,
}

/// See [`Rules::spaces`].
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Spaces {
    /// Accesses through the same pointers, at least.
    pub accesses: usize,
    /// The reason.
    pub why: String,
}

/// See [`Rules::guard`].
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Guard {
    /// Up to so many registers no block is too large and no warp is lost, on any target.
    pub harmless_registers: u32,
    /// Fewer warps are no loss where the load rounds for each warp that is left shrink to this share.
    pub rounds: f64,
    /// The reason.
    pub why: String,
}

/// See [`Rules::shuffles`].
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shuffles {
    /// The first and the last target that gets them.
    pub targets: (u32, u32),
    /// Covered loads of a kernel, at least.
    pub covered: usize,
    /// The reason.
    pub why: String,
}

/// See [`Rules::named_scheme`].
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NamedScheme {
    /// They may add one of so many machine instructions of the hot path.
    pub growth: u32,
    /// Shuffles that share a set-up which runs as often as they do, at least.
    pub set_up: usize,
    /// The reason.
    pub why: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_has_a_reason() {
        let rules = rules();
        let all = [
            &rules.tests.why,
            &rules.bulk.why,
            &rules.loops.why,
            &rules.spaces.why,
            &rules.guard.why,
            &rules.shuffles.why,
            &rules.named_scheme.why,
        ];
        assert!(all.iter().all(|why| why.len() > 40 && !why.contains('\n')));
        assert!(rules.guard.rounds < 1.0 && rules.shuffles.targets.0 <= rules.shuffles.targets.1);
    }
}
