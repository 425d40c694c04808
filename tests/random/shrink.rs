//! Smaller kernels that fail as well.

use crate::random::case::Case;
use crate::random::check::Verdict;

/// Decides whether a kernel survives.
pub type Check = fn(&Case, &str) -> Verdict;

/// Drops lines as long as the kernel still fails; gives it with the reason and the rewritten text.
pub fn shrink(case: &Case, text: &str, check: Check) -> Option<(String, String, String)> {
    let mut best = failure(case, text, check)?;
    let mut size = best.0.lines().count() / 2;
    while size > 0 {
        let lines: Vec<&str> = best.0.lines().collect();
        let smaller = (0..lines.len()).rev().step_by(size).find_map(|end| {
            let start = (end + 1).saturating_sub(size);
            let kept: Vec<&str> = [&lines[..start], &lines[end + 1..]].concat();
            failure(case, &(kept.join("\n") + "\n"), check)
        });
        match smaller {
            Some(found) => best = found,
            None => size /= 2,
        }
    }
    Some(best)
}

fn failure(case: &Case, text: &str, check: Check) -> Option<(String, String, String)> {
    match check(case, text) {
        Verdict::Wrong(reason, rewritten) => Some((text.to_owned(), reason, rewritten)),
        _ => None,
    }
}
