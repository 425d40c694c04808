//! Expectations on the lines they speak of: what became of each load, as comments after it.
//!
//! ```text
//! ld.global.f32 %f1, [%rd1];     // kept: C1-no-source, source        stays; other loads take its value
//! ld.global.f32 %f2, [%rd1+4];   // covered: N=+1 from @38, F         lane i takes what lane i+1 loaded at line 38
//! ld.global.f32 %f3, [%rd2];     // kept: C3-barrier @40              stays; line 40 is in the way
//! ld.global.f32 %f4, [%rd2+4];   // declined: profit-target           proved, and not emitted
//! setp.lt.s32 %p1, %r1, %r2;     // mask: F, 1 check                  in front of it mask and clamp are set up
//! .visible .entry k()            // left alone: limit-debug           nothing is tried
//! ```
//!
//! `full in a clone` is the scheme in a clone for whole warps. `N=^3` is the partner of `lane ^ 3`, `N=lane 5` that lane for all, `N=0` the own lane. `carried`, `early`, `2 checks`
//! and `bytes 4-7 of @38` follow where they hold. Several remarks at one line are joined by ` | `.
//!
//! Files that a compiler wrote have them after `// expect:`, with the number of the line in front, so that they can
//! be generated anew.

use serde_json::Value;
use std::collections::BTreeMap;

/// Expectations by line, from 1.
pub type Lines = BTreeMap<u32, String>;

/// How an expectation begins.
const WORDS: [&str; 5] = [
    "covered: ",
    "kept: ",
    "declined: ",
    "left alone: ",
    "mask: ",
];
/// Between two at one line.
const JOINT: &str = " | ";

/// A line of a file without the expectation at its end, and that.
fn split<'l>(line: &'l str, mark: &str) -> (&'l str, Option<&'l str>) {
    let comment = format!(" {mark} ");
    let mut places = line.match_indices(&comment);
    let found = places.find(|(place, _)| {
        let rest = &line[place + comment.len()..];
        WORDS.iter().any(|word| rest.starts_with(word))
    });
    match found {
        Some((place, _)) => (
            &line[..place],
            Some(line[place + comment.len()..].trim_end()),
        ),
        None => (line, None),
    }
}

/// A text without the expectations at the ends of its lines, and those.
pub fn strip(text: &str, mark: &str) -> (String, Lines) {
    let mut lines = Lines::new();
    let mut out = String::with_capacity(text.len());
    for (number, whole) in (1..).zip(text.split_inclusive('\n')) {
        let line = whole.trim_end_matches(['\r', '\n']);
        let (plain, expected) = split(line, mark);
        if let Some(expected) = expected {
            lines.insert(number, expected.to_owned());
        }
        out.push_str(plain);
        out.push_str(&whole[line.len()..]);
    }
    (out, lines)
}

/// A text with expectations at the ends of its lines.
pub fn annotated(text: &str, expected: &Lines, mark: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for (number, whole) in (1..).zip(text.split_inclusive('\n')) {
        let line = whole.trim_end_matches(['\r', '\n']);
        out.push_str(line);
        if let Some(expected) = expected.get(&number) {
            out.push_str(&format!(" {mark} {expected}"));
        }
        out.push_str(&whole[line.len()..]);
    }
    out
}

/// Expectations with their lines' numbers, for a block at a file's end.
pub fn block(lines: &Lines) -> String {
    let lines = lines.iter().map(|(line, text)| format!("{line}: {text}\n"));
    lines.collect()
}

/// Reads what [`block`] wrote.
pub fn of_block(block: &str) -> Lines {
    let lines = block.lines().filter_map(|line| line.split_once(": "));
    let lines = lines.filter_map(|(line, text)| Some((line.parse().ok()?, text.to_owned())));
    lines.collect()
}

/// What differs, a line each; empty if nothing does.
pub fn difference(expected: &Lines, found: &Lines) -> String {
    let mut numbers: Vec<&u32> = expected.keys().chain(found.keys()).collect();
    numbers.sort_unstable();
    numbers.dedup();
    let mut out = String::new();
    for number in numbers {
        let (expected, found) = (expected.get(number), found.get(number));
        if expected == found {
            continue;
        }
        let shown = |text: Option<&String>| text.map_or("nothing", String::as_str).to_owned();
        out += &format!(
            "line {number}: expected {}, found {}\n",
            shown(expected),
            shown(found)
        );
    }
    out
}

/// What `ptxasw explain --json` reports of a module. `line_of` finds the line of a kernel's name; `in_file` the line of
/// the file for a line of the report.
pub fn found(
    report: &str,
    line_of: impl Fn(&str) -> Option<u32>,
    in_file: impl Fn(u32) -> Option<u32>,
) -> Result<Lines, String> {
    let report: Value = serde_json::from_str(report).map_err(|error| error.to_string())?;
    let list = |value: &Value, key: &str| value[key].as_array().cloned().unwrap_or_default();
    let mut items: Vec<(u32, String)> = Vec::new();
    for kernel in list(&report, "kernels") {
        let name = kernel["name"].as_str().unwrap_or_default();
        if let Some(code) = kernel["left_alone"].as_str() {
            let line = line_of(name).ok_or_else(|| format!("no line of `{name}`"))?;
            items.push((line, format!("left alone: {code}")));
        }
        for region in list(&kernel, "regions") {
            let line = place(&region["line"], &in_file)?;
            let scheme = region["scheme"].as_str().unwrap_or_default();
            let checks = checks(list(&region, "checks").len());
            let clone = clone(region["clone"].as_bool());
            items.push((line, format!("mask: {scheme}{clone}{checks}")));
        }
    }
    let remarks = list(&report, "remarks").into_iter();
    // Expectations are about shuffles; those of passes over the SSA IR are tested by what they leave.
    for remark in remarks.filter_map(|remark| of_shuffles(&remark)) {
        let line = ["ptx_line", "ir_line"].map(|key| &remark[key]);
        let Some(line) = line.into_iter().find(|line| line.is_u64()) else {
            continue;
        };
        items.push((place(line, &in_file)?, text(&remark, &in_file)?));
    }
    let mut lines = Lines::new();
    for (line, item) in items {
        let all = lines.entry(line).or_default();
        if !all.is_empty() {
            all.push_str(JOINT);
        }
        all.push_str(&item);
    }
    Ok(lines)
}

/// What the shuffles decided about an access: by itself, or beside what another pass did.
fn of_shuffles(remark: &Value) -> Option<Value> {
    let mut own = remark.clone();
    if !remark["pass"].is_null() {
        let mut others = remark["others"].as_array()?.iter();
        let shuffle = others.find(|other| other["pass"] == "shuffle")?;
        own["code"] = shuffle["code"].clone();
        own["related_line"] = shuffle["related_line"].clone();
    }
    let decided = own["code"].is_string() || own["lanes"].is_string();
    (decided && own["access"].is_string()).then_some(own)
}

/// One load in short.
fn text(remark: &Value, in_file: &impl Fn(u32) -> Option<u32>) -> Result<String, String> {
    let word = |key: &str| remark[key].as_str();
    let holds = |key: &str| remark[key].as_bool().unwrap_or(false);
    let source = if holds("is_source") { ", source" } else { "" };
    if let Some(code) = word("code") {
        let verdict = match code.starts_with("profit") {
            true => "declined",
            false => "kept",
        };
        let related = match &remark["related_line"] {
            Value::Null => String::new(),
            line => format!(" @{}", place(line, in_file)?),
        };
        return Ok(format!("{verdict}: {code}{related}{source}"));
    }
    let lanes = word("lanes").ok_or("a remark without lanes")?;
    let distance = match lanes.strip_prefix('i') {
        Some("") => "0".to_owned(),
        Some(distance) => distance.to_owned(),
        None => format!("lane {lanes}"),
    };
    let line = ["source_ptx_line", "source_ir_line"].map(|key| &remark[key]);
    let line = line.into_iter().find(|line| line.is_u64());
    let line = place(line.ok_or("a value from no line")?, in_file)?;
    let mut out = format!("covered: N={distance} from @{line}");
    if let Some(scheme) = word("scheme") {
        out += &format!(", {scheme}{}", clone(remark["clone"].as_bool()));
    }
    for (key, name) in [("carried", ", carried"), ("early", ", early")] {
        out += if holds(key) { name } else { "" };
    }
    out += &checks(remark["checks"].as_array().map_or(0, Vec::len));
    for part in remark["parts"].as_array().into_iter().flatten() {
        let number = |key: &str| part[key].as_u64().unwrap_or_default();
        let (first, line) = (number("byte"), place(&part["line"], in_file)?);
        let last = first + number("bytes").max(1) - 1;
        out += &format!(", bytes {first}-{last} of @{line}");
    }
    Ok(out + source)
}

fn clone(is_clone: Option<bool>) -> &'static str {
    match is_clone {
        Some(true) => " in a clone",
        _ => "",
    }
}

fn checks(count: usize) -> String {
    match count {
        0 => String::new(),
        1 => ", 1 check".to_owned(),
        _ => format!(", {count} checks"),
    }
}

fn place(line: &Value, in_file: &impl Fn(u32) -> Option<u32>) -> Result<u32, String> {
    let number = line.as_u64().and_then(|line| u32::try_from(line).ok());
    let found = number.and_then(in_file);
    found.ok_or_else(|| format!("no line of the file for {line}"))
}

/// Expectations are found, compared and written as they are meant: a wrong one, a missing one and one too many are seen.
pub fn check() -> Result<(), String> {
    let text = "ld.a // a comment\r\n\tld.b // kept: C3-store @1\nld.c\n";
    let (plain, expected) = strip(text, "//");
    let same =
        annotated(&plain, &expected, "//") == text && of_block(&block(&expected)) == expected;
    let wanted = Lines::from([(2, "kept: C3-store @1".to_owned())]);
    if !same || expected != wanted || plain != "ld.a // a comment\r\n\tld.b\nld.c\n" {
        return Err(format!("{plain:?} {expected:?}"));
    }
    let found = Lines::from([
        (2, "kept: C3-store @9".to_owned()),
        (3, "covered: N=+1 from @2, F".to_owned()),
    ]);
    let shown = difference(&expected, &found);
    let lines = "line 2: expected kept: C3-store @1, found kept: C3-store @9\n\
                 line 3: expected nothing, found covered: N=+1 from @2, F\n";
    match shown == lines && difference(&found, &found).is_empty() {
        true => Ok(()),
        false => Err(shown),
    }
}
