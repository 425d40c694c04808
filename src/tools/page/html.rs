//! The page itself: one file with all that it needs.

use super::data::{FORMAT, Report};
use crate::json::Document;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::{self, Write as _};

const PAGE: &str = include_str!("html/page.html");
const STYLES: [&str; 3] = [
    include_str!("html/style.css"),
    include_str!("html/code.css"),
    include_str!("html/charts.css"),
];
/// In the order in which they use each other.
const SCRIPTS: [&str; 14] = [
    include_str!("html/dom.js"),
    include_str!("html/payload.js"),
    include_str!("html/words.js"),
    include_str!("html/theme.js"),
    include_str!("html/head.js"),
    include_str!("html/table.js"),
    include_str!("html/lines.js"),
    include_str!("html/columns.js"),
    include_str!("html/lanes.js"),
    include_str!("html/clock.js"),
    include_str!("html/strip.js"),
    include_str!("html/reasons.js"),
    include_str!("html/kernel.js"),
    include_str!("html/main.js"),
];

/// A page that shows a report. What comes from outside is compressed and in base64: nothing of it is read as markup.
///
/// # Errors
/// The report cannot be serialised.
pub fn page(report: &Report) -> io::Result<String> {
    // No name of a file and no time goes in: the same report gives the same bytes.
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(&serde_json::to_vec(&Document::new(FORMAT, report))?)?;
    let payload = STANDARD.encode(encoder.finish()?);
    let page = PAGE.replace("/*STYLE*/", &STYLES.concat());
    let page = page.replace("/*SCRIPT*/", &SCRIPTS.concat());
    Ok(page.replace("@PAYLOAD@", &payload))
}
