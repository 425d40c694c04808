//! How a quantity grows with a size.

/// The exponent of the power of the size that fits best: the slope of the line of least squares through the logarithms.
pub fn exponent(points: &[(f64, f64)]) -> f64 {
    let logarithms = points
        .iter()
        .map(|&(size, value)| (size.ln(), value.max(f64::MIN_POSITIVE).ln()));
    let count = points.len() as f64;
    let (x, y) = logarithms
        .clone()
        .fold((0.0, 0.0), |sum, (x, y)| (sum.0 + x, sum.1 + y));
    let (x, y) = (x / count, y / count);
    let (above, below) = logarithms.fold((0.0, 0.0), |sum, (a, b)| {
        (sum.0 + (a - x) * (b - y), sum.1 + (a - x) * (a - x))
    });
    above / below
}
