//! Functions that patches make.

use crate::ir::case::Case;
use ptxasw::ir::function::Function;
use ptxasw::ir::patch::{Patch, verify};
use ptxasw::ir::text::parse;

/// The changed function as it prints, or why there is none.
pub fn patched(case: &Case, function: &Function) -> String {
    let json = case.patch().expect("the case has a patch");
    let patch: Patch = serde_json::from_str(&json).expect("the patch is one");
    let changed = match verify(function, &patch) {
        Ok(verified) => verified.applied.function.to_string(),
        Err(error) => return format!("error: {error}\n"),
    };
    let again = parse(&changed).expect("what is printed is a function");
    assert_eq!(again.to_string(), changed, "is read as another function");
    changed
}
