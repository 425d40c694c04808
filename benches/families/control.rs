//! Many blocks.

use super::{module, module_with};
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

/// As [`ifs`], but all of the same thirty words, one in front of the branch and one after it; x[i] is stored at the end.
pub fn ifs_of_few(count: usize) -> String {
    let mut body = String::new();
    for branch in 0..count / 2 {
        let (f, offset, other) = (2 * branch + 10, 4 * (branch % 30), 4 * (branch % 29));
        let g = f + 1;
        let _ = write!(
            body,
            "\tld.global.f32 \t%f{f}, [%rd8+{offset}];\n\tsetp.lt.f32 \t%q{branch}, %f{f}, %f1;\n\
             \t@%q{branch} bra \t$L__join{branch};\n\tld.global.f32 \t%f{g}, [%rd8+{other}];\n\
             \tadd.f32 \t%f1, %f1, %f{g};\n$L__join{branch}:\n"
        );
    }
    module(&body)
}

/// `if (i < k0) { x += ...; if (i < k1) { x += ...; ... } }`.
pub fn ladder(count: usize) -> String {
    let mut body = String::new();
    for rung in 0..count {
        body.push_str(&arm(rung, "$L__join"));
    }
    for rung in (0..count).rev() {
        let _ = write!(body, "$L__join{rung}:\n\tadd.f32 \t%f1, %f1, 0f3F000000;\n");
    }
    module(&body)
}

/// `if (i < k0) x += ...; else if (i < k1) x += ...; else ...`.
pub fn else_ifs(count: usize) -> String {
    let mut body = String::new();
    for rung in 0..count {
        body.push_str(&arm(rung, "$L__else"));
        let _ = write!(body, "\tbra.uni \t$L__joined;\n$L__else{rung}:\n");
    }
    body.push_str("$L__joined:\n");
    module(&body)
}

/// `if (i < k) x += a[i + k] + a[i + k + 1]`, which else goes on at a label with its number.
fn arm(rung: usize, label: &str) -> String {
    let (f, offset) = (2 * rung + 10, 400 * rung);
    let (g, next) = (f + 1, offset + 4);
    format!(
        "\tsetp.ge.s32 \t%q{rung}, %r1, {rung};\n\t@%q{rung} bra \t{label}{rung};\n\
         \tld.global.f32 \t%f{f}, [%rd8+{offset}];\n\tld.global.f32 \t%f{g}, [%rd8+{next}];\n\
         \tfma.rn.f32 \t%f1, %f{f}, %f{g}, %f1;\n"
    )
}

/// `for (k = 0; k < n; k++) x += a[i + k] + a[i + k + 1]`, again and again.
pub fn loops(count: usize) -> String {
    loops_to("%r2", count)
}

/// As [`loops`], as often as the thread's index says.
pub fn divergent_loops(count: usize) -> String {
    loops_to("%r1", count)
}

fn loops_to(bound: &str, count: usize) -> String {
    let mut body = String::new();
    for number in 0..count {
        let (counter, pointer, f) = (number + 10, number + 20, 2 * number + 10);
        let g = f + 1;
        let _ = write!(
            body,
            "\tmov.u32 \t%r{counter}, 0;\n\tmov.u64 \t%rd{pointer}, %rd8;\n$L__loop{number}:\n\
             \tld.global.nc.f32 \t%f{f}, [%rd{pointer}];\n\tld.global.nc.f32 \t%f{g}, [%rd{pointer}+4];\n\
             \tfma.rn.f32 \t%f1, %f{f}, %f{g}, %f1;\n\tadd.s64 \t%rd{pointer}, %rd{pointer}, 400;\n\
             \tadd.s32 \t%r{counter}, %r{counter}, 1;\n\tsetp.lt.s32 \t%q{number}, %r{counter}, {bound};\n\
             \t@%q{number} bra \t$L__loop{number};\n"
        );
    }
    module(&body)
}

/// `for (k0...) for (k1...) ... x += a[i + k0 + k1 ...] + ...`.
pub fn nest(depth: usize) -> String {
    nest_where(depth, |_| "%r2", "")
}

/// As [`nest`]; each loop has an exit edge that leaves all of them.
pub fn nest_with_exits(depth: usize) -> String {
    let out = "\tsetp.eq.s32 \t%p2, %r2, 7;\n\t@%p2 bra \t$L__out;\n";
    nest_where(depth, |_| "%r2", out)
}

/// As [`nest`]; the loop in the middle runs as often as the thread's index says.
pub fn divergent_nest(depth: usize) -> String {
    let middle = |level| match level == depth / 2 {
        true => "%r1",
        false => "%r2",
    };
    nest_where(depth, middle, "")
}

/// `last` ends the body of each loop.
fn nest_where(depth: usize, bound: impl Fn(usize) -> &'static str, last: &str) -> String {
    let mut body = String::from("\tmov.u64 \t%rd20, %rd8;\n");
    for level in 0..depth {
        let counter = level + 10;
        let _ = write!(body, "\tmov.u32 \t%r{counter}, 0;\n$L__loop{level}:\n");
    }
    body.push_str(
        "\tld.global.nc.f32 \t%f10, [%rd20];\n\tld.global.nc.f32 \t%f11, [%rd20+4];\n\tfma.rn.f32 \t%f1, %f10, %f11, %f1;\n",
    );
    for level in (0..depth).rev() {
        let (counter, bound) = (level + 10, bound(level));
        let _ = write!(
            body,
            "{last}\tadd.s64 \t%rd20, %rd20, 4;\n\tadd.s32 \t%r{counter}, %r{counter}, 1;\n\
             \tsetp.lt.s32 \t%q{level}, %r{counter}, {bound};\n\t@%q{level} bra \t$L__loop{level};\n"
        );
    }
    body.push_str("$L__out:\n");
    module(&body)
}

/// A jump by a table, and a pair of loads in each case.
pub fn switch_cases(count: usize) -> String {
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

/// A jump by a table at which lanes diverge; each case begins with a load, and falls through to the next one.
pub fn falling_cases(count: usize) -> String {
    let targets: Vec<String> = (0..count).map(|way| format!("$L__way{way}")).collect();
    let mut body = format!(
        "$L__table:\n\t.branchtargets {};\n\tand.b32 \t%r6, %r1, 255;\n\tbrx.idx \t%r6, $L__table;\n",
        targets.join(", ")
    );
    for way in 0..count {
        let (f, offset) = (way + 10, 4 * (way % 30));
        let _ = write!(
            body,
            "$L__way{way}:\n\tld.global.f32 \t%f{f}, [%rd8+{offset}];\n\tadd.f32 \t%f1, %f1, %f{f};\n"
        );
    }
    module(&body)
}

/// A load, a loop that waits for another thread, and a load of the neighbour's bytes, again and again.
pub fn spins(count: usize) -> String {
    let mut body = String::new();
    for number in 0..count {
        let (r, f, offset) = (number + 10, 2 * number + 10, 400 * number);
        let (g, next, flag) = (f + 1, offset + 4, 4 * number);
        let _ = write!(
            body,
            "\tld.global.nc.f32 \t%f{f}, [%rd8+{offset}];\n$L__spin{number}:\n\
             \tld.volatile.global.u32 \t%r{r}, [%rd2+{flag}];\n\tsetp.eq.s32 \t%q{number}, %r{r}, 0;\n\
             \t@%q{number} bra \t$L__spin{number};\n\tld.global.nc.f32 \t%f{g}, [%rd8+{next}];\n\
             \tfma.rn.f32 \t%f1, %f{f}, %f{g}, %f1;\n"
        );
    }
    module(&body)
}

/// A device function that reads two neighbours.
const FUNCTION: &str = ".func (.param .f32 sum) pair(.param .b64 pointer)\n{\n\t.reg .b64 \t%rd<4>;\n\t.reg .f32 \t%f<4>;\n\
    \tld.param.u64 \t%rd1, [pointer];\n\tld.global.f32 \t%f1, [%rd1];\n\tld.global.f32 \t%f2, [%rd1+4];\n\
    \tadd.f32 \t%f3, %f1, %f2;\n\tst.param.f32 \t[sum], %f3;\n\tret;\n}\n";

/// Calls of one function, each with an address of its own.
pub fn calls(count: usize) -> String {
    let mut body = String::new();
    for call in 0..count {
        let (rd, f, offset) = (call + 20, call + 10, 400 * call);
        let _ = write!(
            body,
            "\tadd.s64 \t%rd{rd}, %rd8, {offset};\n\t{{\n\t.param .b64 pointer;\n\tst.param.b64 \t[pointer], %rd{rd};\n\
             \t.param .f32 sum;\n\tcall.uni \t(sum), pair, (pointer);\n\tld.param.f32 \t%f{f}, [sum];\n\t}}\n\
             \tadd.f32 \t%f1, %f1, %f{f};\n"
        );
    }
    module_with(FUNCTION, &body)
}
