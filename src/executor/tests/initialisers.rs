//! Initial values of module variables.

use super::*;

/// The words that a kernel reads at `symbol` of a module with these variables.
fn words_at(variables: &str, space: &str, symbol: &str, count: u32) -> Vec<u32> {
    let body = format!(
        "mov.u64 %rd5, {symbol}; mul.wide.u32 %rd6, %r4, 4; add.u64 %rd5, %rd5, %rd6; ld.{space}.u32 %r5, [%rd5];
         st.global.u32 [%rd2], %r5;"
    );
    let kernel = kernel(&body);
    let at = kernel.find(".visible").unwrap();
    let text = format!("{}{variables}\n{}", &kernel[..at], &kernel[at..]);
    let launch = words(1, count, u64::from(count));
    match execute(&text, &launch, Schedule::Lockstep) {
        Ok(outcome) => contents(&outcome),
        Err(error) => panic!("{error} at {}", blamed(&text, &error)),
    }
}

#[test]
fn numbers() {
    let one = 1f32.to_bits();
    assert_eq!(
        words_at(
            ".const .align 4 .b32 t[3] = {1, -1, 0x10};",
            "const",
            "t",
            3
        ),
        [1, u32::MAX, 16]
    );
    assert_eq!(
        words_at(".global .f32 t[2] = {0f3F800000, 1.0};", "global", "t", 2),
        [one, one]
    );
    assert_eq!(
        words_at(".global .f64 t = 0d3FF0000000000000;", "global", "t", 2),
        [0, 0x3ff0_0000]
    );
    assert_eq!(
        words_at(".global .f64 t = 1.0;", "global", "t", 2),
        [0, 0x3ff0_0000]
    );
    assert_eq!(
        words_at(
            ".global .align 4 .b8 t[8] = {1, 2, 255, 0, 9};",
            "global",
            "t",
            2
        ),
        [0x00ff_0201, 9]
    );
    assert_eq!(
        words_at(
            ".global .align 4 .u16 t[2] = {0xabcd, -2};",
            "global",
            "t",
            1
        ),
        [0xfffe_abcd]
    );
    assert_eq!(
        words_at(".global .u64 t[1] = {0x123456789};", "global", "t", 2),
        [0x2345_6789, 1]
    );
    assert_eq!(words_at(".global .u32 t = 7;", "global", "t", 1), [7]);
    assert_eq!(
        words_at(".global .u32 t[] = {7, 8};", "global", "t", 2),
        [7, 8]
    );
}

#[test]
fn nested_and_partial_lists() {
    let expected = [1, 0, 0, 2, 3, 0];
    assert_eq!(
        words_at(".global .u32 t[2][3] = {{1}, {2, 3}};", "global", "t", 6),
        expected
    );
    assert_eq!(
        words_at(".global .u32 t[2][2] = {{1, 2}};", "global", "t", 4),
        [1, 2, 0, 0]
    );
    assert_eq!(
        words_at(
            ".global .v2 .u32 t[2] = {{1, 2}, {3, 4}};",
            "global",
            "t",
            4
        ),
        [1, 2, 3, 4]
    );
    assert_eq!(
        words_at(".global .v4 .u32 t = {1, 2, 3, 4};", "global", "t", 4),
        [1, 2, 3, 4]
    );
    assert_eq!(words_at(".global .u32 t[4];", "global", "t", 4), [0; 4]);
}

/// A kernel that reads through the pointer at `table` + `offset`.
fn through(variables: &str, table: &str, offset: u32) -> Vec<u32> {
    let body = format!(
        "mov.u64 %rd5, {table}; ld.global.u64 %rd6, [%rd5+{offset}]; ld.u32 %r5, [%rd6]; st.global.u32 [%rd2], %r5;"
    );
    let kernel = kernel(&body);
    let at = kernel.find(".visible").unwrap();
    let text = format!("{}{variables}\n{}", &kernel[..at], &kernel[at..]);
    contents(&execute(&text, &words(1, 1, 1), Schedule::Lockstep).unwrap())
}

#[test]
fn addresses() {
    let variables =
        ".global .u32 x[2] = {5, 6}; .global .u64 t[4] = {x, x+4, generic(x), generic(x)+4};";
    for (offset, expected) in [(0, 5), (8, 6), (16, 5), (24, 6)] {
        assert_eq!(through(variables, "t", offset), [expected]);
    }
    // A variable that is declared before it is defined.
    let variables = ".extern .global .u32 y; .global .u64 t[1] = {generic(y)}; .global .u32 y = 9;";
    assert_eq!(through(variables, "t", 0), [9]);
    // The address of a variable in shared memory is not its generic address.
    let variables = ".shared .u32 s[4]; .global .u64 t[2] = {s, generic(s)};";
    let words = words_at(variables, "global", "t", 4);
    assert_eq!(words[0], words[2]);
    assert_eq!((words[1], words[3]), (0, 0x6f00));
}

#[test]
fn bytes_of_addresses() {
    let masks: Vec<String> = (0..8)
        .map(|i| format!("{:#x}(x)", 0xffu64 << (8 * i)))
        .collect();
    let variables = format!(
        ".global .u32 x = 11; .global .align 8 .u8 t[8] = {{{}}};",
        masks.join(", ")
    );
    assert_eq!(through(&variables, "t", 0), [11]);
}

#[test]
fn tables_of_functions() {
    let module = kernel(
        "mov.u64 %rd5, t; mul.wide.u32 %rd6, %r4, 8; add.u64 %rd5, %rd5, %rd6; ld.global.u64 %rd7, [%rd5];
         call (%r5), %rd7, (%r4); st.global.u32 [%rd2], %r5;",
    );
    let functions = ".func (.reg .u32 %o) f(.reg .u32 %i); .global .u64 t[2] = {f, g};
        .func (.reg .u32 %o) f(.reg .u32 %i) { add.u32 %o, %i, 10; ret; }
        .func (.reg .u32 %o) g(.reg .u32 %i) { add.u32 %o, %i, 20; ret; }";
    let at = module.find(".visible").unwrap();
    let text = format!("{}{functions}\n{}", &module[..at], &module[at..]);
    let outcome = execute(&text, &words(1, 2, 2), Schedule::Lockstep).unwrap();
    assert_eq!(contents(&outcome), [10, 21]);
}

#[test]
fn what_is_not_understood_is_refused_when_used() {
    let module = |variables: &str, used: &str| {
        let kernel = kernel(&format!("mov.u64 %rd5, {used}; st.global.u32 [%rd2], 1;"));
        let at = kernel.find(".visible").unwrap();
        format!("{}{variables}\n{}", &kernel[..at], &kernel[at..])
    };
    for variables in [
        ".global .u32 t[2] = {1, 2, 3};",
        ".global .u32 t[2] = {0f3F800000};",
        ".global .u32 t = nosuch;",
        ".global .b8 t[2] = {0xf0(t), 0};",
    ] {
        let text = module(variables, "t");
        let error = execute(&text, &words(1, 1, 1), Schedule::Lockstep).unwrap_err();
        assert_eq!(
            error.fault,
            Fault::NotSupported(
                "`mov.u64`: the address of variable `t`, whose initial value is not understood"
                    .into()
            ),
            "{variables}"
        );
        assert_eq!(blamed(&text, &error), "mov.u64 %rd5, t;");
        let unused = module(&format!("{variables} .global .u32 other;"), "other");
        assert!(execute(&unused, &words(1, 1, 1), Schedule::Lockstep).is_ok());
    }
    let text = module(".extern .global .u32 t[];", "t");
    let error = execute(&text, &words(1, 1, 1), Schedule::Lockstep).unwrap_err();
    let expected = "`mov.u64`: the address of variable `t`, which is defined elsewhere";
    assert_eq!(error.fault, Fault::NotSupported(expected.into()));
}
