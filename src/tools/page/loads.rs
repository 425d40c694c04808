//! Loads and stores of a kernel by what became of them, and from where each load takes its value.

use super::data::{Fates, Link};
use super::subject::{One, Reader};
use ptxasw_driver::report::explain;
use ptxasw_driver::report::fates;
use ptxasw_ir::lanes::LaneMap;
use ptxasw_passes::Fate;
use ptxasw_passes::shuffle::Search;
use ptxasw_passes::shuffle::plan::{Shuffle, Source};
use std::collections::BTreeMap;

/// Loads and stores by what became of them.
pub fn counts(one: &One) -> [Fates; 2] {
    let all = one.function.map(fates::Fates::of).unwrap_or_default();
    [by_column(&all.loads), by_column(&all.stores)]
}

fn by_column(fates: &BTreeMap<Fate, u64>) -> Fates {
    let mut counts = Fates::default();
    for (fate, &count) in fates {
        let column = match fate {
            Fate::Removed | Fate::Forwarded | Fate::DeadStore => &mut counts.removed,
            Fate::Shuffled => &mut counts.shuffled,
            Fate::Widened => &mut counts.widened,
            Fate::Moved | Fate::Batched => &mut counts.moved,
            Fate::Space | Fate::NonCoherent | Fate::Rewritten => &mut counts.other,
            Fate::Declined => &mut counts.declined,
            Fate::Kept => &mut counts.kept,
        };
        *column += count as u32;
        counts.all += count as u32;
    }
    counts
}

/// The source of a shuffle's first bytes.
pub fn source<'k>(search: &'k Search, shuffle: &Shuffle) -> Option<&'k Source> {
    let part = shuffle.parts.first()?;
    search.plan.sources.get(part.source as usize)
}

/// What loads take, or would take, and what passes did with two places.
pub fn links(one: &One, reader: &Reader) -> Vec<Link> {
    let mut links: Vec<Link> = Vec::new();
    for remark in one.passes().iter().flat_map(|report| &report.remarks) {
        if let Some(source) = remark.other_line().filter(|_| remark.fate.is_done()) {
            links.push(Link {
                destination: remark.place.line,
                source,
                lanes: None,
                what: remark.what.to_string(),
            });
        }
    }
    let (search, done) = match one.now().filter(|search| search.has_shuffles()) {
        Some(now) => (Some(now), true),
        None => (one.trial, false),
    };
    for (search, shuffle) in search
        .iter()
        .flat_map(|search| search.plan.shuffles.iter().map(move |one| (*search, one)))
    {
        let Some(source) = source(search, shuffle) else {
            continue;
        };
        let lanes = (shuffle.lanes != LaneMap::OWN).then(|| explain::lane(shuffle.lanes));
        links.push(Link {
            destination: reader.line(search, shuffle.destination),
            source: reader.line(search, source.statement),
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
