//! Whether this program is called in place of an assembler. The first rule that fits decides:
//!
//! | rule | example | taken as |
//! | --- | --- | --- |
//! | the name of the program is an assembler's | `ptxas`, `nvptx-none-as`, `as` | that assembler |
//! | the first argument is a command of ptxasw | `ptxasw opt K.ptx`, `my-ptxas opt K.ptx` | ptxasw |
//! | the name has the word `ptxas` | `ptxas-blackwell --version`, `my-ptxas k.ptx -o k` | `ptxas` |
//! | the first argument asks for help or the version | `ptxasw --help` | ptxasw |
//! | an argument that only `ptxas` takes: `-arch`, `--gpu-name`, an output `x.cubin` | `3f2a9c -arch=sm_80 k.ptx -o k.cubin` | `ptxas` |
//! | anything else | `ptxasw --unknown` | ptxasw |
//!
//! A distributed build packs the file that a link leads to and starts it elsewhere under a name of its own: there only the arguments
//! show what is asked for.

use super::table::{self, Meaning};
use super::tool::Tool;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// Options of the command itself, which are options of `ptxas`, too.
const QUESTIONS: [&str; 4] = ["-h", "--help", "-V", "--version"];

/// The assembler that this program is called in place of, if it is. `program` is the name by which it was called, `words` its
/// arguments; `is_command` recognises the commands of ptxasw.
pub fn tool(
    program: &OsStr,
    words: &[OsString],
    is_command: impl Fn(&OsStr) -> bool,
) -> Option<Tool> {
    if let Some(tool) = Tool::named(program) {
        return Some(tool);
    }
    let first = words.first().map_or(OsStr::new(""), OsString::as_os_str);
    let asks = QUESTIONS.iter().any(|question| *question == first);
    let is_assembler = has_word_ptxas(program) || !asks && look_like_those_of_ptxas(words);
    (is_assembler && !is_command(first)).then_some(Tool::Ptxas)
}

/// `my-ptxas`, `ptxas_13.5`, but not `ptxasw`.
fn has_word_ptxas(program: &OsStr) -> bool {
    let name = Path::new(program).file_name().unwrap_or_default();
    let mut words = name.as_bytes().split(|byte| !byte.is_ascii_alphanumeric());
    words.any(|word| word == b"ptxas")
}

fn look_like_those_of_ptxas(words: &[OsString]) -> bool {
    words.iter().enumerate().any(|(at, word)| {
        let (name, attached) = match word.to_str().and_then(|text| text.split_once('=')) {
            Some((name, value)) => (name, Some(OsStr::new(value))),
            None => (word.to_str().unwrap_or_default(), None),
        };
        let value = || attached.or_else(|| Some(words.get(at + 1)?.as_os_str()));
        match table::find(name).map(|option| option.meaning) {
            Some(Meaning::Target) => true,
            Some(Meaning::Output) => {
                value().is_some_and(|value| value.as_bytes().ends_with(b".cubin"))
            }
            _ => false,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(program: &str, words: &[&str]) -> Option<Tool> {
        let words: Vec<OsString> = words.iter().map(OsString::from).collect();
        let commands = ["opt", "as", "help"];
        tool(OsStr::new(program), &words, |word| {
            commands.iter().any(|command| *command == word)
        })
    }

    #[test]
    fn the_name_of_an_assembler_decides() {
        for words in [&[][..], &["opt"], &["--help"], &["-arch=sm_80"]] {
            assert_eq!(taken("/x/ptxas", words), Some(Tool::Ptxas));
            assert_eq!(taken("as", words), Some(Tool::NvptxAs));
        }
    }

    #[test]
    fn arguments_decide_under_any_other_name() {
        let calls: &[&[&str]] = &[
            &["-arch", "sm_80", "k.ptx", "-o", "k.o"],
            &["-m64", "-arch=sm_80", "k.ptx", "-o", "k.o"],
            &["k.ptx", "--gpu-name", "sm_80", "-o", "k.o"],
            &["--gpu-name=sm_80"],
            &["k.ptx", "-o", "k.cubin"],
            &["k.ptx", "--output-file=k.cubin"],
        ];
        for words in calls {
            for program in ["ptxasw", "/tmp/3f2a9c", "assembler"] {
                assert_eq!(taken(program, words), Some(Tool::Ptxas), "{words:?}");
            }
        }
    }

    #[test]
    fn commands_are_never_mistaken() {
        let calls: &[&[&str]] = &[
            &["opt", "k.ll", "--arch", "sm_80", "-o", "k.cubin"],
            &["opt", "-arch=sm_80"],
            &["as", "--", "-arch=sm_80", "k.ptx", "-o", "k.cubin"],
            &["help"],
        ];
        for words in calls {
            for program in ["ptxasw", "3f2a9c", "my-ptxas"] {
                assert_eq!(taken(program, words), None, "{words:?}");
            }
        }
        let others: &[&[&str]] = &[
            &[],
            &["--help"],
            &["-h", "-arch"],
            &["--version", "-arch=sm_80"],
            &["--unknown"],
            &["k.ptx", "-o", "k.ptx"],
            &["--arch", "sm_80"],
        ];
        for words in others {
            assert_eq!(taken("ptxasw", words), None, "{words:?}");
        }
    }

    #[test]
    fn a_name_with_the_word_ptxas_is_enough() {
        for program in ["my-ptxas", "ptxas-blackwell", "/x/ptxas_13.5", "12.ptxas"] {
            assert_eq!(taken(program, &["--version"]), Some(Tool::Ptxas));
            assert_eq!(taken(program, &["k.ptx", "-o", "o"]), Some(Tool::Ptxas));
        }
        assert_eq!(taken("ptxasw-19", &["--version"]), None);
    }
}
