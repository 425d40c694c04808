//! Blocks in parallel: the same result for any number of workers.

use super::*;
use proptest::prelude::*;

/// What a run gives, as text: everything there is.
fn all(text: &str, launch: &Launch, jobs: usize, step_limit: u64) -> String {
    let tree = ptx::parse(text.as_bytes()).expect("the text parses");
    let module = ptx::decode::decode(&tree).expect("the text decodes");
    let options = Options {
        step_limit,
        jobs,
        ..Options::default()
    };
    let result = run_with(
        &module,
        &module.functions[0],
        launch,
        Schedule::Lockstep,
        options,
    );
    format!("{result:?}")
}

/// Runs with one worker and with more and gives what all of them give.
fn same(text: &str, launch: &Launch, step_limit: u64) -> Result<String, TestCaseError> {
    let alone = all(text, launch, 1, step_limit);
    for jobs in [2, 5, 100] {
        prop_assert_eq!(
            &all(text, launch, jobs, step_limit),
            &alone,
            "{} jobs:\n{}",
            jobs,
            text
        );
    }
    Ok(alone)
}

/// A load and two stores at places that depend on the thread, and perhaps something else.
#[derive(Clone, Debug)]
struct Kernel {
    load: (u32, u32),
    /// Reads what is written, too.
    own: bool,
    store: (u32, u32),
    byte: Option<(u32, u32)>,
    more: &'static str,
    fault_at: Option<u32>,
    grid: u32,
    block: u32,
    initialised: bool,
}

/// Words of the buffer.
const WORDS: u32 = 200;

impl Kernel {
    fn text(&self) -> String {
        let place = |(factor, summand): (u32, u32), bytes: u32, register: u32| {
            let modulus = WORDS * 4 / bytes;
            format!(
                "mad.lo.u32 %r9, %r1, {factor}, {summand}; rem.u32 %r9, %r9, {modulus};
                 mul.wide.u32 %rd5, %r9, {bytes}; add.u64 %rd{register}, %rd1, %rd5;\n"
            )
        };
        let mut body = place(self.load, 4, 6);
        // What is only read lies after what is written.
        let offset = if self.own { 0 } else { WORDS * 4 };
        body += &format!("ld.global.u32 %r10, [%rd6+{offset}]; add.u32 %r10, %r10, %r1;\n");
        body += &place(self.store, 4, 7);
        body += "st.global.u32 [%rd7], %r10;\n";
        if let Some(byte) = self.byte {
            body += &place(byte, 1, 8);
            body += "st.global.u8 [%rd8], %r10;\n";
        }
        if let Some(thread) = self.fault_at {
            body +=
                &format!("setp.eq.u32 %p5, %r1, {thread}; @%p5 st.global.u32 [%rd1+-4], %r1;\n");
        }
        kernel(&format!("{body}{}\n", self.more))
    }

    fn launch(&self) -> Launch {
        let fill = if self.initialised {
            Fill::random(3)
        } else {
            Fill::Uninitialised
        };
        let buffer = Buffer::filled(Element::U32, u64::from(WORDS) * 2, fill);
        Launch::new([self.grid, 1, 1], [self.block, 1, 1]).with_buffer(buffer)
    }
}

fn kernels() -> impl Strategy<Value = Kernel> {
    let place = || (0u32..4, 0u32..300);
    let more = prop_oneof![
        4 => Just(""),
        1 => Just("red.global.add.u32 [%rd1+40], 1;"),
        1 => Just("mov.u32 %r11, %clock; st.global.u32 [%rd1+44], %r11;"),
        1 => Just("setp.lt.u32 %p6, %r4, 3; @%p6 exit; shfl.sync.idx.b32 %r12, %r4, 5, 31, -1;"),
        1 => Just("ld.volatile.global.u32 %r13, [%rd1+48];"),
    ];
    (
        place(),
        any::<bool>(),
        place(),
        proptest::option::of(place()),
        more,
        proptest::option::weighted(0.2, 0u32..200),
        1u32..12,
        1u32..70,
        proptest::bool::weighted(0.9),
    )
        .prop_map(
            |(load, own, store, byte, more, fault_at, grid, block, initialised)| Kernel {
                load,
                own,
                store,
                byte,
                more,
                fault_at,
                grid,
                block,
                initialised,
            },
        )
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(300) })]
    #[test]
    fn any_number_of_workers_gives_the_same(kernel in kernels()) {
        same(&kernel.text(), &kernel.launch(), 1 << 20)?;
    }
}

#[test]
fn the_step_limit_is_of_all_blocks() {
    let text = kernel("st.global.u32 [%rd2], %r1;");
    let launch = words(6, 32, 192);
    let outcome = execute(&text, &launch, Schedule::Lockstep).unwrap();
    let steps = outcome.counters.instructions;
    let block = steps / 6;
    for limit in [block - 1, block, block + 1, 3 * block, steps - 1, steps] {
        let outcome = same(&text, &launch, limit).unwrap();
        assert_eq!(outcome.contains("StepLimit"), limit < steps, "{limit}");
    }
}

#[test]
fn the_first_fault_in_the_order_of_the_blocks() {
    let text = kernel("setp.ge.u32 %p1, %r2, 2; @%p1 st.global.u32 [%rd1+-4], %r1;");
    let outcome = same(&text, &words(6, 32, 192), 1 << 20).unwrap();
    assert!(outcome.contains("block: [2, 0, 0]"), "{outcome}");
}

#[test]
fn a_later_block_waits_for_an_earlier_one() {
    // Block 5 reads what block 0 has stored: in order it is there.
    let text = kernel(
        "setp.eq.u32 %p1, %r2, 0; @%p1 st.global.u32 [%rd1+400], 7; ld.global.u32 %r5, [%rd1+400];
         st.global.u32 [%rd2], %r5;",
    );
    let launch = words(6, 1, 128);
    same(&text, &launch, 1 << 20).unwrap();
    let outcome = execute(&text, &launch, Schedule::Lockstep).unwrap();
    assert_eq!(contents(&outcome)[..6], [7; 6]);
}
