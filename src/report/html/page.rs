//! The page itself: one file with all that it needs.

use super::data::Report;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::{self, Write as _};

const PAGE: &str = include_str!("page/page.html");
const STYLES: [&str; 3] = [
    include_str!("page/style.css"),
    include_str!("page/code.css"),
    include_str!("page/charts.css"),
];
/// In the order in which they use each other.
const SCRIPTS: [&str; 14] = [
    include_str!("page/dom.js"),
    include_str!("page/payload.js"),
    include_str!("page/words.js"),
    include_str!("page/theme.js"),
    include_str!("page/head.js"),
    include_str!("page/table.js"),
    include_str!("page/lines.js"),
    include_str!("page/columns.js"),
    include_str!("page/lanes.js"),
    include_str!("page/clock.js"),
    include_str!("page/strip.js"),
    include_str!("page/reasons.js"),
    include_str!("page/kernel.js"),
    include_str!("page/main.js"),
];

/// A page that shows a report. What comes from outside is compressed and in base64: nothing of it is read as markup.
///
/// # Errors
/// The report cannot be serialised.
pub fn page(report: &Report) -> io::Result<String> {
    // No name of a file and no time goes in: the same report gives the same bytes.
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(&serde_json::to_vec(report)?)?;
    let payload = STANDARD.encode(encoder.finish()?);
    let page = PAGE.replace("/*STYLE*/", &STYLES.concat());
    let page = page.replace("/*SCRIPT*/", &SCRIPTS.concat());
    Ok(page.replace("@PAYLOAD@", &payload))
}
