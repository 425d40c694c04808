//! Certificates as SMT-LIB 2 scripts, read without trust: a script is some declarations, some assertions and one
//! `(check-sat)`. Whatever could change what is asked (`push`, `reset`, options, a second question, names of the language
//! declared anew) is an error. Solvers get the commands that were understood, without comments and claims of a status.
//!
//! Z3 copies what a `define-fun` stands for at each use, which for hundreds of definitions of each other takes longer than the
//! proof. So a definition without parameters is handed on as a constant and an assertion of what it equals: the same, as
//! nothing is defined by itself or by what comes later.

use ptxasw_emulator::solver::smtlib;
use rustc_hash::FxHashSet;

/// Bytes of a script that is read.
pub const MAX_BYTES: u64 = 16 << 20;
/// Levels of parentheses; solvers may recurse over them.
const MAX_DEPTH: u32 = 2000;

/// What is wrong with a script.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ScriptError {
    /// Parentheses, strings or characters.
    #[error("line {line}: {what}")]
    Syntax {
        /// From 1.
        line: usize,
        /// In words.
        what: &'static str,
    },
    /// A command that has no place in a certificate.
    #[error("line {line}: `{command}` is not allowed in a certificate")]
    Command {
        /// From 1.
        line: usize,
        /// Its name, shortened.
        command: String,
    },
    /// A name that means something else already.
    #[error("line {line}: `{name}` is declared twice or a name of the language")]
    Name {
        /// From 1.
        line: usize,
        /// The name, shortened.
        name: String,
    },
    /// A definition that is none: as an assertion it could contradict itself.
    #[error("line {line}: `{name}` is defined in terms of itself")]
    Circular {
        /// From 1.
        line: usize,
        /// The name, shortened.
        name: String,
    },
    /// It does not ask exactly once, at its end.
    #[error("{0} `check-sat` commands; a certificate ends with its only one")]
    Questions(usize),
    /// Nothing is claimed.
    #[error("nothing is asserted")]
    NoAssertion,
}

/// A script that was understood.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Script {
    /// The logic, declarations and hypotheses, one command a line.
    pub hypotheses: String,
    /// Number of hypotheses.
    pub assertions: usize,
    /// Number of definitions that are asserted beside them.
    pub definitions: usize,
    /// The last assertion, which is the negated claim.
    pub claim: String,
}

impl Script {
    /// Reads a script.
    ///
    /// # Errors
    /// If it is anything but a certificate.
    pub fn read(text: &[u8]) -> Result<Self, ScriptError> {
        let mut script = Script {
            hypotheses: String::new(),
            assertions: 0,
            definitions: 0,
            claim: String::new(),
        };
        let mut names: FxHashSet<String> = FxHashSet::default();
        let mut questions = 0;
        let mut scanner = Scanner {
            text,
            at: 0,
            line: 1,
        };
        while let Some((line, tokens)) = scanner.command()? {
            let command = tokens.get(1).map_or("", String::as_str);
            let shown = || command.chars().take(40).collect();
            if questions > 0 && command == "check-sat" {
                questions += 1;
                continue;
            }
            if questions > 0 && command != "exit" {
                return Err(ScriptError::Command {
                    line,
                    command: shown(),
                });
            }
            match command {
                "set-info" | "exit" => {}
                "check-sat" => questions += 1,
                "assert" => {
                    if !script.claim.is_empty() {
                        script.hypotheses.push_str(&script.claim);
                        script.assertions += 1;
                    }
                    script.claim = joined(&tokens);
                }
                "set-logic" if matches!(logic(&tokens), Some("QF_BV" | "QF_UFBV")) => {
                    script.hypotheses.push_str(&joined(&tokens));
                }
                "declare-const" | "declare-fun" | "define-fun" => {
                    let name = tokens.get(2).map_or("", |name| name.trim_matches('|'));
                    if smtlib::is_reserved(name) || !names.insert(name.to_owned()) {
                        let name = name.chars().take(40).collect();
                        return Err(ScriptError::Name { line, name });
                    }
                    // What is declared after an assertion is written before it as well.
                    match definition(&tokens) {
                        None => script.hypotheses.push_str(&joined(&tokens)),
                        Some((sort, value)) => {
                            if value.iter().any(|token| token.trim_matches('|') == name) {
                                let name = name.chars().take(40).collect();
                                return Err(ScriptError::Circular { line, name });
                            }
                            let (name, sort, value) = (&tokens[2], sort.join(" "), value.join(" "));
                            script.hypotheses.push_str(&format!(
                                "( declare-const {name} {sort} )\n( assert ( = {name} {value} ) )\n"
                            ));
                            script.definitions += 1;
                        }
                    }
                }
                _ => {
                    return Err(ScriptError::Command {
                        line,
                        command: shown(),
                    });
                }
            }
        }
        match (questions, script.claim.is_empty()) {
            (1, false) => Ok(script),
            (1, true) => Err(ScriptError::NoAssertion),
            (count, _) => Err(ScriptError::Questions(count)),
        }
    }

    /// Hypotheses and negated claim: unsatisfiable if the claim holds.
    pub fn whole(&self) -> String {
        format!("{}{}", self.hypotheses, self.claim)
    }
}

fn logic(tokens: &[String]) -> Option<&str> {
    match tokens {
        [_, _, logic, _] => Some(logic),
        _ => None,
    }
}

/// Sort and value of a `define-fun` without parameters.
fn definition(tokens: &[String]) -> Option<(&[String], &[String])> {
    match tokens {
        [_, command, _, open, close, rest @ .., _]
            if command == "define-fun" && open == "(" && close == ")" =>
        {
            let mut depth = 0i64;
            let end = rest.iter().position(|token| {
                depth += match token.as_str() {
                    "(" => 1,
                    ")" => -1,
                    _ => 0,
                };
                depth == 0
            })?;
            Some(rest.split_at(end + 1)).filter(|(_, value)| !value.is_empty())
        }
        _ => None,
    }
}

fn joined(tokens: &[String]) -> String {
    let mut line = tokens.join(" ");
    line.push('\n');
    line
}

struct Scanner<'a> {
    text: &'a [u8],
    at: usize,
    line: usize,
}

impl Scanner<'_> {
    fn error(&self, what: &'static str) -> ScriptError {
        ScriptError::Syntax {
            line: self.line,
            what,
        }
    }

    /// The tokens of the next command, its parentheses included, and the line that it begins in.
    fn command(&mut self) -> Result<Option<(usize, Vec<String>)>, ScriptError> {
        let mut tokens: Vec<String> = Vec::new();
        let (mut depth, mut first) = (0u32, self.line);
        while let Some(token) = self.token()? {
            if tokens.is_empty() {
                first = self.line;
            }
            match token.as_str() {
                "(" => depth += 1,
                ")" if depth == 0 => return Err(self.error("`)` without `(`")),
                ")" => depth -= 1,
                _ if depth == 0 => return Err(self.error("expected `(`")),
                _ => {}
            }
            if depth > MAX_DEPTH {
                return Err(self.error("too many nested parentheses"));
            }
            tokens.push(token);
            if depth == 0 {
                return Ok(Some((first, tokens)));
            }
        }
        match depth {
            0 => Ok(None),
            _ => Err(self.error("`(` without `)`")),
        }
    }

    fn token(&mut self) -> Result<Option<String>, ScriptError> {
        while let Some(&byte) = self.text.get(self.at) {
            match byte {
                b'\n' => self.line += 1,
                b' ' | b'\t' | b'\r' => {}
                b';' => {
                    let rest = &self.text[self.at..];
                    let length = rest.iter().position(|&byte| byte == b'\n');
                    self.at += length.unwrap_or(rest.len());
                    continue;
                }
                _ => break,
            }
            self.at += 1;
        }
        let start = self.at;
        let Some(&byte) = self.text.get(start) else {
            return Ok(None);
        };
        let length = match byte {
            b'(' | b')' => 1,
            b'|' => self.quoted(b'|')?,
            b'"' => self.quoted(b'"')?,
            _ => {
                let ends = |byte: &u8| b" \t\r\n()|\";".contains(byte);
                let rest = &self.text[start..];
                rest.iter().position(ends).unwrap_or(rest.len())
            }
        };
        let token = &self.text[start..start + length];
        self.at += length;
        if !token
            .iter()
            .all(|byte| byte.is_ascii_graphic() || b" \t".contains(byte))
        {
            return Err(self.error("a character that SMT-LIB does not have"));
        }
        Ok(Some(String::from_utf8_lossy(token).into_owned()))
    }

    /// The length of a quoted token.
    fn quoted(&self, quote: u8) -> Result<usize, ScriptError> {
        let inside = &self.text[self.at + 1..];
        match inside.iter().position(|&byte| byte == quote) {
            Some(end) => Ok(end + 2),
            None => Err(self.error("an open quote")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CERTIFICATE: &str = "; (push)\n(set-logic QF_BV)(set-info :status sat)
(declare-const tid.x (_ BitVec 32)) ; a register
(define-fun ?t () (_ BitVec 32) (bvadd tid.x #x00000001))
(assert (bvule tid.x #x0000000f))
(declare-const |a b| (_ BitVec 32))
(assert (not (= ?t |a b|)))\n(check-sat)\n";

    #[test]
    fn the_last_assertion_is_the_claim() {
        let script = Script::read(CERTIFICATE.as_bytes()).unwrap();
        assert_eq!(script.assertions, 1);
        assert_eq!(script.claim, "( assert ( not ( = ?t |a b| ) ) )\n");
        assert!(script.hypotheses.contains("|a b|") && !script.hypotheses.contains("status"));
    }

    #[test]
    fn a_definition_is_a_constant_and_what_it_equals() {
        let script = Script::read(CERTIFICATE.as_bytes()).unwrap();
        assert_eq!(script.definitions, 1);
        let expected = "( declare-const ?t ( _ BitVec 32 ) )\n( assert ( = ?t ( bvadd tid.x #x00000001 ) ) )\n";
        assert!(script.hypotheses.contains(expected));
        for own in ["?t", "|?t|"] {
            let circular = CERTIFICATE.replace("(bvadd tid.x", &format!("(bvadd {own}"));
            let error = Script::read(circular.as_bytes()).unwrap_err().to_string();
            assert_eq!(error, "line 4: `?t` is defined in terms of itself");
        }
        // Solvers report a name that is declared later as unknown.
        let with_parameter = CERTIFICATE.replace("?t () (_", "?t ((x Bool)) (_");
        let script = Script::read(with_parameter.as_bytes()).unwrap();
        assert!(script.definitions == 0 && script.hypotheses.contains("define-fun"));
    }

    #[test]
    fn what_could_change_the_question_is_an_error() {
        let with = |extra: &str| {
            let text = CERTIFICATE.replace("(assert (not", &format!("{extra}(assert (not"));
            Script::read(text.as_bytes()).unwrap_err().to_string()
        };
        for command in [
            "(push 1)",
            "(pop 1)",
            "(reset)",
            "(reset-assertions)",
            "(set-option :timeout 1)",
            "(define-sort S () Bool)",
            "(define-fun-rec f () Bool f)",
            "(set-logic ALL)",
            "(exit-now)",
            "()",
            "(echo \"unsat\")",
        ] {
            assert!(with(command).contains("is not allowed"), "{command}");
        }
        assert!(with("(declare-const bvult (_ BitVec 1))").contains("`bvult`"));
        assert!(with("(declare-const |tid.x| (_ BitVec 1))").contains("`tid.x`"));
        assert!(with("(check-sat)").contains("is not allowed"));
        let twice = format!("{CERTIFICATE}(check-sat)");
        assert_eq!(
            Script::read(twice.as_bytes()),
            Err(ScriptError::Questions(2))
        );
        let never = CERTIFICATE.replace("(check-sat)", "");
        assert_eq!(
            Script::read(never.as_bytes()),
            Err(ScriptError::Questions(0))
        );
        let empty = "(set-logic QF_BV)(check-sat)";
        assert_eq!(
            Script::read(empty.as_bytes()),
            Err(ScriptError::NoAssertion)
        );
        for broken in [
            "(assert",
            ")",
            "word",
            "(assert |a)",
            "(assert \"a)",
            "(assert \u{e9})",
        ] {
            let error = Script::read(broken.as_bytes()).unwrap_err();
            assert!(
                matches!(error, ScriptError::Syntax { line: 1, .. }),
                "{broken}"
            );
        }
        let deep = "(".repeat(5000);
        assert!(Script::read(deep.as_bytes()).is_err());
    }
}
