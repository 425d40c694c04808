//! A warning of stale hits: compiler caches have arguments in their keys, but not the variables of ptxasw. After a change of
//! `PTXASW_PROFIT` ccache and sccache return the object that was made before.
//!
//! There is no warning unless a variable changes the output of this call: one with the default value changes nothing, nor
//! does one that an argument overrides.

use ptxasw_driver::pipeline::settings::Settings;
use ptxasw_driver::pipeline::settings::config;
use ptxasw_driver::pipeline::settings::words::VARIABLE;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;

/// How the variables of caches begin. ccache sets `CCACHE_DISABLE` for the compiler that it calls, the server of sccache hands
/// on the variables of its client.
const CACHES: [&str; 2] = ["SCCACHE_", "CCACHE_"];

/// The warning that a call deserves, if any. `words` are its arguments with those of ptxasw.
pub fn warning(words: &[OsString], variables: &[(OsString, OsString)]) -> Option<String> {
    let (cache, _) = variables
        .iter()
        .find(|(name, value)| is_cache(name, value))?;
    let digest = |without: Option<&OsStr>| {
        let kept = |(name, _): &&(OsString, OsString)| Some(name.as_os_str()) != without;
        let kept = variables.iter().filter(kept).cloned();
        let (settings, _) = Settings::take(words.to_vec(), kept).ok()?;
        Some(settings.digest())
    };
    let all = digest(None)?;
    let effective: Vec<String> = variables
        .iter()
        .map(|(name, _)| name)
        .filter(|name| is_ours(name) && digest(Some(name)) != Some(all))
        .map(|name| name.to_string_lossy().into_owned())
        .collect();
    if effective.is_empty() {
        return None;
    }
    let effective = config::origins(effective);
    let (names, verb) = (
        effective.join(", "),
        match effective.len() {
            1 => "changes",
            _ => "change",
        },
    );
    Some(format!(
        "ptxasw: warning: {names} {verb} the output, but a compiler cache ({} is set) does not see variables and may return \
         an object made with other settings: give settings as arguments (`-Xptxas --ptxasw-NAME=VALUE`) or make an assembler that \
         has them built in (`ptxasw bundle`)",
        cache.to_string_lossy()
    ))
}

fn is_ours(name: &OsStr) -> bool {
    name.as_bytes().starts_with(VARIABLE.as_bytes())
}

fn is_cache(name: &OsStr, value: &OsStr) -> bool {
    let starts = |start: &str| name.as_bytes().starts_with(start.as_bytes());
    !value.is_empty() && CACHES.iter().any(|start| starts(start))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn warned(words: &[&str], variables: &[(&str, &str)]) -> Option<String> {
        let words: Vec<OsString> = words.iter().map(OsString::from).collect();
        let variables = variables.iter();
        let variables: Vec<_> = variables
            .map(|(name, value)| (name.into(), value.into()))
            .collect();
        warning(&words, &variables)
    }

    #[test]
    fn variables_that_change_the_output_are_named_where_a_cache_is_seen() {
        let always = ("PTXASW_PROFIT", "always");
        let line = warned(&[], &[always, ("CCACHE_DISABLE", "1")]).unwrap();
        assert!(
            line.starts_with("ptxasw: warning: PTXASW_PROFIT changes the output"),
            "{line}"
        );
        assert!(line.contains("(CCACHE_DISABLE is set)") && !line.contains('\n'));
        let both = [
            always,
            ("PTXASW_OFF", "1"),
            ("SCCACHE_DIR", "/x"),
            ("PTXASW_J", "2"),
        ];
        let line = warned(&[], &both).unwrap();
        assert!(
            line.contains("PTXASW_OFF, PTXASW_PROFIT change the output"),
            "{line}"
        );
    }

    #[test]
    fn nothing_is_said_where_no_hit_can_be_stale() {
        let cache = ("SCCACHE_DIR", "/x");
        type Variables<'a> = &'a [(&'a str, &'a str)];
        let calls: &[(&[&str], Variables)] = &[
            (&[], &[("PTXASW_PROFIT", "always")]),
            (&[], &[("PTXASW_PROFIT", "always"), ("CCACHE_DIR", "")]),
            (&[], &[cache]),
            (&["--ptxasw-profit=always"], &[cache]),
            // The default, and what an argument overrides.
            (
                &[],
                &[cache, ("PTXASW_PROFIT", "auto"), ("PTXASW_OFF", "0")],
            ),
            (
                &["--ptxasw-profit=auto"],
                &[cache, ("PTXASW_PROFIT", "always")],
            ),
            // What leaves the output as it is.
            (
                &[],
                &[
                    cache,
                    ("PTXASW_J", "2"),
                    ("PTXASW_STATS_DIR", "/x"),
                    ("PTXASW_PTXAS", "/x"),
                ],
            ),
            (
                &[],
                &[cache, ("PTXASW_REMARKS", "/x"), ("PTXASW_STRICT", "1")],
            ),
        ];
        for (words, variables) in calls {
            assert_eq!(warned(words, variables), None, "{words:?} {variables:?}");
        }
    }
}
