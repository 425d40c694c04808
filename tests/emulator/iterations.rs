//! Terms of other iterations against loops that are run by hand.

use proptest::prelude::*;
use ptxasw::emulator::term::{SymbolId, TermId};
use ptxasw::emulator::{Emulation, emulate};
use ptxasw::pipeline::Reading;
use ptxasw::ptx;
use ptxasw::ptx::decode;

/// A loop over an index of 32 bits that keeps what it loaded one and two iterations ago.
#[derive(Clone, Debug)]
struct Row {
    start: u32,
    step: u32,
    /// The index starts from the global index, too.
    from_thread: bool,
    /// The step is the parameter `n`, too.
    by_parameter: bool,
    /// What the index is turned by before it is scaled, if it is.
    turned: Option<(&'static str, u32)>,
    signed: bool,
    scale: u64,
    /// Bytes that the pointer grows by besides.
    drift: u64,
    offset: i16,
}

fn number() -> impl Strategy<Value = u32> {
    prop_oneof![
        0u32..9,
        any::<u32>(),
        any::<i8>().prop_map(|n| i32::from(n) as u32)
    ]
}

fn row() -> impl Strategy<Value = Row> {
    let turned = (
        prop_oneof![
            Just("xor.b32"),
            Just("and.b32"),
            Just("shr.u32"),
            Just("rem.u32")
        ],
        1u32..32,
    );
    let index = (number(), number(), any::<bool>(), any::<bool>());
    let address = (
        proptest::option::of(turned),
        any::<bool>(),
        prop_oneof![Just(1u64), Just(4), Just(12)],
        prop_oneof![Just(0u64), Just(16), Just(8u64.wrapping_neg())],
        any::<i8>(),
    );
    (index, address).prop_map(|(index, address)| Row {
        start: index.0,
        step: index.1,
        from_thread: index.2,
        by_parameter: index.3,
        turned: address.0,
        signed: address.1,
        scale: address.2,
        drift: address.3,
        offset: i16::from(address.4) * 4,
    })
}

impl Row {
    fn text(&self) -> String {
        let start = match self.from_thread {
            true => format!("add.s32 %r5, %r0, {};", self.start),
            false => format!("mov.u32 %r5, {};", self.start),
        };
        let turned = match self.turned {
            Some((how, by)) => format!("{how} %r6, %r5, {by};"),
            None => "mov.u32 %r6, %r5;".to_string(),
        };
        let more = match self.by_parameter {
            true => "add.s32 %r5, %r5, %r1;",
            false => "",
        };
        let sign = if self.signed { 's' } else { 'u' };
        format!(
            ".version 8.0\n.target sm_80\n.address_size 64\n
.visible .entry k(.param .u64 a, .param .u64 b, .param .u32 n) {{
    .reg .pred %p<2>; .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .f32 %f<4>;
    ld.param.u64 %rd0, [a]; ld.param.u64 %rd1, [b]; ld.param.u32 %r1, [n];
    mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mov.u32 %r4, %tid.x;
    mad.lo.s32 %r0, %r2, %r3, %r4;
    {start}
    mov.u32 %r7, 0;
    ld.global.nc.f32 %f1, [%rd0]; ld.global.nc.f32 %f2, [%rd0+4];
LOOP:
    {turned}
    mul.wide.{sign}32 %rd2, %r6, {}; add.s64 %rd3, %rd0, %rd2;
    mov.f32 %f3, %f2; mov.f32 %f2, %f1;
    ld.global.nc.f32 %f1, [%rd3+{}];
    st.global.f32 [%rd1], %f3;
    add.s32 %r5, %r5, {}; {more}
    add.s64 %rd0, %rd0, {};
    add.s32 %r7, %r7, 1; setp.lt.u32 %p0, %r7, 9; @%p0 bra LOOP;
    st.global.f32 [%rd1], %f2;
    ret;
}}\n",
            self.scale, self.offset, self.step as i32, self.drift as i64
        )
    }

    /// What the loop loads from in an iteration, by the values of symbols.
    fn address(&self, symbol: &dyn Fn(&str) -> u64, iteration: u64) -> u64 {
        let word = |name: &str| symbol(name) as u32;
        let global = word("ctaid.x")
            .wrapping_mul(word("ntid.x"))
            .wrapping_add(word("tid.x"));
        let first = if self.from_thread { global } else { 0 };
        let more = if self.by_parameter { word("n") } else { 0 };
        let step = self.step.wrapping_add(more);
        let index = first
            .wrapping_add(self.start)
            .wrapping_add(step.wrapping_mul(iteration as u32));
        let index = match self.turned {
            None => index,
            Some(("xor.b32", by)) => index ^ by,
            Some(("and.b32", by)) => index & by,
            Some(("shr.u32", by)) => index >> by,
            Some((_, by)) => index % by,
        };
        let wide = match self.signed {
            true => index as i32 as u64,
            false => index.into(),
        };
        symbol("a")
            .wrapping_add(self.drift.wrapping_mul(iteration))
            .wrapping_add(wide.wrapping_mul(self.scale))
            .wrapping_add(self.offset as u64)
    }
}

fn walk(text: &str) -> Emulation {
    let module = ptx::parse(text.as_bytes()).expect("the test's text parses");
    let headers = decode::headers(&module);
    let reading = Reading::read(&module, &headers, 0).expect("the test's text lowers");
    emulate(reading.function(), reading.analyses())
}

/// A value within a symbol's range.
fn value(emulation: &Emulation, id: SymbolId, seed: u64, iteration: u64) -> u64 {
    let symbol = emulation.terms.symbol_data(id);
    if symbol.name.starts_with("iteration.") {
        return iteration;
    }
    let (least, greatest) = symbol.unsigned_range;
    let mixed = symbol.name.bytes().fold(seed, |sum, byte| {
        (sum ^ u64::from(byte)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    });
    match greatest.wrapping_sub(least).wrapping_add(1) {
        0 => mixed,
        count => least + (mixed >> 7) % count,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn a_term_of_another_iteration_is_what_the_loop_computes_there(
        row in row(),
        seed in any::<u64>(),
        iteration in prop_oneof![0u64..9, any::<u64>()],
    ) {
        let text = row.text();
        let emulation = walk(&text);
        let ids = || (0..emulation.terms.symbol_count() as u32).map(SymbolId);
        let named = |name: &str| {
            let id = ids().find(|&id| emulation.terms.symbol_data(id).name == name);
            id.map_or(0, |id| value(&emulation, id, seed, 0))
        };
        let at = |term: TermId, iteration: u64| {
            let symbols = |id| value(&emulation, id, seed, iteration);
            emulation.terms.evaluate(term, &symbols)
        };
        let back = |by: u64| row.address(&named, iteration.wrapping_sub(by));
        let (mut found, mut edges) = (Vec::new(), 0);
        for event in &emulation.trace.events {
            let Some(carried) = event.carried else { continue };
            let address = event.address.expect("an address");
            found.push(at(address, iteration));
            for edge in &emulation.trace.carried[carried as usize].edges {
                let next = if edge.back { iteration.wrapping_add(1) } else { 0 };
                prop_assert_eq!(at(edge.wanted, iteration), at(address, next), "{}", text);
                edges += 1;
            }
        }
        let mut wanted = vec![back(1), back(2)];
        wanted.sort_unstable();
        found.sort_unstable();
        prop_assert_eq!(found, wanted, "{}", text);
        prop_assert_eq!(edges, 4);
    }
}
