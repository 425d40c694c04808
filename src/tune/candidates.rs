//! The choices that are tried.

use crate::passes::memory::LEVELS;
use crate::passes::memory::Loads;
use crate::pipeline::tuned::Choice;
use crate::shuffle::plan::Wrapping;
use crate::shuffle::profit::Profit;

/// Numbers of registers that loads may hold, besides the default.
const LIVE: [u32; 2] = [16, 64];
/// Passes besides the default ones. The paper's `sat` (ACC Saturator, figure 2) comes with and without common subexpressions.
const PASSES: [&str; 4] = [
    "memory,scalar,shuffle",
    "memory,division,shuffle",
    "memory,saturate,shuffle",
    "memory,scalar,division,saturate,shuffle",
];
/// Most choices of a kernel that combine others.
pub const COMBINED: usize = 3;

/// What a choice is about: choices about different things can be combined.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum About {
    /// Loads and stores.
    Loads,
    /// The arithmetic.
    Passes,
    /// Shuffles.
    Shuffles,
}

/// All choices about one thing alone, and in front of them the one that chooses nothing: the default.
pub fn single() -> Vec<Choice> {
    let loads = LEVELS.iter().filter(|(_, loads)| *loads != Loads::Off);
    let loads = loads.map(|&(_, loads)| Choice {
        loads: Some(loads),
        ..Choice::default()
    });
    let live = LIVE.iter().map(|&registers| Choice {
        max_live: Some(registers),
        ..Choice::default()
    });
    let passes = PASSES.iter().map(|names| Choice {
        passes: names.parse().ok(),
        ..Choice::default()
    });
    let schemes = std::iter::once(None).chain(Wrapping::ALL.map(Some));
    let schemes = schemes.map(|scheme| Choice {
        scheme: scheme.map(Some),
        profit: Some(Profit::Always),
        ..Choice::default()
    });
    let all = std::iter::once(Choice::default()).chain(loads).chain(live);
    all.chain(passes).chain(schemes).collect()
}

/// What a choice is about; nothing where it is the default, off, or about several things.
pub fn about(choice: &Choice) -> Option<About> {
    let all = [
        (
            choice.loads.is_some() || choice.max_live.is_some(),
            About::Loads,
        ),
        (choice.passes.is_some(), About::Passes),
        (
            choice.scheme.is_some() || choice.profit.is_some(),
            About::Shuffles,
        ),
    ];
    let mut all = all
        .into_iter()
        .filter(|(is, _)| *is)
        .map(|(_, about)| about);
    let first = all.next();
    first.filter(|_| all.next().is_none() && !choice.off)
}

/// The choice that makes both of two choices about different things.
pub fn both(one: &Choice, other: &Choice) -> Choice {
    Choice {
        off: false,
        passes: one.passes.clone().or_else(|| other.passes.clone()),
        loads: one.loads.or(other.loads),
        max_live: one.max_live.or(other.max_live),
        scheme: one.scheme.or(other.scheme),
        profit: one.profit.or(other.profit),
        cost: one.cost.or(other.cost),
        extract: one.extract.or(other.extract),
    }
}

/// Of a kernel's choices with the gain of each (above 0 where it gains), those that combine the best ones about each thing: two
/// by two, and all.
pub fn combined(gains: &[(Choice, f64)]) -> Vec<Choice> {
    let best = |wanted: About| {
        let of = gains.iter();
        let of = of.filter(|(choice, gain)| about(choice) == Some(wanted) && *gain > 0.0);
        // On a tie the choice that is listed first wins.
        let best = of.reduce(|best, one| if one.1 > best.1 { one } else { best });
        best.map(|(choice, _)| choice)
    };
    let best = [About::Loads, About::Passes, About::Shuffles].map(best);
    let best: Vec<&Choice> = best.into_iter().flatten().collect();
    let mut all = Vec::new();
    for (number, one) in best.iter().enumerate() {
        all.extend(best[number + 1..].iter().map(|other| both(one, other)));
    }
    if let [one, two, three] = best[..] {
        all.push(both(&both(one, two), three));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_choice_is_another_and_about_one_thing() {
        let all = single();
        let texts: Vec<String> = all.iter().map(Choice::to_string).collect();
        let unique: std::collections::BTreeSet<&String> = texts.iter().collect();
        assert_eq!(unique.len(), texts.len());
        assert_eq!(texts[0], "");
        assert!(all[1..].iter().all(|choice| about(choice).is_some()));
        assert_eq!(about(&all[0]), None);
    }

    #[test]
    fn the_best_of_each_kind_are_combined() {
        let choice = |text: &str| -> Choice {
            let entry: crate::pipeline::tuned::Entry = format!("k {text}").parse().unwrap();
            entry.choice
        };
        let gains = [
            (Choice::default(), 0.3),
            (choice("loads=checked"), 0.1),
            (choice("loads=always"), 0.2),
            (choice("max-live=16"), 0.2),
            (choice("passes=memory,scalar"), 0.05),
            (choice("scheme=halo profit=always"), -0.1),
        ];
        let texts = |gains: &[(Choice, f64)]| {
            let all = combined(gains).into_iter();
            all.map(|choice| choice.to_string()).collect::<Vec<_>>()
        };
        assert_eq!(texts(&gains), ["passes=memory,scalar loads=always"]);
        assert!(texts(&gains[..4]).is_empty());
        let mut all = gains.to_vec();
        all[5].1 = 0.4;
        let found = texts(&all);
        assert_eq!(found.len(), COMBINED + 1);
        assert_eq!(
            found[3],
            "passes=memory,scalar loads=always scheme=halo profit=always"
        );
    }
}
