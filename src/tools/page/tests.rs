//! The page as a text, and the schema of what it shows.

use super::data::{Report, Verdict};
use super::page;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::read::GzDecoder;
use std::io::Read as _;

fn report(command: &str) -> Report {
    Report {
        command: command.to_owned(),
        verdict: Verdict::default(),
        arch: None,
        assumed: Vec::new(),
        modules: Vec::new(),
        build: None,
    }
}

/// What comes from outside is nowhere in the page as it is, whatever it looks like.
#[test]
fn markup_is_never_in_the_page() {
    let hostile = "</script><img src=x onerror=alert(1)> @PAYLOAD@ /*SCRIPT*/ /*STYLE*/";
    let page = page(&report(hostile)).unwrap();
    assert!(!page.contains("onerror") && !page.contains("@PAYLOAD@"));
    assert!(!page.contains("/*SCRIPT*/") && !page.contains("/*STYLE*/"));
    let (_, rest) = page.split_once("id=\"payload\">").unwrap();
    let (payload, _) = rest.split_once("</script>").unwrap();
    let mut text = String::new();
    let packed = STANDARD.decode(payload).unwrap();
    GzDecoder::new(&packed[..])
        .read_to_string(&mut text)
        .unwrap();
    let value: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(value["command"], hostile);
}

#[test]
fn the_page_needs_no_network() {
    let page = page(&report("")).unwrap();
    let namespaces = page.replace("http://www.w3.org/2000/svg", "");
    for word in ["http://", "https://", "src=\"", "@import", "innerHTML"] {
        assert!(!namespaces.contains(word), "{word}");
    }
}

#[test]
fn the_schema_is_that_of_the_manual() {
    crate::json::assert_schema::<Report>("report");
}
