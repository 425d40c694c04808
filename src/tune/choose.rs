//! The choice for a kernel.

use super::data::{Kernel, Ratio};

/// A choice is worth a line in the settings file from this ratio to the default on.
const WORTH: f64 = 1.01;

/// The row that is best, and is worth it: it is faster than the original in all of its range, and than the default; or it is the
/// original, and the default is slower in all of its range. None where the default stays.
pub fn choose(kernel: &Kernel) -> Option<usize> {
    let measured = kernel.is_measured();
    let ratio = |number: usize| match number {
        0 => Some(Ratio::ONE),
        _ => kernel.rows[number].ratio(measured),
    };
    let default = kernel.rows.iter().position(|row| row.is_default())?;
    let default_ratio = ratio(default)?;
    let sound = kernel.rows.iter().enumerate();
    let sound = sound.filter(|(number, row)| *number == 0 || row.is_sound());
    let known = sound.filter_map(|(number, _)| Some((number, ratio(number)?)));
    // The first of equals is the one that does less.
    let best = known.reduce(|best, one| {
        if one.1.point > best.1.point {
            one
        } else {
            best
        }
    });
    let (best, its) = best?;
    let is_unsound = !kernel.rows[default].is_sound();
    let gains = its.point >= default_ratio.point * WORTH;
    let is_sure = match best {
        0 => default_ratio.most < 1.0,
        _ => its.least > 1.0,
    };
    ((gains && is_sure || is_unsound) && best != default).then_some(best)
}

#[cfg(test)]
mod tests {
    use super::super::data::{Compared, Measured, Row};
    use super::*;

    fn row(choice: &str, estimated: Option<[f64; 3]>) -> Row {
        Row {
            choices: vec![choice.to_owned()],
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
            rows,
            not_estimated: None,
            not_measured: None,
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
        // It may be a loss.
        assert_eq!(of(none, Some([1.1, 0.9, 1.2])), None);
        // The default may lose, or does.
        assert_eq!(of(Some([0.9, 0.8, 1.1]), None), None);
        assert_eq!(of(Some([0.9, 0.8, 0.95]), None), Some(0));
        assert_eq!(of(None, gain), None);
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
        assert_eq!(choose(&kernel(rows)), Some(0));
    }

    #[test]
    fn what_was_measured_counts_alone() {
        let mut rows = vec![
            row("off", None),
            row("", Some([1.0; 3])),
            row("loads=always", Some([2.0; 3])),
        ];
        let measured = |point| {
            Some(Measured {
                ratio: Ratio {
                    point,
                    least: point,
                    most: point,
                },
                samples: 10,
                outlier: None,
            })
        };
        rows[1].measured = measured(1.2);
        assert_eq!(choose(&kernel(rows.clone())), None);
        rows[2].measured = measured(1.3);
        assert_eq!(choose(&kernel(rows)), Some(2));
    }
}
