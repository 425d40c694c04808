//! What the pass reports about what it did.

use super::accesses::{AccessId, Accesses};
use super::conflicts::{How, Passed};
use super::plan::Plan;
use super::reason::Kept;
use super::wide::Wide;
use crate::{Claim, Fate, Remark, Rewrite, Session};
use ptxasw_emulator::domains::alias::Harmless;
use ptxasw_emulator::solver::disjoint::{Disjoint, Under};
use ptxasw_ir::function::InstId;
use ptxasw_ir::types::Space;
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// The decisions with remarks and claims, in the order of the accesses.
pub fn of(session: &Session, accesses: &Accesses, plan: Plan) -> Rewrite {
    let decisions = plan.decisions;
    let mut remarks: Vec<(AccessId, Remark)> = Vec::new();
    let (mut claims, mut known) = (Vec::new(), FxHashSet::default());
    for served in &decisions.served {
        let at = accesses.get(served.load).inst;
        let sources = served.elements.iter().flat_map(|one| &one.sources);
        let mut sources = sources.map(|source| accesses.get(source.access));
        let first = sources.next();
        let (fate, what) = match first.is_some_and(|first| first.is_store) {
            true => (Fate::Forwarded, "forwarded from the store"),
            false => (Fate::Removed, "removed, same as the load"),
        };
        let remark = Remark {
            with: first.map(|first| first.inst),
            ..Remark::new(at, fate, what)
        };
        remarks.push((served.load, remark));
        let passed = served.elements.iter().flat_map(|one| &one.passed);
        claims.extend(claim(accesses, &mut known, at, passed));
    }
    for (store, dead) in &decisions.dead {
        let at = accesses.get(*store).inst;
        let what = "removed, overwritten by the store";
        let remark = Remark {
            with: dead.covers.first().map(|&id| accesses.get(id).inst),
            ..Remark::new(at, Fate::DeadStore, what)
        };
        remarks.push((*store, remark));
        claims.extend(claim(accesses, &mut known, at, dead.passed.iter()));
    }
    for wide in &decisions.wide {
        remarks.extend(widened(accesses, wide));
        let at = accesses.get(wide.place).inst;
        claims.extend(claim(accesses, &mut known, at, wide.passed.iter()));
        if !wide.aligned.is_empty() {
            let evidence = format!(
                "the kernel's entry tests an alignment of {} bytes",
                wide.bytes
            );
            claims.push(Claim::new(at, evidence));
        }
    }
    let widened: BTreeSet<AccessId> = decisions
        .wide
        .iter()
        .flat_map(|wide| wide.members.iter().map(|member| member.access))
        .collect();
    let served: BTreeSet<AccessId> = decisions.served.iter().map(|one| one.load).collect();
    let mut kept = decisions.kept;
    for (id, why) in decisions.narrow {
        // That it could be wide says more than that nothing was loaded before.
        let own = kept.entry(id).or_insert(why);
        if matches!(own, Kept::First | Kept::SomePath | Kept::OtherIteration) {
            *own = why;
        }
    }
    for (id, store) in decisions.after_store {
        // No other reason names what a user can change.
        let own = kept.entry(id).or_insert(Kept::AfterStore(store));
        if own.lift().is_none() {
            *own = Kept::AfterStore(store);
        }
    }
    let done = |id: &AccessId| served.contains(id) || widened.contains(id);
    for (&load, why) in kept.iter().filter(|(id, _)| !done(id)) {
        let (what, with) = why.words(session, accesses);
        let remark = Remark {
            with,
            lift: why.lift(),
            ..Remark::new(accesses.get(load).inst, Fate::Kept, what)
        };
        remarks.push((load, remark));
    }
    remarks.sort_by_key(|&(id, _)| id);
    Rewrite {
        patch: decisions.patch,
        remarks: remarks.into_iter().map(|(_, remark)| remark).collect(),
        claims,
        ..Rewrite::default()
    }
}

/// A remark on each member of a wide access.
fn widened(accesses: &Accesses, wide: &Wide) -> Vec<(AccessId, Remark)> {
    let moved = match wide.crossed {
        0 => String::new(),
        1 => "moved up over 1 store".to_owned(),
        stores => format!("moved up over {stores} stores"),
    };
    if wide.members.len() == 1 {
        let at = accesses.get(wide.place).inst;
        let remark = match (wide.early, wide.space) {
            (None, Space::Shared) => {
                Remark::new(at, Fate::Space, "its pointer is one of shared memory")
            }
            (None, _) => Remark::new(at, Fate::Space, "its pointer is one of local memory"),
            (Some(_), _) => Remark::new(at, Fate::Moved, moved),
        };
        return vec![(wide.place, remark)];
    }
    let moved = match moved.is_empty() {
        true => moved,
        false => format!(", {moved}"),
    };
    let tested = match wide.aligned.is_empty() {
        true => "",
        false => ", its alignment tested at the entry",
    };
    let what = match accesses.get(wide.place).is_store {
        true => "stores",
        false => "loads",
    };
    let (count, bytes) = (wide.members.len(), wide.bytes);
    let what = format!("widened: {count} {what} become one of {bytes} bytes{tested}{moved}, with");
    let members = wide.members.iter().map(|member| member.access);
    let first = members.clone().min();
    let remark = |id: AccessId| {
        let others = members.clone().filter(|&other| other != id);
        let with = match Some(id) == first {
            true => others.min(),
            false => first,
        };
        let with = with.map(|id| accesses.get(id).inst);
        let at = accesses.get(id).inst;
        let remark = Remark::new(at, Fate::Widened, what.clone());
        (id, Remark { with, ..remark })
    };
    members.clone().map(remark).collect()
}

/// What a rewriting rests on: each kind of proof once. Many loads pass the same stores: `known` has what was claimed of them.
fn claim<'p>(
    accesses: &Accesses,
    known: &mut FxHashSet<(&'static str, InstId)>,
    at: InstId,
    passed: impl Iterator<Item = &'p Passed>,
) -> Vec<Claim> {
    let mut kinds: BTreeSet<(&'static str, Option<InstId>)> = BTreeSet::new();
    for one in passed {
        let inst = accesses.get(one.access).inst;
        let proof = match one.how {
            How::Proved(proof) => proof,
            How::Tested(_) => {
                kinds.insert(("other bytes, which the kernel's entry tests", Some(inst)));
                continue;
            }
        };
        kinds.insert(match proof {
            Disjoint::Structure(how) => (structure(how), None),
            Disjoint::Terms(apart) => match apart.under {
                Under::Nothing => ("other bytes, by their addresses", Some(inst)),
                Under::Destination | Under::Both => (
                    "other bytes, by their addresses under path conditions",
                    Some(inst),
                ),
            },
        });
    }
    let kinds = kinds
        .into_iter()
        .map(|(what, inst)| (what, inst.unwrap_or(at)));
    let new = kinds.filter(|&kind| known.insert(kind));
    let words = |(what, at)| Claim::new(at, format!("accesses between touch {what}"));
    new.map(words).collect()
}

/// What an access touches that shares no byte with another.
pub fn structure(how: Harmless) -> &'static str {
    match how {
        Harmless::NoWrite => "nothing",
        Harmless::Spaces => "another state space",
        Harmless::Variables => "another variable",
        Harmless::Parameters => {
            "what another pointer parameter points to, assumed by choice of the user"
        }
        Harmless::Declared => "what another pointer parameter points to, declared `noalias`",
        Harmless::Distance => "other bytes",
    }
}
