//! Files that say on their lines what a pass makes of each place; `PTXASW_BLESS=1` writes that anew.
//!
//! ```text
//! ld.global.u32 %r13, [%rd8];   // memory: removed, same as the load @32
//! ld.global.u32 %r11, [%rd5];   // loops: batched, 4 iterations in a batch
//! ```

use crate::launches::of_header;
use ptxasw::executor::Schedule;
use ptxasw::passes::Pass;
use ptxasw::passes::memory::MemoryOptions;
use ptxasw::pipeline::ssa::{self, Passed, Report};
use ptxasw::pipeline::{self, Options};
#[cfg(debug_assertions)]
use ptxasw::support::mutation::{Mutation, with};
use ptxasw::verify::{self, KernelReport, Module, NamedLaunch, Verdict, verify_kernel};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// Files of one kind in some folders of `ptx-tests`.
pub struct Files {
    /// The folder around them.
    pub root: &'static str,
    /// The folders.
    pub folders: &'static [&'static str],
    /// The pass that their lines speak of.
    pub pass: &'static dyn Pass,
    /// How far it goes in a file.
    pub memory: fn(&str) -> MemoryOptions,
}

impl Files {
    /// The path of a file such as `wide/record`.
    pub fn path_of(&self, name: &str) -> PathBuf {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(self.root);
        root.join(name).with_extension("ptx")
    }

    /// Its text.
    pub fn text_of(&self, name: &str) -> String {
        std::fs::read_to_string(self.path_of(name)).expect("the file is there")
    }

    /// All files, by folder and name.
    pub fn names(&self) -> Vec<String> {
        let mut names = Vec::new();
        for folder in self.folders {
            let path = self.path_of(folder).with_extension("");
            let entries = std::fs::read_dir(path).expect("the folder is there");
            let files = entries.map(|entry| entry.expect("an entry").file_name());
            let files =
                files.filter_map(|name| name.to_str()?.strip_suffix(".ptx").map(str::to_owned));
            names.extend(files.map(|file| format!("{folder}/{file}")));
        }
        names.sort();
        names
    }

    /// What the pass makes of a file's text.
    pub fn passed<'t>(&self, name: &str, text: &'t str) -> Passed<pipeline::Module<'t>> {
        passed_by(&[self.pass], text, (self.memory)(name))
    }

    /// Remarks by line, and whether the place is changed; a line of the report is `kernel: line 12: memory: what`.
    fn remarks(&self, name: &str, text: &str) -> BTreeMap<u32, (bool, String)> {
        let passed = self.passed(name, text);
        taken(name, &passed.reports);
        let mark = format!(": {}: ", self.pass.name());
        let mut lines = BTreeMap::new();
        for line in passed.reports.iter().flat_map(Report::lines) {
            let (_, rest) = line.split_once(": line ").expect("it has a line");
            let (number, what) = rest.split_once(&mark).expect("it has a pass");
            let number = number.parse().expect("a number");
            lines.insert(number, (!what.starts_with("kept: "), what.to_owned()));
        }
        lines
    }

    /// A text with its remarks, in place of those that it has.
    fn annotated(&self, name: &str, text: &str) -> String {
        let remarks = self.remarks(name, text);
        let mark = format!(" // {}: ", self.pass.name());
        let mut out = String::new();
        for (number, line) in (1..).zip(text.lines()) {
            let (code, rest) = line.split_once(&mark).unwrap_or((line, ""));
            let (code, rest_of_line) = match rest.split_once(" // ") {
                Some((_, rest_of_line)) => (code, Some(rest_of_line)),
                // What other tests expect of the line follows.
                None => match code.split_once(" // ") {
                    Some((code, rest_of_line)) if code.ends_with(';') => (code, Some(rest_of_line)),
                    _ => (code, None),
                },
            };
            out.push_str(code);
            if let Some((_, what)) = remarks.get(&number) {
                let _ = write!(out, "{mark}{what}");
            }
            if let Some(rest_of_line) = rest_of_line {
                let _ = write!(out, " // {rest_of_line}");
            }
            out.push('\n');
        }
        out
    }

    /// Every file's remarks are those on its lines.
    pub fn decided(&self) {
        let bless = std::env::var_os("PTXASW_BLESS").is_some();
        let mut wrong = Vec::new();
        for name in self.names() {
            let text = self.text_of(&name);
            let found = self.annotated(&name, &text);
            if bless {
                std::fs::write(self.path_of(&name), &found).expect("the file is written");
                continue;
            }
            let lines = text.lines().zip(found.lines());
            let lines = lines.filter(|(one, other)| one != other);
            wrong.extend(lines.map(|(one, other)| format!("{name}\n- {one}\n+ {other}")));
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }

    /// A twin is a file in which nothing may be done; in all others something is. There are so many files at least.
    pub fn twins_stay(&self, least: usize) {
        for name in self.names() {
            let remarks = self.remarks(&name, &self.text_of(&name));
            let done = remarks.values().any(|(done, _)| *done);
            assert_eq!(done, !name.contains("/not-"), "{name}");
        }
        assert!(self.names().len() >= least);
    }

    /// The twins that files name are there.
    pub fn twins_are_there(&self) {
        let names = self.names();
        for name in &names {
            let text = self.text_of(name);
            let twin = text.split("(twin: ").nth(1);
            let twin = twin.and_then(|rest| rest.split(')').next());
            assert!(
                twin.is_none_or(|twin| is_among(&names, twin)),
                "{name}: {twin:?}"
            );
        }
    }

    /// The table of traps below a folder names files that are there; `long` makes names of its abbreviations.
    pub fn table_is_right(&self, readme: &str, long: impl Fn(&str) -> String) {
        let names = self.names();
        let readme = self.path_of(readme).with_extension("md");
        let readme = std::fs::read_to_string(readme).expect("the table is there");
        let (_, table) = readme.split_once("| trap |").expect("a table");
        for row in table.lines().filter(|line| line.starts_with("| ")) {
            let files = row.splitn(3, '|').nth(2).expect("three columns");
            for file in files.split('`').skip(1).step_by(2) {
                assert!(is_among(&names, &long(file)), "{row}: {file}");
            }
        }
    }

    /// Each mutation is seen in what the pass makes of its file; unbroken, results stay.
    #[cfg(debug_assertions)]
    pub fn mutations_are_seen(&self, cases: &[(Mutation, &str)]) {
        for &(mutation, name) in cases {
            let text = self.text_of(name);
            let made = || self.passed(name, &text).text().to_vec();
            let good = made();
            let verdict = compared(&text, &good).verdict;
            assert_eq!(verdict, Verdict::Equal, "{name}, unbroken");
            let broken = with(mutation, made);
            assert!(broken != good, "{mutation:?}, {name}: nothing is broken");
            let verdict = compared(&text, &broken).verdict;
            let is_seen = matches!(
                verdict,
                Verdict::Different(_) | Verdict::UndefinedBehaviour(_)
            );
            assert!(is_seen, "{mutation:?}, {name}: {verdict:?}");
        }
    }
}

/// Whether a file is among others, with or without its folder.
fn is_among(names: &[String], name: &str) -> bool {
    let mut all = names.iter();
    all.any(|own| own == name || own.rsplit_once('/').is_some_and(|(_, file)| file == name))
}

/// What passes make of a text.
pub fn passed_by<'t>(
    passes: &[&'static dyn Pass],
    text: &'t str,
    memory: MemoryOptions,
) -> Passed<pipeline::Module<'t>> {
    let options = Options {
        memory,
        // The switch of mutations counts on one thread only.
        jobs: 1,
        ..Options::of_passes(passes)
    };
    ssa::run(text.as_bytes(), &options).expect("the text is PTX")
}

/// That no patch was refused.
pub fn taken(name: &str, reports: &[Report]) {
    for report in reports {
        assert_eq!(report.refusal(), None, "{name}");
    }
}

/// Lockstep, some adversaries, and the launches of a file's header.
fn options(text: &str) -> verify::Options {
    let independent = (1..=4).map(|seed| Schedule::Independent { seed });
    verify::Options {
        launches: of_header(text),
        schedules: std::iter::once(Schedule::Lockstep)
            .chain(independent)
            .collect(),
        ..verify::Options::default()
    }
}

/// Compares the kernels of two texts: the report of the first that is not equal, else of the last.
pub fn compared(original: &str, other: &[u8]) -> KernelReport {
    let (a, b) = (Module::read(original.as_bytes()), Module::read(other));
    let (a, b) = (a.expect("the original"), b.expect("the rewritten module"));
    let all = options(original);
    let mut last = None;
    for (a, b) in a.kernels().zip(b.kernels()) {
        let mut options = all.clone();
        let is_own = |launch: &NamedLaunch| {
            let named = launch.name.split(' ').next();
            named == Some(&*a.function.name)
        };
        if options.launches.iter().any(is_own) {
            options.launches.retain(is_own);
        }
        let report = verify_kernel(a, b, &options);
        if report.verdict != Verdict::Equal {
            return report;
        }
        last = Some(report);
    }
    last.expect("a kernel")
}
