//! What earlier runs did to the functions of a module, as their output records: a pass that it names does not run again.
//!
//! An output is recognised by a line in each function that was rewritten ([`ptxasw_ptx::text::mark`]; in LLVM IR an attribute):
//!
//! ```text
//! // ptxasw 1: loops memory(loads=batches) shuffle
//! ```
//!
//! It has the number of its format, and the passes that were to run, in their order, with their options. Where comments are lost, new
//! names are left, which do not show which passes made them: then all passes count as done.

use super::Options;
use memchr::memmem;
use ptxasw_base::named::Named;
use ptxasw_passes::Pass;
use ptxasw_passes::saturate::SaturationOptions;
use ptxasw_passes::shuffle::Shuffle;
use ptxasw_passes::shuffle::refusal::{Refusal, limit};
use ptxasw_ptx::ast::{self, Item};
use ptxasw_ptx::text::{mark, registers};
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

/// The number of the format that is written.
const FORMAT: &str = "1";

/// What an output records about one of its functions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mark {
    /// Passes in the order in which they ran, with their options.
    passes: Vec<(String, String)>,
    /// It does not record which passes ran.
    unknown: bool,
}

impl Mark {
    /// Reads what the line or the attribute records.
    pub fn read(said: &str) -> Self {
        let known = said.split_once(':').filter(|(format, _)| *format == FORMAT);
        let passes = known.and_then(|(_, passes)| passes.split_whitespace().map(pass).collect());
        Mark {
            unknown: passes.is_none(),
            passes: passes.unwrap_or_default(),
        }
    }

    /// What is recorded about a function of a module, if it was rewritten.
    pub fn of(module: &ast::Module, function: &ast::Function) -> Option<Self> {
        let body = function.body.as_ref()?;
        let unknown = || Mark {
            unknown: true,
            ..Mark::default()
        };
        match mark::find(module, body) {
            Some((_, said)) => Some(Mark::read(said)),
            None => registers::has_made_names(module, body).then(unknown),
        }
    }

    /// Whether a pass has run.
    pub fn names(&self, pass: &str) -> bool {
        self.unknown || self.passes.iter().any(|(name, _)| name == pass)
    }

    /// With the passes that run on a function under its own options, as far as they are not named; each has the options of its
    /// first run.
    pub fn with_passes(mut self, options: &Options, function: &str) -> Self {
        for pass in options.passes.names() {
            if !self.names(pass) {
                let details = details(pass, options, function);
                self.passes.push((pass.to_owned(), details));
            }
        }
        self
    }
}

/// `memory(loads=bulk)`: a name, and options.
fn pass(word: &str) -> Option<(String, String)> {
    match word.split_once('(') {
        Some((name, rest)) => Some((name.to_owned(), rest.strip_suffix(')')?.to_owned())),
        None => Some((word.to_owned(), String::new())),
    }
}

/// The options of a pass that decide what becomes of a function, where others would make another one.
fn details(pass: &str, options: &Options, function: &str) -> String {
    match pass {
        "memory" => {
            let memory = options.memory_of(function);
            let assumed = if memory.assumed.no_alias {
                ",noalias"
            } else {
                ""
            };
            format!("loads={}{assumed}", memory.loads.name())
        }
        "saturate" => {
            let SaturationOptions {
                cost, extraction, ..
            } = options.saturation;
            format!("cost={},extract={}", cost.name(), extraction.name())
        }
        _ => String::new(),
    }
}

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{FORMAT}:")?;
        for (name, details) in &self.passes {
            match details.is_empty() {
                true => write!(f, " {name}")?,
                false => write!(f, " {name}({details})")?,
            }
        }
        Ok(())
    }
}

/// What a module records about its functions.
#[derive(Clone, Debug, Default)]
pub struct Marks(FxHashMap<Box<str>, Mark>);

impl FromIterator<(Box<str>, Mark)> for Marks {
    fn from_iter<I: IntoIterator<Item = (Box<str>, Mark)>>(all: I) -> Self {
        Marks(all.into_iter().collect())
    }
}

impl Marks {
    /// Of a parsed module.
    pub fn of(module: &ast::Module) -> Self {
        let functions = module.items.iter().filter_map(|item| match item {
            Item::Function(function) => Some(function),
            _ => None,
        });
        let marked =
            |one: &ast::Function| Some((module.str(one.name).into(), Mark::of(module, one)?));
        functions.filter_map(marked).collect()
    }

    /// Of one function, if it was rewritten.
    pub fn get(&self, function: &str) -> Option<&Mark> {
        self.0.get(function)
    }

    /// How many functions were rewritten.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether nothing was rewritten.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Options {
    /// Those for a text, of which the passes that it names do not run again. All that is done to a text is done under these, as what
    /// the first passes leave names the later ones, too.
    pub fn of_module(&self, module: &ast::Module) -> Cow<'_, Self> {
        let ours = || memmem::find(module.text(), registers::STEM.as_bytes()).is_some();
        self.marked(|| match ours() {
            true => Marks::of(module),
            false => Marks::default(),
        })
    }

    /// Those for a module with these marks, unless they have some.
    pub fn marked(&self, marks: impl FnOnce() -> Marks) -> Cow<'_, Self> {
        match &self.marks {
            Some(_) => Cow::Borrowed(self),
            None => Cow::Owned(Options {
                marks: Some(Arc::new(marks())),
                ..self.clone()
            }),
        }
    }

    /// What the input records about a function.
    pub fn mark(&self, function: &str) -> Option<&Mark> {
        self.marks.as_ref()?.get(function)
    }

    /// Why no shuffles are looked for in a function: an earlier run has looked.
    pub fn rewritten(&self, function: &str) -> Option<Refusal> {
        let mark = self.mark(function)?;
        let names: Vec<&str> = mark.passes.iter().map(|(name, _)| &**name).collect();
        let names = match mark.unknown {
            true => "its names say so".to_owned(),
            false => names.join(", "),
        };
        let done = mark.names(Shuffle.name());
        done.then(|| Refusal::new(&limit::REWRITTEN).with(names))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ptxasw_passes::Passes;
    use ptxasw_passes::memory::Loads;
    use ptxasw_ptx::parse;

    fn run(passes: &str) -> Options {
        Options {
            passes: passes.parse().expect("names of passes"),
            ..Options::default()
        }
    }

    #[test]
    fn marks_are_read_back() {
        let mut options = run("memory,saturate,shuffle");
        options.memory.loads = Loads::Checked;
        options.memory.assumed.no_alias = true;
        let mark = Mark::default().with_passes(&options, "k");
        let text = "1: memory(loads=checked,noalias) saturate(cost=target,extract=greedy) shuffle";
        assert_eq!(mark.to_string(), text);
        let read = Mark::read(text);
        assert_eq!(read, mark);
        assert!(
            ["memory", "saturate", "shuffle"]
                .iter()
                .all(|pass| read.names(pass))
        );
        assert!(!read.names("scalar") && !Mark::read("1:").names("memory"));
    }

    #[test]
    fn what_is_not_understood_names_every_pass() {
        for said in [
            "",
            "2: memory",
            "1",
            "1: memory(loads=bulk",
            ": memory",
            "one: memory",
        ] {
            let mark = Mark::read(said);
            assert!(mark.names("shuffle") && mark.names("scalar"), "{said}");
        }
    }

    #[test]
    fn a_later_run_adds_its_passes() {
        let first = Mark::default().with_passes(&run("memory"), "k");
        let mut later = run("memory,scalar,shuffle");
        later.memory.loads = Loads::Proofs;
        let both = first.with_passes(&later, "k");
        assert_eq!(both.to_string(), "1: memory(loads=batches) scalar shuffle");
        let unchanged = both.clone().with_passes(&run("scalar"), "k");
        assert_eq!(unchanged, both);
    }

    fn names(options: &Options, function: &str) -> String {
        let options = options.of_function(function, None);
        let names: Vec<&str> = options.passes.names().collect();
        names.join(" ")
    }

    /// A mark, names without a mark, an unknown format, and a kernel of somebody else.
    #[test]
    fn passes_of_earlier_runs_do_not_run() {
        let body = |lines: &str| format!("{{\n{lines}\tret;\n}}\n");
        let text = [
            (
                ".entry marked()",
                "\t// ptxasw 1: memory(loads=bulk)\n\t.reg .b32 %ptxaswp_r<2>;\n",
            ),
            (
                ".entry named()",
                "\t.reg .b32 %r<3>;\n\t.reg .pred %ptxaswp1_p<2>;\n",
            ),
            (".entry labelled()", "$ptxasw_0_1:\n"),
            (".entry later()", "\t// ptxasw 2: memory\n"),
            (
                ".entry plain()",
                "\t// ptxasw was here\n\t.reg .b32 %ptxas_r<2>, %ptxasw;\n",
            ),
        ];
        let text = text
            .map(|(head, lines)| format!("{head}\n{}", body(lines)))
            .concat();
        let text = format!(".version 8.0\n.target sm_80\n.address_size 64\n{text}");
        let all = Options {
            passes: Passes::default(),
            ..Options::default()
        };
        let module = parse(text.as_bytes()).expect("it is PTX");
        let options = all.of_module(&module);
        assert_eq!(names(&options, "marked"), "loops shuffle");
        for done in ["named", "labelled", "later"] {
            assert_eq!(names(&options, done), "", "{done}");
            assert!(options.rewritten(done).is_some(), "{done}");
        }
        assert_eq!(names(&options, "plain"), "loops memory shuffle");
        assert!(options.rewritten("plain").is_none() && options.rewritten("marked").is_none());
        // What a run itself has written counts for the next one.
        assert_eq!(
            names(&all.of_module(&ast::Module::default()), "marked"),
            "loops memory shuffle"
        );
        let none = all.of_module(&ast::Module::default());
        let again = none.of_module(&module).into_owned();
        assert_eq!(names(&again, "marked"), "loops memory shuffle");
    }
}
