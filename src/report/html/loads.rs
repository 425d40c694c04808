//! Counts of a kernel's loads, and from where each takes its value.

use super::data::{Link, Loads};
use super::subject::{One, Reader};
use crate::ir::lanes::LaneMap;
use crate::passes::Kind;
use crate::pipeline::Kernel;
use crate::report::explain;
use crate::shuffle::plan::{Shuffle, Source};
use crate::shuffle::refusal::ConditionName;
use crate::shuffle::synthesis::Outcome;

/// Loads by what became of them.
pub fn counts(one: &One) -> Loads {
    let mut counts = Loads::default();
    for remark in one.passes.iter().flat_map(|report| &report.remarks) {
        match remark.kind {
            Kind::Removed | Kind::Forwarded => {
                counts.removed += 1;
                counts.all += 1;
            }
            Kind::Moved => counts.moved += 1,
            Kind::Widened => counts.widened += 1,
            _ => {}
        }
    }
    let Some(kernel) = one.now else { return counts };
    for load in &kernel.loads {
        counts.all += 1;
        let count = match &load.outcome {
            Outcome::Covered(_) if kernel.reverted.is_some() => &mut counts.kept,
            Outcome::Covered(number) if is_own(kernel, *number) => &mut counts.removed,
            Outcome::Covered(_) => &mut counts.shuffled,
            Outcome::Kept(refusal) if refusal.condition() == ConditionName::Profit => {
                &mut counts.declined
            }
            Outcome::Kept(_) => &mut counts.kept,
        };
        *count += 1;
    }
    counts
}

fn is_own(kernel: &Kernel, number: u32) -> bool {
    let shuffle = kernel.plan.shuffles.get(number as usize);
    shuffle.is_some_and(|shuffle| shuffle.lanes.is_own())
}

/// The source of a shuffle's first bytes.
pub fn source<'k>(kernel: &'k Kernel, shuffle: &Shuffle) -> Option<&'k Source> {
    let part = shuffle.parts.first()?;
    kernel.plan.sources.get(part.source as usize)
}

/// What loads take, or would take, and what passes did with two places.
pub fn links(one: &One, reader: &Reader) -> Vec<Link> {
    let mut links: Vec<Link> = Vec::new();
    for remark in one.passes.iter().flat_map(|report| &report.remarks) {
        if let Some(source) = remark.other_line().filter(|_| remark.kind.is_done()) {
            links.push(Link {
                destination: remark.site.line,
                source,
                lanes: None,
                what: remark.what.clone(),
            });
        }
    }
    let (kernel, done) = match one.now.filter(|kernel| kernel.is_rewritten()) {
        Some(now) => (Some(now), true),
        None => (one.trial, false),
    };
    for (kernel, shuffle) in kernel
        .iter()
        .flat_map(|kernel| kernel.plan.shuffles.iter().map(move |one| (*kernel, one)))
    {
        let Some(source) = source(kernel, shuffle) else {
            continue;
        };
        let lanes = (shuffle.lanes != LaneMap::OWN).then(|| explain::lane(shuffle.lanes));
        links.push(Link {
            destination: reader.line(kernel, shuffle.destination),
            source: reader.line(kernel, source.statement),
            what: match (&lanes, done) {
                (None, _) => "the thread has loaded it before".to_owned(),
                (Some(_), true) => "a shuffle takes it from another lane".to_owned(),
                (Some(_), false) => "a shuffle could take it from another lane".to_owned(),
            },
            lanes,
        });
    }
    links.sort_by_key(|one| (one.destination, one.source));
    links
}
