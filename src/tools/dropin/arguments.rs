//! The argument list of an assembler: the positions of its inputs and its output, and whether there is anything for us to do.
//!
//! Nothing is normalised: the real tool gets the same words in the same order, with inputs and output replaced in place. An
//! option that the table lacks goes through as well (`doubtful` decides about the word after it); only what changes the
//! meaning of the text, and what is not understood otherwise, leaves the inputs alone.

use super::doubtful;
use super::optionfile;
use super::table::{self, Arity, Meaning};
use super::tool::Tool;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::PathBuf;

/// A value in the argument list: the rest of a word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Slot {
    /// Index of the word.
    pub word: usize,
    /// Bytes of the word in front of the value: those of `--output-file=`, or none.
    pub from: usize,
}

/// Where the text of a module is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum InputSource {
    /// In a file.
    File(PathBuf),
    /// On standard input, `-`.
    Stdin,
    /// In the argument list itself.
    Text(Vec<u8>),
}

/// One input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Input {
    /// Where it is named.
    pub slot: Slot,
    /// Where its text is.
    pub source: InputSource,
}

impl Input {
    /// What reports call it.
    pub fn name(&self) -> String {
        match &self.source {
            InputSource::File(path) => path.to_string_lossy().into_owned(),
            InputSource::Stdin => "<stdin>".to_string(),
            InputSource::Text(_) => "<string>".to_string(),
        }
    }
}

/// An argument list that is understood and that asks for code.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Arguments {
    /// All words, those of option files in the place of the option.
    pub words: Vec<OsString>,
    /// The modules.
    pub inputs: Vec<Input>,
    /// The output's path.
    pub output: Slot,
    /// The number of `sm_90a`, if a target is given.
    pub target: Option<u32>,
    /// The inputs and these words are all that the output depends on, and nothing else is written.
    pub is_closed: bool,
}

/// Why an argument list goes to the real tool as it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Pass {
    /// The tool prints its help.
    #[error("no arguments")]
    Nothing,
    /// It prints something and ends: its help, a list.
    #[error("a question")]
    Question,
    /// `ptxas` prints its version.
    #[error("the version is asked for")]
    Version,
    /// Nothing is written, or where the tool likes.
    #[error("no output file")]
    NoOutput,
    /// No module.
    #[error("no input")]
    NoInput,
    /// Standard input can be read once.
    #[error("standard input twice")]
    StdinTwice,
    /// `-arch compute_80`: the text is only checked.
    #[error("a virtual target")]
    Virtual,
    /// `-O0`.
    #[error("no optimization")]
    Unoptimized,
    /// Debug builds, instrumented code, overridden directives.
    #[error("an option that forbids changes")]
    Forbidden,
    /// A known option without its value or with one too many, a target that is none, an option that GCC's assembler lacks.
    #[error("an unknown option")]
    Unknown,
    /// Several words after options that the table lacks may be the input.
    #[error("no word that is certainly the input")]
    Ambiguous,
    /// An option file that can't be read, or whose quoting is not plain.
    #[error("an option file")]
    OptionFile,
    /// The caller wants nothing to be changed.
    #[error("switched off")]
    Off,
}

/// Whether arguments of an assembler name entries: `--entry`, `-e`. An option that begins so is taken for it.
pub fn names_entries(words: &[OsString]) -> bool {
    let is_entry = |word: &[u8]| word.starts_with(b"--entry") || word.starts_with(b"-e");
    words.iter().any(|word| is_entry(word.as_encoded_bytes()))
}

impl Arguments {
    /// Reads an argument list without the program's own name.
    ///
    /// # Errors
    /// Why the real tool gets it as it is.
    pub fn read(tool: Tool, words: Vec<OsString>) -> Result<Self, Pass> {
        if words.is_empty() {
            return Err(Pass::Nothing);
        }
        let words = match tool {
            Tool::Ptxas => optionfile::expand(words)?,
            Tool::NvptxAs => words,
        };
        let mut reader = Reader::default();
        let mut at = 0;
        while at < words.len() {
            at = match tool {
                Tool::Ptxas => reader.ptxas(&words, at)?,
                Tool::NvptxAs => reader.nvptx_as(&words, at)?,
            };
        }
        reader.finish(tool, words)
    }

    /// The value in a slot.
    pub fn value(&self, slot: Slot) -> &OsStr {
        value(&self.words, slot)
    }

    /// The words with other values in some slots.
    pub fn with(&self, values: &[(Slot, OsString)]) -> Vec<OsString> {
        let mut words = self.words.clone();
        for (slot, new) in values {
            let mut word = words[slot.word].as_bytes()[..slot.from].to_vec();
            word.extend_from_slice(new.as_bytes());
            words[slot.word] = OsString::from_vec(word);
        }
        words
    }
}

/// What was seen so far.
#[derive(Default)]
struct Reader {
    inputs: Vec<Slot>,
    /// Words after options that the table lacks.
    doubtful: Vec<Slot>,
    strings: Vec<Slot>,
    output: Option<Slot>,
    target: Option<OsString>,
    level: Option<OsString>,
    /// An option that the table lacks, or one that names another file.
    is_open: bool,
}

impl Reader {
    /// Reads the option or the input at a word of `ptxas`'s arguments; the index of the next.
    fn ptxas(&mut self, words: &[OsString], at: usize) -> Result<usize, Pass> {
        let word = words[at].as_bytes();
        if !is_option(word) {
            self.inputs.push(Slot { word: at, from: 0 });
            return Ok(at + 1);
        }
        let (name, attached) = match memchr::memchr(b'=', word) {
            Some(end) => (&word[..end], Some(end + 1)),
            None => attached_value(word),
        };
        let Some(option) = std::str::from_utf8(name).ok().and_then(table::find) else {
            return Ok(self.unknown(words, at));
        };
        let (slot, next) = match (option.arity, attached) {
            (Arity::Flag, None) => (Slot { word: at, from: 0 }, at + 1),
            (Arity::Flag, Some(_)) => return Err(Pass::Unknown),
            (Arity::Value, Some(from)) => (Slot { word: at, from }, at + 1),
            (Arity::Value, None) if at + 1 < words.len() => {
                let slot = Slot {
                    word: at + 1,
                    from: 0,
                };
                (slot, at + 2)
            }
            (Arity::Value, None) => return Err(Pass::Unknown),
        };
        match option.meaning {
            Meaning::Output => self.output = Some(slot),
            Meaning::Target => self.target = Some(value(words, slot).to_owned()),
            Meaning::Level => self.level = Some(value(words, slot).to_owned()),
            Meaning::InputAsString => self.strings.push(slot),
            Meaning::LeaveAlone => return Err(Pass::Forbidden),
            Meaning::Asks => return Err(Pass::Question),
            Meaning::Version => return Err(Pass::Version),
            // It was expanded where it could be.
            Meaning::OptionsFile => return Err(Pass::OptionFile),
            Meaning::Aside => self.is_open = true,
            Meaning::Other => {}
        }
        Ok(next)
    }

    /// Reads an option of `ptxas`'s that the table lacks; the index of the next.
    fn unknown(&mut self, words: &[OsString], at: usize) -> usize {
        self.is_open = true;
        let next = at + 1;
        let is_attached = words[at].as_bytes().contains(&b'=');
        match words.get(next) {
            Some(word) if !is_attached && !is_option(word.as_bytes()) => {
                self.doubtful.push(Slot {
                    word: next,
                    from: 0,
                });
                next + 1
            }
            _ => next,
        }
    }

    /// Reads the option or the input at a word of `nvptx-none-as`'s arguments; the index of the next.
    fn nvptx_as(&mut self, words: &[OsString], at: usize) -> Result<usize, Pass> {
        let word = words[at].as_bytes();
        if !is_option(word) {
            self.inputs.push(Slot { word: at, from: 0 });
            return Ok(at + 1);
        }
        let valued = |from: usize| match from < word.len() {
            true => Ok((Slot { word: at, from }, at + 1)),
            false if at + 1 < words.len() => Ok((
                Slot {
                    word: at + 1,
                    from: 0,
                },
                at + 2,
            )),
            false => Err(Pass::Unknown),
        };
        match word {
            b"-v" | b"--verify" | b"--no-verify" => Ok(at + 1),
            b"--help" | b"--version" => Err(Pass::Question),
            _ if word.starts_with(b"-o") => {
                let (slot, next) = valued(2)?;
                self.output = Some(slot);
                Ok(next)
            }
            _ if word.starts_with(b"-m") => {
                let (slot, next) = valued(2)?;
                self.target = Some(value(words, slot).to_owned());
                Ok(next)
            }
            _ => Err(Pass::Unknown),
        }
    }

    fn finish(mut self, tool: Tool, words: Vec<OsString>) -> Result<Arguments, Pass> {
        let output = self.output.ok_or(Pass::NoOutput)?;
        if value(&words, output).is_empty() {
            return Err(Pass::NoOutput);
        }
        if self.level.is_some_and(|level| level == "0") {
            return Err(Pass::Unoptimized);
        }
        let target = match &self.target {
            Some(name) => Some(real_target(name)?),
            None => None,
        };
        if self.inputs.is_empty() && self.strings.is_empty() {
            self.inputs.extend(doubtful::input(&words, &self.doubtful)?);
        }
        let stdin = |slot: &Slot| words[slot.word] == "-";
        if self.inputs.iter().filter(|slot| stdin(slot)).count() > 1 {
            return Err(Pass::StdinTwice);
        }
        let files = self.inputs.iter().map(|&slot| Input {
            slot,
            source: match stdin(&slot) {
                true => InputSource::Stdin,
                false => InputSource::File(PathBuf::from(&words[slot.word])),
            },
        });
        let strings = self.strings.iter().map(|&slot| Input {
            slot,
            source: InputSource::Text(value(&words, slot).as_bytes().to_vec()),
        });
        let inputs: Vec<Input> = files.chain(strings).collect();
        match inputs.len() {
            0 => return Err(Pass::NoInput),
            1 => {}
            // GNU assemblers join their inputs; this one takes a single file.
            _ if tool == Tool::NvptxAs => return Err(Pass::Unknown),
            _ => {}
        }
        Ok(Arguments {
            words,
            inputs,
            output,
            target,
            is_closed: tool == Tool::Ptxas && !self.is_open,
        })
    }
}

/// `-` alone is standard input.
fn is_option(word: &[u8]) -> bool {
    word.len() > 1 && word[0] == b'-'
}

/// `-O2` and `-m64`: the only options that a value follows at once.
fn attached_value(word: &[u8]) -> (&[u8], Option<usize>) {
    let (name, value) = word.split_at(word.len().min(2));
    let is_number = !value.is_empty() && value.iter().all(u8::is_ascii_digit);
    match matches!(name, b"-O" | b"-m") && is_number {
        true => (name, Some(2)),
        false => (word, None),
    }
}

fn value(words: &[OsString], slot: Slot) -> &OsStr {
    OsStr::from_bytes(&words[slot.word].as_bytes()[slot.from..])
}

/// The number of `sm_90a`.
fn real_target(name: &OsStr) -> Result<u32, Pass> {
    let name = name.to_str().ok_or(Pass::Unknown)?;
    if name.starts_with("compute_") || name.starts_with("lto_") {
        return Err(Pass::Virtual);
    }
    let digits = name.strip_prefix("sm_").ok_or(Pass::Unknown)?;
    let digits = digits.trim_end_matches(|letter: char| letter.is_ascii_lowercase());
    digits.parse().map_err(|_| Pass::Unknown)
}
