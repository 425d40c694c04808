//! The walk on small kernels: what terms, path conditions and events it makes of PTX text.

use ptxasw::emulator::conditions::PathConditions;
use ptxasw::emulator::trace::{self, EventKind, Provenance};
use ptxasw::emulator::{Emulation, emulate};
use ptxasw::ir::function::BlockId;
use ptxasw::pipeline::Reading;
use ptxasw::ptx;
use ptxasw::ptx::decode;

/// A kernel of three parameters around a body; `%r0` is the global index, `%r1` the parameter `n`, `%rd0` and `%rd1` pointers.
fn kernel(body: &str) -> String {
    format!(
        ".version 8.0\n.target sm_80\n.address_size 64\n
.visible .entry k(.param .u64 a, .param .u64 b, .param .u32 n) {{
    .reg .pred %p<9>; .reg .b32 %r<30>; .reg .b64 %rd<30>; .reg .f32 %f<30>;
    ld.param.u64 %rd0, [a]; ld.param.u64 %rd1, [b]; ld.param.u32 %r1, [n];
    mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mov.u32 %r4, %tid.x;
    mad.lo.s32 %r0, %r2, %r3, %r4;
{body}
    ret;
}}\n"
    )
}

fn walk(body: &str) -> (Reading, Emulation) {
    let text = kernel(body);
    let module = ptx::parse(text.as_bytes()).expect("the test's text parses");
    let headers = decode::headers(&module);
    let reading = Reading::read(&module, &headers, 0).expect("the test's text lowers");
    let emulation = emulate(reading.function(), reading.analyses());
    (reading, emulation)
}

/// The addresses of loads and stores outside of parameter space, in order.
fn addresses(body: &str) -> Vec<String> {
    let (_, emulation) = walk(body);
    emulation
        .trace
        .events
        .iter()
        .filter(|event| event.space != ptxasw::ir::types::Space::ParamEntry)
        .filter_map(|event| event.address)
        .map(|address| emulation.terms.display(address).to_string())
        .collect()
}

fn facts(conditions: &PathConditions, emulation: &Emulation, block: u32) -> Vec<String> {
    conditions
        .of_block(BlockId(block))
        .map(|fact| emulation.terms.display(fact).to_string())
        .collect()
}

#[test]
fn an_address_is_an_affine_sum() {
    let found = addresses(
        "mul.wide.s32 %rd2, %r0, 4; add.s64 %rd3, %rd0, %rd2; ld.global.f32 %f0, [%rd3+8];",
    );
    assert_eq!(found.len(), 1);
    let (_, emulation) =
        walk("mul.wide.s32 %rd2, %r4, 4; add.s64 %rd3, %rd0, %rd2; ld.global.f32 %f0, [%rd3+8];");
    let address = emulation
        .trace
        .events
        .last()
        .and_then(|event| event.address)
        .expect("an address");
    let (constant, atoms) = emulation.terms.affine(address);
    // The pointer, and four times the thread's number, which can't be negative.
    assert_eq!((constant, atoms.len()), (8, 2));
}

#[test]
fn an_induction_variable_grows_with_the_iteration() {
    let body = "
    mov.u32 %r5, 0; mov.u64 %rd2, %rd0;
LOOP:
    ld.global.f32 %f0, [%rd2];
    add.s64 %rd2, %rd2, 16; add.s32 %r5, %r5, 1;
    setp.lt.s32 %p0, %r5, %r1; @%p0 bra LOOP;";
    let found = addresses(body);
    assert_eq!(found.len(), 1);
    assert!(found[0].contains("iteration."), "{found:?}");
    assert!(found[0].contains("16*"), "{found:?}");
}

#[test]
fn the_counter_of_a_loop_that_lanes_leave_one_by_one_is_no_neighbours() {
    let (_, emulation) = walk(
        "
    mov.u32 %r5, %r4; mov.u64 %rd2, %rd0;
LOOP:
    ld.global.f32 %f0, [%rd2];
    add.s64 %rd2, %rd2, 16; add.s32 %r5, %r5, 1;
    setp.lt.s32 %p0, %r5, %r1; @%p0 bra LOOP;
    st.global.f32 [%rd2], %f0;",
    );
    let mut terms = emulation.terms;
    let address = emulation
        .trace
        .events
        .iter()
        .rev()
        .find_map(|event| event.address)
        .expect("an address");
    assert_ne!(terms.shift_lane(address, 1), address);
}

#[test]
fn a_join_is_an_ite_of_the_branch_condition() {
    let body = "
    mov.u64 %rd2, %rd0;
    setp.lt.s32 %p0, %r1, 7;
    @%p0 bra JOIN;
    mov.u64 %rd2, %rd1;
JOIN:
    ld.global.f32 %f0, [%rd2];";
    let found = addresses(body);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0], "(n <s 7) ? a : b");
}

#[test]
fn a_guard_becomes_facts_of_what_it_guards() {
    let (reading, mut emulation) = walk(
        "
    setp.lt.s32 %p0, %r0, 1; setp.ge.s32 %p1, %r0, %r1; or.pred %p2, %p0, %p1;
    @%p2 bra DONE;
    ld.global.f32 %f0, [%rd0];
DONE:",
    );
    let event = emulation.trace.events.last().expect("a load");
    assert_eq!(
        facts(&emulation.conditions, &emulation, event.block.0).len(),
        2
    );
    assert_eq!(facts(&emulation.conditions, &emulation, 0).len(), 0);
    let printed = trace::print(
        reading.function(),
        &mut emulation.terms,
        &emulation.trace,
        &emulation.conditions,
        Default::default(),
    );
    assert!(printed.contains(" and "), "{printed}");
}

#[test]
fn a_branch_that_repeats_its_guard_is_pruned() {
    let (_, emulation) = walk(
        "
    setp.ge.s32 %p0, %r0, %r1; @%p0 bra DONE;
    mov.u64 %rd2, %rd0;
    add.s32 %r6, %r1, 0;
    setp.lt.s32 %p1, %r0, %r6; @%p1 bra INSIDE;
    mov.u64 %rd2, %rd1;
INSIDE:
    ld.global.f32 %f0, [%rd2];
DONE:",
    );
    assert_eq!(emulation.pruned.len(), 1);
    let event = emulation.trace.events.last().expect("a load");
    assert!(matches!(event.provenance, Provenance::Pointer { .. }));
}

#[test]
fn generic_accesses_take_the_space_of_their_object() {
    use ptxasw::ir::types::Space;
    let (_, emulation) = walk("ld.f32 %f0, [%rd0+4]; ld.u64 %rd5, [%rd0+8]; st.f32 [%rd5], %f0;");
    let spaces: Vec<Space> = emulation
        .trace
        .events
        .iter()
        .map(|event| event.space)
        .collect();
    assert_eq!(
        spaces[spaces.len() - 3..],
        [Space::Global, Space::Global, Space::Generic]
    );
}

#[test]
fn conversions_cancel_and_offsets_are_no_generic_addresses() {
    use ptxasw::ir::types::Space;
    let (_, emulation) = walk(
        ".shared .align 4 .b8 tile[64]; .local .align 4 .b8 own[64];
    mov.u64 %rd5, tile; ld.shared.u32 %r5, [%rd5+8];
    cvta.shared.u64 %rd6, %rd5; ld.u32 %r6, [%rd6+8];
    add.s64 %rd7, %rd6, 8; cvta.to.shared.u64 %rd8, %rd7; ld.shared.u32 %r7, [%rd8];
    ld.u32 %r8, [%rd5+8];
    cvta.shared.u64 %rd9, %rd6; ld.u32 %r9, [%rd9];
    ld.shared.u32 %r10, [%rd6+8];
    mov.u64 %rd10, own; cvta.local.u64 %rd11, %rd10; cvta.to.shared.u64 %rd12, %rd11; ld.shared.u32 %r11, [%rd12];",
    );
    let events = &emulation.trace.events;
    let [named, generic, back, raw, twice, mixed, other] = &events[events.len() - 7..] else {
        panic!("{events:?}");
    };
    for one in [named, generic, back] {
        assert_eq!(
            (one.space, one.counted_in()),
            (Space::Shared, Space::Shared)
        );
        assert_eq!(
            (one.address, one.provenance),
            (named.address, named.provenance)
        );
        assert_eq!(one.unconverted, None);
    }
    assert!(matches!(named.provenance, Provenance::Variable(_)));
    assert_eq!(
        (raw.space, raw.unconverted),
        (Space::Generic, Some(Space::Shared))
    );
    assert_eq!((twice.space, twice.unconverted), (Space::Generic, None));
    for one in [raw, twice, mixed, other] {
        assert_eq!(one.provenance, Provenance::Unknown);
    }
}

#[test]
fn what_orders_memory_is_an_event() {
    let (_, emulation) = walk(
        "membar.gl; bar.sync 0; atom.global.add.u32 %r9, [%rd0], 1; red.global.add.u32 [%rd0], 1; st.global.u32 [%rd1], %r9;",
    );
    let kinds: Vec<&EventKind> = emulation
        .trace
        .events
        .iter()
        .map(|event| &event.kind)
        .collect();
    let tail = &kinds[kinds.len() - 5..];
    assert!(matches!(
        tail,
        [
            EventKind::Fence,
            EventKind::Barrier { whole_block: true },
            EventKind::Atomic,
            EventKind::Atomic,
            EventKind::Store(_)
        ]
    ));
}

#[test]
fn loads_of_one_constant_address_are_one_value() {
    let body = |first: &str, second: &str| {
        format!(
            "{first}.u32 %r7, [%rd0]; {second}.u32 %r8, [%rd0]; sub.s32 %r9, %r7, %r8; \
             cvt.s64.s32 %rd7, %r9; add.s64 %rd8, %rd1, %rd7; ld.global.f32 %f0, [%rd8];"
        )
    };
    let last = |text: String| addresses(&text).pop().expect("an address");
    assert_eq!(last(body("ld.global.nc", "ld.global.nc")), "b");
    assert_ne!(last(body("ld.global", "ld.global")), "b");
}
