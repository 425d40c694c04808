//! Tables of a launch file, read key by key, and the values in them.

use super::super::tree::{Entry, Node, Value};
use super::super::{Element, LaunchError};
use ptxasw_ptx::ast::Span;

/// A table that is being read: keys that nobody asks for are wrong.
pub(super) struct Table<'a> {
    /// Of the whole table.
    pub(super) span: Span,
    /// In the order of the text.
    pub(super) entries: &'a [Entry],
    asked: Vec<&'static str>,
}

impl<'a> Table<'a> {
    /// The table that a node is.
    pub(super) fn of(node: &'a Node) -> Result<Self, LaunchError> {
        match &node.value {
            Value::Table(entries) => Ok(Table {
                span: node.span,
                entries,
                asked: Vec::new(),
            }),
            other => Err(expected("a table", other, node.span)),
        }
    }

    /// The value of a key.
    pub(super) fn take(&mut self, key: &'static str) -> Option<&'a Node> {
        self.asked.push(key);
        self.entry(key).map(|entry| &entry.node)
    }

    /// A key with its value; it does not count as asked for.
    pub(super) fn entry(&self, key: &str) -> Option<&'a Entry> {
        self.entries.iter().find(|entry| entry.key == key)
    }

    /// Everything that is there was asked for.
    pub(super) fn finish(self) -> Result<(), LaunchError> {
        let unknown = |entry: &&Entry| !self.asked.contains(&entry.key.as_str());
        match self.entries.iter().find(unknown) {
            None => Ok(()),
            Some(entry) => Err(unknown_key(entry, &self.asked)),
        }
    }

    /// The only one of these keys that is there.
    pub(super) fn one_of(
        &mut self,
        keys: &[&'static str],
    ) -> Result<Option<&'static str>, LaunchError> {
        self.asked.extend(keys);
        let mut found = None;
        for entry in self.entries {
            let Some(key) = keys.iter().find(|key| **key == entry.key) else {
                continue;
            };
            if let Some(first) = found.replace(*key) {
                let message = format!("`{key}` and `{first}` exclude each other");
                return Err(LaunchError::new(entry.span, message));
            }
        }
        Ok(found)
    }
}

/// The error of a key that nobody knows, with the one that may have been meant.
pub(super) fn unknown_key(entry: &Entry, known: &[&str]) -> LaunchError {
    let error = LaunchError::new(entry.span, format!("unknown key `{}`", entry.key));
    let distance = |name: &&&str| strsim::damerau_levenshtein(name, &entry.key);
    let nearest = known.iter().min_by_key(distance);
    match nearest.filter(|name| entry.key.len() < 64 && distance(name) <= 1 + name.len() / 3) {
        Some(name) => error.note(format!("did you mean `{name}`?")),
        None => error.note(format!("known here: {}", known.join(", "))),
    }
}

fn expected(what: &str, found: &Value, span: Span) -> LaunchError {
    LaunchError::new(span, format!("expected {what}, found {}", found.kind()))
}

/// Most items of an array: launches, arguments, fields.
const MAX_ITEMS: usize = 4096;

/// The items of an array.
pub(super) fn items(node: &Node) -> Result<&[Node], LaunchError> {
    match &node.value {
        Value::Array(items) if items.len() <= MAX_ITEMS => Ok(items),
        Value::Array(_) => Err(LaunchError::new(
            node.span,
            format!("more than {MAX_ITEMS} items"),
        )),
        other => Err(expected("an array", other, node.span)),
    }
}

/// A text.
pub(super) fn text_of(node: &Node) -> Result<&str, LaunchError> {
    match &node.value {
        Value::Text(text) => Ok(text),
        other => Err(expected("a text", other, node.span)),
    }
}

/// A truth value.
pub(super) fn truth(node: &Node) -> Result<bool, LaunchError> {
    match &node.value {
        Value::Boolean(value) => Ok(*value),
        other => Err(expected("true or false", other, node.span)),
    }
}

/// A value of a type: a number, a truth value, or either in quotes.
pub(super) fn value(node: &Node, element: Element) -> Result<u64, LaunchError> {
    let text = match &node.value {
        Value::Number(text) | Value::Text(text) => text.as_str(),
        Value::Boolean(true) if element == Element::Bool => "true",
        Value::Boolean(false) if element == Element::Bool => "false",
        other => return Err(expected("a number", other, node.span)),
    };
    let wrong = |why| LaunchError::new(node.span, format!("`{text}` {why}"));
    element.parse_value(text).map_err(wrong)
}

/// A number that is not negative.
pub(super) fn number<T: TryFrom<u64>>(node: &Node) -> Result<T, LaunchError> {
    let number = T::try_from(value(node, Element::U64)?);
    number.map_err(|_| LaunchError::new(node.span, "this number is too large"))
}

/// Two values of these types.
pub(super) fn pair(node: &Node, types: [Element; 2]) -> Result<(u64, u64), LaunchError> {
    match items(node)? {
        [a, b] => Ok((value(a, types[0])?, value(b, types[1])?)),
        _ => Err(LaunchError::new(node.span, "expected two numbers")),
    }
}
