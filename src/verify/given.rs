//! Launches that are written down, by the user or in a module.

use super::launches::filling;
use super::{Kernel, made_up_launches};
use ptxasw_base::lines::LineIndex;
use ptxasw_executor::launch::{self, LaunchSpec};
use ptxasw_executor::{ExecutionError, Fault};
use ptxasw_ptx::decode::form;

/// Most steps of a launch that is made up: several may have to be tried, and some of its blocks show what the others do.
pub const MADE_UP_STEPS: u64 = 1 << 20;
/// A small launch, of which all blocks are executed, takes so many times fewer.
const SMALLER: u64 = 4;
/// Reasons that are named why none of the given launches fits.
const NAMED: usize = 3;

/// How large a launch is that is made up for an estimate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Size {
    /// About a million threads: four waves of full blocks on a GPU of 132 multiprocessors.
    Full,
    /// About a block for each multiprocessor: its threads wait, and few others work meanwhile.
    Few,
}

impl Size {
    /// In words, after "made up".
    pub fn name(self) -> &'static str {
        match self {
            Size::Full => "to fill the GPU",
            Size::Few => "with a block for each multiprocessor",
        }
    }

    fn threads(self) -> u64 {
        match self {
            Size::Full => 1 << 20,
            Size::Few => 1 << 14,
        }
    }
}

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

    /// The launch that a kernel is executed with: the first one that fits it, else one of this size that is made up, of which some blocks
    /// take at most so many steps; with whether it is made up. Where there is none of the size, a small one will do.
    ///
    /// # Errors
    /// In words: none of the user's fits, or none could be made up.
    pub fn launch(
        &self,
        kernel: Kernel,
        steps: u64,
        size: Size,
    ) -> Result<(LaunchSpec, bool), String> {
        let mut specs = self.specs.iter();
        if let Some(spec) = specs.find(|spec| fits(spec, kernel.function)) {
            return Ok((spec.clone(), false));
        }
        if self.by_user {
            return Err(self.why_none_fits(kernel.function));
        }
        let limit = steps.min(MADE_UP_STEPS);
        if let Some(spec) = filling(kernel, size.threads(), limit) {
            return Ok((spec, true));
        }
        let mut failure = None;
        for made in made_up_launches(kernel, limit / SMALLER) {
            match made {
                Ok(made) => return Ok((made, true)),
                Err(error) => drop(failure.get_or_insert(error)),
            }
        }
        Err(why_none_runs(kernel, failure.as_ref()))
    }

    /// Why none of the user's launches is one of a kernel's.
    fn why_none_fits(&self, function: &form::Function) -> String {
        let mut reasons: Vec<String> = Vec::new();
        for spec in &self.specs {
            let reason = match (&spec.kernel, spec.check(function)) {
                (Some(name), _) if *name != *function.name => format!("one is for `{name}`"),
                (_, Err(error)) => error.to_string(),
                (_, Ok(())) => continue,
            };
            if !reasons.contains(&reason) {
                reasons.push(reason);
            }
        }
        let more = reasons.len().saturating_sub(NAMED);
        reasons.truncate(NAMED);
        if more > 0 {
            reasons.push(format!("and {more} more"));
        }
        format!("no launch that is given fits it: {}", reasons.join("; "))
    }
}

/// Why no made-up launch can be executed, by the first that failed.
fn why_none_runs(kernel: Kernel, failure: Option<&ExecutionError>) -> String {
    let Some(error) = failure else {
        return "no launch can be made up for parameters of that size".to_owned();
    };
    let line = match error.span == Default::default() {
        true => String::new(),
        false => format!(
            "line {}: ",
            LineIndex::new(kernel.text).line(error.span.start)
        ),
    };
    let lift = match error.fault {
        Fault::NotSupported(_) => "",
        _ => "; give a launch with `--launch`",
    };
    format!("no made-up launch can be executed: {line}{error}{lift}")
}

/// Whether a launch is one of a kernel's.
fn fits(spec: &LaunchSpec, function: &form::Function) -> bool {
    let name = spec.kernel.as_deref();
    name.is_none_or(|name| *name == *function.name) && spec.check(function).is_ok()
}
