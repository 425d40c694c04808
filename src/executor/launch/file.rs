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
//! Several launches are tables `[[launch]]`, or in the one-line form `launch = ["LINE", "LINE"]`; `kernel` and `[gpu]` outside
//! hold for all that have none of their own.

mod arguments;
mod table;

use super::line::parse_line;
use super::tree::{self, Node, Value};
use super::{Element, GpuSpec, LaunchError, LaunchSpec, MAX_BUFFER, ReadError};
use crate::spacing::Spacing;
use ptxasw_ptx::ast::Span;
use std::fs;
use std::io::Read;
use std::path::Path;
use table::{Table, items, number, text_of, truth};

/// Largest launch file.
const MAX_TEXT: u64 = 16 << 20;

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
    for node in items(list)? {
        let mut spec = match &node.value {
            Value::Text(line) => parse_line(line).map_err(|error| LaunchError {
                span: node.span,
                ..error
            })?,
            _ => reader.launch(Table::of(node)?)?,
        };
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

/// Reads launches.
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
        if let Some(node) = table.take("spacing") {
            let unknown = || LaunchError::new(node.span, Spacing::EXPECTED);
            spec.spacing = Spacing::named(text_of(node)?).ok_or_else(unknown)?;
        }
        if let Some(node) = table.take("gpu") {
            spec.gpu = gpu(node)?;
        }
        if let Some(node) = table.take("buffers") {
            for node in items(node)? {
                self.buffer(&mut spec, Table::of(node)?)?;
            }
            // These are for pointers of arguments to name.
            spec.arguments.clear();
        }
        if let Some(node) = table.take("args") {
            for node in items(node)? {
                self.argument(&mut spec, node)?;
            }
        }
        table.finish()?;
        Ok(spec)
    }
}

fn extent(node: &Node) -> Result<[u32; 3], LaunchError> {
    if let Value::Number(_) = node.value {
        return Ok([number(node)?, 1, 1]);
    }
    let mut extent = [1; 3];
    for (index, item) in items(node)?.iter().enumerate() {
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

#[cfg(test)]
mod tests;
