//! The one line that a failure of ours is worth.

use super::arguments::{Arguments, InputSource};
use ptxasw_base::shell::word;
use ptxasw_driver::pipeline::settings::Settings;
use ptxasw_passes::shuffle::profit::Profit;
use std::path::Path;

/// What went wrong.
pub struct Failure {
    /// The kernel, if it is known.
    pub kernel: Option<String>,
    /// In words.
    pub cause: String,
}

impl Failure {
    /// Of a whole call.
    pub fn whole(cause: impl ToString) -> Self {
        Failure {
            kernel: None,
            cause: cause.to_string(),
        }
    }
}

/// The line: kernel, cause, what was done, how to see it again.
pub fn line(
    failure: &Failure,
    what: &str,
    kept: Option<&Path>,
    arguments: &Arguments,
    settings: &Settings,
) -> String {
    let name = match (&failure.kernel, input(arguments)) {
        (Some(kernel), _) => format!("kernel `{kernel}`"),
        (None, Some(input)) => format!("`{input}`"),
        (None, None) => "standard input".to_string(),
    };
    let cause = failure.cause.replace(['\n', '\r'], " ");
    let mut options = arguments
        .target
        .map_or_else(String::new, |target| format!(" --arch sm_{target}"));
    if settings.options.synthesis.profit == Profit::Always {
        options += " --profit always";
    }
    let reproduce = match (kept, input(arguments)) {
        (Some(kept), _) => format!(
            "ptxasw opt{options} {} -o /dev/null",
            word(&kept.to_string_lossy())
        ),
        (None, Some(input)) if Path::new(&input).is_file() => {
            format!("ptxasw opt{options} {} -o /dev/null", word(&input))
        }
        _ => "the same command with `--ptxasw-save-temps=DIR`".to_string(),
    };
    let strict = match settings.strict {
        true => "error",
        false => "warning",
    };
    format!("ptxasw: {strict}: {name}: {cause}; {what}; to reproduce: {reproduce}")
}

/// That a bundle does not read these variables.
pub fn ignored(variables: &[String]) -> Option<String> {
    let (names, are) = match variables {
        [] => return None,
        [one] => (one.clone(), "is"),
        all => (all.join(", "), "are"),
    };
    Some(format!(
        "ptxasw: warning: {names} {are} ignored: the settings of a bundle are fixed; make another one with `ptxasw bundle`, \
         or give arguments (`--ptxasw-NAME=VALUE`)"
    ))
}

/// The first input's name.
fn input(arguments: &Arguments) -> Option<String> {
    arguments
        .inputs
        .iter()
        .find_map(|input| match &input.source {
            InputSource::File(path) => Some(path.to_string_lossy().into_owned()),
            _ => None,
        })
}
