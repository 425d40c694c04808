//! One file of `ptx-tests/` or `llvm-tests/`: its header, the module, what is expected. Comments of LLVM IR begin with `;`.

use std::path::{Path, PathBuf};
use std::{env, fs};

use ptxasw::shuffle::synthesis;
use ptxasw::warp::launch::{LaunchSpec, parse_line};

/// The comment from which on a file holds expectations.
const EXPECT: &str = "expect:";

/// The comment of a kernel that only independent lanes get through.
const LOCKSTEP_DEADLOCKS: &str = "lockstep: deadlock";

/// What a case runs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Mode {
    /// `// ptxasw: parse`: the module is wrong, its diagnostic is expected.
    Parse,
    /// `// ptxasw: syntax`: all forms of the grammar, without a meaning: no more than parsed.
    Syntax,
    /// `// ptxasw: opt [OPTIONS]`: the module is right, and the command's output is expected.
    Opt(Vec<String>),
    /// `// ptxasw: explain [OPTIONS]`: the module is right, and the command's remarks are expected.
    Explain(Vec<String>),
    /// `; ptxasw: dump`: the SSA IR of the module is expected.
    Dump,
    /// `// ptxasw: run OPTIONS`: the module is right; what the command prints and its exit code are expected. Words in
    /// single quotes are one option.
    Run(Vec<String>),
    /// No such line: the module is right.
    Module,
}

impl Mode {
    fn parse(line: &str) -> Result<Mode, String> {
        let mut words = line.split_whitespace();
        let name = words.next().unwrap_or_default();
        let options: Vec<String> = words.map(str::to_owned).collect();
        match (name, options.is_empty()) {
            ("parse", true) => Ok(Mode::Parse),
            ("syntax", true) => Ok(Mode::Syntax),
            ("opt", _) => Ok(Mode::Opt(options)),
            ("dump", true) => Ok(Mode::Dump),
            ("explain", _) => Ok(Mode::Explain(options)),
            ("run", _) => Ok(Mode::Run(quoted(
                line.split_once("run").unwrap_or_default().1,
            ))),
            _ => Err(format!("unknown mode '{}'", line.trim())),
        }
    }

    /// The module has a meaning: all stages go over it.
    pub fn is_module(&self) -> bool {
        !matches!(self, Mode::Parse | Mode::Syntax)
    }
}

/// Words at blanks, and what stands in single quotes as one.
fn quoted(line: &str) -> Vec<String> {
    let mut options = Vec::new();
    for (number, part) in line.split('\'').enumerate() {
        match number % 2 {
            0 => options.extend(part.split_whitespace().map(str::to_owned)),
            _ => options.push(part.to_owned()),
        }
    }
    options
}

/// A file of `ptx-tests/`.
#[derive(Debug)]
pub struct Case {
    /// The path below `ptx-tests/`, without its extension.
    pub name: String,
    /// What is run.
    pub mode: Mode,
    /// The launches that execute its kernels.
    pub launches: Vec<LaunchSpec>,
    /// The kernel needs lanes that take turns, and lockstep must deadlock.
    pub lockstep_deadlocks: bool,
    /// The files that it names as its twins, by their paths below `ptx-tests/`, without extension.
    pub twins: Vec<String>,
    /// The file up to its expectations.
    pub text: String,
    /// Where it is.
    pub path: PathBuf,
    /// What comments begin with.
    mark: &'static str,
    /// The expectations, without comment marks.
    expected: String,
}

impl Case {
    /// Reads a file below `root`.
    pub fn load(root: &Path, path: &Path) -> Result<Case, String> {
        let whole =
            fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
        let mark = match path.extension().is_some_and(|extension| extension == "ll") {
            true => ";",
            false => "//",
        };
        let (text, block) = match whole.find(&format!("\n{mark} {EXPECT}\n")) {
            Some(end) => whole.split_at(end + 1),
            None => (whole.as_str(), ""),
        };
        let mut mode = Mode::Module;
        let mut launches = Vec::new();
        let mut lockstep_deadlocks = false;
        let mut named = None;
        let comments = text.lines().map_while(|line| line.strip_prefix(mark));
        for line in comments.map(|line| line.strip_prefix(' ').unwrap_or(line)) {
            if let Some(words) = line.strip_prefix("ptxasw:") {
                mode =
                    Mode::parse(words).map_err(|error| format!("{}: {error}", path.display()))?;
            } else if let Some(launch) = line.strip_prefix("launch:") {
                launches.push(
                    parse_line(launch).map_err(|error| format!("{}: {error}", path.display()))?,
                );
            } else if line == LOCKSTEP_DEADLOCKS {
                lockstep_deadlocks = true;
            }
            named = named.or_else(|| split_twin(line).1);
        }
        // A file beside this one, or in a folder that is named.
        let below = |twin: &str| match twin.contains('/') {
            true => twin.to_owned(),
            false => {
                let beside = path.with_file_name(twin);
                let beside = beside.strip_prefix(root).unwrap_or(&beside);
                beside.to_string_lossy().into_owned()
            }
        };
        let named = named.into_iter().flat_map(|names| names.split(", "));
        let twins = named.map(below).collect();
        let name = path.strip_prefix(root).unwrap_or(path).with_extension("");
        Ok(Case {
            name: name.to_string_lossy().into_owned(),
            mode,
            launches,
            lockstep_deadlocks,
            twins,
            text: text.to_owned(),
            path: path.to_owned(),
            mark,
            expected: uncomment(block, mark),
        })
    }

    /// A compiler wrote it.
    pub fn is_generated(&self) -> bool {
        self.text.contains("\n// Generated by ")
    }

    /// Options of the command that decide which loads are covered and leave results right, as the library takes them.
    pub fn synthesis(&self) -> synthesis::Options {
        let words = match &self.mode {
            Mode::Opt(words) | Mode::Explain(words) => words.as_slice(),
            _ => &[],
        };
        let given = |option: &str| words.iter().any(|word| word == option);
        synthesis::Options {
            shared: given("--space=shared"),
            assume_no_alias: given("--assume=noalias"),
            ..Default::default()
        }
    }

    /// Compares with the expectations, or writes them anew.
    pub fn compare(&self, actual: &str) -> Result<(), String> {
        if actual.trim_end() == self.expected.trim_end() {
            return Ok(());
        }
        if env::var_os("PTXASW_BLESS").is_some() {
            let mark = self.mark;
            let blessed = format!("{}{mark} {EXPECT}\n{}", self.text, comment(actual, mark));
            return fs::write(&self.path, blessed)
                .map_err(|error| format!("{}: {error}", self.path.display()));
        }
        Err(format!(
            "expected\n{}\nfound\n{actual}\n('make bless' accepts what was found)",
            self.expected
        ))
    }
}

/// A line of a header without the `(twin: NAME)` at its end, and the names in it.
pub fn split_twin(line: &str) -> (&str, Option<&str>) {
    let parts = line.split_once(" (twin: ");
    let parts = parts.and_then(|(rest, twin)| Some((rest, twin.strip_suffix(')')?)));
    parts.map_or((line, None), |(rest, twin)| (rest, Some(twin)))
}

fn comment(text: &str, mark: &str) -> String {
    text.lines()
        .map(|line| format!("{}\n", format!("{mark} {line}").trim_end()))
        .collect()
}

fn uncomment(block: &str, mark: &str) -> String {
    block
        .lines()
        .skip(1)
        .map(|line| {
            let rest = line.strip_prefix(mark);
            rest.map_or(line, |rest| rest.strip_prefix(' ').unwrap_or(rest))
        })
        .flat_map(|line| [line, "\n"])
        .collect()
}
