//! A file of `tests/ir/cases/`: which analysis, a function, a patch of it where the case is of one, what is expected.

use std::path::{Path, PathBuf};
use std::{env, fs};

/// What each comment begins with.
const MARK: &str = ";";
/// The first line, in front of the name of the analysis.
const TEST: &str = "; test: ";
/// The line from which on a file holds a patch.
const PATCH: &str = "\n; patch:\n";
/// The line from which on a file holds expectations.
const EXPECT: &str = "; expect:\n";

/// A case.
pub struct Case {
    /// The name of the analysis.
    pub analysis: String,
    /// The file without its expectations.
    pub text: String,
    expected: String,
    path: PathBuf,
}

impl Case {
    /// Reads a file, which has to lie in the folder of its analysis and to say what it is about.
    pub fn load(path: &Path) -> Result<Case, String> {
        let whole = fs::read_to_string(path).map_err(|error| error.to_string())?;
        let (text, expected) = match whole.find(&format!("\n{EXPECT}")) {
            Some(end) => (
                &whole[..end + 1],
                uncomment(&whole[end + 1 + EXPECT.len()..]),
            ),
            None => (whole.as_str(), String::new()),
        };
        let mut lines = text.lines();
        let analysis = lines.next().and_then(|line| line.strip_prefix(TEST));
        let analysis = analysis.ok_or(format!("the first line has to be `{TEST}ANALYSIS`"))?;
        if !lines.next().is_some_and(|line| line.starts_with(MARK)) {
            return Err("the second line has to say what the case is about".into());
        }
        if path.parent().and_then(Path::file_name) != Some(analysis.as_ref()) {
            return Err(format!("the file is not in the folder `{analysis}`"));
        }
        Ok(Case {
            analysis: analysis.to_owned(),
            text: text.to_owned(),
            expected,
            path: path.to_owned(),
        })
    }

    /// The function alone, without comments and empty lines.
    pub fn code(&self) -> String {
        let lines = self.text.lines();
        lines
            .filter(|line| !line.is_empty() && !line.starts_with(MARK))
            .flat_map(|line| [line, "\n"])
            .collect()
    }

    /// The patch of the function, as JSON.
    pub fn patch(&self) -> Option<String> {
        let (_, patch) = self.text.split_once(PATCH)?;
        Some(uncomment(patch))
    }

    /// Compares with the expectations, or writes them anew.
    pub fn compare(&self, found: &str) -> Result<(), String> {
        if found.trim_end() == self.expected.trim_end() {
            return Ok(());
        }
        if env::var_os("PTXASW_BLESS").is_some() {
            let whole = format!("{}{EXPECT}{}", self.text, comment(found));
            return fs::write(&self.path, whole).map_err(|error| error.to_string());
        }
        let expected = &self.expected;
        Err(format!(
            "expected\n{expected}\nfound\n{found}\n('make bless' accepts what was found)"
        ))
    }
}

fn comment(text: &str) -> String {
    let lines = text.lines();
    lines
        .map(|line| format!("{}\n", format!("{MARK} {line}").trim_end()))
        .collect()
}

fn uncomment(block: &str) -> String {
    let lines = block.lines().map(|line| {
        let rest = line.strip_prefix(MARK).unwrap_or(line);
        rest.strip_prefix(' ').unwrap_or(rest)
    });
    lines.flat_map(|line| [line, "\n"]).collect()
}
