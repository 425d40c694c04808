//! Pictures of loads that share lanes: which lanes load, take, load at a corner, or are not there, as an execution shows it.

use super::data::{Frame, Group, Row, Takes, TakesMap};
use super::subject::{Mapped, One, Reader};
use super::warps::{LANES, Shown};
use indexmap::IndexMap;
use ptxasw_driver::report::explain;
use ptxasw_ir::lanes::LaneMap;
use ptxasw_passes::shuffle::Search;
use ptxasw_passes::shuffle::plan::{Plan, Region, Shuffle, Source};

/// Most rows of a group: others are like them.
const ROWS: usize = 16;

/// What shuffles do, or would do, to a kernel.
pub fn groups(one: &One, reader: &Reader) -> Vec<Group> {
    let now = one.now().filter(|search| search.has_shuffles());
    let (search, text, origins) = match (now, &reader.texts.now, &reader.texts.trial) {
        (Some(search), Some(text), _) => (search, text, Some(&reader.subject.now.origins)),
        (_, _, Some(text)) => {
            let Some(search) = one.trial.filter(|search| search.has_shuffles()) else {
                return Vec::new();
            };
            let trial = reader.subject.trial.as_ref();
            (search, text, trial.map(|(trial, _)| &trial.origins))
        }
        _ => return Vec::new(),
    };
    let Some(origins) = origins else {
        return Vec::new();
    };
    let mapped = Mapped {
        text,
        origins,
        input: &reader.texts.input.source.lines,
    };
    let shown = Shown::new(one.name, &mapped, reader);
    let plan = &search.plan;
    let regions = plan.regions.iter().enumerate();
    let groups = regions.filter_map(|(number, region)| {
        let places = rows(search, number as u32);
        if places.is_empty() {
            return None;
        }
        let rows: Vec<Row> = places
            .iter()
            .map(|place| row(place, &places, search, reader))
            .collect();
        let frames = match region.copy {
            Some(_) => vec![whole_warp(&rows)],
            None => shown
                .as_ref()
                .map_or_else(Vec::new, |shown| shown.frames(&rows)),
        };
        Some(Group {
            scheme: region.wrapping.name().to_owned(),
            about: about(region),
            line: reader.line(search, region.before),
            checks: region
                .checks
                .iter()
                .map(|check| check.meaning.clone())
                .collect(),
            done: now.is_some(),
            rows,
            frames,
        })
    });
    groups.collect()
}

fn about(region: &Region) -> String {
    let about = explain::scheme_title(region.wrapping);
    match region.copy {
        Some(_) => format!("{about}; in a clone that only whole warps run"),
        None => about.to_owned(),
    }
}

/// A load of a region.
#[derive(Clone, Copy)]
enum RegionLoad<'k> {
    Source(u32, &'k Source),
    Shuffle(&'k Shuffle),
}

/// The sources of a region, each followed by the loads that take its value.
fn rows(search: &Search, region: u32) -> Vec<RegionLoad<'_>> {
    let plan = &search.plan;
    let mut groups: IndexMap<u32, (&Source, Vec<&Shuffle>)> = IndexMap::new();
    for shuffle in plan.shuffles.iter().filter(|one| !one.lanes.is_own()) {
        let Some((number, source)) = source(plan, shuffle) else {
            continue;
        };
        if source.region == region {
            let (_, takes) = groups.entry(number).or_insert((source, Vec::new()));
            takes.push(shuffle);
        }
    }
    let mut places: Vec<RegionLoad> = Vec::new();
    for (number, (source, takes)) in groups {
        if places.len() + takes.len() >= ROWS && !places.is_empty() {
            break;
        }
        places.push(RegionLoad::Source(number, source));
        places.extend(takes.into_iter().take(ROWS).map(RegionLoad::Shuffle));
    }
    places
}

fn source<'p>(plan: &'p Plan, shuffle: &Shuffle) -> Option<(u32, &'p Source)> {
    let number = shuffle.parts.first()?.source;
    Some((number, plan.sources.get(number as usize)?))
}

fn row(place: &RegionLoad, places: &[RegionLoad], search: &Search, reader: &Reader) -> Row {
    let (statement, takes) = match place {
        RegionLoad::Source(_, source) => (source.statement, None),
        RegionLoad::Shuffle(shuffle) => {
            let wanted = shuffle.parts.first().map(|part| part.source);
            let mut places = places.iter();
            let row = places.position(
                |place| matches!(place, RegionLoad::Source(number, _) if Some(*number) == wanted),
            );
            (
                shuffle.destination,
                row.map(|row| takes(row as u32, shuffle.lanes)),
            )
        }
    };
    let line = reader.line(search, statement);
    Row {
        line,
        text: reader.text(line),
        takes,
    }
}

fn takes(row: u32, lanes: LaneMap) -> Takes {
    let (map, by) = match lanes {
        LaneMap::Shift(delta) => (TakesMap::Shift, delta.into()),
        LaneMap::Xor(mask) => (TakesMap::Xor, mask.into()),
        LaneMap::Lane(lane) => (TakesMap::Lane, lane.into()),
    };
    Takes { row, map, by }
}

/// The lane from which a lane takes, if it is one of the warp.
fn other(takes: Takes, lane: u32) -> Option<u32> {
    let lane = lane as i32;
    let other = match takes.map {
        TakesMap::Shift => lane + takes.by,
        TakesMap::Xor => lane ^ takes.by,
        TakesMap::Lane => takes.by,
    };
    u32::try_from(other).ok().filter(|&other| other < LANES)
}

/// In a clone all lanes are there.
fn whole_warp(rows: &[Row]) -> Frame {
    let cell = |row: &Row, lane| match row.takes {
        None => 'L',
        Some(takes) if other(takes, lane).is_some() => 'S',
        Some(_) => 'C',
    };
    Frame {
        name: "any whole warp".to_owned(),
        cells: rows
            .iter()
            .map(|row| (0..LANES).map(|lane| cell(row, lane)).collect())
            .collect(),
    }
}
