//! Descriptions in one line.

use super::structure::Structure;
use super::{ArgumentSpec, Element, Fill, LaunchError, LaunchSpec};
use crate::spacing::Spacing;
use ptxasw_ptx::ast::Span;

/// Reads `KERNEL grid=3,2 block=128 shared=1024 args=f32[4096]@16,same0@8,u32[64]%10:seed=3,0.5f,200`.
///
/// The kernel may be left out. Arguments, in the order of the parameters:
/// - `f32[200]`: a new buffer of so many elements, random by its index among the buffers. After it may come `%N`
///   (random, from 0 to N-1), `:seed=N`, `:zero`, `:ramp` (0, 1, 2, ...) or `:ramp=STEP`, `:uninit`,
///   `:value=V`, and last `@K`: the
///   argument points to element K;
/// - `same0@8`: a pointer to an element of the buffer that argument 0 points into;
/// - `0.5f`: an `f32`; `f64:0.5`, `u8:0xff`: of any type; `200`: an integer of the parameter's size;
/// - `{f32[200],0.5f,i32:7}`: a structure of such buffers and scalars, with C layout;
/// - `&{f32[200],i32:7}`: a pointer to such a structure in memory.
///
/// # Errors
/// What is wrong, with its place in the text.
pub fn parse_line(text: &str) -> Result<LaunchSpec, LaunchError> {
    let mut spec = LaunchSpec::new([1; 3], [1; 3]);
    for (number, word) in text.split_whitespace().enumerate() {
        match word.split_once('=') {
            Some(("grid", sizes)) => spec.grid = extent(text, sizes)?,
            Some(("block", sizes)) => spec.block = extent(text, sizes)?,
            Some(("shared", size)) => {
                let no_size = |_| LaunchError::new(place(text, size), "expected a size in bytes");
                spec.dynamic_shared = size.parse().map_err(no_size)?;
            }
            Some(("spacing", name)) => {
                let unknown = || LaunchError::new(place(text, name), Spacing::EXPECTED);
                spec.spacing = Spacing::named(name).ok_or_else(unknown)?;
            }
            Some(("args", list)) => {
                for argument in arguments(list) {
                    let at = place(text, argument).start;
                    push_argument(&mut spec, argument).map_err(|error| shifted(error, at))?;
                }
            }
            None if number == 0 => spec.kernel = Some(word.to_owned()),
            _ => {
                let message = format!("unknown word `{word}`");
                return Err(LaunchError::new(place(text, word), message).note(
                    "expected grid=X,Y,Z, block=X,Y,Z, shared=BYTES, spacing=even or args=...",
                ));
            }
        }
    }
    Ok(spec)
}

/// Reads one argument and appends it, and its buffer, to a description. Spans are in `text`.
pub(super) fn push_argument(spec: &mut LaunchSpec, text: &str) -> Result<(), LaunchError> {
    if let Some(list) = text.strip_prefix("&{") {
        return push_structure(spec, text, list);
    }
    let argument = if let Some(list) = text.strip_prefix('{') {
        structure(spec, text, list)?
    } else if let Some((kind, rest)) = text.split_once('[') {
        return push_buffer(spec, text, kind, rest);
    } else if let Some(rest) = text.strip_prefix("same") {
        same(spec, text, rest)?
    } else if let Some((element, bits)) = typed(text)? {
        ArgumentSpec::Scalar {
            element: Some(element),
            bits,
        }
    } else {
        ArgumentSpec::Scalar {
            element: None,
            bits: integer(text).ok_or_else(|| no_argument(text))?,
        }
    };
    spec.arguments.push(argument);
    Ok(())
}

fn no_argument(text: &str) -> LaunchError {
    LaunchError::new(place(text, text), format!("`{text}` is not an argument")).note(
        "expected a buffer (f32[200]), a pointer (same0), a number (200, 0.5f, f64:0.5) a structure ({0.5f,i32:7}) or a pointer to one (&{0.5f,i32:7})",
    )
}

/// Splits at the commas that are not within braces.
fn arguments(list: &str) -> impl Iterator<Item = &str> {
    let mut inside = false;
    let parts = list.split(move |c: char| {
        inside = (inside || c == '{') && c != '}';
        c == ',' && !inside
    });
    parts.filter(|part| !part.is_empty())
}

/// `f32[200]%10:seed=1@8`, split at the first bracket.
fn push_buffer(
    spec: &mut LaunchSpec,
    text: &str,
    kind: &str,
    rest: &str,
) -> Result<(), LaunchError> {
    let fail = |part: &str, message: String| LaunchError::new(place(text, part), message);
    let element = Element::from_name(kind).ok_or_else(|| unknown_type(place(text, kind), kind))?;
    let Some((size, tail)) = rest.split_once(']') else {
        return Err(fail(text, "a `[` without its `]`".to_owned()));
    };
    let count = size
        .parse()
        .map_err(|_| fail(size, format!("`{size}` is not a number of elements")))?;
    super::file::check_size(element, count).map_err(|message| fail(size, message))?;
    let (tail, at) = tail.split_once('@').unwrap_or((tail, "0"));
    let offset = element_offset(element, at)
        .ok_or_else(|| fail(at, format!("`{at}` is not the index of an element")))?;
    let mut seed = spec.buffers.len() as u64;
    let mut range = None;
    let mut fill = None;
    let (below, options) = match tail.find(':') {
        Some(colon) => (&tail[..colon], &tail[colon + 1..]),
        None => (tail, ""),
    };
    if let Some(limit) = below.strip_prefix('%') {
        let last = limit.parse::<u64>().ok().and_then(|n| n.checked_sub(1));
        let last = last.and_then(|n| element.parse_value(&n.to_string()).ok());
        range = Some((
            0,
            last.ok_or_else(|| fail(limit, format!("no {element} is below `{limit}`")))?,
        ));
    } else if !below.is_empty() {
        return Err(fail(below, format!("unknown words `{below}`")));
    }
    for option in options.split(':').filter(|option| !option.is_empty()) {
        match option.split_once('=') {
            Some(("seed", value)) => {
                seed = integer(value)
                    .ok_or_else(|| fail(value, format!("`{value}` is not a seed")))?;
            }
            Some(("value", value)) => {
                let bits = element.parse_value(value);
                fill = Some(Fill::Constant(
                    bits.map_err(|why| fail(value, format!("`{value}` {why}")))?,
                ));
            }
            Some(("ramp", value)) => {
                let step = element.parse_value(value);
                fill = Some(Fill::Ramp {
                    start: 0,
                    step: step.map_err(|why| fail(value, format!("`{value}` {why}")))?,
                });
            }
            None if option == "zero" => fill = Some(Fill::Zero),
            None if option == "ramp" => fill = Some(Fill::ramp(element)),
            None if option == "uninit" => fill = Some(Fill::Uninitialised),
            _ => {
                return Err(fail(option, format!("unknown contents `{option}`"))
                    .note("expected zero, ramp, ramp=STEP, uninit, seed=N or value=V"));
            }
        }
    }
    let fill = fill.unwrap_or(Fill::Random { seed, range });
    spec.push_buffer(element, count, fill, offset);
    Ok(())
}

/// `same0@8` after `same`.
fn same(spec: &LaunchSpec, text: &str, rest: &str) -> Result<ArgumentSpec, LaunchError> {
    let (number, at) = rest.split_once('@').unwrap_or((rest, "0"));
    let earlier = number
        .parse()
        .ok()
        .and_then(|n: usize| spec.arguments.get(n));
    let Some(&ArgumentSpec::Pointer { buffer, .. }) = earlier else {
        let message = format!("`{number}` is not an earlier pointer argument");
        return Err(LaunchError::new(place(text, number), message));
    };
    let element = spec.buffers.get(buffer).map_or(Element::U8, |b| b.element);
    let offset = element_offset(element, at).ok_or_else(|| {
        LaunchError::new(
            place(text, at),
            format!("`{at}` is not the index of an element"),
        )
    })?;
    Ok(ArgumentSpec::Pointer { buffer, offset })
}

/// `{0.5f,i32:7}` after its brace.
fn structure(spec: &mut LaunchSpec, text: &str, list: &str) -> Result<ArgumentSpec, LaunchError> {
    let Some(list) = list.strip_suffix('}') else {
        return Err(LaunchError::new(place(text, text), "a `{` without its `}`"));
    };
    let mut structure = Structure::new();
    for field in list.split(',') {
        let at = place(text, field).start;
        if let Some((kind, rest)) = field.split_once('[') {
            push_buffer(spec, field, kind, rest).map_err(|error| shifted(error, at))?;
            // The buffer is an argument's within this one.
            if let Some(ArgumentSpec::Pointer { buffer, offset }) = spec.arguments.pop() {
                structure.pointer(buffer, offset);
            }
            continue;
        }
        match typed(field).map_err(|error| shifted(error, at))? {
            Some((element, bits)) => structure.scalar(element, bits),
            None => {
                let message = format!("the type of `{field}` is not known");
                return Err(LaunchError::new(place(text, field), message)
                    .note("a field is a buffer (f32[200]), an f32 (0.5f) or has its type before it (i32:7)"));
            }
        }
        if structure.too_large() {
            let message = "no kernel takes a structure that large";
            return Err(LaunchError::new(place(text, field), message));
        }
    }
    Ok(structure.finish())
}

/// `&{f32[200],i32:7}` after its brace: the structure becomes a buffer after those that it points into.
fn push_structure(spec: &mut LaunchSpec, text: &str, list: &str) -> Result<(), LaunchError> {
    if let ArgumentSpec::Structure { bytes, pointers } = structure(spec, text, list)? {
        let count = bytes.len() as u64;
        spec.push_buffer(Element::U8, count, Fill::Structure { bytes, pointers }, 0);
    }
    Ok(())
}

/// `0.5f` or `f64:0.5`; none for anything else.
fn typed(text: &str) -> Result<Option<(Element, u64)>, LaunchError> {
    let (element, value) = match text.split_once(':') {
        Some((kind, value)) => {
            let element = Element::from_name(kind);
            let element = element.ok_or_else(|| unknown_type(place(text, kind), kind))?;
            (element, value)
        }
        None => match text.strip_suffix('f').filter(|v| !v.starts_with("0x")) {
            Some(value) => (Element::F32, value),
            None => return Ok(None),
        },
    };
    match element.parse_value(value) {
        Ok(bits) => Ok(Some((element, bits))),
        Err(why) => Err(LaunchError::new(
            place(text, value),
            format!("`{value}` {why}"),
        )),
    }
}

pub(super) fn unknown_type(span: Span, name: &str) -> LaunchError {
    let names: Vec<&str> = Element::names().collect();
    LaunchError::new(span, format!("unknown type `{name}`"))
        .note(format!("the types are {}", names.join(", ")))
}

/// Bytes from the start of a buffer to one of its elements.
fn element_offset(element: Element, at: &str) -> Option<i64> {
    at.parse::<i64>()
        .ok()?
        .checked_mul(i64::from(element.bytes()))
}

/// An integer of 64 bits, whatever its sign.
fn integer(text: &str) -> Option<u64> {
    let unsigned = Element::U64.parse_value(text);
    unsigned.or_else(|_| Element::I64.parse_value(text)).ok()
}

fn extent(text: &str, sizes: &str) -> Result<[u32; 3], LaunchError> {
    let mut extent = [1; 3];
    for (index, size) in sizes.split([',', 'x']).enumerate() {
        let fail = |message: String| LaunchError::new(place(text, size), message);
        let Some(dimension) = extent.get_mut(index) else {
            return Err(fail("there are only three dimensions".to_owned()));
        };
        *dimension = size
            .parse()
            .map_err(|_| fail(format!("`{size}` is not a size")))?;
    }
    Ok(extent)
}

/// The place of a part of a text.
fn place(text: &str, part: &str) -> Span {
    let start = (part.as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
    let end = (start + part.len()).min(text.len());
    let clamp = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    Span::new(clamp(start.min(end)), clamp(end))
}

fn shifted(mut error: LaunchError, by: u32) -> LaunchError {
    error.span.start = error.span.start.saturating_add(by);
    error.span.end = error.span.end.saturating_add(by);
    error
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_whole_line() {
        let spec = parse_line(
            "k grid=3,2 block=16x8 shared=64 spacing=even args=f32[4]:ramp@2,same0@1,-1,f64:0.5,u16[2]:uninit,0x10,u32[5]%10,0.5f",
        )
        .unwrap();
        assert_eq!(spec.kernel.as_deref(), Some("k"));
        assert_eq!((spec.grid, spec.block), ([3, 2, 1], [16, 8, 1]));
        assert_eq!((spec.dynamic_shared, spec.spacing), (64, Spacing::Even));
        let error = parse_line("k spacing=odd").unwrap_err();
        assert_eq!((error.span.start, &*error.message), (10, Spacing::EXPECTED));
        let fills: Vec<&Fill> = spec.buffers.iter().map(|b| &b.fill).collect();
        let below = Fill::Random {
            seed: 2,
            range: Some((0, 9)),
        };
        assert_eq!(
            fills,
            [&Fill::ramp(Element::F32), &Fill::Uninitialised, &below]
        );
        let pointer = |buffer, offset| ArgumentSpec::Pointer { buffer, offset };
        let scalar = |element, bits| ArgumentSpec::Scalar { element, bits };
        assert_eq!(
            spec.arguments,
            [
                pointer(0, 8),
                pointer(0, 4),
                scalar(None, u64::MAX),
                scalar(Some(Element::F64), 0.5f64.to_bits()),
                pointer(1, 0),
                scalar(None, 16),
                pointer(2, 0),
                scalar(Some(Element::F32), u64::from(0.5f32.to_bits())),
            ]
        );
    }

    #[test]
    fn contents_and_structures() {
        let spec = parse_line("args=f32[4]:value=-1,u8[9]:seed=7:zero,i32[3]:seed=5,{u8:1,2f}");
        let spec = spec.unwrap();
        assert_eq!(spec.kernel, None);
        let fills: Vec<Fill> = spec.buffers.iter().map(|b| b.fill.clone()).collect();
        let ones = Fill::Constant(u64::from((-1f32).to_bits()));
        assert_eq!(fills, [ones, Fill::Zero, Fill::random(5)]);
        let ArgumentSpec::Structure { bytes, .. } = &spec.arguments[3] else {
            panic!("a structure")
        };
        assert_eq!(bytes, &[1, 0, 0, 0, 0, 0, 0, 0x40]);
    }

    #[test]
    fn a_structure_in_memory() {
        let spec = parse_line("args=&{f32[4],i32:7,u16[2]@1},same0@3").unwrap();
        let pointer = |buffer, offset| ArgumentSpec::Pointer { buffer, offset };
        assert_eq!(spec.arguments, [pointer(2, 0), pointer(2, 3)]);
        let bytes = spec.buffers[2].structure(|buffer, offset| 100 * buffer as u64 + offset as u64);
        let words = [0, 7, 102u64].map(u64::to_le_bytes);
        assert_eq!(bytes.unwrap(), words.as_flattened());
        let launch = spec.instantiate().unwrap();
        assert_eq!(launch.buffers[2].bytes[8], 7);
        assert_ne!(launch.buffers[2].bytes[16..], [0; 8]);
    }

    #[test]
    fn refused_with_the_place() {
        for (text, part) in [
            ("k grid=1,2,3,4", "4"),
            ("k grid=x", ""),
            ("k threads=4", "threads=4"),
            ("k j", "j"),
            ("k shared=-1", "-1"),
            ("k args=f32[", "f32["),
            ("k args=f99[4]", "f99"),
            ("k args=f32[-4]", "-4"),
            ("k args=f64[99999999999]", "99999999999"),
            ("k args=f32[4]%0", "0"),
            ("k args=f32[4]5", "5"),
            ("k args=f32[4]:zeros", "zeros"),
            ("k args=f32[4]:value=x", "x"),
            ("k args=f32[4]@x", "x"),
            ("k args=1,same0", "0"),
            ("k args=same0", "0"),
            ("k args=i32:x", "x"),
            ("k args=i32:2147483648", "2147483648"),
            ("k args=0.5", "0.5"),
            ("k args={1}", "1"),
            ("k args={1f", "{1f"),
            ("k args=&{1f", "&{1f"),
            ("k args=&1f", "&1"),
        ] {
            let error = parse_line(text).unwrap_err();
            assert_eq!(&text[error.span.range()], part, "{text}: {error}");
        }
    }
}
