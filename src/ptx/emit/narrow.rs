//! Clamps as seen behind a source or at a destination with checks or a vote of its own.

use super::code::{Code, fold_checks};
use super::registers::{Class, Registers};
use super::setup::{Corner, Setup};
use crate::shuffle::plan::Check;

impl Setup {
    pub(super) fn shifts(mask: String, lane: String, corner: Corner) -> Self {
        Setup {
            mask,
            lane,
            corner,
            together: None,
            ring: None,
        }
    }

    /// The set-up as seen behind a source with a vote or `checks` of its own: lanes in which they fail are corner lanes.
    pub fn narrowed(
        &self,
        checks: &[Check],
        vote: Option<String>,
        code: &mut Code,
        registers: &mut Registers,
    ) -> Setup {
        let together = self
            .together
            .clone()
            .map(|covered| narrowed_predicate(checks, vote.clone(), covered, code, registers));
        let corner = match &self.corner {
            Corner::Clamp {
                down: None,
                up: None,
            } => self.corner.clone(),
            Corner::Clamp { down, up } => {
                let holds = fold_checks(checks, vote, code, registers);
                let lane = &self.lane;
                let mut select = |clamp: &Option<String>| {
                    let clamp = clamp.clone()?;
                    let Some(holds) = &holds else {
                        return Some(clamp);
                    };
                    let line = |new: &str| format!("selp.b32 {new}, {clamp}, {lane}, {holds};");
                    Some(code.word(registers, line))
                };
                Corner::Clamp {
                    down: select(down),
                    up: select(up),
                }
            }
            Corner::Compare {
                all,
                lane,
                rest,
                tid,
            } => Corner::Compare {
                all: fold_failures(checks, vote, all, code, registers),
                lane: lane.clone(),
                rest: rest.clone(),
                tid: tid.clone(),
            },
        };
        Setup {
            mask: self.mask.clone(),
            lane: self.lane.clone(),
            corner,
            together,
            ring: self.ring.clone(),
        }
    }
}

/// A predicate: `covered`, and the vote and the checks hold.
fn narrowed_predicate(
    checks: &[Check],
    vote: Option<String>,
    covered: String,
    code: &mut Code,
    registers: &mut Registers,
) -> String {
    let covered = match vote {
        None => covered,
        Some(vote) => {
            let both = registers.fresh(Class::Predicate);
            code.push(format!("and.pred {both}, {vote}, {covered};"));
            both
        }
    };
    match fold_checks(checks, None, code, registers) {
        None => covered,
        Some(holds) => {
            code.push(format!("and.pred {holds}, {holds}, {covered};"));
            holds
        }
    }
}

/// A predicate: `all`, or the vote or some check fails.
pub(super) fn fold_failures(
    checks: &[Check],
    vote: Option<String>,
    all: &str,
    code: &mut Code,
    registers: &mut Registers,
) -> String {
    match fold_checks(checks, vote, code, registers) {
        None => all.to_string(),
        Some(hold) => {
            let fails = registers.fresh(Class::Predicate);
            code.push(format!("not.pred {fails}, {hold};"));
            code.push(format!("or.pred {fails}, {fails}, {all};"));
            fails
        }
    }
}
