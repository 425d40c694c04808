//! The test in front of a copy: the whole warp is here, and goes the way that the copy goes.

use super::CopyWriter;
use crate::ptx::emit::Error;
use crate::ptx::emit::code::Code;
use crate::ptx::emit::destination::both;
use crate::ptx::emit::registers::{Class, Registers};
use crate::shuffle::plan::{Leave, Stay};
use crate::support::mutation::{Mutation, active};

/// What is set up in front of a copy.
#[derive(Debug, Default)]
pub struct Entry {
    /// The register of the mask that is tested.
    pub mask: String,
    /// The mask is not read yet: nothing stands between the reading and the test.
    pub unread: bool,
    /// A predicate that must hold in all lanes, too.
    pub condition: Option<String>,
    /// A 32-bit register that must not be negative. It holds the same in all lanes.
    pub sign: Option<String>,
    /// Lines in front of the test.
    pub before_test: Vec<String>,
    /// Lines behind it: what only whole warps need.
    pub behind_test: Vec<String>,
}

impl CopyWriter<'_, '_, '_> {
    /// The test in front of the copy. Where the copy begins with a branch of which it knows one way, the test is that all
    /// lanes go this way; true then.
    pub(super) fn test(
        &self,
        slow: &str,
        code: &mut Code,
        registers: &mut Registers,
    ) -> Result<bool, Error> {
        let first = self
            .copy
            .leaves
            .iter()
            .find(|leave| leave.statement == self.copy.before && leave.stay != Stay::Either);
        let stays = self.holds_at_entry(first, code, registers)?;
        let mask = &self.entry.mask;
        let (tested, strays) = match (&stays, self.entry.unread) {
            // Who does not stay does not read the mask, and is missing in it.
            (Some(stays), true) => {
                code.push(format!("@{stays} activemask.b32 {mask};"));
                (mask.clone(), Some(opposite(stays)))
            }
            (Some(stays), false) => {
                let votes = code.word(registers, |votes| {
                    format!("vote.sync.ballot.b32 {votes}, {stays}, {mask};")
                });
                (votes, None)
            }
            (None, true) => {
                code.push(format!("activemask.b32 {mask};"));
                (mask.clone(), None)
            }
            (None, false) => (mask.clone(), None),
        };
        if active(Mutation::EntryNotTested) {
            return Ok(first.is_some());
        }
        let (tested, all) = self.with_sign(tested, code, registers);
        let fails = registers.fresh(Class::Predicate);
        code.push(match strays {
            Some(strays) => format!("setp.ne.or.s32 {fails}, {tested}, {all}, {strays};"),
            None => format!("setp.ne.s32 {fails}, {tested}, {all};"),
        });
        code.push(format!("@{fails} bra.uni {slow};"));
        Ok(first.is_some())
    }

    /// What must hold in each lane, if anything.
    fn holds_at_entry(
        &self,
        first: Option<&Leave>,
        code: &mut Code,
        registers: &mut Registers,
    ) -> Result<Option<String>, Error> {
        let stays = first.map(|leave| self.stays(*leave)).transpose()?;
        Ok(match (stays, self.entry.condition.clone()) {
            (Some(stays), Some(condition)) => Some(both(Some(&stays), condition, code, registers)),
            (stays, condition) => stays.or(condition),
        })
    }

    /// A register and the number that it has in a whole warp for which the entry's sign is as it must be. The assembler makes
    /// one instruction of the tests of mask and sign.
    fn with_sign(
        &self,
        tested: String,
        code: &mut Code,
        registers: &mut Registers,
    ) -> (String, i32) {
        let sign = self.entry.sign.as_ref();
        let Some(sign) = sign.filter(|_| !active(Mutation::EntrySignNotTested)) else {
            return (tested, -1);
        };
        let negative = code.word(registers, |new| {
            format!("and.b32 {new}, {sign}, -2147483648;")
        });
        let absent = code.word(registers, |new| format!("not.b32 {new}, {tested};"));
        code.push(format!("or.b32 {absent}, {absent}, {negative};"));
        (absent, 0)
    }
}

/// The predicate that is true where the other is not.
fn opposite(predicate: &str) -> String {
    match predicate.strip_prefix('!') {
        Some(plain) => plain.to_string(),
        None => format!("!{predicate}"),
    }
}
