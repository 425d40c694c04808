//! What `ptxasw clang` runs between the halves of a device step: as the plugin does, with a file in and a file out.

use anyhow::Context as _;
use clap::Args;
use inkwell::context::Context;
use ptxasw_driver::pipeline::settings::Settings;
use ptxasw_driver::pipeline::settings::config;
use ptxasw_driver::pipeline::ssa::{Reversions, Reverted};
use ptxasw_llvm::record;
use ptxasw_llvm::stage;
use ptxasw_llvm::target;
use ptxasw_llvm::view::View;
use ptxasw_tools::cli::files;
use ptxasw_tools::dropin::rewrite::{self, Done};
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Instant;

use super::input;

#[derive(Args)]
pub struct Arguments {
    /// The module.
    input: PathBuf,
    /// Where goes what was done, with the rewritten bitcode: as the drop-in's child hands it over.
    output: PathBuf,
    /// How messages name the module.
    #[arg(long)]
    name: OsString,
    /// A function with which one level of loads less is tried than before; each time that it is named.
    #[arg(long, value_name = "FUNCTION")]
    step_back: Vec<String>,
    /// A function whose arithmetic stays as it is.
    #[arg(long, value_name = "FUNCTION")]
    plain_arithmetic: Vec<String>,
    /// A function that stays as it is.
    #[arg(long, value_name = "FUNCTION")]
    leave_out: Vec<String>,
    /// What comes of it is only looked at: nothing is left behind for users.
    #[arg(long)]
    trial: bool,
    /// Tests at run time are taken to hold: for what the register guard counts.
    #[arg(long)]
    tests_hold: bool,
    /// As among the assembler's arguments: `--ptxasw-wrapping=R`.
    #[arg(last = true)]
    settings: Vec<OsString>,
}

impl Arguments {
    /// What is taken back, for no reason that the stage would show.
    fn back(&self) -> Reversions {
        let why = || Reverted::new("");
        let mut back = Reversions::default();
        for name in &self.step_back {
            let levels = back.levels.entry(name.clone()).or_default();
            levels.push(why());
        }
        let all = |names: &[String]| names.iter().map(|name| (name.clone(), why())).collect();
        back.out = all(&self.leave_out);
        back.arithmetic = all(&self.plain_arithmetic);
        back
    }
}

pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let variables = config::variables(&arguments.settings)?;
    let (mut settings, _) = Settings::take(arguments.settings.clone(), variables)?;
    let back = arguments.back();
    if arguments.tests_hold || !back.is_empty() {
        settings.options.count_these();
    }
    if arguments.trial {
        settings.save_temps = None;
        settings.record_dir = None;
        settings.stats_dir = None;
        settings.remarks = None;
    }
    settings.options.memory.tests_hold = arguments.tests_hold;
    let context = Context::create();
    let module = input::read(&context, &arguments.input)?;
    let target = target::compiled_for(View::new(&module).functions());
    settings.take_back(&back, target);
    let name = arguments.name.to_string_lossy();
    // The file that it was read from has another name in each call; limits know a module by its text.
    module.set_name(&name);
    let before = record::text(&settings, &module);
    let start = Instant::now();
    let result = stage::rewrite_by(&module, &settings, &name);
    let time = start.elapsed();
    let rewritten = result.as_ref().is_ok_and(stage::Done::is_rewritten);
    if let Some(before) = before {
        record::keep(&settings, &module, &name, &before, rewritten);
    }
    let done = result.with_context(|| name.clone().into_owned())?;
    for line in done.found.checked.failures() {
        ptxasw_base::say!("ptxasw: warning: `{name}`: {line}");
    }
    let bitcode = match rewritten {
        true => module.write_bitcode_to_memory().as_slice().to_vec(),
        false => Vec::new(),
    };
    let decisions = done.decisions();
    let mut handed = Done::new(decisions, bitcode, done.remarks.clone());
    handed.milliseconds = time.as_secs_f64() * 1e3;
    files::write(&arguments.output, &rewrite::encode(vec![handed]))
}
