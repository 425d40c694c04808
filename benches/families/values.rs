//! Indices that are made of many operations.

use super::module;
use std::fmt::Write;

/// Two neighbours at index `%r6`.
pub const PAIR: &str = "\tmul.wide.s32 \t%rd20, %r6, 4;\n\tadd.s64 \t%rd20, %rd1, %rd20;\n\
    \tld.global.nc.f32 \t%f10, [%rd20];\n\tld.global.nc.f32 \t%f11, [%rd20+4];\n\tfma.rn.f32 \t%f1, %f10, %f11, %f1;\n";

/// An index that adds up values of unknown origin, with a load at each partial sum.
pub fn sums(count: usize) -> String {
    let mut body = String::from("\tmov.u32 \t%r6, %r1;\n");
    for summand in 0..count {
        let (r, rd, f) = (summand + 10, summand + 20, summand + 10);
        let _ = write!(
            body,
            "\tld.global.nc.u32 \t%r{r}, [%rd9+{}];\n\tadd.s32 \t%r6, %r6, %r{r};\n\tmul.wide.s32 \t%rd{rd}, %r6, 4;\n\
             \tadd.s64 \t%rd{rd}, %rd1, %rd{rd};\n\tld.global.nc.f32 \t%f{f}, [%rd{rd}];\n\tadd.f32 \t%f1, %f1, %f{f};\n",
            400 * summand
        );
    }
    module(&body)
}

/// An index in `%r6`, which each step changes, and a pair of loads there.
fn chain(count: usize, step: impl Fn(usize, &mut String)) -> String {
    let mut body = String::from("\tmov.u32 \t%r6, %r1;\n");
    for number in 0..count {
        step(number, &mut body);
    }
    body.push_str(PAIR);
    module(&body)
}

/// `i ^= n + k`.
pub fn exclusive_ors(count: usize) -> String {
    chain(count, |number, body| {
        let r = number + 10;
        let _ = write!(
            body,
            "\tadd.s32 \t%r{r}, %r2, {};\n\txor.b32 \t%r6, %r6, %r{r};\n",
            7 * number + 1
        );
    })
}

/// `i ^= i << 13; i ^= i >> 17; i ^= i << 5`.
pub fn rounds(count: usize) -> String {
    chain(count, |_, body| {
        for (shift, bits) in [("shl.b32", 13), ("shr.u32", 17), ("shl.b32", 5)] {
            let _ = write!(
                body,
                "\t{shift} \t%r7, %r6, {bits};\n\txor.b32 \t%r6, %r6, %r7;\n"
            );
        }
    })
}

/// Look-ups of a table of 256 words at the upper byte of what unrolled ciphers and hashes make of an index. Two of these agree in
/// one thread by chance.
pub fn tables(count: usize) -> String {
    tables_of(8, count)
}

/// Look-ups of a table of `2^bits` words at the upper bits of `x = rotate(x, 7) ^ (x + k)`.
pub fn tables_of(bits: u32, count: usize) -> String {
    let low = 32 - bits;
    let mut body = String::from("\tmov.u32 \t%r6, %r1;\n");
    for number in 0..count {
        let (rd, f) = (number + 20, number + 10);
        let _ = write!(
            body,
            "\tshf.l.wrap.b32 \t%r7, %r6, %r6, 7;\n\tadd.s32 \t%r8, %r6, {};\n\txor.b32 \t%r6, %r7, %r8;\n\tshr.u32 \t%r9, %r6, {low};\n\
             \tmul.wide.u32 \t%rd{rd}, %r9, 4;\n\tadd.s64 \t%rd{rd}, %rd1, %rd{rd};\n\tld.global.nc.f32 \t%f{f}, [%rd{rd}];\n\
             \tadd.f32 \t%f1, %f1, %f{f};\n",
            0x9e37_79b9usize.wrapping_mul(number + 1) & 0x7fff_ffff
        );
    }
    module(&body)
}

/// Funnel shifts of the index and `n`.
pub fn funnels(count: usize) -> String {
    chain(count, |_, body| {
        body.push_str("\tshf.l.wrap.b32 \t%r6, %r6, %r2, 5;\n");
    })
}

/// `i = i < k ? i : i + 1` for bounds that are hardly ever reached.
pub fn choices(count: usize) -> String {
    chain(count, |number, body| {
        let bound = i32::MAX as usize - 40 * number;
        let _ = write!(
            body,
            "\tsetp.lt.s32 \t%q0, %r6, {bound};\n\tadd.s32 \t%r7, %r6, 1;\n\tselp.b32 \t%r6, %r6, %r7, %q0;\n"
        );
    })
}

/// `i = min(i, n + k)`.
pub fn minima(count: usize) -> String {
    chain(count, |number, body| {
        let _ = write!(
            body,
            "\tadd.s32 \t%r7, %r2, {number};\n\tmin.s32 \t%r6, %r6, %r7;\n"
        );
    })
}
