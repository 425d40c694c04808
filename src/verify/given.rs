//! Launches that are written down, by the user or in a module.

use super::{Kernel, made_up_launches};
use crate::ptx::decode::form;
use crate::warp::launch::{self, LaunchSpec};

/// Most steps of a launch that is made up: several may have to be tried.
const MADE_UP_STEPS: u64 = 1 << 20;

/// Launches that are written down.
#[derive(Clone, Debug, Default)]
pub struct Given {
    /// The launches in file order; the first that fits a kernel is used.
    pub specs: Vec<LaunchSpec>,
    /// By the user, not in the module.
    pub by_user: bool,
}

impl Given {
    /// Those of a module's head: its `// launch:` lines.
    pub fn of_module(text: &[u8]) -> Self {
        let text = String::from_utf8_lossy(text);
        let lines = text.lines();
        let lines = lines.filter_map(|line| line.strip_prefix("// launch:"));
        let specs = lines.filter_map(|line| launch::parse_line(line.trim()).ok());
        Given {
            specs: specs.collect(),
            by_user: false,
        }
    }

    /// The launch that a kernel is executed with: the first one that fits it, else one that is made up and takes at most so many
    /// steps; with whether it is made up.
    ///
    /// # Errors
    /// In words: none of the user's fits, or none could be made up.
    pub fn launch(&self, kernel: Kernel, steps: u64) -> Result<(LaunchSpec, bool), String> {
        let mut specs = self.specs.iter();
        if let Some(spec) = specs.find(|spec| fits(spec, kernel.function)) {
            return Ok((spec.clone(), false));
        }
        if self.by_user {
            return Err("no launch that is given fits it".to_owned());
        }
        let made = made_up_launches(kernel, steps.min(MADE_UP_STEPS)).next();
        let made =
            made.ok_or("no launch that can be executed was found; give one with `--launch`")?;
        Ok((made, true))
    }
}

/// Whether a launch is one of a kernel's.
fn fits(spec: &LaunchSpec, function: &form::Function) -> bool {
    let name = spec.kernel.as_deref();
    name.is_none_or(|name| *name == *function.name) && spec.check(function).is_ok()
}
