//! `ptxasw record`: what a program launches through the driver, which it finds in either way.

use super::driver::{Driver, Run, present, ptxas};
use super::module;
use ptxasw::toolchain::{Arch, Search};
use std::fs;
use std::process::Command;

/// Records the program with a module, into `record`.
fn record(driver: &Driver, program: &str, module: &str, more: &[&str]) -> Run {
    let folder = driver.path("record");
    let words = ["record", "-o", &folder]
        .into_iter()
        .chain(more.iter().copied());
    let words = words.chain(["--", program, module]).map(str::to_owned);
    driver.run(&words.collect::<Vec<_>>())
}

/// Words of a file.
fn words(path: &str) -> Vec<u32> {
    let bytes = fs::read(path).unwrap();
    let words = bytes.chunks_exact(4).map(|word| word.try_into().unwrap());
    words.map(u32::from_le_bytes).collect()
}

#[test]
fn a_recorded_launch_does_what_the_program_did() {
    driver!(driver);
    for linked in [true, false] {
        let Some(program) = driver.program(linked) else {
            return;
        };
        let run = record(
            &driver,
            &program,
            &driver.file("k.ptx", &module("copy")),
            &[],
        );
        run.exits(0);
        run.clean();
        run.prints("first 1004");
        run.prints("       3         100.0 %  k: ");
        let (ptx, launch) = (
            driver.path("record/module-1.ptx"),
            driver.path("record/module-1.launch.json"),
        );
        let dump = driver.path("dump");
        let again = ["run", &ptx, "--launch", &launch, "--dump", &dump].map(str::to_owned);
        driver.run(&again).exits(0);
        let copied: Vec<u32> = (1004..1132).collect();
        assert_eq!(
            words(&(dump.clone() + "/b1.bin")),
            copied,
            "linked: {linked}"
        );
        // The whole allocation, of which the kernel reads from the fourth word on.
        let whole: Vec<u32> = (1000..1136).collect();
        assert_eq!(words(&(dump.clone() + "/b0.bin")), whole);
        fs::remove_dir_all(driver.path("record")).unwrap();
        fs::remove_dir_all(dump).unwrap();
    }
}

/// As nvcc packs them: the PTX for the newest target that the device has.
#[test]
fn modules_come_out_of_their_container() {
    driver!(driver);
    let Some(program) = driver.program(false) else {
        return;
    };
    let Some((nvcc, _)) = present("nvcc", Search::from_environment().program("nvcc").ok()) else {
        return;
    };
    let source = "extern \"C\" __global__ void k(const unsigned *in, unsigned *out, unsigned n) {
        unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
        if (i < n) out[i] = in[i];
    }";
    let pack = |name: &str, words: &[&str]| {
        let output = driver.path(name);
        let mut command = Command::new(&nvcc);
        command
            .args(words)
            .arg(driver.file("k.cu", source))
            .args(["-o", &output]);
        assert!(command.status().unwrap().success(), "{words:?}");
        output
    };
    let container = pack(
        "k.fatbin",
        &[
            "-fatbin",
            "-gencode=arch=compute_80,code=[sm_80,compute_80]",
            "-gencode=arch=compute_90,code=compute_90",
            "-gencode=arch=compute_100,code=compute_100",
        ],
    );
    let run = record(&driver, &program, &container, &[]);
    run.exits(0);
    let text = fs::read_to_string(driver.path("record/module-1.ptx")).unwrap();
    assert!(
        text.contains(".target sm_90") && text.contains(".entry k("),
        "{text}"
    );
    for (name, words, reason) in [
        (
            "k.cubin",
            &["-cubin", "-arch=sm_90"][..],
            "its module is machine code alone: build with `-gencode",
        ),
        (
            "new.fatbin",
            &["-fatbin", "-gencode=arch=compute_100,code=compute_100"],
            "its module has no PTX for this GPU",
        ),
    ] {
        fs::remove_dir_all(driver.path("record")).unwrap();
        let run = record(&driver, &program, &pack(name, words), &[]);
        run.exits(0);
        run.prints(&format!("k: left out, {reason}"));
    }
}

#[test]
fn what_is_left_out_says_why() {
    driver!(driver);
    let Some(program) = driver.program(false) else {
        return;
    };
    let copies = driver.file("k.ptx", &module("copy"));
    let idle = driver.file("idle.ptx", &module("time 1"));
    let old = "the driver does not say where parameters are: it is older than 12.4";
    for (variable, module, more, reason) in [
        (
            "FAKE_CAPTURING",
            &copies,
            &[][..],
            "no launch could be written down: all were made within graphs",
        ),
        ("FAKE_OLD", &copies, &[], old),
        (
            "FAKE_BUSY",
            &copies,
            &[],
            "what was launched before it takes more than 5 s",
        ),
        (
            "FAKE_HOST",
            &idle,
            &[],
            "a parameter points to memory of the host",
        ),
        (
            "PROGRAM_TOGETHER",
            &copies,
            &[],
            "it is launched as a cooperative kernel",
        ),
        (
            "NOTHING",
            &copies,
            &["--most", "1000"],
            "it reaches 1056 bytes, more than 1000",
        ),
    ] {
        let driver = driver.with(variable, "1");
        let run = record(&driver, &program, module, more);
        run.exits(0);
        run.clean();
        run.prints("first ");
        run.prints(&format!("k: left out, {reason}"));
        fs::remove_dir_all(driver.path("record")).unwrap();
    }
}

/// A program may compile kernels while it runs, by an assembler that is `ptxasw`.
#[test]
fn a_recorded_program_may_call_the_drop_in() {
    driver!(driver);
    if driver.program(false).is_none() || !ptxas() {
        return;
    }
    let module = driver.file("k.ptx", &module("copy"));
    let (folder, output) = (driver.path("record"), driver.path("k.cubin"));
    let program = env!("CARGO_BIN_EXE_ptxasw");
    let (assembler, _) = Search::from_environment().ptxas(Arch::new(90)).unwrap();
    let assembler = format!("PTXASW_PTXAS={}", assembler.display());
    let words = [
        "record",
        "-o",
        &folder,
        "--",
        "env",
        &assembler,
        program,
        "as",
        "--",
        "-arch=sm_90",
        &module,
        "-o",
        &output,
    ];
    let run = driver.run(&words.map(str::to_owned));
    run.exits(0);
    assert!(fs::read(output).unwrap().starts_with(b"\x7fELF"));
}

#[test]
fn the_program_s_failure_is_told() {
    driver!(driver);
    let Some(program) = driver.program(true) else {
        return;
    };
    let run = record(&driver, &program, "no-such-file", &[]);
    run.exits(1);
    assert!(!run.stderr.contains("did not take"), "{}", run.stderr);
    run.complains("failed: exit status: 1");
    run.prints("no kernel was launched through NVIDIA's driver");
    fs::write(driver.path("record/other"), "").unwrap();
    let run = record(&driver, &program, "no-such-file", &[]);
    run.exits(1);
    run.complains("is not empty: a record needs a folder of its own");
    fs::remove_dir_all(driver.path("record")).unwrap();
    record(&driver, "/no/such/program", "k.ptx", &[]).complains("cannot run `/no/such/program`");
}
