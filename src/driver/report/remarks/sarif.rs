//! The Static Analysis Results Interchange Format (OASIS, SARIF 2.1.0), which code hosts show beside the lines of a change.

use super::collect::{Kind, Remark};
use crate::report::explain;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The log of one run: every remark that is about a line, and a rule for each kind of them.
///
/// Everything is a note: nothing that ptxasw finds makes a program wrong. The place is that of the source where debug information
/// names it, and the line of the PTX or LLVM IR is related to it; else it is the latter.
pub fn log(remarks: &[Remark]) -> Value {
    let mut rules: BTreeMap<&str, &Remark> = BTreeMap::new();
    for remark in remarks {
        rules.entry(rule(remark)).or_insert(remark);
    }
    let numbers: BTreeMap<&str, usize> = rules.keys().copied().zip(0..).collect();
    let results = remarks.iter().map(|remark| result(remark, &numbers));
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "ptxasw",
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": rules.iter().map(|(id, first)| described(id, first)).collect::<Vec<_>>(),
            }},
            "columnKind": "utf16CodeUnits",
            "results": results.collect::<Vec<_>>(),
        }],
    })
}

/// What a remark is an instance of: the code of a reason, else the remark's name.
fn rule(remark: &Remark) -> &'static str {
    remark.code.unwrap_or(remark.name)
}

fn described(id: &str, first: &Remark) -> Value {
    let mut rule = json!({
        "id": id,
        "name": first.name,
        "shortDescription": { "text": first.message },
        "defaultConfiguration": { "level": "note" },
    });
    if let Some(page) = explain::page(id) {
        rule["help"] = json!({ "text": page });
    }
    rule
}

fn result(remark: &Remark, numbers: &BTreeMap<&str, usize>) -> Value {
    let mut text = remark.message.clone();
    if let Some(lift) = &remark.lift {
        // Memory takes all.
        let _ = write!(text, "; lifted by: {lift}");
    }
    let id = rule(remark);
    let own = remark.ptx_line.or(remark.ir_line);
    let line = |line: Option<u32>| Some(physical(&remark.module, line?, 0));
    let [place, other] = match &remark.source {
        Some(at) => [Some(physical(&at.file, at.line, at.column)), line(own)],
        None => [line(own), None],
    };
    let mut location = Map::new();
    let module = || json!({ "artifactLocation": { "uri": uri(&remark.module) } });
    location.insert("physicalLocation".to_owned(), place.unwrap_or_else(module));
    location.insert(
        "logicalLocations".to_owned(),
        json!([{ "name": remark.function, "kind": "function" }]),
    );
    let related = line(
        remark
            .related_line
            .or(remark.source_ptx_line)
            .or(remark.source_ir_line),
    );
    let related = [(other, "the statement"), (related, "the other statement")];
    let related = related.into_iter().filter_map(|(place, what)| {
        Some(json!({ "physicalLocation": place?, "message": { "text": what } }))
    });
    json!({
        "ruleId": id,
        "ruleIndex": numbers.get(id),
        "level": "note",
        "message": { "text": text },
        "locations": [location],
        "relatedLocations": related.collect::<Vec<_>>(),
        "properties": {
            "done": remark.done.unwrap_or(remark.kind == Kind::Passed),
            "pass": remark.pass.unwrap_or("shuffle"),
            "access": remark.access,
            "fate": remark.access.map(|_| remark.name),
        },
    })
}

fn physical(file: &str, line: u32, column: u32) -> Value {
    let mut region = json!({ "startLine": line.max(1) });
    if column > 0 {
        region["startColumn"] = column.into();
    }
    json!({ "artifactLocation": { "uri": uri(file) }, "region": region })
}

/// A path as a reference (RFC 3986): absolute ones are of the scheme `file`, others relative to where ptxasw ran.
fn uri(path: &str) -> String {
    let mut uri = String::new();
    if path.starts_with('/') {
        uri += "file://";
    }
    for byte in path.bytes() {
        match byte {
            b'/' | b'-' | b'.' | b'_' | b'~' => uri.push(char::from(byte)),
            _ if byte.is_ascii_alphanumeric() => uri.push(char::from(byte)),
            // Memory takes all.
            _ => drop(write!(uri, "%{byte:02X}")),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::positions::SourcePosition;

    #[test]
    fn paths_are_references() {
        assert_eq!(uri("src/a b.cu"), "src/a%20b.cu");
        assert_eq!(uri("/tmp/ä<k>.cu"), "file:///tmp/%C3%A4%3Ck%3E.cu");
    }

    /// The types are made from the schema: they demand what it demands, and what they do not know is missing when they are written.
    #[test]
    fn the_log_is_one_of_the_schema() {
        let source = Some(SourcePosition {
            file: "k.cu".to_owned(),
            line: 7,
            column: 3,
        });
        let remarks = [
            Remark {
                kind: Kind::Missed,
                name: "AccessKept",
                code: Some("C3-store"),
                module: "k.ptx".to_owned(),
                function: "<b>k</b>".to_owned(),
                ptx_line: Some(38),
                related_line: Some(31),
                source,
                lift: Some("`const __restrict__`".to_owned()),
                message: "a store in between".to_owned(),
                ..Remark::default()
            },
            Remark {
                kind: Kind::Passed,
                name: "AccessWidened",
                pass: Some("memory"),
                done: Some(true),
                module: "k.ptx".to_owned(),
                function: "k".to_owned(),
                ir_line: Some(40),
                message: "two loads are one".to_owned(),
                ..Remark::default()
            },
        ];
        let own = log(&remarks);
        let log: serde_sarif::sarif::Sarif = serde_json::from_value(own.clone()).expect("a log");
        assert_eq!(serde_json::to_value(&log).expect("a log"), own);
        let run = &log.runs[0];
        let results = run.results.as_ref().expect("results");
        assert_eq!(results.len(), 2);
        let rules = run.tool.driver.rules.as_ref().expect("rules");
        for result in results {
            let rule = &rules[result.rule_index.expect("an index") as usize];
            assert_eq!(Some(&rule.id), result.rule_id.as_ref());
        }
        assert_eq!(results[0].related_locations.as_ref().map(Vec::len), Some(2));
        assert_eq!(
            results[0].message.text.as_deref(),
            Some("a store in between; lifted by: `const __restrict__`")
        );
        assert!(
            rules
                .iter()
                .any(|rule| rule.id == "C3-store" && rule.help.is_some())
        );
    }
}
