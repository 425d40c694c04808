//! Descriptions in TOML and JSON files.
//!
//! ```toml
//! kernel = "stencil"            # may be left out if the module has one kernel
//! grid = [4, 2]                 # or one number; x, y, z, missing ones 1
//! block = 128
//! shared = 1024                 # bytes of dynamic shared memory
//! buffers = []                  # buffers that are no arguments, for pointers to name; as in `args`
//! args = [                      # one for each parameter, in their order
//!   { buffer = "f32", count = 4096, name = "a", random = 1, range = [-1, 1], at = 16 },
//!   { buffer = "f32", count = 4096, zero = true },
//!   { pointer = "a", at = 4 },  # into an earlier buffer, by name or number
//!   { u32 = 0xff },
//!   { f32 = "nan" },
//!   { struct = [{ f32 = [0.5, 0.25] }, { pointer = 0 }, { struct = [{ u8 = 1 }] }] },
//!   { bytes = "00 01 02 03" },  # or { bytes = { file = "s.bin" } }
//!   "f32[300]@16", 200,         # as in the one-line form
//! ]
//! [gpu]
//! warm_up = 10
//! launches = 100
//! compare = true
//! ```
//!
//! Contents of a buffer: `random = SEED` with `range = [LOW, HIGH]` (integers: both included; the default, by the
//! buffer's number), `ramp = [START, STEP]`, `value = V`, `zero = true`, `uninit = true`, `file = "data.bin"` with
//! `skip = BYTES`; a file gives the count, if there is none. Paths are relative to the launch file. An argument points to
//! the buffer's start, to element `at = K` or to byte `offset = N`.
//!
//! Several launches stand in tables `[[launch]]`; `kernel` and `[gpu]` outside hold for all that have none of their own.

use super::line::{parse_line, push_argument, unknown_type};
use super::structure::{MAX_STRUCTURE, Structure};
use super::tree::{self, Entry, Node, Value};
use super::{
    ArgumentSpec, BufferSpec, Element, Fill, GpuSpec, LaunchError, LaunchSpec, MAX_BUFFER,
    ReadError,
};
use crate::ptx::ast::Span;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Largest launch file.
const MAX_TEXT: u64 = 16 << 20;
/// Most launches of a file, and most arguments of a launch.
const MAX_ITEMS: usize = 4096;

const TWO_NUMBERS: &str = "expected two numbers";

/// How a launch file is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// TOML 1.0
    Toml,
    /// JSON
    Json,
}

/// Reads a launch file: JSON if its name ends with `.json`, else TOML.
///
/// # Errors
/// The file cannot be read, or its text is wrong; the message shows the source line.
pub fn read(path: &Path) -> Result<Vec<LaunchSpec>, ReadError> {
    let io = |error| ReadError::Io {
        path: path.to_owned(),
        error,
    };
    let mut text = Vec::new();
    let file = fs::File::open(path).map_err(io)?;
    file.take(MAX_TEXT + 1).read_to_end(&mut text).map_err(io)?;
    if text.len() as u64 > MAX_TEXT {
        let what = format!("it has more than {MAX_TEXT} bytes");
        return Err(io(std::io::Error::other(what)));
    }
    let format = match path
        .extension()
        .is_some_and(|e| e.eq_ignore_ascii_case("json"))
    {
        true => Format::Json,
        false => Format::Toml,
    };
    let folder = path.parent().unwrap_or(Path::new(""));
    let specs = match std::str::from_utf8(&text) {
        Ok(text) => parse(text, format, folder),
        Err(error) => {
            let at = error.valid_up_to() as u32;
            Err(LaunchError::new(Span::new(at, at + 1), "this is not UTF-8"))
        }
    };
    specs.map_err(|error| ReadError::Text(error.render(&path.display().to_string(), &text)))
}

/// What a user gives for a launch on a command line: the path of a file, or a line as for [`parse_line`] where the text
/// contains `=` and no file has that name.
///
/// # Errors
/// As [`read`].
pub fn from_argument(argument: &str) -> Result<Vec<LaunchSpec>, ReadError> {
    let path = Path::new(argument);
    if !argument.contains('=') || path.exists() {
        return read(path);
    }
    match parse_line(argument) {
        Ok(spec) => Ok(vec![spec]),
        Err(error) => Err(ReadError::Text(
            error.render("<launch>", argument.as_bytes()),
        )),
    }
}

/// Reads the text of a launch file. Paths in it are relative to `folder`; of the files with contents no more than the size
/// is looked at.
///
/// # Errors
/// What is wrong, with its place in the text.
pub fn parse(text: &str, format: Format, folder: &Path) -> Result<Vec<LaunchSpec>, LaunchError> {
    let tree = match format {
        Format::Toml => tree::toml(text)?,
        Format::Json => tree::json(text)?,
    };
    let reader = Reader { folder };
    let mut table = Table::of(&tree)?;
    let Some(list) = table.take("launch") else {
        return Ok(vec![reader.launch(table)?]);
    };
    let kernel = table.take("kernel").map(text_of).transpose()?;
    let gpu = table.take("gpu").map(gpu).transpose()?;
    table.finish()?;
    let mut specs = Vec::new();
    for node in items(list, MAX_ITEMS)? {
        let mut spec = reader.launch(Table::of(node)?)?;
        spec.kernel = spec.kernel.or(kernel.map(str::to_owned));
        if let (true, Some(gpu)) = (spec.gpu == GpuSpec::default(), gpu) {
            spec.gpu = gpu;
        }
        specs.push(spec);
    }
    if specs.is_empty() {
        return Err(LaunchError::new(list.span, "there is no launch"));
    }
    Ok(specs)
}

/// A buffer is not larger than the executor's memory allows.
pub(super) fn check_size(element: Element, count: u64) -> Result<(), String> {
    match count.saturating_mul(u64::from(element.bytes())) {
        0..=MAX_BUFFER => Ok(()),
        _ => Err(format!(
            "the buffer is too large: it may have {MAX_BUFFER} bytes"
        )),
    }
}

/// A table that is being read: keys that nobody asks for are wrong.
struct Table<'a> {
    span: Span,
    entries: &'a [Entry],
    asked: Vec<&'static str>,
}

impl<'a> Table<'a> {
    fn of(node: &'a Node) -> Result<Self, LaunchError> {
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
    fn take(&mut self, key: &'static str) -> Option<&'a Node> {
        self.asked.push(key);
        self.entry(key).map(|entry| &entry.node)
    }

    fn entry(&self, key: &str) -> Option<&'a Entry> {
        self.entries.iter().find(|entry| entry.key == key)
    }

    /// Everything that is there was asked for.
    fn finish(self) -> Result<(), LaunchError> {
        let unknown = |entry: &&Entry| !self.asked.contains(&entry.key.as_str());
        match self.entries.iter().find(unknown) {
            None => Ok(()),
            Some(entry) => Err(unknown_key(entry, &self.asked)),
        }
    }

    /// The only one of these keys that is there.
    fn one_of(&mut self, keys: &[&'static str]) -> Result<Option<&'static str>, LaunchError> {
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

fn unknown_key(entry: &Entry, known: &[&str]) -> LaunchError {
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

fn items(node: &Node, most: usize) -> Result<&[Node], LaunchError> {
    match &node.value {
        Value::Array(items) if items.len() <= most => Ok(items),
        Value::Array(_) => Err(LaunchError::new(
            node.span,
            format!("more than {most} items"),
        )),
        other => Err(expected("an array", other, node.span)),
    }
}

fn text_of(node: &Node) -> Result<&str, LaunchError> {
    match &node.value {
        Value::Text(text) => Ok(text),
        other => Err(expected("a text", other, node.span)),
    }
}

fn truth(node: &Node) -> Result<bool, LaunchError> {
    match &node.value {
        Value::Boolean(value) => Ok(*value),
        other => Err(expected("true or false", other, node.span)),
    }
}

/// A value of a type: a number, a truth value, or either in quotes.
fn value(node: &Node, element: Element) -> Result<u64, LaunchError> {
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
fn number<T: TryFrom<u64>>(node: &Node) -> Result<T, LaunchError> {
    let number = T::try_from(value(node, Element::U64)?);
    number.map_err(|_| LaunchError::new(node.span, "this number is too large"))
}

fn extent(node: &Node) -> Result<[u32; 3], LaunchError> {
    if let Value::Number(_) = node.value {
        return Ok([number(node)?, 1, 1]);
    }
    let mut extent = [1; 3];
    for (index, item) in items(node, MAX_ITEMS)?.iter().enumerate() {
        let Some(dimension) = extent.get_mut(index) else {
            return Err(LaunchError::new(
                item.span,
                "there are only three dimensions",
            ));
        };
        *dimension = number(item)?;
    }
    Ok(extent)
}

fn pair(node: &Node, element: Element) -> Result<(u64, u64), LaunchError> {
    match items(node, MAX_ITEMS)? {
        [a, b] => Ok((value(a, element)?, value(b, element)?)),
        _ => Err(LaunchError::new(node.span, TWO_NUMBERS)),
    }
}

fn gpu(node: &Node) -> Result<GpuSpec, LaunchError> {
    let mut table = Table::of(node)?;
    let spec = GpuSpec {
        warm_up: table.take("warm_up").map(number).transpose()?,
        launches: table.take("launches").map(number).transpose()?,
        compare: table.take("compare").map(truth).transpose()?,
    };
    table.finish()?;
    Ok(spec)
}

/// The key that says what an argument is.
const KINDS: [&str; 4] = ["buffer", "pointer", "struct", "bytes"];
/// The key that says what a buffer holds.
const CONTENTS: [&str; 6] = ["random", "ramp", "value", "zero", "uninit", "file"];

struct Reader<'a> {
    /// What paths are relative to.
    folder: &'a Path,
}

impl Reader<'_> {
    fn launch(&self, mut table: Table) -> Result<LaunchSpec, LaunchError> {
        let mut spec = LaunchSpec::new([1; 3], [1; 3]);
        let kernel = table.take("kernel").map(text_of).transpose()?;
        spec.kernel = kernel.map(str::to_owned);
        if let Some(node) = table.take("grid") {
            spec.grid = extent(node)?;
        }
        if let Some(node) = table.take("block") {
            spec.block = extent(node)?;
        }
        if let Some(node) = table.take("shared") {
            spec.dynamic_shared = number(node)?;
        }
        if let Some(node) = table.take("gpu") {
            spec.gpu = gpu(node)?;
        }
        if let Some(node) = table.take("buffers") {
            for node in items(node, MAX_ITEMS)? {
                self.buffer(&mut spec, Table::of(node)?)?;
            }
            // These are for pointers of arguments to name.
            spec.arguments.clear();
        }
        if let Some(node) = table.take("args") {
            for node in items(node, MAX_ITEMS)? {
                self.argument(&mut spec, node)?;
            }
        }
        table.finish()?;
        Ok(spec)
    }

    fn argument(&self, spec: &mut LaunchSpec, node: &Node) -> Result<(), LaunchError> {
        if let Value::Text(text) | Value::Number(text) = &node.value {
            // Places within a text would be wrong behind an escape.
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
            Kind::Structure => structure(spec, &mut table)?.finish(),
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

    fn buffer(&self, spec: &mut LaunchSpec, mut table: Table) -> Result<(), LaunchError> {
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
        let Some(Entry { key, node, span }) = entry else {
            return Ok((Fill::Zero, None));
        };
        let fill = match key.as_str() {
            "ramp" => {
                let [start, step] = items(node, MAX_ITEMS)? else {
                    return Err(LaunchError::new(node.span, TWO_NUMBERS));
                };
                // Unsigned integers may descend.
                let step_type = match element {
                    Element::U8 | Element::U16 | Element::U32 | Element::U64 => Element::I64,
                    _ => element,
                };
                Fill::Ramp {
                    start: value(start, element)?,
                    step: value(step, step_type)?,
                }
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
            return Err(fail(format!("`{}` is no file", path.display())));
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
    let (low, high) = pair(node, element)?;
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
        let error = LaunchError::new(node.span, "there is no such buffer before this argument");
        return Err(error.note("a buffer is named by its `name`, or by its number from 0"));
    };
    Ok((index, place(table, buffer.element)?))
}

fn structure(spec: &LaunchSpec, table: &mut Table) -> Result<Structure, LaunchError> {
    let mut structure = Structure::new();
    let span = table.span;
    let Some(node) = table.take("struct") else {
        return Err(LaunchError::new(span, "no structure"));
    };
    for node in items(node, MAX_ITEMS)? {
        let mut field = Table::of(node)?;
        match kind(&mut field)? {
            Kind::Pointer => {
                let (buffer, offset) = pointer(spec, &mut field)?;
                structure.pointer(buffer, offset);
            }
            Kind::Structure => {
                structure.nested(self::structure(spec, &mut field)?.padded());
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
    let complete = digits.len() % 2 == 0 && digits.len() / 2 <= MAX_STRUCTURE;
    complete.then(|| {
        digits
            .chunks(2)
            .map(|pair| pair[0] << 4 | pair[1])
            .collect()
    })
}

#[cfg(test)]
mod tests;
