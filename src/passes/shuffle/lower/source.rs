//! What belongs to a source: its value as words, its halo load, and what narrows the clamps of its destinations.

use super::code::Code;
use super::halo;
use super::setup::Setup;
use super::words::{Form, MAX_WORDS, Words};
use super::{Error, Lowering, Variant};
use crate::shuffle::plan::Source;
use ptxasw_base::mutation::{Mutation, active};
use ptxasw_ir::function::{InstId, Value};
use ptxasw_ir::opcode::{Opcode, VoteMode};
use ptxasw_ir::patch::{Location, Point, Ref};

/// What the destinations of a source read.
pub(super) struct Ready {
    /// Its value.
    pub form: Form,
    /// The value as words, as far as other lanes take it.
    pub words: Words,
    /// What the halo load gives.
    pub halo: Option<Ref>,
    /// Mask and clamps; none if no destination shuffles.
    pub setup: Option<Setup>,
}

impl Lowering<'_> {
    /// Words, votes and checks after a source of which other lanes take the bytes `needed`.
    pub(super) fn source(
        &mut self,
        source: &Source,
        needed: u32,
        setups: &[Option<Setup>],
    ) -> Result<Ready, Error> {
        let inconsistent = || Error::Inconsistent(source.statement);
        let form = self.form_of(source)?;
        let at = self.after(source)?;
        let mut code = Code::new(&mut self.next, source.statement);
        let words = match needed {
            0 => [None; MAX_WORDS],
            needed => form.pack(needed, &mut code).ok_or_else(inconsistent)?,
        };
        let own = self.function.inst(source.inst).guard;
        let own = own.filter(|_| source.vote && source.carried.is_none());
        let own = own.filter(|_| !active(Mutation::VoteOfGuardDropped));
        let setup = setups.get(source.region as usize).and_then(Option::as_ref);
        let setup = setup.map(|setup| {
            let vote = own.map(|(guard, negated)| {
                let guard = code.plain((guard.into(), negated));
                code.vote(VoteMode::All, guard, setup.mask)
            });
            setup.narrowed(&source.checks, vote, &mut code)
        });
        let ring = setup.as_ref().and_then(|setup| setup.ring.as_ref());
        let halo = match (self.variant, &source.halo, ring) {
            (Variant::Normal, Some(one), Some(ring)) => {
                let value = halo::load(self.function, source.inst, one, ring, &mut code);
                Some(value.ok_or_else(inconsistent)?)
            }
            _ => None,
        };
        code.done(&mut self.patch, at);
        Ok(Ready {
            form,
            words,
            halo,
            setup,
        })
    }

    /// The form of a source's value.
    fn form_of(&self, source: &Source) -> Result<Form, Error> {
        if let Some(carried) = &source.carried {
            let elements = [Some(carried.parameter)];
            let (bits, signed) = (carried.element_bits, carried.signed);
            return Ok(Form::new(self.function, &elements, bits, signed));
        }
        self.form(source.inst, &source.elements)
            .ok_or(Error::NotALoad(source.statement))
    }

    /// Right after a source, in its copy of the code.
    fn after(&self, source: &Source) -> Result<Location, Error> {
        let (block, point) = match &source.carried {
            Some(carried) => (carried.block, Point::Start(carried.block)),
            None => {
                let last = self.last_of(source.inst)?;
                (self.function.inst(last).block, Point::After(last))
            }
        };
        Ok(Location {
            clone: self.within(source.within, block),
            point,
        })
    }

    /// The form of a load's value.
    pub(super) fn form(&self, load: InstId, elements: &[Option<Value>]) -> Option<Form> {
        let inst = self.function.insts.get(load.index())?;
        let Opcode::Load(access) = &inst.opcode else {
            return None;
        };
        let fits = matches!(access.ty.bits, 8 | 16 | 32 | 64) && !elements.is_empty();
        let form = Form::new(self.function, elements, access.ty.bits, access.ty.signed());
        fits.then_some(form)
    }
}
