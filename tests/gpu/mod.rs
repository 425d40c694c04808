//! `ptxasw time` and `ptxasw verify --on-gpu` with a driver for tests, `fake.c`, whose log shows how it was used.

/// Declares the driver of a test, or ends it where there is no C compiler.
macro_rules! driver {
    ($name:ident) => {
        let Some($name) = Driver::new() else {
            return;
        };
    };
}

mod driver;
mod failures;
mod record;
mod tune;
mod verify;

use driver::{Driver, Run};

/// A kernel that copies words; `{fake}` is what the driver shall do.
const COPY: &str = "\
// fake: {fake}
.version 8.0
.target sm_80
.address_size 64
.visible .global .align 4 .u32 counter[4];
.visible .entry k(.param .u64 in, .param .u64 out, .param .u32 n)
{
	.reg .pred %p<2>;
	.reg .b32 %r<8>;
	.reg .b64 %rd<8>;
	ld.param.u64 %rd1, [in];
	ld.param.u64 %rd2, [out];
	ld.param.u32 %r1, [n];
	mov.u32 %r2, %ctaid.x;
	mov.u32 %r3, %ntid.x;
	mov.u32 %r4, %tid.x;
	mad.lo.s32 %r5, %r2, %r3, %r4;
	setp.ge.u32 %p1, %r5, %r1;
	@%p1 bra $done;
	mul.wide.u32 %rd3, %r5, 4;
	add.s64 %rd4, %rd1, %rd3;
	add.s64 %rd5, %rd2, %rd3;
	ld.global.u32 %r6, [%rd4];
	st.global.u32 [%rd5], %r6;
$done:
	ret;
}
";

/// 100 floats, copied.
const LAUNCH: &str = "grid=2 block=64 args=f32[100],f32[100]:uninit,100";

fn module(fake: &str) -> String {
    COPY.replace("{fake}", fake)
}

/// Times `module(others)` against `module(original)`.
fn time(driver: &Driver, original: &str, others: &[&str]) -> Run {
    time_with(driver, original, others, LAUNCH, &[])
}

fn time_with(driver: &Driver, original: &str, others: &[&str], launch: &str, more: &[&str]) -> Run {
    let mut arguments = vec!["time".to_owned(), driver.file("a.ptx", &module(original))];
    for (i, other) in others.iter().enumerate() {
        arguments.push("--against".to_owned());
        arguments.push(driver.file(&format!("b{i}.ptx"), &module(other)));
    }
    arguments.extend(["--launch", launch, "--samples", "4"].map(str::to_owned));
    arguments.extend(more.iter().map(|&word| word.to_owned()));
    driver.run(&arguments)
}

#[test]
fn equal_results_and_times() {
    driver!(driver);
    let run = time(
        &driver,
        "copy\n// fake: time 300",
        &["copy\n// fake: time 200"],
    );
    run.exits(0);
    run.prints("GPU 0: Fake GPU 0 (sm_90, 8 multiprocessors, 2 GiB, L2 4 MiB, at most 1500 MHz");
    run.prints("for CUDA 13.0");
    run.prints("grid 2x1x1, block 64x1x1, buffers 800 bytes");
    run.prints("times are those of a warm cache");
    assert_eq!(
        run.row("original"),
        [
            "300.0",
            "300.0",
            "1.000",
            "1.000-1.000",
            "24",
            "16",
            "50%",
            "not",
            "compared"
        ]
    );
    assert_eq!(
        run.row("b0.ptx"),
        [
            "200.0",
            "200.0",
            "1.500",
            "1.500-1.500",
            "24",
            "16",
            "50%",
            "equal"
        ]
    );
    run.clean();
}

/// Samples of short kernels have many launches.
#[test]
fn short_kernels_are_launched_many_times_for_a_sample() {
    driver!(driver);
    let json = driver.path("out.json");
    let run = time_with(
        &driver,
        "copy",
        &["copy\n// fake: time 4"],
        LAUNCH,
        &[&format!("--json={json}")],
    );
    run.exits(0);
    let value: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(json).unwrap()).unwrap();
    assert_eq!(value["device"]["name"], "Fake GPU 0");
    assert_eq!(value["device"]["compute"], serde_json::json!([9, 0]));
    let report = &value["launches"][0]["report"];
    let timing = |subject: &serde_json::Value, key: &str| subject["timing"][key].clone();
    assert_eq!(timing(&report["original"], "launches"), 200);
    assert_eq!(timing(&report["rewritten"][0], "launches"), 50);
    assert_eq!(timing(&report["rewritten"][0], "samples"), 4);
    assert_eq!(report["rewritten"][0]["verdict"], "equal");
}

/// Offsets as in the declaration; addresses are those of the allocations.
#[test]
fn parameters_arrive_as_declared() {
    driver!(driver);
    let launch = "grid=2 block=64 args=f32[100],same0@3,7";
    let run = time_with(&driver, "nothing", &["nothing"], launch, &[]);
    run.exits(0);
    let address = run.allocations()[0];
    let mut expected = address.to_le_bytes().to_vec();
    expected.extend((address + 12).to_le_bytes());
    expected.extend(7u32.to_le_bytes());
    let expected: String = expected.iter().map(|byte| format!("{byte:02x}")).collect();
    let launches = run.log_lines("launch k ");
    assert!(launches.len() > 2);
    for line in launches {
        assert_eq!(
            line,
            format!("launch k grid 2,1,1 block 64,1,1 shared 0 parameters {expected}")
        );
    }
    run.clean();
}

#[test]
fn the_first_element_that_differs() {
    driver!(driver);
    let run = time(&driver, "copy", &["copy", "wrong 42"]);
    run.exits(1);
    assert_eq!(run.row("b0.ptx").last().unwrap(), "equal");
    let row = run.row("b1.ptx").join(" ");
    assert!(
        row.contains("buffer 1[42] = ") && row.ends_with("(1 differ)"),
        "{row}"
    );
    run.clean();
}

/// Too large for copies on the host: kernels of ptxasw fill and compare.
#[test]
fn large_buffers_stay_on_the_device() {
    driver!(driver);
    let launch = "grid=2 block=64 args=f32[10000000],f32[10000000]:uninit,10000000";
    let slow = |fake: &str| format!("{fake}\n// fake: time 300");
    let others = [slow("copy"), slow("wrong 9999999")];
    let others = [others[0].as_str(), others[1].as_str()];
    let run = time_with(&driver, &slow("copy"), &others, launch, &[]);
    run.exits(1);
    assert_eq!(run.row("b0.ptx").last().unwrap(), "equal");
    assert!(run.row("b1.ptx").join(" ").contains("buffer 1[9999999] = "));
    assert!(run.log_lines("launch ptxasw_fill ").len() == 3);
    assert!(run.log_lines("launch ptxasw_compare ").len() == 4);
    assert_eq!(
        run.allocations().len(),
        4 + 4,
        "two sets, and a result of each comparison"
    );
    run.clean();
}

/// There is room for one set of buffers only: the host keeps the original's results.
#[test]
fn large_buffers_without_room_for_two_sets() {
    driver!(driver);
    let driver = driver.set("FAKE_MEMORY", &(600u64 << 20).to_string());
    let launch = "grid=2 block=64 args=f32[10000000],f32[10000000]:uninit,10000000";
    let slow = ["copy\n// fake: time 300", "wrong 5\n// fake: time 300"];
    let run = time_with(&driver, slow[0], &slow[1..], launch, &[]);
    run.exits(1);
    assert!(run.row("b0.ptx").join(" ").contains("buffer 1[5] = "));
    assert_eq!(run.allocations().len(), 2);
    run.clean();
}

#[test]
fn variables_of_the_module() {
    driver!(driver);
    let run = time(&driver, "set 3", &["set 3", "set 4"]);
    run.exits(1);
    assert_eq!(run.row("b0.ptx").last().unwrap(), "equal");
    run.prints("counter[0] = 4, not 3 (1 differ)");
    run.clean();
}

/// Every module that is loaded has addresses of its own in its variables; what a kernel writes over them is compared.
#[test]
fn variables_that_hold_addresses() {
    driver!(driver);
    let counter = ".align 4 .u32 counter[4];";
    let pointing =
        ".align 8 .u64 counter[2] = {generic(text)+3, 7};\n.visible .global .b8 text[4];";
    let run = |original: &str, other: &str| {
        let file = |name: &str, fake: &str| {
            let text = module(fake).replace(counter, pointing);
            assert!(text.contains(pointing));
            driver.file(name, &text)
        };
        let (a, b) = (file("a.ptx", original), file("b.ptx", other));
        let words = [
            "time",
            &a,
            "--against",
            &b,
            "--launch",
            LAUNCH,
            "--samples",
            "4",
        ];
        let run = driver.run(&words.map(str::to_owned));
        run.clean();
        run
    };
    let [as_loaded, written] = [
        "copy\n// fake: loaded",
        "copy\n// fake: set 9\n// fake: loaded",
    ];
    run(&format!("{as_loaded} 3"), &format!("{as_loaded} 4")).exits(0);
    run(&format!("{written} 3"), &format!("{written} 4")).exits(0);
    let different = [
        (
            format!("{written} 3"),
            "copy\n// fake: set 10\n// fake: loaded 4".to_owned(),
        ),
        (format!("{written} 3"), format!("{as_loaded} 4")),
        (format!("{as_loaded} 3"), format!("{written} 4")),
    ];
    for (original, other) in different {
        let run = run(&original, &other);
        run.exits(1);
        run.prints("counter[0] = ");
    }
}

#[test]
fn the_executor_is_asked() {
    driver!(driver);
    let run = time_with(&driver, "copy", &["copy"], LAUNCH, &["--executor"]);
    run.exits(0);
    run.prints("original: the executor's result is the same");
    let run = time_with(&driver, "wrong 5", &["wrong 5"], LAUNCH, &["--executor"]);
    run.exits(0);
    run.prints("original: buffer 1[5] is ");
    run.prints("(1 differ)");
}

/// A kernel with every wrapping and both measuring variants.
#[test]
fn rewritings_of_a_kernel() {
    driver!(driver);
    let kernel = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/ptx-tests/kernelgen/jacobi.sm_80.ptx"
    );
    let launch = "jacobi grid=2,7 block=128 args=f32[1050],f32[1050],0.5f,0.25f,0.125f,150,7";
    let arguments = ["time", kernel, "--launch", launch, "--samples", "1"].map(str::to_owned);
    let run = driver.run(&arguments);
    run.exits(0);
    for (label, result) in [
        ("original", "compared"),
        ("auto", "equal"),
        ("R ", "equal"),
        ("halo ", "equal"),
        ("paper", "equal"),
        ("no-load", "compared"),
        ("no-corner", "compared"),
    ] {
        assert_eq!(run.row(label).last().unwrap(), result, "{label}");
    }
    run.clean();
    let mut markdown = arguments.to_vec();
    markdown.push("--markdown".to_owned());
    let run = driver.run(&markdown);
    run.exits(0);
    run.prints("| kernel | module | median µs | least µs | speedup | quartiles |");
    run.prints(
        "| jacobi | no-corner | 1.0 | 1.0 | 1.000 | 1.000-1.000 | 24 | 16 | 50% | not compared |",
    );
}

/// A folder has a launch file for each module.
#[test]
fn a_folder_of_launches() {
    driver!(driver);
    let launch = "grid = 2\nblock = 64\nargs = [\"f32[100]\", \"f32[100]:uninit\", 100]\n\
        [gpu]\nwarm_up = 1\nlaunches = 3\ncompare = ";
    driver.file("a.toml", &format!("{launch}true\n"));
    driver.file("b.toml", &format!("{launch}false\n"));
    let (a, b) = (module("copy"), module("wrong 5"));
    let mut arguments = vec!["time".to_owned()];
    arguments.push(driver.file("a.sm_80.ptx", &a));
    arguments.push(driver.file("b.ptx", &b));
    arguments.extend([
        "--launch".to_owned(),
        driver.path(""),
        format!("--json={}", driver.path("all.json")),
    ]);
    let run = driver.run(&arguments);
    run.exits(0);
    run.prints("\na: ");
    run.prints("\nb: ");
    run.clean();
    let json = std::fs::read_to_string(driver.path("all.json")).unwrap();
    let value: serde_json::Value = serde_json::from_str(&json).unwrap();
    for launch in value["launches"].as_array().unwrap() {
        assert_eq!(launch["report"]["original"]["timing"]["samples"], 3);
    }
    let missing = driver.file("c.ptx", &a);
    let run = driver.run(&["time", &missing, "--launch", &driver.path("")].map(str::to_owned));
    run.exits(1);
    run.complains("c.toml");
}

/// The script of the benchmark, on a device without room: it runs all kernels and says what is wrong with each.
#[test]
fn the_benchmark() {
    driver!(driver);
    let out = driver.path("out");
    let driver = driver.with("FAKE_MEMORY", "1000000");
    let variables = [
        ("OUT", out.as_str()),
        ("COMPILER", "driver"),
        ("PTXASW", env!("CARGO_BIN_EXE_ptxasw")),
    ];
    // So many launches: those of KernelGen, and those of the memory pass, of which GCC's six have no other compiler;
    // all eight of the public shapes are changed by the default.
    for (slice, launches) in [
        ("kernelgen", 16),
        ("rows", 16),
        ("blocks", 12),
        ("loads", 32),
        ("clang", 26),
        ("public", 8),
    ] {
        let run = driver.script(&variables, &[slice]);
        run.exits(3);
        let refused = run.stderr.matches("the buffers need ").count();
        assert_eq!(refused, launches, "{slice}: {}", run.stderr);
        run.prints("GPU 0: Fake GPU 0");
        let table = std::fs::read_to_string(format!("{out}/{slice}.md")).unwrap();
        assert_eq!(run.stdout, table);
        run.clean();
    }
    // What the default changes.
    let run = driver.script(&variables, &["default"]);
    run.exits(3);
    assert!(run.stderr.matches("the buffers need ").count() > 30);
    let run = driver.script(&variables, &["kernelgen"]);
    run.complains("whispering: benches/gpu/whispering.toml: the original: the buffers need 48 GiB");
    let run = driver.script(&variables, &["nothing"]);
    run.exits(2);
    run.complains("there is no slice 'nothing'");
}
