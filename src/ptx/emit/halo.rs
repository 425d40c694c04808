//! Wrapping `halo`: one more load behind the source serves the corner lanes of all its destinations. Where the warp is not
//! here as a whole, or rows are not whole warps, every destination loads for itself.

use super::code::Code;
use super::early::Text;
use super::exchange::Exchange;
use super::region::{Setup, Writer};
use super::registers::{Class, Registers};
use crate::ptx::ast::{Body, Module};
use crate::shuffle::plan::Halo;

/// What the destinations of a halo region read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ring {
    /// The predicate of warps that are here as a whole, in whole rows: equal in all lanes.
    pub whole: String,
    /// `%laneid`.
    lane: String,
    /// Bit `N` says that lane `lane + N` is beyond the warp's end: the lane to give is one that loaded the halo.
    down: Option<String>,
    /// Bit `N` likewise for lane `lane - N`.
    up: Option<String>,
}

/// Threads of a warp.
const WARP: i64 = 32;

/// The halo load of a source, into a new register.
pub fn load(
    module: &Module,
    body: &Body,
    statement: u32,
    halo: &Halo,
    ring: &Ring,
    code: &mut Code,
    registers: &mut Registers,
) -> Option<String> {
    let text = Text::of(module, body, statement)?;
    let Ring { whole, lane, .. } = ring;
    let far = halo.stride.checked_mul(WARP)?;
    let loads = registers.fresh(Class::Predicate);
    let (down, up) = (i64::from(halo.down), i64::from(halo.up));
    let first = WARP - up;
    let address = match (down > 0, up > 0) {
        (true, true) => {
            let turned = code.word(registers, |new| format!("add.s32 {new}, {lane}, {up};"));
            code.push(format!("and.b32 {turned}, {turned}, 31;"));
            code.push(format!(
                "setp.lt.and.u32 {loads}, {turned}, {}, {whole};",
                down + up
            ));
            let low = registers.fresh(Class::Predicate);
            code.push(format!("setp.lt.u32 {low}, {lane}, {down};"));
            let sum = registers.fresh(Class::Double);
            code.push(format!(
                "selp.b64 {sum}, {far}, {}, {low};",
                far.checked_neg()?
            ));
            code.push(format!("add.s64 {sum}, {sum}, {};", text.base));
            address(&sum, text.offset)
        }
        (true, false) => {
            code.push(format!("setp.lt.and.u32 {loads}, {lane}, {down}, {whole};"));
            address(text.base, text.offset.checked_add(far)?)
        }
        (false, _) => {
            code.push(format!(
                "setp.ge.and.u32 {loads}, {lane}, {first}, {whole};"
            ));
            address(text.base, text.offset.checked_sub(far)?)
        }
    };
    let value = registers.fresh(Class::Word);
    code.push(format!(
        "@{loads} {} {value}, {address}{};",
        text.opcode, text.rest
    ));
    Some(value)
}

fn address(base: &str, offset: i64) -> String {
    match offset {
        0 => format!("[{base}]"),
        _ => format!("[{base}+{offset}]"),
    }
}

impl Ring {
    /// The exchange of a destination: its target receives the value that lane `lane + delta` loaded at the source, or the
    /// `halo` of the lane that many behind the warp's other end.
    pub fn exchange(
        &self,
        exchange: &Exchange,
        halo: &str,
        code: &mut Code,
        registers: &mut Registers,
    ) -> Option<()> {
        let delta = exchange.lanes.shift()?;
        let (value, target) = (exchange.value, exchange.target);
        let mask = &exchange.setup.mask;
        let beyond = if delta > 0 { &self.down } else { &self.up };
        let beyond = beyond.as_ref()?;
        let bit = 1u32.checked_shl(delta.unsigned_abs().into())?;
        let gives = registers.fresh(Class::Predicate);
        let one = code.word(registers, |new| {
            format!("and.b32 {new}, {beyond}, {bit:#x};")
        });
        code.push(format!("setp.ne.s32 {gives}, {one}, 0;"));
        let given = code.word(registers, |new| {
            format!("selp.b32 {new}, {halo}, {value}, {gives};")
        });
        let lane = &self.lane;
        let from = code.word(registers, |new| format!("add.s32 {new}, {lane}, {delta};"));
        code.push(format!(
            "shfl.sync.idx.b32 {target}, {given}, {from}, 31, {mask};"
        ));
        Some(())
    }
}

impl Writer<'_, '_, '_> {
    /// The clamps of F31 for destinations that are not served, rows checked; and the bits of the others. Checks are made by
    /// all lanes for all: a chain of neighbours leads from the halo to the lane that it stands for.
    pub(super) fn halo(&mut self) -> (Setup, Ring) {
        let mask = self.active_mask();
        let lane = self.lane();
        let whole = self.whole_warp(&mask);
        if !self.region.whole_rows {
            self.whole_groups(WARP as u8, &whole);
        }
        if !self.region.checks.is_empty() {
            self.push(format!("vote.sync.all.pred {whole}, {whole}, {mask};"));
        }
        let ok = Some(whole.clone());
        let corner = self.clamps(
            |w| w.select("31", &lane, &ok),
            |w| w.select("0", &lane, &ok),
        );
        // A shift by 32 gives 0.
        let down = self
            .region
            .down
            .then(|| self.word(|new| format!("shl.b32 {new}, -2, {lane};")));
        let up = self.region.up.then(|| {
            let left = self.word(|new| format!("sub.s32 {new}, 32, {lane};"));
            self.word(|new| format!("shl.b32 {new}, -1, {left};"))
        });
        let ring = Ring {
            whole,
            lane: lane.clone(),
            down,
            up,
        };
        (Setup::shifts(mask, lane, corner), ring)
    }
}
