//! Texts without paths and names of the user's machine.

use crate::cli::llvm;
use nix::unistd::{Uid, User};
use ptxasw_ptx::ast::Item;
use regex_lite::{Captures, Regex};
use std::env;
use std::fs;
use std::ops::Range;

/// Names of fewer letters are parts of other words.
const LEAST: usize = 3;
/// Users that are on every machine.
const COMMON: [&str; 4] = ["root", "user", "ubuntu", "localhost"];

/// What this machine is known by.
pub struct Machine {
    /// The user's name and the machine's.
    names: Vec<(Regex, &'static str)>,
    /// Absolute paths.
    path: Regex,
    /// Comments and strings of PTX, and of LLVM IR.
    quoted: [Regex; 2],
}

impl Machine {
    /// That of this process.
    pub fn this() -> Self {
        let user = User::from_uid(Uid::current()).ok().flatten();
        let host = fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
        let home = env::var("HOME").unwrap_or_default();
        let home = home.rsplit('/').next().unwrap_or_default().to_string();
        Machine::of(&[
            (&user.map(|user| user.name).unwrap_or_default(), "USER"),
            (&home, "USER"),
            (host.trim(), "HOST"),
        ])
    }

    fn of(names: &[(&str, &'static str)]) -> Self {
        let names = names
            .iter()
            .filter(|(name, _)| name.len() >= LEAST && !COMMON.contains(name));
        let pattern = |name: &str| Regex::new(&format!(r"\b{}\b", regex_lite::escape(name)));
        let letter = r#"[^\s"'`<>|,;:()\[\]/\\]"#;
        let fixed = |pattern: &str| Regex::new(pattern).expect("a fixed pattern");
        Machine {
            names: names
                .filter_map(|&(name, replacement)| Some((pattern(name).ok()?, replacement)))
                .collect(),
            // What is in front, folders, the last component.
            path: fixed(&format!(
                r"(^|[^0-9])(?:(?:[A-Za-z]:[\\/]|~/)(?:{letter}+[/\\])*|/(?:{letter}+[/\\])+)({letter}*)"
            )),
            quoted: [
                fixed(
                    r#"//[^
]*|(?s:/\*.*?\*/)|"[^"
]*""#,
                ),
                fixed(
                    r#";[^
"]*|c?"[^"
]*""#,
                ),
            ],
        }
    }

    /// A text for people: of paths the last component is left.
    pub fn text(&self, text: &str) -> String {
        let text = self.path.replace_all(text, "$1$2");
        let text = text.into_owned();
        self.names.iter().fold(text, |text, (name, replacement)| {
            name.replace_all(&text, *replacement).into_owned()
        })
    }

    /// A module: its comments and strings without paths and names, without debug sections, whose bytes hold paths, too.
    pub fn module(&self, text: &[u8]) -> Vec<u8> {
        let mut left = String::with_capacity(text.len());
        let mut from = 0;
        for section in sections(text) {
            left.push_str(&String::from_utf8_lossy(&text[from..section.start]));
            from = section.end;
        }
        left.push_str(&String::from_utf8_lossy(&text[from..]));
        let quoted = &self.quoted[usize::from(llvm::is_ir(text))];
        let quoted = quoted.replace_all(&left, |found: &Captures| {
            let whole = &found[0];
            match whole
                .strip_prefix('"')
                .and_then(|rest| rest.strip_suffix('"'))
            {
                // The bytes of a constant of LLVM IR are counted in its type.
                _ if whole.starts_with('c') => whole.to_string(),
                Some(inner) => format!("\"{}\"", self.string(inner)),
                None => self.text(whole),
            }
        });
        quoted.into_owned().into_bytes()
    }

    /// A string that is a path, with blanks in it or without.
    fn string(&self, inner: &str) -> String {
        let is_path = inner.contains(['/', '\\']) && !inner.contains(['%', '=', '\n']);
        let last = inner.rsplit(['/', '\\']).next();
        self.text(last.filter(|_| is_path).unwrap_or(inner))
    }

    /// Names of the machine that a module still has, in names of its own.
    pub fn left(&self, module: &[u8]) -> Vec<String> {
        let text = String::from_utf8_lossy(module);
        let found = self.names.iter().filter_map(|(name, _)| name.find(&text));
        found.map(|found| found.as_str().to_string()).collect()
    }
}

/// Debug sections of PTX.
fn sections(text: &[u8]) -> Vec<Range<usize>> {
    let Ok(module) = ptxasw_ptx::parse(text) else {
        return Vec::new();
    };
    let sections = module.items.iter().filter_map(|item| match item {
        Item::Directive(directive) if module.str(directive.name) == ".section" => {
            Some(directive.span.range())
        }
        _ => None,
    });
    sections.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn machine() -> Machine {
        Machine::of(&[("alice", "USER"), ("wonderland", "HOST"), ("root", "USER")])
    }

    #[test]
    fn of_paths_the_last_component_is_left() {
        let machine = machine();
        for (text, expected) in [
            (
                "error: `/home/alice/my project/k.ptx`",
                "error: `my project/k.ptx`",
            ),
            ("/home/alice/src/k.ptx:12:3: error", "k.ptx:12:3: error"),
            (r"C:\Users\alice\k.cu(7)", "k.cu(7)"),
            ("~/k.ptx by alice on wonderland", "k.ptx by USER on HOST"),
            ("-I/home/alice/include /a/b", "-Iinclude b"),
            ("1/2/3 of alices // root", "1/2/3 of alices // root"),
        ] {
            assert_eq!(machine.text(text), expected);
        }
    }

    #[test]
    fn code_stays_as_it_is() {
        let text = "// by alice: /home/alice/a.cu\n.version 8.0\n.target sm_80\n.file 1 \"/home/alice/my code/a.cu\"\n\
                    .entry alice() { ret; }\n.section .debug_str { .b8 47, 104 }\n";
        let expected = "// by USER: a.cu\n.version 8.0\n.target sm_80\n.file 1 \"a.cu\"\n.entry alice() { ret; }\n\n";
        let machine = machine();
        let module = machine.module(text.as_bytes());
        assert_eq!(str::from_utf8(&module), Ok(expected));
        assert_eq!(machine.left(&module), ["alice"]);
    }

    #[test]
    fn constants_of_ir_keep_their_length() {
        let text = "; ModuleID = '/home/alice/a.cu'\nsource_filename = \"/home/alice/a.cu\"\n\
                    @s = constant [10 x i8] c\"/home/a/b\\00\"\n";
        let expected = "; ModuleID = 'a.cu'\nsource_filename = \"a.cu\"\n@s = constant [10 x i8] c\"/home/a/b\\00\"\n";
        assert_eq!(
            str::from_utf8(&machine().module(text.as_bytes())),
            Ok(expected)
        );
    }
}
