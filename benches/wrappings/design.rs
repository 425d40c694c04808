//! What the wrappings cost when they were designed: hot paths for sm_70, sm_80, sm_90 of templates written by hand.

/// Kernel, wrapping as `--wrapping` names it (empty: the original), instructions.
type Row = (&'static str, &'static str, [i64; 3]);

const ROWS: &[Row] = &[
    ("k1", "", [37, 37, 40]),
    ("k1", "paper", [79, 79, 83]),
    ("k1", "R", [51, 51, 55]),
    ("k1", "F", [52, 51, 56]),
    ("k1", "F31", [49, 49, 52]),
    ("k1", "halo", [67, 67, 71]),
    ("k1f", "", [37, 37, 40]),
    ("k1f", "full", [45, 45, 48]),
    ("k1c", "", [37, 37, 40]),
    ("k1c", "paper", [79, 79, 83]),
    ("k1c", "R", [53, 53, 57]),
    ("k1c", "halo", [76, 76, 80]),
    ("k2", "", [63, 64, 67]),
    ("k2", "paper", [95, 96, 100]),
    ("k2", "R", [77, 78, 82]),
    ("k2", "F", [80, 79, 83]),
    ("k4", "", [37, 37, 40]),
    ("k4", "paper", [85, 87, 89]),
    ("k4", "R", [59, 59, 63]),
    ("k4", "halo", [85, 85, 89]),
    ("k5", "", [39, 39, 43]),
    ("k5", "paper", [86, 86, 91]),
    ("k5", "R", [61, 61, 66]),
    ("k5", "halo", [79, 79, 84]),
    ("k6", "", [43, 42, 44]),
    ("k6", "F", [106, 117, 73]),
    ("k3", "", [14, 14, 12]),
    ("k3", "F", [31, 36, 28]),
    ("k3", "auto", [20, 17, 16]),
    ("k7", "", [14, 14, 14]),
    ("k7", "paper", [26, 25, 25]),
    ("k7", "R", [18, 18, 18]),
    ("k7", "F", [18, 18, 16]),
];

/// What a wrapping added to the original.
pub fn added(kernel: &str, wrapping: &str) -> Option<[i64; 3]> {
    let row = |name: &str| {
        let found = ROWS.iter().find(|row| row.0 == kernel && row.1 == name);
        found.map(|row| row.2)
    };
    let (before, after) = (row("")?, row(wrapping)?);
    Some([0, 1, 2].map(|arch| after[arch] - before[arch]))
}
