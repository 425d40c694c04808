//! The choice for a kernel.

use super::data::{Kernel, Ratio, Row};

/// A choice is worth a line in the settings file from this ratio to the default on.
const WORTH: f64 = 1.01;
/// What it gains must be at least this at the lower end of its range.
const LEAST: f64 = 1.05;

/// The row that is best, and is worth it: by all of its range it is faster than the original by `LEAST`, and faster than the
/// default; or it is the original, and by all of its range the default is slower by as much, or it is wrong. None where the default
/// stays.
pub fn choose(kernel: &Kernel) -> Option<usize> {
    let default = kernel.rows.iter().position(Row::is_default)?;
    let ratios = kernel.ratios();
    let is_sound = kernel.rows[default].is_sound();
    let before = match is_sound {
        true => ratios[default]?,
        // A wrong default is compared as if it were as fast as the original.
        false => Ratio::ONE,
    };
    let is_surely_faster = |&number: &usize| {
        let gains = |ratio: Ratio| ratio.least >= LEAST && ratio.point >= before.point * WORTH;
        number != default && kernel.rows[number].is_sound() && ratios[number].is_some_and(gains)
    };
    let point = |number: usize| ratios[number].map_or(0.0, |ratio| ratio.point);
    let faster = (1..kernel.rows.len()).filter(is_surely_faster);
    // The first of equals is the one that does less.
    let best = faster.reduce(|best, one| if point(one) > point(best) { one } else { best });
    let original = default != 0 && (!is_sound || before.most * LEAST <= 1.0);
    best.or_else(|| original.then_some(0))
}

#[cfg(test)]
mod tests {
    use super::super::data::{Compared, Measured, Row};
    use super::*;

    fn row(choice: &str, estimated: Option<[f64; 3]>) -> Row {
        Row {
            choices: vec![choice.to_owned()],
            code: String::new(),
            registers: 32,
            warps: 64,
            compared: Compared::Equal(1),
            estimated: estimated.map(|[point, least, most]| Ratio { point, least, most }),
            measured: None,
        }
    }

    fn kernel(rows: Vec<Row>) -> Kernel {
        Kernel {
            kernel: "k".to_owned(),
            target: "sm_90".to_owned(),
            launch: String::new(),
            made_up: false,
            launch_digest: String::new(),
            rows,
            not_estimated: None,
            not_measured: None,
            left_out: Vec::new(),
            best: None,
        }
    }

    #[test]
    fn the_default_stays_unless_something_is_surely_better() {
        let of = |default, other| {
            let rows = vec![
                row("off", None),
                row("", default),
                row("loads=always", other),
            ];
            choose(&kernel(rows))
        };
        let (none, gain, more) = (
            Some([1.0, 1.0, 1.0]),
            Some([1.1, 1.05, 1.2]),
            Some([1.2, 1.1, 1.3]),
        );
        assert_eq!(of(none, gain), Some(2));
        assert_eq!(of(gain, more), Some(2));
        assert_eq!(of(gain, gain), None);
        assert_eq!(of(more, gain), None);
        // It may be a loss, or gain too little.
        assert_eq!(of(none, Some([1.1, 0.9, 1.2])), None);
        assert_eq!(of(none, Some([1.1, 1.04, 1.2])), None);
        // The default may lose, or does, or loses too little.
        assert_eq!(of(Some([0.9, 0.8, 1.1]), None), None);
        assert_eq!(of(Some([0.94, 0.9, 0.96]), None), None);
        assert_eq!(of(Some([0.9, 0.8, 0.95]), None), Some(0));
        assert_eq!(of(None, gain), None);
        // One that may lose does not hide one that does not.
        let rows = vec![
            row("off", None),
            row("", none),
            row("loads=always", Some([1.3, 0.95, 1.6])),
            row("max-live=16", gain),
        ];
        assert_eq!(choose(&kernel(rows)), Some(3));
    }

    #[test]
    fn what_differs_is_never_chosen() {
        let mut rows = vec![
            row("off", None),
            row("", Some([1.0; 3])),
            row("loads=always", Some([2.0; 3])),
        ];
        rows[2].compared = Compared::Different("x".to_owned());
        assert_eq!(choose(&kernel(rows.clone())), None);
        rows[1].compared = Compared::Different("x".to_owned());
        assert_eq!(choose(&kernel(rows.clone())), Some(0));
        // Even where nothing is known of its time.
        rows[1].estimated = None;
        assert_eq!(choose(&kernel(rows.clone())), Some(0));
        rows[2].compared = Compared::Rounded;
        assert_eq!(choose(&kernel(rows)), Some(0));
    }

    #[test]
    fn what_was_measured_counts_alone() {
        let mut rows = vec![
            row("off", None),
            row("", Some([1.0; 3])),
            row("loads=always", Some([2.0; 3])),
        ];
        let measured = |point, samples| {
            Some(Measured {
                ratio: Ratio {
                    point,
                    least: point,
                    most: point,
                },
                samples,
                outlier: None,
            })
        };
        rows[1].measured = measured(1.2, 10);
        assert_eq!(choose(&kernel(rows.clone())), None);
        rows[2].measured = measured(1.3, 10);
        assert_eq!(choose(&kernel(rows.clone())), Some(2));
        // By luck, in the first samples.
        rows[1].measured = measured(1.2, 20);
        assert_eq!(choose(&kernel(rows)), None);
    }
}
