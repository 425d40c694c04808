//! Arguments and buffers of a launch file.

use super::super::line::{push_argument, unknown_type};
use super::super::structure::{MAX_STRUCTURE, Structure};
use super::super::tree::{Entry, Node, Value};
use super::super::{ArgumentSpec, BufferSpec, Element, Fill, LaunchError, LaunchSpec};
use super::table::{Table, items, number, pair, text_of, truth, unknown_key, value};
use super::{Reader, check_size};
use std::fs;
use std::io::Read;
use std::path::PathBuf;

/// The key that says what an argument is.
const KINDS: [&str; 4] = ["buffer", "pointer", "struct", "bytes"];
/// The key that says what a buffer holds.
const CONTENTS: [&str; 7] = [
    "random", "ramp", "value", "zero", "uninit", "file", "fields",
];
impl Reader<'_> {
    /// Appends an argument, and its buffer if it has one of its own.
    pub(super) fn argument(&self, spec: &mut LaunchSpec, node: &Node) -> Result<(), LaunchError> {
        if let Value::Text(text) | Value::Number(text) = &node.value {
            // Places within a text would be wrong after an escape.
            return push_argument(spec, text).map_err(|error| LaunchError {
                span: node.span,
                ..error
            });
        }
        let mut table = Table::of(node)?;
        let argument = match kind(&mut table)? {
            Kind::Buffer => return self.buffer(spec, table),
            Kind::Pointer => {
                let (buffer, offset) = pointer(spec, &mut table)?;
                ArgumentSpec::Pointer { buffer, offset }
            }
            Kind::Structure => structure(spec, &mut table, "struct")?.finish(),
            Kind::Bytes => ArgumentSpec::Structure {
                bytes: self.bytes(&mut table)?,
                pointers: Vec::new(),
            },
            Kind::Scalar(element, node) => ArgumentSpec::Scalar {
                element: Some(element),
                bits: value(node, element)?,
            },
        };
        table.finish()?;
        spec.arguments.push(argument);
        Ok(())
    }

    /// Appends a buffer and an argument that points into it.
    pub(super) fn buffer(
        &self,
        spec: &mut LaunchSpec,
        mut table: Table,
    ) -> Result<(), LaunchError> {
        let span = table.span;
        let Some(node) = table.take("buffer") else {
            return Err(LaunchError::new(span, "no buffer"));
        };
        let name = text_of(node)?;
        let element = Element::from_name(name).ok_or_else(|| unknown_type(node.span, name))?;
        let name = table.take("name");
        if let Some(node) = name
            && spec.buffer_named(text_of(node)?).is_some()
        {
            return Err(LaunchError::new(node.span, "another buffer has this name"));
        }
        let count = table.take("count");
        let (fill, available) = self.fill(spec, &mut table, element)?;
        let offset = place(&mut table, element)?;
        table.finish()?;
        let count = match (count, available) {
            (Some(node), _) => {
                let count = number(node)?;
                check_size(element, count).map_err(|why| LaunchError::new(node.span, why))?;
                if available.is_some_and(|available| available < count) {
                    let message = "the file has fewer elements";
                    return Err(LaunchError::new(node.span, message));
                }
                count
            }
            (None, Some(available)) => available,
            (None, None) => return Err(LaunchError::new(span, "the buffer has no `count`")),
        };
        let buffer = spec.buffers.len();
        spec.buffers.push(BufferSpec {
            name: name.map(text_of).transpose()?.map(str::to_owned),
            element,
            count,
            fill,
        });
        spec.arguments
            .push(ArgumentSpec::Pointer { buffer, offset });
        Ok(())
    }

    /// The contents of a buffer, and how many elements the file with them has.
    fn fill(
        &self,
        spec: &LaunchSpec,
        table: &mut Table,
        element: Element,
    ) -> Result<(Fill, Option<u64>), LaunchError> {
        let kind = table.one_of(&CONTENTS)?;
        let entry = kind.and_then(|kind| table.entry(kind));
        if matches!(kind, None | Some("random")) {
            let seed = entry.map(|entry| number(&entry.node)).transpose()?;
            let range = table.take("range").map(|node| range(node, element));
            return Ok((
                Fill::Random {
                    seed: seed.unwrap_or(spec.buffers.len() as u64),
                    range: range.transpose()?,
                },
                None,
            ));
        }
        if kind == Some("fields") {
            return in_memory(spec, table, element);
        }
        let Some(Entry { key, node, span }) = entry else {
            return Ok((Fill::Zero, None));
        };
        let fill = match key.as_str() {
            "ramp" => {
                // Unsigned integers may descend.
                let step = match element {
                    Element::U8 | Element::U16 | Element::U32 | Element::U64 => Element::I64,
                    _ => element,
                };
                let (start, step) = pair(node, [element, step])?;
                Fill::Ramp { start, step }
            }
            "value" => Fill::Constant(value(node, element)?),
            "file" => return self.file(table, node, element),
            _ if !truth(node)? => {
                let message = format!("`{key} = false` does not say what the buffer holds");
                return Err(LaunchError::new(*span, message));
            }
            "zero" => Fill::Zero,
            _ => Fill::Uninitialised,
        };
        Ok((fill, None))
    }

    fn file(
        &self,
        table: &mut Table,
        node: &Node,
        element: Element,
    ) -> Result<(Fill, Option<u64>), LaunchError> {
        let path = self.path(node)?;
        let skip: u64 = table.take("skip").map_or(Ok(0), number)?;
        let fail = |what: String| LaunchError::new(node.span, what);
        let data = fs::metadata(&path)
            .map_err(|error| fail(format!("cannot read `{}`: {error}", path.display())))?;
        if !data.is_file() {
            return Err(fail(format!("`{}` is not a file", path.display())));
        }
        let available = data.len().saturating_sub(skip) / u64::from(element.bytes());
        check_size(element, available).or_else(|why| match table.entry("count") {
            Some(_) => Ok(()),
            None => Err(fail(why)),
        })?;
        Ok((Fill::File { path, skip }, Some(available)))
    }

    fn path(&self, node: &Node) -> Result<PathBuf, LaunchError> {
        Ok(self.folder.join(text_of(node)?))
    }

    /// The bytes of a structure, as hexadecimal digits or in a file.
    fn bytes(&self, table: &mut Table) -> Result<Vec<u8>, LaunchError> {
        let Some(node) = table.take("bytes") else {
            return Ok(Vec::new());
        };
        let fail = |what: String| LaunchError::new(node.span, what);
        if let Value::Text(text) = &node.value {
            return hexadecimal(text).ok_or_else(|| {
                fail("expected pairs of hexadecimal digits, not too many".to_owned())
            });
        }
        let mut table = Table::of(node)?;
        let Some(node) = table.take("file") else {
            return Err(fail("expected hexadecimal digits or { file = ... }".into()));
        };
        table.finish()?;
        let path = self.path(node)?;
        let unreadable = |error| fail(format!("cannot read `{}`: {error}", path.display()));
        let file = fs::File::open(&path).map_err(unreadable)?;
        let mut bytes = Vec::new();
        file.take(MAX_STRUCTURE as u64 + 1)
            .read_to_end(&mut bytes)
            .map_err(unreadable)?;
        match bytes.len() > MAX_STRUCTURE {
            true => Err(fail("no kernel takes a structure that large".to_owned())),
            false => Ok(bytes),
        }
    }
}

/// What an argument or a field is.
enum Kind<'a> {
    Buffer,
    Pointer,
    Structure,
    Bytes,
    Scalar(Element, &'a Node),
}

fn kind<'a>(table: &mut Table<'a>) -> Result<Kind<'a>, LaunchError> {
    let kinds: Vec<&'static str> = KINDS.into_iter().chain(Element::names()).collect();
    let Some(key) = table.one_of(&kinds)? else {
        return Err(match table.entries.first() {
            Some(entry) => unknown_key(entry, &kinds),
            None => LaunchError::new(table.span, "an argument without a type"),
        });
    };
    Ok(match (key, Element::from_name(key), table.entry(key)) {
        (_, Some(element), Some(entry)) => Kind::Scalar(element, &entry.node),
        ("buffer", ..) => Kind::Buffer,
        ("pointer", ..) => Kind::Pointer,
        ("struct", ..) => Kind::Structure,
        _ => Kind::Bytes,
    })
}

/// Random values between two.
fn range(node: &Node, element: Element) -> Result<(u64, u64), LaunchError> {
    let (low, high) = pair(node, [element; 2])?;
    let ordered = match element.is_float() {
        true => {
            element.real(low) <= element.real(high)
                && (element.real(high) - element.real(low)).is_finite()
        }
        false => element.integer(low) <= element.integer(high),
    };
    match ordered {
        true => Ok((low, high)),
        false => Err(LaunchError::new(
            node.span,
            "there is nothing in this range",
        )),
    }
}

/// `at` or `offset`: bytes from the start of the buffer.
fn place(table: &mut Table, element: Element) -> Result<i64, LaunchError> {
    let Some(key) = table.one_of(&["at", "offset"])? else {
        return Ok(0);
    };
    let Some(node) = table.take(key) else {
        return Ok(0);
    };
    let number = value(node, Element::I64)? as i64;
    let size = match key {
        "at" => i64::from(element.bytes()),
        _ => 1,
    };
    let bytes = number.checked_mul(size);
    bytes.ok_or_else(|| LaunchError::new(node.span, "this number is too large"))
}

/// A pointer into an earlier buffer: its index, and the offset in bytes.
fn pointer(spec: &LaunchSpec, table: &mut Table) -> Result<(usize, i64), LaunchError> {
    let span = table.span;
    let Some(node) = table.take("pointer") else {
        return Err(LaunchError::new(span, "no pointer"));
    };
    let buffer = match &node.value {
        Value::Text(name) => spec.buffer_named(name),
        _ => Some(number(node)?),
    };
    let found = buffer.and_then(|index| Some((index, spec.buffers.get(index)?)));
    let Some((index, buffer)) = found else {
        let error = LaunchError::new(node.span, "no earlier argument is that buffer");
        return Err(error.note("a buffer is named by its `name`, or by its number from 0"));
    };
    Ok((index, place(table, buffer.element)?))
}

/// The contents of a buffer of bytes: a structure, with pointers into buffers before it.
fn in_memory(
    spec: &LaunchSpec,
    table: &mut Table,
    element: Element,
) -> Result<(Fill, Option<u64>), LaunchError> {
    let span = table.entry("fields").map_or(table.span, |entry| entry.span);
    if element != Element::U8 {
        return Err(LaunchError::new(span, "a structure is in a buffer of `u8`"));
    }
    match structure(spec, table, "fields")?.finish() {
        ArgumentSpec::Structure { bytes, pointers } => {
            let count = bytes.len() as u64;
            Ok((Fill::Structure { bytes, pointers }, Some(count)))
        }
        _ => Ok((Fill::Zero, None)),
    }
}

/// The structure that a key lists the fields of.
fn structure(
    spec: &LaunchSpec,
    table: &mut Table,
    key: &'static str,
) -> Result<Structure, LaunchError> {
    let mut structure = Structure::new();
    let span = table.span;
    let Some(node) = table.take(key) else {
        return Err(LaunchError::new(span, "no structure"));
    };
    for node in items(node)? {
        let mut field = Table::of(node)?;
        match kind(&mut field)? {
            Kind::Pointer => {
                let (buffer, offset) = pointer(spec, &mut field)?;
                structure.pointer(buffer, offset);
            }
            Kind::Structure => {
                structure.nested(self::structure(spec, &mut field, "struct")?.padded());
            }
            Kind::Scalar(element, node) => match &node.value {
                Value::Array(values) if values.len() <= MAX_STRUCTURE => {
                    for node in values {
                        structure.scalar(element, value(node, element)?);
                    }
                }
                _ => structure.scalar(element, value(node, element)?),
            },
            Kind::Buffer | Kind::Bytes => {
                let message = "a field is a scalar, a pointer or a structure";
                return Err(LaunchError::new(node.span, message));
            }
        }
        field.finish()?;
        if structure.too_large() {
            let message = "no kernel takes a structure that large";
            return Err(LaunchError::new(node.span, message));
        }
    }
    Ok(structure)
}

/// Pairs of hexadecimal digits, with blanks anywhere between them.
fn hexadecimal(text: &str) -> Option<Vec<u8>> {
    let digits = text
        .chars()
        .filter(|c| !c.is_ascii_whitespace() && *c != '_');
    let digits: Vec<u8> = digits
        .map(|c| c.to_digit(16).map(|digit| digit as u8))
        .collect::<Option<_>>()?;
    let complete = digits.len().is_multiple_of(2) && digits.len() / 2 <= MAX_STRUCTURE;
    complete.then(|| {
        digits
            .chunks(2)
            .map(|pair| pair[0] << 4 | pair[1])
            .collect()
    })
}
