//! Calls of device functions.

use super::*;

/// A module with device functions in front of the kernel that [`kernel`] makes of `body`.
fn with(functions: &str, body: &str) -> String {
    let kernel = kernel(body);
    let at = kernel.find(".visible").unwrap();
    format!("{}{functions}\n{}", &kernel[..at], &kernel[at..])
}

/// What the kernel leaves in a buffer of one word per thread, under both schedules.
fn called(functions: &str, body: &str, block: u32) -> Vec<u32> {
    let text = with(functions, body);
    let launch = words(1, block, u64::from(block));
    let lockstep = match execute(&text, &launch, Schedule::Lockstep) {
        Ok(outcome) => contents(&outcome),
        Err(error) => panic!("{error} at {}", blamed(&text, &error)),
    };
    for seed in 0..10 {
        let other = execute(&text, &launch, Schedule::Independent { seed }).unwrap();
        assert_eq!(lockstep, contents(&other), "seed {seed}");
    }
    lockstep
}

fn fault_in(functions: &str, body: &str) -> (Fault, String) {
    let text = with(functions, body);
    let error = execute(&text, &words(1, 32, 32), Schedule::Lockstep).unwrap_err();
    let blamed = blamed(&text, &error);
    (error.fault, blamed)
}

/// `r = a * 3 + 1`, by `.param`.
const TRIPLE: &str = ".func (.param .b32 r) triple(.param .b32 a)
    { .reg .b32 %r<4>; ld.param.u32 %r1, [a]; mad.lo.u32 %r2, %r1, 3, 1; st.param.b32 [r], %r2; ret; }";

/// The call sequence of `%r{to} = f(%r{from})`.
fn call_of(to: u32, f: &str, from: u32) -> String {
    format!(
        "{{ .param .b32 p; .param .b32 q; st.param.b32 [p], %r{from}; call.uni (q), {f}, (p); ld.param.b32 %r{to}, [q]; }}"
    )
}

#[test]
fn parameters_in_memory() {
    let body = format!("{} st.global.u32 [%rd2], %r5;", call_of(5, "triple", 4));
    let expected: Vec<u32> = (0..40).map(|t| 3 * t + 1).collect();
    assert_eq!(called(TRIPLE, &body, 40), expected);
}

#[test]
fn parameters_in_registers() {
    let f = ".func (.reg .u32 %out, .reg .u16 %low) f(.reg .u32 %in, .reg .f32 %x, .reg .u32 %i)
        { .reg .u32 %y; cvt.rzi.u32.f32 %y, %x; add.u32 %out, %in, %y; add.u32 %out, %out, %i; cvt.u16.u32 %low, %out; ret; }";
    let body = "cvt.rn.f32.u32 %f1, %r4; call (%r5, %h1), f, (%r4, %f1, 7); cvt.u32.u16 %r6, %h1;
        call (_, %h2), f, (%r6, %f1, 0); cvt.u32.u16 %r7, %h2; sub.u32 %r7, %r7, %r4; sub.u32 %r5, %r7, 0; st.global.u32 [%rd2], %r5;";
    let expected: Vec<u32> = (0..32).map(|t| 2 * t + 7).collect();
    assert_eq!(called(f, body, 32), expected);
}

#[test]
fn structs_and_narrow_values() {
    // Two bytes, a half, and a vector: by value in one parameter of sixteen bytes, returned with its parts exchanged.
    let f = ".func (.param .align 8 .b8 r[16]) swap(.param .align 8 .b8 s[16])
        { .reg .b16 %h<4>; .reg .b32 %x, %y; ld.param.u8 %h1, [s]; ld.param.s8 %h2, [s+1]; ld.param.v2.b32 {%x, %y}, [s+8];
          st.param.b8 [r], %h2; st.param.b8 [r+1], %h1; st.param.v2.b32 [r+8], {%y, %x}; ret; }";
    let body = "cvt.u16.u32 %h1, %r4; mov.u16 %h2, 200;
        { .param .align 8 .b8 p[16]; .param .align 8 .b8 q[16]; st.param.b8 [p], %h1; st.param.b8 [p+1], %h2;
          st.param.v2.b32 [p+8], {%r4, %r3}; call (q), swap, (p);
          ld.param.u8 %h3, [q]; ld.param.u8 %h4, [q+1]; ld.param.v2.b32 {%r5, %r6}, [q+8]; }
        cvt.u32.u16 %r7, %h3; cvt.u32.u16 %r8, %h4; mad.lo.u32 %r9, %r7, 1000, %r8; mad.lo.u32 %r9, %r5, 1000000, %r9;
        add.u32 %r9, %r9, %r6; st.global.u32 [%rd2], %r9;";
    // %ntid is 8, the byte 200 goes through as it is.
    let expected: Vec<u32> = (0..8).map(|t| 8_000_000 + 200_000 + 2 * t).collect();
    assert_eq!(called(f, body, 8), expected);
}

/// The factorial, by recursion; each activation keeps its argument in local memory of its own.
const FACTORIAL: &str = ".func (.param .b32 r) fact(.param .b32 a)
    { .reg .pred %p; .reg .b32 %r<9>; .local .align 4 .b8 mine[4]; ld.param.b32 %r1, [a]; st.local.b32 [mine], %r1;
      mov.u32 %r4, 1; setp.lt.u32 %p, %r1, 2; @%p bra END; sub.u32 %r2, %r1, 1;
      { .param .b32 p; .param .b32 q; st.param.b32 [p], %r2; call.uni (q), fact, (p); ld.param.b32 %r3, [q]; }
      ld.local.b32 %r5, [mine]; mul.lo.u32 %r4, %r3, %r5;
      END: st.param.b32 [r], %r4; ret; }";

#[test]
fn recursion() {
    let body = format!(
        "rem.u32 %r6, %r4, 10; {} st.global.u32 [%rd2], %r5;",
        call_of(5, "fact", 6)
    );
    let expected: Vec<u32> = (0..40u32).map(|t| (1..=t % 10).product()).collect();
    assert_eq!(called(FACTORIAL, &body, 40), expected);
}

#[test]
fn endless_recursion_ends() {
    let f = ".func f() { call f; ret; }";
    let (fault, text) = fault_in(f, "call f;");
    assert_eq!(
        (fault, text.as_str()),
        (Fault::CallDepth(MAX_CALL_DEPTH), "call f;")
    );
    let f = ".func f() { .local .b8 big[100000]; call f; ret; }";
    let (fault, _) = fault_in(f, "call f;");
    assert_eq!(fault, Fault::CallDepth(5));
}

#[test]
fn function_pointers() {
    let functions = format!(
        "{TRIPLE} .func (.param .b32 r) plain(.param .b32 a) {{ .reg .b32 %r; ld.param.b32 %r, [a]; st.param.b32 [r], %r; ret; }}"
    );
    let body = "and.b32 %r5, %r4, 1; setp.eq.u32 %p1, %r5, 0; mov.u64 %rd5, triple; mov.u64 %rd6, plain;
        selp.b64 %rd7, %rd5, %rd6, %p1;
        { .param .b32 p; .param .b32 q; P: .callprototype (.param .b32 _) _ (.param .b32 _); st.param.b32 [p], %r4;
          call (q), %rd7, (p), P; ld.param.b32 %r6, [q]; } activemask.b32 %r7; st.global.u32 [%rd2], %r6;";
    let expected: Vec<u32> = (0..40)
        .map(|t| if t % 2 == 0 { 3 * t + 1 } else { t })
        .collect();
    assert_eq!(called(&functions, body, 40), expected);
    let targets = body.replace(
        "P: .callprototype (.param .b32 _) _ (.param .b32 _)",
        "P: .calltargets triple, plain",
    );
    assert_eq!(called(&functions, &targets, 40), expected);
}

#[test]
fn lanes_that_called_different_functions_meet_again() {
    let functions = format!(
        "{TRIPLE} .func (.param .b32 r) plain(.param .b32 a) {{ .reg .b32 %r; ld.param.b32 %r, [a]; st.param.b32 [r], %r; ret; }}"
    );
    let text = with(
        &functions,
        "and.b32 %r5, %r4, 1; setp.eq.u32 %p1, %r5, 0; mov.u64 %rd5, triple; mov.u64 %rd6, plain;
        selp.b64 %rd7, %rd5, %rd6, %p1; { .param .b32 p; .param .b32 q; st.param.b32 [p], %r4; call (q), %rd7, (p); }
        activemask.b32 %r7; st.global.u32 [%rd2], %r7;",
    );
    let outcome = execute(&text, &words(1, 32, 32), Schedule::Lockstep).unwrap();
    assert_eq!(contents(&outcome), [u32::MAX; 32]);
}

#[test]
fn lanes_that_diverge_in_a_function_meet_in_it_or_after_it() {
    // Inside: both sides of a branch. After: some return early.
    let f = ".func (.param .b32 r) f(.param .b32 a)
        { .reg .pred %p<3>; .reg .b32 %r<9>; ld.param.b32 %r1, [a]; setp.lt.u32 %p1, %r1, 8; @%p1 bra A; mov.u32 %r2, 1; bra B;
          A: mov.u32 %r2, 2; B: activemask.b32 %r3; setp.lt.u32 %p2, %r1, 4; st.param.b32 [r], %r3; @%p2 ret;
          activemask.b32 %r3; st.param.b32 [r], %r3; ret; }";
    let text = with(
        f,
        &format!(
            "{} activemask.b32 %r6; xor.b32 %r6, %r6, %r5; st.global.u32 [%rd2], %r6;",
            call_of(5, "f", 4)
        ),
    );
    let outcome = execute(&text, &words(1, 32, 32), Schedule::Lockstep).unwrap();
    let expected: Vec<u32> = (0..32).map(|t| if t < 4 { 0 } else { 0xf }).collect();
    assert_eq!(contents(&outcome), expected);
}

#[test]
fn exit_in_a_function_ends_the_thread() {
    let f = ".func f(.param .b32 a) { .reg .pred %p; .reg .b32 %r; ld.param.b32 %r, [a]; setp.gt.u32 %p, %r, 9; @%p exit; ret; }";
    let body = "{ .param .b32 p; st.param.b32 [p], %r4; call f, (p); } st.global.u32 [%rd2], 1;";
    let expected: Vec<u32> = (0..40).map(|t| u32::from(t < 10)).collect();
    assert_eq!(called(f, body, 40), expected);
}

#[test]
fn indexed_branches_in_functions() {
    let f = ".func (.reg .u32 %o) f(.reg .u32 %i) { T: .branchtargets A, B; brx.idx %i, T; A: mov.u32 %o, 10; ret; B: mov.u32 %o, 20; ret; }";
    let body = "and.b32 %r5, %r4, 1; call (%r6), f, (%r5); st.global.u32 [%rd2], %r6;";
    assert_eq!(called(f, body, 4), [10, 20, 10, 20]);
}

#[test]
fn a_function_without_a_return_returns_at_its_end() {
    let f = ".func (.reg .u32 %o) f(.reg .u32 %i) { add.u32 %o, %i, 5; }";
    assert_eq!(
        called(f, "call (%r6), f, (%r4); st.global.u32 [%rd2], %r6;", 3),
        [5, 6, 7]
    );
}

#[test]
fn lanes_meet_at_a_shuffle_at_different_depths() {
    // Lane 0 is one activation deeper than the others when all meet at the shuffle, with other registers below.
    let f = ".func (.reg .u32 %o) f(.reg .u32 %i, .reg .u32 %deeper)
        { .reg .pred %p; .reg .u32 %less; setp.eq.u32 %p, %deeper, 0; @%p bra HERE; sub.u32 %less, %deeper, 1;
          call (%o), f, (%i, %less); ret; HERE: shfl.sync.bfly.b32 %o, %i, 1, 31, -1; ret; }";
    let body = "setp.eq.u32 %p1, %r4, 0; selp.u32 %r5, 1, 0, %p1; call (%r6), f, (%r4, %r5); st.global.u32 [%rd2], %r6;";
    let expected: Vec<u32> = (0..32).map(|t| t ^ 1).collect();
    assert_eq!(called(f, body, 32), expected);
}

#[test]
fn shared_variables_of_functions_are_one_for_the_block() {
    let f = ".func f(.reg .u32 %i) { .shared .b32 s[32]; .reg .u64 %a, %o; mov.u64 %a, s; mul.wide.u32 %o, %i, 4; add.u64 %a, %a, %o;
        .reg .u32 %v; mul.lo.u32 %v, %i, %i; st.shared.u32 [%a], %v; bar.sync 0; ret; }
        .func (.reg .u32 %o) g(.reg .u32 %i) { add.u32 %o, %i, 1; ret; }";
    let body = "call f, (%r4); call (%r5), g, (%r4); st.global.u32 [%rd2], %r5;";
    assert_eq!(called(f, body, 4), [1, 2, 3, 4]);
}

#[test]
fn stores_in_functions_are_known_by_their_statement() {
    let f = ".func f(.reg .u64 %a, .reg .u32 %v) { st.global.u32 [%a], %v; ret; }";
    let text = with(f, "call f, (%rd2, %r4);");
    let outcome = execute(&text, &words(1, 4, 4), Schedule::Lockstep).unwrap();
    let writer = outcome.buffers[0].writers[2];
    assert_eq!(writer.thread, 3);
    let tree = ptx::parse(text.as_bytes()).unwrap();
    let module = ptx::decode::decode(&tree).unwrap();
    let instruction = instruction_at(&module, &module.functions[1], writer.instruction).unwrap();
    assert_eq!(&text[instruction.span.range()], "st.global.u32 [%a], %v;");
}

#[test]
fn what_is_not_passed_is_undefined() {
    let f = ".func (.param .b32 r) f() { ret; }";
    let body = "{ .param .b32 q; call (q), f; ld.param.b32 %r5, [q]; } st.global.u32 [%rd2], %r5;";
    let (fault, text) = fault_in(f, body);
    assert_eq!(fault, Fault::Undefined(Use::Store));
    assert_eq!(text, "st.global.u32 [%rd2], %r5;");
    // The registers of an earlier activation are not seen.
    let f = ".func (.reg .u32 %o) f(.reg .u32 %i) { .reg .u32 %x; .reg .pred %p; setp.eq.u32 %p, %i, 0; @%p mov.u32 %x, 1; mov.u32 %o, %x; ret; }";
    let (fault, _) = fault_in(
        f,
        "call (%r5), f, (0); call (%r5), f, (1); st.global.u32 [%rd2], %r5;",
    );
    assert_eq!(fault, Fault::Undefined(Use::Store));
}

#[test]
fn calls_that_do_not_fit() {
    let f = ".func f(.param .b32 a) { ret; }";
    let (fault, _) = fault_in(f, "call f;");
    assert_eq!(fault, Fault::Signature("f".into()));
    let (fault, _) = fault_in("", "mov.u64 %rd5, 1234; call %rd5;");
    assert_eq!(fault, Fault::BadCall(1234));
    let (fault, text) = fault_in("", ".reg .u64 %no; call %no;");
    assert_eq!(
        (fault, text.as_str()),
        (Fault::Undefined(Use::Address), "call %no;")
    );
}

#[test]
fn functions_of_the_driver() {
    let print = ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a); .global .b8 text[3] = {37, 100, 0};";
    let body = "cvta.global.u64 %rd5, %rd1; { .param .b64 f; .param .b64 a; .param .b32 q; st.param.b64 [f], %rd5;
        st.param.b64 [a], %rd5; call.uni (q), vprintf, (f, a); ld.param.b32 %r5, [q]; } st.global.u32 [%rd2], %r5;";
    let text = with(print, body);
    let outcome = execute(&text, &words(1, 40, 40), Schedule::Lockstep).unwrap();
    assert_eq!(contents(&outcome), [0; 40]);
    assert_eq!(outcome.warnings.len(), 1);
    assert_eq!(outcome.warnings[0].kind, WarningKind::IgnoredPrint);

    let (fault, _) = fault_in(
        ".extern .func (.param .b64 r) malloc(.param .b64 n);",
        "{ .param .b64 n; .param .b64 q; st.param.b64 [n], 8; call (q), malloc, (n); }",
    );
    assert_eq!(
        fault,
        Fault::NotSupported("a call of `malloc`, which has no body".into())
    );
}

#[test]
fn failed_assertions_say_what() {
    let functions = ".extern .func __assertfail(.param .b64 m, .param .b64 f, .param .b32 l, .param .b64 n, .param .b64 c);
        .global .b8 message[6] = {120, 32, 62, 32, 48, 0}; .global .b8 file[5] = {97, 46, 99, 117, 0};";
    let body = "setp.ne.u32 %p1, %r4, 3; @%p1 bra OK; mov.u64 %rd5, message; cvta.global.u64 %rd5, %rd5; mov.u64 %rd6, file;
        cvta.global.u64 %rd6, %rd6; { .param .b64 m; .param .b64 f; .param .b32 l; .param .b64 n; .param .b64 c;
        st.param.b64 [m], %rd5; st.param.b64 [f], %rd6; st.param.b32 [l], 42; st.param.b64 [n], %rd6; st.param.b64 [c], 1;
        call __assertfail, (m, f, l, n, c); } OK: st.global.u32 [%rd2], 1;";
    let text = with(functions, body);
    let error = execute(&text, &words(1, 32, 32), Schedule::Lockstep).unwrap_err();
    assert_eq!(error.fault, Fault::Assertion("`x > 0` (a.cu:42)".into()));
    assert_eq!(error.thread.unwrap().lane, 3);
    assert!(!error.undefined_behaviour());
}
