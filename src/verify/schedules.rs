//! Lists of schedules, as users write them.

use ptxasw_executor::Schedule;

/// Most schedules of a list.
const MAX_SCHEDULES: usize = 4096;

/// Why a list of schedules was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ScheduleError {
    /// A word that names none.
    #[error("unknown schedule `{0}` (known: `lockstep`, `its:SEED`, `its:FIRST..LAST`)")]
    Unknown(String),
    /// More than anybody waits for.
    #[error("more than {MAX_SCHEDULES} schedules")]
    TooMany,
    /// The list is empty.
    #[error("no schedule")]
    None,
}

/// Reads `lockstep,its:7,its:10..19`: both ends of a range of seeds belong to it. Each schedule is kept once.
///
/// # Errors
/// A word is no schedule, or there are none or too many.
pub fn parse_schedules(text: &str) -> Result<Vec<Schedule>, ScheduleError> {
    let mut found: Vec<Schedule> = Vec::new();
    let mut add = |schedule| {
        if !found.contains(&schedule) {
            found.push(schedule);
        }
        match found.len() > MAX_SCHEDULES {
            true => Err(ScheduleError::TooMany),
            false => Ok(()),
        }
    };
    for word in text
        .split(',')
        .map(str::trim)
        .filter(|word| !word.is_empty())
    {
        let unknown = || ScheduleError::Unknown(word.to_owned());
        if word == "lockstep" {
            add(Schedule::Lockstep)?;
            continue;
        }
        let seeds = word.strip_prefix("its:").ok_or_else(unknown)?;
        let (first, last) = seeds.split_once("..").unwrap_or((seeds, seeds));
        let number = |text: &str| text.parse::<u64>().map_err(|_| unknown());
        let (first, last) = (number(first)?, number(last)?);
        if first > last {
            return Err(unknown());
        }
        if last - first >= MAX_SCHEDULES as u64 {
            return Err(ScheduleError::TooMany);
        }
        for seed in first..=last {
            add(Schedule::Independent { seed })?;
        }
    }
    match found.is_empty() {
        true => Err(ScheduleError::None),
        false => Ok(found),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seed(seed: u64) -> Schedule {
        Schedule::Independent { seed }
    }

    #[test]
    fn lists() {
        let all = parse_schedules("lockstep, its:3..5,its:4").unwrap();
        assert_eq!(all, [Schedule::Lockstep, seed(3), seed(4), seed(5)]);
        let end = parse_schedules("its:18446744073709551615").unwrap();
        assert_eq!(end, [seed(u64::MAX)]);
    }

    #[test]
    fn refused() {
        for text in [
            "its", "its:", "its:x", "its:5..3", "its:1..", "warp", "its:-1",
        ] {
            let unknown = ScheduleError::Unknown(text.to_owned());
            assert_eq!(parse_schedules(text), Err(unknown));
        }
        assert_eq!(parse_schedules(" , "), Err(ScheduleError::None));
        assert_eq!(parse_schedules("its:0..4096"), Err(ScheduleError::TooMany));
        assert_eq!(
            parse_schedules("its:0..18446744073709551615"),
            Err(ScheduleError::TooMany)
        );
    }
}
