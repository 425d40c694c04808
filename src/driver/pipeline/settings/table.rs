//! The settings: one row for each, from which come arguments, variables, keys of files, options of commands, and help.

use super::Settings;
use super::value::{BadValue, Value, number};
use ptxasw_passes::LIST;
use std::fmt;

/// One row of the table of settings.
pub struct Setting {
    /// Its name as an argument and in files; in variables it is in capitals, with `_` for `-`.
    pub name: &'static str,
    /// Other names, from earlier versions and of commands. Of a name of one letter the first is the long one.
    pub aliases: &'static [&'static str],
    /// The placeholder of its value in help, such as `N`; empty for a switch, which takes none.
    pub placeholder: &'static str,
    /// In one sentence, what it does.
    pub help: &'static str,
    /// The same at length.
    pub long_help: Option<fn() -> String>,
    /// What holds where nothing is chosen.
    pub none: &'static str,
    /// The largest number that is accepted; none for no bound but that of its type.
    pub most: Option<u64>,
    /// It may be given several times, and with commas.
    pub list: bool,
    /// Its values may begin with `-`.
    pub signs: bool,
    /// Commands that rewrite have it as an option.
    pub option: bool,
    /// The heading of that option in help, if it has one of its own.
    pub heading: Option<&'static str>,
    /// The short help leaves it out.
    pub rare: bool,
    /// What it has an effect on.
    pub effect: Effect,
    field: Field,
}

/// What a setting has an effect on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// The output: it belongs into digests and bundles.
    Output,
    /// Whether there is an output: bundles have it.
    Failure,
    /// How the output is made, and what is reported.
    Call,
    /// The output, as an option of commands alone.
    Command,
}

/// Where the pipeline keeps what a setting holds.
pub type Lens = fn(&mut crate::pipeline::Options) -> &mut dyn Value;

/// Where a setting is kept.
#[derive(Clone, Copy)]
enum Field {
    /// As the pipeline takes it: these may be chosen for single kernels.
    Options(Lens),
    Settings(fn(&mut Settings) -> &mut dyn Value),
}

use Field::{Options, Settings as Own};

/// All of them, in the order in which commands list them.
static TABLE: [Setting; 33] = [
    output("profit", "PROFIT", Options(|one| &mut one.synthesis.profit))
        .help("Which of the proved shuffles are emitted"),
    output("max-delta", "K", Options(|one| &mut one.synthesis.max_delta))
        .help("Largest distance |N| of a shuffle")
        .most(Some(31))
        .rare(true),
    output("max-shuffles", "N", Own(|one| &mut one.max_shuffles))
        .help("At most so many shuffles in a kernel")
        .effect(Effect::Command)
        .rare(true),
    output("limit", "N", Options(|one| &mut one.limit))
        .help("Only the first N rewritings of a module, in the order of its text")
        .rare(true),
    output("kernel", "GLOB[,!GLOB]", Options(|one| &mut one.kernels))
        .help("Only kernels whose name matches; with `!` in front: none of these")
        .aliases(&["kernels"])
        .list(true)
        .none("all"),
    output("scheme", "SCHEME", Options(|one| &mut one.synthesis.wrapping))
        .help("The scheme of shuffles: where the mask comes from, how the ends of rows are found, what corner lanes do")
        .aliases(&["wrapping"]),
    output("assume", "ASSUME", Own(|one| &mut one.assumed))
        .help("Assumes what cannot be proved; may be given several times")
        .list(true),
    output("space", "SPACE", Own(|one| &mut one.spaces))
        .help("Rewrites loads of this state space, too")
        .list(true)
        .none("global and constant memory"),
    output("arch", "TARGET", Own(|one| &mut one.arch))
        .help("The target, in place of the module's own: sm_90")
        .none("the module's own")
        .effect(Effect::Command),
    output("passes", "NAME,-NAME", Options(|one| &mut one.passes))
        .help("The passes that run: plain names are exactly these; with `-NAME` or `+NAME` among them, all names change the default")
        .long_help(Some(passes))
        .signs(true),
    output("loads", "LEVEL", Options(|one| &mut one.memory.loads))
        .help("How far the pass `memory` goes: each level does what the one before does"),
    output("max-live", "N", Options(|one| &mut one.memory.max_live))
        .help("32-bit registers that loads which the pass `memory` moved up may hold at one time")
        .rare(true),
    output("cost", "COST", Options(|one| &mut one.saturation.cost))
        .help("What the pass `saturate` makes small")
        .rare(true),
    output("extract", "HOW", Options(|one| &mut one.saturation.extraction))
        .help("How the pass `saturate` chooses: for each value by itself, or for small parts of a kernel all together")
        .rare(true),
    output("tuned", "TEXT", Options(|one| &mut one.tuned))
        .help("Choices for single kernels, as `ptxasw tune` makes them: `KERNEL[@sm_N] NAME[=VALUE] ...`, kernels separated by `;`. The first that fits counts")
        .rare(true),
    output("raise-version", SWITCH, Options(|one| &mut one.raise_version))
        .help("Raises a `.version` that is too old for shuffles"),
    call("config", "FILE", Own(|one| &mut one.config))
        .help("The settings file, in place of the nearest `ptxasw.toml` above the working directory; `none` for none")
        .none("the nearest")
        .option(true),
    limit("solver-limit", Options(|one| &mut one.solver.rlimit))
        .help("Resource limit of Z3 for a query, in its own unit (`rlimit`); 0: none"),
    limit("solver-gates", Own(|one| &mut one.solver_gates))
        .help("Gates of the largest circuit that Z3 is asked about: by default 500, with `--profit always` 100000"),
    limit("solver-queries", Options(|one| &mut one.synthesis.limits.queries))
        .help("Pairs of loads of a kernel that Z3 decides at most"),
    limit("max-instructions", Options(|one| &mut one.synthesis.limits.instructions))
        .help("A kernel of more instructions is left alone"),
    limit("max-terms", Options(|one| &mut one.synthesis.limits.terms))
        .help("A kernel whose values have more symbolic terms is left alone"),
    limit("max-steps", Options(|one| &mut one.synthesis.limits.steps))
        .help("Steps that the proofs of a kernel may take: by default 65536 and 8 for each of its terms")
        .none("in proportion to the kernel"),
    call("j", "N", Options(|one| &mut one.jobs))
        .help("Threads; 0 for as many as there are processors")
        .aliases(&["jobs"])
        .none("as many as there are processors")
        .option(true),
    call("no-cache", SWITCH, Own(|one| &mut one.no_cache))
        .help("Runs `ptxas` even where the cache has what it made"),
    call("no-register-check", SWITCH, Own(|one| &mut one.no_register_check))
        .help("Keeps rewritten kernels that lose warps by their registers, or spill")
        .effect(Effect::Output),
    call("off", SWITCH, Own(|one| &mut one.off))
        .help("Nothing is rewritten")
        .effect(Effect::Output),
    call("remarks", "FILE", Own(|one| &mut one.remarks))
        .help("Appends a remark for each load: in LLVM's format for `.yaml` (for `opt-viewer`), else one JSON object a line"),
    call("save-temps", "DIR", Own(|one| &mut one.save_temps))
        .help("Keeps inputs and rewritten texts in this folder"),
    call("stats", SWITCH, Own(|one| &mut one.stats))
        .help("Prints a table: what was rewritten, what was not and why, and what it took"),
    call("strict", SWITCH, Own(|one| &mut one.strict))
        .help("A failure of ptxasw is an error")
        .effect(Effect::Failure),
    call("verbose", SWITCH, Own(|one| &mut one.verbose))
        .help("Prints one line for each module; without it nothing is printed but failures"),
    call("verify", SWITCH, Own(|one| &mut one.verify))
        .help("Compares each rewritten kernel with its original on the CPU, and keeps the original where anything differs")
        .effect(Effect::Output),
];

/// The settings that arguments, variables and files have.
pub fn all() -> impl Iterator<Item = &'static Setting> {
    TABLE.iter().filter(|one| one.effect != Effect::Command)
}

/// The settings that are options of the commands which rewrite.
pub fn of_commands() -> impl Iterator<Item = &'static Setting> {
    TABLE.iter().filter(|one| one.option)
}

/// The settings that bundles fix.
pub fn of_bundles() -> impl Iterator<Item = &'static Setting> {
    all().filter(|one| one.effect != Effect::Call)
}

/// All names, other names of the same settings among these.
pub fn names() -> impl Iterator<Item = &'static str> {
    all().flat_map(|one| one.aliases.iter().copied().chain([one.name]))
}

/// A setting by one of its names.
pub fn named(name: &str) -> Option<&'static Setting> {
    all().find(|one| one.name == name || one.aliases.contains(&name))
}

impl Setting {
    /// Sets it.
    ///
    /// # Errors
    /// The text is not a value of it.
    pub fn read(&self, settings: &mut Settings, text: &str) -> Result<(), BadValue> {
        if let Some(most) = self.most {
            number(text, most)?;
        }
        self.value(settings).read(text)
    }

    /// Whether a text is a value of it.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn check(&self, text: &str) -> Result<(), BadValue> {
        self.read(&mut Settings::default(), text)
    }

    /// What it holds.
    pub fn value<'s>(&self, settings: &'s mut Settings) -> &'s mut dyn Value {
        match self.field {
            Options(lens) => lens(&mut settings.options),
            Own(lens) => lens(settings),
        }
    }

    /// Where the pipeline has it, if it may differ from kernel to kernel.
    pub fn lens(&self) -> Option<Lens> {
        match self.field {
            Options(lens) => Some(lens),
            Own(_) => None,
        }
    }

    /// Its name as an option of commands: no single letter.
    pub fn long(&self) -> &'static str {
        match self.aliases {
            [long, ..] if self.name.len() == 1 => long,
            _ => self.name,
        }
    }

    /// Whether it may be given without a value.
    pub fn is_switch(&self) -> bool {
        self.placeholder == SWITCH
    }
}

impl fmt::Debug for Setting {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// The placeholder of a switch, which takes no value.
const SWITCH: &str = "";

/// A setting that the output depends on, an option of commands.
const fn output(name: &'static str, placeholder: &'static str, field: Field) -> Setting {
    call(name, placeholder, field)
        .effect(Effect::Output)
        .option(true)
        .heading(Some("What is rewritten"))
}

/// A limit on what is spent.
const fn limit(name: &'static str, field: Field) -> Setting {
    let limit = output(name, "N", field).heading(Some("Limits"));
    limit.rare(true)
}

/// A setting of how the output is made, no option of the commands that rewrite.
const fn call(name: &'static str, placeholder: &'static str, field: Field) -> Setting {
    Setting {
        name,
        aliases: &[],
        placeholder,
        help: "",
        long_help: None,
        none: "none",
        most: None,
        list: false,
        signs: false,
        option: false,
        heading: None,
        rare: false,
        effect: Effect::Call,
        field,
    }
}

macro_rules! columns {
    ($($column:ident: $type:ty),*) => {
        impl Setting {$(
            const fn $column(mut self, $column: $type) -> Self {
                self.$column = $column;
                self
            }
        )*}
    };
}

columns!(
    aliases: &'static [&'static str],
    help: &'static str,
    long_help: Option<fn() -> String>,
    none: &'static str,
    most: Option<u64>,
    list: bool,
    signs: bool,
    option: bool,
    heading: Option<&'static str>,
    rare: bool,
    effect: Effect
);

/// The help of `passes`, with the list.
fn passes() -> String {
    let mut help = String::from(
        "The passes that run, in the order of this list. Plain names are exactly these; with `-NAME` or `+NAME` among them, \
         all names change the default: they add to it, or with `-` take from it.\n",
    );
    for one in LIST {
        let default = if one.default { " (default)" } else { "" };
        help += &format!("\n- {}{default}: {}", one.pass.name(), one.what);
    }
    help
}
