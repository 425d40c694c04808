//! Modules that say on their lines what a pass makes of each place; `PTXASW_BLESS=1` writes that anew.
//!
//! ```text
//!   %c = load i32, ptr addrspace(1) %p ; memory: removed, same as the load @30
//! ```

#[path = "files/lines.rs"]
mod lines;
#[path = "files/versions.rs"]
pub mod versions;

use inkwell::context::Context;
use ptxasw::Options;
use ptxasw::executor::Schedule;
use ptxasw::executor::launch::parse_line;
use ptxasw::passes::Pass;
use ptxasw::passes::memory::{Loads, MemoryOptions};
use ptxasw::pipeline::ssa::Report;
#[cfg(debug_assertions)]
use ptxasw::support::mutation::{Mutation, with};
#[cfg(debug_assertions)]
use ptxasw::verify::Verdict;
use ptxasw::verify::{self, KernelReport, Module, NamedLaunch, verify_kernel};
use ptxasw_llvm::outputs::{self, Kind};
use ptxasw_llvm::read::read;
use ptxasw_llvm::stage;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// What modules are compiled for.
pub const ARCH: &str = "sm_80";

/// After this line a file has what a command prints.
const EXPECT: &str = "; expect:";

/// The modules of a folder of `llvm-tests`.
pub struct Files {
    /// The folder.
    pub folder: &'static str,
    /// The pass that their lines speak of.
    pub pass: &'static dyn Pass,
    /// How far it goes in a module.
    pub level: fn(&str) -> Loads,
}

/// What passes make of a module.
pub struct Passed {
    /// The module as LLVM prints it, before and after.
    pub texts: [String; 2],
    /// PTX of both, if they differ.
    pub ptx: Option<[Vec<u8>; 2]>,
    pub reports: Vec<Report>,
}

impl Files {
    fn path_of(&self, name: &str) -> PathBuf {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../llvm-tests");
        root.join(self.folder).join(name).with_extension("ll")
    }

    /// All files, without their extension, sorted.
    pub fn names(&self) -> Vec<String> {
        let folder = self.path_of("").with_extension("");
        let entries = std::fs::read_dir(folder).expect("the folder is there");
        let names = entries.map(|entry| entry.expect("an entry").file_name());
        let names = names.filter_map(|name| name.to_str()?.strip_suffix(".ll").map(str::to_owned));
        let mut names: Vec<String> = names.collect();
        names.sort();
        names
    }

    pub fn text_of(&self, name: &str) -> String {
        let text = std::fs::read_to_string(self.path_of(name));
        versions::reworded(&text.expect("the file is there"))
    }

    /// What the pass makes of a module as far as it says.
    pub fn passed(&self, text: &str) -> Passed {
        passed_by(text, &[self.pass], (self.level)(text))
    }

    /// Remarks by line of the file; a line of the report is `kernel: line 12: memory: what @9`.
    fn remarks(&self, text: &str) -> BTreeMap<u32, String> {
        let passed = self.passed(text);
        let [printed, _] = &passed.texts;
        let in_file = lines::in_file(printed, text).expect("the same lines");
        let place = |number: &str| {
            let number = number.parse().expect("a number");
            in_file(number).expect("an instruction")
        };
        let mark = format!(": {}: ", self.pass.name());
        let mut found = BTreeMap::new();
        for line in passed.reports.iter().flat_map(Report::lines) {
            let (_, rest) = line.split_once(": line ").expect("it has a line");
            let (number, what) = rest.split_once(&mark).expect("it has a pass");
            let what = match what.split_once(" @") {
                None => what.to_owned(),
                Some((what, rest)) => {
                    let (number, rest) = rest.split_at(rest.find(';').unwrap_or(rest.len()));
                    format!("{what} @{}{rest}", place(number))
                }
            };
            let all: &mut String = found.entry(place(number)).or_default();
            if !all.is_empty() {
                *all += ", and ";
            }
            *all += &what;
        }
        found
    }

    /// A text with its remarks, in place of those that it has.
    fn annotated(&self, text: &str) -> String {
        let module = text.find(EXPECT).map_or(text, |end| &text[..end]);
        let remarks = self.remarks(module);
        let mark = format!(" ; {}: ", self.pass.name());
        let mut out = String::new();
        for (number, line) in (1..).zip(module.lines()) {
            out += line.split_once(&mark).map_or(line, |(code, _)| code);
            if let Some(what) = remarks.get(&number) {
                let _ = write!(out, "{mark}{what}");
            }
            out.push('\n');
        }
        out + &text[module.len()..]
    }

    /// Every file's remarks are those on its lines.
    pub fn decided(&self) {
        let bless = std::env::var_os("PTXASW_BLESS").is_some();
        let mut wrong = Vec::new();
        for name in self.names() {
            let text = self.text_of(&name);
            let found = self.annotated(&text);
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
            let passed = self.passed(&self.text_of(&name));
            let remarks = passed.reports.iter().flat_map(|report| &report.remarks);
            let done = remarks.filter(|remark| remark.fate.is_done()).count();
            assert_eq!(done > 0, !is_twin(&name), "{name}");
            assert_eq!(passed.ptx.is_some(), !is_twin(&name), "{name}");
        }
        assert!(self.names().len() >= least);
    }

    /// Each mutation is seen in what LLVM makes of its file. Unbroken, the file stays, or results do.
    #[cfg(debug_assertions)]
    pub fn mutations_are_seen(&self, cases: &[(Mutation, &str)]) {
        let mut missed = Vec::new();
        for &(mutation, name) in cases {
            let text = self.text_of(name);
            let good = self.passed(&text);
            match &good.ptx {
                Some(ptx) => assert_eq!(compared(&text, ptx).verdict, Verdict::Equal, "{name}"),
                None => assert!(is_twin(name), "{name}: unbroken, it stays"),
            }
            let broken = with(mutation, || self.passed(&text));
            let Some(ptx) = broken.ptx.filter(|_| broken.texts != good.texts) else {
                missed.push(format!("{mutation:?}, {name}: nothing is broken"));
                continue;
            };
            let verdict = compared(&text, &ptx).verdict;
            let is_seen = matches!(
                verdict,
                Verdict::Different(_) | Verdict::UndefinedBehaviour(_)
            );
            if !is_seen {
                missed.push(format!("{mutation:?}, {name}: {verdict:?}"));
            }
        }
        assert!(missed.is_empty(), "{}", missed.join("\n"));
    }
}

/// Nothing can be done in a file of this name.
pub fn is_twin(name: &str) -> bool {
    name.starts_with("not-")
}

/// Passes alone, at a level.
pub fn options(passes: &[&'static dyn Pass], loads: Loads) -> Options {
    Options {
        memory: MemoryOptions {
            loads,
            ..MemoryOptions::default()
        },
        jobs: 1,
        ..Options::of_passes(passes)
    }
}

/// What passes make of a module.
pub fn passed_by(text: &str, passes: &[&'static dyn Pass], loads: Loads) -> Passed {
    let context = Context::create();
    let module = read(&context, text.as_bytes(), "module").expect("valid");
    let print = || module.print_to_string().to_string();
    let compiled = || outputs::write(&module, Kind::Ptx, Some(ARCH));
    let (before, original) = (print(), compiled());
    let options = options(passes, loads);
    let reports = stage::rewrite_with(&module, &options, &stage::Extras::default())
        .expect("no fault")
        .passes;
    for report in &reports {
        assert_eq!(report.refusal(), None);
    }
    let after = print();
    // What LLVM's code generator does not take stays as it is. That of an older version does not take all of the originals.
    let taken = versions::reads_all() || original.is_ok();
    let ptx = (before != after && taken).then(|| {
        let new = compiled().expect("the new module is compiled");
        [original.expect("the module is compiled"), new]
    });
    Passed {
        texts: [before, after],
        ptx,
        reports,
    }
}

/// Compares the only kernel of two texts, in lockstep and under some adversaries, under the launches of a file's header.
pub fn compared(text: &str, [original, new]: &[Vec<u8>; 2]) -> KernelReport {
    let lines = text
        .lines()
        .filter_map(|line| line.strip_prefix("; launch:"));
    let launches = lines.map(|line| NamedLaunch {
        name: line.trim().to_owned(),
        kernel: None,
        launch: parse_line(line.trim())
            .expect("the launch parses")
            .instantiate()
            .expect("the launch is possible"),
    });
    let independent = (1..=4).map(|seed| Schedule::Independent { seed });
    let options = verify::Options {
        launches: launches.collect(),
        schedules: std::iter::once(Schedule::Lockstep)
            .chain(independent)
            .collect(),
        ..verify::Options::default()
    };
    let read = |text| Module::read(text).expect("PTX");
    let (original, new) = (read(original), read(new));
    let (a, b) = (original.kernels().next(), new.kernels().next());
    verify_kernel(a.expect("its kernel"), b.expect("its kernel"), &options)
}
