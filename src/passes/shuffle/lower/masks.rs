//! Tracked masks: `activemask` in front of divergent code, and a ballot at each divergent branch.
//!
//! A mask with one step is the value that the step makes. One that a loop carries has several and is a variable of the patch.

use super::code::Code;
use super::{Error, Lowering};
use crate::shuffle::plan::{Mask, MaskStep};
use ptxasw_ir::opcode::VoteMode;
use ptxasw_ir::patch::{Ref, Variable, VariableId};

/// The masks of a plan, as far as they are written.
pub(super) struct Masks {
    made: Vec<Option<Ref>>,
}

impl Masks {
    /// Writes the steps of all masks.
    pub fn write(lowering: &mut Lowering) -> Result<Self, Error> {
        let plan = lowering.plan;
        let mut masks = Masks {
            made: vec![None; plan.masks.len()],
        };
        for (mask, made) in plan.masks.iter().zip(&mut masks.made) {
            if mask.steps.len() > 1 {
                let number = lowering.patch.variables.len() as u32;
                lowering.patch.variables.push(Variable {
                    width: 32,
                    sets: Vec::new(),
                });
                *made = Some(Ref::Variable(VariableId(number)));
            }
        }
        for number in 0..plan.masks.len() as u32 {
            masks.of(number, lowering)?;
        }
        for (mask, made) in plan.masks.iter().zip(masks.made.clone()) {
            if let Some(Ref::Variable(id)) = made {
                masks.carry(mask, id, lowering)?;
            }
        }
        Ok(masks)
    }

    /// A mask, written with all that it is made from.
    pub fn of(&mut self, number: u32, lowering: &mut Lowering) -> Result<Ref, Error> {
        let mut chain = Vec::new();
        let mut next = number;
        let mut known = loop {
            let made = self.made.get(next as usize).ok_or(Error::NoMask(next))?;
            if let Some(made) = *made {
                break Some(made);
            }
            if chain.contains(&next) {
                return Err(Error::NoMask(next));
            }
            chain.push(next);
            let step = lowering.plan.masks[next as usize].steps.first();
            match step.ok_or(Error::NoMask(next))?.from {
                Some(from) => next = from,
                None => break None,
            }
        };
        for number in chain.into_iter().rev() {
            let step = lowering.plan.masks[number as usize].steps[0];
            let made = self.step(&step, known, lowering)?;
            self.made[number as usize] = Some(made);
            known = Some(made);
        }
        known.ok_or(Error::NoMask(number))
    }

    /// The steps of a mask that a loop carries.
    fn carry(&mut self, mask: &Mask, id: VariableId, lowering: &mut Lowering) -> Result<(), Error> {
        for step in &mask.steps {
            let from = match step.from {
                Some(from) => Some(self.of(from, lowering)?),
                None => None,
            };
            let made = self.step(step, from, lowering)?;
            let variable = &mut lowering.patch.variables[id.0 as usize];
            variable.sets.push((step.at.into(), made));
        }
        Ok(())
    }

    /// What a step makes of the mask of the lanes at that place.
    fn step(
        &self,
        step: &MaskStep,
        from: Option<Ref>,
        lowering: &mut Lowering,
    ) -> Result<Ref, Error> {
        let mut code = Code::new(&mut lowering.next, step.before);
        let made = match (from, step.voted) {
            (None, _) => code.active_mask(None),
            (Some(from), None) => from,
            (Some(from), Some((condition, sense))) => {
                let goes = code.plain((condition.into(), !sense));
                code.vote(VoteMode::Ballot, goes, from)
            }
        };
        code.done(&mut lowering.patch, step.at);
        Ok(made)
    }
}
