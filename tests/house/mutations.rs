//! Each section of `src/base/mutation.rs` names the file that has its cases. The lists are public, so no lint would report one
//! that nobody goes through.

use std::fs;

const SECTIONS: &str = include_str!("../../src/base/mutation.rs");

#[test]
fn every_section_of_mutations_is_gone_through() {
    let lines: Vec<&str> = SECTIONS.lines().map(str::trim).collect();
    let mut sections = 0;
    for pair in lines.windows(2) {
        let name = pair[1].strip_suffix(" {").unwrap_or_default();
        if name.is_empty() || name.contains(|one: char| !one.is_ascii_uppercase()) {
            continue;
        }
        sections += 1;
        let file = pair[0].rsplit('`').nth(1);
        let file = file.unwrap_or_else(|| panic!("{name} names no file: {}", pair[0]));
        let text = fs::read_to_string(file).unwrap_or_else(|error| panic!("{file}: {error}"));
        assert!(
            text.contains(&format!("mutation in {name} {{")),
            "{file}: {name}"
        );
    }
    assert!(sections >= 7, "{sections} sections");
}
