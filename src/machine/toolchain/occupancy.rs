//! How many warps a multiprocessor holds, as far as registers decide (CUDA C++ Programming Guide, "Technical
//! Specifications per Compute Capability").

/// 32-bit registers of a multiprocessor, since sm_50 with the exception of sm_37.
const REGISTERS: u32 = 65_536;
/// Registers of a warp are handed out in pieces of this many.
const PIECE: u32 = 256;
/// Warps go to the four schedulers in turn.
const SCHEDULERS: u32 = 4;
/// Threads of a warp.
pub const WARP: u32 = 32;
/// Threads of the largest block.
pub const BLOCK: u32 = 1024;

/// Most warps on one multiprocessor.
fn most_warps(target: u32) -> u32 {
    match target {
        75 => 32,
        86..=89 | 120..=129 => 48,
        _ => 64,
    }
}

/// Registers that one block may have; fewer than the multiprocessor has on Tegra's GPUs.
fn of_block(target: u32) -> u32 {
    match target {
        53 | 62 => REGISTERS / 2,
        _ => REGISTERS,
    }
}

/// Warps that find room in so many registers.
fn fitting(available: u32, registers: u32) -> u32 {
    // No thread has more than 255; a damaged file may hold anything.
    let of_warp = (registers.clamp(1, PIECE) * WARP).next_multiple_of(PIECE);
    available / of_warp / SCHEDULERS * SCHEDULERS
}

/// Warps of the largest block that can be launched if each thread has so many registers. A launch with more fails.
pub fn block_warps(target: u32, registers: u32) -> u32 {
    fitting(of_block(target), registers).min(BLOCK / WARP)
}

/// Warps on one multiprocessor if each thread has so many registers and nothing else is short: the occupancy class.
pub fn warps(target: u32, registers: u32) -> u32 {
    fitting(REGISTERS, registers).min(most_warps(target))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Figures of NVIDIA's occupancy calculator.
    #[test]
    fn registers_limit_the_warps() {
        assert_eq!(
            [32, 33, 40, 48, 64, 65, 128, 255].map(|n| warps(80, n)),
            [64, 48, 48, 40, 32, 28, 16, 8]
        );
        assert_eq!([32, 40, 41, 64].map(|n| warps(86, n)), [48, 48, 40, 32]);
        assert_eq!([32, 64, 65].map(|n| warps(75, n)), [32, 32, 28]);
        assert_eq!([32, 64, 65].map(|n| block_warps(80, n)), [32, 32, 28]);
        assert_eq!([32, 33, 64].map(|n| block_warps(62, n)), [32, 24, 16]);
    }
}
