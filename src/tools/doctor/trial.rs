//! A folder for one compilation, and commands that run in it.

use super::environment;
use ptxasw_base::process;
use ptxasw_driver::report::stats::Figures;
use std::env;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Characters of a reason that are shown.
const MAX_REASON: usize = 300;

/// One compilation.
pub struct Trial {
    folder: PathBuf,
    own: PathBuf,
}

impl Trial {
    /// Below a folder, under a name of its own.
    pub fn new(root: &Path, name: &str, own: &Path) -> Self {
        let plain = |letter: char| {
            if letter.is_ascii_alphanumeric() {
                letter
            } else {
                '-'
            }
        };
        Trial {
            folder: root.join(name.chars().map(plain).collect::<String>()),
            own: own.to_path_buf(),
        }
    }

    /// A path in the folder.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Writes a file.
    pub fn file(&self, name: &str, text: &str) -> io::Result<PathBuf> {
        fs::create_dir_all(&self.folder)?;
        let path = self.path(name);
        fs::write(&path, text)?;
        Ok(path)
    }

    /// A link to ptxasw under an assembler's name, in a folder with nothing else.
    pub fn link(&self, name: &str) -> io::Result<PathBuf> {
        let folder = self.path("links");
        fs::create_dir_all(&folder)?;
        let path = folder.join(name);
        symlink(&self.own, &path)?;
        Ok(path)
    }

    /// ptxasw itself.
    pub fn own(&self) -> Command {
        self.command(&self.own)
    }

    /// A program with the user's environment, but with none of ptxasw's settings.
    pub fn command(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new(program);
        for (name, _) in env::vars_os() {
            if environment::is_setting(&name) {
                command.env_remove(name);
            }
        }
        command
            .current_dir(&self.folder)
            .stdin(Stdio::null())
            .env("TMPDIR", &self.folder)
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .env("PTXASW_NO_CACHE", "1")
            .env("PTXASW_STATS_DIR", self.path("stats"));
        command
    }

    /// Runs a command and gives what it prints.
    ///
    /// # Errors
    /// It fails: the line that says why.
    pub fn run(&self, command: &mut Command) -> Result<String, String> {
        let name = Path::new(command.get_program()).display().to_string();
        let ran = process::captured(command);
        let ran = ran.map_err(|error| format!("cannot run {name}: {error}"))?;
        let text = [ran.stderr, ran.stdout].concat();
        let text = String::from_utf8_lossy(&text).into_owned();
        match ran.status.success() {
            true => Ok(text),
            false => Err(reason(&text).unwrap_or_else(|| format!("{name}: {}", ran.status))),
        }
    }

    /// What the assemblers and plugins that ran in the folder did.
    pub fn figures(&self) -> Figures {
        let mut sum = Figures::default();
        let entries = fs::read_dir(self.path("stats")).into_iter().flatten();
        let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        paths.sort();
        for path in paths {
            let bytes = fs::read(&path).unwrap_or_default();
            if let Ok(figures) = serde_json::from_slice(&bytes) {
                sum.add(&figures);
            }
        }
        sum
    }
}

/// The line of a program's messages that says most: the first of ptxasw's own, else the first error, else the last.
pub fn reason(text: &str) -> Option<String> {
    let lines = || text.lines().map(str::trim).filter(|line| !line.is_empty());
    let own = lines().find(|line| line.starts_with("ptxasw: "));
    let error = || lines().find(|line| line.to_lowercase().contains("error"));
    let line = own.or_else(error).or_else(|| lines().next_back())?;
    Some(line.chars().take(MAX_REASON).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reason_is_the_line_that_says_most() {
        let text = "In file included from a:\na.h:3: error: no x\nptxasw: note: old headers\nbye\n";
        assert_eq!(reason(text).unwrap(), "ptxasw: note: old headers");
        assert_eq!(reason("a\nb: Error: c\nd\n").unwrap(), "b: Error: c");
        assert_eq!(reason("a\nb\n\n").unwrap(), "b");
        assert_eq!(reason("\n"), None);
    }
}
