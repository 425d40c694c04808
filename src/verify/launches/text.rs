//! Launches as text that the reader of launch files takes: one line, or TOML where a line cannot express it.

use ptxasw_executor::Spacing;
use ptxasw_executor::launch::{ArgumentSpec, BufferSpec, Fill, LaunchSpec, PointerField};
use std::fmt::Write as _;

/// A launch as one line, or as a TOML file if it has pointers in structures or between elements.
pub(super) fn text(spec: &LaunchSpec) -> String {
    let no_line = |argument: &ArgumentSpec| match argument {
        ArgumentSpec::Structure { pointers, .. } => !pointers.is_empty(),
        ArgumentSpec::Pointer { buffer, offset } => {
            let size = spec.buffers.get(*buffer).map_or(1, |b| b.element.bytes());
            *offset < 0 || offset % i64::from(size) != 0
        }
        ArgumentSpec::Scalar { .. } => false,
    };
    let behind = |buffer: &BufferSpec| match buffer.fill {
        Fill::Structure { .. } => true,
        Fill::Random { range, .. } => range.is_some_and(|(least, _)| least != 0),
        _ => false,
    };
    match spec.arguments.iter().any(no_line) || spec.buffers.iter().any(behind) {
        true => toml(spec),
        false => line(spec),
    }
}

fn line(spec: &LaunchSpec) -> String {
    let mut out = String::new();
    if let Some(kernel) = &spec.kernel {
        let _ = write!(out, "{kernel} ");
    }
    let _ = write!(
        out,
        "grid={} block={}",
        extent(spec.grid),
        extent(spec.block)
    );
    if spec.dynamic_shared != 0 {
        let _ = write!(out, " shared={}", spec.dynamic_shared);
    }
    if spec.spacing != Spacing::default() {
        let _ = write!(out, " spacing={}", spec.spacing.name());
    }
    if !spec.arguments.is_empty() {
        let arguments: Vec<String> = spec.arguments.iter().map(|a| argument(spec, a)).collect();
        let _ = write!(out, " args={}", arguments.join(","));
    }
    out
}

fn extent(sizes: [u32; 3]) -> String {
    let [x, y, z] = sizes;
    match (y, z) {
        (1, 1) => format!("{x}"),
        (_, 1) => format!("{x},{y}"),
        _ => format!("{x},{y},{z}"),
    }
}

fn argument(spec: &LaunchSpec, argument: &ArgumentSpec) -> String {
    match argument {
        ArgumentSpec::Scalar { element, bits } => match element {
            Some(element) => format!("{element}:{}", element.format(*bits)),
            None => (*bits as i64).to_string(),
        },
        ArgumentSpec::Pointer { buffer, offset } => match spec.buffers.get(*buffer) {
            Some(described) => {
                let what = match first_into(spec, *buffer, argument) {
                    Some(first) => format!("same{first}"),
                    None => buffer_text(described),
                };
                at(what, described, *offset)
            }
            None => String::new(),
        },
        ArgumentSpec::Structure { bytes, .. } => {
            let fields: Vec<String> = words(bytes)
                .map(|(kind, v)| format!("{kind}:{v}"))
                .collect();
            format!("{{{}}}", fields.join(","))
        }
    }
}

/// The argument that points into a buffer first, if it is another.
fn first_into(spec: &LaunchSpec, wanted: usize, argument: &ArgumentSpec) -> Option<usize> {
    let points = |one: &ArgumentSpec| matches!(one, ArgumentSpec::Pointer { buffer, .. } if *buffer == wanted);
    let first = spec.arguments.iter().position(points)?;
    (!std::ptr::eq(&spec.arguments[first], argument)).then_some(first)
}

/// `f32[200]%16:seed=3`
fn buffer_text(buffer: &BufferSpec) -> String {
    let mut out = format!("{}[{}]", buffer.element, buffer.count);
    match &buffer.fill {
        Fill::Random { seed, range } => {
            if let Some((_, most)) = range {
                let _ = write!(out, "%{}", most + 1);
            }
            let _ = write!(out, ":seed={seed}");
        }
        Fill::Ramp { step, .. } => {
            let _ = write!(out, ":ramp={step}");
        }
        Fill::Zero => out.push_str(":zero"),
        Fill::Constant(bits) => {
            let _ = write!(out, ":value={}", buffer.element.format(*bits));
        }
        _ => {}
    }
    out
}

fn at(mut text: String, buffer: &BufferSpec, offset: i64) -> String {
    if offset != 0 {
        let _ = write!(text, "@{}", offset / i64::from(buffer.element.bytes()));
    }
    text
}

/// Bytes as words of four, then single ones: a structure of these has the same bytes.
fn words(bytes: &[u8]) -> impl Iterator<Item = (&'static str, u32)> + '_ {
    let (words, rest) = bytes.as_chunks::<4>();
    let words = words.iter().map(|&word| ("u32", u32::from_le_bytes(word)));
    words.chain(rest.iter().map(|&byte| ("u8", u32::from(byte))))
}

/// With all buffers first, and pointers into them by number.
fn toml(spec: &LaunchSpec) -> String {
    let mut out = String::new();
    if let Some(kernel) = &spec.kernel {
        let _ = writeln!(out, "kernel = \"{kernel}\"");
    }
    let _ = writeln!(out, "grid = {:?}\nblock = {:?}", spec.grid, spec.block);
    if spec.dynamic_shared != 0 {
        let _ = writeln!(out, "shared = {}", spec.dynamic_shared);
    }
    if spec.spacing != Spacing::default() {
        let _ = writeln!(out, "spacing = \"{}\"", spec.spacing.name());
    }
    let buffers = spec.buffers.iter().map(buffer_table);
    let arguments = spec.arguments.iter().map(|value| match value {
        ArgumentSpec::Structure { bytes, pointers } => {
            format!("{{ struct = {} }}", structure(bytes, pointers))
        }
        ArgumentSpec::Pointer { buffer, offset } => pointer(*buffer, *offset),
        ArgumentSpec::Scalar { .. } => format!("\"{}\"", argument(spec, value)),
    });
    for (key, list) in [
        ("buffers", buffers.collect()),
        ("args", arguments.collect::<Vec<_>>()),
    ] {
        let _ = writeln!(out, "{key} = [");
        for item in list {
            let _ = writeln!(out, "  {item},");
        }
        out.push_str("]\n");
    }
    out
}

fn buffer_table(buffer: &BufferSpec) -> String {
    let mut out = format!(
        "{{ buffer = \"{}\", count = {}",
        buffer.element, buffer.count
    );
    match &buffer.fill {
        Fill::Random { seed, range } => {
            let _ = write!(out, ", random = {seed}");
            if let Some((least, most)) = range {
                let [least, most] = [*least, *most].map(|bits| buffer.element.format(bits));
                let _ = write!(out, ", range = [{least}, {most}]");
            }
        }
        Fill::Ramp { start, step } => {
            let _ = write!(out, ", ramp = [{start}, {step}]");
        }
        Fill::Zero => out.push_str(", zero = true"),
        Fill::Constant(bits) => {
            let _ = write!(out, ", value = \"{}\"", buffer.element.format(*bits));
        }
        Fill::Structure { bytes, pointers } => {
            let _ = write!(out, ", fields = {}", structure(bytes, pointers));
        }
        _ => {}
    }
    out + " }"
}

fn pointer(buffer: usize, offset: i64) -> String {
    format!("{{ pointer = {buffer}, offset = {offset} }}")
}

/// Pointers lie at multiples of eight bytes, and all else is words or bytes, so that the layout of C adds no padding.
fn structure(bytes: &[u8], pointers: &[PointerField]) -> String {
    let mut pointers: Vec<&PointerField> = pointers.iter().collect();
    pointers.sort_by_key(|pointer| pointer.at);
    let mut fields = Vec::new();
    let mut from = 0;
    let scalars = |fields: &mut Vec<String>, to: usize, from: usize| {
        let bytes = bytes.get(from..to).unwrap_or_default();
        fields.extend(words(bytes).map(|(kind, value)| format!("{{ {kind} = {value} }}")));
    };
    for field in pointers {
        scalars(&mut fields, field.at, from);
        fields.push(pointer(field.buffer, field.offset));
        from = field.at + 8;
    }
    scalars(&mut fields, bytes.len(), from);
    format!("[{}]", fields.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ptxasw_executor::launch::{Element, Format, parse, parse_line};
    use std::path::Path;

    fn random(seed: u64, range: Option<(u64, u64)>) -> Fill {
        Fill::Random { seed, range }
    }

    fn spec() -> LaunchSpec {
        let mut spec = LaunchSpec::new([3, 2, 1], [16, 8, 4]);
        spec.kernel = Some("k".to_owned());
        spec.dynamic_shared = 64;
        spec.spacing = Spacing::Even;
        spec.push_buffer(Element::F32, 40, random(7, None), 16);
        spec.push_buffer(Element::U16, 9, random(8, Some((0, 15))), 0);
        spec.push_scalar(Element::F32, u64::from(0.515625f32.to_bits()));
        spec.push_scalar(Element::I32, u64::from(-3i32 as u32));
        spec.push_scalar(Element::F64, 0.1f64.to_bits());
        spec.arguments.push(ArgumentSpec::Structure {
            bytes: (0..11).collect(),
            pointers: Vec::new(),
        });
        spec
    }

    #[test]
    fn a_line_is_read_back() {
        let spec = spec();
        let back = parse_line(&text(&spec)).unwrap();
        assert_eq!(
            back.instantiate().unwrap(),
            padded(&spec).instantiate().unwrap()
        );
        assert_eq!(back.kernel, spec.kernel);
    }

    #[test]
    fn pointers_into_one_buffer_are_read_back() {
        let mut spec = spec();
        let pointer = |offset| ArgumentSpec::Pointer { buffer: 0, offset };
        spec.arguments.push(pointer(12));
        let back = parse_line(&text(&spec)).unwrap();
        assert_eq!(back.buffers.len(), 2);
        assert_eq!(
            back.instantiate().unwrap(),
            padded(&spec).instantiate().unwrap()
        );
        // Between two elements.
        spec.arguments.push(pointer(6));
        let back = parse(&text(&spec), Format::Toml, Path::new("")).unwrap();
        let back = back[0].instantiate().unwrap();
        assert_eq!(back, padded(&spec).instantiate().unwrap());
    }

    #[test]
    fn a_file_is_read_back() {
        let mut spec = spec();
        spec.buffers.push(BufferSpec {
            name: None,
            element: Element::F64,
            count: 5,
            fill: random(1, None),
        });
        let mut bytes: Vec<u8> = (0..29).collect();
        bytes[8..16].fill(0);
        spec.arguments.push(ArgumentSpec::Structure {
            bytes,
            pointers: vec![PointerField {
                at: 8,
                buffer: 2,
                offset: 24,
            }],
        });
        let back = parse(&text(&spec), Format::Toml, Path::new("")).unwrap();
        let back = back[0].instantiate().unwrap();
        assert_eq!(back, padded(&spec).instantiate().unwrap());
    }

    /// With the padding at the end of structures that C asks for.
    fn padded(spec: &LaunchSpec) -> LaunchSpec {
        let mut spec = spec.clone();
        for argument in &mut spec.arguments {
            if let ArgumentSpec::Structure { bytes, pointers } = argument {
                let align = if pointers.is_empty() { 4 } else { 8 };
                bytes.resize(bytes.len().next_multiple_of(align), 0);
            }
        }
        spec
    }
}
