//! What the user may choose: `--ptxasw-NAME[=VALUE]` among the assembler's arguments, or `PTXASW_NAME` in the environment.
//!
//! Arguments win over variables. They are better, too: a compiler cache sees them. A [`super::bundle`] reads only variables
//! that change nothing in what is emitted.

use crate::ir::fast_math::FastMath;
use crate::passes::memory::{LEVELS, Loads, Memory, MemoryOptions};
use crate::passes::saturate::{BadCost, BadExtraction, SaturationOptions};
use crate::passes::{BadPass, Passes};
use crate::pipeline::{
    self,
    limit::{BadLimit, Limit},
    tuned::{BadTuned, Tuned},
};
use crate::report::record;
use crate::shuffle::lower::Variant;
use crate::shuffle::profit::Profit;
use crate::shuffle::synthesis;
use crate::solver::{Limits, QUERY_RLIMIT};
use crate::support::kernel_filter::Selection;
use std::ffi::OsString;
use std::hash::{Hash, Hasher};
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;
use xxhash_rust::xxh3::Xxh3;

mod held;
mod names;
mod values;

pub use held::Held;
pub(super) use names::VARIABLE;
use names::{OTHER_VARIABLES, PREFIX, Takes, as_name, by_name, spellings};
pub use names::{
    aliases, all, as_argument, as_variable, canonical, canonical_variable, emission_settings,
    emission_variable, name_of_variable,
};
pub use values::BadSetting;
use values::{bad, choice, nearest, number, scheme, switch, unknown};

/// That no setting has this name.
pub fn unknown_name(given: &str) -> BadSetting {
    let similar = spellings().map(str::to_string);
    BadSetting::Unknown {
        name: given.to_string(),
        similar: nearest(given, similar),
    }
}

/// Whether a value fits a setting; `given` is its name as the user wrote it.
///
/// # Errors
/// What is wrong with it.
pub fn check(given: &str, name: &'static str, value: &str) -> Result<(), BadSetting> {
    Settings::default().set(given, name, Some(value), &mut Selection::default())
}

/// What `assume` takes.
const ASSUMPTIONS: [&str; 8] = [
    "nowrap", "noalias", "contract", "reassoc", "nsz", "arcp", "nnan", "ninf",
];

/// The user's choices.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Detection, proof, wrapping.
    pub synthesis: synthesis::Options,
    /// What the solver may spend on a question, in its own unit.
    pub solver_limit: u32,
    /// Gates of the largest circuit that it is asked about, if the user chose a limit.
    pub solver_gates: Option<u64>,
    /// Which kernels.
    pub kernels: Selection,
    /// Kernels whose arithmetic is looked at: what the drop-in takes back.
    pub arithmetic: Selection,
    /// Only the first rewritings of each module.
    pub limit: Option<Limit>,
    /// The passes that run.
    pub passes: Passes,
    /// What the memory pass may do.
    pub memory: MemoryOptions,
    /// What saturation may do.
    pub saturation: SaturationOptions,
    /// Choices for single kernels.
    pub tuned: Tuned,
    /// A `.version` that is too old is raised.
    pub raise_version: bool,
    /// Threads; 0 for as many as there are processors.
    pub jobs: usize,
    /// Everything goes to the real tool as it is.
    pub off: bool,
    /// A failure of ours is an error.
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
        Settings {
            synthesis: synthesis::Options {
                profit: Profit::Auto,
                ..synthesis::Options::default()
            },
            solver_limit: QUERY_RLIMIT,
            solver_gates: None,
            kernels: Selection::default(),
            arithmetic: Selection::default(),
            limit: None,
            passes: Passes::default(),
            memory: MemoryOptions::default(),
            saturation: SaturationOptions::default(),
            tuned: Tuned::default(),
            raise_version: false,
            jobs: 0,
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
    /// Reads the variables and takes our arguments out of a list; what is left is the assembler's.
    ///
    /// # Errors
    /// An unknown name or a value that does not fit.
    pub fn take(
        words: Vec<OsString>,
        variables: impl IntoIterator<Item = (OsString, OsString)>,
    ) -> Result<(Self, Vec<OsString>), BadSetting> {
        let mut settings = Settings::default();
        let mut variables: Vec<(String, String)> = variables
            .into_iter()
            .filter(|(name, value)| {
                name.as_bytes().starts_with(VARIABLE.as_bytes()) && !value.is_empty()
            })
            .map(|(name, value)| (lossy(&name), lossy(&value)))
            .collect();
        // The environment has no order; errors should.
        variables.sort();
        for (name, value) in &variables {
            settings.variable(name, value)?;
        }
        let mut rest = Vec::with_capacity(words.len());
        let mut kernels = Selection::default();
        for word in words {
            match is_own(&word) {
                true => settings.argument(&lossy(&word), &mut kernels)?,
                false => rest.push(word),
            }
        }
        if !kernels.is_everything() {
            settings.kernels = kernels;
        }
        Ok((settings, rest))
    }

    fn variable(&mut self, variable: &str, value: &str) -> Result<(), BadSetting> {
        match variable {
            record::VARIABLE => self.record_dir = Some(PathBuf::from(value)),
            "PTXASW_STATS_DIR" => self.stats_dir = Some(PathBuf::from(value)),
            "PTXASW_STATS_MODULES" => self.stats_modules = switch(variable, Some(value))?,
            _ => {}
        }
        if OTHER_VARIABLES.contains(&variable) {
            return Ok(());
        }
        let name = as_name(variable);
        let Some((name, _)) = by_name(&name) else {
            let ours = spellings().map(as_variable);
            let all = ours.chain(OTHER_VARIABLES.iter().map(|name| (*name).to_string()));
            return Err(unknown(variable, all));
        };
        let mut kernels = Selection::default();
        self.set(variable, name, Some(value), &mut kernels)?;
        if !kernels.is_everything() {
            self.kernels = kernels;
        }
        Ok(())
    }

    fn argument(&mut self, word: &str, kernels: &mut Selection) -> Result<(), BadSetting> {
        let (given, value) = match word.split_once('=') {
            Some((given, value)) => (given, Some(value)),
            None => (word, None),
        };
        let name = &given[PREFIX.len()..];
        let Some((name, takes)) = by_name(name) else {
            let all = spellings().map(|name| format!("{PREFIX}{name}"));
            return Err(unknown(given, all));
        };
        if takes == Takes::Value && value.is_none_or(str::is_empty) {
            return Err(bad(given, format!("expected a value: `{given}=...`")));
        }
        self.set(given, name, value, kernels)
    }

    /// `given` is the name as the user wrote it.
    fn set(
        &mut self,
        given: &str,
        name: &str,
        value: Option<&str>,
        kernels: &mut Selection,
    ) -> Result<(), BadSetting> {
        let text = value.unwrap_or_default();
        let synthesis = &mut self.synthesis;
        match name {
            "assume" => {
                for one in text.split(',') {
                    match one {
                        "nowrap" => synthesis.assume_no_wrap = true,
                        "noalias" => {
                            synthesis.assume_no_alias = true;
                            self.memory.assumed.no_alias = true;
                        }
                        _ => {
                            let permission = FastMath::named(one)
                                .ok_or_else(|| choice(given, one, &ASSUMPTIONS))?;
                            let assumed = &mut self.saturation.assumed;
                            *assumed = assumed.or(permission);
                        }
                    }
                }
            }
            // It is read before all others.
            "config" => {}
            "cost" => {
                let cost = text.parse();
                self.saturation.cost =
                    cost.map_err(|error: BadCost| bad(given, error.to_string()))?;
            }
            "extract" => {
                let how = text.parse();
                self.saturation.extraction =
                    how.map_err(|error: BadExtraction| bad(given, error.to_string()))?;
            }
            "j" => self.jobs = number(given, text, 4096)?,
            "kernel" => {
                for one in text.split(',') {
                    kernels
                        .add(one)
                        .map_err(|error| bad(given, format!("`{one}`: {error}")))?;
                }
            }
            "limit" => {
                let limit = text
                    .parse()
                    .map_err(|error: BadLimit| bad(given, error.to_string()));
                self.limit = Some(limit?);
            }
            "loads" => {
                let named = LEVELS.iter().find(|(name, _)| *name == text);
                let (_, level) =
                    named.ok_or_else(|| choice(given, text, &LEVELS.map(|one| one.0)))?;
                self.memory.loads = *level;
            }
            "max-delta" => {
                synthesis.max_delta = number(given, text, synthesis::MAX_DELTA.into())? as u8;
            }
            "max-instructions" => {
                synthesis.limits.instructions = number(given, text, usize::MAX)?;
            }
            "max-live" => self.memory.max_live = number(given, text, u32::MAX as usize)? as u32,
            "max-steps" => {
                synthesis.limits.steps = Some(number(given, text, usize::MAX)? as u64);
            }
            "max-terms" => synthesis.limits.terms = number(given, text, usize::MAX)?,
            "no-cache" => self.no_cache = switch(given, value)?,
            "no-register-check" => self.no_register_check = switch(given, value)?,
            "off" => self.off = switch(given, value)?,
            "passes" => {
                let passes = text.parse();
                self.passes = passes.map_err(|error: BadPass| bad(given, error.to_string()))?;
            }
            "profit" => {
                synthesis.profit = match text {
                    "auto" => Profit::Auto,
                    "always" => Profit::Always,
                    _ => return Err(choice(given, text, &["auto", "always"])),
                }
            }
            "raise-version" => self.raise_version = switch(given, value)?,
            "remarks" => self.remarks = Some(PathBuf::from(text)),
            "save-temps" => self.save_temps = Some(PathBuf::from(text)),
            "solver-gates" => {
                self.solver_gates = Some(number(given, text, usize::MAX)? as u64);
            }
            "solver-limit" => {
                self.solver_limit = number(given, text, u32::MAX as usize)? as u32;
            }
            "solver-queries" => {
                synthesis.limits.queries = number(given, text, u32::MAX as usize)? as u32;
            }
            "space" => {
                synthesis.shared = match text {
                    "shared" => true,
                    _ => return Err(choice(given, text, &["shared"])),
                }
            }
            "stats" => self.stats = switch(given, value)?,
            "strict" => self.strict = switch(given, value)?,
            "tuned" => {
                let tuned = text.parse();
                self.tuned = tuned.map_err(|error: BadTuned| bad(given, error.to_string()))?;
            }
            "verbose" => self.verbose = switch(given, value)?,
            "verify" => self.verify = switch(given, value)?,
            "scheme" => synthesis.wrapping = scheme(given, text)?,
            _ => return Err(unknown(given, [])),
        }
        Ok(())
    }

    /// A digest of those settings that the output depends on, however they were given: for the keys of caches.
    pub fn digest(&self) -> u64 {
        // Without `..`: whoever adds a setting decides whether it belongs to the digest.
        let Settings {
            synthesis,
            solver_limit,
            solver_gates,
            kernels,
            limit,
            passes,
            memory,
            saturation,
            tuned,
            raise_version,
            off,
            no_register_check,
            verify,
            arithmetic: _,
            jobs: _,
            no_cache: _,
            strict: _,
            verbose: _,
            stats: _,
            remarks: _,
            save_temps: _,
            record_dir: _,
            stats_dir: _,
            stats_modules: _,
        } = self;
        let mut hash = Xxh3::new();
        let gates = solver_gates.unwrap_or(synthesis.profit.query_gates());
        (synthesis, solver_limit, gates, kernels).hash(&mut hash);
        (limit, raise_version, off, no_register_check, verify).hash(&mut hash);
        passes.names().for_each(|name| name.hash(&mut hash));
        (passes.memory(*memory), saturation).hash(&mut hash);
        tuned.to_string().hash(&mut hash);
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

    /// These settings without passes over the arithmetic.
    pub fn without_arithmetic(&self) -> Self {
        let mut settings = self.clone();
        settings.passes.ssa.retain(|pass| !pass.is_arithmetic());
        settings.tuned.drop_arithmetic();
        settings
    }

    /// Whether anything is reported besides failures.
    pub fn reports(&self) -> bool {
        self.verbose || self.stats || self.stats_dir.is_some() || self.remarks.is_some()
    }

    /// As the pipeline takes them.
    pub fn options(&self, target: Option<u32>, keep_going: bool) -> pipeline::Options {
        let usual = self.synthesis.profit.query_gates();
        pipeline::Options {
            synthesis: self.synthesis.clone(),
            kernels: self.kernels.clone(),
            arithmetic: self.arithmetic.clone(),
            variant: Variant::Normal,
            arch: target,
            raise_version: self.raise_version,
            jobs: self.jobs,
            solver: Limits {
                rlimit: self.solver_limit,
                ..Limits::of_gates(self.solver_gates.unwrap_or(usual))
            },
            only_text: !self.reports(),
            edits_apart: false,
            keep_going,
            limit: self.limit,
            passes: self.passes.clone(),
            memory: self.passes.memory(self.memory),
            saturation: self.saturation,
            print_after: None,
            tuned: self.tuned.clone(),
            shares: None,
            marks: None,
        }
    }
}

/// An argument list without the settings in it, right or wrong.
pub(super) fn without_own(words: Vec<OsString>) -> Vec<OsString> {
    words.into_iter().filter(|word| !is_own(word)).collect()
}

fn is_own(word: &OsString) -> bool {
    word.as_bytes().starts_with(PREFIX.as_bytes())
}

fn lossy(text: &OsString) -> String {
    text.to_string_lossy().into_owned()
}
