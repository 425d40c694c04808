//! One file of `ptx-tests/` or `llvm-tests/`: its header, the module, what is expected. Comments of LLVM IR begin with `;`.

use std::path::{Path, PathBuf};
use std::{env, fs};

use crate::files::compare::{SMALL, soak};
use crate::files::remarks::{self, Lines};
use ptxasw::executor::launch::{LaunchSpec, parse_line};
use ptxasw::passes::shuffle::plan::Wrapping;
use ptxasw::passes::shuffle::synthesis;

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
    /// `// ptxasw: remarks [OPTIONS]`: the module is right, and what becomes of its loads is expected, see [`remarks`].
    Remarks(Vec<String>),
    /// `// ptxasw: explain [OPTIONS]`: the module is right, and the command's whole text is expected. About twenty files that
    /// show every kind of remark have this; verdicts alone are for `remarks`.
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
            ("remarks", _) => Ok(Mode::Remarks(options)),
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

/// Folders of about thirty files that are rewritten by all schemes, as they are in PTX and in LLVM IR.
const OF_SCHEMES: [(&str, &str); 3] = [("//", "wrapping/"), ("//", "wrappings/"), (";", "copies/")];

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
    /// The file without its expectations.
    pub text: String,
    /// Where it is.
    pub path: PathBuf,
    /// What comments begin with.
    mark: &'static str,
    /// The expectations in a block at the end, without comment marks; none if there is no such block.
    expected: Option<String>,
    /// Those at the ends of lines, or of that block.
    remarks: Lines,
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
            Some(end) => {
                let (text, block) = whole.split_at(end + 1);
                (text, Some(uncomment(block, mark)))
            }
            None => (whole.as_str(), None),
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
        let (text, remarks) = match (&mode, &block) {
            (Mode::Remarks(_), None) => remarks::strip(text, mark),
            (Mode::Remarks(_), Some(block)) => (text.to_owned(), remarks::of_block(block)),
            _ => (text.to_owned(), Lines::new()),
        };
        Ok(Case {
            name: name.to_string_lossy().into_owned(),
            mode,
            launches,
            lockstep_deadlocks,
            twins,
            text,
            path: path.to_owned(),
            mark,
            expected: block,
            remarks,
        })
    }

    /// A compiler wrote it.
    pub fn is_generated(&self) -> bool {
        self.text.contains("\n// Generated by ")
    }

    /// The schemes that its module is rewritten by: the rule's own choice, and the one that its header names. In a soak test, and
    /// for files of [`OF_SCHEMES`], all.
    pub fn schemes(&self) -> Vec<Option<Wrapping>> {
        let folders = OF_SCHEMES.iter().filter(|(mark, _)| *mark == self.mark);
        let mut folders = folders.map(|(_, folder)| folder);
        if soak() || folders.any(|folder| self.name.starts_with(folder)) {
            let large = [Wrapping::Row, Wrapping::AnyRow];
            let all = match self.text.len() <= SMALL {
                true => &Wrapping::ALL[..],
                false => &large,
            };
            return std::iter::once(None)
                .chain(all.iter().copied().map(Some))
                .collect();
        }
        let words = self.words();
        let named = words.iter().position(|word| word == "--wrapping");
        let named = named.and_then(|at| words.get(at + 1));
        let named = Wrapping::ALL
            .into_iter()
            .find(|one| named.is_some_and(|name| name == one.name()));
        std::iter::once(None).chain(named.map(Some)).collect()
    }

    /// The options of its command.
    fn words(&self) -> &[String] {
        match &self.mode {
            Mode::Opt(words) | Mode::Explain(words) | Mode::Remarks(words) => words.as_slice(),
            _ => &[],
        }
    }

    /// Options of the command that decide which loads are covered and leave results right, as the library takes them.
    pub fn synthesis(&self) -> synthesis::Options {
        let words = self.words();
        let given = |option: &str| words.iter().any(|word| word == option);
        synthesis::Options {
            shared: given("--space=shared"),
            assume_no_alias: given("--assume=noalias"),
            ..Default::default()
        }
    }

    /// Compares with the expectations, or writes them anew.
    pub fn compare(&self, actual: &str) -> Result<(), String> {
        let expected = self.expected.as_deref().unwrap_or_default();
        if actual.trim_end() == expected.trim_end() {
            return Ok(());
        }
        if env::var_os("PTXASW_BLESS").is_some() {
            return self.write(&self.with_block(actual));
        }
        Err(format!(
            "expected\n{expected}\nfound\n{actual}\n('make bless' accepts what was found)"
        ))
    }

    /// Compares what became of the loads with the expectations, or writes those anew.
    pub fn compare_remarks(&self, found: &Lines) -> Result<(), String> {
        if self.remarks == *found {
            return Ok(());
        }
        if env::var_os("PTXASW_BLESS").is_some() {
            return self.write(&match self.expected {
                Some(_) => self.with_block(&remarks::block(found)),
                None => remarks::annotated(&self.text, found, self.mark),
            });
        }
        let difference = remarks::difference(&self.remarks, found);
        Err(format!("{difference}('make bless' accepts what was found)"))
    }

    fn with_block(&self, expected: &str) -> String {
        let mark = self.mark;
        format!("{}{mark} {EXPECT}\n{}", self.text, comment(expected, mark))
    }

    fn write(&self, whole: &str) -> Result<(), String> {
        fs::write(&self.path, whole).map_err(|error| format!("{}: {error}", self.path.display()))
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
