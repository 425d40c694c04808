//! Settings as options of the commands that rewrite.

use super::targets;
use clap::builder::{
    NonEmptyStringValueParser, PossibleValue, PossibleValuesParser, TypedValueParser,
};
use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches, ValueHint};
use ptxasw_base::named::Named;
use ptxasw_base::threads::MAX_JOBS;
use ptxasw_driver::pipeline::Options;
use ptxasw_driver::pipeline::settings::Settings;
use ptxasw_driver::pipeline::settings::table::{self, Setting};
use ptxasw_machine::toolchain::{Arch, ToolchainError};
use ptxasw_passes::shuffle::lower::Variant;
use ptxasw_passes::shuffle::synthesis;

/// The setting that names the target.
pub const ARCH: &str = "arch";

/// What is covered, and how.
pub struct SynthesisArguments {
    settings: Settings,
    /// All that `--arch` names, where a command takes several.
    archs: Vec<String>,
}

impl SynthesisArguments {
    /// Threads; 0 for as many as there are processors.
    pub fn jobs(&self) -> usize {
        self.settings.options.jobs.min(MAX_JOBS)
    }

    /// The target in place of the module's own: `sm_90a`.
    pub fn arch(&self) -> Option<&str> {
        self.settings.arch()
    }

    /// As [`arch`](Self::arch), all of them where the command takes several: the first is rewritten for.
    ///
    /// # Errors
    /// A name is none of a target.
    pub fn archs(&self) -> Result<Vec<Arch>, ToolchainError> {
        let mut archs: Vec<Arch> = Vec::new();
        for name in &self.archs {
            let arch = name.parse()?;
            if !archs.contains(&arch) {
                archs.push(arch);
            }
        }
        Ok(archs)
    }

    /// Warns of targets of `--arch` beyond the first that are later than those known.
    ///
    /// # Errors
    /// Nobody knows one of them.
    pub fn check_archs(&self, quiet: bool) -> anyhow::Result<()> {
        let mut others = self.archs.iter().skip(1);
        others.try_for_each(|name| targets::check_option(name, quiet))
    }

    /// The names of what is assumed, as `--assume` takes them.
    pub fn assumed(&self) -> impl Iterator<Item = &'static str> {
        self.settings.assumed.iter().map(|one| one.name())
    }

    /// As the pipeline takes them.
    pub fn options(&self, variant: Variant, certificates: bool) -> Options {
        let options = self.settings.options(None, false);
        Options {
            synthesis: synthesis::Options {
                certificates,
                variant,
                only_text: false,
                ..options.synthesis
            },
            ..options
        }
    }
}

impl Args for SynthesisArguments {
    fn augment_args(command: Command) -> Command {
        let mut usual = Settings::default();
        command.args(table::of_commands().map(|setting| option(setting, &mut usual)))
    }

    fn augment_args_for_update(command: Command) -> Command {
        SynthesisArguments::augment_args(command)
    }
}

impl FromArgMatches for SynthesisArguments {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut settings = Settings::default();
        let is_given =
            |one: &&Setting| matches.value_source(one.name) == Some(ValueSource::CommandLine);
        for setting in table::of_commands().filter(is_given) {
            let given: Vec<&str> = match setting.is_switch() {
                true => vec!["1"],
                false => {
                    let texts = matches.get_many::<String>(setting.name);
                    let most = if setting.list { usize::MAX } else { 1 };
                    let texts = texts.into_iter().flatten().take(most);
                    texts.map(String::as_str).collect()
                }
            };
            let read = given
                .into_iter()
                .try_for_each(|text| setting.read(&mut settings, text));
            read.map_err(|error| clap::Error::raw(ErrorKind::ValueValidation, error))?;
        }
        let archs = matches.get_many::<String>(ARCH).into_iter().flatten();
        let given = matches.value_source(ARCH) == Some(ValueSource::CommandLine);
        Ok(SynthesisArguments {
            settings,
            archs: archs.filter(|_| given).cloned().collect(),
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = SynthesisArguments::from_arg_matches(matches)?;
        Ok(())
    }
}

/// The option for the target of a command that takes several; `without` is what it means to leave it out.
pub fn several(arch: Arg, without: &str) -> Arg {
    let help = "The targets, the first one in place of the module's own: machine code is made and times are found for all of them; without \
                this option for ";
    arch.alias("gpu")
        .action(ArgAction::Append)
        .value_delimiter(',')
        .value_name("LIST")
        .help(format!("{help}{without}"))
}

/// A setting as an option; `usual` has the default.
fn option(setting: &'static Setting, usual: &mut Settings) -> Arg {
    let option = named(setting)
        .help(setting.help)
        .help_heading(setting.heading)
        .hide_short_help(setting.rare);
    let option = match setting.long_help {
        Some(text) => option.long_help(text()),
        None => option,
    };
    if setting.is_switch() {
        return option.action(ArgAction::SetTrue);
    }
    let value = setting.value(usual);
    let names = value.names();
    let option = match names.is_empty() {
        false => option.value_parser(values(names)).ignore_case(true),
        true if setting.placeholder == "FILE" => option
            .value_parser(NonEmptyStringValueParser::new())
            .value_hint(ValueHint::AnyPath),
        true => option.value_parser(|text: &str| setting.check(text).map(|()| text.to_owned())),
    };
    let option = match setting.list {
        true => option.action(ArgAction::Append).value_delimiter(','),
        false => option.action(ArgAction::Set),
    };
    option
        .default_values(value.text())
        .value_name(setting.placeholder)
        .allow_hyphen_values(setting.signs)
}

/// An option by the names of a setting.
pub(super) fn named(setting: &'static Setting) -> Arg {
    let option = Arg::new(setting.name).long(setting.long());
    let aliases = setting
        .aliases
        .iter()
        .filter(|name| **name != setting.long());
    let option = option.aliases(aliases);
    match setting.name.as_bytes() {
        [letter] => option.short(char::from(*letter)),
        _ => option,
    }
}

/// Names, each with what it means.
fn values(names: Vec<(&'static str, &'static str)>) -> PossibleValuesParser {
    let names = names.into_iter();
    PossibleValuesParser::new(names.map(|(name, what)| PossibleValue::new(name).help(what)))
}

/// The names of a type's values, for options that are no settings.
pub fn by_name<T: Named + Send + Sync>() -> impl TypedValueParser<Value = T> {
    let names = T::NAMES.iter();
    let names = names.map(|(name, _, what)| (*name, *what)).collect();
    values(names).try_map(|name| T::named(&name).ok_or("unknown name"))
}
