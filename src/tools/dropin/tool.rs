//! The assembler that the drop-in replaces, and its path.

use super::bundle::Bundle;
use ptxasw_base::named::{Named, named};
use std::env;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

/// The programs that stand in for an assembler already, one calling the other: two copies of different versions, each
/// the next on the other's `PATH`, would otherwise call each other for ever.
const CHAIN: &str = "PTXASW_CHAIN";
/// Toolkits.
const HOMES: [&str; 2] = ["CUDA_HOME", "CUDA_PATH"];

/// The assembler that the caller believes to call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tool {
    /// NVIDIA's `ptxas`.
    Ptxas,
    /// `nvptx-none-as` of the nvptx tools, which GCC calls as `as`.
    NvptxAs,
}

named!(Tool {
    "ptxas" = Tool::Ptxas, "NVIDIA's assembler";
    "nvptx-none-as" = Tool::NvptxAs, "The assembler of GCC's nvptx tools";
});

/// There is no real tool.
#[derive(Debug, thiserror::Error)]
pub enum NoTool {
    /// None of the places has it.
    #[error("cannot find `{name}`; searched:{}\n  set {variable} to its path", listed(.searched))]
    Nowhere {
        /// The tool's name.
        name: &'static str,
        /// The variable that names it.
        variable: &'static str,
        /// All places that were looked at, and what was found there.
        searched: Vec<(String, &'static str)>,
    },
    /// The variable names something that can't be run, or this program itself.
    #[error("{variable} names `{path}`, which {what}")]
    Named {
        /// The variable.
        variable: &'static str,
        /// Its value.
        path: String,
        /// What is wrong with it.
        what: &'static str,
    },
}

impl Tool {
    /// The tool that a program of this name is called for: the last part of `argv[0]`.
    pub fn named(program: &OsStr) -> Option<Tool> {
        match Path::new(program).file_name()?.to_str()? {
            "ptxas" => Some(Tool::Ptxas),
            "nvptx-none-as" | "as" => Some(Tool::NvptxAs),
            _ => None,
        }
    }

    /// The variable that says where the assembler is.
    pub fn variable(self) -> &'static str {
        match self {
            Tool::Ptxas => "PTXASW_PTXAS",
            Tool::NvptxAs => "PTXASW_NVPTX_AS",
        }
    }

    /// The exit code of the assembler on an error of its own.
    pub fn failure(self) -> u8 {
        match self {
            Tool::Ptxas => 255,
            Tool::NvptxAs => 1,
        }
    }

    /// The real tool: what the variable names, else `ptxas.real` beside this program (beside the link that it was called
    /// by first), else the first on `PATH`, else the one in `CUDA_HOME` that is not this program.
    ///
    /// # Errors
    /// If there is none.
    pub fn real(self, program: &OsStr) -> Result<PathBuf, NoTool> {
        let variable = self.variable();
        if let Some(named) = set(variable) {
            let path = PathBuf::from(&named);
            let error = |what| NoTool::Named {
                variable,
                path: path.display().to_string(),
                what,
            };
            return match (is_program(&path), is_ours(&path)) {
                (false, _) => Err(error("is not a program")),
                (true, true) => Err(error("is ptxasw itself")),
                (true, false) => Ok(path),
            };
        }
        let places = self.places(program);
        match places.iter().find(|(_, file)| refusal(file).is_none()) {
            Some((_, file)) => Ok(file.clone()),
            None => Err(NoTool::Nowhere {
                name: self.name(),
                variable,
                searched: self.searched(&places),
            }),
        }
    }

    /// The files that may be the real tool, each with the rule that leads there.
    fn places(self, program: &OsStr) -> Vec<(&'static str, PathBuf)> {
        let name = self.name();
        let beside = [called_as(program), env::current_exe().ok()];
        let beside = beside.into_iter().flatten();
        let beside = beside.filter_map(|file| Some(file.parent()?.join(format!("{name}.real"))));
        let path = env::var_os("PATH").unwrap_or_default();
        let on_path: Vec<_> = env::split_paths(&path)
            .map(|folder| ("PATH", folder.join(name)))
            .collect();
        let home = |variable| Some((variable, set(variable)?));
        let homes = HOMES.into_iter().filter_map(home);
        let homes = homes.map(|(rule, home)| (rule, Path::new(&home).join("bin").join(name)));
        let mut places: Vec<_> = beside.map(|file| ("beside ptxasw", file)).collect();
        places.extend(on_path.into_iter().chain(homes));
        places.dedup();
        places
    }

    /// What a message lists: every place, and every variable that is not set.
    fn searched(self, places: &[(&'static str, PathBuf)]) -> Vec<(String, &'static str)> {
        let found = places.iter().map(|(rule, file)| {
            let place = format!("{} ({rule})", file.display());
            (place, refusal(file).unwrap_or_default())
        });
        let not_set = |variable: &str| (variable.to_string(), "not set");
        let homes = HOMES.into_iter().filter(|home| set(home).is_none());
        let mut searched = vec![not_set(self.variable())];
        searched.extend(found.chain(homes.map(not_set)));
        searched
    }
}

/// The value of a variable that has one.
fn set(variable: &str) -> Option<OsString> {
    env::var_os(variable).filter(|value| !value.is_empty())
}

/// Why a file is not the real tool.
fn refusal(file: &Path) -> Option<&'static str> {
    if !file.exists() {
        Some("not there")
    } else if !is_program(file) {
        Some("not a program")
    } else if is_ours(file) {
        Some("ptxasw itself")
    } else {
        None
    }
}

fn listed(searched: &[(String, &'static str)]) -> String {
    let lines = searched
        .iter()
        .map(|(place, what)| format!("\n  {place}: {what}"));
    lines.collect()
}

/// The file that `argv[0]` means; found on `PATH` if it is a bare name.
fn called_as(program: &OsStr) -> Option<PathBuf> {
    let path = Path::new(program);
    if path.components().count() > 1 {
        return Some(path.to_path_buf());
    }
    let folders = env::var_os("PATH")?;
    env::split_paths(&folders)
        .map(|folder| folder.join(path))
        .find(|file| is_program(file))
}

fn is_program(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}

/// A link to this program, a copy of it, a bundle, or a stand-in that called us.
pub fn is_ours(path: &Path) -> bool {
    if Bundle::is(path) {
        return true;
    }
    let ours = callers().into_iter().map(|(_, program)| program);
    ours.chain(env::current_exe().ok())
        .any(|program| same_file(&program, path))
}

fn same_file(one: &Path, other: &Path) -> bool {
    let (Ok(mine), Ok(its)) = (fs::metadata(one), fs::metadata(other)) else {
        return false;
    };
    if (mine.dev(), mine.ino()) == (its.dev(), its.ino()) {
        return true;
    }
    mine.len() == its.len() && fs::read(one).is_ok_and(|text| fs::read(other).ok() == Some(text))
}

/// The stand-ins that called each other down to us: which tool each stands in for, and its program.
fn callers() -> Vec<(String, PathBuf)> {
    let chain = env::var_os(CHAIN).unwrap_or_default();
    let chain = chain.to_string_lossy();
    let links = chain.split(':').filter_map(|link| link.split_once('@'));
    links
        .map(|(tool, program)| (tool.to_string(), program.into()))
        .collect()
}

/// Whether another stand-in for the same tool called ptxasw as the assembler: then all was done already.
pub fn is_nested(tool: Tool) -> bool {
    callers().iter().any(|(name, _)| name == tool.name())
}

/// The variable for what we call: the stand-ins so far and this program.
pub fn chain(tool: Tool) -> (&'static str, OsString) {
    let mut chain = env::var_os(CHAIN).unwrap_or_default();
    if let Ok(program) = env::current_exe() {
        if !chain.is_empty() {
            chain.push(":");
        }
        chain.push(tool.name());
        chain.push("@");
        chain.push(program);
    }
    (CHAIN, chain)
}
