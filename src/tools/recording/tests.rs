use super::*;

const MODULE: &str = "\
.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 a, .param .u32 n, .param .align 8 .b8 s[24], .param .f32 f)
{
	ret;
}
";

fn folder(lines: &[serde_json::Value]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    fs::write(folder.path().join("launches.jsonl"), text).unwrap();
    fs::write(folder.path().join("1.image"), MODULE).unwrap();
    fs::write(folder.path().join("2.image"), b"\x7fELF and so on").unwrap();
    fs::write(folder.path().join("1.buffer"), [7; 256]).unwrap();
    folder
}

fn count(image: &str, process: u32, launches: u64) -> serde_json::Value {
    let threads = 64 * launches;
    json!({ "count": { "process": format!("{process}-1"), "image": image, "kernel": "k", "launches": launches, "threads": threads } })
}

/// A pointer, a number, a structure with a pointer in it, a float.
fn launch() -> serde_json::Value {
    let words = [
        "0010000000000000",
        "05000000",
        "00000000",
        "0900000000000000",
        "0810000000000000",
        "0a0b000000000000",
        "0000803f",
    ];
    json!({ "launch": {
        "image": "1.image", "kernel": "k", "grid": [1, 1, 1], "block": [64, 1, 1], "shared": 16, "compute": 90,
        "parameters": words.concat(),
        "buffers": [{ "start": 4096, "bytes": 256, "file": "1.buffer" }],
        "pointers": [{ "offset": 0, "start": 4096, "at": 0 }, { "offset": 24, "start": 4096, "at": 8 }],
    } })
}

#[test]
fn a_launch_is_one_that_other_commands_read() {
    let folder = folder(&[
        count("1.image", 7, 1),
        launch(),
        count("1.image", 7, 3),
        count("1.image", 8, 2),
    ]);
    let recording = finish(folder.path(), &Search::default()).unwrap();
    let [kernel] = &recording.kernels[..] else {
        panic!("{recording:?}")
    };
    assert_eq!(
        (kernel.launches, kernel.share, &kernel.module),
        (5, 1.0, &Ok(0))
    );
    let module = &recording.modules[0];
    assert_eq!(module.hot, ["k"]);
    let specs = ptxasw_executor::launch::from_argument(module.launches.to_str().unwrap()).unwrap();
    let text = fs::read(&module.text).unwrap();
    let read = ptxasw_verify::Module::read(&text).unwrap();
    let function = specs[0].function(&read.form).unwrap();
    specs[0].check(function).unwrap();
    assert_eq!((specs[0].block, specs[0].dynamic_shared), ([64, 1, 1], 16));
    let launch = specs[0].instantiate().unwrap();
    assert_eq!(launch.buffers[0].bytes, [7; 256]);
    let expected = r#"[{"pointer":"b0","offset":0},{"u32":5},{"struct":[{"u8":[9,0,0,0,0,0,0,0]},{"pointer":"b0","offset":8},{"u8":[10,11,0,0,0,0,0,0]}]},{"u32":1065353216}]"#;
    let written: serde_json::Value =
        serde_json::from_slice(&fs::read(&module.launches).unwrap()).unwrap();
    let expected: serde_json::Value = serde_json::from_str(expected).unwrap();
    assert_eq!(written["launch"][0]["args"], expected);
}

#[test]
fn what_cannot_be_had_says_why() {
    let missing = json!({ "launch": {
        "image": "1.image", "kernel": "k", "grid": [1, 1, 1], "block": [64, 1, 1], "shared": 0, "missing": "a reason",
    } });
    let folder = folder(&[
        count("1.image", 1, 1),
        missing,
        count("2.image", 1, 3),
        count("../1.image", 1, 2),
    ]);
    fs::OpenOptions::new()
        .append(true)
        .open(folder.path().join("launches.jsonl"))
        .and_then(|mut file| io::Write::write_all(&mut file, b"{\"launch\": {\"ima"))
        .unwrap();
    let recording = finish(folder.path(), &Search::default()).unwrap();
    assert!(recording.modules.is_empty());
    let reasons: Vec<&str> = recording
        .kernels
        .iter()
        .map(|one| one.module.as_ref().unwrap_err().as_str())
        .collect();
    assert!(
        reasons[0].starts_with("its module is machine code alone"),
        "{reasons:?}"
    );
    assert_eq!(
        reasons[1..],
        ["its module is outside the record", "a reason"]
    );
    assert_eq!(recording.kernels[0].share, 0.5);
}

#[test]
fn without_a_launch_there_is_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let recording = finish(folder.path(), &Search::default()).unwrap();
    assert_eq!(recording, Recording::default());
}
