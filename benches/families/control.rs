//! Many blocks.

use super::module;
use std::fmt::Write;

/// `if (i + k >= n) return;` in front of a pair of loads, again and again.
pub fn guards(count: usize) -> String {
    let mut body = String::new();
    for guard in 0..count {
        let (r, f, offset) = (guard + 10, 2 * guard + 10, 400 * guard);
        let (g, next) = (f + 1, offset + 4);
        let _ = write!(
            body,
            "\tadd.s32 \t%r{r}, %r1, {guard};\n\tsetp.ge.s32 \t%q{guard}, %r{r}, %r2;\n\t@%q{guard} bra \t$L__end;\n\
             \tld.global.f32 \t%f{f}, [%rd8+{offset}];\n\tld.global.f32 \t%f{g}, [%rd8+{next}];\n\
             \tfma.rn.f32 \t%f1, %f{f}, %f{g}, %f1;\n"
        );
    }
    module(&body)
}

/// `if (i < k) x += a[i + k] + a[i + k + 1]`: two blocks each.
pub fn ifs(count: usize) -> String {
    let mut body = String::new();
    for branch in 0..count / 2 {
        let (f, offset) = (2 * branch + 10, 400 * branch);
        let (g, next) = (f + 1, offset + 4);
        let _ = write!(
            body,
            "\tsetp.ge.s32 \t%q{branch}, %r1, {branch};\n\t@%q{branch} bra \t$L__join{branch};\n\
             \tld.global.f32 \t%f{f}, [%rd8+{offset}];\n\tld.global.f32 \t%f{g}, [%rd8+{next}];\n\
             \tfma.rn.f32 \t%f1, %f{f}, %f{g}, %f1;\n$L__join{branch}:\n"
        );
    }
    module(&body)
}

/// `for (k = 0; k < n; k++) x += a[i + k] + a[i + k + 1]`, again and again.
pub fn loops(count: usize) -> String {
    let mut body = String::new();
    for number in 0..count {
        let (counter, pointer, f) = (number + 10, number + 20, 2 * number + 10);
        let g = f + 1;
        let _ = write!(
            body,
            "\tmov.u32 \t%r{counter}, 0;\n\tmov.u64 \t%rd{pointer}, %rd8;\n$L__loop{number}:\n\
             \tld.global.nc.f32 \t%f{f}, [%rd{pointer}];\n\tld.global.nc.f32 \t%f{g}, [%rd{pointer}+4];\n\
             \tfma.rn.f32 \t%f1, %f{f}, %f{g}, %f1;\n\tadd.s64 \t%rd{pointer}, %rd{pointer}, 400;\n\
             \tadd.s32 \t%r{counter}, %r{counter}, 1;\n\tsetp.lt.s32 \t%q{number}, %r{counter}, %r2;\n\
             \t@%q{number} bra \t$L__loop{number};\n"
        );
    }
    module(&body)
}

/// `for (k0...) for (k1...) ... x += a[i + k0 + k1 ...] + ...`.
pub fn nest(depth: usize) -> String {
    let mut body = String::from("\tmov.u64 \t%rd20, %rd8;\n");
    for level in 0..depth {
        let counter = level + 10;
        let _ = write!(body, "\tmov.u32 \t%r{counter}, 0;\n$L__loop{level}:\n");
    }
    body.push_str(
        "\tld.global.nc.f32 \t%f10, [%rd20];\n\tld.global.nc.f32 \t%f11, [%rd20+4];\n\tfma.rn.f32 \t%f1, %f10, %f11, %f1;\n",
    );
    for level in (0..depth).rev() {
        let counter = level + 10;
        let _ = write!(
            body,
            "\tadd.s64 \t%rd20, %rd20, 4;\n\tadd.s32 \t%r{counter}, %r{counter}, 1;\n\
             \tsetp.lt.s32 \t%q{level}, %r{counter}, %r2;\n\t@%q{level} bra \t$L__loop{level};\n"
        );
    }
    module(&body)
}

/// A jump by a table, and a pair of loads on each way.
pub fn ways(count: usize) -> String {
    let targets: Vec<String> = (0..count).map(|way| format!("$L__way{way}")).collect();
    let mut body = format!(
        "$L__table:\n\t.branchtargets {};\n\tand.b32 \t%r6, %r2, 255;\n\tbrx.idx.uni \t%r6, $L__table;\n",
        targets.join(", ")
    );
    for way in 0..count {
        let (f, offset) = (2 * way + 10, 400 * way);
        let _ = write!(
            body,
            "$L__way{way}:\n\tld.global.f32 \t%f{f}, [%rd8+{offset}];\n\tld.global.f32 \t%f{}, [%rd8+{}];\n\
             \tfma.rn.f32 \t%f1, %f{f}, %f{0}, %f1;\n\tbra.uni \t$L__joined;\n",
            f + 1,
            offset + 4
        );
    }
    body.push_str("$L__joined:\n");
    module(&body)
}
