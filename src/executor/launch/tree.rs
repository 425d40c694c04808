//! TOML and JSON as one kind of tree, with the place of every value and key.

use super::LaunchError;
use ptxasw_ptx::ast::Span;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;
use std::fmt;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Deepest nesting of arrays and tables in a launch file.
const MAX_DEPTH: usize = 32;

/// A value and its place.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) span: Span,
    pub(super) value: Value,
}

#[derive(Debug)]
pub(super) enum Value {
    Boolean(bool),
    /// As written, without TOML's underscores.
    Number(String),
    Text(String),
    Array(Vec<Node>),
    /// In the order of the text.
    Table(Vec<Entry>),
    /// What launch files have no use for: a date, `null`.
    Other,
}

/// A key and its value.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) key: String,
    /// Of the key.
    pub(super) span: Span,
    pub(super) node: Node,
}

impl Value {
    /// What it is, for messages.
    pub(super) fn kind(&self) -> &'static str {
        match self {
            Value::Boolean(_) => "a truth value",
            Value::Number(_) => "a number",
            Value::Text(_) => "a text",
            Value::Array(_) => "an array",
            Value::Table(_) => "a table",
            Value::Other => "a value without a use here",
        }
    }
}

fn span(start: usize, end: usize) -> Span {
    let clamp = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    Span::new(clamp(start), clamp(end.max(start)))
}

fn too_deep(start: usize) -> LaunchError {
    LaunchError::new(span(start, start), "nested too deeply")
}

/// Reads TOML.
pub(super) fn toml(text: &str) -> Result<Node, LaunchError> {
    let table = DeTable::parse(text).map_err(|error| {
        let at = error.span().unwrap_or(0..0);
        LaunchError::new(span(at.start, at.end), error.message())
    })?;
    let at = table.span();
    Ok(Node {
        span: span(at.start, at.end),
        value: toml_table(text, table.get_ref(), 0)?,
    })
}

fn toml_table(text: &str, table: &DeTable<'_>, depth: usize) -> Result<Value, LaunchError> {
    let mut entries = Vec::with_capacity(table.len());
    for (key, value) in table {
        let at = key.span();
        entries.push(Entry {
            key: key.get_ref().to_string(),
            span: span(at.start, at.end),
            node: toml_value(text, value, depth + 1)?,
        });
    }
    entries.sort_by_key(|entry| entry.span);
    Ok(Value::Table(entries))
}

fn toml_value(text: &str, value: &Spanned<DeValue<'_>>, depth: usize) -> Result<Node, LaunchError> {
    let at = value.span();
    if depth > MAX_DEPTH {
        return Err(too_deep(at.start));
    }
    let source = || text.get(at.clone()).unwrap_or_default().replace('_', "");
    let inner = match value.get_ref() {
        DeValue::Boolean(value) => Value::Boolean(*value),
        DeValue::Integer(_) | DeValue::Float(_) => Value::Number(source()),
        DeValue::String(value) => Value::Text(value.to_string()),
        DeValue::Datetime(_) => Value::Other,
        DeValue::Array(items) => Value::Array(
            items
                .iter()
                .map(|item| toml_value(text, item, depth + 1))
                .collect::<Result<_, _>>()?,
        ),
        DeValue::Table(table) => toml_table(text, table, depth)?,
    };
    Ok(Node {
        span: span(at.start, at.end),
        value: inner,
    })
}

/// Reads JSON.
pub(super) fn json(text: &str) -> Result<Node, LaunchError> {
    let raw: &RawValue = serde_json::from_str(text).map_err(|error| json_error(text, &error))?;
    json_value(text, raw.get(), 0)
}

/// The place of a part of the text.
fn offset(text: &str, part: &str) -> usize {
    let offset = (part.as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
    offset.min(text.len())
}

/// Lines and columns (in bytes) from 1 become an offset.
fn json_error(text: &str, error: &serde_json::Error) -> LaunchError {
    let lines = text.split_inclusive('\n');
    let before: usize = lines
        .take(error.line().saturating_sub(1))
        .map(str::len)
        .sum();
    let at = (before + error.column().saturating_sub(1)).min(text.len());
    let message = error.to_string();
    let message = message.split(" at line ").next().unwrap_or_default();
    LaunchError::new(span(at, at), message)
}

fn json_value(text: &str, raw: &str, depth: usize) -> Result<Node, LaunchError> {
    let start = offset(text, raw);
    if depth > MAX_DEPTH {
        return Err(too_deep(start));
    }
    let fail = |error: serde_json::Error| LaunchError::new(span(start, start), error.to_string());
    let value = match raw.as_bytes().first() {
        Some(b'{') => {
            let JsonTable(members) = serde_json::from_str(raw).map_err(fail)?;
            json_table(text, start, members, depth)?
        }
        Some(b'[') => {
            let items: Vec<&RawValue> = serde_json::from_str(raw).map_err(fail)?;
            let items = items
                .iter()
                .map(|item| json_value(text, item.get(), depth + 1));
            Value::Array(items.collect::<Result<_, _>>()?)
        }
        Some(b'"') => Value::Text(serde_json::from_str(raw).map_err(fail)?),
        Some(b't') => Value::Boolean(true),
        Some(b'f') => Value::Boolean(false),
        Some(b'n') | None => Value::Other,
        Some(_) => Value::Number(raw.to_owned()),
    };
    Ok(Node {
        span: span(start, start + raw.len()),
        value,
    })
}

fn json_table(
    text: &str,
    start: usize,
    members: Vec<(String, &RawValue)>,
    depth: usize,
) -> Result<Value, LaunchError> {
    let mut entries: Vec<Entry> = Vec::with_capacity(members.len());
    let mut keys = rustc_hash::FxHashSet::default();
    let mut end = start;
    for (key, raw) in members {
        // The key is all that is in quotes between two values.
        let value = offset(text, raw.get());
        let between = text.get(end..value).unwrap_or_default();
        let from = end + between.find('"').unwrap_or(0);
        let to = end + between.rfind('"').map_or(0, |at| at + 1);
        end = value + raw.get().len();
        if !keys.insert(key.clone()) {
            let message = format!("the key `{key}` is there twice");
            return Err(LaunchError::new(span(from, to), message));
        }
        entries.push(Entry {
            key,
            span: span(from, to),
            node: json_value(text, raw.get(), depth + 1)?,
        });
    }
    Ok(Value::Table(entries))
}

/// The members of an object in the order of the text, each as often as it is there.
struct JsonTable<'a>(Vec<(String, &'a RawValue)>);

impl<'de> serde::Deserialize<'de> for JsonTable<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Members;
        impl<'de> Visitor<'de> for Members {
            type Value = JsonTable<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(JsonTable(members))
            }
        }
        deserializer.deserialize_map(Members)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tree as text: keys and numbers with the text at their place.
    fn show(text: &str, node: &Node) -> String {
        let at = |span: Span| &text[span.range()];
        match &node.value {
            Value::Boolean(value) => format!("{value}={}", at(node.span)),
            Value::Number(number) => format!("{number}={}", at(node.span)),
            Value::Text(value) => format!("{value:?}={}", at(node.span)),
            Value::Other => at(node.span).to_owned(),
            Value::Array(items) => {
                let items: Vec<String> = items.iter().map(|item| show(text, item)).collect();
                format!("[{}]", items.join(" "))
            }
            Value::Table(entries) => {
                let entries = entries.iter().map(|entry| {
                    let value = show(text, &entry.node);
                    format!("{}@{}: {value}", entry.key, at(entry.span))
                });
                format!("{{{}}}", entries.collect::<Vec<_>>().join(", "))
            }
        }
    }

    #[test]
    fn places_in_toml() {
        let text = "b = 1_000\n'a' = [0xff, -inf, 'x']\n[t]\nq = { z = true, y = 2020-01-01 }\n";
        assert_eq!(
            show(text, &toml(text).unwrap()),
            "{b@b: 1000=1_000, a@'a': [0xff=0xff -inf=-inf \"x\"='x'], \
             t@t: {q@q: {z@z: true=true, y@y: 2020-01-01}}}"
        );
    }

    #[test]
    fn places_in_json() {
        let text = "{\"b\": 1e3, \"a\\\"\" : [ -1, \"x\\n\" ],\n\"t\":{\"z\":true,\"y\":null}}";
        assert_eq!(
            show(text, &json(text).unwrap()),
            "{b@\"b\": 1e3=1e3, a\"@\"a\\\"\": [-1=-1 \"x\\n\"=\"x\\n\"], \
             t@\"t\": {z@\"z\": true=true, y@\"y\": null}}"
        );
    }

    #[test]
    fn broken_texts() {
        for (text, at) in [("a = 1\nb = = 2\n", 10), ("a = 1\na = 2\n", 6)] {
            let error = toml(text).unwrap_err();
            assert_eq!(error.span.start, at, "{error}");
        }
        for (text, at) in [("{\n\"a\": 1,\n}", 10), ("{\"a\":1,\"a\":2}", 7), ("", 0)] {
            let error = json(text).unwrap_err();
            assert_eq!(error.span.start, at, "{error}");
            assert!(!error.message.contains("line"), "{error}");
        }
    }

    #[test]
    fn deep_nesting_is_refused() {
        let deep = format!("{}{}", "[".repeat(5000), "]".repeat(5000));
        assert!(json(&deep).is_err());
        assert!(toml(&format!("a = {deep}")).is_err());
        let keys = format!("{}a = 1", "a.".repeat(5000));
        assert!(toml(&keys).is_err());
    }
}
