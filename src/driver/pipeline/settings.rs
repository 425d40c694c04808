//! What the user may choose, whichever way: among an assembler's arguments, by variables, in a settings file, or as options of a
//! command. [`table`] lists the settings, [`value`] reads what they hold, [`words`] has them as arguments and
//! variables, [`config`] reads a file of them.

pub mod config;
pub mod table;
pub mod tuned;
pub mod value;
pub mod words;

use super::options::Options;
use super::ssa::Reversions;
use ptxasw_emulator::domains::alias::Assumptions;
use ptxasw_emulator::solver::Limits;
use ptxasw_ir::fast_math::FastMath;
use ptxasw_passes::memory::{Loads, Memory, MemoryOptions};
use ptxasw_passes::saturate::SaturationOptions;
use ptxasw_passes::shuffle::profit::Profit;
use ptxasw_passes::shuffle::synthesis;
use std::hash::{Hash, Hasher};
use std::path::PathBuf;
use table::{Effect, Setting};
use value::{Assumption, Space, TargetName, target_number};
use xxhash_rust::xxh3::Xxh3;

/// The user's choices.
#[derive(Clone, Debug)]
pub struct Settings {
    /// What the pipeline takes as it is; [`Settings::options`] adds the rest.
    pub options: Options,
    /// What is taken for granted.
    pub assumed: Vec<Assumption>,
    /// State spaces that are covered besides global and constant memory.
    pub spaces: Vec<Space>,
    /// Most shuffles of a kernel.
    pub max_shuffles: Option<u32>,
    /// The target, in place of the module's own.
    pub arch: Option<TargetName>,
    /// Gates of the largest circuit that the solver is asked about, if the user chose a limit.
    pub solver_gates: Option<u64>,
    /// The settings file. It is read before all others.
    pub config: Option<PathBuf>,
    /// Everything goes to the real tool as it is.
    pub off: bool,
    /// An internal failure of ptxasw is an error, instead of a warning with the original input.
    pub strict: bool,
    /// The assembler runs even where the cache has what it makes.
    pub no_cache: bool,
    /// Rewritten kernels stay, whatever registers they take.
    pub no_register_check: bool,
    /// Each rewritten kernel is compared with its original on the CPU.
    pub verify: bool,
    /// A line for each module on standard error.
    pub verbose: bool,
    /// A table on standard error.
    pub stats: bool,
    /// Where remarks go: `.yaml` for LLVM's format, else JSON lines.
    pub remarks: Option<PathBuf>,
    /// Where inputs and rewritten texts are kept.
    pub save_temps: Option<PathBuf>,
    /// Where each call leaves a list of what it rewrote, for `ptxasw bisect`.
    pub record_dir: Option<PathBuf>,
    /// Where each call leaves its figures, for `ptxasw stats`.
    pub stats_dir: Option<PathBuf>,
    /// Whether its modules are left there as well, for `ptxasw report`.
    pub stats_modules: bool,
}

impl Default for Settings {
    fn default() -> Self {
        let mut options = Options::default();
        options.synthesis.profit = Profit::Auto;
        Settings {
            options,
            assumed: Vec::new(),
            spaces: Vec::new(),
            max_shuffles: None,
            arch: None,
            solver_gates: None,
            config: None,
            off: false,
            strict: false,
            no_cache: false,
            no_register_check: false,
            verify: false,
            verbose: false,
            stats: false,
            remarks: None,
            save_temps: None,
            record_dir: None,
            stats_dir: None,
            stats_modules: false,
        }
    }
}

impl Settings {
    /// What holds of each setting, as a text that sets it; none where nothing is chosen.
    pub fn held(&self) -> Vec<(&'static Setting, Option<String>)> {
        let mut own = self.clone();
        // Where these say nothing, others do.
        own.solver_gates = Some(self.gates());
        own.options.memory = own.options.passes.memory(own.options.memory);
        let held = |one: &'static Setting| {
            let text = one.value(&mut own).text();
            (one, text.filter(|text| one.name != "j" || text != "0"))
        };
        table::all().map(held).collect()
    }

    /// A digest of those settings that the output depends on, however they were given: for the keys of caches.
    pub fn digest(&self) -> u64 {
        let mut hash = Xxh3::new();
        for (setting, text) in self.held() {
            if setting.effect == Effect::Output {
                (setting.name, text).hash(&mut hash);
            }
        }
        hash.finish()
    }

    /// How far the memory pass goes in a function on a target, of which this is the number; [`Loads::Off`] where it does not
    /// run.
    pub fn loads(&self, function: &str, target: Option<u32>) -> Loads {
        let options = self.options(target, true);
        let options = options.of_function(function, target);
        match options.passes.has(&Memory) {
            true => options.memory.loads,
            false => Loads::Off,
        }
    }

    /// Leaves out what machine code sends back, on a target of this number.
    pub fn take_back(&mut self, back: &Reversions, target: Option<u32>) {
        let steps: Vec<(&String, usize, Loads)> = back
            .levels
            .iter()
            .map(|(name, tried)| {
                let steps = self.options.kernels.steps_back(name) + tried.len();
                (name, steps, self.loads(name, target).below(steps))
            })
            .collect();
        for (name, steps, loads) in steps {
            self.options.kernels.step_back(name, steps);
            if loads == Loads::Off {
                self.options.kernels.leave_out(name);
            }
        }
        for name in back.out.keys() {
            self.options.kernels.leave_out(name);
        }
        for name in back.arithmetic.keys() {
            self.options.arithmetic.leave_out(name);
        }
    }

    /// Whether anything is reported besides failures.
    pub fn reports(&self) -> bool {
        self.verbose || self.stats || self.stats_dir.is_some() || self.remarks.is_some()
    }

    /// The target in place of the module's own: `sm_90a`.
    pub fn arch(&self) -> Option<&str> {
        self.arch.as_ref().map(|target| &*target.0)
    }

    fn gates(&self) -> u64 {
        let usual = self.options.synthesis.profit.query_gates();
        self.solver_gates.unwrap_or(usual)
    }

    /// As the pipeline takes them; `target` is that of the call, if it says one.
    pub fn options(&self, target: Option<u32>, keep_going: bool) -> Options {
        let options = self.options.clone();
        let no_alias = self.assumed.contains(&Assumption::NoAlias);
        let permissions = self.assumed.iter().map(|one| one.permission());
        let given = self.arch().and_then(target_number);
        Options {
            synthesis: synthesis::Options {
                max_shuffles: self.max_shuffles.unwrap_or(u32::MAX),
                assume_no_wrap: self.assumed.contains(&Assumption::NoWrap),
                assume_no_alias: no_alias,
                shared: self.spaces.contains(&Space::Shared),
                only_text: !self.reports(),
                ..options.synthesis
            },
            arch: target.or(given),
            solver: Limits {
                rlimit: options.solver.rlimit,
                ..Limits::of_gates(self.gates())
            },
            keep_going,
            memory: MemoryOptions {
                assumed: Assumptions { no_alias },
                ..options.passes.memory(options.memory)
            },
            saturation: SaturationOptions {
                assumed: permissions.fold(FastMath::NONE, FastMath::or),
                ..options.saturation
            },
            ..options
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of every setting; and what is printed as a value is one: set by hand it changes nothing.
    #[test]
    fn values_that_hold_can_be_set() {
        let usual = Settings::default();
        for (setting, held) in usual.held() {
            assert!(held.is_some() || !setting.none.is_empty(), "{setting:?}");
            assert!(!setting.help.is_empty(), "{setting:?}");
            let Some(text) = held else { continue };
            let mut set = usual.clone();
            let read = setting.read(&mut set, &text);
            assert!(read.is_ok(), "{setting:?}={text}: {read:?}");
            let [held, before] = [&set, &usual].map(|one| one.held().into_iter().map(|one| one.1));
            assert!(held.eq(before), "{setting:?}");
            assert_eq!(set.digest(), usual.digest(), "{setting:?}");
        }
    }

    #[test]
    fn what_is_set_holds() {
        let held = |name: &str, text: &str, wanted: &str| {
            let mut settings = Settings::default();
            table::named(name)
                .unwrap()
                .read(&mut settings, text)
                .unwrap();
            let held = settings.held().into_iter();
            held.filter_map(|(setting, text)| text.filter(|_| setting.name == wanted))
                .next()
        };
        for (name, text) in [
            ("assume", "nowrap,contract"),
            ("kernel", "a*,!b"),
            ("limit", "7"),
            ("passes", "memory,scalar"),
            ("scheme", "halo"),
            ("solver-gates", "9"),
            ("space", "shared"),
            ("tuned", "a off; b max-live=8"),
            ("remarks", "r.yaml"),
            ("verify", "1"),
        ] {
            assert_eq!(held(name, text, name).as_deref(), Some(text), "{name}");
        }
        assert_eq!(held("profit", "always", "solver-gates").unwrap(), "100000");
        assert_eq!(held("passes", "cse", "loads").unwrap(), "proofs");
    }
}
