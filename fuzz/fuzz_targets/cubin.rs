//! Any bytes are a cubin whose kernels are understood, or of which it is said why not: `cargo fuzz run cubin`.

#![no_main]

use libfuzzer_sys::fuzz_target;
use ptxasw::cost::sass;
use ptxasw::toolchain::cubin;

fuzz_target!(|bytes: &[u8]| {
    cubin::resources(bytes);
    let kernels = match sass::kernels(bytes) {
        Ok(kernels) => kernels,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    for kernel in kernels {
        assert!(kernel.resident_warps() <= 64);
        if let Ok(counts) = kernel.path_counts() {
            let total = counts.total;
            assert!(total.rounds <= total.instructions);
        }
        // Lines that are executed differently often, and lines that are not known.
        let count = |line: u32| (!line.is_multiple_of(5)).then_some(f64::from(line % 4));
        if let Ok(executed) = kernel.executed(count) {
            assert!(
                executed
                    .iter()
                    .all(|one| one.weight.is_finite() && one.weight >= 0.0)
            );
        }
    }
});
