//! Names of kernels as the text has them, and as their sources do.

use cpp_demangle::{DemangleOptions, Symbol};
use glob::Pattern;

/// How names that C++ compilers mangle begin.
const MANGLED: &str = "_Z";
/// Letters of a demangled name that are shown.
const MOST_LETTERS: usize = 64;
/// Of these, at the end.
const END_LETTERS: usize = 24;

/// A name as the source has it; itself where it is not mangled.
pub fn demangled(name: &str) -> String {
    let symbol = symbol(name).and_then(|symbol| symbol.demangle().ok());
    symbol.unwrap_or_else(|| name.to_owned())
}

/// A demangled name; of a long one both ends, as names of instances often differ at the end alone.
pub fn shown(name: &str) -> String {
    let name = demangled(name);
    match name.chars().count() <= MOST_LETTERS {
        true => name,
        false => {
            let skipped = name.chars().count() - END_LETTERS;
            let begin = name.chars().take(MOST_LETTERS - 1 - END_LETTERS);
            begin
                .chain(['…'])
                .chain(name.chars().skip(skipped))
                .collect()
        }
    }
}

/// Whether a glob matches a name: as it is, or in one of its [`forms`]. Blanks make no difference.
pub fn matches(glob: &Pattern, name: &str) -> bool {
    let fits = |form: &String| glob.matches(form) || glob.matches(&form.replace(' ', ""));
    glob.matches(name) || forms(name).iter().any(fits)
}

/// A mangled name as the source has it: with its parameters (`void ns::f<int>(float*)`), without them (`ns::f<int>`), and without
/// those of its template (`ns::f`).
pub fn forms(name: &str) -> Vec<String> {
    let Some(symbol) = symbol(name) else {
        return Vec::new();
    };
    let plain = DemangleOptions::new().no_params().no_return_type();
    let plain = symbol.demangle_with_options(&plain).ok();
    let bare = plain.as_deref().map(without_template).map(str::to_owned);
    [symbol.demangle().ok(), plain, bare]
        .into_iter()
        .flatten()
        .collect()
}

fn symbol(name: &str) -> Option<Symbol<&str>> {
    let is_mangled = name.starts_with(MANGLED);
    is_mangled.then(|| Symbol::new(name).ok()).flatten()
}

/// `ns::f` of `ns::f<g<int>>`.
fn without_template(name: &str) -> &str {
    if !name.ends_with('>') {
        return name;
    }
    let mut depth = 0;
    for (at, letter) in name.char_indices().rev() {
        match letter {
            '>' => depth += 1,
            '<' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return name[..at].trim_end();
        }
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn globs_match_either_name() {
        // void ns::scale<float, 4>(float*, int)
        let name = "_ZN2ns5scaleIfLi4EEEvPT_i";
        let matches = |glob: &str, name: &str| matches(&Pattern::new(glob).unwrap(), name);
        for glob in [
            name,
            "ns::scale",
            "ns::scale<float, 4>",
            "ns::scale<float,4>",
            "ns::*",
            "*scale*",
            "void ns::scale<*",
        ] {
            assert!(matches(glob, name), "{glob}");
        }
        for glob in ["scale", "ns::scal", "ns::scale<float>", "scale*"] {
            assert!(!matches(glob, name), "{glob}");
        }
        assert!(matches("plain", "plain") && !matches("plain", "plainer"));
        assert!(!matches("x", "_Znonsense") && matches("_Zn*", "_Znonsense"));
        assert_eq!(demangled("_Z1kPfi"), "k(float*, int)");
        assert_eq!(demangled("k"), "k");
        assert_eq!(without_template("a<b>::f<c<d>>"), "a<b>::f");
    }

    #[test]
    fn names_are_cut_between_letters() {
        let long = "ä".repeat(200);
        assert_eq!(shown(&long).chars().count(), MOST_LETTERS);
        assert_eq!(shown("_Z5solvePf"), "solve(float*)");
    }
}
