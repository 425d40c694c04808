//! What a machine has of the tools around ptxasw, and whether each way of calling ptxasw rewrites a kernel there.
//!
//! - `tools`: programs and libraries, where they are, which version, what they are for;
//! - `integrations`: a small kernel by each compiler that is present, with the settings that are the default;
//! - `trial`: the temporary folder of one such compilation.
//!
//! Everything is written below one temporary folder. The user's variables stay as they are, but for the settings of ptxasw,
//! which are reported: the kernel is compiled without them.

mod environment;
mod integrations;
mod tools;
mod trial;

use ptxasw_base::process;
use ptxasw_driver::pipeline::settings::Settings;
use ptxasw_driver::pipeline::settings::config;
use ptxasw_driver::pipeline::settings::words::BadSetting;
use ptxasw_machine::toolchain::Search;
use rayon::prelude::*;
use serde::Serialize;
use std::io;
use std::path::Path;
use trial::Trial;

pub use integrations::{Integration, Outcome};
pub use tools::Tool;

/// All that was found out.
#[derive(Debug, Serialize)]
pub struct Report {
    /// Programs and libraries.
    pub tools: Vec<Tool>,
    /// Settings that are in the environment: they hold for every build.
    pub settings: Vec<String>,
    /// What is wrong with them: no assembler is called then.
    pub settings_error: Option<String>,
    /// Compilers that call ptxasw in place of the assembler.
    pub integrations: Vec<Integration>,
}

impl Report {
    /// Whether everything that is present works.
    pub fn is_healthy(&self) -> bool {
        let fails = |one: &Integration| one.outcome == Outcome::Fails;
        self.settings_error.is_none() && !self.integrations.iter().any(fails)
    }
}

/// Programs and libraries, without a try of them.
pub fn tools(own: &Path) -> Vec<Tool> {
    tools::describe(&tools::InstalledTools::by(&Search::from_environment(), own))
}

/// Looks for everything and tries it. `own` is the command `ptxasw`. To be called while this process has one thread.
///
/// # Errors
/// No temporary folder can be made.
pub fn examine(own: &Path) -> io::Result<Report> {
    let folder = tempfile::Builder::new()
        .prefix("ptxasw-doctor-")
        .tempdir()?;
    let root = folder.path().to_path_buf();
    process::before_the_end(move || {
        let _ = std::fs::remove_dir_all(root);
    })?;
    let found = tools::InstalledTools::by(&Search::from_environment(), own);
    let (tools, integrations) = rayon::join(
        || tools::describe(&found),
        || {
            integrations::ALL
                .par_iter()
                .map(|one| one.tried(&found, Trial::new(folder.path(), one.name, own)))
                .collect()
        },
    );
    let variables = config::variables(&[]).map_err(BadSetting::from);
    let taken = variables.and_then(|variables| Settings::take(Vec::new(), variables));
    let error = taken.err();
    Ok(Report {
        tools,
        settings: environment::settings(),
        settings_error: error.map(|error| error.to_string()),
        integrations,
    })
}
