//! Kernels, modules, launches and drivers that fail.

use super::driver::{self, Driver};
use super::{LAUNCH, time, time_with};

/// The context is lost by the fault; the next module gets a new one.
#[test]
fn a_fault_of_a_rewritten_module() {
    driver!(driver);
    let run = time(&driver, "copy", &["copy", "fault", "copy"]);
    run.exits(4);
    let row = run.row("b1.ptx").join(" ");
    assert!(row.ends_with("an illegal memory access was encountered (CUDA_ERROR_ILLEGAL_ADDRESS)"));
    for other in ["b0.ptx", "b2.ptx"] {
        let row = run.row(other);
        assert_eq!(row.last().unwrap(), "equal", "{row:?}");
        assert_eq!(row[0], "1.0", "{other} is timed");
    }
    assert_eq!(run.log_lines("context").len(), 2);
    run.clean();
}

#[test]
fn a_device_that_does_not_recover() {
    driver!(driver);
    let driver = driver.set("FAKE_LOST", "1");
    let run = time(&driver, "copy", &["fault", "copy"]);
    run.exits(4);
    assert!(run.row("b0.ptx").contains(&"failed:".to_owned()));
    assert!(
        run.row("b1.ptx")
            .join(" ")
            .contains("not run: the device is lost")
    );
}

/// A launch in which the original fails says nothing about the others.
#[test]
fn a_fault_of_the_original() {
    driver!(driver);
    let run = time(&driver, "fault", &["fault"]);
    run.exits(3);
    run.complains("the original: ");
    run.complains("CUDA_ERROR_ILLEGAL_ADDRESS");
    run.clean();
}

#[test]
fn a_kernel_that_does_not_end() {
    driver!(driver);
    let run = time_with(
        &driver,
        "copy",
        &["hang", "copy"],
        LAUNCH,
        &["--timeout", "1"],
    );
    run.exits(4);
    assert!(
        run.row("b0.ptx")
            .join(" ")
            .contains("the kernel has not ended after 1 s")
    );
    assert!(run.row("b1.ptx").join(" ").contains("not run"));
    assert!(
        run.log_lines("end of context").is_empty(),
        "that would wait for ever"
    );
    assert!(run.log_lines("misuse").is_empty());
}

#[test]
fn modules_that_the_driver_refuses() {
    driver!(driver);
    let run = time(&driver, "copy", &["jit", "copy"]);
    run.exits(4);
    run.prints("failed: the driver does not load the module: cuModuleLoadDataEx");
    run.prints("line 7; error : fake error");
    assert_eq!(run.row("b1.ptx").last().unwrap(), "equal");
    run.clean();
    let run = time(&driver, "jit", &["copy"]);
    run.exits(3);
    run.complains("line 7; error : fake error");
    run.clean();
}

/// The driver is older than the PTX: `ptxas` takes its place, or the message says that it can't.
#[test]
fn a_driver_older_than_the_text() {
    driver!(driver);
    let run = time_with(
        &driver,
        "newer",
        &["newer"],
        LAUNCH,
        &["--compiler", "driver"],
    );
    run.exits(3);
    run.complains("CUDA_ERROR_UNSUPPORTED_PTX_VERSION");
    let nowhere = driver.with("PTXASW_PTXAS", "/no/such/ptxas");
    let run = time(&nowhere, "newer", &["newer"]);
    run.exits(3);
    run.complains("CUDA_ERROR_UNSUPPORTED_PTX_VERSION");
    run.complains("`ptxas` instead: ");
    if !driver::ptxas() {
        return;
    }
    for compiler in ["auto", "ptxas"] {
        let run = time_with(
            &driver,
            "newer",
            &["newer"],
            LAUNCH,
            &["--compiler", compiler],
        );
        run.exits(0);
        assert_eq!(run.log_lines("load machine code").len(), 2);
        run.prints("machine code by ptxas");
        run.clean();
    }
}

#[test]
fn launches_that_do_not_fit() {
    driver!(driver);
    for (launch, message) in [
        (
            "grid=1 block=512 args=f32[9],f32[9],9",
            "a block of 512 threads does not fit: the kernel, with 24 registers per thread, allows 1 to 256",
        ),
        (
            "grid=1 block=32 shared=49152 args=f32[9],f32[9],9",
            "it needs 50176 bytes of shared memory, and the device has 49152",
        ),
        (
            "grid=1 block=32 args=f32[9],9",
            "the kernel k has 3 parameters, and the launch gives 2",
        ),
        (
            "other grid=1 block=32 args=f32[9],f32[9],9",
            "the module has no kernel `other`",
        ),
    ] {
        let run = time_with(&driver, "copy", &["copy"], launch, &[]);
        run.exits(3);
        run.complains(message);
        run.clean();
    }
    let run = time(&driver, "copy", &["copy\n// fake: resources"]);
    run.exits(4);
    run.prints("too many resources requested for launch");
    run.clean();
}

#[test]
fn buffers_that_do_not_fit() {
    driver!(driver);
    let driver = driver.set("FAKE_MEMORY", "1000");
    let launch = "grid=2 block=64 args=f32[200],f32[200]:uninit,200";
    let run = time_with(&driver, "copy", &["copy"], launch, &[]);
    run.exits(3);
    run.complains("the buffers need 1.6 KiB, and the device has 1000 bytes free");
    run.clean();
}

#[test]
fn no_driver_and_no_device() {
    driver!(driver);
    let broken = driver.without_library();
    let run = time(&broken, "copy", &["copy"]);
    run.exits(3);
    assert_eq!(
        run.stderr,
        "ptxasw: no GPU: libcuda.so.1 could not be loaded\n"
    );
    assert_eq!(run.stdout, "");
    let empty = driver.with_empty_library();
    let run = time(&empty, "copy", &["copy"]);
    run.exits(3);
    assert_eq!(
        run.stderr,
        "ptxasw: no GPU: libcuda.so.1 is too old: it has no cuInit\n"
    );
    for (variable, value, message) in [
        ("FAKE_DEVICES", "0", "no GPU: the driver finds no device"),
        (
            "FAKE_VERSION",
            "10020",
            "no GPU: the driver supports CUDA 10.2, and 11.0 is the least",
        ),
    ] {
        let run = time(&driver.with(variable, value), "copy", &["copy"]);
        run.exits(3);
        assert_eq!(run.stderr, format!("ptxasw: {message}\n"));
    }
    let run = time_with(&driver, "copy", &["copy"], LAUNCH, &["--device", "1"]);
    run.exits(3);
    run.complains("no GPU: there is no device 1, only 1, counted from 0");
}
