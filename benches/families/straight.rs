//! One block, and many of one thing in it.

use super::{module, module_of_parameters};
use std::fmt::Write;

/// Rows of five loads, each with its address and a sum: eight instructions a row.
pub fn stencil(instructions: usize) -> String {
    let mut body = String::new();
    for row in 0..instructions / 13 {
        let (r, rd, f) = (row + 10, row + 20, 5 * row + 10);
        let _ = write!(
            body,
            "\tmad.lo.s32 \t%r{r}, %r2, {row}, %r1;\n\tmul.wide.s32 \t%rd{rd}, %r{r}, 4;\n\tadd.s64 \t%rd{rd}, %rd1, %rd{rd};\n"
        );
        for column in 0..5 {
            let offset = 4 * column as i32 - 8;
            let f = f + column;
            let _ = write!(
                body,
                "\tld.global.nc.f32 \t%f{f}, [%rd{rd}+{offset}];\n\tfma.rn.f32 \t%f1, %f{f}, 0f3F000000, %f1;\n"
            );
        }
    }
    module(&body)
}

/// Rows of three loads in each of 64 arrays, which start at some distance from what the pointer leads to.
pub fn arrays(count: usize) -> String {
    let mut body = String::new();
    for array in 0..64 {
        let _ = write!(
            body,
            "\tld.global.nc.u64 \t%rd{0}, [%rd2+{1}];\n\tadd.s64 \t%rd{0}, %rd{0}, %rd8;\n",
            array + 20,
            8 * array
        );
    }
    for load in 0..count {
        let (row, array) = (load / 3, load / 3 % 64);
        let _ = write!(
            body,
            "\tld.global.nc.f32 \t%f{f}, [%rd{rd}+{offset}];\n\tadd.f32 \t%f1, %f1, %f{f};\n",
            f = load + 10,
            rd = array + 20,
            offset = 4 * (load % 3) + 400 * (row / 64)
        );
    }
    module(&body)
}

/// One block of loads without `.nc`; each third reads what the one before it brought to the neighbour.
pub fn loads(count: usize) -> String {
    let mut body = String::new();
    for load in 0..count {
        let offset = 4 * (load % 3) + 400 * (load / 3);
        let _ = write!(
            body,
            "\tld.global.f32 \t%f{0}, [%rd8+{offset}];\n\tadd.f32 \t%f1, %f1, %f{0};\n",
            load + 10
        );
    }
    module(&body)
}

/// Pairs of loads with a store between that touches other bytes of the same array.
pub fn stores(count: usize) -> String {
    let mut body = String::new();
    for store in 0..count {
        let (a, b, offset) = (2 * store + 10, 2 * store + 11, 400 * store);
        let (next, beside) = (offset + 4, offset + 200);
        let _ = write!(
            body,
            "\tld.global.f32 \t%f{a}, [%rd9+{offset}];\n\tst.global.f32 \t[%rd9+{beside}], %f{a};\n\
             \tld.global.f32 \t%f{b}, [%rd9+{next}];\n\tadd.f32 \t%f1, %f1, %f{b};\n"
        );
    }
    module(&body)
}

/// A pair of loads with all stores between, to other bytes.
pub fn between(count: usize) -> String {
    let mut body = String::from("\tld.global.f32 \t%f10, [%rd9];\n");
    for store in 0..count {
        let _ = writeln!(body, "\tst.global.f32 \t[%rd9+{}], %f10;", 400 + 4 * store);
    }
    body.push_str("\tld.global.f32 \t%f11, [%rd9+4];\n\tadd.f32 \t%f1, %f10, %f11;\n");
    module(&body)
}

/// Loads of one address, each followed by a store that may write there.
pub fn again(count: usize) -> String {
    let mut body = String::new();
    for load in 0..count {
        let f = load + 10;
        let _ = write!(
            body,
            "\tld.global.f32 \t%f{f}, [%rd8+4];\n\tst.global.f32 \t[%rd9], %f{f};\n"
        );
    }
    module(&body)
}

/// A pair of loads and a store for each of many arrays, whose pointers are parameters.
pub fn pointers(count: usize) -> String {
    let (mut parameters, mut body) = (String::new(), String::new());
    for array in 0..count {
        let (rd, f) = (2 * array + 20, 2 * array + 10);
        let (address, g) = (rd + 1, f + 1);
        let _ = write!(parameters, ",\n\t.param .u64 k_pointer_{array}");
        let _ = write!(
            body,
            "\tld.param.u64 \t%rd{rd}, [k_pointer_{array}];\n\tcvta.to.global.u64 \t%rd{rd}, %rd{rd};\n\
             \tadd.s64 \t%rd{address}, %rd{rd}, %rd7;\n\
             \tld.global.f32 \t%f{f}, [%rd{address}];\n\tld.global.f32 \t%f{g}, [%rd{address}+4];\n\
             \tfma.rn.f32 \t%f1, %f{f}, %f{g}, %f1;\n\tst.global.f32 \t[%rd{address}+400], %f1;\n"
        );
    }
    module_of_parameters(&parameters, &body)
}

/// `if (i < k) x += a[i + k]`, all in one block.
pub fn predicated(count: usize) -> String {
    let mut body = String::new();
    for load in 0..count {
        let (f, bound, offset) = (load + 10, load + 100, 4 * load);
        let _ = write!(
            body,
            "\tsetp.lt.s32 \t%q{load}, %r1, {bound};\n\t@%q{load} ld.global.nc.f32 \t%f{f}, [%rd8+{offset}];\n\
             \t@%q{load} add.f32 \t%f1, %f1, %f{f};\n"
        );
    }
    module(&body)
}

/// Pairs of loads with a barrier of the warp between.
pub fn barriers(count: usize) -> String {
    let mut body = String::new();
    for barrier in 0..count {
        let (f, g, offset) = (2 * barrier + 10, 2 * barrier + 11, 400 * barrier);
        let next = offset + 4;
        let _ = write!(
            body,
            "\tld.global.nc.f32 \t%f{f}, [%rd8+{offset}];\n\tbar.warp.sync \t-1;\n\
             \tld.global.nc.f32 \t%f{g}, [%rd8+{next}];\n\tfma.rn.f32 \t%f1, %f{f}, %f{g}, %f1;\n"
        );
    }
    module(&body)
}

/// Registers that are all written before the first is read.
pub fn registers(count: usize) -> String {
    let mut body = String::new();
    for number in 0..count {
        let _ = writeln!(
            body,
            "\tmad.lo.s32 \t%r{}, %r1, {}, %r2;",
            number + 10,
            number + 2
        );
    }
    body.push_str("\tmov.u32 \t%r6, %r1;\n");
    for number in 0..count {
        let _ = writeln!(body, "\tadd.s32 \t%r6, %r6, %r{};", number + 10);
    }
    body.push_str(super::values::PAIR);
    module(&body)
}
