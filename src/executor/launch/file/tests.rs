//! Launch files: what they mean, and what is refused where.

use super::*;
use crate::launch::{ArgumentSpec, Fill};

fn toml(text: &str) -> Result<Vec<LaunchSpec>, LaunchError> {
    parse(text, Format::Toml, Path::new(""))
}

fn one(text: &str) -> LaunchSpec {
    let mut specs = toml(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(specs.len(), 1);
    specs.remove(0)
}

/// The bytes of the only argument, a structure.
fn structure_bytes(argument: &str) -> Vec<u8> {
    match &one(&format!("args = [{argument}]")).arguments[..] {
        [ArgumentSpec::Structure { bytes, .. }] => bytes.clone(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_whole_file() {
    let spec = one(r#"
        kernel = "stencil"
        grid = [4, 2]
        block = 128
        shared = 1_024
        spacing = "even"
        args = [
          { buffer = "f32", count = 64, name = "a", random = 7, range = [-2, 2.5], at = 16 },
          { buffer = "i16", count = 8, ramp = [5, -1], offset = 3 },
          { pointer = "a", at = -1 },
          { pointer = 1 },
          { i32 = 0xff }, { f32 = nan }, { f64 = "-inf" }, { f32 = "0x7fc00001" }, { u64 = "18446744073709551615" },
          { bool = true }, { f16 = 1 }, { bf16 = 1.0 },
          "f32[30]@2", "same0", 200,
        ]
        gpu = { warm_up = 1, launches = 2, compare = false }
    "#);
    assert_eq!(spec.kernel.as_deref(), Some("stencil"));
    assert_eq!((spec.grid, spec.block), ([4, 2, 1], [128, 1, 1]));
    assert_eq!(spec.dynamic_shared, 1024);
    assert_eq!(spec.spacing, Spacing::Even);
    let bits = |v: f32| u64::from(v.to_bits());
    let fills: Vec<Fill> = spec.buffers.iter().map(|b| b.fill.clone()).collect();
    let ramp = Fill::Ramp {
        start: 5,
        step: 0xffff,
    };
    let range = Some((bits(-2.0), bits(2.5)));
    let random = Fill::Random { seed: 7, range };
    assert_eq!(fills, [random, ramp, Fill::random(2)]);
    let names: Vec<Option<&str>> = spec.buffers.iter().map(|b| b.name.as_deref()).collect();
    assert_eq!(names, [Some("a"), None, None]);
    let pointer = |buffer, offset| ArgumentSpec::Pointer { buffer, offset };
    let scalar = |element, bits| ArgumentSpec::Scalar {
        element: Some(element),
        bits,
    };
    assert_eq!(
        spec.arguments,
        [
            pointer(0, 64),
            pointer(1, 3),
            pointer(0, -4),
            pointer(1, 0),
            scalar(Element::I32, 255),
            scalar(Element::F32, bits(f32::NAN)),
            scalar(Element::F64, f64::NEG_INFINITY.to_bits()),
            scalar(Element::F32, 0x7fc0_0001),
            scalar(Element::U64, u64::MAX),
            scalar(Element::Bool, 1),
            scalar(Element::F16, 0x3c00),
            scalar(Element::Bf16, 0x3f80),
            pointer(2, 8),
            pointer(0, 0),
            ArgumentSpec::Scalar {
                element: None,
                bits: 200
            },
        ]
    );
    let gpu = GpuSpec {
        warm_up: Some(1),
        launches: Some(2),
        compare: Some(false),
    };
    assert_eq!(spec.gpu, gpu);
}

/// The first text in a fence of TOML, without the marks of a comment.
fn example(text: &str) -> String {
    let lines = text.lines().map(|line| line.trim_start_matches("//!"));
    let fenced = lines.skip_while(|line| line.trim() != "```toml").skip(1);
    let fenced = fenced.take_while(|line| line.trim() != "```");
    fenced.flat_map(|line| [line, "\n"]).collect()
}

#[test]
fn examples_of_the_documentation() {
    let spec = one(&example(include_str!("../file.rs")));
    assert_eq!((spec.buffers.len(), spec.arguments.len()), (3, 9));
    let spec = one(&example(include_str!("../../../../docs/launch-files.md")));
    assert_eq!((spec.buffers.len(), spec.arguments.len()), (2, 6));
}

#[test]
fn buffers_without_an_argument() {
    let spec = one(
        "buffers = [{ buffer = 'u8', count = 4, name = 'b' }]\nargs = ['u8[2]', { pointer = 'b', at = 3 }]",
    );
    let pointer = |buffer, offset| ArgumentSpec::Pointer { buffer, offset };
    assert_eq!(spec.arguments, [pointer(1, 0), pointer(0, 3)]);
}

#[test]
fn json_means_the_same() {
    let json = r#"{ "kernel": "k", "grid": [2, 3], "args": [
        { "buffer": "u32", "count": 5, "value": 7 }, { "f32": "nan" }, "u32[4]%3", -1,
        { "struct": [{ "u8": 1 }, { "pointer": 0, "at": 2 }] } ] }"#;
    let text = r#"
        kernel = "k"
        grid = [2, 3]
        args = [{ buffer = "u32", count = 5, value = 7 }, { f32 = nan }, "u32[4]%3", -1,
            { struct = [{ u8 = 1 }, { pointer = 0, at = 2 }] }]"#;
    let specs = parse(json, Format::Json, Path::new("")).unwrap();
    assert_eq!(specs, toml(text).unwrap());
}

#[test]
fn several_launches() {
    let specs = toml(
        "kernel = 'k'\n[gpu]\nlaunches = 3\n[[launch]]\ngrid = 2\n[[launch]]\nkernel = 'j'\ngpu = { warm_up = 0 }",
    )
    .unwrap();
    let kernels: Vec<Option<&str>> = specs.iter().map(|s| s.kernel.as_deref()).collect();
    assert_eq!(kernels, [Some("k"), Some("j")]);
    assert_eq!(specs[0].gpu.launches, Some(3));
    assert_eq!(specs[1].gpu.launches, None);
    assert_eq!(specs[1].gpu.warm_up, Some(0));
}

#[test]
fn structures() {
    assert_eq!(
        structure_bytes(
            "{ struct = [{ u8 = [1, 2] }, { struct = [{ u32 = 3 }, { u8 = 4 }] }, { u8 = 5 }] }"
        ),
        [1, 2, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0, 5, 0, 0, 0]
    );
    assert_eq!(structure_bytes("{ bytes = '00 fF_10' }"), [0, 0xff, 0x10]);
}

#[test]
fn files_beside_the_launch_file() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("d.bin"), [1, 2, 3, 4, 5, 6]).unwrap();
    fs::write(
        folder.path().join("l.toml"),
        "args = [{ buffer = 'u16', file = 'd.bin', skip = 2 }, { bytes = { file = 'd.bin' } }]",
    )
    .unwrap();
    let specs = read(&folder.path().join("l.toml")).unwrap();
    assert_eq!(specs[0].buffers[0].count, 2);
    let launch = specs[0].instantiate().unwrap();
    assert_eq!(launch.buffers[0].bytes, [3, 4, 5, 6]);
    assert_eq!(launch.structures[0], [1, 2, 3, 4, 5, 6]);
    let text = "args = [{ buffer = 'u16', file = 'd.bin', count = 4 }]";
    let error = parse(text, Format::Toml, folder.path()).unwrap_err();
    assert_eq!(error.message, "the file has fewer elements");
}

#[test]
fn refused_with_the_place() {
    for (text, part, message) in [
        (
            "grid = [1, 2, 3, 4]",
            "4",
            "there are only three dimensions",
        ),
        ("grid = -1", "-1", "`-1` does not fit u64"),
        (
            "block = 5_000_000_000",
            "5_000_000_000",
            "this number is too large",
        ),
        ("gird = 1", "gird", "unknown key `gird`"),
        ("kernel = 1", "1", "expected a text, found a number"),
        ("args = 1", "1", "expected an array, found a number"),
        ("args = [{}]", "{}", "an argument without a type"),
        ("args = [{ i33 = 1 }]", "i33", "unknown key `i33`"),
        (
            "args = [{ i32 = 1, u32 = 1 }]",
            "u32",
            "`u32` and `i32` exclude each other",
        ),
        ("args = [{ i32 = 1, at = 1 }]", "at", "unknown key `at`"),
        (
            "args = [{ i32 = 0x1ffffffff }]",
            "0x1ffffffff",
            "`0x1ffffffff` does not fit i32",
        ),
        ("args = [{ f32 = 'x' }]", "'x'", "`x` is no number"),
        ("args = ['f32[']", "'f32['", "a `[` without its `]`"),
        (
            "args = [2020-01-01]",
            "2020-01-01",
            "expected a table, found a value without a use here",
        ),
        (
            "args = [{ buffer = 'f33', count = 1 }]",
            "'f33'",
            "unknown type `f33`",
        ),
        (
            "args = [{ buffer = 'f32' }]",
            "{ buffer = 'f32' }",
            "the buffer has no `count`",
        ),
        (
            "args = [{ buffer = 'f64', count = 999999999999 }]",
            "999999999999",
            "the buffer is too large: it may have 7516192768 bytes",
        ),
        (
            "args = [{ buffer = 'u8', count = 1, range = [2, 1] }]",
            "[2, 1]",
            "there is nothing in this range",
        ),
        (
            "args = [{ buffer = 'f32', count = 1, range = [0, inf] }]",
            "[0, inf]",
            "there is nothing in this range",
        ),
        (
            "args = [{ buffer = 'f32', count = 1, range = [0, nan] }]",
            "[0, nan]",
            "there is nothing in this range",
        ),
        (
            "args = [{ buffer = 'u8', count = 1, ramp = [2] }]",
            "[2]",
            "expected two numbers",
        ),
        (
            "args = [{ buffer = 'u8', count = 1, zero = true, range = [1, 2] }]",
            "range",
            "unknown key `range`",
        ),
        (
            "args = [{ buffer = 'u8', count = 1, zero = true, value = 2 }]",
            "value",
            "`value` and `zero` exclude each other",
        ),
        (
            "args = [{ buffer = 'u8', count = 1, zero = false }]",
            "zero",
            "`zero = false` does not say what the buffer holds",
        ),
        (
            "args = [{ pointer = 'a' }]",
            "'a'",
            "no earlier argument is that buffer",
        ),
        (
            "args = ['f32[1]', { pointer = 0, at = 9223372036854775807 }]",
            "9223372036854775807",
            "this number is too large",
        ),
        (
            "args = [{ struct = [1] }]",
            "1",
            "expected a table, found a number",
        ),
        (
            "args = [{ struct = [{ bytes = '00' }] }]",
            "{ bytes = '00' }",
            "a field is a scalar, a pointer or a structure",
        ),
        (
            "args = [{ bytes = '0' }]",
            "'0'",
            "expected pairs of hexadecimal digits, not too many",
        ),
        ("launch = []", "[]", "there is no launch"),
        ("grid = 1\n[[launch]]", "grid", "unknown key `grid`"),
        (
            "gpu = { compare = 1 }",
            "1",
            "expected true or false, found a number",
        ),
    ] {
        let error = toml(text).unwrap_err();
        assert_eq!(&text[error.span.range()], part, "{text}: {error}");
        assert_eq!(error.message, message, "{text}");
    }
}

#[test]
fn unknown_keys_have_a_suggestion() {
    for (text, note) in [
        ("blok = 1", "did you mean `block`?"),
        ("args = [{ bufer = 'f32' }]", "did you mean `buffer`?"),
        (
            "gpu = { times = 3 }",
            "known here: warm_up, launches, compare",
        ),
    ] {
        assert_eq!(toml(text).unwrap_err().notes, [note], "{text}");
    }
}

#[test]
fn files_that_cannot_be_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("l.json");
    assert!(matches!(read(&path), Err(ReadError::Io { .. })));
    fs::write(&path, b"{\"grid\": \xff}").unwrap();
    let error = read(&path).unwrap_err().to_string();
    assert!(error.contains("l.json:1:10"), "{error}");
    fs::write(&path, "{\n  \"grid\": 1,\n}").unwrap();
    let error = read(&path).unwrap_err().to_string();
    assert!(error.contains("l.json:3:1"), "{error}");
}

#[test]
fn a_line_in_place_of_a_file() {
    assert_eq!(from_argument("grid=4 args=1").unwrap()[0].grid, [4, 1, 1]);
    let error = from_argument("grid=4 args=x").unwrap_err().to_string();
    assert!(error.contains("<launch>:1:13"), "{error}");
    assert!(matches!(
        from_argument("nowhere"),
        Err(ReadError::Io { .. })
    ));
}

proptest::proptest! {
    #[test]
    fn broken_texts_never_panic(cuts in proptest::collection::vec((0usize..2000, 0usize..8, ".{0,4}"), 1..4)) {
        let sources = [
            (include_str!("example.toml"), Format::Toml),
            (include_str!("example.json"), Format::Json),
        ];
        for (source, format) in sources {
            let mut text = source.to_owned();
            for (at, length, new) in &cuts {
                let floor = |at: usize| text.floor_char_boundary(at.min(text.len()));
                let (start, end) = (floor(at % (text.len() + 1)), floor(at % (text.len() + 1) + length));
                text.replace_range(start..end, new);
            }
            if let Err(error) = parse(&text, format, Path::new("")) {
                proptest::prop_assert!(error.span.range().end <= text.len() + 1);
                error.render("l", text.as_bytes());
            }
            let _ = parse_line(&text);
        }
    }
}
