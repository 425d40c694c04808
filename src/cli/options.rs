//! Options that several commands share.

use crate::emulator::domains::alias::Assumptions;
use crate::ir::fast_math::FastMath;
use crate::passes::memory::{Loads, MemoryOptions};
use crate::passes::saturate::{Cost, Extraction, SaturationOptions};
use crate::passes::{LIST, Passes};
use crate::pipeline::limit::Limit;
use crate::pipeline::tuned::Tuned;
use crate::rules::rules;
use crate::shuffle::lower::Variant;
use crate::shuffle::model::limits::{self, KernelLimits};
use crate::shuffle::plan::Wrapping;
use crate::shuffle::profit::Profit;
use crate::shuffle::synthesis;
use crate::solver::{Limits, QUERY_RLIMIT};
use crate::support::kernel_filter::Selection;
use crate::support::threads::MAX_JOBS;
use anyhow::Context;
use clap::{Args, ValueEnum};

/// What is covered, and how.
#[derive(Args)]
pub struct SynthesisArguments {
    /// Which of the proved shuffles are emitted.
    #[arg(long, value_enum, default_value_t = ProfitChoice::Auto, help_heading = "What is rewritten")]
    profit: ProfitChoice,
    /// Largest distance |N| of a shuffle.
    #[arg(long, value_name = "K", default_value_t = synthesis::MAX_DELTA, value_parser = clap::value_parser!(u8).range(0..=31), help_heading = "What is rewritten", hide_short_help = true)]
    max_delta: u8,
    /// At most so many shuffles in a kernel.
    #[arg(
        long,
        value_name = "N",
        help_heading = "What is rewritten",
        hide_short_help = true
    )]
    max_shuffles: Option<u32>,
    /// Only the first N rewritings of a module, in the order of its text.
    #[arg(
        long,
        value_name = "N",
        help_heading = "What is rewritten",
        hide_short_help = true
    )]
    limit: Option<Limit>,
    /// Only kernels whose name matches; with `!` in front: none of these.
    #[arg(
        long,
        value_name = "GLOB[,!GLOB]",
        value_delimiter = ',',
        help_heading = "What is rewritten"
    )]
    kernel: Vec<String>,
    /// The scheme of shuffles: where the mask comes from, how the ends of rows are found, what corner lanes do.
    #[arg(long, value_enum, default_value_t = SchemeChoice::Auto, ignore_case = true, alias = "wrapping", help_heading = "What is rewritten")]
    scheme: SchemeChoice,
    /// Assumes what cannot be proved; may be given several times.
    #[arg(
        long,
        value_enum,
        value_delimiter = ',',
        help_heading = "What is rewritten"
    )]
    assume: Vec<Assumption>,
    /// Rewrites loads of this state space, too.
    #[arg(
        long,
        value_enum,
        value_delimiter = ',',
        help_heading = "What is rewritten"
    )]
    space: Vec<CoveredSpace>,
    /// The target, in place of the module's own: sm_90.
    #[arg(long, value_name = "TARGET", value_parser = target, help_heading = "What is rewritten")]
    arch: Option<String>,
    /// The passes that run: plain names are exactly these; with `-NAME` or `+NAME` among them, all names change the default.
    #[arg(long, value_name = "NAME,-NAME", allow_hyphen_values = true, long_help = passes_help(), help_heading = "What is rewritten")]
    passes: Option<Passes>,
    /// How far the pass `memory` goes: each level does what the one before does.
    #[arg(long, value_enum, value_name = "LEVEL", default_value_t = LoadsChoice::Bulk, help_heading = "What is rewritten")]
    loads: LoadsChoice,
    /// 32-bit registers that loads which the pass `memory` moved up may hold at one time.
    #[arg(long, value_name = "N", default_value_t = rules().bulk.max_live, help_heading = "What is rewritten", hide_short_help = true)]
    max_live: u32,
    /// What the pass `saturate` makes small.
    #[arg(long, value_enum, value_name = "COST", default_value_t = CostChoice::Target, help_heading = "What is rewritten", hide_short_help = true)]
    cost: CostChoice,
    /// How the pass `saturate` chooses: for each value by itself, or for small parts of a kernel all together.
    #[arg(long, value_enum, value_name = "HOW", default_value_t = ExtractionChoice::Greedy, help_heading = "What is rewritten", hide_short_help = true)]
    extract: ExtractionChoice,
    /// Choices for single kernels, as `ptxasw tune` makes them: `KERNEL[@sm_N] NAME[=VALUE] ...`, kernels separated by `;`. The
    /// first that fits counts.
    #[arg(
        long,
        value_name = "TEXT",
        help_heading = "What is rewritten",
        hide_short_help = true
    )]
    tuned: Option<Tuned>,
    /// Raises a `.version` that is too old for shuffles.
    #[arg(long, help_heading = "What is rewritten")]
    raise_version: bool,
    /// The settings file, in place of the nearest `ptxasw.toml` above the working directory; `none` for none.
    // It is read before the command line is, by `super::defaults`.
    #[arg(long, value_name = "FILE")]
    config: Option<std::path::PathBuf>,
    /// Resource limit of Z3 for a query, in its own unit (`rlimit`); 0: none.
    #[arg(long, value_name = "N", default_value_t = QUERY_RLIMIT, help_heading = "Limits", hide_short_help = true)]
    solver_limit: u32,
    /// Gates of the largest circuit that Z3 is asked about: by default 500, with `--profit always` 100000.
    #[arg(
        long,
        value_name = "N",
        help_heading = "Limits",
        hide_short_help = true
    )]
    solver_gates: Option<u64>,
    /// Pairs of loads of a kernel that Z3 decides at most.
    #[arg(long, value_name = "N", default_value_t = limits::MAX_QUERIES, help_heading = "Limits", hide_short_help = true)]
    solver_queries: u32,
    /// A kernel of more instructions is left alone.
    #[arg(long, value_name = "N", default_value_t = limits::MAX_INSTRUCTIONS, help_heading = "Limits", hide_short_help = true)]
    max_instructions: usize,
    /// A kernel whose values have more symbolic terms is left alone.
    #[arg(long, value_name = "N", default_value_t = limits::MAX_TERMS, help_heading = "Limits", hide_short_help = true)]
    max_terms: usize,
    /// Steps that the proofs of a kernel may take: by default 65536 and 8 for each of its terms.
    #[arg(
        long,
        value_name = "N",
        help_heading = "Limits",
        hide_short_help = true
    )]
    max_steps: Option<u64>,
    /// Threads; 0 for as many as there are processors.
    #[arg(short, long, value_name = "N", default_value_t = 0)]
    jobs: usize,
}

#[derive(Clone, Copy, ValueEnum)]
enum ProfitChoice {
    /// Those that are known to pay on the target.
    ///
    /// None on sm_70 and later, where most kernels lose by them, and below sm_60; on sm_60 to sm_62 all, in kernels with at least
    /// four. Of a scheme that is asked for by name those that add at most a quarter to the hot path, on every target.
    Auto,
    /// All that are proved, on every target.
    Always,
}

#[derive(Clone, Copy, ValueEnum)]
enum LoadsChoice {
    /// Nothing.
    Off,
    /// What is proved: no test at run time, no second copy of code.
    Proofs,
    /// As proofs; also wide accesses behind one test at the kernel's entry, with the original as the fallback.
    Checked,
    /// As checked; also loads and stores that such a test makes superfluous, and loads move up over stores, a few at a time.
    Moderate,
    /// As moderate, with as many loads at a time as `--max-live` allows.
    Bulk,
    /// All that is sound, whatever it costs.
    Always,
}

impl LoadsChoice {
    /// As the pass takes it.
    fn level(self) -> Loads {
        match self {
            LoadsChoice::Off => Loads::Off,
            LoadsChoice::Proofs => Loads::Proofs,
            LoadsChoice::Checked => Loads::Checked,
            LoadsChoice::Moderate => Loads::Moderate,
            LoadsChoice::Bulk => Loads::Bulk,
            LoadsChoice::Always => Loads::Always,
        }
    }
}

/// What a user may take for granted.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Assumption {
    /// 32-bit index arithmetic does not wrap.
    Nowrap,
    /// What different pointer parameters point to does not overlap, nor does it with variables of the module.
    Noalias,
    /// A product and a sum of floating-point numbers may be rounded once, as one `fma`.
    Contract,
    /// Products of floating-point numbers may be computed in another order; with `nsz` sums, too.
    Reassoc,
    /// The sign of a floating-point zero does not matter.
    Nsz,
    /// A quotient of floating-point numbers may be a product with the reciprocal of its divisor.
    Arcp,
    /// No operand and no result is a NaN: where one is, results are any numbers.
    Nnan,
    /// No operand and no result is infinite: where one is, results are any numbers.
    Ninf,
}

/// How the pass `saturate` chooses.
#[derive(Clone, Copy, ValueEnum)]
enum ExtractionChoice {
    /// For each value the cheapest form by itself.
    Greedy,
    /// All values of a small region together, by an integer program.
    Exact,
}

/// What the pass `saturate` makes small.
#[derive(Clone, Copy, ValueEnum)]
enum CostChoice {
    /// The numbers of the paper: all operations cost the same, a division ten times that.
    Paper,
    /// The time in which the target issues the operations.
    Target,
}

/// State spaces that are covered besides global and constant memory, which always are.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum CoveredSpace {
    /// `.shared`: loads from shared memory cost little; covering them pays where they limit the kernel.
    Shared,
}

#[derive(Clone, Copy, ValueEnum)]
enum SchemeChoice {
    /// The best one for what is known of the member mask and of rows.
    Auto,
    /// The member mask is proved to be the whole warp.
    Full,
    /// The whole warp is here and each lane's row reaches the end of the warp.
    #[value(name = "R")]
    R,
    /// The whole warp is here, rows of any shape.
    #[value(name = "F")]
    F,
    /// As F; rows are proved to be whole warps.
    #[value(name = "F31")]
    F31,
    /// The paper's own scheme, with row checks.
    Paper,
    /// One more load of a source serves all its corner lanes where it can; rows are whole warps.
    Halo,
}

impl SynthesisArguments {
    /// Threads; 0 for as many as there are processors.
    pub fn jobs(&self) -> usize {
        self.jobs.min(MAX_JOBS)
    }

    /// The target in place of the module's own: `sm_90a`.
    pub fn arch(&self) -> Option<&str> {
        self.arch.as_deref()
    }

    /// The names of what is assumed, as `--assume` takes them.
    pub fn assumed(&self) -> Vec<String> {
        let values = self.assume.iter().filter_map(ValueEnum::to_possible_value);
        values.map(|value| value.get_name().to_owned()).collect()
    }

    /// What is allowed with all operations on floating-point numbers.
    fn permissions(&self) -> FastMath {
        let names = self.assumed();
        let permissions = names.iter().filter_map(|name| FastMath::named(name));
        permissions.fold(FastMath::NONE, FastMath::or)
    }

    /// As the pipeline takes them.
    pub fn options(&self, variant: Variant, certificates: bool) -> anyhow::Result<crate::Options> {
        let mut kernels = Selection::default();
        for glob in &self.kernel {
            kernels
                .add(glob)
                .with_context(|| format!("`--kernel {glob}`"))?;
        }
        let wrapping = match self.scheme {
            SchemeChoice::Auto => None,
            SchemeChoice::Full => Some(Wrapping::Full),
            SchemeChoice::R => Some(Wrapping::Row),
            SchemeChoice::F => Some(Wrapping::AnyRow),
            SchemeChoice::F31 => Some(Wrapping::WholeRows),
            SchemeChoice::Paper => Some(Wrapping::Paper),
            SchemeChoice::Halo => Some(Wrapping::Halo),
        };
        let profit = match self.profit {
            ProfitChoice::Auto => Profit::Auto,
            ProfitChoice::Always => Profit::Always,
        };
        let gates = self.solver_gates.unwrap_or(profit.query_gates());
        let synthesis = synthesis::Options {
            max_delta: self.max_delta,
            max_shuffles: self.max_shuffles.unwrap_or(u32::MAX),
            keep: u32::MAX,
            wrapping,
            profit,
            assume_no_wrap: self.assume.contains(&Assumption::Nowrap),
            assume_no_alias: self.assume.contains(&Assumption::Noalias),
            shared: self.space.contains(&CoveredSpace::Shared),
            certificates,
            limits: KernelLimits {
                instructions: self.max_instructions,
                terms: self.max_terms,
                queries: self.solver_queries,
                steps: self.max_steps,
            },
        };
        let passes = self.passes.clone().unwrap_or_default();
        Ok(crate::Options {
            synthesis,
            kernels,
            arithmetic: Selection::default(),
            variant,
            arch: self.arch.as_deref().and_then(number),
            raise_version: self.raise_version,
            jobs: self.jobs,
            solver: Limits {
                rlimit: self.solver_limit,
                ..Limits::of_gates(gates)
            },
            only_text: false,
            edits_apart: false,
            keep_going: false,
            limit: self.limit,
            memory: passes.memory(MemoryOptions {
                loads: self.loads.level(),
                max_live: self.max_live,
                assumed: Assumptions {
                    no_alias: self.assume.contains(&Assumption::Noalias),
                },
                tests_hold: false,
            }),
            saturation: SaturationOptions {
                cost: match self.cost {
                    CostChoice::Paper => Cost::Paper,
                    CostChoice::Target => Cost::Target,
                },
                extraction: match self.extract {
                    ExtractionChoice::Greedy => Extraction::Greedy,
                    ExtractionChoice::Exact => Extraction::Exact,
                },
                assumed: self.permissions(),
                ..SaturationOptions::default()
            },
            passes,
            print_after: None,
            tuned: self.tuned.clone().unwrap_or_default(),
            shares: None,
            marks: None,
        })
    }
}

/// The help of `--passes`, with the list.
fn passes_help() -> String {
    let mut help = String::from(
        "The passes that run, in the order of this list. Plain names are exactly these; with `-NAME` or `+NAME` among them, \
         all names change the default: they add to it, or with `-` take from it.\n",
    );
    for one in LIST {
        let default = if one.default { " (default)" } else { "" };
        help += &format!("\n- {}{default}: {}", one.entry.name(), one.what);
    }
    help
}

/// A target that has a number.
fn target(text: &str) -> Result<String, String> {
    match number(text) {
        Some(_) => Ok(text.to_owned()),
        None => Err("expected a target such as `sm_80`".to_string()),
    }
}

/// The number of `sm_90a`.
fn number(target: &str) -> Option<u32> {
    let digits = target.strip_prefix("sm_")?;
    let end = digits.find(|letter: char| !letter.is_ascii_digit());
    digits[..end.unwrap_or(digits.len())].parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dropin::settings::Settings;
    use clap::{CommandFactory, Parser};
    use std::hash::{DefaultHasher, Hash, Hasher};

    #[derive(Parser)]
    struct Words {
        #[command(flatten)]
        synthesis: SynthesisArguments,
    }

    fn digest(options: &crate::Options) -> u64 {
        let mut hash = DefaultHasher::new();
        (&options.synthesis, options.memory).hash(&mut hash);
        hash.finish()
    }

    /// What the command makes of an option, and the drop-in of the setting.
    fn both(option: &str) -> [crate::Options; 2] {
        let words = Words::try_parse_from(["ptxasw", &format!("--{option}")]);
        let setting = format!("--ptxasw-{option}").into();
        let settings = Settings::take(vec![setting], []);
        [
            words
                .unwrap()
                .synthesis
                .options(Variant::Normal, false)
                .unwrap(),
            settings.unwrap().0.options(None, false),
        ]
    }

    /// Each value is read twice: by clap, for help and completions, and by the drop-in, which starts without clap.
    #[test]
    fn options_and_settings_mean_the_same() {
        let command = Words::command();
        let mut seen = 0;
        for argument in command.get_arguments() {
            let name = argument.get_long().unwrap();
            for value in argument.get_possible_values() {
                if argument.get_action().takes_values() {
                    let option = format!("{name}={}", value.get_name());
                    let [ours, theirs] = both(&option);
                    assert_eq!(digest(&ours), digest(&theirs), "{option}");
                    seen += 1;
                }
            }
        }
        assert!(seen > 15, "{seen}");
        for option in [
            "max-delta=3",
            "max-instructions=7",
            "max-terms=9",
            "max-steps=11",
            "solver-queries=13",
            "solver-gates=15",
            "solver-limit=17",
            "raise-version",
            "kernel=a,!b",
            "limit=5",
            "passes=-shuffle",
            "max-live=19",
            "assume=noalias",
            "assume=contract,reassoc",
            "assume=nsz,arcp,nnan,ninf",
            "cost=paper",
            "extract=exact",
            "passes=cse,sat,bulk",
            "jobs=2",
            "tuned=a@sm_90 loads=moderate; b passes=cse scheme=halo profit=always",
        ] {
            let [mut ours, theirs] = both(option);
            // Only the drop-in leaves out what is only reported.
            ours.only_text = theirs.only_text;
            assert_eq!(format!("{ours:?}"), format!("{theirs:?}"), "{option}");
        }
    }
}
