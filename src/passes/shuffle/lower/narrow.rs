//! Clamps as seen after a source or at a destination with checks or a vote of its own: lanes in which these fail are corner
//! lanes.

use super::checks;
use super::code::Code;
use super::setup::{Corner, Setup};
use crate::shuffle::plan::Check;
use ptxasw_ir::patch::Ref;

impl Setup {
    /// The set-up narrowed by a vote and by checks.
    pub fn narrowed(&self, checks: &[Check], vote: Option<Ref>, code: &mut Code) -> Setup {
        let mut narrowed = self.clone();
        if let Some(covered) = self.together {
            let covered = match vote {
                Some(vote) => code.and(1, vote, covered),
                None => covered,
            };
            narrowed.together = checks::hold(checks, Some(covered), code);
        }
        let clamped = Corner::Clamp {
            down: None,
            up: None,
        };
        if self.corner == clamped {
            return narrowed;
        }
        let Some(holds) = checks::hold(checks, vote, code) else {
            return narrowed;
        };
        match &mut narrowed.corner {
            Corner::Clamp { down, up } => {
                for clamp in [down, up].into_iter().flatten() {
                    if let Some(lane) = self.lane {
                        *clamp = code.select(32, *clamp, lane, holds);
                    }
                }
            }
            Corner::Compare { all, .. } => {
                let fails = code.not(1, holds);
                *all = code.or(1, fails, *all);
            }
        }
        narrowed
    }
}
