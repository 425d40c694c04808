//! What `ptxas -v` reports about each kernel.

/// Resources of one kernel, as `ptxas -v` prints them.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct KernelUsage {
    /// Name of the entry function.
    pub name: String,
    /// Registers of each thread.
    pub registers: u32,
    /// Bytes of the stack frame of each thread.
    pub stack: u32,
    /// Bytes that spilling stores.
    pub spill_stores: u32,
    /// Bytes that spilling loads.
    pub spill_loads: u32,
    /// Bytes of static shared memory.
    pub shared: u32,
}

/// Reads the report of `ptxas -v`. Functions other than entries have no
/// register line of their own and are left out.
pub(super) fn parse(log: &str) -> Vec<KernelUsage> {
    let mut kernels: Vec<KernelUsage> = Vec::new();
    // Frame and spill figures follow a header that names their function.
    let mut properties_of = "";
    for line in log.lines() {
        if let Some((_, rest)) = line.split_once("Compiling entry function '") {
            kernels.push(KernelUsage {
                name: rest.split('\'').next().unwrap_or_default().to_owned(),
                ..KernelUsage::default()
            });
        } else if let Some((_, name)) = line.split_once("Function properties for ") {
            properties_of = name.trim();
        } else if let Some(kernel) = kernels.last_mut() {
            let before = |unit: &str| number_before(line, unit);
            if let Some(registers) = before(" registers") {
                kernel.registers = registers;
                kernel.shared = before(" bytes smem").unwrap_or(0);
            } else if kernel.name == properties_of
                && let Some(stack) = before(" bytes stack frame")
            {
                kernel.stack = stack;
                kernel.spill_stores = before(" bytes spill stores").unwrap_or(0);
                kernel.spill_loads = before(" bytes spill loads").unwrap_or(0);
            }
        }
    }
    kernels
}

/// The number in front of `unit`.
fn number_before(line: &str, unit: &str) -> Option<u32> {
    let (before, _) = line.split_once(unit)?;
    before.rsplit([' ', ',']).next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_read_and_functions_left_out() {
        let log = "\
ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function 'k2' for 'sm_80'
ptxas info    : Function properties for k2
    16 bytes stack frame, 8 bytes spill stores, 4 bytes spill loads
ptxas info    : Used 10 registers, used 1 barriers, 512 bytes smem, 360 bytes cmem[0]
ptxas info    : Compile time = 1.916 ms
ptxas info    : Compiling entry function 'k1' for 'sm_80'
ptxas info    : Function properties for k1
    32 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 21 registers, used 0 barriers, 360 bytes cmem[0], 8 bytes cmem[2]
ptxas info    : Function properties for f
    64 bytes stack frame, 1 bytes spill stores, 1 bytes spill loads
";
        let k2 = KernelUsage {
            name: "k2".into(),
            registers: 10,
            stack: 16,
            spill_stores: 8,
            spill_loads: 4,
            shared: 512,
        };
        let k1 = KernelUsage {
            name: "k1".into(),
            registers: 21,
            stack: 32,
            ..KernelUsage::default()
        };
        assert_eq!(parse(log), [k2, k1]);
        assert_eq!(parse(""), []);
    }
}
