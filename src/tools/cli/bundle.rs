//! `ptxasw bundle`: the drop-in assembler as one file; and what all commands that make bundles have in common.

use super::options;
use crate::dropin::bundle::{self, Bundle, Carried};
use crate::dropin::tool::Tool;
use anyhow::Context;
use clap::{ArgAction, ArgMatches, Args, Command, FromArgMatches};
use ptxasw_driver::pipeline::settings::Settings;
use ptxasw_driver::pipeline::settings::config;
use ptxasw_driver::pipeline::settings::table::{self, Setting};
use ptxasw_driver::pipeline::settings::words;
use ptxasw_emulator::solver;
use ptxasw_machine::toolchain::{Arch, Search};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::path::{Path, PathBuf};

/// Writes the drop-in assembler as one file: ptxasw, ptxas, and the settings.
///
/// The file takes exactly ptxas's arguments and needs nothing else: compiler caches and distributed builds (sccache, ccache,
/// Bazel, Buck, Docker) take it for an ordinary compiler. Its bytes change with the version of ptxasw, with ptxas, and with the
/// settings. Settings are those given here, else those of `PTXASW_*` variables at this time; the file does not read these
/// variables later. It reads arguments (`--ptxasw-profit=always`), which caches see.
///
/// The file contains NVIDIA's ptxas. It is made from your own copy for your own machines, and is not for passing on: NVIDIA's
/// licence does not allow that.
#[derive(Args)]
pub struct Arguments {
    #[command(flatten)]
    made: Made,
    /// The file to write; by convention its name is `ptxas`.
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

/// What a bundle is made of.
#[derive(Args)]
pub struct Made {
    /// The assembler to take along.
    #[arg(long, value_name = "PTXAS")]
    pub ptxas: Option<PathBuf>,
    /// Takes no solver along: questions that only Z3 can answer stay open, on every host.
    #[arg(long)]
    pub no_solver: bool,
    #[command(flatten)]
    pub settings: Baked,
}

/// Settings that change what is emitted, as options: `--profit always`.
#[derive(Default)]
pub struct Baked(Vec<(&'static Setting, String)>);

pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let made = &arguments.made;
    let ptxas = match &made.ptxas {
        Some(ptxas) => ptxas.clone(),
        None => Search::from_environment().ptxas(Arch::OLDEST_OF_CUDA_13)?.0,
    };
    let carried = Carried {
        assembler: ptxas,
        settings: made.settings.with_variables()?,
        solver: !made.no_solver,
    };
    let bundle = write(&arguments.output, &carried)?;
    ptxasw_base::tell!("{}: {}\n", arguments.output.display(), bundle.description());
    Ok(())
}

/// Writes a bundle, and says what a user may have to know about it.
pub fn write(path: &Path, carried: &Carried) -> anyhow::Result<Bundle> {
    let missing = bundle::write(path, carried)?;
    if !missing.is_empty() {
        ptxasw_base::say!(
            "ptxasw: warning: `{}` needs libraries that ptxasw is not linked with, so that a distributed build may not send them \
             along: {}",
            carried.assembler.display(),
            missing.join(", ")
        );
    }
    let bundle = Bundle::at(path).map_err(anyhow::Error::from);
    let bundle = bundle.and_then(|bundle| bundle.context("it is not what was written"));
    let bundle = bundle.with_context(|| format!("`{}`", path.display()))?;
    if let Err(error) = bundle.unpack() {
        ptxasw_base::say!(
            "ptxasw: warning: ptxas is unpacked into memory at each call, which takes 30 to 100 ms, because the cache folder \
             cannot be used: {error}"
        );
    }
    Ok(bundle)
}

/// Whether a bundle that is made beside other things takes the solver along: if there is one.
pub fn has_solver(no_solver: bool) -> bool {
    if no_solver {
        return false;
    }
    let loaded = solver::load();
    if let Err(missing) = &loaded {
        ptxasw_base::say!("ptxasw: warning: {missing}; the assembler is made without a solver");
    }
    loaded.is_ok()
}

impl Baked {
    /// The settings by the names of their variables; where an option is not given, that of the environment.
    pub fn with_variables(&self) -> anyhow::Result<BTreeMap<String, String>> {
        for (setting, value) in &self.0 {
            let given = format!("--{}", setting.name);
            Settings::default().give(setting, &given, Some(value))?;
        }
        let mut baked = BTreeMap::new();
        for (variable, value) in config::variables(&[])? {
            let variable = words::canonical_variable(&variable.to_string_lossy());
            let is_setting = words::emission_variable(&variable)
                && variable != Tool::Ptxas.variable()
                && !value.is_empty();
            if is_setting {
                baked.insert(variable, value.to_string_lossy().into_owned());
            }
        }
        Settings::take(
            Vec::new(),
            baked
                .iter()
                .map(|(name, value)| (name.into(), value.into())),
        )?;
        let mut given: BTreeMap<String, String> = BTreeMap::new();
        for (setting, value) in &self.0 {
            match given.entry(words::as_variable(setting.name)) {
                // Only lists are given several times.
                Entry::Occupied(mut list) => list.get_mut().extend([",", value]),
                Entry::Vacant(place) => drop(place.insert(value.clone())),
            }
        }
        baked.extend(given);
        Ok(baked)
    }
}

impl Args for Baked {
    fn augment_args(command: Command) -> Command {
        let option = |setting: &'static Setting| {
            let action = match setting.list {
                true => ArgAction::Append,
                false => ArgAction::Set,
            };
            let argument = options::named(setting)
                .action(action)
                .help_heading("Settings")
                .help(setting.help);
            match setting.is_switch() {
                false => argument.value_name(setting.placeholder),
                true => argument
                    .value_name("0|1")
                    .num_args(0..=1)
                    .require_equals(true)
                    .default_missing_value("1"),
            }
        };
        let mut all: Vec<_> = table::of_bundles().collect();
        all.sort_by_key(|setting| setting.name);
        command.args(all.into_iter().map(option))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Baked::augment_args(command)
    }
}

impl FromArgMatches for Baked {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let given = table::of_bundles().flat_map(|setting| {
            let values = matches.get_many::<String>(setting.name);
            let values = values.into_iter().flatten();
            values.map(move |value| (setting, value.clone()))
        });
        Ok(Baked(given.collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Baked::from_arg_matches(matches)?;
        Ok(())
    }
}
