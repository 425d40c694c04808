//! The choices that are tried.

use ptxasw_base::named::Named;
use ptxasw_driver::pipeline::tuned::Choice;
use ptxasw_passes::memory::Loads;
use ptxasw_passes::shuffle::plan::Wrapping;

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
    let loads = Loads::NAMES.iter().filter(|(_, one, _)| *one != Loads::Off);
    let loads = loads.map(|(name, ..)| format!("loads={name}"));
    let live = LIVE.iter().map(|registers| format!("max-live={registers}"));
    let passes = PASSES.iter().map(|names| format!("passes={names}"));
    let schemes = Wrapping::ALL.map(Wrapping::name).into_iter();
    let schemes = schemes.map(|name| format!("scheme={name} profit=always"));
    let all = std::iter::once(String::new())
        .chain(loads)
        .chain(live)
        .chain(passes);
    let all = all.chain(["profit=always".to_owned()]).chain(schemes);
    all.filter_map(|text| text.parse().ok()).collect()
}

/// What a choice is about; nothing where it is the default, off, or about several things.
pub fn about(choice: &Choice) -> Option<About> {
    let all = [
        (["loads", "max-live"], About::Loads),
        (["passes", "passes"], About::Passes),
        (["scheme", "profit"], About::Shuffles),
    ];
    let mut all = all
        .iter()
        .filter(|(names, _)| names.iter().any(|name| choice.has(name)));
    let first = all.next().map(|(_, about)| *about);
    first.filter(|_| all.next().is_none() && !choice.off)
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
        all.extend(best[number + 1..].iter().map(|other| one.or(other)));
    }
    if let [one, two, three] = best[..] {
        all.push(one.or(two).or(three));
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
        let choice = |text: &str| -> Choice { text.parse().unwrap() };
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
